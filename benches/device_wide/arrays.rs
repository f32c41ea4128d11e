//! The arrays that all device-wide sorts share, and the clock.

use std::sync::Arc;

use cudarc::driver::sys::{CUdevice_attribute as Attribute, CUevent_flags};
use cudarc::driver::{
    CudaEvent, CudaFunction, CudaSlice, CudaStream, CudaView, CudaViewMut, DevicePtr, DriverError,
    LaunchArgs, LaunchConfig, PushKernelArg,
};
use sortsmith::{Error, SortOptions, Sorter, TopKOptions};

use sortsmith_benchkit::gpu::Gpu;
use sortsmith_benchkit::{Cache, Case, Columns, Input, Times, classes};

use super::Subject;
use super::into::{view_of, view_of_mut};

/// Bytes of the largest key or value.
const MAX_BYTES: usize = 8;

/// Arrays have at least this number of bytes: smaller copies would stay in the caches.
const LEAST_BYTES: usize = 1 << 28;

/// From this number of keys on there are fewer repetitions.
const LONG: usize = 1 << 26;
const LONG_REPETITIONS: usize = 7;

/// Makes inputs, and compares results.
const KERNELS: &str = include_str!("kernels.cu");

/// An array of keys and one of values.
pub struct Pair {
    keys: CudaSlice<u8>,
    values: CudaSlice<u8>,
}

impl Pair {
    fn new(stream: &Arc<CudaStream>, bytes: usize) -> Result<Self, DriverError> {
        Ok(Self { keys: stream.alloc_zeros(bytes)?, values: stream.alloc_zeros(bytes)? })
    }

    /// The addresses of keys and values.
    pub fn addresses(&self, stream: &CudaStream) -> [u64; 2] {
        [self.keys.device_ptr(stream).0, self.values.device_ptr(stream).0]
    }
}

struct Kernels {
    generate: [CudaFunction; 4],
    distinct: [CudaFunction; 4],
    zipf: [CudaFunction; 4],
    reverse: [CudaFunction; 4],
    /// Integers of each size, then floats of 4 and of 8 bytes.
    classes: [CudaFunction; 6],
    positions: [CudaFunction; 2],
    /// Floats of 4 and of 8 bytes.
    numbers: [CudaFunction; 2],
    /// Counts differences.
    differences: CudaFunction,
    /// Displaces all else from the cache.
    read_zeros: CudaFunction,
}

/// Keys and values on the device, their input, and arrays for results.
pub struct Arrays {
    /// Where everything runs.
    pub stream: Arc<CudaStream>,
    /// What CUB sorts, and where ours goes.
    pub work: Pair,
    /// Where CUB's goes.
    pub output: Pair,
    /// What is to be sorted, which stays as it is.
    input: Pair,
    /// Temporary storage, as large as the largest request so far.
    temp: CudaSlice<u8>,
    /// Zeros that are read before a cold sort, twice as long as the L2 cache; there since the first one.
    displacing: Option<CudaSlice<u64>>,
    kernels: Kernels,
    events: [CudaEvent; 2],
    repetitions: usize,
}

fn driver_error(error: DriverError) -> String {
    error.to_string()
}

fn times_or_error(milliseconds: Vec<f64>) -> Result<Times, String> {
    Times::of(milliseconds).ok_or_else(|| "there is no repetition".to_owned())
}

/// The number of a kernel for items of this number of bytes.
fn of_bytes(bytes: usize) -> usize {
    bytes.ilog2() as usize
}

impl Arrays {
    /// Arrays of `n` keys of any of the types.
    pub fn new(gpu: &Gpu, n: usize, repetitions: usize) -> Result<Self, String> {
        let context = &gpu.context;
        // SAFETY: there is one stream, and all memory is used in its order.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream().map_err(driver_error)?;
        let bytes = (n * MAX_BYTES).max(LEAST_BYTES);
        let pair = || Pair::new(&stream, bytes).map_err(driver_error);
        let event =
            || context.new_event(Some(CUevent_flags::CU_EVENT_DEFAULT)).map_err(driver_error);
        let cubin = gpu.compile("device_bench.cu", &(classes::source() + KERNELS))?;
        let [differences, read_zeros] = gpu.load(cubin.clone(), ["differences", "read_zeros"])?;
        let kernels = Kernels {
            generate: gpu
                .load(cubin.clone(), ["generate_1", "generate_2", "generate_4", "generate_8"])?,
            distinct: gpu
                .load(cubin.clone(), ["distinct_1", "distinct_2", "distinct_4", "distinct_8"])?,
            zipf: gpu.load(cubin.clone(), ["zipf_1", "zipf_2", "zipf_4", "zipf_8"])?,
            reverse: gpu
                .load(cubin.clone(), ["reverse_1", "reverse_2", "reverse_4", "reverse_8"])?,
            classes: gpu.load(
                cubin.clone(),
                ["class_u8", "class_u16", "class_u32", "class_u64", "class_f32", "class_f64"],
            )?,
            positions: gpu.load(cubin.clone(), ["positions_4", "positions_8"])?,
            numbers: gpu.load(cubin, ["generate_f32", "generate_f64"])?,
            differences,
            read_zeros,
        };
        Ok(Self {
            work: pair()?,
            output: pair()?,
            input: pair()?,
            temp: stream.alloc_zeros(1).map_err(driver_error)?,
            displacing: None,
            kernels,
            events: [event()?, event()?],
            repetitions,
            stream,
        })
    }

