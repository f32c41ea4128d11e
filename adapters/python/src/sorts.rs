//! The sorts, on memory of either kind, for keys and values of any type.

use std::marker::PhantomData;

use sortsmith::{Error, Position, Rows, Segments, SortKey, SortOptions, SortValue, TopKOptions};

use crate::dtype::{KeyDtype, KeyOp, ValueOp, dispatch_value};
use crate::layout::Matrix;
use crate::memory::{Memory, Span};

/// The lists that are sorted, each by itself.
#[derive(Clone, Copy, Debug)]
pub enum Lists {
    /// One list.
    Line,
    /// Rows.
    Rows(Matrix),
    /// Segments between offsets, or from begins to ends.
    Segments {
        /// The offsets, or the begins.
        begins: Span,
        /// The ends.
        ends: Option<Span>,
        /// Their type.
        offset: Offset,
    },
}

/// A type of offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offset {
    /// `int32`.
    I32,
    /// `int64`.
    I64,
}

/// What a call does, in memory of either kind.
pub trait Task: Send {
    /// Does it.
    ///
    /// # Safety
    ///
    /// - Its spans are memory of this kind, aligned for their types.
    /// - They are valid until the sort is enqueued, and on a device until the stream has done the work; nothing else writes them meanwhile.
    /// - Spans that are written overlap no others.
    unsafe fn run<M: Memory>(self, memory: &M) -> Result<(), Error>;
}

/// A task, and the memory of its spans.
struct In<'a, M, T> {
    memory: &'a M,
    task: T,
}

/// Calls `$call` with the segments as the library takes them.
macro_rules! with_segments {
    ($memory:expr, $lists:expr, |$segments:ident| $call:expr) => {{
        let (begins, ends, offset) = $lists;
        match offset {
            Offset::I32 => with_segments!(i32, $memory, begins, ends, $segments, $call),
            Offset::I64 => with_segments!(i64, $memory, begins, ends, $segments, $call),
        }
    }};
    ($offset:ty, $memory:expr, $begins:ident, $ends:ident, $segments:ident, $call:expr) => {{
        // SAFETY: the caller of the sort vouches for the spans; they are only read.
        let begins = unsafe { $memory.lend::<$offset>($begins) };
        // SAFETY: the same.
        let ends = $ends.map(|ends| unsafe { $memory.lend::<$offset>(ends) });
        let $segments: Segments<'_, $offset> = match &ends {
            Some(ends) => Segments::between(&*begins, &**ends),
            None => Segments::from(&*begins),
        };
        $call
    }};
}

impl Matrix {
    fn as_rows(self) -> Rows {
        Rows::of(self.columns).stride(self.stride)
    }
}

/// A sort of keys.
#[derive(Debug)]
pub struct Sort {
    /// The type of the keys.
    pub key: KeyDtype,
    /// The keys.
    pub keys: Span,
    /// The output; without one, the keys are sorted in place.
    pub sorted: Option<Span>,
    /// The lists.
    pub lists: Lists,
    /// The options.
    pub options: SortOptions,
}

impl Task for Sort {
    unsafe fn run<M: Memory>(self, memory: &M) -> Result<(), Error> {
        self.key.dispatch(In { memory, task: self })
    }
}

impl<M: Memory> KeyOp for In<'_, M, Sort> {
    type Done = Result<(), Error>;

    fn run<K: SortKey>(self) -> Result<(), Error> {
        let Self { memory, task: Sort { keys, sorted, lists, options, .. } } = self;
        let sorter = memory.sorter();
        // SAFETY: the caller of the sort vouches for the spans.
        let mut keys = unsafe { memory.lend::<K>(keys) };
        // SAFETY: the same.
        let sorted = sorted.map(|sorted| unsafe { memory.lend::<K>(sorted) });
        match (lists, sorted) {
            (Lists::Line, None) => sorter.sort_with::<K>(&mut *keys, options),
            (Lists::Line, Some(mut sorted)) => {
                sorter.sort_into_with::<K>(&*keys, &mut *sorted, options)
            }
            (Lists::Rows(matrix), None) => {
                sorter.sort_rows_with::<K>(&mut *keys, matrix.as_rows(), options)
            }
            (Lists::Rows(matrix), Some(mut sorted)) => {
                sorter.sort_rows_into_with::<K>(&*keys, &mut *sorted, matrix.as_rows(), options)
            }
            (Lists::Segments { begins, ends, offset }, _) => {
                with_segments!(memory, (begins, ends, offset), |segments| sorter
                    .sort_segments_with::<K, _>(&mut *keys, segments, options))
            }
        }
    }
}

