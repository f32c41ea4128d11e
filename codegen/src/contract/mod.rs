//! What a family has to say: the spec of a tile's sort and its name, the errors, the options of a header.

mod name;
pub(crate) mod render;
pub mod spec;
mod validate;
