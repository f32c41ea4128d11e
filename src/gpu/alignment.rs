//! Values at addresses that no kernel supports, sorted by way of copies.
//!
//! A kernel moves a value of 2, 4, 8 or 16 bytes by one access, at an address that is a multiple of its size. A type of that
//! size may have a smaller alignment: `[u8; 4]` has any address, `[f32; 2]` any multiple of 4.

use cudarc::driver::{CudaStream, result};
use sortsmith_codegen::ValueType;

use super::scratch::Scratch;
use super::status::checked;
use crate::error::Error;

/// Which of a sort's arrays of values are copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Detour {
    /// Values are copied before they are sorted.
    before: bool,
    /// Sorted values are copied to their destination.
    after: bool,
    /// They are sorted in place.
    in_place: bool,
}

impl Detour {
    fn of(value: ValueType, [values_in, values_out]: [u64; 2]) -> Self {
        let is_odd = |address: u64| !address.is_multiple_of(u64::from(value.bytes().max(1)));
        Self {
            before: is_odd(values_in),
            after: is_odd(values_out),
            in_place: values_in == values_out,
        }
    }
}

/// Calls `sort` with addresses of input and output values that are multiples of a value's size: the given ones, or those of
/// copies.
///
/// # Safety
///
/// - The stream's context is bound to this thread.
/// - If the sort reads or writes values, the addresses are of memory of that context for `n` values, which is valid until the
///   stream has done this work, and which nothing outside of the stream's order accesses.
/// - The memory for copies is of this stream, and `sort` does not use it.
pub unsafe fn with_aligned(
    stream: &CudaStream,
    (value, n): (ValueType, usize),
    [values_in, values_out]: [u64; 2],
    copies: &mut Scratch,
    sort: impl FnOnce([u64; 2]) -> Result<(), Error>,
) -> Result<(), Error> {
    let detour = Detour::of(value, [values_in, values_out]);
    if !detour.before && !detour.after {
        return sort([values_in, values_out]);
    }
    let bytes = n.saturating_mul(value.bytes() as usize);
    let has_two = detour.after && !detour.in_place;
    let taken = [detour.before, has_two].map(|is_taken| if is_taken { bytes } else { 0 });
    let [copy_in, copy_out] = copies.take(taken)?;
    let sorted_in = if detour.before { copy_in } else { values_in };
    let sorted_out = match (detour.in_place, detour.after) {
        (true, _) => sorted_in,
        (false, true) => copy_out,
        (false, false) => values_out,
    };
    let copy = |to: u64, from: u64| {
        // SAFETY: the caller vouches for its own memory; the copies are as long and do not overlap it.
        let result = unsafe { result::memcpy_dtod_async(to, from, bytes, stream.cu_stream()) };
        checked("enqueue a copy", result)
    };
    if detour.before {
        copy(sorted_in, values_in)?;
    }
    sort([sorted_in, sorted_out])?;
    if detour.after { copy(values_out, sorted_out) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use sortsmith_codegen::Token as _;

    use super::*;

    #[test]
    fn values_at_odd_addresses_take_copies() {
        let of = |value, values_in, values_out| {
            let Detour { before, after, in_place } = Detour::of(value, [values_in, values_out]);
            [before, after, in_place]
        };
        let all = ValueType::table().iter().map(|(value, _)| *value);
        for value in all.filter(|value| value.is_read()) {
            let size = u64::from(value.bytes());
            assert_eq!(of(value, 3 * size, 5 * size), [false, false, false], "{value:?}");
            for odd in 1..size {
                assert_eq!(of(value, 3 * size + odd, 5 * size), [true, false, false], "{value:?}");
                assert_eq!(of(value, 3 * size, 5 * size + odd), [false, true, false], "{value:?}");
                let there = 7 * size + odd;
                assert_eq!(of(value, there, there), [true, true, true], "{value:?}");
            }
        }
        // No values, and positions that are made.
        assert_eq!(of(ValueType::None, 0, 0), [false, false, true]);
        assert_eq!(of(ValueType::None, 0, 7), [false, false, false]);
        assert_eq!(of(ValueType::Index, 0, 12), [false, false, false]);
    }
}
