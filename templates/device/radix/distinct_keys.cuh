  // The most distinct keys of a bucket that is sorted by them, and the slots of a hash table that finds them.
  static constexpr int kMaxDistinctKeysLog2 = 7;
  static constexpr unsigned int kMaxDistinctKeys = 1u << kMaxDistinctKeysLog2;
  static constexpr unsigned int kHashSlots = 2 * kMaxDistinctKeys;
  static_assert(kHashSlots <= kBucketThreads, "a slot has a thread of its own");

  // Whether a block would take longer for a bucket than the others do for the rest of the array.
  static __device__ __forceinline__ bool is_too_large_for_a_block(const Arguments& arguments, Bucket bucket) {
    constexpr unsigned int kNeverTooLarge = 1u << 14;
    constexpr unsigned int kAlwaysTooLarge = 3u << 16;
    return bucket.size > kAlwaysTooLarge || (bucket.size > kNeverTooLarge && 256ull * bucket.size > arguments.n);
  }
  static constexpr unsigned int kBucketWarps = kBucketThreads / kWarpThreads;

  // What is found of a bucket of few distinct keys. The compared bits that the bucket is sorted by tell them apart.
  struct DistinctKeys {
    static constexpr unsigned int kNone = ~0u;
    static constexpr int kMaxProbes = 32;
    // The hash table: of each slot a key's compared bits, or kNone, and how many keys are less.
    unsigned int compared_keys[kHashSlots];
    unsigned int ranks[kHashSlots];
    unsigned int sorted_keys[kMaxDistinctKeys];
    // By rank: how many items of a warp's share have the key, then the offset of the next one of them in the sorted bucket.
    unsigned int offsets[kBucketWarps][kMaxDistinctKeys];

    static __device__ __forceinline__ unsigned int first_slot(unsigned int compared) { return (compared * 0x9e3779b1u) >> (31 - kMaxDistinctKeysLog2); }
    static __device__ __forceinline__ unsigned int next_slot(unsigned int slot) { return (slot + 1) % kHashSlots; }

    // Returns whether the key is there then: there may be no slot for it.
    __device__ __forceinline__ bool add(unsigned int compared) {
{%- if maps_values %}
      if (compared == kNone) return false;  //~ order-like-none
{%- endif %}
      unsigned int slot = first_slot(compared);
#pragma unroll 1
      for (int probe = 0; probe < kMaxProbes; ++probe) {
        const unsigned int there = atomicCAS(&compared_keys[slot], kNone, compared);
        if (there == kNone || there == compared) return true;
        slot = next_slot(slot);
      }
      return false;
    }

    // The rank of a key that is there.
    __device__ __forceinline__ unsigned int rank_of(unsigned int compared) const {
      unsigned int slot = first_slot(compared);
#pragma unroll 1
      while (compared_keys[slot] != compared) slot = next_slot(slot);
      return ranks[slot];
    }
  };
  static_assert(sizeof(DistinctKeys) <= sizeof(BucketStorage::keys_to_sort), "it takes their memory");

  // Sorts those of the block's buckets that are left and have few distinct keys, and queues the others.
  static __device__ __forceinline__ void sort_left_buckets(const Arguments& arguments, Control& control, BucketStorage& storage, BucketRange range,
                                                           unsigned int buckets) {
    Count* const left = sorted_offsets_of(arguments);
#pragma unroll 1
    for (unsigned int first = blockIdx.x; first < buckets; first += 32 * gridDim.x) {
      const unsigned int own = first + lane_of(threadIdx.x) * gridDim.x;
      unsigned int mask = __ballot_sync(~0u, own < buckets && left[own] > 0);
#pragma unroll 1
      for (; mask != 0; mask &= mask - 1) {
        // All have read what is left, and are done with the bucket before.
        __syncthreads();  //~ next-left-bucket
        const Bucket bucket = find_bucket(arguments, first + (__ffs(static_cast<int>(mask)) - 1) * gridDim.x, buckets);
        const bool is_sorted = sort_by_distinct_keys(arguments, storage, range, bucket);
        if (threadIdx.x != 0) continue;
        if (is_sorted) {
          left[bucket.number] = 0;  //~ sorted-by-distinct-keys
        } else {
          queue_bucket(arguments, control, bucket);
        }
      }
    }
  }

  // Sorts a bucket of few distinct keys, however many items have each: counts the items of each key, and writes each item behind those of all keys that are less.
  // Returns false, and has written nothing, if there are more distinct keys or items, or no room to sort in. All threads of the block
  // call it; barriers lie within, and none at the end.
  static __device__ __forceinline__ bool sort_by_distinct_keys(const Arguments& arguments, BucketStorage& storage, BucketRange range,
                                                               Bucket bucket) {
    if (is_too_large_for_a_block(arguments, bucket)) return false;
{%- if sorts_positions %}
    if (is_loaded(bucket)) load_items(arguments, storage, bucket);
{%- endif %}
    DistinctKeys& distinct = *reinterpret_cast<DistinctKeys*>(storage.keys_to_sort);
    const unsigned int count = find_distinct_keys(arguments, storage, distinct, range, bucket);
    if (count > kMaxDistinctKeys) return false;
    const bool stays = !leaves_items(arguments);
    if (stays && count == 1) return true;  //~ equal-keys
{%- if sorts_positions %}
    // Items that the block has no room for cannot be written over each other.
    if (stays && !is_loaded(bucket)) return false;  //~ no-room-to-sort
{%- endif %}
    const WarpShare share = share_of_warp(bucket);
    unsigned int (&offsets)[kMaxDistinctKeys] = distinct.offsets[warp_of(threadIdx.x)];
    if (count > 1) {  //~ more-than-one-key
      for_rows_of_share(arguments, storage, bucket, share, [&](unsigned int, bool is_there, const BucketItem& item) {
        add_row(offsets, is_there, distinct.rank_of(compared_in_bucket(range, item.key)));
      });
      __syncthreads();
      make_offsets(storage, distinct);
      __syncthreads();
    }
{%- if sorts_positions %}
    [[maybe_unused]] const bool writes_keys = stays || arguments.writes_keys;
    for_rows_of_share(arguments, storage, bucket, share, [&](unsigned int at, bool is_there, const BucketItem& item) {
      const unsigned int offset = count > 1 ? add_row(offsets, is_there, distinct.rank_of(compared_in_bucket(range, item.key))) : at;
      if (is_there && writes_keys) arguments.keys_out[bucket.first + offset] = item.key;
{%- if value.exists %}
      if (is_there) arguments.values_out[bucket.first + offset] = item.value;  //~ value-of-distinct-key
{%- endif %}
    });
{%- else %}
    // All bits of the keys are known.
    const Bits above = bits_above_range(arguments, range, bucket);
    for (unsigned int rank = warp_of(threadIdx.x); rank < count; rank += kBucketWarps) {
      const Key key = to_key(above | distinct.sorted_keys[rank]);  //~ copied-distinct-key
      const unsigned int end = rank + 1 < count ? distinct.offsets[0][rank + 1] : bucket.size;
      for (unsigned int to = distinct.offsets[0][rank] + lane_of(threadIdx.x); to < end; to += 32) arguments.keys_out[bucket.first + to] = key;
    }
{%- endif %}
    return true;
  }

  // Finds the distinct keys of a bucket, and the rank of each. Returns their number, or any above kMaxDistinctKeys: then nothing else is known of
  // them. Barriers lie within, and one at the end.
  static __device__ __forceinline__ unsigned int find_distinct_keys(const Arguments& arguments, BucketStorage& storage, DistinctKeys& distinct,
                                                                    BucketRange range, Bucket bucket) {
    constexpr unsigned int kKeysAtOnce = 4;
    if (threadIdx.x < kHashSlots) distinct.compared_keys[threadIdx.x] = DistinctKeys::kNone;
    for (unsigned int i = threadIdx.x; i < kBucketWarps * kMaxDistinctKeys; i += kBucketThreads) (&distinct.offsets[0][0])[i] = 0;
    __syncthreads();
    // The thread's last key, which has been added.
    unsigned int added = DistinctKeys::kNone;
    for (unsigned int first = 0; first < bucket.size; first += kKeysAtOnce * kBucketThreads) {
      Key keys[kKeysAtOnce];
#pragma unroll
      for (unsigned int k = 0; k < kKeysAtOnce; ++k) {
        keys[k] = key_in_bucket(arguments, storage, bucket, first + k * kBucketThreads + threadIdx.x);
      }
      bool has_room = true;
#pragma unroll
      for (unsigned int k = 0; k < kKeysAtOnce; ++k) {
        const unsigned int compared = compared_in_bucket(range, keys[k]);
        if (has_room && (compared != added || compared == DistinctKeys::kNone)) has_room = distinct.add(compared);
        added = compared;
      }
      if (__syncthreads_or(!has_room)) return kMaxDistinctKeys + 1;
    }
    const unsigned int own = threadIdx.x < kHashSlots ? distinct.compared_keys[threadIdx.x] : DistinctKeys::kNone;
    const unsigned int count = __syncthreads_count(own != DistinctKeys::kNone);  //~ count-of-distinct-keys
    if (count > kMaxDistinctKeys) return count;
    if (own != DistinctKeys::kNone) {
      unsigned int rank = 0;
      for (unsigned int slot = 0; slot < kHashSlots; ++slot) {
        rank += distinct.compared_keys[slot] < own;  //~ rank-of-order
      }
      distinct.ranks[threadIdx.x] = rank;
      distinct.sorted_keys[rank] = own;
    }
    __syncthreads();
    return count;
  }

  // What keys of a bucket are known by: they are equal if and only if they compare equal.
  static __device__ __forceinline__ unsigned int compared_in_bucket(BucketRange range, Key key) {
    const unsigned int compared = compared_bits(to_ordered_bits(key));
{%- if maps_values %}
    // Its number within the bucket tells not all keys apart.
    if (range.is_mapped) return compared;  //~ order-of-mapped-key
{%- endif %}
    return compared >> range.bit & ((1u << range.bits) - 1u);
  }

  // Makes counts of all warps' shares the offsets of their first items of each rank. All threads call it; a barrier lies within.
  static __device__ __forceinline__ void make_offsets(BucketStorage& storage, DistinctKeys& distinct) {
    unsigned int sum = 0;
    if (threadIdx.x < kMaxDistinctKeys) {
      for (unsigned int warp = 0; warp < kBucketWarps; ++warp) sum += distinct.offsets[warp][threadIdx.x];
    }
    unsigned int total;
    unsigned int offset = BucketScan::exclusive_sum(storage.scan, threadIdx.x, sum, total);
    if (threadIdx.x >= kMaxDistinctKeys) return;
    for (unsigned int warp = 0; warp < kBucketWarps; ++warp) {
      const unsigned int items = distinct.offsets[warp][threadIdx.x];
      distinct.offsets[warp][threadIdx.x] = offset;
      offset += items;
    }
  }

  // Adds a row of the warp's items to `offsets`, by rank. Returns the item's own.
  static __device__ __forceinline__ unsigned int add_row(unsigned int (&offsets)[kMaxDistinctKeys], bool is_there, unsigned int rank) {
    const unsigned int lanes_below = (1u << lane_of(threadIdx.x)) - 1u;
    const unsigned int same = lanes_of_same_digit<kMaxDistinctKeysLog2>(rank) & __ballot_sync(~0u, is_there);
    const unsigned int first = offsets[rank];
    __syncwarp();
    if (is_there && (same & lanes_below) == 0) offsets[rank] = first + __popc(same);  //~ offset-of-next-row
    __syncwarp();  //~ row-of-distinct-keys
    return first + __popc(same & lanes_below);
  }

  // The items of a bucket that a warp counts and writes.
  struct WarpShare {
    unsigned int begin;
    unsigned int end;
  };

  static __device__ __forceinline__ WarpShare share_of_warp(Bucket bucket) {
    const unsigned int items = (bucket.size / kWarpThreads / kBucketWarps + 1) * kWarpThreads;  //~ share-of-bucket
    const unsigned int begin = warp_of(threadIdx.x) * items;
    return {begin < bucket.size ? begin : bucket.size, begin + items < bucket.size ? begin + items : bucket.size};
  }

  struct BucketItem {
    Key key;
{%- if value.exists %}
    Value value;
{%- endif %}
  };

  // Does `work` for each row of the share: for the index in the bucket of the lane's item, whether it is there, and the item. The items of some rows
  // are read at once.
  template <typename Work>
  static __device__ __forceinline__ void for_rows_of_share(const Arguments& arguments, const BucketStorage& storage, Bucket bucket, WarpShare share,
                                                           const Work& work) {
    constexpr unsigned int kShareRows = 2;
#pragma unroll 1
    for (unsigned int first = share.begin + lane_of(threadIdx.x); first < share.end + lane_of(threadIdx.x); first += 32 * kShareRows) {
      BucketItem items[kShareRows];
#pragma unroll
      for (unsigned int row = 0; row < kShareRows; ++row) {
        items[row].key = key_in_bucket(arguments, storage, bucket, first + 32 * row);
{%- if value.exists %}
        items[row].value = value_in_bucket(arguments, storage, bucket, first + 32 * row);
{%- endif %}
      }
#pragma unroll
      for (unsigned int row = 0; row < kShareRows; ++row) work(first + 32 * row, first + 32 * row < share.end, items[row]);
    }
  }

