//! Several threads, streams and contexts; graphs.

use std::ptr;
use std::sync::Arc;
use std::thread;

use cudarc::driver::sys::{
    self, CUcontext, CUdevice, CUgraphInstantiate_flags, CUgraphNodeType, CUresult,
    CUstreamCaptureMode,
};
use cudarc::driver::{CudaContext, CudaGraph, CudaStream, DeviceRepr};
use libloading::Library;
use rand::RngExt;
use sortsmith::{BlockRadixSort, Carried, Error, SortOptions, SortValue, Sorter};
use sortsmith_codegen::device::Device;
use sortsmith_codegen::dispatch::{ArraySort, KernelSpec};
use sortsmith_codegen::toolchain::DRIVER_LIBRARY;
use sortsmith_codegen::{KeyType, ValueType};

use crate::device::inputs::{Keys, Pattern};
use crate::{Setting, Test};

pub fn tests() -> Vec<Test> {
    vec![
        ("sharing::another_context_is_refused".to_owned(), another_context_is_refused),
        ("sharing::threads_share_a_sorter".to_owned(), threads_share_a_sorter),
        ("sharing::streams_are_on_their_own".to_owned(), streams_are_on_their_own),
        ("sharing::slices_that_other_streams_use".to_owned(), slices_that_other_streams_use),
        ("sharing::graphs".to_owned(), graphs),
        ("sharing::graphs_of_long_arrays".to_owned(), graphs_of_long_arrays),
        ("sharing::graphs_of_gathered_values".to_owned(), graphs_of_gathered_values),
        ("sharing::graphs_of_fewer_items".to_owned(), graphs_of_fewer_items),
    ]
}

/// A context of its own on the first device.
fn another_context() -> Arc<CudaContext> {
    type Create = unsafe extern "C" fn(*mut CUcontext, u32, CUdevice) -> i32;

    let device = CudaContext::new(0).unwrap().cu_device();
    let mut context = ptr::null_mut();
    // SAFETY: the type is cuCtxCreate's, which every driver has; the pointer is to a live handle.
    let code = unsafe {
        let driver = Library::new(DRIVER_LIBRARY).unwrap();
        driver.get::<Create>(b"cuCtxCreate_v2\0").unwrap()(&raw mut context, 0, device)
    };
    assert_eq!(code, 0);
    // SAFETY: the context was made on this device a moment ago, and has no other owner.
    unsafe { CudaContext::from_raw_context(0, device, context) }.unwrap()
}

fn another_context_is_refused(setting: &Setting) {
    let other = another_context().default_stream();
    let sorter = Sorter::on(&setting.context.default_stream()).unwrap();
    let mut keys = other.clone_htod(&[2u32, 1]).unwrap();
    let error = sorter.sort(&mut keys).unwrap_err();
    assert!(matches!(error, Error::OtherContext { what: "keys" }), "{error}");
    let error = sorter.argsort(&keys).unwrap_err();
    assert!(matches!(error, Error::OtherContext { what: "keys" }), "{error}");
    let mut own = setting.context.default_stream().clone_htod(&[2u32, 1]).unwrap();
    let error = sorter.sort_pairs::<u32, u32>(&mut own, &mut keys).unwrap_err();
    assert!(matches!(error, Error::OtherContext { what: "values" }), "{error}");
    let error = sorter.argsort_into(&own, &mut keys).unwrap_err();
    assert!(matches!(error, Error::OtherContext { what: "indices" }), "{error}");
    let error = BlockRadixSort::<u32>::tiles(32, 2).sort(&sorter, &mut keys).unwrap_err();
    assert!(matches!(error, Error::OtherContext { what: "keys" }), "{error}");
    // Of another object of the same context, too.
    let same = CudaContext::new(0).unwrap().default_stream();
    let mut theirs = same.clone_htod(&[2u32, 1]).unwrap();
    let error = sorter.sort(&mut theirs).unwrap_err();
    assert!(matches!(error, Error::OtherContext { what: "keys" }), "{error}");
    let error = Sorter::on(&setting.context.per_thread_stream()).unwrap_err();
    assert!(matches!(error, Error::PerThreadStream), "{error}");
    // A sorter of that context loads kernels of its own.
    Sorter::on(&other).unwrap().sort(&mut keys).unwrap();
    assert_eq!(other.clone_dtoh(&keys).unwrap(), [1, 2]);
}

