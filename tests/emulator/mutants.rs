//! Proves that the emulator bites: generated headers with one thing broken must fail.
//!
//! All choices are fixed, so that the same mutants survive each time.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sortsmith_codegen::{SortSpec, render};
use sortsmith_testkit::cases::{self, value_bytes};
use sortsmith_testkit::emulator::{Batch, Compiler, Flavour, Member, SCHEDULES, Session};
use sortsmith_testkit::seed::Seed;

const SEED: Seed = Seed(20_260_101);
const CASES: usize = 40;
/// Mutants in one program.
const BATCH: usize = 8;
/// A mutant may loop for ever; all others are far quicker.
const LIMIT: Duration = Duration::from_secs(20);

/// Each way of ranking and scanning, with storage of their own and shared, and each way of moving values.
const SPECS: [&str; 8] = [
    "block_radix_sort_f32_u32_b96_i4_r4_asc",
    "block_radix_sort_i64_u64_b70_i3_r3_desc_nomemo_raking",
    "block_radix_sort_u16_u8_b128_i2_r5_desc_rakingmemo_outstriped",
    "block_radix_sort_u32_u64_b64_i4_r8_asc_instriped",
    "block_radix_sort_i16_keys_b5x4_i6_r2_asc_nomemo",
    "block_radix_sort_f16_u16_b96_i4_r6_desc_match_instriped_outstriped",
    "block_radix_sort_i32_index_b64_i3_r5_asc_matchmasks",
    "block_radix_sort_u64_u128_b64_i16_r8_asc_match",
];

const MANY_WARPS: &str = "The branch for a block of one warp; this block has more.";
const ONE_WARP: &str = "The branch for a block of several warps; this block has one.";
const TURNS_IN_WARPS: &str =
    "The branch for turns across warps; blocked and warp-striped turn within them.";
const TURNS_ACROSS_WARPS: &str =
    "The branch for turns within warps; this tile is striped, or needs no turn.";
const BALLOTS: &str = "The ballots before the next access are rendezvous of the warp too. CUDA does not promise that they \
                       order memory, so the barrier is needed on a GPU; the emulator does not model that.";
const ONE_WARP_SCANS: &str = "The first warp alone has bins, and it needs no total of another.";
const NO_GAP_AT_THE_END: &str =
    "One slot moves into the gap next to it: all slots still differ, and none is past the end.";

/// Mutants that no case can tell from the original, and why.
const SURVIVORS: &[(&str, &str, &str)] = &[
    (
        "block_radix_sort_f32_u32_b96_i4_r4_asc",
        "barrier 2 of exclusive_sum, a __syncwarp, is missing",
        MANY_WARPS,
    ),
    (
        "block_radix_sort_f32_u32_b96_i4_r4_asc",
        "barrier 2 of turn, a __syncthreads, is missing",
        TURNS_IN_WARPS,
    ),
    (
        "block_radix_sort_u16_u8_b128_i2_r5_desc_rakingmemo_outstriped",
        "barrier 2 of turn, a __syncthreads, is missing",
        TURNS_IN_WARPS,
    ),
    (
        "block_radix_sort_u32_u64_b64_i4_r8_asc_instriped",
        "barrier 2 of exclusive_sum, a __syncwarp, is missing",
        MANY_WARPS,
    ),
    (
        "block_radix_sort_i16_keys_b5x4_i6_r2_asc_nomemo",
        "barrier 1 of exclusive_sum, a __syncthreads, is missing",
        ONE_WARP,
    ),
    (
        "block_radix_sort_i16_keys_b5x4_i6_r2_asc_nomemo",
        "a gap comes one slot too early",
        NO_GAP_AT_THE_END,
    ),
    (
        "block_radix_sort_f16_u16_b96_i4_r6_desc_match_instriped_outstriped",
        "barrier 2 of exclusive_sum, a __syncwarp, is missing",
        MANY_WARPS,
    ),
    (
        "block_radix_sort_f16_u16_b96_i4_r6_desc_match_instriped_outstriped",
        "barrier 1 of turn, a __syncwarp, is missing",
        TURNS_ACROSS_WARPS,
    ),
    (
        "block_radix_sort_f16_u16_b96_i4_r6_desc_match_instriped_outstriped",
        "barrier 1 of count_in_warp, a __syncwarp, is missing",
        BALLOTS,
    ),
    (
        "block_radix_sort_f16_u16_b96_i4_r6_desc_match_instriped_outstriped",
        "barrier 3 of count_in_warp, a __syncwarp, is missing",
        BALLOTS,
    ),
    (
        "block_radix_sort_i32_index_b64_i3_r5_asc_matchmasks",
        "barrier 1 of exclusive_sum, a __syncthreads, is missing",
        ONE_WARP_SCANS,
    ),
    (
        "block_radix_sort_i32_index_b64_i3_r5_asc_matchmasks",
        "barrier 2 of exclusive_sum, a __syncwarp, is missing",
        MANY_WARPS,
    ),
    (
        "block_radix_sort_i32_index_b64_i3_r5_asc_matchmasks",
        "barrier 2 of turn, a __syncthreads, is missing",
        TURNS_IN_WARPS,
    ),
    (
        "block_radix_sort_u64_u128_b64_i16_r8_asc_match",
        "barrier 2 of exclusive_sum, a __syncwarp, is missing",
        MANY_WARPS,
    ),
    (
        "block_radix_sort_u64_u128_b64_i16_r8_asc_match",
        "barrier 2 of turn, a __syncthreads, is missing",
        TURNS_IN_WARPS,
    ),
    (
        "block_radix_sort_u64_u128_b64_i16_r8_asc_match",
        "barrier 1 of count_in_warp, a __syncwarp, is missing",
        BALLOTS,
    ),
    (
        "block_radix_sort_u64_u128_b64_i16_r8_asc_match",
        "barrier 3 of count_in_warp, a __syncwarp, is missing",
        BALLOTS,
    ),
];

