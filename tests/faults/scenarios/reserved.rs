//! Calls on slices of the device that allocate no slices: kernels and scratch are reserved for them, and captures take them.

use std::marker::PhantomData;

use cudarc::driver::sys::CUgraphInstantiate_flags;
use cudarc::driver::sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
use sortsmith::{ArrayAlgorithm, Error, Rows, SortOptions, Sorter};

use super::device::{
    DeviceCall, InPlaceCounted, InPlaceGathered, InPlacePartition, InPlaceRows, InPlaceSegments,
    Slices, TopKPairs,
};
use super::{MANY, stream};
use crate::inject::Scenario;
use crate::shim::Shim;

/// What is reserved for a call.
pub trait Reserved {
    fn reserve(sorter: &Sorter) -> Result<(), Error>;
}

impl Reserved for InPlaceGathered {
    fn reserve(sorter: &Sorter) -> Result<(), Error> {
        sorter.reserve::<u32, [u32; 3]>(MANY)
    }
}

impl Reserved for InPlacePartition {
    fn reserve(sorter: &Sorter) -> Result<(), Error> {
        let options = SortOptions::new().algorithm(ArrayAlgorithm::Partition);
        sorter.reserve_with::<u64, u32>(MANY, options)
    }
}

impl Reserved for InPlaceRows {
    fn reserve(sorter: &Sorter) -> Result<(), Error> {
        sorter.reserve_rows::<u32, u64>(100, MANY / 100)
    }
}

impl Reserved for InPlaceSegments {
    fn reserve(sorter: &Sorter) -> Result<(), Error> {
        sorter.reserve_segments::<u32, u64>(MANY, MANY - 1)
    }
}

impl Reserved for InPlaceCounted {
    fn reserve(sorter: &Sorter) -> Result<(), Error> {
        sorter.reserve_counted::<u32, u64>(MANY)
    }
}

impl Reserved for TopKPairs {
    fn reserve(sorter: &Sorter) -> Result<(), Error> {
        sorter.reserve_top_k_pairs::<u32, u64>(MANY, 3)
    }
}

/// The first keys of an array, by the sort of a row: k is too large for less.
pub struct TopKInto;

impl DeviceCall for TopKInto {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        let (keys, found, mut positions) = slices.keys_and_outputs();
        let (mut found, mut positions) = (found.slice_mut(..5000), positions.slice_mut(..5000));
        sorter.top_k_into::<u32, u32>(keys, &mut found, &mut positions)
    }
}

impl Reserved for TopKInto {
    fn reserve(sorter: &Sorter) -> Result<(), Error> {
        sorter.reserve_top_k::<u32>(MANY, 5000)
    }
}

/// Positions by bins, in two launches.
pub struct BinnedInto;

impl DeviceCall for BinnedInto {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        let (keys, positions, mut offsets) = slices.keys_and_outputs();
        sorter.argsort_binned_into::<u32>(keys, 100, positions, &mut offsets.slice_mut(..101))
    }
}

impl Reserved for BinnedInto {
    fn reserve(sorter: &Sorter) -> Result<(), Error> {
        sorter.reserve_argsort_binned::<u32>(MANY, 100)
    }
}

/// Positions of rows that no tile holds.
pub struct PositionsOfLongRowsInto;

impl DeviceCall for PositionsOfLongRowsInto {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        let (keys, _, mut positions) = slices.keys_and_outputs();
        sorter.argsort_rows_into::<u32>(keys, &mut positions, MANY / 2)
    }
}

impl Reserved for PositionsOfLongRowsInto {
    fn reserve(sorter: &Sorter) -> Result<(), Error> {
        sorter.reserve_argsort_rows::<u32>(2, MANY / 2)
    }
}

pub struct PositionsOfSegmentsInto;

impl DeviceCall for PositionsOfSegmentsInto {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        let (keys, offsets, mut positions) = slices.keys_and_outputs();
        sorter.argsort_segments_into::<u32, u32>(keys, &mut positions, &*offsets)
    }
}

impl Reserved for PositionsOfSegmentsInto {
    fn reserve(sorter: &Sorter) -> Result<(), Error> {
        sorter.reserve_argsort_segments::<u32>(MANY, MANY - 1)
    }
}

pub struct PositionsOfCountedInto;

impl DeviceCall for PositionsOfCountedInto {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        let (keys, counts, mut positions) = slices.keys_and_outputs();
        sorter.argsort_counted_into::<u32, u32>(keys, &mut positions, &counts.slice(..1))
    }
}

impl Reserved for PositionsOfCountedInto {
    fn reserve(sorter: &Sorter) -> Result<(), Error> {
        sorter.reserve_argsort_counted::<u32>(MANY)
    }
}

/// As many rows as a count on the device says.
pub struct InPlaceCountedRows;

impl DeviceCall for InPlaceCountedRows {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        let Slices { keys, values, sorted_keys: counts, .. } = slices;
        let count = counts.slice(..1);
        let rows = Rows::of(MANY / 2).counted::<u32>(&count);
        sorter.sort_pairs_rows_with::<u32, u64>(keys, values, rows, SortOptions::new())
    }
}

impl Reserved for InPlaceCountedRows {
    fn reserve(sorter: &Sorter) -> Result<(), Error> {
        sorter.reserve_counted_rows::<u32, u64>(2, MANY / 2)
    }
}

pub struct PositionsOfCountedRowsInto;

impl DeviceCall for PositionsOfCountedRowsInto {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        let (keys, counts, mut positions) = slices.keys_and_outputs();
        let count = counts.slice(..1);
        let rows = Rows::of(MANY / 2).counted::<u32>(&count);
        sorter.argsort_rows_into_with::<u32>(keys, &mut positions, rows, SortOptions::new())
    }
}

