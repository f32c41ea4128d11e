//! A set of specs in which every pair of axis values that can meet does meet.
//!
//! Each axis is cut down to a few values. Greedily, one spec after another is built around a pair that is still missing:
//! axis by axis in random order it takes the value that adds the most missing pairs with the axes fixed so far and that
//! leaves the spec legal.

use std::collections::HashSet;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::{
    Algorithm, Arrangement, BitRange, Block, InnerScan, KeyType, LaneMatch, Order, Rank, SortSpec,
    SpecFields, Token, ValueType,
};

use super::cost;

/// The axes, in the order of a [`Point`].
const AXES: usize = 10;
const KEY: usize = 0;
const VALUE: usize = 1;
const BLOCK: usize = 2;
const ITEMS: usize = 3;
const RADIX_BITS: usize = 4;
const RANK: usize = 5;
const ORDER: usize = 6;
const INPUT: usize = 7;
const OUTPUT: usize = 8;
const BITS: usize = 9;

/// A point of the grid: the index of the value on each axis.
pub type Point = [usize; AXES];

/// Sizes around a warp and a block, full warps and not, of one to three dimensions.
const BLOCKS: [(u32, u32, u32); 12] = [
    (1, 1, 1),
    (5, 1, 1),
    (32, 1, 1),
    (33, 1, 1),
    (16, 4, 1),
    (5, 4, 3),
    (96, 1, 1),
    (128, 1, 1),
    (100, 1, 1),
    (8, 8, 4),
    (512, 1, 1),
    (1024, 1, 1),
];
const ITEM_COUNTS: [u32; 11] = [1, 2, 3, 4, 5, 8, 11, 16, 23, 32, 64];
/// Run-time bits, and constant ones: all bits of the key, low bits, middle bits, one bit.
const BIT_CHOICES: usize = 5;

fn ranks() -> Vec<Rank> {
    let scans = [InnerScan::WarpScans, InnerScan::Raking, InnerScan::RakingMemoize];
    let packed = scans.into_iter().flat_map(|inner_scan| {
        [true, false].map(|memoize_outer_scan| Rank::Packed { memoize_outer_scan, inner_scan })
    });
    packed.chain([LaneMatch::Ballots, LaneMatch::SharedMasks].map(Rank::Match)).collect()
}

fn sizes() -> Point {
    [
        KeyType::ALL.len(),
        ValueType::table().len(),
        BLOCKS.len(),
        ITEM_COUNTS.len(),
        8,
        ranks().len(),
        Order::table().len(),
        Arrangement::table().len(),
        2,
        BIT_CHOICES,
    ]
}

/// The fields of a point in the grid; none where the key has no such range of bits.
fn fields(point: &Point, ranks: &[Rank]) -> Option<SpecFields> {
    let key = KeyType::ALL[point[KEY]];
    let total = key.bits();
    let bits = match point[BITS] {
        0 => BitRange::Runtime,
        1 => BitRange::Static { begin: 0, end: total },
        _ if total < 8 => return None,
        2 => BitRange::Static { begin: 0, end: total * 3 / 5 },
        3 => BitRange::Static { begin: total / 3, end: total - 1 },
        _ => BitRange::Static { begin: total / 2, end: total / 2 + 1 },
    };
    let (x, y, z) = BLOCKS[point[BLOCK]];
    let algorithm = Algorithm::BlockRadix {
        block: Block { x, y, z },
        radix_bits: point[RADIX_BITS] as u32 + 1,
        rank: ranks[point[RANK]],
        bits,
    };
    Some(SpecFields {
        algorithm,
        key,
        value: ValueType::table()[point[VALUE]].0,
        items: ITEM_COUNTS[point[ITEMS]],
        order: Order::table()[point[ORDER]].0,
        input: Arrangement::table()[point[INPUT]].0,
        output: [Arrangement::Blocked, Arrangement::Striped][point[OUTPUT]],
    })
}

fn spec(point: &Point, ranks: &[Rank]) -> Option<SortSpec> {
    fields(point, ranks)?.validate().ok()
}

/// A value of an axis.
type Choice = (usize, usize);

/// The specs, the same each time.
pub fn covering_set() -> Vec<SortSpec> {
    Search::new().run().into_iter().map(|(_, spec)| spec).collect()
}

struct Search {
    ranks: Vec<Rank>,
    sizes: Point,
    missing: HashSet<(Choice, Choice)>,
    rng: ChaCha8Rng,
}

impl Search {
    fn new() -> Self {
        let sizes = sizes();
        let choices =
            || (0..AXES).flat_map(|axis| (0..sizes[axis]).map(move |value| (axis, value)));
        let missing = choices()
            .flat_map(|first| {
                choices()
                    .filter(move |second| first.0 < second.0)
                    .map(move |second| (first, second))
            })
            .collect();
        Self { ranks: ranks(), sizes, missing, rng: ChaCha8Rng::seed_from_u64(0) }
    }

