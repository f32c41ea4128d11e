//! Plans are carried out on lists of numbers: every item gets to its slot in the result.

use super::*;

/// A number that differs from call to call.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit.max(1)
    }
}

fn buckets(ranks: usize, count: usize, numbers: &mut Numbers) -> Buckets {
    let most = [1, 4, 30][numbers.below(3) as usize];
    let counts: Vec<Vec<u64>> =
        (0..ranks).map(|_| (0..count).map(|_| numbers.below(most)).collect()).collect();
    let all: u64 = counts.iter().flatten().sum();
    let mut shares: Vec<u64> = (1..ranks).map(|_| numbers.below(all + 1)).collect();
    shares.sort_unstable();
    shares.insert(0, 0);
    shares.push(all);
    let are_equal = (0..count).map(|_| numbers.below(3) == 0).collect();
    Buckets { counts, are_equal, shares, alignment: [1, 4, 16][numbers.below(3) as usize] }
}

/// An item: its bucket, its rank, its number there.
type Item = (usize, usize, u64);

/// The arrays of a rank; no item where nothing has come.
#[derive(Default)]
struct Memory {
    outgoing: Vec<Option<Item>>,
    incoming: Vec<Option<Item>>,
    beyond: Vec<Option<Item>>,
    share: Vec<Option<Item>>,
}

impl Memory {
    fn of(plan: &Plan, share: u64) -> Self {
        let empty = |items: u64| vec![None; items as usize];
        Self {
            outgoing: empty(plan.outgoing),
            incoming: empty(plan.incoming),
            beyond: empty(plan.beyond_items),
            share: empty(share),
        }
    }

    fn at(&mut self, slot: Slot) -> &mut [Option<Item>] {
        let (array, item) = match slot {
            Slot::Outgoing(item) => (&mut self.outgoing, item),
            Slot::Incoming(item) => (&mut self.incoming, item),
            Slot::Beyond(item) => (&mut self.beyond, item),
            Slot::Share(item) => (&mut self.share, item),
        };
        &mut array[item as usize..]
    }

    fn put(&mut self, slot: Slot, items: &[Option<Item>]) {
        for (to, from) in self.at(slot).iter_mut().zip(items) {
            assert!(to.is_none() && from.is_some(), "{slot:?}: each item is written once");
            *to = *from;
        }
    }
}

fn carry_out(transfers: &[Transfer], memories: &mut [Memory]) {
    for Transfer { from, to, items } in transfers {
        let moved = memories[from.0].at(from.1)[..*items as usize].to_vec();
        memories[to.0].put(to.1, &moved);
    }
}

/// What all ranks send, by the senders' plans, which is what the receivers expect by theirs.
fn sent(of_ranks: &[&[Transfer]]) -> Vec<Transfer> {
    let mut sent = Vec::new();
    for (rank, transfers) in of_ranks.iter().enumerate() {
        for transfer in *transfers {
            let other = if transfer.from.0 == rank { transfer.to.0 } else { transfer.from.0 };
            assert!(of_ranks[other].contains(transfer), "both ranks know of {transfer:?}");
            if transfer.from.0 == rank {
                sent.push(*transfer);
            }
        }
    }
    sent
}

fn check(buckets: &Buckets) {
    let ranks = buckets.ranks();
    let plans: Vec<Plan> = (0..ranks).map(|rank| Plan::of(buckets, rank)).collect();
    let share = |rank: usize| buckets.shares[rank + 1] - buckets.shares[rank];
    let mut memories: Vec<Memory> =
        (0..ranks).map(|rank| Memory::of(&plans[rank], share(rank))).collect();
    for (rank, plan) in plans.iter().enumerate() {
        for (bucket, slot) in plan.destinations.iter().enumerate() {
            let count = buckets.counts[rank][bucket];
            let items: Vec<_> = (0..count).map(|item| Some((bucket, rank, item))).collect();
            assert_eq!(slot.is_some(), count > 0);
            if let Some(slot) = slot {
                memories[rank].put(*slot, &items);
            }
        }
    }
    for step in 0..plans[0].steps.len() {
        let of_ranks: Vec<&[Transfer]> =
            plans.iter().map(|plan| plan.steps[step].0.as_slice()).collect();
        carry_out(&sent(&of_ranks), &mut memories);
        for (rank, plan) in plans.iter().enumerate() {
            let Some(BucketSort { incoming, to, items }) = plan.steps[step].1 else { continue };
            let bucket = memories[rank].at(Slot::Incoming(incoming))[..items as usize].to_vec();
            // What a stable sort needs: items in the order of ranks.
            assert!(bucket.iter().all(Option::is_some) && bucket.is_sorted());
            memories[rank].put(to, &bucket);
        }
    }
    let of_ranks = |of: fn(&Plan) -> &[Transfer]| plans.iter().map(of).collect::<Vec<_>>();
    carry_out(&sent(&of_ranks(|plan| &plan.equal)), &mut memories);
    carry_out(&sent(&of_ranks(|plan| &plan.beyond)), &mut memories);
    let result: Vec<Item> = memories
        .iter()
        .flat_map(|memory| memory.share.iter().map(|item| item.expect("all")))
        .collect();
    assert!(result.is_sorted());
    assert_eq!(result.len() as u64, *buckets.shares.last().unwrap_or(&0));
}

#[test]
fn every_item_gets_to_its_slot() {
    let mut numbers = Numbers(7);
    for ranks in 1..=5 {
        for count in [1, 2, 7, 20] {
            for _ in 0..50 {
                check(&buckets(ranks, count, &mut numbers));
            }
        }
    }
}

#[test]
fn what_is_received_is_aligned_as_what_is_sent() {
    let mut numbers = Numbers(11);
    for _ in 0..100 {
        let buckets = buckets(3, 9, &mut numbers);
        for rank in 0..3 {
            for (transfers, _) in Plan::of(&buckets, rank).steps {
                for Transfer { from, to, .. } in transfers {
                    let remainders = [from.1, to.1].map(|it| it.item() % buckets.alignment);
                    assert_eq!(remainders[0], remainders[1]);
                }
            }
        }
    }
}
