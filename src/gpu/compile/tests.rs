#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

use std::fs;
use std::path::Path;

use sortsmith_codegen::render;
use sortsmith_codegen::toolchain::Component;

use super::*;

const NAME: &str = "block_radix_sort_f16_u32_b128_i4_r4_asc";

fn text() -> String {
    let options = render::Options { tile_kernel: true };
    render::header(&NAME.parse().unwrap(), options).unwrap()
}

fn compiler(dir: &Path, settings: Settings, toolchain: &Toolchain) -> Compiler {
    Compiler::new(settings, Cache::at(dir), Some(toolchain.clone()))
}

fn has_loaded_nvrtc(compiler: &Compiler) -> bool {
    compiler.nvrtc.lock().unwrap().is_some()
}

/// The toolchain, if it has NVRTC; else it says that the test is left out.
fn nvrtc() -> Option<Toolchain> {
    let toolchain = Toolchain::find();
    if toolchain.nvrtc.is_none() {
        println!("left out: no NVRTC found");
    }
    toolchain.nvrtc.is_some().then_some(toolchain)
}

/// A toolchain whose NVRTC is a file that cannot be loaded.
fn unloadable(dir: &Path) -> Toolchain {
    let name = if cfg!(windows) { "bin/nvrtc64_130_0.dll" } else { "lib64/libnvrtc.so.13" };
    let library = dir.join(name);
    fs::create_dir_all(library.parent().unwrap()).unwrap();
    fs::write(library, "no library").unwrap();
    Toolchain::in_folder(dir)
}

#[test]
fn a_kernel_is_compiled_once_and_then_found_without_nvrtc() {
    let Some(toolchain) = nvrtc() else { return };
    let dir = tempfile::tempdir().unwrap();
    let first = compiler(dir.path(), Settings::default(), &toolchain);
    // Half-precision keys need no header of CUDA's.
    let made = first.image(NAME, &text(), 90, Format::Cubin).unwrap();
    assert_eq!(made.format, Format::Cubin);
    assert!(made.bytes.starts_with(b"\x7fELF"));
    assert!(has_loaded_nvrtc(&first));

    for jit_disabled in [false, true] {
        let settings = Settings { jit_disabled, verbose: true };
        let second = compiler(dir.path(), settings, &toolchain);
        let found = second.image(NAME, &text(), 90, Format::Cubin).unwrap();
        assert_eq!(found.bytes, made.bytes);
        assert!(!has_loaded_nvrtc(&second));
    }

    // A damaged entry is made again.
    let entry = fs::read_dir(dir.path()).unwrap().next().unwrap().unwrap().path();
    fs::write(&entry, "cut").unwrap();
    let third = compiler(dir.path(), Settings::default(), &toolchain);
    assert_eq!(third.image(NAME, &text(), 90, Format::Cubin).unwrap().bytes, made.bytes);
    assert!(has_loaded_nvrtc(&third));
}

#[test]
fn what_is_cached_for_a_compiler_needs_no_compiler_that_loads() {
    let dir = tempfile::tempdir().unwrap();
    let toolchain = unloadable(dir.path());
    let cache = Cache::at(dir.path().join("cache"));
    let identity = Identity::of(toolchain.nvrtc.as_ref().unwrap()).unwrap();
    let options = CompileOptions::new(90, Format::Cubin);
    let source = Source { name: NAME, text: "text", headers: &STORAGE_HEADERS };
    cache.put(&Kernel { source, options: &options, compiler: &identity }, b"image").unwrap();
    let compiler = Compiler::new(Settings::default(), cache, Some(toolchain));
    assert_eq!(compiler.image(NAME, "text", 90, Format::Cubin).unwrap().bytes, b"image");
    let error = compiler.image(NAME, "text", 80, Format::Cubin).unwrap_err();
    assert!(matches!(&error, Error::NoCompiler { arch: 80, .. }), "{error}");
    assert!(error.to_string().contains("cannot load"), "{error}");
}

