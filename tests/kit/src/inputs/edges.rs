//! Keys that take a device-wide radix sort to paths that no distribution reaches: two equal digits across the edge of a row
//! of the sorted tile, and MSD buckets that overflow one after the other in one block.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::oracle::{Task, gather, key_bytes, permutation};

/// Digits of one pass.
const DIGITS: usize = 256;
/// Neighbouring items that a warp's lanes rank together.
const ROW: usize = 32;

/// Upper digits of keys that overflow sub-buckets. Any grid of up to four blocks has a block with two of these buckets.
pub(crate) const TOPS: [u32; 4] = [0x05, 0x45, 0x85, 0xc5];
/// Numbers of distinct upper digits: each digit alone is distributed evenly enough to predict small sub-buckets.
pub(crate) const KINDS: u32 = 144;
/// Keys of each kind. All of them are in one sub-bucket: more than a block sorts there.
pub(crate) const OF_KIND: u32 = 111;

/// A tile of keys with lowest digits that cycle, except for one pair of neighbours with the same digit, which are the last item of a row
/// and the first one of the next in the sorted tile. No other row has a digit twice, so only this pair can be exchanged, whatever the
/// order of the lanes. Digits are in the order of the task, and keys of one digit differ in the digits above.
pub(crate) fn pair_across_rows(task: &Task, tile: usize) -> Vec<u8> {
    let bytes = key_bytes(task.key);
    let lowest: Vec<u8> = (0..=255).flat_map(|digit| padded(&[digit], bytes)).collect();
    let ranks = permutation(&Task { begin_bit: 0, end_bit: 8, ..*task }, &lowest);
    let lowest = gather(&lowest, bytes, &ranks);
    let first = pair(tile);
    let key = |index: usize| {
        let digit = if Some(index) == first.map(|it| it + 1) { index - 1 } else { index } % DIGITS;
        let mut key = lowest[digit * bytes..][..bytes].to_vec();
        // Below all infinities and the sign.
        if let Some(above) = key.get_mut(1) {
            *above = index as u8 % 0x3f;
        }
        key
    };
    (0..tile).flat_map(key).collect()
}

/// The index of the first of two neighbours that are sorted to both sides of a row's end if the second one has the first one's digit.
pub(crate) fn pair(tile: usize) -> Option<usize> {
    let count = |digit: usize| tile / DIGITS + usize::from(digit < tile % DIGITS);
    let start = |digit: usize| (0..digit).map(count).sum::<usize>();
    let is_right = |index: &usize| {
        let (digit, before) = (index % DIGITS, index / DIGITS);
        (start(digit) + before + 1).is_multiple_of(ROW) && index % ROW != ROW - 1
    };
    (0..tile.saturating_sub(1)).find(is_right)
}

/// Keys of four MSD buckets that a block has room for, in each of which many keys are in one sub-bucket: more than each digit
/// alone tells, so that a block finds out, and the second phase sorts.
pub(crate) fn overflowing_sub_buckets(task: &Task, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let key = |number: u32| {
        let kind = number % KINDS;
        let top = TOPS[(kind % 4) as usize];
        [number as u8, (kind * 7) as u8, kind as u8, top as u8]
    };
    let mut keys: Vec<[u8; 4]> = (0..KINDS * OF_KIND).map(key).collect();
    keys.shuffle(rng);
    keys.iter().flat_map(|key| padded(key, key_bytes(task.key))).collect()
}

fn padded(lower: &[u8], bytes: usize) -> Vec<u8> {
    lower.iter().copied().chain(std::iter::repeat(0)).take(bytes).collect()
}

#[cfg(test)]
mod tests {
    use sortsmith_codegen::{KeyType, Order};

    use super::*;

    #[test]
    fn one_pair_of_a_row_has_the_same_digit_and_lies_across_rows_when_sorted() {
        for key in [KeyType::U32, KeyType::I16, KeyType::F32, KeyType::F16] {
            for order in [Order::Ascending, Order::Descending] {
                for tile in [512, 864, 1536, 5000 / ROW * ROW] {
                    let task = Task { order, end_bit: 8, ..Task::new(key) };
                    let keys = pair_across_rows(&task, tile);
                    let bytes = key_bytes(key);
                    assert_eq!(keys.len(), tile * bytes);
                    let sorted = permutation(&task, &keys);
                    let digit = |at: u32| keys[at as usize * bytes];
                    let is_pair = |at: &usize| {
                        let [last, first] = [sorted[at - 1], sorted[*at]];
                        digit(last) == digit(first) && last as usize / ROW == first as usize / ROW
                    };
                    let pairs: Vec<usize> = (1..tile).filter(is_pair).collect();
                    assert_eq!((pairs.len(), pairs[0] % ROW), (1, 0), "{key} {order} {tile}");
                    let two = [sorted[pairs[0] - 1], sorted[pairs[0]]];
                    let [one, other] = two.map(|at| &keys[at as usize * bytes..][..bytes]);
                    assert_ne!(one, other);
                }
            }
        }
    }
}
