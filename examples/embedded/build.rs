//! Compiles the kernels that the program carries. It takes NVRTC, and no GPU.

use sortsmith_codegen::build::{ArraySort, BuildError, Bundle};
use sortsmith_codegen::{KeyType, ValueType};

fn main() -> Result<(), BuildError> {
    // Machine code for A100 and what is like it, and for H100; all newer devices assemble the PTX.
    Bundle::for_archs([80, 90])
        .sort(ArraySort::pairs(KeyType::F32, ValueType::U32))
        // `write` would be an error where there is no NVRTC. This program compiles kernels when it runs, then.
        .write_or_warn()
}
