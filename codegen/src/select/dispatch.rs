//! Which kernels sort an array on a device.
//!
//! A tile or less is sorted by one block, some tiles by samples, more of them, and NaNs that come last, by a radix sort
//! device-wide; arrays of any length by a network or by a partition sort, on request. The runtime asks for one sort at
//! a time, a build script for all that the runtime may ask for.
//!
//! ```
//! use sortsmith_codegen::device::Device;
//! use sortsmith_codegen::dispatch::ArraySort;
//! use sortsmith_codegen::{Arch, KeyType};
//!
//! let sort = ArraySort::argsort(KeyType::F32).descending();
//! let device = Device::of(Arch::new(90).unwrap());
//! let tile = sort.kernel(1500, device);
//! assert_eq!(tile.to_string(), "block_radix_sort_f32_index_b256_i8_r4_desc");
//! assert_eq!(sort.kernel(100_000, device).to_string(), "device_sample_sort_f32_index_b512_i2_desc");
//! assert_eq!(sort.kernels(100_000, device).len(), 3);
//! ```

use crate::block::radix::default_radix_bits;
use crate::block::radix::plan::RadixPlan;
use crate::contract::spec::{Algorithm, Rank, SortSpec, SpecFields};
use crate::device::{BitonicSort, Device, DeviceSpec, MAX_PARTITION_ITEMS};
pub use crate::registry::KernelSpec;
pub use crate::select::array_sort::{ArraySort, Method};
use crate::select::tuning::{Case, SizeClass, Tuning};
use crate::types::{Arrangement, Block, KeyClass, KeyType, LaneMatch};

/// Threads and items of the tiles, the smallest first: a block with idle threads takes as long as a full one.
const TILES: [(u32, u32); 3] = [(128, 4), (256, 8), TILE_OF_SHORT_KEYS];

/// Of keys of 16 bits at most, which a block sorts in few passes: samples take 1.2 to 1.6 times as long for 4,096 keys
/// (H200, 2026-11-21).
const TILE_OF_SHORT_KEYS: (u32, u32) = (512, 8);

/// What sorts an array of this length, and what would without tuning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    /// The kernels.
    pub kernel: KernelSpec,
    /// The kernels of the built-in rows, which take as many items: the same, unless a [`Tuning`] has others.
    pub built_in: KernelSpec,
}

impl ArraySort {
    /// The kernels that sort n items, where `n` is not more than any device sort takes ([`DeviceSpec::max_items`]).
    pub fn kernel(self, n: u64, device: Device) -> KernelSpec {
        let Self { key, value, order, nan_last, takes_bits, .. } = self;
        if let Some(spec) = self.named(n, device) {
            return KernelSpec::DeviceWide(spec);
        }
        let tuned = if takes_bits { DeviceSpec::tuned_by_bits } else { DeviceSpec::tuned };
        let device_wide = || {
            let spec = tuned(key, value, order, nan_last, n, device);
            if !self.counted {
                return KernelSpec::DeviceWide(spec);
            }
            // A partition sort reads no count; those by bits do.
            let by_bits = || DeviceSpec::tuned_by_bits(key, value, order, nan_last, n, device);
            let counted = spec.with_count().or_else(|| by_bits().with_count());
            KernelSpec::DeviceWide(counted.unwrap_or(spec))
        };
        self.tile(n, device).map_or_else(device_wide, KernelSpec::Tile)
    }

    /// The sort by a method that is requested by name, if there is such a sort.
    fn named(self, n: u64, device: Device) -> Option<DeviceSpec> {
        let Self { key, value, order, nan_last, takes_bits, counted, method } = self;
        match method {
            // Their launches say which items meet.
            _ if counted => None,
            Method::Network { stable } => {
                Some(BitonicSort::for_device(key, value, order, stable, device))
            }
            Method::Partition if !takes_bits => {
                let spec = DeviceSpec::partition(key, value, order, nan_last, device);
                spec.filter(|spec| n <= spec.max_items())
            }
            Method::Partition | Method::Fastest => None,
        }
    }

