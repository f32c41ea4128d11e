//! Which shape is chosen for which types and lengths: the built-in rows of all families.

use super::registry::family;
use crate::contract::device::algorithm::DeviceAlgorithm;
use crate::contract::device::launch::Device;
use crate::contract::device::shape::{BuiltInRow, Grid, Shape};
use crate::contract::device::spec::{DeviceFields, DeviceSpec};
use crate::device::radix::{MAX_NARROW_ITEMS, RadixSort};
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
        let nan_last = nan_last && key.info().class == KeyClass::Float;
        let wide = n > MAX_NARROW_ITEMS;
        let fields = |Shape { algorithm, threads, items }| DeviceFields {
            algorithm,
            key,
            value,
            threads,
            items,
            order,
            nan_last,
            wide,
        };
        built_in_rows()
            .filter(|row| row.is_for(key, value, n))
            .find_map(|row| family(row.shape.algorithm).fitting(fields(row.shape), device))
            .unwrap_or_else(|| RadixSort::least(key, value, order, nan_last, wide))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::SMALL_N;
    use crate::types::Token;

    /// Every row is a legal spec of all types that it is for, takes as many items, and is some type's.
    #[test]
    fn built_in_rows_are_legal_specs() {
        for row in built_in_rows() {
            let Shape { algorithm, threads, items } = row.shape;
            let mut used = 0;
            for key in KeyType::ALL {
                for (value, _) in ValueType::table() {
                    let n = row.most_items.min(1 << 29);
                    let first = built_in_rows().find(|row| row.is_for(*key, *value, n));
                    if first != Some(row) {
                        continue;
                    }
                    used += 1;
                    let (key, value, order) = (*key, *value, Order::Descending);
                    let fields = DeviceFields {
                        algorithm,
                        key,
                        value,
                        threads,
                        items,
                        order,
                        nan_last: false,
                        wide: false,
                    };
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
            for key in KeyType::ALL {
                for (value, _) in ValueType::table() {
                    for n in SMALL_N.into_iter().chain([(1 << 20) + 1, 1 << 31]) {
                        for nan_last in [false, true] {
                            let spec = DeviceSpec::tuned(
                                *key,
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
}
