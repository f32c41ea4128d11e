//! What the tests know of sorts of segments: their specs, and the cases of each: lengths at the edges of the classes, in any order, with
//! gaps and without, and the expected output.

mod shapes;

use std::collections::HashSet;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::device::Device;
use sortsmith_codegen::render::RenderError;
use sortsmith_codegen::segments::{
    self, Problem, SegmentFields, SegmentKernel, SegmentLaunch, SegmentSpec,
};
use sortsmith_codegen::{KernelArguments as _, KeyClass, KeyType, Order, Token as _, ValueType};

use crate::cases::first_difference;
use crate::emulator::{ArgumentTable, Member, Message, Outcome, long_words, words};
use crate::inputs::{self, Keys};
use crate::kernel_families::KernelFacts;
use crate::oracle::{self, Task};
use crate::subject::Subject;

use shapes::{Bounds, Counted, Lengths, Wild, segments_of};

/// The arguments of the kernels.
const ARGUMENTS: [ArgumentTable; 1] = [("", &segments::Arguments::FIELDS)];

const MAGIC: u32 = u32::from_le_bytes(*b"sspq");

/// Keys of all classes and widths, values of all widths, both orders and orders of NaNs, and shapes with all classes of segments.
const COVERING: [&str; 7] = [
    "segmented_merge_sort_u32_keys_b64_i6_asc",
    "segmented_merge_sort_f32_u32_b64_i1_desc",
    "segmented_merge_sort_f16_index_b128_i3_asc_nanlast",
    "segmented_merge_sort_i64_u128_b128_i2_desc",
    "segmented_merge_sort_u128_u8_b64_i2_asc",
    "segmented_merge_sort_f64_index_b64_i5_desc_nanlast",
    "segmented_merge_sort_bool_u16_b64_i4_asc",
];

impl KernelFacts for SegmentSpec {
    const FOLDER: &str = "segmented_merge_sort";

    fn covering_set() -> Vec<Self> {
        let spec = |name: &str| name.parse().unwrap_or_else(|error| panic!("{error}"));
        COVERING.into_iter().map(spec).collect()
    }

    /// With a tile that is small enough for an emulator.
    fn fresh(rng: &mut ChaCha8Rng) -> Self {
        let key = *KeyType::ALL.choose(rng).expect("not empty");
        let value = ValueType::table().choose(rng).expect("not empty").0;
        let threads = *[64, 128].choose(rng).expect("not empty");
        let order = if rng.random() { Order::Descending } else { Order::Ascending };
        let nan_last = key.info().class == KeyClass::Float && rng.random();
        let items = rng.random_range(1..=6);
        let fields = SegmentFields { key, value, threads, items, order, nan_last };
        fields.validate().unwrap_or_else(|error| panic!("{error}"))
    }

    /// The shapes that are used where none is named, of keys and values of all widths.
    fn compiled_set() -> Vec<Self> {
        // Networks have no order with NaNs last.
        let of = |(key, value), order: &Order| Self::of(key, value, *order, key != KeyType::F16);
        let types = [
            (KeyType::U32, ValueType::None),
            (KeyType::F32, ValueType::U32),
            (KeyType::F64, ValueType::Index),
            (KeyType::I128, ValueType::U128),
            (KeyType::U8, ValueType::U64),
            (KeyType::F16, ValueType::Index),
        ];
        let orders = [Order::Ascending, Order::Descending];
        types
            .into_iter()
            .zip(orders.iter().cycle())
            .map(|(types, order)| of(types, order))
            .collect()
    }

    fn symbols(&self) -> Vec<String> {
        SegmentKernel::ALL.map(|kernel| format!("{self}{}", kernel.suffix())).to_vec()
    }
}

impl Subject for SegmentSpec {
    type Case = SegmentCase;

    fn member(&self) -> Result<Member, RenderError> {
        Ok(Member::of_family((Self::FOLDER, &ARGUMENTS), self, segments::header(self)?))
    }

    fn marked_header(&self) -> Result<String, RenderError> {
        segments::marked_header(self)
    }

    fn cost(&self) -> u64 {
        u64::from(self.tile_items()) * TYPICAL_TILES * u64::from(self.items)
    }

    fn cases(&self, count: usize, rng: &mut ChaCha8Rng) -> Vec<SegmentCase> {
        of(self, count, rng)
    }

