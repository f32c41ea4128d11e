//! Proves that each barrier, fence, wait and atomic of the generated code is needed: with one of them out, a sort must fail.
//!
//! No header is changed, and nothing compiled again. A first run of each case lists the sites that it passes, and then the
//! emulator takes one after the other out of the same program. All choices are fixed, so that the same sites survive each time.

pub(crate) mod survivors;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::Instant;

use sortsmith_testkit::cores;
use sortsmith_testkit::emulator::{Batch, Flavour, Member, SCHEDULES, Session, Site, calls_in};
use sortsmith_testkit::proven::{Inputs, prove};
use sortsmith_testkit::seed::{self, Seed};
use sortsmith_testkit::subject::Subject;

use crate::BLOCK_SECONDS;
use survivors::{KINDS, Shown};

const SEED: Seed = Seed(20_260_101);
/// Specs in one program.
const BATCH: usize = 2;
/// Runs that a site meets at most.
const MOST_RUNS: usize = 120;
/// Bytes of requests after which a site without effect has met enough.
const MOST_BYTES: usize = 3 << 20;

/// The specs of one family that have their sites taken out.
pub(crate) struct Ground {
    /// The test's.
    pub(crate) name: &'static str,
    /// Their names.
    pub(crate) specs: &'static [&'static str],
    /// Cases of each spec. A site meets those that pass it.
    pub(crate) cases: usize,
    /// The sites that may be taken out.
    pub(crate) survivors: &'static [Survivor],
}

/// A call in the headers of a family's grounds that no case passes, so that its site is never taken out here.
pub(crate) struct Unpassed {
    /// The marker of its line, or the function that it is in, what is called, and its number among these calls.
    pub(crate) call: &'static str,
    /// Why.
    pub(crate) reason: &'static str,
}

/// Why a site may be taken out of some sorts.
pub(crate) struct Survivor {
    /// The marker of its line in the template.
    pub(crate) marker: &'static str,
    /// The specs in which nothing fails without it; all that pass it where there are none.
    pub(crate) specs: &'static [&'static str],
    /// Why.
    pub(crate) reason: &'static str,
}

/// What came of one site of one spec.
struct Trial {
    spec: String,
    name: String,
    /// What is called, and how it is broken.
    kind: String,
    /// What a case found wrong, if any.
    complaint: Option<String>,
    /// Runs until then.
    runs: usize,
}

/// What came of the sites of some specs.
#[derive(Default)]
struct Tried {
    trials: Vec<Trial>,
    /// The calls in the specs' headers.
    calls: BTreeSet<String>,
    /// The calls that some case passes.
    passed: BTreeSet<String>,
}

impl Tried {
    fn extend(&mut self, other: Self) {
        self.trials.extend(other.trials);
        self.calls.extend(other.calls);
        self.passed.extend(other.passed);
    }
}

/// Takes each site of each spec of a family out, and fails where others survive than the grounds' tables have, or others are
/// not passed than this one has. A deep test alone tries the sites of the tables. What has held does not run again.
pub(crate) fn assert_survivors<S: Subject>(
    family: &str,
    grounds: &[Ground],
    unpassed: &[Unpassed],
) {
    if grounds.is_empty() {
        // Barriers are taken out of headers.
        return assert_tables::<S>(grounds, unpassed);
    }
    prove(
        &format!("emulator families::{family}::sites_are_needed"),
        |inputs| {
            inputs.add_emulator(family, &super::compiler());
            for ground in grounds {
                add_ground::<S>(inputs, ground);
            }
        },
        || assert_tables::<S>(grounds, unpassed),
    );
}

/// The programs of a ground, and the cases of its specs.
fn add_ground<S: Subject>(inputs: &mut Inputs, ground: &Ground) {
    inputs.add("ground", ground.name.as_bytes());
    for hand in ground.specs.chunks(BATCH) {
        let specs: Vec<S> = parsed(hand);
        inputs.add_program(&members(&specs));
        for spec in &specs {
            inputs.add("marked", marked(spec).as_bytes());
            inputs.add_cases(spec, &cases_of(spec, ground));
        }
    }
}

