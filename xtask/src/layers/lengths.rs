//! Whether each source file is short enough to be read at one sitting, and each function of it.
//!
//! Lines are those that a reader sees, blank ones and comments included. Clippy counts a function's lines of Rust too, without these.

use std::{fs, io, path::Path};

use super::functions::Language;
use crate::{checkout, error::Error};

/// Lines of a file, at most.
const MOST_LINES: usize = 450;

/// Lines of a function, at most, from the line of its name to its last one.
const MOST_LINES_OF_FUNCTION: usize = 60;

/// What is rendered.
const RENDERED: &str = "tests/golden/";

/// The files of a checkout that are too long or have functions that are, each with what to do about it.
pub fn check(root: &Path) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    for file in checkout::files(root, None)? {
        let Some(language) = Language::of(&file) else { continue };
        if file.starts_with(RENDERED) {
            continue;
        }
        match fs::read_to_string(root.join(&file)) {
            Ok(text) => found.extend(objections(&file, language, &text)),
            // Deleted, and not committed yet.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::file("read", root.join(&file))(error)),
        }
    }
    Ok(found)
}

fn objections(file: &str, language: Language, text: &str) -> Vec<String> {
    let lines = text.lines().count();
    let of_file = (lines > MOST_LINES).then(|| {
        format!("{file} has {lines} lines, more than {MOST_LINES}: move a part of it to a file of its own")
    });
    let functions = language.functions(text).into_iter();
    let long = functions.filter(|it| it.lines > MOST_LINES_OF_FUNCTION).map(|it| {
        format!(
            "{file}:{}: {} has {} lines, more than {MOST_LINES_OF_FUNCTION}: name a part of it, as a function of its own",
            it.line, it.name, it.lines
        )
    });
    of_file.into_iter().chain(long).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [(&str, Language); 4] = [
        ("src/lib.rs", Language::Rust),
        ("sort.cuh", Language::Cpp),
        ("tests/test_sort.py", Language::Python),
        ("cmake/Sort.cmake", Language::CMake),
    ];

    #[test]
    fn a_file_past_the_limit_is_named() {
        for (file, language) in ALL {
            assert_eq!(Language::of(file), Some(language));
            assert_eq!(objections(file, language, &"\n".repeat(MOST_LINES)), [""; 0]);
            let found = objections(file, language, &"\n".repeat(MOST_LINES + 1));
            assert_eq!(found.len(), 1, "{found:?}");
            let expected = format!("{file} has 451 lines, more than 450");
            assert!(found[0].starts_with(&expected), "{found:?}");
        }
    }

    /// A source with a function `sort` of some lines on line 3.
    fn with_function(language: Language, lines: usize) -> String {
        let [head, line, end] = match language {
            Language::Rust => ["fn sort() {\n", "    // one\n", "}\n"],
            Language::Cpp => ["void sort() {\n", "  // one\n", "}\n"],
            Language::Python => ["def sort():\n", "    # one\n", "    pass\n"],
            Language::CMake => ["function(sort)\n", "  # one\n", "endfunction()\n"],
        };
        format!("\n\n{head}{}{end}", line.repeat(lines - 2))
    }

    #[test]
    fn a_function_past_the_limit_is_named_with_its_line() {
        for (file, language) in ALL {
            let most = with_function(language, MOST_LINES_OF_FUNCTION);
            assert_eq!(objections(file, language, &most), [""; 0]);
            let more = with_function(language, MOST_LINES_OF_FUNCTION + 1);
            let found = objections(file, language, &more);
            assert_eq!(found.len(), 1, "{found:?}");
            let expected = format!("{file}:3: sort has 61 lines, more than 60");
            assert!(found[0].starts_with(&expected), "{found:?}");
        }
    }
}
