#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

use std::collections::BTreeSet;
use std::process::Command;

use super::*;
use crate::VERSION;
use crate::binned_argsort::BinnedTask;
use crate::cache::image_digest;
use crate::registry::KernelSpec;
use crate::toolchain::Format;
use crate::top_k::TopKTask;
use crate::types::{Arch, KeyType, Order, ValueType};

const TILE: &str = "block_radix_sort_u32_u32_b128_i4_r4_asc";

/// More than the 64 KB of `sm_75`, and less than what all later ones have.
const LARGE_TILE: &str = "block_radix_sort_u64_u64_b512_i16_r8_asc_match";

fn small() -> Bundle {
    Bundle::for_archs([75, 80]).tiles(TILE.parse().unwrap())
}

fn names(targets: &[Target]) -> Vec<String> {
    targets.iter().map(Target::file_name).collect()
}

/// The toolchain, if it has NVRTC; else it says that the test is left out.
fn nvrtc() -> Option<Toolchain> {
    let toolchain = Toolchain::find();
    if toolchain.nvrtc.is_some() {
        return Some(toolchain);
    }
    let demanded = env::var_os("SORTSMITH_REQUIRE_CUDA").is_some_and(|value| value == "1");
    assert!(!demanded, "SORTSMITH_REQUIRE_CUDA=1, but there is no NVRTC");
    println!("left out: no NVRTC found");
    None
}

#[test]
fn a_bundle_has_a_cubin_for_each_architecture_and_ptx_of_the_newest() {
    let expected = ["sm_75.cubin", "sm_80.cubin", "sm_80.ptx"].map(|it| format!("{TILE}.{it}"));
    assert_eq!(names(&small().targets().unwrap()), expected);
    assert_eq!(names(&small().ptx([]).targets().unwrap()), expected[..2]);
    let with_older = names(&small().ptx([80, 75]).targets().unwrap());
    assert_eq!(with_older.len(), 4);
    // Asking twice changes nothing.
    let twice = small().tiles(TILE.parse().unwrap()).targets().unwrap();
    assert_eq!(names(&twice), expected);
}

#[test]
fn whatever_a_device_asks_for_is_there_in_a_form_that_it_runs() {
    let sorts = [
        ArraySort::keys(KeyType::U128),
        ArraySort::pairs(KeyType::F64, ValueType::U128).descending(),
        ArraySort::argsort(KeyType::F32).nan_last(),
    ];
    for archs in [vec![75], vec![80], vec![75, 80, 90], vec![90, 120]] {
        let bundle = sorts.iter().fold(Bundle::for_archs(archs.clone()), |it, sort| it.sort(*sort));
        let targets = bundle.targets().unwrap();
        for device in Arch::all().filter(|device| device.capability() >= archs[0]) {
            let runs = |target: &&Target| {
                target.format.runs_on(target.arch.capability(), device.capability())
            };
            let there: BTreeSet<String> =
                targets.iter().filter(runs).map(|target| target.kernels.to_string()).collect();
            // PTX of sm_120 does not run on sm_100.
            if archs == [90, 120] && device.capability() / 10 > 9 && device.capability() < 120 {
                assert!(there.is_empty());
                continue;
            }
            for sort in sorts {
                for kernel in sort.kernels(1 << 29, crate::device::Device::of(device)) {
                    assert!(there.contains(&kernel.to_string()), "{kernel} on {device}, {archs:?}");
                }
            }
        }
    }
}

#[test]
fn a_sort_of_segments_is_there_for_every_architecture() {
    let name = "segmented_merge_sort_u32_keys_b256_i16_asc";
    let bundle = Bundle::for_archs([75, 90]).segments(name.parse().unwrap());
    let expected = ["sm_75.cubin", "sm_90.cubin", "sm_90.ptx"].map(|it| format!("{name}.{it}"));
    assert_eq!(names(&bundle.targets().unwrap()), expected);
}

#[test]
fn a_gather_is_there_for_every_architecture() {
    let spec = GatherSpec::new(12, 4).unwrap();
    let gather = |archs: &[u32]| Bundle::for_archs(archs.iter().copied()).gather(spec);
    let expected = ["sm_75.cubin", "sm_90.cubin", "sm_90.ptx"].map(|it| format!("{spec}.{it}"));
    assert_eq!(names(&gather(&[75, 90]).targets().unwrap()), expected);
    let with_sort = gather(&[90]).sort_up_to(ArraySort::argsort(KeyType::U32), 500);
    let all = names(&with_sort.targets().unwrap());
    assert_eq!(all.len(), 4);
    assert!(all.iter().any(|name| name.starts_with("block_radix_sort_u32_index_")), "{all:?}");
    assert_eq!(all.iter().filter(|name| name.starts_with("gather_b12_w4.sm_90")).count(), 2);
    // In a build script's own error, which names what is legal.
    let error = BuildError::from(GatherSpec::new(12, 8).unwrap_err()).to_string();
    assert!(error.starts_with("word = 8 is not legal"), "{error}");
}

