// sortsmith::DeviceRadixSort, with the functions of cub::DeviceRadixSort: u8 keys, keys alone.
//
// A call written for CUB works with `cub::` changed to `sortsmith::`. Sorts are stable, of any number of items, on devices with at least
// 232448 bytes of shared memory for a block. Nothing is allocated and nothing is waited for, so calls can be captured;
// any number of threads may call at once, on any devices. Errors are returned: cudaErrorInvalidValue if an argument is not legal, and then
// nothing is enqueued.
//
// Made by sortsmith 0.1.0 from the template device_facade; to make it again:
//   sortsmith emit --facade cub-device --key u8 --value keys --order desc --arch sm_90 --out .
#pragma once

#if defined(__cplusplus) && __cplusplus < 201703L && !defined(_MSC_VER)
#error "this header needs C++17: nvcc -std=c++17"
#endif


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

#ifndef SORTSMITH_V0_1_0_BALLOT_MATCH
#define SORTSMITH_V0_1_0_BALLOT_MATCH
namespace sortsmith {
inline namespace v0_1_0 {

// The lanes of the warp with the same digit as this lane's, by one ballot for each bit. All 32 lanes call it.
template <int kBits>
__device__ __forceinline__ unsigned int lanes_of_same_digit(unsigned int digit) {
  unsigned int same = ~0u;
#pragma unroll
  for (int bit = 0; bit < kBits; ++bit) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
    // One predicate for both uses of the bit, which the compiler does not find by itself: 3 instructions a bit, not 7.
    asm volatile(
        "{\n"
        "  .reg .pred set;\n"
        "  .reg .b32 word;\n"
        "  and.b32 word, %1, %2;\n"
        "  setp.ne.u32 set, word, 0;\n"
        "  vote.sync.ballot.b32 word, set, 0xffffffff;\n"
        "  @!set not.b32 word, word;\n"
        "  and.b32 %0, %0, word;\n"
        "}"
        : "+r"(same)
        : "r"(digit), "r"(1u << bit));
#else
    const bool set = (digit >> bit) & 1u;
    const unsigned int votes = __ballot_sync(~0u, set);
    same &= set ? votes : ~votes;
#endif
  }
  return same;
}

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

#ifndef SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_U8_KEYS_B128_I4_R8_DESC_MATCH_INWARPSTRIPED
#define SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_U8_KEYS_B128_I4_R8_DESC_MATCH_INWARPSTRIPED
namespace sortsmith {
inline namespace v0_1_0 {

struct block_radix_sort_u8_keys_b128_i4_r8_desc_match_inwarpstriped {
  using Key = unsigned char;
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
  static constexpr int kItemsPerThread = 4;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 8;
  static constexpr bool kDescending = true;
  static constexpr bool kHasValues = false;
  static constexpr bool kIndexValues = false;
  static constexpr Arrangement kInput = Arrangement::kWarpStriped;
  static constexpr Arrangement kOutput = Arrangement::kBlocked;
  // sizeof(TempStorage): a tile kernel's dynamic shared memory. Past 48 KB the storage must be dynamic, and the kernel's
  // limit raised by cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes).
  static constexpr unsigned int kSharedBytes = 4636;
  static constexpr int kRadixBits = 8;
  static constexpr bool kStaticBits = false;
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

  // The arrangement in which items are ranked: its registers, thread after thread, are the tile's order within a
  // warp, row by row.
  static constexpr Arrangement kRanked = Arrangement::kWarpStriped;
  using BlockScan = WarpScans<kBlockThreads>;

  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;
  static constexpr unsigned int kBins = 1 << kRadixBits;
  static constexpr unsigned int kHistogramWords = 256;

  struct RankStorage {
    // Of each warp: first how many of its items fall in a bin, then the position in the tile at which they start.
    unsigned int histograms[kWarps][kHistogramWords];
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
  explicit __device__ __forceinline__ block_radix_sort_u8_keys_b128_i4_r8_desc_match_inwarpstriped(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x + kBlockX * (threadIdx.y + kBlockY * threadIdx.z)) {}

  // The members below sort one tile. All threads of the block call the same one, with the same scalars.
  //   begin_bit, end_bit: the bits of the ordered key that take part, 0 <= begin_bit <= end_bit <= kKeyBits; an empty
  //                       range leaves the input order.
  //   valid_items:        the first valid_items items of the tile are sorted and come out in front. What the others hold
  //                       does not matter, and is unspecified afterwards.

  // From warp-striped to blocked arrangement.
  __device__ __forceinline__ void Sort(Keys& keys) {
    sort<Arrangement::kWarpStriped, Arrangement::kBlocked>(keys, kBeginBit, kEndBit, kTileItems);
  }
  __device__ __forceinline__ void Sort(Keys& keys, int valid_items) {
    sort<Arrangement::kWarpStriped, Arrangement::kBlocked>(keys, kBeginBit, kEndBit, valid_items);
  }
  __device__ __forceinline__ void Sort(Keys& keys, int begin_bit, int end_bit) {
    sort<Arrangement::kWarpStriped, Arrangement::kBlocked>(keys, begin_bit, end_bit, kTileItems);
  }
  __device__ __forceinline__ void Sort(Keys& keys, int begin_bit, int end_bit, int valid_items) {
    sort<Arrangement::kWarpStriped, Arrangement::kBlocked>(keys, begin_bit, end_bit, valid_items);
  }

  // From warp-striped to striped arrangement.
  __device__ __forceinline__ void SortWarpStripedToStriped(Keys& keys) {
    sort<Arrangement::kWarpStriped, Arrangement::kStriped>(keys, kBeginBit, kEndBit, kTileItems);
  }
  __device__ __forceinline__ void SortWarpStripedToStriped(Keys& keys, int valid_items) {
    sort<Arrangement::kWarpStriped, Arrangement::kStriped>(keys, kBeginBit, kEndBit, valid_items);
  }
  __device__ __forceinline__ void SortWarpStripedToStriped(Keys& keys, int begin_bit, int end_bit) {
    sort<Arrangement::kWarpStriped, Arrangement::kStriped>(keys, begin_bit, end_bit, kTileItems);
  }
  __device__ __forceinline__ void SortWarpStripedToStriped(Keys& keys, int begin_bit, int end_bit, int valid_items) {
    sort<Arrangement::kWarpStriped, Arrangement::kStriped>(keys, begin_bit, end_bit, valid_items);
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

  // Moves the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void rearrange(BitsItems& bits) {
    if constexpr (kFrom != kTo) {
      Positions positions;
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) positions[i] = position<kFrom>(i);
      items_to_shared(bits, positions);
      if constexpr (kBlockThreads % kWarpThreads == 0 && kFrom != Arrangement::kStriped && kTo != Arrangement::kStriped) {
        // Every item stays in its warp.
        __syncwarp();
      } else {
        __syncthreads();
      }
      shared_to_items<kTo>(bits);
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

  // Each item's rank by its digit: items of smaller digits, and items of the same digit before it, come first.
  __device__ __forceinline__ void rank_items(const BitsItems& bits, Positions& ranks, int bit, int bit_count) {
    unsigned int (&histogram)[kHistogramWords] = storage_.rank.histograms[warp_of(thread_)];
    count_in_warp(histogram, bits, ranks, bit, bit_count);
    __syncthreads();
    scan_histograms();
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int digit = digit_of(bits[i], bit, bit_count);
      ranks[i] += histogram[digit];
    }
  }

  // Counts the warp's items by digit, row by row, and gives each the number of its digit before it in the warp.
  __device__ __forceinline__ void count_in_warp(unsigned int (&histogram)[kHistogramWords], const BitsItems& bits,
                                                Positions& ranks, int bit, int bit_count) {
    const unsigned int lane = lane_of(thread_);
    const unsigned int lanes_below = (1u << lane) - 1u;
    for (unsigned int bin = lane; bin < kBins; bin += 32) {
      histogram[bin] = 0;
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int digit = digit_of(bits[i], bit, bit_count);
      const unsigned int same = lanes_of_same_digit<kRadixBits>(digit);
      const unsigned int before = histogram[digit];
      const unsigned int same_below = same & lanes_below;
      ranks[i] = before + __popc(same_below);
      // All lanes have read; the lowest of each digit writes for the next row.
      __syncwarp();
      if (same_below == 0) {
        histogram[digit] = before + __popc(same);
      }
      __syncwarp();
    }
  }

  // Makes every warp's count of a bin the position in the tile of the first of those items: behind all items of smaller
  // bins, and behind those of the same bin in the warps below.
  __device__ __forceinline__ void scan_histograms() {
    constexpr int kBinsPerThread = 2;
    unsigned int sum = 0;
#pragma unroll
    for (int b = 0; b < kBinsPerThread; ++b) {
      const unsigned int bin = thread_ * kBinsPerThread + b;
      if (bin < kBins) {
#pragma unroll
        for (unsigned int warp = 0; warp < kWarps; ++warp) sum += storage_.rank.histograms[warp][bin];
      }
    }
    unsigned int total;
    unsigned int start = BlockScan::exclusive_sum(storage_.rank.scan, thread_, sum, total);
#pragma unroll
    for (int b = 0; b < kBinsPerThread; ++b) {
      const unsigned int bin = thread_ * kBinsPerThread + b;
      if (bin < kBins) {
#pragma unroll
        for (unsigned int warp = 0; warp < kWarps; ++warp) {
          const unsigned int count = storage_.rank.histograms[warp][bin];
          storage_.rank.histograms[warp][bin] = start;
          start += count;
        }
      }
    }
  }

  // Sorts the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void sort(Keys& keys, int begin_bit, int end_bit,
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
    rearrange<kFrom, kRanked>(bits);
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
      items_to_shared(bits, ranks);
      __syncthreads();
      bit += kRadixBits;
      bits_left -= kRadixBits;
      if (bits_left <= 0) break;
      shared_to_items<kRanked>(bits);
      // And the ranks take them back.
      if constexpr (kOverlaps) __syncthreads();
    }
    shared_to_items<kTo>(bits);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) keys[i] = to_key(bits[i]);
  }


  TempStorage& storage_;
  const unsigned int thread_;
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_U8_KEYS_B128_I4_R8_DESC_MATCH_INWARPSTRIPED_KERNELS
#define SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_U8_KEYS_B128_I4_R8_DESC_MATCH_INWARPSTRIPED_KERNELS
namespace sortsmith {
inline namespace v0_1_0 {
namespace device_facade {

template <int kInstance>
__global__ void __launch_bounds__(128)
block_radix_sort_u8_keys_b128_i4_r8_desc_match_inwarpstriped_tile(
    const unsigned char* keys_in, unsigned char* keys_out,
    unsigned long long n, int begin_bit, int end_bit) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::block_radix_sort_u8_keys_b128_i4_r8_desc_match_inwarpstriped;
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared))
      .SortTile(keys_in, keys_out, n, begin_bit, end_bit);
}

}  // namespace device_facade
}  // namespace v0_1_0
}  // namespace sortsmith
#endif


#ifndef SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_U8_KEYS_B256_I8_R8_DESC_MATCH_INWARPSTRIPED
#define SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_U8_KEYS_B256_I8_R8_DESC_MATCH_INWARPSTRIPED
namespace sortsmith {
inline namespace v0_1_0 {

struct block_radix_sort_u8_keys_b256_i8_r8_desc_match_inwarpstriped {
  using Key = unsigned char;
  using Value = NullType;

  // Which thread holds which position of the tile. Thread t's item i is at
  //   kBlocked:     t * kItemsPerThread + i
  //   kStriped:     i * kBlockThreads + t
  //   kWarpStriped: the same as kStriped, within each warp's own 32 * kItemsPerThread positions
  enum class Arrangement { kBlocked, kStriped, kWarpStriped };

  static constexpr int kBlockX = 256;
  static constexpr int kBlockY = 1;
  static constexpr int kBlockZ = 1;
  static constexpr int kBlockThreads = kBlockX * kBlockY * kBlockZ;
  static constexpr int kItemsPerThread = 8;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 8;
  static constexpr bool kDescending = true;
  static constexpr bool kHasValues = false;
  static constexpr bool kIndexValues = false;
  static constexpr Arrangement kInput = Arrangement::kWarpStriped;
  static constexpr Arrangement kOutput = Arrangement::kBlocked;
  // sizeof(TempStorage): a tile kernel's dynamic shared memory. Past 48 KB the storage must be dynamic, and the kernel's
  // limit raised by cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes).
  static constexpr unsigned int kSharedBytes = 10332;
  static constexpr int kRadixBits = 8;
  static constexpr bool kStaticBits = false;
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

  // The arrangement in which items are ranked: its registers, thread after thread, are the tile's order within a
  // warp, row by row.
  static constexpr Arrangement kRanked = Arrangement::kWarpStriped;
  using BlockScan = WarpScans<kBlockThreads>;

  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;
  static constexpr unsigned int kBins = 1 << kRadixBits;
  static constexpr unsigned int kHistogramWords = 256;

  struct RankStorage {
    // Of each warp: first how many of its items fall in a bin, then the position in the tile at which they start.
    unsigned int histograms[kWarps][kHistogramWords];
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
  explicit __device__ __forceinline__ block_radix_sort_u8_keys_b256_i8_r8_desc_match_inwarpstriped(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x + kBlockX * (threadIdx.y + kBlockY * threadIdx.z)) {}

  // The members below sort one tile. All threads of the block call the same one, with the same scalars.
  //   begin_bit, end_bit: the bits of the ordered key that take part, 0 <= begin_bit <= end_bit <= kKeyBits; an empty
  //                       range leaves the input order.
  //   valid_items:        the first valid_items items of the tile are sorted and come out in front. What the others hold
  //                       does not matter, and is unspecified afterwards.

  // From warp-striped to blocked arrangement.
  __device__ __forceinline__ void Sort(Keys& keys) {
    sort<Arrangement::kWarpStriped, Arrangement::kBlocked>(keys, kBeginBit, kEndBit, kTileItems);
  }
  __device__ __forceinline__ void Sort(Keys& keys, int valid_items) {
    sort<Arrangement::kWarpStriped, Arrangement::kBlocked>(keys, kBeginBit, kEndBit, valid_items);
  }
  __device__ __forceinline__ void Sort(Keys& keys, int begin_bit, int end_bit) {
    sort<Arrangement::kWarpStriped, Arrangement::kBlocked>(keys, begin_bit, end_bit, kTileItems);
  }
  __device__ __forceinline__ void Sort(Keys& keys, int begin_bit, int end_bit, int valid_items) {
    sort<Arrangement::kWarpStriped, Arrangement::kBlocked>(keys, begin_bit, end_bit, valid_items);
  }

  // From warp-striped to striped arrangement.
  __device__ __forceinline__ void SortWarpStripedToStriped(Keys& keys) {
    sort<Arrangement::kWarpStriped, Arrangement::kStriped>(keys, kBeginBit, kEndBit, kTileItems);
  }
  __device__ __forceinline__ void SortWarpStripedToStriped(Keys& keys, int valid_items) {
    sort<Arrangement::kWarpStriped, Arrangement::kStriped>(keys, kBeginBit, kEndBit, valid_items);
  }
  __device__ __forceinline__ void SortWarpStripedToStriped(Keys& keys, int begin_bit, int end_bit) {
    sort<Arrangement::kWarpStriped, Arrangement::kStriped>(keys, begin_bit, end_bit, kTileItems);
  }
  __device__ __forceinline__ void SortWarpStripedToStriped(Keys& keys, int begin_bit, int end_bit, int valid_items) {
    sort<Arrangement::kWarpStriped, Arrangement::kStriped>(keys, begin_bit, end_bit, valid_items);
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

  // Moves the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void rearrange(BitsItems& bits) {
    if constexpr (kFrom != kTo) {
      Positions positions;
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) positions[i] = position<kFrom>(i);
      items_to_shared(bits, positions);
      if constexpr (kBlockThreads % kWarpThreads == 0 && kFrom != Arrangement::kStriped && kTo != Arrangement::kStriped) {
        // Every item stays in its warp.
        __syncwarp();
      } else {
        __syncthreads();
      }
      shared_to_items<kTo>(bits);
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

  // Each item's rank by its digit: items of smaller digits, and items of the same digit before it, come first.
  __device__ __forceinline__ void rank_items(const BitsItems& bits, Positions& ranks, int bit, int bit_count) {
    unsigned int (&histogram)[kHistogramWords] = storage_.rank.histograms[warp_of(thread_)];
    count_in_warp(histogram, bits, ranks, bit, bit_count);
    __syncthreads();
    scan_histograms();
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int digit = digit_of(bits[i], bit, bit_count);
      ranks[i] += histogram[digit];
    }
  }

  // Counts the warp's items by digit, row by row, and gives each the number of its digit before it in the warp.
  __device__ __forceinline__ void count_in_warp(unsigned int (&histogram)[kHistogramWords], const BitsItems& bits,
                                                Positions& ranks, int bit, int bit_count) {
    const unsigned int lane = lane_of(thread_);
    const unsigned int lanes_below = (1u << lane) - 1u;
    for (unsigned int bin = lane; bin < kBins; bin += 32) {
      histogram[bin] = 0;
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int digit = digit_of(bits[i], bit, bit_count);
      const unsigned int same = lanes_of_same_digit<kRadixBits>(digit);
      const unsigned int before = histogram[digit];
      const unsigned int same_below = same & lanes_below;
      ranks[i] = before + __popc(same_below);
      // All lanes have read; the lowest of each digit writes for the next row.
      __syncwarp();
      if (same_below == 0) {
        histogram[digit] = before + __popc(same);
      }
      __syncwarp();
    }
  }

  // Makes every warp's count of a bin the position in the tile of the first of those items: behind all items of smaller
  // bins, and behind those of the same bin in the warps below.
  __device__ __forceinline__ void scan_histograms() {
    constexpr int kBinsPerThread = 1;
    unsigned int sum = 0;
#pragma unroll
    for (int b = 0; b < kBinsPerThread; ++b) {
      const unsigned int bin = thread_ * kBinsPerThread + b;
      if (bin < kBins) {
#pragma unroll
        for (unsigned int warp = 0; warp < kWarps; ++warp) sum += storage_.rank.histograms[warp][bin];
      }
    }
    unsigned int total;
    unsigned int start = BlockScan::exclusive_sum(storage_.rank.scan, thread_, sum, total);
#pragma unroll
    for (int b = 0; b < kBinsPerThread; ++b) {
      const unsigned int bin = thread_ * kBinsPerThread + b;
      if (bin < kBins) {
#pragma unroll
        for (unsigned int warp = 0; warp < kWarps; ++warp) {
          const unsigned int count = storage_.rank.histograms[warp][bin];
          storage_.rank.histograms[warp][bin] = start;
          start += count;
        }
      }
    }
  }

  // Sorts the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void sort(Keys& keys, int begin_bit, int end_bit,
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
    rearrange<kFrom, kRanked>(bits);
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
      items_to_shared(bits, ranks);
      __syncthreads();
      bit += kRadixBits;
      bits_left -= kRadixBits;
      if (bits_left <= 0) break;
      shared_to_items<kRanked>(bits);
      // And the ranks take them back.
      if constexpr (kOverlaps) __syncthreads();
    }
    shared_to_items<kTo>(bits);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) keys[i] = to_key(bits[i]);
  }


  TempStorage& storage_;
  const unsigned int thread_;
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_U8_KEYS_B256_I8_R8_DESC_MATCH_INWARPSTRIPED_KERNELS
#define SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_U8_KEYS_B256_I8_R8_DESC_MATCH_INWARPSTRIPED_KERNELS
namespace sortsmith {
inline namespace v0_1_0 {
namespace device_facade {

template <int kInstance>
__global__ void __launch_bounds__(256)
block_radix_sort_u8_keys_b256_i8_r8_desc_match_inwarpstriped_tile(
    const unsigned char* keys_in, unsigned char* keys_out,
    unsigned long long n, int begin_bit, int end_bit) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::block_radix_sort_u8_keys_b256_i8_r8_desc_match_inwarpstriped;
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared))
      .SortTile(keys_in, keys_out, n, begin_bit, end_bit);
}

}  // namespace device_facade
}  // namespace v0_1_0
}  // namespace sortsmith
#endif


#ifndef SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_U8_KEYS_B512_I8_R8_DESC_MATCH_INWARPSTRIPED
#define SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_U8_KEYS_B512_I8_R8_DESC_MATCH_INWARPSTRIPED
namespace sortsmith {
inline namespace v0_1_0 {

struct block_radix_sort_u8_keys_b512_i8_r8_desc_match_inwarpstriped {
  using Key = unsigned char;
  using Value = NullType;

  // Which thread holds which position of the tile. Thread t's item i is at
  //   kBlocked:     t * kItemsPerThread + i
  //   kStriped:     i * kBlockThreads + t
  //   kWarpStriped: the same as kStriped, within each warp's own 32 * kItemsPerThread positions
  enum class Arrangement { kBlocked, kStriped, kWarpStriped };

  static constexpr int kBlockX = 512;
  static constexpr int kBlockY = 1;
  static constexpr int kBlockZ = 1;
  static constexpr int kBlockThreads = kBlockX * kBlockY * kBlockZ;
  static constexpr int kItemsPerThread = 8;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 8;
  static constexpr bool kDescending = true;
  static constexpr bool kHasValues = false;
  static constexpr bool kIndexValues = false;
  static constexpr Arrangement kInput = Arrangement::kWarpStriped;
  static constexpr Arrangement kOutput = Arrangement::kBlocked;
  // sizeof(TempStorage): a tile kernel's dynamic shared memory. Past 48 KB the storage must be dynamic, and the kernel's
  // limit raised by cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes).
  static constexpr unsigned int kSharedBytes = 20796;
  static constexpr int kRadixBits = 8;
  static constexpr bool kStaticBits = false;
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

  // The arrangement in which items are ranked: its registers, thread after thread, are the tile's order within a
  // warp, row by row.
  static constexpr Arrangement kRanked = Arrangement::kWarpStriped;
  using BlockScan = WarpScans<kBlockThreads>;

  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;
  static constexpr unsigned int kBins = 1 << kRadixBits;
  // A histogram's bins, and a gap so that threads which scan a bin of several histograms do not meet in a bank.
  static constexpr unsigned int kHistogramWords = 258;

  struct RankStorage {
    // Of each warp: first how many of its items fall in a bin, then the position in the tile at which they start.
    unsigned int histograms[kWarps][kHistogramWords];
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
  explicit __device__ __forceinline__ block_radix_sort_u8_keys_b512_i8_r8_desc_match_inwarpstriped(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x + kBlockX * (threadIdx.y + kBlockY * threadIdx.z)) {}

  // The members below sort one tile. All threads of the block call the same one, with the same scalars.
  //   begin_bit, end_bit: the bits of the ordered key that take part, 0 <= begin_bit <= end_bit <= kKeyBits; an empty
  //                       range leaves the input order.
  //   valid_items:        the first valid_items items of the tile are sorted and come out in front. What the others hold
  //                       does not matter, and is unspecified afterwards.

  // From warp-striped to blocked arrangement.
  __device__ __forceinline__ void Sort(Keys& keys) {
    sort<Arrangement::kWarpStriped, Arrangement::kBlocked>(keys, kBeginBit, kEndBit, kTileItems);
  }
  __device__ __forceinline__ void Sort(Keys& keys, int valid_items) {
    sort<Arrangement::kWarpStriped, Arrangement::kBlocked>(keys, kBeginBit, kEndBit, valid_items);
  }
  __device__ __forceinline__ void Sort(Keys& keys, int begin_bit, int end_bit) {
    sort<Arrangement::kWarpStriped, Arrangement::kBlocked>(keys, begin_bit, end_bit, kTileItems);
  }
  __device__ __forceinline__ void Sort(Keys& keys, int begin_bit, int end_bit, int valid_items) {
    sort<Arrangement::kWarpStriped, Arrangement::kBlocked>(keys, begin_bit, end_bit, valid_items);
  }

  // From warp-striped to striped arrangement.
  __device__ __forceinline__ void SortWarpStripedToStriped(Keys& keys) {
    sort<Arrangement::kWarpStriped, Arrangement::kStriped>(keys, kBeginBit, kEndBit, kTileItems);
  }
  __device__ __forceinline__ void SortWarpStripedToStriped(Keys& keys, int valid_items) {
    sort<Arrangement::kWarpStriped, Arrangement::kStriped>(keys, kBeginBit, kEndBit, valid_items);
  }
  __device__ __forceinline__ void SortWarpStripedToStriped(Keys& keys, int begin_bit, int end_bit) {
    sort<Arrangement::kWarpStriped, Arrangement::kStriped>(keys, begin_bit, end_bit, kTileItems);
  }
  __device__ __forceinline__ void SortWarpStripedToStriped(Keys& keys, int begin_bit, int end_bit, int valid_items) {
    sort<Arrangement::kWarpStriped, Arrangement::kStriped>(keys, begin_bit, end_bit, valid_items);
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

  // Moves the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void rearrange(BitsItems& bits) {
    if constexpr (kFrom != kTo) {
      Positions positions;
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) positions[i] = position<kFrom>(i);
      items_to_shared(bits, positions);
      if constexpr (kBlockThreads % kWarpThreads == 0 && kFrom != Arrangement::kStriped && kTo != Arrangement::kStriped) {
        // Every item stays in its warp.
        __syncwarp();
      } else {
        __syncthreads();
      }
      shared_to_items<kTo>(bits);
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

  // Each item's rank by its digit: items of smaller digits, and items of the same digit before it, come first.
  __device__ __forceinline__ void rank_items(const BitsItems& bits, Positions& ranks, int bit, int bit_count) {
    unsigned int (&histogram)[kHistogramWords] = storage_.rank.histograms[warp_of(thread_)];
    count_in_warp(histogram, bits, ranks, bit, bit_count);
    __syncthreads();
    scan_histograms();
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int digit = digit_of(bits[i], bit, bit_count);
      ranks[i] += histogram[digit];
    }
  }

  // Counts the warp's items by digit, row by row, and gives each the number of its digit before it in the warp.
  __device__ __forceinline__ void count_in_warp(unsigned int (&histogram)[kHistogramWords], const BitsItems& bits,
                                                Positions& ranks, int bit, int bit_count) {
    const unsigned int lane = lane_of(thread_);
    const unsigned int lanes_below = (1u << lane) - 1u;
    for (unsigned int bin = lane; bin < kBins; bin += 32) {
      histogram[bin] = 0;
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int digit = digit_of(bits[i], bit, bit_count);
      const unsigned int same = lanes_of_same_digit<kRadixBits>(digit);
      const unsigned int before = histogram[digit];
      const unsigned int same_below = same & lanes_below;
      ranks[i] = before + __popc(same_below);
      // All lanes have read; the lowest of each digit writes for the next row.
      __syncwarp();
      if (same_below == 0) {
        histogram[digit] = before + __popc(same);
      }
      __syncwarp();
    }
  }

  // Makes every warp's count of a bin the position in the tile of the first of those items: behind all items of smaller
  // bins, and behind those of the same bin in the warps below.
  __device__ __forceinline__ void scan_histograms() {
    // There are 2 threads for each bin, which have a group of warps each.
    constexpr unsigned int kGroups = 2;
    constexpr unsigned int kGroupWarps = kWarps / kGroups;
    const unsigned int bin = thread_ / kGroups;
    const unsigned int first_warp = thread_ % kGroups * kGroupWarps;
    unsigned int counts[kGroupWarps] = {};
    unsigned int sum = 0;
    if (bin < kBins) {
#pragma unroll
      for (unsigned int warp = 0; warp < kGroupWarps; ++warp) {
        counts[warp] = storage_.rank.histograms[first_warp + warp][bin];
        sum += counts[warp];
      }
    }
    unsigned int total;
    unsigned int start = BlockScan::exclusive_sum(storage_.rank.scan, thread_, sum, total);
    if (bin < kBins) {
#pragma unroll
      for (unsigned int warp = 0; warp < kGroupWarps; ++warp) {
        storage_.rank.histograms[first_warp + warp][bin] = start;
        start += counts[warp];
      }
    }
  }

  // Sorts the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void sort(Keys& keys, int begin_bit, int end_bit,
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
    rearrange<kFrom, kRanked>(bits);
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
      items_to_shared(bits, ranks);
      __syncthreads();
      bit += kRadixBits;
      bits_left -= kRadixBits;
      if (bits_left <= 0) break;
      shared_to_items<kRanked>(bits);
      // And the ranks take them back.
      if constexpr (kOverlaps) __syncthreads();
    }
    shared_to_items<kTo>(bits);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) keys[i] = to_key(bits[i]);
  }


