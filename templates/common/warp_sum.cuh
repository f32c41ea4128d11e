// The sum over the lanes of a full warp, which all call it and all get it.
__device__ __forceinline__ unsigned int sum_in_warp(unsigned int value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_add_sync(~0u, value);
#else
#pragma unroll
  for (int bit = 16; bit > 0; bit /= 2) value += __shfl_xor_sync(~0u, value, bit);
  return value;
#endif
}
