#![allow(clippy::unwrap_used)]

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{
    CompileOptions, Format, Nvcc, Nvrtc, Origin, Source, Toolchain, ToolchainError,
    nvcc::parse_version,
    search::{self, Environment, Location},
};

const ARCHS: [u32; 5] = [75, 80, 90, 100, 120];

const SEVEN: &str = "extern \"C\" __global__ void seven(int* out) { out[threadIdx.x] = 7; }\n";

/// Sixty-four live floats a thread, where the launch bounds leave 32 registers.
const SPILL: &str = r#"
extern "C" __global__ void __launch_bounds__(1024, 2) spill(float* data, int rounds) {
    __shared__ float factors[128];
    float v[64];
#pragma unroll
    for (int i = 0; i < 64; ++i) v[i] = data[i * 1024 + threadIdx.x];
    factors[threadIdx.x % 128] = v[0];
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < rounds; ++k) {
#pragma unroll
        for (int i = 0; i < 64; ++i) v[i] = v[i] * v[(i + 7) % 64] + factors[(k + i) % 128];
    }
#pragma unroll
    for (int i = 0; i < 64; ++i) data[i * 1024 + threadIdx.x] = v[i];
}
extern "C" __global__ void indexed(float* data, int n) {
    float v[64];
    for (int i = 0; i < 64; ++i) v[i] = data[i];
    v[n % 64] = 1;
    for (int i = 0; i < n; ++i) data[i] = v[(i * 7 + n) % 64];
}
extern "C" __global__ void lean(float* data) { data[threadIdx.x] += 1; }
"#;

/// The toolchain; or nothing, said aloud, where this machine has none and none is demanded.
fn toolchain_with(part: &str, has: impl Fn(&Toolchain) -> bool) -> Option<Toolchain> {
    let toolchain = Toolchain::find();
    if has(&toolchain) {
        return Some(toolchain);
    }
    let demanded = std::env::var_os("SORTSMITH_REQUIRE_CUDA").is_some_and(|value| value == "1");
    assert!(!demanded, "SORTSMITH_REQUIRE_CUDA=1, but there is no {part}");
    eprintln!("left out: no {part} found; `cargo xtask toolkit` fetches the CUDA compilers");
    None
}

fn nvrtc() -> Option<(Toolchain, Nvrtc)> {
    let toolchain = toolchain_with("NVRTC", |found| found.nvrtc.is_some())?;
    let nvrtc = Nvrtc::load(&toolchain).expect("the library that was found loads");
    Some((toolchain, nvrtc))
}

#[test]
fn a_kernel_compiles_for_every_architecture_in_both_formats() {
    let Some((_, nvrtc)) = nvrtc() else { return };
    let supported = nvrtc.supported_archs().unwrap();
    for arch in ARCHS.into_iter().filter(|arch| supported.contains(arch)) {
        let source = Source::new("seven.cu", SEVEN);
        let cubin = nvrtc.compile(&source, &CompileOptions::new(arch, Format::Cubin)).unwrap();
        assert!(cubin.image.starts_with(b"\x7fELF"), "sm_{arch}");
        assert_eq!(cubin.log, "", "sm_{arch}");
        let seven = cubin.resources().unwrap()["seven"];
        assert!((1..=32).contains(&seven.registers), "sm_{arch}: {seven:?}");
        assert!(seven.code_bytes > 0 && seven.constant_bytes >= 8, "sm_{arch}: {seven:?}");
        assert!(seven.is_free_of_local_memory() && seven.shared_bytes == 0, "sm_{arch}: {seven:?}");

        let ptx = nvrtc.compile(&source, &CompileOptions::new(arch, Format::Ptx)).unwrap();
        let text = String::from_utf8(ptx.image.clone()).unwrap();
        assert!(text.contains(&format!(".target sm_{arch}")), "{text}");
        assert!(text.contains(".entry seven") && !text.contains('\0'), "{text}");
        assert!(matches!(ptx.resources(), Err(ToolchainError::Resources(_))));
    }
}

#[test]
fn a_broken_source_gives_its_name_and_the_log() {
    let Some((_, nvrtc)) = nvrtc() else { return };
    let source = Source::new("broken.cu", "__global__ void k() { no_such_function(); }");
    let error = nvrtc.compile(&source, &CompileOptions::new(90, Format::Cubin)).unwrap_err();
    let ToolchainError::Compile { name, log } = &error else { panic!("{error:?}") };
    assert_eq!(name, "broken.cu");
    assert!(log.contains("broken.cu(1)") && log.contains("no_such_function"), "{log}");
}

