//! Sorts of tiles.

use criterion::measurement::Measurement;
use cudarc::driver::sys::CUdevice_attribute;
use rayon::prelude::*;
use sortsmith_benchkit::gpu::tiles::{Arrays, Kernel, Peer, shape_of, types_of};
use sortsmith_benchkit::gpu::{DeviceTime, Gpu};
use sortsmith_benchkit::{Row, Shape, Times, Types};
use sortsmith_codegen::SortSpec;
use sortsmith_codegen::dispatch::KernelSpec;

use crate::{Run, device_criterion, sample};

/// The rows, and the bytes a second of a copy.
pub fn measure(run: &Run<'_>) -> Result<(Vec<Row>, f64), String> {
    let Run { gpu, peers, matrix } = run;
    let specs = fitting(gpu, &matrix.tiles)?;
    println!("compiling {} kernels", specs.len());
    let kernels: Vec<Kernel> =
        specs.par_iter().map(|spec| Kernel::compile(gpu, spec)).collect::<Result<_, _>>()?;
    // The arrays' own clock is for the copy alone.
    let mut arrays = Arrays::new(gpu, 1 << matrix.tiles_log2, matrix.time.samples)?;
    let copy = arrays.copy_bytes_per_second()?;
    let clock = DeviceTime::on(&arrays.stream);
    let mut criterion = device_criterion(clock.clone(), matrix);
    let mut group = criterion.benchmark_group("tiles");
    let mut rows = Vec::new();
    let mut benchmark = |id: &str, n: u64, sort: &dyn Fn() -> Result<(), String>| {
        sample(&mut group, id, n, matrix.time.samples, |iterations| {
            let start = clock.start();
            for _ in 0..iterations {
                sort().expect("it has run before");
            }
            clock.end(start)
        })
    };
    for (types, shapes) in shapes_by_types(&kernels) {
        arrays.generate(types)?;
        for shape in shapes {
            let of_shape = |kernel: &&Kernel| {
                (types_of(&kernel.spec), shape_of(&kernel.spec)) == (types, shape)
            };
            for kernel in kernels.iter().filter(of_shape) {
                let loaded = kernel.load(gpu, &arrays)?;
                let spec = &loaded.spec;
                arrays.try_out(spec, || loaded.sort(&arrays))?;
                let n = arrays.case(types, shape, spec.order).n;
                let times = benchmark(&spec.to_string(), n, &|| loaded.sort(&arrays));
                rows.extend(times.map(|times: Times| loaded.row(&arrays, &times, copy)));
            }
            let peers = peers.map(|peers| Peer::all_of(peers, &arrays, types, shape));
            for peer in peers.transpose()?.unwrap_or_default() {
                let spec = peer.spec()?;
                arrays.try_out(&spec, || peer.sort(&arrays))?;
                let n = arrays.case(types, shape, spec.order).n;
                let id = format!("{types} {shape}, {}", peer.contender);
                let times = benchmark(&id, n, &|| peer.sort(&arrays));
                rows.extend(times.map(|times: Times| peer.row(&arrays, &times, copy)));
            }
        }
    }
    group.finish();
    Ok((rows, copy))
}

/// The specs for which a block of this GPU has the shared memory. Prints which it leaves out.
fn fitting<'a>(gpu: &Gpu, specs: &'a [SortSpec]) -> Result<Vec<&'a SortSpec>, String> {
    let most = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
    let most = gpu.context.attribute(most).map_err(|error| error.to_string())?;
    let fits = |spec: &&SortSpec| KernelSpec::Tile(**spec).shared_bytes() <= most.unsigned_abs();
    let (fitting, others): (Vec<&SortSpec>, Vec<&SortSpec>) = specs.iter().partition(fits);
    for spec in others {
        println!("left out: {spec} needs more shared memory than a block can have here");
    }
    Ok(fitting)
}

/// The shapes of each types, in the order of the matrix.
fn shapes_by_types(kernels: &[Kernel]) -> Vec<(Types, Vec<Shape>)> {
    let mut found: Vec<(Types, Vec<Shape>)> = Vec::new();
    for kernel in kernels {
        let (types, shape) = (types_of(&kernel.spec), shape_of(&kernel.spec));
        match found.iter_mut().find(|(known, _)| *known == types) {
            Some((_, shapes)) if shapes.contains(&shape) => {}
            Some((_, shapes)) => shapes.push(shape),
            None => found.push((types, vec![shape])),
        }
    }
    found
}
