 private:
  // Slots of shared memory for the items of an index, so that threads that are kMergeItems items apart are in different banks.
  static __device__ __forceinline__ unsigned int key_slot(unsigned int index) { return index ^ (index >> 4 & 15u); }
  static __device__ __forceinline__ unsigned int position_slot(unsigned int index) { return index ^ (index >> 5 & 14u); }

  // Each thread sorts runs of kRunItems by a network, then merges kMergeItems at a time.
  static constexpr unsigned int kRunItems = 8;
  static constexpr unsigned int kMergeItems = 16;

  // A thread's positions of a merge.
  using MergedPositions = PackedItems<static_cast<int>(kMergeItems), 16>;

  // Makes `positions` the stable order of items, by merges: the work is the same for all keys. `compared_at` gives the compared bits of the item at a
  // position below `size`, which is at most kMergeItems for each of the block's threads. All threads call it, with a barrier since compared bits
  // were written and positions were last used; it ends with a barrier.
  template <typename ComparedAt>
  static __device__ __forceinline__ void sort_positions(unsigned short* positions, unsigned int size, const ComparedAt& compared_at) {
    const unsigned int first = threadIdx.x * kMergeItems;
#pragma unroll 1
    for (unsigned int begin = first; begin < first + kMergeItems && begin < size; begin += kRunItems) {
      sort_run(positions, begin, minimum(begin + kRunItems, size), compared_at);
    }
    __syncthreads();
#pragma unroll 1
    for (unsigned int width = kRunItems; width < size; width *= 2) {
      MergedPositions merged;
      if (first < size) merge_run(positions, size, width, merged, compared_at);
      __syncthreads();
#pragma unroll
      for (unsigned int i = 0; i < kMergeItems; ++i) {
        if (first + i < size) positions[position_slot(first + i)] = static_cast<unsigned short>(merged.get(static_cast<int>(i)));
      }
      __syncthreads();
    }
  }

  // Sorts the positions from `begin` to `end` by a network of neighbours, which exchanges no equal ones.
  template <typename ComparedAt>
  static __device__ __forceinline__ void sort_run(unsigned short* positions, unsigned int begin, unsigned int end, const ComparedAt& compared_at) {
    Bits compared_keys[kRunItems];
    unsigned int run[kRunItems];
#pragma unroll
    for (unsigned int i = 0; i < kRunItems; ++i) {
      run[i] = begin + i;
      compared_keys[i] = begin + i < end ? compared_at(begin + i) : ~Bits(0);
    }
#pragma unroll
    for (unsigned int round = 0; round < kRunItems; ++round) {
#pragma unroll
      for (unsigned int i = round % 2; i + 1 < kRunItems; i += 2) {
        const bool exchanges = compared_keys[i] > compared_keys[i + 1];  //~ order-in-run
        const Bits compared = exchanges ? compared_keys[i + 1] : compared_keys[i];
        compared_keys[i + 1] = exchanges ? compared_keys[i] : compared_keys[i + 1];
        compared_keys[i] = compared;
        const unsigned int position = exchanges ? run[i + 1] : run[i];
        run[i + 1] = exchanges ? run[i] : run[i + 1];
        run[i] = position;
      }
    }
#pragma unroll
    for (unsigned int i = 0; i < kRunItems; ++i) {
      if (begin + i < end) positions[position_slot(begin + i)] = static_cast<unsigned short>(run[i]);
    }
  }

  // Merges sorted runs of `width` positions two by two: the thread finds its kMergeItems of the result.
  template <typename ComparedAt>
  static __device__ __forceinline__ void merge_run(const unsigned short* positions, unsigned int size, unsigned int width,
                                                   MergedPositions& merged, const ComparedAt& compared_at) {
    const auto position_at = [&](unsigned int index) -> unsigned int { return positions[position_slot(index)]; };
    const unsigned int first = threadIdx.x * kMergeItems;
    const unsigned int begin = first / (2 * width) * (2 * width);
    const unsigned int middle = minimum(begin + width, size);
    const unsigned int end = minimum(begin + 2 * width, size);
    const unsigned int lower_items = items_of_first_run(middle - begin, end - middle, first - begin, [&](unsigned int i, unsigned int j) {
      return compared_at(position_at(begin + i)) <= compared_at(position_at(middle + j));  //~ equal-keys-of-runs
    });
    unsigned int lower = begin + lower_items;
    unsigned int upper = middle + (first - begin) - lower_items;
    unsigned int lower_position = lower < middle ? position_at(lower) : 0;
    unsigned int upper_position = upper < end ? position_at(upper) : 0;
    Bits lower_compared = compared_at(lower_position);
    Bits upper_compared = compared_at(upper_position);
#pragma unroll
    for (unsigned int i = 0; i < kMergeItems; ++i) {
      const bool takes_lower = lower < middle && (upper >= end || lower_compared <= upper_compared);  //~ merged-run
      merged.set(static_cast<int>(i), takes_lower ? lower_position : upper_position);
      const unsigned int next = takes_lower ? ++lower : ++upper;
      const unsigned int position = position_at(minimum(next, size - 1));
      const Bits compared = compared_at(position);
      lower_position = takes_lower ? position : lower_position;
      lower_compared = takes_lower ? compared : lower_compared;
      upper_position = takes_lower ? upper_position : position;
      upper_compared = takes_lower ? upper_compared : compared;
    }
  }
