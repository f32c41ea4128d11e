//! Sorts of host slices by a sorter that measures first where they take less time.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use sortsmith::{Error, Sorter};
use sortsmith_codegen::tuning::crossover::{CrossoverFile, Times, default_path};

use super::host::HostCall;
use super::{bytes_of, keys, values};
use crate::inject::{self, Scenario};
use crate::shim::Shim;

/// A number of items between two sizes that are measured.
const BETWEEN: usize = 3000;

/// The two sizes: the times of the first one are in a file, and the second one is measured.
const SIZES: [u64; 2] = [2048, 4096];

/// A call that each sort on the device makes at its end.
const COPY_BACK: &str = "cuMemcpyDtoHAsync_v2";

/// Longer than a size is measured.
const LONG: u32 = 5000;

/// Pairs of the host.
pub struct FewPairs(Vec<u32>, Vec<u64>);

impl HostCall for FewPairs {
    fn new() -> Self {
        Self(keys(BETWEEN), values(BETWEEN))
    }
    fn call(&mut self, sorter: &Sorter) -> Result<(), Error> {
        sorter.sort_pairs(&mut self.0, &mut self.1)
    }
    fn bytes(&self) -> Vec<u8> {
        [bytes_of(&self.0), bytes_of(&self.1)].concat()
    }
}

/// Positions of keys of the host.
pub struct FewPositions(Vec<u32>, Vec<u32>);

impl HostCall for FewPositions {
    fn new() -> Self {
        Self(keys(BETWEEN), vec![7; BETWEEN])
    }
    fn call(&mut self, sorter: &Sorter) -> Result<(), Error> {
        sorter.argsort_into(&self.0, &mut self.1)
    }
    fn bytes(&self) -> Vec<u8> {
        [bytes_of(&self.0), bytes_of(&self.1)].concat()
    }
}

/// A sorter that reads times of one size, measures the next one, and keeps its times. By the times of the file the device sorts, unless
/// a fault keeps them from it; then either side may.
pub struct Measured<C> {
    sorter: Sorter,
    call: C,
    /// The file of times.
    path: PathBuf,
    /// Whether that file is complete and has the times that it had.
    is_kept: bool,
}

impl<C: HostCall> Scenario for Measured<C> {
    /// Three sorts on the device, the last one of the caller's slices; a file that is read, read again and written, beside the kernels'.
    const NEEDED: &'static [(&'static str, usize)] = &[
        ("cuMemcpyHtoDAsync_v2", 3),
        (COPY_BACK, 3),
        ("nvrtcCompileProgram", 1),
        ("file realpath", 3),
        ("file read", 2),
        ("file write", 2),
        ("file chmod", 2),
        ("file rename", 2),
    ];

    fn prepare() -> Self {
        static RUNS: AtomicU32 = AtomicU32::new(0);

        let mut file = Known::of::<C>().file.clone();
        // A process measures once with a GPU, and leaves alone what could not be measured: so each run has a GPU of its own.
        Shim::loaded().name(&format!("Stand-in {}", RUNS.fetch_add(1, Ordering::Relaxed)));
        let sorter = Sorter::new().unwrap();
        let gpu = sorter.gpu_id().unwrap();
        assert_ne!(gpu, file.gpu, "the process knows it");
        let path = default_path(&gpu).unwrap();
        file.gpu = gpu;
        file.write(&path).unwrap();
        Self { sorter, call: C::new(), path, is_kept: true }
    }

    fn act(&mut self) -> Result<(), Error> {
        // The first sort of a measurement loads kernels, and the second one is timed: it takes so long that there is no third one, so each
        // run has the same calls.
        Shim::loaded().sleep(COPY_BACK, Known::of::<C>().copies_back + 1, LONG);
        let sorted = self.call.call(&self.sorter);
        if let Err(error) = &sorted {
            assert!(inject::may_be_torn(error), "the host could have sorted: {error}");
        }
        sorted
    }

    fn finish(&mut self) {
        let file = CrossoverFile::read_any(&self.path);
        let times = file.iter().flat_map(|file| &file.rows).flat_map(|row| &row.times);
        let sizes: Vec<u64> = times.map(|times| times.n).collect();
        if Shim::loaded().fired() == 0 {
            assert_eq!(sizes, SIZES, "without a fault both sizes are known");
        }
        self.is_kept = sizes == SIZES || sizes == SIZES[..1];
    }

    fn reset(&mut self) {
        self.call = C::new();
    }

    fn outcome(&self) -> Vec<u8> {
        let bytes = self.call.bytes();
        let is_right = Known::of::<C>().results.contains(&bytes);
        let result = if is_right { Vec::new() } else { bytes };
        [vec![u8::from(self.is_kept)], result].concat()
    }

    fn is_unchanged(&self) -> bool {
        self.call.bytes() == C::new().bytes()
    }
}

/// What is known of a call before the runs. A process has one scenario, so there is one of it.
struct Known {
    /// Times of the first size, by which the device sorts whatever the second one takes.
    file: CrossoverFile,
    /// The results of a sort on the device and of one on the host.
    results: [Vec<u8>; 2],
    /// How many copies a sort on the device ends with.
    copies_back: u64,
}

impl Known {
    fn of<C: HostCall>() -> &'static Self {
        static KNOWN: OnceLock<Known> = OnceLock::new();
        KNOWN.get_or_init(|| {
            let result = |sorter: &Sorter| {
                let mut call = C::new();
                call.call(sorter).unwrap();
                call.bytes()
            };
            let shim = Shim::loaded();
            let device = Sorter::on_device(0).unwrap();
            shim.forget();
            let by_device = result(&device);
            let copies_back = shim.calls(COPY_BACK);
            let file = Self::measured::<C>();
            Self { file, results: [by_device, result(&Sorter::host())], copies_back }
        })
    }

    /// The file that a measurement leaves, with other times for the first size and without the second one.
    fn measured<C: HostCall>() -> CrossoverFile {
        let sorter = Sorter::new().unwrap();
        C::new().call(&sorter).unwrap();
        let mut file =
            CrossoverFile::read_any(&default_path(&sorter.gpu_id().unwrap()).unwrap()).unwrap();
        let row = &mut file.rows[0];
        assert_eq!(row.times.iter().map(|it| it.n).collect::<Vec<_>>(), SIZES);
        row.times = vec![Times { n: SIZES[0], host: u64::MAX >> 1, gpu: 1 }];
        file
    }
}