/// Sorts of small n, and at times of large n: positions, pairs and keys in alternation.
fn sorts_well(sorter: &Sorter, stream: &Arc<CudaStream>, seed: u64, rounds: usize) {
    let mut rng = sortsmith_testkit::seed::Seed(seed).rng("threads");
    for round in 0..rounds {
        let most = match round % 32 {
            31 => 2_000_000,
            round if round % 4 == 3 => 60_000,
            _ => 4000,
        };
        let n = rng.random_range(2..most);
        let keys: Vec<u32> = (0..n).map(|_| rng.random_range(0..500)).collect();
        let expected = sortsmith::argsort(&keys).unwrap();
        let mut d_keys = stream.clone_htod(&keys).unwrap();
        let order = if round % 3 == 0 {
            sorter.argsort(&d_keys).unwrap()
        } else {
            let all: Vec<u32> = (0..n as u32).collect();
            let mut values = stream.clone_htod(&all).unwrap();
            sorter.sort_pairs::<u32, u32>(&mut d_keys, &mut values).unwrap();
            values
        };
        assert_eq!(stream.clone_dtoh(&order).unwrap(), expected, "round {round}");
        sorter.sort::<u32>(&mut d_keys).unwrap();
        let in_order = expected.iter().map(|position| keys[*position as usize]);
        assert!(stream.clone_dtoh(&d_keys).unwrap().into_iter().eq(in_order), "round {round}");
    }
}

fn threads_share_a_sorter(setting: &Setting) {
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let rounds = if setting.sanitize { 4 } else { 20 };
    thread::scope(|scope| {
        for thread in 0..6 {
            let (sorter, stream) = (&sorter, &stream);
            scope.spawn(move || sorts_well(sorter, stream, setting.seed.0 ^ thread, rounds));
        }
    });
}

/// Ten thousand sorts, by eight threads with a stream and a sorter each.
fn streams_are_on_their_own(setting: &Setting) {
    let rounds = if setting.sanitize { 4 } else { 1250 };
    thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                let stream = setting.context.new_stream().unwrap();
                let sorter = Sorter::on(&stream).unwrap();
                sorts_well(&sorter, &stream, setting.seed.0 ^ thread, rounds);
            });
        }
    });
}

/// Only the copy to the host waits, on the other stream: each sort is ordered on the device behind earlier work of another stream,
/// and later work is ordered behind the sort.
fn slices_that_other_streams_use(setting: &Setting) {
    let streams = [(); 2].map(|()| setting.context.new_stream().unwrap());
    let sorters = [0, 1].map(|it| Sorter::on(&streams[it]).unwrap());
    // Long enough for the next sort to be enqueued while the first one runs.
    let n = if setting.sanitize { 100_000 } else { 20_000_003 };
    let input = Keys { pattern: Pattern::Uniform, n, seed: setting.seed.0 }.all::<u32>();
    let mut expected = input.clone();
    Sorter::host().sort_with(&mut expected, SortOptions::new().bits(0..20)).unwrap();
    let values: Vec<u32> = (0..n as u32).collect();
    let mut keys = streams[0].clone_htod(&input).unwrap();
    let mut rows = streams[0].clone_htod(&values).unwrap();
    for round in 0..3 {
        streams[1].memcpy_htod(&input, &mut keys).unwrap();
        // By the upper digits and then by the lower ones, and never the other way round.
        let by_upper = SortOptions::new().descending().bits(20..32);
        sorters[0].sort_pairs_with::<u32, u32>(&mut keys, &mut rows, by_upper).unwrap();
        sorters[1].sort_with::<u32>(&mut keys, SortOptions::new().bits(0..20)).unwrap();
        let found = streams[0].clone_dtoh(&keys).unwrap();
        // Equal lower digits keep the order that the first sort gave them.
        let low = |key: &u32| key & 0xf_ffff;
        let is_right = found.is_sorted_by_key(|key| (low(key), std::cmp::Reverse(key >> 20)));
        assert!(is_right, "round {round}");
        assert!(found.iter().map(low).eq(expected.iter().map(low)), "round {round}");
    }
}

/// A stream of a context object of its own, which does not track slices: cudarc's own copies can be captured then. The tests
/// in graphs.rs have slices that are tracked.
fn stream_without_events() -> Arc<CudaStream> {
    let context = CudaContext::new(0).unwrap();
    // SAFETY: all memory of the calling test is used on this one stream.
    unsafe { context.disable_event_tracking() };
    context.new_stream().unwrap()
}

