//! `cargo xtask words`: counts words that this project replaces by the field's, and fails where there are more than allowed.
//!
//! A word that has a meaning of the field's too has phrases in its row in which it does not count, each with that meaning. A new
//! use outside of these is an error. Quotations in docs/performance-notes.md do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::{WordsArgs, checkout, error::Error, workspace};

mod table;
mod tokens;

use table::{TABLE, Word};
use tokens::{Tokens, pattern};

/// How often each word may be in the tree.
const ALLOWED: &str = "xtask/words.toml";
/// What is not counted: text that is generated or recorded, notes of the past, and these tables.
const LEFT_OUT: [&str; 6] = [
    "benches/record/",
    "codegen/proptest-regressions/",
    "docs/performance-notes.md",
    "tests/golden/",
    "xtask/src/words/",
    "xtask/words.toml",
];
/// Licences and the corpora of fuzzed bytes have none.
const EXTENSIONS: [&str; 15] = [
    "rs", "cu", "cuh", "cpp", "hpp", "h", "md", "py", "sh", "svg", "toml", "cmake", "css", "txt",
    "yml",
];

/// How often a word is in each file that has it.
type Uses = BTreeMap<String, usize>;

pub fn run(args: &WordsArgs) -> Result<(), Error> {
    let root = args.root.as_deref().unwrap_or(workspace::root());
    let found = count(root, None)?;
    if let Some(revision) = &args.against {
        print!("{}", comparison(&count(root, Some(revision))?, &found));
    } else {
        print!("{}", report(&found, args.files));
    }
    if args.check { check(&found, &allowed(root)?) } else { Ok(()) }
}

/// Each word with its uses, in the files as they are or in those of a revision.
fn count(root: &Path, revision: Option<&str>) -> Result<Vec<(&'static Word, Uses)>, Error> {
    let mut found: Vec<(&Word, Uses)> = TABLE.iter().map(|word| (word, Uses::new())).collect();
    for file in files(root, revision)? {
        let Ok(text) = checkout::text(root, revision, &file) else { continue };
        let text = match Path::new(&file).extension().and_then(|it| it.to_str()) {
            Some("svg") => labels(&text),
            Some("css") => selectors(&text),
            _ => text,
        };
        let tokens = Tokens::of(&text);
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

/// What a style sheet says in its own words: its text without declarations.
fn selectors(css: &str) -> String {
    let rules = css.split('}').map(|rule| rule.rsplit_once('{').map_or(rule, |(before, _)| before));
    rules.collect::<Vec<_>>().join(" ")
}

/// How often a form of a word occurs outside of its exceptions.
fn uses_in(word: &Word, tokens: &Tokens<'_>) -> usize {
    let mut uses: BTreeSet<usize> = word
        .forms
        .iter()
        .flat_map(|form| tokens.starts_of(&pattern(form)).collect::<Vec<_>>())
        .collect();
    if uses.is_empty() {
        return 0;
    }
    for phrase in word.but.iter().flat_map(|sense| sense.phrases) {
        let phrase = pattern(phrase);
        for start in tokens.starts_of(&phrase) {
            (start..start + phrase.len()).for_each(|at| _ = uses.remove(&at));
        }
    }
    uses.len()
}

/// The files under version control that are counted.
fn files(root: &Path, revision: Option<&str>) -> Result<Vec<String>, Error> {
    let is_counted = |file: &String| {
        let extension = Path::new(file).extension().and_then(|it| it.to_str());
        extension.is_some_and(|it| EXTENSIONS.contains(&it))
            && !LEFT_OUT.iter().any(|start| file.starts_with(start))
    };
    Ok(checkout::files(root, revision)?.into_iter().filter(is_counted).collect())
}

fn report(found: &[(&Word, Uses)], with_files: bool) -> String {
    let mut text = String::new();
    for (word, uses) in found {
        let count: usize = uses.values().sum();
        let _ = writeln!(text, "{count:6}  {:<24} {}", word.name, word.field);
        for sense in word.but.iter().filter(|_| with_files) {
            let _ = writeln!(text, "              not counted: {}", sense.meaning);
        }
        let mut files: Vec<_> = uses.iter().filter(|_| with_files).collect();
        files.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (file, count) in files {
            let _ = writeln!(text, "        {count:4}  {file}");
        }
    }
    text
}

/// Each word's number of uses in an earlier revision, and its number here.
fn comparison(before: &[(&Word, Uses)], after: &[(&Word, Uses)]) -> String {
    let mut text = String::from("before   after  word\n");
    for ((word, before), (_, after)) in before.iter().zip(after) {
        let [before, after] = [before, after].map(|uses| uses.values().sum::<usize>());
        let _ = writeln!(text, "{before:6}  {after:6}  {:<32} {}", word.name, word.field);
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
mod tests;
