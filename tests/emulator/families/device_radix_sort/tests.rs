//! What is tested of device-wide radix sorts.

use std::time::Duration;

use sortsmith_codegen::device::{DeviceSpec, RadixSort};
use sortsmith_testkit::device_cases::{self, How};
use sortsmith_testkit::device_families::folders::device_radix_sort::facts::own::SIDE_BY_SIDE;
use sortsmith_testkit::emulator::{Flavour, Member, Outcome, Session};
use sortsmith_testkit::inputs::Keys;
use sortsmith_testkit::seed::Seed;
use sortsmith_testkit::subject::Subject as _;

use super::mutants::{
    BARRIER_FOLLOWS, COUNT_MUTATIONS, COUNTED, COUNTED_MUTATIONS, MUTATIONS, ONE_LEFT, OWN_ITEMS,
    READING, SAME_THREAD, SPECS, SURVIVORS, TELLING, VOTE_FOLLOWS,
};
use crate::device::{Amount, DeviceTests, barriers_of};
use crate::mutants::{Barriers, Ground};
use crate::sites::survivors::{
    FIRST_KERNEL, ONE_WARP, POLL_WITHOUT_PTX, Survivor, everywhere, unpassed, within,
};
use crate::{compiler, proofs, sites};

#[path = "first_phase.rs"]
mod first_phase;

pub(crate) const TESTS: DeviceTests = DeviceTests {
    plain: Amount { fresh: [58, 558], batch: 5, cases: 27 },
    sanitized: Amount { fresh: [20, 60], batch: 3, cases: 16 },
    mutants: &[
        Ground {
            specs: &SPECS,
            mutations: MUTATIONS,
            barriers: Barriers::Here,
            telling: TELLING,
            survivors: SURVIVORS,
            cases: 80,
        },
        Ground {
            specs: &COUNTED,
            mutations: COUNTED_MUTATIONS,
            barriers: Barriers::AtRunTime,
            telling: &[],
            survivors: &[],
            cases: 56,
        },
        Ground {
            specs: &READING,
            mutations: COUNT_MUTATIONS,
            barriers: Barriers::AtRunTime,
            telling: &[],
            survivors: &[],
            cases: 40,
        },
    ],
    sites: &[
        sites::Ground {
            name: "device_radix_sort of counted keys",
            // The other one has counts of 8 bytes.
            specs: &[COUNTED[0], "device_radix_sort_i16_keys_b256_i4_desc_wide"],
            cases: 112,
            survivors: SITES_OF_COUNTED,
        },
        sites::Ground {
            name: "device_radix_sort",
            specs: &["device_radix_sort_i64_index_b256_i3_asc_wide"],
            cases: 24,
            survivors: SITES,
        },
        sites::Ground {
            name: "device_radix_sort of MSD buckets",
            // The other one scatters to sub-buckets without values.
            specs: &["device_radix_sort_f32_u32_b256_i2_asc", MSD_BUCKETS_OF_KEYS],
            cases: 8,
            survivors: SITES_OF_MSD_BUCKETS,
        },
    ],
    unpassed: UNPASSED,
};

const UNPASSED: &[sites::Unpassed] = &[
    POLL_WITHOUT_PTX,
    ONE_WARP,
    unpassed("racing-load", "Ties are of keys of 8 bytes here; partition sorts pass it."),
];

const ONE_BOUNDARY: &str = "All tiles of one array but the last begin at the same boundary: no block has a tile that is loaded \
                            otherwise before one that the copy engine loads.";

const ONE_TILE_OF_ONE_DIGIT: &str = "Blocks have no other tile behind one of one digit in the cases of these keys; in those of other sorts they have.";

const SITES_OF_COUNTED: &[Survivor] = &[
    everywhere("written-tile-of-one-digit", ONE_TILE_OF_ONE_DIGIT),
    everywhere("loaded-tile", OWN_ITEMS),
    everywhere("cleared-histogram", BARRIER_FOLLOWS),
    everywhere("prepared-copies", SAME_THREAD),
    everywhere("stores-of-tile", ONE_BOUNDARY),
    everywhere("grid-before-counts", FIRST_KERNEL),
    everywhere("grid-before-histogram", FIRST_KERNEL),
];

const TIES: &str =
    "Where ties are sorted, threads find all ends before a barrier, and write behind it.";

const ONE_COUNTING_BLOCK: &str = "A block counts 16,384 keys of four bytes, more than these cases have; other sorts have cases of several.";

const SEVERAL_COUNTING_BLOCKS: &str =
    "`blocks_add_independent_digits_by_an_atomic` has several blocks that count.";

