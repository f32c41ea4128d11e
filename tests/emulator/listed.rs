//! What tables list is there, and what is there is listed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::sites::survivors::{KINDS, Shown};

/// Where templates access words that other threads may be writing, and how often: each has its row in README.md, "Intended races".
/// The common parts that these are made of are left out.
const INTENDED_RACES: &[(&str, usize)] = &[
    ("binned_argsort/exchange.cuh", 2),
    ("device/partition/splitters.cuh", 1),
    ("device/radix/long_runs.cuh", 1),
    ("device/radix/look_back.cuh", 3),
    ("device/radix/tie_fix_up.cuh", 11),
];

const RELAXED: [&str; 4] = ["racing_load(", "racing_store(", "poll(", "publish("];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are in the project")
}

/// The files below a folder with this extension.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|it| it == extension) {
            found.push(path);
        }
    }
    found
}

fn text_of(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// How often a template calls one of the relaxed operations.
fn relaxed_calls(text: &str) -> usize {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let is_call = |before: &str| {
        let is_complete_name = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        is_complete_name && (before.contains('(') || !before.contains("__device__"))
    };
    let of_line = |line: &str| {
        let calls = RELAXED.iter().flat_map(|name| line.match_indices(name));
        calls.filter(|(at, _)| is_call(&line[..*at])).count()
    };
    code.map(of_line).sum()
}

#[test]
fn intended_races_are_listed() {
    let templates = root().join("templates");
    let mut found = BTreeMap::new();
    for path in files(&templates, "cuh") {
        let name = path.strip_prefix(&templates).expect("it is below the folder");
        let calls = relaxed_calls(&text_of(&path));
        if calls > 0 && !name.starts_with("common") {
            found.insert(name.to_str().expect("names are ASCII").replace('\\', "/"), calls);
        }
    }
    let found: Vec<(&str, usize)> = found.iter().map(|(name, calls)| (&**name, *calls)).collect();
    assert_eq!(found, INTENDED_RACES, "add a row to README.md, and here");
}

/// A kind that no ground has would never have to be caught.
#[test]
fn each_kind_of_sites_is_shown_by_a_test() {
    let families = root().join("tests/emulator/families");
    let all: String = files(&families, "rs").iter().map(|path| text_of(path)).collect();
    for (kind, shown) in KINDS {
        let is_there = match shown {
            // A tile family's ground has the name of its folder.
            Shown::Ground(name) => {
                all.contains(&format!("name: \"{name}\"")) || families.join(name).is_dir()
            }
            Shown::Test(name) => all.contains(&format!("fn {name}(")),
        };
        assert!(is_there, "{kind}");
    }
}

#[test]
fn calls_are_counted_in_code_alone() {
    let text = "\
// poll(of a comment)
__device__ __forceinline__ unsigned int poll(const unsigned int* word) {
  if (poll(a) != racing_load(&b)) publish(&word, 1);  // poll(c)
  threadpoll(d);
";
    assert_eq!(relaxed_calls(text), 3);
}
