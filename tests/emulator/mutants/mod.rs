//! Proves that the emulator bites: generated headers with one thing broken must fail. Barriers, fences, waits and atomics of most
//! of the same specs are taken out by [`super::sites`], which changes no header.
//!
//! All choices are fixed, so that the same mutants survive each time. These are harmless, each for a reason that the tables
//! give; that they still survive is tried by deep runs alone. Deep runs break each thing in every header that has it, others
//! in the first one where it does harm.

mod edit;
pub(crate) mod names;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sortsmith_codegen::{SortSpec, render};
use sortsmith_testkit::cores;
use sortsmith_testkit::emulator::{Batch, Compiler, Flavour, Member, SCHEDULES, Session};
use sortsmith_testkit::proven::{Inputs, prove};
use sortsmith_testkit::seed::{self, Seed};
use sortsmith_testkit::subject::Subject;

use crate::BLOCK_SECONDS;
pub(crate) use edit::Edit;

const SEED: Seed = Seed(20_260_101);
/// Mutants in one program.
const BATCH: usize = 8;

/// The case and the schedule of a run.
pub(crate) type Run = (usize, u64);

/// Runs that alone catch some mutants of a spec, of rare paths. They are tried early. Where others do instead, by then, the same mutants are caught later.
pub(crate) type Telling = &'static [(&'static str, &'static [Run])];

/// A label, the marker of the lines that are broken, and how. It applies to every header in which its pattern matches such a
/// line, and to at least one.
pub(crate) type Mutation = (&'static str, &'static str, Edit);

/// Spec and label of a mutant that no case can tell from the original, and why.
pub(crate) type Survivor = (&'static str, &'static str, &'static str);

/// What is broken of sorts that read how many rows there are.
#[rustfmt::skip] // one a line
pub(crate) const ROW_COUNT_MUTATIONS: &[Mutation] = &[
    ("rows that do not count are sorted", "counted-row", Edit::Swap("<", "+ 1 > 0 ||")),
    ("one row too many is sorted", "counted-row", Edit::Swap("<", "<=")),
    ("rows before do not count", "row-of-all", Edit::Swap("= $$a + $b;", "= $b;")),
    ("blocks without a row do not wait", "grid-of-no-row", Edit::Drop),
];

/// Where the barriers of some specs are taken out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Barriers {
    /// Of the same specs by [`super::sites`], which compiles nothing for it.
    AtRunTime,
    /// Here, each out of a header of its own.
    Here,
}

/// The mutants of some specs.
pub(crate) struct Ground {
    /// The specs.
    pub specs: &'static [&'static str],
    /// What is done to their headers, beside taking out each barrier.
    pub mutations: &'static [Mutation],
    /// Where their barriers are taken out.
    pub barriers: Barriers,
    /// Runs that are tried early.
    pub telling: Telling,
    /// The mutants that survive.
    pub survivors: &'static [Survivor],
    /// Cases that each mutant meets, under each schedule.
    pub cases: usize,
}

/// A header with one thing broken.
struct Mutant<S> {
    spec: S,
    label: String,
    member: Member,
}

impl<S: Subject> Mutant<S> {
    /// As the tables name it.
    fn id(&self) -> (String, String) {
        (self.spec.to_string(), self.label.clone())
    }
}

/// The mutants of a ground that a run tries, and which of them survive.
struct Trials<'a, S> {
    ground: &'a Ground,
    mutants: Vec<Mutant<S>>,
    expected: BTreeSet<(String, String)>,
}

/// Runs all mutants of a family, and fails where others survive than the tables have. What has held does not run again.
pub(crate) fn assert_survivors<S: Subject>(family: &str, grounds: &[Ground]) {
    let trials: Vec<Trials<'_, S>> = grounds.iter().map(Trials::of).collect();
    prove(
        &format!("emulator families::{family}::mutants_are_caught_but_those_that_are_harmless"),
        |inputs| {
            inputs.add_emulator(family, &super::compiler());
            for trials in &trials {
                trials.add_to(inputs);
            }
        },
        || trials.iter().for_each(Trials::assert_survivors),
    );
}

