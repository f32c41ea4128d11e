//! A scenario of ranks with a fault in each call of rank 0.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cudarc::driver::CudaContext;
use sortsmith::distributed::ShardError;
use sortsmith::distributed::nccl::{Communicator, UniqueId};

use crate::inject::{Counts, Point, give_back, ways};
use crate::leaks::{self, Cudarcs};
use crate::shim::Shim;

/// The time limit of groups, which no rank comes to.
pub const LIMIT: Duration = Duration::from_secs(30);

/// A rank, and what it joins its group by.
#[derive(Clone, Copy, Debug)]
pub struct Membership {
    pub id: UniqueId,
    pub rank: usize,
    pub ranks: usize,
    pub limit: Duration,
}

/// Joins a group, on a device of the rank's own.
pub fn join(membership: &Membership) -> (Arc<CudaContext>, Communicator) {
    let Membership { id, rank, ranks, limit } = *membership;
    let context = sortsmith::cuda_context(rank).unwrap();
    let communicator = Communicator::new(&context, &id, rank, ranks, limit).unwrap();
    (context, communicator)
}

/// What a rank does. Each run has a new group.
pub trait Scenario: Send + Sized {
    const RANKS: usize;

    /// Whether each call makes a group of its own.
    const JOINS: bool = false;

    /// Whether the calls load kernels.
    const IS_FIRST: bool = false;

    /// Whether work of the calls stays in its stream until a call waits for it.
    const DEFERS: bool = false;

    /// The state before faults begin.
    fn prepare(membership: &Membership) -> Self;

    /// The calls that may fail, in a group or of a new one.
    fn act(&mut self, membership: &Membership) -> Result<(), ShardError>;

    /// The rank's context.
    fn context(&self) -> &CudaContext;

    /// The bytes that the calls have made.
    fn outcome(&self) -> Vec<u8>;

    /// Whether the shard is unchanged.
    fn is_unchanged(&self) -> bool;
}

/// The counts of a scenario.
#[derive(Clone, Debug, Default)]
pub struct OfRanks {
    counts: Counts,
    /// Points that are calls of NCCL.
    nccl: u64,
    /// Errors of rank 0 alone, when rank 1 had all that it gets.
    alone: u64,
}

impl OfRanks {
    pub fn add(&mut self, other: &Self) {
        self.counts.add(&other.counts);
        self.nccl += other.nccl;
        self.alone += other.alone;
    }
}

impl fmt::Display for OfRanks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { counts, nccl, alone } = self;
        write!(f, "{counts}, {nccl} points of NCCL, {alone} errors of rank 0 alone")
    }
}

impl FromStr for OfRanks {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |part: &str| part.split(' ').next().unwrap_or_default().parse();
        let mut last = text.rsplit(", ").map(number);
        let (alone, nccl) = (last.next().unwrap()?, last.next().unwrap()?);
        Ok(Self { counts: text.parse()?, nccl, alone })
    }
}

/// What each rank's call has returned, or its panic.
type Done = Vec<Result<Result<(), ShardError>, Box<dyn Any + Send>>>;

/// The states of all ranks.
pub struct Group<S> {
    memberships: Vec<Membership>,
    states: Vec<S>,
}

fn memberships<S: Scenario>(limit: Duration) -> Vec<Membership> {
    let id = UniqueId::new().unwrap();
    (0..S::RANKS).map(|rank| Membership { id, rank, ranks: S::RANKS, limit }).collect()
}

/// Does this on each rank: on rank 0 here, on the others in threads that the stand-in does not count.
pub fn on_ranks<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let work = &work;
    std::thread::scope(|scope| {
        let mut items = items.into_iter();
        let first = items.next();
        let others: Vec<_> = items
            .map(|item| {
                scope.spawn(move || {
                    Shim::loaded().leave_out(true);
                    work(item)
                })
            })
            .collect();
        let first = first.map(work);
        first.into_iter().chain(others.into_iter().map(|it| it.join().unwrap())).collect()
    })
}

impl<S: Scenario> Group<S> {
    pub fn new(limit: Duration) -> Self {
        let memberships = memberships::<S>(limit);
        let states = on_ranks(memberships.clone(), |membership| S::prepare(&membership));
        Self { memberships, states }
    }

    /// The calls of all ranks.
    pub fn act(&mut self) -> Done {
        if S::JOINS {
            self.memberships = memberships::<S>(self.memberships[0].limit);
        }
        self.act_here()
    }

