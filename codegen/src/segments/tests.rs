use super::*;
use crate::contract::device::launch::Device;
use crate::contract::named::misfit;
use crate::types::{KeyType, Order, Token as _, ValueType};

const DEVICE: Device = Device { multiprocessors: 100, shared_bytes_per_block: 48 << 10 };

fn spec(name: &str) -> SegmentSpec {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn names_are_parsed_as_they_are_printed() {
    for key in KeyType::ALL {
        for value in [ValueType::None, ValueType::U8, ValueType::U128, ValueType::Index] {
            for order in [Order::Ascending, Order::Descending] {
                let chosen = SegmentSpec::of(*key, value, order, true);
                assert_eq!(chosen.to_string().parse(), Ok(chosen));
                assert_eq!((*chosen).validate(), Ok(chosen), "it is legal");
            }
        }
    }
    for (name, part) in [
        ("segmented_radix_sort_u32", "segmented_radix_sort_u32"),
        ("segmented_merge_sort_u32_keys_b064_i2_asc", "b064"),
        ("segmented_merge_sort_u32_keys_b64_i2", ""),
        ("segmented_merge_sort_u32_keys_b64_i2_asc_wide", "wide"),
    ] {
        assert_eq!(misfit::<SegmentSpec>(name), part);
    }
}

#[test]
fn what_is_not_legal_is_named() {
    let error = |name: &str| name.parse::<SegmentSpec>().expect_err("not legal").to_string();
    for (name, message) in [
        ("segmented_merge_sort_u32_keys_b32_i2_asc", "threads = 32 is not legal"),
        ("segmented_merge_sort_u32_keys_b64_i0_asc", "items = 0 is not legal; legal: 1 to 32"),
        ("segmented_merge_sort_u128_keys_b256_i16_asc", "shared memory = 67584 is not legal"),
        ("segmented_merge_sort_u32_keys_b64_i2_asc_nanlast", "nanlast = true is not legal"),
    ] {
        assert!(error(name).contains(message), "{}", error(name));
    }
}

#[test]
fn launches_follow_from_lengths_alone() {
    let spec = spec("segmented_merge_sort_u32_keys_b256_i16_asc");
    let launches = |n, segments| {
        let problem = Problem { n, segments, longest: n, absolute_positions: false };
        let of = |it: &SegmentLaunch| it.to_string();
        spec.launches(problem, DEVICE).iter().map(of).collect::<Vec<_>>().join(", ")
    };
    let bytes = spec.shared_bytes();
    assert_eq!(launches(0, 5), "");
    assert_eq!(launches(5, 0), "");
    assert_eq!(launches(1, 300), "_classify <<<2, 256, 320>>>");
    let short = "_classify <<<1, 256, 320>>>, _ranks <<<1, 256, 1024>>>";
    assert_eq!(launches(31, 2), short);
    let warps = format!("_warps <<<1, 256, {bytes}>>>");
    assert_eq!(launches(512, 2), format!("{short}, {warps}"));
    let tile_bytes = spec.tile_shared_bytes();
    let tiles = |blocks: u32| format!("_tiles <<<{blocks}, 256, {tile_bytes}>>>");
    assert_eq!(launches(4096, 2), format!("{short}, {warps}, {}", tiles(10)));
    let merges = (0..3).map(|round| format!("_merge {round} <<<10, 256, {bytes}>>>"));
    let merges = merges.collect::<Vec<_>>().join(", ");
    let long = launches(5 * 4096 + 1, 2);
    assert_eq!(long, format!("{short}, {warps}, {}, {merges}", tiles(50)));
    // Rows of a known length take no kernel of longer ones.
    let rows = |longest| {
        let problem =
            Problem { n: 100 * longest, segments: 100, longest, absolute_positions: false };
        spec.launches(problem, DEVICE).len()
    };
    assert_eq!([1, 32, 512, 4096, 4097, 8193].map(rows), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn scratch_has_a_second_array_only_where_runs_are_merged() {
    let spec = spec("segmented_merge_sort_u64_index_b64_i2_asc");
    let problem = |n, segments| Problem { n, segments, longest: n, absolute_positions: false };
    let scratch = |n, segments| spec.scratch(problem(n, segments));
    let Scratch { workspace, zeroed, keys, values } = scratch(128, 1000);
    assert_eq!((workspace, zeroed, keys, values), (48 + 24 * (64 + 16 + 4 + 2 + 2), 48, 0, 0));
    let Scratch { keys, values, .. } = scratch(129, 3);
    assert_eq!((keys, values), (129 * 8, 129 * 4));
    let rows = Problem { n: 1280, segments: 10, longest: 128, absolute_positions: false };
    assert_eq!(spec.scratch(rows).keys, 0);
}

#[test]
fn every_type_has_a_header() {
    for key in KeyType::ALL {
        let spec = SegmentSpec::of(*key, ValueType::Index, Order::Descending, true);
        let text = header(&spec).expect("it renders");
        assert!(text.contains(&format!("{spec}_merge(")), "{}", key.token());
    }
}
