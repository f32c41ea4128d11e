//! Bundles of compiled kernels.

use std::fmt;

use sortsmith_codegen::Format;

/// The kernels of one build script. It prints as how many there are, and for what.
#[derive(Debug)]
pub struct Bundle {
    #[cfg_attr(not(feature = "cuda"), allow(dead_code))] // who made it matters to those who use it
    generator: &'static str,
    images: &'static [Image],
}

/// A compiled kernel.
#[derive(Debug)]
#[cfg_attr(not(feature = "cuda"), allow(dead_code))] // nothing loads it there
pub struct Image {
    name: &'static str,
    source: &'static str,
    arch: u32,
    format: Format,
    digest: &'static str,
    bytes: &'static [u8],
}

impl Bundle {
    /// Of generated code.
    ///
    /// ```compile_fail,E0133
    /// # use sortsmith::embedded::Bundle;
    /// static BUNDLE: Bundle = Bundle::new("", &[]); // unsafe
    /// ```
    ///
    /// # Safety
    ///
    /// The images are what a compiler made of sources that this generator wrote, for kernels of their names: they run on a device
    /// as they are.
    #[doc(hidden)]
    pub const unsafe fn new(generator: &'static str, images: &'static [Image]) -> Self {
        Self { generator, images }
    }

    /// The kernels.
    pub const fn images(&self) -> &'static [Image] {
        self.images
    }

    /// Whether it holds nothing: there was no NVRTC when the program was built (`Bundle::write_or_warn`).
    pub const fn is_empty(&self) -> bool {
        self.images.is_empty()
    }
}

#[cfg(feature = "cuda")]
impl Bundle {
    /// The version of the generator that made it, if it is another than this.
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
    /// Of generated code.
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

    /// Of generated code. The bytes end with a NUL, and have no other.
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

    /// What is wrong with the bytes, if they are not what the bundle says of them: another file than the generator wrote is
    /// not given to the driver, which trusts what it gets.
    #[cfg(feature = "cuda")]
    pub(crate) fn damage(&self) -> Option<&'static str> {
        /// The start of an ELF file of 64 bits, little end first.
        const ELF: [u8; 6] = [0x7f, b'E', b'L', b'F', 2, 1];
        /// `EM_CUDA`, which stands 18 bytes behind the start.
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
            return Some("it is not of its format");
        }
        (sortsmith_codegen::cache::image_digest(bytes) != self.digest)
            .then_some("its SHA-256 is not the one that the bundle says")
    }

    /// The key of the source, in hexadecimal.
    #[cfg(feature = "cuda")]
    pub(crate) const fn source(&self) -> &'static str {
        self.source
    }

    /// The compute capability that it was compiled for, without its dot.
    pub const fn arch(&self) -> u32 {
        self.arch
    }

    /// Machine code or PTX.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// What the driver loads.
    pub const fn bytes(&self) -> &'static [u8] {
        self.bytes
    }
}
