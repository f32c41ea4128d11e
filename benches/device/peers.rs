//! CUB's device-wide sorts, from the library that `benches/peers/build.sh` builds.

use std::ffi::{c_int, c_void};
use std::path::Path;
use std::ptr;

use libloading::Library;

use crate::arrays::Arrays;
use crate::cases::Types;

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

/// How CUB sorts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// From one array to another.
    InToOut = 0,
    /// Back and forth between two.
    DoubleBuffer = 1,
    /// Keys and the positions that it makes first, from one array to another.
    Positions = 2,
}

impl Mode {
    /// For tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::InToOut => "cub",
            Self::DoubleBuffer => "cub double buffer",
            Self::Positions => "cub with positions",
        }
    }
}

/// The loaded library.
pub struct Peers(Library);

/// CUB's sort of some types.
pub struct Peer(Sort);

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
        let number = unsafe { self.0.get::<Version>(b"sortsmith_peer_cub_version").ok()?() };
        Some(format!("{}.{}.{}", number / 100_000, number / 100 % 1000, number % 100))
    }

    /// The sort of these types, if the library has it. It lasts as long as the process, as the library does.
    pub fn sort(&self, types: &str) -> Option<Peer> {
        let symbol = format!("sortsmith_peer_device_{types}");
        // SAFETY: the function of this name has this type.
        let sort = unsafe { self.0.get::<Sort>(symbol.as_bytes()) };
        sort.ok().map(|sort| Peer(*sort))
    }
}

impl Peer {
    /// Bytes of temporary storage for such a sort, which are there from now on.
    pub fn reserve(
        &self,
        arrays: &mut Arrays,
        types: &Types,
        n: usize,
        mode: Mode,
    ) -> Result<usize, String> {
        let mut bytes = 0;
        self.call(arrays, types, n, mode, (ptr::null_mut(), &mut bytes))?;
        arrays.temp(bytes)?;
        Ok(bytes)
    }

    /// Sorts, with what was reserved.
    pub fn sort(
        &self,
        arrays: &mut Arrays,
        types: &Types,
        n: usize,
        mode: Mode,
    ) -> Result<(), String> {
        let (temp, mut bytes) = arrays.temp(0)?;
        self.call(arrays, types, n, mode, (temp as *mut c_void, &mut bytes))
    }

    fn call(
        &self,
        arrays: &Arrays,
        types: &Types,
        n: usize,
        mode: Mode,
        (temp, temp_bytes): (*mut c_void, &mut usize),
    ) -> Result<(), String> {
        let pointers = |[keys, values]: [u64; 2]| [keys as *mut c_void, values as *mut c_void];
        let [keys_in, values_in] = pointers(arrays.work.addresses(&arrays.stream));
        let [keys_out, values_out] = pointers(arrays.output.addresses(&arrays.stream));
        let end_bit = 8 * types.key_bytes as c_int;
        let mut result_in = 0;
        // SAFETY: the arrays hold n items of the largest size and the temporary storage is as long as it says, on the
        // context that is current; the stream is one of that context's.
        let code = unsafe {
            (self.0)(
                mode as c_int,
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
        if code == 0 { Ok(()) } else { Err(format!("{}: CUDA runtime error {code}", mode.name())) }
    }
}
