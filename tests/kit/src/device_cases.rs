//! The cases of one device-wide sort: items, options, launches, and the expected output.

use std::collections::HashSet;
use std::ops::Range;

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::device::{Device, DeviceAlgorithm, DeviceSpec, Kernel, Launch};
use sortsmith_codegen::{KeyType, ValueType};

use crate::cases::{first_difference, unstable_difference};
use crate::descent;
use crate::edges;
use crate::emulator::{DeviceRequest, Outcome};
use crate::inputs::{self, Keys};
use crate::oracle::{self, Task};
use crate::structured;

/// How many tiles an array has, as an average over cases.
pub const TYPICAL_TILES: u64 = 3;

/// So many equal keys make a counter of 16 bits hand over what it has, at 2^15, twice.
pub(crate) const MANY: usize = 70_003;

/// Of so many keys there are more than 2^16 of two values, and no lane's first key of a chunk tells of them.
const MANY_HIDDEN: usize = 152_003;

/// So many keys, most of them zero, end within a warp that counts them as heavy hitters: lanes without keys hold zeros too.
const MOSTLY_ZERO: usize = 1_999;

/// Of so many keys of one nibble each, three digits promise that few agree, an odd number of passes, and 56 do.
const THREE_NIBBLES: usize = 900;

/// As many items as a sort by samples is tried with: more than 32 tiles, or more than 32 buckets.
const MOST_OF_SAMPLES: u64 = 17_000;

/// So many keys at equal distances, several tiles of them, make a block leave gaps between items.
const REGULAR: usize = 2500;

/// Of so many keys that are the AND of two words few agree in three digits, which in place is one pass too few.
const THREE_DIGITS: usize = 3000;

/// So many keys of two uppermost bytes leave two parts that a block sorts.
const EVEN_PARTS: usize = 6001;

/// Numbers of keys and of different ones among them: 14 keys fall into one sub-bucket of the first, and 36 of the second.
const REPEATED: [(usize, u32); 2] = [(3602, 256), (8003, 220)];

/// Numbers of floats that are even as values, most of them of one MSD bucket, and of different ones among them: 256, 70, which are heavy
/// hitters, and nearly as many as floats.
const EVEN_VALUES: [(usize, u32); 3] = [(5203, 256), (5207, 70), (5501, 1 << 22)];

/// So many keys of 25 bits leave parts of a digit's upper bits, of which a block would have room for all.
const SMALLER_PARTS: usize = 8801;

/// Of so many keys of 25 bits, five of which are tied, a part has more than a block has room for.
const LARGE_PART: usize = 24_001;

/// Keys that agree more often in many digits than the digits alone tell.
const DEPENDENT: [Keys; 3] = [Keys::Nibbles, Keys::NearNibbles, Keys::UpperBytes];

/// How an array is sorted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools)] // each is a way of its own
pub struct How {
    /// The ordered bits that take part.
    pub bits: Range<u32>,
    /// Whether the outputs are the inputs.
    pub in_place: bool,
    /// Whether the keys are wanted.
    pub writes_keys: bool,
    /// Whether all arrays begin at a boundary of 16 bytes, and not only end at the end of a page.
    pub aligned: bool,
    /// Whether keys and values may lie side by side between passes, where the sort has that.
    pub interleaves: bool,
    /// Whether whole keys are counted and written anew, where the sort has that, however few there are.
    pub sorts_by_counting: bool,
    /// Whether keys may be sorted by parts, where the sort has that, however few there are.
    pub parts: bool,
    /// The device that the launches are for.
    pub device: Device,
    /// The number of blocks that run concurrently, interleaved.
    pub blocks_at_once: u32,
}

/// One case, all but the order of threads.
#[derive(Clone, Debug)]
pub struct DeviceCase {
    /// The distribution of the keys.
    pub kind: Keys,
    /// How.
    pub how: How,
    /// Items.
    pub n: usize,
    /// The host's launches.
    pub launches: Vec<Launch>,
    /// The keys that go in.
    pub keys: Vec<u8>,
    /// The values that go in.
    pub values: Vec<u8>,
    /// The keys that must come out; none where they are not wanted.
    pub expected_keys: Vec<u8>,
    /// The values that must come out.
    pub expected_values: Vec<u8>,
}

