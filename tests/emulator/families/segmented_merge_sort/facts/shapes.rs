//! Where the segments of a case are: their lengths, what says their bounds, and how many of them count.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::segments::SegmentSpec;

/// The lengths of segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lengths {
    /// The edges of classes, each once.
    Edges,
    /// One segment of several tiles, by its items.
    One(usize),
    /// Many short ones and few long ones.
    PowerLaw,
    /// Long ones that several warps list, among hardly any items.
    LongOfWarps,
    /// None of more than one item.
    Tiny,
    /// All of two to some tens of items.
    Short,
    /// Nothing to sort: no segments, or empty ones alone.
    Empty,
    /// Any offsets, which may be past the end, descend and overlap: the items' order is not specified, but no access is wrong.
    Wild(Wild),
    /// The first items of an array of that length, by a count.
    First(usize, Counted),
    /// Rows of that length, by a count.
    Rows(usize, Counted),
}

/// Segments of which some may overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wild {
    /// Any offsets.
    Anywhere,
    /// Of more tiles than the lists have room for.
    TooMany,
    /// For all but one tile of the last of which there is room.
    OneTileTooMany,
}

impl Lengths {
    pub(super) fn overlap(self) -> bool {
        matches!(self, Self::Wild(_))
    }
}

/// What says where segments begin and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bounds {
    Offsets,
    BeginsEnds,
    FirstItems,
    Rows { columns: usize, stride: usize },
}

impl Bounds {
    /// As `driver.hpp` has it.
    pub(super) fn code(self) -> u32 {
        match self {
            Self::Offsets => 0,
            Self::BeginsEnds => 1,
            Self::FirstItems => 2,
            Self::Rows { .. } => 3,
        }
    }
}

/// A count of items or of segments, beside how many there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    Zero,
    One,
    AllButOne,
    All,
    More,
    /// More than 32 bits hold.
    Far,
}

impl Counted {
    pub(super) const ALL: [Self; 6] =
        [Self::Zero, Self::One, Self::AllButOne, Self::All, Self::More, Self::Far];

    /// The count, and its bytes.
    pub(super) fn of(self, most: usize, rng: &mut ChaCha8Rng) -> (u64, u32) {
        let (most, bytes) = (most as u64, if rng.random() { 4 } else { 8 });
        match self {
            Self::Zero => (0, bytes),
            Self::One => (1, bytes),
            Self::AllButOne => (most.saturating_sub(1), bytes),
            Self::All => (most, bytes),
            Self::More => (most + 1, bytes),
            Self::Far => ((1 << 32) + 1, 8),
        }
    }
}

/// What says where the segments are, the segments, and the items of the array.
pub(super) fn segments_of(
    spec: &SegmentSpec,
    lengths: Lengths,
    rng: &mut ChaCha8Rng,
) -> (Bounds, Vec<(u64, u64)>, usize) {
    let has_ends = rng.random_ratio(1, 3);
    let (warp, tile) = (spec.warp_items() as usize, spec.tile_items() as usize);
    let around = |edge: usize| [edge - 1, edge, edge + 1];
    let mut lengths: Vec<usize> = match lengths {
        Lengths::Edges => [0, 1, 2, 3]
            .into_iter()
            .chain([8, 32, warp, tile].into_iter().flat_map(around))
            .collect(),
        Lengths::One(items) => vec![items],
        Lengths::PowerLaw => {
            let most = 3 * tile;
            (0..60)
                .map(|_| most / rng.random_range(1..=most).max(rng.random_range(1..=most)))
                .collect()
        }
        Lengths::LongOfWarps => (0..128)
            .map(|it| if it % 24 == 0 { tile + it / 24 } else { rng.random_range(0..=1) })
            .collect(),
        Lengths::Tiny => (0..200).map(|_| rng.random_range(0..=1)).collect(),
        Lengths::Short => (0..330).map(|_| rng.random_range(2..=33)).collect(),
        Lengths::Empty => vec![0; rng.random_range(0..=2) * 70],
        Lengths::Wild(wild) => {
            let (segments, n) = wild.segments(tile, rng);
            return (Bounds::BeginsEnds, segments, n);
        }
        Lengths::First(n, counted) => {
            return (Bounds::FirstItems, vec![(0, counted.of(n, rng).0)], n);
        }
        Lengths::Rows(columns, _) => return rows(columns, (3 * tile / columns).clamp(2, 150), rng),
    };
    lengths.shuffle(rng);
    let mut end = rng.random_range(0..=2) * 3;
    let mut segments = Vec::new();
    for length in lengths {
        // Without ends a segment begins where the one before it ends.
        let begin = if has_ends { end + rng.random_range(0..=2) } else { end };
        end = begin + length as u64;
        segments.push((begin, end));
    }
    if has_ends {
        segments.shuffle(rng);
    }
    let bounds = if has_ends { Bounds::BeginsEnds } else { Bounds::Offsets };
    (bounds, segments, (end + rng.random_range(0..=2) * 5) as usize)
}

/// At most `most` rows, with gaps or without, and with one behind the last row or without.
fn rows(columns: usize, most: usize, rng: &mut ChaCha8Rng) -> (Bounds, Vec<(u64, u64)>, usize) {
    let (rows, stride) = (rng.random_range(2..=most), columns + rng.random_range(0..=2));
    let segments = (0..rows).map(|row| (row * stride) as u64);
    let segments = segments.map(|begin| (begin, begin + columns as u64)).collect();
    let last = if rng.random() { stride } else { columns };
    (Bounds::Rows { columns, stride }, segments, (rows - 1) * stride + last)
}

impl Wild {
    /// The segments, and the items of the array.
    fn segments(self, tile: usize, rng: &mut ChaCha8Rng) -> (Vec<(u64, u64)>, usize) {
        let n = rng.random_range(1..=3 * tile);
        let mut offset = || match rng.random_range(0..4) {
            0 => u64::from(u32::MAX) - rng.random_range(0..3),
            _ => rng.random_range(0..=n as u64 + 2),
        };
        match self {
            // One block sorts one after the other: overlapping segments race.
            Self::Anywhere => ((0..12).map(|_| (offset(), offset())).collect(), n),
            Self::TooMany => (vec![(0, u64::from(u32::MAX)); 24], n),
            Self::OneTileTooMany => {
                ([2, 2, 3].map(|tiles| (0, tiles * tile as u64)).to_vec(), 3 * tile)
            }
        }
    }
}
