//! What the tests know of partition sorts: also keys that mislead the samples, so that nearly all that are not sampled are in the last
//! bucket, which so is oversized.
//!
//! The positions of samples follow from the seed and the number of sorts before, which the case has. The keys that are sampled are the least ones.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::device::{Device, DeviceAlgorithm, DeviceFields, DeviceSpec};
use sortsmith_codegen::{KeyType, Order, Token, ValueType};

use crate::device_cases::{
    DeviceCase, Draft, How, Scenario, Scenarios, case, case_of_keys, of_part, task,
};
use crate::device_families::{DeviceFacts, OwnCases, legal};
use crate::inputs::Keys;
use crate::oracle::{Class, Task, describe, gather, key_bytes, permutation};

const KEYS: [KeyType; 3] = [KeyType::U64, KeyType::I64, KeyType::F64];

const VALUES: [ValueType; 5] =
    [ValueType::None, ValueType::U32, ValueType::Index, ValueType::U64, ValueType::U16];

pub(crate) struct Facts;

impl DeviceFacts for Facts {
    /// Each key with each value; orders and shapes in turn.
    fn covering_set(&self) -> Vec<DeviceSpec> {
        let shapes = [(64, 1), (64, 2), (128, 1), (64, 3)];
        let kinds = KEYS.iter().flat_map(|key| VALUES.map(|value| (*key, value)));
        kinds
            .enumerate()
            .map(|(number, kind)| {
                let (order, _) = Order::table()[number % 2];
                sort(kind, shapes[number % shapes.len()], order, number % 3 == 0)
            })
            .collect()
    }

    /// Of small tiles most often, which have two levels soon, now and then of larger ones.
    fn fresh(&self, rng: &mut ChaCha8Rng) -> DeviceSpec {
        let key = *KEYS.choose(rng).expect("not empty");
        let value = *VALUES.choose(rng).expect("not empty");
        let (order, _) = *Order::table().choose(rng).expect("not empty");
        let shape = match rng.random_range(0..8) {
            0 => (*[64, 128, 256].choose(rng).expect("not empty"), rng.random_range(4..=16)),
            _ => (64, rng.random_range(1..=3)),
        };
        sort((key, value), shape, order, rng.random())
    }

    /// Splits, and merges of as many rounds as the largest buckets take.
    fn rounds(&self, _: &DeviceSpec) -> u32 {
        16
    }

