//! `cargo xtask prove`: runs the tests without a random choice that have changed inputs, and records those that hold.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use crate::{
    ProveArgs,
    error::Error,
    process::{self, cargo},
    suite, toolkit, workspace,
};

/// The record, which the tests read and write.
const RECORD: &str = "tests/proven.txt";

/// The tests that the record may have: targets, and texts in the tests' names.
const PROOFS: [(&str, &[&str]); 3] = [
    (
        "emulator",
        &[
            "::covering",
            "::every_length",
            "::mutants_are_caught_but_those_that_are_harmless",
            "::sites_are_needed",
            "::tests::",
            "corpus::",
        ],
    ),
    (
        "compilers",
        &[
            "device::device_by_networks",
            "device::device_sorts_of_common_types_do_not_spill",
            "device::device_sorts_that_families_name_do_not_spill",
            "device::device_tuned",
            "kernels::",
            "networks::networks_stay_in_registers_and_shuffle_as_planned",
            "nvrtc::goldens",
            "spills::none_with_32_bit_keys_and_values_at_256_threads",
        ],
    ),
    (
        "cpp",
        &[
            "changing_the_namespace_is_all_of_the_port",
            "decomposers_that_no_sort_fits_are_refused",
            "device_facade",
            "nvcc_takes_the_port_and_a_plain_kernel",
            "rows_facade",
            "segmented_facade",
            "top_k_facade",
        ],
    ),
];

pub fn run(args: &ProveArgs) -> Result<(), Error> {
    let toolchain = toolkit::ensure()?;
    let (mut known, mut result) = (BTreeSet::new(), Ok(()));
    for (target, _) in PROOFS {
        let mut list = tests_of(target);
        suite::use_toolchain(&mut list, &toolchain);
        let listed = process::read(list.args(["--", "--list"]))?;
        let names: Vec<&str> = proofs(target, &listed).collect();
        known.extend(names.iter().map(|name| format!("{target} {name}")));
        let is_wanted = |name: &&str| args.filter.iter().any(|text| name.contains(text));
        let chosen = names.into_iter().filter(|name| args.filter.is_empty() || is_wanted(name));
        let chosen: Vec<&str> = chosen.collect();
        if chosen.is_empty() {
            continue;
        }
        let mut tests = tests_of(target);
        suite::use_toolchain(&mut tests, &toolchain);
        tests.args(["--", "--exact"]).args(chosen);
        tests.env("SORTSMITH_PROVE", if args.all { "all" } else { "1" });
        tests.env("SORTSMITH_REQUIRE_CUDA", "1");
        // They choose other proofs than those of the record.
        for variable in ["SORTSMITH_DEEP", "SORTSMITH_QUICK", "SORTSMITH_SPEC"] {
            tests.env_remove(variable);
        }
        result = result.and(process::run(&mut tests));
    }
    result?;
    if args.filter.is_empty() { prune(&known) } else { Ok(()) }
}

/// A target of the tests, as the complete suite builds it.
fn tests_of(target: &str) -> Command {
    let mut tests = cargo();
    tests.args(["test", "--workspace", "--test", target]);
    tests
}

/// The proofs in a list of tests, as test programs print it.
fn proofs<'a>(target: &str, listed: &'a str) -> impl Iterator<Item = &'a str> {
    let names = listed.lines().filter_map(|line| line.strip_suffix(": test"));
    names.filter(move |name| is_proof(target, name))
}

fn is_proof(target: &str, name: &str) -> bool {
    let of_target = PROOFS.iter().filter(|(known, _)| *known == target);
    of_target.flat_map(|(_, texts)| *texts).any(|text| name.contains(text))
}

/// Removes the lines of tests that are gone.
fn prune(known: &BTreeSet<String>) -> Result<(), Error> {
    let path = workspace::root().join(RECORD);
    let text = fs::read_to_string(&path).map_err(Error::file("read", &path))?;
    let kept = without_others(&text, known);
    if kept == text {
        return Ok(());
    }
    fs::write(&path, kept).map_err(Error::file("write", &path))
}

fn without_others(record: &str, known: &BTreeSet<String>) -> String {
    let is_kept =
        |line: &&str| line.starts_with('#') || name_of(line).is_some_and(|it| known.contains(it));
    record.split_inclusive('\n').filter(is_kept).collect()
}

/// The test that a line of the record is of.
fn name_of(line: &str) -> Option<&str> {
    line.rsplit_once(' ').map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_tests_that_are_gone_go() {
        let record = "# head\nemulator a::sites 00\nemulator b::sites 11\n";
        let known = BTreeSet::from(["emulator b::sites".to_owned()]);
        assert_eq!(without_others(record, &known), "# head\nemulator b::sites 11\n");
    }

    #[test]
    fn this_task_runs_all_that_the_record_has() {
        let path = workspace::root().join(RECORD);
        let record = fs::read_to_string(path).expect("the record is there");
        for line in record.lines().filter(|line| !line.starts_with('#')) {
            let name = name_of(line).and_then(|name| name.split_once(' '));
            let (target, test) = name.expect("a target and a test");
            assert!(is_proof(target, test), "{line}: no entry of PROOFS runs it");
        }
    }

    #[test]
    fn proofs_are_read_from_lists() {
        let listed = "a::sites_are_needed: test\na::fresh: test\n2 tests, 0 benchmarks\n";
        assert_eq!(proofs("emulator", listed).collect::<Vec<_>>(), ["a::sites_are_needed"]);
    }
}
