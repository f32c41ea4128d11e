//! Sorts of host and device slices.

#[cfg(feature = "cuda")]
mod beyond_memory;
mod binned;
mod counted;
mod host_slices;
mod in_place;
mod into;
#[cfg(feature = "cuda")]
mod measure;
mod reserve;
mod reserve_top_k;
mod rows;
mod segments;
#[cfg(feature = "cuda")]
mod task;
mod top_k;
mod top_k_pairs;
mod with_positions;

#[cfg(feature = "cuda")]
pub use binned::DeviceBinnedArgsort;
#[cfg(feature = "cuda")]
pub use top_k::DeviceTopK;

use std::fmt;
#[cfg(feature = "cuda")]
use std::sync::Arc;

#[cfg(feature = "cuda")]
use cudarc::driver::CudaStream;
#[cfg(feature = "cuda")]
use sortsmith_codegen::tuning::{Tuning, file::GpuId};

use crate::backend::{Backend, Choice};
#[cfg(feature = "cuda")]
use crate::crossover::Crossovers;
use crate::error::Error;
#[cfg(feature = "cuda")]
use crate::gpu::stream_sorter::StreamSorter;
use crate::options::{STAGING_BYTES, UNMEASURED_MIN};
#[cfg(feature = "cuda")]
use crate::settings::Settings;

/// The largest number of keys that `u32` indices can number.
pub(crate) const INDEX_LIMIT: u64 = 1 << 32;

/// Sorts on one CUDA stream, or on the host.
///
/// A sorter of a stream sorts device slices of that stream's `CudaContext` object ([`Array`](crate::Array) lists their types). Its
/// work is in the stream's order, and no call waits for it. Scratch belongs to the sorter and is reused: after a first call, or
/// after [`reserve`](Self::reserve), nothing is allocated or compiled. [`release`](Self::release) frees it. Kernels are compiled at
/// their first use, and kept on disk and in the context.
///
/// Host slices are copied to the device and back, and the call waits for that. Other threads' sorts of host slices by the same
/// sorter wait too; sorts of device slices do not. Pinned slices, such as those of cudarc's `PinnedHostSlice` or of `cuMemHostRegister`, are
/// copied as they are, others by way of pinned memory that the sorter keeps: [`set_staging_bytes`](Self::set_staging_bytes). Slices that the
/// device has no memory for are sorted in runs, three at the same time, with a copy in host memory if there is room for one
/// ([`RunSorter`](crate::RunSorter) has options).
///
/// A clone is the same sorter. Threads may share it: their sorts are one after the other in the stream.
///
/// # Graphs
///
/// While its stream is being captured, a sorter's sorts of device slices become part of the graph, with or without cudarc's tracking
/// of slices by events. Each capture gets scratch of its own, which the graph owns together with the kernels and the context: it may
/// run beside the sorter's later sorts, on any stream, and after the sorter has been dropped. When the graph and its launches have
/// ended, the next sort on a device, or the next sorter that is made or dropped, frees all that. After a
/// [`reserve`](Self::reserve) a capture compiles nothing; its scratch is allocated outside of the graph, so no graph has nodes that
/// allocate. The example `graph` shows this.
///
/// The caller is responsible for the following, because cudarc's graphs keep nothing alive:
///
/// - The slices must outlive the graph's last launch.
/// - A launch is ordered by its stream alone, and cudarc's events do not cover it: make other streams that use the slices wait
///   (`CudaStream::join`).
/// - Launches of one `CudaGraph` are one after the other; two instances of one graph, made by the driver's own calls, must not run
///   at the same time.
/// - While a capture is begun or ended, no other thread enqueues by a sorter of its stream.
///
/// In a capture these are refused with [`Error::Capture`](crate::Error::Capture): host slices, [`argsort`](Self::argsort), which
/// allocates, and drivers without user objects.
///
/// ```no_run
/// use sortsmith::{SortOptions, Sorter};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let stream = sortsmith::cuda_context(0)?.default_stream();
/// let sorter = Sorter::on(&stream)?;
/// let mut keys = stream.clone_htod(&[3.0f32, -0.0, 1.0])?;
/// let mut rows = stream.clone_htod(&[0u32, 1, 2])?;
/// let order = sorter.argsort::<f32>(&keys)?;
/// sorter.sort_pairs::<f32, u32>(&mut keys, &mut rows)?;
/// sorter.sort_with::<u32>(&mut rows.slice_mut(1..), SortOptions::new().descending())?;
/// assert_eq!(stream.clone_dtoh(&order)?, [1, 2, 0]);
/// # Ok(())
/// # }
/// ```
///
/// On any machine:
///
/// ```
/// let sorter = sortsmith::Sorter::new()?;
/// let mut keys = vec![3u32, 1, 2];
/// sorter.sort(&mut keys)?;
/// assert_eq!(keys, [1, 2, 3]);
/// # Ok::<(), sortsmith::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sorter {
    target: Target,
}

