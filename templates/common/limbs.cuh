// An item of a sort in some registers, which move together. Its limbs are those of a long integer, the lowest first: 32 bits each.
template <int kCount>
struct Limbs {
  unsigned int limb[kCount];
};

// A value in registers: one that is smaller than a register has the lower part of one.
template <int kCount, typename T>
__device__ __forceinline__ Limbs<kCount> limbs_of(const T& value) {
  if constexpr (sizeof(T) < 4) {
    return {{value}};
  } else {
    return __builtin_bit_cast(Limbs<kCount>, value);
  }
}

// The value of such registers.
template <typename T, int kCount>
__device__ __forceinline__ T value_of_limbs(const Limbs<kCount>& value_limbs) {
  if constexpr (sizeof(T) < 4) {
    return static_cast<T>(value_limbs.limb[0]);
  } else {
    // An unqualified bits_as may be that of another version, if its headers are included too.
    return __builtin_bit_cast(T, value_limbs);
  }
}

// Whether the first kCount limbs of one, the lowest first, are a smaller number than those of the other.
template <int kCount, int kAll>
__device__ __forceinline__ bool is_less(const Limbs<kAll>& a, const Limbs<kAll>& b) {
  if constexpr (kCount == 1) {
    return a.limb[0] < b.limb[0];
  } else {
    const unsigned long long upper_a = static_cast<unsigned long long>(a.limb[kCount - 1]) << 32 | a.limb[kCount - 2];
    const unsigned long long upper_b = static_cast<unsigned long long>(b.limb[kCount - 1]) << 32 | b.limb[kCount - 2];
    if constexpr (kCount == 2) {
      return upper_a < upper_b;  //~ two-words-compared
    } else {
      return (upper_a < upper_b) | ((upper_a == upper_b) & is_less<kCount - 2>(a, b));  //~ lower-words-compared
    }
  }
}

// The one or the other by a condition.
template <int kAll>
__device__ __forceinline__ Limbs<kAll> either(bool is_one, const Limbs<kAll>& one, const Limbs<kAll>& other) {
  Limbs<kAll> chosen;
#pragma unroll
  for (int i = 0; i < kAll; ++i) chosen.limb[i] = is_one ? one.limb[i] : other.limb[i];
  return chosen;
}

// The one or the other by a mask of ones or of zeros. Compilers make branches of many choices by one condition, with shuffles on
// either side, but not of these.
template <int kAll>
__device__ __forceinline__ Limbs<kAll> blended(unsigned int mask, const Limbs<kAll>& one, const Limbs<kAll>& other) {
  Limbs<kAll> blended;
#pragma unroll
  for (int i = 0; i < kAll; ++i) blended.limb[i] = (one.limb[i] & mask) | (other.limb[i] & ~mask);
  return blended;
}

// What lanes exchange with the lanes of numbers that differ in these bits, and what they get from lanes of these numbers. All lanes of
// the warp call these together.
template <int kAll>
__device__ __forceinline__ Limbs<kAll> across(const Limbs<kAll>& item, int bits) {
  Limbs<kAll> got;
#pragma unroll
  for (int i = 0; i < kAll; ++i) got.limb[i] = __shfl_xor_sync(~0u, item.limb[i], bits);
  return got;
}

template <int kAll>
__device__ __forceinline__ Limbs<kAll> from_lane(const Limbs<kAll>& item, unsigned int lane) {
  Limbs<kAll> got;
#pragma unroll
  for (int i = 0; i < kAll; ++i) got.limb[i] = __shfl_sync(~0u, item.limb[i], lane);
  return got;
}
