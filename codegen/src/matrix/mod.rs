//! Many specs at once: the values of each axis, multiplied.
//!
//! [`Axes`] is one such product. A matrix file ([`file::parse`]) holds several of them; the command line's own flags
//! are one with a single value on each axis.
//!
//! ```
//! use sortsmith_codegen::{matrix::Axes, Block, Family, KeyType, Order};
//! let axes = Axes {
//!     algorithm: vec![Family::BlockRadix],
//!     key: vec![KeyType::U32, KeyType::F32],
//!     block: vec![Block::linear(256)],
//!     items: vec![8, 16],
//!     order: vec![Order::Ascending, Order::Descending],
//!     ..Axes::default()
//! };
//! let specs = axes.specs().unwrap();
//! assert_eq!(specs.len(), 8);
//! assert_eq!(specs[0].to_string(), "block_radix_sort_u32_keys_b256_i8_r4_asc");
//! ```

mod axis;
mod digits;
#[cfg(feature = "emit")]
pub mod file;

use std::collections::HashSet;

pub use axis::{Axis, BitSpan, RankMethod};
pub use digits::default_radix_bits;

use crate::spec::{
    Algorithm, Arrangement, BitRange, Block, Family, InnerScan, KeyType, LaneMatch, Order, Rank,
    SortSpec, SpecError, SpecFields, Token, ValueType,
};

/// The values of each axis. An axis with none is at its default; `algorithm`, `key`, `items` and, but for warp sorts,
/// `block` have no default.
///
/// An axis that only some of the algorithms (or only the packed rank) have is multiplied for those alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Axes {
    /// The algorithms.
    pub algorithm: Vec<Family>,
    /// The types of the keys.
    pub key: Vec<KeyType>,
    /// What travels with each key. Default: nothing.
    pub value: Vec<ValueType>,
    /// The thread blocks.
    pub block: Vec<Block>,
    /// Lanes of the logical warps. Default: 32.
    pub lanes: Vec<u32>,
    /// Items per thread.
    pub items: Vec<u32>,
    /// Bits of a digit. Default: [`default_radix_bits`].
    pub radix_bits: Vec<u32>,
    /// Which end comes first. Default: the least key.
    pub order: Vec<Order>,
    /// How items are ranked. Default: packed.
    pub rank: Vec<RankMethod>,
    /// Whether a packed rank keeps its counters in registers. Default: it does.
    pub memoize: Vec<bool>,
    /// How a packed rank scans across the block. Default: by warp scans.
    pub inner_scan: Vec<InnerScan>,
    /// The bits that take part. Default: arguments of the sort.
    pub bits: Vec<BitSpan>,
    /// Whether network sorts keep the order of equal keys. Default: they need not.
    pub stable: Vec<bool>,
    /// The arrangements of the input. Default: blocked.
    pub input: Vec<Arrangement>,
    /// The arrangements of the output. Default: blocked.
    pub output: Vec<Arrangement>,
    /// Whether combinations that are not legal are left out; otherwise the first of them is an error.
    pub skip_illegal: bool,
}

/// Axes that do not make specs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AxesError {
    /// An axis without a default has no value.
    #[error("axis `{axis}` has no value; every {family} sort needs one")]
    Missing {
        /// The axis.
        axis: Axis,
        /// The algorithm that needs it.
        family: Family,
    },
    /// No algorithm is named.
    #[error("axis `algorithm` has no value; legal: {}", axis::words(Family::table()))]
    NoAlgorithm,
    /// None of the algorithms has this axis.
    #[error("axis `{axis}` means nothing to {to}; legal: {legal}")]
    DoesNotApply {
        /// The axis.
        axis: Axis,
        /// The algorithms, or the ranks.
        to: String,
        /// The axes that mean something.
        legal: String,
    },
    /// A combination is not legal.
    #[error("{error}")]
    Illegal {
        /// The combination, which has no name.
        fields: Box<SpecFields>,
        /// The field that is not legal.
        error: SpecError,
    },
    /// Every combination was left out.
    #[error("no combination is legal; the first one: {0}")]
    NoneLegal(SpecError),
}

