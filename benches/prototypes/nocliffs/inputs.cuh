// Inputs by name, made on the device.
#pragma once

#include <cstdint>

#include "block.cuh"
#include "peer.h"

namespace inputs {

constexpr const char* kNames[] = {"uniform",  "normal",   "lognormal", "zipf",    "60 copies",     "1e6 copies", "64 NaNs",
                                  "clusters", "splats",   "hash 30",   "and of 3", "modulo 1000",   "modulo 2^24", "sorted",
                                  "reversed", "1% moved", "saw",       "outlier", "times",         "equal"};
constexpr int kCount = sizeof(kNames) / sizeof(kNames[0]);

__device__ inline uint64_t ordered(double x) {
  const uint64_t bits = __double_as_longlong(x);
  return bits >> 63 ? ~bits : bits | 1ull << 63;
}
__device__ inline double unit(uint64_t r) { return (static_cast<double>(r >> 11) + 0.5) * 0x1p-53; }
__device__ inline double normal(uint64_t i, uint64_t seed) {
  return sqrt(-2 * log(unit(nocliffs::mix(i + seed)))) * cospi(2 * unit(nocliffs::mix(~i + seed)));
}

// The key of item `i`, as 64 bits.
__device__ inline uint64_t wide_key(int input, uint64_t i, uint64_t n, uint64_t seed) {
  using nocliffs::mix;
  const uint64_t r = mix(seed + i), q = mix(seed * 3 + 77 * i);
  switch (input) {
    case 0: return r;
    case 1: return ordered(normal(i, seed));
    case 2: return ordered(exp(normal(i, seed)));
    case 3: return mix(static_cast<uint64_t>(pow(1e6, unit(r))));
    case 4: return i % (n / 60 + 1) == 0 ? 0x123456789abcdefull : r;
    case 5: return n > 2000000 && i % (n / 1000000) == 0 ? 0x923456789abcdefull : r;
    case 6: return i % (n / 64 + 1) == 0 ? ~0ull : r;
    case 7: return (r >> 63) << 62 | (r & 0xfffffff);
    case 8: return (r % 10000) << 32 | __float_as_uint(static_cast<float>(exp(normal(i, seed)) + 0.2));
    case 9: return mix(r % (n / 30 + 1)) >> 32 << 32 | static_cast<uint32_t>(i);
    case 10: return r & q & mix(seed * 7 + i * 5);
    case 11: return r % 1000;
    case 12: return r & 0xffffff;
    case 13: return i;
    case 14: return n - i;
    case 15: return r % 100 == 0 ? q % n : i;
    case 16: return (i % 65536) << 20 | i >> 40;
    case 17: return i == n / 3 ? ~0ull : r >> 40;
    case 18: return 1700000000000000000ull + i * 1000 + r % 1000000;
    default: return 42;
  }
}

__device__ inline float float_key(int input, uint64_t i, uint64_t n, uint64_t seed) {
  using nocliffs::mix;
  const uint64_t r = mix(seed + i), q = mix(seed * 3 + 77 * i);
  const float uniform = static_cast<float>(r >> 40) * 0x1p-12f - 2048.0f + 0x1p-13f;
  switch (input) {
    case 1: return static_cast<float>(normal(i, seed));
    case 2: return static_cast<float>(exp(normal(i, seed)));
    case 3: return static_cast<float>(static_cast<uint64_t>(pow(1e6, unit(r))));
    case 4: return i % (n / 60 + 1) == 0 ? 17.25f : uniform;
    case 5: return n > 2000000 && i % (n / 1000000) == 0 ? 17.25f : uniform;
    case 6: return i % (n / 64 + 1) == 0 ? __uint_as_float(0x7fc00000u) : uniform;
    case 7: return static_cast<float>(r >> 63) * 1e20f + static_cast<float>(r & 0xffffff);
    case 8: return static_cast<float>(exp(normal(i, seed)) + 0.2);
    case 9: return static_cast<float>(r % (n / 30 + 1));
    case 10: return static_cast<float>(r & q & mix(seed * 7 + i * 5));
    case 11: return static_cast<float>(r % 1000);
    case 12: return static_cast<float>(r & 0xffffff);
    case 13: return static_cast<float>(i);
    case 14: return static_cast<float>(n - i);
    case 15: return static_cast<float>(r % 100 == 0 ? q % n : i);
    case 16: return static_cast<float>(i % 65536);
    case 17: return i == n / 3 ? 3e38f : static_cast<float>(r >> 40);
    case 18: return static_cast<float>(i * 10 + r % 1000);
    case 19: return 42.0f;
    default: return uniform;
  }
}

template <class Bits>
__global__ void make(Bits* keys, uint32_t* values, uint64_t n, int input, uint64_t seed, KeyType type) {
  for (uint64_t i = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += uint64_t{gridDim.x} * blockDim.x) {
    if (type == KeyType::kF32) {
      keys[i] = __float_as_uint(float_key(input, i, n, seed));
    } else {
      const uint64_t wide = wide_key(input, i, n, seed);
      const bool upper = input <= 6 || input == 8 || input == 9 || input == 10;
      keys[i] = static_cast<Bits>(sizeof(Bits) == 8 ? wide : upper ? wide >> 32 : wide);
    }
    if (values != nullptr) values[i] = static_cast<uint32_t>(i);
  }
}

}  // namespace inputs
