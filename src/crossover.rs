//! Where host slices are sorted, on the GPU or on the host: where it takes less time on this machine.
//!
//! Times are measured at the first sort of a class at about that length, and kept in the cache folder. What is measured are sorts of
//! random keys of the numbers in [`sizes`]; times between two of them are interpolated. Where nothing has been measured, the number
//! of keys decides.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use sortsmith_codegen::trust::variable;
use sortsmith_codegen::tuning::crossover::{Class, CrossoverFile, Times, default_path};
use sortsmith_codegen::tuning::file::{GpuId, NONE, TuningError, VARIABLE};

use crate::error::Error;
use crate::host::threads::PARALLEL_MIN;
use crate::options::{MEASURED_MIN, UNMEASURED_MIN};
use crate::settings::Settings;

/// Slices of more bytes are not measured: their times grow with their length.
const MEASURED_BYTES: u64 = 1 << 26;

/// A size is measured for this long, but once at least.
const LONG_ENOUGH: Duration = Duration::from_millis(4);

/// The most timed sorts of a size.
const ROUNDS: u32 = 5;

/// Times that differ by more than this factor are not measured again.
const CLEAR: u32 = 3;

/// A place to sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The CPU.
    Host,
    /// The GPU, with copies to it and back.
    Device,
}

/// The numbers of keys that are measured. The host sorts by one thread up to one of them, and from the next on by several.
const fn sizes() -> [usize; 13] {
    let mut sizes = [0; 13];
    let (mut at, mut n) = (0, MEASURED_MIN);
    while at < sizes.len() {
        if n == PARALLEL_MIN {
            sizes[at] = PARALLEL_MIN - 1;
            at += 1;
        }
        sizes[at] = n;
        at += 1;
        n <<= if n >= 1 << 20 { 2 } else { 1 };
    }
    sizes
}

/// The sizes that are measured of items of this many bytes.
fn sizes_of(item_bytes: u64) -> impl Iterator<Item = usize> {
    let is_first = |n| n == MEASURED_MIN;
    sizes().into_iter().filter(move |n| is_first(*n) || *n as u64 * item_bytes <= MEASURED_BYTES)
}

/// The sizes next to this number of keys, from below and from above; the largest one twice if it is smaller.
fn sizes_around(n: usize, item_bytes: u64) -> [usize; 2] {
    let mut below = MEASURED_MIN;
    for size in sizes_of(item_bytes) {
        if size >= n {
            return [if size == n { size } else { below }, size];
        }
        below = size;
    }
    [below; 2]
}

/// The times of a sort of n keys, host and GPU, between those of two sizes: on a line through both where all are logarithms, and in
/// proportion to the number of keys where the sizes are the same.
fn interpolate(n: usize, [low, high]: [Times; 2]) -> [f64; 2] {
    let span = (high.n as f64 / low.n as f64).ln();
    let part = (n as f64 / low.n as f64).ln();
    let between = |low: u64, high: u64| {
        let slope = if span > 0.0 { (high as f64 / low as f64).ln() / span } else { 1.0 };
        low as f64 * (part * slope).exp()
    };
    [between(low.host, high.host), between(low.gpu, high.gpu)]
}

/// Times sorts of n keys on both sides: the least of some runs, which alternate. `run` sorts once and returns the time.
pub(crate) fn times(
    n: usize,
    run: &mut dyn FnMut(Side) -> Result<Duration, Error>,
) -> Result<Times, Error> {
    let (mut least, mut spent) = ([Duration::MAX; 2], Duration::ZERO);
    // The first runs load kernels and touch memory. A device that cannot sort is found out before the host has sorted in vain.
    for side in [Side::Device, Side::Host] {
        run(side)?;
    }
    for _ in 0..ROUNDS {
        for (least, side) in least.iter_mut().zip([Side::Host, Side::Device]) {
            let time = run(side)?;
            spent += time;
            *least = time.min(*least);
        }
        let is_clear = least[0].max(least[1]) > CLEAR * least[0].min(least[1]);
        if spent > LONG_ENOUGH || is_clear {
            break;
        }
    }
    let [host, gpu] = least.map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).max(1));
    Ok(Times { n: n as u64, host, gpu })
}

