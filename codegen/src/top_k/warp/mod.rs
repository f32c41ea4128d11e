//! Top-ks of rows that a warp holds in registers.
//!
//! ```
//! use sortsmith_codegen::warp_top_k::{self, WarpTopKSpec};
//! let spec: WarpTopKSpec = "warp_top_k_f32_i32_k64_desc".parse().unwrap();
//! assert_eq!(spec.max_columns(), 1024);
//! assert!(warp_top_k::header(&spec).unwrap().contains("warp_top_k_f32_i32_k64_desc_rows("));
//! ```

mod name;
mod parameters;
mod spec;
mod view;

#[cfg(feature = "explain")]
pub use super::Figures;
pub(crate) use name::PREFIX;
pub use parameters::RowsArguments;
pub use spec::{WarpTopKFields, WarpTopKSpec};
#[doc(hidden)]
pub use view::marked_header;

use crate::contract::family::Source;
use crate::contract::render::RenderError;
use crate::text::markers;

/// The header of a top-k by warps: self-contained CUDA with its kernel.
pub fn header(spec: &WarpTopKSpec) -> Result<String, RenderError> {
    marked_header(spec).map(|text| markers::strip(&text))
}

impl Source for WarpTopKSpec {
    fn source(&self) -> Result<String, RenderError> {
        header(self)
    }

    fn cuda_header(&self) -> Option<&'static str> {
        self.key.info().header
    }

    fn shared_bytes(&self) -> u32 {
        WarpTopKSpec::shared_bytes(self)
    }
}