  TempStorage& storage_;
  const unsigned int thread_;
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_U8_KEYS_B512_I8_R8_DESC_MATCH_INWARPSTRIPED_KERNELS
#define SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_U8_KEYS_B512_I8_R8_DESC_MATCH_INWARPSTRIPED_KERNELS
namespace sortsmith {
inline namespace v0_1_0 {
namespace device_facade {

template <int kInstance>
__global__ void __launch_bounds__(512)
block_radix_sort_u8_keys_b512_i8_r8_desc_match_inwarpstriped_tile(
    const unsigned char* keys_in, unsigned char* keys_out,
    unsigned long long n, int begin_bit, int end_bit) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::block_radix_sort_u8_keys_b512_i8_r8_desc_match_inwarpstriped;
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared))
      .SortTile(keys_in, keys_out, n, begin_bit, end_bit);
}

}  // namespace device_facade
}  // namespace v0_1_0
}  // namespace sortsmith
#endif


#ifndef SORTSMITH_V0_1_0_POLL
#define SORTSMITH_V0_1_0_POLL
namespace sortsmith {
inline namespace v0_1_0 {

// Reads a word that another block writes with `publish`, and nothing else with it: flag and number are one word.
__device__ __forceinline__ unsigned int poll(const unsigned int* word) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  unsigned int value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
#else
  return atomicOr(const_cast<unsigned int*>(word), 0u);
#endif
}

__device__ __forceinline__ unsigned long long poll(const unsigned long long* word) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  unsigned long long value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
#else
  return atomicOr(const_cast<unsigned long long*>(word), 0ull);
#endif
}

// Writes a word that other blocks poll.
__device__ __forceinline__ void publish(unsigned int* word, unsigned int value) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(word), "r"(value) : "memory");
#else
  atomicExch(word, value);
#endif
}

__device__ __forceinline__ void publish(unsigned long long* word, unsigned long long value) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(word), "l"(value) : "memory");
#else
  atomicExch(word, value);
#endif
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_PACKED_ITEMS
#define SORTSMITH_V0_1_0_PACKED_ITEMS
namespace sortsmith {
inline namespace v0_1_0 {

// Small numbers of a thread's items, several in a register. Indices are constants of unrolled loops.
template <int kItems, int kBitsEach>
struct PackedItems {
  static constexpr int kEach = 32 / kBitsEach;
  static constexpr unsigned int kMask = (1u << kBitsEach) - 1u;
  unsigned int words[(kItems + kEach - 1) / kEach];

  // The first time, items are set in ascending order.
  __device__ __forceinline__ void set(int item, unsigned int number) {
    const int shift = item % kEach * kBitsEach;
    words[item / kEach] = shift ? words[item / kEach] | number << shift : number;
  }
  // Sets the last of kOf items, and moves those that were set last to before them. All are multiples of the items in a register.
  template <int kOf, int kNew>
  __device__ __forceinline__ void push(const unsigned int (&numbers)[kNew]) {
    static_assert(kOf % kEach == 0 && kNew % kEach == 0 && kNew <= kOf && kOf <= kItems, "registers are full");
#pragma unroll
    for (int i = 0; i < (kOf - kNew) / kEach; ++i) words[i] = words[i + kNew / kEach];
#pragma unroll
    for (int i = 0; i < kNew; ++i) set(kOf - kNew + i, numbers[i]);
  }
  // Sets an item that has been set before.
  __device__ __forceinline__ void replace(int item, unsigned int number) {
    const int shift = item % kEach * kBitsEach;
    words[item / kEach] = (words[item / kEach] & ~(kMask << shift)) | number << shift;
  }
  __device__ __forceinline__ unsigned int get(int item) const {
    return words[item / kEach] >> (item % kEach * kBitsEach) & kMask;
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_OPAQUE
#define SORTSMITH_V0_1_0_OPAQUE
namespace sortsmith {
inline namespace v0_1_0 {

// The same number or address, but the compiler does not know: what it is made of need not be kept, and what is computed from it
// is computed where it is used.
__device__ __forceinline__ unsigned int opaque(unsigned int number) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  asm volatile("" : "+r"(number));
#endif
  return number;
}

template <typename T>
__device__ __forceinline__ T* opaque(T* address) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  asm volatile("" : "+l"(address));
#endif
  return address;
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_BULK_COPY
#define SORTSMITH_V0_1_0_BULK_COPY
namespace sortsmith {
inline namespace v0_1_0 {

// Copies of contiguous runs from global to shared memory by the copy engine of Hopper and later GPUs: one thread asks, and no
// registers are passed through. Addresses and sizes are multiples of 16 bytes.
//
// Counts the bytes that have arrived. One thread prepares it, once, and begins each round of copies; after a barrier of
// the block all threads may wait for the round. The numbers of rounds go up from 0.
struct BulkCopies {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
  static constexpr bool kAreThere = true;
#else
  static constexpr bool kAreThere = false;
#endif

  unsigned long long barrier;

  __device__ __forceinline__ void prepare() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" : : "r"(shared_address(&barrier)) : "memory");
    // The engine arrives at the barrier too.
    asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
#endif
  }

  // The copy engine reads and writes memory by the async proxy, all other instructions by the generic one. Causality order holds
  // for accesses by two proxies only with a proxy fence between them (PTX ISA, Memory Consistency Model, "Causality Order" and
  // "Async proxy"). Ordinary stores before a copy need one, which the next two functions are:
  //
  // - The start of a kernel behind another in a stream is a fence for all proxies ("Memory synchronization": synchronization
  //   by the CUDA API). griddepcontrol.wait is not named there, and a kernel that begins early has it alone.
  // - For a block's own stores either side of its barrier will do for the fence: that of the storing threads has it.
  //
  // Ordinary loads before a copy to where they read need none: a barrier of the block performs them, and a load that is
  // performed has its value. Nor do ordinary accesses behind a copy: its completion, which all wait for, is a fence itself.

  // The thread that asks for copies calls this after wait_for_previous_grid, before the first copy of what kernels before
  // have stored. The fence is in the block that copies, as mixed accesses by several blocks need it.
  static __device__ __forceinline__ void acquire_stores() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    asm volatile("fence.proxy.async.global;" : : : "memory");
#endif
  }

  // A thread that has stored by ordinary means where copies go later calls this before the barrier between the two.
  static __device__ __forceinline__ void release_stores() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
#endif
  }

  __device__ __forceinline__ void begin(unsigned int bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" : : "r"(shared_address(&barrier)), "r"(bytes) : "memory");
#else
    static_cast<void>(bytes);
#endif
  }

  __device__ __forceinline__ void copy(void* to_shared, const void* from_global, unsigned int bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :
                 : "r"(shared_address(to_shared)), "l"(from_global), "r"(bytes), "r"(shared_address(&barrier))
                 : "memory");
#else
    static_cast<void>(to_shared);
    static_cast<void>(from_global);
    static_cast<void>(bytes);
#endif
  }

  // Brings bytes that will be read nearer, those of them that the engine can take.
  static __device__ __forceinline__ void prefetch(const void* from_global, unsigned int bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    const unsigned long long address = reinterpret_cast<unsigned long long>(from_global);
    const unsigned int skipped = static_cast<unsigned int>(-address % 16);
    if (bytes < skipped + 16) return;
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" : : "l"(address + skipped), "r"((bytes - skipped) / 16 * 16));
#else
    static_cast<void>(from_global);
    static_cast<void>(bytes);
#endif
  }

  __device__ __forceinline__ void wait(unsigned int round) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    asm volatile(
        "{\n"
        "  .reg .pred arrived;\n"
        "again:\n"
        "  mbarrier.try_wait.parity.shared.b64 arrived, [%0], %1;\n"
        "  @!arrived bra again;\n"
        "}"
        :
        : "r"(shared_address(&barrier)), "r"(round % 2)
        : "memory");
#else
    static_cast<void>(round);
#endif
  }

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
  static __device__ __forceinline__ unsigned int shared_address(const void* pointer) {
    return static_cast<unsigned int>(__cvta_generic_to_shared(pointer));
  }
#endif
};

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

#ifndef SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_U8_KEYS_B384_I32_DESC
#define SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_U8_KEYS_B384_I32_DESC
namespace sortsmith {
inline namespace v0_1_0 {

struct device_radix_sort_u8_keys_b384_i32_desc {
  using Key = unsigned char;
  using Value = NullType;

  static constexpr int kBlockThreads = 384;
  static constexpr int kItemsPerThread = 32;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 8;
  static constexpr int kRadixBits = 8;
  static constexpr int kMaxPasses = (kKeyBits + kRadixBits - 1) / kRadixBits;
  static constexpr unsigned int kBins = 1u << kRadixBits;
  // Counts, and offsets in the array.
  using Count = unsigned int;
  // The shared memory of a block of _pass.
  static constexpr unsigned int kSharedBytes = 51656;
  // Blocks of _finish that a multiprocessor is to hold, of threads it has room for.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  static constexpr int kResidentFinishing = 1;
#elif defined(__CUDA_ARCH__) && ((__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900) || __CUDA_ARCH__ >= 1200)
  static constexpr int kResidentFinishing = 1;
#else
  static constexpr int kResidentFinishing = 2;
#endif
  // More items than this need the sort of the same name with `_wide`.
  static constexpr unsigned long long kMaxItems = 1073741823ull;

  // What all kernels of one sort are given. Arrays of keys and values have n items each.
  struct Arguments {
    // The keys to sort, written only where keys_out is the same array.
    const Key* keys_in;
    // The sorted keys; the same array as keys_in to sort in place.
    Key* keys_out;
    // Scratch.
    Key* keys_alternate;
    // The same of values, where the sort has any; values_in is not read.
    const Value* values_in;
    Value* values_out;
    Value* values_alternate;
    // workspace_bytes(n) or counting_bytes(), aligned to 16; the first zeroed_bytes(n), or all of them, zero.
    unsigned char* workspace;
    // At most kMaxItems.
    unsigned long long n;
    // The bits of the ordered key that take part, 0 <= begin_bit <= end_bit <= kKeyBits.
    int begin_bit;
    int end_bit;
    // Whether the sorted keys are written: 1, or 0 where only values are wanted; keys_out is scratch then.
    int writes_keys;
    // Not used by this sort.
    int interleaves;
    // Columns of counters that a block of _count has room for, as their logarithm to base 2: at most 5 are of use.
    int count_columns_log2;
    // Not used by this sort.
    int sorts_msd_buckets;
    // Not used by this sort.
    unsigned int* sort_counter;
    // Not used by this sort.
    unsigned long long row_stride;
  };

  // The shared memory of a block of _count.
  static __host__ __device__ constexpr unsigned int count_shared_bytes(int count_columns_log2) {
    return kCountedDigits * kBins * static_cast<unsigned int>(sizeof(unsigned int)) << count_columns_log2;
  }

 private:
  // Keys in registers are ordered bits: unsigned integers that order as the keys do.
  using Bits = unsigned int;
  // In memory they take no more bytes than the keys.
  using StoredBits = unsigned char;
  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;
  static constexpr bool kDescending = true;
  // Whether NaNs come last, of whatever sign.
  static constexpr bool kNanLast = false;
  static constexpr bool kHasValues = false;
  // Whether values are made: each key's position in the input.
  static constexpr bool kMakesPositions = false;
  // Whether there may be a first phase by upper digits, and whether it may leave items side by side.
  static constexpr bool kSortsUpperDigits = false;
  static constexpr bool kLeavesItems = false;
  static constexpr int kPhases = 1;
  static constexpr int kMaxPassSlots = kMaxPasses;

  // Digits that are counted: the keys'.
  static constexpr int kCountedDigits = kMaxPasses;

  // Which passes there are to do. The workspace begins with it; all is zero when a sort begins.
  struct Control {
    // Of each phase: how many passes move anything.
    int executed[kPhases];
    // The digits that differ between keys, from the lowest up.
    int digits[kMaxPasses];
    // Tiles that blocks have taken in each pass slot.
    unsigned int tickets[kMaxPassSlots];
    // Histograms begin with a line of the caches, and so do descriptors behind all this, where the workspace does.
    unsigned char unused_before_bins[116];
    // Of each digit: its histogram, then the offset of each bin's first key.
    Count bins[kCountedDigits][kBins];
  };
  static_assert(sizeof(Control) == 1152, "the workspace is laid out as planned");

  // Where the items of a tile lie in shared memory, warp by warp, each warp's in rows of 32. In a padded tile a slot is unused behind each
  // row, and one more behind each warp. Without padding, items at equal distances, as those of one digit of regular keys are, meet in
  // a bank; with padding, the copy engine cannot load the tile.
  struct TileSlots {
    static constexpr bool kMayPad = true;
    // The slots of a row and of a warp in a padded tile.
    static constexpr unsigned int kPaddedRow = 33;
    static constexpr unsigned int kPaddedWarp = kPaddedRow * kItemsPerThread + 1;
    // Each array of them ends at a multiple of 16 bytes, where the copy engine can write another.
    static constexpr unsigned int kCount = 12688;
    static_assert(kCount <= 65536, "a slot's number has 16 bits");
    static_assert(kCount >= (kMayPad ? kWarps * kPaddedWarp : kTileItems), "a tile has room");

    // Unused slots behind a row, one or none.
    unsigned int padding;

    __device__ __forceinline__ unsigned int row() const { return 32 + padding; }

    // Where the first item is that a thread ranks; each next one is a row on. Of two items, the earlier one has the lower slot.
    __device__ __forceinline__ unsigned int own_first() const {
      return warp_of(threadIdx.x) * (row() * kItemsPerThread + padding) + lane_of(threadIdx.x);
    }

    // The position in the tile of the item in a slot.
    __device__ __forceinline__ unsigned int position_of(unsigned int slot) const {
      // Without padding a slot is a position, whatever it is divided by.
      const unsigned int warp = slot / kPaddedWarp;
      const unsigned int rows = warp * (kItemsPerThread + 1) + (slot - warp * kPaddedWarp) / kPaddedRow;
      return slot - rows * padding;
    }
  };

  // The counter of a digit in a warp's histogram. Digits that agree in their lower bits, as those of keys of few bits do, have counters
  // in other banks.
  static __device__ __forceinline__ unsigned int counter_of(unsigned int digit) {
    constexpr unsigned int kBankBits = 5;
    return digit ^ digit >> kBankBits;
  }

  // What a block of a pass keeps in shared memory.
  struct PassStorage {
    // The tile as it is read.
    struct {
      StoredBits keys[TileSlots::kCount];
    } arrays;
    BulkCopies copies;
    // For each digit: what to add to a position in the sorted tile to make it an offset in the array.
    Count offsets[kBins];
    // For each digit: the position of its first item in the sorted tile.
    unsigned int first_positions[kBins];
    // For each warp and digit, at the digit's counter: items so far, then the position of the next one in the sorted tile.
    unsigned int histograms[kWarps][kBins];
    unsigned int warp_totals[kBins / kWarpThreads];
    unsigned int tile;
    // Whether items of the last tile that are read together would meet in a bank if rows followed each other.
    unsigned int is_regular;
    // The digit of all items of the tile, or kBins.
    unsigned int only_digit;
    // Whether writing the tile found it out of order.
    unsigned int is_out_of_order;
    // For each position in the sorted tile: the slot where its item is.
    unsigned short sources[kTileItems];
  };
  static_assert(sizeof(PassStorage) == kSharedBytes, "the storage is laid out as planned");

 public:
  // Passes over this range of bits.
  static __host__ __device__ constexpr int pass_count(int begin_bit, int end_bit) {
    return (end_bit - begin_bit + kRadixBits - 1) / kRadixBits;
  }
  // Bytes at the workspace's start that are zero when a sort begins, and bytes of all of it.
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long n) {
    return control_and_descriptor_bytes(n);
  }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long n) {
    return zeroed_bytes(n);
  }
  // Bytes of the workspace of a counting sort, all of which are zero when it begins.
  static __host__ __device__ constexpr unsigned long long counting_bytes() {
    return sizeof(Control);
  }

 public:
  // Counts the digits of all passes in one read of the keys. Lanes have columns of counters of their own, so that they do
  // not meet in a bank or at an address, whatever the digits are.
  static __device__ __forceinline__ void count_digits(const Arguments& arguments, unsigned char* shared) {
    unsigned int* const counters = reinterpret_cast<unsigned int*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const bool takes_all_bits = arguments.begin_bit == 0 && arguments.end_bit == kKeyBits;
    const bool is_usual = takes_all_bits && arguments.count_columns_log2 == kUsualColumnsLog2;
    is_usual ? count_digits_of<true>(arguments, NoMap{}, counters) : count_digits_of<false>(arguments, NoMap{}, counters);
  }

 private:
  // In place of a map: the keys' digits alone are counted.
  struct NoMap {
    static constexpr bool kHasBuckets = false;
  };

  // The usual case, all bits of keys and as many columns as the GPU has room for, has constants for most of the arithmetic.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 800
  static constexpr int kUsualColumnsLog2 = 5;
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 900 || __CUDA_ARCH__ >= 1200)
  static constexpr int kUsualColumnsLog2 = 5;
#else
  static constexpr int kUsualColumnsLog2 = 5;
#endif

  // Keys are loaded 16 bytes at a time, where the array begins on such a boundary.
  static constexpr int kChunkKeys = 16 / sizeof(StoredBits);
  struct __align__(16) Chunk {
    StoredBits keys[kChunkKeys];
  };

  // Counts the digits of a key, and those of its bucket by a map that has some, in one of 2^columns_log2 columns.
  template <bool kIsUsual, typename Map>
  static __device__ __forceinline__ void count_digits_of_key(const Arguments& arguments, [[maybe_unused]] const Map& map, Key key, int passes,
                                                             int columns_log2, unsigned int column, unsigned int* counters) {
    const Bits bits = to_ordered_bits(key);
    const auto count_digit = [&](int number, unsigned int digit) {
      unsigned int* const of_number = counters + (number * kBins << columns_log2);
      atomicAdd(&of_number[digit << columns_log2 | column], 1u);
    };
#pragma unroll
    for (int pass = 0; pass < kMaxPasses; ++pass) {
      if (kIsUsual || pass < passes) {
        const Digit at = kIsUsual ? Digit{pass * kRadixBits, min(kRadixBits, kKeyBits - pass * kRadixBits)}
                                  : digit_of_pass(arguments, pass);
        count_digit(pass, digit_of(bits, at.bit, at.bits));
      }
    }
    if constexpr (Map::kHasBuckets) {
      const unsigned int bucket = map.bucket_of(key);
      count_digit(kMaxPasses, bucket % kBins);
      count_digit(kMaxPasses + 1, bucket / kBins);
    }
  }

  // Counts the keys of several chunks from `i` on, which are on their way at once.
  template <int kChunksAtOnce, typename CountKey>
  static __device__ __forceinline__ void count_chunks(const Chunk* chunks, unsigned long long& i, unsigned long long stride,
                                                      const CountKey& count_key) {
    Chunk loaded[kChunksAtOnce];
#pragma unroll
    for (int c = 0; c < kChunksAtOnce; ++c) loaded[c] = chunks[i + c * stride];
    i += kChunksAtOnce * stride;
#pragma unroll
    for (int c = 0; c < kChunksAtOnce; ++c) {
#pragma unroll
      for (int k = 0; k < kChunkKeys; ++k) count_key(bits_as<Key>(loaded[c].keys[k]));
    }
  }

  // Counts the keys of chunks, where the array begins at a multiple of theirs. Returns how many those are, of all threads.
  template <bool kIsUsual, typename CountKey>
  static __device__ __forceinline__ unsigned long long count_keys_in_chunks(const Arguments& arguments, unsigned long long thread, unsigned long long stride,
                                                                            const CountKey& count_key) {
    // Where it is not usual, code is short.
    constexpr int kChunksAtOnce = kIsUsual ? 4 : 1;
    if (reinterpret_cast<unsigned long long>(arguments.keys_in) % alignof(Chunk) != 0) return 0;
    const Chunk* const chunks = reinterpret_cast<const Chunk*>(arguments.keys_in);
    const unsigned long long chunk_count = arguments.n / kChunkKeys;
    unsigned long long i = thread;
    while (i + (kChunksAtOnce - 1) * stride < chunk_count) count_chunks<kChunksAtOnce>(chunks, i, stride, count_key);
    while (i < chunk_count) count_chunks<1>(chunks, i, stride, count_key);
    return chunk_count * kChunkKeys;
  }

  // Adds the block's counters of all columns to the histograms.
  static __device__ __forceinline__ void add_counts(const Arguments& arguments, const unsigned int* counters, unsigned int bin_count, int columns_log2) {
    const unsigned int columns = 1u << columns_log2;
    Count* const bins = &control_of(arguments).bins[0][0];
    for (unsigned int bin = threadIdx.x; bin < bin_count; bin += blockDim.x) {
      unsigned int sum = 0;
      // Neighbouring bins begin at other columns: they would meet in a bank.
      for (unsigned int c = 0; c < columns; ++c) {
        sum += counters[(bin << columns_log2) + (c + bin) % columns];
      }
      if (sum > 0) atomicAdd(&bins[bin], static_cast<Count>(sum));
    }
  }

  // Counts the keys' digits, and those of their buckets by a map that has some.
  template <bool kIsUsual, typename Map>
  static __device__ __forceinline__ void count_digits_of(const Arguments& arguments, [[maybe_unused]] const Map& map, unsigned int* counters) {
    const int columns_log2 = kIsUsual ? kUsualColumnsLog2 : arguments.count_columns_log2;
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    const int digits = Map::kHasBuckets ? kCountedDigits : passes;
    const unsigned int columns = 1u << columns_log2;
    const unsigned int column = threadIdx.x % columns;
    for (unsigned int i = threadIdx.x; i < digits * kBins * columns; i += blockDim.x) counters[i] = 0;
    __syncthreads();
    const auto count_key = [&](Key key) {
      count_digits_of_key<kIsUsual>(arguments, map, key, passes, columns_log2, column, counters);
    };
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    const unsigned long long thread = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const unsigned long long counted = count_keys_in_chunks<kIsUsual>(arguments, thread, stride, count_key);
    for (unsigned long long i = counted + thread; i < arguments.n; i += stride) {
      const Key key = arguments.keys_in[i];
      count_key(key);
    }
    __syncthreads();

    add_counts(arguments, counters, digits * kBins, columns_log2);
  }

 public:
  // Makes each digit's histogram its exclusive scan, and decides which passes there are to do: none for a digit that all keys
  // share. One block, a thread for each bin.
  static __device__ __forceinline__ void plan_passes(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    __shared__ Count warp_totals[kBins / kWarpThreads];
    // Each thread reads what it has written itself.
    __shared__ Count counts[kCountedDigits][kBins];
    Control& control = control_of(arguments);
    const unsigned int bin = threadIdx.x;
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    int executed = 0;
    // Read once: thread 0 may take shared bits back when it has passed the last barrier.
    const int counted = has_other_digits(control) ? kCountedDigits : passes;
    // All are on their way before the first barrier: else each digit would wait for memory.
#pragma unroll
    for (int pass = 0; pass < kCountedDigits; ++pass) counts[pass][bin] = control.bins[pass][bin];
    for (int pass = 0; pass < counted; ++pass) {
      const Count count = counts[pass][bin];
      int occupied;
      control.bins[pass][bin] = offset_of_bin(warp_totals, count, occupied);
      const bool is_constant = occupied <= 1;
      if (!is_constant && pass < passes) {
        if (bin == 0) control.digits[executed] = pass;
        ++executed;
      }
      // All have read the totals.
      __syncthreads();
    }
    if (bin != 0) return;
    control.executed[0] = executed;
  }

 private:
  // The offset of the first key of the thread's bin, which has `count` keys, and how many bins have keys. One barrier, and the caller's before the totals are
  // written again.
  static __device__ __forceinline__ Count offset_of_bin(Count (&warp_totals)[kBins / kWarpThreads], Count count, int& occupied) {
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned int own_warp = warp_of(threadIdx.x);
    const Count inclusive = inclusive_count_in_warp(count, lane);
    if (lane == 31) warp_totals[own_warp] = inclusive;
    // Also orders the totals before their readers.
    occupied = __syncthreads_count(count > 0);
    Count offset = inclusive - count;
    for (unsigned int warp = 0; warp < own_warp; ++warp) offset += warp_totals[warp];
    return offset;
  }

  // The sum of the counts of all lanes up to this one.
  static __device__ __forceinline__ Count inclusive_count_in_warp(Count count, unsigned int lane) {
#pragma unroll
    for (unsigned int distance = 1; distance < 32; distance *= 2) {
      const Count below = __shfl_up_sync(~0u, count, distance);
      if (lane >= distance) count += below;
    }
    return count;
  }

 public:
  // The expansion of a counting sort: writes the sorted keys from the offset of each key's first one alone. Each block writes a
  // range of the result.
  static __device__ __forceinline__ void expand(const Arguments& arguments) {
    wait_for_previous_grid();
    __shared__ unsigned int ends[2];
    const Count* const bin_offsets = bin_offsets_of(arguments);
    // Ranges are multiples of a chunk, and so aligned alike.
    const unsigned long long share = (arguments.n + gridDim.x - 1) / gridDim.x;
    const unsigned int most_keys = static_cast<unsigned int>((share + kChunkKeys - 1) / kChunkKeys * kChunkKeys);
    const unsigned long long range_start = static_cast<unsigned long long>(blockIdx.x) * most_keys;
    if (range_start >= arguments.n) return;
    const unsigned long long left = arguments.n - range_start;
    const unsigned int range_keys = left < most_keys ? static_cast<unsigned int>(left) : most_keys;
    // A warp for the first key of the range, another for its last one.
    if (threadIdx.x < 64) {
      const Count offset = static_cast<Count>(range_start + (threadIdx.x < 32 ? 0 : range_keys - 1));
      const unsigned int bin = bin_at_by_warp(bin_offsets, offset);
      if (lane_of(threadIdx.x) == 0) ends[warp_of(threadIdx.x)] = bin;
    }
    __syncthreads();
    const BinSearch search{bin_offsets, ends[0], ends[1]};

    const bool is_aligned = reinterpret_cast<unsigned long long>(arguments.keys_out) % sizeof(Chunk) == 0;
    for (unsigned int i = threadIdx.x * kChunkKeys; i < range_keys; i += blockDim.x * kChunkKeys) {
      const Count offset = static_cast<Count>(range_start + i);
      const Chunk chunk = expanded_chunk(arguments, search, offset);
      if (is_aligned && i + kChunkKeys <= range_keys) {
        *reinterpret_cast<Chunk*>(arguments.keys_out + offset) = chunk;
      } else {
#pragma unroll
        for (int k = 0; k < kChunkKeys; ++k) {
          if (i + k < range_keys) arguments.keys_out[offset + k] = bits_as<Key>(chunk.keys[k]);
        }
      }
    }
  }

 private:
  static constexpr unsigned int kKeyValues = 1u << kKeyBits;

  static __device__ __forceinline__ const Count* bin_offsets_of(const Arguments& arguments) {
    return control_of(arguments).bins[0];
  }

  // The offset behind the last key of a bin.
  static __device__ __forceinline__ Count end_of(const Arguments& arguments, const Count* bin_offsets, unsigned int bin) {
    return bin + 1 < kKeyValues ? bin_offsets[bin + 1] : static_cast<Count>(arguments.n);
  }

  // The bin of the key at an offset, the last one that begins at or before it, which is one of first ... last.
  static __device__ __forceinline__ unsigned int bin_at(const Count* bin_offsets, Count offset, unsigned int first,
                                                        unsigned int last) {
    while (first < last) {
      const unsigned int middle = (first + last + 1) / 2;
      if (bin_offsets[middle] <= offset) {
        first = middle;
      } else {
        last = middle - 1;
      }
    }
    return first;
  }

  // How a block finds the bins of its range, which are `first_bin` ... `last_bin`.
  struct BinSearch {
    const Count* bin_offsets;
    unsigned int first_bin;
    unsigned int last_bin;

    // The bin of the key at an offset, which is `from` or one behind it.
    __device__ __forceinline__ unsigned int bin_behind(Count offset, unsigned int from) const {
      return bin_at(bin_offsets, offset, from, last_bin);
    }
  };

  // The sorted keys from an offset of the block's range on.
  static __device__ __forceinline__ Chunk expanded_chunk(const Arguments& arguments, const BinSearch& search, Count offset) {
    unsigned int bin = search.bin_behind(offset, search.first_bin);
    Count next = end_of(arguments, search.bin_offsets, bin);
    Chunk chunk;
#pragma unroll
    for (int k = 0; k < kChunkKeys; ++k) chunk.keys[k] = bits_as<StoredBits>(to_key(static_cast<Bits>(bin)));
    // Of many keys a chunk's are all alike most often.
    if (bin < search.last_bin && offset + kChunkKeys > next) {
#pragma unroll
      for (int k = 1; k < kChunkKeys; ++k) {
        if (bin < search.last_bin && offset + k >= next) {
          // The next bin, most often, or one behind bins that are empty.
          ++bin;
          next = end_of(arguments, search.bin_offsets, bin);
          if (bin < search.last_bin && offset + k >= next) {
            bin = search.bin_behind(offset + k, bin + 1);
            next = end_of(arguments, search.bin_offsets, bin);
          }
        }
        chunk.keys[k] = bits_as<StoredBits>(to_key(static_cast<Bits>(bin)));
      }
    }
    return chunk;
  }

  // The same of all bins, by a warp together, which divides what is left by the number of its lanes in each step.
  static __device__ __forceinline__ unsigned int bin_at_by_warp(const Count* bin_offsets, Count offset) {
    const unsigned int lane = lane_of(threadIdx.x);
    unsigned int first = 0;
    for (unsigned int size = kKeyValues; size > 1;) {
      const unsigned int step = (size + kWarpThreads - 1) / kWarpThreads;
      const unsigned int bin = first + lane * step;
      const bool begins_before = lane * step < size && bin_offsets[bin] <= offset;
      const unsigned int votes = __ballot_sync(~0u, begins_before);
      // The first lane's bin begins at or before the offset: the bins' offsets ascend.
      const unsigned int last = 31 - __clz(votes | 1u);
      first += last * step;
      size = size - last * step < step ? size - last * step : step;
    }
    return first;
  }

 public:
  // The pass of a pass slot: takes tiles, ranks their items by its digit, finds where the digits begin in the array, and writes the
  // items there. Where fewer digits differ than there are pass slots, the last ones do nothing.
  static __device__ __forceinline__ void run_pass(const Arguments& arguments, int pass_slot, unsigned char* shared) {
    wait_for_previous_grid();
    const Pass pass = pass_of_slot(arguments, pass_slot);
    if (pass.ordinal == 0) return;
    PassStorage& storage = *reinterpret_cast<PassStorage*>(shared);
    const PassBuffers buffers = buffers_of(arguments, pass);
    sort_tiles_by(arguments, pass_slot, buffers, digit_of_pass(arguments, pass.digit), storage);
  }

 private:
  // The bits of the ordered key that a pass sorts by.
  struct Digit {
    // Whether a tile is looked at for having one digit: sorted keys and those of few values have such.
    static constexpr bool kMayBeOne = true;
    int bit;
    int bits;

    __device__ __forceinline__ unsigned int of(Key key) const { return digit_of(to_ordered_bits(key), bit, bits); }
  };

  static __device__ __forceinline__ Digit digit_of_pass(const Arguments& arguments, int pass) {
    return {arguments.begin_bit + pass * kRadixBits, digit_bits(arguments, pass)};
  }

  // The buffers of a pass: where it reads and where it writes.
  struct PassBuffers {
    // The offset of each digit's first key.
    const Count* bins;
    // Counts the passes that move anything, from 1 on, over all phases.
    int epoch;
    const Key* keys_from;
    Key* keys_to;
    // Whether values are made, not read.
    bool makes_values;
    bool writes_keys;
  };

  // The work of a pass slot.
  struct Pass {
    // Counts the passes of the phase from 1 on; 0 if there is none left.
    int ordinal;
    // Of the keys.
    int digit;
    int phase;
  };

  static __device__ __forceinline__ Pass pass_of_slot(const Arguments& arguments, int pass_slot) {
    const Control& control = control_of(arguments);
    // The first phase is by the upper ones of all digits that differ.
    const bool is_upper = kSortsUpperDigits && sorts_upper_digits(control);
    const int skipped = is_upper ? control.executed[kPhases - 1] - control.executed[0] : 0;
    if (pass_slot >= control.executed[0]) return {0, 0, 0};
    if (is_upper && has_other_digits(control)) return {pass_slot + 1, kMaxPasses + pass_slot, 0};
    return {pass_slot + 1, control.digits[skipped + pass_slot], 0};
  }

  static __device__ __forceinline__ PassBuffers buffers_of(const Arguments& arguments, const Pass& pass) {
    const Control& control = control_of(arguments);
    // Before or after the first phase has left items in the scratch arrays: then it goes on as if a pass had.
    const bool leaves = kLeavesItems && sorts_upper_digits(control) && leaves_items(arguments);
    const bool is_first = pass.ordinal == 1 && !(leaves && pass.phase == 1);
    const int executed = control.executed[pass.phase];
    // The second phase sorts what the first one left in keys_out.
    const bool in_place = pass.phase == 1 || arguments.keys_in == arguments.keys_out;
    const Key* const keys_in = pass.phase == 1 ? arguments.keys_out : arguments.keys_in;
    const bool is_last = pass.ordinal == executed;
    const bool to_scratch = leaves ? writes_scratch(true, pass.ordinal + 1, executed) : writes_scratch(in_place, pass.ordinal, executed);
    [[maybe_unused]] constexpr bool is_overflow = false;
    [[maybe_unused]] const Count items = static_cast<Count>(arguments.n);
    PassBuffers buffers;
    buffers.bins = control.bins[pass.digit];
    buffers.epoch = pass.phase == 1 ? control.executed[0] + pass.ordinal : pass.ordinal;
    buffers.keys_from = is_first ? keys_in : to_scratch ? arguments.keys_out : arguments.keys_alternate;
    buffers.keys_to = to_scratch ? arguments.keys_alternate : arguments.keys_out;
    buffers.makes_values = kMakesPositions && is_first && pass.phase == 0;
    buffers.writes_keys = !is_last || arguments.writes_keys || (kSortsUpperDigits && pass.phase == 0 && sorts_upper_digits(control));
    return buffers;
  }
  // How many items the pass sorts.
  static __device__ __forceinline__ Count items_of([[maybe_unused]] const Arguments& arguments, [[maybe_unused]] const PassBuffers& buffers) {
    return static_cast<Count>(arguments.n);
  }

  // Whether the copy engine can load the tile: all of it is there, in one piece, on a boundary of 16 bytes, and without padding.
  template <bool kFromItems>
  static __device__ __forceinline__ bool loads_in_bulk(const Arguments& arguments, const PassBuffers& buffers, Count tile_start, TileSlots slots) {
    if (!BulkCopies::kAreThere || slots.padding != 0 || items_of(arguments, buffers) - tile_start < kTileItems) return false;
    unsigned long long addresses = reinterpret_cast<unsigned long long>(buffers.keys_from);
    return addresses % 16 == 0;
  }

  // Begins the copies of the tile that one thread has taken, to rows that follow each other.
  template <bool kFromItems>
  static __device__ __forceinline__ void request_tile([[maybe_unused]] const Arguments& arguments, const PassBuffers& buffers,
                                                      PassStorage& storage, Count tile_start) {
    const unsigned int value_bytes = kHasValues && !buffers.makes_values ? sizeof(Value) : 0;
    storage.copies.begin(kTileItems * (static_cast<unsigned int>(sizeof(Key)) + value_bytes));
    request_items(storage, storage.arrays.keys, reinterpret_cast<const StoredBits*>(buffers.keys_from + tile_start));
  }

  template <typename T>
  static __device__ __forceinline__ void request_items(PassStorage& storage, T* to, const T* from) {
    storage.copies.copy(to, from, kTileItems * static_cast<unsigned int>(sizeof(T)));
  }

  // Brings the tile to shared memory without the copy engine, to each warp what it ranks. Positions past the array's
  // end get the maximum key, and so come last in the tile.
  template <bool kFromItems>
  static __device__ __forceinline__ void load(const Arguments& arguments, const PassBuffers& buffers, PassStorage& storage,
                                              Count tile_start, unsigned int valid_items, TileSlots slots) {
    const unsigned int first_slot = slots.own_first();
    const StoredBits max_key = bits_as<StoredBits>(to_key(kAllBits));
#pragma unroll 8
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = own_position(i);
      const unsigned int slot = first_slot + i * slots.row();
      const bool is_valid = position < valid_items;
      storage.arrays.keys[slot] = is_valid ? bits_as<StoredBits>(buffers.keys_from[tile_start + position]) : max_key;
    }
    BulkCopies::release_stores();
    __syncwarp();
  }

