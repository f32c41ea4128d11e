//! Device-wide sorts, gathers and sorts of segments, in figures.

use std::ops::Range;

use serde::Serialize;

use super::Fit;
use crate::device::{Device, DeviceSpec, FirstPhase, Launch, LaunchArgument, Passes, Scratch};
use crate::gather::GatherSpec;
use crate::segments::{Problem, SegmentLaunch, SegmentSpec};
use crate::types::{Arch, KeyType, Order, ValueType};

/// A device-wide sort of a number of items.
///
/// ```
/// use sortsmith_codegen::device::Device;
/// use sortsmith_codegen::explain::DeviceSortExplanation;
/// use sortsmith_codegen::Arch;
///
/// let spec = "device_radix_sort_f32_u32_b384_i24_asc".parse().unwrap();
/// let sm_90 = Arch::new(90).unwrap();
/// let h200 = Device { multiprocessors: 132, ..Device::of(sm_90) };
/// let sort = DeviceSortExplanation::of(&spec, 1 << 20, 0..32, h200, sm_90).sort;
/// assert_eq!((sort.passes, sort.launches.len()), (4, 7));
/// assert_eq!(sort.alternate_bytes, 8 << 20);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeviceSortExplanation {
    /// The spec's name.
    pub name: String,
    /// The algorithm, by the word that `sortsmith list --algorithm` takes.
    pub algorithm: &'static str,
    /// The type of the keys.
    pub key: KeyType,
    /// Bytes of a key.
    pub key_bytes: u32,
    /// What travels with each key.
    pub value: ValueType,
    /// Bytes of a value.
    pub value_bytes: u32,
    /// Which end comes first.
    pub order: Order,
    /// Whether NaNs come last in either order.
    pub nan_last: bool,
    /// Whether equal keys keep their order.
    pub stable: bool,
    /// Threads of a block that sorts.
    pub threads: u32,
    /// Items of a thread.
    pub items: u32,
    /// Items of a tile.
    pub tile_items: u32,
    /// The most items that the sort takes.
    pub max_items: u64,
    /// One sort.
    pub sort: OneSort,
    /// Whether its blocks fit.
    pub on_arch: Fit,
}

/// What one sort does and takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OneSort {
    /// Items.
    pub n: u64,
    /// The first bit that takes part, and one past the last.
    pub bits: (u32, u32),
    /// Multiprocessors of the device.
    pub multiprocessors: u32,
    /// Passes over the items that sort by all digits, each by one; those that would move nothing are left out on the device,
    /// and all of them where a first phase was enough.
    pub passes: u32,
    /// The phase that comes before those, if there is one.
    pub first_phase: Option<FirstPhase>,
    /// What sorts the items in place of passes, if there are none.
    #[serde(skip)]
    pub instead_of_passes: Option<&'static str>,
    /// What the host launches, in this order, whatever the keys are.
    pub launches: Vec<LaunchRow>,
    /// Bytes at the start of the workspace that the host sets to zero before.
    pub zeroed_bytes: u64,
    /// Bytes of the workspace.
    pub workspace_bytes: u64,
    /// Bytes of the arrays that items move to and fro.
    pub alternate_bytes: u64,
    /// Bytes of both: what the sort takes beside its arrays.
    pub scratch_bytes: u64,
}

/// A launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LaunchRow {
    /// The kernel's symbol.
    pub symbol: String,
    /// What the kernel takes after its arguments; in JSON under a key that says what it is.
    #[serde(flatten)]
    pub argument: Option<LaunchArgument>,
    /// Blocks.
    pub blocks: u32,
    /// Threads of each.
    pub threads: u32,
    /// Bytes of dynamic shared memory.
    pub shared_bytes: u32,
}

impl DeviceSortExplanation {
    /// Explains the sort of n items by a range of bits on a device of an architecture. The range is one of the key's, and
    /// there are at most [`DeviceSpec::max_items`].
    pub fn of(spec: &DeviceSpec, n: u64, bits: Range<u32>, device: Device, arch: Arch) -> Self {
        Self {
            name: spec.to_string(),
            algorithm: spec.algorithm.token(),
            key: spec.key,
            key_bytes: spec.key.bytes(),
            value: spec.value,
            value_bytes: spec.value.bytes(),
            order: spec.order,
            nan_last: spec.nan_last,
            stable: spec.is_stable(),
            threads: spec.threads,
            items: spec.items,
            tile_items: spec.tile_items(),
            max_items: spec.max_items(),
            sort: OneSort::of(spec, n, bits, device),
            on_arch: Fit::of(arch, spec.shared_bytes(), spec.threads),
        }
    }
}

impl OneSort {
    fn of(spec: &DeviceSpec, n: u64, bits: Range<u32>, device: Device) -> Self {
        let launches = spec.launches(n, bits.clone(), device);
        let Scratch { zeroed, workspace, alternate, .. } = spec.scratch(n, &launches);
        let Passes { by_all_digits, first_phase, instead } = spec.passes(&launches);
        Self {
            n,
            bits: (bits.start, bits.end),
            multiprocessors: device.multiprocessors,
            passes: by_all_digits,
            first_phase,
            instead_of_passes: instead,
            launches: launches.iter().map(|launch| LaunchRow::of(spec, launch)).collect(),
            zeroed_bytes: zeroed,
            workspace_bytes: workspace,
            alternate_bytes: alternate,
            scratch_bytes: workspace + alternate,
        }
    }
}

impl LaunchRow {
    fn of(spec: &DeviceSpec, launch: &Launch) -> Self {
        let Launch { kernel, argument, blocks, threads, shared_bytes } = *launch;
        let symbol = format!("{spec}{}", kernel.suffix());
        Self { symbol, argument, blocks, threads, shared_bytes }
    }
}

