//! Sorts over ranks that are threads, against the oracle over the concatenated shards, and what happens when a rank fails.

#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

mod keys;

use std::sync::Mutex;
use std::time::{Duration, Instant};

use half::{bf16, f16};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use sortsmith::distributed::{ShardError, ShardedSorter, Shares, ThreadTransport, Transport};
use sortsmith::{Order, SortKey, SortOptions};
use sortsmith_testkit::inputs::{Keys, bit_range};
use sortsmith_testkit::oracle::{self, Task};
use sortsmith_testkit::seed::Seed;

use keys::{bits_of, keys_of};

/// Longer than any test takes.
const LIMIT: Duration = Duration::from_secs(300);

/// What a rank of this number does with its transport, on a thread for each.
fn on_ranks<R: Send>(
    transports: Vec<ThreadTransport>,
    work: impl Fn(usize, ThreadTransport) -> R + Sync,
) -> Vec<R> {
    let work = &work;
    std::thread::scope(|scope| {
        let ranks = transports.into_iter().enumerate();
        let ranks: Vec<_> =
            ranks.map(|(rank, transport)| scope.spawn(move || work(rank, transport))).collect();
        ranks.into_iter().map(|rank| rank.join().unwrap()).collect()
    })
}

/// Lengths that sum up to `n`: some are zero, and some are most of all.
fn random_lengths(n: usize, ranks: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut ends: Vec<usize> = (1..ranks).map(|_| rng.random_range(0..=n)).collect();
    if ranks > 2 && rng.random() {
        let first = ends[0];
        ends.iter_mut().take(ranks / 2).for_each(|end| *end = first);
    }
    ends.sort_unstable();
    ends.push(n);
    ends.iter().zip(std::iter::once(&0).chain(&ends)).map(|(end, begin)| end - begin).collect()
}

/// The shards of these lengths.
fn cut<'a, T>(mut items: &'a [T], lengths: &[usize]) -> Vec<&'a [T]> {
    let shards = lengths.iter().map(|length| {
        let (shard, others) = items.split_at(*length);
        items = others;
        shard
    });
    shards.collect()
}

/// How items lie over ranks, before a sort and after it.
struct Layout {
    shards: Vec<usize>,
    shares: Vec<usize>,
    kind: fn(usize) -> Shares,
}

impl Layout {
    fn even(shards: Vec<usize>) -> Self {
        let (n, ranks) = (shards.iter().sum::<usize>(), shards.len());
        let even = (0..ranks).map(|rank| (rank + 1) * n / ranks - rank * n / ranks).collect();
        Self { shards, shares: even, kind: |_| Shares::Even }
    }

    fn random(n: usize, ranks: usize, rng: &mut ChaCha8Rng) -> Self {
        let shards = random_lengths(n, ranks, rng);
        match rng.random_range(0..3) {
            0 => Self::even(shards),
            1 => Self { shares: shards.clone(), shards, kind: |_| Shares::AsGiven },
            _ => Self { shares: random_lengths(n, ranks, rng), shards, kind: Shares::Items },
        }
    }
}

/// Sorts keys over ranks in all ways, and compares with the oracle.
fn check<K: SortKey>(bytes: &[u8], layout: &Layout, task: &Task, context: &str) {
    let options = SortOptions::new().order(task.order).bits(task.begin_bit..task.end_bit);
    let options = if task.nan_last { options.nan_last() } else { options };
    let (keys, expected) = (keys_of::<K>(bytes), oracle::permutation(task, bytes));
    let context = format!("{} {context} {:?} {task:?}", K::KEY_TYPE, layout.shards);
    let values: Vec<u32> = (0..keys.len() as u32).collect();
    let (shards, values) = (cut(&keys, &layout.shards), cut(&values, &layout.shards));
    let ranks = layout.shards.len();
    let sorted = on_ranks(ThreadTransport::group(ranks, LIMIT), |rank, transport| {
        let sorter = ShardedSorter::new(transport).shares((layout.kind)(layout.shares[rank]));
        let keys = sorter.sort_with(shards[rank], options).unwrap();
        let pairs = sorter.sort_pairs_with(shards[rank], values[rank], options).unwrap();
        let positions = sorter.argsort_with(shards[rank], options).unwrap();
        (keys, pairs, positions)
    });
    let mut at = 0;
    for ((alone, (with_values, values), positions), share) in sorted.iter().zip(&layout.shares) {
        let expected = &expected[at..at + share];
        at += share;
        let keys: Vec<K> = expected.iter().map(|position| keys[*position as usize]).collect();
        assert!(bits_of(alone) == bits_of(&keys), "sort: {context}");
        assert!(bits_of(with_values) == bits_of(&keys), "sort_pairs: {context}");
        assert!(values == expected, "values: {context}");
        let expected = expected.iter().map(|position| u64::from(*position));
        assert!(positions.iter().copied().eq(expected), "argsort: {context}");
    }
    assert_eq!(at, keys.len());
}

