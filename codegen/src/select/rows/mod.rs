//! Which kernels sort the rows of a matrix, by types, columns and architecture: a sort of tiles, each row by a block or a part of a warp,
//! or a device-wide sort of all rows in the same launches.
//!
//! ```
//! use sortsmith_codegen::rows::RowSort;
//! use sortsmith_codegen::{KeyType, ValueType};
//!
//! let sort = RowSort::pairs(KeyType::F32, ValueType::U32);
//! let choice = sort.choose(100).unwrap();
//! assert_eq!(choice.spec().to_string(), "block_bitonic_sort_f32_u32_b32_i4_asc_stable");
//! assert!(choice.reason().starts_with("141.1 Gkeys/s: 100 of 128 columns"), "{}", choice.reason());
//!
//! let long = sort.choose(100_000).unwrap();
//! assert_eq!(long.spec().to_string(), "device_sample_sort_f32_u32_b512_i8_asc_rows");
//! assert!(sort.choose(1 << 21).is_none(), "such rows are sorted one after the other, as arrays");
//! ```
//!
//! The rules:
//!
//! 1. Candidates are stable sorts of a tile by a logical warp or by a block, in the shapes of [`ROW_RECORDS`]. By a range of bits, which
//!    networks do not take, a block's sort of each shape is what [`TileSort::choose`] chooses; so it is where that is a radix sort.
//! 2. Their figure is that of rows of as many items as the tile has: of the measured types the one with as many compared registers, with values or without;
//!    keys of up to two bytes that go alone, which networks compare two a register, have one of their own. Of radix sorts it is that of [`crate::tiles`].
//! 3. A partial tile takes as long as a full one, so the figure counts in proportion to the columns of the tile that are used. Of a block that
//!    merges, warps without items do nothing: there it is the columns of the warps that have some.
//! 4. Device-wide sorts of rows have the figures that their families have for the columns.
//! 5. Of the candidates that hold a row, the one with the best figure is chosen.

mod launch;
mod measured;

pub use launch::{are_sorted_together, max_rows_of_tiles, rows_of_block, rows_of_group};
pub(crate) use launch::{host_are_sorted_together, host_rows_of_group};
pub use measured::{ROW_RECORDS, RowFigure, RowRecord, RowTile};

use std::fmt::Write as _;
use std::ops::Range;

use crate::contract::spec::{Algorithm, BitRange, SortSpec, SpecFields};
use crate::device::{Device, DeviceSpec, MAX_COLUMNS};
use crate::registry::{self, KernelSpec};
use crate::select::tiles::TileSort;
use crate::types::{Arch, Arrangement, Block, KeyType, Order, ValueType};
use crate::warp::bitonic::plan::WarpPlan;

/// Threads and items of the blocks of radix sorts: those that tiles were measured in, and smaller and larger ones.
const BLOCKS: [(u32, u32); 12] = [
    (32, 4),
    (64, 4),
    (128, 4),
    (128, 8),
    (128, 16),
    (256, 4),
    (256, 8),
    (256, 16),
    (512, 4),
    (512, 8),
    (512, 16),
    (1024, 16),
];

/// Registers of a lane that may hold composite keys; more are spilled.
const MOST_LANE_REGISTERS: u32 = 64;

/// A stable sort of each row of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct RowSort {
    /// The type of the keys.
    pub key: KeyType,
    /// What travels with each key; `index` is its column.
    pub value: ValueType,
    /// Which end comes first.
    pub order: Order,
    /// Whether the bits that take part are an argument; else all of them do.
    pub takes_bits: bool,
    /// Whether the number of rows is read from the device's memory. Rows that a tile holds are sorted by its kernel of counted rows then.
    pub counted: bool,
    /// The architecture that it is for.
    pub arch: Arch,
}

/// A sort that may sort rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowCandidate {
    /// The sort: of a tile, or of rows device-wide.
    pub spec: KernelSpec,
    /// Billions of keys a second: of tiles, in full ones.
    pub full: f64,
}

/// The sort that was chosen for rows of a number of columns.
#[derive(Clone, Debug, PartialEq)]
pub struct RowChoice {
    /// The request.
    pub sort: RowSort,
    /// Columns of a row.
    pub columns: u32,
    /// What could be chosen, the fastest first. There is one at least.
    candidates: Vec<RowCandidate>,
}

impl RowSort {
    /// Keys alone, ascending by all bits, on `sm_90`.
    pub const fn keys(key: KeyType) -> Self {
        Self::pairs(key, ValueType::None)
    }

    /// The same of keys with values.
    pub const fn pairs(key: KeyType, value: ValueType) -> Self {
        let (takes_bits, counted) = (false, false);
        Self { key, value, order: Order::Ascending, takes_bits, counted, arch: Arch::SM_90 }
    }

