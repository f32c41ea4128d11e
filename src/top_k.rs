//! Top-k: the first k keys of an array or of rows in the order of a sort, and where they were.

use crate::error::Error;
use crate::host;
use crate::host::lists::{items_of_lists, top_k_lists};
use crate::key::SortKey;
use crate::lists::{Lists as _, RowLists, Rows};
use crate::many::numbered;
use crate::memory::collected;
use crate::options::TopKOptions;

/// The result of a top-k: k keys of each row, row after row, and their positions within their row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopK<K> {
    /// The keys.
    pub keys: Vec<K>,
    /// Where each of them was.
    pub positions: Vec<u32>,
}

/// The k largest keys of an array, sorted descending, and their positions, found on the host.
///
/// ```
/// let found = sortsmith::top_k(&[0.5f32, 9.0, -2.0, 9.0], 3)?;
/// assert_eq!(found.keys, [9.0, 9.0, 0.5]);
/// assert_eq!(found.positions, [1, 3, 0]);
/// # Ok::<(), sortsmith::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::TopK`] if there are fewer than k keys, and [`Error::TooManyItems`] if there are more than 2³².
pub fn top_k<K: SortKey>(keys: &[K], k: usize) -> Result<TopK<K>, Error> {
    top_k_with(keys, k, TopKOptions::new())
}

/// The first k keys of an array, as the options say, and their positions, found on the host.
pub fn top_k_with<K: SortKey>(
    keys: &[K],
    k: usize,
    options: TopKOptions,
) -> Result<TopK<K>, Error> {
    if keys.is_empty() && k > 0 {
        return Err(Error::TopK { k, items: 0 });
    }
    top_k_rows_with(keys, keys.len(), k, options)
}

/// The k largest keys of each row of a matrix, sorted descending, and their positions within the row, found on the host.
///
/// ```
/// let logits = [0.1f32, 0.7, 0.2, 0.3, 0.3, 0.4];
/// let found = sortsmith::top_k_rows(&logits, 3, 2)?;
/// assert_eq!(found.keys, [0.7, 0.2, 0.4, 0.3]);
/// assert_eq!(found.positions, [1, 2, 2, 0]);
/// # Ok::<(), sortsmith::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::RowShape`] if the keys are not rows of that many columns, [`Error::TopK`] if a row has fewer than k keys, and
/// [`Error::TooManyItems`] if it has more than 2³².
pub fn top_k_rows<K: SortKey>(keys: &[K], columns: usize, k: usize) -> Result<TopK<K>, Error> {
    top_k_rows_with(keys, columns, k, TopKOptions::new())
}

/// The first k keys of each row of a matrix, as the options say, and their positions within the row, found on the host.
pub fn top_k_rows_with<K: SortKey>(
    keys: &[K],
    rows: impl Into<Rows>,
    k: usize,
    options: TopKOptions,
) -> Result<TopK<K>, Error> {
    let rows = rows.into();
    let columns = rows.columns();
    numbered(columns)?;
    let lists = RowLists::new(rows, keys.len())?;
    if lists.count() > 0 && k > columns {
        return Err(Error::TopK { k, items: columns });
    }
    // At most as many as there are keys.
    let mut positions = host::positions(lists.count() * k)?;
    top_k_lists(keys, &mut positions, &lists, k, &options)?;
    let found = collected(positions.len(), items_of_lists(keys, &positions, &lists, k))?;
    Ok(TopK { keys: found, positions })
}
