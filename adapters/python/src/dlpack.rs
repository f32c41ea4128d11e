//! DLPack: arrays by `__dlpack__`, from PyTorch, CuPy, JAX and others.

use std::ffi::{CStr, c_void};
use std::slice;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::described::{Described, Lifetime, Location};
use crate::dtype::{Dtype, KeyDtype};
use crate::errors::wrong_type;
use crate::interface::contiguous;

/// `kDLCPU`, `kDLCUDA`, `kDLCUDAHost` and `kDLCUDAManaged`.
const CPU: i32 = 1;
const CUDA: i32 = 2;
const CUDA_HOST: i32 = 3;
const CUDA_MANAGED: i32 = 13;

/// `DLPACK_FLAG_BITMASK_READ_ONLY`.
const READ_ONLY: u64 = 1;

/// The version that exports are to have. Later ones of the same major version are laid out alike.
const VERSION: (u32, u32) = (1, 0);

const VERSIONED: &CStr = c"dltensor_versioned";
const UNVERSIONED: &CStr = c"dltensor";

/// `DLTensor`.
#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    dimensions: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

/// `DLManagedTensorVersioned`.
#[repr(C)]
struct Versioned {
    major: u32,
    minor: u32,
    manager: *mut c_void,
    deleter: *mut c_void,
    flags: u64,
    tensor: Tensor,
}

/// Where an array lies.
pub fn location(argument: &'static str, object: &Bound<'_, PyAny>) -> PyResult<Location> {
    let device = object.call_method0(pyo3::intern!(object.py(), "__dlpack_device__"))?;
    let kind = device.get_item(0)?.call_method0("__int__")?.extract::<i32>()?;
    let id = device.get_item(1)?.extract::<usize>()?;
    match kind {
        CPU | CUDA_HOST => Ok(Location::Host),
        CUDA | CUDA_MANAGED => Ok(Location::Device(id)),
        kind => {
            let problem =
                format!("is on a device of DLPack's type {kind}; legal: the host or CUDA");
            Err(wrong_type(argument, problem))
        }
    }
}

/// The array that an object exports. `may_write` is whether its library lets others write arrays of which the export does not say it.
pub fn read(
    argument: &'static str,
    object: &Bound<'_, PyAny>,
    location: Location,
    stream: Option<usize>,
    may_write: bool,
) -> PyResult<Described> {
    let capsule = export(object, location, stream)?;
    let is_versioned = is_named(&capsule, VERSIONED)?;
    let name = if is_versioned { VERSIONED } else { UNVERSIONED };
    let pointer = capsule
        .pointer_checked(Some(name))
        .map_err(|_| wrong_type(argument, "exports no capsule of DLPack's by its __dlpack__"))?;
    let (tensor, is_read_only) = if is_versioned {
        // SAFETY: a capsule of this name holds such a tensor; its first members are the same in all versions.
        let versioned = unsafe { pointer.cast::<Versioned>().as_ref() };
        if versioned.major != VERSION.0 {
            let problem = format!("exports DLPack {}; legal: {}", versioned.major, VERSION.0);
            return Err(wrong_type(argument, problem));
        }
        (&versioned.tensor, versioned.flags & READ_ONLY != 0)
    } else {
        // SAFETY: a capsule of this name holds a `DLManagedTensor`, which begins with its tensor.
        (unsafe { pointer.cast::<Tensor>().as_ref() }, !may_write)
    };
    // SAFETY: the capsule is unused, so the tensor is valid as long as it lives.
    let (shape, strides) = unsafe { extent(tensor) };
    let (dtype, dtype_name) = dtype(argument, tensor)?;
    let bytes = dtype.bytes();
    let strides = match strides {
        Some(strides) => {
            strides.iter().map(|it| (*it as isize).saturating_mul(bytes as isize)).collect()
        }
        None => contiguous(&shape, bytes),
    };
    let address = (tensor.data as usize).wrapping_add(tensor.byte_offset as usize);
    let lifetime = Lifetime::Call(capsule.into_any().unbind());
    Ok(Described {
        argument,
        address,
        shape,
        strides,
        dtype,
        dtype_name,
        is_read_only,
        location,
        lifetime,
    })
}

/// Calls `__dlpack__`, of old libraries without the version. The capsule is not marked as used, so it frees the export when it is dropped.
fn export<'py>(
    object: &Bound<'py, PyAny>,
    location: Location,
    stream: Option<usize>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let py = object.py();
    let arguments = PyDict::new(py);
    if location != Location::Host {
        // The protocol calls the legacy default stream 1.
        let stream = stream.map_or(1, |stream| stream.max(1));
        arguments.set_item("stream", stream)?;
    }
    let export = object.getattr(pyo3::intern!(py, "__dlpack__"))?;
    let with_version = arguments.copy()?;
    with_version.set_item("max_version", VERSION)?;
    let exported = match export.call((), Some(&with_version)) {
        Err(error) if error.is_instance_of::<PyTypeError>(py) => export.call((), Some(&arguments)),
        exported => exported,
    };
    Ok(exported?.cast_into::<PyCapsule>()?)
}

fn is_named(capsule: &Bound<'_, PyCapsule>, name: &CStr) -> PyResult<bool> {
    let found = capsule.name()?;
    // SAFETY: the capsule's name is a constant of the exporting library.
    Ok(found.is_some_and(|found| unsafe { found.as_cstr() } == name))
}

/// The lengths of a tensor's dimensions, and its strides in items if it says them.
///
/// # Safety
///
/// The tensor is valid for the lifetime of the result.
unsafe fn extent(tensor: &Tensor) -> (Vec<usize>, Option<&[i64]>) {
    let dimensions = usize::try_from(tensor.dimensions).unwrap_or(0);
    if dimensions == 0 || tensor.shape.is_null() {
        return (Vec::new(), Some(&[]));
    }
    // SAFETY: a tensor has as many lengths as dimensions.
    let shape = unsafe { slice::from_raw_parts(tensor.shape, dimensions) };
    let shape = shape.iter().map(|length| usize::try_from(*length).unwrap_or(0)).collect();
    // SAFETY: and as many strides, unless there are none.
    let strides = (!tensor.strides.is_null())
        .then(|| unsafe { slice::from_raw_parts(tensor.strides, dimensions) });
    (shape, strides)
}

/// The type of a tensor's items, and its name.
fn dtype(argument: &'static str, tensor: &Tensor) -> PyResult<(Dtype, String)> {
    let (bits, lanes) = (usize::from(tensor.bits), usize::from(tensor.lanes));
    let total = bits.saturating_mul(lanes);
    let kind = match tensor.code {
        0 => ('i', "int"),
        1 => ('u', "uint"),
        2 => ('f', "float"),
        4 if bits == 16 => return Ok((Dtype::Key(KeyDtype::Bf16), "bfloat16".to_owned())),
        5 => ('c', "complex"),
        6 => ('b', "bool"),
        _ => ('V', "type "),
    };
    if total == 0 || !total.is_multiple_of(8) {
        let problem = format!("has items of {total} bits; legal: a multiple of 8");
        return Err(wrong_type(argument, problem));
    }
    let kind = if lanes == 1 { kind } else { ('V', "vector ") };
    let name = match kind.0 {
        'b' => kind.1.to_owned(),
        'V' => format!("{}{} of {total} bits (DLPack)", kind.1, tensor.code),
        _ => format!("{}{bits}", kind.1),
    };
    Ok((Dtype::of_kind(kind.0, total / 8), name))
}
