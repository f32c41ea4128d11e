//! Sorts of segments: quiet for every architecture, quiet on the host, and without local memory.

use std::fs;

use sortsmith_codegen::segments::{self, SegmentKernel, SegmentSpec};
use sortsmith_codegen::toolchain::{CompileOptions, Format, Nvcc};
use sortsmith_codegen::{KeyType, Order, ValueType};

use super::nvrtc::ARCHS;
use super::{compile_with, for_all, found, loaded_nvrtc, nvcc, toolchain};

fn header(spec: SegmentSpec) -> String {
    segments::header(&spec).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

/// The shapes that are used where none is named, of keys and values of all widths.
fn specs() -> Vec<SegmentSpec> {
    let of = |(key, value): (KeyType, ValueType), order| SegmentSpec::of(key, value, order, true);
    let types = [
        (KeyType::U32, ValueType::None),
        (KeyType::F32, ValueType::U32),
        (KeyType::F64, ValueType::Index),
        (KeyType::I128, ValueType::U128),
        (KeyType::U8, ValueType::U64),
    ];
    types
        .into_iter()
        .zip([Order::Ascending, Order::Descending].iter().cycle())
        .map(|(types, order)| of(types, *order))
        .collect()
}

#[test]
fn segments() {
    let specs = specs();
    let left_out = format!("{} sorts of segments through NVRTC", specs.len());
    let Some(nvrtc) = loaded_nvrtc(&left_out) else { return };
    let products: Vec<(SegmentSpec, u32)> =
        specs.into_iter().flat_map(|spec| ARCHS.map(|arch| (spec, arch))).collect();
    for_all("segments", &products, |(spec, arch)| {
        let options = CompileOptions::new(*arch, Format::Cubin);
        let compiled = compile_with(&nvrtc, &spec.to_string(), &header(*spec), &options)?;
        let kernels = compiled.resources().map_err(|error| format!("{spec}: {error}"))?;
        SegmentKernel::ALL.into_iter().try_for_each(|kernel| {
            let symbol = format!("{spec}{}", kernel.suffix());
            match kernels.get(&symbol) {
                Some(used) if used.is_free_of_local_memory() => {
                    println!("{symbol}, sm_{arch}: {used:?}");
                    Ok(())
                }
                other => Err(format!("{symbol}, sm_{arch}: {other:?}")),
            }
        })
    });
}

#[test]
fn segment_headers_are_quiet() {
    let specs = specs();
    let left_out = format!("{} sorts of segments through nvcc", specs.len());
    let Some(nvcc) = found(Nvcc::new(toolchain()), &left_out) else { return };
    let folder = nvcc::folder("segments");
    // All of them in one file, each twice.
    let mut text = String::new();
    for spec in specs {
        nvcc::write(&folder.join(format!("{spec}.cuh")), &header(spec));
        let include = format!("#include \"{spec}.cuh\"\n");
        text += &[include.as_str(), &include].concat();
    }
    nvcc::write(&folder.join("segments.cu"), &text);
    for_all("segment_headers_are_quiet", &["segments.cu"], |file| {
        nvcc::compile(&nvcc, &folder, file, 90)
    });
    // A left-over folder is in the target folder.
    let _ = fs::remove_dir_all(folder);
}
