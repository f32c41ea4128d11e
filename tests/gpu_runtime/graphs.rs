//! Graphs that outlive their sorters and slices, and run beside their sorters.

use std::sync::Arc;

use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, CudaGraph, CudaSlice, CudaStream};
use sortsmith::tuning::Tuning;
use sortsmith::{Error, SortOptions, Sorter};

use crate::device::inputs::{Keys, Pattern};
use crate::{Setting, Test};

pub fn tests() -> Vec<Test> {
    vec![
        ("graphs::outlive_what_their_sorts_used".to_owned(), outlive_what_their_sorts_used),
        ("graphs::run_beside_their_sorters".to_owned(), run_beside_their_sorters),
        ("graphs::leave_tracked_slices_in_order".to_owned(), leave_tracked_slices_in_order),
        ("graphs::of_what_was_not_reserved".to_owned(), of_what_was_not_reserved),
    ]
}

/// A stream of a context object that tracks slices by events, or not.
fn stream(is_tracked: bool) -> Arc<CudaStream> {
    let context = CudaContext::new(0).unwrap();
    // SAFETY: there is no slice yet; untracked ones of a test are all used on one stream.
    unsafe { context.disable_event_tracking() };
    // Where slices are tracked, cudarc would wait for other tests' work first, and end their captures.
    let stream = context.new_stream().unwrap();
    if is_tracked {
        // SAFETY: as above.
        unsafe { context.enable_event_tracking() };
    }
    stream
}

fn begin(stream: &CudaStream) {
    stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).unwrap();
}

/// Without the flag that frees a graph's allocations: a graph that allocates cannot be launched twice.
fn end(stream: &Arc<CudaStream>) -> CudaGraph {
    stream.end_capture(CUgraphInstantiate_flags(0)).unwrap().unwrap()
}

fn captured(stream: &Arc<CudaStream>, enqueue: impl FnOnce() -> Result<(), Error>) -> CudaGraph {
    begin(stream);
    let enqueued = enqueue();
    let graph = end(stream);
    enqueued.unwrap();
    graph
}

fn input(setting: &Setting, n: usize, seed: u64) -> Vec<u32> {
    Keys { pattern: Pattern::Uniform, n, seed: setting.seed.0 ^ seed }.all::<u32>()
}

fn in_order(mut keys: Vec<u32>) -> Vec<u32> {
    keys.sort_unstable();
    keys
}

/// The fate of a sorter, its stream and its slices while a graph of a sort exists.
#[derive(Clone, Copy, Debug)]
enum Fate {
    SortsMore,
    Released,
    Dropped,
    TunedAndDropped,
}

fn outlive_what_their_sorts_used(setting: &Setting) {
    let n = if setting.sanitize { 1 << 16 } else { 1 << 22 };
    for is_tracked in [true, false] {
        for fate in [Fate::SortsMore, Fate::Released, Fate::Dropped, Fate::TunedAndDropped] {
            check_fate(setting, &stream(is_tracked), n, fate);
        }
    }
}

fn check_fate(setting: &Setting, stream: &Arc<CudaStream>, n: usize, fate: Fate) {
    const MINE: u32 = 0xabab_abab;
    let sorter = match fate {
        Fate::TunedAndDropped => Sorter::with_tuning(stream, Tuning::default()).unwrap(),
        _ => Sorter::on(stream).unwrap(),
    };
    let mut keys = stream.alloc_zeros::<u32>(n).unwrap();
    sorter.reserve::<u32, ()>(n).unwrap();
    let graph = captured(stream, || sorter.sort::<u32>(&mut keys));
    let kept = match fate {
        Fate::Dropped | Fate::TunedAndDropped => {
            drop(sorter);
            None
        }
        Fate::Released => {
            sorter.release();
            Some(sorter)
        }
        Fate::SortsMore => {
            let mut more = stream.alloc_zeros::<u32>(4 * n).unwrap();
            sorter.sort::<u32>(&mut more).unwrap();
            Some(sorter)
        }
    };
    stream.synchronize().unwrap();
    // Arrays of all sizes, in whatever was freed.
    let allocate = |shift: usize| stream.clone_htod(&vec![MINE; (n >> shift) + 1024]).unwrap();
    let mine: Vec<CudaSlice<u32>> = (0..24).map(|it| allocate(it % 6)).collect();
    for seed in 0..3 {
        let unsorted = input(setting, n, seed);
        stream.memcpy_htod(&unsorted, &mut keys).unwrap();
        graph.launch().unwrap();
        assert!(stream.clone_dtoh(&keys).unwrap() == in_order(unsorted), "{fate:?}");
    }
    for array in &mine {
        let is_intact = stream.clone_dtoh(array).unwrap().iter().all(|word| *word == MINE);
        assert!(is_intact, "{fate:?}: a graph has written to another array");
    }
    drop(kept);
}

