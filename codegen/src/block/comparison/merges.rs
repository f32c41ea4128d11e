//! The merges of sorted runs in a block's shared memory: which threads, which exchanges.

use crate::block::comparison::spec::LANES;
use crate::primitives::composite_key::CompositeKey;
use crate::types::Block;

/// Items of a column, at most: they are in registers beside nothing else.
const COLUMN_ITEMS: u32 = 16;

/// One exchange through shared memory, in which threads merge columns: items that are a segment apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnExchange {
    /// Positions from one item of a column to the next.
    pub segment: u32,
    /// Items of a column.
    pub segments: u32,
    /// Whether the upper half of a column is taken from the mirrored positions: in the first exchange of a merge.
    pub is_mirrored: bool,
}

/// A merge of sorted runs, two by two, in shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merge {
    /// Threads with items that are one run afterwards.
    pub threads: u32,
    /// Whether such a run is always within the items of one warp.
    pub is_within_warp: bool,
    /// The exchanges of a network; none along a path.
    pub exchanges: Vec<ColumnExchange>,
    /// Lanes that merge their items by shuffles after the exchanges; 1: none, each thread merges its own.
    pub lanes: u32,
    /// Whether what is merged are the two sequences that lie in the halves of composite keys.
    pub packs_pairs: bool,
}

/// A column has up to twice as many items as a thread: half of the threads have one then, and fewer exchanges are left.
fn column_bits(items: u32) -> u32 {
    (2 * items).min(COLUMN_ITEMS).ilog2()
}

/// The merges of a block, in their order.
pub(super) fn merges(
    block: Block,
    composite: CompositeKey,
    composites: u32,
    shuffled_lanes: u32,
    by_path: bool,
) -> Vec<Merge> {
    let all_bits = block.threads().next_power_of_two().ilog2();
    let lane_bits = shuffled_lanes.ilog2();
    // Of two sequences in the halves of composite keys, one rises and the other falls: they meet in order as they are.
    let merge = |bits: u32, packs_pairs: bool| {
        let (mut left, mut exchanges) = (bits, Vec::new());
        while !by_path && left > lane_bits {
            let taken = column_bits(composites).min(left);
            left -= taken;
            exchanges.push(ColumnExchange {
                segment: composites << left,
                segments: 1 << taken,
                is_mirrored: exchanges.is_empty() && !packs_pairs,
            });
        }
        Merge {
            threads: 1 << bits,
            is_within_warp: block.has_full_warps() && 1 << bits <= LANES,
            exchanges,
            lanes: if by_path { 1 } else { 1 << left },
            packs_pairs,
        }
    };
    let mut merges: Vec<Merge> =
        (lane_bits + 1..=all_bits).map(|bits| merge(bits, false)).collect();
    if composite == CompositeKey::PackedPairs {
        merges.push(merge(all_bits, true));
    }
    merges
}
