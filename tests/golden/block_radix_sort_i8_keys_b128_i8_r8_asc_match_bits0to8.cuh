// block_radix_sort_i8_keys_b128_i8_r8_asc_match_bits0to8
//
// Sorts i8 keys, ascending: a block of 128 threads sorts a tile of 1024 items in shared
// memory, 8 bits a pass, 1 pass over bits 0 to 8. Stable: equal keys keep their input order.
//
//   tile   the items that the block sorts
//   digit  the bits of a key that one pass sorts by; a bin has the items of one digit
//   rank   where in the tile, by the digits so far, an item goes
//
// In a kernel of 128 threads, with Keys an array of 8 keys:
//   using Sort = sortsmith::block_radix_sort_i8_keys_b128_i8_r8_asc_match_bits0to8;
//   __shared__ Sort::TempStorage storage;
//   Sort(storage).Sort(keys);
//
// Made by sortsmith 0.1.0 from the template block_radix_sort; to make it again:
//   sortsmith emit --name block_radix_sort_i8_keys_b128_i8_r8_asc_match_bits0to8 --tile-kernel --out .
#if defined(__cplusplus) && __cplusplus < 201703L && !defined(_MSC_VER)
#error "this header needs C++17: nvcc -std=c++17"
#endif
#pragma once

