//! The cases of one device-wide sort: items, options, launches, and the expected output.

pub(crate) mod descent;
pub(crate) mod device_case;
pub(crate) mod edges;
pub(crate) mod how;
pub(crate) mod overflow;
mod radix;
mod scenario;
mod scenarios;

use std::collections::HashSet;

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::ValueType;
use sortsmith_codegen::device::{DeviceSpec, LaunchArgument, RadixSort};

use crate::device_families::{self, OwnCases};
use crate::emulator::{CountOfRequest, DeviceRequest};
use crate::inputs::{self, Keys};
use crate::oracle::{self, Task};
use crate::radix_facts::RadixFacts as _;
use crate::structured;

pub use device_case::DeviceCase;
pub use how::{Counted, How, Share};
use radix::TieFixUp;
use scenario::Draft;

/// How many tiles an array has, as an average over cases.
pub const TYPICAL_TILES: u64 = 3;

impl DeviceCase {
    /// The request for one order of threads.
    pub fn request(&self, spec: &DeviceSpec, member: usize, seed: u64) -> DeviceRequest<'_> {
        let Self { how, n, launches, keys, values, .. } = self;
        let How { bits, in_place, writes_keys, aligned, interleaves, rows, gap, .. } = how.clone();
        let blocks_at_once = how.blocks_at_once;
        let [sorted_rows, sorted_items] = how.sorted(spec, *n);
        let most = if spec.sorts_rows() { rows as usize } else { *n };
        let count =
            if spec.counted { how.counted.request(most) } else { CountOfRequest::default() };
        DeviceRequest {
            member,
            spec: *spec,
            bits,
            in_place,
            writes_keys,
            aligned,
            interleaves: interleaves && spec.interleaves(),
            own: device_families::facts(spec.algorithm).own_arguments(spec, how, launches),
            sorts_before: (how.seed >> 32) as u32,
            launches,
            blocks_at_once,
            rows,
            gap,
            count,
            rows_before: u64::from(how.counted.rows_before),
            sorted: sorted_rows * sorted_items,
            n: *n,
            seed,
            keys,
            values,
        }
    }
}

/// `count` different cases of a spec beside those of MSD buckets and of the family; fewer only where it has no more.
/// They go round the distributions, the scenarios, and the ways to sort.
pub fn of(spec: &DeviceSpec, count: usize, rng: &mut ChaCha8Rng) -> Vec<DeviceCase> {
    let kinds = shuffled_kinds(spec, rng);
    let one_multiprocessor = scenarios::of_one_multiprocessor(spec, rng);
    let mut others = scenarios::of_any_device(spec, rng);
    others.extend(one_multiprocessor);
    others.retain(|scenario| scenario.items() as u64 <= spec.max_items());
    others.shuffle(rng);
    // The scenarios of MSD buckets come first, and leave as many cases for the others.
    let mut scenarios = scenarios::of_msd_buckets(spec);
    let of_msd_buckets = scenarios.len();
    let count = count + of_msd_buckets;
    scenarios.extend(others);
    let mut seen = HashSet::new();
    let mut cases = Vec::new();
    // More draws than this find no more of them.
    for draw in 0..count * 20 {
        if cases.len() == count {
            break;
        }
        let (kind, scenario) = (kinds[draw % kinds.len()], &scenarios[draw % scenarios.len()]);
        let mut draft = Draft { kind, n: scenario.items(), how: How::drawn(spec, rng) };
        scenario.arrange(spec, &mut draft);
        if TieFixUp::takes_all_bits(spec, draft.kind) {
            draft.how.take_all_bits(spec);
        }
        draft.how.make_room_for_counting(spec);
        draft.how.take_few_rows(draft.n);
        if seen.insert(draft.clone()) {
            let Draft { kind, n, how } = draft;
            cases.push(case(spec, kind, n, how, rng).showing(scenario.shows()));
        }
    }
    let OwnCases { first, last } = device_families::facts(spec.algorithm).cases(spec, rng);
    // Behind those of MSD buckets, where broken headers meet them soon.
    let index = of_msd_buckets.min(cases.len());
    cases.splice(index..index, first);
    cases.extend(last);
    cases
}

