//! What several families are made of: comparison networks, the composite keys that these compare, members of a sort's struct.

pub mod composite_key;
pub(crate) mod composite_keys_view;
pub(crate) mod members;
pub mod network;
