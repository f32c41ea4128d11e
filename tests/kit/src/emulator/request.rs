//! Requests to programs: the other sides of `driver.hpp`, `device_driver.hpp`, `gather_driver.hpp`, `top_k_driver.hpp` and
//! `segment_driver.hpp`.

use std::ops::Range;

use sortsmith_codegen::device::{DeviceSpec, Kernel, Launch, LaunchArgument, Scratch};
use sortsmith_codegen::gather::GatherLaunch;
use sortsmith_codegen::segments::SegmentLaunch;
use sortsmith_codegen::top_k::{TopKLaunches, TopKRows};

use super::build::kernels;

const BLOCK_MAGIC: u32 = u32::from_le_bytes(*b"ssrq");
const DEVICE_MAGIC: u32 = u32::from_le_bytes(*b"ssdq");
const GATHER_MAGIC: u32 = u32::from_le_bytes(*b"ssgq");
const TOP_K_MAGIC: u32 = u32::from_le_bytes(*b"sskq");
const SEGMENT_MAGIC: u32 = u32::from_le_bytes(*b"sspq");

/// A request as a program reads it, and how much it answers.
#[derive(Clone, Debug)]
pub struct Message {
    /// The request.
    pub bytes: Vec<u8>,
    /// Bytes of keys that come back.
    pub answered_keys: usize,
    /// Bytes of values that come back.
    pub answered_values: usize,
    /// Where the word is that has the flag for races, and the flag.
    races: (usize, u32),
}

impl Message {
    /// The same request, with races as faults. Sanitized programs do not know of any.
    #[must_use]
    pub fn detecting_races(mut self) -> Self {
        let (offset, flag) = self.races;
        for (byte, bits) in self.bytes[offset..].iter_mut().zip(flag.to_le_bytes()) {
            *byte |= bits;
        }
        self
    }
}

fn words(bytes: &mut Vec<u8>, words: &[u32]) {
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

fn long_words(bytes: &mut Vec<u8>, words: &[u64]) {
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

/// Flags as bits, the first one the lowest.
fn bits_of(flags: &[bool]) -> u32 {
    flags.iter().rev().fold(0, |bits, set| bits << 1 | u32::from(*set))
}

/// The member of a generated header to call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// `Sort`.
    Sort,
    /// `Sort…ToStriped`.
    SortToStriped,
    /// The tile kernel.
    TileKernel,
    /// The kernel of rows.
    RowsKernel,
}

/// The rows of an array, and the grid that sorts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RowsOfRequest {
    /// How many there are.
    pub rows: usize,
    /// Items of each.
    pub columns: usize,
    /// From the first item of one to that of the next.
    pub stride: usize,
    /// Blocks of the grid.
    pub blocks: u32,
    /// Whether positions alone are wanted.
    pub omits_keys: bool,
}

/// One run of one kernel.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The index of the header among the program's.
    pub member: usize,
    /// The call.
    pub entry: Entry,
    /// The bits, where they are passed.
    pub bits: Option<(u32, u32)>,
    /// Whether `n` is passed as the number of valid items.
    pub passes_valid: bool,
    /// Whether the outputs of a kernel of tiles or rows are its inputs.
    pub in_place: bool,
    /// The rows, where the kernel of rows is called.
    pub rows: RowsOfRequest,
    /// Items.
    pub n: usize,
    /// Decides the order of threads and all junk.
    pub seed: u64,
    /// The keys.
    pub keys: &'a [u8],
    /// The values; empty where none are read.
    pub values: &'a [u8],
    /// Bytes of a value that comes out.
    pub value_bytes: usize,
}

impl Request<'_> {
    /// The request as `driver.hpp` has it.
    pub fn message(&self) -> Message {
        let (begin, end) = self.bits.unwrap_or((0, 0));
        let RowsOfRequest { rows, columns, stride, blocks, omits_keys } = self.rows;
        let passes = [self.bits.is_some(), self.passes_valid, self.in_place, false, omits_keys];
        let flags = bits_of(&passes);
        let mut bytes = Vec::with_capacity(72 + self.keys.len() + self.values.len());
        words(&mut bytes, &[BLOCK_MAGIC, self.member as u32, self.entry as u32, begin, end, flags]);
        long_words(&mut bytes, &[self.n as u64, self.seed]);
        long_words(&mut bytes, &[rows, columns, stride].map(|it| it as u64));
        words(&mut bytes, &[blocks, 0]);
        bytes.extend(self.keys);
        bytes.extend(self.values);
        Message {
            bytes,
            answered_keys: if omits_keys { 0 } else { self.keys.len() },
            answered_values: self.n * self.value_bytes,
            races: (20, 8),
        }
    }
}

