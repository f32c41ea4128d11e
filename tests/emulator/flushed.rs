//! Sorts under `-use_fast_math`: denormal numbers are zeros to floating-point instructions, and keep their bits and their order.

use std::time::Duration;

use sortsmith_codegen::SortSpec;
use sortsmith_codegen::device::DeviceSpec;
use sortsmith_testkit::cases;
use sortsmith_testkit::device_cases::{self, How};
use sortsmith_testkit::emulator::{Flavour, Member, Session};
use sortsmith_testkit::inputs::Keys;
use sortsmith_testkit::seed::Seed;
use sortsmith_testkit::subject::Subject;

use super::compiler;

/// What such keys are mixed with.
const KINDS: [Keys; 3] = [Keys::Denormals, Keys::Zeros, Keys::Uniform];

/// What is wrong with the outcome of each case.
fn complaints<S: Subject>(
    spec: &S,
    member: &Member,
    flavour: Flavour,
    cases: &[S::Case],
) -> Vec<Option<String>> {
    // Programs go with their compiler.
    let compiler = compiler();
    let label = format!("flushed_{}", member.name);
    let batch = compiler.build(&label, std::slice::from_ref(member), flavour);
    let batch = batch.unwrap_or_else(|error| panic!("{error}"));
    let mut session = Session::start(&batch, Duration::from_secs(60)).expect("it runs");
    let mut seed = 0;
    let mut complaint = |case| {
        seed += 1;
        let outcome = session.run(&spec.message(case, 0, seed)).expect("it answers");
        spec.complaint(case, &outcome)
    };
    cases.iter().map(&mut complaint).collect()
}

/// Sorts cases in a program that flushes denormals.
fn sorts<S: Subject>(spec: &S, cases: &[S::Case]) {
    let member = spec.member().unwrap_or_else(|error| panic!("{error}"));
    let all = complaints(spec, &member, Flavour::FlushingDenormals, cases);
    assert!(all.iter().all(Option::is_none), "{}: {all:?}", member.name);
}

/// Stable networks map keys to integers, as numbers.
#[test]
fn tile_sorts_order_denormals() {
    for name in [
        "block_bitonic_sort_f32_u32_b64_i6_desc_stable",
        "block_bitonic_sort_f32_index_b96_i4_asc_stable",
        "warp_bitonic_sort_f32_u32_w8_i4_asc",
        "block_radix_sort_f32_u32_b64_i4_r4_asc",
    ] {
        let spec: SortSpec = name.parse().unwrap_or_else(|error| panic!("{error}"));
        let mut rng = Seed::from_env().rng(name);
        sorts(&spec, &cases::of_kinds(&spec, KINDS.to_vec(), 36, &mut rng));
    }
}

/// Radix sorts choose buckets by a linear map.
#[test]
fn device_wide_sorts_order_denormals() {
    for name in
        ["device_radix_sort_f32_u32_b384_i20_asc", "device_sample_sort_f32_keys_b512_i2_desc"]
    {
        let spec: DeviceSpec = name.parse().unwrap_or_else(|error| panic!("{error}"));
        let mut rng = Seed::from_env().rng(name);
        let n = 6 * spec.tile_items() as usize;
        let of_kind = |kind| device_cases::case(&spec, kind, n, How::by_bits(0..32), &mut rng);
        sorts(&spec, &KINDS.map(of_kind));
    }
}

/// Keys that pass through a product lose their bits in such a program, and in no other.
#[test]
fn denormals_are_flushed() {
    let spec: SortSpec = "block_radix_sort_f32_keys_b64_i4_r4_asc".parse().expect("a name");
    let member = spec.member().unwrap_or_else(|error| panic!("{error}"));
    let function = "to_ordered_bits(Key key) {";
    assert_eq!(member.header.matches(function).count(), 1);
    let product = format!("{function}\n    volatile float one = 1;\n    key *= one;");
    let header = member.header.replace(function, &product);
    let member = Member { header, ..member };
    let cases = cases::of_kinds(&spec, vec![Keys::Denormals], 6, &mut Seed(1).rng("keys"));
    for (flavour, is_right) in [(Flavour::Plain, true), (Flavour::FlushingDenormals, false)] {
        let all = complaints(&spec, &member, flavour, &cases);
        assert_eq!(all.iter().all(Option::is_none), is_right, "{flavour:?}: {all:?}");
    }
}
