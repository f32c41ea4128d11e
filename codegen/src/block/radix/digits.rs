//! The default digit of a block radix sort.

use crate::block::radix::plan::{RadixPlan, validate};
use crate::contract::spec::{Algorithm, BitRange, Rank, SpecFields};
use crate::layout::STATIC_SHARED_BYTES;
use crate::types::{LaneMatch, ValueType};

/// Fewer items than this do not repay the counters of a wide digit, of which every pass clears and scans all.
const ITEMS_FOR_WIDE_DIGITS: u32 = 12;

/// The same of masks, with histograms of a warp and not of a thread.
const ITEMS_FOR_WIDE_MASKS: u32 = 5;

pub(super) fn with_radix_bits(fields: SpecFields, radix_bits: u32) -> SpecFields {
    let algorithm = match fields.algorithm {
        Algorithm::BlockRadix { block, rank, bits, .. } => {
            Algorithm::BlockRadix { block, radix_bits, rank, bits }
        }
        other => other,
    };
    SpecFields { algorithm, ..fields }
}

/// The digit that a block radix sort of these fields gets by default; what `fields` says of it does not
/// matter.
///
/// A widest digit by what was measured, then as few passes as it allows, then the narrowest digit that still does with
/// as many: 4 bits for a byte, not 6. The widest is
///
/// - packed: 4 bits, but 6 where a thread has 12 items or more and a pass moves more than 4 bytes an item;
/// - match: 8 bits, but 6 where lanes meet in masks and a thread has 4 items or fewer.
///
/// A digit that needs more than 48 KB of shared memory is passed over for the next narrower one that does not, if there
/// is one.
///
/// ```
/// use sortsmith_codegen::{matrix::default_radix_bits, Block, KeyType, SpecFields, ValueType};
/// let fields = |key, value| SpecFields::block_radix(key, value, Block::linear(256), 16, 1);
/// assert_eq!(default_radix_bits(&fields(KeyType::F32, ValueType::None)), 4);
/// assert_eq!(default_radix_bits(&fields(KeyType::F32, ValueType::U32)), 6);
/// assert_eq!(default_radix_bits(&fields(KeyType::U8, ValueType::U32)), 4);
/// ```
pub fn default_radix_bits(fields: &SpecFields) -> u32 {
    let Algorithm::BlockRadix { rank, bits, .. } = fields.algorithm else { return 0 };
    let widest = match rank {
        Rank::Packed { .. } if fields.items < ITEMS_FOR_WIDE_DIGITS => 4,
        Rank::Packed { .. } if fields.value == ValueType::None && fields.key.bits() <= 32 => 4,
        Rank::Packed { .. } => 6,
        Rank::Match(LaneMatch::SharedMasks) if fields.items < ITEMS_FOR_WIDE_MASKS => 6,
        Rank::Match(_) => 8,
    };
    let range = match bits {
        BitRange::Runtime => fields.key.bits(),
        BitRange::Static { begin, end } => end.saturating_sub(begin).max(1),
    };
    let narrowest = |widest: u32| range.div_ceil(range.div_ceil(widest));
    let digits = || (1..=widest).rev().map(narrowest);
    let plan = |digit: u32| RadixPlan::of(&validate(with_radix_bits(*fields, digit)).ok()?);
    digits()
        .find(|digit| plan(*digit).is_some_and(|it| it.shared_bytes <= STATIC_SHARED_BYTES))
        .or_else(|| digits().find(|digit| plan(*digit).is_some()))
        .unwrap_or_else(|| narrowest(widest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Block, InnerScan, KeyType};

    #[test]
    fn a_default_digit_stays_in_static_shared_memory_where_any_digit_does() {
        let ranks = [
            Rank::Packed { memoize_outer_scan: true, inner_scan: InnerScan::WarpScans },
            Rank::Match(LaneMatch::Ballots),
            Rank::Match(LaneMatch::SharedMasks),
        ];
        let shared =
            |fields: SpecFields| Some(RadixPlan::of(&validate(fields).ok()?)?.shared_bytes);
        for (threads, items) in [(128, 4), (256, 16), (512, 16), (1024, 12), (1024, 16)] {
            for key in [KeyType::U8, KeyType::F32, KeyType::U64] {
                for value in [ValueType::None, ValueType::U32, ValueType::U64] {
                    for rank in ranks {
                        let block = Block::linear(threads);
                        let fields = SpecFields {
                            algorithm: Algorithm::BlockRadix {
                                block,
                                radix_bits: 0,
                                rank,
                                bits: BitRange::Runtime,
                            },
                            ..SpecFields::block_radix(key, value, block, items, 1)
                        };
                        let with = |digit| shared(with_radix_bits(fields, digit));
                        let least = (1..=8).filter_map(with).min();
                        let chosen = with(default_radix_bits(&fields));
                        assert_eq!(chosen.is_some(), least.is_some(), "{fields:?}");
                        if least.is_some_and(|bytes| bytes <= STATIC_SHARED_BYTES) {
                            assert!(chosen <= Some(STATIC_SHARED_BYTES), "{fields:?}");
                        }
                    }
                }
            }
        }
    }
}