    /// Makes the input of a case.
    pub fn generate(
        &mut self,
        subject: &Subject,
        case: &Case,
        sorter: &Sorter,
    ) -> Result<(), String> {
        let n = case.n;
        let [keys, values] = self.input.addresses(&self.stream);
        match subject.value_bytes() {
            0 => {}
            4 => self.launch(&self.kernels.positions[0], |it| {
                it.arg(&values).arg(&n);
            })?,
            _ => self.launch(&self.kernels.positions[1], |it| {
                it.arg(&values).arg(&n);
            })?,
        }
        self.generate_keys(subject, case, keys)?;
        if !matches!(case.input, Input::Sorted | Input::Reversed) {
            return Ok(());
        }
        self.sort(subject, n as usize, sorter, SortOptions::new())?;
        let [in_order, _] = self.work.addresses(&self.stream);
        if case.input == Input::Sorted {
            let bytes = n as usize * subject.key_bytes();
            let to = &mut self.input.keys.slice_mut(..bytes);
            return self
                .stream
                .memcpy_dtod(&self.work.keys.slice(..bytes), to)
                .map_err(driver_error);
        }
        let reverse = &self.kernels.reverse[of_bytes(subject.key_bytes())];
        self.launch(reverse, |it| {
            it.arg(&keys).arg(&in_order).arg(&n);
        })
    }

    /// Makes keys of a case's kind, in no order.
    fn generate_keys(&self, subject: &Subject, case: &Case, keys: u64) -> Result<(), String> {
        let (n, size) = (case.n, of_bytes(subject.key_bytes()));
        let (words, mask) = match case.input {
            Input::Distinct(values) => {
                let values = u64::from(values);
                return self.launch(&self.kernels.distinct[size], |it| {
                    it.arg(&keys).arg(&n).arg(&values);
                });
            }
            Input::Zipf => {
                let ranks = Input::zipf_ranks(8 * subject.key_bytes() as u32);
                return self.launch(&self.kernels.zipf[size], |it| {
                    it.arg(&keys).arg(&n).arg(&ranks);
                });
            }
            Input::Class(class) => {
                let number = class.number();
                let kernel = if subject.has_floats { size + 2 } else { size };
                return self.launch(&self.kernels.classes[kernel], |it| {
                    it.arg(&keys).arg(&n).arg(&number);
                });
            }
            Input::And(words) => (words, u64::MAX),
            Input::Random
            | Input::Sorted
            | Input::Reversed
            | Input::Segments(_)
            | Input::Bits(_)
                if subject.has_floats =>
            {
                return self.launch(
                    &self.kernels.numbers[size - of_bytes(size_of::<f32>())],
                    |it| {
                        it.arg(&keys).arg(&n);
                    },
                );
            }
            Input::Bits(bits) => (1, (1 << bits) - 1),
            Input::Random | Input::Sorted | Input::Reversed | Input::Segments(_) => (1, u64::MAX),
        };
        self.launch(&self.kernels.generate[size], |it| {
            it.arg(&keys).arg(&n).arg(&words).arg(&mask);
        })
    }

    /// Copies the input to where CUB sorts it.
    pub fn restore(&mut self, subject: &Subject, n: usize) -> Result<(), String> {
        let arrays = [
            (&self.input.keys, &mut self.work.keys, subject.key_bytes()),
            (&self.input.values, &mut self.work.values, subject.value_bytes()),
        ];
        for (from, to, bytes) in arrays {
            if bytes > 0 {
                let (from, mut to) = (from.slice(..n * bytes), to.slice_mut(..n * bytes));
                self.stream.memcpy_dtod(&from, &mut to).map_err(driver_error)?;
            }
        }
        Ok(())
    }

