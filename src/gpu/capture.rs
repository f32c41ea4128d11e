//! Captures of streams into graphs, by the driver's own calls.
//!
//! cudarc binds these calls for some versions of CUDA only, and panics where the driver lacks one. They are looked up here,
//! once.

use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::OnceLock;

use cudarc::driver::sys::{CUgraph, CUresult, CUstream, CUstreamCaptureStatus as Status};
use cudarc::driver::{CudaContext, CudaStream, result};
use libloading::Library;
use sortsmith_codegen::toolchain::DRIVER_LIBRARY;

use super::status::checked;
use crate::error::Error;

/// The action that a failed query names.
const QUERY: &str = "query whether the stream is being captured";

/// `CU_STREAM_CAPTURE_MODE_RELAXED`.
const RELAXED: i32 = 2;

/// `CU_USER_OBJECT_NO_DESTRUCTOR_SYNC`, which the driver requires, and `CU_GRAPH_USER_OBJECT_MOVE`.
const NO_DESTRUCTOR_SYNC: u32 = 1;
const MOVE: u32 = 1;

/// The destructor of a user object. The driver calls it on a thread of its own, where no CUDA call is legal.
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
    /// The driver's calls, if it has all of them. The driver is loaded, or there would be no stream.
    fn of_the_driver() -> Option<&'static Self> {
        static CALLS: OnceLock<Option<Calls>> = OnceLock::new();
        CALLS.get_or_init(|| Self::load(DRIVER_LIBRARY)).as_ref()
    }

    fn load(name: &str) -> Option<Self> {
        // SAFETY: the library is the driver, which is already loaded and stays so: no initialiser runs.
        let library = ManuallyDrop::new(unsafe { Library::new(name) }.ok()?);
        // SAFETY: the types are those of the driver's calls of these names; the driver stays loaded.
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

/// An active capture.
#[derive(Clone, Copy, Debug)]
pub struct Capture {
    /// The driver's number for it, unique in the process.
    pub id: u64,
    graph: CUgraph,
}

impl Capture {
    /// The capture that records work enqueued on this stream, if there is one. The stream's context is bound to the thread.
    pub fn of(stream: &CudaStream) -> Result<Option<Self>, Error> {
        let stream = stream.cu_stream();
        let Some(calls) = Calls::of_the_driver() else {
            // SAFETY: the stream is live, and its context is bound.
            let status = checked(QUERY, unsafe { result::stream::is_capturing(stream) })?;
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
        // SAFETY: the stream is live; the pointers are to live variables, or null for outputs that are not wanted.
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
        checked(QUERY, code.result())?;
        match status {
            Status::CU_STREAM_CAPTURE_STATUS_NONE => Ok(None),
            Status::CU_STREAM_CAPTURE_STATUS_ACTIVE => Ok(Some(Self { id, graph })),
            Status::CU_STREAM_CAPTURE_STATUS_INVALIDATED => Err(Error::Capture {
                reason: "an earlier call has invalidated the stream's capture: end it and begin again",
            }),
        }
    }

    /// Makes the captured graph own an object: `destroy` is called with the pointer when the graph, its instances and their
    /// launches have ended. If this fails, `destroy` has been called or will be called all the same.
    ///
    /// # Safety
    ///
    /// `destroy` may be called with the pointer once, on any thread.
    pub unsafe fn keep(&self, pointer: *mut c_void, destroy: Destroy) -> Result<(), Error> {
        const KEEP: &str = "give a captured graph its memory";
        // `of` returned a capture, so the calls exist.
        let Some(calls) = Calls::of_the_driver() else {
            // SAFETY: the caller permits one call.
            unsafe { destroy(pointer) };
            return Err(Error::Capture { reason: "the driver has no user objects" });
        };
        let mut object: UserObject = ptr::null_mut();
        // SAFETY: the object pointer is to a live variable; the caller vouches for `destroy`.
        let created = unsafe {
            (calls.create)(&raw mut object, pointer, destroy, 1, NO_DESTRUCTOR_SYNC).result()
        };
        if let Err(error) = created {
            // SAFETY: no object was made, so nothing else calls it.
            unsafe { destroy(pointer) };
            return checked(KEEP, Err(error));
        }
        // SAFETY: the capture is active, so its graph is live; the only reference to the object becomes the graph's.
        let kept = unsafe { (calls.retain)(self.graph, object, 1, MOVE).result() };
        if kept.is_err() {
            // SAFETY: the reference was not transferred. The result of releasing it changes nothing.
            let _ = unsafe { (calls.release)(object, 1) };
        }
        checked(KEEP, kept)
    }
}

/// Whether the stream's work is being captured, or another capture prevents the driver from answering.
pub fn may_capture(stream: &CudaStream) -> bool {
    // SAFETY: the stream is live.
    let status = unsafe { result::stream::is_capturing(stream.cu_stream()) };
    match status {
        Ok(status) => status != Status::CU_STREAM_CAPTURE_STATUS_NONE,
        Err(error) => error.0 == CUresult::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
    }
}

/// Binds a context to this thread without touching the errors that cudarc has recorded for it, which belong to other callers.
pub fn bind(context: &CudaContext) {
    // SAFETY: the context is live. If it cannot be bound it is unusable, and the calls that follow report that.
    let _ = unsafe { result::ctx::set_current(context.cu_ctx()) };
}

/// While it lives, this thread may allocate, load code and wait although streams are being captured, by this thread or by
/// others: those captures do not involve the calls made under it.
#[derive(Debug)]
pub struct BesideCaptures(Option<i32>);

impl BesideCaptures {
    /// Sets the thread's capture mode to relaxed.
    pub fn begin() -> Self {
        Self(exchange(RELAXED))
    }
}

impl Drop for BesideCaptures {
    fn drop(&mut self) {
        self.0.and_then(exchange);
    }
}

/// Sets the thread's capture mode and returns the previous one, if the driver has the call.
fn exchange(mode: i32) -> Option<i32> {
    let mut mode = mode;
    let calls = Calls::of_the_driver()?;
    // SAFETY: the pointer is to a live variable.
    unsafe { (calls.exchange_mode)(&raw mut mode) }.result().ok()?;
    Some(mode)
}
