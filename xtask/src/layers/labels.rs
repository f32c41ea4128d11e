//! Whether fragments of templates leave their access labels as they found them.
//!
//! What follows a fragment is private, unless it begins with a label of its own: so a fragment that has labels begins with one, and its
//! last one is `private:`. Headers, and fragments that have a struct of their own, end with their struct.

use std::{fs, io, path::Path};

use crate::{checkout, error::Error};

const FOLDER: &str = "templates/";

/// The fragments of a checkout that do not keep to it.
pub fn check(root: &Path) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    for file in checkout::files(root, None)? {
        if !file.starts_with(FOLDER) || Path::new(&file).extension().is_none_or(|it| it != "cuh") {
            continue;
        }
        match fs::read_to_string(root.join(&file)) {
            Ok(text) => found.extend(objection(&text).map(|it| format!("{file} {it}"))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::file("read", root.join(&file))(error)),
        }
    }
    Ok(found)
}

/// What is wrong with a fragment's labels, if anything is.
fn objection(text: &str) -> Option<&'static str> {
    let is_label = |line: &str| matches!(line.trim(), "public:" | "private:" | "protected:");
    let has_struct = |line: &str| line.starts_with("struct ") || line.starts_with("class ");
    if text.starts_with("{% extends") || text.lines().any(has_struct) {
        return None;
    }
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("{#"));
    let first = lines.clone().next()?;
    let last = lines.rfind(|line| is_label(line))?;
    if !is_label(first) {
        Some("has access labels, but does not begin with one")
    } else if last.trim() != "private:" {
        Some("leaves another label than `private:` open for what includes it")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_begin_with_their_label_and_end_in_private() {
        let good = [
            "  int n;\n",
            " private:\n  int n;\n",
            "{# Of rows. #}\n public:\n  void sort();\n\n private:\n  int n;\n",
            "// A block's sort.\nstruct Sort {\n  int n;\n public:\n  void sort();\n};\n",
            "{% extends \"fragments/file.cuh\" %}\n  int n;\n public:\n",
        ];
        for text in good {
            assert_eq!(objection(text), None, "{text}");
        }
        let late = objection("  int n;\n\n private:\n  int m;\n").unwrap();
        assert!(late.contains("does not begin"), "{late}");
        let open = objection(" private:\n  int n;\n\n public:\n  void sort();\n").unwrap();
        assert!(open.contains("leaves another label"), "{open}");
    }
}
