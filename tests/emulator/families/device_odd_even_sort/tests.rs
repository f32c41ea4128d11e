//! What is tested of device-wide odd-even transposition sorts.

use super::mutants::{MUTATIONS, SPECS};
use crate::device::{Amount, DeviceTests};
use crate::mutants::{Barriers, Ground};
use crate::sites;
use crate::sites::survivors::{FIRST_KERNEL, Survivor, everywhere};

pub(crate) const TESTS: DeviceTests = DeviceTests {
    plain: Amount { fresh: [24, 200], batch: 6, cases: 20 },
    sanitized: Amount { fresh: [4, 30], batch: 2, cases: 12 },
    mutants: &[Ground {
        specs: &SPECS,
        mutations: MUTATIONS,
        barriers: Barriers::AtRunTime,
        telling: &[],
        survivors: &[],
        cases: 24,
    }],
    sites: &[sites::Ground {
        name: "device_odd_even_sort",
        specs: &SPECS,
        cases: 24,
        survivors: SITES,
    }],
    unpassed: &[],
};

const SITES: &[Survivor] = &[everywhere("grid-before-odd-even", FIRST_KERNEL)];
