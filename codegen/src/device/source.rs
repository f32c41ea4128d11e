//! Device-wide sorts as sources of kernels.

use super::{DeviceSpec, header};
use crate::contract::family::Source;
use crate::contract::render::RenderError;

impl Source for DeviceSpec {
    fn source(&self) -> Result<String, RenderError> {
        header(self)
    }

    fn cuda_header(&self) -> Option<&'static str> {
        self.key.info().header
    }

    fn shared_bytes(&self) -> u32 {
        Self::shared_bytes(self)
    }
}