/// The graph is launched on one stream, while its sorter sorts other keys on its own.
fn run_beside_their_sorters(setting: &Setting) {
    let n = if setting.sanitize { 100_000 } else { 5_000_003 };
    let origin = stream(true);
    let forked = origin.context().new_stream().unwrap();
    let sorter = Sorter::on(&forked).unwrap();
    sorter.reserve::<u32, ()>(n).unwrap();
    let mut of_graph = origin.alloc_zeros::<u32>(n).unwrap();
    let mut own = forked.alloc_zeros::<u32>(n).unwrap();
    origin.synchronize().unwrap();
    begin(&origin);
    forked.join(&origin).unwrap();
    sorter.sort::<u32>(&mut of_graph).unwrap();
    origin.join(&forked).unwrap();
    let graph = end(&origin);
    for round in 0..4 {
        let [one, other] = [round, round + 100].map(|seed| input(setting, n, seed));
        origin.memcpy_htod(&one, &mut of_graph).unwrap();
        forked.memcpy_htod(&other, &mut own).unwrap();
        graph.launch().unwrap();
        sorter.sort::<u32>(&mut own).unwrap();
        assert!(origin.clone_dtoh(&of_graph).unwrap() == in_order(one), "round {round}");
        assert!(forked.clone_dtoh(&own).unwrap() == in_order(other), "round {round}");
    }
}

/// Work outside of graphs is ordered by events as if there were no graph.
fn leave_tracked_slices_in_order(setting: &Setting) {
    let n = if setting.sanitize { 100_000 } else { 5_000_003 };
    let one = stream(true);
    let other = one.context().new_stream().unwrap();
    let sorter = Sorter::on(&one).unwrap();
    let (first, second) = (input(setting, n, 1), input(setting, n, 2));
    let mut keys = other.clone_htod(&first).unwrap();
    let mut positions = other.alloc_zeros::<u32>(n).unwrap();
    let graphs = [
        captured(&one, || sorter.sort::<u32>(&mut keys)),
        captured(&one, || sorter.argsort_into::<u32>(&keys, &mut positions)),
    ];
    one.context().check_err().unwrap();
    // The host does not wait: the sort is ordered behind the copy of another stream, and the copy back behind the sort.
    other.memcpy_htod(&second, &mut keys).unwrap();
    sorter.sort_with::<u32>(&mut keys, SortOptions::new().descending()).unwrap();
    let found = other.clone_dtoh(&keys).unwrap();
    assert!(found.into_iter().rev().eq(in_order(second)));
    // A launch is in order by its stream alone.
    other.memcpy_htod(&first, &mut keys).unwrap();
    one.join(&other).unwrap();
    for graph in &graphs {
        graph.launch().unwrap();
    }
    assert!(one.clone_dtoh(&keys).unwrap() == in_order(first));
    let identity = one.clone_dtoh(&positions).unwrap();
    assert!(identity.into_iter().eq(0..n as u32), "sorted keys stay where they are");
}

/// Kernels are compiled and loaded in a capture, where it must be. (A global one would forbid calls to the tests beside.)
fn of_what_was_not_reserved(setting: &Setting) {
    for mode in [
        CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
        CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED,
    ] {
        let stream = stream(true);
        let tuning = Tuning::default();
        let sorter = Sorter::with_tuning(&stream, tuning).unwrap();
        let unsorted = input(setting, 300_000, 5);
        let mut keys = stream.clone_htod(&unsorted).unwrap();
        stream.begin_capture(mode).unwrap();
        let sorts = sorter.sort::<u32>(&mut keys);
        // A call that cannot be captured is refused, and the capture continues.
        let refused = sorter.argsort::<u32>(&keys).map(|_| ()).unwrap_err();
        let on_host = sorter.sort(&mut vec![3u32; 100_000]).unwrap_err();
        let again = sorter.sort::<u32>(&mut keys);
        let graph = end(&stream);
        sorts.and(again).unwrap();
        for error in [refused, on_host] {
            assert!(matches!(error, Error::Capture { .. }), "{error}");
        }
        drop(sorter);
        graph.launch().unwrap();
        assert!(stream.clone_dtoh(&keys).unwrap() == in_order(unsorted), "{mode:?}");
    }
}
