//! Which top-k finds how many keys on which device.

use super::any::AnyTopK;
use super::spec::{TopKFields, TopKSpec};
use super::value::TopKValue;
use super::warp::{WarpTopKFields, WarpTopKSpec};
use crate::types::{KeyClass, KeyType, Order};

/// A top-k, and not how it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TopKTask {
    /// The type of the keys.
    pub key: KeyType,
    /// What is found beside them.
    pub value: TopKValue,
    /// Which end comes first.
    pub order: Order,
    /// Whether NaNs come last in either order; without effect on keys that are no floats.
    pub nan_last: bool,
}

/// Threads and items: the least tile first.
const SHAPES: [(u32, u32); 4] = [(128, 4), (256, 8), (512, 8), (512, 16)];

/// Rows of at least as many columns have a larger tile, so that there is room for more survivors of a sample, and keys of at most as many bytes.
const LONGEST_COLUMNS: u64 = 1 << 24;
const LONGEST_SHAPE: (u32, u32) = (512, 8);
const LONGEST_KEY_BYTES: u32 = 8;

/// Rows of at most as many tiles have one of the least tiles that are enough.
const SHORT_ROW_TILES: u64 = 2;

impl TopKTask {
    /// The first keys in this order, NaNs by their bits, and 32-bit positions.
    pub const fn of(key: KeyType, order: Order) -> Self {
        Self { key, value: TopKValue::Index, order, nan_last: false }
    }

    /// The spec for rows of this many columns, or none where k is too large for the shared memory of a block.
    pub fn spec(self, columns: u64, k: u64, shared_bytes_per_block: u32) -> Option<AnyTopK> {
        let of_block = || self.of_block(columns, k, shared_bytes_per_block).map(AnyTopK::Block);
        self.of_warp(columns, k).map(AnyTopK::Warp).or_else(of_block)
    }

    /// All that [`Self::spec`] may be for rows of any number of columns, and for this k or less.
    pub fn specs(self, k: u64, shared_bytes_per_block: u32) -> Vec<AnyTopK> {
        let columns = (0..=5).map(|log2| 32u64 << log2);
        let ks = [1, 9, 17, 33, 65, 129];
        let of_columns = |columns| {
            let ks = ks.into_iter().filter(move |it| *it <= k.min(columns));
            ks.filter_map(move |k| self.of_warp(columns, k))
        };
        let mut all: Vec<AnyTopK> = columns.flat_map(of_columns).map(AnyTopK::Warp).collect();
        let mut of_blocks = self.of_blocks(shared_bytes_per_block);
        if let Some(largest) = self.of_block(u64::MAX, k, shared_bytes_per_block) {
            of_blocks.retain(|it| it.max_k() <= largest.max_k());
        }
        all.extend(of_blocks.into_iter().map(AnyTopK::Block));
        all.dedup();
        all
    }

    /// All that [`Self::spec`] may be for this k and rows of this many columns or fewer, of which there are k at least.
    pub fn specs_of_rows(self, columns: u64, k: u64, shared_bytes_per_block: u32) -> Vec<AnyTopK> {
        let firsts = (0..=5).map(|log2| (32u64 << log2) + 1).chain([columns]);
        let firsts = firsts.filter(|first| (k..=columns).contains(first));
        let spec = |columns| self.spec(columns, k, shared_bytes_per_block);
        let mut all: Vec<AnyTopK> = [k].into_iter().chain(firsts).filter_map(spec).collect();
        all.dedup();
        all
    }

    /// The spec that writes what is found at positions which a sort has made: where k is too large for all others, and positions of 32 bits are not
    /// all that is wanted.
    pub fn spec_of_sorted(self) -> Option<TopKSpec> {
        let is_more = self.value != TopKValue::Index;
        if is_more { self.with_shape(SHAPES[0]) } else { None }
    }

    /// The spec of warps, where registers have room for a row.
    fn of_warp(self, columns: u64, k: u64) -> Option<WarpTopKSpec> {
        let Self { key, value, order, .. } = self;
        let nan_last = self.has_nans_last();
        let lanes = u32::try_from(columns.max(1).div_ceil(32)).ok()?;
        let items = lanes.checked_next_power_of_two()?;
        if items > WarpTopKSpec::max_items(key) {
            return None;
        }
        let max_k = WarpTopKSpec::classes(items).find(|max_k| u64::from(*max_k) >= k)?;
        WarpTopKFields { key, value, items, max_k, order, nan_last }.validate().ok()
    }

    /// The spec of blocks.
    fn of_block(self, columns: u64, k: u64, shared_bytes_per_block: u32) -> Option<TopKSpec> {
        let mut legal = self.of_blocks(shared_bytes_per_block);
        legal.retain(|it| u64::from(it.max_k()) >= k);
        if columns >= LONGEST_COLUMNS && self.key.bytes() <= LONGEST_KEY_BYTES {
            legal.sort_by_key(|it| (it.threads, it.items) != LONGEST_SHAPE);
        }
        let mut legal = legal.into_iter();
        let least = legal.next()?;
        let is_short = columns <= SHORT_ROW_TILES * u64::from(least.tile_items());
        let is_least_of_all = (least.threads, least.items) == SHAPES[0];
        let next = if is_least_of_all && !is_short { legal.next() } else { None };
        Some(next.unwrap_or(least))
    }

