//! Which radix sorts are legal, and what follows from their types alone.

use std::ops::Deref;

use crate::contract::device::algorithm::DeviceAlgorithm;
use crate::contract::device::spec::{DeviceFields, DeviceSpec, SharedBytes, require};
use crate::contract::validate::DeviceSpecError;
use crate::types::{Arch, KeyType, Order, UnsignedType, ValueType};

/// Bits of a digit.
pub const RADIX_BITS: u32 = 8;

/// Values of a digit.
pub const BINS: u32 = 1 << RADIX_BITS;

/// With a slot behind each row of 32 items and behind each of 32 warps, the number of a slot has 16 bits.
const MAX_TILE_ITEMS: u32 = 62 << 10;

/// A device-wide radix sort: what only such sorts have.
///
/// ```
/// use sortsmith_codegen::device::{DeviceSpec, RadixSort};
///
/// let sort = |name: &str| RadixSort::of(&name.parse::<DeviceSpec>().unwrap());
/// assert!(sort("device_radix_sort_u16_keys_b384_i32_asc").unwrap().sorts_by_counting());
/// assert!(sort("device_radix_sort_f32_u32_b384_i24_asc").unwrap().interleaves());
/// assert_eq!(sort("device_sample_sort_f32_u32_b512_i4_asc"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RadixSort {
    fields: DeviceFields,
}

impl Deref for RadixSort {
    type Target = DeviceFields;
    fn deref(&self) -> &DeviceFields {
        &self.fields
    }
}

impl RadixSort {
    /// The sort of a spec, if it is a radix sort.
    pub fn of(spec: &DeviceSpec) -> Option<Self> {
        (spec.algorithm == DeviceAlgorithm::Radix).then(|| Self::of_fields(spec.fields()))
    }

    /// The sort of these fields, legal or not.
    pub(super) fn of_fields(fields: DeviceFields) -> Self {
        Self { fields }
    }

    /// The smallest tile, which is legal for types of every size.
    pub(crate) fn least(
        key: KeyType,
        value: ValueType,
        order: Order,
        nan_last: bool,
        wide: bool,
    ) -> DeviceSpec {
        let algorithm = DeviceAlgorithm::Radix;
        let (threads, items) = (BINS, 1);
        let counted = false;
        let fields =
            DeviceFields { algorithm, key, value, threads, items, order, nan_last, wide, counted };
        DeviceSpec::of_legal(fields, Self::of_fields(fields).shared())
    }

    /// The first field that is not legal, if there is one.
    pub(super) fn check(&self) -> Result<SharedBytes, DeviceSpecError> {
        require(
            (BINS..=1024).contains(&self.threads) && self.threads.is_multiple_of(32),
            "threads",
            self.threads.to_string(),
            "a multiple of 32 from 256 to 1024",
        )?;
        self.check_common()?;
        let shared = self.shared();
        let most = shared.most();
        require(
            most <= Arch::MAX_SHARED_BYTES && self.tile_items() <= MAX_TILE_ITEMS,
            "tile",
            format!("{} items, {most} bytes of shared memory", self.tile_items()),
            &format!("at most {MAX_TILE_ITEMS} items and {} bytes", Arch::MAX_SHARED_BYTES),
        )?;
        Ok(shared)
    }

    fn shared(&self) -> SharedBytes {
        SharedBytes::of_one(self.pass_shared_bytes())
    }

    /// The most items that the sort takes.
    pub(super) fn max_items(&self) -> u64 {
        match (self.wide, self.value) {
            (true, ValueType::Index) => 1 << 32,
            (true, _) => 1 << 40,
            (false, _) => DeviceFields::MAX_NARROW_ITEMS,
        }
    }

    /// Passes over all bits of a key.
    pub(super) fn max_passes(&self) -> u32 {
        self.key.bits().div_ceil(RADIX_BITS)
    }

    /// The type of counts, and of offsets in the array.
    pub(super) fn count_type(&self) -> UnsignedType {
        UnsignedType::of_bytes(if self.wide { 8 } else { 4 })
    }

    /// Whether keys and values lie side by side between passes, where the arrays allow it: both of 4 or of 8 bytes.
    pub fn interleaves(&self) -> bool {
        let bytes = self.key.bytes();
        bytes == self.value.bytes() && (bytes == 4 || bytes == 8)
    }

    /// Bytes of a key and its value side by side.
    pub(super) fn item_bytes(&self) -> u32 {
        self.key.bytes() + self.value.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Token;

    #[test]
    fn the_smallest_tile_is_legal_for_all_types() {
        for key in KeyType::ALL {
            for (value, _) in ValueType::table() {
                for wide in [false, true] {
                    let spec = RadixSort::least(*key, *value, Order::Descending, false, wide);
                    assert_eq!(spec.fields().validate(), Ok(spec), "{spec}");
                }
            }
        }
    }
}
