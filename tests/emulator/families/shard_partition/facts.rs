//! What the tests know of partitions of shards: their specs, and the cases of each: keys, splitters of samples, and what must come out.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::render::RenderError;
use sortsmith_codegen::shard_partition::{self, Arguments, ShardFields, ShardKernel, ShardSpec};
use sortsmith_codegen::{KernelArguments as _, KeyClass, KeyType, Order, Token as _, ValueType};

use crate::cases::first_difference;
use crate::emulator::{ArgumentTable, Member, Message, Outcome, long_words, words};
use crate::inputs::{self, Keys};
use crate::kernel_families::KernelFacts;
use crate::oracle;
use crate::subject::Subject;

/// The arguments of the kernels.
const ARGUMENTS: [ArgumentTable; 1] = [("", &Arguments::FIELDS)];

const MAGIC: u32 = u32::from_le_bytes(*b"sshp");

/// Keys of all classes and widths, values of all widths, both orders and orders of NaNs, few buckets and many.
const COVERING: [&str; 8] = [
    "shard_partition_u32_keys_b64_i4_r2_asc",
    "shard_partition_f32_u32_b64_i3_r4_desc",
    "shard_partition_f16_index_b96_i2_r5_asc_nanlast",
    "shard_partition_i64_u128_b64_i2_r1_desc",
    "shard_partition_u128_u8_b64_i2_r3_asc",
    "shard_partition_f64_index_b128_i1_r6_desc_nanlast",
    "shard_partition_bool_u16_b64_i8_r2_asc",
    "shard_partition_u8_u64_b256_i1_r8_desc",
];

impl KernelFacts for ShardSpec {
    const FOLDER: &str = "shard_partition";

    fn covering_set() -> Vec<Self> {
        let spec = |name: &str| name.parse().unwrap_or_else(|error| panic!("{error}"));
        COVERING.into_iter().map(spec).collect()
    }

    /// With a tile that is small enough for an emulator.
    fn fresh(rng: &mut ChaCha8Rng) -> Self {
        let key = *KeyType::ALL.choose(rng).expect("not empty");
        let value = ValueType::table().choose(rng).expect("not empty").0;
        let threads = *[64, 96, 128].choose(rng).expect("not empty");
        let order = if rng.random() { Order::Descending } else { Order::Ascending };
        let nan_last = key.info().class == KeyClass::Float && rng.random();
        let (items, bits) = (rng.random_range(1..=5), rng.random_range(1..=6));
        let fields = ShardFields { key, value, threads, items, bits, order, nan_last };
        fields.validate().unwrap_or_else(|error| panic!("{error}"))
    }

    /// The shapes that are used where none is named.
    fn compiled_set() -> Vec<Self> {
        let types = [
            (KeyType::U32, ValueType::None, 12),
            (KeyType::F32, ValueType::U32, 12),
            (KeyType::F64, ValueType::Index, 24),
            (KeyType::I128, ValueType::U128, 48),
            (KeyType::U8, ValueType::U64, 256),
            (KeyType::F16, ValueType::Index, 2),
        ];
        let orders = [Order::Ascending, Order::Descending];
        let of = |((key, value, buckets), order): (_, &Order)| {
            let spec =
                Self::of((key, value), (*order, *order == Order::Descending), buckets, 100 << 10);
            spec.expect("there is a shape")
        };
        types.into_iter().zip(orders.iter().cycle()).map(of).collect()
    }

    fn symbols(&self) -> Vec<String> {
        ShardKernel::ALL.map(|kernel| format!("{self}{}", kernel.suffix())).to_vec()
    }
}

impl Subject for ShardSpec {
    type Case = ShardCase;

    fn member(&self) -> Result<Member, RenderError> {
        Ok(Member::of_family((Self::FOLDER, &ARGUMENTS), self, shard_partition::header(self)?))
    }

    fn marked_header(&self) -> Result<String, RenderError> {
        shard_partition::marked_header(self)
    }

    fn cost(&self) -> u64 {
        4 * u64::from(self.tile_items())
    }

