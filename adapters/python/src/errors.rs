//! Errors of the library as Python's exceptions.

use pyo3::create_exception;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use sortsmith::Error;

create_exception!(
    sortsmith,
    SortsmithError,
    PyRuntimeError,
    "The driver, a device or the compiler is missing or failed."
);

/// The exception for an error: `ValueError` for what the arguments are, `MemoryError` for missing memory, else `sortsmith.Error`.
pub fn exception(error: &Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::LengthMismatch { .. }
        | Error::OutputLength { .. }
        | Error::BitRange { .. }
        | Error::RowShape { .. }
        | Error::SegmentEnds { .. }
        | Error::SegmentOffset { .. }
        | Error::TopK { .. }
        | Error::TooManyItems { .. }
        | Error::DeviceSize { .. }
        | Error::Spec(_) => PyValueError::new_err(text),
        Error::OutOfMemory { .. } | Error::OutOfDeviceMemory { .. } => PyMemoryError::new_err(text),
        _ => SortsmithError::new_err(text),
    }
}

/// A `ValueError` about an argument.
pub fn value(argument: &str, problem: impl AsRef<str>) -> PyErr {
    PyValueError::new_err(format!("{argument} {}", problem.as_ref()))
}

/// A `TypeError` about an argument.
pub fn wrong_type(argument: &str, problem: impl AsRef<str>) -> PyErr {
    PyTypeError::new_err(format!("{argument} {}", problem.as_ref()))
}
