//! All requested cases, within a budget, into a file that is complete at any moment.

use std::path::PathBuf;
use std::time::Duration;

use sortsmith_codegen::device::DeviceAlgorithm;
use sortsmith_codegen::tuning::Case;
use sortsmith_codegen::tuning::file::{Row, TuningError, TuningFile};

use crate::bench::{Bench, points};
use crate::search::{Ended, FINAL_REPETITIONS, Found, Pair, Watch, duel, search};

/// A row that is slower than the built-in one by more than this at some point is wrong.
pub const TOLERANCE: f64 = 0.02;

/// A point that is slower by more is measured this number of times before that is believed, each time twice as often.
const TRIES: u32 = 3;

/// What to tune, and where it is kept.
#[derive(Clone, Debug)]
pub struct Request {
    /// The cases, in this order.
    pub cases: Vec<Case>,
    /// The time for all of them.
    pub budget: Duration,
    /// Shapes of this algorithm alone are tried, if it is named.
    pub only: Option<DeviceAlgorithm>,
    /// Cases that the file has are searched anew.
    pub again: bool,
    /// A file that is no tuning file is overwritten.
    pub force: bool,
    /// The file.
    pub path: PathBuf,
    /// Today, such as `2026-11-22`.
    pub date: String,
}

/// An observer of a run.
pub trait Audience: Watch {
    /// A case begins: its number, and that of all cases.
    fn begin(&mut self, number: usize, all: usize, case: &Case);

    /// It has ended, and is in the file.
    fn found(&mut self, case: &Case, found: &Found);

    /// A message for the user.
    fn note(&mut self, words: &str);
}

/// What a run did.
#[derive(Debug, Default)]
pub struct Done {
    /// What was found.
    pub found: Vec<(Case, Found)>,
    /// Cases that the file had already.
    pub known: usize,
    /// Cases that no time was left for.
    pub left: Vec<Case>,
}

/// Why a run ended early. What was found before that is in the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// A search ended.
    #[error(transparent)]
    Ended(#[from] Ended),
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] TuningError),
}

/// The file to go on with: what is there, if it is of this GPU and this version, else an empty one.
fn open(
    bench: &dyn Bench,
    request: &Request,
    audience: &mut dyn Audience,
) -> Result<TuningFile, TuningError> {
    let empty = || TuningFile::of(bench.gpu().clone());
    match TuningFile::read(&request.path, bench.gpu()) {
        Ok(file) => {
            if !file.stale.is_empty() {
                let names = file.stale.join(", ");
                audience.note(&format!("searched anew, for their source has changed: {names}"));
            }
            Ok(TuningFile { stale: Vec::new(), ..file })
        }
        Err(TuningError::Read { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            Ok(empty())
        }
        Err(error @ (TuningError::Damaged { .. } | TuningError::Outdated { .. })) => {
            audience.note(&format!("all is searched anew: {error}"));
            Ok(empty())
        }
        // That of another GPU is still of use there, and what is no tuning file is not ours.
        Err(TuningError::Foreign { .. } | TuningError::NoTuning { .. }) if request.force => {
            Ok(empty())
        }
        Err(error) => Err(error),
    }
}

/// Writes the file, with the rows that another tuner has written meanwhile: of all cases but those that this one has found.
fn write(
    file: &mut TuningFile,
    found: &[(Case, Found)],
    request: &Request,
) -> Result<(), TuningError> {
    // What cannot be read is overwritten, as it was to be when the run began.
    if let Ok(there) = TuningFile::read(&request.path, &file.gpu) {
        let is_own = |row: &Row| found.iter().any(|(case, _)| *case == row.case);
        there.rows.into_iter().filter(|row| !is_own(row)).for_each(|row| file.set(row));
    }
    file.write(&request.path)
}

/// Tunes: after each case the file is written.
pub fn tune(
    bench: &mut dyn Bench,
    request: &Request,
    audience: &mut dyn Audience,
) -> Result<Done, RunError> {
    let mut file = open(bench, request, audience)?;
    let is_known = |case: &&Case| !request.again && file.row(case).is_some();
    let (known, cases): (Vec<&Case>, Vec<&Case>) = request.cases.iter().partition(is_known);
    let mut done = Done { known: known.len(), ..Done::default() };
    let end = bench.elapsed() + request.budget;
    // That the file can be written is found out before anything is measured.
    write(&mut file, &done.found, request)?;
    for (number, case) in cases.iter().enumerate() {
        let now = bench.elapsed();
        let Some(left) = end.checked_sub(now).filter(|left| !left.is_zero()) else {
            done.left = cases[number..].iter().map(|case| **case).collect();
            break;
        };
        let share = left.div_f64((cases.len() - number) as f64);
        audience.begin(number + 1, cases.len(), case);
        let found = match search(bench, **case, request.only, now + share, audience) {
            Ok(found) => found,
            Err(error @ Ended::NoMemory(_)) => {
                audience.note(&format!("left out: {error}"));
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        let (kernel, built_in, ratio) = (found.kernel, found.built_in, found.ratio());
        file.set(Row { case: **case, kernel, built_in, ratio, date: request.date.clone() });
        done.found.push((**case, found));
        write(&mut file, &done.found, request)?;
        if let Some((case, found)) = done.found.last() {
            audience.found(case, found);
        }
    }
    Ok(done)
}

/// A row that was measured once more.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The row.
    pub row: Row,
    /// Its times; none where it is the built-in one.
    pub pairs: Vec<Pair>,
}

impl Verified {
    /// The least of how many times as fast as the built-in one.
    pub fn least(&self) -> f64 {
        self.pairs.iter().map(Pair::ratio).fold(f64::INFINITY, f64::min)
    }

    /// Whether it is slower by more than is tolerated.
    pub fn is_slow(&self) -> bool {
        self.least() < 1.0 - TOLERANCE
    }
}

/// Measures rows beside the built-in ones. A point that comes out as too slow is measured again, for a machine may be
/// disturbed.
pub fn verify(
    bench: &mut dyn Bench,
    rows: &[Row],
    watch: &mut dyn Audience,
) -> Result<Vec<Verified>, Ended> {
    let mut all = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        watch.begin(number + 1, rows.len(), &row.case);
        let mut pairs = Vec::new();
        if row.kernel != row.built_in {
            let specs = [row.built_in, row.kernel];
            let refusals = bench.compile(&row.case, &specs)?;
            if let Some(refusal) = refusals.into_iter().next() {
                let (spec, reason) = (refusal.spec.to_string(), refusal.reason);
                return Err(Ended::Refused { spec, reason });
            }
            for point in points(bench, &row.case).ok_or(Ended::NoMemory(row.case))? {
                if watch.is_over() {
                    return Err(Ended::Stopped);
                }
                let mut best: Option<Pair> = None;
                for attempt in 0..TRIES {
                    let repetitions = FINAL_REPETITIONS << attempt;
                    let pair = duel(bench, &row.case, specs, &[point], repetitions)?;
                    best =
                        best.into_iter().chain(pair).max_by(|a, b| a.ratio().total_cmp(&b.ratio()));
                    if best.is_some_and(|pair| pair.ratio() >= 1.0 - TOLERANCE) {
                        break;
                    }
                }
                pairs.extend(best);
            }
        }
        all.push(Verified { row: row.clone(), pairs });
    }
    Ok(all)
}
