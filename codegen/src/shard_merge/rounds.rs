//! The rounds of a search for splitters.

use std::ops::Range;

/// The most candidates of a round of several bits.
pub const MAX_CANDIDATES: u32 = 1 << 14;

/// The most bits of a digit.
const MAX_DIGIT_BITS: u32 = 12;

/// A round: what it finds out of each splitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Round {
    /// The lowest bit of the digit.
    pub shift: u32,
    /// Values of the digit but zero: candidates of a border.
    pub digit_values: u32,
}

/// The rounds that find these bits of the splitters of some borders, from the upper end down. There are as few as candidates allow, and digits are
/// as equal as they can be.
///
/// ```
/// # use sortsmith_codegen::shard_merge::rounds;
/// let digits = rounds(0..32, 7).into_iter().map(|round| (round.shift, round.digit_values));
/// assert_eq!(digits.collect::<Vec<_>>(), [(21, 2047), (10, 2047), (0, 1023)]);
/// ```
pub fn rounds(bits: Range<u32>, borders: u32) -> Vec<Round> {
    let unknown = bits.end.saturating_sub(bits.start);
    if borders == 0 {
        return Vec::new();
    }
    let count = unknown.div_ceil(digit_bits(borders));
    let mut end = bits.end;
    let round = |number: u32| {
        let bits = unknown / count + u32::from(number < unknown % count);
        end -= bits;
        Round { shift: end, digit_values: (1 << bits) - 1 }
    };
    (0..count).map(round).collect()
}

/// The most candidates of a round for this number of borders or fewer: fewer have digits of more bits, and may have more candidates.
pub fn max_candidates(borders: u32) -> u64 {
    MAX_CANDIDATES.max(borders).into()
}

/// The most bits of a digit.
fn digit_bits(borders: u32) -> u32 {
    let fits = |bits: &u32| u64::from(borders) * ((1 << bits) - 1) <= MAX_CANDIDATES.into();
    (1..=MAX_DIGIT_BITS).take_while(fits).last().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_find_each_bit_once() {
        for borders in [1, 3, 4, 5, 16, 1000, 1 << 14, 1 << 20, u32::MAX] {
            for bits in [0..1, 0..32, 5..32, 0..64, 0..128, 127..128] {
                let rounds = rounds(bits.clone(), borders);
                let mut end = bits.end;
                for Round { shift, digit_values } in rounds {
                    assert_eq!(digit_values, (1 << (end - shift)) - 1);
                    let candidates = u64::from(borders) * u64::from(digit_values);
                    assert!(candidates <= max_candidates(borders));
                    end = shift;
                }
                assert_eq!(end, bits.start);
            }
        }
    }

    #[test]
    fn fewer_borders_have_no_more_candidates_than_the_most() {
        for borders in 1..=600 {
            let of = |fewer| {
                rounds(0..64, fewer).iter().map(|it| it.digit_values).max().unwrap_or(0) * fewer
            };
            let most = (1..=borders).map(of).max();
            assert!(
                most.is_some_and(|most| u64::from(most) <= max_candidates(borders)),
                "{borders}"
            );
        }
    }

    #[test]
    fn digits_are_as_equal_as_they_can_be() {
        let values = |bits, borders| -> Vec<u32> {
            rounds(bits, borders).iter().map(|round| round.digit_values).collect()
        };
        assert_eq!(values(0..32, 8), [2047, 2047, 1023]);
        assert_eq!(values(0..64, 1), [2047, 2047, 2047, 2047, 1023, 1023]);
        assert_eq!(values(3..5, 1 << 20), [1, 1]);
        assert!(values(7..7, 8).is_empty());
        assert!(values(0..32, 0).is_empty());
    }
}
