//! `--algorithm auto`: what `emit` makes and says, what matrix files make, and what `explain` says of a choice.
#![allow(clippy::unwrap_used)] // in the helpers, too

mod common;

use std::fs;

use common::{command, error_of, good, run_in, sortsmith, text};
use serde_json::Value;

const PAIRS: &str = "--algorithm auto --key f32 --value u32 --block 256 --items 16";
const NETWORK: &str = "block_bitonic_sort_f32_u32_b256_i16_asc_stable";

/// The header's own name, from its first line, and what stderr says.
fn emitted(words: &str) -> (String, String) {
    let output = sortsmith(format!("emit {words} --stdout").split_whitespace());
    let said = text(&output.stderr);
    let header = good(output);
    (header.lines().next().unwrap().trim_start_matches("// ").to_owned(), said)
}

/// What `explain` prints without a compiler.
fn explained(words: &str) -> String {
    let mut command = command(format!("explain {words}").split_whitespace());
    good(command.env("SORTSMITH_CUDA", "none").output().unwrap())
}

#[test]
fn the_header_is_that_of_the_chosen_spec_and_one_line_says_which_and_why() {
    let (name, said) = emitted(&format!("{PAIRS} --stable"));
    assert_eq!(name, NETWORK);
    assert_eq!(
        said,
        "chosen: block_bitonic_sort_f32_u32_b256_i16_asc_stable: 103.4 Gkeys/s of f32_u32 in 256x16 (NVIDIA H200, 2026-11-23), \
         1.79 times CUB's best; next: merges with 69.3\n"
    );
    let dir = tempfile::tempdir().unwrap();
    let output = run_in(dir.path(), &format!("emit {PAIRS} --stable --tile-kernel --out DIR"));
    assert!(output.status.success() && text(&output.stderr).ends_with(&said), "{output:?}");
    let header = fs::read_to_string(dir.path().join(format!("{NETWORK}.cuh"))).unwrap();
    // Made again by its own name, it is the same, and nothing was chosen.
    let again = sortsmith(["emit", "--name", NETWORK, "--tile-kernel", "--stdout"]);
    assert_eq!(text(&again.stderr), "");
    assert_eq!(good(again), header);
}

#[test]
fn every_axis_of_what_is_sorted_goes_with_it() {
    let name = |words: &str| emitted(&format!("--algorithm auto {words}")).0;
    for (words, expected) in [
        ("--key u32 --block 128 --items 8", "block_bitonic_sort_u32_keys_b128_i8_asc"),
        (
            "--key i8 --block 256 --items 16",
            "block_radix_sort_i8_keys_b256_i16_r8_asc_match_bits0to8",
        ),
        (
            "--key u64 --value u128 --block 16x16 --items 16 --order desc --input striped --output striped",
            "block_merge_sort_u64_u128_b16x16_i16_desc_instriped_outstriped",
        ),
        (
            "--key u16 --block 512 --items 16 --bits 4..12",
            "block_radix_sort_u16_keys_b512_i16_r8_asc_match_bits4to12",
        ),
        (
            "--key f16 --block 128 --items 4 --bits all",
            "block_radix_sort_f16_keys_b128_i4_r6_asc_match",
        ),
        (
            "--key f32 --value index --block 128 --items 4 --stable",
            "block_bitonic_sort_f32_index_b128_i4_asc_stable",
        ),
    ] {
        assert_eq!(name(words), expected, "{words}");
    }
}

#[test]
fn the_architecture_decides_what_fits() {
    let of = |arch: &str| {
        let sort = "--key u32 --value index --block 512 --items 12 --stable";
        emitted(&format!("--algorithm auto {sort} --arch {arch}")).0
    };
    assert_eq!(of("sm_90"), "block_bitonic_sort_u32_index_b512_i12_asc_stable");
    assert!(of("sm_75").starts_with("block_radix_sort_u32_index_b512_i12_r"), "{}", of("sm_75"));
}

