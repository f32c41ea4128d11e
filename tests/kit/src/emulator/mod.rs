//! Running generated CUDA on the CPU: many specs become one program, which answers requests over a pipe.
//!
//! `tests/emulator/driver.hpp`, `device_driver.hpp` and the `driver.hpp` in folders of families are the other side; they document the
//! protocol and how a program is composed.

mod build;
mod request;
mod session;
mod sites;
mod source;
mod supplied;

use std::path::PathBuf;

pub use build::{Batch, BuildError, Compiler, Flavour};
pub use request::{CountOfRequest, DeviceRequest, Entry, Message, Request, RowsOfRequest};
pub(crate) use request::{bits_of, long_words, words};
pub use session::{Outcome, Session, SessionError};
pub use sites::{Site, calls_in};
pub use source::{ArgumentTable, Kind, Member};
pub(crate) use source::{KERNELS, main_source};
pub use supplied::supplied_parts;

/// Schedules that the emulator has for the threads of a block; a run's seed chooses one by its remainder.
pub const SCHEDULES: u64 = 6;

/// The folder of the emulator's sources.
pub fn source_dir() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../emulator"))
}
