//! Sorts of slices of the device.

use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream, CudaViewMut};
use sortsmith::{
    ArrayAlgorithm, BlockRadixSort, DeviceBinnedArgsort, DeviceTopK, Error, Rows, SortOptions,
    Sorter,
};

use super::{MANY, bytes_of, keys, stream, values, wide_values};
use crate::inject::Scenario;

/// Slices of the device, of a stream beside the one that sorts.
pub struct Slices {
    pub stream: Arc<CudaStream>,
    pub keys: CudaSlice<u32>,
    pub values: CudaSlice<u64>,
    wide_values: CudaSlice<[u32; 3]>,
    floats: CudaSlice<f32>,
    /// One more than is sorted.
    pub bytes: CudaSlice<u8>,
    pub sorted_keys: CudaSlice<u32>,
    sorted_values: CudaSlice<u64>,
    /// What a call returned.
    positions: Option<CudaSlice<u32>>,
    found: Option<DeviceTopK<u32>>,
    binned: Option<DeviceBinnedArgsort>,
}

impl Slices {
    pub fn of(stream: &Arc<CudaStream>) -> Self {
        Self {
            stream: Arc::clone(stream),
            keys: stream.clone_htod(&keys(MANY)).unwrap(),
            values: stream.clone_htod(&values(MANY)).unwrap(),
            wide_values: stream.clone_htod(&wide_values(MANY)).unwrap(),
            floats: stream.clone_htod(&vec![0.5; MANY]).unwrap(),
            bytes: stream.clone_htod(&vec![3; 4 * MANY + 1]).unwrap(),
            sorted_keys: stream.alloc_zeros(MANY).unwrap(),
            sorted_values: stream.alloc_zeros(MANY).unwrap(),
            positions: None,
            found: None,
            binned: None,
        }
    }

    /// Keys, room for sorted ones, and room for positions.
    pub fn keys_and_outputs(
        &mut self,
    ) -> (&CudaSlice<u32>, &mut CudaSlice<u32>, CudaViewMut<'_, u32>) {
        let Self { keys, sorted_keys, bytes, .. } = self;
        // SAFETY: four bytes are a `u32`, and the slice begins where its allocation does.
        let positions = unsafe { bytes.transmute_mut::<u32>(MANY) }.unwrap();
        (keys, sorted_keys, positions)
    }

    pub fn bytes(&self) -> Vec<u8> {
        let Self { stream, keys, values, wide_values, floats, bytes, .. } = self;
        let Self { sorted_keys, sorted_values, positions, found, binned, .. } = self;
        let mut all = [
            bytes_of(&stream.clone_dtoh(keys).unwrap()),
            bytes_of(&stream.clone_dtoh(values).unwrap()),
            bytes_of(&stream.clone_dtoh(wide_values).unwrap()),
            bytes_of(&stream.clone_dtoh(floats).unwrap()),
            stream.clone_dtoh(bytes).unwrap(),
            bytes_of(&stream.clone_dtoh(sorted_keys).unwrap()),
            bytes_of(&stream.clone_dtoh(sorted_values).unwrap()),
        ]
        .concat();
        if let Some(positions) = positions {
            all.extend(bytes_of(&stream.clone_dtoh(positions).unwrap()));
        }
        for of_found in found.iter().flat_map(|it| [&it.keys, &it.positions]) {
            all.extend(bytes_of(&stream.clone_dtoh(of_found).unwrap()));
        }
        for of_binned in binned.iter().flat_map(|it| [&it.positions, &it.offsets]) {
            all.extend(bytes_of(&stream.clone_dtoh(of_binned).unwrap()));
        }
        all
    }
}

/// A call on slices of the device.
pub trait DeviceCall {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error>;
}

/// Slices of the device, sorted by a sorter of another stream; its first call, or a later one.
pub struct Device<C, const FIRST: bool> {
    sorter: Sorter,
    slices: Slices,
    call: std::marker::PhantomData<C>,
}

