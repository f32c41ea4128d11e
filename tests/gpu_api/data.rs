//! Device memory of any type of keys, and what the oracle expects of it.

use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream, CudaViewMut};
use sortsmith::{Order, SortKey, SortOptions};
use sortsmith_testkit::oracle::{self, Task};

/// Items on a device, by their bytes, between zones that nothing may write.
pub struct Items {
    bytes: CudaSlice<u8>,
    stream: Arc<CudaStream>,
}

const ZONE: usize = 256;
const ZONE_BYTE: u8 = 0xa5;

impl Items {
    /// These bytes.
    pub fn holding(stream: &Arc<CudaStream>, bytes: &[u8]) -> Self {
        let zone = [ZONE_BYTE; ZONE];
        let bytes = stream.clone_htod(&[&zone, bytes, &zone].concat()).unwrap();
        Self { bytes, stream: Arc::clone(stream) }
    }

    /// The items as a view of their type. cudarc makes slices of some key types only; views are there for all.
    pub fn call<T, R>(&mut self, with: impl FnOnce(&mut CudaViewMut<'_, T>) -> R) -> R {
        let end = self.bytes.len() - ZONE;
        let mut bytes = self.bytes.slice_mut(ZONE..end);
        let length = bytes.len() / size_of::<T>();
        // SAFETY: the bytes are those of items of this type, and a zone is a multiple of every alignment.
        with(&mut unsafe { bytes.transmute_mut::<T>(length) }.unwrap())
    }

    /// The bytes as they are now.
    pub fn read(&self) -> Vec<u8> {
        let mut image = self.stream.clone_dtoh(&self.bytes).unwrap();
        self.stream.synchronize().unwrap();
        let behind = image.split_off(image.len() - ZONE);
        let bytes = image.split_off(ZONE);
        let zones = [image, behind].concat();
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

/// Keys or values in the order of these positions.
pub fn gathered(items: &[u8], item_bytes: usize, positions: &[u32]) -> Vec<u8> {
    oracle::gather(items, item_bytes, positions)
}
