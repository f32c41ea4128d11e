//! A scenario with a fault in each of its calls.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::str::FromStr;

use sortsmith::{Error, Sorter};

use crate::leaks::{self, Cudarcs};
use crate::shim::{Mode, Shim};

/// A sort to inject faults into, and the checks of its outcome. Each run has a new one.
pub trait Scenario: Sized {
    /// Whether its calls come in the same order each time.
    const IS_ORDERED: bool = true;

    /// The calls that it makes at least without a fault, and how often.
    const NEEDED: &'static [(&'static str, usize)] = &[];

    /// The calls that it does not make without a fault.
    const NEVER: &'static [&'static str] = &[];

    /// The state before faults begin.
    fn prepare() -> Self;

    /// The calls that may fail.
    fn act(&mut self) -> Result<(), Error>;

    /// The calls after the faults have ended.
    fn finish(&mut self) {}

    /// Puts everything back that `act` has changed, so that it can be called again.
    fn reset(&mut self);

    /// The bytes that it has made, to compare with those of a run without a fault.
    fn outcome(&self) -> Vec<u8>;

    /// Whether host slices are unchanged.
    fn is_unchanged(&self) -> bool {
        true
    }

    /// Whether the results are only those of the stand-in's kernels. Where the host may have sorted, this says whether it did.
    fn is_sorted_by_host(&self) -> bool {
        false
    }
}

/// The counts of a scenario.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Calls that can fail.
    pub points: u64,
    /// The operations on files among them.
    pub files: u64,
    /// Runs with a fault.
    pub injections: u64,
    /// The number of calls that were errors.
    pub errors: u64,
    pub panics: u64,
    pub leaks: u64,
    /// Allocations of slices and references to contexts that cudarc loses.
    pub lost_slices: u64,
    pub lost_contexts: u64,
}

impl Counts {
    pub fn add(&mut self, other: &Self) {
        self.points += other.points;
        self.files += other.files;
        self.injections += other.injections;
        self.errors += other.errors;
        self.panics += other.panics;
        self.leaks += other.leaks;
        self.lost_slices += other.lost_slices;
        self.lost_contexts += other.lost_contexts;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { points, files, injections, errors, panics, leaks, .. } = self;
        let Self { lost_slices, lost_contexts, .. } = self;
        write!(f, "{points} points, {files} on files, {injections} injections, {errors} errors, ")?;
        write!(f, "{panics} panics, {leaks} leaks, {lost_slices} slices lost by cudarc, ")?;
        write!(f, "{lost_contexts} contexts lost by cudarc")
    }
}

impl FromStr for Counts {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut numbers = text.split(", ").map(|part| part.split(' ').next().unwrap().parse());
        let mut next = || numbers.next().unwrap();
        let (points, files, injections, errors) = (next()?, next()?, next()?, next()?);
        let (panics, leaks) = (next()?, next()?);
        let (lost_slices, lost_contexts) = (next()?, next()?);
        Ok(Self { points, files, injections, errors, panics, leaks, lost_slices, lost_contexts })
    }
}

/// A call that fails.
#[derive(Clone, Debug)]
pub struct Point {
    pub function: String,
    pub number: u64,
    pub code: i32,
    pub mode: Mode,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { function, number, code, mode } = self;
        write!(f, "{function} #{number} fails with {code} {mode:?}")
    }
}

const OUT_OF_MEMORY: i32 = 2;
const NO_BINARY_FOR_GPU: i32 = 209;
const ILLEGAL_ADDRESS: i32 = 700;
const UNKNOWN: i32 = 999;
/// NVRTC's, of a source that does not compile.
const COMPILATION: i32 = 6;

/// NCCL's: of the system, and of its own.
const NCCL_SYSTEM: i32 = 2;
const NCCL_INTERNAL: i32 = 3;

/// The system's: of a broken disk, of one that is full, of a folder that may not be written.
const EIO: i32 = 5;
const ENOSPC: i32 = 28;
const EACCES: i32 = 13;

