//! Sorts of any number of items by a bitonic network: tiles in shared memory, longer distances in the array itself.
//!
//! The header's `merged_items`, `steps_of` and `stride_blocks` are here too, for the host.

use askama::Template;

use super::finished;
use super::launch::{Kernel, Launch};
use super::{DeviceAlgorithm, DeviceSpec, DeviceSpecError, require};
use crate::block::comparison::plan::ComparisonPlan;
use crate::block::comparison::view::MergeView;
use crate::contract::render::RenderError;
use crate::primitives::word::{self, Word};
use crate::primitives::words_view::{WordsView, lines};
use crate::text::common::{Part, PartView};
use crate::text::key::{KeyView, title};
use crate::text::{guard, version_namespace};
use crate::types::{Arch, KeyClass, KeyType, ValueType};

/// Steps of one launch, at most: threads have two to the power of that many items in registers.
const MAX_STEPS: u32 = 4;

/// Registers for these items, at most.
const COLUMN_REGISTERS: u32 = 48;

/// Registers of all items of a tile, at most, where the shape is chosen: three blocks of it share a multiprocessor of
/// 227 KB.
const TILE_REGISTERS: u32 = 1 << 14;

/// Items of a thread, at most.
const MAX_ITEMS: u32 = 16;

/// More than any device has the memory for.
const MOST_ITEMS: u64 = 1 << 36;

/// What a thread has of an item in its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// What is compared.
    word: Word,
    /// Whether the lowest bit of the tie-break index says that the key is -0.0, which is compared as +0.0.
    marks_negative_zero: bool,
    /// Whether the value is the tie-break index.
    values_break_ties: bool,
    /// Registers of the value that goes with the word.
    carried_parts: u32,
}

impl Item {
    fn of(key: KeyType, value: ValueType, stable: bool) -> Self {
        let has_position = stable || value == ValueType::Index;
        let values_break_ties = !stable && word::value_joins(key, value);
        let carries = value.is_read() && !values_break_ties;
        let tie_break_bits = if values_break_ties {
            Some(8 * value.bytes())
        } else {
            has_position.then_some(u32::BITS)
        };
        Self {
            word: Word::of(key, tie_break_bits),
            marks_negative_zero: has_position && key.info().class == KeyClass::Float,
            values_break_ties,
            carried_parts: if carries { value.bytes().div_ceil(4) } else { 0 },
        }
    }

    fn registers(self) -> u32 {
        self.word.registers() + self.carried_parts
    }

    /// The most items that there may be, where each that has a position needs one of 32 bits.
    fn most(self) -> u64 {
        match (self.word.has_tie_break() && !self.values_break_ties, self.marks_negative_zero) {
            (true, true) => 1 << 31,
            (true, false) => 1 << 32,
            (false, _) => MOST_ITEMS,
        }
    }

    /// Steps of one launch over the array, at most.
    fn max_steps(self) -> u32 {
        (COLUMN_REGISTERS / self.registers()).ilog2().clamp(1, MAX_STEPS)
    }
}

fn item_of(spec: &DeviceSpec) -> Item {
    Item::of(spec.key, spec.value, spec.algorithm == DeviceAlgorithm::Bitonic { stable: true })
}

fn plan_of(spec: &DeviceSpec) -> ComparisonPlan {
    let Item { word, marks_negative_zero, values_break_ties, carried_parts } = item_of(spec);
    let shape = (spec.threads, spec.items);
    ComparisonPlan::of_tiles(shape, word, marks_negative_zero, values_break_ties, carried_parts)
}

/// The first field that is not legal, if there is one.
pub(super) fn check(spec: &DeviceSpec) -> Result<(), DeviceSpecError> {
    require(
        spec.items.is_power_of_two() && spec.items <= MAX_ITEMS,
        "items",
        spec.items.to_string(),
        &format!("a power of two from 1 to {MAX_ITEMS}"),
    )?;
    require(
        !spec.nan_last,
        "nanlast",
        "true".to_owned(),
        "false: networks compare keys by all of their bits",
    )?;
    require(!spec.wide, "wide", "true".to_owned(), "false: places have 64 bits in any case")?;
    require(
        spec.algorithm != DeviceAlgorithm::Bitonic { stable: true } || spec.value.is_read(),
        "stable",
        "true".to_owned(),
        "with values that are read: positions are in order in any case, and of keys alone nothing tells equal ones apart",
    )?;
    let shared = shared_bytes(spec);
    require(
        shared <= Arch::MAX_SHARED_BYTES,
        "tile",
        format!("{} items, {shared} bytes of shared memory", spec.tile_items()),
        &format!("at most {} bytes", Arch::MAX_SHARED_BYTES),
    )
}

