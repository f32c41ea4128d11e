//! What is tested of device-wide odd-even transposition sorts.

use std::time::Duration;

use super::mutants::{MUTATIONS, SPECS};
use crate::device::{Amount, DeviceTests};
use crate::mutants::{Barriers, Ground};
use crate::sites;
use crate::sites::survivors::{FIRST_KERNEL, Survivor, everywhere};

pub(crate) const TESTS: DeviceTests = DeviceTests {
    plain: Amount { sorts: [24, 200], batch: 6, cases: 20 },
    sanitized: Amount { sorts: [4, 30], batch: 2, cases: 12 },
    mutants: &[Ground {
        specs: &SPECS,
        mutations: MUTATIONS,
        barriers: Barriers::AtRunTime,
        survivors: &[],
        cases: 24,
        limit: Duration::from_secs(20),
    }],
    sites: &[sites::Ground {
        name: "device_odd_even_sort",
        specs: &SPECS,
        cases: 24,
        survivors: SITES,
    }],
};

const SITES: &[Survivor] = &[everywhere("grid-before-odd-even", FIRST_KERNEL)];