/// A gather of a number of items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GatherExplanation {
    /// The spec's name.
    pub name: String,
    /// Bytes of an item.
    pub item_bytes: u32,
    /// Bytes of the words that it is moved in.
    pub word_bytes: u32,
    /// Items.
    pub n: u64,
    /// What the host launches; nothing for no items.
    pub launch: Option<LaunchRow>,
    /// Bytes of the copy that the runtime gathers from.
    pub copy_bytes: u64,
}

impl GatherExplanation {
    /// Explains the gather of n items.
    pub fn of(spec: GatherSpec, n: u64) -> Self {
        let launch = spec.launch(n).map(|launch| LaunchRow {
            symbol: spec.symbol(),
            argument: None,
            blocks: launch.blocks,
            threads: launch.threads,
            shared_bytes: 0,
        });
        Self {
            name: spec.to_string(),
            item_bytes: spec.item_bytes(),
            word_bytes: spec.word_bytes(),
            n,
            launch,
            copy_bytes: n.saturating_mul(u64::from(spec.item_bytes())),
        }
    }
}

/// A sort of segments, of an array of some items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SegmentExplanation {
    /// The spec's name.
    pub name: String,
    /// The type of the keys.
    pub key: KeyType,
    /// What travels with each key.
    pub value: ValueType,
    /// Which end comes first.
    pub order: Order,
    /// Whether NaNs come last in either order.
    pub nan_last: bool,
    /// Items that a warp sorts.
    pub warp_items: u32,
    /// Items that a block sorts.
    pub tile_items: u32,
    /// Items.
    pub n: u64,
    /// Segments.
    pub segments: u64,
    /// What the host launches.
    pub launches: Vec<LaunchRow>,
    /// Bytes of scratch.
    pub scratch_bytes: u64,
}

impl SegmentExplanation {
    /// Explains the sort of `n` items in as many segments as there may be of more than one item.
    pub fn of(spec: SegmentSpec, n: u64, device: Device) -> Self {
        let segments = n / 2;
        let problem = Problem { n, segments, absolute_positions: false };
        let row = |launch: SegmentLaunch| LaunchRow {
            symbol: format!("{spec}{}", launch.kernel.suffix()),
            argument: launch.round.map(LaunchArgument::Pass),
            blocks: launch.blocks,
            threads: launch.threads,
            shared_bytes: launch.shared_bytes,
        };
        let scratch = spec.scratch(problem);
        Self {
            name: spec.to_string(),
            key: spec.key,
            value: spec.value,
            order: spec.order,
            nan_last: spec.nan_last,
            warp_items: spec.warp_items(),
            tile_items: spec.tile_items(),
            n,
            segments,
            launches: spec.launches(problem, device).into_iter().map(row).collect(),
            scratch_bytes: scratch.workspace + scratch.keys + scratch.values,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::PhaseEnd;

    fn explained(name: &str, n: u64, bits: Range<u32>) -> OneSort {
        let arch = Arch::new(90).unwrap();
        let device = Device { multiprocessors: 132, ..Device::of(arch) };
        DeviceSortExplanation::of(&name.parse().unwrap(), n, bits, device, arch).sort
    }

    #[test]
    fn passes_are_those_that_are_launched() {
        let passes = |name, n, bits| {
            let sort = explained(name, n, bits);
            let first = sort.first_phase.map(|phase| (phase.passes, phase.ended_by));
            let instead = sort.instead_of_passes.and_then(|it| it.split([' ', ',']).nth(1));
            (first, sort.passes, instead)
        };
        // Their second words.
        let [counting, buckets, network] = ["counting", "into", "network"].map(Some);
        let u64s = "device_radix_sort_u64_keys_b384_i18_asc";
        let fixed_up = |passes| Some((passes, PhaseEnd::FixUp));
        assert_eq!(passes(u64s, 1 << 24, 0..64), (fixed_up(6), 8, None));
        assert_eq!(passes(u64s, 1 << 24, 20..64), (fixed_up(4), 6, None));
        assert_eq!(passes(u64s, 1 << 24, 3..5), (None, 1, None));
        assert_eq!(passes(u64s, 1 << 24, 5..5), (None, 0, None));
        let u32s = "device_radix_sort_u32_keys_b384_i32_asc";
        assert_eq!(passes(u32s, 1 << 24, 0..32), (Some((2, PhaseEnd::MsdBuckets)), 4, None));
        assert_eq!(passes(u32s, 1 << 20, 0..32), (None, 4, None));
        assert_eq!(passes(u32s, 1 << 24, 0..24), (None, 3, None));
        let u16s = "device_radix_sort_u16_keys_b384_i32_asc";
        assert_eq!(passes(u16s, 1 << 24, 0..16), (None, 0, counting));
        assert_eq!(passes(u16s, 1 << 18, 0..16), (None, 0, counting));
        assert_eq!(passes(u16s, (1 << 18) - 1, 0..16), (None, 2, None));
        let samples = "device_sample_sort_u32_keys_b512_i2_asc";
        assert_eq!(passes(samples, 1 << 16, 0..32), (None, 0, buckets));
        let by_network = "device_bitonic_sort_u32_keys_b512_i16_asc";
        assert_eq!(passes(by_network, 1 << 20, 0..32), (None, 0, network));
    }

    #[test]
    fn no_items_are_no_launches() {
        let sort = explained("device_radix_sort_u32_keys_b384_i32_asc", 0, 0..32);
        assert!(sort.launches.is_empty() && sort.scratch_bytes + sort.zeroed_bytes == 0);
        let spec: GatherSpec = "gather_b12_w4".parse().unwrap();
        assert_eq!(GatherExplanation::of(spec, 0).launch, None);
        assert_eq!(GatherExplanation::of(spec, 1000).copy_bytes, 12_000);
    }
}
