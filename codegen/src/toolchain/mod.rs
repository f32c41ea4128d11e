//! The CUDA compilers: finding them, and running them, with or without an installed toolkit.
//!
//! [`Toolchain::find`] looks around and never fails; [`Nvrtc`] compiles a text in this process, and
//! [`Nvcc`] runs the offline compiler. None of them needs a GPU or a driver.
//!
//! ```
//! use sortsmith_codegen::toolchain::{CompileOptions, Format, Nvrtc, Source, Toolchain};
//!
//! let toolchain = Toolchain::find();
//! if let Ok(nvrtc) = Nvrtc::load(&toolchain) {
//!     let source = Source::new("seven.cu", "extern \"C\" __global__ void seven(int* x) { *x = 7; }");
//!     let compiled = nvrtc.compile(&source, &CompileOptions::new(90, Format::Cubin))?;
//!     assert!(compiled.image.starts_with(b"\x7fELF"));
//! }
//! # Ok::<(), sortsmith_codegen::toolchain::ToolchainError>(())
//! ```
//!
//! # Where it looks
//!
//! In this order; each component comes from the first folder that has it:
//!
//! 1. `SORTSMITH_CUDA`: a toolkit folder. The value `none` means that nothing is to be found.
//! 2. `CUDA_HOME`, then `CUDA_PATH`.
//! 3. The toolkit that `nvcc` on `PATH` belongs to.
//! 4. `/usr/local/cuda`, then `/opt/cuda`.
//! 5. For NVRTC alone, the folders of `LD_LIBRARY_PATH`, then the dynamic loader's own search path.
//!
//! Never in a folder that follows from the current one or from where the program lies: relative folders in `PATH` and
//! `LD_LIBRARY_PATH` are passed over. A program with more rights than its caller ([`trust`](crate::files::trust)) looks at 4 alone and
//! asks the dynamic loader, which then ignores `LD_LIBRARY_PATH` too.
//!
//! Headers are the exception: those for NVRTC come from the toolkit that NVRTC itself came from, if
//! it has any, because headers of another version need not agree with it.

mod error;
mod identity;
mod keep;
mod nvcc;
mod nvrtc;
#[cfg(feature = "resources")]
mod resources;
mod search;

use std::path::{Path, PathBuf};

pub use crate::types::Format;
pub use error::ToolchainError;
pub use identity::Identity;
pub use keep::keep_source;
pub use nvcc::{Nvcc, ToolOutput};
pub use nvrtc::{CompileOptions, Compiled, Nvrtc, Source};
#[cfg(feature = "resources")]
pub use resources::Resources;

/// The file name of the CUDA driver's library, which the dynamic loader finds.
pub const DRIVER_LIBRARY: &str = if cfg!(windows) { "nvcuda.dll" } else { "libcuda.so.1" };

/// The environment variables that name a toolkit, the first one first.
pub const VARIABLES: [&str; 3] = ["SORTSMITH_CUDA", "CUDA_HOME", "CUDA_PATH"];

/// How a part of the toolchain was found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// In the toolkit that this environment variable names.
    Variable(&'static str),
    /// In the toolkit of the `nvcc` on `PATH`.
    SearchPath,
    /// In a folder where toolkits are usually installed.
    SystemFolder,
    /// By the dynamic loader; the path is then the library's bare name.
    Loader,
    /// In a folder that the caller named ([`Toolchain::in_folder`]).
    Caller,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Variable(name) => name,
            Self::SearchPath => "PATH",
            Self::SystemFolder => "system folder",
            Self::Loader => "dynamic loader",
            Self::Caller => "given folder",
        })
    }
}

/// A library or program of the toolchain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// The file.
    pub path: PathBuf,
    /// The toolkit folder that it belongs to; none if the dynamic loader found it.
    pub root: Option<PathBuf>,
    /// How it was found.
    pub origin: Origin,
}

/// CUDA's compilers and tools on this machine, as far as they were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Toolchain {
    /// The runtime compiler's library.
    pub nvrtc: Option<Component>,
    /// The offline compiler. It finds its own programs beside it, but needs a host compiler on `PATH`.
    pub nvcc: Option<Component>,
    /// The assembler of PTX.
    pub ptxas: Option<Component>,
    /// The viewer of device code in object files.
    pub cuobjdump: Option<Component>,
    /// The disassembler.
    pub nvdisasm: Option<Component>,
    /// The run-time checker; the fetched toolkit has none.
    pub compute_sanitizer: Option<Component>,
    /// Folders for `-I` that hold `cuda_fp16.h`, `cuda_bf16.h`, `cuda_fp8.h` and `nv/target`.
    pub include_dirs: Vec<PathBuf>,
    /// The folder for `-I` that holds `cub/cub.cuh`.
    pub cccl_include: Option<PathBuf>,
}

impl Toolchain {
    /// Looks in all the locations that the module's documentation lists.
    ///
    /// Nothing is run, and a library is loaded only where the dynamic loader is the last resort.
    pub fn find() -> Self {
        search::find(&search::Environment::current())
    }

    /// Looks in this toolkit folder alone, whatever the environment says.
    pub fn in_folder(root: &Path) -> Self {
        search::in_locations(&[search::Location {
            root: root.to_path_buf(),
            origin: Origin::Caller,
        }])
    }

    /// Whether nothing at all was found.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Each part's name and where it is, in a fixed order, for reports.
    pub fn components(&self) -> [(&'static str, Option<&Component>); 6] {
        [
            ("nvrtc", self.nvrtc.as_ref()),
            ("nvcc", self.nvcc.as_ref()),
            ("ptxas", self.ptxas.as_ref()),
            ("cuobjdump", self.cuobjdump.as_ref()),
            ("nvdisasm", self.nvdisasm.as_ref()),
            ("compute-sanitizer", self.compute_sanitizer.as_ref()),
        ]
    }
}

#[cfg(all(test, feature = "resources"))]
mod tests;
