//! Which sort of tiles is the best where none is named: by types, tile and architecture, as it was measured.
//!
//! ```
//! use sortsmith_codegen::tiles::TileSort;
//! use sortsmith_codegen::{Block, KeyType, ValueType};
//!
//! let sort = TileSort::pairs(KeyType::F32, ValueType::U32, Block::linear(256), 16);
//! let choice = sort.stable().choose().unwrap();
//! assert_eq!(choice.spec().to_string(), "block_bitonic_sort_f32_u32_b256_i16_asc_stable");
//! assert!(choice.reason().contains("times CUB's best"), "{}", choice.reason());
//! ```
//!
//! The rules, in this order:
//!
//! 1. The row: that of the architecture, types and shape that are the nearest to the request
//!    ([`TileRow`] has the figures, [`RECORDS`] the rows).
//! 2. Ruled out is what does not meet the request (a range of bits is for radix sorts alone, a stable order not for all
//!    networks), what is not legal (match ranks in a block with a warp that is not full), and what needs more shared memory
//!    than a block of the architecture has. A radix sort without room for its digits takes narrower ones.
//! 3. A radix sort's figure counts in proportion to its passes, where these are not as many as in what was measured: by
//!    fewer bits, by narrower digits, of longer keys.
//! 4. A network that is stable goes by the figure of the one that is not where stability costs nothing: where both
//!    compare as many registers and fetch as many words of values. Else it must have been measured itself, by truncated keys
//!    where it compares these.
//! 5. The fastest of what is left is chosen.
//!
//! Sorts of logical warps are not among them: their structs take no storage, and are of blocks of any shape.

mod choice;
mod measured;

pub use choice::{Candidate, RuledOut, TileChoice, Why};
pub use measured::{RECORDS, TileRecord, TileRow};

use std::collections::HashSet;
use std::fmt;

use crate::block::comparison::plan::ComparisonPlan;
use crate::block::radix::plan::{RADIX_BITS, RadixPlan, RankPlan, counts_keys};
use crate::contract::spec::{Algorithm, BitRange, Rank, SortSpec, SpecFields};
use crate::contract::validate::{Field, SpecError};
use crate::primitives::composite_key::CompositeKey;
use crate::registry;
use crate::types::{
    Arch, Arrangement, Block, InnerScan, KeyType, LaneMatch, Order, Token, ValueType,
};

/// How a block sorts a tile, whatever its types, its shape and its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TileMethod {
    /// By a network.
    Bitonic {
        /// Whether equal keys keep their order.
        stable: bool,
    },
    /// By merges along paths. Stable.
    Merge,
    /// Digit by digit. Stable.
    Radix {
        /// How items are ranked.
        rank: Rank,
        /// Bits of a digit.
        radix_bits: u32,
    },
}

const NETWORK: TileMethod = TileMethod::Bitonic { stable: false };
const STABLE_NETWORK: TileMethod = TileMethod::Bitonic { stable: true };
const PACKED: Rank = Rank::Packed { memoize_outer_scan: true, inner_scan: InnerScan::WarpScans };

const fn radix(rank: Rank, radix_bits: u32) -> TileMethod {
    TileMethod::Radix { rank, radix_bits }
}

/// What rows have figures of.
pub const MEASURED_METHODS: [TileMethod; 10] = [
    NETWORK,
    STABLE_NETWORK,
    TileMethod::Merge,
    radix(PACKED, 4),
    radix(PACKED, 5),
    radix(PACKED, 6),
    radix(Rank::Match(LaneMatch::Ballots), 6),
    radix(Rank::Match(LaneMatch::Ballots), 8),
    radix(Rank::Match(LaneMatch::SharedMasks), 6),
    radix(Rank::Match(LaneMatch::SharedMasks), 8),
];

impl fmt::Display for TileMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Bitonic { stable: false } => f.write_str("network"),
            Self::Bitonic { stable: true } => f.write_str("stable network"),
            Self::Merge => f.write_str("merges"),
            Self::Radix { rank: Rank::Packed { .. }, radix_bits } => {
                write!(f, "packed ranks of {radix_bits} bits")
            }
            Self::Radix { rank: Rank::Match(lanes), radix_bits } => {
                write!(f, "{} of {radix_bits} bits", lanes.token())
            }
        }
    }
}

/// A sort of tiles that says what, and not how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct TileSort {
    /// The type of the keys.
    pub key: KeyType,
    /// What travels with each key.
    pub value: ValueType,
    /// The thread block.
    pub block: Block,
    /// Items per thread.
    pub items: u32,
    /// Which end comes first.
    pub order: Order,
    /// Whether equal keys must keep their order.
    pub stable: bool,
    /// The bits that take part; all of the key where nothing is said, by whatever sort.
    pub bits: Option<BitRange>,
    /// Which thread holds which position before the sort.
    pub input: Arrangement,
    /// Which thread holds which position after the sort.
    pub output: Arrangement,
    /// The architecture that it is for.
    pub arch: Arch,
}

