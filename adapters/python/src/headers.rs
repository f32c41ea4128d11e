//! Generated headers, and their kernels compiled.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sortsmith::sortsmith_codegen::SortSpec;
use sortsmith::sortsmith_codegen::registry::{self, Named};
use sortsmith::sortsmith_codegen::render::{Options, STORAGE_HEADERS};
use sortsmith::sortsmith_codegen::toolchain::{
    CompileOptions, Format, Nvrtc, Source, Toolchain, ToolchainError,
};

use crate::errors::SortsmithError;

fn illegal(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("name: {error}"))
}

/// The CUDA of a name.
fn text(name: &str, with_kernel: bool) -> PyResult<String> {
    if Named::claims(name) {
        let spec: Named = name.parse().map_err(illegal)?;
        return spec.header().map_err(|error| SortsmithError::new_err(error.to_string()));
    }
    let spec: SortSpec = name.parse().map_err(illegal)?;
    let options = Options { tile_kernel: with_kernel, ..Options::default() };
    registry::header(&spec, options).map_err(|error| SortsmithError::new_err(error.to_string()))
}

/// The header of a name.
#[pyfunction]
pub fn header(name: &str, with_kernel: bool) -> PyResult<String> {
    text(name, with_kernel)
}

/// The cubin of a name's kernels.
#[pyfunction]
pub fn compile<'py>(py: Python<'py>, name: &str, arch: u32) -> PyResult<Bound<'py, PyBytes>> {
    let text = text(name, true)?;
    let file = format!("{name}.cu");
    let compiled = py.detach(|| {
        let nvrtc = Nvrtc::load(&Toolchain::find())?;
        let source = Source { name: &file, text: &text, headers: &STORAGE_HEADERS };
        nvrtc.compile(&source, &CompileOptions::new(arch, Format::Cubin))
    });
    match compiled {
        Ok(compiled) => Ok(PyBytes::new(py, &compiled.image)),
        Err(error @ ToolchainError::UnsupportedArch { .. }) => {
            Err(PyValueError::new_err(format!("arch: {error}")))
        }
        Err(error) => Err(SortsmithError::new_err(format!("cannot compile {name}: {error}"))),
    }
}
