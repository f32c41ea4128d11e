//! The search of one case: successive halving, and a final beside the built-in shape.

use std::time::Duration;

use sortsmith_codegen::device::{DeviceAlgorithm, DeviceSpec};
use sortsmith_codegen::tuning::Case;

use crate::bench::{Bench, BenchError, Point, points};

/// A shape is kept if it is at least this many times as fast as the built-in one, over all points.
pub const LEAST_GAIN: f64 = 1.02;

/// And on no point less than this many times.
pub const LEAST_AT_A_POINT: f64 = 0.99;

/// Shapes that come to the final, beside the built-in one.
const FINALISTS: usize = 3;

/// Repetitions of the first round; of each one after it twice as many.
const FIRST_REPETITIONS: u32 = 3;

/// Repetitions of the final.
pub const FINAL_REPETITIONS: u32 = 21;

/// Shares of a case's time: until then kernels are compiled, and rounds are measured.
const COMPILING: f64 = 0.4;
const HALVING: f64 = 0.75;

/// What a search is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// The number of candidates that are compiled, and of all.
    Compiling {
        /// Done.
        done: usize,
        /// Of these.
        all: usize,
    },
    /// The number of candidates left in this round.
    Halving {
        /// From 1 on.
        round: u32,
        /// Left.
        left: usize,
    },
    /// The final, at the point of this number.
    Final {
        /// From 1 on.
        point: usize,
        /// Of these.
        all: usize,
    },
}

/// An observer of a search, which may stop it.
pub trait Watch {
    /// Receives each step.
    fn step(&mut self, elapsed: Duration, step: Step);

    /// Whether to stop.
    fn is_over(&self) -> bool;
}

/// Why a search ended without a result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Ended {
    /// The observer stopped it.
    #[error("interrupted")]
    Stopped,
    /// Nothing more can be measured.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// Kernels cannot be had that there must be: the built-in ones, or those of a row.
    #[error("the kernels of {spec} cannot be had: {reason}")]
    Refused {
        /// Its name.
        spec: String,
        /// Why.
        reason: String,
    },
    /// There is not even memory for the fewest items.
    #[error("no memory for the fewest items of {0}")]
    NoMemory(Case),
    /// Two kernels differ in what they write, which is a defect of this program.
    #[error("{spec} does not write what {built_in} writes, of {point}")]
    Differs {
        /// The one.
        spec: String,
        /// The other.
        built_in: String,
        /// Of what.
        point: Point,
    },
}

/// Times at one point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The point.
    pub point: Point,
    /// Milliseconds of the built-in spec, the median.
    pub built_in: f64,
    /// The milliseconds of the other spec.
    pub kernel: f64,
    /// The larger relative spread of both: half the distance between the quartiles over the median.
    pub relative_spread: f64,
}

impl Pair {
    /// How many times as fast as the built-in one.
    pub fn ratio(&self) -> f64 {
        self.built_in / self.kernel
    }

    fn of(point: Point, built_in: &[f64], kernel: &[f64]) -> Self {
        let relative_spread = relative_spread(built_in).max(relative_spread(kernel));
        let [built_in, kernel] = [built_in, kernel].map(|times| quantile(times, 0.5));
        Self { point, built_in, kernel, relative_spread }
    }
}

/// What was found for a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The spec to use.
    pub kernel: DeviceSpec,
    /// The built-in one; the same if nothing is faster.
    pub built_in: DeviceSpec,
    /// Times of both in the final; of the built-in one and the best other one where it is kept.
    pub pairs: Vec<Pair>,
    /// How many were compiled and measured.
    pub tried: usize,
    /// Why the best other one was not kept.
    pub kept_for: Option<String>,
}

impl Found {
    /// How many times as fast as the built-in spec, over all points; 1 if that is kept.
    pub fn ratio(&self) -> f64 {
        if self.kernel == self.built_in { 1.0 } else { mean_ratio(&self.pairs) }
    }
}

/// Geometric.
fn mean_ratio(pairs: &[Pair]) -> f64 {
    let logs: f64 = pairs.iter().map(|pair| pair.ratio().ln()).sum();
    (logs / pairs.len().max(1) as f64).exp()
}

