  // Sorts a bucket by the largest sort. One that no block holds is rare: its items are brought to the result in the order of the tiles, and
  // runs of half a block's items sorted there, each with its neighbour, alternately the one before and the one behind.
  static __device__ __forceinline__ void sort_by_largest(const Arguments& arguments, BucketStorage& storage, ComparedRange range,
                                                         unsigned int first, unsigned int size) {
    const bool holds_all = size <= LargestSort::kTileItems;
    if (!holds_all) {
      for (unsigned int position = threadIdx.x; position < size; position += kBlockThreads) {
        const unsigned int from = storage.pieces.offsets[piece_at(arguments, storage.pieces, position)] + position;
        arguments.keys_out[first + position] = arguments.keys_alternate[from];
{%- if value.exists %}
        arguments.values_out[first + position] = arguments.values_alternate[from];
{%- endif %}
      }
      __syncthreads();  //~ large-bucket
    }
    constexpr unsigned int kRun = LargestSort::kTileItems / 2;
    const unsigned int runs = holds_all ? 1 : (size + kRun - 1) / kRun;
    for (unsigned int round = 0; round < runs; ++round) {  //~ rounds-of-runs
      for (unsigned int start = round % 2 * kRun; start < size; start += 2 * kRun) {  //~ run-pairs
        const unsigned int left = size - start;
        sort_items<LargestSort>(arguments, storage, storage.sort_of_{{ max_bucket_items }}, range, first + start,
                                left < 2 * kRun ? left : 2 * kRun, holds_all);  //~ end-of-bucket
        // The next sort reads what this one wrote, and uses its storage.
        if (!holds_all) __syncthreads();  //~ run-of-large-bucket
      }
    }
  }
