// Two numbers of 16 bits in one register, in its lower half and its upper half: the smaller of the lower ones and the smaller of the
// upper ones. From Hopper on that is one instruction.
__device__ __forceinline__ unsigned int packed_min(unsigned int a, unsigned int b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  return __vminu2(a, b);
#else
  // What is below decides only where the upper halves are equal.
  return (min(a, b) & 0xffff0000u) | min(a & 0xffffu, b & 0xffffu);  //~ packed-minimum
#endif
}

// And the greater ones.
__device__ __forceinline__ unsigned int packed_max(unsigned int a, unsigned int b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  return __vmaxu2(a, b);
#else
  return (max(a, b) & 0xffff0000u) | max(a & 0xffffu, b & 0xffffu);
#endif
}
