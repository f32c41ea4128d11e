//! Keys of 32 bits some of which are in MSD buckets that overflow.

use std::collections::BTreeSet;
use std::iter::repeat_n;

use rand::RngExt;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::KeyType;

use super::Keys;

/// Upper digits of keys of four buckets.
const TOPS: [u32; 4] = [0x05, 0x45, 0x85, 0xc5];

/// The upper ten bits of a bucket's keys that are a third of all.
const LARGE: u32 = TOPS[1] << 2 | 2;

/// The bits in which keys of a cluster differ: few of what a sub-bucket has.
const LOWEST: u32 = 0x3ff;

/// Which buckets overflow. Each kind of keys has its own number of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// None, for all that a bucket with this number of copies of a key has few distinct ones.
    Copies(u32),
    /// One of those that have copies of keys, for it alone has more distinct keys than are counted.
    Distinct,
    /// One that has more items than a block has room for, but few distinct keys: it overflows where its items cannot be moved.
    LargeOfFew,
    /// One, by keys that differ in their lowest bits if at all, and are in one sub-bucket.
    Near,
    /// The first one, the last one, and neighbours.
    Neighbours,
    /// A sixth of all.
    Many,
    /// One that has more items than a block has room for.
    Large,
    /// Half of the items' with as many items as the scratch arrays have room for.
    AllRoom,
    /// The same with one key fewer among all, so that there is no room for them.
    NoRoom,
    /// Of floats that are evenly distributed as values, the first one and the last one: by not-a-numbers of both signs.
    Nans,
}

/// 32-bit keys as they lie in memory.
pub(crate) fn keys(kind: Overflow, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut keys = match kind {
        Overflow::Copies(count) => {
            let heavy_hitter = rng.random();
            let copies = (0..count).map(|_| heavy_hitter);
            copies.chain(uniform(12_000, rng)).collect()
        }
        Overflow::Distinct => distinct(rng),
        Overflow::LargeOfFew => {
            let mut keys = large(rng);
            for key in keys.iter_mut().filter(|key| **key >> 22 == LARGE) {
                // Its lower digits follow from the upper ones, and are as even.
                let number = *key >> 16 & 0x3f;
                *key = LARGE << 22 | number << 16 | (number * 0x404);
            }
            keys
        }
        Overflow::Near => clusters(&[rng.random()], 300, 12_000, rng),
        Overflow::Neighbours => {
            let tops = [0x00, 0x01, 0x7f, 0x80, 0x81, 0xff];
            clusters(&tops.map(|top| top << 24 | rng.random::<u32>() >> 8), 300, 12_000, rng)
        }
        Overflow::Many => {
            let firsts: Vec<u32> = (0..24).map(|_| rng.random()).collect();
            clusters(&firsts, 200, 8000, rng)
        }
        Overflow::Large => large(rng),
        Overflow::AllRoom => half(8000, rng),
        Overflow::NoRoom => half(7999, rng),
        Overflow::Nans => {
            let mut keys = Keys::EvenValues(1 << 22).generate(KeyType::F32, 5501, rng);
            let nan = |bits: u32| (bits | 0x7f80_0001).to_le_bytes();
            keys.extend((0..320).flat_map(|_| nan(rng.random())));
            let mut keys: Vec<u32> = numbers(&keys);
            // As many equal values as overflow a bucket between these.
            keys.extend([(-0.7f32).to_bits(); 150]);
            keys
        }
    };
    keys.shuffle(rng);
    keys.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn numbers(keys: &[u8]) -> Vec<u32> {
    let number = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
    keys.chunks_exact(4).map(number).collect()
}

fn uniform(count: usize, rng: &mut ChaCha8Rng) -> Vec<u32> {
    (0..count).map(|_| rng.random()).collect()
}

/// This number of keys near each of these, and uniform ones.
fn clusters(of: &[u32], count: u32, others: usize, rng: &mut ChaCha8Rng) -> Vec<u32> {
    let mut keys = uniform(others, rng);
    keys.extend(of.iter().flat_map(|key| (0..count).map(move |_| *key)));
    for key in &mut keys[others..] {
        *key = *key & !LOWEST | rng.random::<u32>() & LOWEST;
    }
    keys
}

/// Buckets of one key, of five, of 128 and of 129, each with more copies of one of them than a sub-bucket has room for, among uniform keys.
fn distinct(rng: &mut ChaCha8Rng) -> Vec<u32> {
    // As many as make the digits of those below even.
    let mut keys = uniform(20_000, rng);
    keys.retain(|key| !TOPS.contains(&(key >> 24)));
    for (top, (count, copies)) in TOPS.into_iter().zip([(1, 130), (5, 110), (128, 1), (129, 1)]) {
        let mut of_bucket = BTreeSet::new();
        while of_bucket.len() < count {
            of_bucket.insert(top << 24 | rng.random::<u32>() >> 8);
        }
        keys.extend(of_bucket.iter().flat_map(|key| repeat_n(*key, copies)));
        keys.extend(of_bucket.iter().take(1).flat_map(|key| repeat_n(*key, 110)));
    }
    keys
}

/// Keys of four upper bytes. A third of them agree in the two bits below, and are more than a block has room for. Each digit alone
/// tells of smaller buckets, for its values are as frequent as each other.
fn large(rng: &mut ChaCha8Rng) -> Vec<u32> {
    let lower = |rng: &mut ChaCha8Rng| rng.random::<u32>() >> 16;
    let even = (0..10_752).map(|number| TOPS[number / 256 % 4] << 24 | (number as u32 % 256) << 16);
    let tied = (0..5248).map(|number| LARGE << 22 | (number % 64) << 16);
    even.chain(tied).map(|upper| upper | lower(rng)).collect()
}

/// 8,000 keys of 20 buckets that overflow, and others.
fn half(others: usize, rng: &mut ChaCha8Rng) -> Vec<u32> {
    let tops: Vec<u32> = (0..20).map(|number| number * 13).collect();
    let firsts: Vec<u32> = tops.iter().map(|top| top << 24 | rng.random::<u32>() >> 8).collect();
    let mut keys = clusters(&firsts, 300, 0, rng);
    keys.extend((0..2000).map(|number| tops[number % 20] << 24 | rng.random::<u32>() >> 8));
    keys.extend((0..others).map(|number| {
        let top = (number % 236) as u32;
        // One between two of them.
        let top = if top < 228 { top / 12 * 13 + 1 + top % 12 } else { top + 20 };
        top << 24 | rng.random::<u32>() >> 8
    }));
    keys
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;

    use super::*;

    #[test]
    fn half_of_the_keys_are_in_twenty_buckets() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        for (kind, n) in [(Overflow::AllRoom, 16_000), (Overflow::NoRoom, 15_999)] {
            let keys = numbers(&keys(kind, &mut rng));
            assert_eq!(keys.len(), n, "{kind:?}");
            let mut counts = [0; 256];
            for key in keys {
                counts[(key >> 24) as usize] += 1;
            }
            let of_clusters = |top: &usize| top.is_multiple_of(13) && *top < 260;
            let (clusters, others): (Vec<usize>, Vec<usize>) = (0..256).partition(of_clusters);
            assert!(clusters.iter().all(|top| counts[*top] == 400), "{counts:?}");
            assert!(others.iter().all(|top| counts[*top] < 40), "{counts:?}");
        }
    }
}
