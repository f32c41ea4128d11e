//! The families: which spec is whose.

use std::fmt;

use crate::block::radix::plan;
use crate::contract::render::{Options, RenderError};
use crate::contract::spec::{Family, SortSpec};
use crate::device::{self, DeviceSpec};
use crate::{block, warp};

/// The header of a spec: self-contained CUDA.
///
/// ```
/// use sortsmith_codegen::{render, SortSpec};
/// let spec: SortSpec = "block_radix_sort_u32_keys_b128_i8_r4_asc".parse().unwrap();
/// let options = render::Options { tile_kernel: true };
/// let header = render::header(&spec, options).unwrap();
/// assert!(header.contains("block_radix_sort_u32_keys_b128_i8_r4_asc_tile("));
/// ```
pub fn header(spec: &SortSpec, options: Options) -> Result<String, RenderError> {
    match spec.algorithm.family() {
        Family::BlockRadix => block::radix::view::render(spec, options),
        Family::BlockBitonic | Family::BlockMerge => block::comparison::view::render(spec, options),
        Family::WarpBitonic => warp::bitonic::view::render(spec, options),
    }
}

/// A source of kernels that a host launches, by the spec that it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KernelSpec {
    /// The tile kernel of a block sort.
    Tile(SortSpec),
    /// The kernels of a device-wide sort.
    Whole(DeviceSpec),
}

impl KernelSpec {
    /// The CUDA, with its `extern "C"` kernels.
    pub fn source(&self) -> Result<String, RenderError> {
        match self {
            Self::Tile(spec) => header(spec, Options { tile_kernel: true }),
            Self::Whole(spec) => device::header(spec),
        }
    }

    /// The shared memory that a block of it needs.
    pub fn shared_bytes(&self) -> u32 {
        match self {
            Self::Tile(spec) => plan::shared_bytes(spec),
            Self::Whole(spec) => spec.shared_bytes(),
        }
    }
}

impl fmt::Display for KernelSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tile(spec) => spec.fmt(f),
            Self::Whole(spec) => spec.fmt(f),
        }
    }
}
