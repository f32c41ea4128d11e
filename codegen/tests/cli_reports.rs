//! `list`, `explain`, `compile`, `env`, `completions`, help, and pipes that close early.

#![allow(clippy::unwrap_used)] // in the helpers, too

mod common;

use std::collections::BTreeSet;
use std::io::Read;
use std::process::Stdio;

use common::{command, error_of, good, sortsmith, text};
use serde_json::Value;
use sortsmith_codegen::device::{self, Device, DeviceSpec, Scratch};
use sortsmith_codegen::dispatch::ArraySort;
use sortsmith_codegen::{Arch, KeyType, SortSpec, ValueType, render};

const NAME: &str = "block_radix_sort_f32_u32_b256_i16_r6_desc";

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&good(sortsmith(arguments))).expect("JSON alone on stdout")
}

#[test]
fn the_default_matrix_is_a_choice_of_sorts_that_are_generated() {
    let list = good(sortsmith(["list"]));
    let specs: Vec<SortSpec> = list.lines().map(|name| name.parse().unwrap()).collect();
    assert!((60..=150).contains(&specs.len()), "{}", specs.len());
    for spec in &specs {
        render::header(spec, render::Options::default()).unwrap();
    }
    let entries = json(&["list", "--json"]);
    assert_eq!(entries.as_array().unwrap().len(), specs.len());
    assert_eq!(entries[0]["name"], list.lines().next().unwrap());
    let of_family = |family| good(sortsmith(["list", "--algorithm", family]));
    assert_eq!(of_family("block-radix") + &of_family("warp-bitonic"), list);
    assert_eq!(good(sortsmith(["list", "--algorithm", "block-merge"])), "");
}

#[test]
fn an_explanation_agrees_with_the_header() {
    let output = command(["explain", NAME, "--arch", "sm_86", "--json"])
        .env("SORTSMITH_CUDA", "none")
        .output()
        .unwrap();
    let explanation: Value = serde_json::from_str(&good(output)).unwrap();
    let radix = &explanation["radix"];
    assert_eq!(explanation["name"], NAME);
    assert_eq!(radix["passes"], 6);
    assert_eq!(radix["on_arch"]["arch"], "sm_86");
    assert_eq!(radix["on_arch"]["max_shared_bytes"], 99 * 1024);
    assert_eq!(explanation["compiled"], Value::Null);
    assert!(explanation["not_compiled"].as_str().unwrap().contains("NVRTC"));
    let header = render::header(&NAME.parse().unwrap(), render::Options::default()).unwrap();
    assert!(header.contains(&format!("kSharedBytes = {};", radix["shared"]["bytes"])));
}

