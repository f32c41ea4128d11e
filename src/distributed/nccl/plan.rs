//! What each rank sends, receives and merges, once all ranks know where the runs of all of them are split. Every rank makes its plan of the
//! same splits.

use super::pieces::Pieces;

/// Where the runs of all ranks are split.
#[derive(Debug)]
pub struct Splits {
    /// The pieces between these.
    pub pieces: Pieces,
    /// For each end of a piece, the first item behind it of each rank's run.
    pub of_runs: Vec<Vec<u64>>,
    /// The first item of each rank's share, and the end.
    pub shares: Vec<u64>,
    /// Items by which both keys and values are aligned for an exchange.
    pub alignment: u64,
}

/// An array of a rank, and an item in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The sorted shard.
    Run(u64),
    /// What is received and then merged.
    Incoming(u64),
    /// Merged ranges that are merged again: two arrays, that of a merge's result is none that it reads.
    Merged { is_second: bool, item: u64 },
    /// The rank's share.
    Share(u64),
}

/// Items that a rank sends or receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The other rank.
    pub peer: usize,
    pub is_sent: bool,
    /// Where they lie, or where they go.
    pub slot: Slot,
    /// The first of them in the sender's run.
    pub first: u64,
    pub items: u64,
    /// Items in front of them that travel too, so that what does is aligned; the receiver has room for them.
    pub lead: u64,
}

/// Items in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sorted {
    pub slot: Slot,
    pub items: u64,
}

/// A stable merge: of equal keys those of the first range come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merge {
    pub first: Sorted,
    pub second: Sorted,
    pub to: Slot,
}

/// What is done for one piece of each rank's share.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Step {
    pub transfers: Vec<Transfer>,
    /// What of this rank's run is alone in its piece, and where it goes.
    pub copy: Option<(Sorted, Slot)>,
    /// One after the other.
    pub merges: Vec<Merge>,
}

/// One rank's plan.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Plan {
    pub steps: Vec<Step>,
    /// Items of the arrays.
    pub incoming: u64,
    pub merged: u64,
}

impl Splits {
    /// The items of a rank's run in a piece: the first one and their number.
    fn range(&self, piece: usize, rank: usize) -> (u64, u64) {
        let (begin, end) = (self.of_runs[piece][rank], self.of_runs[piece + 1][rank]);
        (begin, end - begin)
    }

    /// The ranks that have items of a piece.
    fn ranks_of(&self, piece: usize) -> Vec<usize> {
        let ranks = 0..self.shares.len() - 1;
        ranks.filter(|rank| self.range(piece, *rank).1 > 0).collect()
    }

    /// How many items in front of an item the last aligned one lies.
    fn lead(&self, item: u64) -> u64 {
        item % self.alignment
    }
}

impl Plan {
    /// The plan of a rank.
    pub fn of(splits: &Splits, rank: usize) -> Self {
        let mut plan = Self::default();
        let mut next_of_share = vec![0; splits.shares.len() - 1];
        for (piece, owner) in splits.pieces.owners.iter().copied().enumerate() {
            let step = next_of_share[owner];
            next_of_share[owner] += 1;
            if plan.steps.len() == step {
                plan.steps.push(Step::default());
            }
            if owner == rank {
                plan.add_own(splits, piece, rank, step);
            } else {
                let (first, items) = splits.range(piece, rank);
                if items > 0 {
                    let (peer, slot) = (owner, Slot::Run(first));
                    // A range that is alone in its piece goes to the share, where others lie in front of it.
                    let is_alone = splits.ranks_of(piece).len() == 1;
                    let lead = if is_alone { 0 } else { splits.lead(first) };
                    let sent = Transfer { peer, is_sent: true, slot, first, items, lead };
                    plan.steps[step].transfers.push(sent);
                }
            }
        }
        plan
    }

    /// A piece of the rank's own share.
    fn add_own(&mut self, splits: &Splits, piece: usize, rank: usize, step: usize) {
        let share = Slot::Share(splits.pieces.ends[piece] - splits.shares[rank]);
        let with_items = splits.ranks_of(piece);
        let is_alone = with_items.len() == 1;
        let mut ranges = Vec::new();
        let mut begin = 0;
        for from in with_items {
            let (first, items) = splits.range(piece, from);
            let lead = if is_alone { 0 } else { splits.lead(first) };
            let slot = if from == rank {
                Slot::Run(first)
            } else if is_alone {
                share
            } else {
                let item = self.incoming.next_multiple_of(splits.alignment) + lead;
                self.incoming = item + items;
                Slot::Incoming(item)
            };
            let sorted = Sorted { slot, items };
            if from != rank {
                let received = Transfer { peer: from, is_sent: false, slot, first, items, lead };
                self.steps[step].transfers.push(received);
            } else if is_alone {
                self.steps[step].copy = Some((sorted, share));
            }
            ranges.push((begin, sorted));
            begin += items;
        }
        self.add_merges(ranges, share, step);
    }

    /// Merges two neighbouring ranges each, until all are one. `ranges` have where in the piece they begin.
    ///
    /// The first round leaves a power of two of them, so that in the others each has a neighbour: what is read then lies in another array than what
    /// is written.
    fn add_merges(&mut self, mut ranges: Vec<(u64, Sorted)>, share: Slot, step: usize) {
        let mut is_second = false;
        while ranges.len() > 1 {
            let is_last = ranges.len() == 2;
            let left = ranges.len().next_power_of_two() / 2;
            let unmerged = ranges.split_off(2 * (ranges.len() - left));
            let merged = ranges.chunks(2).map(|pair| {
                let [(begin, first), (_, second)] = *pair else { return pair[0] };
                let items = first.items + second.items;
                let slot = if is_last { share } else { Slot::Merged { is_second, item: begin } };
                self.merged = self.merged.max(if is_last { 0 } else { begin + items });
                self.steps[step].merges.push(Merge { first, second, to: slot });
                (begin, Sorted { slot, items })
            });
            ranges = merged.chain(unmerged).collect();
            is_second = !is_second;
        }
    }
}

#[cfg(test)]
mod tests;
