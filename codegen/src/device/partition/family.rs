//! The family's answers.

use std::ops::Range;

use super::check;
use super::launch::{self, Kernels};
use super::layout::{workspace_bytes, zeroed_bytes};
use super::plan::{MAX_ITEMS, PartitionPlan};
use super::{tuning, view};
use crate::contract::device::family::{self, DeviceFamily};
use crate::contract::device::launch::{Device, KernelBlock, Launch};
use crate::contract::device::passes::Passes;
use crate::contract::device::scratch::Scratch;
use crate::contract::device::shape::{BuiltInRow, Grid};
use crate::contract::device::spec::{DeviceFields, DeviceSpec, SharedBytes};
use crate::contract::render::RenderError;
use crate::contract::validate::DeviceSpecError;

/// `device_partition_sort`.
pub(crate) struct Partition;

impl DeviceFamily for Partition {
    fn check(&self, fields: &DeviceFields) -> Result<SharedBytes, DeviceSpecError> {
        check::check(fields).map(|storage| SharedBytes::of_one(storage.most()))
    }

    fn is_stable(&self, _: &DeviceSpec) -> bool {
        true
    }

    fn max_items(&self, _: &DeviceSpec) -> u64 {
        MAX_ITEMS
    }

    fn kernels(&self, spec: &DeviceSpec, _: Device) -> Vec<KernelBlock> {
        let all = Kernels::of(spec).all().into_iter();
        all.map(|it| KernelBlock { kernel: it.kernel, shared_bytes: it.shared_bytes }).collect()
    }

    fn launches(&self, spec: &DeviceSpec, n: u64, _: Range<u32>, device: Device) -> Vec<Launch> {
        launch::launches(spec, n, device)
    }

    fn scratch(&self, spec: &DeviceSpec, n: u64, _: &[Launch]) -> Scratch {
        let zeroed = zeroed_bytes(spec);
        Scratch { zeroed, ..Scratch::with_alternates(spec, n, workspace_bytes(spec, n)) }
    }

    fn scratch_peaks(&self, spec: &DeviceSpec, n: u64, _: Range<u32>, _: Device) -> Vec<u64> {
        vec![n, n.min(PartitionPlan::of(spec).one_level_items)]
    }

    fn passes(&self, _: &DeviceSpec, _: &[Launch], _: Range<u32>) -> Passes {
        Passes::none(
            "divided into buckets by one or two levels of splitters, each bucket sorted by a block",
        )
    }

    fn takes_seed(&self) -> bool {
        true
    }

    fn takes_bits(&self) -> bool {
        false
    }

    fn rows(&self) -> &'static [BuiltInRow] {
        &tuning::ROWS
    }

    fn grid(&self) -> Option<Grid> {
        Some(tuning::GRID)
    }

    fn marked_header(&self, spec: &DeviceSpec) -> Result<String, RenderError> {
        family::finished(spec, view::render(spec))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const H200: Device = Device { multiprocessors: 132, shared_bytes_per_block: 227 * 1024 };

    fn spec(name: &str) -> DeviceSpec {
        format!("device_partition_sort_{name}").parse().unwrap_or_else(|error| panic!("{error}"))
    }

    fn launched(spec: &DeviceSpec, n: u64) -> Vec<(&'static str, u32)> {
        let launches = spec.launches(n, 0..64, H200);
        launches.iter().map(|it| (it.kernel.suffix(), it.blocks)).collect()
    }

    #[test]
    fn more_items_have_two_levels() {
        let spec = spec("u64_u32_b512_i16_asc");
        let one_level = launched(&spec, 1 << 22);
        assert_eq!(
            one_level[..3],
            [("_samples", 1), ("_split", 512), ("_list_buckets", 1)],
            "{one_level:?}"
        );
        let two_levels = launched(&spec, (1 << 22) + 1);
        let of_levels = [
            ("_samples", 1),
            ("_split_parents", 513),
            ("_sum_pieces", 9),
            ("_scan_pieces", 1),
            ("_locate_pieces", 9),
            ("_parent_samples", 256),
            ("_split_buckets", 769),
            ("_list_buckets", 256),
        ];
        assert_eq!(two_levels[..8], of_levels);
        let behind = [
            ["_small_chunks", "_medium_chunks", "_large_chunks"].as_slice(),
            &["_small_merges", "_medium_merges", "_large_merges"],
            &["_equal_keys", "_oversized_buckets"],
        ]
        .concat();
        for launches in [&one_level[3..], &two_levels[8..]] {
            assert!(launches.iter().map(|it| it.0).eq(behind.iter().copied()), "{launches:?}");
        }
        assert_eq!(launched(&spec, 0), []);
    }

    #[test]
    fn a_seed_is_for_the_kernels_that_sample() {
        let spec = spec("u64_keys_b512_i16_asc");
        let arguments = |n, seed| {
            let launches = spec.launches(n, 0..64, H200).into_iter().map(|it| it.seeded(seed));
            let with_argument =
                launches.filter_map(|it| Some((it.kernel.suffix(), it.argument?.number())));
            with_argument.collect::<Vec<_>>()
        };
        assert_eq!(arguments(1000, 7), [("_samples", 7)]);
        assert_eq!(arguments((1 << 22) + 1, 9), [("_samples", 9), ("_parent_samples", 9)]);
        let radix: DeviceSpec = "device_radix_sort_u64_keys_b384_i24_asc".parse().expect("legal");
        let launches = radix.launches(1 << 20, 0..64, H200);
        assert!(launches.iter().all(|launch| launch.seeded(7) == *launch));
        assert!(spec.takes_seed() && !radix.takes_seed());
    }

    /// CUB's radix sort takes the alternate arrays too. What is beside them is the most, in proportion, just above one level.
    #[test]
    fn scratch_is_little_more_than_the_alternate_arrays() {
        for (name, bytes) in [("u64_keys_b512_i16_asc", 8), ("u64_u32_b512_i16_asc", 12)] {
            let spec = spec(name);
            let beside = |n: u64| {
                let scratch = spec.scratch(n, &spec.launches(n, 0..64, H200));
                // Each array is rounded up.
                assert!((bytes * n..bytes * n + 32).contains(&scratch.alternate));
                scratch.workspace as f64 / scratch.alternate as f64
            };
            for n in [1 << 20, 1 << 22, (1 << 25) + 1, 1 << 28, 1 << 30] {
                assert!(beside(n) < 0.053, "{name}, {n}: {}", beside(n));
            }
            for n in [(1 << 22) + 1, 3 << 22, 1 << 24] {
                assert!(beside(n) < 0.093, "{name}, {n}: {}", beside(n));
            }
        }
    }

    #[test]
    fn what_no_partition_has_is_refused_by_its_name() {
        let error = |name: &str| {
            let name = format!("device_partition_sort_{name}");
            name.parse::<DeviceSpec>().expect_err("not legal").to_string()
        };
        assert!(error("u64_keys_b96_i4_asc").contains("a power of two from 64 to 512"));
        assert!(error("u64_keys_b512_i17_asc").contains("tile = 8704 items"));
        assert!(error("u32_keys_b512_i16_asc").contains("key = u32 is not legal; legal: "));
        assert!(error("u64_u128_b512_i16_asc").contains("value = u128 is not legal"));
        assert!(error("u64_keys_b512_i16_asc_wide").contains("wide = true"));
        assert!(error("u64_keys_b512_i16_asc_nanlast").contains("nanlast = true"));
    }
}
