//! From sorted runs, one on each rank, to each rank's share.

use std::ops::Range;

use super::agreement::{Status, gather};
use super::error::ShardError;
use super::request::Layout;
use super::transport::Transport;
use crate::error::Error;
use crate::host::merge::{Run, merge};
use crate::host::splitters::{Around, Search, cut};
use crate::host::zeroed_vec as zeroed;
use crate::key::KeyBits;
use crate::value::SortValue;

/// The most counts that a rank gives in a round of the search for splitters, unless there are more borders.
const COUNTS_MAX: usize = 256;

/// The words that a rank gives first: the least and the largest bits of its run.
pub const ENDS: usize = 4;

/// Keys, as stored bits, and their values.
pub type Columns<B, V> = (Vec<B>, Vec<V>);

/// Divides the runs of all ranks: how many items each rank sends to each, rank 0's numbers first.
///
/// `run` is in order by its compared bits, which are zero outside of `bits`. A rank without a run gathers its status in place of the
/// [`ENDS`].
pub fn divide<B: KeyBits>(
    transport: &impl Transport,
    run: &[B],
    layout: &Layout,
    bits: &Range<u32>,
    compared: &impl Fn(B) -> B,
) -> Result<Vec<usize>, ShardError> {
    let ranks = transport.ranks();
    let ends = match run {
        [first, .., last] => [compared(*first), compared(*last)],
        [only] => [compared(*only); 2],
        [] => [B::max_value(), B::zero()],
    };
    let words = gather(transport, &Status::Good, &ends.map(words_of).concat())?;
    let ends =
        words.chunks_exact(ENDS).fold([B::max_value(), B::zero()], |[least, most], words| {
            [least.min(bits_of(&words[..2])), most.max(bits_of(&words[2..]))]
        });
    let mut search = Search::new(layout.borders().to_vec(), bits, ends, COUNTS_MAX);
    loop {
        let candidates = search.candidates();
        if candidates.is_empty() {
            break;
        }
        let below = |bound: &B| run.partition_point(|key| compared(*key) < *bound) as u64;
        let below: Vec<u64> = candidates.iter().map(below).collect();
        let sums = transport.all_sum(&below)?;
        search.narrow(&candidates, &sums);
    }
    let around = |splitter: &B| Around::of(run, *splitter, compared);
    let mut posted: Vec<u64> = Vec::with_capacity(2 * ranks);
    for Around { below, equal } in search.splitters().iter().map(around) {
        posted.extend([below, equal]);
    }
    let gathered = gather(transport, &Status::Good, &posted)?;
    Ok(lengths(&gathered, layout, ranks))
}

/// How many items each rank sends to each, of what all ranks have around each splitter.
fn lengths(gathered: &[u64], layout: &Layout, ranks: usize) -> Vec<usize> {
    let borders = layout.borders().len();
    let mut divided = vec![vec![0; ranks]];
    for (border, target) in layout.borders().iter().enumerate() {
        let around = |rank: usize| {
            let at = 2 * (rank * borders + border);
            Around { below: gathered[at], equal: gathered[at + 1] }
        };
        divided.push(cut(*target, (0..ranks).map(around)).collect::<Vec<_>>());
    }
    divided.push(layout.shards.windows(2).map(|shard| shard[1] - shard[0]).collect());
    let sent =
        |from: usize| divided.windows(2).map(move |cut| (cut[1][from] - cut[0][from]) as usize);
    (0..ranks).flat_map(sent).collect()
}

/// Sends the run's ranges to their ranks, and merges what comes. `lengths` has how many items each rank sends to each.
pub fn exchange<B: KeyBits, V: SortValue>(
    transport: &impl Transport,
    run: Columns<B, V>,
    lengths: &[usize],
    bits: &Range<u32>,
    compared: &(impl Fn(B) -> B + Sync),
) -> Result<Columns<B, V>, ShardError> {
    let (rank, ranks) = (transport.rank(), transport.ranks());
    let sent = &lengths[rank * ranks..][..ranks];
    let received: Vec<usize> = lengths.iter().skip(rank).step_by(ranks).copied().collect();
    let share: usize = received.iter().sum();
    let memory = || Ok([zeroed_columns::<B, V>(share)?, zeroed_columns::<B, V>(share)?]);
    let (status, memory) = Status::of(memory());
    gather(transport, &status, &[])?;
    // Where the status of all ranks is good, this rank has its memory.
    let [mut came, mut merged] = memory.unwrap_or_default();
    all_to_all(transport, (&run.0, sent), (&mut came.0, &received))?;
    if size_of::<V>() > 0 {
        all_to_all(transport, (&run.1, sent), (&mut came.1, &received))?;
    }
    drop(run);
    let mut begin = 0;
    let runs = received.iter().map(|length| {
        let range = begin..begin + length;
        begin += length;
        Run { keys: &came.0, values: &came.1 }.range(range)
    });
    let runs: Vec<Run<'_, B, V>> = runs.collect();
    let (status, _) = Status::of(merge(&runs, &mut merged.0, &mut merged.1, bits, compared));
    gather(transport, &status, &[])?;
    Ok(merged)
}

/// Exchanges items: consecutive ones for the ranks in order.
fn all_to_all<T: bytemuck::Pod>(
    transport: &impl Transport,
    (items, sent): (&[T], &[usize]),
    (mut room, received): (&mut [T], &[usize]),
) -> Result<(), ShardError> {
    let mut items = items;
    let mut from = Vec::with_capacity(sent.len());
    for length in sent {
        let (next, others) = items.split_at(*length);
        from.push(bytemuck::cast_slice(next));
        items = others;
    }
    let mut to = Vec::with_capacity(received.len());
    for length in received {
        let (next, others) = room.split_at_mut(*length);
        to.push(bytemuck::cast_slice_mut(next));
        room = others;
    }
    transport.all_to_all(&from, &mut to)
}

/// Memory for items.
fn zeroed_columns<B: KeyBits, V: SortValue>(length: usize) -> Result<Columns<B, V>, Error> {
    Ok((zeroed(length)?, zeroed(length)?))
}

/// Bits as two words, the lower one first.
fn words_of<B: KeyBits>(bits: B) -> [u64; 2] {
    let wide = bits.to_u128().unwrap_or_default();
    [wide as u64, (wide >> 64) as u64]
}

/// Bits of two words.
fn bits_of<B: KeyBits>(words: &[u64]) -> B {
    let wide = words.iter().rev().fold(0u128, |wide, word| wide << 64 | u128::from(*word));
    num_traits::cast(wide).unwrap_or_else(B::max_value)
}
