//! Gathers: quiet for every architecture, quiet on the host, and without local memory.

use std::fs;

use sortsmith_codegen::gather::{self, GatherSpec};
use sortsmith_codegen::toolchain::{CompileOptions, Format, Nvcc};
use sortsmith_testkit::sampler;

use super::nvrtc::ARCHS;
use super::{compile_with, for_all, found, loaded_nvrtc, nvcc, toolchain};

fn header(spec: GatherSpec) -> String {
    gather::header(&spec).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

#[test]
fn gathers() {
    let specs = sampler::gather_covering_set();
    let left_out = format!("{} gathers through NVRTC", specs.len());
    let Some(nvrtc) = loaded_nvrtc(&left_out) else { return };
    let products: Vec<(GatherSpec, u32)> =
        specs.into_iter().flat_map(|spec| ARCHS.map(|arch| (spec, arch))).collect();
    for_all("gathers", &products, |(spec, arch)| {
        let options = CompileOptions::new(*arch, Format::Cubin);
        let compiled = compile_with(&nvrtc, &spec.to_string(), &header(*spec), &options)?;
        let kernels = compiled.resources().map_err(|error| format!("{spec}: {error}"))?;
        match kernels.get(&spec.symbol()) {
            Some(kernel) if kernel.is_free_of_local_memory() => Ok(()),
            other => Err(format!("{spec}, sm_{arch}: {other:?}")),
        }
    });
}

#[test]
fn gather_headers_are_quiet() {
    let specs = sampler::gather_covering_set();
    let left_out = format!("{} gathers through nvcc", specs.len());
    let Some(nvcc) = found(Nvcc::new(toolchain()), &left_out) else { return };
    let folder = nvcc::folder("gather");
    // All of them in one file, each twice, and a kernel of each named.
    let mut text = String::new();
    for spec in specs {
        nvcc::write(&folder.join(format!("{spec}.cuh")), &header(spec));
        let include = format!("#include \"{spec}.cuh\"\n");
        let symbol = spec.symbol();
        text += &[&include, &include, "void launch_", &symbol, "() { (void)", &symbol, "; }\n"]
            .concat();
    }
    nvcc::write(&folder.join("gathers.cu"), &text);
    for_all("gather_headers_are_quiet", &["gathers.cu"], |file| {
        nvcc::compile(&nvcc, &folder, file, 90)
    });
    // A left-over folder is in the target folder.
    let _ = fs::remove_dir_all(folder);
}
