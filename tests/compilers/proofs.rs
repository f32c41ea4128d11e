//! Fixed lists of texts through the compilers: what was compiled once, and was as it should be, is not compiled again.

use std::ffi::OsString;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sortsmith_codegen::toolchain::{CompileOptions, Compiled, Nvcc, Nvrtc};
use sortsmith_testkit::proven::{
    Inputs, files_in, hash_of_files, headers_in, is_source, nvcc_is_plain, prove,
};

use super::{compile_with, for_all, toolchain};

/// Sources, beside those of these tests, that read what compilers say, and the versions of libraries.
const JUDGES: [&str; 4] =
    ["Cargo.lock", "codegen/src/toolchain", "tests/kit/src/cores.rs", "tests/kit/src/seed.rs"];

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
    if !nvcc_is_plain() {
        return proof();
    }
    let inputs = |inputs: &mut Inputs| {
        inputs.add_nvcc(nvcc, &toolchain().include_dirs);
        add_judges(inputs);
        for (name, text) in texts {
            inputs.add(name, text.as_bytes());
        }
    };
    prove(&format!("compilers {test}"), inputs, proof);
}

/// What calls the compilers, and judges.
fn add_judges(inputs: &mut Inputs) {
    inputs.add_machine();
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
        files.extend(headers_in(&toolchain().include_dirs));
        Some(hash_of_files(&files))
    });
    hash.as_deref()
}

fn name_of(path: &Path) -> String {
    path.file_name().map(OsString::from).unwrap_or_default().to_string_lossy().into_owned()
}
