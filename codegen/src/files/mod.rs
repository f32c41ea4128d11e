//! Files and folders: written whole, and read only where they are trusted.

pub(crate) mod atomic;
#[cfg(feature = "toolchain")]
pub mod trust;
