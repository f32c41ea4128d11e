//! What the outcome of kernels in the emulator depends on.

use std::collections::BTreeSet;
use std::fs;

use super::inputs::{Inputs, had, is_source, list, repository};
use crate::emulator::{Compiler, Member, main_source};
use crate::kernel_families::folder_of_generator;
use crate::subject::Subject;

/// The folder of the families' folders.
const FAMILIES: &str = "tests/emulator/families";

/// Sources of the kit that draw specs and run other tests, or are these: what is drawn shows in names, headers, requests and cases.
const NOT_OF_OUTCOMES: [&str; 4] = [
    "tests/kit/src/command_line.rs",
    "tests/kit/src/proven/",
    "tests/kit/src/runner.rs",
    "tests/kit/src/sampler/",
];

/// Sources of the generator that judge, whatever the family: of what size keys and values are, which sorts are stable, what markers are.
const JUDGES: [&str; 5] = ["lib.rs", "types", "contract", "primitives", "text/markers.rs"];

/// Of these, what errors say of unknown words: nothing is judged by that.
const OF_UNKNOWN_WORDS: &str = "codegen/src/types/other_words.rs";

/// Variables by which C++ compilers find other headers and programs than the usual ones. Cargo sets `LD_LIBRARY_PATH`, to folders of the
/// checkout.
pub(super) const OF_COMPILERS: [&str; 7] = [
    "COMPILER_PATH",
    "CPATH",
    "CPLUS_INCLUDE_PATH",
    "C_INCLUDE_PATH",
    "GCC_EXEC_PREFIX",
    "LD_PRELOAD",
    "LIBRARY_PATH",
];

impl Inputs {
    /// Adds what runs and judges the programs of a family: the compiler, the emulator, its tests with the family's tables, the kit, and what
    /// these take from the generator while they judge.
    pub fn add_emulator(&mut self, family: &str, compiler: &Compiler) {
        self.add("compiler", compiler.name().as_encoded_bytes());
        let version = compiler.version().unwrap_or_else(|error| panic!("{error}"));
        self.add("version of the compiler", &version);
        self.add_machine();
        let is_of_families = |path: &str| path.starts_with(&format!("{FAMILIES}/"));
        self.add_sources("tests/emulator", |path| {
            let is_common = !is_of_families(path) || path == format!("{FAMILIES}/mod.rs");
            is_common && is_source(path)
        });
        for folder in named_by(family) {
            self.add_sources(&format!("{FAMILIES}/{folder}"), is_source);
        }
        self.add_sources("tests/kit/src", |path| {
            is_source(path) && !NOT_OF_OUTCOMES.iter().any(|it| path.starts_with(it))
        });
        for path in JUDGES.map(str::to_owned).into_iter().chain(generator_of(family)) {
            self.add_sources(&format!("codegen/src/{path}"), |path| {
                is_source(path) && path != OF_UNKNOWN_WORDS
            });
        }
    }

    /// Adds the source of a program that runs these headers, and the headers.
    pub fn add_program(&mut self, members: &[Member]) {
        self.add("program", main_source(members).as_bytes());
        for Member { name, header, .. } in members {
            self.add(name, header.as_bytes());
        }
    }

    /// Adds a spec's cases, with what is expected of them, and their requests.
    pub fn add_cases<S: Subject>(&mut self, spec: &S, cases: &[S::Case]) {
        self.add("cases of", spec.to_string().as_bytes());
        for case in cases {
            // The number of the header and the seed are numbers of the request, and nothing else follows from them.
            let message = spec.message(case, 0, 0);
            self.add("request", &message.bytes);
            self.add_debug("answer", &(message.answered_keys, message.answered_values));
            self.add_debug("case", case);
        }
    }
}

/// A family's folder, and those of other families that its sources name, and so on.
fn named_by(family: &str) -> BTreeSet<String> {
    let root = repository();
    let all = root.join(FAMILIES);
    let folders: Vec<String> = had(fs::read_dir(&all), &all)
        .map(|entry| had(entry, &all))
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let (mut found, mut open) = (BTreeSet::new(), vec![family.to_owned()]);
    while let Some(folder) = open.pop() {
        let mut sources = Vec::new();
        list(&root, &format!("{FAMILIES}/{folder}"), &mut sources);
        sources.retain(|path| is_source(path));
        let text = |path: &String| had(fs::read_to_string(root.join(path)), &root.join(path));
        let text: String = sources.iter().map(text).collect();
        found.insert(folder);
        let names =
            |name: &String| ["/", "::"].iter().any(|end| text.contains(&format!("{name}{end}")));
        open.extend(folders.iter().filter(|it| !found.contains(*it) && names(it)).cloned());
    }
    found
}

/// What of the generator a family has for itself, by which its specs are judged. Tile sorts are judged by their specs alone.
fn generator_of(family: &str) -> Vec<String> {
    if let Some(name) = family.strip_prefix("device_").and_then(|it| it.strip_suffix("_sort")) {
        return [name, "mod.rs", "registry.rs"].map(|it| format!("device/{it}")).into();
    }
    let folder = folder_of_generator(family).map(|folder| match folder {
        // The module is exported from within that of the other top-ks.
        "warp_top_k" => "top_k",
        folder => folder,
    });
    folder.map(str::to_owned).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel_families::FOLDERS;

    #[test]
    fn folders_that_a_family_includes_are_its_inputs() {
        let of = |family| named_by(family).into_iter().collect::<Vec<_>>();
        assert_eq!(of("gather"), ["gather"]);
        assert_eq!(of("warp_top_k"), ["block_top_k", "warp_top_k"]);
    }

    #[test]
    fn what_judges_is_there_for_every_family() {
        for folder in FOLDERS {
            assert!(!generator_of(folder).is_empty(), "{folder}");
        }
        let folders = FOLDERS.iter().copied().chain(["device_radix_sort"]).flat_map(generator_of);
        for path in JUDGES.map(str::to_owned).into_iter().chain(folders) {
            assert!(repository().join("codegen/src").join(&path).exists(), "{path}");
        }
        for path in NOT_OF_OUTCOMES.into_iter().chain([OF_UNKNOWN_WORDS]) {
            assert!(repository().join(path).exists(), "{path}");
        }
    }
}
