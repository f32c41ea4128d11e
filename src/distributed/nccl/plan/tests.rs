//! Plans are carried out on lists of numbers: every item gets to its slot in the result.

use super::*;
use crate::distributed::request::Layout;

/// A number that differs from call to call.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit.max(1)
    }
}

/// An item: its key, its rank, its number there.
type Item = (u64, usize, u64);

/// Runs with keys below a limit, and splits of them at the borders of pieces, some of which are shares.
fn case(ranks: usize, numbers: &mut Numbers) -> (Vec<Vec<Item>>, Splits) {
    let keys = [1, 3, 1000][numbers.below(3) as usize];
    let mut runs: Vec<Vec<Item>> = Vec::new();
    for rank in 0..ranks {
        let most = [1, 5, 40][numbers.below(3) as usize];
        let items = 0..numbers.below(most);
        let mut run: Vec<u64> = items.map(|_| numbers.below(keys)).collect();
        run.sort_unstable();
        runs.push(run.into_iter().enumerate().map(|(at, key)| (key, rank, at as u64)).collect());
    }
    let mut sorted: Vec<Item> = runs.concat();
    sorted.sort_unstable();
    let all = sorted.len() as u64;
    let mut shares: Vec<u64> = (1..ranks).map(|_| numbers.below(all + 1)).collect();
    shares.extend([0, all]);
    shares.sort_unstable();
    let (mut ends, mut owners) = (vec![0], Vec::new());
    for (rank, share) in shares.windows(2).enumerate().filter(|(_, share)| share[0] < share[1]) {
        let mut inner: Vec<u64> = (0..numbers.below(3))
            .map(|_| share[0] + 1 + numbers.below(share[1] - share[0]))
            .filter(|end| *end < share[1])
            .collect();
        inner.sort_unstable();
        inner.dedup();
        owners.extend(vec![rank; inner.len() + 1]);
        ends.extend(inner);
        ends.push(share[1]);
    }
    let before = |end: &u64| {
        let of_run = |rank| sorted[..*end as usize].iter().filter(|it| it.1 == rank).count() as u64;
        (0..ranks).map(of_run).collect()
    };
    let of_runs = ends.iter().map(before).collect();
    let alignment = [1, 4, 16][numbers.below(3) as usize];
    (runs, Splits { pieces: Pieces { ends, owners }, of_runs, shares, alignment })
}

/// The arrays of a rank; no item where nothing has come.
struct Memory {
    run: Vec<Option<Item>>,
    incoming: Vec<Option<Item>>,
    merged: [Vec<Option<Item>>; 2],
    share: Vec<Option<Item>>,
}

impl Memory {
    fn of(plan: &Plan, run: &[Item], share: u64) -> Self {
        let empty = |items: u64| vec![None; items as usize];
        Self {
            run: run.iter().copied().map(Some).collect(),
            incoming: empty(plan.incoming),
            merged: [empty(plan.merged), empty(plan.merged)],
            share: empty(share),
        }
    }

    fn at(&mut self, slot: Slot) -> &mut [Option<Item>] {
        let (array, item) = match slot {
            Slot::Run(item) => (&mut self.run, item),
            Slot::Incoming(item) => (&mut self.incoming, item),
            Slot::Merged { is_second, item } => (&mut self.merged[usize::from(is_second)], item),
            Slot::Share(item) => (&mut self.share, item),
        };
        &mut array[item as usize..]
    }

    fn take(&mut self, Sorted { slot, items }: Sorted) -> Vec<Item> {
        let items = self.at(slot)[..items as usize].iter();
        items.map(|item| item.expect("it has come")).collect()
    }

    fn put(&mut self, slot: Slot, items: &[Item]) {
        for (to, from) in self.at(slot).iter_mut().zip(items) {
            let is_free = to.is_none() || matches!(slot, Slot::Merged { .. });
            assert!(is_free, "{slot:?}: each item is written once");
            *to = Some(*from);
        }
    }
}

