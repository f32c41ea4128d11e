 private:
  // What a block of _list_buckets keeps in shared memory.
  struct ListStorage {
    typename WarpScans<kListThreads>::Storage sums;
    // The index in the list of the block's first chunk.
    unsigned int first;
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

  // Whether the thread's bucket, which has items, is of equal keys: the least order that it may have is the max one too.
  static __device__ __forceinline__ bool has_equal_keys(const Arguments& arguments, const Scratch& scratch, OrderRange range) {
    const bool two_levels = has_two_levels(arguments.n);
    const unsigned int buckets = two_levels ? kBuckets : kOnlyBuckets;
    const unsigned int levels = log2_of(buckets);
    const Bits* const tree = two_levels ? scratch.parent_splitters(blockIdx.x) : scratch.splitters();
    const unsigned int bucket = threadIdx.x;
    const Bits min = bucket == 0 ? range.min : tree[node_of(bucket, levels)];
    return min == (bucket + 1 < buckets ? tree[node_of(bucket + 1, levels)] - 1 : range.max);  //~ equal-keys-of-bucket
  }

  // Lists the chunks of a parent of equal keys. All threads of the block call it.
  static __device__ __forceinline__ void list_parent(const Scratch& scratch, ListStorage& storage, unsigned int begin, unsigned int items) {
    const unsigned int chunks = tiles_of(items);
    if (threadIdx.x == 0) storage.first = atomicAdd(&scratch.counts().chunks[kEqualList], chunks);
    __syncthreads();
    for (unsigned int chunk = threadIdx.x; chunk < chunks; chunk += kListThreads) {
      const unsigned int from = chunk * kTileItems;
      scratch.chunks(kEqualList)[storage.first + chunk] = Chunk{begin + from, from, tile_items(items, chunk), blockIdx.x, kAllOfParent};
    }
  }

  // Lists the chunks of the threads' buckets. All threads of the block call it.
  static __device__ __forceinline__ void list_chunks(const Scratch& scratch, ListStorage& storage, unsigned int begin, unsigned int size,
                                                     bool is_equal) {
    unsigned int own_list = is_equal ? kEqualList : 0;
    while (own_list + 1 < kClasses && size > class_items(own_list)) ++own_list;  //~ class-of-bucket
    const unsigned int chunk_items = is_equal ? static_cast<unsigned int>(kTileItems) : class_items(own_list);
    const unsigned int own_chunks = (size + chunk_items - 1) / chunk_items;
    if (!is_equal && size > kMaxChunkItems) {  //~ oversized-bucket
      scratch.oversized()[atomicAdd(&scratch.counts().oversized, 1u)] = OversizedBucket{begin, size};  //~ index-of-oversized-bucket
    }
    for (unsigned int list = 0; list < kLists; ++list) {
      const unsigned int chunks = list == own_list ? own_chunks : 0;
      // The sums and the first index of the list before have been read.
      __syncthreads();
      unsigned int total;
      const unsigned int before = WarpScans<kListThreads>::exclusive_sum(storage.sums, threadIdx.x, chunks, total);
      if (threadIdx.x == 0) storage.first = atomicAdd(&scratch.counts().chunks[list], total);
      __syncthreads();
      for (unsigned int chunk = 0; chunk < chunks; ++chunk) {
        const unsigned int from = chunk * chunk_items;
        scratch.chunks(list)[storage.first + before + chunk] =
            Chunk{begin + from, from, minimum(size - from, chunk_items), blockIdx.x, threadIdx.x};
      }
    }
  }

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
    const OrderRange range = range_of_parent(arguments, parents, blockIdx.x);
    if (range.min == range.max) {  //~ parent-of-equal-keys
      list_parent(scratch, storage, parent_begin, items);
      return;
    }
    const unsigned int size = bucket_size(arguments, scratch, blockIdx.x);
    const bool is_equal = size != 0 && has_equal_keys(arguments, scratch, range);
    unsigned int total;
    const unsigned int begin = parent_begin + WarpScans<kListThreads>::exclusive_sum(storage.sums, threadIdx.x, size, total);
    list_chunks(scratch, storage, begin, size, is_equal);
  }
