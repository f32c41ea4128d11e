//! The cases of one device-wide sort: items, options, launches, and the expected output.

pub(crate) mod device_case;
pub(crate) mod how;
pub(crate) mod scenario;
mod scenarios;
pub(crate) mod ways;

use std::collections::HashSet;

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::ValueType;
use sortsmith_codegen::device::{DeviceSpec, LaunchArgument};

use crate::device_families::{self, OwnCases};
use crate::emulator::{CountOfRequest, DeviceRequest};
use crate::inputs::{self, Keys};
use crate::oracle::{self, Task};
use crate::structured;

pub use device_case::DeviceCase;
pub use how::{Counted, How, Share};
pub(crate) use scenario::of_part;
pub use scenario::{Draft, Scenario, Scenarios};
pub(crate) use scenarios::rounds;
pub use ways::{Way, Ways};

/// How many tiles an array has, as an average over cases.
pub const TYPICAL_TILES: u64 = 3;

impl DeviceCase {
    /// The request for one order of threads.
    pub fn request(&self, spec: &DeviceSpec, member: usize, seed: u64) -> DeviceRequest<'_> {
        let Self { how, n, launches, keys, values, .. } = self;
        let How { bits, in_place, writes_keys, aligned, rows, gap, .. } = how.clone();
        let facts = device_families::facts(spec.algorithm);
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
            interleaves: facts.interleaves(spec, how),
            own: facts.own_arguments(spec, how, launches),
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

/// `count` different cases of a spec beside those that its family has; fewer only where it has no more.
/// They go round the distributions, the scenarios, and the ways to sort.
pub fn of(spec: &DeviceSpec, count: usize, rng: &mut ChaCha8Rng) -> Vec<DeviceCase> {
    let kinds = shuffled_kinds(spec, rng);
    let one_multiprocessor = scenarios::of_one_multiprocessor(spec, rng);
    let mut others = scenarios::of_any_device(spec, rng);
    others.extend(one_multiprocessor);
    others.retain(|scenario| scenario.items() as u64 <= spec.max_items());
    others.shuffle(rng);
    // The family's first scenarios leave as many cases for the others.
    let facts = device_families::facts(spec.algorithm);
    let mut scenarios = facts.first_scenarios(spec);
    let first_scenarios = scenarios.len();
    let count = count + first_scenarios;
    scenarios.extend(others);
    let mut seen = HashSet::new();
    let mut cases = Vec::new();
    // More draws than this find no more of them.
    for draw in 0..count * 20 {
        if cases.len() == count {
            break;
        }
        let (kind, scenario) = (kinds[draw % kinds.len()], &scenarios[draw % scenarios.len()]);
        let how = How::drawn(spec, facts.draw_ways(spec, rng), rng);
        let mut draft = Draft { kind, n: scenario.items(), how };
        scenario.arrange(spec, &mut draft);
        facts.fit(spec, Some(draft.kind), &mut draft.how);
        draft.how.take_few_rows(draft.n);
        if seen.insert(draft.clone()) {
            let Draft { kind, n, how } = draft;
            cases.push(case(spec, kind, n, how, rng).showing(scenario.shows()));
        }
    }
    let OwnCases { first, last } = facts.cases(spec, rng);
    // Behind those of the first scenarios, where broken headers meet them soon.
    let index = first_scenarios.min(cases.len());
    cases.splice(index..index, first);
    cases.extend(last);
    cases
}

/// The distributions that the cases of a spec go round.
fn shuffled_kinds(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Vec<Keys> {
    let mut kinds = Keys::all(spec.key);
    // Passes are left out where a digit is the same in all keys; that is this sort's own.
    kinds.extend([Keys::LiveBytes(1), Keys::LiveBytes(2), Keys::LiveBytes(3), Keys::Cycle]);
    kinds.extend(device_families::facts(spec.algorithm).kinds(spec));
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
    let facts = device_families::facts(spec.algorithm);
    let mut how = How::drawn(spec, facts.draw_ways(spec, rng), rng);
    facts.fit(spec, None, &mut how);
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
    let mut launches = device_families::facts(spec.algorithm).launches(spec, items, &how);
    for launch in &mut launches {
        if let Some(LaunchArgument::Seed(seed)) = &mut launch.argument {
            *seed = how.seed as u32;
        }
    }
    DeviceCase { kind, how, n, launches, keys, values, expected_keys, expected_values, shows: None }
}
