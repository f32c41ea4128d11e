//! The family's answers.

use std::ops::Range;

use super::spec::BitonicSort;
use super::view;
use crate::contract::device::family::{self, DeviceFamily};
use crate::contract::device::launch::{Device, KernelBlock, Launch};
use crate::contract::device::passes::Passes;
use crate::contract::device::scratch::Scratch;
use crate::contract::device::spec::{DeviceFields, DeviceSpec, SharedBytes};
use crate::contract::render::RenderError;
use crate::contract::validate::DeviceSpecError;

/// `device_bitonic_sort`. It is chosen because what it does depends on the number of items alone, and not because it is fast.
pub(crate) struct Bitonic;

fn sort(spec: &DeviceSpec) -> BitonicSort {
    BitonicSort::of_fields(spec.fields())
}

impl DeviceFamily for Bitonic {
    fn check(&self, fields: &DeviceFields) -> Result<SharedBytes, DeviceSpecError> {
        BitonicSort::of_fields(*fields).check()
    }

    fn is_stable(&self, spec: &DeviceSpec) -> bool {
        sort(spec).is_stable()
    }

    fn max_items(&self, spec: &DeviceSpec) -> u64 {
        sort(spec).max_items()
    }

    fn kernels(&self, spec: &DeviceSpec, _: Device) -> Vec<KernelBlock> {
        let tile = spec.shared_bytes();
        let block = |(kernel, shared_bytes)| KernelBlock { kernel, shared_bytes };
        [(BitonicSort::TILES, tile), (BitonicSort::STRIDE, 0), (BitonicSort::MERGE, tile)]
            .map(block)
            .into()
    }

    fn launches(&self, spec: &DeviceSpec, n: u64, _: Range<u32>, _: Device) -> Vec<Launch> {
        sort(spec).launches(n, spec.shared_bytes())
    }

    fn scratch(&self, spec: &DeviceSpec, n: u64, _: &[Launch]) -> Scratch {
        Scratch { workspace: sort(spec).workspace_bytes(n), ..Scratch::default() }
    }

    fn passes(&self, _: &DeviceSpec, _: &[Launch], _: Range<u32>) -> Passes {
        Passes::none("a network, with steps that depend on the number of items alone")
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
    use super::super::item::MOST_ITEMS;
    use super::*;

    fn spec(name: &str) -> DeviceSpec {
        format!("device_bitonic_sort_{name}").parse().unwrap_or_else(|error| panic!("{error}"))
    }

    fn launched(spec: &DeviceSpec, n: u64) -> Vec<Launch> {
        let device = Device { multiprocessors: 132, shared_bytes_per_block: 227 * 1024 };
        spec.launches(n, 0..spec.key.bits(), device)
    }

    #[test]
    fn launches_are_of_the_number_of_items_alone() {
        let spec = spec("u32_keys_b512_i16_asc");
        let counts = |n: u64| {
            let launches = launched(&spec, n);
            let strides = launches.iter().filter(|it| it.kernel == BitonicSort::STRIDE);
            (strides.count(), launches.len())
        };
        assert_eq!(counts(0), (0, 0));
        assert_eq!([1, 8192].map(counts), [(0, 1); 2]);
        assert_eq!([8193, 1 << 14].map(counts), [(1, 3); 2]);
        assert_eq!(counts(1 << 20), (10, 18));
        assert_eq!(counts(1 << 28), (36, 52));
    }

    #[test]
    fn stable_is_what_has_positions_or_nothing_to_tell_apart() {
        for (name, stable, max_items) in [
            ("u32_keys_b64_i2_asc", true, MOST_ITEMS),
            ("f32_keys_b64_i2_asc", false, MOST_ITEMS),
            ("u32_index_b64_i2_asc", true, 1 << 32),
            ("f32_index_b64_i2_asc", true, 1 << 31),
            ("u32_u32_b64_i2_asc", false, MOST_ITEMS),
            ("u32_u32_b64_i2_asc_stable", true, 1 << 32),
            ("u8_u16_b64_i2_asc", false, MOST_ITEMS),
        ] {
            let spec = spec(name);
            assert_eq!((spec.is_stable(), spec.max_items()), (stable, max_items), "{name}");
            let takes = |n| {
                let scratch = spec.scratch(n, &launched(&spec, n));
                scratch.workspace + scratch.alternate
            };
            let positions = if name.ends_with("_stable") { 4016 } else { 0 };
            assert_eq!(takes(1001), positions, "{name}");
        }
    }

    #[test]
    fn what_no_network_has_is_refused_by_its_name() {
        let error = |name: &str| {
            let name = format!("device_bitonic_sort_{name}");
            name.parse::<DeviceSpec>().expect_err("not legal").to_string()
        };
        assert!(error("u32_keys_b32_i4_asc").contains("a power of two from 64 to 1024"));
        assert!(error("u32_keys_b64_i3_asc").contains("items = 3 is not legal"));
        assert!(error("f32_keys_b64_i4_asc_nanlast").contains("nanlast = true"));
        assert!(error("u32_keys_b64_i4_asc_wide").contains("wide = true"));
        assert!(error("u32_keys_b64_i4_asc_stable").contains("stable = true"));
        assert!(error("u128_u128_b1024_i16_asc").contains("shared memory"));
    }
}
