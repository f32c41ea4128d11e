//! Out-of-place sorts of bytes on the device, whatever their types: one function type for all of them.

use cudarc::driver::{CudaView, CudaViewMut};
use half::f16;
use sortsmith::{Error, SortKey, SortValue, Sorter};
use sortsmith_codegen::tuning::Case;
use sortsmith_codegen::{KeyType, ValueType};

use crate::bench::BenchError;

/// Sorts bytes of keys and values to other ones, which are given behind them; or writes positions over the values there.
pub type SortInto =
    fn(&Sorter, [&CudaView<'_, u8>; 2], [&mut CudaViewMut<'_, u8>; 2]) -> Result<(), Error>;

/// The sort of one type of keys, by what goes with them.
type OfValue = fn(ValueType) -> Option<SortInto>;

macro_rules! keys {
    ($($key:ty)*) => { &[$((<$key as SortKey>::KEY_TYPE, of_value::<$key> as OfValue)),*] };
}

/// All such sorts.
const SORTS: &[(KeyType, OfValue)] = keys!(u8 u16 u32 u64 u128 f16 f32 f64);

fn of_value<K: SortKey>(value: ValueType) -> Option<SortInto> {
    Some(match value {
        ValueType::None => keys::<K>,
        ValueType::U8 => pairs::<K, u8>,
        ValueType::U16 => pairs::<K, u16>,
        ValueType::U32 => pairs::<K, u32>,
        ValueType::U64 => pairs::<K, u64>,
        ValueType::U128 => pairs::<K, u128>,
        ValueType::Index => positions::<K>,
        _ => return None,
    })
}

/// The sort of a case's types.
pub fn sort_of(case: &Case) -> Result<SortInto, BenchError> {
    let found = SORTS.iter().find(|(key, _)| *key == case.key());
    found.and_then(|(_, sort)| sort(case.value())).ok_or_else(|| BenchError::Driver {
        doing: "sort",
        reason: format!("{case} is not tuned; legal: keys of {}", legal_types()),
    })
}

/// The types of keys that can be measured.
pub fn legal_types() -> String {
    SORTS.iter().map(|(key, _)| key.to_string()).collect::<Vec<_>>().join(", ")
}

fn keys<K: SortKey>(
    sorter: &Sorter,
    [keys, _]: [&CudaView<'_, u8>; 2],
    [to, _]: [&mut CudaViewMut<'_, u8>; 2],
) -> Result<(), Error> {
    sorter.sort_into::<K>(&view_of(keys), &mut view_of_mut(to))
}

fn pairs<K: SortKey, V: SortValue>(
    sorter: &Sorter,
    [keys, values]: [&CudaView<'_, u8>; 2],
    [sorted_keys, sorted_values]: [&mut CudaViewMut<'_, u8>; 2],
) -> Result<(), Error> {
    sorter.sort_pairs_into::<K, V>(
        &view_of(keys),
        &view_of(values),
        &mut view_of_mut(sorted_keys),
        &mut view_of_mut(sorted_values),
    )
}

fn positions<K: SortKey>(
    sorter: &Sorter,
    [keys, _]: [&CudaView<'_, u8>; 2],
    [_, positions]: [&mut CudaViewMut<'_, u8>; 2],
) -> Result<(), Error> {
    sorter.argsort_into::<K>(&view_of(keys), &mut view_of_mut(positions))
}

fn view_of<'a, T>(bytes: &'a CudaView<'_, u8>) -> CudaView<'a, T> {
    let length = bytes.len() / size_of::<T>();
    // SAFETY: the bytes are those of items of this type, at the start of an allocation.
    unsafe { bytes.transmute(length) }.expect("as many bytes")
}

fn view_of_mut<'a, T>(bytes: &'a mut CudaViewMut<'_, u8>) -> CudaViewMut<'a, T> {
    let length = bytes.len() / size_of::<T>();
    // SAFETY: as above.
    unsafe { bytes.transmute_mut(length) }.expect("as many bytes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sortsmith_codegen::Token;
    use sortsmith_codegen::tuning::SizeClass;

    /// Every type that stands for others has a sort, but for floats of 8 bits, which Rust has no type for.
    #[test]
    fn what_is_tuned_can_be_sorted() {
        for key in KeyType::ALL {
            for (value, _) in ValueType::table() {
                let case = Case::of(*key, *value, SizeClass::ALL[0].most()).expect("a class");
                let is_f8 = case.key() == KeyType::F8E4m3;
                assert_eq!(sort_of(&case).is_ok(), !is_f8, "{case}");
            }
        }
        assert_eq!(legal_types(), "u8, u16, u32, u64, u128, f16, f32, f64");
    }
}
