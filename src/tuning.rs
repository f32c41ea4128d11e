//! Shapes of sorts that were measured on a GPU, and take precedence over the built-in ones there.
//!
//! `sortsmith tune` measures them and writes files, which sorters read: the file that `SORTSMITH_TUNING` names, else the one in the
//! cache folder. [`Sorter::with_tuning`](crate::Sorter::with_tuning) takes a tuning from the program. The results are the same bit
//! for bit.
//!
//! ```no_run
//! use sortsmith::Sorter;
//! use sortsmith::tuning::{GpuId, TuningFile};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let stream = sortsmith::cuda_context(0)?.default_stream();
//! let gpu: Option<GpuId> = Sorter::on(&stream)?.gpu_id();
//! let Some(gpu) = gpu else { return Ok(()) };
//! let file = TuningFile::read("shipped/h200.toml".as_ref(), &gpu)?;
//! let sorter = Sorter::with_tuning(&stream, file.tuning())?;
//! # Ok(())
//! # }
//! ```

pub use sortsmith_codegen::tuning::file::{GpuId, TuningError, TuningFile};
pub use sortsmith_codegen::tuning::{Case, SizeClass, Tuning};
