//! Pairs that are sorted in runs, as those are that no device has room for: `larger_than_memory [ITEMS [RUN_BYTES [SCRATCH_BYTES]]]`.
//!
//! `cargo run --release --example larger_than_memory -- 4000000 4000000`

use std::ops::ControlFlow;
use std::time::Instant;

use sortsmith::{Error, RunSorter, RunStage, Sorter};

/// Three sorters of one device: while one copies a run to it, others sort and copy back. Without a device one of the host.
#[cfg(feature = "cuda")]
fn sorters() -> Result<Vec<Sorter>, Box<dyn std::error::Error>> {
    let first = Sorter::new()?;
    let Some(stream) = first.stream() else { return Ok(vec![first]) };
    let streams = (0..3).map(|_| stream.context().new_stream()).collect::<Result<Vec<_>, _>>()?;
    Ok(streams.iter().map(Sorter::on).collect::<Result<_, _>>()?)
}

#[cfg(not(feature = "cuda"))]
fn sorters() -> Result<Vec<Sorter>, Error> {
    Ok(vec![Sorter::new()?])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|argument| argument.parse::<usize>());
    let items = numbers.next().transpose()?.unwrap_or(1_000_000);
    let run_bytes = numbers.next().transpose()?.unwrap_or(2 * items);
    let scratch_bytes = numbers.next().transpose()?.unwrap_or(usize::MAX);
    let key = |item: usize| (item as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let mut keys: Vec<f32> = (0..items).map(|item| key(item) as f32).collect();
    let mut rows: Vec<u32> = (0..items).map(|item| item as u32).collect();

    let mut sorters = sorters()?;
    let last = sorters.pop().ok_or("no sorter")?;
    let backend = last.backend();
    let mut in_runs = RunSorter::new(last).run_bytes(run_bytes).scratch_bytes(scratch_bytes);
    for sorter in sorters {
        in_runs = in_runs.and(sorter);
    }
    let begin = Instant::now();
    let mut stages: Vec<(RunStage, f64)> = Vec::new();
    let mut in_runs = in_runs.progress(|progress| {
        let seconds = begin.elapsed().as_secs_f64();
        match stages.last_mut().filter(|(stage, _)| *stage == progress.stage) {
            Some(last) => last.1 = seconds,
            None => stages.push((progress.stage, seconds)),
        }
        ControlFlow::Continue(())
    });
    let sorted: Result<(), Error> = in_runs.sort_pairs(&mut keys, &mut rows);
    sorted?;
    drop(in_runs);

    let is_stable = |at: usize| {
        let by_key = keys[at - 1].total_cmp(&keys[at]);
        by_key.then(rows[at - 1].cmp(&rows[at])).is_lt()
    };
    let is_with_its_key =
        |at: usize| (key(rows[at] as usize) as f32).to_bits() == keys[at].to_bits();
    assert!((1..items).all(is_stable) && (0..items).all(is_with_its_key));
    println!("sorted {items} f32,u32 pairs in runs of {run_bytes} bytes on the {backend} backend");
    for (stage, seconds) in stages {
        println!("{stage:?} done after {:.1} ms", seconds * 1e3);
    }
    println!("the result is in order and stable");
    Ok(())
}