    /// As many items as have one level and two: the least number of two, parents of several buckets, and up to twice as many in between.
    fn sizes(&self, spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Vec<usize> {
        let most = Numbers::of(spec).one_level_items;
        if most > MOST_ITEMS {
            return vec![rng.random_range(1..=MOST_ITEMS)];
        }
        let between = rng.random_range(most..=2 * most);
        vec![most, most + 1, between, rng.random_range(1..=most)]
    }

    fn scenarios(&self, spec: &DeviceSpec) -> Scenarios {
        of_part(spec, &[(OneKey, 1)])
    }

    /// One level and two, of specs that have two soon.
    fn cases(&self, spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> OwnCases {
        if Numbers::of(spec).one_level_items > MOST_ITEMS {
            return OwnCases::default();
        }
        OwnCases { last: cases(spec, rng), ..OwnCases::default() }
    }

    /// Tiles that each architecture has the shared memory for.
    /// Less than a thread's keys take: with a few spilled registers, blocks of a split are two on a multiprocessor.
    fn spilled_bytes(&self) -> u32 {
        127
    }

    fn without_local_memory(&self) -> Vec<(DeviceSpec, u32)> {
        let types = ["u64_keys", "u64_u32", "i64_index", "f64_u32"];
        let tiles = [("b128_i8", 75), ("b512_i16", 90), ("b256_i16", 120)];
        let sorts = types.into_iter().enumerate().flat_map(|(number, types)| {
            let order = ["asc", "desc"][number % 2];
            tiles.map(|(tile, arch)| {
                let name = format!("device_partition_sort_{types}_{tile}_{order}");
                (name.parse().unwrap_or_else(|error| panic!("{error}")), arch)
            })
        });
        sorts.collect()
    }
}

/// Several tiles of one key, with values that are moved without a look at keys.
#[derive(Clone, Copy, Debug)]
struct OneKey;

impl Scenario for OneKey {
    fn needs(&self, spec: &DeviceSpec) -> bool {
        spec.value != ValueType::None
    }

    fn items(&self) -> usize {
        5000
    }

    fn shows(&self) -> Option<&'static str> {
        Some("values of equal keys that are moved before it is known where they lie")
    }

    fn arrange(&self, _: &DeviceSpec, draft: &mut Draft) {
        draft.kind = Keys::AllEqual;
    }
}

fn sort(
    (key, value): (KeyType, ValueType),
    (threads, items): (u32, u32),
    order: Order,
    nan_last: bool,
) -> DeviceSpec {
    let algorithm = DeviceAlgorithm::Partition;
    let nan_last = nan_last && describe(key).0 == Class::Float;
    let wide = false;
    let counted = false;
    legal(DeviceFields { algorithm, key, value, threads, items, order, nan_last, wide, counted })
}

/// The numbers of a partition sort, which the header states as constants.
struct Numbers {
    one_level_items: usize,
    only_buckets: usize,
    parents: usize,
    buckets: usize,
    target_items: usize,
    max_samples: usize,
}

const SAMPLES_PER_BUCKET: usize = 32;

/// How far from each other the ranks of neighbouring samples are, the number of which is a power of two.
const STRIDE: usize = 387;

impl Numbers {
    fn of(spec: &DeviceSpec) -> Self {
        let threads = spec.threads as usize;
        Self {
            one_level_items: threads * spec.tile_items() as usize,
            only_buckets: 2 * threads,
            parents: threads / 2,
            buckets: threads,
            target_items: 6 * threads,
            max_samples: 16 * threads,
        }
    }
}

/// The most items of a case.
const MOST_ITEMS: usize = 10_000;

/// Cases of an oversized bucket, and of equal keys.
fn cases(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Vec<DeviceCase> {
    let most = Numbers::of(spec).one_level_items;
    let drawn = |writes_keys: bool, multiprocessors: u32, rng: &mut ChaCha8Rng| How {
        in_place: writes_keys && rng.random(),
        writes_keys,
        seed: rng.random(),
        device: Device { multiprocessors, shared_bytes_per_block: How::ROOM },
        blocks_at_once: 2,
        ..How::by_bits(0..64)
    };
    let mut oversized = |n: usize, writes_keys: bool| {
        let how = drawn(writes_keys, 2, rng);
        let keys = unsampled(spec, &task(spec, &how), n, how.seed);
        let case = case_of_keys(spec, Keys::Own("unsampled"), keys, how, rng);
        case.showing("an oversized bucket")
    };
    // Positions alone can be wanted where there are any.
    let has_values = spec.value.bytes() != 0;
    let mut cases = vec![
        oversized(most, true),
        oversized(most * 3 / 2, !has_values),
        oversized(most * 2, true),
    ];
    let how = drawn(true, 1, rng);
    let equal = case(spec, Keys::AllEqual, most, how, rng);
    cases.push(equal.showing("chunks of equal keys that one block moves"));
    for n in [most, most * 3 / 2] {
        let how = drawn(true, 2, rng);
        let tied = case(spec, Keys::TiedGroups, n, how, rng);
        cases.push(tied.showing("short and long runs of ties"));
    }
    cases
}

/// A permutation of 64 bits: the header's `mixed`.
fn mixed(bits: u64) -> u64 {
    let bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

/// Where each of equal shares begins, and where the last one ends: the header's `Shares`.
fn share_begins(items: usize, count: usize) -> Vec<usize> {
    let step = (items << 32) / count;
    (0..=count).map(|share| (share * step) >> 32).collect()
}

/// The items of a parent that are sampled: the header's `sample_position`.
fn sampled(items: usize, samples: usize, parent: usize, seed: u64) -> Vec<usize> {
    let begins = share_begins(items, samples);
    let position = |sample: usize| {
        let number = (parent as u64) << 32 | sample as u64;
        let random = mixed(number ^ mixed(seed)) & 0xffff_ffff;
        let length = begins[sample + 1] - begins[sample];
        begins[sample] + ((random as usize * length) >> 32)
    };
    (0..samples).map(position).collect()
}

/// The keys: those of sampled positions come first in the order of the task, those of the last parent's sampled ones next. They are distinct;
/// of the others there are two of each.
fn unsampled(spec: &DeviceSpec, task: &Task, n: usize, seed: u64) -> Vec<u8> {
    let numbers = Numbers::of(spec);
    let bytes = key_bytes(task.key);
    let distinct: Vec<u8> = (0..n as u64).flat_map(|it| mixed(it).to_le_bytes()).collect();
    let sorted = gather(&distinct, bytes, &permutation(task, &distinct));
    let samples = n.min(numbers.max_samples);
    let two_levels = n > numbers.one_level_items;
    let buckets = if two_levels { numbers.parents } else { numbers.only_buckets };
    let mut rank_of = vec![None; n];
    // In another order than they lie in, so that each parent's lie far from each other.
    for (sample, position) in sampled(n, samples, 0, seed).into_iter().enumerate() {
        rank_of[position] = Some(sample * STRIDE % samples);
    }
    let mut ranked = samples;
    if two_levels {
        // The samples from the last splitter on are in the last parent too.
        let splitter = share_begins(samples, buckets)[buckets - 1];
        let is_of_parent = |item: &usize| rank_of[*item].is_none_or(|rank| rank >= splitter);
        let items: Vec<usize> = (0..n).filter(is_of_parent).collect();
        let used = items.len().div_ceil(numbers.target_items).min(numbers.buckets);
        let samples = items.len().min(SAMPLES_PER_BUCKET * used).min(numbers.max_samples);
        // The sort itself is counted by then.
        let seed = seed.wrapping_add(1 << 32);
        for item in sampled(items.len(), samples, numbers.parents, seed) {
            let rank = &mut rank_of[items[item]];
            if rank.is_none() {
                *rank = Some(ranked);
                ranked += 1;
            }
        }
    }
    // The others ascend twice, so that equal ones are far from each other.
    let others = n - ranked;
    let mut others = (0..others).map(|it| ranked + it % others.div_ceil(2));
    let ranks = rank_of.into_iter().map(|rank| rank.or_else(|| others.next()).unwrap_or_default());
    ranks.flat_map(|rank| sorted[rank * bytes..][..bytes].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn samples_are_the_least_keys_and_the_others_come_twice() {
        let spec: DeviceSpec = "device_partition_sort_u64_keys_b64_i1_asc".parse().expect("legal");
        let task = Task::new(KeyType::U64);
        for n in [4096, 6000] {
            let keys = unsampled(&spec, &task, n, 5);
            let keys: Vec<u64> = keys
                .chunks_exact(8)
                .map(|key| u64::from_le_bytes(key.try_into().expect("eight bytes")))
                .collect();
            let mut counts = HashMap::new();
            for key in &keys {
                *counts.entry(*key).or_insert(0) += 1;
            }
            let twice = counts.values().filter(|count| **count == 2).count();
            assert!(counts.len() + twice == n && twice > n / 4, "{twice} of {n}");
            let max_sample = sampled(n, 1024, 0, 5).into_iter().map(|it| keys[it]).max();
            let below = keys.iter().filter(|key| Some(**key) <= max_sample).count();
            assert_eq!(below, 1024);
        }
    }
}
