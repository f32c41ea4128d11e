//! The tag-free CUDA of templates/common that headers include, each fragment once and after the ones it builds on.

/// A part of templates/common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    NullType,
    Bits,
    WarpLanes,
    Warp,
    BallotMatch,
    WarpScans,
    RakingScan,
    Poll,
    Racing,
    PackedItems,
    OddEvenMerge,
    SubBuckets,
    AsyncCopy,
    Opaque,
    MergePath,
    BulkCopy,
    GridOrder,
    Limbs,
    WarpRange,
    WarpSum,
    PackedPairs,
    GappedSlots,
    DenseSlots,
    Conditional,
    MarkSlot,
    KeyField,
    NumberAt,
    ClearWords,
}

impl Part {
    /// The part's text.
    fn text(self) -> &'static str {
        match self {
            Self::NullType => include_str!("../../templates/common/null_type.cuh"),
            Self::Bits => include_str!("../../templates/common/bits.cuh"),
            Self::WarpLanes => include_str!("../../templates/common/warp_lanes.cuh"),
            Self::Warp => include_str!("../../templates/common/warp.cuh"),
            Self::BallotMatch => include_str!("../../templates/common/ballot_match.cuh"),
            Self::WarpScans => include_str!("../../templates/common/warp_scans.cuh"),
            Self::RakingScan => include_str!("../../templates/common/raking_scan.cuh"),
            Self::Poll => include_str!("../../templates/common/poll.cuh"),
            Self::Racing => include_str!("../../templates/common/racing.cuh"),
            Self::PackedItems => include_str!("../../templates/common/packed_items.cuh"),
            Self::OddEvenMerge => include_str!("../../templates/common/odd_even_merge.cuh"),
            Self::SubBuckets => include_str!("../../templates/common/sub_buckets.cuh"),
            Self::AsyncCopy => include_str!("../../templates/common/async_copy.cuh"),
            Self::Opaque => include_str!("../../templates/common/opaque.cuh"),
            Self::MergePath => include_str!("../../templates/common/merge_path.cuh"),
            Self::BulkCopy => include_str!("../../templates/common/bulk_copy.cuh"),
            Self::GridOrder => include_str!("../../templates/common/grid_order.cuh"),
            Self::Limbs => include_str!("../../templates/common/limbs.cuh"),
            Self::WarpRange => include_str!("../../templates/common/warp_range.cuh"),
            Self::WarpSum => include_str!("../../templates/common/warp_sum.cuh"),
            Self::PackedPairs => include_str!("../../templates/common/packed_pairs.cuh"),
            Self::GappedSlots => include_str!("../../templates/common/gapped_slots.cuh"),
            Self::DenseSlots => include_str!("../../templates/common/dense_slots.cuh"),
            Self::Conditional => include_str!("../../templates/common/conditional.cuh"),
            Self::MarkSlot => include_str!("../../templates/common/mark_slot.cuh"),
            Self::KeyField => include_str!("../../templates/common/key_field.cuh"),
            Self::NumberAt => include_str!("../../templates/common/number_at.cuh"),
            Self::ClearWords => include_str!("../../templates/common/clear_words.cuh"),
        }
    }

    /// The macro that says that a file has the part already, in this version.
    fn guard(self) -> String {
        let name = match self {
            Self::NullType => "NULL_TYPE",
            Self::Bits => "BITS",
            Self::WarpLanes => "WARP_LANES",
            Self::Warp => "WARP",
            Self::BallotMatch => "BALLOT_MATCH",
            Self::WarpScans => "WARP_SCANS",
            Self::RakingScan => "RAKING_SCAN",
            Self::Poll => "POLL",
            Self::Racing => "RACING",
            Self::PackedItems => "PACKED_ITEMS",
            Self::OddEvenMerge => "ODD_EVEN_MERGE",
            Self::SubBuckets => "SUB_BUCKETS",
            Self::AsyncCopy => "ASYNC_COPY",
            Self::Opaque => "OPAQUE",
            Self::MergePath => "MERGE_PATH",
            Self::BulkCopy => "BULK_COPY",
            Self::GridOrder => "GRID_ORDER",
            Self::Limbs => "LIMBS",
            Self::WarpRange => "WARP_RANGE",
            Self::WarpSum => "WARP_SUM",
            Self::PackedPairs => "PACKED_PAIRS",
            Self::GappedSlots => "GAPPED_SLOTS",
            Self::DenseSlots => "DENSE_SLOTS",
            Self::Conditional => "CONDITIONAL",
            Self::MarkSlot => "MARK_SLOT",
            Self::KeyField => "KEY_FIELD",
            Self::NumberAt => "NUMBER_AT",
            Self::ClearWords => "CLEAR_WORDS",
        };
        super::guard(name)
    }
}

/// A part as templates show it.
pub(crate) struct PartView {
    pub(crate) guard: String,
    pub(crate) text: &'static str,
}

impl PartView {
    pub(crate) fn of(part: Part) -> Self {
        Self { guard: part.guard(), text: part.text() }
    }
}
