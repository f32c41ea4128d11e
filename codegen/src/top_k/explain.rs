//! What `explain` says of top-ks.

use serde::Serialize;

use super::warp::WarpTopKSpec;
use super::{AnyTopK, TopKLaunch, TopKRows, TopKSpec, TopKStep, TopKValue};
use crate::contract::explain::{Fit, Lines};
use crate::contract::figures::{Case, Explain, LaunchRow, RequestError, Setting};
use crate::types::{Arch, KeyType, Order};

/// A top-k of one row.
///
/// ```
/// use sortsmith_codegen::Arch;
/// use sortsmith_codegen::top_k::{Figures, TopKSpec};
///
/// let spec: TopKSpec = "block_top_k_f32_b256_i8_desc".parse().unwrap();
/// let figures = Figures::of(&spec.into(), 1 << 20, 132, Arch::SM_90);
/// assert_eq!((figures.k, figures.chunks), (1024, 132));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TopKFigures {
    /// The spec's name.
    pub name: String,
    /// The type of the keys.
    pub key: KeyType,
    /// Bytes of a key.
    pub key_bytes: u32,
    /// What is found beside them.
    pub value: TopKValue,
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
    /// Bytes of what the launches share: survivors, or the positions of candidates.
    pub scratch_bytes: u64,
    /// Whether its blocks fit.
    pub on_arch: Fit,
}

impl TopKFigures {
    /// Of the top-k of one row of this many columns, for the largest k.
    pub fn of(spec: &AnyTopK, columns: u64, multiprocessors: u32, arch: Arch) -> Self {
        let k = u64::from(spec.max_k()).min(columns) as u32;
        let shape = TopKRows { rows: 1, columns, k };
        let plan = spec.plan(shape, true, multiprocessors).unwrap_or_default();
        let row = |(step, launch): (TopKStep, TopKLaunch)| LaunchRow {
            symbol: format!("{spec}{}", step.kernel().suffix()),
            argument: None,
            blocks: launch.blocks,
            threads: launch.threads,
            shared_bytes: launch.shared_bytes,
        };
        Self {
            name: spec.to_string(),
            key: spec.key(),
            key_bytes: spec.key().bytes(),
            value: spec.value(),
            order: spec.order(),
            nan_last: spec.nan_last(),
            threads: spec.threads(),
            items: spec.items(),
            tile_items: spec.tile_items(),
            max_k: spec.max_k(),
            columns,
            k,
            chunks: plan.chunks,
            launches: plan.steps().map(row).collect(),
            scratch_bytes: 4 * plan.scratch_words,
            on_arch: Fit::of(arch, spec.shared_bytes(), spec.threads()),
        }
    }
    /// The same for people.
    fn lines(&self, spec: &AnyTopK) -> Lines {
        let Self { key_bytes, max_k, threads, items, tile_items, columns, k, chunks, .. } = self;
        let mut lines = Lines::default();
        let which = match spec.order() {
            Order::Ascending => "smallest",
            Order::Descending => "largest",
        };
        let nans = if spec.nan_last() { ", NaNs last" } else { "" };
        let words = format!(
            "up to {max_k} of the {which} {} keys ({key_bytes} bytes) of a row{nans}, and {}",
            spec.key(),
            self.value.in_words()
        );
        lines.add("finds", &words);
        let words = match spec {
            AnyTopK::Block(_) => format!("{threads} threads x {items} items = {tile_items} items"),
            AnyTopK::Warp(_) => format!("a warp's: 32 lanes x {items} items = {tile_items} items"),
        };
        lines.add("tile", &words);
        let words =
            format!("of k = {k}, sorted, in one row of {columns} columns, in {chunks} chunks");
        lines.add("launches", &words);
        lines.add_launches(spec, &self.launches);
        let scratch = format!("{} bytes: what chunks and groups have found", self.scratch_bytes);
        lines.add("scratch", &scratch);
        lines.add_fit(&self.on_arch);
        lines
    }
}

macro_rules! explain {
    ($($spec:ty),*) => {
        $(
            impl Explain for $spec {
                type Figures = TopKFigures;

                const SETTINGS: &'static [Setting] = &[Setting::Multiprocessors];

                const LEGAL_ELSEWHERE: &'static str = "with sorts";

                fn most_items(&self) -> u64 {
                    AnyTopK::from(*self).max_columns()
                }

                fn figures(&self, case: &Case) -> Result<TopKFigures, RequestError> {
                    let multiprocessors = case.device.multiprocessors;
                    Ok(TopKFigures::of(&(*self).into(), case.n, multiprocessors, case.arch))
                }

                fn lines(&self, figures: &TopKFigures) -> Lines {
                    figures.lines(&(*self).into())
                }
            }
        )*
    };
}
explain!(TopKSpec, WarpTopKSpec);
