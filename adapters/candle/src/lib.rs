//! Stable sorts, argsorts and top-ks of [candle](https://docs.rs/candle-core)'s tensors, over the last dimension.
//!
//! ```
//! use candle_core::{Device, Tensor};
//! use sortsmith_candle::{SortOptions, TensorSort as _};
//!
//! let scores = Tensor::new(&[[0.5f32, -2.0, 9.0], [1.0, 3.0, 1.0]], &Device::Cpu)?;
//! let order = scores.arg_sort_rows(SortOptions::new())?;
//! assert_eq!(order.to_vec2::<u32>()?, [[1, 0, 2], [0, 2, 1]]);
//!
//! let (best, columns) = scores.top_k_rows(2)?;
//! assert_eq!(best.to_vec2::<f32>()?, [[9.0, 0.5], [3.0, 1.0]]);
//! assert_eq!(columns.to_vec2::<u32>()?, [[2, 0], [1, 0]]);
//! # Ok::<(), candle_core::Error>(())
//! ```
//!
//! Tensors on the CPU are sorted by all cores, and with the feature `cuda` those on a CUDA device there, in the order of candle's stream, with the
//! same bits and without a copy to the host. Tensors on other devices are refused. Rows may have any number of columns. A tensor that is not
//! contiguous is made so first; of `i16` and `i32` on a CUDA device it is refused, for candle has no such copy there. Keys of the types
//! `f8e4m3`, `f8e8m0`, `f6` and `f4` are refused.
//!
//! Gradients flow through sorted keys and values, and top-k's keys, as through a [`gather`](Tensor::gather) by the positions; positions
//! have none.

#[cfg(feature = "cuda")]
mod cuda;
mod host;
#[cfg(feature = "cuda")]
mod stream;

use candle_core::{D, DType, Result, Shape, Storage, Tensor, bail};

pub use sortsmith::{SortOptions, TopKOptions};

/// Sorts over the last dimension of a tensor.
pub trait TensorSort {
    /// Each row sorted.
    ///
    /// ```
    /// use candle_core::{Device, Tensor};
    /// use sortsmith_candle::{SortOptions, TensorSort as _};
    ///
    /// let keys = Tensor::new(&[3u32, 1, 2], &Device::Cpu)?;
    /// let sorted = keys.sort_rows(SortOptions::new().descending())?;
    /// assert_eq!(sorted.to_vec1::<u32>()?, [3, 2, 1]);
    /// # Ok::<(), candle_core::Error>(())
    /// ```
    fn sort_rows(&self, options: SortOptions) -> Result<Tensor>;

    /// The columns that the keys of each row would be sorted from, as `u32`. Equal keys keep their order.
    fn arg_sort_rows(&self, options: SortOptions) -> Result<Tensor>;

    /// Each row sorted, and each value moved with its key: sorted keys and values. Values have the shape of the keys, and any type.
    ///
    /// ```
    /// use candle_core::{Device, Tensor};
    /// use sortsmith_candle::{SortOptions, TensorSort as _};
    ///
    /// let distances = Tensor::new(&[0.5f32, 0.25, 4.0], &Device::Cpu)?;
    /// let ids = Tensor::new(&[7i64, 8, 9], &Device::Cpu)?;
    /// let (_, ids) = distances.sort_pairs(&ids, SortOptions::new())?;
    /// assert_eq!(ids.to_vec1::<i64>()?, [8, 7, 9]);
    /// # Ok::<(), candle_core::Error>(())
    /// ```
    fn sort_pairs(&self, values: &Tensor, options: SortOptions) -> Result<(Tensor, Tensor)>;

    /// The k largest keys of each row, sorted descending, and their columns as `u32`. Of equal keys those of the lowest columns are found.
    fn top_k_rows(&self, k: usize) -> Result<(Tensor, Tensor)> {
        self.top_k_rows_with(k, TopKOptions::new())
    }

