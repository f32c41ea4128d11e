//! Files that others see whole or not at all.

use std::io::{self, Write};
use std::path::Path;

/// How the files begin that are written beside a place before they are moved there.
pub const TEMPORARY_PREFIX: &str = ".sortsmith-";

/// The mode of files that are their owner's alone.
#[cfg_attr(not(feature = "toolchain"), allow(dead_code))]
pub const OWN: u32 = 0o600;

/// The mode of files like any other, of which the umask takes some bits.
pub const ANY: u32 = 0o666;

/// Writes the parts as one file of this mode: beside its place first, then moved there.
pub fn write(path: &Path, parts: &[&[u8]], mode: u32) -> io::Result<()> {
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
    for part in parts {
        temporary.write_all(part)?;
    }
    temporary.persist(path).map_err(|error| error.error)?;
    Ok(())
}
