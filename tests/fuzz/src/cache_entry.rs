//! Entries of the cache of compiled kernels.

use std::fs;
use std::path::PathBuf;

use hmac_sha256::Hash as Sha256;
use sortsmith_codegen::Format;
use sortsmith_codegen::cache::{Cache, CacheError, Kernel};
use sortsmith_codegen::toolchain::{CompileOptions, Identity, Source};

use crate::{Bytes, Target, allocation, message};

/// The target.
pub const TARGET: Target = Target { name: "cache_entry", run, words, rounds: 1000 };

const IMAGE: &[u8] = b"\x7fELF, an image of some bytes";
const NAME: &str = "fill";
const ARCH: u32 = 90;

/// Bytes before the checksum, and those of the checksum.
const FIELDS: usize = 96;
const CHECKSUM: usize = 32;

/// An entry that is another than the one written: it is never given out, whatever of it was changed. With a checksum that
/// is right again, which anyone can compute, an entry of another image is as good as one that was written.
///
/// The first byte says what the rest is: a complete file, changes of the right one, or those and a checksum that is right again.
fn run(data: &[u8]) {
    let mut bytes = Bytes(data);
    let folder = crate::folder();
    let cache = Cache::at(folder.path());
    let (right, path) = put(&cache, IMAGE);
    let how = bytes.below(3);
    let file = match how {
        0 => bytes.0.to_vec(),
        1 => changed(&right, &mut bytes),
        _ => with_checksum(changed(&right, &mut bytes)),
    };
    fs::write(&path, &file).expect("it is written");
    let (found, peak) = allocation::peak_of(|| get(&cache));
    assert!(peak <= 4 * file.len() + 16_384, "{peak} bytes for an entry of {}", file.len());
    match found {
        Ok(image) => {
            let image = image.expect("there is an entry");
            assert!(file == put(&cache, &image).0, "an entry that was not written is used");
            assert!(image == IMAGE || how == 2);
            fs::write(&path, &file).expect("it is written");
        }
        Err(error) => {
            assert!(matches!(error, CacheError::Damaged { .. }), "{error}");
            assert!(file != right, "an intact entry is not used: {error}");
            message::check(&error);
        }
    }
    let entries = cache.entries().expect("the folder can be read");
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].bytes, file.len() as u64);
    // What is damaged is replaced.
    assert_eq!(put(&cache, IMAGE).0, right);
    assert_eq!(get(&cache).expect("it is intact").as_deref(), Some(IMAGE));
    assert_eq!(cache.clear().expect("the folder can be emptied").files, 1);
}

fn with_kernel<T>(call: impl FnOnce(&Kernel<'_>) -> T) -> T {
    let source = Source::new(NAME, "extern \"C\" __global__ void fill(int* x) { *x = 7; }");
    let options = CompileOptions::new(ARCH, Format::Cubin);
    let compiler = Identity::Loaded { name: "libnvrtc.so.13".into(), version: (13, 0) };
    call(&Kernel { source, options: &options, compiler: &compiler })
}

fn get(cache: &Cache) -> Result<Option<Vec<u8>>, CacheError> {
    with_kernel(|kernel| cache.get(kernel))
}

/// The entry as it is written, and where.
fn put(cache: &Cache, image: &[u8]) -> (Vec<u8>, PathBuf) {
    with_kernel(|kernel| cache.put(kernel, image)).expect("the folder can be written");
    let mut entries = cache.entries().expect("the folder can be read");
    let path = entries.pop().expect("the only entry").path;
    (fs::read(&path).expect("it is there"), path)
}

/// The right bytes with changes: each an offset, what is done there, and with what.
fn changed(right: &[u8], bytes: &mut Bytes<'_>) -> Vec<u8> {
    let mut file = right.to_vec();
    while !bytes.is_empty() {
        let (what, at, with) = (bytes.below(6), bytes.below(256), bytes.byte());
        let at = at.min(file.len());
        match what {
            0 if at < file.len() => file[at] = with,
            1 if at < file.len() => file[at] ^= 1 << (with % 8),
            2 => file.truncate(file.len() - usize::from(with).min(file.len())),
            3 => file.extend(std::iter::repeat_n(with, usize::from(with))),
            4 => {
                let end = (at + usize::from(with)).min(file.len());
                file.drain(at..end);
            }
            // What the length of the name says is moved between the name and the image.
            5 if file.len() >= FIELDS => {
                let (name, image) = (u32::from(with), u64::from(with));
                file[20..24].copy_from_slice(&name.to_le_bytes());
                let total = (NAME.len() + IMAGE.len()) as u64;
                file[24..32].copy_from_slice(&total.wrapping_sub(image).to_le_bytes());
            }
            _ => {}
        }
    }
    file
}

/// The same with the checksum of what is there.
fn with_checksum(mut file: Vec<u8>) -> Vec<u8> {
    if file.len() >= FIELDS + CHECKSUM {
        let mut hash = Sha256::new();
        hash.update(&file[..FIELDS]);
        hash.update(&file[FIELDS + CHECKSUM..]);
        let sum: [u8; CHECKSUM] = hash.finalize();
        file[FIELDS..FIELDS + CHECKSUM].copy_from_slice(&sum);
    }
    file
}

fn words() -> Vec<String> {
    // The offsets of the fields as changes take them: each byte of version, architecture, format and lengths.
    let offsets =
        (8..32u8).flat_map(|at| [0u8, 1].map(|what| format!("\x02{}", letters([what, at, 1]))));
    offsets.chain(["SORTSMTH", "\0\0\0\0", "\u{1}\0\0\0"].map(str::to_owned)).collect()
}

fn letters(bytes: [u8; 3]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}
