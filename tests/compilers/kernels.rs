//! Families that work on arrays and are no device-wide sort of one: quiet for every architecture, quiet on the host, and without local memory.

use std::fs;

use sortsmith_codegen::registry::Named;
use sortsmith_codegen::toolchain::{CompileOptions, Nvcc};
use sortsmith_testkit::kernel_families::KernelFacts;

use super::nvrtc::ARCHS;
use super::proofs::{Product, prove_all, prove_quiet};
use super::{Effort, for_all, found, loaded_nvrtc, nvcc, toolchain};

macro_rules! families {
    ($($(#[$doc:meta])* $variant:ident $folder:ident::$spec:ident $name:ident;)*) => {
        $(
            mod $name {
                use sortsmith_codegen::$folder::$spec as Spec;

                #[test]
                fn kernels() {
                    let test = concat!("kernels::", stringify!($name), "::kernels");
                    super::assert_no_local_memory::<Spec>(test);
                }

                #[test]
                fn headers_are_quiet() {
                    let test = concat!("kernels::", stringify!($name), "::headers_are_quiet");
                    super::assert_quiet::<Spec>(test);
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

fn assert_no_local_memory<S: KernelFacts>(test: &str) {
    let specs = S::compiled_set();
    let left_out = format!("{} of {} through NVRTC", specs.len(), S::FOLDER);
    let Some(nvrtc) = loaded_nvrtc(&left_out) else { return };
    let with_archs = specs.into_iter().flat_map(|spec| ARCHS.map(|arch| (spec, arch)));
    let product = |(number, (spec, arch)): (usize, (S, u32))| {
        // Each spec for one of the architectures as programs are compiled, which go round: only then do registers count.
        let effort = Effort::of(number + number / ARCHS.len());
        let mut options = CompileOptions::new(arch, effort.format());
        if named(&spec).cuda_header().is_some() {
            options.include_dirs.clone_from(&toolchain().include_dirs);
        }
        options.extra = effort.options(nvrtc.version());
        let symbols = if effort == Effort::Full { spec.symbols() } else { Vec::new() };
        Product { name: spec.to_string(), text: header(&spec), options, expected: symbols }
    };
    let products: Vec<Product<Vec<String>>> = with_archs.enumerate().map(product).collect();
    prove_all(test, S::FOLDER, &products, |product| {
        let compiled = product.compiled(&nvrtc)?;
        if product.expected.is_empty() {
            return Ok(());
        }
        let kernels = compiled.resources().map_err(|error| format!("{}: {error}", product.name))?;
        let arch = product.options.arch;
        product.expected.iter().try_for_each(|symbol| match kernels.get(symbol) {
            Some(kernel) if kernel.is_free_of_local_memory() => Ok(()),
            other => Err(format!("{symbol}, sm_{arch}: {other:?}")),
        })
    });
}

fn assert_quiet<S: KernelFacts>(test: &str) {
    let specs = S::covering_set();
    let left_out = format!("{} of {} through nvcc", specs.len(), S::FOLDER);
    let Some(nvcc) = found(Nvcc::new(toolchain()), &left_out) else { return };
    // All of them in one file, each twice, and all kernels named.
    let (mut texts, mut all) = (Vec::new(), String::new());
    for spec in specs {
        texts.push((format!("{spec}.cuh"), header(&spec)));
        all += &format!("#include \"{spec}.cuh\"\n").repeat(2);
        for symbol in spec.symbols() {
            all += &["void name_", &symbol, "() { (void)", &symbol, "; }\n"].concat();
        }
    }
    texts.push(("all.cu".to_owned(), all));
    prove_quiet(test, &nvcc, &texts, || {
        let folder = nvcc::folder(S::FOLDER);
        for (name, text) in &texts {
            nvcc::write(&folder.join(name), text);
        }
        for_all(S::FOLDER, &["all.cu"], |file| nvcc::compile(&nvcc, &folder, file, 90));
        // A left-over folder is in the target folder.
        let _ = fs::remove_dir_all(folder);
    });
}
