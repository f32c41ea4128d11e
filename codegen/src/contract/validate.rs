//! Why fields are no spec, and the rules that several families have.

use std::fmt;

use crate::contract::spec::{Family, SpecFields};
use crate::types::{Arch, Arrangement, Block, Token};

/// A field of a spec, as errors name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the fields of SpecFields
#[non_exhaustive]
pub enum Field {
    Algorithm,
    Key,
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
            Self::Algorithm => "algorithm",
            Self::Key => "key",
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

/// A spec of what works on arrays that cannot be: the field, the value given, and what is legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} = {value} is not legal; legal: {legal}")]
pub struct DeviceSpecError {
    /// The field.
    pub field: &'static str,
    /// Its value.
    pub value: String,
    /// What would be legal.
    pub legal: String,
}

/// Ok, or an error of this field, value and legal range.
pub(crate) fn require(
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

/// The error of fields that another family than these is to check.
pub(crate) fn not_of(families: &[Family], fields: &SpecFields) -> SpecError {
    let tokens: Vec<&str> = families.iter().map(|family| family.token()).collect();
    let value = fields.algorithm.family().to_string();
    SpecError { field: Field::Algorithm, value, legal: tokens.join(", ") }
}

/// What is legal where a key is a struct and its family has none.
pub(crate) const SCALAR_KEYS: &str =
    "a key that is no struct; block-radix, device-radix and device-sample sort structs";

/// A key that is no struct.
pub(crate) fn check_scalar_key(fields: &SpecFields) -> Result<(), SpecError> {
    require(fields.key.is_scalar(), Field::Key, fields.key, SCALAR_KEYS)
}

/// Items per thread: 1 to `most`.
pub(crate) fn check_items(fields: &SpecFields, most: u32) -> Result<(), SpecError> {
    let legal = (1..=most).contains(&fields.items);
    require(legal, Field::Items, fields.items, format_args!("1 to {most}"))
}

/// A block that a GPU can launch.
pub(crate) fn check_block(block: Block) -> Result<(), SpecError> {
    let legal = (1..=1024).contains(&block.threads())
        && block.x.max(block.y) <= 1024
        && block.z <= 64
        && block.x.min(block.y).min(block.z) >= 1;
    require(legal, Field::Block, block, "1 to 1024 threads in all, at most 64 along z")
}

/// Arrangements that exist for the block: warp-striped input takes full warps, and no output is so.
pub(crate) fn check_arrangements(fields: &SpecFields) -> Result<(), SpecError> {
    let block = fields.algorithm.block();
    let legal = fields.input != Arrangement::WarpStriped || block.has_full_warps();
    require(
        legal,
        Field::Input,
        fields.input,
        format_args!(
            "blocked or striped for a block of {block}, which is no multiple of 32 threads"
        ),
    )?;
    require(
        fields.output != Arrangement::WarpStriped,
        Field::Output,
        fields.output,
        "blocked or striped",
    )
}

/// Shared memory that some GPU has.
pub(crate) fn check_shared_bytes(needed: u32) -> Result<(), SpecError> {
    let most = Arch::MAX_SHARED_BYTES;
    require(
        needed <= most,
        Field::SharedMemory,
        format_args!("{needed} bytes"),
        format_args!("at most {most} bytes: fewer items, threads or radix bits"),
    )
}
