//! Which top-k by warps: [`WarpTopKFields`] says it, [`WarpTopKSpec`] is one that is known to be legal.

use std::ops::Deref;

use super::super::host::narrow;
use super::super::launch::{TopKLaunch, TopKLaunches, TopKRows};
use super::super::value::TopKValue;
use crate::contract::device::host::Number;
use crate::contract::device::spec::{require, require_scalar};
use crate::contract::validate::DeviceSpecError;
use crate::layout::{Region, SharedArray, array};
use crate::types::{KeyClass, KeyType, Order};

/// Warps of a block. They have nothing in common.
const WARPS: u32 = 4;

/// The most bytes of a lane's keys, as they are in registers.
const MAX_LANE_BYTES: u32 = 256;

/// Items of a row, for each lane of a warp, up to which a few lanes hold it rather than a warp, and the items of each of them.
const MAX_ITEMS_OF_FEW_LANES: u32 = 8;
const ITEMS_OF_FEW_LANES: u32 = 16;

/// Registers of a multiprocessor; registers that a lane needs beside its items; threads of a multiprocessor that all GPUs since Ampere have room for,
/// and that all GPUs have.
const REGISTERS: u32 = 1 << 16;
const OTHER_REGISTERS: u32 = 28;
const MAX_RESIDENT_THREADS: u32 = 1536;
const MAX_RESIDENT_THREADS_OF_OLD: u32 = 1024;

/// Which top-k by warps, legal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WarpTopKFields {
    /// The type of the keys.
    pub key: KeyType,
    /// What is found beside them.
    pub value: TopKValue,
    /// Items of a lane: a row has at most 32 times as many columns.
    pub items: u32,
    /// The largest k.
    pub max_k: u32,
    /// Which end comes first: the largest keys are found in descending order.
    pub order: Order,
    /// Whether NaNs come last in either order.
    pub nan_last: bool,
}

/// Which top-k by warps. Its name is `warp_top_k_<key>[_<value>]_i<items>_k<largest k>_<asc|desc>[_nanlast]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WarpTopKSpec(WarpTopKFields);

impl Deref for WarpTopKSpec {
    type Target = WarpTopKFields;

    fn deref(&self) -> &WarpTopKFields {
        &self.0
    }
}

impl WarpTopKFields {
    /// The fields as a spec, or the first field that is not legal.
    pub fn validate(self) -> Result<WarpTopKSpec, DeviceSpecError> {
        let Self { key, items, max_k, nan_last, .. } = self;
        require_scalar(self.key)?;
        self.value.check()?;
        let most = WarpTopKSpec::max_items(key);
        let legal = format!("powers of two up to {most}");
        let is_legal = items.is_power_of_two() && items <= most;
        require(is_legal, "items", items.to_string(), &legal)?;
        let classes: Vec<u32> = WarpTopKSpec::classes(items).collect();
        let words: Vec<String> = classes.iter().map(u32::to_string).collect();
        require(classes.contains(&max_k), "k", max_k.to_string(), &words.join(", "))?;
        let is_float = key.info().class == KeyClass::Float;
        let legal = format!("false for {key}");
        require(is_float || !nan_last, "nanlast", nan_last.to_string(), &legal)?;
        Ok(WarpTopKSpec(self))
    }
}

impl WarpTopKSpec {
    /// The fields.
    pub fn fields(&self) -> WarpTopKFields {
        self.0
    }

    /// The most items of a lane.
    pub(crate) fn max_items(key: KeyType) -> u32 {
        (MAX_LANE_BYTES / key.storage().widened().bytes).min(32)
    }

    /// The largest ks of rows of that many items for each lane of a warp, in ascending order: of a few lanes all that make runs of lanes, of
    /// survivors those that are an eighth of the row at most.
    pub(crate) fn classes(items: u32) -> impl Iterator<Item = u32> {
        let is_of_few_lanes = items <= MAX_ITEMS_OF_FEW_LANES;
        let (least, most) = if is_of_few_lanes { (8, 32 * items) } else { (16, 128) };
        (3..=8).map(|log2| 1 << log2).filter(move |k| (least..=most).contains(k))
    }

    /// Lanes that hold a row.
    pub fn row_lanes(&self) -> u32 {
        if self.items <= MAX_ITEMS_OF_FEW_LANES {
            self.max_columns() / self.lane_items()
        } else {
            32
        }
    }

    /// Items of a row that a lane holds.
    pub(crate) fn lane_items(&self) -> u32 {
        if self.items <= MAX_ITEMS_OF_FEW_LANES { ITEMS_OF_FEW_LANES } else { self.items }
    }

    /// Items of a lane's sorted run, of those by a few lanes.
    pub(crate) fn run_items(&self) -> u32 {
        self.lane_items().min(self.max_k)
    }

    /// Whether a few lanes hold a row.
    pub(crate) fn is_of_few_lanes(&self) -> bool {
        self.row_lanes() < 32
    }

    /// Threads of a block, of which each warp takes a row, or some.
    pub const fn threads(&self) -> u32 {
        32 * WARPS
    }

    /// The most columns.
    pub fn max_columns(&self) -> u32 {
        32 * self.items
    }

    /// Slots of a row, for each lane of a warp: room for all items, or for twice as many survivors as the largest k.
    pub(crate) fn slots_per_thread(&self) -> u32 {
        if self.is_of_few_lanes() { self.items } else { self.max_k / 16 }
    }

    /// Bytes of an item in a slot, which are its alignment up to 16.
    pub(crate) fn item_bytes(&self) -> u32 {
        2 * self.key.storage().widened().bytes
    }

    /// Neighbouring items of a lane, which one load brings.
    pub(crate) fn vector_items(&self) -> u32 {
        self.lane_items().min(4).min(16 / self.key.bytes())
    }