    fn message(&self, case: &SegmentCase, member: usize, seed: u64) -> Message {
        case.message(self, member, seed)
    }

    fn complaint(&self, case: &SegmentCase, outcome: &Outcome) -> Option<String> {
        outcome.complaint(|keys, values| {
            if case.lengths.overlap() {
                return case.foreign(self, keys, values);
            }
            first_difference("key", keys, &case.expected_keys, oracle::key_bytes(self.key)).or_else(
                || first_difference("value", values, &case.expected_values, value_bytes(self)),
            )
        })
    }
}

/// How many tiles a case sorts, as an average.
const TYPICAL_TILES: u64 = 4;

/// One case, all but the order of threads.
#[derive(Clone, Debug)]
pub struct SegmentCase {
    lengths: Lengths,
    kind: Keys,
    bits: (u32, u32),
    offset_bytes: u32,
    /// Whether offsets are signed, and may be negative past the end.
    signed_offsets: bool,
    bounds: Bounds,
    /// How many of the segments are sorted, and the bytes of that number.
    count: Option<(u64, u32)>,
    absolute_positions: bool,
    multiprocessors: u32,
    blocks_at_once: u32,
    /// Where segments begin and end. The end of the first items of an array may be past its end.
    segments: Vec<(u64, u64)>,
    n: usize,
    keys: Vec<u8>,
    values: Vec<u8>,
    expected_keys: Vec<u8>,
    expected_values: Vec<u8>,
}

impl SegmentCase {
    /// The request as `driver.hpp` has it.
    fn message(&self, spec: &SegmentSpec, member: usize, seed: u64) -> Message {
        let Self { keys, values, .. } = self;
        let (launches, offsets) = (self.launches(spec), self.offsets());
        let scratch = spec.scratch(self.problem());
        let alternate_items = scratch.keys / oracle::key_bytes(spec.key) as u64;
        let mut bytes = Vec::with_capacity(100 + keys.len() + values.len() + offsets.len());
        words(&mut bytes, &[MAGIC, member as u32, launches.len() as u32, self.blocks_at_once]);
        let positions = u32::from(self.absolute_positions);
        words(&mut bytes, &[0, self.offset_bytes, self.bounds.code(), positions]);
        let count_bytes = self.count.map_or(0, |(_, bytes)| bytes);
        words(&mut bytes, &[self.bits.0, self.bits.1, count_bytes, self.longest() as u32]);
        words(&mut bytes, &[u32::from(self.signed_offsets), 0]);
        long_words(&mut bytes, &[self.n as u64, self.segments.len() as u64, scratch.workspace]);
        let (columns, stride) = self.row();
        long_words(&mut bytes, &[alternate_items, seed, columns as u64, stride as u64]);
        for SegmentLaunch { kernel, round, blocks, threads, shared_bytes } in launches {
            let round = round.unwrap_or(0);
            words(&mut bytes, &[kernel as u32, round, blocks, threads, shared_bytes]);
        }
        bytes.extend(keys);
        bytes.extend(values);
        bytes.extend(offsets);
        if let Some((count, width)) = self.count {
            bytes.extend(count.to_le_bytes().into_iter().take(width as usize));
        }
        let (answered_keys, answered_values) = (keys.len(), values.len());
        // Overlapping segments race in any order of threads.
        let overlaps = self.lengths.overlap();
        Message { bytes, answered_keys, answered_values, races: (16, u32::from(!overlaps)) }
    }

    /// What the sort has made up: of overlapping segments too, every key and value is one of the array's, but that two threads may have
    /// written the halves of one of 16 bytes.
    fn foreign(&self, spec: &SegmentSpec, keys: &[u8], values: &[u8]) -> Option<String> {
        let is_position = |at: usize, value: &[u8]| {
            let stays = self.values.chunks_exact(4).nth(at) == Some(value);
            stays || oracle::raw_bits(value) < self.n as u128
        };
        if spec.value == ValueType::Index {
            let mut values = values.chunks_exact(4).enumerate();
            return values
                .find(|(at, value)| !is_position(*at, value))
                .map(|(at, value)| format!("item {at} has the position {value:?} of {}", self.n));
        }
        let columns = [
            ("key", &self.keys, keys, oracle::key_bytes(spec.key)),
            ("value", &self.values, values, value_bytes(spec)),
        ];
        columns.into_iter().filter(|(.., bytes)| (1..=8).contains(bytes)).find_map(
            |(what, before, after, bytes)| {
                let known: HashSet<&[u8]> = before.chunks_exact(bytes).collect();
                let at = after.chunks_exact(bytes).position(|it| !known.contains(it))?;
                Some(format!("{what} {at} is none of the array's"))
            },
        )
    }

