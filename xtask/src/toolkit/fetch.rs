//! Fetches NVIDIA's wheels and merges them to a folder with the layout of a toolkit.
//!
//! All work is done in a temporary folder beside the goal, which is renamed in the end: another
//! process sees the complete toolkit or none, and of two that race the first one wins.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use sortsmith_codegen::toolchain::Toolchain;

use crate::{
    error::Error,
    process,
    python::{self, Python},
    workspace,
};

/// The version of the compilers.
pub const VERSION: &str = "13.5.37";

/// The file that marks a folder as fetched by this task.
const FETCHED_MARKER: &str = ".sortsmith-toolkit";

/// The wheels, which have been seen to work together.
const WHEELS: [&str; 8] = [
    "nvidia-cuda-nvrtc==13.5.37",
    "nvidia-cuda-nvcc==13.5.37",
    "nvidia-nvvm==13.5.37",
    "nvidia-cuda-crt==13.5.37",
    "nvidia-cuda-runtime==13.5.37",
    "nvidia-cuda-cccl==13.3.5.0.6",
    "nvidia-cuda-cuobjdump==13.5.37",
    "nvidia-cuda-nvdisasm==13.5.37",
];

/// Where every wheel keeps its part of the toolkit.
const MERGED: &str = "nvidia/cu13";

/// Folders of programs.
const PROGRAM_DIRS: [&str; 2] = ["bin", "nvvm/bin"];

/// Where the toolkit goes unless the user says otherwise.
pub fn default_dir() -> PathBuf {
    workspace::target().join("cuda").join(VERSION)
}

/// Makes sure that the toolkit is in this folder, and returns the folder.
pub fn fetch(goal: &Path, force: bool) -> Result<PathBuf, Error> {
    let goal = std::path::absolute(goal).map_err(Error::file("resolve", goal))?;
    if !force && is_complete(&goal) {
        return Ok(goal);
    }
    if goal.exists() && !is_ours(&goal) {
        return Err(Error::Other(format!(
            "{} exists and is not a toolkit that this task fetched: it is left alone",
            goal.display()
        )));
    }
    let parent = goal.parent().unwrap_or(&goal);
    fs::create_dir_all(parent).map_err(Error::file("create", parent))?;
    let work = tempfile::Builder::new()
        .prefix(".fetch-")
        .tempdir_in(parent)
        .map_err(Error::file("create a folder in", parent))?;

    let started = Instant::now();
    eprintln!("fetching the CUDA {VERSION} compilers into {} (190 MB)", goal.display());
    let unpacked = unpack_wheels(work.path())?;
    let root = unpacked.join(MERGED);
    make_programs_executable(&root)?;
    check(&root)?;
    let marker = root.join(FETCHED_MARKER);
    fs::write(&marker, pins()).map_err(Error::file("write", marker))?;
    put_in_place(&root, &goal, work.path(), force)?;
    eprintln!("fetched in {:.0} s", started.elapsed().as_secs_f32());
    Ok(goal)
}

/// Fetches the wheels to a folder of their own, and unpacks them over each other to another.
fn unpack_wheels(work: &Path) -> Result<PathBuf, Error> {
    let python = Python::find(work).ok_or_else(|| {
        Error::Other(
            "the CUDA compilers are fetched with Python 3 and its pip, and there is no `python3 -m \
             pip`: install it (on Debian: apt-get install python3-pip), or install a CUDA toolkit \
             and set SORTSMITH_CUDA to it"
                .to_owned(),
        )
    })?;
    let (wheels, unpacked) = (work.join("wheels"), work.join("unpacked"));
    process::run_aside(python.download(&wheels).args(WHEELS)).map_err(|error| {
        Error::Other(format!(
            "pip could not fetch the CUDA compilers: {error}\nIf this machine has no network, \
             install a CUDA toolkit and set SORTSMITH_CUDA to it, or copy target/cuda/{VERSION} \
             from a machine that fetched it."
        ))
    })?;
    eprintln!("unpacking");
    python.unpack(&wheels, &unpacked)?;
    Ok(unpacked)
}

fn pins() -> String {
    WHEELS.join("\n") + "\n"
}

fn is_ours(root: &Path) -> bool {
    root.join(FETCHED_MARKER).is_file()
}

/// Whether the folder holds exactly the pinned wheels. The marker is written last.
fn is_complete(root: &Path) -> bool {
    fs::read_to_string(root.join(FETCHED_MARKER)).is_ok_and(|marker| marker == pins())
}

fn make_programs_executable(root: &Path) -> Result<(), Error> {
    for dir in PROGRAM_DIRS.map(|dir| root.join(dir)) {
        for entry in fs::read_dir(&dir).map_err(Error::file("read", &dir))?.flatten() {
            if entry.path().is_file() {
                python::make_executable(&entry.path())?;
            }
        }
    }
    Ok(())
}

/// A wheel with another layout must not pass for a toolkit.
fn check(root: &Path) -> Result<(), Error> {
    let toolchain = Toolchain::in_folder(root);
    let optional = ["compute-sanitizer"];
    for (name, component) in toolchain.components() {
        if component.is_none() && !optional.contains(&name) {
            return Err(Error::Other(format!("the fetched wheels hold no {name}")));
        }
    }
    if toolchain.include_dirs.is_empty() || toolchain.cccl_include.is_none() {
        return Err(Error::Other("the fetched wheels lack headers".to_owned()));
    }
    Ok(())
}

/// Renames the finished toolkit. If another process was faster, its toolkit is as good.
fn put_in_place(root: &Path, goal: &Path, work: &Path, force: bool) -> Result<(), Error> {
    if goal.exists() && (force || !is_complete(goal)) {
        let replaced = work.join("replaced");
        fs::rename(goal, &replaced).map_err(Error::file("replace", goal))?;
    }
    match fs::rename(root, goal) {
        Err(_) if is_complete(goal) => Ok(()),
        result => result.map_err(Error::file("create", goal)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tests find the compilers where this task puts them.
    #[test]
    fn cargo_has_the_path_of_this_version() {
        let config = workspace::root().join(".cargo/config.toml");
        let config = fs::read_to_string(config).expect("it is there");
        let line =
            format!("SORTSMITH_CUDA = {{ value = \"target/cuda/{VERSION}\", relative = true }}");
        assert!(config.lines().any(|it| it == line), "{line}");
    }
}
