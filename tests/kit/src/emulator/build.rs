//! From specs to programs.

use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::fs::DirEntry;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{env, fs, io};

use super::source::{Member, PRELUDE, PRELUDE_FILE, main_source};
use super::source_dir;
use crate::cores;
use crate::kernel_families::FOLDERS;

/// The emulator's own sources, beside the drivers that families have of their own.
const SOURCES: [&str; 5] = ["emulator", "instrument", "protocol", "driver", "device_driver"];

/// How a program is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flavour {
    /// Fast to compile and to run, with a race detector that a request may enable.
    Plain,
    /// For a few short runs, those of mutants: compiled as fast as can be, without the race detector.
    Brief,
    /// The same as plain, with denormal numbers as inputs and results of floating-point instructions taken for zeros, as under `-use_fast_math`.
    FlushingDenormals,
    /// With the address and undefined-behaviour sanitizers.
    Sanitized,
}

impl Flavour {
    /// How code of this flavour is generated, that of kernels which run longer than they compile or of others.
    fn code(self, runs_long: bool) -> Code {
        match self {
            Self::Sanitized => Code::Sanitized,
            Self::Brief => Code::Unwatched,
            Self::Plain if runs_long => Code::Fast,
            Self::Plain | Self::FlushingDenormals => Code::SoonCompiled,
        }
    }

    /// All of it.
    fn codes(self) -> &'static [Code] {
        match self {
            Self::Sanitized => &[Code::Sanitized],
            Self::Plain | Self::Brief | Self::FlushingDenormals => {
                &[Code::Fast, Code::SoonCompiled, Code::Unwatched]
            }
        }
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Plain | Self::Brief | Self::FlushingDenormals => &["-O1"],
            // Null pointers are address errors anyway. The check of its own asks whether the address of the shared memory,
            // which is a thread's own, is null, by flags that the linker's shorter code for that address does not set.
            // It takes longer to compile than to run.
            Self::Sanitized => &[
                "-Og",
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
            Self::Plain | Self::Brief | Self::FlushingDenormals => "plain",
            Self::Sanitized => "sanitized",
        }
    }
}

/// How kernels are compiled, by options beside those of the flavour.
#[derive(Clone, Copy, Debug)]
enum Code {
    Fast,
    SoonCompiled,
    Unwatched,
    Sanitized,
}

impl Code {
    /// The options. Calls at each access lead to the emulator's own detector, not to the thread sanitizer, and lines are for its messages.
    fn flags(self) -> Vec<&'static str> {
        let races = ["-fsanitize=thread", "--param", "tsan-instrument-func-entry-exit=0"];
        let by = |optimization| [&[optimization, "-g1", "-fno-exceptions"], &races[..]].concat();
        match self {
            Self::Fast => by("-O1"),
            Self::SoonCompiled => by("-Og"),
            Self::Unwatched => vec!["-Og", "-fno-exceptions"],
            Self::Sanitized => Vec::new(),
        }
    }

    /// The folder of its prelude.
    fn folder(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::SoonCompiled => "soon",
            Self::Unwatched => "unwatched",
            Self::Sanitized => "sanitized",
        }
    }
}