/// A text and what breaks it, under a label. It applies to every header that holds the text, and to at least one.
const EDITS: &[(&str, &str, &str)] = &[
    (
        "a thread counts its items backwards",
        "for (int i = 0; i < kItemsPerThread; ++i) {\n      unsigned short& counter",
        "for (int i = kItemsPerThread - 1; i >= 0; --i) {\n      unsigned short& counter",
    ),
    (
        "lanes above count as lanes below",
        "lanes_below = (1u << lane) - 1u",
        "lanes_below = ~((2u << lane) - 1u)",
    ),
    (
        "the last valid item is left out",
        "position<kFrom>(i) < valid_items ?",
        "position<kFrom>(i) + 1 < valid_items ?",
    ),
    (
        "one item too many is valid",
        "position<kFrom>(i) < valid_items ?",
        "position<kFrom>(i) < valid_items + 1 ?",
    ),
    ("the last item is not stored", "if (target < valid_items)", "if (target + 1 < valid_items)"),
    ("one item too many is stored", "if (target < valid_items)", "if (target < valid_items + 1)"),
    (
        "one item too many is loaded",
        "position<kLoaded>(i) < valid_items ?",
        "position<kLoaded>(i) < valid_items + 1 ?",
    ),
    ("slots begin one too far", "return position + position /", "return position + 1 + position /"),
    (
        "a gap comes one slot too early",
        "return position + position /",
        "return position + (position + 1) /",
    ),
    ("gaps overlap items", "return position + position /", "return position - position /"),
    ("-0.0 is less than +0.0", "if (ordered == kNegativeZero) ordered = kPositiveZero;", ""),
    ("high halves start at zero", "before += total << 16;", ""),
    ("high halves start at half", "before += total << 16;", "before += total << 15;"),
    ("a digit takes bits past the end", "((1u << count) - 1u)", "((1u << kRadixBits) - 1u)"),
    ("bins do not count the warps below", "          start += count;\n", ""),
    (
        "bins count one warp alone",
        "sum += storage_.rank.histograms[warp][bin]",
        "sum = storage_.rank.histograms[warp][bin]",
    ),
];

/// A header with one thing broken.
struct Mutant {
    spec: SortSpec,
    label: String,
    member: Member,
}

#[test]
fn every_mutant_is_caught_but_those_that_are_harmless() {
    let mutants = all_mutants();
    let compiler = super::compiler();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeSet::new()));
    let hands: Vec<&[Mutant]> = mutants.chunks(BATCH).collect();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(hand) = hands.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let survivors = survivors_of(&compiler, hand);
                    found.lock().expect("no thread panics with it").extend(survivors);
                }
            });
        }
    });
    let found = found.into_inner().expect("no thread panicked");
    eprintln!("mutants: {} of {} survive", found.len(), mutants.len());
    let expected: BTreeSet<(String, String)> = SURVIVORS
        .iter()
        .map(|(spec, label, _)| ((*spec).to_owned(), (*label).to_owned()))
        .collect();
    let lines = |set: Vec<&(String, String)>| -> String {
        let lines: Vec<String> =
            set.iter().map(|(spec, label)| format!("\n    (\"{spec}\", \"{label}\")")).collect();
        lines.concat()
    };
    let (new, gone) =
        (found.difference(&expected).collect(), expected.difference(&found).collect());
    assert!(
        found == expected,
        "survivors that the table does not have:{}\nand those of the table that are caught:{}",
        lines(new),
        lines(gone)
    );
}