#[test]
fn the_kernels_of_a_top_k_are_those_that_its_runtime_requests() {
    let task = TopKTask::of(KeyType::F32, Order::Descending);
    let bundle = Bundle::for_archs([90]).ptx([]).top_k(task, 1000);
    let all = names(&bundle.targets().unwrap());
    let of_blocks = ["b128_i4", "b256_i8", "b512_i8"].map(|it| format!("block_top_k_f32_{it}"));
    for of_spec in of_blocks.into_iter().chain(["warp_top_k_f32_i32_k64".to_owned()]) {
        assert!(all.contains(&format!("{of_spec}_desc.sm_90.cubin")), "{all:?}");
    }
    assert_eq!(all.iter().filter(|name| name.starts_with("block_")).count(), 3);
    let of_few = Bundle::for_archs([90]).ptx([]).top_k(task, 16);
    // Rows of up to 256 columns have one for k up to 8, too.
    assert_eq!(names(&of_few.targets().unwrap()).len(), 4 + 6 + 3);
}

#[test]
fn the_kernels_of_a_binned_argsort_are_those_for_long_rows_short_ones_and_many() {
    let bundle = Bundle::for_archs([90]).ptx([]);
    let bundle = bundle.binned_argsort(BinnedTask { key: KeyType::I64, bins: 60 });
    let expected = ["b128_i8", "b512_i16", "b512_i4"]
        .map(|it| format!("binned_argsort_i64_{it}_r6.sm_90.cubin"));
    assert_eq!(names(&bundle.targets().unwrap()), expected);
}

#[test]
fn a_tile_is_left_out_where_it_does_not_fit() {
    let large = |archs: &[u32]| {
        Bundle::for_archs(archs.iter().copied()).ptx([]).tiles(LARGE_TILE.parse().unwrap())
    };
    assert_eq!(names(&large(&[75, 80]).targets().unwrap()), [format!("{LARGE_TILE}.sm_80.cubin")]);
    let error = large(&[75]).targets().unwrap_err().to_string();
    assert!(error.starts_with(LARGE_TILE) && error.ends_with("at most 65536"), "{error}");
}

