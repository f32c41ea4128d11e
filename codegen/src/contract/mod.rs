//! What a family has to say: the spec of a tile's sort and its name, the errors, the options of a header.

pub(crate) mod arguments;
pub(crate) mod device;
#[cfg(feature = "explain")]
pub(crate) mod explain;
pub(crate) mod family;
#[cfg(feature = "explain")]
pub(crate) mod figures;
pub(crate) mod name;
pub(crate) mod named;
pub(crate) mod options;
pub(crate) mod render;
pub(crate) mod spec;
pub(crate) mod tile_arguments;
pub(crate) mod validate;
