//! Which files, folders and environment variables are used, by their owners.
//!
//! Kernels and shapes are read from disk and run, so only what the user of this process, or the system's administrator,
//! could have written is read. On Unix:
//!
//! - A folder of kernels belongs to the effective user or to root, and neither its group nor others may write to it.
//!   Symbolic links on the way to it belong to one of the two.
//! - A file is opened without following a symbolic link and without waiting (a FIFO has no writer to wait for), and what was
//!   opened is looked at, not what a path says: a regular file of the effective user's or of root's, to which neither group nor
//!   others may write.
//! - A folder is made with mode 0700, a file with mode 0600.
//!
//! Access control lists that let others write show in the group's mode on Linux, and are refused by it. On other systems than
//! Unix none of this is checked: there the folder is in the user's profile, which others may not write to.
//!
//! A program with more rights than its caller (set-user-ID, set-group-ID, file capabilities) takes nothing from its
//! caller's environment: [`variable`] is none there, and there is no folder of kernels.

use std::env;
use std::ffi::OsString;
use std::io;

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
use other as system;
#[cfg(unix)]
use unix as system;

#[cfg(feature = "cache")]
pub(crate) use system::Folder;
#[cfg(feature = "tuning")]
pub(crate) use system::make_folders;
#[cfg(any(feature = "tuning", test))]
pub(crate) use system::read_file;

/// Why a file or a folder is not used: others than the user of this process could have written it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Distrust {
    /// It is neither the user's nor root's.
    #[error("it belongs to user {owner}, and this process runs as user {user}")]
    Owner {
        /// The user that it belongs to.
        owner: u32,
        /// The effective user.
        user: u32,
    },
    /// Its group or others may write to it.
    #[error("its mode {mode:04o} lets others write to it; `chmod go-w` forbids it")]
    Mode {
        /// Its permission bits.
        mode: u32,
    },
    /// It is a symbolic link.
    #[error("it is a symbolic link")]
    Link,
    /// A symbolic link of another user's is on the way to it.
    #[error("a symbolic link on the way to it belongs to user {owner}")]
    LinkOwner {
        /// The user that it belongs to.
        owner: u32,
    },
    /// It is a folder, a FIFO, a socket or a device.
    #[error("it is no regular file")]
    Kind,
}

/// Why something was not read or written.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// Others could have written it.
    Distrust(Distrust),
    /// The system's reason.
    Io(io::Error),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Distrust> for Refusal {
    fn from(distrust: Distrust) -> Self {
        Self::Distrust(distrust)
    }
}

/// Whether this program has more rights than the user that started it, as set-user-ID and set-group-ID programs and those with file
/// capabilities have.
pub fn is_privileged() -> bool {
    system::is_privileged()
}

/// An environment variable. None if it is unset or empty, or if the program [has more rights](is_privileged) than
/// the user that set it.
///
/// ```
/// assert_eq!(sortsmith_codegen::trust::variable("SORTSMITH_NO_SUCH_VARIABLE"), None);
/// ```
pub fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty() && !is_privileged())
}

#[cfg(all(test, unix, feature = "cache"))]
mod tests;
