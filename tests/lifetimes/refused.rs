//! Refused calls: they change nothing, and the error says what to do.

use cudarc::driver::{CudaContext, CudaSlice};
use sortsmith::{
    ArrayAlgorithm, BlockRadixSort, Error, Rows, Segments, SortOptions, Sorter, TopKOptions,
};

use crate::shim;
use crate::{MANY, begin, captured, end, keys, replay, stream};

#[test]
fn calls_that_cannot_be_captured_are_refused_and_the_capture_continues() {
    let test = "refused::calls_that_cannot_be_captured_are_refused_and_the_capture_continues";
    let Some(shim) = shim::child(test, &[]) else { return };
    let stream = stream();
    let sorter = Sorter::on(&stream).unwrap();
    let mut items = keys(&stream, MANY);
    let input: Vec<u32> = (0..MANY as u32).rev().collect();
    let (mut host, mut positions) = (input.clone(), vec![3; MANY]);
    begin(&stream);
    sorter.sort::<u32>(&mut items).unwrap();
    let tiles = BlockRadixSort::<u32>::tiles(128, 4);
    for error in [
        sorter.sort(&mut host).unwrap_err(),
        sorter.argsort_into(&input, &mut positions).unwrap_err(),
        tiles.sort(&sorter, &mut host).unwrap_err(),
        sorter.argsort::<u32>(&items).map(|_| ()).unwrap_err(),
    ] {
        assert!(matches!(error, Error::Capture { .. }), "{error}");
        let said = error.to_string();
        assert!(said.contains("outside of the capture") || said.contains("argsort_into"), "{said}");
    }
    assert!(host == input && positions == vec![3; MANY]);
    let graph = end(&stream).unwrap();
    replay(shim, &graph, &stream);
}

/// Each thread has another stream behind that handle, and they would share one scratch.
#[test]
fn the_per_thread_stream_is_refused() {
    let test = "refused::the_per_thread_stream_is_refused";
    let Some(_shim) = shim::child(test, &[]) else { return };
    let context = CudaContext::new(0).unwrap();
    let error = Sorter::on(&context.per_thread_stream()).unwrap_err();
    assert!(matches!(error, Error::PerThreadStream), "{error}");
    assert!(error.to_string().contains("CudaContext::new_stream"), "{error}");
    let tuning = sortsmith::tuning::Tuning::default();
    let error = Sorter::with_tuning(&context.per_thread_stream(), tuning).unwrap_err();
    assert!(matches!(error, Error::PerThreadStream), "{error}");
}