impl<'a, S: Subject> Trials<'a, S> {
    fn of(ground: &'a Ground) -> Self {
        let mut mutants: Vec<Mutant<S>> = all_mutants(ground);
        let ids: BTreeSet<(String, String)> = mutants.iter().map(Mutant::id).collect();
        let of_table = ground.survivors.iter();
        let mut expected: BTreeSet<(String, String)> =
            of_table.map(|(spec, label, _)| ((*spec).to_owned(), (*label).to_owned())).collect();
        let strangers: Vec<_> = expected.difference(&ids).collect();
        assert!(
            strangers.is_empty(),
            "survivors of the table that no mutant is: {strangers:?}; give each the spec and the label of one: those of barriers \
             are `barrier `MARKER` is missing`, with the marker of the barrier's line in its template"
        );
        if !seed::is_deep() {
            let mut labels = BTreeSet::new();
            mutants.retain(|mutant| {
                !expected.contains(&mutant.id()) && labels.insert(mutant.label.clone())
            });
            expected.clear();
        }
        Self { ground, mutants, expected }
    }

    /// The programs with the mutants, and the cases that each of them meets.
    fn add_to(&self, inputs: &mut Inputs) {
        inputs.add_debug("survivors", &self.expected);
        for hand in self.mutants.chunks(BATCH) {
            inputs.add_program(&members(hand));
        }
        let mut names = BTreeSet::new();
        for Mutant { spec, label, .. } in &self.mutants {
            let name = spec.to_string();
            inputs.add(&name, label.as_bytes());
            if names.insert(name) {
                inputs.add_cases(spec, &cases_of(spec, self.ground));
            }
        }
    }

    fn assert_survivors(&self) {
        let Self { ground, mutants, expected } = self;
        let Found { survivors, building, running } = try_all(ground, mutants);
        eprintln!(
            "mutants: {} of {} survive; {} s of compiling and {} s of running over all cores",
            survivors.len(),
            mutants.len(),
            building.as_secs(),
            running.as_secs()
        );
        let lines = |set: Vec<&(String, String)>| -> String {
            let lines: Vec<String> = set
                .iter()
                .map(|(spec, label)| format!("\n    (\"{spec}\", \"{label}\")"))
                .collect();
            lines.concat()
        };
        let (new, gone) =
            (survivors.difference(expected).collect(), expected.difference(&survivors).collect());
        assert!(
            survivors == *expected,
            "survivors that the table does not have:{}\nand those of the table that are caught:{}",
            lines(new),
            lines(gone)
        );
    }
}

/// What a program of some mutants is made of.
fn members<S>(hand: &[Mutant<S>]) -> Vec<Member> {
    hand.iter().map(|mutant| mutant.member.clone()).collect()
}

/// The cases that each mutant of a spec meets.
fn cases_of<S: Subject>(spec: &S, ground: &Ground) -> Vec<S::Case> {
    spec.cases(ground.cases, &mut SEED.rng(&spec.to_string()))
}

/// Tries the mutants, some in a program, on all cores.
fn try_all<S: Subject>(ground: &Ground, mutants: &[Mutant<S>]) -> Found {
    let compiler = super::compiler();
    let found = Mutex::new(Found::default());
    let telling = TellingRuns { of_table: ground.telling, found: Mutex::default() };
    let hands: Vec<&[Mutant<S>]> = mutants.chunks(BATCH).collect();
    cores::for_each(
        &hands,
        || (),
        |(), hand| {
            let of_hand = survivors_of(&compiler, ground, hand, &telling);
            found.lock().expect("no thread panics with it").add(of_hand);
        },
    );
    found.into_inner().expect("no thread panicked")
}

/// Spec and label of the mutants that no case catches, and the time that it took to find them.
#[derive(Default)]
struct Found {
    survivors: BTreeSet<(String, String)>,
    building: Duration,
    running: Duration,
}

impl Found {
    fn add(&mut self, other: Self) {
        self.survivors.extend(other.survivors);
        self.building += other.building;
        self.running += other.running;
    }
}

/// The runs that caught other mutants of a spec, the latest last. They are tried early: what catches one mutant of a rare path
/// catches most others of it. All other runs follow, so the order decides how long it takes, and not which mutants survive.
struct TellingRuns {
    of_table: Telling,
    found: Mutex<BTreeMap<String, Vec<Run>>>,
}