impl DeviceCase {
    /// The request for one order of threads.
    pub fn request(&self, spec: &DeviceSpec, member: usize, seed: u64) -> DeviceRequest<'_> {
        let Self { how, n, launches, keys, values, .. } = self;
        let How { bits, in_place, writes_keys, aligned, interleaves, device, .. } = how.clone();
        let blocks_at_once = how.blocks_at_once;
        DeviceRequest {
            member,
            spec: *spec,
            bits,
            in_place,
            writes_keys,
            aligned,
            interleaves: interleaves && spec.interleaves(),
            count_columns_log2: spec.count_columns_log2(device),
            launches,
            blocks_at_once,
            n: *n,
            seed,
            keys,
            values,
        }
    }

    /// The defect of an outcome, if it has one.
    pub fn complaint(&self, spec: &DeviceSpec, outcome: &Outcome) -> Option<String> {
        match outcome {
            Outcome::Sorted { keys, values, .. } => self.difference(spec, keys, values),
            Outcome::Fault(message) => Some(format!("fault: {message}")),
            Outcome::Refused(message) => Some(format!("refused: {message}")),
        }
    }

    /// Where the sorted arrays are other than they should be, if anywhere.
    pub fn difference(&self, spec: &DeviceSpec, keys: &[u8], values: &[u8]) -> Option<String> {
        let value_bytes = spec.value.bytes() as usize;
        if !spec.is_stable() {
            let expected = [&*self.expected_keys, &self.expected_values];
            let all = self.n.max(1);
            return unstable_difference(spec.key, value_bytes, all, [keys, values], expected);
        }
        first_difference("key", keys, &self.expected_keys, oracle::key_bytes(spec.key))
            .or_else(|| first_difference("value", values, &self.expected_values, value_bytes))
    }
}

impl std::fmt::Display for DeviceCase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, how, n, .. } = self;
        let How {
            bits,
            in_place,
            writes_keys,
            aligned,
            interleaves,
            sorts_by_counting,
            parts,
            device,
            ..
        } = how;
        let blocks_at_once = how.blocks_at_once;
        write!(f, "{n} {kind:?} keys, bits {}..{}", bits.start, bits.end)?;
        f.write_str(if *in_place { ", in place" } else { "" })?;
        f.write_str(if *writes_keys { "" } else { ", no keys wanted" })?;
        f.write_str(if *aligned { ", aligned" } else { "" })?;
        f.write_str(if *interleaves { ", side by side" } else { "" })?;
        f.write_str(if *sorts_by_counting { ", written anew" } else { "" })?;
        f.write_str(if *parts { ", by parts" } else { "" })?;
        write!(f, ", {device:?}, {blocks_at_once} blocks at once")
    }
}

