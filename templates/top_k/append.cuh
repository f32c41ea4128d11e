  // Rows of at least as many tiles are sampled.
  static constexpr unsigned long long kSampledTiles = 8;
  // Neighbouring items of a sample: a sector of memory or more.
  static constexpr unsigned int kSampleRun = 8;

  // The lanes of the warp below this one.
  __device__ __forceinline__ unsigned int lanes_below() const { return (1u << lane_of(thread_)) - 1; }

  template <bool kHasCandidates>
  static __device__ __forceinline__ unsigned int position_of(const Items& items, unsigned long long item) {
    return kHasCandidates ? items.candidates[item] : static_cast<unsigned int>(item);
  }

  static __device__ __forceinline__ Bits load_bits(const Items& items, unsigned int position) {
    return compared_bits(to_ordered_bits(items.keys[position]));
  }

  // Sets the limit to the last of the first k keys of a sample, which is a tile of runs from all over the items: k keys
  // are not worse than that. The buffer is empty, and is empty again.
  template <bool kHasCandidates>
  __device__ __forceinline__ void limit_by_sample(const Items& items, unsigned int k) {
    const unsigned long long distance = (items.end - items.begin) / (kTileItems / kSampleRun);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int slot = i * kBlockThreads + thread_;
      const unsigned long long item = items.begin + slot / kSampleRun * distance + slot % kSampleRun;
      storage_.bits[slot] = load_bits(items, position_of<kHasCandidates>(items, item));
    }
    count_ = kTileItems;
    limit_ = select(k).bound;
    count_ = 0;
  }

  // The sum of a value, which is the same in all lanes of a warp, over the warps below this one; `total` becomes that of
  // all. One barrier.
  __device__ __forceinline__ unsigned int sum_of_warps_below(unsigned int value, unsigned int& total) {
    unsigned int(&totals)[kWarps] = storage_.warp_totals[parity_];
    parity_ ^= 1;  //~ alternate-totals
    if (lane_of(thread_) == 0) totals[warp_of(thread_)] = value;
    __syncthreads();
    // Each warp adds them up by itself, a lane for each warp.
    const unsigned int of_warp = lane_of(thread_) < kWarps ? totals[lane_of(thread_)] : 0;
    const unsigned int inclusive = inclusive_sum_in_warp(of_warp, ~0u);
    total = __shfl_sync(~0u, inclusive, 31);
    return __shfl_sync(~0u, inclusive - of_warp, warp_of(thread_));
  }

  // Appends the survivors of a tile to the buffer, which has room for all of it, in the order of their positions. They are
  // there behind the next barrier.
  template <bool kHasCandidates>
  __device__ __forceinline__ void append(const Items& items, unsigned long long start) {
    const unsigned long long rest = items.end - start;
    const unsigned int tile_items = rest < kTileItems ? static_cast<unsigned int>(rest) : kTileItems;  //~ items-of-tile
    Bits bits[kItemsPerThread];
    unsigned int positions[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      // Past the end the last item is read again, so that no load waits for a branch.
      const unsigned int item = warp_striped<kItemsPerThread>(thread_, i);
      positions[i] = position_of<kHasCandidates>(items, start + (item < tile_items ? item : tile_items - 1));
      bits[i] = load_bits(items, positions[i]);
    }
    unsigned int slots[kItemsPerThread];
    unsigned int survivors = 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const bool survives = warp_striped<kItemsPerThread>(thread_, i) < tile_items && bits[i] <= limit_;  //~ survivor
      const unsigned int lanes = __ballot_sync(~0u, survives);
      slots[i] = survives ? survivors + __popc(lanes & lanes_below()) : kNoSlot;  //~ slot-of-survivor
      survivors += __popc(lanes);
    }
    unsigned int total;
    const unsigned int first = count_ + sum_of_warps_below(survivors, total);
    if (survivors > 0) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        if (slots[i] != kNoSlot) {
          storage_.bits[first + slots[i]] = bits[i];
          storage_.positions[first + slots[i]] = positions[i];
        }
      }
    }
    count_ += total;
  }