#[test]
fn without_a_compiler_the_error_names_the_kernel() {
    let dir = tempfile::tempdir().unwrap();
    let none = Toolchain::default();
    let error = compiler(dir.path(), Settings::default(), &none)
        .image(NAME, "", 90, Format::Cubin)
        .unwrap_err();
    assert!(matches!(error, Error::NoCompiler { .. }));
    assert!(error.to_string().contains(NAME) && error.to_string().contains("SORTSMITH_CUDA"));
    let strict = Settings { jit_disabled: true, verbose: false };
    for toolchain in [none, unloadable(dir.path())] {
        let error = compiler(dir.path(), strict, &toolchain)
            .image(NAME, "", 90, Format::Cubin)
            .unwrap_err();
        assert!(matches!(&error, Error::JitDisabled { kernel, arch: 90 } if kernel == NAME));
    }
}

#[test]
fn a_device_newer_than_the_compiler_gets_ptx() {
    let supported = [75, 80, 90, 120];
    assert_eq!(target(&supported, 90, Format::Cubin), Some((90, Format::Cubin)));
    assert_eq!(target(&supported, 90, Format::Ptx), Some((90, Format::Ptx)));
    assert_eq!(target(&supported, 103, Format::Cubin), Some((90, Format::Ptx)));
    assert_eq!(target(&supported, 70, Format::Cubin), None);

    let Some(toolchain) = nvrtc() else { return };
    let dir = tempfile::tempdir().unwrap();
    let made = compiler(dir.path(), Settings::default(), &toolchain)
        .image(NAME, &text(), 9999, Format::Cubin)
        .unwrap();
    assert_eq!(made.format, Format::Ptx);
    assert_eq!(made.bytes.iter().position(|byte| *byte == 0), Some(made.bytes.len() - 1));
    let second = compiler(dir.path(), Settings::default(), &toolchain);
    let found = second.image(NAME, &text(), 9999, Format::Cubin).unwrap();
    assert_eq!((found.bytes, found.format), (made.bytes, Format::Ptx));
    assert!(!has_loaded_nvrtc(&second));
    let error = second.image(NAME, &text(), 10, Format::Cubin).unwrap_err();
    assert!(error.to_string().contains("sm_10 is not an architecture"), "{error}");
}

#[test]
fn a_source_that_does_not_compile_is_kept() {
    let Some(toolchain) = nvrtc() else { return };
    let dir = tempfile::tempdir().unwrap();
    let error = compiler(dir.path(), Settings::default(), &toolchain)
        .image("broken", "int f() { return; }", 90, Format::Cubin)
        .unwrap_err();
    let Error::Compile { kernel, log, kept: Some(folder), .. } = &error else { panic!("{error}") };
    assert_eq!(kernel, "broken");
    assert!(log.contains("return"), "{log}");
    assert_eq!(fs::read_to_string(folder.join("broken.cu")).unwrap(), "int f() { return; }");
    assert!(error.to_string().contains(folder.to_str().unwrap()));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_cache_that_fails_is_not_fatal() {
    let Some(toolchain) = nvrtc() else { return };
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "mine").unwrap();
    let compiler = compiler(&file, Settings { verbose: true, jit_disabled: false }, &toolchain);
    let small = "extern \"C\" __global__ void fill(int* x) { *x = 7; }";
    for _ in 0..2 {
        compiler.image("fill", small, 90, Format::Cubin).unwrap();
    }
    assert_eq!(fs::read(&file).unwrap(), b"mine");
}

#[test]
fn the_identity_is_the_file_behind_the_links() {
    let dir = tempfile::tempdir().unwrap();
    let toolchain = unloadable(dir.path());
    let nvrtc = toolchain.nvrtc.unwrap();
    let of = |component: &Component| Identity::of(component).unwrap();
    let before = of(&nvrtc);
    assert_eq!(before, of(&nvrtc));
    fs::write(&nvrtc.path, "another library").unwrap();
    assert_ne!(before, of(&nvrtc));
    #[cfg(unix)]
    {
        let link = dir.path().join("link.so");
        std::os::unix::fs::symlink(&nvrtc.path, &link).unwrap();
        assert_eq!(of(&nvrtc), of(&Component { path: link, ..nvrtc.clone() }));
    }
}
