//! The sorter behind the functions for host slices.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::backend::{Backend, Choice};
use crate::error::Error;
use crate::options::MEASURED_MIN;
use crate::sorter::Sorter;

/// The backend of host slices in functions such as [`sort`](crate::sort): a GPU if there is one, else the host. Slices for which
/// that takes less time are sorted on the host in any case ([`Sorter::new`]), and slices of fewer than
/// [`HOST_BELOW`](Sorter::HOST_BELOW) keys do not open a GPU before 2²⁶ keys of them have been sorted.
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

/// As many keys of short slices are sorted on the host before one opens a GPU, which takes about as long.
const KEYS_BEFORE_OPENING: usize = 1 << 26;

/// The sorter for a host slice of this length. A short slice opens a GPU only where many have been sorted.
pub(crate) fn sorter_for(keys: usize) -> Result<Sorter, Error> {
    static SORTED: AtomicUsize = AtomicUsize::new(0);

    if Choice::of_this_process()? == Choice::Auto && keys < Sorter::HOST_BELOW {
        let is_open = DEFAULT.get().is_some();
        let may_open = || SORTED.fetch_add(keys, Ordering::Relaxed) >= KEYS_BEFORE_OPENING;
        if keys < MEASURED_MIN || !(is_open || may_open()) {
            return Ok(Sorter::host());
        }
    }
    default_sorter()
}
