// The slots of a tile's positions in an array of shared memory. kGap slots are left out after every kPeriod, so that threads
// that read or write their own neighbouring items do not meet in a bank.
template <unsigned int kPeriod, unsigned int kGap>
struct GappedSlots {
  static __device__ __forceinline__ unsigned int of(unsigned int position) {
    return position + position / kPeriod * kGap;  //~ padded-slot
  }

  // Slots of an array that holds `items` items.
  static __host__ __device__ constexpr unsigned int count(unsigned int items) { return items + (items - 1) / kPeriod * kGap; }

  // The slot a number of steps behind a position. Steps over complete gaps are all as long.
  template <unsigned int kStep>
  static __device__ __forceinline__ unsigned int of_step(unsigned int from, unsigned int steps) {
    if constexpr (kStep % kPeriod == 0) return of(from) + steps * of(kStep);  //~ step-over-gaps
    return of(from + steps * kStep);
  }

  // The slot of a run's item i, of runs of kLength items that follow each other from the tile's beginning. Runs that divide
  // what is between two gaps have none within.
  template <unsigned int kLength>
  static __device__ __forceinline__ unsigned int of_run(unsigned int start, unsigned int i) {
    if constexpr (kPeriod % kLength == 0) return of(start) + i;
    return of(start + i);
  }
};
