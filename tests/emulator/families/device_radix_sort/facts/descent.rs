//! Cases of keys that tie in their upper digits: of those with one long run, and of those with runs that warps and blocks sort.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::device::{Device, DeviceSpec};

use super::own::SIDE_BY_SIDE;
use crate::device_cases::{DeviceCase, How, Ways, case};
use crate::inputs::Keys;
use crate::inputs::descent::{AMONG_MANY, DESCENTS, Descent, LONG_QUEUED};
use crate::oracle::describe;

/// What other cases have.
const KEYS: usize = 256 * 6;

/// A case for each long run, and two of runs that warps and blocks sort, of a spec that sorts by upper digits.
pub fn cases(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Vec<DeviceCase> {
    let mut one = |(kind, n, shows)| {
        let is_among_many = n == AMONG_MANY.keys();
        let is_twice = n == LONG_QUEUED.keys();
        let how = How {
            // In place three passes are one too few.
            in_place: rng.random() && !is_among_many,
            aligned: rng.random(),
            own: Ways::default().with(SIDE_BY_SIDE, rng.random()),
            device: Device { multiprocessors: 132, shared_bytes_per_block: How::ROOM },
            blocks_at_once: match (is_among_many, is_twice) {
                (true, _) => 4,
                (_, true) => 2,
                _ => rng.random_range(1..=2),
            },
            ..How::by_bits(0..describe(spec.key).1)
        };
        case(spec, kind, n, how, rng).showing(shows)
    };
    let long = |descent: Descent| {
        (Keys::LoneDescent(descent), descent.runs.keys(), "neighbours that no thread compares")
    };
    let tied = (Keys::TiedRuns, KEYS, "runs that warps sort and queue");
    let single = (Keys::LoneRun, KEYS, "a run of which a warp has the first key alone");
    DESCENTS.map(long).into_iter().chain([tied, tied, single]).map(&mut one).collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use sortsmith_codegen::device::RadixSort;

    use super::*;
    use crate::inputs::descent::{OF_BLOCK, OF_ROW, OF_WARP, WARP_KEYS};

    #[test]
    fn the_offsets_are_where_rows_warps_and_blocks_begin() {
        let spec: DeviceSpec = "device_radix_sort_u64_keys_b256_i2_asc".parse().expect("legal");
        let cases = cases(&spec, &mut ChaCha8Rng::seed_from_u64(3));
        for (case, descent) in cases.iter().zip(DESCENTS) {
            let fix_up = case.launches.iter().find(|launch| launch.kernel == RadixSort::FIX_UP);
            let fix_up = fix_up.expect("such keys have one");
            let blocks = descent.runs.keys().div_ceil(8 * WARP_KEYS);
            assert_eq!((fix_up.blocks as usize, fix_up.threads), (blocks, 256), "{case}");
        }
        let offsets = [OF_ROW, OF_WARP, OF_BLOCK];
        assert_eq!(offsets.map(|offset| offset % 32), [0; 3]);
        assert_eq!(offsets.map(|offset| offset % WARP_KEYS == 0), [false, true, true]);
        assert_eq!(offsets.map(|offset| offset % (8 * WARP_KEYS) == 0), [false, false, true]);
    }
}
