//! What a rank asks for, and what all ranks have to ask for alike.

use std::ops::Range;

use sortsmith_codegen::{Order, Token as _};

use super::error::ShardError;
use crate::error::Error;
use crate::key::SortKey;
use crate::options::SortOptions;

/// How long each rank's share of the result is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shares {
    /// As long as those of the other ranks, within one item.
    #[default]
    Even,
    /// As long as the rank's shard.
    AsGiven,
    /// This number of items, for each rank its own. Their sum must be that of the shards' lengths.
    Items(usize),
}

impl Shares {
    /// The kind, and the number of items.
    fn words(self) -> [u64; 2] {
        match self {
            Self::Even => [0, 0],
            Self::AsGiven => [1, 0],
            Self::Items(items) => [2, items as u64],
        }
    }
}

/// What is done with the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Sort,
    Pairs,
    Argsort,
}

/// What differs, for each of the words that are the same on all ranks.
const COMPARED: [&str; 8] = [
    "operation",
    "type of the keys",
    "size of the values",
    "order",
    "range of bits",
    "range of bits",
    "treatment of NaNs",
    "kind of shares",
];

/// The words of a request: those that are compared, the shard's length, and the share's.
const WORDS: usize = COMPARED.len() + 2;

/// A rank's request.
#[derive(Debug)]
pub struct Request([u64; WORDS]);

impl Request {
    /// Of a shard of this length. Checks what a rank can check alone.
    pub fn new<K: SortKey>(
        operation: Operation,
        [items, values]: [usize; 2],
        value_bytes: usize,
        options: &SortOptions,
        shares: Shares,
    ) -> Result<Self, Error> {
        if items != values {
            return Err(Error::LengthMismatch { keys: items, values });
        }
        let bits = options.bits_of::<K>()?;
        let [kind, share] = shares.words();
        Ok(Self([
            operation as u64,
            number_of(K::KEY_TYPE.token()),
            value_bytes as u64,
            u64::from(options.get_order() == Order::Descending),
            u64::from(bits.start),
            u64::from(bits.end),
            u64::from(options.is_nan_last()),
            kind,
            items as u64,
            share,
        ]))
    }

    /// Its words; of a rank without a legal request as many.
    pub fn words(request: Option<&Self>) -> [u64; WORDS] {
        request.map_or([0; WORDS], |request| request.0)
    }
}

/// The name of a key type as a number, which is the same for ranks of different builds. Names of key types have at most 8 letters.
fn number_of(name: &str) -> u64 {
    name.bytes().fold(0, |number, letter| number << 8 | u64::from(letter))
}

/// How an array lies over the ranks, before the sort and after it.
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    /// The first item of each rank's shard, and the end.
    pub shards: Vec<u64>,
    /// The first item of each rank's share, and the end.
    pub shares: Vec<u64>,
}

impl Layout {
    /// Of the requests of all ranks. Checks what has to agree.
    pub fn of(gathered: &[u64]) -> Result<Self, ShardError> {
        let requests: Vec<&[u64]> = gathered.chunks_exact(WORDS).collect();
        let compared = COMPARED.len();
        for (rank, words) in requests.iter().enumerate() {
            let mut both = words.iter().zip(requests[0]).zip(COMPARED);
            if let Some((_, what)) = both.find(|((one, first), _)| one != first) {
                return Err(ShardError::Request { rank, what });
            }
        }
        let items: u128 = requests.iter().map(|words| u128::from(words[compared])).sum();
        let ranks = requests.len() as u128;
        let share = |rank: usize| match requests[rank][compared - 1] {
            0 => (items * (rank as u128 + 1) / ranks) - items * rank as u128 / ranks,
            1 => u128::from(requests[rank][compared]),
            _ => u128::from(requests[rank][compared + 1]),
        };
        let shares: u128 = (0..requests.len()).map(share).sum();
        if shares != items || items > u128::from(u64::MAX) {
            return Err(ShardError::Shares { shares, items });
        }
        let given = |rank: usize| u128::from(requests[rank][compared]);
        let ranks = 0..requests.len();
        Ok(Self { shards: firsts(ranks.clone(), given), shares: firsts(ranks, share) })
    }

    /// The length of a rank's share.
    pub fn share(&self, rank: usize) -> usize {
        (self.shares[rank + 1] - self.shares[rank]) as usize
    }

    /// The borders between shares.
    pub fn borders(&self) -> &[u64] {
        &self.shares[1..self.shares.len() - 1]
    }
}

/// The first item of each rank, and the end.
fn firsts(ranks: Range<usize>, length: impl Fn(usize) -> u128) -> Vec<u64> {
    let mut end = 0;
    let ends = ranks.map(|rank| {
        end += length(rank) as u64;
        end
    });
    std::iter::once(0).chain(ends).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(items: usize, shares: Shares) -> Vec<u64> {
        let options = SortOptions::new();
        let request = Request::new::<u32>(Operation::Sort, [items; 2], 0, &options, shares);
        Request::words(request.ok().as_ref()).to_vec()
    }

    #[test]
    fn shares_are_even_as_given_or_named() {
        let layout = |shards: [(usize, Shares); 3]| {
            Layout::of(&shards.map(|(items, shares)| words(items, shares)).concat())
        };
        let even = layout([(5, Shares::Even), (0, Shares::Even), (3, Shares::Even)]);
        assert_eq!(even, Ok(Layout { shards: vec![0, 5, 5, 8], shares: vec![0, 2, 5, 8] }));
        let given = layout([5, 0, 3].map(|items| (items, Shares::AsGiven)));
        assert_eq!(given, Ok(Layout { shards: vec![0, 5, 5, 8], shares: vec![0, 5, 5, 8] }));
        let named =
            |last| layout([(5, Shares::Items(0)), (0, Shares::Items(7)), (3, Shares::Items(last))]);
        assert_eq!(named(1), Ok(Layout { shards: vec![0, 5, 5, 8], shares: vec![0, 0, 7, 8] }));
        assert_eq!(named(2), Err(ShardError::Shares { shares: 9, items: 8 }));
        let mixed = layout([(5, Shares::Even), (1, Shares::Even), (3, Shares::AsGiven)]);
        assert_eq!(mixed, Err(ShardError::Request { rank: 2, what: "kind of shares" }));
    }

    #[test]
    fn more_items_than_positions_are_refused() {
        let shards = [words(usize::MAX, Shares::Even), words(usize::MAX, Shares::Even)].concat();
        assert!(matches!(Layout::of(&shards), Err(ShardError::Shares { .. })));
    }
}
