//! A target over its corpus and over random changes of it, without a fuzzer.

use std::fmt::Write as _;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use sortsmith_testkit::seed::{SEED_VARIABLE, Seed};

use crate::Target;
use crate::mutate::mutate;

/// No input takes longer, however busy the machine is.
const LIMIT: Duration = Duration::from_secs(60);

/// How long to go on beyond the corpus.
#[derive(Clone, Copy, Debug)]
pub enum Length {
    /// A number of changed inputs, which depend on the seed alone.
    Rounds(u32),
    /// For so long.
    Time(Duration),
}

/// Runs the target. Where it panics, or does not end, the input is kept in a file, and printed with where it is.
pub fn run(target: &Target, seed: Seed, length: Length) {
    let inputs = inputs(&target.corpus());
    assert!(!inputs.is_empty(), "{} has no corpus", target.name);
    let (words, mut rng) = ((target.words)(), seed.rng(target.name));
    let (sender, receiver) = mpsc::channel();
    let name = target.name;
    let watcher = std::thread::spawn(move || watch(name, &receiver));
    let run = |input: &[u8]| {
        sender.send(input.to_vec()).expect("it is watched");
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (target.run)(input))) {
            eprintln!("{name}, {SEED_VARIABLE}={}: {}", seed.0, keep(name, input));
            resume_unwind(panic);
        }
    };
    let start = Instant::now();
    for input in &inputs {
        run(input);
    }
    let mut rounds = 0;
    let goes_on = |rounds: u32| match length {
        Length::Rounds(most) => rounds < most,
        Length::Time(time) => start.elapsed() < time,
    };
    while goes_on(rounds) {
        run(&mutate(&inputs, &words, &mut rng));
        rounds += 1;
    }
    drop(sender);
    watcher.join().expect("it only waits");
    let (count, seconds) = (inputs.len(), start.elapsed().as_secs_f32());
    eprintln!(
        "{name}: {count} inputs and {rounds} changed ones, {SEED_VARIABLE}={}, {seconds:.1} s",
        seed.0
    );
}

/// The files of a folder, by name.
fn inputs(folder: &Path) -> Vec<Vec<u8>> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort_unstable();
    paths.iter().map(|path| fs::read(path).expect("it can be read")).collect()
}

/// Ends the process where an input takes too long.
fn watch(name: &str, receiver: &mpsc::Receiver<Vec<u8>>) {
    let mut input = Vec::new();
    loop {
        match receiver.recv_timeout(LIMIT) {
            Ok(next) => input = next,
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                eprintln!("{name} took more than {} s: {}", LIMIT.as_secs(), keep(name, &input));
                std::process::abort();
            }
        }
    }
}

/// Keeps an input for people who look into it; says where, and what it is.
fn keep(name: &str, input: &[u8]) -> String {
    let mut said = String::new();
    let path = std::env::temp_dir().join(format!("sortsmith-fuzz-{name}-{}", std::process::id()));
    match fs::write(&path, input) {
        Ok(()) => write!(said, "the input is in {}: ", path.display()),
        Err(error) => write!(said, "the input could not be kept ({error}): "),
    }
    .expect("a text takes all");
    said + &input.escape_ascii().to_string()
}