fn check_type<K: SortKey>() {
    let seed = Seed::from_env();
    println!("SORTSMITH_SEED={}", seed.0);
    let mut rng = seed.rng(&K::KEY_TYPE.to_string());
    for kind in Keys::all(K::KEY_TYPE) {
        for ranks in [1, 2, 5] {
            let n = [0, 1, 3, 40, 700][rng.random_range(0..5)];
            let bytes = kind.generate(K::KEY_TYPE, n, &mut rng);
            let layout = Layout::random(n, ranks, &mut rng);
            let order = [Order::Ascending, Order::Descending][rng.random_range(0..2)];
            let all = Task { order, ..Task::new(K::KEY_TYPE) };
            check::<K>(&bytes, &layout, &all, &format!("{kind:?}"));
            let (begin_bit, end_bit) = bit_range(K::KEY_TYPE, &mut rng);
            let task = Task { begin_bit, end_bit, nan_last: rng.random(), ..all };
            check::<K>(&bytes, &layout, &task, &format!("{kind:?}"));
        }
    }
}

macro_rules! check_types {
    ($($name:ident: $key:ty;)*) => {$(
        #[test]
        fn $name() {
            check_type::<$key>();
        }
    )*};
}

check_types! {
    u8_keys: u8; u16_keys: u16; u32_keys: u32; u64_keys: u64; u128_keys: u128;
    i8_keys: i8; i16_keys: i16; i32_keys: i32; i64_keys: i64; i128_keys: i128;
    f16_keys: f16; bf16_keys: bf16; f32_keys: f32; f64_keys: f64; bool_keys: bool;
}

#[test]
fn any_number_of_ranks_sorts() {
    let mut rng = Seed::from_env().rng("ranks");
    for ranks in (1..=17).chain([31, 32, 33, 63, 64]) {
        let kinds = Keys::all(f16::KEY_TYPE);
        let kind = kinds[ranks % kinds.len()];
        let bytes = kind.generate(f16::KEY_TYPE, 1000, &mut rng);
        let layout = Layout::random(1000, ranks, &mut rng);
        check::<f16>(&bytes, &layout, &Task::new(f16::KEY_TYPE), &format!("{ranks} ranks"));
    }
}

/// Of every class, also where one rank has all items, or the shards are in order already.
#[test]
fn shares_of_64_ranks_differ_by_one_item() {
    let mut rng = Seed::from_env().rng("balance");
    for kind in Keys::all(f32::KEY_TYPE) {
        let n = 3_000;
        let keys = keys_of::<f32>(&kind.generate(f32::KEY_TYPE, n, &mut rng));
        let mut lengths = random_lengths(n, 64, &mut rng);
        if rng.random() {
            lengths = vec![0; 64];
            lengths[rng.random_range(0..64)] = n;
        }
        let shards = cut(&keys, &lengths);
        let sorted = on_ranks(ThreadTransport::group(64, LIMIT), |rank, transport| {
            ShardedSorter::new(transport).sort(shards[rank]).unwrap()
        });
        let is_even = |share: &Vec<f32>| [n / 64, n / 64 + 1].contains(&share.len());
        assert!(sorted.iter().all(is_even), "{kind:?}");
        let mut expected = keys.clone();
        sortsmith::sort(&mut expected).unwrap();
        assert!(bits_of(&sorted.concat()) == bits_of(&expected), "{kind:?}");
    }
}

#[test]
fn large_shards_are_merged_by_several_threads() {
    let mut rng = Seed::from_env().rng("large");
    for kind in [Keys::Uniform, Keys::Zipf, Keys::AllEqual] {
        let bytes = kind.generate(u64::KEY_TYPE, 150_000, &mut rng);
        let layout = Layout::random(150_000, 3, &mut rng);
        check::<u64>(&bytes, &layout, &Task::new(u64::KEY_TYPE), &format!("{kind:?}"));
    }
}

