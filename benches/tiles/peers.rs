//! CUB's tile sorts, from the library that `benches/peers/build.sh` builds.

use std::ffi::{c_int, c_void};

use sortsmith_benchkit::{Peers, Types};

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

/// CUB's sort of some types, by blocks of so many threads; it is not called after the library is gone.
pub struct Peer {
    name: String,
    sort: Sort,
}

impl Peer {
    /// The sort of these types.
    pub fn of(peers: &Peers, types: Types, threads: u32) -> Result<Self, String> {
        let name = format!("sortsmith_peer_{}_{threads}", types.peer_tag());
        // SAFETY: the function of this name has this type.
        let sort = unsafe { peers.function::<Sort>(&name)? };
        Ok(Self { name, sort })
    }

    /// Sorts tiles of so many items a thread, by merging (0) or by so many radix bits. It says whether CUB can do that.
    pub fn sort(&self, arrays: &Arrays, items: u32, radix_bits: u32) -> Result<bool, String> {
        let [keys_in, keys_out, values_in, values_out] =
            arrays.addresses.map(|address| address as *mut c_void);
        let stream = arrays.stream.cu_stream().cast::<c_void>();
        // SAFETY: the arrays hold n items of the largest size, on the context that is current, and the
        // stream is one of that context's.
        let code = unsafe {
            (self.sort)(
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
            error => Err(format!("{}: CUDA runtime error {error}", self.name)),
        }
    }
}