#[test]
fn what_a_request_gets_wrong_is_named() {
    let Some((_, nvrtc)) = nvrtc() else { return };
    let source = Source::new("seven.cu", SEVEN);
    let error = nvrtc.compile(&source, &CompileOptions::new(33, Format::Ptx)).unwrap_err();
    assert!(matches!(error, ToolchainError::UnsupportedArch { arch: 33, .. }), "{error}");
    assert!(error.to_string().contains("sm_90"), "{error}");

    let mut options = CompileOptions::new(90, Format::Cubin);
    options.extra.push("--no-such-option".to_owned());
    let error = nvrtc.compile(&source, &options).unwrap_err();
    assert!(error.to_string().contains("no-such-option"), "{error}");

    let nul = Source::new("nul.cu", "int a;\0");
    let error = nvrtc.compile(&nul, &CompileOptions::new(90, Format::Ptx)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "source nul.cu holds a NUL byte at offset 6, and C strings cannot"
    );
}

#[test]
fn warnings_are_in_the_log_and_the_assemblers_report_is_not() {
    let Some((_, nvrtc)) = nvrtc() else { return };
    let source = Source::new("warn.cu", "extern \"C\" __global__ void warn() { int unused; }");
    let compiled = nvrtc.compile(&source, &CompileOptions::new(80, Format::Cubin)).unwrap();
    assert!(compiled.log.contains("unused"), "{}", compiled.log);
    assert!(!compiled.log.contains("ptxas info"), "{}", compiled.log);
}

#[test]
fn headers_come_from_memory_and_from_the_toolkit() {
    let Some((toolchain, nvrtc)) = nvrtc() else { return };
    let header = [("seven.cuh", "constexpr int kSeven = 7;")];
    let text = "#include \"seven.cuh\"\n__global__ void k(int* out) { *out = kSeven; }";
    let source = Source { name: "k.cu", text, headers: &header };
    nvrtc.compile(&source, &CompileOptions::new(90, Format::Cubin)).unwrap();

    if toolchain.include_dirs.is_empty() {
        eprintln!("left out: the toolkit's headers, for there are none");
        return;
    }
    let text = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cuda_fp8.h>\n\
        extern \"C\" __global__ void k(__half* h, __nv_bfloat16* b, __nv_fp8_e4m3* f) {\n\
        *f = __nv_fp8_e4m3(*h); *b = __nv_bfloat16(1.0f); }\n";
    for arch in [75, 90] {
        let mut options = CompileOptions::new(arch, Format::Cubin);
        options.include_dirs.clone_from(&toolchain.include_dirs);
        nvrtc.compile(&Source::new("small_floats.cu", text), &options).unwrap();
    }
}

#[test]
fn a_kernel_that_spills_shows_it() {
    let Some((_, nvrtc)) = nvrtc() else { return };
    let source = Source::new("spill.cu", SPILL);
    let compiled = nvrtc.compile(&source, &CompileOptions::new(90, Format::Cubin)).unwrap();
    let kernels = compiled.resources().unwrap();
    assert_eq!(kernels.keys().collect::<Vec<_>>(), ["indexed", "lean", "spill"]);

    let spill = kernels["spill"];
    assert_eq!(spill.registers, 32);
    assert_eq!(spill.shared_bytes, 512);
    assert!(spill.spill_store_bytes > 0 && spill.spill_load_bytes > 0, "{spill:?}");
    assert!(spill.stack_bytes > 0, "{spill:?}");

    let indexed = kernels["indexed"];
    assert_eq!((indexed.stack_bytes, indexed.spill_store_bytes), (256, 0));
    assert!(!indexed.is_free_of_local_memory());
    assert!(kernels["lean"].is_free_of_local_memory());
    assert!(kernels["lean"].code_bytes < spill.code_bytes);
}

#[test]
fn spills_of_a_function_that_is_not_inlined_count_for_its_callers() {
    let Some((_, nvrtc)) = nvrtc() else { return };
    let text = SPILL.replace(
        "extern \"C\" __global__ void __launch_bounds__(1024, 2) spill",
        "__device__ __noinline__ void spill",
    ) + "extern \"C\" __global__ void __launch_bounds__(1024, 2) caller(float* data, int n) \
           { spill(data, n); }";
    let source = Source::new("caller.cu", &text);
    let compiled = nvrtc.compile(&source, &CompileOptions::new(90, Format::Cubin)).unwrap();
    let caller = compiled.resources().unwrap()["caller"];
    assert!(caller.spill_store_bytes > 0 && caller.stack_bytes > 0, "{caller:?}");
}

#[test]
fn threads_share_one_compiler() {
    let Some((_, nvrtc)) = nvrtc() else { return };
    let options = CompileOptions::new(90, Format::Cubin);
    std::thread::scope(|scope| {
        let compile = || nvrtc.compile(&Source::new("seven.cu", SEVEN), &options).unwrap();
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(compile)).collect();
        for thread in threads {
            assert!(thread.join().unwrap().resources().unwrap().contains_key("seven"));
        }
    });
}

