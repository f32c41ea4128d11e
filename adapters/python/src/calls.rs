//! The calls of Python: arguments are described and checked, and the sort runs without the GIL.

use pyo3::prelude::*;
use sortsmith::{SortOptions, Sorter, TopKOptions};

use crate::current::current_stream;
use crate::describe::Argument;
use crate::described::{Described, Lifetime, Location};
use crate::device;
use crate::dtype::{Dtype, KeyDtype, VALUE_BYTES};
use crate::errors::{exception, value, wrong_type};
use crate::hold;
use crate::layout::{Matrix, Range, require_disjoint};
use crate::memory::{Host, Span};
use crate::sorts::{Argsort, Lists, Offset, Sort, SortPairs, Task, TopK};

/// Described arguments of a call, in the order in which they were given, and where it runs.
struct Call {
    location: Location,
    stream: usize,
    arrays: Vec<Option<Described>>,
}

type Object<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

impl Call {
    /// Describes the arguments; the first is required. They lie in one location.
    fn new<'py>(
        arguments: &[(&'static str, Object<'_, 'py>)],
        stream: Object<'_, 'py>,
    ) -> PyResult<Self> {
        hold::let_go();
        let known = arguments
            .iter()
            .map(|(name, object)| object.map(|object| Argument::new(name, object)).transpose());
        let known: Vec<Option<Argument<'py>>> = known.collect::<PyResult<_>>()?;
        let Some(first) = known.iter().flatten().next() else {
            return Err(wrong_type("keys", "is None; legal: an array"));
        };
        let location = first.location;
        let stream = match location {
            Location::Host if stream.is_some() => {
                return Err(value(
                    "stream",
                    "is for arrays on a device, and keys is on the host; legal: None",
                ));
            }
            Location::Host => None,
            Location::Device(ordinal) => {
                Some(current_stream(known.iter().flatten(), ordinal, stream)?)
            }
        };
        let mut arrays = Vec::with_capacity(known.len());
        for argument in &known {
            let described = argument.as_ref().map(|it| it.describe(stream)).transpose()?;
            arrays.push(described);
        }
        one_location(&arrays)?;
        Ok(Self { location, stream: stream.unwrap_or(0), arrays })
    }

    fn get(&self, index: usize) -> Option<&Described> {
        self.arrays.get(index).and_then(Option::as_ref)
    }

    fn require(&self, index: usize, name: &str) -> PyResult<&Described> {
        self.get(index).ok_or_else(|| wrong_type(name, "is None; legal: an array"))
    }

    /// Runs the task without the GIL. Its spans are these arguments'.
    fn run(self, py: Python<'_>, task: impl Task) -> PyResult<()> {
        let (location, stream) = (self.location, self.stream);
        // The spans are of described arrays, checked to be aligned, and apart where they are written. Their owners live until this returns, and
        // longer where a device may still use them. That no other thread writes them meanwhile is what the documentation requires of every
        // caller, as NumPy's own functions do.
        let done = py.detach(|| match location {
            Location::Host => {
                // SAFETY: as above, for arrays on the host.
                let done = unsafe { task.run(&Host(Sorter::host())) };
                done.map_err(|error| exception(&error))
            }
            Location::Device(ordinal) => device::in_order_of(ordinal, stream, |memory| {
                // SAFETY: as above, for arrays on this device.
                unsafe { task.run(memory) }
            }),
        });
        if let Location::Device(ordinal) = location {
            let owners = self.arrays.into_iter().flatten().filter_map(|it| match it.lifetime {
                Lifetime::Work(owner) => Some(owner),
                Lifetime::Call(_) => None,
            });
            let owners = owners.collect();
            // The error of the sort says more.
            return done.and(hold::until_done(ordinal, stream, owners));
        }
        done
    }
}

/// An error unless all arrays are in one location.
fn one_location(arrays: &[Option<Described>]) -> PyResult<()> {
    let mut known = arrays.iter().flatten();
    let Some(first) = known.next() else { return Ok(()) };
    let name = |location| match location {
        Location::Host => "on the host".to_owned(),
        Location::Device(ordinal) => format!("on CUDA device {ordinal}"),
    };
    if let Some(other) = known.find(|other| other.location != first.location) {
        let [there, here] = [name(other.location), name(first.location)];
        let problem = format!("is {there}; legal: {here}, where {} is", first.argument);
        return Err(value(other.argument, problem));
    }
    Ok(())
}

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

/// Which lists of an array are sorted, each by itself.
#[derive(Clone, Debug, FromPyObject)]
pub enum Of<'py> {
    /// The array, or its rows.
    Shape(bool),
    /// Segments, by their offsets, or by where they begin and where they end.
    Segments(Bound<'py, PyAny>, Option<Bound<'py, PyAny>>),
}

