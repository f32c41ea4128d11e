//! What a sort is and how it is done: [`SpecFields`] says it, [`SortSpec`] is one that is known to be legal.

use std::fmt;
use std::ops::Deref;

use crate::contract::options::tile_option;
pub use crate::contract::options::{BitRange, OptionValues, Rank, TileOption};
use crate::types::tokens;
use crate::types::{Arrangement, Block, KeyType, Order, Token, UnknownToken, ValueType};

macro_rules! families {
    ($(
        $(#[$doc:meta])*
        $variant:ident { $($option:ident),* } $name:ident $token:literal $($path:ident)::+;
    )*) => {
        /// The algorithm with the options that only it has.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Algorithm {
            $(
                $(#[$doc])*
                $variant {
                    $(#[doc = tile_option!(doc $option)] $option: tile_option!(type $option),)*
                },
            )*
        }

        /// The families of [`Algorithm`], without their options.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Family {
            $(
                #[doc = concat!("[`Algorithm::", stringify!($variant), "`].")]
                $variant,
            )*
        }

        tokens!(Family, "algorithm", &[$((Family::$variant, $token)),*]);

        impl Family {
            /// The first part of the names of the family's specs.
            pub fn prefix(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($name),)*
                }
            }

            /// The options that the family has.
            pub fn options(self) -> &'static [TileOption] {
                match self {
                    $(Self::$variant => &[$(tile_option!(variant $option)),*],)*
                }
            }
        }

        impl Algorithm {
            /// The algorithm of a family with its options at these values.
            ///
            /// ```
            /// use sortsmith_codegen::{Algorithm, Block, Family, OptionValues};
            /// let values = OptionValues { block: Block::linear(96), lanes: 8, ..OptionValues::default() };
            /// let algorithm = Algorithm::of(Family::BlockMerge, values);
            /// assert_eq!(algorithm, Algorithm::BlockMerge { block: Block::linear(96) });
            /// ```
            pub fn of(family: Family, values: OptionValues) -> Self {
                match family {
                    $(Family::$variant => Self::$variant { $($option: values.$option),* },)*
                }
            }

            /// The family.
            pub fn family(&self) -> Family {
                match self {
                    $(Self::$variant { .. } => Family::$variant,)*
                }
            }

            /// The values of its options; of others the default.
            pub fn values(&self) -> OptionValues {
                match *self {
                    $(Self::$variant { $($option),* } => {
                        OptionValues { $($option,)* ..OptionValues::default() }
                    })*
                }
            }
        }
    };
}
crate::tile_families!(families);

impl Family {
    /// Whether the family has an option.
    pub fn has(self, option: TileOption) -> bool {
        self.options().contains(&option)
    }
}

impl Algorithm {
    /// The threads that sort one tile together.
    pub fn block(&self) -> Block {
        let OptionValues { block, lanes, .. } = self.values();
        if self.family().has(TileOption::Lanes) { Block::linear(lanes) } else { block }
    }

    /// The bits that take part; none where a sort is always by all of them.
    pub fn bits(&self) -> Option<BitRange> {
        self.family().has(TileOption::Bits).then(|| self.values().bits)
    }

    /// Whether equal keys keep their input order.
    pub fn is_stable(&self) -> bool {
        !self.family().has(TileOption::Stable) || self.values().stable
    }
}

/// The fields of a spec, legal or not. [`SpecFields::validate`] makes a [`SortSpec`] of legal ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SpecFields {
    /// The algorithm and its options.
    pub algorithm: Algorithm,
    /// The type of the keys.
    pub key: KeyType,
    /// What travels with each key.
    pub value: ValueType,
    /// Items per thread.
    pub items: u32,
    /// Which end comes first.
    pub order: Order,
    /// Which thread holds which position before the sort.
    pub input: Arrangement,
    /// Which thread holds which position after the sort.
    pub output: Arrangement,
}

impl SpecFields {
    /// A block radix sort with every option at its default: ascending, packed rank, run-time bits, blocked in and out.
    pub fn block_radix(
        key: KeyType,
        value: ValueType,
        block: Block,
        items: u32,
        radix_bits: u32,
    ) -> Self {
        Self {
            algorithm: Algorithm::BlockRadix {
                block,
                radix_bits,
                rank: Rank::default(),
                bits: BitRange::Runtime,
            },
            key,
            value,
            items,
            order: Order::Ascending,
            input: Arrangement::Blocked,
            output: Arrangement::Blocked,
        }
    }

    /// Items of one tile.
    pub fn tile_items(&self) -> u32 {
        self.algorithm.block().threads().saturating_mul(self.items)
    }
}

/// A legal spec. Its name ([`Display`](fmt::Display), [`FromStr`](std::str::FromStr)) says all of it.
///
/// ```
/// use sortsmith_codegen::{KeyType, Order, SortSpec};
/// let spec: SortSpec = "block_radix_sort_f32_u32_b256_i16_r6_desc".parse().unwrap();
/// assert_eq!(spec.key, KeyType::F32);
/// assert_eq!(spec.order, Order::Descending);
/// assert_eq!(spec.tile_items(), 4096);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SortSpec(SpecFields);

impl SortSpec {
    /// The spec of fields that their family has found legal.
    pub(crate) fn of_legal(fields: SpecFields) -> Self {
        Self(fields)
    }

    /// The fields, to derive another spec from.
    pub fn fields(&self) -> SpecFields {
        self.0
    }
}

impl Deref for SortSpec {
    type Target = SpecFields;
    fn deref(&self) -> &SpecFields {
        &self.0
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for SortSpec {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
