//! What sortsmith's tests share: an oracle, inputs, a sampler of specs, and the driver of the emulator.

pub mod cases;
pub mod device_cases;
pub mod emulator;
pub mod gather_cases;
pub mod inputs;
pub mod oracle;
pub mod runner;
pub mod sampler;
pub mod seed;
pub mod subject;
