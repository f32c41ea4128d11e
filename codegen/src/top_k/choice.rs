//! Which top-k finds how many keys on which device.

use super::any::AnyTopK;
use super::spec::{TopKFields, TopKSpec};
use super::value::TopKValue;
use super::warp::{WarpTopKFields, WarpTopKSpec};
use crate::contract::device::host::{Number, Truth as _};
use crate::types::{Arch, KeyClass, KeyType, Order};

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

/// Warps of which a header for C++ has kernels: items of a row for each lane, and the largest k; and the largest ks of those that hold the longest rows.
const WARPS_OF_HEADER: [(u32, u32); 3] = [(2, 8), (8, 8), (8, 64)];
const KS_OF_LONGEST: [u32; 2] = [16, 128];

/// A shape of kernels, and what it is for where none before it in the same list is.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    shape: Shape,
    /// The fewest columns and, if there is a limit, the most.
    columns: (u64, Option<u64>),
    /// The largest k.
    pub max_k: u32,
    /// Bytes of a block's shared memory, where not all GPUs have as much.
    pub shared_bytes: u32,
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    Warp {
        items: u32,
        max_k: u32,
    },
    /// Threads and items.
    Block((u32, u32)),
}

impl Candidate {
    /// Whether it is for rows of this many columns, for k, and for a device with this shared memory for a block: written once for Rust and for C++.
    pub(crate) fn admits<N: Number>(&self, [columns, k, shared_bytes]: [N; 3]) -> N::Truth {
        let (least, most) = self.columns;
        let is_wide = columns.clone().reaches(N::known(least));
        let is_narrow = most.map(|most| N::known(most).reaches(columns));
        let has_k = N::known(self.max_k.into()).reaches(k);
        let has_room = shared_bytes.reaches(N::known(self.shared_bytes.into()));
        let has_columns = is_narrow.map_or(is_wide.clone(), |it| is_wide.and(it));
        has_columns.and(has_k).and(has_room)
    }

    /// The spec of this shape.
    pub fn spec(&self, task: TopKTask) -> Option<AnyTopK> {
        let TopKTask { key, value, order, .. } = task;
        let nan_last = task.has_nans_last();
        match self.shape {
            Shape::Warp { items, max_k } => {
                let fields = WarpTopKFields { key, value, items, max_k, order, nan_last };
                fields.validate().ok().map(AnyTopK::Warp)
            }
            Shape::Block(shape) => task.with_shape(shape).map(AnyTopK::Block),
        }
    }
}

impl TopKTask {
    /// The first keys in this order, NaNs by their bits, and 32-bit positions.
    pub const fn of(key: KeyType, order: Order) -> Self {
        Self { key, value: TopKValue::Index, order, nan_last: false }
    }

    /// The spec for rows of this many columns, or none where k is too large for the shared memory of a block.
    pub fn spec(self, columns: u64, k: u64, shared_bytes_per_block: u32) -> Option<AnyTopK> {
        let facts = [columns, k, shared_bytes_per_block.into()];
        self.candidates().find(|it| it.admits(facts))?.spec(self)
    }

    /// All that [`Self::spec`] may be for rows of any number of columns, and for this k or less.
    pub fn specs(self, k: u64, shared_bytes_per_block: u32) -> Vec<AnyTopK> {
        let columns = (0..=5).map(|log2| 32u64 << log2);
        let ks = [1, 9, 17, 33, 65, 129];
        let of_columns = |columns| {
            let ks = ks.into_iter().filter(move |it| *it <= k.min(columns));
            ks.filter_map(move |k| self.of_warp(columns, k))
        };
        let mut all: Vec<AnyTopK> = columns.flat_map(of_columns).collect();
        let of_blocks = SHAPES.into_iter().filter_map(|shape| self.with_shape(shape));
        let mut of_blocks: Vec<TopKSpec> =
            of_blocks.filter(|it| it.shared_bytes() <= shared_bytes_per_block).collect();
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

    /// All shapes, in the order in which they are preferred: the first one that admits rows and k is taken.
    fn candidates(self) -> impl Iterator<Item = Candidate> {
        self.of_warps().chain(self.of_blocks())
    }

    /// The few of them that a header for C++ has, each of which takes as long to compile as all else of a small program.
    pub fn candidates_of_header(self) -> impl Iterator<Item = Candidate> {
        let most = WarpTopKSpec::max_items(self.key);
        let is_second_enough = self.has_room_on_all_gpus(SHAPES[1]);
        self.candidates().filter(move |it| match it.shape {
            Shape::Warp { items, max_k } if items == most => KS_OF_LONGEST.contains(&max_k),
            Shape::Warp { items, max_k } => WARPS_OF_HEADER.contains(&(items, max_k)),
            Shape::Block(shape) => shape != SHAPES[0] || !is_second_enough,
        })
    }

    /// The shapes of warps, by columns and by the largest k: all for which registers have room.
    fn of_warps(self) -> impl Iterator<Item = Candidate> {
        let items = (0..=WarpTopKSpec::max_items(self.key).ilog2()).map(|log2| 1 << log2);
        items.flat_map(|items| {
            WarpTopKSpec::classes(items).map(move |max_k| Candidate {
                shape: Shape::Warp { items, max_k },
                columns: (0, Some(32 * u64::from(items))),
                max_k,
                shared_bytes: 0,
            })
        })
    }

    /// The shapes of blocks: the shape of the longest rows, the least shape for short rows, and all by the largest k; the least one last, for it is
    /// taken where blocks have room for no other.
    fn of_blocks(self) -> impl Iterator<Item = Candidate> {
        let has_longest = self.key.bytes() <= LONGEST_KEY_BYTES;
        let longest = has_longest.then_some((LONGEST_SHAPE, (LONGEST_COLUMNS, None))).into_iter();
        let short = SHORT_ROW_TILES * u64::from(SHAPES[0].0 * SHAPES[0].1);
        let others = SHAPES.into_iter().cycle().skip(1).take(SHAPES.len());
        let others = others.map(|shape| (shape, (0, None)));
        let all = longest.chain([(SHAPES[0], (0, Some(short)))]).chain(others);
        all.filter_map(move |(shape, columns)| {
            let spec = self.with_shape(shape)?;
            let (max_k, shared_bytes) = (spec.max_k(), spec.shared_bytes());
            Some(Candidate { shape: Shape::Block(shape), columns, max_k, shared_bytes })
        })
    }

    /// Whether a block of every GPU has shared memory for a shape.
    fn has_room_on_all_gpus(self, shape: (u32, u32)) -> bool {
        let least = Arch::all().map(Arch::max_shared_bytes).min();
        self.with_shape(shape).is_some_and(|it| Some(it.shared_bytes()) <= least)
    }

    /// The spec of warps, where registers have room for a row.
    fn of_warp(self, columns: u64, k: u64) -> Option<AnyTopK> {
        self.of_warps().find(|it| it.admits([columns, k, 0]))?.spec(self)
    }

    /// The spec of blocks.
    fn of_block(self, columns: u64, k: u64, shared_bytes_per_block: u32) -> Option<TopKSpec> {
        let facts = [columns, k, shared_bytes_per_block.into()];
        let found = self.of_blocks().find(|it| it.admits(facts))?;
        if let Shape::Block(shape) = found.shape { self.with_shape(shape) } else { None }
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
