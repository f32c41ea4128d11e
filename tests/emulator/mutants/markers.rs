//! Markers and mutants belong together: each marker of the templates has a mutant or the reason of a survivor, and no mutant relies on the names that
//! the templates' authors gave to anything else.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use sortsmith_codegen::render::markers;
use sortsmith_testkit::subject::Subject;

use super::edit::{identifiers, renamed};
use super::{
    Mutation, device_bitonic, device_partition, device_radix, device_sample, gather,
    marker_of_barrier,
};
use crate::families;
use crate::sites::survivors;

const ALL: [&[Mutation]; 6] = [
    device_bitonic::MUTATIONS,
    device_partition::MUTATIONS,
    device_radix::MUTATIONS,
    device_radix::COUNTED_MUTATIONS,
    device_sample::MUTATIONS,
    gather::MUTATIONS,
];

/// The folder of the templates, in this package's or in one around it.
fn templates() -> PathBuf {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders.map(|it| it.join("templates")).find(|it| it.is_dir()).expect("the repository has it")
}

/// The texts of a folder's files.
fn texts(folder: &Path) -> Vec<String> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|it| it.expect("the folder can be read").path());
    let text = |path: PathBuf| vec![fs::read_to_string(path).expect("a template is text")];
    paths.flat_map(|path| if path.is_dir() { texts(&path) } else { text(path) }).collect()
}

/// The markers of barriers, fences and atomics that may be taken out.
fn excused() -> impl Iterator<Item = &'static str> {
    let of_families = families::ALL.iter().flat_map(|tests| tests.mutants.sites);
    let of_sites = survivors::ALL.into_iter().flatten().chain(of_families).map(|it| it.marker);
    let labels = device_radix::SURVIVORS.iter().map(|(_, label, _)| *label);
    of_sites.chain(labels.filter_map(marker_of_barrier))
}

#[test]
fn every_marker_has_a_mutant_or_an_excuse() {
    let texts = texts(&templates());
    let names = texts.iter().flat_map(|text| text.lines()).filter_map(|it| markers::split(it).1);
    // The marker of a loop's first line stands within a tag.
    let found: BTreeSet<&str> = names.map(|it| it.trim_end_matches("{% endif %}")).collect();
    let of_families = families::ALL.iter().flat_map(|tests| tests.mutants.mutations);
    let mutated = ALL.into_iter().flatten().chain(of_families).map(|(_, name, _)| *name);
    let used: BTreeSet<&str> = mutated.chain(excused()).collect();
    let unused: Vec<_> = found.difference(&used).collect();
    assert!(
        unused.is_empty(),
        "markers of the templates that no mutant and no survivor has: {unused:?}"
    );
    let unknown: Vec<_> = used.difference(&found).collect();
    assert!(
        unknown.is_empty(),
        "markers of mutants and survivors that no template has: {unknown:?}; put each at the end of its line, `//~ MARKER`"
    );
}

/// Renames whatever the lines with markers name, and breaks them: mutants do the same to them as before.
fn assert_no_names<S: Subject>(specs: &[&str], mutations: &[Mutation]) {
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

#[test]
fn a_renamed_variable_breaks_no_mutant() {
    use sortsmith_codegen::device::DeviceSpec;
    use sortsmith_codegen::{SortSpec, gather::GatherSpec};
    for tests in families::ALL {
        assert_no_names::<SortSpec>(tests.mutants.specs, tests.mutants.mutations);
    }
    assert_no_names::<DeviceSpec>(&device_bitonic::SPECS, device_bitonic::MUTATIONS);
    assert_no_names::<DeviceSpec>(&device_partition::SPECS, device_partition::MUTATIONS);
    assert_no_names::<DeviceSpec>(&device_radix::SPECS, device_radix::MUTATIONS);
    assert_no_names::<DeviceSpec>(&device_radix::COUNTED, device_radix::COUNTED_MUTATIONS);
    assert_no_names::<DeviceSpec>(&device_sample::SPECS, device_sample::MUTATIONS);
    assert_no_names::<GatherSpec>(&gather::SPECS, gather::MUTATIONS);
}
