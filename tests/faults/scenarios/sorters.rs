//! Calls of sorters beside sorts: they are made, grow, load kernels, are shared, and are dropped.

use std::sync::{Arc, OnceLock};
use std::thread;

use cudarc::driver::{CudaSlice, CudaStream};
use sortsmith::embedded::{Bundle, Image};
use sortsmith::tuning::{Case, TuningFile};
use sortsmith::{Error, Sorter};
use sortsmith_codegen::cache::{image_digest, source_key};
use sortsmith_codegen::device::Device;
use sortsmith_codegen::dispatch::ArraySort;
use sortsmith_codegen::registry::KernelSpec;
use sortsmith_codegen::render::STORAGE_HEADERS;
use sortsmith_codegen::toolchain::Source;
use sortsmith_codegen::tuning::file::{Row, default_path};
use sortsmith_codegen::{KeyType, ValueType};

use super::device::{DeviceCall, InPlaceGathered, Positions, Slices};
use super::host::{HostCall, Keys, Pairs};
use super::{FEW, MANY, bytes_of, keys, stream, values};
use crate::inject::{self, Scenario};
use crate::shim::Shim;

/// A sorter with memory that has to grow.
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

/// Kernels that an earlier process has compiled.
pub struct Cached(Sorter);

impl Scenario for Cached {
    const NEEDED: &'static [(&'static str, usize)] =
        &[("file realpath", 1), ("file open", 2), ("file stat", 2), ("file read", 2)];
    const NEVER: &'static [&'static str] = &["nvrtcCompileProgram", "file write"];

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

/// A sorter that reads a tuning file in the cache folder, and compiles the kernels of its row. Without the file it takes the built-in ones.
pub struct Tuned {
    stream: Arc<CudaStream>,
    sorter: Option<Sorter>,
}

impl Scenario for Tuned {
    const NEEDED: &'static [(&'static str, usize)] = &[("file open", 4), ("file read", 1)];

    fn prepare() -> Self {
        let stream = stream();
        let gpu = Sorter::on(&stream).unwrap().gpu_id().unwrap();
        let case = Case::of(KeyType::U32, ValueType::None, MANY as u64).unwrap();
        let candidates = case.candidates(gpu.device());
        let (kernel, built_in) = (*candidates.last().unwrap(), candidates[0]);
        let path = default_path(&gpu).unwrap();
        let mut file = TuningFile::of(gpu);
        file.set(Row { case, kernel, built_in, ratio: 1.5, date: "2026-11-25".to_owned() });
        file.write(&path).unwrap();
        Self { stream, sorter: None }
    }

    fn act(&mut self) -> Result<(), Error> {
        let sorter = Sorter::on(&self.stream)?;
        self.sorter.insert(sorter).reserve::<u32, ()>(MANY)
    }

    fn reset(&mut self) {
        self.sorter = None;
    }

    fn outcome(&self) -> Vec<u8> {
        Vec::new()
    }
}

/// Kernels that the program has: a first call compiles none.
pub struct Embedded {
    sorter: Sorter,
    keys: CudaSlice<u32>,
}

impl Embedded {
    /// The sort's kernels as PTX that the stand-in runs, registered once.
    fn register() {
        static BUNDLE: OnceLock<Bundle> = OnceLock::new();
        let device = Device { multiprocessors: 132, shared_bytes_per_block: 227 * 1024 };
        let image = |spec: &KernelSpec| {
            let (name, text) = (&*spec.to_string().leak(), &*spec.source().unwrap().leak());
            let source = source_key(&Source { name, text, headers: &STORAGE_HEADERS });
            let bytes = format!("// shim ptx sm_90 {}\n{text}\0", text.len()).into_bytes();
            let digest = image_digest(&bytes).leak();
            Image::ptx(name, source.to_string().leak(), 90, digest, bytes.leak())
        };
        let bundle = BUNDLE.get_or_init(|| {
            let kernels = ArraySort::keys(KeyType::U32).kernels(MANY as u64, device);
            let images: Vec<Image> = kernels.iter().map(image).collect();
            // SAFETY: the images are the generator's sources, which the stand-in takes for code.
            unsafe { Bundle::new(sortsmith_codegen::VERSION, images.leak()) }
        });
        sortsmith::embedded::register(bundle);
    }
}

