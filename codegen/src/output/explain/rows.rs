//! Why a sort was chosen for rows, in words and figures.

use serde::Serialize;

use crate::registry::KernelSpec;
use crate::select::rows::{RowCandidate, RowChoice};
use crate::types::Token;

/// All that a [`RowChoice`] says.
///
/// ```
/// use sortsmith_codegen::explain::RowsExplanation;
/// use sortsmith_codegen::rows::RowSort;
/// use sortsmith_codegen::KeyType;
///
/// let choice = RowSort::keys(KeyType::U32).choose(1000).unwrap();
/// let explanation = RowsExplanation::of(&choice);
/// assert_eq!(explanation.chosen.spec, "block_bitonic_sort_u32_keys_b64_i16_asc_stable");
/// assert_eq!((explanation.columns, explanation.chosen.tile_items), (1000, Some(1024)));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RowsExplanation {
    /// The request, in words.
    pub request: String,
    /// The architecture that it is for.
    pub arch: String,
    /// Columns of a row.
    pub columns: u32,
    /// The fastest sort for such rows.
    pub chosen: RowCandidateRow,
    /// What else could have been chosen, the faster ones first.
    pub others: Vec<RowCandidateRow>,
}

/// A sort with its figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RowCandidateRow {
    /// Its name.
    pub spec: String,
    /// Items of its tile; none where it sorts all rows device-wide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tile_items: Option<u32>,
    /// Billions of keys a second for rows of these columns.
    pub gkeys: f64,
    /// The same for full tiles, or for all rows device-wide.
    pub full_gkeys: f64,
}

impl RowsExplanation {
    /// The explanation of a choice.
    pub fn of(choice: &RowChoice) -> Self {
        let (sort, columns) = (choice.sort, choice.columns);
        let row = |candidate: &RowCandidate| RowCandidateRow {
            spec: candidate.spec.to_string(),
            tile_items: match &candidate.spec {
                KernelSpec::Tile(spec) => Some(spec.tile_items()),
                KernelSpec::DeviceWide(_) => None,
            },
            gkeys: candidate.figure(columns),
            full_gkeys: candidate.full,
        };
        let bits = if sort.takes_bits { ", by bits that are arguments" } else { "" };
        let (key, value, order) = (sort.key, sort.value, sort.order.token());
        Self {
            request: format!(
                "rows of {columns} columns of {key} and {value}, {order}, stable{bits}"
            ),
            arch: sort.arch.to_string(),
            columns,
            chosen: row(&choice.candidates()[0]),
            others: choice.candidates()[1..].iter().map(row).collect(),
        }
    }
}
