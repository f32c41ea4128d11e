//! The devices that the tests sort on.
//!
//! Without a CUDA device the tests for it are left out, in a line that says so; with `SORTSMITH_REQUIRE_GPU=1` they fail.

use candle_core::Device;

/// The first CUDA device, one for all tests of a program: kernels are loaded for each of candle's devices anew.
#[cfg(feature = "cuda")]
pub fn cuda() -> Option<Device> {
    use std::io::{Write as _, stderr};
    use std::sync::OnceLock;

    static DEVICE: OnceLock<Option<Device>> = OnceLock::new();
    let open = || match Device::new_cuda(0) {
        Ok(device) => Some(device),
        Err(error) => {
            let is_required = std::env::var("SORTSMITH_REQUIRE_GPU").is_ok_and(|it| it == "1");
            assert!(!is_required, "SORTSMITH_REQUIRE_GPU=1, and there is no CUDA device: {error}");
            let error = error.to_string(); // and a backtrace, where one is wanted
            let reason = error.lines().next().unwrap_or_default();
            // Not by `eprintln`, of which the harness shows nothing where tests pass.
            let _ = writeln!(stderr(), "left out: tensors on a CUDA device: {reason}");
            None
        }
    };
    DEVICE.get_or_init(open).clone()
}

/// None, without the feature `cuda`.
#[cfg(not(feature = "cuda"))]
pub fn cuda() -> Option<Device> {
    None
}
