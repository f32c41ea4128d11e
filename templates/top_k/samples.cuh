  // Writes the first `kept` items of a sample, a tile of runs: every run of the row's sample that is this block's, of which all of the row's blocks
  // have as many. The order is that of the positions. All threads call it. The storage may be used for another sample at once: a thread first writes
  // what it has read itself.
  __device__ __forceinline__ void find_in_sample(const Key* row, unsigned long long columns, unsigned int block, unsigned int blocks,
                                                 unsigned int kept, Bits* bits_out, unsigned int* positions_out) {
    constexpr unsigned int kRuns = kTileItems / kRowSampleRun;
    const unsigned int distance = static_cast<unsigned int>(columns / (kRuns * blocks));
    // By the clock, so no keys can be laid out to show samples what they are not. A warp's threads share runs.
    const unsigned int seed = __shfl_sync(~0u, static_cast<unsigned int>(clock64()), 0);
#pragma unroll 8
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int slot = i * kBlockThreads + thread_;
      // Neighbouring runs are different blocks', so that each block has a sample from all over the row.
      const unsigned int item = begin_of_run(slot / kRowSampleRun * blocks + block, distance, seed) + slot % kRowSampleRun;
      storage_.bits[slot] = bits_of(row[item]);
      storage_.positions[slot] = item;
    }
    count_ = kTileItems;
    keep_first(kept);
    __syncthreads();
    for (unsigned int slot = thread_; slot < kept; slot += kBlockThreads) {
      bits_out[slot] = storage_.bits[slot];
      positions_out[slot] = storage_.positions[slot];
    }
  }

  // Loads items to the buffer, which is empty. The caller passes a barrier. All loads of a step are under way before its first store, which
  // loads could not pass.
  __device__ __forceinline__ void load_items(const Bits* bits, const unsigned int* positions, unsigned int count) {
#pragma unroll 1
    for (unsigned int start = 0; start < count; start += kBlockThreads * kMovedItems) {
      Bits own_bits[kMovedItems];
      unsigned int own_positions[kMovedItems];
#pragma unroll
      for (int i = 0; i < kMovedItems; ++i) {
        const unsigned int slot = start + i * kBlockThreads + thread_;
        own_bits[i] = slot < count ? bits[slot] : 0;
        own_positions[i] = slot < count ? positions[slot] : 0;
      }
#pragma unroll
      for (int i = 0; i < kMovedItems; ++i) {
        const unsigned int slot = start + i * kBlockThreads + thread_;
        if (slot < count) {
          storage_.bits[slot] = own_bits[i];
          storage_.positions[slot] = own_positions[i];
        }
      }
    }
    count_ = count;
  }

  // Sets the limit to the item of this rank, counted from 1, among those that were kept of a row's samples: to its bits, and to its position for items
  // with the same bits. The buffer is empty, and is empty again.
  __device__ __forceinline__ void limit_by_samples(const Bits* bits, const unsigned int* positions, unsigned int count, unsigned int rank) {
    load_items(bits, positions, count);
    const Bound last = select(rank);
    limit_ = last.bound;
    last_tie_ = ~0u;
    if (last.is_exact) last_tie_ = static_cast<unsigned int>(select_values<true>(last.ties, last.bound).bound);
    count_ = 0;
  }
