  // The bits that are compared.
  static __device__ __forceinline__ Bits mask_of(const Arguments& arguments) {
    const int bits = arguments.end_bit - arguments.begin_bit;
    if (bits == 0) return 0;
    return bits == kKeyBits ? ~Bits(0) : ((Bits(1) << bits) - 1) << arguments.begin_bit;  //~ mask
  }

  static __device__ __forceinline__ bool is_less(Bits a, Bits b, Bits mask) {
    return (compared_bits(a) & mask) < (compared_bits(b) & mask);  //~ compared
  }
