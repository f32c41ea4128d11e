//! What the tests know of top-ks by warps: their specs, and the cases of each: rows, launches, and the expected output.

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::render::RenderError;
use sortsmith_codegen::top_k::{TopKRows, TopKValue};
use sortsmith_codegen::warp_top_k::{self, WarpTopKFields, WarpTopKSpec};
use sortsmith_codegen::{KeyClass, KeyType, Order};

use crate::cases::first_difference;
use crate::emulator::{ArgumentTable, Member, Message, Outcome, bits_of, long_words, words};
use crate::found::{self, Found};
use crate::inputs::Keys;
use crate::kernel_families::KernelFacts;
use crate::oracle;
use crate::subject::Subject;

/// The arguments of the kernels of specs that find this beside the keys.
const fn arguments_of(value: TopKValue) -> [ArgumentTable; 1] {
    [("_rows", warp_top_k::RowsArguments::taken(value))]
}

static OF_INDEX: [ArgumentTable; 1] = arguments_of(TopKValue::Index);
static OF_INDEX64: [ArgumentTable; 1] = arguments_of(TopKValue::Index64);
static OF_VALUES: [ArgumentTable; 1] = arguments_of(found::KINDS[1]);

const MAGIC: u32 = u32::from_le_bytes(*b"sskw");

/// The specs that the runtime chooses most, of each width of keys one with the most items of a lane or of a sort, and some that find values.
const CHOSEN: [&str; 13] = [
    "warp_top_k_f32_i1_k32_desc",
    "warp_top_k_f32_i4_k8_desc_nanlast",
    "warp_top_k_f32_i4_k64_desc",
    "warp_top_k_f32_i8_k256_desc",
    "warp_top_k_f32_i32_k64_desc",
    "warp_top_k_bf16_i32_k128_desc_nanlast",
    "warp_top_k_i64_i16_k64_asc",
    "warp_top_k_u64_i4_k64_desc",
    "warp_top_k_u128_i8_k256_asc",
    "warp_top_k_f32_index64_i4_k8_desc",
    "warp_top_k_f32_u64_i32_k64_desc",
    "warp_top_k_u64_u128_i8_k256_asc",
    "warp_top_k_f16_u32x3_i32_k128_desc",
];

/// Specs with long rows, beside the covering set.
const LONG: [&str; 4] = [
    "warp_top_k_f32_i32_k64_desc",
    "warp_top_k_u16_i32_k128_asc",
    "warp_top_k_i64_i16_k32_desc",
    "warp_top_k_f16_i16_k16_asc",
];

