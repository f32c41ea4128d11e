//! Keys of many digits that are sorted after a sort by their upper digits, except for one pair that no thread holds alone.
//!
//! The histogram of each digit predicts that equal upper digits are rare. Short runs of such keys are everywhere, and there is
//! one long run, which is sorted except for two neighbours. The tie fix-up after a sort by upper digits has to find these two. Threads
//! compare neighbouring keys; if the two belong to neighbouring warps, blocks or rows, one of them is read for this comparison only.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::device::{Device, DeviceSpec};

use super::{DeviceCase, How, case};
use crate::inputs::Keys;
use crate::oracle::{Task, describe, gather, key_bytes, permutation};

/// Keys of the long run, and of each other one.
const LONG: usize = 64;
const SHORT: usize = 7;

/// There is a run for each value of a byte.
const KEYS: usize = 255 * SHORT + LONG;

/// The offset of the second key of the pair after the first phase. The warps of the tie fix-up look at 128 keys each, side by
/// side, in rows of 32; there are two blocks of eight warps for this number of keys.
const OFFSETS: [usize; 3] = [OF_ROW, OF_WARP, OF_BLOCK];
/// The first of another row of the same warp.
const OF_ROW: usize = 544;
/// The first of another warp.
const OF_WARP: usize = 640;
/// The first of the second block.
const OF_BLOCK: usize = 1024;

/// A case for each offset, of a spec that sorts by upper digits.
pub fn cases(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Vec<DeviceCase> {
    let mut one = |offset: usize| {
        let how = How {
            in_place: rng.random(),
            aligned: rng.random(),
            interleaves: rng.random(),
            device: Device { multiprocessors: 132, shared_bytes_per_block: How::ROOM },
            blocks_at_once: rng.random_range(1..=2),
            ..How::by_bits(0..describe(spec.key).1)
        };
        let case = case(spec, Keys::LoneDescent(offset), KEYS, how, rng);
        case.showing("neighbours that no thread compares")
    };
    OFFSETS.into_iter().map(&mut one).collect()
}

/// The keys of such a case. `offset` is that of the second key of the pair in the order of the upper digits.
pub fn keys(task: &Task, offset: usize, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let bytes = key_bytes(task.key);
    let key_of = |upper: u8, lower: &[u8]| [lower, &vec![upper; bytes - lower.len()]].concat();
    let sorted = |keys: &[Vec<u8>]| {
        let all = keys.concat();
        gather(&all, bytes, &permutation(task, &all))
    };
    let mut lower = || (0..bytes / 2).map(|_| rng.random()).collect::<Vec<u8>>();
    // The runs in their order, by their first bytes.
    let firsts: Vec<Vec<u8>> = (0..=255).map(|upper| key_of(upper, &vec![1; bytes / 2])).collect();
    let firsts = sorted(&firsts);
    let uppers: Vec<u8> = firsts.chunks_exact(bytes).map(|key| key[bytes - 1]).collect();
    // The pair is about in the middle of the long run.
    let rank = (offset - LONG / 2) / SHORT;
    let start = rank * SHORT;
    let long: Vec<Vec<u8>> = (0..LONG).map(|_| key_of(uppers[rank], &lower())).collect();
    let mut long = sorted(&long);
    long.rotate_right((offset - start) * bytes);
    let others = uppers.iter().enumerate().filter(|(other, _)| *other != rank);
    let mut keys: Vec<Vec<u8>> = others
        .flat_map(|(_, upper)| [*upper; SHORT])
        .map(|upper| key_of(upper, &lower()))
        .collect();
    // The keys of the long run keep its order, wherever they are.
    keys.extend((0..LONG).map(|_| Vec::new()));
    keys.shuffle(rng);
    let mut in_order = long.chunks_exact(bytes);
    let next = |key: Vec<u8>| {
        if key.is_empty() { in_order.next().unwrap_or_default().to_vec() } else { key }
    };
    keys.into_iter().flat_map(next).collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use sortsmith_codegen::device::RadixSort;
    use sortsmith_codegen::{KeyType, Order};

    use super::*;

    #[test]
    fn after_the_upper_digits_one_pair_of_a_long_run_is_in_the_wrong_order() {
        for key in [KeyType::U64, KeyType::I64, KeyType::F64] {
            for (order, nan_last) in
                [(Order::Ascending, false), (Order::Descending, false), (Order::Descending, true)]
            {
                for offset in OFFSETS {
                    let task = Task { order, nan_last, ..Task::new(key) };
                    let keys = keys(&task, offset, &mut ChaCha8Rng::seed_from_u64(offset as u64));
                    assert_eq!(keys.len(), KEYS * 8);
                    let upper = Task { begin_bit: 48, ..task };
                    let by_upper = gather(&keys, 8, &permutation(&upper, &keys));
                    // Ranks by all bits, of keys in the order of the upper ones.
                    let mut ranks = vec![0; KEYS];
                    for (rank, position) in permutation(&task, &by_upper).iter().enumerate() {
                        ranks[*position as usize] = rank;
                    }
                    let run_of = |offset: usize| &by_upper[offset * 8 + 6..offset * 8 + 8];
                    let runs = by_upper.chunks_exact(8).filter(|key| key[6..8] == *run_of(offset));
                    assert_eq!(runs.count(), LONG, "{key} {order}");
                    let is_descent =
                        |at: &usize| ranks[at - 1] > ranks[*at] && run_of(*at) == run_of(offset);
                    let descents: Vec<usize> = (1..KEYS).filter(is_descent).collect();
                    assert_eq!(descents, [offset], "{key} {order}");
                }
            }
        }
    }

    #[test]
    fn the_offsets_are_where_rows_warps_and_blocks_begin() {
        const WARP_KEYS: usize = 128;
        let spec: DeviceSpec = "device_radix_sort_u64_keys_b256_i2_asc".parse().expect("legal");
        for case in cases(&spec, &mut ChaCha8Rng::seed_from_u64(3)) {
            let fix_up = case.launches.iter().find(|launch| launch.kernel == RadixSort::FIX_UP);
            let fix_up = fix_up.expect("such keys have one");
            assert_eq!((fix_up.blocks, fix_up.threads), (2, 256), "{case}");
        }
        assert_eq!(OFFSETS.map(|offset| offset % 32), [0; 3]);
        assert_eq!(OFFSETS.map(|offset| offset % WARP_KEYS == 0), [false, true, true]);
        assert_eq!(OFFSETS.map(|offset| offset % (8 * WARP_KEYS) == 0), [false, false, true]);
    }
}
