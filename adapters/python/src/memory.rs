//! Arrays as the library's sorts take them: slices of the host, or slices on a device.

use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::slice;
use std::sync::Arc;

use sortsmith::cudarc::driver::{CudaSlice, CudaStream};
use sortsmith::{ArrayMut, Sorter};

/// Items in memory that a caller of Python's owns.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The address of the first one.
    pub address: usize,
    /// Their number, those in gaps between rows included.
    pub items: usize,
}

/// Memory that a sorter sorts in.
pub trait Memory {
    /// Slices of it.
    type Slice<T>: ArrayMut<T> + ?Sized;

    /// One slice, for as long as a sort is enqueued.
    type Lent<T>: DerefMut<Target = Self::Slice<T>>;

    /// The sorter.
    fn sorter(&self) -> &Sorter;

    /// The items of a span.
    ///
    /// # Safety
    ///
    /// - The span is memory of this kind, aligned for `T`, and its bytes are legal items.
    /// - It is valid until the sort is enqueued, and on a device until the stream has done the work; nothing else writes it meanwhile.
    /// - If the result is written, no other lent slice overlaps it.
    unsafe fn lend<T>(&self, span: Span) -> Self::Lent<T>;
}

/// The host's memory, by the host's sorts.
#[derive(Debug)]
pub struct Host(pub Sorter);

/// Items on the host.
#[derive(Debug)]
pub struct HostItems<T>(*mut T, usize);

impl<T> Deref for HostItems<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: `Host::lend` has been given a valid span.
        unsafe { slice::from_raw_parts(self.0, self.1) }
    }
}

impl<T> DerefMut for HostItems<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and no other slice overlaps it.
        unsafe { slice::from_raw_parts_mut(self.0, self.1) }
    }
}

impl Memory for Host {
    type Slice<T> = [T];
    type Lent<T> = HostItems<T>;

    fn sorter(&self) -> &Sorter {
        &self.0
    }

    unsafe fn lend<T>(&self, span: Span) -> HostItems<T> {
        let pointer = std::ptr::with_exposed_provenance_mut::<T>(span.address);
        // Empty arrays may have any address.
        let pointer = if span.items == 0 { std::ptr::dangling_mut() } else { pointer };
        HostItems(pointer, span.items)
    }
}

/// A device's memory, in the order of a sorter's stream. cudarc's tracking of slices by events is off in its context.
#[derive(Debug)]
pub struct Device<'a> {
    /// The sorter.
    pub sorter: &'a Sorter,
    /// Its stream.
    pub stream: &'a Arc<CudaStream>,
}

/// Items on a device, which are not freed with it.
#[derive(Debug)]
pub struct DeviceItems<T>(ManuallyDrop<CudaSlice<T>>);

impl<T> Deref for DeviceItems<T> {
    type Target = CudaSlice<T>;

    fn deref(&self) -> &CudaSlice<T> {
        &self.0
    }
}

impl<T> DerefMut for DeviceItems<T> {
    fn deref_mut(&mut self) -> &mut CudaSlice<T> {
        &mut self.0
    }
}

impl<T> Drop for DeviceItems<T> {
    fn drop(&mut self) {
        // SAFETY: it is taken once, here. The memory stays its owner's.
        let _ = unsafe { ManuallyDrop::take(&mut self.0) }.leak();
    }
}

impl Memory for Device<'_> {
    type Slice<T> = CudaSlice<T>;
    type Lent<T> = DeviceItems<T>;

    fn sorter(&self) -> &Sorter {
        self.sorter
    }

    unsafe fn lend<T>(&self, span: Span) -> DeviceItems<T> {
        // SAFETY: the caller vouches for the memory.
        let slice = unsafe { self.stream.upgrade_device_ptr(span.address as u64, span.items) };
        DeviceItems(ManuallyDrop::new(slice))
    }
}
