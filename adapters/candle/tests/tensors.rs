//! Sorts of candle's tensors against sorts of vectors: on the CPU, and with the feature `cuda` on the first CUDA device as well.

mod devices;

use candle_core::{D, DType, Device, Result, Tensor, Var, WithDType};
use sortsmith_candle::{SortOptions, TensorSort as _, TopKOptions};

use devices::cuda;

/// Runs a test on the CPU, and on the CUDA device if there is one.
fn on_each_device(test: impl Fn(&Device) -> Result<()>) -> Result<()> {
    std::iter::once(Device::Cpu).chain(cuda()).try_for_each(|device| test(&device))
}

/// Numbers that follow from a seed: few different ones, so that keys are equal.
fn numbers(seed: u64, items: usize) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..items).map(|_| f64::from((next() % 100) as u32) - 50.0).collect()
}

fn keys(seed: u64, shape: &[usize], dtype: DType) -> Result<Tensor> {
    let numbers = numbers(seed, shape.iter().product());
    let numbers = match dtype {
        DType::U8 | DType::U32 => numbers.into_iter().map(f64::abs).collect(),
        _ => numbers,
    };
    Tensor::from_vec(numbers, shape, &Device::Cpu)?.to_dtype(dtype)
}

const KEYS: [DType; 9] = [
    DType::U8,
    DType::U32,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::BF16,
    DType::F16,
    DType::F32,
    DType::F64,
];

/// Types of values: all, or on a CUDA device two of four sizes, because each size is another kernel to compile.
fn values_of(keys: &Tensor) -> &'static [DType] {
    match (keys.device().is_cuda(), keys.dtype().is_float()) {
        (false, _) => &KEYS,
        (true, false) => &[DType::U8, DType::F32],
        (true, true) => &[DType::BF16, DType::I64],
    }
}

/// The columns that a stable sort takes each row's keys from.
fn columns(rows: &[Vec<f64>], descending: bool) -> Vec<Vec<u32>> {
    let of_row = |row: &Vec<f64>| {
        let mut columns: Vec<u32> = (0..row.len() as u32).collect();
        columns.sort_by(|one, other| {
            let order = row[*one as usize].total_cmp(&row[*other as usize]);
            if descending { order.reverse() } else { order }
        });
        columns
    };
    rows.iter().map(of_row).collect()
}

/// A tensor's rows.
fn rows<T: WithDType>(tensor: &Tensor) -> Result<Vec<Vec<T>>> {
    let columns = tensor.dim(D::Minus1)?;
    tensor.reshape(((), columns))?.to_vec2::<T>()
}

/// The same tensor on the CPU. candle's CUDA kernels copy and gather tensors of fewer types.
fn here(tensor: &Tensor) -> Result<Tensor> {
    tensor.to_device(&Device::Cpu)?.contiguous()
}

/// A tensor's rows, of any type.
fn numbers_of(tensor: &Tensor) -> Result<Vec<Vec<f64>>> {
    rows::<f64>(&here(tensor)?.to_dtype(DType::F64)?)
}

/// Whether two tensors have the same numbers, with zeros of either sign apart.
fn same(one: &Tensor, other: &Tensor) -> Result<bool> {
    let bits = |tensor| {
        let rows = numbers_of(tensor)?.into_iter();
        Ok::<_, candle_core::Error>(rows.flatten().map(f64::to_bits).collect::<Vec<_>>())
    };
    Ok(bits(one)? == bits(other)?)
}

