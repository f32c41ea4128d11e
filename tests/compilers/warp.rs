//! Sorts of logical warps through the compilers: no local memory, and as many shuffles as the plan says.

use sortsmith_codegen::SortSpec;
use sortsmith_codegen::toolchain::{Format, Nvcc};
use sortsmith_codegen::warp::WarpPlan;
use sortsmith_testkit::sampler;
use sortsmith_testkit::seed::{self, Seed};

use super::nvrtc::{kernel_of_all_members, products};
use super::{compile, for_all, found, header, loaded_nvrtc, nvcc, toolchain};

fn parsed(name: &str) -> SortSpec {
    name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn fresh_specs(seed: Seed, subject: &str, count: usize) -> Vec<SortSpec> {
    let mut rng = seed.rng(subject);
    (0..count).map(|_| sampler::warp_bitonic(&mut rng)).collect()
}

#[test]
fn warp_fresh() {
    let count = if seed::is_deep() { 200 } else { 4 };
    let Some(nvrtc) = loaded_nvrtc(&format!("{count} fresh warp sorts through NVRTC")) else {
        return;
    };
    let seed = Seed::from_env();
    eprintln!("warp_fresh: {}={}", seed::SEED_VARIABLE, seed.0);
    let specs = fresh_specs(seed, "warp_fresh", count);
    let with_headers = specs.iter().map(|spec| (*spec, header(spec))).collect();
    for_all("warp_fresh", &products(with_headers), |(spec, text, arch)| {
        compile(&nvrtc, spec, text, *arch, Format::Cubin).map(drop)
    });
    for_all("warp_fresh: members", &specs, |spec| {
        let text = kernel_of_all_members(spec, &header(spec));
        compile(&nvrtc, spec, &text, 90, Format::Ptx).map(drop)
    });
}

#[test]
fn warp_headers_are_quiet() {
    let Some(nvcc) = found(Nvcc::new(toolchain()), "warp sorts through nvcc") else { return };
    let seed = Seed::from_env();
    eprintln!("warp_headers_are_quiet: {}={}", seed::SEED_VARIABLE, seed.0);
    let folder = nvcc::folder("warp");
    let mut text = String::new();
    for spec in fresh_specs(seed, "warp_headers_are_quiet", 4) {
        nvcc::write(&folder.join(format!("{spec}.cuh")), &header(&spec));
        text += &["#include \"", &spec.to_string(), ".cuh\"\n"].concat().repeat(2);
        text +=
            &["void launch_", &spec.to_string(), "() { (void)", &spec.to_string(), "_tile; }\n"]
                .concat();
    }
    nvcc::write(&folder.join("warp.cu"), &text);
    let compiled = nvcc::compile(&nvcc, &folder, "warp.cu", 90);
    let _ = std::fs::remove_dir_all(&folder);
    compiled.unwrap_or_else(|error| panic!("{error}"));
}

/// Specs that promise to stay in registers: a lane's items take at most 64 of them.
const IN_REGISTERS: [&str; 11] = [
    "warp_bitonic_sort_u32_keys_w8_i4_asc",
    "warp_bitonic_sort_u32_keys_w8_i16_asc",
    "warp_bitonic_sort_i32_keys_w32_i8_desc",
    "warp_bitonic_sort_u32_keys_w8_i32_asc",
    "warp_bitonic_sort_f32_u32_w8_i16_desc",
    "warp_bitonic_sort_f32_u32_w8_i8_asc_stable",
    "warp_bitonic_sort_f32_index_w32_i8_desc_stable",
    "warp_bitonic_sort_u64_keys_w16_i16_asc",
    "warp_bitonic_sort_u8_u32_w4_i16_asc",
    "warp_bitonic_sort_i16_u128_w32_i6_asc_outstriped",
    "warp_bitonic_sort_u64_u128_w2_i9_desc",
];

#[test]
fn warps_stay_in_registers_and_shuffle_as_planned() {
    let Some(nvrtc) = loaded_nvrtc("registers of warp sorts") else { return };
    // The same kernels on the oldest architecture, but those that take the compiler long.
    let is_small = |spec: &SortSpec| spec.items <= 8;
    let specs: Vec<(SortSpec, u32)> = IN_REGISTERS
        .iter()
        .map(|name| parsed(name))
        .flat_map(|spec| [90, 75].map(|arch| (spec, arch)))
        .filter(|(spec, arch)| *arch == 90 || is_small(spec))
        .collect();
    for_all("warps_stay_in_registers_and_shuffle_as_planned", &specs, |(spec, arch)| {
        let text = header(spec);
        let compiled = compile(&nvrtc, spec, &text, *arch, Format::Cubin)?;
        let kernels = compiled.resources().map_err(|error| format!("{spec}: {error}"))?;
        let kernel = kernels.get(&format!("{spec}_tile")).ok_or("no tile kernel")?;
        if !kernel.is_free_of_local_memory() {
            return Err(format!("{spec}, sm_{arch}: {kernel:?}"));
        }
        if *arch != 90 {
            return Ok(());
        }
        let ptx = compile(&nvrtc, spec, &text, *arch, Format::Ptx)?.image;
        let ptx = String::from_utf8_lossy(&ptx);
        let shuffles = ptx.lines().filter(|line| line.contains("shfl.sync")).count();
        let planned = WarpPlan::of(spec).expect("a warp's sort").tile_shuffles() as usize;
        if shuffles == planned {
            Ok(())
        } else {
            Err(format!("{spec}, sm_{arch}: {shuffles} shuffles, and not {planned}"))
        }
    });
}