    /// Our sort, of the input.
    pub fn sort(
        &mut self,
        subject: &Subject,
        n: usize,
        sorter: &Sorter,
        options: SortOptions,
    ) -> Result<(), String> {
        let (key_bytes, value_bytes) = (n * subject.key_bytes(), n * subject.value_bytes());
        let input = [self.input.keys.slice(..key_bytes), self.input.values.slice(..value_bytes)];
        let mut keys = self.work.keys.slice_mut(..key_bytes);
        let mut values = self.work.values.slice_mut(..value_bytes);
        (subject.sort)((sorter, options), [&input[0], &input[1]], [&mut keys, &mut values])
            .map_err(|error| error.to_string())
    }

    /// Our sort of the input's rows, of the columns that the case has.
    pub fn sort_rows(
        &mut self,
        subject: &Subject,
        case: &Case,
        sorter: &Sorter,
    ) -> Result<(), String> {
        let Some(Columns { columns, .. }) = case.rows else { return Ok(()) };
        let n = case.n as usize;
        let (key_bytes, value_bytes) = (n * subject.key_bytes(), n * subject.value_bytes());
        let input = [self.input.keys.slice(..key_bytes), self.input.values.slice(..value_bytes)];
        let mut keys = self.work.keys.slice_mut(..key_bytes);
        let mut values = self.work.values.slice_mut(..value_bytes);
        let arrays = ([&input[0], &input[1]], [&mut keys, &mut values]);
        (subject.sort_rows)(sorter, columns as usize, arrays.0, arrays.1)
            .map_err(|error| error.to_string())
    }

    /// Our top-k of the input, in rows of the columns that the case has.
    pub fn top_k(
        &mut self,
        subject: &Subject,
        case: &Case,
        sorter: &Sorter,
        options: TopKOptions,
    ) -> Result<(), String> {
        let Some(Columns { columns, k: Some(k) }) = case.rows else { return Ok(()) };
        let found = (case.n / columns * k) as usize;
        let keys = self.input.keys.slice(..case.n as usize * subject.key_bytes());
        let mut found_keys = self.work.keys.slice_mut(..found * subject.key_bytes());
        let mut positions = self.work.values.slice_mut(..found * size_of::<u32>());
        let shape = (columns as usize, k as usize);
        (subject.top_k)((sorter, options), shape, &keys, [&mut found_keys, &mut positions])
            .map_err(|error| error.to_string())
    }

    /// Calls this with the keys of the input, and with room for as many positions and for these numbers of offsets.
    pub fn with_views<K>(
        &mut self,
        n: usize,
        offsets: usize,
        call: impl FnOnce(
            &CudaView<'_, K>,
            &mut CudaViewMut<'_, u32>,
            &mut CudaViewMut<'_, u32>,
        ) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let keys = self.input.keys.slice(..n * size_of::<K>());
        let mut positions = self.work.values.slice_mut(..n * size_of::<u32>());
        let mut offsets = self.output.values.slice_mut(..offsets * size_of::<u32>());
        call(&view_of(&keys), &mut view_of_mut(&mut positions), &mut view_of_mut(&mut offsets))
    }

