//! Networks of comparators: which slots are compared, and in which order, whatever the items are.
//!
//! A comparator puts the smaller of two items in its first slot. All have their first slot below their second, so items that
//! are greater than all others, and come last, may be thought behind the end of any network and be left out of it: that is how
//! there is one for every length.

/// Two slots, the first of which gets the smaller item.
pub type Comparator = (usize, usize);

/// A network that sorts this number of items: Batcher's merge exchange (Knuth, The Art of Computer Programming 3, 5.2.2, algorithm M).
pub fn sorter(items: usize) -> Vec<Comparator> {
    let mut comparators = Vec::new();
    if items < 2 {
        return comparators;
    }
    let top = items.next_power_of_two() / 2;
    let mut p = top;
    while p > 0 {
        let (mut q, mut r, mut distance) = (top, 0, p);
        loop {
            let firsts = (0..items - distance).filter(|first| first & p == r);
            comparators.extend(firsts.map(|first| (first, first + distance)));
            if q == p {
                break;
            }
            (distance, q, r) = (q - p, q / 2, p);
        }
        p /= 2;
    }
    comparators
}

/// A network that sorts this number of items if they are bitonic: rising and then falling, or so in a circle. For a power of two it is
/// Batcher's bitonic merger.
///
/// An even number is halved: each item meets the one half the length away, and what is left is two bitonic halves, the upper
/// one above the lower one. Of an odd number, the items at even slots and those at odd slots are bitonic too; sorted, either
/// half has at most two more of the smaller items than its share, which two rounds of neighbours repair.
pub fn bitonic_merger(items: usize) -> Vec<Comparator> {
    let mut comparators = Vec::new();
    merge(&(0..items).collect::<Vec<_>>(), &mut comparators);
    comparators
}

fn merge(slots: &[usize], comparators: &mut Vec<Comparator>) {
    if slots.len() < 2 {
        return;
    }
    if slots.len().is_multiple_of(2) {
        let (lower, upper) = slots.split_at(slots.len() / 2);
        comparators.extend(lower.iter().copied().zip(upper.iter().copied()));
        merge(lower, comparators);
        merge(upper, comparators);
    } else {
        let even: Vec<usize> = slots.iter().copied().step_by(2).collect();
        let odd: Vec<usize> = slots.iter().copied().skip(1).step_by(2).collect();
        merge(&even, comparators);
        merge(&odd, comparators);
        comparators.extend(odd.iter().copied().zip(even.iter().copied().skip(1)));
        comparators.extend(even.iter().copied().zip(odd.iter().copied()));
    }
}

/// The comparators in layers: those of a layer have no slot in common, and each comes as early as it may.
pub fn layers(comparators: &[Comparator]) -> Vec<Vec<Comparator>> {
    let slots = comparators.iter().map(|(_, second)| second + 1).max().unwrap_or(0);
    let mut depth = vec![0; slots];
    let mut layers: Vec<Vec<Comparator>> = Vec::new();
    for &(first, second) in comparators {
        let layer = depth[first].max(depth[second]);
        (depth[first], depth[second]) = (layer + 1, layer + 1);
        if layer == layers.len() {
            layers.push(Vec::new());
        }
        layers[layer].push((first, second));
    }
    layers
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Items of one bit, the first one the lowest. If a network sorts all of these it sorts anything.
    fn sorts(comparators: &[Comparator], items: usize, bits: u32) -> bool {
        let sorted = comparators.iter().fold(bits, |bits, (first, second)| {
            let is_exchanged = bits >> first & !(bits >> second) & 1;
            bits ^ (is_exchanged << first | is_exchanged << second)
        });
        let ones = bits.count_ones();
        u64::from(sorted) == ((1u64 << ones) - 1) << (items as u32 - ones)
    }

    /// Ones in a row, in a circle.
    fn bitonic_inputs(items: usize) -> BTreeSet<u32> {
        let mask = (1u64 << items) - 1;
        let run = |start: usize, length: usize| {
            let ones = (1u64 << length) - 1;
            ((ones << start | ones << start >> items) & mask) as u32
        };
        (0..items).flat_map(|start| (0..=items).map(move |length| run(start, length))).collect()
    }

    #[test]
    fn sorters_sort() {
        for items in 1..=16 {
            let network = sorter(items);
            assert!((0..1u32 << items).all(|bits| sorts(&network, items, bits)), "{items}");
        }
        for items in 17..=32 {
            let network = sorter(items);
            let mut bits = 1u32;
            for _ in 0..100_000 {
                bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let mask = ((1u64 << items) - 1) as u32;
                assert!(sorts(&network, items, bits.rotate_left(bits >> 27) & mask), "{items}");
            }
        }
        let sizes = [1, 2, 4, 8, 16, 32].map(|items| sorter(items).len());
        assert_eq!(sizes, [0, 1, 5, 19, 63, 191]);
    }

    #[test]
    fn mergers_sort_what_is_bitonic_and_no_comparator_is_for_nothing() {
        for items in 1..=32 {
            let network = bitonic_merger(items);
            let inputs = bitonic_inputs(items);
            let sorts_all =
                |network: &[Comparator]| inputs.iter().all(|bits| sorts(network, items, *bits));
            assert!(sorts_all(&network), "{items}");
            assert!(network.len() <= sorter(items).len());
            for left_out in 0..network.len() {
                let mut fewer = network.clone();
                fewer.remove(left_out);
                assert!(!sorts_all(&fewer), "{items}: {:?} does nothing", network[left_out]);
            }
        }
    }

    #[test]
    fn layers_have_all_comparators_and_no_slot_twice() {
        for items in [1, 5, 16, 31] {
            let network = sorter(items);
            let layers = layers(&network);
            assert_eq!(layers.iter().map(Vec::len).sum::<usize>(), network.len());
            for layer in &layers {
                let slots: BTreeSet<usize> =
                    layer.iter().flat_map(|(first, second)| [*first, *second]).collect();
                assert_eq!(slots.len(), 2 * layer.len());
            }
            assert!(sorts(&layers.concat(), items, (1u32 << (items - 1)) - 1));
        }
    }
}
