//! Sorts of segments: ranges of one device array, each sorted by itself, by offsets that only the device knows.
//!
//! ```
//! use sortsmith_codegen::segments::{self, SegmentSpec};
//! let spec: SegmentSpec = "segmented_merge_sort_f32_u32_b256_i16_asc".parse().unwrap();
//! let header = segments::header(&spec).unwrap();
//! assert!(header.contains("segmented_merge_sort_f32_u32_b256_i16_asc_classify("));
//! ```

mod arguments;
#[cfg(feature = "explain")]
mod explain;
mod launch;
mod name;
mod networks;
mod spec;
mod view;

use crate::contract::family::Source;
use crate::contract::render::RenderError;
use crate::text::{guard, markers};

pub use arguments::{Arguments, CountArguments};
#[cfg(feature = "explain")]
pub use explain::SegmentFigures as Figures;
pub(crate) use launch::{HostFacts, HostLaunch, MAX_ITEMS, ZEROED_BYTES};
pub use launch::{Problem, Scratch, SegmentKernel, SegmentLaunch};
pub(crate) use name::PREFIX;
pub use spec::{SegmentFields, SegmentSpec};

impl Source for SegmentSpec {
    fn source(&self) -> Result<String, RenderError> {
        header(self)
    }

    fn cuda_header(&self) -> Option<&'static str> {
        self.key.info().header
    }

    fn shared_bytes(&self) -> u32 {
        self.tile_shared_bytes()
    }
}

/// The header of a spec: self-contained CUDA with its kernels.
pub fn header(spec: &SegmentSpec) -> Result<String, RenderError> {
    marked_header(spec).map(|text| markers::strip(&text))
}

/// The header with the template's [`markers`].
#[doc(hidden)]
pub fn marked_header(spec: &SegmentSpec) -> Result<String, RenderError> {
    let mut text = view::render(spec)
        .map_err(|source| RenderError::Device { name: spec.to_string(), source })?;
    text.push('\n');
    networks::inserted(&text, &guard(&spec.to_string()), spec)
}

#[cfg(test)]
mod tests;
