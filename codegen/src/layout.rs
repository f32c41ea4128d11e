//! How arrays lie in shared memory: regions as C++ lays them out, and padding against bank conflicts.

/// The shared memory that a block may have without asking: more must be dynamic, and its limit raised at launch.
pub const STATIC_SHARED_BYTES: u32 = 48 * 1024;

/// A run of bytes with an alignment, as C++ lays out a member.
#[derive(Clone, Copy)]
pub(crate) struct Region {
    /// Size, without padding after it.
    pub(crate) bytes: u32,
    pub(crate) align: u32,
}

impl Region {
    /// These arrays, as members of a struct.
    pub(crate) fn of(arrays: &[SharedArray]) -> Self {
        arrays.iter().fold(Self { bytes: 0, align: 1 }, |before, array| {
            before.then(Self { bytes: array.bytes(), align: array.element_bytes })
        })
    }

    /// This region and the next, as members of a struct.
    pub(crate) fn then(self, next: Self) -> Self {
        let start = self.bytes.next_multiple_of(next.align);
        Self { bytes: start.saturating_add(next.bytes), align: self.align.max(next.align) }
    }

    /// Either region, as members of a union.
    pub(crate) fn or(self, other: Self) -> Self {
        Self { bytes: self.bytes.max(other.bytes), align: self.align.max(other.align) }
    }

    pub(crate) fn size_of(self) -> u32 {
        self.bytes.next_multiple_of(self.align)
    }

    /// The region as a type of its own, padded to its alignment.
    pub(crate) fn padded(self) -> Self {
        Self { bytes: self.size_of(), ..self }
    }
}

/// One array in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedArray {
    /// What it holds, in words.
    pub what: &'static str,
    /// Size and alignment of an element.
    pub element_bytes: u32,
    /// Elements.
    pub length: u32,
}

impl SharedArray {
    pub(crate) const fn words(what: &'static str, length: u32) -> Self {
        array(what, 4, length)
    }

    /// Bytes of the array.
    pub const fn bytes(&self) -> u32 {
        self.element_bytes.saturating_mul(self.length)
    }
}

/// An array of `length` elements.
pub(crate) const fn array(what: &'static str, element_bytes: u32, length: u32) -> SharedArray {
    SharedArray { what, element_bytes, length }
}

/// How a tile of this many items sits in an array of shared memory: after every `period` slots `gap` are left out, so
/// that the threads of a warp that read their own neighbouring items hit different banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Padding {
    /// Slots between gaps, a power of two; 0: no gaps.
    pub period: u32,
    /// Slots left out after each period.
    pub gap: u32,
}

impl Padding {
    /// No gaps.
    pub(crate) const NONE: Self = Self { period: 0, gap: 0 };

    /// A gap of one word each 128 bytes, where a thread's items are an even number of words or slots apart.
    pub(crate) fn of(element_bytes: u32, items: u32, has_blocked: bool) -> Self {
        if has_blocked && items.is_multiple_of(2) && element_bytes <= 16 {
            Self { period: 128 / element_bytes, gap: (4 / element_bytes).max(1) }
        } else {
            Self::NONE
        }
    }

    /// Slots of an array that holds `items`.
    pub(crate) fn slots(self, items: u32) -> u32 {
        let gaps = items.saturating_sub(1).checked_div(self.period).unwrap_or(0);
        items.saturating_add(gaps * self.gap)
    }
}
