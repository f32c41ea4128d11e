//! candle's `arg_sort_last_dim` on buffers of cudarc's: for each list along the last dimension of a tensor, the positions that it would be sorted from, as
//! `u32`. candle's own kernel is for up to 1,024 elements; here lists may have any length, of any type of keys, and equal keys keep their order.
//!
//! The adapter `sortsmith-candle` does the same of candle's tensors. `cargo run --release --example arg_sort_last_dim`

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use sortsmith::{SortOptions, Sorter};

/// A batch of sequences, each with a logit for every token.
const DIMS: [usize; 3] = [2, 3, 5000];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = SmallRng::seed_from_u64(11);
    let mut logits: Vec<f32> =
        (0..DIMS.iter().product()).map(|_| rng.random_range(-4.0..4.0)).collect();
    // Two equal ones, of which the first comes first in either order.
    (logits[7], logits[4000]) = (9.0, 9.0);
    let sorter = Sorter::new()?;
    for ascending in [true, false] {
        let positions = arg_sort_last_dim(&sorter, &logits, &DIMS, ascending)?;
        let lists = logits.chunks(DIMS[2]).zip(positions.chunks(DIMS[2]));
        for (list, positions) in lists {
            let is_in_order = positions.is_sorted_by(|before, behind| {
                let order = list[*before as usize].total_cmp(&list[*behind as usize]);
                let order = if ascending { order } else { order.reverse() };
                order.then(before.cmp(behind)).is_lt()
            });
            if !is_in_order {
                return Err("a list is in another order".into());
            }
        }
        if !ascending {
            println!("the largest of the first list: {:?}", &positions[..4]);
        }
    }
    println!("{DIMS:?} sorted along the last dimension on the {} backend", sorter.backend());
    Ok(())
}

/// The positions within the last dimension of a contiguous tensor, which has as many elements as its dimensions say.
fn arg_sort_last_dim(
    sorter: &Sorter,
    tensor: &[f32],
    dims: &[usize],
    ascending: bool,
) -> Result<Vec<u32>, Box<dyn std::error::Error>> {
    let columns = *dims.last().ok_or("a scalar has no last dimension")?;
    let options = if ascending { SortOptions::new() } else { SortOptions::new().descending() };
    #[cfg(feature = "cuda")]
    if let Some(stream) = sorter.stream() {
        // candle has a `CudaSlice` in its storage.
        let tensor = stream.clone_htod(tensor)?;
        let positions = sorter.argsort_rows_with::<f32>(&tensor, columns, options)?;
        return Ok(stream.clone_dtoh(&positions)?);
    }
    let mut positions = vec![0; tensor.len()];
    sorter.argsort_rows_into_with(tensor, &mut positions, columns, options)?;
    Ok(positions)
}
