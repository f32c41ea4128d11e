//! What is tested of device-wide radix sorts.

use std::time::Duration;

use rand::RngExt as _;
use sortsmith_codegen::device::{Device, DeviceSpec, RadixSort};
use sortsmith_testkit::device_cases::{self, DeviceCase, How};
use sortsmith_testkit::emulator::{Batch, Compiler, Flavour, Member, Outcome, Session};
use sortsmith_testkit::inputs::Keys;
use sortsmith_testkit::seed::Seed;
use sortsmith_testkit::subject::Subject as _;

use super::mutants::{COUNTED, COUNTED_MUTATIONS, MUTATIONS, SPECS, SURVIVORS};
use crate::compiler;
use crate::device::{Amount, DeviceTests, barriers_of};
use crate::mutants::{Barriers, Ground};
use crate::sites;
use crate::sites::survivors::{
    FIRST_KERNEL, ONE_WARP, POLL_WITHOUT_PTX, Survivor, everywhere, unpassed,
};

pub(crate) const TESTS: DeviceTests = DeviceTests {
    plain: Amount { sorts: [100, 600], batch: 5, cases: 27 },
    sanitized: Amount { sorts: [20, 60], batch: 3, cases: 16 },
    mutants: &[
        Ground {
            specs: &SPECS,
            mutations: MUTATIONS,
            barriers: Barriers::Here,
            survivors: SURVIVORS,
            cases: 80,
        },
        Ground {
            specs: &COUNTED,
            mutations: COUNTED_MUTATIONS,
            barriers: Barriers::AtRunTime,
            survivors: &[],
            cases: 56,
        },
    ],
    sites: &[
        sites::Ground {
            name: "device_radix_sort of counted keys",
            // The other one has counts of 8 bytes.
            specs: &[COUNTED[0], "device_radix_sort_i16_keys_b256_i4_desc_wide"],
            cases: 56,
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
            specs: &["device_radix_sort_f32_u32_b256_i2_asc"],
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

const BARRIER_FOLLOWS: &str = "The block's barrier follows.";
const OWN_ITEMS: &str = "A lane ranks the items that it has loaded itself; others read them behind a barrier of the block.";
const SAME_THREAD: &str = "One thread prepares the copies and asks for them; the barrier is for racecheck, which sees full warps.";
const ONE_BOUNDARY: &str = "All tiles of one array but the last begin at the same boundary: no block has a tile that is loaded \
                            otherwise before one that the copy engine loads.";

const SITES_OF_COUNTED: &[Survivor] = &[
    everywhere("loaded-tile", OWN_ITEMS),
    everywhere("cleared-histogram", BARRIER_FOLLOWS),
    everywhere("prepared-copies", SAME_THREAD),
    everywhere("stores-of-tile", ONE_BOUNDARY),
    everywhere("grid-before-counts", FIRST_KERNEL),
    everywhere("grid-before-histogram", FIRST_KERNEL),
];

const TIES: &str =
    "Where ties are sorted, threads find all ends before a barrier, and write behind it.";

const VOTE_FOLLOWS: &str = "A vote of the full warp follows, and a barrier behind the last row.";

const ONE_COUNTING_BLOCK: &str = "A block counts 16,384 keys of four bytes, more than these cases have; other sorts have cases of several.";

const ADDED_BEFORE: &str = "Keys are added before a vote of the block, and it counts.";

const SAMPLED: &str =
    "Whatever samples tell, the keys are sorted; another test tells it by barriers.";

const SITES_OF_MSD_BUCKETS: &[Survivor] = &[
    everywhere("cleared-slots", SAMPLED),
    everywhere("sample-slot", SAMPLED),
    everywhere("repeated-sample", SAMPLED),
    everywhere("repeated-samples", SAMPLED),
    everywhere("count-of-distinct-keys", ADDED_BEFORE),
    everywhere("row-of-distinct-keys", VOTE_FOLLOWS),
    everywhere("counts-of-blocks", ONE_COUNTING_BLOCK),
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
    let [barriers] = barriers_of("device_radix_sort_u32_keys_b256_i1_asc", [20], 0..32, &kinds);
    let [one, four] = [barriers[1] - barriers[0], barriers[2] - barriers[0]];
    // Tiles with lanes that were not served in order are ranked twice.
    assert!(one >= 20, "{one} barriers of one pass over 20 tiles");
    assert!((2 * one..=8 * one).contains(&four), "{four} barriers of four passes, {one} of one");
}

/// Of keys of one nibble, repeated, each digit is determined by the one above, but for the last one. The results are right either way.
#[test]
fn passes_with_digits_that_others_determine_are_left_out() {
    let kinds = [Keys::AllEqual, Keys::Nibbles, Keys::Uniform];
    for spec in ["device_radix_sort_u32_keys_b256_i1_asc", "device_radix_sort_u32_u32_b256_i1_desc"]
    {
        let [barriers] = barriers_of(spec, [20], 0..32, &kinds);
        let [one, four] = [barriers[1] - barriers[0], barriers[2] - barriers[0]];
        assert!((20..).contains(&one), "{one} barriers of one pass over 20 tiles");
        assert!(2 * one <= four, "{four} barriers of four passes, {one} of one");
    }
}

/// Rows of a heavy digit are ranked eight at a time, and tiles with three times as many keep the ranks of those before. If they do not, they
/// have none, or the tile is ranked twice and its items come out right all the same; so barriers are counted.
#[test]
fn rows_of_a_heavy_digit_keep_their_ranks() {
    let spec: DeviceSpec = "device_radix_sort_u32_keys_b256_i24_asc".parse().expect("a name");
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
            .build("rows_of_a_heavy_digit", &[member], Flavour::Plain)
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
}

/// Where samples show that keys have many copies, there is no first phase. Results are right either way, so barriers are counted: of a header to which
/// samples tell that, and of those to which they tell nothing.
#[test]
fn keys_with_many_copies_are_sorted_by_all_digits() {
    let spec: DeviceSpec = "device_radix_sort_u32_u32_b256_i4_asc".parse().expect("a name");
    let member = spec.member().unwrap_or_else(|error| panic!("{error}"));
    let edited = |(from, to): (&str, &str)| {
        assert_eq!(member.header.matches(from).count(), 1, "{from}");
        Member { header: member.header.replace(from, to), ..member.clone() }
    };
    let how = How {
        sorts_msd_buckets: true,
        device: Device { multiprocessors: 132, shared_bytes_per_block: 227 * 1024 },
        ..How::by_bits(0..32)
    };
    // Programs go with their compiler.
    let compiler = compiler();
    // 144 keys, or sixteen times as many: upper digits are even either way.
    for (kinds, are_found) in [(144, true), (2304, false)] {
        let keys = (0..16_000_u32).map(|i| {
            let (kind, lowest) = (i * 7 % 144, i * 7 % kinds);
            [
                (lowest / 16 * 37 + lowest % 16) as u8,
                (kind * 7) as u8,
                kind as u8,
                (kind % 4 * 64) as u8,
            ]
        });
        let keys = keys.flatten().collect();
        let mut rng = Seed(1).rng("values");
        let case =
            device_cases::case_of_keys(&spec, Keys::FewDistinct, keys, how.clone(), &mut rng);
        let silent = ("kMinRepeated = 5;", "kMinRepeated = 1u << 31;");
        let members = [
            edited(("kMinRepeated = 5;", "kMinRepeated = 3;")),
            edited(silent),
            edited(("there == 0 ? ", "true ? ")),
            edited(("& kIsRepeated) == 0", "& kIsRepeated) != 0")),
        ];
        let barriers = members.map(|member| {
            let batch = compiler
                .build("copies", &[member], Flavour::Plain)
                .unwrap_or_else(|error| panic!("{error}"));
            let mut session = Session::start(&batch, Duration::from_secs(60)).expect("it runs");
            let outcome = session.run(&spec.message(&case, 0, 0)).expect("it answers");
            assert_eq!(spec.complaint(&case, &outcome), None, "{kinds} keys");
            let Outcome::Sorted { barriers, .. } = outcome else { unreachable!("it was sorted") };
            barriers
        });
        let [found, missed, ..] = barriers;
        assert_eq!(found != missed, are_found, "{kinds} keys: {barriers:?} barriers");
        assert!(
            barriers[2..].iter().all(|broken| *broken == missed),
            "{kinds} keys: {barriers:?} barriers"
        );
    }
}

/// Keys of which samples tell what histograms of digits do not, or the same.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sampled {
    /// Forty share an upper half on average.
    InGroups,
    /// Ten do.
    InSmallGroups,
    /// 300 share an upper half, and no others do.
    InOneGroup,
    /// Forty copies of each.
    Copies,
    /// Copies of eight keys.
    CopiesOfFew,
    /// Copies of one key, but for one in two hundred.
    CopiesOfOne,
    /// Copies of four keys, and one in ten shares its upper half with another key.
    CopiesAndPairs,
    /// As `InGroups`, but for those at known positions of samples.
    InGroupsBetweenSamples,
    Random,
}

impl Sampled {
    /// A case of 20,000 keys, counted by that number of blocks.
    fn case(self, spec: &DeviceSpec, blocks: u32) -> DeviceCase {
        const COUNT: usize = 20_000;
        let how = How {
            device: Device { multiprocessors: 132, shared_bytes_per_block: 227 * 1024 },
            ..How::by_bits(0..64)
        };
        let mut rng = Seed(1).rng("keys");
        let mut case = device_cases::case(spec, Keys::Uniform, COUNT, how, &mut rng);
        let group = if self == Self::InSmallGroups { 10 } else { 40 };
        let groups: Vec<u64> = (0..COUNT / group).map(|_| rng.random()).collect();
        let mut keys: Vec<u64> = (0..COUNT as u64)
            .map(|i| {
                let (random, group) = (rng.random(), groups[rng.random_range(0..groups.len())]);
                let of_few = |count: u64| groups[(random % count) as usize];
                match self {
                    Self::InGroupsBetweenSamples if is_known_sample(i, COUNT as u64, blocks) => {
                        random
                    }
                    Self::InGroups | Self::InSmallGroups | Self::InGroupsBetweenSamples => {
                        group >> 32 << 32 | random >> 32
                    }
                    Self::CopiesOfFew => of_few(8),
                    Self::CopiesOfOne if i % 200 != 0 => groups[0],
                    Self::CopiesAndPairs if i % 10 != 0 => of_few(4),
                    // The positions' hash, so that upper digits are even.
                    Self::CopiesAndPairs => {
                        (i / 20 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 << 32 | random >> 32
                    }
                    Self::InOneGroup if i % 64 == 0 && i < 300 * 64 => {
                        groups[0] >> 32 << 32 | random >> 32
                    }
                    Self::Copies => group,
                    _ => random,
                }
            })
            .collect();
        let bytes = |keys: &[u64]| keys.iter().flat_map(|key| key.to_le_bytes()).collect();
        case.keys = bytes(&keys);
        keys.sort_unstable();
        case.expected_keys = bytes(&keys);
        let count = case.launches.iter_mut().find(|it| it.kernel == RadixSort::COUNT);
        count.expect("keys are counted").blocks = blocks;
        case
    }
}

/// Whether a sample would be there if the clock were always 0.
fn is_known_sample(position: u64, n: u64, blocks: u32) -> bool {
    let samples = 32 * u64::from(blocks);
    let (share, number) = (n / samples, position / (n / samples));
    let product = (number as u32).wrapping_mul(0x9e37_79b1);
    let random = (product ^ product >> 15).wrapping_mul(0x85eb_ca6b);
    number < samples && position == number * share + ((share * u64::from(random)) >> 32)
}

/// The header of a spec with pieces of its text replaced, in a program.
fn built(compiler: &Compiler, spec: &DeviceSpec, label: &str, edits: &[(&str, &str)]) -> Batch {
    let mut member = spec.member().unwrap_or_else(|error| panic!("{error}"));
    for (from, to) in edits {
        assert_eq!(member.header.matches(from).count(), 1, "{from}");
        member.header = member.header.replace(from, to);
    }
    let batch = compiler.build(label, &[member], Flavour::Plain);
    batch.unwrap_or_else(|error| panic!("{error}"))
}

/// The barriers of a sort, which has to be right.
fn barriers_of_case(batch: &Batch, spec: &DeviceSpec, case: &DeviceCase) -> u32 {
    let mut session = Session::start(batch, Duration::from_secs(60)).expect("it runs");
    let outcome = session.run(&spec.message(case, 0, 0)).expect("it answers");
    assert_eq!(spec.complaint(case, &outcome), None, "{case}");
    let Outcome::Sorted { barriers, .. } = outcome else { unreachable!("it was sorted") };
    barriers
}

/// Few samples tell enough, or none do.
const FEW: (&str, &str) = ("kMinCount = 1024;", "kMinCount = 1;");
const NONE: (&str, &str) = ("kMinCount = 1024;", "kMinCount = 1u << 31;");

/// Where samples show that keys agree more often than their digits tell, the first phase goes by more digits. Results are right either way, so barriers are
/// counted: of headers to which few samples tell enough, of those to which they tell nothing, and of broken ones.
#[test]
fn samples_tell_of_keys_that_agree() {
    let spec: DeviceSpec = "device_radix_sort_u64_keys_b256_i4_asc".parse().expect("a name");
    let clock = ("static_cast<unsigned int>(clock64())", "0u");
    let distinct = ("return samples.distinct >=", "return true ||");
    let ties_above =
        ("level < KeySamples::kLevels && samples", "level < KeySamples::kLevels; samples");
    // Keys, blocks that count them, whether samples tell of them, and what is broken so that they tell something else.
    let cases = [
        (Sampled::InGroups, 3, true, ("found >= kMinFound &&", "false &&")),
        (Sampled::InOneGroup, 132, true, ("if (further >= kMinFurther)", "if (false)")),
        (Sampled::Copies, 6, false, ("return difference != 0 &&", "return")),
        (Sampled::CopiesOfFew, 3, true, ("return samples.distinct >=", "return false &&")),
        (Sampled::CopiesOfFew, 3, true, ("atomicAdd(&samples.counts.distinct, distinct)", "")),
        (Sampled::CopiesOfOne, 3, false, distinct),
        (Sampled::CopiesAndPairs, 132, true, ties_above),
        (Sampled::InGroupsBetweenSamples, 3, true, clock),
    ];
    // Programs go with their compiler.
    let compiler = compiler();
    let built = |label: &str, edits: &[(&str, &str)]| built(&compiler, &spec, label, edits);
    let telling = built("telling", &[FEW]);
    let silent = built("silent", &[NONE]);
    for (keys, blocks, differs, broken) in cases {
        let case = keys.case(&spec, blocks);
        let batch = built("broken", &[FEW, broken]);
        let [telling, silent, broken_too] =
            [&telling, &silent, &batch].map(|it| barriers_of_case(it, &spec, &case));
        assert_eq!(telling != silent, differs, "{keys:?}: {telling} and {silent} barriers");
        assert_ne!(broken_too, telling, "{keys:?}, {broken:?}: barriers");
    }
    let case = Sampled::Random.case(&spec, 132);
    assert_eq!(barriers_of_case(&telling, &spec, &case), barriers_of_case(&silent, &spec, &case));
}

/// Of many keys more warps have samples. Here they have of few, in hash tables of the same size.
#[test]
fn more_warps_have_samples_of_more_keys() {
    let spec: DeviceSpec = "device_radix_sort_u64_keys_b256_i4_asc".parse().expect("a name");
    let four_warps = [
        FEW,
        ("kSlotsLog2OfWarp = 13;", "kSlotsLog2OfWarp = 11;"),
        (
            "while (log2 < 4 && n >> (24 + 2 * log2) > 0)",
            "while (log2 < 2 && n >> (8 + 2 * log2) > 0)",
        ),
    ];
    let own = ("threadIdx.x < own &&", "threadIdx.x < 32 &&");
    let broken = [&four_warps[..], &[own]].concat();
    let case = Sampled::InSmallGroups.case(&spec, 1);
    // Programs go with their compiler.
    let compiler = compiler();
    let barriers = |label: &str, edits: &[(&str, &str)]| {
        barriers_of_case(&built(&compiler, &spec, label, edits), &spec, &case)
    };
    let one = barriers("one_warp", &[FEW]);
    let four = barriers("four_warps", &four_warps);
    let broken = barriers("one_of_four_warps", &broken);
    assert!(four != one && broken == one, "{one}, {four} and {broken} barriers");
}
