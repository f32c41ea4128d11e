//! Tests in a process of their own: what a process does at its first sort, and what its environment decides.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The variable that says what a child process does.
const CHILD: &str = "SORTSMITH_TEST_CHILD";

/// A child process of a test, by what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Child {
    /// Sorts by embedded kernels.
    Embedded,
    /// Sorts, and may compile.
    FirstSorts,
    /// Sorts by kernels that another process compiled.
    ColdStart,
    /// Has no compiler.
    NoCompiler,
    /// Measures the cost of calls.
    Calls,
    /// Sorts by a tuning file.
    Tuned,
}

impl Child {
    const ALL: [(Self, &'static str); 6] = [
        (Self::Embedded, "embedded"),
        (Self::FirstSorts, "first-sorts"),
        (Self::ColdStart, "cold-start"),
        (Self::NoCompiler, "no-compiler"),
        (Self::Calls, "calls"),
        (Self::Tuned, "tuned"),
    ];

    /// What this process is, if it is a child.
    pub fn of_this_process() -> Option<Self> {
        let name = std::env::var(CHILD).ok()?;
        Self::ALL.into_iter().find_map(|(child, own)| (own == name).then_some(child))
    }

    /// Runs the child to its end, with these variables and without the caller's that would change it. Its stdout goes to this
    /// process's stdout, and its stderr is returned.
    pub fn run(self, variables: &[(&str, &str)]) -> String {
        let name = Self::ALL.into_iter().find_map(|(child, name)| (child == self).then_some(name));
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.env(CHILD, name.unwrap());
        for name in ["SORTSMITH_BACKEND", "SORTSMITH_DISABLE_JIT", "SORTSMITH_TUNING"] {
            command.env_remove(name);
        }
        let output = command.envs(variables.iter().copied()).output().unwrap();
        let [stdout, stderr] =
            [output.stdout, output.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
        print!("{stdout}");
        assert!(output.status.success(), "{self:?} ended with {}: {stderr}", output.status);
        stderr
    }
}

/// Whether NVRTC is loaded into this process; always false on systems other than Linux.
pub fn has_loaded_nvrtc() -> bool {
    fs::read_to_string("/proc/self/maps").is_ok_and(|maps| maps.contains("nvrtc"))
}

/// An empty folder for a cache, as a variable's value.
pub fn path_of(dir: &Path) -> &str {
    dir.to_str().unwrap()
}
