//! What `explain` says of specs on arrays.

use std::fmt;
use std::fmt::Write as _;

use serde::Serialize;

use crate::contract::device::launch::{Device, LaunchArgument};
use crate::contract::explain::{Line, Lines};
use crate::contract::spec::BitRange;
use crate::types::Arch;

/// Items where a request has no number of them, unless a spec takes fewer.
const DEFAULT_ITEMS: u64 = 1 << 20;

/// Multiprocessors where a request has no number of them: those of an H200.
const DEFAULT_MULTIPROCESSORS: u32 = 132;

/// The column of kernels' names is as wide as `bucket_offsets`; what follows a longer one is not aligned.
pub const KERNEL_WIDTH: usize = 14;

/// The array and the device that a spec is explained for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The architecture.
    pub arch: Arch,
    /// Items of the array, or columns of the row; by default 2²⁰, or as many as the spec takes.
    pub n: Option<u64>,
    /// The bits that take part; by default all.
    pub bits: Option<BitRange>,
    /// Multiprocessors of the device; by default those of an H200.
    pub multiprocessors: Option<u32>,
}

impl Request {
    /// The request with all defaults.
    pub const fn on(arch: Arch) -> Self {
        Self { arch, n: None, bits: None, multiprocessors: None }
    }

    fn has(&self, setting: Setting) -> bool {
        match setting {
            Setting::Bits => self.bits.is_some(),
            Setting::Multiprocessors => self.multiprocessors.is_some(),
        }
    }
}

/// A request that a spec cannot be explained for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The spec's family does not take the field.
    #[error("{field} is given with {spec}; legal: {legal}")]
    NotTaken {
        /// The field.
        field: &'static str,
        /// The spec's name.
        spec: String,
        /// With which specs it is legal.
        legal: &'static str,
    },
    /// The field's value is not legal.
    #[error("{field} = {value} is not legal for {spec}; legal: {legal}")]
    NotLegal {
        /// The field.
        field: &'static str,
        /// The value.
        value: String,
        /// The spec's name.
        spec: String,
        /// Which values are.
        legal: String,
    },
}

impl RequestError {
    /// A field's value that is not legal for a spec.
    pub(crate) fn not_legal(
        field: &'static str,
        value: &impl ToString,
        spec: &impl ToString,
        legal: impl Into<String>,
    ) -> Self {
        let (value, spec, legal) = (value.to_string(), spec.to_string(), legal.into());
        Self::NotLegal { field, value, spec, legal }
    }
}

/// A field of requests that some families take, beside the architecture and the number of items, which all take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    /// The bits.
    Bits,
    /// The multiprocessors.
    Multiprocessors,
}

impl Setting {
    /// All of them, in the order in which they are refused.
    const ALL: [Self; 2] = [Self::Bits, Self::Multiprocessors];

    const fn field(self) -> &'static str {
        match self {
            Self::Bits => "bits",
            Self::Multiprocessors => "multiprocessors",
        }
    }
}

/// A request with its defaults, of which the spec's family takes all that is set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    /// The architecture.
    pub(crate) arch: Arch,
    /// Items, of which the spec takes as many.
    pub(crate) n: u64,
    /// The bits.
    pub(crate) bits: Option<BitRange>,
    /// The device.
    pub(crate) device: Device,
}

/// A spec on arrays, as `explain` has it. A family's folder has the type `Figures`, and implements this for its spec.
pub(crate) trait Explain: fmt::Display {
    /// What it does and takes, in figures.
    type Figures: Serialize;

    /// The settings that the figures follow from. A request that has others is refused.
    const SETTINGS: &'static [Setting];

    /// With which specs the others are legal.
    const LEGAL_ELSEWHERE: &'static str = "with device-wide sorts";

    /// The most items of an array, or columns of a row.
    fn most_items(&self) -> u64 {
        u64::MAX
    }

    /// The figures.
    fn figures(&self, case: &Case) -> Result<Self::Figures, RequestError>;

    /// The same for people, behind the spec's name.
    fn lines(&self, figures: &Self::Figures) -> Lines;
}

/// The figures of a spec and the same for people, or the first field of the request that is not legal.
pub(crate) fn explained<S: Explain>(
    spec: &S,
    request: &Request,
) -> Result<(S::Figures, Vec<Line>), RequestError> {
    let is_refused = |it: &Setting| request.has(*it) && !S::SETTINGS.contains(it);
    if let Some(setting) = Setting::ALL.into_iter().find(is_refused) {
        let (field, legal) = (setting.field(), S::LEGAL_ELSEWHERE);
        return Err(RequestError::NotTaken { field, spec: spec.to_string(), legal });
    }
    let &Request { arch, n, bits, multiprocessors } = request;
    let most = spec.most_items();
    let n = n.unwrap_or(DEFAULT_ITEMS.min(most));
    if n > most {
        return Err(RequestError::not_legal("n", &n, spec, format!("0 to {most}")));
    }
    let multiprocessors = multiprocessors.unwrap_or(DEFAULT_MULTIPROCESSORS);
    if multiprocessors == 0 {
        return Err(RequestError::not_legal("multiprocessors", &0, spec, "1 or more"));
    }
    let device = Device { multiprocessors, ..Device::of(arch) };
    let figures = spec.figures(&Case { arch, n, bits, device })?;
    let lines = spec.lines(&figures).0;
    Ok((figures, lines))
}

/// A launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LaunchRow {
    /// The kernel's symbol.
    pub symbol: String,
    /// What the kernel takes after its arguments; in JSON under a key that says what it is.
    #[serde(flatten)]
    pub argument: Option<LaunchArgument>,
    /// Blocks.
    pub blocks: u32,
    /// Threads of each.
    pub threads: u32,
    /// Bytes of dynamic shared memory.
    pub shared_bytes: u32,
}

impl Lines {
    /// Adds the launches of a spec's kernels.
    pub(crate) fn add_launches<'a>(
        &mut self,
        spec: &impl fmt::Display,
        rows: impl IntoIterator<Item = &'a LaunchRow>,
    ) {
        let prefix = format!("{spec}_");
        for row in rows {
            self.add("", &row.words(&prefix));
        }
    }
}

impl LaunchRow {
    fn words(&self, prefix: &str) -> String {
        let Self { symbol, argument, blocks, threads, shared_bytes } = self;
        let kernel = symbol.strip_prefix(prefix).unwrap_or(symbol);
        let kernel = match argument {
            Some(LaunchArgument::Own(_, number)) => format!("{kernel} {number}"),
            Some(LaunchArgument::Seed(_)) | None => kernel.to_owned(),
        };
        let mut words =
            format!("{kernel:<KERNEL_WIDTH$} {blocks:>8} blocks x {threads:>4} threads");
        if *shared_bytes > 0 {
            let _ = write!(words, ", {shared_bytes} bytes of shared memory");
        }
        words
    }
}