    fn cases(&self, count: usize, rng: &mut ChaCha8Rng) -> Vec<ShardCase> {
        (0..count).map(|number| case(self, number, rng)).collect()
    }

    fn message(&self, case: &ShardCase, member: usize, seed: u64) -> Message {
        case.message(self, member, seed)
    }

    fn complaint(&self, case: &ShardCase, outcome: &Outcome) -> Option<String> {
        let order_bytes = self.order_bytes() as usize;
        outcome.complaint(|keys, others| {
            let (values, others) = others.split_at(case.expected.values.len());
            let (samples, others) = others.split_at(case.expected.samples.len());
            let (splitters, totals) = others.split_at(case.expected.splitters.len());
            let Expected { keys: expected_keys, .. } = &case.expected;
            first_difference("splitter", splitters, &case.expected.splitters, order_bytes)
                .or_else(|| first_difference("total", totals, &case.expected.totals, 8))
                .or_else(|| {
                    first_difference("sample", samples, &case.expected.samples, order_bytes)
                })
                .or_else(|| {
                    first_difference("key", keys, expected_keys, oracle::key_bytes(self.key))
                })
                .or_else(|| {
                    let bytes = self.value_bytes() as usize;
                    first_difference("value", values, &case.expected.values, bytes.max(1))
                })
        })
    }
}

/// What must come out.
#[derive(Clone, Debug, Default)]
struct Expected {
    keys: Vec<u8>,
    values: Vec<u8>,
    samples: Vec<u8>,
    splitters: Vec<u8>,
    totals: Vec<u8>,
}

/// One case, all but the order of threads.
#[derive(Clone, Debug)]
pub struct ShardCase {
    kind: Keys,
    bits: (u32, u32),
    buckets: u32,
    sample_slots: u32,
    sample_count: u32,
    sample_seed: u32,
    first_position: u64,
    blocks_at_once: u32,
    n: usize,
    keys: Vec<u8>,
    values: Vec<u8>,
    sorted_samples: Vec<u128>,
    targets: Vec<u32>,
    /// The item that each bucket's first one goes to.
    firsts: Vec<u64>,
    expected: Expected,
}

impl ShardCase {
    /// The request as `driver.hpp` has it.
    fn message(&self, spec: &ShardSpec, member: usize, seed: u64) -> Message {
        let mut bytes = Vec::with_capacity(100 + self.keys.len() + self.values.len());
        words(&mut bytes, &[MAGIC, member as u32, self.buckets, self.sample_slots]);
        let samples = self.sorted_samples.len() as u32;
        words(&mut bytes, &[self.sample_count, samples, self.sample_seed, self.blocks_at_once]);
        words(&mut bytes, &[self.bits.0, self.bits.1, 0, 0]);
        long_words(&mut bytes, &[self.n as u64, self.first_position, seed]);
        bytes.extend(&self.keys);
        bytes.extend(&self.values);
        bytes.extend(bytes_of(spec, &self.sorted_samples));
        words(&mut bytes, &self.targets);
        long_words(&mut bytes, &self.firsts);
        let Expected { keys, values, samples, splitters, totals } = &self.expected;
        let answered_values = values.len() + samples.len() + splitters.len() + totals.len();
        Message { bytes, answered_keys: keys.len(), answered_values, races: (40, 1) }
    }
}

impl std::fmt::Display for ShardCase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, bits, buckets, n, sample_count, sample_slots, .. } = self;
        write!(
            f,
            "{n} {kind:?} keys, bits {}..{}, {buckets} buckets, {sample_count} of {sample_slots} samples, {} blocks at once",
            bits.0, bits.1, self.blocks_at_once
        )
    }
}

/// Compared bits as the header stores them.
fn bytes_of(spec: &ShardSpec, orders: &[u128]) -> Vec<u8> {
    let bytes = spec.order_bytes() as usize;
    orders.iter().flat_map(|order| order.to_le_bytes().into_iter().take(bytes)).collect()
}

/// All ones in the header's type of compared bits.
fn all_ones(spec: &ShardSpec) -> u128 {
    oracle::low_mask(8 * spec.order_bytes())
}