#[test]
fn a_matrix_may_leave_the_algorithm_to_the_figures() {
    let dir = tempfile::tempdir().unwrap();
    let matrix = "[[sorts]]\nalgorithm = ['auto', 'block-merge']\nkey = ['f32', 'u64']\nvalue = 'u32'\nblock = 256\n\
                  items = [4, 16]\n[[sorts]]\nalgorithm = 'auto'\nkey = 'u8'\nblock = 1024\nitems = [4, 64]\n\
                  stable = true\nbits = '0..4'\narch = ['sm_75', 'sm_90']\nskip_illegal = true\n";
    fs::write(dir.path().join("matrix.toml"), matrix).unwrap();
    let list = good(run_in(dir.path(), "list --matrix DIR/matrix.toml"));
    let names: Vec<&str> = list.lines().collect();
    let expected = [
        "block_bitonic_sort_f32_u32_b256_i4_asc_stable",
        "block_bitonic_sort_f32_u32_b256_i16_asc_stable",
        "block_bitonic_sort_u64_u32_b256_i4_asc",
        "block_merge_sort_u64_u32_b256_i16_asc",
        "block_merge_sort_f32_u32_b256_i4_asc",
        "block_merge_sort_f32_u32_b256_i16_asc",
        "block_merge_sort_u64_u32_b256_i4_asc",
    ];
    assert_eq!(names[..7], expected);
    let others = &names[7..];
    assert!(others.iter().all(|it| it.starts_with("block_radix_sort_u8_keys_b1024_i")), "{list}");
    assert!(others.iter().all(|it| it.contains("_r4_asc") && it.ends_with("_bits0to4")), "{list}");
    let emit = run_in(dir.path(), "emit --matrix DIR/matrix.toml --out DIR/out");
    let said = text(&emit.stderr);
    assert_eq!(
        said.lines().filter(|line| line.starts_with("chosen: block_")).count(),
        4 + others.len()
    );
    good(emit);
    let check = run_in(dir.path(), "emit --matrix DIR/matrix.toml --out DIR/out --check");
    assert_eq!(text(&check.stderr), "");
    good(check);
}

#[test]
fn an_explanation_has_candidates_figures_and_the_rule() {
    let said = explained(&format!("{PAIRS} --stable"));
    for words in [
        "auto: f32 and u32, block 256, items 16, asc, stable; blocked in, blocked out; on sm_90\n",
        "  chosen     block_bitonic_sort_f32_u32_b256_i16_asc_stable: 103.4 Gkeys/s, 1.79 times CUB's best\n",
        "  rule       the fastest\n",
        "  measured   f32_u32 in 256x16 on an NVIDIA H200 (sm_90), 2026-11-23; CUB's best 57.7\n",
        "               67.0  block_radix_sort_f32_u32_b256_i16_r8_asc_match: ballots of 8 bits\n",
        "  ruled out    64.7  network: a stable sort is requested, which it is not\n",
        // And what the chosen sort does.
        "\nblock_bitonic_sort_f32_u32_b256_i16_asc_stable\n  sorts      f32 keys (4 bytes) with values of 4 bytes",
    ] {
        assert!(said.contains(words), "{words}\n{said}");
    }
    let said =
        explained("--algorithm auto --key u64 --block 100 --items 6 --bits 0..45 --arch sm_86");
    for words in [
        "by bits 0..45; blocked in, blocked out; on sm_86",
        "rule       the fastest but for what cannot be chosen: not the network, for a range of bits is requested",
        "u64_keys in 128x8 on an NVIDIA H200 (sm_90), 2026-11-23, the nearest to the request",
        "packed ranks of 5 bits, 32.1 in 13 passes and not 9\n",
        "ballots of 8 bits: block = 100 is not legal; legal: a multiple of 32 threads",
        "on sm_86   fits: ",
    ] {
        assert!(said.contains(words), "{words}\n{said}");
    }
}

#[test]
fn an_explanation_as_json_has_the_choice_beside_the_spec() {
    let report: Value =
        serde_json::from_str(&explained(&format!("{PAIRS} --order desc --json"))).unwrap();
    let choice = &report["choice"];
    assert_eq!(report["name"], "block_bitonic_sort_f32_u32_b256_i16_desc_stable");
    assert_eq!(choice["chosen"]["spec"], report["name"]);
    assert_eq!(choice["chosen"]["gkeys"], 103.42);
    assert_eq!(
        (&choice["measured"]["types"], &choice["measured"]["is_nearest"]),
        (&"f32_u32".into(), &false.into())
    );
    assert_eq!(choice["others"].as_array().unwrap().len(), 9);
    // A spec that has a name was not chosen; axes that name an algorithm are explained alike.
    let named: Value = serde_json::from_str(&explained(&format!("{NETWORK} --json"))).unwrap();
    assert_eq!(named["choice"], Value::Null);
    let axes = PAIRS.replace("auto", "block-bitonic") + " --stable";
    assert_eq!(explained(&axes), explained(NETWORK));
}

