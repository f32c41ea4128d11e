//! Tile sorts of each family through the compilers; of sorts by comparisons no local memory, and as many shuffles as the plan says.

use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::comparison::ComparisonPlan;
use sortsmith_codegen::toolchain::{CompileOptions, Format, Nvcc};
use sortsmith_codegen::warp::WarpPlan;
use sortsmith_codegen::{Family, SortSpec};
use sortsmith_testkit::sampler;
use sortsmith_testkit::seed::{self, Seed};

use super::nvrtc::{compile_products, kernel_of_all_members};
use super::proofs::{Product, prove_all};
use super::{
    compile, compile_with, for_all, found, header, loaded_nvrtc, nvcc, options_for, toolchain,
};

fn parsed(name: &str) -> SortSpec {
    name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A family's sampler of specs.
type Sampler = fn(&mut ChaCha8Rng) -> SortSpec;

/// More items take the compiler long: with time to spare there are more.
fn small(family: Family, rng: &mut ChaCha8Rng) -> SortSpec {
    let most = if seed::is_deep() { 20 } else { 8 };
    loop {
        let spec = sampler::of_family(family, 8192, rng);
        if spec.items <= most {
            break spec;
        }
    }
}

fn fresh_specs(label: &str, count: usize, sampler: Sampler) -> Vec<SortSpec> {
    let seed = Seed::from_env();
    eprintln!("{label}: {}={}", seed::SEED_VARIABLE, seed.0);
    let mut rng = seed.rng(label);
    (0..count).map(|_| sampler(&mut rng)).collect()
}

/// Compiles fresh specs by NVRTC for all architectures, and kernels that call all of their members.
fn through_nvrtc(label: &str, sampler: Sampler) {
    let count = if seed::is_deep() { 200 } else { 4 };
    let Some(nvrtc) = loaded_nvrtc(&format!("{label}: {count} specs through NVRTC")) else {
        return;
    };
    let specs = fresh_specs(label, count, sampler);
    let with_headers = specs.iter().map(|spec| (*spec, header(spec))).collect();
    compile_products(&nvrtc, label, with_headers, |_| String::new());
    for_all(&format!("{label}: members"), &specs, |spec| {
        let text = kernel_of_all_members(spec, &header(spec));
        compile(&nvrtc, spec, &text, 90, Format::Ptx).map(drop)
    });
}

/// Compiles fresh headers by nvcc, each included twice, with warnings as errors.
fn is_quiet(label: &str, sampler: Sampler) {
    let Some(nvcc) = found(Nvcc::new(toolchain()), &format!("{label} through nvcc")) else {
        return;
    };
    let folder = nvcc::folder(label);
    let mut text = String::new();
    for spec in fresh_specs(label, 4, sampler) {
        nvcc::write(&folder.join(format!("{spec}.cuh")), &header(&spec));
        text += &["#include \"", &spec.to_string(), ".cuh\"\n"].concat().repeat(2);
        text +=
            &["void launch_", &spec.to_string(), "() { (void)", &spec.to_string(), "_tile; }\n"]
                .concat();
    }
    nvcc::write(&folder.join("networks.cu"), &text);
    let compiled = nvcc::compile(&nvcc, &folder, "networks.cu", 90);
    let _ = std::fs::remove_dir_all(&folder);
    compiled.unwrap_or_else(|error| panic!("{error}"));
}

macro_rules! families {
    ($(
        $(#[$doc:meta])*
        $variant:ident { $($option:ident),* } $name:ident $token:literal $($folder:ident)::+;
    )*) => {
        $(
            mod $name {
                use sortsmith_codegen::Family;

                #[test]
                fn fresh() {
                    let label = concat!(stringify!($name), "_fresh");
                    super::through_nvrtc(label, |rng| super::small(Family::$variant, rng));
                }

                #[test]
                fn headers_are_quiet() {
                    let label = concat!(stringify!($name), "_headers_are_quiet");
                    super::is_quiet(label, |rng| super::small(Family::$variant, rng));
                }
            }
        )*
    };
}
sortsmith_codegen::tile_families!(families);

/// Specs that promise to stay in registers: a thread's items take at most 64 of them.
const IN_REGISTERS: [&str; 25] = [
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
    "block_bitonic_sort_u32_keys_b128_i4_asc",
    "block_bitonic_sort_u32_keys_b128_i16_asc",
    "block_bitonic_sort_u32_keys_b256_i8_asc",
    "block_bitonic_sort_u32_keys_b512_i16_asc",
    "block_bitonic_sort_f32_u32_b256_i8_asc",
    "block_bitonic_sort_f32_u32_b512_i16_asc",
    "block_bitonic_sort_f32_u32_b128_i8_desc_stable",
    "block_bitonic_sort_u64_keys_b512_i16_asc",
    "block_bitonic_sort_f16_u128_b100_i6_asc",
    "block_bitonic_sort_i8_index_b96_i7_desc",
    "block_merge_sort_f32_u32_b128_i4_asc",
    "block_merge_sort_f32_u32_b256_i16_asc",
    "block_merge_sort_u64_keys_b512_i16_asc",
    "block_merge_sort_u16_u128_b100_i7_desc",
];

/// The ends of the kernels' names.
const KERNELS: [&str; 2] = ["tile", "rows"];

/// The shuffles in a kernel's PTX.
fn shuffles_of(ptx: &str, kernel: &str) -> Option<usize> {
    let mut entries = ptx.split(".entry ").skip(1);
    let text = entries.find(|it| it.split('(').next().is_some_and(|it| it.trim() == kernel))?;
    Some(text.lines().filter(|line| line.contains("shfl.sync")).count())
}

/// As its plan says.
fn planned_shuffles(spec: &SortSpec) -> usize {
    let of_warp = WarpPlan::of(spec).map(|plan| plan.tile_shuffles());
    let of_block = || ComparisonPlan::of(spec).map(|plan| plan.shuffles());
    of_warp.or_else(of_block).expect("a network") as usize
}

#[test]
fn networks_stay_in_registers_and_shuffle_as_planned() {
    let Some(nvrtc) = loaded_nvrtc("registers of networks") else { return };
    // The same kernels on the oldest architecture, but those that take the compiler long.
    let is_small = |spec: &SortSpec| spec.items <= 8;
    let products: Vec<Product<Option<usize>>> = IN_REGISTERS
        .iter()
        .map(|name| parsed(name))
        .flat_map(|spec| [90, 75].map(|arch| (spec, arch)))
        .filter(|(spec, arch)| *arch == 90 || is_small(spec))
        .map(|(spec, arch)| Product {
            name: spec.to_string(),
            text: header(&spec),
            options: options_for(&spec, arch, Format::Cubin),
            expected: (arch == 90).then(|| planned_shuffles(&spec)),
        })
        .collect();
    let label = "networks_stay_in_registers_and_shuffle_as_planned";
    prove_all(&format!("networks::{label}"), label, &products, |product| {
        let Product { name: spec, text, options, expected } = product;
        let kernels = product.compiled(&nvrtc)?.resources();
        let kernels = kernels.map_err(|error| format!("{spec}: {error}"))?;
        let arch = options.arch;
        for name in KERNELS.map(|kernel| format!("{spec}_{kernel}")) {
            let kernel = kernels.get(&name).ok_or_else(|| format!("no {name}"))?;
            if !kernel.is_free_of_local_memory() {
                return Err(format!("{name}, sm_{arch}: {kernel:?}"));
            }
        }
        let Some(planned) = *expected else { return Ok(()) };
        let as_ptx = CompileOptions { format: Format::Ptx, ..options.clone() };
        let ptx = compile_with(&nvrtc, spec, text, &as_ptx)?.image;
        let ptx = String::from_utf8_lossy(&ptx);
        for name in KERNELS.map(|kernel| format!("{spec}_{kernel}")) {
            let shuffles = shuffles_of(&ptx, &name).ok_or_else(|| format!("no {name} in PTX"))?;
            if shuffles != planned {
                return Err(format!("{name}, sm_{arch}: {shuffles} shuffles, and not {planned}"));
            }
        }
        Ok(())
    });
}
