//! A matrix of sorts, by criterion: tile sorts and Device-wide sorts on a GPU, in device time, each beside CUB's; and
//! how long it takes to render and to compile a kernel. Without a GPU it measures the host's sorts in place of those, and
//! says so.
//!
//! `cargo bench -p sortsmith-benches --bench matrix [-- FILTER…]`; criterion's own flags work. A benchmark's id is the name of its spec, or what a
//! record says of its case and of its contender. What was measured on a GPU is also written as records; a row's time is then
//! the median of criterion's samples, each the mean of several sorts.
//!
//! | variable | meaning |
//! |---|---|
//! | `SORTSMITH_MATRIX` | `quick`, `default`, `full`, `inputs` or a TOML file; `default`, without a GPU `quick` |
//! | `SORTSMITH_ALGORITHMS` | device-wide sorts of ours, with commas: `auto`, `device-partition` (of the types that it has); `auto` |
//! | `SORTSMITH_PEERS` | the library of `benches/peers/build.sh`; `target/peers/libsortsmith_peers.so` |
//! | `SORTSMITH_OUT` | where the records `<date>-tiles.csv` and `<date>-device.csv`, or `<date>-inputs.csv` of classes, go; `bench-out` |

mod arrays;
#[path = "../device_wide/mod.rs"]
#[allow(dead_code)] // other benches choose the cases and the repetitions themselves
mod device_wide;
mod host;
mod texts;
mod tiles;

use std::path::Path;

use criterion::measurement::Measurement;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput};
use sortsmith_benchkit::gpu::{DeviceTime, Gpu, Peers};
use sortsmith_benchkit::matrix::{Matrix, Time};
use sortsmith_benchkit::settings::{self, variable};
use sortsmith_benchkit::{Input, Record, Row, Times, machine};

fn main() -> Result<(), String> {
    let gpu = Gpu::open();
    let usual = if gpu.is_ok() { "default" } else { "quick" };
    let name = variable("SORTSMITH_MATRIX", usual.to_owned())?;
    let matrix = Matrix::named(&name).map_err(|error| error.to_string())?;
    match &gpu {
        Ok(gpu) => on_gpu(gpu, &matrix)?,
        Err(reason) => {
            println!("left out: {} sorts of tiles need a GPU: {reason}", matrix.tiles.len());
            let mut criterion = criterion(Criterion::default(), matrix.time);
            host::measure(&mut criterion, &matrix);
            criterion.final_summary();
        }
    }
    let mut criterion = criterion(Criterion::default(), matrix.time);
    texts::measure(&mut criterion, &matrix.texts)?;
    criterion.final_summary();
    Ok(())
}

/// Criterion, as a matrix wants it.
fn criterion<M: Measurement + 'static>(criterion: Criterion<M>, time: Time) -> Criterion<M> {
    criterion
        .sample_size(time.samples)
        .warm_up_time(time.warm_up)
        .measurement_time(time.measure)
        // Thousands of resamples say no more of ten samples than this, and take longer than they.
        .nresamples(2000)
        .without_plots()
        .configure_from_args()
}

/// What both kinds of sorts on a GPU share.
struct Run<'a> {
    gpu: &'a Gpu,
    peers: Option<&'a Peers>,
    matrix: &'a Matrix,
}

fn on_gpu(gpu: &Gpu, matrix: &Matrix) -> Result<(), String> {
    arrays::check(matrix)?;
    let peers = Peers::load(&settings::peers_library()?);
    if let Err(reason) = &peers {
        println!(
            "no CUB, and device-wide sorts are not checked: {reason}; benches/peers/build.sh builds it"
        );
    }
    let peers = peers.as_ref().ok();
    let run = Run { gpu, peers, matrix };
    println!("{}", gpu.describe());
    let out = settings::out()?;
    let (rows, copy) = tiles::measure(&run)?;
    write(&run, &out, "tiles", rows, copy)?;
    let (rows, copy) = arrays::measure(&run)?;
    let has_classes = rows.iter().any(|row| matches!(row.id.case.input, Input::Class(_)));
    write(&run, &out, if has_classes { "inputs" } else { "device" }, rows, copy)
}

/// Writes a record of what was measured, if anything was.
fn write(run: &Run<'_>, out: &Path, name: &str, rows: Vec<Row>, copy: f64) -> Result<(), String> {
    if rows.is_empty() {
        return Ok(());
    }
    let cub = run.peers.and_then(Peers::version);
    let head = machine::head(&run.gpu.context, run.gpu.compiler(), cub, copy);
    let record = Record { head: head.map_err(|error| error.to_string())?, rows };
    let file = record.write(out, name).map_err(|error| error.to_string())?;
    println!("rows: {}", file.display());
    Ok(())
}

/// Criterion for sorts on a GPU.
fn device_criterion(time: DeviceTime, matrix: &Matrix) -> Criterion<DeviceTime> {
    criterion(Criterion::default().with_measurement(time), matrix.time)
}

/// One benchmark: the times of its samples, in milliseconds of one sort; none if it was not measured, for a filter leaves it out. The nanoseconds of
/// the number of sorts is what `sorts` returns.
fn sample(
    group: &mut BenchmarkGroup<'_, DeviceTime>,
    id: &str,
    n: u64,
    samples: usize,
    mut sorts: impl FnMut(u64) -> f64,
) -> Option<Times> {
    let mut seen = Vec::new();
    group.sampling_mode(SamplingMode::Flat).throughput(Throughput::Elements(n));
    group.bench_function(id, |bencher| {
        bencher.iter_custom(|iterations| {
            let nanoseconds = sorts(iterations);
            seen.push(nanoseconds / iterations as f64 / 1e6);
            nanoseconds
        });
    });
    // Earlier ones warm up; criterion's test mode sorts once and has no samples.
    let first = seen.len().checked_sub(samples)?;
    Times::of(seen.split_off(first))
}
