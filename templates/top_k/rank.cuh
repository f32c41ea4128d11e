  // Items that a warp ranks at once.
  static constexpr unsigned int kRankedAtOnce = kBitsLimbs > 2 ? 2 : 4;
  // Lists that a warp loads at once, and how many of each list's items a lane then loads.
  static constexpr unsigned int kListsAtOnce = 8 / kBitsLimbs;
  static constexpr unsigned int kListItems = 3;

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

  // Loads this lane's items of a list, from the item `first` on.
  template <unsigned int kItems>
  __device__ __forceinline__ void load_list(const Bits* list, unsigned int first, unsigned int count, Bits (&bits)[kItems]) const {
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      const unsigned int item = first + i * 32 + lane_;
      bits[i] = 0;
      if (item < count) bits[i] = list[item];
    }
  }

  // Stores them where the list begins among all survivors.
  template <unsigned int kItems>
  __device__ __forceinline__ void store_list(unsigned int begin, unsigned int first, unsigned int count, const Bits (&bits)[kItems]) {
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      const unsigned int item = first + i * 32 + lane_;
      Bits* const ranked = storage_.bits;
      if (item < count) ranked[begin + item] = bits[i];
    }
  }

  // Loads the survivors' bits, in the order of their positions. The caller passes a barrier. All loads of a step are under way before its first
  // store, which loads could not pass.
  __device__ __forceinline__ void load_survivors(const Survivors& survivors, unsigned int k, unsigned int total) {
    bool has_long_lists = false;
    for (unsigned int first = warp_of(thread_); first < survivors.chunks; first += kListsAtOnce * kWarps) {
      unsigned int begins[kListsAtOnce];
      unsigned int counts[kListsAtOnce];
      Bits bits[kListsAtOnce][kListItems];
#pragma unroll
      for (unsigned int i = 0; i < kListsAtOnce; ++i) {
        const unsigned int list = first + i * kWarps;
        begins[i] = begin_of_list(survivors, list, total);
        counts[i] = begin_of_list(survivors, list + 1, total) - begins[i];
        load_list(survivors.bits + static_cast<unsigned long long>(list) * k, 0, counts[i], bits[i]);
      }
#pragma unroll
      for (unsigned int i = 0; i < kListsAtOnce; ++i) {
        store_list(begins[i], 0, counts[i], bits[i]);
        has_long_lists |= counts[i] > 32 * kListItems;
      }
    }
    if (has_long_lists) load_long_lists(survivors, k, total);
  }

  // Loads what is behind the items of each list that are loaded with other lists' items.
  __device__ __forceinline__ void load_long_lists(const Survivors& survivors, unsigned int k, unsigned int total) {
    constexpr unsigned int kItems = 8 / kBitsLimbs;
#pragma unroll 1
    for (unsigned int list = warp_of(thread_); list < survivors.chunks; list += kWarps) {
      const unsigned int begin = begin_of_list(survivors, list, total);
      const unsigned int count = begin_of_list(survivors, list + 1, total) - begin;
#pragma unroll 1
      for (unsigned int first = 32 * kListItems; first < count; first += 32 * kItems) {  //~ long-lists
        Bits bits[kItems];
        load_list(survivors.bits + static_cast<unsigned long long>(list) * k, first, count, bits);
        store_list(begin, first, count, bits);
      }
    }
  }

  // How many survivors there are before a list; of lists that are not there, all.
  __device__ __forceinline__ unsigned int begin_of_list(const Survivors& survivors, unsigned int list, unsigned int total) const {
    return list < survivors.chunks ? storage_.bin_counts[list] : total;
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
                                               unsigned int begin, unsigned int end, Key* keys_out, {% if found.is_more %}const Output& output{% else %}unsigned int* positions_out{% endif %}) {
    const Bits* const ranked = storage_.bits;
    for (unsigned int first = begin + warp_of(thread_) * kRankedAtOnce; first < end; first += kWarps * kRankedAtOnce) {
      Bits own[kRankedAtOnce];
      unsigned int before[kRankedAtOnce];
#pragma unroll
      for (unsigned int i = 0; i < kRankedAtOnce; ++i) {
        own[i] = ranked[first + i < total ? first + i : first];
        before[i] = 0;
      }
      // Equal items come before where they are at lower positions.
#pragma unroll 4
      for (unsigned int slot = lane_; slot < first; slot += 32) {
        const Bits other = ranked[slot];
#pragma unroll
        for (unsigned int i = 0; i < kRankedAtOnce; ++i) before[i] += other <= own[i] ? 1u : 0u;  //~ rank-of-later-tie
      }
      const unsigned int near = first + lane_;
      if (near < total) {
        const Bits other = ranked[near];
#pragma unroll
        for (unsigned int i = 0; i < kRankedAtOnce; ++i) {
          before[i] += other < own[i] || (other == own[i] && near < first + i) ? 1u : 0u;  //~ rank-of-tie
        }
      }
#pragma unroll 4
      for (unsigned int slot = near + 32; slot < total; slot += 32) {
        const Bits other = ranked[slot];
#pragma unroll
        for (unsigned int i = 0; i < kRankedAtOnce; ++i) before[i] += other < own[i] ? 1u : 0u;
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
        {% if found.is_more %}output.write(rank, position){% else %}positions_out[rank] = position{% endif %};
        if (keys_out) keys_out[rank] = row[position];
      }
    }
  }

  // Loads the survivors, in the order of their positions. The caller passes a barrier. All loads of a step are under way before its first store,
  // which loads could not pass.
  __device__ __forceinline__ void load_survivors_to_buffer(const Survivors& survivors, unsigned int k, unsigned int total) {
    constexpr int kItems = 8 / kBitsLimbs;
#pragma unroll 1
    for (unsigned int start = 0; start < total; start += kBlockThreads * kItems) {
      Bits own_bits[kItems];
      unsigned int own_positions[kItems];
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        const unsigned int slot = start + i * kBlockThreads + thread_;
        own_bits[i] = 0;
        own_positions[i] = 0;
        if (slot < total) {
          const unsigned int list = list_of(slot, survivors.chunks);
          const unsigned long long item = static_cast<unsigned long long>(list) * k + (slot - storage_.bin_counts[list]);
          own_bits[i] = survivors.bits[item];
          own_positions[i] = survivors.positions[item];
        }
      }
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        const unsigned int slot = start + i * kBlockThreads + thread_;
        if (slot < total) {
          storage_.bits[slot] = own_bits[i];
          storage_.positions[slot] = own_positions[i];
        }
      }
    }
    count_ = total;
  }

  // Writes the first k of the survivors, which are at least as many and at most kBufferItems: sorted, or in the order of their positions. The
  // storage may be used for another row at once: it is not written there before the next barrier, but by a thread that has read there.
  __device__ __forceinline__ void select_survivors(const Key* row, const Survivors& survivors, unsigned int k, unsigned int total, bool sorted,
                                                   Key* keys_out, {% if found.is_more %}const Output& output{% else %}unsigned int* positions_out{% endif %}) {
    load_survivors_to_buffer(survivors, k, total);
    __syncthreads();
    if (total > k) keep_first(k);  //~ more-survivors
    __syncthreads();
    if (sorted) sort();
    write_first(row, k, keys_out, {% if found.is_more %}output{% else %}positions_out{% endif %});
  }
