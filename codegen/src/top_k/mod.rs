//! Top-k: the first k keys of each row of a matrix, and their positions in the row or the values that belong to them. Blocks search long rows, and warps short ones.
//!
//! ```
//! use sortsmith_codegen::top_k::{self, TopKSpec};
//! let spec: TopKSpec = "block_top_k_f32_b256_i8_desc".parse().unwrap();
//! assert_eq!(spec.max_k(), 1024);
//! assert!(top_k::header(&spec).unwrap().contains("block_top_k_f32_b256_i8_desc_rows("));
//! ```

mod any;
mod choice;
#[cfg(feature = "explain")]
mod explain;
pub(crate) mod host;
pub(crate) mod launch;
pub(crate) mod listed;
mod name;
mod parameters;
pub(crate) mod plan;
mod ranked;
mod spec;
mod value;
mod view;
pub mod warp;

pub use any::AnyTopK;
pub use choice::{Candidate, TopKTask};
#[cfg(feature = "explain")]
pub use explain::TopKFigures as Figures;
pub use launch::{TopKKernel, TopKLaunch, TopKLaunches, TopKRows};
pub use listed::{ListedLaunches, ListedScratch, RowSample};
pub(crate) use name::PREFIX;
pub use parameters::{
    CandidatesArguments, FilteredArguments, FoundArguments, ListedArguments, RankedArguments,
    RowsArguments, SamplesArguments, SurvivorsArguments,
};
pub use plan::{TopKLists, TopKPlan, TopKStep};
pub use ranked::{RankedLaunches, RankedScratch};
pub use spec::{TopKFields, TopKSpec};
pub use value::TopKValue;
#[doc(hidden)]
pub use view::marked_header;

use crate::contract::family::Source;
use crate::contract::render::RenderError;
use crate::text::markers;

/// The header of a top-k: self-contained CUDA with its kernels.
pub fn header(spec: &TopKSpec) -> Result<String, RenderError> {
    marked_header(spec).map(|text| markers::strip(&text))
}

impl Source for TopKSpec {
    fn source(&self) -> Result<String, RenderError> {
        header(self)
    }

    fn cuda_header(&self) -> Option<&'static str> {
        self.key.info().header
    }

    fn shared_bytes(&self) -> u32 {
        TopKSpec::shared_bytes(self)
    }
}
