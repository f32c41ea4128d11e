//! Kernels that a program carries, compiled when it was built.
//!
//! A program that sorts on machines without NVRTC, or that may not compile there, brings its kernels along. Its build script
//! compiles them (`sortsmith_codegen::build`), [`embed!`](crate::embed) takes them in and tells the runtime, and a sorter
//! that needs a kernel looks there first, before the cache on disk and NVRTC: then it searches no toolkit, and reads and
//! writes no file.
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
//! (That program is `examples/embedded` of the repository, which is built with all the rest; here there is no build script
//! to make its bundle.)
//!
//! Values of other sizes than 1, 2, 4, 8 and 16 bytes take two parts: `ArraySort::argsort` of the keys, and `Bundle::gather`
//! of the values.
//!
//! # Which image is taken
//!
//! One of the same kernel, made of the same source by the same version of the generator; what another version made is as
//! good as not there. Of those the device's driver is offered, until it takes one:
//!
//! 1. machine code for the device's architecture, or for one of the same major number and a lower minor one;
//! 2. PTX of the newest architecture that the device is not older than.
//!
//! A driver takes machine code of a compiler of its own major version or an older one, and PTX only of a compiler that is no
//! newer than itself: of a bundle that NVRTC 13.5 made, a driver for CUDA 13.0 takes the cubins, and no PTX. So name the
//! architectures that you sort on, and make PTX with an NVRTC as old as the oldest driver.
//!
//! An image whose bytes are not those that the bundle was made of, by their SHA-256, is as good as not there.
//!
//! If it takes none, or there is none, the kernel comes from the cache or from NVRTC, as without a bundle, or is an
//! [`Error`](crate::Error) where `SORTSMITH_DISABLE_JIT=1` forbids it. `SORTSMITH_VERBOSE=1` tells which it was, and why.

mod bundle;
#[cfg(feature = "cuda")]
pub(crate) mod registry;

pub use bundle::{Bundle, Image};
pub use sortsmith_codegen::Format;

/// Takes in the kernels that the build script made, and returns them: a [`Bundle`](crate::embedded::Bundle).
///
/// Call it before the first sort, at the start of `main` or of whatever a library begins with; it may be run again, from any
/// thread, and several crates of a program may each have a bundle. Each place where it is written is a copy in the program,
/// so write it once. It needs no GPU and touches none; without the feature `cuda` it does nothing.
///
/// `embed!()` is the bundle in `OUT_DIR`, where `Bundle::write` of `sortsmith_codegen::build` puts it. `embed!(path)` is one
/// that `Bundle::write_to` put elsewhere, such as under version control; the path is as of `include!`:
///
/// ```
/// let bundle = sortsmith::embed!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/embedded/none/sortsmith.rs"));
/// assert!(bundle.is_empty());
/// println!("{bundle}"); // no kernels
/// ```
///
/// [`embedded`](crate::embedded) has the whole story.
#[macro_export]
macro_rules! embed {
    () => {
        $crate::embed!(concat!(env!("OUT_DIR"), "/sortsmith.rs"))
    };
    ($path:expr $(,)?) => {{
        static BUNDLE: $crate::embedded::Bundle = {
            // What the file speaks of.
            #[allow(unused_imports)]
            use $crate::embedded::Image;
            const LISTED: (&str, &[$crate::embedded::Image]) = include!($path);
            // SAFETY: the file is as trusted as the rest of the program, and is the generator's: it lists what the generator's
            // sources were compiled to.
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
