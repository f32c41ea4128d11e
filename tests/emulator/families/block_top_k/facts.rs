//! What the tests know of top-ks: their specs, and the cases of each: rows, launches, and the expected output.

mod launches;

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::render::RenderError;
use sortsmith_codegen::top_k::{
    self, AnyTopK, RankedLaunches, TopKFields, TopKLaunch, TopKLaunches, TopKRows, TopKSpec,
    TopKValue,
};
use sortsmith_codegen::{KernelArguments as _, KeyClass, KeyType, Order};

use crate::cases::first_difference;
use crate::emulator::{ArgumentTable, Member, Message, Outcome, bits_of, long_words, words};
use crate::found::{self, Found};
use crate::inputs::Keys;
use crate::kernel_families::KernelFacts;
use crate::oracle;
use crate::subject::Subject;
use launches::{ListedCase, launches, listed_launches, ranked_launches};

/// The arguments of the kernels of specs that find this beside the keys; the last kernel is of those that write more than 32-bit positions.
const fn arguments_of(value: TopKValue) -> [ArgumentTable; 8] {
    [
        ("_rows", top_k::RowsArguments::taken(value)),
        ("_candidates", top_k::CandidatesArguments::taken(value)),
        ("_survivors", &top_k::SurvivorsArguments::FIELDS),
        ("_ranked", top_k::RankedArguments::taken(value)),
        ("_samples", &top_k::SamplesArguments::FIELDS),
        ("_filtered", &top_k::FilteredArguments::FIELDS),
        ("_listed", top_k::ListedArguments::taken(value)),
        ("_found", top_k::FoundArguments::taken(value)),
    ]
}

static OF_INDEX: [ArgumentTable; 8] = arguments_of(TopKValue::Index);
static OF_INDEX64: [ArgumentTable; 8] = arguments_of(TopKValue::Index64);
static OF_VALUES: [ArgumentTable; 8] = arguments_of(found::KINDS[1]);

const MAGIC: u32 = u32::from_le_bytes(*b"sskq");

/// The specs that the runtime chooses most, one of each width of keys with the most items of a thread, and some that find values.
const CHOSEN: [&str; 9] = [
    "block_top_k_f32_b128_i4_desc",
    "block_top_k_f32_b256_i8_desc_nanlast",
    "block_top_k_f16_b512_i16_desc",
    "block_top_k_i64_b512_i8_asc",
    "block_top_k_u128_b256_i8_asc",
    "block_top_k_f32_index64_b256_i8_desc",
    "block_top_k_f32_u32_b512_i16_desc",
    "block_top_k_i64_u128_b512_i8_asc",
    "block_top_k_f16_u32x3_b512_i16_desc",
];

impl KernelFacts for TopKSpec {
    const FOLDER: &str = "block_top_k";

    /// All types of keys, with positions of 32 bits and with others or values, both orders, one warp and several, one item a thread and more.
    fn covering_set() -> Vec<Self> {
        let shapes = [(64, 2), (32, 1), (96, 3), (32, 4), (64, 1), (128, 2)];
        let keys = KeyType::ALL.iter().copied();
        let fields = keys.zip(shapes.into_iter().cycle()).enumerate();
        let spec = |(number, (key, (threads, items))): (usize, (KeyType, (u32, u32)))| {
            let order = if number % 2 == 0 { Order::Descending } else { Order::Ascending };
            let nan_last = key.info().class == KeyClass::Float && number % 3 > 0;
            let of_positions =
                legal(TopKFields { key, value: TopKValue::Index, threads, items, order, nan_last });
            let value = found::KINDS[number / 2 % found::KINDS.len()];
            let mut both = [of_positions, legal(TopKFields { value, ..of_positions.fields() })];
            // Every other spec is of either half, too.
            both.rotate_left(number % 2);
            both
        };
        fields.flat_map(spec).collect()
    }

    /// With a tile that is small enough for an emulator.
    fn fresh(rng: &mut ChaCha8Rng) -> Self {
        let key = *KeyType::ALL.choose(rng).expect("not empty");
        let threads = 32 * rng.random_range(1..=5);
        let order = if rng.random() { Order::Descending } else { Order::Ascending };
        let nan_last = key.info().class == KeyClass::Float && rng.random();
        let value = if rng.random() { TopKValue::Index } else { some_kind(rng) };
        legal(TopKFields { key, value, threads, items: rng.random_range(1..=5), order, nan_last })
    }

    fn compiled_set() -> Vec<Self> {
        let spec = |name: &str| name.parse().unwrap_or_else(|error| panic!("{error}"));
        CHOSEN.into_iter().map(spec).collect()
    }

    fn symbols(&self) -> Vec<String> {
        let spec = AnyTopK::from(*self);
        spec.kernels().iter().map(|kernel| format!("{self}{}", kernel.suffix())).collect()
    }
}

