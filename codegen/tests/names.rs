//! Names say all of a spec, in one way only.

mod common;

use common::any_spec;
use proptest::prelude::*;
use sortsmith_codegen::{NameError, SortSpec};

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_name_leads_back_to_its_spec(spec in any_spec()) {
        let name = spec.to_string();
        prop_assert_eq!(name.parse::<SortSpec>(), Ok(spec));
        prop_assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'), "{}", name);
    }

    #[test]
    fn a_changed_name_is_refused_or_says_another_spec(
        spec in any_spec(),
        at in any::<prop::sample::Index>(),
        change in 0..4,
        letter in "[a-z0-9_+ -]",
    ) {
        let name = spec.to_string();
        let at = at.index(name.len());
        let changed = match change {
            0 => format!("{}{letter}{}", &name[..at], &name[at..]),
            1 => format!("{}{letter}{}", &name[..at], &name[at + 1..]),
            2 => format!("{}{}", &name[..at], &name[at + 1..]),
            _ => name[..at].to_owned(),
        };
        if let Ok(other) = changed.parse::<SortSpec>() {
            prop_assert_eq!(other.to_string(), changed);
        }
    }

    #[test]
    fn words_in_another_order_are_refused_or_say_another_spec(
        spec in any_spec(),
        from in any::<prop::sample::Index>(),
        to in any::<prop::sample::Index>(),
    ) {
        let name = spec.to_string();
        let mut words: Vec<&str> = name.split('_').collect();
        let (from, to) = (from.index(words.len()), to.index(words.len()));
        words.swap(from, to);
        let swapped = words.join("_");
        // It may be the name of another spec: u8 and u16 can be key and value either way.
        if let Ok(other) = swapped.parse::<SortSpec>() {
            prop_assert_eq!(other == spec, swapped == name);
            prop_assert_eq!(other.to_string(), swapped);
        }
    }
}

#[test]
fn malformed_names_say_which_part() {
    let cases = [
        ("", "begins with one of"),
        ("block_radix_sort", "begins with one of"),
        ("block_radix_sort_", "a known key"),
        ("block_radix_sort_f33_keys_b256_i8_r6_asc", "`f33` is not a known key"),
        ("block_radix_sort_f32_none_b256_i8_r6_asc", "`none` is not a known value"),
        ("block_radix_sort_f32_keys_w32_i8_r6_asc", "`w32` is not b and the block"),
        ("block_radix_sort_f32_keys_b2x2x2x2_i8_r6_asc", "`b2x2x2x2` is not b and the block"),
        ("block_radix_sort_f32_keys_bx8_i8_r6_asc", "`bx8` is not b and the block"),
        ("block_radix_sort_f32_keys_b256_8_r6_asc", "`8` is not i and the items"),
        ("block_radix_sort_f32_keys_b256_i_r6_asc", "`i` is not i and the items"),
        ("block_radix_sort_f32_keys_b256_i99999999999_r6_asc", "is not i and the items"),
        ("block_radix_sort_f32_keys_b256_i8_asc", "`asc` is not r and the radix bits"),
        ("block_radix_sort_f32_keys_b256_i8_r6", "`` is not a known order"),
        ("block_radix_sort_f32_keys_b256_i8_r6_asc_stable", "`stable` is not an option"),
        ("block_radix_sort_f32_keys_b256_i8_r6_asc_match_nomemo", "`nomemo` is not an option"),
        ("block_radix_sort_f32_keys_b256_i8_r6_asc_raking_nomemo", "`nomemo` is not an option"),
        ("block_radix_sort_f32_keys_b256_i8_r6_asc_bits0", "`bits0` is not bits<begin>to<end>"),
        ("block_radix_sort_f32_keys_b256_i8_r6_asc_", "`` is not an option"),
        ("block_radix_sort_f32_keys_b256_i8_r6_ASC", "`ASC` is not a known order"),
        ("warp_bitonic_sort_f32_keys_b32_i4_asc", "`b32` is not w and the lanes"),
    ];
    for (name, expected) in cases {
        let error = name.parse::<SortSpec>().unwrap_err();
        assert!(matches!(error, NameError::Malformed { .. }), "{name}: {error}");
        assert!(error.to_string().contains(expected), "{name}: {error}");
    }
}

#[test]
fn other_spellings_are_refused_with_the_right_one() {
    let canonical = "block_radix_sort_f32_keys_b256_i8_r6_asc";
    for name in [
        "block_radix_sort_f32_keys_b0256_i8_r6_asc",
        "block_radix_sort_f32_keys_b256x1_i8_r6_asc",
        "block_radix_sort_f32_keys_b256x1x1_i8_r6_asc",
        "block_radix_sort_f32_keys_b256_i08_r6_asc",
    ] {
        let error = name.parse::<SortSpec>().unwrap_err();
        assert!(
            matches!(&error, NameError::NotCanonical { canonical: it, .. } if it == canonical),
            "{error}"
        );
    }
}

#[test]
fn names_of_illegal_specs_say_the_field() {
    for (name, field) in [
        ("block_radix_sort_f32_keys_b256_i0_r6_asc", "items = 0"),
        ("block_radix_sort_f32_keys_b256_i65_r6_asc", "items = 65"),
        ("block_radix_sort_f32_keys_b256_i8_r9_asc", "radix bits = 9"),
        ("block_radix_sort_f32_keys_b7x200_i8_r6_asc", "block = 7x200"),
        ("block_radix_sort_f32_keys_b100_i8_r6_asc_match", "block = 100"),
        ("block_radix_sort_f32_keys_b256_i8_r6_asc_bits0to33", "bits = 0..33"),
        ("block_radix_sort_u128_u32_b1024_i64_r6_asc", "shared memory"),
        ("warp_bitonic_sort_f32_keys_w33_i8_asc", "lanes = 33"),
        ("warp_bitonic_sort_f32_keys_w32_i33_asc", "items = 33"),
        ("warp_bitonic_sort_f32_keys_w32_i8_asc_inwarpstriped", "legal: blocked or striped"),
    ] {
        let error = name.parse::<SortSpec>().unwrap_err();
        assert!(matches!(error, NameError::Invalid { .. }), "{error}");
        assert!(error.to_string().contains(field), "{error}");
    }
}
