//! The machine that a bench runs on, as far as it can be queried.

use std::process::Command;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// What `nvidia-smi` is queried for, in the order of [`Smi`]'s fields.
const QUERY: &str = "--query-gpu=driver_version,clocks.sm,clocks.mem";

/// The commit of programs that run without their repository.
const COMMIT: &str = "SORTSMITH_COMMIT";

/// Today, in universal time.
pub fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}

/// The commit: what the variable `SORTSMITH_COMMIT` says, else that of the repository here.
pub fn commit() -> Option<String> {
    let of_variable = std::env::var(COMMIT).ok().filter(|commit| !commit.is_empty());
    of_variable.or_else(|| {
        let arguments = ["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"];
        answer(Command::new("git").args(arguments))
    })
}

/// What `nvidia-smi` says of a GPU; none of what it does not know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Smi {
    /// The version of the driver.
    pub driver: Option<String>,
    /// The clock of the multiprocessors now, in MHz.
    pub sm_clock_mhz: Option<u32>,
    /// The clock of the memory now, in MHz.
    pub memory_clock_mhz: Option<u32>,
}

impl Smi {
    /// Asks for the GPU with this identifier, which CUDA's numbers are none of.
    pub fn ask(uuid: [u8; 16]) -> Self {
        let mut smi = Command::new("nvidia-smi");
        smi.args([QUERY, "--format=csv,noheader,nounits"]);
        smi.arg(format!("--id={}", smi_name(uuid)));
        answer(&mut smi).map(|text| Self::parse(&text)).unwrap_or_default()
    }

    fn parse(text: &str) -> Self {
        let mut words = text.lines().next().unwrap_or_default().split(',').map(str::trim);
        let driver = words.next().filter(|word| word.contains('.')).map(str::to_owned);
        let mut clock = || words.next().and_then(|word| word.parse().ok());
        Self { driver, sm_clock_mhz: clock(), memory_clock_mhz: clock() }
    }
}

/// As `nvidia-smi` writes identifiers.
fn smi_name(uuid: [u8; 16]) -> String {
    let mut name = "GPU".to_owned();
    let mut left = uuid.as_slice();
    for bytes in [4, 2, 2, 2, 6] {
        let (part, rest) = left.split_at(bytes);
        name.push('-');
        name.extend(part.iter().map(|byte| format!("{byte:02x}")));
        left = rest;
    }
    name
}

/// What a program says; none if it cannot be started or fails.
fn answer(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// What a head says of a GPU.
#[cfg(feature = "cuda")]
mod of_cuda {
    use std::sync::Arc;

    use cudarc::driver::{CudaContext, DriverError};
    use sortsmith_codegen::Arch;

    use super::{Smi, commit, today};
    use crate::Head;

    /// The head of a run that has measured all that it measures on this GPU. Copies are in bytes a second.
    pub fn head(
        context: &Arc<CudaContext>,
        compiler: String,
        cub: Option<String>,
        copy: f64,
    ) -> Result<Head, DriverError> {
        let (major, minor) = context.compute_capability()?;
        let uuid = context.uuid()?.bytes.map(|byte| byte.to_ne_bytes()[0]);
        let Smi { driver, sm_clock_mhz, memory_clock_mhz } = Smi::ask(uuid);
        Ok(Head {
            gpu: context.name()?,
            arch: Arch::new((major * 10 + minor).cast_unsigned()).ok(),
            driver,
            compiler: Some(compiler),
            cub,
            commit: commit(),
            date: today(),
            sm_clock_mhz,
            memory_clock_mhz,
            copy_gbytes_per_second: Some(copy / 1e9),
        })
    }
}

#[cfg(feature = "cuda")]
pub use of_cuda::head;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_of_nvidia_smi_is_read_to_its_end() {
        let smi = Smi::parse("580.95.05, 1980, 3201\n");
        assert_eq!(smi.driver.as_deref(), Some("580.95.05"));
        assert_eq!((smi.sm_clock_mhz, smi.memory_clock_mhz), (Some(1980), Some(3201)));
        let hidden = Smi::parse("580.95.05, [N/A], [N/A]");
        assert_eq!((hidden.driver.is_some(), hidden.sm_clock_mhz), (true, None));
        assert_eq!(Smi::parse("No devices were found"), Smi::default());
    }

    #[test]
    fn identifiers_are_written_as_nvidia_smi_has_them() {
        let uuid = [0x0f, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0xff];
        assert_eq!(smi_name(uuid), "GPU-0f010203-0405-0607-0809-0a0b0c0d0eff");
    }

    #[test]
    fn a_commit_is_forty_digits() {
        // In a folder without a repository there is nothing to say.
        if let Some(commit) = commit() {
            let digits = commit.trim_end_matches("-dirty");
            assert!(
                digits.len() == 40 && digits.chars().all(|it| it.is_ascii_hexdigit()),
                "{commit}"
            );
        }
    }
}
