//! The runtime compiler, bound at run time to a library at an explicit path.

use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    mem::ManuallyDrop,
    path::{Path, PathBuf},
    ptr,
    sync::OnceLock,
};

use libloading::Library;

use super::error::loader_words;
#[cfg(feature = "resources")]
use super::resources::{self, Resources};
use super::{Component, Format, Toolchain, ToolchainError};

const NO_CACHE: &str = "--no-cache";
const NVRTC_SUCCESS: c_int = 0;
const NVRTC_ERROR_COMPILATION: c_int = 6;

/// NVRTC's opaque `nvrtcProgram`.
type Program = *mut c_void;
type SizeOf = unsafe extern "C" fn(Program, *mut usize) -> c_int;
type CopyOf = unsafe extern "C" fn(Program, *mut c_char) -> c_int;

/// The functions that are used of NVRTC, with the signatures of `nvrtc.h`.
#[derive(Debug)]
struct Api {
    error_string: unsafe extern "C" fn(c_int) -> *const c_char,
    version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int,
    arch_count: unsafe extern "C" fn(*mut c_int) -> c_int,
    archs: unsafe extern "C" fn(*mut c_int) -> c_int,
    create: unsafe extern "C" fn(
        *mut Program,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> c_int,
    destroy: unsafe extern "C" fn(*mut Program) -> c_int,
    compile: unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int,
    log_size: SizeOf,
    log: CopyOf,
    ptx_size: SizeOf,
    ptx: CopyOf,
    cubin_size: SizeOf,
    cubin: CopyOf,
}

/// NVRTC, ready to compile. It is safe to share among threads.
#[derive(Debug)]
pub struct Nvrtc {
    api: Api,
    path: PathBuf,
    version: (i32, i32),
    /// Whether it knows [`NO_CACHE`]; found out once.
    no_cache: OnceLock<bool>,
    /// Never unloaded: NVRTC keeps thread-local state, with destructors that run when threads end.
    _library: ManuallyDrop<Library>,
    /// Found by NVRTC under its own name once it is in the process, wherever it lies.
    _builtins: Option<ManuallyDrop<Library>>,
}

/// A text to compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source<'a> {
    /// What errors and line information call it, such as `sort.cu`.
    pub name: &'a str,
    /// The CUDA C++.
    pub text: &'a str,
    /// Headers that it may include, by the name in its `#include`.
    pub headers: &'a [(&'a str, &'a str)],
}

impl<'a> Source<'a> {
    /// A text that needs no headers.
    pub const fn new(name: &'a str, text: &'a str) -> Self {
        Self { name, text, headers: &[] }
    }
}

/// How to compile.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CompileOptions {
    /// The compute capability without its dot, such as 90.
    pub arch: u32,
    /// What to make.
    pub format: Format,
    /// Folders to search for headers.
    pub include_dirs: Vec<PathBuf>,
    /// Further options, as NVRTC spells them.
    pub extra: Vec<String>,
}

impl CompileOptions {
    /// C++17 for this architecture, with no folder of headers.
    pub const fn new(arch: u32, format: Format) -> Self {
        Self { arch, format, include_dirs: Vec::new(), extra: Vec::new() }
    }

    /// The options as NVRTC gets them.
    pub fn arguments(&self) -> Vec<String> {
        let arch = match self.format {
            Format::Ptx => format!("--gpu-architecture=compute_{}", self.arch),
            Format::Cubin => format!("--gpu-architecture=sm_{}", self.arch),
        };
        let mut arguments = vec![arch, "--std=c++17".to_owned(), "--device-int128".to_owned()];
        if self.format == Format::Cubin {
            arguments.push("--ptxas-options=-v".to_owned());
        }
        let folders = self.include_dirs.iter();
        arguments.extend(folders.map(|dir| format!("--include-path={}", dir.display())));
        arguments.extend(self.extra.iter().cloned());
        arguments
    }
}

