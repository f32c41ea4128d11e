//! Which specs of a block's bitonic or merge sort are legal, what they compare, and the shared memory that they need.

use crate::contract::spec::{Algorithm, Family, SortSpec, SpecFields};
use crate::contract::validate::{
    SpecError, check_arrangements, check_block, check_items, check_scalar_key, check_shared_bytes,
    not_of,
};
use crate::layout::Padding;
use crate::primitives::composite_key::{self, CompositeKey};
use crate::types::{Block, ValueType};

/// Lanes of a warp.
pub(super) const LANES: u32 = 32;

/// Bits of keys that are compared by truncated keys.
pub(super) const KEY_BITS: u32 = 32;

/// Zeros are counted by runs of this number of words that have a bit for each position.
pub(super) const ZERO_RUN: u32 = 16;

/// The fields as a spec of these families, or the first field that is not legal.
pub(crate) fn validate(fields: SpecFields) -> Result<SortSpec, SpecError> {
    let (Algorithm::BlockBitonic { block, .. } | Algorithm::BlockMerge { block }) =
        fields.algorithm
    else {
        return Err(not_of(&[Family::BlockBitonic, Family::BlockMerge], &fields));
    };
    check_scalar_key(&fields)?;
    check_items(&fields, 64)?;
    check_block(block)?;
    check_arrangements(&fields)?;
    check_shared_bytes(shared_bytes(&fields))?;
    Ok(SortSpec::of_legal(fields))
}

/// Bytes of shared memory that a sort of these fields needs.
///
/// A word of four bytes for each limb of an item. Where truncated keys are compared, there are the key and the value too, and each warp's
/// minimum and maximum key. Where signs of zeros are put in order, there is a bit for each, and a count; and where zeros
/// are, before the composite keys are there.
pub(crate) fn shared_bytes(fields: &SpecFields) -> u32 {
    let composite = composite_of(fields);
    let keys = composite.keys();
    let slots = padding(fields.items / keys).slots(fields.tile_items() / keys);
    if composite == CompositeKey::TruncatedKey {
        let warps = fields.algorithm.block().threads().div_ceil(LANES);
        return slots.saturating_mul(12) + 8 * warps;
    }
    let composite_bytes = slots.saturating_mul(4 * composite.registers());
    if !composite_key::orders_zeros(fields) {
        return composite_bytes;
    }
    let zero_words = fields.tile_items().div_ceil(32);
    let zero_runs = zero_words.div_ceil(ZERO_RUN);
    let zeros = 4 * (zero_runs * ZERO_RUN + zero_words + zero_runs);
    let align = if padding(fields.items / keys).gap > 0 { 8 } else { 4 };
    let signs = 4 * (zero_words + 1);
    composite_bytes.max(zeros.next_multiple_of(align)).saturating_add(signs.next_multiple_of(align))
}

/// Keys of 32 bits with positions below them would take two registers. One is enough where their values have room beside them in
/// shared memory, where each is looked up at the end.
fn compares_truncated_keys(fields: &SpecFields) -> bool {
    let Algorithm::BlockBitonic { block, .. } = fields.algorithm else { return false };
    fields.key.bytes() * 8 == KEY_BITS
        && fields.value.bytes() <= 4
        && fields.value != ValueType::None
        && !composite_key::values_fit_tie_breaks(fields)
        && shuffles(block, fields.items)
}

/// Keys alone of up to 16 bits are compared two at a time, if both halves of the tile are sorted alike: by shuffles, and by runs
/// that double up to all of it.
fn compares_packed_pairs(fields: &SpecFields) -> bool {
    let Algorithm::BlockBitonic { block, .. } = fields.algorithm else { return false };
    fields.key.bytes() <= 2
        && fields.value == ValueType::None
        && fields.items.is_multiple_of(4)
        && shuffles(block, fields.items / 2)
        && block.threads().is_power_of_two()
}

pub(super) fn composite_of(fields: &SpecFields) -> CompositeKey {
    if compares_truncated_keys(fields) {
        return CompositeKey::TruncatedKey;
    }
    if compares_packed_pairs(fields) {
        return CompositeKey::PackedPairs;
    }
    let tie_break_bits = if composite_key::values_fit_tie_breaks(fields) {
        Some(8 * fields.value.bytes())
    } else {
        composite_key::needs_positions(fields).then(|| composite_key::position_bits(fields))
    };
    CompositeKey::of(fields.key, tie_break_bits)
}

/// Two words are left out after every 32 where threads have an even number of items: they read and write their own runs two words at
/// a time, and so all banks are used.
pub(super) fn padding(items: u32) -> Padding {
    if items.is_multiple_of(2) { Padding { period: 32, gap: 2 } } else { Padding::NONE }
}

/// Whether warps sort by shuffles, which go by halves of a thread's items.
pub(super) fn shuffles(block: Block, items: u32) -> bool {
    block.has_full_warps() && items.is_multiple_of(2)
}
