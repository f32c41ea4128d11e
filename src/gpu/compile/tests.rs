#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};

use sortsmith_codegen::cache::source_key;
use sortsmith_codegen::device::Device;
use sortsmith_codegen::gather::{self, GatherSpec};
use sortsmith_codegen::toolchain::Component;
use sortsmith_codegen::{Arch, KeyType, VERSION, build, render};

use super::*;
use crate::embedded::registry::tests::{bundle_of, cubin, image};

const NAME: &str = "block_radix_sort_f16_u32_b128_i4_r4_asc";

static NOTHING_EMBEDDED: Registry = Registry::new();

fn text() -> String {
    let options = render::Options { tile_kernel: true, ..Default::default() };
    render::header(&NAME.parse().unwrap(), options).unwrap()
}

fn compiler(dir: &Path, settings: Settings, toolchain: &Toolchain) -> Compiler {
    Compiler::new(settings, &NOTHING_EMBEDDED, Cache::at(dir), Some(toolchain.clone()))
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

/// A toolchain with an NVRTC that cannot be loaded.
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

    let verbose = Settings { jit_disabled: false, verbose: true };
    let second = compiler(dir.path(), verbose, &toolchain);
    let found = second.image(NAME, &text(), 90, Format::Cubin).unwrap();
    assert_eq!(found.bytes, made.bytes);
    assert!(!has_loaded_nvrtc(&second));

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
    cache
        .put(
            &Kernel { source: source(NAME, "text"), options: &options, compiler: &identity },
            b"image",
        )
        .unwrap();
    let compiler = Compiler::new(Settings::default(), &NOTHING_EMBEDDED, cache, Some(toolchain));
    assert_eq!(compiler.image(NAME, "text", 90, Format::Cubin).unwrap().bytes, b"image");
    let error = compiler.image(NAME, "text", 80, Format::Cubin).unwrap_err();
    assert!(matches!(&error, Error::NoCompiler { arch: 80, .. }), "{error}");
    assert!(error.to_string().contains("cannot load"), "{error}");
}

#[test]
fn where_nothing_may_be_compiled_no_compiler_is_looked_for() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::at(dir.path());
    let options = CompileOptions::new(90, Format::Cubin);
    let put = |version, image: &[u8]| {
        let compiler = Identity::Loaded { name: "libnvrtc.so.13".into(), version };
        let kernel =
            Kernel { source: source(NAME, "text"), options: &options, compiler: &compiler };
        cache.put(&kernel, image).unwrap();
    };
    let strict = Settings { jit_disabled: true, verbose: true };
    let compiler = Compiler::new(strict, &NOTHING_EMBEDDED, cache.clone(), None);
    let image = |text: &str, arch| {
        let found = compiler.image(NAME, text, arch, Format::Cubin);
        assert!(compiler.toolchain.get().is_none());
        found
    };
    let refused = |found: Result<Image, Error>| matches!(found, Err(Error::JitDisabled { .. }));
    assert!(refused(image("text", 90)));
    put((13, 0), b"one");
    assert_eq!(image("text", 90).unwrap().bytes, b"one");
    // Any compiler's, and a damaged one is passed over.
    put((13, 1), b"other");
    let first = image("text", 90).unwrap().bytes;
    let files = fs::read_dir(dir.path()).unwrap().map(|file| file.unwrap().path());
    let holds = |path: &PathBuf| fs::read(path).unwrap().ends_with(&first);
    fs::write(files.into_iter().find(holds).unwrap(), "cut").unwrap();
    let second = image("text", 90).unwrap().bytes;
    assert!(first != second && [&b"one"[..], b"other"].contains(&&second[..]), "{second:?}");
    assert!(refused(image("text", 80)) && refused(image("another text", 90)));
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
    let small = "extern \"C\" __global__ void seven(int* x) { *x = 7; }";
    for _ in 0..2 {
        compiler.image("seven", small, 90, Format::Cubin).unwrap();
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

const EMBEDDED_PTX: &[u8] = b"embedded ptx\0";

fn embedded_cubin() -> &'static [u8] {
    cubin("embedded")
}

