//! What is sorted while calls fail.

use std::sync::Arc;
use std::thread;

use cudarc::driver::sys::CUgraphInstantiate_flags;
use cudarc::driver::sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
use cudarc::driver::{CudaContext, CudaSlice, CudaStream};
use sortsmith::{BlockRadixSort, Error, SortOptions, Sorter};

use crate::inject::{self, Scenario, Tally};
use crate::shim::Shim;

/// Sorted by one tile, and by a device-wide sort.
const FEW: usize = 600;
const MANY: usize = 20_000;

/// A scenario by its name, and its run with all faults.
type Named = (&'static str, fn() -> Tally);

/// All scenarios.
pub fn all() -> Vec<Named> {
    vec![
        ("host_keys", inject::run::<Host<Keys, false>>),
        ("host_pairs", inject::run::<Host<Pairs, false>>),
        ("host_gathered", inject::run::<Host<Gathered, false>>),
        ("host_argsort", inject::run::<Host<Argsort, false>>),
        ("host_tiles", inject::run::<Host<Tiles, false>>),
        ("deferred_host_pairs", inject::run::<Deferred<Host<Pairs, false>>>),
        ("deferred_host_gathered", inject::run::<Deferred<Host<Gathered, false>>>),
        ("deferred_host_argsort", inject::run::<Deferred<Host<Argsort, false>>>),
        ("deferred_host_tiles", inject::run::<Deferred<Host<Tiles, false>>>),
        ("first_host_pairs", inject::run::<Host<Pairs, true>>),
        ("first_host_gathered", inject::run::<Host<Gathered, true>>),
        ("device_pairs", inject::run::<Device<InPlace, false>>),
        ("device_into", inject::run::<Device<Into, false>>),
        ("device_argsort", inject::run::<Device<Positions, false>>),
        ("device_gathered", inject::run::<Device<InPlaceGathered, false>>),
        ("device_radix", inject::run::<Device<InPlaceRadix, false>>),
        ("device_tiles", inject::run::<Device<InPlaceTiles, false>>),
        ("first_device_pairs", inject::run::<Device<InPlace, true>>),
        ("first_device_radix", inject::run::<Device<InPlaceRadix, true>>),
        ("first_device_gathered", inject::run::<Device<InPlaceGathered, true>>),
        ("growing", inject::run::<Growing>),
        ("reserve", inject::run::<Reserve>),
        ("cached", inject::run::<Cached>),
        ("capture", inject::run::<Capture>),
        ("new_sorter", inject::run::<NewSorter>),
        ("default_sorter", inject::run::<DefaultSorter>),
        ("two_threads", inject::run::<TwoThreads>),
        ("drop", inject::run::<Drops>),
    ]
}

fn keys(n: usize) -> Vec<u32> {
    (0..n as u32).map(|item| item.wrapping_mul(0x9e37_79b9)).collect()
}

fn values(n: usize) -> Vec<u64> {
    (0..n as u64).collect()
}

fn wide_values(n: usize) -> Vec<[u32; 3]> {
    (0..n as u32).map(|item| [item, !item, 5]).collect()
}

fn bytes_of<T: bytemuck::Pod>(items: &[T]) -> Vec<u8> {
    bytemuck::cast_slice(items).to_vec()
}

fn stream() -> Arc<CudaStream> {
    CudaContext::new(0).unwrap().new_stream().unwrap()
}

/// A call on slices of the host.
pub trait HostCall: Sized {
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

    fn is_whole(&self) -> bool {
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

    fn is_whole(&self) -> bool {
        self.is_idle && self.inner.is_whole()
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

/// Slices of the device, of a stream beside the one that sorts.
pub struct Slices {
    stream: Arc<CudaStream>,
    keys: CudaSlice<u32>,
    values: CudaSlice<u64>,
    wide_values: CudaSlice<[u32; 3]>,
    floats: CudaSlice<f32>,
    sorted_keys: CudaSlice<u32>,
    sorted_values: CudaSlice<u64>,
    /// What a call returned.
    positions: Option<CudaSlice<u32>>,
}

impl Slices {
    fn of(stream: &Arc<CudaStream>) -> Self {
        Self {
            stream: Arc::clone(stream),
            keys: stream.clone_htod(&keys(MANY)).unwrap(),
            values: stream.clone_htod(&values(MANY)).unwrap(),
            wide_values: stream.clone_htod(&wide_values(MANY)).unwrap(),
            floats: stream.clone_htod(&vec![0.5; MANY]).unwrap(),
            sorted_keys: stream.alloc_zeros(MANY).unwrap(),
            sorted_values: stream.alloc_zeros(MANY).unwrap(),
            positions: None,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let Self { stream, keys, values, wide_values, floats, .. } = self;
        let Self { sorted_keys, sorted_values, positions, .. } = self;
        let mut bytes = [
            bytes_of(&stream.clone_dtoh(keys).unwrap()),
            bytes_of(&stream.clone_dtoh(values).unwrap()),
            bytes_of(&stream.clone_dtoh(wide_values).unwrap()),
            bytes_of(&stream.clone_dtoh(floats).unwrap()),
            bytes_of(&stream.clone_dtoh(sorted_keys).unwrap()),
            bytes_of(&stream.clone_dtoh(sorted_values).unwrap()),
        ]
        .concat();
        if let Some(positions) = positions {
            bytes.extend(bytes_of(&stream.clone_dtoh(positions).unwrap()));
        }
        bytes
    }
}

/// A call on slices of the device.
pub trait DeviceCall {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error>;
}

/// Slices of the device, sorted by a sorter of another stream; its first call, or a later one.
pub struct Device<C, const FIRST: bool> {
    sorter: Sorter,
    slices: Slices,
    call: std::marker::PhantomData<C>,
}

impl<C: DeviceCall, const FIRST: bool> Scenario for Device<C, FIRST> {
    fn prepare() -> Self {
        let stream = stream();
        let sorter = Sorter::on(&stream.context().new_stream().unwrap()).unwrap();
        if !FIRST {
            C::call(&mut Slices::of(&stream), &sorter).unwrap();
        }
        Self { sorter, slices: Slices::of(&stream), call: std::marker::PhantomData }
    }

    fn act(&mut self) -> Result<(), Error> {
        C::call(&mut self.slices, &self.sorter)
    }

    fn reset(&mut self) {
        self.slices = Slices::of(&self.slices.stream);
    }

    fn outcome(&self) -> Vec<u8> {
        self.slices.bytes()
    }
}

pub struct InPlace;

impl DeviceCall for InPlace {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        sorter.sort_pairs::<u32, u64>(&mut slices.keys, &mut slices.values)
    }
}

pub struct InPlaceGathered;

impl DeviceCall for InPlaceGathered {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        sorter.sort_pairs::<u32, [u32; 3]>(&mut slices.keys, &mut slices.wide_values)
    }
}

/// NaNs come last by the radix sort alone, which zeroes a workspace.
pub struct InPlaceRadix;

impl DeviceCall for InPlaceRadix {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        sorter.sort_with::<f32>(&mut slices.floats, SortOptions::new().nan_last())
    }
}

pub struct InPlaceTiles;

impl DeviceCall for InPlaceTiles {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        let tiles = BlockRadixSort::<u32, u64>::tiles(128, 8);
        tiles.sort_pairs(sorter, &mut slices.keys, &mut slices.values)
    }
}

pub struct Into;

impl DeviceCall for Into {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        sorter.sort_pairs_into::<u32, u64>(
            &slices.keys,
            &slices.values,
            &mut slices.sorted_keys,
            &mut slices.sorted_values,
        )
    }
}

