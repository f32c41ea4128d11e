//! What ranks do together.

use super::error::ShardError;

/// What the ranks of a group do together. Each rank has one, and all ranks make the same calls in the same order.
///
/// A call waits for the other ranks, but not longer than a time limit of the transport's. An error is the same on all ranks, ends the
/// group, and is the result of all later calls.
pub trait Transport {
    /// This rank, from 0 on.
    fn rank(&self) -> usize;

    /// The number of ranks, at least one.
    fn ranks(&self) -> usize;

    /// Gathers words of all ranks, each of which gives as many: the result is those of rank 0, then those of rank 1, and so on.
    fn all_gather(&self, words: &[u64]) -> Result<Vec<u64>, ShardError>;

    /// Adds words of all ranks, each of which gives as many. The sums are less than 2⁶⁴.
    fn all_sum(&self, words: &[u64]) -> Result<Vec<u64>, ShardError> {
        let gathered = self.all_gather(words)?;
        let mut sums = vec![0u64; words.len()];
        for words in gathered.chunks_exact(words.len().max(1)) {
            sums.iter_mut().zip(words).for_each(|(sum, word)| *sum = sum.wrapping_add(*word));
        }
        Ok(sums)
    }

    /// Sends bytes to each rank, itself too, and receives from each: `sent[r]` goes to rank r, and `received[r]` comes from it. Lengths
    /// that do not agree are an error on all ranks, before anything is written. After other errors `received` may be written in part.
    fn all_to_all(&self, sent: &[&[u8]], received: &mut [&mut [u8]]) -> Result<(), ShardError>;

    /// Ends the group with this error, if it has not ended: present and later calls of all ranks return it.
    fn abort(&self, error: ShardError);
}
