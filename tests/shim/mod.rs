//! A stand-in for NVIDIA's driver, NVRTC and NCCL (driver.cpp and nccl.hpp say what it models), for tests that run without a GPU.
//!
//! A test that needs it runs in a process of its own, in which nothing else is loaded:
//!
//! ```ignore
//! #[test]
//! fn keys_are_counted() {
//!     let Some(shim) = shim::child("keys_are_counted", &[]) else { return };
//!     // in the child: sort something, and look at `shim.live("allocations")` ...
//! }
//! ```

#![allow(dead_code)] // each test target uses a part of it

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_int};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use libloading::Library;

/// The variable that is set in such a child.
const CHILD: &str = "SORTSMITH_SHIM_CHILD";

const SOURCES: [(&str, &str); 10] = [
    ("driver.cpp", include_str!("driver.cpp")),
    ("state.hpp", include_str!("state.hpp")),
    ("kernels.hpp", include_str!("kernels.hpp")),
    ("streams.hpp", include_str!("streams.hpp")),
    ("graphs.hpp", include_str!("graphs.hpp")),
    ("calls.hpp", include_str!("calls.hpp")),
    ("more_calls.hpp", include_str!("more_calls.hpp")),
    ("reports.hpp", include_str!("reports.hpp")),
    ("shards.hpp", include_str!("shards.hpp")),
    ("nccl.hpp", include_str!("nccl.hpp")),
];
const NVRTC: (&str, &str) = ("nvrtc.cpp", include_str!("nvrtc.cpp"));
const FILES: (&str, &str) = ("files.cpp", include_str!("files.cpp"));

/// The name by which NCCL is loaded.
pub const NCCL: &str = "libnccl.so.2";

/// In the child the stand-in, loaded. In the test's own process it runs the test again in a child, with the stand-in in place
/// of the driver and NVRTC, an empty cache and these variables; expects that it passes; and returns nothing.
pub fn child(test: &str, variables: &[(&str, &str)]) -> Option<Shim> {
    if std::env::var_os(CHILD).is_some() {
        return Some(Shim::loaded());
    }
    expect_child(test, variables);
    None
}

/// Runs a test in such a child, expects that it passes, and returns its stdout.
pub fn expect_child(test: &str, variables: &[(&str, &str)]) -> String {
    let output = run_child(test, variables);
    let (stderr, stdout) =
        (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
    assert!(output.status.success(), "{test} in a child: {}\n{stdout}\n{stderr}", output.status);
    assert!(stdout.contains("1 passed"), "there is no test {test}:\n{stdout}");
    stdout.into_owned()
}

/// The same, for tests that look at how the child ended.
pub fn run_child(test: &str, variables: &[(&str, &str)]) -> Output {
    let libraries = libraries();
    let cache = tempfile::tempdir().expect("a folder for the cache");
    let mut command = Command::new(std::env::current_exe().expect("a test knows its program"));
    command.args(["--exact", test, "--nocapture"]).env(CHILD, "1");
    for name in ["SORTSMITH_BACKEND", "SORTSMITH_DISABLE_JIT", "SORTSMITH_VERBOSE"] {
        command.env_remove(name);
    }
    command.env("LD_LIBRARY_PATH", libraries.join("lib")).env("SORTSMITH_CUDA", libraries);
    command.env("SORTSMITH_CACHE_DIR", cache.path()).env("SORTSMITH_TUNING", "none");
    command.envs(variables.iter().copied());
    command.output().expect("the child runs")
}

/// Whether this process is a child that runs with the stand-in.
pub fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

/// The library that a child preloads so that operations on files of the cache can fail too.
pub fn files() -> String {
    libraries().join("lib/libfiles.so").to_str().expect("a path in UTF-8").to_owned()
}

/// A folder for `LD_LIBRARY_PATH` with a driver that lacks a function.
pub fn driver_without(function: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let lib = libraries().join("lib");
    let mut driver = fs::read(lib.join("libcuda.so.1")).expect("it was built");
    let name = [b"\0", function.as_bytes(), b"\0"].concat();
    let offsets = driver.windows(name.len()).enumerate();
    let offsets: Vec<usize> =
        offsets.filter(|(_, bytes)| *bytes == name).map(|(offset, _)| offset).collect();
    assert!(!offsets.is_empty(), "the driver has no {function}");
    for offset in offsets {
        driver[offset + 1] = b'_';
    }
    fs::write(folder.path().join("libcuda.so.1"), driver).expect("the folder can be written");
    with_other_names(folder.path());
    folder
}

/// The folder with the libraries in `lib`, built once for each state of the sources.
pub fn libraries() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let parent = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let folder = parent.join(format!("shim-{:016x}", hash_of_sources()));
        if !folder.is_dir() {
            let fresh = tempfile::tempdir_in(parent).expect("a folder to build in");
            build(fresh.path());
            // Another process may have been faster, with the same libraries.
            drop(fs::rename(fresh.keep(), &folder));
        }
        folder
    })
}

