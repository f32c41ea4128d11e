//! The manifest: what the headers of a folder are, for programs.

use serde::Serialize;

use super::{Header, MARK};
use crate::contract::spec::Family;
use crate::registry;
use crate::text::version_namespace;
use crate::types::{KeyType, Order, ValueType};

/// What the manifest says of one header. The same facts as `list --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The spec's name, which is also the struct's.
    pub name: String,
    /// The header's file name.
    pub file: String,
    /// The algorithm.
    pub algorithm: Family,
    /// The type of the keys.
    pub key: KeyType,
    /// What travels with each key.
    pub value: ValueType,
    /// Threads of the block along x, y and z; of the tile kernel's block where logical warps sort.
    pub block: [u32; 3],
    /// Lanes of the logical warp that sorts a tile; none where a block does.
    pub lanes: Option<u32>,
    /// Items per thread.
    pub items: u32,
    /// Items of a tile.
    pub tile_items: u32,
    /// Bits of a digit; none where the algorithm has no digits.
    pub radix_bits: Option<u32>,
    /// Which end comes first.
    pub order: Order,
    /// Whether equal keys keep their order.
    pub stable: bool,
    /// `sizeof(TempStorage)`; none where this version does not generate the algorithm.
    pub shared_bytes: Option<u32>,
    /// Barriers of one sort of all bits; none where this version does not generate the algorithm.
    pub barriers: Option<u32>,
    /// Passes over all bits; none where the algorithm has no digits.
    pub passes: Option<u32>,
    /// The symbol of the tile kernel, if the header has it.
    pub tile_kernel: Option<String>,
    /// The symbol of the kernel of rows, if the header has it.
    pub rows_kernel: Option<String>,
    /// The symbol of the kernel of counted rows, if the header has it.
    pub counted_rows_kernel: Option<String>,
}

impl Entry {
    /// The entry of a header.
    pub fn of(header: &Header) -> Self {
        let spec = &header.spec;
        let summary = registry::summary(spec);
        let block = summary.map_or(spec.algorithm.block(), |it| it.block);
        Self {
            name: spec.to_string(),
            file: header.file_name(),
            algorithm: spec.algorithm.family(),
            key: spec.key,
            value: spec.value,
            block: [block.x, block.y, block.z],
            lanes: summary.and_then(|it| it.lanes),
            items: spec.items,
            tile_items: spec.tile_items(),
            radix_bits: summary.and_then(|it| it.radix_bits),
            order: spec.order,
            stable: spec.algorithm.is_stable(),
            shared_bytes: summary.map(|it| it.shared_bytes),
            barriers: summary.map(|it| it.barriers),
            passes: summary.and_then(|it| it.passes),
            tile_kernel: header.options.tile_kernel.then(|| format!("{spec}_tile")),
            rows_kernel: header.options.rows_kernel.then(|| format!("{spec}_rows")),
            counted_rows_kernel: header
                .options
                .counted_rows_kernel
                .then(|| format!("{spec}_counted_rows")),
        }
    }
}

#[derive(Serialize)]
struct Manifest {
    about: String,
    version: &'static str,
    namespace: String,
    headers: Vec<Entry>,
}

/// The manifest's text.
pub(super) fn text(headers: &[Header]) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let manifest = Manifest {
        about: format!("{MARK}{version}: the headers of this folder"),
        version,
        namespace: format!("sortsmith::{}", version_namespace()),
        headers: headers.iter().map(Entry::of).collect(),
    };
    // Strings, numbers and lists: there is nothing in it that JSON cannot say.
    let mut text = serde_json::to_string_pretty(&manifest).unwrap_or_default();
    text.push('\n');
    text
}