/// An argsort.
#[derive(Debug)]
pub struct Argsort {
    /// The type of the keys.
    pub key: KeyDtype,
    /// The keys.
    pub keys: Span,
    /// The output.
    pub positions: Span,
    /// Where sorted keys go, if they are wanted; not with segments.
    pub sorted: Option<Span>,
    /// The lists.
    pub lists: Lists,
    /// The options.
    pub options: SortOptions,
}

impl Task for Argsort {
    unsafe fn run<M: Memory>(self, memory: &M) -> Result<(), Error> {
        self.key.dispatch(In { memory, task: self })
    }
}

impl<M: Memory> KeyOp for In<'_, M, Argsort> {
    type Done = Result<(), Error>;

    fn run<K: SortKey>(self) -> Result<(), Error> {
        let Self { memory, task: Argsort { keys, positions, sorted, lists, options, .. } } = self;
        let sorter = memory.sorter();
        // SAFETY: the caller of the sort vouches for the spans.
        let (keys, mut positions) =
            unsafe { (memory.lend::<K>(keys), memory.lend::<u32>(positions)) };
        // SAFETY: the same.
        let sorted = sorted.map(|sorted| unsafe { memory.lend::<K>(sorted) });
        match (lists, sorted) {
            (Lists::Line, None) => sorter.argsort_into_with::<K>(&*keys, &mut *positions, options),
            (Lists::Line, Some(mut sorted)) => sorter.sort_with_positions_into_with::<K>(
                &*keys,
                &mut *sorted,
                &mut *positions,
                options,
            ),
            (Lists::Rows(matrix), Some(mut sorted)) => sorter
                .sort_rows_with_positions_into_with::<K>(
                    &*keys,
                    &mut *sorted,
                    &mut *positions,
                    matrix.as_rows(),
                    options,
                ),
            (Lists::Rows(matrix), None) => sorter.argsort_rows_into_with::<K>(
                &*keys,
                &mut *positions,
                matrix.as_rows(),
                options,
            ),
            (Lists::Segments { begins, ends, offset }, _) => {
                with_segments!(memory, (begins, ends, offset), |segments| sorter
                    .argsort_segments_into_with::<K, _>(&*keys, &mut *positions, segments, options))
            }
        }
    }
}

/// A sort of keys with values.
#[derive(Debug)]
pub struct SortPairs {
    /// The type of the keys.
    pub key: KeyDtype,
    /// The keys and the values.
    pub pairs: [Span; 2],
    /// The outputs; without them, both are sorted in place.
    pub sorted: Option<[Span; 2]>,
    /// Bytes of a value.
    pub value_bytes: usize,
    /// Whether values of equal keys keep their order. Rows and segments always keep it.
    pub is_stable: bool,
    /// The lists.
    pub lists: Lists,
    /// The options.
    pub options: SortOptions,
}

/// The same for a type of keys.
struct SortPairsOf<'a, M, K>(In<'a, M, SortPairs>, PhantomData<K>);

impl Task for SortPairs {
    unsafe fn run<M: Memory>(self, memory: &M) -> Result<(), Error> {
        self.key.dispatch(In { memory, task: self })
    }
}

impl<M: Memory> KeyOp for In<'_, M, SortPairs> {
    type Done = Result<(), Error>;

    fn run<K: SortKey>(self) -> Result<(), Error> {
        let bytes = self.task.value_bytes;
        let of_key = SortPairsOf::<M, K>(self, PhantomData);
        // Sizes of values were checked when the array was described.
        dispatch_value(bytes, of_key).unwrap_or(Ok(()))
    }
}

