use std::collections::HashSet;
use std::fs;

use super::*;

fn gpu() -> GpuId {
    let (name, arch) = ("NVIDIA H200".to_owned(), 90);
    GpuId { name, arch, multiprocessors: 132, shared_bytes_per_block: 227 * 1024 }
}

fn row(most: u64, index: usize) -> Row {
    let case = Case::of(KeyType::F32, ValueType::U32, most).expect("a class");
    let candidates = case.candidates(gpu().device());
    let [kernel, built_in] = [candidates[index], candidates[0]];
    Row { case, kernel, built_in, ratio: 1.07, date: "2026-11-22".to_owned() }
}

fn written() -> (tempfile::TempDir, PathBuf, TuningFile) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("below/tuning.toml");
    let mut file = TuningFile::of(gpu());
    file.set(row(1 << 20, 1));
    file.set(row(1 << 22, 2));
    file.set(row(1 << 20, 3));
    file.write(&path).expect("it is written");
    (folder, path, file)
}

#[test]
fn a_file_comes_back_as_it_was_written() {
    let (_folder, path, file) = written();
    let read = TuningFile::read(&path, &gpu()).expect("it is intact");
    assert_eq!(read, file);
    assert_eq!((read.rows.len(), read.rows[0].clone()), (2, row(1 << 20, 3)));
    let tuning = read.tuning();
    assert_eq!(tuning.shape(&file.rows[1].case), Some(file.rows[1].kernel.shape()));
    let text = fs::read_to_string(&path).expect("it is text");
    assert!(text.contains("\nkernel = \"device_sample_sort_f32_u32_"), "{text}");
}

#[test]
fn a_file_is_a_table_of_its_gpu_and_one_for_each_row() {
    let mut file = TuningFile::of(gpu());
    let text = |file: &TuningFile| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("tuning.toml");
        file.write(&path).expect("it is written");
        let text = fs::read_to_string(&path).expect("it is text");
        text.split_once('\n').expect("two lines").1.to_owned()
    };
    let generator = format!("{NOTE}generator = \"{VERSION}\"\n");
    let gpu = "\n[gpu]\nname = \"NVIDIA H200\"\narch = 90\nmultiprocessors = 132\nshared_bytes_per_block = 232448\n";
    assert_eq!(text(&file), format!("{generator}row = []\n{gpu}"));
    let row = row(1 << 20, 1);
    file.set(row.clone());
    file.set(Row {
        case: Case::of(KeyType::F32, ValueType::U32, 1 << 22).expect("a class"),
        ratio: 2.0,
        ..row.clone()
    });
    let source = source_of(&row.kernel).expect("it is rendered");
    let Row { kernel, built_in, .. } = row;
    let rows = [(1 << 20, "1.07"), (1 << 22, "2.0")].map(|(most, ratio)| {
        format!(
            "\n[[row]]\nkey = \"f32\"\nvalue = \"u32\"\nmost_items = {most}\nkernel = \"{kernel}\"\n\
             built_in = \"{built_in}\"\nratio = {ratio}\ndate = \"2026-11-22\"\nsource = \"{source}\"\n"
        )
    });
    assert_eq!(text(&file), format!("{generator}{gpu}{}", rows.concat()));
}

/// Another shape is another source, and so another entry in the cache of compiled kernels.
#[test]
fn every_shape_has_a_source_of_its_own() {
    let case = row(1 << 22, 0).case;
    let candidates = case.candidates(gpu().device());
    let sources: HashSet<String> =
        candidates.iter().map(|spec| source_of(spec).expect("it is rendered")).collect();
    assert_eq!(sources.len(), candidates.len());
}

#[test]
fn the_file_name_names_the_gpu() {
    assert_eq!(gpu().file_name("tuning"), "tuning-nvidia-h200-sm_90.toml");
    let name = "NVIDIA / ../x (R) PCIe".to_owned();
    assert_eq!(GpuId { name, ..gpu() }.file_name("tuning"), "tuning-nvidia-x-r-pcie-sm_90.toml");
}