/// What all ranks send in a step, which is what the receivers expect.
fn transfer(plans: &[Plan], step: usize, memories: &mut [Memory]) {
    for (rank, plan) in plans.iter().enumerate() {
        let Some(step_of_rank) = plan.steps.get(step) else { continue };
        for sent in step_of_rank.transfers.iter().filter(|it| it.is_sent) {
            let expected = plans[sent.peer].steps[step].transfers.iter();
            let mut of_rank = expected.filter(|it| !it.is_sent && it.peer == rank);
            let (received, more) = (of_rank.next().expect("it is expected"), of_rank.next());
            assert_eq!(more, None);
            let of = |it: &Transfer| (it.first, it.items, it.lead);
            assert_eq!(of(received), of(sent));
            let items = memories[rank].take(Sorted { slot: sent.slot, items: sent.items });
            memories[sent.peer].put(received.slot, &items);
        }
    }
}

fn check(runs: &[Vec<Item>], splits: &Splits) {
    let plans: Vec<Plan> = (0..runs.len()).map(|rank| Plan::of(splits, rank)).collect();
    let share = |rank: usize| splits.shares[rank + 1] - splits.shares[rank];
    let mut memories: Vec<Memory> =
        (0..runs.len()).map(|rank| Memory::of(&plans[rank], &runs[rank], share(rank))).collect();
    for step in 0..plans.iter().map(|plan| plan.steps.len()).max().unwrap_or(0) {
        transfer(&plans, step, &mut memories);
        for (plan, memory) in plans.iter().zip(&mut memories) {
            let Some(step) = plan.steps.get(step) else { continue };
            if let Some((from, to)) = step.copy {
                let items = memory.take(from);
                memory.put(to, &items);
            }
            for merge @ Merge { first, second, to } in &step.merges {
                let mut items = [memory.take(*first), memory.take(*second)].concat();
                assert!(items[0].1 < items[items.len() - 1].1, "ranges are in the order of ranks");
                items.sort_by_key(|item| item.0);
                let array = |slot: Slot| std::mem::discriminant(&slot);
                let parity = |slot: Slot| match slot {
                    Slot::Merged { is_second, .. } => Some(is_second),
                    _ => None,
                };
                for from in [first.slot, second.slot] {
                    assert!(array(from) != array(*to) || parity(from) != parity(*to), "{merge:?}");
                }
                memory.put(*to, &items);
            }
        }
    }
    let result: Vec<Item> = memories
        .iter()
        .flat_map(|memory| memory.share.iter().map(|item| item.expect("all have come")))
        .collect();
    let mut sorted = runs.concat();
    sorted.sort_unstable();
    assert_eq!(result, sorted);
}

#[test]
fn every_item_gets_to_its_slot() {
    let mut numbers = Numbers(7);
    for ranks in (1..=16).chain([22, 27, 30, 31, 38, 64]) {
        for _ in 0..100 {
            let (runs, splits) = case(ranks, &mut numbers);
            check(&runs, &splits);
        }
    }
}

#[test]
fn what_is_received_and_merged_is_aligned_as_in_the_run() {
    let mut numbers = Numbers(11);
    let mut seen = 0;
    for _ in 0..100 {
        let (_, splits) = case(3, &mut numbers);
        for rank in 0..3 {
            let mut end = 0;
            for Transfer { slot, first, items, lead, .. } in
                Plan::of(&splits, rank).steps.into_iter().flat_map(|step| step.transfers)
            {
                if let Slot::Incoming(item) = slot {
                    assert_eq!(
                        [(item - lead) % splits.alignment, (first - lead) % splits.alignment],
                        [0; 2]
                    );
                    assert!(item - lead >= end, "nothing lies there");
                    end = item + items;
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 100);
}

#[test]
fn a_layout_is_split_at_its_pieces() {
    let layout = Layout { shards: vec![0, 4, 6], shares: vec![0, 3, 6] };
    let pieces = Pieces::of(&layout);
    let of_runs = vec![vec![0, 0], vec![3, 0], vec![4, 2]];
    let plan =
        Plan::of(&Splits { pieces, of_runs, shares: layout.shares.clone(), alignment: 4 }, 1);
    // Nothing of rank 1 goes to rank 0; of rank 0 an item comes, in front of the rank's own two.
    let (slot, first, items) = (Slot::Incoming(3), 3, 1);
    let received = Transfer { peer: 0, is_sent: false, slot, first, items, lead: 3 };
    let merge = Merge {
        first: Sorted { slot, items },
        second: Sorted { slot: Slot::Run(0), items: 2 },
        to: Slot::Share(0),
    };
    let step = Step { transfers: vec![received], copy: None, merges: vec![merge] };
    assert_eq!(plan, Plan { steps: vec![step], incoming: 4, merged: 0 });
}
