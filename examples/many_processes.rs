//! Sorts an array that lies over the GPUs of one machine or of several, a process for each. The processes get NCCL's unique id by a file that all of
//! them see; rank and number of ranks are in the environment, as torchrun sets them.
//!
//! ```sh
//! cargo build --release --features nccl --example many_processes
//! export WORLD_SIZE=2 SORTSMITH_ID_FILE=$(mktemp -u)
//! for rank in 0 1; do RANK=$rank LOCAL_RANK=$rank target/release/examples/many_processes & done; wait
//! # or: torchrun --nproc-per-node 2 --no-python target/release/examples/many_processes
//! ```

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use sortsmith::distributed::nccl::{Communicator, DeviceSorter, UniqueId};

const LIMIT: Duration = Duration::from_secs(120);

fn main() -> Result<(), Box<dyn Error>> {
    let number = |name: &str| env::var(name).ok()?.parse::<usize>().ok();
    let (rank, ranks) = (number("RANK").unwrap_or(0), number("WORLD_SIZE").unwrap_or(1));
    let device = number("LOCAL_RANK").unwrap_or(rank);
    let context = match sortsmith::cuda_context(device) {
        Ok(context) => context,
        Err(error) => {
            println!("{error}");
            return Ok(());
        }
    };
    let file = env::var("SORTSMITH_ID_FILE").unwrap_or_else(|_| {
        // torchrun gives all processes of a run the same id.
        let run = env::var("TORCHELASTIC_RUN_ID").unwrap_or_else(|_| "alone".to_owned());
        env::temp_dir().join(format!("sortsmith-{run}.id")).to_string_lossy().into_owned()
    });
    let id = shared_id(Path::new(&file), rank)?;
    let communicator = Communicator::new(&context, &id, rank, ranks, LIMIT)?;
    if rank == 0 {
        // All have read it.
        fs::remove_file(&file)?;
    }
    let stream = context.default_stream();
    let sorter = DeviceSorter::on(&stream, communicator)?;
    // Shards of different lengths, positions over all ranks.
    let keys: Vec<u64> = (0..1000 + 500 * rank as u64)
        .map(|item| item.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .collect();
    let keys = stream.clone_htod(&keys)?;
    let positions = stream.clone_dtoh(&sorter.argsort(&keys)?)?;
    println!("rank {rank} of {ranks}: {} positions, from {:?}", positions.len(), &positions[..4]);
    Ok(())
}

/// The id that rank 0 makes and the others read.
fn shared_id(file: &Path, rank: usize) -> Result<UniqueId, Box<dyn Error>> {
    if rank == 0 {
        let id = UniqueId::new()?;
        // All of it is there when the name is.
        let unfinished = file.with_extension("unfinished");
        fs::write(&unfinished, id.as_bytes())?;
        fs::rename(&unfinished, file)?;
        return Ok(id);
    }
    let begin = Instant::now();
    while begin.elapsed() < LIMIT {
        if let Ok(bytes) = fs::read(file) {
            let bytes = bytes.try_into().map_err(|_| "the file has no id of 128 bytes")?;
            return Ok(UniqueId::from_bytes(bytes));
        }
        thread::sleep(Duration::from_millis(10));
    }
    Err("rank 0 has not written its id".into())
}