/// Every cut and every changed byte is found out.
#[test]
fn a_damaged_file_is_reported() {
    let (_folder, path, _) = written();
    let bytes = fs::read(&path).expect("it is there");
    for length in 0..bytes.len() {
        fs::write(&path, &bytes[..length]).expect("it is written");
        let error = TuningFile::read(&path, &gpu()).expect_err("it is cut");
        let is_reported =
            matches!(error, TuningError::Damaged { .. } | TuningError::NoTuning { .. });
        assert!(is_reported, "{length}: {error}");
    }
    for offset in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[offset] ^= 0x80 >> (offset % 8);
        fs::write(&path, &changed).expect("it is written");
        assert!(TuningFile::read(&path, &gpu()).is_err(), "byte {offset}");
    }
    let missing = TuningFile::read(&path.with_extension("none"), &gpu());
    assert!(matches!(missing, Err(TuningError::Read { .. })), "{missing:?}");
}

/// The file with one text replaced, and a checksum that is right again.
fn forged(path: &Path, from: &str, to: &str) -> Result<TuningFile, TuningError> {
    let text = fs::read_to_string(path).expect("it is text");
    let (_, body) = text.split_once('\n').expect("two lines");
    assert!(body.contains(from), "{from}");
    let body = body.replacen(from, to, 1);
    let forged = path.with_extension("forged");
    fs::write(&forged, format!("{MARK}{}\n{body}", checksum(&body))).expect("it is written");
    TuningFile::read(&forged, &gpu())
}

#[test]
fn files_of_others_are_refused() {
    let (_folder, path, file) = written();
    assert_eq!(forged(&path, "f32", "f32").expect("nothing has changed"), file);
    let error = forged(&path, "H200", "H100").expect_err("another GPU").to_string();
    assert!(error.contains("is of an NVIDIA H100 (sm_90, "), "{error}");
    for number in ["arch = 90", "multiprocessors = 132", "shared_bytes_per_block = 232448"] {
        let error = forged(&path, number, &format!("{number}0")).expect_err("another GPU");
        assert!(matches!(error, TuningError::Foreign { .. }), "{error}");
    }
    let version = format!("generator = \"{VERSION}\"");
    let error = forged(&path, &version, "generator = \"0.0.1\"").expect_err("another version");
    assert!(error.to_string().contains("is of sortsmith 0.0.1, and this is"), "{error}");
}

#[test]
fn rows_that_are_no_specs_are_refused() {
    let (_folder, path, file) = written();
    let name = file.rows[0].kernel.to_string();
    for (from, to, words) in [
        (&*name, "device_radix_sort_f32_u32_b100_i4_asc", "threads = 100 is not legal"),
        (&*name, "device_radix_sort_u32_u32_b256_i4_asc", "is not of f32_u32 up to 1048576"),
        (&*name, "device_radix_sort_f32_u32_b256_i4_desc", "is not of f32_u32 up to 1048576"),
        (&*name, "device_sample_sort_f32_u32_b256_i2_asc", "max_items = 131072"),
        (&*name, "device_bitonic_sort_f32_u32_b256_i4_asc", "algorithm = device-bitonic"),
        ("most_items = 1048576", "most_items = 1048577", "there is no case"),
        ("ratio = 1.07", "ratio = -1.0", "ratio = -1 is not legal"),
        ("date", "day", "unknown field `day`; legal: key, value, "),
        ("date = \"2026-11-22\"\n", "", "missing field `date`"),
        (
            "most_items = 1048576",
            "most_items = \"few\"",
            "most_items = \"few\" is not legal; legal: 0 to ",
        ),
        ("key = \"f32\"", "key = \"f31\"", "key `f31` is unknown; legal: "),
        ("arch = 90", "arch = -90", "arch = -90 is not legal; legal: 0 to 4294967295"),
        ("[[row]]", "[row", "damaged"),
    ] {
        let error = forged(&path, from, to).expect_err(to).to_string();
        assert!(error.contains(words) && error.contains("is damaged: "), "{to}: {error}");
    }
}

#[test]
fn rows_of_other_sources_are_left_out() {
    let (_folder, path, file) = written();
    let source = source_of(&file.rows[0].kernel).expect("it is rendered");
    let read = forged(&path, &source, &"0".repeat(64)).expect("it is legal");
    assert_eq!(read.rows, file.rows[1..]);
    assert_eq!(read.stale, [file.rows[0].kernel.to_string()]);
}

