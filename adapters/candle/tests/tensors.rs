//! Sorts of candle's tensors against sorts of vectors: on the CPU, and with the feature `cuda` on the first CUDA device.

use candle_core::{D, DType, Device, Result, Tensor, Var, WithDType};
use sortsmith_candle::{SortOptions, TensorSort as _, TopKOptions};

/// The device whose tensors are sorted.
fn device() -> Result<Device> {
    if cfg!(feature = "cuda") { Device::new_cuda(0) } else { Ok(Device::Cpu) }
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
    Tensor::from_vec(numbers, shape, &Device::Cpu)?.to_dtype(dtype)?.to_device(&device()?)
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

/// A tensor's rows, as numbers.
fn rows<T: WithDType>(tensor: &Tensor) -> Result<Vec<Vec<T>>> {
    let columns = tensor.dim(D::Minus1)?;
    tensor.reshape(((), columns))?.to_vec2::<T>()
}

/// A tensor's rows, of any type.
fn numbers_of(tensor: &Tensor) -> Result<Vec<Vec<f64>>> {
    rows::<f64>(&tensor.to_device(&Device::Cpu)?.to_dtype(DType::F64)?)
}

fn check(keys: &Tensor, options: SortOptions, descending: bool) -> Result<()> {
    let numbers = numbers_of(keys)?;
    let expected = columns(&numbers, descending);
    let order = keys.arg_sort_rows(options)?;
    assert_eq!((order.dims(), order.dtype()), (keys.dims(), DType::U32));
    assert_eq!(rows::<u32>(&order)?, expected, "{:?} {:?}", keys.dtype(), keys.layout());
    let sorted = keys.sort_rows(options)?;
    assert_eq!((sorted.dims(), sorted.dtype()), (keys.dims(), keys.dtype()));
    let here = |it: &Tensor| it.to_device(&Device::Cpu)?.contiguous();
    let gathered = |columns: &Tensor| here(keys)?.gather(&here(columns)?, D::Minus1);
    let same = |one: &Tensor, other: &Tensor| {
        Ok::<_, candle_core::Error>(numbers_of(one)? == numbers_of(other)?)
    };
    assert!(same(&sorted, &gathered(&order)?)?);
    let values = Tensor::arange(0u32, keys.elem_count() as u32, &Device::Cpu)?;
    for dtype in KEYS {
        let values = values.reshape(keys.shape())?.to_dtype(dtype)?;
        let (sorted, moved) = keys.sort_pairs(&values.to_device(keys.device())?, options)?;
        assert!(same(&sorted, &gathered(&order)?)?);
        assert!(same(&moved, &values.gather(&here(&order)?, D::Minus1)?)?);
    }
    let k = keys.dim(D::Minus1)?.div_ceil(2);
    let top = if descending { TopKOptions::new() } else { TopKOptions::new().smallest() };
    let (found, at) = keys.top_k_rows_with(k, top)?;
    assert_eq!(rows::<u32>(&at)?, rows::<u32>(&order.narrow(D::Minus1, 0, k)?.contiguous()?)?);
    assert!(same(&found, &gathered(&at)?)?);
    Ok(())
}

#[test]
fn rows_of_any_layout_are_sorted() -> Result<()> {
    for (seed, dtype) in KEYS.into_iter().enumerate() {
        let seed = seed as u64;
        for shape in [&[1][..], &[40], &[3, 7], &[2, 3, 130], &[2, 9_000]] {
            let keys = keys(seed, shape, dtype)?;
            check(&keys, SortOptions::new(), false)?;
            check(&keys, SortOptions::new().descending(), true)?;
        }
        let keys = keys(seed, &[6, 10], dtype)?;
        check(&keys.t()?, SortOptions::new(), false)?;
        check(&keys.narrow(0, 2, 3)?, SortOptions::new(), false)?;
        check(&keys.narrow(1, 3, 4)?, SortOptions::new(), false)?;
        check(&keys.narrow(0, 1, 1)?.broadcast_as((4, 10))?, SortOptions::new(), false)?;
    }
    Ok(())
}

#[test]
fn nans_are_ordered_as_documented() -> Result<()> {
    let keys = Tensor::new(&[f32::NAN, 1.0, -f32::NAN, -1.0, 0.0, -0.0], &device()?)?;
    let order = |options| keys.arg_sort_rows(options)?.to_vec1::<u32>();
    assert_eq!(order(SortOptions::new())?, [2, 3, 4, 5, 1, 0]);
    assert_eq!(order(SortOptions::new().nan_last())?, [3, 4, 5, 1, 0, 2]);
    assert_eq!(order(SortOptions::new().descending().nan_last())?, [1, 4, 5, 3, 0, 2]);
    Ok(())
}

#[test]
fn gradients_flow_through_the_gather() -> Result<()> {
    let keys = Var::new(&[[3f32, 1.0, 2.0]], &device()?)?;
    let weights = Tensor::new(&[[10f32, 20.0, 30.0]], &device()?)?;
    let gradient = |result: Tensor, weights: &Tensor| {
        let gradients = (result * weights)?.sum_all()?.backward()?;
        let Some(gradient) = gradients.get(&keys) else { panic!("there is a gradient") };
        gradient.to_vec2::<f32>()
    };
    assert_eq!(gradient(keys.sort_rows(SortOptions::new())?, &weights)?, [[30.0, 10.0, 20.0]]);
    let (pairs, _) = keys.sort_pairs(&weights, SortOptions::new())?;
    assert_eq!(gradient(pairs, &weights)?, [[30.0, 10.0, 20.0]]);
    let (best, _) = keys.top_k_rows(2)?;
    assert_eq!(gradient(best, &weights.narrow(1, 0, 2)?)?, [[10.0, 0.0, 20.0]]);
    Ok(())
}

#[test]
fn empty_rows_are_none() -> Result<()> {
    for shape in [&[0][..], &[0, 3], &[3, 0]] {
        let keys = Tensor::zeros(shape, DType::F32, &device()?)?;
        assert_eq!(keys.sort_rows(SortOptions::new())?.dims(), shape);
        assert_eq!(keys.arg_sort_rows(SortOptions::new())?.dims(), shape);
        assert_eq!(keys.top_k_rows(0)?.1.elem_count(), 0);
        assert_eq!(keys.sort_pairs(&keys, SortOptions::new())?.1.dims(), shape);
    }
    Ok(())
}

#[test]
fn refusals_say_what_is_legal() -> Result<()> {
    let message = |result: Result<Tensor>| match result {
        Ok(_) => panic!("it is refused"),
        Err(error) => error.to_string(),
    };
    let keys = Tensor::new(&[1f32, 2.0], &device()?)?;
    let scalar = message(Tensor::new(1f32, &device()?)?.sort_rows(SortOptions::new()));
    assert!(scalar.contains("has no rows; legal: one dimension or more"), "{scalar}");
    let f8 = Tensor::new(&[1f32], &Device::Cpu)?.to_dtype(DType::F8E4M3)?.to_device(&device()?)?;
    let f8 = message(f8.sort_rows(SortOptions::new()));
    assert!(f8.contains("keys of type f8e4m3; legal: u8, u32"), "{f8}");
    let k = message(keys.top_k_rows(3).map(|(found, _)| found));
    assert!(k.contains("the top 3 of rows of 2 columns; legal: at most as many"), "{k}");
    let values = Tensor::new(&[1f32], &device()?)?;
    let shapes = message(keys.sort_pairs(&values, SortOptions::new()).map(|(keys, _)| keys));
    assert!(shapes.contains("values have shape [1]; legal: [2]"), "{shapes}");
    let bits = message(keys.sort_rows(SortOptions::new().bits(0..33)));
    assert!(bits.contains("bits 0..33 are not bits of a f32 key"), "{bits}");
    Ok(())
}
