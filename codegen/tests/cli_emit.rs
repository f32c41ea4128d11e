//! What `sortsmith emit` leaves in a folder, and what `--check` says of one.
#![allow(clippy::unwrap_used)] // in the helpers, too

mod common;

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use common::{error_of, good, run_in, text};

const ASC: &str = "block_radix_sort_u32_keys_b64_i4_r4_asc";
const DESC: &str = "block_radix_sort_u32_keys_b64_i4_r4_desc";
const BOTH: &str =
    "emit --algorithm block-radix --key u32 --block 64 --items 4 --order both --out DIR";
const MATRIX: &str = "
[[sorts]]
algorithm = 'block-radix'
key = ['u32', 'f32']
block = 64
items = [4, 8]

[[sorts]]
algorithm = 'block-radix'
key = 'u32'
block = 64
items = 4
tile_kernel = true
";

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A folder for headers, and beside it a matrix file.
fn with_matrix(matrix: &str) -> (tempfile::TempDir, impl Fn(&str) -> std::process::Output) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("matrix.toml"), matrix).unwrap();
    let path = dir.path().to_owned();
    (dir, move |words: &str| {
        run_in(&path, &format!("emit --matrix DIR/matrix.toml --out DIR/out {words}"))
    })
}

#[test]
fn a_spec_by_its_axes_is_the_spec_by_its_name() {
    let dir = tempfile::tempdir().unwrap();
    good(run_in(dir.path(), BOTH));
    assert_eq!(names(dir.path()), [format!("{ASC}.cuh"), format!("{DESC}.cuh")]);
    let header = fs::read_to_string(dir.path().join(format!("{ASC}.cuh"))).unwrap();
    assert_eq!(good(run_in(dir.path(), &format!("emit --name {ASC} --stdout"))), header);
}

#[test]
fn device_wide_sorts_are_emitted_by_name_beside_others() {
    const DEVICE: &str = "device_radix_sort_f32_u32_b384_i24_asc";
    let dir = tempfile::tempdir().unwrap();
    let both = format!("emit --name {DEVICE} --name {ASC} --out DIR");
    good(run_in(dir.path(), &both));
    assert_eq!(names(dir.path()), [format!("{ASC}.cuh"), format!("{DEVICE}.cuh")]);
    good(run_in(dir.path(), &format!("{both} --check")));
    let path = dir.path().join(format!("{DEVICE}.cuh"));
    let header = fs::read_to_string(&path).unwrap();
    assert!(header.contains(&format!("{DEVICE}_pass(")));
    let command = header.lines().find_map(|line| line.strip_prefix("//   sortsmith ")).unwrap();
    fs::remove_file(&path).unwrap();
    good(run_in(dir.path(), &command.replace("--out .", "--out DIR")));
    assert_eq!(fs::read_to_string(&path).unwrap(), header);
    for name in names(dir.path()) {
        fs::write(dir.path().join(name), "not ours").unwrap();
    }
    assert!(error_of(&run_in(dir.path(), &both), 2).contains("not made by sortsmith"));
}

/// A header says the command that makes it again, and the command does.
#[test]
fn the_command_in_a_header_makes_it_again() {
    const GATHER: &str = "gather_b12_w4";
    for (name, words) in [(ASC, ""), (ASC, " --tile-kernel"), (GATHER, "")] {
        let dir = tempfile::tempdir().unwrap();
        let header = good(run_in(dir.path(), &format!("emit --name {name} --stdout{words}")));
        let command = header.lines().find_map(|line| line.strip_prefix("//   sortsmith ")).unwrap();
        good(run_in(dir.path(), &command.replace("--out .", "--out DIR")));
        let again = fs::read_to_string(dir.path().join(format!("{name}.cuh"))).unwrap();
        assert_eq!(again, header);
    }
}

