//! What is tested of binned argsorts.

use super::mutants::{MUTANTS, SPECS};
use crate::kernels::{Amount, KernelTests};
use crate::sites;
use crate::sites::survivors::{POLL_WITHOUT_PTX, Survivor, everywhere, within};

pub(crate) const TESTS: KernelTests = KernelTests {
    plain: Amount { fresh: [6, 112], batch: 7, cases: 28, races: 10 },
    sanitized: Amount { fresh: [4, 20], batch: 4, cases: 20, races: 0 },
    mutants: MUTANTS,
    sites: &[sites::Ground { name: "binned_argsort", specs: &SPECS, cases: 40, survivors: SITES }],
    unpassed: UNPASSED,
};

const UNPASSED: &[sites::Unpassed] = &[POLL_WITHOUT_PTX];

const SITES: &[Survivor] = &[
    everywhere("state-of-next-launch", "All other blocks of the launch have added before."),
    within(
        "ranked-in-warps",
        &[SPECS[1]],
        "One warp, which passes a barrier of its own behind its last row.",
    ),
    within("sums-of-warps", &[SPECS[1]], "One warp, which reads no sum of a warp below it."),
];
