//! Files that others see complete or not at all.

use std::io::{self, Write};
use std::path::Path;

/// How the names of temporary files begin, which are renamed once they are complete.
pub const TEMPORARY_PREFIX: &str = ".sortsmith-";

/// The mode of files that are their owner's alone.
#[cfg_attr(not(feature = "toolchain"), allow(dead_code))]
pub const OWN: u32 = 0o600;

/// The mode of files like any other, of which the umask takes some bits.
pub const ANY: u32 = 0o666;

/// Writes the pieces as one file of this mode: to a temporary file in the same folder, which is then renamed.
pub fn write(path: &Path, pieces: &[&[u8]], mode: u32) -> io::Result<()> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY_PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = mode;
    let mut temporary = builder.tempfile_in(dir)?;
    for piece in pieces {
        temporary.write_all(piece)?;
    }
    temporary.persist(path).map_err(|error| error.error)?;
    Ok(())
}
