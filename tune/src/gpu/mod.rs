//! Measuring on a GPU.
//!
//! A time is that between two events around a call on an idle stream; before each the input is copied once more, to where the
//! result goes. Sorts go from one array to another.

pub mod host_slices;
mod inputs;
mod typed;

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use cudarc::driver::sys::CUevent_flags;
use cudarc::driver::{CudaContext, CudaSlice, CudaStream, DriverError};
use sortsmith::{Error, Sorter};
use sortsmith_codegen::device::DeviceSpec;
use sortsmith_codegen::tuning::file::GpuId;
use sortsmith_codegen::tuning::{Case, SizeClass, Tuning};

use crate::bench::{Bench, BenchError, Point, Refusal};
use crate::compile;
use typed::SortInto;

pub use typed::legal_types;

/// Longer arrays tell nothing more of a shape, and take longer.
const MOST_ITEMS: u64 = 1 << 27;

/// The share of the free memory that is used.
const MEMORY_SHARE: f64 = 0.7;

/// Arrays as long as the input that there are at once, at most: input, output, and scratch of the built-in spec and three others,
/// with room for workspaces.
const ARRAYS: f64 = 8.0;

/// Sorts before those that count.
const WARM_UP: u32 = 2;

/// A sort of this number of items loads kernels of any shape.
const FEW: SizeClass = SizeClass::ALL[0];

/// An array of keys and one of values.
struct Arrays {
    keys: CudaSlice<u8>,
    values: CudaSlice<u8>,
}

/// What is to be sorted, and arrays for the result.
struct Data {
    case: Case,
    point: Point,
    input: Arrays,
    output: Arrays,
}

/// A GPU.
pub struct GpuBench {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    /// As long as it lives, the kernels of the context stay loaded.
    #[allow(dead_code)] // it is there to be there
    base: Sorter,
    id: GpuId,
    begin: Instant,
    free_bytes: usize,
    data: Option<Data>,
}

fn attempt<T>(doing: &'static str, result: Result<T, DriverError>) -> Result<T, BenchError> {
    result.map_err(|error| BenchError::Driver { doing, reason: error.to_string() })
}

/// Items as bytes, a whole number of items.
fn bytes_of(case: &Case, n: u64) -> [usize; 2] {
    // An allocation of nothing is an error of the driver's.
    [case.key().bytes(), case.value().bytes()].map(|bytes| (n as usize * bytes as usize).max(1))
}

fn sorted(spec: &DeviceSpec, n: u64, result: Result<(), Error>) -> Result<(), BenchError> {
    let failed = |error: Error| {
        let (spec, reason) = (spec.to_string(), error.to_string());
        BenchError::Sort { spec, n, reason }
    };
    result.map_err(failed)
}

impl GpuBench {
    /// The device of this number.
    pub fn on(ordinal: usize) -> Result<Self, BenchError> {
        // sortsmith finds out without a panic whether there is a driver. A file that cannot be read, it finds out later.
        match Sorter::on_device(ordinal) {
            Ok(_) | Err(Error::Tuning { .. }) => {}
            Err(error) => return Err(BenchError::NoGpu(error.to_string())),
        }
        let context = attempt("open the device", CudaContext::new(ordinal))?;
        // SAFETY: there is one stream, and all memory is used in its order.
        unsafe { context.disable_event_tracking() };
        let stream = attempt("make a stream", context.new_stream())?;
        let base = Sorter::with_tuning(&stream, Tuning::default());
        let base = base.map_err(|error| BenchError::NoGpu(error.to_string()))?;
        let id = base.gpu_id().ok_or_else(|| BenchError::NoGpu("a sorter of the host".into()))?;
        let (free_bytes, _) = attempt("ask for the free memory", context.mem_get_info())?;
        Ok(Self { context, stream, base, id, begin: Instant::now(), free_bytes, data: None })
    }

    fn arrays(&self, case: &Case, n: u64) -> Result<Arrays, BenchError> {
        let [keys, values] = bytes_of(case, n)
            .map(|bytes| attempt("allocate an array", self.stream.alloc_zeros::<u8>(bytes)));
        Ok(Arrays { keys: keys?, values: values? })
    }

    /// The input of a point on the device, made if it is not there.
    fn make_input(&mut self, case: &Case, point: Point) -> Result<(), BenchError> {
        let is_there = |data: &Data| {
            (data.case.key(), data.case.value(), data.point) == (case.key(), case.value(), point)
        };
        if self.data.as_ref().is_some_and(is_there) {
            return Ok(());
        }
        // The old arrays go first: both at once may not fit.
        self.data = None;
        let (mut input, output) = (self.arrays(case, point.n)?, self.arrays(case, point.n)?);
        let copy = "copy an input to the device";
        let keys = inputs::keys(case.key(), point);
        attempt(copy, self.stream.memcpy_htod(&keys, &mut input.keys))?;
        let values = inputs::values(case.value(), point.n);
        if !values.is_empty() {
            attempt(copy, self.stream.memcpy_htod(&values, &mut input.values))?;
        }
        attempt(copy, self.stream.synchronize())?;
        self.data = Some(Data { case: *case, point, input, output });
        Ok(())
    }

    /// A sorter that sorts this case by a spec, or fails.
    fn sorter(&self, case: Case, spec: &DeviceSpec) -> Result<Sorter, Error> {
        Sorter::with_tuning(&self.stream, Tuning::default().with(case, spec.shape()))
    }

