 public:
  // How many entries each warp of a block appends to each list, then the slot of its first one.
  struct ClassifyStorage {
    unsigned long long slots[kLists][kWarps];
  };
  static_assert(sizeof(ClassifyStorage) == kClassifySharedBytes, "the storage is laid out as planned");

  // Lists the segments, and does what those of one item take. A thread has a segment.
  static __device__ __forceinline__ void classify(const Arguments& arguments, const Count& counted, ClassifyStorage& storage) {
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * kBlockThreads;
    const unsigned long long first = static_cast<unsigned long long>(blockIdx.x) * kBlockThreads;
{%- if value.is_position %}
    if (arguments.absolute_positions != 0) {
      for (unsigned long long i = first + threadIdx.x; i < arguments.n; i += stride) {
        arguments.values_out[i] = static_cast<Value>(i);  //~ identity
      }
    }
{%- endif %}
    // All threads of the block go on together, and those past the last segment have an empty one.
    const unsigned long long segments = counted_segments(arguments, counted);
    for (unsigned long long start = first; start < segments; start += stride) {  //~ next-segments
      const unsigned long long segment = start + threadIdx.x;
      const bool exists = segment < segments;  //~ last-segment
      const unsigned long long begin = exists ? begin_of(arguments, counted, segment) : 0;
      const unsigned long long end = exists ? end_of(arguments, counted, segment, begin) : 0;
      const unsigned long long items = begin < end ? end - begin : 0;  //~ empty-segment
      if (items == 1) copy_item(arguments, begin);
      const List list = list_of_length(items);
      const unsigned long long before = entries_before(arguments, storage, list, items);
      __syncthreads();  //~ counted-entries
      if (threadIdx.x < kLists) take_slots(arguments, storage, static_cast<List>(threadIdx.x));
      __syncthreads();  //~ slots-of-warps
      append(arguments, storage, list, before, begin, end);
      append_tiles(arguments, storage, list == kOfLongSegments, before, begin, end);
      // A warp's slots are for its next segments.
      __syncwarp();
    }
  }

 private:
  static __device__ __forceinline__ List list_of_length(unsigned long long items) {
    if (items < 2) return kLists;
    if (items <= kGroupLanes) return kOfLanes;  //~ class-of-lanes
    if (items <= kWarpThreads) return kOfRanks;  //~ class-of-ranks
    if (items <= kWarpItems) return kOfWarps;  //~ class-of-warps
    return items <= kTileItems ? kOfBlocks : kOfLongSegments;  //~ class-of-blocks
  }

  static __device__ __forceinline__ unsigned long long tiles_of(unsigned long long items) {
    return (items + kTileItems - 1) / kTileItems;  //~ tiles-of-segment
  }

  // How many entries of the warp's come before the thread's in its list, of which a long segment has one for each tile. It counts all
  // entries of the warp.
  static __device__ __forceinline__ unsigned long long entries_before(const Arguments& arguments, ClassifyStorage& storage, List own,
                                                                      unsigned long long items) {
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned int warp = warp_of(threadIdx.x);
    unsigned long long before = 0;
#pragma unroll
    for (int list = 0; list < kOfLongSegments; ++list) {
      const unsigned int lanes = __ballot_sync(~0u, own == list);
      if (lane == 0) storage.slots[list][warp] = __popc(lanes);  //~ entries-of-warp
      if (own == list) before = __popc(lanes & ((1u << lane) - 1u));  //~ slot-of-lane
    }
    const bool is_long = own == kOfLongSegments;
    unsigned long long tiles = 0;
    if (__any_sync(~0u, is_long)) {
      const unsigned long long own_tiles = is_long ? tiles_of(items) : 0;
      unsigned long long longest = is_long ? items : 0;
      tiles = own_tiles;
#pragma unroll
      for (unsigned int distance = 1; distance < kWarpThreads; distance *= 2) {
        const unsigned long long tiles_before = __shfl_up_sync(~0u, tiles, distance);
        const unsigned long long other = __shfl_xor_sync(~0u, longest, static_cast<int>(distance));
        tiles += lane >= distance ? tiles_before : 0;  //~ tiles-of-lanes-before
        longest = longest < other ? other : longest;
      }
      if (is_long) before = tiles - own_tiles;  //~ base-of-lane
      if (lane == 0) atomicMax(longest_of(arguments), longest);  //~ longest
    }
    if (lane == kWarpThreads - 1) storage.slots[kOfLongSegments][warp] = tiles;
    return before;
  }

  // Makes each warp's entries of a list the slot of the first of them, by one atomic for the block.
  static __device__ __forceinline__ void take_slots(const Arguments& arguments, ClassifyStorage& storage, List list) {
    unsigned long long entries = 0;
    for (unsigned int warp = 0; warp < kWarps; ++warp) entries += storage.slots[list][warp];
    if (entries == 0) return;
    unsigned long long slot = atomicAdd(static_cast<unsigned long long*>(arguments.workspace) + list, entries);  //~ append
    for (unsigned int warp = 0; warp < kWarps; ++warp) {
      const unsigned long long of_warp = storage.slots[list][warp];
      storage.slots[list][warp] = slot;
      slot += of_warp;  //~ slots-of-warps-before
    }
  }

  // The segments that there are, of those that there may be.
  static __device__ __forceinline__ unsigned long long counted_segments(const Arguments& arguments, const Count& counted) {
    if (counted.count == nullptr) return arguments.segments;
    const unsigned long long count = number_at(counted.count, counted.count_bytes, 0);  //~ count-of-segments
    return count < arguments.segments ? count : arguments.segments;  //~ clamped-count
  }

  // Where a segment begins: at most n.
  static __device__ __forceinline__ unsigned long long begin_of(const Arguments& arguments, const Count& counted, unsigned long long segment) {
    const unsigned long long begin =
        arguments.begins == nullptr ? segment * counted.segment_stride : offset_at(arguments, counted, arguments.begins, segment);  //~ begin-of-segment
    return clamped(arguments, begin);
  }

  // Where a segment ends that begins there: at most n.
  static __device__ __forceinline__ unsigned long long end_of(const Arguments& arguments, const Count& counted, unsigned long long segment,
                                                              unsigned long long begin) {
    const unsigned long long end =
        arguments.ends == nullptr ? begin + counted.segment_items : offset_at(arguments, counted, arguments.ends, segment);  //~ end-of-segment
    return clamped(arguments, end);
  }

  static __device__ __forceinline__ unsigned long long offset_at(const Arguments& arguments, const Count& counted, const void* offsets, unsigned long long segment) {
    return number_at(offsets, arguments.offset_bytes, counted.signed_offsets != 0, segment);
  }

  static __device__ __forceinline__ unsigned long long clamped(const Arguments& arguments, unsigned long long offset) {
    return offset < arguments.n ? offset : arguments.n;  //~ clamped-offset
  }

  static __device__ __forceinline__ void copy_item(const Arguments& arguments, unsigned long long item) {
    if (arguments.keys_out != arguments.keys_in) arguments.keys_out[item] = arguments.keys_in[item];
{%- if value.is_read %}
    if (arguments.values_out != arguments.values_in) arguments.values_out[item] = arguments.values_in[item];
{%- else if value.is_position %}
    if (arguments.absolute_positions == 0) arguments.values_out[item] = 0;  //~ position-of-one
{%- endif %}
  }

  static __device__ __forceinline__ void append(const Arguments& arguments, const ClassifyStorage& storage, List own, unsigned long long before,
                                                unsigned long long begin, unsigned long long end) {
#pragma unroll
    for (int list = 0; list < kOfLongSegments; ++list) {
      if (own != list) continue;
      const TileList to = list_of(arguments, static_cast<List>(list));
      const unsigned long long slot = storage.slots[list][warp_of(threadIdx.x)] + before;
      if (slot < to.capacity) to.tiles[slot] = {begin, end, 0};
    }
  }

  // The same for all tiles of segments. The warp writes the tiles of one segment after the other. Of overlapping segments, where the list
  // cannot hold all tiles of one, it has empty ones: merges would read what no tile has written.
  static __device__ __forceinline__ void append_tiles(const Arguments& arguments, const ClassifyStorage& storage, bool appends,
                                                      unsigned long long before, unsigned long long begin, unsigned long long end) {
    const TileList to = list_of(arguments, kOfLongSegments);
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned long long base = storage.slots[kOfLongSegments][warp_of(threadIdx.x)];
    for (unsigned int lanes = __ballot_sync(~0u, appends); lanes != 0; lanes &= lanes - 1) {
      const int owner = __ffs(static_cast<int>(lanes)) - 1;
      const unsigned long long segment_begin = __shfl_sync(~0u, begin, owner);
      const unsigned long long segment_end = __shfl_sync(~0u, end, owner);
      const unsigned long long tiles = tiles_of(segment_end - segment_begin);
      const unsigned long long slot = base + __shfl_sync(~0u, before, owner);
      const bool fits = slot + tiles <= to.capacity;  //~ segments-that-fit
      for (unsigned long long tile = lane; tile < tiles && slot + tile < to.capacity; tile += kWarpThreads) {  //~ next-tiles
        to.tiles[slot + tile] = fits ? Tile{segment_begin, segment_end, tile * kTileItems} : Tile{0, 0, 0};  //~ appended-tile
      }
    }
  }
