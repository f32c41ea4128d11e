//! Counts of items or of lists: numbers in memory, on the host or on a device.

#[cfg(feature = "cuda")]
use cudarc::driver::DevicePtr;

use crate::array::{Array, Items};
use crate::error::Error;

/// What is refused where a count is not where keys are.
#[cfg(feature = "cuda")]
const COUNT: &str = "keys and their count";

pub(crate) mod sealed {
    use super::{CountSlice, Items};

    pub trait Sealed: Sized {
        fn slice(count: Items<'_, Self>) -> CountSlice<'_>;
        fn at_most(&self, most: usize) -> usize;
    }
}

/// The types of counts: `u32` and `u64`.
///
/// A count is an array of one number, where keys are: on the host or on a device. More than there can be count as all.
///
/// The trait is sealed.
pub trait ItemCount: Copy + Send + Sync + sealed::Sealed + 'static {}

macro_rules! counts {
    ($($count:ident $variant:ident)*) => {
        /// A slice of a count, of any type.
        pub enum CountSlice<'a> {
            $($variant(Items<'a, $count>),)*
        }

        $(
            impl ItemCount for $count {}

            impl sealed::Sealed for $count {
                fn slice(count: Items<'_, Self>) -> CountSlice<'_> {
                    CountSlice::$variant(count)
                }

                fn at_most(&self, most: usize) -> usize {
                    usize::try_from(*self).map_or(most, |count| count.min(most))
                }
            }
        )*

        impl<'a> CountSlice<'a> {
            /// The count on the host, at most this many.
            pub(crate) fn on_host(&self, most: usize) -> Result<usize, Error> {
                match self {
                    $(Self::$variant(count) => on_host(count, most),)*
                }
            }

            /// The count on a device.
            #[cfg(feature = "cuda")]
            pub(crate) fn on_device(&self) -> Result<DeviceCount<'a>, Error> {
                match self {
                    $(Self::$variant(count) => on_device(count).map(DeviceCount::$variant),)*
                }
            }
        }

        /// A count on a device, of any type.
        #[cfg(feature = "cuda")]
        #[derive(Clone, Copy)]
        pub(crate) enum DeviceCount<'a> {
            $($variant(&'a dyn DevicePtr<$count>),)*
        }
    };
}

counts! { u32 U32 u64 U64 }

impl<'a> CountSlice<'a> {
    /// That of an array of one number.
    pub(crate) fn of<C: ItemCount>(count: &'a (impl Array<C> + ?Sized)) -> Self {
        C::slice(count.items())
    }
}

/// The count in a slice on the host, at most this many.
fn on_host<C: ItemCount>(count: &Items<'_, C>, most: usize) -> Result<usize, Error> {
    match count {
        Items::Host([count]) => Ok(count.at_most(most)),
        Items::Host(counts) => Err(Error::CountLength { items: counts.len() }),
        #[cfg(feature = "cuda")]
        Items::Device(_) => Err(Error::MixedMemory { what: COUNT }),
    }
}

/// The slice of a count on a device.
#[cfg(feature = "cuda")]
fn on_device<'a, C>(count: &Items<'a, C>) -> Result<&'a dyn DevicePtr<C>, Error> {
    match count {
        Items::Device(count) if count.len() == 1 => Ok(*count),
        Items::Device(counts) => Err(Error::CountLength { items: counts.len() }),
        Items::Host(_) => Err(Error::MixedMemory { what: COUNT }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_one_number_and_at_most_the_bound() {
        let of = |count: &[u64]| CountSlice::of(count).on_host(5);
        for (count, expected) in [(0, 0), (4, 4), (5, 5), (6, 5), (1 << 32, 5), (u64::MAX, 5)] {
            assert_eq!(of(&[count]).unwrap(), expected, "{count}");
        }
        let error = of(&[1, 2]).unwrap_err().to_string();
        assert_eq!(error, "the count has 2 items; legal: 1");
        assert!(matches!(of(&[]), Err(Error::CountLength { items: 0 })));
        assert_eq!(CountSlice::of(&[3u32]).on_host(2).unwrap(), 2);
    }
}
