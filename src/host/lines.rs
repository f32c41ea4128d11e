//! Lines in which the items of a bucket are collected, and which are then written at once and past the caches: a store to a line that is in
//! no cache would read it first.

use std::mem::MaybeUninit;
use std::ops::Range;

use super::items::{Item, Pairs};
use super::upper::MAX_BUCKETS;

/// The size of a line of a cache.
const LINE_BYTES: usize = 64;
/// The largest number of lines that are written at once.
const LINES_MAX: usize = 3;
/// Fewer bytes stay in a cache, if only the last one, from where their buckets are sorted.
const WRITTEN_MIN_BYTES: usize = if cfg!(miri) { 1 << 8 } else { 1 << 23 };

/// A count or an offset for each bucket. The entries past the last bucket are unused.
pub(super) type Offsets = [usize; MAX_BUCKETS];

/// A line.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Line(#[allow(dead_code)] [MaybeUninit<u8>; LINE_BYTES]);

/// The last items of each bucket, up to some lines, which are not written yet.
pub(super) struct Lines<B, V> {
    lines: Vec<Line>,
    to: *mut Item<B, V>,
}

impl<B: Copy, V: Copy> Lines<B, V> {
    /// The number of lines that end where an item ends.
    const EACH: usize = {
        let bytes = size_of::<Item<B, V>>();
        let odd = bytes >> bytes.trailing_zeros();
        // Of sizes above a line too.
        if bytes > LINE_BYTES { bytes.div_ceil(LINE_BYTES) * LINES_MAX + 1 } else { odd }
    };
    /// The number of items in these.
    const ITEMS: usize = Self::EACH * LINE_BYTES / size_of::<Item<B, V>>();

    /// Lines for this number of buckets in `to`. None where buckets are written item by item: small n, large items, memory that
    /// does not begin with a line, and no memory for the lines.
    pub(super) fn for_buckets(to: Pairs<B, V>, buckets: usize) -> Option<Self> {
        let bytes = to.length * size_of::<Item<B, V>>();
        let suits = Self::EACH <= LINES_MAX
            && bytes >= WRITTEN_MIN_BYTES
            && to.items.addr().is_multiple_of(LINE_BYTES);
        let mut lines = Vec::new();
        (suits && lines.try_reserve_exact(buckets * Self::EACH).is_ok()).then(|| {
            lines.resize(buckets * Self::EACH, Line([MaybeUninit::uninit(); LINE_BYTES]));
            Self { lines, to: to.items }
        })
    }

    /// The items of a bucket that are not written yet.
    ///
    /// # Safety
    ///
    /// There are lines for the bucket.
    unsafe fn of(&mut self, bucket: usize) -> *mut Item<B, V> {
        debug_assert!((bucket + 1) * Self::EACH <= self.lines.len());
        // SAFETY: the caller guarantees that the offset is within the lines.
        unsafe { self.lines.as_mut_ptr().add(bucket * Self::EACH).cast() }
    }

    /// Adds the item of a slot to a bucket. `first` has the first slot of each bucket.
    ///
    /// # Safety
    ///
    /// There are lines for the bucket. The items of the bucket's slots before this one have been added. The slots are of the
    /// memory that the lines are for, and nothing else accesses them.
    #[inline]
    pub(super) unsafe fn push(
        &mut self,
        bucket: usize,
        slot: usize,
        item: Item<B, V>,
        first: &Offsets,
    ) {
        let in_lines = slot % Self::ITEMS;
        // SAFETY: as the caller guarantees; this is less than the number of items of the lines.
        unsafe {
            let lines = self.of(bucket);
            lines.add(in_lines).write(item);
            if in_lines + 1 == Self::ITEMS {
                let begin = slot - in_lines;
                if begin >= first[bucket] {
                    write_lines(lines.cast(), self.to.add(begin).cast(), Self::EACH);
                } else {
                    self.write(bucket, first[bucket]..slot + 1);
                }
            }
        }
    }

    /// Writes what is left of a bucket of items in these slots, which ends the adding to it.
    ///
    /// # Safety
    ///
    /// As for [`Lines::push`].
    pub(super) unsafe fn flush(&mut self, bucket: usize, slots: Range<usize>) {
        let begin = slots.end - slots.end % Self::ITEMS;
        // SAFETY: as the caller guarantees.
        unsafe { self.write(bucket, begin.max(slots.start)..slots.end) };
    }

    /// Writes the items of slots that the lines of a bucket hold.
    ///
    /// # Safety
    ///
    /// As for [`Lines::push`].
    unsafe fn write(&mut self, bucket: usize, slots: Range<usize>) {
        for slot in slots {
            // SAFETY: as the caller guarantees.
            unsafe { self.to.add(slot).write(self.of(bucket).add(slot % Self::ITEMS).read()) };
        }
    }
}

impl<B, V> Drop for Lines<B, V> {
    /// Makes what has been written visible to other threads that are synchronised with this one.
    fn drop(&mut self) {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        // SAFETY: all x86-64 processors have this instruction.
        unsafe {
            std::arch::x86_64::_mm_sfence();
        }
    }
}

/// Writes lines past the caches.
///
/// # Safety
///
/// Both are aligned lines of this number, which nothing else accesses, and all bytes of `from` are initialised.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline]
unsafe fn write_lines(from: *const Line, to: *mut Line, lines: usize) {
    use std::arch::x86_64::{__m128i, _mm_load_si128, _mm_stream_si128};
    let (from, to) = (from.cast::<__m128i>(), to.cast::<__m128i>());
    for part in 0..lines * (LINE_BYTES / size_of::<__m128i>()) {
        // SAFETY: as the caller guarantees; all x86-64 processors have these instructions.
        unsafe { _mm_stream_si128(to.add(part), _mm_load_si128(from.add(part))) };
    }
}

/// Writes lines.
///
/// # Safety
///
/// Both are of this number, and nothing else accesses them.
#[cfg(any(not(target_arch = "x86_64"), miri))]
#[inline]
unsafe fn write_lines(from: *const Line, to: *mut Line, lines: usize) {
    // SAFETY: as the caller guarantees.
    unsafe { to.copy_from_nonoverlapping(from, lines) };
}
