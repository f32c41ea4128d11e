//! The summary of one GPU: device-wide sorts by types and number of keys, beside the best peer.

use std::fmt::Write as _;

use sortsmith_benchkit::{Cache, Group as Kind, Input, Library};

use super::cases::{Group, by_length, groups_of};
use super::chapter::Chapter;
use super::words::{count, figure};

/// The numbers of keys that have a column.
const LENGTHS: [u64; 6] = [1 << 12, 1 << 16, 1 << 20, 1 << 24, 1 << 26, 1 << 28];

/// What the table cells say, for the page and for the README.
pub const FIGURES: &str = "Gkeys/s, and in brackets the ratio to the best peer";

/// A GPU's summary; nothing where it has no record of device-wide sorts.
pub fn section(page: &mut String, chapter: &Chapter) {
    let cases = cases_of(chapter);
    let Some(first) = chapter.sections.first().filter(|_| !cases.is_empty()) else { return };
    let _ = write!(
        page,
        "## Summary: {}\n\n\
         Device-wide sorts of random keys: {FIGURES}, which is the fastest of all that were measured of the same case, CUB's and \
         PyTorch's. The last column is the lowest ratio over all inputs and numbers of keys that were measured (random where no input is named).\n\n",
        first.record.head.gpu
    );
    table(page, &cases, &LENGTHS);
    let compared: Vec<f64> = cases.iter().filter_map(Group::ratio_to_peers).collect();
    let behind = compared.iter().filter(|ratio| **ratio < 1.0).count();
    let _ = writeln!(page, "\nA peer is faster in {behind} of {} cases.", compared.len());
}

/// The warm device-wide cases of all records of a GPU, of all libraries.
pub fn cases_of(chapter: &Chapter) -> Vec<Group<'_>> {
    let rows = chapter.sections.iter().flat_map(|section| &section.record.rows);
    groups_of(rows.filter(|row| row.id.case.group == Kind::Device), Cache::Warm)
}

/// A line for each type of which random keys were sorted by us, a column for each of these lengths.
pub fn table(page: &mut String, cases: &[Group<'_>], lengths: &[u64]) {
    let heads: Vec<String> = lengths.iter().map(|n| count(*n)).collect();
    let _ = writeln!(page, "| | {} | worst input, by ratio |", heads.join(" | "));
    let _ = writeln!(page, "|---|{}---|", "---|".repeat(lengths.len()));
    for (types, of_types) in by_length(cases, 1) {
        let table_cell = |n: &u64| {
            let group = of_types.iter().find(|group| group.case.n == *n)?;
            let ours = group.best(Library::Sortsmith)?;
            let ratio = group.ratio_to_peers();
            let ratio = ratio.map_or(String::new(), |ratio| format!(" ({ratio:.2})"));
            Some(format!("{}{ratio}", figure(ours.gkeys)))
        };
        let table_cells: Vec<Option<String>> = lengths.iter().map(table_cell).collect();
        if table_cells.iter().all(Option::is_none) {
            continue;
        }
        let table_cells =
            table_cells.into_iter().map(|table_cell| table_cell.unwrap_or_else(|| "–".to_owned()));
        let table_cells = table_cells.collect::<Vec<_>>().join(" | ");
        let all = cases.iter().filter(|group| group.case.types == types);
        let _ = writeln!(page, "| {} | {table_cells} | {} |", types.label(), lowest(all));
    }
}

/// The lowest ratio, and of which case.
fn lowest<'g, 'a: 'g>(cases: impl Iterator<Item = &'g Group<'a>>) -> String {
    let ratios = cases.filter_map(|group| Some((group.ratio_to_peers()?, group.case)));
    let lowest = ratios.min_by(|(a, _), (b, _)| a.total_cmp(b));
    lowest.map_or("–".to_owned(), |(ratio, case)| {
        let input =
            if case.input == Input::Random { String::new() } else { format!(" {}", case.input) };
        format!("{ratio:.2}: {}{input}", count(case.n))
    })
}
