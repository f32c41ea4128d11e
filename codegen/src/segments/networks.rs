//! The networks that sort tiles by all bits of keys: sorts of a block and of a warp, which the header of a sort of segments contains.

use std::collections::BTreeSet;

use super::spec::{LANES, SegmentFields, SegmentSpec};
use crate::block::comparison;
use crate::contract::family::TileFamily;
use crate::contract::render::{Options, RenderError};
use crate::contract::spec::{Algorithm, SortSpec, SpecFields};
use crate::text::markers;
use crate::types::{Arrangement, Block, ValueType};
use crate::warp::bitonic;

/// Bytes of keys, and of values, up to which networks have been measured to be faster than merges.
const MAX_BYTES: u32 = 4;

/// Shared memory that a block of a network may have, as every GPU gives it.
const MAX_SHARED_BYTES: u32 = 64 << 10;

/// The networks of a warp, for 2 items of a lane and more, the smallest first. None where keys are sorted by merges alone.
pub(super) fn of_warps(fields: &SegmentFields) -> Vec<SortSpec> {
    let algorithm = Algorithm::WarpBitonic { lanes: LANES, stable: true };
    networks(fields, bitonic::FAMILY, algorithm, &[2, 4, 8])
}

/// The networks of a block.
pub(super) fn of_tiles(fields: &SegmentFields) -> Vec<SortSpec> {
    let block = Block::linear(fields.threads);
    let algorithm = Algorithm::BlockBitonic { block, stable: true };
    networks(fields, comparison::FAMILY, algorithm, &[4, 8])
}

/// The networks for fewer items of a thread, and the one for all of them.
fn networks(
    fields: &SegmentFields,
    family: &dyn TileFamily,
    algorithm: Algorithm,
    fewer: &[u32],
) -> Vec<SortSpec> {
    let SegmentFields { key, value, items, order, nan_last, .. } = *fields;
    let value_bytes = if value == ValueType::Index { 0 } else { value.bytes() };
    // Networks have no order in which NaNs come last. A warp ranks as many items as it has lanes.
    if nan_last || items < 2 || key.bytes().max(value_bytes) > MAX_BYTES {
        return Vec::new();
    }
    let network = |items| {
        let (input, output) = (Arrangement::Striped, Arrangement::Striped);
        family.validate(SpecFields { algorithm, key, value, items, order, input, output }).ok()
    };
    let all = fewer.iter().copied().filter(|it| *it < items).chain([items]);
    let found: Option<Vec<SortSpec>> = all.map(network).collect();
    found
        .filter(|all| all.iter().all(|it| family.shared_bytes(it) <= MAX_SHARED_BYTES))
        .unwrap_or_default()
}

impl SegmentSpec {
    /// The shared memory of a block that sorts tiles.
    pub fn tile_shared_bytes(&self) -> u32 {
        self.shared_bytes().max(shared_bytes(self).next_multiple_of(self.alignment()))
    }
}

/// The most shared memory that one of a block's takes.
fn shared_bytes(fields: &SegmentFields) -> u32 {
    of_tiles(fields).iter().map(|it| comparison::FAMILY.shared_bytes(it)).max().unwrap_or(0)
}

/// A header with the structs of its networks in front of its own, which begins with this guard.
pub(super) fn inserted(
    header: &str,
    guard: &str,
    fields: &SegmentFields,
) -> Result<String, RenderError> {
    let guard = format!("{SECTION}{guard}\n");
    let Some((before, own)) = header.split_once(&guard) else { return Ok(header.to_owned()) };
    let mut known: BTreeSet<String> = sections(before).map(|it| name(it).to_owned()).collect();
    let mut text = before.to_owned();
    let of_warps = of_warps(fields).into_iter().map(|it| (bitonic::FAMILY, it));
    let of_tiles = of_tiles(fields).into_iter().map(|it| (comparison::FAMILY, it));
    for (family, network) in of_warps.chain(of_tiles) {
        let network = markers::strip(&family.render(&network, Options::default())?);
        for section in sections(&network) {
            if known.insert(name(section).to_owned()) {
                text.push_str(SECTION);
                text.push_str(section.trim_end());
                text.push_str("\n\n");
            }
        }
    }
    Ok(text + &guard + own)
}

/// How each section of a header begins that others may have too.
const SECTION: &str = "#ifndef ";

/// The sections of a header, each from its guard's name on.
fn sections(header: &str) -> impl Iterator<Item = &str> {
    header.split(SECTION).skip(1)
}

/// The guard's name.
fn name(section: &str) -> &str {
    section.lines().next().unwrap_or_default()
}
