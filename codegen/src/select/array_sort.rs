//! The request for a sort of an array: types, order, and method.

use crate::types::{KeyType, Order, ValueType};

/// What an array is sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Whatever is the fastest for as many items. Equal keys keep their order.
    #[default]
    Fastest,
    /// A network of comparisons, [`DeviceAlgorithm::Bitonic`](crate::device::DeviceAlgorithm::Bitonic): what is
    /// compared and where depends on how many items there are, and on nothing else.
    Network {
        /// Whether equal keys of pairs keep their order.
        stable: bool,
    },
    /// [`DeviceAlgorithm::Partition`](crate::device::DeviceAlgorithm::Partition), for any number of items that it takes. Where there is
    /// none of the types ([`DeviceSpec::partition`](crate::device::DeviceSpec::partition)) or by some of the bits, it is as
    /// [`Self::Fastest`]: the result is the same.
    Partition,
}

/// A sort of an array, whatever its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct ArraySort {
    /// The type of the keys.
    pub key: KeyType,
    /// What travels with each key.
    pub value: ValueType,
    /// Which end comes first.
    pub order: Order,
    /// Whether NaNs come last in either order. Of keys that are no floats it says nothing, and no network has such an
    /// order.
    pub nan_last: bool,
    /// Whether the sort may be by some of the bits of the keys.
    pub takes_bits: bool,
    /// Whether the number of items is read from the device's memory. Tiles are sorted by their kernels of counted rows then.
    pub counted: bool,
    /// By what.
    pub method: Method,
}

impl ArraySort {
    /// Keys alone, ascending.
    pub const fn keys(key: KeyType) -> Self {
        Self::pairs(key, ValueType::None)
    }

    /// Keys with values, ascending. Values are moved bit for bit, so an unsigned type stands for all of its size.
    pub const fn pairs(key: KeyType, value: ValueType) -> Self {
        let (order, method) = (Order::Ascending, Method::Fastest);
        Self { key, value, order, nan_last: false, takes_bits: false, counted: false, method }
    }

    /// The positions of keys, ascending by key.
    pub const fn argsort(key: KeyType) -> Self {
        Self::pairs(key, ValueType::Index)
    }

    /// The largest key first.
    pub const fn descending(self) -> Self {
        self.order(Order::Descending)
    }

    /// Which end comes first.
    pub const fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// All NaNs last, in either order.
    pub const fn nan_last(self) -> Self {
        Self { nan_last: true, ..self }
    }

    /// By some of the bits of the keys.
    pub const fn by_bits(self) -> Self {
        Self { takes_bits: true, ..self }
    }

    /// Of as many items as a number in the device's memory says: what is launched is for the most.
    ///
    /// ```
    /// use sortsmith_codegen::device::Device;
    /// use sortsmith_codegen::dispatch::ArraySort;
    /// use sortsmith_codegen::{Arch, KeyType};
    ///
    /// let kernel = ArraySort::keys(KeyType::U32).counted().kernel(100_000, Device::of(Arch::SM_90));
    /// assert_eq!(kernel.to_string(), "device_sample_sort_u32_keys_b512_i2_asc_counted");
    /// ```
    pub const fn counted(self) -> Self {
        Self { counted: true, ..self }
    }

    /// By what.
    ///
    /// ```
    /// use sortsmith_codegen::device::Device;
    /// use sortsmith_codegen::dispatch::{ArraySort, Method};
    /// use sortsmith_codegen::{Arch, KeyType};
    ///
    /// let sort = ArraySort::keys(KeyType::U32).method(Method::Network { stable: false });
    /// let kernel = sort.kernel(100, Device::of(Arch::new(90).unwrap()));
    /// assert_eq!(kernel.to_string(), "device_bitonic_sort_u32_keys_b512_i16_asc");
    /// ```
    pub const fn method(self, method: Method) -> Self {
        Self { method, ..self }
    }
}