  template <bool kFromItems>
  static __device__ __forceinline__ StoredBits key_at(const PassStorage& storage, unsigned int slot) {
    return storage.arrays.keys[slot];
  }

  // The position in the tile of the item that a thread ranks.
  static __device__ __forceinline__ unsigned int own_position(int item) { return warp_striped<kItemsPerThread>(threadIdx.x, item); }

  // Shared memory is read for this number of items before it is written for the first of them: no read waits for another then.
  static constexpr int kBatch = 8;

  template <typename Work>
  static __device__ __forceinline__ void for_each_batch(const Work& work) {
#pragma unroll
    for (int first = 0; first < kItemsPerThread; first += kBatch) {
      work(first, first + kBatch < kItemsPerThread ? first + kBatch : kItemsPerThread);
    }
  }

  // A digit is heavy if at least this number of lanes of a row have it.
  static constexpr int kHeavyLanes = 5;

  // Each warp its own.
  static __device__ __forceinline__ void clear_histogram(PassStorage& storage) {
    for (unsigned int bin = lane_of(threadIdx.x); bin < kBins; bin += 32) storage.histograms[warp_of(threadIdx.x)][bin] = 0;
    __syncwarp();
  }

  // Gives each of the warp's items its counter and the number of its digit before it in the warp, and counts them.
  //
  // A counter that is added to says how many came before. Among the lanes of one row it says in which order they were
  // served, which no manual promises to be theirs: see sort_tile. Lanes that meet at one counter are served one after the
  // other; where many of a row do, one ballot numbers those of the heavy digit.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ void rank_by_atomics(PassStorage& storage, const DigitOf& digit, TileSlots slots,
                                                         PackedItems<kItemsPerThread, 16>& ranks,
                                                         PackedItems<kItemsPerThread, kRadixBits>& counters) {
    unsigned int (&histogram)[kBins] = storage.histograms[warp_of(threadIdx.x)];
    const unsigned int first_slot = slots.own_first();
    const auto counter_at = [&](int item) {
      return counter_of(digit.of(bits_as<Key>(key_at<kFromItems>(storage, first_slot + item * slots.row()))));
    };
    const unsigned int heavy_lanes = __ballot_sync(~0u, __popc(lanes_of_same_digit<kRadixBits>(counter_at(0))) >= kHeavyLanes);
    if (heavy_lanes == 0) {
      for_each_batch([&](int first, int end) {
        unsigned int of_batch[kBatch];
#pragma unroll
        for (int i = first; i < end; ++i) of_batch[i - first] = counter_at(i);
#pragma unroll
        for (int i = first; i < end; ++i) {
          counters.set(i, of_batch[i - first]);
          ranks.set(i, atomicAdd(&histogram[of_batch[i - first]], 1u));
        }
      });
      return;
    }
    HeavyDigit heavy{__shfl_sync(~0u, counter_at(0), __ffs(heavy_lanes) - 1), 0};
    // As many rows at once as a loop has that is not unrolled; then the rest.
    constexpr int kInLoop = kItemsPerThread / kBatch * kBatch;
    constexpr int kRest = kInLoop < kItemsPerThread ? kItemsPerThread - kInLoop : 1;
    if constexpr (kInLoop > 0) {
#pragma unroll 1
      for (int first = 0; first < kInLoop; first += kBatch) {
        unsigned int of_counters[kBatch];
        unsigned int of_ranks[kBatch];
        rank_rows_of_heavy(histogram, counter_at, first, heavy, of_counters, of_ranks);
        counters.template push<kInLoop>(of_counters);
        ranks.template push<kInLoop>(of_ranks);
      }
    }
    if constexpr (kInLoop < kItemsPerThread) {
      unsigned int of_counters[kRest];
      unsigned int of_ranks[kRest];
      rank_rows_of_heavy(histogram, counter_at, kInLoop, heavy, of_counters, of_ranks);
#pragma unroll
      for (int i = 0; i < kRest; ++i) {
        counters.set(kInLoop + i, of_counters[i]);
        ranks.set(kInLoop + i, of_ranks[i]);
      }
    }
    if (lane_of(threadIdx.x) == 0) histogram[heavy.counter] = heavy.count;
  }

  // A digit that many lanes of a row have: where its counter is, and what that would have, which is kept in a register.
  struct HeavyDigit {
    unsigned int counter;
    unsigned int count;
  };

  // Ranks some rows of the warp's items, from this one on.
  template <int kRows, typename CounterAt>
  static __device__ __forceinline__ void rank_rows_of_heavy(unsigned int (&histogram)[kBins], const CounterAt& counter_at, int first, HeavyDigit& heavy,
                                                            unsigned int (&counters)[kRows], unsigned int (&ranks)[kRows]) {
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned int lanes_below = (1u << lane) - 1u;
#pragma unroll
    for (int i = 0; i < kRows; ++i) counters[i] = counter_at(first + i);
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      const unsigned int own = counters[i];
      const unsigned int same = __ballot_sync(~0u, own == heavy.counter);
      ranks[i] = own == heavy.counter ? heavy.count + __popc(same & lanes_below) : atomicAdd(&histogram[own], 1u);
      heavy.count += __popc(same);
      if (__popc(same) < kHeavyLanes && first + i + 1 < kItemsPerThread) {
        // Perhaps another digit is heavy in the rows to come.
        const unsigned int next = __shfl_sync(~0u, own, 31);
        if (lane == 0) histogram[heavy.counter] = heavy.count;
        __syncwarp();
        heavy.counter = next;
        heavy.count = histogram[next];
        // All lanes have read what one of them writes later.
        __syncwarp();
      }
    }
  }

  // Makes every warp's count of the thread's digit the position in the tile of the first of those items: behind all items
  // of lower digits, and behind those of the same digit in the warps below.
  static __device__ __forceinline__ void make_positions(PassStorage& storage) {
    unsigned int position = storage.first_positions[threadIdx.x];
#pragma unroll
    for (unsigned int warp = 0; warp < kBins / kWarpThreads; ++warp) {
      if (warp < warp_of(threadIdx.x)) position += storage.warp_totals[warp];
    }
    storage.first_positions[threadIdx.x] = position;
#pragma unroll
    for (unsigned int warp = 0; warp < kWarps; ++warp) {
      unsigned int& counter = storage.histograms[warp][counter_of(threadIdx.x)];
      const unsigned int count = counter;
      counter = position;
      position += count;
    }
  }

  // Scatters the warp's items to the sorted tile by ballots, which no order of serving can change. It is seldom needed,
  // and not made fast.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ void scatter_by_ballots(PassStorage& storage, const DigitOf& digit, TileSlots slots) {
    unsigned int (&positions)[kBins] = storage.histograms[warp_of(threadIdx.x)];
    const unsigned int first_slot = slots.own_first();
    const unsigned int lanes_below = (1u << lane_of(threadIdx.x)) - 1u;
