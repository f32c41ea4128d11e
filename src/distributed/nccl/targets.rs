//! Which samples buckets begin with.

use crate::distributed::request::Layout;

/// The most buckets of all ranks: those that a partition tells apart.
pub const MAX_BUCKETS: usize = 256;

/// The most samples of all ranks.
pub const MAX_SAMPLES: usize = 1 << 16;

/// The most steps.
pub const MAX_STEPS: u32 = 4;

/// Items of a share without which more buckets cost more than they save.
const SHARE_OF_STEPS: [(u64, u32); 4] = [(1 << 29, MAX_STEPS), (1 << 25, 3), (1 << 23, 2), (0, 1)];

/// How much larger a bucket is than the one that is exchanged before it: while one is sorted the next one travels, and a sort takes
/// longer than the exchange of as many items.
const GROWTH: f64 = 2.0;

/// What samples there are, and which of them are splitters.
#[derive(Debug, PartialEq, Eq)]
pub struct Targets {
    /// The samples of each rank.
    pub samples: Vec<u32>,
    /// For each bucket but the first, which of all sorted samples it begins with.
    pub first_samples: Vec<u32>,
}

impl Targets {
    /// Of an array that lies so over the ranks, with at least one item.
    pub fn of(layout: &Layout) -> Self {
        let items = *layout.shards.last().unwrap_or(&0);
        let all = (MAX_SAMPLES as u64).min(items);
        let of_shard = |ends: &[u64]| scaled(ends[1], all, items) - scaled(ends[0], all, items);
        let samples: Vec<u32> = layout.shards.windows(2).map(|it| of_shard(it) as u32).collect();
        let ranks = layout.shares.len() - 1;
        let most = (MAX_BUCKETS / ranks).max(1) as u32;
        // Enough that hardly ever the items of a rank's last bucket end in front of its share's end: those behind it move on, and it is the
        // first one that is sorted.
        let beyond = items as f64 / (all as f64).sqrt();
        let mut first_samples = Vec::new();
        for ends in layout.shares.windows(2).filter(|ends| ends[0] < ends[1]) {
            let share = ends[1] - ends[0];
            let steps = steps_of(share).min(most);
            let sizes = (0..steps).rev().map(|step| GROWTH.powi(step as i32));
            let sum: f64 = sizes.clone().sum();
            let last = share as f64 / sum;
            let mut end = ends[0] as f64 + beyond.min(last / 4.0);
            for size in sizes.take(steps as usize - 1) {
                end += share as f64 * size / sum;
                first_samples.push(end as u64);
            }
            first_samples.push((ends[1] as f64 + beyond.min(last / 4.0)) as u64);
        }
        // Behind the last share there is nothing.
        first_samples.pop();
        let sample = |item: u64| scaled(item, all, items).min(all - 1) as u32;
        let first_samples = first_samples.into_iter().map(sample).collect();
        Self { samples, first_samples }
    }

    /// Buckets.
    pub fn buckets(&self) -> usize {
        self.first_samples.len() + 1
    }

    /// Room for the samples of the rank that has the most.
    pub fn slots(&self) -> u32 {
        // An even number, so that those of all ranks are words of 8 bytes.
        self.samples.iter().copied().max().unwrap_or(0).next_multiple_of(2)
    }
}

/// How many buckets a share of this length has.
fn steps_of(share: u64) -> u32 {
    let fitting = SHARE_OF_STEPS.into_iter().find(|(least, _)| share >= *least);
    fitting.map_or(1, |(_, steps)| steps)
}

/// `item` of `items`, as one of `all`.
fn scaled(item: u64, all: u64, items: u64) -> u64 {
    (u128::from(item) * u128::from(all) / u128::from(items.max(1))) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(given: &[u64], wanted: &[u64]) -> Layout {
        let ends = |lengths: &[u64]| {
            let mut all = vec![0];
            for length in lengths {
                all.push(all[all.len() - 1] + length);
            }
            all
        };
        Layout { shards: ends(given), shares: ends(wanted) }
    }

    #[test]
    fn a_share_s_last_bucket_is_its_smallest() {
        let targets = Targets::of(&layout(&[1 << 28, 1 << 28], &[1 << 28, 1 << 28]));
        assert_eq!((targets.buckets(), targets.samples), (6, vec![1 << 15; 2]));
        let sizes: Vec<u32> = targets.first_samples.windows(2).map(|it| it[1] - it[0]).collect();
        assert!(sizes[1] < sizes[0] && sizes[3] < sizes[2], "{sizes:?}");
        // The second share begins a little behind its first item.
        assert!((1 << 15..(1 << 15) + 1000).contains(&targets.first_samples[2]));
    }

    #[test]
    fn samples_are_as_many_as_a_shard_has_of_all_items() {
        let targets = Targets::of(&layout(&[1, 0, 2], &[0, 3, 0]));
        assert_eq!((targets.buckets(), targets.slots()), (1, 2));
        assert_eq!(targets.samples, [1, 0, 2]);
        let targets = Targets::of(&layout(&[1 << 30, 0, 1 << 30], &[1 << 31, 0, 0]));
        assert_eq!(targets.samples, [1 << 15, 0, 1 << 15]);
        assert!(targets.first_samples.is_sorted());
    }
}