    /// The same, with the memberships that there are.
    pub fn act_here(&mut self) -> Done {
        if S::DEFERS {
            Shim::loaded().defer(true);
        }
        let items: Vec<_> = self.states.iter_mut().zip(&self.memberships).collect();
        on_ranks(items, |(state, membership)| {
            let done = panic::catch_unwind(AssertUnwindSafe(|| state.act(membership)));
            if !matches!(done, Ok(Ok(()))) {
                Shim::loaded().lose_rank(membership.id.as_bytes());
            }
            done
        })
    }

    fn outcomes(&self) -> Vec<Vec<u8>> {
        self.states.iter().map(S::outcome).collect()
    }
}

/// Runs a scenario once for each call of rank 0 and each way to fail. Panics with the list of complaints.
pub fn run<S: Scenario>() -> OfRanks {
    let shim = Shim::loaded();
    let (calls, outcomes) = without_a_fault::<S>(shim);
    let last_part = calls.iter().rposition(|call| is_part(call)).unwrap_or(0);
    let mut numbers: BTreeMap<&str, u64> = BTreeMap::new();
    let mut counts = OfRanks::default();
    let mut wrong = Vec::new();
    // Kernels that the calls do not load stay loaded.
    let _warm = (!S::IS_FIRST).then(|| Group::<S>::new(LIMIT));
    for (at, function) in calls.iter().enumerate() {
        let number = numbers.entry(function).or_default();
        *number += 1;
        counts.counts.points += 1;
        counts.nccl += u64::from(function.starts_with("nccl"));
        for (code, mode) in ways(function) {
            let point = Point { function: function.clone(), number: *number, code, mode };
            counts.counts.injections += 1;
            let faulty =
                Faulty { shim, point: &point, outcomes: &outcomes, all_need: at <= last_part };
            let complaints = faulty.run::<S>(&mut counts);
            wrong.extend(complaints.into_iter().map(|complaint| format!("{point}: {complaint}")));
        }
    }
    assert!(wrong.is_empty(), "{counts}; {} went wrong:\n{}", wrong.len(), wrong.join("\n"));
    let mut last = Group::<S>::new(LIMIT);
    last.act_here().into_iter().for_each(|done| done.unwrap().unwrap());
    end_work::<S>(shim);
    assert!(last.outcomes() == outcomes, "the last group makes something else");
    counts
}

/// Does what is left in streams.
fn end_work<S: Scenario>(shim: Shim) {
    if S::DEFERS {
        shim.defer(false);
    }
}

/// Whether other ranks wait for a call.
fn is_part(call: &str) -> bool {
    matches!(call, "ncclCommInitRankConfig" | "ncclAllGather" | "ncclAllReduce" | "ncclGroupEnd")
}

/// The calls of rank 0 and the outcomes of a run without a fault. The first of them has calls that a process makes once.
fn without_a_fault<S: Scenario>(shim: Shim) -> (Vec<String>, Vec<Vec<u8>>) {
    let mut last: Option<(Vec<String>, _)> = None;
    for run in 0..3 {
        let mut group = Group::<S>::new(LIMIT);
        shim.forget();
        group.act_here().into_iter().for_each(|done| done.unwrap().unwrap());
        let calls = shim.trace();
        end_work::<S>(shim);
        let outcomes = group.outcomes();
        group.act().into_iter().for_each(|done| done.unwrap().unwrap());
        end_work::<S>(shim);
        assert!(group.outcomes() == outcomes, "the same call makes something else");
        assert!(group.states.iter().all(S::is_unchanged));
        drop(group);
        give_back(shim);
        shim.expect_clean();
        if let Some((before, _)) = last.filter(|_| run > 1) {
            assert_eq!(before, calls, "rank 0 makes other calls");
        }
        last = Some((calls, outcomes));
    }
    last.unwrap()
}

/// One run with a fault.
struct Faulty<'a> {
    shim: Shim,
    point: &'a Point,
    outcomes: &'a [Vec<u8>],
    /// Whether other ranks need what rank 0 does from the point on.
    all_need: bool,
}

