//! What a block radix sort does and needs, decided here once: the header, the launch, `explain` and validation all
//! read the same [`RadixPlan`].

use std::ops::RangeInclusive;

use crate::contract::spec::{Algorithm, BitRange, Family, Rank, SortSpec, SpecFields};
use crate::contract::validate::{Field, SpecError};
use crate::contract::validate::{
    check_arrangements, check_block, check_items, check_shared_bytes, not_of, require,
};
use crate::layout::Region;
pub use crate::layout::{Padding, STATIC_SHARED_BYTES, SharedArray};
use crate::types::{Arrangement, Block, InnerScan, KeyClass, LaneMatch, UnsignedType, ValueType};

/// What goes through shared memory beside the keys in each pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carry {
    /// Nothing: keys alone.
    Nothing,
    /// The values themselves.
    Values,
    /// The positions that are the result.
    Positions,
    /// Each item's first position, by which the values are fetched once, after the last pass: two bytes a pass in place
    /// of the value's eight or sixteen.
    Sources,
}

/// The storage and the steps of ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankPlan {
    /// Thread-private packed counters.
    Packed {
        /// Words of counters a thread has: half the bins.
        lanes: u32,
        /// Words each thread rakes: `lanes` made odd, so that raking threads hit different banks.
        segment: u32,
        /// Keep the segment in registers between the sweeps.
        memoize: bool,
        /// How the threads' totals are scanned.
        inner_scan: InnerScan,
    },
    /// A histogram for each warp.
    Match {
        /// How the histograms are scanned.
        scan: BinScan,
        /// How lanes of one digit find each other.
        lanes: LaneMatch,
    },
    /// A counter of the block for each key: the digit is all of a key, and keys of one digit are alike in any order.
    Counts,
}

/// Which threads scan which bins of the warps' histograms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinScan {
    /// A thread has this number of bins, in all histograms.
    Bins(u32),
    /// This number of threads have a bin, each in the histograms of its own group of warps.
    Groups(u32),
}

impl BinScan {
    /// As many groups as there are threads for, if they divide the warps.
    fn of(threads: u32, bins: u32) -> Self {
        let warps = threads / 32;
        let groups = (1..=threads / bins.max(1))
            .rev()
            .find(|groups| groups.is_power_of_two() && warps.is_multiple_of(*groups));
        match groups {
            None | Some(1) => Self::Bins(bins.div_ceil(threads.max(1))),
            Some(groups) => Self::Groups(groups),
        }
    }

    /// Words that nothing uses behind each histogram, so that the threads of a bin do not meet in a bank.
    fn gap(self, warps: u32) -> u32 {
        match self {
            Self::Bins(_) => 0,
            Self::Groups(_) => (32 / warps).max(1),
        }
    }
}

/// All that is decided about one block radix sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RadixPlan {
    /// The thread block.
    pub block: Block,
    /// Bits of a digit.
    pub radix_bits: u32,
    /// The first and one past the last bit, where they are constants.
    pub static_bits: Option<(u32, u32)>,
    /// Passes over all bits of the key, or over the constant range.
    pub passes: u32,
    /// The arrangement in which items are ranked.
    pub ranked: Arrangement,
    /// The arrangement in which a tile kernel loads.
    pub tile_input: Arrangement,
    /// What goes with the keys.
    pub carry: Carry,
    /// The type in which keys lie in shared memory.
    pub stored_key: UnsignedType,
    /// The type in which keys are held in registers.
    pub register_key: UnsignedType,
    /// Ranking.
    pub rank: RankPlan,
    /// Gaps in the array of keys.
    pub key_padding: Padding,
    /// Gaps in the array of what goes with the keys.
    pub carry_padding: Padding,
    /// Gaps in the array of value words, where values are fetched at the end.
    pub word_padding: Padding,
    /// Whether ranking and exchange use the same bytes, at the price of two more barriers a pass.
    pub overlaps: bool,
    /// `sizeof(TempStorage)`.
    pub shared_bytes: u32,
    /// Items per thread.
    pub items: u32,
    input: Arrangement,
    output: Arrangement,
    value: ValueType,
}

