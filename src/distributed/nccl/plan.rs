//! What each rank sends, receives and sorts, once all ranks know how many items of each bucket each of them has. Every rank makes
//! the same plan.

use std::ops::Range;

/// How the buckets lie over the ranks.
#[derive(Debug)]
pub struct Buckets {
    /// Items of each bucket, rank 0's first.
    pub counts: Vec<Vec<u64>>,
    /// Whether all keys of a bucket are equal.
    pub are_equal: Vec<bool>,
    /// The first item of each rank's share, and the end.
    pub shares: Vec<u64>,
    /// Items by which both keys and values are aligned for an exchange.
    pub alignment: u64,
}

/// An array of a rank, and the first item in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// What is sent.
    Outgoing(u64),
    /// What is received and then sorted.
    Incoming(u64),
    /// Sorted buckets that are not all of the rank's share.
    Beyond(u64),
    /// The rank's share.
    Share(u64),
}

/// Items that go from one rank to another one, or within one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    pub from: (usize, Slot),
    pub to: (usize, Slot),
    pub items: u64,
}

/// A sort of a bucket that a rank has received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BucketSort {
    /// Where in the incoming array.
    pub incoming: u64,
    pub to: Slot,
    pub items: u64,
}

/// One rank's plan, with what concerns it of all.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Where this rank's items of each bucket go.
    pub destinations: Vec<Option<Slot>>,
    /// What is exchanged in each step, and what is then sorted.
    pub steps: Vec<(Vec<Transfer>, Option<BucketSort>)>,
    /// Items of equal keys, which are not sorted.
    pub equal: Vec<Transfer>,
    /// What of sorted buckets is of another rank's share, or was sorted beside the share.
    pub beyond: Vec<Transfer>,
    /// Items of the arrays.
    pub outgoing: u64,
    pub incoming: u64,
    pub beyond_items: u64,
}

impl Slot {
    /// The item.
    pub fn item(self) -> u64 {
        match self {
            Self::Outgoing(item)
            | Self::Incoming(item)
            | Self::Beyond(item)
            | Self::Share(item) => item,
        }
    }

    fn at(self, item: u64) -> Self {
        match self {
            Self::Outgoing(first) => Self::Outgoing(first + item),
            Self::Incoming(first) => Self::Incoming(first + item),
            Self::Beyond(first) => Self::Beyond(first + item),
            Self::Share(first) => Self::Share(first + item),
        }
    }
}

impl Buckets {
    fn ranks(&self) -> usize {
        self.counts.len()
    }

    fn size(&self, bucket: usize) -> u64 {
        self.counts.iter().map(|counts| counts[bucket]).sum()
    }

    /// The share that an item of the result is in.
    fn rank_of(&self, item: u64) -> usize {
        self.shares.partition_point(|first| *first <= item).clamp(1, self.ranks()) - 1
    }

    fn share(&self, rank: usize) -> Range<u64> {
        self.shares[rank]..self.shares[rank + 1]
    }

    /// A range of the result, cut at the borders of shares: the rank, and the range in its share.
    fn divided(&self, items: Range<u64>) -> impl Iterator<Item = (usize, Range<u64>)> + '_ {
        (0..self.ranks()).filter_map(move |rank| {
            let share = self.share(rank);
            let part = items.start.max(share.start)..items.end.min(share.end);
            (part.start < part.end).then_some((rank, part))
        })
    }

    /// The rank that sorts a bucket: that of its middle.
    fn owner(&self, items: &Range<u64>) -> usize {
        self.rank_of(items.start + (items.end - items.start) / 2)
    }

    /// The next number with the same remainder as `like` by the alignment.
    fn aligned_like(&self, number: u64, like: u64) -> u64 {
        let alignment = self.alignment;
        number + (like % alignment + alignment - number % alignment) % alignment
    }
}

/// The incoming array of a rank: for each of its buckets the slot of each rank's items.
struct Incoming {
    /// The bucket's number, its range of the result, and where each rank's items begin.
    buckets: Vec<(usize, Range<u64>, Vec<u64>)>,
    items: u64,
}

impl Incoming {
    /// The buckets of a rank, in the order of steps: from the last one on.
    fn of(buckets: &Buckets, rank: usize, own: &[(usize, Range<u64>)]) -> Self {
        let mut items = 0;
        let mut all = Vec::with_capacity(own.len());
        for (bucket, range) in own.iter().rev() {
            // The first items that come from another rank are aligned.
            let before = if rank == 0 { buckets.counts[0][*bucket] } else { 0 };
            let mut next = buckets.aligned_like(items + before, 0) - before;
            let of_rank = buckets.counts.iter().map(|counts| {
                let first = next;
                next += counts[*bucket];
                first
            });
            all.push((*bucket, range.clone(), of_rank.collect()));
            items = next;
        }
        Self { buckets: all, items }
    }
}

