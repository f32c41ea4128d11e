//! The sorter behind the functions for host slices.

use std::sync::OnceLock;

use crate::backend::{Backend, Choice};
use crate::error::Error;
use crate::sorter::Sorter;

/// The backend of long host slices in functions such as [`sort`](crate::sort): a GPU if there is one, else the host. Short slices
/// are sorted on the host in any case ([`Sorter::new`]).
///
/// If those sorts return an error, this returns the same one: for example with `SORTSMITH_BACKEND=gpu` on a machine without a GPU.
///
/// ```
/// match sortsmith::backend() {
///     Ok(backend) => println!("sorts run on the {backend}"), // such as: host
///     Err(error) => println!("no sort runs: {error}"),
/// }
/// ```
pub fn backend() -> Result<Backend, Error> {
    Ok(default_sorter()?.backend())
}

static DEFAULT: OnceLock<Sorter> = OnceLock::new();

/// The sorter of the functions for host slices, if it has been made.
pub(crate) fn made_sorter() -> Option<&'static Sorter> {
    DEFAULT.get()
}

/// The sorter of the functions for host slices, made at the first call that needs it.
pub(crate) fn default_sorter() -> Result<Sorter, Error> {
    if let Some(sorter) = DEFAULT.get() {
        return Ok(sorter.clone());
    }
    let sorter = Sorter::new()?;
    Ok(DEFAULT.get_or_init(|| sorter).clone())
}

/// The sorter for a host slice of this length. A short slice does not open a GPU.
pub(crate) fn sorter_for(keys: usize) -> Result<Sorter, Error> {
    if Choice::of_this_process()? == Choice::Auto && keys < Sorter::HOST_BELOW {
        Ok(Sorter::host())
    } else {
        default_sorter()
    }
}
