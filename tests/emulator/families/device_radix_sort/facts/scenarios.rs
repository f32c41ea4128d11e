//! Scenarios of the steps that only a radix sort has: counting sorts, the tie fix-up and MSD buckets.

use sortsmith_codegen::device::DeviceSpec;
use sortsmith_codegen::{KeyType, ValueType};

use super::own::{BY_COUNTING, BY_MSD_BUCKETS, RadixFacts as _, SIDE_BY_SIDE};
use crate::device_cases::{Draft, How, Scenario};
use crate::inputs::Keys;

/// Key histograms.
#[derive(Clone, Copy, Debug)]
pub(super) enum Counting {
    /// One block counts equal keys: a counter of 16 bits hands over what it has, at 2^15, twice.
    Overflow,
    /// There are more than 2^16 of each of two values, and no lane's first key of a chunk tells of them.
    HiddenHeavyHitters,
    /// Most keys are zero, and they end within a warp that counts them as heavy hitters: lanes without keys hold zeros too.
    PartialWarp,
}

impl Counting {
    /// Each with the number of its cases.
    pub(super) const ALL: [(Self, usize); 3] =
        [(Self::Overflow, 2), (Self::HiddenHeavyHitters, 1), (Self::PartialWarp, 3)];

    /// Equal keys that overflow a counter.
    pub(super) const OVERFLOWING: usize = 70_003;
}

impl Scenario for Counting {
    fn needs(&self, spec: &DeviceSpec) -> bool {
        spec.has_key_histogram()
    }

    fn items(&self) -> usize {
        match self {
            Self::Overflow => Self::OVERFLOWING,
            Self::HiddenHeavyHitters => 152_003,
            Self::PartialWarp => 1999,
        }
    }

    fn shows(&self) -> Option<&'static str> {
        Some(match self {
            Self::Overflow => "counters that overflow",
            Self::HiddenHeavyHitters => "counters that overflow where no heavy hitter is found",
            Self::PartialWarp => "lanes without keys that count as zeros",
        })
    }

    fn arrange(&self, _: &DeviceSpec, draft: &mut Draft) {
        let Draft { kind, how, .. } = draft;
        how.own.set(BY_COUNTING, true);
        match self {
            Self::Overflow => (*kind, how.device.multiprocessors) = (Keys::AllEqual, 1),
            Self::HiddenHeavyHitters => {
                (*kind, how.aligned) = (Keys::HiddenHeavyHitters, true);
                how.device.multiprocessors = 1;
            }
            Self::PartialWarp => (*kind, how.aligned) = (Keys::LowEntropy(5), true),
        }
    }
}

/// Sorts by the upper digits with a tie fix-up. Their histograms promise fewer ties than there are.
#[derive(Clone, Copy, Debug)]
pub(super) enum TieFixUp {
    /// Keys of one nibble each: three digits promise that few agree, an odd number of passes, and 56 do. Tiles in flight see the
    /// state of the first phase.
    GivenUp,
    /// The AND of two words, in place: few agree in three digits, which in place is one pass too few.
    InPlace,
}

impl TieFixUp {
    /// Each with the number of its cases.
    pub(super) const ALL: [(Self, usize); 2] = [(Self::GivenUp, 3), (Self::InPlace, 1)];

    /// Keys that agree more often in many digits than the digits alone tell.
    pub(super) const DEPENDENT: [Keys; 3] = [Keys::Nibbles, Keys::NearNibbles, Keys::UpperBytes];

    /// Whether all bits of keys of this kind have to take part, so that the digits promise few ties.
    pub(super) fn takes_all_bits(spec: &DeviceSpec, kind: Keys) -> bool {
        let is_dependent = Self::DEPENDENT.contains(&kind) || kind == Keys::LowEntropy(2);
        spec.fixes_up_ties() && is_dependent
    }
}

impl Scenario for TieFixUp {
    fn needs(&self, spec: &DeviceSpec) -> bool {
        // The second phase has several tiles.
        spec.fixes_up_ties() && (spec.tile_items() as usize) < Self::GivenUp.items()
    }

    fn items(&self) -> usize {
        match self {
            Self::GivenUp => 900,
            Self::InPlace => 3000,
        }
    }

    fn shows(&self) -> Option<&'static str> {
        Some(match self {
            Self::GivenUp => "a second phase that meets states of the first",
            Self::InPlace => "a result that lies in the wrong array",
        })
    }

    fn arrange(&self, _: &DeviceSpec, draft: &mut Draft) {
        let Draft { kind, how, .. } = draft;
        match self {
            Self::GivenUp => {
                (*kind, how.blocks_at_once, how.in_place) = (Keys::NearNibbles, 4, false);
                how.device.multiprocessors = 132;
            }
            Self::InPlace => {
                (*kind, how.in_place, how.writes_keys) = (Keys::LowEntropy(2), true, true);
            }
        }
    }
}

/// Sorts of MSD buckets: which buckets there are, and where the phases leave the items.
#[derive(Clone, Copy, Debug)]
pub(super) struct MsdBuckets {
    buckets: Buckets,
    between: Between,
}

