//! Sorts of tiles by a spec, on the host or on a device.

use sortsmith_codegen::{BitRange, SortSpec, ValueType};

use crate::array::ItemsMut;
use crate::error::Error;
use crate::host;
use crate::key::SortKey;
use crate::options::SortOptions;
use crate::sorter::Sorter;
use crate::value::{Carried, SortValue};

/// The payload type that a tile kernel moves values as.
pub(super) fn payload_of<V: SortValue>() -> Result<ValueType, Error> {
    match V::CARRIED {
        Carried::As(value) => Ok(value),
        Carried::ByPosition(_) => Err(Error::TileValue { bytes: size_of::<V>() }),
    }
}

pub(super) fn sort_pairs_by<K: SortKey, V: SortValue>(
    spec: &SortSpec,
    sorter: &Sorter,
    keys: ItemsMut<'_, K>,
    values: ItemsMut<'_, V>,
) -> Result<(), Error> {
    #[cfg(not(feature = "cuda"))]
    let _ = sorter;
    if keys.len() != values.len() {
        return Err(Error::LengthMismatch { keys: keys.len(), values: values.len() });
    }
    match (keys, values) {
        (ItemsMut::Host(keys), ItemsMut::Host(values)) => {
            #[cfg(feature = "cuda")]
            if let Some(sorter) = sorter.device_of_host_slices() {
                return sorter.checked_copies(|sorter| sorter.sort_tile_copies(spec, keys, values));
            }
            sort_here(spec, keys, values)
        }
        #[cfg(feature = "cuda")]
        (ItemsMut::Device(keys), ItemsMut::Device(values)) => {
            sorter.device("keys")?.checked(|sorter| sorter.sort_tiles(spec, keys, Some(values)))
        }
        #[cfg(feature = "cuda")]
        _ => Err(Error::MixedMemory { what: "keys and values" }),
    }
}

pub(super) fn sort_by<K: SortKey>(
    spec: &SortSpec,
    sorter: &Sorter,
    keys: ItemsMut<'_, K>,
) -> Result<(), Error> {
    #[cfg(not(feature = "cuda"))]
    let _ = sorter;
    match keys {
        ItemsMut::Host(keys) => {
            let nothing = &mut *vec![(); keys.len()];
            #[cfg(feature = "cuda")]
            if let Some(sorter) = sorter.device_of_host_slices() {
                return sorter
                    .checked_copies(|sorter| sorter.sort_tile_copies(spec, keys, nothing));
            }
            sort_here(spec, keys, nothing)
        }
        #[cfg(feature = "cuda")]
        ItemsMut::Device(keys) => {
            sorter.device("keys")?.checked(|sorter| sorter.sort_tiles::<K, ()>(spec, keys, None))
        }
    }
}

/// Sorts each tile on the CPU.
fn sort_here<K: SortKey, V: SortValue>(
    spec: &SortSpec,
    keys: &mut [K],
    values: &mut [V],
) -> Result<(), Error> {
    let tile = spec.tile_items() as usize;
    let options = SortOptions::new().order(spec.order);
    let options = match spec.algorithm.bits() {
        Some(BitRange::Static { begin, end }) => options.bits(begin..end),
        Some(BitRange::Runtime) | None => options,
    };
    let mut tiles = keys.chunks_mut(tile).zip(values.chunks_mut(tile));
    tiles.try_for_each(|(keys, values)| host::sort_pairs(keys, values, &options))
}
