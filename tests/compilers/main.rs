//! Generated CUDA through NVIDIA's compilers. No GPU is needed, but a CUDA toolkit is: without one the tests say what they
//! leave out, and pass, unless `SORTSMITH_REQUIRE_CUDA=1`.
//!
//! `SORTSMITH_SEED` repeats a run, `SORTSMITH_SPEC` narrows it to specs by name, `SORTSMITH_DEEP=1` makes it long.

mod device;
mod kernels;
mod networks;
mod nvcc;
mod nvrtc;
mod proofs;
mod ptx;
mod spills;

use std::fmt::Display;
use std::sync::OnceLock;
use std::sync::{Mutex, PoisonError};

use nvrtc::ARCHS;
use sortsmith_codegen::device::DeviceSpec;
use sortsmith_codegen::toolchain::{
    CompileOptions, Format, Nvrtc, Source, Toolchain, ToolchainError,
};
use sortsmith_codegen::{KeyType, SortSpec, toolchain};
use sortsmith_testkit::cores;
use sortsmith_testkit::emulator::Member;
use sortsmith_testkit::sampler;
use sortsmith_testkit::seed::{self, Seed};

const REQUIRE_VARIABLE: &str = "SORTSMITH_REQUIRE_CUDA";

fn toolchain() -> &'static Toolchain {
    static TOOLCHAIN: OnceLock<Toolchain> = OnceLock::new();
    TOOLCHAIN.get_or_init(Toolchain::find)
}

/// The tool, or a word on what is left out for want of it.
fn found<T>(tool: Result<T, ToolchainError>, left_out: &str) -> Option<T> {
    match tool {
        Ok(tool) => Some(tool),
        Err(error) if std::env::var(REQUIRE_VARIABLE).is_ok_and(|value| value == "1") => {
            panic!("{left_out}: {error}")
        }
        Err(error) => {
            eprintln!("left out: {left_out}: {error}");
            None
        }
    }
}

fn loaded_nvrtc(left_out: &str) -> Option<Nvrtc> {
    found(Nvrtc::load(toolchain()), left_out)
}

/// The chosen specs, else `count` fresh ones. Four in five have a small number of items a thread: compilers unroll all of them, and take
/// ten times as long for 64 as for 8.
fn fresh_specs(seed: Seed, subject: &str, count: usize) -> Vec<SortSpec> {
    if let Some(names) = seed::chosen_specs() {
        return names
            .iter()
            .map(|name| name.parse().unwrap_or_else(|error| panic!("{error}")))
            .collect();
    }
    let mut rng = seed.rng(subject);
    let mut of_at_most = |items: u32| {
        let mut fresh = std::iter::repeat_with(|| sampler::block_radix(&mut rng));
        fresh.find(|spec| spec.items <= items).expect("it goes on for ever")
    };
    (0..count).map(|number| of_at_most(if number.is_multiple_of(5) { 64 } else { 12 })).collect()
}

fn header(spec: &SortSpec) -> String {
    Member::of(spec).unwrap_or_else(|error| panic!("{spec}: {error}")).header
}

/// A spec of any kind: it has a name, and a type of keys.
trait Keyed: Display {
    fn key(&self) -> KeyType;
}

impl Keyed for SortSpec {
    fn key(&self) -> KeyType {
        self.key
    }
}

impl Keyed for DeviceSpec {
    fn key(&self) -> KeyType {
        self.key
    }
}

/// Compiles one header as a program, with a folder of headers only where its key type needs one.
fn compile(
    nvrtc: &Nvrtc,
    spec: &impl Keyed,
    text: &str,
    arch: u32,
    format: Format,
) -> Result<toolchain::Compiled, String> {
    compile_with(nvrtc, &spec.to_string(), text, &options_for(spec, arch, format))
}

fn options_for(spec: &impl Keyed, arch: u32, format: Format) -> CompileOptions {
    let mut options = CompileOptions::new(arch, format);
    if spec.key().info().header.is_some() {
        options.include_dirs.clone_from(&toolchain().include_dirs);
    }
    options
}

/// The compiler's level of optimisation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// What it does for a program.
    Full,
    /// Whatever it may say of the text, but nothing to make the code faster: a fifth of the time.
    Little,
}

impl Effort {
    /// Of the number-th of several architectures, or texts, that are much alike: full for one in as many as there are architectures,
    /// and for all with time to spare.
    fn of(number: usize) -> Self {
        let is_full = seed::is_deep() || number.is_multiple_of(ARCHS.len());
        if is_full { Self::Full } else { Self::Little }
    }

    /// A cubin, or the text that the assembler would get.
    fn format(self) -> Format {
        match self {
            Self::Full => Format::Cubin,
            Self::Little => Format::Ptx,
        }
    }

    /// The words for a compiler of this version.
    fn options(self, version: (i32, i32)) -> Vec<String> {
        // Older ones do not know it.
        let knows = version >= (13, 0);
        let is_little = self == Self::Little && knows;
        is_little.then(|| "--Ofast-compile=max".to_owned()).into_iter().collect()
    }
}

/// How a header is compiled with so much effort.
fn options_by_effort(
    nvrtc: &Nvrtc,
    spec: &impl Keyed,
    arch: u32,
    effort: Effort,
) -> CompileOptions {
    let mut options = options_for(spec, arch, effort.format());
    options.extra = effort.options(nvrtc.version());
    options
}

/// Compiles one header as a program; an error if the compiler says anything at all about it.
fn compile_with(
    nvrtc: &Nvrtc,
    name: &str,
    text: &str,
    options: &CompileOptions,
) -> Result<toolchain::Compiled, String> {
    let (file, arch) = (format!("{name}.cu"), options.arch);
    let compiled = nvrtc
        .compile(&Source::new(&file, text), options)
        .map_err(|error| format!("sm_{arch}: {error}"))?;
    if compiled.log.is_empty() {
        Ok(compiled)
    } else {
        Err(format!("{name}, sm_{arch}: {}", compiled.log))
    }
}

/// Does the work for all items on all cores, in the quick run for a sample of them, and panics with what went wrong with any.
fn for_all<T: Sync>(test: &str, items: &[T], work: impl Fn(&T) -> Result<(), String> + Sync) {
    let tested: Vec<usize> = Seed::from_env().tested(items.len()).collect();
    let failures = Mutex::new(Vec::new());
    cores::for_each(
        &tested,
        || (),
        |(), index| {
            if let Err(error) = work(&items[*index]) {
                failures.lock().unwrap_or_else(PoisonError::into_inner).push(error);
            }
        },
    );
    let failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
    let shown = failures.iter().take(10).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{test}: {} of {} failed:\n{shown}", failures.len(), tested.len());
    eprintln!("{test}: {} compiled", tested.len());
}
