//! What pages promise: the README is short, and the index of the notes has all of their sections and entries.

use std::fs;

use crate::workspace;

/// Bytes of the README, at most.
const MOST_OF_README: usize = 7000;

fn page(path: &str) -> String {
    fs::read_to_string(workspace::root().join(path))
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The anchor of a heading, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_'));
    format!("#{}", kept.collect::<String>().to_lowercase().replace(' ', "-"))
}

/// The headings that the index of these notes has no link to in the row of their section.
fn missing(notes: &str) -> Vec<&str> {
    let row = |section: &str| {
        let begin = format!("| [{section}]({})", anchor(section));
        notes.lines().find(|line| line.starts_with(&begin)).unwrap_or_default()
    };
    let mut missing = Vec::new();
    let mut section = "";
    for line in notes.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading;
            if heading != "Index" && row(heading).is_empty() {
                missing.push(heading);
            }
        } else if let Some(heading) = line.strip_prefix("### ")
            && !row(section).contains(&format!("]({})", anchor(heading)))
        {
            missing.push(heading);
        }
    }
    missing
}

#[test]
fn the_readme_is_short() {
    let bytes = page("README.md").len();
    assert!(bytes <= MOST_OF_README, "README.md has {bytes} bytes, more than {MOST_OF_README}");
}

#[test]
fn the_index_of_the_notes_is_complete() {
    assert_eq!(missing(&page("docs/performance-notes.md")), [""; 0]);
}

#[test]
fn a_section_and_an_entry_that_the_index_lacks_are_found() {
    let notes = "## Index\n\n| [Tiles](#tiles) | . | [`u32` keys: 2¹⁸](#u32-keys-2¹⁸) |\n\n\
                 ## Tiles\n### `u32` keys: 2¹⁸\n### Banks\n## Rows\n";
    assert_eq!(missing(notes), ["Banks", "Rows"]);
}
