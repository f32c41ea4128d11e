//! NCCL is missing, is older than is needed, or lacks a call: typed errors.

use std::fs;
use std::path::Path;

use libtest_mimic::Trial;
use sortsmith::distributed::ShardError;
use sortsmith::distributed::nccl::{Communicator, UniqueId};

use super::DEVICES;
use super::inject::LIMIT;
use crate::shim::{self, NCCL, Shim};

/// The calls that are loaded.
const CALLS: [&str; 12] = [
    "ncclGetVersion",
    "ncclGetUniqueId",
    "ncclCommInitRankConfig",
    "ncclCommGetAsyncError",
    "ncclCommAbort",
    "ncclGroupStart",
    "ncclGroupEnd",
    "ncclSend",
    "ncclRecv",
    "ncclAllGather",
    "ncclAllReduce",
    "ncclGetErrorString",
];

/// What the reason says, in a child.
const SAID: &str = "RANKS_REASON";

pub fn trials() -> Vec<Trial> {
    vec![
        trial("ranks_without_nccl", no_library),
        trial("ranks_with_an_old_nccl", old_library),
        trial("ranks_with_an_nccl_that_lacks_a_call", lacking_libraries),
    ]
}

/// In a child the check, and in the test's own process what runs it there.
fn trial(name: &'static str, run: fn(&str)) -> Trial {
    crate::trial(name, move || if shim::is_child() { check() } else { run(name) })
}

/// Whatever is called first says why NCCL cannot be used, and leaves nothing.
fn check() {
    let said = std::env::var(SAID).unwrap();
    let shim = Shim::loaded();
    let context = sortsmith::cuda_context(0).unwrap();
    let id = UniqueId::from_bytes([7; 128]);
    for _ in 0..2 {
        let errors = [UniqueId::new().err(), Communicator::new(&context, &id, 0, 1, LIMIT).err()];
        for error in errors {
            let Some(ShardError::NoNccl { reason }) = &error else { panic!("{error:?}") };
            assert!(reason.contains(&said), "{reason}, and not {said}");
        }
    }
    drop(context);
    shim.expect_clean();
}

fn run(name: &str, said: &str, variables: &[(&str, &str)]) {
    shim::expect_child(name, &[&[DEVICES, (SAID, said)], variables].concat());
}

/// A folder with the driver and this in place of NCCL.
fn folder(nccl: Option<&[u8]>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let driver = shim::libraries().join("lib/libcuda.so.1");
    for name in ["libcuda.so.1", "libcuda.so"] {
        std::os::unix::fs::symlink(&driver, folder.path().join(name)).unwrap();
    }
    if let Some(bytes) = nccl {
        fs::write(folder.path().join(NCCL), bytes).unwrap();
    }
    folder
}

fn path_of(folder: &Path) -> &str {
    folder.to_str().unwrap()
}

/// There is none, unless the machine has one, or a file that is no library.
fn no_library(name: &str) {
    let damaged = folder(Some(b"\x7fELF"));
    run(name, NCCL, &[("LD_LIBRARY_PATH", path_of(damaged.path()))]);
    // SAFETY: the initialisers of NCCL ask nothing of the process.
    if unsafe { libloading::Library::new(NCCL) }.is_err() {
        let without = folder(None);
        run(name, NCCL, &[("LD_LIBRARY_PATH", path_of(without.path()))]);
    }
}

fn old_library(name: &str) {
    for (version, said) in
        [("21799", "has version 21799; legal: 21800 or later"), ("0", "version 0")]
    {
        run(name, said, &[("SHIM_NCCL_VERSION", version)]);
    }
    run(name, "version 0; legal", &[("SHIM_FAIL", "ncclGetVersion:1:1:forever")]);
}

/// Each call in turn.
fn lacking_libraries(name: &str) {
    for call in CALLS {
        let lacking = shim::driver_without(call);
        run(name, call, &[("LD_LIBRARY_PATH", path_of(lacking.path()))]);
    }
}
