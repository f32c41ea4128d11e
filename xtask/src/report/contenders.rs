//! Columns for contenders, and tables of them: sorts of rows, top-k, and the device-wide sorts that PyTorch does too.

use std::fmt::Write as _;

use sortsmith_benchkit::{
    Cache, Case, Columns, Contender, Group as Kind, Input, Library, Row, Types,
};

use super::cases::{Group, groups_of};
use super::words::{count, figure};

/// Each contender of these cases, in the order of their rows.
pub fn of<'g, 'a: 'g>(groups: impl IntoIterator<Item = &'g Group<'a>>) -> Vec<Contender> {
    let mut found: Vec<Contender> = Vec::new();
    for row in groups.into_iter().flat_map(Group::rows) {
        if !found.contains(&row.id.contender) {
            found.push(row.id.contender);
        }
    }
    found
}

/// The heads of the contenders' columns and of the one for the best peer.
pub fn heads(contenders: &[Contender]) -> String {
    let names: Vec<String> = contenders.iter().map(way).collect();
    format!("{} | ratio to the best peer", names.join(" | "))
}

/// What a case has in these columns.
pub fn table_cells(
    group: &Group<'_>,
    contenders: &[Contender],
    words: impl Fn(&Row) -> String,
) -> String {
    let of_contenders = contenders.iter().map(|contender| group.by(*contender).map(&words));
    let all = of_contenders.chain([ratio_to_peer(group)]);
    let all: Vec<String> = all.map(|it| it.unwrap_or_else(|| "–".to_owned())).collect();
    all.join(" | ")
}

/// The cases that have a line in the table of their kind: of device-wide sorts the ones that have a sort of ours, of the types that
/// PyTorch sorted.
fn shown<'a>(kind: Kind, all: &[&'a Row]) -> Vec<Group<'a>> {
    let of_kind = all.iter().copied().filter(|row| row.id.case.group == kind);
    let mut groups = groups_of(of_kind, Cache::Warm);
    if kind == Kind::Device {
        let of_torch = |group: &&Group<'_>| group.best(Library::Torch).is_some();
        let types: Vec<Types> = groups.iter().filter(of_torch).map(|it| it.case.types).collect();
        groups.retain(|group| {
            types.contains(&group.case.types) && group.best(Library::Sortsmith).is_some()
        });
        // The records need not have the same cases.
        groups.sort_by_key(|group| group.case.n);
    }
    groups
}

/// A line for each case, a column for each contender: Gkeys/s, or µs for top-k, and one for the best peer by its name. Nothing where there are
/// no rows.
pub fn table(page: &mut String, kind: Kind, all: &[&Row]) {
    let groups = shown(kind, all);
    if groups.is_empty() {
        return;
    }
    let (title, unit, more) = match kind {
        Kind::TopK => ("Top-k of rows", "µs", " | |"),
        Kind::Binned => ("Binned argsorts", "µs", " |"),
        Kind::Segments => ("Sorts of segments", "Gkeys/s", " |"),
        Kind::Device => ("Device-wide sorts that PyTorch does too", "Gkeys/s", " |"),
        Kind::Rows | Kind::Tiles => ("Sorts of rows", "Gkeys/s", " |"),
    };
    let _ = writeln!(page, "\n{title}, {unit}; a dash: not measured.\n");
    let first = match kind {
        Kind::Device => "keys",
        Kind::Segments => "keys and segments",
        _ => "rows × columns",
    };
    let contenders = of(&groups);
    let _ = writeln!(page, "| {first} |{more} {} |", heads(&contenders));
    let columns = more.matches('|').count() + contenders.len() + 1;
    let _ = writeln!(page, "|---{}|", "|---".repeat(columns));
    for group in &groups {
        let words = |row: &Row| match kind {
            Kind::TopK | Kind::Binned => figure_of_time(1e3 * row.milliseconds),
            _ => figure(row.gkeys),
        };
        let table_cells = table_cells(group, &contenders, words);
        let _ =
            writeln!(page, "| {} | {} | {table_cells} |", shape(&group.case), keys(&group.case));
    }
}

