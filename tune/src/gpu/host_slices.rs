//! Times of sorts of host slices, by which sorters choose between the GPU and the host.

use half::f16;
use sortsmith::{Error, SortKey, Sorter};
use sortsmith_codegen::tuning::crossover::Times;
use sortsmith_codegen::{KeyType, ValueType};

/// Measures sorts of such slices, and keeps their times; none if the sorter does not choose, or no sort has such types.
type Measure = fn(&Sorter, ValueType) -> Result<Option<Vec<Times>>, Error>;

macro_rules! keys {
    ($($key:ty)*) => { &[$((<$key as SortKey>::KEY_TYPE, measure_values::<$key> as Measure)),*] };
}

const MEASURES: &[(KeyType, Measure)] = keys!(u8 u16 u32 u64 u128 f16 f32 f64);

fn measure_values<K: SortKey>(
    sorter: &Sorter,
    value: ValueType,
) -> Result<Option<Vec<Times>>, Error> {
    match value {
        ValueType::None => sorter.measure_host_slices::<K, ()>(),
        ValueType::U8 => sorter.measure_host_slices::<K, u8>(),
        ValueType::U16 => sorter.measure_host_slices::<K, u16>(),
        ValueType::U32 => sorter.measure_host_slices::<K, u32>(),
        ValueType::U64 => sorter.measure_host_slices::<K, u64>(),
        ValueType::U128 => sorter.measure_host_slices::<K, u128>(),
        ValueType::Index => sorter.measure_argsort_host_slices::<K>(),
        _ => Ok(None),
    }
}

/// Measures sorts of slices of a type of keys that stands for others, with such values.
pub fn measure(
    sorter: &Sorter,
    key: KeyType,
    value: ValueType,
) -> Result<Option<Vec<Times>>, Error> {
    let found = MEASURES.iter().find(|(of, _)| *of == key);
    found.map_or(Ok(None), |(_, measure)| measure(sorter, value))
}
