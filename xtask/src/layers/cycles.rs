//! Whether the files of a crate know each other in circles.
//!
//! The layers say which module may name which; within a module they say nothing. This follows the paths of [`paths`] from file to file,
//! in each crate of the workspace and of the adapters and in each test and bench of several files, and names each circle.
//!
//! A parent module and its own child may name each other, for they are one module in two files: a folder's `mod.rs` may name its files, in
//! whatever way it spells that, and they may name what it has. So may a crate's root, of which no name counts.

use std::collections::{BTreeMap, BTreeSet};
use std::{fs, io, path::Path};

use super::{paths, table};
use crate::{checkout, error::Error};

/// For each file, by its module's path, the files that it names.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// The circles of each crate.
pub fn check(root: &Path) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    for sources in crates(&checkout::files(root, None)?) {
        let folder = root.join(&sources);
        let mut texts = BTreeMap::new();
        read(&folder, &[], &mut texts).map_err(Error::file("read", &folder))?;
        let circles = circles(&graph(&texts)).into_iter();
        found.extend(circles.map(|it| format!("{sources}: a circle of files: {}", it.join(", "))));
    }
    Ok(found)
}

/// The folders of crates: of a `lib.rs` or a `main.rs`, and those that the table names.
fn crates(files: &[String]) -> BTreeSet<String> {
    let folder = |file: &String| {
        let folder = file.strip_suffix("/lib.rs").or_else(|| file.strip_suffix("/main.rs"));
        folder.map(str::to_owned)
    };
    let of_roots = files.iter().filter_map(folder);
    of_roots.chain(table::FOLDERS_WITHOUT_ROOT.map(str::to_owned)).collect()
}

/// The texts of a folder's files, by their modules' paths.
fn read(folder: &Path, module: &[&str], texts: &mut BTreeMap<String, String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        let Some(stem) = path.file_stem().and_then(|it| it.to_str()) else { continue };
        let is_root = module.is_empty() && ["lib", "main"].contains(&stem);
        if stem == "tests" || is_root {
            continue;
        }
        let inner = [module, &[stem]].concat();
        if entry.file_type()?.is_dir() {
            read(&path, &inner, texts)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let of_file = if stem == "mod" { module } else { &inner };
            texts.insert(of_file.join("::"), fs::read_to_string(&path)?);
        }
    }
    Ok(())
}

fn graph(texts: &BTreeMap<String, String>) -> Graph {
    let file_of = |path: &str| {
        let mut file = path;
        while !texts.contains_key(file) {
            file = file.rsplit_once("::")?.0;
        }
        Some(file.to_owned())
    };
    let named = |(module, text): (&String, &String)| {
        let segments: Vec<&str> = module.split("::").collect();
        let files = paths::of(&segments, text).into_iter().filter_map(|it| file_of(&it.path));
        let is_own = |file: &str| {
            file.strip_prefix(module).is_some_and(|it| it.is_empty() || it.starts_with("::"))
        };
        (module.clone(), files.filter(|it| !is_own(it)).collect())
    };
    texts.iter().map(named).collect()
}

/// The files that reach each other, as many as do.
fn circles(graph: &Graph) -> Vec<Vec<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        graph.keys().map(|from| (from, reached_from(graph, from))).collect();
    let mut found = BTreeSet::new();
    for (from, to) in &reached {
        if to.contains(*from) {
            let circle: Vec<String> = to
                .iter()
                .filter(|it| reached[**it].contains(*from))
                .map(|it| (**it).clone())
                .collect();
            found.insert(circle);
        }
    }
    found.into_iter().collect()
}

fn reached_from<'g>(graph: &'g Graph, from: &String) -> BTreeSet<&'g String> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&String> = graph[from].iter().collect();
    while let Some(file) = next.pop() {
        if reached.insert(file) {
            next.extend(&graph[file]);
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let texts = files.iter().map(|(module, text)| ((*module).to_owned(), (*text).to_owned()));
        circles(&graph(&texts.collect()))
    }

    #[test]
    fn all_files_of_a_circle_are_found() {
        let plan = ("sample::plan", "use super::layout::Storage;\n");
        let layout = ("sample::layout", "use super::counts::{self, most};\n");
        let counts = ("sample::counts", "fn f() { super::plan::is_of_rows() }\n");
        let view = ("sample::view", "use super::plan::Plan;\nuse crate::text;\n");
        let text = ("text", "pub struct Text;\n");
        assert_eq!(
            of(&[plan, layout, counts, view, text]),
            [["sample::counts", "sample::layout", "sample::plan"]]
        );
        assert!(of(&[plan, layout, ("sample::counts", ""), view, text]).is_empty());
        let behind_tests = "#[cfg(test)]\nuse super::view;\nfn f() { super::plan::is_of_rows() }\n";
        assert_eq!(of(&[plan, layout, ("sample::counts", behind_tests), view, text])[0].len(), 3);
    }

    #[test]
    fn comments_tests_and_a_folders_own_files_make_none() {
        let folder = ("sample", "mod plan;\npub use plan::Plan;\n");
        let plan = (
            "sample::plan",
            "/// See [`super::view`].\n#[cfg(test)]\nmod tests { use super::super::view; }\n",
        );
        let view = ("sample::view", "use super::{Plan, plan};\n");
        assert!(of(&[folder, plan, view]).is_empty());
    }

    #[test]
    fn a_parent_and_its_own_file_are_one_module() {
        let folder = ("sample", "pub use crate::sample::plan::Plan;\npub struct Fact;\n");
        let plan = ("sample::plan", "use super::Fact;\n");
        assert!(of(&[folder, plan]).is_empty());
    }

    #[test]
    fn each_folder_with_a_root_is_a_crate() {
        let files = ["a/src/lib.rs", "a/src/one.rs", "tests/b/main.rs", "tests/c.rs"];
        let found = crates(&files.map(str::to_owned));
        assert!(["a/src", "tests/b"].iter().all(|it| found.contains(*it)), "{found:?}");
        assert_eq!(found.len(), 2 + table::FOLDERS_WITHOUT_ROOT.len());
    }
}
