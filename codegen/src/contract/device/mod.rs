//! What families of device-wide sorts have to say, and what is the same for all of them: specs, names, launches, arguments of kernels.

pub(crate) mod algorithm;
pub(crate) mod arguments;
pub(crate) mod family;
pub(crate) mod host;
pub(crate) mod launch;
pub(crate) mod name;
pub(crate) mod passes;
pub(crate) mod scratch;
pub(crate) mod shape;
pub(crate) mod spec;