pub struct Positions;

impl DeviceCall for Positions {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        slices.positions = None;
        slices.positions = Some(sorter.argsort::<u32>(&slices.keys)?);
        Ok(())
    }
}

/// A sorter whose memory has to grow.
pub struct Growing {
    sorter: Sorter,
    slices: Slices,
}

impl Scenario for Growing {
    fn prepare() -> Self {
        let stream = stream();
        let sorter = Sorter::on(&stream).unwrap();
        sorter.sort(&mut stream.clone_htod(&keys(MANY / 2)).unwrap()).unwrap();
        Self { sorter, slices: Slices::of(&stream) }
    }

    fn act(&mut self) -> Result<(), Error> {
        self.sorter.sort::<u32>(&mut self.slices.keys)
    }

    fn reset(&mut self) {
        self.slices = Slices::of(&self.slices.stream);
    }

    fn outcome(&self) -> Vec<u8> {
        self.slices.bytes()
    }
}

/// Kernels and scratch, made beforehand.
pub struct Reserve(Sorter);

impl Scenario for Reserve {
    fn prepare() -> Self {
        Self(Sorter::on(&stream()).unwrap())
    }

    fn act(&mut self) -> Result<(), Error> {
        self.0.reserve::<u32, [u32; 3]>(MANY)?;
        self.0.reserve_argsort::<u64>(MANY)
    }

    fn reset(&mut self) {}

    fn outcome(&self) -> Vec<u8> {
        Vec::new()
    }
}

/// Kernels that an earlier process has compiled.
pub struct Cached(Sorter);

impl Scenario for Cached {
    fn prepare() -> Self {
        // Its kernels go with it, and stay on disk.
        Sorter::on(&stream()).unwrap().reserve::<u32, ()>(MANY).unwrap();
        Self(Sorter::on(&stream()).unwrap())
    }

    fn act(&mut self) -> Result<(), Error> {
        self.0.reserve::<u32, ()>(MANY)
    }

    fn reset(&mut self) {}

    fn outcome(&self) -> Vec<u8> {
        Vec::new()
    }
}

/// A sort in a capture, whose graph is launched.
pub struct Capture {
    sorter: Sorter,
    slices: Slices,
    is_sorted: bool,
}

impl Capture {
    fn begin(&self) {
        self.slices.stream.begin_capture(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).unwrap();
    }
}

