//! A sort in a CUDA graph: captured once, launched for new keys again and again, also while its sorter sorts more, and after the
//! sorter has been dropped. Needs a GPU, and says so where there is none.
//!
//! `cargo run --release --example graph`

use std::sync::Arc;

use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaGraph, CudaSlice, CudaStream};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use sortsmith::Sorter;

const KEYS: usize = 1 << 20;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    let context = match sortsmith::cuda_context(0) {
        Ok(context) => context,
        Err(error) => {
            println!("left out, for it needs a GPU: {error}");
            return Ok(());
        }
    };
    // A stream of one's own: the default stream cannot be captured.
    let stream = context.new_stream()?;
    let sorter = Sorter::on(&stream)?;
    // Kernels are compiled here, if they must be, and not in the capture.
    if let Err(error) = sorter.reserve::<f32, u32>(KEYS) {
        println!("left out, for it needs a kernel: {error}");
        return Ok(());
    }

    // What the graph is to sort, in place. These slices have to outlive its last launch: cudarc's graphs keep nothing alive.
    let mut arrays = Arrays {
        keys: stream.alloc_zeros(KEYS)?,
        rows: stream.alloc_zeros(KEYS)?,
        rng: SmallRng::seed_from_u64(7),
    };
    let graph =
        capture(
            &stream,
            || Ok(sorter.sort_pairs::<f32, u32>(&mut arrays.keys, &mut arrays.rows)?),
        )?;
    for _ in 0..3 {
        arrays.sort_by(&graph, &stream)?;
    }
    println!("sorted {KEYS} f32,u32 pairs by a graph, three times");

    // The graph has scratch of its own. The sorter may sort whatever it likes meanwhile, and grow for it.
    let mut more = stream.clone_htod(&vec![1.0f32; 8 * KEYS])?;
    sorter.sort::<f32>(&mut more)?;
    arrays.sort_by(&graph, &stream)?;
    println!("and again, after its sorter has sorted more");

    // It has its kernels, too.
    drop(sorter);
    arrays.sort_by(&graph, &stream)?;
    println!("and again, after its sorter is gone");

    // The graph goes before what it uses. The next sort on a device gives its scratch back.
    stream.synchronize()?;
    drop(graph);
    Ok(())
}

/// A graph of what is enqueued on the stream meanwhile.
fn capture(stream: &Arc<CudaStream>, enqueue: impl FnOnce() -> Result<()>) -> Result<CudaGraph> {
    stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)?;
    let enqueued = enqueue();
    // A capture is ended also where something in it has failed.
    let graph = stream.end_capture(CUgraphInstantiate_flags(0));
    enqueued?;
    graph?.ok_or_else(|| "nothing was captured".into())
}

struct Arrays {
    keys: CudaSlice<f32>,
    rows: CudaSlice<u32>,
    rng: SmallRng,
}

impl Arrays {
    /// Puts new keys where the graph reads them, launches it, and looks at what it has made of them.
    fn sort_by(&mut self, graph: &CudaGraph, stream: &Arc<CudaStream>) -> Result<()> {
        let keys: Vec<f32> = (0..KEYS).map(|_| self.rng.random_range(-1.0..1.0)).collect();
        let rows: Vec<u32> = (0..KEYS as u32).collect();
        stream.memcpy_htod(&keys, &mut self.keys)?;
        stream.memcpy_htod(&rows, &mut self.rows)?;
        // On the stream that copies before and after it: cudarc orders no other stream behind a launch.
        graph.launch()?;
        let order = sortsmith::argsort(&keys)?;
        if stream.clone_dtoh(&self.rows)? != order {
            return Err("the rows are not in the order of their keys".into());
        }
        let sorted = stream.clone_dtoh(&self.keys)?;
        let is_right = order
            .iter()
            .zip(&sorted)
            .all(|(row, key)| keys[*row as usize].to_bits() == key.to_bits());
        if is_right { Ok(()) } else { Err("the keys are not in order".into()) }
    }
}
