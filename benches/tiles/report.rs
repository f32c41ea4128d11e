//! Rows as a table for people.

use std::fmt::Write as _;

use sortsmith_benchkit::gpu::tiles::Peer;
use sortsmith_benchkit::{Contender, Library, Method, Row, Types};

use crate::{LANES, ROWS, shapes, warp_shapes};

/// What stands over a contender's column.
fn column(contender: &Contender) -> String {
    let library = if contender.library == Library::Cub { "CUB " } else { "" };
    match (contender.method, contender.radix_bits) {
        (Method::Radix, Some(bits)) => format!("{library}{bits}"),
        (method, Some(bits)) => format!("{library}{method} {bits}"),
        (method, None) => format!("{library}{method}"),
    }
}

/// Prints the rows of these types, a line for each shape; last come our best over CUB's best radix sort, and
/// over the best of all of CUB's.
pub fn print_table(types: Types, rows: &[Row]) {
    let contenders = rows.iter().map(|row| row.id.contender);
    let of_a_block = |it: &Contender| it.library == Library::Sortsmith && it.method != Method::Warp;
    let mut ours: Vec<Contender> = contenders.filter(of_a_block).collect();
    ours.sort_unstable();
    ours.dedup();
    let peers = Peer::contenders();
    let radix: Vec<Contender> =
        peers.into_iter().filter(|peer| peer.method == Method::Radix).collect();
    let mut head = format!("\n{types:<12}");
    for contender in ours.iter().chain(&peers) {
        let _ = write!(head, "{:>10}", column(contender));
    }
    println!("{head}   /radix    /best");
    for shape in shapes() {
        let find = |contender: &Contender| {
            rows.iter()
                .find(|row| {
                    let case = &row.id.case;
                    (case.types, case.shape, row.id.contender) == (types, Some(shape), *contender)
                })
                .map(|row| row.gkeys)
        };
        let best = |of: &[Contender]| of.iter().filter_map(find).reduce(f64::max);
        let mut line = format!("{shape:<12}");
        for contender in ours.iter().chain(&peers) {
            let text = find(contender).map_or("-".to_owned(), |gkeys| format!("{gkeys:.1}"));
            let _ = write!(line, "{text:>10}");
        }
        for peer in [best(&radix), best(&peers)] {
            let ratio = best(&ours).zip(peer).map(|(ours, peer)| ours / peer);
            let text = ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
            let _ = write!(line, "{text:>9}");
        }
        println!("{line}");
    }
}

/// Prints what logical warps make of rows of these types, a line for each length and a column for each number of lanes.
pub fn print_rows(types: Types, rows: &[Row]) {
    let head = LANES.map(|lanes| format!("{:>10}", format!("{lanes} lanes"))).concat();
    println!("\n{:<12}{head}", format!("{types} rows"));
    for length in ROWS {
        let mut line = format!("{length:<12}");
        // A row of 256 has too many items for four lanes.
        let _ = write!(line, "{:1$}", "", 10 * (LANES.len() - warp_shapes(length).count()));
        for shape in warp_shapes(length) {
            let found = rows.iter().find(|row| {
                let case = &row.id.case;
                row.id.contender.method == Method::Warp
                    && (case.types, case.shape) == (types, Some(shape))
            });
            let text = found.map_or("-".to_owned(), |row| format!("{:.1}", row.gkeys));
            let _ = write!(line, "{text:>10}");
        }
        println!("{line}");
    }
}
