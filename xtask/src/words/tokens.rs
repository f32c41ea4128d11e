//! Text as words: prose and names alike.

use std::collections::HashMap;

/// A word of a text.
#[derive(Debug, Clone, Copy)]
pub struct Token<'a> {
    text: &'a str,
    /// Whether it belongs to the same name as the word before it.
    is_glued: bool,
}

/// What a token has to be.
#[derive(Debug)]
pub struct Wanted<'a> {
    text: &'a str,
    is_glued: bool,
    /// Whether capitals count.
    is_exact: bool,
}

impl Wanted<'_> {
    fn matches(&self, token: &Token<'_>) -> bool {
        let same = if self.is_exact {
            token.text == self.text
        } else {
            token.text.eq_ignore_ascii_case(self.text)
        };
        same && (!self.is_glued || token.is_glued)
    }
}

/// The words of a text in their order, and where each one is.
pub struct Tokens<'a> {
    tokens: Vec<Token<'a>>,
    /// By small letters.
    by_word: HashMap<String, Vec<usize>>,
}

impl<'a> Tokens<'a> {
    pub fn of(text: &'a str) -> Self {
        let tokens = tokens(text);
        let mut by_word: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, token) in tokens.iter().enumerate() {
            by_word.entry(token.text.to_ascii_lowercase()).or_default().push(at);
        }
        Self { tokens, by_word }
    }

    /// Where a pattern starts.
    pub fn starts_of<'p>(&'p self, pattern: &'p [Wanted<'p>]) -> impl Iterator<Item = usize> + 'p {
        let first = pattern.first().map(|wanted| wanted.text.to_ascii_lowercase());
        let starts =
            first.and_then(|first| self.by_word.get(&first)).map_or(&[][..], Vec::as_slice);
        starts.iter().copied().filter(move |at| {
            let here = self.tokens.get(*at..at + pattern.len());
            here.is_some_and(|here| here.iter().zip(pattern).all(|(it, wanted)| wanted.matches(it)))
        })
    }
}

/// The words of a text: split at everything that is no letter, and within names at underscores and capitals.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    for run in text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
        let mut is_glued = false;
        for name in run.split('_') {
            let mut rest = name;
            while !rest.is_empty() {
                let (word, after) = rest.split_at(end_of_word(rest));
                found.push(Token { text: word, is_glued });
                is_glued = true;
                rest = after;
            }
        }
    }
    found
}

/// Where the next capital behind a small letter is.
fn end_of_word(text: &str) -> usize {
    let bytes = text.as_bytes();
    let starts =
        |at: &usize| bytes[*at].is_ascii_uppercase() && !bytes[at - 1].is_ascii_uppercase();
    (1..bytes.len()).find(starts).unwrap_or(bytes.len())
}

/// `a b`: words that follow each other; `a_b`: in one name; with a capital: written so.
pub fn pattern(text: &str) -> Vec<Wanted<'_>> {
    let names = text.split(' ').flat_map(|name| {
        name.split('_').enumerate().map(|(index, text)| Wanted {
            text,
            is_glued: index > 0,
            is_exact: text.starts_with(|c: char| c.is_ascii_uppercase()),
        })
    });
    names.collect()
}
