//! Rows as a table for people.

use sortsmith_benchkit::{Cache, Case, Library, Method, Row, Types};

/// What stands over the lines of these types.
pub fn print_head(types: Types) {
    println!(
        "\n{types:<18}{:>11}{:>11}{:>11}{:>10}{:>10}{:>8}{:>8}{:>8}  fastest peer",
        "keys", "us", "peer us", "Gkeys/s", "peer", "ratio", "% copy", "+- %"
    );
}

/// Prints the rows of one input: a line for each of ours, beside those of the fastest peer. The spread of times is the largest of all.
pub fn print_line(case: &Case, rows: &[Row]) {
    let is_ours = |row: &&Row| row.id.contender.library == Library::Sortsmith;
    let peers = rows.iter().filter(|row| !is_ours(row));
    let peer = peers.min_by(|a, b| a.milliseconds.total_cmp(&b.milliseconds));
    let spread_percent = rows.iter().filter_map(|row| row.spread_percent).reduce(f64::max);
    let mark = rows.iter().find_map(Row::mark).map_or(String::new(), |mark| format!(", {mark}"));
    for ours in rows.iter().filter(is_ours) {
        let method = match ours.id.contender.method {
            Method::Into => String::new(),
            method => format!(", ours by {method}"),
        };
        print_one(case, (ours, peer), spread_percent, &format!("{mark}{method}"));
    }
}

fn print_one(
    case: &Case,
    (ours, peer): (&Row, Option<&Row>),
    spread_percent: Option<f64>,
    notes: &str,
) {
    let number = |number: Option<f64>, digits: usize| {
        number.map_or("-".to_owned(), |number| format!("{number:.digits$}"))
    };
    let input = match case.cache {
        Cache::Warm => case.input.to_string(),
        Cache::Cold => format!("{} {}", case.input, case.cache),
    };
    let microseconds = |row: Option<&Row>| number(row.map(|row| row.milliseconds * 1e3), 1);
    let rate = |row: Option<&Row>| number(row.map(|row| row.gkeys), 2);
    let ratio = peer.map(|peer| ours.gkeys / peer.gkeys);
    let fastest = peer.map_or(String::new(), |row| row.id.contender.to_string());
    println!(
        "{input:<18}{:>11}{:>11}{:>11}{:>10}{:>10}{:>8}{:>8}{:>7}%  {fastest}{notes}",
        case.n,
        microseconds(Some(ours)),
        microseconds(peer),
        rate(Some(ours)),
        rate(peer),
        number(ratio, 2),
        number(ours.limit_percent, 1),
        number(spread_percent, 1),
    );
}
