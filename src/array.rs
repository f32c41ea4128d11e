//! Slices of keys and values, on the host or on a device.

#[cfg(feature = "cuda")]
use cudarc::driver::{CudaSlice, CudaView, CudaViewMut, DevicePtr, DevicePtrMut};

/// Items to read: a slice, an array or a `Vec` on the host; a `CudaSlice`, `CudaView` or `CudaViewMut` on a device.
///
/// The trait is sealed.
pub trait Array<T>: sealed::Sealed<T> {}

/// Items to sort: a slice, an array or a `Vec` on the host; a `CudaSlice` or `CudaViewMut` on a device.
///
/// Host slices are sorted on the host, or copied to the device and back; device slices stay on the device. The trait is sealed.
pub trait ArrayMut<T>: Array<T> + sealed::SealedMut<T> {}

/// Items to read on a device: a `CudaSlice`, `CudaView` or `CudaViewMut`.
///
/// The trait is sealed, because a foreign implementation of cudarc's `DevicePtr` may return any address.
#[cfg(feature = "cuda")]
pub trait DeviceArray<T>: Array<T> {}

/// A slice to read, on the host or on a device.
pub enum Items<'a, T> {
    Host(&'a [T]),
    #[cfg(feature = "cuda")]
    Device(&'a dyn DevicePtr<T>),
}

/// A slice to sort, on the host or on a device.
pub enum ItemsMut<'a, T> {
    Host(&'a mut [T]),
    #[cfg(feature = "cuda")]
    Device(&'a mut dyn DevicePtrMut<T>),
}

impl<T> Items<'_, T> {
    pub fn len(&self) -> usize {
        match self {
            Self::Host(items) => items.len(),
            #[cfg(feature = "cuda")]
            Self::Device(items) => items.len(),
        }
    }
}

impl<T> ItemsMut<'_, T> {
    pub fn len(&self) -> usize {
        match self {
            Self::Host(items) => items.len(),
            #[cfg(feature = "cuda")]
            Self::Device(items) => items.len(),
        }
    }
}

/// Where all arrays of a type are.
pub trait Memory: Copy {
    /// Runs what sorts slices of the host. Of arrays on a device there are none, and nothing is compiled for them.
    fn on_host<R>(self, sort: impl FnOnce() -> R) -> R;
}

#[derive(Clone, Copy, Debug)]
pub struct HostMemory;

#[cfg(feature = "cuda")]
#[derive(Clone, Copy, Debug)]
pub struct DeviceMemory;

impl Memory for HostMemory {
    fn on_host<R>(self, sort: impl FnOnce() -> R) -> R {
        sort()
    }
}

#[cfg(feature = "cuda")]
impl Memory for DeviceMemory {
    fn on_host<R>(self, _: impl FnOnce() -> R) -> R {
        unreachable!("device arrays are on a device")
    }
}

pub(crate) mod sealed {
    use super::{Items, ItemsMut, Memory};

    pub trait Sealed<T> {
        type Memory: Memory;

        fn memory(&self) -> Self::Memory;
        fn items(&self) -> Items<'_, T>;
    }

    pub trait SealedMut<T> {
        fn items_mut(&mut self) -> ItemsMut<'_, T>;
    }
}

macro_rules! on_the_host {
    ($([$($parameters:tt)*] $array:ty;)*) => {$(
        impl<$($parameters)*> Array<T> for $array {}
        impl<$($parameters)*> ArrayMut<T> for $array {}

        impl<$($parameters)*> sealed::Sealed<T> for $array {
            type Memory = HostMemory;

            fn memory(&self) -> HostMemory {
                HostMemory
            }
            fn items(&self) -> Items<'_, T> {
                Items::Host(self)
            }
        }

        impl<$($parameters)*> sealed::SealedMut<T> for $array {
            fn items_mut(&mut self) -> ItemsMut<'_, T> {
                ItemsMut::Host(self)
            }
        }
    )*};
}

on_the_host! {
    [T] [T];
    [T] Vec<T>;
    [T, const N: usize] [T; N];
}

#[cfg(feature = "cuda")]
macro_rules! on_a_device {
    (read: $($array:ty)*) => {$(
        impl<T> Array<T> for $array {}
        impl<T> DeviceArray<T> for $array {}

        impl<T> sealed::Sealed<T> for $array {
            type Memory = DeviceMemory;

            fn memory(&self) -> DeviceMemory {
                DeviceMemory
            }
            fn items(&self) -> Items<'_, T> {
                Items::Device(self)
            }
        }
    )*};
    (write: $($array:ty)*) => {$(
        impl<T> ArrayMut<T> for $array {}

        impl<T> sealed::SealedMut<T> for $array {
            fn items_mut(&mut self) -> ItemsMut<'_, T> {
                ItemsMut::Device(self)
            }
        }
    )*};
}

#[cfg(feature = "cuda")]
on_a_device! { read: CudaSlice<T> CudaView<'_, T> CudaViewMut<'_, T> }
#[cfg(feature = "cuda")]
on_a_device! { write: CudaSlice<T> CudaViewMut<'_, T> }