/// A compiled text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// The cubin, or the PTX without a NUL byte at its end.
    pub image: Vec<u8>,
    /// Which of the two.
    pub format: Format,
    /// What the compiler warned of; empty if nothing.
    pub log: String,
    /// The assembler's report on each function.
    #[cfg_attr(not(feature = "resources"), allow(dead_code))]
    report: String,
}

impl Compiled {
    /// The image as the driver loads it: a cubin as it is, PTX ended by a NUL.
    pub fn into_loadable(self) -> Vec<u8> {
        let mut image = self.image;
        if self.format == Format::Ptx {
            image.push(0);
        }
        image
    }

    /// What each kernel of a cubin uses, by its symbol. PTX has no resources yet: an error.
    #[cfg(feature = "resources")]
    pub fn resources(
        &self,
    ) -> Result<std::collections::BTreeMap<String, Resources>, ToolchainError> {
        resources::read(&self.image, &self.report)
    }
}

/// Separates the assembler's report from what the compilers have to complain of.
fn split_log(log: &str) -> (String, String) {
    let is_report = |line: &str| line.starts_with("ptxas info") || line.starts_with("ptxas    ");
    let (report, complaints): (Vec<&str>, Vec<&str>) =
        log.lines().partition(|line| is_report(line));
    (report.join("\n"), complaints.join("\n").trim().to_owned())
}

impl Nvrtc {
    /// Loads the library that was found, and the builtins library beside it.
    pub fn load(toolchain: &Toolchain) -> Result<Self, ToolchainError> {
        let component =
            toolchain.nvrtc.as_ref().ok_or(ToolchainError::NotFound { what: "NVRTC" })?;
        Self::load_component(component)
    }

    pub(super) fn load_component(component: &Component) -> Result<Self, ToolchainError> {
        let path = &component.path;
        let library = open(path)?;
        let api = Api::of(&library, path)?;
        let (mut major, mut minor) = (0, 0);
        // SAFETY: both pointers are to live integers.
        let code = unsafe { (api.version)(&raw mut major, &raw mut minor) };
        api.check("nvrtcVersion", code)?;
        let builtins = path
            .parent()
            .map(|dir| dir.join(builtins_name(major, minor)))
            .filter(|builtins| builtins.is_file())
            .map(|builtins| open(&builtins))
            .transpose()?;
        Ok(Self {
            api,
            path: path.clone(),
            version: (major, minor),
            no_cache: OnceLock::new(),
            _library: ManuallyDrop::new(library),
            _builtins: builtins.map(ManuallyDrop::new),
        })
    }

    /// The library.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its version, such as `(13, 5)`.
    pub const fn version(&self) -> (i32, i32) {
        self.version
    }

    /// The architectures that it compiles for, ascending.
    pub fn supported_archs(&self) -> Result<Vec<u32>, ToolchainError> {
        let mut count = 0;
        // SAFETY: the pointer is to a live integer.
        let code = unsafe { (self.api.arch_count)(&raw mut count) };
        self.api.check("nvrtcGetNumSupportedArchs", code)?;
        let mut archs = vec![0; usize::try_from(count).unwrap_or(0)];
        // SAFETY: NVRTC writes as many integers as it has just reported, and there is room for them.
        let code = unsafe { (self.api.archs)(archs.as_mut_ptr()) };
        self.api.check("nvrtcGetSupportedArchs", code)?;
        let mut archs: Vec<u32> = archs.into_iter().map(|arch: c_int| arch as u32).collect();
        archs.sort_unstable();
        Ok(archs)
    }

    /// Whether this version knows the option that keeps its cache out. Where a driver is installed, newer versions answer
    /// from a cache on disk, and then without the assembler's report of registers and spills.
    fn can_go_without_cache(&self) -> bool {
        *self.no_cache.get_or_init(|| {
            OpenProgram::create(&self.api, &Source::new("empty.cu", ""))
                .and_then(|program| program.compile(&[NO_CACHE.to_owned()]))
                .is_ok_and(|code| code == NVRTC_SUCCESS)
        })
    }

