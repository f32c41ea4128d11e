//! From specs to programs.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::{Display, Write as _};
use std::fs::DirEntry;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{env, fs, io};

use sortsmith_codegen::device::{self, ArgumentField, Arguments, Device, DeviceSpec, Kernel};
use sortsmith_codegen::{SortSpec, render};

use super::source_dir;
use super::supplied::supplied_parts;
use crate::device_families::facts;
use crate::kernel_families::FOLDERS;

/// The emulator's own sources, beside the drivers that families have of their own.
const SOURCES: [&str; 5] = ["emulator", "instrument", "protocol", "driver", "device_driver"];

/// How a program is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flavour {
    /// Fast to compile and to run, with a race detector that a request may enable.
    Plain,
    /// The same for a few short runs, those of mutants: compiled as fast as can be.
    Brief,
    /// With the address and undefined-behaviour sanitizers.
    Sanitized,
}

impl Flavour {
    /// Additional options for generated code. Calls at each access lead to the emulator's own detector, not to the
    /// thread sanitizer, and lines are for its messages.
    fn flags_of_kernels(self, kind: Kind) -> Vec<&'static str> {
        if self == Self::Sanitized {
            return Vec::new();
        }
        let runs_long = self == Self::Plain && kind.runs_longer_than_it_compiles();
        let optimization = if runs_long { "-O1" } else { "-Og" };
        let races = ["-fsanitize=thread", "--param", "tsan-instrument-func-entry-exit=0"];
        [optimization, "-g1", "-fno-exceptions"].into_iter().chain(races).collect()
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Plain | Self::Brief => &["-O1"],
            // Null pointers are address errors anyway. The check of its own asks whether the address of the shared memory,
            // which is a thread's own, is null, by flags that the linker's shorter code for that address does not set.
            Self::Sanitized => &[
                "-O1",
                "-g1",
                "-fsanitize=address,undefined",
                "-fno-sanitize=null",
                "-fno-sanitize-recover=all",
            ],
        }
    }

    fn folder(self) -> &'static str {
        match self {
            // The emulator's own objects are the same.
            Self::Plain | Self::Brief => "plain",
            Self::Sanitized => "sanitized",
        }
    }
}

/// Which driver serves a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// That of sorts by one block.
    Block,
    /// The driver of device-wide sorts.
    Device(DeviceSpec),
    /// That in the folder of a family.
    Family(&'static str),
}

impl Kind {
    fn runs_longer_than_it_compiles(self) -> bool {
        match self {
            Self::Device(spec) => facts(spec.algorithm).runs_longer_than_it_compiles(),
            Self::Block | Self::Family(_) => false,
        }
    }

    /// The driver's header.
    fn driver(self) -> String {
        match self {
            Self::Block => "driver.hpp".to_owned(),
            Self::Device(_) => "device_driver.hpp".to_owned(),
            Self::Family(folder) => format!("families/{folder}/driver.hpp"),
        }
    }
}

/// A header to run, and the structure in it.
#[derive(Clone, Debug)]
pub struct Member {
    /// Which driver serves it.
    pub kind: Kind,
    /// The structure's name, and the stem of its kernels'.
    pub name: String,
    /// The header.
    pub header: String,
}

impl Member {
    /// A spec's header as it is generated, with the kernels of tiles and rows.
    pub fn of(spec: &SortSpec) -> Result<Self, render::RenderError> {
        let options = render::Options { tile_kernel: true, rows_kernel: true };
        let header = render::header(spec, options)?;
        Ok(Self { kind: Kind::Block, name: spec.to_string(), header })
    }

    /// The header of a device-wide sort as it is generated.
    pub fn of_device(spec: &DeviceSpec) -> Result<Self, render::RenderError> {
        Ok(Self {
            kind: Kind::Device(*spec),
            name: spec.to_string(),
            header: device::header(spec)?,
        })
    }

    /// The header of a spec of a family with a driver in its folder.
    pub(crate) fn of_family(folder: &'static str, spec: &impl Display, header: String) -> Self {
        Self { kind: Kind::Family(folder), name: spec.to_string(), header }
    }
}

/// A program could not be made.
#[derive(Debug)]
pub enum BuildError {
    /// A file or process failed.
    Io(String, io::Error),
    /// The compiler rejected a source.
    Compile {
        /// The command line.
        command: String,
        /// Its output.
        output: String,
    },
}

impl Display for BuildError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(action, error) => write!(f, "{action}: {error}"),
            Self::Compile { command, output } => write!(f, "`{command}` failed:\n{output}"),
        }
    }
}

impl std::error::Error for BuildError {}

/// A program that runs some headers; its files are removed with it.
#[derive(Debug)]
pub struct Batch {
    /// The executable.
    pub program: PathBuf,
    folder: PathBuf,
}

