//! Files and folders on other systems than Unix, where their owners are not checked.

#![cfg_attr(not(feature = "tuning"), allow(dead_code))] // less is called

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Refusal;
use crate::files::atomic;

/// A folder.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Opens a folder.
    pub(crate) fn open(path: &Path) -> Result<Self, Refusal> {
        if fs::metadata(path)?.is_dir() {
            Ok(Self(path.to_owned()))
        } else {
            Err(io::Error::from(io::ErrorKind::NotADirectory).into())
        }
    }

    /// Opens a folder, made with those above it if there is none.
    pub(crate) fn make(path: &Path) -> Result<Self, Refusal> {
        fs::create_dir_all(path)?;
        Self::open(path)
    }

    /// The bytes of a file in it.
    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, Refusal> {
        read_file(&self.0.join(name))
    }

    /// Writes a file that others see complete or not at all.
    pub(crate) fn write(&self, name: &str, pieces: &[&[u8]]) -> io::Result<()> {
        atomic::write(&self.0.join(name), pieces, atomic::OWN)
    }

    /// Removes a file.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }
}

/// The bytes of a file.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, Refusal> {
    Ok(fs::read(path)?)
}

/// Makes a folder and those above it.
pub(crate) fn make_folders(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

pub(super) fn is_privileged() -> bool {
    false
}
