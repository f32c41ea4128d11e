//! The sorts side by side. Peers sort pairs as structs, which is their best layout; ours sorts two slices.

use std::fmt;
use std::time::Duration;

use rayon::prelude::*;
use rdst::{RadixKey, RadixSort};
use sortsmith::{SortKey, Sorter};
use voracious_radix_sort::{RadixSort as VoraciousSort, Radixable};

use super::times::{Run, minima, run};

/// The times of one input in ns an item; none where a sort does not apply.
pub struct Figure {
    ours: f64,
    peers: [Option<f64>; 4],
}

impl Figure {
    /// What the columns are.
    pub const NAMES: [&str; 5] = ["ours", "std", "rayon", "rdst", "voracious"];

    /// The figure of these sorts, measured for this long.
    fn of(time: Duration, ours: Run<'_>, peers: [Option<Run<'_>>; 4]) -> Self {
        let are_left_out = std::env::var("SORTSMITH_BENCH_PEERS").is_ok_and(|value| value == "0");
        let peers = if are_left_out { [None, None, None, None] } else { peers };
        let [std, rayon, rdst, voracious] = peers;
        let [ours, peers @ ..] = minima(time, [Some(ours), std, rayon, rdst, voracious]);
        Self { ours: ours.unwrap_or(f64::NAN), peers }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2}", self.ours)?;
        for peer in self.peers {
            match peer {
                Some(peer) => write!(f, ",{peer:.2}")?,
                None => f.write_str(",")?,
            }
        }
        let best = self.peers.into_iter().flatten().fold(f64::INFINITY, f64::min);
        write!(f, ",{:.2}", best / self.ours)
    }
}

/// A pair as peers sort it.
#[derive(Clone, Copy, Debug)]
pub struct Pair<K> {
    key: K,
    value: u32,
}

impl<K: PartialEq> PartialEq for Pair<K> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<K: PartialOrd> PartialOrd for Pair<K> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.key.partial_cmp(&other.key)
    }
}

impl<K: RadixKey> RadixKey for Pair<K> {
    const LEVELS: usize = K::LEVELS;

    fn get_level(&self, level: usize) -> u8 {
        self.key.get_level(level)
    }
}

/// Sorts that take a type of keys of their own.
pub trait Peers: SortKey + PartialOrd + RadixKey {
    /// Sorts keys by voracious.
    fn voracious_keys(keys: &mut [Self], threads: usize);
    /// Sorts pairs by voracious, stably where it can.
    fn voracious_pairs(pairs: &mut [Pair<Self>], threads: usize);
}

macro_rules! peers {
    ($($key:ty)*) => {$(
        impl Radixable<$key> for Pair<$key> {
            type Key = $key;

            fn key(&self) -> $key {
                self.key
            }
        }

        impl Peers for $key {
            fn voracious_keys(keys: &mut [Self], threads: usize) {
                match threads {
                    1 => keys.voracious_sort(),
                    _ => keys.voracious_mt_sort(threads),
                }
            }

            fn voracious_pairs(pairs: &mut [Pair<Self>], threads: usize) {
                match threads {
                    1 => pairs.voracious_stable_sort(),
                    _ => pairs.voracious_mt_sort(threads),
                }
            }
        }
    )*};
}

peers! { u32 u64 f32 }

fn by_key<T: PartialOrd>(one: &T, other: &T) -> std::cmp::Ordering {
    one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal)
}

fn rdst<T: RadixKey + Copy + Send + Sync>(items: &mut [T], threads: usize) {
    if threads == 1 {
        items.radix_sort_builder().with_single_threaded_tuner().with_parallel(false).sort();
    } else {
        items.radix_sort_unstable();
    }
}

/// Sorts of keys.
pub fn keys<K: Peers>(keys: &[K], time: Duration) -> Figure {
    let (threads, host) = (rayon::current_num_threads(), Sorter::host());
    Figure::of(
        time,
        run(keys, |keys| host.sort(keys).expect("memory")),
        [
            (threads == 1).then(|| run(keys, |keys| keys.sort_unstable_by(by_key))),
            (threads > 1).then(|| run(keys, |keys| keys.par_sort_unstable_by(by_key))),
            Some(run(keys, move |keys| rdst(keys, threads))),
            Some(run(keys, move |keys| K::voracious_keys(keys, threads))),
        ],
    )
}

/// Keys with their positions, as peers sort them.
fn pairs_of<K: Peers>(keys: &[K]) -> Vec<Pair<K>> {
    let pairs: Vec<Pair<K>> =
        keys.iter().zip(0..).map(|(key, value)| Pair { key: *key, value }).collect();
    assert!(pairs.last().is_none_or(|pair| pair.value as usize + 1 == pairs.len()));
    pairs
}

/// The peers' sorts of pairs: std's and rayon's are stable.
fn peers_of_pairs<K: Peers>(pairs: &[Pair<K>]) -> [Option<Run<'_>>; 4] {
    let threads = rayon::current_num_threads();
    [
        (threads == 1).then(|| run(pairs, |pairs| pairs.sort_by(by_key))),
        (threads > 1).then(|| run(pairs, |pairs| pairs.par_sort_by(by_key))),
        Some(run(pairs, move |pairs| rdst(pairs, threads))),
        Some(run(pairs, move |pairs| K::voracious_pairs(pairs, threads))),
    ]
}

/// Sorts of pairs.
pub fn pairs<K: Peers>(keys: &[K], time: Duration) -> Figure {
    let mut values: Vec<u32> = (0..keys.len() as u32).collect();
    let host = Sorter::host();
    let ours = run(keys, |keys| host.sort_pairs(keys, &mut values).expect("memory"));
    Figure::of(time, ours, peers_of_pairs(&pairs_of(keys)))
}

/// Positions of sorted keys. Peers sort keys with positions, which they are given.
pub fn argsort<K: Peers>(keys: &[K], time: Duration) -> Figure {
    let mut positions = vec![0u32; keys.len()];
    let host = Sorter::host();
    let ours = run(keys, |keys| host.argsort_into(keys, &mut positions).expect("memory"));
    Figure::of(time, ours, peers_of_pairs(&pairs_of(keys)))
}
