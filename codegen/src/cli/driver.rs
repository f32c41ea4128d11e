//! The CUDA driver, if there is one: its version and its devices. A missing library is an answer, not a panic.

use std::ffi::{CStr, c_char, c_int};

use libloading::Library;
use serde::Serialize;
use sortsmith_codegen::toolchain::DRIVER_LIBRARY;

const ATTRIBUTE_MAJOR: c_int = 75;
const ATTRIBUTE_MINOR: c_int = 76;

/// The driver and its devices.
#[derive(Debug, Serialize)]
pub struct Driver {
    /// The CUDA version that it supports, such as `13.0`.
    pub version: String,
    /// The devices that it offers.
    pub devices: Vec<Device>,
    /// Why it offers none, where it says so.
    pub problem: Option<String>,
}

/// A device.
#[derive(Debug, Serialize)]
pub struct Device {
    /// Its name.
    pub name: String,
    /// Its architecture, such as `sm_90`.
    pub arch: String,
    /// Bytes of its memory.
    pub memory_bytes: u64,
}

type Get = unsafe extern "C" fn(*mut c_int) -> c_int;
type Init = unsafe extern "C" fn(u32) -> c_int;
type ErrorName = unsafe extern "C" fn(c_int, *mut *const c_char) -> c_int;
type DeviceGet = unsafe extern "C" fn(*mut c_int, c_int) -> c_int;
type DeviceName = unsafe extern "C" fn(*mut c_char, c_int, c_int) -> c_int;
type DeviceAttribute = unsafe extern "C" fn(*mut c_int, c_int, c_int) -> c_int;
type DeviceMemory = unsafe extern "C" fn(*mut usize, c_int) -> c_int;

/// A call of the driver that did not work.
enum CallError {
    /// The library has no such function.
    Missing(String),
    /// The function failed with this code.
    Failed(&'static str, c_int),
}

/// Queries the driver. The error says why there is none.
pub fn find() -> Result<Driver, String> {
    // SAFETY: loading runs the initialisers of NVIDIA's driver library, which ask nothing of the process.
    let library = unsafe { Library::new(DRIVER_LIBRARY) }.map_err(|error| reason(&error))?;
    let mut version = 0;
    call("cuDriverGetVersion", |name| {
        // SAFETY: the type is cuDriverGetVersion's, and the pointer is to a live integer.
        unsafe { Ok(library.get::<Get>(name)?(&raw mut version)) }
    })
    .map_err(|error| words(&library, &error))?;
    let version = format!("{}.{}", version / 1000, version % 1000 / 10);
    let (devices, problem) = match devices(&library) {
        Ok(devices) => (devices, None),
        Err(error) => (Vec::new(), Some(words(&library, &error))),
    };
    Ok(Driver { version, devices, problem })
}

fn devices(library: &Library) -> Result<Vec<Device>, CallError> {
    call("cuInit", |name| {
        // SAFETY: the type is cuInit's; 0 is the only legal flag.
        unsafe { Ok(library.get::<Init>(name)?(0)) }
    })?;
    let mut count = 0;
    call("cuDeviceGetCount", |name| {
        // SAFETY: the type is cuDeviceGetCount's, and the pointer is to a live integer.
        unsafe { Ok(library.get::<Get>(name)?(&raw mut count)) }
    })?;
    (0..count).map(|ordinal| device(library, ordinal)).collect()
}

fn device(library: &Library, ordinal: c_int) -> Result<Device, CallError> {
    let (mut device, mut major, mut minor, mut memory_bytes) = (0, 0, 0, 0usize);
    let mut name = [0 as c_char; 256];
    call("cuDeviceGet", |symbol| {
        // SAFETY: the type is cuDeviceGet's, and the pointer is to a live integer.
        unsafe { Ok(library.get::<DeviceGet>(symbol)?(&raw mut device, ordinal)) }
    })?;
    call("cuDeviceGetName", |symbol| {
        // SAFETY: the type is cuDeviceGetName's; it writes at most as many bytes as its argument says, its NUL included.
        unsafe {
            Ok(library.get::<DeviceName>(symbol)?(name.as_mut_ptr(), name.len() as c_int, device))
        }
    })?;
    for (attribute, number) in [(ATTRIBUTE_MAJOR, &mut major), (ATTRIBUTE_MINOR, &mut minor)] {
        call("cuDeviceGetAttribute", |symbol| {
            // SAFETY: the type is cuDeviceGetAttribute's, and the pointer is to a live integer.
            unsafe { Ok(library.get::<DeviceAttribute>(symbol)?(number, attribute, device)) }
        })?;
    }
    call("cuDeviceTotalMem_v2", |symbol| {
        // SAFETY: the type is cuDeviceTotalMem's, and the pointer is to a live integer.
        unsafe { Ok(library.get::<DeviceMemory>(symbol)?(&raw mut memory_bytes, device)) }
    })?;
    // SAFETY: the array was zeroed and the driver ends what it writes with a NUL.
    let name = unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy().into_owned();
    Ok(Device { name, arch: format!("sm_{major}{minor}"), memory_bytes: memory_bytes as u64 })
}

/// Calls a function of the driver by its name.
fn call(
    symbol: &'static str,
    function: impl FnOnce(&[u8]) -> Result<c_int, libloading::Error>,
) -> Result<(), CallError> {
    match function(symbol.as_bytes()) {
        Ok(0) => Ok(()),
        Ok(code) => Err(CallError::Failed(symbol, code)),
        Err(error) => Err(CallError::Missing(reason(&error))),
    }
}

/// The error, with the driver's own name of a code as far as it has one.
fn words(library: &Library, error: &CallError) -> String {
    let (symbol, code) = match error {
        CallError::Missing(reason) => return reason.clone(),
        CallError::Failed(symbol, code) => (*symbol, *code),
    };
    let mut name = std::ptr::null();
    let found = call("cuGetErrorName", |function| {
        // SAFETY: the type is cuGetErrorName's; it sets the pointer to a static string, or to null.
        unsafe { Ok(library.get::<ErrorName>(function)?(code, &raw mut name)) }
    });
    if found.is_err() || name.is_null() {
        return format!("{symbol} failed (code {code})");
    }
    // SAFETY: the driver set it to a static C string.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    format!("{symbol} failed (code {code}, {name})")
}

/// The loader's own words, which its error keeps one level down.
fn reason(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}
