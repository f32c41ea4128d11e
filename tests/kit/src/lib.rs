//! What sortsmith's tests share: an oracle, inputs, a sampler of specs, the driver of the emulator, a command line.

pub mod cases;
pub mod command_line;
pub mod cores;
pub mod device_cases;
pub mod device_families;
pub mod emulator;
pub(crate) mod found;
pub mod inputs;
pub mod kernel_families;
pub mod oracle;
pub mod proven;
pub mod row_cases;
pub mod runner;
pub mod sampler;
pub mod seed;
pub mod structured;
pub mod subject;
