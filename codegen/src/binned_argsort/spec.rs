//! Which binned argsort: [`BinnedFields`] says it, [`BinnedSpec`] is one that is known to be legal.

use std::ops::Deref;

use crate::contract::validate::DeviceSpecError;
use crate::layout::{Region, SharedArray};
use crate::types::{Arch, KeyClass, KeyType};

/// The most bins of any binned argsort.
pub const MAX_BINS: u32 = 512;

/// The most items of a tile: their numbers are halves of a word.
const MAX_TILE_ITEMS: u32 = 1 << 14;

/// Which binned argsort, legal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BinnedFields {
    /// The type of the keys: an integer of up to 64 bits.
    pub key: KeyType,
    /// Threads of a block.
    pub threads: u32,
    /// Items of a thread, at most.
    pub items: u32,
    /// Bits of a bin's number.
    pub bits: u32,
}

/// Which binned argsort. Its name is `binned_argsort_<key>_b<threads>_i<items>_r<bits>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BinnedSpec(BinnedFields);

impl Deref for BinnedSpec {
    type Target = BinnedFields;

    fn deref(&self) -> &BinnedFields {
        &self.0
    }
}

impl BinnedFields {
    /// The fields as a spec, or the first field that is not legal.
    pub fn validate(self) -> Result<BinnedSpec, DeviceSpecError> {
        let Self { key, threads, items, bits } = self;
        // Each call of a sort comes by here: texts are made of what is not legal alone.
        let illegal = |field, value: String, legal| Err(DeviceSpecError { field, value, legal });
        let has_sign_or_none = matches!(key.info().class, KeyClass::Unsigned | KeyClass::Signed);
        let is_integer = key != KeyType::Bool && has_sign_or_none;
        if !is_integer || key.bytes() > 8 {
            return illegal("key", key.to_string(), "integers of 8 to 64 bits".to_owned());
        }
        if !(1..=9).contains(&bits) {
            return illegal("bits", bits.to_string(), "1 to 9".to_owned());
        }
        // A thread for each bin, and for the keys that are in none.
        let least = (1u32 << bits) + 1;
        if !(least..=1024).contains(&threads) || !threads.is_multiple_of(32) {
            let legal = format!("multiples of 32 from {} to 1024", least.next_multiple_of(32));
            return illegal("block", threads.to_string(), legal);
        }
        let most = (MAX_TILE_ITEMS / threads).min(16);
        if !(1..=most).contains(&items) {
            return illegal("items", items.to_string(), format!("1 to {most}"));
        }
        let (spec, limit) = (BinnedSpec(self), Arch::MAX_SHARED_BYTES);
        let shared = spec.shared_bytes();
        if shared > limit {
            let legal = format!("at most {limit} bytes: fewer items, threads or bits");
            return illegal("shared memory", shared.to_string(), legal);
        }
        Ok(spec)
    }
}

impl BinnedSpec {
    /// The fields.
    pub fn fields(&self) -> BinnedFields {
        self.0
    }

    /// Items that a block holds.
    pub fn tile_items(&self) -> u32 {
        self.threads * self.items
    }

    /// The most bins.
    pub fn max_bins(&self) -> u32 {
        1 << self.bits
    }

    /// Counts of a chunk in memory: one for each bin, one for the keys in none, and the rest of a vector of them.
    pub fn chunk_counts(&self) -> u32 {
        (self.max_bins() + 1).next_multiple_of(8)
    }

    /// `sizeof(TempStorage)`.
    pub fn shared_bytes(&self) -> u32 {
        Region::of(&self.shared_arrays()).size_of()
    }

    /// The members of `TempStorage`, in their order.
    pub fn shared_arrays(&self) -> [SharedArray; 7] {
        let (warps, slots) = (self.threads / 32, self.max_bins() + 1);
        [
            SharedArray::words("each warp's histogram", warps * slots),
            SharedArray::words("the sorted tile", self.tile_items()),
            SharedArray::words("where bins go", slots),
            SharedArray::words("counts of the row", self.chunk_counts()),
            SharedArray::words("counts of chunks before", self.chunk_counts()),
            SharedArray::words("totals of warps", slots.div_ceil(32)),
            SharedArray::words("what the exchange was", 2),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: BinnedFields =
        BinnedFields { key: KeyType::U32, threads: 1024, items: 8, bits: 8 };

    #[test]
    fn what_is_not_legal_is_named() {
        let error = |fields: BinnedFields| fields.validate().expect_err("not legal").to_string();
        let float = BinnedFields { key: KeyType::F32, ..FIELDS };
        assert_eq!(error(float), "key = f32 is not legal; legal: integers of 8 to 64 bits");
        let bits = BinnedFields { bits: 10, ..FIELDS };
        assert_eq!(error(bits), "bits = 10 is not legal; legal: 1 to 9");
        let threads = BinnedFields { threads: 256, ..FIELDS };
        assert_eq!(
            error(threads),
            "block = 256 is not legal; legal: multiples of 32 from 288 to 1024"
        );
        let items = BinnedFields { items: 17, ..FIELDS };
        assert_eq!(error(items), "items = 17 is not legal; legal: 1 to 16");
    }

    #[test]
    fn shared_memory_is_that_of_histograms_and_a_tile() {
        let spec = FIELDS.validate().expect("legal");
        assert_eq!(spec.chunk_counts(), 264);
        assert_eq!(spec.shared_bytes(), 4 * (32 * 257 + 8192 + 257 + 2 * 264 + 9 + 2));
        // The largest of all has room on a device of compute capability 9.0.
        let largest = BinnedFields { items: 16, bits: 9, ..FIELDS };
        assert!(largest.validate().is_ok());
    }
}