/// Shared memory of a block that sorts or merges a tile.
pub(super) fn shared_bytes(spec: &DeviceSpec) -> u32 {
    plan_of(spec).shared_bytes
}

/// The most items that the sort takes.
pub(super) fn max_items(spec: &DeviceSpec) -> u64 {
    item_of(spec).most().min(u64::from(spec.tile_items()) << 30)
}

/// Whether equal keys keep their order: where they have their positions with them, or are the same bit for bit.
pub(super) fn is_stable(spec: &DeviceSpec) -> bool {
    let item = item_of(spec);
    let is_float = spec.key.info().class == KeyClass::Float;
    match spec.value {
        ValueType::None => !is_float,
        _ => item.word.has_tie_break() && !item.values_break_ties,
    }
}

/// Bytes of workspace: the positions of a stable sort.
pub(super) fn workspace_bytes(spec: &DeviceSpec, n: u64) -> u64 {
    match spec.algorithm {
        DeviceAlgorithm::Bitonic { stable: true } => (4 * n).next_multiple_of(16),
        _ => 0,
    }
}

/// Threads and items of a tile, the largest one first, of those that are worth trying.
pub(super) fn shapes(
    key: KeyType,
    value: ValueType,
    stable: bool,
) -> impl Iterator<Item = (u32, u32)> {
    let registers = Item::of(key, value, stable).registers();
    [(512, 16), (512, 8), (256, 8), (256, 4), (128, 4), (128, 2)]
        .into_iter()
        .filter(move |(threads, items)| threads * items * registers <= TILE_REGISTERS)
}

/// The items that a merge to runs of this length has to do with: all, but for those of a last run that has no upper
/// half.
fn merged_items(n: u64, run_log2: u32) -> u64 {
    let rest = n & ((1 << run_log2) - 1);
    if rest > 1 << (run_log2 - 1) { n } else { n - rest }
}

/// The steps of a merge that one launch of `_stride` takes: the header's `Steps`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Steps {
    /// The distance of its last step, as a logarithm.
    segment_log2: u32,
    count: u32,
    /// Whether the merge begins with them.
    is_first: bool,
}

impl Steps {
    /// Those of each launch of a merge to runs of this length, which share all steps as evenly as possible.
    fn all(run_log2: u32, tile_log2: u32, max_steps: u32) -> impl Iterator<Item = Self> {
        let all_steps = run_log2 - tile_log2;
        let launches = all_steps.div_ceil(max_steps);
        (0..launches).map(move |number| {
            let [before, after] = [number, number + 1].map(|it| all_steps * it / launches);
            Self { segment_log2: run_log2 - after, count: after - before, is_first: number == 0 }
        })
    }

    /// The kernel's argument.
    fn pack(self) -> u32 {
        self.segment_log2 * 32 + self.count * 2 + u32::from(self.is_first)
    }

    /// Threads for so many items: one for each column of which there is an item.
    fn columns(self, items: u64) -> u64 {
        let (segment, group_log2) = (1 << self.segment_log2, self.segment_log2 + self.count);
        let rest = items & ((1 << group_log2) - 1);
        ((items >> group_log2) << self.segment_log2) + rest.min(segment)
    }
}

/// The launches for n items, of which there are some.
pub(super) fn launches(spec: &DeviceSpec, n: u64) -> Vec<Launch> {
    let blocks = |needed: u64| u32::try_from(needed).unwrap_or(u32::MAX);
    let launch = |kernel, blocks, shared_bytes| Launch {
        kernel,
        blocks,
        threads: spec.threads,
        shared_bytes,
    };
    let shared_bytes = shared_bytes(spec);
    let of_tiles = |kernel, items| launch(kernel, blocks(spec.tile_count(items)), shared_bytes);
    let tile_log2 = spec.tile_items().ilog2();
    let mut launches = vec![of_tiles(Kernel::Tiles, n)];
    for run_log2 in tile_log2 + 1..=n.next_power_of_two().ilog2() {
        let items = merged_items(n, run_log2);
        let strides = Steps::all(run_log2, tile_log2, item_of(spec).max_steps());
        launches.extend(strides.map(|steps| {
            let needed = steps.columns(items).div_ceil(u64::from(spec.threads));
            launch(Kernel::Stride(steps.pack()), blocks(needed), 0)
        }));
        launches.push(of_tiles(Kernel::Merge, items));
    }
    launches
}

