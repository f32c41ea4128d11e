//! Failures of which other ranks hear nothing, and calls that end by the time limit.

use libtest_mimic::Trial;

pub fn trials() -> Vec<Trial> {
    Vec::new()
}
