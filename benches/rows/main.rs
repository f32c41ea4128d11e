//! Sorts of many rows of one length and of segments, and top-k and binned argsorts of arrays and of rows, ours and CUB's, on a GPU.
//! Without a GPU it says so and ends well; without CUB it measures ours alone.
//!
//! `cargo bench -p sortsmith-benches --bench rows [-- GROUP…]`; `rows`, `topk`, `binned` or `segments` narrow the run to one group, and `row-classes` is
//! another: fewer rows, of all classes of keys. PyTorch's rows of the same cases are made by `benches/peers/torch_rows.py`. How times are taken is as in `benches/device`.
//!
//! | variable | meaning |
//! |---|---|
//! | `SORTSMITH_PEERS` | the library of `benches/peers/build.sh`; `target/peers/libsortsmith_peers.so` |
//! | `SORTSMITH_OUT` | where the records `<date>-rows.csv`, `<date>-topk.csv`, `<date>-binned.csv` and `<date>-segments.csv` go; `bench-out` |
//! | `SORTSMITH_BENCH_LOG2` | the logarithm of the most keys; 27 |
//! | `SORTSMITH_REPETITIONS` | of arrays shorter than 2²⁶; 25. Longer ones have 7 |

mod binned;
#[path = "../device_wide/mod.rs"]
#[allow(dead_code, unused_imports)] // other benches measure device-wide sorts
mod device_wide;
mod peer;
mod segments;

use sortsmith::{Sorter, TopKOptions};
use sortsmith_benchkit::gpu::{Gpu, Peers};
use sortsmith_benchkit::settings::{self, variable};
use sortsmith_benchkit::{
    Cache, Case, Class, Columns, Contender, Group, Id, Input, Library, Method, Record, Row, machine,
};
use sortsmith_codegen::Order;

use device_wide::{Arrays, SUBJECTS, Subject};
use peer::Peer;

/// Rows and their columns: from those that a warp sorts to those of complete vocabularies.
const ROWS: [(u64, u64); 14] = [
    (1 << 22, 32),
    (1 << 21, 33),
    (1 << 20, 100),
    (1 << 20, 128),
    (1 << 17, 1000),
    (1 << 17, 1024),
    (1 << 15, 4096),
    (20_000, 5000),
    (1 << 13, 16384),
    (5000, 20_000),
    (1 << 11, 65536),
    (1000, 100_000),
    (512, 128_256),
    (64, 128_256),
];

/// Rows and their columns, of some 2²³ keys, for all classes of keys.
const CLASS_ROWS: [(u64, u64); 7] = [
    (1 << 18, 32),
    (1 << 16, 128),
    (1 << 13, 1024),
    (1 << 11, 4096),
    (1 << 9, 16384),
    (1 << 7, 65536),
    (64, 128_256),
];

/// The word for these.
const ROW_CLASSES: &str = "row-classes";

/// Rows, their columns, and k. CUB has top-k of one row alone.
const TOPK: [(u64, u64, u64); 13] = [
    (1, 128_256, 50),
    (8, 128_256, 50),
    (1, 1 << 20, 50),
    (1, 1 << 20, 1024),
    (1, 1 << 24, 1024),
    (1, 1 << 27, 1024),
    (64, 128_256, 50),
    (64, 128_256, 1024),
    (512, 128_256, 50),
    (1 << 15, 256, 8),
    (1 << 17, 1024, 50),
    (1 << 20, 128, 50),
    (1 << 20, 128, 8),
];

/// Of these, those that are measured by keys in adverse orders too.
const ADVERSE_TOPK: [(u64, u64, u64); 4] =
    [(1, 1 << 20, 1024), (64, 128_256, 50), (1 << 17, 1024, 50), (1 << 20, 128, 50)];

/// Equal keys, which of floats are NaNs, rows in both orders, and ties: of half of the keys, at all ranks, and of the k-th key.
const ADVERSE_INPUTS: [Input; 6] = [
    Input::And(0),
    Input::Sorted,
    Input::Reversed,
    Input::Class(Class::TwoValues),
    Input::Distinct(16),
    Input::Class(Class::MaximumOnce),
];

/// Types that the library has sorts of rows of, and of top-k the first three.
const TYPES: [&str; 5] = ["u32_keys", "f32_u32", "u64_u32", "f32_keys", "f16_keys"];

/// What is measured of a group.
fn cases(group: Group, subject: &Subject) -> Vec<Case> {
    let case = |n, columns, k| Case {
        group,
        types: subject.types,
        input: Input::Random,
        n,
        shape: None,
        rows: Some(Columns { columns, k }),
        order: if group == Group::TopK { Order::Descending } else { Order::Ascending },
        cache: Cache::Warm,
    };
    match group {
        Group::Rows => ROWS.map(|(rows, columns)| case(rows * columns, columns, None)).to_vec(),
        Group::TopK if !TYPES[..3].contains(&subject.types.to_string().as_str()) => Vec::new(),
        Group::TopK => {
            let of = |(rows, columns, k): (u64, u64, u64)| case(rows * columns, columns, Some(k));
            let mut all = TOPK.map(of).to_vec();
            if subject.has_floats {
                let adverse = |it| ADVERSE_INPUTS.map(|input| Case { input, ..of(it) });
                all.extend(ADVERSE_TOPK.into_iter().flat_map(adverse));
            }
            all
        }
        Group::Device | Group::Tiles | Group::Binned | Group::Segments => Vec::new(),
    }
}

