//! Partitions of shards: what a rank's items are divided by before they go to other ranks, by splitters that samples of all ranks give.
//!
//! ```
//! use sortsmith_codegen::shard_partition::{self, ShardSpec};
//! let spec: ShardSpec = "shard_partition_f32_u32_b512_i16_r4_asc".parse().unwrap();
//! assert_eq!((spec.max_buckets(), spec.tile_items()), (16, 8192));
//! let header = shard_partition::header(&spec).unwrap();
//! assert!(header.contains("shard_partition_f32_u32_b512_i16_r4_asc_scatter("));
//! ```

mod explain;
mod launch;
mod name;
mod parameters;
mod spec;
mod view;

use crate::contract::family::Source;
use crate::contract::render::RenderError;
use crate::text::markers;

pub use explain::ShardFigures as Figures;
pub use launch::{ShardKernel, ShardLaunch};
pub(crate) use name::PREFIX;
pub use parameters::Arguments;
pub use spec::{MAX_BUCKET_BITS, ShardFields, ShardSpec};
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
        self.scatter_shared_bytes().max(self.count_shared_bytes())
    }
}

/// The header of a spec: self-contained CUDA with its kernels.
pub fn header(spec: &ShardSpec) -> Result<String, RenderError> {
    marked_header(spec).map(|text| markers::strip(&text))
}