/// The distributions that the cases of a spec go round.
fn shuffled_kinds(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Vec<Keys> {
    let mut kinds = Keys::all(spec.key);
    // Passes are left out where a digit is the same in all keys; that is this sort's own.
    kinds.extend([Keys::LiveBytes(1), Keys::LiveBytes(2), Keys::LiveBytes(3), Keys::Cycle]);
    if spec.fixes_up_ties() {
        kinds.extend(TieFixUp::DEPENDENT.repeat(3));
    }
    kinds.shuffle(rng);
    kinds
}

/// A case of keys that a random string of bytes describes, of at most sixteen tiles or so.
pub fn structured(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> DeviceCase {
    let most = spec.max_items().min(16 * u64::from(spec.tile_items().max(128)));
    let scenarios = scenarios::of_any_device(spec, rng);
    let mut sizes: Vec<usize> = scenarios.iter().map(|scenario| scenario.items()).collect();
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
    let how = How { rows: 1, ..any_how(spec, rng) };
    let keys = structured::keys(spec.key, n, description);
    case_of_keys(spec, Keys::Structured, keys, how, rng)
}

/// Ways that a spec has for any keys.
fn any_how(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> How {
    let mut how = How::drawn(spec, rng);
    how.make_room_for_counting(spec);
    how
}

/// One case of a spec.
pub fn case(spec: &DeviceSpec, kind: Keys, n: usize, how: How, rng: &mut ChaCha8Rng) -> DeviceCase {
    let mut keys = match kind {
        // Where their descent is depends on the order.
        Keys::LoneDescent(descent) => inputs::descent::keys(&task(spec, &how), descent, rng),
        Keys::LoneRun => inputs::descent::lone_run(&task(spec, &how), rng),
        // Which keys have which digits, too.
        Keys::PairAcrossRows => inputs::edges::pair_across_rows(&task(spec, &how), n),
        _ => kind.generate(spec.key, n, rng),
    };
    // No row is like another.
    for _ in 1..how.rows {
        let kinds = Keys::all(spec.key);
        let kind = kinds.choose(rng).copied().unwrap_or(kind);
        keys.extend(kind.generate(spec.key, n, rng));
    }
    case_of_keys(spec, kind, keys, how, rng)
}

/// What the sort has to do.
pub(crate) fn task(spec: &DeviceSpec, how: &How) -> Task {
    let (begin_bit, end_bit) = (how.bits.start, how.bits.end);
    Task { key: spec.key, order: spec.order, begin_bit, end_bit, nan_last: spec.nan_last }
}

/// A case of these keys.
pub fn case_of_keys(
    spec: &DeviceSpec,
    kind: Keys,
    keys: Vec<u8>,
    how: How,
    rng: &mut ChaCha8Rng,
) -> DeviceCase {
    let task = task(spec, &how);
    let (key_bytes, value_bytes) = (oracle::key_bytes(spec.key), spec.value.bytes() as usize);
    let rows = how.rows as usize;
    let n = keys.len() / key_bytes / rows;
    let reads_values = spec.value.is_read();
    let values =
        if reads_values { inputs::values(value_bytes, rows * n, rng.random()) } else { Vec::new() };
    let (mut expected_keys, mut expected_values) = (Vec::new(), Vec::new());
    let [sorted_rows, sorted_items] = how.sorted(spec, n);
    for row in 0..sorted_rows {
        let row_of =
            |items: &[u8], bytes: usize| items[row * n * bytes..][..sorted_items * bytes].to_vec();
        let keys = row_of(&keys, key_bytes);
        let order = oracle::permutation(&task, &keys);
        match spec.value {
            ValueType::None => {}
            ValueType::Index => {
                expected_values.extend(order.iter().flat_map(|position| position.to_le_bytes()));
            }
            _ => expected_values.extend(oracle::gather(
                &row_of(&values, value_bytes),
                value_bytes,
                &order,
            )),
        }
        if how.writes_keys {
            expected_keys.extend(oracle::gather(&keys, key_bytes, &order));
        }
    }
    let items = n as u64;
    let by_counting = || {
        let wanted = how.sorts_by_counting && n > 0;
        wanted.then(|| spec.counting_launches(items, &how.bits, how.device)).flatten()
    };
    let by_msd_buckets = || {
        let wanted = how.sorts_msd_buckets;
        wanted.then(|| spec.msd_bucket_launches(items, &how.bits, how.device)).flatten()
    };
    let mut launches = by_counting()
        .or_else(by_msd_buckets)
        .unwrap_or_else(|| spec.launches(items, how.bits.clone(), how.device));
    // Any number of blocks will do for these; for small n the host takes one, or one for each segment of buckets.
    for launch in &mut launches {
        if launch.kernel == RadixSort::GATHER_OVERFLOW {
            launch.blocks = launch.blocks.min(how.device.multiprocessors);
        }
        if [RadixSort::HISTOGRAM, RadixSort::EXPAND].contains(&launch.kernel) {
            launch.blocks = launch.blocks.max(how.device.multiprocessors.min(3));
        }
        if let Some(LaunchArgument::Seed(seed)) = &mut launch.argument {
            *seed = how.seed as u32;
        }
    }
    DeviceCase { kind, how, n, launches, keys, values, expected_keys, expected_values, shows: None }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use sortsmith_codegen::device::Launch;

    use super::*;

    #[test]
    fn a_spec_meets_all_sizes_and_ways() {
        let spec: DeviceSpec =
            "device_radix_sort_f32_u32_b256_i2_desc_nanlast".parse().expect("legal");
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        let cases = of(&spec, 27, &mut rng);
        assert_eq!(
            cases.len(),
            27 + scenarios::of_msd_buckets(&spec).len()
                + edges::cases(&spec, &mut rng).len()
                + overflow::cases(&spec, &mut rng).len()
                + edges::of_counting_blocks(&spec, &mut rng).len()
        );
        let sizes: HashSet<usize> = cases.iter().map(|case| case.n).collect();
        for n in [0, 1, 2, 511, 512, 513, 1023, 1024, 1025, 1535, 1536, 1537, 16_384, 16_385] {
            assert!(sizes.contains(&n), "{n}");
        }
        let kinds: HashSet<Keys> = cases.iter().map(|case| case.kind).collect();
        assert!(Keys::all(spec.key).iter().all(|kind| kinds.contains(kind)));
        let of_buckets =
            [Keys::TwoTops, Keys::Repeated(256), Keys::TiedBits, Keys::EvenValues(256)];
        assert!(of_buckets.iter().all(|kind| kinds.contains(kind)));
        let any = |is: fn(&How) -> bool| cases.iter().any(|case| is(&case.how));
        assert!(any(|how| how.in_place) && any(|how| !how.writes_keys));
        assert!(any(|how| how.blocks_at_once == 1) && any(|how| how.blocks_at_once > 1));
        assert!(!any(|how| how.in_place && !how.writes_keys));
    }

    #[test]
    fn launches_are_those_of_the_bits() {
        let spec: DeviceSpec = "device_radix_sort_u64_keys_b256_i2_asc".parse().expect("legal");
        for case in of(&spec, 40, &mut ChaCha8Rng::seed_from_u64(9)) {
            let is_pass = |launch: &&Launch| launch.kernel == RadixSort::PASS;
            let passes = case.launches.iter().filter(is_pass).count();
            let digits = if case.n == 0 { 0 } else { case.how.bits.len().div_ceil(8) };
            // Many digits have a second phase, and the first one spares two.
            let expected = if digits >= 5 { digits - 2 + digits } else { digits };
            assert_eq!(passes, expected, "{case}");
        }
    }
}
