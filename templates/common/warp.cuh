// Adds up `value` over the lanes at or below this one. All lanes of `lanes`, a mask without gaps from lane 0 up, call it.
__device__ __forceinline__ unsigned int inclusive_sum_in_warp(unsigned int value, unsigned int lanes) {
#pragma unroll
  for (unsigned int distance = 1; distance < kWarpThreads; distance *= 2) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
    // The shuffle's own predicate says whether there is a lane that far below.
    asm volatile(
        "{\n"
        "  .reg .u32 below;\n"
        "  .reg .pred exists;\n"
        "  shfl.sync.up.b32 below|exists, %0, %1, 0, %2;\n"
        "  @exists add.u32 %0, %0, below;\n"
        "}"
        : "+r"(value)
        : "r"(distance), "r"(lanes));
#else
    const unsigned int below = __shfl_up_sync(lanes, value, distance);
    if (lane_of_thread() >= distance) value += below;
#endif
  }
  return value;
}
