//! Which sorts are legal, their shared memory, and what the host launches.

use crate::contract::device::launch::{Kernel, Launch};
use crate::contract::device::spec::{
    DeviceFields, DeviceSpec, SharedBytes, require, require_scalar,
};
use crate::contract::validate::DeviceSpecError;
use crate::layout::{Region, array};

/// The one kernel.
pub(super) const SORT: Kernel = Kernel::new("_sort");

/// Items of a tile at most: a sort takes as many rounds, each with a barrier.
const MAX_TILE_ITEMS: u32 = 1024;

/// The shared memory of these fields, or the first field that is not legal.
pub(super) fn check(fields: &DeviceFields) -> Result<SharedBytes, DeviceSpecError> {
    require(
        (32..=1024).contains(&fields.threads) && fields.threads.is_multiple_of(32),
        "threads",
        fields.threads.to_string(),
        "a multiple of 32 from 32 to 1024",
    )?;
    require_scalar(fields.key)?;
    fields.check_common()?;
    fields.require_known_count()?;
    let tile = fields.tile_items();
    require(
        tile <= MAX_TILE_ITEMS,
        "tile",
        format!("{tile} items"),
        &format!("at most {MAX_TILE_ITEMS} items"),
    )?;
    let none = "false: the sort is of all bits, by their order";
    require(!fields.nan_last, "nanlast", "true".to_owned(), none)?;
    require(!fields.wide, "wide", "true".to_owned(), "false: n is tiny")?;
    Ok(SharedBytes::of_one(shared_bytes(fields)))
}

/// The tile's ordered bits, then its values.
fn shared_bytes(fields: &DeviceFields) -> u32 {
    let length = fields.tile_items();
    let keys = array("keys", fields.key.bytes(), length);
    let value_bytes = fields.value.bytes();
    let values = array("values", value_bytes, length);
    let arrays = [keys, values];
    Region::of(if value_bytes > 0 { &arrays } else { &arrays[..1] }).size_of()
}

/// One block, whatever n is.
pub(super) fn launch(spec: &DeviceSpec) -> Launch {
    Launch {
        kernel: SORT,
        argument: None,
        blocks: 1,
        threads: spec.threads,
        shared_bytes: spec.shared_bytes(),
    }
}
