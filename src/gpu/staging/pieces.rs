//! Pieces of arrays, and the slots of a buffer that they pass through.

use std::ops::Range;

/// Pieces and slots are multiples of a page.
const PAGE: usize = 4096;

/// The longest piece: longer ones keep the bus waiting for the first.
const PIECE_MAX: usize = 1 << 20;

/// The shortest piece, unless the buffer is small: shorter ones take the driver longer to enqueue than the bus to move.
const PIECE_MIN: usize = 1 << 17;

/// The largest number of slots.
pub const SLOTS_MAX: usize = 16;

/// The longest buffer that is used.
pub const BUFFER_MAX: usize = SLOTS_MAX * PIECE_MAX;

/// The number of pieces that a short copy is divided into.
const PIECES: usize = 8;

/// How long a piece is, and how many the buffer has slots for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The bytes of a piece, and of a slot.
    pub piece: usize,
    /// The number of slots.
    pub slots: usize,
}

impl Shape {
    /// The shape of copies of `bytes` bytes through a buffer of `buffer` bytes; none if that has no room for four slots.
    pub fn of(bytes: usize, buffer: usize) -> Option<Self> {
        let most = (buffer / 4 / PAGE * PAGE).min(PIECE_MAX);
        if most == 0 {
            return None;
        }
        let piece = (bytes / PIECES).next_multiple_of(PAGE).clamp(PIECE_MIN.min(most), most);
        Some(Self { piece, slots: (buffer / piece).min(SLOTS_MAX) })
    }

    /// How many slots the device copies at a time; threads have the others. A thread takes several times as long for a piece.
    pub fn of_device(&self) -> usize {
        self.slots / 4
    }

    /// How many bytes of the buffer a slot's first one lies behind the buffer's.
    pub fn offset(&self, number: usize) -> usize {
        number % self.slots * self.piece
    }
}

/// The pieces of two arrays, numbered through. The last one of each array may be shorter.
#[derive(Clone, Copy, Debug)]
pub struct Pieces {
    lengths: [usize; 2],
    piece: usize,
}

impl Pieces {
    /// Of arrays of these lengths in bytes.
    pub fn of(lengths: [usize; 2], piece: usize) -> Self {
        Self { lengths, piece }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.lengths.map(|length| length.div_ceil(self.piece)).iter().sum()
    }

    /// The bytes of both arrays.
    pub fn bytes(&self) -> usize {
        self.lengths.iter().sum()
    }

    /// The array that a piece is of, and its range in that.
    pub fn get(&self, number: usize) -> (usize, Range<usize>) {
        let of_first = self.lengths[0].div_ceil(self.piece);
        let (array, number) = if number < of_first { (0, number) } else { (1, number - of_first) };
        let start = number * self.piece;
        (array, start..self.lengths[array].min(start + self.piece))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_each_array_once_and_in_order() {
        for piece in [1, 7, 4096] {
            for lengths in [[0, 0], [1, 0], [0, 1], [piece, piece + 1], [5 * piece - 1, 3 * piece]]
            {
                let pieces = Pieces::of(lengths, piece);
                let mut next = [0, 0];
                let mut last = 0;
                for number in 0..pieces.count() {
                    let (array, range) = pieces.get(number);
                    assert!(array >= last && range.start == next[array], "{lengths:?} {number}");
                    assert!(!range.is_empty() && range.len() <= piece, "{lengths:?} {number}");
                    (next[array], last) = (range.end, array);
                }
                assert_eq!(next, lengths, "pieces of {piece}");
            }
        }
    }

    #[test]
    fn slots_lie_in_the_buffer_and_beside_each_other() {
        for buffer in (0..200).map(|pages| pages * 1000).chain([1 << 20, 1 << 24, 100 << 20]) {
            for bytes in [1, 4096, 1 << 17, (1 << 20) + 1, 1 << 30] {
                let Some(shape) = Shape::of(bytes, buffer) else {
                    assert!(buffer < 4 * PAGE);
                    continue;
                };
                assert!(shape.slots >= 4 && shape.slots <= SLOTS_MAX, "{shape:?}");
                assert!(
                    shape.slots * shape.piece <= buffer.min(BUFFER_MAX),
                    "{shape:?} in {buffer}"
                );
                assert!(shape.piece % PAGE == 0 && shape.piece > 0, "{shape:?}");
                assert_eq!(shape.offset(shape.slots + 1), shape.piece);
                assert!((1..shape.slots).contains(&shape.of_device()), "{shape:?}");
            }
        }
    }

    #[test]
    fn short_copies_have_several_pieces() {
        assert_eq!(Shape::of(1 << 20, 1 << 20), Some(Shape { piece: 1 << 17, slots: 8 }));
        assert_eq!(Shape::of(1 << 30, 16 << 20), Some(Shape { piece: 1 << 20, slots: 16 }));
        assert_eq!(Shape::of(1 << 30, 1 << 16), Some(Shape { piece: 1 << 14, slots: 4 }));
        assert_eq!(Shape::of(1 << 30, 16383), None);
    }
}
