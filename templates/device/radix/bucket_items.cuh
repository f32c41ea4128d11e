  // A row has an item for each thread. The number of items from the thread's in the first row on.
  static __device__ __forceinline__ int items_from_here(Bucket bucket) { return static_cast<int>(opaque(bucket.size) - threadIdx.x); }

  // Whether a row has an item for the thread.
  static __device__ __forceinline__ bool is_there(int row, int left) { return row * static_cast<int>(kBucketThreads) < left; }  //~ item-of-bucket

  // Does `work` for the rows that may have an item: the last ones of small buckets have none.
  template <typename Work>
  static __device__ __forceinline__ void for_rows(Bucket bucket, const Work& work) {
    constexpr int kFewRows = {{ few_rows }};
    work(0, kFewRows);
    if (bucket.size > kFewRows * kBucketThreads) work(kFewRows, kRows);  //~ rows-of-a-bucket
  }

  template <typename Work>
  static __device__ __forceinline__ void for_each_row(Bucket bucket, const Work& work) {
    for_rows(bucket, [&](int first, int end) {
#pragma unroll
      for (int row = first; row < end; ++row) work(row);
    });
  }

  static __device__ __forceinline__ void prefetch_bucket(const Arguments& arguments, Bucket bucket) {
{%- if interleaves %}
    if (leaves_items(arguments)) {
      BulkCopies::prefetch(remaining_items(arguments) + bucket.first, bucket.size * sizeof(Item));
      return;
    }
{%- endif %}
    BulkCopies::prefetch(arguments.keys_out + bucket.first, bucket.size * sizeof(Key));
{%- if value.exists %}
    BulkCopies::prefetch(arguments.values_out + bucket.first, bucket.size * sizeof(Value));
{%- endif %}
  }

  // Loads the bucket: its items to shared memory, by their positions, and what they are sorted by to registers. A barrier has to
  // follow before other threads' items are read, behind wait_for_copies where there are values.
  static __device__ __forceinline__ void load_bucket(const Arguments& arguments, [[maybe_unused]] BucketStorage& storage,
                                                   unsigned int (&compared_keys)[kRows], Bucket bucket, BucketRange range) {
    const int left = items_from_here(bucket);
{%- if interleaves %}
    if (leaves_items(arguments)) {
      const Item* const items = remaining_items(arguments) + bucket.first + threadIdx.x;
      Item loaded[kRows];
      for_each_row(bucket, [&](int row) { loaded[row] = is_there(row, left) ? items[row * kBucketThreads] : Item{}; });
      for_each_row(bucket, [&](int row) {
        storage.items[row * kBucketThreads + threadIdx.x] = loaded[row];
        compared_keys[row] = loaded[row].key;
      });
    } else {
      load_arrays(arguments, storage, compared_keys, bucket, left);
    }
{%- else %}
    load_arrays(arguments, storage, compared_keys, bucket, left);
{%- endif %}
    const auto key_at = [&](int row) { return bits_as<Key>(static_cast<StoredBits>(compared_keys[row])); };
{%- if maps_values %}
    if (range.is_mapped) {
      const LinearMap linear_map = control_of(arguments).linear_map;
      for_each_row(bucket, [&](int row) { compared_keys[row] = linear_map.number_within(bucket.number, key_at(row)); });
      return;
    }
{%- endif %}
    const unsigned int mask = (1u << range.bits) - 1u;
    for_each_row(bucket, [&](int row) {
      const Bits ordered = to_ordered_bits(key_at(row));
      compared_keys[row] = compared_bits(ordered) >> range.bit & mask;
    });
  }

  // Keys and values from arrays of their own.
  static __device__ __forceinline__ void load_arrays(const Arguments& arguments, [[maybe_unused]] BucketStorage& storage,
                                                     unsigned int (&compared_keys)[kRows], Bucket bucket, int left) {
    const Key* const keys = arguments.keys_out + bucket.first + threadIdx.x;
    for_each_row(bucket, [&](int row) {
      compared_keys[row] = is_there(row, left) ? bits_as<StoredBits>(keys[row * kBucketThreads]) : StoredBits(0);
    });
{%- if value.exists %}
    // Where there is no item the last one is copied: that is less work than to ask.
    const Value* const values = arguments.values_out + bucket.first;
    for_each_row(bucket, [&](int row) {
      const unsigned int position = row * kBucketThreads + threadIdx.x;
      copy_async(&storage.{% if interleaves %}items[position].value{% else %}values[position]{% endif %}, &values[position < bucket.size ? position : bucket.size - 1]);
    });
{%- endif %}
{%- if sorts_positions %}
    for_each_row(bucket, [&](int row) {
      const unsigned int position = row * kBucketThreads + threadIdx.x;
      storage.{% if interleaves %}items[position].key{% else %}keys[position]{% endif %} = compared_keys[row];
    });
{%- endif %}
  }
{%- if sorts_positions %}
{%- if maps_values %}

  // Sorts runs of items with composite keys that differ in their positions alone by all of their keys, each by the thread that has its
  // first item. All threads of the block call it; barriers lie within and at the end.
  static __device__ __forceinline__ void sort_ties(BucketStorage& storage, unsigned int size) {
    const auto composite_at = [&](unsigned int offset) -> unsigned int& { return storage.keys_to_sort[KeySlots::of(offset)]; };
    const auto key_at = [&](unsigned int offset) { return compared_key(storage, {composite_at(offset)}); };
    for (unsigned int row = 0; row < size; row += kBucketThreads) {
      const unsigned int first = row + threadIdx.x;
      const auto is_tied = [&](unsigned int offset) {
        return Keys::Compared{composite_at(offset)}.is_tied_with({composite_at(first)});
      };
      unsigned int end = first + 1;
      if (first < size && (first == 0 || !is_tied(first - 1))) {
        while (end < size && is_tied(end)) ++end;
      }
      // All have found the ends before any item moves.
      __syncthreads();  //~ ends-of-ties
      for (unsigned int next = first + 1; next < end; ++next) {  //~ tied-keys
        const unsigned int composite = composite_at(next);
        const Bits key = key_at(next);
        unsigned int offset = next;
        for (; offset > first && key_at(offset - 1) > key; --offset) composite_at(offset) = composite_at(offset - 1);  //~ insertion-of-ties
        composite_at(offset) = composite;
      }
      __syncthreads();
    }
  }

  // What is compared of the key of the item that has a composite key.
  static __device__ __forceinline__ Bits compared_key(const BucketStorage& storage, Keys::Compared composite) {
    return compared_bits(to_ordered_bits(bits_as<Key>(storage.{% if interleaves %}items[composite.position()].key{% else %}keys[composite.position()]{% endif %})));
  }
{%- endif %}
{%- endif %}