impl<M: Memory, K: SortKey> ValueOp for SortPairsOf<'_, M, K> {
    type Done = Result<(), Error>;

    fn run<V: SortValue>(self) -> Result<(), Error> {
        let In { memory, task } = self.0;
        let SortPairs { pairs: [keys, values], sorted, is_stable, lists, options, .. } = task;
        let sorter = memory.sorter();
        // SAFETY: the caller of the sort vouches for the spans.
        let (mut keys, mut values) = unsafe { (memory.lend::<K>(keys), memory.lend::<V>(values)) };
        let sorted = sorted.map(|[keys, values]| {
            // SAFETY: the same.
            unsafe { (memory.lend::<K>(keys), memory.lend::<V>(values)) }
        });
        match (lists, sorted) {
            (Lists::Line, None) if is_stable => {
                sorter.sort_pairs_with::<K, V>(&mut *keys, &mut *values, options)
            }
            (Lists::Line, None) => {
                sorter.sort_pairs_unstable_with::<K, V>(&mut *keys, &mut *values, options)
            }
            (Lists::Line, Some((mut to_keys, mut to_values))) => sorter
                .sort_pairs_into_with::<K, V>(
                    &*keys,
                    &*values,
                    &mut *to_keys,
                    &mut *to_values,
                    options,
                ),
            (Lists::Rows(matrix), None) => {
                let rows = matrix.as_rows();
                sorter.sort_pairs_rows_with::<K, V>(&mut *keys, &mut *values, rows, options)
            }
            (Lists::Rows(matrix), Some((mut to_keys, mut to_values))) => sorter
                .sort_pairs_rows_into_with::<K, V>(
                    &*keys,
                    &*values,
                    &mut *to_keys,
                    &mut *to_values,
                    matrix.as_rows(),
                    options,
                ),
            (Lists::Segments { begins, ends, offset }, _) => {
                with_segments!(memory, (begins, ends, offset), |segments| sorter
                    .sort_pairs_segments_with::<K, V, _>(
                        &mut *keys,
                        &mut *values,
                        segments,
                        options
                    ))
            }
        }
    }
}

/// A top-k of rows.
#[derive(Debug)]
pub struct TopK {
    /// The type of the keys.
    pub key: KeyDtype,
    /// The keys.
    pub keys: Span,
    /// Their rows.
    pub matrix: Matrix,
    /// How many keys of each row are found.
    pub k: usize,
    /// Where they go, row after row.
    pub found: Span,
    /// Where their positions go.
    pub positions: Span,
    /// Whether these have 64 bits, and not 32.
    pub has_wide_positions: bool,
    /// The options.
    pub options: TopKOptions,
}

impl Task for TopK {
    unsafe fn run<M: Memory>(self, memory: &M) -> Result<(), Error> {
        self.key.dispatch(In { memory, task: self })
    }
}

impl<M: Memory> KeyOp for In<'_, M, TopK> {
    type Done = Result<(), Error>;

    fn run<K: SortKey>(self) -> Result<(), Error> {
        // SAFETY: the caller of the sort vouches for the spans, of which that of positions is of such.
        unsafe {
            if self.task.has_wide_positions { self.find::<K, i64>() } else { self.find::<K, u32>() }
        }
    }
}

impl<M: Memory> In<'_, M, TopK> {
    /// # Safety
    ///
    /// As for [`Task::run`]; the positions are of this type, or of the signed one of as many bytes.
    unsafe fn find<K: SortKey, P: Position>(self) -> Result<(), Error> {
        let Self { memory, task } = self;
        let TopK { keys, matrix, k, found, positions, options, .. } = task;
        let sorter = memory.sorter();
        // SAFETY: the caller vouches for the spans.
        let (keys, mut found, mut positions) = unsafe {
            (memory.lend::<K>(keys), memory.lend::<K>(found), memory.lend::<P>(positions))
        };
        sorter.top_k_rows_into_with::<K, P>(
            &*keys,
            &mut *found,
            &mut *positions,
            matrix.as_rows(),
            k,
            options,
        )
    }
}
