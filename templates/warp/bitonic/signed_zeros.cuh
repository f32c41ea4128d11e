  // Keys are compared by all of their ordered bits, by which zeros of one sign come before those of the other. In a warp that has both,
  // each logical warp puts the signs of its zeros in input order afterwards.
  struct SignsOfZeros {
    bool are_mixed;
    // A bit for each of the lane's sorted items: whether it is -0.0, if it is a zero.
    unsigned int are_negative;
  };

  // The signs, before the items are sorted. A lane has kSideBySide items that lie side by side in the tile, and then the next lane does.
  template <int kSideBySide>
  __device__ __forceinline__ SignsOfZeros signs_of_zeros(const CompositeKey (&composites)[kItemsPerThread]) const {
    SignsOfZeros signs = {has_any(composites, kNegativeZero) && has_any(composites, kPositiveZero), 0};  //~ zeros-of-both-signs
    if (signs.are_mixed) signs.are_negative = mixed_signs<kSideBySide>(composites);
    return signs;
  }

  // Whether the warp has a key of these ordered bits.
  static __device__ __forceinline__ bool has_any(const CompositeKey (&composites)[kItemsPerThread], Bits ordered) {
    bool has = false;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) has |= bits_of(composites[i]) == ordered;
    return __any_sync(~0u, has) != 0;
  }

  template <int kSideBySide>
  __device__ __forceinline__ unsigned int mixed_signs(const CompositeKey (&composites)[kItemsPerThread]) const {
    unsigned int less = 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) less += bits_of(composites[i]) < kFirstZero ? 1u : 0u;
#pragma unroll
    for (int bit = 1; bit < kLanes; bit *= 2) less += __shfl_xor_sync(~0u, less, bit);  //~ items-before-zeros
    // Where the next zero comes out, from the lane's first item on.
    int next = static_cast<int>(less) - static_cast<int>(lane_) * kItemsPerThread;
    unsigned int are_negative = 0;
#pragma unroll
    for (int first = 0; first < kItemsPerThread; first += kSideBySide) {
      // A bit for each of the lane's next zeros, the first one's lowest.
      unsigned int zeros = 0;
      unsigned int signs = 0;
#pragma unroll
      for (int i = first; i < first + kSideBySide; ++i) {
        signs |= (bits_of(composites[i]) == kNegativeZero ? 1u : 0u) << zeros;  //~ sign-of-zero
        zeros += is_zero(bits_of(composites[i])) ? 1u : 0u;
      }
      if constexpr (kSideBySide == 1) {
        const unsigned int of_lanes = __ballot_sync(~0u, zeros != 0) >> first_lane() & (~0u >> (32 - kLanes));
        signs <<= __popc(of_lanes & ((1u << lane_) - 1u));  //~ zeros-of-lanes-before
#pragma unroll
        for (int bit = 1; bit < kLanes; bit *= 2) signs |= __shfl_xor_sync(~0u, signs, bit);
        are_negative |= shifted(signs, next);
        next += __popc(of_lanes);
      } else {
#pragma unroll
        for (unsigned int lane = 0; lane < kLanes; ++lane) {
          are_negative |= shifted(__shfl_sync(~0u, signs, first_lane() + lane), next);
          next += static_cast<int>(__shfl_sync(~0u, zeros, first_lane() + lane));  //~ zeros-of-lane
        }
      }
    }
    return are_negative;
  }

  static __device__ __forceinline__ unsigned int shifted(unsigned int bits, int by) {
    if (by <= -32 || by >= 32) return 0;
    return by < 0 ? bits >> -by : bits << by;
  }

  // Gives sorted zeros their signs.
  __device__ __forceinline__ void put_signs(CompositeKey (&composites)[kItemsPerThread], const SignsOfZeros& signs) const {
    if (!signs.are_mixed) return;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const Bits zero = (signs.are_negative >> i & 1u) != 0 ? kNegativeZero : kPositiveZero;
      if (is_zero(bits_of(composites[i]))) composites[i] = composite_of(to_key(zero), 0, true);  //~ sorted-zero
    }
  }
