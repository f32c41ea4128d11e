//! Cases of keys some of which are in MSD buckets that overflow: the second phase of a device-wide radix sort sorts these alone, or all
//! where they are too many.

use rand::RngExt;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::device::{Device, DeviceSpec};
use sortsmith_codegen::{KeyType, ValueType};

use super::own::{BY_MSD_BUCKETS, RadixFacts as _, SIDE_BY_SIDE};
use crate::device_cases::{DeviceCase, How, Ways, case};
use crate::inputs::Keys;
use crate::inputs::overflow::Overflow;
use crate::oracle::describe;

impl Overflow {
    /// Each with how many cases it has.
    const ALL: [(Self, usize); 11] = [
        (Self::Copies(60), 1),
        (Self::Copies(300), 1),
        (Self::Near, 3),
        (Self::Neighbours, 2),
        (Self::Many, 1),
        (Self::Large, 2),
        (Self::AllRoom, 2),
        (Self::NoRoom, 4),
        (Self::Nans, 3),
        (Self::Distinct, 3),
        (Self::LargeOfFew, 3),
    ];

    fn shows(self) -> &'static str {
        match self {
            Self::Copies(_) => "a heavy hitter",
            Self::Distinct => "buckets of few distinct keys",
            Self::LargeOfFew => "a bucket of few distinct keys that a block has no room for",
            Self::Near => "an overflowing bucket",
            Self::Neighbours => "overflowing buckets side by side",
            Self::Many => "many overflowing buckets",
            Self::Large => "a bucket that a block has no room for, among others",
            Self::AllRoom => "as many overflowing items as there is room for",
            Self::NoRoom => "more overflowing items than there is room for",
            Self::Nans => "buckets of not-a-numbers that overflow",
        }
    }

    fn is_of(self, spec: &DeviceSpec) -> bool {
        self != Self::Nans || spec.key == KeyType::F32
    }
}

/// The cases of a spec that sorts MSD buckets; none of others.
pub fn cases(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Vec<DeviceCase> {
    let mut cases = Vec::new();
    if !spec.sorts_msd_buckets() {
        return cases;
    }
    for (kind, count) in Overflow::ALL {
        // From one array to another, with keys and side by side where that is possible; in place; without keys; without keys, and apart
        // from values.
        for way in 0..if kind.is_of(spec) { count } else { 0 } {
            let way = if count == 1 { rng.random_range(0..3) } else { way };
            let how = How {
                in_place: way == 1,
                writes_keys: way < 2 || spec.value == ValueType::None,
                own: Ways::from(BY_MSD_BUCKETS)
                    .with(SIDE_BY_SIDE, way % 2 == 0 || (way == 1 && rng.random())),
                aligned: rng.random(),
                device: Device {
                    // One block goes through several segments of buckets, or comes back to several of few distinct keys.
                    multiprocessors: if matches!(kind, Overflow::Large | Overflow::Distinct) {
                        1
                    } else {
                        *[2, 132].choose(rng).expect("not empty")
                    },
                    shared_bytes_per_block: How::ROOM,
                },
                blocks_at_once: rng.random_range(1..=4),
                ..How::by_bits(0..describe(spec.key).1)
            };
            cases.push(case(spec, Keys::Overflowing(kind), 0, how, rng).showing(kind.shows()));
        }
    }
    cases
}
