  // Writes the first k of the items, which are at least as many, and their positions: sorted, or in the order of their
  // positions. `keys_out` may be null. All threads call it with the same arguments. The storage may be used for another
  // row at once: positions are not written there before the next barrier.
  template <bool kHasCandidates>
  __device__ __forceinline__ void find(const Items items, unsigned int k, bool sorted, Key* keys_out,
                                       unsigned int* positions_out) {
    if (items.end - items.begin >= kSampledTiles * kTileItems) limit_by_sample<kHasCandidates>(items, k);  //~ sampled-rows
    for (unsigned long long start = items.begin;; start += kTileItems) {
      // Behind the last tile there are k items, and before another one room for it.
      const bool is_end = start >= items.end;
      const unsigned int most = is_end ? k : kTileItems;  //~ most-buffered
      if (count_ > most) keep_first(k);
      if (is_end || is_closed_) break;
      append<kHasCandidates>(items, start);
    }
    __syncthreads();
    if (sorted) sort();
    for (unsigned int slot = thread_; slot < k; slot += kBlockThreads) {
      const unsigned int position = storage_.positions[slot];
      positions_out[slot] = position;
      // Not from the compared bits, which -0.0 has in common with +0.0, and NaNs may have with each other.
      if (keys_out) keys_out[slot] = items.keys[position];
    }
  }
