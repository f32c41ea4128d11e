//! The ways to sort an array.

use std::ops::Range;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::ValueType;
use sortsmith_codegen::device::{Device, DeviceSpec, Launch, LaunchArgument};

use crate::inputs;
use crate::oracle;
use crate::radix_facts::RadixFacts as _;

/// How an array is sorted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools)] // each is a way of its own
pub struct How {
    /// The ordered bits that take part.
    pub bits: Range<u32>,
    /// Whether the outputs are the inputs.
    pub in_place: bool,
    /// Whether the keys are wanted.
    pub writes_keys: bool,
    /// Whether all arrays begin at a boundary of 16 bytes, and not only end at the end of a page.
    pub aligned: bool,
    /// Whether keys and values may lie side by side between passes, where the sort has that.
    pub interleaves: bool,
    /// Whether the sort is a counting sort, where it can be one, however few there are.
    pub sorts_by_counting: bool,
    /// Whether the sort goes by MSD buckets, where it can, even for small n.
    pub sorts_msd_buckets: bool,
    /// The seed of the positions of samples, where the launches take one; above its 32 bits the number of sorts before.
    pub seed: u64,
    /// The device that the launches are for.
    pub device: Device,
    /// The number of blocks that run concurrently, interleaved.
    pub blocks_at_once: u32,
    /// Rows, where the sort is of rows; else one.
    pub rows: u32,
    /// Items between two rows.
    pub gap: u32,
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
            interleaves: false,
            sorts_by_counting: false,
            sorts_msd_buckets: false,
            seed: 0,
            device: Device { multiprocessors: 1, shared_bytes_per_block: 64 * 1024 },
            blocks_at_once: 1,
            rows: 1,
            gap: 0,
        }
    }

    /// Any way that the spec has.
    pub(super) fn drawn(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Self {
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
            interleaves: rng.random_ratio(3, 4),
            sorts_by_counting: rng.random(),
            sorts_msd_buckets: spec.sorts_msd_buckets() && rng.random_ratio(3, 4),
            seed: 0,
            device: Device {
                multiprocessors: *[1, 2, 132].choose(rng).expect("not empty"),
                shared_bytes_per_block: *[64, 99, 227].choose(rng).expect("not empty") * 1024,
            },
            // Blocks that run side by side meet tiles that are still being worked on.
            blocks_at_once: *[1, 1, 2, 4, 8].choose(rng).expect("not empty"),
            rows: 1,
            gap: 0,
        }
        .sampling(spec, rng)
        .of_rows(spec, rng)
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
        let takes_seed = |it: &Launch| matches!(it.argument, Some(LaunchArgument::Seed(_)));
        if launches.iter().any(takes_seed) {
            self.seed = rng.random();
        }
        self
    }

    /// Takes all bits of a key.
    pub(super) fn take_all_bits(&mut self, spec: &DeviceSpec) {
        self.bits = 0..oracle::describe(spec.key).1;
    }

    /// Takes what a counting sort needs, where this is to be one and the spec has it: all bits, and room for the histogram.
    pub(super) fn make_room_for_counting(&mut self, spec: &DeviceSpec) {
        if self.sorts_by_counting && spec.sorts_by_counting() {
            self.take_all_bits(spec);
            self.device.shared_bytes_per_block = Self::ROOM;
        }
    }
}
