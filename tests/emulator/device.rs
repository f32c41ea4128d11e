//! Device-wide sorts.

use std::ops::Range;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::device::DeviceSpec;
use sortsmith_testkit::device_cases::{self, How};
use sortsmith_testkit::emulator::{Flavour, Member, Outcome, Session};
use sortsmith_testkit::inputs::Keys;
use sortsmith_testkit::runner::Plan;
use sortsmith_testkit::sampler;
use sortsmith_testkit::seed::{self, Seed};
use sortsmith_testkit::subject::Subject as _;

use super::{chosen, compiler, run, with_fresh};

/// The chosen specs, else these and fresh ones: `count` in all.
fn specs(
    plan: &Plan<'_>,
    known: Vec<DeviceSpec>,
    count: usize,
    fresh: fn(&mut ChaCha8Rng) -> DeviceSpec,
) -> Vec<DeviceSpec> {
    chosen().unwrap_or_else(|| {
        let mut rng = plan.seed.rng(plan.test);
        with_fresh(known, count, || fresh(&mut rng))
    })
}

#[test]
fn device_wide() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 600 } else { 100 };
    let plan = Plan {
        test: "device_wide",
        seed,
        flavour: Flavour::Plain,
        batch: 5,
        cases: 27,
        orders: 2,
        races: 4,
    };
    run(&plan, &specs(&plan, sampler::device_covering_set(), count, sampler::device_radix));
}

#[test]
fn device_wide_under_sanitizers() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 60 } else { 20 };
    let plan = Plan {
        test: "device_wide_under_sanitizers",
        seed,
        flavour: Flavour::Sanitized,
        batch: 3,
        cases: 16,
        orders: 1,
        races: 0,
    };
    run(&plan, &specs(&plan, Vec::new(), count, sampler::device_radix));
}

#[test]
fn by_samples() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 300 } else { 60 };
    let plan = Plan {
        test: "by_samples",
        seed,
        flavour: Flavour::Plain,
        batch: 5,
        cases: 27,
        orders: 2,
        races: 4,
    };
    run(&plan, &specs(&plan, sampler::sample_covering_set(), count, sampler::device_sample));
}

#[test]
fn by_samples_under_sanitizers() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 30 } else { 10 };
    let plan = Plan {
        test: "by_samples_under_sanitizers",
        seed,
        flavour: Flavour::Sanitized,
        batch: 3,
        cases: 16,
        orders: 1,
        races: 0,
    };
    run(&plan, &specs(&plan, Vec::new(), count, sampler::device_sample));
}

#[test]
fn by_networks() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 300 } else { 22 };
    let plan = Plan {
        test: "by_networks",
        seed,
        flavour: Flavour::Plain,
        batch: 4,
        cases: 24,
        orders: 2,
        races: 4,
    };
    run(&plan, &specs(&plan, sampler::bitonic_covering_set(), count, sampler::device_bitonic));
}

#[test]
fn by_networks_under_sanitizers() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 30 } else { 2 };
    let plan = Plan {
        test: "by_networks_under_sanitizers",
        seed,
        flavour: Flavour::Sanitized,
        batch: 1,
        cases: 16,
        orders: 1,
        races: 0,
    };
    run(&plan, &specs(&plan, Vec::new(), count, sampler::device_bitonic));
}

#[test]
fn by_partition() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 200 } else { 20 };
    let plan = Plan {
        test: "by_partition",
        seed,
        flavour: Flavour::Plain,
        batch: 2,
        cases: 24,
        orders: 2,
        races: 4,
    };
    run(&plan, &specs(&plan, sampler::partition_covering_set(), count, sampler::device_partition));
}

#[test]
fn by_partition_under_sanitizers() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 20 } else { 2 };
    let plan = Plan {
        test: "by_partition_under_sanitizers",
        seed,
        flavour: Flavour::Sanitized,
        batch: 1,
        cases: 12,
        orders: 1,
        races: 0,
    };
    run(&plan, &specs(&plan, Vec::new(), count, sampler::device_partition));
}

/// The barriers of sorts of keys of these kinds, which have to be right.
fn barriers_of(name: &str, tiles: usize, bits: Range<u32>, kinds: &[Keys]) -> Vec<u32> {
    let spec: DeviceSpec = name.parse().unwrap_or_else(|error| panic!("{error}"));
    let member = spec.member().unwrap_or_else(|error| panic!("{error}"));
    // Programs go with their compiler.
    let compiler = compiler();
    let batch = compiler
        .build("passes_with_one_digit", &[member], Flavour::Plain)
        .unwrap_or_else(|error| panic!("{error}"));
    let mut session = Session::start(&batch, Duration::from_secs(60)).expect("it runs");
    let one = |kind: &Keys| {
        let how = How::by_bits(bits.clone());
        let n = tiles * spec.tile_items() as usize;
        let case = device_cases::case(&spec, *kind, n, how, &mut Seed(1).rng("keys"));
        let outcome = session.run(&spec.message(&case, 0, 0)).expect("it answers");
        assert_eq!(spec.complaint(&case, &outcome), None);
        let Outcome::Sorted { barriers, .. } = outcome else { unreachable!("it was sorted") };
        barriers
    };
    kinds.iter().map(one).collect()
}

