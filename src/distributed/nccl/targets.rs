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