/// Linear between two neighbours; not a number of no times.
fn quantile(milliseconds: &[f64], share: f64) -> f64 {
    let mut sorted = milliseconds.to_vec();
    sorted.sort_by(f64::total_cmp);
    let position = share * sorted.len().saturating_sub(1) as f64;
    let at = |position: f64| sorted.get(position as usize).copied().unwrap_or(f64::NAN);
    let (low, high) = (at(position.floor()), at(position.ceil()));
    low + (high - low) * position.fract()
}

fn relative_spread(milliseconds: &[f64]) -> f64 {
    let quartiles = [0.25, 0.75].map(|share| quantile(milliseconds, share));
    (quartiles[1] - quartiles[0]) / 2.0 / quantile(milliseconds, 0.5)
}

/// Times of the built-in spec and another, measured alternately, at each point.
pub fn duel(
    bench: &mut dyn Bench,
    case: &Case,
    [built_in, kernel]: [DeviceSpec; 2],
    points: &[Point],
    repetitions: u32,
) -> Result<Vec<Pair>, BenchError> {
    let pair = |point: &Point| {
        let times = bench.measure(case, &[built_in, kernel], *point, repetitions)?;
        Ok(Pair::of(*point, &times[0], &times[1]))
    };
    points.iter().map(pair).collect()
}

/// A search under way.
struct Search<'a> {
    bench: &'a mut dyn Bench,
    watch: &'a mut dyn Watch,
    case: Case,
    /// The built-in spec first.
    candidates: Vec<DeviceSpec>,
    points: Vec<Point>,
    begin: Duration,
    time: Duration,
}

/// Searches a case until about the time that the bench's clock shows then: among shapes of one algorithm, if it is named, beside the
/// built-in one.
pub fn search(
    bench: &mut dyn Bench,
    case: Case,
    only: Option<DeviceAlgorithm>,
    until: Duration,
    watch: &mut dyn Watch,
) -> Result<Found, Ended> {
    let points = points(bench, &case).ok_or(Ended::NoMemory(case))?;
    let mut candidates = case.candidates(bench.gpu().device());
    let built_in = candidates[0];
    candidates.retain(|it| *it == built_in || only.is_none_or(|only| it.algorithm == only));
    let begin = bench.elapsed();
    let time = until.saturating_sub(begin);
    let mut search = Search { bench, watch, case, candidates, points, begin, time };
    let compiled = search.compile()?;
    let tried = compiled.len() - 1;
    let (built_in, others) = (compiled[0], compiled[1..].to_vec());
    let finalists = search.halve(others)?;
    search.decide(built_in, &finalists, tried)
}