#[test]
fn every_axis_has_a_flag() {
    let dir = tempfile::tempdir().unwrap();
    let names_of = |words: &str| {
        let text =
            good(run_in(dir.path(), &format!("emit --algorithm block-radix --stdout {words}")));
        text.lines().next().unwrap().trim_start_matches("// ").to_owned()
    };
    let cases = [
        (
            "--key f16 --value index --block 16x16 --items 3 --radix-bits 5 --order desc",
            "f16_index_b16x16_i3_r5_desc",
        ),
        (
            "--key i64 --block 8x4x2 --items 2 --no-memoize --inner-scan rakingmemo",
            "i64_keys_b8x4x2_i2_r4_asc_nomemo_rakingmemo",
        ),
        ("--key u8 --value u8 --block 33 --items 5", "u8_u8_b33_i5_r4_asc"),
        (
            "--key u32 --block 64 --items 2 --rank match --input warpstriped",
            "u32_keys_b64_i2_r8_asc_match_inwarpstriped",
        ),
        (
            "--key u32 --block 64 --items 2 --rank match-masks --output striped",
            "u32_keys_b64_i2_r6_asc_matchmasks_outstriped",
        ),
        (
            "--key u64 --block 64 --items 2 --bits 0..45 --input striped",
            "u64_keys_b64_i2_r4_asc_bits0to45_instriped",
        ),
        ("--key u64 --block 64 --items 2 --bits all", "u64_keys_b64_i2_r4_asc"),
    ];
    for (words, name) in cases {
        assert_eq!(names_of(words), format!("block_radix_sort_{name}"));
    }
}

#[test]
fn tile_kernels_are_there_on_request() {
    let dir = tempfile::tempdir().unwrap();
    let without = good(run_in(dir.path(), &format!("emit --name {ASC} --stdout")));
    let with = good(run_in(dir.path(), &format!("emit --name {ASC} --stdout --tile-kernel")));
    assert!(!without.contains("__global__") && with.contains(&format!("{ASC}_tile(")));
}

#[test]
fn kernels_of_rows_are_there_on_request() {
    let dir = tempfile::tempdir().unwrap();
    let with = good(run_in(dir.path(), &format!("emit --name {ASC} --stdout --rows-kernel")));
    assert!(with.contains(&format!("{ASC}_rows(")) && !with.contains(&format!("{ASC}_tile(")));
    assert!(with.contains(&format!("sortsmith emit --name {ASC} --rows-kernel --out .")));
}

#[test]
fn a_kernel_is_taken_out_of_a_header_by_force_alone() {
    let dir = tempfile::tempdir().unwrap();
    let emit = |flags: &str| run_in(dir.path(), &format!("emit --name {ASC} --out DIR {flags}"));
    let header = || fs::read_to_string(dir.path().join(format!("{ASC}.cuh"))).unwrap();
    for flag in ["--tile-kernel", "--rows-kernel"] {
        good(emit(&format!("{flag} --force")));
        let with = header();
        let error = error_of(&emit(""), 2);
        assert!(error.contains(&format!("takes out; legal: {flag}, or --force")), "{error}");
        assert_eq!(header(), with);
        // The same again, and one kernel more.
        good(emit(flag));
        good(emit("--tile-kernel --rows-kernel"));
        good(emit("--force"));
        assert!(!header().contains("__global__"));
    }
}

#[test]
fn flags_of_cub_and_numbers_with_exponents_are_taken() {
    let dir = tempfile::tempdir().unwrap();
    let words =
        "--algorithm block-radix --key u32 --order asc --block-threads 64 --items-per-thread 4";
    let by_flags = good(run_in(dir.path(), &format!("emit {words} --stdout")));
    assert_eq!(by_flags, good(run_in(dir.path(), &format!("emit --name {ASC} --stdout"))));
    let explain = |n: &str| good(run_in(dir.path(), &format!("explain --key u32 --columns {n}")));
    for (number, same) in [("1e3", "1000"), ("2^10", "1024"), ("3_000", "3e3")] {
        assert_eq!(explain(number), explain(same), "{number}");
    }
}

