//! Random changes of inputs.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// Inputs do not become longer.
pub const MOST_BYTES: usize = 4096;

/// One of the inputs with one to eight changes: bytes, pieces of it or of another input, words.
pub fn mutate(inputs: &[Vec<u8>], words: &[String], rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut input = inputs.choose(rng).cloned().unwrap_or_default();
    for _ in 0..rng.random_range(1..=8) {
        change(&mut input, inputs, words, rng);
    }
    input.truncate(MOST_BYTES);
    input
}

fn change(input: &mut Vec<u8>, inputs: &[Vec<u8>], words: &[String], rng: &mut ChaCha8Rng) {
    let at = rng.random_range(0..=input.len());
    let end = rng.random_range(at..=input.len().min(at + 40));
    match rng.random_range(0..9) {
        0 if at < input.len() => input[at] ^= 1 << rng.random_range(0..8),
        1 if at < input.len() => input[at] = rng.random(),
        2 => input.insert(at, rng.random()),
        3 => drop(input.drain(at..end)),
        4 => {
            let piece = input[at..end].to_vec();
            let times = rng.random_range(1..=6);
            input.splice(end..end, piece.repeat(times));
        }
        5 => {
            // The head of this one, and the tail of another.
            let other = inputs.choose(rng).map_or(&[][..], |other| other);
            let from = rng.random_range(0..=other.len());
            input.splice(at.., other[from..].iter().copied());
        }
        6 => number(input, at, rng),
        _ => {
            let word = words.choose(rng).map_or(&[][..], |word| word.as_bytes());
            let end = if rng.random() { at } else { end };
            input.splice(at..end, word.iter().copied());
        }
    }
}

/// Puts another number in place of the digits at or after an offset.
fn number(input: &mut Vec<u8>, at: usize, rng: &mut ChaCha8Rng) {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let Some(start) = input[at..].iter().position(is_digit).map(|from| at + from) else { return };
    let end =
        input[start..].iter().position(|it| !is_digit(it)).map_or(input.len(), |it| start + it);
    let number = match rng.random_range(0..4) {
        0 => u64::from(rng.random::<u8>()),
        1 => 1 << rng.random_range(0..64),
        2 => (1 << rng.random_range(0..64)) - 1,
        _ => rng.random_range(0..70),
    };
    input.splice(start..end, number.to_string().into_bytes());
}