fn assert_tables<S: Subject>(grounds: &[Ground], unpassed: &[Unpassed]) {
    let (mut wrong, mut calls, mut passed) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for ground in grounds {
        let tried = try_ground::<S>(ground);
        wrong.extend(wrong_survivors(ground, &tried.trials));
        calls.extend(tried.calls);
        passed.extend(tried.passed);
    }
    wrong.extend(wrong_unpassed(unpassed, &calls, &passed));
    assert!(wrong.is_empty(), "the tables of sites are not right:\n{}", wrong.join("\n"));
}

/// Takes each site of each spec out.
fn try_ground<S: Subject>(ground: &Ground) -> Tried {
    let start = Instant::now();
    let compiler = super::compiler();
    let tried = Mutex::new(Tried::default());
    let hands: Vec<&[&str]> = ground.specs.chunks(BATCH).collect();
    cores::for_each(
        &hands,
        || (),
        |(), hand| {
            let of_hand = try_specs::<S>(&compiler, ground, hand);
            tried.lock().expect("no thread panics with it").extend(of_hand);
        },
    );
    let tried = tried.into_inner().expect("no thread panicked");
    let trials = &tried.trials;
    let runs: usize = trials.iter().map(|trial| trial.runs).sum();
    let survivors = trials.iter().filter(|trial| trial.complaint.is_none()).count();
    eprintln!(
        "sites: {survivors} of {} survive, {runs} runs, {} s",
        trials.len(),
        start.elapsed().as_secs()
    );
    tried
}

/// Where calls are passed by no case that the table does not have, or the table has some that are passed.
fn wrong_unpassed(
    table: &[Unpassed],
    calls: &BTreeSet<String>,
    passed: &BTreeSet<String>,
) -> Vec<String> {
    let found: BTreeSet<&str> = calls.difference(passed).map(String::as_str).collect();
    let known: BTreeSet<&str> = table.iter().map(|it| it.call).collect();
    let advice = "no case passes it: add one, or say why there is none";
    let unknown = found.difference(&known).map(|call| format!("{call}: {advice}"));
    let outdated = table.iter().filter(|it| !found.contains(it.call));
    let outdated = outdated.map(|it| format!("{}: is passed, or gone: {}", it.call, it.reason));
    unknown.chain(outdated).collect()
}

/// Where a site survives that the table does not have, or the table has one that does not.
fn wrong_survivors(ground: &Ground, trials: &[Trial]) -> Vec<String> {
    let mut caught: BTreeMap<(&str, &str), bool> = BTreeMap::new();
    for Trial { spec, name, complaint, .. } in trials {
        // A part that a header has several times is one entry: all of them survive, or not.
        *caught.entry((name, spec)).or_default() |= complaint.is_some();
    }
    let mut excused = BTreeSet::new();
    let mut wrong = Vec::new();
    for Survivor { marker, specs, reason } in ground.survivors {
        let is_same = |(name, _): &&(&str, &str)| name == marker;
        let all = caught.keys().filter(is_same).map(|(_, spec)| *spec);
        let specs: Vec<&str> = if specs.is_empty() { all.collect() } else { specs.to_vec() };
        if specs.is_empty() {
            wrong.push(format!("{marker}: no case passes it"));
        }
        for spec in specs {
            match caught.get(&(*marker, spec)) {
                Some(false) => {}
                Some(true) => wrong.push(format!("{spec}, {marker}: is caught, and not: {reason}")),
                None => wrong.push(format!("{spec}, {marker}: no case passes it")),
            }
            excused.insert((*marker, spec));
        }
    }
    for (site, is_caught) in &caught {
        if !is_caught && !excused.contains(site) {
            let advice =
                "show it in a case, or mark its line with `//~ MARKER` and excuse the marker";
            wrong.push(format!("{}, {}: survives; {advice}", site.1, site.0));
        }
    }
    let is_caught = |kind| trials.iter().any(|it| it.kind == kind && it.complaint.is_some());
    for (kind, shown) in KINDS {
        let is_here = matches!(shown, Shown::Ground(name) if *name == ground.name);
        if is_here && !is_caught(*kind) {
            wrong.push(format!("{kind}: no site of this kind is caught"));
        }
    }
    for Trial { name, kind, .. } in trials {
        if !KINDS.iter().any(|(known, _)| known == kind) {
            wrong.push(format!("{name}: no test has to catch sites of this kind"));
        }
    }
    wrong
}