    /// Sorts a small array, which compiles and loads the kernels of a spec.
    fn load(&self, case: &Case, spec: &DeviceSpec) -> Result<Result<(), Error>, BenchError> {
        let n = FEW.most();
        let few = Case::of(case.key(), case.value(), n).unwrap_or(*case);
        let (input, mut output) = (self.arrays(case, n)?, self.arrays(case, n)?);
        let sort = typed::sort_of(case)?;
        let sorter = match self.sorter(few, spec) {
            Ok(sorter) => sorter,
            Err(error) => return Ok(Err(error)),
        };
        Ok(run(sort, &sorter, &input, &mut output))
    }

    fn sort(&mut self, sort: SortInto, sorter: &Sorter) -> Result<(), Error> {
        match &mut self.data {
            Some(Data { input, output, .. }) => run(sort, sorter, input, output),
            None => Ok(()),
        }
    }

    /// Copies the input to where the result goes, so that both were used as recently for each sort.
    fn restore(&mut self) -> Result<(), BenchError> {
        let Some(Data { input, output, .. }) = &mut self.data else { return Ok(()) };
        for (from, to) in [(&input.keys, &mut output.keys), (&input.values, &mut output.values)] {
            attempt("copy an input", self.stream.memcpy_dtod(from, to))?;
        }
        Ok(())
    }

    /// Milliseconds of one sort from an idle stream on.
    fn clock(
        &mut self,
        sort: SortInto,
        sorter: &Sorter,
        spec: &DeviceSpec,
        n: u64,
    ) -> Result<f64, BenchError> {
        let event = || {
            let made = self.context.new_event(Some(CUevent_flags::CU_EVENT_DEFAULT));
            attempt("make an event", made)
        };
        let [start, end] = [event()?, event()?];
        self.restore()?;
        attempt("wait for a copy", self.stream.synchronize())?;
        attempt("record an event", start.record(&self.stream))?;
        sorted(spec, n, self.sort(sort, sorter))?;
        attempt("record an event", end.record(&self.stream))?;
        attempt("wait for a sort", start.elapsed_ms(&end)).map(f64::from)
    }

    /// What a spec writes.
    fn result(
        &mut self,
        case: &Case,
        spec: &DeviceSpec,
        n: u64,
    ) -> Result<[Vec<u8>; 2], BenchError> {
        let sort = typed::sort_of(case)?;
        let sorter = self.sorter(*case, spec).map_err(|error| error.to_string());
        let sorter =
            sorter.map_err(|reason| BenchError::Driver { doing: "make a sorter", reason })?;
        self.restore()?;
        sorted(spec, n, self.sort(sort, &sorter))?;
        let Some(Data { output, .. }) = &self.data else { return Ok([Vec::new(), Vec::new()]) };
        let copy = |array| attempt("copy a result", self.stream.clone_dtoh(array));
        Ok([copy(&output.keys)?, copy(&output.values)?])
    }
}

fn run(sort: SortInto, sorter: &Sorter, input: &Arrays, output: &mut Arrays) -> Result<(), Error> {
    let from = [&input.keys.as_view(), &input.values.as_view()];
    sort(sorter, from, [&mut output.keys.as_view_mut(), &mut output.values.as_view_mut()])
}

impl Bench for GpuBench {
    fn gpu(&self) -> &GpuId {
        &self.id
    }

    fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    fn most_items(&self, case: &Case) -> u64 {
        let item_bytes = f64::from(case.key().bytes() + case.value().bytes());
        let fitting = self.free_bytes as f64 * MEMORY_SHARE / (ARRAYS * item_bytes);
        (fitting as u64).min(MOST_ITEMS)
    }

    fn jobs(&self, _: &Case) -> usize {
        thread::available_parallelism().map_or(1, Into::into)
    }

    fn compile(&mut self, case: &Case, specs: &[DeviceSpec]) -> Result<Vec<Refusal>, BenchError> {
        compile::by_other_processes(self.id.arch, specs, self.jobs(case));
        let mut refusals = Vec::new();
        for spec in specs {
            if let Err(error) = self.load(case, spec)? {
                refusals.push(Refusal { spec: *spec, reason: error.to_string() });
            }
        }
        attempt("run kernels", self.stream.synchronize())?;
        Ok(refusals)
    }

    fn measure(
        &mut self,
        case: &Case,
        specs: &[DeviceSpec],
        point: Point,
        repetitions: u32,
    ) -> Result<Vec<Vec<f64>>, BenchError> {
        self.make_input(case, point)?;
        let sort = typed::sort_of(case)?;
        let made = specs.iter().map(|spec| Ok((*spec, self.sorter(*case, spec)?)));
        let sorters: Vec<(DeviceSpec, Sorter)> =
            made.collect::<Result<_, Error>>().map_err(|error| BenchError::Driver {
                doing: "make a sorter",
                reason: error.to_string(),
            })?;
        let mut times = vec![Vec::new(); specs.len()];
        for repetition in 0..repetitions + WARM_UP {
            for ((spec, sorter), times) in sorters.iter().zip(&mut times) {
                let milliseconds = self.clock(sort, sorter, spec, point.n)?;
                if repetition >= WARM_UP {
                    times.push(milliseconds);
                }
            }
        }
        Ok(times)
    }

    fn agree(
        &mut self,
        case: &Case,
        specs: [DeviceSpec; 2],
        point: Point,
    ) -> Result<bool, BenchError> {
        self.make_input(case, point)?;
        let one = self.result(case, &specs[0], point.n)?;
        Ok(one == self.result(case, &specs[1], point.n)?)
    }
}
