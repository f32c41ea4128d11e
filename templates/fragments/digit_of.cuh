

  // The digit of `count` bits, at most kRadixBits, from `bit` up.
  static __device__ __forceinline__ unsigned int digit_of(Bits ordered, int bit, int count) {
    return static_cast<unsigned int>(compared_bits(ordered) >> bit) & ((1u << count) - 1u);
  }
