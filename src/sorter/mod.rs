//! Sorts of host and device slices.

mod host_slices;
mod in_place;
mod into;
mod reserve;
#[cfg(feature = "cuda")]
mod task;

use std::fmt;
#[cfg(feature = "cuda")]
use std::sync::Arc;

#[cfg(feature = "cuda")]
use cudarc::driver::CudaStream;
#[cfg(feature = "cuda")]
use sortsmith_codegen::tuning::{Tuning, file::GpuId};

use crate::backend::{Backend, Choice};
use crate::error::Error;
#[cfg(feature = "cuda")]
use crate::gpu::stream_sorter::StreamSorter;
#[cfg(feature = "cuda")]
use crate::settings::Settings;

/// The most keys that `u32` indices tell apart.
const INDEX_LIMIT: u64 = 1 << 32;

/// Sorts on one CUDA stream, or on the host.
///
/// A sorter of a stream sorts device slices of that stream's `CudaContext` object ([`Array`](crate::Array) says which types
/// these are). Its work is in the stream's order and no call waits for it. Scratch belongs to the sorter and is used again:
/// after a first call, or after [`reserve`](Self::reserve), nothing is allocated or compiled. [`release`](Self::release) gives
/// it back. Kernels are compiled at their first use, and kept on disk and in the context.
///
/// Host slices can be sorted too: they are copied to the device and back, and the call waits. So do other threads' sorts of
/// host slices by the same sorter; those of device slices do not.
///
/// Clones are the same sorter. Threads may share it: what they enqueue is one after the other in the stream.
///
/// # Graphs
///
/// While its stream is being captured, a sorter's sorts of device slices become part of the graph, with cudarc's tracking of
/// slices by events or without. Each capture gets scratch of its own. The graph keeps it, with the kernels and the context:
/// it may run whatever the sorter sorts meanwhile, on whichever stream, and after the sorter has been dropped. When the
/// graph and its launches have ended, the next sort on a device, or the next sorter that is made or dropped, frees it. To
/// [`reserve`](Self::reserve) before a capture leaves it nothing to compile; its scratch is allocated beside it, so no graph has
/// nodes that allocate. The example `graph` shows all of it.
///
/// What is the caller's stays the caller's, for cudarc's graphs keep nothing alive:
///
/// - The slices must outlive the graph's last launch.
/// - A launch is ordered by its stream alone. cudarc's events know nothing of it: other streams that use the slices have to be
///   made to wait (`CudaStream::join`).
/// - Launches of one `CudaGraph` are one after the other; what is instantiated twice of one graph, by the driver's own calls,
///   must not run beside itself.
/// - A capture is begun and ended while no other thread enqueues by a sorter of its stream.
///
/// A driver that cannot keep things for graphs, host slices, and [`argsort`](Self::argsort), which allocates, are refused in a
/// capture: [`Error::Capture`](crate::Error::Capture).
///
/// ```no_run
/// use cudarc::driver::CudaContext;
/// use sortsmith::{SortOptions, Sorter};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let stream = CudaContext::new(0)?.default_stream();
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
    place: SortPlace,
}

#[derive(Clone)]
enum SortPlace {
    Host,
    #[cfg(feature = "cuda")]
    Gpu {
        sorter: Arc<StreamSorter>,
        host_slices: HostSlices,
    },
}

/// Where a sorter of a GPU sorts host slices.
#[cfg(feature = "cuda")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HostSlices {
    /// On the GPU.
    Copied,
    /// On the GPU if they are long and it can, else on the host.
    WhereItPays,
}

impl fmt::Debug for SortPlace {
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
    /// Host slices with fewer keys than this are sorted on the host by a sorter that may choose. It is where the copies
    /// to a device and back cost about as much as the sort: a guess, for machines differ.
    pub const HOST_BELOW: usize = 1 << 16;

    /// On the first GPU's default stream if there is a GPU, else on the host.
    ///
    /// Such a sorter chooses for host slices: those with fewer than [`HOST_BELOW`](Self::HOST_BELOW) keys, and those that
    /// the GPU cannot sort (for want of memory or of a compiler, say) are sorted on the host, with the same result. So are all,
    /// once the driver has reported an error that stays, such as a fault of any kernel of the process: only the end of the
    /// process clears that.
    /// `SORTSMITH_BACKEND=host` leaves the GPU alone, and with `SORTSMITH_BACKEND=gpu` everything is sorted there and
    /// what cannot be is an error.
    pub fn new() -> Result<Self, Error> {
        match Choice::of_this_process()? {
            Choice::Host => Ok(Self::host()),
            Choice::Gpu => Self::on_device(0),
            Choice::Auto => Self::first_device_or_host(),
        }
    }