fn check(keys: &Tensor, options: SortOptions, descending: bool) -> Result<()> {
    let order = keys.arg_sort_rows(options)?;
    assert_eq!((order.dims(), order.dtype()), (keys.dims(), DType::U32));
    let expected = columns(&numbers_of(keys)?, descending);
    assert_eq!(rows::<u32>(&order)?, expected, "{:?} {:?}", keys.dtype(), keys.layout());
    let sorted = keys.sort_rows(options)?;
    assert_eq!((sorted.dims(), sorted.dtype()), (keys.dims(), keys.dtype()));
    let gathered = |columns: &Tensor| here(keys)?.gather(&here(columns)?, D::Minus1);
    assert!(same(&sorted, &gathered(&order)?)?);
    let values = Tensor::arange(0u32, keys.elem_count() as u32, &Device::Cpu)?;
    for dtype in values_of(keys) {
        let values = values.reshape(keys.shape())?.to_dtype(*dtype)?;
        let (sorted, moved) = keys.sort_pairs(&values.to_device(keys.device())?, options)?;
        assert!(same(&sorted, &gathered(&order)?)?);
        assert!(same(&moved, &values.gather(&here(&order)?, D::Minus1)?)?);
    }
    let k = keys.dim(D::Minus1)?.div_ceil(2);
    let top = if descending { TopKOptions::new() } else { TopKOptions::new().smallest() };
    let (found, at) = keys.top_k_rows_with(k, top)?;
    assert_eq!(rows::<u32>(&at)?, rows::<u32>(&here(&order)?.narrow(D::Minus1, 0, k)?)?);
    assert!(same(&found, &gathered(&at)?)?);
    Ok(())
}

/// Keys of a type in all layouts.
fn check_layouts(seed: u64, dtype: DType, device: &Device) -> Result<()> {
    // Kernels of long rows take seconds to compile, for each type.
    let longest = if device.is_cpu() { 9_000 } else { 2_000 };
    for shape in [&[1][..], &[40], &[3, 7], &[2, 3, 130], &[2, longest]] {
        let keys = keys(seed, shape, dtype)?.to_device(device)?;
        check(&keys, SortOptions::new(), false)?;
        if device.is_cpu() || shape.len() == 2 {
            check(&keys, SortOptions::new().descending(), true)?;
        }
    }
    let keys = keys(seed, &[6, 10], dtype)?.to_device(device)?;
    check(&keys.narrow(0, 2, 3)?, SortOptions::new(), false)?;
    let one_row = keys.narrow(0, 1, 1)?;
    for keys in [keys.t()?, keys.narrow(1, 3, 4)?, one_row.broadcast_as((4, 10))?] {
        if device.is_cuda() && matches!(dtype, DType::I16 | DType::I32) {
            let message = message(keys.sort_rows(SortOptions::new()));
            assert!(message.contains("candle cannot copy"), "{message}");
        } else {
            check(&keys, SortOptions::new(), false)?;
        }
    }
    Ok(())
}

/// A test for each type of keys.
mod rows_of_any_layout_are_sorted {
    use super::{DType, Result, check_layouts, on_each_device};

    macro_rules! tests {
        ($($name:ident: $dtype:ident, $seed:literal;)*) => {$(
            #[test]
            fn $name() -> Result<()> {
                on_each_device(|device| check_layouts($seed, DType::$dtype, device))
            }
        )*};
    }

    tests! {
        u8: U8, 0;
        u32: U32, 1;
        i16: I16, 2;
        i32: I32, 3;
        i64: I64, 4;
        bf16: BF16, 5;
        f16: F16, 6;
        f32: F32, 7;
        f64: F64, 8;
    }
}

#[test]
fn values_of_8_bit_floats_are_moved() -> Result<()> {
    on_each_device(|device| {
        let keys = Tensor::new(&[3u32, 1, 2], device)?;
        let values = Tensor::new(&[0.5f32, 2.0, -1.0], &Device::Cpu)?.to_dtype(DType::F8E4M3)?;
        let (_, moved) = keys.sort_pairs(&values.to_device(device)?, SortOptions::new())?;
        assert_eq!(moved.dtype(), DType::F8E4M3);
        assert_eq!(here(&moved)?.to_dtype(DType::F32)?.to_vec1::<f32>()?, [2.0, -1.0, 0.5]);
        Ok(())
    })
}