#pragma unroll 1
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int slot = first_slot + i * slots.row();
      const unsigned int own = counter_of(digit.of(bits_as<Key>(key_at<kFromItems>(storage, slot))));
      const unsigned int same = lanes_of_same_digit<kRadixBits>(own);
      const unsigned int first = positions[own];
      storage.sources[first + __popc(same & lanes_below)] = static_cast<unsigned short>(slot);
      // All lanes have read; the lowest of each digit writes for the next row.
      __syncwarp();
      if ((same & lanes_below) == 0) positions[own] = first + __popc(same);
      __syncwarp();
    }
  }

  // A tile's descriptor of a digit:
  //
  //   | state: 2 bits | prefix: all other bits |
  //
  // The prefix is partial, of the tile's own items, or inclusive, of those of all tiles up to it. Passes use the same descriptors
  // without clearing them: the state of inclusive prefixes alternates, so what the last pass has left counts as not yet written.
  struct Descriptor {
    static constexpr int kStateShift = 8 * sizeof(Count) - 2;
    static constexpr Count kPrefixMask = (Count(1) << kStateShift) - 1;
    static constexpr Count kPartial = Count(3) << kStateShift;
    Count bits;

    static __device__ __forceinline__ Count inclusive_state(int epoch) { return Count(epoch % 2 + 1) << kStateShift; }
    static __device__ __forceinline__ Descriptor pack(Count state, Count prefix) { return {state | prefix}; }
    __device__ __forceinline__ Count state() const { return bits & ~kPrefixMask; }
    __device__ __forceinline__ Count prefix() const { return bits & kPrefixMask; }
  };

  // The descriptor of the thread's digit.
  static __device__ __forceinline__ Descriptor* descriptor_of(const Arguments& arguments, unsigned int tile) {
    Descriptor* const descriptors = reinterpret_cast<Descriptor*>(arguments.workspace + sizeof(Control));
    return descriptors + static_cast<unsigned long long>(tile) * kBins + threadIdx.x;
  }

  // Publishes the partial prefix of the thread's digit, which is the inclusive one of the first tile.
  static __device__ __forceinline__ void publish_count(const Arguments& arguments, unsigned int tile, unsigned int count, int epoch) {
    const Count state = tile == 0 ? Descriptor::inclusive_state(epoch) : Descriptor::kPartial;
    publish(&descriptor_of(arguments, tile)->bits, Descriptor::pack(state, count).bits);
  }

  // Decoupled look-back: the number of items of the thread's digit in the tiles before this one, from their descriptors. Publishes
  // the inclusive prefix of this one. A tile before it without a written descriptor is being worked on, so waiting ends.
  static __device__ __forceinline__ Count sum_of_tiles_before(const Arguments& arguments, unsigned int tile, unsigned int count,
                                                              int epoch) {
    if (tile == 0) return 0;
    // The number of descriptors that are polled at once, which takes the time of one.
    constexpr unsigned int kPolled = 8;
    const Count inclusive = Descriptor::inclusive_state(epoch);
    Descriptor* const own = descriptor_of(arguments, tile);
    const Descriptor* next = own - kBins;
    unsigned int left = tile;
    Count sum = 0;
    for (bool is_done = false; !is_done;) {
      Descriptor answers[kPolled];
#pragma unroll
      for (unsigned int k = 0; k < kPolled; ++k) answers[k] = {k < left ? poll(&(next - k * kBins)->bits) : 0};
#pragma unroll
      for (unsigned int k = 0; k < kPolled; ++k) {
        const Count state = answers[k].state();
        if (is_done || (state != Descriptor::kPartial && state != inclusive)) break;
        sum += answers[k].prefix();
        next -= kBins;
        --left;
        is_done = state == inclusive;
      }
    }
    publish(&own->bits, Descriptor::pack(inclusive, sum + count).bits);
    return sum;
  }

  // What a tile's items are ordered by, as a number that is not negative:
  //
  //   | digit: 16 bits | slot: 16 bits |
  //
  // Slots ascend in the order in which items were read.
  struct DigitSlot {
    int bits;
    static __device__ __forceinline__ DigitSlot pack(unsigned int digit, unsigned int slot) { return {static_cast<int>(digit << 16 | slot)}; }
    __device__ __forceinline__ unsigned int digit() const { return bits >> 16; }
  };

  // Writes the tile, in the order of its slots, to where its digits begin. Returns whether that order was right: by
  // digit, and within a digit as the items came.
  //
  // Nothing here takes a branch for an item: so that the reads of many can be under way at once. Four are enough, and less code.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ bool write(const Arguments& arguments, const PassBuffers& buffers, const DigitOf& digit,
                                               PassStorage& storage, unsigned int valid_items, TileSlots slots) {
    const auto digit_slot_of = [&](StoredBits key, unsigned int slot) { return DigitSlot::pack(digit.of(bits_as<Key>(key)), slot); };
    const unsigned int lane = lane_of(threadIdx.x);
    // Opaque where positions are made: else those of all items would take registers, from tile to tile.
    const unsigned int first_position = kMakesPositions ? opaque(own_position(0)) : own_position(0);
    bool in_order = true;
    // In lane 0, the digit and slot of the item before the row.
    int before_row = -1;
    if (threadIdx.x >= kWarpThreads) {
      const unsigned int slot = storage.sources[first_position - lane - 1];
      before_row = digit_slot_of(key_at<kFromItems>(storage, slot), slot).bits;
    }
#pragma unroll 4
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = first_position + 32 * i;
      const unsigned int slot = storage.sources[position];
      const StoredBits key = key_at<kFromItems>(storage, slot);
      const DigitSlot own = digit_slot_of(key, slot);
      if (TileSlots::kMayPad && i == 0 && threadIdx.x < kWarpThreads) find_regularity<kFromItems>(storage, slots.position_of(slot));
      // That of the lane below, and for lane 0 that of the last one, which comes before the next row.
      const int below = __shfl_sync(~0u, own.bits, lane_of(lane + kWarpThreads - 1));
      in_order &= (lane == 0 ? before_row : below) < own.bits;
      before_row = below;
      // Positions take registers, and then there are not enough for the reads of many items at once.
      if constexpr (kMakesPositions && !kFromItems) {
        if (position >= valid_items) continue;
      }
      const Count to = storage.offsets[own.digit()] + position;
      write_item(buffers, storage, key, slot, slots, to, position, valid_items);
    }
    return in_order;
  }

  // Writes a tile of one digit: its items are in order as they were read.
  template <bool kFromItems>
  static __device__ __forceinline__ void write_tile_of_one_digit(const Arguments& arguments, const PassBuffers& buffers, const PassStorage& storage,
                                                                 unsigned int valid_items, TileSlots slots) {
    const Count offset = storage.offsets[storage.only_digit];
    const unsigned int first_position = kMakesPositions ? opaque(own_position(0)) : own_position(0);
    const unsigned int first_slot = slots.own_first();
#pragma unroll 4
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = first_position + 32 * i;
      const unsigned int slot = first_slot + i * slots.row();
      write_item(buffers, storage, key_at<kFromItems>(storage, slot), slot, slots, offset + position, position, valid_items);
    }
  }

  // Writes the item in a slot, with this key, if its position in the sorted tile is one of those that are there.
  static __device__ __forceinline__ void write_item(const PassBuffers& buffers, [[maybe_unused]] const PassStorage& storage, StoredBits key,
                                                    [[maybe_unused]] unsigned int slot, [[maybe_unused]] TileSlots slots, Count to,
                                                    unsigned int position, unsigned int valid_items) {
    if (position < valid_keys(buffers, valid_items)) buffers.keys_to[to] = bits_as<Key>(key);
  }

  // How many of the valid items have their keys written: all or none.
  static __device__ __forceinline__ unsigned int valid_keys(const PassBuffers& buffers, unsigned int valid_items) {
    return buffers.writes_keys ? valid_items : 0;
  }

  // Lanes of a row in one bank that make a tile regular. Fewer meet by chance, and then ordinary loads cost more than they spare.
  static constexpr int kRegularLanes = 12;

  // Whether many of these items, which a warp reads together, would be in one bank without padding, by their positions before the sort.
  template <bool kFromItems>
  static __device__ __forceinline__ void find_regularity(PassStorage& storage, unsigned int position) {
    constexpr unsigned int kBytes = sizeof(Key);
    constexpr unsigned int kBankBytes = 4;
    constexpr unsigned int kBanks = 32;
    const unsigned int bank = position * kBytes / kBankBytes % kBanks;
    const bool is_regular = __popc(__ballot_sync(~0u, bank == __shfl_sync(~0u, bank, 0))) >= kRegularLanes;
    if (threadIdx.x == 0) storage.is_regular = is_regular;
  }

  template <typename DigitOf>
  static __device__ __forceinline__ void sort_tiles_by(const Arguments& arguments, int pass_slot, const PassBuffers& buffers,
                                                       const DigitOf& digit, PassStorage& storage) {
    sort_tiles<false>(arguments, pass_slot, buffers, digit, storage);
  }

  // The block takes one tile after the other, in order, so that those before its own are done or being worked on: waiting
  // for them ends.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ void sort_tiles(const Arguments& arguments, int pass_slot, const PassBuffers& buffers,
                                                    const DigitOf& digit, PassStorage& storage) {
    const unsigned int tiles = static_cast<unsigned int>((items_of(arguments, buffers) + kTileItems - 1) / kTileItems);
    if (threadIdx.x == 0) {
      storage.copies.prepare();
      BulkCopies::acquire_stores();
      storage.is_regular = 0;
    }
    // The same thread uses what it has prepared; racecheck takes that for other lanes' work, and this tells it better.
    __syncwarp();
    unsigned int round = 0;
    TileSlots slots{0};
    for (;;) {
      if (threadIdx.x == 0) {
        const unsigned int tile = atomicAdd(&control_of(arguments).tickets[pass_slot], 1u);
        storage.tile = tile;
        const Count tile_start = static_cast<Count>(tile) * kTileItems;
        if (tile < tiles && loads_in_bulk<kFromItems>(arguments, buffers, tile_start, slots)) {
          request_tile<kFromItems>(arguments, buffers, storage, tile_start);
        }
      }
      clear_histogram(storage);
      __syncthreads();
      const unsigned int tile = storage.tile;
      if (tile >= tiles) return;
      const Count tile_start = static_cast<Count>(tile) * kTileItems;
      const Count left = items_of(arguments, buffers) - tile_start;
      const unsigned int valid_items = left < kTileItems ? static_cast<unsigned int>(left) : kTileItems;
      if (loads_in_bulk<kFromItems>(arguments, buffers, tile_start, slots)) {
        storage.copies.wait(round++);
      } else {
        load<kFromItems>(arguments, buffers, storage, tile_start, valid_items, slots);
      }
      sort_tile<kFromItems>(arguments, buffers, digit, storage, tile, valid_items, slots);
      // The next tile is likely to be as regular as this one.
      if constexpr (TileSlots::kMayPad) slots.padding = storage.is_regular;
    }
  }

  // Ranks by one atomic an item, which are right if the lanes that meet at a counter are served in order; writing the tile
  // shows whether they were. If not, ballots rank its items, and it is written over.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ void sort_tile(const Arguments& arguments, const PassBuffers& buffers, const DigitOf& digit,
                                                   PassStorage& storage, unsigned int tile, unsigned int valid_items,
                                                   TileSlots slots) {
    PackedItems<kItemsPerThread, 16> ranks;
    PackedItems<kItemsPerThread, kRadixBits> counters;
    const unsigned int count = count_tile<kFromItems>(arguments, buffers, digit, storage, tile, slots, ranks, counters);
    if (DigitOf::kMayBeOne && storage.only_digit < kBins) {
      if (threadIdx.x < kBins) find_offset(arguments, buffers, storage, tile, count);
      __syncthreads();
      write_tile_of_one_digit<kFromItems>(arguments, buffers, storage, valid_items, slots);
      __syncthreads();
      return;
    }
    if (threadIdx.x < kBins) make_positions(storage);
    __syncthreads();
    const unsigned int first_slot = slots.own_first();
    for_each_batch([&](int first, int end) {
      unsigned int positions[kBatch];
#pragma unroll
      for (int i = first; i < end; ++i) positions[i - first] = storage.histograms[warp_of(threadIdx.x)][counters.get(i)] + ranks.get(i);
#pragma unroll
      for (int i = first; i < end; ++i) storage.sources[positions[i - first]] = static_cast<unsigned short>(first_slot + i * slots.row());
    });
    if (threadIdx.x < kBins) find_offset(arguments, buffers, storage, tile, count);
    for (bool is_second_try = false;; is_second_try = true) {
      __syncthreads();
      const bool in_order = write<kFromItems>(arguments, buffers, digit, storage, valid_items, slots);
      // A vote of the block would do, but not for a compiler that fails where a function is left by one.
      if (!in_order) atomicOr(&storage.is_out_of_order, 1u);
      __syncthreads();
      if (is_second_try || storage.is_out_of_order == 0) return;
      scatter_by_ballots<kFromItems>(storage, digit, slots);
    }
  }

  // Ranks the items within their warps, counts the tile's digits, publishes the counts and begins their scan. Each of the first kBins
  // threads gets the count of its digit. Ends with a barrier of the block.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ unsigned int count_tile(const Arguments& arguments, const PassBuffers& buffers, const DigitOf& digit,
                                                            PassStorage& storage, unsigned int tile, TileSlots slots,
                                                            PackedItems<kItemsPerThread, 16>& ranks,
                                                            PackedItems<kItemsPerThread, kRadixBits>& counters) {
    if (threadIdx.x == 0) {
      storage.is_out_of_order = 0;
      storage.only_digit = kBins;
    }
    rank_by_atomics<kFromItems>(storage, digit, slots, ranks, counters);
    __syncthreads();
    unsigned int count = 0;
    if (threadIdx.x < kBins) {
#pragma unroll
      for (unsigned int warp = 0; warp < kWarps; ++warp) count += storage.histograms[warp][counter_of(threadIdx.x)];
      publish_count(arguments, tile, count, buffers.epoch);
      if (DigitOf::kMayBeOne && count == kTileItems) storage.only_digit = threadIdx.x;
      const unsigned int inclusive = inclusive_sum_in_warp(count, ~0u);
      storage.first_positions[threadIdx.x] = inclusive - count;
      if (lane_of(threadIdx.x) == 31) storage.warp_totals[warp_of(threadIdx.x)] = inclusive;
    }
    __syncthreads();
    return count;
  }

  // Finds what to add to the positions of the thread's digit in the sorted tile, from the tiles before.
  static __device__ __forceinline__ void find_offset(const Arguments& arguments, const PassBuffers& buffers, PassStorage& storage,
                                                     unsigned int tile, unsigned int count) {
    const Count before = sum_of_tiles_before(arguments, tile, count, buffers.epoch);
    // Opaque: else the address would take registers all the time.
    const Count first = buffers.bins[opaque(threadIdx.x)];
    storage.offsets[threadIdx.x] = first + before - storage.first_positions[threadIdx.x];
  }

 public:
  // Copies the result to where it belongs, if no pass has written it there: in place after an odd number of passes, and
  // to other arrays after none.
  static __device__ __forceinline__ void finish(const Arguments& arguments) {
    wait_for_previous_grid();
    const Control& control = control_of(arguments);
    // A second phase sorts what the first one left in keys_out.
    const bool is_second = kSortsUpperDigits && needs_all(arguments, control);
    const bool in_place = is_second || arguments.keys_in == arguments.keys_out;
    // Items in the scratch arrays are there as if a pass had written them.
    const int executed = is_second ? control.executed[kPhases - 1] + (kLeavesItems && leaves_items(arguments)) : control.executed[0];
    if (in_place ? executed % 2 == 0 && (!kMakesPositions || executed > 0) : executed > 0) return;
    copy_result(arguments, executed > 0, executed > 0 || !in_place);
  }

 private:
  // Copies the items from the scratch arrays or the input to the result.
  static __device__ __forceinline__ void copy_result(const Arguments& arguments, bool from_scratch, bool moves_keys) {
    // Items of a thread that are read before the first of them is written: one does not wait for another.
    constexpr int kCopied = 2;
    const bool copies_keys = arguments.writes_keys && moves_keys;
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    unsigned long long first = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (; first < arguments.n; first += kCopied * stride) {
      Key keys[kCopied];
#pragma unroll
      for (int own = 0; own < kCopied; ++own) {
        const unsigned long long i = first + own * stride;
        if (i >= arguments.n) continue;
        if (copies_keys) keys[own] = from_scratch ? arguments.keys_alternate[i] : arguments.keys_in[i];
      }
#pragma unroll
      for (int own = 0; own < kCopied; ++own) {
        const unsigned long long i = first + own * stride;
        if (i >= arguments.n) continue;
        if (copies_keys) arguments.keys_out[i] = keys[own];
      }
    }
  }
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

  // The digit of `count` bits, at most kRadixBits, from `bit` up.
  static __device__ __forceinline__ unsigned int digit_of(Bits ordered, int bit, int count) {
    return static_cast<unsigned int>(compared_bits(ordered) >> bit) & ((1u << count) - 1u);
  }

  static __device__ __forceinline__ Control& control_of(const Arguments& arguments) {
    return *reinterpret_cast<Control*>(arguments.workspace);
  }

  static __host__ __device__ constexpr unsigned long long control_and_descriptor_bytes(unsigned long long n) {
    return sizeof(Control) + (n + kTileItems - 1) / kTileItems * kBins * sizeof(Count);
  }

  // Whether the first phase sorts by upper digits, and whether the second one has to sort all items.
  static __device__ __forceinline__ bool sorts_upper_digits([[maybe_unused]] const Control& control) {
    return false;
  }

  static __device__ __forceinline__ bool needs_all([[maybe_unused]] const Arguments& arguments, [[maybe_unused]] const Control& control) {
    return false;
  }

  // Whether the linear map has buckets.
  static __device__ __forceinline__ bool is_mapped([[maybe_unused]] const Control& control) {
    return false;
  }

  // The upper bits that are left out as all keys share them.
  static __device__ __forceinline__ int shared_bit_count([[maybe_unused]] const Control& control) {
    return 0;
  }

  // Whether digits other than the keys' own are counted, or sorted by, too.
  static __device__ __forceinline__ bool has_other_digits(const Control& control) {
    return is_mapped(control) || shared_bit_count(control) != 0;
  }

  // Whether the first phase leaves items side by side, in the scratch arrays, and not what it sorts in the arrays of the
  // result. In place it has to: the first pass cannot write what it reads.
  static __device__ __forceinline__ bool leaves_items([[maybe_unused]] const Arguments& arguments) {
    return false;
  }

  // How many bits pass number `pass` sorts by, from arguments.begin_bit + pass * kRadixBits up.
  static __device__ __forceinline__ int digit_bits(const Arguments& arguments, int pass) {
    const int left = arguments.end_bit - arguments.begin_bit - pass * kRadixBits;
    return left < kRadixBits ? left : kRadixBits;
  }

  // Whether the executed pass of this ordinal, of `executed` in all, writes to the scratch arrays. Passes alternate between these
  // and the arrays of the result so that the last one writes the result; in place, the first one cannot write there.
  static __device__ __forceinline__ bool writes_scratch(bool in_place, int ordinal, int executed) {
    return in_place ? ordinal % 2 == 1 : (executed - ordinal) % 2 == 1;
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_U8_KEYS_B384_I32_DESC_KERNELS
#define SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_U8_KEYS_B384_I32_DESC_KERNELS
namespace sortsmith {
inline namespace v0_1_0 {
namespace device_facade {

template <int kInstance>
__global__ void __launch_bounds__(1024)
device_radix_sort_u8_keys_b384_i32_desc_count(sortsmith::device_radix_sort_u8_keys_b384_i32_desc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_radix_sort_u8_keys_b384_i32_desc::count_digits(arguments, sortsmith_shared);
}

template <int kInstance>
__global__ void __launch_bounds__(256)
device_radix_sort_u8_keys_b384_i32_desc_plan(sortsmith::device_radix_sort_u8_keys_b384_i32_desc::Arguments arguments) {
  sortsmith::device_radix_sort_u8_keys_b384_i32_desc::plan_passes(arguments);
}

template <int kInstance>
__global__ void __launch_bounds__(384, 2)
device_radix_sort_u8_keys_b384_i32_desc_pass(sortsmith::device_radix_sort_u8_keys_b384_i32_desc::Arguments arguments, int pass_slot) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_radix_sort_u8_keys_b384_i32_desc::run_pass(arguments, pass_slot, sortsmith_shared);
}

template <int kInstance>
__global__ void __launch_bounds__(512)
device_radix_sort_u8_keys_b384_i32_desc_expand(sortsmith::device_radix_sort_u8_keys_b384_i32_desc::Arguments arguments) {
  sortsmith::device_radix_sort_u8_keys_b384_i32_desc::expand(arguments);
}

template <int kInstance>
__global__ void __launch_bounds__(1024, sortsmith::device_radix_sort_u8_keys_b384_i32_desc::kResidentFinishing)
device_radix_sort_u8_keys_b384_i32_desc_finish(sortsmith::device_radix_sort_u8_keys_b384_i32_desc::Arguments arguments) {
  sortsmith::device_radix_sort_u8_keys_b384_i32_desc::finish(arguments);
}

}  // namespace device_facade
}  // namespace v0_1_0
}  // namespace sortsmith
#endif


#ifndef SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_U8_KEYS_B384_I32_DESC_WIDE
#define SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_U8_KEYS_B384_I32_DESC_WIDE
namespace sortsmith {
inline namespace v0_1_0 {

struct device_radix_sort_u8_keys_b384_i32_desc_wide {
  using Key = unsigned char;
  using Value = NullType;

  static constexpr int kBlockThreads = 384;
  static constexpr int kItemsPerThread = 32;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 8;
  static constexpr int kRadixBits = 8;
  static constexpr int kMaxPasses = (kKeyBits + kRadixBits - 1) / kRadixBits;
  static constexpr unsigned int kBins = 1u << kRadixBits;
  // Counts, and offsets in the array.
  using Count = unsigned long long;
  // The shared memory of a block of _pass.
  static constexpr unsigned int kSharedBytes = 52680;
  // Blocks of _finish that a multiprocessor is to hold, of threads it has room for.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  static constexpr int kResidentFinishing = 1;
#elif defined(__CUDA_ARCH__) && ((__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900) || __CUDA_ARCH__ >= 1200)
  static constexpr int kResidentFinishing = 1;
#else
  static constexpr int kResidentFinishing = 2;
#endif
  // More items than this need the sort of the same name with `_wide`.
  static constexpr unsigned long long kMaxItems = 1099511627776ull;

  // What all kernels of one sort are given. Arrays of keys and values have n items each.
  struct Arguments {
    // The keys to sort, written only where keys_out is the same array.
    const Key* keys_in;
    // The sorted keys; the same array as keys_in to sort in place.
    Key* keys_out;
    // Scratch.
    Key* keys_alternate;
    // The same of values, where the sort has any; values_in is not read.
    const Value* values_in;
    Value* values_out;
    Value* values_alternate;
    // workspace_bytes(n) or counting_bytes(), aligned to 16; the first zeroed_bytes(n), or all of them, zero.
    unsigned char* workspace;
    // At most kMaxItems.
    unsigned long long n;
    // The bits of the ordered key that take part, 0 <= begin_bit <= end_bit <= kKeyBits.
    int begin_bit;
    int end_bit;
    // Whether the sorted keys are written: 1, or 0 where only values are wanted; keys_out is scratch then.
    int writes_keys;
    // Not used by this sort.
    int interleaves;
    // Columns of counters that a block of _count has room for, as their logarithm to base 2: at most 5 are of use.
    int count_columns_log2;
    // Not used by this sort.
    int sorts_msd_buckets;
    // Not used by this sort.
    unsigned int* sort_counter;
    // Not used by this sort.
    unsigned long long row_stride;
  };

  // The shared memory of a block of _count.
  static __host__ __device__ constexpr unsigned int count_shared_bytes(int count_columns_log2) {
    return kCountedDigits * kBins * static_cast<unsigned int>(sizeof(unsigned int)) << count_columns_log2;
  }

 private:
  // Keys in registers are ordered bits: unsigned integers that order as the keys do.
  using Bits = unsigned int;
  // In memory they take no more bytes than the keys.
  using StoredBits = unsigned char;
  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;
  static constexpr bool kDescending = true;
  // Whether NaNs come last, of whatever sign.
  static constexpr bool kNanLast = false;
  static constexpr bool kHasValues = false;
  // Whether values are made: each key's position in the input.
  static constexpr bool kMakesPositions = false;
  // Whether there may be a first phase by upper digits, and whether it may leave items side by side.
  static constexpr bool kSortsUpperDigits = false;
  static constexpr bool kLeavesItems = false;
  static constexpr int kPhases = 1;
  static constexpr int kMaxPassSlots = kMaxPasses;

  // Digits that are counted: the keys'.
  static constexpr int kCountedDigits = kMaxPasses;

  // Which passes there are to do. The workspace begins with it; all is zero when a sort begins.
  struct Control {
    // Of each phase: how many passes move anything.
    int executed[kPhases];
    // The digits that differ between keys, from the lowest up.
    int digits[kMaxPasses];
    // Tiles that blocks have taken in each pass slot.
    unsigned int tickets[kMaxPassSlots];
    // Histograms begin with a line of the caches, and so do descriptors behind all this, where the workspace does.
    unsigned char unused_before_bins[116];
    // Of each digit: its histogram, then the offset of each bin's first key.
    Count bins[kCountedDigits][kBins];
  };
  static_assert(sizeof(Control) == 2176, "the workspace is laid out as planned");

  // Where the items of a tile lie in shared memory, warp by warp, each warp's in rows of 32. In a padded tile a slot is unused behind each
  // row, and one more behind each warp. Without padding, items at equal distances, as those of one digit of regular keys are, meet in
  // a bank; with padding, the copy engine cannot load the tile.
  struct TileSlots {
    static constexpr bool kMayPad = true;
    // The slots of a row and of a warp in a padded tile.
    static constexpr unsigned int kPaddedRow = 33;
    static constexpr unsigned int kPaddedWarp = kPaddedRow * kItemsPerThread + 1;
    // Each array of them ends at a multiple of 16 bytes, where the copy engine can write another.
    static constexpr unsigned int kCount = 12688;
    static_assert(kCount <= 65536, "a slot's number has 16 bits");
    static_assert(kCount >= (kMayPad ? kWarps * kPaddedWarp : kTileItems), "a tile has room");

    // Unused slots behind a row, one or none.
    unsigned int padding;

    __device__ __forceinline__ unsigned int row() const { return 32 + padding; }

    // Where the first item is that a thread ranks; each next one is a row on. Of two items, the earlier one has the lower slot.
    __device__ __forceinline__ unsigned int own_first() const {
      return warp_of(threadIdx.x) * (row() * kItemsPerThread + padding) + lane_of(threadIdx.x);
    }

    // The position in the tile of the item in a slot.
    __device__ __forceinline__ unsigned int position_of(unsigned int slot) const {
      // Without padding a slot is a position, whatever it is divided by.
      const unsigned int warp = slot / kPaddedWarp;
      const unsigned int rows = warp * (kItemsPerThread + 1) + (slot - warp * kPaddedWarp) / kPaddedRow;
      return slot - rows * padding;
    }
  };

  // The counter of a digit in a warp's histogram. Digits that agree in their lower bits, as those of keys of few bits do, have counters
  // in other banks.
  static __device__ __forceinline__ unsigned int counter_of(unsigned int digit) {
    constexpr unsigned int kBankBits = 5;
    return digit ^ digit >> kBankBits;
  }

  // What a block of a pass keeps in shared memory.
  struct PassStorage {
    // The tile as it is read.
    struct {
      StoredBits keys[TileSlots::kCount];
    } arrays;
    BulkCopies copies;
    // For each digit: what to add to a position in the sorted tile to make it an offset in the array.
    Count offsets[kBins];
    // For each digit: the position of its first item in the sorted tile.
    unsigned int first_positions[kBins];
    // For each warp and digit, at the digit's counter: items so far, then the position of the next one in the sorted tile.
    unsigned int histograms[kWarps][kBins];
    unsigned int warp_totals[kBins / kWarpThreads];
    unsigned int tile;
    // Whether items of the last tile that are read together would meet in a bank if rows followed each other.
    unsigned int is_regular;
    // The digit of all items of the tile, or kBins.
    unsigned int only_digit;
    // Whether writing the tile found it out of order.
    unsigned int is_out_of_order;
    // For each position in the sorted tile: the slot where its item is.
    unsigned short sources[kTileItems];
  };
  static_assert(sizeof(PassStorage) == kSharedBytes, "the storage is laid out as planned");

 public:
  // Passes over this range of bits.
  static __host__ __device__ constexpr int pass_count(int begin_bit, int end_bit) {
    return (end_bit - begin_bit + kRadixBits - 1) / kRadixBits;
  }
  // Bytes at the workspace's start that are zero when a sort begins, and bytes of all of it.
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long n) {
    return control_and_descriptor_bytes(n);
  }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long n) {
    return zeroed_bytes(n);
  }
  // Bytes of the workspace of a counting sort, all of which are zero when it begins.
  static __host__ __device__ constexpr unsigned long long counting_bytes() {
    return sizeof(Control);
  }

