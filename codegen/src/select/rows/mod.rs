//! Which kernels sort the rows of a matrix, by types, columns and architecture: a sort of tiles, each row by a block or a part of a warp,
//! or a device-wide sort of all rows in the same launches.
//!
//! ```
//! use sortsmith_codegen::rows::RowSort;
//! use sortsmith_codegen::{KeyType, ValueType};
//!
//! let sort = RowSort::pairs(KeyType::F32, ValueType::U32);
//! let choice = sort.choose(100).unwrap();
//! assert_eq!(choice.spec().to_string(), "warp_bitonic_sort_f32_u32_w4_i32_asc_stable");
//! assert!(choice.reason().starts_with("158.7 Gkeys/s: 100 of 128 columns"), "{}", choice.reason());
//!
//! let long = sort.choose(100_000).unwrap();
//! assert_eq!(long.spec().to_string(), "device_sample_sort_f32_u32_b512_i8_asc_rows");
//! assert!(sort.choose(1 << 21).is_none(), "such rows are sorted one after the other, as arrays");
//! ```
//!
//! The rules:
//!
//! 1. Candidates are stable sorts of a tile by a logical warp or by a block, in the shapes that were measured and in some smaller and
//!    larger ones and some between. A block's sort of each shape is what [`TileSort::choose`] chooses. Warps take no range of bits.
//! 2. Their figure is that of full tiles: a block's from [`crate::tiles`]; a warp's that of keys alone of [`WARP_RECORDS`], divided by
//!    the registers that it compares of an item, or by the 4-byte words that it reads and writes of one if these are more.
//!    Of the largest blocks it is what rows showed.
//! 3. A partial tile takes as long as a full one, so the figure counts in proportion to the columns of the tile that are used.
//! 4. The device-wide sort of rows has the figure of [`LONG_ROWS`] for its bytes of an item, and less in proportion below two of its tiles.
//! 5. Of the candidates that hold a row, the one with the best figure is chosen.

mod measured;

pub use measured::{LONG_ROWS, WARP_RECORDS, WarpFigure, WarpRecord};

use std::fmt::Write as _;
use std::ops::Range;

use crate::contract::spec::{Algorithm, BitRange, SpecFields};
use crate::device::{Device, DeviceSpec, MAX_COLUMNS};
use crate::registry::KernelSpec;
use crate::select::tiles::TileSort;
use crate::types::{Arch, Arrangement, Block, KeyType, Order, ValueType};
use crate::warp::bitonic::plan::WarpPlan;

/// Threads and items of the blocks: those that tiles were measured in, and smaller and larger ones.
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
        Self { key, value, order: Order::Ascending, takes_bits: false, arch: Arch::SM_90 }
    }

    /// Which end comes first.
    pub const fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// By bits that are an argument of the kernel.
    pub const fn by_bits(self) -> Self {
        Self { takes_bits: true, ..self }
    }

    /// The architecture that it is for.
    pub const fn on(self, arch: Arch) -> Self {
        Self { arch, ..self }
    }

    /// The sort for rows of a number of columns; none where no tile and no sort of rows holds a row.
    pub fn choose(self, columns: u64) -> Option<RowChoice> {
        let mut candidates = self.candidates();
        candidates.retain(|it| it.most_columns() >= columns);
        let columns = u32::try_from(columns).ok()?;
        candidates.sort_by(|a, b| b.figure(columns).total_cmp(&a.figure(columns)));
        (!candidates.is_empty()).then_some(RowChoice { sort: self, columns, candidates })
    }

    /// The sorts of all rows that one holds, each with the most columns that it is used for; the fewest come first.
    pub fn table(self) -> Vec<(u64, KernelSpec)> {
        let candidates = self.candidates();
        let mut edges: Vec<u64> = candidates.iter().map(RowCandidate::most_columns).collect();
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
        self.warps().into_iter().chain(self.blocks()).chain(self.device_wide()).collect()
    }

    /// Sorts by logical warps.
    fn warps(self) -> Vec<RowCandidate> {
        if self.takes_bits {
            return Vec::new();
        }
        let candidate = |measured: WarpFigure| {
            let fields = SpecFields {
                algorithm: Algorithm::WarpBitonic { lanes: measured.lanes, stable: true },
                key: self.key,
                value: self.value,
                items: measured.items,
                order: self.order,
                input: Arrangement::Blocked,
                output: Arrangement::Blocked,
            };
            let spec = fields.validate().ok()?;
            let registers = WarpPlan::of(&spec)?.word.registers();
            let words = (self.key.bytes() + self.value.bytes()).div_ceil(4);
            let fits = registers * measured.items <= MOST_LANE_REGISTERS;
            let full = measured.gkeys / f64::from(registers.max(words));
            fits.then_some(RowCandidate { spec: KernelSpec::Tile(spec), full })
        };
        measured::warps_of(self.key).filter_map(candidate).collect()
    }

    /// Sorts by blocks.
    fn blocks(self) -> Vec<RowCandidate> {
        let Self { key, value, order, takes_bits, arch } = self;
        let candidate = |(threads, items)| {
            let tile = TileSort::pairs(key, value, Block::linear(threads), items).stable();
            let bits = takes_bits.then_some(BitRange::Runtime);
            let choice = TileSort { bits, ..tile.order(order).on(arch) }.choose().ok()?;
            let spec = KernelSpec::Tile(choice.spec());
            let full = measured::of_block(key, value, [threads, items], choice.chosen.gkeys);
            Some(RowCandidate { spec, full })
        };
        BLOCKS.into_iter().filter_map(candidate).collect()
    }

    /// The sort of all rows in the same launches.
    fn device_wide(self) -> Option<RowCandidate> {
        let Self { key, value, order, arch, .. } = self;
        let spec = DeviceSpec::of_rows(key, value, order, Device::of(arch))?;
        let full = measured::of_long_rows(key.bytes() + value.bytes());
        Some(RowCandidate { spec: KernelSpec::DeviceWide(spec), full })
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

    /// The figure for rows of a number of columns.
    pub fn figure(&self, columns: u32) -> f64 {
        match &self.spec {
            KernelSpec::Tile(spec) => self.full * f64::from(columns) / f64::from(spec.tile_items()),
            KernelSpec::DeviceWide(spec) => {
                let least = 2 * spec.tile_items();
                self.full * f64::from(columns.min(least)) / f64::from(least)
            }
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
    use crate::registry;
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
                            assert!(spec.order == sort.order && spec.algorithm.takes_bits());
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
                let chosen = sort.choose(columns);
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
    fn short_rows_are_for_warps_and_longer_ones_for_blocks() {
        let sort = RowSort::keys(KeyType::U32);
        let name = |columns| sort.choose(columns).map(|it| it.spec().to_string());
        let name = |columns| name(columns).unwrap_or_default();
        assert_eq!(name(0), name(16));
        assert_eq!(name(16), "warp_bitonic_sort_u32_keys_w4_i4_asc_stable");
        assert_eq!(name(33), "warp_bitonic_sort_u32_keys_w4_i12_asc_stable");
        assert_eq!(name(200), "warp_bitonic_sort_u32_keys_w8_i32_asc_stable");
        assert_eq!(name(1000), "block_bitonic_sort_u32_keys_b128_i8_asc_stable");
        assert_eq!(name(1 << 15), "device_sample_sort_u32_keys_b512_i8_asc_rows");
        assert_eq!(name((1 << 20) + 1), "");
        let by_bits = sort.by_bits().choose(5).expect("a tile holds it");
        assert_eq!(by_bits.candidates()[0].most_columns(), 128, "{by_bits:?}");
    }
}
