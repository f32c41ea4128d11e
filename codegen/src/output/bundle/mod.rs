//! Kernels compiled by a build script, for programs that carry them: such a program sorts on machines that have a driver
//! and nothing else, and its first sort compiles nothing.
//!
//! In `Cargo.toml`, with the same version for both:
//!
//! ```toml
//! [dependencies]
//! sortsmith = "0.1"
//!
//! [build-dependencies]
//! sortsmith-codegen = { version = "0.1", default-features = false, features = ["build"] }
//! ```
//!
//! In `build.rs`:
//!
//! ```no_run
//! use sortsmith_codegen::build::{ArraySort, Bundle, BuildError};
//! use sortsmith_codegen::{KeyType, ValueType};
//!
//! fn main() -> Result<(), BuildError> {
//!     Bundle::for_archs([80, 90])
//!         .sort(ArraySort::pairs(KeyType::F32, ValueType::U32))
//!         .sort(ArraySort::argsort(KeyType::U64).descending())
//!         .write()
//! }
//! ```
//!
//! And where the program begins, `sortsmith::embed!();`. `examples/embedded` is all of such a program.
//!
//! # What a bundle holds
//!
//! - For each sort what the runtime uses for any number of items: tiles for few, a device-wide sort for many. Ascending
//!   and descending are two sorts. Ranges of bits take no kernels of their own.
//! - For values of other sizes than 1, 2, 4, 8 and 16 bytes: the sort of their keys' positions, and [a gather](Bundle::gather).
//! - For each architecture that is named a cubin, which runs on devices of its major number with no lower minor number:
//!   that of `sm_80` serves `sm_86` and `sm_89` too. It then holds what those have the shared memory for.
//! - For all other devices PTX of the newest of them, which the driver assembles; see [`Bundle::ptx`].
//!
//! What is not in it is compiled at run time, as if there were no bundle.
//!
//! # What it takes
//!
//! NVRTC, where [`toolchain`] looks for it, and no GPU. Kernels that were compiled before on this
//! machine come from the [cache](crate::cache). Cargo runs the build script again when it has changed, or NVRTC, or
//! a variable that names a toolkit.

mod error;
mod manifest;
mod plan;

use std::io::{self, Write as _};
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::{env, fs, thread};

use crate::binned_argsort::BinnedTask;
use crate::cache::{Cache, Kernel, Key, source_key};
use crate::contract::spec::SortSpec;
use crate::device::DeviceFields;
use crate::files::atomic;
use crate::gather::GatherSpec;
use crate::registry::Named;
use crate::segments::SegmentSpec;
use crate::text::STORAGE_HEADERS;
use crate::toolchain::{
    self, CompileOptions, Identity, Nvrtc, Source, Toolchain, ToolchainError, VARIABLES,
};
use crate::top_k::TopKTask;
use crate::types::Arch;

pub use crate::select::dispatch::ArraySort;
pub use crate::select::rows::RowSort;
pub use error::BuildError;
pub use manifest::BUNDLE_FILE;
use plan::Target;

/// Kernels to compile and to embed.
#[derive(Clone, Debug)]
#[must_use]
pub struct Bundle {
    archs: Vec<u32>,
    ptx: Option<Vec<u32>>,
    sorts: Vec<(ArraySort, u64)>,
    tiles: Vec<SortSpec>,
    rows: Vec<(RowSort, u64)>,
    /// Of the families of `kernel_families!`: the specs of each request, for each device that there is.
    others: Vec<Vec<(Arch, Named)>>,
    toolchain: Option<Toolchain>,
    cache: Cache,
}

/// A compiled kernel.
#[derive(Debug)]
struct Image {
    target: Target,
    source: Key,
    /// As the driver loads it.
    bytes: Vec<u8>,
}

impl Bundle {
    /// A bundle of nothing yet, with cubins for these architectures: compute capabilities without their dots, such as 90.
    pub fn for_archs(archs: impl IntoIterator<Item = u32>) -> Self {
        Self {
            archs: archs.into_iter().collect(),
            ptx: None,
            sorts: Vec::new(),
            tiles: Vec::new(),
            rows: Vec::new(),
            others: Vec::new(),
            toolchain: None,
            cache: Cache::of_this_user(),
        }
    }

    /// PTX of these architectures, for devices that are as new or newer and that no cubin is for. Without this call it is
    /// that of the newest architecture that has a cubin; `[]` means none.
    ///
    /// PTX of an old architecture serves more devices, and that of a new one sorts faster on them. Drivers that are older than
    /// the NVRTC that made it refuse it.
    pub fn ptx(self, archs: impl IntoIterator<Item = u32>) -> Self {
        Self { ptx: Some(archs.into_iter().collect()), ..self }
    }

    /// A sort of arrays of up to 2³⁰ − 1 items. Where a number on the device says how many there are, it is a sort of its own:
    /// [`ArraySort::counted`].
    pub fn sort(self, sort: ArraySort) -> Self {
        self.sort_up_to(sort, DeviceFields::MAX_NARROW_ITEMS)
    }

