  // Writes the first k of the items, which are at least as many, and their positions: sorted, or in the order of their
  // positions. `keys_out` may be null. All threads call it with the same arguments. The storage may be used for another
  // row at once: positions are not written there before the next barrier.
  template <bool kHasCandidates>
  __device__ __forceinline__ void find(const Items items, unsigned int k, bool sorted, Key* keys_out,
                                       {% if found.is_more %}const Output& output{% else %}unsigned int* positions_out{% endif %}) {
    // Of the sample's keys that set the limit; 0 where there is no sample.
    unsigned int rank = items.end - items.begin >= kSampledTiles * kTileItems ? expected_in_sample(items, k) : 0;  //~ sampled-rows
#pragma unroll 1
    for (;;) {
      if (rank > 0) limit_by_sample<kHasCandidates>(items, rank);
      scan<kHasCandidates>(items, k);
      if (count_ >= k) break;  //~ enough-survivors
      // The sample has more of the first keys than its share. No fewer than k keys are up to its k-th.
      rank = k;
      __syncthreads();
    }
    __syncthreads();
    if (sorted) sort();
    write_first(items.keys, k, keys_out, {% if found.is_more %}output{% else %}positions_out{% endif %});
  }

  // Writes the first k items of the buffer.
  __device__ __forceinline__ void write_first(const Key* row, unsigned int k, Key* keys_out,
                                              {% if found.is_more %}const Output& output{% else %}unsigned int* positions_out{% endif %}) {
    for (unsigned int slot = thread_; slot < k; slot += kBlockThreads) {
      const unsigned int position = storage_.positions[slot];
      {% if found.is_more %}output.write(slot, position){% else %}positions_out[slot] = position{% endif %};
      // Not from the compared bits, which -0.0 has in common with +0.0, and NaNs may have with each other.
      if (keys_out) keys_out[slot] = row[position];
    }
  }

  // Appends the survivors of all items to the empty buffer, and keeps the first k if there are more of them. They may be read behind the next
  // barrier.
  template <bool kHasCandidates>
  __device__ __forceinline__ void scan(const Items& items, unsigned int k) {
    unsigned long long start = items.begin;
    unsigned int tile_items = tile_items_of(items, start);
    // Addresses of candidates take registers, too.
    constexpr bool kAhead = kLoadsAhead && (!kHasCandidates || kTileItems * kBitsLimbs <= 4096);
    Key next_keys[kItemsPerThread];
    if constexpr (kAhead) load_tile<kHasCandidates>(items, start, tile_items, next_keys);
    for (;;) {
      // Behind the last tile there are k items, and before another one room for it.
      const bool is_end = start >= items.end;
      const unsigned int most = is_end ? k : kTileItems;  //~ most-buffered
      if (count_ > most) {
        keep_first(k);
        // Loaded once more, so that no registers are taken while items are selected.
        if (kAhead && !is_end && !is_closed_) load_tile<kHasCandidates>(items, start, tile_items, next_keys);
      }
      if (is_end || is_closed_) break;
      const unsigned long long next = start + tile_items;
      const unsigned int next_items = next < items.end ? tile_items_of(items, next) : 0;
      Key keys[kItemsPerThread];
      if constexpr (kAhead) {
#pragma unroll
        for (int i = 0; i < kItemsPerThread; ++i) keys[i] = next_keys[i];
        // Under way while this tile's survivors are appended.
        if (next_items > 0) load_tile<kHasCandidates>(items, next, next_items, next_keys);
      } else {
        load_tile<kHasCandidates>(items, start, tile_items, keys);
      }
      append<kHasCandidates>(items, start, tile_items, keys);
      start = next;
      tile_items = next_items;
    }
  }
