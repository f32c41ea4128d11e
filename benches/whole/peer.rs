//! CUB's device-wide sorts, from the library that `benches/peers/build.sh` builds.

use std::ffi::{c_int, c_void};
use std::ptr;

use super::{Arrays, Subject};
use sortsmith_benchkit::gpu::Peers;
use sortsmith_benchkit::{Method, Types};

/// The functions of `benches/peers/cub_device.cu`.
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

/// What `benches/peers/cub_device.cu` calls a way to sort.
fn mode(method: Method) -> Result<c_int, String> {
    match method {
        Method::Into => Ok(0),
        Method::DoubleBuffer => Ok(1),
        Method::Positions => Ok(2),
        other => Err(format!("CUB has no device-wide sort by the method `{other}`")),
    }
}

/// CUB's sort of some types.
pub struct Peer(Sort);

impl Peer {
    /// The sort of these types, if the library has it; it is not called after the library is gone.
    pub fn of(peers: &Peers, types: Types) -> Option<Self> {
        let name = format!("sortsmith_peer_device_{}", types.peer_tag());
        // SAFETY: the function of this name has this type.
        unsafe { peers.function::<Sort>(&name) }.ok().map(Self)
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
        let end_bit = 8 * subject.key_bytes() as c_int;
        let mut result_in = 0;
        // SAFETY: the arrays hold n items of the largest size and the temporary storage is as long as it says, on the
        // context that is current; the stream is one of that context's.
        let code = unsafe {
            (self.0)(
                mode(method)?,
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
        if code == 0 { Ok(()) } else { Err(format!("{method}: CUDA runtime error {code}")) }
    }
}