impl TellingRuns {
    /// The number that is tried early at most.
    const MOST: usize = 32;

    /// The order of the runs of a spec's cases: one of the first case, those that caught others or are known to, and the rest.
    fn order(&self, spec: &str, cases: &[usize]) -> Vec<Run> {
        // Most mutants go wrong under any schedule, so each case is tried under one first.
        let round =
            |round| cases.iter().map(move |case| (*case, (*case as u64 + round) % SCHEDULES));
        let all = (0..SCHEDULES).flat_map(round);
        let known = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let telling = known.get(spec).into_iter().flatten().rev().take(Self::MOST).copied();
        let of_table = self.of_table.iter().filter(|(name, _)| *name == spec);
        let of_table = of_table.flat_map(|(_, runs)| *runs).copied();
        let of_table = of_table.filter(|(case, _)| *case < cases.len());
        let mut seen = BTreeSet::new();
        let early = all.clone().take(1).chain(telling).chain(of_table);
        early.chain(all).filter(|run| seen.insert(*run)).collect()
    }

    fn add(&self, spec: &str, run: Run) {
        let mut known = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let runs = known.entry(spec.to_owned()).or_default();
        runs.retain(|known| *known != run);
        runs.push(run);
    }
}

/// The mutants of a batch that no case catches.
fn survivors_of<S: Subject>(
    compiler: &Compiler,
    ground: &Ground,
    hand: &[Mutant<S>],
    telling: &TellingRuns,
) -> Found {
    let start = Instant::now();
    let members = members(hand);
    let batch = compiler
        .build(&members[0].name, &members, Flavour::Brief)
        .unwrap_or_else(|error| panic!("{error}"));
    let building = start.elapsed();
    let start = Instant::now();
    let survivors = hand
        .iter()
        .enumerate()
        .filter_map(|(member, mutant)| {
            let start = Instant::now();
            let caught = first_complaint(&batch, ground, (member, &mutant.spec), telling);
            let (spec, label, seconds) = (&mutant.spec, &mutant.label, start.elapsed().as_secs_f32());
            match &caught {
                Some(((case, schedule), complaint)) => println!(
                    "{spec}, {label} ({seconds:.1} s, case {case} under schedule {schedule}): {complaint}"
                ),
                None => println!("{spec}, {label} ({seconds:.1} s): survives"),
            }
            caught.is_none().then(|| (spec.to_string(), label.clone()))
        })
        .collect();
    Found { survivors, building, running: start.elapsed() }
}

/// The first run of a spec's cases, under all schedules, that goes wrong with a member of a batch, and what it finds wrong.
fn first_complaint<S: Subject>(
    batch: &Batch,
    ground: &Ground,
    (member, spec): (usize, &S),
    telling: &TellingRuns,
) -> Option<(Run, String)> {
    let mut session =
        Session::start_impatient(batch, BLOCK_SECONDS).unwrap_or_else(|e| panic!("{e}"));
    let name = spec.to_string();
    let cases = cases_of(spec, ground);
    // Small ones cost least.
    let mut by_size: Vec<usize> = (0..cases.len()).collect();
    by_size.sort_by_key(|case| spec.message(&cases[*case], member, 0).bytes.len());
    telling.order(&name, &by_size).into_iter().find_map(|run @ (number, schedule)| {
        let (case, seed) = (&cases[number], number as u64 * SCHEDULES + schedule);
        let complaint = match session.run(&spec.message(case, member, seed)) {
            Ok(outcome) => spec.complaint(case, &outcome),
            Err(error) => Some(error.to_string()),
        };
        if complaint.is_some() {
            telling.add(&name, run);
        }
        complaint.map(|complaint| (run, complaint))
    })
}

