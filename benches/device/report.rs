//! Rows as a table for people.

use std::fmt::Write as _;

use sortsmith_benchkit::{Cache, Case, Row, Types};

/// What stands over the lines of these types.
pub fn print_head(types: Types) {
    println!(
        "\n{types:<12}{:>11}{:>10}{:>10}{:>10}{:>9}{:>9}{:>9}{:>8}{:>8}{:>8}{:>8}",
        "keys",
        "us",
        "cub us",
        "double us",
        "Gkeys/s",
        "cub",
        "double",
        "/cub",
        "/double",
        "% copy",
        "spread"
    );
}

/// Prints the rows of one input: ours, CUB's, and CUB's with two buffers; then ours over each of CUB's. The spread is the
/// largest of them.
pub fn print_line(case: &Case, rows: &[Row]) {
    let number = |number: Option<f64>, digits: usize| {
        number.map_or("-".to_owned(), |number| format!("{number:.digits$}"))
    };
    let all = [rows.first(), rows.get(1), rows.get(2)];
    let input = match case.cache {
        Cache::Warm => case.input.to_string(),
        Cache::Cold => format!("{} {}", case.input, case.cache),
    };
    let mut line = format!("{input:<12}{:>11}", case.n);
    for row in all {
        let _ = write!(line, "{:>10}", number(row.map(|row| row.milliseconds * 1e3), 1));
    }
    for row in all {
        let _ = write!(line, "{:>9}", number(row.map(|row| row.gkeys), 2));
    }
    for peer in &all[1..] {
        let ratio = rows.first().zip(*peer).map(|(ours, peer)| ours.gkeys / peer.gkeys);
        let _ = write!(line, "{:>8}", number(ratio, 2));
    }
    let limit = rows.first().and_then(|row| row.limit_percent);
    let spread = rows.iter().filter_map(|row| row.spread_percent).reduce(f64::max);
    let mark = rows.iter().find_map(Row::mark).map_or(String::new(), |mark| format!("  {mark}"));
    println!("{line}{:>8}{:>7}%{mark}", number(limit, 1), number(spread, 1));
}
