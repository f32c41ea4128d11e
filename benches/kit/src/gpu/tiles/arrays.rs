//! The arrays that all tile sorts share, and the clock.

use std::sync::Arc;

use cudarc::driver::result::memcpy_dtod_async;
use cudarc::driver::sys::CUevent_flags;
use cudarc::driver::{CudaFunction, CudaSlice, CudaStream, DevicePtr, LaunchConfig, PushKernelArg};
use sortsmith_codegen::{ArgumentField, KeyType, Order, SortSpec, TileArguments, ValueType};
use sortsmith_testkit::oracle::{self, Task};

use super::shape_of;
use crate::gpu::{Gpu, driver_error, push_taken, times_or_error};
use crate::{Cache, Case, Group, Input, Shape, Times, Types};

/// Bytes of the largest key or value.
const MAX_BYTES: usize = 8;

/// Generates the arrays on the device: full-entropy integers, and floats without NaNs.
const GENERATE: &str = r#"
__device__ unsigned long long mixed(unsigned long long number) {
  number += 0x9e3779b97f4a7c15ull;
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9ull;
  number = (number ^ number >> 27) * 0x94d049bb133111ebull;
  return number ^ number >> 31;
}

template <typename Make>
__device__ void generate(unsigned long long n, Make make) {
  const unsigned long long step = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
  for (unsigned long long i = blockIdx.x * static_cast<unsigned long long>(blockDim.x) + threadIdx.x; i < n; i += step) {
    make(i);
  }
}

extern "C" __global__ void generate_u32(unsigned int* out, unsigned long long n) {
  generate(n, [=](unsigned long long i) { out[i] = static_cast<unsigned int>(mixed(i)); });
}
extern "C" __global__ void generate_u64(unsigned long long* out, unsigned long long n) {
  generate(n, [=](unsigned long long i) { out[i] = mixed(i); });
}
extern "C" __global__ void generate_f32(float* out, unsigned long long n) {
  generate(n, [=](unsigned long long i) {
    out[i] = (static_cast<int>(mixed(i) & 0xffffff) - 0x800000) * (1.0f / 4096);
  });
}
extern "C" __global__ void generate_u16(unsigned short* out, unsigned long long n) {
  generate(n, [=](unsigned long long i) { out[i] = static_cast<unsigned short>(mixed(i)); });
}
extern "C" __global__ void generate_u8(unsigned char* out, unsigned long long n) {
  generate(n, [=](unsigned long long i) { out[i] = static_cast<unsigned char>(mixed(i)); });
}
// Halves of all exponents but the largest, and +0 in place of -0.
extern "C" __global__ void generate_f16(unsigned short* out, unsigned long long n) {
  generate(n, [=](unsigned long long i) {
    const unsigned short bits = static_cast<unsigned short>(mixed(i));
    const bool is_number = (bits & 0x7c00) != 0x7c00;
    out[i] = bits == 0x8000 ? 0 : is_number ? bits : bits & 0xbfff;
  });
}
extern "C" __global__ void generate_index(unsigned int* out, unsigned long long n) {
  generate(n, [=](unsigned long long i) { out[i] = static_cast<unsigned int>(i); });
}
"#;

/// Its kernels.
const GENERATORS: [&str; 7] = [
    "generate_u32",
    "generate_u64",
    "generate_f32",
    "generate_u16",
    "generate_u8",
    "generate_f16",
    "generate_index",
];
/// The generator of values.
const POSITIONS: usize = GENERATORS.len() - 1;

/// Keys and values on the device, in and out.
pub struct Arrays {
    /// Where everything runs.
    pub stream: Arc<CudaStream>,
    /// Addresses of keys in and out, values in and out.
    pub addresses: [u64; 4],
    /// How many keys there are.
    pub n: u64,
    memory: [CudaSlice<u8>; 4],
    generators: [CudaFunction; GENERATORS.len()],
    repetitions: usize,
}

/// The kernel that generates keys of these types.
fn generator_of(types: Types) -> Option<usize> {
    let key = match types.key {
        KeyType::U32 => 0,
        KeyType::U64 => 1,
        KeyType::F32 => 2,
        KeyType::U16 | KeyType::I16 => 3,
        KeyType::U8 | KeyType::I8 => 4,
        KeyType::F16 => 5,
        _ => return None,
    };
    matches!(types.value, ValueType::None | ValueType::U32).then_some(key)
}

/// Whether the arrays can be filled for these types.
pub fn can_generate(types: Types) -> bool {
    generator_of(types).is_some()
}

impl Arrays {
    /// Arrays of `n` keys of any of the types.
    pub fn new(gpu: &Gpu, n: usize, repetitions: usize) -> Result<Self, String> {
        let stream = gpu.context.new_stream().map_err(driver_error)?;
        let allocate = || stream.alloc_zeros::<u8>(n * MAX_BYTES).map_err(driver_error);
        let memory = [allocate()?, allocate()?, allocate()?, allocate()?];
        let addresses = memory.each_ref().map(|memory| memory.device_ptr(&stream).0);
        let cubin = gpu.compile("generate.cu", GENERATE)?;
        let generators = gpu.load(cubin, GENERATORS)?;
        Ok(Self { stream, addresses, n: n as u64, memory, generators, repetitions })
    }

    /// Full tiles in the arrays.
    pub fn full_tiles(&self, shape: Shape) -> usize {
        self.n as usize / (shape.threads * shape.items) as usize
    }