const ADDED_BEFORE: &str = "Keys are added before a vote of the block, and it counts.";

const SAMPLED: &str =
    "Whatever samples tell, the keys are sorted; another test tells it by barriers.";

const MSD_BUCKETS_OF_KEYS: &str = "device_radix_sort_u32_keys_b256_i2_asc";

const SITES_OF_MSD_BUCKETS: &[Survivor] = &[
    within("next-left-bucket", &[MSD_BUCKETS_OF_KEYS], ONE_LEFT),
    within("stores-of-tile", &[MSD_BUCKETS_OF_KEYS], ONE_BOUNDARY),
    everywhere("cleared-slots", SAMPLED),
    everywhere("sample-slot", SAMPLED),
    everywhere("repeated-sample", SAMPLED),
    everywhere("repeated-samples", SAMPLED),
    everywhere("slots-of-keys", SAMPLED),
    everywhere("repeated-sub-buckets", SAMPLED),
    everywhere("count-of-distinct-keys", ADDED_BEFORE),
    everywhere("row-of-distinct-keys", VOTE_FOLLOWS),
    everywhere("counts-of-blocks", ONE_COUNTING_BLOCK),
    everywhere("independent-digits-of-block", SEVERAL_COUNTING_BLOCKS),
    everywhere("ties-left", TIES),
    everywhere("loaded-tile", OWN_ITEMS),
    everywhere("cleared-histogram", BARRIER_FOLLOWS),
    everywhere("prepared-copies", SAME_THREAD),
    everywhere("grid-before-counts", FIRST_KERNEL),
];

const ONE_SAMPLING_WARP: &str = "One warp of a block samples keys of eight bytes, and a block counts 8,192 of them, more than these cases have.";

const SITES: &[Survivor] = &[
    everywhere("second-samples", ONE_SAMPLING_WARP),
    everywhere("further-samples", ONE_SAMPLING_WARP),
    everywhere("distinct-samples", ONE_SAMPLING_WARP),
    everywhere("loaded-tile", OWN_ITEMS),
    everywhere("cleared-histogram", BARRIER_FOLLOWS),
    everywhere("prepared-copies", SAME_THREAD),
    everywhere("stores-of-tile", ONE_BOUNDARY),
    everywhere("grid-before-counts", FIRST_KERNEL),
];

/// A tile in two pieces is loaded by ordinary stores, and the block's next one in bulk to the same memory. The emulator sees each
/// store, and requires their fence: without it, all orders of threads fail as on Hopper, and none before.
#[test]
fn stores_are_fenced_from_bulk_copies() {
    proofs::of_specs(
        "device_radix_sort",
        (module_path!(), "stores_are_fenced_from_bulk_copies"),
        ["device_radix_sort_f32_u32_b256_i2_asc"],
        |[spec]: [DeviceSpec; 1]| {
            let member = spec.member().unwrap_or_else(|error| panic!("{error}"));
            let fence = "BulkCopies::release_stores();";
            assert_eq!(member.header.matches(fence).count(), 1);
            let broken = Member { header: member.header.replace(fence, ""), ..member.clone() };
            let how = How { own: SIDE_BY_SIDE.into(), ..How::by_bits(0..32) };
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
        },
    );
}

/// Blocks that count add what they find of the digits by an atomic. Cases of the sites have one such block, and here are three: without the
/// atomic there is a race in all orders of threads.
#[test]
fn blocks_add_independent_digits_by_an_atomic() {
    proofs::of_specs(
        "device_radix_sort",
        (module_path!(), "blocks_add_independent_digits_by_an_atomic"),
        ["device_radix_sort_f32_u32_b256_i2_asc"],
        |[spec]: [DeviceSpec; 1]| {
            let member = spec.member().unwrap_or_else(|error| panic!("{error}"));
            let atomic = "atomicOr(&control_of(arguments).independent_digits, digits);";
            assert_eq!(member.header.matches(atomic).count(), 1);
            let plain = "control_of(arguments).independent_digits |= digits;";
            let broken = Member { header: member.header.replace(atomic, plain), ..member.clone() };
            let mut rng = Seed(1).rng("keys");
            let mut case =
                device_cases::case(&spec, Keys::Uniform, 2000, How::by_bits(0..32), &mut rng);
            let count = case.launches.iter_mut().find(|it| it.kernel == RadixSort::COUNT);
            count.expect("keys are counted").blocks = 3;
            for (member, faults) in [(member, 0), (broken, 6)] {
                // Programs go with their compiler.
                let compiler = compiler();
                let batch = compiler
                    .build("independent_digits", &[member], Flavour::Plain)
                    .unwrap_or_else(|error| panic!("{error}"));
                let mut session = Session::start(&batch, Duration::from_secs(60)).expect("it runs");
                let complaints = (0..6).filter_map(|seed| {
                    let message = spec.message(&case, 0, seed).detecting_races();
                    spec.complaint(&case, &session.run(&message).expect("it answers"))
                });
                let complaints: Vec<String> = complaints.collect();
                assert!(complaints.iter().all(|it| it.contains("race on")), "{complaints:?}");
                assert_eq!(complaints.len(), faults, "{complaints:?}");
            }
        },
    );
}