/// `count` different cases of a spec, those of MSD buckets, of a lone descent and of [`edges`]; fewer only where it has no more.
/// They go round the distributions, the sizes at the edges of tiles, and the ways to sort.
pub fn of(spec: &DeviceSpec, count: usize, rng: &mut ChaCha8Rng) -> Vec<DeviceCase> {
    let mut kinds = Keys::all(spec.key);
    // Passes are left out where a digit is the same in all keys; that is this sort's own.
    kinds.extend([Keys::LiveBytes(1), Keys::LiveBytes(2), Keys::LiveBytes(3), Keys::Cycle]);
    if spec.fixes_up_ties() {
        kinds.extend(DEPENDENT.repeat(3));
    }
    kinds.shuffle(rng);
    let rounds = rounds(spec, rng);
    let mut others = sizes(spec, rng);
    others.extend(rounds);
    others.retain(|n| *n as u64 <= spec.max_items());
    others.shuffle(rng);
    // Those of parts come first, and leave as many cases for the others.
    let mut sizes = part_sizes(spec);
    let count = count + sizes.len();
    sizes.extend(others);
    let mut seen = HashSet::new();
    let mut cases = Vec::new();
    // More draws than this find no more of them.
    for draw in 0..count * 20 {
        if cases.len() == count {
            break;
        }
        let (mut kind, n) = (kinds[draw % kinds.len()], sizes[draw % sizes.len()]);
        let mut how = how(spec, rng);
        if n == MANY {
            (kind, how.sorts_by_counting, how.device.multiprocessors) = (Keys::AllEqual, true, 1);
        }
        if n == MANY_HIDDEN {
            (kind, how.sorts_by_counting, how.aligned) = (Keys::HiddenCrowds, true, true);
            how.device.multiprocessors = 1;
        }
        if n == MOSTLY_ZERO && spec.has_key_histogram() {
            (kind, how.sorts_by_counting, how.aligned) = (Keys::LowEntropy(5), true, true);
        }
        if n == REGULAR && spec.value == ValueType::Index {
            (kind, how.device.multiprocessors) = (Keys::Cycle, 1);
            how.bits = 0..oracle::describe(spec.key).1;
        }
        if n == THREE_DIGITS && spec.fixes_up_ties() {
            (kind, how.in_place, how.writes_keys) = (Keys::LowEntropy(2), true, true);
        }
        if spec.sorts_msd_buckets() {
            let repeated = REPEATED.iter().find(|(size, _)| *size == n);
            let even = EVEN_VALUES.iter().find(|(size, _)| *size == n);
            let part = match n {
                EVEN_PARTS => Some(Keys::TwoTops),
                LARGE_PART => Some(Keys::TiedBits),
                SMALLER_PARTS => Some(Keys::Uniform),
                _ => repeated
                    .map(|(_, count)| Keys::Repeated(*count))
                    .or(even.map(|(_, count)| Keys::EvenValues(*count))),
            };
            if let Some(part) = part {
                kind = part;
                how.bits = if [LARGE_PART, SMALLER_PARTS].contains(&n) { 0..25 } else { 0..32 };
                (how.parts, how.device.shared_bytes_per_block) = (true, 227 * 1024);
                if cases.iter().any(|case: &DeviceCase| case.n == n) {
                    // What is not side by side, and not in place, is left in arrays between the phases.
                    (how.in_place, how.interleaves) = (false, false);
                    how.writes_keys = spec.value == ValueType::None;
                }
                if n == REPEATED[1].0 {
                    // Few blocks, which have both parts.
                    how.device.multiprocessors = 1;
                }
            }
        }
        if n == THREE_NIBBLES {
            // Tiles in flight see the state of the first phase.
            (kind, how.blocks_at_once, how.in_place) = (Keys::NearNibbles, 4, false);
            how.device.multiprocessors = 132;
        }
        // Whatever is wrong with the counts shows in all bits, where there is room for the usual columns, and one
        // multiprocessor has the fewest blocks.
        if rounds.contains(&n) {
            how.device = Device { multiprocessors: 1, shared_bytes_per_block: 227 * 1024 };
        }
        let is_dependent = DEPENDENT.contains(&kind) || matches!(kind, Keys::LowEntropy(2));
        let takes_all_bits = rounds.contains(&n) || (spec.fixes_up_ties() && is_dependent);
        if takes_all_bits || (how.sorts_by_counting && spec.sorts_by_counting()) {
            how.bits = 0..oracle::describe(spec.key).1;
        }
        if how.sorts_by_counting && spec.sorts_by_counting() {
            how.device.shared_bytes_per_block = 227 * 1024;
        }
        if seen.insert((kind, n, how.clone())) {
            cases.push(case(spec, kind, n, how, rng));
        }
    }
    if spec.fixes_up_ties() {
        cases.extend(descent::cases(spec, rng));
    }
    // Behind those of MSD buckets, where broken headers meet them soon.
    let index = part_sizes(spec).len().min(cases.len());
    cases.splice(index..index, edges::cases(spec, rng));
    cases.extend(edges::of_counting_blocks(spec, rng));
    cases
}

