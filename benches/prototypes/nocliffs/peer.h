// CUB's radix sort, in a translation unit of its own.
#pragma once
#include <cstddef>
#include <cstdint>

enum class KeyType { kU64, kU32, kF32 };

// The time of the fastest of CUB's four ways (32-bit and 64-bit counts, two arrays and DoubleBuffer), the median of
// `rounds` each, in milliseconds; the result stays in keys_out and values_out (values: 4 bytes, or null).
float fastest_cub(KeyType type, const void* keys, const uint32_t* values, void* keys_out, uint32_t* values_out, size_t n, int rounds,
                  float* each);
