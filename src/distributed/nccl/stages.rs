//! When the stages of a sort end, for measurements.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cudarc::driver::sys::CUevent_flags;
use cudarc::driver::{CudaEvent, CudaStream};

/// The end of a stage, on one of the two streams.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// What was done.
    pub name: String,
    /// Milliseconds from the sort's begin.
    pub end: f32,
}

/// Events at the ends of stages, if they are wanted.
#[derive(Debug, Default)]
pub struct Stages {
    events: Mutex<Vec<(String, CudaEvent)>>,
    is_wanted: bool,
}

impl Stages {
    /// Events are recorded.
    pub fn wanted() -> Self {
        Self { events: Mutex::default(), is_wanted: true }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(String, CudaEvent)>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A sort begins.
    pub fn begin(&self, stream: &CudaStream) {
        self.lock().clear();
        self.end(stream, || "begin".to_owned());
    }

    /// A stage ends where the stream's work that has been enqueued does.
    pub fn end(&self, stream: &CudaStream, name: impl FnOnce() -> String) {
        if !self.is_wanted {
            return;
        }
        if let Ok(event) = stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT)) {
            self.lock().push((name(), event));
        }
    }

    /// The stages of the last sort, which has ended.
    pub fn all(&self) -> Vec<Stage> {
        let events = self.lock();
        let Some((_, begin)) = events.first() else { return Vec::new() };
        let stage = |(name, event): &(String, CudaEvent)| {
            begin.elapsed_ms(event).ok().map(|end| Stage { name: name.clone(), end })
        };
        events.iter().filter_map(stage).collect()
    }
}
