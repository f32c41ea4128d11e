  // Of the first `count` items of two merged runs of an array, how many are of the first run: items_of_first_run for long runs, by all
  // lanes of a warp, which call it together. Each takes one of 32 probes that divide what is left, so that a few loads follow each other,
  // where a search by halves waits for memory some twenty times.
  static __device__ __forceinline__ unsigned long long split_of(const Key* first_run, unsigned long long first_items, const Key* second_run,
                                                                unsigned long long second_items, unsigned long long count, Bits mask) {
    const unsigned int lane = lane_of(threadIdx.x);
    unsigned long long least = count > second_items ? count - second_items : 0;
    unsigned long long most = count < first_items ? count : first_items;
    while (least < most) {
      const unsigned long long step = (most - least + kWarpThreads - 1) / kWarpThreads;
      const unsigned long long probe = least + (lane + 1) * step - 1;  //~ probe
      const bool is_of_first = probe < most && !is_less(to_ordered_bits(second_run[count - 1 - probe]), to_ordered_bits(first_run[probe]), mask);  //~ far-diagonal
      // Items of the first run come first up to some probe.
      least += __popc(__ballot_sync(~0u, is_of_first)) * step;  //~ next-probes
      most = least + step - 1 < most ? least + step - 1 : most;
    }
    return least;
  }
