//! The words of a record's columns.

use std::fmt;

use sortsmith_codegen::Token;

macro_rules! words {
    ($(#[$doc:meta])* $type:ident, $axis:literal, { $($(#[$of:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $type { $($(#[$of])* $variant),* }

        impl Token for $type {
            const AXIS: &'static str = $axis;
            fn table() -> &'static [(Self, &'static str)] {
                &[$((Self::$variant, $word)),*]
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.token())
            }
        }
    };
}

words!(
    /// What kind of sort a row is of.
    Group, "group", {
        /// Device-wide sorts.
        Device = "device",
        /// Tiles of an array, each by a block of its own.
        Tiles = "tiles",
        /// Many rows of one length, each for itself.
        Rows = "rows",
        /// The top k of each of such rows.
        TopK = "topk",
        /// The positions of keys that are the numbers of bins, and the bins' offsets.
        Binned = "binned",
        /// Segments of different lengths of an array, each for itself.
        Segments = "segments",
    }
);

words!(
    /// How long segments are.
    Lengths, "lengths", {
        /// The share of the segment of rank r is as 1/r; the ranks are anywhere.
        PowerLaw = "power-law",
        /// From none to twice the average, each as often.
        Random = "random",
        /// One, in the middle, has half of the items; the others are as random ones of the other half.
        Lopsided = "lopsided",
    }
);

words!(
    /// The library that a sort is of.
    Library, "library", {
        /// This project's.
        Sortsmith = "sortsmith",
        /// CUB's.
        Cub = "cub",
        /// That of libcusort.
        Libcusort = "libcusort",
        /// RAFT's, by that of its algorithms which is the fastest for the case.
        Raft = "raft",
        /// PyTorch's.
        Torch = "torch",
    }
);

words!(
    /// How it sorts.
    Method, "method", {
        /// In place.
        InPlace = "in place",
        /// From one array to another, with the input as it was.
        Into = "into",
        /// The same, by the partition sort, whatever is the fastest.
        Partition = "partition",
        /// From one array to another, by a peer that is given 64-bit counts.
        IntoBy64 = "into by 64-bit counts",
        /// Back and forth between two arrays.
        DoubleBuffer = "double buffer",
        /// The same, by a peer that is given 64-bit counts.
        DoubleBufferBy64 = "double buffer by 64-bit counts",
        /// Positions are made first and then sorted with the keys, from one array to another.
        Positions = "positions",
        /// Tiles, ranked by packed counters.
        Packed = "packed",
        /// Tiles, ranked by ballots.
        Ballots = "ballots",
        /// Tiles, ranked by shared masks.
        Masks = "masks",
        /// By a logical warp: a network over its lanes' registers.
        Warp = "warp",
        /// Tiles, by a network of the block.
        Bitonic = "bitonic",
        /// The same, and equal keys keep their order.
        StableBitonic = "stable bitonic",
        /// Tiles by digits, as CUB ranks them.
        Radix = "radix",
        /// Tiles by merging.
        Merge = "merge",
        /// Rows, each by what suits its length; equal keys in any order.
        Segmented = "segmented",
        /// The same, and equal keys keep their order.
        StableSegmented = "stable segmented",
        /// Rows by digits, a block for each.
        SegmentedRadix = "segmented radix",
        /// Top-k, in any order.
        Unordered = "unordered",
        /// Top-k, in order.
        Ordered = "ordered",
    }
);

words!(
    /// What the L2 cache holds of the arrays when a sort begins.
    Cache, "cache", {
        /// What is left of the copy of the input that is made right before.
        Warm = "warm",
        /// Nothing.
        Cold = "cold",
    }
);

words!(
    /// What a reader of a row should know.
    Mark, "mark", {
        /// Its spread of times is so large that the time says little.
        Unsteady = "unsteady",
    }
);