impl<'py> Of<'py> {
    fn offsets(&self) -> [(&'static str, Object<'_, 'py>); 2] {
        match self {
            Self::Shape(_) => [("offsets", None), ("ends", None)],
            Self::Segments(begins, ends) => [("offsets", Some(begins)), ("ends", ends.as_ref())],
        }
    }
}

/// The lists of an array, and how far from its first item to its last.
struct Extent {
    lists: Lists,
    span: usize,
    matrix: Option<Matrix>,
}

impl Extent {
    fn new(of: &Of<'_>, call: &Call, keys: &Described, first: usize) -> PyResult<Self> {
        match of {
            Of::Shape(false) => Ok(Self { lists: Lists::Line, span: keys.line()?, matrix: None }),
            Of::Shape(true) => {
                let matrix = keys.matrix()?;
                Ok(Self { lists: Lists::Rows(matrix), span: matrix.span(), matrix: Some(matrix) })
            }
            Of::Segments(..) => {
                let span = keys.line()?;
                let begins = call.require(first, "offsets")?;
                let offset = offset(begins)?;
                let ends = call.get(first + 1);
                if let Some(ends) = ends {
                    ends.require_dtype(begins.dtype, "that of offsets")?;
                    ends.require_shape(&begins.shape, "one end for each begin")?;
                }
                let of = |it: &Described| Ok::<_, PyErr>(spanned(it, it.line()?));
                let (begins, ends) = (of(begins)?, ends.map(of).transpose()?);
                let lists = Lists::Segments { begins, ends, offset };
                Ok(Self { lists, span, matrix: None })
            }
        }
    }

    /// An error unless another array has the same shape and lies as the keys do.
    fn require_same(&self, keys: &Described, other: &Described) -> PyResult<()> {
        other.require_shape(&keys.shape, "that of keys")?;
        let Some(matrix) = self.matrix else { return other.line().map(drop) };
        let its = other.matrix()?;
        if its.stride == matrix.stride || matrix.rows < 2 {
            return Ok(());
        }
        let problem = format!(
            "has rows {} items apart; legal: {}, as keys has: make contiguous copies",
            its.stride, matrix.stride
        );
        Err(value(other.argument, problem))
    }

    /// Ranges of offsets, which are only read.
    fn ranges(call: &Call, first: usize) -> Vec<Range> {
        let arrays = [call.get(first), call.get(first + 1)];
        let of = |it: &Described| Range::of(it, it.shape.iter().product(), false);
        arrays.into_iter().flatten().map(of).collect()
    }
}

fn spanned(array: &Described, items: usize) -> Span {
    Span { address: array.address, items }
}

/// The type of offsets.
fn offset(offsets: &Described) -> PyResult<Offset> {
    match offsets.dtype {
        Dtype::Key(KeyDtype::I32) => Ok(Offset::I32),
        // As signed ones, numbers that no array has are negative, and refused.
        Dtype::Key(KeyDtype::I64 | KeyDtype::U64) => Ok(Offset::I64),
        _ => {
            let problem = format!("has dtype {}; legal: int32, int64, uint64", offsets.dtype_name);
            Err(wrong_type(offsets.argument, problem))
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
    let written = match sorted {
        Some(sorted) => {
            sorted.require_dtype(keys.dtype, "that of keys")?;
            extent.require_same(keys, sorted)?;
            sorted
        }
        None => keys,
    };
    written.require_writable()?;
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

/// Writes the positions that the keys would be sorted from.
#[pyfunction]
pub fn argsort(
    py: Python<'_>,
    keys: &Bound<'_, PyAny>,
    out: &Bound<'_, PyAny>,
    of: Of<'_>,
    compare: Compare,
    stream: Object<'_, '_>,
) -> PyResult<()> {
    let [offsets, ends] = of.offsets();
    let call = Call::new(&[("keys", Some(keys)), ("out", Some(out)), offsets, ends], stream)?;
    let (keys, positions) = (call.require(0, "keys")?, call.require(1, "out")?);
    let (key, extent) = (keys.key()?, Extent::new(&of, &call, keys, 2)?);
    require_positions(positions, keys.shape.last().copied().unwrap_or(0), "")?;
    extent.require_same(keys, positions)?;
    positions.require_writable()?;
    let mut ranges = Extent::ranges(&call, 2);
    ranges.push(Range::of(keys, extent.span, false));
    ranges.push(Range::of(positions, extent.span, true));
    require_disjoint(&ranges)?;
    let task = Argsort {
        key,
        keys: spanned(keys, extent.span),
        positions: spanned(positions, extent.span),
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
