//! The driver, opened so that its absence is an error.
//!
//! cudarc loads the driver at its first call and panics where there is none, so nothing of it is called before [`open`]
//! has been. Its other panics are asserts about lengths and names, which its callers here keep.

use std::any::TypeId;
use std::mem::ManuallyDrop;
use std::sync::{Arc, OnceLock};

use cudarc::driver::{CudaContext, DriverError, sys::CUresult};
use libloading::Library;
use sortsmith_codegen::toolchain::DRIVER_LIBRARY;

use super::compile::Settings;
use super::launch::LaunchEx;
use crate::Error;

/// The oldest driver: cudarc's bindings begin here, and stream-ordered allocation a little earlier.
const NEEDED: (i32, i32) = (11, 4);

/// The oldest driver whose graphs know launches that begin early. What those before it make of a captured one is not said.
const NEEDED_FOR_EARLY_LAUNCHES: (i32, i32) = (12, 3);

/// The driver, loaded for as long as the process lives.
#[derive(Clone, Copy, Debug)]
pub struct Driver {
    /// Its call for launches that begin early.
    pub early_launches: Option<LaunchEx>,
}

/// Why the driver cannot be used; the same for the life of the process.
#[derive(Clone, Debug)]
enum Refusal {
    Missing(String),
    TooOld((i32, i32)),
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Missing(reason) => Self::NoDriver { reason },
            Refusal::TooOld(found) => Self::DriverTooOld { found, needed: NEEDED },
        }
    }
}

/// Loads the driver, once, and keeps it loaded.
pub fn open() -> Result<Driver, Error> {
    static DRIVER: OnceLock<Result<Driver, Refusal>> = OnceLock::new();
    Ok(DRIVER.get_or_init(|| load(DRIVER_LIBRARY)).clone()?)
}

/// Whether cudarc loads the driver itself. If not, its features link the program with it. A feature of another crate's is
/// not to be seen from here, but the function is that it brings.
fn is_loaded_by_cudarc() -> bool {
    /// What has the place of cudarc's function where there is none.
    #[allow(dead_code)] // else
    mod linked {
        pub unsafe fn is_culib_present() {}
    }
    fn is_bool<R: 'static>(_: impl Fn() -> R) -> bool {
        TypeId::of::<R>() == TypeId::of::<bool>()
    }
    #[allow(unused_imports)] // where cudarc has it
    use linked::*;
    {
        // A name that is not there can be looked for by a wildcard alone, and is not used then.
        #[allow(clippy::wildcard_imports, unused_imports)]
        use cudarc::driver::sys::*;
        // SAFETY: this is never called, for its type is asked alone.
        is_bool(|| unsafe { is_culib_present() })
    }
}

fn load(name: &str) -> Result<Driver, Refusal> {
    let told = |error: libloading::Error| {
        let words = std::error::Error::source(&error).map(ToString::to_string);
        Refusal::Missing(words.unwrap_or_else(|| error.to_string()))
    };
    // SAFETY: loading runs the library's initialisers. The name is that of NVIDIA's driver, whose initialisers ask
    // nothing of the process.
    let library = ManuallyDrop::new(unsafe { Library::new(name) }.map_err(told)?);
    let mut version = 0i32;
    // SAFETY: the type is cuDriverGetVersion's, and the pointer is to a live integer.
    let code = unsafe {
        let ask = library.get::<unsafe extern "C" fn(*mut i32) -> i32>(b"cuDriverGetVersion\0");
        ask.map_err(told)?(&raw mut version)
    };
    if code != 0 {
        return Err(Refusal::Missing(format!("cuDriverGetVersion failed (code {code})")));
    }
    let found = (version / 1000, version % 1000 / 10);
    if found < NEEDED {
        return Err(Refusal::TooOld(found));
    }
    if !is_loaded_by_cudarc() {
        Settings::from_env().say(|| {
            "cudarc links this program with the driver (its feature dynamic-linking or static-linking): \
             where the driver is missing it does not start"
                .to_owned()
        });
    }
    // SAFETY: it has answered as the driver does, and is never unloaded.
    let launch_ex = unsafe { LaunchEx::of(&library) };
    Ok(Driver { early_launches: launch_ex.filter(|_| found >= NEEDED_FOR_EARLY_LAUNCHES) })
}

/// The primary context of a device.
pub fn context(ordinal: usize) -> Result<Arc<CudaContext>, Error> {
    open()?;
    let devices = match CudaContext::device_count() {
        Ok(count) => count.unsigned_abs() as usize,
        Err(DriverError(CUresult::CUDA_ERROR_NO_DEVICE)) => 0,
        Err(error) => return Err(Error::NoDevice { reason: words(error) }),
    };
    if devices == 0 {
        return Err(Error::NoDevice { reason: "none is visible to this process".to_owned() });
    }
    if ordinal >= devices {
        return Err(Error::InvalidDevice { ordinal, devices });
    }
    told("make a context on the device", CudaContext::new(ordinal))
}

/// A result of the driver's as one of ours.
pub fn told<T>(doing: &'static str, result: Result<T, DriverError>) -> Result<T, Error> {
    result.map_err(|error| Error::Driver { doing, reason: words(error) })
}

/// The driver's name of an error and its explanation. There is a driver, or there would be no such error.
pub fn words(error: DriverError) -> String {
    match error.error_string() {
        Ok(explanation) => format!("{:?} ({})", error.0, explanation.to_string_lossy()),
        Err(_) => format!("{:?}", error.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_an_error_that_says_what_to_do() {
        let refusal = load("libno-such-driver.so.1").expect_err("there is no such library");
        let error = Error::from(refusal).to_string();
        assert!(error.contains("libno-such-driver.so.1") && error.contains("install"), "{error}");
    }

    #[test]
    fn cudarc_loads_the_driver() {
        assert!(is_loaded_by_cudarc());
    }

    #[test]
    fn another_library_is_no_driver() {
        let library = if cfg!(windows) { "kernel32.dll" } else { "libc.so.6" };
        let refusal = load(library).expect_err("it is no driver");
        assert!(
            matches!(&refusal, Refusal::Missing(reason) if reason.contains("cuDriverGetVersion"))
        );
    }

    #[test]
    fn opening_and_contexts_do_not_panic() {
        if let Err(error) = open() {
            assert!(
                matches!(error, Error::NoDriver { .. } | Error::DriverTooOld { .. }),
                "{error}"
            );
            assert!(context(0).is_err());
        } else if let Err(error) = context(usize::MAX) {
            let is_typed = matches!(error, Error::InvalidDevice { .. } | Error::NoDevice { .. });
            assert!(is_typed, "{error}");
        }
    }
}