impl TileSort {
    /// Keys alone, ascending, equal ones in any order, blocked in and out, on `sm_90`.
    pub const fn keys(key: KeyType, block: Block, items: u32) -> Self {
        Self::pairs(key, ValueType::None, block, items)
    }

    /// The same of keys with values.
    pub const fn pairs(key: KeyType, value: ValueType, block: Block, items: u32) -> Self {
        Self {
            key,
            value,
            block,
            items,
            order: Order::Ascending,
            stable: false,
            bits: None,
            input: Arrangement::Blocked,
            output: Arrangement::Blocked,
            arch: Arch::SM_90,
        }
    }

    /// Equal keys keep their order.
    pub const fn stable(self) -> Self {
        Self { stable: true, ..self }
    }

    /// Which end comes first.
    pub const fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// The architecture that it is for.
    pub const fn on(self, arch: Arch) -> Self {
        Self { arch, ..self }
    }

    /// The fastest spec that does all of it, and why; an error where none is legal, or none fits the architecture.
    ///
    /// ```
    /// use sortsmith_codegen::tiles::TileSort;
    /// use sortsmith_codegen::{Arch, Block, KeyType};
    ///
    /// let sort = TileSort::keys(KeyType::U64, Block::linear(1024), 16).on(Arch::new(75).unwrap());
    /// let error = sort.choose().unwrap_err();
    /// assert!(error.to_string().starts_with("shared memory = "), "{error}");
    /// assert!(error.to_string().contains("at most 65536 bytes on sm_75"), "{error}");
    /// ```
    pub fn choose(self) -> Result<TileChoice, SpecError> {
        self.check()?;
        let Some((record, row)) = measured::nearest(&self) else { return Err(self.no_room(&[])) };
        let (mut candidates, mut ruled_out) = (Vec::new(), Vec::new());
        for (method, gkeys) in row.figures() {
            match self.candidate(row, method, gkeys) {
                Ok(candidate) => candidates.push(candidate),
                // A stable network that was neither requested nor measured is not listed.
                Err(Why::NotMeasured) if !self.stable => {}
                Err(why) => ruled_out.push(RuledOut { method, gkeys, why }),
            }
        }
        candidates.sort_by(|a: &Candidate, b| b.gkeys.total_cmp(&a.gkeys));
        let mut seen = HashSet::new();
        candidates.retain(|it| seen.insert(it.spec));
        let [chosen, others @ ..] = candidates.as_slice() else {
            return Err(self.no_room(&ruled_out));
        };
        Ok(TileChoice {
            sort: self,
            chosen: *chosen,
            others: others.to_vec(),
            ruled_out,
            record,
            row,
        })
    }

    /// Whether some sort of the family that has all options could be legal, room or not.
    fn check(&self) -> Result<(), SpecError> {
        match self.fields(radix(PACKED, 1)).validate() {
            Err(error) if error.field != Field::SharedMemory => Err(error),
            _ => Ok(()),
        }
    }

    /// The fields of a spec that sorts so.
    fn fields(&self, method: TileMethod) -> SpecFields {
        let Self { key, value, block, items, order, input, output, .. } = *self;
        let of = |algorithm| SpecFields { algorithm, key, value, items, order, input, output };
        match method {
            TileMethod::Bitonic { stable } => of(Algorithm::BlockBitonic { block, stable }),
            TileMethod::Merge => of(Algorithm::BlockMerge { block }),
            TileMethod::Radix { rank, radix_bits } => {
                let by = |bits| of(Algorithm::BlockRadix { block, radix_bits, rank, bits });
                // All of them as constants, where such keys are counted.
                let all = by(BitRange::Static { begin: 0, end: key.bits() });
                let usual = || if counts_keys(&all) { all } else { by(BitRange::Runtime) };
                self.bits.map_or_else(usual, by)
            }
        }
    }

    /// The spec that sorts so, if it is legal and the architecture has room for it.
    fn spec(&self, method: TileMethod) -> Result<SortSpec, Why> {
        let fields = self.fields(method);
        let spec = match fields.validate() {
            Ok(spec) => spec,
            Err(error) if error.field != Field::SharedMemory => return Err(Why::NotLegal(error)),
            Err(_) => return Err(self.too_large(&fields)),
        };
        let fits = registry::shared_bytes(&fields) <= self.arch.max_shared_bytes();
        if fits { Ok(spec) } else { Err(self.too_large(&fields)) }
    }

    fn too_large(&self, fields: &SpecFields) -> Why {
        Why::NoRoom { bytes: registry::shared_bytes(fields), arch: self.arch }
    }

