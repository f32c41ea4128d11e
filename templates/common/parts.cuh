// An item of a sort in some registers, which move together.
template <int kCount>
struct Parts {
  unsigned int part[kCount];
};

// A value in registers: one that is smaller than a register has the lower part of one.
template <int kCount, typename T>
__device__ __forceinline__ Parts<kCount> parts_of(const T& value) {
  if constexpr (sizeof(T) < 4) {
    return {{value}};
  } else {
    return __builtin_bit_cast(Parts<kCount>, value);
  }
}

// The value of such registers.
template <typename T, int kCount>
__device__ __forceinline__ T value_of_parts(const Parts<kCount>& value_parts) {
  if constexpr (sizeof(T) < 4) {
    return static_cast<T>(value_parts.part[0]);
  } else {
    // An unqualified bits_as may be that of another version, if its headers are included too.
    return __builtin_bit_cast(T, value_parts);
  }
}

// Whether the first kCount 32-bit parts of one, the lowest first, are a smaller number than those of the other.
template <int kCount, int kAll>
__device__ __forceinline__ bool is_less(const Parts<kAll>& a, const Parts<kAll>& b) {
  if constexpr (kCount == 1) {
    return a.part[0] < b.part[0];
  } else {
    const unsigned long long upper_a = static_cast<unsigned long long>(a.part[kCount - 1]) << 32 | a.part[kCount - 2];
    const unsigned long long upper_b = static_cast<unsigned long long>(b.part[kCount - 1]) << 32 | b.part[kCount - 2];
    if constexpr (kCount == 2) {
      return upper_a < upper_b;  //~ two-words-compared
    } else {
      return (upper_a < upper_b) | ((upper_a == upper_b) & is_less<kCount - 2>(a, b));  //~ lower-words-compared
    }
  }
}

// The one or the other by a condition.
template <int kAll>
__device__ __forceinline__ Parts<kAll> either(bool is_one, const Parts<kAll>& one, const Parts<kAll>& other) {
  Parts<kAll> chosen;
#pragma unroll
  for (int i = 0; i < kAll; ++i) chosen.part[i] = is_one ? one.part[i] : other.part[i];
  return chosen;
}

// The one or the other by a mask of ones or of zeros. Compilers make branches of many choices by one condition, with shuffles on
// either side, but not of these.
template <int kAll>
__device__ __forceinline__ Parts<kAll> blended(unsigned int mask, const Parts<kAll>& one, const Parts<kAll>& other) {
  Parts<kAll> blended;
#pragma unroll
  for (int i = 0; i < kAll; ++i) blended.part[i] = (one.part[i] & mask) | (other.part[i] & ~mask);
  return blended;
}

// What lanes exchange with the lanes of numbers that differ in these bits, and what they get from lanes of these numbers. All lanes of
// the warp call these together.
template <int kAll>
__device__ __forceinline__ Parts<kAll> across(const Parts<kAll>& item, int bits) {
  Parts<kAll> got;
#pragma unroll
  for (int i = 0; i < kAll; ++i) got.part[i] = __shfl_xor_sync(~0u, item.part[i], bits);
  return got;
}

template <int kAll>
__device__ __forceinline__ Parts<kAll> from_lane(const Parts<kAll>& item, unsigned int lane) {
  Parts<kAll> got;
#pragma unroll
  for (int i = 0; i < kAll; ++i) got.part[i] = __shfl_sync(~0u, item.part[i], lane);
  return got;
}
