//! Sorts of host slices by a GPU, copies included, beside the time that the bus needs for the copies.
//!
//! `cargo bench -p sortsmith-benches --bench host_slices`: pageable slices through pinned memory of the sorter's, pinned slices, and pageable slices that the
//! driver copies; the host's sort, and the sort of a sorter that chooses, over the better of both. Times are medians. 100% is one copy of all bytes to the device and one back, each at the rate that a long copy from
//! or to pinned memory has in the same run. `SORTSMITH_BENCH_LOG2` names the numbers of keys, as powers of two with commas between,
//! `SORTSMITH_REPETITIONS` how often each sort is timed, and `SORTSMITH_STAGING_MIB` the largest size of the sorter's pinned memory. Last are
//! sorts in runs, of `SORTSMITH_RUNS_LOG2` items.

mod runs;

use std::slice;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytemuck::Pod;
use cudarc::driver::{CudaStream, DevicePtr as _, DeviceRepr, result};
use rayon::prelude::*;
use sortsmith::{SortKey, SortValue, Sorter};
use sortsmith_benchkit::settings::variable;

/// The numbers of keys, as powers of two, without a variable.
const LOG2: &str = "8,10,12,14,16,18,20,22,24,26";

/// A sort is timed again until this time is over, or as often as it is to be.
const LONG_ENOUGH: Duration = Duration::from_millis(150);

/// The first sorts, which are not counted.
const WARM_UPS: usize = 2;

/// Bytes of the copies that give the rate of the bus.
const BUS_BYTES: usize = 1 << 28;

fn main() -> Result<(), String> {
    let context = match sortsmith::cuda_context(0) {
        Ok(context) => context,
        Err(reason) => {
            println!("left out: sorts of host slices by a GPU: {reason}");
            return Ok(());
        }
    };
    let log2: String = variable("SORTSMITH_BENCH_LOG2", LOG2.to_owned())?;
    let repetitions = variable("SORTSMITH_REPETITIONS", 11)?;
    let staging = variable("SORTSMITH_STAGING_MIB", Sorter::STAGING_BYTES >> 20)? << 20;
    let stream = context.new_stream().map_err(text)?;
    let chooses = Sorter::new().map_err(text)?;
    let run = Run { stream, chooses, repetitions, staging };
    let bus = run.bus()?;
    let Bus { up, down, both } = bus;
    println!("{}, {} threads", context.name().map_err(text)?, rayon::current_num_threads());
    println!("the bus, GB/s: to the device {up:.1}, back {down:.1}, both ways at once {both:.1}");
    println!("µs, and the share of the bus's limit in percent");
    println!(
        "types,log2,limit,sort alone,pageable,share,pinned,share,by the driver,share,host,chosen,over the better"
    );
    for log2 in log2.split(',').filter(|it| !it.is_empty()) {
        let log2: u32 = log2.parse().map_err(|_| format!("{log2} is no power of two"))?;
        run.measure::<u32, ()>("u32", log2, bus)?;
        run.measure::<f32, u32>("f32 u32", log2, bus)?;
        run.measure::<u64, u32>("u64 u32", log2, bus)?;
    }
    runs::measure(&run, bus)
}

/// GB/s of long copies from and to pinned memory.
#[derive(Clone, Copy)]
struct Bus {
    up: f64,
    down: f64,
    both: f64,
}

struct Run {
    stream: Arc<CudaStream>,
    chooses: Sorter,
    repetitions: usize,
    staging: usize,
}

