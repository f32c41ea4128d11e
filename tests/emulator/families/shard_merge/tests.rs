//! What is tested of merges of shards.

use super::mutants::{MUTANTS, SPECS};
use crate::kernels::{Amount, KernelTests};
use crate::sites;

pub(crate) const TESTS: KernelTests = KernelTests {
    plain: Amount { fresh: [4, 72], batch: 6, cases: 24, races: 8 },
    sanitized: Amount { fresh: [4, 20], batch: 4, cases: 16, races: 0 },
    mutants: MUTANTS,
    sites: &[sites::Ground { name: "shard_merge", specs: &SPECS, cases: 24, survivors: &[] }],
    unpassed: &[],
};
