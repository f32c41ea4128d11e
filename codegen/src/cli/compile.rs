//! `sortsmith compile`, and compiling a tile kernel for `explain`.

use std::fs;
use std::path::Path;

use sortsmith_codegen::dispatch::KernelSpec;
use sortsmith_codegen::emit::{EmitError, Named, folder};
use sortsmith_codegen::toolchain::{
    self, CompileOptions, Compiled, Format, Nvrtc, Source, Toolchain, ToolchainError,
};
use sortsmith_codegen::{Arch, Family, SortSpec, Token};

use super::args::{CompileArgs, FormatArg};
use super::failure::Failure;
use super::{output, progress};

pub fn run(args: &CompileArgs) -> Result<(), Failure> {
    let kernels = if Named::claims(&args.name) {
        Kernels::of_named(args.name.parse()?)?
    } else {
        Kernels::of_tile(args.name.parse()?)?
    };
    check_shared_memory(&args.name, kernels.shared_bytes, args.arch)?;
    let is_in_the_way = |bytes: Vec<u8>| !is_ours(&bytes, args.format);
    if !args.force && fs::read(&args.out).is_ok_and(is_in_the_way) {
        return Err(EmitError::Foreign { path: args.out.clone() }.into());
    }
    let toolchain = Toolchain::find();
    let nvrtc = Nvrtc::load(&toolchain)?;
    let format = match args.format {
        FormatArg::Ptx => Format::Ptx,
        FormatArg::Cubin => Format::Cubin,
    };
    let compiled = compile(&toolchain, &nvrtc, &kernels, args.arch, format)?;
    let image = match args.format {
        FormatArg::Ptx => [ptx_mark(&args.name).as_bytes(), &compiled.image].concat(),
        FormatArg::Cubin => compiled.image,
    };
    write(&args.out, &image)?;
    output::note(&format!(
        "{}: {} of {} for {}, {} bytes; {} bytes of shared memory a block",
        args.out.display(),
        args.format.word(),
        kernels.what(),
        args.arch,
        image.len(),
        kernels.shared_bytes
    ));
    Ok(())
}

/// What can be compiled.
pub struct Kernels {
    /// The name of the spec.
    name: String,
    /// The source.
    text: String,
    /// The header of CUDA's that it needs.
    needs: Option<&'static str>,
    /// The shared memory of a block.
    shared_bytes: u32,
    /// Whether the tile kernel is all that there is.
    is_tile: bool,
}

impl Kernels {
    /// The tile kernel of a block sort.
    pub fn of_tile(spec: SortSpec) -> Result<Self, Failure> {
        let kernel = KernelSpec::Tile(spec);
        Ok(Self {
            name: spec.to_string(),
            text: kernel.source()?,
            needs: spec.key.info().header,
            shared_bytes: kernel.shared_bytes(),
            is_tile: true,
        })
    }

    /// A spec on arrays.
    pub fn of_named(named: Named) -> Result<Self, Failure> {
        Ok(Self {
            name: named.to_string(),
            text: named.header()?,
            needs: named.cuda_header(),
            shared_bytes: named.shared_bytes(),
            is_tile: false,
        })
    }

    /// What is compiled: the one kernel, or those of a spec.
    fn what(&self) -> String {
        let name = &self.name;
        if self.is_tile { format!("{name}_tile") } else { format!("the kernels of {name}") }
    }
}

/// Compiles kernels. One that does not compile is kept, with the log.
pub fn compile(
    toolchain: &Toolchain,
    nvrtc: &Nvrtc,
    Kernels { name: spec, text, needs, .. }: &Kernels,
    arch: Arch,
    format: Format,
) -> Result<Compiled, Failure> {
    let file = format!("{spec}.cu");
    let mut options = CompileOptions::new(arch.capability(), format);
    if let Some(header) = needs {
        if toolchain.include_dirs.is_empty() {
            return Err(Failure::request(format!(
                "{spec} needs {header}, and no CUDA toolkit with headers was found"
            )));
        }
        options.include_dirs.clone_from(&toolchain.include_dirs);
    }
    let spinner = progress::spinner(format!("compiling {spec} for {arch}"));
    let compiled = nvrtc.compile(&Source::new(&file, text), &options);
    spinner.finish_and_clear();
    compiled.map_err(|error| match error {
        ToolchainError::Compile { log, .. } => match toolchain::keep_source(&file, text, &log) {
            Ok(folder) => Failure::request(format!(
                "{spec} does not compile for {arch}; source and log are in {}",
                folder.display()
            )),
            Err(_) => Failure::request(format!("{spec} does not compile for {arch}: {log}")),
        },
        error => error.into(),
    })
}

fn check_shared_memory(spec: &str, needed: u32, arch: Arch) -> Result<(), Failure> {
    let limit = arch.max_shared_bytes();
    if needed <= limit {
        return Ok(());
    }
    let roomy: Vec<String> = Arch::all()
        .filter(|arch| arch.max_shared_bytes() >= needed)
        .map(|arch| arch.to_string())
        .collect();
    Err(Failure::request(format!(
        "{spec} needs {needed} bytes of shared memory, and a block of {arch} has at most {limit}; legal: {}",
        roomy.join(", ")
    )))
}

/// PTX says in its first lines where it is from, as headers do.
fn ptx_mark(spec: &str) -> String {
    format!("// {}{} from {spec}\n", sortsmith_codegen::emit::MARK, env!("CARGO_PKG_VERSION"))
}

/// Whether a file may be overwritten: PTX with our mark, or a cubin that has one of our kernels.
fn is_ours(bytes: &[u8], format: FormatArg) -> bool {
    let has = |text: String| bytes.windows(text.len()).any(|found| found == text.as_bytes());
    match format {
        FormatArg::Ptx => folder::is_ours(bytes),
        FormatArg::Cubin => {
            bytes.starts_with(b"\x7fELF")
                && (Named::PREFIXES.iter().any(|it| has(format!(".text.{it}")))
                    || Family::table()
                        .iter()
                        .any(|(family, _)| has(format!(".text.{}_", family.prefix()))))
        }
    }
}

fn write(path: &Path, image: &[u8]) -> Result<(), Failure> {
    if fs::read(path).is_ok_and(|bytes| bytes == image) {
        return Ok(());
    }
    Ok(folder::write_file(path, image)?)
}
