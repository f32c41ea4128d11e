//! Every golden and fresh specs through the runtime compiler.

use std::fs;
use std::path::Path;
use std::time::Instant;

use sortsmith_codegen::toolchain::{CompileOptions, Format, Nvrtc, Source};
use sortsmith_codegen::{SortSpec, TileOption};
use sortsmith_testkit::seed::{self, Seed};

use super::proofs::{Product, prove_all};
use super::{Effort, compile, for_all, fresh_specs, header, loaded_nvrtc, options_by_effort};

/// The architectures that every header compiles for.
pub const ARCHS: [u32; 5] = [75, 80, 90, 100, 120];

/// Every spec for every architecture: they go round, and with them the one that has all of the compiler's effort.
pub fn products(nvrtc: &Nvrtc, specs: Vec<(SortSpec, String)>) -> Vec<Product<SortSpec>> {
    let with_archs =
        |(spec, text): (SortSpec, String)| ARCHS.map(|arch| (spec, text.clone(), arch));
    let numbered = specs.into_iter().flat_map(with_archs).enumerate();
    let product = |(number, (spec, text, arch)): (usize, (SortSpec, String, u32))| {
        let effort = Effort::of(number + number / ARCHS.len());
        let options = options_by_effort(nvrtc, &spec, arch, effort);
        Product { name: spec.to_string(), text, options, expected: spec }
    };
    numbered.map(product).collect()
}

/// Compiles every spec for every architecture.
pub fn compile_products(
    nvrtc: &Nvrtc,
    test: &str,
    specs: Vec<(SortSpec, String)>,
    again: impl Fn(&SortSpec) -> String + Sync,
) {
    for_all(test, &products(nvrtc, specs), |product| {
        let compiled = product.compiled(nvrtc).map(drop);
        compiled.map_err(|error| format!("{error}{}", again(&product.expected)))
    });
}

#[test]
fn goldens() {
    let Some(nvrtc) = loaded_nvrtc("goldens through NVRTC") else { return };
    let Ok(folder) = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")) else {
        eprintln!("left out: goldens: the folder is not there");
        return;
    };
    let mut goldens: Vec<(SortSpec, String)> = folder
        .flatten()
        .filter_map(|file| {
            // Other headers of the folder include those of specs.
            let spec = file.path().file_stem()?.to_str()?.parse().ok()?;
            Some((spec, fs::read_to_string(file.path()).ok()?))
        })
        .collect();
    // By names: the compiler has its full effort for the same texts each time.
    goldens.sort_by_key(|(spec, _)| spec.to_string());
    assert!(!goldens.is_empty(), "no golden is named after a spec");
    let products = products(&nvrtc, goldens);
    prove_all("nvrtc::goldens", "goldens", &products, |it| it.compiled(&nvrtc).map(drop));
}

#[test]
fn fresh() {
    let count = if seed::is_deep() { 600 } else { 200 };
    let Some(nvrtc) = loaded_nvrtc(&format!("{count} fresh specs through NVRTC")) else { return };
    let seed = Seed::from_env();
    eprintln!("fresh: {}={}", seed::SEED_VARIABLE, seed.0);
    let specs =
        fresh_specs(seed, "fresh", count).into_iter().map(|spec| (spec, header(&spec))).collect();
    let start = Instant::now();
    compile_products(&nvrtc, "fresh", specs, |spec| {
        format!("\n  again: {}", seed.replay("compilers", "fresh", &spec.to_string()))
    });
    eprintln!("fresh: {} s", start.elapsed().as_secs());
}

/// Calls every overload of every member, but for those that the kernels call.
pub fn kernel_of_all_members(spec: &SortSpec, text: &str) -> String {
    let mut calls = String::new();
    let declared = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("__device__ __forceinline__ void Sort"));
    let of_kernels = |line: &&str| line.starts_with("Tile(") || line.starts_with("Row(");
    for line in declared.filter(|line| !of_kernels(line)) {
        let (name, parameters) = line.split_once('(').unwrap_or_default();
        let parameters = parameters.split_once(')').unwrap_or_default().0;
        let arguments: Vec<&str> = parameters
            .split(", ")
            .map(|parameter| parameter.rsplit([' ', '&']).next().unwrap_or_default())
            .collect();
        calls +=
            &["  sort.Sort", name, "(", &arguments.join(", "), ");\n  __syncthreads();\n"].concat();
    }
    assert!(calls.lines().count() >= 8, "{spec}: {calls}");
    let make = if spec.algorithm.family().has(TileOption::Lanes) {
        "Sort sort;"
    } else {
        "extern __shared__ __align__(16) unsigned char bytes[];\n  \
         Sort sort(*reinterpret_cast<Sort::TempStorage*>(bytes));"
    };
    format!(
        "{text}\nextern \"C\" __global__ void all_members(sortsmith::{spec}::Key* in, sortsmith::{spec}::Value* with, \
         int begin_bit, int end_bit, int valid_items) {{\n\
         \x20 using Sort = sortsmith::{spec};\n\
         \x20 {make}\n\
         \x20 Sort::Key keys[Sort::kItemsPerThread];\n\
         \x20 Sort::Value values[Sort::kItemsPerThread];\n\
         \x20 for (int i = 0; i < Sort::kItemsPerThread; ++i) {{ keys[i] = in[i]; values[i] = with[i]; }}\n\
         {calls}\
         \x20 for (int i = 0; i < Sort::kItemsPerThread; ++i) {{ in[i] = keys[i]; with[i] = values[i]; }}\n}}\n"
    )
}

#[test]
fn all_members_and_overloads() {
    let Some(nvrtc) = loaded_nvrtc("all members and overloads through NVRTC") else { return };
    let seed = Seed::from_env();
    eprintln!("all_members_and_overloads: {}={}", seed::SEED_VARIABLE, seed.0);
    let specs = fresh_specs(seed, "all_members_and_overloads", 30);
    for_all("all_members_and_overloads", &specs, |spec| {
        let text = kernel_of_all_members(spec, &header(spec));
        compile(&nvrtc, spec, &text, 90, Format::Ptx).map(drop).map_err(|error| {
            format!(
                "{error}\n  again: {}",
                seed.replay("compilers", "all_members_and_overloads", &spec.to_string())
            )
        })
    });
}

#[test]
fn a_header_included_by_name_with_no_include_path() {
    let Some(nvrtc) = loaded_nvrtc("an included header through NVRTC") else { return };
    let spec: SortSpec = "block_radix_sort_i32_u64_b96_i5_r5_asc".parse().expect("legal");
    let text = "#include \"sort.cuh\"\n#include \"sort.cuh\"\n";
    let headers = [("sort.cuh", &*header(&spec))];
    let source = Source { headers: &headers, ..Source::new("program.cu", text) };
    let compiled = nvrtc
        .compile(&source, &CompileOptions::new(90, Format::Ptx))
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(compiled.log, "");
    assert!(String::from_utf8_lossy(&compiled.image).contains(&format!(".entry {spec}_tile(")));
}
