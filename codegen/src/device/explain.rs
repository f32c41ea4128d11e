//! What `explain` says of device-wide sorts.

use std::ops::Range;

use serde::Serialize;

use crate::contract::device::launch::{Device, Launch};
use crate::contract::device::passes::{FirstPhase, Passes};
use crate::contract::device::scratch::Scratch;
use crate::contract::device::spec::DeviceSpec;
use crate::contract::explain::{Fit, Lines};
use crate::contract::figures::{Case, Explain, LaunchRow, RequestError, Setting};
use crate::contract::spec::BitRange;
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
    /// What the passes are in words, a line each; or what sorts the items where there are none.
    #[serde(skip)]
    pub pass_words: Vec<String>,
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
        let Passes { by_all_digits, first_phase, words } = spec.passes(&launches, bits.clone());
        Self {
            n,
            bits: (bits.start, bits.end),
            multiprocessors: device.multiprocessors,
            passes: by_all_digits,
            first_phase,
            pass_words: words,
            launches: launches.iter().map(|launch| launch_row(spec, launch)).collect(),
            zeroed_bytes: zeroed,
            workspace_bytes: workspace,
            alternate_bytes: alternate,
            scratch_bytes: workspace + alternate,
        }
    }
}

fn launch_row(spec: &DeviceSpec, launch: &Launch) -> LaunchRow {
    let Launch { kernel, argument, blocks, threads, shared_bytes } = *launch;
    let symbol = format!("{spec}{}", kernel.suffix());
    LaunchRow { symbol, argument, blocks, threads, shared_bytes }
}

impl Explain for DeviceSpec {
    type Figures = DeviceSortExplanation;

    const SETTINGS: &'static [Setting] = &[Setting::Bits, Setting::Multiprocessors];

    fn most_items(&self) -> u64 {
        self.max_items()
    }

    fn figures(&self, case: &Case) -> Result<DeviceSortExplanation, RequestError> {
        let bits = bits_of(case.bits, self)?;
        Ok(DeviceSortExplanation::of(self, case.n, bits, case.device, case.arch))
    }

    fn lines(&self, figures: &DeviceSortExplanation) -> Lines {
        let DeviceSortExplanation { threads, items, sort, .. } = figures;
        let mut lines = Lines::default();
        lines.add("sorts", &sort_words(self, figures));
        let tile = format!("{threads} threads x {items} items = {} items", figures.tile_items);
        lines.add("tile", &tile);
        for (number, words) in sort.pass_words.iter().enumerate() {
            lines.add(if number == 0 { "passes" } else { "" }, words);
        }
        lines.add("launches", &launch_words(self, sort));
        lines.add_launches(self, &sort.launches);
        let scratch = format!(
            "{} bytes beside the arrays: {} of alternate keys and values, {} of workspace",
            sort.scratch_bytes, sort.alternate_bytes, sort.workspace_bytes
        );
        lines.add("scratch", &scratch);
        lines.add_fit(&figures.on_arch);
        lines
    }
}

fn bits_of(bits: Option<BitRange>, spec: &DeviceSpec) -> Result<Range<u32>, RequestError> {
    let key_bits = spec.key.bits();
    let Some(BitRange::Static { begin, end }) = bits else {
        return Ok(0..key_bits);
    };
    let not_legal =
        |legal: String| RequestError::not_legal("bits", &format!("{begin}..{end}"), spec, legal);
    if begin > end || end > key_bits {
        return Err(not_legal(format!("begin <= end <= {key_bits}")));
    }
    if (begin, end) != (0, key_bits) && !spec.algorithm.takes_bits() {
        return Err(not_legal("all bits".to_owned()));
    }
    Ok(begin..end)
}

fn sort_words(spec: &DeviceSpec, figures: &DeviceSortExplanation) -> String {
    let DeviceSortExplanation { key_bytes, value_bytes, .. } = figures;
    let values = match spec.value {
        ValueType::None => "no values".to_owned(),
        ValueType::Index => format!("their positions ({value_bytes} bytes), made by the sort"),
        _ => format!("values of {value_bytes} bytes"),
    };
    let order = match spec.order {
        Order::Ascending => "ascending",
        Order::Descending => "descending",
    };
    let nans = if spec.nan_last { ", NaNs last" } else { "" };
    let stable = if figures.stable { "stable" } else { "not stable" };
    format!(
        "{} keys ({key_bytes} bytes) with {values}, {order}{nans}, {stable}; {} {} items",
        spec.key,
        if spec.sorts_rows() { "rows of up to" } else { "up to" },
        figures.max_items
    )
}

fn launch_words(spec: &DeviceSpec, sort: &OneSort) -> String {
    let kernels = match sort.launches.len() {
        1 => "1 kernel".to_owned(),
        count => format!("{count} kernels"),
    };
    let memset = match sort.zeroed_bytes {
        0 => String::new(),
        bytes => format!(", behind a memset of {bytes} bytes"),
    };
    let device = format!("{} multiprocessors", sort.multiprocessors);
    let of = if spec.sorts_rows() { "for each row of" } else { "of" };
    format!("{of} {} items on {device}: {kernels}{memset}", sort.n)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let instead = sort.pass_words[0].strip_prefix("none: ");
            let second = instead.and_then(|it| it.split([' ', ',']).nth(1)).map(str::to_owned);
            (first, sort.passes, second)
        };
        // Their second words.
        let [counting, buckets, network] =
            ["counting", "into", "network"].map(|it| Some(it.to_owned()));
        let u64s = "device_radix_sort_u64_keys_b384_i18_asc";
        let fixed_up = |passes| Some((passes, "fix-up"));
        assert_eq!(passes(u64s, 1 << 24, 0..64), (fixed_up(6), 8, None));
        assert_eq!(passes(u64s, 1 << 24, 20..64), (fixed_up(4), 6, None));
        assert_eq!(passes(u64s, 1 << 24, 3..5), (None, 1, None));
        assert_eq!(passes(u64s, 1 << 24, 5..5), (None, 0, None));
        let u32s = "device_radix_sort_u32_keys_b384_i32_asc";
        assert_eq!(passes(u32s, 1 << 24, 0..32), (Some((2, "msd-buckets")), 4, None));
        assert_eq!(passes(u32s, 1 << 20, 0..32), (None, 4, None));
        assert_eq!(passes(u32s, 1 << 24, 0..24), (None, 3, None));
        let u16s = "device_radix_sort_u16_keys_b384_i32_asc";
        assert_eq!(passes(u16s, 1 << 24, 0..16), (None, 0, counting.clone()));
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
    }
}
