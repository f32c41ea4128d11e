//! The family's answers.

use std::ops::Range;

use super::arguments::RadixArguments;
use super::counting::HISTOGRAM_SHARED_BYTES;
use super::spec::RadixSort;
use super::{explain, tuning, view};
use crate::contract::arguments::{ArgumentField, KernelArguments as _};
use crate::contract::device::arguments::Arguments;
use crate::contract::device::family::{self, DeviceFamily};
use crate::contract::device::host::{
    self, CppArgument, CppHost, CppTruth, HostFacts, HostLaunch, Number, Truth as _,
};
use crate::contract::device::launch::{Device, KernelBlock, Launch};
use crate::contract::device::passes::Passes;
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

impl RadixSort {
    /// What the host launches: a counting sort, or passes.
    fn host_launches<N: Number>(&self, facts: &HostFacts<N>) -> Vec<HostLaunch<N>> {
        let counts = self.launches_counting(facts);
        let passes = self.pass_launches(facts, &self.launches_msd_buckets(facts));
        let passes = passes.into_iter().map(|it| it.only_if(&counts.clone().not()));
        if !self.sorts_by_counting() {
            return passes.collect();
        }
        let counting = self.count_and_expand(facts).into_iter().map(|it| it.only_if(&counts));
        counting.chain(passes).collect()
    }

    /// The arguments that launches say.
    fn host_arguments<N: Number>(&self, facts: &HostFacts<N>) -> [(&'static str, N); 2] {
        let columns_log2 = self.counter_columns_log2(facts.shared_bytes_per_block.clone());
        let buckets = self.launches_msd_buckets(facts);
        let shared_bits = self.fewest_shared_bits(facts.n.clone());
        [
            ("count_columns_log2", columns_log2),
            ("sorts_msd_buckets", N::choose(&buckets, shared_bits, N::known(0))),
        ]
    }

    /// Whether items lie side by side between passes, where they may: by the arrays of a C++ host.
    fn cpp_interleaves(&self) -> CppTruth {
        let alignment = self.interleaving_alignment();
        let is_aligned =
            |array| CppTruth::Text(format!("is_multiple_of(arrays.{array}, {alignment})"));
        let has_room = CppTruth::Text("!arrays.has_alternates".to_owned());
        has_room.and(is_aligned("keys_out")).and(is_aligned("values_out"))
    }

    /// The alignment of the arrays of the result from which on items may lie side by side between passes.
    fn interleaving_alignment(&self) -> u32 {
        self.item_bytes().next_power_of_two()
    }
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
            (RadixSort::COUNT, sort.counter_bytes(u64::from(device.shared_bytes_per_block)) as u32),
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
        host::made(sort.host_launches(&HostFacts::of(n, &bits, device)))
    }

    fn cpp_host(&self, spec: &DeviceSpec, _: u64) -> Option<CppHost> {
        let sort = sort(spec);
        let facts = HostFacts::variables();
        let interleaves =
            sort.interleaves().then(|| ("interleaves", CppArgument::Truth(sort.cpp_interleaves())));
        let numbers = sort.host_arguments(&facts).map(|(name, it)| (name, CppArgument::Number(it)));
        Some(CppHost {
            launches: sort.host_launches(&facts),
            scratch: sort.host_scratch(facts.n.clone(), &sort.launches_counting(&facts)),
            arguments: interleaves.into_iter().chain(numbers).collect(),
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
        &RadixArguments::FIELDS
    }

    fn complete(&self, spec: &DeviceSpec, device: Device, arguments: &mut Arguments) {
        let sort = sort(spec);
        let Arguments { keys_out, values_out, n, begin_bit, end_bit, .. } = *arguments;
        let is_aligned =
            (keys_out | values_out).is_multiple_of(sort.interleaving_alignment().into());
        let bits = begin_bit.cast_unsigned()..end_bit.cast_unsigned();
        let [(_, columns_log2), (_, sorts_msd_buckets)] =
            sort.host_arguments(&HostFacts::of(n, &bits, device));
        let own = RadixArguments {
            interleaves: i32::from(sort.interleaves() && is_aligned),
            count_columns_log2: columns_log2 as i32,
            sorts_msd_buckets: sorts_msd_buckets as i32,
        };
        arguments.own = own.packed();
    }

    fn passes(&self, _: &DeviceSpec, launches: &[Launch], bits: Range<u32>) -> Passes {
        explain::passes(launches, bits)
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
