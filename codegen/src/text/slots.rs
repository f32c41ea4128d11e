//! The slots of a tile's positions in shared memory, as templates show them.

use std::fmt;

use crate::layout::Padding;
use crate::text::common::Part;

/// The type with the members that give the slots of an array.
#[derive(Clone, Copy)]
pub(crate) struct SlotsView(Padding);

impl SlotsView {
    pub(crate) fn of(padding: Padding) -> Self {
        Self(padding)
    }

    /// What declares the type.
    pub(crate) fn part(self) -> Part {
        if self.has_gaps() { Part::GappedSlots } else { Part::DenseSlots }
    }

    pub(crate) fn has_gaps(self) -> bool {
        self.0.gap > 0
    }
}

impl fmt::Display for SlotsView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Padding { period, gap } = self.0;
        if self.has_gaps() {
            write!(f, "GappedSlots<{period}, {gap}>")
        } else {
            f.write_str("DenseSlots")
        }
    }
}
