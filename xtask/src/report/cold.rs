//! Sorts of arrays of which nothing is in the L2 cache, beside the same sorts as they are usually measured.

use std::fmt::Write as _;

use sortsmith_benchkit::{Cache, Case, Library, Record, Row};

use super::cases::groups;
use super::words::{count, figure};

/// A line for each cold case; nothing where there is none.
pub fn table(page: &mut String, record: &Record) {
    let cold = groups(record, Cache::Cold);
    if cold.is_empty() {
        return;
    }
    let warm = groups(record, Cache::Warm);
    page.push_str(
        "\nCold beside warm, µs; the ratios are to CUB's best, which is as cold or as warm:\n\n\
         | | sortsmith, warm | cold | CUB's best, warm | cold | ratio, warm | cold |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for group in &cold {
        let case = Case { cache: Cache::Warm, ..group.case };
        let both = [warm.iter().find(|group| group.case == case), Some(group)];
        let table_cells = [
            both.map(|group| time(group?.best(Library::Sortsmith))),
            both.map(|group| time(group?.best(Library::Cub))),
            both.map(|group| Some(format!("{:.2}", group?.ratio()?))),
        ];
        let table_cells = table_cells
            .concat()
            .into_iter()
            .map(|table_cell| table_cell.unwrap_or_else(|| "–".to_owned()));
        let table_cells = table_cells.collect::<Vec<_>>().join(" | ");
        let (n, types, input) = (count(case.n), case.types.label(), case.input);
        let _ = writeln!(page, "| {n} {types}, {input} | {table_cells} |");
    }
}

/// Microseconds.
fn time(row: Option<&Row>) -> Option<String> {
    row.map(|row| figure(1e3 * row.milliseconds))
}

#[cfg(test)]
mod tests {
    use super::super::cases::record_of;
    use super::*;

    const COLUMNS: &str = "\
group,types,input,n,threads,items,columns,k,order,cache,method,radix_bits,library,milliseconds,gkeys,spread_percent,limit_percent,temp_bytes,registers,local_bytes,shared_bytes,mark
";

    /// A record of sorts of 2²⁰ keys: cache, method, library and milliseconds.
    fn record(rows: &[(&str, &str, &str, f64)]) -> Record {
        let mut text = COLUMNS.to_owned();
        for (cache, method, library, milliseconds) in rows {
            let gkeys = f64::from(1 << 20) / milliseconds / 1e6;
            let _ = writeln!(
                text,
                "device,u32_keys,random,1048576,,,,,asc,{cache},{method},,{library},{milliseconds},{gkeys},,,,,,,"
            );
        }
        record_of(3, &text)
    }

    const WARM: [(&str, &str, &str, f64); 3] = [
        ("warm", "into", "sortsmith", 0.036),
        ("warm", "into", "cub", 0.0735),
        ("warm", "double buffer", "cub", 0.072),
    ];
    const COLD: [(&str, &str, &str, f64); 2] =
        [("cold", "into", "sortsmith", 0.04), ("cold", "into", "cub", 0.08)];

    fn shown(rows: &[(&str, &str, &str, f64)]) -> String {
        let mut page = String::new();
        table(&mut page, &record(rows));
        page
    }

    #[test]
    fn cold_sorts_stand_beside_the_same_ones_warm() {
        assert_eq!(shown(&WARM), "");
        let both = shown(&[WARM.as_slice(), &COLD].concat());
        let line = "| 2²⁰ u32 keys, random | 36.0 | 40.0 | 72.0 | 80.0 | 2.00 | 2.00 |\n";
        assert!(both.ends_with(&format!("|---|\n{line}")), "{both}");
        let alone = shown(&COLD[..1]);
        assert!(
            alone.ends_with("| 2²⁰ u32 keys, random | – | 40.0 | – | – | – | – |\n"),
            "{alone}"
        );
    }

    #[test]
    fn all_else_is_of_warm_sorts() {
        let record = record(&[WARM.as_slice(), &COLD].concat());
        let [warm, cold] = [Cache::Warm, Cache::Cold].map(|cache| groups(&record, cache));
        assert_eq!([warm.len(), cold.len()], [1, 1]);
        assert_eq!([warm[0].rows().len(), cold[0].rows().len()], [3, 2]);
        assert_eq!(warm[0].case.cache, Cache::Warm);
    }
}