#[test]
fn a_matrix_makes_a_folder_with_umbrella_and_manifest() {
    let (dir, emit) = with_matrix(MATRIX);
    good(emit(""));
    let out = dir.path().join("out");
    assert_eq!(names(&out).len(), 4 + 2);
    let umbrella = fs::read_to_string(out.join("sortsmith.cuh")).unwrap();
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    let headers = manifest["headers"].as_array().unwrap();
    assert_eq!(headers.len(), 4);
    for header in headers {
        let file = header["file"].as_str().unwrap();
        assert!(umbrella.contains(&format!("#include \"{file}\"\n")));
        let text = fs::read_to_string(out.join(file)).unwrap();
        assert!(text.contains(&format!("kSharedBytes = {};", header["shared_bytes"])));
        let symbol = header["tile_kernel"].as_str();
        assert_eq!(text.contains("__global__"), symbol.is_some());
    }
    // The second table asks for the first one's first spec again, with its kernel.
    assert_eq!(headers[0]["name"], ASC);
    assert_eq!(headers[0]["tile_kernel"], format!("{ASC}_tile"));
    assert_eq!(headers[0]["passes"], 8);
    assert_eq!(headers[1]["tile_kernel"], serde_json::Value::Null);
}

#[test]
fn combinations_that_are_not_legal_are_left_out_on_request() {
    let matrix = MATRIX.replace("items = [4, 8]", "items = [4, 8, 65]\nskip_illegal = true");
    let (_dir, emit) = with_matrix(&matrix);
    good(emit(""));
}

#[test]
fn files_that_do_not_differ_are_not_written() {
    let (dir, emit) = with_matrix(MATRIX);
    good(emit(""));
    let out = dir.path().join("out");
    let long_ago = SystemTime::now() - Duration::from_secs(10_000);
    for name in names(&out) {
        fs::File::options()
            .write(true)
            .open(out.join(name))
            .unwrap()
            .set_modified(long_ago)
            .unwrap();
    }
    let stale = out.join(format!("{ASC}.cuh"));
    fs::write(&stale, fs::read_to_string(&stale).unwrap() + "\n").unwrap();
    let again = emit("");
    assert!(text(&again.stderr).contains("6 files, 1 written"), "{}", text(&again.stderr));
    let modified = |name: &str| fs::metadata(out.join(name)).unwrap().modified().unwrap();
    for name in names(&out) {
        let is_old = modified(&name) < SystemTime::now() - Duration::from_secs(9000);
        assert_eq!(is_old, name != format!("{ASC}.cuh"), "{name}");
    }
    good(emit("--check"));
}

#[test]
fn a_check_lists_what_differs_and_writes_nothing() {
    let (dir, emit) = with_matrix(MATRIX);
    let missing = emit("--check");
    let error = error_of(&missing, 1);
    assert!(error.contains(": 6 missing; run: sortsmith emit --matrix "), "{error}");
    assert!(!error.contains("--check"), "{error}");
    assert!(!dir.path().join("out").exists());

    good(emit(""));
    assert_eq!(good(emit("--check")), "");
    let out = dir.path().join("out");
    let changed = out.join(format!("{ASC}.cuh"));
    fs::write(&changed, fs::read_to_string(&changed).unwrap().replace("kBlockX", "kBlockWidth"))
        .unwrap();
    fs::remove_file(out.join("sortsmith.cuh")).unwrap();
    good(run_in(&out, &format!("emit --name {DESC} --out DIR")));
    fs::write(out.join("mine.cuh"), "// my own\n").unwrap();
    let before = names(&out);
    let check = emit("--check");
    let error = error_of(&check, 1);
    assert!(error.contains(": 1 stale, 1 missing, 1 left over; run: "), "{error}");
    let list = format!("stale      {ASC}.cuh\nmissing    sortsmith.cuh\nleft over  {DESC}.cuh\n");
    assert_eq!(text(&check.stdout), list);
    assert_eq!(names(&out), before);

    good(emit("--prune"));
    assert_eq!(good(emit("--check")), "");
    assert!(out.join("mine.cuh").exists() && !out.join(format!("{DESC}.cuh")).exists());
}

#[test]
fn a_single_header_has_no_folder_to_itself() {
    let dir = tempfile::tempdir().unwrap();
    good(run_in(dir.path(), BOTH));
    good(run_in(dir.path(), &format!("emit --name {ASC} --out DIR --check")));
}