    fn problem(&self) -> Problem {
        let (n, segments) = (self.n as u64, self.segments.len() as u64);
        let longest = self.longest() as u64;
        Problem { n, segments, longest, absolute_positions: self.absolute_positions }
    }

    /// The columns and the stride of rows.
    fn row(&self) -> (usize, usize) {
        match self.bounds {
            Bounds::Rows { columns, stride } => (columns, stride),
            _ => (0, 0),
        }
    }

    /// The most items of a segment, as far as the host knows.
    fn longest(&self) -> usize {
        match self.bounds {
            Bounds::Rows { columns, .. } => columns,
            _ => self.n,
        }
    }

    fn launches(&self, spec: &SegmentSpec) -> Vec<SegmentLaunch> {
        let device = Device { multiprocessors: self.multiprocessors, shared_bytes_per_block: 0 };
        let mut launches = spec.launches(self.problem(), device);
        // Few blocks go through long lists.
        for launch in &mut launches {
            launch.blocks = launch.blocks.min(self.multiprocessors);
        }
        launches
    }

    fn offsets(&self) -> Vec<u8> {
        let begins = self.segments.iter().map(|(begin, _)| *begin);
        let ends = self.segments.iter().map(|(_, end)| *end);
        let all: Vec<u64> = match self.bounds {
            Bounds::BeginsEnds => begins.chain(ends).collect(),
            Bounds::FirstItems => ends.collect(),
            Bounds::Rows { .. } => Vec::new(),
            Bounds::Offsets => {
                let first = self.segments.first().map_or(0, |(begin, _)| *begin);
                [first].into_iter().chain(ends).collect()
            }
        };
        let bytes = self.offset_bytes as usize;
        all.into_iter().flat_map(|it| it.to_le_bytes().into_iter().take(bytes)).collect()
    }
}

impl std::fmt::Display for SegmentCase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { lengths, kind, bits, n, segments, offset_bytes, multiprocessors, .. } = self;
        let count = self.count.map_or(String::new(), |(count, bytes)| {
            format!("counted by {count} of {bytes} bytes, ")
        });
        write!(
            f,
            "{lengths:?}: {} segments of {n} {kind:?} keys, {count}bits {}..{}, {:?} of {offset_bytes} bytes, {}{multiprocessors} \
             multiprocessors, {} blocks at once",
            segments.len(),
            bits.0,
            bits.1,
            self.bounds,
            if self.absolute_positions { "positions in the array, " } else { "" },
            self.blocks_at_once,
        )
    }
}

fn value_bytes(spec: &SegmentSpec) -> usize {
    if spec.value == ValueType::Index { 4 } else { spec.value.bytes() as usize }
}

/// `count` cases of a spec, all kinds of lengths in turn.
fn of(spec: &SegmentSpec, count: usize, rng: &mut ChaCha8Rng) -> Vec<SegmentCase> {
    let tile = spec.tile_items() as usize;
    let kinds = [
        Lengths::Edges,
        Lengths::One(5 * tile - 1),
        Lengths::PowerLaw,
        Lengths::LongOfWarps,
        Lengths::Short,
        Lengths::Rows(tile + 1, Counted::AllButOne),
        Lengths::First(3 * tile, Counted::AllButOne),
        Lengths::Wild(Wild::TooMany),
        Lengths::Rows(33, Counted::More),
        Lengths::First(2 * tile, Counted::Far),
        // More tiles than a warp has lanes.
        Lengths::One(if tile <= 128 { 40 * tile } else { 4 * tile + 1 }),
        Lengths::Edges,
        Lengths::One(2 * tile + 1),
        Lengths::Empty,
        Lengths::One(3 * tile),
        Lengths::Wild(Wild::OneTileTooMany),
        Lengths::Edges,
        Lengths::Tiny,
        Lengths::Rows(7, Counted::All),
        Lengths::First(tile, Counted::One),
        Lengths::Rows(2, Counted::Zero),
        Lengths::First(2 * tile + 1, Counted::All),
        Lengths::First(33, Counted::More),
        Lengths::Rows(tile, Counted::One),
        Lengths::First(40, Counted::Zero),
        Lengths::PowerLaw,
        Lengths::Wild(Wild::Anywhere),
        Lengths::Edges,
    ];
    (0..count).map(|number| case(spec, kinds[number % kinds.len()], number, rng)).collect()
}

