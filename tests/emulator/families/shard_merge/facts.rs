//! What the tests know of merges of shards: their specs, and the cases of each: two sorted runs, borders, and what must come out.

use rand::RngExt;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::render::RenderError;
use sortsmith_codegen::shard_merge::{self, Arguments, ShardFields, ShardKernel, ShardSpec};
use sortsmith_codegen::{KernelArguments as _, KeyClass, KeyType, Order, Token as _, ValueType};

use crate::cases::first_difference;
use crate::emulator::{ArgumentTable, Member, Message, Outcome, long_words, words};
use crate::inputs::{self, Keys};
use crate::kernel_families::KernelFacts;
use crate::oracle;
use crate::subject::Subject;

/// The arguments of the kernels.
const ARGUMENTS: [ArgumentTable; 1] = [("", &Arguments::FIELDS)];

const MAGIC: u32 = u32::from_le_bytes(*b"shmg");

/// Keys of all classes and widths, values of all widths, both orders and orders of NaNs, few threads and many.
const COVERING: [&str; 8] = [
    "shard_merge_u32_keys_b64_i4_asc",
    "shard_merge_f32_u32_b64_i3_desc",
    "shard_merge_f16_index_b96_i2_asc_nanlast",
    "shard_merge_i64_u128_b64_i5_desc",
    "shard_merge_u128_u8_b64_i2_asc",
    "shard_merge_f64_index_b128_i1_desc_nanlast",
    "shard_merge_bool_u16_b64_i20_asc",
    "shard_merge_u8_u64_b256_i1_desc",
];

impl KernelFacts for ShardSpec {
    const FOLDER: &str = "shard_merge";

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
        let items = rng.random_range(1..=6);
        let fields = ShardFields { key, value, threads, items, order, nan_last };
        fields.validate().unwrap_or_else(|error| panic!("{error}"))
    }

    /// The shapes that are used where none is named.
    fn compiled_set() -> Vec<Self> {
        let types = [
            (KeyType::U32, ValueType::None),
            (KeyType::F32, ValueType::U32),
            (KeyType::F64, ValueType::Index),
            (KeyType::I128, ValueType::U128),
            (KeyType::U8, ValueType::U64),
            (KeyType::F16, ValueType::Index),
            (KeyType::U64, ValueType::U8),
        ];
        let orders = [Order::Ascending, Order::Descending];
        let of =
            |(types, order): (_, &Order)| Self::of(types, (*order, *order == Order::Descending));
        types.into_iter().zip(orders.iter().cycle()).map(of).collect()
    }

    fn symbols(&self) -> Vec<String> {
        ShardKernel::ALL.map(|kernel| format!("{self}{}", kernel.suffix())).to_vec()
    }
}

impl Subject for ShardSpec {
    type Case = ShardCase;

    fn member(&self) -> Result<Member, RenderError> {
        Ok(Member::of_family((Self::FOLDER, &ARGUMENTS), self, shard_merge::header(self)?))
    }

    fn marked_header(&self) -> Result<String, RenderError> {
        shard_merge::marked_header(self)
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
        let (key_bytes, value_bytes) = (oracle::key_bytes(self.key), self.value_bytes().max(1));
        outcome.complaint(|keys, others| {
            let Expected { keys: expected_keys, values, positions, below, splitters, around } =
                &case.expected;
            let (found_values, mut rest) = others.split_at(values.len());
            let merged = first_difference("key", keys, expected_keys, key_bytes)
                .or_else(|| first_difference("value", found_values, values, value_bytes as usize));
            let mut difference = merged.filter(|_| case.is_in_order);
            let of_border = [
                ("position", positions, 8),
                ("count below", below, 8),
                ("splitter", splitters, self.order_bytes() as usize),
                ("count around", around, 8),
            ];
            for (what, expected, bytes) in of_border {
                let (found, behind) = rest.split_at(expected.len());
                rest = behind;
                difference = difference.or_else(|| first_difference(what, found, expected, bytes));
            }
            difference
        })
    }
}

/// What must come out.
#[derive(Clone, Debug, Default)]
struct Expected {
    keys: Vec<u8>,
    values: Vec<u8>,
    positions: Vec<u8>,
    below: Vec<u8>,
    splitters: Vec<u8>,
    around: Vec<u8>,
}

/// A sorted run.
#[derive(Clone, Debug, Default)]
struct Run {
    keys: Vec<u8>,
    values: Vec<u8>,
    /// What each key is compared by, ascending.
    orders: Vec<u128>,
}

impl Run {
    fn below(&self, bound: u128) -> u64 {
        self.orders.iter().filter(|order| **order < bound).count() as u64
    }
}

/// The borders that are searched for.
#[derive(Clone, Debug, Default)]
struct Borders {
    targets: Vec<u64>,
    /// The known upper bits.
    splitters: Vec<u128>,
    sums: Vec<u64>,
    shift: u32,
    digit_values: u32,
}

