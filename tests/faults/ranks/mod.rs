//! Sorts over ranks by NCCL, with a fault in each call of rank 0.
//!
//! The stand-in for NCCL (tests/shim) moves bytes between two devices of the stand-in for the driver; a rank is a thread. Calls of the
//! thread of rank 0 are counted, and fail in turn; those of rank 1 never do. After each of these runs
//!
//! - there was no panic, and each rank has returned long before the time limit;
//! - a result is an error, or what the rank gets without a fault;
//! - after an error of rank 0 rank 1 has one too, unless rank 0 had given it all by then;
//! - shards are unchanged;
//! - later calls return the same error where it ends the group, and sort where it does not;
//! - when everything is dropped, the stand-in counts no live objects and has recorded no illegal call, and a new group works.

mod bytes;
mod inject;
mod late;
mod library;
mod scenarios;

use std::sync::{Arc, Mutex};

use libtest_mimic::Trial;

use crate::shim;
use inject::OfRanks;

/// Two devices.
pub const DEVICES: (&str, &str) = ("SHIM_DEVICES", "2");

/// The tests, which add their counts to these.
pub fn trials(total: &Arc<Mutex<OfRanks>>) -> Vec<Trial> {
    let faults = scenarios::all().into_iter().map(|(name, run)| {
        let total = Arc::clone(total);
        crate::trial(name, move || {
            if shim::is_child() {
                println!("{name}: {}", run());
                return;
            }
            let stdout = shim::expect_child(name, &[DEVICES]);
            let line = stdout.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
            let counts: OfRanks = line.expect("the child's counts").parse().unwrap();
            println!("{name}: {counts}");
            total.lock().unwrap().add(&counts);
        })
    });
    faults.chain(late::trials()).chain(library::trials()).collect()
}

pub use inject::OfRanks as Counts;
