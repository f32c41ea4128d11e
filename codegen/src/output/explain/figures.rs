//! The figures of all families.

use serde::{Serialize, Serializer};

use crate::contract::explain::{Line, TileFigures};
use crate::contract::figures::{Request, RequestError, explained};
use crate::contract::spec::{Family, SortSpec};
use crate::device::explain::DeviceSortExplanation;
use crate::registry::Named;
use crate::types::Arch;

macro_rules! tile_figures {
    ($(
        $(#[$doc:meta])*
        $variant:ident { $($option:ident),* } $name:ident $token:literal $($folder:ident)::+;
    )*) => {
        /// What a sort does and takes, in the figures of its family.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Figures {
            $(
                #[doc = concat!("Of [`Family::", stringify!($variant), "`].")]
                $variant(crate::$($folder)::+::Figures),
            )*
        }

        impl Figures {
            /// Of a spec on an architecture.
            pub(super) fn of(spec: &SortSpec, arch: Arch) -> Option<Self> {
                match spec.algorithm.family() {
                    $(Family::$variant => TileFigures::of(spec, arch).map(Self::$variant),)*
                }
            }

            /// The same for people.
            pub(super) fn lines(&self, spec: &SortSpec) -> Vec<Line> {
                match self {
                    $(Self::$variant(figures) => TileFigures::lines(figures, spec).0,)*
                }
            }
        }

        impl Serialize for Figures {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$variant(figures) => serializer.collect_map([(name_of(figures), figures)]),)*
                }
            }
        }
    };
}
crate::tile_families!(tile_figures);

/// What reports call these figures.
fn name_of<F: TileFigures>(_: &F) -> &'static str {
    F::NAME
}

macro_rules! named_figures {
    ($($(#[$doc:meta])* $variant:ident $folder:ident::$spec:ident $name:ident;)*) => {
        /// What a spec on arrays does and takes, in the figures of its family.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
        #[serde(untagged)]
        #[non_exhaustive]
        pub enum NamedFigures {
            /// Of a device-wide sort.
            Sort(DeviceSortExplanation),
            $(
                #[doc = concat!("Of [`Named::", stringify!($variant), "`].")]
                $variant(crate::$folder::Figures),
            )*
        }

        impl NamedFigures {
            /// Of a spec, and the same for people, or the first field of the request that is not legal.
            pub(super) fn of(
                spec: &Named,
                request: &Request,
            ) -> Result<(Self, Vec<Line>), RequestError> {
                Ok(match spec {
                    Named::Sort(spec) => {
                        let (figures, lines) = explained(spec, request)?;
                        (Self::Sort(figures), lines)
                    }
                    $(
                        Named::$variant(spec) => {
                            let (figures, lines) = explained(spec, request)?;
                            (Self::$variant(figures), lines)
                        }
                    )*
                })
            }
        }
    };
}
crate::kernel_families!(named_figures);
