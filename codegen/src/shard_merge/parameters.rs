//! The arguments of the kernels of a merge of shards.

use crate::contract::arguments;

arguments::arguments! {
    /// What all kernels take; arrays by their addresses.
    Arguments for ();
    keys: u64, "const Key*", "The run's keys.";
    n: u64, "unsigned long long", "Items of the run, or of the shard for _positions.";
    positions: u64, "Value*", "Where the positions of the shard's items go.";
    first_position: u64, "unsigned long long", "The position of the first of them over all ranks.";
    targets: u64, "const unsigned long long*", "How many items of all runs are to be in front of each border.";
    splitters: u64, "Bits*", "The known upper bits of each border's splitter.";
    below: u64, "unsigned long long*", "For each candidate the run's items below it; those of a border lie together.";
    sums: u64, "const unsigned long long*", "The same, added over all runs.";
    around: u64, "unsigned long long*", "For each border the run's items below its splitter, and those equal to it.";
    borders: u32, "unsigned int", "Borders.";
    digit_values: u32, "unsigned int", "Values of the digit but zero: candidates of a border.";
    shift: u32, "unsigned int", "The lowest bit of the digit.";
    begin_bit: i32, "int", "The first of the bits that are compared.";
    end_bit: i32, "int", "One past the last of them.";
    first_keys: u64, "const Key*", "The keys of the first range: its items come first where keys are equal.";
    second_keys: u64, "const Key*", "The keys of the second range.";
    first_values: u64, "const Value*", "The values of the first range.";
    second_values: u64, "const Value*", "The values of the second range.";
    first_items: u64, "unsigned long long", "Items of the first range.";
    second_items: u64, "unsigned long long", "Items of the second one.";
    merged_keys: u64, "Key*", "Where the merged keys go.";
    merged_values: u64, "Value*", "Where their values go.";
}
