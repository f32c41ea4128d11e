//! What can go wrong.

use std::path::PathBuf;

use sortsmith_codegen::{KeyType, SortSpec, SpecError, render::RenderError};

use crate::algorithm::ArrayAlgorithm;

/// Why a sort, or the rendering of a kernel, was not done.
///
/// The data is as it was before the call, with three exceptions: after an [`Error::Driver`] data on a device, for a kernel may
/// have begun; after [`Error::HostDataLost`] data on the host; and after any error that is not one of the arguments the
/// places that a sort *to another place* would have written to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Each key needs one value.
    #[error("{keys} keys and {values} values: each key needs one value")]
    LengthMismatch {
        /// How many keys there are.
        keys: usize,
        /// How many values there are.
        values: usize,
    },
    /// What is sorted to another place has to have as much room there.
    #[error("{items} {what}, and room for {room} in order: they must be as many")]
    OutputLength {
        /// `keys` or `values`.
        what: &'static str,
        /// How many there are.
        items: usize,
        /// How many the output has room for.
        room: usize,
    },
    /// The range of bits is not one of this key's.
    #[error("bits {begin}..{end} are not bits of a {key} key; legal: begin <= end <= {key_bits}")]
    BitRange {
        /// The first bit asked for.
        begin: u32,
        /// One past the last bit asked for.
        end: u32,
        /// The type of the keys.
        key: KeyType,
        /// The bits that such a key has.
        key_bits: u32,
    },
    /// The algorithm that was chosen does not do this.
    #[error("{algorithm} does not take {what}; legal: {legal}")]
    NotOfAlgorithm {
        /// What was chosen.
        algorithm: ArrayAlgorithm,
        /// What was asked of it.
        what: &'static str,
        /// What would be legal.
        legal: &'static str,
    },
    /// There are more keys than the type of the indices can tell apart.
    #[error("{items} keys, but u32 indices tell at most {limit} apart")]
    TooManyItems {
        /// How many keys there are.
        items: usize,
        /// How many there may be.
        limit: u64,
    },
    /// There is no memory for the copy that keys and values are sorted by way of.
    #[error("no memory for {bytes} bytes of scratch")]
    OutOfMemory {
        /// What was asked for.
        bytes: usize,
    },
    /// The spec could not be turned into a header.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The spec is none.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// `SORTSMITH_BACKEND` is set to something that it does not mean.
    #[error("SORTSMITH_BACKEND={value} is no backend; legal: host, gpu, or unset")]
    UnknownBackend {
        /// What it is set to.
        value: String,
    },
    /// `SORTSMITH_TUNING` names a file that cannot be read.
    #[error(
        "SORTSMITH_TUNING={}: {reason}; legal: a file that can be read, none, or unset",
        path.display()
    )]
    Tuning {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        reason: String,
    },
    /// The driver's library is not there, or cannot be loaded.
    #[error("no CUDA driver: {reason}; install NVIDIA's driver, or sort on the host")]
    NoDriver {
        /// The dynamic loader's own words.
        reason: String,
    },
    /// The driver is older than what this crate is written for.
    #[error("the driver is for CUDA {}.{}, and at least {}.{} is needed: update it, or sort on the host",
        found.0, found.1, needed.0, needed.1)]
    DriverTooOld {
        /// The CUDA version of the driver.
        found: (i32, i32),
        /// The oldest that will do.
        needed: (i32, i32),
    },
    /// There is a driver, but it offers no device.
    #[error("the CUDA driver offers no device: {reason}; make one visible, or sort on the host")]
    NoDevice {
        /// What the driver says.
        reason: String,
    },
    /// There is no device of this number.
    #[error("there is no device {ordinal}: the driver offers {devices}, counted from 0")]
    InvalidDevice {
        /// The number asked for.
        ordinal: usize,
        /// How many devices there are.
        devices: usize,
    },
    /// The driver failed.
    #[error("cannot {doing}: {reason}")]
    Driver {
        /// What was to be done.
        doing: &'static str,
        /// The driver's name of the error, and its explanation.
        reason: String,
    },
    /// The device has not as much memory left.
    #[error("no memory on the device for {bytes} bytes of {what}")]
    OutOfDeviceMemory {
        /// What was to go there: `scratch`, `scratch of a captured graph`, `indices`, or `a kernel`.
        what: &'static str,
        /// What was asked for.
        bytes: usize,
    },
    /// A kernel is neither [embedded](crate::embedded) nor in the cache, and there is no NVRTC that could compile it.
    #[error("cannot compile {kernel} for sm_{arch}: {reason}")]
    NoCompiler {
        /// The kernel.
        kernel: String,
        /// The compute capability, without its dot.
        arch: u32,
        /// What is missing, and what to do about it.
        reason: String,
    },
    /// A kernel is neither embedded nor in the cache, and `SORTSMITH_DISABLE_JIT=1` forbids to compile it.
    #[error(
        "{kernel} for sm_{arch} is neither embedded nor in the cache, and SORTSMITH_DISABLE_JIT forbids to compile it: \
         run once without it, or embed the kernel"
    )]
    JitDisabled {
        /// The kernel.
        kernel: String,
        /// The compute capability, without its dot.
        arch: u32,
    },
    /// The compiler refused a kernel, which is a defect of this crate or of the compiler.
    #[error("{kernel} does not compile for sm_{arch}{}:\n{log}", kept_in(kept.as_ref()))]
    Compile {
        /// The kernel.
        kernel: String,
        /// The compute capability, without its dot.
        arch: u32,
        /// The compiler's log.
        log: String,
        /// The folder that holds the source and the log, if it could be written.
        kept: Option<PathBuf>,
    },
    /// The driver took a kernel neither as machine code nor as PTX.
    #[error(
        "the driver refuses {kernel} for sm_{arch}: {reason}; \
         update the driver, or use an NVRTC that is not newer than it"
    )]
    KernelRejected {
        /// The kernel.
        kernel: String,
        /// The compute capability, without its dot.
        arch: u32,
        /// What the driver says.
        reason: String,
    },
    /// A tile of this spec does not fit into the device's shared memory.
    #[error(
        "{spec} needs {needed} bytes of shared memory, and a block on this device has at most {limit}"
    )]
    SharedMemory {
        /// The spec.
        spec: SortSpec,
        /// What it needs.
        needed: u32,
        /// What there is.
        limit: u32,
    },
    /// Tile kernels carry no values of this size.
    #[error(
        "values of {bytes} bytes do not go through a tile kernel; legal: 0, 1, 2, 4, 8 or 16 bytes, such as u32 positions"
    )]
    TileValue {
        /// The size of the values' type.
        bytes: usize,
    },
    /// A device slice belongs to another context than the sorter's stream, or to another `CudaContext` object of the same
    /// device: cudarc orders streams and slices within one object alone.
    #[error(
        "the {what} are in another CUDA context, or of another CudaContext object, than the sorter: make the sorter on a stream \
         of the object that they were allocated by, such as `keys.stream()`"
    )]
    OtherContext {
        /// `keys`, `values` or `indices`.
        what: &'static str,
    },
    /// A sorter was asked for on the per-thread default stream, which is another stream in each thread, where a sorter has
    /// scratch for one.
    #[error(
        "the per-thread default stream is another one in each thread, and a sorter is on one stream: make one with \
         CudaContext::new_stream"
    )]
    PerThreadStream,
    /// The sort cannot become part of the graph that the stream's work is being captured into.
    #[error("cannot sort in a capture of the stream: {reason}")]
    Capture {
        /// Why, and what to do about it.
        reason: &'static str,
    },
    /// Host slices were sorted on a device, and then not copied back: they hold nothing that is defined.
    #[error("the sorted keys and values could not be copied back, and are lost: {reason}")]
    HostDataLost {
        /// The driver's name of the error, and its explanation.
        reason: String,
    },
    /// A sorter of the host was given data on a device.
    #[error(
        "the {what} are on a device, and this sorter sorts on the host: use Sorter::on with a stream"
    )]
    HostSorter {
        /// `keys`, `values` or `indices`.
        what: &'static str,
    },
    /// Of what belongs together some is on the host, some on a device.
    #[error("{what} are not in one place: all must be on the host, or all on a device")]
    MixedPlaces {
        /// `keys and values`, `keys and indices`, `keys and sorted keys`, or `keys, values and what is sorted`.
        what: &'static str,
    },
    /// There are more items than a device sort takes.
    #[error("{items} items: a device sorts at most {limit} such items")]
    DeviceSize {
        /// How many items there are.
        items: usize,
        /// How many there may be.
        limit: usize,
    },
}

fn kept_in(folder: Option<&PathBuf>) -> String {
    folder.map_or_else(String::new, |it| format!("; source and log are in {}", it.display()))
}
