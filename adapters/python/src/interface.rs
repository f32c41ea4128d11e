//! NumPy's `__array_interface__`, and `__cuda_array_interface__`, which has the same members.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::described::{Described, Lifetime, Location};
use crate::dtype::{Dtype, KeyDtype};
use crate::errors::{value, wrong_type};

/// The device of an array with `__cuda_array_interface__`, which does not say it: that of its attribute `device`, or 0.
pub fn location(object: &Bound<'_, PyAny>) -> Location {
    let py = object.py();
    let Ok(device) = object.getattr(pyo3::intern!(py, "device")) else {
        return Location::Device(0);
    };
    for number in ["id", "index"] {
        if let Ok(ordinal) = device.getattr(number).and_then(|it| it.extract::<usize>()) {
            return Location::Device(ordinal);
        }
    }
    Location::Device(0)
}

/// The array that this attribute describes.
pub fn read(
    argument: &'static str,
    object: &Bound<'_, PyAny>,
    attribute: &str,
    location: Location,
) -> PyResult<Described> {
    let members = object.getattr(attribute)?.cast_into::<PyDict>()?;
    let member = |name: &str| {
        let found = members.get_item(name)?;
        found.ok_or_else(|| wrong_type(argument, format!("has no {name} in its {attribute}")))
    };
    let (dtype, dtype_name) = dtype(argument, object, &member("typestr")?.extract::<String>()?)?;
    let shape: Vec<usize> = member("shape")?.extract()?;
    let data = member("data")?;
    let (address, is_read_only) = data.extract::<(usize, bool)>().map_err(|_| {
        wrong_type(argument, format!("has no address in its {attribute}; legal: a NumPy array"))
    })?;
    let strides = match members.get_item("strides")? {
        Some(strides) if !strides.is_none() => strides.extract()?,
        _ => contiguous(&shape, dtype.bytes()),
    };
    if strides.len() != shape.len() {
        return Err(value(argument, "has not one stride for each dimension"));
    }
    let lifetime = Lifetime::Call(object.clone().unbind());
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

/// The strides of an array without gaps, the last dimension being that of neighbours.
pub fn contiguous(shape: &[usize], bytes: usize) -> Vec<isize> {
    let mut stride = bytes as isize;
    let mut strides: Vec<_> = shape
        .iter()
        .rev()
        .map(|length| {
            let this = stride;
            stride = stride.saturating_mul((*length).max(1) as isize);
            this
        })
        .collect();
    strides.reverse();
    strides
}

/// The type that a type string names, and its name.
fn dtype(
    argument: &'static str,
    object: &Bound<'_, PyAny>,
    typestr: &str,
) -> PyResult<(Dtype, String)> {
    let own_name = || object.getattr("dtype").and_then(|dtype| dtype.str()?.extract::<String>());
    let name = own_name().unwrap_or_else(|_| typestr.to_owned());
    let malformed = || wrong_type(argument, format!("has the unknown type {name}"));
    let mut letters = typestr.chars();
    let (order, kind) = letters.next().zip(letters.next()).ok_or_else(malformed)?;
    let has_objects = || object.getattr("dtype")?.getattr("hasobject")?.extract::<bool>();
    if kind == 'O' || (kind == 'V' && has_objects().unwrap_or(false)) {
        let problem = format!("has dtype {name}, of Python objects; legal: plain items");
        return Err(wrong_type(argument, problem));
    }
    if order == '>' {
        let problem = format!("has dtype {name}, of the other byte order; legal: this machine's");
        return Err(wrong_type(argument, problem));
    }
    let size = letters.as_str().split('[').next().unwrap_or("");
    let size: usize = size.parse().map_err(|_| malformed())?;
    // Strings are counted in characters.
    let bytes = if kind == 'U' { size.saturating_mul(4) } else { size };
    if kind == 'V' && name == "bfloat16" {
        return Ok((Dtype::Key(KeyDtype::Bf16), name));
    }
    Ok((Dtype::of_kind(kind, bytes), name))
}
