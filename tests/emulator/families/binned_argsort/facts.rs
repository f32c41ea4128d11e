//! What the tests know of binned argsorts: specs, and the cases of one: rows, launches, and the expected output.

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::KernelArguments as _;
use sortsmith_codegen::KeyType;
use sortsmith_codegen::binned_argsort::{
    self, BinnedFields, BinnedKernel, BinnedRows, BinnedSpec, Chunks, Exchange,
};
use sortsmith_codegen::render::RenderError;

use crate::cases::first_difference;
use crate::emulator::{ArgumentTable, Member, Message, Outcome, long_words, words};
use crate::kernel_families::KernelFacts;
use crate::oracle;
use crate::subject::Subject;

/// The arguments of the kernels.
const ARGUMENTS: [ArgumentTable; 4] = [
    ("_rows", &binned_argsort::RowsArguments::FIELDS),
    ("_count", &binned_argsort::CountArguments::FIELDS),
    ("_rank", &binned_argsort::RankArguments::FIELDS),
    ("_chunks", &binned_argsort::ChunksArguments::FIELDS),
];

const MAGIC: u32 = u32::from_le_bytes(*b"ssqb");

/// The types of keys.
const KEYS: [KeyType; 8] = [
    KeyType::U32,
    KeyType::I64,
    KeyType::U8,
    KeyType::I16,
    KeyType::U64,
    KeyType::I32,
    KeyType::U16,
    KeyType::I8,
];

impl KernelFacts for BinnedSpec {
    const FOLDER: &str = "binned_argsort";

    /// All types of keys, one warp and several, one item a thread and more, and one bin to hundreds.
    fn covering_set() -> Vec<Self> {
        let shapes = [
            (64, 2, 5),
            (32, 4, 3),
            (96, 1, 6),
            (32, 1, 1),
            (160, 2, 7),
            (64, 3, 4),
            (288, 1, 8),
            (96, 4, 2),
        ];
        let fields = KEYS.into_iter().zip(shapes);
        fields.map(|(key, (threads, items, bits))| legal(key, threads, items, bits)).collect()
    }

    /// One with a tile that is small enough for an emulator.
    fn fresh(rng: &mut ChaCha8Rng) -> Self {
        let key = *KEYS.choose(rng).expect("not empty");
        let bits = rng.random_range(1..=7);
        let least = ((1u32 << bits) + 1).div_ceil(32);
        let threads = 32 * rng.random_range(least..=least.max(4));
        legal(key, threads, rng.random_range(1..=5), bits)
    }

    /// The specs that the runtime chooses most, of all widths of keys.
    fn compiled_set() -> Vec<Self> {
        let names = [
            "binned_argsort_u32_b512_i16_r8",
            "binned_argsort_u8_b512_i16_r8",
            "binned_argsort_i64_b544_i16_r9",
            "binned_argsort_i32_b288_i8_r8",
            "binned_argsort_u16_b544_i8_r9",
            "binned_argsort_u64_b128_i8_r6",
        ];
        names.map(|name| name.parse().unwrap_or_else(|error| panic!("{error}"))).to_vec()
    }

    fn symbols(&self) -> Vec<String> {
        BinnedKernel::ALL.map(|kernel| format!("{self}{}", kernel.suffix())).to_vec()
    }
}

fn legal(key: KeyType, threads: u32, items: u32, bits: u32) -> BinnedSpec {
    let fields = BinnedFields { key, threads, items, bits };
    fields.validate().unwrap_or_else(|error| panic!("{error}"))
}

impl Subject for BinnedSpec {
    type Case = BinnedCase;

    fn member(&self) -> Result<Member, RenderError> {
        Ok(Member::of_family((Self::FOLDER, &ARGUMENTS), self, binned_argsort::header(self)?))
    }

    fn marked_header(&self) -> Result<String, RenderError> {
        binned_argsort::marked_header(self)
    }

    fn cost(&self) -> u64 {
        u64::from(self.tile_items()) * TYPICAL_TILES
    }

    fn cases(&self, count: usize, rng: &mut ChaCha8Rng) -> Vec<BinnedCase> {
        of(self, count, rng)
    }

    fn message(&self, case: &BinnedCase, member: usize, seed: u64) -> Message {
        case.message(self, member, seed)
    }

