//! A block radix sort of the caller's choice.

use std::marker::PhantomData;
use std::ops::Range;

use sortsmith_codegen::matrix::default_radix_bits;
use sortsmith_codegen::{Algorithm, BitRange, Block, Order, Rank, SortSpec, SpecFields};

use super::sort::{payload_of, sort_by, sort_pairs_by};
use crate::array::ArrayMut;
use crate::device::{self, Options};
use crate::error::Error;
use crate::key::SortKey;
use crate::sorter::Sorter;
use crate::value::SortValue;

/// A block radix sort of your choice. It sorts each tile of an array by itself: the first `threads × items` keys, then the next,
/// and so on; the last tile may be shorter. `V` is the type of the values, `()` for none.
///
/// It is the kernel that `sortsmith emit --tile-kernel` writes for the same choices.
///
/// ```
/// use sortsmith::{BlockRadixSort, Sorter};
///
/// let tiles = BlockRadixSort::<u32>::tiles(2, 2);
/// let mut keys = [4, 3, 2, 1, 9, 7, 8];
/// tiles.sort(&Sorter::new()?, &mut keys)?;
/// assert_eq!(keys, [1, 2, 3, 4, 7, 8, 9]);
///
/// let tiles = BlockRadixSort::<f32, u32>::tiles(256, 16).radix_bits(6).descending();
/// assert_eq!(tiles.spec()?.to_string(), "block_radix_sort_f32_u32_b256_i16_r6_desc");
/// # Ok::<(), sortsmith::Error>(())
/// ```
///
/// An illegal choice is an error when the sort is used:
///
/// ```
/// use sortsmith::BlockRadixSort;
///
/// let error = BlockRadixSort::<u8>::tiles(2048, 4).spec().unwrap_err();
/// assert!(error.to_string().starts_with("block = 2048 is not legal; legal: 1 to 1024 threads"));
/// ```
///
/// So are values of other sizes than 0, 1, 2, 4, 8 and 16 bytes, which no tile kernel moves:
///
/// ```
/// use sortsmith::{BlockRadixSort, Error};
///
/// let error = BlockRadixSort::<u8, [f32; 3]>::tiles(256, 4).spec().unwrap_err();
/// assert!(matches!(error, Error::TileValue { bytes: 12 }));
/// ```
#[derive(Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct BlockRadixSort<K, V = ()> {
    block: Block,
    items: u32,
    radix_bits: Option<u32>,
    rank: Rank,
    bits: BitRange,
    order: Order,
    types: PhantomData<fn(K, V)>,
}

impl<K, V> Clone for BlockRadixSort<K, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, V> Copy for BlockRadixSort<K, V> {}

impl<K: SortKey, V: SortValue> BlockRadixSort<K, V> {
    /// Tiles of `threads × items` keys, each sorted by a block of `threads` threads with `items` items each.
    pub fn tiles(threads: u32, items: u32) -> Self {
        Self {
            block: Block::linear(threads),
            items,
            radix_bits: None,
            rank: Rank::default(),
            bits: BitRange::Runtime,
            order: Order::Ascending,
            types: PhantomData,
        }
    }

    /// Bits of a digit, 1 to 8. The default was measured to be fast for such a tile.
    pub fn radix_bits(self, radix_bits: u32) -> Self {
        Self { radix_bits: Some(radix_bits), ..self }
    }

    /// The method of ranking items by digit.
    pub fn rank(self, rank: Rank) -> Self {
        Self { rank, ..self }
    }

    /// Sorts by these of the key's [ordered bits](SortKey) only, as constants of the kernel.
    pub fn bits(self, bits: Range<u32>) -> Self {
        Self { bits: BitRange::Static { begin: bits.start, end: bits.end }, ..self }
    }

    /// Descending.
    pub fn descending(self) -> Self {
        self.order(Order::Descending)
    }

    /// Ascending or descending.
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// The spec of these choices.
    pub fn spec(&self) -> Result<SortSpec, Error> {
        let value = payload_of::<V>()?;
        let fields = |radix_bits| SpecFields {
            algorithm: Algorithm::BlockRadix {
                block: self.block,
                radix_bits,
                rank: self.rank,
                bits: self.bits,
            },
            order: self.order,
            ..SpecFields::block_radix(K::KEY_TYPE, value, self.block, self.items, 1)
        };
        let radix_bits = self.radix_bits.unwrap_or_else(|| default_radix_bits(&fields(1)));
        Ok(fields(radix_bits).validate()?)
    }

    /// The header of the spec, with its tile kernel.
    pub fn header(&self) -> Result<String, Error> {
        device::header_with(&self.spec()?, Options { tile_kernel: true, ..Default::default() })
    }

    /// Sorts each tile of the keys, and moves each value with its key.
    ///
    /// Device slices are sorted in place. A sorter that may choose sorts host slices on the host.
    pub fn sort_pairs(
        &self,
        sorter: &Sorter,
        keys: &mut (impl ArrayMut<K> + ?Sized),
        values: &mut (impl ArrayMut<V> + ?Sized),
    ) -> Result<(), Error> {
        sort_pairs_by(&self.spec()?, sorter, keys.items_mut(), values.items_mut())
    }
}

impl<K: SortKey> BlockRadixSort<K> {
    /// Sorts each tile of the keys.
    ///
    /// Device slices are sorted in place. A sorter that may choose sorts host slices on the host.
    pub fn sort(
        &self,
        sorter: &Sorter,
        keys: &mut (impl ArrayMut<K> + ?Sized),
    ) -> Result<(), Error> {
        sort_by(&self.spec()?, sorter, keys.items_mut())
    }
}
