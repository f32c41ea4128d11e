//! Shapes of partition sorts: that of a sort that is requested by name, those that were measured to be the fastest of all sorts, and
//! those that a search tries.

use super::check;
use crate::contract::device::algorithm::DeviceAlgorithm;
use crate::contract::device::launch::Device;
use crate::contract::device::shape::{BuiltInRow, Grid};
use crate::contract::device::spec::{DeviceFields, DeviceSpec, SharedBytes};
use crate::types::{KeyClass, KeyType, Order, ValueType};

/// Threads and items per thread of the shapes that devices have the shared memory for, the largest one first.
const SHAPES: [(u32, u32); 4] = [(512, 16), (256, 16), (128, 16), (64, 16)];

/// None: radix sorts are faster for the worst keys, whatever the length. Beside CUB's best, their worst class of
/// keys takes 0.66 to 0.98 times as long as that of partition sorts, and all classes take 0.86 to 1.14 times as
/// long on the mean (H200, 2026-11-27 and 28, lengths of 2²⁵ + 3 and 2²⁸, `u64` keys without and with 4-byte
/// values, `f64` keys).
pub(super) const ROWS: [BuiltInRow; 0] = [];

/// Powers of two. Tiles cost workspace.
pub(super) const GRID: Grid =
    Grid { threads: &[128, 256, 512], items: &[8, 12, 16, 24, 32], most_tiles: Some(4) };

impl DeviceSpec {
    /// The partition sort of these types with tiles as large as the device has the shared memory for. None for keys that are not of 8
    /// bytes and for values of more.
    ///
    /// ```
    /// use sortsmith_codegen::device::{Device, DeviceSpec};
    /// use sortsmith_codegen::{Arch, KeyType, Order, ValueType};
    ///
    /// let of = |key, arch| {
    ///     let device = Device::of(Arch::new(arch).unwrap());
    ///     DeviceSpec::partition(key, ValueType::U32, Order::Ascending, false, device)
    /// };
    /// let spec = of(KeyType::F64, 90).unwrap();
    /// assert_eq!(spec.to_string(), "device_partition_sort_f64_u32_b512_i16_asc");
    /// assert_eq!(of(KeyType::F64, 86).unwrap().threads, 256);
    /// assert_eq!(of(KeyType::F32, 90), None);
    /// ```
    pub fn partition(
        key: KeyType,
        value: ValueType,
        order: Order,
        nan_last: bool,
        device: Device,
    ) -> Option<Self> {
        let nan_last = nan_last && key.info().class == KeyClass::Float;
        let (algorithm, wide, counted) = (DeviceAlgorithm::Partition, false, false);
        SHAPES.into_iter().find_map(|(threads, items)| {
            let fields = DeviceFields {
                algorithm,
                key,
                value,
                threads,
                items,
                order,
                nan_last,
                wide,
                counted,
            };
            let bytes = check::check(&fields).ok()?.most();
            let fits = bytes <= device.shared_bytes_per_block;
            fits.then(|| Self::of_legal(fields, SharedBytes::of_one(bytes)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Arch, Token as _};

    #[test]
    fn every_architecture_has_one_of_all_types_that_have_any() {
        for arch in Arch::all() {
            let device = Device::of(arch);
            for (value, _) in ValueType::table() {
                for key in KeyType::ALL {
                    let spec = DeviceSpec::partition(*key, *value, Order::Descending, true, device);
                    let is_legal = key.bytes() == 8 && value.bytes() <= 8;
                    assert_eq!(spec.is_some(), is_legal, "{key} {value} on {arch}");
                    let Some(spec) = spec else { continue };
                    assert_eq!(spec.fields().validate(), Ok(spec));
                    assert!(spec.shared_bytes() <= arch.max_shared_bytes(), "{spec} on {arch}");
                    assert_eq!(spec.nan_last, key.info().class == KeyClass::Float, "{spec}");
                }
            }
        }
    }
}