impl<C: DeviceCall, const FIRST: bool> Scenario for Device<C, FIRST> {
    /// A first call compiles kernels and writes them to the cache.
    const NEEDED: &'static [(&'static str, usize)] = if FIRST {
        &[
            ("file realpath", 2),
            ("file open", 3),
            ("file stat", 2),
            ("file chmod", 1),
            ("file write", 1),
            ("file rename", 1),
        ]
    } else {
        &[]
    };

    fn prepare() -> Self {
        let stream = stream();
        let sorter = Sorter::on(&stream.context().new_stream().unwrap()).unwrap();
        if !FIRST {
            C::call(&mut Slices::of(&stream), &sorter).unwrap();
        }
        Self { sorter, slices: Slices::of(&stream), call: std::marker::PhantomData }
    }

    fn act(&mut self) -> Result<(), Error> {
        C::call(&mut self.slices, &self.sorter)
    }

    fn reset(&mut self) {
        self.slices = Slices::of(&self.slices.stream);
    }

    fn outcome(&self) -> Vec<u8> {
        self.slices.bytes()
    }
}

pub struct InPlace;

impl DeviceCall for InPlace {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        sorter.sort_pairs::<u32, u64>(&mut slices.keys, &mut slices.values)
    }
}

pub struct InPlaceGathered;

impl DeviceCall for InPlaceGathered {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        sorter.sort_pairs::<u32, [u32; 3]>(&mut slices.keys, &mut slices.wide_values)
    }
}

/// NaNs come last by the radix sort alone, which zeroes a workspace.
pub struct InPlaceRadix;

impl DeviceCall for InPlaceRadix {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        sorter.sort_with::<f32>(&mut slices.floats, SortOptions::new().nan_last())
    }
}

/// A sort with a seed, and a counter of sorts that the context owns.
pub struct InPlacePartition;

impl DeviceCall for InPlacePartition {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        let options = SortOptions::new().algorithm(ArrayAlgorithm::Partition);
        sorter.sort_pairs_with::<u64, u32>(&mut slices.values, &mut slices.keys, options)
    }
}

/// Values that begin where a kernel cannot read them.
pub struct InPlaceOdd;

impl DeviceCall for InPlaceOdd {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        let mut odd = slices.bytes.slice_mut(1..);
        // SAFETY: four bytes are a `[u8; 4]`, wherever they begin, and there are as many.
        let mut values = unsafe { odd.transmute_mut::<[u8; 4]>(MANY) }.unwrap();
        sorter.sort_pairs::<u32, [u8; 4]>(&mut slices.keys, &mut values)
    }
}

/// Rows that a tile holds.
pub struct InPlaceRows;

impl DeviceCall for InPlaceRows {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        sorter.sort_pairs_rows::<u32, u64>(&mut slices.keys, &mut slices.values, MANY / 100)
    }
}

/// Rows that no tile holds.
pub struct InPlaceLongRows;

impl DeviceCall for InPlaceLongRows {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        sorter.sort_pairs_rows::<u64, u32>(&mut slices.values, &mut slices.keys, MANY / 2)
    }
}

/// The positions of rows.
pub struct PositionsOfRows;

impl DeviceCall for PositionsOfRows {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        slices.positions = None;
        slices.positions = Some(sorter.argsort_rows::<u32>(&slices.keys, MANY / 100)?);
        Ok(())
    }
}

/// The positions of segments.
pub struct PositionsOfSegments;

impl DeviceCall for PositionsOfSegments {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        slices.positions = None;
        let positions = sorter.argsort_segments::<u32, _>(&slices.keys, &slices.sorted_keys)?;
        slices.positions = Some(positions);
        Ok(())
    }
}

/// In one launch, of all rows.
pub struct TopKOfRows;

impl DeviceCall for TopKOfRows {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        slices.found = None;
        slices.found = Some(sorter.top_k_rows::<u32>(&slices.keys, MANY / 100, 3)?);
        Ok(())
    }
}

/// In two launches, and by the sort of a row, for which k is too large.
pub struct TopK;