#[test]
fn a_foreign_file_is_in_the_way_until_force() {
    let (dir, emit) = with_matrix(MATRIX);
    let out = dir.path().join("out");
    fs::create_dir(&out).unwrap();
    // A mark somewhere below the first comment makes no file ours.
    let foreign = "#pragma once\n// Made by sortsmith 0.1.0\n";
    for name in [format!("{ASC}.cuh"), "manifest.json".to_owned()] {
        fs::write(out.join(&name), foreign).unwrap();
        let error = error_of(&emit(""), 2);
        assert!(
            error.contains(&format!("{name} was not made by sortsmith"))
                && error.contains("--force"),
            "{error}"
        );
        assert_eq!(names(&out), [name.as_str()], "something was written");
        assert_eq!(fs::read_to_string(out.join(&name)).unwrap(), foreign);
        let check = emit("--check");
        assert!(error_of(&check, 1).contains(": 5 missing, 1 foreign; run: "));
        fs::remove_file(out.join(&name)).unwrap();
    }
    fs::write(out.join("manifest.json"), foreign).unwrap();
    good(emit("--force"));
    good(emit("--check"));
}

#[test]
fn a_facade_stands_beside_its_headers() {
    let dir = tempfile::tempdir().unwrap();
    good(run_in(dir.path(), &format!("{BOTH} --facade cub")));
    let facade = fs::read_to_string(dir.path().join("block_radix_sort.cuh")).unwrap();
    assert!(
        facade.contains(&format!("#include \"{ASC}.cuh\""))
            && facade.contains(&format!("#include \"{DESC}.cuh\""))
    );
    good(run_in(dir.path(), &format!("{BOTH} --facade cub --check")));
}

#[cfg(unix)]
#[test]
fn headers_are_files_like_any_other() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    good(run_in(dir.path(), BOTH));
    fs::write(dir.path().join("plain"), "").unwrap();
    let mode = |name: &str| fs::metadata(dir.path().join(name)).unwrap().permissions().mode();
    assert_eq!(mode(&format!("{ASC}.cuh")), mode("plain"));
}

/// One header has all of it, both orders unless one is given, and says the command that makes it again.
#[test]
fn a_facade_of_device_wide_sorts_is_one_header() {
    let dir = tempfile::tempdir().unwrap();
    let emit = "emit --facade cub-device --key u8";
    good(run_in(dir.path(), &format!("{emit} --out DIR")));
    assert_eq!(names(dir.path()), ["device_radix_sort.cuh"]);
    let path = dir.path().join("device_radix_sort.cuh");
    let header = fs::read_to_string(&path).unwrap();
    for part in
        ["struct DeviceRadixSort {", "u8_keys_b384_i32_asc_pass", "u8_keys_b384_i32_desc_pass"]
    {
        assert!(header.contains(part), "{part}");
    }
    assert!(!header.contains("#include") && !header.contains("extern \"C\""));
    good(run_in(dir.path(), &format!("{emit} --out DIR --check")));
    let command = header.lines().find_map(|line| line.strip_prefix("//   sortsmith ")).unwrap();
    fs::remove_file(&path).unwrap();
    good(run_in(dir.path(), &command.replace("--out .", "--out DIR")));
    assert_eq!(fs::read_to_string(&path).unwrap(), header);
    let descending = good(run_in(dir.path(), &format!("{emit} --order desc --stdout")));
    assert!(descending.contains("i32_desc_pass") && !descending.contains("i32_asc_pass"));
    // Blocks with less shared memory have smaller tiles.
    let for_all =
        good(run_in(dir.path(), "emit --facade cub-device --key f64 --arch sm_75 --stdout"));
    assert!(for_all.contains("// 65536 bytes of shared memory for a block"));
}

