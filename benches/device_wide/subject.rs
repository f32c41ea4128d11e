//! What is sorted.

use sortsmith::half::f16;
use sortsmith::{SortKey, SortValue};
use sortsmith_codegen::{Order, ValueType};

use sortsmith_benchkit::{Cache, Case, Group, Input, Types};

use super::into::{
    SortInto, SortRowsInto, TopKInto, argsort, argsort_rows, sort_keys, sort_pairs,
    sort_pairs_rows, sort_rows, top_k,
};

/// A sort of some types, and what is measured of it.
pub struct Subject {
    /// What is sorted.
    pub types: Types,
    /// Whether the keys are floats, which are numbers unless random bits are requested.
    pub has_floats: bool,
    /// Our sort.
    pub sort: SortInto,
    /// Our sort of rows.
    pub sort_rows: SortRowsInto,
    /// Our top-k of such keys.
    pub top_k: TopKInto,
    inputs: Inputs,
}

/// Which inputs types are measured with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inputs {
    /// Random keys of all sizes.
    Sizes,
    /// And other inputs, of 2²⁰ and of 2²⁸ keys.
    SizesAndKinds,
    /// These, and cold ones of some sizes.
    SizesKindsAndCold,
    /// 2²⁶ keys with 17 bits that are not zero.
    FewBits,
    /// 2²⁶ random keys.
    Once,
    /// None: these types are measured in rows alone.
    OfRows,
}

/// Powers of two, and three that are none.
const SIZES: [u64; 12] = [
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

/// The numbers of keys of cold sorts.
const COLD_SIZES: [u64; 5] = [1 << 16, 1 << 20, 1 << 22, 1 << 24, 1 << 28];

impl Subject {
    /// What is measured, the shortest first.
    pub fn cases(&self) -> Vec<Case> {
        let case = |input, n| Case {
            group: Group::Device,
            types: self.types,
            input,
            n,
            shape: None,
            rows: None,
            order: Order::Ascending,
            cache: Cache::Warm,
        };
        let sizes = || SIZES.map(|n| case(Input::Random, n)).to_vec();
        let kinds = || {
            let kinds = (0..=5).rev().map(Input::And);
            let others = [Input::Sorted, Input::Reversed, Input::Distinct(16), Input::Zipf];
            let kinds: Vec<Input> = kinds.chain(others).collect();
            [1 << 20, 1 << 28]
                .map(|n| kinds.iter().map(|input| case(*input, n)).collect::<Vec<_>>())
                .concat()
        };
        let cold = |n| Case { cache: Cache::Cold, ..case(Input::Random, n) };
        match self.inputs {
            Inputs::Sizes => sizes(),
            Inputs::SizesAndKinds => [sizes(), kinds()].concat(),
            Inputs::SizesKindsAndCold => [sizes(), kinds(), COLD_SIZES.map(cold).to_vec()].concat(),
            Inputs::FewBits => vec![case(Input::Bits(17), 1 << 26)],
            Inputs::Once => vec![case(Input::Random, 1 << 26)],
            Inputs::OfRows => Vec::new(),
        }
    }

    /// Bytes of a key.
    pub fn key_bytes(&self) -> usize {
        self.types.key.bytes() as usize
    }

    /// Bytes of a value; 0: none.
    pub fn value_bytes(&self) -> usize {
        self.types.value.bytes() as usize
    }

    /// Whether the sort makes positions, and leaves the keys alone.
    pub fn makes_positions(&self) -> bool {
        self.types.value == ValueType::Index
    }

    const fn keys<K: SortKey>(inputs: Inputs) -> Self {
        Self {
            types: Types::keys(K::KEY_TYPE),
            // Keys of fewer bytes are random bits.
            has_floats: K::HAS_NAN && size_of::<K>() >= 4,
            sort: sort_keys::<K>,
            sort_rows: sort_rows::<K>,
            top_k: top_k::<K>,
            inputs,
        }
    }

    const fn pairs<K: SortKey, V: SortValue>(value: ValueType, inputs: Inputs) -> Self {
        Self {
            types: Types::pairs(K::KEY_TYPE, value),
            sort: sort_pairs::<K, V>,
            sort_rows: sort_pairs_rows::<K, V>,
            ..Self::keys::<K>(inputs)
        }
    }

    const fn positions<K: SortKey>(inputs: Inputs) -> Self {
        Self {
            types: Types::pairs(K::KEY_TYPE, ValueType::Index),
            sort: argsort::<K>,
            sort_rows: argsort_rows::<K>,
            ..Self::keys::<K>(inputs)
        }
    }
}

/// All sorts.
pub static SUBJECTS: [Subject; 13] = [
    Subject::keys::<u32>(Inputs::SizesKindsAndCold),
    Subject::pairs::<f32, u32>(ValueType::U32, Inputs::SizesKindsAndCold),
    Subject::pairs::<u32, u32>(ValueType::U32, Inputs::Sizes),
    Subject::keys::<u64>(Inputs::SizesAndKinds),
    Subject::pairs::<u64, u32>(ValueType::U32, Inputs::SizesAndKinds),
    Subject::pairs::<u32, u64>(ValueType::U64, Inputs::Sizes),
    Subject::keys::<u16>(Inputs::SizesAndKinds),
    Subject::keys::<u8>(Inputs::Sizes),
    Subject::keys::<i64>(Inputs::FewBits),
    Subject::keys::<f64>(Inputs::Once),
    Subject::positions::<f32>(Inputs::Once),
    Subject::keys::<f32>(Inputs::OfRows),
    Subject::keys::<f16>(Inputs::OfRows),
];
