//! One rank's part of a group, which one thread at a time uses.

mod host_memory;

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cudarc::driver::{CudaContext, CudaStream, result};

use super::library::{
    BYTES, Code, Comm, Config, IN_PROGRESS, LONG_WORDS, Nccl, SUCCESS, SUM, WORDS,
};
use super::unique_id::UniqueId;
use super::wanted::Wanted;
use crate::distributed::error::ShardError;
use crate::distributed::transport::Transport;
use crate::error::Error;
use crate::gpu::capture::{self, BesideCaptures};
use crate::gpu::pinned::{Event, PinnedBuffer};
use crate::gpu::scratch::Scratch;
use crate::gpu::side_stream::SideStream;
use crate::gpu::status::{allocated, checked};

/// A rank's communicator of NCCL, and what its calls use.
pub struct Member {
    nccl: &'static Nccl,
    context: Arc<CudaContext>,
    comm: Comm,
    rank: usize,
    ranks: usize,
    limit: Duration,
    state: Mutex<State>,
    stream: SideStream,
    done: Event,
    wanted: Arc<Wanted>,
}

// SAFETY: NCCL's communicators may be used from any thread, by one at a time; the member is not shared between threads.
unsafe impl Send for Member {}

/// What calls change.
struct State {
    failure: Option<ShardError>,
    pinned: Option<PinnedBuffer>,
    words: Scratch,
    bytes: Scratch,
}

/// Device memory that is sent to a rank or received from it.
#[derive(Clone, Copy, Debug)]
pub struct Message {
    pub peer: usize,
    pub address: u64,
    pub bytes: usize,
    pub is_sent: bool,
}

impl Member {
    /// Joins a group.
    pub fn new(
        context: &Arc<CudaContext>,
        id: &UniqueId,
        (rank, ranks): (usize, usize),
        limit: Duration,
        wanted: &Arc<Wanted>,
    ) -> Result<Self, ShardError> {
        let failed = |error: Error| transport_error(&error);
        let nccl = Nccl::open()?;
        if ranks == 0 || rank >= ranks {
            let reason = format!("rank {rank} of {ranks}; legal: 0 to ranks - 1");
            return Err(ShardError::Transport { reason });
        }
        bind(context).map_err(failed)?;
        let stream = SideStream::urgent(context).map_err(failed)?;
        let done = checked("make an event", Event::new(context)).map_err(failed)?;
        let memory = stream.wrapped();
        let (words, bytes) = (Scratch::new(&memory), Scratch::new(&memory));
        let state = State { failure: None, pinned: None, words, bytes };
        let mut joined = Self {
            nccl,
            context: Arc::clone(context),
            comm: ptr::null_mut(),
            rank,
            ranks,
            limit,
            state: Mutex::new(state),
            stream,
            done,
            wanted: Arc::clone(wanted),
        };
        let mut config = Config::without_blocking();
        // SAFETY: the pointers are to live objects; NCCL has copied them when it returns. The context is bound.
        let code = unsafe {
            let comm = &raw mut joined.comm;
            (nccl.init_rank)(comm, ranks as c_int, id.bytes(), rank as c_int, &raw mut config)
        };
        joined.finish(code)?;
        // All connections are made at the first exchange.
        joined.all_gather(&[0])?;
        let (sent, mut received) = (vec![[0u8; 16]; ranks], vec![[0u8; 16]; ranks]);
        let sent: Vec<&[u8]> = sent.iter().map(<[u8; 16]>::as_slice).collect();
        let mut received: Vec<&mut [u8]> =
            received.iter_mut().map(<[u8; 16]>::as_mut_slice).collect();
        joined.all_to_all(&sent, &mut received)?;
        Ok(joined)
    }

