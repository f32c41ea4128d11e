//! The families: which spec is whose.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

use crate::block::{comparison, radix};
use crate::contract::name::{self, NameError};
use crate::contract::render::{Options, RenderError};
use crate::contract::spec::{Family, SortSpec, SpecFields};
use crate::contract::validate::SpecError;
use crate::device::{self, DeviceSpec};
use crate::text::markers;
use crate::warp;

impl SpecFields {
    /// The fields as a spec, or the first field that is not legal.
    ///
    /// ```
    /// use sortsmith_codegen::{Block, KeyType, SpecFields, ValueType};
    /// let fields = SpecFields::block_radix(KeyType::F32, ValueType::U32, Block::linear(256), 16, 6);
    /// assert_eq!(fields.validate().unwrap().to_string(), "block_radix_sort_f32_u32_b256_i16_r6_asc");
    ///
    /// let error = SpecFields { items: 0, ..fields }.validate().unwrap_err();
    /// assert_eq!(error.to_string(), "items = 0 is not legal; legal: 1 to 64");
    /// ```
    pub fn validate(self) -> Result<SortSpec, SpecError> {
        match self.algorithm.family() {
            Family::BlockRadix => radix::plan::validate(self),
            Family::BlockBitonic | Family::BlockMerge => comparison::plan::validate(self),
            Family::WarpBitonic => warp::bitonic::plan::validate(self),
        }
    }
}

impl FromStr for SortSpec {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        let spec = name::parse(name)?
            .validate()
            .map_err(|error| NameError::Invalid { name: name.to_owned(), error })?;
        let canonical = spec.to_string();
        if canonical == name {
            Ok(spec)
        } else {
            Err(NameError::NotCanonical { name: name.to_owned(), canonical })
        }
    }
}

impl<'de> Deserialize<'de> for SortSpec {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// Bytes of shared memory that a spec of these fields needs.
pub(crate) fn shared_bytes(fields: &SpecFields) -> u32 {
    match fields.algorithm.family() {
        Family::BlockRadix => radix::plan::shared_bytes(fields),
        Family::BlockBitonic | Family::BlockMerge => comparison::plan::shared_bytes(fields),
        Family::WarpBitonic => 0,
    }
}

/// The header of a spec: self-contained CUDA.
///
/// ```
/// use sortsmith_codegen::{render, SortSpec};
/// let spec: SortSpec = "block_radix_sort_u32_keys_b128_i8_r4_asc".parse().unwrap();
/// let options = render::Options { tile_kernel: true };
/// let header = render::header(&spec, options).unwrap();
/// assert!(header.contains("block_radix_sort_u32_keys_b128_i8_r4_asc_tile("));
/// ```
pub fn header(spec: &SortSpec, options: Options) -> Result<String, RenderError> {
    marked_header(spec, options).map(|text| markers::strip(&text))
}

/// The header with the templates' [`markers`].
pub fn marked_header(spec: &SortSpec, options: Options) -> Result<String, RenderError> {
    match spec.algorithm.family() {
        Family::BlockRadix => radix::view::render(spec, options),
        Family::BlockBitonic | Family::BlockMerge => comparison::view::render(spec, options),
        Family::WarpBitonic => warp::bitonic::view::render(spec, options),
    }
}

/// A source of kernels that a host launches, by the spec that it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KernelSpec {
    /// The tile kernel of a block sort.
    Tile(SortSpec),
    /// The kernels of a device-wide sort.
    Whole(DeviceSpec),
}

impl KernelSpec {
    /// The CUDA, with its `extern "C"` kernels.
    pub fn source(&self) -> Result<String, RenderError> {
        match self {
            Self::Tile(spec) => header(spec, Options { tile_kernel: true }),
            Self::Whole(spec) => device::header(spec),
        }
    }

    /// The shared memory that a block of it needs.
    pub fn shared_bytes(&self) -> u32 {
        match self {
            Self::Tile(spec) => shared_bytes(spec),
            Self::Whole(spec) => spec.shared_bytes(),
        }
    }
}

impl fmt::Display for KernelSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tile(spec) => spec.fmt(f),
            Self::Whole(spec) => spec.fmt(f),
        }
    }
}
