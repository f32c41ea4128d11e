// Every sort of this folder.
//
// Made by sortsmith 0.1.0; to make the folder again:
//   sortsmith emit --matrix FILE.toml --out DIR
#pragma once

#include "block_radix_sort_f32_u32_b256_i16_r6_asc.cuh"
#include "block_radix_sort_f32_u32_b256_i16_r6_desc.cuh"
#include "block_radix_sort.cuh"
