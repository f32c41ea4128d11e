//! Proofs that are not repeated: tests without a random choice, which give the same answer as long as their inputs are the same.
//!
//! The record, `tests/proven.txt`, has a line for each proof: its name, and a hash of everything that its outcome depends on, as it was when
//! the proof last held. A proof with that hash does not run. `cargo xtask prove` writes the record; deep runs, quick runs and runs of
//! chosen specs neither read nor write it.

mod comments;
mod emulated;
mod inputs;
mod record;
mod toolkit;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use crate::seed;
pub use inputs::{Inputs, hash_of_files, is_source};
use record::Record;
pub use toolkit::{files_in, headers_in, nvcc_is_plain};

/// The variable that asks for proofs: `1` of what the record does not have, `all` of everything. What holds is recorded.
pub const PROVE_VARIABLE: &str = "SORTSMITH_PROVE";

/// Which proofs are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proving {
    /// None.
    Nothing,
    /// What the record does not have, which alone is run.
    New,
    /// All: all are run.
    All,
}

/// How a run treats its proofs.
struct Run {
    record: PathBuf,
    proving: Proving,
    /// Whether it runs other proofs than those of the record.
    differs: bool,
    /// When the program was built: Rust that was written since is not in it.
    built: SystemTime,
}

impl Run {
    fn of_environment() -> Self {
        let proving = match std::env::var(PROVE_VARIABLE).as_deref() {
            Err(_) => Proving::Nothing,
            Ok("1") => Proving::New,
            Ok("all") => Proving::All,
            Ok(other) => panic!("{PROVE_VARIABLE}={other}: `1` and `all` are legal"),
        };
        let program = std::env::current_exe().and_then(|program| program.metadata()?.modified());
        let built = program.unwrap_or_else(|error| panic!("the time of this program: {error}"));
        Self {
            record: inputs::repository().join("tests/proven.txt"),
            proving,
            differs: !counts(),
            built,
        }
    }
}

/// Whether proofs count in this run: not where it runs more of them, samples, or chosen specs.
pub fn counts() -> bool {
    !(seed::is_deep() || seed::is_quick() || seed::chosen_specs().is_some())
}

/// Runs a proof, unless it has held by the same inputs. The name is the target and the test, as in `emulator families::gather::sites_are_needed`.
///
/// `inputs` adds all that the outcome depends on, and is not called where the record does not count. A proof that fails panics.
pub fn prove(name: &str, inputs: impl FnOnce(&mut Inputs), proof: impl FnOnce()) {
    prove_in(&Run::of_environment(), name, inputs, proof);
}

/// The tests of a process run in parallel, and each reads the record and writes it.
static RECORD: Mutex<()> = Mutex::new(());

fn prove_in(run: &Run, name: &str, inputs: impl FnOnce(&mut Inputs), proof: impl FnOnce()) {
    if run.differs {
        return proof();
    }
    let begun = SystemTime::now();
    let mut all = Inputs::of(name);
    inputs(&mut all);
    let hash = all.hash();
    let is_rust = |path: &Path| path.extension().is_some_and(|it| it == "rs");
    if let Some(path) = all.newer_than(run.built, is_rust) {
        say(&format!(
            "{name}: runs, and is not recorded: {} is newer than this program",
            path.display()
        ));
        return proof();
    }
    let read = || Record::read(&run.record).unwrap_or_else(|error| panic!("{error}"));
    let known = {
        let _lock = RECORD.lock().unwrap_or_else(PoisonError::into_inner);
        read()
    };
    if run.proving != Proving::All && known.has(name, &hash) {
        return say(&format!("{name}: proven before, by tests/proven.txt"));
    }
    proof();
    if run.proving == Proving::Nothing {
        return say(&format!(
            "{name}: holds; `cargo xtask prove` records it, so that it runs once"
        ));
    }
    if let Some(path) = all.newer_than(begun, |_| true) {
        return say(&format!(
            "{name}: holds, and is not recorded: {} was written meanwhile",
            path.display()
        ));
    }
    let _lock = RECORD.lock().unwrap_or_else(PoisonError::into_inner);
    let mut record = read();
    record.set(name, &hash);
    record.write(&run.record).unwrap_or_else(|error| panic!("{}: {error}", run.record.display()));
    say(&format!("{name}: proven, and recorded"));
}

