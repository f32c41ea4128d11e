//! Random orders of what is done with sorters, graphs and streams, each until nothing is left.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::thread;

use cudarc::driver::sys::CUstreamCaptureMode;
use cudarc::driver::{CudaGraph, CudaSlice, CudaStream};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith::tuning::Tuning;
use sortsmith::{Error, Sorter};
use sortsmith_testkit::seed::{Seed, chosen_specs};

use crate::shim::{self, Shim};
use crate::{MANY, end, keys, next_sorter, repeated, stream};

/// The number of orders.
const ORDERS: usize = 200;
/// The most steps of an order before everything is dropped.
const MOST_STEPS: usize = 24;
/// The most graphs at a time.
const MOST_GRAPHS: usize = 3;

/// A step of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// A sort of the items becomes a graph.
    Capture,
    /// The same by the sorter with a tuning of its own, which is made if there is none.
    CaptureTuned,
    /// The sorter is dropped between its sort and the end of the capture.
    CaptureAndDropSorter,
    /// The sorter sorts the items.
    Sort,
    /// The sorter sorts more items than the ones that are captured.
    SortMore,
    /// The sorter's memory is freed, on any thread.
    Release,
    /// The sorter with a tuning of its own sorts more items.
    SortTuned,
    /// A graph is launched and waited for, twice.
    Replay,
    /// A graph is launched, and its work may run on.
    Launch,
    DropGraph,
    DropSorter,
    DropTuned,
    DropStream,
    DropItems,
}

const STEPS: [Step; 14] = [
    Step::Capture,
    Step::CaptureTuned,
    Step::CaptureAndDropSorter,
    Step::Sort,
    Step::SortMore,
    Step::Release,
    Step::SortTuned,
    Step::Replay,
    Step::Launch,
    Step::DropGraph,
    Step::DropSorter,
    Step::DropTuned,
    Step::DropStream,
    Step::DropItems,
];

impl Step {
    fn is_drop(self) -> bool {
        matches!(
            self,
            Self::DropGraph
                | Self::DropSorter
                | Self::DropTuned
                | Self::DropStream
                | Self::DropItems
        )
    }
}

const MODES: [CUstreamCaptureMode; 3] = [
    CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL,
    CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
    CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED,
];

#[derive(Clone, Copy)]
enum Sort {
    Keys,
    /// Values that no kernel moves, so that they are gathered by positions.
    WidePairs,
    /// Rows of a tile each.
    ShortRows,
    /// Rows that are too long for a tile.
    LongRows,
    Segments,
}

const SORTS: [Sort; 5] =
    [Sort::Keys, Sort::WidePairs, Sort::ShortRows, Sort::LongRows, Sort::Segments];

/// What happens between a sort that is captured and the end of the capture.
#[derive(Clone, Copy)]
enum Amid {
    Nothing,
    /// The sorter's memory is freed.
    Release,
    /// A sorter of another stream, which is not captured, sorts items of its own and is dropped.
    SortBeside,
}

const AMID: [Amid; 3] = [Amid::Nothing, Amid::Release, Amid::SortBeside];

fn drawn<T: Copy>(rng: &mut ChaCha8Rng, from: &[T]) -> T {
    *from.choose(rng).unwrap()
}

/// Calls it on this thread or, as often, on another one.
fn on_a_thread<T: Send>(rng: &mut ChaCha8Rng, call: impl FnOnce() -> T + Send) -> T {
    if rng.random() {
        return call();
    }
    let joined = thread::scope(|scope| scope.spawn(call).join());
    joined.unwrap_or_else(|payload| panic::resume_unwind(payload))
}

/// What every sort may be of.
struct Items {
    keys: CudaSlice<u32>,
    values: CudaSlice<[u32; 3]>,
    offsets: CudaSlice<u32>,
}

impl Items {
    /// Hundreds of pairs.
    fn new(stream: &Arc<CudaStream>, hundreds: usize) -> Self {
        let n = 100 * hundreds;
        let values = repeated(stream, [7; 3], n);
        Self { keys: keys(stream, n), values, offsets: keys(stream, hundreds) }
    }

