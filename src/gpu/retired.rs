//! Objects that only the device may still use: what dropped sorters and ended graphs leave behind.
//!
//! A sorter may be dropped while its sorts run, or while its stream is being captured, and no CUDA call is legal where a graph
//! ends. So their memory, kernels and contexts go on a list. The next call of [`drain`] frees those that no work uses any more;
//! each sort on a device drains, and each sorter that is made, released or dropped.

use std::any::Any;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::{CudaContext, CudaEvent, CudaStream};

use super::allocation::Allocation;
use super::capture::{self, BesideCaptures};
use super::context::Context;
use super::staging::Staging;

/// Something to be freed.
#[derive(Debug)]
pub enum Retired {
    /// What a graph owned. The graph and all its launches have ended, so dropping it is all that is left to do.
    Graph(#[expect(dead_code)] Arc<dyn Any + Send + Sync>),
    /// What a sorter owned.
    Sorter {
        /// The kernels and the context, which work on the stream may still use.
        context: Arc<Context>,
        /// The sorter's stream.
        stream: Arc<CudaStream>,
        /// The sorter's memory, to be freed in the stream's order.
        memory: Vec<Allocation>,
        /// The sorter's pinned memory, to be freed when the stream's work is done: the driver may wait for that.
        staging: Option<Staging>,
    },
    /// The kernels of a sorter with work that ends with an event.
    Running {
        /// The kernels and the context.
        context: Arc<Context>,
        /// The stream. cudarc orders other streams behind its work only while it is alive.
        stream: Arc<CudaStream>,
        /// Recorded behind all of the sorter's work.
        event: CudaEvent,
        /// The sorter's pinned memory.
        staging: Option<Staging>,
    },
}

static RETIRED: Mutex<Vec<Retired>> = Mutex::new(Vec::new());
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Puts something on the list. It makes no CUDA call.
pub fn add(retired: Retired) {
    let mut all = RETIRED.lock().unwrap_or_else(PoisonError::into_inner);
    all.push(retired);
    COUNT.store(all.len(), Ordering::Release);
}

/// Frees everything on the list that no work uses any more, without waiting for the device.
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
    // Dropping an object may add others to the list.
    all.into_iter().filter_map(Retired::free).for_each(add);
}

impl Retired {
    /// Frees it, or returns the rest that cannot be freed yet.
    fn free(self) -> Option<Self> {
        match self {
            Self::Graph(_) => None,
            Self::Sorter { context, stream, memory, staging } => {
                if capture::may_capture(&stream) {
                    return Some(Self::Sorter { context, stream, memory, staging });
                }
                let cuda = Arc::clone(stream.context());
                let event = quietly(&cuda, || {
                    drop(memory);
                    // If no event can be recorded at the second attempt either, the context is unusable and none of its work
                    // runs.
                    let behind_all_work = || stream.record_event(None);
                    behind_all_work().or_else(|_| behind_all_work())
                });
                Self::Running { context, stream, event: event.ok()?, staging }.free()
            }
            Self::Running { context, stream, event, staging } => {
                let cuda = Arc::clone(event.context());
                quietly(&cuda, || {
                    let is_complete = event.try_is_complete().or_else(|_| event.try_is_complete());
                    let running = Self::Running { context, stream, event, staging };
                    (is_complete == Ok(false)).then_some(running)
                })
            }
        }
    }
}

/// Runs `work` and drops the errors that cudarc records meanwhile: no caller could act on them, and an error that persists is
/// reported again. Errors recorded before belong to other callers and are kept.
fn quietly<T>(context: &CudaContext, work: impl FnOnce() -> T) -> T {
    let earlier = context.check_err();
    capture::bind(context);
    let done = work();
    let _ = context.check_err();
    context.record_err(earlier);
    done
}