#[test]
fn values_of_any_size_go_with_their_keys() {
    let sorted = on_ranks(ThreadTransport::group(3, LIMIT), |rank, transport| {
        let sorter = ShardedSorter::new(transport);
        let keys: Vec<u8> = (0..50).map(|item| (item * 7 + rank * 3) as u8 % 11).collect();
        let values: Vec<[u16; 5]> = keys.iter().map(|key| [u16::from(*key); 5]).collect();
        let (keys, values) = sorter.sort_pairs(&keys, &values).unwrap();
        assert!(keys.iter().zip(&values).all(|(key, value)| *value == [u16::from(*key); 5]));
        let (alone, none) = sorter.sort_pairs(&keys, &vec![(); keys.len()]).unwrap();
        assert_eq!((none.len(), &alone), (keys.len(), &keys));
        keys
    });
    assert!(sorted.concat().is_sorted());
}

/// The error of a sort on each rank, where each has its own work.
fn errors(
    limit: Duration,
    work: impl Fn(usize, ThreadTransport) -> Result<Vec<u32>, ShardError> + Sync,
) -> Vec<ShardError> {
    let started = Instant::now();
    let results = on_ranks(ThreadTransport::group(3, limit), work);
    assert!(started.elapsed() < LIMIT / 10, "{:?}", started.elapsed());
    results.into_iter().map(Result::unwrap_err).collect()
}

#[test]
fn a_wrong_request_of_one_rank_is_the_same_error_on_all() {
    let reason = "3 keys and 1 values: each key needs one value".to_owned();
    let found = errors(LIMIT, |rank, transport| {
        let (sorter, values) = (ShardedSorter::new(transport), [7u32; 3]);
        let values = if rank == 1 { &values[..1] } else { &values };
        let failed = sorter.sort_pairs(&[3u32, 2, 1], values).map(|sorted| sorted.0);
        // The group goes on.
        assert_eq!(sorter.sort(&[rank as u32]).unwrap(), [rank as u32]);
        failed
    });
    assert_eq!(found, vec![ShardError::Rank { rank: 1, reason }; 3]);

    let of = |kind: fn(usize) -> (SortOptions, Shares)| {
        errors(LIMIT, |rank, transport| {
            let (options, shares) = kind(rank);
            ShardedSorter::new(transport).shares(shares).sort_with(&[3u32, 2, 1], options)
        })
    };
    let found = of(|rank| (SortOptions::new().bits(0..32 + rank as u32), Shares::Even));
    assert!(matches!(&found[0], ShardError::Rank { rank: 1, reason } if reason.contains("0..33")));
    assert!(found.iter().all(|error| *error == found[0]), "{found:?}");
    let differ = |what| vec![ShardError::Request { rank: 2, what }; 3];
    let found = of(|rank| (SortOptions::new().bits(0..32 - rank as u32 / 2), Shares::Even));
    assert_eq!(found, differ("range of bits"));
    let orders = |rank: usize| if rank == 2 { Order::Descending } else { Order::Ascending };
    let found = errors(LIMIT, |rank, transport| {
        let options = SortOptions::new().order(orders(rank));
        ShardedSorter::new(transport).sort_with(&[3u32, 2, 1], options)
    });
    assert_eq!(found, differ("order"));
    let found =
        of(|rank| (SortOptions::new(), if rank == 2 { Shares::AsGiven } else { Shares::Even }));
    assert_eq!(found, differ("kind of shares"));
    let found = of(|rank| (SortOptions::new(), Shares::Items(rank)));
    assert_eq!(found, vec![ShardError::Shares { shares: 3, items: 9 }; 3]);
}

#[test]
fn ranks_of_different_calls_say_so() {
    let found = errors(LIMIT, |rank, transport| {
        let sorter = ShardedSorter::new(transport);
        match rank {
            2 => sorter.argsort(&[3u32, 2, 1]).map(|_| vec![]),
            _ => sorter.sort(&[3u32, 2, 1]),
        }
    });
    assert_eq!(found, vec![ShardError::Request { rank: 2, what: "operation" }; 3]);
    let found = errors(LIMIT, |rank, transport| match rank {
        2 => transport
            .all_to_all(&[&[], &[], &[]], &mut [&mut [], &mut [], &mut []])
            .map(|()| vec![]),
        _ => ShardedSorter::new(transport).sort(&[3u32, 2, 1]),
    });
    assert_eq!(found, vec![ShardError::OutOfStep { rank: 2 }; 3]);
}

/// A transport that does something else from one of its calls on. Sums are those of the trait.
struct Faulty<'a> {
    inner: ThreadTransport,
    calls: Mutex<usize>,
    at: usize,
    fault: &'a (dyn Fn(&ThreadTransport) + Sync),
}

