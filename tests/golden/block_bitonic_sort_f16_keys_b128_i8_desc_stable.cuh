// block_bitonic_sort_f16_keys_b128_i8_desc_stable
//
// Sorts f16 keys, descending: a block of 128 threads sorts a tile of 1024 items by a
// network of comparisons, in registers, by shuffles and in shared memory. Stable: equal keys keep their input order.
//
// Keys order by sign and magnitude. -0.0 and +0.0 are equal. NaNs order by their bits: those with the sign bit set are
// less than all numbers, the others greater.
//
//   tile           the items that the block sorts
//   composite key  what is compared: a key's ordered bits, with the index in the input below them where equal keys are told apart
//   run            sorted items of a tile, of which two are merged
//
// In a kernel of 128 threads, with Keys an array of 8 keys:
//   using Sort = sortsmith::block_bitonic_sort_f16_keys_b128_i8_desc_stable;
//   __shared__ Sort::TempStorage storage;
//   Sort(storage).Sort(keys);
//
// Made by sortsmith 0.1.0 from the template block_comparison_sort; to make it again:
//   sortsmith emit --name block_bitonic_sort_f16_keys_b128_i8_desc_stable --tile-kernel --out .
#if defined(__cplusplus) && __cplusplus < 201703L && !defined(_MSC_VER)
#error "this header needs C++17: nvcc -std=c++17"
#endif
#pragma once

