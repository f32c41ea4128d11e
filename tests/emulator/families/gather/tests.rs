//! What is tested of gathers.

use super::mutants::MUTANTS;
use crate::kernels::{Amount, KernelTests};

pub(crate) const TESTS: KernelTests = KernelTests {
    plain: Amount { fresh: [30, 370], batch: 30, cases: 18, races: 4 },
    sanitized: Amount { fresh: [40, 100], batch: 20, cases: 12, races: 0 },
    mutants: MUTANTS,
    sites: &[],
    unpassed: &[],
};
