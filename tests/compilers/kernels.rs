//! Families that work on arrays and are no device-wide sort of one: quiet for every architecture, quiet on the host, and without local memory.

use std::fs;

use sortsmith_codegen::registry::Named;
use sortsmith_codegen::toolchain::{CompileOptions, Nvcc};
use sortsmith_testkit::kernel_families::KernelFacts;

use super::nvrtc::ARCHS;
use super::{Effort, compile_with, for_all, found, loaded_nvrtc, nvcc, toolchain};

macro_rules! families {
    ($($(#[$doc:meta])* $variant:ident $folder:ident::$spec:ident $name:ident;)*) => {
        $(
            mod $name {
                use sortsmith_codegen::$folder::$spec as Spec;

                #[test]
                fn kernels() {
                    super::assert_no_local_memory::<Spec>();
                }

                #[test]
                fn headers_are_quiet() {
                    super::assert_quiet::<Spec>();
                }
            }
        )*
    };
}
sortsmith_codegen::kernel_families!(families);

fn named(spec: &impl KernelFacts) -> Named {
    spec.to_string().parse().unwrap_or_else(|error| panic!("{error}"))
}

fn header(spec: &impl KernelFacts) -> String {
    named(spec).header().unwrap_or_else(|error| panic!("{spec}: {error}"))
}

fn assert_no_local_memory<S: KernelFacts>() {
    let specs = S::compiled_set();
    let left_out = format!("{} of {} through NVRTC", specs.len(), S::FOLDER);
    let Some(nvrtc) = loaded_nvrtc(&left_out) else { return };
    let products = specs.into_iter().flat_map(|spec| ARCHS.map(|arch| (spec, arch)));
    let products: Vec<(usize, (S, u32))> = products.enumerate().collect();
    for_all(S::FOLDER, &products, |(number, (spec, arch))| {
        // Each spec for one of the architectures as programs are compiled, which go round: only then do registers count.
        let effort = Effort::of(number + number / ARCHS.len());
        let mut options = CompileOptions::new(*arch, effort.format());
        if named(spec).cuda_header().is_some() {
            options.include_dirs.clone_from(&toolchain().include_dirs);
        }
        options.extra = effort.options(nvrtc.version());
        let compiled = compile_with(&nvrtc, &spec.to_string(), &header(spec), &options)?;
        if effort == Effort::Little {
            return Ok(());
        }
        let kernels = compiled.resources().map_err(|error| format!("{spec}: {error}"))?;
        spec.symbols().into_iter().try_for_each(|symbol| match kernels.get(&symbol) {
            Some(kernel) if kernel.is_free_of_local_memory() => Ok(()),
            other => Err(format!("{symbol}, sm_{arch}: {other:?}")),
        })
    });
}

fn assert_quiet<S: KernelFacts>() {
    let specs = S::covering_set();
    let left_out = format!("{} of {} through nvcc", specs.len(), S::FOLDER);
    let Some(nvcc) = found(Nvcc::new(toolchain()), &left_out) else { return };
    let folder = nvcc::folder(S::FOLDER);
    // All of them in one file, each twice, and all kernels named.
    let mut text = String::new();
    for spec in specs {
        nvcc::write(&folder.join(format!("{spec}.cuh")), &header(&spec));
        text += &format!("#include \"{spec}.cuh\"\n").repeat(2);
        for symbol in spec.symbols() {
            text += &["void name_", &symbol, "() { (void)", &symbol, "; }\n"].concat();
        }
    }
    nvcc::write(&folder.join("all.cu"), &text);
    for_all(S::FOLDER, &["all.cu"], |file| nvcc::compile(&nvcc, &folder, file, 90));
    // A left-over folder is in the target folder.
    let _ = fs::remove_dir_all(folder);
}
