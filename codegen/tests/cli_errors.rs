//! A wrong request: one line on stderr that says what is wrong and what is legal, nothing on stdout, exit code 2.
#![allow(clippy::unwrap_used)] // in the helpers, too

mod common;

use std::fs;

use common::{error_of, run_in};
use sortsmith_codegen::device::DeviceSpec;

/// A radix sort of f32 in 256 × 16, with further words.
fn radix(words: &str) -> String {
    format!("emit --algorithm block-radix --key f32 --block 256 --items 16 --out DIR {words}")
}

fn refused(words: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let output = run_in(dir.path(), words);
    assert!(output.stdout.is_empty(), "{words}");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "{words} wrote a file");
    error_of(&output, 2)
}

#[track_caller]
fn assert_refused(words: &str, expected: &str) {
    let error = refused(words);
    assert!(error.contains(expected), "{words}\n  says: {error}\n  not:  {expected}");
}

#[test]
fn device_wide_sorts_that_are_not_legal() {
    let emit = |name: &str| format!("emit --name device_radix_sort_{name} --out DIR");
    assert_refused(&emit("u32_keys_b100_i8_asc"), "threads = 100 is not legal; legal: a multiple");
    assert_refused(&emit("u32_keys_b256_i8"), "`` does not fit device_<radix|sample|bitonic|");
    assert_refused(&emit("u32_keys_b256_i8_asc_nanlast"), "legal: for floats only");
    let sample = |name: &str| format!("emit --name device_sample_sort_{name} --out DIR");
    assert_refused(
        &sample("u32_keys_b96_i4_asc"),
        "threads = 96 is not legal; legal: a power of two from 32 to 1024",
    );
    assert_refused(&sample("f32_keys_b512_i4_asc_nanlast"), "nanlast = true is not legal");
    assert_refused(&sample("u32_keys_b512_i4_asc_wide"), "wide = true is not legal");
    assert_refused(&sample("u128_u128_b1024_i8_asc"), "tile = ");
    let network = |name: &str| format!("emit --name device_bitonic_sort_{name} --out DIR");
    assert_refused(&network("u32_keys_b32_i4_asc"), "legal: a power of two from 64 to 1024");
    assert_refused(
        &network("u32_keys_b64_i3_asc"),
        "items = 3 is not legal; legal: a power of two",
    );
    assert_refused(&network("u32_keys_b64_i4_asc_stable"), "stable = true is not legal");
    assert_refused(
        "explain device_bitonic_sort_u32_keys_b64_i4_asc --bits 0..8",
        "--bits = 0..8 is not legal",
    );
    let partition = |name: &str| format!("emit --name device_partition_sort_{name} --out DIR");
    assert_refused(&partition("u32_keys_b512_i16_asc"), "key = u32 is not legal; legal: u64");
    assert_refused(&partition("u64_keys_b512_i16_asc_wide"), "wide = true is not legal");
    assert_refused(
        "explain device_partition_sort_u64_keys_b512_i16_asc --bits 0..8",
        "--bits = 0..8 is not legal for device_partition_sort_u64_keys_b512_i16_asc; legal: all bits",
    );
    let with_tile = format!("{} --tile-kernel", emit("u32_keys_b256_i8_asc"));
    assert_refused(
        &with_tile,
        "--tile-kernel is given with device_radix_sort_u32_keys_b256_i8_asc",
    );
    let spec: DeviceSpec = "device_radix_sort_f32_u32_b384_i24_asc".parse().unwrap();
    assert_refused(
        &format!("compile {spec} --arch sm_75 --format cubin --out DIR/x"),
        &format!(
            "needs {} bytes of shared memory, and a block of sm_75 has at most 65536",
            spec.shared_bytes()
        ),
    );
}

