//! Sorts of slices of the host, by way of the device.

use cudarc::driver::sys;
use sortsmith::{BlockRadixSort, Error, Sorter};

use super::{FEW, MANY, bytes_of, keys, stream, values, wide_values};
use crate::inject::Scenario;
use crate::shim::Shim;

/// A call on slices of the host.
pub trait HostCall: Sized {
    /// The largest size of the sorter's pinned memory.
    const STAGING_BYTES: usize = Sorter::STAGING_BYTES;

    fn new() -> Self;
    fn call(&mut self, sorter: &Sorter) -> Result<(), Error>;
    fn bytes(&self) -> Vec<u8>;
}

/// Slices of the host, sorted by way of the device; a sorter's first call, or a later one.
pub struct Host<C, const FIRST: bool> {
    sorter: Sorter,
    call: C,
}

impl<C: HostCall, const FIRST: bool> Scenario for Host<C, FIRST> {
    fn prepare() -> Self {
        let sorter = Sorter::on(&stream()).unwrap();
        sorter.set_staging_bytes(C::STAGING_BYTES);
        if !FIRST {
            C::new().call(&sorter).unwrap();
        }
        Self { sorter, call: C::new() }
    }

    fn act(&mut self) -> Result<(), Error> {
        self.call.call(&self.sorter)
    }

    fn reset(&mut self) {
        self.call = C::new();
    }

    fn outcome(&self) -> Vec<u8> {
        self.call.bytes()
    }

    fn is_unchanged(&self) -> bool {
        self.call.bytes() == C::new().bytes()
    }
}

/// A scenario of host slices on a device that does nothing before it is waited for. After a call nothing is left to do: it would
/// read from, or write to, what is the caller's again.
pub struct Deferred<S> {
    inner: S,
    is_idle: bool,
}

impl<S: Scenario> Scenario for Deferred<S> {
    fn prepare() -> Self {
        let inner = S::prepare();
        Shim::loaded().defer(true);
        Self { inner, is_idle: true }
    }

    fn act(&mut self) -> Result<(), Error> {
        let done = self.inner.act();
        self.is_idle = Shim::loaded().pending() == 0;
        // So that a failed test is only that.
        Shim::loaded().defer(false);
        Shim::loaded().defer(true);
        done
    }

    fn reset(&mut self) {
        self.inner.reset();
    }

    fn outcome(&self) -> Vec<u8> {
        if self.is_idle { self.inner.outcome() } else { Vec::new() }
    }

    fn is_unchanged(&self) -> bool {
        self.is_idle && self.inner.is_unchanged()
    }
}

impl<S> Drop for Deferred<S> {
    fn drop(&mut self) {
        Shim::loaded().defer(false);
    }
}

pub struct Keys(Vec<u32>, Vec<u32>);

impl HostCall for Keys {
    fn new() -> Self {
        Self(keys(FEW), keys(MANY))
    }
    fn call(&mut self, sorter: &Sorter) -> Result<(), Error> {
        // An error of the second call leaves what the first has sorted.
        let mut few = self.0.clone();
        sorter.sort(&mut few)?;
        sorter.sort(&mut self.1)?;
        self.0 = few;
        Ok(())
    }
    fn bytes(&self) -> Vec<u8> {
        [bytes_of(&self.0), bytes_of(&self.1)].concat()
    }
}

pub struct Pairs(Vec<u32>, Vec<u64>);

impl HostCall for Pairs {
    fn new() -> Self {
        Self(keys(MANY), values(MANY))
    }
    fn call(&mut self, sorter: &Sorter) -> Result<(), Error> {
        sorter.sort_pairs(&mut self.0, &mut self.1)
    }
    fn bytes(&self) -> Vec<u8> {
        [bytes_of(&self.0), bytes_of(&self.1)].concat()
    }
}

/// Values that no kernel carries.
pub struct Gathered(Vec<u32>, Vec<[u32; 3]>);