    /// What sorts n items where these rows come before the built-in ones.
    pub fn choice(self, n: u64, device: Device, tuning: &Tuning) -> Choice {
        let built_in = self.kernel(n, device);
        let tuned = match (built_in, self.method) {
            (KernelSpec::Tile(_), _) | (_, Method::Network { .. }) => None,
            (KernelSpec::DeviceWide(_), Method::Fastest) => tuning.kernel(self, n, device),
            // A shape of another algorithm is not what is requested.
            (KernelSpec::DeviceWide(spec), Method::Partition) => {
                let tuned = tuning.kernel(self, n, device);
                tuned.filter(|tuned| tuned.algorithm == spec.algorithm)
            }
        };
        Choice { kernel: tuned.map_or(built_in, KernelSpec::DeviceWide), built_in }
    }

    /// All kernels, each with the most items that it is used for; the fewest come first.
    pub fn table(self, device: Device) -> Vec<(u64, KernelSpec)> {
        let choices = self.choices(device, &Tuning::default());
        choices.into_iter().map(|(most, choice)| (most, choice.kernel)).collect()
    }

    /// The same where these rows come before the built-in ones.
    pub fn choices(self, device: Device, tuning: &Tuning) -> Vec<(u64, Choice)> {
        let tiles = TILES.map(|(threads, items)| u64::from(threads * items));
        let classes = SizeClass::ALL.map(SizeClass::most);
        let mut table: Vec<(u64, Choice)> = Vec::new();
        for n in tiles.into_iter().chain(classes).chain([MAX_PARTITION_ITEMS, u64::MAX]) {
            let choice = self.choice(n, device, tuning);
            match table.last_mut() {
                Some((most, last)) if *last == choice => *most = n,
                _ => table.push((n, choice)),
            }
        }
        table
    }

    /// All kernels that sorts of up to n items use.
    pub fn kernels(self, n: u64, device: Device) -> Vec<KernelSpec> {
        let table = self.table(device);
        let used = table.iter().take_while(|(most, _)| *most < n).count() + 1;
        table.into_iter().take(used).map(|(_, kernel)| kernel).collect()
    }

    /// The smallest tile that holds all items, if there is one with all the options.
    fn tile(self, n: u64, device: Device) -> Option<SortSpec> {
        if self.nan_last && self.key.info().class == KeyClass::Float {
            return None;
        }
        TILES
            .into_iter()
            .filter_map(|tile| self.fitting_tile(tile, device))
            .find(|spec| u64::from(spec.tile_items()) >= n)
    }

    /// The spec of a tile, if it is one for such keys and the device has the shared memory for it.
    fn fitting_tile(self, tile: (u32, u32), device: Device) -> Option<SortSpec> {
        let (threads, items) = tile;
        if tile == TILE_OF_SHORT_KEYS && self.key.bits() > 16 {
            return None;
        }
        let rank = rank_of_tile(self.key, items);
        let fields = |radix_bits| {
            let block = Block::linear(threads);
            let mut fields =
                SpecFields::block_radix(self.key, self.value, block, items, radix_bits);
            if let Algorithm::BlockRadix { rank: own, .. } = &mut fields.algorithm {
                *own = rank;
            }
            if let Rank::Match(_) = rank {
                fields.input = Arrangement::WarpStriped;
            }
            SpecFields { order: self.order, ..fields }
        };
        let spec = fields(default_radix_bits(&fields(1))).validate().ok()?;
        let needed = RadixPlan::of(&spec)?.shared_bytes;
        (needed <= device.shared_bytes_per_block).then_some(spec)
    }
}

impl Case {
    /// The lengths of this case that a device-wide sort takes: the least, and the most, which is at most `most`.
    pub fn lengths(&self, device: Device, most: u64) -> [u64; 2] {
        let sort = ArraySort::pairs(self.key(), self.value());
        let is_device_wide = |n: &u64| matches!(sort.kernel(*n, device), KernelSpec::DeviceWide(_));
        let least = self.class().least();
        // Tiles end at a power of two.
        let least = if is_device_wide(&least) {
            least
        } else {
            (1..64).map(|log2| (1 << log2) + 1).find(is_device_wide).unwrap_or(least)
        };
        [least, self.class().most().min(most).max(least)]
    }
}

