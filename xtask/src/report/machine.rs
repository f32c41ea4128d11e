//! What the records of one GPU were made with: once for all of them.

use std::fmt::Write as _;

use sortsmith_benchkit::{Head, Record};

use super::chapter::{Chapter, Section};

/// A table of what all records have in common, and one of what each has for itself.
pub fn section(page: &mut String, Chapter { folder, sections }: &Chapter) {
    let of_all = |of: &dyn Fn(&Head) -> Option<String>| {
        let mut found: Vec<String> = Vec::new();
        for value in sections.iter().filter_map(|section| of(&section.record.head)) {
            if !found.contains(&value) {
                found.push(value);
            }
        }
        if found.is_empty() { unknown() } else { found.join(", ") }
    };
    page.push_str("\n| | |\n|---|---|\n");
    for (key, value) in [
        ("architecture", of_all(&|head| head.arch.map(|arch| arch.to_string()))),
        ("driver", of_all(&|head| head.driver.clone())),
        ("CUB", of_all(&|head| head.cub.clone())),
        ("memory clock", of_all(&|head| head.memory_clock_mhz.map(|mhz| format!("{mhz} MHz")))),
    ] {
        let _ = writeln!(page, "| {key} | {value} |");
    }
    page.push_str(
        "\n| record | rows | date | compiler | commit | multiprocessor clock | copy, read and written |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for Section { file, record, .. } in sections {
        let _ = writeln!(page, "{}", line(folder, file, record));
    }
}

fn line(folder: &str, file: &str, record: &Record) -> String {
    let Head { date, compiler, commit, .. } = &record.head;
    let Head { sm_clock_mhz, copy_gbytes_per_second, .. } = &record.head;
    let table_cells = [
        format!("[{file}](../benches/record/{folder}/{file})"),
        record.rows.len().to_string(),
        date.to_string(),
        compiler.clone().unwrap_or_else(unknown),
        commit.as_ref().map_or_else(unknown, |commit| short_commit(commit)),
        sm_clock_mhz.map_or_else(unknown, |clock| format!("{clock} MHz")),
        copy_gbytes_per_second.map_or_else(unknown, |copy| format!("{:.2} TB/s", copy / 1e3)),
    ];
    format!("| {} |", table_cells.join(" | "))
}

fn unknown() -> String {
    "not recorded".to_owned()
}

/// Shortens the hash of a commit to its first digits, and keeps the note that files were changed.
fn short_commit(commit: &str) -> String {
    let (digits, changed) =
        commit.split_once('-').map_or((commit, ""), |it| (it.0, ", with changes"));
    format!("`{digits:.12}`{changed}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_with_changes_says_so() {
        let digits = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(short_commit(digits), "`0123456789ab`");
        let changed = short_commit(&format!("{digits}-dirty"));
        assert_eq!(changed, "`0123456789ab`, with changes");
    }
}
