//! The parameters of the kernels of a top-k by blocks.

use super::value::TopKValue;
use super::warp;
use crate::contract::arguments::{self, ArgumentField, KernelArguments as _};

arguments::arguments! {
    /// What `_rows` takes; arrays by their addresses.
    RowsArguments for ();
    keys: u64, "const Key*", "The rows' keys.";
    keys_out: u64, "Key*", "Where the found keys go; or null.";
    positions_out: u64, "unsigned int*", "Where their positions go; of kernels that take `values_out`, or null.";
    rows: u64, "unsigned long long", "Rows.";
    columns: u64, "unsigned long long", "Keys of a row.";
    stride: u64, "unsigned long long", "From the first key of a row to that of the next.";
    chunks: u32, "unsigned int", "Chunks of a row.";
    k: u32, "unsigned int", "Keys that are found in each chunk.";
    sorted: bool, "bool", "Whether they come in their order.";
    values_out: u64, "Word*", "Where it goes what belongs to them; or null.";
    values: u64, "const Word*", "The rows' values, as the keys lie.";
}

impl RowsArguments {
    /// The same of a top-k by warps, which have no chunks.
    pub fn of_warps(self) -> warp::RowsArguments {
        let Self { keys, keys_out, positions_out, rows, columns, stride, k, sorted, .. } = self;
        let Self { values_out, values, .. } = self;
        warp::RowsArguments {
            keys,
            keys_out,
            positions_out,
            rows,
            columns,
            stride,
            k,
            sorted,
            values_out,
            values,
        }
    }
}

arguments::arguments! {
    /// What `_candidates` takes; arrays by their addresses.
    CandidatesArguments for ();
    keys: u64, "const Key*", "The rows' keys.";
    candidates: u64, "const unsigned int*", "Positions in rows, ascending, `count` of each row.";
    keys_out: u64, "Key*", "Where the found keys go; or null.";
    positions_out: u64, "unsigned int*", "Where their positions go; of kernels that take `values_out`, or null.";
    rows: u64, "unsigned long long", "Rows.";
    count: u64, "unsigned long long", "Candidates of a row.";
    stride: u64, "unsigned long long", "From the first key of a row to that of the next.";
    groups: u32, "unsigned int", "Groups of a row's candidates.";
    k: u32, "unsigned int", "Keys that are found in each group.";
    sorted: bool, "bool", "Whether they come in their order.";
    values_out: u64, "Word*", "Where it goes what belongs to them; or null.";
    values: u64, "const Word*", "The rows' values, as the keys lie.";
}

arguments::arguments! {
    /// What `_survivors` takes; arrays by their addresses.
    SurvivorsArguments for ();
    keys: u64, "const Key*", "The rows' keys.";
    bits_out: u64, "Bits*", "Where the survivors' compared bits go, with room for k of each chunk.";
    positions_out: u64, "unsigned int*", "Where their positions go; of kernels that take `values_out`, or null.";
    counts_out: u64, "unsigned int*", "Where it goes how many each chunk has.";
    rows: u64, "unsigned long long", "Rows.";
    columns: u64, "unsigned long long", "Keys of a row.";
    stride: u64, "unsigned long long", "From the first key of a row to that of the next.";
    chunks: u32, "unsigned int", "Chunks of a row.";
    k: u32, "unsigned int", "Keys that are found in each row.";
    rank: u32, "unsigned int", "Which item of a row's sample is the limit, from 1 to the items of the sample.";
}

arguments::arguments! {
    /// What `_ranked` takes; arrays by their addresses.
    RankedArguments for ();
    keys: u64, "const Key*", "The rows' keys.";
    bits: u64, "const Bits*", "The survivors' compared bits.";
    survivors: u64, "const unsigned int*", "Their positions.";
    counts: u64, "const unsigned int*", "How many each list has.";
    keys_out: u64, "Key*", "Where the found keys go; or null.";
    positions_out: u64, "unsigned int*", "Where their positions go; of kernels that take `values_out`, or null.";
    of_groups: u64, "unsigned int*", "Where candidates of groups go, if survivors are too few or too many; of one ranker, not used.";
    rows: u64, "unsigned long long", "Rows.";
    columns: u64, "unsigned long long", "Keys of a row.";
    stride: u64, "unsigned long long", "From the first key of a row to that of the next.";
    lists: u32, "unsigned int", "Lists of a row: its chunks.";
    rankers: u32, "unsigned int", "Blocks that rank a row's survivors.";
    groups: u32, "unsigned int", "Groups of a row's columns; of one ranker, 1.";
    k: u32, "unsigned int", "Keys that are found in each row.";
    sorted: bool, "bool", "Whether they come in their order; with several rankers they do.";
    values_out: u64, "Word*", "Where it goes what belongs to them; or null.";
    values: u64, "const Word*", "The rows' values, as the keys lie.";
}