impl Scenario for Capture {
    fn prepare() -> Self {
        let stream = stream();
        // SAFETY: one stream uses all slices.
        unsafe { stream.context().disable_event_tracking() };
        let sorter = Sorter::on(&stream).unwrap();
        sorter.reserve::<u32, [u32; 3]>(MANY).unwrap();
        let new = Self { sorter, slices: Slices::of(&stream), is_sorted: false };
        new.begin();
        new
    }

    fn act(&mut self) -> Result<(), Error> {
        self.is_sorted = false;
        InPlaceGathered::call(&mut self.slices, &self.sorter)?;
        self.is_sorted = true;
        Ok(())
    }

    fn finish(&mut self) {
        let graph = self.slices.stream.end_capture(CUgraphInstantiate_flags(0));
        if self.is_sorted {
            graph.unwrap().unwrap().launch().unwrap();
        }
    }

    fn reset(&mut self) {
        self.slices = Slices::of(&self.slices.stream);
        self.begin();
    }

    fn outcome(&self) -> Vec<u8> {
        self.slices.bytes()
    }
}

/// A sorter of its own, from the driver up.
pub struct NewSorter(Vec<u32>);

impl Scenario for NewSorter {
    fn prepare() -> Self {
        Self(keys(FEW))
    }

    fn act(&mut self) -> Result<(), Error> {
        Sorter::on_device(0)?.sort(&mut self.0)
    }

    fn reset(&mut self) {
        *self = Self::prepare();
    }

    fn outcome(&self) -> Vec<u8> {
        bytes_of(&self.0)
    }

    fn is_whole(&self) -> bool {
        self.0 == keys(FEW)
    }
}

/// What sorts on the device if it can, else on the host.
pub struct DefaultSorter {
    sorter: Sorter,
    keys: Vec<u32>,
    values: Vec<u64>,
}

/// So many that a device is asked.
const LONG: usize = Sorter::HOST_BELOW;

impl Scenario for DefaultSorter {
    fn prepare() -> Self {
        Self { sorter: Sorter::new().unwrap(), keys: keys(LONG), values: values(LONG) }
    }

    fn act(&mut self) -> Result<(), Error> {
        self.sorter.sort_pairs(&mut self.keys, &mut self.values)
    }

    fn reset(&mut self) {
        (self.keys, self.values) = (keys(LONG), values(LONG));
    }

    fn outcome(&self) -> Vec<u8> {
        [bytes_of(&self.keys), bytes_of(&self.values)].concat()
    }

    fn is_whole(&self) -> bool {
        self.keys == keys(LONG) && self.values == values(LONG)
    }

    fn is_sorted_by_host(&self) -> bool {
        let input = keys(LONG);
        let mut pairs = self.keys.iter().zip(&self.values);
        self.keys.is_sorted() && pairs.all(|(key, value)| input[*value as usize] == *key)
    }
}

/// Two threads that share a sorter.
pub struct TwoThreads {
    sorter: Sorter,
    one: Pairs,
    other: Keys,
    is_sorted: [bool; 2],
}

impl Scenario for TwoThreads {
    const IS_ORDERED: bool = false;

    fn prepare() -> Self {
        let (one, other) = (Pairs::new(), Keys::new());
        Self { sorter: Sorter::on(&stream()).unwrap(), one, other, is_sorted: [false; 2] }
    }

    fn act(&mut self) -> Result<(), Error> {
        let Self { sorter, one, other, .. } = self;
        let [one, other] = thread::scope(|scope| {
            let threads = [scope.spawn(|| one.call(sorter)), scope.spawn(|| other.call(sorter))];
            threads.map(|thread| thread.join().unwrap())
        });
        self.is_sorted = [one.is_ok(), other.is_ok()];
        one.and(other)
    }

    fn reset(&mut self) {
        (self.one, self.other) = (Pairs::new(), Keys::new());
    }

    fn outcome(&self) -> Vec<u8> {
        [self.one.bytes(), self.other.bytes()].concat()
    }

    fn is_whole(&self) -> bool {
        // The thread whose call went well has its result.
        let [one, other] = self.is_sorted;
        (one || self.one.bytes() == Pairs::new().bytes())
            && (other || self.other.bytes() == Keys::new().bytes())
    }
}

/// Everything goes while calls fail.
pub struct Drops(Option<(Sorter, Slices)>);

impl Scenario for Drops {
    fn prepare() -> Self {
        let stream = stream();
        let sorter = Sorter::on(&stream).unwrap();
        let mut slices = Slices::of(&stream);
        InPlaceGathered::call(&mut slices, &sorter).unwrap();
        Positions::call(&mut slices, &sorter).unwrap();
        Self(Some((sorter, slices)))
    }

    fn act(&mut self) -> Result<(), Error> {
        self.0 = None;
        Ok(())
    }

    fn reset(&mut self) {}

    fn outcome(&self) -> Vec<u8> {
        Vec::new()
    }
}
