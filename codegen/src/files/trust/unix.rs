//! Files and folders by their owners and modes.

#![cfg_attr(not(feature = "tuning"), allow(dead_code))] // less is called

use std::fs::{self, DirBuilder, File, Metadata, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, openat, renameat, unlinkat};
use rustix::io::Errno;
use rustix::process::{getegid, geteuid, getgid, getuid};

use super::{Distrust, Refusal};
use crate::files::atomic::{OWN, TEMPORARY_PREFIX};

/// The permission bits that let group or others write.
const OTHERS_WRITE: u32 = 0o022;

/// A folder that only the user of this process or root can have written to. It stays the same folder whatever becomes of
/// its path.
#[derive(Debug)]
pub(crate) struct Folder(File);

impl Folder {
    /// Opens a folder.
    pub(crate) fn open(path: &Path) -> Result<Self, Refusal> {
        let path = real_path(path)?;
        let folder = open_at(CWD, &path, OFlags::RDONLY | OFlags::DIRECTORY)?;
        check(&folder.metadata()?)?;
        Ok(Self(folder))
    }

    /// Opens a folder, made with those above it for the user alone if there is none.
    pub(crate) fn make(path: &Path) -> Result<Self, Refusal> {
        make_folders(path)?;
        Self::open(path)
    }

    /// The bytes of a file in it.
    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, Refusal> {
        read_at(&self.0, Path::new(name))
    }

    /// Writes a file that others see complete or not at all: to a temporary file in the same folder, which is then renamed.
    pub(crate) fn write(&self, name: &str, pieces: &[&[u8]]) -> io::Result<()> {
        static COUNT: AtomicU64 = AtomicU64::new(0);

        let (flags, mode) = (OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL, Mode::from(OWN));
        let (file, temporary) = loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let temporary = format!("{TEMPORARY_PREFIX}{}-{count}", process::id());
            match openat(&self.0, &temporary, flags | OFlags::NOFOLLOW | OFlags::CLOEXEC, mode) {
                Ok(file) => break (File::from(file), temporary),
                // A process of the same number left it.
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        };
        let written = write_pieces(&file, pieces)
            .and_then(|()| Ok(renameat(&self.0, &temporary, &self.0, name)?));
        if written.is_err() {
            let _ = unlinkat(&self.0, &temporary, AtFlags::empty());
        }
        written
    }

    /// Removes a file.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, AtFlags::empty())?)
    }
}

/// The bytes of a file that only the user of this process or root can have written.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, Refusal> {
    read_at(CWD, &real_path(path)?)
}

/// Makes a folder and those above it, for the user alone.
pub(crate) fn make_folders(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

pub(super) fn is_privileged() -> bool {
    getuid() != geteuid() || getgid() != getegid() || is_secure_mode()
}

/// Whether the kernel says that the program was given rights, as by file capabilities.
#[cfg(target_os = "linux")]
fn is_secure_mode() -> bool {
    // SAFETY: getauxval has no preconditions.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

#[cfg(not(target_os = "linux"))]
fn is_secure_mode() -> bool {
    false
}

fn write_pieces(mut file: &File, pieces: &[&[u8]]) -> io::Result<()> {
    // Whatever the umask left of the mode.
    file.set_permissions(Permissions::from_mode(OWN))?;
    pieces.iter().try_for_each(|piece| file.write_all(piece))
}

fn read_at(folder: impl std::os::fd::AsFd, path: &Path) -> Result<Vec<u8>, Refusal> {
    let mut file = open_at(folder, path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(Distrust::Kind.into());
    }
    check(&metadata)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn open_at(folder: impl std::os::fd::AsFd, path: &Path, flags: OFlags) -> Result<File, Refusal> {
    match openat(folder, path, flags | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty()) {
        Ok(file) => Ok(File::from(file)),
        Err(Errno::LOOP) => Err(Distrust::Link.into()),
        // A socket, or a device without a driver.
        Err(Errno::NXIO) => Err(Distrust::Kind.into()),
        Err(error) => Err(io::Error::from(error).into()),
    }
}

/// Whether only the user of this process and root could have written it.
fn check(metadata: &Metadata) -> Result<(), Distrust> {
    let (owner, mode) = (metadata.uid(), metadata.mode() & 0o7777);
    if !is_own(owner) {
        return Err(Distrust::Owner { owner, user: geteuid().as_raw() });
    }
    if mode & OTHERS_WRITE != 0 {
        return Err(Distrust::Mode { mode });
    }
    Ok(())
}

fn is_own(owner: u32) -> bool {
    owner == 0 || owner == geteuid().as_raw()
}

/// The path without symbolic links, if those in it are the user's or root's.
fn real_path(path: &Path) -> Result<PathBuf, Refusal> {
    for prefix in path.ancestors().filter(|prefix| !prefix.as_os_str().is_empty()) {
        let metadata = fs::symlink_metadata(prefix)?;
        if metadata.is_symlink() && !is_own(metadata.uid()) {
            return Err(Distrust::LinkOwner { owner: metadata.uid() }.into());
        }
    }
    Ok(fs::canonicalize(path)?)
}
