//! Records come back as they were written, and what is wrong with one is said.

use super::{Record, RecordError};
use crate::{Cache, Columns, EXAMPLE};

const FILE: &str = "2026-11-22-device.csv";

fn parse(text: &str) -> Result<Record, RecordError> {
    Record::parse(FILE.as_ref(), text)
}

#[test]
fn a_record_comes_back_as_it_was_written() {
    let record = parse(EXAMPLE).unwrap();
    assert_eq!(record.rows.len(), 5);
    assert_eq!(record.text(), EXAMPLE);
    let folder = tempfile::tempdir().unwrap();
    let file = record.write(folder.path(), "device").unwrap();
    assert_eq!(file.file_name().unwrap(), FILE);
    assert_eq!(Record::read(&file).unwrap(), record);
}

/// The example as rows of 512 keys: columns, and k where there is one.
fn of_rows(group: &str, columns: &str, k: &str) -> String {
    let (text, _) = EXAMPLE.split_once("tiles,").unwrap();
    let text =
        text.replace("# record: 1", "# record: 2").replace("items,order", "items,columns,k,order");
    let text = text.replace("device,", &format!("{group},"));
    text.replace(",,,asc", &format!(",,,{columns},{k},asc"))
}

#[test]
fn rows_of_arrays_have_columns_of_their_own() {
    for (group, k) in [("rows", ""), ("topk", "50")] {
        let text = of_rows(group, "512", k);
        let record = parse(&text).unwrap();
        let k = k.parse().ok();
        assert!(record.rows.iter().all(|it| it.id.case.rows == Some(Columns { columns: 512, k })));
        assert_eq!(record.text(), text);
    }
    let refused = |text: &str, words: &str| {
        let error = parse(text).expect_err(words).to_string();
        assert!(error.contains(words), "{error}");
    };
    refused(&of_rows("rows", "500", ""), "columns is `500`; legal: a divisor of 4096");
    refused(&of_rows("rows", "512", "5"), "k is `5`; legal: nothing");
    refused(&of_rows("topk", "512", ""), "k is ``; legal: 1 to 512");
    refused(&of_rows("topk", "512", "513"), "k is `513`; legal: 1 to 512");
    refused(&of_rows("device", "512", ""), "columns is `512`; legal: nothing");
    refused(
        &EXAMPLE.replace("device,", "rows,"),
        "group is `rows`; legal: device or tiles in record 1",
    );
}

/// The example with a column of caches: the first row is cold if this is set.
fn of_caches(first: &str) -> String {
    let columns = EXAMPLE
        .replace("# record: 1", "# record: 3")
        .replace("items,order,method", "items,columns,k,order,cache,method");
    let (head, rows) = columns.split_once("mark\n").unwrap();
    let row = |(index, line): (usize, &str)| {
        let cache = if index == 0 { first } else { "warm" };
        line.replacen(",asc,", &format!(",,,asc,{cache},"), 1) + "\n"
    };
    format!("{head}mark\n{}", rows.lines().enumerate().map(row).collect::<String>())
}

#[test]
fn caches_are_warm_where_nothing_else_is_said() {
    let is_warm = |record: &Record| record.rows.iter().all(|it| it.id.case.cache == Cache::Warm);
    let warm = parse(EXAMPLE).unwrap();
    assert!(is_warm(&warm));
    let second = parse(&of_rows("rows", "512", "")).unwrap();
    assert!(is_warm(&second));
    // What has no cold row is written as ever.
    let said = parse(&of_caches("warm")).unwrap();
    assert_eq!(said, warm);
    assert_eq!(said.text(), EXAMPLE);
}

#[test]
fn a_cold_row_comes_back_as_it_was_written() {
    let text = of_caches("cold");
    let record = parse(&text).unwrap();
    let caches = record.rows.iter().map(|row| row.id.case.cache);
    let expected = [Cache::Cold, Cache::Warm, Cache::Warm, Cache::Warm, Cache::Warm];
    assert_eq!(caches.collect::<Vec<_>>(), expected);
    assert_eq!(record.text(), text);
    let refused = |text: &str, words: &str| {
        let error = parse(text).expect_err(words).to_string();
        assert!(error.starts_with(FILE) && error.contains(words), "{error}");
    };
    refused(&of_caches("tepid"), ":13: cache is `tepid`; legal: warm, cold");
    refused(&of_caches(""), ":13: cache is ``; legal: warm, cold");
    // The column is the third version's.
    let second = text.replace("# record: 3", "# record: 2");
    refused(
        &second,
        ":12: the columns are group,types,input,n,threads,items,columns,k,order,cache",
    );
}

