//! What of a source file is code that is not for its tests.

/// The text of a file without comments, literals and items for tests alone. What is left is in the lines that it had.
pub fn code(text: &str) -> String {
    without_tests(&without_words(text))
}

/// What stands for a text that is left out: a space, and its ends of lines.
fn blank(text: &str) -> String {
    format!(" {}", "\n".repeat(text.matches('\n').count()))
}

/// Without comments and literals, so that what is left of braces and attributes is code.
fn without_words(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let bytes = text.as_bytes();
    let (mut begin, mut at) = (0, 0);
    while at < bytes.len() {
        let is_first = at == 0 || !is_of_word(bytes[at - 1]);
        let length = match bytes[at] {
            b'/' => length_of_comment(&text[at..]),
            b'"' | b'\'' => length_of_literal(&text[at..]),
            b'b' | b'c' | b'r' if is_first => length_of_literal(&text[at..]),
            _ => None,
        };
        if let Some(length) = length {
            code.push_str(&text[begin..at]);
            code.push_str(&blank(&text[at..at + length]));
            begin = at + length;
        }
        at += length.unwrap_or(1);
    }
    code.push_str(&text[begin..]);
    code
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// The length of the comment that a text begins with.
fn length_of_comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    let mut end = text.strip_prefix("/*").map(|_| 2)?;
    let mut depth = 1;
    while depth > 0 {
        let rest = &text[end..];
        let Some(mark) = rest.find("*/").into_iter().chain(rest.find("/*")).min() else {
            return Some(text.len());
        };
        if rest[mark..].starts_with("/*") {
            depth += 1;
        } else {
            depth -= 1;
        }
        end += mark + 2;
    }
    Some(end)
}

/// The length of the literal of a string or a character that a text begins with. A lifetime is none.
fn length_of_literal(text: &str) -> Option<usize> {
    let bare = text.trim_start_matches(['b', 'c', 'r']);
    let prefix = text.len() - bare.len();
    let hashes = bare.len() - bare.trim_start_matches('#').len();
    let is_raw = text[..prefix].ends_with('r');
    if is_raw && bare[hashes..].starts_with('"') {
        let content = prefix + hashes + 1;
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(text[content..].find(&end).map_or(text.len(), |at| content + at + end.len()));
    }
    let quote = bare.chars().next().filter(|c| ['"', '\''].contains(c))?;
    let content: Vec<char> = bare.chars().skip(1).take(2).collect();
    if quote == '\'' && content.first() != Some(&'\\') && content.get(1) != Some(&'\'') {
        return None;
    }
    let mut is_escaped = false;
    let end = bare.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == quote && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        ends
    });
    Some(prefix + end.map_or(bare.len(), |(at, _)| at + 1))
}

/// Without the items of `#[cfg(test)]` and of `#[cfg(all(test, …))]`, in code without comments and literals.
fn without_tests(code: &str) -> String {
    let mut left = String::with_capacity(code.len());
    let mut rest = code;
    let begins = |text: &str| {
        ["#[cfg(test)]", "#[cfg(all(test,"].iter().filter_map(|it| text.find(it)).min()
    };
    while let Some(begin) = begins(rest) {
        let (before, item) = rest.split_at(begin);
        let (item, behind) = item.split_at(length_of_item(item));
        left.push_str(before);
        left.push_str(&blank(item));
        rest = behind;
    }
    left + rest
}

/// The length of an item with its attributes: to the first semicolon outside of brackets, or to the brace that closes the first one.
fn length_of_item(code: &str) -> usize {
    let mut depth = 0;
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        match (byte, depth) {
            (b';' | b'}', 0) => return at + 1,
            // The braces that it is in.
            (_, ..0) => return at,
            _ => {}
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left in each line.
    fn left(text: &str) -> Vec<String> {
        code(text).lines().map(|line| line.trim().to_owned()).collect()
    }

    #[test]
    fn items_for_tests_are_left_out_and_what_follows_them_is_not() {
        let text = "\
use crate::low;
#[cfg(test)]
use crate::{one, two};
#[cfg(all(test, unix))]
#[allow(dead_code)]
fn record<const N: usize>(from: [u8; 3]) -> &str where Self: A, B: C {
    if from { \"}}\" } else { '}' }
}
fn used() {}
#[cfg(test)]
mod tests;
mod also_used {
    #[cfg(test)]
    const LAST: u8 = 1
}
struct End;
";
        let expected =
            "use crate::low;\n\n;\n\n\n\n\n\nfn used() {}\n\n\nmod also_used {\n\n\n}\nstruct End;";
        assert_eq!(left(text).join("\n"), expected);
    }

    #[test]
    fn braces_in_comments_and_literals_are_none() {
        for text in [
            "a // {\n b",
            "a /* { /* { */ \n } */ b",
            "a \"{ \\\" {\n\" b",
            "a r#\"{ \" {\n\"# b",
            "a br\"{\\\"\n b",
            "a b'{' '\\'' '\\\\' '{' '\\u{1f}'\n b",
            "a c\"{\" '²'\nb",
        ] {
            let left = left(text);
            assert_eq!(
                (left.len(), left.concat().replace(' ', "")),
                (2, "ab".to_owned()),
                "{text}"
            );
        }
        assert_eq!(left("fn f<'a>(b: &'a u8, r#for: char)"), ["fn f<'a>(b: &'a u8, r#for: char)"]);
        assert_eq!(left("let bar = \"\"; for_r / 2"), ["let bar =  ; for_r / 2"]);
    }
}
