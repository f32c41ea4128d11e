//! The parameters of the kernels of a top-k by blocks.

use super::warp;
use crate::contract::arguments;

arguments::arguments! {
    /// What `_rows` takes; arrays by their addresses.
    RowsArguments for ();
    keys: u64, "const Key*", "The rows' keys.";
    keys_out: u64, "Key*", "Where the found keys go; or null.";
    positions_out: u64, "unsigned int*", "Where their positions go.";
    rows: u64, "unsigned long long", "Rows.";
    columns: u64, "unsigned long long", "Keys of a row.";
    stride: u64, "unsigned long long", "From the first key of a row to that of the next.";
    chunks: u32, "unsigned int", "Chunks of a row.";
    k: u32, "unsigned int", "Keys that are found in each chunk.";
    sorted: bool, "bool", "Whether they come in their order.";
}

impl RowsArguments {
    /// The same of a top-k by warps, which have no chunks.
    pub fn of_warps(self) -> warp::RowsArguments {
        let Self { keys, keys_out, positions_out, rows, columns, stride, chunks: _, k, sorted } =
            self;
        warp::RowsArguments { keys, keys_out, positions_out, rows, columns, stride, k, sorted }
    }
}

arguments::arguments! {
    /// What `_candidates` takes; arrays by their addresses.
    CandidatesArguments for ();
    keys: u64, "const Key*", "The rows' keys.";
    candidates: u64, "const unsigned int*", "Positions in rows, ascending, `count` of each row.";
    keys_out: u64, "Key*", "Where the found keys go; or null.";
    positions_out: u64, "unsigned int*", "Where their positions go.";
    rows: u64, "unsigned long long", "Rows.";
    count: u64, "unsigned long long", "Candidates of a row.";
    stride: u64, "unsigned long long", "From the first key of a row to that of the next.";
    groups: u32, "unsigned int", "Groups of a row's candidates.";
    k: u32, "unsigned int", "Keys that are found in each group.";
    sorted: bool, "bool", "Whether they come in their order.";
}
