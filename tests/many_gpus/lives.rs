//! Many sorts in succession, and ranks that end.

use std::time::{Duration, Instant};

use sortsmith::distributed::ShardError;

use crate::inputs::{Input, filled};
use crate::{LIMIT, on_ranks, on_ranks_within};

/// A thousand sorts of changing lengths, and the memory that they take.
pub fn steady(gpus: usize) {
    let grown = on_ranks(gpus, |rank, sorter| {
        let keys = filled::<u32>(
            &rank.stream,
            Input::Random,
            (rank.number << 22) as u64,
            1 << 22,
            1 << 24,
        );
        let mut least_free = Vec::new();
        for round in 0..1000usize {
            let n = (1 << 22) - (round * 7919 + rank.number * 104_729) % (1 << 21);
            let share = sorter.sort(&keys.slice(0..n)).unwrap();
            drop(share);
            if round % 100 == 99 {
                rank.stream.synchronize().unwrap();
                least_free.push(rank.context.mem_get_info().unwrap().0);
            }
        }
        least_free
    });
    println!("free memory each 100 sorts: {grown:?}");
    for free in &grown {
        assert!(free[1] <= free[free.len() - 1] + (64 << 20), "{free:?}");
    }
}

/// A rank that ends, and one that stalls.
pub fn lost(gpus: usize) {
    for stalls in [false, true] {
        let begin = Instant::now();
        let results = on_ranks_within(Duration::from_secs(3), gpus, |rank, sorter| {
            let keys = filled::<u32>(&rank.stream, Input::Random, 0, 1 << 24, 1 << 24);
            sorter.sort(&keys).unwrap();
            rank.barrier.wait();
            if rank.number + 1 == rank.ranks {
                if stalls {
                    std::thread::sleep(Duration::from_secs(6));
                    return sorter.sort(&keys).map(|_| ());
                }
                drop(sorter);
                return Err(ShardError::Lost { rank: rank.number });
            }
            let error = sorter.sort(&keys).map(|_| ());
            let again = sorter.sort(&keys).map(|_| ());
            assert_eq!(again, error);
            // The shard is as it was, and the device works.
            assert_eq!(rank.stream.clone_dtoh(&keys.slice(0..1)).unwrap().len(), 1);
            error
        });
        println!("stalls: {stalls}, {results:?}, {:?}", begin.elapsed());
        assert!(results.iter().all(Result::is_err) && begin.elapsed() < LIMIT);
    }
}
