// Reads a word that another block writes with `publish`, and nothing else with it: flag and number are one word.
__device__ __forceinline__ unsigned int poll(const unsigned int* word) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  unsigned int value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
#else
  return atomicOr(const_cast<unsigned int*>(word), 0u);
#endif
}

__device__ __forceinline__ unsigned long long poll(const unsigned long long* word) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  unsigned long long value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
#else
  return atomicOr(const_cast<unsigned long long*>(word), 0ull);
#endif
}

// Writes a word that other blocks poll.
__device__ __forceinline__ void publish(unsigned int* word, unsigned int value) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(word), "r"(value) : "memory");
#else
  atomicExch(word, value);
#endif
}

__device__ __forceinline__ void publish(unsigned long long* word, unsigned long long value) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(word), "l"(value) : "memory");
#else
  atomicExch(word, value);
#endif
}
