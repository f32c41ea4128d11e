//! The search of one case, where the costs are known.

mod fake;

use std::time::Duration;

use fake::{Fake, Looker};
use sortsmith_codegen::device::DeviceAlgorithm;
use sortsmith_codegen::tuning::Case;
use sortsmith_codegen::{KeyType, ValueType};
use sortsmith_tune::bench::{Input, Point};
use sortsmith_tune::search::{Ended, Found, Step, search};

fn case() -> Case {
    Case::of(KeyType::F32, ValueType::U32, 1 << 22).expect("a class")
}

fn searched(bench: &mut Fake, seconds: u64) -> Result<Found, Ended> {
    let until = bench_time(bench, seconds);
    search(bench, case(), None, until, &mut Looker::default())
}

fn bench_time(bench: &Fake, seconds: u64) -> Duration {
    bench.clock + Duration::from_secs(seconds)
}

/// Costs that grow with the candidate's number, with one spec that is faster than all.
fn with_winner(winner: usize, cost: f64) -> impl Fn(usize, Point) -> f64 {
    move |candidate, _| if candidate == winner { cost } else { 1.0 + 0.01 * candidate as f64 }
}

#[test]
fn the_fastest_is_found_wherever_it_is() {
    for winner in [1, 7, 20, 40] {
        let mut bench = Fake::new(winner as u64, with_winner(winner, 0.9));
        let found = searched(&mut bench, 600).expect("it ends");
        assert_eq!(bench.candidate(&case(), &found.kernel), winner);
        assert_eq!(found.built_in, case().built_in(bench.gpu.device()));
        assert!((found.ratio() - 1.0 / 0.9).abs() < 0.01, "{}", found.ratio());
        assert_eq!((found.pairs.len(), found.kept_for), (4, None));
    }
}

#[test]
fn a_named_algorithm_is_tried_alone() {
    let case = Case::of(KeyType::U64, ValueType::U32, 1 << 25).expect("a class");
    let mut bench = Fake::new(9, |candidate, _| if candidate == 0 { 1.0 } else { 0.8 });
    let until = bench_time(&bench, 6000);
    let only = DeviceAlgorithm::Partition;
    let found = search(&mut bench, case, Some(only), until, &mut Looker::default());
    let found = found.expect("it ends");
    assert_eq!(found.kernel.algorithm, only);
    let all = case.candidates(bench.gpu.device());
    let count = all.iter().filter(|it| it.algorithm == only).count();
    assert_eq!((found.tried, found.built_in), (count, all[0]));
    assert!(0 < count && count < all.len() - 1, "{count} of {}", all.len());
}

#[test]
fn a_little_faster_is_not_enough() {
    for cost in [1.0, 0.99, 0.985] {
        let mut bench = Fake::new(3, with_winner(5, cost));
        let found = searched(&mut bench, 600).expect("it ends");
        assert_eq!(found.kernel, found.built_in);
        assert!((found.ratio() - 1.0).abs() < f64::EPSILON);
        assert!(found.kept_for.is_some_and(|why| why.contains("times as fast")));
    }
    let mut bench = Fake::new(3, with_winner(5, 0.97));
    let found = searched(&mut bench, 600).expect("it ends");
    assert_eq!(bench.candidate(&case(), &found.kernel), 5);
}

#[test]
fn what_is_slower_anywhere_is_not_kept() {
    // Much faster at the length and input by which all are ranked, and slower at one other point.
    let cost = |candidate: usize, point: Point| match (candidate, point.input) {
        (5, Input::And3) if point.n < 1 << 22 => 1.03,
        (5, _) => 0.5,
        (6, _) => 0.9,
        _ => 1.0,
    };
    let mut bench = Fake::new(4, cost);
    let found = searched(&mut bench, 600).expect("it ends");
    assert_eq!(bench.candidate(&case(), &found.kernel), 6);
    let mut bench = Fake::new(4, move |candidate, point| {
        cost(if candidate == 6 { 7 } else { candidate }, point)
    });
    let found = searched(&mut bench, 600).expect("it ends");
    assert_eq!(found.kernel, found.built_in);
    assert!(found.kept_for.is_some_and(|why| why.contains("times of 1572865 and 3")));
}

#[test]
fn a_gain_within_the_relative_spread_is_none() {
    let mut bench = Fake::new(5, with_winner(5, 0.95));
    bench.noise = 0.5;
    let found = searched(&mut bench, 600).expect("it ends");
    let kept = found.kernel == found.built_in;
    assert!(kept || found.ratio() > 1.1, "{found:?}");
}

