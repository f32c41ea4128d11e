//! The order of some measurements, and their ranks, without moving them.
//!
//! `cargo run --release --example argsort`

use sortsmith::SortOptions;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cities = ["Oslo", "Lagos", "Lima", "Pune", "Quito", "Turin"];
    let celsius = [-4.5f32, 31.0, 19.5, 31.0, f32::NAN, 8.0];

    // The warmest first; cities without a report come last. Lagos stays before Pune.
    let warmest = SortOptions::new().descending().nan_last();
    let order = sortsmith::argsort_with(&celsius, warmest)?;
    assert_eq!(order, [1, 3, 2, 5, 0, 4]);

    // The inverse permutation is each city's rank.
    let mut ranks = vec![0; order.len()];
    for (rank, position) in order.iter().enumerate() {
        ranks[*position as usize] = rank + 1;
    }
    for position in &order {
        let position = *position as usize;
        println!("{}. {:<6} {:>5.1} °C", ranks[position], cities[position], celsius[position]);
    }
    println!("on the {} backend", sortsmith::backend()?);
    Ok(())
}
