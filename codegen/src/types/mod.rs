//! The axes of the spec space and the facts of each: keys, values, orders, blocks, architectures. Knows nothing of sorts.

mod arch;
mod axes;
mod format;
mod item_count;
mod keys;
mod one_line;
mod other_words;

pub use arch::{Arch, ArchError};
pub use axes::{
    Arrangement, Block, InnerScan, LaneMatch, Order, Token, UnknownToken, UnsignedType, ValueType,
};
pub(crate) use axes::{token_texts, tokens};
pub use format::Format;
pub use item_count::item_count;
pub use keys::{KeyClass, KeyInfo, KeyType, StructField, StructKey};
pub use one_line::OneLine;
