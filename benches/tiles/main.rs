//! Tile sorts on a GPU: generated kernels beside CUB's, in Gkeys/s. Without a GPU it says so and ends well.
//!
//! `cargo bench --bench tiles [-- WORD…]`; words narrow the run to specs whose names hold all of them.
//!
//! | variable | meaning |
//! |---|---|
//! | `SORTSMITH_PEERS` | the library of `benches/peers/build.sh`; `target/peers/libsortsmith_peers.so` |
//! | `SORTSMITH_OUT` | where `tiles.csv` goes; `bench-out` |
//! | `SORTSMITH_BENCH_LOG2` | the logarithm of the number of keys; 26 |
//! | `SORTSMITH_REPETITIONS` | 9 |

#[path = "../../tests/gpu/driver.rs"]
mod driver;
mod measure;
mod peers;
mod report;
#[path = "../settings/mod.rs"]
mod settings;

use rayon::prelude::*;
use sortsmith::device::{self, Options, SortSpec};

use driver::{Gpu, launch_config};
use measure::{Arrays, Measured};
use peers::Peers;
use report::Row;
use settings::variable;

const TYPES: [&str; 4] = ["u32_keys", "f32_u32", "u64_keys", "u32_u32"];
const THREADS: [u32; 3] = [128, 256, 512];
const ITEMS: [u32; 3] = [4, 8, 16];
/// Radix bits, the option in the spec's name, and the column.
const ALGORITHMS: [(u32, &str, &str); 7] = [
    (4, "", "packed 4"),
    (5, "", "packed 5"),
    (6, "", "packed 6"),
    (6, "_match", "ballot 6"),
    (8, "_match", "ballot 8"),
    (6, "_matchmasks", "masks 6"),
    (8, "_matchmasks", "masks 8"),
];

/// One kernel to measure.
struct Candidate {
    spec: SortSpec,
    types: &'static str,
    column: &'static str,
    cubin: Vec<u8>,
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
    println!("{}, {keys} keys", gpu.describe());
    let candidates = compile(&gpu, &words)?;
    let mut arrays = Arrays::new(&gpu, keys, variable("SORTSMITH_REPETITIONS", 9)?)?;
    let mut rows = Vec::new();
    for types in TYPES {
        let of_type: Vec<&Candidate> =
            candidates.iter().filter(|candidate| candidate.types == types).collect();
        if of_type.is_empty() {
            continue;
        }
        arrays.fill(types)?;
        for threads in THREADS {
            for items in ITEMS {
                let shape = (threads, items);
                let ours = of_type.iter().filter(|candidate| shape_of(&candidate.spec) == shape);
                for candidate in ours {
                    rows.push(measure_ours(&gpu, &arrays, candidate)?);
                }
                if let Ok(peers) = &peers {
                    rows.extend(measure_peers(peers, &arrays, types, shape)?);
                }
            }
        }
        report::print_table(types, &rows);
    }
    let file = report::write_csv(&settings::out()?, &gpu.describe(), keys, &rows)
        .map_err(|error| error.to_string())?;
    println!("rows: {}", file.display());
    Ok(())
}

fn shape_of(spec: &SortSpec) -> (u32, u32) {
    (spec.algorithm.block().threads(), spec.items)
}

/// All kernels that the words ask for, compiled on all cores.
fn compile(gpu: &Gpu, words: &[String]) -> Result<Vec<Candidate>, String> {
    let mut wanted = Vec::new();
    for types in TYPES {
        for threads in THREADS {
            for items in ITEMS {
                for (bits, option, column) in ALGORITHMS {
                    let name =
                        format!("block_radix_sort_{types}_b{threads}_i{items}_r{bits}_asc{option}");
                    if words.iter().all(|word| name.contains(word.as_str())) {
                        wanted.push((name, types, column));
                    }
                }
            }
        }
    }
    let compiled = wanted.into_par_iter().map(|(name, types, column)| {
        let spec: SortSpec = name.parse().map_err(|error| format!("{error}"))?;
        let text = device::header_with(&spec, Options { tile_kernel: true });
        let cubin = gpu.compile(&name, &text.map_err(|error| error.to_string())?)?;
        Ok(Candidate { spec, types, column, cubin })
    });
    compiled.collect()
}

fn measure_ours(gpu: &Gpu, arrays: &Arrays, candidate: &Candidate) -> Result<Row, String> {
    let spec = &candidate.spec;
    let [kernel] = gpu.load(candidate.cubin.clone(), [&format!("{spec}_tile")])?;
    let tile = spec.tile_items() as usize;
    let config = launch_config(spec, &kernel, arrays.whole_tiles(tile))?;
    let measured = arrays.time(spec, || arrays.launch(spec, &kernel, config))?;
    let attribute = |value: Result<i32, cudarc::driver::DriverError>| value.unwrap_or(-1);
    let (threads, items) = shape_of(spec);
    let Measured { gkeys, milliseconds } = measured;
    Ok(Row {
        library: "sortsmith",
        types: candidate.types,
        threads,
        items,
        column: candidate.column,
        gkeys,
        milliseconds,
        registers: attribute(kernel.num_regs()),
        local_bytes: attribute(kernel.local_size_bytes()),
        shared_bytes: config.shared_mem_bytes,
    })
}

/// CUB's sorts of this shape; those that it cannot do are left out.
fn measure_peers(
    peers: &Peers,
    arrays: &Arrays,
    types: &'static str,
    (threads, items): (u32, u32),
) -> Result<Vec<Row>, String> {
    // The keys' names have no values in CUB's symbols.
    let tag = types.strip_suffix("_keys").unwrap_or(types);
    // Tells `time` what to expect.
    let name = format!("block_radix_sort_{types}_b{threads}_i{items}_r4_asc");
    let spec: SortSpec = name.parse().map_err(|error| format!("{error}"))?;
    let mut rows = Vec::new();
    for (radix_bits, column) in [(4, "CUB 4"), (5, "CUB 5"), (6, "CUB 6"), (0, "CUB merge")] {
        let sort = peers.sort(tag, threads)?;
        if !sort(arrays, items, radix_bits)? {
            continue;
        }
        let measured = arrays.time(&spec, || sort(arrays, items, radix_bits).map(drop))?;
        let Measured { gkeys, milliseconds } = measured;
        rows.push(Row {
            library: "cub",
            types,
            threads,
            items,
            column,
            gkeys,
            milliseconds,
            registers: -1,
            local_bytes: -1,
            shared_bytes: 0,
        });
    }
    Ok(rows)
}
