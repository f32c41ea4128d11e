//! The small floating-point types as storage.

/// What a generated sort needs of `cuda_fp16.h`, `cuda_bf16.h` and `cuda_fp8.h`, by their names: types of the right size
/// and alignment, for it moves such keys and reads their bits, and does no arithmetic.
///
/// Given to NVRTC beside a source (`Source::headers` of the toolchain), these stand in for CUDA's own: then
/// no toolkit's headers are needed, nor read, which takes the compiler longer than the sort itself. A source that
/// computes with such numbers needs the real ones.
pub const STORAGE_HEADERS: [(&str, &str); 3] = [
    ("cuda_fp16.h", "#pragma once\nstruct alignas(2) __half { unsigned short __x; };\n"),
    ("cuda_bf16.h", "#pragma once\nstruct alignas(2) __nv_bfloat16 { unsigned short __x; };\n"),
    (
        "cuda_fp8.h",
        "#pragma once\n\
         struct __nv_fp8_e4m3 { unsigned char __x; };\n\
         struct __nv_fp8_e5m2 { unsigned char __x; };\n",
    ),
];
