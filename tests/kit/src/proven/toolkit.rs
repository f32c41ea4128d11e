//! A CUDA toolkit's offline compiler, and compilers of the host, as inputs of proofs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use sortsmith_codegen::toolchain::Nvcc;

use super::emulated::OF_COMPILERS;
use super::inputs::{Inputs, hash_of_files};

/// Variables by which nvcc takes another host compiler or more options. What they name is not looked at: where one is set, no proof counts.
const OF_NVCC: [&str; 3] = ["NVCC_CCBIN", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"];

/// Whether nvcc is as it comes, so that [`Inputs::add_nvcc`] adds all that it does.
pub fn nvcc_is_plain() -> bool {
    OF_NVCC.iter().all(|it| std::env::var_os(it).is_none())
}

impl Inputs {
    /// Adds the system, and the variables that change what compilers find.
    pub fn add_machine(&mut self) {
        self.add("machine", [std::env::consts::ARCH, std::env::consts::OS].join(" ").as_bytes());
        self.add_variables(&OF_COMPILERS);
    }

    /// Adds nvcc and the toolkit's headers, which are in these folders, and the host's compilers that it calls.
    pub fn add_nvcc(&mut self, nvcc: &Nvcc, include_dirs: &[PathBuf]) {
        self.add("nvcc", files_of_nvcc(nvcc, include_dirs).as_bytes());
        let version = nvcc.compile(["--version"]).unwrap_or_else(|error| panic!("{error}"));
        self.add("version of nvcc", version.stdout.as_bytes());
        for host in ["gcc", "g++"] {
            self.add_version(host);
        }
    }

    /// Adds what a program says of its version; nothing of one that does not run.
    pub fn add_version(&mut self, program: &str) {
        let version = Command::new(program).arg("--version").output();
        self.add(program, &version.map(|it| it.stdout).unwrap_or_default());
    }
}

/// The hash of nvcc's own programs, as far as they are where toolkits have them, and of the toolkit's headers.
fn files_of_nvcc(nvcc: &Nvcc, include_dirs: &[PathBuf]) -> &'static str {
    static HASH: OnceLock<String> = OnceLock::new();
    HASH.get_or_init(|| {
        let path = nvcc.path().canonicalize().unwrap_or_else(|_| nvcc.path().to_owned());
        let folder = path.parent().unwrap_or(Path::new("/"));
        let programs = [
            "nvcc.profile",
            "cudafe++",
            "fatbinary",
            "cicc",
            "../nvvm/bin/cicc",
            "../nvvm/libdevice/libdevice.10.bc",
            "../lib/libnvvm.so.4",
            "../nvvm/lib64/libnvvm.so.4",
        ];
        let programs = programs.map(|it| folder.join(it)).into_iter().filter(|it| it.is_file());
        let mut files: Vec<PathBuf> = std::iter::once(path.clone()).chain(programs).collect();
        files.extend(files_in(&folder.join("crt")));
        files.extend(files_in(&folder.join("../include")));
        files.extend(files_in(&folder.join("../include/crt")));
        files.extend(headers_in(include_dirs));
        hash_of_files(&files)
    })
}

/// The toolkit's own headers, and `nv/target`, which these include. No generated header includes any other.
pub fn headers_in(include_dirs: &[PathBuf]) -> Vec<PathBuf> {
    let folders = include_dirs.iter();
    let folders = folders.flat_map(|it| ["", "crt", "nv", "nv/detail"].map(|own| it.join(own)));
    folders.flat_map(|folder| files_in(&folder)).collect()
}

/// The files of a folder, by their names; none where there is no folder.
pub fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|it| it.path()).filter(|it| it.is_file()).collect();
    files.sort();
    files
}
