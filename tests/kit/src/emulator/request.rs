//! Requests to programs: the other sides of `driver.hpp` and `device_driver.hpp`. That of a family's own driver is in the `facts.rs`
//! beside it.

use std::ops::Range;

use sortsmith_codegen::TileKernelKind;
use sortsmith_codegen::device::{DeviceSpec, Kernel, Launch, LaunchArgument, Scratch};

use super::source::kernels;

const BLOCK_MAGIC: u32 = u32::from_le_bytes(*b"ssrq");
const DEVICE_MAGIC: u32 = u32::from_le_bytes(*b"ssdq");

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
    pub(crate) races: (usize, u32),
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

/// Appends numbers of 4 bytes.
pub(crate) fn words(bytes: &mut Vec<u8>, words: &[u32]) {
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

/// Appends numbers of 8 bytes.
pub(crate) fn long_words(bytes: &mut Vec<u8>, words: &[u64]) {
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

/// Flags as bits, the first one the lowest.
pub(crate) fn bits_of(flags: &[bool]) -> u32 {
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
    /// The kernel of counted rows.
    CountedRowsKernel,
}

impl Entry {
    /// The kernel of the header, where it is no member.
    pub fn kernel(self) -> Option<TileKernelKind> {
        match self {
            Self::Sort | Self::SortToStriped => None,
            Self::TileKernel => Some(TileKernelKind::Tile),
            Self::RowsKernel => Some(TileKernelKind::Rows),
            Self::CountedRowsKernel => Some(TileKernelKind::CountedRows),
        }
    }

    /// Whether it is a kernel of rows, counted or not.
    pub fn is_of_rows(self) -> bool {
        matches!(self, Self::RowsKernel | Self::CountedRowsKernel)
    }
}

/// A number in memory that a kernel reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CountOfRequest {
    /// The number.
    pub count: u64,
    /// Its bytes: 4 or 8; 0 where there is none.
    pub bytes: u32,
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
    /// How many rows are sorted, or items of each, where the kernel reads it.
    pub count: CountOfRequest,
    /// Whether it is of items.
    pub counts_columns: bool,
}

impl RowsOfRequest {
    /// The rows that are sorted, and the items of each.
    pub fn sorted(&self) -> (usize, usize) {
        let Self { rows, columns, count: CountOfRequest { count, bytes }, counts_columns, .. } =
            *self;
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        match (bytes, counts_columns) {
            (0, _) => (rows, columns),
            (_, false) => (rows.min(count), columns),
            (_, true) => (rows, columns.min(count)),
        }
    }
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
        let RowsOfRequest { rows, columns, stride, blocks, omits_keys, .. } = self.rows;
        let (CountOfRequest { count, bytes: count_bytes }, counts_columns) =
            (self.rows.count, self.rows.counts_columns);
        let passes = [self.bits.is_some(), self.passes_valid, self.in_place, false, omits_keys];
        let flags = bits_of(&passes);
        let mut bytes = Vec::with_capacity(88 + self.keys.len() + self.values.len());
        words(&mut bytes, &[BLOCK_MAGIC, self.member as u32, self.entry as u32, begin, end, flags]);
        long_words(&mut bytes, &[self.n as u64, self.seed]);
        long_words(&mut bytes, &[rows, columns, stride].map(|it| it as u64));
        words(&mut bytes, &[blocks, count_bytes]);
        long_words(&mut bytes, &[count, u64::from(counts_columns)]);
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
    /// The arguments that only the family has.
    pub own: Vec<u32>,
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
    /// How many items, or rows, are sorted, where the sort reads it.
    pub count: CountOfRequest,
    /// Rows before the first one, where rows are counted.
    pub rows_before: u64,
    /// Items that are sorted, of all rows.
    pub sorted: usize,
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
            false,
            spec.sorts_rows(),
        ]);
        let (n, value_bytes) = (self.n as u64, spec.value.bytes());
        let mut bytes = Vec::with_capacity(1024 + self.keys.len() + self.values.len());
        words(&mut bytes, &[DEVICE_MAGIC, self.member as u32, bits.start, bits.end]);
        words(&mut bytes, &[flags, *blocks_at_once, value_bytes, launches.len() as u32]);
        words(&mut bytes, &[self.sorts_before, self.rows, self.gap, self.own.len() as u32]);
        let own = |number: usize| self.own.get(number).copied().unwrap_or_default();
        words(&mut bytes, &[own(0), own(1), own(2), self.count.bytes]);
        let Scratch { zeroed, workspace, .. } = spec.scratch(n, launches);
        long_words(&mut bytes, &[n, self.seed, zeroed, workspace]);
        long_words(&mut bytes, &[self.count.count, self.rows_before]);
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
            answered_keys: if self.writes_keys {
                self.sorted * spec.key.bytes() as usize
            } else {
                0
            },
            answered_values: self.sorted * value_bytes as usize,
            races: (16, 32),
        }
    }
}