/// The emulator's own code, compiled.
struct Runtime {
    objects: Vec<PathBuf>,
    folder: PathBuf,
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
        let folder = self.folder.join(flavour.folder()).join(label);
        make_folder(&folder)?;
        let batch = Batch { program: folder.join("program"), folder: folder.clone() };
        for member in members {
            write(&folder.join(format!("{}.cuh", member.name)), &member.header)?;
        }
        let main = folder.join("main.cpp");
        write(&main, &main_source(members))?;
        let runs_long =
            members.first().is_some_and(|member| member.kind.runs_longer_than_it_compiles());
        self.link(&batch.program, &main, flavour.code(runs_long), flavour)?;
        Ok(batch)
    }

    /// One of the emulator's own tests that are instrumented as kernels are, which is a program by itself.
    pub fn build_test(&self, source: &str) -> Result<Batch, BuildError> {
        let flavour = Flavour::Plain;
        let folder = self.folder.join(source);
        make_folder(&folder)?;
        let batch = Batch { program: folder.join("program"), folder };
        let source = source_dir().join(source).with_extension("cpp");
        self.link(&batch.program, &source, flavour.code(false), flavour)?;
        Ok(batch)
    }

    /// Compiles one source of kernels, and links it.
    fn link(
        &self,
        program: &Path,
        source: &Path,
        code: Code,
        flavour: Flavour,
    ) -> Result<(), BuildError> {
        let Runtime { objects, folder } = self.runtime(flavour)?;
        // Two commands, for with the flags of the first one the compiler would link a library of its own.
        let object = program.with_extension("o");
        let mut command = self.command(flavour);
        command.arg("-I").arg(folder.join(code.folder())).args(code.flags());
        command.arg("-c").arg("-o").arg(&object).arg(source);
        run(&mut command)?;
        let mut command = self.command(flavour);
        if flavour == Flavour::FlushingDenormals {
            // Of a linker it asks for the start of a program that flushes them, and for nothing else.
            command.arg("-ffast-math");
        }
        command.arg("-o").arg(program).arg(&object).args(objects).arg("-lpthread");
        run(&mut command)
    }

    /// The emulator's own code, which is compiled here if need be.
    fn runtime(&self, flavour: Flavour) -> Result<Runtime, BuildError> {
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
            let of_source = |source| {
                let mut command = self.command(flavour);
                command.args(["-O2", "-c", "-o"]).arg(object(&own, source));
                command.arg(source_dir().join(source).with_extension("cpp"));
                command
            };
            let of_prelude =
                |code: &Code| self.precompile(&own.join(code.folder()), *code, flavour);
            // Preludes first: they take longest.
            let preludes: Result<Vec<_>, _> = flavour.codes().iter().map(of_prelude).collect();
            let commands: Vec<_> =
                preludes?.into_iter().chain(sources.iter().map(of_source)).collect();
            run_all(commands)?;
            if let Err(error) = fs::rename(&own, &folder)
                && !folder.is_dir()
            {
                return Err(BuildError::Io(folder.display().to_string(), error));
            }
        }
        let objects = sources.iter().map(|source| object(&folder, source)).collect();
        Ok(Runtime { objects, folder })
    }

    /// The command that compiles what every program begins with.
    fn precompile(
        &self,
        folder: &Path,
        code: Code,
        flavour: Flavour,
    ) -> Result<Command, BuildError> {
        make_folder(folder)?;
        let text = folder.join(PRELUDE_FILE);
        write(&text, PRELUDE)?;
        let mut command = self.command(flavour);
        command.args(code.flags()).args(["-x", "c++-header", "-o"]);
        command.arg(text.with_extension("hpp.gch")).arg(&text);
        Ok(command)
    }

    /// The compiler's name, as `CXX` has it.
    pub fn name(&self) -> &OsStr {
        &self.cxx
    }

    /// What the compiler says of its version.
    pub fn version(&self) -> Result<Vec<u8>, BuildError> {
        let output = Command::new(&self.cxx).arg("--version").output();
        let output = output
            .map_err(|error| BuildError::Io(self.cxx.to_string_lossy().into_owned(), error))?;
        Ok(output.stdout)
    }

    /// Of the sources of the emulator's own objects, and of the compiler.
    fn fingerprint(&self, flavour: Flavour) -> Result<u64, BuildError> {
        let mut hasher = DefaultHasher::new();
        (&self.cxx, self.version()?, flavour.flags(), PRELUDE).hash(&mut hasher);
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

fn make_folder(path: &Path) -> Result<(), BuildError> {
    fs::create_dir_all(path).map_err(|error| BuildError::Io(path.display().to_string(), error))
}

fn write(path: &Path, text: &str) -> Result<(), BuildError> {
    fs::write(path, text).map_err(|error| BuildError::Io(path.display().to_string(), error))
}

/// Runs the commands, on all cores; the error is one of theirs.
fn run_all(commands: Vec<Command>) -> Result<(), BuildError> {
    let commands: Vec<Mutex<Command>> = commands.into_iter().map(Mutex::new).collect();
    let failed = Mutex::new(None);
    cores::for_each(
        &commands,
        || (),
        |(), command| {
            let mut command = command.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(error) = run(&mut command) {
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
        },
    );
    failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
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
