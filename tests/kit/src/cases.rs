//! The cases of one spec: calls, their items, and the expected output.

use std::collections::HashSet;

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::comparison::ComparisonPlan;
use sortsmith_codegen::{BitRange, KeyType, SortSpec, ValueType, registry};

use crate::emulator::{Entry, Outcome, Request, RowsOfRequest};
use crate::inputs::{self, Keys};
use crate::oracle::{self, Task};
use crate::structured;

/// How a generated header is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// The call.
    pub entry: Entry,
    /// Whether `n` is passed as the number of valid items.
    pub passes_valid: bool,
    /// Whether the outputs of a kernel of tiles or rows are its inputs.
    pub in_place: bool,
}

/// The calls, in the order in which cases take them.
const CALLS: [Call; 7] = [
    Call { entry: Entry::Sort, passes_valid: false, in_place: false },
    Call { entry: Entry::TileKernel, passes_valid: false, in_place: false },
    Call { entry: Entry::Sort, passes_valid: true, in_place: false },
    Call { entry: Entry::SortToStriped, passes_valid: true, in_place: false },
    Call { entry: Entry::SortToStriped, passes_valid: false, in_place: false },
    Call { entry: Entry::TileKernel, passes_valid: false, in_place: true },
    Call { entry: Entry::Sort, passes_valid: true, in_place: false },
];

/// One case, all but the order of threads.
#[derive(Clone, Debug)]
pub struct Case {
    /// The distribution of the keys.
    pub kind: Keys,
    /// How.
    pub call: Call,
    /// The bits that are passed.
    pub bits: Option<(u32, u32)>,
    /// The rows, where the kernel of rows is called.
    pub rows: RowsOfRequest,
    /// Items.
    pub n: usize,
    /// The keys that go in.
    pub keys: Vec<u8>,
    /// The values that go in.
    pub values: Vec<u8>,
    /// The keys that must come out.
    pub expected_keys: Vec<u8>,
    /// The values that must come out.
    pub expected_values: Vec<u8>,
}

impl Case {
    /// The request for one order of threads.
    pub fn request(&self, spec: &SortSpec, member: usize, seed: u64) -> Request<'_> {
        let Self {
            call: Call { entry, passes_valid, in_place },
            bits,
            rows,
            n,
            ref keys,
            ref values,
            ..
        } = *self;
        let value_bytes = value_bytes(spec);
        Request {
            member,
            entry,
            bits,
            passes_valid,
            in_place,
            rows,
            n,
            seed,
            keys,
            values,
            value_bytes,
        }
    }

    /// The defect of an outcome, if it has one.
    pub fn complaint(&self, spec: &SortSpec, outcome: &Outcome) -> Option<String> {
        outcome.complaint(|keys, values| self.difference(spec, keys, values))
    }

    /// Where the sorted arrays are other than they should be, if anywhere.
    pub fn difference(&self, spec: &SortSpec, keys: &[u8], values: &[u8]) -> Option<String> {
        if !spec.algorithm.is_stable() {
            let expected = [&*self.expected_keys, &self.expected_values];
            let tile = match self.call.entry {
                Entry::RowsKernel | Entry::CountedRowsKernel => self.rows.stride,
                _ => spec.tile_items() as usize,
            };
            return unstable_difference(
                spec.key,
                value_bytes(spec),
                tile,
                [keys, values],
                expected,
            );
        }
        key_difference(spec.key, keys, &self.expected_keys)
            .or_else(|| first_difference("value", values, &self.expected_values, value_bytes(spec)))
    }
}