/// `1.45: CUB, segmented`.
fn ratio_to_peer(group: &Group<'_>) -> Option<String> {
    let (peer, ratio) = (group.best_peer()?, group.ratio_to_peers()?);
    Some(format!("{ratio:.2}: {}", way(&peer.id.contender)))
}

/// Where a peer is faster, of these cases.
pub fn behind(page: &mut String, rows: &[&Row]) {
    let groups = groups_of(rows.iter().copied(), Cache::Warm);
    let compared = groups.iter().filter_map(|group| Some((group, group.ratio_to_peers()?)));
    let all = compared.clone().count();
    let mut behind: Vec<_> = compared.filter(|(_, ratio)| *ratio < 1.0).collect();
    behind.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    if all == 0 {
        return;
    }
    if behind.is_empty() {
        let _ = writeln!(page, "\nIn none of {all} cases is a peer faster.");
        return;
    }
    let _ = writeln!(page, "\nA peer is faster in {} of {all} cases:\n", behind.len());
    page.push_str("| case | ratio | peer |\n|---|---|---|\n");
    for (group, ratio) in behind {
        let (case, peer) = (&group.case, group.best_peer().map(|row| way(&row.id.contender)));
        let shape = shape(case).replace(" | ", ", ");
        let peer = peer.unwrap_or_default();
        let _ = writeln!(page, "| {shape}, {} | {ratio:.3} | {peer} |", keys(case));
    }
}

fn figure_of_time(microseconds: f64) -> String {
    format!("{microseconds:.1}")
}

/// `32768 × 4096`, and for top-k how many.
fn shape(case: &Case) -> String {
    if let Input::Segments(segments) = case.input {
        return format!("{} in {segments}", count(case.n));
    }
    let Some(Columns { columns, k }) = case.rows else { return count(case.n) };
    let top = k.map_or(String::new(), |k| format!(" | top {k}"));
    // Powers are for long rows; small numbers are read sooner as they are.
    let words = |n: u64| if n < 1 << 17 { n.to_string() } else { count(n) };
    format!("{} × {}{top}", words(case.n / columns), words(columns))
}

/// The types, and for top-k the input, where it is not random.
fn keys(case: &Case) -> String {
    let types = case.types.label();
    let is_named = case.group == Kind::TopK && case.input != Input::Random;
    if is_named { format!("{types}, {}", case.input) } else { types }
}

/// A contender's library and method.
pub fn way(contender: &Contender) -> String {
    let library = match contender.library {
        Library::Sortsmith => "sortsmith",
        Library::Cub => "CUB",
        Library::Libcusort => "libcusort",
        Library::Raft => "RAFT",
        Library::Torch => "PyTorch",
    };
    format!("{library}, {}", contender.method)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::cases::record_of;

    #[test]
    fn each_row_names_its_best_peer() {
        const TABLE: &str = "\
group,types,input,n,threads,items,order,method,radix_bits,library,milliseconds,gkeys,spread_percent,limit_percent,temp_bytes,registers,local_bytes,shared_bytes,mark
device,u64_keys,random,1048576,,,asc,into,,sortsmith,1,1.048576,,,,,,,
device,u64_keys,random,1048576,,,asc,into,,cub,2,0.524288,,,,,,,
device,u64_keys,random,1048576,,,asc,into,,torch,0.5,2.097152,,,,,,,
device,u64_keys,random,2048,,,asc,into,,torch,1,0.002048,,,,,,,
device,u64_keys,random,4096,,,asc,into,,sortsmith,1,0.004096,,,,,,,
";
        let record = record_of(1, TABLE);
        let rows: Vec<&Row> = record.rows.iter().collect();
        let mut page = String::new();
        table(&mut page, Kind::Device, &rows);
        assert!(page.contains("| ratio to the best peer |"), "{page}");
        assert!(page.contains("| 0.50: PyTorch, into |"), "{page}");
        assert!(page.contains("| 2¹² | u64 keys | 0.004 | – | – | – |"), "{page}");
        assert!(!page.contains("| 2¹¹ |"), "a case without ours: {page}");
        let mut page = String::new();
        behind(&mut page, &rows);
        assert!(page.contains("A peer is faster in 1 of 1 cases"), "{page}");
        assert!(page.contains("| 0.500 | PyTorch, into |"), "{page}");
    }
}