    /// Calls this with keys and values of the work arrays.
    pub fn with_work<K, V>(
        &mut self,
        n: usize,
        call: impl FnOnce(&mut CudaViewMut<'_, K>, &mut CudaViewMut<'_, V>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut keys = self.work.keys.slice_mut(..n * size_of::<K>());
        let mut values = self.work.values.slice_mut(..n * size_of::<V>());
        call(&mut view_of_mut(&mut keys), &mut view_of_mut(&mut values))
    }

    /// Whether what ours wrote is what CUB's output holds.
    pub fn compare(&self, subject: &Subject, n: usize) -> Result<(), String> {
        let ours = self.work.addresses(&self.stream);
        let theirs = self.output.addresses(&self.stream);
        // An argsort leaves its keys as they are.
        let key_bytes = if subject.makes_positions() { 0 } else { subject.key_bytes() };
        for (array, bytes) in [key_bytes, subject.value_bytes()].into_iter().enumerate() {
            let found = self.stream.alloc_zeros::<u32>(1).map_err(driver_error)?;
            let address = found.device_ptr(&self.stream).0;
            let bytes = (n * bytes) as u64;
            self.launch(&self.kernels.differences, |it| {
                it.arg(&ours[array]).arg(&theirs[array]).arg(&bytes).arg(&address);
            })?;
            let found = self.stream.clone_dtoh(&found).map_err(driver_error)?[0];
            if found > 0 {
                let what = ["keys", "values"][array];
                return Err(format!("{found} bytes of the {what} are not CUB's"));
            }
        }
        Ok(())
    }

    /// Reads so much elsewhere that the L2 cache holds nothing of the arrays, nor what is still to be written to memory.
    fn displace(&mut self) -> Result<(), String> {
        let displacing = match self.displacing.take() {
            Some(displacing) => displacing,
            None => self.stream.alloc_zeros(self.displacing_words()?).map_err(driver_error)?,
        };
        let address = displacing.device_ptr(&self.stream).0;
        let n = displacing.len() as u64;
        let read = self.launch(&self.kernels.read_zeros, |it| {
            it.arg(&address).arg(&n);
        });
        self.displacing = Some(displacing);
        read
    }

    /// Words that have twice as many bytes as the L2 cache.
    fn displacing_words(&self) -> Result<usize, String> {
        let of_l2 = Attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE;
        let bytes = self.stream.context().attribute(of_l2).map_err(driver_error)?;
        match 2 * bytes.unsigned_abs() as usize / size_of::<u64>() {
            0 => Err("the device does not say how large its L2 cache is".to_owned()),
            words => Ok(words),
        }
    }

    /// The times of a case's sort of the restored input.
    pub fn time(
        &mut self,
        subject: &Subject,
        case: &Case,
        mut sort: impl FnMut(&mut Self) -> Result<(), String>,
    ) -> Result<Times, String> {
        let is_long = case.n as usize >= LONG;
        let repetitions = if is_long { LONG_REPETITIONS } else { self.repetitions };
        let mut times = Vec::with_capacity(repetitions);
        for repetition in 0..repetitions + 2 {
            let milliseconds = self.time_once(subject, case, &mut sort)?;
            // The first ones warm up.
            if repetition >= 2 {
                times.push(milliseconds);
            }
        }
        times_or_error(times)
    }

    /// The milliseconds of one such sort. The time begins when the input is restored and, for a cold sort, out of the L2 cache.
    pub fn time_once(
        &mut self,
        subject: &Subject,
        case: &Case,
        mut sort: impl FnMut(&mut Self) -> Result<(), String>,
    ) -> Result<f64, String> {
        self.restore(subject, case.n as usize)?;
        match case.cache {
            Cache::Warm => {}
            Cache::Cold => self.displace()?,
        }
        self.clock(&mut sort)
    }

    /// Bytes a second of copies on the device, read and written ones.
    pub fn copy_bytes_per_second(&mut self) -> Result<f64, String> {
        let mut copy = |arrays: &mut Self| {
            arrays
                .stream
                .memcpy_dtod(&arrays.input.keys, &mut arrays.output.keys)
                .map_err(driver_error)
        };
        self.clock(&mut copy)?;
        let times: Result<Vec<f64>, String> =
            (0..LONG_REPETITIONS).map(|_| self.clock(&mut copy)).collect();
        Ok(2.0 * self.input.keys.len() as f64 / (times_or_error(times?)?.median() / 1e3))
    }

    /// Temporary storage of at least this number of bytes: its address and its length.
    pub fn temp(&mut self, bytes: usize) -> Result<(u64, usize), String> {
        if self.temp.len() < bytes {
            self.temp = self.stream.alloc_zeros(bytes).map_err(driver_error)?;
        }
        Ok((self.temp.device_ptr(&self.stream).0, self.temp.len()))
    }

    /// Milliseconds of what this enqueues, from an idle stream on.
    fn clock(
        &mut self,
        enqueue: &mut impl FnMut(&mut Self) -> Result<(), String>,
    ) -> Result<f64, String> {
        self.stream.synchronize().map_err(driver_error)?;
        self.events[0].record(&self.stream).map_err(driver_error)?;
        enqueue(self)?;
        self.events[1].record(&self.stream).map_err(driver_error)?;
        self.events[0].elapsed_ms(&self.events[1]).map(f64::from).map_err(driver_error)
    }

    fn launch<'a>(
        &'a self,
        kernel: &'a CudaFunction,
        arguments: impl FnOnce(&mut LaunchArgs<'a>),
    ) -> Result<(), String> {
        let config =
            LaunchConfig { grid_dim: (1056, 1, 1), block_dim: (256, 1, 1), shared_mem_bytes: 0 };
        let mut builder = self.stream.launch_builder(kernel);
        arguments(&mut builder);
        // SAFETY: each caller gives the kernel's parameters, and the arrays hold n items of the largest size.
        unsafe { builder.launch(config) }.map(drop).map_err(driver_error)
    }
}
