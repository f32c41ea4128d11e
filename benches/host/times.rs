//! Times of sorts side by side.

use std::time::{Duration, Instant};

/// The smallest number of items that are sorted between two readings of the clock.
const ITEMS_MIN: usize = 1 << 14;

/// The time of a sort of a fresh copy of its input, in ns an item.
pub type Run<'a> = Box<dyn FnMut() -> f64 + 'a>;

/// Runs of a sort of copies of the input, with their pages touched before.
pub fn run<'a, T: Copy>(input: &'a [T], mut sort: impl FnMut(&mut [T]) + 'a) -> Run<'a> {
    let mut copies = vec![input.to_vec(); ITEMS_MIN.div_ceil(input.len())];
    Box::new(move || {
        for copy in &mut copies {
            copy.copy_from_slice(input);
        }
        let begin = Instant::now();
        for copy in &mut copies {
            sort(copy);
        }
        begin.elapsed().as_nanos() as f64 / (input.len() * copies.len()) as f64
    })
}

/// The most rounds, and the fewest: the first one warms up.
const ROUNDS: (usize, usize) = (50, 2);

/// The fastest of many runs of each sort, of as many as take this long. They alternate, so that whatever else the machine does
/// slows down all of them.
pub fn minima<const N: usize>(time: Duration, mut runs: [Option<Run<'_>>; N]) -> [Option<f64>; N] {
    let mut minima = [f64::INFINITY; N];
    let begin = Instant::now();
    let (most, fewest) = ROUNDS;
    for round in 0..most {
        if round >= fewest && begin.elapsed() > time {
            break;
        }
        for (minimum, run) in minima.iter_mut().zip(&mut runs) {
            if let Some(run) = run {
                *minimum = minimum.min(run());
            }
        }
    }
    minima.map(|minimum| minimum.is_finite().then_some(minimum))
}