    /// A sort of arrays of up to `n` items. Up to a few thousand it takes fewer kernels, and from 2³⁰ on one more.
    pub fn sort_up_to(mut self, sort: ArraySort, n: u64) -> Self {
        self.sorts.push((sort, n));
        self
    }

    /// The tile kernel of a spec, as `sortsmith::BlockRadixSort` uses it. Architectures without the shared memory for it
    /// are passed over.
    pub fn tiles(mut self, spec: SortSpec) -> Self {
        self.tiles.push(spec);
        self
    }

    /// The gather of values that no sort carries: of their bytes, and of the alignment of their type or 16 if that is less.
    ///
    /// A sort of keys with such values takes the kernels of two: [`ArraySort::argsort`] of the keys, and this.
    ///
    /// ```no_run
    /// use sortsmith_codegen::build::{ArraySort, Bundle, BuildError};
    /// use sortsmith_codegen::KeyType;
    /// use sortsmith_codegen::gather::GatherSpec;
    ///
    /// fn main() -> Result<(), BuildError> {
    ///     // Of `u32` keys with `[f32; 3]`.
    ///     Bundle::for_archs([80, 90])
    ///         .sort(ArraySort::argsort(KeyType::U32))
    ///         .gather(GatherSpec::new(12, 4)?)
    ///         .write()
    /// }
    /// ```
    pub fn gather(self, spec: GatherSpec) -> Self {
        self.request(|_| [spec])
    }

    /// A top-k of rows, of up to k keys. For a k that no kernel of a device has room for, its runtime takes the kernels of two:
    /// [`ArraySort::argsort`] of the keys, and a [`gather`](Self::gather) of items of a key's bytes.
    pub fn top_k(self, task: TopKTask, k: u64) -> Self {
        self.request(|device| task.specs(k, device.max_shared_bytes()))
    }

    /// A sort of segments: [`SegmentSpec::of`] its types is the one that the runtime uses. Values that no sort carries take the one of
    /// positions, and a [`gather`](Self::gather).
    pub fn segments(self, spec: SegmentSpec) -> Self {
        self.request(|_| [spec])
    }

    /// A binned argsort of arrays and of rows. Kernels are for up to as many bins as the next power of two.
    pub fn binned_argsort(self, task: BinnedTask) -> Self {
        self.request(|device| task.specs(device.max_shared_bytes()))
    }

    /// A sort of rows of up to as many columns; the architecture of the request does not matter. One row alone, and rows of more columns than a
    /// sort of rows takes, are sorted by the kernels of [`sort`](Self::sort). Where a number on the device says how many rows there are, it is
    /// a sort of its own: [`RowSort::counted`].
    pub fn rows(mut self, sort: RowSort, columns: u64) -> Self {
        self.rows.push((sort, columns));
        self
    }

    /// Adds specs of a family of `kernel_families!`: those that a device may ask for.
    fn request<S: Into<Named>, I: IntoIterator<Item = S>>(
        mut self,
        specs_of: impl Fn(Arch) -> I,
    ) -> Self {
        let of_device =
            |device: Arch| specs_of(device).into_iter().map(move |spec| (device, spec.into()));
        self.others.push(Arch::all().flat_map(of_device).collect());
        self
    }

    /// Compiles with this toolchain, and looks for none.
    pub fn toolchain(self, toolchain: Toolchain) -> Self {
        Self { toolchain: Some(toolchain), ..self }
    }

    /// Keeps compiled kernels in this cache, not in that of the user.
    pub fn cache(self, cache: Cache) -> Self {
        Self { cache, ..self }
    }

    /// Makes the bundle in Cargo's `OUT_DIR`, where `sortsmith::embed!()` expects it, and tells Cargo when to run the build
    /// script again.
    pub fn write(self) -> Result<(), BuildError> {
        let (bundle, out_dir) = self.begin()?;
        bundle.write_to(out_dir)
    }

    /// As [`write`](Self::write); but where there is no NVRTC it warns and writes a bundle that holds nothing, so that the
    /// program is built all the same and compiles kernels when it runs.
    pub fn write_or_warn(self) -> Result<(), BuildError> {
        let (bundle, out_dir) = self.begin()?;
        match bundle.write_to(&out_dir) {
            Err(error @ BuildError::NoCompiler(_)) => {
                tell_cargo(&format!("cargo::warning={error}; the program is built without them"));
                write(&out_dir, &[])
            }
            result => result,
        }
    }

    /// Makes the bundle in this folder, from where `sortsmith::embed!` takes it by the path of its [`BUNDLE_FILE`]: to be
    /// kept under version control, say, for builds on machines without NVRTC. Nothing is printed for Cargo.
    pub fn write_to(&self, dir: impl AsRef<Path>) -> Result<(), BuildError> {
        write(dir.as_ref(), &self.images()?)
    }

