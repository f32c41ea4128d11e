//! The axes of the spec space and the facts of each: keys, values, orders, blocks, architectures. Knows nothing of sorts.

mod arch;
mod axes;
mod format;
mod item_count;
mod one_line;
mod other_words;

pub use arch::{Arch, ArchError};
pub(crate) use axes::tokens;
pub use axes::{
    Arrangement, Block, InnerScan, KeyClass, KeyInfo, KeyType, LaneMatch, Order, Token,
    UnknownToken, UnsignedType, ValueType,
};
pub use format::Format;
pub use item_count::item_count;
pub use one_line::OneLine;