/// The arrays between two phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Between {
    /// Any.
    Drawn,
    /// Neither side by side nor in place.
    Apart,
}

/// Keys by the buckets that they fall into.
#[derive(Clone, Copy, Debug)]
enum Buckets {
    /// Two buckets, each of which a block sorts.
    Two,
    /// 14 keys in one sub-bucket: register windows sort them.
    FewInSubBucket,
    /// 36 keys in one sub-bucket, in both buckets of few blocks.
    ManyInSubBucket,
    /// Floats that are evenly distributed as values, most of them in one bucket. They have 256 distinct values.
    EvenValues,
    /// The same with 70 distinct values, which are heavy hitters.
    EvenHeavyHitters,
    /// The same with nearly as many distinct values as floats.
    DistinctEvenValues,
    /// Buckets of a digit's upper bits, of which a block would have room for all: keys have 25 bits.
    UpperBits,
    /// More keys in a bucket than a block has room for: of 25 bits, five of which are tied.
    Overflowing,
}

impl MsdBuckets {
    const fn drawn(buckets: Buckets) -> (Self, usize) {
        (Self { buckets, between: Between::Drawn }, 1)
    }

    const fn apart(buckets: Buckets) -> (Self, usize) {
        (Self { buckets, between: Between::Apart }, 1)
    }

    /// Each with the number of its cases.
    pub(super) const ALL: [(Self, usize); 13] = [
        Self::drawn(Buckets::Two),
        Self::apart(Buckets::Two),
        Self::drawn(Buckets::FewInSubBucket),
        Self::drawn(Buckets::ManyInSubBucket),
        Self::drawn(Buckets::Overflowing),
        Self::apart(Buckets::Overflowing),
        Self::drawn(Buckets::UpperBits),
        Self::drawn(Buckets::EvenValues),
        Self::drawn(Buckets::EvenHeavyHitters),
        Self::drawn(Buckets::DistinctEvenValues),
        Self::apart(Buckets::EvenValues),
        Self::apart(Buckets::EvenHeavyHitters),
        Self::apart(Buckets::DistinctEvenValues),
    ];
}

impl Buckets {
    /// Keys, and their distribution.
    fn keys(self) -> (usize, Keys) {
        match self {
            Self::Two => (6001, Keys::TwoTops),
            Self::FewInSubBucket => (3602, Keys::Repeated(256)),
            Self::ManyInSubBucket => (8003, Keys::Repeated(220)),
            Self::EvenValues => (5203, Keys::EvenValues(256)),
            Self::EvenHeavyHitters => (5207, Keys::EvenValues(70)),
            Self::DistinctEvenValues => (5501, Keys::EvenValues(1 << 22)),
            Self::UpperBits => (8801, Keys::Uniform),
            Self::Overflowing => (24_001, Keys::TiedBits),
        }
    }

    /// The bits that take part: a digit of fewer than eight bits, or all.
    fn end_bit(self) -> u32 {
        match self {
            Self::UpperBits | Self::Overflowing => 25,
            _ => 32,
        }
    }
}

impl Scenario for MsdBuckets {
    fn needs(&self, spec: &DeviceSpec) -> bool {
        let has_buckets = match self.buckets {
            Buckets::Two | Buckets::FewInSubBucket | Buckets::ManyInSubBucket => true,
            // Integers alone are sorted so by all bits.
            Buckets::UpperBits | Buckets::Overflowing => {
                spec.value != ValueType::None || spec.key == KeyType::F32
            }
            Buckets::EvenValues | Buckets::EvenHeavyHitters | Buckets::DistinctEvenValues => {
                spec.key == KeyType::F32
            }
        };
        has_buckets && spec.sorts_msd_buckets()
    }

    fn items(&self) -> usize {
        self.buckets.keys().0
    }

    fn shows(&self) -> Option<&'static str> {
        Some(match self.buckets {
            Buckets::Two => "buckets that a block sorts",
            Buckets::FewInSubBucket => "sub-buckets that register windows sort",
            Buckets::ManyInSubBucket => "sub-buckets that register windows have no room for",
            Buckets::EvenValues | Buckets::DistinctEvenValues => "value bucketing",
            Buckets::EvenHeavyHitters => "value bucketing with heavy hitters",
            Buckets::UpperBits => "buckets of a digit's upper bits",
            Buckets::Overflowing => "buckets that a block has no room for",
        })
    }

    fn arrange(&self, spec: &DeviceSpec, draft: &mut Draft) {
        let Draft { kind, how, .. } = draft;
        *kind = self.buckets.keys().1;
        how.bits = 0..self.buckets.end_bit();
        how.own.set(BY_MSD_BUCKETS, true);
        how.device.shared_bytes_per_block = How::ROOM;
        if self.between == Between::Apart {
            how.own.set(SIDE_BY_SIDE, false);
            how.in_place = false;
            how.writes_keys = spec.value == ValueType::None;
        }
        if let Buckets::ManyInSubBucket = self.buckets {
            how.device.multiprocessors = 1;
        }
    }
}
