//! The types of positions.

#[cfg(feature = "cuda")]
use sortsmith_codegen::top_k::TopKValue;

use crate::error::Error;
use crate::host;

mod sealed {
    pub trait Sealed {}
}

impl sealed::Sealed for u32 {}
impl sealed::Sealed for i64 {}

/// The types of positions that a top-k writes: `u32` and `i64`.
pub trait Position: Copy + Send + Sync + sealed::Sealed + 'static {
    /// What the kernels write.
    #[cfg(feature = "cuda")]
    #[doc(hidden)]
    const WRITTEN: TopKValue;

    /// Writes the positions that `write` writes.
    #[doc(hidden)]
    fn written(
        positions: &mut [Self],
        write: impl FnOnce(&mut [u32]) -> Result<(), Error>,
    ) -> Result<(), Error>;
}

impl Position for u32 {
    #[cfg(feature = "cuda")]
    const WRITTEN: TopKValue = TopKValue::Index;

    fn written(
        positions: &mut [Self],
        write: impl FnOnce(&mut [u32]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        write(positions)
    }
}

impl Position for i64 {
    #[cfg(feature = "cuda")]
    const WRITTEN: TopKValue = TopKValue::Index64;

    fn written(
        positions: &mut [Self],
        write: impl FnOnce(&mut [u32]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut narrow = host::positions(positions.len())?;
        write(&mut narrow)?;
        positions.iter_mut().zip(narrow).for_each(|(to, position)| *to = position.into());
        Ok(())
    }
}