    /// A method, if it meets the request and there are figures of its speed.
    fn candidate(
        &self,
        row: &TileRow,
        method: TileMethod,
        gkeys: Option<f64>,
    ) -> Result<Candidate, Why> {
        match method {
            TileMethod::Radix { rank, radix_bits } => self.by_digits(row, rank, radix_bits, gkeys),
            _ if self.bits.is_some() => Err(Why::Bits),
            TileMethod::Bitonic { stable: false } if self.stable => Err(Why::NotStable),
            TileMethod::Bitonic { .. } | TileMethod::Merge => {
                let spec = self.spec(method)?;
                let is_network = || self.stable && stability_costs_nothing(&spec);
                let network = || row.figure(NETWORK).filter(|_| is_network());
                let own = gkeys.filter(|_| row.is_of(method, &spec));
                let figure = own.map(|gkeys| (method, gkeys));
                let figure = figure.or_else(|| Some((NETWORK, network()?)));
                let (method, gkeys) = figure.ok_or(Why::NotMeasured)?;
                Ok(Candidate { spec, method, gkeys, measured: gkeys, passes: None })
            }
        }
    }

    /// A radix sort by digits as wide as the measured ones, or by the widest that there is room for.
    fn by_digits(
        &self,
        row: &TileRow,
        rank: Rank,
        widest: u32,
        gkeys: Option<f64>,
    ) -> Result<Candidate, Why> {
        let measured = gkeys.ok_or(Why::NotMeasured)?;
        let sorted = match self.bits {
            Some(BitRange::Static { begin, end }) => end - begin,
            Some(BitRange::Runtime) | None => self.key.bits(),
        };
        let passes = sorted.div_ceil(widest);
        // The narrowest digit with as few passes, but for bits that were measured as they are.
        let first = if sorted == row.key.bits() { widest } else { sorted.div_ceil(passes) };
        let (radix_bits, spec) = self.widest_with_room(rank, first)?;
        if !row.is_of(radix(rank, widest), &spec) {
            return Err(Why::NotMeasured);
        }
        let passes = [row.key.bits().div_ceil(widest), sorted.div_ceil(radix_bits)];
        let [of_measured, own] = passes.map(f64::from);
        Ok(Candidate {
            spec,
            method: radix(rank, widest),
            gkeys: measured * (of_measured / own),
            measured,
            passes: (passes[0] != passes[1]).then_some(passes),
        })
    }

    /// The widest digit, up to this one, with which there is room; why there is none where there is none. A wider digit may need
    /// less (where counters overlap with exchanged items), so those come last.
    fn widest_with_room(&self, rank: Rank, widest: u32) -> Result<(u32, SortSpec), Why> {
        let mut refused = Why::NotMeasured;
        for radix_bits in (1..=widest).rev().chain(widest + 1..=*RADIX_BITS.end()) {
            match self.spec(radix(rank, radix_bits)) {
                Ok(spec) => return Ok((radix_bits, spec)),
                Err(why) => refused = why,
            }
        }
        Err(refused)
    }

    /// Nothing is left: the least that the sorts would need.
    fn no_room(&self, ruled_out: &[RuledOut]) -> SpecError {
        let needs = ruled_out.iter().filter_map(|it| match it.why {
            Why::NoRoom { bytes, .. } => Some(bytes),
            _ => None,
        });
        let (arch, most) = (self.arch, self.arch.max_shared_bytes());
        SpecError {
            field: Field::SharedMemory,
            value: format!("{} bytes", needs.min().unwrap_or_default()),
            legal: format!("at most {most} bytes on {arch}: fewer items or threads"),
        }
    }
}

impl TileRow {
    /// Whether what was measured of a method sorts as this spec does: if either compares what others do not, or counts keys, figures of
    /// the one say nothing of the other.
    fn is_of(&self, method: TileMethod, spec: &SortSpec) -> bool {
        let measured =
            TileSort::pairs(self.key, self.value, Block::linear(self.threads), self.items);
        measured.spec(method).is_ok_and(|it| special_way(&it) == special_way(spec))
    }
}

/// What is special in how a spec sorts: the composite keys that it compares, or that it counts keys.
fn special_way(spec: &SortSpec) -> (Option<CompositeKey>, bool) {
    let composite = ComparisonPlan::of(spec).map(|plan| plan.composite);
    let counts = RadixPlan::of(spec).is_some_and(|plan| plan.rank == RankPlan::Counts);
    (
        composite.filter(|composite| {
            matches!(composite, CompositeKey::PackedPairs | CompositeKey::TruncatedKey)
        }),
        counts,
    )
}

/// Whether a stable network does what the same one does that is not stable.
fn stability_costs_nothing(stable: &SortSpec) -> bool {
    let Algorithm::BlockBitonic { block, .. } = stable.algorithm else { return false };
    let algorithm = Algorithm::BlockBitonic { block, stable: false };
    let unstable = SpecFields { algorithm, ..stable.fields() }.validate();
    let costs = |spec: &SortSpec| {
        ComparisonPlan::of(spec)
            .map(|plan| (plan.composites * plan.composite.registers(), plan.fetched_words))
    };
    unstable.is_ok_and(|unstable| costs(&unstable) == costs(stable))
}

#[cfg(test)]
mod tests;
