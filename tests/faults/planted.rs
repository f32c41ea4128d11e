//! Leaks that are made on purpose where cudarc loses the memory of a slice too: the test of faults finds them.

use std::marker::PhantomData;
use std::mem;
use std::panic;
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaSlice, CudaStream, DriverError};
use libtest_mimic::Trial;
use sortsmith::Error;

use crate::inject::{self, Scenario};
use crate::shim::{self, Shim};

pub fn trials() -> [Trial; 3] {
    [
        trial::<OfMemory>("a_leak_of_memory_beside_cudarcs_is_found"),
        trial::<OfStream>("a_leak_of_a_stream_beside_cudarcs_is_found"),
        trial::<OfEvent>("a_leak_of_an_event_beside_cudarcs_is_found"),
    ]
}

/// Something that is not freed.
trait Leak {
    /// The complaint.
    const FOUND: &'static str;

    fn leak(stream: &Arc<CudaStream>) -> Result<(), DriverError>;
}

struct OfMemory;

impl Leak for OfMemory {
    const FOUND: &'static str = "(\"allocations\", 2, 1), (\"bytes\", 4800, 4000)";

    fn leak(stream: &Arc<CudaStream>) -> Result<(), DriverError> {
        stream.alloc_zeros::<u32>(200)?.leak();
        Ok(())
    }
}

struct OfStream;

impl Leak for OfStream {
    const FOUND: &'static str = "(\"streams\", 1, 0)";

    fn leak(stream: &Arc<CudaStream>) -> Result<(), DriverError> {
        stream.context().new_stream().map(mem::forget)
    }
}

struct OfEvent;

impl Leak for OfEvent {
    const FOUND: &'static str = "(\"events\", 1, 0)";

    fn leak(stream: &Arc<CudaStream>) -> Result<(), DriverError> {
        stream.context().new_event(None).map(mem::forget)
    }
}

/// A new slice, and a leak after an error.
struct Planted<L> {
    stream: Arc<CudaStream>,
    slice: Option<CudaSlice<u32>>,
    leak: PhantomData<L>,
}

impl<L: Leak> Scenario for Planted<L> {
    fn prepare() -> Self {
        let stream = CudaContext::new(0).unwrap().new_stream().unwrap();
        Self { stream, slice: None, leak: PhantomData }
    }

    fn act(&mut self) -> Result<(), Error> {
        let slice = self.stream.alloc_zeros(1000);
        if slice.is_err() && Shim::loaded().calls_to_fault().ends_with(&["cuEventCreate".into()]) {
            // It fails too where the fault lasts.
            let _ = L::leak(&self.stream);
        }
        self.slice = Some(slice.map_err(|_| Error::OutOfMemory { bytes: 4000 })?);
        Ok(())
    }

    fn reset(&mut self) {
        self.slice = None;
    }

    fn outcome(&self) -> Vec<u8> {
        Vec::new()
    }
}

/// A test that the leak is found where cudarc loses the memory of a slice too.
fn trial<L: Leak>(name: &'static str) -> Trial {
    crate::trial(name, move || {
        if !shim::is_child() {
            shim::expect_child(name, &[]);
            return;
        }
        let complaints = panic::catch_unwind(inject::run::<Planted<L>>).expect_err("a leak");
        let complaints = complaints.downcast_ref::<String>().expect("a message");
        let is_found =
            |line: &str| line.starts_with("cuEventCreate #1 ") && line.contains(L::FOUND);
        assert!(complaints.lines().any(is_found), "no {} in:\n{complaints}", L::FOUND);
    })
}