    /// Looks for the toolchain, prints for Cargo what the bundle depends on, and finds the folder that it is written to.
    fn begin(self) -> Result<(Self, PathBuf), BuildError> {
        let toolchain = self.toolchain.clone().unwrap_or_else(Toolchain::find);
        for instruction in instructions(&toolchain) {
            tell_cargo(&instruction);
        }
        let out_dir = env::var_os("OUT_DIR").ok_or(BuildError::NoOutDir)?;
        Ok((self.toolchain(toolchain), PathBuf::from(out_dir)))
    }

    /// Everything compiled, by all cores; by file name.
    fn images(&self) -> Result<Vec<Image>, BuildError> {
        let targets = self.targets()?;
        let toolchain = self.toolchain.clone().unwrap_or_else(Toolchain::find);
        let compiler = Compiler::load(&toolchain, &self.cache).map_err(BuildError::NoCompiler)?;
        let jobs = jobs().min(targets.len());
        let (targets, compiler) = (&targets, &compiler);
        let share = |first| {
            move || {
                let share = targets.iter().skip(first).step_by(jobs);
                share
                    .map(|target| compiler.image(target))
                    .collect::<Result<Vec<Image>, BuildError>>()
            }
        };
        let mut images = Vec::with_capacity(targets.len());
        thread::scope(|scope| -> Result<(), BuildError> {
            let workers: Vec<_> = (0..jobs).map(|first| scope.spawn(share(first))).collect();
            for worker in workers {
                images.extend(worker.join().unwrap_or_else(|panic| resume_unwind(panic))?);
            }
            Ok(())
        })?;
        images.sort_by_cached_key(|image| image.target.file_name());
        Ok(images)
    }
}

/// The number of jobs that Cargo runs, or of cores.
fn jobs() -> usize {
    let jobs = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok());
    jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}

/// Says a line to Cargo. Where Cargo has ended, a failure does not matter.
fn tell_cargo(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// The lines for Cargo: when to run the build script again.
fn instructions(toolchain: &Toolchain) -> Vec<String> {
    let variables = VARIABLES.map(|name| format!("cargo::rerun-if-env-changed={name}"));
    let nvrtc = toolchain.nvrtc.iter().filter(|nvrtc| nvrtc.path.is_file());
    let nvrtc = nvrtc.map(|nvrtc| format!("cargo::rerun-if-changed={}", nvrtc.path.display()));
    variables.into_iter().chain(nvrtc).collect()
}

/// Writes the images and the file that names them.
fn write(dir: &Path, images: &[Image]) -> Result<(), BuildError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| BuildError::Write { path, source }
    };
    let folder = dir.join(manifest::IMAGES_FOLDER);
    fs::create_dir_all(&folder).map_err(failed(&folder))?;
    for image in images {
        let path = folder.join(image.target.file_name());
        atomic::write(&path, &[&image.bytes], atomic::ANY).map_err(failed(&path))?;
    }
    let path = dir.join(BUNDLE_FILE);
    let text = manifest::text(images);
    atomic::write(&path, &[text.as_bytes()], atomic::ANY).map_err(failed(&path))
}

/// NVRTC, and the cache before it.
struct Compiler<'a> {
    nvrtc: Nvrtc,
    identity: Identity,
    cache: &'a Cache,
}

impl<'a> Compiler<'a> {
    fn load(toolchain: &Toolchain, cache: &'a Cache) -> Result<Self, ToolchainError> {
        let nvrtc = Nvrtc::load(toolchain)?;
        let found = toolchain.nvrtc.as_ref().ok_or(ToolchainError::NotFound { what: "NVRTC" })?;
        Ok(Self { nvrtc, identity: Identity::of(found)?, cache })
    }

    fn image(&self, target: &Target) -> Result<Image, BuildError> {
        let Target { kernels, arch, format } = *target;
        let (name, text) = (kernels.to_string(), kernels.source()?);
        let source = Source { name: &name, text: &text, headers: &STORAGE_HEADERS };
        let options = CompileOptions::new(arch.capability(), format);
        let kernel = Kernel { source, options: &options, compiler: &self.identity };
        let image = |bytes| Image { target: *target, source: source_key(&source), bytes };
        // A cache that fails is as good as none.
        if let Ok(Some(bytes)) = self.cache.get(&kernel) {
            return Ok(image(bytes));
        }
        let compiled = self.nvrtc.compile(&source, &options).map_err(|error| match error {
            ToolchainError::Compile { log, .. } => {
                let kept = toolchain::keep_source(&format!("{name}.cu"), &text, &log).ok();
                BuildError::Compile { kernel: name.clone(), arch, log, kept }
            }
            source => BuildError::Compiler { kernel: name.clone(), arch, source },
        })?;
        let bytes = compiled.into_loadable();
        let _ = self.cache.put(&kernel, &bytes);
        Ok(image(bytes))
    }
}

#[cfg(test)]
mod tests;
