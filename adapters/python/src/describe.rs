//! Arrays of other libraries: which of their protocols says what they are.

use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::described::{Described, Lifetime, Location};
use crate::dlpack;
use crate::errors::wrong_type;
use crate::interface;
use crate::tensor;

/// How an array says what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Protocol {
    /// The attributes of PyTorch's tensors.
    Tensor,
    ArrayInterface,
    CudaArrayInterface,
    DlPack,
}

/// An argument, and how it says what it is.
#[derive(Debug)]
pub struct Argument<'py> {
    name: &'static str,
    object: Bound<'py, PyAny>,
    protocol: Protocol,
    library: Library,
    /// Where it lies.
    pub location: Location,
}

/// The library of an array, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// NumPy.
    Numpy,
    /// PyTorch.
    Torch,
    /// CuPy.
    Cupy,
    /// Another one.
    Other,
}

impl Library {
    /// The library that defines the type of an object.
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if tensor::is_known(object) {
            return Ok(Self::Torch);
        }
        for class in object.get_type().mro().iter() {
            let module = class.cast_into::<PyType>()?.module()?;
            match module.to_str()?.split('.').next() {
                Some("numpy") => return Ok(Self::Numpy),
                Some("torch") => return Ok(Self::Torch),
                Some("cupy") => return Ok(Self::Cupy),
                _ => {}
            }
        }
        Ok(Self::Other)
    }
}

impl<'py> Argument<'py> {
    /// Finds out how an object says what it is, and where it lies.
    pub fn new(name: &'static str, object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let library = Library::of(object)?;
        if library == Library::Torch
            && let Some(location) = tensor::location(object)?
        {
            let protocol = Protocol::Tensor;
            return Ok(Self { name, object: object.clone(), protocol, library, location });
        }
        let has = |attribute: &Bound<'py, PyString>| object.hasattr(attribute);
        let py = object.py();
        let (protocol, location) = if has(pyo3::intern!(py, "__array_interface__"))? {
            (Protocol::ArrayInterface, Location::Host)
        } else if has(pyo3::intern!(py, "__dlpack_device__"))? {
            (Protocol::DlPack, dlpack::location(name, object)?)
        } else if has(pyo3::intern!(py, "__cuda_array_interface__"))? {
            (Protocol::CudaArrayInterface, interface::location(object))
        } else {
            let class = object.get_type().name()?;
            return Err(wrong_type(
                name,
                format!(
                    "is of type {class}; legal: a NumPy array, or an array with __dlpack__ or __cuda_array_interface__"
                ),
            ));
        };
        Ok(Self { name, object: object.clone(), protocol, library, location })
    }

    /// Its library.
    pub fn library(&self) -> Library {
        self.library
    }

    /// The object.
    pub fn object(&self) -> &Bound<'py, PyAny> {
        &self.object
    }

    /// Whether work on this stream is in the order of PyTorch's current one.
    fn is_current(&self, stream: Option<usize>) -> PyResult<bool> {
        let (Location::Device(ordinal), Some(stream)) = (self.location, stream) else {
            return Ok(true);
        };
        // 0 and 1 are both the legacy default stream.
        Ok(tensor::current_stream(self.object.py(), ordinal)?.max(1) == stream.max(1))
    }

    /// Describes the array. Its content is to be there when work on this stream reads it.
    pub fn describe(&self, stream: Option<usize>) -> PyResult<Described> {
        let read = match self.protocol {
            Protocol::ArrayInterface => {
                interface::read(self.name, &self.object, "__array_interface__", self.location)
            }
            Protocol::CudaArrayInterface => {
                interface::read(self.name, &self.object, "__cuda_array_interface__", self.location)
            }
            Protocol::Tensor if self.is_current(stream)? => {
                let read = tensor::read(self.name, &self.object, self.location);
                match read.transpose() {
                    Some(read) => read,
                    None => dlpack::read(self.name, &self.object, self.location, stream, true),
                }
            }
            Protocol::Tensor | Protocol::DlPack => {
                let may_write = self.library != Library::Other;
                dlpack::read(self.name, &self.object, self.location, stream, may_write)
            }
        };
        let mut described = read?;
        if self.location != Location::Host
            && self.library == Library::Other
            && let Lifetime::Call(owner) = described.lifetime
        {
            described.lifetime = Lifetime::Work(owner);
        }
        Ok(described)
    }
}
