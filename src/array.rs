//! Where keys and values may be.

#[cfg(feature = "cuda")]
use cudarc::driver::{CudaSlice, CudaView, CudaViewMut, DevicePtr, DevicePtrMut};

/// Items to read: a slice, an array or a `Vec` on the host; a `CudaSlice`, `CudaView` or `CudaViewMut` on a device.
///
/// The trait is sealed.
pub trait Array<T>: sealed::Sealed<T> {}

/// Items to sort: a slice, an array or a `Vec` on the host; a `CudaSlice` or `CudaViewMut` on a device.
///
/// What is on the host is sorted there, or copied to the device and back; what is on a device stays on it. The trait is
/// sealed.
pub trait ArrayMut<T>: Array<T> + sealed::SealedMut<T> {}

/// Items to read on a device: a `CudaSlice`, `CudaView` or `CudaViewMut`.
///
/// The trait is sealed: what implements cudarc's `DevicePtr` may give any address.
#[cfg(feature = "cuda")]
pub trait DeviceArray<T>: Array<T> {}

/// Items to read, by where they are.
pub enum Place<'a, T> {
    Host(&'a [T]),
    #[cfg(feature = "cuda")]
    Device(&'a dyn DevicePtr<T>),
}

/// Items to sort, by where they are.
pub enum PlaceMut<'a, T> {
    Host(&'a mut [T]),
    #[cfg(feature = "cuda")]
    Device(&'a mut dyn DevicePtrMut<T>),
}

impl<T> Place<'_, T> {
    pub fn len(&self) -> usize {
        match self {
            Self::Host(items) => items.len(),
            #[cfg(feature = "cuda")]
            Self::Device(items) => items.len(),
        }
    }
}

impl<T> PlaceMut<'_, T> {
    pub fn len(&self) -> usize {
        match self {
            Self::Host(items) => items.len(),
            #[cfg(feature = "cuda")]
            Self::Device(items) => items.len(),
        }
    }
}

pub(crate) mod sealed {
    use super::{Place, PlaceMut};

    pub trait Sealed<T> {
        fn place(&self) -> Place<'_, T>;
    }

    pub trait SealedMut<T> {
        fn place_mut(&mut self) -> PlaceMut<'_, T>;
    }
}

macro_rules! on_the_host {
    ($([$($parameters:tt)*] $array:ty;)*) => {$(
        impl<$($parameters)*> Array<T> for $array {}
        impl<$($parameters)*> ArrayMut<T> for $array {}

        impl<$($parameters)*> sealed::Sealed<T> for $array {
            fn place(&self) -> Place<'_, T> {
                Place::Host(self)
            }
        }

        impl<$($parameters)*> sealed::SealedMut<T> for $array {
            fn place_mut(&mut self) -> PlaceMut<'_, T> {
                PlaceMut::Host(self)
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
            fn place(&self) -> Place<'_, T> {
                Place::Device(self)
            }
        }
    )*};
    (write: $($array:ty)*) => {$(
        impl<T> ArrayMut<T> for $array {}

        impl<T> sealed::SealedMut<T> for $array {
            fn place_mut(&mut self) -> PlaceMut<'_, T> {
                PlaceMut::Device(self)
            }
        }
    )*};
}

#[cfg(feature = "cuda")]
on_a_device! { read: CudaSlice<T> CudaView<'_, T> CudaViewMut<'_, T> }
#[cfg(feature = "cuda")]
on_a_device! { write: CudaSlice<T> CudaViewMut<'_, T> }