/// One device-wide sort.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a flag of the message
pub struct DeviceRequest<'a> {
    /// The index of the header among the program's.
    pub member: usize,
    /// Which sort.
    pub spec: DeviceSpec,
    /// The ordered bits that take part.
    pub bits: Range<u32>,
    /// Whether the outputs are the inputs.
    pub in_place: bool,
    /// Whether the keys are wanted.
    pub writes_keys: bool,
    /// Whether all arrays begin at a boundary of 16 bytes.
    pub aligned: bool,
    /// Whether keys and values lie side by side between passes.
    pub interleaves: bool,
    /// Columns of counters of the kernel that counts, as their logarithm.
    pub count_columns_log2: u32,
    /// What the counter of sorts begins with.
    pub sorts_before: u32,
    /// The launches.
    pub launches: &'a [Launch],
    /// The number of blocks that run concurrently, interleaved.
    pub blocks_at_once: u32,
    /// Rows, where the sort is of rows; else one.
    pub rows: u32,
    /// Items between two rows.
    pub gap: u32,
    /// Items of a row.
    pub n: usize,
    /// Decides the order of threads and all junk.
    pub seed: u64,
    /// The keys of all rows.
    pub keys: &'a [u8],
    /// The values; empty where none are read.
    pub values: &'a [u8],
}

impl DeviceRequest<'_> {
    /// The request as `device_driver.hpp` has it.
    pub fn message(&self) -> Message {
        let Self { spec, bits, blocks_at_once, launches, .. } = self;
        let flags = bits_of(&[
            self.in_place,
            self.writes_keys,
            spec.value.is_read(),
            self.interleaves,
            self.aligned,
        ]);
        let (n, value_bytes) = (self.n as u64, spec.value.bytes());
        let mut bytes = Vec::with_capacity(1024 + self.keys.len() + self.values.len());
        words(&mut bytes, &[DEVICE_MAGIC, self.member as u32, bits.start, bits.end]);
        words(&mut bytes, &[flags, *blocks_at_once, value_bytes, launches.len() as u32]);
        words(&mut bytes, &[self.count_columns_log2, self.sorts_before, self.rows, self.gap]);
        let Scratch { zeroed, workspace, .. } = spec.scratch(n, launches);
        long_words(&mut bytes, &[n, self.seed, zeroed, workspace]);
        let kernels: Vec<Kernel> = kernels(spec).collect();
        for Launch { kernel, argument, blocks, threads, shared_bytes } in launches.iter().copied() {
            // A kernel that the program does not have is none of the spec's, which the program says.
            let number = kernels.iter().position(|it| *it == kernel).unwrap_or(kernels.len());
            let argument = argument.map_or(0, LaunchArgument::number);
            words(&mut bytes, &[number as u32, argument, blocks, threads, shared_bytes]);
        }
        bytes.extend(self.keys);
        bytes.extend(self.values);
        Message {
            bytes,
            answered_keys: if self.writes_keys { self.keys.len() } else { 0 },
            answered_values: self.rows as usize * self.n * value_bytes as usize,
            races: (16, 32),
        }
    }
}

/// One gather.
#[derive(Clone, Copy, Debug)]
pub struct GatherRequest<'a> {
    /// The index of the header among the program's.
    pub member: usize,
    /// Bytes of an item.
    pub item_bytes: usize,
    /// The launches.
    pub launch: GatherLaunch,
    /// The number of blocks that run concurrently, interleaved.
    pub blocks_at_once: u32,
    /// Decides the order of threads and all junk.
    pub seed: u64,
    /// Which items.
    pub positions: &'a [u32],
    /// Out of these.
    pub items: &'a [u8],
}

impl GatherRequest<'_> {
    /// The request as `gather_driver.hpp` has it.
    pub fn message(&self) -> Message {
        let Self { member, item_bytes, launch, blocks_at_once, seed, positions, items } = *self;
        let (n, all) = (positions.len() as u64, (items.len() / item_bytes) as u64);
        let mut bytes = Vec::with_capacity(48 + 4 * positions.len() + items.len());
        words(&mut bytes, &[GATHER_MAGIC, member as u32, launch.blocks, launch.threads]);
        words(&mut bytes, &[blocks_at_once, 0]);
        long_words(&mut bytes, &[n, all, seed]);
        words(&mut bytes, positions);
        bytes.extend(items);
        let answered_values = positions.len() * item_bytes;
        Message { bytes, answered_keys: 0, answered_values, races: (20, 1) }
    }
}