#[test]
fn values_that_are_not_legal() {
    let spec = |key: &str, block: &str, items: &str| {
        format!(
            "emit --algorithm block-radix --key {key} --block {block} --items {items} --out DIR"
        )
    };
    assert_refused(&spec("f33", "256", "16"), "key `f33` is unknown; legal: u8, u16, u32");
    assert_refused(&spec("f32", "256", "0"), "items = 0 is not legal; legal: 1 to 64");
    assert_refused(&spec("f32", "256", "65"), "items = 65 is not legal; legal: 1 to 64");
    assert_refused(
        &spec("f32", "256", "-1"),
        "invalid value '-1' for '--items <N>': legal: a whole number",
    );
    assert_refused(
        &spec("f32", "256", "many"),
        "invalid value 'many' for '--items <N>': legal: a whole number",
    );
    assert_refused(&spec("f32", "0", "16"), "block = 0 is not legal; legal: 1 to 1024 threads");
    assert_refused(
        &spec("f32", "1025", "16"),
        "block = 1025 is not legal; legal: 1 to 1024 threads",
    );
    assert_refused(
        &spec("f32", "7x200", "16"),
        "block = 7x200 is not legal; legal: 1 to 1024 threads",
    );
    assert_refused(
        &spec("f32", "7by200", "16"),
        "block `7by200` is unknown; legal: X, XxY or XxYxZ",
    );
    assert_refused(&spec("u128", "1024", "64"), "shared memory = ");
    assert_refused(&radix("--radix-bits 0"), "radix bits = 0 is not legal; legal: 1 to 8");
    assert_refused(&radix("--radix-bits 9"), "radix bits = 9 is not legal; legal: 1 to 8");
    assert_refused(
        &radix("--bits 4..40"),
        "bits = 4..40 is not legal; legal: begin < end <= 32 for f32 keys",
    );
    assert_refused(&radix("--bits 4-40"), "bits `4-40` is unknown; legal: BEGIN..END");
    assert_refused(&radix("--value f32"), "value `f32` is unknown; legal: keys, u8");
    assert_refused(
        &radix("--rank radix"),
        "rank `radix` is unknown; legal: packed, match, match-masks",
    );
    assert_refused(
        &radix("--order up"),
        "invalid value 'up' for '--order <ORDER>' [possible values: asc, desc, both]",
    );
    assert_refused(
        &radix("--output warpstriped"),
        "output arrangement = warpstriped is not legal; legal: blocked",
    );
}

#[test]
fn axes_that_mean_nothing() {
    assert_refused(
        &radix("--lanes 32"),
        "axis `lanes` means nothing to block-radix; legal: algorithm, key",
    );
    assert_refused(&radix("--stable"), "axis `stable` means nothing to block-radix");
    assert_refused(
        &radix("--rank match --inner-scan raking"),
        "axis `inner_scan` means nothing to rank match",
    );
    assert_refused(
        &radix("--rank match --no-memoize"),
        "axis `memoize` means nothing to rank match",
    );
    assert_refused(
        &radix("--name block_radix_sort_f32_keys_b256_i8_r6_asc"),
        "is given beside --name",
    );
    assert_refused(&radix("--matrix default"), "is given beside --matrix");
}

#[test]
fn what_is_missing() {
    assert_refused(
        "emit --out DIR",
        "no spec is given; legal: --algorithm and its axes, --name or --matrix",
    );
    assert_refused(
        "emit --algorithm block-radix --block 8 --items 4 --out DIR",
        "axis `key` has no value",
    );
    assert_refused(
        "emit --algorithm block-radix --key u8 --items 4 --out DIR",
        "axis `block` has no value",
    );
    assert_refused(
        "emit --algorithm block-radix --key u8 --block 8 --out DIR",
        "axis `items` has no value",
    );
    assert_refused("emit --matrix default", "nowhere to write to; legal: --out DIR or --stdout");
}

#[test]
fn what_is_unknown() {
    assert_refused(
        "sort",
        "unrecognized subcommand 'sort'; legal: emit, list, explain, compile, cache, env, tune, cmake, completions, man",
    );
    assert_refused("emit --colour red", "unexpected argument '--colour' found");
    assert_refused(
        "emit --name bubble_sort --out DIR",
        "name `bubble_sort`: `bubble_sort` is not a name that begins with",
    );
    assert_refused("explain bubble_sort", "name `bubble_sort`");
    assert_refused(
        "explain block_radix_sort_u8_keys_b032_i1_r4_asc",
        "that spec is `block_radix_sort_u8_keys_b32_i1_r4_asc`",
    );
    assert_refused(
        "explain block_radix_sort_u8_keys_b32_i1_r4_asc --arch sm_91",
        "architecture `sm_91` is unknown; legal: sm_70",
    );
}

