//! What can go wrong between a source text and machine code.

use std::{io, path::PathBuf, process::ExitStatus};

/// An error of the CUDA compilers, or of looking for them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolchainError {
    /// No folder that was searched holds the wanted part of a CUDA toolkit.
    #[error(
        "no {what} found: set SORTSMITH_CUDA or CUDA_HOME to a CUDA toolkit, \
         or put its nvcc on PATH"
    )]
    NotFound {
        /// The missing part, such as `NVRTC`.
        what: &'static str,
    },
    /// A library was found, but the dynamic loader refused it.
    #[error("cannot load {}: {}", path.display(), reason)]
    Load {
        /// The library.
        path: PathBuf,
        /// The loader's own words.
        reason: String,
    },
    /// A library lacks a function that every supported version has.
    #[error("{} has no function {symbol}: {}", path.display(), reason)]
    Symbol {
        /// The library.
        path: PathBuf,
        /// The function's name.
        symbol: &'static str,
        /// The loader's own words.
        reason: String,
    },
    /// NVRTC failed other than by rejecting the source.
    #[error("{call} failed: {message} (code {code})")]
    Nvrtc {
        /// The NVRTC function.
        call: &'static str,
        /// NVRTC's result code.
        code: i32,
        /// NVRTC's name of that code.
        message: String,
    },
    /// The source does not compile.
    #[error("{name} does not compile:\n{log}")]
    Compile {
        /// The name that the source was given.
        name: String,
        /// NVRTC's program log.
        log: String,
    },
    /// The compiler knows no such architecture.
    #[error("sm_{arch} is not an architecture of NVRTC {}.{}: legal are {}",
        version.0, version.1, join_archs(supported))]
    UnsupportedArch {
        /// The requested architecture.
        arch: u32,
        /// The compiler's version.
        version: (i32, i32),
        /// What the compiler knows, ascending.
        supported: Vec<u32>,
    },
    /// A text that goes to the compiler as a C string holds a NUL byte.
    #[error("{what} holds a NUL byte at offset {offset}, and C strings cannot")]
    Nul {
        /// Which text, such as `source a.cu`.
        what: String,
        /// Where in it.
        offset: usize,
    },
    /// A cubin or its compiler's report could not be read.
    #[error("cannot read the resource usage: {0}")]
    Resources(String),
    /// A program of the toolkit ran well and yet wrote something unexpected.
    #[error("`{command}` wrote no {what}: {text}")]
    Output {
        /// The command line.
        command: String,
        /// What its output should have held.
        what: &'static str,
        /// What it wrote.
        text: String,
    },
    /// A program could not be started.
    #[error("cannot run `{command}`: {source}")]
    Spawn {
        /// The command line.
        command: String,
        /// The system's reason.
        source: io::Error,
    },
    /// A program ran and failed.
    #[error("`{command}` failed ({status}):\n{stdout}{stderr}")]
    Command {
        /// The command line.
        command: String,
        /// How it ended.
        status: ExitStatus,
        /// What it wrote to stdout.
        stdout: String,
        /// What it wrote to stderr.
        stderr: String,
    },
}

fn join_archs(archs: &[u32]) -> String {
    let names: Vec<String> = archs.iter().map(|arch| format!("sm_{arch}")).collect();
    names.join(", ")
}

/// What the dynamic loader said: its error displays as the failed call alone and keeps the words as its source.
pub(super) fn loader_words(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}
