//! Which fields are legal.

use super::layout::Storage;
use super::plan::TUNED_THREADS;
use crate::contract::device::spec::{DeviceFields, require, require_scalar};
use crate::contract::validate::DeviceSpecError;
use crate::types::{Arch, KeyType, Token};

/// The most items of a tile: offsets in one have 14 bits.
const MAX_TILE_ITEMS: u32 = 8192;

/// The shared memory of the blocks of fields, or the first field that is not legal.
pub(super) fn check(fields: &DeviceFields) -> Result<Storage, DeviceSpecError> {
    require(
        (64..=TUNED_THREADS).contains(&fields.threads) && fields.threads.is_power_of_two(),
        "threads",
        fields.threads.to_string(),
        "a power of two from 64 to 512",
    )?;
    require_scalar(fields.key)?;
    fields.check_common()?;
    fields.require_known_count()?;
    let keys: Vec<&str> =
        KeyType::ALL.iter().filter(|it| it.bytes() == 8).map(|it| it.token()).collect();
    require(fields.key.bytes() == 8, "key", fields.key.to_string(), &keys.join(", "))?;
    require(
        fields.value.bytes() <= 8,
        "value",
        fields.value.to_string(),
        "keys, index, or a type of at most 8 bytes",
    )?;
    require(
        fields.tile_items() <= MAX_TILE_ITEMS,
        "tile",
        format!("{} items", fields.tile_items()),
        &format!("at most {MAX_TILE_ITEMS}"),
    )?;
    require(!fields.wide, "wide", "true".to_owned(), "false: it takes fewer than 2³² items")?;
    let storage = Storage::of(fields);
    let most = storage.most();
    require(
        most <= Arch::MAX_SHARED_BYTES,
        "tile",
        format!("{} items, {most} bytes of shared memory", fields.tile_items()),
        &format!("at most {} bytes", Arch::MAX_SHARED_BYTES),
    )?;
    Ok(storage)
}