    /// Blocks that a multiprocessor holds, by registers: those of a row's keys, or of a sort by all bits and an exchange in it.
    pub(crate) fn resident_blocks(&self) -> u32 {
        let words = self.key.storage().widened().bytes / 4;
        if self.is_of_few_lanes() {
            // Keys or what they are compared by, and composite keys.
            let registers = OTHER_REGISTERS + 4 + self.lane_items() * (words * 3 / 2 + 1);
            return REGISTERS / (registers * self.threads());
        }
        let of_sort = 2 * self.slots_per_thread() * (words + 1);
        let row = self.items * words;
        let of_row = row + row.min(32) / 2;
        let others = OTHER_REGISTERS + 4 * words + self.slots_per_thread();
        let registers = others + of_sort.max(of_row);
        (REGISTERS / (registers * self.threads())).min(MAX_RESIDENT_THREADS / self.threads())
    }

    /// The same of GPUs before Hopper, the code of which takes more registers.
    pub(crate) fn resident_blocks_of_old(&self) -> u32 {
        self.resident_blocks().div_ceil(2).min(MAX_RESIDENT_THREADS_OF_OLD / self.threads())
    }

    /// `sizeof(TempStorage)`.
    pub fn shared_bytes(&self) -> u32 {
        WARPS * self.rows_of_warp() * Region::of(&self.shared_arrays()).size_of()
    }

    /// Rows that a warp holds at once.
    pub fn rows_of_warp(&self) -> u32 {
        32 / self.row_lanes()
    }

    /// What each row has in `TempStorage`, in this order.
    pub fn shared_arrays(&self) -> Vec<SharedArray> {
        let slots = 32 * self.slots_per_thread();
        if self.is_of_few_lanes() {
            let bytes = |name| array(name, 1, slots);
            let keys = array("keys", self.key.bytes(), slots);
            return vec![keys, bytes("slots in order"), bytes("found slots")];
        }
        let survivors = array("survivors", self.item_bytes(), slots);
        vec![survivors, SharedArray::words("slots in order", slots)]
    }

    /// What the host launches on a device of this many multiprocessors; none where there are no rows or no keys to find.
    pub fn launches(&self, shape: TopKRows, multiprocessors: u32) -> Option<TopKLaunches> {
        let TopKRows { rows, k, .. } = shape;
        (rows > 0 && k > 0).then(|| TopKLaunches {
            chunks: 1,
            rows: TopKLaunch {
                blocks: narrow(self.host_blocks(rows, multiprocessors.into())),
                threads: self.threads(),
                shared_bytes: self.shared_bytes(),
            },
            groups: 1,
            of_groups: None,
            candidates: None,
        })
    }

    /// The blocks, written once for Rust and for C++: no more than run at once. They go on with other rows, so that none waits for another to end.
    pub(crate) fn host_blocks<N: Number>(&self, rows: N, multiprocessors: N) -> N {
        let resident = N::known(self.resident_blocks().into());
        let most = multiprocessors.at_least(N::known(1)).times(resident);
        rows.divided_up_by(N::known((WARPS * self.rows_of_warp()).into())).at_most(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: WarpTopKFields = WarpTopKFields {
        key: KeyType::F32,
        value: TopKValue::Index,
        items: 32,
        max_k: 64,
        order: Order::Descending,
        nan_last: false,
    };

    #[test]
    fn what_is_not_legal_is_named() {
        let error = |fields: WarpTopKFields| fields.validate().expect_err("not legal").to_string();
        let items = WarpTopKFields { items: 64, ..FIELDS };
        assert_eq!(error(items), "items = 64 is not legal; legal: powers of two up to 32");
        let wide = WarpTopKFields { key: KeyType::U128, ..FIELDS };
        assert_eq!(error(wide), "items = 32 is not legal; legal: powers of two up to 16");
        let k = WarpTopKFields { items: 2, max_k: 128, ..FIELDS };
        assert_eq!(error(k), "k = 128 is not legal; legal: 8, 16, 32, 64");
        let k = WarpTopKFields { max_k: 8, ..FIELDS };
        assert_eq!(error(k), "k = 8 is not legal; legal: 16, 32, 64, 128");
        let nan_last = WarpTopKFields { key: KeyType::U32, nan_last: true, ..FIELDS };
        assert_eq!(error(nan_last), "nanlast = true is not legal; legal: false for u32");
    }

    #[test]
    fn shared_memory_is_that_of_the_slots() {
        let spec = FIELDS.validate().expect("legal");
        assert_eq!(spec.shared_bytes(), 4 * 128 * (8 + 4));
        let wide = WarpTopKFields { key: KeyType::U128, items: 8, ..FIELDS };
        assert_eq!(wide.validate().expect("legal").shared_bytes(), 4 * 2 * 256 * (16 + 2));
        let of_few = WarpTopKFields { items: 4, ..FIELDS }.validate().expect("legal");
        assert_eq!((of_few.row_lanes(), of_few.shared_bytes()), (8, 4 * 4 * 128 * (4 + 2)));
    }

    #[test]
    fn blocks_are_as_many_as_rows_need_or_a_device_holds() {
        let spec = FIELDS.validate().expect("legal");
        let blocks = |rows, k| {
            let launches = spec.launches(TopKRows { rows, columns: 1000, k }, 132);
            launches.map(|it| (it.rows.blocks, it.candidates))
        };
        assert_eq!(blocks(0, 1), None);
        assert_eq!(blocks(1, 0), None);
        assert_eq!(blocks(5, 9), Some((2, None)));
        assert_eq!(blocks(u64::MAX, 9), Some((6 * 132, None)));
    }
}
