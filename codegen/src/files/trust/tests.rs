#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, lchown, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::*;

/// A user that is neither root nor, most likely, the one that runs the tests.
const OTHER_USER: u32 = 65_534;

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn mode_of(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().mode() & 0o7777
}

/// A folder with one file, `a`.
fn folder() -> (tempfile::TempDir, PathBuf, Folder) {
    let outer = tempfile::tempdir().unwrap();
    let path = outer.path().join("made/folder");
    let folder = Folder::make(&path).unwrap();
    folder.write("a", &[b"one", b"two"]).unwrap();
    (outer, path, folder)
}

/// Why it is not trusted.
fn distrust<T: std::fmt::Debug>(result: Result<T, Refusal>) -> Distrust {
    match result {
        Err(Refusal::Distrust(distrust)) => distrust,
        other => panic!("{other:?}"),
    }
}

/// Whether the test may give files away; says so where it may not.
fn may_give_away(path: &Path) -> bool {
    let gave = chown(path, Some(OTHER_USER), None).is_ok();
    if !gave {
        println!("left out: files of another user, which only root can make");
    }
    gave
}

#[test]
fn folders_and_files_are_made_for_their_user_alone() {
    let (_outer, path, folder) = folder();
    assert_eq!(folder.read("a").unwrap(), b"onetwo");
    assert_eq!((mode_of(&path), mode_of(&path.join("a"))), (0o700, 0o600));
    assert_eq!(mode_of(path.parent().unwrap()), 0o700);
    let names: Vec<_> = fs::read_dir(&path).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(names, ["a"]);
}

#[test]
fn what_group_or_others_may_write_to_is_refused() {
    let (_outer, path, folder) = folder();
    let file = path.join("a");
    for mode in [0o777, 0o770, 0o707, 0o720, 0o702, 0o1777, 0o2775] {
        set_mode(&path, mode);
        assert_eq!(distrust(Folder::open(&path)), Distrust::Mode { mode });
        assert_eq!(distrust(Folder::make(&path)), Distrust::Mode { mode });
    }
    for mode in [0o755, 0o700, 0o500, 0o555] {
        set_mode(&path, mode);
        assert!(Folder::open(&path).is_ok(), "{mode:o}");
    }
    set_mode(&path, 0o700);
    for mode in [0o666, 0o660, 0o606, 0o620, 0o602] {
        set_mode(&file, mode);
        assert_eq!(distrust(folder.read("a")), Distrust::Mode { mode });
        assert_eq!(distrust(read_file(&file)), Distrust::Mode { mode });
    }
    folder.write("a", &[b"new"]).unwrap();
    assert_eq!((folder.read("a").unwrap(), mode_of(&file)), (b"new".to_vec(), 0o600));
    let text = Distrust::Mode { mode: 0o666 }.to_string();
    assert_eq!(text, "its mode 0666 lets others write to it; `chmod go-w` forbids it");
}

#[test]
fn what_belongs_to_another_user_is_refused() {
    let (_outer, path, folder) = folder();
    let file = path.join("a");
    if !may_give_away(&file) {
        return;
    }
    let user = rustix::process::geteuid().as_raw();
    let owner = Distrust::Owner { owner: OTHER_USER, user };
    assert_eq!(distrust(folder.read("a")), owner);
    assert_eq!(distrust(read_file(&file)), owner);
    chown(&file, Some(user), None).unwrap();
    chown(&path, Some(OTHER_USER), None).unwrap();
    assert_eq!(distrust(Folder::open(&path)), owner);
    assert_eq!(distrust(Folder::make(&path)), owner);
    chown(&path, Some(user), None).unwrap();
    assert!(Folder::open(&path).is_ok());
    // A link that another user has put in the way, of the folder and above it.
    let link = path.with_extension("link");
    symlink(&path, &link).unwrap();
    lchown(&link, Some(OTHER_USER), None).unwrap();
    let link_owner = Distrust::LinkOwner { owner: OTHER_USER };
    assert_eq!(distrust(Folder::open(&link)), link_owner);
    assert_eq!(distrust(Folder::make(&link.join("below"))), link_owner);
    assert_eq!(distrust(read_file(&link.join("a"))), link_owner);
}