#[derive(Template)]
#[template(path = "device/bitonic/header.cuh")]
#[allow(clippy::struct_excessive_bools)] // one flag for each way in which headers differ
struct View {
    name: String,
    title: String,
    version: &'static str,
    version_namespace: String,
    struct_guard: String,
    parts: Vec<PartView>,

    key: KeyView,
    value: &'static str,
    value_bytes: u32,
    has_values: bool,
    reads_values: bool,
    makes_positions: bool,
    keeps_positions: bool,
    is_stable: bool,
    is_in_place: bool,
    interleaves: bool,
    sorts_by_counting: bool,
    item_bytes: u32,
    counts: bool,
    sorts_msd_buckets: bool,
    workspace_align: u32,

    max_items: u64,
    threads: u32,
    items: u32,
    tile_log2: u32,
    max_steps: u32,
    steps: Vec<u32>,
    shared_bytes: u32,

    words: WordsView,
    has_tie_break: bool,
    joins: bool,
    is_one_register: bool,
    tie_break_bits: u32,
    compares_truncated_keys: bool,
    marks_negative_zero: bool,
    values_break_ties: bool,

    sorter: Vec<String>,
    sorter_comparators: usize,
    has_merger: bool,
    merger: Vec<String>,
    merger_comparators: usize,
    shuffles: bool,
    merges_by_path: bool,
    has_merges: bool,
    merges: Vec<MergeView>,
    slots: u32,
    reads_two_words: bool,
    swaps_reads: bool,
    period: u32,
    gap: u32,
}

/// The header: the kernels.
pub(super) fn header(spec: &DeviceSpec) -> Result<String, RenderError> {
    finished(spec, view(spec, &plan_of(spec)).render())
}

