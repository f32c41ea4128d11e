//! How a mutant changes the lines that have a marker: an identifier that it needs is one of the line's own, so that a
//! renamed variable breaks no mutant.
//!
//! A pattern is C++ in which `$a` stands for an operand (a name, number or parenthesis with its members, calls and indices), and
//! `$$a` for the shortest run of tokens that will do. Where a name comes twice it stands for the same both times. A pattern that
//! begins with `^` matches where the line begins, any other once in the line.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use sortsmith_codegen::render::markers;

/// What a mutant does to each line that has its marker.
#[derive(Clone, Copy)]
pub(crate) enum Edit {
    /// Leaves it out.
    Drop,
    /// Swaps what a pattern matches for this.
    Swap(&'static str, &'static str),
}

impl Edit {
    /// The line as the edit leaves it; none if the pattern does not match. Two matches are an error.
    pub(super) fn of(self, line: &str) -> Result<Option<String>, String> {
        let (pattern, replacement) = match self {
            Self::Drop => return Ok(Some(String::new())),
            Self::Swap(pattern, replacement) => (pattern, replacement),
        };
        let (pattern, code) = (tokens(pattern), tokens(line));
        let (pattern, offsets) = match pattern.split_first() {
            Some((first, rest)) if first.text == "^" => (rest, 0..1),
            _ => (&pattern[..], 0..code.len()),
        };
        let matches = |start| matched(pattern, &code, start, &Holes::new());
        let mut found = offsets.filter_map(|start| matches(start).map(|it| (start, it)));
        let Some((start, (end, holes))) = found.next() else { return Ok(None) };
        if found.next().is_some() {
            return Err(format!("`{self}` matches more than once in `{}`", line.trim()));
        }
        let (before, after) = (&line[..code[start].start], &line[code[end - 1].end()..]);
        Ok(Some(format!("{before}{}{after}", filled(replacement, line, &code, &holes))))
    }
}

impl std::fmt::Display for Edit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Drop => write!(f, "drop"),
            Self::Swap(pattern, replacement) => write!(f, "{pattern} => {replacement}"),
        }
    }
}

/// A header without its markers, and with an edit of each line that has this one; none if the edit changes no line.
pub(super) fn edited(header: &str, marker: &str, edit: Edit) -> Result<Option<String>, String> {
    let (mut text, mut is_changed) = (String::with_capacity(header.len()), false);
    for line in header.lines() {
        let (code, name) = markers::split(line);
        let changed = if name == Some(marker) { edit.of(code)? } else { None };
        is_changed |= changed.is_some();
        text.push_str(changed.as_deref().unwrap_or(code));
        text.push('\n');
    }
    Ok(is_changed.then_some(text))
}

/// A token of a line, and where it begins.
struct Token<'a> {
    text: &'a str,
    start: usize,
}

impl Token<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// Operators of more than one character. The ones that close two lists of template arguments are read as shifts.
const OPERATORS: [&str; 23] = [
    "<<=", ">>=", "->", "::", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "$$",
];

fn tokens(text: &str) -> Vec<Token<'_>> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let words = |from: usize| text[from..].bytes().take_while(|byte| is_word(*byte)).count();
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(first) = text[start..].chars().next() {
        let operator = OPERATORS.iter().find(|it| text[start..].starts_with(**it));
        let length = match (first, operator) {
            ('$', Some(_)) => 2 + words(start + 2),
            ('$', None) => 1 + words(start + 1),
            (_, Some(operator)) => operator.len(),
            (first, None) => words(start).max(first.len_utf8()),
        };
        if !first.is_whitespace() {
            found.push(Token { text: &text[start..start + length], start });
        }
        start += length;
    }
    found
}

/// The tokens that the holes of a pattern stand for.
type Holes<'a> = BTreeMap<&'a str, Range<usize>>;

