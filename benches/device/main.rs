//! Sorts of whole arrays on a GPU: ours beside CUB's, in one process. Without a GPU it says so and ends well.
//!
//! `cargo bench --bench device [-- TYPES…]`; types such as `u32` or `f32_u32` narrow the run to these.
//!
//! Before each timed sort its input is copied once more and the stream is idle, for all alike; the time is that between
//! two events around the call, so that of short arrays it is the launches too. Medians. Both sort from one array to another,
//! and keep the input; CUB also back and forth between two (`DoubleBuffer`). What ours gives is compared with CUB's, bit
//! for bit.
//!
//! | variable | meaning |
//! |---|---|
//! | `SORTSMITH_PEERS` | the library of `benches/peers/build.sh`; `target/peers/libsortsmith_peers.so` |
//! | `SORTSMITH_OUT` | where `device.csv` goes; `bench-out` |
//! | `SORTSMITH_BENCH_LOG2` | the logarithm of the most keys; 28 |
//! | `SORTSMITH_REPETITIONS` | of arrays shorter than 2²⁶; 25. Longer ones have 7 |

mod arrays;
mod cases;
#[path = "../../tests/gpu/driver.rs"]
#[allow(dead_code)] // launches of tile kernels
mod driver;
mod into;
mod peers;
mod report;
#[path = "../settings/mod.rs"]
mod settings;

use sortsmith::Sorter;

use arrays::Arrays;
use cases::{Case, TYPES, Types};
use driver::Gpu;
use peers::{Mode, Peer, Peers};
use report::Row;
use settings::variable;

fn main() -> Result<(), String> {
    let gpu = match Gpu::open() {
        Ok(gpu) => gpu,
        Err(reason) => {
            println!("left out: sorts of whole arrays need a GPU: {reason}");
            return Ok(());
        }
    };
    let words = settings::words();
    let peers = Peers::load(&settings::peers_library()?);
    if let Err(reason) = &peers {
        println!("no CUB, and results are not checked: {reason}; benches/peers/build.sh builds it");
    }
    let cub = peers.as_ref().ok().and_then(Peers::version).unwrap_or_else(|| "none".to_owned());
    let most = 1usize << variable("SORTSMITH_BENCH_LOG2", 28)?;
    let chosen = |types: &Types| words.is_empty() || words.iter().any(|word| word == types.name);
    let cases: Vec<(&Types, Vec<Case>)> = TYPES
        .iter()
        .filter(|types| chosen(types))
        .map(|types| (types, types.cases().into_iter().filter(|it| it.n <= most).collect()))
        .collect();
    let Some(longest) = cases.iter().flat_map(|(_, cases)| cases).map(|case| case.n).max() else {
        let names = TYPES.map(|types| types.name).join(", ");
        println!("nothing to sort for {words:?}: types are {names}");
        return Ok(());
    };
    let mut arrays = Arrays::new(&gpu, longest, variable("SORTSMITH_REPETITIONS", 25)?)?;
    let sorter = Sorter::on(&arrays.stream).map_err(|error| error.to_string())?;
    let copy = arrays.copy_bytes_per_second()?;
    println!("{}, CUB {cub}, copies at {:.2} TB/s", gpu.describe(), copy / 1e12);
    let mut rows = Vec::new();
    for (types, cases) in &cases {
        let peer = peers.as_ref().ok().and_then(|peers| peers.sort(types.peer));
        report::print_head(types.name);
        for case in cases {
            let of_case = measure(types, case, &mut arrays, &sorter, peer.as_ref(), copy)
                .map_err(|error| format!("{} {} {}: {error}", types.name, case.n, case.input))?;
            report::print_line(case, &of_case);
            rows.extend(of_case);
        }
    }
    let file = report::write_csv(&settings::out()?, &gpu.describe(), &cub, &rows)
        .map_err(|error| error.to_string())?;
    println!("rows: {}", file.display());
    Ok(())
}

/// Ours, and CUB's in both of its modes.
fn measure(
    types: &Types,
    case: &Case,
    arrays: &mut Arrays,
    sorter: &Sorter,
    peer: Option<&Peer>,
    copy: f64,
) -> Result<Vec<Row>, String> {
    let row = |library, milliseconds: f64, temp_bytes: Option<usize>| Row {
        library,
        types: types.name,
        input: case.input.to_string(),
        n: case.n,
        milliseconds,
        gkeys: case.n as f64 / milliseconds / 1e6,
        percent_of_copy: 100.0 * types.traffic(case.n) / copy / (milliseconds / 1e3),
        temp_bytes,
    };
    arrays.fill(types, case, sorter)?;
    let mut rows = Vec::new();
    if let Some(peer) = peer {
        peer.reserve(arrays, types, case.n, types.peer_mode())?;
        arrays.restore(types, case.n)?;
        peer.sort(arrays, types, case.n, types.peer_mode())?;
    }
    // Whatever ours is compared with is in the output now, and not written again until it is.
    let ours = |arrays: &mut Arrays| arrays.sort(types, case.n, sorter);
    ours(arrays)?;
    if peer.is_some() {
        arrays.compare(types, case.n)?;
    }
    rows.push(row("sortsmith", arrays.time(types, case.n, ours)?, None));
    let Some(peer) = peer else { return Ok(rows) };
    for mode in [types.peer_mode(), Mode::DoubleBuffer] {
        // The positions would have to be made in the one buffer or the other: no other sort than the first.
        if types.makes_positions && mode == Mode::DoubleBuffer {
            continue;
        }
        let temp_bytes = peer.reserve(arrays, types, case.n, mode)?;
        let theirs = |arrays: &mut Arrays| peer.sort(arrays, types, case.n, mode);
        rows.push(row(mode.name(), arrays.time(types, case.n, theirs)?, Some(temp_bytes)));
    }
    Ok(rows)
}