    fn complaint(&self, case: &BinnedCase, outcome: &Outcome) -> Option<String> {
        outcome.complaint(|_, values| {
            let (positions, offsets) = values.split_at(case.expected_positions.len());
            first_difference("offset", offsets, &case.expected_offsets, 4)
                .or_else(|| first_difference("position", positions, &case.expected_positions, 4))
        })
    }
}

/// How many tiles a case has, as an average.
const TYPICAL_TILES: u64 = 6;

/// How keys are distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ids {
    /// All bins alike.
    Uniform,
    /// The first bins most.
    Skewed,
    /// One bin.
    AllEqual,
    /// Bin after bin.
    Ascending,
    /// Half of them in no bin: greater ones, and negative ones where there are.
    SomeInNone,
    /// Any bits of the type.
    AnyBits,
    /// None in a bin.
    AllInNone,
}

const ALL_IDS: [Ids; 7] = [
    Ids::Uniform,
    Ids::SomeInNone,
    Ids::Skewed,
    Ids::AllEqual,
    Ids::Ascending,
    Ids::AnyBits,
    Ids::AllInNone,
];

impl Ids {
    /// The i-th of n keys, as bits of the type.
    fn key(self, (i, n): (usize, usize), bins: u32, rng: &mut ChaCha8Rng) -> u64 {
        let uniform = |rng: &mut ChaCha8Rng| u64::from(rng.random_range(0..bins));
        let outside = |rng: &mut ChaCha8Rng| {
            let choices = [u64::from(bins), u64::MAX, 1 << 63, 1 << 31, u64::from(bins) + 1];
            *choices.choose(rng).expect("not empty")
        };
        match self {
            Self::Uniform => uniform(rng),
            Self::Skewed => (f64::from(bins) * rng.random::<f64>().powi(5)) as u64,
            Self::AllEqual => u64::from(bins / 2),
            Self::Ascending => (i as u64 * u64::from(bins)) / n as u64,
            Self::SomeInNone if rng.random() => uniform(rng),
            Self::SomeInNone | Self::AllInNone => outside(rng),
            Self::AnyBits => rng.random(),
        }
    }
}

/// One case, all but the order of threads.
#[derive(Clone, Debug)]
pub struct BinnedCase {
    ids: Ids,
    shape: BinnedRows,
    bins: u32,
    /// From the first key of a row to that of the next.
    stride: usize,
    /// How rows are split; none where a block sorts a row.
    chunks: Option<Chunks>,
    /// Bytes of a count of a chunk; none where the blocks of one launch publish them.
    count_bytes: u32,
    /// How they do.
    exchange: Option<Exchange>,
    /// As many as the host launches; fewer where there are no chunks.
    blocks: u32,
    /// The number of blocks that run concurrently, interleaved.
    blocks_at_once: u32,
    /// The keys of all rows, with the gaps between them.
    keys: Vec<u8>,
    expected_positions: Vec<u8>,
    expected_offsets: Vec<u8>,
}

impl BinnedCase {
    /// The request as `driver.hpp` has it.
    fn message(&self, spec: &BinnedSpec, member: usize, seed: u64) -> Message {
        let Self { shape: BinnedRows { rows, columns }, chunks, .. } = self;
        let all = (self.keys.len() / oracle::key_bytes(spec.key)) as u64;
        let mut bytes = Vec::with_capacity(104 + self.keys.len());
        words(&mut bytes, &[MAGIC, member as u32, 0, self.blocks_at_once]);
        words(&mut bytes, &[self.blocks, spec.threads, spec.shared_bytes()]);
        let count = chunks.map_or(0, |it| it.count);
        words(&mut bytes, &[count, self.count_bytes, self.bins]);
        let how = self.exchange.map_or([0; 3], |it| [it.capacity, it.group_bits, it.polls]);
        words(&mut bytes, &how);
        words(&mut bytes, &[0]);
        let chunk_columns = chunks.map_or(0, |it| it.columns);
        let numbers = [*rows, *columns, self.stride as u64, chunk_columns, all, seed];
        long_words(&mut bytes, &numbers);
        bytes.extend(&self.keys);
        let answered_values = self.expected_positions.len() + self.expected_offsets.len();
        Message { bytes, answered_keys: 0, answered_values, races: (8, 1) }
    }
}

