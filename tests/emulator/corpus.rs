//! Sorts under version control that each run repeats: a spec, keys that a string of bytes describes, and a seed.
//!
//! A line of `corpus.txt` is `spec n seed description`, the last in hexadecimal digits. The seed gives the other choices of the
//! case, and the order of threads.

use std::collections::BTreeMap;
use std::time::Duration;

use sortsmith_codegen::SortSpec;
use sortsmith_codegen::device::DeviceSpec;
use sortsmith_testkit::emulator::{Flavour, Member, Session};
use sortsmith_testkit::seed::Seed;
use sortsmith_testkit::subject::Subject;

use super::compiler;

const CORPUS: &str = include_str!("corpus.txt");

/// What follows the spec in a line.
struct Entry {
    n: usize,
    seed: u64,
    description: Vec<u8>,
}

/// The chosen entries, by the name of their spec.
fn entries(is_chosen: impl Fn(&str) -> bool) -> BTreeMap<&'static str, Vec<Entry>> {
    let mut entries: BTreeMap<&str, Vec<Entry>> = BTreeMap::new();
    for line in CORPUS.lines().filter(|line| !line.starts_with('#') && is_chosen(line)) {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, n, seed, digits] = words[..] else { panic!("{line}: four words") };
        let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits");
        let entry = Entry {
            n: n.parse().expect("a number of keys"),
            seed: seed.parse().expect("a seed"),
            description: (0..digits.len()).step_by(2).map(byte).collect(),
        };
        entries.entry(name).or_default().push(entry);
    }
    entries
}

/// Runs the entries, and looks for races.
fn replay<S: Subject>(entries: &BTreeMap<&str, Vec<Entry>>) {
    let parse = |name: &&str| name.parse::<S>().unwrap_or_else(|error| panic!("{error}"));
    let specs: Vec<S> = entries.keys().map(parse).collect();
    let member = |spec: &S| spec.member().unwrap_or_else(|error| panic!("{error}"));
    let members: Vec<Member> = specs.iter().map(member).collect();
    // Programs go with their compiler.
    let compiler = compiler();
    let batch = compiler
        .build("the corpus", &members, Flavour::Plain)
        .unwrap_or_else(|error| panic!("{error}"));
    let mut session = Session::start(&batch, Duration::from_secs(60)).expect("it runs");
    for (member, (spec, entries)) in specs.iter().zip(entries.values()).enumerate() {
        for Entry { n, seed, description } in entries {
            let mut rng = Seed(*seed).rng(&spec.to_string());
            let case = spec.described_case(*n, description, &mut rng).expect("it sorts keys");
            let message = spec.message(&case, member, *seed).detecting_races();
            let outcome = session.run(&message).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(spec.complaint(&case, &outcome), None, "{spec}, {case}, seed {seed}");
        }
    }
}

#[test]
fn corpus_of_block_sorts() {
    replay::<SortSpec>(&entries(|line| !line.starts_with("device_")));
}

#[test]
fn corpus_of_device_wide_sorts() {
    replay::<DeviceSpec>(&entries(|line| line.starts_with("device_")));
}
