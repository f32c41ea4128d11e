//! Sorts an array that lies over the GPUs of this machine, a thread for each.
//!
//! ```sh
//! cargo run --release --features nccl --example many_gpus
//! ```

use std::error::Error;
use std::thread;
use std::time::{Duration, Instant};

use sortsmith::distributed::nccl::{Communicator, DeviceSorter, UniqueId};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

const KEYS_OF_A_GPU: usize = 1 << 24;

fn main() -> Result<()> {
    let gpus = (0..64).take_while(|ordinal| sortsmith::cuda_context(*ordinal).is_ok()).count();
    if gpus == 0 {
        println!("There is no GPU.");
        return Ok(());
    }
    let id = match UniqueId::new() {
        Ok(id) => id,
        Err(error) => {
            println!("{error}");
            return Ok(());
        }
    };
    let shares = thread::scope(|scope| {
        let ranks: Vec<_> =
            (0..gpus).map(|rank| scope.spawn(move || sort_shard(&id, rank, gpus))).collect();
        let results = ranks.into_iter().map(|rank| rank.join().expect("no rank panics"));
        results.collect::<Result<Vec<_>>>()
    })?;
    for (rank, (first, last, time)) in shares.iter().enumerate() {
        println!("GPU {rank}: {first:.6} to {last:.6} in {:.2} ms", 1e3 * time.as_secs_f64());
    }
    assert!(shares.windows(2).all(|pair| pair[0].1 <= pair[1].0), "shares are in order");
    Ok(())
}

/// Sorts the rank's shard twice, for kernels are compiled at the first call: the first and the last key of its share, and how long it took.
fn sort_shard(id: &UniqueId, rank: usize, ranks: usize) -> Result<(f32, f32, Duration)> {
    let context = sortsmith::cuda_context(rank)?;
    let stream = context.default_stream();
    let communicator = Communicator::new(&context, id, rank, ranks, Duration::from_secs(120))?;
    let sorter = DeviceSorter::on(&stream, communicator)?;
    let mut number = rank as u32 + 1;
    let mut key = || {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (number >> 8) as f32 / (1 << 24) as f32
    };
    let keys: Vec<f32> = (0..KEYS_OF_A_GPU).map(|_| key()).collect();
    let keys = stream.clone_htod(&keys)?;
    sorter.sort(&keys)?;
    let begin = Instant::now();
    let share = sorter.sort(&keys)?;
    let time = begin.elapsed();
    let share = stream.clone_dtoh(&share)?;
    Ok((share[0], share[share.len() - 1], time))
}
