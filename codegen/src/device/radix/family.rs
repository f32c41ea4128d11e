//! The family's answers.

use std::ops::Range;

use super::arguments::OwnArguments;
use super::counting::HISTOGRAM_SHARED_BYTES;
use super::spec::RadixSort;
use super::{tuning, view};
use crate::contract::arguments::{ArgumentField, KernelArguments as _};
use crate::contract::device::arguments::Arguments;
use crate::contract::device::family::{self, DeviceFamily};
use crate::contract::device::launch::{Device, KernelBlock, Launch};
use crate::contract::device::passes::{FirstPhase, Passes, PhaseEnd};
use crate::contract::device::scratch::Scratch;
use crate::contract::device::shape::{BuiltInRow, Grid};
use crate::contract::device::spec::{DeviceFields, DeviceSpec, SharedBytes};
use crate::contract::render::RenderError;
use crate::contract::validate::DeviceSpecError;

/// `device_radix_sort`.
pub(crate) struct Radix;

fn sort(spec: &DeviceSpec) -> RadixSort {
    RadixSort::of_fields(spec.fields())
}

impl DeviceFamily for Radix {
    fn check(&self, fields: &DeviceFields) -> Result<SharedBytes, DeviceSpecError> {
        RadixSort::of_fields(*fields).check()
    }

    fn is_stable(&self, _: &DeviceSpec) -> bool {
        true
    }

    fn max_items(&self, spec: &DeviceSpec) -> u64 {
        sort(spec).max_items()
    }

    fn kernels(&self, spec: &DeviceSpec, device: Device) -> Vec<KernelBlock> {
        let sort = sort(spec);
        let mut kernels = vec![
            (RadixSort::COUNT, sort.count_shared_bytes(device)),
            (RadixSort::PLAN, 0),
            (RadixSort::PASS, spec.shared_bytes()),
            (RadixSort::FINISH, 0),
        ];
        if sort.fixes_up_ties() {
            kernels.push((RadixSort::FIX_UP, 0));
        }
        if sort.sorts_msd_buckets() {
            let shared_bytes = sort.msd_bucket_shared_bytes();
            kernels.extend([
                (RadixSort::BUCKET_OFFSETS, 0),
                (RadixSort::MSD_BUCKETS, shared_bytes),
                (RadixSort::COUNT_OVERFLOW, 0),
                (RadixSort::GATHER_OVERFLOW, 0),
            ]);
        }
        if sort.has_key_histogram() {
            kernels.extend([(RadixSort::HISTOGRAM, HISTOGRAM_SHARED_BYTES), (RadixSort::SCAN, 0)]);
        }
        if sort.sorts_by_counting() {
            kernels.push((RadixSort::EXPAND, 0));
        }
        let block = |(kernel, shared_bytes)| KernelBlock { kernel, shared_bytes };
        kernels.into_iter().map(block).collect()
    }

    fn launches(&self, spec: &DeviceSpec, n: u64, bits: Range<u32>, device: Device) -> Vec<Launch> {
        let sort = sort(spec);
        sort.worthwhile_counting_launches(n, &bits, device).unwrap_or_else(|| {
            let sorts_msd_buckets = sort.launches_msd_buckets(n, &bits, device);
            sort.pass_launches(n, &bits, device, sorts_msd_buckets)
        })
    }

    fn scratch(&self, spec: &DeviceSpec, n: u64, launches: &[Launch]) -> Scratch {
        sort(spec).scratch(n, launches)
    }

    fn scratch_peaks(
        &self,
        spec: &DeviceSpec,
        n: u64,
        bits: Range<u32>,
        device: Device,
    ) -> Vec<u64> {
        // Fewer keys may be sorted by passes, which take more.
        [Some(n), sort(spec).most_by_passes(n, &bits, device)].into_iter().flatten().collect()
    }

    fn own_arguments(&self) -> &'static [ArgumentField] {
        &OwnArguments::FIELDS
    }

    fn complete(&self, spec: &DeviceSpec, device: Device, arguments: &mut Arguments) {
        let sort = sort(spec);
        let Arguments { keys_out, values_out, n, begin_bit, end_bit, .. } = *arguments;
        let is_aligned = (keys_out | values_out)
            .is_multiple_of(u64::from(sort.item_bytes().next_power_of_two()));
        let bits = begin_bit.cast_unsigned()..end_bit.cast_unsigned();
        let own = OwnArguments {
            interleaves: i32::from(sort.interleaves() && is_aligned),
            count_columns_log2: sort.count_columns_log2(device).cast_signed(),
            sorts_msd_buckets: i32::from(sort.launches_msd_buckets(n, &bits, device)),
        };
        arguments.own = own.packed();
    }

    fn passes(&self, _: &DeviceSpec, launches: &[Launch]) -> Passes {
        let count = |launches: &[Launch]| {
            launches.iter().filter(|launch| launch.kernel == RadixSort::PASS).count() as u32
        };
        let ends =
            [(RadixSort::FIX_UP, PhaseEnd::FixUp), (RadixSort::MSD_BUCKETS, PhaseEnd::MsdBuckets)];
        let end = launches.iter().enumerate().find_map(|(at, launch)| {
            let end = ends.iter().find(|(kernel, _)| *kernel == launch.kernel);
            end.map(|(_, ended_by)| (at, *ended_by))
        });
        let (first, last) = launches.split_at(end.map_or(0, |(at, _)| at));
        let is_counting = launches.iter().any(|launch| launch.kernel == RadixSort::EXPAND);
        Passes {
            by_all_digits: count(last),
            first_phase: end.map(|(_, ended_by)| FirstPhase { passes: count(first), ended_by }),
            instead: is_counting.then_some("a counting sort of the keys"),
        }
    }

    fn rows(&self) -> &'static [BuiltInRow] {
        &tuning::ROWS
    }

    fn grid(&self) -> Option<Grid> {
        Some(tuning::GRID)
    }

    /// Where a tile does not fit, a smaller one does.
    fn fitting(&self, fields: DeviceFields, device: Device) -> Option<DeviceSpec> {
        let of = |items| family::fitting(self, DeviceFields { items, ..fields }, device);
        (1..=fields.items).rev().find_map(of)
    }

    fn marked_header(&self, spec: &DeviceSpec) -> Result<String, RenderError> {
        family::finished(spec, view::render(spec))
    }
}
