//! The GPU, opened without a panic where there is none. The benches use this file too.

use std::sync::Arc;

use cudarc::driver::sys::CUfunction_attribute;
use cudarc::driver::{CudaContext, CudaFunction, LaunchArgs, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::Ptx;
use libloading::Library;
use sortsmith_codegen::dispatch::KernelSpec;
use sortsmith_codegen::toolchain::{
    CompileOptions, DRIVER_LIBRARY, Format, Nvrtc, Source, Toolchain,
};
use sortsmith_codegen::warp::WarpPlan;
use sortsmith_codegen::{ArgumentField, SortSpec, TileArguments};

/// Static shared memory ends here; a kernel that needs more must say so before its launch.
const UNASKED_SHARED_BYTES: u32 = 48 * 1024;

/// A GPU, and a compiler for it.
pub struct Gpu {
    /// The first device's context.
    pub context: Arc<CudaContext>,
    nvrtc: Nvrtc,
    options: CompileOptions,
}

impl Gpu {
    /// The first GPU, or why there is none to use.
    pub fn open() -> Result<Self, String> {
        // SAFETY: loading runs the library's initialisers. The name is that of NVIDIA's driver; its
        // initialisers have no requirements on the process.
        let driver = unsafe { Library::new(DRIVER_LIBRARY) };
        // cudarc panics where it does not find the driver, so it is called only now.
        drop(driver.map_err(|error| format!("no CUDA driver ({error})"))?);
        let context = CudaContext::new(0).map_err(|error| format!("no CUDA device ({error})"))?;
        let toolchain = Toolchain::find();
        let nvrtc = Nvrtc::load(&toolchain).map_err(|error| error.to_string())?;
        let (major, minor) = context.compute_capability().map_err(|error| error.to_string())?;
        let arch = (major * 10 + minor).cast_unsigned();
        let mut options = CompileOptions::new(arch, Format::Cubin);
        options.include_dirs = toolchain.include_dirs;
        options.extra.push("-lineinfo".to_owned());
        Ok(Self { context, nvrtc, options })
    }

    /// One line about the device and the compiler.
    pub fn describe(&self) -> String {
        let name = self.context.name().unwrap_or_else(|error| error.to_string());
        format!("{name}, sm_{}, {}", self.options.arch, self.compiler())
    }

    /// The compiler and its version.
    pub fn compiler(&self) -> String {
        let (major, minor) = self.nvrtc.version();
        format!("NVRTC {major}.{minor}")
    }

    /// Compiles a text to machine code for this GPU.
    pub fn compile(&self, name: &str, text: &str) -> Result<Vec<u8>, String> {
        let compiled = self.nvrtc.compile(&Source::new(name, text), &self.options);
        Ok(compiled.map_err(|error| error.to_string())?.image)
    }

    /// The kernels of compiled code, one for each name.
    pub fn load<const N: usize>(
        &self,
        cubin: Vec<u8>,
        names: [&str; N],
    ) -> Result<[CudaFunction; N], String> {
        let module = self.context.load_module(Ptx::from_binary(cubin));
        let module = module.map_err(|error| error.to_string())?;
        let kernels: Vec<CudaFunction> = names
            .iter()
            .map(|name| module.load_function(name).map_err(|error| format!("{name}: {error}")))
            .collect::<Result<_, _>>()?;
        kernels.try_into().map_err(|_| "not all kernels".to_owned())
    }
}

/// How a spec's tile kernel is launched for a number of tiles; makes this kernel ready for it.
pub fn tile_config(
    spec: &SortSpec,
    kernel: &CudaFunction,
    tiles: usize,
) -> Result<LaunchConfig, String> {
    let Some(plan) = WarpPlan::of(spec) else { return launch_config(spec, kernel, tiles) };
    let blocks = tiles.div_ceil(plan.tiles_per_block() as usize);
    Ok(LaunchConfig {
        grid_dim: (u32::try_from(blocks).map_err(|error| error.to_string())?, 1, 1),
        block_dim: (plan.tile_threads, 1, 1),
        shared_mem_bytes: 0,
    })
}

/// Threads of a block where logical warps call a spec's struct: each of them sorts the same tile.
pub const THREADS_OF_WARPS: u32 = 64;

/// How kernels that call a spec's struct are launched on a number of blocks; makes this kernel ready for it.
pub fn launch_config(
    spec: &SortSpec,
    kernel: &CudaFunction,
    blocks: usize,
) -> Result<LaunchConfig, String> {
    if WarpPlan::of(spec).is_some() {
        let blocks = u32::try_from(blocks).map_err(|error| error.to_string())?;
        return Ok(LaunchConfig {
            grid_dim: (blocks, 1, 1),
            block_dim: (THREADS_OF_WARPS, 1, 1),
            shared_mem_bytes: 0,
        });
    }
    let shared_bytes = KernelSpec::Tile(*spec).shared_bytes();
    if shared_bytes > UNASKED_SHARED_BYTES {
        let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        let raised = kernel.set_attribute(attribute, shared_bytes.cast_signed());
        raised.map_err(|error| format!("{shared_bytes} bytes of shared memory: {error}"))?;
    }
    let blocks = u32::try_from(blocks).map_err(|error| error.to_string())?;
    let block = spec.algorithm.block();
    Ok(LaunchConfig {
        grid_dim: (blocks, 1, 1),
        block_dim: (block.x, block.y, block.z),
        shared_mem_bytes: shared_bytes,
    })
}

/// Appends to a launch the arguments that its kernel takes, in their order.
pub fn push_taken<'a>(
    launch: &mut LaunchArgs<'a>,
    arguments: &'a TileArguments,
    taken: &[ArgumentField],
) {
    let it = arguments;
    for field in taken {
        match field.name {
            "keys_in" => launch.arg(&it.keys_in),
            "keys_out" => launch.arg(&it.keys_out),
            "values_in" => launch.arg(&it.values_in),
            "values_out" => launch.arg(&it.values_out),
            "positions_out" => launch.arg(&it.positions_out),
            "n" => launch.arg(&it.n),
            "rows" => launch.arg(&it.rows),
            "columns" => launch.arg(&it.columns),
            "stride" => launch.arg(&it.stride),
            "begin_bit" => launch.arg(&it.begin_bit),
            "end_bit" => launch.arg(&it.end_bit),
            "count" => launch.arg(&it.count),
            "count_bytes" => launch.arg(&it.count_bytes),
            "counts_columns" => launch.arg(&it.counts_columns),
            name => unreachable!("{name}: tile sorts have no such argument"),
        };
    }
}