/// Where sorted keys and values are other than they should be, if equal keys may come out in any order: keys must be
/// equal to those expected, zeros of both signs are, and the items of each tile must be the ones that went in.
pub(crate) fn unstable_difference(
    key: KeyType,
    value_bytes: usize,
    tile: usize,
    [keys, values]: [&[u8]; 2],
    [expected_keys, expected_values]: [&[u8]; 2],
) -> Option<String> {
    let key_bytes = oracle::key_bytes(key);
    let ordered = |keys: &[u8]| -> Vec<u8> {
        let bits = keys.chunks(key_bytes).map(|it| oracle::ordered_bits(key, it));
        bits.flat_map(u128::to_le_bytes).collect()
    };
    let wrong = first_difference("key", &ordered(keys), &ordered(expected_keys), 16);
    if wrong.is_some() {
        return wrong;
    }
    let n = keys.len() / key_bytes;
    (0..n).step_by(tile.max(1)).find_map(|start| {
        let items = |keys: &[u8], values: &[u8]| {
            let mut items: Vec<(Vec<u8>, Vec<u8>)> = (start..n.min(start + tile))
                .map(|at| {
                    let part = |all: &[u8], bytes: usize| all[at * bytes..][..bytes].to_vec();
                    (part(keys, key_bytes), part(values, value_bytes))
                })
                .collect();
            items.sort_unstable();
            items
        };
        let is_same = items(keys, values) == items(expected_keys, expected_values);
        (!is_same).then(|| format!("the items of the tile at {start} are not those that went in"))
    })
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, call: Call { entry, passes_valid, in_place }, bits, rows, n, .. } = self;
        write!(f, "{entry:?} of {n} {kind:?} keys")?;
        if entry.is_of_rows() {
            write!(f, ", {rows:?}")?;
        }
        if let Some((begin, end)) = bits {
            write!(f, ", bits {begin}..{end}")?;
        }
        f.write_str(if *passes_valid { ", valid_items" } else { "" })?;
        f.write_str(if *in_place { ", in place" } else { "" })
    }
}

/// Bytes of one value that comes out.
pub fn value_bytes(spec: &SortSpec) -> usize {
    match spec.value {
        ValueType::None => 0,
        ValueType::U8 => 1,
        ValueType::U16 => 2,
        ValueType::U32 | ValueType::Index => 4,
        ValueType::U64 => 8,
        ValueType::U128 => 16,
        _ => panic!("no case has values of {}", spec.value),
    }
}

/// All distributions of keys, and for sorts by truncated keys the ones in which some truncated keys agree, or none.
pub(crate) fn kinds_of(spec: &SortSpec) -> Vec<Keys> {
    let mut kinds = Keys::all(spec.key);
    if ComparisonPlan::of(spec).is_some_and(|plan| plan.compares_truncated_keys()) {
        kinds.extend([Keys::Clusters, Keys::Narrow]);
    }
    kinds
}

/// `count` different cases of a spec, fewer only where it has no more. They go round the entry points, the distributions
/// and the sizes at the edges of a tile.
pub fn of(spec: &SortSpec, count: usize, rng: &mut ChaCha8Rng) -> Vec<Case> {
    of_kinds(spec, kinds_of(spec), count, rng)
}

/// The same with keys of these distributions alone.
pub fn of_kinds(
    spec: &SortSpec,
    mut kinds: Vec<Keys>,
    count: usize,
    rng: &mut ChaCha8Rng,
) -> Vec<Case> {
    kinds.shuffle(rng);
    let mut seen = HashSet::new();
    let mut cases = Vec::new();
    // A spec of one item and one bit has few cases; more draws than this find no more of them.
    for draw in 0..count * 20 {
        if cases.len() == count {
            break;
        }
        let kind = kinds[draw % kinds.len()];
        let call = CALLS[draw % CALLS.len()];
        let n = items(spec, call, draw, rng);
        let bits = bits(spec, call.entry, rng);
        if seen.insert((kind, call, n, bits)) {
            cases.push(case(spec, kind, call, n, bits, rng));
        }
    }
    cases
}

/// A case for each number of valid items that a tile may have, for `Sort` and for its sibling, going round the distributions.
pub fn of_every_length(spec: &SortSpec, rng: &mut ChaCha8Rng) -> Vec<Case> {
    let calls = CALLS.iter().filter(|call| call.passes_valid).take(2);
    let kinds = kinds_of(spec);
    let lengths = 0..=spec.tile_items() as usize;
    let with_calls = calls.flat_map(|call| lengths.clone().map(move |n| (*call, n)));
    with_calls
        .zip(kinds.iter().cycle())
        .map(|((call, n), kind)| case(spec, *kind, call, n, None, rng))
        .collect()
}

