//! What people and programs get: folders of headers, matrices of them, explanations, bundles of compiled kernels.

#[cfg(feature = "build")]
pub mod bundle;
pub mod device_facade;
#[cfg(feature = "emit")]
pub mod emit;
pub mod explain;
mod facade_hosts;
mod facade_text;
#[cfg(feature = "matrix")]
pub mod headers;
pub mod matrix;
pub mod rows_facade;
pub mod segmented_facade;
pub mod top_k_facade;
