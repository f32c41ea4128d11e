  // Writes what register windows compare of each item to its offset in the order of sub-buckets, which nearly sorts the bucket. Returns
  // false, and leaves only scratch behind, if a sub-bucket overflows. All threads call it; barriers lie within.
  static __device__ __forceinline__ bool scatter_to_sub_buckets(BucketStorage& storage, const unsigned int (&compared_keys)[kRows], Bucket bucket,
                                                                BucketRange range) {
    // Where a row has no item for the thread, its gap is the slot.
    const unsigned int gap = threadIdx.x * KeySlots::kSlotsPerThread + kRows;
    int left = items_from_here(bucket);
{%- if sorts_positions %}
    // Zeros where a row has no items: compilers take more registers where they may be anything.
    Keys::Counted counted[kRows] = {};
    for_each_row(bucket, [&](int row) {
      const unsigned int slot = is_there(row, left) ? KeySlots::of(range.sub_bucket_of(compared_keys[row])) : gap;
      const unsigned int fraction = range.within_sub_bucket(compared_keys[row]) >> (32 - Keys::kFractionBits);
      counted[row] = {opaque(Keys::Counted::pack(atomicAdd(&storage.counters[slot], 1u), slot, fraction).bits)};
    });
{%- else %}
    for_each_row(bucket, [&](int row) {
      atomicAdd(&storage.counters[is_there(row, left) ? KeySlots::of(range.sub_bucket_of(compared_keys[row])) : gap], 1u);
    });
{%- endif %}
    __syncthreads();
    scan_sub_buckets<kRows, KeySlots, Windows::kSmallSubBucket>(storage.counters, &storage.max_count, [&](unsigned int sum) {
      unsigned int total;
      return BucketScan::exclusive_sum(storage.scan, threadIdx.x, sum, total);
    });
    __syncthreads();
{%- if sorts_positions %}
    if (storage.max_count > kMaxSubBucket) return false;  //~ overflow-of-sub-bucket
    Keys::Placed placed[kRows] = {};
    for_each_row(bucket, [&](int row) {
      placed[row] = {opaque(Keys::Placed::pack(counted[row], storage.counters[counted[row].slot()]).bits)};
    });
    // The keys take the place of the counters.
    __syncthreads();
{%- endif %}
    left = items_from_here(bucket);
{%- if sorts_positions %}
    for_each_row(bucket, [&](int row) {
      const unsigned int slot = is_there(row, left) ? KeySlots::of(placed[row].offset()) : gap;
      storage.keys_to_sort[slot] = Keys::Compared::pack(placed[row], row * kBucketThreads + threadIdx.x).bits;
    });
{%- else %}
    // Items take the offsets of their sub-bucket in any order. No atomic waits for what another one returns.
    for_rows(bucket, [&](int first, int end) {
      unsigned int offsets[kRows];
#pragma unroll
      for (int row = first; row < end; ++row) {
        offsets[row] = atomicAdd(&storage.counters[is_there(row, left) ? KeySlots::of(range.sub_bucket_of(compared_keys[row])) : gap], 1u);
      }
#pragma unroll
      for (int row = first; row < end; ++row) storage.keys_to_sort[is_there(row, left) ? KeySlots::of(offsets[row]) : gap] = compared_keys[row];
    });
{%- endif %}
    return true;
  }

  // Sorts the register windows that begin at each thread's first offset, then merges those that begin kHalf offsets later, which sorts
  // every small sub-bucket. Larger ones may take more rounds. Returns false if those that there may be were not enough. All threads call
  // it; barriers lie within and at the end.
  static __device__ __forceinline__ bool sort_register_windows(BucketStorage& storage, unsigned int size, unsigned int max_count) {
    const unsigned int first = threadIdx.x * kRows;
    if (first < size) Windows::template sort<true>(storage.keys_to_sort, first);
    __syncthreads();
    if (first + kRows < size) Windows::template sort<false>(storage.keys_to_sort, first + Windows::kHalf);  //~ overlapping-register-windows
    __syncthreads();  //~ overlapping-register-windows
    if (max_count <= Windows::kSmallSubBucket) return true;  //~ two-merges
    const unsigned int halves = Windows::halves_of(max_count);
    // Two merges there have been. Items that were read nearly in order, as most are, take fewer.
    for (unsigned int round = 0; round < (halves - 1) / 2; ++round) {
      if (!__syncthreads_or(first < size && !Windows::is_in_order(storage.keys_to_sort, first))) return true;  //~ sorted-early
{%- if !sorts_positions %}
      // As many equal keys as a bucket has room for are in order at once.
      if (round == kMaxRounds) return false;  //~ too-many-rounds
{%- endif %}
      if (first < size) Windows::template sort<false>(storage.keys_to_sort, first);
      __syncthreads();
      if (first + kRows < size) Windows::template sort<false>(storage.keys_to_sort, first + Windows::kHalf);
      __syncthreads();
    }
    return true;
  }
