//! The errors of this crate.

use std::path::PathBuf;

use sortsmith_codegen::{KeyType, SortSpec, SpecError, render::RenderError};

use crate::algorithm::ArrayAlgorithm;

/// Why a sort, or the rendering of a kernel, failed.
///
/// The data is unchanged, with three exceptions, where the content is unspecified: data on a device after [`Error::Driver`], because a
/// kernel may have begun; data on the host after [`Error::HostDataLost`]; and the output of a sort *to another slice* after any
/// error that is not about its arguments. A [`RunSorter`](crate::RunSorter) leaves the same items in another order; and of rows or segments
/// that the host sorts in place, each is unchanged or sorted after [`Error::OutOfMemory`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Keys and values differ in number.
    #[error("{keys} keys and {values} values: each key needs one value")]
    LengthMismatch {
        /// Number of keys.
        keys: usize,
        /// Number of values.
        values: usize,
    },
    /// The output of a sort to another slice differs in length from the input.
    #[error("{items} {what}, but the output has {room}: the lengths must be equal")]
    OutputLength {
        /// `keys` or `values`.
        what: &'static str,
        /// Length of the input.
        items: usize,
        /// Length of the output.
        room: usize,
    },
    /// The range of bits exceeds the key.
    #[error("bits {begin}..{end} are not bits of a {key} key; legal: begin <= end <= {key_bits}")]
    BitRange {
        /// The first bit of the range.
        begin: u32,
        /// One past the last bit of the range.
        end: u32,
        /// The type of the keys.
        key: KeyType,
        /// Bits of the key.
        key_bits: u32,
    },
    /// The keys do not form rows.
    #[error(
        "{items} keys are not rows of {columns} columns, {stride} apart; legal: at least one column, a stride of at least as many, and \
         a whole number of rows"
    )]
    RowShape {
        /// Number of keys.
        items: usize,
        /// Keys of a row.
        columns: usize,
        /// The distance between the first items of two rows.
        stride: usize,
    },
    /// There is not one end for each begin of segments.
    #[error("{begins} begins of segments and {ends} ends; legal: one end for each begin")]
    SegmentEnds {
        /// Number of begins.
        begins: usize,
        /// Number of ends.
        ends: usize,
    },
    /// A count is an array of one number.
    #[error("the count has {items} items; legal: 1")]
    CountLength {
        /// Number of items.
        items: usize,
    },
    /// An offset of segments is less than the one before it, or exceeds the array.
    #[error(
        "offset {index} of the segments is {offset}; legal: {least} to {items}, for offsets ascend"
    )]
    SegmentOffset {
        /// Its index among the offsets.
        index: usize,
        /// The offset.
        offset: String,
        /// The offset before it, or 0.
        least: usize,
        /// Number of keys.
        items: usize,
    },
    /// Values that kernels do not move from device to device.
    #[error("values of {bytes} bytes between devices; legal: 1, 2, 4, 8 or 16 bytes")]
    TravellingValues {
        /// Bytes of a value.
        bytes: usize,
    },
    /// Values at an address that kernels do not read values of that size from.
    #[error("values of {bytes} bytes between devices, at an address that is no multiple of that")]
    ValueAddress {
        /// Bytes of a value.
        bytes: usize,
    },
    /// A top-k of fewer than k keys.
    #[error("the top {k} of {items} keys; legal: at most {items}")]
    TopK {
        /// The requested number.
        k: usize,
        /// Number of keys.
        items: usize,
    },
    /// A binned argsort of no bins, or of too many.
    #[error("{bins} bins; legal: 1 to {most}")]
    Bins {
        /// The requested number.
        bins: usize,
        /// The largest legal number.
        most: usize,
    },
    /// The chosen algorithm does not support the request.
    #[error("{algorithm} does not take {what}; legal: {legal}")]
    NotOfAlgorithm {
        /// The chosen algorithm.
        algorithm: ArrayAlgorithm,
        /// The request.
        what: &'static str,
        /// The legal requests.
        legal: &'static str,
    },
    /// There are more keys than the type of the indices can number.
    #[error("{items} keys, but u32 indices number at most {limit}")]
    TooManyItems {
        /// Number of keys.
        items: usize,
        /// The largest legal number.
        limit: u64,
    },
    /// The host is out of memory for the buffers of a sort.
    #[error("no memory for {bytes} bytes of scratch")]
    OutOfMemory {
        /// The size of the allocation.
        bytes: usize,
    },
    /// The progress callback of a sort in runs ended it. The slices have the same items, in another order.
    #[error("the sort was interrupted")]
    Interrupted,
    /// The spec cannot be rendered as a header.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The spec is not legal.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// `SORTSMITH_BACKEND` has an unknown value.
    #[error("SORTSMITH_BACKEND={value} is no backend; legal: host, gpu, or unset")]
    UnknownBackend {
        /// Its value.
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
    /// The driver's library is missing or cannot be loaded.
    #[error("no CUDA driver: {reason}; install NVIDIA's driver, or sort on the host")]
    NoDriver {
        /// The dynamic loader's message.
        reason: String,
    },
    /// The driver is older than this crate supports.
    #[error("the driver is for CUDA {}.{}, and at least {}.{} is needed: update it, or sort on the host",
        found.0, found.1, needed.0, needed.1)]
    DriverTooOld {
        /// The CUDA version of the driver.
        found: (i32, i32),
        /// The oldest supported version.
        needed: (i32, i32),
    },
    /// The driver is loaded, but offers no device.
    #[error("the CUDA driver offers no device: {reason}; make one visible, or sort on the host")]
    NoDevice {
        /// The driver's message.
        reason: String,
    },
    /// There is no device with this ordinal.
    #[error("there is no device {ordinal}: the driver offers {devices}, counted from 0")]
    InvalidDevice {
        /// The ordinal.
        ordinal: usize,
        /// Number of devices.
        devices: usize,
    },
    /// The driver failed.
    #[error("cannot {doing}: {reason}")]
    Driver {
        /// The action that failed.
        doing: &'static str,
        /// The driver's name of the error, and its explanation.
        reason: String,
    },
    /// The device has not as much memory left.
    #[error("no memory on the device for {bytes} bytes of {what}")]
    OutOfDeviceMemory {
        /// What was to go there: `scratch`, `scratch of a captured graph`, `indices`, or `a kernel`.
        what: &'static str,
        /// The size of the allocation.
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
        /// The folder with the source and the log, if it could be written.
        kept: Option<PathBuf>,
    },
    /// The driver loads a kernel neither as machine code nor as PTX.
    #[error(
        "the driver refuses {kernel} for sm_{arch}: {reason}; \
         update the driver, or use an NVRTC that is not newer than it"
    )]
    KernelRejected {
        /// The kernel.
        kernel: String,
        /// The compute capability, without its dot.
        arch: u32,
        /// The driver's message.
        reason: String,
    },
    /// A tile of this spec does not fit into the device's shared memory.
    #[error(
        "{spec} needs {needed} bytes of shared memory, and a block on this device has at most {limit}"
    )]
    SharedMemory {
        /// The spec.
        spec: SortSpec,
        /// The shared memory that it needs, in bytes.
        needed: u32,
        /// The largest that a block may have on the device, in bytes.
        limit: u32,
    },
    /// Tile kernels do not move values of this size.
    #[error(
        "a tile kernel does not move values of {bytes} bytes; legal: 0, 1, 2, 4, 8 or 16 bytes, such as u32 positions"
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
        /// `keys`, `values`, `indices`, `sorted keys` or `sorted values`.
        what: &'static str,
    },
    /// The per-thread default stream is a different stream in each thread, and a sorter's scratch is for one stream.
    #[error(
        "the per-thread default stream is a different one in each thread, and a sorter is on one stream: make one with \
         CudaContext::new_stream"
    )]
    PerThreadStream,
    /// The sort cannot become part of the graph that the stream's work is being captured into.
    #[error("cannot sort in a capture of the stream: {reason}")]
    Capture {
        /// The reason, and what to do about it.
        reason: &'static str,
    },
    /// Host slices were sorted on a device but not copied back: their content is unspecified.
    #[error("the sorted keys and values could not be copied back, and are lost: {reason}")]
    HostDataLost {
        /// The driver's name of the error, and its explanation.
        reason: String,
    },
    /// A host sorter was given data on a device.
    #[error(
        "the {what} are on a device, and this sorter sorts on the host: use Sorter::on with a stream"
    )]
    HostSorter {
        /// `keys`, `values`, `indices`, `sorted keys` or `sorted values`.
        what: &'static str,
    },
    /// Some of the slices of one sort are on the host, some on a device.
    #[error("{what} are not all on the host or all on a device")]
    MixedMemory {
        /// `keys and values`, `keys and indices`, `keys and sorted keys`, `keys, values and sorted slices`, `keys and offsets of segments`, or
        /// `keys and their count`.
        what: &'static str,
    },
    /// There are more items than a device sort supports.
    #[error("{items} items: a device sorts at most {limit} such items")]
    DeviceSize {
        /// Number of items.
        items: usize,
        /// The largest legal number.
        limit: usize,
    },
}

fn kept_in(folder: Option<&PathBuf>) -> String {
    folder.map_or_else(String::new, |it| format!("; source and log are in {}", it.display()))
}
