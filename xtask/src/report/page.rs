//! docs/performance.md: its words and tables.

use std::fmt::Write as _;

use sortsmith_benchkit::{
    Cache, Contender, Group as Kind, Head, Library, Method, Record, Row, UNSTEADY_PERCENT,
};

use super::{
    cases::{Group, by_length, groups},
    charts::{Chart, tile_label},
    cold, rows,
    words::{count, figure},
};

const TITLE: &str = "\
# Performance

<!-- Made whole by `cargo xtask report` from benches/record. Change that, not this. -->

What sorts take on the GPUs that there are records of, beside CUB's on the same arrays in the same process. All of it
follows from the newest records under [benches/record](../benches/record); what was tried and why it came out so is in
[performance-notes.md](performance-notes.md).

## How it is measured

- **Time** is that between two CUDA events around a call. Whole arrays are sorted from an idle stream on, so that of short ones
  it is the launches, too, and their input is copied once more before each sort, for all alike. A figure is the median of
  the repetitions; those of a matrix are means of as many sorts as fit into a sample.
- **Spread** is half the distance between the first and the third quartile of the repetitions, in percent of the median.
";

const METHOD: &str = "\
- **The limit** is the time to read everything once and to write it once at the speed of a copy on the device, which is
  measured in the same run. Only a sort that finds out that it need not write everything, such as one of equal keys, can be
  faster.
- **CUB** sorts the same input in the same process: `DeviceRadixSort` with 32-bit counts, from one array to another and with
  its `DoubleBuffer`; `BlockRadixSort` and `BlockMergeSort`. *CUB's best* is the fastest of those that do the same work. What
  comes out is compared, bit for bit, with CUB's (whole arrays) or with a plain stable sort (the first and the last tile).
- **Rows and greatest keys**, where there are records of them: `DeviceSegmentedSort`, `DeviceSegmentedRadixSort` and `DeviceTopK`
  of CUB's, by `cargo bench --bench rows`; `torch.sort` and `torch.topk`, by `benches/peers/torch_rows.py`, in a process of their
  own by the same method. PyTorch's positions have 8 bytes each.
- **Warm and cold**: sorts are *warm* unless it is said that they are *cold*. Of a warm one the L2 cache holds what that copy of
  the input left there, which is all of a short array. Before a cold sort a buffer of twice that cache is read after the
  copy, so that nothing of the arrays is there when the clock starts. The GPU has just been busy then, which may
  show more than the cache does in short sorts.
- **Inputs**: all bits of `random` integers are random; `random` floats are multiples of 1/4096 between −2048 and 2048. `and 3`
  is the AND of three random words, which has less entropy than one of them, whatever the type; all bits of `and 1` are random.
  `16 distinct` is 16 different values, evenly. Of `zipf` value number r comes with a probability of about 1/r, of 2²⁰ values or of
  all that a shorter key has. The values of both are anywhere in a key's range, whatever the type.
- What a record does not hold, because the bench did not ask for it yet, is *not recorded* here.

`cargo bench --bench matrix` makes records on the GPU at hand, as do `--bench device` and `--bench tiles`; `cargo xtask report`
makes this page of them, and `cargo xtask report --against OLD.csv NEW.csv` says what became slower.
";

/// The records of one GPU, and the charts made of each.
pub struct Chapter {
    /// The folder of the records, which files are named by.
    pub folder: String,
    /// The newest record of each kind, with its file's name and charts.
    pub parts: Vec<Part>,
}

/// One record and what is shown of it.
pub struct Part {
    /// The file's name.
    pub file: String,
    /// What it says.
    pub record: Record,
    /// In the order in which they are shown.
    pub charts: Vec<Chart>,
}

/// The file of a chart, in docs/img.
pub fn image(folder: &str, chart: &Chart) -> String {
    format!("{folder}-{}.svg", chart.name)
}

