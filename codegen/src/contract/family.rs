//! What families have to say of a spec: the families of tile sorts, and all with kernels that a host launches.

use std::fmt;

use crate::contract::render::{Options, RenderError};
use crate::contract::spec::{SortSpec, SpecFields};
use crate::contract::validate::SpecError;
use crate::types::Block;

/// A family of sorts of a tile by a warp or a block. A family is a row of `tile_families!`, and in the folder that the row names a type
/// without fields, as the constant `FAMILY`, beside the type `Figures` of what `explain` says.
pub(crate) trait TileFamily: Sync {
    /// The fields as a spec, or the first field that is not legal.
    fn validate(&self, fields: SpecFields) -> Result<SortSpec, SpecError>;

    /// The fields with the digit that they have where none is given, in a family that has digits.
    fn with_default_digit(&self, fields: SpecFields) -> SpecFields {
        fields
    }

    /// Bytes of shared memory of a block, for fields that may not be legal: what rules them out may be this.
    fn shared_bytes(&self, fields: &SpecFields) -> u32;

    /// The header.
    fn render(&self, spec: &SortSpec, options: Options) -> Result<String, RenderError>;

    /// What lists and manifests say of a spec; none where it is of another family.
    fn summary(&self, spec: &SortSpec) -> Option<Summary>;

    /// The numbers of barriers that one sort of all bits may pass, where they depend on the keys.
    fn possible_barriers(&self, spec: &SortSpec) -> Vec<u32> {
        self.summary(spec).map(|summary| summary.barriers).into_iter().collect()
    }
}

/// A spec that a source of kernels is made of.
pub(crate) trait Source: fmt::Display {
    /// The CUDA, with its `extern "C"` kernels.
    fn source(&self) -> Result<String, RenderError>;

    /// The header of CUDA's that the source includes.
    fn cuda_header(&self) -> Option<&'static str>;

    /// The most shared memory that a block of it needs.
    fn shared_bytes(&self) -> u32;
}

/// What lists and manifests say of a spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The block that is launched.
    pub block: Block,
    /// Lanes of a logical warp, where one sorts a tile.
    pub lanes: Option<u32>,
    /// Bits of a digit, where there are digits.
    pub radix_bits: Option<u32>,
    /// Passes over all bits, where there are digits.
    pub passes: Option<u32>,
    /// `sizeof(TempStorage)`.
    pub shared_bytes: u32,
    /// Barriers of one sort of all bits.
    pub barriers: u32,
}
