//! The algorithms that a caller can choose.

use std::fmt;

/// The algorithm that sorts an array on a GPU.
///
/// ```
/// use sortsmith::{ArrayAlgorithm, Error, SortOptions};
///
/// let by_network = SortOptions::new().algorithm(ArrayAlgorithm::Bitonic);
/// let mut keys = [3u32, 1, 2];
/// sortsmith::sort_with(&mut keys, by_network)?;
/// assert_eq!(keys, [1, 2, 3]);
///
/// let error = sortsmith::sort_with(&mut keys, by_network.bits(0..8)).unwrap_err();
/// assert!(matches!(error, Error::NotOfAlgorithm { algorithm: ArrayAlgorithm::Bitonic, .. }));
/// # Ok::<(), sortsmith::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ArrayAlgorithm {
    /// The fastest algorithm for the types and the number of keys.
    #[default]
    Fastest,
    /// A bitonic network over the array: the sequence of comparisons, the addresses read and written, the launches and all branches
    /// depend on the number of items alone, and never on the keys.
    ///
    /// It sorts in place and takes no scratch, except that a stable sort of pairs takes 4 bytes per pair, which
    /// [`sort_pairs_unstable_with`](crate::Sorter::sort_pairs_unstable_with) avoids, and that an argsort copies the keys. In a sort
    /// of floats without values −0.0 comes before +0.0 (descending: after it). Ranges of bits, NaNs last, and values of other
    /// sizes than 1, 2, 4, 8 and 16 bytes are refused: [`Error::NotOfAlgorithm`](crate::Error::NotOfAlgorithm).
    ///
    /// These properties are those of sorts on a GPU. Host slices that are sorted on the host have the same result, by the host's own
    /// algorithm, with steps that depend on the keys.
    Bitonic,
    /// A partition sort: two levels of buckets, bounded by sampled keys, each bucket sorted by a block. It takes about the same time
    /// whatever the keys are.
    ///
    /// It sorts keys of 8 bytes, with values of at most 8 bytes or with values that are moved by position, by all bits, in either order.
    /// Where there is none (other keys, values of 16 bytes, a range of bits, more than 2³² − 2¹⁵ keys, rows and segments) the sort is
    /// the same as [`Self::Fastest`]. So is the result in any case: both are stable.
    Partition,
}

impl fmt::Display for ArrayAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Fastest => "the fastest sort",
            Self::Bitonic => "a bitonic sort",
            Self::Partition => "a partition sort",
        })
    }
}
