//! Memory for the items of a sort, not initialised: each page is first touched by the thread that writes it.
//!
//! Memory for large sorts begins at a huge page and is kept for the next sort, one allocation in the process and no more than
//! [`KEPT_MAX_BYTES`]: first touches of a page cost as much as a pass over it.

use std::alloc::Layout;
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::Mutex;

use super::items::Pairs;
use super::threads;
use crate::error::Error;

/// The largest allocation that is kept.
const KEPT_MAX_BYTES: usize = 9 << 23;
/// The smallest allocation that begins at a huge page, and is kept.
const HUGE_MIN_BYTES: usize = 1 << 20;
/// The size of a huge page.
const HUGE_PAGE: usize = 1 << 21;
/// The size of a cache line.
const LINE: usize = 64;
/// The number of keys that a thread copies at a time.
const COPIED: usize = threads::of_task(1 << 15);
/// The largest scratch that is on the stack.
const STACK_BYTES: usize = 1 << 13;

/// What the last large sort has released, for the next one.
static KEPT: Mutex<Option<Block>> = Mutex::new(None);

/// Memory of an allocation.
struct Block {
    memory: NonNull<u8>,
    layout: Layout,
}

// SAFETY: the memory belongs to the block alone.
unsafe impl Send for Block {}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: the memory was allocated with this layout, and is released once.
        unsafe { std::alloc::dealloc(self.memory.as_ptr(), self.layout) }
    }
}

impl Block {
    fn new(bytes: usize, align: usize) -> Option<Self> {
        let layout = Layout::from_size_align(bytes, align).ok()?;
        debug_assert!(bytes > 0);
        // SAFETY: the size is not zero.
        let memory = NonNull::new(unsafe { std::alloc::alloc(layout) })?;
        Some(Self { memory, layout })
    }

    /// A block of at least this size: the kept one, or a new one.
    fn large(bytes: usize) -> Option<Self> {
        // Another thread that holds the lock has a sort of its own, perhaps in a process that has forked since.
        let kept = threads::try_lock(&KEPT).and_then(|mut kept| kept.take());
        if let Some(kept) = kept.filter(|kept| kept.layout.size() >= bytes) {
            return Some(kept);
        }
        let block = Self::new(bytes.checked_next_multiple_of(HUGE_PAGE)?, HUGE_PAGE)?;
        advise_huge_pages(block.memory.as_ptr(), block.layout.size());
        Some(block)
    }
}

/// Has the system back memory by huge pages, where it can and the memory has some.
#[cfg(all(target_os = "linux", not(miri)))]
pub(super) fn advise_huge_pages(memory: *mut u8, bytes: usize) {
    unsafe extern "C" {
        fn madvise(address: *mut core::ffi::c_void, length: usize, advice: i32) -> i32;
    }
    const MADV_HUGEPAGE: i32 = 14;
    let before = memory.align_offset(HUGE_PAGE);
    let Some(complete) = bytes.checked_sub(before).filter(|bytes| *bytes >= HUGE_PAGE) else {
        return;
    };
    // SAFETY: the range is of complete pages of the caller's memory, and the advice changes no content. A refusal changes nothing.
    unsafe {
        madvise(memory.wrapping_add(before).cast(), complete & !(HUGE_PAGE - 1), MADV_HUGEPAGE)
    };
}

#[cfg(any(not(target_os = "linux"), miri))]
pub(super) fn advise_huge_pages(_: *mut u8, _: usize) {}