    /// Compiles a text.
    pub fn compile(
        &self,
        source: &Source<'_>,
        options: &CompileOptions,
    ) -> Result<Compiled, ToolchainError> {
        let supported = self.supported_archs()?;
        if !supported.contains(&options.arch) {
            let (arch, version) = (options.arch, self.version);
            return Err(ToolchainError::UnsupportedArch { arch, version, supported });
        }
        let program = OpenProgram::create(&self.api, source)?;
        let mut arguments = options.arguments();
        arguments.extend(self.can_go_without_cache().then(|| NO_CACHE.to_owned()));
        let code = program.compile(&arguments)?;
        let raw_log = program.log()?;
        let (report, log) = split_log(&raw_log);
        if code == NVRTC_ERROR_COMPILATION {
            return Err(ToolchainError::Compile { name: source.name.to_owned(), log });
        }
        self.api.check("nvrtcCompileProgram", code).map_err(|error| match error {
            // An illegal option is explained in the log alone.
            ToolchainError::Nvrtc { call, code, message } if !log.is_empty() => {
                ToolchainError::Nvrtc { call, code, message: format!("{message}: {log}") }
            }
            error => error,
        })?;
        let image = match options.format {
            Format::Cubin => program.cubin()?,
            Format::Ptx => program.ptx()?,
        };
        Ok(Compiled { image, format: options.format, log, report })
    }
}

impl Api {
    fn of(library: &Library, path: &Path) -> Result<Self, ToolchainError> {
        /// Looks a function up; the field that it goes to gives its signature.
        macro_rules! function {
            ($name:literal) => {
                // SAFETY: the field's type is the function's signature in `nvrtc.h`, the same in
                // every version since CUDA 11.2, and the library outlives the pointer: `Nvrtc` never
                // unloads it, and `load_component` holds it until then.
                *unsafe { library.get(concat!($name, "\0").as_bytes()) }.map_err(|source| {
                    ToolchainError::Symbol {
                        path: path.to_path_buf(),
                        symbol: $name,
                        reason: loader_words(&source),
                    }
                })?
            };
        }
        Ok(Self {
            error_string: function!("nvrtcGetErrorString"),
            version: function!("nvrtcVersion"),
            arch_count: function!("nvrtcGetNumSupportedArchs"),
            archs: function!("nvrtcGetSupportedArchs"),
            create: function!("nvrtcCreateProgram"),
            destroy: function!("nvrtcDestroyProgram"),
            compile: function!("nvrtcCompileProgram"),
            log_size: function!("nvrtcGetProgramLogSize"),
            log: function!("nvrtcGetProgramLog"),
            ptx_size: function!("nvrtcGetPTXSize"),
            ptx: function!("nvrtcGetPTX"),
            cubin_size: function!("nvrtcGetCUBINSize"),
            cubin: function!("nvrtcGetCUBIN"),
        })
    }

    fn check(&self, call: &'static str, code: c_int) -> Result<(), ToolchainError> {
        if code == NVRTC_SUCCESS {
            return Ok(());
        }
        // SAFETY: NVRTC answers any code, unknown ones too, with a static string.
        let message = unsafe { CStr::from_ptr((self.error_string)(code)) };
        let message = message.to_string_lossy().into_owned();
        Err(ToolchainError::Nvrtc { call, code, message })
    }
}

/// A program that is destroyed when it goes out of scope.
struct OpenProgram<'a> {
    api: &'a Api,
    program: Program,
}

