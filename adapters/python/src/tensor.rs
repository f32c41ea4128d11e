//! PyTorch's tensors by their own attributes, which takes a tenth of the time of an export by DLPack.
//!
//! DLPack also refuses tensors that may not be read as they lie, and orders a stream behind PyTorch's current one. So it is used wherever
//! that could matter: for subclasses, tensors that need gradients, that are sparse or conjugated, and sorts on any other stream.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyString, PyType};

use crate::described::{Described, Lifetime, Location};
use crate::dtype::{Dtype, KeyDtype};

/// What is looked up in PyTorch once.
#[derive(Debug)]
struct Torch {
    tensor: Py<PyType>,
    strided: Py<PyAny>,
    /// The types of items that are read here, each of which is one object.
    dtypes: Vec<(Py<PyAny>, KeyDtype, &'static str)>,
    current_stream: Option<Py<PyAny>>,
}

static TORCH: PyOnceLock<Torch> = PyOnceLock::new();

impl Torch {
    fn get(py: Python<'_>) -> PyResult<&'static Self> {
        TORCH.get_or_try_init(py, || {
            let torch = py.import("torch")?;
            let dtypes = KeyDtype::all().filter_map(|(dtype, name)| {
                // Old versions lack some.
                Some((torch.getattr(name).ok()?.unbind(), dtype, name))
            });
            let current_stream = torch.getattr("_C")?.getattr("_cuda_getCurrentRawStream").ok();
            Ok(Self {
                tensor: torch.getattr("Tensor")?.cast_into::<PyType>()?.unbind(),
                strided: torch.getattr("strided")?.unbind(),
                dtypes: dtypes.collect(),
                current_stream: current_stream.map(Bound::unbind),
            })
        })
    }
}

/// Whether PyTorch has been met and an object is one of its tensors, not of a subclass.
pub fn is_known(object: &Bound<'_, PyAny>) -> bool {
    let torch = TORCH.get(object.py());
    torch.is_some_and(|torch| object.get_type().is(&torch.tensor))
}

/// The handle of PyTorch's current stream of a device; 0 where it is built without CUDA.
pub fn current_stream(py: Python<'_>, ordinal: usize) -> PyResult<usize> {
    let Some(current) = &Torch::get(py)?.current_stream else { return Ok(0) };
    current.call1(py, (ordinal,))?.extract(py)
}

/// Where a tensor lies, if it may be read as it lies there.
pub fn location(object: &Bound<'_, PyAny>) -> PyResult<Option<Location>> {
    let py = object.py();
    let torch = Torch::get(py)?;
    let is = |attribute: &Bound<'_, PyString>| {
        let value = object.getattr(attribute)?;
        Ok::<_, PyErr>(value.cast::<PyBool>().is_ok_and(PyBoolMethods::is_true))
    };
    let calls = |method: &Bound<'_, PyString>| object.call_method0(method)?.extract::<bool>();
    let is_plain = object.get_type().is(&torch.tensor)
        && object.getattr(pyo3::intern!(py, "layout"))?.is(&torch.strided)
        && !is(pyo3::intern!(py, "requires_grad"))?
        && !calls(pyo3::intern!(py, "is_conj"))?
        && !calls(pyo3::intern!(py, "is_neg"))?;
    if !is_plain {
        return Ok(None);
    }
    if is(pyo3::intern!(py, "is_cuda"))? {
        let ordinal = object.call_method0(pyo3::intern!(py, "get_device"))?;
        return Ok(Some(Location::Device(ordinal.extract()?)));
    }
    Ok(is(pyo3::intern!(py, "is_cpu"))?.then_some(Location::Host))
}

/// The tensor, if its items are of a type of keys.
pub fn read(
    argument: &'static str,
    object: &Bound<'_, PyAny>,
    location: Location,
) -> PyResult<Option<Described>> {
    let py = object.py();
    let its = object.getattr(pyo3::intern!(py, "dtype"))?;
    let mut known = Torch::get(py)?.dtypes.iter();
    let Some((_, dtype, name)) = known.find(|(known, ..)| its.is(known)) else { return Ok(None) };
    let bytes = dtype.bytes() as isize;
    let strides: Vec<isize> = object.call_method0(pyo3::intern!(py, "stride"))?.extract()?;
    Ok(Some(Described {
        argument,
        address: object.call_method0(pyo3::intern!(py, "data_ptr"))?.extract()?,
        shape: object.getattr(pyo3::intern!(py, "shape"))?.extract()?,
        strides: strides.into_iter().map(|stride| stride.saturating_mul(bytes)).collect(),
        dtype: Dtype::Key(*dtype),
        dtype_name: (*name).to_owned(),
        is_read_only: false,
        location,
        lifetime: Lifetime::Call(object.clone().unbind()),
    }))
}
