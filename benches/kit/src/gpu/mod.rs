//! Sorts on a GPU: the arrays that they share, clocks, this project's sorts and CUB's.

#[cfg(feature = "matrix")]
mod device_time;
#[path = "../../../../tests/gpu_kernels/driver.rs"]
mod driver;
mod peers;
pub mod tiles;

#[cfg(feature = "matrix")]
pub use device_time::{DeviceTime, nanoseconds};
use driver::push_taken;
pub use driver::{Gpu, tile_config};
pub use peers::Peers;

use cudarc::driver::DriverError;

use crate::Times;

fn driver_error(error: DriverError) -> String {
    error.to_string()
}

fn times_or_error(milliseconds: Vec<f64>) -> Result<Times, String> {
    Times::of(milliseconds).ok_or_else(|| "there is no repetition".to_owned())
}
