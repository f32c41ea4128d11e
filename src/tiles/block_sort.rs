//! The block sort that was measured to be the fastest for a tile.

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

/// A sort of tiles that names no algorithm: it takes the block sort that was [measured](crate::device::tiles) to be the fastest for
/// the keys, values and tiles. It sorts each tile of an array by itself: the first `threads × items` keys, then the next, and so on;
/// the last tile may be shorter. `V` is the type of the values, `()` for none. Equal keys keep their order unless
/// [`unstable`](Self::unstable) is set.
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
/// assert_eq!(floats.spec()?.to_string(), "block_bitonic_sort_f32_keys_b256_i16_asc_stable");
/// assert_eq!(floats.unstable().spec()?.to_string(), "block_bitonic_sort_f32_keys_b256_i16_asc");
/// # Ok::<(), sortsmith::Error>(())
/// ```
///
/// Each sort makes the choice again, which takes some microseconds on the host. With [`BlockRadixSort`](crate::BlockRadixSort) the
/// caller chooses the algorithm and its options.
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
    /// Tiles of `threads × items` keys, each sorted by a block of `threads` threads with `items` items each.
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

    /// Permits equal keys in any order, and -0.0 before or after +0.0, if that is faster.
    pub fn unstable(self) -> Self {
        Self { is_stable: false, ..self }
    }

    /// Sorts by these of the key's [ordered bits](SortKey) only, as constants of the kernel, which is a radix sort then.
    pub fn bits(self, bits: Range<u32>) -> Self {
        Self { bits: Some(BitRange::Static { begin: bits.start, end: bits.end }), ..self }
    }

    /// Descending.
    pub fn descending(self) -> Self {
        self.order(Order::Descending)
    }

    /// Ascending or descending.
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// The architecture to choose for. The tile must fit its shared memory. The default is that of the sorter's device, or `sm_90` if
    /// it has none.
    pub fn arch(self, arch: Arch) -> Self {
        Self { arch: Some(arch), ..self }
    }

    /// The chosen spec, and the reason.
    pub fn choice(&self) -> Result<TileChoice, Error> {
        self.choice_for(self.arch.unwrap_or(Arch::SM_90))
    }

    /// The chosen spec.
    pub fn spec(&self) -> Result<SortSpec, Error> {
        Ok(self.choice()?.spec())
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
        sort_pairs_by(&self.spec_on(sorter)?, sorter, keys.items_mut(), values.items_mut())
    }

    fn choice_for(&self, arch: Arch) -> Result<TileChoice, Error> {
        let Self { block, items, is_stable, bits, order, .. } = *self;
        let sort = TileSort::pairs(K::KEY_TYPE, payload_of::<V>()?, block, items);
        Ok(TileSort { stable: is_stable, bits, order, arch, ..sort }.choose()?)
    }

    /// The spec for a sorter's device. A device newer than the known architectures counts as `sm_90`.
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
    /// Device slices are sorted in place. A sorter that may choose sorts host slices on the host.
    pub fn sort(
        &self,
        sorter: &Sorter,
        keys: &mut (impl ArrayMut<K> + ?Sized),
    ) -> Result<(), Error> {
        sort_by(&self.spec_on(sorter)?, sorter, keys.items_mut())
    }
}
