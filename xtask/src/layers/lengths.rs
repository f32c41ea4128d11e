//! Whether each source file is short enough to be read at one sitting.

use std::{ffi::OsStr, fs, io, path::Path};

use crate::{checkout, error::Error};

/// Lines of a file, at most.
const MOST_LINES: usize = 450;

/// The files of a checkout that are too long, each with what to do about it.
pub fn check(root: &Path) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    for file in checkout::files(root, None)? {
        if Path::new(&file).extension() != Some(OsStr::new("rs")) {
            continue;
        }
        match fs::read_to_string(root.join(&file)) {
            Ok(text) => found.extend(objection(&file, &text)),
            // Deleted, and not committed yet.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::file("read", root.join(&file))(error)),
        }
    }
    Ok(found)
}

fn objection(file: &str, text: &str) -> Option<String> {
    let lines = text.lines().count();
    (lines > MOST_LINES).then(|| {
        format!("{file} has {lines} lines, more than {MOST_LINES}: move a part of it to a module of its own")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_past_the_limit_is_named() {
        let text = |lines| "//\n".repeat(lines);
        assert_eq!(objection("src/lib.rs", &text(MOST_LINES)), None);
        let objection = objection("src/lib.rs", &text(MOST_LINES + 1)).unwrap();
        assert!(objection.starts_with("src/lib.rs has 451 lines, more than 450"), "{objection}");
    }
}
