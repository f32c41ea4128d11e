//! Vectors of which the system may refuse the memory: an error then, where the standard library would end the process.

use crate::error::Error;

/// No items, and room for this number of them.
pub(crate) fn with_room<T>(count: usize) -> Result<Vec<T>, Error> {
    let mut items = Vec::new();
    let bytes = count.saturating_mul(size_of::<T>());
    items.try_reserve_exact(count).map_err(|_| Error::OutOfMemory { bytes })?;
    Ok(items)
}

/// The items of an iterator, of which there are at most `count`: others are left.
pub(crate) fn collected<T>(count: usize, items: impl Iterator<Item = T>) -> Result<Vec<T>, Error> {
    let mut all = with_room(count)?;
    all.extend(items.take(count));
    Ok(all)
}

/// A copy.
pub(crate) fn copy_of<T: Copy>(items: &[T]) -> Result<Vec<T>, Error> {
    let mut copy = with_room(items.len())?;
    copy.extend_from_slice(items);
    Ok(copy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_there_is_memory_for_is_an_error() {
        let error = with_room::<u64>(usize::MAX).unwrap_err();
        assert!(matches!(error, Error::OutOfMemory { bytes: usize::MAX }), "{error}");
        let error = collected(1 << 60, 0u64..).unwrap_err();
        assert!(matches!(error, Error::OutOfMemory { .. }), "{error}");
    }

    #[test]
    fn no_more_items_are_collected_than_were_counted() {
        assert_eq!(collected(3, 5u8..).unwrap(), [5, 6, 7]);
        assert_eq!(collected(3, 5u8..6).unwrap(), [5]);
        assert_eq!(copy_of(&[1u16, 2]).unwrap(), [1, 2]);
    }
}
