//! The parameters of a gather's kernel.

use crate::contract::arguments;

arguments::arguments! {
    /// What the kernel takes; arrays by their addresses.
    GatherArguments for ();
    items_in: u64, "const Word*", "The items.";
    positions: u64, "const unsigned int*", "For each output item the index of its input item.";
    items_out: u64, "Word*", "Where the gathered items go.";
    n: u64, "unsigned long long", "Items that are gathered.";
}