 public:
  // Counts the digits of all passes in one read of the keys. Lanes have columns of counters of their own, so that they do
  // not meet in a bank or at an address, whatever the digits are.
  static __device__ __forceinline__ void count_digits(const Arguments& arguments, unsigned char* shared) {
    unsigned int* const counters = reinterpret_cast<unsigned int*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const bool takes_all_bits = arguments.begin_bit == 0 && arguments.end_bit == kKeyBits;
    const bool is_usual = takes_all_bits && arguments.count_columns_log2 == kUsualColumnsLog2;
    is_usual ? count_digits_of<true>(arguments, NoMap{}, counters) : count_digits_of<false>(arguments, NoMap{}, counters);
  }

 private:
  // In place of a map: the keys' digits alone are counted.
  struct NoMap {
    static constexpr bool kHasBuckets = false;
  };

  // The usual case, all bits of keys and as many columns as the GPU has room for, has constants for most of the arithmetic.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 800
  static constexpr int kUsualColumnsLog2 = 5;
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 900 || __CUDA_ARCH__ >= 1200)
  static constexpr int kUsualColumnsLog2 = 5;
#else
  static constexpr int kUsualColumnsLog2 = 5;
#endif

  // Keys are loaded 16 bytes at a time, where the array begins on such a boundary.
  static constexpr int kChunkKeys = 16 / sizeof(StoredBits);
  struct __align__(16) Chunk {
    StoredBits keys[kChunkKeys];
  };

  // Counts the digits of a key, and those of its bucket by a map that has some, in one of 2^columns_log2 columns.
  template <bool kIsUsual, typename Map>
  static __device__ __forceinline__ void count_digits_of_key(const Arguments& arguments, [[maybe_unused]] const Map& map, Key key, int passes,
                                                             int columns_log2, unsigned int column, unsigned int* counters) {
    const Bits bits = to_ordered_bits(key);
    const auto count_digit = [&](int number, unsigned int digit) {
      unsigned int* const of_number = counters + (number * kBins << columns_log2);
      atomicAdd(&of_number[digit << columns_log2 | column], 1u);
    };
#pragma unroll
    for (int pass = 0; pass < kMaxPasses; ++pass) {
      if (kIsUsual || pass < passes) {
        const Digit at = kIsUsual ? Digit{pass * kRadixBits, min(kRadixBits, kKeyBits - pass * kRadixBits)}
                                  : digit_of_pass(arguments, pass);
        count_digit(pass, digit_of(bits, at.bit, at.bits));
      }
    }
    if constexpr (Map::kHasBuckets) {
      const unsigned int bucket = map.bucket_of(key);
      count_digit(kMaxPasses, bucket % kBins);
      count_digit(kMaxPasses + 1, bucket / kBins);
    }
  }

  // Counts the keys of several chunks from `i` on, which are on their way at once.
  template <int kChunksAtOnce, typename CountKey>
  static __device__ __forceinline__ void count_chunks(const Chunk* chunks, unsigned long long& i, unsigned long long stride,
                                                      const CountKey& count_key) {
    Chunk loaded[kChunksAtOnce];
#pragma unroll
    for (int c = 0; c < kChunksAtOnce; ++c) loaded[c] = chunks[i + c * stride];
    i += kChunksAtOnce * stride;
#pragma unroll
    for (int c = 0; c < kChunksAtOnce; ++c) {
#pragma unroll
      for (int k = 0; k < kChunkKeys; ++k) count_key(bits_as<Key>(loaded[c].keys[k]));
    }
  }

  // Counts the keys of chunks, where the array begins at a multiple of theirs. Returns how many those are, of all threads.
  template <bool kIsUsual, typename CountKey>
  static __device__ __forceinline__ unsigned long long count_keys_in_chunks(const Arguments& arguments, unsigned long long thread, unsigned long long stride,
                                                                            const CountKey& count_key) {
    // Where it is not usual, code is short.
    constexpr int kChunksAtOnce = kIsUsual ? 4 : 1;
    if (reinterpret_cast<unsigned long long>(arguments.keys_in) % alignof(Chunk) != 0) return 0;
    const Chunk* const chunks = reinterpret_cast<const Chunk*>(arguments.keys_in);
    const unsigned long long chunk_count = arguments.n / kChunkKeys;
    unsigned long long i = thread;
    while (i + (kChunksAtOnce - 1) * stride < chunk_count) count_chunks<kChunksAtOnce>(chunks, i, stride, count_key);
    while (i < chunk_count) count_chunks<1>(chunks, i, stride, count_key);
    return chunk_count * kChunkKeys;
  }

  // Adds the block's counters of all columns to the histograms.
  static __device__ __forceinline__ void add_counts(const Arguments& arguments, const unsigned int* counters, unsigned int bin_count, int columns_log2) {
    const unsigned int columns = 1u << columns_log2;
    Count* const bins = &control_of(arguments).bins[0][0];
    for (unsigned int bin = threadIdx.x; bin < bin_count; bin += blockDim.x) {
      unsigned int sum = 0;
      // Neighbouring bins begin at other columns: they would meet in a bank.
      for (unsigned int c = 0; c < columns; ++c) {
        sum += counters[(bin << columns_log2) + (c + bin) % columns];
      }
      if (sum > 0) atomicAdd(&bins[bin], static_cast<Count>(sum));
    }
  }

  // Counts the keys' digits, and those of their buckets by a map that has some.
  template <bool kIsUsual, typename Map>
  static __device__ __forceinline__ void count_digits_of(const Arguments& arguments, [[maybe_unused]] const Map& map, unsigned int* counters) {
    const int columns_log2 = kIsUsual ? kUsualColumnsLog2 : arguments.count_columns_log2;
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    const int digits = Map::kHasBuckets ? kCountedDigits : passes;
    const unsigned int columns = 1u << columns_log2;
    const unsigned int column = threadIdx.x % columns;
    for (unsigned int i = threadIdx.x; i < digits * kBins * columns; i += blockDim.x) counters[i] = 0;
    __syncthreads();
    const auto count_key = [&](Key key) {
      count_digits_of_key<kIsUsual>(arguments, map, key, passes, columns_log2, column, counters);
    };
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    const unsigned long long thread = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const unsigned long long counted = count_keys_in_chunks<kIsUsual>(arguments, thread, stride, count_key);
    for (unsigned long long i = counted + thread; i < arguments.n; i += stride) {
      const Key key = arguments.keys_in[i];
      count_key(key);
    }
    __syncthreads();

    add_counts(arguments, counters, digits * kBins, columns_log2);
  }

 public:
  // Makes each digit's histogram its exclusive scan, and decides which passes there are to do: none for a digit that all keys
  // share. One block, a thread for each bin.
  static __device__ __forceinline__ void plan_passes(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    __shared__ Count warp_totals[kBins / kWarpThreads];
    // Each thread reads what it has written itself.
    __shared__ Count counts[kCountedDigits][kBins];
    Control& control = control_of(arguments);
    const unsigned int bin = threadIdx.x;
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    int executed = 0;
    // Read once: thread 0 may take shared bits back when it has passed the last barrier.
    const int counted = has_other_digits(control) ? kCountedDigits : passes;
    // All are on their way before the first barrier: else each digit would wait for memory.
#pragma unroll
    for (int pass = 0; pass < kCountedDigits; ++pass) counts[pass][bin] = control.bins[pass][bin];
    for (int pass = 0; pass < counted; ++pass) {
      const Count count = counts[pass][bin];
      int occupied;
      control.bins[pass][bin] = offset_of_bin(warp_totals, count, occupied);
      const bool is_constant = occupied <= 1;
      if (!is_constant && pass < passes) {
        if (bin == 0) control.digits[executed] = pass;
        ++executed;
      }
      // All have read the totals.
      __syncthreads();
    }
    if (bin != 0) return;
    control.executed[0] = executed;
  }

 private:
  // The offset of the first key of the thread's bin, which has `count` keys, and how many bins have keys. One barrier, and the caller's before the totals are
  // written again.
  static __device__ __forceinline__ Count offset_of_bin(Count (&warp_totals)[kBins / kWarpThreads], Count count, int& occupied) {
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned int own_warp = warp_of(threadIdx.x);
    const Count inclusive = inclusive_count_in_warp(count, lane);
    if (lane == 31) warp_totals[own_warp] = inclusive;
    // Also orders the totals before their readers.
    occupied = __syncthreads_count(count > 0);
    Count offset = inclusive - count;
    for (unsigned int warp = 0; warp < own_warp; ++warp) offset += warp_totals[warp];
    return offset;
  }

  // The sum of the counts of all lanes up to this one.
  static __device__ __forceinline__ Count inclusive_count_in_warp(Count count, unsigned int lane) {
#pragma unroll
    for (unsigned int distance = 1; distance < 32; distance *= 2) {
      const Count below = __shfl_up_sync(~0u, count, distance);
      if (lane >= distance) count += below;
    }
    return count;
  }

 public:
  // The expansion of a counting sort: writes the sorted keys from the offset of each key's first one alone. Each block writes a
  // range of the result.
  static __device__ __forceinline__ void expand(const Arguments& arguments) {
    wait_for_previous_grid();
    __shared__ unsigned int ends[2];
    const Count* const bin_offsets = bin_offsets_of(arguments);
    // Ranges are multiples of a chunk, and so aligned alike.
    const unsigned long long share = (arguments.n + gridDim.x - 1) / gridDim.x;
    const unsigned int most_keys = static_cast<unsigned int>((share + kChunkKeys - 1) / kChunkKeys * kChunkKeys);
    const unsigned long long range_start = static_cast<unsigned long long>(blockIdx.x) * most_keys;
    if (range_start >= arguments.n) return;
    const unsigned long long left = arguments.n - range_start;
    const unsigned int range_keys = left < most_keys ? static_cast<unsigned int>(left) : most_keys;
    // A warp for the first key of the range, another for its last one.
    if (threadIdx.x < 64) {
      const Count offset = static_cast<Count>(range_start + (threadIdx.x < 32 ? 0 : range_keys - 1));
      const unsigned int bin = bin_at_by_warp(bin_offsets, offset);
      if (lane_of(threadIdx.x) == 0) ends[warp_of(threadIdx.x)] = bin;
    }
    __syncthreads();
    const BinSearch search{bin_offsets, ends[0], ends[1]};

    const bool is_aligned = reinterpret_cast<unsigned long long>(arguments.keys_out) % sizeof(Chunk) == 0;
    for (unsigned int i = threadIdx.x * kChunkKeys; i < range_keys; i += blockDim.x * kChunkKeys) {
      const Count offset = static_cast<Count>(range_start + i);
      const Chunk chunk = expanded_chunk(arguments, search, offset);
      if (is_aligned && i + kChunkKeys <= range_keys) {
        *reinterpret_cast<Chunk*>(arguments.keys_out + offset) = chunk;
      } else {
#pragma unroll
        for (int k = 0; k < kChunkKeys; ++k) {
          if (i + k < range_keys) arguments.keys_out[offset + k] = bits_as<Key>(chunk.keys[k]);
        }
      }
    }
  }

 private:
  static constexpr unsigned int kKeyValues = 1u << kKeyBits;

  static __device__ __forceinline__ const Count* bin_offsets_of(const Arguments& arguments) {
    return control_of(arguments).bins[0];
  }

  // The offset behind the last key of a bin.
  static __device__ __forceinline__ Count end_of(const Arguments& arguments, const Count* bin_offsets, unsigned int bin) {
    return bin + 1 < kKeyValues ? bin_offsets[bin + 1] : static_cast<Count>(arguments.n);
  }

  // The bin of the key at an offset, the last one that begins at or before it, which is one of first ... last.
  static __device__ __forceinline__ unsigned int bin_at(const Count* bin_offsets, Count offset, unsigned int first,
                                                        unsigned int last) {
    while (first < last) {
      const unsigned int middle = (first + last + 1) / 2;
      if (bin_offsets[middle] <= offset) {
        first = middle;
      } else {
        last = middle - 1;
      }
    }
    return first;
  }

  // How a block finds the bins of its range, which are `first_bin` ... `last_bin`.
  struct BinSearch {
    const Count* bin_offsets;
    unsigned int first_bin;
    unsigned int last_bin;

    // The bin of the key at an offset, which is `from` or one behind it.
    __device__ __forceinline__ unsigned int bin_behind(Count offset, unsigned int from) const {
      return bin_at(bin_offsets, offset, from, last_bin);
    }
  };

  // The sorted keys from an offset of the block's range on.
  static __device__ __forceinline__ Chunk expanded_chunk(const Arguments& arguments, const BinSearch& search, Count offset) {
    unsigned int bin = search.bin_behind(offset, search.first_bin);
    Count next = end_of(arguments, search.bin_offsets, bin);
    Chunk chunk;
#pragma unroll
    for (int k = 0; k < kChunkKeys; ++k) chunk.keys[k] = bits_as<StoredBits>(to_key(static_cast<Bits>(bin)));
    // Of many keys a chunk's are all alike most often.
    if (bin < search.last_bin && offset + kChunkKeys > next) {
#pragma unroll
      for (int k = 1; k < kChunkKeys; ++k) {
        if (bin < search.last_bin && offset + k >= next) {
          // The next bin, most often, or one behind bins that are empty.
          ++bin;
          next = end_of(arguments, search.bin_offsets, bin);
          if (bin < search.last_bin && offset + k >= next) {
            bin = search.bin_behind(offset + k, bin + 1);
            next = end_of(arguments, search.bin_offsets, bin);
          }
        }
        chunk.keys[k] = bits_as<StoredBits>(to_key(static_cast<Bits>(bin)));
      }
    }
    return chunk;
  }

  // The same of all bins, by a warp together, which divides what is left by the number of its lanes in each step.
  static __device__ __forceinline__ unsigned int bin_at_by_warp(const Count* bin_offsets, Count offset) {
    const unsigned int lane = lane_of(threadIdx.x);
    unsigned int first = 0;
    for (unsigned int size = kKeyValues; size > 1;) {
      const unsigned int step = (size + kWarpThreads - 1) / kWarpThreads;
      const unsigned int bin = first + lane * step;
      const bool begins_before = lane * step < size && bin_offsets[bin] <= offset;
      const unsigned int votes = __ballot_sync(~0u, begins_before);
      // The first lane's bin begins at or before the offset: the bins' offsets ascend.
      const unsigned int last = 31 - __clz(votes | 1u);
      first += last * step;
      size = size - last * step < step ? size - last * step : step;
    }
    return first;
  }

 public:
  // The pass of a pass slot: takes tiles, ranks their items by its digit, finds where the digits begin in the array, and writes the
  // items there. Where fewer digits differ than there are pass slots, the last ones do nothing.
  static __device__ __forceinline__ void run_pass(const Arguments& arguments, int pass_slot, unsigned char* shared) {
    wait_for_previous_grid();
    const Pass pass = pass_of_slot(arguments, pass_slot);
    if (pass.ordinal == 0) return;
    PassStorage& storage = *reinterpret_cast<PassStorage*>(shared);
    const PassBuffers buffers = buffers_of(arguments, pass);
    sort_tiles_by(arguments, pass_slot, buffers, digit_of_pass(arguments, pass.digit), storage);
  }

 private:
  // The bits of the ordered key that a pass sorts by.
  struct Digit {
    // Whether a tile is looked at for having one digit: sorted keys and those of few values have such.
    static constexpr bool kMayBeOne = true;
    int bit;
    int bits;

    __device__ __forceinline__ unsigned int of(Key key) const { return digit_of(to_ordered_bits(key), bit, bits); }
  };

  static __device__ __forceinline__ Digit digit_of_pass(const Arguments& arguments, int pass) {
    return {arguments.begin_bit + pass * kRadixBits, digit_bits(arguments, pass)};
  }

  // The buffers of a pass: where it reads and where it writes.
  struct PassBuffers {
    // The offset of each digit's first key.
    const Count* bins;
    // Counts the passes that move anything, from 1 on, over all phases.
    int epoch;
    const Key* keys_from;
    Key* keys_to;
    // Whether values are made, not read.
    bool makes_values;
    bool writes_keys;
  };

  // The work of a pass slot.
  struct Pass {
    // Counts the passes of the phase from 1 on; 0 if there is none left.
    int ordinal;
    // Of the keys.
    int digit;
    int phase;
  };

  static __device__ __forceinline__ Pass pass_of_slot(const Arguments& arguments, int pass_slot) {
    const Control& control = control_of(arguments);
    // The first phase is by the upper ones of all digits that differ.
    const bool is_upper = kSortsUpperDigits && sorts_upper_digits(control);
    const int skipped = is_upper ? control.executed[kPhases - 1] - control.executed[0] : 0;
    if (pass_slot >= control.executed[0]) return {0, 0, 0};
    if (is_upper && has_other_digits(control)) return {pass_slot + 1, kMaxPasses + pass_slot, 0};
    return {pass_slot + 1, control.digits[skipped + pass_slot], 0};
  }

  static __device__ __forceinline__ PassBuffers buffers_of(const Arguments& arguments, const Pass& pass) {
    const Control& control = control_of(arguments);
    // Before or after the first phase has left items in the scratch arrays: then it goes on as if a pass had.
    const bool leaves = kLeavesItems && sorts_upper_digits(control) && leaves_items(arguments);
    const bool is_first = pass.ordinal == 1 && !(leaves && pass.phase == 1);
    const int executed = control.executed[pass.phase];
    // The second phase sorts what the first one left in keys_out.
    const bool in_place = pass.phase == 1 || arguments.keys_in == arguments.keys_out;
    const Key* const keys_in = pass.phase == 1 ? arguments.keys_out : arguments.keys_in;
    const bool is_last = pass.ordinal == executed;
    const bool to_scratch = leaves ? writes_scratch(true, pass.ordinal + 1, executed) : writes_scratch(in_place, pass.ordinal, executed);
    [[maybe_unused]] constexpr bool is_overflow = false;
    [[maybe_unused]] const Count items = static_cast<Count>(arguments.n);
    PassBuffers buffers;
    buffers.bins = control.bins[pass.digit];
    buffers.epoch = pass.phase == 1 ? control.executed[0] + pass.ordinal : pass.ordinal;
    buffers.keys_from = is_first ? keys_in : to_scratch ? arguments.keys_out : arguments.keys_alternate;
    buffers.keys_to = to_scratch ? arguments.keys_alternate : arguments.keys_out;
    buffers.makes_values = kMakesPositions && is_first && pass.phase == 0;
    buffers.writes_keys = !is_last || arguments.writes_keys || (kSortsUpperDigits && pass.phase == 0 && sorts_upper_digits(control));
    return buffers;
  }
  // How many items the pass sorts.
  static __device__ __forceinline__ Count items_of([[maybe_unused]] const Arguments& arguments, [[maybe_unused]] const PassBuffers& buffers) {
    return static_cast<Count>(arguments.n);
  }

  // Whether the copy engine can load the tile: all of it is there, in one piece, on a boundary of 16 bytes, and without padding.
  template <bool kFromItems>
  static __device__ __forceinline__ bool loads_in_bulk(const Arguments& arguments, const PassBuffers& buffers, Count tile_start, TileSlots slots) {
    if (!BulkCopies::kAreThere || slots.padding != 0 || items_of(arguments, buffers) - tile_start < kTileItems) return false;
    unsigned long long addresses = reinterpret_cast<unsigned long long>(buffers.keys_from);
    return addresses % 16 == 0;
  }

  // Begins the copies of the tile that one thread has taken, to rows that follow each other.
  template <bool kFromItems>
  static __device__ __forceinline__ void request_tile([[maybe_unused]] const Arguments& arguments, const PassBuffers& buffers,
                                                      PassStorage& storage, Count tile_start) {
    const unsigned int value_bytes = kHasValues && !buffers.makes_values ? sizeof(Value) : 0;
    storage.copies.begin(kTileItems * (static_cast<unsigned int>(sizeof(Key)) + value_bytes));
    request_items(storage, storage.arrays.keys, reinterpret_cast<const StoredBits*>(buffers.keys_from + tile_start));
  }

  template <typename T>
  static __device__ __forceinline__ void request_items(PassStorage& storage, T* to, const T* from) {
    storage.copies.copy(to, from, kTileItems * static_cast<unsigned int>(sizeof(T)));
  }

  // Brings the tile to shared memory without the copy engine, to each warp what it ranks. Positions past the array's
  // end get the maximum key, and so come last in the tile.
  template <bool kFromItems>
  static __device__ __forceinline__ void load(const Arguments& arguments, const PassBuffers& buffers, PassStorage& storage,
                                              Count tile_start, unsigned int valid_items, TileSlots slots) {
    const unsigned int first_slot = slots.own_first();
    const StoredBits max_key = bits_as<StoredBits>(to_key(kAllBits));
#pragma unroll 8
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = own_position(i);
      const unsigned int slot = first_slot + i * slots.row();
      const bool is_valid = position < valid_items;
      storage.arrays.keys[slot] = is_valid ? bits_as<StoredBits>(buffers.keys_from[tile_start + position]) : max_key;
    }
    BulkCopies::release_stores();
    __syncwarp();
  }

  template <bool kFromItems>
  static __device__ __forceinline__ StoredBits key_at(const PassStorage& storage, unsigned int slot) {
    return storage.arrays.keys[slot];
  }

  // The position in the tile of the item that a thread ranks.
  static __device__ __forceinline__ unsigned int own_position(int item) { return warp_striped<kItemsPerThread>(threadIdx.x, item); }

  // Shared memory is read for this number of items before it is written for the first of them: no read waits for another then.
  static constexpr int kBatch = 8;

  template <typename Work>
  static __device__ __forceinline__ void for_each_batch(const Work& work) {
#pragma unroll
    for (int first = 0; first < kItemsPerThread; first += kBatch) {
      work(first, first + kBatch < kItemsPerThread ? first + kBatch : kItemsPerThread);
    }
  }

  // A digit is heavy if at least this number of lanes of a row have it.
  static constexpr int kHeavyLanes = 5;

  // Each warp its own.
  static __device__ __forceinline__ void clear_histogram(PassStorage& storage) {
    for (unsigned int bin = lane_of(threadIdx.x); bin < kBins; bin += 32) storage.histograms[warp_of(threadIdx.x)][bin] = 0;
    __syncwarp();
  }

  // Gives each of the warp's items its counter and the number of its digit before it in the warp, and counts them.
  //
  // A counter that is added to says how many came before. Among the lanes of one row it says in which order they were
  // served, which no manual promises to be theirs: see sort_tile. Lanes that meet at one counter are served one after the
  // other; where many of a row do, one ballot numbers those of the heavy digit.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ void rank_by_atomics(PassStorage& storage, const DigitOf& digit, TileSlots slots,
                                                         PackedItems<kItemsPerThread, 16>& ranks,
                                                         PackedItems<kItemsPerThread, kRadixBits>& counters) {
    unsigned int (&histogram)[kBins] = storage.histograms[warp_of(threadIdx.x)];
    const unsigned int first_slot = slots.own_first();
    const auto counter_at = [&](int item) {
      return counter_of(digit.of(bits_as<Key>(key_at<kFromItems>(storage, first_slot + item * slots.row()))));
    };
    const unsigned int heavy_lanes = __ballot_sync(~0u, __popc(lanes_of_same_digit<kRadixBits>(counter_at(0))) >= kHeavyLanes);
    if (heavy_lanes == 0) {
      for_each_batch([&](int first, int end) {
        unsigned int of_batch[kBatch];
#pragma unroll
        for (int i = first; i < end; ++i) of_batch[i - first] = counter_at(i);
#pragma unroll
        for (int i = first; i < end; ++i) {
          counters.set(i, of_batch[i - first]);
          ranks.set(i, atomicAdd(&histogram[of_batch[i - first]], 1u));
        }
      });
      return;
    }
    HeavyDigit heavy{__shfl_sync(~0u, counter_at(0), __ffs(heavy_lanes) - 1), 0};
    // As many rows at once as a loop has that is not unrolled; then the rest.
    constexpr int kInLoop = kItemsPerThread / kBatch * kBatch;
    constexpr int kRest = kInLoop < kItemsPerThread ? kItemsPerThread - kInLoop : 1;
    if constexpr (kInLoop > 0) {
#pragma unroll 1
      for (int first = 0; first < kInLoop; first += kBatch) {
        unsigned int of_counters[kBatch];
        unsigned int of_ranks[kBatch];
        rank_rows_of_heavy(histogram, counter_at, first, heavy, of_counters, of_ranks);
        counters.template push<kInLoop>(of_counters);
        ranks.template push<kInLoop>(of_ranks);
      }
    }
    if constexpr (kInLoop < kItemsPerThread) {
      unsigned int of_counters[kRest];
      unsigned int of_ranks[kRest];
      rank_rows_of_heavy(histogram, counter_at, kInLoop, heavy, of_counters, of_ranks);
#pragma unroll
      for (int i = 0; i < kRest; ++i) {
        counters.set(kInLoop + i, of_counters[i]);
        ranks.set(kInLoop + i, of_ranks[i]);
      }
    }
    if (lane_of(threadIdx.x) == 0) histogram[heavy.counter] = heavy.count;
  }

  // A digit that many lanes of a row have: where its counter is, and what that would have, which is kept in a register.
  struct HeavyDigit {
    unsigned int counter;
    unsigned int count;
  };

  // Ranks some rows of the warp's items, from this one on.
  template <int kRows, typename CounterAt>
  static __device__ __forceinline__ void rank_rows_of_heavy(unsigned int (&histogram)[kBins], const CounterAt& counter_at, int first, HeavyDigit& heavy,
                                                            unsigned int (&counters)[kRows], unsigned int (&ranks)[kRows]) {
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned int lanes_below = (1u << lane) - 1u;
#pragma unroll
    for (int i = 0; i < kRows; ++i) counters[i] = counter_at(first + i);
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      const unsigned int own = counters[i];
      const unsigned int same = __ballot_sync(~0u, own == heavy.counter);
      ranks[i] = own == heavy.counter ? heavy.count + __popc(same & lanes_below) : atomicAdd(&histogram[own], 1u);
      heavy.count += __popc(same);
      if (__popc(same) < kHeavyLanes && first + i + 1 < kItemsPerThread) {
        // Perhaps another digit is heavy in the rows to come.
        const unsigned int next = __shfl_sync(~0u, own, 31);
        if (lane == 0) histogram[heavy.counter] = heavy.count;
        __syncwarp();
        heavy.counter = next;
        heavy.count = histogram[next];
        // All lanes have read what one of them writes later.
        __syncwarp();
      }
    }
  }

  // Makes every warp's count of the thread's digit the position in the tile of the first of those items: behind all items
  // of lower digits, and behind those of the same digit in the warps below.
  static __device__ __forceinline__ void make_positions(PassStorage& storage) {
    unsigned int position = storage.first_positions[threadIdx.x];
#pragma unroll
    for (unsigned int warp = 0; warp < kBins / kWarpThreads; ++warp) {
      if (warp < warp_of(threadIdx.x)) position += storage.warp_totals[warp];
    }
    storage.first_positions[threadIdx.x] = position;
#pragma unroll
    for (unsigned int warp = 0; warp < kWarps; ++warp) {
      unsigned int& counter = storage.histograms[warp][counter_of(threadIdx.x)];
      const unsigned int count = counter;
      counter = position;
      position += count;
    }
  }

  // Scatters the warp's items to the sorted tile by ballots, which no order of serving can change. It is seldom needed,
  // and not made fast.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ void scatter_by_ballots(PassStorage& storage, const DigitOf& digit, TileSlots slots) {
    unsigned int (&positions)[kBins] = storage.histograms[warp_of(threadIdx.x)];
    const unsigned int first_slot = slots.own_first();
    const unsigned int lanes_below = (1u << lane_of(threadIdx.x)) - 1u;
