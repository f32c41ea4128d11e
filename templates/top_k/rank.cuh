  // Items that a warp ranks at once.
  static constexpr unsigned int kRankedAtOnce = 2;
  // Lists that a warp loads at once.
  static constexpr unsigned int kListsAtOnce = 8;

  // Where a row's survivors are: the lists of its chunks, each of which has room for k items.
  struct Survivors {
    const Bits* bits;
    const unsigned int* positions;
    const unsigned int* counts;
    unsigned int chunks;
  };

  // Survivors that a block has room for.
  static constexpr unsigned int kMaxRanked = kBufferItems * (sizeof(Bits) + 4) / sizeof(Bits);

  // Adds up the lists' counts: bin_counts[i] is how many survivors there are before list i. Returns how many there are. It ends with a barrier.
  __device__ __forceinline__ unsigned int count_survivors(const Survivors& survivors) {
    unsigned int total = 0;
#pragma unroll 1
    for (unsigned int first = 0; first < survivors.chunks; first += kBlockThreads) {
      const unsigned int list = first + thread_;
      const unsigned int count = list < survivors.chunks ? survivors.counts[list] : 0;
      const unsigned int inclusive = inclusive_sum_in_warp(count, ~0u);
      unsigned int of_lists;
      const unsigned int before = sum_of_warps_below(__shfl_sync(~0u, inclusive, 31), of_lists);
      if (list < survivors.chunks) storage_.bin_counts[list] = total + before + inclusive - count;
      total += of_lists;
    }
    __syncthreads();
    return total;
  }

  // Loads the survivors' bits, in the order of their positions. The caller passes a barrier.
  __device__ __forceinline__ void load_survivors(const Survivors& survivors, unsigned int k, unsigned int total) {
    Bits* const ranked = storage_.bits;
    // A warp loads some lists at once: what is stored would otherwise keep the next list's bounds from being read.
    for (unsigned int first = warp_of(thread_); first < survivors.chunks; first += kListsAtOnce * kWarps) {
      unsigned int begins[kListsAtOnce];
      unsigned int counts[kListsAtOnce];
      Bits bits[kListsAtOnce];
#pragma unroll
      for (unsigned int i = 0; i < kListsAtOnce; ++i) {
        const unsigned int list = first + i * kWarps;
        begins[i] = list < survivors.chunks ? storage_.bin_counts[list] : total;
        const unsigned int end = list + 1 < survivors.chunks ? storage_.bin_counts[list + 1] : total;
        counts[i] = end - begins[i];
        bits[i] = 0;
        if (lane_ < counts[i]) bits[i] = survivors.bits[static_cast<unsigned long long>(list) * k + lane_];
      }
#pragma unroll
      for (unsigned int i = 0; i < kListsAtOnce; ++i) {
        if (lane_ < counts[i]) ranked[begins[i] + lane_] = bits[i];
        const Bits* const of_list = survivors.bits + static_cast<unsigned long long>(first + i * kWarps) * k;
#pragma unroll 4
        for (unsigned int item = 32 + lane_; item < counts[i]; item += 32) ranked[begins[i] + item] = of_list[item];
      }
    }
  }

  // Which list has a survivor.
  __device__ __forceinline__ unsigned int list_of(unsigned int slot, unsigned int chunks) const {
    unsigned int list = 0;
    unsigned int beyond = chunks;
    while (beyond - list > 1) {
      const unsigned int middle = (list + beyond) / 2;
      if (storage_.bin_counts[middle] <= slot) {  //~ list-of-slot
        list = middle;
      } else {
        beyond = middle;
      }
    }
    return list;
  }

  // Writes those of the survivors begin .. end that are among the first k, each where its rank says. The storage may be used for another row
  // at once: bits and counts are not written there before the next barrier.
  __device__ __forceinline__ void write_ranked(const Key* row, const Survivors& survivors, unsigned int k, unsigned int total,
                                               unsigned int begin, unsigned int end, Key* keys_out, unsigned int* positions_out) {
    const Bits* const ranked = storage_.bits;
    for (unsigned int first = begin + warp_of(thread_) * kRankedAtOnce; first < end; first += kWarps * kRankedAtOnce) {
      Bits own[kRankedAtOnce];
      unsigned int before[kRankedAtOnce];
#pragma unroll
      for (unsigned int i = 0; i < kRankedAtOnce; ++i) {
        own[i] = ranked[first + i < total ? first + i : first];
        before[i] = 0;
      }
#pragma unroll 4
      for (unsigned int slot = lane_; slot < total; slot += 32) {
        const Bits other = ranked[slot];
#pragma unroll
        for (unsigned int i = 0; i < kRankedAtOnce; ++i) {
          before[i] += other < own[i] || (other == own[i] && slot < first + i) ? 1u : 0u;  //~ rank-of-tie
        }
      }
      unsigned int rank = 0;
#pragma unroll
      for (unsigned int i = 0; i < kRankedAtOnce; ++i) {
        const unsigned int sum = __shfl_sync(~0u, inclusive_sum_in_warp(before[i], ~0u), 31);
        if (lane_ == i) rank = sum;
      }
      const unsigned int slot = first + lane_;
      if (lane_ < kRankedAtOnce && slot < end && rank < k) {  //~ first-ranks
        const unsigned int list = list_of(slot, survivors.chunks);
        const unsigned int position = survivors.positions[static_cast<unsigned long long>(list) * k + (slot - storage_.bin_counts[list])];
        positions_out[rank] = position;
        if (keys_out) keys_out[rank] = row[position];
      }
    }
  }
