//! What is tested of sorts of rows by counting.

use sortsmith_codegen::device::DeviceSpec;
use sortsmith_testkit::inputs::Keys;

use super::mutants::{COUNT_SURVIVORS, COUNTED, MUTATIONS, SPECS, SURVIVORS};
use crate::device::{Amount, DeviceTests, barriers_of};
use crate::mutants::{Barriers, Ground, ROW_COUNT_MUTATIONS};
use crate::sites::survivors::{FIRST_KERNEL, ONE_WARP, Survivor, everywhere};
use crate::{proofs, sites};

pub(crate) const TESTS: DeviceTests = DeviceTests {
    plain: Amount { fresh: [8, 100], batch: 4, cases: 24 },
    sanitized: Amount { fresh: [4, 20], batch: 2, cases: 12 },
    mutants: &[
        Ground {
            specs: &SPECS,
            mutations: MUTATIONS,
            barriers: Barriers::AtRunTime,
            telling: &[],
            survivors: SURVIVORS,
            cases: 40,
        },
        Ground {
            specs: &COUNTED,
            mutations: ROW_COUNT_MUTATIONS,
            barriers: Barriers::AtRunTime,
            telling: &[],
            survivors: COUNT_SURVIVORS,
            cases: 20,
        },
    ],
    sites: &[
        sites::Ground { name: "device_counting_sort", specs: &SPECS, cases: 30, survivors: SITES },
        sites::Ground {
            name: "device_counting_sort of counted rows",
            specs: &COUNTED,
            cases: 8,
            survivors: SITES_OF_COUNTED,
        },
    ],
    unpassed: UNPASSED,
};

const UNPASSED: &[sites::Unpassed] = &[ONE_WARP];

const SITES: &[Survivor] = &[everywhere("grid-before-counts", FIRST_KERNEL)];

const SITES_OF_COUNTED: &[Survivor] =
    &[everywhere("grid-before-counts", FIRST_KERNEL), everywhere("grid-of-no-row", FIRST_KERNEL)];

/// What keys are makes no difference but for counters that overflow, and for zeros of both signs.
#[test]
fn counts_take_the_same_barriers_for_all_keys() {
    proofs::of_specs(
        "device_counting_sort",
        (module_path!(), "counts_take_the_same_barriers_for_all_keys"),
        ["device_counting_sort_i16_keys_b64_i8_desc", "device_counting_sort_u16_keys_b64_i8_asc"],
        |specs: [DeviceSpec; 2]| {
            let kinds = [Keys::Uniform, Keys::AllEqual, Keys::LowEntropy(5), Keys::Sorted];
            for spec in specs {
                let [barriers] = barriers_of(&spec, [5], 0..16, &kinds);
                assert!(barriers.iter().all(|count| *count == barriers[0]), "{spec}: {barriers:?}");
            }
        },
    );
}
