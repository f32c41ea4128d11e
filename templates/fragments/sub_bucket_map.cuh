  // Which sub-bucket of a bucket's range a key's compared bits are in: they are equally wide, and greater bits are in none that comes before.
  struct SubBucketMap {
    // The least compared bits.
    Bits base;
    // How far left to shift what is above it so that at least the maximum's first bit is a one.
    int shift;
    // Sub-buckets for each 2^32 of the upper 32 bits of that.
    unsigned int scale;

    // A sub-bucket, and where in its range compared bits are, of 2^32.
    struct Point {
      unsigned int sub_bucket;
      unsigned int within;
    };

    __device__ __forceinline__ Point point_of(Bits compared) const {
      const unsigned int above = static_cast<unsigned int>((compared - base) << shift >> (8 * sizeof(Bits) - 32));
      const unsigned long long product = static_cast<unsigned long long>(above) * scale;
      return {static_cast<unsigned int>(product >> 32), static_cast<unsigned int>(product)};
    }

    // Whether this number of upper bits of `within` tells any two keys' compared bits apart.
    __device__ __forceinline__ bool tells_apart(int fraction_bits) const {
      const int step = shift - static_cast<int>(8 * sizeof(Bits) - 32);
      return step >= 0 && static_cast<unsigned long long>(scale) << step >> (32 - fraction_bits) != 0;  //~ keys-apart
    }
  };

  static __device__ __forceinline__ SubBucketMap map_of(ComparedRange range, unsigned int sub_buckets) {
    const int shift = static_cast<int>(8 * sizeof(Bits)) - bit_length((range.max - range.min) | 1);
    const Bits max = (range.max - range.min) << shift;
    // Rounded so that the maximum compared bits have a sub-bucket.
    const unsigned int upper = static_cast<unsigned int>(max >> (8 * sizeof(Bits) - 16)) + 1;
    return {range.min, shift, (sub_buckets << 16) / upper};  //~ scale-of-sub-buckets
  }

  // One past the highest bit that is set.
  static __device__ __forceinline__ int bit_length(Bits bits) {
    int length = 0;
#pragma unroll
    for (int step = 4 * sizeof(Bits); step > 0; step /= 2) {
      if (bits >> step == 0) continue;
      bits >>= step;
      length += step;
    }
    return length + static_cast<int>(bits);
  }