#[derive(Clone)]
enum Target {
    Host,
    #[cfg(feature = "cuda")]
    Gpu {
        sorter: Arc<StreamSorter>,
        host_slices: HostSlices,
    },
}

/// Where a sorter of a GPU sorts host slices.
#[cfg(feature = "cuda")]
#[derive(Clone, Debug)]
enum HostSlices {
    /// On the GPU.
    Copied,
    /// On the GPU if that takes less time and it can sort them, else on the host.
    WhereItPays(Arc<Crossovers>),
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host => f.write_str("Host"),
            #[cfg(feature = "cuda")]
            Self::Gpu { sorter, host_slices } => {
                f.debug_tuple("Gpu").field(sorter).field(host_slices).finish()
            }
        }
    }
}

impl Sorter {
    /// A sorter that may choose sorts host slices with fewer keys than this on the host, where it has no times of such sorts on this
    /// machine ([`Sorter::new`]).
    pub const HOST_BELOW: usize = UNMEASURED_MIN;

    /// The largest size of a sorter's pinned memory, for which [`set_staging_bytes`](Self::set_staging_bytes) sets a smaller one.
    pub const STAGING_BYTES: usize = STAGING_BYTES;

    /// A sorter on the first GPU's default stream if there is a GPU, else on the host.
    ///
    /// Such a sorter chooses for host slices: they are sorted where it takes less time on this machine, with the same result. It
    /// measures that with random keys, some milliseconds at the first sort of such types and about that length, and keeps the times in
    /// the folder of compiled kernels. Fewer than 2,048 keys are sorted on the host, and so are slices that the GPU cannot sort
    /// (because a compiler is missing, for example, or memory even for runs of them). With `SORTSMITH_TUNING=none`, while the stream is being captured, and
    /// for an algorithm that the options name, nothing is measured: [`HOST_BELOW`](Self::HOST_BELOW) decides. With
    /// `SORTSMITH_VERBOSE=1` stderr says of each sort where it is done and why. After the
    /// driver has reported an error that persists, such as a fault of any kernel of the process, all are sorted on the host: only the
    /// end of the process clears such an error.
    ///
    /// With `SORTSMITH_BACKEND=host` the GPU is not used; with `SORTSMITH_BACKEND=gpu` everything is sorted there, or is an error.
    pub fn new() -> Result<Self, Error> {
        match Choice::of_this_process()? {
            Choice::Host => Ok(Self::host()),
            Choice::Gpu => Self::on_device(0),
            Choice::Auto => Self::first_device_or_host(),
        }
    }

    /// A sorter on the host.
    pub const fn host() -> Self {
        Self { target: Target::Host }
    }

    /// A sorter on this stream. The per-thread default stream is refused, because it is a different stream in each thread.
    #[cfg(feature = "cuda")]
    pub fn on(stream: &Arc<CudaStream>) -> Result<Self, Error> {
        let sorter = Arc::new(StreamSorter::on(stream)?);
        Ok(Self { target: Target::Gpu { sorter, host_slices: HostSlices::Copied } })
    }

    /// A sorter on this stream, by this tuning in place of a tuning file's and regardless of `SORTSMITH_TUNING`. The results are the
    /// same. A tuned kernel that cannot be loaded is an error; with a tuning file a built-in one would replace it.
    #[cfg(feature = "cuda")]
    pub fn with_tuning(stream: &Arc<CudaStream>, tuning: Tuning) -> Result<Self, Error> {
        let sorter = Arc::new(StreamSorter::with_tuning(stream, tuning)?);
        Ok(Self { target: Target::Gpu { sorter, host_slices: HostSlices::Copied } })
    }

    /// The facts that identify its GPU in tuning files; `None` for a host sorter.
    #[cfg(feature = "cuda")]
    pub fn gpu_id(&self) -> Option<GpuId> {
        match &self.target {
            Target::Host => None,
            Target::Gpu { sorter, .. } => Some(sorter.gpu_id()),
        }
    }

    /// A sorter on the default stream of the device with this ordinal, which counts from 0.
    ///
    /// ```
    /// use sortsmith::Sorter;
    ///
    /// match Sorter::on_device(0) {
    ///     Ok(sorter) => println!("{}", sorter.backend()),
    ///     Err(error) => println!("{error}"), // such as: no CUDA driver
    /// }
    /// ```
    #[cfg(feature = "cuda")]
    pub fn on_device(ordinal: usize) -> Result<Self, Error> {
        let sorter = Arc::new(StreamSorter::on_device(ordinal)?);
        Ok(Self { target: Target::Gpu { sorter, host_slices: HostSlices::Copied } })
    }