impl<'a> OpenProgram<'a> {
    fn create(api: &'a Api, source: &Source<'_>) -> Result<Self, ToolchainError> {
        let name = c_string(source.name, || "the source's name".to_owned())?;
        let text = c_string(source.text, || format!("source {}", source.name))?;
        let mut header_names = Vec::with_capacity(source.headers.len());
        let mut header_texts = Vec::with_capacity(source.headers.len());
        for &(name, text) in source.headers {
            header_names.push(c_string(name, || "a header's name".to_owned())?);
            header_texts.push(c_string(text, || format!("header {name}"))?);
        }
        let name_pointers = pointers(&header_names);
        let text_pointers = pointers(&header_texts);
        let mut program = ptr::null_mut();
        // SAFETY: every string is a live C string, both arrays have as many entries as the count
        // says, and NVRTC copies what it keeps.
        let code = unsafe {
            (api.create)(
                &raw mut program,
                text.as_ptr(),
                name.as_ptr(),
                name_pointers.len() as c_int,
                text_pointers.as_ptr(),
                name_pointers.as_ptr(),
            )
        };
        api.check("nvrtcCreateProgram", code)?;
        Ok(Self { api, program })
    }

    /// Returns NVRTC's code, because a failed compilation has a log to read.
    fn compile(&self, arguments: &[String]) -> Result<c_int, ToolchainError> {
        let arguments: Vec<CString> = arguments
            .iter()
            .map(|argument| c_string(argument, || format!("option {argument}")))
            .collect::<Result<_, _>>()?;
        let arguments = pointers(&arguments);
        // SAFETY: the program is live, and the array holds that many live C strings.
        Ok(unsafe {
            (self.api.compile)(self.program, arguments.len() as c_int, arguments.as_ptr())
        })
    }

    fn log(&self) -> Result<String, ToolchainError> {
        let bytes = self.copy("nvrtcGetProgramLog", self.api.log_size, self.api.log)?;
        Ok(String::from_utf8_lossy(before_nul(&bytes)).into_owned())
    }

    fn ptx(&self) -> Result<Vec<u8>, ToolchainError> {
        let bytes = self.copy("nvrtcGetPTX", self.api.ptx_size, self.api.ptx)?;
        Ok(before_nul(&bytes).to_vec())
    }

    fn cubin(&self) -> Result<Vec<u8>, ToolchainError> {
        self.copy("nvrtcGetCUBIN", self.api.cubin_size, self.api.cubin)
    }

    fn copy(
        &self,
        call: &'static str,
        size_of: SizeOf,
        copy_of: CopyOf,
    ) -> Result<Vec<u8>, ToolchainError> {
        let mut size = 0;
        // SAFETY: the program is live, and the pointer is to a live integer.
        let code = unsafe { size_of(self.program, &raw mut size) };
        self.api.check(call, code)?;
        let mut bytes = vec![0u8; size];
        // SAFETY: the program is live, and NVRTC writes as many bytes as it has just reported.
        let code = unsafe { copy_of(self.program, bytes.as_mut_ptr().cast()) };
        self.api.check(call, code)?;
        Ok(bytes)
    }
}

impl Drop for OpenProgram<'_> {
    fn drop(&mut self) {
        // SAFETY: the program is live and is not used again. Destroying a live program cannot fail.
        unsafe { (self.api.destroy)(&raw mut self.program) };
    }
}

fn open(path: &Path) -> Result<Library, ToolchainError> {
    // SAFETY: loading runs the library's initialisers. The path is that of NVIDIA's NVRTC or its
    // builtins; their initialisers have no requirements on the process.
    unsafe { Library::new(path) }.map_err(|error| ToolchainError::Load {
        path: path.to_path_buf(),
        reason: loader_words(&error),
    })
}

fn builtins_name(major: i32, minor: i32) -> String {
    if cfg!(windows) {
        format!("nvrtc-builtins64_{major}{minor}.dll")
    } else {
        format!("libnvrtc-builtins.so.{major}.{minor}")
    }
}

fn c_string(text: &str, what: impl FnOnce() -> String) -> Result<CString, ToolchainError> {
    CString::new(text)
        .map_err(|error| ToolchainError::Nul { what: what(), offset: error.nul_position() })
}

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).collect()
}

/// The text before the first NUL; NVRTC ends a text with one or two.
fn before_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().unwrap_or_default()
}

#[cfg(all(test, unix))]
mod tests;
