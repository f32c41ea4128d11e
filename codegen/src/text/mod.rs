//! What every header has: include guards, the namespace, the text of `templates/common`, the types as templates show them.

pub(crate) mod common;
pub(crate) mod header;
pub(crate) mod key;
pub(crate) mod key_kinds;
pub mod markers;
pub(crate) mod slots;
mod storage;
pub(crate) mod value;

pub use storage::STORAGE_HEADERS;

/// The namespace that this version's headers are in, inside `sortsmith`; inline, so that callers do not write it, and
/// versioned, so that headers of two versions can be in one program.
pub fn version_namespace() -> String {
    format!("v{}", env!("CARGO_PKG_VERSION").replace(['.', '-', '+'], "_"))
}

/// The macro that says that a file has this part already, in this version.
pub(crate) fn guard(part: &str) -> String {
    format!("SORTSMITH_{}_{part}", version_namespace()).to_uppercase()
}