#pragma unroll 1
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int slot = first_slot + i * slots.row();
      const unsigned int own = counter_of(digit.of(bits_as<Key>(key_at<kFromItems>(storage, slot))));
      const unsigned int same = lanes_of_same_digit<kRadixBits>(own);
      const unsigned int first = positions[own];
      storage.sources[first + __popc(same & lanes_below)] = static_cast<unsigned short>(slot);
      // All lanes have read; the lowest of each digit writes for the next row.
      __syncwarp();
      if ((same & lanes_below) == 0) positions[own] = first + __popc(same);
      __syncwarp();
    }
  }

  // A tile's descriptor of a digit:
  //
  //   | state: 2 bits | prefix: all other bits |
  //
  // The prefix is partial, of the tile's own items, or inclusive, of those of all tiles up to it. Passes use the same descriptors
  // without clearing them: the state of inclusive prefixes alternates, so what the last pass has left counts as not yet written.
  struct Descriptor {
    static constexpr int kStateShift = 8 * sizeof(Count) - 2;
    static constexpr Count kPrefixMask = (Count(1) << kStateShift) - 1;
    static constexpr Count kPartial = Count(3) << kStateShift;
    Count bits;

    static __device__ __forceinline__ Count inclusive_state(int epoch) { return Count(epoch % 2 + 1) << kStateShift; }
    static __device__ __forceinline__ Descriptor pack(Count state, Count prefix) { return {state | prefix}; }
    __device__ __forceinline__ Count state() const { return bits & ~kPrefixMask; }
    __device__ __forceinline__ Count prefix() const { return bits & kPrefixMask; }
  };

  // The descriptor of the thread's digit.
  static __device__ __forceinline__ Descriptor* descriptor_of(const Arguments& arguments, unsigned int tile) {
    Descriptor* const descriptors = reinterpret_cast<Descriptor*>(arguments.workspace + sizeof(Control));
    return descriptors + static_cast<unsigned long long>(tile) * kBins + threadIdx.x;
  }

  // Publishes the partial prefix of the thread's digit, which is the inclusive one of the first tile.
  static __device__ __forceinline__ void publish_count(const Arguments& arguments, unsigned int tile, unsigned int count, int epoch) {
    const Count state = tile == 0 ? Descriptor::inclusive_state(epoch) : Descriptor::kPartial;
    publish(&descriptor_of(arguments, tile)->bits, Descriptor::pack(state, count).bits);
  }

  // Decoupled look-back: the number of items of the thread's digit in the tiles before this one, from their descriptors. Publishes
  // the inclusive prefix of this one. A tile before it without a written descriptor is being worked on, so waiting ends.
  static __device__ __forceinline__ Count sum_of_tiles_before(const Arguments& arguments, unsigned int tile, unsigned int count,
                                                              int epoch) {
    if (tile == 0) return 0;
    // The number of descriptors that are polled at once, which takes the time of one.
    constexpr unsigned int kPolled = 8;
    const Count inclusive = Descriptor::inclusive_state(epoch);
    Descriptor* const own = descriptor_of(arguments, tile);
    const Descriptor* next = own - kBins;
    unsigned int left = tile;
    Count sum = 0;
    for (bool is_done = false; !is_done;) {
      Descriptor answers[kPolled];
#pragma unroll
      for (unsigned int k = 0; k < kPolled; ++k) answers[k] = {k < left ? poll(&(next - k * kBins)->bits) : 0};
#pragma unroll
      for (unsigned int k = 0; k < kPolled; ++k) {
        const Count state = answers[k].state();
        if (is_done || (state != Descriptor::kPartial && state != inclusive)) break;
        sum += answers[k].prefix();
        next -= kBins;
        --left;
        is_done = state == inclusive;
      }
    }
    publish(&own->bits, Descriptor::pack(inclusive, sum + count).bits);
    return sum;
  }

  // What a tile's items are ordered by, as a number that is not negative:
  //
  //   | digit: 16 bits | slot: 16 bits |
  //
  // Slots ascend in the order in which items were read.
  struct DigitSlot {
    int bits;
    static __device__ __forceinline__ DigitSlot pack(unsigned int digit, unsigned int slot) { return {static_cast<int>(digit << 16 | slot)}; }
    __device__ __forceinline__ unsigned int digit() const { return bits >> 16; }
  };

  // Writes the tile, in the order of its slots, to where its digits begin. Returns whether that order was right: by
  // digit, and within a digit as the items came.
  //
  // Nothing here takes a branch for an item: so that the reads of many can be under way at once. Four are enough, and less code.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ bool write(const Arguments& arguments, const PassBuffers& buffers, const DigitOf& digit,
                                               PassStorage& storage, unsigned int valid_items, TileSlots slots) {
    const auto digit_slot_of = [&](StoredBits key, unsigned int slot) { return DigitSlot::pack(digit.of(bits_as<Key>(key)), slot); };
    const unsigned int lane = lane_of(threadIdx.x);
    // Opaque where positions are made: else those of all items would take registers, from tile to tile.
    const unsigned int first_position = kMakesPositions ? opaque(own_position(0)) : own_position(0);
    bool in_order = true;
    // In lane 0, the digit and slot of the item before the row.
    int before_row = -1;
    if (threadIdx.x >= kWarpThreads) {
      const unsigned int slot = storage.sources[first_position - lane - 1];
      before_row = digit_slot_of(key_at<kFromItems>(storage, slot), slot).bits;
    }
#pragma unroll 4
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = first_position + 32 * i;
      const unsigned int slot = storage.sources[position];
      const StoredBits key = key_at<kFromItems>(storage, slot);
      const DigitSlot own = digit_slot_of(key, slot);
      if (TileSlots::kMayPad && i == 0 && threadIdx.x < kWarpThreads) find_regularity<kFromItems>(storage, slots.position_of(slot));
      // That of the lane below, and for lane 0 that of the last one, which comes before the next row.
      const int below = __shfl_sync(~0u, own.bits, lane_of(lane + kWarpThreads - 1));
      in_order &= (lane == 0 ? before_row : below) < own.bits;
      before_row = below;
      // Positions take registers, and then there are not enough for the reads of many items at once.
      if constexpr (kMakesPositions && !kFromItems) {
        if (position >= valid_items) continue;
      }
      const Count to = storage.offsets[own.digit()] + position;
      write_item(buffers, storage, key, slot, slots, to, position, valid_items);
    }
    return in_order;
  }

  // Writes a tile of one digit: its items are in order as they were read.
  template <bool kFromItems>
  static __device__ __forceinline__ void write_tile_of_one_digit(const Arguments& arguments, const PassBuffers& buffers, const PassStorage& storage,
                                                                 unsigned int valid_items, TileSlots slots) {
    const Count offset = storage.offsets[storage.only_digit];
    const unsigned int first_position = kMakesPositions ? opaque(own_position(0)) : own_position(0);
    const unsigned int first_slot = slots.own_first();
#pragma unroll 4
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = first_position + 32 * i;
      const unsigned int slot = first_slot + i * slots.row();
      write_item(buffers, storage, key_at<kFromItems>(storage, slot), slot, slots, offset + position, position, valid_items);
    }
  }

  // Writes the item in a slot, with this key, if its position in the sorted tile is one of those that are there.
  static __device__ __forceinline__ void write_item(const PassBuffers& buffers, [[maybe_unused]] const PassStorage& storage, StoredBits key,
                                                    [[maybe_unused]] unsigned int slot, [[maybe_unused]] TileSlots slots, Count to,
                                                    unsigned int position, unsigned int valid_items) {
    if (position < valid_keys(buffers, valid_items)) buffers.keys_to[to] = bits_as<Key>(key);
  }

  // How many of the valid items have their keys written: all or none.
  static __device__ __forceinline__ unsigned int valid_keys(const PassBuffers& buffers, unsigned int valid_items) {
    return buffers.writes_keys ? valid_items : 0;
  }

  // Lanes of a row in one bank that make a tile regular. Fewer meet by chance, and then ordinary loads cost more than they spare.
  static constexpr int kRegularLanes = 12;

  // Whether many of these items, which a warp reads together, would be in one bank without padding, by their positions before the sort.
  template <bool kFromItems>
  static __device__ __forceinline__ void find_regularity(PassStorage& storage, unsigned int position) {
    constexpr unsigned int kBytes = sizeof(Key);
    constexpr unsigned int kBankBytes = 4;
    constexpr unsigned int kBanks = 32;
    const unsigned int bank = position * kBytes / kBankBytes % kBanks;
    const bool is_regular = __popc(__ballot_sync(~0u, bank == __shfl_sync(~0u, bank, 0))) >= kRegularLanes;
    if (threadIdx.x == 0) storage.is_regular = is_regular;
  }

  template <typename DigitOf>
  static __device__ __forceinline__ void sort_tiles_by(const Arguments& arguments, int pass_slot, const PassBuffers& buffers,
                                                       const DigitOf& digit, PassStorage& storage) {
    sort_tiles<false>(arguments, pass_slot, buffers, digit, storage);
  }

  // The block takes one tile after the other, in order, so that those before its own are done or being worked on: waiting
  // for them ends.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ void sort_tiles(const Arguments& arguments, int pass_slot, const PassBuffers& buffers,
                                                    const DigitOf& digit, PassStorage& storage) {
    const unsigned int tiles = static_cast<unsigned int>((items_of(arguments, buffers) + kTileItems - 1) / kTileItems);
    if (threadIdx.x == 0) {
      storage.copies.prepare();
      BulkCopies::acquire_stores();
      storage.is_regular = 0;
    }
    // The same thread uses what it has prepared; racecheck takes that for other lanes' work, and this tells it better.
    __syncwarp();
    unsigned int round = 0;
    TileSlots slots{0};
    for (;;) {
      if (threadIdx.x == 0) {
        const unsigned int tile = atomicAdd(&control_of(arguments).tickets[pass_slot], 1u);
        storage.tile = tile;
        const Count tile_start = static_cast<Count>(tile) * kTileItems;
        if (tile < tiles && loads_in_bulk<kFromItems>(arguments, buffers, tile_start, slots)) {
          request_tile<kFromItems>(arguments, buffers, storage, tile_start);
        }
      }
      clear_histogram(storage);
      __syncthreads();
      const unsigned int tile = storage.tile;
      if (tile >= tiles) return;
      const Count tile_start = static_cast<Count>(tile) * kTileItems;
      const Count left = items_of(arguments, buffers) - tile_start;
      const unsigned int valid_items = left < kTileItems ? static_cast<unsigned int>(left) : kTileItems;
      if (loads_in_bulk<kFromItems>(arguments, buffers, tile_start, slots)) {
        storage.copies.wait(round++);
      } else {
        load<kFromItems>(arguments, buffers, storage, tile_start, valid_items, slots);
      }
      sort_tile<kFromItems>(arguments, buffers, digit, storage, tile, valid_items, slots);
      // The next tile is likely to be as regular as this one.
      if constexpr (TileSlots::kMayPad) slots.padding = storage.is_regular;
    }
  }

  // Ranks by one atomic an item, which are right if the lanes that meet at a counter are served in order; writing the tile
  // shows whether they were. If not, ballots rank its items, and it is written over.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ void sort_tile(const Arguments& arguments, const PassBuffers& buffers, const DigitOf& digit,
                                                   PassStorage& storage, unsigned int tile, unsigned int valid_items,
                                                   TileSlots slots) {
    PackedItems<kItemsPerThread, 16> ranks;
    PackedItems<kItemsPerThread, kRadixBits> counters;
    const unsigned int count = count_tile<kFromItems>(arguments, buffers, digit, storage, tile, slots, ranks, counters);
    if (DigitOf::kMayBeOne && storage.only_digit < kBins) {
      if (threadIdx.x < kBins) find_offset(arguments, buffers, storage, tile, count);
      __syncthreads();
      write_tile_of_one_digit<kFromItems>(arguments, buffers, storage, valid_items, slots);
      __syncthreads();
      return;
    }
    if (threadIdx.x < kBins) make_positions(storage);
    __syncthreads();
    const unsigned int first_slot = slots.own_first();
    for_each_batch([&](int first, int end) {
      unsigned int positions[kBatch];
#pragma unroll
      for (int i = first; i < end; ++i) positions[i - first] = storage.histograms[warp_of(threadIdx.x)][counters.get(i)] + ranks.get(i);
#pragma unroll
      for (int i = first; i < end; ++i) storage.sources[positions[i - first]] = static_cast<unsigned short>(first_slot + i * slots.row());
    });
    if (threadIdx.x < kBins) find_offset(arguments, buffers, storage, tile, count);
    for (bool is_second_try = false;; is_second_try = true) {
      __syncthreads();
      const bool in_order = write<kFromItems>(arguments, buffers, digit, storage, valid_items, slots);
      // A vote of the block would do, but not for a compiler that fails where a function is left by one.
      if (!in_order) atomicOr(&storage.is_out_of_order, 1u);
      __syncthreads();
      if (is_second_try || storage.is_out_of_order == 0) return;
      scatter_by_ballots<kFromItems>(storage, digit, slots);
    }
  }

  // Ranks the items within their warps, counts the tile's digits, publishes the counts and begins their scan. Each of the first kBins
  // threads gets the count of its digit. Ends with a barrier of the block.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ unsigned int count_tile(const Arguments& arguments, const PassBuffers& buffers, const DigitOf& digit,
                                                            PassStorage& storage, unsigned int tile, TileSlots slots,
                                                            PackedItems<kItemsPerThread, 16>& ranks,
                                                            PackedItems<kItemsPerThread, kRadixBits>& counters) {
    if (threadIdx.x == 0) {
      storage.is_out_of_order = 0;
      storage.only_digit = kBins;
    }
    rank_by_atomics<kFromItems>(storage, digit, slots, ranks, counters);
    __syncthreads();
    unsigned int count = 0;
    if (threadIdx.x < kBins) {
#pragma unroll
      for (unsigned int warp = 0; warp < kWarps; ++warp) count += storage.histograms[warp][counter_of(threadIdx.x)];
      publish_count(arguments, tile, count, buffers.epoch);
      if (DigitOf::kMayBeOne && count == kTileItems) storage.only_digit = threadIdx.x;
      const unsigned int inclusive = inclusive_sum_in_warp(count, ~0u);
      storage.first_positions[threadIdx.x] = inclusive - count;
      if (lane_of(threadIdx.x) == 31) storage.warp_totals[warp_of(threadIdx.x)] = inclusive;
    }
    __syncthreads();
    return count;
  }

  // Finds what to add to the positions of the thread's digit in the sorted tile, from the tiles before.
  static __device__ __forceinline__ void find_offset(const Arguments& arguments, const PassBuffers& buffers, PassStorage& storage,
                                                     unsigned int tile, unsigned int count) {
    const Count before = sum_of_tiles_before(arguments, tile, count, buffers.epoch);
    // Opaque: else the address would take registers all the time.
    const Count first = buffers.bins[opaque(threadIdx.x)];
    storage.offsets[threadIdx.x] = first + before - storage.first_positions[threadIdx.x];
  }

 public:
  // Copies the result to where it belongs, if no pass has written it there: in place after an odd number of passes, and
  // to other arrays after none.
  static __device__ __forceinline__ void finish(const Arguments& arguments) {
    wait_for_previous_grid();
    const Control& control = control_of(arguments);
    // A second phase sorts what the first one left in keys_out.
    const bool is_second = kSortsUpperDigits && needs_all(arguments, control);
    const bool in_place = is_second || arguments.keys_in == arguments.keys_out;
    // Items in the scratch arrays are there as if a pass had written them.
    const int executed = is_second ? control.executed[kPhases - 1] + (kLeavesItems && leaves_items(arguments)) : control.executed[0];
    if (in_place ? executed % 2 == 0 && (!kMakesPositions || executed > 0) : executed > 0) return;
    copy_result(arguments, executed > 0, executed > 0 || !in_place);
  }

 private:
  // Copies the items from the scratch arrays or the input to the result.
  static __device__ __forceinline__ void copy_result(const Arguments& arguments, bool from_scratch, bool moves_keys) {
    // Items of a thread that are read before the first of them is written: one does not wait for another.
    constexpr int kCopied = 2;
    const bool copies_keys = arguments.writes_keys && moves_keys;
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    unsigned long long first = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (; first < arguments.n; first += kCopied * stride) {
      Key keys[kCopied];
#pragma unroll
      for (int own = 0; own < kCopied; ++own) {
        const unsigned long long i = first + own * stride;
        if (i >= arguments.n) continue;
        if (copies_keys) keys[own] = from_scratch ? arguments.keys_alternate[i] : arguments.keys_in[i];
      }
#pragma unroll
      for (int own = 0; own < kCopied; ++own) {
        const unsigned long long i = first + own * stride;
        if (i >= arguments.n) continue;
        if (copies_keys) arguments.keys_out[i] = keys[own];
      }
    }
  }
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

  // The digit of `count` bits, at most kRadixBits, from `bit` up.
  static __device__ __forceinline__ unsigned int digit_of(Bits ordered, int bit, int count) {
    return static_cast<unsigned int>(compared_bits(ordered) >> bit) & ((1u << count) - 1u);
  }

  static __device__ __forceinline__ Control& control_of(const Arguments& arguments) {
    return *reinterpret_cast<Control*>(arguments.workspace);
  }

  static __host__ __device__ constexpr unsigned long long control_and_descriptor_bytes(unsigned long long n) {
    return sizeof(Control) + (n + kTileItems - 1) / kTileItems * kBins * sizeof(Count);
  }

  // Whether the first phase sorts by upper digits, and whether the second one has to sort all items.
  static __device__ __forceinline__ bool sorts_upper_digits([[maybe_unused]] const Control& control) {
    return false;
  }

  static __device__ __forceinline__ bool needs_all([[maybe_unused]] const Arguments& arguments, [[maybe_unused]] const Control& control) {
    return false;
  }

  // Whether the linear map has buckets.
  static __device__ __forceinline__ bool is_mapped([[maybe_unused]] const Control& control) {
    return false;
  }

  // The upper bits that are left out as all keys share them.
  static __device__ __forceinline__ int shared_bit_count([[maybe_unused]] const Control& control) {
    return 0;
  }

  // Whether digits other than the keys' own are counted, or sorted by, too.
  static __device__ __forceinline__ bool has_other_digits(const Control& control) {
    return is_mapped(control) || shared_bit_count(control) != 0;
  }

  // Whether the first phase leaves items side by side, in the scratch arrays, and not what it sorts in the arrays of the
  // result. In place it has to: the first pass cannot write what it reads.
  static __device__ __forceinline__ bool leaves_items([[maybe_unused]] const Arguments& arguments) {
    return false;
  }

  // How many bits pass number `pass` sorts by, from arguments.begin_bit + pass * kRadixBits up.
  static __device__ __forceinline__ int digit_bits(const Arguments& arguments, int pass) {
    const int left = arguments.end_bit - arguments.begin_bit - pass * kRadixBits;
    return left < kRadixBits ? left : kRadixBits;
  }

  // Whether the executed pass of this ordinal, of `executed` in all, writes to the scratch arrays. Passes alternate between these
  // and the arrays of the result so that the last one writes the result; in place, the first one cannot write there.
  static __device__ __forceinline__ bool writes_scratch(bool in_place, int ordinal, int executed) {
    return in_place ? ordinal % 2 == 1 : (executed - ordinal) % 2 == 1;
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_U8_KEYS_B384_I32_DESC_WIDE_KERNELS
#define SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_U8_KEYS_B384_I32_DESC_WIDE_KERNELS
namespace sortsmith {
inline namespace v0_1_0 {
namespace device_facade {

template <int kInstance>
__global__ void __launch_bounds__(1024)
device_radix_sort_u8_keys_b384_i32_desc_wide_count(sortsmith::device_radix_sort_u8_keys_b384_i32_desc_wide::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_radix_sort_u8_keys_b384_i32_desc_wide::count_digits(arguments, sortsmith_shared);
}

template <int kInstance>
__global__ void __launch_bounds__(256)
device_radix_sort_u8_keys_b384_i32_desc_wide_plan(sortsmith::device_radix_sort_u8_keys_b384_i32_desc_wide::Arguments arguments) {
  sortsmith::device_radix_sort_u8_keys_b384_i32_desc_wide::plan_passes(arguments);
}

template <int kInstance>
__global__ void __launch_bounds__(384, 2)
device_radix_sort_u8_keys_b384_i32_desc_wide_pass(sortsmith::device_radix_sort_u8_keys_b384_i32_desc_wide::Arguments arguments, int pass_slot) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_radix_sort_u8_keys_b384_i32_desc_wide::run_pass(arguments, pass_slot, sortsmith_shared);
}

template <int kInstance>
__global__ void __launch_bounds__(512)
device_radix_sort_u8_keys_b384_i32_desc_wide_expand(sortsmith::device_radix_sort_u8_keys_b384_i32_desc_wide::Arguments arguments) {
  sortsmith::device_radix_sort_u8_keys_b384_i32_desc_wide::expand(arguments);
}

template <int kInstance>
__global__ void __launch_bounds__(1024, sortsmith::device_radix_sort_u8_keys_b384_i32_desc_wide::kResidentFinishing)
device_radix_sort_u8_keys_b384_i32_desc_wide_finish(sortsmith::device_radix_sort_u8_keys_b384_i32_desc_wide::Arguments arguments) {
  sortsmith::device_radix_sort_u8_keys_b384_i32_desc_wide::finish(arguments);
}

}  // namespace device_facade
}  // namespace v0_1_0
}  // namespace sortsmith
#endif


