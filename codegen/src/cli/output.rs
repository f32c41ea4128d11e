//! Standard output, which may be a closed pipe.

use std::io::{self, Write};

use serde::Serialize;

use super::failure::Failure;

/// Prints a text.
pub fn print(text: &str) -> Result<(), Failure> {
    print_bytes(text.as_bytes())
}

/// Prints bytes.
pub fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    Ok(stdout.flush()?)
}

/// Reports on stderr what was done; a closed stderr is no failure.
pub fn note(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints a value as JSON.
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_string_pretty(value).map_err(Failure::request)?;
    text.push('\n');
    print(&text)
}