impl Faulty<'_> {
    /// Whether the call has come.
    fn is_due(&self) -> bool {
        let mut calls = self.calls.lock().unwrap();
        *calls += 1;
        if *calls > self.at {
            (self.fault)(&self.inner);
        }
        *calls > self.at
    }
}

impl Transport for Faulty<'_> {
    fn rank(&self) -> usize {
        self.inner.rank()
    }

    fn ranks(&self) -> usize {
        self.inner.ranks()
    }

    fn all_gather(&self, words: &[u64]) -> Result<Vec<u64>, ShardError> {
        self.is_due();
        self.inner.all_gather(words)
    }

    fn all_to_all(&self, sent: &[&[u8]], received: &mut [&mut [u8]]) -> Result<(), ShardError> {
        let too_much = [sent[0], &[1, 2, 3, 4]].concat();
        let mut sent = sent.to_vec();
        if self.is_due() {
            sent[0] = &too_much;
        }
        self.inner.all_to_all(&sent, received)
    }

    fn abort(&self, error: ShardError) {
        self.inner.abort(error);
    }
}

/// The errors of the ranks if rank 1's transport does this at a call of this number.
fn faults(
    limit: Duration,
    at: usize,
    fault: &(dyn Fn(&ThreadTransport) + Sync),
) -> Vec<ShardError> {
    let keys = [5u32, 1, 4, 9, 7];
    errors(limit, |rank, inner| {
        let at = if rank == 1 { at } else { usize::MAX };
        ShardedSorter::new(Faulty { inner, calls: Mutex::new(0), at, fault }).sort(&keys)
    })
}

/// The calls of a sort of these keys: the request, the ends, a digit of four bits, the counts around splitters, and the memory.
const CALLS_BEFORE_THE_EXCHANGE: usize = 5;

#[test]
fn a_rank_that_sends_too_much_is_an_error_on_all() {
    let found = faults(LIMIT, CALLS_BEFORE_THE_EXCHANGE, &|_| ());
    assert!(matches!(found[0], ShardError::Length { from: 1, to: 0, .. }), "{found:?}");
    assert!(found.iter().all(|error| *error == found[0]), "{found:?}");
}

#[test]
fn a_rank_that_stalls_at_any_call_is_an_error_on_all() {
    let limit = Duration::from_millis(40);
    for at in 0..CALLS_BEFORE_THE_EXCHANGE + 2 {
        let found = faults(limit, at, &|_| std::thread::sleep(3 * limit));
        // Where threads wait for cores another rank may be late too.
        assert!(matches!(found[0], ShardError::TimedOut { .. }), "at call {at}: {found:?}");
        assert!(found.iter().all(|error| *error == found[0]), "at call {at}: {found:?}");
    }
}

#[test]
fn a_rank_that_fails_at_any_call_is_an_error_on_all() {
    let error = ShardError::Transport { reason: "cut".to_owned() };
    for at in 0..CALLS_BEFORE_THE_EXCHANGE + 2 {
        let found = faults(LIMIT, at, &|transport| transport.abort(error.clone()));
        assert_eq!(found, vec![error.clone(); 3], "at call {at}");
    }
}

#[test]
fn a_rank_that_panics_or_leaves_is_an_error_on_the_others() {
    let found = on_ranks(ThreadTransport::group(3, LIMIT), |rank, transport| {
        let sorter = ShardedSorter::new(transport);
        if rank == 1 {
            let sort = std::panic::AssertUnwindSafe(move || -> Result<(), ShardError> {
                let _sorter = sorter;
                std::panic::resume_unwind(Box::new("in a rank"))
            });
            return std::panic::catch_unwind(sort).unwrap_or(Err(ShardError::Lost { rank: 1 }));
        }
        sorter.sort(&[rank as u32]).map(|_| ())
    });
    assert_eq!(found, vec![Err(ShardError::Lost { rank: 1 }); 3]);
}

#[test]
fn a_sort_in_a_loop_keeps_its_group() {
    let sums = on_ranks(ThreadTransport::group(4, LIMIT), |rank, transport| {
        let sorter = ShardedSorter::new(transport);
        let sort = |round: u32| sorter.sort(&[round, rank as u32, 7]).unwrap();
        (0..200).map(|round| sort(round).iter().sum::<u32>()).sum::<u32>()
    });
    assert_eq!(sums.iter().sum::<u32>(), 4 * (0..200).sum::<u32>() + 200 * (28 + 6));
}
