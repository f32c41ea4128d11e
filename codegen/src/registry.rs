//! The families: which spec is of which family.

use std::fmt;
use std::str::FromStr;

pub use crate::contract::family::Summary;
use crate::contract::family::{Source, TileFamily};
use crate::contract::name::{self, NameError};
pub use crate::contract::named::NamedError;
use crate::contract::render::{Options, RenderError};
use crate::contract::spec::{Family, SortSpec, SpecFields};
use crate::contract::validate::SpecError;
use crate::device::{self, DeviceSpec};
use crate::text::markers;
use crate::top_k::AnyTopK;

macro_rules! tile_family_folders {
    ($(
        $(#[$doc:meta])*
        $variant:ident { $($option:ident),* } $name:ident $token:literal $($folder:ident)::+;
    )*) => {
        /// What answers for a family.
        fn tile_family(family: Family) -> &'static dyn TileFamily {
            match family {
                $(Family::$variant => crate::$($folder)::+::FAMILY,)*
            }
        }
    };
}
crate::tile_families!(tile_family_folders);

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
        tile_family(self.algorithm.family()).validate(self)
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

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for SortSpec {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The fields with the digit that they have where none is given, in a family that has digits.
pub(crate) fn with_default_digit(fields: SpecFields) -> SpecFields {
    tile_family(fields.algorithm.family()).with_default_digit(fields)
}

/// Bytes of shared memory that a spec of these fields needs.
pub(crate) fn shared_bytes(fields: &SpecFields) -> u32 {
    tile_family(fields.algorithm.family()).shared_bytes(fields)
}

/// What lists and manifests say of a spec.
pub fn summary(spec: &SortSpec) -> Option<Summary> {
    tile_family(spec.algorithm.family()).summary(spec)
}

/// The numbers of barriers that one sort of all bits may pass: several where they depend on the keys.
pub fn possible_barriers(spec: &SortSpec) -> Vec<u32> {
    tile_family(spec.algorithm.family()).possible_barriers(spec)
}

/// The header of a spec: self-contained CUDA.
///
/// ```
/// use sortsmith_codegen::{render, SortSpec};
/// let spec: SortSpec = "block_radix_sort_u32_keys_b128_i8_r4_asc".parse().unwrap();
/// let options = render::Options { tile_kernel: true, ..Default::default() };
/// let header = render::header(&spec, options).unwrap();
/// assert!(header.contains("block_radix_sort_u32_keys_b128_i8_r4_asc_tile("));
/// ```
pub fn header(spec: &SortSpec, options: Options) -> Result<String, RenderError> {
    marked_header(spec, options).map(|text| markers::strip(&text))
}

/// The header with the templates' [`markers`].
pub fn marked_header(spec: &SortSpec, options: Options) -> Result<String, RenderError> {
    tile_family(spec.algorithm.family()).render(spec, options)
}

/// The CUDA of a spec's kernel of rows, `NAME_rows`.
pub fn rows_source(spec: &SortSpec) -> Result<String, RenderError> {
    header(spec, Options { rows_kernel: true, ..Options::default() })
}

/// The CUDA of a spec's kernel of counted rows, `NAME_counted_rows`.
pub fn counted_rows_source(spec: &SortSpec) -> Result<String, RenderError> {
    header(spec, Options { counted_rows_kernel: true, ..Options::default() })
}

impl Source for SortSpec {
    fn source(&self) -> Result<String, RenderError> {
        header(self, Options { tile_kernel: true, ..Default::default() })
    }

    fn cuda_header(&self) -> Option<&'static str> {
        self.key.info().header
    }

    fn shared_bytes(&self) -> u32 {
        shared_bytes(self)
    }
}

/// An enum of specs that are sources of kernels, a row each.
macro_rules! sources {
    ($(#[$of_all:meta])* $name:ident { $($(#[$of_one:meta])* $variant:ident($spec:ty),)* }) => {
        $(#[$of_all])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$of_one])* $variant($spec),)*
        }

        impl $name {
            fn spec(&self) -> &dyn Source {
                match self {
                    $(Self::$variant(spec) => spec,)*
                }
            }

            /// The CUDA, with its `extern "C"` kernels.
            pub fn source(&self) -> Result<String, RenderError> {
                self.spec().source()
            }

            /// The header of CUDA's that the source includes.
            pub fn cuda_header(&self) -> Option<&'static str> {
                self.spec().cuda_header()
            }

            /// The most shared memory that a block of it needs.
            pub fn shared_bytes(&self) -> u32 {
                self.spec().shared_bytes()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.spec().fmt(f)
            }
        }
    };
}

sources! {
    /// A source of kernels that sort an array, by the spec that it is made of.
    KernelSpec {
        /// The tile kernel of a block sort.
        Tile(SortSpec),
        /// The kernels of a device-wide sort.
        DeviceWide(DeviceSpec),
    }
}

macro_rules! named {
    ($($(#[$doc:meta])* $variant:ident $folder:ident::$spec:ident $name:ident;)*) => {
        sources! {
            /// A spec of what works on arrays of any length.
            Named {
                /// A device-wide sort.
                Sort(DeviceSpec),
                $($(#[$doc])* $variant(crate::$folder::$spec),)*
            }
        }

        impl Named {
            /// What their names begin with, and no other names.
            pub const PREFIXES: &[&str] = &[device::PREFIX, $(crate::$folder::PREFIX),*];
        }

        $(
            impl From<crate::$folder::$spec> for Named {
                fn from(spec: crate::$folder::$spec) -> Self {
                    Self::$variant(spec)
                }
            }
        )*

        impl FromStr for Named {
            type Err = NamedError;

            fn from_str(name: &str) -> Result<Self, NamedError> {
                $(
                    if name.starts_with(crate::$folder::PREFIX) {
                        return Ok(Self::$variant(name.parse()?));
                    }
                )*
                // Of a name that begins as none of them the error says what names of device-wide sorts are like.
                Ok(Self::Sort(name.parse()?))
            }
        }
    };
}
crate::kernel_families!(named);

impl From<AnyTopK> for Named {
    fn from(spec: AnyTopK) -> Self {
        match spec {
            AnyTopK::Block(spec) => spec.into(),
            AnyTopK::Warp(spec) => spec.into(),
        }
    }
}

impl Named {
    /// Whether a name begins as that of one of these does.
    pub fn claims(name: &str) -> bool {
        Self::PREFIXES.iter().any(|prefix| name.starts_with(prefix))
    }

    /// Its header.
    pub fn header(&self) -> Result<String, RenderError> {
        self.source()
    }
}
