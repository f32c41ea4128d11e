// Copies a value to shared memory, where there is a way around registers without waiting for it: the thread itself may read it
// after wait_for_copies, others after the next barrier.
template <typename T>
__device__ __forceinline__ void copy_async(T* to, const T* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !defined(SORTSMITH_NO_PTX)
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) {
    const unsigned int address = static_cast<unsigned int>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" : : "r"(address), "l"(from), "n"(sizeof(T)) : "memory");
    return;
  }
#endif
  *to = *from;
}

__device__ __forceinline__ void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !defined(SORTSMITH_NO_PTX)
  asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}