fn case(spec: &ShardSpec, number: usize, rng: &mut ChaCha8Rng) -> ShardCase {
    let tile = spec.tile_items() as usize;
    let sizes =
        [0, 1, tile - 1, tile, tile + 1, 3 * tile + 5, 2 * tile, rng.random_range(0..5 * tile)];
    // Now and then more tiles than a block scans at once: 8 for each thread.
    let scanned = 8 * spec.threads as usize * tile;
    let n = if tile <= 128 && number % 11 == 10 { scanned + 3 } else { sizes[number % 8] };
    let kinds = Keys::all(spec.key);
    // The max order is that of splitters behind the last bucket, too.
    let kind = if number % 4 == 3 && kinds.contains(&Keys::Extremes) {
        Keys::Extremes
    } else {
        *kinds.choose(rng).expect("some")
    };
    let bits = if number % 3 == 2 {
        inputs::bit_range(spec.key, rng)
    } else {
        (0, oracle::describe(spec.key).1)
    };
    let keys = kind.generate(spec.key, n, rng);
    let reads_values = !matches!(spec.value, ValueType::None | ValueType::Index);
    let value_bytes = if reads_values { spec.value_bytes() as usize } else { 0 };
    let values = inputs::values(value_bytes, n, rng.random());
    let sample_count = rng.random_range(0..=n.min(40)) as u32;
    let mut case = ShardCase {
        kind,
        bits,
        buckets: rng.random_range(1..=spec.max_buckets()),
        sample_slots: sample_count + rng.random_range(0..=70),
        sample_count,
        sample_seed: rng.random(),
        first_position: rng.random_range(0..1 << 40),
        blocks_at_once: *[1, 2, 4].choose(rng).expect("not empty"),
        n,
        keys,
        values,
        sorted_samples: Vec::new(),
        targets: Vec::new(),
        firsts: Vec::new(),
        expected: Expected::default(),
    };
    if number % 4 == 1 {
        case.buckets = spec.max_buckets();
    }
    let orders = orders_of(spec, &case);
    add_splitters(spec, &mut case, &orders, rng);
    add_expected(spec, &mut case, &orders, rng);
    case
}

/// What each key is compared by.
fn orders_of(spec: &ShardSpec, case: &ShardCase) -> Vec<u128> {
    let all = oracle::low_mask(oracle::describe(spec.key).1);
    let flip = if spec.order == Order::Descending { all } else { 0 };
    let mask = mask_of(case);
    let keys = case.keys.chunks_exact(oracle::key_bytes(spec.key));
    let order = |key: &[u8]| {
        let is_last = spec.nan_last && oracle::is_nan(spec.key, key);
        if is_last { all & mask } else { (oracle::ordered_bits(spec.key, key) ^ flip) & mask }
    };
    keys.map(order).collect()
}

fn mask_of(case: &ShardCase) -> u128 {
    let (begin, end) = case.bits;
    oracle::low_mask(end - begin).checked_shl(begin).unwrap_or(0)
}

/// The samples of all ranks, of which those of this rank may be a part, and the targets among them.
fn add_splitters(spec: &ShardSpec, case: &mut ShardCase, orders: &[u128], rng: &mut ChaCha8Rng) {
    let count = rng.random_range(1..=60usize);
    let mut samples: Vec<u128> = (0..count)
        .map(|_| match orders.choose(rng) {
            Some(order) if rng.random_ratio(7, 8) => *order,
            _ => [0, mask_of(case)][rng.random_range(0..2)],
        })
        .collect();
    samples.sort_unstable();
    let mut targets: Vec<u32> =
        (1..case.buckets).map(|_| rng.random_range(0..count as u32)).collect();
    targets.sort_unstable();
    // A bucket of two neighbouring orders is none of equal keys.
    let two = 2u128.checked_shl(case.bits.0).unwrap_or(0);
    if rng.random_ratio(1, 4) && case.bits.0 + 2 <= case.bits.1 && mask_of(case) > 2 * two {
        let first = samples[0].clamp(two, mask_of(case) - two);
        samples = vec![first, first + two];
        targets = (1..case.buckets).map(|bucket| u32::from(bucket > 1)).collect();
    }
    // Slots without a sample.
    samples.extend(std::iter::repeat_n(all_ones(spec), rng.random_range(0..3)));
    (case.sorted_samples, case.targets) = (samples, targets);
}

