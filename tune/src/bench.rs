//! What can be measured of sorts.

use std::fmt;
use std::time::Duration;

use sortsmith_codegen::device::DeviceSpec;
use sortsmith_codegen::tuning::Case;
use sortsmith_codegen::tuning::file::GpuId;

/// What is sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Input {
    /// Random integers of all bits; floats that are multiples of 1/4096.
    Random,
    /// The AND of three random words.
    And3,
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Random => "random",
            Self::And3 => "and 3",
        })
    }
}

/// Where a case is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// The number of items.
    pub n: u64,
    /// Of this kind.
    pub input: Input,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{} {}", self.n, self.input))
    }
}

/// Why nothing more can be measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// There is no GPU that could be measured.
    #[error("no GPU to tune for: {0}")]
    NoGpu(String),
    /// A sort failed that must not.
    #[error("cannot sort {n} items by {spec}: {reason}")]
    Sort {
        /// Its kernels.
        spec: String,
        /// How many items.
        n: u64,
        /// Why.
        reason: String,
    },
    /// The driver failed.
    #[error("cannot {doing}: {reason}")]
    Driver {
        /// What was to be done.
        doing: &'static str,
        /// Its words.
        reason: String,
    },
}

/// A spec without kernels here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The spec.
    pub spec: DeviceSpec,
    /// Why.
    pub reason: String,
}

/// A GPU and a clock, or something that acts as if it were.
pub trait Bench {
    /// The GPU.
    fn gpu(&self) -> &GpuId;

    /// The time since it began.
    fn elapsed(&self) -> Duration;

    /// The most items of a case's types that there is memory for, and patience.
    fn most_items(&self, case: &Case) -> u64;

    /// How many specs are compiled at a time.
    fn jobs(&self, case: &Case) -> usize;

    /// Makes kernels of specs, all at once, and says of which it cannot.
    fn compile(&mut self, case: &Case, specs: &[DeviceSpec]) -> Result<Vec<Refusal>, BenchError>;

    /// Milliseconds of that many sorts by each spec, alternately.
    fn measure(
        &mut self,
        case: &Case,
        specs: &[DeviceSpec],
        point: Point,
        repetitions: u32,
    ) -> Result<Vec<Vec<f64>>, BenchError>;

    /// Whether two specs leave the same bits.
    fn agree(
        &mut self,
        case: &Case,
        specs: [DeviceSpec; 2],
        point: Point,
    ) -> Result<bool, BenchError>;
}

/// The points of a case: its minimum and its maximum length, as far as there is memory, each with every input. The first one
/// stands for all where there is no time for all. None where there is not even memory for the minimum.
pub fn points(bench: &dyn Bench, case: &Case) -> Option<Vec<Point>> {
    let most = bench.most_items(case);
    let [min, max] = case.lengths(bench.gpu().device(), most);
    (min <= most).then(|| {
        let lengths = [max, min];
        let points = [Input::Random, Input::And3].into_iter();
        points.flat_map(|input| lengths.map(|n| Point { n, input })).collect()
    })
}
