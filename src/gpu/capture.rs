//! Captures of streams into graphs, as the driver tells of them.
//!
//! cudarc has these calls for some versions of CUDA and not for others, and panics where the driver lacks one. They are
//! looked up here, once.

use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::OnceLock;

use cudarc::driver::sys::{CUgraph, CUresult, CUstream, CUstreamCaptureStatus as Status};
use cudarc::driver::{CudaContext, CudaStream, result};
use libloading::Library;
use sortsmith_codegen::toolchain::DRIVER_LIBRARY;

use super::driver::told;
use crate::Error;

/// What is done when the driver is asked for a capture.
const ASK: &str = "ask whether the stream is being captured";

/// `CU_STREAM_CAPTURE_MODE_RELAXED`.
const RELAXED: i32 = 2;

/// `CU_USER_OBJECT_NO_DESTRUCTOR_SYNC`, which the driver asks for, and `CU_GRAPH_USER_OBJECT_MOVE`.
const NO_DESTRUCTOR_SYNC: u32 = 1;
const MOVE: u32 = 1;

/// What destroys a user object: called on a thread of the driver's, where no call of CUDA's is legal.
pub type Destroy = unsafe extern "C" fn(*mut c_void);

type UserObject = *mut c_void;
type InfoV2 = unsafe extern "C" fn(
    CUstream,
    *mut Status,
    *mut u64,
    *mut CUgraph,
    *mut *const c_void,
    *mut usize,
) -> CUresult;
type InfoV3 = unsafe extern "C" fn(
    CUstream,
    *mut Status,
    *mut u64,
    *mut CUgraph,
    *mut *const c_void,
    *mut *const c_void,
    *mut usize,
) -> CUresult;

/// `cuStreamGetCaptureInfo`, of the version that the driver has.
#[derive(Clone, Copy, Debug)]
enum Info {
    V2(InfoV2),
    V3(InfoV3),
}

/// The driver's calls.
#[derive(Clone, Copy, Debug)]
struct Calls {
    info: Info,
    exchange_mode: unsafe extern "C" fn(*mut i32) -> CUresult,
    create: unsafe extern "C" fn(*mut UserObject, *mut c_void, Destroy, u32, u32) -> CUresult,
    retain: unsafe extern "C" fn(CUgraph, UserObject, u32, u32) -> CUresult,
    release: unsafe extern "C" fn(UserObject, u32) -> CUresult,
}

impl Calls {
    /// Those of the driver, if it has them all. There is a driver, or there would be no stream.
    fn of_the_driver() -> Option<&'static Self> {
        static CALLS: OnceLock<Option<Calls>> = OnceLock::new();
        CALLS.get_or_init(|| Self::load(DRIVER_LIBRARY)).as_ref()
    }

    fn load(name: &str) -> Option<Self> {
        // SAFETY: the library is the driver, which is loaded already and stays so: nothing is run.
        let library = ManuallyDrop::new(unsafe { Library::new(name) }.ok()?);
        // SAFETY: the types are those of the driver's calls of these names, which stays loaded.
        unsafe {
            let info = match library.get::<InfoV2>(b"cuStreamGetCaptureInfo_v2\0") {
                Ok(info) => Info::V2(*info),
                Err(_) => Info::V3(*library.get(b"cuStreamGetCaptureInfo_v3\0").ok()?),
            };
            Some(Self {
                info,
                exchange_mode: *library.get(b"cuThreadExchangeStreamCaptureMode\0").ok()?,
                create: *library.get(b"cuUserObjectCreate\0").ok()?,
                retain: *library.get(b"cuGraphRetainUserObject\0").ok()?,
                release: *library.get(b"cuUserObjectRelease\0").ok()?,
            })
        }
    }
}

/// A capture that is going on.
#[derive(Clone, Copy, Debug)]
pub struct Capture {
    /// Its number, which no other capture of the process has.
    pub id: u64,
    graph: CUgraph,
}

