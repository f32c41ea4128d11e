//! What the benches and the reports share.
//!
//! A **record** is what one run of a bench leaves: a [`Head`] that says on what it ran, and [`Row`]s, each the time of one
//! sort by one library. This crate alone knows how a record is written: a CSV file with the head as lines `# key: value`
//! before the names of the columns. What is not known is empty, never guessed.
//!
//! ```
//! use sortsmith_benchkit::Record;
//!
//! # let text = sortsmith_benchkit::EXAMPLE;
//! let record = Record::parse("2026-11-22-device.csv".as_ref(), text)?;
//! assert_eq!(record.head.gpu, "NVIDIA H200");
//! let fastest = record.rows.iter().min_by(|a, b| a.milliseconds.total_cmp(&b.milliseconds));
//! assert_eq!(fastest.map(|row| row.id.to_string()).as_deref(), Some("device u32_keys random 4096 asc: sortsmith into"));
//! # Ok::<(), sortsmith_benchkit::RecordError>(())
//! ```

mod cell;
pub mod classes;
#[cfg(feature = "cuda")]
pub mod gpu;
mod head;
mod input;
pub mod machine;
#[cfg(feature = "matrix")]
pub mod matrix;
mod record;
mod row;
mod segments;
pub mod settings;
mod times;
mod types;
mod words;

pub use classes::Class;
pub use head::Head;
pub use input::{Input, scattered, zipf_rank};
pub use jiff::civil::Date;
pub use record::{Record, RecordError};
pub use row::{Case, Columns, Contender, Id, Row, Shape, UNSTEADY_PERCENT};
pub use segments::{Segments, UnknownSegments};
pub use times::Times;
pub use types::Types;
pub use words::{Cache, Group, Lengths, Library, Mark, Method};

/// The beginning of a record, for examples and tests.
#[doc(hidden)]
pub const EXAMPLE: &str = include_str!("example.csv");