namespace sortsmith {
inline namespace v0_1_0 {

#ifndef SORTSMITH_V0_1_0_FACADE_KINDS
#define SORTSMITH_V0_1_0_FACADE_KINDS
namespace facade {

// The key types of sorts. C++ has several types of one size and sign; they share a sort. Structs have numbers beyond these.
enum class KeyKind : unsigned long long {
  k_u8,
  k_u16,
  k_u32,
  k_u64,
  k_u128,
  k_i8,
  k_i16,
  k_i32,
  k_i64,
  k_i128,
  k_f16,
  k_bf16,
  k_f32,
  k_f64,
  k_f8e4m3,
  k_f8e5m2,
  k_bool,
  kUnknown
};

template <typename Integer>
__host__ __device__ constexpr KeyKind integer_kind() {
  constexpr bool kSigned = static_cast<Integer>(-1) < static_cast<Integer>(0);
  return sizeof(Integer) == 1   ? (kSigned ? KeyKind::k_i8 : KeyKind::k_u8)
         : sizeof(Integer) == 2 ? (kSigned ? KeyKind::k_i16 : KeyKind::k_u16)
         : sizeof(Integer) == 4 ? (kSigned ? KeyKind::k_i32 : KeyKind::k_u32)
                                : (kSigned ? KeyKind::k_i64 : KeyKind::k_u64);
}

template <typename KeyT>
constexpr KeyKind kKindOf = KeyKind::kUnknown;
template <>
inline constexpr KeyKind kKindOf<char> = integer_kind<char>();
template <>
inline constexpr KeyKind kKindOf<signed char> = integer_kind<signed char>();
template <>
inline constexpr KeyKind kKindOf<unsigned char> = integer_kind<unsigned char>();
template <>
inline constexpr KeyKind kKindOf<short> = integer_kind<short>();
template <>
inline constexpr KeyKind kKindOf<unsigned short> = integer_kind<unsigned short>();
template <>
inline constexpr KeyKind kKindOf<int> = integer_kind<int>();
template <>
inline constexpr KeyKind kKindOf<unsigned int> = integer_kind<unsigned int>();
template <>
inline constexpr KeyKind kKindOf<long> = integer_kind<long>();
template <>
inline constexpr KeyKind kKindOf<unsigned long> = integer_kind<unsigned long>();
template <>
inline constexpr KeyKind kKindOf<long long> = integer_kind<long long>();
template <>
inline constexpr KeyKind kKindOf<unsigned long long> = integer_kind<unsigned long long>();
#if defined(__SIZEOF_INT128__)
template <>
inline constexpr KeyKind kKindOf<__int128> = KeyKind::k_i128;
template <>
inline constexpr KeyKind kKindOf<unsigned __int128> = KeyKind::k_u128;
#endif
template <>
inline constexpr KeyKind kKindOf<bool> = KeyKind::k_bool;
template <>
inline constexpr KeyKind kKindOf<float> = KeyKind::k_f32;
template <>
inline constexpr KeyKind kKindOf<double> = KeyKind::k_f64;

template <typename ValueT>
constexpr int kValueBytes = sizeof(ValueT);
template <>
inline constexpr int kValueBytes<NullType> = 0;

}  // namespace facade
#endif

#ifndef SORTSMITH_V0_1_0_FACADE_KINDS_STRUCTS
#define SORTSMITH_V0_1_0_FACADE_KINDS_STRUCTS
// References to the fields of a key, which a decomposer may return where there is no cuda::std::tuple.
template <typename... Fields>
struct tuple {};
template <typename First, typename... Others>
struct tuple<First, Others...> {
  __host__ __device__ constexpr tuple(First first_field, Others... other_fields) : first(first_field), others(other_fields...) {}

  First first;
  tuple<Others...> others;
};

template <int kIndex, typename First, typename... Others>
__host__ __device__ constexpr auto& get(const tuple<First, Others...>& fields) {
  if constexpr (kIndex == 0) {
    return fields.first;
  } else {
    return get<kIndex - 1>(fields.others);
  }
}

namespace facade {

template <bool kIs>
struct EnableIf {};
template <>
struct EnableIf<true> {
  using Type = int;
};

template <typename To, typename From>
__device__ __forceinline__ void copy_bits(To& to, const From& from) {
  to = bits_as<To>(from);
}

// The kind of a struct of these fields.
template <typename... Fields>
__host__ __device__ constexpr KeyKind struct_kind() {
  unsigned long long kind = 0;
  ((kind = kind << 5 | (static_cast<unsigned long long>(kKindOf<Fields>) + 1)), ...);
  return static_cast<KeyKind>(kind << 8 | 0xff);
}

// How fields come to the keys of an emitted sort, and back.
template <KeyKind kKey>
struct StructKey;

// The fields that a decomposer returns.
template <typename Tuple>
struct FieldsOf {
  static constexpr int kCount = 0;
  static constexpr int kBytes = 0;
  static constexpr KeyKind kKind = KeyKind::kUnknown;
};
template <template <typename...> class Tuple, typename... Fields>
struct FieldsOf<Tuple<Fields&...>> {
  static constexpr int kCount = sizeof...(Fields);
  static constexpr int kBytes = (0 + ... + static_cast<int>(sizeof(Fields)));
  static constexpr KeyKind kKind = struct_kind<Fields...>();
};

// Stands for a member that is a key by itself.
struct AnyMember {
  template <typename Member, typename EnableIf<kKindOf<Member> != KeyKind::kUnknown>::Type = 0>
  __host__ __device__ constexpr operator Member() const;
};

template <typename KeyT>
__host__ __device__ void take(KeyT key);

// As an argument: nvcc 13.0 takes KeyT{Members{}...} of all of its members for an error.
template <typename KeyT, typename... Members>
__host__ __device__ constexpr auto is_made_of(int) -> decltype(take<KeyT>({Members{}...}), true) {
  return true;
}
template <typename KeyT, typename... Members>
__host__ __device__ constexpr bool is_made_of(...) {
  return false;
}

template <typename KeyT, int kCount, typename... Members>
__host__ __device__ constexpr bool has_members() {
  if constexpr (kCount > 0) {
    return has_members<KeyT, kCount - 1, Members..., AnyMember>();
  } else {
    return is_made_of<KeyT, Members...>(0) && !is_made_of<KeyT, Members..., AnyMember>(0);
  }
}

// Whether a key is its fields and padding, as far as a compiler can tell: nothing else would move with them.
template <typename KeyT, typename Fields>
__host__ __device__ constexpr bool is_all_fields() {
  if constexpr (sizeof(KeyT) == Fields::kBytes) {
    return true;
  } else if constexpr (__is_aggregate(KeyT)) {
    return has_members<KeyT, Fields::kCount>();
  } else {
    return false;
  }
}

}  // namespace facade
#endif

#ifndef SORTSMITH_V0_1_0_DEVICE_CALLS
#define SORTSMITH_V0_1_0_DEVICE_CALLS

// Two arrays of which one is current: a sort finds its items in that one, leaves them in the one that is current then, and uses the other
// as scratch.
template <typename T>
struct DoubleBuffer {
  T* d_buffers[2];
  int selector;

  __host__ __device__ DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  __host__ __device__ DoubleBuffer(T* d_current, T* d_alternate) : d_buffers{d_current, d_alternate}, selector(0) {}
  __host__ __device__ T* Current() { return d_buffers[selector]; }
  __host__ __device__ T* Alternate() { return d_buffers[selector ^ 1]; }
};

namespace device_facade {

using facade::KeyKind;

// What launches and scratch depend on.
struct Facts {
  unsigned long long n;
  unsigned long long begin_bit;
  unsigned long long end_bit;
  unsigned long long multiprocessors;
  unsigned long long shared_bytes_per_block;
};

// The arrays of a sort; in place the input and the output are the same.
struct Arrays {
  const void* keys_in;
  void* keys_out;
  void* keys_alternate;
  const void* values_in;
  void* values_out;
  void* values_alternate;
  // Whether the alternate arrays are the caller's. Otherwise they lie in the storage, one behind the other.
  bool has_alternates;
};

inline Arrays arrays_of(const void* keys_in, void* keys_out, const void* values_in = nullptr, void* values_out = nullptr) {
  return {keys_in, keys_out, nullptr, values_in, values_out, nullptr, false};
}
template <typename KeyT, typename ValueT>
Arrays arrays_of(DoubleBuffer<KeyT>& keys, DoubleBuffer<ValueT>& values) {
  return {keys.Current(), keys.Current(), keys.Alternate(), values.Current(), values.Current(), values.Alternate(), true};
}
template <typename KeyT>
Arrays arrays_of(DoubleBuffer<KeyT>& keys) {
  return {keys.Current(), keys.Current(), keys.Alternate(), nullptr, nullptr, nullptr, true};
}

// Bytes beside the arrays: of the workspace, those of them that are zero when the sort begins, and those of the alternate arrays.
struct Scratch {
  unsigned long long zeroed;
  unsigned long long workspace;
  unsigned long long alternate;
  unsigned long long alternate_keys;
};

constexpr unsigned long long least(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
constexpr unsigned long long largest(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
constexpr unsigned long long minus(unsigned long long a, unsigned long long b) { return a < b ? 0 : a - b; }
constexpr unsigned long long divided_up(unsigned long long a, unsigned long long b) { return (a + b - 1) / b; }
constexpr unsigned long long floor_log2(unsigned long long number) {
  unsigned long long log2 = 0;
  while (number >>= 1) ++log2;
  return log2;
}
constexpr unsigned long long next_power_of_two(unsigned long long number) {
  return number <= 1 ? 1 : 2ull << floor_log2(number - 1);
}

inline bool is_multiple_of(const void* address, unsigned long long bytes) {
  return reinterpret_cast<unsigned long long>(address) % bytes == 0;
}

// The launches of one sort in a stream. After an error nothing more is launched.
class Launches {
 public:
  explicit Launches(cudaStream_t stream) : stream_(stream) {}

  cudaError_t error() const { return error_; }

  void clear(void* workspace, unsigned long long bytes) {
    if (bytes > 0) error_ = cudaMemsetAsync(workspace, 0, bytes, stream_);
  }

  // The first kernel begins in the stream's order. The next ones may begin early where their code waits for the kernel before.
  void launch(const void* kernel, unsigned long long blocks, unsigned int threads, unsigned long long shared_bytes, void** parameters) {
    if (error_ != cudaSuccess) return;
    // The attributes are those of the current device.
    if (shared_bytes > 48 * 1024) {
      error_ = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes));
      if (error_ == cudaSuccess) error_ = cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100);
      if (error_ != cudaSuccess) return;
    }
    const dim3 grid(static_cast<unsigned int>(blocks));
#if CUDART_VERSION >= 11080
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream_;
    config.attrs = &attribute;
    config.numAttrs = may_begin_early_ ? 1 : 0;
    error_ = cudaLaunchKernelExC(&config, kernel, parameters);
    if (is_first_ && error_ == cudaSuccess) find_whether_code_waits(kernel);
    is_first_ = false;
#else
    error_ = cudaLaunchKernel(kernel, grid, dim3(threads), parameters, shared_bytes, stream_);
#endif
  }

 private:
#if CUDART_VERSION >= 11080
  // All kernels of a sort are compiled for the same architectures.
  void find_whether_code_waits(const void* kernel) {
    int driver = 0;
    cudaFuncAttributes attributes = {};
    error_ = cudaDriverGetVersion(&driver);
    if (error_ == cudaSuccess) error_ = cudaFuncGetAttributes(&attributes, kernel);
    may_begin_early_ = driver >= 12030 && attributes.ptxVersion >= 90;
  }

  bool is_first_ = true;
  bool may_begin_early_ = false;
#endif
  cudaStream_t stream_;
  cudaError_t error_ = cudaSuccess;
};

// Adds what the current device is to the facts. An error if a block of it may have less shared memory than this.
inline cudaError_t add_device(Facts& facts, unsigned long long least_shared_bytes) {
  int device = 0;
  int multiprocessors = 0;
  int shared_bytes = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (error != cudaSuccess) return error;
  facts.multiprocessors = static_cast<unsigned long long>(multiprocessors);
  facts.shared_bytes_per_block = static_cast<unsigned long long>(shared_bytes);
  return facts.shared_bytes_per_block < least_shared_bytes ? cudaErrorNotSupported : cudaSuccess;
}

// Whether an array is there, at a multiple of the bytes of its items. One of items of no bytes is none.
inline bool is_array(const void* array, unsigned long long bytes) {
  return bytes == 0 || (array != nullptr && is_multiple_of(array, bytes));
}

// Whether all arrays are there, keys at a multiple of these bytes and values of their own. Values of no bytes have none.
inline bool are_arrays(const Arrays& arrays, unsigned long long key_alignment, unsigned long long value_bytes) {
  const auto are = [&](const void* in, const void* out, const void* alternate, unsigned long long bytes) {
    return is_array(in, bytes) && is_array(out, bytes) && (!arrays.has_alternates || is_array(alternate, bytes));
  };
  return are(arrays.keys_in, arrays.keys_out, arrays.keys_alternate, key_alignment) &&
         are(arrays.values_in, arrays.values_out, arrays.values_alternate, value_bytes);
}

// Sorts by the host's part of one sort, in storage that may begin anywhere. Null storage asks for its bytes.
template <typename Host>
cudaError_t sort_by(Host host, const Facts& facts, Arrays arrays, bool are_legal, void* storage, size_t& storage_bytes, cudaStream_t stream) {
  constexpr unsigned long long kAlignment = 256;
  const Scratch scratch = facts.n == 0 ? Scratch{0, 0, 0, 0} : host.scratch(facts);
  const unsigned long long workspace_bytes = divided_up(scratch.workspace, kAlignment) * kAlignment;
  const unsigned long long bytes = workspace_bytes + (arrays.has_alternates ? 0 : scratch.alternate);
  const unsigned long long needed = bytes == 0 ? 1 : bytes + kAlignment - 1;
  if (storage == nullptr) {
    storage_bytes = needed;
    return cudaSuccess;
  }
  if (storage_bytes < needed) return cudaErrorInvalidValue;
  if (facts.n == 0) return cudaSuccess;
  if (!are_legal) return cudaErrorInvalidValue;
  const unsigned long long address = reinterpret_cast<unsigned long long>(storage);
  unsigned char* const workspace = reinterpret_cast<unsigned char*>(divided_up(address, kAlignment) * kAlignment);
  if (!arrays.has_alternates) {
    arrays.keys_alternate = workspace + workspace_bytes;
    arrays.values_alternate = workspace + workspace_bytes + scratch.alternate_keys;
  }
  Launches launches(stream);
  host.run(facts, arrays, workspace, launches);
  return launches.error();
}

// Whether a count is negative.
template <typename Integer>
constexpr bool is_negative(Integer number) {
  return !(number == 0 || number > 0);
}

// The sort of all calls by what has been emitted. Arrays that are not legal are an error where they are used. A null d_temp_storage asks for
// temp_storage_bytes.
template <typename KeyT, typename ValueT, typename Sorts, typename NumItemsT>
cudaError_t sort_emitted(const Sorts& sorts, void* d_temp_storage, size_t& temp_storage_bytes, const Arrays& arrays, bool are_legal,
                         NumItemsT num_items, int begin_bit, int end_bit, cudaStream_t stream) {
  static_assert(static_cast<NumItemsT>(3) / 2 == 1, "NumItemsT must be an integer");
  static_assert(__is_trivially_copyable(ValueT), "ValueT must be trivially copyable");
  const bool has_bits = 0 <= begin_bit && begin_bit <= end_bit && end_bit <= static_cast<int>(8 * sizeof(KeyT));
  if (is_negative(num_items) || !has_bits) return cudaErrorInvalidValue;
  Facts facts = {};
  facts.n = static_cast<unsigned long long>(num_items);
  if (facts.n > Sorts::kMaxItems) return cudaErrorInvalidValue;
  // CUB counts all bits of a bool, and a struct may have padding; bits that are none do not take part.
  facts.end_bit = least(static_cast<unsigned long long>(end_bit), Sorts::kKeyBits);
  facts.begin_bit = least(static_cast<unsigned long long>(begin_bit), facts.end_bit);
  cudaError_t error = add_device(facts, Sorts::kSharedBytesPerBlock);
  if (error != cudaSuccess) return error;
  sorts.template choose<0>(facts.n, [&](auto host) {
    error = sort_by(host, facts, arrays, are_legal, d_temp_storage, temp_storage_bytes, stream);
  });
  return error;
}

}  // namespace device_facade
#endif

#ifndef SORTSMITH_V0_1_0_DEVICE_FACADE
#define SORTSMITH_V0_1_0_DEVICE_FACADE
namespace device_facade {

using facade::struct_kind;

// Says where sorts by samples look, and is another number at each call. Keys cannot be made by it: it follows from the address of a
// thread's variable, which operating systems choose at random.
inline unsigned int random_seed() {
  static thread_local unsigned long long calls = 0;
  unsigned long long number = reinterpret_cast<unsigned long long>(&calls) + ++calls * 0x9e3779b97f4a7c15ull;
  number = (number ^ number >> 31) * 0xbf58476d1ce4e5b9ull;
  return static_cast<unsigned int>(number >> 32);
}

// The sorts of a type of keys, a size of values and an order.
template <KeyKind kKey, int kValueBytes, bool kDescending>
struct Emitted {
  static constexpr bool kExists = false;
};

// Does not compile where there is no sort: the error is the command that emits it.
template <KeyKind kKey, int kValueBytes, bool kExists>
struct EmittingCommand {
  static constexpr bool kIsNeeded = false;
};
#define SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, bytes, value)                    \
  static_assert(kKey != KeyKind::k_##key || kValueBytes != bytes, \
                "This DeviceRadixSort has not been emitted; run: " \
                "sortsmith emit --facade cub-device --key " #key " --value " value " --out <a folder of its own, to be included too>");
#define SORTSMITH_V0_1_0_FACADE_KINDS_KEY(key)         \
  SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, 0, "keys")  \
  SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, 1, "u8")    \
  SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, 2, "u16")   \
  SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, 4, "u32")   \
  SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, 8, "u64")   \
  SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, 16, "u128")
template <KeyKind kKey, int kValueBytes>
struct EmittingCommand<kKey, kValueBytes, false> {
  static constexpr bool kIsNeeded = true;
  static_assert(kKey != KeyKind::kUnknown, "KeyT is no type of keys; legal: integers, floats and bool; and structs of these, with a decomposer, for which sorts of their fields were emitted: --key u32+f32");
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(u8)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(u16)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(u32)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(u64)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(u128)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(i8)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(i16)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(i32)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(i64)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(i128)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(f16)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(bf16)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(f32)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(f64)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(f8e4m3)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(f8e5m2)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(bool)
};
#undef SORTSMITH_V0_1_0_FACADE_KINDS_KEY
#undef SORTSMITH_V0_1_0_FACADE_KINDS_VALUE

// The emitted sort of a call. Where there is none, it does not compile, and the error says what to emit.
template <KeyKind kKey, int kValueBytes, bool kDescending>
struct Requested {
  using Sorts = Emitted<kKey, kValueBytes, kDescending>;
  static constexpr bool kHasOtherOrder = Emitted<kKey, kValueBytes, !kDescending>::kExists;
  static_assert(Sorts::kExists || !kHasOtherOrder,
                "this order has not been emitted: run the sortsmith emit command of this header with --order both");
  using Command = EmittingCommand<kKey, kValueBytes, Sorts::kExists || kHasOtherOrder>;
  static_assert(!Command::kIsNeeded, "the error above says the command");
};

}  // namespace device_facade
#endif