impl std::fmt::Display for BinnedCase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { ids, shape, bins, stride, chunks, count_bytes, exchange, blocks, .. } = self;
        let BinnedRows { rows, columns } = shape;
        write!(f, "{rows} rows of {columns} {ids:?} keys, {stride} apart, in {bins} bins, ")?;
        if let Some(Chunks { count, columns }) = chunks {
            write!(f, "{count} chunks of {columns} with counts of {count_bytes} bytes, ")?;
        }
        if let Some(exchange) = exchange {
            write!(f, "{exchange:?}, ")?;
        }
        write!(f, "{blocks} blocks, {} at once", self.blocks_at_once)
    }
}

/// `count` cases of a spec: columns at the limits of rows of warps and of tiles, and between them.
fn of(spec: &BinnedSpec, count: usize, rng: &mut ChaCha8Rng) -> Vec<BinnedCase> {
    let (threads, tile) = (spec.threads as usize, spec.tile_items() as usize);
    let edges = [threads, tile, 2 * tile, 3 * tile].into_iter().flat_map(|at| [at - 1, at, at + 1]);
    let mut columns: Vec<usize> = edges.chain([0, 1, 31, 33]).collect();
    columns.extend((0..8).map(|_| rng.random_range(1..=8 * tile)));
    columns.shuffle(rng);
    let case = |number: usize| {
        // Long rows of every distribution are split.
        let long = rng.random_range(2 * tile..=8 * tile);
        let columns =
            if number.is_multiple_of(2) { long } else { columns[number / 2 % columns.len()] };
        case(spec, ALL_IDS[number / 2 % ALL_IDS.len()], columns, rng)
    };
    (0..count).map(case).collect()
}

fn case(spec: &BinnedSpec, ids: Ids, columns: usize, rng: &mut ChaCha8Rng) -> BinnedCase {
    let key_bytes = oracle::key_bytes(spec.key);
    let most = spec.max_bins();
    let any = rng.random_range(1..=most);
    let bins = *[most, most, (most - 1).max(1), any, 1].choose(rng).expect("not empty");
    let most_rows = 1 + (2 * spec.tile_items() as usize / columns.max(1)).min(5);
    let rows = rng.random_range(1..=most_rows);
    let stride = columns + if rng.random() { 0 } else { rng.random_range(1..=9) };
    let n = (rows - 1) * stride + columns;
    let numbers: Vec<u64> = (0..n).map(|i| ids.key((i, n), bins, rng)).collect();
    let keys: Vec<u8> =
        numbers.iter().flat_map(|key| key.to_le_bytes().into_iter().take(key_bytes)).collect();
    let (mut expected_positions, mut expected_offsets) = (Vec::new(), Vec::new());
    for row in 0..rows {
        let keys = &keys[row * stride * key_bytes..][..columns * key_bytes];
        let (positions, offsets) = sorted(spec.key, keys, bins);
        expected_positions.extend(positions.iter().flat_map(|it| it.to_le_bytes()));
        expected_offsets.extend(offsets.iter().flat_map(|it| it.to_le_bytes()));
    }
    let shape = BinnedRows { rows: rows as u64, columns: columns as u64 };
    let chunks = chunks(spec, shape, rng);
    let blocks = match chunks {
        Some(chunks) => rows as u32 * chunks.count,
        None if rng.random() => rows as u32,
        None => rng.random_range(1..=rows as u32),
    };
    let exchange = chunks.and_then(|chunks| exchange(spec, shape, chunks, rng));
    let least_bytes = chunks.filter(|_| exchange.is_none()).map_or(0, Chunks::count_bytes);
    let blocks_at_once = match exchange {
        // Every block is there, so that none may give up.
        Some(Exchange { polls: u32::MAX, .. }) => blocks,
        _ => *[1, 2, 4].choose(rng).expect("not empty"),
    };
    BinnedCase {
        ids,
        shape,
        bins,
        stride,
        chunks,
        count_bytes: if least_bytes == 2 && rng.random() { 4 } else { least_bytes },
        blocks,
        exchange,
        blocks_at_once,
        keys,
        expected_positions,
        expected_offsets,
    }
}

/// The host's chunks on a small device, or others, of which some may have no columns; some are tiles at most.
fn chunks(spec: &BinnedSpec, shape: BinnedRows, rng: &mut ChaCha8Rng) -> Option<Chunks> {
    if rng.random_ratio(1, 3) {
        let launches = spec.launches(shape, rng.random_range(1..=8))?;
        return launches.chunks();
    }
    let tile = u64::from(spec.tile_items());
    let least = if rng.random() { 1 } else { shape.columns.div_ceil(tile).max(1) };
    let count = least + rng.random_range(0..=5);
    let columns = shape.columns.div_ceil(count) + if rng.random() { 0 } else { 7 };
    rng.random_ratio(4, 5).then_some(Chunks { count: count as u32, columns: columns.max(1) })
}

