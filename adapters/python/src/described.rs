//! What is known of an array of another library: where its items lie, of which type, and how.

use pyo3::prelude::*;

use crate::dtype::Dtype;

/// The memory that an array lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// The host's.
    Host,
    /// That of the CUDA device with this ordinal.
    Device(usize),
}

/// How long an array's memory stays valid.
#[derive(Debug)]
pub enum Lifetime {
    /// Its library frees memory in the order of the stream, so the owner is kept until the call returns.
    Call(Py<PyAny>),
    /// Its library is not known to, so the owner is kept until the stream has done the work.
    Work(Py<PyAny>),
}

/// An array, described. It keeps its owner alive.
#[derive(Debug)]
pub struct Described {
    /// The argument that it is.
    pub argument: &'static str,
    /// The address of its first item.
    pub address: usize,
    /// Items along each dimension.
    pub shape: Vec<usize>,
    /// Bytes from one item to the next, along each dimension.
    pub strides: Vec<isize>,
    /// The type of its items.
    pub dtype: Dtype,
    /// What its library calls the type.
    pub dtype_name: String,
    /// Whether it must not be written.
    pub is_read_only: bool,
    /// Where it lies.
    pub location: Location,
    /// What keeps its memory valid.
    pub lifetime: Lifetime,
}
