//! Many specs at once: the values of each axis, multiplied.
//!
//! [`Axes`] is one such product. A matrix file ([`file::parse`]) holds several of them; the command line's own flags
//! are one with a single value on each axis. The algorithm may be [`AlgorithmWord::Auto`]: then each combination is the
//! spec that [`tiles`](crate::select::tiles) chooses for it.
//!
//! ```
//! use sortsmith_codegen::{matrix::Axes, Block, Family, KeyType, Order};
//! let axes = Axes {
//!     algorithm: vec![Family::BlockRadix.into()],
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

mod auto;
mod axis;
#[cfg(feature = "matrix")]
pub mod file;

use std::collections::HashSet;

pub use crate::block::radix::default_radix_bits;
pub use auto::Selected;
pub use axis::{AlgorithmWord, Axis, BitSpan, RankMethod};

use crate::contract::spec::{
    Algorithm, Family, OptionValues, Rank, SortSpec, SpecFields, TileOption,
};
use crate::contract::validate::SpecError;
use crate::registry;
use crate::select::tiles::TileSort;
use crate::types::{
    Arch, Arrangement, Block, InnerScan, KeyType, LaneMatch, Order, Token, ValueType,
};

/// The most combinations of one product, and of all tables of a matrix file: many times as many as anyone compiles, and
/// few enough to be listed in seconds.
pub const MAX_COMBINATIONS: usize = 1 << 16;

/// The values of each axis. An axis with none is at its default; `algorithm`, `key`, `items` and, but for warp sorts,
/// `block` have no default.
///
/// An axis that only some of the algorithms (or only the packed rank) have is multiplied for those alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Axes {
    /// The algorithms.
    pub algorithm: Vec<AlgorithmWord>,
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
    /// Whether network sorts, or whatever is chosen, keep the order of equal keys. Default: they need not.
    pub stable: Vec<bool>,
    /// The arrangements of the input. Default: blocked.
    pub input: Vec<Arrangement>,
    /// The arrangements of the output. Default: blocked.
    pub output: Vec<Arrangement>,
    /// The architectures that a sort is chosen for. Default: `sm_90`.
    pub arch: Vec<Arch>,
    /// Whether combinations that are not legal are left out; otherwise the first of them is an error.
    pub skip_illegal: bool,
}

/// Axes that do not make specs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AxesError {
    /// An axis without a default has no value.
    #[error("axis `{axis}` has no value; every {algorithm} sort needs one")]
    Missing {
        /// The axis.
        axis: Axis,
        /// The algorithm that needs it.
        algorithm: AlgorithmWord,
    },
    /// No algorithm is named.
    #[error("axis `algorithm` has no value; legal: {}", axis::words(AlgorithmWord::table()))]
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
    /// There is no sort that could be chosen.
    #[error("{error}")]
    NoChoice {
        /// The request.
        sort: Box<TileSort>,
        /// The field that is not legal.
        error: SpecError,
    },
    /// There are more combinations than a matrix may have.
    #[error(
        "combinations = {combinations} is not legal; legal: at most {MAX_COMBINATIONS} of all tables together"
    )]
    TooMany {
        /// How many there would be.
        combinations: u128,
    },
    /// Every combination was left out.
    #[error("no combination is legal; the first one: {0}")]
    NoneLegal(SpecError),
}

impl Axes {
    /// Every combination, in the order of the lists, each once: keys change slowest.
    pub fn specs(&self) -> Result<Vec<SortSpec>, AxesError> {
        Ok(self.selected()?.into_iter().map(|it| it.spec).collect())
    }

    /// The same, with what is to be said of those that were chosen.
    pub fn selected(&self) -> Result<Vec<Selected>, AxesError> {
        self.check()?;
        let combinations = self.combination_count();
        if combinations > MAX_COMBINATIONS as u128 {
            return Err(AxesError::TooMany { combinations });
        }
        let mut selected = Vec::new();
        let mut seen = HashSet::new();
        let mut first_error = None;
        for made in self.algorithm.iter().flat_map(|algorithm| self.made(*algorithm)) {
            match made {
                Ok(one) if seen.insert(one.spec) => selected.push(one),
                Ok(_) => {}
                Err(AxesError::Illegal { error, .. } | AxesError::NoChoice { error, .. })
                    if self.skip_illegal =>
                {
                    first_error.get_or_insert(error);
                }
                Err(error) => return Err(error),
            }
        }
        match first_error {
            Some(error) if selected.is_empty() => Err(AxesError::NoneLegal(error)),
            _ => Ok(selected),
        }
    }