    /// On the host.
    pub const fn host() -> Self {
        Self { place: SortPlace::Host }
    }

    /// On this stream. It is refused if it is the per-thread default stream, which is another stream in each thread.
    #[cfg(feature = "cuda")]
    pub fn on(stream: &Arc<CudaStream>) -> Result<Self, Error> {
        let sorter = Arc::new(StreamSorter::on(stream)?);
        Ok(Self { place: SortPlace::Gpu { sorter, host_slices: HostSlices::Copied } })
    }

    /// On this stream, by these shapes in place of those of a tuning file, whatever `SORTSMITH_TUNING` says. The results are
    /// the same. A kernel of theirs that cannot be had is an error, where for that of a file a built-in one does.
    #[cfg(feature = "cuda")]
    pub fn with_tuning(stream: &Arc<CudaStream>, tuning: Tuning) -> Result<Self, Error> {
        let sorter = Arc::new(StreamSorter::with_tuning(stream, tuning)?);
        Ok(Self { place: SortPlace::Gpu { sorter, host_slices: HostSlices::Copied } })
    }

    /// What tells its GPU from others, as tuning files name it; none for a sorter of the host.
    #[cfg(feature = "cuda")]
    pub fn gpu_id(&self) -> Option<GpuId> {
        match &self.place {
            SortPlace::Host => None,
            SortPlace::Gpu { sorter, .. } => Some(sorter.gpu_id()),
        }
    }

    /// On the default stream of the device of this number; they count from 0.
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
        Ok(Self { place: SortPlace::Gpu { sorter, host_slices: HostSlices::Copied } })
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
                let (sorter, host_slices) = (Arc::new(sorter), HostSlices::WhereItPays);
                Ok(Self { place: SortPlace::Gpu { sorter, host_slices } })
            }
            // A wrong request is none for the host.
            Err(error @ Error::Tuning { .. }) => Err(error),
            Err(error) => {
                Settings::from_env().say(|| format!("sorting on the host: {error}"));
                Ok(Self::host())
            }
        }
    }

    #[cfg(not(feature = "cuda"))]
    #[allow(clippy::unnecessary_wraps)] // with the feature it may fail
    fn first_device_or_host() -> Result<Self, Error> {
        Ok(Self::host())
    }

    /// What it sorts on.
    pub fn backend(&self) -> Backend {
        match &self.place {
            SortPlace::Host => Backend::Host,
            #[cfg(feature = "cuda")]
            SortPlace::Gpu { sorter, host_slices } => {
                if *host_slices == HostSlices::WhereItPays && sorter.is_lost() {
                    return Backend::Host;
                }
                sorter.backend()
            }
        }
    }

    /// The stream that it sorts on; none for a sorter of the host. Slices that are allocated on it can be sorted.
    #[cfg(feature = "cuda")]
    pub fn stream(&self) -> Option<&Arc<CudaStream>> {
        match &self.place {
            SortPlace::Host => None,
            SortPlace::Gpu { sorter, .. } => Some(sorter.stream()),
        }
    }

    /// Frees the scratch, which is as much as the largest sort took, when what was enqueued is done. It does not wait, and
    /// the next sort allocates anew. What graphs use stays with them.
    ///
    /// ```
    /// let sorter = sortsmith::Sorter::new()?;
    /// sorter.sort(&mut vec![2u32; 100_000])?;
    /// sorter.release();
    /// # Ok::<(), sortsmith::Error>(())
    /// ```
    pub fn release(&self) {
        match &self.place {
            SortPlace::Host => {}
            #[cfg(feature = "cuda")]
            SortPlace::Gpu { sorter, .. } => sorter.release(),
        }
    }

    /// The sorter of the stream, for data on a device.
    #[cfg(feature = "cuda")]
    pub(crate) fn device(&self, what: &'static str) -> Result<&StreamSorter, Error> {
        match &self.place {
            SortPlace::Host => Err(Error::HostSorter { what }),
            SortPlace::Gpu { sorter, .. } => Ok(sorter),
        }
    }

    /// The sorter of the stream, if host slices are to be copied there.
    #[cfg(feature = "cuda")]
    pub(crate) fn device_of_host_slices(&self) -> Option<&StreamSorter> {
        match &self.place {
            SortPlace::Gpu { sorter, host_slices: HostSlices::Copied } => Some(sorter),
            _ => None,
        }
    }
}

/// Threads share sorters, which hold what the driver gave out.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Sorter>();
};
