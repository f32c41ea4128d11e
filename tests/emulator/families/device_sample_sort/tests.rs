//! What is tested of sorts by samples.

use std::collections::HashSet;

use rand::RngExt as _;
use sortsmith_codegen::device::{Device, DeviceSpec};
use sortsmith_testkit::device_cases::{self, How};
use sortsmith_testkit::inputs::Keys;
use sortsmith_testkit::seed::Seed;

use super::mutants::{
    COUNT_MUTATIONS, COUNT_SURVIVORS, COUNTED, COUNTED_ROWS, MUTATIONS, MUTATIONS_OF_TWO,
    ROW_COUNT_SURVIVORS, ROW_MUTATIONS, ROW_SPECS, ROW_SURVIVORS, SPECS, SPECS_OF_TWO,
    STRUCT_MUTATIONS, STRUCT_SPECS, SURVIVORS, SURVIVORS_OF_TWO,
};
use crate::device::{Amount, DeviceTests, barriers_of, barriers_of_cases};
use crate::mutants::{Barriers, Ground, ROW_COUNT_MUTATIONS};
use crate::sites::survivors::{
    FIRST_KERNEL, NOTHING_TO_WAIT_FOR, ONE_ROW, Survivor, everywhere, unpassed, within,
};
use crate::{proofs, sites};

pub(crate) const TESTS: DeviceTests = DeviceTests {
    plain: Amount { fresh: [8, 245], batch: 5, cases: 27 },
    sanitized: Amount { fresh: [10, 30], batch: 3, cases: 16 },
    mutants: &[
        Ground {
            specs: &SPECS,
            mutations: MUTATIONS,
            barriers: Barriers::AtRunTime,
            telling: &[],
            survivors: SURVIVORS,
            cases: 200,
        },
        Ground {
            specs: &ROW_SPECS,
            mutations: ROW_MUTATIONS,
            barriers: Barriers::AtRunTime,
            telling: &[],
            survivors: ROW_SURVIVORS,
            cases: 120,
        },
        Ground {
            specs: &COUNTED,
            mutations: COUNT_MUTATIONS,
            barriers: Barriers::AtRunTime,
            telling: &[],
            survivors: COUNT_SURVIVORS,
            cases: 30,
        },
        Ground {
            specs: &COUNTED_ROWS,
            mutations: ROW_COUNT_MUTATIONS,
            barriers: Barriers::AtRunTime,
            telling: &[],
            survivors: ROW_COUNT_SURVIVORS,
            cases: 30,
        },
        Ground {
            specs: &SPECS_OF_TWO,
            mutations: MUTATIONS_OF_TWO,
            barriers: Barriers::AtRunTime,
            telling: &[],
            survivors: SURVIVORS_OF_TWO,
            cases: 40,
        },
        Ground {
            specs: &STRUCT_SPECS,
            mutations: STRUCT_MUTATIONS,
            barriers: Barriers::AtRunTime,
            telling: &[],
            survivors: &[],
            cases: 40,
        },
    ],
    sites: &[
        sites::Ground { name: "device_sample_sort", specs: &SPECS, cases: 60, survivors: SITES },
        sites::Ground {
            name: "device_sample_sort_of_rows",
            specs: &ROW_SPECS,
            cases: 40,
            survivors: SITES_OF_ROWS,
        },
        sites::Ground {
            name: "device_sample_sort_of_counted_items",
            specs: &COUNTED,
            cases: 24,
            survivors: SITES_OF_COUNTED,
        },
        sites::Ground {
            name: "device_sample_sort_of_counted_rows",
            specs: &COUNTED_ROWS,
            cases: 12,
            survivors: SITES_OF_COUNTED_ROWS,
        },
    ],
    unpassed: UNPASSED,
};

const BLOCKED_TILES: &str =
    "Items come as ranks need them, and storage is not shared; block radix sorts have both.";

const UNPASSED: &[sites::Unpassed] = &[
    unpassed("rearrange: __syncthreads 1", BLOCKED_TILES),
    unpassed("rearrange: __syncwarp 1", BLOCKED_TILES),
    unpassed("sort: __syncthreads 1", BLOCKED_TILES),
    unpassed("sort: __syncthreads 2", BLOCKED_TILES),
    unpassed("sort: __syncthreads 4", BLOCKED_TILES),
];

const SAMPLE_OF_ONE_WARP: &str = "device_sample_sort_f32_u32_b32_i12_asc";
const SAMPLE_OF_ONE_ROW: &str = "device_sample_sort_f16_keys_b256_i1_asc";

const ONE_WARP: &str = "The block has one warp, and a __syncwarp comes before any access by another lane, or there is none.";
const OWN_SLOTS: &str =
    "The block has one warp, each lane of which reads the slots that it has written itself.";
