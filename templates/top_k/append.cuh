  // Rows of at least as many tiles are sampled.
  static constexpr unsigned long long kSampledTiles = 4;
  // Neighbouring items of a sample: a sector of memory or more.
  static constexpr unsigned int kSampleRun = 8;

  // The lanes of the warp below this one.
  __device__ __forceinline__ unsigned int lanes_below() const { return (1u << lane_) - 1; }

  template <bool kHasCandidates>
  static __device__ __forceinline__ unsigned int position_of(const Items& items, unsigned long long item) {
    return kHasCandidates ? items.candidates[item] : static_cast<unsigned int>(item);
  }

  // The key of an item of a tile. Without candidates it is a constant distance from others.
  template <bool kHasCandidates>
  static __device__ __forceinline__ Key key_at(const Items& items, const Key* tile, unsigned long long start, unsigned int item) {
    if constexpr (kHasCandidates) {
      return items.keys[items.candidates[start + item]];
    } else {
      return tile[item];
    }
  }

  static __device__ __forceinline__ Bits bits_of(Key key) { return compared_bits(to_ordered_bits(key)); }

  // How many keys of a sample are expected among the first k of the items, and some more: hardly any sample has as many there, also where
  // neighbours are alike. At most k.
  static __device__ __forceinline__ unsigned int expected_in_sample(const Items& items, unsigned int k) {
    const float expected = static_cast<float>(k) * kTileItems / static_cast<float>(items.end - items.begin);
    const unsigned int most = static_cast<unsigned int>(expected + 4 * sqrtf(expected)) + kSampleRun;
    return most < k ? most : k;
  }

  // Sets the limit to the last of the first `rank` keys of a sample, which is a tile of runs from all over the items: as many keys
  // are not worse than that. The buffer is empty, and is empty again.
  template <bool kHasCandidates>
  __device__ __forceinline__ void limit_by_sample(const Items& items, unsigned int rank) {
    const unsigned long long distance = (items.end - items.begin) / (kTileItems / kSampleRun);
#pragma unroll 2
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int slot = i * kBlockThreads + thread_;
      const unsigned long long item = items.begin + slot / kSampleRun * distance + slot % kSampleRun;
      storage_.bits[slot] = bits_of(items.keys[position_of<kHasCandidates>(items, item)]);
    }
    count_ = kTileItems;
    limit_ = select(rank).bound;
    count_ = 0;
  }

  // The sum of a value, which is the same in all lanes of a warp, over the warps below this one; `total` becomes that of
  // all. One barrier.
  __device__ __forceinline__ unsigned int sum_of_warps_below(unsigned int value, unsigned int& total) {
    unsigned int(&totals)[kWarps] = storage_.warp_totals[parity_];
    parity_ ^= 1;  //~ alternate-totals
    if (lane_ == 0) totals[warp_of(thread_)] = value;
    __syncthreads();
    // Each warp adds them up by itself, a lane for each warp.
    const unsigned int of_warp = lane_ < kWarps ? totals[lane_] : 0;
    const unsigned int inclusive = inclusive_sum_in_warp(of_warp, ~0u);
    total = __shfl_sync(~0u, inclusive, 31);
    return __shfl_sync(~0u, inclusive - of_warp, warp_of(thread_));
  }

  // The items of the tile that begins there. The next tile begins where loads of vectors may; the last one has what is left.
  static __device__ __forceinline__ unsigned int tile_items_of(const Items& items, unsigned long long start) {
    const unsigned long long key = reinterpret_cast<unsigned long long>(items.keys) / sizeof(Key) + start;
    const unsigned int aligned = kTileItems - static_cast<unsigned int>(key % kVectorItems);  //~ aligned-tiles
    const unsigned long long rest = items.end - start;
    return rest < aligned ? static_cast<unsigned int>(rest) : aligned;  //~ items-of-tile
  }

  // Which item of a tile this thread's item i is: a warp has neighbouring ones, and its vectors lie side by side.
  __device__ __forceinline__ unsigned int item_of(int i) const {
    return warp_of(thread_) * (kWarpThreads * kItemsPerThread) + (i / kVectorItems * kWarpThreads + lane_) * kVectorItems + i % kVectorItems;
  }

  // Loads this thread's keys of a tile.
  template <bool kHasCandidates>
  __device__ __forceinline__ void load_tile(const Items& items, unsigned long long start, unsigned int tile_items,
                                            Key (&keys)[kItemsPerThread]) const {
    if (!kHasCandidates && tile_items == kTileItems) {  //~ tiles-of-vectors
#pragma unroll
      for (int i = 0; i < kItemsPerThread; i += kVectorItems) {
        const KeyVector vector = *reinterpret_cast<const KeyVector*>(items.keys + start + item_of(i));
#pragma unroll
        for (int j = 0; j < kVectorItems; ++j) keys[i + j] = vector.keys[j];
      }
    } else {
      // In place of items past the end it has the first one. A load may lie behind a predicate; none waits for a branch.
      const Key first = items.keys[position_of<kHasCandidates>(items, start)];
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        keys[i] = first;
        if (item_of(i) < tile_items) keys[i] = key_at<kHasCandidates>(items, items.keys + start, start, item_of(i));  //~ item-in-tile
      }
    }
  }

  // Appends the survivors of a tile, of which this thread has these keys, to the buffer, which has room for all of it, in the order of
  // their positions. They are there behind the next barrier.
  template <bool kHasCandidates>
  __device__ __forceinline__ void append(const Items& items, unsigned long long start, unsigned int tile_items,
                                         const Key (&keys)[kItemsPerThread]) {
    // A bit for each of this thread's items.
    unsigned int mask = 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const bool survives = item_of(i) < tile_items && bits_of(keys[i]) <= limit_;  //~ survivor
      mask |= survives ? 1u << i : 0u;
    }
    PackedItems<kVectors, 8> before, totals;
    unsigned int survivors = 0;
    const bool has_survivors = __any_sync(~0u, mask != 0);
    if (has_survivors) survivors = count_beside(mask, before, totals);
    unsigned int total;
    unsigned int first = count_ + sum_of_warps_below(survivors, total);
    if (has_survivors) {
#pragma unroll
      for (int vector = 0; vector < kVectors; ++vector) {
        unsigned int slot = first + before.get(vector);
        first += totals.get(vector);
#pragma unroll
        for (int i = vector * kVectorItems; i < (vector + 1) * kVectorItems; ++i) {
          if (!(mask >> i & 1)) continue;
          storage_.bits[slot] = bits_of(keys[i]);
          storage_.positions[slot] = position_of<kHasCandidates>(items, start + item_of(i));
          ++slot;
        }
      }
    }
    count_ += total;
  }
