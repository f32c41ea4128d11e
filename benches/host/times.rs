//! Times of a sort.

use std::time::Instant;

/// The smallest number of items that are sorted between two readings of the clock.
const ITEMS_MIN: usize = 1 << 14;

/// The median time, in ns an item, of a call on a fresh copy of the input.
pub fn time<T: Clone>(input: &[T], mut sort: impl FnMut(&mut Vec<T>)) -> f64 {
    let copies = ITEMS_MIN.div_ceil(input.len());
    let repetitions = if input.len() < 1 << 20 { 15 } else { 5 };
    let mut times: Vec<f64> = (0..repetitions)
        .map(|_| {
            let mut copies = vec![input.to_vec(); copies];
            let begin = Instant::now();
            copies.iter_mut().for_each(&mut sort);
            begin.elapsed().as_nanos() as f64 / (input.len() * copies.len()) as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[repetitions / 2]
}