fn parsed(name: &str) -> WarpTopKSpec {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

impl KernelFacts for WarpTopKSpec {
    const FOLDER: &str = "warp_top_k";

    /// All types of keys, with positions of 32 bits and with others or values, both orders, all numbers of items and the largest k of survivors and of all items.
    fn covering_set() -> Vec<Self> {
        let shapes =
            [(4, 16), (8, 64), (1, 32), (8, 8), (2, 64), (4, 128), (8, 256), (4, 32), (1, 8)];
        let keys = KeyType::ALL.iter().copied();
        let fields = keys.zip(shapes.into_iter().cycle()).enumerate();
        let spec = |(number, (key, (items, max_k))): (usize, (KeyType, (u32, u32)))| {
            let order = if number % 2 == 0 { Order::Descending } else { Order::Ascending };
            let nan_last = key.info().class == KeyClass::Float && number % 3 > 0;
            let value = TopKValue::Index;
            let fields = WarpTopKFields { key, value, items, max_k, order, nan_last };
            let value = found::KINDS[number / 2 % found::KINDS.len()];
            let mut both = [fields, WarpTopKFields { value, ..fields }];
            // Every other spec is of either half, too.
            both.rotate_left(number % 2);
            both.map(|it| it.validate().unwrap_or_else(|error| panic!("{error}")))
        };
        fields.flat_map(spec).chain(LONG.map(parsed)).collect()
    }

    fn fresh(rng: &mut ChaCha8Rng) -> Self {
        let key = *KeyType::ALL.choose(rng).expect("not empty");
        let order = if rng.random() { Order::Descending } else { Order::Ascending };
        let nan_last = key.info().class == KeyClass::Float && rng.random();
        let kind = *found::KINDS.choose(rng).expect("not empty");
        let value = if rng.random() { TopKValue::Index } else { kind };
        loop {
            let (items, max_k) = (1 << rng.random_range(0..=5), 8 << rng.random_range(0..=5));
            let fields = WarpTopKFields { key, value, items, max_k, order, nan_last };
            if let Ok(spec) = fields.validate() {
                return spec;
            }
        }
    }

    fn compiled_set() -> Vec<Self> {
        CHOSEN.map(parsed).to_vec()
    }

    fn symbols(&self) -> Vec<String> {
        vec![format!("{self}_rows")]
    }
}

impl Subject for WarpTopKSpec {
    type Case = WarpTopKCase;

    fn member(&self) -> Result<Member, RenderError> {
        let arguments = match self.value {
            TopKValue::Index => &OF_INDEX,
            TopKValue::Index64 => &OF_INDEX64,
            TopKValue::Values { .. } => &OF_VALUES,
        };
        Ok(Member::of_family((Self::FOLDER, arguments), self, warp_top_k::header(self)?))
    }

    fn marked_header(&self) -> Result<String, RenderError> {
        warp_top_k::marked_header(self)
    }

    fn cost(&self) -> u64 {
        u64::from(self.max_columns()) * TYPICAL_ROWS
    }

    fn cases(&self, count: usize, rng: &mut ChaCha8Rng) -> Vec<WarpTopKCase> {
        of(self, count, rng)
    }

    fn message(&self, case: &WarpTopKCase, member: usize, seed: u64) -> Message {
        case.message(self, member, seed)
    }

    fn complaint(&self, case: &WarpTopKCase, outcome: &Outcome) -> Option<String> {
        let expected_keys: &[u8] = if case.writes_keys { &case.expected_keys } else { &[] };
        outcome.complaint(|keys, positions| {
            let key_bytes = oracle::key_bytes(self.key);
            case.found
                .complaint(positions)
                .or_else(|| first_difference("key", keys, expected_keys, key_bytes))
        })
    }
}

/// How many rows a case has, as an average.
const TYPICAL_ROWS: u64 = 4;

/// One case, all but the order of threads.
#[derive(Clone, Debug)]
pub struct WarpTopKCase {
    /// The distribution of the keys.
    kind: Keys,
    /// Rows, columns and k.
    shape: TopKRows,
    /// From the first key of a row to that of the next.
    stride: usize,
    /// Whether the items are wanted in the order of their keys.
    is_sorted: bool,
    /// Whether the keys are wanted.
    writes_keys: bool,
    /// As many blocks as there are warps for the rows, or one, the warps of which go on from where they end.
    blocks: u32,
    /// The number of blocks that run concurrently, interleaved.
    blocks_at_once: u32,
    /// The keys of all rows, with the gaps between them.
    keys: Vec<u8>,
    /// The keys that must come out.
    expected_keys: Vec<u8>,
    /// What comes out beside them.
    found: Found,
}

impl WarpTopKCase {
    /// The request as `driver.hpp` has it.
    fn message(&self, spec: &WarpTopKSpec, member: usize, seed: u64) -> Message {
        let TopKRows { rows, columns, k } = self.shape;
        let Found { writes_positions, writes_values, .. } = self.found;
        let flags = [false, self.is_sorted, self.writes_keys, writes_positions, writes_values];
        let flags = bits_of(&flags);
        let key_bytes = oracle::key_bytes(spec.key);
        let all = (self.keys.len() / key_bytes) as u64;
        let mut bytes = Vec::with_capacity(72 + self.keys.len());
        words(&mut bytes, &[MAGIC, member as u32, flags, self.blocks_at_once]);
        words(&mut bytes, &[self.blocks, spec.threads(), spec.shared_bytes(), k]);
        long_words(&mut bytes, &[rows, columns, self.stride as u64, all, seed]);
        bytes.extend(&self.keys);
        bytes.extend(&self.found.values);
        let found = rows as usize * k as usize;
        let answered_keys = if self.writes_keys { found * key_bytes } else { 0 };
        Message { bytes, answered_keys, answered_values: self.found.answered(), races: (8, 1) }
    }

    /// Asks the oracle.
    fn expect(&mut self, spec: &WarpTopKSpec) {
        let TopKRows { rows, columns, k } = self.shape;
        let key_bytes = oracle::key_bytes(spec.key);
        let (order, nan_last) = (spec.order, spec.nan_last);
        let task = oracle::Task { order, nan_last, ..oracle::Task::new(spec.key) };
        for row in 0..rows as usize {
            let start = row * self.stride;
            let keys = &self.keys[start * key_bytes..];
            let keys = &keys[..columns as usize * key_bytes];
            let mut positions = oracle::permutation(&task, keys);
            positions.truncate(k as usize);
            if !self.is_sorted {
                positions.sort_unstable();
            }
            self.expected_keys.extend(oracle::gather(keys, key_bytes, &positions));
            self.found.expect(start, &positions);
        }
    }
}

impl std::fmt::Display for WarpTopKCase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, shape, stride, is_sorted, blocks, blocks_at_once, .. } = self;
        let TopKRows { rows, columns, k } = shape;
        let order = if *is_sorted { "sorted" } else { "unsorted" };
        write!(f, "k = {k} {order} of {rows} rows of {columns} {kind:?} keys, {stride} apart, ")?;
        write!(f, "{blocks} blocks, {blocks_at_once} at once")
    }
}

