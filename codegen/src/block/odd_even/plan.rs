//! What a block's odd-even transposition sort needs: rounds, shared memory, and the specs that are legal.

use crate::contract::spec::{Algorithm, Family, SortSpec, SpecFields};
use crate::contract::validate::{
    Field, SpecError, check_arrangements, check_block, check_items, check_scalar_key,
    check_shared_bytes, not_of, require,
};
use crate::layout::{Region, array};

/// Items of a tile at most: a sort takes as many rounds, each with a barrier.
const MAX_TILE_ITEMS: u32 = 256;

/// All that is decided about one odd-even transposition sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OddEvenPlan {
    /// Rounds, in each of which every other pair of neighbours is put in order.
    pub rounds: u32,
    /// Barriers: behind the items' way to shared memory, and behind each round.
    pub barriers: u32,
    /// `sizeof(TempStorage)`.
    pub shared_bytes: u32,
}

impl OddEvenPlan {
    /// The plan of a spec; `None` where it is of another family.
    pub fn of(spec: &SortSpec) -> Option<Self> {
        let Algorithm::BlockOddEven { .. } = spec.algorithm else { return None };
        let rounds = spec.tile_items();
        Some(Self { rounds, barriers: rounds + 1, shared_bytes: shared_bytes(spec) })
    }
}

/// Bytes of shared memory that a sort of these fields needs: the tile's keys, then its values.
pub(crate) fn shared_bytes(fields: &SpecFields) -> u32 {
    let length = fields.tile_items();
    let keys = array("keys", fields.key.bytes(), length);
    let value_bytes = fields.value.bytes();
    let values = array("values", value_bytes, length);
    let arrays = [keys, values];
    Region::of(if value_bytes > 0 { &arrays } else { &arrays[..1] }).size_of()
}

/// The fields as a spec of this family, or the first field that is not legal.
pub(crate) fn validate(fields: SpecFields) -> Result<SortSpec, SpecError> {
    let Algorithm::BlockOddEven { block } = fields.algorithm else {
        return Err(not_of(&[Family::BlockOddEven], &fields));
    };
    check_scalar_key(&fields)?;
    check_items(&fields, 64)?;
    check_block(block)?;
    let tile = fields.tile_items();
    require(
        tile <= MAX_TILE_ITEMS,
        Field::Items,
        fields.items,
        format_args!("tiles of at most {MAX_TILE_ITEMS} items; this one has {tile}"),
    )?;
    check_arrangements(&fields)?;
    check_shared_bytes(shared_bytes(&fields))?;
    Ok(SortSpec::of_legal(fields))
}