    /// What a sort of all full tiles is, for a record.
    pub fn case(&self, types: Types, shape: Shape, order: Order) -> Case {
        let tile = u64::from(shape.threads * shape.items);
        let n = self.n / tile * tile;
        let (input, shape, cache) = (Input::Random, Some(shape), Cache::Warm);
        Case { group: Group::Tiles, types, input, n, shape, rows: None, order, cache }
    }

    /// Generates keys for these types, if [`can_generate`] says that it can, and values with positions.
    pub fn generate(&mut self, types: Types) -> Result<(), String> {
        let generate =
            generator_of(types).ok_or_else(|| format!("{types}: no kernel generates these"))?;
        let keys = &self.generators[generate];
        let config =
            LaunchConfig { grid_dim: (1024, 1, 1), block_dim: (256, 1, 1), shared_mem_bytes: 0 };
        for (kernel, address) in
            [(keys, &self.addresses[0]), (&self.generators[POSITIONS], &self.addresses[2])]
        {
            let mut arguments = self.stream.launch_builder(kernel);
            arguments.arg(address).arg(&self.n);
            // SAFETY: these are the kernel's parameters, and each array has n items of the largest size.
            unsafe { arguments.launch(config) }.map_err(driver_error)?;
        }
        self.stream.synchronize().map_err(driver_error)
    }

    /// Launches a generated tile kernel, which takes these arguments.
    pub fn launch(
        &self,
        spec: &SortSpec,
        (kernel, taken): (&CudaFunction, &[ArgumentField]),
        config: LaunchConfig,
    ) -> Result<(), String> {
        let tile = u64::from(spec.tile_items());
        let [keys_in, keys_out, values_in, values_out] = self.addresses;
        let all = TileArguments {
            keys_in,
            keys_out,
            values_in,
            values_out,
            n: self.n / tile * tile,
            end_bit: spec.key.bits().cast_signed(),
            ..TileArguments::default()
        };
        let mut arguments = self.stream.launch_builder(kernel);
        push_taken(&mut arguments, &all, taken);
        // SAFETY: these are the kernel's parameters, and the arrays hold at least n items of its types.
        unsafe { arguments.launch(config) }.map(drop).map_err(driver_error)
    }

    /// The times of a sort of all full tiles. The result is checked first.
    pub fn time(
        &self,
        spec: &SortSpec,
        mut sort: impl FnMut() -> Result<(), String>,
    ) -> Result<Times, String> {
        self.try_out(spec, &mut sort)?;
        sort()?;
        self.clock(sort)
    }

    /// Sorts once, and compares the first and the last tile with what a sort of this spec gives.
    pub fn try_out(
        &self,
        spec: &SortSpec,
        mut sort: impl FnMut() -> Result<(), String>,
    ) -> Result<(), String> {
        sort()?;
        self.check(spec).map_err(|complaint| format!("{spec}: {complaint}"))
    }

    /// Bytes a second of copies on the device, read and written ones.
    pub fn copy_bytes_per_second(&mut self) -> Result<f64, String> {
        let [from, to, ..] = self.addresses;
        let bytes = self.memory[0].len();
        let copy = || {
            // SAFETY: both arrays have that many bytes, on the context of the stream.
            unsafe { memcpy_dtod_async(to, from, bytes, self.stream.cu_stream()) }
                .map_err(driver_error)
        };
        copy()?;
        Ok(2.0 * bytes as f64 / (self.clock(copy)?.median() / 1e3))
    }

    /// The times of what this enqueues.
    fn clock(&self, mut enqueue: impl FnMut() -> Result<(), String>) -> Result<Times, String> {
        let flags = Some(CUevent_flags::CU_EVENT_DEFAULT);
        let mut times = Vec::with_capacity(self.repetitions);
        for _ in 0..self.repetitions {
            let start = self.stream.record_event(flags).map_err(driver_error)?;
            enqueue()?;
            let end = self.stream.record_event(flags).map_err(driver_error)?;
            times.push(f64::from(start.elapsed_ms(&end).map_err(driver_error)?));
        }
        times_or_error(times)
    }

    /// Compares the first and the last tile with the oracle.
    fn check(&self, spec: &SortSpec) -> Result<(), String> {
        let tile = spec.tile_items() as usize;
        let (key_bytes, value_bytes) = (oracle::key_bytes(spec.key), spec.value.bytes() as usize);
        let task = Task { order: spec.order, ..Task::new(spec.key) };
        for first in [0, (self.full_tiles(shape_of(spec)) - 1) * tile] {
            let part = |array: usize, bytes: usize| {
                let view = self.memory[array].slice(first * bytes..(first + tile) * bytes);
                let copy = self.stream.clone_dtoh(&view).map_err(driver_error)?;
                self.stream.synchronize().map_err(driver_error)?;
                Ok::<_, String>(copy)
            };
            let keys = part(0, key_bytes)?;
            let order = oracle::permutation(&task, &keys);
            if part(1, key_bytes)? != oracle::gather(&keys, key_bytes, &order) {
                return Err(format!("the keys of the tile at {first} are wrong"));
            }
            if value_bytes > 0 {
                let values = part(2, value_bytes)?;
                if part(3, value_bytes)? != oracle::gather(&values, value_bytes, &order) {
                    return Err(format!("the values of the tile at {first} are wrong"));
                }
            }
        }
        Ok(())
    }
}
