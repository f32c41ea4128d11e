//! Fault injection: in each scenario every call of the driver and of NVRTC, and every operation on a file of the cache, fails once, one
//! per run. The tests check the result of the call, the caller's data, the next call, and the allocations. No GPU is needed: a stand-in
//! for the driver makes the calls fail and counts live objects (tests/shim).
//!
//! A scenario is first run without a fault, which counts the calls of each function. Then it is run once for each of these calls and
//! each way to fail. After each of these runs
//!
//! - there was no panic, and the process still runs;
//! - the result is an [`Error`](sortsmith::Error), or a success with the result of the run without a fault;
//! - host slices are unchanged after an error, except after [`HostDataLost`](sortsmith::Error::HostDataLost);
//! - a cache that fails is no error at all;
//! - the same call on the same sorter gives the result of the run without a fault, once the fault is gone;
//! - when everything is dropped, the stand-in counts no live objects and has recorded no illegal call.
//!
//! Sorts over ranks are in `ranks`, with calls of NCCL besides.

#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused))]
#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

mod inject;
mod leaks;
mod panics;
mod planted;
#[cfg(feature = "ranks")]
mod ranks;
mod scenarios;
#[path = "../shim/mod.rs"]
mod shim;

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex};

use libtest_mimic::{Failed, Trial};
use sortsmith_testkit::command_line::CommandLine;

use inject::Counts;

fn main() {
    let command_line = CommandLine::of_process();
    if !cfg!(target_os = "linux") {
        println!("left out: faults; the stand-in for the driver is made for Linux");
        return;
    }
    let total = Arc::new(Mutex::new(Counts::default()));
    let trials: Vec<Trial> = scenarios::all()
        .into_iter()
        .map(|(name, run, variables)| {
            let total = Arc::clone(&total);
            trial(name, move || {
                if shim::is_child() {
                    println!("{name}: {}", run());
                    return;
                }
                let stdout = shim::expect_child(
                    name,
                    &[&[("LD_PRELOAD", &*shim::files())], variables].concat(),
                );
                let line = stdout.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
                let counts: Counts = line.expect("the child's counts").parse().unwrap();
                println!("{name}: {counts}");
                total.lock().unwrap().add(&counts);
            })
        })
        .chain(panics::trials())
        .chain(planted::trials())
        .chain([leaks::trial()])
        .collect();
    #[cfg(feature = "ranks")]
    let of_ranks = Arc::new(Mutex::new(ranks::Counts::default()));
    #[cfg(feature = "ranks")]
    let trials = trials.into_iter().chain(ranks::trials(&of_ranks)).collect();
    let conclusion = command_line.run(trials);
    if !shim::is_child() {
        println!("in all: {}", total.lock().unwrap());
        #[cfg(feature = "ranks")]
        println!("of sorts over ranks: {}", of_ranks.lock().unwrap());
    }
    conclusion.exit();
}

/// A test that fails by a panic.
fn trial(name: &str, test: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, move || {
        panic::catch_unwind(AssertUnwindSafe(test)).map_err(|payload| {
            let message = payload.downcast_ref::<String>().map(String::as_str);
            let message = message.or_else(|| payload.downcast_ref::<&str>().copied());
            Failed::from(message.unwrap_or("a panic without a message"))
        })
    })
}
