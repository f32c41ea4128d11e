//! Sorts under version control that each run repeats: a spec, keys that a string of bytes describes, and a seed.
//!
//! A line of `corpus.txt` is `spec n seed description`, the last in hexadecimal digits. The seed gives the other choices of the
//! case, and the order of threads.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use sortsmith_codegen::SortSpec;
use sortsmith_codegen::device::DeviceSpec;
use sortsmith_testkit::emulator::{Flavour, Member, Session};
use sortsmith_testkit::proven::prove;
use sortsmith_testkit::seed::Seed;
use sortsmith_testkit::subject::Subject;

use super::{compiler, proofs};

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

/// The specs of entries, and the case of each entry.
type Cases<S> = Vec<(S, Vec<(u64, <S as Subject>::Case)>)>;

fn cases_of<S: Subject>(entries: &BTreeMap<&str, Vec<Entry>>) -> Cases<S> {
    let of_spec = |(name, entries): (&&str, &Vec<Entry>)| {
        let spec: S = name.parse().unwrap_or_else(|error| panic!("{error}"));
        let case = |Entry { n, seed, description }: &Entry| {
            let mut rng = Seed(*seed).rng(&spec.to_string());
            (*seed, spec.described_case(*n, description, &mut rng).expect("it sorts keys"))
        };
        (spec, entries.iter().map(case).collect())
    };
    entries.iter().map(of_spec).collect()
}

/// Runs the cases, and looks for races.
fn replay<S: Subject>(members: &[Member], cases: &Cases<S>) {
    // Programs go with their compiler.
    let compiler = compiler();
    let batch = compiler
        .build("the corpus", members, Flavour::Plain)
        .unwrap_or_else(|error| panic!("{error}"));
    let mut session = Session::start(&batch, Duration::from_secs(60)).expect("it runs");
    for (member, (spec, cases)) in cases.iter().enumerate() {
        for (seed, case) in cases {
            let message = spec.message(case, member, *seed).detecting_races();
            let outcome = session.run(&message).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(spec.complaint(case, &outcome), None, "{spec}, {case}, seed {seed}");
        }
    }
}

/// Runs the entries of specs by their names, unless they were right before.
fn assert_right<S: Subject>(test: &str, is_chosen: impl Fn(&str) -> bool) {
    let entries = entries(is_chosen);
    let cases: Cases<S> = cases_of(&entries);
    let specs: Vec<S> = cases.iter().map(|(spec, _)| *spec).collect();
    let members = proofs::members(&specs);
    prove(
        &format!("emulator corpus::{test}"),
        |inputs| {
            for family in families_of(&entries) {
                inputs.add_emulator(family, &compiler());
            }
            inputs.add_program(&members);
            for (spec, cases) in &cases {
                for (seed, case) in cases {
                    inputs.add_debug("seed", seed);
                    inputs.add_cases(spec, std::slice::from_ref(case));
                }
            }
        },
        || replay(&members, &cases),
    );
}

/// What specs' names begin with.
fn families_of<'a>(entries: &BTreeMap<&'a str, Vec<Entry>>) -> BTreeSet<&'a str> {
    let family = |name: &&'a str| name.split_inclusive("_sort").next().expect("it has a beginning");
    entries.keys().map(family).collect()
}

#[test]
fn corpus_of_block_sorts() {
    assert_right::<SortSpec>("corpus_of_block_sorts", |line| !line.starts_with("device_"));
}

#[test]
fn corpus_of_device_wide_sorts() {
    assert_right::<DeviceSpec>("corpus_of_device_wide_sorts", |line| line.starts_with("device_"));
}
