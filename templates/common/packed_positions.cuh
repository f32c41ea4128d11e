// Positions below 65,536 of a thread's items, two in a register. Indices are constants of unrolled loops.
template <int kItems>
struct PackedPositions {
  unsigned int words[(kItems + 1) / 2];

  __device__ __forceinline__ void set(int item, unsigned int position) {
    words[item / 2] = item % 2 ? words[item / 2] | position << 16 : position;
  }
  // The sum stays below 65,536.
  __device__ __forceinline__ void add(int item, unsigned int offset) {
    words[item / 2] += item % 2 ? offset << 16 : offset;
  }
  __device__ __forceinline__ unsigned int get(int item) const {
    return item % 2 ? words[item / 2] >> 16 : words[item / 2] & 0xffffu;
  }
};
