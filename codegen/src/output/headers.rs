//! The headers that a folder or a matrix asks for.

use std::collections::HashMap;

use crate::contract::render::Options;
use crate::contract::spec::SortSpec;

/// A header to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Of this spec.
    pub spec: SortSpec,
    /// With these contents.
    pub options: Options,
}

impl Header {
    /// Its file name.
    pub fn file_name(&self) -> String {
        format!("{}.cuh", self.spec)
    }
}

/// Each header once, where it came first; with the kernels that any of its likes has.
pub fn unique(headers: impl IntoIterator<Item = Header>) -> Vec<Header> {
    let mut index_of = HashMap::new();
    let mut all: Vec<Header> = Vec::new();
    for header in headers {
        let index = *index_of.entry(header.spec).or_insert(all.len());
        match all.get_mut(index) {
            Some(known) => known.options = known.options.or(header.options),
            None => all.push(header),
        }
    }
    all
}
