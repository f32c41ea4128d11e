//! The sorter behind the functions for host slices.

use std::sync::OnceLock;

use crate::backend::{Backend, Choice};
use crate::error::Error;
use crate::sorter::Sorter;

/// What runs the sorts of host slices, such as [`sort`](crate::sort), where a GPU pays: a GPU if there is one, else the
/// host. Few keys are sorted on the host in any case ([`Sorter::new`]).
///
/// Where those sorts are errors this is the same error: with `SORTSMITH_BACKEND=gpu` and no GPU, say, nothing sorts.
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

/// The sorter of the functions for host slices, if a call has needed it.
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

/// The sorter for so many keys of a host slice: few of them are not worth opening a GPU for.
pub(crate) fn sorter_for(keys: usize) -> Result<Sorter, Error> {
    if Choice::of_this_process()? == Choice::Auto && keys < Sorter::HOST_BELOW {
        Ok(Sorter::host())
    } else {
        default_sorter()
    }
}
