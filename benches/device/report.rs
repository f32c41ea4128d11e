//! Rows as a table for people and as CSV.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use crate::cases::Case;

/// One measured sort.
pub struct Row {
    /// Whose, and how.
    pub library: &'static str,
    /// Keys and values.
    pub types: &'static str,
    /// The kind of the input.
    pub input: String,
    /// How many keys.
    pub n: usize,
    /// The median time.
    pub milliseconds: f64,
    /// Billions of keys a second.
    pub gkeys: f64,
    /// The time of reading everything once and writing it once, at the speed of a copy, as a share of the sort's.
    pub percent_of_copy: f64,
    /// Bytes of temporary storage, where they are known.
    pub temp_bytes: Option<usize>,
}

/// What stands over the lines of these types.
pub fn print_head(types: &str) {
    println!(
        "\n{types:<12}{:>11}{:>10}{:>10}{:>10}{:>9}{:>9}{:>9}{:>8}{:>8}{:>8}",
        "keys",
        "us",
        "cub us",
        "double us",
        "Gkeys/s",
        "cub",
        "double",
        "/cub",
        "/double",
        "% copy"
    );
}

/// Prints the rows of one input: ours, CUB's, and CUB's with two buffers; then ours over each of CUB's.
pub fn print_line(case: &Case, rows: &[Row]) {
    let number = |row: Option<&Row>, of: fn(&Row) -> f64, digits: usize| {
        row.map_or("-".to_owned(), |row| format!("{:.digits$}", of(row)))
    };
    let all = [rows.first(), rows.get(1), rows.get(2)];
    let mut line = format!("{:<12}{:>11}", case.input.to_string(), case.n);
    for row in all {
        let _ = write!(line, "{:>10}", number(row, |row| row.milliseconds * 1e3, 1));
    }
    for row in all {
        let _ = write!(line, "{:>9}", number(row, |row| row.gkeys, 2));
    }
    for peer in &all[1..] {
        let ratio = rows.first().zip(*peer).map(|(ours, peer)| ours.gkeys / peer.gkeys);
        let _ = write!(line, "{:>8}", ratio.map_or("-".to_owned(), |it| format!("{it:.2}")));
    }
    println!("{line}{:>8}", number(rows.first(), |row| row.percent_of_copy, 1));
}

/// Writes the rows and returns the file.
pub fn write_csv(folder: &Path, gpu: &str, cub: &str, rows: &[Row]) -> io::Result<PathBuf> {
    let mut text =
        "gpu,cub,types,input,keys,library,gkeys,milliseconds,percent_of_copy,temp_bytes\n"
            .to_owned();
    let gpu = gpu.replace(',', ";");
    for row in rows {
        let Row { library, types, input, n, milliseconds, gkeys, percent_of_copy, temp_bytes } =
            row;
        let temp_bytes = temp_bytes.map_or(String::new(), |bytes| bytes.to_string());
        let _ = writeln!(
            text,
            "{gpu},{cub},{types},{input},{n},{library},{gkeys:.4},{milliseconds:.5},{percent_of_copy:.2},{temp_bytes}"
        );
    }
    std::fs::create_dir_all(folder)?;
    let file = folder.join("device.csv");
    std::fs::write(&file, text)?;
    Ok(file)
}
