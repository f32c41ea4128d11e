// Small numbers of a thread's items, several in a register. Indices are constants of unrolled loops.
template <int kItems, int kBitsEach>
struct PackedItems {
  static constexpr int kEach = 32 / kBitsEach;
  static constexpr unsigned int kMask = (1u << kBitsEach) - 1u;
  unsigned int words[(kItems + kEach - 1) / kEach];

  // The first time, items are set in ascending order.
  __device__ __forceinline__ void set(int item, unsigned int number) {
    const int shift = item % kEach * kBitsEach;
    words[item / kEach] = shift ? words[item / kEach] | number << shift : number;
  }
  // Sets an item that has been set before.
  __device__ __forceinline__ void replace(int item, unsigned int number) {
    const int shift = item % kEach * kBitsEach;
    words[item / kEach] = (words[item / kEach] & ~(kMask << shift)) | number << shift;
  }
  __device__ __forceinline__ unsigned int get(int item) const {
    return words[item / kEach] >> (item % kEach * kBitsEach) & kMask;
  }
};