impl DeviceCall for TopK {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        let (keys, found_keys, mut positions) = slices.keys_and_outputs();
        let (mut found_keys, mut positions) =
            (found_keys.slice_mut(..5000), positions.slice_mut(..5000));
        sorter.top_k_into::<u32, _>(keys, &mut found_keys, &mut positions)?;
        slices.found = None;
        slices.found = Some(sorter.top_k::<u32>(&slices.keys, 3)?);
        Ok(())
    }
}

/// The first keys of an array, in two launches, and their values.
pub struct TopKPairs;

impl DeviceCall for TopKPairs {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        let Slices { keys, values, sorted_keys, sorted_values, .. } = slices;
        let mut found_keys = sorted_keys.slice_mut(..3);
        let mut found_values = sorted_values.slice_mut(..3);
        sorter.top_k_pairs_into::<u32, u64>(keys, values, &mut found_keys, &mut found_values)
    }
}

/// As many items as a count on the device says.
pub struct InPlaceCounted;

impl DeviceCall for InPlaceCounted {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        let Slices { keys, values, sorted_keys: counts, .. } = slices;
        sorter.sort_pairs_counted::<u32, u64, u32>(keys, values, &counts.slice(..1))
    }
}

/// In two launches.
pub struct Binned;

impl DeviceCall for Binned {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        slices.binned = None;
        slices.binned = Some(sorter.argsort_binned::<u32>(&slices.keys, 100)?);
        Ok(())
    }
}

/// Segments of several lengths, by offsets on the device.
pub struct InPlaceSegments;

impl DeviceCall for InPlaceSegments {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        let keys = &mut slices.keys;
        sorter.sort_pairs_segments::<u32, u64, _>(keys, &mut slices.values, &slices.sorted_keys)
    }
}

pub struct InPlaceTiles;

impl DeviceCall for InPlaceTiles {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        let tiles = BlockRadixSort::<u32, u64>::tiles(128, 8);
        tiles.sort_pairs(sorter, &mut slices.keys, &mut slices.values)
    }
}

pub struct Into;

impl DeviceCall for Into {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        sorter.sort_pairs_into::<u32, u64>(
            &slices.keys,
            &slices.values,
            &mut slices.sorted_keys,
            &mut slices.sorted_values,
        )
    }
}

pub struct Positions;

impl DeviceCall for Positions {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        slices.positions = None;
        slices.positions = Some(sorter.argsort::<u32>(&slices.keys)?);
        Ok(())
    }
}

/// Sorted keys and their positions.
pub struct WithPositions;

impl DeviceCall for WithPositions {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        let (keys, keys_out, mut positions) = slices.keys_and_outputs();
        sorter.sort_with_positions_into::<u32>(keys, keys_out, &mut positions)
    }
}

/// The same, descending by some of their bits.
pub struct WithPositionsDescending;

impl DeviceCall for WithPositionsDescending {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        let options = SortOptions::new().descending().bits(3..20);
        let (keys, keys_out, mut positions) = slices.keys_and_outputs();
        sorter.sort_with_positions_into_with::<u32>(keys, keys_out, &mut positions, options)
    }
}

/// Rows that a tile holds.
pub struct RowsWithPositions;

impl DeviceCall for RowsWithPositions {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        let (keys, keys_out, mut positions) = slices.keys_and_outputs();
        sorter.sort_rows_with_positions_into::<u32>(keys, keys_out, &mut positions, MANY / 100)
    }
}

/// Rows that no tile holds, with items between them.
pub struct LongRowsWithPositions;

impl DeviceCall for LongRowsWithPositions {
    fn call(slices: &mut Slices, sorter: &Sorter) -> Result<(), Error> {
        let rows = Rows::of(MANY / 2 - 1).stride(MANY / 2);
        let options = SortOptions::new().descending();
        let (keys, keys_out, mut positions) = slices.keys_and_outputs();
        let positions = &mut positions;
        sorter.sort_rows_with_positions_into_with::<u32>(keys, keys_out, positions, rows, options)
    }
}
