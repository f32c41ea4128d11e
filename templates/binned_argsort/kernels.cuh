  // How rows are split, and which chunk is the block's.
  struct Chunks {
    void* counts;
    unsigned int chunks;
    unsigned int own;
    unsigned long long columns;
    unsigned int count_bytes;

    __device__ __forceinline__ unsigned long long begin(const Row& row) const {
      const unsigned long long first = own * columns;
      return first < row.columns ? first : row.columns;  //~ begin-of-chunk
    }
    __device__ __forceinline__ unsigned long long end(const Row& row) const {
      const unsigned long long first = begin(row);
      return row.columns - first < columns ? row.columns : first + columns;  //~ end-of-chunk
    }
  };

  // The counts that the blocks of a launch publish, in memory that begins with zeros and that nothing else changes:
  //
  //   | state, and 15 more words | words of even launches | words of odd ones |
  //   state  a LaunchState
  //   words  | of each row: of each chunk, a FourCounts for 4 slots each | of each group of chunks, a TwoSums for 2 slots each |
  //
  // A launch finds zeros in its words, and clears those of the launch before.
  struct Exchange {
    unsigned long long* words;
    // Of even launches, and of odd ones.
    unsigned int capacity;
    // Bits of the number of a chunk in its group: of neighbouring chunks, the counts of which are added up.
    unsigned int group_bits;
    // How often a word is polled before a block counts the row by itself.
    unsigned int polls;

    __device__ __forceinline__ unsigned int group_of(unsigned int chunk) const { return chunk >> group_bits; }
    // Groups of a row.
    __device__ __forceinline__ unsigned int groups() const { return group_of(gridDim.x - 1) + 1; }
  };

  // Sorts a row by one block. All threads call it. The storage may be used for another row at once.
  __device__ __forceinline__ void sort_row(const Row& row) {
    sort_columns(row, 0, row.columns, true, [&](unsigned int first_in_tile) {
      if (row.columns <= kTileItems) return first_in_tile;  //~ row-of-a-tile
      clear_counts();
      __syncthreads();
      count_columns(row, 0, row.columns);
      __syncthreads();
      return first_of_slot();
    });
  }

  // Counts the keys of the block's chunk.
  __device__ __forceinline__ void count_chunk(const Row& row, const Chunks& split) {
    let_next_grid_start();
    clear_counts();
    __syncthreads();
    count_columns(row, split.begin(row), split.end(row));
    __syncthreads();
    if (thread_ < kChunkCounts) {
      const unsigned int count = storage_.row_counts[count_slot(thread_)];
      const unsigned long long to = static_cast<unsigned long long>(blockIdx.x) * kChunkCounts + thread_;
      if (split.count_bytes == 2) {
        static_cast<unsigned short*>(split.counts)[to] = static_cast<unsigned short>(count);
      } else {
        static_cast<unsigned int*>(split.counts)[to] = count;
      }
    }
  }

  // Sorts the block's chunk to where the counts of all chunks say. Its first tile is sorted before the counts are there.
  __device__ __forceinline__ void sort_chunk(const Row& row, const Chunks& split) {
    clear_counts();
    sort_columns(row, split.begin(row), split.end(row), split.own == 0, [&](unsigned int) {  //~ writer-of-offsets
      wait_for_previous_grid();
      if (split.count_bytes == 2) {
        add_counts<unsigned short>(split);
      } else {
        add_counts<unsigned int>(split);
      }
      __syncthreads();
      return first_of_slot() + (thread_ < kSlots ? storage_.counts_before[count_slot(thread_)] : 0);  //~ behind-other-chunks
    });
  }

  // Sorts the block's chunk, which is a tile at most, in the one launch that there is: a row's chunks are along x. Blocks publish their
  // counts.
  __device__ __forceinline__ void sort_chunk_at_once(const Row& row, unsigned long long chunk_columns, const Exchange& exchange) {
    const Chunks split = {nullptr, gridDim.x, blockIdx.x, chunk_columns, 0};
    const unsigned long long begin = split.begin(row);
    const unsigned int items = static_cast<unsigned int>(split.end(row) - begin);
    const auto while_loading = [&] {
      unsigned long long state = 0;
      if (thread_ == 0) state = atomicAdd(exchange.words, 1ull);
      clear_counts();
      if (thread_ == 0) begin_launch(exchange, LaunchState{state});
    };
    // The tile has more items in the last slot than the chunk has.
    const unsigned int more = (items + kBlockThreads - 1) / kBlockThreads * kBlockThreads - items;
    const auto counted = [&](unsigned int count) {
      publish_count(exchange, thread_ == row.bins ? count - more : count);  //~ published-items
    };
    const SlotOfTile slot = sort_tile(row.keys + begin, items, row.bins, while_loading, counted);
    const bool is_complete = add_published_counts(exchange);
    if (__syncthreads_or(!is_complete)) count_row_alone(row, split);  //~ published-too-late
    const unsigned int first = first_of_slot();
    if (split.own == 0 && thread_ <= row.bins) row.offsets[thread_] = first;  //~ offsets-at-once
    if (thread_ < kSlots) storage_.shifts[thread_] = first + storage_.counts_before[count_slot(thread_)] - slot.first;  //~ shift-at-once
    __syncthreads();
    write_tile(row, static_cast<unsigned int>(begin), items);
    clear_launch_before(exchange);
  }
