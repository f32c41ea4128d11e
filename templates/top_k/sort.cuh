  // Items of the buffer that a warp sorts in registers.
  static constexpr unsigned int kRunItems = 64;

  // Sorts the buffer by bits and, among equal ones, by positions: a bitonic network of ascending comparators. Comparators of items of one run
  // are a warp's own, in registers. Behind the end of the buffer it has items that are greater than all others; no comparator moves
  // them, so they are not there. The caller has passed a barrier behind the last write to the buffer. It ends with a barrier.
  __device__ __forceinline__ void sort() {
    sort_runs<false>();
    __syncthreads();
    for (unsigned int half = kRunItems; half < count_; half *= 2) {
      // Two sorted runs are merged: the first comparators are between the upper run's items and the lower's in reverse.
      for (unsigned int distance = half; distance >= kRunItems; distance /= 2) {
        for (unsigned int pair = thread_; 2 * (pair - pair % half) < count_; pair += kBlockThreads) {
          const unsigned int low = pair / distance * distance + pair;
          const unsigned int high = distance == half ? low ^ (2 * half - 1) : low + distance;  //~ mirrored-item
          if (high < count_) order(low, high);  //~ items-that-are-there
        }
        __syncthreads();
      }
      sort_runs<true>();
      __syncthreads();
    }
  }

  // Sorts each run of the buffer, where they are bitonic by comparators of halves alone.
  template <bool kAreBitonic>
  __device__ __forceinline__ void sort_runs() {
    for (unsigned int run = warp_of(thread_) * kRunItems; run < count_; run += kWarps * kRunItems) {
      Limbs<kBitsLimbs + 1> items[2];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const unsigned int slot = run + 2 * lane_ + i;
        const bool is_item = slot < count_;
        const Bits bits_or_padding = is_item ? storage_.bits[slot] : static_cast<Bits>(~Bits(0));
        const Limbs<kBitsLimbs> bits = limbs_of<kBitsLimbs>(bits_or_padding);
        items[i].limb[0] = is_item ? storage_.positions[slot] : ~0u;  //~ position-in-run
#pragma unroll
        for (int limb = 0; limb < kBitsLimbs; ++limb) items[i].limb[limb + 1] = bits.limb[limb];
      }
      if constexpr (kAreBitonic) {
        halve_in_warp(items, 32);
      } else {
        sort_in_warp(items);
      }
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const unsigned int slot = run + 2 * lane_ + i;
        if (slot >= count_) continue;
        Limbs<kBitsLimbs> bits;
#pragma unroll
        for (int limb = 0; limb < kBitsLimbs; ++limb) bits.limb[limb] = items[i].limb[limb + 1];
        storage_.bits[slot] = value_of_limbs<Bits>(bits);
        storage_.positions[slot] = items[i].limb[0];
      }
    }
  }

  // Puts two items of the buffer in order.
  __device__ __forceinline__ void order(unsigned int low, unsigned int high) {
    const Bits low_bits = storage_.bits[low];
    const Bits high_bits = storage_.bits[high];
    const unsigned int low_position = storage_.positions[low];
    const unsigned int high_position = storage_.positions[high];
    if (high_bits < low_bits || (high_bits == low_bits && high_position < low_position)) {  //~ order-of-items
      storage_.bits[low] = high_bits;
      storage_.bits[high] = low_bits;
      storage_.positions[low] = high_position;
      storage_.positions[high] = low_position;
    }
  }