    /// Which end comes first.
    pub const fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// By bits that are an argument of the kernel.
    pub const fn by_bits(self) -> Self {
        Self { takes_bits: true, ..self }
    }

    /// Of as many rows as a number in the device's memory says.
    pub const fn counted(self) -> Self {
        Self { counted: true, ..self }
    }

    /// The architecture that it is for.
    pub const fn on(self, arch: Arch) -> Self {
        Self { arch, ..self }
    }

    /// The sort for rows of a number of columns; none where no tile and no sort of rows holds a row.
    pub fn choose(self, columns: u64) -> Option<RowChoice> {
        self.choose_from(self.candidates(), columns)
    }

    fn choose_from(self, mut candidates: Vec<RowCandidate>, columns: u64) -> Option<RowChoice> {
        candidates.retain(|it| it.most_columns() >= columns);
        let columns = u32::try_from(columns).ok()?;
        candidates.sort_by(|a, b| b.figure(columns).total_cmp(&a.figure(columns)));
        (!candidates.is_empty()).then_some(RowChoice { sort: self, columns, candidates })
    }

    /// The sorts of all rows that one holds, each with the most columns that it is used for; the fewest come first.
    pub fn table(self) -> Vec<(u64, KernelSpec)> {
        let candidates = self.candidates();
        let mut edges: Vec<u64> = candidates.iter().flat_map(RowCandidate::edges).collect();
        edges.sort_unstable();
        edges.dedup();
        let best = |columns: u64| {
            let holds = candidates.iter().filter(|it| it.most_columns() >= columns);
            let of = |it: &RowCandidate| it.figure(u32::try_from(columns).unwrap_or(u32::MAX));
            holds.max_by(|a, b| of(a).total_cmp(&of(b))).map(|it| it.spec)
        };
        let mut table: Vec<(u64, KernelSpec)> = Vec::new();
        let mut first = 1;
        for edge in edges {
            // The same tile is the best one for all rows from one edge to the next, as far as any is: with more columns its figure grows
            // at least as that of a device-wide sort does.
            let change = least(first..edge + 1, |columns| best(columns) == best(edge));
            for most in [change - 1, edge] {
                let Some(spec) = best(most).filter(|_| most >= first) else { continue };
                match table.last_mut() {
                    Some((end, last)) if *last == spec => *end = most,
                    _ => table.push((most, spec)),
                }
            }
            first = edge + 1;
        }
        table
    }

    /// All kernels that sorts of rows of up to as many columns use.
    pub fn kernels(self, columns: u64) -> Vec<KernelSpec> {
        let table = self.table();
        let used = table.iter().take_while(|(most, _)| *most < columns).count() + 1;
        table.into_iter().take(used).map(|(_, kernel)| kernel).collect()
    }

    fn candidates(self) -> Vec<RowCandidate> {
        self.tiles().into_iter().chain(self.radix_sorts()).chain(self.device_wide()).collect()
    }

    /// Sorts by comparisons, in the measured shapes.
    fn tiles(self) -> Vec<RowCandidate> {
        let Self { key, value, order, arch, takes_bits, .. } = self;
        if takes_bits {
            return Vec::new();
        }
        let spec = |algorithm, items| {
            let (input, output) = (Arrangement::Blocked, Arrangement::Blocked);
            SpecFields { algorithm, key, value, items, order, input, output }.validate().ok()
        };
        let of_warp = |lanes, items| spec(Algorithm::WarpBitonic { lanes, stable: true }, items);
        let registers =
            |spec: &SortSpec| WarpPlan::of(spec).map_or(1, |it| it.composite.registers());
        let compared = of_warp(4, 4).map_or(1, |spec| registers(&spec));
        let (figures, factor) = measured::tiles_of(key.bytes(), compared, value);
        let candidate = |measured: &RowFigure| {
            let RowFigure { tile, threads, items, gkeys } = *measured;
            let block = Block::linear(threads);
            let spec = match tile {
                RowTile::Warp if compared * items > MOST_LANE_REGISTERS => None,
                RowTile::Warp => of_warp(threads, items),
                RowTile::Network => spec(Algorithm::BlockBitonic { block, stable: true }, items),
                RowTile::Merge => spec(Algorithm::BlockMerge { block }, items),
            };
            let spec = spec.filter(|it| registry::shared_bytes(it) <= arch.max_shared_bytes())?;
            Some(RowCandidate { spec: KernelSpec::Tile(spec), full: factor * gkeys })
        };
        figures.iter().filter_map(candidate).collect()
    }

