//! The family's answers.

use std::ops::Range;

use super::plan::{self, ROWS};
use super::view;
use crate::contract::device::family::{self, DeviceFamily};
use crate::contract::device::host::{self, Cpp, CppHost, HostScratch, Number as _};
use crate::contract::device::launch::{Device, KernelBlock, Launch};
use crate::contract::device::passes::Passes;
use crate::contract::device::scratch::Scratch;
use crate::contract::device::shape::{RowSpeed, Shape};
use crate::contract::device::spec::{DeviceFields, DeviceSpec, SharedBytes};
use crate::contract::render::RenderError;
use crate::contract::validate::DeviceSpecError;

/// `device_counting_sort`.
pub(crate) struct Counting;

impl DeviceFamily for Counting {
    fn check(&self, fields: &DeviceFields) -> Result<SharedBytes, DeviceSpecError> {
        plan::check(fields)
    }

    /// Only zeros of both signs are equal and not the same, and they keep their order.
    fn is_stable(&self, _: &DeviceSpec) -> bool {
        true
    }

    fn max_items(&self, spec: &DeviceSpec) -> u64 {
        u64::from(plan::max_items(spec))
    }

    fn kernels(&self, spec: &DeviceSpec, _: Device) -> Vec<KernelBlock> {
        vec![KernelBlock { kernel: ROWS, shared_bytes: spec.shared_bytes() }]
    }

    fn launches(&self, spec: &DeviceSpec, _: u64, _: Range<u32>, _: Device) -> Vec<Launch> {
        host::made(vec![plan::launch(spec)])
    }

    fn cpp_host(&self, spec: &DeviceSpec, _: u64) -> Option<CppHost> {
        let [zeroed, workspace, alternate, alternate_keys] = [(); 4].map(|()| Cpp::known(0));
        Some(CppHost {
            launches: vec![plan::launch(spec)],
            scratch: HostScratch { zeroed, workspace, alternate, alternate_keys },
            arguments: Vec::new(),
        })
    }

    fn scratch(&self, _: &DeviceSpec, _: u64, _: &[Launch]) -> Scratch {
        Scratch::default()
    }

    fn passes(&self, _: &DeviceSpec, _: &[Launch], _: Range<u32>) -> Passes {
        Passes::none("each key of 16 bits is counted, and written as often")
    }

    fn takes_bits(&self) -> bool {
        false
    }

    fn sorts_rows(&self, _: &DeviceSpec) -> bool {
        true
    }

    fn rows_take_alternates(&self) -> bool {
        false
    }

    fn row_shapes(&self) -> &'static [Shape] {
        &plan::ROW_SHAPES
    }

    fn row_speed(&self, _: &DeviceSpec) -> Option<RowSpeed> {
        Some(plan::ROW_SPEED)
    }

    fn marked_header(&self, spec: &DeviceSpec) -> Result<String, RenderError> {
        family::finished(spec, view::render(spec))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_counted_is_refused_by_its_name() {
        let error = |name: &str| {
            let name = format!("device_counting_sort_{name}");
            name.parse::<DeviceSpec>().expect_err("not legal").to_string()
        };
        assert!(error("u16_keys_b32_i8_asc").contains("a power of two from 64 to 1024"));
        assert!(error("u16_keys_b64_i12_asc").contains("items = 12 is not legal"));
        assert!(error("u8_keys_b64_i8_asc").contains("a key of 16 bits"));
        assert!(error("f16_u32_b64_i8_asc").contains("what is counted has no values"));
        assert!(error("f16_keys_b64_i8_asc_nanlast").contains("nanlast = true"));
        assert!(error("u16_keys_b64_i8_asc_wide").contains("wide = true"));
        assert!(error("u16_keys_b1024_i64_asc").contains("shared memory"));
    }

    #[test]
    fn rows_take_no_scratch() {
        let spec: DeviceSpec =
            "device_counting_sort_f16_keys_b1024_i48_asc".parse().expect("legal");
        let device = Device { multiprocessors: 132, shared_bytes_per_block: 227 << 10 };
        let launches = spec.launches(100_000, 0..16, device);
        assert_eq!(spec.scratch_of_rows(50, 100_000, &launches), Scratch::default());
    }

    #[test]
    fn rows_are_as_long_as_a_tile_has_bits() {
        let most = |name: &str| {
            let spec: DeviceSpec = format!("device_counting_sort_{name}").parse().expect("legal");
            spec.max_items()
        };
        assert_eq!(most("f16_keys_b1024_i48_asc"), 786_432);
        assert_eq!(most("i16_keys_b64_i8_desc"), 8192);
    }
}
