//! Heads: what a record was measured on.

use jiff::civil::Date;
use sortsmith_codegen::Arch;

/// What a run was, as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// The GPU's name, as its driver says it.
    pub gpu: String,
    /// Its architecture.
    pub arch: Option<Arch>,
    /// The version of the driver.
    pub driver: Option<String>,
    /// What compiled the generated kernels, with its version.
    pub compiler: Option<String>,
    /// The version of CUB.
    pub cub: Option<String>,
    /// The commit of this project, with `-dirty` where files were changed.
    pub commit: Option<String>,
    /// The day, in universal time.
    pub date: Date,
    /// The clock of the multiprocessors, in MHz, right after the last measurement.
    pub sm_clock_mhz: Option<u32>,
    /// The clock of the memory, in MHz, likewise.
    pub memory_clock_mhz: Option<u32>,
    /// The bytes that a copy on the device reads and writes in a second, in billions, measured in the same run.
    pub copy_gbytes_per_second: Option<f64>,
}