#[test]
fn nvcc_compiles_with_the_hosts_warnings_as_errors() {
    let Some(toolchain) = toolchain_with("nvcc", |found| found.nvcc.is_some()) else { return };
    let nvcc = Nvcc::new(&toolchain).unwrap();
    assert!(nvcc.version().unwrap() >= (12, 0));
    let dir = tempfile::tempdir().unwrap();
    let (good, bad) = (dir.path().join("good.cu"), dir.path().join("bad.cu"));
    fs::write(&good, format!("{SEVEN}int main() {{ seven<<<1, 32>>>(nullptr); }}\n")).unwrap();
    fs::write(&bad, "int three(int unused) { return 3; }\n").unwrap();
    let compile = |source: &Path| {
        let output = dir.path().join("out.o");
        nvcc.compile([
            Path::new("-std=c++17"),
            Path::new("-arch=sm_90"),
            Path::new("-Werror=all-warnings"),
            Path::new("-Xcompiler=-Wall,-Wextra,-Werror"),
            Path::new("-c"),
            Path::new("-o"),
            &output,
            source,
        ])
    };
    compile(&good).unwrap();
    let error = compile(&bad).unwrap_err();
    let ToolchainError::Command { command, stderr, .. } = &error else { panic!("{error:?}") };
    assert!(command.contains("-Wextra") && command.contains("bad.cu"), "{command}");
    assert!(stderr.contains("unused"), "{stderr}");
}

#[test]
fn an_nvcc_release_is_read() {
    let text = "Cuda compilation tools, release 12.10, V12.10.37\n";
    assert_eq!(parse_version(text), Some((12, 10)));
    assert_eq!(parse_version("gcc 12"), None);
}

fn touch(path: PathBuf) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "").unwrap();
}

#[test]
fn locations_are_searched_in_the_documented_order() {
    let dir = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(dir.path()).unwrap();
    let nvcc = format!("nvcc{}", std::env::consts::EXE_SUFFIX);
    touch(root.join("on-path/bin").join(nvcc));
    let environment = Environment {
        sortsmith_cuda: Some("/first".into()),
        cuda_home: Some("/second".into()),
        cuda_path: Some("/second".into()),
        path: vec![root.join("empty"), root.join("on-path/bin")],
        system_roots: vec!["/opt/cuda".into()],
        loader_path: Vec::new(),
        ask_loader: false,
    };
    let location = |root: PathBuf, origin| Location { root, origin };
    let expected = [
        location("/first".into(), Origin::Variable("SORTSMITH_CUDA")),
        location("/second".into(), Origin::Variable("CUDA_HOME")),
        location(root.join("on-path"), Origin::SearchPath),
        location("/opt/cuda".into(), Origin::SystemFolder),
    ];
    assert_eq!(search::locations(&environment), expected);
}

#[test]
fn none_switches_the_search_off() {
    let environment = Environment { sortsmith_cuda: Some("none".into()), ..Environment::current() };
    let toolchain = search::find(&environment);
    assert!(toolchain.is_empty());
    let error = Nvrtc::load(&toolchain).unwrap_err().to_string();
    assert!(error.contains("no NVRTC found") && error.contains("SORTSMITH_CUDA"), "{error}");
    assert!(Nvcc::new(&toolchain).unwrap_err().to_string().contains("no nvcc found"));
}

#[test]
fn headers_follow_the_compiler_that_reads_them() {
    let dir = tempfile::tempdir().unwrap();
    let (old, new) = (dir.path().join("old"), dir.path().join("new"));
    touch(old.join("include/cuda_fp16.h"));
    touch(old.join("include/cub/cub.cuh"));
    touch(old.join("include/nv/target"));
    let library = if cfg!(windows) { "bin/nvrtc64_130_0.dll" } else { "lib/libnvrtc.so.13" };
    touch(new.join(library));
    touch(new.join("include/cuda_fp16.h"));
    touch(new.join("include/cccl/cub/cub.cuh"));
    touch(new.join("include/cccl/nv/target"));
    let location = |root: &PathBuf| Location { root: root.clone(), origin: Origin::Caller };
    let both = search::in_locations(&[location(&old), location(&new)]);
    assert_eq!(both.include_dirs, [new.join("include"), new.join("include/cccl")]);
    assert_eq!(both.cccl_include, Some(new.join("include/cccl")));
    assert_eq!(both.nvrtc.unwrap().root, Some(new));
    let first = Toolchain::in_folder(&old);
    assert_eq!(first.include_dirs, [old.join("include")]);
    assert_eq!(first.cccl_include, Some(old.join("include")));
}

#[test]
fn a_damaged_library_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let name = if cfg!(windows) { "bin/nvrtc64_130_0.dll" } else { "lib64/libnvrtc.so.13" };
    touch(dir.path().join(name));
    let error = Nvrtc::load(&Toolchain::in_folder(dir.path())).unwrap_err();
    assert!(matches!(error, ToolchainError::Load { .. }), "{error:?}");
}
