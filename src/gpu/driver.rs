//! The driver, loaded so that its absence is an error.
//!
//! cudarc loads the driver at its first call and panics where there is none, so [`open`] comes before any call of cudarc's.
//! cudarc's other panics are assertions about lengths and names, which the calls in this crate satisfy.

use std::any::TypeId;
use std::mem::ManuallyDrop;
use std::sync::{Arc, OnceLock};

use cudarc::driver::{CudaContext, DriverError, sys::CUresult};
use libloading::Library;
use sortsmith_codegen::toolchain::DRIVER_LIBRARY;

use super::launch::LaunchEx;
use super::status::{checked, describe};
use crate::error::Error;
use crate::settings::Settings;

/// The oldest driver supported: the first of cudarc's bindings. Stream-ordered allocation came a little earlier.
const NEEDED: (i32, i32) = (11, 4);

/// The oldest driver with graphs that support programmatic launches; it is undocumented what earlier ones do when one is captured.
const NEEDED_FOR_EARLY_LAUNCHES: (i32, i32) = (12, 3);

/// The driver, loaded for as long as the process lives.
#[derive(Clone, Copy, Debug)]
pub struct Driver {
    /// Its call for programmatic launches.
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

/// Whether a module of cudarc's calls has the function that it has only where cudarc loads the driver itself.
macro_rules! has_presence_check {
    ($($module:tt)::+) => {{
        /// Stands in for cudarc's function where cudarc has none.
        #[allow(dead_code)] // where cudarc has it
        mod linked {
            pub unsafe fn is_culib_present() {}
        }
        fn is_bool<R: 'static>(_: impl Fn() -> R) -> bool {
            TypeId::of::<R>() == TypeId::of::<bool>()
        }
        #[allow(unused_imports)] // where cudarc has it
        use linked::*;
        {
            // Only a wildcard import may name a function that does not exist.
            #[allow(clippy::wildcard_imports, unused_imports)]
            use $($module)::+::*;
            // SAFETY: the closure is never called; only its return type is inspected.
            is_bool(|| unsafe { is_culib_present() })
        }
    }};
}

/// Whether cudarc loads the driver itself; if not, its features link the program with it. Features of another crate are not
/// visible here.
fn is_loaded_by_cudarc() -> bool {
    has_presence_check!(cudarc::driver::sys)
}

/// What the verbose mode says of a program that is linked with the driver.
fn warning_of_linking(is_loaded_by_cudarc: bool) -> Option<&'static str> {
    (!is_loaded_by_cudarc).then_some(
        "cudarc links this program with the driver (its feature dynamic-linking or static-linking): \
         where the driver is missing it does not start",
    )
}

fn load(name: &str) -> Result<Driver, Refusal> {
    let missing = |error: libloading::Error| {
        let reason = std::error::Error::source(&error).map(ToString::to_string);
        Refusal::Missing(reason.unwrap_or_else(|| error.to_string()))
    };
    // SAFETY: loading runs the library's initialisers. It is NVIDIA's driver; its initialisers have no preconditions.
    let library = ManuallyDrop::new(unsafe { Library::new(name) }.map_err(missing)?);
    let mut version = 0i32;
    // SAFETY: the type is cuDriverGetVersion's, and the pointer is to a live integer.
    let code = unsafe {
        let call = library.get::<unsafe extern "C" fn(*mut i32) -> i32>(b"cuDriverGetVersion\0");
        call.map_err(missing)?(&raw mut version)
    };
    if code != 0 {
        return Err(Refusal::Missing(format!("cuDriverGetVersion failed (code {code})")));
    }
    let found = (version / 1000, version % 1000 / 10);
    if found < NEEDED {
        return Err(Refusal::TooOld(found));
    }
    if let Some(warning) = warning_of_linking(is_loaded_by_cudarc()) {
        Settings::from_env().say(|| warning.to_owned());
    }
    // SAFETY: the library answered as the driver does, and is never unloaded.
    let launch_ex = unsafe { LaunchEx::of(&library) };
    Ok(Driver { early_launches: launch_ex.filter(|_| found >= NEEDED_FOR_EARLY_LAUNCHES) })
}

/// The primary CUDA context of the device with this ordinal, which counts from 0.
///
/// It is the context that cudarc's `CudaContext::new` returns. Where there is no driver cudarc panics, and this is
/// [`Error::NoDriver`]; other errors are [`Error::DriverTooOld`], [`Error::NoDevice`] and [`Error::InvalidDevice`]. Call it before
/// any other function of cudarc's.
///
/// ```
/// use sortsmith::Sorter;
///
/// match sortsmith::cuda_context(0) {
///     Ok(context) => {
///         let stream = context.default_stream();
///         let mut keys = stream.clone_htod(&[3u32, 1, 2])?;
///         Sorter::on(&stream)?.sort::<u32>(&mut keys)?;
///         assert_eq!(stream.clone_dtoh(&keys)?, [1, 2, 3]);
///     }
///     Err(error) => println!("{error}"), // such as: no CUDA driver
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn context(ordinal: usize) -> Result<Arc<CudaContext>, Error> {
    open()?;
    let devices = match CudaContext::device_count() {
        Ok(count) => count.unsigned_abs() as usize,
        Err(DriverError(CUresult::CUDA_ERROR_NO_DEVICE)) => 0,
        Err(error) => return Err(Error::NoDevice { reason: describe(error) }),
    };
    if devices == 0 {
        return Err(Error::NoDevice { reason: "none is visible to this process".to_owned() });
    }
    if ordinal >= devices {
        return Err(Error::InvalidDevice { ordinal, devices });
    }
    checked("make a context on the device", CudaContext::new(ordinal))
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

    /// As cudarc's calls are with its features that load the driver.
    mod loading {
        pub unsafe fn is_culib_present() -> bool {
            true
        }
    }

    /// As they are with its features that link it.
    mod linking {
        #[allow(dead_code)]
        pub fn another() {}
    }

    #[test]
    fn a_cudarc_that_loads_the_driver_differs_from_one_that_links_it() {
        assert!(has_presence_check!(self::loading));
        assert!(!has_presence_check!(self::linking));
    }

    #[test]
    fn a_program_that_is_linked_with_the_driver_is_warned_of_in_a_line() {
        assert_eq!(warning_of_linking(has_presence_check!(self::loading)), None);
        let warning = warning_of_linking(has_presence_check!(self::linking)).expect("it is linked");
        for words in ["dynamic-linking", "static-linking", ": where the driver is missing"] {
            assert!(warning.contains(words), "{warning}");
        }
        assert!(!warning.contains(['\n', '\t']) && !warning.contains("  "), "{warning:?}");
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