{%- if maps_values %}

  // The key before a row of the warp, the one of the lane's number; 0 if there is none.
  static __device__ __forceinline__ Bits key_before_row(const BucketStorage& storage, Bucket bucket) {
    const unsigned int offset = lane_of(threadIdx.x) * kBucketThreads + warp_of(threadIdx.x) * kWarpThreads;
    if (offset == 0 || offset >= bucket.size) return 0;
    return compared_key(storage, {storage.keys_to_sort[KeySlots::of(offset - 1)]});
  }

  // Writes the sorted bucket. `kChecksOrder`: returns whether the thread's keys are in order behind those before them.
  template <bool kChecksOrder>
  static __device__ __forceinline__ bool write_bucket(const Arguments& arguments, const BucketStorage& storage, Bucket bucket, BucketRange) {
{%- else %}

  static __device__ __forceinline__ void write_bucket(const Arguments& arguments, const BucketStorage& storage, Bucket bucket,
                                                      [[maybe_unused]] BucketRange range) {
{%- endif %}
    Key* const keys = arguments.keys_out + bucket.first + threadIdx.x;
{%- if value.exists %}
    Value* const values = arguments.values_out + bucket.first + threadIdx.x;
{%- endif %}
    // A row's slots follow the one before.
    constexpr unsigned int kRowSlots = kBucketThreads / kRows * KeySlots::kSlotsPerThread;
    static_assert(kBucketThreads % kRows == 0, "rows begin where a thread's offsets do");
    const unsigned int* const sorted = storage.keys_to_sort + KeySlots::of(threadIdx.x);
    const int left = items_from_here(bucket);
    // A second phase of all items would sort what is in the arrays, keys with values, but for items that are left elsewhere.
    [[maybe_unused]] const bool writes_keys = !(kLeavesItems && leaves_items(arguments)) || arguments.writes_keys;  //~ writes-keys-of-buckets
{%- if maps_values %}
    bool in_order = true;
    [[maybe_unused]] Bits before_row = 0;
    if constexpr (kChecksOrder) before_row = key_before_row(storage, bucket);
{%- endif %}
{%- if !sorts_positions %}
    const Bits above = bits_above_range(arguments, range, bucket);
{%- endif %}
    for_each_row(bucket, [&](int row) {
{%- if sorts_positions %}
      // Where there is no item, any will do.
      const unsigned int position = is_there(row, left) ? Keys::Compared{sorted[row * kRowSlots]}.position() : 0;
{%- if interleaves %}
      const Item item = storage.items[position];
      const Key key = bits_as<Key>(item.key);
      const Value value = item.value;
{%- else %}
      const Key key = bits_as<Key>(storage.keys[position]);
{%- if value.exists %}
      const Value value = storage.values[position];
{%- endif %}
{%- endif %}
{%- if maps_values %}
      if constexpr (kChecksOrder) {
        const Bits own = compared_bits(to_ordered_bits(key));
        const Bits below = __shfl_up_sync(~0u, own, 1);
        const Bits before = __shfl_sync(~0u, before_row, row);
        in_order &= !is_there(row, left) || (lane_of(threadIdx.x) == 0 ? before : below) <= own;  //~ key-before
      }
{%- endif %}
      if (is_there(row, left) && writes_keys) keys[row * kBucketThreads] = key;
{%- if value.exists %}
      if (is_there(row, left)) values[row * kBucketThreads] = value;  //~ value-of-a-bucket
{%- endif %}
{%- else %}
      // All bits of the key are known.
      if (is_there(row, left)) keys[row * kBucketThreads] = to_key(above | sorted[row * kRowSlots]);  //~ key-of-a-bucket
{%- endif %}
    });
{%- if maps_values %}
    return in_order;
{%- endif %}
  }
