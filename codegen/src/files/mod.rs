//! Files and folders: written atomically, and read only where they are trusted.

// Which of these are used depends on the features.
#![cfg_attr(not(all(feature = "build", feature = "cli", feature = "tuning")), allow(dead_code))]

pub(crate) mod atomic;
#[cfg(feature = "toolchain")]
pub mod trust;