    /// Sorts by blocks and digits, where a range of bits asks for them or they were the fastest in tiles.
    fn radix_sorts(self) -> Vec<RowCandidate> {
        let Self { key, value, order, takes_bits, arch, .. } = self;
        let candidate = |(threads, items)| {
            let tile = TileSort::pairs(key, value, Block::linear(threads), items).stable();
            let bits = takes_bits.then_some(BitRange::Runtime);
            let choice = TileSort { bits, ..tile.order(order).on(arch) }.choose().ok()?;
            let spec = choice.spec();
            let is_radix = matches!(spec.algorithm, Algorithm::BlockRadix { .. });
            let of_block = if threads > 512 { measured::OF_ONE_BLOCK } else { 1.0 };
            let full = of_block * choice.chosen.gkeys;
            is_radix.then_some(RowCandidate { spec: KernelSpec::Tile(spec), full })
        };
        BLOCKS.into_iter().filter_map(candidate).collect()
    }

    /// The sorts of all rows in the same launches.
    fn device_wide(self) -> impl Iterator<Item = RowCandidate> {
        let Self { key, value, order, arch, takes_bits, counted } = self;
        let specs = DeviceSpec::of_rows(key, value, order, Device::of(arch));
        let specs = specs.filter_map(move |it| if counted { it.with_count() } else { Some(it) });
        let specs = specs.filter(move |it| !takes_bits || it.algorithm.takes_bits());
        specs.filter_map(|spec| {
            let full = spec.row_speed()?.full;
            Some(RowCandidate { spec: KernelSpec::DeviceWide(spec), full })
        })
    }
}

impl RowCandidate {
    /// The most columns of a row: a tile's items, or what the device-wide sort is used for.
    pub fn most_columns(&self) -> u64 {
        match &self.spec {
            KernelSpec::Tile(spec) => u64::from(spec.tile_items()),
            KernelSpec::DeviceWide(spec) => spec.max_items().min(MAX_COLUMNS),
        }
    }

    /// Columns from which to the next of them the figure grows in proportion; the last ones are the most.
    fn edges(&self) -> impl Iterator<Item = u64> {
        let most = self.most_columns();
        let step = self.step().map_or(most, u64::from);
        (1..=most / step).map(move |steps| steps * step)
    }

    /// The columns of a warp, where warps without columns do nothing.
    fn step(&self) -> Option<u32> {
        let KernelSpec::Tile(spec) = &self.spec else { return None };
        let of_warp = 32 * spec.items;
        let merges = matches!(spec.algorithm, Algorithm::BlockMerge { .. });
        (merges && spec.tile_items().is_multiple_of(of_warp)).then_some(of_warp)
    }

    /// The figure for rows of a number of columns.
    pub fn figure(&self, columns: u32) -> f64 {
        match &self.spec {
            KernelSpec::Tile(spec) => {
                let step = self.step().unwrap_or(spec.tile_items());
                let used = columns.max(1).next_multiple_of(step);
                let of_used = if used < spec.tile_items() { measured::OF_USED_WARPS } else { 1.0 };
                of_used * self.full * f64::from(columns) / f64::from(used)
            }
            KernelSpec::DeviceWide(spec) => spec.row_speed().map_or(0.0, |speed| speed.at(columns)),
        }
    }
}

/// The first number of a range that the condition holds for, which then holds for all behind it; at least for the last one.
fn least(range: Range<u64>, holds: impl Fn(u64) -> bool) -> u64 {
    let Range { mut start, end } = range;
    let mut last = end - 1;
    while start < last {
        let middle = start.midpoint(last);
        if holds(middle) {
            last = middle;
        } else {
            start = middle + 1;
        }
    }
    last
}

impl RowChoice {
    /// The spec.
    pub fn spec(&self) -> KernelSpec {
        self.candidates[0].spec
    }

    /// What could be chosen, the fastest first, which is the one that is.
    pub fn candidates(&self) -> &[RowCandidate] {
        &self.candidates
    }

