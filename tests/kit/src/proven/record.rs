//! The record: which proofs have held, and by which hash of their inputs.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::inputs::DIGITS;

/// What a line has to be.
const LEGAL: &str = "legal is `TARGET TEST HASH`, each test once and the hash of 32 digits 0-9a-f; `cargo xtask prove` writes such lines";

/// The first lines of the file.
const HEAD: &str = "\
# Proofs that have held: the target, the test, and a hash of all that its outcome depends on. A test that finds its hash here does not
# run again. Written by `cargo xtask prove`; tests/emulator/README.md says what is hashed.
";

/// The hashes of proofs by their names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Record(BTreeMap<String, String>);

impl Record {
    /// The record of a file; an empty one where there is none.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text.map_err(|error| format!("{}: {error}", path.display()))?,
        };
        Self::parse(&text).map_err(|error| format!("{}, {error}", path.display()))
    }

    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut hashes = BTreeMap::new();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
            let parted =
                line.rsplit_once(' ').filter(|(name, hash)| is_name(name) && is_hash(hash));
            let known = parted.map(|(name, hash)| hashes.insert(name.to_owned(), hash.to_owned()));
            if known != Some(None) {
                return Err(format!("line {}: `{line}`: {LEGAL}", number + 1));
            }
        }
        Ok(Self(hashes))
    }

    /// Whether a proof has held by this hash.
    pub(super) fn has(&self, name: &str, hash: &str) -> bool {
        self.0.get(name).is_some_and(|known| known == hash)
    }

    /// Adds a proof, or puts this hash where another one was.
    pub(super) fn set(&mut self, name: &str, hash: &str) {
        assert!(is_name(name) && is_hash(hash), "`{name} {hash}`: {LEGAL}");
        self.0.insert(name.to_owned(), hash.to_owned());
    }

    /// Writes the complete file, or none.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(format!(".{}", std::process::id()));
        let beside = PathBuf::from(beside);
        fs::write(&beside, self.to_string())?;
        fs::rename(&beside, path)
    }
}

impl Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HEAD)?;
        self.0.iter().try_for_each(|(name, hash)| writeln!(f, "{name} {hash}"))
    }
}

/// A target and a test.
fn is_name(name: &str) -> bool {
    let mut words = name.split(' ');
    let has_two = words.by_ref().take(2).filter(|word| !word.is_empty()).count() == 2;
    has_two && words.next().is_none() && !name.starts_with('#') && !name.contains(char::is_control)
}

fn is_hash(hash: &str) -> bool {
    hash.len() == DIGITS && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASHES: [&str; 2] =
        ["0123456789abcdef0123456789abcdef", "ffffffffffffffffffffffffffffffff"];

    #[test]
    fn a_record_is_read_as_it_is_written() {
        let mut record = Record::default();
        record.set("target two::a", HASHES[0]);
        record.set("target one", HASHES[1]);
        record.set("target two::a", HASHES[1]);
        let text = record.to_string();
        assert_eq!(Record::parse(&text), Ok(record));
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(lines.len() == 2 && lines.is_sorted(), "{text}");
    }

    #[test]
    fn other_lines_are_errors_that_name_them() {
        let legal = format!("target one {}", HASHES[0]);
        for line in [
            "",
            "target one",
            "<<<<<<< HEAD",
            &legal,
            &legal[..legal.len() - 1],
            &format!("{legal}0"),
            &format!("target two {}", HASHES[1].to_uppercase()),
            &format!("two {}", HASHES[1]),
            &format!("target two three {}", HASHES[1]),
            &format!("target  two {}", HASHES[1]),
            &format!(" target two {}", HASHES[1]),
        ] {
            let error = Record::parse(&format!("# head\n{legal}\n{line}\n")).expect_err(line);
            assert_eq!(error, format!("line 3: `{line}`: {LEGAL}"));
        }
    }
}
