//! From a source to what the driver loads: out of the program itself, out of the cache, or by NVRTC.

use std::fmt;
use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use sortsmith_codegen::cache::{Cache, Kernel};
use sortsmith_codegen::render::STORAGE_HEADERS;
use sortsmith_codegen::toolchain::{
    self, CompileOptions, Format, Identity, Nvrtc, Source, Toolchain, ToolchainError,
};

use super::embedded::Registry;
use crate::Error;

/// Makes kernels for any device. NVRTC is loaded when something has to be compiled, not before.
#[derive(Debug)]
pub struct Compiler {
    settings: Settings,
    embedded: &'static Registry,
    cache: Cache,
    toolchain: OnceLock<Toolchain>,
    nvrtc: Mutex<Option<Arc<Nvrtc>>>,
}

/// What the environment says about compiling.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// `SORTSMITH_DISABLE_JIT=1`: kernels are embedded, or come from the cache, or not at all, and no compiler is looked for.
    pub jit_disabled: bool,
    /// `SORTSMITH_VERBOSE=1`: stderr is told of each kernel.
    pub verbose: bool,
}

impl Settings {
    /// As the environment has them now.
    pub fn from_env() -> Self {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| value == "1");
        Self { jit_disabled: is_set("SORTSMITH_DISABLE_JIT"), verbose: is_set("SORTSMITH_VERBOSE") }
    }

    /// Says something to whoever asked for it. A stderr that nobody reads any more is no reason not to sort.
    pub fn say(self, what: impl FnOnce() -> String) {
        if self.verbose {
            let line = format!("sortsmith: {}\n", what());
            let _ = io::stderr().write_all(line.as_bytes());
        }
    }
}

/// Code for the driver to load.
#[derive(Debug)]
struct Image {
    /// The cubin; or PTX, ended by a NUL as the driver wants it.
    bytes: Vec<u8>,
    /// Which of the two.
    format: Format,
}

/// Why the driver does not load code.
#[derive(Debug)]
pub enum Refusal {
    /// For something about this code, in the driver's words: other code may do.
    Code(String),
    /// There is no memory for it on the device, nor for any other.
    Memory,
}

