//! What several families are made of: comparison networks, the composite keys that these compare, members of a sort's struct.

pub(crate) mod members;
pub mod network;
pub mod word;
pub(crate) mod words_view;
