//! The arrays that all device-wide sorts share, and the clock.

use std::sync::Arc;

use cudarc::driver::sys::{CUdevice_attribute as Attribute, CUevent_flags};
use cudarc::driver::{
    CudaEvent, CudaFunction, CudaSlice, CudaStream, DevicePtr, DriverError, LaunchArgs,
    LaunchConfig, PushKernelArg,
};
use sortsmith::Sorter;

use sortsmith_benchkit::gpu::Gpu;
use sortsmith_benchkit::{Cache, Case, Input, Times};

use super::Subject;

/// Bytes of the largest key or value.
const MAX_BYTES: usize = 8;

/// Arrays have at least this number of bytes: smaller copies would stay in the caches.
const LEAST_BYTES: usize = 1 << 28;

/// From this number of keys on there are fewer repetitions.
const LONG: usize = 1 << 26;
const LONG_REPETITIONS: usize = 7;

/// Makes inputs, and compares results.
const KERNELS: &str = r#"
typedef unsigned long long u64;

__device__ u64 mixed(u64 number) {
  number += 0x9e3779b97f4a7c15ull;
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9ull;
  number = (number ^ number >> 27) * 0x94d049bb133111ebull;
  return number ^ number >> 31;
}

template <typename Do>
__device__ void for_each(u64 n, Do work) {
  const u64 step = static_cast<u64>(gridDim.x) * blockDim.x;
  for (u64 i = blockIdx.x * static_cast<u64>(blockDim.x) + threadIdx.x; i < n; i += step) work(i);
}

// The AND of that many words of a random number each; of none: one number.
template <typename T>
__device__ void fill(T* out, u64 n, unsigned int words, u64 mask) {
  for_each(n, [=](u64 i) {
    u64 bits = words > 0 ? mask : mixed(7);
    for (unsigned int word = 0; word < words; ++word) bits &= mixed(i * 8 + word);
    out[i] = static_cast<T>(bits);
  });
}

// One of all values of a T for each number: every step can be undone, so that different numbers have different ones.
template <typename T>
__device__ T scattered(u64 number) {
  const int half = 4 * sizeof(T);
  u64 value = static_cast<T>(number + 0x9e3779b97f4a7c15ull);
  for (int round = 0; round < 2; ++round) value = static_cast<T>((value ^ value >> half) * 0xbf58476d1ce4e5b9ull);
  return static_cast<T>(value ^ value >> half);
}

// That many different values, evenly.
template <typename T>
__device__ void distinct(T* out, u64 n, u64 values) {
  for_each(n, [=](u64 i) { out[i] = scattered<T>(mixed(i * 8) % values); });
}

// Rank r, from 1 on, with a probability of about 1/r: the inverse of a distribution function that grows as the logarithm
// does. Exactly it is ln(1 + 1/r) / ln(ranks + 1), which is near enough: the first few ranks alone have less than 1/r.
template <typename T>
__device__ void zipf(T* out, u64 n, u64 ranks) {
  const double logarithm = log(ranks + 1.0);
  for_each(n, [=](u64 i) {
    const double uniform = (mixed(i * 8) >> 11) * (1.0 / (1ull << 53));
    const u64 rank = static_cast<u64>(exp(uniform * logarithm));
    out[i] = scattered<T>(rank < ranks ? rank : ranks);  // rounding could pass the last one
  });
}

template <typename T>
__device__ void reverse(T* out, const T* in, u64 n) {
  for_each(n, [=](u64 i) { out[i] = in[n - 1 - i]; });
}

#define OF_BYTES(bytes, T)                                                                     \
  extern "C" __global__ void fill_##bytes(T* out, u64 n, unsigned int words, u64 mask) {       \
    fill(out, n, words, mask);                                                                 \
  }                                                                                            \
  extern "C" __global__ void distinct_##bytes(T* out, u64 n, u64 values) {                     \
    distinct(out, n, values);                                                                  \
  }                                                                                            \
  extern "C" __global__ void zipf_##bytes(T* out, u64 n, u64 ranks) { zipf(out, n, ranks); }   \
  extern "C" __global__ void reverse_##bytes(T* out, const T* in, u64 n) { reverse(out, in, n); }

