//! Owners of arrays that stay alive until a device has done the work that reads them.
//!
//! PyTorch and CuPy free an array's memory in the order of their streams, so that work enqueued before is done. Of other libraries that is
//! not known: JAX may use the memory again as soon as an export of it ends.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use sortsmith::cudarc::driver::CudaEvent;

use crate::device;

/// Owners, and the events that end their use.
static HELD: Mutex<Vec<(CudaEvent, Vec<Py<PyAny>>)>> = Mutex::new(Vec::new());

fn held<T>(work: impl FnOnce(&mut Vec<(CudaEvent, Vec<Py<PyAny>>)>) -> T) -> T {
    work(&mut HELD.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Keeps the owners until the stream has done its work.
pub fn until_done(ordinal: usize, handle: usize, owners: Vec<Py<PyAny>>) -> PyResult<()> {
    if owners.is_empty() {
        return Ok(());
    }
    if let Some(event) = device::event_behind(ordinal, handle)? {
        held(|held| held.push((event, owners)));
    }
    Ok(())
}

/// Lets go of owners that no work uses any more.
pub fn let_go() {
    let done = held(|held| {
        let is_done = |(event, _): &mut (CudaEvent, _)| event.try_is_complete() != Ok(false);
        held.extract_if(.., is_done).collect::<Vec<_>>()
    });
    // Dropping an owner may run code of Python's, which may sort.
    drop(done);
}
