// A barrier of all blocks of a grid, which must all be resident: a cooperative launch. `arrived` is zero at the launch, and
// counts up over its barriers; `rounds`, each block's own, is how many of them it has passed.
__device__ __forceinline__ void wait_for_grid(unsigned int* arrived, unsigned int& rounds) {
  ++rounds;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
  // What this thread has stored may be loaded by another block's copy engine.
  asm volatile("fence.proxy.async;" : : : "memory");
#endif
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1u);
    while (poll(arrived) < gridDim.x * rounds) {
    }
    __threadfence();
  }
  __syncthreads();
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
  asm volatile("fence.proxy.async;" : : : "memory");
#endif
}
