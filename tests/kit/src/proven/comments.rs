//! Sources without their comments, of which no outcome depends.

/// A source in Rust or C++ with nothing in place of the text of its comments. Lines stay lines: messages have their numbers.
pub(super) fn without_comments(source: &str) -> String {
    let mut kept = String::with_capacity(source.len());
    let mut rest = source;
    while !rest.is_empty() {
        let (length, is_comment) = piece(rest, &kept);
        let (piece, behind) = rest.split_at(length);
        if is_comment {
            kept.extend(piece.chars().filter(|it| *it == '\n'));
        } else {
            kept.push_str(piece);
        }
        rest = behind;
    }
    let lines: Vec<&str> = kept.split('\n').map(str::trim_end).collect();
    lines.join("\n")
}

/// The length of the comment, the literal or the character that a text begins with, and whether it is a comment.
fn piece(text: &str, before: &str) -> (usize, bool) {
    if text.starts_with("//") {
        return (text.find('\n').unwrap_or(text.len()), true);
    }
    if text.starts_with("/*") {
        return (text.find("*/").map_or(text.len(), |end| end + 2), true);
    }
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    // In either language: `br"` and `u8R"` too.
    let begins_word = |letter: &str| {
        text.starts_with(letter)
            && !before.trim_end_matches(['b', 'c', 'u', '8', 'U', 'L']).ends_with(is_word)
    };
    let raw = if begins_word("r") {
        raw_of_rust(text)
    } else if begins_word("R") {
        raw_of_cpp(text)
    } else {
        None
    };
    let literal = raw.or_else(|| quoted(text));
    (literal.unwrap_or_else(|| text.chars().next().map_or(1, char::len_utf8)), false)
}

/// The length of `r"…"`, with any number of `#`.
fn raw_of_rust(text: &str) -> Option<usize> {
    let marks = text[1..].len() - text[1..].trim_start_matches('#').len();
    let content = 1 + marks + 1;
    text[1 + marks..].starts_with('"').then_some(())?;
    let end = format!("\"{}", "#".repeat(marks));
    Some(text[content..].find(&end).map_or(text.len(), |at| content + at + end.len()))
}

/// The length of `R"word(…)word"`.
fn raw_of_cpp(text: &str) -> Option<usize> {
    let (word, content) = text.strip_prefix("R\"")?.split_once('(')?;
    let end = format!("){word}\"");
    let begin = text.len() - content.len();
    Some(content.find(&end).map_or(text.len(), |at| begin + at + end.len()))
}

/// The length of a string, or of a character in quotes; a lifetime is none.
fn quoted(text: &str) -> Option<usize> {
    if let Some(behind) = text.strip_prefix('\'') {
        let first = behind.chars().next()?;
        // An escape has a character that may be a quote.
        let content = if first == '\\' { 2 } else { first.len_utf8() };
        let end = behind.get(content..)?.find('\'')?;
        return (first == '\\' || end == 0).then_some(1 + content + end + 1);
    }
    let mut characters = text.strip_prefix('"')?.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => drop(characters.next()),
            '"' => return Some(1 + at + 1),
            _ => (),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_lines_stay() {
        let source = "//! A.\nfn a() {} // b\n/* c\n d */ let e = 1;\n";
        assert_eq!(without_comments(source), "\nfn a() {}\n\n let e = 1;\n");
    }

    #[test]
    fn what_looks_like_a_comment_in_a_literal_stays() {
        for kept in [
            r#"let a = "x // y"; let b = '"';"#,
            r#"let a = "\" // y";"#,
            "let a = r\"\\\"; // b",
            "let a = r##\"\"# // y\"##;",
            "const char* a = R\"x(\" // y)x\";",
            "fn a<'a>(b: &'a str) -> &'a str { b }",
            "let a = ['\\'', '/', '\\\\'];",
            "let a = \"several\n  // lines\";",
        ] {
            let expected =
                kept.split_once("; // b").map_or(kept.to_owned(), |it| format!("{};", it.0));
            assert_eq!(without_comments(kept), expected, "{kept}");
        }
    }
}
