//! How rows are split.

/// How a row is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunks {
    /// Chunks of a row.
    pub count: u32,
    /// Keys of each but the last, which has what is left.
    pub columns: u64,
}

impl Chunks {
    /// Bytes of a count: two where they are enough.
    pub fn count_bytes(self) -> u32 {
        if self.columns < 1 << 16 { 2 } else { 4 }
    }
}