/// One top-k of rows.
#[derive(Clone, Copy, Debug)]
pub struct TopKRequest<'a> {
    /// The index of the header among the program's.
    pub member: usize,
    /// Bytes of a key.
    pub key_bytes: usize,
    /// The launches.
    pub launches: TopKLaunches,
    /// The number of blocks that run concurrently, interleaved.
    pub blocks_at_once: u32,
    /// Rows, columns and k.
    pub shape: TopKRows,
    /// From the first key of a row to that of the next.
    pub stride: usize,
    /// Whether the items are wanted in the order of their keys.
    pub is_sorted: bool,
    /// Whether the keys are wanted.
    pub writes_keys: bool,
    /// Decides the order of threads and all junk.
    pub seed: u64,
    /// The keys of all rows, with the gaps between them.
    pub keys: &'a [u8],
}

impl TopKRequest<'_> {
    /// The request as `top_k_driver.hpp` has it.
    pub fn message(&self) -> Message {
        let Self { launches: TopKLaunches { chunks, rows: first, candidates }, shape, .. } = *self;
        let flags = bits_of(&[false, self.is_sorted, self.writes_keys]);
        let all = (self.keys.len() / self.key_bytes) as u64;
        let mut bytes = Vec::with_capacity(80 + self.keys.len());
        words(&mut bytes, &[TOP_K_MAGIC, self.member as u32, flags, self.blocks_at_once]);
        let candidate_blocks = candidates.map_or(0, |launch| launch.blocks);
        words(&mut bytes, &[first.blocks, candidate_blocks, first.threads, first.shared_bytes]);
        words(&mut bytes, &[chunks, shape.k]);
        long_words(&mut bytes, &[shape.rows, shape.columns, self.stride as u64, all, self.seed]);
        bytes.extend(self.keys);
        let found = shape.rows as usize * shape.k as usize;
        let answered_keys = if self.writes_keys { found * self.key_bytes } else { 0 };
        Message { bytes, answered_keys, answered_values: 4 * found, races: (8, 1) }
    }
}

/// One sort of segments.
#[derive(Clone, Copy, Debug)]
pub struct SegmentRequest<'a> {
    /// The index of the header among the program's.
    pub member: usize,
    /// The launches.
    pub launches: &'a [SegmentLaunch],
    /// The number of blocks that run concurrently, interleaved.
    pub blocks_at_once: u32,
    /// Bytes of an offset.
    pub offset_bytes: u32,
    /// Whether the offsets are begins, and then as many ends.
    pub has_ends: bool,
    /// Whether positions are those in the array.
    pub absolute_positions: bool,
    /// The ordered bits that take part.
    pub bits: (u32, u32),
    /// Items.
    pub n: usize,
    /// Segments.
    pub segments: usize,
    /// Bytes of workspace.
    pub workspace_bytes: u64,
    /// Items of alternate arrays.
    pub alternate_items: u64,
    /// Whether segments overlap, which makes a race of any order.
    pub overlaps: bool,
    /// Decides the order of threads and all junk.
    pub seed: u64,
    /// The keys.
    pub keys: &'a [u8],
    /// The values, or what is where positions go.
    pub values: &'a [u8],
    /// The offsets.
    pub offsets: &'a [u8],
}

impl SegmentRequest<'_> {
    /// The request as `segment_driver.hpp` has it.
    pub fn message(&self) -> Message {
        let Self { member, launches, blocks_at_once, keys, values, offsets, .. } = *self;
        let mut bytes = Vec::with_capacity(100 + keys.len() + values.len() + offsets.len());
        words(&mut bytes, &[SEGMENT_MAGIC, member as u32, launches.len() as u32, blocks_at_once]);
        let flags = [self.has_ends, self.absolute_positions].map(u32::from);
        words(&mut bytes, &[0, self.offset_bytes, flags[0], flags[1], self.bits.0, self.bits.1]);
        let lengths = [self.n, self.segments].map(|it| it as u64);
        long_words(&mut bytes, &[lengths[0], lengths[1], self.workspace_bytes]);
        long_words(&mut bytes, &[self.alternate_items, self.seed]);
        for launch in launches {
            let SegmentLaunch { kernel, round, blocks, threads, shared_bytes } = *launch;
            let round = round.unwrap_or(0);
            words(&mut bytes, &[kernel as u32, round, blocks, threads, shared_bytes]);
        }
        bytes.extend(keys);
        bytes.extend(values);
        bytes.extend(offsets);
        let (answered_keys, answered_values) = (keys.len(), values.len());
        Message { bytes, answered_keys, answered_values, races: (16, u32::from(!self.overlaps)) }
    }
}