/// One case, all but the order of threads.
#[derive(Clone, Debug)]
pub struct ShardCase {
    kind: Keys,
    bits: (u32, u32),
    most_blocks: u32,
    blocks_at_once: u32,
    first_position: u64,
    runs: [Run; 2],
    /// Whether the second run is in order: a range that has not arrived is in none, and what it is merged to is not specified.
    is_in_order: bool,
    borders: Borders,
    expected: Expected,
}

impl ShardCase {
    /// The request as `driver.hpp` has it.
    fn message(&self, spec: &ShardSpec, member: usize, seed: u64) -> Message {
        let [first, second] = &self.runs;
        let Borders { targets, splitters, sums, shift, digit_values } = &self.borders;
        let mut bytes = Vec::with_capacity(200 + 2 * self.expected.keys.len());
        words(&mut bytes, &[MAGIC, member as u32, targets.len() as u32, *digit_values]);
        words(&mut bytes, &[*shift, self.most_blocks, self.blocks_at_once, 0]);
        words(&mut bytes, &[self.bits.0, self.bits.1]);
        let items = [&first.orders, &second.orders].map(|orders| orders.len() as u64);
        long_words(&mut bytes, &[items[0], items[1], self.first_position, seed]);
        for array in [&first.keys, &second.keys, &first.values, &second.values] {
            bytes.extend(array);
        }
        long_words(&mut bytes, targets);
        long_words(&mut bytes, sums);
        bytes.extend(bytes_of(spec, splitters));
        let Expected { keys, values, positions, below, splitters, around } = &self.expected;
        let others = [values, positions, below, splitters, around];
        let answered_values = others.iter().map(|array| array.len()).sum();
        Message { bytes, answered_keys: keys.len(), answered_values, races: (28, 1) }
    }
}

impl std::fmt::Display for ShardCase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, bits, borders, runs: [first, second], .. } = self;
        let Borders { targets, shift, digit_values, .. } = borders;
        write!(
            f,
            "{} and {} {kind:?} keys, bits {}..{}, {} borders, {digit_values} values of a digit at bit {shift}, at most {} blocks, {} at once",
            first.orders.len(),
            second.orders.len(),
            bits.0,
            bits.1,
            targets.len(),
            self.most_blocks,
            self.blocks_at_once
        )
    }
}

/// Compared bits as the header stores them.
fn bytes_of(spec: &ShardSpec, orders: &[u128]) -> Vec<u8> {
    let bytes = spec.order_bytes() as usize;
    orders.iter().flat_map(|order| order.to_le_bytes().into_iter().take(bytes)).collect()
}

fn long_bytes(numbers: impl IntoIterator<Item = u64>) -> Vec<u8> {
    numbers.into_iter().flat_map(u64::to_le_bytes).collect()
}

fn case(spec: &ShardSpec, number: usize, rng: &mut ChaCha8Rng) -> ShardCase {
    let kinds = Keys::all(spec.key);
    // The largest compared bits are those of splitters behind all items, too.
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
    let runs = runs(spec, number, (kind, bits), rng);
    let mut case = ShardCase {
        kind,
        bits,
        most_blocks: *[1, 2, 1 << 20].choose(rng).expect("not empty"),
        blocks_at_once: *[1, 2, 4].choose(rng).expect("not empty"),
        first_position: rng.random_range(0..1 << 40),
        runs,
        is_in_order: number % 8 != 6,
        borders: Borders::default(),
        expected: Expected::default(),
    };
    let narrowed = add_borders(spec, &mut case, rng);
    add_expected(spec, &mut case, &narrowed);
    if !case.is_in_order {
        let [_, second] = &mut case.runs;
        let mut keys: Vec<&[u8]> = second.keys.chunks_exact(oracle::key_bytes(spec.key)).collect();
        keys.shuffle(rng);
        second.keys = keys.concat();
    }
    case
}

/// Two runs of a distribution, of lengths around those of tiles, or empty.
fn runs(
    spec: &ShardSpec,
    number: usize,
    (kind, bits): (Keys, (u32, u32)),
    rng: &mut ChaCha8Rng,
) -> [Run; 2] {
    let tile = spec.tile_items() as usize;
    let sizes = [0, 1, tile - 1, tile, tile + 1, 2 * tile, rng.random_range(0..3 * tile)];
    let first = sizes[number % sizes.len()];
    let second = if number % 5 == 4 { 3 * tile - first } else { *sizes.choose(rng).expect("some") };
    let key_bytes = oracle::key_bytes(spec.key);
    let keys = kind.generate(spec.key, first + second, rng);
    let value_bytes = spec.value_bytes() as usize;
    // Some distributions have a number of keys of their own.
    let middle = first.min(keys.len() / key_bytes) * key_bytes;
    let mut run = |keys: &[u8]| {
        let orders = orders_of(spec, keys, bits);
        let mut sources: Vec<u32> = (0..orders.len() as u32).collect();
        sources.sort_by_key(|source| orders[*source as usize]);
        Run {
            keys: oracle::gather(keys, key_bytes, &sources),
            values: inputs::values(value_bytes, orders.len(), rng.random()),
            orders: sources.iter().map(|source| orders[*source as usize]).collect(),
        }
    };
    [run(&keys[..middle]), run(&keys[middle..])]
}

