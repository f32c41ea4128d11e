//! Which shapes come before the built-in ones: those of a tuning file, or those that a caller orders.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use sortsmith_codegen::device::Device;
use sortsmith_codegen::trust::variable;
use sortsmith_codegen::tuning::Tuning;
use sortsmith_codegen::tuning::file::{self, GpuId, NONE, TuningError, TuningFile, VARIABLE};

use super::compile::Settings;
use crate::Error;

/// The shapes in use.
#[derive(Clone, Debug, Default)]
pub struct InUse {
    /// The shapes.
    pub tuning: Tuning,
    /// Whether a caller asked for just these, so that nothing takes their place.
    pub is_order: bool,
}

/// What tells a device from others.
pub fn id_of(name: &str, arch: u32, device: Device) -> GpuId {
    let Device { multiprocessors, shared_bytes_per_block } = device;
    GpuId { name: name.to_owned(), arch, multiprocessors, shared_bytes_per_block }
}

/// Where shapes come from.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// From nowhere.
    None,
    /// From a file that was named.
    Named(PathBuf),
    /// From a file that may be there.
    Usual(PathBuf),
}

impl Place {
    fn of(variable: Option<OsString>, usual: impl FnOnce() -> Option<PathBuf>) -> Self {
        match variable.filter(|value| !value.is_empty()) {
            Some(value) if value == NONE => Self::None,
            Some(value) => Self::Named(PathBuf::from(value)),
            None => usual().map_or(Self::None, Self::Usual),
        }
    }
}

impl InUse {
    /// What the environment says, for this device.
    pub fn of_this_process(gpu: &GpuId) -> Result<Self, Error> {
        let place = Place::of(variable(VARIABLE), || file::default_path(gpu));
        Self::of(&place, gpu, Settings::from_env())
    }

    /// What a place has for this device. A file that was named must be there; whatever else is wrong with one means the built-in
    /// shapes alone.
    fn of(place: &Place, gpu: &GpuId, settings: Settings) -> Result<Self, Error> {
        let (path, is_named) = match place {
            Place::None => return Ok(Self::default()),
            Place::Named(path) => (path, true),
            Place::Usual(path) => (path, false),
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
        settings.say(|| said(path, &read));
        Ok(Self { tuning: read.tuning(), is_order: false })
    }
}

fn said(path: &Path, read: &TuningFile) -> String {
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

    use super::*;

    fn gpu() -> GpuId {
        id_of("GPU", 90, Device { multiprocessors: 132, shared_bytes_per_block: 227 * 1024 })
    }

    #[test]
    fn the_variable_names_a_file_or_none() {
        let usual = || Some(PathBuf::from("usual"));
        let of = |value: Option<&str>| Place::of(value.map(OsString::from), usual);
        assert_eq!(of(None), Place::Usual("usual".into()));
        assert_eq!(of(Some("")), Place::Usual("usual".into()));
        assert_eq!(of(Some("none")), Place::None);
        assert_eq!(of(Some("a.toml")), Place::Named("a.toml".into()));
        assert_eq!(Place::of(None, || None), Place::None);
    }

    #[test]
    fn only_a_named_file_must_be_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tuning.toml");
        let of = |place: Place| InUse::of(&place, &gpu(), Settings::default());
        assert!(of(Place::Usual(path.clone())).unwrap().tuning.is_empty());
        let error = of(Place::Named(path.clone())).unwrap_err();
        assert!(matches!(&error, Error::Tuning { path: named, .. } if *named == path), "{error}");
        assert!(error.to_string().contains("SORTSMITH_TUNING"), "{error}");
        // One that is there and is no use is none, named or not.
        for text in ["", "# sortsmith tuning", "\u{0}\u{7f}"] {
            fs::write(&path, text).unwrap();
            assert!(of(Place::Named(path.clone())).unwrap().tuning.is_empty(), "{text:?}");
        }
        let other = GpuId { arch: 80, ..gpu() };
        TuningFile::of(other).write(&path).unwrap();
        assert!(of(Place::Named(path)).unwrap().tuning.is_empty());
    }
}
