//! The functions of Python: what they take is checked, and what they do.

use pyo3::prelude::*;
use sortsmith::{SortOptions, TopKOptions};

use crate::call::{Call, Object};
use crate::described::Described;
use crate::device;
use crate::dtype::{Dtype, KeyDtype, VALUE_BYTES};
use crate::errors::{value, wrong_type};
use crate::extent::{Extent, Of, spanned};
use crate::layout::{Range, require_disjoint};
use crate::sorts::{Argsort, Sort, SortPairs, TopK};

/// How keys are compared.
#[derive(Clone, Debug, FromPyObject)]
pub struct Compare(bool, bool, Option<(u32, u32)>);

impl Compare {
    fn options(&self) -> SortOptions {
        let Self(is_descending, is_nan_last, bits) = *self;
        let mut options = SortOptions::new();
        if is_descending {
            options = options.descending();
        }
        if is_nan_last {
            options = options.nan_last();
        }
        match bits {
            Some((begin, end)) => options.bits(begin..end),
            None => options,
        }
    }
}

/// An error unless positions below `limit` fit into the output.
fn require_positions(positions: &Described, limit: usize, also: &str) -> PyResult<()> {
    match positions.dtype {
        Dtype::Key(KeyDtype::U32) => Ok(()),
        Dtype::Key(KeyDtype::I32) if limit <= 1 << 31 => Ok(()),
        _ => {
            let name = &positions.dtype_name;
            let problem =
                format!("has dtype {name}; legal: {also}uint32, or int32 for at most 2**31 keys");
            Err(wrong_type(positions.argument, problem))
        }
    }
}

/// Sorts keys, in place or to an output.
#[pyfunction]
pub fn sort(
    py: Python<'_>,
    keys: &Bound<'_, PyAny>,
    out: Object<'_, '_>,
    of: Of<'_>,
    compare: Compare,
    stream: Object<'_, '_>,
) -> PyResult<()> {
    let [offsets, ends] = of.offsets();
    let call = Call::new(&[("keys", Some(keys)), ("out", out), offsets, ends], stream)?;
    let keys = call.require(0, "keys")?;
    let (key, extent) = (keys.key()?, Extent::new(&of, &call, keys, 2)?);
    let sorted = call.get(1);
    match sorted {
        Some(sorted) => extent.require_room(keys, sorted)?,
        None => keys.require_writable()?,
    }
    let mut ranges = Extent::ranges(&call, 2);
    ranges.push(Range::of(keys, extent.span, sorted.is_none()));
    ranges.extend(sorted.map(|sorted| Range::of(sorted, extent.span, true)));
    require_disjoint(&ranges)?;
    let task = Sort {
        key,
        keys: spanned(keys, extent.span),
        sorted: sorted.map(|sorted| spanned(sorted, extent.span)),
        lists: extent.lists,
        options: compare.options(),
    };
    call.run(py, task)
}

/// Writes the positions that the keys would be sorted from, and the sorted keys if there is an array for them. Segments have none.
#[pyfunction]
pub fn argsort(
    py: Python<'_>,
    keys: &Bound<'_, PyAny>,
    out: &Bound<'_, PyAny>,
    sorted: Object<'_, '_>,
    of: Of<'_>,
    compare: Compare,
    stream: Object<'_, '_>,
) -> PyResult<()> {
    let [offsets, ends] = of.offsets();
    let arrays = [("keys", Some(keys)), ("out", Some(out)), offsets, ends, ("sorted", sorted)];
    let call = Call::new(&arrays, stream)?;
    let (keys, positions) = (call.require(0, "keys")?, call.require(1, "out")?);
    let (key, extent) = (keys.key()?, Extent::new(&of, &call, keys, 2)?);
    require_positions(positions, keys.shape.last().copied().unwrap_or(0), "")?;
    extent.require_same(keys, positions)?;
    positions.require_writable()?;
    let sorted = call.get(4);
    sorted.map_or(Ok(()), |sorted| extent.require_room(keys, sorted))?;
    let mut ranges = Extent::ranges(&call, 2);
    ranges.push(Range::of(keys, extent.span, false));
    ranges.push(Range::of(positions, extent.span, true));
    ranges.extend(sorted.map(|sorted| Range::of(sorted, extent.span, true)));
    require_disjoint(&ranges)?;
    let task = Argsort {
        key,
        keys: spanned(keys, extent.span),
        positions: spanned(positions, extent.span),
        sorted: sorted.map(|sorted| spanned(sorted, extent.span)),
        lists: extent.lists,
        options: compare.options(),
    };
    call.run(py, task)
}

