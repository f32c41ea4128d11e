 private:
  // Of an item of a tile, its bucket, and how many of its warp's items in front of it are of the same:
  //
  //   | bucket: 16 bits | rank: 16 bits |
  struct RankedItem {
    unsigned int bits;
    static __device__ __forceinline__ RankedItem pack(unsigned int bucket, unsigned int rank) { return {bucket << 16 | rank}; }
    __device__ __forceinline__ unsigned int bucket() const { return bits >> 16; }
    __device__ __forceinline__ unsigned int rank() const { return bits & 0xffffu; }
  };

 public:
  // What a block that moves items has in shared memory.
  struct ScatterStorage {
    union {
      // The tile by buckets.
      Key keys[kTileItems];
{%- if value.exists %}
      Value values[kTileItems];
{%- endif %}
    };
    Bits splitters[kMaxBuckets];
    // Where the item in front of all of the tile would go, if it were of the bucket.
    unsigned long long keys_to[kMaxBuckets];
    unsigned long long values_to[kMaxBuckets];
    // Each warp's items of a bucket, then the offset of its next one.
    unsigned int offsets[kWarps][kMaxBuckets];
    typename WarpScans<kBlockThreads>::Storage sums;
    unsigned char buckets[kTileItems];
  };
  static_assert(sizeof(ScatterStorage) == kScatterSharedBytes, "the storage is laid out as planned");

  // Moves the items of a tile to their buckets' destinations.
  static __device__ __forceinline__ void scatter_tile(const Arguments& arguments, ScatterStorage& storage) {
    if (threadIdx.x < kMaxBuckets) storage.splitters[threadIdx.x] = arguments.splitters[threadIdx.x];
    unsigned int* const of_warp = storage.offsets[warp_of(threadIdx.x)];
#pragma unroll 1
    for (unsigned int bucket = lane_of(threadIdx.x); bucket < kMaxBuckets; bucket += 32) of_warp[bucket] = 0;
    __syncthreads();
    Key keys[kItemsPerThread];
    RankedItem ranked[kItemsPerThread];
    const unsigned int lanes_below = (1u << lane_of(threadIdx.x)) - 1;
    for_each_key(arguments, storage.splitters, [&](int item, Key key, unsigned int bucket, bool is_valid) {
      keys[item] = key;
      // Items behind the last one are the last bucket's last ones.
      const unsigned int own = is_valid ? bucket : kMaxBuckets - 1;  //~ behind-last-item
      const unsigned int same = lanes_of_same_digit<kBucketBits>(own);
      const unsigned int before = of_warp[own];
      ranked[item] = RankedItem::pack(own, before + __popc(static_cast<int>(same & lanes_below)));  //~ rank-in-warp
      // All lanes have read it.
      __syncwarp();
      if ((same & lanes_below) == 0) of_warp[own] = before + __popc(static_cast<int>(same));
      __syncwarp();
    });
    __syncthreads();
    find_offsets(arguments, storage);
    // In the tile by buckets.
    unsigned int offsets[kItemsPerThread];
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) {
      offsets[item] = of_warp[ranked[item].bucket()] + ranked[item].rank();
      storage.keys[offsets[item]] = keys[item];
      storage.buckets[offsets[item]] = static_cast<unsigned char>(ranked[item].bucket());
    }
    __syncthreads();
    const unsigned long long tile_begin = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
    const unsigned long long left = arguments.n - tile_begin;
    const unsigned int valid_items = left < kTileItems ? static_cast<unsigned int>(left) : kTileItems;
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) {
      const unsigned int offset = item * kBlockThreads + threadIdx.x;
      if (offset < valid_items) reinterpret_cast<Key*>(storage.keys_to[storage.buckets[offset]])[offset] = storage.keys[offset];  //~ moved-key
    }
{%- if value.exists %}
    // All keys have been read.
    __syncthreads();
    const unsigned int first = warp_striped<kItemsPerThread>(threadIdx.x, 0);
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) {
{%- if value.is_position %}
      storage.values[offsets[item]] = arguments.first_position + tile_begin + first + 32 * item;  //~ position
{%- else %}
      if (first + 32 * item < valid_items) storage.values[offsets[item]] = arguments.values[tile_begin + first + 32 * item];
{%- endif %}
    }
    __syncthreads();
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) {
      const unsigned int offset = item * kBlockThreads + threadIdx.x;
      if (offset < valid_items) reinterpret_cast<Value*>(storage.values_to[storage.buckets[offset]])[offset] = storage.values[offset];  //~ moved-value
    }
{%- endif %}
  }

 private:
  // Makes the warps' counts the offsets of their first items of each bucket, and finds where buckets go. It ends with a barrier.
  static __device__ __forceinline__ void find_offsets(const Arguments& arguments, ScatterStorage& storage) {
    const unsigned int bucket = threadIdx.x;
    unsigned int size = 0;
    if (bucket < kMaxBuckets) {
#pragma unroll
      for (unsigned int warp = 0; warp < kWarps; ++warp) {
        const unsigned int count = storage.offsets[warp][bucket];
        storage.offsets[warp][bucket] = size;
        size += count;
      }
    }
    unsigned int total;
    const unsigned int offset = WarpScans<kBlockThreads>::exclusive_sum(storage.sums, bucket, size, total);
    if (bucket < kMaxBuckets) {
#pragma unroll
      for (unsigned int warp = 0; warp < kWarps; ++warp) storage.offsets[warp][bucket] += offset;
      if (bucket < arguments.buckets) {
        // The difference may wrap, and the sum with an item's offset wraps back.
        const unsigned long long before = arguments.offsets[static_cast<unsigned long long>(bucket) * gridDim.x + blockIdx.x] - offset;
        storage.keys_to[bucket] = arguments.destinations[bucket] + before * sizeof(Key);
{%- if value.exists %}
        storage.values_to[bucket] = arguments.destinations[kMaxBuckets + bucket] + before * sizeof(Value);
{%- endif %}
      }
    }
    __syncthreads();
  }
