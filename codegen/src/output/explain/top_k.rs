//! A top-k, in figures.

use serde::Serialize;

use super::{Fit, LaunchRow};
use crate::top_k::{AnyTopK, TopKKernel, TopKLaunch, TopKRows};
use crate::types::{Arch, KeyType, Order};

/// A top-k of one row.
///
/// ```
/// use sortsmith_codegen::explain::TopKExplanation;
/// use sortsmith_codegen::Arch;
/// use sortsmith_codegen::top_k::TopKSpec;
///
/// let spec: TopKSpec = "block_top_k_f32_b256_i8_desc".parse().unwrap();
/// let explanation = TopKExplanation::of(&spec.into(), 1 << 20, 132, Arch::SM_90);
/// assert_eq!((explanation.k, explanation.chunks), (1024, 32));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TopKExplanation {
    /// The spec's name.
    pub name: String,
    /// The type of the keys.
    pub key: KeyType,
    /// Bytes of a key.
    pub key_bytes: u32,
    /// Which end comes first.
    pub order: Order,
    /// Whether NaNs come last in either order.
    pub nan_last: bool,
    /// Threads of a block.
    pub threads: u32,
    /// Items of a thread.
    pub items: u32,
    /// Items of a row that a block or a warp reads at once.
    pub tile_items: u32,
    /// The largest k.
    pub max_k: u32,
    /// Keys of the row.
    pub columns: u64,
    /// Keys that are found in it: the largest k, or all columns.
    pub k: u32,
    /// Chunks of the row, each of which a block searches.
    pub chunks: u32,
    /// What the host launches.
    pub launches: Vec<LaunchRow>,
    /// Bytes of the positions of the chunks' candidates.
    pub scratch_bytes: u64,
    /// Whether its blocks fit.
    pub on_arch: Fit,
}

impl TopKExplanation {
    /// Explains the top-k of one row of this many columns, for the largest k.
    pub fn of(spec: &AnyTopK, columns: u64, multiprocessors: u32, arch: Arch) -> Self {
        let k = u64::from(spec.max_k()).min(columns) as u32;
        let shape = TopKRows { rows: 1, columns, k };
        let launches = spec.launches(shape, multiprocessors);
        let row = |kernel: TopKKernel, launch: TopKLaunch| LaunchRow {
            symbol: format!("{spec}{}", kernel.suffix()),
            argument: None,
            blocks: launch.blocks,
            threads: launch.threads,
            shared_bytes: launch.shared_bytes,
        };
        let rows = launches.map(|it| row(TopKKernel::Rows, it.rows));
        let candidates = launches.and_then(|it| it.candidates);
        let candidates = candidates.map(|it| row(TopKKernel::Candidates, it));
        Self {
            name: spec.to_string(),
            key: spec.key(),
            key_bytes: spec.key().bytes(),
            order: spec.order(),
            nan_last: spec.nan_last(),
            threads: spec.threads(),
            items: spec.items(),
            tile_items: spec.tile_items(),
            max_k: spec.max_k(),
            columns,
            k,
            chunks: launches.map_or(0, |it| it.chunks),
            launches: rows.into_iter().chain(candidates).collect(),
            scratch_bytes: 4 * launches.map_or(0, |it| it.candidates(shape)),
            on_arch: Fit::of(arch, spec.shared_bytes(), spec.threads()),
        }
    }
}
