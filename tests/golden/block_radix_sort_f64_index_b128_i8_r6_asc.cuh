// block_radix_sort_f64_index_b128_i8_r6_asc
//
// Sorts f64 keys with their positions, ascending: a block of 128 threads sorts a tile of 1024 items in shared
// memory, 6 bits a pass, 11 passes over all bits of a key. Stable: equal keys keep their input order.
//
// Keys order by sign and magnitude. -0.0 and +0.0 are equal. NaNs order by their bits: those with the sign bit set are
// less than all numbers, the others greater.
//
// No values are read. The sort makes them: each key's position in the tile's input order.
//
//   tile   the items that the block sorts
//   digit  the bits of a key that one pass sorts by; a bin has the items of one digit
//   rank   where in the tile, by the digits so far, an item goes
//
// In a kernel of 128 threads, with Keys an array of 8 keys and Values one of 8 positions:
//   using Sort = sortsmith::block_radix_sort_f64_index_b128_i8_r6_asc;
//   __shared__ Sort::TempStorage storage;
//   Sort(storage).Sort(keys, positions);
//
// Made by sortsmith 0.1.0 from the template block_radix_sort; to make it again:
//   sortsmith emit --name block_radix_sort_f64_index_b128_i8_r6_asc --tile-kernel --out .
#if defined(__cplusplus) && __cplusplus < 201703L && !defined(_MSC_VER)
#error "this header needs C++17: nvcc -std=c++17"
#endif
#pragma once