impl Compiler {
    /// The one that the process shares, set up as the environment says.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Compiler> = OnceLock::new();
        SHARED.get_or_init(|| {
            let embedded = Registry::of_this_process();
            Self::new(Settings::from_env(), embedded, Cache::of_this_user(), None)
        })
    }

    /// A compiler with embedded kernels and a cache. The toolchain is looked for at the first use if none is given.
    pub fn new(
        settings: Settings,
        embedded: &'static Registry,
        cache: Cache,
        toolchain: Option<Toolchain>,
    ) -> Self {
        let toolchain = toolchain.map_or_else(OnceLock::new, OnceLock::from);
        Self { settings, embedded, cache, toolchain, nvrtc: Mutex::new(None) }
    }

    /// Loads code of this source for a device of this architecture: offers `load`, which is the driver, what the program
    /// carries, then a cubin out of the cache or by NVRTC, then PTX by the same way, until it takes one. What it refuses it
    /// gives a reason for; want of memory ends it.
    pub fn load<T>(
        &self,
        name: &str,
        text: &str,
        arch: u32,
        load: impl Fn(&[u8]) -> Result<T, Refusal>,
    ) -> Result<T, Error> {
        let offer = |bytes: &[u8], what: fmt::Arguments<'_>| match load(bytes) {
            Ok(loaded) => Ok(Ok(loaded)),
            Err(Refusal::Memory) => {
                Err(Error::OutOfDeviceMemory { what: "a kernel", bytes: bytes.len() })
            }
            Err(Refusal::Code(reason)) => {
                self.settings.say(|| format!("the driver refuses the {what} of {name}: {reason}"));
                Ok(Err(reason))
            }
        };
        let mut refusal = None;
        for image in self.embedded.images(&source(name, text), arch, self.settings) {
            let (format, target) = (image.format(), image.arch());
            match offer(image.bytes(), format_args!("embedded {format}"))? {
                Ok(loaded) => {
                    let what =
                        || format!("{name} for sm_{arch} is embedded ({format} of sm_{target})");
                    self.settings.say(what);
                    return Ok(loaded);
                }
                Err(reason) => refusal = Some(reason),
            }
        }
        // Older drivers refuse machine code of a newer compiler, and may take its PTX.
        for format in [Format::Cubin, Format::Ptx] {
            let image = match self.image(name, text, arch, format) {
                Ok(image) => image,
                // What there is has been refused.
                Err(Error::NoCompiler { .. } | Error::JitDisabled { .. }) if refusal.is_some() => {
                    break;
                }
                Err(error) => return Err(error),
            };
            match offer(&image.bytes, format_args!("{}", image.format))? {
                Ok(loaded) => return Ok(loaded),
                Err(reason) => refusal = Some(reason),
            }
            if image.format != format {
                break; // it was PTX already
            }
        }
        let reason = refusal.unwrap_or_default();
        Err(Error::KernelRejected { kernel: name.to_owned(), arch, reason })
    }

    /// Code of this source for a device of this architecture.
    ///
    /// Where a cubin is asked for, it may be PTX all the same: for a device that is newer than NVRTC, which the driver
    /// then assembles.
    fn image(&self, name: &str, text: &str, arch: u32, format: Format) -> Result<Image, Error> {
        let source = source(name, text);
        // PTX of a device that NVRTC does not know is kept under the device's architecture, so that finding it does not
        // take NVRTC, which alone knows for which one it was compiled.
        let formats: &[Format] = match format {
            Format::Cubin => &[Format::Cubin, Format::Ptx],
            Format::Ptx => &[Format::Ptx],
        };
        if self.settings.jit_disabled {
            let found = self.cached(&source, arch, formats, None);
            return found.ok_or_else(|| Error::JitDisabled { kernel: name.to_owned(), arch });
        }
        let toolchain = self.toolchain.get_or_init(Toolchain::find);
        let Some(nvrtc) = &toolchain.nvrtc else {
            return Err(unavailable(name, arch, &ToolchainError::NotFound { what: "NVRTC" }));
        };
        let compiler = Identity::of(nvrtc).map_err(|error| unavailable(name, arch, &error))?;
        if let Some(image) = self.cached(&source, arch, formats, Some(&compiler)) {
            return Ok(image);
        }
        let image = self.compile(&source, arch, format)?;
        let options = CompileOptions::new(arch, image.format);
        let kernel = Kernel { source, options: &options, compiler: &compiler };
        if let Err(warning) = self.cache.put(&kernel, &image.bytes) {
            self.settings.say(|| format!("warning: {warning}"));
        }
        Ok(image)
    }

    /// What the cache has in the first of these formats that it has: of this compiler, or of any where none is given.
    fn cached(
        &self,
        source: &Source<'_>,
        arch: u32,
        formats: &[Format],
        compiler: Option<&Identity>,
    ) -> Option<Image> {
        formats.iter().find_map(|format| {
            let options = CompileOptions::new(arch, *format);
            let found = match compiler {
                Some(compiler) => {
                    self.cache.get(&Kernel { source: *source, options: &options, compiler })
                }
                None => self.cache.get_of_any_compiler(source, &options),
            };
            let bytes = found.unwrap_or_else(|warning| {
                self.settings.say(|| format!("warning: {warning}"));
                None
            })?;
            let name = source.name;
            self.settings.say(|| format!("{name} for sm_{arch} from the cache ({format})"));
            Some(Image { bytes, format: *format })
        })
    }

    fn compile(&self, source: &Source<'_>, arch: u32, format: Format) -> Result<Image, Error> {
        let unavailable = |error: ToolchainError| unavailable(source.name, arch, &error);
        let start = Instant::now();
        let nvrtc = self.nvrtc().map_err(unavailable)?;
        let supported = nvrtc.supported_archs().map_err(unavailable)?;
        let (target, format) = target(&supported, arch, format).ok_or_else(|| {
            let version = nvrtc.version();
            unavailable(ToolchainError::UnsupportedArch { arch, version, supported })
        })?;
        let compiled = nvrtc.compile(source, &CompileOptions::new(target, format));
        let bytes = compiled
            .map_err(|error| match error {
                ToolchainError::Compile { log, .. } => {
                    let file = format!("{}.cu", source.name);
                    let kept = toolchain::keep_source(&file, source.text, &log).ok();
                    Error::Compile { kernel: source.name.to_owned(), arch, log, kept }
                }
                error => unavailable(error),
            })?
            .into_loadable();
        self.settings.say(|| {
            let (name, (major, minor)) = (source.name, nvrtc.version());
            let elapsed = start.elapsed();
            format!("compiled {name} for sm_{arch} ({format} of sm_{target}) in {elapsed:.0?} with NVRTC {major}.{minor}")
        });
        Ok(Image { bytes, format })
    }

    fn nvrtc(&self) -> Result<Arc<Nvrtc>, ToolchainError> {
        let mut loaded = self.nvrtc.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(nvrtc) = &*loaded {
            return Ok(Arc::clone(nvrtc));
        }
        let nvrtc = Arc::new(Nvrtc::load(self.toolchain.get_or_init(Toolchain::find))?);
        Ok(Arc::clone(loaded.insert(nvrtc)))
    }
}

fn unavailable(kernel: &str, arch: u32, error: &ToolchainError) -> Error {
    Error::NoCompiler { kernel: kernel.to_owned(), arch, reason: error.to_string() }
}

/// A source as it is compiled here: no toolkit's headers are needed.
fn source<'a>(name: &'a str, text: &'a str) -> Source<'a> {
    Source { name, text, headers: &STORAGE_HEADERS }
}

/// What to compile for a device: its own architecture, or PTX of the latest one before it that the compiler knows.
fn target(supported: &[u32], arch: u32, format: Format) -> Option<(u32, Format)> {
    let latest = supported.iter().copied().filter(|known| *known <= arch).max()?;
    Some((latest, if latest == arch { format } else { Format::Ptx }))
}

#[cfg(test)]
mod tests;
