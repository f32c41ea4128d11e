//! Which sorts by a network are legal, and what follows from their fields.

use std::ops::Deref;

use super::item::Item;
use crate::block::comparison::plan::ComparisonPlan;
use crate::contract::device::algorithm::DeviceAlgorithm;
use crate::contract::device::launch::{Device, Kernel};
use crate::contract::device::scratch::aligned;
use crate::contract::device::spec::{
    DeviceFields, DeviceSpec, SharedBytes, require, require_scalar,
};
use crate::contract::validate::DeviceSpecError;
use crate::types::{Arch, KeyClass, KeyType, Order, ValueType};

/// Registers of all items of a tile, at most, where the shape is chosen: three blocks of it share a multiprocessor of
/// 227 KB.
const TILE_REGISTERS: u32 = 1 << 14;

/// Items of a thread, at most.
const MAX_ITEMS: u32 = 16;

/// Threads and items of the tiles that are worth trying, the largest one first.
const SHAPES: [(u32, u32); 6] = [(512, 16), (512, 8), (256, 8), (256, 4), (128, 4), (128, 2)];

/// The smallest tile, which is legal for items of every size.
const LEAST_SHAPE: (u32, u32) = (64, 1);

/// A device-wide sort by a bitonic network: what only such sorts have.
///
/// ```
/// use sortsmith_codegen::device::{BitonicSort, Device};
/// use sortsmith_codegen::{Arch, KeyType, Order, ValueType};
///
/// let h100 = Device::of(Arch::new(90).unwrap());
/// let spec = BitonicSort::for_device(KeyType::U32, ValueType::None, Order::Ascending, false, h100);
/// assert_eq!(spec.to_string(), "device_bitonic_sort_u32_keys_b512_i16_asc");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitonicSort {
    fields: DeviceFields,
}

impl Deref for BitonicSort {
    type Target = DeviceFields;
    fn deref(&self) -> &DeviceFields {
        &self.fields
    }
}

impl BitonicSort {
    /// The kernel that sorts each tile by a network.
    pub const TILES: Kernel = Kernel::new("_tiles");
    /// The kernel that takes some steps of a merge that are further apart than a tile is long: those that its argument says.
    pub const STRIDE: Kernel = Kernel::new("_stride");
    /// The kernel that takes the steps of a merge within tiles.
    pub const MERGE: Kernel = Kernel::new("_merge");

    /// The spec for these types with tiles as large as the device has the shared memory for. Pairs are sorted stably if
    /// that is requested.
    pub fn for_device(
        key: KeyType,
        value: ValueType,
        order: Order,
        stable: bool,
        device: Device,
    ) -> DeviceSpec {
        // Without values that are read there is nothing to keep in order, and no room to leave for positions.
        let stable = stable && value.is_read();
        let algorithm = DeviceAlgorithm::Bitonic { stable };
        let fields = |(threads, items)| {
            let (nan_last, wide, counted) = (false, false, false);
            DeviceFields { algorithm, key, value, threads, items, order, nan_last, wide, counted }
        };
        let registers = Item::of(key, value, stable).registers();
        let is_small =
            |(threads, items): &(u32, u32)| threads * items * registers <= TILE_REGISTERS;
        let legal = SHAPES.into_iter().filter(is_small).filter_map(|shape| {
            let fields = fields(shape);
            Some(DeviceSpec::of_legal(fields, Self::of_fields(fields).check().ok()?))
        });
        let mut fitting = legal.filter(|spec| spec.shared_bytes() <= device.shared_bytes_per_block);
        fitting.next().unwrap_or_else(|| {
            let fields = fields(LEAST_SHAPE);
            DeviceSpec::of_legal(fields, Self::of_fields(fields).shared())
        })
    }

    /// The sort of these fields, legal or not.
    pub(super) fn of_fields(fields: DeviceFields) -> Self {
        Self { fields }
    }

    /// The first field that is not legal, if there is one.
    pub(super) fn check(&self) -> Result<SharedBytes, DeviceSpecError> {
        require(
            (64..=1024).contains(&self.threads) && self.threads.is_power_of_two(),
            "threads",
            self.threads.to_string(),
            "a power of two from 64 to 1024",
        )?;
        require_scalar(self.key)?;
        self.check_common()?;
        self.require_known_count()?;
        require(
            self.items.is_power_of_two() && self.items <= MAX_ITEMS,
            "items",
            self.items.to_string(),
            &format!("a power of two from 1 to {MAX_ITEMS}"),
        )?;
        require(
            !self.nan_last,
            "nanlast",
            "true".to_owned(),
            "false: networks compare keys by all of their bits",
        )?;
        require(
            !self.wide,
            "wide",
            "true".to_owned(),
            "false: positions have 64 bits in any case",
        )?;
        require(
            !self.keeps_positions() || self.value.is_read(),
            "stable",
            "true".to_owned(),
            "with values that are read: positions are in order in any case, and of keys alone nothing tells equal ones apart",
        )?;
        let shared = self.shared();
        let most = shared.most();
        require(
            most <= Arch::MAX_SHARED_BYTES,
            "tile",
            format!("{} items, {most} bytes of shared memory", self.tile_items()),
            &format!("at most {} bytes", Arch::MAX_SHARED_BYTES),
        )?;
        Ok(shared)
    }

    /// Shared memory of a block that sorts or merges a tile.
    fn shared(&self) -> SharedBytes {
        SharedBytes::of_one(self.plan().shared_bytes)
    }

    /// Whether the positions of pairs are kept in the workspace.
    pub(super) fn keeps_positions(&self) -> bool {
        self.algorithm == DeviceAlgorithm::Bitonic { stable: true }
    }

    /// What a thread has of an item.
    pub(super) fn item(&self) -> Item {
        Item::of(self.key, self.value, self.keeps_positions())
    }

    /// How a block sorts or merges a tile.
    pub(super) fn plan(&self) -> ComparisonPlan {
        let Item { composite, marks_negative_zero, values_break_ties, carried_limbs } = self.item();
        let shape = (self.threads, self.items);
        ComparisonPlan::of_tiles(
            shape,
            composite,
            marks_negative_zero,
            values_break_ties,
            carried_limbs,
        )
    }

    /// The most items that the sort takes.
    pub(super) fn max_items(&self) -> u64 {
        self.item().most().min(u64::from(self.tile_items()) << 30)
    }

    /// Whether equal keys keep their order: where they have their positions with them, or are the same bit for bit. Zeros of both
    /// signs, sorted alone, may not.
    pub(super) fn is_stable(&self) -> bool {
        let item = self.item();
        match self.value {
            ValueType::None => self.key.info().class != KeyClass::Float,
            _ => item.composite.has_tie_break() && !item.values_break_ties,
        }
    }

    /// Bytes of workspace: the positions of a stable sort.
    pub(super) fn workspace_bytes(&self, n: u64) -> u64 {
        if self.keeps_positions() { aligned(4 * n) } else { 0 }
    }
}