/// What others could have written, in a process with an umask of 000.
#[cfg(unix)]
mod of_others {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;

    use super::*;

    /// The folder of the child process.
    const DIR: &str = "SORTSMITH_TEST_TUNING_DIR";

    fn mode_of(path: &Path) -> u32 {
        fs::symlink_metadata(path).expect("it is there").permissions().mode() & 0o7777
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours");
    }

    /// What is not trusted of a tuning file, and why.
    fn distrust(path: &Path) -> (PathBuf, Distrust) {
        match TuningFile::read(path, &gpu()) {
            Err(TuningError::Untrusted { path, reason }) => (path, reason),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn files_and_folders_are_made_for_their_user_and_refused_if_others_may_write() {
        let test = "files_and_folders_are_made_for_their_user_and_refused_if_others_may_write";
        if let Some(dir) = std::env::var_os(DIR) {
            let dir = PathBuf::from(dir);
            let cached = default_path(&gpu()).expect("the parent names a folder");
            assert_eq!(cached.parent(), Some(&*dir.join("made/cache")));
            check(&cached);
            check(&dir.join("named/below/tuning.toml"));
            // The folder counts where it is the cache's.
            let folder = cached.parent().expect("it has one");
            set_mode(folder, 0o777);
            let reason = Distrust::Mode { mode: 0o777 };
            assert_eq!(distrust(&cached), (folder.to_owned(), reason));
            let error = TuningFile::of(gpu()).write(&cached).expect_err("neither is it written");
            assert!(matches!(error, TuningError::Untrusted { .. }), "{error}");
            return;
        }
        let dir = tempfile::tempdir().expect("a temporary folder");
        let dir = dir.path().canonicalize().expect("it is there");
        let this = std::env::current_exe().expect("a test knows its program");
        let mut child = Command::new("sh");
        child.args(["-c", "umask 000; exec \"$0\" \"$@\""]).arg(this);
        child.args([
            "--exact",
            &format!("{}::{test}", module_path!().split_once("::").expect("a crate").1),
        ]);
        child.env(DIR, &dir).env("SORTSMITH_CACHE_DIR", dir.join("made/cache"));
        let output = child.output().expect("the child runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
    }

    /// A file of this path is trusted as long as it is this user's alone, and a plain file.
    fn check(path: &Path) {
        let mut file = TuningFile::of(gpu());
        file.set(row(1 << 20, 1));
        let write = || file.write(path).expect("it is written");
        write();
        let folder = path.parent().expect("it has one");
        let above = folder.parent().expect("it has one");
        assert_eq!([above, folder, path].map(mode_of), [0o700, 0o700, 0o600], "{}", path.display());
        assert_eq!(TuningFile::read(path, &gpu()).expect("it is ours").rows.len(), 1);
        for mode in [0o666, 0o620, 0o602] {
            set_mode(path, mode);
            assert_eq!(distrust(path), (path.to_owned(), Distrust::Mode { mode }));
        }
        // It is written over, for its user alone again.
        write();
        assert_eq!(mode_of(path), 0o600);
        let moved = path.with_extension("moved");
        fs::rename(path, &moved).expect("it is ours");
        symlink(&moved, path).expect("it is ours");
        if default_path(&gpu()).as_deref() == Some(path) {
            assert_eq!(distrust(path), (path.to_owned(), Distrust::Link));
        } else {
            // The user may name a file by a link of the user's, to what is trusted itself.
            assert_eq!(TuningFile::read(path, &gpu()).expect("it is ours"), file);
            set_mode(&moved, 0o666);
            assert_eq!(distrust(path), (path.to_owned(), Distrust::Mode { mode: 0o666 }));
        }
        fs::remove_file(path).expect("it is ours");
        let made = Command::new("mkfifo").arg(path).status().expect("mkfifo runs");
        assert!(made.success());
        assert_eq!(distrust(path), (path.to_owned(), Distrust::Kind));
        write();
        assert_eq!(TuningFile::read(path, &gpu()).expect("it is ours"), file);
    }
}
