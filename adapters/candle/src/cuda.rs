//! Tensors on a CUDA device, sorted there in the order of candle's stream.

use std::marker::PhantomData;

use candle_core::backend::BackendStorage as _;
use candle_core::cuda_backend::cudarc::driver::{CudaSlice, CudaView, DeviceRepr};
use candle_core::cuda_backend::{CudaDType, CudaStorageSlice};
use candle_core::{CudaDevice, CudaStorage, DType, Result, WithDType, bail};
use sortsmith::half::{bf16, f16};
use sortsmith::{SortKey, SortOptions, SortValue, TopKOptions};

use crate::stream::in_order_of;
use crate::{Rows, failed};

/// A type that keys may have, on a device.
trait DeviceKey: SortKey + WithDType + CudaDType + DeviceRepr {}

impl<K: SortKey + WithDType + CudaDType + DeviceRepr> DeviceKey for K {}

/// What is done with keys of any type.
trait KeyOp {
    type Done;

    fn run<K: DeviceKey>(self, keys: &CudaView<'_, K>) -> Result<Self::Done>;
}

/// Calls `op` with the keys of these rows.
fn dispatch<O: KeyOp>(keys: &CudaStorage, rows: &Rows, op: O) -> Result<O::Done> {
    match keys.dtype() {
        DType::U8 => op.run(&of::<u8>(keys, rows)?),
        DType::U32 => op.run(&of::<u32>(keys, rows)?),
        DType::I16 => op.run(&of::<i16>(keys, rows)?),
        DType::I32 => op.run(&of::<i32>(keys, rows)?),
        DType::I64 => op.run(&of::<i64>(keys, rows)?),
        DType::BF16 => op.run(&of::<bf16>(keys, rows)?),
        DType::F16 => op.run(&of::<f16>(keys, rows)?),
        DType::F32 => op.run(&of::<f32>(keys, rows)?),
        DType::F64 => op.run(&of::<f64>(keys, rows)?),
        other => Err(crate::no_key(other)),
    }
}

/// The items of a tensor, of this type.
fn of<'a, T: CudaDType>(storage: &'a CudaStorage, rows: &Rows) -> Result<CudaView<'a, T>> {
    view(storage.as_cuda_slice::<T>()?, rows)
}

/// The items of these rows.
fn view<'a, T>(items: &'a CudaSlice<T>, rows: &Rows) -> Result<CudaView<'a, T>> {
    match items.try_slice(rows.range()) {
        Some(items) => Ok(items),
        None => bail!("items {:?} of a storage of {}", rows.range(), items.len()),
    }
}

/// Memory for this number of items, which a sort writes. A driver allocates no empty memory.
fn room<T: DeviceRepr>(device: &CudaDevice, items: usize) -> Result<CudaSlice<T>> {
    // SAFETY: each item is written before it is read: the callers sort as many items as the tensor has.
    unsafe { device.alloc::<T>(items.max(1)) }
}

/// Each row sorted.
pub fn sort_rows(keys: &CudaStorage, rows: &Rows, options: SortOptions) -> Result<CudaStorage> {
    struct Op<'a>(&'a CudaDevice, usize, SortOptions);
    impl KeyOp for Op<'_> {
        type Done = CudaStorage;

        fn run<K: DeviceKey>(self, keys: &CudaView<'_, K>) -> Result<CudaStorage> {
            let Self(device, columns, options) = self;
            let mut sorted = room::<K>(device, keys.len())?;
            let mut to = sorted.slice_mut(..keys.len());
            in_order_of(device, |sorter| {
                let sort = sorter.sort_rows_into_with::<K>(keys, &mut to, columns, options);
                sort.map_err(failed)
            })?;
            Ok(CudaStorage::wrap_cuda_slice(sorted, device.clone()))
        }
    }
    dispatch(keys, rows, Op(&keys.device, rows.columns, options))
}

/// The columns that the keys of each row would be sorted from.
pub fn arg_sort_rows(keys: &CudaStorage, rows: &Rows, options: SortOptions) -> Result<CudaStorage> {
    struct Op<'a>(&'a CudaDevice, usize, SortOptions);
    impl KeyOp for Op<'_> {
        type Done = CudaStorage;

        fn run<K: DeviceKey>(self, keys: &CudaView<'_, K>) -> Result<CudaStorage> {
            let Self(device, columns, options) = self;
            let mut positions = room::<u32>(device, keys.len())?;
            let mut to = positions.slice_mut(..keys.len());
            in_order_of(device, |sorter| {
                let sort = sorter.argsort_rows_into_with::<K>(keys, &mut to, columns, options);
                sort.map_err(failed)
            })?;
            Ok(CudaStorage::wrap_cuda_slice(positions, device.clone()))
        }
    }
    dispatch(keys, rows, Op(&keys.device, rows.columns, options))
}

