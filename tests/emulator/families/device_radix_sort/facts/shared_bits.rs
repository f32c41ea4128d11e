//! Cases of keys that share their upper bits, or all but one of which do: MSD buckets are made by the bits below.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::device::{Device, DeviceSpec};
use sortsmith_codegen::{KeyType, ValueType};

use super::own::{BELOW_SHARED_BITS, BY_MSD_BUCKETS, RadixFacts as _, SIDE_BY_SIDE};
use crate::device_cases::{DeviceCase, How, Ways, case_of_keys};
use crate::inputs::Keys;
use crate::oracle::describe;

/// Samples of the keys say which bits these share.
const SAMPLES: usize = 1024;

/// How many upper bits keys share, how many keys there are, and how many values these have below the shared bits.
const KINDS: [(u32, usize, u32); 4] =
    [(1, 6007, u32::MAX), (3, 9001, u32::MAX), (7, 6011, u32::MAX), (3, 9013, 64)];

/// The cases of integers of 4 bytes; none of others.
pub fn cases(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Vec<DeviceCase> {
    let mut cases = Vec::new();
    if !spec.sorts_msd_buckets() || !matches!(spec.key, KeyType::U32 | KeyType::I32) {
        return cases;
    }
    for (shared, n, values) in KINDS {
        let upper: u32 = rng.random();
        let below = |key: u32| key % values << shared >> shared;
        let mut keys: Vec<u32> =
            (0..n).map(|_| upper >> (32 - shared) << (32 - shared) | below(rng.random())).collect();
        cases.push(case(spec, &keys, rng).showing("buckets below shared bits"));
        // One between the samples shares none of the bits.
        let between = (1..n).find(|at| (0..SAMPLES).all(|sample| sample * n / SAMPLES != *at));
        keys[between.expect("there are more keys than samples")] ^= u32::MAX << (32 - shared);
        cases.push(case(spec, &keys, rng).showing("upper bits that one key does not share"));
    }
    cases
}

fn case(spec: &DeviceSpec, keys: &[u32], rng: &mut ChaCha8Rng) -> DeviceCase {
    let how = How {
        in_place: rng.random_ratio(1, 3),
        writes_keys: spec.value == ValueType::None || rng.random(),
        own: Ways::from(BY_MSD_BUCKETS)
            .with(BELOW_SHARED_BITS, true)
            .with(SIDE_BY_SIDE, rng.random()),
        aligned: rng.random(),
        device: Device { multiprocessors: 2, shared_bytes_per_block: How::ROOM },
        blocks_at_once: rng.random_range(1..=2),
        ..How::by_bits(0..describe(spec.key).1)
    };
    let bytes = keys.iter().flat_map(|key| key.to_le_bytes()).collect();
    case_of_keys(spec, Keys::FewDistinct, bytes, how, rng)
}
