#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

use std::thread;

use super::*;
use crate::toolchain::{CompileOptions, Format, Identity, Source};

/// Calls `check` with a kernel of this text.
fn with_kernel<R>(text: &str, arch: u32, check: impl FnOnce(&Kernel<'_>) -> R) -> R {
    let options = CompileOptions::new(arch, Format::Cubin);
    let compiler = Identity::Loaded { name: "libnvrtc.so.13".into(), version: (13, 0) };
    check(&Kernel { source: Source::new("seven", text), options: &options, compiler: &compiler })
}

fn only_file(dir: &Path) -> PathBuf {
    let files: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|it| it.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].clone()
}

#[test]
fn whatever_a_kernel_depends_on_changes_its_key() {
    let compiler = |version| Identity::Loaded { name: "libnvrtc.so.13".into(), version };
    let options = CompileOptions::new(90, Format::Cubin);
    let source = Source::new("seven", "text");
    let base = Kernel { source, options: &options, compiler: &compiler((13, 0)) }.key();
    let mut seen = vec![base];
    let mut differs = |kernel: Kernel<'_>| {
        assert!(!seen.contains(&kernel.key()), "{kernel:?}");
        seen.push(kernel.key());
    };
    let with = |options: &CompileOptions, check: &mut dyn FnMut(Kernel<'_>)| {
        check(Kernel { source, options, compiler: &compiler((13, 0)) });
    };
    with(&CompileOptions::new(80, Format::Cubin), &mut differs);
    with(&CompileOptions::new(90, Format::Ptx), &mut differs);
    with(&CompileOptions { extra: vec!["-G".to_owned()], ..options.clone() }, &mut differs);
    with(&CompileOptions { include_dirs: vec!["/x".into()], ..options.clone() }, &mut differs);
    differs(Kernel { source, options: &options, compiler: &compiler((13, 1)) });
    let file = |bytes| Identity::File { path: "/lib/libnvrtc.so.13".into(), bytes, modified: 5 };
    differs(Kernel { source, options: &options, compiler: &file(1) });
    differs(Kernel { source, options: &options, compiler: &file(2) });
    let headers = [("a.h", "b")];
    for source in [
        Source::new("seven", "texts"),
        Source::new("sevens", "text"),
        Source::new("sevent", "ext"),
        Source { headers: &headers, ..source },
    ] {
        differs(Kernel { source, options: &options, compiler: &compiler((13, 0)) });
    }
}

#[test]
fn a_damaged_entry_is_reported_and_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::at(dir.path());
    let image: Vec<u8> = (0..1000u32).map(|byte| byte as u8).collect();
    with_kernel("a", 90, |kernel| {
        cache.put(kernel, &image).unwrap();
        let path = only_file(dir.path());
        let intact = fs::read(&path).unwrap();
        let damaged = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            let error = cache.get(kernel).unwrap_err();
            let CacheError::Damaged { damage, .. } = error else { panic!("{error}") };
            assert_eq!(cache.entries().unwrap().len(), 1);
            cache.put(kernel, &image).unwrap();
            assert_eq!(cache.get(kernel).unwrap().as_ref(), Some(&image));
            damage
        };
        assert_eq!(damaged(b""), Damage::Foreign);
        assert_eq!(damaged(b"#!/bin/sh\n"), Damage::Foreign);
        for length in (8..140).chain([intact.len() - 1]) {
            assert!(matches!(damaged(&intact[..length]), Damage::Length { .. }), "{length}");
        }
        assert!(matches!(damaged(&[&intact[..], b"x"].concat()), Damage::Length { .. }));
        // Any one bit.
        for byte in (0..140).chain((140..intact.len()).step_by(37)) {
            let mut bytes = intact.clone();
            bytes[byte] ^= 0x10;
            damaged(&bytes);
        }
        let mut newer = intact.clone();
        newer[8] = 3;
        assert_eq!(damaged(&newer), Damage::Version(3));
        let other = with_kernel("b", 90, |other| {
            cache.put(other, b"other").unwrap();
            let path = dir.path().join(file_name(&other.request_key(), &other.key()));
            let bytes = fs::read(&path).unwrap();
            fs::remove_file(path).unwrap();
            bytes
        });
        fs::write(&path, other).unwrap();
        let error = cache.get(kernel).unwrap_err();
        assert!(matches!(error, CacheError::Damaged { damage: Damage::Key, .. }), "{error}");
        let error = cache.get_of_any_compiler(&kernel.source, kernel.options).unwrap_err();
        assert!(matches!(error, CacheError::Damaged { damage: Damage::Key, .. }), "{error}");
    });
}