#[test]
fn what_the_facade_does_not_make() {
    let error =
        refused("emit --facade cub --name block_radix_sort_u32_index_b32_i4_r4_asc --out DIR");
    assert!(error.contains("cannot be in the facade"), "{error}");
    assert_refused(
        "emit --facade cub --name block_radix_sort_u32_keys_b32_i4_r4_asc --stdout",
        "--facade cub is given with --stdout, but stands beside its headers; legal: --out DIR",
    );
}

#[test]
fn what_the_facade_of_device_wide_sorts_does_not_take() {
    for (words, error) in [
        (
            "",
            "--facade cub-device is given without --key; legal: --key, --value, --order and --arch",
        ),
        ("--key u32 --value index", "value = index is not legal in a facade of sorts of arrays"),
        ("--key u32 --block 256", "--block is given with --facade cub-device; legal: --key"),
        (
            "--key u32 --radix-bits 8",
            "--radix-bits is given with --facade cub-device; legal: --key",
        ),
        ("--key u32 --tile-kernel", "--tile-kernel is given with --facade cub-device"),
        ("--name gather_b12_w4", "--name is given with --facade cub-device; legal: --key"),
    ] {
        assert_refused(&format!("emit --facade cub-device --out DIR {words}"), error);
    }
    let error = refused("emit --facade cub-device --key u32 --value index --out DIR");
    assert!(error.ends_with("legal: keys, u8, u16, u32, u64, u128"), "{error}");
}

#[test]
fn what_the_facade_of_sorts_of_segments_does_not_take() {
    for (words, error) in [
        ("", "--facade cub-segmented is given without --key; legal: --key, --value and --order"),
        ("--key u32 --arch sm_80", "--arch is given with --facade cub-segmented; legal: --key"),
        ("--key u32 --items 4", "--items is given with --facade cub-segmented; legal: --key"),
        ("--key u32 --rows-kernel", "--rows-kernel is given with --facade cub-segmented"),
        ("--key u32 --value index", "value = index is not legal in a facade of sorts of arrays"),
        ("--key u32+f32", "key = u32f32 is not legal; legal: a key that is no struct"),
    ] {
        assert_refused(&format!("emit --facade cub-segmented --out DIR {words}"), error);
    }
}

#[test]
fn what_the_facade_of_top_ks_does_not_take() {
    for (words, error) in [
        ("", "--facade cub-topk is given without --key; legal: --key, --value and --order"),
        ("--key u32 --arch sm_80", "--arch is given with --facade cub-topk; legal: --key"),
        ("--key u32+f32", "key = u32f32 is not legal; legal: a key that is no struct"),
    ] {
        assert_refused(&format!("emit --facade cub-topk --out DIR {words}"), error);
    }
    let error = "facade `DeviceTopK` is unknown; legal: cub, cub-device, cub-segmented, cub-topk, cub-rows; here it is cub-topk";
    assert_refused("emit --facade DeviceTopK --key u32 --out DIR", error);
}

#[test]
fn what_the_facade_of_sorts_of_rows_does_not_take() {
    for (words, error) in [
        ("", "--facade cub-rows is given without --key; legal: --key, --value, --order and --arch"),
        ("--key u32 --items 4", "--items is given with --facade cub-rows; legal: --key"),
        ("--key u32 --rows-kernel", "--rows-kernel is given with --facade cub-rows; legal: --key"),
        ("--key u32+f32", "key = u32f32 is not legal; legal: a key that is no struct"),
    ] {
        assert_refused(&format!("emit --facade cub-rows --out DIR {words}"), error);
    }
    let error = "facade `DeviceRows` is unknown; legal: cub, cub-device, cub-segmented, cub-topk, cub-rows; here it is cub-rows";
    assert_refused("emit --facade DeviceRows --key u32 --out DIR", error);
}

