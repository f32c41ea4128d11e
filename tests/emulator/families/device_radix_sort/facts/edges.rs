//! Cases of equal digits across the edge of a row, of MSD buckets that overflow in one block, and of histograms that two blocks add to
//! at once.

use std::ops::Range;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::ValueType;
use sortsmith_codegen::device::{Device, DeviceSpec};

use super::own::{BY_COUNTING, BY_MSD_BUCKETS, RadixFacts as _, SIDE_BY_SIDE};
use super::scenarios::Counting;
use crate::device_cases::{DeviceCase, How, Ways, case, rounds};
use crate::inputs::Keys;
use crate::inputs::edges::{KINDS, OF_KIND, pair};
use crate::oracle::describe;

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
        let mut how = how(0..bits, rng);
        how.own.set(BY_MSD_BUCKETS, true);
        let n = (KINDS * OF_KIND) as usize;
        let case = case(spec, Keys::OverflowingSubBuckets, n, how, rng);
        cases.push(case.showing("buckets that one block gives up after each other"));
    }
    cases
}

/// Cases in which two blocks build histograms at once, and add to the same device-wide counts.
pub fn of_counting_blocks(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Vec<DeviceCase> {
    let [_, _, two_rounds] = rounds(spec, rng);
    let mut two_blocks = |sorts_by_counting, kind, n| {
        let device = Device { multiprocessors: 2, shared_bytes_per_block: How::ROOM };
        let how = How {
            own: Ways::default().with(BY_COUNTING, sorts_by_counting),
            device,
            aligned: true,
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
        own: Ways::default().with(SIDE_BY_SIDE, rng.random()),
        device: Device { multiprocessors: 1, shared_bytes_per_block: How::ROOM },
        blocks_at_once: rng.random_range(1..=2),
        ..How::by_bits(bits)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use sortsmith_codegen::device::RadixSort;

    use super::*;
    use crate::inputs::edges::TOPS;

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