impl Run {
    fn bus(&self) -> Result<Bus, String> {
        let other = self.stream.context().new_stream().map_err(text)?;
        let [mut from, mut to] = [Pinned::<u8>::new(BUS_BYTES)?, Pinned::<u8>::new(BUS_BYTES)?];
        let [there, here] = [(); 2].map(|()| self.stream.alloc_zeros::<u8>(BUS_BYTES));
        let (there, here) = (there.map_err(text)?, here.map_err(text)?);
        let [there, here] = [&there, &here].map(|slice| slice.device_ptr(&self.stream).0);
        let (up_stream, down_stream) = (self.stream.cu_stream(), other.cu_stream());
        let mut rate = |is_up, is_down| {
            let mut times: Vec<f64> = Vec::new();
            for _ in 0..5 {
                let begin = Instant::now();
                // SAFETY: all memory is as long, and is kept until the copies have been waited for.
                unsafe {
                    if is_up {
                        result::memcpy_htod_async(there, from.items(), up_stream).map_err(text)?;
                    }
                    if is_down {
                        result::memcpy_dtoh_async(to.items(), here, down_stream).map_err(text)?;
                    }
                    result::stream::synchronize(up_stream).map_err(text)?;
                    result::stream::synchronize(down_stream).map_err(text)?;
                }
                times.push(begin.elapsed().as_secs_f64());
            }
            let copies = f64::from(u8::from(is_up) + u8::from(is_down));
            Ok::<f64, String>(copies * BUS_BYTES as f64 / median(times) / 1e9)
        };
        Ok(Bus { up: rate(true, false)?, down: rate(false, true)?, both: rate(true, true)? })
    }

    fn measure<K, V>(&self, types: &str, log2: u32, bus: Bus) -> Result<(), String>
    where
        K: SortKey + Pod + PartialOrd + Random + DeviceRepr,
        V: SortValue + Number,
    {
        let n = 1 << log2;
        let keys: Vec<K> = (0..n as u64).into_par_iter().map(K::random).collect();
        let values: Vec<V> = (0..n as u32).into_par_iter().map(V::number).collect();
        let sorter = Sorter::on(&self.stream).map_err(text)?;
        let (mut pageable_keys, mut pageable_values) = (keys.clone(), values.clone());
        let (mut pinned_keys, mut pinned_values) = (Pinned::new(n)?, Pinned::new(n)?);
        let time_of = |sorter: &Sorter, (to_keys, to_values): (&mut [K], &mut [V])| {
            let (mut times, begin) = (Vec::new(), Instant::now());
            while times.len() < WARM_UPS + 1
                || (times.len() < WARM_UPS + self.repetitions && begin.elapsed() < LONG_ENOUGH)
            {
                copy(&keys, to_keys);
                copy(&values, to_values);
                let begin = Instant::now();
                sort(sorter, to_keys, to_values)?;
                times.push(begin.elapsed().as_secs_f64());
            }
            Ok::<f64, String>(median(times.split_off(WARM_UPS)))
        };
        let time = |staging, slices: (&mut [K], &mut [V])| {
            sorter.set_staging_bytes(staging);
            sorter.reserve_host_slices::<K, V>(n).map_err(text)?;
            time_of(&sorter, slices)
        };
        let pageable = time(self.staging, (&mut pageable_keys, &mut pageable_values))?;
        let pinned = time(self.staging, (pinned_keys.items(), pinned_values.items()))?;
        let is_same =
            *pinned_keys.items() == *pageable_keys && *pinned_values.items() == *pageable_values;
        if !is_same {
            return Err(format!("{types} 2^{log2}: pinned and pageable slices differ"));
        }
        let plain = time(0, (&mut pageable_keys, &mut pageable_values))?;
        let is_sorted = pageable_keys.par_windows(2).all(|pair| pair[0] <= pair[1]);
        if !is_sorted || *pinned_keys.items() != *pageable_keys {
            return Err(format!("{types} 2^{log2}: not sorted"));
        }
        let host = time_of(&Sorter::host(), (&mut pageable_keys, &mut pageable_values))?;
        let chosen = time_of(&self.chooses, (&mut pageable_keys, &mut pageable_values))?;
        let alone = self.on_device(&sorter, &keys, size_of::<V>() > 0)?;
        let bytes = (n * (size_of::<K>() + size_of::<V>())) as f64;
        let limit = bytes / 1e9 / bus.up + bytes / 1e9 / bus.down;
        print!("{types},{log2},{:.1},{:.1}", limit * 1e6, alone * 1e6);
        for time in [pageable, pinned, plain] {
            print!(",{:.1},{:.0}", time * 1e6, limit / time * 100.0);
        }
        let over = chosen / host.min(pageable);
        println!(",{:.1},{:.1},{over:.2}", host * 1e6, chosen * 1e6);
        Ok(())
    }

