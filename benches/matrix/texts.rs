//! How long it takes to make a kernel: its text, and machine code of that.

use criterion::Criterion;
use sortsmith::device::{self, Options, SortSpec};
use sortsmith_codegen::toolchain::{CompileOptions, Format, Nvrtc, Source, Toolchain};

/// What is compiled for, whatever GPU is there: figures of different machines are of the same work.
const ARCH: u32 = 90;

/// Measures rendering, and NVRTC where it is found.
pub fn measure(criterion: &mut Criterion, specs: &[SortSpec]) -> Result<(), String> {
    let text = |spec: &SortSpec| {
        let text = device::header_with(spec, Options { tile_kernel: true, ..Default::default() });
        text.map_err(|error| format!("{spec}: {error}"))
    };
    let texts = specs.iter().map(text).collect::<Result<Vec<String>, _>>()?;
    let mut group = criterion.benchmark_group("render");
    for spec in specs {
        group.bench_function(spec.to_string(), |bencher| {
            bencher.iter(|| text(spec).map_or(0, |text| text.len()));
        });
    }
    group.finish();

    let nvrtc = match Nvrtc::load(&Toolchain::find()) {
        Ok(nvrtc) => nvrtc,
        Err(error) => {
            println!("left out: {} compilations: {error}", specs.len());
            return Ok(());
        }
    };
    let (major, minor) = nvrtc.version();
    println!("NVRTC {major}.{minor}, to sm_{ARCH}");
    let options = CompileOptions::new(ARCH, Format::Cubin);
    let mut group = criterion.benchmark_group("compile");
    for (spec, text) in specs.iter().zip(&texts) {
        let name = spec.to_string();
        let source = Source::new(&name, text);
        nvrtc.compile(&source, &options).map_err(|error| error.to_string())?;
        group.bench_function(&name, |bencher| {
            bencher.iter(|| nvrtc.compile(&source, &options).map_or(0, |it| it.image.len()));
        });
    }
    group.finish();
    Ok(())
}