/// A tile in two pieces is loaded by ordinary stores, and the block's next one in bulk to the same memory. The emulator sees each
/// store, and requires their fence: without it, all orders of threads fail as on Hopper, and none before.
#[test]
fn stores_are_fenced_from_bulk_copies() {
    let spec: DeviceSpec = "device_radix_sort_f32_u32_b256_i2_asc".parse().expect("a name");
    let member = spec.member().unwrap_or_else(|error| panic!("{error}"));
    let fence = "BulkCopies::release_stores();";
    assert_eq!(member.header.matches(fence).count(), 1);
    let broken = Member { header: member.header.replace(fence, ""), ..member.clone() };
    let how = How { interleaves: true, ..How::by_bits(0..32) };
    // Halves are multiples of 16 bytes, and none are full tiles.
    let n = 9 * spec.tile_items() as usize + 4;
    let case = device_cases::case(&spec, Keys::Uniform, n, how, &mut Seed(1).rng("keys"));
    for (member, faults) in [(member, 0), (broken, 6)] {
        // Programs go with their compiler.
        let compiler = compiler();
        let batch = compiler
            .build("stores_are_fenced", &[member], Flavour::Plain)
            .unwrap_or_else(|error| panic!("{error}"));
        let mut session = Session::start(&batch, Duration::from_secs(60)).expect("it runs");
        let mut found = 0;
        // Each order of threads runs once as on Hopper.
        for seed in 0..12 {
            let message = spec.message(&case, 0, seed).detecting_races();
            let outcome = session.run(&message).expect("it answers");
            let Some(complaint) = spec.complaint(&case, &outcome) else { continue };
            assert!(complaint.contains("without a fence since"), "{complaint}");
            found += 1;
        }
        assert_eq!(found, faults);
    }
}

/// A pass over a digit that is the same in all keys moves nothing. The results are right either way, so barriers are counted.
#[test]
fn passes_with_one_digit_are_left_out() {
    let kinds = [Keys::AllEqual, Keys::LiveBytes(1), Keys::Uniform];
    let barriers = barriers_of("device_radix_sort_u32_keys_b256_i1_asc", 20, 0..32, &kinds);
    let [one, four] = [barriers[1] - barriers[0], barriers[2] - barriers[0]];
    // Tiles with lanes that were not served in order are ranked twice.
    assert!(one >= 20, "{one} barriers of one pass over 20 tiles");
    assert!((2 * one..=8 * one).contains(&four), "{four} barriers of four passes, {one} of one");
}

/// Equal keys make no bucket larger than a block can sort, for they are parted by their tiles. A bucket that is larger takes
/// more barriers, and of twice as many items four times as many.
#[test]
fn equal_keys_are_distributed_over_buckets() {
    let kinds = [Keys::AllEqual, Keys::FewDistinct, Keys::LowEntropy(9), Keys::LowEntropy(5)];
    // With the larger number of tiles, samples come first. Keys of one bit are sorted by digits in every bucket.
    for [fewer, more] in [[48, 64], [120, 240]] {
        // Most keys of low entropy are 0, the last ones of a descending order, which no bound exceeds.
        for order in ["asc", "desc"] {
            let name = format!("device_sample_sort_u32_keys_b256_i2_{order}");
            let barriers = [fewer, more].map(|tiles| barriers_of(&name, tiles, 0..1, &kinds));
            for (kind, (few, many)) in kinds.iter().zip(barriers[0].iter().zip(&barriers[1])) {
                let [few, many] = [few * more as u32, many * fewer as u32];
                assert!(many <= few, "{name}, {kind:?}: {many} and not {few}");
            }
            // Tiles with lanes that were not served in order are ranked twice; in other ways these are like equal keys.
            for (barriers, tiles) in barriers.iter().zip([fewer, more]) {
                let most = barriers[0] + 6 * tiles as u32;
                assert!(
                    barriers[1] <= most && barriers[2] <= most,
                    "{name}, {tiles} tiles: {barriers:?}"
                );
            }
        }
    }
}

/// Digits are sorted by what keys are above a bucket's least one, and what pads a tile is one below: but not -0.0, which is
/// sorted as +0.0.
#[test]
fn heavy_hitters_of_zero_are_sorted() {
    for order in ["asc", "desc"] {
        let name = format!("device_sample_sort_f32_keys_b256_i2_{order}");
        for tiles in [60, 80] {
            barriers_of(&name, tiles, 0..32, &[Keys::Zeros]);
        }
    }
}

/// A network passes as many barriers whatever the keys are, and as many more for more of them.
#[test]
fn networks_do_the_same_for_all_keys() {
    let kinds = [Keys::Uniform, Keys::AllEqual, Keys::LowEntropy(5), Keys::LiveBytes(1)];
    let mut before = 0;
    for tiles in [2, 5] {
        let name = "device_bitonic_sort_u32_u32_b64_i2_asc";
        let barriers = barriers_of(name, tiles, 0..32, &kinds);
        assert!(barriers.iter().all(|count| *count == barriers[0]), "{tiles} tiles: {barriers:?}");
        assert!(barriers[0] > before, "{tiles} tiles: {barriers:?}, and {before} for fewer");
        before = barriers[0];
    }
}
