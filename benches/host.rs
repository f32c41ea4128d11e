//! The host backend beside std's and rayon's sorts, in ns an item.
//!
//! `cargo bench --bench host [-- N]`

use std::time::Instant;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

const REPETITIONS: usize = 5;

/// The median time, in ns an item, of sorting a fresh copy of the input.
fn time<T: Clone>(input: &[T], mut sort: impl FnMut(&mut Vec<T>)) -> f64 {
    let mut times: Vec<f64> = (0..REPETITIONS)
        .map(|_| {
            let mut copy = input.to_vec();
            let start = Instant::now();
            sort(&mut copy);
            start.elapsed().as_nanos() as f64 / input.len() as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[REPETITIONS / 2]
}

fn row(what: &str, ours: f64, peers: &[(&str, f64)]) {
    print!("{what:<24} sortsmith {ours:6.2}");
    for (name, peer) in peers {
        print!("   {name} {peer:6.2} ({:4.1}x)", peer / ours);
    }
    println!();
}

macro_rules! keys_row {
    ($what:expr, $input:expr) => {{
        let input = $input;
        let ours = time(&input, |keys| sortsmith::sort(keys).expect("memory"));
        let peers = [
            ("std unstable", time(&input, |keys| keys.sort_unstable())),
            ("rayon", time(&input, |keys| keys.par_sort())),
            ("rayon unstable", time(&input, |keys| keys.par_sort_unstable())),
        ];
        row($what, ours, &peers);
    }};
}

fn main() {
    let n = std::env::args().skip(1).find_map(|text| text.parse().ok()).unwrap_or(1usize << 22);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    println!("{n} items, {} threads; ns an item", rayon::current_num_threads());
    let words: Vec<u64> = (0..n).map(|_| rng.random()).collect();
    let narrow: Vec<u32> = words.iter().map(|word| *word as u32).collect();
    keys_row!("u8", words.iter().map(|word| *word as u8).collect::<Vec<_>>());
    keys_row!("u16", words.iter().map(|word| *word as u16).collect::<Vec<_>>());
    keys_row!("u32", narrow.clone());
    keys_row!("u64", words.clone());
    keys_row!("u64 of 17 live bits", words.iter().map(|word| word & 0x1_ffff).collect::<Vec<_>>());
    keys_row!("u64 of 4 values", words.iter().map(|word| word & 0x8001).collect::<Vec<_>>());
    let mut sorted = narrow.clone();
    sorted.sort_unstable();
    keys_row!("u32, sorted", sorted.clone());
    sorted.reverse();
    keys_row!("u32, reversed", sorted);

    let floats: Vec<f32> =
        narrow.iter().map(|word| (*word as f32 - 2_147_483_648.0) / 1024.0).collect();
    let ours = time(&floats, |keys| sortsmith::sort(keys).expect("memory"));
    let peers = [
        ("std unstable", time(&floats, |keys| keys.sort_unstable_by(f32::total_cmp))),
        ("rayon", time(&floats, |keys| keys.par_sort_by(f32::total_cmp))),
        ("rayon unstable", time(&floats, |keys| keys.par_sort_unstable_by(f32::total_cmp))),
    ];
    row("f32", ours, &peers);

    let pairs: Vec<(f32, u32)> = floats.iter().copied().zip(0..).collect();
    let mut rows: Vec<u32> = (0..n as u32).collect();
    let ours = time(&floats, |keys| sortsmith::sort_pairs(keys, &mut rows).expect("memory"));
    let by_key = |a: &(f32, u32), b: &(f32, u32)| a.0.total_cmp(&b.0);
    let peers = [
        ("std", time(&pairs, |pairs| pairs.sort_by(by_key))),
        ("rayon", time(&pairs, |pairs| pairs.par_sort_by(by_key))),
        ("rayon unstable", time(&pairs, |pairs| pairs.par_sort_unstable_by(by_key))),
    ];
    row("f32,u32 pairs", ours, &peers);
}