fn parsed<S: Subject>(names: &[&str]) -> Vec<S> {
    let parse = |name: &&str| name.parse().unwrap_or_else(|error| panic!("{error}"));
    names.iter().map(parse).collect()
}

/// What a program of some specs is made of.
fn members<S: Subject>(specs: &[S]) -> Vec<Member> {
    let member = |spec: &S| spec.member().unwrap_or_else(|error| panic!("{error}"));
    specs.iter().map(member).collect()
}

/// The cases that a spec meets with each site.
fn cases_of<S: Subject>(spec: &S, ground: &Ground) -> Vec<S::Case> {
    spec.cases(ground.cases, &mut SEED.rng(&spec.to_string()))
}

/// Tries the sites of some specs, in one program.
fn try_specs<S: Subject>(
    compiler: &sortsmith_testkit::emulator::Compiler,
    ground: &Ground,
    names: &[&str],
) -> Tried {
    let specs: Vec<S> = parsed(names);
    let members = members(&specs);
    let batch = compiler
        .build(&format!("sites of {}", names[0]), &members, Flavour::Plain)
        .unwrap_or_else(|error| panic!("{error}"));
    let marked: Vec<(&str, String)> =
        specs.iter().zip(&members).map(|(spec, member)| (&*member.name, marked(spec))).collect();
    let mut tried = Tried::default();
    for (_, header) in &marked {
        tried.calls.extend(calls_in(header, &functions()));
    }
    for (number, spec) in specs.iter().enumerate() {
        let runs = Runs::new(ground, &batch, number, spec);
        tried.passed.extend(runs.sites().map(|site| site.call_name(header_of(site, &marked))));
        tried.trials.extend(runs.trials(&marked));
    }
    tried
}

/// What calls of sites call.
fn functions() -> BTreeSet<&'static str> {
    KINDS.iter().filter_map(|(kind, _)| kind.split(' ').next()).collect()
}

/// The header that a site is in, among those of a program. Common parts of several are those of the first one.
fn header_of<'a>(site: &Site, marked: &'a [(&str, String)]) -> &'a str {
    let is_there = |(name, _): &&(&str, String)| site.file.ends_with(&format!("/{name}.cuh"));
    &marked.iter().find(is_there).expect("a site is in a header").1
}

/// The header of a spec with its markers, line by line that of the program.
fn marked<S: Subject>(spec: &S) -> String {
    spec.marked_header().unwrap_or_else(|error| panic!("{error}"))
}

/// The cases of one spec, and the sites that each passes.
struct Runs<'a, S: Subject> {
    batch: &'a Batch,
    number: usize,
    spec: &'a S,
    cases: Vec<S::Case>,
    /// Under even schedules and odd ones: a seed's parity has a part in the choice of the GPU.
    passed: Vec<[BTreeSet<Site>; 2]>,
    /// Of their requests.
    bytes: Vec<usize>,
    /// Markers of the sites that the table excuses in this spec.
    excused: Vec<&'static str>,
}

impl<'a, S: Subject> Runs<'a, S> {
    /// Runs each case twice, with all sites as they are.
    fn new(ground: &Ground, batch: &'a Batch, number: usize, spec: &'a S) -> Self {
        let mut cases = cases_of(spec, ground);
        let size = |case: &S::Case| spec.message(case, number, 0).bytes.len();
        // Small ones cost least.
        cases.sort_by_key(size);
        let bytes = cases.iter().map(size).collect();
        let name = spec.to_string();
        let is_of_spec = |it: &&Survivor| it.specs.is_empty() || it.specs.contains(&name.as_str());
        let excused = ground.survivors.iter().filter(is_of_spec).map(|it| it.marker).collect();
        let mut runs = Self { batch, number, spec, cases, passed: Vec::new(), bytes, excused };
        let mut session = runs.session();
        for (case, items) in runs.cases.iter().enumerate() {
            let passed = [0, 1].map(|schedule| {
                session.list_sites().unwrap_or_else(|error| panic!("{error}"));
                let complaint = runs.complaint(&mut session, case, schedule);
                assert_eq!(complaint, None, "{spec}, {items}, with all sites");
                let passed = session.listed_sites().unwrap_or_else(|error| panic!("{error}"));
                passed.into_iter().collect()
            });
            runs.passed.push(passed);
        }
        runs
    }

