//! What a header is rendered with, and why it may fail.

use crate::contract::spec::{Family, SortSpec};
use crate::contract::validate::DeviceSpecError;

/// What a header contains beside the sort itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // each is of one kernel or of what a project needs
pub struct Options {
    /// Also the kernel `<name>_tile`, in which each block of a grid sorts its own tile of an array.
    pub tile_kernel: bool,
    /// Also the kernel `<name>_rows`, which sorts rows of at most a tile, each by itself, any distance apart.
    pub rows_kernel: bool,
    /// Also the kernel `<name>_counted_rows`, the same of as many rows, or columns, as a number in the device's memory says.
    pub counted_rows_kernel: bool,
    /// Also what several files of a C++ program need: the constants for compilers of the host alone, and declarations of the kernels.
    pub of_project: bool,
}

impl Options {
    /// What either of the two contains.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            tile_kernel: self.tile_kernel || other.tile_kernel,
            rows_kernel: self.rows_kernel || other.rows_kernel,
            counted_rows_kernel: self.counted_rows_kernel || other.counted_rows_kernel,
            of_project: self.of_project || other.of_project,
        }
    }
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
    /// A value that CUB's sorts of arrays do not have.
    #[error(
        "value = index is not legal in a facade of sorts of arrays, which makes no positions; legal: {legal}"
    )]
    NoPositions {
        /// The legal ones.
        legal: String,
    },
    /// A sort without launches in C++.
    #[error("{name} has no host's part in C++")]
    NoCppHost {
        /// The spec's name.
        name: String,
    },
    /// A sort of arrays that cannot be made.
    #[error("{name}: {error}")]
    NoDeviceSort {
        /// The spec's name.
        name: String,
        /// Why.
        error: DeviceSpecError,
    },
    /// The template engine failed on a spec on arrays.
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
