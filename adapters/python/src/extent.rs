//! Which lists of an array a call sorts, and how far they reach.

use pyo3::prelude::*;

use crate::call::{Call, Object};
use crate::described::Described;
use crate::dtype::{Dtype, KeyDtype};
use crate::errors::{value, wrong_type};
use crate::layout::{Matrix, Range};
use crate::memory::Span;
use crate::sorts::{Lists, Offset};

/// Which lists of an array are sorted, each by itself.
#[derive(Clone, Debug, FromPyObject)]
pub enum Of<'py> {
    /// The array, or its rows.
    Shape(bool),
    /// Segments, by their offsets, or by where they begin and where they end.
    Segments(Bound<'py, PyAny>, Option<Bound<'py, PyAny>>),
}

impl<'py> Of<'py> {
    /// The arguments that describe segments.
    pub fn offsets(&self) -> [(&'static str, Object<'_, 'py>); 2] {
        match self {
            Self::Shape(_) => [("offsets", None), ("ends", None)],
            Self::Segments(begins, ends) => [("offsets", Some(begins)), ("ends", ends.as_ref())],
        }
    }
}

/// The lists of an array, and how far from its first item to its last.
pub struct Extent {
    /// The lists.
    pub lists: Lists,
    /// From the first item to the last one.
    pub span: usize,
    matrix: Option<Matrix>,
}

impl Extent {
    /// Of the keys of a call, which has the arguments of segments from this number on.
    pub fn new(of: &Of<'_>, call: &Call, keys: &Described, first: usize) -> PyResult<Self> {
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
    pub fn require_same(&self, keys: &Described, other: &Described) -> PyResult<()> {
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

    /// An error unless an array is one that sorted keys may go to.
    pub fn require_room(&self, keys: &Described, sorted: &Described) -> PyResult<()> {
        sorted.require_dtype(keys.dtype, "that of keys")?;
        self.require_same(keys, sorted)?;
        sorted.require_writable()
    }

    /// Ranges of offsets, which are only read.
    pub fn ranges(call: &Call, first: usize) -> Vec<Range> {
        let arrays = [call.get(first), call.get(first + 1)];
        let of = |it: &Described| Range::of(it, it.shape.iter().product(), false);
        arrays.into_iter().flatten().map(of).collect()
    }
}

/// Where an array's items are.
pub fn spanned(array: &Described, items: usize) -> Span {
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
