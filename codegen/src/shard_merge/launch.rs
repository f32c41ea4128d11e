//! What a merge of shards launches.

use super::parameters::Arguments;
use super::spec::ShardSpec;
use crate::types::ValueType;

/// The most blocks: each goes on where there is more to do.
const MAX_BLOCKS: u64 = 1 << 20;

/// A kernel of a merge of shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShardKernel {
    /// Writes the positions of a shard's items; nothing where values are no positions.
    Positions,
    /// Finds how many items of a run lie below each candidate.
    Search,
    /// Extends the splitters by a digit.
    Narrow,
    /// Finds the items of a run below each splitter, and those equal to it.
    Around,
    /// Merges two ranges.
    Merge,
}

impl ShardKernel {
    /// All of them, in the order of a header.
    pub const ALL: [Self; 5] =
        [Self::Positions, Self::Search, Self::Narrow, Self::Around, Self::Merge];

    /// What its symbol has behind the spec's name.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Positions => "_positions",
            Self::Search => "_search",
            Self::Narrow => "_narrow",
            Self::Around => "_around",
            Self::Merge => "_merge",
        }
    }
}

/// One launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardLaunch {
    /// The kernel.
    pub kernel: ShardKernel,
    /// Blocks, along x; none if there is nothing to do.
    pub blocks: u32,
    /// Threads of each, along x.
    pub threads: u32,
    /// Bytes of dynamic shared memory.
    pub shared_bytes: u32,
}

impl ShardSpec {
    /// The launch of a kernel with these arguments.
    pub fn launch(&self, kernel: ShardKernel, arguments: &Arguments) -> ShardLaunch {
        let Arguments { n, borders, digit_values, first_items, second_items, .. } = *arguments;
        let (threads, tile) = (u64::from(self.threads), u64::from(self.tile_items()));
        let borders = u64::from(borders);
        let (work, of_block) = match kernel {
            ShardKernel::Positions if self.value == ValueType::Index => (n, tile),
            ShardKernel::Positions => (0, tile),
            ShardKernel::Search | ShardKernel::Narrow => {
                (borders * u64::from(digit_values), threads)
            }
            ShardKernel::Around => (borders, threads),
            ShardKernel::Merge => (first_items + second_items, tile),
        };
        let blocks = work.div_ceil(of_block).min(MAX_BLOCKS) as u32;
        ShardLaunch {
            kernel,
            blocks,
            threads: self.threads,
            shared_bytes: self.shared_bytes_of(kernel),
        }
    }

    /// The dynamic shared memory of a kernel's block.
    pub fn shared_bytes_of(&self, kernel: ShardKernel) -> u32 {
        if kernel == ShardKernel::Merge { self.shared_bytes() } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_launched_where_there_is_nothing_to_do() {
        let spec: ShardSpec = "shard_merge_u32_index_b64_i2_asc".parse().expect("a name");
        let blocks = |arguments: Arguments| {
            ShardKernel::ALL.map(|kernel| spec.launch(kernel, &arguments).blocks)
        };
        assert_eq!(blocks(Arguments::default()), [0; 5]);
        let items =
            Arguments { n: 129, first_items: 100, second_items: 157, ..Arguments::default() };
        assert_eq!(blocks(items), [2, 0, 0, 0, 3]);
        let borders = Arguments { borders: 65, digit_values: 3, ..Arguments::default() };
        assert_eq!(blocks(borders), [0, 4, 4, 2, 0]);
        let most = Arguments { first_items: 1 << 40, ..Arguments::default() };
        assert_eq!(blocks(most), [0, 0, 0, 0, 1 << 20]);
        let spec: ShardSpec = "shard_merge_u32_u64_b64_i2_asc".parse().expect("a name");
        assert_eq!(spec.launch(ShardKernel::Positions, &items).blocks, 0);
    }
}
