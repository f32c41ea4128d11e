  // Sorts the tile from one arrangement to another. A digit is all of a key, and keys of one digit are alike. So any number among
  // them will do for a key, as an atomic gives it.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void sort(Keys& keys, int, int, unsigned int valid_items) {
    unsigned int (&counts)[kBins] = storage_.rank.counts;
    for (unsigned int bin = thread_; bin < kBins; bin += kBlockThreads) counts[bin] = 0;  //~ cleared-counts
    __syncthreads();
    BitsItems bits;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) bits[i] = to_ordered_bits(keys[i]);
    if (valid_items < kTileItems) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        // All bits are set: the maximum, and keys that are alike come out alike.
        if (position<kFrom>(i) >= valid_items) bits[i] = kAllBits;  //~ valid-items
      }
    }
    Positions positions;
    // Lanes that meet at one counter add one after the other. Where the warp's first key is that of many, they are counted together.
    const unsigned int frequent = __shfl_sync(~0u, static_cast<unsigned int>(bits[0]), 0);
    if (__popc(__ballot_sync(~0u, bits[0] == frequent)) >= kHeavyLanes) {
      count_heavy_hitter(bits, frequent, counts, positions);
    } else {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) positions[i] = atomicAdd(&counts[bits[i]], 1u);  //~ rank-by-count
    }
    __syncthreads();
    make_offsets(counts);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) positions[i] += counts[bits[i]];
    // The exchange takes the bytes of the counts.
    if constexpr (kOverlaps) __syncthreads();
    items_to_shared(bits, positions);
    __syncthreads();
    shared_to_items<kTo>(bits);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) keys[i] = to_key(bits[i]);
  }

  // The least number of lanes of 32 at one counter that is worth ballots.
  static constexpr int kHeavyLanes = 8;

  // Numbers a warp's keys, all that are `frequent` by one atomic.
  __device__ __forceinline__ void count_heavy_hitter(const BitsItems& bits, unsigned int frequent, unsigned int (&counts)[kBins],
                                                     Positions& positions) {
    const unsigned int lane = lane_of(thread_);
    const unsigned int lanes_below = (1u << lane) - 1u;  //~ lanes-below
    unsigned int heavy_keys = 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int heavy = __ballot_sync(~0u, bits[i] == frequent);
      positions[i] = bits[i] == frequent ? heavy_keys + __popc(heavy & lanes_below) : atomicAdd(&counts[bits[i]], 1u);
      heavy_keys += __popc(heavy);
    }
    unsigned int before = 0;
    if (lane == 0) before = atomicAdd(&counts[frequent], heavy_keys);
    before = __shfl_sync(~0u, before, 0);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      if (bits[i] == frequent) positions[i] += before;
    }
  }

  // Makes each bin's count the position in the tile of its first key.
  __device__ __forceinline__ void make_offsets(unsigned int (&counts)[kBins]) {
    constexpr unsigned int kThreadBins = (kBins + kBlockThreads - 1) / kBlockThreads;
    const unsigned int first = thread_ * kThreadBins;
    unsigned int own[kThreadBins];
    unsigned int sum = 0;
#pragma unroll
    for (unsigned int b = 0; b < kThreadBins; ++b) {
      own[b] = first + b < kBins ? counts[first + b] : 0;
      sum += own[b];
    }
    unsigned int total;
    unsigned int start = BlockScan::exclusive_sum(storage_.rank.scan, thread_, sum, total);  //~ start-of-a-thread
#pragma unroll
    for (unsigned int b = 0; b < kThreadBins; ++b) {
      if (first + b < kBins) counts[first + b] = start;
      start += own[b];
    }
  }