impl Search<'_> {
    /// Whether this share of the time is over.
    fn is_past(&self, share: f64) -> bool {
        self.bench.elapsed() >= self.begin + self.time.mul_f64(share)
    }

    fn step(&mut self, step: Step) -> Result<(), Ended> {
        self.watch.step(self.bench.elapsed(), step);
        if self.watch.is_over() { Err(Ended::Stopped) } else { Ok(()) }
    }

    /// The specs that have kernels, the built-in one first. Of the others as many as there is time for, at least some.
    fn compile(&mut self) -> Result<Vec<DeviceSpec>, Ended> {
        let candidates = self.candidates.clone();
        let jobs = self.bench.jobs(&self.case).max(2);
        let mut compiled = Vec::new();
        for (done, specs) in candidates.chunks(jobs).enumerate() {
            if !compiled.is_empty() && self.is_past(COMPILING) {
                break;
            }
            self.step(Step::Compiling { done: done * jobs, all: candidates.len() })?;
            let refusals = self.bench.compile(&self.case, specs)?;
            if let Some(refusal) = refusals.iter().find(|refusal| refusal.spec == candidates[0]) {
                let (spec, reason) = (refusal.spec.to_string(), refusal.reason.clone());
                return Err(Ended::Refused { spec, reason });
            }
            let is_there =
                |spec: &&DeviceSpec| refusals.iter().all(|refusal| refusal.spec != **spec);
            compiled.extend(specs.iter().filter(is_there));
        }
        Ok(compiled)
    }

    /// The fastest ones, the fastest first.
    fn halve(&mut self, mut left: Vec<DeviceSpec>) -> Result<Vec<DeviceSpec>, Ended> {
        let (mut round, mut repetitions) = (1, FIRST_REPETITIONS);
        while left.len() > FINALISTS {
            let mut timed = Vec::new();
            for spec in &left {
                if timed.len() >= FINALISTS && self.is_past(HALVING) {
                    break;
                }
                self.step(Step::Halving { round, left: left.len() - timed.len() })?;
                let sorts =
                    self.bench.measure(&self.case, &[*spec], self.points[0], repetitions)?;
                timed.push((quantile(&sorts[0], 0.5), *spec));
            }
            let is_short = timed.len() < left.len();
            timed.sort_by(|(a, _), (b, _)| a.total_cmp(b));
            let keep = if is_short { FINALISTS } else { (timed.len() / 2).max(FINALISTS) };
            left = timed.into_iter().take(keep).map(|(_, spec)| spec).collect();
            // What was fast in the round before comes first in this one.
            round += 1;
            repetitions *= 2;
        }
        Ok(left)
    }

    /// The final: all specs alternately at all points. What is kept leaves what the built-in spec leaves, bit for bit.
    fn decide(
        &mut self,
        built_in: DeviceSpec,
        finalists: &[DeviceSpec],
        tried: usize,
    ) -> Result<Found, Ended> {
        let specs: Vec<DeviceSpec> =
            std::iter::once(built_in).chain(finalists.iter().copied()).collect();
        let mut pairs = vec![Vec::new(); finalists.len()];
        let points = self.points.clone();
        for (number, point) in points.iter().enumerate() {
            self.step(Step::Final { point: number + 1, all: points.len() })?;
            let times = self.bench.measure(&self.case, &specs, *point, FINAL_REPETITIONS)?;
            for (pairs, of_spec) in pairs.iter_mut().zip(&times[1..]) {
                pairs.push(Pair::of(*point, &times[0], of_spec));
            }
        }
        let mut ranking: Vec<(DeviceSpec, Vec<Pair>)> =
            finalists.iter().copied().zip(pairs).collect();
        ranking.sort_by(|(_, a), (_, b)| mean_ratio(b).total_cmp(&mean_ratio(a)));
        let kept = |pairs, kept_for| {
            Ok(Found { kernel: built_in, built_in, pairs, tried, kept_for: Some(kept_for) })
        };
        let Some((_, best)) = ranking.first().cloned() else {
            return kept(Vec::new(), "no other spec could be compiled in time".to_owned());
        };
        let Some((kernel, pairs)) = ranking.into_iter().find(|(_, pairs)| doubt(pairs).is_none())
        else {
            let reason = doubt(&best).unwrap_or_default();
            return kept(best, reason);
        };
        // The fewest items show any difference as the most do, and are there sooner.
        for point in points.iter().filter(|point| point.n == points[points.len() - 1].n) {
            if !self.bench.agree(&self.case, [built_in, kernel], *point)? {
                let (spec, built_in) = (kernel.to_string(), built_in.to_string());
                return Err(Ended::Differs { spec, built_in, point: *point });
            }
        }
        Ok(Found { kernel, built_in, pairs, tried, kept_for: None })
    }
}

/// Why a spec of these times is not to be kept, if there is a reason.
fn doubt(pairs: &[Pair]) -> Option<String> {
    let mean = mean_ratio(pairs);
    let slowest = pairs.iter().min_by(|a, b| a.ratio().total_cmp(&b.ratio()))?;
    let sum: f64 = pairs.iter().map(|pair| pair.relative_spread).sum();
    let relative_spread = sum / pairs.len() as f64;
    if mean.is_nan() || mean < LEAST_GAIN {
        Some(format!("the best other one is {mean:.3} times as fast"))
    } else if slowest.ratio() < LEAST_AT_A_POINT {
        let (ratio, point) = (slowest.ratio(), slowest.point);
        Some(format!("{mean:.3} times as fast, but {ratio:.3} times of {point}"))
    } else if mean - 1.0 < relative_spread {
        Some(format!(
            "{mean:.3} times as fast, which is within their relative spread of {relative_spread:.3}"
        ))
    } else {
        None
    }
}
