//! What several families are made of: comparison networks, the composite keys that these compare, members of a sort's struct.

pub(crate) mod composite_keys_view;
pub(crate) mod members;
pub mod network;
pub mod word;