/// `count` cases of a spec: full rows and partial ones, with one column and with one too few for a vector, all k of interest.
fn of(spec: &WarpTopKSpec, count: usize, rng: &mut ChaCha8Rng) -> Vec<WarpTopKCase> {
    let most = spec.max_columns() as usize;
    let mut columns = vec![most, most - 1, most / 2 + 1, most - 4, most, most - 2, 1, 2, most];
    columns.extend((0..4).map(|_| rng.random_range(1..=most)));
    columns.extend([most; 4]);
    let mut kinds = Keys::all(spec.key);
    kinds.shuffle(rng);
    // Distributions in which equal keys are too many for the slots, or few groups have the least ones, or keys agree in their upper bits.
    let mut tied = vec![Keys::AllEqual, Keys::Cycle, Keys::HiddenHeavyHitters, Keys::FewDistinct];
    tied.extend([Keys::Cycle, Keys::HiddenHeavyHitters, Keys::Narrow]);
    if spec.key.bits() >= 32 {
        tied.extend([Keys::TiedGroups, Keys::Uniform, Keys::Clusters, Keys::TiedGroups]);
        tied.extend([Keys::Uniform, Keys::Uniform]);
    }
    (0..count)
        .map(|number| {
            let kind = match number % 3 {
                2 => kinds[number % kinds.len()],
                _ => tied[number / 2 % tied.len()],
            };
            case(spec, kind, columns[number % columns.len()].max(1), rng)
        })
        .collect()
}

fn case(spec: &WarpTopKSpec, kind: Keys, columns: usize, rng: &mut ChaCha8Rng) -> WarpTopKCase {
    let most = columns.min(spec.max_k as usize);
    let edges = [1, 2, most - most / 8, most, most];
    let k = *edges.choose(rng).expect("not empty");
    let k = if rng.random() || k > most { rng.random_range(1..=most) } else { k };
    let k = if kind == Keys::Uniform && rng.random() { most } else { k };
    // One more than a number of complete groups of equal keys.
    let k = if kind == Keys::Cycle && rng.random() { (k - 1) / 8 * 8 + 1 } else { k };
    let of_block = u64::from(4 * spec.rows_of_warp());
    let rows = rng.random_range(1..=7u64) + if rng.random() { of_block } else { 0 };
    let stride = columns + if rng.random() { 0 } else { rng.random_range(1..=9) };
    let mut keys = kind.generate(spec.key, (rows as usize - 1) * stride + columns, rng);
    if kind == Keys::Uniform && spec.key.bits() >= 32 {
        let key_bytes = oracle::key_bytes(spec.key);
        for row in keys.chunks_mut(stride * key_bytes) {
            tie_at_end_of_run(spec, &mut row[..columns * key_bytes], rng);
        }
    }
    let found = Found::random(spec.value, keys.len() / oracle::key_bytes(spec.key), rng);
    let mut case = WarpTopKCase {
        kind,
        shape: TopKRows { rows, columns: columns as u64, k: k as u32 },
        stride,
        is_sorted: rng.random(),
        writes_keys: rng.random_ratio(3, 4),
        blocks: if rng.random() { rows.div_ceil(of_block) as u32 } else { 1 },
        blocks_at_once: *[1, 2, 4].choose(rng).expect("not empty"),
        keys,
        expected_keys: Vec::new(),
        found,
    };
    case.expect(spec);
    case
}

/// Makes two of a row's keys differ in nothing but their lowest bit: the last one of a lane's sorted items, or of those that are kept, and the
/// next one. No other two do, so that nothing else shows that the order of these two needs all bits.
fn tie_at_end_of_run(spec: &WarpTopKSpec, row: &mut [u8], rng: &mut ChaCha8Rng) {
    let key_bytes = oracle::key_bytes(spec.key);
    let (order, nan_last) = (spec.order, spec.nan_last);
    let task = oracle::Task { order, nan_last, ..oracle::Task::new(spec.key) };
    let positions = oracle::permutation(&task, row);
    let rank = if rng.random() { spec.max_k.min(16) } else { spec.max_k } as usize;
    if rank >= positions.len() {
        return;
    }
    let [one, other] = [rank - 1, rank].map(|rank| positions[rank] as usize * key_bytes);
    row.copy_within(one..one + key_bytes, other);
    row[if rng.random() { one } else { other }] ^= 1;
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn a_spec_meets_partial_rows_gaps_and_warps_that_go_on() {
        let spec = parsed("warp_top_k_f32_i8_k32_desc");
        let cases = of(&spec, 60, &mut ChaCha8Rng::seed_from_u64(3));
        let count = |of: &dyn Fn(&WarpTopKCase) -> bool| cases.iter().filter(|it| of(it)).count();
        assert!(count(&|it| it.shape.columns == 256) > 10);
        assert!(count(&|it| it.shape.columns < 256) > 10);
        assert!(count(&|it| it.stride as u64 > it.shape.columns) > 10);
        assert!(count(&|it| 8 * u64::from(it.blocks) < it.shape.rows) > 3);
        assert!(count(&|it| it.shape.k == 32) > 5);
        assert!(count(&|it| it.kind == Keys::AllEqual) > 2);
        assert!(count(&|it| it.is_sorted) > 10 && count(&|it| !it.is_sorted) > 10);
    }
}