namespace device_facade {

#ifndef SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_U8_KEYS_B128_I4_R8_DESC_MATCH_INWARPSTRIPED_HOST
#define SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_U8_KEYS_B128_I4_R8_DESC_MATCH_INWARPSTRIPED_HOST
// The host's part of block_radix_sort_u8_keys_b128_i4_r8_desc_match_inwarpstriped.
template <int kInstance>
struct block_radix_sort_u8_keys_b128_i4_r8_desc_match_inwarpstriped_host {
  using Sort = sortsmith::block_radix_sort_u8_keys_b128_i4_r8_desc_match_inwarpstriped;

  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    unsigned long long n = facts.n;
    int begin_bit = static_cast<int>(facts.begin_bit);
    int end_bit = static_cast<int>(facts.end_bit);
    const void* keys_in = arrays.keys_in;
    void* keys_out = arrays.keys_out;
    void* parameters[] = {&keys_in, &keys_out, &n, &begin_bit, &end_bit};
    launches.launch(reinterpret_cast<const void*>(&block_radix_sort_u8_keys_b128_i4_r8_desc_match_inwarpstriped_tile<kInstance>), 1, Sort::kBlockThreads, Sort::kSharedBytes, parameters);
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_U8_KEYS_B256_I8_R8_DESC_MATCH_INWARPSTRIPED_HOST
#define SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_U8_KEYS_B256_I8_R8_DESC_MATCH_INWARPSTRIPED_HOST
// The host's part of block_radix_sort_u8_keys_b256_i8_r8_desc_match_inwarpstriped.
template <int kInstance>
struct block_radix_sort_u8_keys_b256_i8_r8_desc_match_inwarpstriped_host {
  using Sort = sortsmith::block_radix_sort_u8_keys_b256_i8_r8_desc_match_inwarpstriped;

  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    unsigned long long n = facts.n;
    int begin_bit = static_cast<int>(facts.begin_bit);
    int end_bit = static_cast<int>(facts.end_bit);
    const void* keys_in = arrays.keys_in;
    void* keys_out = arrays.keys_out;
    void* parameters[] = {&keys_in, &keys_out, &n, &begin_bit, &end_bit};
    launches.launch(reinterpret_cast<const void*>(&block_radix_sort_u8_keys_b256_i8_r8_desc_match_inwarpstriped_tile<kInstance>), 1, Sort::kBlockThreads, Sort::kSharedBytes, parameters);
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_U8_KEYS_B512_I8_R8_DESC_MATCH_INWARPSTRIPED_HOST
#define SORTSMITH_V0_1_0_BLOCK_RADIX_SORT_U8_KEYS_B512_I8_R8_DESC_MATCH_INWARPSTRIPED_HOST
// The host's part of block_radix_sort_u8_keys_b512_i8_r8_desc_match_inwarpstriped.
template <int kInstance>
struct block_radix_sort_u8_keys_b512_i8_r8_desc_match_inwarpstriped_host {
  using Sort = sortsmith::block_radix_sort_u8_keys_b512_i8_r8_desc_match_inwarpstriped;

  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    unsigned long long n = facts.n;
    int begin_bit = static_cast<int>(facts.begin_bit);
    int end_bit = static_cast<int>(facts.end_bit);
    const void* keys_in = arrays.keys_in;
    void* keys_out = arrays.keys_out;
    void* parameters[] = {&keys_in, &keys_out, &n, &begin_bit, &end_bit};
    launches.launch(reinterpret_cast<const void*>(&block_radix_sort_u8_keys_b512_i8_r8_desc_match_inwarpstriped_tile<kInstance>), 1, Sort::kBlockThreads, Sort::kSharedBytes, parameters);
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_U8_KEYS_B384_I32_DESC_HOST
#define SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_U8_KEYS_B384_I32_DESC_HOST
// The host's part of device_radix_sort_u8_keys_b384_i32_desc.
template <int kInstance>
struct device_radix_sort_u8_keys_b384_i32_desc_host {
  using Sort = sortsmith::device_radix_sort_u8_keys_b384_i32_desc;

  static Scratch scratch(const Facts& facts) {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block] = facts;
    return {
        (1152 + (begin_bit == 0 && end_bit == 8 && n >= 1 ? 0 : divided_up(n, 12288) * 256) * 4),
        (1152 + (begin_bit == 0 && end_bit == 8 && n >= 1 ? 0 : divided_up(n, 12288) * 256) * 4),
        (begin_bit == 0 && end_bit == 8 && n >= 1 ? 0 : divided_up(n, 16) * 16),
        (begin_bit == 0 && end_bit == 8 && n >= 1 ? 0 : divided_up(n, 16) * 16)};
  }

  static void run(const Facts& facts, const Arrays& arrays, void* workspace, Launches& launches) {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block] = facts;
    typename Sort::Arguments arguments = {};
    arguments.keys_in = static_cast<const typename Sort::Key*>(arrays.keys_in);
    arguments.keys_out = static_cast<typename Sort::Key*>(arrays.keys_out);
    arguments.keys_alternate = static_cast<typename Sort::Key*>(arrays.keys_alternate);
    arguments.values_in = static_cast<const typename Sort::Value*>(arrays.values_in);
    arguments.values_out = static_cast<typename Sort::Value*>(arrays.values_out);
    arguments.values_alternate = static_cast<typename Sort::Value*>(arrays.values_alternate);
    arguments.workspace = static_cast<unsigned char*>(workspace);
    arguments.n = n;
    arguments.begin_bit = static_cast<int>(begin_bit);
    arguments.end_bit = static_cast<int>(end_bit);
    arguments.writes_keys = 1;
    arguments.count_columns_log2 = static_cast<int>(least(floor_log2((shared_bytes_per_block / (1024))), 5));
    arguments.sorts_msd_buckets = static_cast<int>(0);
    void* parameters[] = {&arguments, nullptr};
    launches.clear(workspace, scratch(facts).zeroed);
    if (begin_bit == 0 && end_bit == 8 && n >= 1) launches.launch(reinterpret_cast<const void*>(&device_radix_sort_u8_keys_b384_i32_desc_count<kInstance>), least(divided_up(n, 16384), multiprocessors), 1024, ((1024) << (least(floor_log2((shared_bytes_per_block / (1024))), 5))), parameters);
    if (begin_bit == 0 && end_bit == 8 && n >= 1) launches.launch(reinterpret_cast<const void*>(&device_radix_sort_u8_keys_b384_i32_desc_plan<kInstance>), 1, 256, 0, parameters);
    if (begin_bit == 0 && end_bit == 8 && n >= 1) launches.launch(reinterpret_cast<const void*>(&device_radix_sort_u8_keys_b384_i32_desc_expand<kInstance>), largest(least(divided_up(n, 4096), multiprocessors * 2), divided_up(n, 16384)), 512, 0, parameters);
    if (!(begin_bit == 0 && end_bit == 8 && n >= 1)) launches.launch(reinterpret_cast<const void*>(&device_radix_sort_u8_keys_b384_i32_desc_count<kInstance>), least(divided_up(n, 65536), multiprocessors), 1024, ((1024) << (least(floor_log2((shared_bytes_per_block / (1024))), 5))), parameters);
    if (!(begin_bit == 0 && end_bit == 8 && n >= 1)) launches.launch(reinterpret_cast<const void*>(&device_radix_sort_u8_keys_b384_i32_desc_plan<kInstance>), 1, 256, 0, parameters);
    if (!(begin_bit == 0 && end_bit == 8 && n >= 1) && divided_up(minus(end_bit, begin_bit), 8) >= 1) {
      int argument = static_cast<int>(0);
      parameters[1] = &argument;
      launches.launch(reinterpret_cast<const void*>(&device_radix_sort_u8_keys_b384_i32_desc_pass<kInstance>), least(divided_up(n, 12288), multiprocessors * 2), 384, 51656, parameters);
      parameters[1] = nullptr;
    }
    if (!(begin_bit == 0 && end_bit == 8 && n >= 1)) launches.launch(reinterpret_cast<const void*>(&device_radix_sort_u8_keys_b384_i32_desc_finish<kInstance>), least(divided_up(n, 4096), multiprocessors * 2), 1024, 0, parameters);
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_U8_KEYS_B384_I32_DESC_WIDE_HOST
#define SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_U8_KEYS_B384_I32_DESC_WIDE_HOST
// The host's part of device_radix_sort_u8_keys_b384_i32_desc_wide.
template <int kInstance>
struct device_radix_sort_u8_keys_b384_i32_desc_wide_host {
  using Sort = sortsmith::device_radix_sort_u8_keys_b384_i32_desc_wide;

  static Scratch scratch(const Facts& facts) {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block] = facts;
    return {
        (2176 + (begin_bit == 0 && end_bit == 8 && n >= 1 ? 0 : divided_up(n, 12288) * 256) * 8),
        (2176 + (begin_bit == 0 && end_bit == 8 && n >= 1 ? 0 : divided_up(n, 12288) * 256) * 8),
        (begin_bit == 0 && end_bit == 8 && n >= 1 ? 0 : divided_up(n, 16) * 16),
        (begin_bit == 0 && end_bit == 8 && n >= 1 ? 0 : divided_up(n, 16) * 16)};
  }

  static void run(const Facts& facts, const Arrays& arrays, void* workspace, Launches& launches) {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block] = facts;
    typename Sort::Arguments arguments = {};
    arguments.keys_in = static_cast<const typename Sort::Key*>(arrays.keys_in);
    arguments.keys_out = static_cast<typename Sort::Key*>(arrays.keys_out);
    arguments.keys_alternate = static_cast<typename Sort::Key*>(arrays.keys_alternate);
    arguments.values_in = static_cast<const typename Sort::Value*>(arrays.values_in);
    arguments.values_out = static_cast<typename Sort::Value*>(arrays.values_out);
    arguments.values_alternate = static_cast<typename Sort::Value*>(arrays.values_alternate);
    arguments.workspace = static_cast<unsigned char*>(workspace);
    arguments.n = n;
    arguments.begin_bit = static_cast<int>(begin_bit);
    arguments.end_bit = static_cast<int>(end_bit);
    arguments.writes_keys = 1;
    arguments.count_columns_log2 = static_cast<int>(least(floor_log2((shared_bytes_per_block / (1024))), 5));
    arguments.sorts_msd_buckets = static_cast<int>(0);
    void* parameters[] = {&arguments, nullptr};
    launches.clear(workspace, scratch(facts).zeroed);
    if (begin_bit == 0 && end_bit == 8 && n >= 1) launches.launch(reinterpret_cast<const void*>(&device_radix_sort_u8_keys_b384_i32_desc_wide_count<kInstance>), least(divided_up(n, 16384), multiprocessors), 1024, ((1024) << (least(floor_log2((shared_bytes_per_block / (1024))), 5))), parameters);
    if (begin_bit == 0 && end_bit == 8 && n >= 1) launches.launch(reinterpret_cast<const void*>(&device_radix_sort_u8_keys_b384_i32_desc_wide_plan<kInstance>), 1, 256, 0, parameters);
    if (begin_bit == 0 && end_bit == 8 && n >= 1) launches.launch(reinterpret_cast<const void*>(&device_radix_sort_u8_keys_b384_i32_desc_wide_expand<kInstance>), largest(least(divided_up(n, 4096), multiprocessors * 2), divided_up(n, 16384)), 512, 0, parameters);
    if (!(begin_bit == 0 && end_bit == 8 && n >= 1)) launches.launch(reinterpret_cast<const void*>(&device_radix_sort_u8_keys_b384_i32_desc_wide_count<kInstance>), least(divided_up(n, 65536), multiprocessors), 1024, ((1024) << (least(floor_log2((shared_bytes_per_block / (1024))), 5))), parameters);
    if (!(begin_bit == 0 && end_bit == 8 && n >= 1)) launches.launch(reinterpret_cast<const void*>(&device_radix_sort_u8_keys_b384_i32_desc_wide_plan<kInstance>), 1, 256, 0, parameters);
    if (!(begin_bit == 0 && end_bit == 8 && n >= 1) && divided_up(minus(end_bit, begin_bit), 8) >= 1) {
      int argument = static_cast<int>(0);
      parameters[1] = &argument;
      launches.launch(reinterpret_cast<const void*>(&device_radix_sort_u8_keys_b384_i32_desc_wide_pass<kInstance>), least(divided_up(n, 12288), multiprocessors * 2), 384, 52680, parameters);
      parameters[1] = nullptr;
    }
    if (!(begin_bit == 0 && end_bit == 8 && n >= 1)) launches.launch(reinterpret_cast<const void*>(&device_radix_sort_u8_keys_b384_i32_desc_wide_finish<kInstance>), least(divided_up(n, 4096), multiprocessors * 2), 1024, 0, parameters);
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_DEVICE_FACADE_U8_KEYS_DESC
#define SORTSMITH_V0_1_0_DEVICE_FACADE_U8_KEYS_DESC
template <>
struct Emitted<KeyKind::k_u8, 0, true> {
  static constexpr bool kExists = true;
  static constexpr unsigned long long kKeyBits = 8;
  static constexpr unsigned long long kMaxItems = 1099511627776ull;
  // The shared memory that a block of the device may have, at least.
  static constexpr unsigned long long kSharedBytesPerBlock = 232448;

  // Calls `visit` with the host's part of the sort of n items.
  template <int kInstance, typename Visit>
  static void choose(unsigned long long n, const Visit& visit) {
    if (n <= 512ull) return visit(block_radix_sort_u8_keys_b128_i4_r8_desc_match_inwarpstriped_host<kInstance>());
    if (n <= 2048ull) return visit(block_radix_sort_u8_keys_b256_i8_r8_desc_match_inwarpstriped_host<kInstance>());
    if (n <= 4096ull) return visit(block_radix_sort_u8_keys_b512_i8_r8_desc_match_inwarpstriped_host<kInstance>());
    if (n <= 1073741823ull) return visit(device_radix_sort_u8_keys_b384_i32_desc_host<kInstance>());
    return visit(device_radix_sort_u8_keys_b384_i32_desc_wide_host<kInstance>());
  }
};
#endif

}  // namespace device_facade

#ifndef SORTSMITH_V0_1_0_DEVICE_FACADE_CLASS
#define SORTSMITH_V0_1_0_DEVICE_FACADE_CLASS
namespace device_facade {

// The sort of calls without a decomposer.
template <bool kDescending, typename KeyT, typename ValueT, typename NumItemsT>
cudaError_t sort(void* d_temp_storage, size_t& temp_storage_bytes, const Arrays& arrays, NumItemsT num_items, int begin_bit, int end_bit,
                 cudaStream_t stream) {
  using Sorts = typename Requested<facade::kKindOf<KeyT>, facade::kValueBytes<ValueT>, kDescending>::Sorts;
  if constexpr (Sorts::kExists) {
    const bool are_legal = are_arrays(arrays, sizeof(KeyT), facade::kValueBytes<ValueT>);
    return sort_emitted<KeyT, ValueT>(Sorts(), d_temp_storage, temp_storage_bytes, arrays, are_legal, num_items, begin_bit, end_bit, stream);
  } else {
    return cudaErrorNotSupported;
  }
}

// Whether the fields from this one on lie in a key where the emitted sort has them.
template <typename Sorts, int kCount, int kIndex, typename Fields>
bool fields_lie_as_emitted(const unsigned char* key, const Fields& fields) {
  if constexpr (kIndex < kCount) {
    const unsigned char* const field = reinterpret_cast<const unsigned char*>(&get<kIndex>(fields));
    return field == key + Sorts::kFieldOffsets[kIndex] && fields_lie_as_emitted<Sorts, kCount, kIndex + 1>(key, fields);
  } else {
    return true;
  }
}

// The sort of calls with a decomposer: arrays of structs are sorted where they are, by the fields that it gives, the first of which decides
// first. A decomposer that gives them in another order than they lie in is an invalid value.
template <bool kDescending, typename KeyT, typename ValueT, typename NumItemsT, typename DecomposerT>
cudaError_t sort_structs(void* d_temp_storage, size_t& temp_storage_bytes, const Arrays& arrays, NumItemsT num_items, DecomposerT decomposer,
                         int begin_bit, int end_bit, cudaStream_t stream) {
  using Fields = facade::FieldsOf<decltype(decomposer(*static_cast<KeyT*>(nullptr)))>;
  static_assert(Fields::kCount >= 2, "a decomposer returns a tuple of references to two fields of its key or more");
  static_assert(__is_trivially_copyable(KeyT), "KeyT must be trivially copyable");
  static_assert(facade::is_all_fields<KeyT, Fields>(),
                "a decomposer gives each member of its key once: what it leaves out is a ValueT, which moves with the key");
  using Sorts = Emitted<Fields::kKind, facade::kValueBytes<ValueT>, kDescending>;
  static_assert(Sorts::kExists,
                "no sort of these fields with such values in this order has been emitted; run: sortsmith emit --facade cub-device --order both "
                "--key <the types of the decomposer's fields, such as u32+f32> --value <keys, or u8 to u128> --out <a folder of its own, to be "
                "included too>");
  if constexpr (Sorts::kExists) {
    static_assert(sizeof(KeyT) == Sorts::kKeyBytes, "a decomposer gives the fields in the order of its key's members");
    alignas(KeyT) unsigned char key[sizeof(KeyT)] = {};
    const auto fields = decomposer(*reinterpret_cast<KeyT*>(key));
    if (!fields_lie_as_emitted<Sorts, Fields::kCount, 0>(key, fields)) return cudaErrorInvalidValue;
    const bool are_legal = are_arrays(arrays, alignof(KeyT), facade::kValueBytes<ValueT>);
    return sort_emitted<KeyT, ValueT>(Sorts(), d_temp_storage, temp_storage_bytes, arrays, are_legal, num_items, begin_bit, end_bit, stream);
  } else {
    return cudaErrorNotSupported;
  }
}

}  // namespace device_facade

struct DeviceRadixSort {
  // Ascending.
  template <typename KeyT, typename ValueT, typename NumItemsT>
  static cudaError_t SortPairs(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out,
                              const ValueT* d_values_in, ValueT* d_values_out, NumItemsT num_items, int begin_bit = 0,
                              int end_bit = sizeof(KeyT) * 8, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys_in, d_keys_out, d_values_in, d_values_out);
    return device_facade::sort<false, KeyT, ValueT>(d_temp_storage, temp_storage_bytes, arrays, num_items, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename ValueT, typename NumItemsT>
  static cudaError_t SortPairs(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys,
                              DoubleBuffer<ValueT>& d_values, NumItemsT num_items, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8,
                              cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys, d_values);
    return device_facade::sort<false, KeyT, ValueT>(d_temp_storage, temp_storage_bytes, arrays, num_items, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename NumItemsT>
  static cudaError_t SortKeys(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out,
                              NumItemsT num_items, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys_in, d_keys_out);
    return device_facade::sort<false, KeyT, NullType>(d_temp_storage, temp_storage_bytes, arrays, num_items, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename NumItemsT>
  static cudaError_t SortKeys(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys,
                              NumItemsT num_items, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys);
    return device_facade::sort<false, KeyT, NullType>(d_temp_storage, temp_storage_bytes, arrays, num_items, begin_bit, end_bit, stream);
  }
  // Structs by their fields, to which a decomposer gives references.
  template <typename KeyT, typename ValueT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortPairs(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, const ValueT* d_values_in, ValueT* d_values_out, NumItemsT num_items, DecomposerT decomposer, int begin_bit, int end_bit, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys_in, d_keys_out, d_values_in, d_values_out);
    return device_facade::sort_structs<false, KeyT, ValueT>(d_temp_storage, temp_storage_bytes, arrays, num_items, decomposer, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename ValueT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortPairs(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, const ValueT* d_values_in, ValueT* d_values_out, NumItemsT num_items, DecomposerT decomposer, cudaStream_t stream = 0) {
    return SortPairs(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, d_values_in, d_values_out, num_items, decomposer, 0, static_cast<int>(8 * sizeof(KeyT)), stream);
  }
  template <typename KeyT, typename ValueT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortPairs(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys, DoubleBuffer<ValueT>& d_values, NumItemsT num_items, DecomposerT decomposer, int begin_bit, int end_bit, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys, d_values);
    return device_facade::sort_structs<false, KeyT, ValueT>(d_temp_storage, temp_storage_bytes, arrays, num_items, decomposer, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename ValueT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortPairs(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys, DoubleBuffer<ValueT>& d_values, NumItemsT num_items, DecomposerT decomposer, cudaStream_t stream = 0) {
    return SortPairs(d_temp_storage, temp_storage_bytes, d_keys, d_values, num_items, decomposer, 0, static_cast<int>(8 * sizeof(KeyT)), stream);
  }
  template <typename KeyT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortKeys(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, NumItemsT num_items, DecomposerT decomposer, int begin_bit, int end_bit, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys_in, d_keys_out);
    return device_facade::sort_structs<false, KeyT, NullType>(d_temp_storage, temp_storage_bytes, arrays, num_items, decomposer, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortKeys(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, NumItemsT num_items, DecomposerT decomposer, cudaStream_t stream = 0) {
    return SortKeys(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, num_items, decomposer, 0, static_cast<int>(8 * sizeof(KeyT)), stream);
  }
  template <typename KeyT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortKeys(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys, NumItemsT num_items, DecomposerT decomposer, int begin_bit, int end_bit, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys);
    return device_facade::sort_structs<false, KeyT, NullType>(d_temp_storage, temp_storage_bytes, arrays, num_items, decomposer, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortKeys(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys, NumItemsT num_items, DecomposerT decomposer, cudaStream_t stream = 0) {
    return SortKeys(d_temp_storage, temp_storage_bytes, d_keys, num_items, decomposer, 0, static_cast<int>(8 * sizeof(KeyT)), stream);
  }
  // Descending.
  template <typename KeyT, typename ValueT, typename NumItemsT>
  static cudaError_t SortPairsDescending(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out,
                              const ValueT* d_values_in, ValueT* d_values_out, NumItemsT num_items, int begin_bit = 0,
                              int end_bit = sizeof(KeyT) * 8, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys_in, d_keys_out, d_values_in, d_values_out);
    return device_facade::sort<true, KeyT, ValueT>(d_temp_storage, temp_storage_bytes, arrays, num_items, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename ValueT, typename NumItemsT>
  static cudaError_t SortPairsDescending(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys,
                              DoubleBuffer<ValueT>& d_values, NumItemsT num_items, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8,
                              cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys, d_values);
    return device_facade::sort<true, KeyT, ValueT>(d_temp_storage, temp_storage_bytes, arrays, num_items, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename NumItemsT>
  static cudaError_t SortKeysDescending(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out,
                              NumItemsT num_items, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys_in, d_keys_out);
    return device_facade::sort<true, KeyT, NullType>(d_temp_storage, temp_storage_bytes, arrays, num_items, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename NumItemsT>
  static cudaError_t SortKeysDescending(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys,
                              NumItemsT num_items, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys);
    return device_facade::sort<true, KeyT, NullType>(d_temp_storage, temp_storage_bytes, arrays, num_items, begin_bit, end_bit, stream);
  }
  // Structs by their fields, to which a decomposer gives references.
  template <typename KeyT, typename ValueT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortPairsDescending(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, const ValueT* d_values_in, ValueT* d_values_out, NumItemsT num_items, DecomposerT decomposer, int begin_bit, int end_bit, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys_in, d_keys_out, d_values_in, d_values_out);
    return device_facade::sort_structs<true, KeyT, ValueT>(d_temp_storage, temp_storage_bytes, arrays, num_items, decomposer, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename ValueT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortPairsDescending(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, const ValueT* d_values_in, ValueT* d_values_out, NumItemsT num_items, DecomposerT decomposer, cudaStream_t stream = 0) {
    return SortPairsDescending(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, d_values_in, d_values_out, num_items, decomposer, 0, static_cast<int>(8 * sizeof(KeyT)), stream);
  }
  template <typename KeyT, typename ValueT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortPairsDescending(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys, DoubleBuffer<ValueT>& d_values, NumItemsT num_items, DecomposerT decomposer, int begin_bit, int end_bit, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys, d_values);
    return device_facade::sort_structs<true, KeyT, ValueT>(d_temp_storage, temp_storage_bytes, arrays, num_items, decomposer, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename ValueT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortPairsDescending(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys, DoubleBuffer<ValueT>& d_values, NumItemsT num_items, DecomposerT decomposer, cudaStream_t stream = 0) {
    return SortPairsDescending(d_temp_storage, temp_storage_bytes, d_keys, d_values, num_items, decomposer, 0, static_cast<int>(8 * sizeof(KeyT)), stream);
  }
  template <typename KeyT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortKeysDescending(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, NumItemsT num_items, DecomposerT decomposer, int begin_bit, int end_bit, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys_in, d_keys_out);
    return device_facade::sort_structs<true, KeyT, NullType>(d_temp_storage, temp_storage_bytes, arrays, num_items, decomposer, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortKeysDescending(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, NumItemsT num_items, DecomposerT decomposer, cudaStream_t stream = 0) {
    return SortKeysDescending(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, num_items, decomposer, 0, static_cast<int>(8 * sizeof(KeyT)), stream);
  }
  template <typename KeyT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortKeysDescending(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys, NumItemsT num_items, DecomposerT decomposer, int begin_bit, int end_bit, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys);
    return device_facade::sort_structs<true, KeyT, NullType>(d_temp_storage, temp_storage_bytes, arrays, num_items, decomposer, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortKeysDescending(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys, NumItemsT num_items, DecomposerT decomposer, cudaStream_t stream = 0) {
    return SortKeysDescending(d_temp_storage, temp_storage_bytes, d_keys, num_items, decomposer, 0, static_cast<int>(8 * sizeof(KeyT)), stream);
  }
};
#endif

}  // namespace v0_1_0
}  // namespace sortsmith
