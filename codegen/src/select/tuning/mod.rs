//! Shapes of device-wide sorts that were measured on a GPU, and come before the built-in ones there.
//!
//! A [`Case`] is what a shape is chosen for: types, and a class of lengths. A [`Tuning`] holds shapes of cases, whatever they
//! are from; the module `file`, of the feature `tuning`, keeps them on disk.
//!
//! ```
//! use sortsmith_codegen::device::{Device, DeviceAlgorithm, Shape};
//! use sortsmith_codegen::dispatch::ArraySort;
//! use sortsmith_codegen::tuning::{Case, Tuning};
//! use sortsmith_codegen::{Arch, KeyType, ValueType};
//!
//! let h100 = Device::of(Arch::new(90).unwrap());
//! // Signed keys go by the row of unsigned ones.
//! let case = Case::of(KeyType::I32, ValueType::U32, 3_000_000).unwrap();
//! assert_eq!(case.to_string(), "u32_u32 up to 4194304");
//! let shape = Shape { algorithm: DeviceAlgorithm::Radix, threads: 512, items: 12 };
//! let tuning = Tuning::default().with(case, shape);
//! let choice = ArraySort::pairs(KeyType::I32, ValueType::U32).choice(3_000_000, h100, &tuning);
//! assert_eq!(choice.kernel.to_string(), "device_radix_sort_i32_u32_b512_i12_asc");
//! assert_eq!(choice.built_in.to_string(), "device_radix_sort_i32_u32_b384_i24_asc");
//! ```

mod candidates;
#[cfg(feature = "tuning")]
pub mod crossover;
#[cfg(feature = "tuning")]
pub mod file;
#[cfg(feature = "tuning")]
mod text;

use std::collections::HashMap;
use std::fmt;

use crate::device::{Device, DeviceFields, DeviceSpec, DeviceSpecError, SMALL_N, Shape};
use crate::select::array_sort::ArraySort;
use crate::types::{KeyClass, KeyType, Order, ValueType};

/// Numbers of items that go by one row: more than those of the class before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SizeClass(u64);

impl SizeClass {
    /// Every class, the fewest items first.
    pub const ALL: [Self; 8] = [
        Self(SMALL_N[0]),
        Self(SMALL_N[1]),
        Self(SMALL_N[2]),
        Self(SMALL_N[3]),
        Self(SMALL_N[4]),
        Self(1 << 22),
        Self(1 << 25),
        Self(DeviceFields::MAX_NARROW_ITEMS),
    ];

    /// That of n items, unless they are more than any class has.
    pub fn of(n: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|class| n <= class.0)
    }

    /// The most items.
    pub const fn most(self) -> u64 {
        self.0
    }

    /// The fewest items that a class before it does not have.
    pub fn least(self) -> u64 {
        let before = Self::ALL.into_iter().rev().find(|class| *class < self);
        before.map_or(1, |class| class.0 + 1)
    }
}

/// What a shape is chosen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Case {
    key: KeyType,
    value: ValueType,
    class: SizeClass,
}

/// The type of keys that stands for all of its size that are sorted as it is, but for the way to ordered bits.
const fn representative(key: KeyType) -> KeyType {
    match key {
        KeyType::Bool | KeyType::I8 => KeyType::U8,
        KeyType::I16 => KeyType::U16,
        KeyType::I32 => KeyType::U32,
        KeyType::I64 => KeyType::U64,
        KeyType::I128 => KeyType::U128,
        KeyType::Bf16 => KeyType::F16,
        KeyType::F8E5m2 => KeyType::F8E4m3,
        other => other,
    }
}

impl Case {
    /// That of n items, unless they are more than are tuned.
    pub fn of(key: KeyType, value: ValueType, n: u64) -> Option<Self> {
        SizeClass::of(n).map(|class| Self { key: representative(key), value, class })
    }

    /// The type of keys that stands for all that go by the same row.
    pub fn key(&self) -> KeyType {
        self.key
    }

    /// What goes with a key.
    pub fn value(&self) -> ValueType {
        self.value
    }

    /// How many items.
    pub fn class(&self) -> SizeClass {
        self.class
    }

    /// The spec of a shape, or why there is none.
    pub fn spec(&self, shape: Shape) -> Result<DeviceSpec, DeviceSpecError> {
        let Shape { algorithm, threads, items } = shape;
        let Self { key, value, class } = *self;
        let fields = DeviceFields {
            algorithm,
            key,
            value,
            threads,
            items,
            order: Order::Ascending,
            nan_last: false,
            wide: false,
            counted: false,
        };
        let spec = fields.validate()?;
        if algorithm.grid().is_none() {
            let legal = "what is chosen because it is fast".to_owned();
            let value = algorithm.token().to_owned();
            return Err(DeviceSpecError { field: "algorithm", value, legal });
        }
        if spec.max_items() < class.most() {
            return Err(DeviceSpecError {
                field: "max_items",
                value: spec.max_items().to_string(),
                legal: format!("at least {} for this class", class.most()),
            });
        }
        Ok(spec)
    }

