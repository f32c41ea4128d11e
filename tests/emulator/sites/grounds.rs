//! Which device-wide sorts' sites are taken out. Of tile sorts [`families`](crate::families) says it.

use sortsmith_codegen::device::DeviceSpec;

use super::{Ground, assert_survivors, survivors};
use crate::mutants;

#[test]
fn device_counted() {
    let specs = &mutants::device_radix::COUNTED;
    let survivors = survivors::DEVICE_COUNTED;
    assert_survivors::<DeviceSpec>(&Ground { name: "device_counted", specs, cases: 56, survivors });
}

#[test]
fn device_bitonic() {
    let specs = &mutants::device_bitonic::SPECS;
    let survivors = survivors::DEVICE_BITONIC;
    assert_survivors::<DeviceSpec>(&Ground { name: "device_bitonic", specs, cases: 30, survivors });
}

#[test]
fn device_partition() {
    let specs = &mutants::device_partition::SPECS;
    let survivors = survivors::DEVICE_PARTITION;
    assert_survivors::<DeviceSpec>(&Ground {
        name: "device_partition",
        specs,
        cases: 30,
        survivors,
    });
}

#[test]
fn device_sample() {
    let specs = &mutants::device_sample::SPECS;
    assert_survivors::<DeviceSpec>(&Ground {
        name: "device_sample",
        specs,
        cases: 40,
        survivors: survivors::DEVICE_SAMPLE,
    });
}

#[test]
fn device_radix() {
    assert_survivors::<DeviceSpec>(&Ground {
        name: "device_radix",
        specs: &["device_radix_sort_i64_index_b256_i3_asc_wide"],
        cases: 24,
        survivors: survivors::DEVICE_RADIX,
    });
}
