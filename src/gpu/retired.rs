//! What nobody uses any more but the device, perhaps: what dropped sorters and ended graphs leave.
//!
//! A sorter may be dropped while its sorts run, or while its stream is being captured; and where a graph ends, no call of CUDA's
//! is legal. So what they had goes here, and is given back as soon as nothing runs that uses it, by the next call that
//! [`drain`]s: each sort on a device, and each sorter that is made, released or dropped.

use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::{CudaContext, CudaEvent, CudaStream};

use super::Gpu;
use super::capture::{self, BesideCaptures};
use super::graph::GraphHold;
use super::memory::Block;

/// What is to be given back.
#[derive(Debug)]
pub enum Retired {
    /// What a graph kept that has ended, with all of its launches.
    #[expect(dead_code)] // dropping it is all that is left to do
    Graph(Arc<GraphHold>),
    /// What a sorter had.
    Sorter {
        /// Its kernels and its context, which its work on the stream may still use.
        gpu: Arc<Gpu>,
        /// Its stream.
        stream: Arc<CudaStream>,
        /// Its memory, to be freed in the stream's order.
        memory: Vec<Block>,
    },
    /// The kernels of a sorter whose work ends with this event.
    Running {
        /// The kernels and the context.
        gpu: Arc<Gpu>,
        /// The stream. cudarc orders other streams behind its work as long as it counts it among those that there are.
        stream: Arc<CudaStream>,
        /// Behind all of the sorter's work.
        event: CudaEvent,
    },
}

static RETIRED: Mutex<Vec<Retired>> = Mutex::new(Vec::new());
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Puts something here. It makes no call of CUDA's.
pub fn add(retired: Retired) {
    let mut all = RETIRED.lock().unwrap_or_else(PoisonError::into_inner);
    all.push(retired);
    COUNT.store(all.len(), Ordering::Release);
}

/// Gives back what it can, without waiting for the device.
pub fn drain() {
    if COUNT.load(Ordering::Acquire) == 0 {
        return;
    }
    let all = {
        let mut all = RETIRED.lock().unwrap_or_else(PoisonError::into_inner);
        COUNT.store(0, Ordering::Release);
        mem::take(&mut *all)
    };
    let _beside = BesideCaptures::begin();
    // What is dropped here may add more.
    all.into_iter().filter_map(Retired::give_back).for_each(add);
}

impl Retired {
    /// Gives it back, or says what is left of it.
    fn give_back(self) -> Option<Self> {
        match self {
            Self::Graph(_) => None,
            Self::Sorter { gpu, stream, memory } => {
                if capture::may_capture(&stream) {
                    return Some(Self::Sorter { gpu, stream, memory });
                }
                let context = Arc::clone(stream.context());
                let event = quietly(&context, || {
                    drop(memory);
                    // Where there is no event to be had at all, the context is past use, and nothing of it runs.
                    let behind_all_work = || stream.record_event(None);
                    behind_all_work().or_else(|_| behind_all_work())
                });
                Self::Running { gpu, stream, event: event.ok()? }.give_back()
            }
            Self::Running { gpu, stream, event } => {
                let context = Arc::clone(event.context());
                quietly(&context, || {
                    let is_complete = event.try_is_complete().or_else(|_| event.try_is_complete());
                    (is_complete == Ok(false)).then_some(Self::Running { gpu, stream, event })
                })
            }
        }
    }
}

/// Gives something back, and forgets what cudarc notes of it: nobody could do anything about that, and an error that stays says
/// so itself. What was noted before is somebody else's.
fn quietly<T>(context: &CudaContext, work: impl FnOnce() -> T) -> T {
    let earlier = context.check_err();
    capture::bind(context);
    let done = work();
    let _ = context.check_err();
    context.record_err(earlier);
    done
}
