//! How a command fails: the exit code and the one line that says why.

use std::io::{self, Write};
use std::process::ExitCode;

use sortsmith_codegen::cache::CacheError;
use sortsmith_codegen::emit::{EmitError, NamedError};
use sortsmith_codegen::matrix::AxesError;
use sortsmith_codegen::render::RenderError;
use sortsmith_codegen::spec::ArchError;
use sortsmith_codegen::toolchain::ToolchainError;
use sortsmith_codegen::{NameError, OneLine, SpecError};

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// A check found something: exit code 1.
    Check(String),
    /// The request was wrong, or could not be carried out: exit code 2.
    Request(String),
    /// The same, where all has been said already.
    Usage,
    /// The reader of the output closed it before its end, which is no failure.
    ClosedPipe,
}

impl Failure {
    /// A wrong request.
    #[allow(clippy::needless_pass_by_value)] // errors end here
    pub fn request(message: impl ToString) -> Self {
        Self::Request(message.to_string())
    }

    /// Says what went wrong, and with which code to exit.
    pub fn report(&self) -> ExitCode {
        let (code, message) = match self {
            Self::Check(message) => (1, message),
            Self::Request(message) => (2, message),
            Self::Usage => return ExitCode::from(2),
            Self::ClosedPipe => return ExitCode::SUCCESS,
        };
        // Where stderr is closed, the exit code says it alone.
        let _ = writeln!(io::stderr(), "error: {}", one_line(message));
        ExitCode::from(code)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::request(format!("cannot write the output: {error}")),
        }
    }
}

macro_rules! from_errors {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::request(error)
            }
        })*
    };
}
from_errors!(
    ArchError,
    AxesError,
    CacheError,
    EmitError,
    NameError,
    NamedError,
    RenderError,
    SpecError,
    ToolchainError
);

/// The message with its line breaks made spaces, and without what steers a terminal.
pub fn one_line(message: &str) -> String {
    let lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
    OneLine(&lines.collect::<Vec<_>>().join(" ")).to_string()
}
