 private:
  // The bucket of what is behind the last item.
  static constexpr unsigned int kNoBucket = kMaxBuckets;
  // Counters of a histogram: behind the last bucket there is kNoBucket, and what makes it 16 bytes.
  static constexpr unsigned int kHistogramBins = kMaxBuckets + {{ behind_buckets }};

  // Of an item of a tile, in one register:
  //
  //   | bucket: 16 bits | position in the tile as it is read: 16 bits |
  struct BucketPosition {
    unsigned int bits;
    static __device__ __forceinline__ BucketPosition pack(unsigned int bucket, unsigned int position) { return {bucket << 16 | position}; }
    __device__ __forceinline__ unsigned int position() const { return bits & 0xffff; }
    // Whether an item comes before another: in a bucket before, or in the same one and read before.
    __device__ __forceinline__ bool is_before(BucketPosition other) const { return bits < other.bits; }
  };

  // A tile's items by bucket: where each was, and what it is.
  struct SplitItems {
    BucketPosition bucket_positions[kTileItems];
    StoredBits keys[kTileItems];
{%- if value.is_read %}
    Value values[kTileItems];
{%- endif %}
  };

  // What a block of _split keeps in shared memory.
  struct SplitStorage {
{%- if !of_rows %}
    // As they are read, and sorted by each warp.
    Bits samples[2][kBlockThreads];
{%- endif %}
    // The compared bits from which on items of this tile are in a bucket or behind it: those of the middle, of both quarters, of the
    // four eighths, and so on; see find_buckets.
    Bits bounds[kMaxBuckets];
    // Of each round of as many buckets as the block has threads.
    unsigned int sums[kMaxBuckets / kBlockThreads][kWarps];
    union {
      // Each warp's count of its items in a bucket, then the position of the first of them.
      __align__(16) unsigned int histograms[kWarps][kHistogramBins];
      SplitItems items;
    };
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
{%- if of_rows %}
    // First all reads, so that they take the time of one.
{%- else %}
    const bool finds_splitters = !samples_come_first(arguments.n);
    // First all reads, so that they take the time of one.
    const unsigned int sample = offset_in_share<kBlockThreads>(threadIdx.x, static_cast<unsigned int>(arguments.n), random_of(arguments, threadIdx.x));
    Key sample_key;
    if (finds_splitters) sample_key = arguments.keys_in[sample];
{%- endif %}
    Key keys[kItemsPerThread];
{%- if value.is_read %}
    Value values[kItemsPerThread];
{%- endif %}
    load_tile(arguments, tile_start, keys{% if value.is_read %}, values{% endif %}, valid_items);
    clear_words<sizeof(storage.histograms), kBlockThreads, 1>(storage.histograms);
    // All that was read was there before the sort began.
    wait_for_previous_grid();  //~ grid-before-split
    let_next_grid_start();
{%- if of_rows %}
    const unsigned int bucket_of_max = buckets - 1 - set_bounds(arguments, storage, buckets);
{%- else %}
    unsigned int beyond;
    if (finds_splitters) {
      beyond = __syncthreads_count(make_splitters(arguments, storage, buckets, compared_of(arguments, sample_key), sample / kTileItems));
    } else {
      beyond = set_bounds(arguments, storage, buckets);
    }
    const unsigned int bucket_of_max = buckets - 1 - beyond;
{%- endif %}

    Buckets found;
    Ranks ranks;
    find_buckets(arguments, storage, buckets, bucket_of_max, keys, valid_items, found);
    rank_by_atomics(storage, found, ranks);
    scatter_items(arguments, storage, found, ranks, keys{% if value.is_read %}, values{% endif %}, valid_items);
    if (!is_in_order(storage, valid_items)) {  //~ order-of-lanes
      clear_words<sizeof(storage.histograms), kBlockThreads, 1>(storage.histograms);  //~ second-count
      __syncthreads();
      rank_by_ballots(storage, found, ranks);
      scatter_items(arguments, storage, found, ranks, keys{% if value.is_read %}, values{% endif %}, valid_items);
    }
    write_tile(arguments, storage, tile_start, valid_items);
  }

 private:
  // Of the items of a thread: the bucket, and the rank among the warp's items of it.
  using Buckets = unsigned int[kItemsPerThread];
  using Ranks = unsigned int[kItemsPerThread];

  static __device__ __forceinline__ void load_tile(const Arguments& arguments, unsigned long long tile_start, Key (&keys)[kItemsPerThread],
{%- if value.is_read %}
                                                   Value (&values)[kItemsPerThread],
{%- endif %}
                                                   unsigned int valid_items) {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = warp_striped<kItemsPerThread>(threadIdx.x, i);
      if (position >= valid_items) continue;
      keys[i] = arguments.keys_in[tile_start + position];
{%- if value.is_read %}
      values[i] = arguments.values_in[tile_start + position];
{%- endif %}
    }
  }

  // Writes the tile's items in their order in shared memory.
  static __device__ __forceinline__ void write_tile(const Arguments& arguments, const SplitStorage& storage, unsigned long long tile_start,
                                                    unsigned int valid_items) {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = i * kBlockThreads + threadIdx.x;
      if (position >= valid_items) continue;
      arguments.keys_alternate[tile_start + position] = bits_as<Key>(storage.items.keys[position]);
{%- if value.is_read %}
      arguments.values_alternate[tile_start + position] = storage.items.values[position];
{%- endif %}
{%- if value.is_position %}
      arguments.values_alternate[tile_start + position] = static_cast<Value>(tile_start + storage.items.bucket_positions[position].position());  //~ made-position-of-tile
{%- endif %}
    }
  }

  // What keys are compared by: the bits that take part.
  static __device__ __forceinline__ Bits compared_of(const Arguments& arguments, Key key) {
    if (arguments.begin_bit == arguments.end_bit) return 0;
    const Bits compared = compared_bits(to_ordered_bits(key));
    const int above = static_cast<int>(8 * sizeof(Bits)) - arguments.end_bit;
    return compared << above >> above >> arguments.begin_bit;  //~ compared-range
  }

  // A splitter's own tile and those behind it have their items of its compared bits in its bucket, those before it in the one
  // before. The maximum ones have none after them: returns whether it would take some.
  static __device__ __forceinline__ bool set_bound(SplitStorage& storage, unsigned int buckets, unsigned int bucket, Bits compared,
                                                   unsigned int tile) {
    if (bucket == 0) return false;
    const bool excludes_own = blockIdx.x < tile;  //~ equal-to-splitter
    const bool is_beyond = excludes_own && compared == ~Bits(0);
    // The odd numbers are of the lowest level of the search, the other ones' halves of those above it.
    storage.bounds[(bucket | buckets) >> __ffs(bucket)] = compared + (excludes_own && !is_beyond);
    return is_beyond;
  }

  // The bounds of all splitters. Returns how many nothing of this tile is after; see set_bound.
  static __device__ __forceinline__ unsigned int set_bounds(const Arguments& arguments, SplitStorage& storage, unsigned int buckets) {
    const Splitter* const splitters = splitters_of(arguments);
    unsigned int beyond = 0;
    for (unsigned int first = 0; first < buckets; first += kBlockThreads) {  //~ rounds-of-bounds
      const unsigned int bucket = first + threadIdx.x;
      beyond += __syncthreads_count(bucket < buckets && set_bound(storage, buckets, bucket, splitters[bucket].compared, splitters[bucket].tile));
    }
    return beyond;
  }

  // Each item's bucket: the last one with a bound that is not after its compared bits. All items are searched for at once: each alone would
  // wait for one read after the other. Bounds of one level lie side by side, so that lanes do not meet in a bank.
  static __device__ __forceinline__ void find_buckets(const Arguments& arguments, const SplitStorage& storage, unsigned int buckets,
                                                      unsigned int bucket_of_max, const Key (&keys)[kItemsPerThread],
                                                      unsigned int valid_items, Buckets& found) {
    Bits compared_keys[kItemsPerThread];
    ComparedIndex bounds[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      compared_keys[i] = warp_striped<kItemsPerThread>(threadIdx.x, i) < valid_items ? compared_of(arguments, keys[i]) : 0;
      bounds[i] = ComparedIndex::of(1);
    }
    // Below bound b of a level are bounds 2 * b and 2 * b + 1 of the next one.
    for (unsigned int level = 1; level < buckets; level *= 2) {  //~ levels
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        const bool is_behind = bounds[i].in(storage.bounds) <= compared_keys[i];
        bounds[i].bytes = 2 * bounds[i].bytes + (is_behind ? ComparedIndex::of(1).bytes : 0);
      }
    }
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      found[i] = bounds[i].index() - buckets;
      if (compared_keys[i] == ~Bits(0)) found[i] = bucket_of_max;  //~ maximum-item
      if (warp_striped<kItemsPerThread>(threadIdx.x, i) >= valid_items) found[i] = kNoBucket;  //~ items-past-end
    }
  }

  // Ranks each of the warp's items among those of its bucket in the warp, and counts them.
  //
  // A counter that is added to says how many came before. Among the lanes of one row it says in which order they were
  // served, which no manual promises to be theirs: see is_in_order. Where all lanes of a row have one bucket, one adds for all.
  static __device__ __forceinline__ void rank_by_atomics(SplitStorage& storage, const Buckets& found, Ranks& ranks) {
    unsigned int (&histogram)[kHistogramBins] = storage.histograms[warp_of(threadIdx.x)];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      if (__ballot_sync(~0u, found[i] == __shfl_sync(~0u, found[i], 0)) != ~0u) {
        ranks[i] = atomicAdd(&histogram[found[i]], 1u);
        continue;
      }
      unsigned int before = 0;
      if (lane_of(threadIdx.x) == 0) before = atomicAdd(&histogram[found[i]], 32u);  //~ row-of-one-bucket
      ranks[i] = __shfl_sync(~0u, before, 0) + lane_of(threadIdx.x);
    }
  }

  // The same by ballots, which no order of serving can change.
  static __device__ __forceinline__ void rank_by_ballots(SplitStorage& storage, const Buckets& found, Ranks& ranks) {
    unsigned int (&histogram)[kHistogramBins] = storage.histograms[warp_of(threadIdx.x)];
    const unsigned int lanes_below = (1u << lane_of(threadIdx.x)) - 1u;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int same = lanes_of_same_digit<{{ bucket_bits }}>(found[i]);
      const unsigned int before = histogram[found[i]];
      ranks[i] = before + __popc(same & lanes_below);  //~ ballot-number
      // All lanes have read; the lowest of each bucket writes for the next row.
      __syncwarp();
      if ((same & lanes_below) == 0) histogram[found[i]] = before + __popc(same);
      __syncwarp();  //~ row-of-buckets
    }
  }

  // Writes the items to their offsets in the tile.
  static __device__ __forceinline__ void scatter_items(const Arguments& arguments, SplitStorage& storage, const Buckets& found,
                                                       const Ranks& ranks, const Key (&keys)[kItemsPerThread],
{%- if value.is_read %}
                                                       const Value (&values)[kItemsPerThread],
{%- endif %}
                                                       unsigned int valid_items) {
    __syncthreads();
    find_tile_offsets(arguments, storage);
    __syncthreads();
    unsigned int offsets[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) offsets[i] = storage.histograms[warp_of(threadIdx.x)][found[i]] + ranks[i];
    // The items take the place of the histograms.
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = warp_striped<kItemsPerThread>(threadIdx.x, i);
      if (position >= valid_items) continue;
      storage.items.bucket_positions[offsets[i]] = BucketPosition::pack(found[i], position);
      storage.items.keys[offsets[i]] = bits_as<StoredBits>(keys[i]);  //~ placed-key
{%- if value.is_read %}
      storage.items.values[offsets[i]] = values[i];  //~ placed-value
{%- endif %}
    }
    __syncthreads();
  }

  // Makes every warp's count of a bucket the offset of the first of those items: behind all items of lower buckets, and behind those of
  // the same bucket in the warps below. A thread has a bucket of each round.
  static __device__ __forceinline__ void find_tile_offsets(const Arguments& arguments, SplitStorage& storage) {
    const unsigned int buckets = bucket_count(arguments.n);
    unsigned int before = 0;
#pragma unroll 1
    for (unsigned int round = 0; round * kBlockThreads < buckets; ++round) {  //~ rounds-of-offsets
      const unsigned int bucket = round * kBlockThreads + threadIdx.x;
      unsigned int counts[kWarps];
      unsigned int sum = 0;
#pragma unroll
      for (unsigned int warp = 0; warp < kWarps; ++warp) {
        counts[warp] = storage.histograms[warp][bucket];
        sum += counts[warp];
      }
      unsigned int total;
      unsigned int start = before + exclusive_sum(storage.sums[round], sum, total);
      before += total;  //~ buckets-of-rounds-before
      if (bucket < buckets) tile_offsets_of(arguments)[bucket * tile_count(arguments.n) + blockIdx.x] = static_cast<unsigned short>(start);  //~ start-in-tile
#pragma unroll
      for (unsigned int warp = 0; warp < kWarps; ++warp) {
        storage.histograms[warp][bucket] = start;
        start += counts[warp];
      }
    }
  }

  // Whether items of each bucket are in the order in which they were read, and buckets in theirs.
  static __device__ __forceinline__ bool is_in_order(const SplitStorage& storage, unsigned int valid_items) {
    bool is_right = true;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = i * kBlockThreads + threadIdx.x;
      if (position + 1 < valid_items) is_right &= storage.items.bucket_positions[position].is_before(storage.items.bucket_positions[position + 1]);  //~ items-in-order
    }
    return __syncthreads_and(is_right);
  }
