  // How rows are split: a block has the chunk of its number, row by row.
  struct Chunks {
    void* counts;
    unsigned int chunks;
    unsigned long long columns;
    unsigned int count_bytes;

    __device__ __forceinline__ unsigned int own() const { return blockIdx.x % chunks; }
    __device__ __forceinline__ unsigned long long begin(const Row& row) const {
      const unsigned long long first = own() * columns;
      return first < row.columns ? first : row.columns;  //~ begin-of-chunk
    }
    __device__ __forceinline__ unsigned long long end(const Row& row) const {
      const unsigned long long first = begin(row);
      return row.columns - first < columns ? row.columns : first + columns;  //~ end-of-chunk
    }
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
    sort_columns(row, split.begin(row), split.end(row), split.own() == 0, [&](unsigned int) {  //~ writer-of-offsets
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