    fn sort(&mut self, sorter: &Sorter, sort: Sort) -> Result<(), Error> {
        let Self { keys, values, offsets } = self;
        let half = keys.len() / 2;
        match sort {
            Sort::Keys => sorter.sort::<u32>(keys),
            Sort::WidePairs => sorter.sort_pairs::<u32, [u32; 3]>(keys, values),
            Sort::ShortRows => sorter.sort_rows::<u32>(keys, 100),
            Sort::LongRows => sorter.sort_rows::<u32>(keys, half),
            Sort::Segments => sorter.sort_segments::<u32, u32>(keys, &*offsets),
        }
    }
}

/// What is left in an order.
struct Walk {
    /// The handle that the test has; sorters, graphs and slices have others.
    stream: Option<Arc<CudaStream>>,
    sorter: Option<Sorter>,
    tuned: Option<Sorter>,
    graphs: Vec<CudaGraph>,
    items: Option<Items>,
    /// Whether the items are of the sorters' stream: another one does not wait for graphs.
    is_one_stream: bool,
}

impl Walk {
    fn new(rng: &mut ChaCha8Rng) -> Self {
        let stream = stream();
        let is_one_stream = rng.random();
        let other = stream.context().new_stream().unwrap();
        let items = Items::new(if is_one_stream { &stream } else { &other }, MANY / 100);
        let sorter = Some(Sorter::on(&stream).unwrap());
        let (graphs, items) = (Vec::new(), Some(items));
        Self { stream: Some(stream), sorter, tuned: None, graphs, items, is_one_stream }
    }

    /// Whether safe code can take this step. A graph needs the items that it sorts, as its caller knows, so these outlive it.
    fn can(&self, step: Step) -> bool {
        let has_items = self.items.is_some();
        let is_room = has_items && self.graphs.len() < MOST_GRAPHS;
        let can_be_tuned = self.tuned.is_some() || self.stream.is_some();
        match step {
            Step::Capture | Step::CaptureAndDropSorter => is_room && self.sorter.is_some(),
            Step::CaptureTuned => is_room && can_be_tuned,
            Step::Sort => has_items && self.sorter.is_some(),
            Step::SortMore | Step::Release | Step::DropSorter => self.sorter.is_some(),
            Step::SortTuned => can_be_tuned,
            Step::Replay | Step::DropGraph => !self.graphs.is_empty(),
            Step::Launch => self.is_one_stream && !self.graphs.is_empty(),
            Step::DropTuned => self.tuned.is_some(),
            Step::DropStream => self.stream.is_some(),
            Step::DropItems => has_items && self.graphs.is_empty(),
        }
    }

    fn take(&mut self, step: Step, rng: &mut ChaCha8Rng) {
        match step {
            Step::Capture => self.capture(rng, Self::sorter),
            Step::CaptureTuned => self.capture(rng, Self::tuned),
            Step::CaptureAndDropSorter => self.capture_and_drop_sorter(rng),
            Step::Sort => {
                let (sorter, items) = (self.sorter.as_ref().unwrap(), self.items.as_mut().unwrap());
                items.sort(sorter, drawn(rng, &SORTS)).unwrap();
            }
            Step::SortMore => sort_more(self.sorter(), rng),
            Step::Release => {
                let sorter = self.sorter();
                on_a_thread(rng, || sorter.release());
            }
            Step::SortTuned => sort_more(self.tuned(), rng),
            Step::Replay => self.replay(rng),
            Step::Launch => self.graphs.choose(rng).unwrap().launch().unwrap(),
            Step::DropGraph => {
                drop(self.graphs.swap_remove(rng.random_range(0..self.graphs.len())));
            }
            Step::DropSorter => drop_on_a_thread(self.sorter.take(), rng),
            Step::DropTuned => drop_on_a_thread(self.tuned.take(), rng),
            Step::DropStream => self.stream = None,
            Step::DropItems => self.items = None,
        }
    }

    fn sorter(&mut self) -> &Sorter {
        self.sorter.as_ref().unwrap()
    }

    fn tuned(&mut self) -> &Sorter {
        self.tuned.get_or_insert_with(|| {
            let stream = self.stream.as_ref().unwrap();
            Sorter::with_tuning(stream, Tuning::default()).unwrap()
        })
    }