/// The same of sorts of segments, for all architectures.
#[test]
fn a_facade_of_sorts_of_segments_is_one_header() {
    let dir = tempfile::tempdir().unwrap();
    let emit = "emit --facade cub-segmented --key f64 --value u32";
    good(run_in(dir.path(), &format!("{emit} --out DIR")));
    assert_eq!(names(dir.path()), ["device_segmented_sort.cuh"]);
    let path = dir.path().join("device_segmented_sort.cuh");
    let header = fs::read_to_string(&path).unwrap();
    for part in [
        "struct DeviceSegmentedSort {",
        "struct DeviceSegmentedRadixSort {",
        "f64_u32_b256_i12_asc_merge",
        "f64_u32_b256_i12_desc_merge",
    ] {
        assert!(header.contains(part), "{part}");
    }
    assert!(!header.contains("#include") && !header.contains("extern \"C\""));
    good(run_in(dir.path(), &format!("{emit} --out DIR --check")));
    let command = header.lines().find_map(|line| line.strip_prefix("//   sortsmith ")).unwrap();
    fs::remove_file(&path).unwrap();
    good(run_in(dir.path(), &command.replace("--out .", "--out DIR")));
    assert_eq!(fs::read_to_string(&path).unwrap(), header);
    let ascending = good(run_in(dir.path(), &format!("{emit} --order asc --stdout")));
    assert!(ascending.contains("i12_asc_merge") && !ascending.contains("i12_desc_merge"));
}

/// The same of sorts of rows, which are for blocks with the shared memory of the architecture.
#[test]
fn a_facade_of_sorts_of_rows_is_one_header() {
    let dir = tempfile::tempdir().unwrap();
    let emit = "emit --facade cub-rows --key f64 --value index";
    good(run_in(dir.path(), &format!("{emit} --order desc --out DIR")));
    assert_eq!(names(dir.path()), ["device_rows.cuh"]);
    let path = dir.path().join("device_rows.cuh");
    let header = fs::read_to_string(&path).unwrap();
    for part in [
        "struct DeviceRows {",
        "warp_bitonic_sort_f64_index_w4_i4_desc_stable_rows",
        "device_sample_sort_f64_index_b512_i8_desc_rows_buckets",
        "device_radix_sort_f64_index_b384_i18_desc_wide_pass",
        "with at least 232448 bytes of shared memory for a block",
    ] {
        assert!(header.contains(part), "{part}");
    }
    let others = ["#include", "extern \"C\"", "_i4_asc"];
    assert!(others.iter().all(|it| !header.contains(it)));
    let command = header.lines().find_map(|line| line.strip_prefix("//   sortsmith ")).unwrap();
    fs::remove_file(&path).unwrap();
    good(run_in(dir.path(), &command.replace("--out .", "--out DIR")));
    assert_eq!(fs::read_to_string(&path).unwrap(), header);
    let for_all = good(run_in(dir.path(), &format!("{emit} --arch sm_75 --stdout")));
    assert!(for_all.contains("with at least 65536 bytes of shared memory for a block"));
}

/// The same of top-ks: keys alone and positions are one header.
#[test]
fn a_facade_of_top_ks_is_one_header() {
    let dir = tempfile::tempdir().unwrap();
    let emit = "emit --facade cub-topk --key f32";
    good(run_in(dir.path(), &format!("{emit} --value u32 --order desc --out DIR")));
    assert_eq!(names(dir.path()), ["device_top_k.cuh"]);
    let path = dir.path().join("device_top_k.cuh");
    let header = fs::read_to_string(&path).unwrap();
    for part in [
        "struct DeviceTopK {",
        "struct DeviceBatchedTopK {",
        "warp_top_k_f32_u32_i8_k64_desc_rows",
        "block_top_k_f32_u32_b256_i8_desc_listed",
        "//   4096 with 132236 bytes.",
    ] {
        assert!(header.contains(part), "{part}");
    }
    let others = ["#include", "extern \"C\"", "f32_u32_b256_i8_asc"];
    assert!(others.iter().all(|it| !header.contains(it)));
    let command = header.lines().find_map(|line| line.strip_prefix("//   sortsmith ")).unwrap();
    fs::remove_file(&path).unwrap();
    good(run_in(dir.path(), &command.replace("--out .", "--out DIR")));
    assert_eq!(fs::read_to_string(&path).unwrap(), header);
    let keys = good(run_in(dir.path(), &format!("{emit} --stdout")));
    assert_eq!(keys, good(run_in(dir.path(), &format!("{emit} --value index --stdout"))));
    assert!(keys.contains("block_top_k_f32_index64_b256_i8_asc_ranked"));
}
