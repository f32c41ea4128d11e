//! Which binned argsort takes how many bins on which device.

use super::launch::{BinnedLaunches, BinnedRows};
use super::spec::{BinnedFields, BinnedSpec};
use crate::types::KeyType;

/// A binned argsort, and not how it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BinnedTask {
    /// The type of the keys: an integer of up to 64 bits.
    pub key: KeyType,
    /// Bins: 1 to [`MAX_BINS`](super::MAX_BINS).
    pub bins: u32,
}

/// The fewest bits that kernels are made for: fewer bins take these too.
const MIN_BITS: u32 = 3;

/// Blocks for each multiprocessor from which on short rows have small blocks, of which several are resident.
const MANY_ROWS: u64 = 2;

/// Items of a thread where each block has few: kernels with more items have more instructions, which each launch loads.
const SHORT_ITEMS: u32 = 4;

/// The specs of a task.
struct Specs {
    /// For any rows.
    large: BinnedSpec,
    /// For rows or chunks that its tile holds, if it is another one.
    short: Option<BinnedSpec>,
    /// For many short rows, likewise.
    small: Option<BinnedSpec>,
}

impl BinnedTask {
    /// The spec for this number of rows and of columns, or none where no block has the shared memory for the bins.
    pub fn spec(
        self,
        rows: u64,
        columns: u64,
        multiprocessors: u32,
        shared_bytes_per_block: u32,
    ) -> Option<BinnedSpec> {
        let Specs { large, short, small } = self.all_specs(shared_bytes_per_block)?;
        let are_many = rows >= MANY_ROWS * u64::from(multiprocessors);
        if let Some(small) = small.filter(|it| are_many && columns <= u64::from(it.tile_items())) {
            return Some(small);
        }
        let of_block = match large.launches(BinnedRows { rows, columns }, multiprocessors) {
            Some(BinnedLaunches::AtOnce { chunks, .. }) => chunks.columns,
            _ => columns,
        };
        Some(short.filter(|it| of_block <= u64::from(it.tile_items())).unwrap_or(large))
    }

    /// All that [`Self::spec`] may be.
    pub fn specs(self, shared_bytes_per_block: u32) -> Vec<BinnedSpec> {
        let specs = self.all_specs(shared_bytes_per_block);
        specs.map_or_else(Vec::new, |Specs { large, short, small }| {
            [Some(large), short, small].into_iter().flatten().collect()
        })
    }

    fn all_specs(self, shared_bytes_per_block: u32) -> Option<Specs> {
        let bits = self.bins.max(1).next_power_of_two().ilog2().max(MIN_BITS);
        let least_threads = ((1 << bits) + 1u32).next_multiple_of(32).max(128);
        let legal = |shapes: &[(u32, u32)]| {
            let spec = |(threads, items): (u32, u32)| {
                let fields = BinnedFields { key: self.key, threads, items, bits };
                fields.validate().ok().filter(|it| it.shared_bytes() <= shared_bytes_per_block)
            };
            shapes.iter().copied().find_map(spec)
        };
        let large_threads = least_threads.max(512);
        let large = legal(&[16, 8, 4].map(|items| (large_threads, items)))?;
        let other = |shape| legal(&[shape]).filter(|it| *it != large);
        Some(Specs {
            large,
            short: other((large_threads, SHORT_ITEMS)),
            small: other((least_threads, 8)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::spec::MAX_BINS;
    use super::*;

    #[test]
    fn many_short_rows_have_small_blocks() {
        let name = |bins, rows, columns, shared_bytes| {
            let task = BinnedTask { key: KeyType::U32, bins };
            task.spec(rows, columns, 132, shared_bytes).map(|spec| spec.to_string())
        };
        let (sm_75, sm_90) = (64 << 10, 227 << 10);
        let named = |text: &str| Some(format!("binned_argsort_u32_{text}"));
        assert_eq!(name(256, 1, 1 << 20, sm_90), named("b512_i16_r8"));
        assert_eq!(name(256, 1, 1 << 16, sm_90), named("b512_i4_r8"));
        assert_eq!(name(256, 1, 1 << 19, sm_90), named("b512_i16_r8"));
        assert_eq!(name(256, 64, 128, sm_90), named("b512_i4_r8"));
        assert_eq!(name(256, 64, 4096, sm_90), named("b512_i16_r8"));
        assert_eq!(name(256, 4096, 128, sm_90), named("b288_i8_r8"));
        assert_eq!(name(256, 4096, 4096, sm_90), named("b512_i16_r8"));
        assert_eq!(name(257, 1, 1 << 20, sm_90), named("b544_i16_r9"));
        assert_eq!(name(1, 4096, 128, sm_90), named("b128_i8_r3"));
        assert_eq!(name(64, 1, 1 << 20, sm_75), named("b512_i16_r6"));
        assert_eq!(name(256, 1, 1 << 20, sm_75), named("b512_i16_r8"));
        assert_eq!(name(512, 1, 1 << 20, sm_75), named("b544_i8_r9"));
        assert_eq!(name(512, 1, 1 << 20, 1 << 10), None);
    }

    #[test]
    fn every_device_has_kernels_for_every_number_of_bins() {
        for arch in crate::Arch::all() {
            for bins in 1..=MAX_BINS {
                let task = BinnedTask { key: KeyType::I64, bins };
                let specs = task.specs(arch.max_shared_bytes());
                assert!(!specs.is_empty() && specs.iter().all(|it| it.max_bins() >= bins));
            }
        }
    }
}