#if !defined(__CUDACC__) && !defined(SORTSMITH_EMULATOR)
// To a compiler of the host alone the struct has the sort's constants.
#ifndef SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_F64_INDEX_B128_I8_R6_ASC
#define SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_F64_INDEX_B128_I8_R6_ASC
namespace sortsmith {
inline namespace v0_1_0 {

struct block_radix_sort_f64_index_b128_i8_r6_asc {
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
  static constexpr int kKeyBits = 64;
  static constexpr bool kDescending = false;
  static constexpr bool kHasValues = true;
  static constexpr bool kIndexValues = true;
  static constexpr Arrangement kInput = Arrangement::kBlocked;
  static constexpr Arrangement kOutput = Arrangement::kBlocked;
  // sizeof(TempStorage): a tile kernel's dynamic shared memory. Past 48 KB the storage must be dynamic, and the kernel's
  // limit raised by cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes).
  static constexpr unsigned int kSharedBytes = 16912;
  static constexpr int kRadixBits = 6;
  static constexpr bool kStaticBits = false;
  static constexpr int kBeginBit = 0;
  static constexpr int kEndBit = 64;
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

#ifndef SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_F64_INDEX_B128_I8_R6_ASC
#define SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_F64_INDEX_B128_I8_R6_ASC
namespace sortsmith {
inline namespace v0_1_0 {

struct block_radix_sort_f64_index_b128_i8_r6_asc {
  using Key = double;
  using Value = unsigned int;

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
  static constexpr int kKeyBits = 64;
  static constexpr bool kDescending = false;
  static constexpr bool kHasValues = true;
  static constexpr bool kIndexValues = true;
  static constexpr Arrangement kInput = Arrangement::kBlocked;
  static constexpr Arrangement kOutput = Arrangement::kBlocked;
  // sizeof(TempStorage): a tile kernel's dynamic shared memory. Past 48 KB the storage must be dynamic, and the kernel's
  // limit raised by cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes).
  static constexpr unsigned int kSharedBytes = 16912;
  static constexpr int kRadixBits = 6;
  static constexpr bool kStaticBits = false;
  static constexpr int kBeginBit = 0;
  static constexpr int kEndBit = 64;

  // One thread's items.
  using Keys = Key[kItemsPerThread];
  using Values = Value[kItemsPerThread];

 private:
  // Keys in registers are ordered bits: unsigned integers that order as the keys do.
  using Bits = unsigned long long;
  using BitsItems = Bits[kItemsPerThread];
  // In shared memory they take no more bytes than the keys.
  using StoredBits = unsigned long long;
  using Positions = unsigned int[kItemsPerThread];
  // What goes through shared memory with each key: its position in the input.
  using Carried = unsigned short;
  using CarriedItems = unsigned int[kItemsPerThread];

  // The arrangement in which items are ranked: its registers, thread after thread, are the tile's order.
  static constexpr Arrangement kRanked = Arrangement::kBlocked;
  using BlockScan = WarpScans<kBlockThreads>;

  // A digit says which of the thread's 16-bit counters is its own:
  //
  //   | half of the word: all other bits | lane: log2(kLanes) bits |
  //
  // The words of one lane lie side by side, thread by thread, so that a warp that counts never meets itself in a bank; read in
  // memory order, lane by lane and thread by thread, their prefix sums are the ranks.
  static constexpr int kLanes = 32;
  struct DigitCounter {
    unsigned int digit;
    __device__ __forceinline__ unsigned int lane() const { return digit % kLanes; }
    __device__ __forceinline__ unsigned int half() const { return digit / kLanes; }
  };
  // A word of two counters, or of sums of them:
  //
  //   | half 1: 16 bits | half 0: 16 bits |
  struct CounterPair {
    unsigned int bits;
    static __device__ __forceinline__ CounterPair pack(unsigned int half_0, unsigned int half_1) { return {half_1 << 16 | half_0}; }
    __device__ __forceinline__ unsigned int half_0() const { return bits & 0xffffu; }
  };
  // Each thread scans as many words in a row, an odd number, again for the banks; words past the last lane stay zero.
  static constexpr int kSegment = 33;
  // Whether a thread keeps them in registers from one sweep of its scan to the next.
  static constexpr bool kMemoize = true;

  struct RankStorage {
    union {
      unsigned short counters[kSegment][kBlockThreads][2];
      unsigned int words[kSegment][kBlockThreads];
      unsigned int segments[kBlockThreads][kSegment];
    };
    typename BlockScan::Storage scan;
  };

  using KeySlots = GappedSlots<16, 1>;
  using CarriedSlots = GappedSlots<64, 2>;

  // The tile on its way from one arrangement to another.
  struct ExchangeStorage {
    StoredBits keys[KeySlots::count(kTileItems)];
    Carried carried[CarriedSlots::count(kTileItems)];
  };
  static constexpr bool kOverlaps = true;

 public:
  // Ranking and exchange use the same bytes, one after the other.
  union TempStorage {
    RankStorage rank;
    ExchangeStorage exchange;
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  // All threads of the block share one storage. It may be used again, by this or anything else, after a barrier.
  explicit __device__ __forceinline__ block_radix_sort_f64_index_b128_i8_r6_asc(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x + kBlockX * (threadIdx.y + kBlockY * threadIdx.z)) {}

  // The members below sort one tile. All threads of the block call the same one, with the same scalars.
  //   begin_bit, end_bit: the bits of the ordered key that take part, 0 <= begin_bit <= end_bit <= kKeyBits; an empty
  //                       range leaves the input order.
  //   valid_items:        the first valid_items items of the tile are sorted and come out in front. What the others hold
  //                       does not matter, and is unspecified afterwards.

  // From blocked to blocked arrangement.
  __device__ __forceinline__ void Sort(Keys& keys, Values& values) {
    sort<Arrangement::kBlocked, Arrangement::kBlocked>(keys, values, kBeginBit, kEndBit, kTileItems);
  }
  __device__ __forceinline__ void Sort(Keys& keys, Values& values, int valid_items) {
    sort<Arrangement::kBlocked, Arrangement::kBlocked>(keys, values, kBeginBit, kEndBit, valid_items);
  }
  __device__ __forceinline__ void Sort(Keys& keys, Values& values, int begin_bit, int end_bit) {
    sort<Arrangement::kBlocked, Arrangement::kBlocked>(keys, values, begin_bit, end_bit, kTileItems);
  }
  __device__ __forceinline__ void Sort(Keys& keys, Values& values, int begin_bit, int end_bit, int valid_items) {
    sort<Arrangement::kBlocked, Arrangement::kBlocked>(keys, values, begin_bit, end_bit, valid_items);
  }

  // From blocked to striped arrangement.
  __device__ __forceinline__ void SortBlockedToStriped(Keys& keys, Values& values) {
    sort<Arrangement::kBlocked, Arrangement::kStriped>(keys, values, kBeginBit, kEndBit, kTileItems);
  }
  __device__ __forceinline__ void SortBlockedToStriped(Keys& keys, Values& values, int valid_items) {
    sort<Arrangement::kBlocked, Arrangement::kStriped>(keys, values, kBeginBit, kEndBit, valid_items);
  }
  __device__ __forceinline__ void SortBlockedToStriped(Keys& keys, Values& values, int begin_bit, int end_bit) {
    sort<Arrangement::kBlocked, Arrangement::kStriped>(keys, values, begin_bit, end_bit, kTileItems);
  }
  __device__ __forceinline__ void SortBlockedToStriped(Keys& keys, Values& values, int begin_bit, int end_bit, int valid_items) {
    sort<Arrangement::kBlocked, Arrangement::kStriped>(keys, values, begin_bit, end_bit, valid_items);
  }

  // Sorts the block's own tile of an array of n items: the tile from kTileItems * blockIdx.x on. In place or not.
  // Neighbouring lanes read and write neighbouring items.
  __device__ __forceinline__ void SortTile(const Key* keys_in, Key* keys_out, Value* positions_out,
                                           unsigned long long n, int begin_bit, int end_bit) {
    const unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
    if (start >= n) return;
    const unsigned int valid_items = n - start < kTileItems ? static_cast<unsigned int>(n - start) : kTileItems;
    sort_in_memory(keys_in + start, keys_out + start, positions_out + start, valid_items, begin_bit, end_bit);
  }

  // Sorts the block's own row of an array: row r is the `columns` items from r * stride on, columns <= kTileItems and columns <= stride,
  // and block b's is row b. In place or not; items between rows are not touched.
  // Positions are those within the row. keys_out may be null: then positions alone are written.
  __device__ __forceinline__ void SortRow(const Key* keys_in, Key* keys_out, Value* positions_out,
                                          unsigned long long rows, unsigned int columns, unsigned long long stride,
                                          int begin_bit, int end_bit) {
    if (blockIdx.x >= rows) return;
    const unsigned long long start = blockIdx.x * stride;
    sort_in_memory(keys_in + start, keys_out != nullptr ? keys_out + start : nullptr, positions_out + start, columns, begin_bit, end_bit);
  }

 private:
  static constexpr Bits kSign = Bits(1) << (8 * sizeof(Key) - 1);
  static constexpr Bits kAllBits = StoredBits(~StoredBits(0));

  // Ordered bits of a key: all bits of a negative key flipped, the sign of any other.
  static __device__ __forceinline__ Bits to_ordered_bits(Key key) {
    const Bits bits = bits_as<StoredBits>(key);
    return bits ^ (bits & kSign ? kAllBits : kSign);
  }

  // The key of ordered bits.
  static __device__ __forceinline__ Key to_key(Bits ordered) {
    const Bits bits = ordered;
    return bits_as<Key>(static_cast<StoredBits>(bits ^ (bits & kSign ? kSign : kAllBits)));
  }
  // Ordered bits of zeros, which are next to each other.
  static constexpr Bits kPositiveZero = kSign;
  static constexpr Bits kNegativeZero = kSign - 1;

  // What is compared of ordered bits: -0.0 as if it were +0.0.
  static __device__ __forceinline__ Bits compared_bits(Bits ordered) {
    return ordered == kNegativeZero ? kPositiveZero : ordered;
  }

  // The digit of `count` bits, at most kRadixBits, from `bit` up.
  static __device__ __forceinline__ unsigned int digit_of(Bits ordered, int bit, int count) {
    return static_cast<unsigned int>(compared_bits(ordered) >> bit) & ((1u << count) - 1u);
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
  __device__ __forceinline__ void items_to_shared(const BitsItems& bits, const CarriedItems& carried, const Positions& positions) {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      storage_.exchange.keys[KeySlots::of(positions[i])] = static_cast<StoredBits>(bits[i]);
      storage_.exchange.carried[CarriedSlots::of(positions[i])] = static_cast<Carried>(carried[i]);
    }
  }

  // Each thread's items from shared memory.
  template <Arrangement kArrangement>
  __device__ __forceinline__ void shared_to_items(BitsItems& bits, CarriedItems& carried) {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      bits[i] = storage_.exchange.keys[KeySlots::of(position<kArrangement>(i))];
      carried[i] = storage_.exchange.carried[CarriedSlots::of(position<kArrangement>(i))];
    }
  }

  // Moves the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void rearrange(BitsItems& bits, CarriedItems& carried) {
    if constexpr (kFrom != kTo) {
      Positions positions;
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) positions[i] = position<kFrom>(i);
      items_to_shared(bits, carried, positions);
      if constexpr (kBlockThreads % kWarpThreads == 0 && kFrom != Arrangement::kStriped && kTo != Arrangement::kStriped) {
        // Every item stays in its warp.
        __syncwarp();
      } else {
        __syncthreads();
      }
      shared_to_items<kTo>(bits, carried);
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

  // Sorts the first valid_items items of arrays, at most a tile, to other arrays or in place. Where keys_out is null, positions
  // alone are written.
  __device__ __forceinline__ void sort_in_memory(const Key* keys_in, Key* keys_out, Value* positions_out,
                                                 unsigned int valid_items, int begin_bit, int end_bit) {
    constexpr Arrangement kLoaded = Arrangement::kWarpStriped;
    constexpr Arrangement kStored = Arrangement::kStriped;
    // The thread's first item; the others follow, kStride<kLoaded> apart.
    const unsigned int first = position<kLoaded>(0);
    Keys keys;
    load<kStride<kLoaded>>(keys, keys_in, first, valid_items);
    Values values;
    sort<kLoaded, kStored>(keys, values, begin_bit, end_bit, valid_items);
    const unsigned int first_stored = kStored == kLoaded ? first : position<kStored>(0);
    if (keys_out != nullptr) store<kStride<kStored>>(keys, keys_out, first_stored, valid_items);
    store<kStride<kStored>>(values, positions_out, first_stored, valid_items);
  }

  // This thread's counter of a digit.
  __device__ __forceinline__ unsigned short& counter_of(unsigned int digit) {
    const DigitCounter counter{digit};
    return storage_.rank.counters[counter.lane()][thread_][counter.half()];
  }

  // Each item's rank by its digit: items of smaller digits, and items of the same digit before it, come first.
  __device__ __forceinline__ void rank_items(const BitsItems& bits, Positions& ranks, int bit, int bit_count) {
    // A thread's counters are its own until the barrier, and again after the scan.
#pragma unroll
    for (int lane = 0; lane < kSegment; ++lane) storage_.rank.words[lane][thread_] = 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      unsigned short& counter = counter_of(digit_of(bits[i], bit, bit_count));
      ranks[i] = counter;
      counter = static_cast<unsigned short>(ranks[i] + 1);
    }
    __syncthreads();
    scan_counters();
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) ranks[i] += counter_of(digit_of(bits[i], bit, bit_count));
  }

  // Makes every counter the number of items counted before it: in the counters of smaller digits, or of the same digit in
  // the threads below. Both halves of a word are scanned at once; the items of all low halves come before any high half.
  __device__ __forceinline__ void scan_counters() {
    unsigned int (&segment)[kSegment] = storage_.rank.segments[thread_];
    [[maybe_unused]] unsigned int counts[kMemoize ? kSegment : 1];
    [[maybe_unused]] constexpr int kUnrolled = kMemoize ? kSegment : 8;
    unsigned int sum = 0;
#pragma unroll kUnrolled
    for (int word = 0; word < kSegment; ++word) {
      const unsigned int count = segment[word];
      if constexpr (kMemoize) counts[word] = count;
      sum += count;
    }
    CounterPair total;
    unsigned int before = BlockScan::exclusive_sum(storage_.rank.scan, thread_, sum, total.bits);
    before += CounterPair::pack(0, total.half_0()).bits;
#pragma unroll kUnrolled
    for (int word = 0; word < kSegment; ++word) {
      const unsigned int count = kMemoize ? counts[kMemoize ? word : 0] : segment[word];
      segment[word] = before;
      before += count;
    }
  }

  // Sorts the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void sort(Keys& keys, Values& values, int begin_bit, int end_bit,
                                       unsigned int valid_items) {
    // Items past valid_items have all bits set: no digit is greater, and of equal digits those of the items before them
    // come first. So they stay behind, whatever the keys are.
    BitsItems bits;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) bits[i] = to_ordered_bits(keys[i]);
    if (valid_items < kTileItems) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        if (position<kFrom>(i) >= valid_items) bits[i] = kAllBits;
      }
    }
    CarriedItems carried;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) carried[i] = position<kFrom>(i);
    rearrange<kFrom, kRanked>(bits, carried);
    // Ranking takes the bytes that the exchange has read.
    if constexpr (kOverlaps && kFrom != kRanked) __syncthreads();
    // An empty range takes one pass too: over no bits, which keeps the order.
    int bit = begin_bit < kKeyBits ? begin_bit : kKeyBits - 1;
    int bits_left = end_bit - begin_bit;
    while (true) {
      Positions ranks;
      rank_items(bits, ranks, bit, bits_left < kRadixBits ? bits_left : kRadixBits);
      // The exchange takes the bytes of the ranks.
      if constexpr (kOverlaps) __syncthreads();
      items_to_shared(bits, carried, ranks);
      __syncthreads();
      bit += kRadixBits;
      bits_left -= kRadixBits;
      if (bits_left <= 0) break;
      shared_to_items<kRanked>(bits, carried);
      // And the ranks take them back.
      if constexpr (kOverlaps) __syncthreads();
    }
    shared_to_items<kTo>(bits, carried);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) keys[i] = to_key(bits[i]);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) values[i] = carried[i];
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
block_radix_sort_f64_index_b128_i8_r6_asc_tile(
    const double* keys_in, double* keys_out,
    unsigned int* positions_out,
    unsigned long long n, int begin_bit, int end_bit);
#if !defined(SORTSMITH_DECLARE_KERNELS) && !defined(SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_F64_INDEX_B128_I8_R6_ASC_TILE)
#define SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_F64_INDEX_B128_I8_R6_ASC_TILE
extern "C" __global__ void __launch_bounds__(128)
block_radix_sort_f64_index_b128_i8_r6_asc_tile(
    const double* keys_in, double* keys_out,
    unsigned int* positions_out,
    unsigned long long n, int begin_bit, int end_bit) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::block_radix_sort_f64_index_b128_i8_r6_asc;
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared))
      .SortTile(keys_in, keys_out, positions_out, n, begin_bit, end_bit);
}
#endif

#endif  // a compiler of the host alone
