//! Why a bundle was not made.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::contract::render::RenderError;
use crate::contract::spec::SortSpec;
use crate::contract::validate::DeviceSpecError;
use crate::device::DeviceSpec;
use crate::toolchain::ToolchainError;
use crate::types::{Arch, ArchError};

/// Why a bundle was not made.
///
/// A build script's `main` that returns it prints it by [`Debug`](fmt::Debug), so that is the message too.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A number is no architecture's.
    #[error(transparent)]
    Arch(#[from] ArchError),
    /// There is no gather of such values.
    #[error(transparent)]
    Gather(#[from] DeviceSpecError),
    /// No architecture was named.
    #[error("no architecture to compile for: name some, as in Bundle::for_archs([80, 90])")]
    NoArch,
    /// There is no kernel to compile.
    #[error("no kernels to compile: add sorts, tiles or gathers")]
    NoKernels,
    /// No sort takes this number of items.
    #[error("a sort of up to {items} items: {spec} takes {}, and none takes more", .spec.max_items())]
    TooManyItems {
        /// The sort that takes the most.
        spec: DeviceSpec,
        /// The items of the request.
        items: u64,
    },
    /// A tile does not fit on any device that the bundle is for.
    #[error(
        "{spec} needs {needed} bytes of shared memory, and a block of {arch} has at most {}",
        arch.max_shared_bytes()
    )]
    SharedMemory {
        /// The tile.
        spec: SortSpec,
        /// What it needs.
        needed: u32,
        /// The architecture that has the most, of those that the bundle is for.
        arch: Arch,
    },
    /// There is no NVRTC, or none that can be loaded.
    #[error("no kernels can be compiled to embed: {0}")]
    NoCompiler(ToolchainError),
    /// The compiler fails.
    #[error("cannot compile {kernel} for {arch}: {source}")]
    Compiler {
        /// The kernel.
        kernel: String,
        /// For which devices.
        arch: Arch,
        /// What it says.
        source: ToolchainError,
    },
    /// The compiler refused a kernel, which is a defect of this crate or of the compiler.
    #[error("{kernel} does not compile for {arch}{}", kept_in(kept.as_ref()))]
    Compile {
        /// The kernel.
        kernel: String,
        /// For which devices.
        arch: Arch,
        /// The compiler's log.
        log: String,
        /// The folder that holds the source and the log, if it could be written.
        kept: Option<PathBuf>,
    },
    /// The spec could not be turned into CUDA.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// Cargo's variable is not set.
    #[error("OUT_DIR is not set: call this from a build script, or name a folder to write_to")]
    NoOutDir,
    /// A file of the bundle cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn kept_in(folder: Option<&PathBuf>) -> String {
    folder.map_or_else(String::new, |it| format!("; source and log are in {}", it.display()))
}
