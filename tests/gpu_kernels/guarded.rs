//! Device memory with red zones around it.

use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream, DevicePtr, DriverError};

/// Bytes in front of and behind the memory; a multiple of every alignment there is.
const ZONE: usize = 256;
/// What red zones hold. As a key it is a number unlike others, as a value an unlikely one.
const ZONE_BYTE: u8 = 0xa5;
/// What outputs hold before the kernel writes them.
pub const POISON_BYTE: u8 = 0xdb;

/// Device memory between two red zones.
pub struct Guarded {
    memory: CudaSlice<u8>,
    stream: Arc<CudaStream>,
}

impl Guarded {
    /// Memory that holds these bytes.
    pub fn holding(stream: &Arc<CudaStream>, bytes: &[u8]) -> Result<Self, DriverError> {
        let mut image = vec![ZONE_BYTE; bytes.len() + 2 * ZONE];
        image[ZONE..][..bytes.len()].copy_from_slice(bytes);
        Ok(Self { memory: stream.clone_htod(&image)?, stream: stream.clone() })
    }

    /// Memory for the output of a kernel.
    pub fn poisoned(stream: &Arc<CudaStream>, length: usize) -> Result<Self, DriverError> {
        Self::holding(stream, &vec![POISON_BYTE; length])
    }

    /// Where the memory begins on the device.
    pub fn address(&self) -> u64 {
        self.memory.device_ptr(&self.stream).0 + ZONE as u64
    }

    /// What the memory holds now, if its red zones are as they were.
    pub fn read(&self, what: &str) -> Result<Vec<u8>, String> {
        let mut image = self.stream.clone_dtoh(&self.memory).map_err(|error| error.to_string())?;
        self.stream.synchronize().map_err(|error| error.to_string())?;
        let behind = image.split_off(image.len() - ZONE);
        let bytes = image.split_off(ZONE);
        for (zone, side) in [(image, "in front of"), (behind, "behind")] {
            let touched = zone.iter().filter(|byte| **byte != ZONE_BYTE).count();
            if touched > 0 {
                return Err(format!("{touched} bytes {side} {what} were written"));
            }
        }
        Ok(bytes)
    }
}
