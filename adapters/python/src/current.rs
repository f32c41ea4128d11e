//! The stream that a call is enqueued on: the one that is named, or its library's current one.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt};

use crate::describe::{Argument, Library};
use crate::errors::wrong_type;
use crate::tensor;

/// The handle of the legacy default stream.
const LEGACY: usize = 1;

/// The stream that the caller names, or the current one of the first array of a library that has one, or the legacy default stream.
pub fn current_stream<'a, 'py: 'a>(
    arguments: impl Iterator<Item = &'a Argument<'py>>,
    ordinal: usize,
    named: Option<&Bound<'py, PyAny>>,
) -> PyResult<usize> {
    if let Some(named) = named {
        return handle(named);
    }
    for argument in arguments {
        if let Some(stream) = of_library(argument, ordinal)? {
            return Ok(stream);
        }
    }
    Ok(LEGACY)
}

/// The handle of a stream: a number, or an object of PyTorch's, CuPy's or `cuda.core`'s.
fn handle(stream: &Bound<'_, PyAny>) -> PyResult<usize> {
    if stream.is_instance_of::<PyInt>() {
        return stream.extract();
    }
    let py = stream.py();
    for attribute in [pyo3::intern!(py, "cuda_stream"), pyo3::intern!(py, "ptr")] {
        if let Ok(handle) = stream.getattr(attribute) {
            return handle.extract();
        }
    }
    if let Ok(protocol) = stream.call_method0(pyo3::intern!(py, "__cuda_stream__")) {
        return protocol.get_item(1)?.extract();
    }
    let class = stream.get_type().name()?;
    let problem = format!(
        "is of type {class}; legal: a handle, a stream of PyTorch's or CuPy's, or an object with __cuda_stream__"
    );
    Err(wrong_type("stream", problem))
}

/// The current stream of an array's library, if it has one.
fn of_library(argument: &Argument<'_>, ordinal: usize) -> PyResult<Option<usize>> {
    let object = argument.object();
    let py = object.py();
    let stream = match argument.library() {
        Library::Torch => return tensor::current_stream(py, ordinal).map(Some),
        Library::Cupy => {
            let cuda = py.import(pyo3::intern!(py, "cupy.cuda"))?;
            let current = cuda.call_method0(pyo3::intern!(py, "get_current_stream"))?;
            current.getattr(pyo3::intern!(py, "ptr"))?
        }
        Library::Numpy => return Ok(None),
        Library::Other => {
            let Ok(interface) = object.getattr(pyo3::intern!(py, "__cuda_array_interface__"))
            else {
                return Ok(None);
            };
            match interface.cast_into::<PyDict>()?.get_item("stream")? {
                Some(stream) if !stream.is_none() => stream,
                _ => return Ok(None),
            }
        }
    };
    stream.extract().map(Some)
}
