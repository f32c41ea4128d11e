//! What `explain` says of sorts of segments.

use serde::Serialize;

use super::launch::MAX_ITEMS;
use super::{Problem, SegmentLaunch, SegmentSpec};
use crate::contract::device::launch::{Device, LaunchArgument};
use crate::contract::explain::Lines;
use crate::contract::figures::{Case, Explain, LaunchRow, RequestError, Setting};
use crate::types::{KeyType, Order, ValueType};

/// A sort of segments, of an array of some items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SegmentFigures {
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
    /// Items that a warp sorts.
    pub warp_items: u32,
    /// Items that a block sorts.
    pub tile_items: u32,
    /// Items.
    pub n: u64,
    /// Segments.
    pub segments: u64,
    /// What the host launches.
    pub launches: Vec<LaunchRow>,
    /// Bytes of scratch.
    pub scratch_bytes: u64,
}

impl SegmentFigures {
    /// Of the sort of `n` items in as many segments as there may be of more than one item.
    pub fn of(spec: SegmentSpec, n: u64, device: Device) -> Self {
        let segments = n / 2;
        let problem = Problem { n, segments, longest: n, absolute_positions: false };
        let row = |launch: SegmentLaunch| LaunchRow {
            symbol: format!("{spec}{}", launch.kernel.suffix()),
            argument: launch.round.map(|round| LaunchArgument::Own("pass", round)),
            blocks: launch.blocks,
            threads: launch.threads,
            shared_bytes: launch.shared_bytes,
        };
        let scratch = spec.scratch(problem);
        Self {
            name: spec.to_string(),
            key: spec.key,
            value: spec.value,
            order: spec.order,
            nan_last: spec.nan_last,
            warp_items: spec.warp_items(),
            tile_items: spec.tile_items(),
            n,
            segments,
            launches: spec.launches(problem, device).into_iter().map(row).collect(),
            scratch_bytes: scratch.workspace + scratch.keys + scratch.values,
        }
    }
}

impl Explain for SegmentSpec {
    type Figures = SegmentFigures;

    const SETTINGS: &'static [Setting] = &[Setting::Multiprocessors];

    fn most_items(&self) -> u64 {
        MAX_ITEMS
    }

    fn figures(&self, case: &Case) -> Result<SegmentFigures, RequestError> {
        Ok(SegmentFigures::of(*self, case.n, case.device))
    }

    fn lines(&self, figures: &SegmentFigures) -> Lines {
        let SegmentFigures { warp_items, tile_items, n, segments, launches, .. } = figures;
        let mut lines = Lines::default();
        let lengths = format!(
            "at most {warp_items} items by a warp, at most {tile_items} by a block, longer ones by merges"
        );
        lines.add("sorts", &lengths);
        let of = format!("of {n} items in {segments} segments: {}", launches.len());
        lines.add("launches", &of);
        lines.add_launches(self, launches);
        let scratch =
            format!("{} bytes: the lists of segments, and alternate arrays", figures.scratch_bytes);
        lines.add("scratch", &scratch);
        lines
    }
}
