//! What is sorted.

use std::fmt;

use sortsmith::{SortKey, SortValue};

use crate::into::{SortInto, argsort, sort_keys, sort_pairs};
use crate::peers::Mode;

/// Types of keys and values, and what is measured of them.
pub struct Types {
    /// What they are called here.
    pub name: &'static str,
    /// What they are called in CUB's library.
    pub peer: &'static str,
    /// Bytes of a key.
    pub key_bytes: usize,
    /// Bytes of a value; 0: none.
    pub value_bytes: usize,
    /// Whether the keys are floats, which are numbers unless words are asked for.
    pub has_floats: bool,
    /// Whether the sort makes positions, and leaves the keys alone.
    pub makes_positions: bool,
    /// Our sort.
    pub sort: SortInto,
    inputs: Inputs,
}

/// Which inputs types are measured with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inputs {
    /// Random keys of all sizes.
    Sizes,
    /// And other inputs, of 2²⁰ and of 2²⁸ keys.
    SizesAndKinds,
    /// 2²⁶ keys with 17 bits that are not zero.
    FewBits,
    /// 2²⁶ random keys.
    Once,
}

/// The kind of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Random integers of all bits; floats that are numbers.
    Random,
    /// The AND of so many random words, whatever the key; none: one key.
    And(u32),
    /// Random in so many of the lowest bits.
    Bits(u32),
    /// Random keys in order.
    Sorted,
    /// Random keys in the opposite order.
    Reversed,
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::And(0) => f.write_str("equal"),
            Self::And(words) => write!(f, "and {words}"),
            Self::Bits(bits) => write!(f, "{bits} bits"),
            Self::Sorted => f.write_str("sorted"),
            Self::Reversed => f.write_str("reversed"),
        }
    }
}

/// One input.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Its kind.
    pub input: Input,
    /// How many keys.
    pub n: usize,
}

/// Powers of two, and three that are none.
const SIZES: [usize; 12] = [
    1 << 12,
    1 << 14,
    1 << 16,
    100_000,
    1 << 18,
    1 << 20,
    3_000_017,
    1 << 22,
    1 << 24,
    1 << 26,
    150_000_001,
    1 << 28,
];

impl Types {
    /// What is measured, the shortest first.
    pub fn cases(&self) -> Vec<Case> {
        let sizes = || SIZES.map(|n| Case { input: Input::Random, n });
        match self.inputs {
            Inputs::Sizes => sizes().into(),
            Inputs::SizesAndKinds => {
                let mut cases = sizes().to_vec();
                for n in [1 << 20, 1 << 28] {
                    let kinds = (0..=5).rev().map(Input::And);
                    let kinds = kinds.chain([Input::Sorted, Input::Reversed]);
                    cases.extend(kinds.map(|input| Case { input, n }));
                }
                cases
            }
            Inputs::FewBits => vec![Case { input: Input::Bits(17), n: 1 << 26 }],
            Inputs::Once => vec![Case { input: Input::Random, n: 1 << 26 }],
        }
    }

    /// Bytes that are read and written if everything is read once and written once; of positions, read keys.
    pub fn traffic(&self, n: usize) -> f64 {
        let (key, value) = (self.key_bytes as f64, self.value_bytes as f64);
        let item = if self.makes_positions { key + value } else { 2.0 * (key + value) };
        item * n as f64
    }

    /// How CUB does the same.
    pub fn peer_mode(&self) -> Mode {
        if self.makes_positions { Mode::Positions } else { Mode::InToOut }
    }

    const fn keys<K: SortKey>(name: &'static str, inputs: Inputs) -> Self {
        Self {
            name,
            peer: name,
            key_bytes: size_of::<K>(),
            value_bytes: 0,
            has_floats: K::HAS_NAN,
            makes_positions: false,
            sort: sort_keys::<K>,
            inputs,
        }
    }

    const fn pairs<K: SortKey, V: SortValue>(name: &'static str, inputs: Inputs) -> Self {
        Self {
            value_bytes: size_of::<V>(),
            sort: sort_pairs::<K, V>,
            ..Self::keys::<K>(name, inputs)
        }
    }
}

/// All types.
pub const TYPES: [Types; 10] = [
    Types::keys::<u32>("u32", Inputs::SizesAndKinds),
    Types::pairs::<f32, u32>("f32_u32", Inputs::SizesAndKinds),
    Types::pairs::<u32, u32>("u32_u32", Inputs::Sizes),
    Types::keys::<u64>("u64", Inputs::SizesAndKinds),
    Types::pairs::<u64, u32>("u64_u32", Inputs::SizesAndKinds),
    Types::pairs::<u32, u64>("u32_u64", Inputs::Sizes),
    Types::keys::<u16>("u16", Inputs::SizesAndKinds),
    Types::keys::<u8>("u8", Inputs::Sizes),
    Types::keys::<i64>("i64", Inputs::FewBits),
    Types {
        peer: "f32_u32",
        sort: argsort::<f32>,
        makes_positions: true,
        ..Types::pairs::<f32, u32>("f32_argsort", Inputs::Once)
    },
];