/// A sort of pairs, but for the type of its keys. Values are of type `T`, and moved as numbers `V` of its size.
struct Pairs<'a, T, V> {
    device: &'a CudaDevice,
    columns: usize,
    values: CudaView<'a, T>,
    options: SortOptions,
    moved: PhantomData<V>,
}

impl<T: CudaDType + DeviceRepr, V: SortValue> KeyOp for Pairs<'_, T, V> {
    type Done = (CudaStorage, CudaStorage);

    fn run<K: DeviceKey>(self, keys: &CudaView<'_, K>) -> Result<Self::Done> {
        const { assert!(size_of::<T>() == size_of::<V>()) };
        let Self { device, columns, values, options, .. } = self;
        let items = keys.len();
        let (mut sorted, mut moved) = (room::<K>(device, items)?, room::<T>(device, items)?);
        let mut to_keys = sorted.slice_mut(..items);
        // SAFETY: the values are plain numbers of this size, and aligned as such.
        let views = unsafe { (values.transmute::<V>(items), moved.transmute_mut::<V>(items)) };
        let (Some(values), Some(mut to_values)) = views else {
            bail!("values of {} items; legal: {items}, those of the keys", values.len())
        };
        in_order_of(device, |sorter| {
            let sort = sorter.sort_pairs_rows_into_with::<K, V>(
                keys,
                &values,
                &mut to_keys,
                &mut to_values,
                columns,
                options,
            );
            sort.map_err(failed)
        })?;
        Ok((
            CudaStorage::wrap_cuda_slice(sorted, device.clone()),
            CudaStorage::wrap_cuda_slice(moved, device.clone()),
        ))
    }
}

/// Keys and values sorted by the keys.
pub fn sort_pairs(
    (keys, rows): (&CudaStorage, &Rows),
    (values, value_rows): (&CudaStorage, &Rows),
    options: SortOptions,
) -> Result<(CudaStorage, CudaStorage)> {
    macro_rules! each {
        ($($($variant:ident)* => $moved:ty),*) => {
            match &values.slice {
                $($(CudaStorageSlice::$variant(values) => {
                    let (device, columns) = (&keys.device, rows.columns);
                    let values = view(values, value_rows)?;
                    let moved = PhantomData::<$moved>;
                    dispatch(keys, rows, Pairs { device, columns, values, options, moved })
                })*)*
                _ => Err(crate::no_value(values.dtype())),
            }
        };
    }
    each!(U8 F8E4M3 => u8, I16 BF16 F16 => u16, U32 I32 F32 => u32, I64 F64 => u64)
}

/// The first k keys of each row, and their columns.
pub fn top_k_rows(
    keys: &CudaStorage,
    rows: &Rows,
    k: usize,
    options: TopKOptions,
) -> Result<(CudaStorage, CudaStorage)> {
    struct Op<'a>(&'a CudaDevice, Rows, usize, TopKOptions);
    impl KeyOp for Op<'_> {
        type Done = (CudaStorage, CudaStorage);

        fn run<K: DeviceKey>(self, keys: &CudaView<'_, K>) -> Result<Self::Done> {
            let Self(device, rows, k, options) = self;
            let items = rows.items / rows.columns.max(1) * k;
            let (mut found, mut positions) =
                (room::<K>(device, items)?, room::<u32>(device, items)?);
            let mut to_found = found.slice_mut(..items);
            let mut to_positions = positions.slice_mut(..items);
            in_order_of(device, |sorter| {
                let find = sorter.top_k_rows_into_with::<K, u32>(
                    keys,
                    &mut to_found,
                    &mut to_positions,
                    rows.columns,
                    k,
                    options,
                );
                find.map_err(failed)
            })?;
            Ok((
                CudaStorage::wrap_cuda_slice(found, device.clone()),
                CudaStorage::wrap_cuda_slice(positions, device.clone()),
            ))
        }
    }
    dispatch(keys, rows, Op(&keys.device, *rows, k, options))
}
