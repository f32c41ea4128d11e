//! Folders that headers are emitted into, with whatever else lies there.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sortsmith_codegen::emit::folder::{self, Scope, State, Survey};
use sortsmith_codegen::emit::{self, EmitError, Extras, File, Header};
use sortsmith_codegen::render;

use crate::{Bytes, Target, allocation, message};

/// The target.
pub const TARGET: Target = Target { name: "emit_folder", run, words, rounds: 600 };

/// Names in the folder beside those of the headers.
const NAMES: [&str; 9] = [
    "block_merge_sort_u8_keys_b32_i1_asc.cuh",
    "manifest.json.old",
    "line\nbreak.cuh",
    "\u{1b}[2J.cuh",
    "..cuh",
    ".sortsmith-0",
    "sub",
    "ä.cuh",
    "notes.txt",
];

const OURS: &str = "// Made by sortsmith 0.1.0\n";
const MANIFEST: &str = "{\n  \"about\": \"Made by sortsmith 0.1.0: the headers of this folder\",\n";

/// A folder of files, links, folders and sockets: `emit` and `--check` neither write nor delete anything outside of it,
/// and end soon; and without `--force` what others made stays.
fn run(data: &[u8]) {
    let mut bytes = Bytes(data);
    let folder = crate::folder();
    let (outside, inside) = (folder.path().join("outside"), folder.path().join("inside"));
    lay_out(&outside);
    fs::create_dir(&inside).expect("a folder");
    let files = files();
    let (how, count) = (bytes.byte(), bytes.below(8));
    for _ in 0..count {
        lay_one(&mut bytes, &inside, &outside, files);
    }
    let before = [state_of(&outside), state_of(&inside)];
    let scope = if how & 1 == 1 { Scope::Folder } else { Scope::Files };
    let (is_check, force, prune) = (how & 2 == 2, how & 4 == 4, how & 8 == 8);
    let (done, peak) =
        allocation::peak_of(|| emit_to(&inside, files, scope, [is_check, force, prune]));
    assert!(peak <= 4 << 20, "{peak} bytes");
    let after = [state_of(&outside), state_of(&inside)];
    assert_eq!(before[0], after[0], "something outside of the folder has changed");
    match done {
        Ok(()) if is_check => assert_eq!(before[1], after[1], "a check changed something"),
        Ok(()) => {
            let survey = Survey::of(&inside, files, scope).expect("it can be read");
            let left = survey.states.iter().filter(|(_, state)| *state != State::Current);
            assert!(
                left.clone().all(|(_, state)| !prune && *state == State::LeftOver),
                "{survey:?}"
            );
        }
        Err(EmitError::Foreign { path }) => {
            assert!(!force);
            assert_eq!(before[1], after[1], "{} is foreign", path.display());
        }
        // A folder with the name of a file, say.
        Err(error) => assert!(!message_of(&error).is_empty()),
    }
    if !force {
        let kept = |name: &str, was: &Thing| is_ours(was) || after[1].get(name) == Some(was);
        assert!(before[1].iter().all(|(name, was)| kept(name, was)), "{before:?} {after:?}");
    }
}

fn emit_to(
    dir: &Path,
    files: &[File],
    scope: Scope,
    [is_check, force, prune]: [bool; 3],
) -> Result<(), EmitError> {
    let survey = Survey::of(dir, files, scope)?;
    if is_check {
        return Ok(());
    }
    folder::write(dir, files, &survey, force, |_| {})?;
    if prune {
        folder::prune(dir, &survey)?;
    }
    Ok(())
}

/// The error's words but for the path, which says what the system says.
fn message_of(error: &EmitError) -> String {
    match error {
        EmitError::Read { source, .. } | EmitError::Write { source, .. } => message::check(source),
        other => other.to_string(),
    }
}

/// What is emitted: a header, the umbrella and the manifest.
fn files() -> &'static [File] {
    static FILES: OnceLock<Vec<File>> = OnceLock::new();
    FILES.get_or_init(|| {
        let spec = "warp_bitonic_sort_u32_keys_w2_i1_asc".parse().expect("legal");
        let header = Header { spec, options: render::Options::default() };
        let extras = Extras { index: true, ..Extras::default() };
        emit::files(&[header], extras, |_| {}).expect("it renders")
    })
}