#[test]
fn errors_say_what_to_do_in_one_line() {
    let none = Toolchain::default();
    let sort = ArraySort::argsort(KeyType::U8);
    let unknown = "architecture `91` is unknown; legal: sm_70, sm_72";
    for (bundle, expected) in [
        (Bundle::for_archs([]).sort(sort), "name some, as in Bundle::for_archs([80, 90])"),
        (Bundle::for_archs([90]), "no kernels to compile"),
        (Bundle::for_archs([91]).sort(sort), unknown),
        (Bundle::for_archs([90]).ptx([91]).sort(sort), unknown),
        (
            Bundle::for_archs([90]).sort_up_to(sort, 1 << 33),
            "takes 4294967296, and none takes more",
        ),
        (small(), "no NVRTC found: set SORTSMITH_CUDA"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let error = bundle.toolchain(none.clone()).write_to(dir.path()).unwrap_err();
        let message = error.to_string();
        assert!(message.contains(expected), "{message}");
        assert!(!message.contains('\n'), "{message}");
        // A build script's `main` prints this.
        assert_eq!(format!("{error:?}"), message);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}

#[test]
fn a_bundle_is_images_and_rust_that_names_them() {
    let Some(toolchain) = nvrtc() else { return };
    let (dir, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let bundle = small().toolchain(toolchain.clone()).cache(Cache::at(cache.path()));
    bundle.write_to(dir.path()).unwrap();
    let text = fs::read_to_string(dir.path().join(BUNDLE_FILE)).unwrap();
    let source = KernelSpec::Tile(TILE.parse().unwrap()).source().unwrap();
    let key = source_key(&Source { name: TILE, text: &source, headers: &STORAGE_HEADERS });
    let line = |format, arch, file| {
        let file = format!("sortsmith/{TILE}.{file}");
        let digest = image_digest(&fs::read(dir.path().join(&file)).unwrap());
        format!(
            "    Image::{format}({TILE:?}, \"{key}\", {arch}, \"{digest}\", include_bytes!({file:?})),"
        )
    };
    let expected = [
        format!("// Made by sortsmith {VERSION}: kernels to embed, for `sortsmith::embed!`."),
        format!("({VERSION:?}, &["),
        line(Format::Cubin, 75, "sm_75.cubin"),
        line(Format::Cubin, 80, "sm_80.cubin"),
        line(Format::Ptx, 80, "sm_80.ptx"),
        "])".to_owned(),
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    let image = |file| fs::read(dir.path().join(format!("sortsmith/{TILE}.{file}"))).unwrap();
    let cubins = [image("sm_75.cubin"), image("sm_80.cubin")];
    assert!(cubins[0] != cubins[1] && cubins.iter().all(|it| it.starts_with(b"\x7fELF")));
    let ptx = image("sm_80.ptx");
    assert_eq!(ptx.iter().position(|byte| *byte == 0), Some(ptx.len() - 1));

    // Again, out of the cache: the same, as what is there is not what the compiler makes.
    let entries = Cache::at(cache.path()).entries().unwrap();
    assert_eq!(entries.len(), 3);
    let identity = Identity::of(toolchain.nvrtc.as_ref().unwrap()).unwrap();
    let options = CompileOptions::new(75, Format::Cubin);
    let source = Source { name: TILE, text: &source, headers: &STORAGE_HEADERS };
    let kernel = Kernel { source, options: &options, compiler: &identity };
    Cache::at(cache.path()).put(&kernel, b"from the cache").unwrap();
    bundle.write_to(dir.path()).unwrap();
    assert_eq!(image("sm_75.cubin"), b"from the cache");
}

#[test]
fn an_architecture_that_the_compiler_does_not_know_is_named() {
    let Some(toolchain) = nvrtc() else { return };
    let supported = Nvrtc::load(&toolchain).unwrap().supported_archs().unwrap();
    let Some(unsupported) = Arch::all().find(|arch| !supported.contains(&arch.capability())) else {
        return;
    };
    let (dir, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let bundle = Bundle::for_archs([unsupported.capability()]).tiles(TILE.parse().unwrap());
    let bundle = bundle.toolchain(toolchain).cache(Cache::at(cache.path()));
    let error = bundle.write_to(dir.path()).unwrap_err();
    assert!(matches!(error, BuildError::Compiler { arch, .. } if arch == unsupported), "{error}");
    assert!(error.to_string().contains("legal are sm_"), "{error}");
}

/// Which of the writes a test's child process is to do, as a build script would.
const SCRIPT: &str = "SORTSMITH_TEST_BUILD_SCRIPT";

#[test]
fn a_build_script_tells_cargo_what_it_depends_on() {
    if let Some(strict) = env::var_os(SCRIPT) {
        let bundle = small();
        let result = if strict == "strict" { bundle.write() } else { bundle.write_or_warn() };
        if let Err(error) = result {
            println!("Error: {error:?}");
        }
        return;
    }
    let cache = tempfile::tempdir().unwrap();
    let run = |script: &str, cuda: Option<&Path>| {
        let out_dir = tempfile::tempdir().unwrap();
        let mut process = Command::new(env::current_exe().unwrap());
        process.args([
            "--exact",
            "output::bundle::tests::a_build_script_tells_cargo_what_it_depends_on",
        ]);
        process.args(["--nocapture", "--test-threads=1"]);
        process.env(SCRIPT, script).env("OUT_DIR", out_dir.path());
        process.env("SORTSMITH_CACHE_DIR", cache.path());
        process.env("SORTSMITH_CUDA", cuda.unwrap_or(Path::new("none")));
        let output = String::from_utf8(process.output().unwrap().stdout).unwrap();
        let line_of = |name| format!("cargo::rerun-if-env-changed={name}");
        assert!(VARIABLES.map(line_of).iter().all(|it| output.contains(it)), "{output}");
        (output, fs::read_to_string(out_dir.path().join(BUNDLE_FILE)))
    };
    let images = |text: &str| text.matches("Image::").count();

    let (output, written) = run("strict", None);
    assert!(
        output.contains("Error: no kernels can be compiled to embed: no NVRTC found"),
        "{output}"
    );
    assert!(written.is_err());
    let (output, written) = run("lenient", None);
    assert!(output.contains("cargo::warning=no kernels can be compiled to embed"), "{output}");
    assert_eq!(images(&written.unwrap()), 0);

    let Some(nvrtc) = nvrtc().and_then(|toolchain| toolchain.nvrtc) else { return };
    let Some(root) = &nvrtc.root else { return };
    for script in ["strict", "lenient"] {
        let (output, written) = run(script, Some(root));
        let changed = format!("cargo::rerun-if-changed={}", nvrtc.path.display());
        assert!(output.contains(&changed) && !output.contains("warning"), "{output}");
        assert_eq!(images(&written.unwrap()), 3);
    }
}

#[test]
fn outside_of_a_build_script_there_is_no_folder_to_write_to() {
    if env::var_os("OUT_DIR").is_none() {
        let error = small().toolchain(Toolchain::default()).write().unwrap_err();
        assert!(matches!(error, BuildError::NoOutDir));
    }
}

#[test]
fn rows_have_the_kernels_of_each_number_of_columns() {
    let sort = RowSort::pairs(KeyType::F32, ValueType::U32);
    let has = |columns, name: &str| {
        let targets = Bundle::for_archs([90]).ptx([]).rows(sort, columns).targets().unwrap();
        names(&targets).contains(&format!("{name}.sm_90.cubin"))
    };
    let of_tiles = "block_bitonic_sort_f32_u32_b32_i4_asc_stable_rows";
    let by_samples = "device_sample_sort_f32_u32_b512_i8_asc_rows";
    assert_eq!([has(100, of_tiles), has(100, by_samples)], [true, false]);
    assert_eq!([has(1 << 20, of_tiles), has(1 << 20, by_samples)], [true, true]);
}