/// The first number of each bucket, and whether its keys are equal.
fn splitters_of(case: &ShardCase) -> Vec<(u128, bool)> {
    let (max, begin) = (mask_of(case), case.bits.0);
    let step = if max == 0 { 1 } else { 1u128 << begin };
    let mut splitters = vec![0];
    let mut before = 0;
    for target in &case.targets {
        let sample = case.sorted_samples[*target as usize];
        splitters.push(if sample == before && sample < max { sample + step } else { sample });
        before = sample;
    }
    let is_equal = |bucket: usize| match splitters.get(bucket + 1) {
        Some(next) => next - splitters[bucket] <= step,
        None => splitters[bucket] == max,
    };
    (0..splitters.len()).map(|bucket| (splitters[bucket], is_equal(bucket))).collect()
}

fn add_expected(spec: &ShardSpec, case: &mut ShardCase, orders: &[u128], rng: &mut ChaCha8Rng) {
    let splitters = splitters_of(case);
    let (buckets, most) = (case.buckets as usize, spec.max_buckets() as usize);
    let bucket_of = |order: u128| splitters.partition_point(|(first, _)| *first <= order) - 1;
    let mut items: Vec<Vec<u32>> = vec![Vec::new(); buckets];
    for (position, order) in orders.iter().enumerate() {
        items[bucket_of(*order)].push(position as u32);
    }
    // Buckets lie in any order.
    let mut slots: Vec<usize> = (0..buckets).collect();
    let turned = rng.random_range(0..buckets);
    slots.rotate_left(turned);
    let mut sources = Vec::with_capacity(case.n);
    case.firsts = vec![0; buckets];
    for bucket in slots {
        case.firsts[bucket] = sources.len() as u64;
        sources.extend(&items[bucket]);
    }
    let mut all: Vec<u128> = splitters.iter().map(|(first, _)| *first).collect();
    all.resize(most, all_ones(spec));
    let mut totals: Vec<u64> = items.iter().map(|items| items.len() as u64).collect();
    let flags = splitters.iter().map(|(_, is_equal)| u64::from(*is_equal));
    let flags: Vec<u64> = flags.chain(std::iter::repeat(0)).take(most).collect();
    totals.resize(most, 0);
    totals.extend(flags);
    let positions = sources.iter().map(|source| case.first_position + u64::from(*source));
    case.expected = Expected {
        keys: oracle::gather(&case.keys, oracle::key_bytes(spec.key), &sources),
        values: match spec.value {
            ValueType::None => Vec::new(),
            ValueType::Index => positions.flat_map(u64::to_le_bytes).collect(),
            value => oracle::gather(&case.values, value.bytes() as usize, &sources),
        },
        samples: bytes_of(spec, &samples_of(spec, case, orders)),
        splitters: bytes_of(spec, &all),
        totals: totals.into_iter().flat_map(u64::to_le_bytes).collect(),
    };
}

/// The samples of the shard: one of each of as many equal ranges.
fn samples_of(spec: &ShardSpec, case: &ShardCase, orders: &[u128]) -> Vec<u128> {
    let sample = |slot: u32| {
        if slot >= case.sample_count {
            return all_ones(spec);
        }
        let (slots, n) = (u64::from(case.sample_count), case.n as u64);
        let [begin, end] = [u64::from(slot), u64::from(slot) + 1].map(|it| it * n / slots);
        orders[(begin + u64::from(mixed(slot.wrapping_add(case.sample_seed))) % (end - begin))
            as usize]
    };
    (0..case.sample_slots).map(sample).collect()
}

fn mixed(number: u32) -> u32 {
    let number = (number ^ number >> 16).wrapping_mul(0x7feb_352d);
    let number = (number ^ number >> 15).wrapping_mul(0x846c_a68b);
    number ^ number >> 16
}