    fn run(mut self) -> Vec<(Point, SortSpec)> {
        let mut pairs: Vec<(Choice, Choice)> = self.missing.iter().copied().collect();
        pairs.sort_unstable();
        pairs.shuffle(&mut self.rng);
        let mut set = Vec::new();
        for pair in pairs {
            if !self.missing.contains(&pair) {
                continue;
            }
            let candidates: Vec<(Point, SortSpec)> =
                (0..12).filter_map(|_| self.grow(pair)).collect();
            let gain =
                |point: &Point| pairs_of(point).filter(|pair| self.missing.contains(pair)).count();
            // The most new pairs; among equals the least work.
            let best = candidates
                .into_iter()
                .max_by_key(|(point, spec)| (gain(point), u64::MAX - cost(spec)));
            if let Some((point, spec)) = best {
                pairs_of(&point).for_each(|pair| {
                    self.missing.remove(&pair);
                });
                set.push((point, spec));
            }
        }
        set
    }

    /// A legal point with this pair, and with many other missing ones; none if there is no legal point.
    fn grow(&mut self, (first, second): (Choice, Choice)) -> Option<(Point, SortSpec)> {
        let mut fixed: [Option<usize>; AXES] = [None; AXES];
        fixed[first.0] = Some(first.1);
        fixed[second.0] = Some(second.1);
        self.complete(&fixed)?;
        let mut axes: Vec<usize> = (0..AXES).filter(|axis| fixed[*axis].is_none()).collect();
        axes.shuffle(&mut self.rng);
        for axis in axes {
            let mut values: Vec<(usize, usize)> = (0..self.sizes[axis])
                .map(|value| (self.gain(&fixed, axis, value), value))
                .collect();
            values.shuffle(&mut self.rng);
            values.sort_by_key(|(gain, _)| std::cmp::Reverse(*gain));
            fixed[axis] = values.iter().map(|(_, value)| *value).find(|value| {
                let mut tried = fixed;
                tried[axis] = Some(*value);
                self.complete(&tried).is_some()
            });
        }
        self.complete(&fixed)
    }

    /// Missing pairs of this value with those fixed.
    fn gain(&self, fixed: &[Option<usize>; AXES], axis: usize, value: usize) -> usize {
        let with = |other: usize, other_value| {
            let (a, b) = ((axis, value), (other, other_value));
            if axis < other { (a, b) } else { (b, a) }
        };
        let fixed = fixed.iter().enumerate().filter_map(|(other, value)| Some((other, (*value)?)));
        fixed.filter(|(other, value)| self.missing.contains(&with(*other, *value))).count()
    }

    /// A legal point with the fixed values. Some ranks and arrangements require full warps, and shared memory is limited, so every rank
    /// and block is tried with the first value of every other axis.
    fn complete(&mut self, fixed: &[Option<usize>; AXES]) -> Option<(Point, SortSpec)> {
        let any = |axis: usize| fixed[axis].map_or(0..self.sizes[axis], |value| value..value + 1);
        let ranks = any(RANK).collect::<Vec<_>>();
        let mut blocks = any(BLOCK).collect::<Vec<_>>();
        blocks.shuffle(&mut self.rng);
        let mut points = ranks.iter().flat_map(|rank| blocks.iter().map(|block| (*rank, *block)));
        points.find_map(|(rank, block)| {
            let mut point = fixed.map(Option::unwrap_or_default);
            point[RANK] = rank;
            point[BLOCK] = block;
            spec(&point, &self.ranks).map(|spec| (point, spec))
        })
    }
}

fn pairs_of(point: &Point) -> impl Iterator<Item = (Choice, Choice)> {
    (0..AXES).flat_map(move |a| (a + 1..AXES).map(move |b| ((a, point[a]), (b, point[b]))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair that any legal point of the grid has. Axes that legality does not depend on stay at two values each.
    fn pairs_that_can_meet() -> HashSet<(Choice, Choice)> {
        let (sizes, ranks) = (sizes(), ranks());
        let mut pairs = HashSet::new();
        for pair in Search::new().missing {
            let (first, second) = pair;
            let mut axes: Vec<Vec<usize>> =
                (0..AXES).map(|axis| (0..sizes[axis]).collect()).collect();
            for axis in [KEY, VALUE, ITEMS, RADIX_BITS, ORDER, OUTPUT, BITS] {
                axes[axis].truncate(2);
            }
            axes[first.0] = vec![first.1];
            axes[second.0] = vec![second.1];
            let points: usize = axes.iter().map(Vec::len).product();
            let point = |mut number: usize| {
                std::array::from_fn(|axis| {
                    let values = &axes[axis];
                    let value = values[number % values.len()];
                    number /= values.len();
                    value
                })
            };
            if (0..points).any(|number| spec(&point(number), &ranks).is_some()) {
                pairs.insert(pair);
            }
        }
        pairs
    }

    #[test]
    fn each_pair_that_can_meet_does() {
        let set = Search::new().run();
        let met: HashSet<(Choice, Choice)> =
            set.iter().flat_map(|(point, _)| pairs_of(point)).collect();
        let can_meet = pairs_that_can_meet();
        assert!(can_meet.len() > 2000, "{} pairs can meet", can_meet.len());
        assert_eq!(met, can_meet);
        println!("{} specs for {} pairs", set.len(), met.len());
    }

    #[test]
    fn the_set_is_small_distinct_and_the_same_each_time() {
        let set = covering_set();
        assert_eq!(set, covering_set());
        assert_eq!(set.iter().collect::<HashSet<_>>().len(), set.len());
        assert!(set.len() < 350, "{}", set.len());
    }
}