fn captured(stream: &Arc<CudaStream>, enqueue: impl FnOnce() -> Result<(), Error>) -> CudaGraph {
    const MODE: CUstreamCaptureMode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;

    stream.synchronize().unwrap();
    stream.begin_capture(MODE).unwrap();
    let enqueued = enqueue();
    let flags = CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    let graph = stream.end_capture(flags).unwrap().unwrap();
    enqueued.unwrap();
    graph
}

/// The nodes of a graph.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Nodes {
    pub kernels: usize,
    pub memsets: usize,
    pub copies: usize,
}

impl Nodes {
    /// The nodes of a graph.
    fn of(graph: &CudaGraph) -> Self {
        let mut count = 0;
        // SAFETY: the graph is live; with a null array of nodes the call returns their number.
        let code =
            unsafe { sys::cuGraphGetNodes(graph.cu_graph(), ptr::null_mut(), &raw mut count) };
        assert_eq!(code, CUresult::CUDA_SUCCESS);
        let mut handles = vec![ptr::null_mut(); count];
        // SAFETY: the array has an element for each node.
        let code =
            unsafe { sys::cuGraphGetNodes(graph.cu_graph(), handles.as_mut_ptr(), &raw mut count) };
        assert_eq!(code, CUresult::CUDA_SUCCESS);
        let mut nodes = Self::default();
        for handle in handles {
            let mut kind = CUgraphNodeType::CU_GRAPH_NODE_TYPE_EMPTY;
            // SAFETY: the node is one of the live graph's.
            let code = unsafe { sys::cuGraphNodeGetType(handle, &raw mut kind) };
            assert_eq!(code, CUresult::CUDA_SUCCESS);
            match kind {
                CUgraphNodeType::CU_GRAPH_NODE_TYPE_KERNEL => nodes.kernels += 1,
                CUgraphNodeType::CU_GRAPH_NODE_TYPE_MEMSET => nodes.memsets += 1,
                CUgraphNodeType::CU_GRAPH_NODE_TYPE_MEMCPY => nodes.copies += 1,
                kind => panic!("a sort enqueues no {kind:?}"),
            }
        }
        nodes
    }

    /// The nodes of a sort of n keys by all of their bits, as it is planned.
    pub fn planned(key: KeyType, value: Carried, n: u64, device: Device) -> Self {
        let sort = match ArraySort::pairs(key, value.moved()).kernel(n, device) {
            KernelSpec::Tile(_) => Self { kernels: 1, memsets: 0, copies: 0 },
            KernelSpec::DeviceWide(spec) => {
                let launches = spec.launches(n, 0..key.bits(), device);
                Self {
                    kernels: launches.len(),
                    memsets: usize::from(spec.scratch(n, &launches).zeroed > 0),
                    copies: 0,
                }
            }
        };
        match value {
            // The values are copied, and gathered from the copy.
            Carried::ByPosition(spec) => {
                let gathers = usize::from(spec.launch(n).is_some());
                Self { kernels: sort.kernels + gathers, copies: gathers, ..sort }
            }
            _ => sort,
        }
    }
}

fn graphs(_: &Setting) {
    let stream = stream_without_events();
    let sorter = Sorter::on(&stream).unwrap();
    let descending: Vec<u32> = (0..5000).rev().collect();
    let (mut keys, mut values) =
        (stream.clone_htod(&descending).unwrap(), stream.clone_htod(&descending).unwrap());
    sorter.reserve::<u32, u32>(5000).unwrap();
    let graph = captured(&stream, || sorter.sort_pairs::<u32, u32>(&mut keys, &mut values));
    assert_eq!(stream.clone_dtoh(&keys).unwrap(), descending);
    for _ in 0..2 {
        stream.memcpy_htod(&descending, &mut keys).unwrap();
        graph.launch().unwrap();
        assert!(stream.clone_dtoh(&keys).unwrap().is_sorted());
    }
}

fn graphs_of_long_arrays(setting: &Setting) {
    // In two launches, and in more of them.
    for n in [100_003, 200_003] {
        check_graph(setting, n, |item| item);
    }
}

fn graphs_of_gathered_values(setting: &Setting) {
    // A tile, small n, and large n.
    for n in [1500, 3001, 100_003, 200_003] {
        check_graph(setting, n, |item| [item, !item, 7]);
        check_graph(setting, n, |item| [item as u8, (item >> 8) as u8, (item >> 16) as u8]);
    }
}