/// What is known of one GPU beside this machine's processor.
#[derive(Debug)]
pub(crate) struct Crossovers {
    /// Where times are kept, if there is a folder.
    path: Option<PathBuf>,
    /// Whether times are measured and read.
    is_measured: bool,
    settings: Settings,
    known: Mutex<Known>,
}

#[derive(Debug)]
struct Known {
    file: CrossoverFile,
    /// Whether the file on disk has been read.
    is_read: bool,
    /// Classes that a thread is measuring, and those that could not be measured.
    left_alone: HashSet<Class>,
}

impl Crossovers {
    /// What the process knows of this GPU. With `SORTSMITH_TUNING=none` nothing is measured.
    pub(crate) fn of_this_process(gpu: GpuId) -> Arc<Self> {
        static ALL: Mutex<Vec<(GpuId, Arc<Crossovers>)>> = Mutex::new(Vec::new());

        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = all.iter().find(|(other, _)| *other == gpu) {
            return Arc::clone(known);
        }
        let path = default_path(&gpu);
        let made = Arc::new(Self::new(gpu.clone(), path, is_enabled(), Settings::from_env()));
        all.push((gpu, Arc::clone(&made)));
        made
    }

    fn new(gpu: GpuId, path: Option<PathBuf>, is_measured: bool, settings: Settings) -> Self {
        let file = CrossoverFile::of(gpu, processor());
        let known = Mutex::new(Known { file, is_read: false, left_alone: HashSet::new() });
        Self { path, is_measured, settings, known }
    }

    /// Whether slices of this many keys, or of fewer, may be sorted on the GPU.
    pub(crate) fn may_copy(&self, n: usize) -> bool {
        n >= if self.is_measured { MEASURED_MIN } else { UNMEASURED_MIN }
    }

    /// Where n keys are to be sorted. `measure` measures sorts of as many random keys as it is told, unless that is known already;
    /// it may sort on other threads, for no lock is held meanwhile. Sorts of no class go by their length.
    pub(crate) fn side(
        &self,
        class: Option<Class>,
        n: usize,
        measure: &mut dyn FnMut(usize) -> Result<Times, Error>,
    ) -> Side {
        let Some(class) = class.filter(|_| self.is_measured && n >= MEASURED_MIN) else {
            return self.by_length(n, "no times of such sorts");
        };
        let sizes = sizes_around(n, class.item_bytes());
        let mut missing: Vec<usize> = {
            let mut known = self.lock();
            let of_sizes = sizes.map(|size| known.times(class, size));
            if let [Some(low), Some(high)] = of_sizes {
                drop(known);
                return self.by_times(class, n, [low, high]);
            }
            // Another thread is measuring, which tasks of this thread's pool may wait for; or it is in vain.
            if !known.left_alone.insert(class) {
                drop(known);
                return self.by_length(n, "times are not known yet");
            }
            let pairs = sizes.into_iter().zip(of_sizes);
            pairs.filter(|(_, times)| times.is_none()).map(|(size, _)| size).collect()
        };
        missing.dedup();
        match self.measure(class, &missing, measure) {
            Ok(()) => {
                let mut known = self.lock();
                match sizes.map(|size| known.times(class, size)) {
                    [Some(low), Some(high)] => {
                        drop(known);
                        self.by_times(class, n, [low, high])
                    }
                    _ => self.by_length(n, "times are not known"),
                }
            }
            Err(error) => {
                self.settings.say(|| format!("sorts of {class} are not timed: {error}"));
                self.by_length(n, "times are not known")
            }
        }
    }

    /// Measures all sizes of a class, whether they are known or not, and keeps their times.
    pub(crate) fn measure_all(
        &self,
        class: Class,
        measure: &mut dyn FnMut(usize) -> Result<Times, Error>,
    ) -> Result<Vec<Times>, Error> {
        let sizes: Vec<usize> = sizes_of(class.item_bytes()).collect();
        self.measure(class, &sizes, measure)?;
        Ok(self.lock().file.row(class).times.clone())
    }

