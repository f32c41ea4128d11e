//! Which top-k finds how many keys on which device.

use super::spec::{TopKFields, TopKSpec};
use crate::types::{KeyClass, KeyType, Order};

/// A top-k, and not how it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TopKTask {
    /// The type of the keys.
    pub key: KeyType,
    /// Which end comes first.
    pub order: Order,
    /// Whether NaNs come last in either order; without effect on keys that are no floats.
    pub nan_last: bool,
}

/// Threads and items: the least tile first.
const SHAPES: [(u32, u32); 4] = [(128, 4), (256, 8), (512, 8), (512, 16)];

/// Rows of at most as many tiles have one of the least tiles that are enough.
const SHORT_ROW_TILES: u64 = 2;

impl TopKTask {
    /// The spec for rows of this many columns, or none where k is too large for the shared memory of a block.
    pub fn spec(self, columns: u64, k: u64, shared_bytes_per_block: u32) -> Option<TopKSpec> {
        let mut legal = self.legal(shared_bytes_per_block);
        legal.retain(|it| u64::from(it.max_k()) >= k);
        let mut legal = legal.into_iter();
        let least = legal.next()?;
        let is_short = columns <= SHORT_ROW_TILES * u64::from(least.tile_items());
        let is_least_of_all = (least.threads, least.items) == SHAPES[0];
        let next = if is_least_of_all && !is_short { legal.next() } else { None };
        Some(next.unwrap_or(least))
    }

    /// All that [`Self::spec`] may be for rows of any number of columns, and for this k or less.
    pub fn specs(self, k: u64, shared_bytes_per_block: u32) -> Vec<TopKSpec> {
        let mut legal = self.legal(shared_bytes_per_block);
        if let Some(largest) = self.spec(u64::MAX, k, shared_bytes_per_block) {
            legal.retain(|it| it.max_k() <= largest.max_k());
        }
        legal
    }

    /// The specs of all shapes that blocks with this shared memory have room for, by the largest k.
    fn legal(self, shared_bytes_per_block: u32) -> Vec<TopKSpec> {
        let specs = SHAPES.into_iter().filter_map(|shape| self.with_shape(shape));
        specs.filter(|it| it.shared_bytes() <= shared_bytes_per_block).collect()
    }

    fn with_shape(self, (threads, items): (u32, u32)) -> Option<TopKSpec> {
        let Self { key, order, nan_last } = self;
        let nan_last = nan_last && key.info().class == KeyClass::Float;
        TopKFields { key, threads, items, order, nan_last }.validate().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_tile_that_is_enough_is_chosen() {
        let name = |key, columns, k, shared| {
            let task = TopKTask { key, order: Order::Descending, nan_last: true };
            task.spec(columns, k, shared).map(|spec| spec.to_string())
        };
        let (sm_75, sm_90) = (64 << 10, 227 << 10);
        let f32s = |columns, k| name(KeyType::F32, columns, k, sm_90);
        let named = |text: &str| Some(text.to_owned());
        assert_eq!(f32s(1000, 8), named("block_top_k_f32_b128_i4_desc_nanlast"));
        assert_eq!(f32s(128_256, 8), named("block_top_k_f32_b256_i8_desc_nanlast"));
        assert_eq!(f32s(128_256, 1025), named("block_top_k_f32_b512_i8_desc_nanlast"));
        assert_eq!(f32s(128_256, 4096), named("block_top_k_f32_b512_i16_desc_nanlast"));
        assert_eq!(f32s(128_256, 4097), None);
        let wide = |k, shared| name(KeyType::U128, 1 << 20, k, shared);
        assert_eq!(wide(256, sm_75), named("block_top_k_u128_b128_i4_desc"));
        assert_eq!(wide(257, sm_75), None);
        assert_eq!(wide(2048, sm_90), named("block_top_k_u128_b512_i8_desc"));
    }

    #[test]
    fn all_that_may_be_chosen_is_listed() {
        let task = TopKTask { key: KeyType::F32, order: Order::Ascending, nan_last: false };
        for shared_bytes in [64 << 10, 100 << 10, 227 << 10] {
            for most in [1, 256, 257, 1024, 1025, 4096, 5000] {
                let specs = task.specs(most, shared_bytes);
                for (k, columns) in [(1, 10), (1, 1 << 20), (most, most), (most, 1 << 20)] {
                    let chosen = task.spec(columns, k, shared_bytes);
                    assert!(chosen.is_none_or(|it| specs.contains(&it)), "{most}, {k}");
                }
            }
            assert!(task.specs(1, shared_bytes).len() == 2);
        }
    }
}
