// The same number or address, but the compiler does not know: what it is made of need not be kept, and what is computed from it
// is computed where it is used.
__device__ __forceinline__ unsigned int opaque(unsigned int number) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  asm volatile("" : "+r"(number));
#endif
  return number;
}

template <typename T>
__device__ __forceinline__ T* opaque(T* address) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  asm volatile("" : "+l"(address));
#endif
  return address;
}