/// The edges of tiles, and anything between them.
fn items(spec: &SortSpec, call: Call, draw: usize, rng: &mut ChaCha8Rng) -> usize {
    let tile = spec.tile_items() as usize;
    let two_tiles = rng.random_range(0..=2 * tile);
    let one_tile = rng.random_range(0..=tile);
    let threads = spec.algorithm.block().threads();
    let block_threads = registry::summary(spec).map_or(threads, |it| it.block.threads());
    if call.entry == Entry::TileKernel && block_threads > threads {
        // A block has many tiles; full blocks access memory in another way than partial ones.
        let block = tile * (block_threads / threads) as usize;
        let edges = [0, 1, tile - 1, tile, tile + 1, block - 1, block, block + 1, 2 * block];
        let any = rng.random_range(0..=block + tile);
        return match rng.random_range(0..4) {
            0 if call.in_place => block * rng.random_range(1..=2),
            0..2 => edges[rng.random_range(0..edges.len())],
            _ => any,
        };
    }
    match (call.entry, call.passes_valid) {
        (Entry::TileKernel, _) if rng.random() => two_tiles,
        (Entry::TileKernel, _) => {
            let edges = [0, 1, tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile];
            edges[rng.random_range(0..edges.len())]
        }
        (_, true) => [0, 1, tile - 1, tile, one_tile, one_tile][draw / 2 % 6],
        (_, false) => tile,
    }
}

pub(crate) fn bits(spec: &SortSpec, entry: Entry, rng: &mut ChaCha8Rng) -> Option<(u32, u32)> {
    match spec.algorithm.bits() {
        Some(BitRange::Runtime) => ((entry == Entry::TileKernel || entry.is_of_rows())
            || rng.random())
        .then(|| inputs::bit_range(spec.key, rng)),
        Some(BitRange::Static { .. }) | None => None,
    }
}

fn case(
    spec: &SortSpec,
    kind: Keys,
    call: Call,
    n: usize,
    bits: Option<(u32, u32)>,
    rng: &mut ChaCha8Rng,
) -> Case {
    let keys = kind.generate(spec.key, n, rng);
    case_of_keys(spec, kind, keys, call, bits, rng)
}

/// A case of the keys that a string of bytes describes. The other choices are drawn.
pub fn described(spec: &SortSpec, n: usize, description: &[u8], rng: &mut ChaCha8Rng) -> Case {
    let is_tile = n == spec.tile_items() as usize;
    let call = CALLS[if is_tile { rng.random_range(0..CALLS.len()) } else { 1 }];
    let keys = structured::keys(spec.key, n, description);
    case_of_keys(spec, Keys::Structured, keys, call, bits(spec, call.entry, rng), rng)
}

fn case_of_keys(
    spec: &SortSpec,
    kind: Keys,
    keys: Vec<u8>,
    call: Call,
    bits: Option<(u32, u32)>,
    rng: &mut ChaCha8Rng,
) -> Case {
    let n = keys.len() / oracle::key_bytes(spec.key);
    let task = task(spec, bits);
    let value_bytes = value_bytes(spec);
    let reads_values = spec.value.is_read();
    let values =
        if reads_values { inputs::values(value_bytes, n, rng.random()) } else { Vec::new() };
    let (mut expected_keys, mut expected_values) = (Vec::new(), Vec::new());
    let key_bytes = oracle::key_bytes(spec.key);
    let tile = spec.tile_items() as usize;
    for start in (0..n).step_by(tile) {
        let end = n.min(start + tile);
        let tile_keys = &keys[start * key_bytes..end * key_bytes];
        let order = oracle::permutation(&task, tile_keys);
        expected_keys.extend(oracle::gather(tile_keys, key_bytes, &order));
        if reads_values {
            expected_values.extend(oracle::gather(
                &values[start * value_bytes..],
                value_bytes,
                &order,
            ));
        } else if spec.value == ValueType::Index {
            expected_values.extend(order.iter().flat_map(|position| position.to_le_bytes()));
        }
    }
    let rows = RowsOfRequest::default();
    Case { kind, call, bits, rows, n, keys, values, expected_keys, expected_values }
}