fn some_kind(rng: &mut ChaCha8Rng) -> TopKValue {
    *found::KINDS.choose(rng).expect("not empty")
}

fn legal(fields: TopKFields) -> TopKSpec {
    fields.validate().unwrap_or_else(|error| panic!("{error}"))
}

impl Subject for TopKSpec {
    type Case = TopKCase;

    fn member(&self) -> Result<Member, RenderError> {
        let arguments = match self.value {
            TopKValue::Index => OF_INDEX.split_at(7).0,
            TopKValue::Index64 => &OF_INDEX64,
            TopKValue::Values { .. } => &OF_VALUES,
        };
        Ok(Member::of_family((Self::FOLDER, arguments), self, top_k::header(self)?))
    }

    fn marked_header(&self) -> Result<String, RenderError> {
        top_k::marked_header(self)
    }

    fn cost(&self) -> u64 {
        u64::from(self.tile_items()) * TYPICAL_TILES
    }

    fn cases(&self, count: usize, rng: &mut ChaCha8Rng) -> Vec<TopKCase> {
        of(self, count, rng)
    }

    fn message(&self, case: &TopKCase, member: usize, seed: u64) -> Message {
        case.message(self, member, seed)
    }

    fn complaint(&self, case: &TopKCase, outcome: &Outcome) -> Option<String> {
        let expected_keys: &[u8] = if case.writes_keys { &case.expected_keys } else { &[] };
        outcome.complaint(|keys, positions| {
            let key_bytes = oracle::key_bytes(self.key);
            case.found
                .complaint(positions)
                .or_else(|| first_difference("key", keys, expected_keys, key_bytes))
        })
    }
}

/// How many tiles a case has, as an average.
const TYPICAL_TILES: u64 = 8;

/// One case, all but the order of threads.
#[derive(Clone, Debug)]
pub struct TopKCase {
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
    /// Launches with as many chunks as a host might choose, and blocks as it launches or fewer.
    launches: TopKLaunches,
    /// In place of these, launches that rank survivors.
    ranked: Option<RankedLaunches>,
    /// Or launches that have a list for each row.
    listed: Option<ListedCase>,
    /// The number of blocks that run concurrently, interleaved.
    blocks_at_once: u32,
    /// The keys of all rows, with the gaps between them.
    keys: Vec<u8>,
    /// The keys that must come out.
    expected_keys: Vec<u8>,
    /// What comes out beside them.
    found: Found,
    /// Blocks that write what is at the positions, if that is a launch of its own.
    found_blocks: u32,
}

impl TopKCase {
    /// The request as `driver.hpp` has it.
    fn message(&self, spec: &TopKSpec, member: usize, seed: u64) -> Message {
        let Self { launches, shape, .. } = self;
        let TopKLaunches { chunks, rows: first, groups, of_groups, candidates } = *launches;
        let is_ranked = self.ranked.is_some();
        let Found { writes_positions, writes_values, .. } = self.found;
        let (order, is_apart) = ([false, self.is_sorted], self.found_blocks > 0);
        let outputs = [self.writes_keys, is_ranked, writes_positions, writes_values, is_apart];
        let is_listed = [self.listed.is_some()];
        let flags = bits_of(&[&order[..], &outputs, &is_listed].concat());
        let key_bytes = oracle::key_bytes(spec.key);
        let all = (self.keys.len() / key_bytes) as u64;
        let mut bytes = Vec::with_capacity(120 + self.keys.len());
        words(&mut bytes, &[MAGIC, member as u32, flags, self.blocks_at_once]);
        let blocks = |launch: Option<TopKLaunch>| launch.map_or(0, |it| it.blocks);
        let searched = [first.blocks, blocks(of_groups), blocks(candidates)];
        let launched = self
            .ranked
            .map_or(searched, |it| [it.survivors.blocks, it.ranked.blocks, blocks(it.candidates)]);
        let listed = self.listed;
        words(&mut bytes, &listed.map_or(launched, |it| it.blocks));
        words(&mut bytes, &[first.threads, first.shared_bytes]);
        let lists =
            self.ranked.map_or([chunks, groups, 0], |it| [it.chunks, it.groups, it.rankers]);
        let lists = listed.map_or(lists, |it| [it.chunks, it.groups, 0]);
        words(&mut bytes, &[lists[0], lists[1], shape.k, lists[2], self.found_blocks]);
        let rank = self.ranked.map_or(0, |it| it.rank);
        words(&mut bytes, &listed.map_or([0, 0, 0, rank], |it| it.sample()));
        let room = listed.map_or(0, |it| it.room.into());
        let lengths = [shape.rows, shape.columns, self.stride as u64, all, room, seed];
        long_words(&mut bytes, &lengths);
        bytes.extend(&self.keys);
        bytes.extend(&self.found.values);
        let found = shape.rows as usize * shape.k as usize;
        let answered_keys = if self.writes_keys { found * key_bytes } else { 0 };
        Message { bytes, answered_keys, answered_values: self.found.answered(), races: (8, 1) }
    }
}

