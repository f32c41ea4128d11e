//! Files behind a line with the checksum of all that follows.

use std::fmt::{Display, Write as _};
use std::fs;
use std::path::{Path, PathBuf};

use hmac_sha256::Hash as Sha256;
use tempfile::TempDir;

use crate::{Bytes, message};

/// What is read of a file of that kind, where it is, and the folder that goes with it; none if the file is refused, by an error that says
/// why.
///
/// The first byte says which: even, the rest is all of the file; else it is a text behind the checksum that makes it legal, after a change.
pub fn read<T, E: Display>(
    kind: &str,
    data: &[u8],
    changed: impl Fn(&str) -> String,
    read: impl Fn(&Path) -> Result<T, E>,
) -> Option<(T, PathBuf, TempDir)> {
    let mut bytes = Bytes(data);
    let is_forged = bytes.flag();
    let content = if is_forged {
        file(kind, &changed(&String::from_utf8_lossy(bytes.0)))
    } else {
        bytes.0.to_vec()
    };
    let folder = crate::folder();
    let path = folder.path().join(format!("{kind}.toml"));
    fs::write(&path, &content).expect("it is written");
    match read(&path) {
        Ok(found) => {
            assert!(content.starts_with(format!("# sortsmith {kind}").as_bytes()));
            Some((found, path, folder))
        }
        Err(error) => {
            message::check(&error);
            None
        }
    }
}

/// A text behind the line that a file of that kind begins with.
fn file(kind: &str, text: &str) -> Vec<u8> {
    let checksum = sha256(text);
    format!("# sortsmith {kind}; sha256 of all that follows: {checksum}\n{text}").into_bytes()
}

fn sha256(text: &str) -> String {
    let mut digits = String::new();
    for byte in Sha256::hash(text.as_bytes()) {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}