/// Resident threads of a multiprocessor for which ranking and exchange storage should both fit, and the bytes they may
/// take there. Past that, sharing the bytes between the two is worth its barriers.
const RESIDENT_THREADS: u32 = 1024;
const RESIDENT_BYTES: u32 = 200 * 1024;

impl RadixPlan {
    /// The plan of a spec; `None` where it is of another family.
    pub fn of(spec: &SortSpec) -> Option<Self> {
        Self::of_fields(spec)
    }

    fn of_fields(fields: &SpecFields) -> Option<Self> {
        let Algorithm::BlockRadix { block, radix_bits, rank, bits } = fields.algorithm else {
            return None;
        };
        let static_bits = match bits {
            BitRange::Runtime => None,
            BitRange::Static { begin, end } => Some((begin, end)),
        };
        let carry = match fields.value {
            ValueType::None => Carry::Nothing,
            ValueType::Index => Carry::Positions,
            ValueType::U64 | ValueType::U128 => Carry::Sources,
            ValueType::U8 | ValueType::U16 | ValueType::U32 => Carry::Values,
        };
        let (rank_plan, ranked) = if counts_keys(fields) {
            (RankPlan::Counts, fields.input)
        } else {
            plan_rank(block, radix_bits, rank)
        };
        let stored_key = fields.key.storage();
        let mut plan = Self {
            block,
            radix_bits,
            static_bits,
            passes: static_bits
                .map_or(fields.key.bits(), |(begin, end)| end.saturating_sub(begin))
                .div_ceil(radix_bits.max(1)),
            ranked,
            tile_input: if block.has_full_warps() {
                Arrangement::WarpStriped
            } else {
                Arrangement::Striped
            },
            carry,
            stored_key,
            register_key: stored_key.widened(),
            rank: rank_plan,
            key_padding: Padding::of(stored_key.bytes, fields.items, true),
            carry_padding: Padding::NONE,
            word_padding: Padding::NONE,
            overlaps: false,
            shared_bytes: 0,
            items: fields.items,
            input: fields.input,
            output: fields.output,
            value: fields.value,
        };
        if let Some(carried) = plan.carried() {
            plan.carry_padding = Padding::of(carried.bytes, fields.items, true);
        }
        if carry == Carry::Sources {
            plan.word_padding = Padding::of(4, fields.items, true);
        }
        plan.lay_out();
        Some(plan)
    }

    /// Decides whether the regions share bytes, and what all of it takes.
    fn lay_out(&mut self) {
        let rank = Region::of(&self.rank_arrays());
        let exchange = self.exchange_region();
        let apart = rank.then(exchange);
        let blocks = (RESIDENT_THREADS / self.block.threads().max(1)).max(1);
        self.overlaps = apart.size_of().saturating_mul(blocks) > RESIDENT_BYTES;
        self.shared_bytes = if self.overlaps { rank.or(exchange) } else { apart }.size_of();
    }

    /// Items of a tile.
    pub fn tile_items(&self) -> u32 {
        self.block.threads().saturating_mul(self.items)
    }

    /// Bins of a digit.
    pub fn bins(&self) -> u32 {
        1 << self.radix_bits
    }

    /// Words from one warp's histogram to the next one's.
    pub fn histogram_words(&self) -> u32 {
        match self.rank {
            RankPlan::Match { scan, .. } => self.bins() + scan.gap(self.block.threads() / 32),
            RankPlan::Packed { .. } | RankPlan::Counts => 0,
        }
    }