fn all_mutants<S: Subject>(ground: &Ground) -> Vec<Mutant<S>> {
    let mut mutants = Vec::new();
    let mut unused: BTreeSet<&str> = ground.mutations.iter().map(|(label, ..)| *label).collect();
    for name in ground.specs {
        let spec: S = name.parse().unwrap_or_else(|error| panic!("{error}"));
        let original = spec.member().unwrap_or_else(|error| panic!("{error}"));
        let marked = spec.marked_header().unwrap_or_else(|error| panic!("{error}"));
        let mut broken = match ground.barriers {
            Barriers::AtRunTime => Vec::new(),
            Barriers::Here => without_each_barrier(&marked, name),
        };
        for (label, marker, edit) in ground.mutations {
            let edited = edit::edited(&marked, marker, *edit);
            if let Some(text) = edited.unwrap_or_else(|error| panic!("{spec}, {label}: {error}")) {
                broken.push(((*label).to_owned(), text));
                unused.remove(label);
            }
        }
        for (number, (label, text)) in broken.into_iter().enumerate() {
            mutants.push(Mutant { spec, label, member: renamed(&original, number, &text) });
        }
    }
    assert!(unused.is_empty(), "no header has a line that these break: {unused:?}");
    mutants
}

/// The label of the mutant without the barrier on a line with this marker.
fn label_without_barrier(marker: &str) -> String {
    format!("barrier `{marker}` is missing")
}

/// The marker in such a label.
pub(crate) fn marker_of_barrier(label: &str) -> Option<&str> {
    label.strip_prefix("barrier `")?.strip_suffix("` is missing")
}

/// The header with one barrier taken out, for each of its barriers: labelled by the marker of its line, or by its function and its
/// number in it. Barriers of other sorts that it contains are taken out where their families are tested.
fn without_each_barrier(marked_header: &str, name: &str) -> Vec<(String, String)> {
    let header = render::markers::strip(marked_header);
    let mut found = Vec::new();
    let (mut function, mut count, mut offset, mut is_of_other) = ("", 0, 0, false);
    for (line, marked) in header.split_inclusive('\n').zip(marked_header.lines()) {
        is_of_other = (is_of_other && line != "};\n") || begins_other_sort(line, name);
        if let Some((before, _)) = line.split_once('(').filter(|_| line.contains("__device__")) {
            function = before.rsplit(' ').next().unwrap_or_default();
            count = 0;
        }
        if let Some((start, barrier)) = barrier_in(line).filter(|_| !is_of_other) {
            count += 1;
            let (start, end) = (offset + start, offset + start + barrier.len());
            let name = &barrier[..barrier.find('(').unwrap_or(barrier.len())];
            let label = render::markers::split(marked).1.map_or_else(
                || format!("barrier {count} of {function}, a {name}, is missing"),
                label_without_barrier,
            );
            found.push((label, format!("{};{}", &header[..start], &header[end..])));
        }
        offset += line.len();
    }
    found
}

/// Whether a line begins the struct of a sort of tiles of another name.
fn begins_other_sort(line: &str, name: &str) -> bool {
    let named = line.strip_prefix("struct ").and_then(|rest| rest.split(' ').next());
    named.is_some_and(|it| it != name && it.parse::<SortSpec>().is_ok())
}

/// The barrier in a line of code, with its semicolon.
fn barrier_in(line: &str) -> Option<(usize, &str)> {
    let code = line.split("//").next().unwrap_or_default();
    let start = ["__syncthreads(", "__syncwarp("].iter().find_map(|call| code.find(call))?;
    let length = code[start..].find(';')? + 1;
    Some((start, &line[start..start + length]))
}

/// The header under a name of its own, and in a namespace of its own: its common parts are not those of other mutants.
fn renamed(original: &Member, number: usize, header: &str) -> Member {
    let Member { kind, name, .. } = original;
    let version = render::version_namespace().to_uppercase();
    let own_name = format!("{name}_mutant{number}");
    let own_namespace = format!("of_{own_name}");
    let header = header
        .replace(name, &own_name)
        .replace(&format!("SORTSMITH_{version}_"), &format!("{}_", own_namespace.to_uppercase()))
        .replace("namespace sortsmith {", &format!("namespace {own_namespace} {{"))
        .replace("sortsmith::", &format!("{own_namespace}::"))
        + &format!("namespace sortsmith {{ using {own_namespace}::{own_name}; }}\n");
    Member { kind: *kind, name: own_name, header }
}
