//! Whether the modules of a crate know each other in one direction only.
//!
//! Reads the sources, not what the compiler makes of them: every path that begins with `crate::` or `super::`, in `use` lines and in
//! code, outside of comments and tests. The layers are in [`table`]; within them, files know each other in no [circles](cycles). No file and
//! no function is longer than [`lengths`] allows, and fragments of templates leave no access [label](labels) open.

mod cycles;
mod functions;
mod labels;
mod lengths;
mod paths;
mod source;
mod table;

use std::{fmt, fs, io, path::Path};

use crate::{error::Error, workspace};

/// A crate and its layers; see [`table::CRATES`].
pub struct Crate {
    /// The folder of its sources, from the workspace's root.
    pub sources: &'static str,
    /// Paths of modules, the lowest layer first.
    pub layers: &'static [&'static [&'static str]],
}

/// A path in a module that the layers do not allow.
#[derive(Debug, PartialEq, Eq)]
struct Violation {
    /// The module that has the path.
    module: String,
    line: usize,
    path: String,
    reason: &'static str,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { module, line, path, reason } = self;
        write!(f, "{module}, line {line}: `{path}` {reason}")
    }
}

/// Where a module stands: its layer, and the listed module that it is in.
type Position = (usize, String);

impl Crate {
    /// The position of the listed module that a path is in: the longest one that fits, and a name before `*`.
    fn position(&self, path: &[&str]) -> Option<Position> {
        let listed = self
            .layers
            .iter()
            .enumerate()
            .flat_map(|(layer, modules)| modules.iter().map(move |module| (layer, *module)));
        let fits = |module: &str| {
            let mut segments = path.iter();
            module.split("::").all(|it| segments.next().is_some_and(|own| it == "*" || it == *own))
        };
        let length = |module: &str| module.split("::").count();
        listed
            .filter(|(_, module)| fits(module))
            .max_by_key(|(_, module)| (length(module), !module.contains('*')))
            .map(|(layer, module)| (layer, path[..length(module)].join("::")))
    }

    /// What is wrong with a path in a module, if anything is.
    fn objection(&self, module: &[&str], path: &[&str]) -> Option<&'static str> {
        let (Some(from), Some(to)) = (self.position(module), self.position(path)) else {
            if self.position(module).is_some() {
                // Constants and macros of the crate itself are open to all modules.
                return (path.len() > 1).then_some("is in no layer");
            }
            let is_own = path.starts_with(module);
            return (!is_own).then_some("is not its own, and the module is in no layer");
        };
        if to.0 > from.0 {
            Some("is in a higher layer")
        } else if to.0 == from.0 && to.1 != from.1 {
            Some("is beside it in the same layer")
        } else {
            None
        }
    }

    /// The violations of one file.
    fn check(&self, module: &[&str], text: &str) -> Vec<Violation> {
        let violation = |found: paths::Found| {
            let segments: Vec<&str> = found.path.split("::").collect();
            self.objection(module, &segments).map(|reason| Violation {
                module: module.join("::"),
                line: found.line,
                path: found.path,
                reason,
            })
        };
        paths::of(module, text).into_iter().filter_map(violation).collect()
    }

    /// The violations of all files in a folder, which is that of this module.
    fn check_folder(&self, folder: &Path, module: &[&str]) -> io::Result<Vec<Violation>> {
        let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        let mut violations = Vec::new();
        for entry in entries {
            let path = entry.path();
            let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
            let is_root = module.is_empty() && ["lib", "main"].contains(&stem);
            if stem == "tests" || is_root {
                continue;
            }
            let inner = [module, &[stem]].concat();
            if entry.file_type()?.is_dir() {
                violations.extend(self.check_folder(&path, &inner)?);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let of_file = if stem == "mod" { module } else { &inner };
                violations.extend(self.check(of_file, &fs::read_to_string(&path)?));
            }
        }
        Ok(violations)
    }
}