    /// The spec that the built-in rows have for it.
    pub fn built_in(&self, device: Device) -> DeviceSpec {
        let Self { key, value, class } = *self;
        DeviceSpec::tuned(key, value, Order::Ascending, false, class.most(), device)
    }

    /// All shapes that a search tries: legal specs that the device has the shared memory for, the nearest to the built-in one
    /// first, and that one before all.
    pub fn candidates(&self, device: Device) -> Vec<DeviceSpec> {
        candidates::of(self, device)
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}_{} up to {}", self.key, self.value, self.class.most()))
    }
}

/// Shapes of cases, that come before the built-in ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tuning(HashMap<Case, Shape>);

impl Tuning {
    /// With this shape for a case, in place of another that was there.
    #[must_use]
    pub fn with(mut self, case: Case, shape: Shape) -> Self {
        self.0.insert(case, shape);
        self
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The shape for a case.
    pub fn shape(&self, case: &Case) -> Option<Shape> {
        self.0.get(case).copied()
    }

    /// The spec for n items of a sort, if there is one with all its options that the device has room for.
    pub fn kernel(&self, sort: ArraySort, n: u64, device: Device) -> Option<DeviceSpec> {
        let case = Case::of(sort.key, sort.value, n)?;
        let spec = case.spec(self.shape(&case)?).ok()?;
        if sort.takes_bits && !spec.algorithm.takes_bits() {
            return None;
        }
        let nan_last = sort.nan_last && sort.key.info().class == KeyClass::Float;
        let ArraySort { key, order, counted, .. } = sort;
        let fields = DeviceFields { key, order, nan_last, counted, ..spec.fields() };
        let spec = fields.validate().ok()?;
        (spec.shared_bytes() <= device.shared_bytes_per_block).then_some(spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::DeviceAlgorithm;
    use crate::registry::KernelSpec;
    use crate::select::array_sort::Method;
    use crate::types::{Arch, Token};

    fn device(arch: u32) -> Device {
        Device::of(Arch::new(arch).expect("known"))
    }

    /// All cases that there are.
    fn cases() -> impl Iterator<Item = Case> {
        let keys = KeyType::ALL.iter().filter(|key| representative(**key) == **key);
        keys.flat_map(|key| {
            ValueType::table().iter().flat_map(move |(value, _)| {
                SizeClass::ALL.into_iter().filter_map(|class| Case::of(*key, *value, class.most()))
            })
        })
    }

    #[test]
    fn classes_follow_each_other() {
        let mut next = 1;
        for class in SizeClass::ALL {
            assert_eq!(class.least(), next);
            assert_eq!([class.least(), class.most()].map(SizeClass::of), [Some(class); 2]);
            next = class.most() + 1;
        }
        assert_eq!(SizeClass::of(next), None);
    }

    #[test]
    fn candidates_are_legal_and_the_built_in_one_comes_first() {
        for arch in [75, 86, 90] {
            let device = device(arch);
            for case in cases() {
                let candidates = case.candidates(device);
                assert_eq!(candidates[0], case.built_in(device), "{case}");
                assert!(candidates.len() >= 4, "{case} on sm_{arch}: {candidates:?}");
                for (index, spec) in candidates.iter().enumerate() {
                    assert_eq!(case.spec(spec.shape()), Ok(*spec), "{case}");
                    assert_eq!(spec.fields().validate(), Ok(*spec));
                    assert!(spec.shared_bytes() <= device.shared_bytes_per_block, "{spec}");
                    assert!(spec.max_items() >= case.class().most(), "{spec}");
                    assert!(!candidates[..index].contains(spec), "{spec} twice");
                }
            }
        }
    }

    #[test]
    fn a_row_is_for_all_types_of_its_kind_and_either_order() {
        let case = Case::of(KeyType::F16, ValueType::Index, 1 << 21).expect("a class");
        let shape = Shape { algorithm: DeviceAlgorithm::Radix, threads: 512, items: 10 };
        let tuning = Tuning::default().with(case, shape);
        let name = |sort: ArraySort, n| {
            tuning.kernel(sort, n, device(90)).map(|spec| spec.to_string()).unwrap_or_default()
        };
        let sort = ArraySort::argsort(KeyType::Bf16).descending();
        assert_eq!(name(sort, 1 << 22), "device_radix_sort_bf16_index_b512_i10_desc");
        assert_eq!(
            name(sort.nan_last(), (3 << 19) + 1),
            "device_radix_sort_bf16_index_b512_i10_desc_nanlast"
        );
        // Another class, other values, other kinds of keys; and too little shared memory.
        assert_eq!(name(sort, 1 << 20), "");
        assert_eq!(name(ArraySort::pairs(KeyType::F16, ValueType::U32), 1 << 22), "");
        assert_eq!(name(ArraySort::argsort(KeyType::I16), 1 << 22), "");
        let little = Device { shared_bytes_per_block: 16 * 1024, ..device(90) };
        assert_eq!(tuning.kernel(sort, 1 << 22, little), None);
    }

    #[test]
    fn what_samples_do_not_do_goes_by_the_built_in_rows() {
        let case = Case::of(KeyType::F32, ValueType::None, 1 << 17).expect("a class");
        let shape =
            Shape { algorithm: DeviceAlgorithm::Sample { rows: false }, threads: 256, items: 4 };
        let tuning = Tuning::default().with(case, shape);
        let sort = ArraySort::keys(KeyType::F32);
        let choice = sort.choice(1 << 17, device(90), &tuning);
        assert_eq!(choice.kernel.to_string(), "device_sample_sort_f32_keys_b256_i4_asc");
        let last = sort.nan_last();
        let choice = last.choice(1 << 17, device(90), &tuning);
        assert_eq!(choice.kernel, choice.built_in);
        assert_eq!(choice.built_in, last.kernel(1 << 17, device(90)));
        // Samples of such a shape do not take as many items as this class has.
        let case = Case::of(KeyType::F32, ValueType::None, 1 << 20).expect("a class");
        let small = Shape { items: 2, ..shape };
        assert!(case.spec(small).is_err());
        let tuning = Tuning::default().with(case, small);
        assert_eq!(tuning.kernel(sort, 1 << 20, device(90)), None);
    }

    #[test]
    fn a_row_of_partition_sorts_is_for_sorts_by_all_bits() {
        let n = 5_000_000;
        let case = Case::of(KeyType::I64, ValueType::Index, n).expect("a class");
        let shape = Shape { algorithm: DeviceAlgorithm::Partition, threads: 256, items: 16 };
        let tuning = Tuning::default().with(case, shape);
        let fastest = ArraySort::argsort(KeyType::I64).descending();
        let choice = |sort: ArraySort| sort.choice(n, device(90), &tuning);
        let name = choice(fastest).kernel.to_string();
        assert_eq!(name, "device_partition_sort_i64_index_b256_i16_desc");
        assert_eq!(choice(fastest.by_bits()).kernel, fastest.kernel(n, device(90)));
        // By its name it is of that shape too; a radix sort's row is not for it.
        let partition = fastest.method(Method::Partition);
        assert_eq!(choice(partition).kernel.to_string(), name);
        let radix = Shape { algorithm: DeviceAlgorithm::Radix, threads: 512, items: 12 };
        let tuning = Tuning::default().with(case, radix);
        let choice = partition.choice(n, device(90), &tuning);
        assert_eq!(choice.kernel, choice.built_in);
        assert_eq!(choice.kernel.to_string(), "device_partition_sort_i64_index_b512_i16_desc");
    }

    /// The kernels of each length are those that the table says, whatever is tuned.
    #[test]
    fn tables_and_single_lengths_agree() {
        let device = device(90);
        let sort = ArraySort::pairs(KeyType::U32, ValueType::U32);
        let mut tuning = Tuning::default();
        for class in SizeClass::ALL.into_iter().step_by(2) {
            let case = Case::of(sort.key, sort.value, class.most()).expect("a class");
            let last = *case.candidates(device).last().expect("some");
            tuning = tuning.with(case, last.shape());
        }
        let choices = sort.choices(device, &tuning);
        assert_eq!(choices.last().map(|(most, _)| *most), Some(u64::MAX));
        let edges = SizeClass::ALL.map(|class| [class.least(), class.most()]);
        for n in edges.as_flattened().iter().copied().chain([3000, 100_000, 1 << 31]) {
            let index = choices.partition_point(|(most, _)| *most < n);
            assert_eq!(choices[index].1, sort.choice(n, device, &tuning), "{n}");
        }
        let tuned = choices.iter().filter(|(_, choice)| choice.kernel != choice.built_in).count();
        assert_eq!(tuned, 4);
        let plain = sort.choices(device, &Tuning::default());
        assert!(plain.iter().all(|(_, choice)| choice.kernel == choice.built_in));
    }

    #[test]
    fn lengths_of_a_case_are_sorted_device_wide() {
        let device = device(90);
        for case in cases() {
            let [least, most] = case.lengths(device, 1 << 27);
            for n in [least, most] {
                assert_eq!(Case::of(case.key(), case.value(), n), Some(case), "{n}");
                let kernel = ArraySort::pairs(case.key(), case.value()).kernel(n, device);
                assert!(matches!(kernel, KernelSpec::DeviceWide(_)), "{case}: {n}");
            }
        }
        let small = Case::of(KeyType::U32, ValueType::None, 1).expect("a class");
        assert_eq!(small.lengths(device, 1 << 27), [2049, 1 << 17]);
    }
}