impl std::fmt::Display for TopKCase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, shape, stride, is_sorted, launches, blocks_at_once, .. } = self;
        let TopKRows { rows, columns, k } = shape;
        let (order, chunks) = (if *is_sorted { "sorted" } else { "unsorted" }, launches.chunks);
        let (blocks, at_once) = (launches.rows.blocks, blocks_at_once);
        write!(f, "k = {k} {order} of {rows} rows of {columns} {kind:?} keys, {stride} apart, ")?;
        if let Some(RankedLaunches { chunks, rankers, groups, rank, .. }) = self.ranked {
            return write!(
                f,
                "{chunks} chunks, {rankers} rankers, {groups} groups, limit {rank}, {at_once} at once"
            );
        }
        if let Some(listed) = self.listed {
            return write!(f, "{listed:?}, {at_once} at once");
        }
        let groups = launches.groups;
        write!(f, "{chunks} chunks, {groups} groups, {blocks} blocks, {at_once} at once")
    }
}

/// `count` cases of a spec: columns at the limits of tiles, of the buffer and of samples, and between them.
fn of(spec: &TopKSpec, count: usize, rng: &mut ChaCha8Rng) -> Vec<TopKCase> {
    let tile = spec.tile_items() as usize;
    let edges = [1, 2, 3, 4].into_iter().flat_map(|tiles| [tiles * tile - 1, tiles * tile]);
    let mut columns: Vec<usize> = edges.chain([1, 2, tile + 1, 2 * tile + 1]).collect();
    columns.extend((0..6).map(|_| rng.random_range(1..=10 * tile)));
    columns.shuffle(rng);
    let mut kinds = Keys::all(spec.key);
    kinds.shuffle(rng);
    // The distributions that most of the rows survive meet long rows, of which there are buffers to overflow.
    let long = [Keys::Sorted, Keys::Reversed, Keys::AllEqual, Keys::Uniform];
    (0..count)
        .map(|number| match number % 3 {
            0 => {
                let columns = rng.random_range(3 * tile..=10 * tile);
                case(spec, long[number / 3 % long.len()], columns, rng)
            }
            // Equal keys of the upper runs go below those of the lower ones.
            1 if number % 4 == 0 => {
                let most_k = spec.max_k() as usize;
                let columns = rng.random_range(most_k..=most_k + most_k / 2);
                case(spec, Keys::HiddenHeavyHitters, columns, rng)
            }
            _ => case(spec, kinds[number % kinds.len()], columns[number % columns.len()], rng),
        })
        .collect()
}

/// One of the numbers of items at which the kernel does something else, or any other.
fn some_k(spec: &TopKSpec, columns: usize, rng: &mut ChaCha8Rng) -> usize {
    let most = columns.min(spec.max_k() as usize);
    let edges = [1, 2, 31, 32, 33, most - most / 8, most];
    let k = *edges.choose(rng).expect("not empty");
    if rng.random() || k > most { rng.random_range(1..=most) } else { k }
}

fn case(spec: &TopKSpec, kind: Keys, columns: usize, rng: &mut ChaCha8Rng) -> TopKCase {
    let k = some_k(spec, columns, rng);
    let most = columns.min(spec.max_k() as usize);
    let k = if kind == Keys::HiddenHeavyHitters { k.max(most - most / 4) } else { k };
    let most_rows = 1 + (2 * spec.tile_items() as usize / columns).min(5);
    let rows = rng.random_range(1..=most_rows);
    let stride = columns + if rng.random() { 0 } else { rng.random_range(1..=9) };
    let shape = TopKRows { rows: rows as u64, columns: columns as u64, k: k as u32 };
    let mut keys = kind.generate(spec.key, (rows - 1) * stride + columns, rng);
    let (key_bytes, is_sorted) = (oracle::key_bytes(spec.key), rng.random::<bool>());
    let task =
        oracle::Task { order: spec.order, nan_last: spec.nan_last, ..oracle::Task::new(spec.key) };
    let ranked = ranked_launches(spec, shape, is_sorted, rng);
    let listed = if ranked.is_none() { listed_launches(spec, shape, rng) } else { None };
    let launches = launches(spec, shape, rng);
    let is_moved = ranked.is_some() || launches.groups > 1 || rng.random();
    let tile = spec.tile_items() as usize;
    if kind == Keys::Uniform && columns >= 4 * tile && is_moved {
        let sampled = match listed {
            Some(it) => sampled_of_row(it.blocks_of_sample as usize * tile, columns),
            None if ranked.is_some() => sampled_of_row(2 * tile, columns),
            None => sampled(spec, columns),
        };
        let (first_columns, first) = (columns * key_bytes, rng.random_ratio(3, 4));
        for row in keys.chunks_mut(stride * key_bytes) {
            move_to_sample(spec, &task, &mut row[..first_columns], &sampled, first);
        }
    }
    let (mut expected_keys, all) = (Vec::new(), keys.len() / key_bytes);
    let mut found = Found::random(spec.value, all, rng);
    let found_blocks = found_blocks(&mut found, rng);
    for row in 0..rows {
        let start = row * stride;
        let keys = &keys[start * key_bytes..][..columns * key_bytes];
        let mut positions = oracle::permutation(&task, keys);
        positions.truncate(k);
        if !is_sorted {
            positions.sort_unstable();
        }
        expected_keys.extend(oracle::gather(keys, key_bytes, &positions));
        found.expect(start, &positions);
    }
    TopKCase {
        kind,
        shape,
        stride,
        is_sorted,
        writes_keys: rng.random_ratio(3, 4),
        launches,
        ranked,
        listed,
        blocks_at_once: *[1, 2, 4].choose(rng).expect("not empty"),
        keys,
        expected_keys,
        found,
        found_blocks,
    }
}

