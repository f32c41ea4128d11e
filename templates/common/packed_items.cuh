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
  // Sets the last of kOf items, and moves those that were set last to before them. All are multiples of the items in a register.
  template <int kOf, int kNew>
  __device__ __forceinline__ void push(const unsigned int (&numbers)[kNew]) {
    static_assert(kOf % kEach == 0 && kNew % kEach == 0 && kNew <= kOf && kOf <= kItems, "registers are full");
#pragma unroll
    for (int i = 0; i < (kOf - kNew) / kEach; ++i) words[i] = words[i + kNew / kEach];
#pragma unroll
    for (int i = 0; i < kNew; ++i) set(kOf - kNew + i, numbers[i]);
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
