//! `cargo xtask words`: counts words that this project replaces by the field's, and fails where there are more than allowed.
//!
//! A word that has an ordinary meaning too is allowed as often as [`ALLOWED`] says: the number of its uses that were read and
//! found to be plain English. Quotations in docs/performance-notes.md do not count.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{WordsArgs, error::Error, workspace};

mod table;
mod tokens;

use table::{TABLE, Word};
use tokens::{Token, pattern, tokens};

/// How often each word may be in the tree.
const ALLOWED: &str = "xtask/words.toml";
/// What is not counted: text that is generated or recorded, notes of the past, and these tables.
const LEFT_OUT: [&str; 8] = [
    "benches/record/",
    "docs/performance-notes.md",
    "tests/emulator/fuzz/",
    "tests/fuzz/corpus/",
    "tests/golden/",
    "xtask/src/words/",
    "xtask/words.toml",
    "Cargo.lock",
];
const EXTENSIONS: [&str; 11] =
    ["rs", "cu", "cuh", "cpp", "hpp", "h", "md", "py", "sh", "svg", "toml"];

/// How often a word is in each file that has it.
type Uses = BTreeMap<String, usize>;

pub fn run(args: &WordsArgs) -> Result<(), Error> {
    let root = args.root.as_deref().unwrap_or(workspace::root());
    let found = count(root)?;
    print!("{}", report(&found, args.files));
    if args.check { check(&found, &allowed(root)?) } else { Ok(()) }
}

/// Each word with its uses.
fn count(root: &Path) -> Result<Vec<(&'static Word, Uses)>, Error> {
    let mut found: Vec<(&Word, Uses)> = TABLE.iter().map(|word| (word, Uses::new())).collect();
    for file in files(root)? {
        let Ok(text) = fs::read_to_string(root.join(&file)) else { continue };
        let is_picture = Path::new(&file).extension().is_some_and(|it| it == "svg");
        let text = if is_picture { labels(&text) } else { text };
        let tokens = tokens(&text);
        for (word, uses) in &mut found {
            let count = uses_in(word, &tokens);
            if count > 0 {
                uses.insert(file.clone(), count);
            }
        }
    }
    Ok(found)
}

/// What a picture says: its text without elements and styles.
fn labels(svg: &str) -> String {
    let elements = svg.split('<').filter(|element| !element.starts_with("style"));
    let labels = elements.filter_map(|element| element.split_once('>'));
    labels.map(|(_, label)| label).collect::<Vec<_>>().join(" ")
}

/// How often a form of a word occurs outside of its exceptions.
fn uses_in(word: &Word, tokens: &[Token<'_>]) -> usize {
    let starts_at = |text: &str, at: usize| {
        let pattern = pattern(text);
        let here = tokens.get(at..at + pattern.len());
        here.is_some_and(|here| here.iter().zip(&pattern).all(|(token, part)| part.matches(token)))
    };
    let excepted = |at: usize| {
        word.but.iter().any(|text| {
            let length = pattern(text).len();
            (at.saturating_sub(length - 1)..=at).any(|start| starts_at(text, start))
        })
    };
    let is_use = |at: &usize| word.forms.iter().any(|form| starts_at(form, *at)) && !excepted(*at);
    (0..tokens.len()).filter(is_use).count()
}

/// The files under version control that are counted.
fn files(root: &Path) -> Result<Vec<String>, Error> {
    let output = Command::new("git").args(["ls-files"]).current_dir(root).output();
    let output = output.map_err(Error::file("list the files of", root))?;
    let listed = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_counted = |file: &&str| {
        let extension = Path::new(file).extension().and_then(|it| it.to_str());
        extension.is_some_and(|it| EXTENSIONS.contains(&it))
            && !LEFT_OUT.iter().any(|start| file.starts_with(start))
    };
    Ok(listed.lines().filter(is_counted).map(str::to_owned).collect())
}

fn report(found: &[(&Word, Uses)], with_files: bool) -> String {
    let mut text = String::new();
    for (word, uses) in found {
        let count: usize = uses.values().sum();
        let _ = writeln!(text, "{count:6}  {:<24} {}", word.name, word.field);
        let mut files: Vec<_> = uses.iter().filter(|_| with_files).collect();
        files.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (file, count) in files {
            let _ = writeln!(text, "        {count:4}  {file}");
        }
    }
    text
}

fn allowed(root: &Path) -> Result<BTreeMap<String, usize>, Error> {
    let file = root.join(ALLOWED);
    let text = fs::read_to_string(&file).map_err(Error::file("read", &file))?;
    toml::from_str(&text).map_err(|error| Error::Other(format!("{}: {error}", file.display())))
}

fn check(found: &[(&Word, Uses)], allowed: &BTreeMap<String, usize>) -> Result<(), Error> {
    let too_many = found.iter().filter_map(|(word, uses)| {
        let count: usize = uses.values().sum();
        let legal = allowed.get(word.name).copied().unwrap_or(0);
        (count > legal)
            .then(|| format!("{}: {count}, allowed: {legal}; write: {}", word.name, word.field))
    });
    let too_many: Vec<String> = too_many.collect();
    if too_many.is_empty() {
        return Ok(());
    }
    let lines = too_many.join("\n  ");
    Err(Error::Other(format!(
        "words that have a replacement (`cargo xtask words --files` says where):\n  {lines}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(name: &str, text: &str) -> usize {
        let word = TABLE.iter().find(|word| word.name == name).expect("a word of the table");
        uses_in(word, &tokens(text))
    }

    #[test]
    fn no_word_is_in_the_tree_more_often_than_allowed() {
        let root = workspace::root();
        check(&count(root).expect("a checkout"), &allowed(root).expect("a table"))
            .expect("no more");
    }

    #[test]
    fn words_are_found_in_prose_and_in_names() {
        assert_eq!(uses("tally", "the tallies of kTallyBits, tally_keys; totally"), 3);
        assert_eq!(
            uses("greatest keys", "the greatest\n// keys; greatest_keys; greatest key_type"),
            2
        );
        assert_eq!(uses("place", "in place, a place; it takes the place of; kPlaces"), 2);
        assert_eq!(uses("up to (state)", "up to 7; kUpTo; up_to"), 2);
        assert_eq!(
            uses("Those, What there is (subject)", "Those of a warp; and those; What there is"),
            2
        );
    }

    #[test]
    fn a_word_that_is_not_allowed_is_named_with_its_replacement() {
        let word = &TABLE[0];
        let found = [(word, Uses::from([("a.rs".to_owned(), 2)]))];
        let allowed = |count| BTreeMap::from([(word.name.to_owned(), count)]);
        assert!(check(&found, &allowed(2)).is_ok());
        let error = check(&found, &allowed(1)).expect_err("one too many").to_string();
        assert!(error.contains(word.field), "{error}");
    }
}
