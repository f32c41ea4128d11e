//! The driver's status codes as errors of this crate.

use cudarc::driver::DriverError;
use cudarc::driver::sys::CUresult;

use crate::error::Error;

/// The result of a driver call as one of ours; `doing` completes the sentence "cannot …".
pub fn checked<T>(doing: &'static str, result: Result<T, DriverError>) -> Result<T, Error> {
    result.map_err(|error| Error::Driver { doing, reason: describe(error) })
}

/// The result of an allocation on the device. Running out of memory is an error of its own, which names the allocation.
pub fn allocated<T>(
    what: &'static str,
    bytes: usize,
    result: Result<T, DriverError>,
) -> Result<T, Error> {
    match result {
        Err(DriverError(CUresult::CUDA_ERROR_OUT_OF_MEMORY)) => {
            Err(Error::OutOfDeviceMemory { what, bytes })
        }
        result => checked("allocate memory on the device", result),
    }
}

/// The driver's name of an error and its explanation. The driver is loaded, or it could not have returned an error.
pub fn describe(error: DriverError) -> String {
    match error.error_string() {
        Ok(explanation) => format!("{:?} ({})", error.0, explanation.to_string_lossy()),
        Err(_) => format!("{:?}", error.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn out_of_memory_names_the_allocation_and_its_size() {
        let result: Result<(), _> = Err(DriverError(CUresult::CUDA_ERROR_OUT_OF_MEMORY));
        let error = allocated("indices", 1 << 40, result).expect_err("there is none");
        assert!(matches!(error, Error::OutOfDeviceMemory { what: "indices", .. }), "{error}");
        let text = "no memory on the device for 1099511627776 bytes of indices";
        assert_eq!(error.to_string(), text);
        assert!(matches!(allocated("scratch", 7, Ok(7)), Ok(7)));
    }
}
