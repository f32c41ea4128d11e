//! CUB's tile sorts, from the library that `benches/peers/build.sh` builds.

use std::ffi::{c_int, c_uint, c_void};
use std::path::Path;

use libloading::Library;

use crate::measure::Arrays;

/// The functions of `benches/peers/cub_tiles.cu`.
type Sort = unsafe extern "C" fn(
    items: c_int,
    radix_bits: c_int,
    keys_in: *const c_void,
    keys_out: *mut c_void,
    values_in: *const c_void,
    values_out: *mut c_void,
    n: u64,
    stream: *mut c_void,
) -> c_int;

const UNSUPPORTED: c_int = -1;

/// The loaded library.
pub struct Peers(Library);

impl Peers {
    /// Loads the library.
    pub fn load(path: &Path) -> Result<Self, String> {
        // SAFETY: the library is built by benches/peers/build.sh; its only initialisers are those of the
        // CUDA runtime, which have no requirements on the process.
        unsafe { Library::new(path) }.map(Self).map_err(|error| error.to_string())
    }

    /// A function that sorts tiles of so many items a thread, by merging or by so many radix bits. It says
    /// whether CUB can do that.
    pub fn sort(
        &self,
        tag: &str,
        threads: c_uint,
    ) -> Result<impl Fn(&Arrays, u32, u32) -> Result<bool, String>, String> {
        let symbol = format!("sortsmith_peer_{tag}_{threads}");
        // SAFETY: the function of this name has this type.
        let sort =
            unsafe { self.0.get::<Sort>(symbol.as_bytes()) }.map_err(|error| error.to_string())?;
        Ok(move |arrays: &Arrays, items: u32, radix_bits: u32| {
            let [keys_in, keys_out, values_in, values_out] =
                arrays.addresses.map(|address| address as *mut c_void);
            let stream = arrays.stream.cu_stream().cast::<c_void>();
            // SAFETY: the arrays hold n items of the largest size, on the context that is current, and the
            // stream is one of that context's.
            let code = unsafe {
                sort(
                    items.cast_signed(),
                    radix_bits.cast_signed(),
                    keys_in,
                    keys_out,
                    values_in,
                    values_out,
                    arrays.n,
                    stream,
                )
            };
            match code {
                0 => Ok(true),
                UNSUPPORTED => Ok(false),
                error => Err(format!("{symbol}: CUDA runtime error {error}")),
            }
        })
    }
}