#if !defined(__CUDACC__) && !defined(SORTSMITH_EMULATOR)
// To a compiler of the host alone the struct has the sort's constants.
#ifndef SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_I8_KEYS_B128_I8_R8_ASC_MATCH_BITS0TO8
#define SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_I8_KEYS_B128_I8_R8_ASC_MATCH_BITS0TO8
namespace sortsmith {
inline namespace v0_1_0 {

struct block_radix_sort_i8_keys_b128_i8_r8_asc_match_bits0to8 {
  // Which thread holds which position of the tile. Thread t's item i is at
  //   kBlocked:     t * kItemsPerThread + i
  //   kStriped:     i * kBlockThreads + t
  //   kWarpStriped: the same as kStriped, within each warp's own 32 * kItemsPerThread positions
  enum class Arrangement { kBlocked, kStriped, kWarpStriped };

  static constexpr int kBlockX = 128;
  static constexpr int kBlockY = 1;
  static constexpr int kBlockZ = 1;
  static constexpr int kBlockThreads = kBlockX * kBlockY * kBlockZ;
  static constexpr int kItemsPerThread = 8;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 8;
  static constexpr bool kDescending = false;
  static constexpr bool kHasValues = false;
  static constexpr bool kIndexValues = false;
  static constexpr Arrangement kInput = Arrangement::kBlocked;
  static constexpr Arrangement kOutput = Arrangement::kBlocked;
  // sizeof(TempStorage): a tile kernel's dynamic shared memory. Past 48 KB the storage must be dynamic, and the kernel's
  // limit raised by cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes).
  static constexpr unsigned int kSharedBytes = 2092;
  static constexpr int kRadixBits = 8;
  static constexpr bool kStaticBits = true;
  static constexpr int kBeginBit = 0;
  static constexpr int kEndBit = 8;
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif
#else

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

#ifndef SORTSMITH_V0_1_0_WARP
#define SORTSMITH_V0_1_0_WARP
namespace sortsmith {
inline namespace v0_1_0 {

// Adds up `value` over the lanes at or below this one. All lanes of `lanes`, a mask without gaps from lane 0 up, call it.
__device__ __forceinline__ unsigned int inclusive_sum_in_warp(unsigned int value, unsigned int lanes) {
#pragma unroll
  for (unsigned int distance = 1; distance < kWarpThreads; distance *= 2) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
    // The shuffle's own predicate says whether there is a lane that far below.
    asm volatile(
        "{\n"
        "  .reg .u32 below;\n"
        "  .reg .pred exists;\n"
        "  shfl.sync.up.b32 below|exists, %0, %1, 0, %2;\n"
        "  @exists add.u32 %0, %0, below;\n"
        "}"
        : "+r"(value)
        : "r"(distance), "r"(lanes));
#else
    const unsigned int below = __shfl_up_sync(lanes, value, distance);
    if (lane_of_thread() >= distance) value += below;
#endif
  }
  return value;
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

#ifndef SORTSMITH_V0_1_0_WARP_SCANS
#define SORTSMITH_V0_1_0_WARP_SCANS
namespace sortsmith {
inline namespace v0_1_0 {

// A block-wide exclusive sum: by shuffles within each warp, then over the totals of the warps below.
// One barrier where there is more than one warp. The storage may be written again after the next barrier.
template <int kThreads>
struct WarpScans {
  static constexpr unsigned int kWarps = (kThreads + kWarpThreads - 1) / kWarpThreads;
  static constexpr unsigned int kLastWarpLanes = ~0u >> (kWarps * kWarpThreads - kThreads);

  struct Storage {
    unsigned int warp_totals[kWarps];
  };

  // Returns the sum over the threads below this one; `total` becomes the sum over all.
  static __device__ __forceinline__ unsigned int exclusive_sum(Storage& storage, unsigned int thread, unsigned int value,
                                                               unsigned int& total) {
    const unsigned int warp = warp_of(thread);
    const unsigned int inclusive = inclusive_sum_in_warp(value, warp == kWarps - 1 ? kLastWarpLanes : ~0u);
    if (lane_of(thread) == 31 || thread == kThreads - 1) storage.warp_totals[warp] = inclusive;
    if constexpr (kWarps > 1) {
      __syncthreads();
    } else {
      __syncwarp(kLastWarpLanes);
    }
    unsigned int below = 0;
    total = 0;
#pragma unroll
    for (unsigned int other = 0; other < kWarps; ++other) {
      if (other == warp) below = total;
      total += storage.warp_totals[other];
    }
    return below + inclusive - value;
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_I8_KEYS_B128_I8_R8_ASC_MATCH_BITS0TO8
#define SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_I8_KEYS_B128_I8_R8_ASC_MATCH_BITS0TO8
namespace sortsmith {
inline namespace v0_1_0 {

struct block_radix_sort_i8_keys_b128_i8_r8_asc_match_bits0to8 {
  using Key = signed char;
  using Value = NullType;

  // Which thread holds which position of the tile. Thread t's item i is at
  //   kBlocked:     t * kItemsPerThread + i
  //   kStriped:     i * kBlockThreads + t
  //   kWarpStriped: the same as kStriped, within each warp's own 32 * kItemsPerThread positions
  enum class Arrangement { kBlocked, kStriped, kWarpStriped };

  static constexpr int kBlockX = 128;
  static constexpr int kBlockY = 1;
  static constexpr int kBlockZ = 1;
  static constexpr int kBlockThreads = kBlockX * kBlockY * kBlockZ;
  static constexpr int kItemsPerThread = 8;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 8;
  static constexpr bool kDescending = false;
  static constexpr bool kHasValues = false;
  static constexpr bool kIndexValues = false;
  static constexpr Arrangement kInput = Arrangement::kBlocked;
  static constexpr Arrangement kOutput = Arrangement::kBlocked;
  // sizeof(TempStorage): a tile kernel's dynamic shared memory. Past 48 KB the storage must be dynamic, and the kernel's
  // limit raised by cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes).
  static constexpr unsigned int kSharedBytes = 2092;
  static constexpr int kRadixBits = 8;
  static constexpr bool kStaticBits = true;
  static constexpr int kBeginBit = 0;
  static constexpr int kEndBit = 8;

  // One thread's items.
  using Keys = Key[kItemsPerThread];

 private:
  // Keys in registers are ordered bits: unsigned integers that order as the keys do.
  using Bits = unsigned int;
  using BitsItems = Bits[kItemsPerThread];
  // In shared memory they take no more bytes than the keys.
  using StoredBits = unsigned char;
  using Positions = unsigned int[kItemsPerThread];
  using BlockScan = WarpScans<kBlockThreads>;

  static constexpr unsigned int kBins = 1 << kRadixBits;

  struct RankStorage {
    // Of each key: how many there are, then the position in the tile of the first of them.
    unsigned int counts[kBins];
    typename BlockScan::Storage scan;
  };

  using KeySlots = GappedSlots<128, 4>;

  // The tile on its way from one arrangement to another.
  struct ExchangeStorage {
    StoredBits keys[KeySlots::count(kTileItems)];
  };
  static constexpr bool kOverlaps = false;

 public:
  // Ranking and exchange have bytes of their own: a pass can begin while the last one's items are still being read.
  struct TempStorage {
    RankStorage rank;
    ExchangeStorage exchange;
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  // All threads of the block share one storage. It may be used again, by this or anything else, after a barrier.
  explicit __device__ __forceinline__ block_radix_sort_i8_keys_b128_i8_r8_asc_match_bits0to8(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x + kBlockX * (threadIdx.y + kBlockY * threadIdx.z)) {}

  // The members below sort one tile. All threads of the block call the same one, with the same valid_items.
  //   valid_items:        the first valid_items items of the tile are sorted and come out in front. What the others hold
  //                       does not matter, and is unspecified afterwards.

  // From blocked to blocked arrangement.
  __device__ __forceinline__ void Sort(Keys& keys) {
    sort<Arrangement::kBlocked, Arrangement::kBlocked>(keys, kBeginBit, kEndBit, kTileItems);
  }
  __device__ __forceinline__ void Sort(Keys& keys, int valid_items) {
    sort<Arrangement::kBlocked, Arrangement::kBlocked>(keys, kBeginBit, kEndBit, valid_items);
  }

  // From blocked to striped arrangement.
  __device__ __forceinline__ void SortBlockedToStriped(Keys& keys) {
    sort<Arrangement::kBlocked, Arrangement::kStriped>(keys, kBeginBit, kEndBit, kTileItems);
  }
  __device__ __forceinline__ void SortBlockedToStriped(Keys& keys, int valid_items) {
    sort<Arrangement::kBlocked, Arrangement::kStriped>(keys, kBeginBit, kEndBit, valid_items);
  }

  // Sorts the block's own tile of an array of n items: the tile from kTileItems * blockIdx.x on. In place or not.
  // Neighbouring lanes read and write neighbouring items.
  __device__ __forceinline__ void SortTile(const Key* keys_in, Key* keys_out,
                                           unsigned long long n, int begin_bit, int end_bit) {
    const unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
    if (start >= n) return;
    const unsigned int valid_items = n - start < kTileItems ? static_cast<unsigned int>(n - start) : kTileItems;
    sort_in_memory(keys_in + start, keys_out + start, valid_items, begin_bit, end_bit);
  }

  // Sorts the block's own row of an array: row r is the `columns` items from r * stride on, columns <= kTileItems and columns <= stride,
  // and block b's is row b. In place or not; items between rows are not touched.
  __device__ __forceinline__ void SortRow(const Key* keys_in, Key* keys_out,
                                          unsigned long long rows, unsigned int columns, unsigned long long stride,
                                          int begin_bit, int end_bit) {
    if (blockIdx.x >= rows) return;
    const unsigned long long start = blockIdx.x * stride;
    sort_in_memory(keys_in + start, keys_out + start, columns, begin_bit, end_bit);
  }

 private:
  static constexpr Bits kSign = Bits(1) << (8 * sizeof(Key) - 1);
  static constexpr Bits kAllBits = StoredBits(~StoredBits(0));

  // Ordered bits of a key: the sign bit flipped.
  static __device__ __forceinline__ Bits to_ordered_bits(Key key) {
    return bits_as<StoredBits>(key) ^ kSign;
  }

  // The key of ordered bits.
  static __device__ __forceinline__ Key to_key(Bits ordered) {
    return bits_as<Key>(static_cast<StoredBits>(ordered ^ kSign));
  }

  // The position in the tile of this thread's item i.
  template <Arrangement kArrangement>
  __device__ __forceinline__ unsigned int position(unsigned int i) const {
    if constexpr (kArrangement == Arrangement::kBlocked) {
      return thread_ * kItemsPerThread + i;
    } else if constexpr (kArrangement == Arrangement::kStriped) {
      return i * kBlockThreads + thread_;
    } else {
      return warp_striped<kItemsPerThread>(thread_, i);
    }
  }

  // From one of a thread's items to the next in an arrangement.
  template <Arrangement kArrangement>
  static constexpr unsigned int kStride =
      kArrangement == Arrangement::kBlocked ? 1 : kArrangement == Arrangement::kStriped ? kBlockThreads : 32;

  // Items to their positions in shared memory. All threads' positions together are a permutation of the tile.
  __device__ __forceinline__ void items_to_shared(const BitsItems& bits, const Positions& positions) {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      storage_.exchange.keys[KeySlots::of(positions[i])] = static_cast<StoredBits>(bits[i]);
    }
  }

  // Each thread's items from shared memory.
  template <Arrangement kArrangement>
  __device__ __forceinline__ void shared_to_items(BitsItems& bits) {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      bits[i] = storage_.exchange.keys[KeySlots::of(position<kArrangement>(i))];
    }
  }

  // A thread's items, kApart apart from the first one on, from and to the tile's offset in an array. Full tiles, which most are, need no check of each item.
  template <unsigned int kApart, typename T>
  static __device__ __forceinline__ void load(T (&items)[kItemsPerThread], const T* from, unsigned int first, unsigned int valid_items) {
    const T* const mine = from + first;
    if (valid_items == kTileItems) {
#pragma unroll
      for (unsigned int i = 0; i < kItemsPerThread; ++i) items[i] = mine[i * kApart];
    } else {
#pragma unroll
      for (unsigned int i = 0; i < kItemsPerThread; ++i) {
        // What is past the end does not count, and is not there.
        items[i] = first + i * kApart < valid_items ? mine[i * kApart] : T();
      }
    }
  }

  template <unsigned int kApart, typename T>
  static __device__ __forceinline__ void store(const T (&items)[kItemsPerThread], T* to, unsigned int first, unsigned int valid_items) {
    T* const mine = to + first;
    if (valid_items == kTileItems) {
#pragma unroll
      for (unsigned int i = 0; i < kItemsPerThread; ++i) mine[i * kApart] = items[i];
    } else {
#pragma unroll
      for (unsigned int i = 0; i < kItemsPerThread; ++i) {
        if (first + i * kApart < valid_items) mine[i * kApart] = items[i];
      }
    }
  }

  // Sorts the first valid_items items of arrays, at most a tile, to other arrays or in place.
  __device__ __forceinline__ void sort_in_memory(const Key* keys_in, Key* keys_out,
                                                 unsigned int valid_items, int begin_bit, int end_bit) {
    constexpr Arrangement kLoaded = Arrangement::kWarpStriped;
    constexpr Arrangement kStored = Arrangement::kStriped;
    // The thread's first item; the others follow, kStride<kLoaded> apart.
    const unsigned int first = position<kLoaded>(0);
    Keys keys;
    load<kStride<kLoaded>>(keys, keys_in, first, valid_items);
    sort<kLoaded, kStored>(keys, begin_bit, end_bit, valid_items);
    const unsigned int first_stored = kStored == kLoaded ? first : position<kStored>(0);
    store<kStride<kStored>>(keys, keys_out, first_stored, valid_items);
  }

  // Sorts the tile from one arrangement to another. A digit is all of a key, and keys of one digit are alike. So any number among
  // them will do for a key, as an atomic gives it.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void sort(Keys& keys, int, int, unsigned int valid_items) {
    unsigned int (&counts)[kBins] = storage_.rank.counts;
    for (unsigned int bin = thread_; bin < kBins; bin += kBlockThreads) counts[bin] = 0;
    __syncthreads();
    BitsItems bits;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) bits[i] = to_ordered_bits(keys[i]);
    if (valid_items < kTileItems) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        // All bits are set: the maximum, and keys that are alike come out alike.
        if (position<kFrom>(i) >= valid_items) bits[i] = kAllBits;
      }
    }
    Positions positions;
    // Lanes that meet at one counter add one after the other. Where the warp's first key is that of many, they are counted together.
    const unsigned int frequent = __shfl_sync(~0u, static_cast<unsigned int>(bits[0]), 0);
    if (__popc(__ballot_sync(~0u, bits[0] == frequent)) >= kHeavyLanes) {
      count_heavy_hitter(bits, frequent, counts, positions);
    } else {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) positions[i] = atomicAdd(&counts[bits[i]], 1u);
    }
    __syncthreads();
    make_offsets(counts);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) positions[i] += counts[bits[i]];
    // The exchange takes the bytes of the counts.
    if constexpr (kOverlaps) __syncthreads();
    items_to_shared(bits, positions);
    __syncthreads();
    shared_to_items<kTo>(bits);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) keys[i] = to_key(bits[i]);
  }

  // The least number of lanes of 32 at one counter that is worth ballots.
  static constexpr int kHeavyLanes = 8;

  // Numbers a warp's keys, all that are `frequent` by one atomic.
  __device__ __forceinline__ void count_heavy_hitter(const BitsItems& bits, unsigned int frequent, unsigned int (&counts)[kBins],
                                                     Positions& positions) {
    const unsigned int lane = lane_of(thread_);
    const unsigned int lanes_below = (1u << lane) - 1u;
    unsigned int heavy_keys = 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int heavy = __ballot_sync(~0u, bits[i] == frequent);
      positions[i] = bits[i] == frequent ? heavy_keys + __popc(heavy & lanes_below) : atomicAdd(&counts[bits[i]], 1u);
      heavy_keys += __popc(heavy);
    }
    unsigned int before = 0;
    if (lane == 0) before = atomicAdd(&counts[frequent], heavy_keys);
    before = __shfl_sync(~0u, before, 0);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      if (bits[i] == frequent) positions[i] += before;
    }
  }

  // Makes each bin's count the position in the tile of its first key.
  __device__ __forceinline__ void make_offsets(unsigned int (&counts)[kBins]) {
    constexpr unsigned int kThreadBins = (kBins + kBlockThreads - 1) / kBlockThreads;
    const unsigned int first = thread_ * kThreadBins;
    unsigned int own[kThreadBins];
    unsigned int sum = 0;
#pragma unroll
    for (unsigned int b = 0; b < kThreadBins; ++b) {
      own[b] = first + b < kBins ? counts[first + b] : 0;
      sum += own[b];
    }
    unsigned int total;
    unsigned int start = BlockScan::exclusive_sum(storage_.rank.scan, thread_, sum, total);
#pragma unroll
    for (unsigned int b = 0; b < kThreadBins; ++b) {
      if (first + b < kBins) counts[first + b] = start;
      start += own[b];
    }
  }


  TempStorage& storage_;
  const unsigned int thread_;
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

// Each block sorts its own tile of an array of n items. Launch ceil(n / kTileItems) blocks of kBlockX x kBlockY x kBlockZ
// threads with kSharedBytes of dynamic shared memory. In place or not.
//
// Its name is the same in every file of a program: one file defines it, in the others `#define SORTSMITH_DECLARE_KERNELS` comes before this header.
extern "C" __global__ void
block_radix_sort_i8_keys_b128_i8_r8_asc_match_bits0to8_tile(
    const signed char* keys_in, signed char* keys_out,
    unsigned long long n);
#if !defined(SORTSMITH_DECLARE_KERNELS) && !defined(SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_I8_KEYS_B128_I8_R8_ASC_MATCH_BITS0TO8_TILE)
#define SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_I8_KEYS_B128_I8_R8_ASC_MATCH_BITS0TO8_TILE
extern "C" __global__ void __launch_bounds__(128)
block_radix_sort_i8_keys_b128_i8_r8_asc_match_bits0to8_tile(
    const signed char* keys_in, signed char* keys_out,
    unsigned long long n) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::block_radix_sort_i8_keys_b128_i8_r8_asc_match_bits0to8;
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared))
      .SortTile(keys_in, keys_out, n, Sort::kBeginBit, Sort::kEndBit);
}
#endif

#endif  // a compiler of the host alone
