//! Fixed lists of texts through the compilers: what was compiled once, and was as it should be, is not compiled again.

use std::ffi::OsString;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use sortsmith_codegen::toolchain::{CompileOptions, Compiled, Nvcc, Nvrtc};
use sortsmith_testkit::proven::{Inputs, OF_COMPILERS, hash_of_files, is_source, prove};

use super::{compile_with, for_all, toolchain};

/// Sources, beside those of these tests, that read what compilers say, and the versions of libraries.
const JUDGES: [&str; 4] =
    ["Cargo.lock", "codegen/src/toolchain", "tests/kit/src/cores.rs", "tests/kit/src/seed.rs"];

/// Variables by which nvcc takes another host compiler or more options. What they name is not looked at: where one is set, no proof counts.
const OF_NVCC: [&str; 3] = ["NVCC_CCBIN", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"];

/// A text for NVRTC, and what is expected of it.
pub struct Product<E> {
    /// The spec's name.
    pub name: String,
    /// The text.
    pub text: String,
    /// How it is compiled.
    pub options: CompileOptions,
    /// What the test compares with.
    pub expected: E,
}

impl<E: Debug> Product<E> {
    /// Compiles it; an error if the compiler says anything at all about it.
    pub fn compiled(&self, nvrtc: &Nvrtc) -> Result<Compiled, String> {
        compile_with(nvrtc, &self.name, &self.text, &self.options)
    }

    fn add_to(&self, inputs: &mut Inputs) {
        let Self { name, text, options, expected } = self;
        inputs.add("name", name.as_bytes());
        inputs.add("text", text.as_bytes());
        // The folders have other paths elsewhere; their headers are inputs of all products.
        let without_folders = CompileOptions { include_dirs: Vec::new(), ..options.clone() };
        let has_folders = !options.include_dirs.is_empty();
        inputs.add_debug("options", &(without_folders.arguments(), options.format, has_folders));
        inputs.add_debug("expected", expected);
    }
}

/// Does the work for all products, unless it was done for the same ones before. The label is the one of errors.
pub fn prove_all<E: Debug + Sync>(
    test: &str,
    label: &str,
    products: &[Product<E>],
    work: impl Fn(&Product<E>) -> Result<(), String> + Sync,
) {
    let proof = || for_all(label, products, work);
    // Of a library that the dynamic loader finds the bytes are not known.
    let Some(tools) = nvrtc() else { return proof() };
    let inputs = |inputs: &mut Inputs| {
        inputs.add("NVRTC", tools.as_bytes());
        add_judges(inputs);
        for product in products {
            product.add_to(inputs);
        }
    };
    prove(&format!("compilers {test}"), inputs, proof);
}

/// Compiles a file by nvcc, which has these texts beside it, unless it was quiet before.
pub fn prove_quiet(test: &str, nvcc: &Nvcc, texts: &[(String, String)], proof: impl FnOnce()) {
    if OF_NVCC.iter().any(|it| std::env::var_os(it).is_some()) {
        return proof();
    }
    let inputs = |inputs: &mut Inputs| {
        inputs.add("nvcc", files_of_nvcc(nvcc).as_bytes());
        let version = nvcc.compile(["--version"]).unwrap_or_else(|error| panic!("{error}"));
        inputs.add("version of nvcc", version.stdout.as_bytes());
        for host in ["gcc", "g++"] {
            let version = Command::new(host).arg("--version").output();
            inputs.add(host, &version.map(|it| it.stdout).unwrap_or_default());
        }
        add_judges(inputs);
        for (name, text) in texts {
            inputs.add(name, text.as_bytes());
        }
    };
    prove(&format!("compilers {test}"), inputs, proof);
}

/// What calls the compilers, and judges.
fn add_judges(inputs: &mut Inputs) {
    inputs.add("machine", [std::env::consts::ARCH, std::env::consts::OS].join(" ").as_bytes());
    inputs.add_variables(&OF_COMPILERS);
    inputs.add_sources("tests/compilers", is_source);
    for path in JUDGES {
        inputs.add_sources(path, |path| is_source(path) || path == "Cargo.lock");
    }
}

/// The hash of NVRTC and of the headers that come with it; none where it has no file.
fn nvrtc() -> Option<&'static str> {
    static HASH: OnceLock<Option<String>> = OnceLock::new();
    let hash = HASH.get_or_init(|| {
        let nvrtc = toolchain().nvrtc.as_ref()?;
        nvrtc.root.as_ref()?;
        let folder = nvrtc.path.parent()?;
        let is_builtins = |path: &PathBuf| name_of(path).contains("nvrtc-builtins");
        let mut files = vec![nvrtc.path.clone()];
        files.extend(files_in(folder).into_iter().filter(is_builtins));
        files.extend(headers());
        Some(hash_of_files(&files))
    });
    hash.as_deref()
}

/// The hash of nvcc's own programs, as far as they are where toolkits have them, and of the toolkit's headers.
fn files_of_nvcc(nvcc: &Nvcc) -> &'static str {
    static HASH: OnceLock<String> = OnceLock::new();
    HASH.get_or_init(|| {
        let path = nvcc.path().canonicalize().unwrap_or_else(|_| nvcc.path().to_owned());
        let folder = path.parent().unwrap_or(Path::new("/"));
        let programs = [
            "nvcc.profile",
            "cudafe++",
            "fatbinary",
            "cicc",
            "../nvvm/bin/cicc",
            "../nvvm/libdevice/libdevice.10.bc",
            "../lib/libnvvm.so.4",
            "../nvvm/lib64/libnvvm.so.4",
        ];
        let programs = programs.map(|it| folder.join(it)).into_iter().filter(|it| it.is_file());
        let mut files: Vec<PathBuf> = std::iter::once(path.clone()).chain(programs).collect();
        files.extend(files_in(&folder.join("crt")));
        files.extend(files_in(&folder.join("../include")));
        files.extend(files_in(&folder.join("../include/crt")));
        files.extend(headers());
        hash_of_files(&files)
    })
}

/// The toolkit's own headers, and `nv/target`, which these include. No generated header includes any other.
fn headers() -> Vec<PathBuf> {
    let folders = toolchain().include_dirs.iter();
    let folders = folders.flat_map(|it| ["", "crt", "nv", "nv/detail"].map(|own| it.join(own)));
    folders.flat_map(|folder| files_in(&folder)).collect()
}

/// The files of a folder, by their names; none where there is no folder.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|it| it.path()).filter(|it| it.is_file()).collect();
    files.sort();
    files
}

fn name_of(path: &Path) -> String {
    path.file_name().map(OsString::from).unwrap_or_default().to_string_lossy().into_owned()
}