const ONE_ADDER: &str = "The block has one warp, and one of its lanes adds.";
const BEHIND_HISTOGRAMS: &str = "The sort's histograms, its first writes, end before the marks.";
const SHORT_MARKS: &str = "Keys of two bytes take the place of their own marks.";
const FOR_COMPILERS: &str =
    "It keeps compilers from reads that would wait; the block's barrier follows.";

const SITES: &[Survivor] = &[
    everywhere("gathered-items", BEHIND_HISTOGRAMS),
    everywhere("found-sources", FOR_COMPILERS),
    everywhere("grid-before-samples", FIRST_KERNEL),
    within("grid-before-split", &[SAMPLE_OF_ONE_ROW], FIRST_KERNEL),
    within("copied-items", &[SAMPLE_OF_ONE_WARP], ONE_WARP),
    within("copied-items", &[SAMPLE_OF_ONE_ROW], SHORT_MARKS),
    within("counted-in-warps", &[SAMPLE_OF_ONE_WARP], ONE_WARP),
    within("ranked-samples", &[SAMPLE_OF_ONE_WARP], ONE_WARP),
    within("large-bucket", &[SAMPLE_OF_ONE_WARP], OWN_SLOTS),
    within("run-of-large-bucket", &[SAMPLE_OF_ONE_WARP], OWN_SLOTS),
    within("bucket-offset", &[SAMPLE_OF_ONE_WARP], ONE_ADDER),
    within("lowest-bit", &[SAMPLE_OF_ONE_WARP], ONE_ADDER),
    within("highest-bit", &[SAMPLE_OF_ONE_WARP], ONE_ADDER),
    within("row-of-one-bucket", &[SAMPLE_OF_ONE_ROW], ONE_ROW),
    within("row-of-buckets", &[SAMPLE_OF_ONE_ROW], ONE_ROW),
];

const ROWS_OF_ONE_WARP: &str = "device_sample_sort_f32_u32_b32_i4_asc_rows";

const ROWS_OF_SHORT_KEYS: &str = "device_sample_sort_u16_index_b64_i2_desc_rows";

const SITES_OF_ROWS: &[Survivor] = &[
    everywhere("gathered-items", BEHIND_HISTOGRAMS),
    everywhere("found-sources", FOR_COMPILERS),
    everywhere("grid-before-samples", FIRST_KERNEL),
    within("copied-items", &[ROWS_OF_ONE_WARP], ONE_WARP),
    within("copied-items", &[ROWS_OF_SHORT_KEYS], SHORT_MARKS),
    within("counted-in-warps", &[ROWS_OF_ONE_WARP], ONE_WARP),
    within("bucket-offset", &[ROWS_OF_ONE_WARP], ONE_ADDER),
    within("alike-keys", &[ROWS_OF_ONE_WARP], ONE_ADDER),
    within("lowest-bit", &[ROWS_OF_ONE_WARP], ONE_ADDER),
    within("highest-bit", &[ROWS_OF_ONE_WARP], ONE_ADDER),
];

/// The block has one warp.
const SITES_OF_COUNTED: &[Survivor] = &[
    everywhere("gathered-items", BEHIND_HISTOGRAMS),
    everywhere("found-sources", FOR_COMPILERS),
    everywhere("grid-before-samples", FIRST_KERNEL),
    everywhere("grid-of-no-items", NOTHING_TO_WAIT_FOR),
    everywhere("copied-items", ONE_WARP),
    everywhere("counted-in-warps", ONE_WARP),
    everywhere("ranked-samples", ONE_WARP),
    everywhere("bucket-offset", ONE_ADDER),
    everywhere("lowest-bit", ONE_ADDER),
    everywhere("highest-bit", ONE_ADDER),
    everywhere("large-bucket", OWN_SLOTS),
    everywhere("run-of-large-bucket", OWN_SLOTS),
];

const SITES_OF_COUNTED_ROWS: &[Survivor] = &[
    everywhere("gathered-items", BEHIND_HISTOGRAMS),
    everywhere("found-sources", FOR_COMPILERS),
    everywhere("grid-before-samples", FIRST_KERNEL),
    everywhere("grid-of-no-row", NOTHING_TO_WAIT_FOR),
    everywhere("copied-items", SHORT_MARKS),
];