#[allow(clippy::too_many_lines)] // one line for each field of the template
fn view(spec: &DeviceSpec, plan: &ComparisonPlan) -> View {
    let item = item_of(spec);
    View {
        name: spec.to_string(),
        title: title(spec.key, spec.value, spec.order),
        version: env!("CARGO_PKG_VERSION"),
        version_namespace: version_namespace(),
        struct_guard: guard(&spec.to_string()),
        parts: [Part::NullType, Part::Bits, Part::GridOrder, Part::Parts].map(PartView::of).into(),

        key: KeyView::of(spec.key, spec.order, false),
        value: spec.value.cuda(),
        value_bytes: spec.value.bytes(),
        has_values: spec.value != ValueType::None,
        reads_values: spec.value.is_read(),
        makes_positions: spec.value == ValueType::Index,
        keeps_positions: spec.algorithm == DeviceAlgorithm::Bitonic { stable: true },
        is_stable: is_stable(spec),
        is_in_place: true,
        interleaves: false,
        sorts_by_counting: false,
        item_bytes: 0,
        counts: false,
        sorts_msd_buckets: false,
        workspace_align: 16,

        max_items: max_items(spec),
        threads: spec.threads,
        items: spec.items,
        tile_log2: spec.tile_items().ilog2(),
        max_steps: item.max_steps(),
        steps: (1..=item.max_steps()).collect(),
        shared_bytes: plan.shared_bytes,

        words: WordsView::of_array(item.carried_parts),
        has_tie_break: item.word.has_tie_break(),
        joins: item.word.joined_tie_break_bits() > 0,
        is_one_register: item.registers() == 1,
        tie_break_bits: item.word.joined_tie_break_bits(),
        compares_truncated_keys: false,
        marks_negative_zero: item.marks_negative_zero,
        values_break_ties: item.values_break_ties,

        sorter: lines(&plan.sorter),
        sorter_comparators: plan.sorter.len(),
        has_merger: true,
        merger: lines(&plan.merger),
        merger_comparators: plan.merger.len(),
        shuffles: plan.shuffled_lanes > 1,
        merges_by_path: false,
        has_merges: true,
        merges: plan.merges.iter().map(MergeView::of).collect(),
        slots: plan.slots(),
        reads_two_words: plan.items.is_multiple_of(4),
        swaps_reads: plan.swaps_reads(),
        period: plan.padding.period,
        gap: plan.padding.gap,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Device;

    fn spec(name: &str) -> DeviceSpec {
        format!("device_bitonic_sort_{name}").parse().unwrap_or_else(|error| panic!("{error}"))
    }

    fn launched(spec: &DeviceSpec, n: u64) -> Vec<Launch> {
        let device = Device { multiprocessors: 132, shared_bytes_per_block: 227 * 1024 };
        spec.launches(n, 0..spec.key.bits(), device)
    }

    #[test]
    fn launches_are_of_the_number_of_items_alone() {
        let spec = spec("u32_keys_b512_i16_asc");
        let counts = |n: u64| {
            let launches = launched(&spec, n);
            let strides = launches.iter().filter(|it| matches!(it.kernel, Kernel::Stride(_)));
            (strides.count(), launches.len())
        };
        assert_eq!(counts(0), (0, 0));
        assert_eq!([1, 8192].map(counts), [(0, 1); 2]);
        assert_eq!([8193, 1 << 14].map(counts), [(1, 3); 2]);
        assert_eq!(counts(1 << 20), (10, 18));
        assert_eq!(counts(1 << 28), (36, 52));
    }

    #[test]
    fn launches_take_each_step_once() {
        for max_steps in 1..=MAX_STEPS {
            for run_log2 in 8..40 {
                let mut next = run_log2;
                for steps in Steps::all(run_log2, 7, max_steps) {
                    assert_eq!(steps.is_first, next == run_log2);
                    assert!((1..=max_steps).contains(&steps.count));
                    next -= steps.count;
                    assert_eq!(steps.segment_log2, next);
                }
                assert_eq!(next, 7);
            }
        }
    }

    #[test]
    fn runs_without_an_upper_half_are_left_alone() {
        let merged = [64, 65, 128, 129, 191, 192, 193, 256].map(|n| merged_items(n, 7));
        assert_eq!(merged, [0, 65, 128, 128, 128, 128, 193, 256]);
        // Threads of mirrored steps of 64: one for each item of lower halves.
        let steps = Steps { segment_log2: 6, count: 1, is_first: true };
        assert_eq!([65, 128, 193, 256].map(|n| steps.columns(n)), [64, 64, 128, 128]);
    }

    #[test]
    fn stable_is_what_has_positions_or_nothing_to_tell_apart() {
        for (name, stable, max_items) in [
            ("u32_keys_b64_i2_asc", true, MOST_ITEMS),
            ("f32_keys_b64_i2_asc", false, MOST_ITEMS),
            ("u32_index_b64_i2_asc", true, 1 << 32),
            ("f32_index_b64_i2_asc", true, 1 << 31),
            ("u32_u32_b64_i2_asc", false, MOST_ITEMS),
            ("u32_u32_b64_i2_asc_stable", true, 1 << 32),
            ("u8_u16_b64_i2_asc", false, MOST_ITEMS),
        ] {
            let spec = spec(name);
            assert_eq!((spec.is_stable(), spec.max_items()), (stable, max_items), "{name}");
            let takes = |n| spec.workspace_of(n, &launched(&spec, n)).1 + spec.scratch_bytes(n).1;
            let positions = if name.ends_with("_stable") { 4016 } else { 0 };
            assert_eq!(takes(1001), positions, "{name}");
        }
    }

    #[test]
    fn what_no_network_has_is_refused_by_its_name() {
        let error = |name: &str| {
            let name = format!("device_bitonic_sort_{name}");
            name.parse::<DeviceSpec>().expect_err("not legal").to_string()
        };
        assert!(error("u32_keys_b32_i4_asc").contains("a power of two from 64 to 1024"));
        assert!(error("u32_keys_b64_i3_asc").contains("items = 3 is not legal"));
        assert!(error("f32_keys_b64_i4_asc_nanlast").contains("nanlast = true"));
        assert!(error("u32_keys_b64_i4_asc_wide").contains("wide = true"));
        assert!(error("u32_keys_b64_i4_asc_stable").contains("stable = true"));
        assert!(error("u128_u128_b1024_i16_asc").contains("shared memory"));
    }
}