    /// Measures these sizes and keeps their times. A class that cannot be measured is left alone from now on, but for one that a
    /// capture of the stream prevents now.
    fn measure(
        &self,
        class: Class,
        sizes: &[usize],
        measure: &mut dyn FnMut(usize) -> Result<Times, Error>,
    ) -> Result<(), Error> {
        /// Lets others measure the class again, also if this panics.
        struct Claim<'a>(&'a Crossovers, Class);
        impl Drop for Claim<'_> {
            fn drop(&mut self) {
                self.0.lock().left_alone.remove(&self.1);
            }
        }
        let claim = Claim(self, class);
        let measured = sizes.iter().map(|n| measure(*n)).collect::<Result<Vec<Times>, Error>>();
        drop(claim);
        let mut known = self.lock();
        match measured {
            Ok(all) => {
                for times in all {
                    known.file.row(class).set(times);
                }
                self.keep(&mut known);
                Ok(())
            }
            Err(error) => {
                if !matches!(error, Error::Capture { .. }) {
                    known.left_alone.insert(class);
                }
                Err(error)
            }
        }
    }

    /// Writes what is known, with what other processes have written meanwhile.
    fn keep(&self, known: &mut Known) {
        let Some(path) = &self.path else { return };
        let CrossoverFile { gpu, processor, .. } = &known.file;
        if let Ok(there) = CrossoverFile::read(path, gpu, processor) {
            known.add(there);
        }
        if let Err(error) = known.file.write(path) {
            self.settings.say(|| format!("warning: times of sorts are not kept: {error}"));
        }
    }

    /// What is known, with the file's rows.
    fn lock(&self) -> MutexGuard<'_, Known> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.is_read {
            known.is_read = true;
            let CrossoverFile { gpu, processor, .. } = &known.file;
            match self.path.as_ref().map(|path| CrossoverFile::read(path, gpu, processor)) {
                Some(Ok(there)) => known.add(there),
                Some(Err(TuningError::Read { source, .. }))
                    if source.kind() == io::ErrorKind::NotFound => {}
                Some(Err(error)) => {
                    self.settings.say(|| format!("warning: sorts are timed again: {error}"));
                }
                None => {}
            }
        }
        known
    }

    fn by_times(&self, class: Class, n: usize, sizes: [Times; 2]) -> Side {
        let [host, gpu] = interpolate(n, sizes);
        let side = if gpu <= host { Side::Device } else { Side::Host };
        self.settings.say(|| {
            let [host, gpu] = [host, gpu].map(|time| time / 1e3);
            format!("{n} keys, {class}: on the {side}; GPU {gpu:.1} µs, host {host:.1} µs")
        });
        side
    }

    fn by_length(&self, n: usize, reason: &str) -> Side {
        let side = if n < UNMEASURED_MIN { Side::Host } else { Side::Device };
        if n >= MEASURED_MIN {
            self.settings.say(|| format!("{n} keys: on the {side} by their number; {reason}"));
        }
        side
    }
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(if *self == Self::Host { "host" } else { "GPU" })
    }
}

impl Known {
    fn times(&mut self, class: Class, n: usize) -> Option<Times> {
        let row = self.file.rows.iter().find(|row| row.class == class)?;
        row.times.iter().find(|times| times.n == n as u64).copied()
    }

    /// Adds what is not known yet.
    fn add(&mut self, there: CrossoverFile) {
        for row in there.rows {
            for times in row.times {
                if self.times(row.class, times.n as usize).is_none() {
                    self.file.row(row.class).set(times);
                }
            }
        }
    }
}

/// Whether times are measured: unless the environment wants built-in rows alone.
pub(crate) fn is_enabled() -> bool {
    variable(VARIABLE).is_none_or(|value| value != NONE)
}

/// The processor, as far as the system names it.
fn processor() -> String {
    let mut text = String::new();
    // The first processor is in the first bytes, and the system makes no more than are read.
    let read = File::open("/proc/cpuinfo").map(|file| file.take(4096).read_to_string(&mut text));
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let name = name.filter(|_| read.is_ok()).map_or("unknown", |(_, name)| name.trim());
    let count = thread::available_parallelism().map_or(1, usize::from);
    format!("{count} × {} {name}", std::env::consts::ARCH)
}

#[cfg(test)]
mod tests;