/// The oracle's task: the order of a spec by the bits that are passed, or by the spec's own.
pub(crate) fn task(spec: &SortSpec, bits: Option<(u32, u32)>) -> Task {
    let all = (0, oracle::describe(spec.key).1);
    let (begin_bit, end_bit) = match spec.algorithm.bits() {
        Some(BitRange::Static { begin, end }) => (begin, end),
        Some(BitRange::Runtime) | None => bits.unwrap_or(all),
    };
    Task { order: spec.order, begin_bit, end_bit, ..Task::new(spec.key) }
}

/// Where keys are other than they should be, if anywhere: padding may be anything.
pub(crate) fn key_difference(key: KeyType, found: &[u8], expected: &[u8]) -> Option<String> {
    let [found, expected] = [found, expected].map(|keys| oracle::without_padding(key, keys));
    first_difference("key", &found, &expected, oracle::key_bytes(key))
}

pub(crate) fn first_difference(
    what: &str,
    found: &[u8],
    expected: &[u8],
    bytes: usize,
) -> Option<String> {
    if found == expected {
        return None;
    }
    let pairs = || found.chunks(bytes).zip(expected.chunks(bytes)).enumerate();
    let wrong = pairs().filter(|(_, (found, expected))| found != expected).count();
    let (position, (found, expected)) = pairs().find(|(_, (found, expected))| found != expected)?;
    let number = oracle::raw_bits;
    Some(format!(
        "{wrong} {what}s are wrong, the first at {position}: {:#x} in place of {:#x}",
        number(found),
        number(expected)
    ))
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn each_spec_has_its_cases_and_all_entries_and_distributions_are_among_them() {
        let mut rng = ChaCha8Rng::seed_from_u64(6);
        for spec in crate::sampler::covering_set().iter().filter(|spec| spec.tile_items() <= 4096) {
            let cases = of(spec, 20, &mut rng);
            assert_eq!(cases.len(), 20, "{spec}");
            let kinds: HashSet<Keys> = cases.iter().map(|case| case.kind).collect();
            assert_eq!(kinds.len(), Keys::all(spec.key).len(), "{spec}");
            for entry in [Entry::Sort, Entry::SortToStriped, Entry::TileKernel] {
                assert!(cases.iter().any(|case| case.call.entry == entry), "{spec} {entry:?}");
            }
        }
    }

    #[test]
    fn a_difference_is_found_and_reported() {
        let spec: SortSpec = "block_radix_sort_u8_keys_b4_i1_r8_asc".parse().expect("legal");
        let case =
            case(&spec, Keys::AllEqual, CALLS[0], 4, None, &mut ChaCha8Rng::seed_from_u64(7));
        let keys = case.expected_keys.clone();
        assert_eq!(
            case.complaint(
                &spec,
                &Outcome::Sorted { keys: keys.clone(), values: Vec::new(), barriers: 0 }
            ),
            None
        );
        let mut wrong = keys;
        wrong[2] ^= 1;
        let complaint = case
            .complaint(&spec, &Outcome::Sorted { keys: wrong, values: Vec::new(), barriers: 0 });
        assert!(complaint.expect("it differs").starts_with("1 keys are wrong, the first at 2: "));
    }

    #[test]
    fn every_distribution_gives_structs_of_which_many_agree_in_upper_fields() {
        let key: KeyType = "u16f32u8".parse().expect("a key");
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut ties = 0;
        for kind in Keys::all(key) {
            let keys = kind.generate(key, 300, &mut rng);
            assert_eq!(keys.len(), 300 * 12, "{kind:?}");
            let upper: HashSet<&[u8]> = keys.chunks(12).map(|key| &key[..2]).collect();
            ties += usize::from(upper.len() < 100);
        }
        assert!(ties > 4, "{ties}");
        assert!(Keys::all(key).contains(&Keys::Zeros));
    }
}
