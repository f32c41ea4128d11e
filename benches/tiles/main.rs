//! Tile sorts on a GPU: generated kernels beside CUB's, in Gkeys/s, with the registers, local and shared bytes of each.
//! Without a GPU it says so and ends well.
//!
//! `cargo bench -p sortsmith-benches --bench tiles [-- WORD…]`; words narrow the run to specs with names that hold all of them.
//!
//! | variable | meaning |
//! |---|---|
//! | `SORTSMITH_PEERS` | the library of `benches/peers/build.sh`; `target/peers/libsortsmith_peers.so` |
//! | `SORTSMITH_OUT` | where the record `<date>-tiles.csv` goes; `bench-out` |
//! | `SORTSMITH_BENCH_LOG2` | the logarithm of the number of keys; 26 |
//! | `SORTSMITH_REPETITIONS` | 9 |

mod report;

use rayon::prelude::*;
use sortsmith::device::{Family, KeyType, SortSpec, ValueType};
use sortsmith_benchkit::gpu::tiles::{Arrays, Kernel, Peer, shape_of, types_of};
use sortsmith_benchkit::gpu::{Gpu, Peers};
use sortsmith_benchkit::settings::{self, variable};
use sortsmith_benchkit::{Record, Row, Shape, Types, machine};

const TYPES: [Types; 7] = [
    Types::keys(KeyType::U32),
    Types::pairs(KeyType::F32, ValueType::U32),
    Types::keys(KeyType::U64),
    Types::pairs(KeyType::U32, ValueType::U32),
    Types::keys(KeyType::U16),
    Types::keys(KeyType::I8),
    Types::keys(KeyType::F16),
];
const THREADS: [u32; 3] = [128, 256, 512];
const ITEMS: [u32; 3] = [4, 8, 16];
/// Radix bits, and the option in the spec's name.
const ALGORITHMS: [(u32, &str); 9] = [
    (4, ""),
    (5, ""),
    (6, ""),
    (4, "_match"),
    (5, "_match"),
    (6, "_match"),
    (8, "_match"),
    (6, "_matchmasks"),
    (8, "_matchmasks"),
];

/// Items of the rows that logical warps sort, and lanes of these.
const ROWS: [u32; 4] = [32, 64, 128, 256];
const LANES: [u32; 4] = [4, 8, 16, 32];
/// The most items of a lane.
const MOST_ITEMS: u32 = 32;

/// Every shape of a block, in the order of the tables.
fn shapes() -> impl Iterator<Item = Shape> {
    THREADS
        .into_iter()
        .flat_map(|threads| ITEMS.into_iter().map(move |items| Shape { threads, items }))
}

/// Every shape of a logical warp that sorts rows of this length.
fn warp_shapes(row: u32) -> impl Iterator<Item = Shape> {
    let shapes = LANES.into_iter().map(move |lanes| Shape { threads: lanes, items: row / lanes });
    shapes.filter(|shape| shape.items <= MOST_ITEMS)
}

fn main() -> Result<(), String> {
    let gpu = match Gpu::open() {
        Ok(gpu) => gpu,
        Err(reason) => {
            println!("left out: tile sorts need a GPU: {reason}");
            return Ok(());
        }
    };
    let words = settings::words();
    let peers = Peers::load(&settings::peers_library()?);
    if let Err(reason) = &peers {
        println!("no CUB: {reason}; benches/peers/build.sh builds it");
    }
    let keys = 1usize << variable("SORTSMITH_BENCH_LOG2", 26)?;
    let kernels = compile(&gpu, &words)?;
    let mut arrays = Arrays::new(&gpu, keys, variable("SORTSMITH_REPETITIONS", 9)?)?;
    let copy = arrays.copy_bytes_per_second()?;
    println!("{}, {keys} keys, copies at {:.2} TB/s", gpu.describe(), copy / 1e12);
    let mut rows = Vec::new();
    for types in TYPES {
        let of_types = || kernels.iter().filter(|kernel| types_of(&kernel.spec) == types);
        if of_types().next().is_none() {
            continue;
        }
        arrays.generate(types)?;
        let (of_warps, of_blocks): (Vec<&Kernel>, Vec<&Kernel>) =
            of_types().partition(|it| it.spec.algorithm.family() == Family::WarpBitonic);
        for shape in shapes() {
            for kernel in of_blocks.iter().filter(|kernel| shape_of(&kernel.spec) == shape) {
                rows.push(measure(kernel, &gpu, &arrays, copy)?);
            }
            if let Ok(peers) = &peers {
                for peer in Peer::all_of(peers, &arrays, types, shape)? {
                    let times = arrays.time(&peer.spec()?, || peer.sort(&arrays))?;
                    rows.push(peer.row(&arrays, &times, copy));
                }
            }
        }
        for kernel in of_warps {
            rows.push(measure(kernel, &gpu, &arrays, copy)?);
        }
        report::print_table(types, &rows);
        report::print_rows(types, &rows);
    }
    let cub = peers.as_ref().ok().and_then(Peers::version);
    let head = machine::head(&gpu.context, gpu.compiler(), cub, copy);
    let record = Record { head: head.map_err(|error| error.to_string())?, rows };
    let written = record.write(&settings::out()?, "tiles");
    let file = written.map_err(|error| error.to_string())?;
    println!("rows: {}", file.display());
    Ok(())
}

/// All kernels that the words ask for, compiled on all cores.
fn compile(gpu: &Gpu, words: &[String]) -> Result<Vec<Kernel>, String> {
    let mut wanted = Vec::new();
    for types in TYPES {
        for Shape { threads, items } in ROWS.into_iter().flat_map(warp_shapes) {
            wanted.push(format!("warp_bitonic_sort_{types}_w{threads}_i{items}_asc"));
        }
        for Shape { threads, items } in shapes() {
            wanted.push(format!("block_bitonic_sort_{types}_b{threads}_i{items}_asc"));
            if types.value != ValueType::None {
                wanted.push(format!("block_bitonic_sort_{types}_b{threads}_i{items}_asc_stable"));
            }
            wanted.push(format!("block_merge_sort_{types}_b{threads}_i{items}_asc"));
            for (bits, option) in ALGORITHMS {
                // A digit that is all of a key is said to be so.
                let all = types.key.bits() == bits && types.value == ValueType::None;
                let all = if all { format!("_bits0to{bits}") } else { String::new() };
                wanted.push(format!(
                    "block_radix_sort_{types}_b{threads}_i{items}_r{bits}_asc{option}{all}"
                ));
            }
        }
    }
    wanted.retain(|name| words.iter().all(|word| name.contains(word.as_str())));
    let compiled = wanted.into_par_iter().map(|name| {
        let spec: SortSpec = name.parse().map_err(|error| format!("{error}"))?;
        Kernel::compile(gpu, &spec)
    });
    compiled.collect()
}

fn measure(kernel: &Kernel, gpu: &Gpu, arrays: &Arrays, copy: f64) -> Result<Row, String> {
    let loaded = kernel.load(gpu, arrays)?;
    let times = arrays.time(&loaded.spec, || loaded.sort(arrays))?;
    Ok(loaded.row(arrays, &times, copy))
}
