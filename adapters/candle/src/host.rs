//! Tensors on the CPU.

use candle_core::backend::BackendStorage as _;
use candle_core::{CpuStorage, DType, Result, WithDType, bail};
use sortsmith::half::{bf16, f16};
use sortsmith::{SortKey, SortOptions, Sorter, TopKOptions};

use crate::{Rows, failed};

/// What is done with keys of any type.
trait KeyOp {
    type Done;

    fn run<K: SortKey + WithDType>(self, keys: &[K]) -> Result<Self::Done>;
}

/// Calls `op` with the keys of these rows.
fn dispatch<O: KeyOp>(keys: &CpuStorage, rows: &Rows, op: O) -> Result<O::Done> {
    match keys.dtype() {
        DType::U8 => op.run(of::<u8>(keys, rows)?),
        DType::U32 => op.run(of::<u32>(keys, rows)?),
        DType::I16 => op.run(of::<i16>(keys, rows)?),
        DType::I32 => op.run(of::<i32>(keys, rows)?),
        DType::I64 => op.run(of::<i64>(keys, rows)?),
        DType::BF16 => op.run(of::<bf16>(keys, rows)?),
        DType::F16 => op.run(of::<f16>(keys, rows)?),
        DType::F32 => op.run(of::<f32>(keys, rows)?),
        DType::F64 => op.run(of::<f64>(keys, rows)?),
        other => Err(crate::no_key(other)),
    }
}

/// The items of a tensor, of this type.
fn of<'a, T: WithDType>(storage: &'a CpuStorage, rows: &Rows) -> Result<&'a [T]> {
    let items = T::cpu_storage_as_slice(storage)?;
    match items.get(rows.range()) {
        Some(items) => Ok(items),
        None => bail!("items {:?} of a storage of {}", rows.range(), items.len()),
    }
}

/// Each row sorted.
pub fn sort_rows(keys: &CpuStorage, rows: &Rows, options: SortOptions) -> Result<CpuStorage> {
    struct Op(usize, SortOptions);
    impl KeyOp for Op {
        type Done = CpuStorage;

        fn run<K: SortKey + WithDType>(self, keys: &[K]) -> Result<CpuStorage> {
            let mut sorted = keys.to_vec();
            Sorter::host().sort_rows_with(&mut sorted, self.0, self.1).map_err(failed)?;
            Ok(K::to_cpu_storage_owned(sorted))
        }
    }
    dispatch(keys, rows, Op(rows.columns, options))
}

/// The columns that the keys of each row would be sorted from.
fn columns(keys: &CpuStorage, rows: &Rows, options: SortOptions) -> Result<Vec<u32>> {
    struct Op(usize, SortOptions);
    impl KeyOp for Op {
        type Done = Vec<u32>;

        fn run<K: SortKey + WithDType>(self, keys: &[K]) -> Result<Vec<u32>> {
            sortsmith::argsort_rows_with(keys, self.0, self.1).map_err(failed)
        }
    }
    dispatch(keys, rows, Op(rows.columns, options))
}

/// The same as a tensor's storage.
pub fn arg_sort_rows(keys: &CpuStorage, rows: &Rows, options: SortOptions) -> Result<CpuStorage> {
    columns(keys, rows, options).map(CpuStorage::U32)
}

/// Keys and values sorted by the keys. Positions are sorted with the keys, and gather both: values may be of any type.
pub fn sort_pairs(
    (keys, rows): (&CpuStorage, &Rows),
    (values, value_rows): (&CpuStorage, &Rows),
    options: SortOptions,
) -> Result<(CpuStorage, CpuStorage)> {
    let columns = columns(keys, rows, options)?;
    Ok((gathered(keys, rows, &columns)?, gathered(values, value_rows, &columns)?))
}

/// The items at these columns of each row.
fn gathered(storage: &CpuStorage, rows: &Rows, columns: &[u32]) -> Result<CpuStorage> {
    fn of_type<T: Copy>(items: &[T], rows: &Rows, columns: &[u32]) -> Vec<T> {
        let width = rows.columns.max(1);
        let rows = items[rows.range()].chunks_exact(width).zip(columns.chunks_exact(width));
        rows.flat_map(|(row, columns)| columns.iter().map(|column| row[*column as usize])).collect()
    }
    macro_rules! each {
        ($($variant:ident)*) => {
            match storage {
                $(CpuStorage::$variant(items) => CpuStorage::$variant(of_type(items, rows, columns)),)*
                other => return Err(crate::no_value(other.dtype())),
            }
        };
    }
    Ok(each!(U8 U32 I16 I32 I64 BF16 F16 F32 F64 F8E4M3))
}

/// The first k keys of each row, and their columns.
pub fn top_k_rows(
    keys: &CpuStorage,
    rows: &Rows,
    k: usize,
    options: TopKOptions,
) -> Result<(CpuStorage, CpuStorage)> {
    struct Op(usize, usize, TopKOptions);
    impl KeyOp for Op {
        type Done = (CpuStorage, CpuStorage);

        fn run<K: SortKey + WithDType>(self, keys: &[K]) -> Result<Self::Done> {
            let Self(columns, k, options) = self;
            let found = sortsmith::top_k_rows_with(keys, columns, k, options).map_err(failed)?;
            Ok((K::to_cpu_storage_owned(found.keys), CpuStorage::U32(found.positions)))
        }
    }
    dispatch(keys, rows, Op(rows.columns, k, options))
}
