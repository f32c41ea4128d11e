//! What `explain` says of partitions of shards.

use serde::Serialize;

use super::{ShardKernel, ShardSpec};
use crate::contract::explain::{Fit, Lines};
use crate::contract::figures::{Case, Explain, LaunchRow, RequestError, Setting};
use crate::types::{Arch, KeyType, Order, ValueType};

/// The most items: far more than any device holds, and no number of bytes overflows.
const MAX_ITEMS: u64 = 1 << 40;

/// The samples of a rank that figures are for.
const SAMPLES: u32 = 1 << 15;

/// A partition of a shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShardFigures {
    /// The spec's name.
    pub name: String,
    /// The type of the keys.
    pub key: KeyType,
    /// What travels with each key.
    pub value: ValueType,
    /// Which end comes first.
    pub order: Order,
    /// Whether NaNs come last in either order.
    pub nan_last: bool,
    /// The most buckets.
    pub max_buckets: u32,
    /// Items of a tile.
    pub tile_items: u32,
    /// Items of the shard.
    pub n: u64,
    /// What the host launches.
    pub launches: Vec<LaunchRow>,
    /// Bytes of the tiles' counts.
    pub scratch_bytes: u64,
    /// Whether its blocks fit.
    pub on_arch: Fit,
}

impl ShardFigures {
    /// Of the partition of a shard of n items in as many buckets as there may be.
    pub fn of(spec: ShardSpec, n: u64, arch: Arch) -> Self {
        let row = |kernel: ShardKernel| {
            let launch = spec.launch(kernel, n, spec.max_buckets(), SAMPLES);
            LaunchRow {
                symbol: format!("{spec}{}", kernel.suffix()),
                argument: None,
                blocks: launch.blocks,
                threads: launch.threads,
                shared_bytes: launch.shared_bytes,
            }
        };
        let shared = spec.scatter_shared_bytes().max(spec.count_shared_bytes());
        Self {
            name: spec.to_string(),
            key: spec.key,
            value: spec.value,
            order: spec.order,
            nan_last: spec.nan_last,
            max_buckets: spec.max_buckets(),
            tile_items: spec.tile_items(),
            n,
            launches: ShardKernel::ALL.map(row).to_vec(),
            scratch_bytes: spec.offset_bytes(n, spec.max_buckets()),
            on_arch: Fit::of(arch, shared, spec.threads),
        }
    }
}

impl Explain for ShardSpec {
    type Figures = ShardFigures;

    const SETTINGS: &'static [Setting] = &[];

    fn most_items(&self) -> u64 {
        MAX_ITEMS
    }

    fn figures(&self, case: &Case) -> Result<ShardFigures, RequestError> {
        Ok(ShardFigures::of(*self, case.n, case.arch))
    }

    fn lines(&self, figures: &ShardFigures) -> Lines {
        let ShardFigures { max_buckets, tile_items, n, launches, .. } = figures;
        let mut lines = Lines::default();
        let what = format!("a shard's items in up to {max_buckets} buckets, stable");
        lines.add("partitions", &what);
        let (threads, items) = (self.threads, self.items);
        lines.add("tile", &format!("{threads} threads x {items} items = {tile_items} items"));
        lines.add("launches", &format!("of {n} items: {}", launches.len()));
        lines.add_launches(self, launches);
        let scratch = format!("{} bytes: the tiles' counts", figures.scratch_bytes);
        lines.add("scratch", &scratch);
        lines.add_fit(&figures.on_arch);
        lines
    }
}
