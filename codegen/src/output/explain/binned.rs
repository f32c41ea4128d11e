//! A binned argsort, in figures.

use serde::Serialize;

use super::{Fit, LaunchRow};
use crate::binned_argsort::{BinnedLaunch, BinnedLaunches, BinnedRows, BinnedSpec};
use crate::types::{Arch, KeyType};

/// A binned argsort of one row.
///
/// ```
/// use sortsmith_codegen::explain::BinnedExplanation;
/// use sortsmith_codegen::Arch;
///
/// let spec = "binned_argsort_u32_b512_i16_r8".parse().unwrap();
/// let explanation = BinnedExplanation::of(&spec, 1 << 20, 132, Arch::SM_90);
/// assert_eq!((explanation.chunks, explanation.launches.len()), (128, 2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BinnedExplanation {
    /// The spec's name.
    pub name: String,
    /// The type of the keys.
    pub key: KeyType,
    /// Bytes of a key.
    pub key_bytes: u32,
    /// The most bins.
    pub max_bins: u32,
    /// Threads of a block.
    pub threads: u32,
    /// Items of a thread.
    pub items: u32,
    /// Items of a tile.
    pub tile_items: u32,
    /// Keys of the row.
    pub columns: u64,
    /// Chunks of the row, each of which is a block's.
    pub chunks: u32,
    /// What the host launches.
    pub launches: Vec<LaunchRow>,
    /// Bytes of the counts of chunks.
    pub scratch_bytes: u64,
    /// Whether its blocks fit.
    pub on_arch: Fit,
}

impl BinnedExplanation {
    /// Explains the binned argsort of one row of this many columns.
    pub fn of(spec: &BinnedSpec, columns: u64, multiprocessors: u32, arch: Arch) -> Self {
        let launches = spec.launches(BinnedRows { rows: 1, columns }, multiprocessors);
        let row = |launch: BinnedLaunch| LaunchRow {
            symbol: format!("{spec}{}", launch.kernel.suffix()),
            argument: None,
            blocks: launch.blocks,
            threads: launch.threads,
            shared_bytes: launch.shared_bytes,
        };
        Self {
            name: spec.to_string(),
            key: spec.key,
            key_bytes: spec.key.bytes(),
            max_bins: spec.max_bins(),
            threads: spec.threads,
            items: spec.items,
            tile_items: spec.tile_items(),
            columns,
            chunks: match launches {
                Some(BinnedLaunches::Chunks { chunks, .. }) => chunks.count,
                _ => 1,
            },
            launches: launches.iter().flat_map(BinnedLaunches::all).map(row).collect(),
            scratch_bytes: launches.map_or(0, |it| it.count_bytes(spec, 1)),
            on_arch: Fit::of(arch, spec.shared_bytes(), spec.threads),
        }
    }
}
