//! The family's answers.

use std::ops::Range;

use super::plan::{self, SORT};
use super::view;
use crate::contract::device::family::{self, DeviceFamily};
use crate::contract::device::launch::{Device, KernelBlock, Launch};
use crate::contract::device::passes::Passes;
use crate::contract::device::scratch::Scratch;
use crate::contract::device::spec::{DeviceFields, DeviceSpec, SharedBytes};
use crate::contract::render::RenderError;
use crate::contract::validate::DeviceSpecError;

/// `device_odd_even_sort`.
pub(crate) struct OddEven;

impl DeviceFamily for OddEven {
    fn check(&self, fields: &DeviceFields) -> Result<SharedBytes, DeviceSpecError> {
        plan::check(fields)
    }

    fn is_stable(&self, _: &DeviceSpec) -> bool {
        true
    }

    fn max_items(&self, spec: &DeviceSpec) -> u64 {
        u64::from(spec.tile_items())
    }

    fn kernels(&self, spec: &DeviceSpec, _: Device) -> Vec<KernelBlock> {
        vec![KernelBlock { kernel: SORT, shared_bytes: spec.shared_bytes() }]
    }

    fn launches(&self, spec: &DeviceSpec, _: u64, _: Range<u32>, _: Device) -> Vec<Launch> {
        vec![plan::launch(spec)]
    }

    fn scratch(&self, _: &DeviceSpec, _: u64, _: &[Launch]) -> Scratch {
        Scratch::default()
    }

    fn passes(&self, _: &DeviceSpec, _: &[Launch], _: Range<u32>) -> Passes {
        Passes::none("as many rounds as items, each of every other pair of neighbours")
    }

    fn takes_bits(&self) -> bool {
        false
    }

    fn marked_header(&self, spec: &DeviceSpec) -> Result<String, RenderError> {
        family::finished(spec, view::render(spec))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_sort_does_not_have_is_refused_by_its_name() {
        let error = |name: &str| {
            let name = format!("device_odd_even_sort_{name}");
            name.parse::<DeviceSpec>().expect_err("not legal").to_string()
        };
        assert!(error("u32_keys_b48_i4_asc").contains("a multiple of 32 from 32 to 1024"));
        assert!(error("u32_keys_b512_i3_asc").contains("tile = 1536 items"));
        assert!(error("f32_keys_b64_i4_asc_nanlast").contains("nanlast = true"));
        assert!(error("u32_keys_b64_i4_asc_wide").contains("wide = true"));
        assert!(error("u32_keys_b64_i4_asc_counted").contains("counted = true"));
        assert!(error("u8u8_keys_b64_i4_asc").contains("a key that is no struct"));
    }
}