/// A capture does not depend on the keys, so the graph sorts others as well. Its memory was reserved, and its nodes are the planned
/// launches and nothing else.
fn check_graph<V: SortValue + DeviceRepr + PartialEq>(
    setting: &Setting,
    n: usize,
    value_of: fn(u32) -> V,
) {
    let stream = stream_without_events();
    let sorter = Sorter::on(&stream).unwrap();
    let input: Vec<V> = (0..n as u32).map(value_of).collect();
    let mut keys = stream.alloc_zeros::<u64>(n).unwrap();
    let mut values = stream.clone_htod(&input).unwrap();
    sorter.reserve::<u64, V>(n).unwrap();
    let graph = captured(&stream, || sorter.sort_pairs::<u64, V>(&mut keys, &mut values));
    let planned = Nodes::planned(KeyType::U64, V::CARRIED, n as u64, setting.device);
    assert_eq!(Nodes::of(&graph), planned, "of {n} items");
    let patterns = [
        Pattern::Uniform,
        Pattern::UpperDigits { keys_each: 1000, low: 0xff },
        Pattern::AllEqual,
        Pattern::Reversed,
        Pattern::LowEntropy(3),
    ];
    let step = if setting.sanitize { 2 } else { 1 };
    for (seed, pattern) in (0..).zip(patterns).step_by(step) {
        let mut expected = Keys { pattern, n, seed }.all::<u64>();
        let mut with = input.clone();
        stream.memcpy_htod(&expected, &mut keys).unwrap();
        stream.memcpy_htod(&with, &mut values).unwrap();
        graph.launch().unwrap();
        Sorter::host().sort_pairs(&mut expected, &mut with).unwrap();
        assert!(stream.clone_dtoh(&keys).unwrap() == expected, "keys: {pattern:?}");
        assert!(stream.clone_dtoh(&values).unwrap() == with, "values: {pattern:?}");
    }
}

/// The memory reserved for many items suffices for fewer, also where fewer need more: keys of 16 bits are counted, and fewer of
/// them sorted by passes. A capture shows it: memory that is allocated would be a node of the graph.
fn graphs_of_fewer_items(setting: &Setting) {
    let stream = stream_without_events();
    let sorter = Sorter::on(&stream).unwrap();
    let most = 9_000_011;
    sorter.reserve::<u16, ()>(most).unwrap();
    let mut keys = stream.alloc_zeros::<u16>(most).unwrap();
    for n in [most, 8_388_607, 2_000_000, 3000] {
        let graph = captured(&stream, || sorter.sort(&mut keys.slice_mut(..n)));
        let planned = Nodes::planned(KeyType::U16, <()>::CARRIED, n as u64, setting.device);
        assert_eq!(Nodes::of(&graph), planned, "of {n} items");
        let mut expected = Keys { pattern: Pattern::Uniform, n, seed: 3 }.all::<u16>();
        stream.memcpy_htod(&expected, &mut keys.slice_mut(..n)).unwrap();
        graph.launch().unwrap();
        expected.sort_unstable();
        assert!(stream.clone_dtoh(&keys.slice(..n)).unwrap() == expected, "{n} keys");
    }

    // An argsort needs scratch for the sorted keys, for one tile too.
    let sorter = Sorter::on(&stream).unwrap();
    let most = 2_000_003;
    sorter.reserve_argsort::<f32>(most).unwrap();
    let all = Keys { pattern: Pattern::LowEntropy(3), n: most, seed: 4 }.all::<f32>();
    let keys = stream.clone_htod(&all).unwrap();
    let mut positions = stream.alloc_zeros::<u32>(most).unwrap();
    for n in [most, 300_001, 1500] {
        let graph = captured(&stream, || {
            sorter.argsort_into::<f32>(&keys.slice(..n), &mut positions.slice_mut(..n))
        });
        let value = Carried::As(ValueType::Index);
        let planned = Nodes::planned(KeyType::F32, value, n as u64, setting.device);
        assert_eq!(Nodes::of(&graph), planned, "of {n} positions");
        graph.launch().unwrap();
        let mut expected = vec![0; n];
        Sorter::host().argsort_into(&all[..n], &mut expected).unwrap();
        assert!(stream.clone_dtoh(&positions.slice(..n)).unwrap() == expected, "{n} positions");
    }
}
