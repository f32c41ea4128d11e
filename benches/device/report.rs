//! Rows as a table for people.

use sortsmith_benchkit::{Cache, Case, Library, Row, Types};

/// What stands over the lines of these types.
pub fn print_head(types: Types) {
    println!(
        "\n{types:<18}{:>11}{:>11}{:>11}{:>10}{:>10}{:>8}{:>8}{:>8}  fastest peer",
        "keys", "us", "peer us", "Gkeys/s", "peer", "ratio", "% copy", "+- %"
    );
}

/// Prints the rows of one input: ours beside those of the fastest peer. The spread of times is the largest of all.
pub fn print_line(case: &Case, rows: &[Row]) {
    let number = |number: Option<f64>, digits: usize| {
        number.map_or("-".to_owned(), |number| format!("{number:.digits$}"))
    };
    let is_ours = |row: &&Row| row.id.contender.library == Library::Sortsmith;
    let ours = rows.iter().find(is_ours);
    let peers = rows.iter().filter(|row| !is_ours(row));
    let peer = peers.min_by(|a, b| a.milliseconds.total_cmp(&b.milliseconds));
    let input = match case.cache {
        Cache::Warm => case.input.to_string(),
        Cache::Cold => format!("{} {}", case.input, case.cache),
    };
    let microseconds = |row: Option<&Row>| number(row.map(|row| row.milliseconds * 1e3), 1);
    let rate = |row: Option<&Row>| number(row.map(|row| row.gkeys), 2);
    let ratio = ours.zip(peer).map(|(ours, peer)| ours.gkeys / peer.gkeys);
    let limit = ours.and_then(|row| row.limit_percent);
    let spread_percent = rows.iter().filter_map(|row| row.spread_percent).reduce(f64::max);
    let mark = rows.iter().find_map(Row::mark).map_or(String::new(), |mark| format!(", {mark}"));
    let fastest = peer.map_or(String::new(), |row| row.id.contender.to_string());
    println!(
        "{input:<18}{:>11}{:>11}{:>11}{:>10}{:>10}{:>8}{:>8}{:>7}%  {fastest}{mark}",
        case.n,
        microseconds(ours),
        microseconds(peer),
        rate(ours),
        rate(peer),
        number(ratio, 2),
        number(limit, 1),
        number(spread_percent, 1),
    );
}
