//! Runs many specs in the emulator: compiles and runs batches on all cores, and reports each failure and how to see it
//! again.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::cores;
use crate::emulator::{Batch, Compiler, Flavour, Member, Outcome, SCHEDULES, Session};
use crate::seed::Seed;
use crate::subject::Subject;

/// How long one request may take. Even under sanitizers none comes near.
pub const REQUEST_LIMIT: Duration = Duration::from_secs(60);

/// The cases to run of each spec.
#[derive(Clone, Copy, Debug)]
pub struct Workload<'a> {
    /// The test that runs it, as a replay names it.
    pub test: &'a str,
    /// Where all choices come from.
    pub seed: Seed,
    /// How programs are compiled.
    pub flavour: Flavour,
    /// Specs in one program.
    pub batch: usize,
    /// Cases of each spec.
    pub cases: usize,
    /// Orders of threads of each case, where the tile is small.
    pub orders: u64,
    /// Cases of each spec that look for races, under one order of threads.
    pub races: usize,
}

impl Workload<'_> {
    /// Orders of threads of each case: fewer for large tiles. Over its cases a spec meets all schedules all the same.
    fn orders_of(&self, spec: &impl Subject) -> u64 {
        match spec.cost() {
            0..20_000 => self.orders,
            20_000..100_000 => self.orders.min(2),
            _ => 1,
        }
    }
}

/// The numbers of runs, and the failures.
#[derive(Debug, Default)]
pub struct Totals {
    /// Specs that ran to their end.
    pub specs: usize,
    /// Cases.
    pub cases: usize,
    /// Runs: a case under one order of threads.
    pub runs: usize,
    /// Seconds of compilers, over all cores.
    pub building: Duration,
    /// Seconds of kernels, over all cores.
    pub running: Duration,
    /// One for each spec that failed.
    pub failures: Vec<String>,
}

impl Totals {
    fn add(&mut self, other: Self) {
        self.specs += other.specs;
        self.cases += other.cases;
        self.runs += other.runs;
        self.building += other.building;
        self.running += other.running;
        self.failures.extend(other.failures);
    }

    /// Panics with the failures if there are any.
    pub fn expect_no_failures(&self) {
        let shown =
            self.failures.iter().take(20).map(String::as_str).collect::<Vec<_>>().join("\n");
        assert!(
            self.failures.is_empty(),
            "{} specs failed, the first of them:\n{shown}",
            self.failures.len()
        );
    }
}

/// Runs the specs on all cores.
pub fn run<S: Subject>(compiler: &Compiler, workload: &Workload<'_>, specs: &[S]) -> Totals {
    let mut specs = specs.to_vec();
    // Expensive ones first, so that no core ends up alone with one; dealt out, so that batches are alike.
    specs.sort_by_key(|spec| std::cmp::Reverse(spec.cost()));
    let batches = specs.len().div_ceil(workload.batch);
    let hands: Vec<Vec<S>> = (0..batches)
        .map(|hand| specs.iter().skip(hand).step_by(batches).copied().collect())
        .collect();
    let (totals, start) = (Mutex::new(Totals::default()), Instant::now());
    cores::for_each(
        &hands,
        || (),
        |(), hand| {
            let done = run_hand(compiler, workload, hand);
            let mut totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
            totals.add(done);
            let Totals { specs: done, runs, failures, .. } = &*totals;
            let (all, failures, seconds) = (specs.len(), failures.len(), start.elapsed().as_secs());
            eprintln!(
                "{}: {done} of {all} specs, {runs} runs, {failures} failures, {seconds} s",
                workload.test
            );
        },
    );
    totals.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Compiles and runs one batch; where it does not compile, each spec alone, to tell which.
fn run_hand<S: Subject>(compiler: &Compiler, workload: &Workload<'_>, specs: &[S]) -> Totals {
    let start = Instant::now();
    let members: Result<Vec<Member>, _> = specs.iter().map(S::member).collect();
    let built = match members {
        Ok(members) => compiler
            .build(specs[0].to_string().as_str(), &members, workload.flavour)
            .map_err(|e| e.to_string()),
        Err(error) => Err(error.to_string()),
    };
    let building = start.elapsed();
    let mut totals = match built {
        Ok(batch) => run_batch(workload, &batch, specs),
        Err(error) if specs.len() == 1 => {
            let replay = workload.seed.replay("emulator", workload.test, &specs[0].to_string());
            Totals {
                failures: vec![format!("{}: {error}\n  again: {replay}", specs[0])],
                ..Totals::default()
            }
        }
        Err(_) => {
            let mut totals = Totals::default();
            for spec in specs {
                totals.add(run_hand(compiler, workload, std::slice::from_ref(spec)));
            }
            return totals;
        }
    };
    totals.building += building;
    totals
}

fn run_batch<S: Subject>(workload: &Workload<'_>, batch: &Batch, specs: &[S]) -> Totals {
    let start = Instant::now();
    let mut totals = Totals::default();
    let mut session = None;
    for (member, spec) in specs.iter().enumerate() {
        let mut rng = workload.seed.rng(&spec.to_string());
        let cases = spec.cases(workload.cases, &mut rng);
        totals.cases += cases.len();
        match run_cases(&mut session, batch, workload, member, spec, &cases, &mut rng) {
            Ok(runs) => {
                totals.specs += 1;
                totals.runs += runs;
            }
            Err(complaint) => {
                let replay = workload.seed.replay("emulator", workload.test, &spec.to_string());
                totals.failures.push(format!("{spec}: {complaint}\n  again: {replay}"));
            }
        }
    }
    totals.running = start.elapsed();
    totals
}

/// The cases of one spec; the number of runs, or the first complaint.
fn run_cases<S: Subject>(
    session: &mut Option<Session>,
    batch: &Batch,
    workload: &Workload<'_>,
    member: usize,
    spec: &S,
    cases: &[S::Case],
    rng: &mut ChaCha8Rng,
) -> Result<usize, String> {
    let orders = workload.orders_of(spec);
    let mut schedule = rng.random_range(0..SCHEDULES);
    // Any case may be among them, also those that a spec always has at the same index.
    let first_with_races = rng.random_range(0..cases.len().max(1));
    for (number, case) in cases.iter().enumerate() {
        let turned = (number + first_with_races) % cases.len();
        let looks_for_races =
            turned * workload.races / cases.len() != (turned + 1) * workload.races / cases.len();
        for order in 0..orders {
            let seed = u64::from(rng.random::<u32>()) * SCHEDULES + schedule;
            schedule = (schedule + 1) % SCHEDULES;
            let running = match session.take() {
                Some(running) => running,
                None => Session::start(batch, REQUEST_LIMIT).map_err(|error| error.to_string())?,
            };
            // A session that breaks is not put back.
            let running = session.insert(running);
            let mut message = spec.message(case, member, seed);
            if order == 0 && looks_for_races {
                message = message.detecting_races();
            }
            let outcome = running.run(&message);
            let complaint = match outcome {
                Ok(outcome) => spec.complaint(case, &outcome).or_else(|| match outcome {
                    Outcome::Sorted { barriers, .. } => spec.wrong_barriers(case, barriers),
                    _ => None,
                }),
                Err(error) => {
                    *session = None;
                    Some(error.to_string())
                }
            };
            if let Some(complaint) = complaint {
                return Err(format!("{case}, seed {seed}: {complaint}"));
            }
        }
    }
    Ok(cases.len() * orders as usize)
}
