//! The rules of the spec space, in one place.

use std::fmt;

use super::spec::{Algorithm, Arch, Arrangement, BitRange, Block, Rank, SpecFields};
use crate::block::radix::plan;

/// A field of a spec, as errors name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the fields of SpecFields
#[non_exhaustive]
pub enum Field {
    Block,
    Lanes,
    Items,
    RadixBits,
    Rank,
    Bits,
    Input,
    Output,
    SharedMemory,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Block => "block",
            Self::Lanes => "lanes",
            Self::Items => "items",
            Self::RadixBits => "radix bits",
            Self::Rank => "rank",
            Self::Bits => "bits",
            Self::Input => "input arrangement",
            Self::Output => "output arrangement",
            Self::SharedMemory => "shared memory",
        })
    }
}

/// A spec that cannot be: the field, the value given, and what is legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} = {value} is not legal; legal: {legal}")]
pub struct SpecError {
    /// The field that is not legal.
    pub field: Field,
    /// Its value.
    pub value: String,
    /// What would be legal, given the other fields.
    pub legal: String,
}

/// Ok, or an error of this field, value and legal range.
fn require(
    legal: bool,
    field: Field,
    value: impl fmt::Display,
    range: impl fmt::Display,
) -> Result<(), SpecError> {
    if legal {
        Ok(())
    } else {
        Err(SpecError { field, value: value.to_string(), legal: range.to_string() })
    }
}

pub(super) fn validate(fields: &SpecFields) -> Result<(), SpecError> {
    let max_items = if let Algorithm::WarpBitonic { .. } = fields.algorithm { 32 } else { 64 };
    require(
        (1..=max_items).contains(&fields.items),
        Field::Items,
        fields.items,
        format!("1 to {max_items}"),
    )?;
    match fields.algorithm {
        Algorithm::WarpBitonic { lanes, .. } => {
            require([2, 4, 8, 16, 32].contains(&lanes), Field::Lanes, lanes, "2, 4, 8, 16 or 32")?;
        }
        Algorithm::BlockBitonic { block, .. } | Algorithm::BlockMerge { block } => {
            validate_block(block)?;
        }
        Algorithm::BlockRadix { block, radix_bits, rank, bits } => {
            validate_block(block)?;
            require((1..=8).contains(&radix_bits), Field::RadixBits, radix_bits, "1 to 8")?;
            validate_rank(block, rank)?;
            validate_bits(fields, bits)?;
        }
    }
    validate_arrangements(fields)?;
    let needed = plan::shared_bytes(fields);
    require(
        needed <= Arch::MAX_SHARED_BYTES,
        Field::SharedMemory,
        format!("{needed} bytes"),
        format!("at most {} bytes: fewer items, threads or radix bits", Arch::MAX_SHARED_BYTES),
    )
}

fn validate_block(block: Block) -> Result<(), SpecError> {
    let legal = (1..=1024).contains(&block.threads())
        && block.x.max(block.y) <= 1024
        && block.z <= 64
        && block.x.min(block.y).min(block.z) >= 1;
    require(legal, Field::Block, block, "1 to 1024 threads in all, at most 64 along z")
}

fn validate_rank(block: Block, rank: Rank) -> Result<(), SpecError> {
    let legal = matches!(rank, Rank::Packed { .. }) || block.has_whole_warps();
    require(
        legal,
        Field::Block,
        block,
        "a multiple of 32 threads where the rank is match; or the rank packed",
    )
}

fn validate_bits(fields: &SpecFields, bits: BitRange) -> Result<(), SpecError> {
    let BitRange::Static { begin, end } = bits else { return Ok(()) };
    let key_bits = fields.key.bits();
    require(
        begin < end && end <= key_bits,
        Field::Bits,
        format_args!("{begin}..{end}"),
        format!("begin < end <= {key_bits} for {} keys", fields.key),
    )
}

fn validate_arrangements(fields: &SpecFields) -> Result<(), SpecError> {
    let block = fields.algorithm.block();
    if let Algorithm::WarpBitonic { .. } = fields.algorithm {
        // The tile is one warp's: striped says it.
        let legal = fields.input != Arrangement::WarpStriped;
        require(legal, Field::Input, fields.input, "blocked or striped for the sort of a warp")?;
    }
    let legal = fields.input != Arrangement::WarpStriped || block.has_whole_warps();
    require(
        legal,
        Field::Input,
        fields.input,
        format!("blocked or striped for a block of {block}, which is no multiple of 32 threads"),
    )?;
    require(
        fields.output != Arrangement::WarpStriped,
        Field::Output,
        fields.output,
        "blocked or striped",
    )
}
