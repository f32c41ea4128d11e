//! Sorts floats with their row numbers, checks the result, and says what ran and how long it took.
//!
//! `cargo run --release --example sort_pairs [-- N]`

use std::time::Instant;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = match std::env::args().nth(1) {
        Some(text) => text.parse().map_err(|_| format!("`{text}` is not a number of pairs"))?,
        None => 4_000_000,
    };
    let mut rng = SmallRng::seed_from_u64(1);
    let input: Vec<f32> = (0..n).map(|_| rng.random_range(-1000.0..1000.0)).collect();

    let mut keys = input.clone();
    let mut rows: Vec<u32> = (0..n as u64).map(|row| row as u32).collect();
    let start = Instant::now();
    sortsmith::sort_pairs::<f32, u32>(&mut keys, &mut rows)?;
    let elapsed = start.elapsed();

    check(&input, &keys, &rows)?;
    let rate = n as f64 / elapsed.as_secs_f64() / 1e6;
    println!("sorted {n} f32,u32 pairs on the {} backend", sortsmith::backend()?);
    println!("{elapsed:.1?}, {rate:.0} million pairs a second; the result is in order and stable");
    Ok(())
}

/// Whether the keys ascend, each row is its key's, and rows of equal keys ascend.
fn check(input: &[f32], keys: &[f32], rows: &[u32]) -> Result<(), String> {
    for (position, (key, row)) in keys.iter().zip(rows).enumerate() {
        if input[*row as usize].to_bits() != key.to_bits() {
            return Err(format!("position {position}: key {key} is not that of row {row}"));
        }
    }
    for (position, (keys, rows)) in keys.windows(2).zip(rows.windows(2)).enumerate() {
        let in_order = match keys[0].partial_cmp(&keys[1]) {
            Some(std::cmp::Ordering::Equal) => rows[0] < rows[1],
            ordering => ordering == Some(std::cmp::Ordering::Less),
        };
        if !in_order {
            return Err(format!("positions {position} and {}: out of order", position + 1));
        }
    }
    Ok(())
}