    #[cfg(not(feature = "cuda"))]
    fn on_device(_: usize) -> Result<Self, Error> {
        let reason = "sortsmith was built without its feature `cuda`".to_owned();
        Err(Error::NoDriver { reason })
    }

    #[cfg(feature = "cuda")]
    fn first_device_or_host() -> Result<Self, Error> {
        match StreamSorter::on_device(0) {
            Ok(sorter) => {
                let crossovers = Crossovers::of_this_process(sorter.gpu_id());
                let (sorter, host_slices) = (Arc::new(sorter), HostSlices::WhereItPays(crossovers));
                Ok(Self { target: Target::Gpu { sorter, host_slices } })
            }
            // A wrong request is an error on the host too.
            Err(error @ Error::Tuning { .. }) => Err(error),
            Err(error) => {
                Settings::from_env().say(|| format!("sorting on the host: {error}"));
                Ok(Self::host())
            }
        }
    }

    #[cfg(not(feature = "cuda"))]
    #[allow(clippy::unnecessary_wraps)] // with the feature `cuda` it may fail
    fn first_device_or_host() -> Result<Self, Error> {
        Ok(Self::host())
    }

    /// The hardware that it sorts on.
    pub fn backend(&self) -> Backend {
        match &self.target {
            Target::Host => Backend::Host,
            #[cfg(feature = "cuda")]
            Target::Gpu { sorter, host_slices } => {
                if matches!(host_slices, HostSlices::WhereItPays(_)) && sorter.is_lost() {
                    return Backend::Host;
                }
                sorter.backend()
            }
        }
    }

    /// The stream that it sorts on; `None` for a host sorter. It sorts slices that are allocated on this stream.
    #[cfg(feature = "cuda")]
    pub fn stream(&self) -> Option<&Arc<CudaStream>> {
        match &self.target {
            Target::Host => None,
            Target::Gpu { sorter, .. } => Some(sorter.stream()),
        }
    }

    /// Sets the largest size of the pinned memory that host slices pass on their way to the device and back, for this sorter and its
    /// clones. It is allocated at the first sort of long slices, as large as they are at most, and kept until
    /// [`release`](Self::release) or the next sort after its size has been lowered. With 0 there is none, and more than
    /// [`STAGING_BYTES`](Self::STAGING_BYTES) is not used.
    ///
    /// A device copies from and to pinned memory by itself, while several threads of the caller's rayon pool move other pieces between
    /// it and the slices. Without it, or where the system refuses it, the driver copies on one thread, which takes several times as
    /// long. Slices that are pinned or registered with the driver do not need it.
    ///
    /// ```
    /// let sorter = sortsmith::Sorter::new()?;
    /// sorter.set_staging_bytes(4 << 20);
    /// sorter.sort(&mut vec![2u32; 100_000])?;
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn set_staging_bytes(&self, bytes: usize) {
        match &self.target {
            Target::Host => {
                let _ = bytes;
            }
            #[cfg(feature = "cuda")]
            Target::Gpu { sorter, .. } => sorter.set_staging_bytes(bytes),
        }
    }

    /// Frees the scratch, which is as large as the largest sort needed, and the pinned memory, when the enqueued work is done. It does
    /// not wait for that, and the next sort allocates again. Graphs keep theirs.
    ///
    /// ```
    /// let sorter = sortsmith::Sorter::new()?;
    /// sorter.sort(&mut vec![2u32; 100_000])?;
    /// sorter.release();
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn release(&self) {
        match &self.target {
            Target::Host => {}
            #[cfg(feature = "cuda")]
            Target::Gpu { sorter, .. } => sorter.release(),
        }
    }

    /// The sorter of the stream, for data on a device.
    #[cfg(feature = "cuda")]
    pub(crate) fn device(&self, what: &'static str) -> Result<&StreamSorter, Error> {
        match &self.target {
            Target::Host => Err(Error::HostSorter { what }),
            Target::Gpu { sorter, .. } => Ok(sorter),
        }
    }

    /// The sorter of the stream, if host slices are to be copied to its device.
    #[cfg(feature = "cuda")]
    pub(crate) fn device_of_host_slices(&self) -> Option<&StreamSorter> {
        match &self.target {
            Target::Gpu { sorter, host_slices: HostSlices::Copied } => Some(sorter),
            _ => None,
        }
    }
}

/// Threads share sorters, which contain handles of the driver's.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Sorter>();
};
