//! What the environment says of compiling and of messages.

use std::io::{self, Write as _};

use sortsmith_codegen::trust::variable;

/// The settings that environment variables hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// `SORTSMITH_DISABLE_JIT=1`: kernels come from embedded bundles or from the cache, and no compiler is looked for.
    pub jit_disabled: bool,
    /// `SORTSMITH_VERBOSE=1`: messages go to stderr.
    pub verbose: bool,
}

impl Settings {
    /// Reads the environment, but in a program with more rights than the user that started it.
    pub fn from_env() -> Self {
        let is_set = |name| variable(name).is_some_and(|value| value == "1");
        Self { jit_disabled: is_set("SORTSMITH_DISABLE_JIT"), verbose: is_set("SORTSMITH_VERBOSE") }
    }

    /// Writes a message to stderr if messages are on. A closed stderr is ignored: it must not fail a sort.
    pub fn say(self, message: impl FnOnce() -> String) {
        if self.verbose {
            let line = format!("sortsmith: {}\n", message());
            let _ = io::stderr().write_all(line.as_bytes());
        }
    }
}
