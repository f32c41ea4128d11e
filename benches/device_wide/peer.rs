//! Device-wide sorts of peers, from the library that `benches/peers/build.sh` builds.

use std::ffi::{c_int, c_void};
use std::ptr;

use super::{Arrays, Subject};
use sortsmith_benchkit::gpu::Peers;
use sortsmith_benchkit::{Library, Method, Types};

/// The functions of `benches/peers/device_radix_sort.cu`.
type Sort = unsafe extern "C" fn(
    mode: c_int,
    temp: *mut c_void,
    temp_bytes: *mut usize,
    keys_in: *mut c_void,
    keys_out: *mut c_void,
    values_in: *mut c_void,
    values_out: *mut c_void,
    n: u64,
    begin_bit: c_int,
    end_bit: c_int,
    result_in: *mut c_int,
    stream: *mut c_void,
) -> c_int;

/// A way of a peer to sort, and its number in `benches/peers/device_radix_sort.cu`.
type Mode = (Method, c_int);

const POSITIONS: [Mode; 1] = [(Method::Positions, 2)];

/// The last one leaves the result in the output. A peer with kernels that do not depend on the type of counts has the outer two.
const MODES: [Mode; 4] = [
    (Method::DoubleBuffer, 1),
    (Method::DoubleBufferBy64, 4),
    (Method::IntoBy64, 3),
    (Method::Into, 0),
];

/// Beyond this number of items, counts have 64 bits.
const MOST_BY_32: u64 = c_int::MAX as u64;

/// A library's sort of some types.
pub struct Peer {
    /// The library that it is of.
    pub library: Library,
    sort: Sort,
}

impl Peer {
    /// The sorts of these types that the library of peers has, CUB's last; they are not called after the library is gone.
    pub fn all_of(peers: &Peers, types: Types) -> Vec<Self> {
        let peer = |(library, prefix): (Library, &str)| {
            let name = format!("sortsmith_peer_{prefix}_device_{}", types.peer_tag());
            // SAFETY: the function of this name has this type.
            let sort = unsafe { peers.function::<Sort>(&name) }.ok()?;
            Some(Self { library, sort })
        };
        [(Library::Libcusort, "cusort"), (Library::Cub, "cub")]
            .into_iter()
            .filter_map(peer)
            .collect()
    }

    /// The ways that it sorts n of these, of which the last one leaves the result in the output.
    pub fn methods(&self, subject: &Subject, n: u64) -> Vec<Method> {
        let modes: &[Mode] = if subject.makes_positions() { &POSITIONS } else { &MODES };
        let by_64 = |method| matches!(method, Method::IntoBy64 | Method::DoubleBufferBy64);
        let methods = modes.iter().map(|(method, _)| *method);
        if n > MOST_BY_32 {
            return methods.filter(|method| by_64(*method)).collect();
        }
        methods.filter(|method| self.library == Library::Cub || !by_64(*method)).collect()
    }

    /// Bytes of temporary storage for such a sort, which are there from now on.
    pub fn reserve(
        &self,
        arrays: &mut Arrays,
        subject: &Subject,
        n: usize,
        method: Method,
    ) -> Result<usize, String> {
        let mut bytes = 0;
        self.call(arrays, subject, n, method, (ptr::null_mut(), &mut bytes))?;
        arrays.temp(bytes)?;
        Ok(bytes)
    }

    /// Sorts, with what was reserved.
    pub fn sort(
        &self,
        arrays: &mut Arrays,
        subject: &Subject,
        n: usize,
        method: Method,
    ) -> Result<(), String> {
        let (temp, mut bytes) = arrays.temp(0)?;
        self.call(arrays, subject, n, method, (temp as *mut c_void, &mut bytes))
    }

    fn call(
        &self,
        arrays: &Arrays,
        subject: &Subject,
        n: usize,
        method: Method,
        (temp, temp_bytes): (*mut c_void, &mut usize),
    ) -> Result<(), String> {
        let pointers = |[keys, values]: [u64; 2]| [keys as *mut c_void, values as *mut c_void];
        let [keys_in, values_in] = pointers(arrays.work.addresses(&arrays.stream));
        let [keys_out, values_out] = pointers(arrays.output.addresses(&arrays.stream));
        let known = POSITIONS.iter().chain(&MODES).find(|(known, _)| *known == method);
        let mode = known.map(|(_, mode)| *mode);
        let mode = mode.ok_or_else(|| format!("no peer sorts device-wide by `{method}`"))?;
        let end_bit = 8 * subject.key_bytes() as c_int;
        let mut result_in = 0;
        // SAFETY: the arrays hold n items of the largest size and the temporary storage is as long as it says, on the
        // context that is current; the stream is one of that context's.
        let code = unsafe {
            (self.sort)(
                mode,
                temp,
                temp_bytes,
                keys_in,
                keys_out,
                values_in,
                values_out,
                n as u64,
                0,
                end_bit,
                &raw mut result_in,
                arrays.stream.cu_stream().cast(),
            )
        };
        if code == 0 {
            Ok(())
        } else {
            Err(format!("{} {method}: CUDA runtime error {code}", self.library))
        }
    }
}
