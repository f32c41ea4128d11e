//! The parameters of the kernels of a binned argsort.

use crate::contract::arguments;

arguments::arguments! {
    /// What `_rows` takes; arrays by their addresses.
    RowsArguments for ();
    keys: u64, "const Key*", "The rows' keys.";
    positions: u64, "unsigned int*", "Where the positions go, row after row.";
    offsets: u64, "unsigned int*", "Where the offsets go, bins + 1 of each row.";
    rows: u64, "unsigned long long", "Rows.";
    columns: u64, "unsigned long long", "Keys of a row.";
    stride: u64, "unsigned long long", "From the first key of a row to that of the next.";
    bins: u32, "unsigned int", "Bins.";
}

arguments::arguments! {
    /// What `_count` takes; arrays by their addresses.
    CountArguments for ();
    keys: u64, "const Key*", "The rows' keys.";
    counts: u64, "void*", "Counts of chunks.";
    columns: u64, "unsigned long long", "Keys of a row.";
    stride: u64, "unsigned long long", "From the first key of a row to that of the next.";
    chunks: u32, "unsigned int", "Chunks of a row.";
    chunk_columns: u64, "unsigned long long", "Columns of a chunk.";
    count_bytes: u32, "unsigned int", "Bytes of a count: 2 or 4.";
    bins: u32, "unsigned int", "Bins.";
}

arguments::arguments! {
    /// What `_rank` takes; arrays by their addresses.
    RankArguments for ();
    keys: u64, "const Key*", "The rows' keys.";
    counts: u64, "void*", "Counts of chunks.";
    positions: u64, "unsigned int*", "Where the positions go, row after row.";
    offsets: u64, "unsigned int*", "Where the offsets go, bins + 1 of each row.";
    columns: u64, "unsigned long long", "Keys of a row.";
    stride: u64, "unsigned long long", "From the first key of a row to that of the next.";
    chunks: u32, "unsigned int", "Chunks of a row.";
    chunk_columns: u64, "unsigned long long", "Columns of a chunk.";
    count_bytes: u32, "unsigned int", "Bytes of a count: 2 or 4.";
    bins: u32, "unsigned int", "Bins.";
}

arguments::arguments! {
    /// What `_chunks` takes; arrays by their addresses.
    ChunksArguments for ();
    keys: u64, "const Key*", "The rows' keys.";
    exchange: u64, "void*", "What blocks publish their counts in.";
    positions: u64, "unsigned int*", "Where the positions go, row after row.";
    offsets: u64, "unsigned int*", "Where the offsets go, bins + 1 of each row.";
    columns: u64, "unsigned long long", "Keys of a row.";
    stride: u64, "unsigned long long", "From the first key of a row to that of the next.";
    chunk_columns: u64, "unsigned long long", "Columns of a chunk.";
    capacity: u32, "unsigned int", "Words of a launch in the exchange, at most.";
    group_bits: u32, "unsigned int", "Chunks of a group, as their logarithm to base 2.";
    polls: u32, "unsigned int", "How often a block polls a word before it counts the row by itself.";
    bins: u32, "unsigned int", "Bins.";
}
