//! Device memory for keys of any type, and the oracle's expectation of it.

use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream, CudaViewMut};
use sortsmith::{Carried, Order, SortKey, SortOptions, SortValue};
use sortsmith_testkit::oracle::{self, Task};

/// Items on a device, by their bytes, between zones that nothing may write.
pub struct Items {
    memory: CudaSlice<u8>,
    range: Range<usize>,
    stream: Arc<CudaStream>,
}

const ZONE: usize = 256;
const ZONE_BYTE: u8 = 0xa5;

impl Items {
    /// These bytes, aligned for any type.
    pub fn holding(stream: &Arc<CudaStream>, bytes: &[u8]) -> Self {
        Self::holding_at(0, stream, bytes)
    }

    /// These bytes, at this offset from an aligned address.
    pub fn holding_at(offset: usize, stream: &Arc<CudaStream>, bytes: &[u8]) -> Self {
        let range = ZONE + offset..ZONE + offset + bytes.len();
        // SAFETY: both zones and the bytes between them are written below.
        let mut memory = unsafe { stream.alloc::<u8>(range.end + ZONE) }.unwrap();
        stream.memcpy_htod(&vec![ZONE_BYTE; range.start], &mut memory).unwrap();
        stream.memcpy_htod(&[ZONE_BYTE; ZONE], &mut memory.slice_mut(range.end..)).unwrap();
        if !bytes.is_empty() {
            stream.memcpy_htod(bytes, &mut memory.slice_mut(range.clone())).unwrap();
        }
        Self { memory, range, stream: Arc::clone(stream) }
    }

    /// The items as a view of their type. cudarc makes slices of some key types only; views are there for all.
    pub fn call<T, R>(&mut self, with: impl FnOnce(&mut CudaViewMut<'_, T>) -> R) -> R {
        let mut bytes = self.memory.slice_mut(self.range.clone());
        let length = bytes.len() / size_of::<T>();
        // SAFETY: the bytes are those of items of this type; a zone and the offset are multiples of its alignment.
        with(&mut unsafe { bytes.transmute_mut::<T>(length) }.unwrap())
    }

    /// The bytes as they are now.
    pub fn read(&self) -> Vec<u8> {
        let part = |range: Range<usize>| {
            let copy = |range| self.stream.clone_dtoh(&self.memory.slice(range)).unwrap();
            Some(range).filter(|range| !range.is_empty()).map_or_else(Vec::new, copy)
        };
        let zones = [part(0..self.range.start), part(self.range.end..self.memory.len())].concat();
        let bytes = part(self.range.clone());
        self.stream.synchronize().unwrap();
        assert!(zones.iter().all(|byte| *byte == ZONE_BYTE), "memory beside the items was written");
        bytes
    }
}

/// The oracle's task for these options.
pub fn task_of<K: SortKey>(options: &SortOptions) -> Task {
    let bits = options.get_bits().unwrap_or(0..K::KEY_TYPE.bits());
    Task {
        key: K::KEY_TYPE,
        order: options.get_order(),
        begin_bit: bits.start,
        end_bit: bits.end,
        nan_last: options.is_nan_last(),
    }
}

/// The options that are tried.
pub fn options_of<K: SortKey>() -> [SortOptions; 3] {
    let bits = K::KEY_TYPE.bits();
    [
        SortOptions::new(),
        SortOptions::new().descending(),
        SortOptions::new().order(Order::Descending).bits(bits / 4..bits - bits / 8),
    ]
}

/// Whether the values are gathered. Their keys alone and positions are sorted by the same kernels as those of another test of the key type.
pub fn is_gathered<V: SortValue>() -> bool {
    matches!(V::CARRIED, Carried::ByPosition(_))
}

/// Keys or values in the order of these positions.
pub fn gathered(items: &[u8], item_bytes: usize, positions: &[u32]) -> Vec<u8> {
    oracle::gather(items, item_bytes, positions)
}
