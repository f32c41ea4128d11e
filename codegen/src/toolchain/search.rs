//! The locations where a toolkit may be, and what a toolkit folder looks like inside.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use super::{Component, Origin, Toolchain, VARIABLES};
use crate::files::trust::variable;

/// Folders of a toolkit that may hold its libraries: an installed toolkit, the wheels, a toolkit for
/// several targets, Debian's packages, Windows.
const LIBRARY_DIRS: [&str; 7] = [
    "lib64",
    "lib",
    "targets/x86_64-linux/lib",
    "targets/sbsa-linux/lib",
    "lib/x86_64-linux-gnu",
    "bin/x64",
    "bin",
];

/// Folders of a toolkit that may hold its programs.
const PROGRAM_DIRS: [&str; 2] = ["bin", "compute-sanitizer"];

/// Folders of a toolkit that may hold its headers.
const INCLUDE_DIRS: [&str; 3] =
    ["include", "targets/x86_64-linux/include", "targets/sbsa-linux/include"];

/// NVRTC's file names, the newest first.
const NVRTC_NAMES: &[&str] = if cfg!(windows) {
    &["nvrtc64_130_0.dll", "nvrtc64_120_0.dll"]
} else {
    &["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"]
};

/// Where toolkits are usually installed.
const SYSTEM_ROOTS: [&str; 2] = ["/usr/local/cuda", "/opt/cuda"];

/// A toolkit folder that may or may not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Location {
    pub(super) root: PathBuf,
    pub(super) origin: Origin,
}

/// The part of the process's surroundings that the search depends on.
#[derive(Debug, Clone, Default)]
pub(super) struct Environment {
    pub(super) sortsmith_cuda: Option<PathBuf>,
    pub(super) cuda_home: Option<PathBuf>,
    pub(super) cuda_path: Option<PathBuf>,
    /// The folders of `PATH`.
    pub(super) path: Vec<PathBuf>,
    pub(super) system_roots: Vec<PathBuf>,
    /// The folders of `LD_LIBRARY_PATH`, where a library's path is known without loading it.
    pub(super) loader_path: Vec<PathBuf>,
    /// Whether the dynamic loader is tried last.
    pub(super) ask_loader: bool,
}

impl Environment {
    pub(super) fn current() -> Self {
        let folders = |name| {
            let listed = variable(name).unwrap_or_default();
            // A relative one, which an empty entry is too, would be wherever the process happens to be.
            env::split_paths(&listed).filter(|folder| folder.is_absolute()).collect()
        };
        let [sortsmith_cuda, cuda_home, cuda_path] =
            VARIABLES.map(|name| variable(name).map(PathBuf::from));
        Self {
            sortsmith_cuda,
            cuda_home,
            cuda_path,
            path: folders("PATH"),
            system_roots: SYSTEM_ROOTS.map(PathBuf::from).to_vec(),
            loader_path: if cfg!(windows) { Vec::new() } else { folders("LD_LIBRARY_PATH") },
            ask_loader: true,
        }
    }
}

pub(super) fn find(environment: &Environment) -> Toolchain {
    if environment.sortsmith_cuda.as_deref() == Some(Path::new("none")) {
        return Toolchain::default();
    }
    let mut toolchain = in_locations(&locations(environment));
    if toolchain.nvrtc.is_none() {
        toolchain.nvrtc = nvrtc_in(&environment.loader_path);
    }
    if toolchain.nvrtc.is_none() && environment.ask_loader {
        toolchain.nvrtc = nvrtc_of_the_loader();
    }
    toolchain
}

/// The locations to look in, the first one first.
pub(super) fn locations(environment: &Environment) -> Vec<Location> {
    let Environment { sortsmith_cuda, cuda_home, cuda_path, .. } = environment;
    let variables = VARIABLES.into_iter().zip([sortsmith_cuda, cuda_home, cuda_path]);
    let mut locations: Vec<Location> = variables
        .filter_map(|(name, value)| {
            Some(Location { root: value.clone()?, origin: Origin::Variable(name) })
        })
        .collect();
    locations.extend(
        environment
            .path
            .iter()
            .filter_map(|dir| root_of_nvcc(&dir.join(program_name("nvcc"))))
            .map(|root| Location { root, origin: Origin::SearchPath }),
    );
    locations.extend(
        environment
            .system_roots
            .iter()
            .map(|root| Location { root: root.clone(), origin: Origin::SystemFolder }),
    );
    let mut seen: Vec<PathBuf> = Vec::new();
    locations.retain(|location| {
        let fresh = !seen.contains(&location.root);
        if fresh {
            seen.push(location.root.clone());
        }
        fresh
    });
    locations
}