impl Axes {
    /// Every combination, in the order of the lists, each once: keys change slowest.
    pub fn specs(&self) -> Result<Vec<SortSpec>, AxesError> {
        self.check()?;
        let mut specs = Vec::new();
        let mut seen = HashSet::new();
        let mut first_error = None;
        for fields in self.algorithm.iter().flat_map(|family| self.combinations(*family)) {
            match fields.validate() {
                Ok(spec) if seen.insert(spec) => specs.push(spec),
                Ok(_) => {}
                Err(error) if self.skip_illegal => {
                    first_error.get_or_insert(error);
                }
                Err(error) => return Err(AxesError::Illegal { fields: Box::new(fields), error }),
            }
        }
        match first_error {
            Some(error) if specs.is_empty() => Err(AxesError::NoneLegal(error)),
            _ => Ok(specs),
        }
    }

    /// The axes that have values.
    pub fn given(&self) -> impl Iterator<Item = Axis> + '_ {
        Axis::ALL.iter().copied().filter(|axis| match axis {
            Axis::Algorithm => !self.algorithm.is_empty(),
            Axis::Key => !self.key.is_empty(),
            Axis::Value => !self.value.is_empty(),
            Axis::Block => !self.block.is_empty(),
            Axis::Lanes => !self.lanes.is_empty(),
            Axis::Items => !self.items.is_empty(),
            Axis::RadixBits => !self.radix_bits.is_empty(),
            Axis::Order => !self.order.is_empty(),
            Axis::Rank => !self.rank.is_empty(),
            Axis::Memoize => !self.memoize.is_empty(),
            Axis::InnerScan => !self.inner_scan.is_empty(),
            Axis::Bits => !self.bits.is_empty(),
            Axis::Stable => !self.stable.is_empty(),
            Axis::Input => !self.input.is_empty(),
            Axis::Output => !self.output.is_empty(),
        })
    }

    fn check(&self) -> Result<(), AxesError> {
        if self.algorithm.is_empty() {
            return Err(AxesError::NoAlgorithm);
        }
        for axis in self.given() {
            if !self.algorithm.iter().any(|family| axis.applies_to(*family)) {
                let to = self
                    .algorithm
                    .iter()
                    .map(|family| family.token())
                    .collect::<Vec<_>>()
                    .join(", ");
                let legal = Axis::ALL
                    .iter()
                    .filter(|axis| self.algorithm.iter().any(|family| axis.applies_to(*family)));
                return Err(AxesError::DoesNotApply {
                    axis,
                    to,
                    legal: axis::names(legal.copied()),
                });
            }
            let needs_packed = matches!(axis, Axis::Memoize | Axis::InnerScan);
            if needs_packed && !self.rank.is_empty() && !self.rank.contains(&RankMethod::Packed) {
                let to = format!("rank {}", axis::words_of(&self.rank));
                return Err(AxesError::DoesNotApply {
                    axis,
                    to,
                    legal: "the rank packed with it".to_owned(),
                });
            }
        }
        for family in &self.algorithm {
            let mut needed = Axis::ALL.iter().copied().filter(|axis| axis.is_needed_by(*family));
            if let Some(axis) = needed.find(|axis| !self.given().any(|given| given == *axis)) {
                return Err(AxesError::Missing { axis, family: *family });
            }
        }
        Ok(())
    }

    fn combinations(&self, family: Family) -> Vec<SpecFields> {
        let first = SpecFields {
            algorithm: Algorithm::BlockMerge { block: Block::linear(0) },
            key: KeyType::U32,
            value: ValueType::None,
            items: 0,
            order: Order::Ascending,
            input: Arrangement::Blocked,
            output: Arrangement::Blocked,
        };
        let all = multiply(vec![first], &self.key, |fields, key| SpecFields { key, ..fields });
        let all = multiply(all, &self.value, |fields, value| SpecFields { value, ..fields });
        let algorithms = self.algorithms(family);
        let all =
            multiply(all, &algorithms, |fields, algorithm| SpecFields { algorithm, ..fields });
        let all = multiply(all, &self.items, |fields, items| SpecFields { items, ..fields });
        let all = multiply(all, &self.order, |fields, order| SpecFields { order, ..fields });
        let all = multiply(all, &self.input, |fields, input| SpecFields { input, ..fields });
        let mut all = multiply(all, &self.output, |fields, output| SpecFields { output, ..fields });
        if self.radix_bits.is_empty() {
            for fields in &mut all {
                *fields = digits::with_radix_bits(*fields, default_radix_bits(fields));
            }
        }
        all
    }

    /// The algorithms of a family, with 0 radix bits where these are not given.
    fn algorithms(&self, family: Family) -> Vec<Algorithm> {
        let stable = or_default(&self.stable, false);
        match family {
            Family::WarpBitonic => {
                let lanes = or_default(&self.lanes, 32);
                let all = multiply(vec![(0, false)], &lanes, |(_, stable), lanes| (lanes, stable));
                let all = multiply(all, &stable, |(lanes, _), stable| (lanes, stable));
                all.into_iter()
                    .map(|(lanes, stable)| Algorithm::WarpBitonic { lanes, stable })
                    .collect()
            }
            Family::BlockBitonic => {
                let all =
                    multiply(vec![(Block::linear(0), false)], &self.block, |(_, stable), block| {
                        (block, stable)
                    });
                let all = multiply(all, &stable, |(block, _), stable| (block, stable));
                all.into_iter()
                    .map(|(block, stable)| Algorithm::BlockBitonic { block, stable })
                    .collect()
            }
            Family::BlockMerge => {
                self.block.iter().map(|block| Algorithm::BlockMerge { block: *block }).collect()
            }
            Family::BlockRadix => {
                let ranks = self.ranks();
                let bits: Vec<BitRange> =
                    or_default(&self.bits, BitSpan::ALL).iter().map(|span| span.0).collect();
                let first = (Block::linear(0), 0, Rank::default(), BitRange::Runtime);
                let all = multiply(vec![first], &self.block, |it, block| (block, it.1, it.2, it.3));
                let all = multiply(all, &self.radix_bits, |it, radix_bits| {
                    (it.0, radix_bits, it.2, it.3)
                });
                let all = multiply(all, &ranks, |it, rank| (it.0, it.1, rank, it.3));
                let all = multiply(all, &bits, |it, bits| (it.0, it.1, it.2, bits));
                all.into_iter()
                    .map(|(block, radix_bits, rank, bits)| Algorithm::BlockRadix {
                        block,
                        radix_bits,
                        rank,
                        bits,
                    })
                    .collect()
            }
        }
    }

    fn ranks(&self) -> Vec<Rank> {
        let packed =
            multiply(vec![(true, InnerScan::WarpScans)], &self.memoize, |(_, scan), memoize| {
                (memoize, scan)
            });
        let packed = multiply(packed, &self.inner_scan, |(memoize, _), scan| (memoize, scan));
        let ranks = or_default(&self.rank, RankMethod::Packed);
        ranks
            .iter()
            .flat_map(|rank| match rank {
                RankMethod::Packed => packed
                    .iter()
                    .map(|&(memoize_outer_scan, inner_scan)| Rank::Packed {
                        memoize_outer_scan,
                        inner_scan,
                    })
                    .collect(),
                RankMethod::Match => vec![Rank::Match(LaneMatch::Ballots)],
                RankMethod::MatchMasks => vec![Rank::Match(LaneMatch::SharedMasks)],
            })
            .collect()
    }
}

/// Each combination so far with each value of one more axis, or as it is where the axis has none.
fn multiply<T: Copy, U: Copy>(
    combinations: Vec<T>,
    axis: &[U],
    with: impl Fn(T, U) -> T,
) -> Vec<T> {
    if axis.is_empty() {
        return combinations;
    }
    combinations.iter().flat_map(|fields| axis.iter().map(|value| with(*fields, *value))).collect()
}

fn or_default<T: Copy>(axis: &[T], default: T) -> Vec<T> {
    if axis.is_empty() { vec![default] } else { axis.to_vec() }
}
