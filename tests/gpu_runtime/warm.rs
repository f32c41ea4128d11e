//! Kernels made beforehand, into the cache on disk: within a process NVRTC compiles one source after the other, so
//! processes of their own share the work.

use std::env;
use std::process::{Child, Command};
use std::thread;

use cudarc::driver::CudaContext;
use half::{bf16, f16};
use sortsmith::{SortKey, SortOptions, Sorter};

/// Tells such a process its number and how many there are.
const SHARE: &str = "SORTSMITH_TEST_SHARE";

const MOST_PROCESSES: usize = 16;

/// Compiles the kernels that the tests of all types need.
pub fn by_other_processes() {
    let Ok(program) = env::current_exe() else { return };
    let count = thread::available_parallelism().map_or(1, usize::from).min(MOST_PROCESSES);
    let start =
        |number: usize| Command::new(&program).env(SHARE, format!("{number}/{count}")).spawn().ok();
    let processes: Vec<Child> = (0..count).filter_map(start).collect();
    for mut process in processes {
        // Whatever fails here fails in a test, which tells.
        drop(process.wait());
    }
}

/// The share of this process, if it is one that compiles.
pub fn share_of_this_process() -> Option<(usize, usize)> {
    let share = env::var(SHARE).ok()?;
    let (number, count) = share.split_once('/')?;
    Some((number.parse().ok()?, count.parse().ok()?))
}

/// Makes this share of the kernels.
pub fn make((number, count): (usize, usize)) {
    let Ok(context) = CudaContext::new(0) else { return };
    let Ok(sorter) = Sorter::on(&context.default_stream()) else { return };
    for (make, options) in all().into_iter().skip(number).step_by(count.max(1)) {
        make(&sorter, options);
    }
}

type Make = fn(&Sorter, SortOptions);

fn all() -> Vec<(Make, SortOptions)> {
    fn of_values<K: SortKey>(sorter: &Sorter, options: SortOptions) {
        // More than any sort of small n takes.
        const ITEMS: usize = crate::device::FEW + 1;
        // Failures show when the kernel is needed.
        drop(sorter.reserve_with::<K, ()>(ITEMS, options));
        drop(sorter.reserve_with::<K, u32>(ITEMS, options));
        drop(sorter.reserve_with::<K, u64>(ITEMS, options));
        drop(sorter.reserve_argsort_with::<K>(ITEMS, options));
    }
    fn of_keys<K: SortKey>() -> Vec<(Make, SortOptions)> {
        let both = [SortOptions::new(), SortOptions::new().descending()];
        let nan_last = both.map(SortOptions::nan_last);
        let all = both.into_iter().chain(nan_last.into_iter().filter(|_| K::HAS_NAN));
        all.map(|options| (of_values::<K> as Make, options)).collect()
    }
    macro_rules! of_all_keys {
        ($($key:ty)*) => { [$(of_keys::<$key>()),*].concat() };
    }
    of_all_keys! { u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f16 bf16 f32 f64 bool }
}