#[test]
fn what_cannot_be_chosen_is_refused_in_one_line() {
    let refused = |words: &str| error_of(&sortsmith(words.split_whitespace()), 2);
    let auto = |words: &str| refused(&format!("emit --algorithm auto {words} --stdout"));
    for (words, expected) in [
        ("--block 64 --items 4", "axis `key` has no value; every auto sort needs one"),
        ("--key u8 --items 4", "axis `block` has no value; every auto sort needs one"),
        ("--key u8 --block 64 --items 65", "items = 65 is not legal; legal: 1 to 64"),
        ("--key u8 --block 2048 --items 4", "block = 2048 is not legal; legal: 1 to 1024 threads"),
        (
            "--key u8 --block 64 --items 4 --bits 0..9",
            "bits = 0..9 is not legal; legal: begin < end <= 8",
        ),
        (
            "--key u8 --block 48 --items 4 --input warpstriped",
            "input arrangement = warpstriped is not legal; legal: blocked or striped",
        ),
        (
            "--key u128 --block 1024 --items 16 --arch sm_86",
            "bytes is not legal; legal: at most 101376 bytes on sm_86: fewer items or threads",
        ),
        (
            "--key u8 --block 64 --items 4 --arch sm_91",
            "architecture `sm_91` is unknown; legal: sm_70",
        ),
        (
            "--key u8 --block 64 --items 4 --rank match",
            "axis `rank` means nothing to auto; legal: algorithm, key",
        ),
        ("--key u8 --block 64 --items 4 --radix-bits 4", "axis `radix_bits` means nothing to auto"),
        ("--key u8 --block 64 --items 4 --lanes 8", "axis `lanes` means nothing to auto"),
    ] {
        let error = auto(words);
        assert!(error.contains(expected), "{words}\n  says: {error}\n  not:  {expected}");
    }
    let explain = |words: &str| refused(&format!("explain {words}"));
    for (words, expected) in [
        ("", "no spec is given; legal: a name, or --algorithm and its axes"),
        ("--key u8", "no spec is given"),
        (
            &format!("{NETWORK} --key u8"),
            "--key is given beside block_bitonic_sort_f32_u32_b256_i16_asc_stable",
        ),
        (&format!("{PAIRS} --order both"), "2 specs are given, by --order both; legal: one"),
        (&format!("{PAIRS} --n 100"), "--n is given without a name; legal: with device-wide sorts"),
        (&format!("{NETWORK} --bits 0..4"), "--bits is given with block_bitonic_sort"),
    ] {
        let error = explain(words);
        assert!(error.contains(expected), "{words}\n  says: {error}\n  not:  {expected}");
    }
    let with_arch =
        refused(&format!("emit {} --arch sm_86 --stdout", PAIRS.replace("auto", "block-merge")));
    assert!(with_arch.contains("axis `arch` means nothing to block-merge"), "{with_arch}");
}

#[test]
fn a_sort_of_rows_is_chosen_by_their_columns() {
    let explain = |words: &str| sortsmith(format!("explain {words}").split_whitespace());
    let rows = good(explain("--key f32 --value u32 --columns 100"));
    assert!(
        rows.starts_with("rows of 100 columns of f32 and u32, asc, stable; on sm_90\n"),
        "{rows}"
    );
    assert!(
        rows.contains("chosen     block_bitonic_sort_f32_u32_b32_i4_asc_stable_rows\n"),
        "{rows}"
    );
    let json = good(explain("--key f32 --value u32 --columns 1000 --order desc --json"));
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["rows"]["chosen"]["spec"], json["name"]);
    assert_eq!(json["name"], "block_bitonic_sort_f32_u32_b64_i16_desc_stable");
    let long = good(explain("--key f32 --value u32 --columns 100000"));
    let name = "device_sample_sort_f32_u32_b512_i8_asc_rows";
    assert!(long.contains(&format!("chosen     {name}\n")), "{long}");
    assert!(
        long.contains("for each row of 100000 items on 132 multiprocessors: 3 kernels"),
        "{long}"
    );
    for (words, error) in [
        ("--columns 7", "--columns is given without --key; legal: both"),
        ("--key u32 --columns 7 --block 32", "--block is given with --columns"),
        (
            "--key u32 --columns 2000000",
            "--columns 2000000 is more than any sort of rows of such keys on sm_90 holds; legal: 0 to 1048576",
        ),
        (NETWORK, "--columns is given beside block_bitonic_sort"),
    ] {
        let words =
            if words == NETWORK { format!("{NETWORK} --columns 7") } else { words.to_owned() };
        let found = error_of(&explain(&words), 2);
        assert!(found.contains(error), "{found}");
    }
}