impl Drop for Batch {
    fn drop(&mut self) {
        // A file that cannot be removed is overwritten by the next run.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The host's C++ compiler with the emulator's own objects.
pub struct Compiler {
    cxx: OsString,
    /// Of this compiler alone.
    folder: PathBuf,
    /// Of all, for the emulator's own objects: they are compiled once for each flavour and each state of their sources.
    shared: PathBuf,
}

impl Compiler {
    /// The compiler that `CXX` names, else g++. Objects and programs go to a folder of this compiler's own in `folder`:
    /// the tests of a process run side by side, and each removes its folder when it is done.
    pub fn new(folder: &Path) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Self {
            cxx: env::var_os("CXX").unwrap_or_else(|| "g++".into()),
            folder: folder.join(format!("{}-{number}", std::process::id())),
            shared: folder.to_path_buf(),
        }
    }

    /// One program that runs all these headers, which are of one kind.
    pub fn build(
        &self,
        label: &str,
        members: &[Member],
        flavour: Flavour,
    ) -> Result<Batch, BuildError> {
        let objects = self.runtime(flavour)?;
        let folder = self.folder.join(flavour.folder()).join(label);
        make_folder(&folder)?;
        let batch = Batch { program: folder.join("program"), folder: folder.clone() };
        for member in members {
            write(&folder.join(format!("{}.cuh", member.name)), &member.header)?;
        }
        let main = folder.join("main.cpp");
        write(&main, &main_source(members))?;
        let kind = members.first().map_or(Kind::Block, |member| member.kind);
        self.link(&batch.program, &main, &objects, &flavour.flags_of_kernels(kind), flavour)?;
        Ok(batch)
    }

    /// One of the emulator's own tests that are instrumented as kernels are, which is a program by itself.
    pub fn build_test(&self, source: &str) -> Result<Batch, BuildError> {
        let flavour = Flavour::Plain;
        let flags = flavour.flags_of_kernels(Kind::Block);
        let objects = self.runtime(flavour)?;
        let folder = self.folder.join(source);
        make_folder(&folder)?;
        let batch = Batch { program: folder.join("program"), folder };
        let source = source_dir().join(source).with_extension("cpp");
        self.link(&batch.program, &source, &objects, &flags, flavour)?;
        Ok(batch)
    }

    /// Compiles one source of kernels, and links it.
    fn link(
        &self,
        program: &Path,
        source: &Path,
        objects: &[PathBuf],
        flags: &[&str],
        flavour: Flavour,
    ) -> Result<(), BuildError> {
        // Two commands, for with the flags of the first one the compiler would link a library of its own.
        let object = program.with_extension("o");
        let mut command = self.command(flavour);
        command.args(flags).arg("-c").arg("-o").arg(&object).arg(source);
        run(&mut command)?;
        let mut command = self.command(flavour);
        command.arg("-o").arg(program).arg(&object).args(objects).arg("-lpthread");
        run(&mut command)
    }

    /// The emulator's own objects.
    fn runtime(&self, flavour: Flavour) -> Result<Vec<PathBuf>, BuildError> {
        // The tests of a process wait for the first of them; of several processes the first that is done wins.
        static COMPILING: Mutex<()> = Mutex::new(());
        let _compiling = COMPILING.lock().unwrap_or_else(PoisonError::into_inner);
        let name = format!("{}-{:016x}", flavour.folder(), self.fingerprint(flavour)?);
        let folder = self.shared.join(name);
        let of_families = FOLDERS.iter().map(|folder| format!("families/{folder}/driver"));
        let sources: Vec<String> =
            SOURCES.map(str::to_owned).into_iter().chain(of_families).collect();
        let object = |folder: &Path, source: &String| {
            folder.join(source.replace('/', "-")).with_extension("o")
        };
        if !folder.is_dir() {
            let own = self.folder.join("runtime");
            make_folder(&own)?;
            for source in &sources {
                let mut command = self.command(flavour);
                command.args(["-O2", "-c", "-o"]).arg(object(&own, source));
                run(command.arg(source_dir().join(source).with_extension("cpp")))?;
            }
            if let Err(error) = fs::rename(&own, &folder)
                && !folder.is_dir()
            {
                return Err(BuildError::Io(folder.display().to_string(), error));
            }
        }
        Ok(sources.iter().map(|source| object(&folder, source)).collect())
    }

    /// Of the sources of the emulator's own objects, and of the compiler.
    fn fingerprint(&self, flavour: Flavour) -> Result<u64, BuildError> {
        let mut hasher = DefaultHasher::new();
        let version = Command::new(&self.cxx).arg("--version").output();
        let version = version
            .map_err(|error| BuildError::Io(self.cxx.to_string_lossy().into_owned(), error))?;
        (&self.cxx, version.stdout, flavour.flags()).hash(&mut hasher);
        let of_families = FOLDERS.iter().map(|folder| source_dir().join("families").join(folder));
        let own = ["", "emulator", "include"].map(|folder| source_dir().join(folder));
        for folder in own.into_iter().chain(of_families) {
            let failed = |error| BuildError::Io(folder.display().to_string(), error);
            let entries: io::Result<Vec<_>> = fs::read_dir(&folder).map_err(failed)?.collect();
            let mut paths: Vec<_> = entries.map_err(failed)?.iter().map(DirEntry::path).collect();
            paths.retain(|path| path.extension().is_some_and(|it| it == "cpp" || it == "hpp"));
            paths.sort();
            for path in paths {
                let text = fs::read(&path);
                let failed = |error| BuildError::Io(path.display().to_string(), error);
                (&path, text.map_err(failed)?).hash(&mut hasher);
            }
        }
        Ok(hasher.finish())
    }

    fn command(&self, flavour: Flavour) -> Command {
        let mut command = Command::new(&self.cxx);
        command.arg("-std=c++17").args(flavour.flags());
        command.arg("-I").arg(source_dir()).arg("-I").arg(source_dir().join("include"));
        command
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn main_source(members: &[Member]) -> String {
    let driver = members.first().map_or(Kind::Block, |member| member.kind).driver();
    assert!(members.iter().all(|it| it.kind.driver() == driver), "a program has one driver");
    let mut source = String::from("#include <array>\n#include \"emulator.hpp\"\n");
    if members.iter().any(|it| matches!(it.kind, Kind::Device(_))) {
        let _ = writeln!(source, "#define {}", arguments());
    }
    let (mut table, families) = (String::new(), launches(members));
    for member in members {
        source += &supplied_parts(&member.header);
        let _ = writeln!(source, "#include \"{}.cuh\"", member.name);
        let _ = writeln!(table, "    {},", entry(member));
    }
    format!(
        "{source}#include \"{driver}\"\n{families}\nstatic const std::array kSpecs = {{\n{table}}};\n\
         int main() {{ return emulator::serve(kSpecs.data(), kSpecs.size()); }}\n"
    )
}

/// The arguments of device-wide sorts, of which `device_driver.hpp` makes its table.
fn arguments() -> String {
    let field = |ArgumentField { name, offset, .. }| format!("field({name}, {offset})");
    format!("SORTSMITH_ARGUMENTS(field) {}", Arguments::FIELDS.map(field).join(" "))
}

/// The member as the driver's table has it.
fn entry(Member { name, kind, .. }: &Member) -> String {
    match kind {
        Kind::Block => format!("SORTSMITH_SPEC_WITH_KERNELS({name})"),
        Kind::Device(spec) => {
            let table = kernels(spec)
                .map(|kernel| format!("SORTSMITH_DEVICE_KERNEL({name}, {})", kernel.suffix()))
                .collect::<Vec<_>>()
                .join(", ");
            let folder = spec.algorithm.prefix();
            format!("SORTSMITH_DEVICE_SPEC({folder}, {name}, {{{table}}})")
        }
        Kind::Family(_) => format!("SORTSMITH_KERNELS({name})"),
    }
}

/// What the driver knows of these members' families of device-wide sorts.
fn launches(members: &[Member]) -> String {
    let folder_of = |member: &Member| match &member.kind {
        Kind::Device(spec) => Some(spec.algorithm.prefix()),
        Kind::Block | Kind::Family(_) => None,
    };
    let folders: BTreeSet<&str> = members.iter().filter_map(folder_of).collect();
    let include = |folder: &&str| format!("#include \"families/{folder}/launches.hpp\"\n");
    folders.iter().map(include).collect()
}

/// The kernels of a device-wide sort, as its program numbers them.
pub(super) fn kernels(spec: &DeviceSpec) -> impl Iterator<Item = Kernel> {
    // Which ones there are does not depend on the device.
    const ANY: Device = Device { multiprocessors: 1, shared_bytes_per_block: 0 };
    spec.kernels(ANY).into_iter().map(|block| block.kernel)
}

fn make_folder(path: &Path) -> Result<(), BuildError> {
    fs::create_dir_all(path).map_err(|error| BuildError::Io(path.display().to_string(), error))
}

fn write(path: &Path, text: &str) -> Result<(), BuildError> {
    fs::write(path, text).map_err(|error| BuildError::Io(path.display().to_string(), error))
}

fn run(command: &mut Command) -> Result<(), BuildError> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let output = command.output().map_err(|error| BuildError::Io(line.clone(), error))?;
    if output.status.success() {
        return Ok(());
    }
    Err(BuildError::Compile {
        command: line,
        output: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}
