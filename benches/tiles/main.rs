//! Tile sorts on a GPU: generated kernels beside CUB's, in Gkeys/s, with the registers, local and shared bytes of each.
//! Without a GPU it says so and ends well.
//!
//! `cargo bench --bench tiles [-- WORD…]`; words narrow the run to specs whose names hold all of them.
//!
//! | variable | meaning |
//! |---|---|
//! | `SORTSMITH_PEERS` | the library of `benches/peers/build.sh`; `target/peers/libsortsmith_peers.so` |
//! | `SORTSMITH_OUT` | where the record `<date>-tiles.csv` goes; `bench-out` |
//! | `SORTSMITH_BENCH_LOG2` | the logarithm of the number of keys; 26 |
//! | `SORTSMITH_REPETITIONS` | 9 |

#[path = "../../tests/gpu/driver.rs"]
mod driver;
mod measure;
mod peers;
mod report;

use rayon::prelude::*;
use sortsmith::device::{self, KeyType, Options, Order, SortSpec, ValueType};
use sortsmith_benchkit::settings::{self, variable};
use sortsmith_benchkit::{
    Case, Contender, Group, Id, Input, Library, Method, Peers, Record, Row, Shape, Types, machine,
};

use driver::{Gpu, launch_config};
use measure::Arrays;
use peers::Peer;

const TYPES: [Types; 4] = [
    Types::keys(KeyType::U32),
    Types::pairs(KeyType::F32, ValueType::U32),
    Types::keys(KeyType::U64),
    Types::pairs(KeyType::U32, ValueType::U32),
];
const THREADS: [u32; 3] = [128, 256, 512];
const ITEMS: [u32; 3] = [4, 8, 16];
/// Our sorts, and the option of each in the spec's name.
const OURS: [(Contender, &str); 7] = [
    (ours(Method::Packed, 4), ""),
    (ours(Method::Packed, 5), ""),
    (ours(Method::Packed, 6), ""),
    (ours(Method::Ballots, 6), "_match"),
    (ours(Method::Ballots, 8), "_match"),
    (ours(Method::Masks, 6), "_matchmasks"),
    (ours(Method::Masks, 8), "_matchmasks"),
];
/// CUB's sorts, and what its library takes for the radix bits.
const PEERS: [(Contender, u32); 4] = [
    (peer(Method::Radix, Some(4)), 4),
    (peer(Method::Radix, Some(5)), 5),
    (peer(Method::Radix, Some(6)), 6),
    (peer(Method::Merge, None), 0),
];

const fn ours(method: Method, radix_bits: u32) -> Contender {
    Contender { library: Library::Sortsmith, method, radix_bits: Some(radix_bits) }
}

const fn peer(method: Method, radix_bits: Option<u32>) -> Contender {
    Contender { library: Library::Cub, method, radix_bits }
}

/// One kernel to measure.
struct Candidate {
    spec: SortSpec,
    types: Types,
    shape: Shape,
    contender: Contender,
    cubin: Vec<u8>,
}

/// Every shape, in the order of the tables.
fn shapes() -> impl Iterator<Item = Shape> {
    THREADS
        .into_iter()
        .flat_map(|threads| ITEMS.into_iter().map(move |items| Shape { threads, items }))
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
    let candidates = compile(&gpu, &words)?;
    let mut arrays = Arrays::new(&gpu, keys, variable("SORTSMITH_REPETITIONS", 9)?)?;
    let copy = arrays.copy_bytes_per_second()?;
    println!("{}, {keys} keys, copies at {:.2} TB/s", gpu.describe(), copy / 1e12);
    let mut rows = Vec::new();
    for types in TYPES {
        let of_type: Vec<&Candidate> =
            candidates.iter().filter(|candidate| candidate.types == types).collect();
        if of_type.is_empty() {
            continue;
        }
        arrays.fill(types)?;
        for shape in shapes() {
            for candidate in of_type.iter().filter(|candidate| candidate.shape == shape) {
                rows.push(measure_ours(&gpu, &arrays, candidate, copy)?);
            }
            if let Ok(peers) = &peers {
                rows.extend(measure_peers(peers, &arrays, types, shape, copy)?);
            }
        }
        report::print_table(types, &rows);
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
fn compile(gpu: &Gpu, words: &[String]) -> Result<Vec<Candidate>, String> {
    let mut wanted = Vec::new();
    for types in TYPES {
        for shape in shapes() {
            let Shape { threads, items } = shape;
            for (contender, option) in OURS {
                let bits = contender.radix_bits.unwrap_or_default();
                let name =
                    format!("block_radix_sort_{types}_b{threads}_i{items}_r{bits}_asc{option}");
                if words.iter().all(|word| name.contains(word.as_str())) {
                    wanted.push((name, types, shape, contender));
                }
            }
        }
    }
    let compiled = wanted.into_par_iter().map(|(name, types, shape, contender)| {
        let spec: SortSpec = name.parse().map_err(|error| format!("{error}"))?;
        let text = device::header_with(&spec, Options { tile_kernel: true });
        let cubin = gpu.compile(&name, &text.map_err(|error| error.to_string())?)?;
        Ok(Candidate { spec, types, shape, contender, cubin })
    });
    compiled.collect()
}

/// What a row is of: all whole tiles of the arrays.
fn id_of(arrays: &Arrays, types: Types, shape: Shape, contender: Contender) -> Id {
    let tile = (shape.threads * shape.items) as usize;
    let n = (arrays.whole_tiles(tile) * tile) as u64;
    let (group, input, order) = (Group::Tiles, Input::Random, Order::Ascending);
    Id { case: Case { group, types, input, n, shape: Some(shape), order }, contender }
}

fn measure_ours(
    gpu: &Gpu,
    arrays: &Arrays,
    candidate: &Candidate,
    copy: f64,
) -> Result<Row, String> {
    let Candidate { spec, types, shape, contender, cubin } = candidate;
    let [kernel] = gpu.load(cubin.clone(), [&format!("{spec}_tile")])?;
    let tile = spec.tile_items() as usize;
    let config = launch_config(spec, &kernel, arrays.whole_tiles(tile))?;
    let times = arrays.time(spec, || arrays.launch(spec, &kernel, config))?;
    let attribute = |value: Result<i32, cudarc::driver::DriverError>| {
        value.ok().and_then(|value| u32::try_from(value).ok())
    };
    Ok(Row {
        registers: attribute(kernel.num_regs()),
        local_bytes: attribute(kernel.local_size_bytes()),
        shared_bytes: Some(config.shared_mem_bytes),
        ..Row::measured(id_of(arrays, *types, *shape, *contender), &times, Some(copy))
    })
}

/// CUB's sorts of this shape; those that it cannot do are left out.
fn measure_peers(
    peers: &Peers,
    arrays: &Arrays,
    types: Types,
    shape: Shape,
    copy: f64,
) -> Result<Vec<Row>, String> {
    let Shape { threads, items } = shape;
    // Tells `time` what to expect.
    let name = format!("block_radix_sort_{types}_b{threads}_i{items}_r4_asc");
    let spec: SortSpec = name.parse().map_err(|error| format!("{error}"))?;
    let peer = Peer::of(peers, types, threads)?;
    let mut rows = Vec::new();
    for (contender, radix_bits) in PEERS {
        if !peer.sort(arrays, items, radix_bits)? {
            continue;
        }
        let times = arrays.time(&spec, || peer.sort(arrays, items, radix_bits).map(drop))?;
        rows.push(Row::measured(id_of(arrays, types, shape, contender), &times, Some(copy)));
    }
    Ok(rows)
}