/// Sorts keys with values, in place or to outputs. False if nothing was moved, because values of their size are taken by positions: then all
/// but the gather has been checked.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of Python's function")]
pub fn sort_pairs(
    py: Python<'_>,
    keys: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    out: Option<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
    of: Of<'_>,
    compare: Compare,
    is_stable: bool,
    stream: Object<'_, '_>,
) -> PyResult<bool> {
    let [offsets, ends] = of.offsets();
    let (out_keys, out_values) = out.as_ref().map(|(keys, values)| (keys, values)).unzip();
    let arguments = [
        ("keys", Some(keys)),
        ("values", Some(values)),
        ("out[0]", out_keys),
        ("out[1]", out_values),
        offsets,
        ends,
    ];
    let call = Call::new(&arguments, stream)?;
    let (keys, values) = (call.require(0, "keys")?, call.require(1, "values")?);
    let (key, value_bytes) = (keys.key()?, values.value_bytes()?);
    let is_moved = values.is_moved();
    if !is_moved && (matches!(of, Of::Segments(..)) || stream.is_some()) {
        return Err(values.wrong_value(VALUE_BYTES));
    }
    let extent = Extent::new(&of, &call, keys, 4)?;
    extent.require_same(keys, values)?;
    let sorted = call.get(2).zip(call.get(3));
    if let Some((sorted_keys, sorted_values)) = sorted {
        sorted_keys.require_dtype(keys.dtype, "that of keys")?;
        sorted_values.require_dtype(values.dtype, "that of values")?;
        extent.require_same(keys, sorted_keys)?;
        extent.require_same(keys, sorted_values)?;
    }
    let (written_keys, written_values) = sorted.unwrap_or((keys, values));
    written_keys.require_writable()?;
    written_values.require_writable()?;
    let mut ranges = Extent::ranges(&call, 4);
    for array in (0..4).filter_map(|index| call.get(index)) {
        let is_written = [written_keys, written_values].iter().any(|it| std::ptr::eq(*it, array));
        ranges.push(Range::of(array, extent.span, is_written));
    }
    require_disjoint(&ranges)?;
    if !is_moved {
        return Ok(false);
    }
    let spans = |keys, values| [spanned(keys, extent.span), spanned(values, extent.span)];
    let task = SortPairs {
        key,
        pairs: spans(keys, values),
        sorted: sorted.map(|(keys, values)| spans(keys, values)),
        value_bytes,
        is_stable,
        lists: extent.lists,
        options: compare.options(),
    };
    call.run(py, task).map(|()| true)
}

/// Which keys a top-k finds.
#[derive(Clone, Debug, FromPyObject)]
pub struct Find(bool, bool, bool);

/// Finds the first k keys of each row, and their positions.
#[pyfunction]
pub fn topk(
    py: Python<'_>,
    keys: &Bound<'_, PyAny>,
    k: usize,
    out: (Bound<'_, PyAny>, Bound<'_, PyAny>),
    find: Find,
    stream: Object<'_, '_>,
) -> PyResult<()> {
    let arguments = [("keys", Some(keys)), ("out[0]", Some(&out.0)), ("out[1]", Some(&out.1))];
    let call = Call::new(&arguments, stream)?;
    let (keys, found) = (call.require(0, "keys")?, call.require(1, "out[0]")?);
    let positions = call.require(2, "out[1]")?;
    let (key, matrix) = (keys.key()?, keys.matrix()?);
    if k > matrix.columns {
        let problem = format!("is {k}; legal: at most {}, the keys of a row", matrix.columns);
        return Err(value("k", problem));
    }
    found.require_dtype(keys.dtype, "that of keys")?;
    let has_wide_positions = positions.dtype == Dtype::Key(KeyDtype::I64);
    if !has_wide_positions {
        require_positions(positions, matrix.columns, "int64, ")?;
    }
    let mut shape = keys.shape.clone();
    if let Some(last) = shape.last_mut() {
        *last = k;
    }
    let mut ranges = vec![Range::of(keys, matrix.span(), false)];
    for output in [found, positions] {
        output.require_shape(&shape, "k of each row")?;
        output.require_writable()?;
        let its = output.matrix()?;
        if its.stride != its.columns && its.rows > 1 {
            return Err(value(output.argument, "has gaps between its rows; legal: none"));
        }
        ranges.push(Range::of(output, matrix.rows * k, true));
    }
    require_disjoint(&ranges)?;
    let Find(is_largest, is_sorted, is_nan_last) = find;
    let mut options = TopKOptions::new();
    if !is_largest {
        options = options.smallest();
    }
    if !is_sorted {
        options = options.unsorted();
    }
    if is_nan_last {
        options = options.nan_last();
    }
    let task = TopK {
        key,
        keys: spanned(keys, matrix.span()),
        matrix,
        k,
        found: spanned(found, matrix.rows * k),
        positions: spanned(positions, matrix.rows * k),
        has_wide_positions,
        options,
    };
    call.run(py, task)
}

/// Frees the memory that sorts on devices keep for the next ones.
#[pyfunction]
pub fn release(py: Python<'_>) {
    py.detach(device::release);
}
