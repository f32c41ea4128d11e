//! Which digits the first phase goes by, as histograms and samples of the keys say. Results are right either way, so barriers are counted: of headers as they
//! are, and of those that read the keys otherwise.

use std::collections::HashMap;
use std::time::Duration;

use rand::RngExt as _;
use sortsmith_codegen::device::{Device, DeviceSpec, RadixSort};
use sortsmith_testkit::device_cases::{self, DeviceCase, How};
use sortsmith_testkit::device_families::folders::device_radix_sort::facts::own::BY_MSD_BUCKETS;
use sortsmith_testkit::emulator::{Batch, Compiler, Flavour, Outcome, Session};
use sortsmith_testkit::inputs::Keys;
use sortsmith_testkit::seed::Seed;
use sortsmith_testkit::subject::Subject as _;

use crate::{compiler, proofs};

/// Keys of 4 bytes with values, for MSD buckets.
fn pairs_case(spec: &DeviceSpec, keys: impl Iterator<Item = u32>) -> DeviceCase {
    let how = How {
        own: BY_MSD_BUCKETS.into(),
        device: Device { multiprocessors: 132, shared_bytes_per_block: 227 * 1024 },
        ..How::by_bits(0..32)
    };
    let bytes = keys.flat_map(u32::to_le_bytes).collect();
    device_cases::case_of_keys(spec, Keys::FewDistinct, bytes, how, &mut Seed(1).rng("values"))
}

/// Where samples show that keys have many copies, there is no first phase: of a header to which samples tell that, and of those to which they tell nothing.
#[test]
fn keys_with_many_copies_are_sorted_by_all_digits() {
    proofs::of_specs(
        "device_radix_sort",
        (module_path!(), "keys_with_many_copies_are_sorted_by_all_digits"),
        ["device_radix_sort_u32_u32_b256_i4_asc"],
        |[spec]: [DeviceSpec; 1]| {
            let mut headers = Headers::of(spec);
            // 144 keys, or sixteen times as many: upper digits are even either way.
            for (kinds, are_found) in [(144, true), (2304, false)] {
                let keys = (0..16_000_u32).map(|i| {
                    let (kind, lowest) = (i * 7 % 144, i * 7 % kinds);
                    (kind % 4 * 64) << 24
                        | (kind & 0xff) << 16
                        | ((kind * 7) & 0xff) << 8
                        | (lowest / 16 * 37 + lowest % 16) & 0xff
                });
                let case = pairs_case(&spec, keys);
                let edits = [
                    ("kMinRepeated = 5;", "kMinRepeated = 3;"),
                    ("kMinRepeated = 5;", "kMinRepeated = 1u << 31;"),
                    ("NumberEntry{there}.is_empty() ? ", "true ? "),
                    ("return !NumberEntry{atomicOr(", "return NumberEntry{atomicOr("),
                ];
                let barriers = edits.map(|edit| headers.barriers(&[edit], &case));
                let [found, missed, ..] = barriers;
                assert_eq!(found != missed, are_found, "{kinds} keys: {barriers:?} barriers");
                assert!(
                    barriers[2..].iter().all(|broken| *broken == missed),
                    "{kinds} keys: {barriers:?} barriers"
                );
            }
        },
    );
}

/// A digit that has few values may be even in its upper half all the same: then sub-buckets are even, and keys go by MSD buckets.
#[test]
fn digits_with_an_even_upper_half_make_sub_buckets() {
    proofs::of_specs(
        "device_radix_sort",
        (module_path!(), "digits_with_an_even_upper_half_make_sub_buckets"),
        ["device_radix_sort_u32_u32_b256_i4_asc"],
        |[spec]: [DeviceSpec; 1]| {
            let mut headers = Headers::of(spec);
            let upper_half = "has_few_heavy ? bins.light_upper_half_max : bins.upper_half_max";
            let ignored = (upper_half, "1.0f");
            let key = |i: u32, shift: u32| {
                (i % 4) << 30 | (i / 4 % 256) << 16 | (i / 1024 % 16) << shift | (i % 3)
            };
            // The values of the second digit from below differ in its upper half, or in its lower one. One key of forty has any value, or none has.
            for (shift, any_of, is_even) in
                [(12, u32::MAX, true), (12, 40, true), (8, u32::MAX, false)]
            {
                let keys = (0..12_345).map(|i| {
                    let i = i * 7919 % 16_384;
                    if i % any_of == any_of / 2 {
                        key(i, shift) ^ ((i * 11) & 0xff) << 8
                    } else {
                        key(i, shift)
                    }
                });
                let case = pairs_case(&spec, keys);
                let found = headers.barriers(&[], &case);
                let missed = headers.barriers(&[ignored], &case);
                assert_eq!(
                    found != missed,
                    is_even,
                    "{shift}, {any_of}: {found} and {missed} barriers"
                );
                let of_light = (upper_half, "has_few_heavy ? bins.light_upper_half_max : 1.0f");
                let is_missed = any_of != 40 || headers.barriers(&[of_light], &case) == missed;
                assert!(is_missed, "most values are heavy");
            }
        },
    );
}

