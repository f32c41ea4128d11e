// Every sort of this folder.
//
// Made by sortsmith 0.1.0; to make the folder again:
//   sortsmith emit --matrix FILE.toml --out DIR
#pragma once

#include "block_radix_sort_u32_u32_b128_i16_r4_asc.cuh"
#include "block_radix_sort_u32_u32_b128_i16_r5_asc.cuh"
#include "block_radix_sort_u32_u32_b128_i16_r6_asc.cuh"
#include "block_radix_sort_f32_keys_b256_i8_r6_asc.cuh"
#include "block_radix_sort_f32_keys_b256_i8_r6_desc.cuh"
#include "block_radix_sort_i32_u32_b128_i4_r4_asc_nomemo.cuh"
#include "block_radix_sort_i32_u32_b128_i4_r4_asc_raking.cuh"
#include "block_radix_sort_i32_u32_b128_i4_r4_asc_rakingmemo.cuh"
#include "block_radix_sort_u32_keys_b64_i5_r5_asc_nomemo_raking.cuh"
#include "block_radix_sort_u32_u32_b256_i16_r8_asc_match.cuh"
#include "block_radix_sort_u32_u32_b256_i16_r8_asc_matchmasks.cuh"
#include "block_radix_sort_i64_index_b32_i4_r8_asc_match_inwarpstriped_outstriped.cuh"
#include "block_radix_sort_f16_index_b512_i8_r8_desc_matchmasks_instriped.cuh"
#include "block_radix_sort_u8_u8_b128_i16_r4_asc.cuh"
#include "block_radix_sort_bf16_u16_b128_i8_r4_desc_instriped.cuh"
#include "block_radix_sort_f64_index_b128_i8_r6_asc.cuh"
#include "block_radix_sort_i128_keys_b64_i4_r6_asc_outstriped.cuh"
#include "block_radix_sort_f8e4m3_keys_b128_i16_r4_asc_inwarpstriped.cuh"
#include "block_radix_sort_bool_u32_b128_i4_r1_asc.cuh"
#include "block_radix_sort_u32_u64_b128_i8_r4_asc.cuh"
#include "block_radix_sort_u64_u128_b256_i8_r6_desc.cuh"
#include "block_radix_sort_u64_keys_b256_i8_r6_asc_bits0to45.cuh"
#include "block_radix_sort_i16_u32_b16x16_i7_r4_asc.cuh"
#include "block_radix_sort_i16_u32_b5x4x3_i7_r4_asc.cuh"
#include "block_radix_sort_f32_u64_b77_i5_r4_asc_instriped_outstriped.cuh"
#include "block_radix_sort_i8_keys_b1_i8_r4_asc.cuh"
#include "block_radix_sort_u32_u32_b512_i16_r6_asc.cuh"
#include "block_radix_sort_u64_u32_b256_i24_r8_asc_match_inwarpstriped.cuh"