/// Takes each part from the first location that has it.
pub(super) fn in_locations(locations: &[Location]) -> Toolchain {
    let first = |locate: &dyn Fn(&Path) -> Option<PathBuf>| {
        locations.iter().find_map(|location| {
            locate(&location.root).map(|path| Component {
                path,
                root: Some(location.root.clone()),
                origin: location.origin.clone(),
            })
        })
    };
    let program =
        |name: &'static str| first(&move |root| existing(root, &PROGRAM_DIRS, &program_name(name)));
    let nvrtc =
        first(&|root| NVRTC_NAMES.iter().find_map(|name| existing(root, &LIBRARY_DIRS, name)));
    let nvrtc_root = nvrtc.as_ref().and_then(|component| component.root.as_deref());
    let roots =
        || nvrtc_root.into_iter().chain(locations.iter().map(|location| location.root.as_path()));
    Toolchain {
        nvcc: program("nvcc"),
        ptxas: program("ptxas"),
        cuobjdump: program("cuobjdump"),
        nvdisasm: program("nvdisasm"),
        compute_sanitizer: program("compute-sanitizer"),
        include_dirs: roots().map(include_dirs).find(|dirs| !dirs.is_empty()).unwrap_or_default(),
        cccl_include: roots().find_map(cccl_include),
        nvrtc,
    }
}

/// The folders that together hold the headers of the small floating-point types and `nv/target`,
/// which those headers include.
fn include_dirs(root: &Path) -> Vec<PathBuf> {
    let Some(types) = header_dir(root, &INCLUDE_DIRS, "cuda_fp16.h") else { return Vec::new() };
    if types.join("nv/target").is_file() {
        return vec![types];
    }
    let cccl = types.join("cccl");
    if cccl.join("nv/target").is_file() { vec![types, cccl] } else { vec![types] }
}

/// CUB lies in `include` up to CUDA 12 and in `include/cccl` since.
fn cccl_include(root: &Path) -> Option<PathBuf> {
    INCLUDE_DIRS.iter().map(|dir| root.join(dir)).find_map(|dir| {
        [dir.join("cccl"), dir].into_iter().find(|dir| dir.join("cub/cub.cuh").is_file())
    })
}

fn header_dir(root: &Path, dirs: &[&str], header: &str) -> Option<PathBuf> {
    dirs.iter().map(|dir| root.join(dir)).find(|dir| dir.join(header).is_file())
}

fn existing(root: &Path, dirs: &[&str], name: &str) -> Option<PathBuf> {
    dirs.iter().map(|dir| root.join(dir).join(name)).find(|path| path.is_file())
}

fn program_name(name: &str) -> String {
    format!("{name}{}", env::consts::EXE_SUFFIX)
}

/// The toolkit of an `nvcc`, seen through the symbolic links that package managers make.
fn root_of_nvcc(nvcc: &Path) -> Option<PathBuf> {
    let real = fs::canonicalize(nvcc).ok()?;
    Some(real.parent()?.parent()?.to_path_buf())
}

fn nvrtc_in(loader_path: &[PathBuf]) -> Option<Component> {
    let names =
        NVRTC_NAMES.iter().flat_map(|name| loader_path.iter().map(move |dir| dir.join(name)));
    let found = names.into_iter().find(|path| path.is_file());
    found.map(|path| Component { path, root: None, origin: Origin::Loader })
}

fn nvrtc_of_the_loader() -> Option<Component> {
    NVRTC_NAMES
        .iter()
        .find(|name| {
            // SAFETY: loading runs the library's initialisers. These names belong to NVIDIA's NVRTC,
            // and their initialisers have no requirements on the process.
            unsafe { libloading::Library::new(**name) }.is_ok()
        })
        .map(|name| Component { path: PathBuf::from(name), root: None, origin: Origin::Loader })
}
