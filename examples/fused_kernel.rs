//! A generated block sort inside a kernel of your own: the median of each group of 1,024 numbers, with nothing but the
//! medians written. Needs a GPU and NVRTC, and says so where there is none.
//!
//! `cargo run --release --example fused_kernel`

use cudarc::driver::{LaunchConfig, PushKernelArg};
use cudarc::nvrtc::Ptx;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use sortsmith::device::{self, SortSpec};
use sortsmith_codegen::toolchain::{CompileOptions, Format, Nvrtc, Source, Toolchain};

const GROUP: usize = 1024;
const GROUPS: usize = 10_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let spec: SortSpec = "block_radix_sort_f32_keys_b128_i8_r4_asc".parse()?;
    let source = format!(
        "{header}
using Sort = sortsmith::{spec};

// Each block sorts its group in registers and shared memory, and writes the upper median.
extern \"C\" __global__ void medians(const float* numbers, float* medians) {{
  __shared__ Sort::TempStorage storage;
  Sort::Keys keys;
  for (int i = 0; i < Sort::kItemsPerThread; ++i) {{
    keys[i] = numbers[blockIdx.x * Sort::kTileItems + threadIdx.x * Sort::kItemsPerThread + i];
  }}
  Sort(storage).Sort(keys);
  constexpr int kMedian = Sort::kTileItems / 2;
  if (threadIdx.x == kMedian / Sort::kItemsPerThread) medians[blockIdx.x] = keys[kMedian % Sort::kItemsPerThread];
}}
",
        header = device::header(&spec)?,
    );

    let context = match sortsmith::cuda_context(0) {
        Ok(context) => context,
        Err(error) => {
            println!("left out, for it needs a GPU: {error}");
            return Ok(());
        }
    };
    let nvrtc = match Nvrtc::load(&Toolchain::find()) {
        Ok(nvrtc) => nvrtc,
        Err(error) => {
            println!("left out, for it needs NVRTC: {error}");
            return Ok(());
        }
    };
    let (major, minor) = context.compute_capability()?;
    let arch = (10 * major + minor).cast_unsigned();
    let options = CompileOptions::new(arch, Format::Cubin);
    let compiled = nvrtc.compile(&Source::new("medians.cu", &source), &options)?;
    let kernel = context.load_module(Ptx::from_binary(compiled.image))?.load_function("medians")?;

    let mut rng = SmallRng::seed_from_u64(5);
    let numbers: Vec<f32> = (0..GROUP * GROUPS).map(|_| rng.random_range(-1.0..1.0)).collect();
    let stream = context.default_stream();
    let d_numbers = stream.clone_htod(&numbers)?;
    let mut d_medians = stream.alloc_zeros::<f32>(GROUPS)?;
    let config = LaunchConfig {
        grid_dim: (GROUPS as u32, 1, 1),
        block_dim: (spec.algorithm.block().threads(), 1, 1),
        shared_mem_bytes: 0,
    };
    let mut launch = stream.launch_builder(&kernel);
    launch.arg(&d_numbers).arg(&mut d_medians);
    // SAFETY: the parameters are the kernel's, the arrays have GROUP * GROUPS and GROUPS floats, and the block is the
    // spec's.
    unsafe { launch.launch(config) }?;

    let medians = stream.clone_dtoh(&d_medians)?;
    for (group, median) in numbers.chunks_exact(GROUP).zip(&medians) {
        let mut sorted = group.to_vec();
        sorted.sort_by(f32::total_cmp);
        if sorted[GROUP / 2].to_bits() != median.to_bits() {
            return Err(format!("a median is {median} and should be {}", sorted[GROUP / 2]).into());
        }
    }
    println!("{GROUPS} medians of {GROUP} numbers each, all right");
    Ok(())
}