/// The errors of calls with one slice of another context object, and the slice that each names.
type Refusals = Vec<(Result<(), Error>, &'static str)>;

/// Slices of the sorter's context object and of another one.
struct Contexts {
    sorter: Sorter,
    ours: [CudaSlice<u32>; 4],
    wide: CudaSlice<[u32; 3]>,
    theirs: CudaSlice<u32>,
}

impl Contexts {
    fn new() -> Self {
        let (own, other) = (stream(), CudaContext::new(0).unwrap().default_stream());
        let ours = [(); 4].map(|()| keys(&own, MANY));
        let wide = own.clone_htod(&vec![[7; 3]; MANY]).unwrap();
        Self { sorter: Sorter::on(&own).unwrap(), ours, wide, theirs: keys(&other, MANY) }
    }

    fn of_arrays(&mut self) -> Refusals {
        let Self { sorter: it, ours: [a, b, c, _], theirs: other, .. } = self;
        let tiles = BlockRadixSort::<u32>::tiles(32, 4);
        let pair_tiles = BlockRadixSort::<u32, u32>::tiles(32, 4);
        vec![
            (it.sort::<u32>(other), "keys"),
            (it.sort_pairs::<u32, u32>(a, other), "values"),
            (it.sort_into::<u32>(other, a), "keys"),
            (it.sort_into::<u32>(a, other), "sorted keys"),
            (it.sort_pairs_into::<u32, u32>(a, other, b, c), "values"),
            (it.sort_pairs_into::<u32, u32>(a, b, c, other), "sorted values"),
            (it.argsort::<u32>(other).map(drop), "keys"),
            (it.argsort_into::<u32>(other, a), "keys"),
            (it.argsort_into::<u32>(a, other), "indices"),
            (it.sort_with_positions_into::<u32>(other, a, b), "keys"),
            (it.sort_with_positions_into::<u32>(a, other, b), "sorted keys"),
            (it.sort_with_positions_into::<u32>(a, b, other), "indices"),
            (tiles.sort(it, other), "keys"),
            (pair_tiles.sort_pairs(it, a, other), "values"),
        ]
    }

    fn of_rows(&mut self) -> Refusals {
        let Self { sorter: it, ours: [a, b, c, _], theirs: other, .. } = self;
        let columns = MANY / 100;
        vec![
            (it.sort_rows::<u32>(other, columns), "keys"),
            (it.sort_pairs_rows::<u32, u32>(a, other, columns), "values"),
            (it.sort_rows_into::<u32>(other, a, columns), "keys"),
            (it.sort_rows_into::<u32>(a, other, columns), "sorted keys"),
            (it.sort_pairs_rows_into::<u32, u32>(a, other, b, c, columns), "values"),
            (it.sort_pairs_rows_into::<u32, u32>(a, b, c, other, columns), "sorted values"),
            (it.argsort_rows_into::<u32>(other, a, columns), "keys"),
            (it.argsort_rows_into::<u32>(a, other, columns), "indices"),
            (it.sort_rows_with_positions_into::<u32>(other, a, b, columns), "keys"),
            (it.sort_rows_with_positions_into::<u32>(a, other, b, columns), "sorted keys"),
            (it.sort_rows_with_positions_into::<u32>(a, b, other, columns), "indices"),
        ]
    }

    fn of_segments(&mut self) -> Refusals {
        let Self { sorter: it, ours: [a, b, c, d], theirs: other, .. } = self;
        let offsets = "offsets of segments";
        vec![
            (it.sort_segments::<u32, u32>(other, &*a), "keys"),
            (it.sort_segments::<u32, u32>(a, &*other), offsets),
            (it.sort_segments::<u32, u32>(a, Segments::between(other, b)), offsets),
            (it.sort_segments::<u32, u32>(a, Segments::between(b, other)), offsets),
            (it.sort_pairs_segments::<u32, u32, u32>(a, other, &*b), "values"),
            (it.argsort_segments_into::<u32, u32>(other, a, &*b), "keys"),
            (it.argsort_segments_into::<u32, u32>(a, other, &*b), "indices"),
            (it.argsort_segments_into::<u32, u32>(a, b, &*other), offsets),
            (it.argsort_segments_into::<u32, u32>(a, b, Segments::between(c, other)), offsets),
            (it.argsort_segments_into::<u32, u32>(a, b, Segments::between(other, d)), offsets),
        ]
    }

    /// Sorts of counted items, rows and segments.
    fn of_counts(&mut self) -> Refusals {
        let Self { sorter: it, ours: [a, b, c, d], wide, theirs: other } = self;
        let (usual, own) = (SortOptions::new(), &d.slice(..1));
        let mut refusals = vec![
            (it.sort_counted::<u32, _>(other, own), "keys"),
            (it.sort_pairs_counted::<u32, u32, _>(a, other, own), "values"),
            (it.argsort_counted_into::<u32, _>(a, other, own), "indices"),
            (it.sort_segments::<u32, u32>(other, Segments::from(&*a).counted(own)), "keys"),
        ];
        // The kernels of rows read the count of short ones, those of segments that of long ones.
        for columns in [MANY / 100, MANY / 5] {
            let rows = Rows::of(columns);
            refusals.push((it.sort_rows_with::<u32>(other, rows.counted(own), usual), "keys"));
        }
        let count = &other.slice(..1);
        for columns in [MANY / 100, MANY / 5] {
            let rows = || Rows::of(columns).counted(count);
            refusals.extend([
                (it.sort_rows_with::<u32>(a, rows(), usual), "count"),
                (it.sort_pairs_rows_with::<u32, u32>(a, b, rows(), usual), "count"),
                (it.argsort_rows_into_with::<u32>(a, b, rows(), usual), "count"),
            ]);
        }
        let offsets = || Segments::from(&*c).counted(count);
        refusals.extend([
            (it.sort_counted::<u32, _>(a, count), "count"),
            (it.sort_pairs_counted::<u32, u32, _>(a, b, count), "count"),
            (it.sort_pairs_counted::<u32, [u32; 3], _>(a, wide, count), "count"),
            (it.argsort_counted_into::<u32, _>(a, b, count), "count"),
            (it.sort_segments::<u32, u32>(a, offsets()), "count"),
            (it.sort_pairs_segments::<u32, u32, u32>(a, b, offsets()), "count"),
            (it.argsort_segments_into::<u32, u32>(a, b, offsets()), "count"),
            (it.sort_segments::<u32, u32>(a, Segments::between(b, c).counted(count)), "count"),
        ]);
        refusals
    }

    /// Binned argsorts and top-ks.
    fn of_lists(&mut self) -> Refusals {
        let Self { sorter: it, ours: [a, b, c, _], theirs: other, .. } = self;
        let mut short = b.slice_mut(..11);
        let mut short_theirs = other.slice_mut(..11);
        let binned = [
            (it.argsort_binned_into::<u32>(a, 10, c, &mut short_theirs), "offsets"),
            (it.top_k_into::<u32, _>(a, &mut short_theirs, &mut short), "found keys"),
            (it.top_k_into::<u32, _>(a, &mut short, &mut short_theirs), "positions"),
            (it.top_k_pairs_into::<u32, u32>(a, c, &mut short, &mut short_theirs), "found values"),
        ];
        let mut indices = c.slice_mut(..11);
        let of_all = [
            (it.argsort_binned_into::<u32>(other, 10, a, &mut short), "keys"),
            (it.argsort_binned_into::<u32>(a, 10, other, &mut short), "positions"),
            (it.top_k_into::<u32, _>(other, &mut short, &mut indices), "keys"),
            (it.top_k_pairs_into::<u32, u32>(a, other, &mut short, &mut indices), "values"),
        ];
        binned.into_iter().chain(of_all).collect()
    }
}

/// cudarc orders the streams of one context object: a slice of another one may be in use on a stream that is not waited for.
#[test]
fn slices_of_another_object_of_the_context_are_refused() {
    let test = "refused::slices_of_another_object_of_the_context_are_refused";
    let Some(shim) = shim::child(test, &[]) else { return };
    let mut contexts = Contexts::new();
    let (arrays, rows) = (contexts.of_arrays(), contexts.of_rows());
    let (segments, counts) = (contexts.of_segments(), contexts.of_counts());
    let all = [arrays, rows, segments, counts, contexts.of_lists()];
    for (number, (result, named)) in all.into_iter().flatten().enumerate() {
        let error = result.expect_err(&format!("call {number}, of other {named}"));
        assert!(
            matches!(error, Error::OtherContext { what } if what == named),
            "call {number}, of other {named}: {error}"
        );
        assert!(error.to_string().contains("keys.stream()"), "{error}");
    }
    // A sorter that made its context itself says on which stream slices are to be.
    let sorter = Sorter::on_device(0).unwrap();
    let mut of_its_own = keys(sorter.stream().unwrap(), MANY);
    sorter.sort::<u32>(&mut of_its_own).unwrap();
    assert!(Sorter::host().stream().is_none());
    assert_eq!(shim.violations(), Vec::<String>::new());
}

/// All functions with outputs and options, of an illegal option.
fn with_options(
    it: &Sorter,
    input: &CudaSlice<u32>,
    [a, b]: &mut [CudaSlice<u32>; 2],
    options: SortOptions,
) -> [Result<(), Error>; 10] {
    let columns = MANY / 100;
    [
        it.sort_into_with::<u32>(input, a, options),
        it.sort_pairs_into_with::<u32, u32>(input, input, a, b, options),
        it.argsort_into_with::<u32>(input, a, options),
        it.sort_with_positions_into_with::<u32>(input, a, b, options),
        it.sort_rows_into_with::<u32>(input, a, columns, options),
        it.sort_pairs_rows_into_with::<u32, u32>(input, input, a, b, columns, options),
        it.argsort_rows_into_with::<u32>(input, a, columns, options),
        it.sort_rows_with_positions_into_with::<u32>(input, a, b, columns, options),
        it.argsort_segments_into_with::<u32, u32>(input, a, input, options),
        it.argsort_counted_into_with::<u32, _>(input, a, &input.slice(..1), options),
    ]
}

/// Top-ks, of which no option is illegal: an output lacks room, or rows end amid the keys.
fn top_ks(
    it: &Sorter,
    input: &CudaSlice<u32>,
    [a, b]: &mut [CudaSlice<u32>; 2],
) -> [Result<(), Error>; 6] {
    let (columns, amid, usual) = (MANY / 100, MANY - 1, TopKOptions::new());
    let short = &mut a.slice_mut(..199);
    [
        it.top_k_into_with::<u32, _>(input, short, &mut b.slice_mut(..200), usual),
        it.top_k_rows_into_with::<u32, _>(input, short, b, columns, 2, usual),
        it.top_k_rows_into_with::<u32, _>(input, short, b, amid, 2, usual),
        it.top_k_pairs_into_with::<u32, u32>(input, input, b, short, usual),
        it.top_k_pairs_rows_into_with::<u32, u32>(input, input, b, short, columns, 2, usual),
        it.top_k_pairs_rows_into_with::<u32, u32>(input, input, b, short, amid, 2, usual),
    ]
}

/// Nothing is enqueued, so the outputs are as they were.
#[test]
fn outputs_are_as_they_were_where_an_argument_is_refused() {
    let test = "refused::outputs_are_as_they_were_where_an_argument_is_refused";
    let Some(shim) = shim::child(test, &[]) else { return };
    let stream = stream();
    let sorter = Sorter::on(&stream).unwrap();
    let input = keys(&stream, MANY);
    let mut outputs = [(); 2].map(|()| keys(&stream, MANY));
    let by_network = SortOptions::new().algorithm(ArrayAlgorithm::Bitonic);
    shim.forget();
    for options in [SortOptions::new().bits(3..33), by_network.bits(0..8)] {
        let results = with_options(&sorter, &input, &mut outputs, options);
        for (call, result) in results.into_iter().enumerate() {
            let error = result.expect_err(&format!("call {call}"));
            let is_of_argument =
                matches!(error, Error::BitRange { .. } | Error::NotOfAlgorithm { .. });
            assert!(is_of_argument, "call {call}: {error}");
        }
    }
    for (call, result) in top_ks(&sorter, &input, &mut outputs).into_iter().enumerate() {
        let error = result.expect_err(&format!("top-k {call}"));
        let is_of_argument = matches!(error, Error::OutputLength { .. } | Error::RowShape { .. });
        assert!(is_of_argument, "top-k {call}: {error}");
    }
    let trace = shim.trace();
    let is_work = |call: &String| ["Launch", "Memcpy", "Memset"].iter().any(|it| call.contains(it));
    assert!(!trace.iter().any(is_work), "{trace:?}");
    for output in &outputs {
        assert_eq!(stream.clone_dtoh(output).unwrap(), vec![7; MANY]);
    }
}

/// Each call of the driver by which a sort becomes a part of a capture fails once: the next sort is a part of it all the same.
#[test]
fn a_call_that_fails_in_a_capture_is_an_error_and_the_capture_continues() {
    let test = "refused::a_call_that_fails_in_a_capture_is_an_error_and_the_capture_continues";
    let Some(shim) = shim::child(test, &[]) else { return };
    let stream = stream();
    let sorter = Sorter::on(&stream).unwrap();
    let mut items = keys(&stream, MANY);
    for call in ["cuStreamGetCaptureInfo_v2", "cuStreamCreate", "cuStreamWaitEvent"] {
        begin(&stream);
        shim.forget();
        shim.fail(call, 1, 999, shim::Mode::Once);
        let error = sorter.sort::<u32>(&mut items).unwrap_err();
        assert!(matches!(error, Error::Driver { .. }), "{call}: {error}");
        assert_eq!(shim.fired(), 1, "{call}");
        shim.heal();
        sorter.sort::<u32>(&mut items).unwrap();
        drop(end(&stream).unwrap());
    }
    let graph = captured(&stream, || sorter.sort::<u32>(&mut items));
    replay(shim, &graph, &stream);
}
