//! Ranks that hear nothing of one that has ended, calls that stay in progress, ranks that stall, and groups that another thread ends.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cudarc::driver::DriverError;
use cudarc::driver::sys::CUresult;
use libtest_mimic::Trial;
use sortsmith::distributed::nccl::{Communicator, DeviceSorter, UniqueId};
use sortsmith::distributed::{ShardError, Transport as _};

use super::DEVICES;
use super::bytes::Bytes;
use super::inject::{Group, LIMIT, Scenario};
use super::scenarios::{Join, Keys, Sort};
use crate::inject::give_back;
use crate::shim::{self, Mode, Shim};

/// The time limit that ends calls here.
const SHORT: Duration = Duration::from_secs(1);

/// A call of rank 0 that fails with a code.
type Fault = (&'static str, u64, i32, Mode);

/// NCCL's codes: of the system, and of a call in progress.
const SYSTEM: i32 = 2;
const IN_PROGRESS: i32 = 7;

/// The driver's, of an error that persists.
const ILLEGAL_ADDRESS: i32 = 700;

pub fn trials() -> Vec<Trial> {
    vec![
        trial("ranks_that_hear_nothing", || {
            silent::<Sort<Keys, 2, false>>(("ncclAllGather", 1, SYSTEM, Mode::Once));
            silent::<Sort<Keys, 2, false>>(("ncclGroupEnd", 1, SYSTEM, Mode::Once));
            silent::<Sort<Keys, 2, false>>(("cuLaunchKernel", 2, ILLEGAL_ADDRESS, Mode::Sticky));
            silent::<Bytes<false>>(("ncclSend", 1, SYSTEM, Mode::Once));
        }),
        trial("ranks_that_never_join", || {
            silent::<Join<2>>(("ncclCommInitRankConfig", 1, SYSTEM, Mode::Once));
            silent::<Join<2>>(("ncclAllGather", 1, SYSTEM, Mode::Once));
        }),
        trial("ranks_with_calls_that_stay_in_progress", || {
            silent::<Join<2>>(("nccl state", 1, IN_PROGRESS, Mode::Forever));
            silent::<Sort<Keys, 2, false>>(("nccl state", 1, IN_PROGRESS, Mode::Forever));
            silent::<Sort<Keys, 2, false>>(("nccl state", 3, IN_PROGRESS, Mode::Forever));
        }),
        trial("ranks_that_stall", stall),
        trial("ranks_without_memory", without_memory),
        trial("ranks_with_too_few_slices", too_few_slices),
        trial("ranks_with_an_error_of_another_caller", error_of_another_caller),
        trial("ranks_that_another_thread_ends", end_from_another_thread),
    ]
}

/// Runs the check in a child.
fn trial(name: &'static str, check: fn()) -> Trial {
    crate::trial(name, move || {
        if shim::is_child() {
            return check();
        }
        shim::expect_child(name, &[DEVICES]);
    })
}

/// Rank 0 fails, and nothing tells rank 1: the time limit ends its call.
fn silent<S: Scenario>((function, number, code, mode): Fault) {
    let shim = Shim::loaded();
    // Kernels stay loaded, so that ranks are not late.
    let warm = Group::<S>::new(LIMIT);
    let mut group = Group::<S>::new(SHORT);
    shim.forget();
    shim.silence(true);
    shim.fail(function, number, code, mode);
    let begin = Instant::now();
    let mut errors = Vec::new();
    for done in group.act_here() {
        errors.push(done.expect("no panic").expect_err("an error"));
    }
    let took = begin.elapsed();
    let fired = shim.fired();
    shim.heal();
    let point = format!("{function} #{number}: {errors:?} after {took:?}");
    assert!(fired > 0 && took >= SHORT && took < LIMIT / 2, "{point}");
    assert!(is_time_limit(&errors[1]), "{point}");
    assert_eq!(is_time_limit(&errors[0]), code == IN_PROGRESS, "{point}");
    assert!(matches!(errors[0], ShardError::Transport { .. }), "{point}");
    if !S::JOINS {
        for (done, error) in group.act_here().into_iter().zip(errors) {
            assert_eq!(done.expect("no panic"), Err(error), "{point}");
        }
    }
    shim.silence(false);
    drop((group, warm));
    give_back(shim);
    shim.expect_clean();
    // A new group works.
    Group::<S>::new(LIMIT).act_here().into_iter().for_each(|done| done.unwrap().unwrap());
    give_back(shim);
    shim.expect_clean();
}

fn is_time_limit(error: &ShardError) -> bool {
    matches!(error, ShardError::Transport { reason } if reason.contains("did not take part within 1 s"))
}

/// Two ranks of two devices.
fn joined(limit: Duration) -> Vec<Communicator> {
    let id = UniqueId::new().unwrap();
    super::inject::on_ranks(vec![0, 1], |rank| {
        let context = sortsmith::cuda_context(rank).unwrap();
        Communicator::new(&context, &id, rank, 2, limit).unwrap()
    })
}

/// Rank 0 makes no call: rank 1's ends by the time limit, and then rank 0's fails too.
fn stall() {
    let shim = Shim::loaded();
    shim.leave_out(true);
    for is_silent in [false, true] {
        let ranks = joined(SHORT);
        shim.silence(is_silent);
        let begin = Instant::now();
        let error = ranks[1].all_gather(&[5]).expect_err("rank 0 stalls");
        assert!(is_time_limit(&error), "{error}");
        assert_eq!(ranks[1].all_gather(&[5]), Err(error.clone()));
        let late = ranks[0].all_gather(&[5]).expect_err("rank 1 has ended");
        assert_eq!(is_time_limit(&late), is_silent, "{late}");
        assert!(begin.elapsed() < LIMIT / 2, "{:?}", begin.elapsed());
        shim.silence(false);
    }
    give_back(shim);
    shim.expect_clean();
}

/// Rank 0 has no memory for its run, or for its share: both ranks say so, and the group goes on.
fn without_memory() {
    const OUT_OF_MEMORY: i32 = 2;
    let shim = Shim::loaded();
    let mut group = Group::<Sort<Keys, 2, true>>::new(LIMIT);
    let (mut bytes, mut number) = (Vec::new(), 0);
    while bytes.len() < 2 {
        number += 1;
        shim.forget();
        shim.fail("cuMemAllocAsync", number, OUT_OF_MEMORY, Mode::Once);
        let done = group.act_here();
        shim.heal();
        let errors: Vec<_> = done.into_iter().map(|done| done.expect("no panic")).collect();
        assert_eq!(errors[0], errors[1], "{number}");
        match errors[0] {
            Err(ShardError::OutOfMemory { rank: 0, bytes: missing }) => bytes.push(missing),
            _ => panic!("{number}: {errors:?}"),
        }
    }
    group.act_here().into_iter().for_each(|done| done.unwrap().unwrap());
    assert!(bytes.iter().all(|bytes| *bytes >= 4 * 500), "{bytes:?}");
    drop(group);
    give_back(shim);
    shim.expect_clean();
}

/// Rank 1 has not one slice for each rank: both are out of step.
fn too_few_slices() {
    let shim = Shim::loaded();
    shim.leave_out(true);
    for [sent, received] in [[1, 2], [3, 2], [2, 1], [2, 3], [0, 0]] {
        let ranks = joined(LIMIT);
        let errors = super::inject::on_ranks(ranks.iter().enumerate().collect(), |(rank, it)| {
            let [sent, received] = if rank == 1 { [sent, received] } else { [2, 2] };
            let mut buffers = vec![[0; 4]; received];
            let mut received: Vec<_> = buffers.iter_mut().map(<[u8; 4]>::as_mut_slice).collect();
            it.all_to_all(&vec![&[5; 4][..]; sent], &mut received)
        });
        assert_eq!(errors, [const { Err(ShardError::OutOfStep { rank: 1 }) }; 2]);
    }
    give_back(shim);
    shim.expect_clean();
}

/// cudarc has recorded an error of something else in the context of rank 0. Exchanges leave it there; a sort cannot tell it from one of its slices,
/// and has it as rank 0's, and the group goes on.
fn error_of_another_caller() {
    let shim = Shim::loaded();
    shim.leave_out(true);
    let recorded = DriverError(CUresult::CUDA_ERROR_UNKNOWN);
    let sorted = super::inject::on_ranks(joined(LIMIT), |communicator| {
        let (rank, context) = (communicator.rank(), Arc::clone(communicator.context()));
        let record = || {
            if rank == 0 {
                context.record_err::<()>(Err(recorded));
            }
        };
        record();
        assert_eq!(communicator.all_gather(&[7]), Ok(vec![7, 7]));
        assert_eq!(context.check_err().is_err(), rank == 0);
        let stream = context.default_stream();
        let shard = stream.clone_htod(&[rank as u32; 9]).unwrap();
        let sorter = DeviceSorter::on(&stream, communicator).unwrap();
        record();
        let error = sorter.sort(&shard).map(|_| ()).expect_err("an error of rank 0");
        assert!(matches!(error, ShardError::Rank { rank: 0, .. }), "{error}");
        assert!(context.check_err().is_ok());
        sorter.sort(&shard).map(|share| share.len())
    });
    assert_eq!(sorted, [Ok(9), Ok(9)]);
    give_back(shim);
    shim.expect_clean();
}

/// A thread ends the group while another one waits for ranks, and while none does.
fn end_from_another_thread() {
    let shim = Shim::loaded();
    shim.leave_out(true);
    let wanted = ShardError::Transport { reason: "no more".to_owned() };
    let other = ShardError::Transport { reason: "another".to_owned() };
    for waits in [true, false] {
        let ranks = joined(LIMIT);
        let begin = Instant::now();
        std::thread::scope(|scope| {
            let wait = || {
                shim.leave_out(true);
                ranks[1].all_gather(&[5])
            };
            let waiting = waits.then(|| scope.spawn(wait));
            std::thread::sleep(Duration::from_millis(100));
            ranks[1].abort(wanted.clone());
            if let Some(waiting) = waiting {
                assert_eq!(waiting.join().expect("no panic"), Err(wanted.clone()));
            }
        });
        ranks[1].abort(other.clone());
        assert_eq!(ranks[1].all_gather(&[5]), Err(wanted.clone()));
        assert_eq!(ranks[1].all_to_all(&[&[], &[]], &mut [&mut [], &mut []]), Err(wanted.clone()));
        let error = ranks[0].all_gather(&[5]).expect_err("rank 1 has ended");
        assert!(matches!(error, ShardError::Transport { .. }), "{error}");
        assert!(begin.elapsed() < LIMIT / 2, "{:?}", begin.elapsed());
    }
    give_back(shim);
    shim.expect_clean();
}