/// Whatever the costs and the noise of the times: what is kept is by its true costs never slower than the built-in spec by more
/// than 2 % at any point.
#[test]
fn nothing_is_kept_that_is_slower_by_two_percent() {
    let mut gains = 0;
    for seed in 0..200u64 {
        let mixed = move |candidate: usize, point: Point| {
            let mut bits = seed ^ (candidate as u64) << 32 ^ point.n << 1 ^ point.input as u64;
            bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            (bits >> 40) as f64 / f64::from(1 << 24)
        };
        // Most are slower, some faster, and all of them differ from point to point.
        let cost = move |candidate: usize, point: Point| {
            let of_spec = mixed(candidate, Point { n: 0, input: Input::Random });
            if candidate == 0 { 1.0 } else { 0.93 + 0.3 * of_spec + 0.05 * mixed(candidate, point) }
        };
        let mut bench = Fake::new(seed, cost);
        bench.noise = 0.02;
        let found = searched(&mut bench, 120).expect("it ends");
        for pair in &found.pairs {
            let costs = [found.built_in, found.kernel]
                .map(|spec| bench.true_cost(&case(), &spec, pair.point));
            assert!(costs[1] <= 1.02 * costs[0], "seed {seed}: {found:?}");
        }
        gains += usize::from(found.kernel != found.built_in);
    }
    assert!(gains > 50, "{gains} of 200 found something");
}

#[test]
fn the_budget_is_kept_about() {
    for seconds in [1, 10, 60] {
        let mut bench = Fake::new(6, with_winner(2, 0.8));
        let before = bench.clock;
        let found = searched(&mut bench, seconds).expect("it ends");
        let took = bench.clock.checked_sub(before).expect("time goes on").as_secs_f64();
        // One batch of compilations and the final come in any case.
        assert!(took < seconds as f64 + 4.0, "{took} s of {seconds}");
        assert_eq!(bench.candidate(&case(), &found.kernel), 2, "{seconds} s");
        let all = case().candidates(bench.gpu.device()).len();
        assert!(found.tried < all || seconds == 60, "{} of {all}", found.tried);
    }
}

#[test]
fn kernels_that_do_not_compile_are_left_out_and_the_built_in_one_must() {
    let mut bench = Fake::new(7, with_winner(3, 0.5));
    bench.refused = vec![3, 4];
    let found = searched(&mut bench, 600).expect("it ends");
    assert_eq!(found.kernel, found.built_in);
    bench.refused = vec![0];
    let error = searched(&mut bench, 600).expect_err("nothing to compare with");
    assert!(matches!(&error, Ended::Refused { .. }), "{error}");
    bench.refused = (1..200).collect();
    let found = searched(&mut bench, 600).expect("it ends");
    assert_eq!((found.kernel, found.tried), (found.built_in, 0));
    assert!(found.kept_for.is_some_and(|why| why.contains("no other spec")));
}

#[test]
fn a_spec_that_sorts_wrong_ends_the_search() {
    let mut bench = Fake::new(8, with_winner(3, 0.5));
    bench.wrong = vec![3];
    let error = searched(&mut bench, 600).expect_err("it differs");
    assert!(matches!(&error, Ended::Differs { .. }), "{error}");
    assert!(error.to_string().contains("does not write what"), "{error}");
}

#[test]
fn too_little_memory_is_reported() {
    let mut bench = Fake::new(9, with_winner(3, 0.5));
    bench.most = 3 << 19;
    let error = searched(&mut bench, 600).expect_err("no room");
    assert!(matches!(&error, Ended::NoMemory(of) if *of == case()), "{error}");
    bench.most = (3 << 19) + 1;
    let found = searched(&mut bench, 600).expect("room for the fewest");
    assert!(found.pairs.iter().all(|pair| pair.point.n == bench.most));
}

#[test]
fn a_spectator_sees_each_step_and_can_stop_at_any() {
    let mut bench = Fake::new(10, with_winner(9, 0.9));
    let mut looker = Looker::default();
    search(&mut bench, case(), None, Duration::from_secs(600), &mut looker).expect("it ends");
    let rounds = looker.steps.iter().filter_map(|step| match step {
        Step::Halving { round, .. } => Some(*round),
        _ => None,
    });
    assert!(rounds.max() > Some(3), "{:?}", looker.steps);
    assert_eq!(looker.steps.last(), Some(&Step::Final { point: 4, all: 4 }));
    let all = looker.steps.len();
    for most in [0, 1, all / 2, all - 1] {
        let mut looker = Looker { stop_after: Some(most), ..Looker::default() };
        let time = bench_time(&bench, 600);
        let error = search(&mut bench, case(), None, time, &mut looker).expect_err("it is stopped");
        assert!(matches!(error, Ended::Stopped), "{error}");
        assert_eq!(looker.steps.len(), most + 1);
    }
}
