//! Top-ks: quiet for every architecture, quiet on the host, and without local memory.

use std::fs;

use sortsmith_codegen::KeyType;
use sortsmith_codegen::toolchain::{Format, Nvcc};
use sortsmith_codegen::top_k::{self, TopKKernel, TopKSpec};
use sortsmith_testkit::sampler;

use super::nvrtc::ARCHS;
use super::{Keyed, compile, for_all, found, loaded_nvrtc, nvcc, toolchain};

/// The specs that the runtime chooses most, and one of each width of keys with the most items of a thread.
const CHOSEN: [&str; 5] = [
    "block_top_k_f32_b128_i4_desc",
    "block_top_k_f32_b256_i8_desc_nanlast",
    "block_top_k_f16_b512_i16_desc",
    "block_top_k_i64_b512_i8_asc",
    "block_top_k_u128_b256_i8_asc",
];

impl Keyed for TopKSpec {
    fn key(&self) -> KeyType {
        self.key
    }
}

fn header(spec: TopKSpec) -> String {
    top_k::header(&spec).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

#[test]
fn top_ks() {
    let left_out = format!("{} top-ks through NVRTC", CHOSEN.len());
    let Some(nvrtc) = loaded_nvrtc(&left_out) else { return };
    let spec = |name: &str| name.parse::<TopKSpec>().unwrap_or_else(|error| panic!("{error}"));
    let products: Vec<(TopKSpec, u32)> =
        CHOSEN.iter().flat_map(|name| ARCHS.map(|arch| (spec(name), arch))).collect();
    for_all("top_ks", &products, |(spec, arch)| {
        let compiled = compile(&nvrtc, spec, &header(*spec), *arch, Format::Cubin)?;
        let kernels = compiled.resources().map_err(|error| format!("{spec}: {error}"))?;
        [TopKKernel::Rows, TopKKernel::Candidates].into_iter().try_for_each(|kernel| match kernels
            .get(&format!("{spec}{}", kernel.suffix()))
        {
            Some(kernel) if kernel.is_free_of_local_memory() => Ok(()),
            other => Err(format!("{spec}, sm_{arch}: {other:?}")),
        })
    });
}

#[test]
fn top_k_headers_are_quiet() {
    let specs = sampler::top_k_covering_set();
    let left_out = format!("{} top-ks through nvcc", specs.len());
    let Some(nvcc) = found(Nvcc::new(toolchain()), &left_out) else { return };
    let folder = nvcc::folder("top_k");
    // All of them in one file, each twice.
    let mut text = String::new();
    for spec in specs {
        nvcc::write(&folder.join(format!("{spec}.cuh")), &header(spec));
        text += &format!("#include \"{spec}.cuh\"\n").repeat(2);
    }
    nvcc::write(&folder.join("top_ks.cu"), &text);
    for_all("top_k_headers_are_quiet", &["top_ks.cu"], |file| {
        nvcc::compile(&nvcc, &folder, file, 90)
    });
    // A left-over folder is in the target folder.
    let _ = fs::remove_dir_all(folder);
}
