// The thread's lane in its warp.
__device__ __forceinline__ unsigned int lane_of_thread() {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
#else
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
#endif
}
