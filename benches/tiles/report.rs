//! Rows as a table for people and as CSV.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use crate::{ALGORITHMS, ITEMS, THREADS};

/// One measured sort.
pub struct Row {
    /// Whose.
    pub library: &'static str,
    /// Key and value, as in specs.
    pub types: &'static str,
    /// Threads of a block.
    pub threads: u32,
    /// Items of a thread.
    pub items: u32,
    /// The algorithm, as the table's column.
    pub column: &'static str,
    /// Billions of keys a second.
    pub gkeys: f64,
    /// The median time.
    pub milliseconds: f64,
    /// Registers of a thread; −1: unknown.
    pub registers: i32,
    /// Bytes of local memory of a thread; −1: unknown.
    pub local_bytes: i32,
    /// Bytes of dynamic shared memory of a block.
    pub shared_bytes: u32,
}

const PEER_COLUMNS: [&str; 4] = ["CUB 4", "CUB 5", "CUB 6", "CUB merge"];

/// Prints the rows of these types, a line for each shape; last come our best over CUB's best radix sort, and
/// over the best of all of CUB's.
pub fn print_table(types: &str, rows: &[Row]) {
    let columns = ALGORITHMS.map(|(_, _, column)| column).into_iter().chain(PEER_COLUMNS);
    let columns: Vec<&str> = columns.collect();
    let mut head = format!("\n{types:<12}");
    for column in &columns {
        let _ = write!(head, "{column:>10}");
    }
    println!("{head}   /radix    /best");
    for threads in THREADS {
        for items in ITEMS {
            let find = |column: &str| {
                rows.iter()
                    .find(|row| {
                        (row.types, row.threads, row.items) == (types, threads, items)
                            && row.column == column
                    })
                    .map(|row| row.gkeys)
            };
            let best = |columns: &[&str]| {
                columns.iter().filter_map(|column| find(column)).fold(0.0, f64::max)
            };
            let mut line = format!("{:<12}", format!("{threads}x{items}"));
            for column in &columns {
                let text = find(column).map_or("-".to_owned(), |gkeys| format!("{gkeys:.1}"));
                let _ = write!(line, "{text:>10}");
            }
            let (ours, peers) = columns.split_at(ALGORITHMS.len());
            let ours = best(ours);
            for peer in [best(&peers[..3]), best(peers)] {
                let ratio = if ours > 0.0 && peer > 0.0 {
                    format!("{:.2}", ours / peer)
                } else {
                    "-".into()
                };
                let _ = write!(line, "{ratio:>9}");
            }
            println!("{line}");
        }
    }
}

/// Writes the rows and returns the file.
pub fn write_csv(folder: &Path, gpu: &str, keys: usize, rows: &[Row]) -> io::Result<PathBuf> {
    let mut text =
        "gpu,keys,library,types,threads,items,algorithm,gkeys,milliseconds,registers,local_bytes,\
                    shared_bytes\n"
            .to_owned();
    let gpu = gpu.replace(',', ";");
    for row in rows {
        let Row { library, types, threads, items, column, gkeys, milliseconds, .. } = row;
        let Row { registers, local_bytes, shared_bytes, .. } = row;
        let _ = writeln!(
            text,
            "{gpu},{keys},{library},{types},{threads},{items},{column},{gkeys:.3},{milliseconds:.4},{registers},\
             {local_bytes},{shared_bytes}"
        );
    }
    std::fs::create_dir_all(folder)?;
    let file = folder.join("tiles.csv");
    std::fs::write(&file, text)?;
    Ok(file)
}