#[test]
fn the_sort_of_a_warp_is_explained_by_its_network() {
    let name = "warp_bitonic_sort_u64_keys_w32_i4_asc";
    let report = explained(&[name]);
    let warp = &report["warp"];
    assert_eq!(report["radix"], Value::Null);
    // 5 to sort, 4 in each of 5 merges; 15 steps across lanes with two pairs; 20 exchanges of two keys of two registers, and in
    // the tile kernel one of two pairs of keys.
    assert_eq!(
        (&warp["comparators_in_lane"], &warp["comparators_across_lanes"]),
        (&25.into(), &30.into())
    );
    assert_eq!((&warp["sort_shuffles"], &warp["tile_shuffles"]), (&80.into(), &84.into()));
    assert_eq!((&warp["tile_threads"], &warp["tiles_per_block"]), (&128.into(), &4.into()));
    let said = command(["explain", name]).env("SORTSMITH_CUDA", "none").output().unwrap();
    let text = good(said);
    for words in [
        "tile       32 lanes x 4 items = 128 items; blocked in, blocked out",
        "compares   ordered bits: 2 registers an item",
        "network    25 comparators in each lane and 30 across lanes, for 4 items",
        "shuffles   84 a lane in the tile kernel, 21.00 an item; 80 in Sort",
        "compiled   no: no NVRTC found",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    let text = good(sortsmith(["explain", "warp_bitonic_sort_f16_u64_w2_i3_desc_stable"]));
    assert!(
        text.contains("in one register") && text.contains("2 registers for its value"),
        "{text}"
    );
    assert!(text.contains("an odd number") && text.contains(", stable"), "{text}");
    let text = good(sortsmith(["explain", "warp_bitonic_sort_f32_u32_w8_i8_asc"]));
    assert!(text.contains("the value in place of the position"), "{text}");
    assert!(text.contains("80 a lane in the tile kernel, 10.00 an item; 72 in Sort"), "{text}");
}

#[test]
fn a_bitonic_sort_of_a_block_is_explained_by_its_network() {
    let report = explained(&["block_bitonic_sort_u32_keys_b256_i16_asc"]);
    let bitonic = &report["comparison"];
    // 63 to sort, 32 in each of 8 merges and 32 in each of 3 exchanges of columns; 24 steps across lanes with 8 pairs.
    assert_eq!(
        (&bitonic["comparators_in_thread"], &bitonic["comparators_across_lanes"]),
        (&415.into(), &192.into())
    );
    assert_eq!((&bitonic["shuffles"], &bitonic["barriers"]), (&232.into(), &6.into()));
    assert_eq!(&bitonic["on_arch"]["shared_bytes"], &17400);
    let said = |name: &str| {
        good(command(["explain", name]).env("SORTSMITH_CUDA", "none").output().unwrap())
    };
    let text = said("block_bitonic_sort_f32_u32_b256_i16_asc");
    for words in [
        "compares   ordered bits, then the value: 2 registers an item",
        "network    415 comparators in each thread's registers and 192 across lanes, for 16 items",
        "shuffles   464 a thread, 29.00 an item",
        "exchanges  6 through shared memory, and 6 barriers",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    let text = said("block_bitonic_sort_u16_u64_b100_i3_desc_stable_outstriped");
    assert!(text.contains("none: what threads compare goes through shared memory"), "{text}");
    assert!(text.contains("values are fetched by their positions"), "{text}");
    let text = said("block_merge_sort_f32_u32_b256_i16_asc");
    assert!(text.contains("by a search") && text.contains(", stable"), "{text}");
    assert!(text.contains("3 through shared memory, and 8 barriers"), "{text}");
}

/// What `explain` says without a compiler.
fn explained(arguments: &[&str]) -> Value {
    let arguments = [&["explain"], arguments, &["--json"]].concat();
    let output = command(arguments).env("SORTSMITH_CUDA", "none").output().unwrap();
    serde_json::from_str(&good(output)).unwrap()
}

#[test]
fn a_device_wide_sort_is_explained_as_the_host_launches_it() {
    let h200 = Device { multiprocessors: 132, shared_bytes_per_block: 227 * 1024 };
    for (name, n, bits) in [
        ("device_radix_sort_u64_u32_b384_i18_asc", 100_000_000, 0..45),
        ("device_radix_sort_u16_keys_b384_i32_asc", 10_000_000, 0..16),
        ("device_radix_sort_u32_keys_b384_i32_asc", 10_000_000, 0..32),
        ("device_radix_sort_f32_index_b384_i24_desc_nanlast", 1 << 20, 0..32),
        ("device_sample_sort_f32_u32_b512_i4_asc", 200_000, 0..32),
        ("device_sample_sort_f32_u32_b512_i4_asc", 2000, 0..32),
        ("device_bitonic_sort_f32_u32_b512_i8_asc_stable", 100_000, 0..32),
        ("device_partition_sort_u64_u32_b512_i16_asc", 1 << 20, 0..64),
        ("device_partition_sort_u64_u32_b512_i16_asc", 100_000_000, 0..64),
    ] {
        let spec: DeviceSpec = name.parse().unwrap();
        let (items, range) = (n.to_string(), format!("{}..{}", bits.start, bits.end));
        let report = explained(&[name, "--n", &items, "--bits", &range]);
        let sort = &report["sort"];
        let launches = spec.launches(n, bits, h200);
        let rows = sort["launches"].as_array().unwrap();
        assert_eq!(rows.len(), launches.len(), "{report}");
        for (row, launch) in rows.iter().zip(&launches) {
            assert_eq!(row["symbol"], format!("{name}{}", launch.kernel.suffix()));
            assert_eq!(row["blocks"], launch.blocks);
            assert_eq!(row["threads"], launch.threads);
            assert_eq!(row["shared_bytes"], launch.shared_bytes);
            let expected = launch.argument.map(|argument| (argument.word(), argument.number()));
            for key in ["pass", "steps", "seed"] {
                let number = expected.filter(|(name, _)| *name == key).map(|it| it.1);
                assert_eq!(row.get(key).and_then(Value::as_u64), number.map(u64::from), "{row}");
            }
        }
        let scratch = spec.scratch(n, &launches);
        assert_eq!(sort["scratch_bytes"], scratch.workspace + scratch.alternate);
        assert_eq!(sort["zeroed_bytes"], scratch.zeroed);
        // The same bytes as the header's.
        let header = device::header(&spec).unwrap();
        let shared = &report["on_arch"]["shared_bytes"];
        assert!(header.contains(&format!("SharedBytes = {shared};")), "{name}: {shared}");
        assert_eq!(report["max_items"], spec.max_items());
        assert!(report["not_compiled"].as_str().unwrap().contains("NVRTC"));
    }
    let small = explained(&["device_radix_sort_u32_keys_b384_i32_asc", "--multiprocessors", "20"]);
    assert_eq!(small["sort"]["n"], 1 << 20);
    assert_eq!(small["sort"]["launches"][0]["blocks"], 20);
}

/// An explanation for people, where there is no compiler.
fn said(arguments: &str) -> String {
    let arguments = format!("explain {arguments}");
    let mut command = command(arguments.split(' '));
    good(command.env("SORTSMITH_CUDA", "none").output().unwrap())
}

#[test]
fn an_explanation_for_people_has_passes_launches_and_scratch() {
    let text = said("device_radix_sort_u32_keys_b384_i32_asc --n 1000000 --arch sm_75");
    let spec: DeviceSpec = "device_radix_sort_u32_keys_b384_i32_asc".parse().unwrap();
    let h200 = Device { multiprocessors: 132, shared_bytes_per_block: 227 * 1024 };
    let launches = spec.launches(1_000_000, 0..32, h200);
    let Scratch { zeroed, workspace, .. } = spec.scratch(1_000_000, &launches);
    let shared = spec.shared_bytes();
    for words in [
        "passes     4 of 8 bits, over bits 0..32".to_owned(),
        format!(
            "launches   of 1000000 items on 132 multiprocessors: 7 kernels, behind a memset of {zeroed} bytes"
        ),
        format!("pass 3               82 blocks x  384 threads, {shared} bytes of shared memory"),
        format!(
            "scratch    {} bytes beside the arrays: 4000000 of alternate",
            4_000_000 + workspace
        ),
        format!(
            "on sm_75   does not fit: {shared} bytes of shared memory, a block has at most 65536"
        ),
        "compiled   no: no NVRTC found".to_owned(),
    ] {
        assert!(text.contains(&words), "{words}\n{text}");
    }
    let text = said("device_radix_sort_u32_keys_b384_i32_asc --n 20000000");
    assert!(
        text.contains("at most 2 by the upper digits") && text.contains("msd_buckets"),
        "{text}"
    );
    let text = said("device_radix_sort_u64_u32_b384_i18_asc --n 20000000");
    assert!(
        text.contains("at most 6 by the upper digits") && text.contains("a tie fix-up sorts"),
        "{text}"
    );
    let text = said("device_radix_sort_u8_keys_b384_i32_asc");
    assert!(text.contains("none: a counting sort"), "{text}");
}

#[test]
fn an_explanation_for_people_says_how_each_family_works() {
    let text = said("device_sample_sort_u32_keys_b512_i2_asc");
    assert!(text.contains("of 524288 items") && text.contains("3 kernels\n"), "{text}");
    let text = said("device_bitonic_sort_f32_u32_b512_i16_asc --n 16384");
    assert!(text.contains("not stable") && text.contains("none: a network"), "{text}");
    assert!(text.contains("3 kernels\n") && text.contains("scratch    0 bytes"), "{text}");
    let text = said("device_partition_sort_u64_u32_b512_i16_asc --n 5000000");
    assert!(text.contains("none: divided into buckets") && text.contains("16 kernels"), "{text}");
    let text = said("gather_b12_w4 --n 1024");
    assert!(text.contains("3 blocks x  256 threads") && text.contains("12288 bytes"), "{text}");
    let text = said("segmented_merge_sort_f32_u32_b256_i16_asc --n 100000");
    assert!(text.contains("at most 4096 by a block") && text.contains("merge 4 "), "{text}");
    let text = said("block_top_k_f32_b256_i8_desc --n 128256");
    assert!(text.contains("up to 1024 of the largest f32 keys"), "{text}");
    assert!(text.contains("in 62 chunks") && text.contains("569592 bytes"), "{text}");
    let text = said("binned_argsort_u32_b512_i16_r8 --n 65536");
    assert!(text.contains("in up to 256 bins") && text.contains("in 64 chunks"), "{text}");
    assert!(text.contains("chunks               64 blocks x  512 threads"), "{text}");
    let text = said("warp_top_k_f32_i32_k64_desc --n 1000");
    assert!(text.contains("up to 64 of the largest f32 keys"), "{text}");
    assert!(text.contains("a warp's: 32 lanes x 32 items") && text.contains("1 blocks"), "{text}");
}

#[test]
fn device_wide_sorts_are_listed_as_programs_use_them() {
    let all = [("device-radix", 300), ("device-sample", 300), ("device-bitonic", 300)];
    for (algorithm, least) in all.into_iter().chain([("device-partition", 40)]) {
        let list = good(sortsmith(["list", "--algorithm", algorithm]));
        let prefix = format!("{}_sort_", algorithm.replace('-', "_"));
        let names: Vec<&str> = list.lines().collect();
        for name in &names {
            let spec: DeviceSpec = name.parse().unwrap();
            assert!(name.starts_with(&prefix) && spec.to_string() == *name);
        }
        let distinct: BTreeSet<&&str> = names.iter().collect();
        assert!(distinct.len() == names.len() && names.len() > least, "{}", names.len());
        let entries = json(&["list", "--algorithm", algorithm, "--json"]);
        let entries = entries.as_array().unwrap();
        assert_eq!(entries.len(), names.len());
        assert!(entries.iter().zip(&names).all(|(entry, name)| entry["name"] == *name));
        assert!(entries.iter().all(|entry| entry["algorithm"] == algorithm));
    }
    // The names of the kernels that sort an array on such a device, and no others.
    let sm_86 = Arch::new(86).unwrap();
    let list = good(sortsmith(["list", "--algorithm", "device-radix", "--arch", "sm_86"]));
    for sort in [
        ArraySort::pairs(KeyType::F32, ValueType::U32),
        ArraySort::argsort(KeyType::U128).descending(),
        ArraySort::keys(KeyType::F16).nan_last(),
    ] {
        let kernel = sort.kernel(1 << 29, Device::of(sm_86)).to_string();
        assert!(list.lines().any(|name| name == kernel), "{kernel}");
    }
    let most = list.lines().map(|name| name.parse::<DeviceSpec>().unwrap().shared_bytes()).max();
    assert!(most.unwrap() <= sm_86.max_shared_bytes(), "{most:?}");
}

#[test]
fn without_a_compiler_there_is_no_kernel() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("kernel");
    let out = out.to_str().unwrap();
    let mut compile =
        command(["compile", NAME, "--arch", "sm_90", "--format", "ptx", "--out", out]);
    let error = error_of(&compile.env("SORTSMITH_CUDA", "none").output().unwrap(), 2);
    assert!(error.contains("no NVRTC found"), "{error}");
    assert!(!std::path::Path::new(out).exists());
}

/// Does nothing where there is no compiler; says so.
#[test]
fn with_a_compiler_there_is_one() {
    if Value::is_null(&json(&["env", "--json"])["tools"][0]["version"]) {
        eprintln!("left out: 1 test needs NVRTC");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let name = "block_radix_sort_u32_keys_b32_i2_r4_asc";
    for (format, start) in [("ptx", &b"// Made by sortsmith"[..]), ("cubin", &b"\x7fELF"[..])] {
        let path = dir.path().join(format);
        let compile = || {
            sortsmith([
                "compile",
                name,
                "--arch",
                "sm_90",
                "--format",
                format,
                "--out",
                path.to_str().unwrap(),
            ])
        };
        let output = compile();
        let said = text(&output.stderr);
        assert!(said.contains(&format!("{name}_tile for sm_90")), "{said}");
        good(output);
        let image = std::fs::read(&path).unwrap();
        assert!(image.starts_with(start));
        std::fs::write(&path, [&image[..], b"\n"].concat()).unwrap();
        good(compile());
        assert_eq!(std::fs::read(&path).unwrap(), image);
        std::fs::write(&path, "mine").unwrap();
        assert!(error_of(&compile(), 2).contains("was not made by sortsmith"));
    }
    let kernel = &json(&["explain", name, "--json"])["compiled"];
    assert!(kernel["registers"].as_u64().unwrap() > 0);
    assert_eq!(kernel["spill_store_bytes"], 0);
    // Every kernel of a device-wide sort.
    let name = "device_sample_sort_u32_keys_b512_i2_asc";
    let kernels = &json(&["explain", name, "--json"])["compiled"];
    let symbols = kernels.as_array().unwrap().iter().map(|it| it["symbol"].as_str().unwrap());
    let expected = ["buckets", "samples", "split"].map(|kernel| format!("{name}_{kernel}"));
    assert_eq!(symbols.collect::<Vec<_>>(), expected);
}

#[test]
fn the_environment_is_reported_whatever_it_is() {
    let report = json(&["env", "--json"]);
    assert_eq!(report["sortsmith"], env!("CARGO_PKG_VERSION"));
    assert!(report["driver"].is_object() != report["no_driver"].is_string());
    let output = command(["env", "--json"])
        .env("SORTSMITH_CUDA", "none")
        .env("SORTSMITH_CACHE_DIR", "/some/where")
        .output()
        .unwrap();
    let report: Value = serde_json::from_str(&good(output)).unwrap();
    assert_eq!(report["cache"], "/some/where");
    assert!(report["tools"].as_array().unwrap().iter().all(|tool| tool["path"].is_null()));
    assert!(good(sortsmith(["env"])).contains("nvrtc"));
}

#[test]
fn completions_know_the_words_of_the_axes() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = good(sortsmith(["completions", shell]));
        assert!(script.contains("emit") && script.contains("radix-bits"), "{shell}");
        // clap's scripts for the others know flags alone.
        assert!(script.contains("bf16") || ["powershell", "elvish"].contains(&shell), "{shell}");
    }
}