/// Blocks that write what is at positions which other launches find, in some cases of specs with such a kernel.
fn found_blocks(found: &mut Found, rng: &mut ChaCha8Rng) -> u32 {
    let has_kernel = found.writes_values;
    if !has_kernel || !rng.random_ratio(1, 4) {
        return 0;
    }
    found.writes_positions = true;
    rng.random_range(1..=3)
}

/// Where the kernel takes its sample of a row that is one chunk.
fn sampled(spec: &TopKSpec, columns: usize) -> Vec<usize> {
    let tile = spec.tile_items() as usize;
    let distance = columns / (tile / 8);
    (0..tile).map(|it| it / 8 * distance + it % 8).collect()
}

/// Where it takes a sample of some items of a row for its survivors.
fn sampled_of_row(items: usize, columns: usize) -> Vec<usize> {
    let distance = columns / (items / 4);
    let hash = |run: usize| (run as u32).wrapping_mul(0x9e37_79b1) as usize;
    let within = |run: usize| (hash(run) * (distance - 3)) >> 32;
    (0..items).map(|it| it / 4 * distance + within(it / 4) + it % 4).collect()
}

/// Exchanges keys of a row so that the first ones of all are where the kernel takes its sample, or the last ones. Then fewer than k keys
/// reach a limit that would let k of keys in random order pass, or all do. They do so in any tiles, the last one too.
fn move_to_sample(
    spec: &TopKSpec,
    task: &oracle::Task,
    row: &mut [u8],
    sampled: &[usize],
    are_first: bool,
) {
    let key_bytes = oracle::key_bytes(spec.key);
    let columns = row.len() / key_bytes;
    let mut offsets = sampled.to_vec();
    offsets.shuffle(&mut ChaCha8Rng::seed_from_u64(columns as u64));
    let mut is_sampled = vec![false; columns];
    for &it in sampled {
        is_sampled[it] = true;
    }
    // The very first one, or the very last, is in the last column, which is beyond groups of equal length.
    if !std::mem::replace(&mut is_sampled[columns - 1], true) {
        offsets.insert(0, columns - 1);
    }
    offsets.extend((0..columns).filter(|&it| !is_sampled[it]));
    if !are_first {
        offsets.reverse();
    }
    let sorted = oracle::gather(row, key_bytes, &oracle::permutation(task, row));
    for (key, offset) in sorted.chunks(key_bytes).zip(offsets) {
        row[offset * key_bytes..][..key_bytes].copy_from_slice(key);
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn a_spec_meets_chunks_gaps_and_grids_that_stride() {
        let spec: TopKSpec = "block_top_k_f32_b64_i2_desc".parse().expect("legal");
        let cases = of(&spec, 120, &mut ChaCha8Rng::seed_from_u64(3));
        let count = |of: &dyn Fn(&TopKCase) -> bool| cases.iter().filter(|it| of(it)).count();
        assert!(count(&|it| it.launches.chunks > 1) > 10);
        assert!(count(&|it| it.launches.groups > 1) > 3);
        assert!(count(&|it| it.stride as u64 > it.shape.columns) > 10);
        assert!(count(&|it| u64::from(it.launches.rows.blocks) < it.shape.rows) > 3);
        assert!(count(&|it| it.shape.columns >= 8 * 128) > 3);
        assert!(count(&|it| it.shape.k == spec.max_k()) > 2);
        assert!(count(&|it| it.ranked.is_some()) > 8 && count(&|it| it.listed.is_some()) > 12);
        assert!(count(&|it| it.is_sorted) > 10 && count(&|it| !it.is_sorted) > 10);
    }
}