{%- if sorts_positions %}
  // Loads the items of a bucket that the block has room for. A barrier has to follow.
  static __device__ __forceinline__ void load_items(const Arguments& arguments, BucketStorage& storage, Bucket bucket) {
#pragma unroll 4
    for (unsigned int at = threadIdx.x; at < bucket.size; at += kBucketThreads) {
      const Count from = bucket.first + at;
{%- if interleaves %}
      storage.items[at] = leaves_items(arguments) ? remaining_items(arguments)[from] : Item{bits_as<StoredBits>(arguments.keys_out[from]), arguments.values_out[from]};
{%- else %}
      storage.keys[at] = bits_as<StoredBits>(arguments.keys_out[from]);
{%- if value.exists %}
      storage.values[at] = arguments.values_out[from];
{%- endif %}
{%- endif %}
    }
  }
{%- endif %}

  // Whether the bucket's items are in shared memory while it is sorted by distinct keys.
  static __device__ __forceinline__ bool is_loaded(Bucket bucket) { return kSortsPositions && bucket.size <= kBucketItems; }

  // The bucket's key of this index, or the last one where there are not as many.
  static __device__ __forceinline__ Key key_in_bucket(const Arguments& arguments, [[maybe_unused]] const BucketStorage& storage, Bucket bucket,
                                                      unsigned int index) {
    const unsigned int at = index < bucket.size ? index : bucket.size - 1;
{%- if sorts_positions %}
    if (is_loaded(bucket)) return bits_as<Key>(storage.{% if interleaves %}items[at].key{% else %}keys[at]{% endif %});
{%- endif %}
    return remaining_key(arguments, bucket.first + at);
  }
{%- if value.exists %}

  // The same of a value that is loaded, or lies with its key.
  static __device__ __forceinline__ Value value_in_bucket([[maybe_unused]] const Arguments& arguments, const BucketStorage& storage, Bucket bucket,
                                                          unsigned int index) {
    const unsigned int at = index < bucket.size ? index : bucket.size - 1;
{%- if interleaves %}
    if (!is_loaded(bucket)) return remaining_items(arguments)[bucket.first + at].value;
    return storage.items[at].value;
{%- else %}
    return storage.values[at];
{%- endif %}
  }
{%- endif %}
