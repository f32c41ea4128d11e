//! A bench with known costs and a clock of its own. Not every test uses all of it.
#![allow(dead_code)]

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use sortsmith_codegen::device::DeviceSpec;
use sortsmith_codegen::tuning::Case;
use sortsmith_codegen::tuning::file::GpuId;
use sortsmith_tune::bench::{Bench, BenchError, Point, Refusal};
use sortsmith_tune::run::Audience;
use sortsmith_tune::search::{Found, Step, Watch};

/// How long a compilation takes on its clock.
pub const COMPILATION: Duration = Duration::from_secs(2);

/// Milliseconds of a sort by the candidate of this number, at a point.
pub type Cost = Box<dyn Fn(usize, Point) -> f64>;

/// The bench.
pub struct Fake {
    pub gpu: GpuId,
    pub cost: Cost,
    /// Times vary by so much either way, as a share.
    pub noise: f64,
    pub rng: StdRng,
    pub clock: Duration,
    /// Numbers of the candidates that do not compile.
    pub refused: Vec<usize>,
    /// Numbers of the candidates that sort wrong.
    pub wrong: Vec<usize>,
    /// Sleeps so long for each measurement.
    pub sleep: Duration,
    pub most: u64,
    /// Measurements so far.
    pub measured: usize,
    pub compiled: usize,
    candidates: RefCell<HashMap<Case, Vec<DeviceSpec>>>,
}

pub fn h200() -> GpuId {
    let (multiprocessors, shared_bytes_per_block) = (132, 227 * 1024);
    GpuId { name: "FAKE H200".to_owned(), arch: 90, multiprocessors, shared_bytes_per_block }
}

impl Fake {
    pub fn new(seed: u64, cost: impl Fn(usize, Point) -> f64 + 'static) -> Self {
        Self {
            gpu: h200(),
            cost: Box::new(cost),
            noise: 0.005,
            rng: StdRng::seed_from_u64(seed),
            clock: Duration::ZERO,
            refused: Vec::new(),
            wrong: Vec::new(),
            sleep: Duration::ZERO,
            most: 1 << 26,
            measured: 0,
            compiled: 0,
            candidates: RefCell::default(),
        }
    }

    /// The number of a spec among the candidates of a case.
    pub fn candidate(&self, case: &Case, spec: &DeviceSpec) -> usize {
        let mut known = self.candidates.borrow_mut();
        let candidates = known.entry(*case).or_insert_with(|| case.candidates(self.gpu.device()));
        candidates.iter().position(|it| it == spec).expect("a candidate")
    }

    /// The cost of a spec without noise.
    pub fn true_cost(&self, case: &Case, spec: &DeviceSpec, point: Point) -> f64 {
        (self.cost)(self.candidate(case, spec), point)
    }
}

impl Bench for Fake {
    fn gpu(&self) -> &GpuId {
        &self.gpu
    }

    fn elapsed(&self) -> Duration {
        self.clock
    }

    fn most_items(&self, _: &Case) -> u64 {
        self.most
    }

    fn jobs(&self, _: &Case) -> usize {
        8
    }

    fn compile(&mut self, case: &Case, specs: &[DeviceSpec]) -> Result<Vec<Refusal>, BenchError> {
        self.clock += COMPILATION;
        self.compiled += specs.len();
        let is_refused = |spec: &&DeviceSpec| self.refused.contains(&self.candidate(case, spec));
        let refused = specs.iter().filter(is_refused);
        Ok(refused.map(|spec| Refusal { spec: *spec, reason: "it is refused".into() }).collect())
    }

    fn measure(
        &mut self,
        case: &Case,
        specs: &[DeviceSpec],
        point: Point,
        repetitions: u32,
    ) -> Result<Vec<Vec<f64>>, BenchError> {
        assert!(!self.sleep.is_zero() || point.n <= self.most);
        std::thread::sleep(self.sleep);
        self.measured += 1;
        let candidates: Vec<usize> = specs.iter().map(|spec| self.candidate(case, spec)).collect();
        assert!(
            candidates.iter().all(|candidate| !self.refused.contains(candidate)),
            "it has no kernels"
        );
        let mut times = vec![Vec::new(); specs.len()];
        for _ in 0..repetitions {
            for (times, candidate) in times.iter_mut().zip(&candidates) {
                let noise = self.noise * self.rng.random_range(-1.0..1.0);
                let milliseconds = (self.cost)(*candidate, point) * (1.0 + noise);
                self.clock += Duration::from_secs_f64(milliseconds / 1e3);
                times.push(milliseconds);
            }
        }
        Ok(times)
    }

    fn agree(&mut self, case: &Case, specs: [DeviceSpec; 2], _: Point) -> Result<bool, BenchError> {
        Ok(specs.iter().all(|spec| !self.wrong.contains(&self.candidate(case, spec))))
    }
}

/// Looks on, and stops after a number of steps.
#[derive(Default)]
pub struct Looker {
    pub steps: Vec<Step>,
    pub stop_after: Option<usize>,
    pub notes: Vec<String>,
    pub found: Vec<(Case, Found)>,
    pub queries: Cell<usize>,
}

impl Watch for Looker {
    fn step(&mut self, _: Duration, step: Step) {
        self.steps.push(step);
    }

    fn is_over(&self) -> bool {
        self.queries.set(self.queries.get() + 1);
        self.stop_after.is_some_and(|most| self.queries.get() > most)
    }
}

impl Audience for Looker {
    fn begin(&mut self, _: usize, _: usize, _: &Case) {}

    fn found(&mut self, case: &Case, found: &Found) {
        self.found.push((*case, found.clone()));
    }

    fn note(&mut self, words: &str) {
        self.notes.push(words.to_owned());
    }
}
