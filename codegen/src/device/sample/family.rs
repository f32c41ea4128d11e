//! The family's answers.

use std::ops::Range;

use super::arguments::SampleArguments;
use super::counts::samples_come_first;
use super::items::is_of_rows;
use super::launch::{self, BUCKETS, SAMPLES, SPLIT};
use super::layout::{self, Storage};
use super::plan::SamplePlan;
use super::tuning;
use super::view::{self, Contents, SmallerTile};
use crate::contract::arguments::{ArgumentField, KernelArguments as _};
use crate::contract::device::arguments::Arguments;
use crate::contract::device::family::{DeviceFamily, NamedHeader};
use crate::contract::device::host::{self, Cpp, CppArgument, CppHost, HostFacts};
use crate::contract::device::launch::{Device, Kernel, KernelBlock, Launch};
use crate::contract::device::passes::Passes;
use crate::contract::device::scratch::Scratch;
use crate::contract::device::shape::{BuiltInRow, Grid, RowSpeed, Shape};
use crate::contract::device::spec::{DeviceFields, DeviceSpec, SharedBytes};
use crate::contract::render::RenderError;
use crate::contract::validate::DeviceSpecError;

/// `device_sample_sort`.
pub(crate) struct Sample;

impl DeviceFamily for Sample {
    fn check(&self, fields: &DeviceFields) -> Result<SharedBytes, DeviceSpecError> {
        SamplePlan::of(fields).map(|plan| plan.storage.shared())
    }

    fn is_stable(&self, _: &DeviceSpec) -> bool {
        true
    }

    fn max_items(&self, spec: &DeviceSpec) -> u64 {
        launch::max_items(spec)
    }

    fn kernels(&self, spec: &DeviceSpec, _: Device) -> Vec<KernelBlock> {
        let Storage { sample, split, bucket } = Storage::of(spec);
        let block = |(kernel, shared_bytes)| KernelBlock { kernel, shared_bytes };
        [(SAMPLES, sample), (SPLIT, split), (BUCKETS, bucket)].map(block).into()
    }

    fn launches(&self, spec: &DeviceSpec, n: u64, _: Range<u32>, _: Device) -> Vec<Launch> {
        host::made(launch::launches(spec, &n))
    }

    fn cpp_host(&self, spec: &DeviceSpec, most: u64) -> Option<CppHost> {
        let n = HostFacts::variables().n;
        let mut launches = launch::launches(spec, &n);
        launches.retain(|launch| launch.kernel != SAMPLES || samples_come_first(spec, most));
        let seed = Cpp::Text("random_seed()".to_owned());
        Some(CppHost {
            launches,
            scratch: layout::scratch(spec, &n),
            arguments: vec![("seed", CppArgument::Number(seed))],
        })
    }

    fn shared_kernels(&self) -> &'static [Kernel] {
        &[SAMPLES, BUCKETS]
    }

    fn sharing_headers(
        &self,
        sorts: &[(u64, DeviceSpec)],
    ) -> Option<Result<Vec<NamedHeader>, RenderError>> {
        let (_, last) = sorts.last()?;
        let smaller = &sorts[..sorts.len() - 1];
        let can_share = |it: &DeviceSpec| {
            (it.threads, is_of_rows(it)) == (last.threads, false)
                && it.tile_items() < last.tile_items()
        };
        if smaller.is_empty() || !smaller.iter().all(|(_, spec)| can_share(spec)) {
            return None;
        }
        let tile = |(most, spec): &(u64, DeviceSpec)| SmallerTile {
            most: *most,
            items: spec.tile_items(),
        };
        let tiles = smaller.iter().map(tile).collect();
        let header = |spec: &DeviceSpec, contents: Contents| {
            let name = contents.name_of(spec);
            view::marked_header(spec, contents).map(|text| NamedHeader { name, text })
        };
        let headers = smaller.iter().map(|(_, spec)| header(spec, Contents::Split));
        Some(headers.chain([header(last, Contents::AllWith(tiles))]).collect())
    }

    fn own_arguments(&self) -> &'static [ArgumentField] {
        &SampleArguments::FIELDS
    }

    fn set_seed(&self, arguments: &mut Arguments, seed: u32) {
        arguments.own = SampleArguments { seed: seed.cast_signed() }.packed();
    }

    fn scratch(&self, spec: &DeviceSpec, n: u64, _: &[Launch]) -> Scratch {
        layout::scratch(spec, &n).into()
    }

    fn passes(&self, _: &DeviceSpec, _: &[Launch], _: Range<u32>) -> Passes {
        Passes::none("divided into buckets by splitters, each bucket sorted by a block")
    }

    fn sorts_rows(&self, spec: &DeviceSpec) -> bool {
        is_of_rows(spec)
    }

    fn row_shapes(&self) -> &'static [Shape] {
        &tuning::ROW_SHAPES
    }

    fn row_speed(&self, spec: &DeviceSpec) -> Option<RowSpeed> {
        is_of_rows(spec).then(|| tuning::row_speed(spec))
    }

    fn rows(&self) -> &'static [BuiltInRow] {
        &tuning::ROWS
    }

    fn grid(&self) -> Option<Grid> {
        Some(tuning::GRID)
    }

    fn marked_header(&self, spec: &DeviceSpec) -> Result<String, RenderError> {
        view::marked_header(spec, Contents::All)
    }
}
