  // Upper bits that all keys share distribute nothing. Keys that share some go by the {{ 2 * radix_bits }} bits below these, which have two digits.
  struct SharedBits {
    static constexpr bool kHasBuckets = true;
    // How many there are; 0 if they do not matter.
    int count;
    // The upper bits of one key.
    Bits upper;

    // The two digits of a key.
    __device__ __forceinline__ unsigned int bucket_of(Key key) const {
      return static_cast<unsigned int>(compared_bits(to_ordered_bits(key)) << count >> (kKeyBits - kMapDigits * kRadixBits));  //~ bits-below-shared
    }

    // The shared bits, with zeros below.
    __device__ __forceinline__ Bits of_keys() const { return upper >> (kKeyBits - count) << (kKeyBits - count); }

    // Whether keys with this uppermost digit have other ones.
    __device__ __forceinline__ bool differ_in(unsigned int uppermost) const {
      return (uppermost ^ static_cast<unsigned int>(upper >> (kKeyBits - kRadixBits))) >> (kRadixBits - count) != 0;  //~ other-upper-bits
    }
  };

  static constexpr int kMapDigits = 2;

  // The number of sampled keys that say which bits are shared, and the most of these that matter: where keys share a digit, a pass is left out, and
  // passes over the other digits are as fast.
  static constexpr unsigned int kSharedSamples = 1024;
  static constexpr int kMaxShared = kRadixBits - 1;

  // The bits that samples share, if there are as many as matter. All threads of a block call it, with room for a word a warp; every block finds the same.
  static __device__ __forceinline__ SharedBits find_shared_bits(const Arguments& arguments, unsigned int* of_warps) {
    const auto compared_at = [&](unsigned long long offset) { return compared_bits(to_ordered_bits(arguments.keys_in[offset])); };
    const Bits first = compared_at(0);
    Bits differing = 0;
    for (unsigned int sample = threadIdx.x; sample < kSharedSamples; sample += blockDim.x) {
      differing |= compared_at(sample * arguments.n / kSharedSamples) ^ first;
    }
    const auto gather = [&] {
#pragma unroll
      for (unsigned int distance = 16; distance > 0; distance /= 2) differing |= __shfl_xor_sync(~0u, differing, distance);
    };
    gather();
    const unsigned int warps = blockDim.x / kWarpThreads;
    const unsigned int lane = lane_of(threadIdx.x);
    if (lane == 0) of_warps[warp_of(threadIdx.x)] = differing;
    __syncthreads();
    differing = of_warps[lane < warps ? lane : 0];
    gather();
    // All have read what the counters take the place of.
    __syncthreads();
    const int shared = __clz(static_cast<int>(differing));
    return {shared >= arguments.sorts_msd_buckets && shared <= kMaxShared ? shared : 0, first};
  }
