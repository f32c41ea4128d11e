//! The offline compiler, run as a program.

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{Toolchain, ToolchainError};

/// What a program of the toolkit wrote when it succeeded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolOutput {
    /// The command line, as one could type it.
    pub command: String,
    /// What it wrote to stdout.
    pub stdout: String,
    /// What it wrote to stderr: warnings, and what `-Xptxas -v` reports.
    pub stderr: String,
}

/// `nvcc`, of an installed toolkit or of the fetched one.
#[derive(Debug, Clone)]
pub struct Nvcc {
    path: PathBuf,
}

impl Nvcc {
    /// Takes the `nvcc` that was found.
    pub fn new(toolchain: &Toolchain) -> Result<Self, ToolchainError> {
        let nvcc = toolchain.nvcc.as_ref().ok_or(ToolchainError::NotFound { what: "nvcc" })?;
        Ok(Self { path: nvcc.path.clone() })
    }

    /// The program.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its version, such as `(13, 5)`.
    pub fn version(&self) -> Result<(i32, i32), ToolchainError> {
        let output = self.compile(["--version"])?;
        parse_version(&output.stdout).ok_or_else(|| ToolchainError::Output {
            command: output.command.clone(),
            what: "release number",
            text: output.stdout.trim().to_owned(),
        })
    }

    /// Runs `nvcc` with these arguments. It takes the host compiler from `PATH`, or from
    /// `-ccbin` or `NVCC_CCBIN`.
    pub fn compile<I>(&self, arguments: I) -> Result<ToolOutput, ToolchainError>
    where
        I: IntoIterator<Item: AsRef<OsStr>>,
    {
        run(&self.path, arguments)
    }
}

/// Runs a program to its end, with nothing on stdin.
fn run<I>(program: &Path, arguments: I) -> Result<ToolOutput, ToolchainError>
where
    I: IntoIterator<Item: AsRef<OsStr>>,
{
    let arguments: Vec<OsString> =
        arguments.into_iter().map(|argument| argument.as_ref().to_owned()).collect();
    let command = command_line(program, &arguments);
    let output = Command::new(program)
        .args(&arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|source| ToolchainError::Spawn { command: command.clone(), source })?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        Ok(ToolOutput { command, stdout, stderr })
    } else {
        Err(ToolchainError::Command { command, status: output.status, stdout, stderr })
    }
}

/// The command as one would type it: an argument with unusual characters stands in single quotes.
fn command_line(program: &Path, arguments: &[OsString]) -> String {
    let plain = |word: &str| {
        !word.is_empty()
            && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_=+,./:@%\\".contains(c))
    };
    let words =
        std::iter::once(program.as_os_str()).chain(arguments.iter().map(OsString::as_os_str));
    let quoted: Vec<String> = words
        .map(|word| {
            let word = word.to_string_lossy();
            if plain(&word) {
                word.into_owned()
            } else {
                format!("'{}'", word.replace('\'', "'\\''"))
            }
        })
        .collect();
    quoted.join(" ")
}

/// Reads `… release 13.5, V13.5.37`.
pub(super) fn parse_version(text: &str) -> Option<(i32, i32)> {
    let (_, after) = text.split_once("release ")?;
    let (major, rest) = after.split_once('.')?;
    let minor: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some((major.parse().ok()?, minor.parse().ok()?))
}