    /// The time of the sort of slices on the device.
    fn on_device<K: SortKey + DeviceRepr>(
        &self,
        sorter: &Sorter,
        keys: &[K],
        has_values: bool,
    ) -> Result<f64, String> {
        let stream = &self.stream;
        let mut times = Vec::new();
        for _ in 0..self.repetitions.min(5) + WARM_UPS {
            let mut d_keys = stream.clone_htod(keys).map_err(text)?;
            let values = if has_values { keys.len() } else { 1 };
            let mut d_values = stream.alloc_zeros::<u32>(values).map_err(text)?;
            stream.synchronize().map_err(text)?;
            let begin = Instant::now();
            if has_values {
                sorter.sort_pairs::<K, u32>(&mut d_keys, &mut d_values).map_err(text)?;
            } else {
                sorter.sort::<K>(&mut d_keys).map_err(text)?;
            }
            stream.synchronize().map_err(text)?;
            times.push(begin.elapsed().as_secs_f64());
        }
        Ok(median(times.split_off(WARM_UPS)))
    }
}

fn sort<K: SortKey, V: SortValue>(
    sorter: &Sorter,
    keys: &mut [K],
    values: &mut [V],
) -> Result<(), String> {
    if size_of::<V>() == 0 {
        return sorter.sort(keys).map_err(text);
    }
    sorter.sort_pairs(keys, values).map_err(text)
}

/// Copies on all threads, so that the next sort is soon timed.
fn copy<T: Copy + Send + Sync>(from: &[T], to: &mut [T]) {
    let pairs = to.par_chunks_mut(1 << 16).zip(from.par_chunks(1 << 16));
    pairs.for_each(|(to, from)| to.copy_from_slice(from));
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[allow(clippy::needless_pass_by_value)] // an argument of `map_err`
fn text(error: impl ToString) -> String {
    error.to_string()
}

/// Keys of random bits, but for floats: those are uniform in [0, 1).
trait Random {
    fn random(number: u64) -> Self;
}

/// Random bits by `SplitMix64`.
fn bits(number: u64) -> u64 {
    let bits = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

impl Random for u32 {
    fn random(number: u64) -> Self {
        bits(number) as Self
    }
}

impl Random for u64 {
    fn random(number: u64) -> Self {
        bits(number)
    }
}

impl Random for f32 {
    fn random(number: u64) -> Self {
        (bits(number) >> 40) as Self / (1 << 24) as Self
    }
}

/// Values that are the numbers of items.
trait Number: Pod + Send + Sync + PartialEq {
    fn number(number: u32) -> Self;
}

impl Number for u32 {
    fn number(number: u32) -> Self {
        number
    }
}

impl Number for () {
    fn number(_: u32) -> Self {}
}

/// Pinned memory that the host's caches hold too, unlike that of cudarc's `PinnedHostSlice`.
struct Pinned<T> {
    first: *mut T,
    length: usize,
}

impl<T: Pod> Pinned<T> {
    /// Zeros.
    fn new(length: usize) -> Result<Self, String> {
        let bytes = (length * size_of::<T>()).max(1);
        // SAFETY: the memory is written before it is read.
        let first: *mut T = unsafe { result::malloc_host(bytes, 0) }.map_err(text)?.cast();
        // SAFETY: it is as long.
        unsafe { first.cast::<u8>().write_bytes(0, bytes) };
        Ok(Self { first, length })
    }

    fn items(&mut self) -> &mut [T] {
        // SAFETY: the memory is as long, aligned for all types, initialised, and borrowed as this is.
        unsafe { slice::from_raw_parts_mut(self.first, self.length) }
    }
}

impl<T> Drop for Pinned<T> {
    fn drop(&mut self) {
        // SAFETY: it was allocated by this call's counterpart, and no copy is in progress.
        let _ = unsafe { result::free_host(self.first.cast()) };
    }
}
