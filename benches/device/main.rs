//! Device-wide sorts on a GPU: ours beside CUB's, in one process. Without a GPU it says so and ends well.
//!
//! `cargo bench -p sortsmith-benches --bench device [-- TYPES…]`; types such as `u32_keys` or `f32_u32` narrow the run to these.
//!
//! Before each timed sort its input is copied once more and the stream is idle, for all alike; the time is that between
//! two events around the call, so that of short arrays it is the launches too. Before a cold sort, a buffer of twice the L2
//! cache is read after that copy. Medians, with half the distance between the
//! quartiles as the spread of times. All sort from one array to another and keep the input; peers also back and forth between two
//! (`DoubleBuffer`), and CUB both ways with 32-bit and with 64-bit counts. What ours gives is compared with CUB's, bit for bit.
//!
//! | variable | meaning |
//! |---|---|
//! | `SORTSMITH_PEERS` | the library of `benches/peers/build.sh`; `target/peers/libsortsmith_peers.so` |
//! | `SORTSMITH_OUT` | where the record `<date>-device.csv` goes; `bench-out` |
//! | `SORTSMITH_ALGORITHMS` | ours, with commas: `auto`, `device-partition` (of the types that it has); `auto` |
//! | `SORTSMITH_BENCH_LOG2` | the logarithm of the most keys; 28 |
//! | `SORTSMITH_REPETITIONS` | of arrays shorter than 2²⁶; 25. Longer ones have 7 |

#[path = "../device_wide/mod.rs"]
#[allow(dead_code)] // another bench measures top-ks
mod device_wide;
mod report;

use sortsmith::Sorter;
use sortsmith_benchkit::gpu::{Gpu, Peers};
use sortsmith_benchkit::settings::{self, variable};
use sortsmith_benchkit::{Case, Contender, Id, Library, Record, Row, Times, machine};

use device_wide::{Arrays, Ours, Peer, SUBJECTS, Subject};

fn main() -> Result<(), String> {
    let gpu = match Gpu::open() {
        Ok(gpu) => gpu,
        Err(reason) => {
            println!("left out: device-wide sorts need a GPU: {reason}");
            return Ok(());
        }
    };
    let words = settings::words();
    let peers = Peers::load(&settings::peers_library()?);
    if let Err(reason) = &peers {
        println!("no CUB, and results are not checked: {reason}; benches/peers/build.sh builds it");
    }
    let cub = peers.as_ref().ok().and_then(Peers::version);
    let most = 1u64 << variable("SORTSMITH_BENCH_LOG2", 28)?;
    let chosen = |subject: &Subject| {
        words.is_empty() || words.iter().any(|word| *word == subject.types.to_string())
    };
    let cases: Vec<(&Subject, Vec<Case>)> = SUBJECTS
        .iter()
        .filter(|subject| chosen(subject))
        .map(|subject| (subject, subject.cases().into_iter().filter(|it| it.n <= most).collect()))
        .collect();
    let Some(longest) = cases.iter().flat_map(|(_, cases)| cases).map(|case| case.n).max() else {
        let names = SUBJECTS.each_ref().map(|subject| subject.types.to_string()).join(", ");
        println!("nothing to sort for {words:?}: types are {names}");
        return Ok(());
    };
    let mut arrays = Arrays::new(&gpu, longest as usize, variable("SORTSMITH_REPETITIONS", 25)?)?;
    let sorter = Sorter::on(&arrays.stream).map_err(|error| error.to_string())?;
    let listed = Ours::listed()?;
    let copy = arrays.copy_bytes_per_second()?;
    let of_cub = cub.as_deref().unwrap_or("none");
    println!("{}, CUB {of_cub}, copies at {:.2} TB/s", gpu.describe(), copy / 1e12);
    let mut rows = Vec::new();
    for (subject, cases) in &cases {
        let of_types = |peers| Peer::all_of(peers, subject.types);
        let of_types = peers.as_ref().map_or(Vec::new(), of_types);
        let ours: Vec<Ours> = listed.iter().filter(|it| it.has(subject)).copied().collect();
        report::print_head(subject.types);
        for case in cases {
            let of_case = measure(subject, case, &mut arrays, (&sorter, &ours), &of_types, copy)
                .map_err(|error| format!("{case}: {error}"))?;
            report::print_line(case, &of_case);
            rows.extend(of_case);
        }
    }
    let head = machine::head(&gpu.context, gpu.compiler(), cub, copy);
    let record = Record { head: head.map_err(|error| error.to_string())?, rows };
    let written = record.write(&settings::out()?, "device");
    let file = written.map_err(|error| error.to_string())?;
    println!("rows: {}", file.display());
    Ok(())
}

/// Ours, and those of peers in all of their ways.
fn measure(
    subject: &Subject,
    case: &Case,
    arrays: &mut Arrays,
    (sorter, listed): (&Sorter, &[Ours]),
    peers: &[Peer],
    copy: f64,
) -> Result<Vec<Row>, String> {
    let row = |library, method, times: &Times| {
        let id = Id { case: *case, contender: Contender::new(library, method) };
        Row::measured(id, times, Some(copy))
    };
    let n = case.n as usize;
    arrays.generate(subject, case, sorter)?;
    let mut rows = Vec::new();
    for peer in peers {
        for method in peer.methods(subject, case.n) {
            let temp_bytes = Some(peer.reserve(arrays, subject, n, method)? as u64);
            let theirs = |arrays: &mut Arrays| peer.sort(arrays, subject, n, method);
            let times = arrays.time(subject, case, theirs)?;
            rows.push(Row { temp_bytes, ..row(peer.library, method, &times) });
        }
    }
    let has_peers = !rows.is_empty();
    for (number, Ours { method, options }) in listed.iter().enumerate() {
        let ours = |arrays: &mut Arrays| arrays.sort(subject, n, sorter, *options);
        ours(arrays)?;
        // The last peer's result is in the output.
        if has_peers {
            arrays.compare(subject, n)?;
        }
        let times = arrays.time(subject, case, ours)?;
        rows.insert(number, row(Library::Sortsmith, *method, &times));
    }
    Ok(rows)
}
