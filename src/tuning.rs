//! Shapes of sorts that were measured on a GPU, and come before the built-in ones there.
//!
//! `sortsmith tune` measures them and writes files, which sorters find by themselves: `SORTSMITH_TUNING`, else the cache folder.
//! With [`Sorter::with_tuning`](crate::Sorter::with_tuning) a program gives its own. Either way the results are the same bit
//! for bit.
//!
//! ```no_run
//! use cudarc::driver::CudaContext;
//! use sortsmith::Sorter;
//! use sortsmith::tuning::{GpuId, TuningFile};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let stream = CudaContext::new(0)?.default_stream();
//! let gpu: Option<GpuId> = Sorter::on(&stream)?.gpu_id();
//! let Some(gpu) = gpu else { return Ok(()) };
//! let file = TuningFile::read("shipped/h200.toml".as_ref(), &gpu)?;
//! let sorter = Sorter::with_tuning(&stream, file.tuning())?;
//! # Ok(())
//! # }
//! ```

pub use sortsmith_codegen::tuning::file::{GpuId, TuningError, TuningFile};
pub use sortsmith_codegen::tuning::{Case, SizeClass, Tuning};
