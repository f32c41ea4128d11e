//! The order in which 3D Gaussian splatting draws: by screen tile, and within a tile from front to back.
//!
//! The key has the tile's number above 32 bits of depth. With 8,160 tiles that is 45 bits, so bits 45 and up are left out
//! of the sort: fewer passes, the same order.
//!
//! `cargo run --release --example splatting [-- N]`

use std::time::Instant;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use sortsmith::{SortKey, SortOptions};

/// Tiles of 16 × 16 pixels of a full-HD picture.
const TILES: (u32, u32) = (120, 68);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = match std::env::args().nth(1) {
        Some(text) => text.parse().map_err(|_| format!("`{text}` is not a number of splats"))?,
        None => 2_000_000,
    };
    let tiles = TILES.0 * TILES.1;
    let mut rng = SmallRng::seed_from_u64(7);
    let splats: Vec<(u32, f32)> =
        (0..n).map(|_| (rng.random_range(0..tiles), rng.random_range(0.2..100.0))).collect();

    // Positive floats order as their bits do; ordered bits do so for any.
    let key =
        |(tile, depth): &(u32, f32)| u64::from(*tile) << 32 | u64::from(depth.to_ordered_bits());
    let mut keys: Vec<u64> = splats.iter().map(key).collect();
    let mut ids: Vec<u32> = (0..n as u64).map(|id| id as u32).collect();

    let used_bits = 32 + (tiles - 1).ilog2() + 1;
    let start = Instant::now();
    sortsmith::sort_pairs_with(&mut keys, &mut ids, SortOptions::new().bits(0..used_bits))?;
    let elapsed = start.elapsed();

    // Where each tile's splats begin, as the rasterizer wants it.
    let begins: Vec<usize> =
        (0..=tiles).map(|tile| keys.partition_point(|key| key >> 32 < u64::from(tile))).collect();
    for tile in 0..tiles as usize {
        let drawn = &ids[begins[tile]..begins[tile + 1]];
        let depths = || drawn.iter().map(|id| splats[*id as usize]);
        if !depths().all(|(of, _)| of as usize == tile) || !depths().is_sorted_by_key(|it| it.1) {
            return Err(format!("tile {tile} is not drawn from front to back").into());
        }
    }
    let rate = n as f64 / elapsed.as_secs_f64() / 1e6;
    println!(
        "{n} splats in {tiles} tiles by {used_bits} bits, on the {} backend",
        sortsmith::backend()?
    );
    println!("{elapsed:.1?}, {rate:.0} million splats a second");
    Ok(())
}
