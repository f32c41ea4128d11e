//! The block sort that was the fastest for such tiles.

use std::marker::PhantomData;
use std::ops::Range;

use sortsmith_codegen::tiles::{TileChoice, TileSort};
use sortsmith_codegen::{Arch, BitRange, Block, Order, SortSpec};

use super::sort::{payload_of, sort_by, sort_pairs_by};
use crate::array::ArrayMut;
use crate::backend::Backend;
use crate::device::{self, Options};
use crate::error::Error;
use crate::key::SortKey;
use crate::sorter::Sorter;
use crate::value::SortValue;

/// A sort of tiles that names no algorithm: of the block sorts that do what is asked the one that was
/// [measured](crate::device::tiles) to be the fastest for such keys, values and tiles. It sorts each tile of an array
/// on its own: the first `threads × items` keys, then the next, and so on; the last tile may be shorter. `V` is what
/// goes with the keys, `()` for nothing. Equal keys keep their order, unless [`unstable`](Self::unstable) is said.
///
/// ```
/// use sortsmith::{BlockSort, Sorter};
///
/// let tiles = BlockSort::<u32>::tiles(2, 2);
/// let mut keys = [4, 3, 2, 1, 9, 7, 8];
/// tiles.sort(&Sorter::new()?, &mut keys)?;
/// assert_eq!(keys, [1, 2, 3, 4, 7, 8, 9]);
///
/// // Zeros of both signs are equal keys, and keep their order.
/// let floats = BlockSort::<f32>::tiles(256, 16);
/// assert_eq!(floats.spec()?.to_string(), "block_merge_sort_f32_keys_b256_i16_asc");
/// assert_eq!(floats.unstable().spec()?.to_string(), "block_bitonic_sort_f32_keys_b256_i16_asc");
/// assert!(floats.choice()?.reason().contains("a stable sort is asked for"));
/// # Ok::<(), sortsmith::Error>(())
/// ```
///
/// Each sort chooses anew, which takes the host some microseconds. [`BlockRadixSort`](crate::BlockRadixSort) is the one to
/// choose the algorithm and its options for oneself.
#[derive(Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct BlockSort<K, V = ()> {
    block: Block,
    items: u32,
    is_stable: bool,
    bits: Option<BitRange>,
    order: Order,
    arch: Option<Arch>,
    types: PhantomData<fn(K, V)>,
}

impl<K, V> Clone for BlockSort<K, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, V> Copy for BlockSort<K, V> {}

impl<K: SortKey, V: SortValue> BlockSort<K, V> {
    /// Tiles of `threads × items` keys, each sorted by a block of so many threads with so many items each.
    pub fn tiles(threads: u32, items: u32) -> Self {
        Self {
            block: Block::linear(threads),
            items,
            is_stable: true,
            bits: None,
            order: Order::Ascending,
            arch: None,
            types: PhantomData,
        }
    }

    /// Equal keys in any order, and -0.0 before +0.0 or behind it, where that is faster.
    pub fn unstable(self) -> Self {
        Self { is_stable: false, ..self }
    }

    /// Only these of the key's [ordered bits](SortKey) take part, as constants of the kernel: of a radix sort, then.
    pub fn bits(self, bits: Range<u32>) -> Self {
        Self { bits: Some(BitRange::Static { begin: bits.start, end: bits.end }), ..self }
    }

    /// The greatest key first.
    pub fn descending(self) -> Self {
        self.order(Order::Descending)
    }

    /// Which end comes first.
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// The architecture to choose for, whose shared memory the tile must fit. Without it, the device's on which tiles
    /// are sorted, and `sm_90` where there is none.
    pub fn arch(self, arch: Arch) -> Self {
        Self { arch: Some(arch), ..self }
    }

    /// The spec that is chosen, and why.
    pub fn choice(&self) -> Result<TileChoice, Error> {
        self.choice_for(self.arch.unwrap_or(Arch::SM_90))
    }

    /// The spec that is chosen.
    pub fn spec(&self) -> Result<SortSpec, Error> {
        Ok(self.choice()?.spec())
    }

    /// The header of the spec, with its tile kernel.
    pub fn header(&self) -> Result<String, Error> {
        device::header_with(&self.spec()?, Options { tile_kernel: true })
    }

    /// Sorts each tile of the keys, and moves each value with its key.
    ///
    /// Device slices are sorted in place. Host slices are sorted on the host by a sorter that may choose where.
    pub fn sort_pairs(
        &self,
        sorter: &Sorter,
        keys: &mut (impl ArrayMut<K> + ?Sized),
        values: &mut (impl ArrayMut<V> + ?Sized),
    ) -> Result<(), Error> {
        sort_pairs_by(&self.spec_on(sorter)?, sorter, keys.place_mut(), values.place_mut())
    }

    fn choice_for(&self, arch: Arch) -> Result<TileChoice, Error> {
        let Self { block, items, is_stable, bits, order, .. } = *self;
        let sort = TileSort::pairs(K::KEY_TYPE, payload_of::<V>()?, block, items);
        Ok(TileSort { stable: is_stable, bits, order, arch, ..sort }.choose()?)
    }

    /// The spec for a sorter's device. One that is newer than the architectures that are known is taken for `sm_90`.
    fn spec_on(&self, sorter: &Sorter) -> Result<SortSpec, Error> {
        let of_device = || match sorter.backend() {
            Backend::Gpu { arch, .. } => Arch::new(arch).ok(),
            Backend::Host => None,
        };
        let arch = self.arch.or_else(of_device).unwrap_or(Arch::SM_90);
        Ok(self.choice_for(arch)?.spec())
    }
}

impl<K: SortKey> BlockSort<K> {
    /// Sorts each tile of the keys.
    ///
    /// Device slices are sorted in place. Host slices are sorted on the host by a sorter that may choose where.
    pub fn sort(
        &self,
        sorter: &Sorter,
        keys: &mut (impl ArrayMut<K> + ?Sized),
    ) -> Result<(), Error> {
        sort_by(&self.spec_on(sorter)?, sorter, keys.place_mut())
    }
}
