//! Refused calls: they change nothing, and the error says what to do.

use cudarc::driver::CudaContext;
use sortsmith::{BlockRadixSort, Error, Sorter};

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

/// cudarc orders the streams of one context object: a slice of another one may be in use on a stream that is not waited for.
#[test]
fn slices_of_another_object_of_the_context_are_refused() {
    let test = "refused::slices_of_another_object_of_the_context_are_refused";
    let Some(shim) = shim::child(test, &[]) else { return };
    let (own, other) = (stream(), CudaContext::new(0).unwrap().default_stream());
    let sorter = Sorter::on(&own).unwrap();
    let (mut theirs, mut ours) = (keys(&other, MANY), keys(&own, MANY));
    for (error, named) in [
        (sorter.sort::<u32>(&mut theirs).unwrap_err(), "keys"),
        (sorter.sort_pairs::<u32, u32>(&mut ours, &mut theirs).unwrap_err(), "values"),
        (sorter.argsort_into::<u32>(&ours, &mut theirs).unwrap_err(), "indices"),
        (sorter.argsort::<u32>(&theirs).map(|_| ()).unwrap_err(), "keys"),
        (BlockRadixSort::<u32>::tiles(32, 4).sort(&sorter, &mut theirs).unwrap_err(), "keys"),
    ] {
        assert!(matches!(error, Error::OtherContext { what } if what == named), "{error}");
        assert!(error.to_string().contains("keys.stream()"), "{error}");
    }
    // A sorter that made its context itself says on which stream slices are to be.
    let sorter = Sorter::on_device(0).unwrap();
    let mut of_its_own = keys(sorter.stream().unwrap(), MANY);
    sorter.sort::<u32>(&mut of_its_own).unwrap();
    assert!(Sorter::host().stream().is_none());
    assert_eq!(shim.violations(), Vec::<String>::new());
}

/// Without the calls for user objects: as with a driver before CUDA 11.3, if it were not refused altogether.
#[test]
fn a_stream_that_waits_for_another_capture_is_refused() {
    let test = "refused::a_stream_that_waits_for_another_capture_is_refused";
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
