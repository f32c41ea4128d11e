//! Whether each source file is short enough to be read at one sitting, and each function of templates and of C++.
//!
//! Clippy counts the lines of Rust's functions.

use std::{fs, io, path::Path};

use crate::{checkout, error::Error};

/// Lines of a file, at most.
const MOST_LINES: usize = 450;

/// Lines of a function, at most, from the line of its name to its last brace.
const MOST_LINES_OF_FUNCTION: usize = 60;

/// What is rendered, and what was tried and is kept as it was.
const NOT_OURS: [&str; 2] = ["tests/golden/", "benches/prototypes/"];

/// The files of a checkout that are too long or have functions that are, each with what to do about it.
pub fn check(root: &Path) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    for file in checkout::files(root, None)? {
        let extension = Path::new(&file).extension().and_then(|it| it.to_str());
        let is_cpp = matches!(extension, Some("cuh" | "cu" | "cpp" | "hpp"));
        if extension != Some("rs") && !is_cpp || NOT_OURS.iter().any(|it| file.starts_with(it)) {
            continue;
        }
        match fs::read_to_string(root.join(&file)) {
            Ok(text) => {
                found.extend(objection(&file, &text));
                if is_cpp {
                    found.extend(long_functions(&file, &text));
                }
            }
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
        format!("{file} has {lines} lines, more than {MOST_LINES}: move a part of it to a file of its own")
    })
}

/// The functions of a template or of C++ that are too long.
///
/// A function begins with a line that is neither a statement nor a type, has a name before a parenthesis, and is the last one or goes on
/// to a line that ends with a brace; it ends with the brace that is indented like its first line.
fn long_functions(file: &str, text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (first, line) in lines.iter().enumerate() {
        let Some(name) = name_of_function(line) else { continue };
        let indent = indent(line);
        // The rest of a list of parameters or of initialisers, and tags between them.
        let is_head = |line: &&&str| self::indent(line) > indent || line.starts_with("{%");
        let head = lines[first + 1..].iter().take_while(is_head).count();
        let opens = line.ends_with('{')
            || lines[first + 1..=first + head].iter().any(|it| it.ends_with('{'));
        let is_end =
            |line: &&str| self::indent(line) == indent && line.trim_start().starts_with('}');
        let end = lines[first + 1..].iter().position(is_end);
        let ends_before_sibling = |end: usize| {
            lines[first + 1..=first + end]
                .iter()
                .all(|it| it.is_empty() || self::indent(it) > indent || it.starts_with(['#', '{']))
        };
        if let Some(end) = end.filter(|end| opens && ends_before_sibling(*end)) {
            let count = end + 2;
            if count > MOST_LINES_OF_FUNCTION {
                found.push(format!(
                    "{file}:{}: {name} has {count} lines, more than {MOST_LINES_OF_FUNCTION}: name a part of it, as a function of its own",
                    first + 1
                ));
            }
        }
    }
    found
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The name that a line defines a function of, if it can.
fn name_of_function(line: &str) -> Option<&str> {
    const STATEMENTS: [&str; 13] = [
        "if",
        "for",
        "while",
        "switch",
        "return",
        "else",
        "do",
        "struct",
        "class",
        "namespace",
        "union",
        "enum",
        "case",
    ];
    let line = line.trim();
    let (before, _) = line.split_once('(')?;
    let first = before.split([' ', '(']).next()?;
    let begins = line.starts_with(|it: char| it.is_alphabetic() || it == '_');
    // A definition has a type before its name; a call, a macro or an assignment has none, or an operator.
    let is_definition = begins
        && before.contains(' ')
        && !STATEMENTS.contains(&first)
        && !before.contains(['=', '.', '"', '?'])
        && !line.ends_with(';');
    let name = before.rsplit([' ', '*', '&']).next()?;
    (is_definition && !name.is_empty()).then_some(name)
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

    /// A struct with a function of some lines, of which the head is one or more.
    fn with_function(head: &str, lines: usize) -> String {
        let body = "    count();\n".repeat(lines - 1 - head.lines().count());
        format!(
            "struct Sort {{\n  unsigned int n;\n\n{head}\n{body}  }}\n\n  void other() {{}}\n}};\n"
        )
    }

    #[test]
    fn a_function_past_the_limit_is_named_with_its_line() {
        let heads = [
            "  static __device__ __forceinline__ void sort(int n) {",
            "  static __device__ void sort(int n,\n{%- if value.exists %}\n                       int m) {",
            "  bool sort(const Key (&keys)[kItems],\n            int m) const {",
        ];
        for head in heads {
            let text = with_function(head, MOST_LINES_OF_FUNCTION);
            assert_eq!(long_functions("sort.cuh", &text), [""; 0]);
            let found =
                long_functions("sort.cuh", &with_function(head, MOST_LINES_OF_FUNCTION + 1));
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(
                found[0].starts_with("sort.cuh:4: sort has 61 lines, more than 60"),
                "{found:?}"
            );
        }
    }

    #[test]
    fn what_is_not_inside_a_function_does_not_count() {
        let text = format!("void sort();\n\nstruct Sort {{\n{}}};\n", "  int n;\n".repeat(80));
        assert_eq!(long_functions("sort.hpp", &text), [""; 0]);
        let text =
            format!("void run() {{\n#pragma unroll\n{}}}\n", "  if (n) call(n);\n".repeat(58));
        assert_eq!(long_functions("sort.cpp", &text).len(), 1);
    }
}
