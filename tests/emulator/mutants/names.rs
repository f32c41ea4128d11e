//! Whether mutants rely on names that the templates' authors gave.

use sortsmith_codegen::render::markers;
use sortsmith_testkit::subject::Subject;

use super::Mutation;
use super::edit::{identifiers, renamed};

/// Renames whatever the lines with markers name, and breaks them: mutants do the same to them as before.
pub(crate) fn assert_no_names<S: Subject>(specs: &[&str], mutations: &[Mutation]) {
    for name in specs {
        let spec: S = name.parse().unwrap_or_else(|error| panic!("{error}"));
        let header = spec.marked_header().unwrap_or_else(|error| panic!("{error}"));
        for line in header.lines() {
            let (code, Some(marker)) = markers::split(line) else { continue };
            let names = identifiers(code);
            for (label, _, edit) in mutations.iter().filter(|it| it.1 == marker) {
                let before =
                    edit.of(code).unwrap_or_else(|error| panic!("{spec}, {label}: {error}"));
                let after = edit
                    .of(&renamed(code, &names))
                    .unwrap_or_else(|error| panic!("{spec}, {label}: {error}"));
                let before = before.map(|it| renamed(&it, &names));
                assert_eq!(after, before, "{spec}, {label}: the mutant has a name of the template");
            }
        }
    }
}
