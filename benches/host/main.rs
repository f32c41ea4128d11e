//! Sorts of host slices beside std, rayon, rdst and voracious, in ns an item: keys, pairs and argsorts, on one thread and on all.
//!
//! `cargo bench -p sortsmith-benches --bench host [-- classes]`: random keys of each number, or keys of each class of the tests. `SORTSMITH_BENCH_LOG2`
//! names the numbers, as powers of two with commas between, `SORTSMITH_BENCH_WHAT` the rows to measure, with commas between, and
//! `SORTSMITH_BENCH_THREADS` the numbers of threads. A row takes `SORTSMITH_BENCH_MS` milliseconds, or two runs of each sort;
//! with `SORTSMITH_BENCH_PEERS=0` ours alone is measured.

mod inputs;
mod peers;
mod times;

use std::time::Duration;

use inputs::Input;
use peers::Figure;
use rayon::ThreadPoolBuilder;

/// The numbers of keys, as powers of two, without a variable.
const LOG2: &str = "8,10,12,14,16,18,20,22,24";
/// The number of keys of a class without a variable.
const CLASSES_LOG2: &str = "20";
/// How long a row takes without a variable.
const MS: u64 = 1000;

fn main() {
    let are_classes = std::env::args().any(|argument| argument == "classes");
    let log2 = std::env::var("SORTSMITH_BENCH_LOG2")
        .unwrap_or_else(|_| if are_classes { CLASSES_LOG2 } else { LOG2 }.to_owned());
    let mut threads = vec![1, rayon::current_num_threads()];
    if let Ok(named) = std::env::var("SORTSMITH_BENCH_THREADS") {
        threads = named.split(',').map(|number| number.parse().expect("a number")).collect();
    }
    threads.dedup();
    for threads in threads {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        println!("threads,what,input,log2,{},best over ours", Figure::NAMES.join(","));
        for log2 in log2.split(',').map(|log2| log2.parse().expect("a power of two")) {
            let inputs = if are_classes { Input::classes() } else { vec![Input::Random] };
            for input in inputs {
                pool.install(|| measure(threads, input, log2));
            }
        }
    }
}

/// Measures all kinds of sorts of this input.
fn measure(threads: usize, input: Input, log2: u32) {
    let n = 1 << log2;
    let only = std::env::var("SORTSMITH_BENCH_WHAT").ok();
    let time = std::env::var("SORTSMITH_BENCH_MS").ok();
    let time = Duration::from_millis(time.map_or(MS, |time| time.parse().expect("milliseconds")));
    let row = |what: &str, figure: &dyn Fn(Duration) -> Figure| {
        if only.as_deref().is_none_or(|only| only.split(',').any(|only| only == what)) {
            println!("{threads},{what},{input},{log2},{}", figure(time));
        }
    };
    row("u32", &|time| peers::keys(&input.keys::<u32>(n), time));
    row("u64", &|time| peers::keys(&input.keys::<u64>(n), time));
    row("f32", &|time| peers::keys(&input.keys::<f32>(n), time));
    row("f32 u32", &|time| peers::pairs(&input.keys::<f32>(n), time));
    row("u64 u32", &|time| peers::pairs(&input.keys::<u64>(n), time));
    row("argsort f32", &|time| peers::argsort(&input.keys::<f32>(n), time));
}
