// segmented_merge_sort_u64_index_b256_i12_desc
//
// Sorts u64 keys with their positions, descending: the items of each segment of an
// array. Stable: equal keys of a segment keep their input order.
//
// No values are read. The sort makes them: each key's position within its segment or, where `absolute_positions` is not 0, within the
// array, of which items outside of the segments have theirs too.
//
//   segment  the items begins[s] ... ends[s] - 1. Offsets past the end of the array count as its end, and a segment that ends before
//            it begins is empty. Segments that overlap leave unspecified items; no access is outside of the arrays either way.
//            Rows of a matrix have neither begins nor ends: row s is the `segment_items` items from s * `segment_stride` on. The first items of an array,
//            as many as a number on the device says, are one segment without begins and with the stride 0 that ends there.
//   count    a number on the device, if not all segments are to be sorted: it is that of the first ones that are
//   tile     3072 items, which a block sorts
//   run      sorted items of a segment that is longer than a tile: a tile at first, two runs after each round of merges
//
// Kernel _classify lists the segments by their lengths. _ranks sorts those of at most 8 items, each by as many lanes, and those
// of at most 32, each by a warp, _warps those of at most 384, each by a warp, and _tiles those of at most a tile and each tile of longer ones, each by a block. A round of _merge merges the runs of longer segments, two by
// two: an output tile is a block's, which finds its part of both runs by merge path. A segment's rounds end in the output array; which
// array each one reads follows from how many rounds the segment takes. So the launches depend on n and on the number of segments alone:
//
//   cudaMemsetAsync(arguments.workspace, 0, kZeroedBytes, stream);
//   segmented_merge_sort_u64_index_b256_i12_desc_classify<<<any, 256, 320, stream>>>(arguments, count, segment_items, segment_stride, count_bytes, signed_offsets);
//   segmented_merge_sort_u64_index_b256_i12_desc_ranks<<<any, 256, 2048, stream>>>(arguments);
//   segmented_merge_sort_u64_index_b256_i12_desc_warps<<<any, 256, 31688, stream>>>(arguments);
//   segmented_merge_sort_u64_index_b256_i12_desc_tiles<<<any, 256, 31688, stream>>>(arguments);
//   for round = 0 ... rounds_of(n) - 1
//     segmented_merge_sort_u64_index_b256_i12_desc_merge<<<any, 256, 31688, stream>>>(arguments, round);
//
// The launches are plain ones, as written. On Hopper and later GPUs all but the first may have the attribute
// cudaLaunchAttributeProgrammaticStreamSerialization too: each kernel waits for the one before it itself.
//
// Made by sortsmith 0.1.0 from the template segmented_merge_sort; to make it again:
//   sortsmith emit --name segmented_merge_sort_u64_index_b256_i12_desc --out .
#if defined(__cplusplus) && __cplusplus < 201703L && !defined(_MSC_VER)
#error "this header needs C++17: nvcc -std=c++17"
#endif
#pragma once

