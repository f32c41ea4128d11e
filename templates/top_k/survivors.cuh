  // Neighbouring items of a row's sample.
  static constexpr unsigned int kRowSampleRun = 4;

  // Where an item of a row's sample is: runs at irregular distances from all over the row.
  static __device__ __forceinline__ unsigned int item_of_sample(unsigned long long columns, unsigned int slot) {
    const unsigned int distance = static_cast<unsigned int>(columns / (kBufferItems / kRowSampleRun));
    return begin_of_run(slot / kRowSampleRun, distance, 0) + slot % kRowSampleRun;
  }

  // Where a run of a sample begins: in the run's part of the row, which has `distance` columns, a run's at least; elsewhere for another seed.
  static __device__ __forceinline__ unsigned int begin_of_run(unsigned int run, unsigned int distance, unsigned int seed) {
    return run * distance + __umulhi((run ^ seed) * 0x9e3779b1u, distance - (kRowSampleRun - 1));
  }

  // Sets the limit to the item of this rank, counted from 1, of a sample of the row, for the columns that begin there. Ties with the limit are up to it at positions up to its own.
  __device__ __forceinline__ void limit_by_row(const Key* row, unsigned long long columns, unsigned long long begin, unsigned int rank) {
#pragma unroll 8
    for (int i = 0; i < kBufferItems / kBlockThreads; ++i) {
      const unsigned int slot = i * kBlockThreads + thread_;
      storage_.bits[slot] = bits_of(row[item_of_sample(columns, slot)]);
    }
    count_ = kBufferItems;
    const Bound last = select(rank);
    count_ = 0;
    limit_ = last.bound;
    if (!last.is_exact) return;
    if (begin <= item_of_sample(columns, slot_of_tie(last))) return;  //~ columns-of-ties
    is_closed_ = last.bound == 0;
    limit_ = last.bound - 1;
  }

  // The slot of the sample's last tie that is up to the limit. All threads call it. Two barriers.
  __device__ __forceinline__ unsigned int slot_of_tie(const Bound& last) {
    constexpr int kRows = kBufferItems / kBlockThreads;
    const unsigned int first = warp_of(thread_) * 32 * kRows + lane_;
    unsigned int ties = 0;
#pragma unroll 4
    for (int i = 0; i < kRows; ++i) ties += __popc(__ballot_sync(~0u, storage_.bits[first + i * 32] == last.bound));
    unsigned int total;
    unsigned int before = sum_of_warps_below(ties, total);
    if (before < last.ties && last.ties <= before + ties) {
      for (int i = 0; i < kRows; ++i) {
        const bool is_tie = storage_.bits[first + i * 32] == last.bound;
        const unsigned int lanes = __ballot_sync(~0u, is_tie);
        if (is_tie && before + __popc(lanes & lanes_below()) + 1 == last.ties) storage_.selection.bin = first + i * 32;
        before += __popc(lanes);
      }
    }
    __syncthreads();
    return storage_.selection.bin;
  }
