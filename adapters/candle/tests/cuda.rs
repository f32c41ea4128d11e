//! Sorts of candle's tensors on the first CUDA device against those on the CPU: long rows and many, NaNs, freed memory, threads, and a graph.

mod devices;

use std::sync::{PoisonError, RwLock};

use candle_core::cuda_backend::cudarc::driver::sys::{
    CUgraphInstantiate_flags, CUstreamCaptureMode,
};
use candle_core::{CudaDevice, D, DType, Device, Error, Result, Tensor};
use sortsmith_candle::{SortOptions, TensorSort as _, TopKOptions};

use devices::cuda;

/// Written by the test that captures, read by the others: a capture fails where another thread waits for the context.
static CAPTURE: RwLock<()> = RwLock::new(());

/// Runs a test with the device that all share, on each thread's default stream, and with one on a stream of its own. None captures meanwhile.
fn on_both_streams(test: impl Fn(&Device) -> Result<()>) -> Result<()> {
    let _beside = CAPTURE.read().unwrap_or_else(PoisonError::into_inner);
    let Some(device) = cuda() else { return Ok(()) };
    test(&device)?;
    test(&Device::new_cuda_with_stream(0)?)
}

/// Floats that follow from a seed, of which some are equal and some are NaNs of either sign.
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
        _ => f32::from((bits >> 16) as u16) - 30_000.0,
    };
    (0..items).map(|_| of(next())).collect()
}

/// A tensor's floats, bit for bit.
fn bits(floats: &Tensor) -> Result<Vec<u32>> {
    let floats = floats.to_device(&Device::Cpu)?.flatten_all()?.to_vec1::<f32>()?;
    Ok(floats.into_iter().map(f32::to_bits).collect())
}

/// A tensor's positions.
fn positions(positions: &Tensor) -> Result<Vec<u32>> {
    positions.to_device(&Device::Cpu)?.flatten_all()?.to_vec1::<u32>()
}

/// Of how many rows the result is compared.
const COMPARED: usize = 8;

/// Compares sorts of keys with those on the CPU, of rows from the first to the last.
fn check(keys: &Tensor, options: SortOptions, top: TopKOptions) -> Result<()> {
    let (rows, columns) = keys.dims2()?;
    let k = columns.min(50);
    let ids = Tensor::arange(0u32, (rows * columns) as u32, keys.device())?;
    let ids = ids.reshape((rows, columns))?;
    let sorted = keys.sort_rows(options)?;
    let order = keys.arg_sort_rows(options)?;
    let (pair_keys, pair_ids) = keys.sort_pairs(&ids, options)?;
    let (best, best_columns) = keys.top_k_rows_with(k, top)?;
    for row in (0..rows).step_by(rows.div_ceil(COMPARED)).chain([rows - 1]) {
        let what = format!("row {row} of {rows} x {columns}, {options:?}");
        let of = |tensor: &Tensor| tensor.narrow(0, row, 1);
        // In memory of its own: `to_device` copies all that a view's memory holds.
        let there = |tensor: &Tensor| of(tensor)?.force_contiguous()?.to_device(&Device::Cpu);
        let row_keys = there(keys)?.flatten_all()?;
        let expected = row_keys.sort_rows(options)?;
        assert_eq!(bits(&there(&sorted)?)?, bits(&expected)?, "{what}");
        assert_eq!(bits(&there(&pair_keys)?)?, bits(&expected)?, "{what}");
        let expected = positions(&row_keys.arg_sort_rows(options)?)?;
        assert_eq!(positions(&there(&order)?)?, expected, "{what}");
        let first = (row * columns) as u32;
        let expected: Vec<u32> = expected.iter().map(|column| first + column).collect();
        assert_eq!(positions(&there(&pair_ids)?)?, expected, "{what}");
        let (expected, expected_columns) = row_keys.top_k_rows_with(k, top)?;
        assert_eq!(bits(&there(&best)?)?, bits(&expected)?, "{what}");
        assert_eq!(positions(&there(&best_columns)?)?, positions(&expected_columns)?, "{what}");
    }
    Ok(())
}

#[test]
fn rows_of_any_length_are_sorted_with_nans() -> Result<()> {
    on_both_streams(|device| {
        for (rows, columns) in [(4, 100_000), (64, 128_256), (1 << 20, 32), (1, 1)] {
            let keys = Tensor::from_vec(floats(7, rows * columns), (rows, columns), device)?;
            // Each of these is other kernels to compile.
            check(&keys, SortOptions::new().nan_last(), TopKOptions::new().nan_last())?;
            check(&keys, SortOptions::new().descending(), TopKOptions::new())?;
        }
        Ok(())
    })
}

#[test]
fn views_of_long_rows_are_sorted() -> Result<()> {
    on_both_streams(|device| {
        let keys = Tensor::from_vec(floats(5, 6 * 50_001), (6, 50_001), device)?;
        let options = SortOptions::new().nan_last();
        for keys in [keys.narrow(0, 3, 2)?, keys.narrow(1, 1, 40_003)?, keys.t()?] {
            check(&keys, options, TopKOptions::new().nan_last())?;
        }
        Ok(())
    })
}

