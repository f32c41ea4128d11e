//! The paths of other modules that a source file has.

use super::source;

/// A path from the crate's root, and the line that it ends in.
pub struct Found {
    pub line: usize,
    pub path: String,
}

/// The paths that begin with `crate::` or `super::` in the text of a module, made absolute, outside of comments, literals and items for
/// tests alone.
pub fn of(module: &[&str], text: &str) -> Vec<Found> {
    let code = source::code(text);
    let tokens = tokens(&code);
    let mut found = Vec::new();
    let mut next = 0;
    while next < tokens.len() {
        let word = tokens[next].1;
        let is_start = next == 0 || tokens[next - 1].1 != "::";
        let goes_on = tokens.get(next + 1).is_some_and(|(_, token)| *token == "::");
        if is_start && goes_on && (word == "crate" || word == "super") {
            next = Tree { module, tokens: &tokens, found: &mut found }.read(next, &[]);
        } else {
            next += 1;
        }
    }
    found
}

/// Words, `::`, `{`, `}` and `,`, each with its line. Whatever else there is ends a path, as `;`.
fn tokens(code: &str) -> Vec<(usize, &str)> {
    let mut tokens = Vec::new();
    for (number, line) in code.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let length = if is_word(first) {
                rest.find(|c| !is_word(c)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            let (token, behind) = rest.split_at(length);
            let is_known = is_word(first) || ["::", "{", "}", ","].contains(&token);
            tokens.push((number + 1, if is_known { token } else { ";" }));
            rest = behind.trim_start();
        }
    }
    tokens
}

/// A tree of paths, as `use` has them; a path in code is one without branches.
struct Tree<'a> {
    module: &'a [&'a str],
    tokens: &'a [(usize, &'a str)],
    found: &'a mut Vec<Found>,
}

impl<'a> Tree<'a> {
    /// Reads the tree at a token, behind this path; returns the index of the token after it.
    fn read(&mut self, mut next: usize, before: &[&'a str]) -> usize {
        let mut path = before.to_vec();
        while let Some((line, token)) = self.tokens.get(next).copied() {
            match token {
                "{" => return self.read_branches(next + 1, &path),
                "::" => next += 1,
                "self" if !path.is_empty() => next += 1,
                _ if token.starts_with(|c: char| c.is_alphanumeric() || c == '_') => {
                    path.push(token);
                    next += 1;
                }
                // A glob stands for what is in the module.
                _ => break,
            }
            let goes_on = self.tokens.get(next).is_some_and(|(_, token)| *token == "::");
            if token != "::" && !goes_on {
                self.add(line, &path);
                // `as` and another name.
                let renames = self.tokens.get(next).is_some_and(|(_, token)| *token == "as");
                return if renames { next + 2 } else { next };
            }
        }
        let line = self.tokens.get(next.saturating_sub(1)).map_or(0, |(line, _)| *line);
        self.add(line, &path);
        next
    }

    fn read_branches(&mut self, mut next: usize, path: &[&'a str]) -> usize {
        loop {
            match self.tokens.get(next).map(|(_, token)| *token) {
                Some("," | ";") => next += 1,
                Some("}") => return next + 1,
                Some(_) => next = self.read(next, path),
                None => return next,
            }
        }
    }

    /// Notes a path, from the crate's root on.
    fn add(&mut self, line: usize, path: &[&str]) {
        let ups = path.iter().take_while(|segment| **segment == "super").count();
        let rest = &path[ups..];
        let absolute = if ups > 0 {
            let base = &self.module[..self.module.len().saturating_sub(ups)];
            [base, rest].concat()
        } else {
            rest.iter().skip_while(|segment| **segment == "crate").copied().collect()
        };
        if !absolute.is_empty() {
            self.found.push(Found { line, path: absolute.join("::") });
        }
    }
}
