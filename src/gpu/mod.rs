//! The GPU backend. ARCHITECTURE.md has its layers: each module knows only those below it.

pub mod alignment;
pub mod allocation;
pub mod array_kernels;
pub mod capture;
pub mod compile;
pub mod context;
pub mod device_sort;
pub mod device_wide;
pub mod driver;
pub mod families;
pub mod gather;
pub mod graph;
pub mod kernels;
pub mod launch;
pub mod module;
pub mod retired;
pub mod scratch;
pub mod shared;
pub mod side_stream;
pub mod sorts;
pub mod status;
pub mod stream_guard;
pub mod stream_sorter;
pub mod task;
pub mod tile;
pub mod tuning;
