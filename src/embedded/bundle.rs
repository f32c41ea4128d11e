//! Bundles of compiled kernels.

use std::fmt;

use sortsmith_codegen::Format;

/// The kernels of one build script. It displays as their number and their targets.
#[derive(Debug)]
pub struct Bundle {
    #[cfg_attr(not(feature = "cuda"), allow(dead_code))] // only the registry reads it
    generator: &'static str,
    images: &'static [Image],
}

/// A compiled kernel.
#[derive(Debug)]
#[cfg_attr(not(feature = "cuda"), allow(dead_code))] // only the GPU backend loads it
pub struct Image {
    name: &'static str,
    source: &'static str,
    arch: u32,
    format: Format,
    digest: &'static str,
    bytes: &'static [u8],
}

impl Bundle {
    /// A bundle of generated code.
    ///
    /// ```compile_fail,E0133
    /// # use sortsmith::embedded::Bundle;
    /// static BUNDLE: Bundle = Bundle::new("", &[]); // unsafe
    /// ```
    ///
    /// # Safety
    ///
    /// A compiler made the images from sources that this generator wrote, for kernels of their names: the runtime launches them
    /// without further checks.
    #[doc(hidden)]
    pub const unsafe fn new(generator: &'static str, images: &'static [Image]) -> Self {
        Self { generator, images }
    }

    /// The kernels.
    pub const fn images(&self) -> &'static [Image] {
        self.images
    }

    /// Whether it has no images, because the program was built without NVRTC (`Bundle::write_or_warn`).
    pub const fn is_empty(&self) -> bool {
        self.images.is_empty()
    }
}

#[cfg(feature = "cuda")]
impl Bundle {
    /// The version of the generator that made it, if it differs from this one.
    pub(crate) fn foreign_generator(&self) -> Option<&'static str> {
        (self.generator != sortsmith_codegen::VERSION).then_some(self.generator)
    }
}

impl fmt::Display for Bundle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("no kernels");
        }
        let mut targets: Vec<_> = self.images.iter().map(|it| (it.arch, it.format)).collect();
        targets.sort_unstable();
        targets.dedup();
        let targets: Vec<String> =
            targets.iter().map(|(arch, format)| format!("sm_{arch} ({format})")).collect();
        write!(f, "{} images for {}", self.images.len(), targets.join(", "))
    }
}

impl Image {
    /// A cubin of generated code.
    #[doc(hidden)]
    pub const fn cubin(
        name: &'static str,
        source: &'static str,
        arch: u32,
        digest: &'static str,
        bytes: &'static [u8],
    ) -> Self {
        Self { name, source, arch, format: Format::Cubin, digest, bytes }
    }

    /// PTX of generated code. The bytes end with their only NUL.
    #[doc(hidden)]
    pub const fn ptx(
        name: &'static str,
        source: &'static str,
        arch: u32,
        digest: &'static str,
        bytes: &'static [u8],
    ) -> Self {
        Self { name, source, arch, format: Format::Ptx, digest, bytes }
    }

    /// The name of the spec.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Why the bytes differ from what the bundle states, if they do. The driver does not validate its input, so it must not get a
    /// file that the generator did not write.
    #[cfg(feature = "cuda")]
    pub(crate) fn damage(&self) -> Option<&'static str> {
        /// The start of a 64-bit little-endian ELF file.
        const ELF: [u8; 6] = [0x7f, b'E', b'L', b'F', 2, 1];
        /// `EM_CUDA`, at offset 18.
        const CUDA: [u8; 2] = 190u16.to_le_bytes();

        let bytes = self.bytes;
        let is_of_its_format = match self.format {
            Format::Cubin => {
                bytes.starts_with(&ELF) && bytes.get(18..20) == Some(&CUDA) && bytes.len() >= 64
            }
            Format::Ptx => {
                bytes.split_last().is_some_and(|(last, text)| *last == 0 && !text.contains(&0))
            }
        };
        if !is_of_its_format {
            return Some("it does not have its format");
        }
        (sortsmith_codegen::cache::image_digest(bytes) != self.digest)
            .then_some("its SHA-256 is not the one that the bundle states")
    }

    /// The key of the source, in hexadecimal.
    #[cfg(feature = "cuda")]
    pub(crate) const fn source(&self) -> &'static str {
        self.source
    }

    /// The compute capability that it was compiled for, without the dot.
    pub const fn arch(&self) -> u32 {
        self.arch
    }

    /// Machine code or PTX.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// The code that the driver loads.
    pub const fn bytes(&self) -> &'static [u8] {
        self.bytes
    }
}