/// Equal keys make no bucket larger than a block can sort, for they are parted by their tiles. A bucket that is larger takes
/// more barriers, and of twice as many items four times as many.
#[test]
fn equal_keys_are_distributed_over_buckets() {
    proofs::of_specs(
        "device_sample_sort",
        (module_path!(), "equal_keys_are_distributed_over_buckets"),
        [
            "device_sample_sort_u32_keys_b256_i2_asc",
            "device_sample_sort_u32_keys_b256_i2_desc",
            "device_sample_sort_u32_keys_b256_i2_asc_rows",
            "device_sample_sort_u32_keys_b256_i2_desc_rows",
        ],
        |specs: [DeviceSpec; 4]| {
            let kinds =
                [Keys::AllEqual, Keys::FewDistinct, Keys::LowEntropy(9), Keys::LowEntropy(5)];
            // With the larger numbers of tiles, samples come first. Keys of one bit are sorted by digits in every bucket.
            let tiles = [48, 64, 120, 240];
            // Most keys of low entropy are 0, the last ones of a descending order, which no bound exceeds.
            for spec in specs {
                let barriers = barriers_of(&spec, tiles, 0..1, &kinds);
                for (barriers, tiles) in barriers.chunks(2).zip(tiles.chunks(2)) {
                    for (kind, (few, many)) in
                        kinds.iter().zip(barriers[0].iter().zip(&barriers[1]))
                    {
                        let [few, many] = [few * tiles[1] as u32, many * tiles[0] as u32];
                        // But for what does not depend on the number of tiles.
                        assert!(many <= few + few / 100, "{spec}, {kind:?}: {many} and not {few}");
                    }
                }
                // Tiles with lanes that were not served in order are ranked twice; in other ways these are like equal keys.
                for (barriers, tiles) in barriers.iter().zip(tiles) {
                    let most = barriers[0] + 6 * tiles as u32;
                    assert!(
                        barriers[1] <= most && barriers[2] <= most,
                        "{spec}, {tiles} tiles: {barriers:?}"
                    );
                }
            }
        },
    );
}

/// Digits are sorted by what keys are above a bucket's least one, and what pads a tile is one below: but not -0.0, which is
/// sorted as +0.0.
#[test]
fn heavy_hitters_of_zero_are_sorted() {
    proofs::of_specs(
        "device_sample_sort",
        (module_path!(), "heavy_hitters_of_zero_are_sorted"),
        ["device_sample_sort_f32_keys_b256_i2_asc", "device_sample_sort_f32_keys_b256_i2_desc"],
        |specs: [DeviceSpec; 2]| {
            for spec in specs {
                barriers_of(&spec, [60, 80], 0..32, &[Keys::Zeros]);
            }
        },
    );
}

/// The number that a sample's position follows from, as the header has it.
fn random_of(seed: u32, number: u32) -> u32 {
    let product = (number ^ seed).wrapping_mul(2_654_435_761);
    (product ^ product >> 15).wrapping_mul(2_246_822_519)
}

/// Keys that are laid out for a seed, the least one at each position that is sampled, put nearly all others in one bucket, which takes many
/// barriers. For another seed they are as good as random ones.
#[test]
fn keys_laid_out_for_one_seed_are_random_ones_for_others() {
    proofs::of_specs(
        "device_sample_sort",
        (module_path!(), "keys_laid_out_for_one_seed_are_random_ones_for_others"),
        ["device_sample_sort_u32_keys_b256_i2_asc"],
        |[spec]: [DeviceSpec; 1]| {
            const SEED: u32 = 0x1234_5678;
            // Blocks find the splitters themselves, from a sample a thread.
            let n = 60 * spec.tile_items();
            let sampled: HashSet<u32> = (0..256)
                .map(|sample| {
                    let start = u64::from(sample) * u64::from(n) / 256;
                    let share = u64::from(n / 256);
                    (start + ((u64::from(random_of(SEED, sample)) * share) >> 32)) as u32
                })
                .collect();
            let case = |is_laid_out: bool, seed: u32| {
                let device = Device { multiprocessors: 1, shared_bytes_per_block: 227 * 1024 };
                let how = How { device, seed: seed.into(), ..How::by_bits(0..32) };
                let mut rng = Seed(1).rng("keys");
                let keys = (0..n).map(|i| {
                    let random = rng.random_range(1..=u32::MAX);
                    if is_laid_out && sampled.contains(&i) { 0 } else { random }
                });
                let bytes = keys.flat_map(u32::to_le_bytes).collect();
                device_cases::case_of_keys(
                    &spec,
                    Keys::Uniform,
                    bytes,
                    how,
                    &mut Seed(1).rng("values"),
                )
            };
            let cases = [case(false, SEED), case(true, SEED), case(true, 1), case(true, SEED ^ 1)];
            let [random, laid_out, others @ ..] = &barriers_of_cases(&spec, &cases)[..] else {
                unreachable!("there are four cases")
            };
            assert!(*laid_out > 4 * random, "{laid_out} barriers, and {random} of random keys");
            assert!(
                others.iter().all(|barriers| 2 * barriers < 3 * random),
                "{others:?} barriers, and {random} of random keys"
            );
        },
    );
}
