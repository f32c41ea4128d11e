 public:
  // Lists the buckets of one parent by size: a thread for each bucket.
  static __device__ __forceinline__ void list_buckets(const Arguments& arguments, unsigned char* shared) {
    ListStorage& storage = *reinterpret_cast<ListStorage*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const Parents& parents = scratch.parents();
    const unsigned int parent_begin = parents.begins[blockIdx.x];
    const unsigned int items = parents.begins[blockIdx.x + 1] - parent_begin;
    if (items == 0) return;
    const ComparedRange range = range_of_parent(arguments, parents, blockIdx.x);
    if (range.min == range.max) {  //~ parent-of-equal-keys
      list_parent(scratch, storage, parent_begin, items);
      return;
    }
    if (threadIdx.x < kLists) storage.chunks[threadIdx.x] = 0;
    const unsigned int size = bucket_size(arguments, scratch, blockIdx.x);
    bool is_equal = false;
    bool overflows = false;
    if (size != 0) {
      const ComparedRange of_bucket = range_of_bucket(arguments, scratch, blockIdx.x, threadIdx.x);
      is_equal = of_bucket.min == of_bucket.max;  //~ equal-keys-of-bucket
      overflows = scratch.overflows(blockIdx.x)[threadIdx.x] != 0;
    }
    unsigned int total;
    // All have cleared what they count in behind the sum's barrier.
    const unsigned int begin = parent_begin + WarpScans<kListThreads>::exclusive_sum(storage.sums, threadIdx.x, size, total);
    list_chunks(scratch, storage, begin, size, is_equal, overflows);
  }

 private:
  // What a block of _list_buckets keeps in shared memory.
  struct ListStorage {
    typename WarpScans<kListThreads>::Storage sums;
    // The block's chunks of each list, and the index in the list of the first of them.
    unsigned int chunks[kLists];
    unsigned int first[kLists];
  };
  static_assert(sizeof(ListStorage) == kListSharedBytes, "the storage is laid out as planned");

  // The items of the thread's bucket of a parent.
  static __device__ __forceinline__ unsigned int bucket_size(const Arguments& arguments, const Scratch& scratch, unsigned int parent) {
    const unsigned int bucket = threadIdx.x;
    if (!has_two_levels(arguments.n)) return bucket < kOnlyBuckets ? scratch.counts().sizes[bucket] : 0;
    if (bucket >= kBuckets) return 0;
    const Parents& parents = scratch.parents();
    const unsigned int items = parents.begins[parent + 1] - parents.begins[parent];
    const unsigned short* const offsets = scratch.tile_offsets() + static_cast<unsigned long long>(parents.tiles[parent]) * kBuckets;
    unsigned int size = 0;
#pragma unroll 8
    for (unsigned int tile = 0; tile < tiles_of(items); ++tile) {
      size += piece_size(offsets + static_cast<unsigned long long>(tile) * kBuckets, bucket, kBuckets, tile_items(items, tile));
    }
    return size;
  }

  // Lists the chunks of a parent of equal keys. All threads of the block call it.
  static __device__ __forceinline__ void list_parent(const Scratch& scratch, ListStorage& storage, unsigned int begin, unsigned int items) {
    const unsigned int chunks = tiles_of(items);
    if (threadIdx.x == 0) storage.first[kEqualList] = atomicAdd(&scratch.counts().chunks[kEqualList], chunks);  //~ first-chunk-of-parent
    __syncthreads();
    for (unsigned int chunk = threadIdx.x; chunk < chunks; chunk += kListThreads) {
      const unsigned int from = chunk * kTileItems;
      scratch.chunks(kEqualList)[storage.first[kEqualList] + chunk] =
          Chunk{begin + from, from, tile_items(items, chunk), static_cast<unsigned short>(blockIdx.x), kAllOfParent};
    }
  }

  // Lists the chunks of the threads' buckets, of a block's in any order. All threads of the block call it, with a barrier since the
  // storage's chunks were cleared.
  static __device__ __forceinline__ void list_chunks(const Scratch& scratch, ListStorage& storage, unsigned int begin, unsigned int size,
                                                     bool is_equal, bool overflows) {
    unsigned int size_class = 0;
    while (size_class + 1 < kClasses && size > class_items(size_class)) ++size_class;  //~ class-of-bucket
    const bool is_oversized = !is_equal && size > kMaxChunkItems;  //~ oversized-bucket
    if (is_oversized) {
      scratch.oversized()[atomicAdd(&scratch.counts().oversized, 1u)] = OversizedBucket{begin, size};  //~ index-of-oversized-bucket
    }
    const unsigned int list = is_equal ? kEqualList : is_oversized || overflows ? kClasses + size_class : size_class;
    const unsigned int chunk_items = is_equal ? static_cast<unsigned int>(kTileItems) : class_items(size_class);
    const unsigned int chunks = (size + chunk_items - 1) / chunk_items;
    unsigned int first = chunks == 0 ? 0 : atomicAdd(&storage.chunks[list], chunks);
    __syncthreads();
    if (threadIdx.x < kLists) {
      storage.first[threadIdx.x] = atomicAdd(&scratch.counts().chunks[threadIdx.x], storage.chunks[threadIdx.x]);
    }
    __syncthreads();
    first += storage.first[list];
    for (unsigned int chunk = 0; chunk < chunks; ++chunk) {
      const unsigned int from = chunk * chunk_items;
      scratch.chunks(list)[first + chunk] = Chunk{begin + from, from, minimum(size - from, chunk_items),
                                                  static_cast<unsigned short>(blockIdx.x), static_cast<unsigned short>(threadIdx.x)};
    }
  }
