//! An entry as bytes.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `SORTSMTH` |
//! | 4 | the format's version |
//! | 4 | compute capability |
//! | 4 | 0: PTX, 1: cubin |
//! | 4 | bytes of the name |
//! | 8 | bytes of the image |
//! | 32 | the key |
//! | 32 | the key of what was to be compiled, whatever compiles it |
//! | 32 | SHA-256 of all that is above and below |
//! | … | the name, then the image |
//!
//! Numbers are little-endian. An entry is for the machine that wrote it or one like it; any doubt about it means that it
//! is made again.

use hmac_sha256::Hash as Sha256;

use super::key::{Description, Kernel, Key};
use crate::files::trust::Distrust;
use crate::toolchain::Format;

const MAGIC: [u8; 8] = *b"SORTSMTH";
const VERSION: u32 = 2;

/// Bytes before the checksum.
const FIELDS: usize = 96;
/// Bytes before the name.
const HEADER: usize = FIELDS + 32;

/// What is wrong with an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// It does not begin as an entry does.
    #[error("it is no entry of sortsmith's")]
    Foreign,
    /// It is of another version of the format.
    #[error("its format is version {0}, and this sortsmith reads version {VERSION}")]
    Version(u32),
    /// It is shorter or longer than it says.
    #[error("it has {found} bytes in place of {expected}")]
    Length {
        /// What it should have.
        expected: u64,
        /// What it has.
        found: u64,
    },
    /// It is another kernel's.
    #[error("it is the entry of another kernel")]
    Key,
    /// Others than the user of this process could have written it.
    #[error("{0}")]
    Untrusted(Distrust),
    /// What it says of its kernel is not what was written.
    #[error("its description is not that of its kernel")]
    Description,
    /// Its bytes are not those that were written.
    #[error("its checksum is wrong")]
    Checksum,
}

/// The fields of an entry.
pub struct Fields<'a> {
    /// The key, of all that decides what is in it.
    pub key: Key,
    /// The key of what was to be compiled, whatever compiles it.
    pub request: Key,
    /// What lists say of it.
    pub description: Description,
    /// What was compiled.
    pub image: &'a [u8],
}

/// The bytes before the image.
pub fn head(kernel: &Kernel<'_>, image: &[u8]) -> Vec<u8> {
    let description = kernel.description();
    let name = description.name.as_bytes();
    let format: u32 = match description.format {
        Format::Ptx => 0,
        Format::Cubin => 1,
    };
    let mut bytes = Vec::with_capacity(HEADER + name.len());
    bytes.extend(MAGIC);
    for number in [VERSION, description.arch, format, name.len() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend((image.len() as u64).to_le_bytes());
    bytes.extend(kernel.key().0);
    bytes.extend(kernel.request_key().0);
    let checksum = checksum(&bytes, name, image);
    bytes.extend(checksum);
    bytes.extend(name);
    bytes
}

/// The fields of an entry, if it is intact.
pub fn parse(bytes: &[u8]) -> Result<Fields<'_>, Damage> {
    if bytes.get(..8) != Some(&MAGIC[..]) {
        return Err(Damage::Foreign);
    }
    let short = Damage::Length { expected: HEADER as u64, found: bytes.len() as u64 };
    let number = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let version = number(8).ok_or(short)?;
    if version != VERSION {
        return Err(Damage::Version(version));
    }
    let (fields, rest) = bytes.split_at_checked(FIELDS).ok_or(short)?;
    let (sum, rest) = rest.split_at_checked(32).ok_or(short)?;
    let (arch, format) = (number(12).ok_or(short)?, number(16).ok_or(short)?);
    let name_bytes = u64::from(number(20).ok_or(short)?);
    let image_bytes = fields[24..32].iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    let expected = image_bytes.saturating_add(name_bytes).saturating_add(HEADER as u64);
    if expected != bytes.len() as u64 {
        return Err(Damage::Length { expected, found: bytes.len() as u64 });
    }
    let (name, image) = rest.split_at_checked(name_bytes as usize).ok_or(short)?;
    if checksum(fields, name, image) != sum {
        return Err(Damage::Checksum);
    }
    let key = |at: usize| Some(Key(fields.get(at..at + 32)?.try_into().ok()?));
    let (key, request) = (key(32).ok_or(short)?, key(64).ok_or(short)?);
    let format = match format {
        0 => Format::Ptx,
        1 => Format::Cubin,
        _ => return Err(Damage::Description),
    };
    let name = String::from_utf8(name.to_vec()).map_err(|_| Damage::Description)?;
    Ok(Fields { key, request, description: Description { name, arch, format }, image })
}

fn checksum(fields: &[u8], name: &[u8], image: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in [fields, name, image] {
        hash.update(part);
    }
    hash.finalize()
}
