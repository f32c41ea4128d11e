//! Sorts of host slices: on the host beside peers, and by way of a GPU beside the bus.

use std::fmt::Write as _;

use sortsmith_benchkit::{Group as Kind, Library, Method, Row};

use super::{cases::Group, words::count};

const PEERS: [Library; 4] = [Library::Std, Library::Rayon, Library::Rdst, Library::Voracious];

/// The table of a kind.
pub fn table(page: &mut String, kind: Kind, groups: &[Group<'_>]) {
    match kind {
        Kind::Host => {
            for (method, threads) in
                [(Method::AllThreads, "16 threads"), (Method::OneThread, "one thread")]
            {
                beside_peers(page, method, threads, groups);
            }
        }
        _ => beside_the_bus(page, groups),
    }
}

/// Nanoseconds a key, by as many threads.
fn beside_peers(page: &mut String, method: Method, threads: &str, groups: &[Group<'_>]) {
    let _ = writeln!(
        page,
        "\nSorts on the host, {threads}, random keys, ns a key; at the end the time of the fastest peer over ours.\n"
    );
    page.push_str("| keys | | sortsmith | std | rayon | rdst | voracious | |\n|---|---|---|---|---|---|---|---|\n");
    for group in groups {
        let Some(ours) = group.by(Library::Sortsmith, method) else { continue };
        let peers = PEERS.map(|library| group.by(library, method));
        let best = peers.into_iter().flatten().map(nanoseconds).fold(f64::INFINITY, f64::min);
        let table_cells = peers.map(|row| row.map_or("–".to_owned(), in_words));
        let (n, types) = (count(group.case.n), group.case.types.label());
        let (ours, ratio) = (in_words(ours), best / nanoseconds(ours));
        let _ =
            writeln!(page, "| {n} | {types} | {ours} | {} | {ratio:.2} |", table_cells.join(" | "));
    }
}

fn nanoseconds(row: &Row) -> f64 {
    1.0 / row.gkeys
}

fn in_words(row: &Row) -> String {
    format!("{:.2}", nanoseconds(row))
}

/// Microseconds, and the share of the bus's limit.
fn beside_the_bus(page: &mut String, groups: &[Group<'_>]) {
    const COLUMNS: [(Method, &str); 5] = [
        (Method::Pageable, "pageable"),
        (Method::Pinned, "pinned"),
        (Method::ByDriver, "pageable, by the driver"),
        (Method::AllThreads, "on the host"),
        (Method::Chosen, "where a sorter chooses"),
    ];
    page.push_str(
        "\nSorts by way of the GPU, copies included, and on the host, µs; in brackets the time that the bus needs for the copies, in percent.\n\n",
    );
    let names = COLUMNS.map(|(_, name)| name).join(" | ");
    let _ = writeln!(page, "| keys | | {names} |\n|---|---|---|---|---|---|---|");
    for group in groups {
        let table_cells = COLUMNS.map(|(method, _)| {
            let row = group.by(Library::Sortsmith, method);
            row.map_or("–".to_owned(), |row| {
                let share = row.limit_percent.map_or(String::new(), |it| format!(" ({it:.0}%)"));
                format!("{:.1}{share}", 1e3 * row.milliseconds)
            })
        });
        let (n, types) = (count(group.case.n), group.case.types.label());
        let _ = writeln!(page, "| {n} | {types} | {} |", table_cells.join(" | "));
    }
}
