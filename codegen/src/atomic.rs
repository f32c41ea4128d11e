//! Files that others see whole or not at all.

#[cfg(unix)]
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// How the files begin that are written beside a place before they are moved there.
pub const TEMPORARY_PREFIX: &str = ".sortsmith-";

/// Writes the parts as one file: beside its place first, then moved there.
pub fn write(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY_PREFIX);
    #[cfg(unix)]
    {
        // A temporary file is its owner's alone by default; this one becomes a file like any other.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut temporary = builder.tempfile_in(dir)?;
    for part in parts {
        temporary.write_all(part)?;
    }
    temporary.persist(path).map_err(|error| error.error)?;
    Ok(())
}
