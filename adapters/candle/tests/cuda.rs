//! Sorts of candle's tensors on the first CUDA device: shapes that candle's own argsort refuses, NaNs, threads, and a graph.

use std::cmp::Ordering;

use candle_core::cuda_backend::cudarc::driver::sys::{
    CUgraphInstantiate_flags, CUstreamCaptureMode,
};
use candle_core::{CudaDevice, D, DType, Device, Result, Tensor};
use sortsmith_candle::{SortOptions, TensorSort as _};

/// Floats of which some are equal and some are NaNs of either sign.
fn floats(seed: u32, items: usize) -> Vec<f32> {
    let mut state = seed | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let of = |bits: u32| match bits % 50 {
        0 => f32::NAN,
        1 => -f32::NAN,
        2 => 0.0,
        3 => -0.0,
        _ => (bits >> 16) as f32 - 30_000.0,
    };
    (0..items).map(|_| of(next())).collect()
}

/// NaNs last, zeros of both signs equal.
fn order(one: f32, other: f32) -> Ordering {
    match (one.is_nan(), other.is_nan()) {
        (false, false) => one.partial_cmp(&other).unwrap_or(Ordering::Equal),
        (one, other) => one.cmp(&other),
    }
}

/// Checks an argsort of rows, of which some are looked at.
fn check(device: &Device, rows: usize, columns: usize) -> Result<()> {
    let numbers = floats(7, rows * columns);
    let keys = Tensor::from_slice(&numbers, (rows, columns), device)?;
    let positions = keys.arg_sort_rows(SortOptions::new().nan_last())?;
    let positions = positions.flatten_all()?.to_vec1::<u32>()?;
    let step = rows.div_ceil(20);
    for row in (0..rows).step_by(step) {
        let range = row * columns..(row + 1) * columns;
        let (keys, found) = (&numbers[range.clone()], &positions[range]);
        let mut expected: Vec<u32> = (0..columns as u32).collect();
        expected.sort_by(|one, other| order(keys[*one as usize], keys[*other as usize]));
        assert_eq!(found, expected, "row {row} of {rows} x {columns}");
    }
    Ok(())
}

#[test]
fn rows_of_any_length_are_sorted_with_nans() -> Result<()> {
    let device = Device::new_cuda(0)?;
    for (rows, columns) in [(4, 100_000), (64, 128_256), (1 << 20, 32), (1, 1)] {
        check(&device, rows, columns)?;
    }
    check(&Device::new_cuda_with_stream(0)?, 4, 100_000)
}

#[test]
fn each_thread_sorts_in_the_order_of_its_stream() -> Result<()> {
    let device = Device::new_cuda(0)?;
    std::thread::scope(|scope| {
        let sort = |seed: u32| {
            let device = &device;
            scope.spawn(move || -> Result<()> {
                for round in 0..50 {
                    let numbers = floats(seed * 100 + round, 40_000);
                    let keys = Tensor::from_slice(&numbers, (4, 10_000), device)?;
                    // Work of candle's before the sort and behind it.
                    let sorted = (keys * 2.0)?.sort_rows(SortOptions::new().nan_last())?;
                    let sorted = (sorted * 0.5)?.to_vec2::<f32>()?;
                    for (row, sorted) in numbers.chunks(10_000).zip(sorted) {
                        let mut row = row.to_vec();
                        row.sort_by(|one, other| order(*one, *other));
                        let same = |(one, other): (&f32, &f32)| {
                            one == other || one.is_nan() && other.is_nan()
                        };
                        assert!(row.iter().zip(&sorted).all(same));
                    }
                }
                Ok(())
            })
        };
        let threads: Vec<_> = (1..5).map(sort).collect();
        threads.into_iter().try_for_each(|thread| match thread.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })
}

#[test]
fn a_graph_of_a_step_replays() -> Result<()> {
    let cuda = CudaDevice::new_with_stream(0)?;
    // SAFETY: all tensors of this test are used on one stream.
    unsafe { cuda.disable_event_tracking() };
    let device = Device::Cuda(cuda.clone());
    let logits = Tensor::zeros((8, 20_000), DType::F32, &device)?;
    // A router's step: scale, find the best, and the experts in order.
    let step = || -> Result<(Tensor, Tensor)> {
        let (best, experts) = (&logits * 2.0)?.top_k_rows(8)?;
        let order = experts.flatten_all()?.arg_sort_rows(SortOptions::new())?;
        Ok(((best + 1.0)?, order))
    };
    step()?; // its kernels are compiled, and candle's loaded
    let stream = cuda.cuda_stream();
    let failed = candle_core::Error::wrap;
    stream
        .begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)
        .map_err(failed)?;
    let captured = step();
    let graph = stream
        .end_capture(CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
    let (best, order) = captured?;
    let Some(graph) = graph.map_err(candle_core::Error::wrap)? else { panic!("a graph") };
    for seed in 1..6 {
        let numbers: Vec<f32> = floats(seed, 160_000);
        let numbers: Vec<f32> =
            numbers.iter().map(|it| if it.is_nan() { 1.5 } else { *it }).collect();
        let fresh = Tensor::from_slice(&numbers, (8, 20_000), &device)?;
        logits.slice_set(&fresh, 0, 0)?;
        graph.launch().map_err(candle_core::Error::wrap)?;
        let fresh = fresh.to_device(&Device::Cpu)?;
        let (expected, experts) = (&fresh * 2.0)?.top_k_rows(8)?;
        assert_eq!(best.to_vec2::<f32>()?, (expected + 1.0)?.to_vec2::<f32>()?);
        let experts = experts.flatten_all()?.arg_sort_rows(SortOptions::new())?;
        assert_eq!(order.to_vec1::<u32>()?, experts.to_vec1::<u32>()?);
    }
    Ok(())
}

#[test]
fn tensors_on_two_devices_are_refused() -> Result<()> {
    let device = Device::new_cuda(0)?;
    let keys = Tensor::new(&[2f32, 1.0], &device)?;
    let values = Tensor::new(&[2f32, 1.0], &Device::Cpu)?;
    let Err(error) = keys.sort_pairs(&values, SortOptions::new()) else { panic!("it is refused") };
    let message = error.to_string();
    assert!(message.contains("values are on Cpu; legal: Cuda { gpu_id: 0 }"), "{message}");
    assert_eq!(keys.narrow(D::Minus1, 1, 1)?.arg_sort_rows(SortOptions::new())?.elem_count(), 1);
    Ok(())
}