/// How a call of a function may fail.
pub fn ways(function: &str) -> Vec<(i32, Mode)> {
    if is_of_files(function) {
        return vec![(EIO, Mode::Once), (ENOSPC, Mode::Forever), (EACCES, Mode::Forever)];
    }
    if function.starts_with("nccl") {
        return vec![(NCCL_SYSTEM, Mode::Once), (NCCL_INTERNAL, Mode::Forever)];
    }
    let mut ways = vec![(UNKNOWN, Mode::Once)];
    match function {
        "cuMemAllocAsync" | "cuMemAlloc_v2" | "cuMemHostAlloc" => {
            ways.push((OUT_OF_MEMORY, Mode::Forever));
        }
        "cuModuleLoadData" => {
            ways.push((OUT_OF_MEMORY, Mode::Forever));
            ways.push((NO_BINARY_FOR_GPU, Mode::Forever));
        }
        "nvrtcCompileProgram" => ways.push((COMPILATION, Mode::Once)),
        _ => {}
    }
    if function.starts_with("cu") {
        ways.push((ILLEGAL_ADDRESS, Mode::Sticky));
    }
    ways
}

fn is_of_files(function: &str) -> bool {
    function.starts_with("file ")
}

/// Functions without injected failures: the query of the driver's version, which is made once per process.
fn is_left_out(function: &str) -> bool {
    matches!(function, "cuDriverGetVersion")
}

/// Runs a scenario once for each of its calls and each way to fail. Panics with the list of complaints.
pub fn run<S: Scenario>() -> Counts {
    let shim = Shim::loaded();
    let faultless = without_a_fault::<S>(shim);
    for (name, least) in S::NEEDED {
        let found = faultless.calls.iter().filter(|call| call == name).count();
        assert!(found >= *least, "{found} calls of {name}, and {least} are needed");
    }
    let is_never = |call: &&String| S::NEVER.contains(&call.as_str());
    assert_eq!(faultless.calls.iter().find(is_never), None, "it is never called");
    let mut numbers: BTreeMap<&str, u64> = BTreeMap::new();
    let mut counts = Counts::default();
    let mut wrong = Vec::new();
    for function in &faultless.calls {
        let number = numbers.entry(function).or_default();
        *number += 1;
        if is_left_out(function) {
            continue;
        }
        counts.points += 1;
        counts.files += u64::from(is_of_files(function));
        for (code, mode) in ways(function) {
            let point = Point { function: function.clone(), number: *number, code, mode };
            counts.injections += 1;
            let complaints = with_a_fault::<S>(shim, &point, &faultless.outcome, &mut counts);
            wrong.extend(complaints.into_iter().map(|complaint| format!("{point}: {complaint}")));
        }
    }
    assert!(wrong.is_empty(), "{counts}; {} went wrong:\n{}", wrong.len(), wrong.join("\n"));
    counts
}

struct Faultless {
    calls: Vec<String>,
    outcome: Vec<u8>,
}

/// The calls and the outcome of a run without a fault. There are two runs, so that the second has no calls that a process makes once.
fn without_a_fault<S: Scenario>(shim: Shim) -> Faultless {
    let mut last = None;
    for _ in 0..2 {
        empty_cache();
        let mut scenario = S::prepare();
        shim.forget();
        scenario.act().unwrap();
        let calls = shim.trace();
        scenario.finish();
        let outcome = scenario.outcome();
        scenario.reset();
        scenario.act().unwrap();
        scenario.finish();
        assert!(scenario.outcome() == outcome, "the same call makes something else");
        drop(scenario);
        give_back(shim);
        shim.expect_clean();
        last = Some(Faultless { calls, outcome });
    }
    last.unwrap()
}

