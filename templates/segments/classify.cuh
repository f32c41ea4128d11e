 public:
  // Lists the segments, and does what those of one item take. A thread has a segment.
  static __device__ __forceinline__ void classify(const Arguments& arguments) {
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * kBlockThreads;
    const unsigned long long first = static_cast<unsigned long long>(blockIdx.x) * kBlockThreads;
{%- if value.is_position %}
    if (arguments.absolute_positions != 0) {
      for (unsigned long long i = first + threadIdx.x; i < arguments.n; i += stride) {
        arguments.values_out[i] = static_cast<Value>(i);  //~ identity
      }
    }
{%- endif %}
    const TileList of_lanes = list_of(arguments, kOfLanes);
    const TileList of_warps = list_of(arguments, kOfWarps);
    const TileList of_blocks = list_of(arguments, kOfBlocks);
    const TileList of_long_segments = list_of(arguments, kOfLongSegments);
    // All lanes of a warp go on together, and those past the last segment have an empty one.
    for (unsigned long long start = first; start < arguments.segments; start += stride) {  //~ next-segments
      const unsigned long long segment = start + threadIdx.x;
      const bool exists = segment < arguments.segments;  //~ last-segment
      const unsigned long long begin = exists ? offset_at(arguments, arguments.begins, segment) : 0;
      const unsigned long long end = exists ? offset_at(arguments, arguments.ends, segment) : 0;
      const unsigned long long items = begin < end ? end - begin : 0;  //~ empty-segment
      if (items == 1) copy_item(arguments, begin);
      append(of_lanes, items > 1 && items <= kGroupLanes, begin, end);  //~ class-of-lanes
      append(of_warps, items > kGroupLanes && items <= kWarpItems, begin, end);  //~ class-of-warps
      append(of_blocks, items > kWarpItems && items <= kTileItems, begin, end);  //~ class-of-blocks
      append_tiles(arguments, of_long_segments, items > kTileItems, begin, end);  //~ class-of-long-segments
    }
  }

 private:
  // An offset, at most n.
  static __device__ __forceinline__ unsigned long long offset_at(const Arguments& arguments, const void* offsets, unsigned long long segment) {
    const long long offset = arguments.offset_bytes == 4 ? static_cast<long long>(static_cast<const unsigned int*>(offsets)[segment])
                                                         : static_cast<const long long*>(offsets)[segment];
    const unsigned long long unsigned_offset = static_cast<unsigned long long>(offset);
    return unsigned_offset < arguments.n ? unsigned_offset : arguments.n;  //~ clamped-offset
  }

  static __device__ __forceinline__ void copy_item(const Arguments& arguments, unsigned long long item) {
    if (arguments.keys_out != arguments.keys_in) arguments.keys_out[item] = arguments.keys_in[item];
{%- if value.is_read %}
    if (arguments.values_out != arguments.values_in) arguments.values_out[item] = arguments.values_in[item];
{%- else if value.is_position %}
    if (arguments.absolute_positions == 0) arguments.values_out[item] = 0;  //~ position-of-one
{%- endif %}
  }

  // The lanes that have something to append do it by one atomic.
  static __device__ __forceinline__ void append(const TileList& list, bool appends, unsigned long long begin, unsigned long long end) {
    const unsigned int lanes = __ballot_sync(~0u, appends);
    if (lanes == 0) return;
    const unsigned int lane = threadIdx.x % kWarpThreads;
    const int leader = __ffs(static_cast<int>(lanes)) - 1;
    unsigned long long base = 0;
    if (lane == static_cast<unsigned int>(leader)) {
      base = atomicAdd(list.length, static_cast<unsigned long long>(__popc(lanes)));  //~ append
    }
    base = __shfl_sync(~0u, base, leader);
    const unsigned long long slot = base + __popc(lanes & ((1u << lane) - 1u));  //~ slot-of-lane
    if (appends && slot < list.capacity) list.tiles[slot] = {begin, end, 0};
  }

  // The same for all tiles of segments, by one atomic for those of a warp. The warp writes the tiles of one segment after the other.
  static __device__ __forceinline__ void append_tiles(const Arguments& arguments, const TileList& list, bool appends, unsigned long long begin,
                                                      unsigned long long end) {
    unsigned int lanes = __ballot_sync(~0u, appends);
    if (lanes == 0) return;
    const unsigned int lane = threadIdx.x % kWarpThreads;
    const unsigned long long own_tiles = appends ? (end - begin + kTileItems - 1) / kTileItems : 0;  //~ tiles-of-segment
    unsigned long long tiles_to_own = own_tiles;
    unsigned long long longest = appends ? end - begin : 0;
#pragma unroll
    for (unsigned int distance = 1; distance < kWarpThreads; distance *= 2) {
      const unsigned long long before = __shfl_up_sync(~0u, tiles_to_own, distance);
      const unsigned long long other = __shfl_xor_sync(~0u, longest, static_cast<int>(distance));
      tiles_to_own += lane >= distance ? before : 0;  //~ tiles-of-lanes-before
      longest = longest < other ? other : longest;
    }
    unsigned long long base = 0;
    if (lane == kWarpThreads - 1) {
      base = atomicAdd(list.length, tiles_to_own);  //~ append-tiles
      atomicMax(longest_of(arguments), longest);  //~ longest
    }
    base = __shfl_sync(~0u, base, kWarpThreads - 1) + tiles_to_own - own_tiles;  //~ base-of-lane
    for (; lanes != 0; lanes &= lanes - 1) {
      const int owner = __ffs(static_cast<int>(lanes)) - 1;
      const unsigned long long segment_begin = __shfl_sync(~0u, begin, owner);
      const unsigned long long segment_end = __shfl_sync(~0u, end, owner);
      const unsigned long long tiles = __shfl_sync(~0u, own_tiles, owner);
      const unsigned long long slot = __shfl_sync(~0u, base, owner);
      for (unsigned long long tile = lane; tile < tiles && slot + tile < list.capacity; tile += kWarpThreads) {  //~ next-tiles
        list.tiles[slot + tile] = {segment_begin, segment_end, tile * kTileItems};  //~ appended-tile
      }
    }
  }