/// The mutants of a batch that no case catches.
fn survivors_of(compiler: &Compiler, hand: &[Mutant]) -> Vec<(String, String)> {
    let members: Vec<Member> = hand.iter().map(|mutant| mutant.member.clone()).collect();
    let batch = compiler
        .build(&members[0].name, &members, Flavour::Plain)
        .unwrap_or_else(|error| panic!("{error}"));
    hand.iter()
        .enumerate()
        .filter_map(|(member, mutant)| {
            let complaint = first_complaint(&batch, member, &mutant.spec);
            println!(
                "{}, {}: {}",
                mutant.spec,
                mutant.label,
                complaint.as_deref().unwrap_or("survives")
            );
            complaint.is_none().then(|| (mutant.spec.to_string(), mutant.label.clone()))
        })
        .collect()
}

/// What the cases of a spec, under all schedules, find wrong.
fn first_complaint(batch: &Batch, member: usize, spec: &SortSpec) -> Option<String> {
    let mut session = Session::start(batch, LIMIT).unwrap_or_else(|error| panic!("{error}"));
    cases::of(spec, CASES, &mut SEED.rng(&spec.to_string())).iter().enumerate().find_map(
        |(number, case)| {
            (0..SCHEDULES).find_map(|schedule| {
                let seed = number as u64 * SCHEDULES + schedule;
                match session.run(&case.request(member, seed), value_bytes(spec)) {
                    Ok(outcome) => case.complaint(spec, &outcome),
                    Err(error) => Some(error.to_string()),
                }
            })
        },
    )
}

fn all_mutants() -> Vec<Mutant> {
    let mut mutants = Vec::new();
    let mut unused: BTreeSet<&str> = EDITS.iter().map(|(label, ..)| *label).collect();
    for name in SPECS {
        let spec: SortSpec = name.parse().unwrap_or_else(|error| panic!("{error}"));
        let header = Member::of(&spec).unwrap_or_else(|error| panic!("{error}")).header;
        let mut broken: Vec<(String, String)> = without_each_barrier(&header);
        for (label, original, replacement) in EDITS {
            if header.contains(original) {
                broken.push(((*label).to_owned(), header.replace(original, replacement)));
                unused.remove(label);
            }
        }
        for (number, (label, text)) in broken.into_iter().enumerate() {
            mutants.push(Mutant { spec, label, member: renamed(name, number, &text) });
        }
    }
    assert!(unused.is_empty(), "no header has what these break: {unused:?}");
    mutants
}

/// The header with one barrier taken out, for each of its barriers: labelled by its function and its place in it.
fn without_each_barrier(header: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let (mut function, mut count, mut offset) = ("", 0, 0);
    for line in header.split_inclusive('\n') {
        if let Some((before, _)) = line.split_once('(').filter(|_| line.contains("__device__")) {
            function = before.rsplit(' ').next().unwrap_or_default();
            count = 0;
        }
        if let Some((start, barrier)) = barrier_in(line) {
            count += 1;
            let (start, end) = (offset + start, offset + start + barrier.len());
            let name = &barrier[..barrier.find('(').unwrap_or(barrier.len())];
            found.push((
                format!("barrier {count} of {function}, a {name}, is missing"),
                format!("{};{}", &header[..start], &header[end..]),
            ));
        }
        offset += line.len();
    }
    found
}

/// The barrier in a line of code, with its semicolon.
fn barrier_in(line: &str) -> Option<(usize, &str)> {
    let code = line.split("//").next().unwrap_or_default();
    let start = ["__syncthreads(", "__syncwarp("].iter().find_map(|call| code.find(call))?;
    let length = code[start..].find(';')? + 1;
    Some((start, &line[start..start + length]))
}

/// The header under a name of its own, and in a namespace of its own: its parts are not those of other mutants.
fn renamed(name: &str, number: usize, header: &str) -> Member {
    let version = render::version_namespace().to_uppercase();
    let own_name = format!("{name}_mutant{number}");
    let own_namespace = format!("of_{own_name}");
    let header = header
        .replace(name, &own_name)
        .replace(&format!("SORTSMITH_{version}_"), &format!("{}_", own_namespace.to_uppercase()))
        .replace("namespace sortsmith {", &format!("namespace {own_namespace} {{"))
        .replace("sortsmith::", &format!("{own_namespace}::"))
        + &format!("namespace sortsmith {{ using {own_namespace}::{own_name}; }}\n");
    Member { name: own_name, header }
}