/// What each key is compared by.
fn orders_of(spec: &ShardSpec, keys: &[u8], bits: (u32, u32)) -> Vec<u128> {
    let all = oracle::low_mask(oracle::describe(spec.key).1);
    let flip = if spec.order == Order::Descending { all } else { 0 };
    let mask = mask_of(bits);
    let order = |key: &[u8]| {
        let is_last = spec.nan_last && oracle::is_nan(spec.key, key);
        if is_last { all & mask } else { (oracle::ordered_bits(spec.key, key) ^ flip) & mask }
    };
    keys.chunks_exact(oracle::key_bytes(spec.key)).map(order).collect()
}

fn mask_of((begin, end): (u32, u32)) -> u128 {
    oracle::low_mask(end - begin).checked_shl(begin).unwrap_or(0)
}

/// Borders at random targets, of which all bits above a digit are known. Returns the splitters with the digit.
fn add_borders(spec: &ShardSpec, case: &mut ShardCase, rng: &mut ChaCha8Rng) -> Vec<u128> {
    let (begin, end) = case.bits;
    if begin == end {
        return Vec::new();
    }
    let digit_bits = rng.random_range(1..=(end - begin).min(6));
    // Below a digit that is not the last one splitters are zero, so that they rarely equal an item.
    let shift = if rng.random() { begin } else { rng.random_range(begin..=end - digit_bits) };
    let count = if rng.random_ratio(1, 4) {
        rng.random_range(0..3 * spec.threads)
    } else {
        rng.random_range(1..=12)
    };
    let mut all: Vec<u128> = case.runs.iter().flat_map(|run| run.orders.clone()).collect();
    all.sort_unstable();
    let total = all.len() as u64;
    let targets: Vec<u64> = (0..count).map(|_| rng.random_range(0..=total)).collect();
    // The largest compared bits with no more items below them.
    let max = mask_of(case.bits);
    let known = |target: &u64| all.get(*target as usize).copied().unwrap_or(max);
    let above = |bit: u32| -> Vec<u128> {
        targets.iter().map(|target| known(target) & !oracle::low_mask(bit)).collect()
    };
    let (splitters, narrowed) = (above(shift + digit_bits), above(shift));
    let digit_values = (1 << digit_bits) - 1;
    case.borders = Borders { targets, splitters, sums: Vec::new(), shift, digit_values };
    let of_all = |bound| case.runs.iter().map(|run| run.below(bound)).sum();
    case.borders.sums = case.borders.candidates().map(of_all).collect();
    narrowed
}

impl Borders {
    fn candidates(&self) -> impl Iterator<Item = u128> {
        self.splitters.iter().flat_map(move |splitter| {
            (1..=self.digit_values).map(move |value| splitter + (u128::from(value) << self.shift))
        })
    }
}

fn add_expected(spec: &ShardSpec, case: &mut ShardCase, narrowed: &[u128]) {
    let [first, second] = &case.runs;
    let orders: Vec<u128> = first.orders.iter().chain(&second.orders).copied().collect();
    // Stable: of equal keys those of the first run come first.
    let mut sources: Vec<u32> = (0..orders.len() as u32).collect();
    sources.sort_by_key(|source| orders[*source as usize]);
    let merged = |first: &[u8], second: &[u8], bytes: usize| {
        if bytes == 0 {
            Vec::new()
        } else {
            oracle::gather(&[first, second].concat(), bytes, &sources)
        }
    };
    let positions = 0..first.orders.len() as u64;
    let makes_positions = spec.value == ValueType::Index;
    let around = |splitter: &u128| {
        let equal = first.orders.iter().filter(|order| *order == splitter).count();
        [first.below(*splitter), equal as u64]
    };
    case.expected = Expected {
        keys: merged(&first.keys, &second.keys, oracle::key_bytes(spec.key)),
        values: merged(&first.values, &second.values, spec.value_bytes() as usize),
        positions: long_bytes(
            positions.filter(|_| makes_positions).map(|item| case.first_position + item),
        ),
        below: long_bytes(case.borders.candidates().map(|bound| first.below(bound))),
        splitters: bytes_of(spec, narrowed),
        around: long_bytes(narrowed.iter().flat_map(around)),
    };
}
