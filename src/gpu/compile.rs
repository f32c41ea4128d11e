//! From a source to code that the driver loads: embedded in the program, from the cache on disk, or compiled by NVRTC.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use sortsmith_codegen::cache::{Cache, Kernel};
use sortsmith_codegen::render::STORAGE_HEADERS;
use sortsmith_codegen::toolchain::{
    self, CompileOptions, Format, Identity, Nvrtc, Source, Toolchain, ToolchainError,
};

use crate::embedded::registry::Registry;
use crate::error::Error;
use crate::settings::Settings;

/// Finds or compiles kernels for any device. NVRTC is loaded when a kernel has to be compiled, not before.
#[derive(Debug)]
pub struct Compiler {
    settings: Settings,
    embedded: &'static Registry,
    cache: Cache,
    toolchain: OnceLock<Toolchain>,
    nvrtc: Mutex<Option<Arc<Nvrtc>>>,
}

/// Code for the driver to load.
#[derive(Debug)]
struct Image {
    /// A cubin, or PTX that ends with the NUL that the driver requires.
    bytes: Vec<u8>,
    format: Format,
}

/// Why the driver did not load code.
#[derive(Debug)]
pub enum Refusal {
    /// The driver rejects this code, for this reason; other code may load.
    Code(String),
    /// The device is out of memory, so other code would not load either.
    Memory,
}

impl Compiler {
    /// The compiler that the process shares, configured by the environment.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Compiler> = OnceLock::new();
        SHARED.get_or_init(|| {
            let embedded = Registry::of_this_process();
            Self::new(Settings::from_env(), embedded, Cache::of_this_user(), None)
        })
    }

    /// A compiler with embedded kernels and a cache. If no toolchain is given, it is searched for at the first use.
    pub fn new(
        settings: Settings,
        embedded: &'static Registry,
        cache: Cache,
        toolchain: Option<Toolchain>,
    ) -> Self {
        let toolchain = toolchain.map_or_else(OnceLock::new, OnceLock::from);
        Self { settings, embedded, cache, toolchain, nvrtc: Mutex::new(None) }
    }

    /// Loads code of this source for a device of this architecture. It calls `load`, which is the driver's, with one image after
    /// the other until one loads: embedded images, then a cubin from the cache or NVRTC, then PTX from the cache or NVRTC. It
    /// stops if the device is out of memory.
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
        // Older drivers refuse machine code of a newer compiler, but may load its PTX.
        for format in [Format::Cubin, Format::Ptx] {
            let image = match self.image(name, text, arch, format) {
                Ok(image) => image,
                // The embedded images were all refused.
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
                break; // PTX was tried already
            }
        }
        let reason = refusal.unwrap_or_default();
        Err(Error::KernelRejected { kernel: name.to_owned(), arch, reason })
    }

    /// Code of this source for a device of this architecture, from the cache or from NVRTC.
    ///
    /// If `format` is a cubin and the device is newer than NVRTC, the result is PTX, which the driver assembles.
    fn image(&self, name: &str, text: &str, arch: u32, format: Format) -> Result<Image, Error> {
        let source = source(name, text);
        // PTX for a device that NVRTC does not know is cached under the device's architecture: only NVRTC could tell which
        // architecture it was compiled for, and a cache hit must not need NVRTC.
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

    /// The cache's entry in the first of these formats that has one: made by this compiler, or by any if none is given.
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

/// A source with the headers that it is compiled with, so that none of a toolkit's are needed.
fn source<'a>(name: &'a str, text: &'a str) -> Source<'a> {
    Source { name, text, headers: &STORAGE_HEADERS }
}

/// The target for a device: its own architecture, or else PTX of the latest earlier one that the compiler supports.
fn target(supported: &[u32], arch: u32, format: Format) -> Option<(u32, Format)> {
    let latest = supported.iter().copied().filter(|known| *known <= arch).max()?;
    Some((latest, if latest == arch { format } else { Format::Ptx }))
}

#[cfg(test)]
mod tests;