/// Ballots for small n or few digits: half as many passes, or fewer, with fewer barriers. Packed counters take 1.07
/// to 1.20 times as long there, and 0.86 times for 4,096 `u16` (H200, 2026-11-21).
fn rank_of_tile(key: KeyType, items: u32) -> Rank {
    if items <= 4 || key.bits() <= 8 { Rank::Match(LaneMatch::Ballots) } else { Rank::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{self, DeviceAlgorithm};
    use crate::types::{Arch, Order, Token, ValueType};

    fn all_sorts() -> impl Iterator<Item = ArraySort> {
        let orders = [Order::Ascending, Order::Descending];
        KeyType::ALL.iter().flat_map(move |key| {
            ValueType::table().iter().flat_map(move |(value, _)| {
                orders.map(|order| ArraySort::pairs(*key, *value).order(order))
            })
        })
    }

    /// Whether a spec is legal, and the one of its name.
    fn is_what_its_name_says(kernel: &KernelSpec) -> bool {
        let name = kernel.to_string();
        match kernel {
            KernelSpec::Tile(spec) => name.parse() == Ok(*spec),
            KernelSpec::DeviceWide(spec) => name.parse() == Ok(*spec),
        }
    }

    #[test]
    fn every_type_has_tiles_on_every_architecture() {
        for sort in all_sorts() {
            for arch in Arch::all() {
                let specs = TILES.map(|tile| sort.fitting_tile(tile, Device::of(arch)));
                assert!(specs[0].is_some(), "{sort:?} on {arch}");
                let has_all = arch.max_shared_bytes() == Arch::MAX_SHARED_BYTES;
                assert!(specs[1].is_some() || !has_all, "{sort:?} on {arch}");
                assert!(specs[2].is_none() || sort.key.bits() <= 16, "{sort:?} on {arch}");
                assert!(specs.iter().flatten().all(|spec| spec.order == sort.order));
            }
        }
    }

    #[test]
    fn all_kernels_are_those_of_every_length() {
        let edges = device::SMALL_N.map(|most| [most, most + 1]);
        let tiles = [2, 512, 513, 2048, 2049, 4096, 4097];
        let long = [(1 << 30) - 1, 1 << 30, 1 << 32];
        let lengths = [&tiles, edges.as_flattened(), &long];
        let lengths = lengths.concat();
        for sort in all_sorts().flat_map(|sort| [sort, sort.nan_last()]) {
            for device in [75, 86, 90].map(|arch| Device::of(Arch::new(arch).expect("known"))) {
                let of_lengths: Vec<_> = lengths.iter().map(|n| sort.kernel(*n, device)).collect();
                for (longest, n) in lengths.iter().enumerate() {
                    let all = sort.kernels(*n, device);
                    let single = &of_lengths[..=longest];
                    assert!(single.iter().all(|it| all.contains(it)), "{sort:?}, {n}: {all:?}");
                    assert!(all.iter().all(|it| single.contains(it)), "{sort:?}, {n}: {all:?}");
                    assert!(
                        all.iter().all(|it| it.shared_bytes() <= device.shared_bytes_per_block)
                    );
                    assert!(all.iter().all(is_what_its_name_says));
                }
            }
        }
    }

    #[test]
    fn which_kernels_there_are_does_not_depend_on_how_many_multiprocessors() {
        let few = Device::of(Arch::new(86).expect("known"));
        let many = Device { multiprocessors: 1000, ..few };
        for sort in all_sorts() {
            assert_eq!(sort.kernels(1 << 31, few), sort.kernels(1 << 31, many));
        }
    }

    /// Only what a network or a partition sort launches depends on how many items there are: sorts by bits come instead.
    #[test]
    fn counted_sorts_are_those_of_the_length_that_read_a_count() {
        let device = Device { multiprocessors: 132, ..Device::of(Arch::new(90).expect("known")) };
        for sort in all_sorts().flat_map(|sort| [sort, sort.nan_last(), sort.by_bits()]) {
            for (most, counted) in sort.counted().table(device) {
                let kernel = sort.kernel(most, device);
                let by_bits = || sort.by_bits().kernel(most, device);
                let is_partition = |it: &DeviceSpec| it.algorithm == DeviceAlgorithm::Partition;
                let kernel = match kernel {
                    KernelSpec::DeviceWide(spec) if is_partition(&spec) => by_bits(),
                    other => other,
                };
                let expected = match kernel {
                    KernelSpec::Tile(_) => kernel,
                    KernelSpec::DeviceWide(spec) => {
                        KernelSpec::DeviceWide(spec.with_count().expect("it reads one"))
                    }
                };
                assert_eq!(expected, counted, "{sort:?}, {most}");
                assert!(is_what_its_name_says(&expected));
            }
            let named = [Method::Partition, Method::Network { stable: true }];
            for sort in named.map(|method| sort.method(method).counted()) {
                let fastest = sort.method(Method::Fastest).kernel(1 << 24, device);
                assert_eq!(sort.kernel(1 << 24, device), fastest);
            }
        }
    }

    #[test]
    fn networks_are_for_every_length_and_on_every_architecture() {
        let methods = [false, true].map(|stable| Method::Network { stable });
        for sort in all_sorts().flat_map(|sort| methods.map(|method| sort.method(method))) {
            for arch in Arch::all() {
                let kernels = sort.kernels(1 << 33, Device::of(arch));
                let [KernelSpec::DeviceWide(spec)] = kernels[..] else {
                    panic!("{sort:?}: {kernels:?}")
                };
                assert_eq!(spec.fields().validate(), Ok(spec), "{spec}");
                assert!(
                    spec.shared_bytes() <= arch.max_shared_bytes() && spec.max_items() >= 1 << 31
                );
                let is_stable = sort.method == Method::Network { stable: true };
                assert!(spec.is_stable() || !is_stable || sort.value == ValueType::None, "{spec}");
                assert!(is_what_its_name_says(&kernels[0]));
            }
        }
    }

    #[test]
    fn partition_sorts_take_any_length_and_leave_to_others_what_they_have_not() {
        let device = Device { multiprocessors: 132, ..Device::of(Arch::new(90).expect("known")) };
        for fastest in all_sorts().flat_map(|sort| [sort, sort.nan_last()]) {
            let sort = fastest.method(Method::Partition);
            let table = sort.table(device);
            assert_eq!(sort.by_bits().table(device), fastest.by_bits().table(device), "{sort:?}");
            if sort.key.bytes() != 8 || sort.value.bytes() > 8 {
                assert_eq!(table, fastest.table(device), "{sort:?}");
                continue;
            }
            let [(most, KernelSpec::DeviceWide(spec)), (_, KernelSpec::DeviceWide(longer))] =
                table[..]
            else {
                panic!("{sort:?}: {table:?}")
            };
            assert_eq!(spec.algorithm, DeviceAlgorithm::Partition);
            assert_eq!((most, spec.max_items()), (MAX_PARTITION_ITEMS, MAX_PARTITION_ITEMS));
            assert_eq!(KernelSpec::DeviceWide(longer), fastest.kernel(most + 1, device));
            assert_eq!((spec.key, spec.value, spec.order), (sort.key, sort.value, sort.order));
            assert_eq!(spec.nan_last, longer.nan_last);
        }
    }

    /// Else a table would say another sort for a length than the row.
    #[test]
    fn built_in_rows_begin_and_end_where_classes_do() {
        for row in device::built_in_rows() {
            let is_bound = |n| SizeClass::ALL.iter().any(|class| class.most() == n);
            assert!(row.least_items == 0 || is_bound(row.least_items - 1), "{row:?}");
            let any = device::BuiltInRow::ANY_ITEMS;
            assert!(row.most_items == any || is_bound(row.most_items), "{row:?}");
        }
    }

    #[test]
    fn nans_that_come_last_need_more_than_a_tile_and_integers_have_none() {
        let device = Device::of(Arch::new(90).expect("known"));
        let floats = ArraySort::keys(KeyType::F32).nan_last().kernel(10, device).to_string();
        assert!(floats.ends_with("_asc_nanlast"), "{floats}");
        let integers = ArraySort::keys(KeyType::U32);
        assert_eq!(integers.nan_last().kernel(10, device), integers.kernel(10, device));
    }
}
