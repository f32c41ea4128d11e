//! Cases of keys that share their upper bits, or all but one of which do: MSD buckets are made by the bits below.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::device::{Device, DeviceSpec};
use sortsmith_codegen::{KeyType, ValueType};

use super::own::{BELOW_SHARED_BITS, BY_MSD_BUCKETS, RadixFacts as _, SIDE_BY_SIDE};
use crate::device_cases::{DeviceCase, How, Ways, case_of_keys};
use crate::inputs::Keys;
use crate::inputs::overflow::{self, Overflow};
use crate::oracle::describe;

/// Samples of the keys say which bits these share.
const SAMPLES: usize = 1024;

/// Of the bits that keys share some are set, in either order and with a sign.
const UPPER: u32 = 0xaaaa_aaaa;

/// What keys are below the bits that they share.
#[derive(Clone, Copy)]
enum Below {
    /// As many random ones.
    Random(usize),
    /// Keys with such buckets.
    Buckets(Overflow),
}

/// How many upper bits keys share, and what they are below.
const KINDS: [(u32, Below); 5] = [
    (1, Below::Random(6007)),
    (3, Below::Random(9001)),
    (7, Below::Random(6011)),
    (3, Below::Buckets(Overflow::Distinct)),
    (2, Below::Buckets(Overflow::Near)),
];

/// The cases of integers of 4 bytes; none of others.
pub fn cases(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Vec<DeviceCase> {
    let mut cases = Vec::new();
    if !spec.sorts_msd_buckets() || !matches!(spec.key, KeyType::U32 | KeyType::I32) {
        return cases;
    }
    for (shared, below) in KINDS {
        let upper = UPPER >> (32 - shared) << (32 - shared);
        let mut keys = numbers_below(below, rng);
        for key in &mut keys {
            *key = upper | *key >> shared;
        }
        cases.push(case(spec, &keys, rng).showing("buckets below shared bits"));
        // One between the samples shares none of the bits.
        let n = keys.len();
        let between = (1..n).find(|at| (0..SAMPLES).all(|sample| sample * n / SAMPLES != *at));
        keys[between.expect("there are more keys than samples")] ^= u32::MAX << (32 - shared);
        cases.push(case(spec, &keys, rng).showing("upper bits that one key does not share"));
    }
    cases
}

/// Numbers of 32 bits, of which the upper ones are what lies below the shared bits.
fn numbers_below(below: Below, rng: &mut ChaCha8Rng) -> Vec<u32> {
    match below {
        Below::Random(n) => (0..n).map(|_| rng.random()).collect(),
        Below::Buckets(kind) => overflow::keys(kind, rng)
            .chunks_exact(4)
            .map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four bytes")))
            .collect(),
    }
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
