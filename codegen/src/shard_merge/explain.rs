//! What `explain` says of merges of shards.

use serde::Serialize;

use super::{Arguments, ShardKernel, ShardSpec, max_candidates, rounds};
use crate::contract::explain::{Fit, Lines};
use crate::contract::figures::{Case, Explain, LaunchRow, RequestError, Setting};
use crate::types::{Arch, KeyType, Order, ValueType};

/// The most items: far more than any device holds, and no number of bytes overflows.
const MAX_ITEMS: u64 = 1 << 40;

/// The borders that figures are for: as many shares as a host has GPUs, in pieces.
const BORDERS: u32 = 8 * 16;

/// A merge of shards.
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
    /// Items of a tile.
    pub tile_items: u32,
    /// Items of the shard.
    pub n: u64,
    /// Borders.
    pub borders: u32,
    /// Rounds of the search for them.
    pub rounds: u32,
    /// What the host launches: of the search, the first round.
    pub launches: Vec<LaunchRow>,
    /// Bytes of the candidates' counts.
    pub scratch_bytes: u64,
    /// Whether its blocks fit.
    pub on_arch: Fit,
}

impl ShardFigures {
    /// Of a shard of n items, and of the merge of as many.
    pub fn of(spec: ShardSpec, n: u64, arch: Arch) -> Self {
        let rounds = rounds(0..spec.key.info().bits, BORDERS);
        let arguments = Arguments {
            n,
            borders: BORDERS,
            digit_values: rounds.first().map_or(0, |round| round.digit_values),
            first_items: n / 2,
            second_items: n - n / 2,
            ..Arguments::default()
        };
        let row = |kernel: ShardKernel| {
            let launch = spec.launch(kernel, &arguments);
            LaunchRow {
                symbol: format!("{spec}{}", kernel.suffix()),
                argument: None,
                blocks: launch.blocks,
                threads: launch.threads,
                shared_bytes: launch.shared_bytes,
            }
        };
        let rows = ShardKernel::ALL.map(row).into_iter().filter(|row| row.blocks > 0);
        Self {
            name: spec.to_string(),
            key: spec.key,
            value: spec.value,
            order: spec.order,
            nan_last: spec.nan_last,
            tile_items: spec.tile_items(),
            n,
            borders: BORDERS,
            rounds: rounds.len() as u32,
            launches: rows.collect(),
            scratch_bytes: 8 * max_candidates(BORDERS),
            on_arch: Fit::of(arch, spec.shared_bytes(), spec.threads),
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
        let ShardFigures { tile_items, n, borders, rounds, launches, .. } = figures;
        let mut lines = Lines::default();
        lines.add("merges", "two ranges of sorted items at a time, stable");
        let search = format!("{borders} borders in {rounds} rounds, each of a digit");
        lines.add("searches", &search);
        let (threads, items) = (self.threads, self.items);
        lines.add("tile", &format!("{threads} threads x {items} items = {tile_items} items"));
        lines.add("launches", &format!("of {n} items: {}", launches.len()));
        lines.add_launches(self, launches);
        let scratch = format!("{} bytes: the candidates' counts", figures.scratch_bytes);
        lines.add("scratch", &scratch);
        lines.add_fit(&figures.on_arch);
        lines
    }
}
