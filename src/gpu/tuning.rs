//! The tuned shapes that take precedence over the built-in ones: from a tuning file, or from the caller.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use sortsmith_codegen::trust::variable;
use sortsmith_codegen::tuning::Tuning;
use sortsmith_codegen::tuning::file::{self, GpuId, NONE, TuningError, TuningFile, VARIABLE};

use crate::error::Error;
use crate::settings::Settings;

/// The tuning in use.
#[derive(Clone, Debug, Default)]
pub struct InUse {
    /// The shapes.
    pub tuning: Tuning,
    /// Whether the caller gave it: then a built-in shape must not replace a tuned one that cannot be loaded.
    pub is_required: bool,
}

/// The source of a tuning.
#[derive(Debug, PartialEq, Eq)]
enum Origin {
    /// There is none.
    None,
    /// A file that the environment names, which must exist.
    Named(PathBuf),
    /// The default file of the device, which may exist.
    Default(PathBuf),
}

impl Origin {
    fn of(variable: Option<OsString>, default: impl FnOnce() -> Option<PathBuf>) -> Self {
        match variable.filter(|value| !value.is_empty()) {
            Some(value) if value == NONE => Self::None,
            Some(value) => Self::Named(PathBuf::from(value)),
            None => default().map_or(Self::None, Self::Default),
        }
    }
}

impl InUse {
    /// The tuning that the environment selects for this device.
    pub fn of_this_process(gpu: &GpuId) -> Result<Self, Error> {
        let origin = Origin::of(variable(VARIABLE), || file::default_path(gpu));
        Self::of(&origin, gpu, Settings::from_env())
    }

    /// The tuning of this device in a file. A named file that cannot be read is an error; any other defect of a file means the
    /// built-in shapes.
    fn of(origin: &Origin, gpu: &GpuId, settings: Settings) -> Result<Self, Error> {
        let (path, is_named) = match origin {
            Origin::None => return Ok(Self::default()),
            Origin::Named(path) => (path, true),
            Origin::Default(path) => (path, false),
        };
        let read = match TuningFile::read(path, gpu) {
            Ok(read) => read,
            Err(TuningError::Read { path, source }) if is_named => {
                return Err(Error::Tuning { path, reason: source.to_string() });
            }
            Err(TuningError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            Err(error) => {
                settings.say(|| format!("warning: the built-in rows are used: {error}"));
                return Ok(Self::default());
            }
        };
        settings.say(|| message(path, &read));
        Ok(Self { tuning: read.tuning(), is_required: false })
    }
}

fn message(path: &Path, read: &TuningFile) -> String {
    let (rows, path) = (read.rows.len(), path.display());
    let stale = match read.stale.as_slice() {
        [] => String::new(),
        names => format!("; left out, for their source has changed: {}", names.join(", ")),
    };
    format!("{rows} tuned rows of {path}{stale}")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use sortsmith_codegen::tuning::Case;

    use super::*;

    fn gpu() -> GpuId {
        let name = "GPU".to_owned();
        GpuId { name, arch: 90, multiprocessors: 132, shared_bytes_per_block: 227 * 1024 }
    }

    #[test]
    fn the_variable_names_a_file_or_none() {
        let default = || Some(PathBuf::from("default"));
        let of = |value: Option<&str>| Origin::of(value.map(OsString::from), default);
        assert_eq!(of(None), Origin::Default("default".into()));
        assert_eq!(of(Some("")), Origin::Default("default".into()));
        assert_eq!(of(Some("none")), Origin::None);
        assert_eq!(of(Some("a.toml")), Origin::Named("a.toml".into()));
        assert_eq!(Origin::of(None, || None), Origin::None);
    }

    #[test]
    fn only_a_named_file_must_be_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tuning.toml");
        let of = |origin: Origin| InUse::of(&origin, &gpu(), Settings::default());
        assert!(of(Origin::Default(path.clone())).unwrap().tuning.is_empty());
        let error = of(Origin::Named(path.clone())).unwrap_err();
        assert!(matches!(&error, Error::Tuning { path: named, .. } if *named == path), "{error}");
        assert!(error.to_string().contains("SORTSMITH_TUNING"), "{error}");
        // One that is there and is no use is none, named or not.
        for text in ["", "# sortsmith tuning", "\u{0}\u{7f}"] {
            fs::write(&path, text).unwrap();
            assert!(of(Origin::Named(path.clone())).unwrap().tuning.is_empty(), "{text:?}");
        }
        let other = GpuId { arch: 80, ..gpu() };
        TuningFile::of(other).write(&path).unwrap();
        assert!(of(Origin::Named(path)).unwrap().tuning.is_empty());
    }

    /// No row counts of a file that others could have written.
    #[cfg(unix)]
    #[test]
    fn the_rows_of_others_are_not_used() {
        use std::os::unix::fs::PermissionsExt;

        use sortsmith_codegen::tuning::file::Row;
        use sortsmith_codegen::{KeyType, ValueType};

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tuning.toml");
        let case = Case::of(KeyType::F32, ValueType::U32, 1 << 20).unwrap();
        let candidates = case.candidates(gpu().device());
        let (kernel, built_in) = (candidates[1], candidates[0]);
        let mut file = TuningFile::of(gpu());
        file.set(Row { case, kernel, built_in, ratio: 1.5, date: "2026-11-25".to_owned() });
        file.write(&path).unwrap();
        for origin in [Origin::Named(path.clone()), Origin::Default(path.clone())] {
            let is_used = |mode: u32| {
                fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
                !InUse::of(&origin, &gpu(), Settings::default()).unwrap().tuning.is_empty()
            };
            assert!(is_used(0o600) && !is_used(0o666) && !is_used(0o620), "{origin:?}");
        }
    }
}