    /// The type in which shared memory holds what goes with the keys.
    pub fn carried(&self) -> Option<UnsignedType> {
        match self.carry {
            Carry::Nothing => None,
            Carry::Values => Some(match self.value {
                ValueType::U8 => UnsignedType { bytes: 1, cuda: "unsigned char" },
                ValueType::U16 => UnsignedType { bytes: 2, cuda: "unsigned short" },
                _ => UnsignedType { bytes: 4, cuda: "unsigned int" },
            }),
            // A tile has at most 1024 × 64 items.
            Carry::Positions | Carry::Sources => {
                Some(UnsignedType { bytes: 2, cuda: "unsigned short" })
            }
        }
    }

    /// Words of one value, where values are fetched word by word at the end.
    pub fn value_words(&self) -> u32 {
        if self.carry == Carry::Sources { self.value.bytes() / 4 } else { 0 }
    }

    /// Slots of the arrays of keys, of what goes with them, and of value words.
    pub fn slots(&self) -> (u32, u32, u32) {
        let tile = self.tile_items();
        (
            self.key_padding.slots(tile),
            self.carry_padding.slots(tile),
            self.word_padding.slots(tile),
        )
    }

    /// The arrays that ranking uses, in the order of the header's `RankStorage`.
    pub fn rank_arrays(&self) -> Vec<SharedArray> {
        let threads = self.block.threads();
        let warps = self.block.warps();
        match self.rank {
            RankPlan::Packed { segment, inner_scan, .. } => {
                let counters =
                    SharedArray::words("packed counters", segment.saturating_mul(threads));
                let scan = match inner_scan {
                    InnerScan::WarpScans => SharedArray::words("totals of warps", warps),
                    InnerScan::Raking | InnerScan::RakingMemoize => {
                        SharedArray::words("raked totals of threads", raking_words(threads))
                    }
                };
                vec![counters, scan]
            }
            RankPlan::Match { lanes, .. } => {
                let words = warps * self.histogram_words();
                let mut arrays = vec![SharedArray::words("histograms of warps", words)];
                if lanes == LaneMatch::SharedMasks {
                    arrays.push(SharedArray::words("masks of lanes", warps * self.bins()));
                }
                arrays.push(SharedArray::words("totals of warps", warps));
                arrays
            }
            RankPlan::Counts => vec![
                SharedArray::words("counters of keys", self.bins()),
                SharedArray::words("totals of warps", warps),
            ],
        }
    }

    /// The arrays through which items move, in the order of the header's `ExchangeStorage`.
    pub fn exchange_arrays(&self) -> Vec<SharedArray> {
        let (keys, carried_slots, _) = self.slots();
        let element_bytes = self.stored_key.bytes;
        let mut arrays = vec![SharedArray { what: "keys", element_bytes, length: keys }];
        if let Some(carried) = self.carried() {
            let what = if self.carry == Carry::Values { "values" } else { "positions" };
            arrays.push(SharedArray { what, element_bytes: carried.bytes, length: carried_slots });
        }
        arrays
    }

    /// The array that takes the place of the exchange after the last pass, where values are fetched then.
    pub fn end_array(&self) -> Option<SharedArray> {
        let (_, _, words) = self.slots();
        let array = SharedArray::words("one word of each value at a time", words);
        (self.carry == Carry::Sources).then_some(array)
    }

    fn exchange_region(&self) -> Region {
        let items = Region::of(&self.exchange_arrays()).padded();
        self.end_array().map_or(items, |words| items.or(Region::of(&[words])))
    }

    /// `__syncthreads` calls of one sort from the spec's input to its output arrangement over all passes.
    pub fn barriers(&self) -> u32 {
        let many_warps = u32::from(self.block.warps() > 1);
        let inner = match self.rank {
            RankPlan::Packed {
                inner_scan: InnerScan::Raking | InnerScan::RakingMemoize, ..
            } => 2,
            _ => many_warps,
        };
        if self.rank == RankPlan::Counts {
            // Counters are zero, have counted, and are offsets; then the exchange.
            return 4 + inner + u32::from(self.overlaps);
        }
        let rank_and_exchange = 2 + inner + 1;
        let turning = if self.input == self.ranked {
            0
        } else {
            u32::from(!self.exchanges_within_warps(self.input, self.ranked))
                + u32::from(self.overlaps)
        };
        let between = if self.overlaps { 2 * self.passes - 1 } else { 0 };
        turning + self.passes * rank_and_exchange + between + 2 * self.value_words()
    }

