// Small numbers of a thread's items, several in a register. Indices are constants of unrolled loops.
template <int kItems, int kBitsEach>
struct PackedItems {
  static constexpr int kEach = 32 / kBitsEach;
  static constexpr unsigned int kMask = (1u << kBitsEach) - 1u;
  unsigned int words[(kItems + kEach - 1) / kEach];

  // Items are set in ascending order.
  __device__ __forceinline__ void set(int item, unsigned int number) {
    const int shift = item % kEach * kBitsEach;
    words[item / kEach] = shift ? words[item / kEach] | number << shift : number;
  }
  __device__ __forceinline__ unsigned int get(int item) const {
    return words[item / kEach] >> (item % kEach * kBitsEach) & kMask;
  }
};