arguments::arguments! {
    /// What `_samples` takes; arrays by their addresses.
    SamplesArguments for ();
    keys: u64, "const Key*", "The rows' keys.";
    sample_bits: u64, "Bits*", "Where the kept items' compared bits go, with room for `kept` of each block of a row.";
    sample_positions: u64, "unsigned int*", "Where their positions go.";
    counts: u64, "unsigned int*", "The rows' counts of survivors, which become 0.";
    rows: u64, "unsigned long long", "Rows.";
    columns: u64, "unsigned long long", "Keys of a row.";
    stride: u64, "unsigned long long", "From the first key of a row to that of the next.";
    blocks: u32, "unsigned int", "Blocks that have a sample of each row.";
    kept: u32, "unsigned int", "Items that each of them keeps.";
}

arguments::arguments! {
    /// What `_filtered` takes; arrays by their addresses.
    FilteredArguments for ();
    keys: u64, "const Key*", "The rows' keys.";
    sample_bits: u64, "const Bits*", "The compared bits of what was kept of the samples.";
    sample_positions: u64, "const unsigned int*", "Its positions.";
    bits: u64, "Bits*", "Where the survivors' compared bits go.";
    survivors: u64, "unsigned int*", "Where their positions go.";
    counts: u64, "unsigned int*", "How many each row has.";
    rows: u64, "unsigned long long", "Rows.";
    columns: u64, "unsigned long long", "Keys of a row.";
    stride: u64, "unsigned long long", "From the first key of a row to that of the next.";
    chunks: u32, "unsigned int", "Chunks of a row.";
    samples: u32, "unsigned int", "Items that were kept of each row's samples.";
    rank: u32, "unsigned int", "Which of these is the limit, from 1.";
    room: u32, "unsigned int", "Survivors that a list has room for.";
}

arguments::arguments! {
    /// What `_listed` takes; arrays by their addresses.
    ListedArguments for ();
    keys: u64, "const Key*", "The rows' keys.";
    bits: u64, "const Bits*", "The survivors' compared bits.";
    survivors: u64, "const unsigned int*", "Their positions.";
    counts: u64, "const unsigned int*", "How many each row has.";
    keys_out: u64, "Key*", "Where the found keys go; or null.";
    positions_out: u64, "unsigned int*", "Where their positions go; of kernels that take `values_out`, or null.";
    of_groups: u64, "unsigned int*", "Where candidates of groups go, if survivors are too few or too many.";
    rows: u64, "unsigned long long", "Rows.";
    columns: u64, "unsigned long long", "Keys of a row.";
    stride: u64, "unsigned long long", "From the first key of a row to that of the next.";
    room: u32, "unsigned int", "Survivors that a list has room for.";
    groups: u32, "unsigned int", "Groups of a row's columns; of one ranker, 1.";
    k: u32, "unsigned int", "Keys that are found in each row.";
    sorted: bool, "bool", "Whether they come in their order.";
    values_out: u64, "Word*", "Where it goes what belongs to them; or null.";
    values: u64, "const Word*", "The rows' values, as the keys lie.";
}

arguments::arguments! {
    /// What `_found` takes; arrays by their addresses.
    FoundArguments for ();
    keys: u64, "const Key*", "The keys of a row.";
    positions: u64, "const unsigned int*", "Positions in the row.";
    keys_out: u64, "Key*", "Where the keys there go; or null.";
    n: u64, "unsigned long long", "Positions.";
    values_out: u64, "Word*", "Where it goes what belongs to them; or null.";
    values: u64, "const Word*", "The row's values.";
}

/// The arguments that kernels take: the last ones are not those of all kinds of values.
macro_rules! taken {
    ($($arguments:ty),*) => {
        $(
            impl $arguments {
                /// The arguments of a spec's kernel, which finds this beside the keys.
                pub const fn taken(value: TopKValue) -> &'static [ArgumentField] {
                    value.arguments(&Self::FIELDS)
                }
            }
        )*
    };
}
taken!(
    RowsArguments,
    CandidatesArguments,
    RankedArguments,
    ListedArguments,
    FoundArguments,
    warp::RowsArguments
);