/// Rows of all classes of keys, and of those that any type has.
fn class_cases(subject: &Subject) -> Vec<Case> {
    let any = [Input::Random, Input::And(0), Input::Sorted, Input::Reversed, Input::Distinct(16)];
    let inputs = any.into_iter().chain(Class::of(subject.types).map(Input::Class));
    let with = |input| {
        CLASS_ROWS.map(|(rows, columns)| Case {
            input,
            n: rows * columns,
            rows: Some(Columns { columns, k: None }),
            ..cases(Group::Rows, subject)[0]
        })
    };
    inputs.flat_map(with).collect()
}

fn main() -> Result<(), String> {
    let gpu = match Gpu::open() {
        Ok(gpu) => gpu,
        Err(reason) => {
            println!("left out: sorts of rows need a GPU: {reason}");
            return Ok(());
        }
    };
    let peers = Peers::load(&settings::peers_library()?);
    if let Err(reason) = &peers {
        println!("ours alone, not compared with CUB's: {reason}; benches/peers/build.sh builds it");
    }
    let peers = peers.as_ref().ok();
    let words = settings::words();
    let most = 1u64 << variable("SORTSMITH_BENCH_LOG2", 27)?;
    let mut arrays = Arrays::new(&gpu, most as usize, variable("SORTSMITH_REPETITIONS", 25)?)?;
    let sorter = Sorter::on(&arrays.stream).map_err(|error| error.to_string())?;
    let copy = arrays.copy_bytes_per_second()?;
    println!("{}, copies at {:.2} TB/s", gpu.describe(), copy / 1e12);
    let write = |rows, name: &str| {
        let head =
            machine::head(&gpu.context, gpu.compiler(), peers.and_then(Peers::version), copy);
        let record = Record { head: head.map_err(|error| error.to_string())?, rows };
        let written = record.write(&settings::out()?, name).map_err(|error| error.to_string())?;
        println!("rows: {}", written.display());
        Ok::<_, String>(())
    };
    let with = (&sorter, peers, copy);
    if words.iter().any(|word| word == ROW_CLASSES) {
        write(lists(most, class_cases, &mut arrays, with)?, ROW_CLASSES)?;
    }
    for group in [Group::Rows, Group::TopK, Group::Binned, Group::Segments] {
        if !words.is_empty() && !words.contains(&group.to_string()) {
            continue;
        }
        let mut rows = lists(most, |subject| cases(group, subject), &mut arrays, with)?;
        for (subject, case) in binned::cases(most).filter(|(_, case)| case.group == group) {
            let of_case = (subject, &case);
            let measured = binned::measure(of_case, &mut arrays, &sorter, peers, copy);
            let measured = measured.map_err(|error| format!("{case}: {error}"))?;
            rows.extend(measured.into_iter().map(printed));
        }
        for (subject, case) in segments::cases(most).filter(|(_, case)| case.group == group) {
            let of_case = (subject, &case);
            let measured = segments::measure(of_case, &mut arrays, &sorter, peers, copy);
            let measured = measured.map_err(|error| format!("{case}: {error}"))?;
            rows.extend(measured.into_iter().map(printed));
        }
        write(rows, &group.to_string())?;
    }
    Ok(())
}

/// Sorts of rows and top-ks of all types.
fn lists(
    most: u64,
    cases: impl Fn(&Subject) -> Vec<Case>,
    arrays: &mut Arrays,
    (sorter, peers, copy): (&Sorter, Option<&Peers>, f64),
) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for subject in SUBJECTS.iter().filter(|it| TYPES.contains(&it.types.to_string().as_str())) {
        for case in cases(subject).into_iter().filter(|case| case.n <= most) {
            let measured = measure(subject, &case, arrays, sorter, peers, copy);
            rows.extend(measured.map_err(|error| format!("{case}: {error}"))?);
        }
    }
    Ok(rows)
}

/// Ours, and CUB's ways for a case.
fn measure(
    subject: &Subject,
    case: &Case,
    arrays: &mut Arrays,
    sorter: &Sorter,
    peers: Option<&Peers>,
    copy: f64,
) -> Result<Vec<Row>, String> {
    arrays.generate(subject, case, sorter)?;
    let mut rows = Vec::new();
    let ours: &[Method] = match case.group {
        Group::TopK => &[Method::Ordered, Method::Unordered],
        _ => &[Method::Into],
    };
    for method in ours {
        let times = arrays.time(subject, case, |arrays| match method {
            Method::Ordered => arrays.top_k(subject, case, sorter, TopKOptions::new()),
            Method::Unordered => arrays.top_k(subject, case, sorter, TopKOptions::new().unsorted()),
            _ => arrays.sort_rows(subject, case, sorter),
        })?;
        let id = Id { case: *case, contender: Contender::new(Library::Sortsmith, *method) };
        rows.push(printed(Row::measured(id, &times, Some(copy))));
    }
    for peer in Peer::all_of(peers, case, arrays)? {
        let times = arrays.time(subject, case, |arrays| peer.sort(arrays))?;
        let id = Id { case: *case, contender: Contender::new(peer.library, peer.method) };
        let temp_bytes = Some(peer.temp_bytes as u64);
        rows.push(printed(Row { temp_bytes, ..Row::measured(id, &times, Some(copy)) }));
    }
    Ok(rows)
}

fn printed(row: Row) -> Row {
    let (us, percent) = (1e3 * row.milliseconds, row.spread_percent.unwrap_or_default());
    println!("{}: {us:.1} us, {:.2} Gkeys/s, +- {percent:.1}%", row.id, row.gkeys);
    row
}
