  // The slot of a key.
  static __device__ __forceinline__ unsigned int slot_of(Key key, unsigned int bins) {
    const KeyBits bits = static_cast<KeyBits>(key);
    return bits < bins ? static_cast<unsigned int>(bits) : bins;  //~ slot-of-key
  }

  // The lanes of the warp with the same slot as this one.
  static __device__ __forceinline__ unsigned int lanes_of_same_slot(unsigned int slot) {
    return lanes_of_same_digit<kBinBits + 1>(slot);
  }

  // Where the count of a slot is. Counts that a thread loads at once are added to shared memory one by one; by this order those of a
  // warp's lanes are neighbours then, and in different banks.
  static __device__ __forceinline__ unsigned int count_slot(unsigned int slot) {
    return slot % kVectorCounts * kVectors + slot / kVectorCounts;
  }

  // The counts may be added to behind the next barrier.
  __device__ __forceinline__ void clear_counts() {
    if (thread_ < kChunkCounts) {
      storage_.row_counts[thread_] = 0;
      storage_.counts_before[thread_] = 0;
    }
  }

  // Keys of a thread that are on their way at a time.
  static constexpr unsigned int kCountedRows = kItemsPerThread < 8 ? kItemsPerThread : 8;

  // Adds some columns of a row to its counts, which may be read behind the next barrier.
  __device__ __forceinline__ void count_columns(const Row& row, unsigned long long begin, unsigned long long end) {
#pragma unroll 1
    for (unsigned long long start = begin; start < end; start += kCountedRows * kBlockThreads) {
      unsigned int slots[kCountedRows];
#pragma unroll
      for (unsigned int i = 0; i < kCountedRows; ++i) {
        const unsigned long long column = start + i * kBlockThreads + thread_;
        slots[i] = column < end ? slot_of(row.keys[column], row.bins) : row.bins;
      }
#pragma unroll
      for (unsigned int i = 0; i < kCountedRows; ++i) {
        const unsigned long long first = start + i * kBlockThreads;
        if (first >= end) break;
        const unsigned int columns = __ballot_sync(~0u, first + thread_ < end);
        const unsigned int same = lanes_of_same_slot(slots[i]);
        const unsigned int counted = same & columns;  //~ counted-lanes
        if ((same & lanes_below()) == 0) atomicAdd(&storage_.row_counts[count_slot(slots[i])], __popc(counted));
      }
    }
  }

  // Adds up the counts of the row's chunks, and of those before this block's, by vectors.
  template <typename Count>
  __device__ __forceinline__ void add_counts(const Chunks& split) {
    struct __align__(kVectorCounts * sizeof(Count)) Vector {
      Count counts[kVectorCounts];
    };
    constexpr unsigned int kGroups = kBlockThreads / kVectors;
    // Vectors of a thread that are on their way at a time. Threads of larger blocks have fewer registers for them.
    constexpr unsigned int kLoads = (kBlockThreads <= 512 ? 8 : 4) / sizeof(Count);
    const unsigned int own = split.own;
    const Vector* const of_row = static_cast<const Vector*>(split.counts) + static_cast<unsigned long long>(blockIdx.x - own) * kVectors;
    const unsigned int vector = thread_ % kVectors;
    const unsigned int group = thread_ / kVectors;
    if (group >= kGroups) return;
    unsigned int all[kVectorCounts] = {};
    unsigned int before[kVectorCounts] = {};
#pragma unroll kLoads
    for (unsigned int chunk = group; chunk < split.chunks; chunk += kGroups) {
      const Vector counts = of_row[static_cast<unsigned long long>(chunk) * kVectors + vector];
#pragma unroll
      for (unsigned int i = 0; i < kVectorCounts; ++i) {
        all[i] += counts.counts[i];
        before[i] += chunk < own ? counts.counts[i] : 0;  //~ chunks-before
      }
    }
#pragma unroll
    for (unsigned int i = 0; i < kVectorCounts; ++i) {
      atomicAdd(&storage_.row_counts[i * kVectors + vector], all[i]);
      atomicAdd(&storage_.counts_before[i * kVectors + vector], before[i]);
    }
  }

  // The items of the row in slots below the thread's. One barrier.
  __device__ __forceinline__ unsigned int first_of_slot() {
    return sum_of_slots_below(thread_ < kSlots ? storage_.row_counts[count_slot(thread_)] : 0);
  }
