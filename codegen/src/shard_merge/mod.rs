//! Merges of shards: the search for the borders of the ranks' shares in sorted runs, and the merge of ranges of such runs.
//!
//! ```
//! use sortsmith_codegen::shard_merge::{self, ShardSpec};
//! let spec: ShardSpec = "shard_merge_f32_u32_b256_i16_asc".parse().unwrap();
//! assert_eq!(spec.tile_items(), 4096);
//! let header = shard_merge::header(&spec).unwrap();
//! assert!(header.contains("shard_merge_f32_u32_b256_i16_asc_merge("));
//! ```

#[cfg(feature = "explain")]
mod explain;
mod launch;
mod name;
mod parameters;
mod rounds;
mod spec;
mod view;

use crate::contract::family::Source;
use crate::contract::render::RenderError;
use crate::text::markers;

#[cfg(feature = "explain")]
pub use explain::ShardFigures as Figures;
pub use launch::{ShardKernel, ShardLaunch};
pub(crate) use name::PREFIX;
pub use parameters::Arguments;
pub use rounds::{MAX_CANDIDATES, Round, max_candidates, rounds};
pub use spec::{ShardFields, ShardSpec};
#[doc(hidden)]
pub use view::marked_header;

impl Source for ShardSpec {
    fn source(&self) -> Result<String, RenderError> {
        header(self)
    }

    fn cuda_header(&self) -> Option<&'static str> {
        self.key.info().header
    }

    fn shared_bytes(&self) -> u32 {
        ShardSpec::shared_bytes(self)
    }
}

/// The header of a spec: self-contained CUDA with its kernels.
pub fn header(spec: &ShardSpec) -> Result<String, RenderError> {
    marked_header(spec).map(|text| markers::strip(&text))
}
