//! Files behind a line with the checksum of all that follows.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// A text behind the line that a file of that kind begins with.
pub fn file(kind: &str, text: &str) -> Vec<u8> {
    let checksum = sha256(text);
    format!("# sortsmith {kind}; sha256 of all that follows: {checksum}\n{text}").into_bytes()
}

fn sha256(text: &str) -> String {
    let mut digits = String::new();
    for byte in Sha256::digest(text.as_bytes()) {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}
