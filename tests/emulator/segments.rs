//! Sorts of segments.

use sortsmith_codegen::segments::SegmentSpec;
use sortsmith_testkit::emulator::Flavour;
use sortsmith_testkit::runner::Plan;
use sortsmith_testkit::seed::Seed;

use super::{chosen, run};

/// Keys of all classes and widths, values of all widths, both orders and orders of NaNs, and shapes with all classes of segments.
const SPECS: [&str; 7] = [
    "segmented_merge_sort_u32_keys_b64_i6_asc",
    "segmented_merge_sort_f32_u32_b64_i1_desc",
    "segmented_merge_sort_f16_index_b128_i3_asc_nanlast",
    "segmented_merge_sort_i64_u128_b128_i2_desc",
    "segmented_merge_sort_u128_u8_b64_i2_asc",
    "segmented_merge_sort_f64_index_b64_i5_desc_nanlast",
    "segmented_merge_sort_bool_u16_b64_i4_asc",
];

fn specs() -> Vec<SegmentSpec> {
    let parse = |name: &&str| name.parse().unwrap_or_else(|error| panic!("{error}"));
    chosen().unwrap_or_else(|| SPECS.iter().map(parse).collect())
}

#[test]
fn segments() {
    let plan = Plan {
        test: "segments",
        seed: Seed::from_env(),
        flavour: Flavour::Plain,
        batch: 4,
        cases: 24,
        orders: 2,
        races: 12,
    };
    run(&plan, &specs());
}

#[test]
fn segments_under_sanitizers() {
    let plan = Plan {
        test: "segments_under_sanitizers",
        seed: Seed::from_env(),
        flavour: Flavour::Sanitized,
        batch: 2,
        cases: 12,
        orders: 1,
        races: 0,
    };
    run(&plan, &specs()[..4.min(specs().len())]);
}