impl Reserved for PositionsOfCountedRowsInto {
    fn reserve(sorter: &Sorter) -> Result<(), Error> {
        sorter.reserve_argsort_counted_rows::<u32>(2, MANY / 2)
    }
}

/// Positions of keys of the device.
pub struct WidePositions;

impl Reserved for WidePositions {
    fn reserve(sorter: &Sorter) -> Result<(), Error> {
        sorter.reserve_argsort::<u64>(MANY)
    }
}

pub struct HostPairs;

impl Reserved for HostPairs {
    fn reserve(sorter: &Sorter) -> Result<(), Error> {
        sorter.reserve_host_slices::<u32, u64>(2 * MANY)
    }
}

/// Positions of keys of the host.
pub struct HostPositions;

impl Reserved for HostPositions {
    fn reserve(sorter: &Sorter) -> Result<(), Error> {
        sorter.reserve_argsort_host_slices::<u32>(4 * MANY)
    }
}

/// Kernels, which are compiled, and scratch.
pub struct FirstReserve<C>(Sorter, PhantomData<C>);

impl<C: Reserved> Scenario for FirstReserve<C> {
    const NEEDED: &'static [(&'static str, usize)] =
        &[("nvrtcCompileProgram", 1), ("file write", 1), ("cuModuleLoadData", 1)];

    fn prepare() -> Self {
        Self(Sorter::on(&stream()).unwrap(), PhantomData)
    }

    fn act(&mut self) -> Result<(), Error> {
        C::reserve(&self.0)
    }

    fn reset(&mut self) {}

    fn outcome(&self) -> Vec<u8> {
        Vec::new()
    }
}

/// Kernels and scratch for a call, which then neither compiles nor allocates. Its kernels are loaded for another sorter, or are in the cache.
pub struct Reserve<C, const LOADED: bool> {
    sorter: Sorter,
    _other: Option<Sorter>,
    slices: Slices,
    is_reserved: bool,
    call: PhantomData<C>,
}

impl<C: DeviceCall + Reserved, const LOADED: bool> Scenario for Reserve<C, LOADED> {
    const NEEDED: &'static [(&'static str, usize)] =
        if LOADED { &[] } else { &[("file open", 1), ("file read", 1), ("cuModuleLoadData", 1)] };
    const NEVER: &'static [&'static str] = if LOADED {
        &["cuLaunchKernelEx", "file open"]
    } else {
        &["cuLaunchKernelEx", "nvrtcCompileProgram"]
    };

    fn prepare() -> Self {
        let stream = stream();
        let other = Sorter::on(&stream).unwrap();
        C::reserve(&other).unwrap();
        let other = LOADED.then_some(other);
        let (sorter, slices) = (Sorter::on(&stream).unwrap(), Slices::of(&stream));
        Self { sorter, _other: other, slices, is_reserved: false, call: PhantomData }
    }

    fn act(&mut self) -> Result<(), Error> {
        self.is_reserved = false;
        C::reserve(&self.sorter)?;
        self.is_reserved = true;
        Ok(())
    }

    fn finish(&mut self) {
        let taken = || {
            let shim = Shim::loaded();
            (shim.live("bytes"), shim.live("modules"), shim.calls("nvrtcCompileProgram"))
        };
        if self.is_reserved {
            let before = taken();
            C::call(&mut self.slices, &self.sorter).unwrap();
            assert_eq!(taken(), before, "more than was reserved");
        }
    }

    fn reset(&mut self) {
        self.slices = Slices::of(&self.slices.stream);
    }

    fn outcome(&self) -> Vec<u8> {
        // What was not reserved is not called.
        if self.is_reserved { self.slices.bytes() } else { Vec::new() }
    }
}

/// A call in a capture, and a launch of its graph: with cudarc's events and with nothing reserved, or with neither.
pub struct Capture<C, const TRACKED: bool> {
    sorter: Sorter,
    slices: Slices,
    is_sorted: bool,
    call: PhantomData<C>,
}

impl<C, const TRACKED: bool> Capture<C, TRACKED> {
    fn begin(&self) {
        self.slices.stream.begin_capture(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).unwrap();
    }
}

impl<C: DeviceCall + Reserved, const TRACKED: bool> Scenario for Capture<C, TRACKED> {
    fn prepare() -> Self {
        let stream = stream();
        if !TRACKED {
            // SAFETY: one stream uses all slices.
            unsafe { stream.context().disable_event_tracking() };
        }
        let sorter = Sorter::on(&stream).unwrap();
        if !TRACKED {
            C::reserve(&sorter).unwrap();
        }
        assert_eq!(stream.context().is_managing_stream_synchronization(), TRACKED);
        let (slices, call) = (Slices::of(&stream), PhantomData);
        let new = Self { sorter, slices, is_sorted: false, call };
        new.begin();
        new
    }

    fn act(&mut self) -> Result<(), Error> {
        self.is_sorted = false;
        C::call(&mut self.slices, &self.sorter)?;
        self.is_sorted = true;
        Ok(())
    }

    fn finish(&mut self) {
        let graph = self.slices.stream.end_capture(CUgraphInstantiate_flags(0));
        if self.is_sorted {
            graph.unwrap().unwrap().launch().unwrap();
        }
    }

    fn reset(&mut self) {
        self.slices = Slices::of(&self.slices.stream);
        self.begin();
    }

    fn outcome(&self) -> Vec<u8> {
        self.slices.bytes()
    }
}
