//! Sorts of logical warps.

use sortsmith_codegen::{Family, SortSpec};
use sortsmith_testkit::cases;
use sortsmith_testkit::emulator::{Flavour, Member, SCHEDULES, Session};
use sortsmith_testkit::runner::{Plan, REQUEST_LIMIT};
use sortsmith_testkit::sampler;
use sortsmith_testkit::seed::{self, Seed};

use super::{chosen, compiler, run, with_fresh};

/// The chosen specs of the family, else the known ones and fresh ones.
fn specs(plan: &Plan<'_>, known: Vec<SortSpec>, count: usize) -> Vec<SortSpec> {
    if let Some(chosen) = chosen::<SortSpec>() {
        let is_of_family = |spec: &SortSpec| spec.algorithm.family() == Family::WarpBitonic;
        return chosen.into_iter().filter(is_of_family).collect();
    }
    let mut rng = plan.seed.rng(plan.test);
    with_fresh(known, count, || sampler::warp_bitonic(&mut rng))
}

#[test]
fn warp_covering_and_fresh() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 2000 } else { 80 };
    let plan = Plan {
        test: "warp::warp_covering_and_fresh",
        seed,
        flavour: Flavour::Plain,
        batch: 10,
        cases: 20,
        orders: 3,
    };
    run(&plan, &specs(&plan, sampler::warp_covering_set(), count));
}

#[test]
fn warp_sanitized() {
    let seed = Seed::from_env();
    let count = if seed::is_deep() { 200 } else { 6 };
    let plan = Plan {
        test: "warp::warp_sanitized",
        seed,
        flavour: Flavour::Sanitized,
        batch: 4,
        cases: 20,
        orders: 2,
    };
    run(&plan, &specs(&plan, Vec::new(), count));
}

/// Small tiles of each way to exchange items, with every number of valid items, under all schedules in turn.
#[test]
fn warp_every_length() {
    let specs: Vec<SortSpec> = [
        "warp_bitonic_sort_f32_u32_w4_i3_asc_stable",
        "warp_bitonic_sort_u32_keys_w8_i4_desc",
        "warp_bitonic_sort_i8_index_w16_i2_asc_stable_instriped",
        "warp_bitonic_sort_u64_u16_w2_i7_desc_stable_instriped",
        "warp_bitonic_sort_f16_u64_w32_i1_asc_stable_outstriped",
        "warp_bitonic_sort_i64_keys_w4_i12_asc_outstriped",
    ]
    .map(|name| name.parse().unwrap_or_else(|error| panic!("{error}")))
    .to_vec();
    let members: Vec<Member> =
        specs.iter().map(|spec| Member::of(spec).unwrap_or_else(|e| panic!("{e}"))).collect();
    let compiler = compiler();
    let batch = compiler
        .build("warp_every_length", &members, Flavour::Plain)
        .unwrap_or_else(|error| panic!("{error}"));
    let mut session = Session::start(&batch, REQUEST_LIMIT).unwrap_or_else(|e| panic!("{e}"));
    let seed = Seed::from_env();
    eprintln!("warp_every_length: {}={}", seed::SEED_VARIABLE, seed.0);
    for (member, spec) in specs.iter().enumerate() {
        let cases = cases::of_every_length(spec, &mut seed.rng(&spec.to_string()));
        assert_eq!(cases.len(), 2 * (spec.tile_items() as usize + 1));
        for (number, case) in cases.iter().enumerate() {
            for turn in 0..3 {
                let order = (number as u64 + turn) * SCHEDULES + (number as u64 + 2 * turn) % 6;
                let outcome = session.run(&case.request(spec, member, order).message());
                let outcome = outcome.unwrap_or_else(|error| panic!("{spec}, {case}: {error}"));
                if let Some(complaint) = case.complaint(spec, &outcome) {
                    panic!("{spec}, {case}, order {order}: {complaint}");
                }
            }
        }
    }
}