    /// The specs of all shapes that blocks with this shared memory have room for, by the largest k.
    fn of_blocks(self, shared_bytes_per_block: u32) -> Vec<TopKSpec> {
        let specs = SHAPES.into_iter().filter_map(|shape| self.with_shape(shape));
        specs.filter(|it| it.shared_bytes() <= shared_bytes_per_block).collect()
    }

    fn with_shape(self, (threads, items): (u32, u32)) -> Option<TopKSpec> {
        let Self { key, value, order, .. } = self;
        let nan_last = self.has_nans_last();
        TopKFields { key, value, threads, items, order, nan_last }.validate().ok()
    }

    fn has_nans_last(self) -> bool {
        self.nan_last && self.key.info().class == KeyClass::Float
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_least_tile_that_is_enough_is_chosen() {
        let name = |key, columns, k, shared| {
            let task = TopKTask { nan_last: true, ..TopKTask::of(key, Order::Descending) };
            task.spec(columns, k, shared).map(|spec| spec.to_string())
        };
        let (sm_75, sm_90) = (64 << 10, 227 << 10);
        let f32s = |columns, k| name(KeyType::F32, columns, k, sm_90);
        let named = |text: &str| Some(text.to_owned());
        assert_eq!(f32s(1024, 16), named("warp_top_k_f32_i32_k16_desc_nanlast"));
        assert_eq!(f32s(1000, 50), named("warp_top_k_f32_i32_k64_desc_nanlast"));
        assert_eq!(f32s(1000, 129), named("block_top_k_f32_b128_i4_desc_nanlast"));
        assert_eq!(f32s(300, 65), named("warp_top_k_f32_i16_k128_desc_nanlast"));
        assert_eq!(f32s(256, 32), named("warp_top_k_f32_i8_k32_desc_nanlast"));
        assert_eq!(f32s(256, 33), named("warp_top_k_f32_i8_k64_desc_nanlast"));
        assert_eq!(f32s(128, 17), named("warp_top_k_f32_i4_k32_desc_nanlast"));
        assert_eq!(f32s(1, 1), named("warp_top_k_f32_i1_k8_desc_nanlast"));
        assert_eq!(f32s(128_256, 8), named("block_top_k_f32_b256_i8_desc_nanlast"));
        assert_eq!(f32s(128_256, 1025), named("block_top_k_f32_b512_i8_desc_nanlast"));
        assert_eq!(f32s(128_256, 4096), named("block_top_k_f32_b512_i16_desc_nanlast"));
        assert_eq!(f32s(128_256, 4097), None);
        assert_eq!(f32s(1 << 24, 50), named("block_top_k_f32_b512_i8_desc_nanlast"));
        let wide = |k, shared| name(KeyType::U128, 1 << 20, k, shared);
        assert_eq!(wide(256, sm_75), named("block_top_k_u128_b128_i4_desc"));
        let narrow = name(KeyType::U128, 256, 64, sm_75);
        assert_eq!(narrow, named("warp_top_k_u128_i8_k64_desc"));
        assert_eq!(wide(257, sm_75), None);
        assert_eq!(wide(2048, sm_90), named("block_top_k_u128_b512_i8_desc"));
    }

    #[test]
    fn all_that_may_be_chosen_is_listed() {
        let task = TopKTask::of(KeyType::F32, Order::Ascending);
        for shared_bytes in [64 << 10, 100 << 10, 227 << 10] {
            let mut of_rows = BTreeMap::new();
            for most in [1, 256, 257, 1024, 1025, 4096, 5000] {
                let specs = task.specs(most, shared_bytes);
                for (k, columns) in [(1, 10), (1, 1 << 20), (most, most), (most, 1 << 20)] {
                    let chosen = task.spec(columns, k, shared_bytes);
                    assert!(chosen.is_none_or(|it| specs.contains(&it)), "{most}, {k}");
                }
                for columns in (1..1100).chain([4000, 1 << 20]) {
                    for k in [1, 16, 17, 64, 65, 200, most].map(|k| k.min(columns).min(most)) {
                        let chosen = task.spec(columns, k, shared_bytes);
                        assert!(chosen.is_none_or(|it| specs.contains(&it)), "{columns}, {k}");
                        let specs_of_rows = || task.specs_of_rows(1 << 20, k, shared_bytes);
                        let of_rows = of_rows.entry(k).or_insert_with(specs_of_rows);
                        assert!(chosen.is_none_or(|it| of_rows.contains(&it)), "{columns}, {k}");
                    }
                }
            }
            assert_eq!(
                task.specs(1, shared_bytes).len(),
                6 + 2 + usize::from(shared_bytes > 64 << 10)
            );
            assert_eq!(task.specs_of_rows(128, 17, shared_bytes).len(), 3);
        }
    }
}
