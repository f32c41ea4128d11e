//! Shapes of partition sorts: that of a sort that is requested by name, those that were measured to be the fastest of all sorts, and
//! those that a search tries.

use super::check;
use crate::contract::device::algorithm::DeviceAlgorithm;
use crate::contract::device::launch::Device;
use crate::contract::device::shape::{BuiltInRow, Grid, Shape};
use crate::contract::device::spec::{DeviceFields, DeviceSpec, SharedBytes};
use crate::types::{KeyClass, KeyType, Order, ValueType};

/// Threads and items per thread of the shapes that devices have the shared memory for, the largest one first.
const SHAPES: [(u32, u32); 4] = [(512, 16), (256, 16), (128, 16), (64, 16)];

/// For 8-byte keys alone or with values of at most 4 bytes. H200, 2026-11-27, times CUB's best over classes of keys, worst and geometric
/// mean: 2²⁸ u64 keys 0.97 and 2.09 (radix 1.10 and 1.97), with 4-byte values 0.98 and 1.71 (0.91 and 1.60), f64 keys 0.79 and 1.81 (1.06
/// and 1.56). Below 2²⁵, radix sorts have the better mean.
pub(super) const ROWS: [BuiltInRow; 1] = [BuiltInRow {
    shape: Shape { algorithm: DeviceAlgorithm::Partition, threads: 512, items: 16 },
    least_items: (1 << 25) + 1,
    most_items: (1 << 30) - 1,
    bytes: [8, 12],
    least_key_bits: 64,
    measured: None,
}];

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
