//! Sorts of shards.

use super::agreement::{Status, gather};
use super::error::ShardError;
use super::exchange::{Columns, ENDS, divide, exchange};
use super::request::{Layout, Operation, Request, Shares};
use super::transport::Transport;
use crate::algorithm::ArrayAlgorithm;
use crate::error::Error;
use crate::host::compare::Comparison;
use crate::host::zeroed_vec as zeroed;
use crate::key::SortKey;
use crate::memory::copy_of;
use crate::options::SortOptions;
use crate::sorter::Sorter;
use crate::value::SortValue;

/// Sorts an array that lies over the ranks of a group, as the [module](super) describes: one on each rank.
///
/// All ranks make the same calls, with the same types and options. A shard may have any length, also zero, and is only read; the result
/// is the rank's share. Beside it a rank takes memory for a copy of its shard, for what it sends and for what it receives.
///
/// The semantics are those of [all sorts](crate#semantics-of-all-sorts), and the result is that of the stable sort, whatever
/// [algorithm](SortOptions::algorithm) the options name.
#[derive(Debug)]
pub struct ShardedSorter<T> {
    transport: T,
    local: Sorter,
    shares: Shares,
}

impl<T: Transport> ShardedSorter<T> {
    /// A sorter of one rank, which sorts its shards on the host, with [even](Shares::Even) shares.
    pub fn new(transport: T) -> Self {
        Self { transport, local: Sorter::host(), shares: Shares::Even }
    }

    /// Sorts this rank's shards by another sorter, such as one of a GPU. Ranks may have different ones, and the result is the same.
    #[must_use]
    pub fn local_sorter(self, local: Sorter) -> Self {
        Self { local, ..self }
    }

    /// Sets the length of this rank's shares; all ranks set the same kind.
    #[must_use]
    pub fn shares(self, shares: Shares) -> Self {
        Self { shares, ..self }
    }

    /// The transport.
    pub fn transport(&self) -> &T {
        &self.transport
    }

    /// Sorts keys ascending. The result is this rank's share.
    pub fn sort<K: SortKey>(&self, keys: &[K]) -> Result<Vec<K>, ShardError> {
        self.sort_with(keys, SortOptions::new())
    }

    /// Sorts keys as the options say.
    pub fn sort_with<K: SortKey>(
        &self,
        keys: &[K],
        options: SortOptions,
    ) -> Result<Vec<K>, ShardError> {
        let none = |_| zeroed::<()>(keys.len());
        let sorted = self.shares_of(Operation::Sort, keys, keys.len(), none, options)?;
        Ok(sorted.0)
    }

    /// Sorts keys ascending, and moves each value with its key. Equal keys keep their order: that of the ranks, and that in each shard.
    pub fn sort_pairs<K: SortKey, V: SortValue>(
        &self,
        keys: &[K],
        values: &[V],
    ) -> Result<(Vec<K>, Vec<V>), ShardError> {
        self.sort_pairs_with(keys, values, SortOptions::new())
    }

    /// Sorts keys as the options say, and moves each value with its key.
    pub fn sort_pairs_with<K: SortKey, V: SortValue>(
        &self,
        keys: &[K],
        values: &[V],
        options: SortOptions,
    ) -> Result<(Vec<K>, Vec<V>), ShardError> {
        self.shares_of(Operation::Pairs, keys, values.len(), |_| copy_of(values), options)
    }

    /// The positions in the concatenated shards that the keys would be sorted from: this rank's share of them.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sortsmith::distributed::{ShardedSorter, ThreadTransport};
    ///
    /// let mut group = ThreadTransport::group(1, Duration::from_secs(1));
    /// let sorter = ShardedSorter::new(group.pop().expect("one rank"));
    /// assert_eq!(sorter.argsort(&[0.5f32, -2.0, 9.0, -2.0])?, [1, 3, 0, 2]);
    /// # Ok::<(), sortsmith::distributed::ShardError>(())
    /// ```
    pub fn argsort<K: SortKey>(&self, keys: &[K]) -> Result<Vec<u64>, ShardError> {
        self.argsort_with(keys, SortOptions::new())
    }

    /// The positions in the concatenated shards that the keys would be sorted from, as the options say.
    pub fn argsort_with<K: SortKey>(
        &self,
        keys: &[K],
        options: SortOptions,
    ) -> Result<Vec<u64>, ShardError> {
        let positions = |first: u64| {
            let mut positions = zeroed(keys.len())?;
            positions.iter_mut().zip(first..).for_each(|(to, position)| *to = position);
            Ok(positions)
        };
        let sorted = self.shares_of(Operation::Argsort, keys, keys.len(), positions, options)?;
        Ok(sorted.1)
    }

    /// This rank's share of keys and values. `values_from` makes the values of a shard with this first position.
    fn shares_of<K: SortKey, V: SortValue>(
        &self,
        operation: Operation,
        keys: &[K],
        values: usize,
        values_from: impl FnOnce(u64) -> Result<Vec<V>, Error>,
        options: SortOptions,
    ) -> Result<(Vec<K>, Vec<V>), ShardError> {
        let options = options.algorithm(ArrayAlgorithm::Fastest);
        let lengths = [keys.len(), values];
        let request = Request::new::<K>(operation, lengths, size_of::<V>(), &options, self.shares);
        let (status, request) = Status::of(request);
        let gathered = gather(&self.transport, &status, &Request::words(request.as_ref()))?;
        let layout = Layout::of(&gathered)?;
        self.sort_shares(keys, values_from, &options, &layout)
    }

    fn sort_shares<K: SortKey, V: SortValue>(
        &self,
        keys: &[K],
        values_from: impl FnOnce(u64) -> Result<Vec<V>, Error>,
        options: &SortOptions,
        layout: &Layout,
    ) -> Result<(Vec<K>, Vec<V>), ShardError> {
        let mut stored: Columns<K::Bits, V> = Columns::default();
        let first = layout.shards[self.transport.rank()];
        let work = || {
            let by = Comparison::<K>::new(options)?;
            let (keys, values) = self.run_of(keys, values_from(first)?, options)?;
            // In the memory of the keys, for these are as large.
            stored = (keys.into_iter().map(|key| by.stored(key)).collect(), values);
            Ok((by, options.bits_of::<K>()?))
        };
        let (status, work) = Status::of(work());
        let Some((by, bits)) = work else {
            gather(&self.transport, &status, &[0; ENDS])?;
            return Err(ShardError::OutOfStep { rank: self.transport.rank() });
        };
        let compared = |stored: K::Bits| by.compared(stored);
        let lengths = divide(&self.transport, &stored.0, layout, &bits, &compared)?;
        let (keys, values) = exchange(&self.transport, stored, &lengths, &bits, &compared)?;
        debug_assert_eq!(keys.len(), layout.share(self.transport.rank()));
        Ok((keys.into_iter().map(|key| by.restored(key)).collect(), values))
    }

    /// A sorted copy of the shard.
    fn run_of<K: SortKey, V: SortValue>(
        &self,
        keys: &[K],
        mut values: Vec<V>,
        options: &SortOptions,
    ) -> Result<(Vec<K>, Vec<V>), Error> {
        let mut keys = copy_of(keys)?;
        if size_of::<V>() == 0 {
            self.local.sort_with(&mut keys, *options)?;
        } else {
            self.local.sort_pairs_with(&mut keys, &mut values, *options)?;
        }
        Ok((keys, values))
    }
}
