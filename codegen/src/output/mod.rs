//! What people and programs get: folders of headers, matrices of them, explanations, bundles of compiled kernels.

#[cfg(feature = "build")]
pub mod bundle;
#[cfg(feature = "emit")]
pub mod device_facade;
#[cfg(feature = "emit")]
pub mod emit;
#[cfg(feature = "explain")]
pub mod explain;
#[cfg(feature = "emit")]
mod facade_hosts;
#[cfg(feature = "emit")]
mod facade_text;
#[cfg(feature = "matrix")]
pub mod headers;
pub mod matrix;
#[cfg(feature = "emit")]
pub mod rows_facade;
#[cfg(feature = "emit")]
pub mod segmented_facade;
#[cfg(feature = "emit")]
pub mod top_k_facade;
