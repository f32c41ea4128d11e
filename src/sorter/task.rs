//! Tasks for a device, from a caller's types and options.

use sortsmith_codegen::ValueType;

use super::INDEX_LIMIT;
use crate::error::Error;
use crate::gpu::task::Task;
use crate::key::SortKey;
use crate::options::SortOptions;
use crate::value::Carried;

/// No values.
pub(super) const NOTHING: Carried = Carried::As(ValueType::None);

/// The values of an argsort.
pub(super) const POSITIONS: Carried = Carried::As(ValueType::Index);

/// The task of a sort with these types and options on a device.
pub(super) fn task<K: SortKey>(
    value: Carried,
    n: usize,
    options: &SortOptions,
    stable: bool,
) -> Result<Task, Error> {
    options.check_values(value)?;
    if value.moved() == ValueType::Index && n as u64 > INDEX_LIMIT {
        return Err(Error::TooManyItems { items: n, limit: INDEX_LIMIT });
    }
    Ok(Task {
        key: K::KEY_TYPE,
        value,
        order: options.get_order(),
        bits: options.bits_of::<K>()?,
        nan_last: K::HAS_NAN && options.is_nan_last(),
        algorithm: options.get_algorithm(),
        stable,
        counted: false,
        n,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::SortValue as _;

    #[test]
    fn values_by_position_are_limited_to_the_range_of_positions() {
        let task = |value, n| task::<u8>(value, n, &SortOptions::new(), true);
        let limit = usize::try_from(INDEX_LIMIT).unwrap_or(usize::MAX);
        let by_position = <[f32; 3]>::CARRIED;
        assert!(task(by_position, limit).is_ok());
        assert!(task(u64::CARRIED, limit + 1).is_ok());
        let error = task(by_position, limit + 1).expect_err("too many");
        assert!(matches!(error, Error::TooManyItems { limit: INDEX_LIMIT, .. }), "{error}");
    }
}