/// The page.
pub fn text(chapters: &[Chapter]) -> String {
    let mut page = TITLE.to_owned();
    let _ = writeln!(page, "  Rows of more than {UNSTEADY_PERCENT}% are marked, and named below.");
    page.push_str(METHOD);
    for Chapter { folder, parts } in chapters {
        let Some(first) = parts.first() else { continue };
        let _ = writeln!(page, "\n## {}", first.record.head.gpu);
        for Part { file, record, charts } in parts {
            let cases = groups(record, Cache::Warm);
            let Some(kind) = record.rows.first().map(|row| row.id.case.group) else { continue };
            let title = match kind {
                Kind::Device => "Whole arrays",
                Kind::Tiles => "Tiles",
                Kind::Rows => "Rows",
                Kind::TopK => "Greatest keys",
            };
            let whose = if is_of_torch(record) { " by PyTorch" } else { "" };
            let _ = writeln!(page, "\n### {title}{whose}, {}\n", record.head.date);
            machine(&mut page, folder, file, record);
            for chart in charts {
                let _ = writeln!(page, "\n![{}](img/{})", chart.shows, image(folder, chart));
            }
            if is_of_torch(record) {
                continue;
            }
            match kind {
                Kind::Tiles => tile_tables(&mut page, &cases),
                Kind::Device => {
                    array_tables(&mut page, &cases);
                    cold::table(&mut page, record);
                }
                // They are shown side by side, below.
                Kind::Rows | Kind::TopK => continue,
            }
            behind(&mut page, &cases);
            unsteady(&mut page, record);
        }
        let all = parts.iter().flat_map(|part| &part.record.rows);
        let all: Vec<&Row> = all.filter(|row| row.id.case.cache == Cache::Warm).collect();
        for kind in [Kind::Device, Kind::Rows, Kind::TopK] {
            rows::table(&mut page, kind, &all);
        }
    }
    page
}

/// Whether a record is PyTorch's: its process is another one, and so its file.
pub fn is_of_torch(record: &Record) -> bool {
    record.rows.first().is_some_and(|row| row.id.contender.library == Library::Torch)
}

fn machine(page: &mut String, folder: &str, file: &str, record: &Record) {
    let Head { gpu, arch, driver, compiler, cub, commit, .. } = &record.head;
    let Head { sm_clock_mhz, memory_clock_mhz, copy_gbytes_per_second, .. } = &record.head;
    let unknown = || "not recorded".to_owned();
    let known = |text: &Option<String>| text.clone().unwrap_or_else(unknown);
    let mhz = |clock: &Option<u32>| clock.map_or_else(unknown, |clock| format!("{clock} MHz"));
    let copy = copy_gbytes_per_second
        .map_or_else(unknown, |copy| format!("{:.2} TB/s read and written", copy / 1e3));
    let commit = commit.as_ref().map_or_else(unknown, |commit| short_commit(commit));
    let lines = [
        ("GPU", gpu.clone()),
        ("architecture", arch.map_or_else(unknown, |arch| arch.to_string())),
        ("driver", known(driver)),
        ("compiler", known(compiler)),
        ("CUB", known(cub)),
        ("commit", commit),
        (
            "clocks",
            format!("multiprocessors {}, memory {}", mhz(sm_clock_mhz), mhz(memory_clock_mhz)),
        ),
        ("copy", copy),
        ("rows", format!("{}, in [{file}](../benches/record/{folder}/{file})", record.rows.len())),
    ];
    page.push_str("| | |\n|---|---|\n");
    for (key, value) in lines {
        let _ = writeln!(page, "| {key} | {value} |");
    }
}

/// So many digits tell a commit from others; that files were changed must not be cut off.
fn short_commit(commit: &str) -> String {
    let (digits, changed) =
        commit.split_once('-').map_or((commit, ""), |it| (it.0, ", with changes"));
    format!("`{digits:.12}`{changed}")
}

