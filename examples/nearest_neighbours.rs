//! The k nearest points of each query, nearest first, from a matrix of distances: a row for each query. The points come once more at the
//! end, so that each has an equal one; ties go to the first of them.
//!
//! `cargo run --release --example nearest_neighbours`

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use sortsmith::{Sorter, TopKOptions};

const QUERIES: usize = 200;
/// Half of them distinct.
const POINTS: usize = 2000;
const K: usize = 8;

type Point = [f32; 3];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = SmallRng::seed_from_u64(5);
    let mut point = || -> Point { [(); 3].map(|()| rng.random_range(0.0..1.0)) };
    let queries: Vec<Point> = (0..QUERIES).map(|_| point()).collect();
    let mut points: Vec<Point> = (0..POINTS / 2).map(|_| point()).collect();
    points.extend_from_within(..);
    // Squares of distances have the order of distances. A GPU's matrix product would make them where they are sorted.
    let squares: Vec<f32> = queries
        .iter()
        .flat_map(|query| points.iter().map(|point| square_of_distance(query, point)))
        .collect();

    let sorter = Sorter::new()?;
    let (found, neighbours) = nearest(&sorter, &squares)?;

    let rows = found.chunks(K).zip(neighbours.chunks(K)).zip(squares.chunks(POINTS));
    for ((found, neighbours), squares) in rows {
        let is_in_order = found.is_sorted();
        let is_same = |(it, at): (&f32, &u32)| it.to_bits() == squares[*at as usize].to_bits();
        let are_theirs = found.iter().zip(neighbours).all(is_same);
        let nearer = squares.iter().filter(|it| **it < found[K - 1]).count();
        let are_ties_in_order =
            neighbours.chunks(2).all(|pair| pair[0] as usize + POINTS / 2 == pair[1] as usize);
        if !(is_in_order && are_theirs && nearer < K && are_ties_in_order) {
            return Err("a query has other neighbours".into());
        }
    }
    println!(
        "{QUERIES} queries have their {K} nearest of {POINTS} points, ties by position, on the {} backend",
        sorter.backend()
    );
    println!("the first: {:?}", &neighbours[..K]);
    Ok(())
}

fn square_of_distance(one: &Point, other: &Point) -> f32 {
    one.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// The K least of each row, the least first, and their positions in it.
fn nearest(
    sorter: &Sorter,
    squares: &[f32],
) -> Result<(Vec<f32>, Vec<u32>), Box<dyn std::error::Error>> {
    let options = TopKOptions::new().smallest();
    #[cfg(feature = "cuda")]
    if let Some(stream) = sorter.stream() {
        let squares = stream.clone_htod(squares)?;
        let found = sorter.top_k_rows_with::<f32>(&squares, POINTS, K, options)?;
        return Ok((stream.clone_dtoh(&found.keys)?, stream.clone_dtoh(&found.positions)?));
    }
    let (mut found, mut neighbours) = (vec![0.0; QUERIES * K], vec![0; QUERIES * K]);
    sorter.top_k_rows_into_with(squares, &mut found, &mut neighbours, POINTS, K, options)?;
    Ok((found, neighbours))
}
