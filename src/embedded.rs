//! Kernels that are compiled with a program and embedded in it.
//!
//! A program that sorts on machines without NVRTC, or that must not compile there, embeds its kernels. Its build script compiles
//! them (`sortsmith_codegen::build`), [`embed!`](crate::embed) includes and registers them, and a sorter that needs a kernel searches
//! them first, before the cache on disk and NVRTC. If it finds one, it searches for no toolkit and accesses no file.
//!
//! `build.rs`:
//!
//! ```no_run
//! use sortsmith_codegen::build::{ArraySort, Bundle, BuildError};
//! use sortsmith_codegen::{KeyType, ValueType};
//!
//! fn main() -> Result<(), BuildError> {
//!     Bundle::for_archs([80, 90])
//!         .sort(ArraySort::pairs(KeyType::F32, ValueType::U32))
//!         .write()
//! }
//! ```
//!
//! `main.rs`:
//!
//! ```ignore
//! fn main() -> Result<(), sortsmith::Error> {
//!     sortsmith::embed!();
//!     let mut keys = vec![3.0f32, -0.0, 1.0];
//!     let mut rows = vec![0u32, 1, 2];
//!     sortsmith::sort_pairs(&mut keys, &mut rows)
//! }
//! ```
//!
//! (The repository has this program as `examples/embedded`. It is not run here, because this crate has no build script that makes a
//! bundle.)
//!
//! Values of other sizes than 1, 2, 4, 8 and 16 bytes need two entries: `ArraySort::argsort` of the keys, and `Bundle::gather`
//! of the values.
//!
//! # Which image is used
//!
//! An image of the same kernel, made of the same source by the same version of the generator; images of other versions are ignored.
//! The driver is offered these, until it loads one:
//!
//! 1. machine code for the device's architecture, or for one of the same major number and a lower minor one;
//! 2. PTX of the newest architecture that the device is not older than.
//!
//! A driver loads machine code of a compiler of its own major version or an older one, but PTX only of a compiler that is not newer
//! than itself: a driver for CUDA 13.0 loads the cubins of a bundle that NVRTC 13.5 made, and not its PTX. So name the
//! architectures that you sort on, and make PTX with an NVRTC that is as old as the oldest driver.
//!
//! An image is ignored if its bytes do not have the SHA-256 that the bundle states.
//!
//! If the driver loads none, or there is none, the kernel comes from the cache or from NVRTC as without a bundle, or is an
//! [`Error`](crate::Error) if `SORTSMITH_DISABLE_JIT=1` forbids that. `SORTSMITH_VERBOSE=1` prints which image was used, and why.

mod bundle;
#[cfg(feature = "cuda")]
pub(crate) mod registry;

pub use bundle::{Bundle, Image};
pub use sortsmith_codegen::Format;

/// Embeds the kernels that the build script made, registers them, and returns their [`Bundle`](crate::embedded::Bundle).
///
/// Call it before the first sort, at the start of `main` or of a library's initialisation. It may run again, on any thread, and
/// several crates of a program may each have a bundle. Each occurrence in the source is a copy of the kernels in the program, so
/// write it once. It uses no GPU; without the feature `cuda` it does nothing.
///
/// `embed!()` is the bundle in `OUT_DIR`, which `Bundle::write` of `sortsmith_codegen::build` writes. `embed!(path)` is one that
/// `Bundle::write_to` wrote elsewhere, for example to a folder under version control; the path is as for `include!`:
///
/// ```
/// let bundle = sortsmith::embed!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/embedded/none/sortsmith.rs"));
/// assert!(bundle.is_empty());
/// println!("{bundle}"); // no kernels
/// ```
///
/// [`embedded`](crate::embedded) has the details.
#[macro_export]
macro_rules! embed {
    () => {
        $crate::embed!(concat!(env!("OUT_DIR"), "/sortsmith.rs"))
    };
    ($path:expr $(,)?) => {{
        static BUNDLE: $crate::embedded::Bundle = {
            // The file names it.
            #[allow(unused_imports)]
            use $crate::embedded::Image;
            const LISTED: (&str, &[$crate::embedded::Image]) = include!($path);
            // SAFETY: the file is as trusted as the rest of the program, and the generator wrote it: its images are compiled from
            // the generator's sources.
            unsafe { $crate::embedded::Bundle::new(LISTED.0, LISTED.1) }
        };
        $crate::embedded::register(&BUNDLE)
    }};
}

/// Adds a bundle to those that the runtime searches; [`embed!`](crate::embed) calls it.
#[doc(hidden)]
pub fn register(bundle: &'static Bundle) -> &'static Bundle {
    #[cfg(feature = "cuda")]
    registry::Registry::of_this_process().register(bundle);
    bundle
}
