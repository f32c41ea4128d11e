//! CUB's sorts, in the library that `benches/peers/build.sh` builds.

use std::ffi::c_int;
use std::path::Path;

use libloading::Library;

/// The loaded library.
pub struct Peers(Library);

impl Peers {
    /// Loads the library.
    pub fn load(path: &Path) -> Result<Self, String> {
        // SAFETY: the library is built by benches/peers/build.sh; its only initialisers are those of the
        // CUDA runtime, which have no requirements on the process.
        unsafe { Library::new(path) }.map(Self).map_err(|error| error.to_string())
    }

    /// CUB's version.
    pub fn version(&self) -> Option<String> {
        type Version = unsafe extern "C" fn() -> c_int;
        // SAFETY: the function of this name has this type, and only returns a number.
        let number = unsafe { self.function::<Version>("sortsmith_peer_cub_version").ok()?() };
        Some(format!("{}.{}.{}", number / 100_000, number / 100 % 1000, number % 100))
    }

    /// The function of this name. It may be called as long as the library is loaded.
    ///
    /// # Safety
    ///
    /// - `F` must be the type of that function.
    pub unsafe fn function<F: Copy>(&self, name: &str) -> Result<F, String> {
        // SAFETY: the caller says what type the function has.
        let function = unsafe { self.0.get::<F>(name.as_bytes()) };
        function.map(|function| *function).map_err(|error| error.to_string())
    }
}