#[test]
fn a_kernel_too_large_for_its_architecture() {
    let name = "block_radix_sort_u32_u32_b1024_i16_r6_asc";
    for format in ["ptx", "cubin"] {
        let error =
            refused(&format!("compile {name} --arch sm_75 --format {format} --out DIR/kernel"));
        assert!(
            error.contains(name) && error.contains("a block of sm_75 has at most 65536"),
            "{error}"
        );
        assert!(error.contains("legal: sm_80, "), "{error}");
    }
}

#[test]
fn a_folder_that_cannot_be_written() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file"), "").unwrap();
    for words in [
        "emit --name block_radix_sort_f32_keys_b256_i8_r6_asc --out DIR/file",
        "emit --name block_radix_sort_f32_keys_b256_i8_r6_asc --out DIR/file/below",
        "emit --matrix default --out DIR/file/below",
    ] {
        let error = error_of(&run_in(dir.path(), words), 2);
        assert!(error.starts_with("cannot write ") && error.contains("file"), "{error}");
    }
}

/// A table of a matrix file.
const SORTS: &str = "[[sorts]]\nalgorithm = 'block-radix'\nkey = 'u32'\nblock = 64\nitems = 4\n";

#[test]
fn axes_and_values_that_a_matrix_does_not_have() {
    assert_matrices_refused(&[
        (
            format!("{SORTS}colour = 'red'\n"),
            "sorts table 1: axis `colour` is unknown; legal: algorithm, key, ",
        ),
        (
            format!("{SORTS}{SORTS}[[sorts]]\n"),
            "sorts table 3: axis `algorithm` has no value; legal: warp-bitonic",
        ),
        (
            format!("{SORTS}order = ['asc', 'up']\n"),
            "sorts table 1: order `up` is unknown; legal: asc, desc",
        ),
        (
            format!("{SORTS}order = []\n"),
            "sorts table 1: order `[]` is unknown; legal: at least one value",
        ),
        (
            format!("{SORTS}radix_bits = 'six'\n"),
            "radix_bits `\"six\"` is unknown; legal: a number",
        ),
        (format!("{SORTS}radix_bits = -1\n"), "radix_bits `-1` is unknown; legal: a number"),
        (format!("{SORTS}tile_kernel = 1\n"), "tile_kernel `1` is unknown; legal: true or false"),
        (
            format!("{SORTS}arch = 'sm_86'\n"),
            "sorts table 1: axis `arch` means nothing to block-radix",
        ),
        (
            SORTS.replace("block-radix", "auto") + "arch = 'sm_91'\n",
            "sorts table 1: architecture `sm_91` is unknown; legal: sm_70",
        ),
    ]);
}

#[test]
fn combinations_of_a_matrix_that_are_not_legal() {
    let illegal = SORTS.replace("items = 4", "items = [4, 65]");
    assert_matrices_refused(&[
        (
            illegal.clone(),
            "block-radix of u32 and keys, block 64, items 65, asc: items = 65 is not legal; legal: 1 to 64; skip_illegal = true",
        ),
        (
            illegal.replace("[4, 65]", "65") + "skip_illegal = true\n",
            "no combination is legal; the first one: items = 65",
        ),
        (
            illegal.replace("block-radix", "auto"),
            "auto of u32 and keys, block 64, items 65, asc: items = 65 is not legal; legal: 1 to 64; skip_illegal = true",
        ),
    ]);
}

#[test]
fn a_file_that_is_no_matrix() {
    assert_matrices_refused(&[
        (
            format!("threads = 3\n{SORTS}"),
            "`threads` is unknown; legal: one or more [[sorts]] tables",
        ),
        (String::new(), "there is no [[sorts]] table"),
        (format!("{SORTS}items = 5\n"), "line 6: duplicate key"),
        ("\n[[sorts]]\nkey = u32\n".to_owned(), "line 3: "),
    ]);
    let dir = tempfile::tempdir().unwrap();
    let error = error_of(&run_in(dir.path(), "list --matrix DIR/none.toml"), 2);
    assert!(error.contains("cannot read the matrix"), "{error}");
}