#[test]
fn each_command_has_a_manual_page() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("man");
    good(command(["man", "--out"]).arg(&folder).output().unwrap());
    for name in ["sortsmith", "sortsmith-emit", "sortsmith-explain", "sortsmith-cache-list"] {
        let page = std::fs::read_to_string(folder.join(format!("{name}.1"))).unwrap();
        assert!(page.contains(".SH NAME"), "{name}: {page}");
    }
    let file = dir.path().join("file");
    std::fs::write(&file, "mine").unwrap();
    let refused = command(["man", "--out"]).arg(&file).output().unwrap();
    assert!(error_of(&refused, 2).starts_with("cannot write to "));
}

#[test]
fn help_goes_to_stdout() {
    for arguments in [&["--help"][..], &["emit", "--help"], &["--version"]] {
        assert!(good(sortsmith(arguments)).contains("sortsmith"));
    }
    let bare = sortsmith::<&str>([]);
    assert_eq!(bare.status.code(), Some(2));
    assert!(bare.stdout.is_empty());
}

#[test]
fn a_pipe_that_closes_early_is_no_failure() {
    for arguments in [&["list", "--json"][..], &["emit", "--help"], &["completions", "bash"]] {
        let mut child =
            command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert!(child.wait().unwrap().success(), "{stderr}");
        assert_eq!(stderr, "");
    }
}
