  // Which sub-bucket of a bucket's range an order is in: they are equally wide, and a greater order is in none that comes before.
  struct SubBucketMap {
    // The least order.
    Bits base;
    // How far left to shift what is above it so that at least the maximum's first bit is a one.
    int shift;
    // Sub-buckets for each 2^32 of the upper 32 bits of that.
    unsigned int scale;

    // A sub-bucket, and where in its range an order is, of 2^32.
    struct Point {
      unsigned int sub_bucket;
      unsigned int within;
    };

    __device__ __forceinline__ Point point_of(Bits order) const {
      const unsigned int above = static_cast<unsigned int>((order - base) << shift >> (8 * sizeof(Bits) - 32));
      const unsigned long long product = static_cast<unsigned long long>(above) * scale;
      return {static_cast<unsigned int>(product >> 32), static_cast<unsigned int>(product)};
    }

    // Whether this number of upper bits of `within` tells any two orders apart.
    __device__ __forceinline__ bool tells_apart(int fraction_bits) const {
      const int step = shift - static_cast<int>(8 * sizeof(Bits) - 32);
      return step >= 0 && static_cast<unsigned long long>(scale) << step >> (32 - fraction_bits) != 0;  //~ keys-apart
    }
  };

  static __device__ __forceinline__ SubBucketMap map_of(OrderRange range, unsigned int sub_buckets) {
    const int shift = static_cast<int>(8 * sizeof(Bits)) - bit_length((range.max - range.min) | 1);
    const Bits max = (range.max - range.min) << shift;
    // Rounded so that the maximum order has a sub-bucket.
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
