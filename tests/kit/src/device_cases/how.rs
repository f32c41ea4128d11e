//! The ways to sort an array.

use std::ops::Range;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::ValueType;
use sortsmith_codegen::device::{Device, DeviceSpec, Launch, LaunchArgument};

use super::ways::Ways;
use crate::emulator::CountOfRequest;
use crate::inputs;
use crate::oracle;

/// How many of the items, or of the rows, there are by a number in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Share {
    /// As many as the launches are for.
    #[default]
    All,
    /// More.
    More,
    /// None.
    None,
    /// All but the last one.
    AllButOne,
    /// As many of 2¹⁶.
    Part(u16),
}

/// The number in memory that says how many there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counted {
    /// How many.
    pub share: Share,
    /// Whether the number has 8 bytes, and not 4.
    pub is_wide: bool,
    /// Rows before the first one, of a sort of rows.
    pub rows_before: u32,
}

impl Counted {
    fn drawn(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Self {
        let share = match rng.random_range(0..12) {
            // What most cases are for asks for all items.
            0..=4 => Share::All,
            5 => Share::More,
            6 => Share::None,
            7 => Share::AllButOne,
            _ => Share::Part(rng.random()),
        };
        let rows_before = if spec.sorts_rows() { rng.random_range(0..3) } else { 0 };
        Self { share, is_wide: rng.random(), rows_before }
    }

    /// How many of as many there are.
    pub fn of(self, most: usize) -> usize {
        match self.share {
            Share::All | Share::More => most,
            Share::None => 0,
            Share::AllButOne => most.saturating_sub(1),
            Share::Part(part) => (most * usize::from(part)) >> 16,
        }
    }

    /// The number in memory.
    pub fn request(self, most: usize) -> CountOfRequest {
        let count = match self.share {
            Share::More if self.is_wide => 1 << 40,
            Share::More => u64::from(u32::MAX),
            _ => self.of(most) as u64 + u64::from(self.rows_before),
        };
        CountOfRequest { count, bytes: if self.is_wide { 8 } else { 4 } }
    }
}

/// How an array is sorted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct How {
    /// The ordered bits that take part.
    pub bits: Range<u32>,
    /// Whether the outputs are the inputs.
    pub in_place: bool,
    /// Whether the keys are wanted.
    pub writes_keys: bool,
    /// Whether all arrays begin at a boundary of 16 bytes, and not only end at the end of a page.
    pub aligned: bool,
    /// Ways that only the sort's family has.
    pub own: Ways,
    /// The seed of the positions of samples, where the sort or its launches take one; above its 32 bits the number of sorts before.
    pub seed: u64,
    /// The device that the launches are for.
    pub device: Device,
    /// The number of blocks that run concurrently, interleaved.
    pub blocks_at_once: u32,
    /// Rows, where the sort is of rows; else one.
    pub rows: u32,
    /// Items between two rows.
    pub gap: u32,
    /// How many there are, where the sort reads it.
    pub counted: Counted,
}

impl How {
    /// Items of a case of more than two rows, about.
    const ITEMS_OF_ROWS: usize = 8000;

    /// Shared memory of a block where there is room for all that a sort can use.
    pub(crate) const ROOM: u32 = 227 * 1024;

    /// From aligned arrays to others, digit by digit, on a device of one multiprocessor that has little shared memory.
    pub fn by_bits(bits: Range<u32>) -> Self {
        Self {
            bits,
            in_place: false,
            writes_keys: true,
            aligned: true,
            own: Ways::default(),
            seed: 0,
            device: Device { multiprocessors: 1, shared_bytes_per_block: 64 * 1024 },
            blocks_at_once: 1,
            rows: 1,
            gap: 0,
            counted: Counted::default(),
        }
    }

    /// Any way that the spec has, with these of its family.
    pub(super) fn drawn(spec: &DeviceSpec, own: Ways, rng: &mut ChaCha8Rng) -> Self {
        let (begin, end) = if spec.algorithm.takes_bits() {
            inputs::bit_range(spec.key, rng)
        } else {
            (0, oracle::describe(spec.key).1)
        };
        // Whether pairs of equal keys are the right ones, keys alone can tell.
        let may_want_values_alone = spec.value != ValueType::None && spec.is_stable();
        // In place, and not; with values also the sort that returns only them.
        let ways = if may_want_values_alone { 3 } else { 2 };
        let (in_place, writes_keys) = match rng.random_range(0..ways) {
            0 => (false, true),
            1 => (true, true),
            _ => (false, false),
        };
        Self {
            bits: begin..end,
            in_place,
            writes_keys,
            aligned: rng.random(),
            own,
            seed: 0,
            device: Device {
                multiprocessors: *[1, 2, 132].choose(rng).expect("not empty"),
                shared_bytes_per_block: *[64, 99, 227].choose(rng).expect("not empty") * 1024,
            },
            // Blocks that run side by side meet tiles that are still being worked on.
            blocks_at_once: *[1, 1, 2, 4, 8].choose(rng).expect("not empty"),
            rows: 1,
            gap: 0,
            counted: Counted::default(),
        }
        .sampling(spec, rng)
        .of_rows(spec, rng)
        .of_count(spec, rng)
    }

    /// The same with a count, where the sort reads one.
    fn of_count(mut self, spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Self {
        if spec.counted {
            self.counted = Counted::drawn(spec, rng);
        }
        self
    }

    /// The rows that are sorted, and the items of each, of n.
    pub fn sorted(&self, spec: &DeviceSpec, n: usize) -> [usize; 2] {
        let rows = self.rows as usize;
        match (spec.counted, spec.sorts_rows()) {
            (false, _) => [rows, n],
            (true, false) => [rows, self.counted.of(n)],
            (true, true) => [self.counted.of(rows), n],
        }
    }

    /// The same with rows, where the sort is of rows.
    fn of_rows(mut self, spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Self {
        if spec.sorts_rows() {
            self.rows = *[1, 2, 3, 5].choose(rng).expect("not empty");
            self.gap = *[0, 0, 1, 3, 16].choose(rng).expect("not empty");
        }
        self
    }

    /// Takes two rows, or as many as a small case has.
    pub(super) fn take_few_rows(&mut self, n: usize) {
        let most = (Self::ITEMS_OF_ROWS / n.max(1)).max(2);
        self.rows = self.rows.min(u32::try_from(most).unwrap_or(u32::MAX));
    }

    /// The same with a seed, where the spec takes one.
    fn sampling(mut self, spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Self {
        let launches = spec.launches(1, self.bits.clone(), self.device);
        let of_launch = |it: &Launch| matches!(it.argument, Some(LaunchArgument::Seed(_)));
        let of_sort = spec.argument_fields().iter().any(|it| it.name == "seed");
        if of_sort || launches.iter().any(of_launch) {
            self.seed = rng.random();
        }
        self
    }

    /// Takes all bits of a key.
    pub(crate) fn take_all_bits(&mut self, spec: &DeviceSpec) {
        self.bits = 0..oracle::describe(spec.key).1;
    }
}