    /// The stream on which NCCL works.
    pub fn stream(&self) -> Arc<CudaStream> {
        self.stream.wrapped()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The error with which the group has ended, or ends now.
    fn failure(&self) -> Result<(), ShardError> {
        match self.wanted.take() {
            Some(error) => Err(self.fail(error)),
            None => self.lock().failure.clone().map_or(Ok(()), Err),
        }
    }

    /// Ends the group if another thread wants it.
    pub fn end_if_wanted(&self) {
        let _ = self.failure();
    }

    /// Ends the group with this error, unless it has ended with another.
    pub fn fail(&self, error: ShardError) -> ShardError {
        let mut state = self.lock();
        if let Some(failure) = &state.failure {
            return failure.clone();
        }
        state.failure = Some(error.clone());
        if !self.comm.is_null() {
            // SAFETY: the communicator is live, and not used after it.
            unsafe { (self.nccl.abort)(self.comm) };
        }
        error
    }

    pub fn fail_by(&self, error: &Error) -> ShardError {
        self.fail(transport_error(error))
    }

    fn fail_by_code(&self, code: Code) -> ShardError {
        self.fail(ShardError::Transport { reason: self.nccl.describe(code) })
    }

    /// Waits until NCCL has taken a call.
    fn finish(&self, code: Code) -> Result<(), ShardError> {
        match code {
            SUCCESS => Ok(()),
            IN_PROGRESS => self.poll(|| Ok(true)),
            code => Err(self.fail_by_code(code)),
        }
    }

    /// Waits until NCCL has nothing in progress and `is_done`, but not longer than the limit.
    fn poll(&self, is_done: impl Fn() -> Result<bool, Error>) -> Result<(), ShardError> {
        const SPINS: Duration = Duration::from_millis(20);
        const PAUSE: Duration = Duration::from_micros(50);
        let begin = Instant::now();
        loop {
            self.failure()?;
            let mut state = SUCCESS;
            // SAFETY: the communicator is live, and the pointer is to a live integer.
            let code = unsafe { (self.nccl.async_error)(self.comm, &raw mut state) };
            match (code, state) {
                (SUCCESS, SUCCESS) => {
                    if is_done().map_err(|error| self.fail_by(&error))? {
                        return Ok(());
                    }
                }
                (SUCCESS, IN_PROGRESS) => {}
                (SUCCESS, code) | (code, _) => return Err(self.fail_by_code(code)),
            }
            let waited = begin.elapsed();
            if waited > self.limit {
                let limit = self.limit.as_secs_f64();
                let reason = format!("a rank has ended, or did not take part within {limit} s");
                return Err(self.fail(ShardError::Transport { reason }));
            }
            if waited > SPINS { std::thread::sleep(PAUSE) } else { std::hint::spin_loop() }
        }
    }

    /// Waits until an event has occurred.
    pub fn wait(&self, event: &Event) -> Result<(), ShardError> {
        self.poll(|| checked("query an event", event.has_occurred()))
    }

    /// Gathers device memory of all ranks, in the order of the communicator's stream.
    ///
    /// # Safety
    ///
    /// `from` is memory of the context for this number of bytes, a multiple of 8, and `to` for as many of each rank. Nothing outside of the order of the
    /// communicator's stream accesses it until that has done this.
    pub unsafe fn all_gather_at(&self, from: u64, to: u64, bytes: usize) -> Result<(), ShardError> {
        self.failure()?;
        let stream = self.stream.handle().cast::<c_void>();
        let (from, to) = (from as *const c_void, to as *mut c_void);
        // SAFETY: the caller vouches for the memory.
        let code =
            unsafe { (self.nccl.all_gather)(from, to, bytes / 8, LONG_WORDS, self.comm, stream) };
        self.finish(code)
    }

    /// Adds words of device memory of all ranks, in place, in the order of the communicator's stream.
    ///
    /// # Safety
    ///
    /// As for [`Self::all_gather_at`], for this number of words at the address.
    pub unsafe fn all_sum_at(&self, address: u64, words: usize) -> Result<(), ShardError> {
        self.failure()?;
        let stream = self.stream.handle().cast::<c_void>();
        let (from, to) = (address as *const c_void, address as *mut c_void);
        // SAFETY: the caller vouches for the memory.
        let code =
            unsafe { (self.nccl.all_reduce)(from, to, words, LONG_WORDS, SUM, self.comm, stream) };
        self.finish(code)
    }

    /// Sends and receives device memory, all at once, in the order of the communicator's stream.
    ///
    /// # Safety
    ///
    /// As for [`Self::all_gather_at`], for the memory of each message. All ranks call it, with the messages that belong together.
    pub unsafe fn exchange_at(&self, messages: &[Message]) -> Result<(), ShardError> {
        self.failure()?;
        if messages.is_empty() {
            return Ok(());
        }
        let stream = self.stream.handle().cast::<c_void>();
        // SAFETY: the call has no preconditions.
        self.finish(unsafe { (self.nccl.group_start)() })?;
        let mut worst = SUCCESS;
        for Message { peer, address, bytes, is_sent } in messages.iter().copied() {
            let (items, kind) = match bytes {
                bytes if bytes % 8 == 0 && address % 8 == 0 => (bytes / 8, LONG_WORDS),
                bytes if bytes % 4 == 0 && address % 4 == 0 => (bytes / 4, WORDS),
                bytes => (bytes, BYTES),
            };
            let peer = peer as c_int;
            // SAFETY: the caller vouches for the memory.
            let code = unsafe {
                if is_sent {
                    (self.nccl.send)(address as *const c_void, items, kind, peer, self.comm, stream)
                } else {
                    (self.nccl.receive)(
                        address as *mut c_void,
                        items,
                        kind,
                        peer,
                        self.comm,
                        stream,
                    )
                }
            };
            if code != SUCCESS && code != IN_PROGRESS {
                worst = code;
            }
        }
        // SAFETY: it ends the group that was begun above.
        let ended = unsafe { (self.nccl.group_end)() };
        self.finish(if worst == SUCCESS { ended } else { worst })
    }

    /// Device memory, and pinned memory of the host, for these bytes.
    fn staging(&self, bytes: usize) -> Result<(u64, *mut u8), Error> {
        let mut state = self.lock();
        if state.pinned.as_ref().is_none_or(|pinned| pinned.len() < bytes) {
            state.pinned = None;
            let pinned = PinnedBuffer::new(&self.context, bytes.next_power_of_two().max(1 << 16));
            state.pinned = Some(allocated("pinned memory", bytes, pinned)?);
        }
        let host = state.pinned.as_ref().map_or(ptr::null_mut(), PinnedBuffer::as_ptr);
        let [device] = state.words.take([bytes])?;
        Ok((device, host))
    }

    /// Words of device memory, in the order of the communicator's stream. It waits for them.
    ///
    /// # Safety
    ///
    /// There are as many words at the address, in memory of the context.
    pub unsafe fn read(&self, address: u64, words: usize) -> Result<Vec<u64>, ShardError> {
        let bytes = words * size_of::<u64>();
        let (_, host) = self.staging(bytes).map_err(|error| self.fail_by(&error))?;
        let handle = self.stream.handle();
        // SAFETY: the pinned memory has room for them, and nothing uses it but this call. The copy is waited for below.
        let copied = unsafe {
            let room = std::slice::from_raw_parts_mut(host, bytes);
            result::memcpy_dtoh_async(room, address, handle)
        };
        checked("enqueue a copy", copied).map_err(|error| self.fail_by(&error))?;
        self.wait_for_stream()?;
        let mut read = vec![0u64; words];
        // SAFETY: as many bytes have been copied there.
        unsafe { ptr::copy_nonoverlapping(host, read.as_mut_ptr().cast::<u8>(), bytes) };
        Ok(read)
    }

    pub fn bind(&self) -> Result<(), ShardError> {
        bind(&self.context).map_err(|error| self.fail_by(&error))
    }

    /// Lets the communicator's stream end its work, and waits for it.
    fn wait_for_stream(&self) -> Result<(), ShardError> {
        let recorded = checked("record an event", self.done.record(self.stream.handle()));
        recorded.map_err(|error| self.fail_by(&error))?;
        self.wait(&self.done)
    }

    /// Lets the stream of a group that has ended do what is left: NCCL does nothing there any more, so this waits for no rank.
    fn drain(&self) {
        capture::bind(&self.context);
        let _beside = BesideCaptures::begin();
        // SAFETY: the stream is live. If this fails, the device does nothing any more.
        let _ = unsafe { result::stream::synchronize(self.stream.handle()) };
    }
}

impl Drop for Member {
    /// All calls have waited for their work, so nothing is in progress unless the group has failed: then copies may still use the pinned memory.
    fn drop(&mut self) {
        if self.lock().failure.is_some() {
            return self.drain();
        }
        if !self.comm.is_null() {
            capture::bind(&self.context);
            // SAFETY: the communicator is live, and not used after it.
            unsafe { (self.nccl.abort)(self.comm) };
        }
    }
}

/// Binds a context to this thread. cudarc would return an error that it has recorded for another caller, and the group would end.
fn bind(context: &CudaContext) -> Result<(), Error> {
    // SAFETY: the context is live.
    checked("bind the context to a thread", unsafe { result::ctx::set_current(context.cu_ctx()) })
}

fn transport_error(error: &Error) -> ShardError {
    ShardError::Transport { reason: error.to_string() }
}