#[test]
fn nans_are_ordered_as_documented() -> Result<()> {
    on_each_device(|device| {
        let keys = Tensor::new(&[f32::NAN, 1.0, -f32::NAN, -1.0, 0.0, -0.0], device)?;
        let order = |options| keys.arg_sort_rows(options)?.to_vec1::<u32>();
        assert_eq!(order(SortOptions::new())?, [2, 3, 4, 5, 1, 0]);
        assert_eq!(order(SortOptions::new().nan_last())?, [3, 4, 5, 1, 0, 2]);
        assert_eq!(order(SortOptions::new().descending().nan_last())?, [1, 4, 5, 3, 0, 2]);
        Ok(())
    })
}

#[test]
fn gradients_flow_through_the_gather() -> Result<()> {
    on_each_device(|device| {
        let keys = Var::new(&[[3f32, 1.0, 2.0]], device)?;
        let weights = Tensor::new(&[[10f32, 20.0, 30.0]], device)?;
        let gradient = |result: Tensor, weights: &Tensor| {
            let gradients = (result * weights)?.sum_all()?.backward()?;
            let Some(gradient) = gradients.get(&keys) else { panic!("there is a gradient") };
            gradient.to_vec2::<f32>()
        };
        let sorted = keys.sort_rows(SortOptions::new())?;
        assert_eq!(gradient(sorted, &weights)?, [[30.0, 10.0, 20.0]]);
        let (pairs, _) = keys.sort_pairs(&weights, SortOptions::new())?;
        assert_eq!(gradient(pairs, &weights)?, [[30.0, 10.0, 20.0]]);
        let (best, _) = keys.top_k_rows(2)?;
        assert_eq!(gradient(best, &weights.narrow(1, 0, 2)?)?, [[10.0, 0.0, 20.0]]);
        Ok(())
    })
}

#[test]
fn empty_rows_are_none() -> Result<()> {
    on_each_device(|device| {
        // Views of no items: a driver allocates no empty memory.
        let keys = Tensor::zeros((3, 3), DType::F32, device)?;
        for (shape, keys) in [
            (&[0][..], keys.flatten_all()?.narrow(0, 4, 0)?),
            (&[0, 3], keys.narrow(0, 1, 0)?),
            (&[3, 0], keys.narrow(1, 1, 0)?),
        ] {
            assert_eq!(keys.sort_rows(SortOptions::new())?.dims(), shape);
            assert_eq!(keys.arg_sort_rows(SortOptions::new())?.dims(), shape);
            assert_eq!(keys.top_k_rows(0)?.1.elem_count(), 0);
            assert_eq!(keys.sort_pairs(&keys, SortOptions::new())?.1.dims(), shape);
        }
        Ok(())
    })
}

fn message(result: Result<Tensor>) -> String {
    match result {
        Ok(_) => panic!("it is refused"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn refusals_say_what_is_legal() -> Result<()> {
    on_each_device(|device| {
        let keys = Tensor::new(&[1f32, 2.0], device)?;
        let scalar = message(Tensor::new(1f32, device)?.sort_rows(SortOptions::new()));
        assert!(scalar.contains("has no rows; legal: one dimension or more"), "{scalar}");
        // Made on the CPU: candle's CUDA kernels have no such cast.
        let f8 = Tensor::new(&[1f32], &Device::Cpu)?.to_dtype(DType::F8E4M3)?;
        let f8 = message(f8.to_device(device)?.sort_rows(SortOptions::new()));
        assert!(f8.contains("keys of type f8e4m3; legal: u8, u32"), "{f8}");
        let k = message(keys.top_k_rows(3).map(|(found, _)| found));
        assert!(k.contains("the top 3 of rows of 2 columns; legal: at most as many"), "{k}");
        let values = Tensor::new(&[1f32], device)?;
        let shapes = message(keys.sort_pairs(&values, SortOptions::new()).map(|(keys, _)| keys));
        assert!(shapes.contains("values have shape [1]; legal: [2]"), "{shapes}");
        let bits = message(keys.sort_rows(SortOptions::new().bits(0..33)));
        assert!(bits.contains("bits 0..33 are not bits of a f32 key"), "{bits}");
        Ok(())
    })
}