fn array_tables(page: &mut String, groups: &[Group<'_>]) {
    let few: Vec<_> = by_length(groups, 3);
    let longest: Vec<&Group<'_>> = {
        let all = by_length(groups, 1).into_iter();
        all.filter_map(|(_, cases)| cases.last().copied()).collect()
    };
    if !longest.is_empty() {
        page.push_str(
            "\nThe most random keys of each type, Gkeys/s:\n\n\
             | | keys | sortsmith | CUB | CUB, double buffer | ratio to CUB's best | of the limit |\n\
             |---|---|---|---|---|---|---|\n",
        );
    }
    for group in longest {
        let rate = |row: Option<&Row>| row.map_or("–".to_owned(), |row| figure(row.gkeys));
        let ours = group.best(Library::Sortsmith);
        let of_cub = |method| group.by(Library::Cub, method);
        let plain = of_cub(Method::Into).or_else(|| of_cub(Method::Positions));
        let limit = ours.and_then(|row| row.limit_percent);
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} | {} | {} |",
            group.case.types.label(),
            count(group.case.n),
            rate(ours),
            rate(plain),
            rate(of_cub(Method::DoubleBuffer)),
            ratio(group.ratio()),
            limit.map_or("–".to_owned(), |percent| format!("{}%", figure(percent))),
        );
    }
    let lengths: Vec<u64> = [1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20]
        .into_iter()
        .filter(|n| few.iter().any(|(_, cases)| cases.iter().any(|it| it.case.n == *n)))
        .collect();
    if lengths.is_empty() {
        return;
    }
    page.push_str("\nFew random keys, µs from an idle stream to the end of the last kernel, CUB's best in brackets:\n\n| |");
    for n in &lengths {
        let _ = write!(page, " {} |", count(*n));
    }
    let _ = writeln!(page, "\n|---|{}", "---|".repeat(lengths.len()));
    for (types, cases) in few {
        let _ = write!(page, "| {} |", types.label());
        for n in &lengths {
            let found = cases.iter().find(|group| group.case.n == *n);
            let time = |library| {
                let row = found.and_then(|group| group.best(library));
                row.map_or("–".to_owned(), |row| format!("{:.1}", 1e3 * row.milliseconds))
            };
            let _ = write!(page, " {} ({}) |", time(Library::Sortsmith), time(Library::Cub));
        }
        page.push('\n');
    }
}

fn tile_tables(page: &mut String, groups: &[Group<'_>]) {
    page.push_str("\nA dash: not measured, or the library has no sort of that shape.\n");
    page.push_str(
        "\nThe fastest of each shape, Gkeys/s; registers of a thread, shared memory of a block:\n\n\
         | | threads × items | sortsmith | by | registers | shared | CUB's best | by | ratio |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for group in groups {
        let shape = tile_label(&group.case);
        let (ours, theirs) = (group.best(Library::Sortsmith), group.best(Library::Cub));
        let rate = |row: Option<&Row>| row.map_or("–".to_owned(), |row| figure(row.gkeys));
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

/// How somebody sorts, without who.
fn way(contender: &Contender) -> String {
    let Contender { method, radix_bits, .. } = contender;
    radix_bits.map_or(method.to_string(), |bits| format!("{method}, {bits} bits"))
}

fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or("–".to_owned(), |ratio| format!("{ratio:.2}"))
}

/// Where CUB is faster.
fn behind(page: &mut String, groups: &[Group<'_>]) {
    let compared = groups.iter().filter_map(|group| Some((group, group.ratio()?)));
    let all = compared.clone().count();
    let mut behind: Vec<_> = compared.filter(|(_, ratio)| *ratio < 1.0).collect();
    behind.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    if behind.is_empty() {
        let _ = writeln!(page, "\nIn none of {all} cases is CUB's best faster.");
        return;
    }
    let _ = writeln!(page, "\nCUB's best is faster in {} of {all} cases:\n", behind.len());
    page.push_str("| case | ratio |\n|---|---|\n");
    for (Group { case, .. }, ratio) in behind {
        let shape = case.shape.map_or(String::new(), |_| format!(", {}", tile_label(case)));
        let (types, n, input) = (case.types.label(), count(case.n), case.input);
        let _ = writeln!(page, "| {n} {types}, {input}{shape} | {ratio:.3} |");
    }
}

fn unsteady(page: &mut String, record: &Record) {
    let marked: Vec<&Row> = record.rows.iter().filter(|row| row.mark().is_some()).collect();
    let unknown = record.rows.iter().all(|row| row.spread_percent.is_none());
    if unknown {
        page.push_str("\nSpreads were not recorded.\n");
    } else if marked.is_empty() {
        let _ = writeln!(page, "\nNo row's spread passes {UNSTEADY_PERCENT}%.");
    } else {
        let _ = writeln!(page, "\nRows whose spread passes {UNSTEADY_PERCENT}%:\n");
        for row in marked {
            let spread = row.spread_percent.unwrap_or_default();
            let _ = writeln!(page, "- {} ({spread:.1}%)", row.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_with_changes_says_so() {
        let digits = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(short_commit(digits), "`0123456789ab`");
        let changed = short_commit(&format!("{digits}-dirty"));
        assert_eq!(changed, "`0123456789ab`, with changes");
    }
}
