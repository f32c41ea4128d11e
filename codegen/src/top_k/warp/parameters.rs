//! The parameters of the kernel of a top-k by warps.

use crate::contract::arguments;

arguments::arguments! {
    /// What `_rows` takes; arrays by their addresses.
    RowsArguments for ();
    keys: u64, "const Key*", "The rows' keys.";
    keys_out: u64, "Key*", "Where the found keys go; or null.";
    positions_out: u64, "unsigned int*", "Where their positions go; of kernels that take `values_out`, or null.";
    rows: u64, "unsigned long long", "Rows.";
    columns: u64, "unsigned long long", "Keys of a row.";
    stride: u64, "unsigned long long", "From the first key of a row to that of the next.";
    k: u32, "unsigned int", "Keys that are found in each row.";
    sorted: bool, "bool", "Whether they come in their order.";
    values_out: u64, "Word*", "Where it goes what belongs to them; or null.";
    values: u64, "const Word*", "The rows' values, as the keys lie.";
}
