//! Markers: names that the templates give to their lines, `//~ name` at the end of a line. Tests that break a line of a
//! header find it by its marker, whatever the line's identifiers are called. No header has them.

/// What stands before the name of a marker.
pub const MARKER: &str = "//~ ";

/// A line's code, and the name of its marker if it has one.
pub fn split(line: &str) -> (&str, Option<&str>) {
    match line.split_once(MARKER) {
        Some((code, name)) => (code.trim_end(), Some(name)),
        None => (line, None),
    }
}

/// The text without its markers.
pub fn strip(marked: &str) -> String {
    let mut text = String::with_capacity(marked.len());
    let mut rest = marked;
    while let Some(start) = start_of_marker(rest) {
        text.push_str(rest[..start].trim_end_matches(' '));
        let behind = &rest[start..];
        rest = &behind[behind.find('\n').unwrap_or(behind.len())..];
    }
    text + rest
}

/// Where the first marker begins. A search for one character takes the standard library's fast way; a text's lines have few of this one.
fn start_of_marker(text: &str) -> Option<usize> {
    let mut offsets = text.match_indices('~').filter_map(|(tilde, _)| tilde.checked_sub(2));
    offsets.find(|offset| text.as_bytes()[*offset..].starts_with(MARKER.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_stripped_and_comments_are_not() {
        let marked = "a();  //~ first-call\n// b\nc();  // d\n\n  e();  //~ last";
        assert_eq!(strip(marked), "a();\n// b\nc();  // d\n\n  e();");
        assert_eq!(split("  e();  //~ last"), ("  e();", Some("last")));
        assert_eq!(split("c();  // d"), ("c();  // d", None));
    }
}
