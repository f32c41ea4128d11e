//! From a spec to the text of its header.

pub(crate) mod block_comparison;
pub(crate) mod block_radix;
mod facade;
pub(crate) mod key;
mod members;
pub(crate) mod network;
pub(crate) mod parts;
mod storage;
mod warp_bitonic;

pub use facade::{FACADE_FILE, facade};
pub use storage::STORAGE_HEADERS;

use crate::device::DeviceSpecError;
use crate::spec::{Family, SortSpec};

/// What a header contains beside the sort itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Also the kernel `<name>_tile`, in which each block of a grid sorts its own tile of an array.
    pub tile_kernel: bool,
}

/// A spec that no template is there for, or a template that failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// A spec that is not of the template's family.
    #[error("{spec}: the template of {} does not make it", .family.prefix())]
    NoTemplate {
        /// The spec.
        spec: SortSpec,
        /// Its family.
        family: Family,
    },
    /// CUB's class has no parameters that say this spec.
    #[error("{spec} cannot be in the facade: {reason}")]
    NotInFacade {
        /// The spec.
        spec: SortSpec,
        /// What CUB's class lacks.
        reason: &'static str,
    },
    /// Two specs that CUB's parameters cannot tell apart.
    #[error("{first} and {second} have the same parameters in the facade; emit one of them")]
    FacadeConflict {
        /// One.
        first: SortSpec,
        /// The other.
        second: SortSpec,
    },
    /// A device-wide sort that cannot be made.
    #[error("{name}: {error}")]
    NoDeviceSort {
        /// The spec's name.
        name: String,
        /// Why.
        error: DeviceSpecError,
    },
    /// The template engine failed on a device-wide sort, or on a gather.
    #[error("{name}: {source}")]
    Device {
        /// The spec's name.
        name: String,
        /// The engine's error.
        source: askama::Error,
    },
    /// The template engine failed on the facade.
    #[error("facade: {0}")]
    Facade(askama::Error),
    /// The template engine failed.
    #[error("{spec}: {source}")]
    Template {
        /// The spec.
        spec: SortSpec,
        /// The engine's error.
        source: askama::Error,
    },
}

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
        Family::BlockRadix => block_radix::render(spec, options),
        Family::BlockBitonic | Family::BlockMerge => block_comparison::render(spec, options),
        Family::WarpBitonic => warp_bitonic::render(spec, options),
    }
}

/// The namespace that this version's headers are in, inside `sortsmith`; inline, so that nobody needs to write it, and
/// versioned, so that headers of two versions can be in one program.
pub fn version_namespace() -> String {
    format!("v{}", env!("CARGO_PKG_VERSION").replace(['.', '-', '+'], "_"))
}

/// The macro that says that a file has this part already, in this version.
pub(crate) fn guard(part: &str) -> String {
    format!("SORTSMITH_{}_{part}", version_namespace()).to_uppercase()
}
