//! Tables of device-wide sorts, ours beside those of peers.

use std::fmt::Write as _;

use sortsmith_benchkit::{Case, Input, Library, Types};

use super::cases::{Group, by_length, distinct};
use super::contenders;
use super::words::{count, figure, ratio};

/// What stands before the long tables: the largest sorts, the small ones, and inputs that are not random.
pub fn tables(page: &mut String, groups: &[Group<'_>]) {
    let all = by_length(groups, 1);
    let largest: Vec<&Group<'_>> =
        all.iter().filter_map(|(_, cases)| cases.last().copied()).collect();
    if !largest.is_empty() {
        page.push_str("\nThe most random keys of each type that were measured, Gkeys/s:\n\n");
        side_by_side(page, &largest);
    }
    small(page, groups);
    inputs(page, groups);
}

/// All cases: random keys by their number, then other inputs.
pub fn long_table(page: &mut String, groups: &[Group<'_>]) {
    let all = by_length(groups, 1);
    let random: Vec<&Group<'_>> = all.into_iter().flat_map(|(_, cases)| cases).collect();
    let others = groups.iter().filter(|group| group.case.input != Input::Random).collect();
    for (title, cases) in [("Random keys", random), ("Other inputs", others)] {
        if !cases.is_empty() {
            let _ = writeln!(page, "\n{title}, Gkeys/s:\n");
            side_by_side(page, &cases);
        }
    }
}

/// A column for each contender of any of these cases.
fn side_by_side(page: &mut String, cases: &[&Group<'_>]) {
    let mut contenders = contenders::of(cases.iter().copied());
    // A matrix measures them in an order of its own in each case.
    contenders.sort_unstable();
    let _ = writeln!(page, "| | keys | {} | of the limit |", contenders::heads(&contenders));
    let _ = writeln!(page, "|---|---{}|---|---|", "|---".repeat(contenders.len()));
    for group in cases {
        let Case { types, input, n, .. } = group.case;
        let input = if input == Input::Random { String::new() } else { format!(", {input}") };
        let table_cells = contenders::table_cells(group, &contenders, |row| figure(row.gkeys));
        let limit = group.best(Library::Sortsmith).and_then(|row| row.limit_percent);
        let limit = limit.map_or("–".to_owned(), |percent| format!("{}%", figure(percent)));
        let _ =
            writeln!(page, "| {}{input} | {} | {table_cells} | {limit} |", types.label(), count(n));
    }
}

/// Times of small sorts, in which launches count.
fn small(page: &mut String, groups: &[Group<'_>]) {
    let types = by_length(groups, 3);
    let lengths: Vec<u64> = [1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20]
        .into_iter()
        .filter(|n| types.iter().any(|(_, cases)| cases.iter().any(|it| it.case.n == *n)))
        .collect();
    if lengths.is_empty() {
        return;
    }
    page.push_str(
        "\nSmall n, random keys: µs from an idle stream to the end of the last kernel, in brackets CUB's best:\n\n| |",
    );
    for n in &lengths {
        let _ = write!(page, " {} |", count(*n));
    }
    let _ = writeln!(page, "\n|---|{}", "---|".repeat(lengths.len()));
    for (types, cases) in types {
        let _ = write!(page, "| {} |", types.label());
        for n in &lengths {
            let found = cases.iter().find(|group| group.case.n == *n);
            let time = |library| {
                let row = found.and_then(|group| group.best(library));
                row.map_or("–".to_owned(), |row| format!("{:.1}", 1e3 * row.milliseconds))
            };
            let _ = write!(page, " {} ({}) |", time(Library::Sortsmith), time(Library::Cub));
        }
        page.push('\n');
    }
}

/// The most keys of each kind of input, by types.
fn inputs(page: &mut String, groups: &[Group<'_>]) {
    let other = |input: &Input| !matches!(input, Input::Random | Input::Bits(_));
    let kinds = distinct(groups, |case| other(&case.input).then_some(case.input));
    let types = distinct(groups, |case| other(&case.input).then_some(case.types));
    let most = groups.iter().filter(|it| other(&it.case.input)).map(|it| it.case.n).max();
    let Some(n) = most else { return };
    let _ = write!(
        page,
        "\n{} keys by input: Gkeys/s, in brackets the ratio to CUB's best:\n\n| |",
        count(n)
    );
    for types in &types {
        let _ = write!(page, " {} |", types.label());
    }
    let _ = writeln!(page, "\n|---|{}", "---|".repeat(types.len()));
    for input in [Input::Random].into_iter().chain(kinds) {
        let table_cell = |types: &Types| {
            let is_it =
                |it: &&Group<'_>| (it.case.types, it.case.n, it.case.input) == (*types, n, input);
            let group = groups.iter().find(is_it)?;
            let ours = group.best(Library::Sortsmith)?;
            Some(format!("{} ({})", figure(ours.gkeys), ratio(group.ratio())))
        };
        let table_cells = types.iter().map(|it| table_cell(it).unwrap_or_else(|| "–".to_owned()));
        let _ = writeln!(page, "| {input} | {} |", table_cells.collect::<Vec<_>>().join(" | "));
    }
}
