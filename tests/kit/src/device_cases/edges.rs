//! Keys that take a device-wide radix sort to paths that no distribution reaches: two equal digits across the edge of a row
//! of the sorted tile, MSD buckets that overflow one after the other in one block, and histograms that two blocks add to at once.

use std::ops::Range;

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::ValueType;
use sortsmith_codegen::device::{Device, DeviceSpec};

use super::radix::Counting;
use super::{DeviceCase, How, case, scenarios};
use crate::inputs::Keys;
use crate::oracle::{Task, describe, gather, key_bytes, permutation};
use crate::radix_facts::RadixFacts as _;

/// Digits of one pass.
const DIGITS: usize = 256;
/// Neighbouring items that a warp's lanes rank together.
const ROW: usize = 32;

/// Upper digits of keys that overflow sub-buckets. Any grid of up to four blocks has a block with two of these buckets.
const TOPS: [u32; 4] = [0x05, 0x45, 0x85, 0xc5];
/// Numbers of distinct upper digits: each digit alone is distributed evenly enough to predict small sub-buckets.
const KINDS: u32 = 144;
/// Keys of each kind. All of them are in one sub-bucket: more than a block sorts there.
const OF_KIND: u32 = 111;

/// The cases of digits and MSD buckets of a radix sort, where it has them.
pub fn cases(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Vec<DeviceCase> {
    let mut cases = Vec::new();
    let tile = spec.tile_items() as usize;
    let bits = describe(spec.key).1;
    let tells_apart = bits > 8 || spec.value != ValueType::None;
    if bits >= 8 && tells_apart && pair(tile).is_some() {
        let how = how(0..8, rng);
        let case = case(spec, Keys::PairAcrossRows, tile, how, rng);
        cases.push(case.showing("equal digits that are exchanged across rows"));
    }
    if spec.sorts_msd_buckets() {
        let how = How { sorts_msd_buckets: true, ..how(0..bits, rng) };
        let n = (KINDS * OF_KIND) as usize;
        let case = case(spec, Keys::OverflowingSubBuckets, n, how, rng);
        cases.push(case.showing("buckets that one block gives up after each other"));
    }
    cases
}

/// Cases in which two blocks build histograms at once, and add to the same device-wide counts.
pub fn of_counting_blocks(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Vec<DeviceCase> {
    let [_, _, two_rounds] = scenarios::rounds(spec, rng);
    let mut two_blocks = |sorts_by_counting, kind, n| {
        let device = Device { multiprocessors: 2, shared_bytes_per_block: How::ROOM };
        let how = How {
            sorts_by_counting,
            device,
            aligned: true,
            interleaves: false,
            blocks_at_once: 2,
            ..how(0..describe(spec.key).1, rng)
        };
        case(spec, kind, n, how, rng).showing("counts that two blocks add at once")
    };
    let mut cases = vec![two_blocks(false, Keys::Uniform, two_rounds)];
    if spec.has_key_histogram() {
        // Each block hands counters over.
        cases.push(two_blocks(true, Keys::AllEqual, 2 * Counting::OVERFLOWING));
    }
    cases
}

fn how(bits: Range<u32>, rng: &mut ChaCha8Rng) -> How {
    How {
        aligned: rng.random(),
        interleaves: rng.random(),
        device: Device { multiprocessors: 1, shared_bytes_per_block: How::ROOM },
        blocks_at_once: rng.random_range(1..=2),
        ..How::by_bits(bits)
    }
}

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
fn pair(tile: usize) -> Option<usize> {
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
    use rand::SeedableRng;
    use sortsmith_codegen::device::RadixSort;
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

    #[test]
    fn two_buckets_of_one_block_have_a_sub_bucket_that_overflows() {
        let spec: DeviceSpec = "device_radix_sort_u32_keys_b256_i6_asc".parse().expect("legal");
        let cases = cases(&spec, &mut ChaCha8Rng::seed_from_u64(3));
        let case = cases.iter().find(|case| case.kind == Keys::OverflowingSubBuckets);
        let case = case.expect("such keys go by MSD buckets");
        let of_buckets =
            case.launches.iter().find(|launch| launch.kernel == RadixSort::MSD_BUCKETS);
        let blocks = of_buckets.expect("such keys have one").blocks;
        let mut of_blocks = TOPS.map(|top| top % blocks);
        of_blocks.sort_unstable();
        assert!(of_blocks.windows(2).any(|two| two[0] == two[1]), "{blocks} blocks");
        let tops =
            TOPS.map(|top| case.keys.chunks(4).filter(|key| u32::from(key[3]) == top).count());
        assert_eq!(tops.iter().sum::<usize>(), case.n);
        assert!(tops.iter().all(|count| *count < 4200), "{tops:?}");
    }
}
