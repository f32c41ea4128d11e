//! Kernels made beforehand, into the cache on disk: within a process NVRTC compiles one source after the other, so processes of
//! their own share the work. They need no GPU.

use std::env;
use std::process::{Child, Command, Stdio};

use sortsmith_codegen::cache::{Cache, Kernel};
use sortsmith_codegen::device::{self, DeviceSpec};
use sortsmith_codegen::render::STORAGE_HEADERS;
use sortsmith_codegen::toolchain::{
    CompileOptions, Format, Identity, Nvrtc, Source, Toolchain, ToolchainError,
};

/// Tells such a process what to make: an architecture, then names of specs, between spaces.
pub const SHARE: &str = "SORTSMITH_TUNE_COMPILE";

/// Compiles specs for an architecture in this number of processes. What they do not make is made when it is needed, and fails then.
pub fn by_other_processes(arch: u32, specs: &[DeviceSpec], processes: usize) {
    let Ok(program) = env::current_exe() else { return };
    let share = specs.len().div_ceil(processes.max(1)).max(1);
    let start = |specs: &[DeviceSpec]| {
        let mut words = vec![arch.to_string()];
        words.extend(specs.iter().map(ToString::to_string));
        let mut command = Command::new(&program);
        command.env(SHARE, words.join(" ")).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
    };
    let children: Vec<Child> = specs.chunks(share).filter_map(start).collect();
    for mut child in children {
        // However it ended, what counts is what is in the cache.
        drop(child.wait());
    }
}

/// Does this process's share, if it is there for one.
pub fn share_of_this_process() -> Option<Result<(), ToolchainError>> {
    let words = env::var(SHARE).ok()?;
    let mut words = words.split(' ');
    let arch: u32 = words.next()?.parse().ok()?;
    Some(make(arch, &words.filter_map(|name| name.parse().ok()).collect::<Vec<_>>()))
}

/// Compiles what the cache does not have, as the runtime would.
fn make(arch: u32, specs: &[DeviceSpec]) -> Result<(), ToolchainError> {
    let (toolchain, cache) = (Toolchain::find(), Cache::of_this_user());
    let Some(component) = &toolchain.nvrtc else {
        return Err(ToolchainError::NotFound { what: "NVRTC" });
    };
    let compiler = Identity::of(component)?;
    let options = CompileOptions::new(arch, Format::Cubin);
    let mut nvrtc = None;
    for spec in specs {
        let name = spec.to_string();
        // What does not render or compile is an error when it is needed.
        let Ok(text) = device::header(spec) else { continue };
        let source = Source { name: &name, text: &text, headers: &STORAGE_HEADERS };
        let kernel = Kernel { source, options: &options, compiler: &compiler };
        if matches!(cache.get(&kernel), Ok(Some(_))) {
            continue;
        }
        if nvrtc.is_none() {
            nvrtc = Some(Nvrtc::load(&toolchain)?);
        }
        if let Some(Ok(compiled)) = nvrtc.as_ref().map(|nvrtc| nvrtc.compile(&source, &options)) {
            // A cache that cannot be written costs time, nothing else.
            drop(cache.put(&kernel, &compiled.into_loadable()));
        }
    }
    Ok(())
}
