// The slots of a tile's positions in an array of shared memory: the positions themselves.
struct DenseSlots {
  static __device__ __forceinline__ unsigned int of(unsigned int position) { return position; }
  static __host__ __device__ constexpr unsigned int count(unsigned int items) { return items; }

  // The slot a number of steps behind a position.
  template <unsigned int kStep>
  static __device__ __forceinline__ unsigned int of_step(unsigned int from, unsigned int steps) {
    return from + steps * kStep;
  }

  // The slot of a run's item i.
  template <unsigned int kLength>
  static __device__ __forceinline__ unsigned int of_run(unsigned int start, unsigned int i) {
    return start + i;
  }
};