fn hash_of_sources() -> u64 {
    let texts = SOURCES.iter().chain([&NVRTC, &FILES]).flat_map(|(_, text)| text.bytes());
    texts.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn build(folder: &Path) {
    let lib = folder.join("lib");
    fs::create_dir(&lib).expect("a fresh folder");
    for (name, text) in SOURCES.iter().chain([&NVRTC, &FILES]) {
        fs::write(folder.join(name), text).expect("the folder can be written");
    }
    let libraries =
        [("driver.cpp", "libcuda.so.1"), (NVRTC.0, "libnvrtc.so.13"), (FILES.0, "libfiles.so")];
    for (source, library) in libraries {
        let built = Command::new(std::env::var("CXX").unwrap_or_else(|_| "g++".to_owned()))
            .args(["-std=c++17", "-O1", "-g1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"])
            .args(["-fvisibility=hidden", "-pthread", source, "-ldl", "-o"])
            .arg(lib.join(library))
            .current_dir(folder)
            .status();
        assert!(built.expect("a C++ compiler").success(), "{source} does not compile");
    }
    with_other_names(&lib);
}

/// cudarc first searches for the driver by a name without a version, which must not find the machine's. The stand-in for NCCL is in the same
/// library.
fn with_other_names(folder: &Path) {
    #[cfg(unix)]
    for name in ["libcuda.so", NCCL] {
        std::os::unix::fs::symlink("libcuda.so.1", folder.join(name)).expect("a fresh folder");
    }
    #[cfg(not(unix))]
    let _ = folder;
}

/// How long a fault lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// That one call fails.
    Once = 0,
    /// That call of the function and all later ones.
    Forever = 1,
    /// Every later call of any function, as after an illegal address.
    Sticky = 2,
}

/// The live objects that the stand-in counts.
pub const KINDS: [&str; 10] = [
    "contexts",
    "streams",
    "events",
    "modules",
    "graphs",
    "graph_execs",
    "user_objects",
    "communicators",
    "allocations",
    "host_allocations",
];

/// What has to be freed, and the bytes of device memory. A primary context ends once it has no references.
pub const COUNTED: [&str; 11] = [
    "context_references",
    "streams",
    "events",
    "modules",
    "graphs",
    "graph_execs",
    "user_objects",
    "communicators",
    "allocations",
    "bytes",
    "host_allocations",
];