impl Faulty<'_> {
    /// Returns the complaints.
    fn run<S: Scenario>(&self, counts: &mut OfRanks) -> Vec<String> {
        let Self { shim, point, .. } = *self;
        let (before, violations) = (shim.unfreed(), shim.violations().len());
        let mut group = Group::<S>::new(LIMIT);
        shim.forget();
        shim.fail(&point.function, point.number, point.code, point.mode);
        let begin = Instant::now();
        let done = group.act_here();
        let took = begin.elapsed();
        let is_fired = shim.fired() > 0;
        let cudarcs = Cudarcs::of_fault(shim);
        shim.heal();
        if S::DEFERS && done.iter().any(|done| matches!(done, Ok(Err(_)))) {
            // What is left in streams is done when all is dropped.
            group.states.clear();
        }
        end_work::<S>(shim);
        let mut wrong = Vec::new();
        if took > LIMIT / 2 {
            wrong.push(format!("it took {took:?}"));
        }
        if !is_fired {
            wrong.push("there was no such call".to_owned());
        }
        let errors = self.check(&group, done, counts, &mut wrong);
        self.check_again(&mut group, &errors, counts, &mut wrong);
        drop(group);
        give_back(shim);
        let after = shim.unfreed();
        let leaks = leaks::beside(cudarcs, &before, &after);
        if !leaks.is_empty() {
            counts.counts.leaks += 1;
            wrong.push(format!("a leak: {leaks:?} beside what cudarc loses, {cudarcs:?}"));
        } else if after != before {
            counts.counts.lost_slices += 1;
        }
        wrong.extend(shim.violations().drain(violations..));
        wrong
    }

    /// Complaints about the call that met the fault. Returns the errors of the ranks.
    fn check<S: Scenario>(
        &self,
        group: &Group<S>,
        done: Done,
        counts: &mut OfRanks,
        wrong: &mut Vec<String>,
    ) -> Vec<Option<ShardError>> {
        let mut errors = Vec::new();
        for (rank, done) in done.into_iter().enumerate() {
            let state = group.states.get(rank);
            if let Some(Err(error)) = state.map(|state| state.context().check_err()) {
                wrong.push(format!("cudarc still has an error of rank {rank}: {error}"));
            }
            let is_wrong = || state.is_some_and(|state| state.outcome() != self.outcomes[rank]);
            match done {
                Err(_) => {
                    counts.counts.panics += 1;
                    wrong.push(format!("a panic of rank {rank}"));
                }
                Ok(Ok(())) if is_wrong() => {
                    wrong.push(format!("a wrong result of rank {rank}"));
                }
                Ok(done) => {
                    errors.push(done.err());
                    continue;
                }
            }
            errors.push(None);
        }
        if !group.states.iter().all(S::is_unchanged) {
            wrong.push("a shard has changed".to_owned());
        }
        counts.counts.errors += u64::from(errors[0].is_some());
        match &errors[..] {
            [Some(error), None] if self.all_need => {
                wrong.push(format!("rank 0 alone has an error: {error}"));
            }
            [Some(_), None] => counts.alone += 1,
            [None, Some(error)] => wrong.push(format!("rank 1 alone has an error: {error}")),
            [Some(first), Some(second)] if !ends(first) && first != second => {
                wrong.push(format!("errors differ: {first}; {second}"));
            }
            _ => {}
        }
        errors
    }

    /// Complaints about the next call, without a fault.
    fn check_again<S: Scenario>(
        &self,
        group: &mut Group<S>,
        errors: &[Option<ShardError>],
        counts: &mut OfRanks,
        wrong: &mut Vec<String>,
    ) {
        let has_ended = !S::JOINS && errors.iter().flatten().any(ends);
        let again = group.act();
        end_work::<S>(self.shim);
        for (rank, again) in again.into_iter().enumerate() {
            match again {
                Err(_) => {
                    counts.counts.panics += 1;
                    wrong.push(format!("a panic of rank {rank} in the next call"));
                }
                Ok(Ok(())) if has_ended => {
                    wrong.push(format!("the next call of rank {rank} does not fail"));
                }
                Ok(Ok(())) if group.states[rank].outcome() != self.outcomes[rank] => {
                    wrong.push(format!("the next call of rank {rank} makes something else"));
                }
                Ok(Err(error)) if !has_ended => {
                    wrong.push(format!(
                        "the next call of rank {rank} fails: {error}; before it {errors:?}"
                    ));
                }
                Ok(Err(error)) if errors[rank].as_ref().is_some_and(|first| *first != error) => {
                    wrong.push(format!("another error of rank {rank}: {error}; {errors:?}"));
                }
                Ok(_) => {}
            }
        }
    }
}

/// Whether the documentation says that the group has ended after this error.
fn ends(error: &ShardError) -> bool {
    matches!(
        error,
        ShardError::Lost { .. }
            | ShardError::TimedOut { .. }
            | ShardError::Length { .. }
            | ShardError::OutOfStep { .. }
            | ShardError::Transport { .. }
    )
}