impl Scenario for Embedded {
    const NEVER: &'static [&'static str] = &["nvrtcCompileProgram", "file open"];

    fn prepare() -> Self {
        Self::register();
        let stream = stream();
        let keys = stream.clone_htod(&keys(MANY)).unwrap();
        Self { sorter: Sorter::on(&stream).unwrap(), keys }
    }

    fn act(&mut self) -> Result<(), Error> {
        self.sorter.sort::<u32>(&mut self.keys)
    }

    fn reset(&mut self) {
        self.keys = self.keys.stream().clone_htod(&keys(MANY)).unwrap();
    }

    fn outcome(&self) -> Vec<u8> {
        bytes_of(&self.keys.stream().clone_dtoh(&self.keys).unwrap())
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

    fn is_unchanged(&self) -> bool {
        self.0 == keys(FEW)
    }
}

/// A sorter that sorts on the device if it can, else on the host.
pub struct DefaultSorter {
    sorter: Sorter,
    keys: Vec<u32>,
    values: Vec<u64>,
}

/// A number of items that a device sorts.
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

    fn is_unchanged(&self) -> bool {
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
    /// For each thread, whether its slices may have changed.
    may_differ: [bool; 2],
}

impl Scenario for TwoThreads {
    const IS_ORDERED: bool = false;

    fn prepare() -> Self {
        let (one, other) = (Pairs::new(), Keys::new());
        Self { sorter: Sorter::on(&stream()).unwrap(), one, other, may_differ: [false; 2] }
    }

    fn act(&mut self) -> Result<(), Error> {
        let Self { sorter, one, other, .. } = self;
        let [one, other] = thread::scope(|scope| {
            let threads = [scope.spawn(|| one.call(sorter)), scope.spawn(|| other.call(sorter))];
            threads.map(|thread| thread.join().unwrap())
        });
        self.may_differ =
            [&one, &other].map(|done| done.as_ref().err().is_none_or(inject::may_be_torn));
        one.and(other)
    }

    fn reset(&mut self) {
        (self.one, self.other) = (Pairs::new(), Keys::new());
    }

    fn outcome(&self) -> Vec<u8> {
        [self.one.bytes(), self.other.bytes()].concat()
    }

    fn is_unchanged(&self) -> bool {
        let [one, other] = self.may_differ;
        (one || self.one.bytes() == Pairs::new().bytes())
            && (other || self.other.bytes() == Keys::new().bytes())
    }
}

/// A sorter goes while calls fail, when all of its work is done or none is. The next one in its context does not hear of it.
pub struct Drops<const DEFERRED: bool> {
    going: Option<Sorter>,
    slices: Slices,
    is_unchanged: bool,
}

impl<const DEFERRED: bool> Scenario for Drops<DEFERRED> {
    fn prepare() -> Self {
        let stream = stream();
        let going = Sorter::on(&stream).unwrap();
        let mut slices = Slices::of(&stream);
        InPlaceGathered::call(&mut slices, &going).unwrap();
        Positions::call(&mut slices, &going).unwrap();
        going.reserve::<u16, ()>(MANY).unwrap();
        going.reserve_host_slices::<u32, u64>(2 * MANY).unwrap();
        // No other sorter has its kernels, so they go with it.
        Shim::loaded().defer(DEFERRED);
        going.sort::<u16>(&mut stream.alloc_zeros(MANY).unwrap()).unwrap();
        Self { going: Some(going), slices, is_unchanged: true }
    }

    fn act(&mut self) -> Result<(), Error> {
        self.going = None;
        Ok(())
    }

    fn finish(&mut self) {
        // Now all is done that the sorter has enqueued.
        Shim::loaded().defer(false);
        let next = Sorter::on(&self.slices.stream);
        let sorted = next.and_then(|next| InPlaceGathered::call(&mut self.slices, &next));
        self.is_unchanged &= sorted.is_ok();
    }

    fn reset(&mut self) {}

    fn outcome(&self) -> Vec<u8> {
        vec![u8::from(self.is_unchanged)]
    }
}
