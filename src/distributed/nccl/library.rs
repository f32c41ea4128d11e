//! NCCL's library, loaded so that its absence is an error.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::ManuallyDrop;
use std::sync::OnceLock;

use libloading::Library;

use crate::distributed::error::ShardError;

/// Names of the library, the first that there is counts.
const NAMES: [&str; 2] = ["libnccl.so.2", "libnccl.so"];

/// The oldest version supported: it has communicators that do not block.
const NEEDED: i32 = 21_800;

/// `ncclComm_t`.
pub type Comm = *mut c_void;

/// `ncclUniqueId`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct UniqueIdBytes(pub [u8; 128]);

/// `ncclConfig_t` of version 2.18. Later versions read as many bytes as it says that it has, and take their defaults for what is behind.
#[derive(Debug)]
#[repr(C)]
pub struct Config {
    size: usize,
    magic: u32,
    version: u32,
    blocking: c_int,
    cga_cluster_size: c_int,
    min_ctas: c_int,
    max_ctas: c_int,
    net_name: *const c_char,
    split_share: c_int,
    /// The padding, where later versions have another number.
    undefined: c_int,
}

impl Config {
    /// Of a communicator that does not block, and moves what it exchanges by as many blocks as it may: by half as many, exchanges beside merges
    /// take an eighth longer.
    pub fn without_blocking() -> Self {
        const UNDEFINED: c_int = c_int::MIN;
        // The most that NCCL takes.
        const BLOCKS: c_int = 64;
        Self {
            size: size_of::<Self>(),
            magic: 0xcafe_beef,
            version: NEEDED.cast_unsigned(),
            blocking: 0,
            cga_cluster_size: UNDEFINED,
            min_ctas: BLOCKS,
            max_ctas: BLOCKS,
            net_name: std::ptr::null(),
            split_share: UNDEFINED,
            undefined: UNDEFINED,
        }
    }
}

/// `ncclResult_t`.
pub type Code = c_int;
pub const SUCCESS: Code = 0;
pub const IN_PROGRESS: Code = 7;

/// `ncclUint8`, `ncclUint32` and `ncclUint64`.
pub const BYTES: c_int = 1;
pub const WORDS: c_int = 3;
pub const LONG_WORDS: c_int = 5;

/// `ncclSum`.
pub const SUM: c_int = 0;

type Send = unsafe extern "C" fn(*const c_void, usize, c_int, c_int, Comm, *mut c_void) -> Code;
type Receive = unsafe extern "C" fn(*mut c_void, usize, c_int, c_int, Comm, *mut c_void) -> Code;
type AllGather =
    unsafe extern "C" fn(*const c_void, *mut c_void, usize, c_int, Comm, *mut c_void) -> Code;
type AllReduce = unsafe extern "C" fn(
    *const c_void,
    *mut c_void,
    usize,
    c_int,
    c_int,
    Comm,
    *mut c_void,
) -> Code;
type InitRank = unsafe extern "C" fn(*mut Comm, c_int, UniqueIdBytes, c_int, *mut Config) -> Code;

/// NCCL's calls, loaded for as long as the process lives.
#[derive(Debug)]
pub struct Nccl {
    pub unique_id: unsafe extern "C" fn(*mut UniqueIdBytes) -> Code,
    pub init_rank: InitRank,
    pub async_error: unsafe extern "C" fn(Comm, *mut Code) -> Code,
    pub abort: unsafe extern "C" fn(Comm) -> Code,
    pub group_start: unsafe extern "C" fn() -> Code,
    pub group_end: unsafe extern "C" fn() -> Code,
    pub send: Send,
    pub receive: Receive,
    pub all_gather: AllGather,
    pub all_reduce: AllReduce,
    error_text: unsafe extern "C" fn(Code) -> *const c_char,
}

impl Nccl {
    /// Loads NCCL, once, and keeps it loaded.
    pub fn open() -> Result<&'static Self, ShardError> {
        static NCCL: OnceLock<Result<Nccl, String>> = OnceLock::new();
        let loaded = NCCL.get_or_init(|| {
            let mut reasons = String::new();
            for name in NAMES {
                match Self::load(name) {
                    Ok(found) => return Ok(found),
                    Err(reason) if reasons.is_empty() => reasons = reason,
                    Err(_) => {}
                }
            }
            Err(reasons)
        });
        loaded.as_ref().map_err(|reason| ShardError::NoNccl { reason: reason.clone() })
    }

    fn load(name: &str) -> Result<Self, String> {
        let reason = |error: libloading::Error| {
            let source = std::error::Error::source(&error).map(ToString::to_string);
            source.unwrap_or_else(|| error.to_string())
        };
        // SAFETY: loading runs the library's initialisers. It is NCCL; its initialisers have no preconditions.
        let library = ManuallyDrop::new(unsafe { Library::new(name) }.map_err(reason)?);
        macro_rules! symbol {
            ($name:literal) => {
                // SAFETY: the type is that of the function in NCCL's header, and the library is never unloaded.
                *unsafe { library.get(concat!($name, "\0").as_bytes()) }.map_err(reason)?
            };
        }
        let version: unsafe extern "C" fn(*mut c_int) -> Code = symbol!("ncclGetVersion");
        let mut found = 0;
        // SAFETY: the pointer is to a live integer.
        let code = unsafe { version(&raw mut found) };
        if code != SUCCESS || found < NEEDED {
            return Err(format!("{name} has version {found}; legal: {NEEDED} or later"));
        }
        Ok(Self {
            unique_id: symbol!("ncclGetUniqueId"),
            init_rank: symbol!("ncclCommInitRankConfig"),
            async_error: symbol!("ncclCommGetAsyncError"),
            abort: symbol!("ncclCommAbort"),
            group_start: symbol!("ncclGroupStart"),
            group_end: symbol!("ncclGroupEnd"),
            send: symbol!("ncclSend"),
            receive: symbol!("ncclRecv"),
            all_gather: symbol!("ncclAllGather"),
            all_reduce: symbol!("ncclAllReduce"),
            error_text: symbol!("ncclGetErrorString"),
        })
    }

    /// NCCL's words for a code.
    pub fn describe(&self, code: Code) -> String {
        // SAFETY: the call takes any number, and returns a static text.
        let text = unsafe { CStr::from_ptr((self.error_text)(code)) };
        format!("NCCL: {}", text.to_string_lossy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_an_error() {
        let reason = Nccl::load("libno-such-nccl.so.2").expect_err("there is no such library");
        assert!(reason.contains("libno-such-nccl.so.2"), "{reason}");
        let library = "libc.so.6";
        let reason = Nccl::load(library).expect_err("it is not NCCL");
        assert!(reason.contains("ncclGetVersion"), "{reason}");
    }

    #[test]
    fn a_config_has_the_size_of_nccl_s() {
        assert_eq!(size_of::<Config>(), 48);
    }
}