    /// The first k keys of each row as the options say, and their columns as `u32`.
    fn top_k_rows_with(&self, k: usize, options: TopKOptions) -> Result<(Tensor, Tensor)>;
}

/// Frees the memory on CUDA devices that sorts keep between calls, as large as the largest of each stream needed, and the streams that they keep.
/// The next sort allocates again. It need not wait for sorts: memory is freed behind them.
#[cfg(feature = "cuda")]
pub fn release() {
    stream::release();
}

/// A contiguous tensor's rows.
#[derive(Clone, Copy, Debug)]
struct Rows {
    /// The first item of the tensor in its storage.
    start: usize,
    /// Items of the tensor.
    items: usize,
    /// Items of a row.
    columns: usize,
}

impl Rows {
    /// The rows of a tensor that [`contiguous`] has returned.
    fn of(tensor: &Tensor) -> Result<Self> {
        let Some(columns) = tensor.dims().last().copied() else {
            bail!("a tensor without dimensions has no rows; legal: one dimension or more")
        };
        if tensor.elem_count() == 0 {
            return Ok(Self { start: 0, items: 0, columns });
        }
        let Some((start, end)) = tensor.layout().contiguous_offsets() else {
            bail!("the tensor is not contiguous: {:?}", tensor.layout())
        };
        Ok(Self { start, items: end - start, columns })
    }

    fn range(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.items
    }
}

/// The same tensor, contiguous or without items. A copy of no items is not made: a driver allocates no empty memory.
fn contiguous(tensor: &Tensor) -> Result<Tensor> {
    if tensor.elem_count() == 0 || tensor.is_contiguous() {
        return Ok(tensor.clone());
    }
    // candle has no kernel that copies these, and its error names that kernel alone.
    if tensor.device().is_cuda() && matches!(tensor.dtype(), DType::I16 | DType::I32) {
        bail!(
            "candle cannot copy a {} tensor on a CUDA device, and it is not contiguous; legal: a contiguous one, \
             or one of u8, u32, i64, bf16, f16, f32, f64",
            tensor.dtype().as_str()
        )
    }
    tensor.contiguous()
}

/// The error of a sort as one of candle's.
fn failed(error: sortsmith::Error) -> candle_core::Error {
    candle_core::Error::wrap(error)
}

/// A tensor with this storage, without a gradient.
fn tensor(storage: Storage, shape: impl Into<Shape>) -> Tensor {
    Tensor::from_storage(storage, shape, candle_core::op::BackpropOp::none(), false)
}

/// The devices that tensors are sorted on.
const LEGAL_DEVICES: &str = if cfg!(feature = "cuda") {
    "the CPU, a CUDA device"
} else {
    "the CPU, or a CUDA device with the feature cuda"
};

/// An error for a device of another kind.
fn unsupported<T>(tensor: &Tensor) -> Result<T> {
    bail!("cannot sort a tensor on {:?}; legal: {LEGAL_DEVICES}", tensor.device().location())
}

/// The error for keys of a type that is not sorted.
fn no_key(dtype: DType) -> candle_core::Error {
    candle_core::Error::Msg(format!(
        "cannot sort keys of type {}; legal: u8, u32, i16, i32, i64, bf16, f16, f32, f64",
        dtype.as_str()
    ))
}

/// The error for values of a type that is not moved.
fn no_value(dtype: DType) -> candle_core::Error {
    candle_core::Error::Msg(format!(
        "cannot move values of type {}; legal: u8, u32, i16, i32, i64, bf16, f16, f32, f64, f8e4m3",
        dtype.as_str()
    ))
}

impl TensorSort for Tensor {
    fn sort_rows(&self, options: SortOptions) -> Result<Tensor> {
        if self.track_op() {
            return self.gather(&self.arg_sort_rows(options)?, D::Minus1);
        }
        let keys = contiguous(self)?;
        let rows = Rows::of(&keys)?;
        let (storage, _) = keys.storage_and_layout();
        let sorted = match &*storage {
            Storage::Cpu(keys) => Storage::Cpu(host::sort_rows(keys, &rows, options)?),
            #[cfg(feature = "cuda")]
            Storage::Cuda(keys) => Storage::Cuda(cuda::sort_rows(keys, &rows, options)?),
            _ => return unsupported(self),
        };
        Ok(tensor(sorted, self.shape()))
    }

