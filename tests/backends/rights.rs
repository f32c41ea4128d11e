//! Programs that run with more rights than the user that started them.

use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

use super::{CHILD, is_child};

const ANOTHER_USER: u32 = 65_534;

/// What a child writes before whether the system says that it has more rights.
#[cfg(target_os = "linux")]
const SECURE: &str = "more rights: ";

fn say_backend() {
    let backend = sortsmith::backend();
    println!("{}", backend.map_or_else(|error| error.to_string(), |it| it.to_string()));
}

/// A copy of this program that anyone may run.
struct Copy {
    dir: TempDir,
    test: &'static str,
}

impl Copy {
    fn new(test: &'static str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        set_permissions(dir.path(), Permissions::from_mode(0o755)).unwrap();
        let copy = Self { dir, test };
        // By another process: as long as a child of another test has a file open that this one writes to, no process can run it.
        let this = std::env::current_exe().unwrap();
        assert!(Command::new("cp").arg(this).arg(copy.path()).status().unwrap().success());
        copy
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("program")
    }

    fn command(&self, backend: &str) -> Command {
        let mut command = Command::new(self.path());
        command.args(["--exact", self.test, "--nocapture"]).current_dir(self.dir.path());
        command.env(CHILD, "1").env("CUDA_VISIBLE_DEVICES", "");
        command.envs([("SORTSMITH_BACKEND", backend), ("SORTSMITH_VERBOSE", "1")]);
        command
    }
}

/// What it writes.
fn said(mut command: Command) -> String {
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&said));
    String::from_utf8_lossy(&said).into_owned()
}

fn expect_heeded(said: &str) {
    assert!(said.contains("SORTSMITH_BACKEND") && said.contains("tpu"), "{said}");
}

fn expect_ignored(said: &str) {
    assert!(said.contains("host") && !said.contains("tpu"), "{said}");
    assert!(!said.contains("sortsmith: "), "{said}");
}

/// A program that runs with the rights of its owner does not listen to the user that started it.
#[test]
fn a_program_with_more_rights_ignores_variables() {
    if is_child() {
        return say_backend();
    }
    let copy = Copy::new("rights::a_program_with_more_rights_ignores_variables");
    let run = |backend: &str| said(copy.command(backend));
    let own = run("");
    expect_heeded(&run("tpu"));
    assert!(own.contains("host") && own.contains("sortsmith: "), "{own}");
    if chown(copy.path(), Some(ANOTHER_USER), None).is_err() {
        println!("left out: programs of another user, which only root can make");
        return;
    }
    set_permissions(copy.path(), Permissions::from_mode(0o4755)).unwrap();
    expect_ignored(&run("tpu"));
}

/// Neither does one that has a capability, although its ids are those of the user that started it.
#[cfg(target_os = "linux")]
#[test]
fn a_program_with_a_capability_ignores_variables() {
    use std::os::unix::process::CommandExt;

    if is_child() {
        // SAFETY: the call has no preconditions.
        println!("{SECURE}{}", unsafe { libc::getauxval(libc::AT_SECURE) });
        return say_backend();
    }
    let copy = Copy::new("rights::a_program_with_a_capability_ignores_variables");
    let run = || {
        let mut command = copy.command("tpu");
        command.uid(ANOTHER_USER).gid(ANOTHER_USER);
        said(command)
    };
    // SAFETY: the call has no preconditions.
    if unsafe { libc::geteuid() } != 0 {
        println!("left out: programs with capabilities, which only root can make");
        return;
    }
    expect_heeded(&run());
    if let Err(error) = set_capability(&copy) {
        println!("left out: programs with capabilities: {error}");
        return;
    }
    let with_capability = run();
    if with_capability.contains(&format!("{SECURE}0")) {
        println!("left out: programs with capabilities, which are not granted here");
        return;
    }
    expect_ignored(&with_capability);
}

/// Lets a program listen on ports below 1024.
#[cfg(target_os = "linux")]
fn set_capability(program: &Copy) -> std::io::Result<()> {
    use std::ffi::CString;
    use std::os::unix::ffi::OsStringExt;

    /// The kernel's `vfs_cap_data`: revision 2, effective at once; the permitted and the inheritable ones of each 32.
    const DATA: [u32; 5] = [0x0200_0001, 1 << CAP_NET_BIND_SERVICE, 0, 0, 0];
    const CAP_NET_BIND_SERVICE: u32 = 10;

    let path = CString::new(program.path().into_os_string().into_vec()).unwrap();
    let bytes = DATA.map(u32::to_le_bytes).concat();
    // SAFETY: both strings end in NUL, and the value has as many bytes as the length says.
    let code = unsafe {
        let name = c"security.capability".as_ptr();
        libc::setxattr(path.as_ptr(), name, bytes.as_ptr().cast(), bytes.len(), 0)
    };
    if code == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}