#[test]
fn links_of_the_user_lead_to_folders_and_never_stand_for_files() {
    let (outer, path, folder) = folder();
    let link = outer.path().join("link");
    symlink(&path, &link).unwrap();
    assert_eq!(Folder::open(&link).unwrap().read("a").unwrap(), b"onetwo");
    assert_eq!(read_file(&link.join("a")).unwrap(), b"onetwo");
    let elsewhere = outer.path().join("elsewhere");
    fs::write(&elsewhere, "kept").unwrap();
    for (name, to) in [("b", &*elsewhere), ("c", Path::new("a")), ("d", Path::new("missing"))] {
        symlink(to, path.join(name)).unwrap();
        assert_eq!(distrust(folder.read(name)), Distrust::Link);
        folder.write(name, &[b"mine"]).unwrap();
        assert_eq!(folder.read(name).unwrap(), b"mine");
    }
    assert_eq!(fs::read(&elsewhere).unwrap(), b"kept");
    assert_eq!(folder.read("a").unwrap(), b"onetwo");
}

#[test]
fn what_is_no_regular_file_is_refused_at_once() {
    let (_outer, path, folder) = folder();
    let made = Command::new("mkfifo").arg(path.join("fifo")).status().unwrap();
    assert!(made.success());
    let _socket = UnixListener::bind(path.join("socket")).unwrap();
    fs::create_dir(path.join("folder")).unwrap();
    let (send, received) = mpsc::channel();
    // A FIFO that is opened to be read waits for a writer, for ever.
    thread::spawn(move || {
        for name in ["fifo", "socket", "folder"] {
            send.send((folder.read(name), read_file(&path.join(name)))).unwrap();
        }
        folder.write("fifo", &[b"a file"]).unwrap();
        send.send((folder.read("fifo"), read_file(Path::new("/dev/null")))).unwrap();
    });
    let next = || received.recv_timeout(Duration::from_secs(20)).expect("nothing waits");
    for _ in 0..3 {
        let (in_folder, by_path) = next();
        assert_eq!((distrust(in_folder), distrust(by_path)), (Distrust::Kind, Distrust::Kind));
    }
    let (replaced, device) = next();
    assert_eq!((replaced.unwrap(), distrust(device)), (b"a file".to_vec(), Distrust::Kind));
}

#[test]
fn a_file_that_cannot_be_renamed_is_an_error_and_leaves_nothing() {
    let (_outer, path, folder) = folder();
    fs::create_dir(path.join("b")).unwrap();
    let error = folder.write("b", &[b"new"]).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
    let mut names: Vec<_> =
        fs::read_dir(&path).unwrap().map(|it| it.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(folder.read("a").unwrap(), b"onetwo");
}

/// The folder may be moved and replaced by another: what was opened stays what it was.
#[test]
fn an_opened_folder_is_not_looked_up_again() {
    let (_outer, path, folder) = folder();
    let moved = path.with_extension("moved");
    fs::rename(&path, &moved).unwrap();
    fs::create_dir(&path).unwrap();
    fs::write(path.join("a"), "planted").unwrap();
    assert_eq!(folder.read("a").unwrap(), b"onetwo");
    folder.write("b", &[b"three"]).unwrap();
    assert_eq!(fs::read(moved.join("b")).unwrap(), b"three");
    folder.remove("a").unwrap();
    assert_eq!(fs::read(path.join("a")).unwrap(), b"planted");
}

#[test]
fn this_program_has_no_more_rights_than_its_caller() {
    assert!(!is_privileged());
    assert!(variable("PATH").is_some());
}