/// A registry of these images of a text of the kernel [`NAME`]: format, architecture, bytes.
fn embedded(text: &str, images: &[(Format, u32, &'static [u8])]) -> &'static Registry {
    let key: &str = source_key(&source(NAME, text)).to_string().leak();
    let images =
        images.iter().map(|(format, arch, bytes)| image(*format, (NAME, key, *arch), bytes));
    let registry = Registry::default();
    registry.register(bundle_of(VERSION, images.collect()));
    Box::leak(Box::new(registry))
}

/// A driver that refuses the images of this list, and loads others as their bytes.
fn driver(refused: &'static [&[u8]]) -> impl Fn(&[u8]) -> Result<Vec<u8>, Refusal> {
    move |image| {
        let refusal = || Err(Refusal::Code("as the test says".to_owned()));
        if refused.contains(&image) { refusal() } else { Ok(image.to_vec()) }
    }
}

/// A compiler with these embedded images, a cache that has a cubin and PTX for `sm_90`, and an NVRTC that does not load.
fn compiler_with(
    dir: &Path,
    registry: &'static Registry,
    settings: Settings,
) -> (Compiler, Toolchain) {
    let toolchain = unloadable(dir);
    let cache = Cache::at(dir.join("cache"));
    let identity = Identity::of(toolchain.nvrtc.as_ref().unwrap()).unwrap();
    for (format, image) in [(Format::Cubin, "cached cubin"), (Format::Ptx, "cached ptx")] {
        let options = CompileOptions::new(90, format);
        let kernel =
            Kernel { source: source(NAME, "text"), options: &options, compiler: &identity };
        cache.put(&kernel, image.as_bytes()).unwrap();
    }
    (Compiler::new(settings, registry, cache, Some(toolchain.clone())), toolchain)
}

#[test]
fn what_is_embedded_comes_before_the_cache_and_the_cache_before_the_compiler() {
    let dir = tempfile::tempdir().unwrap();
    let both = [(Format::Ptx, 80, EMBEDDED_PTX), (Format::Cubin, 90, embedded_cubin())];
    let registry = embedded("text", &both);
    for jit_disabled in [false, true] {
        let settings = Settings { jit_disabled, verbose: true };
        let (compiler, _) = compiler_with(dir.path(), registry, settings);
        let load = |arch, refused| compiler.load(NAME, "text", arch, driver(refused));
        assert_eq!(load(90, &[]).unwrap(), embedded_cubin());
        assert_eq!(load(90, vec![embedded_cubin()].leak()).unwrap(), EMBEDDED_PTX);
        // What is newer or in between gets PTX.
        assert_eq!(load(89, &[]).unwrap(), EMBEDDED_PTX);
        assert_eq!(load(120, &[]).unwrap(), EMBEDDED_PTX);
        let refused = vec![embedded_cubin(), EMBEDDED_PTX].leak();
        assert_eq!(load(90, refused).unwrap(), b"cached cubin");
        let refused = vec![embedded_cubin(), EMBEDDED_PTX, b"cached cubin"].leak();
        assert_eq!(load(90, refused).unwrap(), b"cached ptx");
        // Nothing else is left: the driver's reason, not the compiler's.
        let refused = vec![embedded_cubin(), EMBEDDED_PTX].leak();
        let error = load(100, refused).unwrap_err();
        let is_named = matches!(&error, Error::KernelRejected { kernel, arch: 100, reason }
            if kernel == NAME && reason == "as the test says");
        assert!(is_named, "{error}");
        // Nothing fits: neither embedded nor cached.
        let error = load(75, &[]).unwrap_err();
        assert_eq!(matches!(error, Error::JitDisabled { .. }), jit_disabled, "{error}");
        assert_eq!(matches!(error, Error::NoCompiler { .. }), !jit_disabled, "{error}");
        // Another source has nothing embedded, and nothing in the cache.
        assert!(compiler.load(NAME, "texts", 90, driver(&[])).is_err());
    }
}

#[test]
fn a_device_without_memory_is_offered_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let images = [(Format::Cubin, 80, embedded_cubin()), (Format::Ptx, 80, EMBEDDED_PTX)];
    let registry = embedded("text", &images);
    let (compiler, _) = compiler_with(dir.path(), registry, Settings::default());
    let offers = Cell::new(0);
    let full = |_: &[u8]| {
        offers.set(offers.get() + 1);
        Err::<(), _>(Refusal::Memory)
    };
    let (cubin, ptx) = (embedded_cubin().len(), EMBEDDED_PTX.len());
    for (arch, bytes) in [(86, cubin), (90, ptx), (90, ptx)] {
        offers.set(0);
        let error = compiler.load(NAME, "text", arch, full).unwrap_err();
        let is_named = matches!(error, Error::OutOfDeviceMemory { what: "a kernel", bytes: found } if found == bytes);
        assert!(is_named && offers.get() == 1, "{error}");
    }
    // The same of what the cache has.
    let (compiler, _) = compiler_with(dir.path(), &NOTHING_EMBEDDED, Settings::default());
    let error = compiler.load(NAME, "text", 90, full).unwrap_err();
    assert_eq!(error.to_string(), "no memory on the device for 12 bytes of a kernel");
}

#[test]
fn what_is_embedded_needs_no_toolchain_and_no_cache() {
    let registry = embedded("text", &[(Format::Cubin, 80, embedded_cubin())]);
    let dir = tempfile::tempdir().unwrap();
    for jit_disabled in [false, true] {
        let settings = Settings { jit_disabled, verbose: false };
        let cache = Cache::at(dir.path().join("cache"));
        let compiler = Compiler::new(settings, registry, cache, None);
        assert_eq!(compiler.load(NAME, "text", 86, driver(&[])).unwrap(), embedded_cubin());
        assert!(compiler.toolchain.get().is_none(), "a toolchain was looked for");
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn what_a_build_script_made_is_what_the_runtime_asks_for() {
    let Some(toolchain) = nvrtc() else { return };
    let (dir, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let sort = build::ArraySort::keys(KeyType::F16);
    let gather = GatherSpec::of::<[f32; 3]>().unwrap();
    build::Bundle::for_archs([80])
        .sort_up_to(sort, 500)
        .gather(gather)
        .toolchain(toolchain)
        .cache(Cache::at(cache.path()))
        .write_to(dir.path())
        .unwrap();
    let made = fs::read_to_string(dir.path().join(build::BUNDLE_FILE)).unwrap();
    let spec = sort.kernel(500, Device::of(Arch::new(80).unwrap()));
    for (name, text) in [
        (spec.to_string(), spec.source().unwrap()),
        (gather.to_string(), gather::header(&gather).unwrap()),
    ] {
        let key = source_key(&source(&name, &text)).to_string();
        assert_eq!(made.matches(&format!("({name:?}, \"{key}\", 80, ")).count(), 2, "{made}");
    }
    assert!(made.contains(&format!("({VERSION:?}, &[")), "{made}");
}