/// A case of keys that a random string of bytes describes, of at most sixteen tiles or so.
pub fn structured(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> DeviceCase {
    let most = spec.max_items().min(16 * u64::from(spec.tile_items().max(128)));
    let mut sizes = sizes(spec, rng);
    sizes.retain(|n| *n as u64 <= most);
    let n = sizes.choose(rng).copied().unwrap_or_default();
    let how = any_how(spec, rng);
    case(spec, Keys::Structured, n, how, rng)
}

/// A case of the keys that a string of bytes describes. The other choices are drawn.
pub fn described(
    spec: &DeviceSpec,
    n: usize,
    description: &[u8],
    rng: &mut ChaCha8Rng,
) -> DeviceCase {
    let keys = structured::keys(spec.key, n, description);
    case_of_keys(spec, Keys::Structured, keys, any_how(spec, rng), rng)
}

/// Ways that a spec has for any keys.
fn any_how(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> How {
    let mut how = how(spec, rng);
    if how.sorts_by_counting && spec.sorts_by_counting() {
        how.bits = 0..oracle::describe(spec.key).1;
        how.device.shared_bytes_per_block = 227 * 1024;
    }
    how
}

/// The edges of tiles, and as many sizes between them.
fn sizes(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let tile = spec.tile_items() as usize;
    let edges = [1, 2, 3].map(|tiles| [tiles * tile - 1, tiles * tile, tiles * tile + 1]);
    let mut sizes = vec![0, 1, 2];
    sizes.extend(edges.concat());
    // Few tiles if they are large, because each item costs the same; more small ones than a block looks back at once.
    let most = if tile > 4096 { 3 * tile } else { 6 * tile };
    sizes.extend((0..10).map(|_| rng.random_range(3..=most)));
    let most = if tile > 1024 { most } else { 12 * tile };
    sizes.extend((0..2).map(|_| rng.random_range(most / 2..=most)));
    if spec.algorithm == DeviceAlgorithm::Sample {
        // Of a small block's most items each bucket has more than the block can sort.
        let most = spec.max_items().min(MOST_OF_SAMPLES) as usize;
        sizes.extend([most, most - 1, rng.random_range(most / 2..=most)]);
    }
    if let DeviceAlgorithm::Bitonic { .. } = spec.algorithm {
        // Merges of as many steps as one launch takes, and of more.
        let least = if tile > 256 { 4 } else { 16 };
        let runs = [4 * tile, least * tile, least * tile + tile / 2, (least + 1) * tile];
        sizes.extend(runs.iter().flat_map(|run| [run - 1, *run, run + 1]));
        sizes.push(rng.random_range(1..=2 * least * tile));
    }
    if spec.has_key_histogram() {
        sizes.extend([MANY, MANY, MANY_HIDDEN, MOSTLY_ZERO, MOSTLY_ZERO, MOSTLY_ZERO]);
    }
    if spec.value == ValueType::Index {
        sizes.push(REGULAR);
    }
    if spec.fixes_up_ties() && tile < THREE_NIBBLES {
        sizes.extend([THREE_NIBBLES; 3]);
        sizes.push(THREE_DIGITS);
    }
    sizes
}

/// The sizes of cases that go by parts.
fn part_sizes(spec: &DeviceSpec) -> Vec<usize> {
    let mut sizes = Vec::new();
    if spec.sorts_msd_buckets() {
        sizes.extend([EVEN_PARTS, EVEN_PARTS, REPEATED[0].0, REPEATED[1].0]);
        // Keys alone are sorted so by all bits.
        if spec.value != ValueType::None || spec.key == KeyType::F32 {
            sizes.extend([LARGE_PART, LARGE_PART, SMALLER_PARTS]);
        }
        if spec.key == KeyType::F32 {
            // In place, and not.
            sizes.extend(EVEN_VALUES.map(|(n, _)| n).repeat(2));
        }
    }
    sizes
}

/// A full round of loads in one block that counts, two blocks, and a full round of two and then some.
pub(crate) fn rounds(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> [usize; 3] {
    let is_one = |n: &u64| {
        let device = Device { multiprocessors: 132, shared_bytes_per_block: 64 * 1024 };
        let launches = spec.launches(*n, 0..1, device);
        launches.iter().any(|launch| launch.kernel == Kernel::Count && launch.blocks == 1)
    };
    let round = (0..32).map(|bit| 1u64 << bit).take_while(is_one).last().unwrap_or(1) as usize;
    [round, round + 1, 2 * round + rng.random_range(1..1000)]
}

fn how(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> How {
    let (begin, end) = match spec.algorithm {
        DeviceAlgorithm::Bitonic { .. } => (0, oracle::describe(spec.key).1),
        _ => inputs::bit_range(spec.key, rng),
    };
    // Whether pairs of equal keys are the right ones, keys alone can tell.
    let may_want_values_alone = spec.value != ValueType::None && spec.is_stable();
    // In place, and not; with values also the sort that returns only them.
    let ways = if may_want_values_alone { 3 } else { 2 };
    let (in_place, writes_keys) = match rng.random_range(0..ways) {
        0 => (false, true),
        1 => (true, true),
        _ => (false, false),
    };
    How {
        bits: begin..end,
        in_place,
        writes_keys,
        aligned: rng.random(),
        interleaves: rng.random_ratio(3, 4),
        sorts_by_counting: rng.random(),
        parts: spec.sorts_msd_buckets() && rng.random_ratio(3, 4),
        device: Device {
            multiprocessors: *[1, 2, 132].choose(rng).expect("not empty"),
            shared_bytes_per_block: *[64, 99, 227].choose(rng).expect("not empty") * 1024,
        },
        // Blocks that run side by side meet tiles that are still being worked on.
        blocks_at_once: *[1, 1, 2, 4, 8].choose(rng).expect("not empty"),
    }
}

/// One case of a spec.
pub fn case(spec: &DeviceSpec, kind: Keys, n: usize, how: How, rng: &mut ChaCha8Rng) -> DeviceCase {
    let keys = match kind {
        // Where their descent is depends on the order.
        Keys::LoneDescent(offset) => descent::keys(&task(spec, &how), offset, rng),
        // Which keys have which digits, too.
        Keys::PairAcrossRows => edges::pair_across_rows(&task(spec, &how), n),
        _ => kind.generate(spec.key, n, rng),
    };
    case_of_keys(spec, kind, keys, how, rng)
}

fn task(spec: &DeviceSpec, how: &How) -> Task {
    let (begin_bit, end_bit) = (how.bits.start, how.bits.end);
    Task { key: spec.key, order: spec.order, begin_bit, end_bit, nan_last: spec.nan_last }
}

fn case_of_keys(
    spec: &DeviceSpec,
    kind: Keys,
    keys: Vec<u8>,
    how: How,
    rng: &mut ChaCha8Rng,
) -> DeviceCase {
    let task = task(spec, &how);
    let (key_bytes, value_bytes) = (oracle::key_bytes(spec.key), spec.value.bytes() as usize);
    let n = keys.len() / key_bytes;
    let reads_values = spec.value.is_read();
    let values =
        if reads_values { inputs::values(value_bytes, n, rng.random()) } else { Vec::new() };
    let order = oracle::permutation(&task, &keys);
    let expected_values = match spec.value {
        ValueType::None => Vec::new(),
        ValueType::Index => order.iter().flat_map(|position| position.to_le_bytes()).collect(),
        _ => oracle::gather(&values, value_bytes, &order),
    };
    let expected_keys =
        if how.writes_keys { oracle::gather(&keys, key_bytes, &order) } else { Vec::new() };
    let items = n as u64;
    let filling = how.sorts_by_counting && n > 0;
    let filling = filling.then(|| spec.counting_launches(items, &how.bits, how.device)).flatten();
    let parts =
        || how.parts.then(|| spec.msd_bucket_launches(items, &how.bits, how.device)).flatten();
    let mut launches = filling
        .or_else(parts)
        .unwrap_or_else(|| spec.launches(items, how.bits.clone(), how.device));
    // Any number of blocks will do for these; of few keys the host takes one.
    for launch in &mut launches {
        if matches!(launch.kernel, Kernel::Histogram | Kernel::Expand) {
            launch.blocks = launch.blocks.max(how.device.multiprocessors.min(3));
        }
    }
    DeviceCase { kind, how, n, launches, keys, values, expected_keys, expected_values }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn a_spec_meets_all_sizes_and_ways() {
        let spec: DeviceSpec =
            "device_radix_sort_f32_u32_b256_i2_desc_nanlast".parse().expect("legal");
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        let cases = of(&spec, 27, &mut rng);
        assert_eq!(
            cases.len(),
            27 + part_sizes(&spec).len()
                + edges::cases(&spec, &mut rng).len()
                + edges::of_counting_blocks(&spec, &mut rng).len()
        );
        let sizes: HashSet<usize> = cases.iter().map(|case| case.n).collect();
        for n in [0, 1, 2, 511, 512, 513, 1023, 1024, 1025, 1535, 1536, 1537, 16_384, 16_385] {
            assert!(sizes.contains(&n), "{n}");
        }
        let kinds: HashSet<Keys> = cases.iter().map(|case| case.kind).collect();
        assert!(Keys::all(spec.key).iter().all(|kind| kinds.contains(kind)));
        let parts = [Keys::TwoTops, Keys::Repeated(256), Keys::TiedBits, Keys::EvenValues(256)];
        assert!(parts.iter().all(|kind| kinds.contains(kind)));
        let any = |is: fn(&How) -> bool| cases.iter().any(|case| is(&case.how));
        assert!(any(|how| how.in_place) && any(|how| !how.writes_keys));
        assert!(any(|how| how.blocks_at_once == 1) && any(|how| how.blocks_at_once > 1));
        assert!(!any(|how| how.in_place && !how.writes_keys));
    }

    #[test]
    fn launches_are_those_of_the_bits() {
        let spec: DeviceSpec = "device_radix_sort_u64_keys_b256_i2_asc".parse().expect("legal");
        for case in of(&spec, 40, &mut ChaCha8Rng::seed_from_u64(9)) {
            let is_pass = |launch: &&Launch| matches!(launch.kernel, Kernel::Pass(_));
            let passes = case.launches.iter().filter(is_pass).count();
            let digits = if case.n == 0 { 0 } else { case.how.bits.len().div_ceil(8) };
            // Many digits have a second phase, and the first one spares two.
            let expected = if digits >= 5 { digits - 2 + digits } else { digits };
            assert_eq!(passes, expected, "{case}");
        }
    }
}