impl Capture {
    /// The capture that work enqueued on this stream goes to, if there is one. The stream's context is bound to the thread.
    pub fn of(stream: &CudaStream) -> Result<Option<Self>, Error> {
        let stream = stream.cu_stream();
        let Some(calls) = Calls::of_the_driver() else {
            // SAFETY: the stream is live, and its context is bound.
            let status = told(ASK, unsafe { result::stream::is_capturing(stream) })?;
            return match status {
                Status::CU_STREAM_CAPTURE_STATUS_NONE => Ok(None),
                _ => Err(Error::Capture {
                    reason: "the driver has no user objects, which keep a graph's memory: update the driver, or sort outside \
                             of the capture",
                }),
            };
        };
        let (mut status, mut id) = (Status::CU_STREAM_CAPTURE_STATUS_NONE, 0);
        let mut graph: CUgraph = ptr::null_mut();
        // SAFETY: the stream is live; the pointers are to live places, or to none where nothing is asked for.
        let code = unsafe {
            let none = ptr::null_mut();
            match calls.info {
                Info::V2(info) => info(
                    stream,
                    &raw mut status,
                    &raw mut id,
                    &raw mut graph,
                    none,
                    ptr::null_mut(),
                ),
                Info::V3(info) => info(
                    stream,
                    &raw mut status,
                    &raw mut id,
                    &raw mut graph,
                    none,
                    none,
                    ptr::null_mut(),
                ),
            }
        };
        told(ASK, code.result())?;
        match status {
            Status::CU_STREAM_CAPTURE_STATUS_NONE => Ok(None),
            Status::CU_STREAM_CAPTURE_STATUS_ACTIVE => Ok(Some(Self { id, graph })),
            Status::CU_STREAM_CAPTURE_STATUS_INVALIDATED => Err(Error::Capture {
                reason: "an earlier call has invalidated the stream's capture: end it and begin again",
            }),
        }
    }

    /// Gives the graph that is being made something to keep: until the graph, what was instantiated of it and their launches
    /// have ended, and then `destroy` gets the pointer. Where that fails, `destroy` has it or will have it all the same.
    ///
    /// # Safety
    ///
    /// `destroy` may be called with the pointer once, on any thread.
    pub unsafe fn keep(&self, pointer: *mut c_void, destroy: Destroy) -> Result<(), Error> {
        const KEEP: &str = "give a captured graph its memory";
        // There is a capture, so there are the calls.
        let Some(calls) = Calls::of_the_driver() else {
            // SAFETY: the caller's word.
            unsafe { destroy(pointer) };
            return Err(Error::Capture { reason: "the driver has no user objects" });
        };
        let mut object: UserObject = ptr::null_mut();
        // SAFETY: the pointer to the object is to a live place; the rest is the caller's word.
        let created = unsafe {
            (calls.create)(&raw mut object, pointer, destroy, 1, NO_DESTRUCTOR_SYNC).result()
        };
        if let Err(error) = created {
            // SAFETY: there is no object that would.
            unsafe { destroy(pointer) };
            return told(KEEP, Err(error));
        }
        // SAFETY: the capture is going on, so its graph is live; the one reference to the object becomes the graph's.
        let kept = unsafe { (calls.retain)(self.graph, object, 1, MOVE).result() };
        if kept.is_err() {
            // SAFETY: the reference has stayed here. What the driver says of giving it back changes nothing.
            let _ = unsafe { (calls.release)(object, 1) };
        }
        told(KEEP, kept)
    }
}

/// Whether the stream's work is being captured, or whether the driver does not say for a capture that it is in the way of.
pub fn may_capture(stream: &CudaStream) -> bool {
    // SAFETY: the stream is live.
    let status = unsafe { result::stream::is_capturing(stream.cu_stream()) };
    match status {
        Ok(status) => status != Status::CU_STREAM_CAPTURE_STATUS_NONE,
        Err(error) => error.0 == CUresult::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
    }
}

/// Binds a context to this thread, and leaves alone what cudarc has noted of earlier errors, which is somebody else's.
pub fn bind(context: &CudaContext) {
    // SAFETY: the context is live. One that cannot be bound is past use, and the calls that follow say so.
    let _ = unsafe { result::ctx::set_current(context.cu_ctx()) };
}

/// As long as it lives, this thread's calls are none that a capture forbids: they allocate, load and wait beside captures of
/// this thread and of others, which they have nothing to do with.
#[derive(Debug)]
pub struct BesideCaptures(Option<i32>);

impl BesideCaptures {
    /// From now on.
    pub fn begin() -> Self {
        Self(exchange(RELAXED))
    }
}

impl Drop for BesideCaptures {
    fn drop(&mut self) {
        self.0.and_then(exchange);
    }
}

/// Sets the thread's mode, and says what it was, if the driver can.
fn exchange(mode: i32) -> Option<i32> {
    let mut mode = mode;
    let calls = Calls::of_the_driver()?;
    // SAFETY: the pointer is to a live number.
    unsafe { (calls.exchange_mode)(&raw mut mode) }.result().ok()?;
    Some(mode)
}
