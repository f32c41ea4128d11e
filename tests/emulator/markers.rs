//! Markers and mutants belong together: each marker of the templates has a mutant or the reason of a survivor, and no mutant relies on the names that
//! the templates' authors gave to anything else.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use sortsmith_codegen::render::markers;

use crate::families;
use crate::mutants::{Ground, marker_of_barrier, names::assert_no_names};

/// The broken headers of all device-wide families.
fn device_wide() -> impl Iterator<Item = &'static Ground> {
    families::DEVICE_WIDE.iter().flat_map(|tests| tests.mutants)
}

/// The broken headers of all families on arrays.
fn on_arrays() -> impl Iterator<Item = &'static Ground> {
    device_wide().chain(families::KERNELS.iter().map(|tests| &tests.mutants))
}

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
    let of_tiles = families::ALL.iter().flat_map(|tests| tests.mutants.sites);
    let of_kernels = families::KERNELS.iter().flat_map(|tests| tests.sites);
    let grounds = families::DEVICE_WIDE.iter().flat_map(|tests| tests.sites).chain(of_kernels);
    let of_sites = grounds.flat_map(|ground| ground.survivors).chain(of_tiles).map(|it| it.marker);
    let labels = on_arrays().flat_map(|ground| ground.survivors).map(|(_, label, _)| *label);
    of_sites.chain(labels.filter_map(marker_of_barrier))
}

#[test]
fn every_marker_has_a_mutant_or_an_excuse() {
    let texts = texts(&templates());
    let names = texts.iter().flat_map(|text| text.lines()).filter_map(|it| markers::split(it).1);
    // The marker of a loop's first line stands within a tag.
    let found: BTreeSet<&str> = names.map(|it| it.trim_end_matches("{% endif %}")).collect();
    let of_tiles = families::ALL.iter().flat_map(|tests| tests.mutants.mutations);
    let all = of_tiles.chain(on_arrays().flat_map(|ground| ground.mutations));
    let mutated = all.map(|(_, name, _)| *name);
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

#[test]
fn a_renamed_variable_breaks_no_mutant() {
    use sortsmith_codegen::SortSpec;
    use sortsmith_codegen::device::DeviceSpec;
    for tests in families::ALL {
        assert_no_names::<SortSpec>(tests.mutants.specs, tests.mutants.mutations);
    }
    for Ground { specs, mutations, .. } in device_wide() {
        assert_no_names::<DeviceSpec>(specs, mutations);
    }
}