/// A pass over a digit that is the same in all keys moves nothing. The results are right either way, so barriers are counted.
#[test]
fn passes_with_one_digit_are_left_out() {
    proofs::of_specs(
        "device_radix_sort",
        (module_path!(), "passes_with_one_digit_are_left_out"),
        ["device_radix_sort_u32_keys_b256_i1_asc"],
        |[spec]: [DeviceSpec; 1]| {
            let kinds = [Keys::AllEqual, Keys::LiveBytes(1), Keys::Uniform];
            let [barriers] = barriers_of(&spec, [20], 0..32, &kinds);
            let [one, four] = [barriers[1] - barriers[0], barriers[2] - barriers[0]];
            // Tiles with lanes that were not served in order are ranked twice.
            assert!(one >= 20, "{one} barriers of one pass over 20 tiles");
            assert!(
                (2 * one..=8 * one).contains(&four),
                "{four} barriers of four passes, {one} of one"
            );
        },
    );
}

/// Of keys of one nibble, repeated, each digit is determined by the one above, but for the last one. The results are right either way.
#[test]
fn passes_with_digits_that_others_determine_are_left_out() {
    proofs::of_specs(
        "device_radix_sort",
        (module_path!(), "passes_with_digits_that_others_determine_are_left_out"),
        ["device_radix_sort_u32_keys_b256_i1_asc", "device_radix_sort_u32_u32_b256_i1_desc"],
        |specs: [DeviceSpec; 2]| {
            let kinds = [Keys::AllEqual, Keys::Nibbles, Keys::Uniform];
            for spec in specs {
                let [barriers] = barriers_of(&spec, [20], 0..32, &kinds);
                let [one, four] = [barriers[1] - barriers[0], barriers[2] - barriers[0]];
                assert!((20..).contains(&one), "{one} barriers of one pass over 20 tiles");
                assert!(2 * one <= four, "{four} barriers of four passes, {one} of one");
            }
        },
    );
}

/// Rows of a heavy digit are ranked eight at a time, and tiles with three times as many keep the ranks of those before. If they do not, they
/// have none, or the tile is ranked twice and its items come out right all the same; so barriers are counted.
#[test]
fn rows_of_a_heavy_digit_keep_their_ranks() {
    proofs::of_specs(
        "device_radix_sort",
        (module_path!(), "rows_of_a_heavy_digit_keep_their_ranks"),
        ["device_radix_sort_u32_keys_b256_i24_asc"],
        |[spec]: [DeviceSpec; 1]| {
            let member = spec.member().unwrap_or_else(|error| panic!("{error}"));
            let moved = "words[i] = words[i + kNew / kEach];";
            assert_eq!(member.header.matches(moved).count(), 1);
            let broken = Member { header: member.header.replace(moved, ";"), ..member.clone() };
            let n = 4 * spec.tile_items() as usize;
            let how = How::by_bits(24..32);
            let case = device_cases::case(&spec, Keys::Sorted, n, how, &mut Seed(1).rng("keys"));
            // The complaint, and the barriers.
            let [right, wrong] = [member, broken].map(|member| {
                // Programs go with their compiler.
                let compiler = compiler();
                let batch = compiler
                    .build("rows_of_a_heavy_digit", &[member], Flavour::Brief)
                    .unwrap_or_else(|error| panic!("{error}"));
                let mut session = Session::start(&batch, Duration::from_secs(60)).expect("it runs");
                // Lanes are served in order.
                let outcome = session.run(&spec.message(&case, 0, 0)).expect("it answers");
                let barriers = match outcome {
                    Outcome::Sorted { barriers, .. } => barriers,
                    _ => 0,
                };
                (spec.complaint(&case, &outcome), barriers)
            });
            assert_eq!(right.0, None);
            assert!(wrong.0.is_some() || wrong.1 >= right.1 + 4, "{wrong:?} in place of {right:?}");
        },
    );
}
