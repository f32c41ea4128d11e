// The threads of a warp.
constexpr unsigned int kWarpThreads = 32;

// A thread's number in its block:
//
//   | warp: all other bits | lane: 5 bits |
__device__ __forceinline__ unsigned int warp_of(unsigned int thread) { return thread / kWarpThreads; }
__device__ __forceinline__ unsigned int lane_of(unsigned int thread) { return thread % kWarpThreads; }

// The thread's lane in its warp, in blocks of any shape.
__device__ __forceinline__ unsigned int lane_of_thread() {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
#else
  return lane_of(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
#endif
}

// The position of a thread's item where warps have neighbouring items, row by row:
//
//   | warp: kWarpThreads * kItems positions | item: kWarpThreads positions | lane |
template <int kItems>
__device__ __forceinline__ unsigned int warp_striped(unsigned int thread, int item) {
  return warp_of(thread) * (kWarpThreads * kItems) + item * kWarpThreads + lane_of(thread);
}
