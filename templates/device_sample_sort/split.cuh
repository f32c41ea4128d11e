  // Orders a tile's items by bucket.
  using PartitionSort = {{ partition }};

  // What a block of _split keeps in shared memory.
  struct SplitStorage {
    // The tile as it is read.
    StoredBits keys[kTileItems];
{%- if reads_values %}
    Value values[kTileItems];
{%- endif %}
    // As they are read, and sorted by each warp.
    Bits samples[2][kBlockThreads];
    // For this tile: the order from which on items are in the bucket or behind it.
    Bits bounds[kMaxBuckets];
    unsigned int counts[kMaxBuckets];
    unsigned int warp_sums[kWarps];
    __align__(16) typename PartitionSort::TempStorage sort;
  };
  static_assert(sizeof(SplitStorage) == kSplitSharedBytes, "the storage is laid out as planned");

 public:
  // Partitions one tile by bucket, and tells where in it each bucket begins.
  static __device__ __forceinline__ void split(const Arguments& arguments, unsigned char* shared) {
    SplitStorage& storage = *reinterpret_cast<SplitStorage*>(shared);
    const unsigned int tile = blockIdx.x;
    const unsigned long long tile_start = static_cast<unsigned long long>(tile) * kTileItems;
    const unsigned int valid_items = items_of_tile(arguments, tile);
    const unsigned int buckets = bucket_count(arguments.n);
    const bool finds_splitters = !samples_come_first(arguments.n);
    // First all reads, so that they take the time of one.
    const unsigned int sample = sample_position(arguments, threadIdx.x, kBlockThreads);
    Key sample_key;
    if (finds_splitters) sample_key = arguments.keys_in[sample];
    Key keys[kItemsPerThread];
{%- if reads_values %}
    Value values[kItemsPerThread];
{%- endif %}
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = warp_striped<kItemsPerThread>(i);
      if (position < valid_items) {
        keys[i] = arguments.keys_in[tile_start + position];
{%- if reads_values %}
        values[i] = arguments.values_in[tile_start + position];
{%- endif %}
      }
    }
    Bits orders[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = warp_striped<kItemsPerThread>(i);
      orders[i] = 0;
      if (position >= valid_items) continue;
      storage.keys[position] = bits_as<StoredBits>(keys[i]);
      orders[i] = order_of(arguments, keys[i]);
{%- if reads_values %}
      storage.values[position] = values[i];
{%- endif %}
    }
    storage.counts[threadIdx.x] = 0;
    // All that was read was there before the sort began.
    wait_for_previous_grid();
    let_next_grid_start();
    bool is_beyond;
    if (finds_splitters) {
      is_beyond = make_splitters(arguments, storage, buckets, order_of(arguments, sample_key), sample / kTileItems);
    } else {
      const Splitters& splitters = splitters_of(arguments);
      is_beyond = threadIdx.x < buckets && set_bound(storage, threadIdx.x, splitters.orders[threadIdx.x], splitters.tiles[threadIdx.x]);
    }
    const unsigned int bucket_of_greatest = buckets - 1 - __syncthreads_count(is_beyond);

    unsigned short digits[kItemsPerThread];
    unsigned int positions[kItemsPerThread];
    find_buckets(storage, buckets, bucket_of_greatest, orders, digits);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      if (warp_striped<kItemsPerThread>(i) < valid_items) atomicAdd(&storage.counts[digits[i]], 1u);
    }
    // The barriers order the counts before their readers, and these before the readers of their sums.
    __syncthreads();
    const unsigned int inclusive = inclusive_sum_in_warp(storage.counts[threadIdx.x], ~0u);
    if (threadIdx.x % 32 == 31) storage.warp_sums[threadIdx.x / 32] = inclusive;
    PartitionSort(storage.sort).SortWarpStripedToStriped(digits, positions, 0, 31 - __clz(buckets), static_cast<int>(valid_items));
    if (threadIdx.x < buckets) write_start(arguments, storage, inclusive - storage.counts[threadIdx.x]);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = i * kBlockThreads + threadIdx.x;
      if (position >= valid_items) continue;
      arguments.keys_alternate[tile_start + position] = bits_as<Key>(storage.keys[positions[i]]);
{%- if reads_values %}
      arguments.values_alternate[tile_start + position] = storage.values[positions[i]];
{%- endif %}
{%- if makes_positions %}
      arguments.values_alternate[tile_start + position] = static_cast<Value>(tile_start + positions[i]);
{%- endif %}
    }
  }

 private:
  // What keys are compared by: the bits that take part.
  static __device__ __forceinline__ Bits order_of(const Arguments& arguments, Key key) {
    if (arguments.begin_bit == arguments.end_bit) return 0;
    const Bits compared = {% if key.is_float %}compared_bits(to_ordered_bits(key)){% else %}to_ordered_bits(key){% endif %};
    const int above = static_cast<int>(8 * sizeof(Bits)) - arguments.end_bit;
    return compared << above >> above >> arguments.begin_bit;
  }

  // A splitter's own tile and those behind it have their items of its order in its bucket, those before it in the one
  // before. The greatest order has no order after it: returns whether it would take one.
  static __device__ __forceinline__ bool set_bound(SplitStorage& storage, unsigned int bucket, Bits order, unsigned int tile) {
    const bool excludes_own = blockIdx.x < tile;
    const bool is_beyond = excludes_own && order == ~Bits(0);
    storage.bounds[bucket] = order + (excludes_own && !is_beyond);
    return is_beyond && bucket > 0;
  }

  // Each item's bucket: the last one whose bound is not after its order. All items are searched for at once: each alone would
  // wait for one read after the other.
  static __device__ __forceinline__ void find_buckets(const SplitStorage& storage, unsigned int buckets, unsigned int bucket_of_greatest,
                                                      const Bits (&orders)[kItemsPerThread],
                                                      unsigned short (&found)[kItemsPerThread]) {
    unsigned int at[kItemsPerThread] = {};
    for (unsigned int step = buckets / 2; step > 0; step /= 2) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        if (storage.bounds[at[i] + step] <= orders[i]) at[i] += step;
      }
    }
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      found[i] = static_cast<unsigned short>(orders[i] == ~Bits(0) ? bucket_of_greatest : at[i]);
    }
  }

  // Where the thread's bucket begins in the tile: behind the items of the buckets before it, those of its warp's included.
  static __device__ __forceinline__ void write_start(const Arguments& arguments, const SplitStorage& storage,
                                                     unsigned int before_in_warp) {
    unsigned int start = before_in_warp;
#pragma unroll
    for (unsigned int warp = 0; warp < kWarps; ++warp) {
      if (warp < threadIdx.x / 32) start += storage.warp_sums[warp];
    }
    starts_of(arguments)[threadIdx.x * tile_count(arguments.n) + blockIdx.x] = static_cast<unsigned short>(start);
  }
