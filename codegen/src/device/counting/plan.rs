//! Which sorts are legal, their shared memory, and what the host launches.

use crate::contract::device::algorithm::DeviceAlgorithm;
use crate::contract::device::host::{HostLaunch, Number};
use crate::contract::device::launch::Kernel;
use crate::contract::device::shape::{RowSpeed, Shape, ShortRows};
use crate::contract::device::spec::{
    DeviceFields, DeviceSpec, SharedBytes, require, require_scalar,
};
use crate::contract::validate::DeviceSpecError;
use crate::layout::{Region, array};
use crate::types::{Arch, ValueType};

/// The one kernel.
pub(super) const ROWS: Kernel = Kernel::new("_rows");

/// The shapes for rows of many columns, the larger tile first: a block of it has all the shared memory of Hopper's multiprocessors, and one
/// of the other that of compute capability 8.0.
pub(super) const ROW_SHAPES: [Shape; 2] = [shape(48), shape(16)];

const fn shape(items: u32) -> Shape {
    Shape { algorithm: DeviceAlgorithm::Counting, threads: 1024, items }
}

/// Billions of keys a second as the columns grow, and how many keys more than a row has its bins count for: a
/// block's time for its bins is that of 24,400 keys. Measured speeds are 0.95 to 1.04 times what follows from both
/// (H200, 2026-11-25, `f16` of random bits, 8192 to 128,256 columns).
pub(super) const ROW_SPEED: RowSpeed =
    RowSpeed { full: 393.0, of_short_rows: ShortRows::AsWithMore(24_400.0) };

/// Bits of a counter. Two share a register's bits, so that those of all keys find room.
const COUNTER_BITS: u32 = 16;

/// Keys of one value that an overflowing counter hands over to the list of overflows.
pub(super) const OVERFLOW: u32 = 1 << (COUNTER_BITS - 1);

/// Keys that a thread moves at once.
pub(super) const VECTOR_KEYS: u32 = 8;

/// The most columns: as many signs of zeros as a tile has bits, but not more than rows of other sorts have.
pub(super) fn max_items(fields: &DeviceFields) -> u32 {
    (u16::BITS * fields.tile_items()).min(1 << 20)
}

/// The most overflows of the counters of a row.
pub(super) fn max_overflows(fields: &DeviceFields) -> u32 {
    max_items(fields) / OVERFLOW + 1
}

/// The shared memory of these fields, or the first field that is not legal.
pub(super) fn check(fields: &DeviceFields) -> Result<SharedBytes, DeviceSpecError> {
    require(
        (64..=1024).contains(&fields.threads) && fields.threads.is_power_of_two(),
        "threads",
        fields.threads.to_string(),
        "a power of two from 64 to 1024",
    )?;
    require_scalar(fields.key)?;
    fields.check_common()?;
    require(
        fields.items.is_multiple_of(VECTOR_KEYS),
        "items",
        fields.items.to_string(),
        "a multiple of 8 up to 64",
    )?;
    require(fields.key.bits() == 16, "key", fields.key.to_string(), "a key of 16 bits")?;
    let is_alone = fields.value == ValueType::None;
    require(is_alone, "value", fields.value.to_string(), "keys: what is counted has no values")?;
    require(!fields.nan_last, "nanlast", "true".to_owned(), "false: NaNs come by their bits")?;
    require(!fields.wide, "wide", "true".to_owned(), "false: rows are not so long")?;
    let shared = SharedBytes::of_one(shared_bytes(fields));
    require(
        shared.most() <= Arch::MAX_SHARED_BYTES,
        "tile",
        format!("{} items, {} bytes of shared memory", fields.tile_items(), shared.most()),
        &format!("at most {} bytes", Arch::MAX_SHARED_BYTES),
    )?;
    Ok(shared)
}

/// The header's `sizeof(Storage)`.
fn shared_bytes(fields: &DeviceFields) -> u32 {
    let arrays = [
        array("counters, two in 4 bytes", 4, 1 << (COUNTER_BITS - 1)),
        array("the tile", 2, fields.tile_items()),
        array("sums of warps", 4, fields.threads / 32),
        array("positions of lines of bins", 4, (1 << COUNTER_BITS) / (32 * VECTOR_KEYS) + 1),
        array("the number of overflows", 4, 1),
        array("bins of overflows", 2, max_overflows(fields)),
    ];
    Region { align: 16, ..Region::of(&arrays) }.size_of()
}

/// The one launch: each block along y has a row.
pub(super) fn launch<N: Number>(spec: &DeviceSpec) -> HostLaunch<N> {
    HostLaunch::new(ROWS, N::known(1), spec.threads, N::known(spec.shared_bytes().into()))
}