/// One run with a fault; returns the complaints.
fn with_a_fault<S: Scenario>(
    shim: Shim,
    point: &Point,
    expected: &[u8],
    counts: &mut Counts,
) -> Vec<String> {
    let mut wrong = Vec::new();
    // Objects that an earlier run has leaked are not counted again.
    let before = shim.unfreed();
    let violations = shim.violations().len();
    empty_cache();
    let mut scenario = S::prepare();
    shim.forget();
    shim.fail(&point.function, point.number, point.code, point.mode);
    if point.mode == Mode::Once && point.number.is_multiple_of(2) {
        // The driver cannot describe the error either.
        shim.fail("cuGetErrorString", 1, UNKNOWN, Mode::Once);
    }
    let done = panic::catch_unwind(AssertUnwindSafe(|| scenario.act()));
    let is_fired = shim.fired() > 0;
    let cudarcs = Cudarcs::of_fault(shim);
    shim.heal();
    scenario.finish();
    let complaint = complaint_of(&scenario, done, (point, is_fired), expected, counts);
    wrong.extend(complaint);
    if S::IS_ORDERED && !is_fired {
        wrong.push("there was no such call".to_owned());
    }
    // Once the fault is gone the same sorter sorts.
    scenario.reset();
    let again = panic::catch_unwind(AssertUnwindSafe(|| scenario.act()));
    scenario.finish();
    match again {
        Err(_) => {
            counts.panics += 1;
            wrong.push("a panic in the next call".to_owned());
        }
        Ok(Err(error)) => wrong.push(format!("the next call fails: {error}")),
        Ok(Ok(())) if !is_expected(&scenario, expected) => {
            wrong.push("the next call makes something else".to_owned());
        }
        Ok(Ok(())) => {}
    }
    drop(scenario);
    give_back(shim);
    let after = shim.unfreed();
    let leaks = leaks::beside(cudarcs, &before, &after);
    match cudarcs {
        _ if !leaks.is_empty() => {
            counts.leaks += 1;
            wrong.push(format!("a leak: {leaks:?} beside what cudarc loses, {cudarcs:?}"));
        }
        Cudarcs::Slice { .. } => counts.lost_slices += u64::from(after != before),
        Cudarcs::Context => counts.lost_contexts += u64::from(after != before),
        Cudarcs::Nothing => {}
    }
    wrong.extend(shim.violations().drain(violations..));
    wrong
}

/// Whether the outcome is that of a run without a fault.
fn is_expected<S: Scenario>(scenario: &S, expected: &[u8]) -> bool {
    scenario.outcome() == expected || scenario.is_sorted_by_host()
}

/// The complaints about the call that met the fault.
fn complaint_of<S: Scenario>(
    scenario: &S,
    done: std::thread::Result<Result<(), Error>>,
    (point, is_fired): (&Point, bool),
    expected: &[u8],
    counts: &mut Counts,
) -> Vec<String> {
    let mut wrong = Vec::new();
    match done {
        Err(_) => {
            counts.panics += 1;
            wrong.push("a panic".to_owned());
        }
        Ok(Ok(())) if !is_expected(scenario, expected) => wrong.push("a wrong result".to_owned()),
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            counts.errors += 1;
            if !may_be_torn(&error) && !scenario.is_unchanged() {
                wrong.push(format!("the host's slices have changed after: {error}"));
            }
            if is_of_files(&point.function) {
                wrong.push(format!("a cache that fails is an error: {error}"));
            }
            if !is_fired {
                wrong.push(format!("an error without a fault: {error}"));
            }
        }
    }
    wrong
}

/// The next sorter frees the memory of ended graphs, because no call is legal where a graph ends.
pub fn give_back(shim: Shim) {
    shim.settle();
    drop(Sorter::on_device(0).unwrap());
}

/// Whether the documentation says that an error leaves slices of the host unspecified.
pub fn may_be_torn(error: &Error) -> bool {
    matches!(error, Error::HostDataLost { .. })
}

/// Kernels are compiled again.
fn empty_cache() {
    let folder = std::env::var_os("SORTSMITH_CACHE_DIR").unwrap();
    for entry in fs::read_dir(folder).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
}
