//! What arrays must be like: one dimension, or rows, without or with gaps between them.

use pyo3::prelude::*;

use crate::described::Described;
use crate::dtype::{Dtype, KeyDtype};
use crate::errors::{value, wrong_type};

/// The rows of an array: all of its dimensions but the last together, along which neighbours lie side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// How many.
    pub rows: usize,
    /// Items of each.
    pub columns: usize,
    /// Items from the start of a row to that of the next.
    pub stride: usize,
}

impl Matrix {
    /// Items from the first of the first row to the last of the last one.
    pub fn span(&self) -> usize {
        if self.rows == 0 || self.columns == 0 {
            return 0;
        }
        (self.rows - 1) * self.stride + self.columns
    }
}

impl Described {
    /// An error unless the array is of this type.
    pub fn require_dtype(&self, wanted: Dtype, like: &str) -> PyResult<()> {
        if self.dtype == wanted {
            return Ok(());
        }
        let problem = format!("has dtype {}; legal: {like}", self.dtype_name);
        Err(wrong_type(self.argument, problem))
    }

    /// The type of its items, if keys may have it.
    pub fn key(&self) -> PyResult<KeyDtype> {
        match self.dtype {
            Dtype::Key(key) => Ok(key),
            Dtype::Other(_) => {
                let problem =
                    format!("has dtype {}; legal: {}", self.dtype_name, KeyDtype::names());
                Err(wrong_type(self.argument, problem))
            }
        }
    }

    /// The size of its items, if values may have it.
    pub fn value_bytes(&self) -> PyResult<usize> {
        match self.dtype.bytes() {
            0 => Err(self.wrong_value("items of one byte or more")),
            bytes => Ok(bytes),
        }
    }

    /// Whether sorts move values of its size with their keys.
    pub fn is_moved(&self) -> bool {
        matches!(self.dtype.bytes(), 4 | 8)
    }

    /// The error for values of a size that is not legal here.
    pub fn wrong_value(&self, legal: &str) -> PyErr {
        let (name, bytes) = (&self.dtype_name, self.dtype.bytes());
        let problem = format!("has dtype {name}, of {bytes} bytes; legal: {legal}");
        wrong_type(self.argument, problem)
    }

    /// An error if the array must not be written.
    pub fn require_writable(&self) -> PyResult<()> {
        if self.is_read_only {
            return Err(value(self.argument, "is read-only, and would be written"));
        }
        Ok(())
    }

    /// An error unless both arrays are of the same shape.
    pub fn require_shape(&self, shape: &[usize], like: &str) -> PyResult<()> {
        if self.shape == shape {
            return Ok(());
        }
        let problem = format!("has shape {:?}; legal: {shape:?}, {like}", self.shape);
        Err(value(self.argument, problem))
    }

    /// Its length, if it has one dimension and no gaps.
    pub fn line(&self) -> PyResult<usize> {
        let [length] = self.shape[..] else {
            let problem = format!("has {} dimensions; legal: one, or sort rows", self.shape.len());
            return Err(value(self.argument, problem));
        };
        self.require_side_by_side()?;
        self.require_aligned()?;
        Ok(length)
    }

    /// Its rows, if it has one dimension or more.
    pub fn matrix(&self) -> PyResult<Matrix> {
        let Some((columns, outer)) = self.shape.split_last() else {
            return Err(value(self.argument, "has no dimension; legal: one or more"));
        };
        self.require_side_by_side()?;
        self.require_aligned()?;
        let rows = outer.iter().product();
        let stride = self.row_stride(outer, *columns)?;
        Ok(Matrix { rows, columns: *columns, stride })
    }

    /// An error unless the items of the last dimension lie side by side.
    fn require_side_by_side(&self) -> PyResult<()> {
        let (bytes, stride) = (self.dtype.bytes() as isize, self.strides.last());
        let is_empty = self.shape.contains(&0);
        if is_empty || self.shape.last() == Some(&1) || stride == Some(&bytes) {
            return Ok(());
        }
        let problem = format!(
            "is not contiguous along its last dimension, where its stride is {} bytes; legal: {bytes}: make a contiguous copy",
            stride.copied().unwrap_or(0)
        );
        Err(value(self.argument, problem))
    }

    fn require_aligned(&self) -> PyResult<()> {
        let bytes = match self.dtype {
            Dtype::Key(key) => key.bytes(),
            // Values are moved as numbers of their size, others by their library.
            Dtype::Other(bytes) if self.is_moved() => bytes,
            Dtype::Other(_) => 1,
        };
        if self.address.is_multiple_of(bytes.max(1)) || !bytes.is_power_of_two() {
            return Ok(());
        }
        let problem = format!(
            "lies at an address that is no multiple of {bytes} bytes; legal: an aligned array: make a copy"
        );
        Err(value(self.argument, problem))
    }

    /// Items from one row to the next.
    fn row_stride(&self, outer: &[usize], columns: usize) -> PyResult<usize> {
        if self.shape.contains(&0) {
            return Ok(columns);
        }
        let bytes = self.dtype.bytes();
        let uneven = || {
            let strides = &self.strides;
            let problem = format!(
                "has rows at uneven distances: shape {:?}, strides {strides:?} in bytes; legal: rows as many items apart from one to the next, at \
                 least as many as they have: make a contiguous copy",
                self.shape
            );
            value(self.argument, problem)
        };
        // The distance in bytes, and the rows that lie as far apart so far.
        let mut found: Option<(isize, isize)> = None;
        for (length, stride) in outer.iter().zip(&self.strides).rev() {
            if *length == 1 {
                continue;
            }
            found = match found {
                None => Some((*stride, *length as isize)),
                Some((distance, rows)) if *stride == distance.saturating_mul(rows) => {
                    Some((distance, rows.saturating_mul(*length as isize)))
                }
                Some(_) => return Err(uneven()),
            };
        }
        let Some((distance, _)) = found else { return Ok(columns) };
        let distance = usize::try_from(distance).map_err(|_| uneven())?;
        if distance.is_multiple_of(bytes) && distance / bytes >= columns {
            return Ok(distance / bytes);
        }
        Err(uneven())
    }
}

/// The range of addresses of an array's items, in an argument that a call reads or writes.
#[derive(Debug)]
pub struct Range {
    argument: &'static str,
    begin: usize,
    end: usize,
    is_written: bool,
}

impl Range {
    /// The range of this number of items.
    pub fn of(array: &Described, items: usize, is_written: bool) -> Self {
        let begin = array.address;
        let end = begin.saturating_add(items.saturating_mul(array.dtype.bytes()));
        Self { argument: array.argument, begin, end, is_written }
    }
}

/// An error if an array that is written overlaps another one.
pub fn require_disjoint(ranges: &[Range]) -> PyResult<()> {
    for (index, one) in ranges.iter().enumerate() {
        for other in &ranges[index + 1..] {
            let overlap = one.begin < other.end && other.begin < one.end;
            let is_empty = one.begin == one.end || other.begin == other.end;
            if overlap && !is_empty && (one.is_written || other.is_written) {
                let problem = format!("and {} share memory; legal: arrays apart", one.argument);
                return Err(value(other.argument, problem));
            }
        }
    }
    Ok(())
}