/// How blocks publish the counts of chunks, if these are tiles: in time, or too late for blocks that poll a few times.
fn exchange(
    spec: &BinnedSpec,
    shape: BinnedRows,
    chunks: Chunks,
    rng: &mut ChaCha8Rng,
) -> Option<Exchange> {
    if chunks.columns > u64::from(spec.tile_items()) || rng.random_ratio(1, 4) {
        return None;
    }
    let group_bits = *[0, 1, 2, 4].choose(rng).expect("not empty");
    let is_small = shape.rows * u64::from(chunks.count) <= 12;
    let polls = if is_small && rng.random() { u32::MAX } else { rng.random_range(0..=12) };
    let exchange = Exchange { capacity: 0, group_bits, polls };
    let words = exchange.words(spec, shape.rows, chunks) as u32;
    Some(Exchange { capacity: words + if rng.random() { 0 } else { 5 }, ..exchange })
}

/// The positions of a row and the offsets of its bins: by a list for each bin.
fn sorted(key: KeyType, keys: &[u8], bins: u32) -> (Vec<u32>, Vec<u32>) {
    let is_signed = matches!(key, KeyType::I8 | KeyType::I16 | KeyType::I32 | KeyType::I64);
    let mut lists = vec![Vec::new(); bins as usize + 1];
    for (position, key) in keys.chunks(oracle::key_bytes(key)).enumerate() {
        let number = oracle::raw_bits(key);
        let is_negative = is_signed && key.last().is_some_and(|byte| *byte >= 0x80);
        let is_in_bin = !is_negative && number < u128::from(bins);
        lists[if is_in_bin { number as usize } else { bins as usize }].push(position as u32);
    }
    let before = |bin: usize| lists[..bin].iter().map(Vec::len).sum::<usize>() as u32;
    let offsets = (0..=bins as usize).map(before).collect();
    (lists.concat(), offsets)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn a_spec_meets_chunks_gaps_and_grids_that_stride() {
        let spec: BinnedSpec = "binned_argsort_u32_b64_i2_r5".parse().expect("legal");
        let cases = of(&spec, 240, &mut ChaCha8Rng::seed_from_u64(3));
        let count = |of: &dyn Fn(&BinnedCase) -> bool| cases.iter().filter(|it| of(it)).count();
        assert!(count(&|it| it.chunks.is_some()) > 20);
        assert!(count(&|it| it.chunks.is_some_and(|it| it.columns > 128)) > 5);
        assert!(count(&|it| it.chunks.is_none() && it.shape.columns > 128) > 5);
        assert!(count(&|it| it.chunks.is_none() && u64::from(it.blocks) < it.shape.rows) > 3);
        assert!(count(&|it| it.count_bytes == 2) > 5 && count(&|it| it.count_bytes == 4) > 5);
        assert!(count(&|it| it.stride as u64 > it.shape.columns) > 10);
        assert!(count(&|it| it.bins == 32) > 10 && count(&|it| it.bins < 31) > 10);
        let with =
            |of: &dyn Fn(&Exchange) -> bool| count(&|it| it.exchange.is_some_and(|it| of(&it)));
        assert!(with(&|it| it.polls == 0) > 2 && with(&|it| it.polls == u32::MAX) > 10);
        let groups = |it: &BinnedCase| {
            let chunks = it.chunks.map_or(0, |it| it.count);
            it.exchange.map_or(0, |it| chunks.div_ceil(1 << it.group_bits))
        };
        assert!(count(&|it| groups(it) == 1) > 10 && count(&|it| groups(it) > 2) > 10);
        for ids in ALL_IDS {
            assert!(count(&|it| it.ids == ids) > 5, "{ids:?}");
        }
    }

    #[test]
    fn negative_and_great_keys_are_in_no_bin() {
        let keys: Vec<u8> = [2i16, -1, 0, 300, 2].iter().flat_map(|it| it.to_le_bytes()).collect();
        let (positions, offsets) = sorted(KeyType::I16, &keys, 3);
        assert_eq!((positions, offsets), (vec![2, 0, 4, 1, 3], vec![0, 1, 1, 3]));
    }
}