    /// Whether an exchange between two arrangements moves no item out of its warp.
    pub fn exchanges_within_warps(&self, from: Arrangement, to: Arrangement) -> bool {
        self.block.has_full_warps() && from != Arrangement::Striped && to != Arrangement::Striped
    }

    /// The spec's own arrangements, in and out.
    pub fn arrangements(&self) -> (Arrangement, Arrangement) {
        (self.input, self.output)
    }
}

/// Whether a digit is all of a key and keys go alone. Floats are not, of which two are equal, in the order of the input.
pub(crate) fn counts_keys(fields: &SpecFields) -> bool {
    let Algorithm::BlockRadix { radix_bits, rank: Rank::Match(_), bits, .. } = fields.algorithm
    else {
        return false;
    };
    let all = fields.key.bits();
    fields.value == ValueType::None
        && fields.key.info().class != KeyClass::Float
        && radix_bits >= all
        && bits == (BitRange::Static { begin: 0, end: all })
}

/// Words of shared memory of a raking scan: a row of values, made odd, for each raking lane, and the total.
fn raking_words(threads: u32) -> u32 {
    let lanes = threads.min(32);
    let row = threads.div_ceil(lanes.max(1));
    lanes.saturating_mul(row | 1) + 1
}

fn plan_rank(block: Block, radix_bits: u32, rank: Rank) -> (RankPlan, Arrangement) {
    let bins = 1u32 << radix_bits.min(8);
    match rank {
        Rank::Packed { memoize_outer_scan, inner_scan } => {
            let lanes = (bins / 2).max(1);
            let plan = RankPlan::Packed {
                lanes,
                segment: lanes | 1,
                memoize: memoize_outer_scan,
                inner_scan,
            };
            (plan, Arrangement::Blocked)
        }
        Rank::Match(lanes) => {
            let plan = RankPlan::Match { scan: BinScan::of(block.threads(), bins), lanes };
            (plan, Arrangement::WarpStriped)
        }
    }
}

/// The digits that are legal.
pub(crate) const RADIX_BITS: RangeInclusive<u32> = 1..=8;

/// The fields as a spec of this family, or the first field that is not legal.
pub(crate) fn validate(fields: SpecFields) -> Result<SortSpec, SpecError> {
    let Algorithm::BlockRadix { block, radix_bits, rank, bits } = fields.algorithm else {
        return Err(not_of(&[Family::BlockRadix], &fields));
    };
    check_items(&fields, 64)?;
    check_block(block)?;
    require(RADIX_BITS.contains(&radix_bits), Field::RadixBits, radix_bits, "1 to 8")?;
    require(
        matches!(rank, Rank::Packed { .. }) || block.has_full_warps(),
        Field::Block,
        block,
        "a multiple of 32 threads where the rank is match; or the rank packed",
    )?;
    check_bits(&fields, bits)?;
    check_arrangements(&fields)?;
    check_shared_bytes(shared_bytes(&fields))?;
    Ok(SortSpec::of_legal(fields))
}

fn check_bits(fields: &SpecFields, bits: BitRange) -> Result<(), SpecError> {
    let BitRange::Static { begin, end } = bits else { return Ok(()) };
    let key_bits = fields.key.bits();
    require(
        begin < end && end <= key_bits,
        Field::Bits,
        format_args!("{begin}..{end}"),
        format_args!("begin < end <= {key_bits} for {} keys", fields.key),
    )
}

/// Bytes of shared memory that a spec of these fields needs; 0 where it is of another family.
pub(crate) fn shared_bytes(fields: &SpecFields) -> u32 {
    RadixPlan::of_fields(fields).map_or(0, |plan| plan.shared_bytes)
}