    fn arg_sort_rows(&self, options: SortOptions) -> Result<Tensor> {
        let keys = contiguous(self)?;
        let rows = Rows::of(&keys)?;
        let (storage, _) = keys.storage_and_layout();
        let columns = match &*storage {
            Storage::Cpu(keys) => Storage::Cpu(host::arg_sort_rows(keys, &rows, options)?),
            #[cfg(feature = "cuda")]
            Storage::Cuda(keys) => Storage::Cuda(cuda::arg_sort_rows(keys, &rows, options)?),
            _ => return unsupported(self),
        };
        Ok(tensor(columns, self.shape()))
    }

    fn sort_pairs(&self, values: &Tensor, options: SortOptions) -> Result<(Tensor, Tensor)> {
        if self.dims() != values.dims() {
            bail!(
                "values have shape {:?}; legal: {:?}, that of the keys",
                values.dims(),
                self.dims()
            )
        }
        let (here, there) = (self.device().location(), values.device().location());
        if here != there {
            bail!("values are on {there:?}; legal: {here:?}, where the keys are")
        }
        if self.track_op() || values.track_op() {
            let columns = self.arg_sort_rows(options)?;
            return Ok((self.gather(&columns, D::Minus1)?, values.gather(&columns, D::Minus1)?));
        }
        let (keys, values) = (contiguous(self)?, contiguous(values)?);
        let (rows, value_rows) = (Rows::of(&keys)?, Rows::of(&values)?);
        let ((key_storage, _), (value_storage, _)) =
            (keys.storage_and_layout(), values.storage_and_layout());
        let (keys, values) = match (&*key_storage, &*value_storage) {
            (Storage::Cpu(keys), Storage::Cpu(values)) => {
                let (keys, values) =
                    host::sort_pairs((keys, &rows), (values, &value_rows), options)?;
                (Storage::Cpu(keys), Storage::Cpu(values))
            }
            #[cfg(feature = "cuda")]
            (Storage::Cuda(keys), Storage::Cuda(values)) => {
                let (keys, values) =
                    cuda::sort_pairs((keys, &rows), (values, &value_rows), options)?;
                (Storage::Cuda(keys), Storage::Cuda(values))
            }
            _ => return unsupported(self),
        };
        Ok((tensor(keys, self.shape()), tensor(values, self.shape())))
    }

    fn top_k_rows_with(&self, k: usize, options: TopKOptions) -> Result<(Tensor, Tensor)> {
        let keys = contiguous(self)?;
        let rows = Rows::of(&keys)?;
        if k > rows.columns {
            bail!("the top {k} of rows of {} columns; legal: at most as many", rows.columns)
        }
        let (storage, _) = keys.storage_and_layout();
        let (found, columns) = match &*storage {
            Storage::Cpu(keys) => {
                let (found, columns) = host::top_k_rows(keys, &rows, k, options)?;
                (Storage::Cpu(found), Storage::Cpu(columns))
            }
            #[cfg(feature = "cuda")]
            Storage::Cuda(keys) => {
                let (found, columns) = cuda::top_k_rows(keys, &rows, k, options)?;
                (Storage::Cuda(found), Storage::Cuda(columns))
            }
            _ => return unsupported(self),
        };
        let mut dims = self.dims().to_vec();
        if let Some(last) = dims.last_mut() {
            *last = k;
        }
        let columns = tensor(columns, dims.clone());
        if self.track_op() {
            return Ok((self.gather(&columns, D::Minus1)?, columns));
        }
        Ok((tensor(found, dims), columns))
    }
}

/// The example of docs/candle.md.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/candle.md")]
struct Guide;
