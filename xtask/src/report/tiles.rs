//! Tables of tile sorts: each algorithm of ours beside CUB's best of the same shape.

use std::fmt::Write as _;

use sortsmith_benchkit::{Contender, Library, Method, Row};

use super::cases::{Group, distinct};
use super::charts::tile_label;
use super::words::{rate, ratio};

/// Means over the shapes that both libraries have: of all our sorts together and of each algorithm.
pub fn summary(page: &mut String, groups: &[Group<'_>]) {
    let compared: Vec<&Group<'_>> = groups.iter().filter(|it| it.ratio().is_some()).collect();
    let mut methods: Vec<Method> = Vec::new();
    for row in compared.iter().flat_map(|group| group.rows()) {
        let Contender { library, method, .. } = row.id.contender;
        if library == Library::Sortsmith && !methods.contains(&method) {
            methods.push(method);
        }
    }
    if compared.is_empty() {
        return;
    }
    methods.sort_unstable();
    page.push_str(
        "\nRatios to CUB's best of the same threads × items, as geometric means over all shapes that both have; in brackets \
         the lowest:\n\n| | shapes | fastest of all |",
    );
    for method in &methods {
        let _ = write!(page, " {method} |");
    }
    let _ = writeln!(page, "\n|---|---|---|{}", "---|".repeat(methods.len()));
    for types in distinct(groups, |case| Some(case.types)) {
        let of_types: Vec<&Group<'_>> =
            compared.iter().copied().filter(|it| it.case.types == types).collect();
        if of_types.is_empty() {
            continue;
        }
        let all = mean_and_lowest(of_types.iter().filter_map(|group| group.ratio()));
        let _ = write!(page, "| {} | {} | {all} |", types.label(), of_types.len());
        for method in &methods {
            let ratios = of_types.iter().filter_map(|group| by(group, *method));
            let _ = write!(page, " {} |", mean_and_lowest(ratios));
        }
        page.push('\n');
    }
}

/// Our fastest by a method over CUB's best.
fn by(group: &Group<'_>, method: Method) -> Option<f64> {
    let is_it = |row: &&&Row| {
        row.id.contender.library == Library::Sortsmith && row.id.contender.method == method
    };
    let rows = group.rows().iter().filter(is_it);
    group.over_cub(rows.max_by(|a, b| a.gkeys.total_cmp(&b.gkeys))?)
}

fn mean_and_lowest(ratios: impl Iterator<Item = f64>) -> String {
    let ratios: Vec<f64> = ratios.collect();
    if ratios.is_empty() {
        return "–".to_owned();
    }
    let sum: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    let lowest = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    format!("{:.2} ({lowest:.2})", (sum / ratios.len() as f64).exp())
}

/// The fastest sort of each shape.
pub fn long_table(page: &mut String, groups: &[Group<'_>]) {
    page.push_str(
        "\nThe fastest of each shape, Gkeys/s; registers of a thread, shared memory of a block:\n\n\
         | | threads × items | sortsmith | by | registers | shared | CUB's best | by | ratio |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for group in groups {
        let shape = tile_label(&group.case);
        let (ours, theirs) = (group.best(Library::Sortsmith), group.best(Library::Cub));
        let by = |row: Option<&Row>| row.map_or("–".to_owned(), |row| way(&row.id.contender));
        let registers = ours.and_then(|row| row.registers);
        let shared = ours.and_then(|row| row.shared_bytes);
        let _ = writeln!(
            page,
            "| {} | {shape} | {} | {} | {} | {} | {} | {} | {} |",
            group.case.types.label(),
            rate(ours),
            by(ours),
            registers.map_or("–".to_owned(), |it| it.to_string()),
            shared.map_or("–".to_owned(), |it| format!("{it} B")),
            rate(theirs),
            by(theirs),
            ratio(group.ratio()),
        );
    }
}

/// A contender's method, without its library.
fn way(contender: &Contender) -> String {
    let Contender { method, radix_bits, .. } = contender;
    radix_bits.map_or(method.to_string(), |bits| format!("{method}, {bits} bits"))
}
