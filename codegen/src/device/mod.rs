//! Device-wide sorts: what they are called, what they need, what the host launches.
//!
//! A [`DeviceSpec`] says which sort; [`header`] is its CUDA; [`DeviceSpec::launches`] is what the host does for an array
//! of n items, the same whatever the keys are.
//!
//! ```
//! use sortsmith_codegen::device::{self, DeviceSpec, RadixSort};
//! let spec: DeviceSpec = "device_radix_sort_f32_u32_b384_i20_asc".parse().unwrap();
//! let header = device::header(&spec).unwrap();
//! assert!(header.contains("device_radix_sort_f32_u32_b384_i20_asc_pass("));
//!
//! let h200 = device::Device { multiprocessors: 132, shared_bytes_per_block: 227 * 1024 };
//! let launches = spec.launches(1 << 20, 0..32, h200);
//! let passes = launches.iter().filter(|launch| launch.kernel == RadixSort::PASS);
//! assert_eq!(passes.count(), 4);
//! ```

mod bitonic;
mod counting;
#[cfg(feature = "explain")]
pub(crate) mod explain;
mod partition;
mod radix;
mod registry;
mod sample;
mod tuning;

/// The families of device-wide sorts, a row each: the variant of [`DeviceAlgorithm`] with its options, what the names of its specs begin
/// with, the word for it on the command line and in reports, and the type that implements `DeviceFamily`, from the
/// crate's root. What the tests know of a family is in the folder of that name in `tests/emulator/families`.
///
/// Expands to the macro of that name with the rows.
#[doc(hidden)]
#[macro_export]
macro_rules! device_families {
    ($with:ident) => {
        $with! {
            /// Digit by digit, from the lowest: any number of items.
            Radix device_radix_sort "radix" device::radix::Radix;
            /// Partitioned into buckets by samples, each bucket sorted by a block: small n.
            Sample {
                /// Whether it is of the rows of a matrix, each of which is sorted as an array, all in the same launches.
                rows,
            } device_sample_sort "sample" device::sample::Sample;
            /// By a network of comparisons: any number of items, and what is compared and where depends on that number alone.
            Bitonic {
                /// Whether the positions of pairs are compared where keys are equal.
                stable,
            } device_bitonic_sort "bitonic" device::bitonic::Bitonic;
            /// Partitioned by one or two levels of splitters, each bucket sorted by a block: many items.
            Partition device_partition_sort "partition" device::partition::Partition;
            /// By counting how often each key of 16 bits is there: the rows of a matrix, each by one block.
            Counting device_counting_sort "counting" device::counting::Counting;
        }
    };
}

pub use crate::contract::device::algorithm::DeviceAlgorithm;
pub use crate::contract::device::arguments::Arguments;
pub use crate::contract::device::launch::{
    Device, FIRST_WAITING_ARCH, Kernel, KernelBlock, Launch, LaunchArgument,
};
pub(crate) use crate::contract::device::name::PREFIX;
pub use crate::contract::device::passes::{FirstPhase, Passes};
pub use crate::contract::device::scratch::Scratch;
pub use crate::contract::device::shape::{BuiltInRow, Provenance, Shape};
pub use crate::contract::device::spec::{DeviceFields, DeviceSpec};
pub use crate::contract::validate::DeviceSpecError;
pub use bitonic::BitonicSort;
pub(crate) use partition::MAX_ITEMS as MAX_PARTITION_ITEMS;
pub use radix::{BINS, RADIX_BITS, RadixArguments, RadixSort};
pub use registry::header;
#[doc(hidden)]
pub use registry::marked_header;
pub(crate) use registry::sharing_headers;
pub(crate) use sample::MAX_COLUMNS;
pub use sample::{SMALL_N, SampleArguments};
pub use tuning::built_in_rows;
