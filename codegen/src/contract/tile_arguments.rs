//! The arguments of the kernels of tile sorts: one table for all of them, of which each kernel takes those that it has a use for.

use crate::contract::arguments::{self, ArgumentField, KernelArguments as _, ParametersView};
use crate::contract::spec::{BitRange, SortSpec};
use crate::types::ValueType;

/// The kernels of a tile sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TileKernelKind {
    /// Sorts each tile of an array.
    Tile,
    /// Sorts each row of an array.
    Rows,
    /// The same of as many rows, or of as many items of each, as a number in memory says.
    CountedRows,
}

impl TileKernelKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Tile, Self::Rows, Self::CountedRows];

    /// What the kernel's symbol has behind the spec's name.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Tile => "_tile",
            Self::Rows => "_rows",
            Self::CountedRows => "_counted_rows",
        }
    }
}

arguments::arguments! {
    /// What `_tile`, `_rows` and `_counted_rows` take, each of it as [`taken`](Self::taken) says; arrays by their addresses.
    TileArguments for ();
    keys_in: u64, "const Key*", "The keys.";
    keys_out: u64, "Key*", "Where sorted keys go; the same array as `keys_in` to sort in place.";
    values_in: u64, "const Value*", "The values.";
    values_out: u64, "Value*", "Where values go; the same array as `values_in` to sort in place.";
    positions_out: u64, "unsigned int*", "Where the keys' positions go, of a sort with these in place of values.";
    n: u64, "unsigned long long", "Items of all tiles.";
    rows: u64, "unsigned long long", "Rows; the most, where they are counted.";
    columns: u32, "unsigned int", "Items of a row; the most, where they are counted.";
    stride: u64, "unsigned long long", "From the first item of a row to that of the next.";
    begin_bit: i32, "int", "The first bit of the ordered key that takes part.";
    end_bit: i32, "int", "One past the last bit.";
    count: u64, "const void*", "How many rows, or items of each, are sorted: the address of a number.";
    count_bytes: u32, "unsigned int", "Bytes of the count: 4 or 8.";
    counts_columns: i32, "int", "Whether the count is of items of each row, and not of rows.";
}

/// Arguments that begin a line in a header.
const FIRST_OF_LINES: [&str; 5] = ["values_in", "positions_out", "n", "rows", "count"];

impl TileArguments {
    /// The arguments that a kernel of a spec takes, in their order.
    ///
    /// ```
    /// use sortsmith_codegen::{SortSpec, TileArguments, TileKernelKind};
    /// let spec: SortSpec = "warp_bitonic_sort_f32_index_w32_i4_asc_stable".parse().unwrap();
    /// let taken = TileArguments::taken(&spec, TileKernelKind::Tile);
    /// let names: Vec<_> = taken.iter().map(|field| field.name).collect();
    /// assert_eq!(names, ["keys_in", "keys_out", "positions_out", "n"]);
    /// ```
    pub fn taken(spec: &SortSpec, kernel: TileKernelKind) -> Vec<ArgumentField> {
        let is_taken = |field: &ArgumentField| match field.name {
            "values_in" | "values_out" => spec.value.is_read(),
            "positions_out" => spec.value == ValueType::Index,
            "n" => kernel == TileKernelKind::Tile,
            "rows" | "columns" | "stride" => kernel != TileKernelKind::Tile,
            "begin_bit" | "end_bit" => spec.algorithm.bits() == Some(BitRange::Runtime),
            "count" | "count_bytes" | "counts_columns" => kernel == TileKernelKind::CountedRows,
            _ => true,
        };
        Self::FIELDS.into_iter().filter(is_taken).collect()
    }
}

/// The parameters of a spec's kernels, as its header has them.
pub(crate) struct TileParametersView {
    pub(crate) tile: ParametersView,
    pub(crate) rows: ParametersView,
    pub(crate) counted_rows: ParametersView,
}

impl TileParametersView {
    pub(crate) fn of(spec: &SortSpec) -> Self {
        let view = |kernel| {
            let taken = TileArguments::taken(spec, kernel);
            let is_same_line =
                |_: &ArgumentField, next: &ArgumentField| !FIRST_OF_LINES.contains(&next.name);
            let type_of = |own: &str| match own {
                "Key" => spec.key.info().cuda.to_owned(),
                _ => spec.value.cuda().to_owned(),
            };
            ParametersView::of_lines(taken.chunk_by(is_same_line), type_of)
        };
        Self {
            tile: view(TileKernelKind::Tile),
            rows: view(TileKernelKind::Rows),
            counted_rows: view(TileKernelKind::CountedRows),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_take_what_they_have_a_use_for() {
        let of = |name: &str| TileParametersView::of(&name.parse().unwrap());
        let radix = of("block_radix_sort_u64_u32_b128_i4_r4_asc");
        assert_eq!(
            radix.tile.names,
            "keys_in, keys_out, values_in, values_out, n, begin_bit, end_bit"
        );
        assert_eq!(
            radix.counted_rows.declared,
            "\n    const unsigned long long* keys_in, unsigned long long* keys_out,\
             \n    const unsigned int* values_in, unsigned int* values_out,\
             \n    unsigned long long rows, unsigned int columns, unsigned long long stride, int begin_bit, int end_bit,\
             \n    const void* count, unsigned int count_bytes, int counts_columns"
        );
        let of_bits = of("block_radix_sort_u64_keys_b128_i4_r4_asc_bits0to8");
        assert_eq!(of_bits.rows.names, "keys_in, keys_out, rows, columns, stride");
        let positions = of("block_merge_sort_f32_index_b128_i4_asc");
        assert_eq!(positions.rows.names, "keys_in, keys_out, positions_out, rows, columns, stride");
    }
}
