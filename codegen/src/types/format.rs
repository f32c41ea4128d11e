//! The two forms of compiled code.

use std::fmt;

/// What a compiler makes of CUDA.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// Text for the driver to assemble, for this architecture and later ones.
    Ptx,
    /// Machine code for this architecture.
    Cubin,
}

impl Format {
    /// Whether code that was made for one compute capability runs on a device of another: PTX on that and all later
    /// ones, machine code on those of the same major number with no lower minor one.
    ///
    /// ```
    /// use sortsmith_codegen::Format;
    /// assert!(Format::Cubin.runs_on(80, 86) && !Format::Cubin.runs_on(86, 80));
    /// assert!(Format::Ptx.runs_on(86, 90) && !Format::Cubin.runs_on(86, 90));
    /// ```
    pub const fn runs_on(self, made_for: u32, device: u32) -> bool {
        match self {
            Self::Ptx => made_for <= device,
            Self::Cubin => made_for <= device && made_for / 10 == device / 10,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Ptx => "ptx",
            Self::Cubin => "cubin",
        })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Format {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