    fn capture(&mut self, rng: &mut ChaCha8Rng, sorter_of: impl FnOnce(&mut Self) -> &Sorter) {
        let mut items = self.items.take().unwrap();
        let sorter = sorter_of(self);
        let stream = sorter.stream().unwrap();
        let amid = drawn(rng, &AMID);
        // What may not be made in every capture.
        let beside = matches!(amid, Amid::SortBeside).then(|| {
            let stream = stream.context().new_stream().unwrap();
            (Sorter::on(&stream).unwrap(), Items::new(&stream, MANY / 100))
        });
        stream.begin_capture(drawn(rng, &MODES)).unwrap();
        items.sort(sorter, drawn(rng, &SORTS)).unwrap();
        if matches!(amid, Amid::Release) {
            on_a_thread(rng, || sorter.release());
        }
        let items_beside = beside.map(|(sorter, mut items)| {
            let sort = drawn(rng, &SORTS);
            on_a_thread(rng, || items.sort(&sorter, sort).unwrap());
            drop_on_a_thread(Some(sorter), rng);
            items
        });
        let graph = end(stream).unwrap();
        drop(items_beside);
        self.items = Some(items);
        self.graphs.push(graph);
    }

    fn capture_and_drop_sorter(&mut self, rng: &mut ChaCha8Rng) {
        let sorter = self.sorter.take().unwrap();
        let stream = Arc::clone(sorter.stream().unwrap());
        stream.begin_capture(drawn(rng, &MODES)).unwrap();
        self.items.as_mut().unwrap().sort(&sorter, drawn(rng, &SORTS)).unwrap();
        drop_on_a_thread(Some(sorter), rng);
        self.graphs.push(end(&stream).unwrap());
    }

    /// Launches a graph twice. The context waits, because its stream may be known to the graph alone.
    fn replay(&mut self, rng: &mut ChaCha8Rng) {
        let context = self.items.as_ref().unwrap().keys.context();
        for _ in 0..2 {
            self.graphs.choose(rng).unwrap().launch().unwrap();
            context.synchronize().unwrap();
        }
    }
}

/// Sorts other items than those that are captured.
fn sort_more(sorter: &Sorter, rng: &mut ChaCha8Rng) {
    let (times, sort) = (rng.random_range(1..=4), drawn(rng, &SORTS));
    on_a_thread(rng, || {
        let mut more = Items::new(sorter.stream().unwrap(), times * MANY / 100 + 1);
        more.sort(sorter, sort).unwrap();
    });
}

fn drop_on_a_thread(sorter: Option<Sorter>, rng: &mut ChaCha8Rng) {
    on_a_thread(rng, || drop(sorter));
}

/// Walks one order to its end, and notes its steps.
fn walk(shim: Shim, rng: &mut ChaCha8Rng, taken: &mut Vec<Step>) {
    shim.defer(rng.random());
    let mut walk = Walk::new(rng);
    let steps = rng.random_range(1..=MOST_STEPS);
    loop {
        let is_end = taken.len() >= steps;
        let can_be_next = |step: &Step| walk.can(*step) && (!is_end || step.is_drop());
        let possible: Vec<Step> = STEPS.into_iter().filter(can_be_next).collect();
        let Some(step) = possible.choose(rng) else { break };
        // Most drops come late, so that there is something to be dropped.
        if is_end || !step.is_drop() || rng.random_bool(0.4) {
            taken.push(*step);
            walk.take(*step, rng);
            assert_eq!(shim.violations(), Vec::<String>::new());
        }
    }
    drop(walk);
    shim.defer(false);
    shim.settle();
    next_sorter();
    shim.expect_clean();
}

#[test]
fn nothing_is_left_whatever_the_order_of_drops() {
    let test = "walk::nothing_is_left_whatever_the_order_of_drops";
    let Some(shim) = shim::child(test, &[]) else { return };
    let (seed, chosen) = (Seed::from_env(), chosen_specs());
    let (mut orders, mut steps) = (0, 0);
    for order in seed.tested(ORDERS).map(|number| format!("order-{number}")) {
        if chosen.as_ref().is_some_and(|chosen| !chosen.contains(&order)) {
            continue;
        }
        let mut taken = Vec::new();
        let mut rng = seed.rng(&order);
        let walked = panic::catch_unwind(AssertUnwindSafe(|| walk(shim, &mut rng, &mut taken)));
        let again = seed.replay("lifetimes", test, &order);
        assert!(walked.is_ok(), "{order} of seed {}: {taken:?}\n  again: {again}", seed.0);
        (orders, steps) = (orders + 1, steps + taken.len());
    }
    println!("{orders} orders of {steps} steps");
}
