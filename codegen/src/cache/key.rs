//! What a compiled kernel depends on, and the hash of it.

use std::fmt;

use hmac_sha256::Hash as Sha256;

use crate::VERSION;
use crate::toolchain::{CompileOptions, Format, Identity, Source};

/// Everything that decides what the compiler makes. Whatever differs in it has another entry.
#[derive(Clone, Copy, Debug)]
pub struct Kernel<'a> {
    /// The source, with its name and the headers that go with it.
    pub source: Source<'a>,
    /// Architecture, format and options.
    pub options: &'a CompileOptions,
    /// The compiler.
    pub compiler: &'a Identity,
}

impl Kernel<'_> {
    /// The key of this kernel's entry. This crate's version is part of it.
    ///
    /// ```
    /// use sortsmith_codegen::cache::Kernel;
    /// use sortsmith_codegen::toolchain::{CompileOptions, Format, Identity, Source};
    ///
    /// let source = Source::new("seven", "extern \"C\" __global__ void seven(int* x) { *x = 7; }");
    /// let compiler = Identity::Loaded { name: "libnvrtc.so.13".into(), version: (13, 0) };
    /// let key = |arch| {
    ///     let options = CompileOptions::new(arch, Format::Cubin);
    ///     Kernel { source, options: &options, compiler: &compiler }.key()
    /// };
    /// assert_eq!(key(90), key(90));
    /// assert_ne!(key(90), key(80));
    /// ```
    pub fn key(&self) -> Key {
        let mut hash = Fields::of_request(&self.source, self.options);
        hash.text(&self.compiler.to_string());
        hash.finish()
    }

    /// The key of what is to be compiled, whatever compiles it.
    pub(super) fn request_key(&self) -> Key {
        request_key(&self.source, self.options)
    }

    /// What lists say of it.
    pub(super) fn description(&self) -> Description {
        description(&self.source, self.options)
    }
}

/// The key of a source and how it is to be compiled, whatever compiles it.
pub(super) fn request_key(source: &Source<'_>, options: &CompileOptions) -> Key {
    Fields::of_request(source, options).finish()
}

/// What lists say of what was made of a source.
pub(super) fn description(source: &Source<'_>, options: &CompileOptions) -> Description {
    Description { name: source.name.to_owned(), arch: options.arch, format: options.format }
}

/// The key of a source alone, whatever compiles it and for which device. This crate's version is part of it.
///
/// ```
/// use sortsmith_codegen::{cache, toolchain::Source};
/// let key = |text| cache::source_key(&Source::new("seven", text));
/// assert_eq!(key("int x;"), key("int x;"));
/// assert_ne!(key("int x;"), key("int y;"));
/// ```
pub fn source_key(source: &Source<'_>) -> Key {
    Fields::of(source).finish()
}

/// A hash of fields: each is preceded by its length, so that no two lists of fields hash alike.
struct Fields(Sha256);

impl Fields {
    /// Of this crate's version and a source; more may follow.
    fn of(source: &Source<'_>) -> Self {
        let mut hash = Self(Sha256::new());
        hash.text(VERSION);
        hash.text(source.name);
        hash.text(source.text);
        hash.count(source.headers.len());
        for (name, text) in source.headers {
            hash.text(name);
            hash.text(text);
        }
        hash
    }

    /// Of a source, and of how it is to be compiled; more may follow.
    fn of_request(source: &Source<'_>, options: &CompileOptions) -> Self {
        let mut hash = Self::of(source);
        let arguments = options.arguments();
        hash.count(arguments.len());
        for argument in &arguments {
            hash.text(argument);
        }
        hash.text(&options.format.to_string());
        hash
    }

    fn finish(self) -> Key {
        Key(self.0.finalize())
    }

    fn count(&mut self, count: usize) {
        self.0.update((count as u64).to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.0.update(text.as_bytes());
    }
}

/// A hash of all that a kernel depends on, or its source; the name of an entry. It prints as 64 hexadecimal
/// digits, or as the first of them where a format has a precision.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key(pub(super) [u8; 32]);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(64);
        self.0.iter().take(digits.div_ceil(2)).try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}

/// What an entry says of itself to people.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Description {
    /// The name of the source: a spec's, for generated kernels.
    pub name: String,
    /// The compute capability it was compiled for, without its dot.
    pub arch: u32,
    /// Machine code or PTX.
    pub format: Format,
}

/// The SHA-256 of compiled code, in hexadecimal: what a bundle of embedded kernels says of each of its images.
///
/// ```
/// let digest = sortsmith_codegen::cache::image_digest(b"");
/// assert!(digest.starts_with("e3b0c44298fc1c14") && digest.len() == 64);
/// ```
pub fn image_digest(image: &[u8]) -> String {
    Key(Sha256::hash(image)).to_string()
}
