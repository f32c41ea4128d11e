//! The extension module of the Python package sortsmith. The package's own files have what users call and read; this module has what they
//! call, without defaults.

mod call;
mod calls;
mod current;
mod describe;
mod described;
mod device;
mod dlpack;
mod dtype;
mod errors;
mod extent;
mod headers;
mod hold;
mod interface;
mod layout;
mod memory;
mod sorts;
mod tensor;

/// The extension module.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::calls::{argsort, release, sort, sort_pairs, topk};
    #[pymodule_export]
    use crate::errors::SortsmithError;
    #[pymodule_export]
    use crate::headers::{compile, header};
}
