//! Which shape is chosen for which types and lengths: the built-in rows of all families.

use super::registry::family;
use crate::contract::device::algorithm::DeviceAlgorithm;
use crate::contract::device::launch::Device;
use crate::contract::device::shape::{BuiltInRow, Grid, Shape};
use crate::contract::device::spec::{DeviceFields, DeviceSpec};
use crate::device::radix::RadixSort;
use crate::types::{KeyClass, KeyType, Order, ValueType};

/// The built-in rows. Rows with a most number of items come before rows for any number; the first that fits counts.
pub fn built_in_rows() -> impl Iterator<Item = &'static BuiltInRow> {
    let rows = || DeviceAlgorithm::ALL.into_iter().flat_map(|it| family(it).rows());
    let is_bounded = |row: &&BuiltInRow| row.most_items < BuiltInRow::ANY_ITEMS;
    rows().filter(is_bounded).chain(rows().filter(move |row| !is_bounded(row)))
}

impl DeviceAlgorithm {
    /// The shapes that a search tries; none where the algorithm is not chosen because it is fast.
    pub(crate) fn grid(self) -> Option<Grid> {
        family(self).grid()
    }

    /// Whether a search tries shapes of it.
    pub fn is_tuned(self) -> bool {
        self.grid().is_some()
    }
}

impl DeviceSpec {
    /// The spec for up to n items by the fastest shape of these types, or the nearest that the device has the
    /// shared memory for.
    pub fn tuned(
        key: KeyType,
        value: ValueType,
        order: Order,
        nan_last: bool,
        n: u64,
        device: Device,
    ) -> Self {
        Self::of_built_in_rows(built_in_rows(), (key, value, order, nan_last), n, device)
    }

    /// The same of the sorts that may be by some of the bits.
    pub fn tuned_by_bits(
        key: KeyType,
        value: ValueType,
        order: Order,
        nan_last: bool,
        n: u64,
        device: Device,
    ) -> Self {
        let rows = built_in_rows().filter(|row| row.shape.algorithm.takes_bits());
        Self::of_built_in_rows(rows, (key, value, order, nan_last), n, device)
    }

    /// The sorts of the rows of a matrix, all by the same launches, that a block has the shared memory for: one of each family that has such.
    pub fn of_rows(
        key: KeyType,
        value: ValueType,
        order: Order,
        device: Device,
    ) -> impl Iterator<Item = Self> {
        let fitting = move |Shape { algorithm, threads, items }: Shape| {
            let fields = DeviceFields {
                algorithm,
                key,
                value,
                threads,
                items,
                order,
                nan_last: false,
                wide: false,
                counted: false,
            };
            family(algorithm).fitting(fields, device)
        };
        let of_family =
            move |algorithm| family(algorithm).row_shapes().iter().copied().find_map(fitting);
        DeviceAlgorithm::ALL.into_iter().filter_map(of_family)
    }

