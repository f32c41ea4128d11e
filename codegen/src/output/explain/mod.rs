//! What a sort does and takes, in figures, before anything is compiled.

mod choice;
mod figures;
mod named;
mod rows;

use serde::Serialize;

pub use crate::contract::explain::{Fit, Line};
pub use crate::contract::figures::{KERNEL_WIDTH, LaunchRow, Request, RequestError};
use crate::contract::spec::{Family, SortSpec};
pub use crate::device::explain::{DeviceSortExplanation, OneSort};
use crate::types::{Arch, Arrangement, KeyType, Order, ValueType};

pub use choice::{CandidateRow, ChoiceExplanation, MeasuredTiles, RuledOutRow};
pub use figures::{Figures, NamedFigures};
pub use named::NamedExplanation;
pub use rows::{RowCandidateRow, RowsExplanation};

/// All that is known of a spec on an architecture.
///
/// ```
/// use sortsmith_codegen::explain::{Explanation, Figures};
/// use sortsmith_codegen::{Arch, SortSpec};
/// let spec: SortSpec = "block_radix_sort_f32_u32_b256_i16_r6_desc".parse().unwrap();
/// let explanation = Explanation::of(&spec, Arch::new(90).unwrap());
/// let Some(Figures::BlockRadix(radix)) = explanation.figures else { panic!("another family") };
/// assert_eq!(radix.passes, 6);
/// assert_eq!(radix.shared.bytes, radix.on_arch.shared_bytes);
/// assert!(radix.on_arch.fits);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The spec's name.
    pub name: String,
    /// The algorithm.
    pub algorithm: Family,
    /// The type of the keys.
    pub key: KeyType,
    /// Bytes of a key.
    pub key_bytes: u32,
    /// What travels with each key.
    pub value: ValueType,
    /// Bytes of a value.
    pub value_bytes: u32,
    /// Which end comes first.
    pub order: Order,
    /// Whether equal keys keep their order.
    pub stable: bool,
    /// Threads that sort a tile together.
    pub threads: u32,
    /// Items of a thread.
    pub items: u32,
    /// Items of a tile.
    pub tile_items: u32,
    /// Which thread holds which position before the sort.
    pub input: Arrangement,
    /// Which thread holds which position after the sort.
    pub output: Arrangement,
    /// What the sorts of its family do and take.
    #[serde(flatten)]
    pub figures: Option<Figures>,
    /// The same for people.
    #[serde(skip)]
    pub lines: Vec<Line>,
}

impl Explanation {
    /// Explains a spec.
    pub fn of(spec: &SortSpec, arch: Arch) -> Self {
        let family = spec.algorithm.family();
        let figures = Figures::of(spec, arch);
        Self {
            name: spec.to_string(),
            algorithm: family,
            key: spec.key,
            key_bytes: spec.key.bytes(),
            value: spec.value,
            value_bytes: spec.value.bytes(),
            order: spec.order,
            stable: spec.algorithm.is_stable(),
            threads: spec.algorithm.block().threads(),
            items: spec.items,
            tile_items: spec.tile_items(),
            input: spec.input,
            output: spec.output,
            lines: figures.as_ref().map_or_else(Vec::new, |figures| figures.lines(spec)),
            figures,
        }
    }
}
