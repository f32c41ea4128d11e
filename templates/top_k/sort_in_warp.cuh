  // Puts two of a lane's items in order.
  template <int kLimbs>
  static __device__ __forceinline__ void put_pair_in_order(Limbs<kLimbs>& low, Limbs<kLimbs>& high) {
    if constexpr (kLimbs == 1) {
      const unsigned int smaller = min(low.limb[0], high.limb[0]);
      high.limb[0] = max(low.limb[0], high.limb[0]);
      low.limb[0] = smaller;
    } else {
      const bool is_wrong = is_less<kLimbs>(high, low);
      const Limbs<kLimbs> smaller = either(is_wrong, high, low);
      high = either(is_wrong, low, high);
      low = smaller;
    }
  }

  // The smaller or the greater of two items.
  template <int kLimbs>
  static __device__ __forceinline__ Limbs<kLimbs> one_of(bool is_smaller, const Limbs<kLimbs>& own, const Limbs<kLimbs>& other) {
    if constexpr (kLimbs == 1) {
      return { {is_smaller ? min(own.limb[0], other.limb[0]) : max(own.limb[0], other.limb[0])} };
    } else {
      return either(is_less<kLimbs>(other, own) == is_smaller, other, own);
    }
  }

  // Sorts the warp's items, which are lane by lane afterwards: a bitonic network of ascending comparators. Merges begin with comparators
  // between the lower run and the upper one in reverse.
  template <int kLimbs, int kCount>
  __device__ __forceinline__ void sort_in_warp(Limbs<kLimbs> (&items)[kCount]) const {
#pragma unroll
    for (int run = 2; run <= kCount; run *= 2) {
#pragma unroll
      for (int i = 0; i < kCount; ++i) {
        if (i < (i ^ (run - 1))) put_pair_in_order(items[i], items[i ^ (run - 1)]);
      }
      merge_in_lane(items, run / 4);
    }
#pragma unroll
    for (int lanes = 2; lanes <= 32; lanes *= 2) {
      Limbs<kLimbs> mirrored[kCount];
#pragma unroll
      for (int i = 0; i < kCount; ++i) mirrored[i] = across(items[kCount - 1 - i], lanes - 1);
#pragma unroll
      for (int i = 0; i < kCount; ++i) items[i] = one_of((lane_ & (lanes / 2)) == 0, items[i], mirrored[i]);  //~ half-of-lanes
      halve_in_warp(items, lanes / 2);
    }
  }

  // Halves bitonic runs of this number of lanes until they are sorted.
  template <int kLimbs, int kCount>
  __device__ __forceinline__ void halve_in_warp(Limbs<kLimbs> (&items)[kCount], int lanes) const {
#pragma unroll
    for (int bit = lanes / 2; bit > 0; bit /= 2) {
#pragma unroll
      for (int i = 0; i < kCount; ++i) items[i] = one_of((lane_ & bit) == 0, items[i], across(items[i], bit));  //~ halves-of-lanes
    }
    merge_in_lane(items, kCount / 2);
  }

  // Halves bitonic runs of a lane, from this distance on.
  template <int kLimbs, int kCount>
  static __device__ __forceinline__ void merge_in_lane(Limbs<kLimbs> (&items)[kCount], int first_distance) {
#pragma unroll
    for (int distance = first_distance; distance > 0; distance /= 2) {
#pragma unroll
      for (int i = 0; i < kCount; ++i) {
        if ((i & distance) == 0) put_pair_in_order(items[i], items[i | distance]);
      }
    }
  }