    /// The spec of the first row that fits, else the radix sort with the smallest tile.
    fn of_built_in_rows<'a>(
        mut rows: impl Iterator<Item = &'a BuiltInRow>,
        (key, value, order, nan_last): (KeyType, ValueType, Order, bool),
        n: u64,
        device: Device,
    ) -> Self {
        let nan_last = nan_last && key.info().class == KeyClass::Float;
        let wide = n > DeviceFields::MAX_NARROW_ITEMS;
        let fields = |Shape { algorithm, threads, items }| DeviceFields {
            algorithm,
            key,
            value,
            threads,
            items,
            order,
            nan_last,
            wide,
            counted: false,
        };
        let fitting = rows.find_map(|row| {
            let is_for = row.is_for(key, value, n);
            let family = family(row.shape.algorithm);
            is_for.then(|| family.fitting(fields(row.shape), device)).flatten()
        });
        fitting.unwrap_or_else(|| RadixSort::least(key, value, order, nan_last, wide))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::validate::DeviceSpecError;
    use crate::device::SMALL_N;
    use crate::types::Token;

    /// All scalars, and structs of few bytes and of many.
    fn keys() -> impl Iterator<Item = KeyType> {
        let structs = ["u8u8", "u32f32u8", "i64u32", "u8u64u8u32"];
        let structs = structs.map(|text| text.parse().expect("fields"));
        KeyType::ALL.iter().copied().chain(structs)
    }

    /// Every row is a legal spec of all types that it is for, takes as many items, and is some type's.
    #[test]
    fn built_in_rows_are_legal_specs() {
        for row in built_in_rows() {
            let Shape { algorithm, threads, items } = row.shape;
            let mut used = 0;
            for key in keys() {
                for (value, _) in ValueType::table() {
                    let n = row.most_items.min(1 << 29).max(row.least_items);
                    let first = built_in_rows().find(|row| row.is_for(key, *value, n));
                    if first != Some(row) {
                        continue;
                    }
                    let (value, order) = (*value, Order::Descending);
                    let fields = DeviceFields {
                        algorithm,
                        key,
                        value,
                        threads,
                        items,
                        order,
                        nan_last: false,
                        wide: false,
                        counted: false,
                    };
                    // A row for structs too is passed over where its family has none.
                    let is_passed_over = |error: &DeviceSpecError| error.field == "key";
                    if !key.is_scalar() && fields.validate().as_ref().is_err_and(is_passed_over) {
                        continue;
                    }
                    used += 1;
                    let spec = fields.validate().unwrap_or_else(|error| panic!("{row:?}: {error}"));
                    assert!(spec.max_items() >= n, "{spec}");
                    assert_eq!(spec.to_string().parse(), Ok(spec));
                }
            }
            assert!(used > 0, "{row:?} is of no case");
        }
    }

    #[test]
    fn tuned_shapes_are_legal_for_all_types() {
        // The most and the least that there is.
        for shared_bytes_per_block in [227 * 1024, 64 * 1024] {
            let device = Device { multiprocessors: 132, shared_bytes_per_block };
            for key in keys() {
                for (value, _) in ValueType::table() {
                    for n in SMALL_N.into_iter().chain([(1 << 20) + 1, 1 << 31]) {
                        for nan_last in [false, true] {
                            let spec = DeviceSpec::tuned(
                                key,
                                *value,
                                Order::Descending,
                                nan_last,
                                n,
                                device,
                            );
                            assert!(spec.shared_bytes() <= device.shared_bytes_per_block);
                            assert_eq!(spec.fields().validate(), Ok(spec), "{spec}");
                            assert!(spec.max_items() >= n, "{spec}");
                            assert_eq!(spec.to_string().parse(), Ok(spec));
                        }
                    }
                }
            }
        }
    }

    /// A row for long arrays of 8-byte keys is for sorts by all bits alone, and within its bounds.
    #[test]
    fn a_row_of_partition_sorts_needs_nothing_else() {
        const LEAST: u64 = (1 << 22) + 1;
        const ROW: BuiltInRow = BuiltInRow {
            shape: Shape { algorithm: DeviceAlgorithm::Partition, threads: 512, items: 16 },
            least_items: LEAST,
            most_items: DeviceFields::MAX_NARROW_ITEMS,
            bytes: [8, 16],
            least_key_bits: 64,
            measured: None,
        };
        let rows = || std::iter::once(&ROW).chain(built_in_rows());
        let device = Device { multiprocessors: 132, shared_bytes_per_block: 227 * 1024 };
        let (u32s, order) = (ValueType::U32, Order::Ascending);
        let algorithm = |key, value, n, by_bits: bool| {
            let rows = rows().filter(|row| !by_bits || row.shape.algorithm.takes_bits());
            DeviceSpec::of_built_in_rows(rows, (key, value, order, true), n, device).algorithm
        };
        for (key, value) in [(KeyType::F64, u32s), (KeyType::U64, ValueType::U64)] {
            let is_partition =
                |n, by_bits| algorithm(key, value, n, by_bits) == DeviceAlgorithm::Partition;
            for n in [LEAST, DeviceFields::MAX_NARROW_ITEMS] {
                assert!(is_partition(n, false) && !is_partition(n, true), "{n}");
            }
            assert!(
                ![LEAST - 1, DeviceFields::MAX_NARROW_ITEMS + 1]
                    .into_iter()
                    .any(|n| is_partition(n, false))
            );
        }
        for (key, value) in [(KeyType::U32, u32s), (KeyType::U128, ValueType::None)] {
            assert_eq!(algorithm(key, value, LEAST, false), DeviceAlgorithm::Radix);
        }
        let little = Device { shared_bytes_per_block: 99 * 1024, ..device };
        let spec = DeviceSpec::of_built_in_rows(
            rows(),
            (KeyType::U64, u32s, order, false),
            1 << 25,
            little,
        );
        assert_eq!(spec.algorithm, DeviceAlgorithm::Radix);
    }
}