    /// Why, in one line.
    pub fn reason(&self) -> String {
        let columns = self.columns;
        let [chosen, others @ ..] = self.candidates.as_slice() else { return String::new() };
        let (figure, full) = (chosen.figure(columns), chosen.full);
        let mut line = match &chosen.spec {
            KernelSpec::Tile(spec) => {
                let tile = spec.tile_items();
                format!(
                    "{figure:.1} Gkeys/s: {columns} of {tile} columns, at {full:.1} for full tiles"
                )
            }
            KernelSpec::DeviceWide(_) => format!("{figure:.1} Gkeys/s, all rows at once"),
        };
        if let Some(next) = others.first() {
            let _ = write!(line, "; next: {} with {:.1}", next.spec, next.figure(columns));
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Token;

    fn all_sorts() -> impl Iterator<Item = RowSort> {
        KeyType::ALL.iter().flat_map(|key| {
            ValueType::table().iter().flat_map(|(value, _)| {
                let sort = RowSort::pairs(*key, *value);
                [sort, sort.by_bits(), sort.order(Order::Descending)]
            })
        })
    }

    #[test]
    fn every_row_that_a_tile_holds_has_a_stable_sort_that_fits() {
        for arch in [75, 86, 90].map(|arch| Arch::new(arch).expect("known")) {
            for sort in all_sorts().map(|sort| sort.on(arch)) {
                let table = sort.table();
                let most = table.last().map_or(0, |(most, _)| *most);
                assert!(most >= 2048, "{sort:?}: {table:?}");
                assert!(table.is_sorted_by(|a, b| a.0 < b.0), "{table:?}");
                for (most, spec) in table {
                    let spec = match spec {
                        KernelSpec::Tile(spec) => spec,
                        KernelSpec::DeviceWide(spec) => {
                            assert!(spec.sorts_rows() && spec.max_items() >= most, "{spec}");
                            let takes_bits = spec.algorithm.takes_bits();
                            assert!(spec.order == sort.order && (takes_bits || !sort.takes_bits));
                            assert!(spec.shared_bytes() <= arch.max_shared_bytes(), "{spec}");
                            continue;
                        }
                    };
                    assert!(u64::from(spec.tile_items()) >= most, "{spec}");
                    assert!(spec.algorithm.is_stable() && spec.order == sort.order, "{spec}");
                    assert!(registry::shared_bytes(&spec) <= arch.max_shared_bytes(), "{spec}");
                    let takes_bits = matches!(
                        spec.algorithm,
                        Algorithm::BlockRadix { bits: BitRange::Runtime, .. }
                    );
                    assert!(takes_bits || !sort.takes_bits, "{spec}");
                }
            }
        }
    }

    #[test]
    fn a_table_has_what_is_chosen_for_each_number_of_columns() {
        for sort in all_sorts() {
            let (table, candidates) = (sort.table(), sort.candidates());
            let edges = table.iter().flat_map(|(most, _)| [most - 1, *most, most + 1]);
            for columns in edges.chain([1, 2, 3, 100, 1000]) {
                let of_table = table.iter().find(|(most, _)| *most >= columns).map(|it| it.1);
                let chosen = sort.choose_from(candidates.clone(), columns);
                let figure = |spec: KernelSpec| {
                    let own = candidates.iter().find(|it| it.spec == spec);
                    own.map(|it| it.figure(u32::try_from(columns).expect("few")))
                };
                let chosen = chosen.map(|it| it.spec());
                // Of two that are as fast either will do.
                assert_eq!(
                    of_table.and_then(figure),
                    chosen.and_then(figure),
                    "{sort:?}, {columns}"
                );
            }
        }
    }

    #[test]
    fn one_column_more_takes_at_most_1_6_times_as_long() {
        for RowRecord { key, value, .. } in ROW_RECORDS {
            let sort = RowSort::pairs(key, value);
            let seconds = |columns: u32| {
                let choice = sort.choose(columns.into()).expect("a sort of rows holds it");
                f64::from(columns) / choice.candidates()[0].figure(columns)
            };
            let edges = sort.table().into_iter().map(|(most, _)| most as u32);
            // Above that a block of 1,024 threads or a device-wide sort takes up to 1.7 times as long.
            for columns in edges.filter(|most| *most <= 8192) {
                let step = seconds(columns + 1) / seconds(columns);
                assert!(step <= 1.6, "{key:?}, {value:?}: {step:.2} from {columns} columns");
            }
        }
    }

    #[test]
    fn short_rows_are_for_warps_and_longer_ones_for_blocks() {
        let sort = RowSort::keys(KeyType::U32);
        let name = |columns| sort.choose(columns).map(|it| it.spec().to_string());
        let name = |columns| name(columns).unwrap_or_default();
        assert_eq!(name(0), name(16));
        assert_eq!(name(16), "warp_bitonic_sort_u32_keys_w4_i4_asc_stable");
        assert_eq!(name(33), "warp_bitonic_sort_u32_keys_w4_i9_asc_stable");
        assert_eq!(name(200), "warp_bitonic_sort_u32_keys_w8_i28_asc_stable");
        assert_eq!(name(1000), "block_bitonic_sort_u32_keys_b64_i16_asc_stable");
        assert_eq!(name(1 << 15), "device_sample_sort_u32_keys_b512_i8_asc_rows");
        assert_eq!(name((1 << 20) + 1), "");
        // Warps without columns merge nothing, so a larger tile of more columns may be the faster one.
        let merged = RowSort::keys(KeyType::U64).choose(1300).expect("a tile holds it");
        assert_eq!(merged.spec().to_string(), "block_merge_sort_u64_keys_b128_i12_asc");
        let by_bits = sort.by_bits().choose(5).expect("a tile holds it");
        assert_eq!(by_bits.candidates()[0].most_columns(), 128, "{by_bits:?}");
    }
}
