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
    // The least item of each bucket but the first: its key's order, and its tile.
    Bits splitters[kMaxBuckets];
    unsigned int splitter_tiles[kMaxBuckets];
    unsigned int counts[kMaxBuckets];
    __align__(16) typename PartitionSort::TempStorage sort;
  };
  static_assert(sizeof(SplitStorage) == kSplitSharedBytes, "the storage is laid out as planned");

 public:
  // Partitions one tile by bucket, and tells where in it each bucket begins.
  static __device__ __forceinline__ void split(const Arguments& arguments, unsigned char* shared) {
    wait_for_previous_grid();
    let_next_grid_start();
    SplitStorage& storage = *reinterpret_cast<SplitStorage*>(shared);
    const unsigned int tile = blockIdx.x;
    const unsigned long long tile_start = static_cast<unsigned long long>(tile) * kTileItems;
    const unsigned int valid_items = items_of_tile(arguments, tile);
    const unsigned int buckets = bucket_count(arguments.n);
    Bits orders[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = warp_striped<kItemsPerThread>(i);
      orders[i] = 0;
      if (position >= valid_items) continue;
      const Key key = arguments.keys_in[tile_start + position];
      storage.keys[position] = bits_as<StoredBits>(key);
      orders[i] = order_of(arguments, key);
{%- if reads_values %}
      storage.values[position] = arguments.values_in[tile_start + position];
{%- endif %}
    }
    if (threadIdx.x < kMaxBuckets) storage.counts[threadIdx.x] = 0;
    make_splitters(arguments, storage, buckets);

    unsigned char digits[kItemsPerThread];
    unsigned int positions[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int bucket = bucket_of(storage, buckets, orders[i], tile);
      digits[i] = static_cast<unsigned char>(bucket);
      if (warp_striped<kItemsPerThread>(i) < valid_items) atomicAdd(&storage.counts[bucket], 1u);
    }
    // Its barriers also order the counts before their reader.
    PartitionSort(storage.sort).SortWarpStripedToStriped(digits, positions, 0, {{ bucket_bits }}, static_cast<int>(valid_items));
    if (threadIdx.x < 32) write_starts(arguments, storage, buckets, tile);
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

  // The bucket of an item of this order in this tile: how many splitters are not after it. Equal items of a splitter's own
  // tile count as not before it, so that they stay together.
  static __device__ __forceinline__ unsigned int bucket_of(const SplitStorage& storage, unsigned int buckets, Bits order,
                                                           unsigned int tile) {
    unsigned int bucket = 0;
    for (unsigned int step = buckets / 2; step > 0; step /= 2) {
      const Bits splitter = storage.splitters[bucket + step];
      const bool is_before = order < splitter || (order == splitter && tile < storage.splitter_tiles[bucket + step]);
      if (!is_before) bucket += step;
    }
    return bucket;
  }

  // One warp.
  static __device__ __forceinline__ void write_starts(const Arguments& arguments, const SplitStorage& storage,
                                                      unsigned int buckets, unsigned int tile) {
    unsigned int before = 0;
    for (unsigned int first = 0; first < buckets; first += 32) {
      const unsigned int bucket = first + threadIdx.x;
      const unsigned int count = bucket < buckets ? storage.counts[bucket] : 0;
      const unsigned int inclusive = inclusive_sum_in_warp(count, ~0u);
      if (bucket < buckets) starts_of(arguments)[bucket * tile_count(arguments.n) + tile] = before + inclusive - count;
      before += __shfl_sync(~0u, inclusive, 31);
    }
  }
