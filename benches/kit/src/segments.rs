//! Segments of different lengths, as benches of sorts of segments have them.

use std::fmt;
use std::str::FromStr;

use sortsmith_codegen::Token;

use crate::Lengths;

/// The segments of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Segments {
    /// How many.
    pub count: u32,
    /// How long.
    pub lengths: Lengths,
}

impl Segments {
    /// Where each segment of `n` items begins, and n.
    pub fn offsets(self, n: u64) -> Vec<u64> {
        let count = self.count.max(1) as usize;
        let mut random = Random(u64::from(self.count));
        let lengths = match self.lengths {
            Lengths::PowerLaw => power_law(count, n, &mut random),
            Lengths::Random => random_lengths(count, n, &mut random),
            Lengths::Lopsided => {
                let mut lengths = random_lengths(count - 1, n / 2, &mut random);
                lengths.insert(lengths.len() / 2, n - lengths.iter().sum::<u64>());
                lengths
            }
        };
        let ends = lengths.iter().scan(0, |end, length| {
            *end += length;
            Some(*end)
        });
        [0].into_iter().chain(ends).collect()
    }
}

fn power_law(count: usize, n: u64, random: &mut Random) -> Vec<u64> {
    let sum: f64 = (1..=count).map(|rank| 1.0 / rank as f64).sum();
    let of_rank = |rank: usize| (n as f64 / sum / rank as f64) as u64;
    let mut lengths: Vec<u64> = (1..=count).map(of_rank).collect();
    let left = n - lengths.iter().sum::<u64>();
    if let Some(longest) = lengths.first_mut() {
        *longest += left;
    }
    for last in (1..lengths.len()).rev() {
        lengths.swap(last, random.below(last as u64 + 1) as usize);
    }
    lengths
}

fn random_lengths(count: usize, n: u64, random: &mut Random) -> Vec<u64> {
    let most = if count == 0 { 0 } else { 2 * n / count as u64 };
    let mut lengths: Vec<u64> = (0..count).map(|_| random.below(most + 1)).collect();
    // Their sum is close to n. Segments make up for the difference where they can.
    let mut sum: u64 = lengths.iter().sum();
    for length in &mut lengths {
        let (more, less) = (n.saturating_sub(sum), sum.saturating_sub(n));
        let changed = (*length + more.min(most - *length)) - less.min(*length);
        sum = sum + changed - *length;
        *length = changed;
    }
    // What an odd quotient leaves.
    if let Some(first) = lengths.first_mut() {
        *first += n - sum;
    }
    lengths
}

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % bound
    }
}

impl fmt::Display for Segments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{} {} segments", self.count, self.lengths))
    }
}

/// No segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no segments; legal: N power-law segments, N random segments or N lopsided segments from 1 on"
)]
pub struct UnknownSegments;

impl FromStr for Segments {
    type Err = UnknownSegments;

    fn from_str(text: &str) -> Result<Self, UnknownSegments> {
        let words: Vec<&str> = text.split(' ').collect();
        let [count, lengths, "segments"] = words[..] else { return Err(UnknownSegments) };
        let count = count.parse().ok().filter(|count| *count > 0).ok_or(UnknownSegments)?;
        let lengths = Lengths::from_token(lengths).map_err(|_| UnknownSegments)?;
        Ok(Self { count, lengths })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_their_words() {
        for (lengths, word) in Lengths::table() {
            let segments = Segments { count: 4096, lengths: *lengths };
            assert_eq!(segments.to_string(), format!("4096 {word} segments"));
            assert_eq!(segments.to_string().parse(), Ok(segments));
        }
        for text in [
            "",
            "segments",
            "4096 segments",
            "0 random segments",
            "x random segments",
            "4 of segments",
        ] {
            assert_eq!(text.parse::<Segments>(), Err(UnknownSegments), "{text}");
        }
    }

    #[test]
    fn segments_are_all_of_the_array() {
        for (lengths, _) in Lengths::table() {
            for (count, n) in [(1, 0), (1, 7), (3, 1), (16, 100), (1000, 65_537), (4096, 1 << 20)] {
                let offsets = Segments { count, lengths: *lengths }.offsets(n);
                assert_eq!(offsets.len(), count as usize + 1, "{lengths} {count}");
                assert!(offsets.is_sorted(), "{lengths} {count}: {offsets:?}");
                assert_eq!((offsets[0], offsets.last()), (0, Some(&n)), "{lengths} {count}");
            }
        }
    }

    #[test]
    fn lengths_are_as_their_words_say() {
        let longest = |count, lengths| {
            let offsets = Segments { count, lengths }.offsets(1 << 20);
            offsets.windows(2).map(|pair| pair[1] - pair[0]).max()
        };
        // Twice the average is 512.
        assert_eq!(longest(4096, Lengths::Random), Some(512));
        assert_eq!(longest(4096, Lengths::Lopsided), Some(1 << 19));
        // The harmonic number of 4096 is 8.9.
        let of_first = longest(4096, Lengths::PowerLaw);
        assert!(of_first.is_some_and(|it| (110_000..125_000).contains(&it)), "{of_first:?}");
    }
}