/// That `emit` and `list` name the file and say what is wrong with it.
fn assert_matrices_refused(cases: &[(String, &str)]) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("matrix.toml");
    for (text, expected) in cases {
        fs::write(&path, text).unwrap();
        for words in
            ["emit --matrix DIR/matrix.toml --out DIR/out", "list --matrix DIR/matrix.toml"]
        {
            let error = error_of(&run_in(dir.path(), words), 2);
            assert!(error.contains(expected), "{text}\n  says: {error}\n  not:  {expected}");
            assert!(error.contains("matrix.toml: "), "{error}");
        }
    }
}

#[test]
fn device_wide_sorts_refuse_illegal_flags() {
    let radix = "explain device_radix_sort_f32_u32_b384_i24_asc";
    assert_refused(&format!("{radix} --n 1073741824"), "legal: 0 to 1073741823");
    for number in ["1e", "e6", "2^64", "1e20", "2^", "1.5e6"] {
        assert_refused(&format!("{radix} --n {number}"), "legal: a whole number");
    }
    assert_refused(
        &format!("{radix} --n many"),
        "legal: a whole number, such as 1048576, 2^20 or 1e6",
    );
    assert_refused(
        &format!("{radix} --bits 0..33"),
        "--bits = 0..33 is not legal for device_radix_sort_f32_u32_b384_i24_asc; legal: begin <= end <= 32",
    );
    assert_refused("explain device_radix_sort_u33_keys_b256_i8_asc", "`u33` does not fit");
    assert_refused("explain gather_b12_w8", "word = 8 is not legal");
    assert_refused("explain gather_b12_w4 --bits 0..3", "--bits is given with gather_b12_w4");
    assert_refused(
        "explain gather_b12_w4 --multiprocessors 78",
        "--multiprocessors is given with gather_b12_w4; legal: with sorts",
    );
    assert_refused(
        "explain segmented_merge_sort_u32_keys_b64_i4_asc --bits 0..3",
        "--bits is given with segmented_merge_sort_u32_keys_b64_i4_asc; legal: with device-wide sorts",
    );
    assert_refused(
        "explain device_bitonic_sort_u32_keys_b512_i16_asc --bits 0..3",
        "--bits = 0..3 is not legal for device_bitonic_sort_u32_keys_b512_i16_asc; legal: all bits",
    );
    assert_refused(
        "explain device_partition_sort_u64_u32_b512_i16_asc --multiprocessors 0",
        "--multiprocessors = 0 is not legal for device_partition_sort_u64_u32_b512_i16_asc; legal: 1 or more",
    );
    assert_refused(
        "explain segmented_merge_sort_u32_keys_b64_i4_asc --n 18446744073709551615",
        "legal: 0 to 72057594037927936",
    );
    assert_refused("explain block_top_k_f32_b48_i8_asc", "block = 48 is not legal");
    assert_refused("explain binned_argsort_u32_b256_i8_r8", "block = 256 is not legal");
    assert_refused("explain binned_argsort_u8_b64_i8_r5 --n 4294967296", "legal: 0 to 4294967295");
    assert_refused("explain block_top_k_f32_b64_i8_asc --n 4294967297", "legal: 0 to 4294967296");
    assert_refused(
        "explain warp_top_k_f32_i4_k256_asc",
        "k = 256 is not legal; legal: 8, 16, 32, 64, 128",
    );
    assert_refused("explain warp_top_k_f32_i4_k16_asc --n 129", "legal: 0 to 128");
    assert_refused(
        "explain block_radix_sort_u8_keys_b32_i1_r4_asc --n 100",
        "--n is given with block_radix_sort_u8_keys_b32_i1_r4_asc; legal: with device-wide sorts",
    );
    assert_refused(
        "list --arch sm_90",
        "legal: with --algorithm device-radix, device-sample, device-bitonic",
    );
    assert_refused(
        "list --algorithm device-radix --matrix sorts.toml",
        "--matrix sorts.toml is given with device-radix",
    );
    assert_refused("list --algorithm device", "legal: warp-bitonic, block-bitonic");
}
