//! What `explain` says of binned argsorts.

use serde::Serialize;

use super::{BinnedLaunch, BinnedLaunches, BinnedRows, BinnedSpec};
use crate::contract::explain::{Fit, Lines};
use crate::contract::figures::{Case, Explain, LaunchRow, RequestError, Setting};
use crate::types::{Arch, KeyType};

/// The most columns: positions have 32 bits, and so has their number.
const MAX_COLUMNS: u64 = u32::MAX as u64;

/// A binned argsort of one row.
///
/// ```
/// use sortsmith_codegen::Arch;
/// use sortsmith_codegen::binned_argsort::Figures;
///
/// let spec = "binned_argsort_u32_b512_i16_r8".parse().unwrap();
/// let figures = Figures::of(&spec, 1 << 20, 132, Arch::SM_90);
/// assert_eq!((figures.chunks, figures.launches.len()), (128, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BinnedFigures {
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
    /// Bytes of the counts of chunks, in scratch or in the memory that the blocks of one launch share.
    pub scratch_bytes: u64,
    /// Whether its blocks fit.
    pub on_arch: Fit,
}

impl BinnedFigures {
    /// Of the binned argsort of one row of this many columns.
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
            chunks: launches.and_then(|it| it.chunks()).map_or(1, |it| it.count),
            launches: launches.iter().flat_map(BinnedLaunches::all).map(row).collect(),
            scratch_bytes: launches.map_or(0, |it| match it {
                BinnedLaunches::AtOnce { exchange, .. } => exchange.bytes(),
                other => other.count_bytes(spec, 1),
            }),
            on_arch: Fit::of(arch, spec.shared_bytes(), spec.threads),
        }
    }
}

impl Explain for BinnedSpec {
    type Figures = BinnedFigures;

    const SETTINGS: &'static [Setting] = &[Setting::Multiprocessors];

    fn most_items(&self) -> u64 {
        MAX_COLUMNS
    }

    fn figures(&self, case: &Case) -> Result<BinnedFigures, RequestError> {
        Ok(BinnedFigures::of(self, case.n, case.device.multiprocessors, case.arch))
    }

    fn lines(&self, figures: &BinnedFigures) -> Lines {
        let BinnedFigures { key, key_bytes, max_bins, .. } = figures;
        let BinnedFigures { threads, items, tile_items, columns, chunks, .. } = figures;
        let mut lines = Lines::default();
        let words = format!(
            "the 32-bit positions of {key} keys ({key_bytes} bytes) in up to {max_bins} bins, stable, and the bins' offsets"
        );
        lines.add("sorts", &words);
        lines.add("tile", &format!("{threads} threads x {items} items = {tile_items} items"));
        let chunks = if *chunks == 1 { "1 chunk".to_owned() } else { format!("{chunks} chunks") };
        lines.add("launches", &format!("of one row of {columns} columns, in {chunks}"));
        lines.add_launches(self, &figures.launches);
        let scratch = format!("{} bytes: the chunks' counts", figures.scratch_bytes);
        lines.add("scratch", &scratch);
        lines.add_fit(&figures.on_arch);
        lines
    }
}