fn case(spec: &SegmentSpec, lengths: Lengths, number: usize, rng: &mut ChaCha8Rng) -> SegmentCase {
    let (bounds, segments, n) = segments_of(spec, lengths, rng);
    let (most, offset_bytes) = (segments.len(), if rng.random() { 4 } else { 8 });
    let (count, offset_bytes) = match lengths {
        Lengths::Rows(_, counted) => (Some(counted.of(most, rng)), 4),
        Lengths::First(_, Counted::Far) => (None, 8),
        Lengths::First(..) => (None, offset_bytes),
        _ if rng.random_ratio(1, 4) => {
            let counted = Counted::ALL.choose(rng).expect("some");
            (Some(counted.of(most, rng)), offset_bytes)
        }
        _ => (None, offset_bytes),
    };
    // Equal keys show an unstable sort, and any others a wrong one; without values, keys that are equal in the bits of the sort.
    let kinds = Keys::all(spec.key);
    let (kind, bits) = match (lengths, number % 6) {
        (Lengths::One(_), 2 | 4) => (Keys::Uniform, (0, 1)),
        (_, 2) => (Keys::FewDistinct, inputs::bit_range(spec.key, rng)),
        (_, 5) => (*kinds.choose(rng).expect("some"), inputs::bit_range(spec.key, rng)),
        (_, 0 | 4) => (Keys::FewDistinct, (0, oracle::describe(spec.key).1)),
        _ => (*kinds.choose(rng).expect("some"), (0, oracle::describe(spec.key).1)),
    };
    let makes_positions = spec.value == ValueType::Index;
    let absolute_positions = makes_positions && rng.random();
    let keys = kind.generate(spec.key, n, rng);
    // Positions overwrite them.
    let values = inputs::values(value_bytes(spec), n, rng.random());
    let mut case = SegmentCase {
        lengths,
        kind,
        bits,
        offset_bytes,
        // A count of items is not.
        signed_offsets: number % 2 == 1 && bounds != Bounds::FirstItems,
        bounds,
        count,
        absolute_positions,
        multiprocessors: rng.random_range(1..=3),
        blocks_at_once: *[1, 2, 4].choose(rng).expect("not empty"),
        segments,
        n,
        expected_keys: Vec::new(),
        expected_values: Vec::new(),
        keys,
        values,
    };
    if !lengths.overlap() {
        (case.expected_keys, case.expected_values) = expected(spec, &case);
    }
    case
}

fn expected(spec: &SegmentSpec, case: &SegmentCase) -> (Vec<u8>, Vec<u8>) {
    let SegmentCase { bits, keys, values, n, .. } = case;
    let task = Task {
        key: spec.key,
        order: spec.order,
        begin_bit: bits.0,
        end_bit: bits.1,
        nan_last: spec.nan_last,
    };
    let key_bytes = oracle::key_bytes(spec.key);
    let mut sources: Vec<u32> = (0..*n as u32).collect();
    let mut positions = sources.clone();
    if !case.absolute_positions {
        let before = values.chunks_exact(4).map(|it| oracle::raw_bits(it) as u32);
        positions.iter_mut().zip(before).for_each(|(position, before)| *position = before);
    }
    let counted = case.count.map_or(case.segments.len(), |(count, _)| count as usize);
    for (begin, end) in case.segments.iter().take(counted) {
        let (begin, end) = (*begin as usize, (*end as usize).min(*n));
        let order = oracle::permutation(&task, &keys[begin * key_bytes..end * key_bytes]);
        for (at, from) in order.into_iter().enumerate() {
            sources[begin + at] = begin as u32 + from;
            positions[begin + at] =
                if case.absolute_positions { begin as u32 + from } else { from };
        }
    }
    if spec.value == ValueType::Index {
        // The keys are only read.
        return (keys.clone(), positions.iter().flat_map(|it| it.to_le_bytes()).collect());
    }
    let sorted_values = oracle::gather(values, value_bytes(spec), &sources);
    (oracle::gather(keys, key_bytes, &sources), sorted_values)
}
