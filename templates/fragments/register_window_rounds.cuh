  // Sorts the register windows that begin at each thread's first offset, then merges their halves: in odd rounds of those that begin
  // half as many offsets later, in even ones of these. A sub-bucket that reaches into two halves is sorted by the first merge, one that
  // reaches into more by as many rounds at most; a round that finds all in order is the last one. All threads call it; barriers
  // lie within and at the end.
  template <typename Windows>
  static __device__ __forceinline__ void sort_register_windows(unsigned int* keys, unsigned int size, unsigned int max_count) {
    const unsigned int first = threadIdx.x * (2 * Windows::kHalf);
    if (first < size) Windows::template sort<true>(keys, first);
    __syncthreads();
    const unsigned int halves = max_count <= Windows::kSmallSubBucket ? 2 : Windows::halves_of(max_count);
    bool is_sorted = false;
    for (unsigned int round = 1; round < halves && !is_sorted; ++round) {  //~ rounds-of-register-windows
      const unsigned int start = first + round % 2 * Windows::kHalf;  //~ alternating-halves
      const bool is_wrong = start + Windows::kHalf < size && !Windows::halves_are_in_order(keys, start);
      if (is_wrong) Windows::template sort<false>(keys, start);
      is_sorted = !__syncthreads_or(is_wrong);
    }
  }