OF_BYTES(1, unsigned char)
OF_BYTES(2, unsigned short)
OF_BYTES(4, unsigned int)
OF_BYTES(8, u64)

// Multiples of 1/4096 between -2048 and 2048.
extern "C" __global__ void fill_f32(float* out, u64 n) {
  for_each(n, [=](u64 i) {
    out[i] = (static_cast<int>(mixed(i) & 0xffffff) - 0x800000) * (1.0f / 4096);
  });
}

extern "C" __global__ void positions_4(unsigned int* out, u64 n) {
  for_each(n, [=](u64 i) { out[i] = static_cast<unsigned int>(i); });
}
extern "C" __global__ void positions_8(u64* out, u64 n) {
  for_each(n, [=](u64 i) { out[i] = i; });
}

// Reads all of zeros: were one not zero, it would say so where nothing else is.
extern "C" __global__ void read_zeros(u64* numbers, u64 n) {
  for_each(n, [=](u64 i) {
    if (numbers[i] != 0) numbers[0] = i;
  });
}

extern "C" __global__ void differences(const unsigned char* a, const unsigned char* b, u64 n, unsigned int* found) {
  for_each(n, [=](u64 i) {
    if (a[i] != b[i]) atomicAdd(found, 1u);
  });
}
"#;

/// Keys and values in one place.
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
    fill: [CudaFunction; 4],
    distinct: [CudaFunction; 4],
    zipf: [CudaFunction; 4],
    reverse: [CudaFunction; 4],
    positions: [CudaFunction; 2],
    /// Numbers; the count of differences; what displaces all else from the cache.
    others: [CudaFunction; 3],
}

/// Keys and values on the device, their input, and a place for results.
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
        let cubin = gpu.compile("device_bench.cu", KERNELS)?;
        let kernels = Kernels {
            fill: gpu.load(cubin.clone(), ["fill_1", "fill_2", "fill_4", "fill_8"])?,
            distinct: gpu
                .load(cubin.clone(), ["distinct_1", "distinct_2", "distinct_4", "distinct_8"])?,
            zipf: gpu.load(cubin.clone(), ["zipf_1", "zipf_2", "zipf_4", "zipf_8"])?,
            reverse: gpu
                .load(cubin.clone(), ["reverse_1", "reverse_2", "reverse_4", "reverse_8"])?,
            positions: gpu.load(cubin.clone(), ["positions_4", "positions_8"])?,
            others: gpu.load(cubin, ["fill_f32", "differences", "read_zeros"])?,
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
    pub fn fill(&mut self, subject: &Subject, case: &Case, sorter: &Sorter) -> Result<(), String> {
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
        self.fill_keys(subject, case, keys)?;
        if !matches!(case.input, Input::Sorted | Input::Reversed) {
            return Ok(());
        }
        self.sort(subject, n as usize, sorter)?;
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
    fn fill_keys(&self, subject: &Subject, case: &Case, keys: u64) -> Result<(), String> {
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
            Input::And(words) => (words, u64::MAX),
            Input::Random | Input::Sorted | Input::Reversed | Input::Bits(_)
                if subject.has_floats =>
            {
                return self.launch(&self.kernels.others[0], |it| {
                    it.arg(&keys).arg(&n);
                });
            }
            Input::Bits(bits) => (1, (1 << bits) - 1),
            Input::Random | Input::Sorted | Input::Reversed => (1, u64::MAX),
        };
        self.launch(&self.kernels.fill[size], |it| {
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
    pub fn sort(&mut self, subject: &Subject, n: usize, sorter: &Sorter) -> Result<(), String> {
        let (key_bytes, value_bytes) = (n * subject.key_bytes(), n * subject.value_bytes());
        let input = [self.input.keys.slice(..key_bytes), self.input.values.slice(..value_bytes)];
        let mut keys = self.work.keys.slice_mut(..key_bytes);
        let mut values = self.work.values.slice_mut(..value_bytes);
        (subject.sort)(sorter, [&input[0], &input[1]], [&mut keys, &mut values])
            .map_err(|error| error.to_string())
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
            self.launch(&self.kernels.others[1], |it| {
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
        let read = self.launch(&self.kernels.others[2], |it| {
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

    /// The milliseconds of one such sort. The clock starts when the input is restored and, for a cold sort, out of the L2 cache.
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