/// Fails if a module of any crate of the table names one that it may not, if files know each other in circles, or if a
/// file, a function or a fragment's labels are not as they should be.
pub fn run() -> Result<(), Error> {
    let mut found = Vec::new();
    for row in table::CRATES {
        let sources = workspace::root().join(row.sources);
        let of_crate = row.check_folder(&sources, &[]).map_err(Error::file("read", &sources))?;
        found.extend(of_crate.iter().map(|it| format!("{}: {it}", row.sources)));
    }
    found.extend(cycles::check(workspace::root())?);
    found.extend(lengths::check(workspace::root())?);
    found.extend(labels::check(workspace::root())?);
    if found.is_empty() { Ok(()) } else { Err(Error::Other(found.join("\n"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CRATE: Crate =
        Crate { sources: "", layers: &[&["low"], &["pair::one", "pair::two"], &["high"]] };

    fn reasons(module: &[&str], text: &str) -> Vec<&'static str> {
        CRATE.check(module, text).into_iter().map(|violation| violation.reason).collect()
    }

    #[test]
    fn the_workspace_has_one_direction() {
        run().unwrap_or_else(|error| panic!("{error}"));
    }

    #[test]
    fn a_planted_back_edge_is_found() {
        let back = "use crate::{\n    low::Fact,\n    high::{self, Choice},\n};\n";
        let found = CRATE.check(&["low"], back);
        let line_and_path = |it: &Violation| (it.line, it.path.clone());
        let expected = vec![(3, "high".to_owned()), (3, "high::Choice".to_owned())];
        assert_eq!(found.iter().map(line_and_path).collect::<Vec<_>>(), expected);
        assert!(found.iter().all(|it| it.reason == "is in a higher layer"));
    }

    #[test]
    fn lower_layers_and_the_module_itself_are_allowed() {
        let text = "use crate::low::Fact;\nuse crate::pair::one::Plan;\nuse super::super::super::low;\nuse super::view;";
        assert_eq!(reasons(&["pair", "one", "plan"], text), [""; 0]);
    }

    #[test]
    fn paths_in_code_and_by_super_count_and_comments_and_tests_do_not() {
        let text = "/// [`crate::high::Choice`]\nfn f() { crate::high::f() }\n#[cfg(test)]\nmod tests { use crate::high; }";
        assert_eq!(reasons(&["low"], text), ["is in a higher layer"]);
        assert_eq!(
            reasons(&["low", "inner"], "use super::super::high::f;"),
            ["is in a higher layer"]
        );
    }

    #[test]
    fn a_star_is_each_module_of_a_folder_that_is_not_listed() {
        let layers: &[&[&str]] = &[&["pair::base"], &["pair::*"], &["pair"]];
        let starred = Crate { sources: "", layers };
        let found = |module: &[&str], text| -> Vec<&str> {
            starred.check(module, text).into_iter().map(|violation| violation.reason).collect()
        };
        assert_eq!(found(&["pair", "one"], "use crate::pair::base::Fact;"), [""; 0]);
        assert_eq!(found(&["pair", "one", "plan"], "use crate::pair::one::Plan;"), [""; 0]);
        assert_eq!(
            found(&["pair", "one"], "use crate::pair::two::Plan;"),
            ["is beside it in the same layer"]
        );
        assert_eq!(
            found(&["pair", "base"], "use crate::pair::one::Plan;"),
            ["is in a higher layer"]
        );
        assert_eq!(found(&["pair"], "use one::Plan;\nuse crate::pair::two;"), [""; 0]);
    }

    #[test]
    fn modules_of_one_layer_do_not_know_each_other() {
        let reason = "is beside it in the same layer";
        assert_eq!(reasons(&["pair", "one"], "use crate::pair::two::Plan;"), [reason]);
        assert_eq!(reasons(&["pair", "one"], "use super::two::Plan;"), [reason]);
    }

    #[test]
    fn a_module_in_no_layer_is_named_by_no_other() {
        assert_eq!(reasons(&["high"], "use crate::pair::Plan;"), ["is in no layer"]);
        assert_eq!(reasons(&["high"], "use crate::VERSION;"), [""; 0]);
        assert_eq!(reasons(&["pair"], "pub use one::Plan;\nuse crate::pair::two;"), [""; 0]);
        assert_eq!(reasons(&["pair"], "use crate::low;").len(), 1);
    }
}
