//! The algorithms that a caller can choose.

use std::fmt;

/// What sorts an array on a GPU.
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
    /// Whatever is the fastest for such keys and as many of them.
    #[default]
    Fastest,
    /// A bitonic network over the whole array: which items are compared, in which order, and which addresses are read
    /// and written depends on the number of items alone, and never on what they are. So do the launches, and all
    /// branches.
    ///
    /// It sorts in place, with nothing beside the array: but 4 bytes for each pair, where equal keys are to keep their
    /// order, and an argsort's own copy of the keys.
    /// [`sort_pairs_unstable_with`](crate::Sorter::sort_pairs_unstable_with) does without. Of floats that are sorted
    /// alone −0.0 comes before +0.0 (descending: after it). Ranges of bits, NaNs that come last, and values that no
    /// kernel carries are refused: [`Error::NotOfAlgorithm`].
    ///
    /// This is said of sorts on a GPU. Host slices that a sorter sorts on the host have the same result, by the host's
    /// own sort; what that does depends on the keys.
    Bitonic,
}

impl fmt::Display for ArrayAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Fastest => "the fastest sort",
            Self::Bitonic => "a bitonic sort",
        })
    }
}
