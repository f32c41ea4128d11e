// The minimum and the maximum over the lanes of a full warp, which all call it and all get it.
__device__ __forceinline__ unsigned int min_in_warp(unsigned int value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_min_sync(~0u, value);
#else
#pragma unroll
  for (int bit = 16; bit > 0; bit /= 2) {
    const unsigned int other = __shfl_xor_sync(~0u, value, bit);
    value = other < value ? other : value;
  }
  return value;
#endif
}

__device__ __forceinline__ unsigned int max_in_warp(unsigned int value) { return ~min_in_warp(~value); }