#[test]
fn a_folder_that_cannot_be_used_is_an_error_and_no_panic() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "mine").unwrap();
    for path in [file.clone(), file.join("below")] {
        let cache = Cache::at(&path);
        with_kernel("a", 90, |kernel| {
            assert_eq!(cache.get(kernel).unwrap(), None);
            assert!(matches!(cache.put(kernel, b"x"), Err(CacheError::MakeFolder { .. })));
        });
        assert!(matches!(cache.entries(), Err(CacheError::Read { .. })));
        assert!(matches!(cache.clear(), Err(CacheError::Read { .. })));
    }
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    let none = Cache { dir: None };
    with_kernel("a", 90, |kernel| {
        assert!(matches!(none.get(kernel), Err(CacheError::NoFolder)));
        assert!(matches!(none.put(kernel, b"x"), Err(CacheError::NoFolder)));
    });
    assert_eq!(Cache::at(dir.path().join("missing")).entries().unwrap(), []);
    assert_eq!(Cache::at(dir.path().join("missing")).clear().unwrap(), Cleared::default());
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_read() {
    use std::os::unix::fs::PermissionsExt;

    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::at(dir.path());
    with_kernel("a", 90, |kernel| cache.put(kernel, b"kept").unwrap());
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o555)).unwrap();
    // Root may write anywhere.
    let may_write = fs::write(dir.path().join("probe"), "").is_ok();
    with_kernel("a", 90, |kernel| assert_eq!(cache.get(kernel).unwrap().unwrap(), b"kept"));
    let written = with_kernel("b", 90, |kernel| cache.put(kernel, b"x"));
    assert_eq!(may_write, written.is_ok());
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn threads_that_race_see_complete_entries() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::at(dir.path().join("made/by/the/first"));
    let images: Vec<Vec<u8>> = (0..4u8).map(|byte| vec![byte; 100_000]).collect();
    thread::scope(|scope| {
        for image in &images {
            scope.spawn(|| {
                for _ in 0..50 {
                    with_kernel("a", 90, |kernel| {
                        cache.put(kernel, image).unwrap();
                        let found = cache.get(kernel).unwrap().unwrap();
                        assert!(images.contains(&found));
                    });
                }
            });
        }
    });
    assert_eq!(cache.entries().unwrap().len(), 1);
}

#[test]
fn clearing_leaves_what_is_not_ours() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::at(dir.path());
    with_kernel("a", 90, |kernel| cache.put(kernel, b"a").unwrap());
    with_kernel("a", 80, |kernel| cache.put(kernel, b"b").unwrap());
    fs::write(dir.path().join(".sortsmith-left"), "cut").unwrap();
    fs::write(dir.path().join("notes.kernel"), "mine").unwrap();
    fs::create_dir(dir.path().join("folder.kernel")).unwrap();
    let entries = cache.entries().unwrap();
    let archs: Vec<u32> =
        entries.iter().map(|entry| entry.content.as_ref().unwrap().arch).collect();
    assert_eq!(archs, [80, 90]);
    let cleared = cache.clear().unwrap();
    assert_eq!(cleared.files, 3);
    assert_eq!(cleared.bytes, entries.iter().map(|entry| entry.bytes).sum::<u64>() + 3);
    let left = fs::read_dir(dir.path()).unwrap().count();
    assert_eq!(left, 2);
}

#[cfg(unix)]
mod shared;