    /// The specs of an algorithm, and its combinations that are none.
    fn made(&self, algorithm: AlgorithmWord) -> Vec<Result<Selected, AxesError>> {
        match algorithm {
            AlgorithmWord::Auto => self.requests().into_iter().map(auto::choose).collect(),
            AlgorithmWord::Family(family) => {
                let named = |fields: SpecFields| match fields.validate() {
                    Ok(spec) => Ok(Selected { spec, choice: None }),
                    Err(error) => Err(AxesError::Illegal { fields: Box::new(fields), error }),
                };
                self.combinations(family).into_iter().map(named).collect()
            }
        }
    }

    /// The most combinations that there can be, legal or not.
    pub fn combination_count(&self) -> u128 {
        let of = |algorithm: &AlgorithmWord| {
            let axes = self.given().filter(|axis| axis.applies_to(*algorithm));
            let axes = axes.chain((*algorithm == AlgorithmWord::Auto).then_some(Axis::Arch));
            let factors = axes.map(|axis| self.value_count(axis).max(1) as u128);
            factors.fold(1, u128::saturating_mul)
        };
        self.algorithm.iter().map(of).fold(0, u128::saturating_add)
    }

    /// The axes that have values.
    pub fn given(&self) -> impl Iterator<Item = Axis> + '_ {
        Axis::ALL.iter().copied().filter(|axis| self.value_count(*axis) > 0)
    }

    fn value_count(&self, axis: Axis) -> usize {
        match axis {
            Axis::Algorithm => self.algorithm.len(),
            Axis::Key => self.key.len(),
            Axis::Value => self.value.len(),
            Axis::Block => self.block.len(),
            Axis::Lanes => self.lanes.len(),
            Axis::Items => self.items.len(),
            Axis::RadixBits => self.radix_bits.len(),
            Axis::Order => self.order.len(),
            Axis::Rank => self.rank.len(),
            Axis::Memoize => self.memoize.len(),
            Axis::InnerScan => self.inner_scan.len(),
            Axis::Bits => self.bits.len(),
            Axis::Stable => self.stable.len(),
            Axis::Input => self.input.len(),
            Axis::Output => self.output.len(),
            Axis::Arch => self.arch.len(),
        }
    }

    fn check(&self) -> Result<(), AxesError> {
        if self.algorithm.is_empty() {
            return Err(AxesError::NoAlgorithm);
        }
        for axis in self.given() {
            if !self.algorithm.iter().any(|family| axis.applies_to(*family)) {
                let to = axis::words_of(&self.algorithm);
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
        for algorithm in self.algorithm.iter().copied() {
            let mut needed = Axis::ALL.iter().copied().filter(|axis| axis.is_needed_by(algorithm));
            if let Some(axis) = needed.find(|axis| !self.given().any(|given| given == *axis)) {
                return Err(AxesError::Missing { axis, algorithm });
            }
        }
        Ok(())
    }

    fn combinations(&self, family: Family) -> Vec<SpecFields> {
        let first = SpecFields {
            algorithm: Algorithm::of(family, OptionValues::default()),
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
                *fields = registry::with_default_digit(*fields);
            }
        }
        all
    }

    /// The algorithms of a family, with 0 radix bits where these are not given.
    fn algorithms(&self, family: Family) -> Vec<Algorithm> {
        let all = vec![OptionValues::default()];
        let all = multiply(all, of(family, TileOption::Block, &self.block), |values, block| {
            OptionValues { block, ..values }
        });
        let all = multiply(all, of(family, TileOption::Lanes, &self.lanes), |values, lanes| {
            OptionValues { lanes, ..values }
        });
        let radix_bits = of(family, TileOption::RadixBits, &self.radix_bits);
        let all =
            multiply(all, radix_bits, |values, radix_bits| OptionValues { radix_bits, ..values });
        let all = multiply(all, of(family, TileOption::Rank, &self.ranks()), |values, rank| {
            OptionValues { rank, ..values }
        });
        let all = multiply(all, of(family, TileOption::Bits, &self.bits), |values, bits| {
            OptionValues { bits: bits.0, ..values }
        });
        let all = multiply(all, of(family, TileOption::Stable, &self.stable), |values, stable| {
            OptionValues { stable, ..values }
        });
        all.into_iter().map(|values| Algorithm::of(family, values)).collect()
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

/// The values of an axis for a family: none where it does not have the option.
fn of<T>(family: Family, option: TileOption, values: &[T]) -> &[T] {
    if family.has(option) { values } else { &[] }
}

fn or_default<T: Copy>(axis: &[T], default: T) -> Vec<T> {
    if axis.is_empty() { vec![default] } else { axis.to_vec() }
}