/// Memory on the stack.
#[repr(align(64))]
struct OnStack(#[allow(dead_code)] [MaybeUninit<u8>; STACK_BYTES]);

/// Runs a sort with memory for keys, and behind it for items side by side.
pub(super) fn with_memory<B: Copy, V: Copy, R>(
    keys: usize,
    items: usize,
    sort: impl FnOnce(*mut B, Pairs<B, V>) -> R,
) -> Result<R, Error> {
    let out_of_memory = |bytes| move || Error::OutOfMemory { bytes };
    let (key_bytes, bytes) = sizes::<B, V>(keys, items).ok_or_else(out_of_memory(usize::MAX))?;
    const { assert!(align_of::<B>() <= LINE) };
    let sort = |memory: *mut u8| {
        sort(memory.cast::<B>(), Pairs::new(memory.wrapping_add(key_bytes).cast(), items))
    };
    if bytes <= STACK_BYTES {
        let mut memory = MaybeUninit::<OnStack>::uninit();
        return Ok(sort(memory.as_mut_ptr().cast()));
    }
    if bytes < HUGE_MIN_BYTES {
        let block = Block::new(bytes, LINE).ok_or_else(out_of_memory(bytes))?;
        return Ok(sort(block.memory.as_ptr()));
    }
    let block = Block::large(bytes).ok_or_else(out_of_memory(bytes))?;
    let result = sort(block.memory.as_ptr());
    if block.layout.size() <= KEPT_MAX_BYTES
        && let Some(mut kept) = threads::try_lock(&KEPT)
    {
        *kept = Some(block);
    }
    Ok(result)
}

/// Runs a sort of a copy of keys.
pub(super) fn with_copy<K: Copy + Send + Sync, R>(
    keys: &[K],
    sort: impl FnOnce(&mut [K]) -> R,
) -> Result<R, Error> {
    with_memory::<K, (), _>(keys.len(), 0, |memory, _| {
        // SAFETY: the memory is for as many keys, and this closure's own.
        sort(unsafe { copied(keys, memory) })
    })
}

/// Runs a merge of a copy of items to where they are.
pub(super) fn from_copy<T: Copy + Send + Sync, R>(
    items: &mut [T],
    merge: impl FnOnce(&[T], &mut [T]) -> R,
) -> Result<R, Error> {
    with_memory::<T, (), _>(items.len(), 0, |memory, _| {
        // SAFETY: the memory is for as many items, and this closure's own.
        merge(unsafe { copied(items, memory) }, items)
    })
}

/// Copies items, on several threads if they are many.
///
/// # Safety
///
/// The memory is for as many items, aligned, and the caller's own for as long as it uses the result.
unsafe fn copied<'a, T: Copy + Send + Sync>(items: &[T], memory: *mut T) -> &'a mut [T] {
    let n = items.len();
    // SAFETY: as the caller guarantees.
    let copy = unsafe { std::slice::from_raw_parts_mut(memory.cast::<MaybeUninit<T>>(), n) };
    threads::for_each_chunk(copy, COPIED, threads::is_parallel(n), &|number, to| {
        for (to, item) in to.iter_mut().zip(&items[number * COPIED..]) {
            to.write(*item);
        }
    });
    // SAFETY: the same; each item has been written.
    unsafe { std::slice::from_raw_parts_mut(memory, n) }
}

/// The size of the keys up to the items, and that of both.
fn sizes<B, V>(keys: usize, items: usize) -> Option<(usize, usize)> {
    let keys = keys.checked_mul(size_of::<B>())?.checked_next_multiple_of(LINE)?;
    let bytes = keys.checked_add(items.checked_mul(size_of::<B>() + size_of::<V>())?)?;
    (bytes <= isize::MAX as usize - HUGE_PAGE).then_some((keys, bytes.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_kept_behind_a_poisoned_lock() {
        let poison = || {
            let _kept = KEPT.lock();
            panic!("with the lock");
        };
        assert!(std::panic::catch_unwind(poison).is_err() && KEPT.is_poisoned());
        let is_kept = |_| {
            with_memory::<u8, (), _>(HUGE_MIN_BYTES, 0, |_, _| ()).unwrap();
            threads::try_lock(&KEPT).is_some_and(|kept| kept.is_some())
        };
        // A sort of another test may have it meanwhile.
        assert!((0..1000).any(is_kept));
        // Now of what is kept.
        assert!((0..1000).any(is_kept));
    }
}