#if !defined(__CUDACC__) && !defined(SORTSMITH_EMULATOR)
// To a compiler of the host alone the struct has the sort's constants.
#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B128_I8_DESC_STABLE
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B128_I8_DESC_STABLE
namespace sortsmith {
inline namespace v0_1_0 {

struct block_bitonic_sort_f16_keys_b128_i8_desc_stable {
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
  static constexpr int kKeyBits = 16;
  static constexpr bool kDescending = true;
  static constexpr bool kHasValues = false;
  static constexpr bool kIndexValues = false;
  static constexpr Arrangement kInput = Arrangement::kBlocked;
  static constexpr Arrangement kOutput = Arrangement::kBlocked;
  // sizeof(TempStorage): a tile kernel's dynamic shared memory. Past 48 KB the storage must be dynamic, and the kernel's
  // limit raised by cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes).
  static constexpr unsigned int kSharedBytes = 2304;
  static constexpr bool kStable = true;
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif
#else

#include <cuda_fp16.h>

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

#ifndef SORTSMITH_V0_1_0_LIMBS
#define SORTSMITH_V0_1_0_LIMBS
namespace sortsmith {
inline namespace v0_1_0 {

// An item of a sort in some registers, which move together. Its limbs are those of a long integer, the lowest first: 32 bits each.
template <int kCount>
struct Limbs {
  unsigned int limb[kCount];
};

// A value in registers: one that is smaller than a register has the lower part of one.
template <int kCount, typename T>
__device__ __forceinline__ Limbs<kCount> limbs_of(const T& value) {
  if constexpr (sizeof(T) < 4) {
    return {{value}};
  } else {
    return __builtin_bit_cast(Limbs<kCount>, value);
  }
}

// The value of such registers.
template <typename T, int kCount>
__device__ __forceinline__ T value_of_limbs(const Limbs<kCount>& value_limbs) {
  if constexpr (sizeof(T) < 4) {
    return static_cast<T>(value_limbs.limb[0]);
  } else {
    // An unqualified bits_as may be that of another version, if its headers are included too.
    return __builtin_bit_cast(T, value_limbs);
  }
}

// Whether the first kCount limbs of one, the lowest first, are a smaller number than those of the other.
template <int kCount, int kAll>
__device__ __forceinline__ bool is_less(const Limbs<kAll>& a, const Limbs<kAll>& b) {
  if constexpr (kCount == 1) {
    return a.limb[0] < b.limb[0];
  } else {
    const unsigned long long upper_a = static_cast<unsigned long long>(a.limb[kCount - 1]) << 32 | a.limb[kCount - 2];
    const unsigned long long upper_b = static_cast<unsigned long long>(b.limb[kCount - 1]) << 32 | b.limb[kCount - 2];
    if constexpr (kCount == 2) {
      return upper_a < upper_b;
    } else {
      return (upper_a < upper_b) | ((upper_a == upper_b) & is_less<kCount - 2>(a, b));
    }
  }
}

// The one or the other by a condition.
template <int kAll>
__device__ __forceinline__ Limbs<kAll> either(bool is_one, const Limbs<kAll>& one, const Limbs<kAll>& other) {
  Limbs<kAll> chosen;
#pragma unroll
  for (int i = 0; i < kAll; ++i) chosen.limb[i] = is_one ? one.limb[i] : other.limb[i];
  return chosen;
}

// The one or the other by a mask of ones or of zeros. Compilers make branches of many choices by one condition, with shuffles on
// either side, but not of these.
template <int kAll>
__device__ __forceinline__ Limbs<kAll> blended(unsigned int mask, const Limbs<kAll>& one, const Limbs<kAll>& other) {
  Limbs<kAll> blended;
#pragma unroll
  for (int i = 0; i < kAll; ++i) blended.limb[i] = (one.limb[i] & mask) | (other.limb[i] & ~mask);
  return blended;
}

// What lanes exchange with the lanes of numbers that differ in these bits, and what they get from lanes of these numbers. All lanes of
// the warp call these together.
template <int kAll>
__device__ __forceinline__ Limbs<kAll> across(const Limbs<kAll>& item, int bits) {
  Limbs<kAll> got;
#pragma unroll
  for (int i = 0; i < kAll; ++i) got.limb[i] = __shfl_xor_sync(~0u, item.limb[i], bits);
  return got;
}

template <int kAll>
__device__ __forceinline__ Limbs<kAll> from_lane(const Limbs<kAll>& item, unsigned int lane) {
  Limbs<kAll> got;
#pragma unroll
  for (int i = 0; i < kAll; ++i) got.limb[i] = __shfl_sync(~0u, item.limb[i], lane);
  return got;
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

#ifndef SORTSMITH_V0_1_0_MARK_SLOT
#define SORTSMITH_V0_1_0_MARK_SLOT
namespace sortsmith {
inline namespace v0_1_0 {

// A position among marks, which are a bit each in rows of 32:
//
//   | row: all other bits | bit of the row: 5 bits |
struct MarkSlot {
  static constexpr unsigned int kRowPositions = 32;
  unsigned int position;

  __device__ __forceinline__ unsigned int row() const { return position / kRowPositions; }
  __device__ __forceinline__ unsigned int mask() const { return 1u << position % kRowPositions; }
  // The marks of its row from this position on: bit 0 is its own.
  __device__ __forceinline__ unsigned int from_here(const unsigned int* rows) const { return rows[row()] >> position % kRowPositions; }
  __device__ __forceinline__ bool is_set(const unsigned int* rows) const { return (from_here(rows) & 1u) != 0; }
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_PACKED_PAIRS
#define SORTSMITH_V0_1_0_PACKED_PAIRS
namespace sortsmith {
inline namespace v0_1_0 {

// Two numbers of 16 bits in one register, in its lower half and its upper half: the smaller of the lower ones and the smaller of the
// upper ones. From Hopper on that is one instruction.
__device__ __forceinline__ unsigned int packed_min(unsigned int a, unsigned int b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  return __vminu2(a, b);
#else
  // What is below decides only where the upper halves are equal.
  return (min(a, b) & 0xffff0000u) | min(a & 0xffffu, b & 0xffffu);
#endif
}

// And the greater ones.
__device__ __forceinline__ unsigned int packed_max(unsigned int a, unsigned int b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  return __vmaxu2(a, b);
#else
  return (max(a, b) & 0xffff0000u) | max(a & 0xffffu, b & 0xffffu);
#endif
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B128_I8_DESC_STABLE
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B128_I8_DESC_STABLE
namespace sortsmith {
inline namespace v0_1_0 {

struct block_bitonic_sort_f16_keys_b128_i8_desc_stable {
  using Key = __half;
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
  static constexpr int kKeyBits = 16;
  static constexpr bool kDescending = true;
  static constexpr bool kHasValues = false;
  static constexpr bool kIndexValues = false;
  static constexpr Arrangement kInput = Arrangement::kBlocked;
  static constexpr Arrangement kOutput = Arrangement::kBlocked;
  // sizeof(TempStorage): a tile kernel's dynamic shared memory. Past 48 KB the storage must be dynamic, and the kernel's
  // limit raised by cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes).
  static constexpr unsigned int kSharedBytes = 2304;
  static constexpr bool kStable = true;

  // One thread's items.
  using Keys = Key[kItemsPerThread];

 private:
  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = unsigned int;
  using StoredBits = unsigned short;
  static constexpr Bits kSign = Bits(1) << (8 * sizeof(Key) - 1);
  static constexpr Bits kAllBits = StoredBits(~StoredBits(0));

  // Ordered bits of a key: all bits of a negative key flipped, the sign of any other. Descending order is ascending order of
  // their complement: so equal keys keep their order here too.
  static __device__ __forceinline__ Bits to_ordered_bits(Key key) {
    const Bits bits = bits_as<StoredBits>(key);
    return bits ^ (bits & kSign ? kAllBits : kSign) ^ kAllBits;
  }

  // The key of ordered bits.
  static __device__ __forceinline__ Key to_key(Bits ordered) {
    const Bits bits = ordered ^ kAllBits;
    return bits_as<Key>(static_cast<StoredBits>(bits ^ (bits & kSign ? kSign : kAllBits)));
  }
  // Ordered bits of zeros, which are next to each other.
  static constexpr Bits kPositiveZero = kSign ^ kAllBits;
  static constexpr Bits kNegativeZero = (kSign - 1) ^ kAllBits;
  static constexpr Bits kFirstZero = kPositiveZero;

  static __device__ __forceinline__ bool is_zero(Bits ordered) { return ordered == kPositiveZero || ordered == kNegativeZero; }

  // Two numbers of 16 bits, which packed_min and packed_max compare at once:
  //
  //   | upper: 16 bits | lower: 16 bits |
  struct PackedPair {
    unsigned int bits;
    static __device__ __forceinline__ PackedPair pack(unsigned int lower, unsigned int upper) { return {lower | upper << 16}; }
    __device__ __forceinline__ unsigned int lower() const { return bits & 0xffffu; }
    __device__ __forceinline__ unsigned int upper() const { return bits >> 16; }
    __device__ __forceinline__ unsigned int either(bool is_upper) const { return bits >> (is_upper ? 16 : 0) & 0xffffu; }
    __device__ __forceinline__ PackedPair complement() const { return {~bits}; }
  };

  // What the network compares, until pack_pairs: two keys' ordered bits, one of each half of the tile. What is lower in all composite keys is a
  // sequence of its own, and what is upper another, of complements: so the one is sorted to rise as the other one falls.
  static constexpr int kCompositesPerThread = kItemsPerThread / 2;
  static constexpr unsigned int kTileComposites = kTileItems / 2;
  static constexpr int kCompositeLimbs = 1;
  using CompositeKey = Limbs<kCompositeLimbs>;

  static __device__ __forceinline__ CompositeKey composite_of(unsigned int lower, unsigned int upper) {
    CompositeKey composite;
    composite.limb[0] = PackedPair::pack(lower, ~upper).bits;
    return composite;
  }

  // The smaller of both keys comes to be the lower one. Of two sequences, of which one rises and the other one falls, that makes two,
  // each of which is bitonic, and no key of the lower one is greater than one of the upper one.
  static __device__ __forceinline__ void pack_pairs(CompositeKey (&composites)[kCompositesPerThread]) {
#pragma unroll
    for (int i = 0; i < kCompositesPerThread; ++i) {
      const PackedPair pair{composites[i].limb[0]};
      const unsigned int lower = pair.lower();
      const unsigned int upper = pair.complement().upper();
      composites[i].limb[0] = PackedPair::pack(min(lower, upper), max(lower, upper)).bits;
    }
  }
  using Slots = GappedSlots<32, 2>;

 public:
  static constexpr unsigned int kZeroWords = (kTileItems + MarkSlot::kRowPositions - 1) / MarkSlot::kRowPositions;
  static constexpr unsigned int kZeroRun = 16;
  static constexpr unsigned int kZeroRuns = (kZeroWords + kZeroRun - 1) / kZeroRun;
  // Which positions of the tile's input have zeros, a bit each, and how many of them there are in words before, and in runs of kZeroRun words.
  // Runs have all their words, since a compiler may read all of one at once.
  struct Zeros {
    unsigned int are_zero[kZeroRuns * kZeroRun];
    unsigned int before[kZeroWords];
    unsigned int of_runs[kZeroRuns];
  };
  // The tile's composite keys, limb by limb; zeros before there are composite keys; the zeros' signs, a bit each; and how many items come before zeros.
  struct TempStorage {
    union {
      alignas(8) unsigned int composites[kCompositeLimbs][Slots::count(kTileComposites)];
      Zeros zeros;
    };
    unsigned int signs[kZeroWords];
    unsigned int items_before_zeros;
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  // All threads of the block share one storage. It may be used again, by this or anything else, after a barrier.
  explicit __device__ __forceinline__ block_bitonic_sort_f16_keys_b128_i8_desc_stable(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x + kBlockX * (threadIdx.y + kBlockY * threadIdx.z)), lane_(lane_of(thread_)) {}

  // The members below sort one tile. All threads of the block call the same one, with the same valid_items.
  //   valid_items: the first valid_items items of the tile are sorted and come out in front. What the others hold does not
  //                matter, and is unspecified afterwards.

  // From blocked to blocked arrangement.
  __device__ __forceinline__ void Sort(Keys& keys) {
    sort<Arrangement::kBlocked, Arrangement::kBlocked>(keys, kTileItems);
  }
  __device__ __forceinline__ void Sort(Keys& keys, int valid_items) {
    sort<Arrangement::kBlocked, Arrangement::kBlocked>(keys, valid_items);
  }

  // From blocked to striped arrangement.
  __device__ __forceinline__ void SortBlockedToStriped(Keys& keys) {
    sort<Arrangement::kBlocked, Arrangement::kStriped>(keys, kTileItems);
  }
  __device__ __forceinline__ void SortBlockedToStriped(Keys& keys, int valid_items) {
    sort<Arrangement::kBlocked, Arrangement::kStriped>(keys, valid_items);
  }

  // Sorts the block's own tile of an array of n items: the tile from kTileItems * blockIdx.x on. In place or not.
  // Neighbouring lanes read and write neighbouring items.
  __device__ __forceinline__ void SortTile(const Key* keys_in, Key* keys_out,
                                           unsigned long long n) {
    const unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
    if (start >= n) return;
    const unsigned int valid_items = n - start < kTileItems ? static_cast<unsigned int>(n - start) : kTileItems;
    sort_in_memory(keys_in + start, keys_out + start, valid_items);
  }

  // Sorts the block's own row of an array: row r is the `columns` items from r * stride on, columns <= kTileItems and columns <= stride,
  // and block b's is row b. In place or not; items between rows are not touched.
  __device__ __forceinline__ void SortRow(const Key* keys_in, Key* keys_out,
                                          unsigned long long rows, unsigned int columns, unsigned long long stride) {
    if (blockIdx.x >= rows) return;
    const unsigned long long start = blockIdx.x * stride;
    sort_in_memory(keys_in + start, keys_out + start, columns);
  }

 private:
  // Puts the smaller of two of a lane's items in the first slot. Of two in each composite key.
  static __device__ __forceinline__ void order(CompositeKey& first, CompositeKey& second) {
    const unsigned int smaller = packed_min(first.limb[0], second.limb[0]);
    second.limb[0] = packed_max(first.limb[0], second.limb[0]);
    first.limb[0] = smaller;
  }

  // Sorts a lane's items: 5 comparators.
  template <typename T>
  static __device__ __forceinline__ void sort_in_lane(T (&items)[kCompositesPerThread]) {
    order(items[0], items[2]); order(items[1], items[3]);
    order(items[0], items[1]); order(items[2], items[3]);
    order(items[1], items[2]);
  }

  // Sorts a lane's items if they are bitonic, rising and then falling or so in a circle: 4 comparators.
  template <typename T>
  static __device__ __forceinline__ void merge_in_lane(T (&items)[kCompositesPerThread]) {
    order(items[0], items[2]); order(items[1], items[3]);
    order(items[0], items[1]); order(items[2], items[3]);
  }

  // Lanes of a warp.
  static constexpr int kLanes = 32;

  // A lane's registers i and kCompositesPerThread - 1 - i are a pair, which is compared in one lane alone. Then the lanes with a
  // number that has the bit keep the greater item and send the smaller one to the lane across, the others the other way round: so
  // one shuffle brings the next two to compare together.
  template <typename T>
  __device__ __forceinline__ void order_and_exchange(T (&items)[kCompositesPerThread], int bit) const {
    const bool keeps_greater = (lane_ & bit) != 0;
#pragma unroll
    for (int i = 0; i < kCompositesPerThread / 2; ++i) {
      T& own = items[i];
      T& other = items[kCompositesPerThread - 1 - i];
      const unsigned int smaller = packed_min(own.limb[0], other.limb[0]);
      const unsigned int greater = packed_max(own.limb[0], other.limb[0]);
      own.limb[0] = keeps_greater ? greater : smaller;
      other.limb[0] = keeps_greater ? smaller : greater;
      other = across(other, bit);
    }
  }

  // Merges sorted runs of half as many lanes, two by two, to runs of `lanes` lanes. Lanes l and ~l first compare items in mirrored
  // order, and what is left are bitonic halves; these halve themselves until each is one lane's.
  //
  // What is compared last stays in the lane's registers, and what was before goes to another lane. So runs do not lie lane by
  // lane: the number of the k-th lane of a run of R lanes has the bits of k in reverse at the upper end, and only in
  // the last merge, of all lanes, does that come to k itself.
  template <typename T>
  __device__ __forceinline__ void merge_lanes(T (&items)[kCompositesPerThread], int lanes) const {
#pragma unroll
    for (int i = kCompositesPerThread / 2; i < kCompositesPerThread; ++i) {
      items[i] = across(items[i], kLanes - kLanes / lanes);
    }
#pragma unroll
    for (int bit = kLanes / 2; bit >= kLanes / lanes; bit /= 2) order_and_exchange(items, bit);
    merge_in_lane(items);
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

  __device__ __forceinline__ CompositeKey composite_at(unsigned int at) const {
    CompositeKey composite;
#pragma unroll
    for (int limb = 0; limb < kCompositeLimbs; ++limb) composite.limb[limb] = storage_.composites[limb][at];
    return composite;
  }

  __device__ __forceinline__ void put_composite(unsigned int at, const CompositeKey& composite) {
#pragma unroll
    for (int limb = 0; limb < kCompositeLimbs; ++limb) storage_.composites[limb][at] = composite.limb[limb];
  }

  // Two words of a limb that lie side by side, from an even position on.
  struct alignas(8) TwoWords {
    unsigned int words[2];
  };

  __device__ __forceinline__ void put_two(unsigned int at, const CompositeKey& first, const CompositeKey& second) {
#pragma unroll
    for (int limb = 0; limb < kCompositeLimbs; ++limb) {
      const TwoWords both = { {first.limb[limb], second.limb[limb]} };
      *reinterpret_cast<TwoWords*>(&storage_.composites[limb][at]) = both;
    }
  }

  __device__ __forceinline__ void two_at(unsigned int at, CompositeKey& first, CompositeKey& second) const {
#pragma unroll
    for (int limb = 0; limb < kCompositeLimbs; ++limb) {
      const TwoWords both = *reinterpret_cast<const TwoWords*>(&storage_.composites[limb][at]);
      first.limb[limb] = both.words[0];
      second.limb[limb] = both.words[1];
    }
  }

  // Each thread's items to its own run of the tile.
  __device__ __forceinline__ void run_to_shared(const CompositeKey (&composites)[kCompositesPerThread]) {
    const unsigned int start = thread_ * kCompositesPerThread;
#pragma unroll
    for (int i = 0; i < kCompositesPerThread; i += 2) put_two(Slots::of_run<kCompositesPerThread>(start, i), composites[i], composites[i + 1]);
  }

  // Keys are compared by all of their ordered bits, by which zeros of one sign come before those of the other. In a tile that has both,
  // the signs of zeros are put in input order afterwards.
  struct SignsOfZeros {
    bool are_mixed;
    // The number of items before the first zero of the sorted tile.
    unsigned int first;
  };

  // The signs, before the items are sorted: storage_.signs has a bit for each zero then.
  template <Arrangement kFrom>
  __device__ __forceinline__ SignsOfZeros signs_of_zeros(const Bits (&ordered)[kItemsPerThread]) {
    SignsOfZeros signs = {has_any(ordered, kNegativeZero) && has_any(ordered, kPositiveZero), 0};
    if (signs.are_mixed) {
      find_zeros<kFrom>(ordered);
      signs.first = keep_signs<kFrom>(ordered);
    }
    return signs;
  }

  // Whether the tile has a key of these ordered bits.
  static __device__ __forceinline__ bool has_any(const Bits (&keys)[kItemsPerThread], Bits ordered) {
    bool has = false;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) has |= keys[i] == ordered;
    return __syncthreads_or(has) != 0;
  }

  // Where in the tile's input zeros are, and how many there are before each word of that.
  template <Arrangement kFrom>
  __device__ __forceinline__ void find_zeros(const Bits (&ordered)[kItemsPerThread]) {
    Zeros& zeros = storage_.zeros;
    for (unsigned int w = thread_; w < kZeroRuns * kZeroRun; w += kBlockThreads) zeros.are_zero[w] = 0;
    for (unsigned int w = thread_; w < kZeroWords; w += kBlockThreads) storage_.signs[w] = 0;
    if (thread_ == 0) storage_.items_before_zeros = 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const MarkSlot slot = {position<kFrom>(i)};
      if (is_zero(ordered[i])) atomicOr(&zeros.are_zero[slot.row()], slot.mask());
    }
    __syncthreads();
    for (unsigned int r = thread_; r < kZeroRuns; r += kBlockThreads) zeros.of_runs[r] = zeros_between(r * kZeroRun, (r + 1) * kZeroRun);
    __syncthreads();
    for (unsigned int w = thread_; w < kZeroWords; w += kBlockThreads) {
      const unsigned int run = w / kZeroRun;
      unsigned int before = zeros_between(run * kZeroRun, w);
      for (unsigned int r = 0; r < run; ++r) before += zeros.of_runs[r];
      zeros.before[w] = before;
    }
    __syncthreads();
  }

  __device__ __forceinline__ unsigned int zeros_between(unsigned int begin, unsigned int end) const {
    unsigned int count = 0;
    for (unsigned int w = begin; w < end; ++w) count += __popc(storage_.zeros.are_zero[w]);
    return count;
  }

  // Writes the signs of zeros in input order, and counts the items that come before all of them.
  template <Arrangement kFrom>
  __device__ __forceinline__ unsigned int keep_signs(const Bits (&ordered)[kItemsPerThread]) {
    const Zeros& zeros = storage_.zeros;
    unsigned int less = 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      less += ordered[i] < kFirstZero ? 1u : 0u;
      if (ordered[i] != kNegativeZero) continue;
      const MarkSlot slot = {position<kFrom>(i)};
      const unsigned int zero = zeros.before[slot.row()] + __popc(zeros.are_zero[slot.row()] & (slot.mask() - 1u));
      const MarkSlot sign = {zero};
      atomicOr(&storage_.signs[sign.row()], sign.mask());
    }
    if (less > 0) atomicAdd(&storage_.items_before_zeros, less);
    // All have read where zeros are, too.
    __syncthreads();
    return storage_.items_before_zeros;
  }

  // Gives sorted zeros their signs.
  template <Arrangement kTo>
  __device__ __forceinline__ void put_signs(Keys& keys, const SignsOfZeros& signs) const {
    if (!signs.are_mixed) return;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      if (!is_zero(to_ordered_bits(keys[i]))) continue;
      const unsigned int zero = position<kTo>(i) - signs.first;
      keys[i] = to_key(MarkSlot{zero}.is_set(storage_.signs) ? kNegativeZero : kPositiveZero);
    }
  }

  // One exchange of a merge: threads take columns, which are kSegments items of a run that lie kSegment positions apart, to their
  // registers, and put them back in order to where they were. Each run of kSegments segments must be bitonic, and is as many
  // bitonic segments afterwards, none of which has an item that is greater than one of the next.
  //
  // Mirrored, the run is two sorted halves in place of one bitonic run: a column has its upper half's items from the position that
  // mirrors the lower half's, so that its first items meet its last ones.
  //
  // kThreads threads in a row share the columns of their own items.
  template <unsigned int kSegment, unsigned int kSegments, bool kMirrored, unsigned int kThreads>
  __device__ __forceinline__ void merge_columns() {
    constexpr unsigned int kRun = kSegment * kSegments;
    constexpr unsigned int kShared = kThreads * kCompositesPerThread;
    constexpr unsigned int kColumns = (kShared + kRun - 1) / kRun * kSegment;
    const unsigned int first = thread_ / kThreads * kShared;
#pragma unroll 1
    for (unsigned int column = thread_ % kThreads; column < kColumns; column += kThreads) {
      const unsigned int start = first + column / kSegment * kRun;
      const unsigned int offset = column % kSegment;
      const unsigned int other_offset = kMirrored ? kSegment - 1 - offset : offset;
      CompositeKey composites[kSegments];
#pragma unroll
      for (unsigned int s = 0; s < kSegments; ++s) {
        const unsigned int from = start + (s < kSegments / 2 ? offset : other_offset);
        composites[s] = column_composite<kSegment, kRun>(from, s);
      }
      merge_column<kSegments, kMirrored>(composites);
#pragma unroll
      for (unsigned int s = 0; s < kSegments; ++s) {
        const unsigned int from = start + (s < kSegments / 2 ? offset : other_offset);
        put_column_composite<kSegment, kRun>(from, s, composites[s]);
      }
    }
  }

  static __device__ __forceinline__ CompositeKey max_composite() {
    CompositeKey maximum;
#pragma unroll
    for (int limb = 0; limb < kCompositeLimbs; ++limb) maximum.limb[limb] = ~0u;
    return maximum;
  }

  // Behind the tile's end a run goes on with items that are greater than all others: they stay there, and are not kept.
  template <unsigned int kSegment, unsigned int kRun>
  __device__ __forceinline__ CompositeKey column_composite(unsigned int from, unsigned int segments) const {
    if (kTileComposites % kRun != 0 && from + segments * kSegment >= kTileComposites) return max_composite();
    return composite_at(Slots::of_step<kSegment>(from, segments));
  }

  template <unsigned int kSegment, unsigned int kRun>
  __device__ __forceinline__ void put_column_composite(unsigned int from, unsigned int segments, const CompositeKey& composite) {
    if (kTileComposites % kRun != 0 && from + segments * kSegment >= kTileComposites) return;
    put_composite(Slots::of_step<kSegment>(from, segments), composite);
  }

  template <unsigned int kSegments, bool kMirrored>
  static __device__ __forceinline__ void merge_column(CompositeKey (&composites)[kSegments]) {
#pragma unroll
    for (unsigned int s = 0; s < kSegments / 2; ++s) {
      order(composites[s], composites[kMirrored ? kSegments - 1 - s : kSegments / 2 + s]);
    }
#pragma unroll
    for (unsigned int distance = kSegments / 4; distance > 0; distance /= 2) {
#pragma unroll
      for (unsigned int s = 0; s < kSegments; ++s) {
        if ((s & distance) == 0) order(composites[s], composites[s + distance]);
      }
    }
  }

  // A thread where runs have kCount lanes, a power of two:
  //
  //   | run: all other bits | pair of lanes: log2(kCount) - 1 bits | second lane of the pair: 1 bit |
  template <unsigned int kCount>
  struct RunLane {
    unsigned int thread;
    __device__ __forceinline__ unsigned int first_of_run() const { return thread - thread % kCount; }
    __device__ __forceinline__ unsigned int pair() const { return thread % kCount / 2; }
    __device__ __forceinline__ unsigned int is_second() const { return thread % 2; }
  };

  // Merges bitonic runs of kCount lanes, from shared memory, to sorted ones. The exchange that brings the first two items
  // together is the reading itself: a lane's registers i and kCompositesPerThread - 1 - i are one item of two lanes that are half a run
  // apart, of the first half of their items in a pair's first lane and of the second half in its second one.
  template <unsigned int kCount>
  __device__ __forceinline__ void merge_from_shared(CompositeKey (&composites)[kCompositesPerThread]) {
    constexpr unsigned int kHalf = kCompositesPerThread / 2;
    const RunLane<kCount> lane{thread_};
    unsigned int lower = (lane.first_of_run() + lane.pair()) * kCompositesPerThread + lane.is_second() * kHalf;
    unsigned int upper = lower + kCount / 2 * kCompositesPerThread;
#pragma unroll
    for (unsigned int i = 0; i < kHalf; i += 2) {
      two_at(Slots::of_run<kHalf>(lower, i), composites[i], composites[i + 1]);
      two_at(Slots::of_run<kHalf>(upper, i), composites[kCompositesPerThread - 1 - i], composites[kCompositesPerThread - 2 - i]);
    }
    // The warp's own part of the tile may be written again.
    __syncwarp();
#pragma unroll
    for (int bit = kCount / 2; bit > 0; bit /= 2) order_and_exchange(composites, bit);
    // What was got last is the other half of the lane's items, in reverse. In odd lanes it comes first, which makes no
    // difference to what is bitonic in a circle.
#pragma unroll
    for (unsigned int i = 0; 2 * i + 1 < kHalf; ++i) {
      const CompositeKey composite = composites[kHalf + i];
      composites[kHalf + i] = composites[kCompositesPerThread - 1 - i];
      composites[kCompositesPerThread - 1 - i] = composite;
    }
    merge_in_lane(composites);
  }

  // Sorts the tile, in whatever arrangement it is: it comes out blocked.
  __device__ __forceinline__ void sort_composites(CompositeKey (&composites)[kCompositesPerThread]) {
    sort_in_lane(composites);
#pragma unroll
    for (int lanes = 2; lanes <= kLanes; lanes *= 2) merge_lanes(composites, lanes);
    // Runs of 64 threads.
    run_to_shared(composites);
    __syncthreads();
    merge_columns<32, 8, true, kBlockThreads>();
    __syncthreads();
    merge_from_shared<8>(composites);
    // Runs of 128 threads.
    run_to_shared(composites);
    __syncthreads();
    merge_columns<64, 8, true, kBlockThreads>();
    __syncthreads();
    merge_from_shared<16>(composites);
    // Both sequences, one rising and one falling, as one.
    pack_pairs(composites);
    run_to_shared(composites);
    __syncthreads();
    merge_columns<64, 8, false, kBlockThreads>();
    __syncthreads();
    merge_from_shared<16>(composites);
  }

  // Sorts the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void sort(Keys& keys, unsigned int valid_items) {
    // Items past valid_items have all bits set: should a key have them too, it does not matter which of the two comes out as it.
    Bits bits[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) bits[i] = to_ordered_bits(keys[i]);
    if (valid_items < kTileItems) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        if (position<kFrom>(i) >= valid_items) bits[i] = 0xffffu;
      }
    }
    CompositeKey composites[kCompositesPerThread];
#pragma unroll
    for (int i = 0; i < kCompositesPerThread; ++i) composites[i] = composite_of(bits[i], bits[kCompositesPerThread + i]);
    const SignsOfZeros signs = signs_of_zeros<kFrom>(bits);
    sort_composites(composites);
    split<kTo>(composites, keys);
    put_signs<kTo>(keys, signs);
  }

  // The keys of the sorted tile: the first half of them is lower in the composite keys, the second half upper.
  template <Arrangement kTo>
  __device__ __forceinline__ void split(const CompositeKey (&composites)[kCompositesPerThread], Keys& keys) {
    run_to_shared(composites);
    __syncthreads();
    if constexpr (kTo == Arrangement::kStriped || (kTo == Arrangement::kWarpStriped && kBlockThreads == kLanes)) {
#pragma unroll
      for (int i = 0; i < kCompositesPerThread; ++i) {
        const PackedPair pair{composite_at(Slots::of_step<kBlockThreads>(thread_, i)).limb[0]};
        keys[i] = to_key(pair.lower());
        keys[kCompositesPerThread + i] = to_key(pair.upper());
      }
    } else {
      // A thread has keys of one half alone.
      const unsigned int first = position<kTo>(0);
      const bool is_upper = first >= kTileComposites;
      const unsigned int from = is_upper ? first - kTileComposites : first;
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        const PackedPair pair{composite_at(Slots::of_step<kStride<kTo>>(from, i)).limb[0]};
        keys[i] = to_key(pair.either(is_upper));
      }
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
                                                 unsigned int valid_items) {
    constexpr Arrangement kLoaded = Arrangement::kStriped;
    constexpr Arrangement kStored = Arrangement::kStriped;
    // The thread's first item; the others follow, kStride<kLoaded> apart.
    const unsigned int first = position<kLoaded>(0);
    Keys keys;
    load<kStride<kLoaded>>(keys, keys_in, first, valid_items);
    sort<kLoaded, kStored>(keys, valid_items);
    const unsigned int first_stored = kStored == kLoaded ? first : position<kStored>(0);
    store<kStride<kStored>>(keys, keys_out, first_stored, valid_items);
  }

  TempStorage& storage_;
  const unsigned int thread_;
  const unsigned int lane_;
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

// Each block sorts its own tile of an array of n items. Launch ceil(n / kTileItems) blocks of kBlockX x kBlockY x kBlockZ
// threads with kSharedBytes of dynamic shared memory. In place or not.
//
// Its name is the same in every file of a program: one file defines it, in the others `#define SORTSMITH_DECLARE_KERNELS` comes before this header.
extern "C" __global__ void
block_bitonic_sort_f16_keys_b128_i8_desc_stable_tile(
    const __half* keys_in, __half* keys_out,
    unsigned long long n);
#if !defined(SORTSMITH_DECLARE_KERNELS) && !defined(SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B128_I8_DESC_STABLE_TILE)
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B128_I8_DESC_STABLE_TILE
extern "C" __global__ void __launch_bounds__(128, 8)
block_bitonic_sort_f16_keys_b128_i8_desc_stable_tile(
    const __half* keys_in, __half* keys_out,
    unsigned long long n) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::block_bitonic_sort_f16_keys_b128_i8_desc_stable;
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared))
      .SortTile(keys_in, keys_out, n);
}
#endif

#endif  // a compiler of the host alone
