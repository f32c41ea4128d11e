// The lanes of the warp with the same digit as this lane's, by one ballot for each bit. All 32 lanes call it.
template <int kBits>
__device__ __forceinline__ unsigned int lanes_of_same_digit(unsigned int digit) {
  unsigned int same = ~0u;
#pragma unroll
  for (int bit = 0; bit < kBits; ++bit) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
    // One predicate for both uses of the bit, which the compiler does not find by itself: 3 instructions a bit, not 7.
    asm volatile(
        "{\n"
        "  .reg .pred set;\n"
        "  .reg .b32 word;\n"
        "  and.b32 word, %1, %2;\n"
        "  setp.ne.u32 set, word, 0;\n"
        "  vote.sync.ballot.b32 word, set, 0xffffffff;\n"
        "  @!set not.b32 word, word;\n"
        "  and.b32 %0, %0, word;\n"
        "}"
        : "+r"(same)
        : "r"(digit), "r"(1u << bit));
#else
    const bool set = (digit >> bit) & 1u;
    const unsigned int votes = __ballot_sync(~0u, set);
    same &= set ? votes : ~votes;
#endif
  }
  return same;
}
