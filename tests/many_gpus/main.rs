//! Sorts over several GPUs by NCCL, a thread for each, against the oracle; and how long they take.
//!
//!     many_gpus check [what...]  all types and classes of keys, shards and shares of any lengths; or those of some types, or long ones:
//!                                `check bool u64 large`
//!     many_gpus time [what...]   beside one GPU with as many items as all have; by logarithms of the items a GPU, types of keys and values, and
//!                                classes of keys: `time 28 30 u32 f32,u32 Random`
//!     many_gpus steady           a thousand sorts, and the memory that they take
//!     many_gpus lost             a rank ends, or stalls: the others' errors
//!
//! Without GPUs it says so and passes.

#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

mod check;
mod inputs;
#[path = "../keys.rs"]
mod keys;
mod lives;
mod time;

use std::sync::{Arc, Barrier};
use std::time::Duration;

use cudarc::driver::{CudaContext, CudaStream};
use sortsmith::distributed::nccl::{Communicator, DeviceSorter, UniqueId};

const LIMIT: Duration = Duration::from_secs(60);

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|it| !it.starts_with("--")).collect();
    let gpus = (0..64).take_while(|ordinal| sortsmith::cuda_context(*ordinal).is_ok()).count();
    let id = UniqueId::new();
    if gpus > 1 && id.is_ok() {
        return run(&arguments, gpus);
    }
    println!("left out: {gpus} GPUs, {:?}", id.err());
    assert!(std::env::var_os("SORTSMITH_REQUIRE_GPU").is_none());
}

fn run(arguments: &[String], gpus: usize) {
    match arguments.first().map_or("check", String::as_str) {
        "check" => check::all(gpus, arguments.get(1..).unwrap_or(&[])),
        "time" => {
            let sizes: Vec<u32> = arguments[1..].iter().filter_map(|it| it.parse().ok()).collect();
            time::all(gpus, &sizes, &arguments[1..]);
        }
        "steady" => lives::steady(gpus),
        "lost" => lives::lost(gpus),
        other => panic!("{other} is none of check, time, steady, lost"),
    }
}

/// A rank's thread.
struct Rank {
    number: usize,
    ranks: usize,
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    barrier: Arc<Barrier>,
}

/// What each rank does, on a thread for each.
fn on_ranks<R: Send>(ranks: usize, work: impl Fn(&Rank, DeviceSorter) -> R + Sync) -> Vec<R> {
    on_ranks_within(LIMIT, ranks, work)
}

fn on_ranks_within<R: Send>(
    limit: Duration,
    ranks: usize,
    work: impl Fn(&Rank, DeviceSorter) -> R + Sync,
) -> Vec<R> {
    let (id, work, barrier) = (UniqueId::new().unwrap(), &work, Arc::new(Barrier::new(ranks)));
    let start = move |rank: usize, barrier: Arc<Barrier>| {
        let context = sortsmith::cuda_context(rank).unwrap();
        let stream = context.default_stream();
        let communicator = Communicator::new(&context, &id, rank, ranks, limit).unwrap();
        let sorter = DeviceSorter::on(&stream, communicator).unwrap();
        work(&Rank { number: rank, ranks, context, stream, barrier }, sorter)
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..ranks)
            .map(|rank| {
                let barrier = Arc::clone(&barrier);
                scope.spawn(move || start(rank, barrier))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}
