//! Generated CUDA kernels, for programs that compile and launch them themselves.
//!
//! A [`SortSpec`] says what a kernel sorts and how; [`header`] is its CUDA, which needs no other
//! header (but `cuda_fp16.h` and the like for keys of those types) and compiles under NVRTC and nvcc.
//! The header's own comments say how to call its struct from a kernel of yours.
//!
//! ```
//! use sortsmith::device::{self, SortSpec};
//!
//! let spec: SortSpec = "block_radix_sort_f32_u32_b256_i16_r6_desc".parse().unwrap();
//! let source = format!(
//!     "{header}
//!     using Sort = sortsmith::{spec};
//!     extern \"C\" __global__ void sort_first_tile(float* keys, unsigned* values) {{
//!       __shared__ Sort::TempStorage storage;
//!       Sort::Keys k;
//!       Sort::Values v;
//!       for (int i = 0; i < Sort::kItemsPerThread; ++i) {{
//!         k[i] = keys[threadIdx.x * Sort::kItemsPerThread + i];
//!         v[i] = values[threadIdx.x * Sort::kItemsPerThread + i];
//!       }}
//!       Sort(storage).Sort(k, v);
//!       // ...
//!     }}",
//!     header = device::header(&spec)?,
//! );
//! assert!(source.contains("struct block_radix_sort_f32_u32_b256_i16_r6_desc"));
//! # Ok::<(), sortsmith::Error>(())
//! ```

pub use sortsmith_codegen::{
    Algorithm, Arch, Arrangement, BitRange, Block, Family, InnerScan, KeyType, LaneMatch,
    NameError, Order, Rank, SortSpec, SpecError, SpecFields, ValueType, gather::GatherSpec,
    render::Options, tiles,
};

use crate::error::Error;

/// The header of a spec, as text.
pub fn header(spec: &SortSpec) -> Result<String, Error> {
    header_with(spec, Options::default())
}

/// The header of a spec, as text, with the additions of these options.
///
/// ```
/// use sortsmith::device::{self, Options, SortSpec};
///
/// let spec: SortSpec = "block_radix_sort_u64_keys_b128_i8_r4_asc".parse().unwrap();
/// let header = device::header_with(&spec, Options { tile_kernel: true, ..Default::default() })?;
/// assert!(header.contains(&format!("{spec}_tile(")));
/// # Ok::<(), sortsmith::Error>(())
/// ```
pub fn header_with(spec: &SortSpec, options: Options) -> Result<String, Error> {
    Ok(sortsmith_codegen::render::header(spec, options)?)
}