/// Prints a line whether the test passes or not: what did not run is to be seen.
fn say(line: &str) {
    // Without a stderr no line can be read.
    let _ = writeln!(std::io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Duration;
    use std::{env, fs, process};

    use super::*;

    const NAME: &str = "kit proof";

    /// A run with a record of its own, which is removed with it.
    struct Trial(Run);

    impl Trial {
        fn new(label: &str) -> Self {
            let record = env::temp_dir().join(format!("sortsmith-{label}-{}.txt", process::id()));
            let built = SystemTime::now();
            Self(Run { record, proving: Proving::Nothing, differs: false, built })
        }

        fn with(&mut self, proving: Proving, differs: bool) -> &Self {
            (self.0.proving, self.0.differs) = (proving, differs);
            self
        }

        /// Whether the proof of this input runs.
        fn runs(&self, input: &str) -> bool {
            let has_run = Cell::new(false);
            let add = |inputs: &mut Inputs| inputs.add("input", input.as_bytes());
            prove_in(&self.0, NAME, add, || has_run.set(true));
            has_run.get()
        }

        fn text(&self) -> Option<String> {
            fs::read_to_string(&self.0.record).ok()
        }
    }

    impl Drop for Trial {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0.record);
        }
    }

    #[test]
    fn what_is_recorded_with_the_same_inputs_alone_does_not_run() {
        use Proving::{All, New, Nothing};
        let mut trial = Trial::new("recorded");
        assert!(trial.with(Nothing, false).runs("a") && trial.text().is_none());
        assert!(trial.with(New, false).runs("a"));
        let of_a = trial.text().expect("it is recorded");
        for proving in [Nothing, New] {
            assert!(!trial.with(proving, false).runs("a"), "{proving:?}");
        }
        assert!(trial.with(All, false).runs("a"));
        assert!(trial.with(Nothing, false).runs("b"));
        for proving in [Nothing, New, All] {
            assert!(trial.with(proving, true).runs("a") && trial.runs("b"), "{proving:?}");
        }
        assert_eq!(trial.text().as_ref(), Some(&of_a));
        assert!(trial.with(New, false).runs("b"));
        assert!(!trial.runs("b") && trial.runs("a"));
    }

    #[test]
    fn a_proof_that_fails_is_not_recorded() {
        let mut trial = Trial::new("failed");
        let run = &trial.with(Proving::New, false).0;
        let fails = || prove_in(run, NAME, |_| (), || panic!("it does not hold"));
        assert!(catch_unwind(AssertUnwindSafe(fails)).is_err());
        assert_eq!(trial.text(), None);
    }

    #[test]
    fn what_is_written_after_the_program_or_meanwhile_is_not_proven() {
        let mut trial = Trial::new("written");
        trial.with(Proving::New, false);
        let source = env::temp_dir().join(format!("sortsmith-written-{}.rs", process::id()));
        let write = || fs::write(&source, "fn a() {}").expect("a file");
        let add = |inputs: &mut Inputs| inputs.add_file("source", &source);
        write();
        trial.0.built = SystemTime::now() - Duration::from_secs(60);
        prove_in(&trial.0, NAME, add, || ());
        assert_eq!(trial.text(), None);
        trial.0.built = SystemTime::now() + Duration::from_secs(60);
        prove_in(&trial.0, NAME, add, || {
            std::thread::sleep(Duration::from_millis(20));
            write();
        });
        assert_eq!(trial.text(), None);
        prove_in(&trial.0, NAME, add, || ());
        assert!(trial.text().is_some());
        fs::remove_file(source).expect("it is there");
    }

    #[test]
    fn a_record_that_cannot_be_read_is_an_error() {
        let mut trial = Trial::new("malformed");
        fs::write(&trial.0.record, "no line\n").expect("a file");
        let trial = trial.with(Proving::New, false);
        assert!(catch_unwind(AssertUnwindSafe(|| trial.runs("a"))).is_err());
        assert_eq!(trial.text().as_deref(), Some("no line\n"));
    }
}