/// Where the match of a pattern ends that begins at a token, and what its holes stand for.
fn matched<'p>(
    pattern: &[Token<'p>],
    code: &[Token<'_>],
    start: usize,
    holes: &Holes<'p>,
) -> Option<(usize, Holes<'p>)> {
    let Some((first, rest)) = pattern.split_first() else { return Some((start, holes.clone())) };
    let goes_on = |end: usize| {
        let mut holes = holes.clone();
        if first.text.starts_with('$') {
            holes.insert(first.text, start..end);
        }
        matched(rest, code, end, &holes)
    };
    let texts = |range: Range<usize>| code.get(range).map(|it| it.iter().map(|token| token.text));
    if let Some(known) = holes.get(first.text) {
        let end = start + known.len();
        let is_same = texts(start..end)?.eq(texts(known.clone())?);
        return if is_same { matched(rest, code, end, holes) } else { None };
    }
    if first.text.starts_with("$$") {
        return (start + 1..=code.len()).find_map(goes_on);
    }
    if first.text.starts_with('$') {
        return goes_on(operand(code, start)?);
    }
    if code.get(start)?.text == first.text { goes_on(start + 1) } else { None }
}

const KEYWORDS: [&str; 22] = [
    "auto",
    "bool",
    "break",
    "char",
    "const",
    "constexpr",
    "continue",
    "do",
    "double",
    "else",
    "float",
    "for",
    "if",
    "int",
    "long",
    "return",
    "short",
    "static",
    "unsigned",
    "using",
    "void",
    "while",
];

/// Where the operand ends that begins at a token.
fn operand(code: &[Token<'_>], start: usize) -> Option<usize> {
    let text = |at: usize| code.get(at).map_or("", |token| token.text);
    if start > 0 && [".", "->", "::"].contains(&text(start - 1)) {
        return None;
    }
    let is_name = text(start).starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    // Without a space before it, a parenthesis is a call's, but behind an operator or another one.
    let is_apart = start == 0 || code[start - 1].end() != code[start].start;
    let mut end = match text(start) {
        "(" if is_apart || !ends_operand(text(start - 1)) => closed(code, start)?,
        name if is_name && !KEYWORDS.contains(&name) => start + 1,
        _ => return None,
    };
    loop {
        let next = match text(end) {
            "." | "->" | "::" => Some(end + 2),
            "(" | "[" => closed(code, end),
            "<" => arguments_of_template(code, end),
            _ => None,
        };
        match next {
            Some(next) => end = next,
            None => return Some(end),
        }
    }
}

/// Whether an operand may end with a token.
fn ends_operand(text: &str) -> bool {
    text.ends_with(|c: char| c.is_ascii_alphanumeric() || "_)]>".contains(c))
}

/// The token behind the bracket that closes the one at a token.
fn closed(code: &[Token<'_>], start: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in code.iter().enumerate().skip(start) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// The token behind a list of template arguments. One begins without a space before it, which no comparison does.
fn arguments_of_template(code: &[Token<'_>], start: usize) -> Option<usize> {
    if code[start - 1].end() != code[start].start {
        return None;
    }
    let (mut depth, mut at) = (0, start);
    while depth > 0 || at == start {
        match code.get(at)?.text {
            "<" => depth += 1,
            ">" => depth -= 1,
            ">>" => depth -= 2,
            "(" | "[" => at = closed(code, at)? - 1,
            ";" | "{" | "&&" | "||" => return None,
            _ => {}
        }
        at += 1;
    }
    Some(at)
}

/// Words of the language and of CUDA, which no template may call otherwise.
const FIXED: [&str; 11] = [
    "blockDim",
    "blockIdx",
    "decltype",
    "false",
    "gridDim",
    "sizeof",
    "static_cast",
    "threadIdx",
    "true",
    "x",
    "y",
];

/// The names in a line that its template chose.
pub(super) fn identifiers(line: &str) -> BTreeSet<String> {
    let is_chosen = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && !KEYWORDS.contains(&text)
            && !FIXED.contains(&text)
    };
    tokens(line).iter().map(|it| it.text).filter(|it| is_chosen(it)).map(str::to_owned).collect()
}

/// The line with other names for these.
pub(super) fn renamed(line: &str, names: &BTreeSet<String>) -> String {
    let (mut text, mut end) = (String::new(), 0);
    for token in tokens(line) {
        text.push_str(&line[end..token.start]);
        text.push_str(token.text);
        if names.contains(token.text) {
            text.push_str("_renamed");
        }
        end = token.end();
    }
    text + &line[end..]
}

/// The replacement with what its holes stand for.
fn filled(replacement: &str, line: &str, code: &[Token<'_>], holes: &Holes<'_>) -> String {
    let mut text = String::new();
    let mut end = 0;
    for token in tokens(replacement) {
        text.push_str(&replacement[end..token.start]);
        end = token.end();
        match holes.get(token.text) {
            Some(range) => text.push_str(&line[code[range.start].start..code[range.end - 1].end()]),
            None => text.push_str(token.text),
        }
    }
    text + &replacement[end..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn swapped(pattern: &'static str, replacement: &'static str, line: &str) -> Option<String> {
        Edit::Swap(pattern, replacement).of(line).expect("it matches once")
    }

    #[test]
    fn holes_stand_for_operands_and_runs_of_tokens() {
        for (pattern, replacement, line, expected) in [
            (">=", ">", "if (at<kFrom>(i) >= n) x;", "if (at<kFrom>(i) > n) x;"),
            ("$a == $b ? $c : $a", "$a", "return x == kY ? z(1, 2) : x;", "return x;"),
            (
                "< $n; $$x[$i];",
                "< $n; $$x[$n - 1 - $i];",
                "for (; i < n; ++i) a[k] = b[i];",
                "for (; i < n; ++i) a[k] = b[n - 1 - i];",
            ),
            (
                "^ $$f($a, $b);",
                "$$f($b, $a);",
                "  f(a[0], a[2]); f(a[1], a[3]);",
                "  f(a[2], a[0]); f(a[1], a[3]);",
            ),
            ("if $c $then;", "$then;", "if (a.b(c) || d) e->f<g<h>>(i);", "e->f<g<h>>(i);"),
        ] {
            assert_eq!(swapped(pattern, replacement, line).as_deref(), Some(expected), "{pattern}");
        }
        assert_eq!(swapped("$a << 3", "", "x >> 3"), None);
        assert_eq!(swapped("$a + $a", "", "b + c"), None);
        let error = Edit::Swap("<", "<=").of("a < b && c < d").expect_err("two matches");
        assert_eq!(error, "`< => <=` matches more than once in `a < b && c < d`");
    }

    #[test]
    fn lines_with_the_marker_are_edited() {
        let marked = "a();  //~ one\nb < c;  //~ two\nd();  //~ one\n";
        let text = |marker, edit| edited(marked, marker, edit).expect("it matches once");
        assert_eq!(text("one", Edit::Drop).as_deref(), Some("\nb < c;\n\n"));
        assert_eq!(text("two", Edit::Swap("<", ">")).as_deref(), Some("a();\nb > c;\nd();\n"));
        assert_eq!(text("two", Edit::Swap("==", ">")), None);
        assert_eq!(text("three", Edit::Drop), None);
    }
}
