//! The files of headers that are requested by name.

use super::File;
use crate::contract::render::RenderError;
use crate::registry::Named;

impl Named {
    /// The file of its header.
    pub fn file(&self) -> Result<File, RenderError> {
        Ok(File { name: format!("{self}.cuh"), text: self.header()? })
    }
}