/// Floats in narrow clusters, of which many differ in the lowest bits alone, have no room in sub-buckets of a linear map: samples tell, and there is no first
/// phase.
#[test]
fn floats_in_narrow_clusters_are_sorted_by_all_digits() {
    proofs::of_specs(
        "device_radix_sort",
        (module_path!(), "floats_in_narrow_clusters_are_sorted_by_all_digits"),
        ["device_radix_sort_f32_u32_b256_i4_asc"],
        |[spec]: [DeviceSpec; 1]| {
            let mut headers = Headers::of(spec);
            let mut rng = Seed(1).rng("keys");
            let mut keys = |cluster_values: u32| {
                let keys: Vec<u32> = (0..16_000_u32)
                    .map(|i| {
                        let anywhere: u32 = rng.random_range(0..1 << 24);
                        let cluster = (1.0 + (i % 16) as f32).to_bits() + anywhere % cluster_values;
                        if i % 100 == 0 { (anywhere as f32 / 65_536.0).to_bits() } else { cluster }
                    })
                    .collect();
                pairs_case(&spec, keys.into_iter())
            };
            // Values of a cluster: in a sub-bucket or two, or in some hundreds.
            for (case, are_found) in [(keys(128), true), (keys(1 << 16), false)] {
                let mut barriers = |edit| {
                    headers.barriers(&[("kMinRepeated = 5;", "kMinRepeated = 3;"), edit], &case)
                };
                let found = barriers(("kManyInSubBucket = 24;", "kManyInSubBucket = 24.0f;"));
                let missed = barriers(("kManyInSubBucket = 24;", "kManyInSubBucket = 1e9f;"));
                let uncounted = barriers((
                    "repeated_samples.sub_buckets, repeated_sub_buckets)",
                    "repeated_samples.sub_buckets, 0u)",
                ));
                assert_eq!(found != missed, are_found, "{found} and {missed} barriers");
                assert_eq!(uncounted, missed, "barriers");
            }
        },
    );
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

/// A piece of a header's text, and what comes instead.
type Edit = (&'static str, &'static str);

/// The header of a spec with pieces of its text replaced, in programs, each of which is compiled once.
struct Headers {
    spec: DeviceSpec,
    programs: HashMap<Vec<Edit>, Batch>,
    // Programs go with their compiler.
    compiler: Compiler,
}

impl Headers {
    fn of(spec: DeviceSpec) -> Self {
        Self { spec, programs: HashMap::new(), compiler: compiler() }
    }

    /// The barriers of a sort, which has to be right.
    fn barriers(&mut self, edits: &[Edit], case: &DeviceCase) -> u32 {
        let (spec, label) = (self.spec, format!("edit {}", self.programs.len()));
        let batch = self.programs.entry(edits.to_vec()).or_insert_with(|| {
            let mut member = spec.member().unwrap_or_else(|error| panic!("{error}"));
            for (from, to) in edits {
                assert_eq!(member.header.matches(from).count(), 1, "{from}");
                member.header = member.header.replace(from, to);
            }
            let batch = self.compiler.build(&label, &[member], Flavour::Brief);
            batch.unwrap_or_else(|error| panic!("{error}"))
        });
        let mut session = Session::start(batch, Duration::from_secs(60)).expect("it runs");
        let outcome = session.run(&spec.message(case, 0, 0)).expect("it answers");
        assert_eq!(spec.complaint(case, &outcome), None, "{case}");
        let Outcome::Sorted { barriers, .. } = outcome else { unreachable!("it was sorted") };
        barriers
    }
}

/// Few samples tell enough, or none do.
const FEW: Edit = ("kMinCount = 1024;", "kMinCount = 1;");
const NONE: Edit = ("kMinCount = 1024;", "kMinCount = 1u << 31;");

/// Where samples show that keys agree more often than their digits tell, the first phase goes by more digits. Results are right either way, so barriers are
/// counted: of headers to which few samples tell enough, of those to which they tell nothing, and of broken ones.
#[test]
fn samples_tell_of_keys_that_agree() {
    proofs::of_specs(
        "device_radix_sort",
        (module_path!(), "samples_tell_of_keys_that_agree"),
        ["device_radix_sort_u64_keys_b256_i4_asc"],
        |[spec]: [DeviceSpec; 1]| {
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
                (
                    Sampled::CopiesOfFew,
                    3,
                    true,
                    ("atomicAdd(&samples.counts.distinct, distinct)", ""),
                ),
                (Sampled::CopiesOfOne, 3, false, distinct),
                (Sampled::CopiesAndPairs, 132, true, ties_above),
                (Sampled::InGroupsBetweenSamples, 3, true, clock),
            ];
            let mut headers = Headers::of(spec);
            for (keys, blocks, differs, broken) in cases {
                let case = keys.case(&spec, blocks);
                let [telling, silent, broken_too] = [&[FEW][..], &[NONE], &[FEW, broken]]
                    .map(|edits| headers.barriers(edits, &case));
                assert_eq!(telling != silent, differs, "{keys:?}: {telling} and {silent} barriers");
                assert_ne!(broken_too, telling, "{keys:?}, {broken:?}: barriers");
            }
            let case = Sampled::Random.case(&spec, 132);
            assert_eq!(headers.barriers(&[FEW], &case), headers.barriers(&[NONE], &case));
        },
    );
}

/// Of many keys more warps have samples. Here they have of few, in hash tables of the same size.
#[test]
fn more_warps_have_samples_of_more_keys() {
    proofs::of_specs(
        "device_radix_sort",
        (module_path!(), "more_warps_have_samples_of_more_keys"),
        ["device_radix_sort_u64_keys_b256_i4_asc"],
        |[spec]: [DeviceSpec; 1]| {
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
            let mut headers = Headers::of(spec);
            let [one, four, broken] =
                [&[FEW][..], &four_warps, &broken].map(|edits| headers.barriers(edits, &case));
            assert!(four != one && broken == one, "{one}, {four} and {broken} barriers");
        },
    );
}