impl Plan {
    /// The plan of a rank.
    pub fn of(buckets: &Buckets, rank: usize) -> Self {
        let (ranks, count) = (buckets.ranks(), buckets.are_equal.len());
        let mut begins = vec![0];
        for bucket in 0..count {
            begins.push(begins[bucket] + buckets.size(bucket));
        }
        let range = |bucket: usize| begins[bucket]..begins[bucket + 1];
        let mut own: Vec<Vec<(usize, Range<u64>)>> = vec![Vec::new(); ranks];
        for bucket in (0..count).filter(|bucket| !buckets.are_equal[*bucket]) {
            let range = range(bucket);
            if !range.is_empty() {
                own[buckets.owner(&range)].push((bucket, range));
            }
        }
        let incoming: Vec<Incoming> =
            (0..ranks).map(|rank| Incoming::of(buckets, rank, &own[rank])).collect();
        let mut plan = Self { destinations: vec![None; count], ..Self::default() };
        plan.incoming = incoming[rank].items;
        let mut outgoing = vec![0; ranks];
        plan.add_steps(buckets, rank, &incoming, &mut outgoing);
        plan.add_equal(buckets, rank, &begins, &mut outgoing);
        plan.outgoing = outgoing[rank];
        plan
    }

    /// Buckets that are sorted: step by step each rank's next one.
    fn add_steps(
        &mut self,
        buckets: &Buckets,
        rank: usize,
        incoming: &[Incoming],
        outgoing: &mut [u64],
    ) {
        let mut beyond_items = vec![0; buckets.ranks()];
        let steps = incoming.iter().map(|it| it.buckets.len()).max().unwrap_or(0);
        for step in 0..steps {
            let mut transfers = Vec::new();
            let mut sort = None;
            for (owner, incoming) in incoming.iter().enumerate() {
                let Some((bucket, range, firsts)) = incoming.buckets.get(step) else { continue };
                for (from, first) in firsts.iter().enumerate() {
                    let items = buckets.counts[from][*bucket];
                    let slot = if from == owner {
                        Slot::Incoming(*first)
                    } else {
                        let slot = buckets.aligned_like(outgoing[from], *first);
                        outgoing[from] = slot + items;
                        let to = (owner, Slot::Incoming(*first));
                        let from = (from, Slot::Outgoing(slot));
                        add(&mut transfers, rank, Transfer { from, to, items });
                        Slot::Outgoing(slot)
                    };
                    if from == rank && items > 0 {
                        self.destinations[*bucket] = Some(slot);
                    }
                }
                let to = self.add_beyond(buckets, rank, (owner, range), &mut beyond_items);
                if owner == rank {
                    let items = range.end - range.start;
                    sort = Some(BucketSort { incoming: firsts[0], to, items });
                }
            }
            self.steps.push((transfers, sort));
        }
        self.beyond_items = beyond_items[rank];
    }

    /// Where a bucket is sorted to: its slot in the share, if all of it is there.
    fn add_beyond(
        &mut self,
        buckets: &Buckets,
        rank: usize,
        (owner, range): (usize, &Range<u64>),
        beyond_items: &mut [u64],
    ) -> Slot {
        let share = buckets.share(owner);
        if share.start <= range.start && range.end <= share.end {
            return Slot::Share(range.start - share.start);
        }
        let first = buckets.aligned_like(beyond_items[owner], 0);
        beyond_items[owner] = first + (range.end - range.start);
        for (to, part) in buckets.divided(range.clone()) {
            let from = (owner, Slot::Beyond(first + (part.start - range.start)));
            let to = (to, Slot::Share(part.start - buckets.shares[to]));
            add(&mut self.beyond, rank, Transfer { from, to, items: part.end - part.start });
        }
        Slot::Beyond(first)
    }

    /// Buckets of equal keys: each item goes to its slot in the result.
    fn add_equal(&mut self, buckets: &Buckets, rank: usize, begins: &[u64], outgoing: &mut [u64]) {
        for bucket in (0..buckets.are_equal.len()).filter(|it| buckets.are_equal[*it]) {
            let mut begin = begins[bucket];
            for (from, outgoing) in outgoing.iter_mut().enumerate() {
                let items = buckets.counts[from][bucket];
                let range = begin..begin + items;
                begin += items;
                let share = buckets.share(from);
                let slot = if share.start <= range.start && range.end <= share.end {
                    Slot::Share(range.start - share.start)
                } else {
                    let slot = Slot::Outgoing(buckets.aligned_like(*outgoing, 0));
                    *outgoing = buckets.aligned_like(*outgoing, 0) + items;
                    for (to, part) in buckets.divided(range.clone()) {
                        let from = (from, slot.at(part.start - range.start));
                        let to = (to, Slot::Share(part.start - buckets.shares[to]));
                        let items = part.end - part.start;
                        add(&mut self.equal, rank, Transfer { from, to, items });
                    }
                    slot
                };
                if from == rank && items > 0 {
                    self.destinations[bucket] = Some(slot);
                }
            }
        }
    }
}

/// Adds what this rank sends or receives.
fn add(transfers: &mut Vec<Transfer>, rank: usize, transfer: Transfer) {
    if transfer.items > 0 && (transfer.from.0 == rank || transfer.to.0 == rank) {
        transfers.push(transfer);
    }
}

#[cfg(test)]
mod tests;
