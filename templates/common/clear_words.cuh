// Sets an array in shared memory to zeros, 16 bytes at a time, by all threads of a block of kThreads. The loop is unrolled kUnrolled times:
// once where it has few rounds, for which an unrolled one takes more instructions to begin than there are.
template <int kBytes, int kThreads, int kUnrolled>
__device__ __forceinline__ void clear_words(void* array) {
  struct __align__(16) Words {
    unsigned int words[4];
  };
  static_assert(kBytes % sizeof(Words) == 0, "the array has no other bytes");
#pragma unroll kUnrolled
  for (unsigned int i = threadIdx.x; i < kBytes / sizeof(Words); i += kThreads) static_cast<Words*>(array)[i] = Words{};
}