/// What must stay as it is.
fn lay_out(outside: &Path) {
    fs::create_dir(outside).expect("a folder");
    for (name, text) in [("ours.cuh", OURS), ("manifest.json", MANIFEST), ("theirs.txt", "theirs")]
    {
        fs::write(outside.join(name), text).expect("it is written");
    }
}

/// Puts one thing into the folder.
fn lay_one(bytes: &mut Bytes<'_>, inside: &Path, outside: &Path, files: &[File]) {
    let which = bytes.below(NAMES.len() + files.len());
    let name = NAMES.get(which).copied().unwrap_or_else(|| &files[which - NAMES.len()].name);
    let path = inside.join(name);
    if fs::symlink_metadata(&path).is_ok() {
        return;
    }
    let what = bytes.below(10);
    let placed = match what {
        0 => fs::write(&path, OURS),
        1 => fs::write(&path, MANIFEST),
        2 => fs::write(&path, files[which % files.len()].text.as_bytes()),
        3 => {
            let length = bytes.below(64);
            fs::write(&path, bytes.take(length))
        }
        4 => {
            let target = ["ours.cuh", "manifest.json", "theirs.txt", "none", "."][bytes.below(5)];
            symlink(outside.join(target), &path)
        }
        5 => match bytes.below(4) {
            0 => symlink("/dev/zero", &path),
            1 => symlink("/dev/null", &path),
            2 => symlink("/", &path),
            // To itself.
            _ => symlink(name, &path),
        },
        6 => fs::create_dir(&path).and_then(|()| fs::write(path.join("ours.cuh"), OURS)),
        7 => std::os::unix::net::UnixListener::bind(&path).map(drop),
        8 => pipe(&path),
        // As large as a disk, and nothing in it.
        _ => fs::write(&path, OURS)
            .and_then(|()| fs::File::options().write(true).open(&path)?.set_len(1 << 40)),
    };
    placed.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Makes a named pipe, which no one writes to.
fn pipe(path: &Path) -> std::io::Result<()> {
    unsafe extern "C" {
        fn mkfifo(path: *const std::ffi::c_char, mode: u32) -> std::ffi::c_int;
    }
    let path = std::ffi::CString::new(path.as_os_str().as_encoded_bytes())?;
    // SAFETY: the path ends with a NUL, and is read alone.
    match unsafe { mkfifo(path.as_ptr(), 0o600) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    }
}

/// What lies at a path.
#[derive(Debug, PartialEq, Eq)]
enum Thing {
    File { start: Vec<u8>, bytes: u64, mode: u32 },
    Link(PathBuf),
    Folder(BTreeMap<String, Thing>),
    Other,
}

fn is_ours(thing: &Thing) -> bool {
    match thing {
        Thing::File { start, .. } => folder::is_ours(start),
        // What is at the other end is looked at, and the link is replaced or deleted.
        Thing::Link(to) => ["ours.cuh", "manifest.json"].iter().any(|name| to.ends_with(name)),
        _ => false,
    }
}

fn state_of(dir: &Path) -> BTreeMap<String, Thing> {
    let entries = fs::read_dir(dir).expect("it can be read").map(|it| it.expect("it can be read"));
    entries
        .map(|entry| {
            let (path, kind) = (entry.path(), entry.file_type().expect("it has a type"));
            let thing = if kind.is_symlink() {
                Thing::Link(fs::read_link(&path).expect("it is a link"))
            } else if kind.is_dir() {
                Thing::Folder(state_of(&path))
            } else if kind.is_file() {
                let metadata = fs::metadata(&path).expect("it is there");
                let mut start = Vec::new();
                let file = fs::File::open(&path).expect("it can be read");
                std::io::Read::read_to_end(&mut std::io::Read::take(file, 1 << 16), &mut start)
                    .expect("it can be read");
                Thing::File { start, bytes: metadata.len(), mode: metadata.permissions().mode() }
            } else {
                Thing::Other
            };
            (entry.file_name().to_string_lossy().into_owned(), thing)
        })
        .collect()
}

fn words() -> Vec<String> {
    // Of each kind one thing at each name.
    let things = (0..12u8).flat_map(|name| (0..10u8).map(move |what| [name, what]));
    things.map(|pair| pair.iter().map(|byte| char::from(*byte)).collect()).collect()
}
