//! `cargo xtask adapters`: builds and tests what is in `adapters`, a workspace of its own.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    error::Error,
    process::{self, cargo},
    workspace,
};

/// What builds the wheel, and what tests it.
const PACKAGES: [&str; 4] = ["maturin==1.16.0", "ml_dtypes>=0.5", "numpy>=2.0", "pytest>=8.0"];

pub fn run() -> Result<(), Error> {
    process::run(in_adapters(cargo().args(["fmt", "--all", "--check"])))?;
    let python = Python::make(&workspace::target().join("adapters"))?;
    let wheel = python.build_wheel()?;
    python.test(&wheel)?;
    process::run(in_adapters(cargo().args(["test", "--locked", "--package", "sortsmith-candle"])))
}

/// The workspace of the adapters.
pub fn folder() -> PathBuf {
    workspace::root().join("adapters")
}

fn in_adapters(command: &mut Command) -> &mut Command {
    command.current_dir(folder())
}

/// A fresh virtual environment.
struct Python {
    /// The folder of the environment and of the wheel.
    folder: PathBuf,
    /// The environment's programs.
    programs: PathBuf,
}

impl Python {
    fn make(folder: &Path) -> Result<Self, Error> {
        let environment = folder.join("venv");
        process::run(
            process::command("python3").args(["-m", "venv", "--clear"]).arg(&environment),
        )?;
        let made = Self { folder: folder.to_path_buf(), programs: environment.join("bin") };
        process::run(made.pip().args(PACKAGES))?;
        Ok(made)
    }

    fn program(&self, name: &str) -> Command {
        process::command(self.programs.join(name))
    }

    fn pip(&self) -> Command {
        let mut pip = self.program("python");
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        pip
    }

    /// Builds the wheel, little optimised, and returns its path.
    fn build_wheel(&self) -> Result<PathBuf, Error> {
        let wheels = self.folder.join("wheels");
        if wheels.exists() {
            fs::remove_dir_all(&wheels).map_err(Error::file("remove", &wheels))?;
        }
        let manifest = folder().join("python/Cargo.toml");
        let mut maturin = self.program("maturin");
        maturin.args(["build", "--locked", "--interpreter"]).arg(self.programs.join("python"));
        process::run(maturin.arg("--manifest-path").arg(manifest).arg("--out").arg(&wheels))?;
        let entries = fs::read_dir(&wheels).map_err(Error::file("read", &wheels))?;
        let wheel = entries.filter_map(Result::ok).map(|entry| entry.path()).next();
        wheel.ok_or_else(|| Error::Other(format!("maturin left no wheel in {}", wheels.display())))
    }

    /// Installs the wheel, and runs the tests and the examples of its documentation. Tests of libraries that are not there say so.
    fn test(&self, wheel: &Path) -> Result<(), Error> {
        process::run(self.pip().args(["--force-reinstall", "--no-deps"]).arg(wheel))?;
        let pytest = || {
            let mut pytest = self.program("python");
            pytest.args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"]);
            pytest
        };
        process::run(pytest().current_dir(folder().join("python")).arg("tests"))?;
        let examples =
            ["--doctest-modules", "--doctest-ignore-import-errors", "--pyargs", "sortsmith"];
        process::run(pytest().current_dir(&self.folder).args(examples))
    }
}