    /// The sites that some case passes.
    fn sites(&self) -> impl Iterator<Item = &Site> {
        self.passed.iter().flatten().flatten().collect::<BTreeSet<_>>().into_iter()
    }

    fn session(&self) -> Session {
        Session::start_impatient(self.batch, BLOCK_SECONDS).unwrap_or_else(|e| panic!("{e}"))
    }

    /// What is wrong with a case under one schedule.
    fn complaint(&self, session: &mut Session, case: usize, schedule: u64) -> Option<String> {
        let seed = case as u64 * SCHEDULES + schedule;
        let case = &self.cases[case];
        match session.run(&self.spec.message(case, self.number, seed).detecting_races()) {
            Ok(outcome) => self.spec.complaint(case, &outcome),
            Err(error) => Some(error.to_string()),
        }
    }

    /// Takes each site out, on all cores. The program has these headers, by their names and with their markers.
    fn trials(&self, marked: &[(&str, String)]) -> Vec<Trial> {
        let sites: Vec<&Site> = self.sites().collect();
        let trials = Mutex::new(Vec::new());
        cores::for_each(
            &sites,
            || None,
            |session, site| {
                let trial = self.trial(session, site, site.name(header_of(site, marked)));
                trials.lock().expect("no thread panics with it").push(trial);
            },
        );
        trials.into_inner().expect("no thread panicked")
    }

    fn trial(&self, session: &mut Option<Session>, site: &Site, name: String) -> Trial {
        let start = Instant::now();
        let kind = format!("{} {}", site.call, site.way);
        // Whether the table has sites that are caught by now, a deep test finds out: nothing takes longer than to catch none.
        if !seed::is_deep() && self.excused.contains(&name.as_str()) {
            return Trial { spec: self.spec.to_string(), name, kind, complaint: None, runs: 0 };
        }
        // Cases first, then schedules: what a site is for is in few cases, and goes wrong under most schedules. Cases that
        // pass most other sites come first, and of these the smallest, which cost least.
        let mut cases: Vec<usize> = (0..self.cases.len()).collect();
        cases.sort_by_key(|case| {
            std::cmp::Reverse(self.passed[*case].iter().map(BTreeSet::len).max())
        });
        let tries = (0..SCHEDULES)
            .flat_map(|round| {
                cases.iter().map(move |case| (*case, (*case as u64 + round) % SCHEDULES))
            })
            .filter(|(case, schedule)| self.passed[*case][*schedule as usize % 2].contains(site))
            .take(MOST_RUNS);
        let (mut complaint, mut runs, mut bytes) = (None, 0, 0);
        for (case, schedule) in tries {
            let running = session.get_or_insert_with(|| self.session());
            if runs == 0 {
                running.take_out(Some(site)).unwrap_or_else(|error| panic!("{error}"));
            }
            runs += 1;
            complaint = self.complaint(running, case, schedule);
            bytes += self.bytes[case];
            if complaint.is_some() || bytes > MOST_BYTES {
                break;
            }
        }
        if complaint.as_ref().is_some_and(|text| text.starts_with("no answer")) {
            *session = None;
        }
        println!(
            "{}, {name} ({runs} runs, {:.1} s): {}",
            self.spec,
            start.elapsed().as_secs_f32(),
            complaint.as_deref().unwrap_or("survives")
        );
        Trial { spec: self.spec.to_string(), name, kind, complaint, runs }
    }
}