/// The stand-in, of which there is one in a process.
#[derive(Clone, Copy, Debug)]
pub struct Shim(&'static Library);

type OfName<T> = unsafe extern "C" fn(*const c_char) -> T;

impl Shim {
    /// Loads it, as the library that the process takes for the driver.
    pub fn loaded() -> Self {
        static LIBRARY: OnceLock<Library> = OnceLock::new();
        // SAFETY: its initialisers ask nothing of the process; it is found through LD_LIBRARY_PATH, which the parent set.
        let library = LIBRARY.get_or_init(|| unsafe { Library::new("libcuda.so.1") }.expect("it"));
        Self(library)
    }

    /// # Safety
    ///
    /// `T` is the type of the function.
    unsafe fn function<T: Copy>(self, name: &str) -> T {
        // SAFETY: the caller answers for the type; the library stays loaded.
        *unsafe { self.0.get(name.as_bytes()) }.expect("the stand-in has it")
    }

    fn of_name(self, function: &str, name: &str) -> u64 {
        let name = CString::new(name).expect("a name has no NUL");
        // SAFETY: the functions that this is used for are of this type, and the name lives as long as the call.
        unsafe { self.function::<OfName<u64>>(function)(name.as_ptr()) }
    }

    fn number(self, function: &str) -> u64 {
        // SAFETY: the functions that this is used for are of this type.
        unsafe { self.function::<unsafe extern "C" fn() -> u64>(function)() }
    }

    /// How many of a kind there are: one of [`KINDS`] or [`COUNTED`].
    pub fn live(self, kind: &str) -> u64 {
        self.of_name("shim_live", kind)
    }

    /// All that is alive, by its kind; empty if nothing is.
    pub fn all_live(self) -> Vec<(&'static str, u64)> {
        KINDS.map(|kind| (kind, self.live(kind))).into_iter().filter(|(_, n)| *n > 0).collect()
    }

    /// How many objects of a kind, or bytes, were alive when their context ended.
    pub fn orphans(self, kind: &str) -> u64 {
        self.of_name("shim_orphans", kind)
    }

    /// All that has not been freed, by its kind: what is alive, and what was when its context ended.
    pub fn unfreed(self) -> BTreeMap<&'static str, u64> {
        let count = |kind| (kind, self.live(kind) + self.orphans(kind));
        COUNTED.into_iter().map(count).filter(|(_, n)| *n > 0).collect()
    }

    /// The first call that failed since [`Self::forget`], behind the last calls of its thread.
    pub fn calls_to_fault(self) -> Vec<String> {
        self.lines("shim_calls_to_fault")
    }

    /// The size of that thread's last allocation of device memory before the failed call.
    pub fn bytes_before_fault(self) -> u64 {
        self.number("shim_bytes_before_fault")
    }

    /// How often a function was called since [`Self::forget`]; `any` for all of them.
    pub fn calls(self, name: &str) -> u64 {
        self.of_name("shim_calls", name)
    }

    /// The functions that were called since [`Self::forget`], in their order.
    pub fn trace(self) -> Vec<String> {
        self.lines("shim_trace")
    }

    /// The seed of each sort that samples keys since then, and the number of such sorts before it.
    pub fn samples(self) -> Vec<(u32, u32)> {
        let of_line = |line: &String| {
            let (seed, sorts) = line.split_once(' ').expect("two numbers");
            (seed.parse().expect("a seed"), sorts.parse().expect("a number"))
        };
        self.lines("shim_samples").iter().map(of_line).collect()
    }

    fn lines(self, function: &str) -> Vec<String> {
        // SAFETY: the functions that this is used for are of this type.
        let read: unsafe extern "C" fn(*mut u8, usize) -> usize =
            unsafe { self.function(function) };
        let mut text = vec![0u8; 1 << 20];
        // SAFETY: the buffer has as many bytes as the length says.
        let length = unsafe { read(text.as_mut_ptr(), text.len()) };
        assert!(length <= text.len(), "{length} bytes of lines");
        String::from_utf8_lossy(&text[..length]).lines().map(str::to_owned).collect()
    }

    /// Counts and traces from here on.
    pub fn forget(self) {
        // SAFETY: the type is the function's.
        unsafe { self.function::<unsafe extern "C" fn()>("shim_forget")() }
    }

    /// Calls that the driver does not allow, or that would fail on a device.
    pub fn violations(self) -> Vec<String> {
        // SAFETY: the type is the function's.
        let text: unsafe extern "C" fn(u64) -> *const c_char =
            unsafe { self.function("shim_violation") };
        (0..self.number("shim_violations"))
            // SAFETY: there are as many, and their texts stay.
            .map(|number| unsafe { CStr::from_ptr(text(number)) }.to_string_lossy().into_owned())
            .collect()
    }

    /// Lets the call of this number, from one and from here on, fail with a `CUresult`. `any` stands for all functions.
    pub fn fail(self, name: &str, number: u64, code: i32, mode: Mode) {
        type Fail = unsafe extern "C" fn(*const c_char, u64, c_int, c_int);
        let name = CString::new(name).expect("a name has no NUL");
        // SAFETY: the type is the function's, and the name lives as long as the call.
        unsafe { self.function::<Fail>("shim_fail")(name.as_ptr(), number, code, mode as c_int) }
    }

    /// Lets the call of this number take longer.
    pub fn sleep(self, name: &str, number: u64, microseconds: u32) {
        let name = CString::new(name).expect("a name has no NUL");
        // SAFETY: the type is the function's, and the name lives as long as the call.
        unsafe {
            self.function::<unsafe extern "C" fn(*const c_char, u64, u32)>("shim_sleep")(
                name.as_ptr(),
                number,
                microseconds,
            );
        }
    }

    /// Ends all faults.
    pub fn heal(self) {
        // SAFETY: the type is the function's.
        unsafe { self.function::<unsafe extern "C" fn()>("shim_heal")() }
    }

    /// How many calls have failed by a fault since [`Self::forget`].
    pub fn fired(self) -> u64 {
        self.number("shim_fired")
    }

    /// Whether work stays in its stream until a call waits for it.
    pub fn defer(self, deferred: bool) {
        self.switch("shim_defer", deferred);
    }

    /// Whether calls of this thread are neither counted nor made to fail.
    pub fn leave_out(self, left_out: bool) {
        self.switch("shim_leave_out", left_out);
    }

    /// Whether ranks hear nothing of one that has ended.
    pub fn silence(self, silent: bool) {
        self.switch("shim_silence", silent);
    }

    /// A rank that has not joined by this id of NCCL's never will, and the others hear of it.
    pub fn lose_rank(self, id: &[u8; 128]) {
        type Lose = unsafe extern "C" fn(*const [u8; 128]);
        // SAFETY: the type is the function's.
        unsafe { self.function::<Lose>("shim_lose_rank")(id) }
    }

    fn switch(self, function: &str, on: bool) {
        // SAFETY: the functions that this is used for are of this type.
        unsafe { self.function::<unsafe extern "C" fn(c_int)>(function)(c_int::from(on)) }
    }

    /// How much work waits in streams.
    pub fn pending(self) -> u64 {
        self.number("shim_pending")
    }

    /// Limits the device's memory to this number of bytes.
    pub fn memory(self, bytes: usize) {
        // SAFETY: the type is the function's.
        unsafe { self.function::<unsafe extern "C" fn(usize)>("shim_memory")(bytes) }
    }

    /// Names the devices, before their number, for contexts from here on: a process knows them by their names.
    pub fn name(self, name: &str) {
        let name = CString::new(name).expect("a name has no NUL");
        // SAFETY: the type is the function's, and the name lives as long as the call.
        unsafe {
            self.function::<unsafe extern "C" fn(*const c_char)>("shim_name")(name.as_ptr());
        }
    }

    /// Waits until the destructors of all user objects without references have run.
    pub fn settle(self) {
        // SAFETY: the type is the function's.
        unsafe { self.function::<unsafe extern "C" fn()>("shim_settle")() }
    }

    /// Fails the test if an illegal call was recorded or objects are alive.
    pub fn expect_clean(self) {
        self.settle();
        assert_eq!(self.violations(), Vec::<String>::new());
        assert_eq!(
            (self.all_live(), self.unfreed()),
            (Vec::new(), BTreeMap::new()),
            "something is left"
        );
    }
}
