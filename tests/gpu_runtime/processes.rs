//! Tests in a process of their own: what a process does at its first sort, and what its environment decides.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{alone, calls, embedded, tuned};

/// Tells a process which part it is to do.
const PART: &str = "SORTSMITH_TEST_PART";

/// What such a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Sorts by what the program carries.
    Embedded,
    /// Sorts, and may compile.
    FirstSorts,
    /// Sorts by what another process compiled.
    ColdStart,
    /// Has no compiler.
    NoCompiler,
    /// Measures what calls cost.
    Calls,
    /// Sorts by a tuning file.
    Tuned,
}

impl Part {
    const ALL: [(Self, &'static str); 6] = [
        (Self::Embedded, "embedded"),
        (Self::FirstSorts, "first-sorts"),
        (Self::ColdStart, "cold-start"),
        (Self::NoCompiler, "no-compiler"),
        (Self::Calls, "calls"),
        (Self::Tuned, "tuned"),
    ];

    /// That of this process, if it is there for one.
    pub fn of_this_process() -> Option<Self> {
        let word = std::env::var(PART).ok()?;
        Self::ALL.into_iter().find_map(|(part, own)| (own == word).then_some(part))
    }

    /// Does it. What fails panics, so the process ends with another code than 0.
    pub fn run(self) {
        match self {
            Self::Embedded => embedded::part(),
            Self::FirstSorts | Self::ColdStart => alone::sort_first(),
            Self::NoCompiler => alone::no_compiler(),
            Self::Calls => calls::part(),
            Self::Tuned => tuned::part(),
        }
    }

    /// Has another process do it, with these variables and none of the caller's that would change it. What it says goes to
    /// this process's output; what it tells stderr is returned.
    pub fn run_elsewhere(self, variables: &[(&str, &str)]) -> String {
        let word = Self::ALL.into_iter().find_map(|(part, word)| (part == self).then_some(word));
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.env(PART, word.unwrap());
        for name in ["SORTSMITH_BACKEND", "SORTSMITH_DISABLE_JIT", "SORTSMITH_TUNING"] {
            command.env_remove(name);
        }
        let output = command.envs(variables.iter().copied()).output().unwrap();
        let [said, told] =
            [output.stdout, output.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
        print!("{said}");
        assert!(output.status.success(), "{self:?} ended with {}: {told}", output.status);
        told
    }
}

/// Whether NVRTC is loaded into this process. Only Linux tells; elsewhere it is taken not to be.
pub fn has_loaded_nvrtc() -> bool {
    fs::read_to_string("/proc/self/maps").is_ok_and(|maps| maps.contains("nvrtc"))
}

/// An empty folder for a cache, as a variable's value.
pub fn path_of(dir: &Path) -> &str {
    dir.to_str().unwrap()
}
