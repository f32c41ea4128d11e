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
mod partition;
mod radix;
mod registry;
mod sample;
mod tuning;

pub use crate::contract::device::algorithm::DeviceAlgorithm;
pub use crate::contract::device::arguments::{ArgumentField, Arguments};
pub use crate::contract::device::launch::{
    Device, FIRST_WAITING_ARCH, Kernel, KernelBlock, Launch,
};
pub use crate::contract::device::name::{DeviceNameError, PREFIX};
pub use crate::contract::device::passes::{FirstPhase, Passes, PhaseEnd};
pub use crate::contract::device::scratch::Scratch;
pub use crate::contract::device::shape::{BuiltInRow, Provenance, Shape};
pub use crate::contract::device::spec::{DeviceFields, DeviceSpec};
pub use crate::contract::validate::DeviceSpecError;
pub use bitonic::BitonicSort;
pub(crate) use radix::MAX_NARROW_ITEMS;
pub use radix::{BINS, RADIX_BITS, RadixSort};
pub use registry::header;
#[doc(hidden)]
pub use registry::marked_header;
pub use sample::SMALL_N;
pub use tuning::built_in_rows;
