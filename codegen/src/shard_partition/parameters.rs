//! The arguments of the kernels of a partition of shards.

use crate::contract::arguments;

arguments::arguments! {
    /// What all kernels take; arrays by their addresses.
    Arguments for ();
    keys: u64, "const Key*", "The shard's keys.";
    values: u64, "const Value*", "Its values, where they are read.";
    n: u64, "unsigned long long", "Items of the shard.";
    first_position: u64, "unsigned long long", "The position of the first of them over all ranks.";
    samples: u64, "Bits*", "Where the samples of the shard go.";
    sample_slots: u32, "unsigned int", "How many there is room for, the same on all ranks.";
    sample_count: u32, "unsigned int", "How many of these are of the shard; the others are behind all of them.";
    seed: u32, "unsigned int", "Which positions are sampled.";
    buckets: u32, "unsigned int", "Buckets.";
    sorted_samples: u64, "const Bits*", "The samples of all ranks, sorted.";
    targets: u64, "const unsigned int*", "Which of these each bucket but the first begins with, ascending.";
    splitters: u64, "Bits*", "The least compared bits of each bucket.";
    offsets: u64, "unsigned long long*", "For each bucket the items that each tile has, then those in front of each tile.";
    totals: u64, "unsigned long long*", "The items of each bucket; behind those of kMaxBuckets, whether its keys are equal.";
    destinations: u64, "const unsigned long long*", "Where each bucket's first key goes; behind those of kMaxBuckets, where its first value goes.";
    begin_bit: i32, "int", "The first of the bits that are compared.";
    end_bit: i32, "int", "One past the last of them.";
}