/// Keys and values are freed while their sort may still run, and the memory is written again.
#[test]
fn tensors_may_be_dropped_before_their_sort_has_run() -> Result<()> {
    const SHAPE: (usize, usize) = (16, 60_000);
    on_both_streams(|device| {
        let numbers = floats(3, SHAPE.0 * SHAPE.1);
        let options = SortOptions::new();
        let (expected, expected_ids) = {
            let keys = Tensor::from_slice(&numbers, SHAPE, &Device::Cpu)?;
            let ids = Tensor::arange(0u32, keys.elem_count() as u32, &Device::Cpu)?;
            let (keys, ids) = keys.sort_pairs(&ids.reshape(SHAPE)?, options)?;
            (bits(&keys)?, positions(&ids)?)
        };
        for _ in 0..20 {
            let keys = Tensor::from_slice(&numbers, SHAPE, device)?;
            let ids = Tensor::arange(0u32, keys.elem_count() as u32, device)?.reshape(SHAPE)?;
            let (sorted, moved) = keys.sort_pairs(&ids, options)?;
            drop((keys, ids));
            let overwritten = [Tensor::ones(SHAPE, DType::F32, device)?, sorted.ones_like()?];
            assert_eq!(bits(&sorted)?, expected);
            assert_eq!(positions(&moved)?, expected_ids);
            drop(overwritten);
        }
        Ok(())
    })
}

#[test]
fn each_thread_sorts_in_the_order_of_its_stream() -> Result<()> {
    let _beside = CAPTURE.read().unwrap_or_else(PoisonError::into_inner);
    let Some(device) = cuda() else { return Ok(()) };
    let options = SortOptions::new().nan_last();
    let sort = |seed: u32| -> Result<()> {
        for round in 0..20 {
            let numbers = floats(seed * 100 + round, 40_000);
            // Work of candle's before the sort and behind it.
            let step = |device: &Device| {
                let keys = Tensor::from_slice(&numbers, (4, 10_000), device)?;
                (keys * 2.0)?.sort_rows(options)? * 0.5
            };
            assert_eq!(bits(&finite(&step(&device)?)?)?, bits(&finite(&step(&Device::Cpu)?)?)?);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let sort = &sort;
        let threads: Vec<_> = (1..5).map(|seed| scope.spawn(move || sort(seed))).collect();
        threads.into_iter().try_for_each(|thread| match thread.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })
}

/// The same on the CPU, without NaNs: their bits after a product depend on the processor.
fn finite(floats: &Tensor) -> Result<Tensor> {
    let floats = floats.to_device(&Device::Cpu)?.flatten_all()?.to_vec1::<f32>()?;
    let finite: Vec<f32> = floats.iter().map(|it| if it.is_nan() { 1.5 } else { *it }).collect();
    let items = finite.len();
    Tensor::from_vec(finite, items, &Device::Cpu)
}

#[test]
fn a_graph_of_a_step_replays_with_new_inputs() -> Result<()> {
    let _alone = CAPTURE.write().unwrap_or_else(PoisonError::into_inner);
    if cuda().is_none() {
        return Ok(());
    }
    let cuda = CudaDevice::new_with_stream(0)?;
    // SAFETY: all tensors of this device are used on its stream.
    unsafe { cuda.disable_event_tracking() };
    let (device, stream) = (Device::Cuda(cuda.clone()), cuda.cuda_stream());
    // A router's step: scale, find the best, and the experts in order.
    let step = |logits: &Tensor| -> Result<(Tensor, Tensor)> {
        let (best, experts) = (logits * 2.0)?.top_k_rows(8)?;
        let order = experts.flatten_all()?.arg_sort_rows(SortOptions::new())?;
        Ok(((best + 1.0)?, order))
    };
    let logits = Tensor::zeros((8, 20_000), DType::F32, &device)?;
    step(&logits)?; // its kernels are compiled, and candle's loaded
    let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
    stream.begin_capture(mode).map_err(Error::wrap)?;
    let captured = step(&logits);
    let flags = CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    let graph = stream.end_capture(flags).map_err(Error::wrap)?;
    let ((best, order), Some(graph)) = (captured?, graph) else { panic!("there is a graph") };
    for seed in 1..6 {
        let fresh = Tensor::from_vec(floats(seed, 160_000), (8, 20_000), &Device::Cpu)?;
        let fresh = finite(&fresh)?.reshape((8, 20_000))?;
        logits.slice_set(&fresh.to_device(&device)?, 0, 0)?;
        graph.launch().map_err(Error::wrap)?;
        let (expected, expected_order) = step(&fresh)?;
        assert_eq!(bits(&best)?, bits(&expected)?);
        assert_eq!(positions(&order)?, positions(&expected_order)?);
    }
    Ok(())
}

#[test]
fn values_elsewhere_are_refused() -> Result<()> {
    on_both_streams(|device| {
        let keys = Tensor::new(&[2f32, 1.0], device)?;
        let refusal = |there: &Device| -> Result<String> {
            let values = Tensor::new(&[2f32, 1.0], there)?;
            match keys.sort_pairs(&values, SortOptions::new()) {
                Ok(_) => panic!("they are refused"),
                Err(error) => Ok(error.to_string()),
            }
        };
        let message = refusal(&Device::Cpu)?;
        assert!(message.contains("values are on Cpu; legal: Cuda { gpu_id: 0 }"), "{message}");
        // Another device of candle's for the same GPU, in another order of work.
        let message = refusal(&Device::new_cuda(0)?)?;
        assert!(message.contains("the values are in another CUDA context"), "{message}");
        // The keys are as they were.
        let columns = keys.narrow(D::Minus1, 1, 1)?.arg_sort_rows(SortOptions::new())?;
        assert_eq!(positions(&columns)?, [0]);
        Ok(())
    })
}