impl HostCall for Gathered {
    fn new() -> Self {
        Self(keys(MANY), wide_values(MANY))
    }
    fn call(&mut self, sorter: &Sorter) -> Result<(), Error> {
        sorter.sort_pairs(&mut self.0, &mut self.1)
    }
    fn bytes(&self) -> Vec<u8> {
        [bytes_of(&self.0), bytes_of(&self.1)].concat()
    }
}

pub struct Argsort(Vec<u32>, Vec<u32>);

impl HostCall for Argsort {
    fn new() -> Self {
        Self(keys(MANY), vec![7; MANY])
    }
    fn call(&mut self, sorter: &Sorter) -> Result<(), Error> {
        sorter.argsort_into(&self.0, &mut self.1)
    }
    fn bytes(&self) -> Vec<u8> {
        [bytes_of(&self.0), bytes_of(&self.1)].concat()
    }
}

/// Room for four short pieces, so slots are used again.
const SMALL_STAGING: usize = 1 << 18;

/// A number of keys and positions, or of values, that several threads copy.
const LONG: usize = 140_000;

/// A number of pairs that several threads copy.
const LONG_PAIRS: usize = 90_000;

/// Pairs that pass pinned memory.
pub struct Staged(Vec<u32>, Vec<u64>);

impl HostCall for Staged {
    const STAGING_BYTES: usize = SMALL_STAGING;

    fn new() -> Self {
        Self(keys(LONG_PAIRS), values(LONG_PAIRS))
    }
    fn call(&mut self, sorter: &Sorter) -> Result<(), Error> {
        sorter.sort_pairs(&mut self.0, &mut self.1)
    }
    fn bytes(&self) -> Vec<u8> {
        [bytes_of(&self.0), bytes_of(&self.1)].concat()
    }
}

/// Keys and positions that pass pinned memory.
pub struct StagedArgsort(Vec<u32>, Vec<u32>);

impl HostCall for StagedArgsort {
    const STAGING_BYTES: usize = SMALL_STAGING;

    fn new() -> Self {
        Self(keys(LONG), vec![7; LONG])
    }
    fn call(&mut self, sorter: &Sorter) -> Result<(), Error> {
        sorter.argsort_into(&self.0, &mut self.1)
    }
    fn bytes(&self) -> Vec<u8> {
        [bytes_of(&self.0), bytes_of(&self.1)].concat()
    }
}

/// Keys that are registered with the driver, and values that pass pinned memory of the sorter's.
pub struct HalfPinned(Registered, Vec<u64>);

pub struct Registered(Vec<u32>);

impl Registered {
    fn new(mut keys: Vec<u32>) -> Self {
        let _context = stream();
        // SAFETY: the memory is the vector's, which keeps it until it is dropped.
        let registered =
            unsafe { sys::cuMemHostRegister_v2(keys.as_mut_ptr().cast(), size_of_val(&*keys), 0) };
        registered.result().unwrap();
        Self(keys)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        // SAFETY: it was registered.
        unsafe { sys::cuMemHostUnregister(self.0.as_mut_ptr().cast()) }.result().unwrap();
    }
}

impl HostCall for HalfPinned {
    const STAGING_BYTES: usize = SMALL_STAGING;

    fn new() -> Self {
        Self(Registered::new(keys(LONG)), values(LONG))
    }
    fn call(&mut self, sorter: &Sorter) -> Result<(), Error> {
        sorter.sort_pairs(&mut self.0.0, &mut self.1)
    }
    fn bytes(&self) -> Vec<u8> {
        [bytes_of(&self.0.0), bytes_of(&self.1)].concat()
    }
}

pub struct Tiles(Vec<u32>, Vec<u64>);

impl HostCall for Tiles {
    fn new() -> Self {
        Self(keys(MANY), values(MANY))
    }
    fn call(&mut self, sorter: &Sorter) -> Result<(), Error> {
        BlockRadixSort::<u32, u64>::tiles(128, 8).sort_pairs(sorter, &mut self.0, &mut self.1)
    }
    fn bytes(&self) -> Vec<u8> {
        [bytes_of(&self.0), bytes_of(&self.1)].concat()
    }
}