#[test]
fn unknown_is_empty() {
    let record = parse(EXAMPLE).unwrap();
    assert_eq!(record.head.driver, None);
    assert_eq!((record.rows[0].temp_bytes, record.rows[1].temp_bytes), (None, Some(1)));
    assert!(EXAMPLE.contains("\n# driver:\n"));
}

/// The example with one thing replaced is refused, by an error that holds these words.
fn refused(from: &str, to: &str, words: &str) {
    assert!(EXAMPLE.contains(from), "{from}");
    let error = parse(&EXAMPLE.replacen(from, to, 1)).expect_err(to).to_string();
    assert!(error.starts_with(FILE) && error.contains(words), "{error}");
}

#[test]
fn an_error_names_file_line_field_and_what_is_legal() {
    refused("# record: 1", "# record: 4", ":1: record is `4`; legal: 1, 2 or 3");
    refused("# gpu: NVIDIA H200", "# gpu:", ":2: gpu is ``; legal: a text");
    refused("sm_90", "sm_91", ":3: arch is `sm_91`; legal: nothing, or sm_70, sm_72");
    refused("2026-11-22", "22.11.2026", ":8: date is `22.11.2026`; legal: a date as 2026-");
    refused("# cub: ", "# cup: ", ":6: the line is `# cup: 3.5.0`; legal: `# cub: …`; the keys");
    refused("group,types", "types,group", ":12: the columns are types,group,input");
    refused("\ndevice,", "\ndevices,", ":13: group is `devices`; legal: device, tiles");
    refused("u32_keys", "u33_keys", ":13: types is `u33_keys`; legal: KEY_VALUE, KEY one of u8");
    refused("random", "chaos", ":13: input is `chaos`; legal: random, sorted, reversed, equal");
    refused(",4096,", ",-1,", ":13: n is `-1`; legal: a whole number");
    refused("4096,,", "4096,128,", ":13: threads is `128`; legal: nothing, for these are no");
    refused(",128,4,", ",128,,", ":16: items is ``; legal: a whole number from 1 on");
    refused(",asc,", ",up,", ":13: order is `up`; legal: asc, desc");
    refused(",into,", ",onto,", ":13: method is `onto`; legal: in place, into, partition, into");
    refused(",sortsmith,", ",ours,", ":13: library is `ours`; legal: sortsmith, cub");
    refused(",0.01242,", ",0,", ":13: milliseconds is `0`; legal: a number above 0");
    refused(
        ",0.3299,",
        ",3.299,",
        ":13: gkeys is `3.299`; legal: billions of keys a second, 0.32979",
    );
    refused(",7.25,", ",much,", ":15: spread_percent is `much`; legal: nothing, or a number");
    refused(",unsteady", ",", ":15: mark is ``; legal: unsteady, by its spread_percent");
    refused(",6732,\n", ",6732,unsteady\n", ":16: mark is `unsteady`; legal: nothing, for");
}

#[test]
fn lines_that_are_cut_or_there_twice_are_refused() {
    refused(",0.06,,,,,\n", ",0.06\n", ":13: 14 fields; legal: 19, one for each column");
    let row = EXAMPLE.lines().last().unwrap();
    refused(
        row,
        &format!("{row}\n{row}"),
        ":18: `tiles u32_keys random 67108864 128×4 asc: cub radix 4` is in line 17 already; legal: each id once",
    );
    let (head, _) = EXAMPLE.split_once("group,").unwrap();
    let error = parse(head).unwrap_err().to_string();
    assert!(error.contains(":12: there is nothing after the head; legal: group,"), "{error}");
    let error = parse("").unwrap_err().to_string();
    assert!(error.contains(":1: the line is ``; legal: `# record: …`"), "{error}");
    let error = Record::read("/no/such/file.csv".as_ref()).unwrap_err().to_string();
    assert!(error.starts_with("cannot read /no/such/file.csv: "), "{error}");
}
