//! What the host launches: sorts of tiles, and for each merge steps in the array and steps within tiles.
//!
//! The header's `merged_items`, `steps_of` and `stride_blocks` are here too, for the host.

use super::spec::BitonicSort;
use crate::contract::device::launch::{Launch, LaunchArgument};

/// The items that a merge to runs of this length has to do with: all, but for those of a last run that has no upper
/// half.
fn merged_items(n: u64, run_log2: u32) -> u64 {
    let rest = n & ((1 << run_log2) - 1);
    if rest > 1 << (run_log2 - 1) { n } else { n - rest }
}

/// The steps of a merge that one launch of `_stride` takes: the header's `Steps`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Steps {
    /// The distance of its last step, as a logarithm.
    segment_log2: u32,
    count: u32,
    /// Whether the merge begins with them.
    is_first: bool,
}

impl Steps {
    /// The steps of each launch of a merge to runs of this length, which share all steps as evenly as possible.
    fn all(run_log2: u32, tile_log2: u32, max_steps: u32) -> impl Iterator<Item = Self> {
        let all_steps = run_log2 - tile_log2;
        let launches = all_steps.div_ceil(max_steps);
        (0..launches).map(move |number| {
            let [before, after] = [number, number + 1].map(|it| all_steps * it / launches);
            Self { segment_log2: run_log2 - after, count: after - before, is_first: number == 0 }
        })
    }

    /// The kernel's argument, as the header's diagram has it.
    fn argument(self) -> LaunchArgument {
        let packed = (self.segment_log2 << 5) | (self.count << 1) | u32::from(self.is_first);
        LaunchArgument::Own("steps", packed)
    }

    /// Threads for a number of items: one for each column of which there is an item.
    fn columns(self, items: u64) -> u64 {
        let (segment, group_log2) = (1 << self.segment_log2, self.segment_log2 + self.count);
        let rest = items & ((1 << group_log2) - 1);
        ((items >> group_log2) << self.segment_log2) + rest.min(segment)
    }
}

impl BitonicSort {
    /// The launches for n items, of which there are some; a block that sorts or merges a tile has so much shared memory.
    pub(super) fn launches(&self, n: u64, shared_bytes: u32) -> Vec<Launch> {
        let blocks = |needed: u64| u32::try_from(needed).unwrap_or(u32::MAX);
        let launch = |kernel, argument, blocks, shared_bytes| Launch {
            kernel,
            argument,
            blocks,
            threads: self.threads,
            shared_bytes,
        };
        let of_tiles =
            |kernel, items| launch(kernel, None, blocks(self.tile_count(items)), shared_bytes);
        let tile_log2 = self.tile_items().ilog2();
        let mut launches = vec![of_tiles(Self::TILES, n)];
        for run_log2 in tile_log2 + 1..=n.next_power_of_two().ilog2() {
            let items = merged_items(n, run_log2);
            let strides = Steps::all(run_log2, tile_log2, self.item().max_steps());
            launches.extend(strides.map(|steps| {
                let needed = steps.columns(items).div_ceil(u64::from(self.threads));
                launch(Self::STRIDE, Some(steps.argument()), blocks(needed), 0)
            }));
            launches.push(of_tiles(Self::MERGE, items));
        }
        launches
    }
}

#[cfg(test)]
mod tests {
    use super::super::item::MAX_STEPS;
    use super::*;

    #[test]
    fn launches_take_each_step_once() {
        for max_steps in 1..=MAX_STEPS {
            for run_log2 in 8..40 {
                let mut next = run_log2;
                for steps in Steps::all(run_log2, 7, max_steps) {
                    assert_eq!(steps.is_first, next == run_log2);
                    assert!((1..=max_steps).contains(&steps.count));
                    next -= steps.count;
                    assert_eq!(steps.segment_log2, next);
                }
                assert_eq!(next, 7);
            }
        }
    }

    #[test]
    fn runs_without_an_upper_half_are_left_alone() {
        let merged = [64, 65, 128, 129, 191, 192, 193, 256].map(|n| merged_items(n, 7));
        assert_eq!(merged, [0, 65, 128, 128, 128, 128, 193, 256]);
        // Threads of mirrored steps of 64: one for each item of lower halves.
        let steps = Steps { segment_log2: 6, count: 1, is_first: true };
        assert_eq!([65, 128, 193, 256].map(|n| steps.columns(n)), [64, 64, 128, 128]);
    }
}
