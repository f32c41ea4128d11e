//! Argsorts of keys that are the numbers of bins, such as the experts that tokens go to, with each bin's offsets.
//!
//! ```
//! use sortsmith_codegen::binned_argsort::{self, BinnedSpec};
//! let spec: BinnedSpec = "binned_argsort_u32_b512_i16_r8".parse().unwrap();
//! assert_eq!((spec.max_bins(), spec.tile_items()), (256, 8192));
//! let header = binned_argsort::header(&spec).unwrap();
//! assert!(header.contains("binned_argsort_u32_b512_i16_r8_rows("));
//! ```

mod choice;
mod chunks;
mod exchange;
#[cfg(feature = "explain")]
mod explain;
mod launch;
mod name;
mod parameters;
mod spec;
mod view;

pub use choice::BinnedTask;
pub use chunks::Chunks;
pub use exchange::Exchange;
#[cfg(feature = "explain")]
pub use explain::BinnedFigures as Figures;
pub use launch::{BinnedKernel, BinnedLaunch, BinnedLaunches, BinnedRows};
pub(crate) use name::PREFIX;
pub use parameters::{ChunksArguments, CountArguments, RankArguments, RowsArguments};
pub use spec::{BinnedFields, BinnedSpec, MAX_BINS};
#[doc(hidden)]
pub use view::marked_header;

use crate::contract::family::Source;
use crate::contract::render::RenderError;
use crate::text::markers;

/// The header of a binned argsort: self-contained CUDA with its kernels.
pub fn header(spec: &BinnedSpec) -> Result<String, RenderError> {
    marked_header(spec).map(|text| markers::strip(&text))
}

impl Source for BinnedSpec {
    fn source(&self) -> Result<String, RenderError> {
        header(self)
    }

    fn cuda_header(&self) -> Option<&'static str> {
        None
    }

    fn shared_bytes(&self) -> u32 {
        BinnedSpec::shared_bytes(self)
    }
}