#ifndef SORTSMITH_V0_1_0_NULL_TYPE
#define SORTSMITH_V0_1_0_NULL_TYPE
namespace sortsmith {
inline namespace v0_1_0 {

// The value type of a sort of keys alone.
struct NullType {};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_BITS
#define SORTSMITH_V0_1_0_BITS
namespace sortsmith {
inline namespace v0_1_0 {

// The same bits as another type of the same size.
template <typename To, typename From>
__device__ __forceinline__ To bits_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "bits_as keeps the size");
  return __builtin_bit_cast(To, from);
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_WARP_LANES
#define SORTSMITH_V0_1_0_WARP_LANES
namespace sortsmith {
inline namespace v0_1_0 {

// The threads of a warp.
constexpr unsigned int kWarpThreads = 32;

// A thread's number in its block:
//
//   | warp: all other bits | lane: 5 bits |
__device__ __forceinline__ unsigned int warp_of(unsigned int thread) { return thread / kWarpThreads; }
__device__ __forceinline__ unsigned int lane_of(unsigned int thread) { return thread % kWarpThreads; }

// The thread's lane in its warp, in blocks of any shape.
__device__ __forceinline__ unsigned int lane_of_thread() {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
#else
  return lane_of(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
#endif
}

// The position of a thread's item where warps have neighbouring items, row by row:
//
//   | warp: kWarpThreads * kItems positions | item: kWarpThreads positions | lane |
template <int kItems>
__device__ __forceinline__ unsigned int warp_striped(unsigned int thread, int item) {
  return warp_of(thread) * (kWarpThreads * kItems) + item * kWarpThreads + lane_of(thread);
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_MERGE_PATH
#define SORTSMITH_V0_1_0_MERGE_PATH
namespace sortsmith {
inline namespace v0_1_0 {

// Of the first `count` items of two merged runs, how many are of the first run: a search along the diagonal of these (Odeh, Green, Mwassi,
// Shmueli, Birk: Merge path, 2012). `comes_first(i, j)` says whether item i of the first run comes before item j of the second one.
template <typename ComesFirst>
__device__ __forceinline__ unsigned int items_of_first_run(unsigned int first_items, unsigned int second_items, unsigned int count,
                                                           const ComesFirst& comes_first) {
  unsigned int least = count > second_items ? count - second_items : 0;
  unsigned int most = count < first_items ? count : first_items;
  while (least < most) {
    const unsigned int half = least + (most - least) / 2;
    if (comes_first(half, count - 1 - half)) {
      least = half + 1;
    } else {
      most = half;
    }
  }
  return least;
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_GRID_ORDER
#define SORTSMITH_V0_1_0_GRID_ORDER
namespace sortsmith {
inline namespace v0_1_0 {

// On Hopper and later GPUs a kernel may be launched so that it begins before the one before it in the stream has ended.
// After any other launch, and on other GPUs, these calls do nothing.

// Returns once the kernel before has ended and all that it wrote can be read. Each kernel calls it, before it writes anything
// and before it reads more than what was there when the sort began. One that did not call it could end before those before it,
// and the kernel behind would wait for it alone.
__device__ __forceinline__ void wait_for_previous_grid() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
  asm volatile("griddepcontrol.wait;" : : : "memory");
#endif
}

// Once all blocks have called it or ended, blocks of the next kernel take what room there is, and wait there.
__device__ __forceinline__ void let_next_grid_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
  asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
#endif
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_GAPPED_SLOTS
#define SORTSMITH_V0_1_0_GAPPED_SLOTS
namespace sortsmith {
inline namespace v0_1_0 {

// The slots of a tile's positions in an array of shared memory. kGap slots are left out after every kPeriod, so that threads
// that read or write their own neighbouring items do not meet in a bank.
template <unsigned int kPeriod, unsigned int kGap>
struct GappedSlots {
  static __device__ __forceinline__ unsigned int of(unsigned int position) {
    return position + position / kPeriod * kGap;
  }

  // Slots of an array that holds `items` items.
  static __host__ __device__ constexpr unsigned int count(unsigned int items) { return items + (items - 1) / kPeriod * kGap; }

  // The slot a number of steps behind a position. Steps over complete gaps are all as long.
  template <unsigned int kStep>
  static __device__ __forceinline__ unsigned int of_step(unsigned int from, unsigned int steps) {
    if constexpr (kStep % kPeriod == 0) return of(from) + steps * of(kStep);
    return of(from + steps * kStep);
  }

  // The slot of a run's item i, of runs of kLength items that follow each other from the tile's beginning. Runs that divide
  // what is between two gaps have none within.
  template <unsigned int kLength>
  static __device__ __forceinline__ unsigned int of_run(unsigned int start, unsigned int i) {
    if constexpr (kPeriod % kLength == 0) return of(start) + i;
    return of(start + i);
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_NUMBER_AT
#define SORTSMITH_V0_1_0_NUMBER_AT
namespace sortsmith {
inline namespace v0_1_0 {

// A number of an array of numbers of 4 or 8 bytes.
__device__ __forceinline__ unsigned long long number_at(const void* numbers, unsigned int bytes, unsigned long long index) {
  return bytes == 4 ? static_cast<const unsigned int*>(numbers)[index] : static_cast<const unsigned long long*>(numbers)[index];
}

// The same of numbers that may be signed: a negative one is greater than all others, whatever its bytes are.
__device__ __forceinline__ unsigned long long number_at(const void* numbers, unsigned int bytes, bool are_signed, unsigned long long index) {
  const unsigned long long number = number_at(numbers, bytes, index);
  const bool extends = are_signed && bytes == 4;
  return extends ? static_cast<unsigned long long>(static_cast<long long>(static_cast<int>(number))) : number;
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_SEGMENTED_MERGE_SORT_U64_INDEX_B256_I12_DESC
#define SORTSMITH_V0_1_0_SEGMENTED_MERGE_SORT_U64_INDEX_B256_I12_DESC
namespace sortsmith {
inline namespace v0_1_0 {

struct segmented_merge_sort_u64_index_b256_i12_desc {
  using Key = unsigned long long;
  using Value = unsigned int;

  static constexpr unsigned int kBlockThreads = 256;
  static constexpr unsigned int kItemsPerThread = 12;
  static constexpr unsigned int kTileItems = kBlockThreads * kItemsPerThread;
  // Lanes that sort a segment of at most as many items: several segments are a warp's at a time.
  static constexpr unsigned int kGroupLanes = 8;
  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;
  static constexpr unsigned int kWarpItems = kWarpThreads * kItemsPerThread;
  static constexpr int kKeyBits = 64;
  static constexpr bool kMakesPositions = true;
  // The dynamic shared memory of a block of _classify, of one of _ranks, of one of _warps and of _merge, and of one of _tiles.
  static constexpr unsigned int kClassifySharedBytes = 320;
  static constexpr unsigned int kRankSharedBytes = 2048;
  static constexpr unsigned int kSharedBytes = 31688;
  static constexpr unsigned int kTileSharedBytes = 31688;

  // What all kernels of one sort are given. Arrays of keys and values have n items each.
  struct Arguments {
    // The keys, written only where keys_out is the same array.
    const Key* keys_in;
    // The sorted keys; the same array as keys_in to sort in place.
    Key* keys_out;
    // Scratch, where there are rounds of merges.
    Key* keys_alternate;
    // The values; null where there are none, and where the sort makes them.
    const Value* values_in;
    // Where the values go; null where there are none.
    Value* values_out;
    // Scratch, as that of keys.
    Value* values_alternate;
    // Where segments begin: numbers of offset_bytes bytes each, 4 or 8, or null: segment s begins at s * segment_stride. Negative ones count as past the end where signed_offsets says that there are such.
    const void* begins;
    // Where they end, or null: segment_items items further on.
    const void* ends;
    // workspace_bytes(segments, n) bytes at a multiple of 16, the first kZeroedBytes of them 0.
    void* workspace;
    unsigned long long segments;
    unsigned long long n;
    unsigned int offset_bytes;
    // The ordered bits that take part: 0 <= begin_bit <= end_bit <= kKeyBits.
    int begin_bit;
    int end_bit;
    // Whether positions are those in the array, of all of its items, and not those in segments.
    int absolute_positions;
  };
  // What _classify is given beside these.
  struct Count {
    // How many of the segments are sorted, the first ones: a number of count_bytes bytes, 4 or 8, or null: all. More than there are count as all.
    const void* count;
    // Items of each segment, where there are no ends.
    unsigned long long segment_items;
    // From where a segment begins to where the next one does, where there are no begins.
    unsigned long long segment_stride;
    unsigned int count_bytes;
    // Whether offsets are signed: negative ones count as past the end, whatever their bytes are.
    int signed_offsets;
  };

 public:
  // A segment, clamped to the array, and the offset in it from which on a tile is to be sorted or made.
  struct Tile {
    unsigned long long begin;
    unsigned long long end;
    unsigned long long offset;

    __device__ __forceinline__ unsigned int items() const {
      return end - begin - offset < kTileItems ? static_cast<unsigned int>(end - begin - offset) : kTileItems;
    }
  };

  // The lengths of the lists, in the order in which these lie behind them.
  enum List { kOfLanes, kOfRanks, kOfWarps, kOfBlocks, kOfLongSegments, kLists };
  // Behind them, the items of the longest segment that is merged.
  static constexpr int kLongest = kLists;
  static constexpr unsigned long long kZeroedBytes = 48;

  // The most that each list can hold where segments do not overlap; segments of which one tile is past it are not sorted.
  static __host__ __device__ constexpr unsigned long long capacity_of(List list, unsigned long long segments, unsigned long long n) {
    return list == kOfLanes    ? (segments < n / 2 ? segments : n / 2)
           : list == kOfRanks  ? (segments < n / kGroupLanes ? segments : n / kGroupLanes)
           : list == kOfWarps  ? (segments < n / kWarpThreads ? segments : n / kWarpThreads)
           : list == kOfBlocks ? n / kWarpItems
                               : 2 * (n / kTileItems);
  }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long segments, unsigned long long n) {
    return kZeroedBytes + sizeof(Tile) * (capacity_of(kOfLanes, segments, n) + capacity_of(kOfRanks, segments, n) +
                                          capacity_of(kOfWarps, segments, n) + capacity_of(kOfBlocks, segments, n) +
                                          capacity_of(kOfLongSegments, segments, n));
  }
  // Rounds of merges of a segment, or of all segments of n items.
  static __host__ __device__ constexpr int rounds_of(unsigned long long items) {
    int rounds = 0;
    for (unsigned long long run = kTileItems; run < items; run *= 2) ++rounds;
    return rounds;
  }

 private:
  struct TileList {
    unsigned long long* length;
    Tile* tiles;
    unsigned long long capacity;

    __device__ __forceinline__ unsigned long long items() const { return *length < capacity ? *length : capacity; }
  };

  static __device__ __forceinline__ TileList list_of(const Arguments& arguments, List list) {
    unsigned char* const bytes = static_cast<unsigned char*>(arguments.workspace);
    unsigned long long before = 0;
    for (int other = 0; other < list; ++other) before += capacity_of(static_cast<List>(other), arguments.segments, arguments.n);
    return {reinterpret_cast<unsigned long long*>(bytes) + list, reinterpret_cast<Tile*>(bytes + kZeroedBytes) + before,
            capacity_of(list, arguments.segments, arguments.n)};
  }

  static __device__ __forceinline__ unsigned long long* longest_of(const Arguments& arguments) {
    return static_cast<unsigned long long*>(arguments.workspace) + kLongest;
  }

 private:
  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = unsigned long long;
  using StoredBits = unsigned long long;
  static constexpr Bits kAllBits = StoredBits(~StoredBits(0));

  // Ordered bits of a key. Descending order is ascending order of
  // their complement: so equal keys keep their order here too.
  static __device__ __forceinline__ Bits to_ordered_bits(Key key) {
    return bits_as<StoredBits>(key) ^ kAllBits;
  }

  // The key of ordered bits.
  static __device__ __forceinline__ Key to_key(Bits ordered) {
    return bits_as<Key>(static_cast<StoredBits>(ordered ^ kAllBits));
  }

  // What is compared of ordered bits: all of them.
  static __device__ __forceinline__ Bits compared_bits(Bits ordered) { return ordered; }

  // Neighbouring items of a thread and those of its neighbours lie in different banks.
  using Slots = GappedSlots<32, 1>;

 public:
  // What a warp or a block sorts: ordered bits, and where each item came from.
  template <unsigned int kCapacity>
  struct ItemStorage {
    StoredBits bits[Slots::count(kCapacity)];
    unsigned short sources[Slots::count(kCapacity)];
  };
  struct TileStorage {
    ItemStorage<kTileItems> items;
    // How many items of the first run come before the output tile, and before its end.
    unsigned long long splits[2];
  };
  union TempStorage {
    ItemStorage<kWarpItems> warps[kWarps];
    TileStorage tile;
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");
  // What a block of _tiles has.
  union TileTempStorage {
    TempStorage merges;
  };
  static_assert(sizeof(TileTempStorage) == kTileSharedBytes, "the storage is laid out as planned");

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
    if (arguments.absolute_positions != 0) {
      for (unsigned long long i = first + threadIdx.x; i < arguments.n; i += stride) {
        arguments.values_out[i] = static_cast<Value>(i);
      }
    }
    // All threads of the block go on together, and those past the last segment have an empty one.
    const unsigned long long segments = counted_segments(arguments, counted);
    for (unsigned long long start = first; start < segments; start += stride) {
      const unsigned long long segment = start + threadIdx.x;
      const bool exists = segment < segments;
      const unsigned long long begin = exists ? begin_of(arguments, counted, segment) : 0;
      const unsigned long long end = exists ? end_of(arguments, counted, segment, begin) : 0;
      const unsigned long long items = begin < end ? end - begin : 0;
      if (items == 1) copy_item(arguments, begin);
      const List list = list_of_length(items);
      const unsigned long long before = entries_before(arguments, storage, list, items);
      __syncthreads();
      if (threadIdx.x < kLists) take_slots(arguments, storage, static_cast<List>(threadIdx.x));
      __syncthreads();
      append(arguments, storage, list, before, begin, end);
      append_tiles(arguments, storage, list == kOfLongSegments, before, begin, end);
      // A warp's slots are for its next segments.
      __syncwarp();
    }
  }

 private:
  static __device__ __forceinline__ List list_of_length(unsigned long long items) {
    if (items < 2) return kLists;
    if (items <= kGroupLanes) return kOfLanes;
    if (items <= kWarpThreads) return kOfRanks;
    if (items <= kWarpItems) return kOfWarps;
    return items <= kTileItems ? kOfBlocks : kOfLongSegments;
  }

  static __device__ __forceinline__ unsigned long long tiles_of(unsigned long long items) {
    return (items + kTileItems - 1) / kTileItems;
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
      if (lane == 0) storage.slots[list][warp] = __popc(lanes);
      if (own == list) before = __popc(lanes & ((1u << lane) - 1u));
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
        tiles += lane >= distance ? tiles_before : 0;
        longest = longest < other ? other : longest;
      }
      if (is_long) before = tiles - own_tiles;
      if (lane == 0) atomicMax(longest_of(arguments), longest);
    }
    if (lane == kWarpThreads - 1) storage.slots[kOfLongSegments][warp] = tiles;
    return before;
  }

  // Makes each warp's entries of a list the slot of the first of them, by one atomic for the block.
  static __device__ __forceinline__ void take_slots(const Arguments& arguments, ClassifyStorage& storage, List list) {
    unsigned long long entries = 0;
    for (unsigned int warp = 0; warp < kWarps; ++warp) entries += storage.slots[list][warp];
    if (entries == 0) return;
    unsigned long long slot = atomicAdd(static_cast<unsigned long long*>(arguments.workspace) + list, entries);
    for (unsigned int warp = 0; warp < kWarps; ++warp) {
      const unsigned long long of_warp = storage.slots[list][warp];
      storage.slots[list][warp] = slot;
      slot += of_warp;
    }
  }

  // The segments that there are, of those that there may be.
  static __device__ __forceinline__ unsigned long long counted_segments(const Arguments& arguments, const Count& counted) {
    if (counted.count == nullptr) return arguments.segments;
    const unsigned long long count = number_at(counted.count, counted.count_bytes, 0);
    return count < arguments.segments ? count : arguments.segments;
  }

  // Where a segment begins: at most n.
  static __device__ __forceinline__ unsigned long long begin_of(const Arguments& arguments, const Count& counted, unsigned long long segment) {
    const unsigned long long begin =
        arguments.begins == nullptr ? segment * counted.segment_stride : offset_at(arguments, counted, arguments.begins, segment);
    return clamped(arguments, begin);
  }

  // Where a segment ends that begins there: at most n.
  static __device__ __forceinline__ unsigned long long end_of(const Arguments& arguments, const Count& counted, unsigned long long segment,
                                                              unsigned long long begin) {
    const unsigned long long end =
        arguments.ends == nullptr ? begin + counted.segment_items : offset_at(arguments, counted, arguments.ends, segment);
    return clamped(arguments, end);
  }

  static __device__ __forceinline__ unsigned long long offset_at(const Arguments& arguments, const Count& counted, const void* offsets, unsigned long long segment) {
    return number_at(offsets, arguments.offset_bytes, counted.signed_offsets != 0, segment);
  }

  static __device__ __forceinline__ unsigned long long clamped(const Arguments& arguments, unsigned long long offset) {
    return offset < arguments.n ? offset : arguments.n;
  }

  static __device__ __forceinline__ void copy_item(const Arguments& arguments, unsigned long long item) {
    if (arguments.keys_out != arguments.keys_in) arguments.keys_out[item] = arguments.keys_in[item];
    if (arguments.absolute_positions == 0) arguments.values_out[item] = 0;
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
      const bool fits = slot + tiles <= to.capacity;
      for (unsigned long long tile = lane; tile < tiles && slot + tile < to.capacity; tile += kWarpThreads) {
        to.tiles[slot + tile] = fits ? Tile{segment_begin, segment_end, tile * kTileItems} : Tile{0, 0, 0};
      }
    }
  }

 private:
  // A thread's items, one after the other in the order of the range that is sorted.
  template <unsigned int kItems>
  struct Items {
    Bits bits[kItems];
    unsigned int sources[kItems];
  };

  // Waits for the threads that sort together: a warp, or the block.
  template <unsigned int kThreads>
  static __device__ __forceinline__ void wait_for_group() {
    if constexpr (kThreads == kWarpThreads) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }

  // The bits that are compared.
  static __device__ __forceinline__ Bits mask_of(const Arguments& arguments) {
    const int bits = arguments.end_bit - arguments.begin_bit;
    if (bits == 0) return 0;
    return bits == kKeyBits ? ~Bits(0) : ((Bits(1) << bits) - 1) << arguments.begin_bit;
  }

  static __device__ __forceinline__ bool is_less(Bits a, Bits b, Bits mask) {
    return (compared_bits(a) & mask) < (compared_bits(b) & mask);
  }

  // A stable network of neighbours.
  template <unsigned int kItems>
  static __device__ __forceinline__ void sort_own(Items<kItems>& items, Bits mask) {
#pragma unroll
    for (unsigned int step = 0; step < kItems; ++step) {
#pragma unroll
      for (unsigned int i = step % 2; i + 1 < kItems; i += 2) {
        if (is_less(items.bits[i + 1], items.bits[i], mask)) {
          const Bits bits = items.bits[i];
          items.bits[i] = items.bits[i + 1];
          items.bits[i + 1] = bits;
          const unsigned int source = items.sources[i];
          items.sources[i] = items.sources[i + 1];
          items.sources[i + 1] = source;
        }
      }
    }
  }

  template <unsigned int kItems, typename Storage>
  static __device__ __forceinline__ void put_own(Storage& storage, unsigned int thread, const Items<kItems>& items) {
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      const unsigned int slot = Slots::of(thread * kItems + i);
      storage.bits[slot] = static_cast<StoredBits>(items.bits[i]);
      storage.sources[slot] = static_cast<unsigned short>(items.sources[i]);
    }
  }

  // Merges two runs of the storage, the second one directly behind the first, from the diagonal on.
  template <unsigned int kItems, typename Storage>
  static __device__ __forceinline__ void merge_own(const Storage& storage, unsigned int start, unsigned int first_items, unsigned int second_items,
                                                   unsigned int diagonal, Items<kItems>& items, Bits mask) {
    const auto bits_at = [&](unsigned int position) -> Bits { return storage.bits[Slots::of(position)]; };
    const auto comes_first = [&](unsigned int i, unsigned int j) {
      return !is_less(bits_at(start + first_items + j), bits_at(start + i), mask);
    };
    const unsigned int before = items_of_first_run(first_items, second_items, diagonal, comes_first);
    const unsigned int end = start + first_items;
    const unsigned int second_end = end + second_items;
    // What is past both runs is not used. It is read from where there is something.
    const unsigned int last = second_end - 1;
    unsigned int first = start + before;
    unsigned int second = end + diagonal - before;
    Bits first_bits = bits_at(first < last ? first : last);
    Bits second_bits = bits_at(second < last ? second : last);
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      const bool is_first = second >= second_end || (first < end && !is_less(second_bits, first_bits, mask));
      const unsigned int taken = is_first ? first : second;
      items.bits[i] = is_first ? first_bits : second_bits;
      items.sources[i] = storage.sources[Slots::of(taken < last ? taken : last)];
      const Bits next = bits_at(taken < last ? taken + 1 : last);
      first_bits = is_first ? next : first_bits;
      second_bits = is_first ? second_bits : next;
      first += is_first ? 1 : 0;
      second += is_first ? 0 : 1;
    }
  }

 public:
  // What the lanes of a warp rank, an item each.
  struct RankStorage {
    StoredBits bits[Slots::count(kWarpThreads)];
  };
  struct RankTempStorage {
    RankStorage warps[kWarps];
  };
  static_assert(sizeof(RankTempStorage) == kRankSharedBytes, "the storage is laid out as planned");

  // Each warp sorts segments of at most as many items as it has lanes, and each kGroupLanes lanes those of as many.
  static __device__ __forceinline__ void sort_by_ranks(const Arguments& arguments, RankTempStorage& storage) {
    wait_for_previous_grid();
    const TileList list = list_of(arguments, kOfRanks);
    const unsigned long long items = list.items();
    const unsigned int warp = warp_of(threadIdx.x);
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * kWarps;
    const unsigned long long first = static_cast<unsigned long long>(blockIdx.x) * kWarps + warp;
    for (unsigned long long i = first; i < items; i += stride) {
      rank_items<kWarpThreads>(arguments, storage.warps[warp], lane, list.tiles[i], arguments.keys_out, arguments.values_out);
    }
    const TileList list_of_groups = list_of(arguments, kOfLanes);
    const unsigned long long group_items = list_of_groups.items();
    constexpr unsigned int kGroups = kWarpThreads / kGroupLanes;
    for (unsigned long long i = first * kGroups; i < group_items; i += stride * kGroups) {
      const unsigned long long own = i + lane / kGroupLanes;
      const Tile tile = own < group_items ? list_of_groups.tiles[own] : Tile{0, 0, 0};
      rank_items<kGroupLanes>(arguments, storage.warps[warp], lane, tile, arguments.keys_out, arguments.values_out);
    }
  }

  // Each warp sorts segments of at most kWarpItems items.
  static __device__ __forceinline__ void sort_by_warps(const Arguments& arguments, TempStorage& storage) {
    wait_for_previous_grid();
    const TileList list = list_of(arguments, kOfWarps);
    const unsigned long long items = list.items();
    const unsigned int warp = warp_of(threadIdx.x);
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * kWarps;
    for (unsigned long long i = static_cast<unsigned long long>(blockIdx.x) * kWarps + warp; i < items; i += stride) {
      const Tile tile = list.tiles[i];
      if (tile.items() <= kWarpThreads * 4) {
        sort_items<kWarpThreads, 4>(arguments, storage.warps[warp], lane, tile, arguments.keys_out, arguments.values_out);
      } else if (tile.items() <= kWarpThreads * 12) {
        sort_items<kWarpThreads, 12>(arguments, storage.warps[warp], lane, tile, arguments.keys_out, arguments.values_out);
      }
    }
  }

  // Each block sorts segments of at most a tile, and tiles of longer ones: these to where the first round of merges reads them.
  static __device__ __forceinline__ void sort_tiles(const Arguments& arguments, TileTempStorage& storage) {
    wait_for_previous_grid();
    const TileList short_segments = list_of(arguments, kOfBlocks);
    const TileList long_segments = list_of(arguments, kOfLongSegments);
    const unsigned long long short_items = short_segments.items();
    const unsigned long long all_items = short_items + long_segments.items();
    for (unsigned long long i = blockIdx.x; i < all_items; i += gridDim.x) {
      // Tiles of long segments are full, but for the last ones; so they come first.
      const unsigned long long long_items = all_items - short_items;
      const Tile tile = i < long_items ? long_segments.tiles[i] : short_segments.tiles[i - long_items];
      const bool ends_in_output = rounds_of(tile.end - tile.begin) % 2 == 0;
      Key* const keys_to = ends_in_output ? arguments.keys_out : arguments.keys_alternate;
      Value* const values_to = ends_in_output ? arguments.values_out : arguments.values_alternate;
      if (tile.items() <= kBlockThreads * 4) {
        sort_items<kBlockThreads, 4>(arguments, storage.merges.tile.items, threadIdx.x, tile, keys_to, values_to);
      } else if (tile.items() <= kBlockThreads * 12) {
        sort_items<kBlockThreads, 12>(arguments, storage.merges.tile.items, threadIdx.x, tile, keys_to, values_to);
      }
    }
  }

 private:
  // Puts a tile's ordered bits into slots from which the thread alone still reads the previous tile.
  template <unsigned int kThreads, unsigned int kItems, typename Storage>
  static __device__ __forceinline__ void put_keys(Storage& storage, unsigned int thread, const Key* keys, unsigned int valid_items) {
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      const unsigned int position = i * kThreads + thread;
      // What is past the end has the maximum of bits, and stays behind equal ones for it comes last.
      storage.bits[Slots::of(position)] =
          static_cast<StoredBits>(position < valid_items ? to_ordered_bits(keys[position]) : kAllBits);
    }
  }

  // Sorts a tile by kThreads threads of kItems items each, to the same positions of other arrays or in place.
  template <unsigned int kThreads, unsigned int kItems, typename Storage>
  static __device__ __forceinline__ void sort_items(const Arguments& arguments, Storage& storage, unsigned int thread, const Tile& tile,
                                                    Key* keys_to, Value* values_to) {
    const unsigned int valid_items = tile.items();
    const unsigned long long start = tile.begin + tile.offset;
    const Bits mask = mask_of(arguments);
    put_keys<kThreads, kItems>(storage, thread, arguments.keys_in + start, valid_items);
    wait_for_group<kThreads>();
    Items<kItems> items;
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      items.bits[i] = storage.bits[Slots::of(thread * kItems + i)];
      items.sources[i] = thread * kItems + i;
    }
    sort_own(items, mask);
#pragma unroll 1
    for (unsigned int width = 1; width < kThreads; width *= 2) {
      wait_for_group<kThreads>();
      put_own(storage, thread, items);
      wait_for_group<kThreads>();
      const unsigned int first_thread = thread / (2 * width) * (2 * width);
      merge_own(storage, first_thread * kItems, width * kItems, width * kItems, (thread - first_thread) * kItems, items, mask);
    }
    wait_for_group<kThreads>();
    put_own(storage, thread, items);
    wait_for_group<kThreads>();
    const unsigned long long base = tile.offset + (arguments.absolute_positions != 0 ? tile.begin : 0);
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      const unsigned int position = i * kThreads + thread;
      if (position < valid_items) {
        keys_to[start + position] = to_key(storage.bits[Slots::of(position)]);
        values_to[start + position] = static_cast<Value>(base + storage.sources[Slots::of(position)]);
      }
    }
  }

  // Sorts at most kLanes items by as many lanes of a warp, to the same positions of other arrays or in place: an item's rank is the number
  // of items before it. All lanes of the warp call it together, each kLanes of them with a tile of their own, which may be empty.
  template <unsigned int kLanes, typename Storage>
  static __device__ __forceinline__ void rank_items(const Arguments& arguments, Storage& storage, unsigned int lane, const Tile& tile,
                                                    Key* keys_to, Value* values_to) {
    const unsigned int first = lane / kLanes * kLanes;
    const unsigned int own = lane - first;
    const unsigned int valid_items = tile.items();
    const Bits mask = mask_of(arguments);
    const bool has_item = own < valid_items;
    const Bits bits = has_item ? to_ordered_bits(arguments.keys_in[tile.begin + own]) : kAllBits;
    const Value value = static_cast<Value>(own + (arguments.absolute_positions != 0 ? tile.begin : 0));
    storage.bits[Slots::of(lane)] = static_cast<StoredBits>(bits);
    // All keys and values are read, and may be overwritten.
    __syncwarp();
    unsigned int rank = 0;
    for (unsigned int i = 0; i < valid_items; ++i) {
      const Bits other = storage.bits[Slots::of(first + i)];
      const bool is_before = i < own ? !is_less(bits, other, mask) : is_less(other, bits, mask);
      rank += is_before ? 1 : 0;
    }
    // The next tile goes to the same slots.
    __syncwarp();
    if (has_item) {
      keys_to[tile.begin + rank] = to_key(bits);
      values_to[tile.begin + rank] = value;
    }
  }

 public:
  // Merges runs of kTileItems * 2^round items of long segments. Each block makes tiles of merged runs.
  static __device__ __forceinline__ void merge_runs(const Arguments& arguments, TempStorage& storage, int round) {
    wait_for_previous_grid();
    // Rounds that no segment takes are launched too.
    if (round >= rounds_of(*longest_of(arguments))) return;
    const TileList list = list_of(arguments, kOfLongSegments);
    const unsigned long long items = list.items();
    for (unsigned long long i = blockIdx.x; i < items; i += gridDim.x) {
      const Tile tile = list.tiles[i];
      const int rounds = rounds_of(tile.end - tile.begin);
      if (round >= rounds) continue;
      const bool reads_output = (rounds - round) % 2 == 0;
      merge_tile(arguments, storage.tile, tile, static_cast<unsigned long long>(kTileItems) << round,
                 reads_output ? arguments.keys_out : arguments.keys_alternate, reads_output ? arguments.keys_alternate : arguments.keys_out,
                 reads_output ? arguments.values_out : arguments.values_alternate,
                 reads_output ? arguments.values_alternate : arguments.values_out);
    }
  }

 private:
  // Of the first `count` items of two merged runs of an array, how many are of the first run: items_of_first_run for long runs, by all
  // lanes of a warp, which call it together. Each takes one of 32 probes that divide what is left, so that a few loads follow each other,
  // where a search by halves waits for memory some twenty times.
  static __device__ __forceinline__ unsigned long long split_of(const Key* first_run, unsigned long long first_items, const Key* second_run,
                                                                unsigned long long second_items, unsigned long long count, Bits mask) {
    const unsigned int lane = lane_of(threadIdx.x);
    unsigned long long least = count > second_items ? count - second_items : 0;
    unsigned long long most = count < first_items ? count : first_items;
    while (least < most) {
      const unsigned long long step = (most - least + kWarpThreads - 1) / kWarpThreads;
      const unsigned long long probe = least + (lane + 1) * step - 1;
      const bool is_of_first = probe < most && !is_less(to_ordered_bits(second_run[count - 1 - probe]), to_ordered_bits(first_run[probe]), mask);
      // Items of the first run come first up to some probe.
      least += __popc(__ballot_sync(~0u, is_of_first)) * step;
      most = least + step - 1 < most ? least + step - 1 : most;
    }
    return least;
  }

  static __device__ __forceinline__ void merge_tile(const Arguments& arguments, TileStorage& storage, const Tile& tile, unsigned long long run,
                                                    const Key* keys_from, Key* keys_to, const Value* values_from, Value* values_to) {
    const Bits mask = mask_of(arguments);
    const unsigned long long pair = tile.offset / (2 * run) * (2 * run);
    const unsigned long long behind_pair = tile.end - tile.begin - pair;
    const unsigned long long first_items = behind_pair < run ? behind_pair : run;
    const unsigned long long second_items = behind_pair - first_items < run ? behind_pair - first_items : run;
    const unsigned long long first_run = tile.begin + pair, second_run = first_run + first_items;
    const unsigned int count = tile.items();
    // The first two warps, one for each end of the tile.
    const unsigned int warp = warp_of(threadIdx.x);
    if (warp < 2) {
      const unsigned long long diagonal = tile.offset - pair + (warp == 0 ? 0 : count);
      const unsigned long long split =
          split_of(keys_from + first_run, first_items, keys_from + second_run, second_items, diagonal, mask);
      if (lane_of(threadIdx.x) == 0) storage.splits[warp] = split;
    }
    // It is also behind the reads of the previous tile from the storage.
    __syncthreads();
    const unsigned long long first_begin = storage.splits[0];
    const unsigned long long second_begin = tile.offset - pair - first_begin;
    // Runs of segments that overlap may not be sorted: whatever was found, nothing past a run's end is read.
    const unsigned long long second_rest = second_items - second_begin;
    const unsigned int least = count > second_rest ? count - static_cast<unsigned int>(second_rest) : 0;
    const unsigned long long first_rest = first_items - first_begin;
    const unsigned int most = count < first_rest ? count : static_cast<unsigned int>(first_rest);
    const unsigned long long found = storage.splits[1] < first_begin ? 0 : storage.splits[1] - first_begin;
    const unsigned int first_count = found < least ? least : found < most ? static_cast<unsigned int>(found) : most;
    const auto source_of = [&](unsigned int position) {
      return position < first_count ? first_run + first_begin + position : second_run + second_begin + (position - first_count);
    };
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = i * kBlockThreads + threadIdx.x;
      if (position < count) {
        storage.items.bits[Slots::of(position)] = static_cast<StoredBits>(to_ordered_bits(keys_from[source_of(position)]));
        storage.items.sources[Slots::of(position)] = static_cast<unsigned short>(position);
      }
    }
    __syncthreads();
    Items<kItemsPerThread> items;
    const unsigned int own = threadIdx.x * kItemsPerThread;
    merge_own(storage.items, 0, first_count, count - first_count, own < count ? own : count, items, mask);
    __syncthreads();
    put_own(storage.items, threadIdx.x, items);
    __syncthreads();
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = i * kBlockThreads + threadIdx.x;
      if (position < count) {
        const unsigned long long to = tile.begin + tile.offset + position;
        keys_to[to] = to_key(storage.items.bits[Slots::of(position)]);
        values_to[to] = position_in_array(arguments, values_from[source_of(storage.items.sources[Slots::of(position)])]);
      }
    }
  }

  // A position that values may be gathered by, whatever unsorted runs of segments that overlap have left.
  static __device__ __forceinline__ Value position_in_array(const Arguments& arguments, Value position) {
    return position < arguments.n ? position : 0;
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith

extern "C" __global__ void __launch_bounds__(256)
segmented_merge_sort_u64_index_b256_i12_desc_classify(sortsmith::segmented_merge_sort_u64_index_b256_i12_desc::Arguments arguments,
    const void* count, unsigned long long segment_items, unsigned long long segment_stride, unsigned int count_bytes,
    int signed_offsets) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::segmented_merge_sort_u64_index_b256_i12_desc;
  Sort::classify(arguments, { count, segment_items, segment_stride, count_bytes, signed_offsets }, *reinterpret_cast<Sort::ClassifyStorage*>(sortsmith_shared));
}

extern "C" __global__ void __launch_bounds__(256)
segmented_merge_sort_u64_index_b256_i12_desc_ranks(sortsmith::segmented_merge_sort_u64_index_b256_i12_desc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::segmented_merge_sort_u64_index_b256_i12_desc;
  Sort::sort_by_ranks(arguments, *reinterpret_cast<Sort::RankTempStorage*>(sortsmith_shared));
}

extern "C" __global__ void __launch_bounds__(256, 2)
segmented_merge_sort_u64_index_b256_i12_desc_warps(sortsmith::segmented_merge_sort_u64_index_b256_i12_desc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::segmented_merge_sort_u64_index_b256_i12_desc;
  Sort::sort_by_warps(arguments, *reinterpret_cast<Sort::TempStorage*>(sortsmith_shared));
}

extern "C" __global__ void __launch_bounds__(256, 2)
segmented_merge_sort_u64_index_b256_i12_desc_tiles(sortsmith::segmented_merge_sort_u64_index_b256_i12_desc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::segmented_merge_sort_u64_index_b256_i12_desc;
  Sort::sort_tiles(arguments, *reinterpret_cast<Sort::TileTempStorage*>(sortsmith_shared));
}

// Merges wait for memory most of the time, the less the more blocks there are. No multiprocessor of sm_75 has as many threads.
extern "C" __global__ void
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
__launch_bounds__(256)
#else
__launch_bounds__(256, 3)
#endif
segmented_merge_sort_u64_index_b256_i12_desc_merge(sortsmith::segmented_merge_sort_u64_index_b256_i12_desc::Arguments arguments, int round) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::segmented_merge_sort_u64_index_b256_i12_desc;
  Sort::merge_runs(arguments, *reinterpret_cast<Sort::TempStorage*>(sortsmith_shared), round);
}
#endif
