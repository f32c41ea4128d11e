// block_merge_sort_f32_u32_b256_i8_asc
//
// Sorts f32 keys with 4-byte values, ascending: a block of 256 threads sorts a tile of 2048 items by
// merging: each warp sorts its own items by a network, and runs are merged in shared memory. Stable: equal keys keep their input order.
//
// Keys order by sign and magnitude. -0.0 and +0.0 are equal. NaNs order by their bits: those with the sign bit set are
// less than all numbers, the others greater.
//
// A value does not move with its key. Its source position does, and the value itself moves once, at the end.
//
//   tile           the items that the block sorts
//   composite key  what is compared: a key's ordered bits, with the index in the input below them where equal keys are told apart
//   run            sorted items of a tile, of which two are merged
//
// In a kernel of 256 threads, with Keys an array of 8 keys and Values one of 8 values:
//   using Sort = sortsmith::block_merge_sort_f32_u32_b256_i8_asc;
//   __shared__ Sort::TempStorage storage;
//   Sort(storage).Sort(keys, values);
//
// Made by sortsmith 0.1.0 from the template block_comparison_sort; to make it again:
//   sortsmith emit --name block_merge_sort_f32_u32_b256_i8_asc --tile-kernel --counted-rows-kernel --out .
#if defined(__cplusplus) && __cplusplus < 201703L && !defined(_MSC_VER)
#error "this header needs C++17: nvcc -std=c++17"
#endif
#pragma once

#if !defined(__CUDACC__) && !defined(SORTSMITH_EMULATOR)
// To a compiler of the host alone the struct has the sort's constants.
#ifndef SORTSMITH_V0_1_0_BLOCK_MERGE_SORT_F32_U32_B256_I8_ASC
#define SORTSMITH_V0_1_0_BLOCK_MERGE_SORT_F32_U32_B256_I8_ASC
namespace sortsmith {
inline namespace v0_1_0 {

struct block_merge_sort_f32_u32_b256_i8_asc {
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
  static constexpr int kKeyBits = 32;
  static constexpr bool kDescending = false;
  static constexpr bool kHasValues = true;
  static constexpr bool kIndexValues = false;
  static constexpr Arrangement kInput = Arrangement::kBlocked;
  static constexpr Arrangement kOutput = Arrangement::kBlocked;
  // sizeof(TempStorage): a tile kernel's dynamic shared memory. Past 48 KB the storage must be dynamic, and the kernel's
  // limit raised by cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes).
  static constexpr unsigned int kSharedBytes = 17392;
  static constexpr bool kStable = true;
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

#ifndef SORTSMITH_V0_1_0_BLOCK_MERGE_SORT_F32_U32_B256_I8_ASC
#define SORTSMITH_V0_1_0_BLOCK_MERGE_SORT_F32_U32_B256_I8_ASC
namespace sortsmith {
inline namespace v0_1_0 {

struct block_merge_sort_f32_u32_b256_i8_asc {
  using Key = float;
  using Value = unsigned int;

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
  static constexpr int kKeyBits = 32;
  static constexpr bool kDescending = false;
  static constexpr bool kHasValues = true;
  static constexpr bool kIndexValues = false;
  static constexpr Arrangement kInput = Arrangement::kBlocked;
  static constexpr Arrangement kOutput = Arrangement::kBlocked;
  // sizeof(TempStorage): a tile kernel's dynamic shared memory. Past 48 KB the storage must be dynamic, and the kernel's
  // limit raised by cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes).
  static constexpr unsigned int kSharedBytes = 17392;
  static constexpr bool kStable = true;

  // One thread's items.
  using Keys = Key[kItemsPerThread];
  using Values = Value[kItemsPerThread];

 private:
  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = unsigned int;
  using StoredBits = unsigned int;
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

  // What the network compares: a key's ordered bits and, below them, its item's tie-break index.
  //
  // A tie-break index is the item's position in the tile's input order, and a bit that says that the key is -0.0, which has +0.0's bits
  // here:
  //
  //   | position | is_negative_zero: 1 bit |
  //
  // So no two composite keys are equal: equal keys keep their order, and items past valid_items, with all bits set, come last.
  static constexpr int kTieBreakLimbs = 1;
  static constexpr int kCompositeLimbs = kTieBreakLimbs + sizeof(Bits) / 4;
  static constexpr int kMarkBits = 1;
  using CompositeKey = Limbs<kCompositeLimbs>;

  static __device__ __forceinline__ CompositeKey composite_of(Bits bits, unsigned int tie_break) {
    CompositeKey composite;
    composite.limb[0] = tie_break;
#pragma unroll
    for (int i = kTieBreakLimbs; i < kCompositeLimbs; ++i) composite.limb[i] = static_cast<unsigned int>(bits >> (32 * (i - kTieBreakLimbs)));
    return composite;
  }

  static __device__ __forceinline__ CompositeKey composite_of(Key key, unsigned int position, bool is_valid) {
    if (!is_valid) return composite_of(kAllBits, position << kMarkBits);
    const Bits ordered = to_ordered_bits(key);
    const Bits compared = compared_bits(ordered);
    return composite_of(compared, position << kMarkBits | (compared != ordered ? 1u : 0u));
  }

  static __device__ __forceinline__ unsigned int tie_break_of(const CompositeKey& composite) { return composite.limb[0]; }

  static __device__ __forceinline__ unsigned int position_of(const CompositeKey& composite) { return tie_break_of(composite) >> kMarkBits; }

  static __device__ __forceinline__ Bits bits_of(const CompositeKey& composite) {
    Bits bits = 0;
#pragma unroll
    for (int i = kTieBreakLimbs; i < kCompositeLimbs; ++i) bits |= static_cast<Bits>(composite.limb[i]) << (32 * (i - kTieBreakLimbs));
    return bits;
  }

  static __device__ __forceinline__ bool is_negative_zero(const CompositeKey& composite) { return (tie_break_of(composite) & 1u) != 0; }

  static __device__ __forceinline__ Key key_of(const CompositeKey& composite) {
    // -0.0 is next to +0.0.
    return to_key(is_negative_zero(composite) ? bits_of(composite) - 1u : bits_of(composite));
  }

  // Values are fetched a word at a time.
  static constexpr int kValueWords = 1;
  using Slots = GappedSlots<32, 2>;

 public:
  // The tile's composite keys, limb by limb.
  struct TempStorage {
    alignas(8) unsigned int composites[kCompositeLimbs][Slots::count(kTileItems)];
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  // All threads of the block share one storage. It may be used again, by this or anything else, after a barrier.
  explicit __device__ __forceinline__ block_merge_sort_f32_u32_b256_i8_asc(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x + kBlockX * (threadIdx.y + kBlockY * threadIdx.z)), lane_(lane_of(thread_)) {}

  // The members below sort one tile. All threads of the block call the same one, with the same valid_items.
  //   valid_items: the first valid_items items of the tile are sorted and come out in front. What the others hold does not
  //                matter, and is unspecified afterwards.

  // From blocked to blocked arrangement.
  __device__ __forceinline__ void Sort(Keys& keys, Values& values) {
    sort<Arrangement::kBlocked, Arrangement::kBlocked>(keys, values, kTileItems);
  }
  __device__ __forceinline__ void Sort(Keys& keys, Values& values, int valid_items) {
    sort<Arrangement::kBlocked, Arrangement::kBlocked>(keys, values, valid_items);
  }

  // From blocked to striped arrangement.
  __device__ __forceinline__ void SortBlockedToStriped(Keys& keys, Values& values) {
    sort<Arrangement::kBlocked, Arrangement::kStriped>(keys, values, kTileItems);
  }
  __device__ __forceinline__ void SortBlockedToStriped(Keys& keys, Values& values, int valid_items) {
    sort<Arrangement::kBlocked, Arrangement::kStriped>(keys, values, valid_items);
  }

  // Sorts the block's own tile of an array of n items: the tile from kTileItems * blockIdx.x on. In place or not.
  // Neighbouring lanes read and write neighbouring items.
  __device__ __forceinline__ void SortTile(const Key* keys_in, Key* keys_out, const Value* values_in, Value* values_out,
                                           unsigned long long n) {
    const unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
    if (start >= n) return;
    const unsigned int valid_items = n - start < kTileItems ? static_cast<unsigned int>(n - start) : kTileItems;
    sort_in_memory(keys_in + start, keys_out + start, values_in + start, values_out + start, valid_items);
  }

  // Sorts the block's own row of an array: row r is the `columns` items from r * stride on, columns <= kTileItems and columns <= stride,
  // and block b's is row b. In place or not; items between rows are not touched.
  __device__ __forceinline__ void SortRow(const Key* keys_in, Key* keys_out, const Value* values_in, Value* values_out,
                                          unsigned long long rows, unsigned int columns, unsigned long long stride) {
    if (blockIdx.x >= rows) return;
    const unsigned long long start = blockIdx.x * stride;
    sort_in_memory(keys_in + start, keys_out + start, values_in + start, values_out + start, columns);
  }

 private:
  // Puts the smaller of two of a lane's items in the first slot.
  template <typename T>
  static __device__ __forceinline__ void order(T& first, T& second) {
    const bool is_wrong = is_less<kCompositeLimbs>(second, first);
    const T smaller = either(is_wrong, second, first);
    second = either(is_wrong, first, second);
    first = smaller;
  }

  // Sorts a lane's items: 19 comparators.
  template <typename T>
  static __device__ __forceinline__ void sort_in_lane(T (&items)[kItemsPerThread]) {
    order(items[0], items[4]); order(items[1], items[5]); order(items[2], items[6]); order(items[3], items[7]);
    order(items[0], items[2]); order(items[1], items[3]); order(items[4], items[6]); order(items[5], items[7]);
    order(items[2], items[4]); order(items[3], items[5]); order(items[0], items[1]); order(items[6], items[7]);
    order(items[2], items[3]); order(items[4], items[5]);
    order(items[1], items[4]); order(items[3], items[6]);
    order(items[1], items[2]); order(items[3], items[4]); order(items[5], items[6]);
  }

  // Sorts a lane's items if they are bitonic, rising and then falling or so in a circle: 12 comparators.
  template <typename T>
  static __device__ __forceinline__ void merge_in_lane(T (&items)[kItemsPerThread]) {
    order(items[0], items[4]); order(items[1], items[5]); order(items[2], items[6]); order(items[3], items[7]);
    order(items[0], items[2]); order(items[1], items[3]); order(items[4], items[6]); order(items[5], items[7]);
    order(items[0], items[1]); order(items[2], items[3]); order(items[4], items[5]); order(items[6], items[7]);
  }

  // Lanes of a warp.
  static constexpr int kLanes = 32;

  // A lane's registers i and kItemsPerThread - 1 - i are a pair, which is compared in one lane alone. Then the lanes with a
  // number that has the bit keep the greater item and send the smaller one to the lane across, the others the other way round: so
  // one shuffle brings the next two to compare together.
  template <typename T>
  __device__ __forceinline__ void order_and_exchange(T (&items)[kItemsPerThread], int bit) const {
    const bool keeps_greater = (lane_ & bit) != 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread / 2; ++i) {
      T& own = items[i];
      T& other = items[kItemsPerThread - 1 - i];
      const bool keeps_other = is_less<kCompositeLimbs>(other, own) != keeps_greater;
      const T sent = either(keeps_other, own, other);
      own = either(keeps_other, other, own);
      other = across(sent, bit);
    }
  }

  // Merges sorted runs of half as many lanes, two by two, to runs of `lanes` lanes. Lanes l and ~l first compare items in mirrored
  // order, and what is left are bitonic halves; these halve themselves until each is one lane's.
  //
  // What is compared last stays in the lane's registers, and what was before goes to another lane. So runs do not lie lane by
  // lane: the number of the k-th lane of a run of R lanes has the bits of k in reverse at the upper end, and only in
  // the last merge, of all lanes, does that come to k itself.
  template <typename T>
  __device__ __forceinline__ void merge_lanes(T (&items)[kItemsPerThread], int lanes) const {
#pragma unroll
    for (int i = kItemsPerThread / 2; i < kItemsPerThread; ++i) {
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

  // Each thread's items to its own run of the tile.
  __device__ __forceinline__ void run_to_shared(const CompositeKey (&composites)[kItemsPerThread]) {
    const unsigned int start = thread_ * kItemsPerThread;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; i += 2) put_two(Slots::of_run<kItemsPerThread>(start, i), composites[i], composites[i + 1]);
  }

  // Moves the sorted tile from blocked to another arrangement.
  template <Arrangement kTo>
  __device__ __forceinline__ void rearrange(CompositeKey (&composites)[kItemsPerThread]) {
    if constexpr (kTo != Arrangement::kBlocked) {
      run_to_shared(composites);
      if constexpr (kTo == Arrangement::kWarpStriped) {
        // Every item stays in its warp.
        __syncwarp();
      } else {
        __syncthreads();
      }
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) composites[i] = composite_at(Slots::of_step<kStride<kTo>>(position<kTo>(0), i));
    }
  }

  // Merges sorted runs of half as many threads, two by two, from shared memory. Each thread makes kItemsPerThread items of the
  // merged run.
  template <unsigned int kThreads>
  __device__ __forceinline__ void merge_runs(CompositeKey (&composites)[kItemsPerThread]) const {
    constexpr unsigned int kHalf = kThreads / 2 * kItemsPerThread;
    const unsigned int start = thread_ / kThreads * (2 * kHalf);
    const unsigned int middle = in_tile<2 * kHalf>(start + kHalf);
    const unsigned int end = in_tile<2 * kHalf>(start + 2 * kHalf);
    const unsigned int before = thread_ % kThreads * kItemsPerThread;
    const unsigned int of_first = items_of_first_run(middle - start, end - middle, before, [&](unsigned int i, unsigned int j) {
      return !is_less<kCompositeLimbs>(composite_at(Slots::of(middle + j)), composite_at(Slots::of(start + i)));
    });
    unsigned int first = start + of_first;
    unsigned int second = middle + before - of_first;
    CompositeKey of_one = composite_below(first, middle);
    CompositeKey of_other = composite_below(second, end);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const bool takes_other = is_less<kCompositeLimbs>(of_other, of_one);
      composites[i] = either(takes_other, of_other, of_one);
      if (i == kItemsPerThread - 1) break;
      first += takes_other ? 0 : 1;
      second += takes_other ? 1 : 0;
      const CompositeKey next = composite_below(takes_other ? second : first, takes_other ? end : middle);
      of_one = either(takes_other, of_one, next);
      of_other = either(takes_other, next, of_other);
    }
  }

  // The item at a position of a run that ends at `end`. Behind it are items that are greater than all others, or equal to them in
  // all bits.
  __device__ __forceinline__ CompositeKey composite_below(unsigned int position, unsigned int end) const {
    if (position < end) return composite_at(Slots::of(position));
    CompositeKey maximum;
#pragma unroll
    for (int limb = 0; limb < kCompositeLimbs; ++limb) maximum.limb[limb] = ~0u;
    return maximum;
  }

  // The last runs may end with the tile.
  template <unsigned int kRun>
  static __device__ __forceinline__ unsigned int in_tile(unsigned int position) {
    return kTileItems % kRun != 0 && position > kTileItems ? kTileItems : position;
  }

  // Whether the thread has some of the items before `end`.
  __device__ __forceinline__ bool has_items(unsigned int end) const { return thread_ * kItemsPerThread < end; }

  // Whether the second of the thread's two runs, which become one of kThreads threads, has some of them. Else the first one is the result.
  template <unsigned int kThreads>
  __device__ __forceinline__ bool has_second_run(unsigned int end) const {
    return (thread_ / kThreads * kThreads + kThreads / 2) * kItemsPerThread < end;
  }

  // Sorts the tile, in whatever arrangement it is: it comes out blocked. Positions from `end` on, full warps of them, have items that are
  // greater than all others and come out in any order, so their warps sort and merge nothing.
  __device__ __forceinline__ void sort_composites(CompositeKey (&composites)[kItemsPerThread], unsigned int end) {
    if (has_items(end)) {
      sort_in_lane(composites);
#pragma unroll
      for (int lanes = 2; lanes <= kLanes; lanes *= 2) merge_lanes(composites, lanes);
    }
    // Runs of 64 threads.
    run_to_shared(composites);
    __syncthreads();
    if (has_items(end) && has_second_run<64>(end)) merge_runs<64>(composites);
    // All have read what is written next.
    __syncthreads();
    // Runs of 128 threads.
    run_to_shared(composites);
    __syncthreads();
    if (has_items(end) && has_second_run<128>(end)) merge_runs<128>(composites);
    // All have read what is written next.
    __syncthreads();
    // Runs of 256 threads.
    run_to_shared(composites);
    __syncthreads();
    if (has_items(end) && has_second_run<256>(end)) merge_runs<256>(composites);
    // All have read what is written next.
    __syncthreads();
  }

  // The end of the warps that have valid items, which is that of the tile where all warps have some of any.
  template <Arrangement kFrom>
  static __device__ __forceinline__ unsigned int end_of_warps(unsigned int valid_items) {
    constexpr unsigned int kWarpItems = 32 * kItemsPerThread;
    if constexpr (kFrom == Arrangement::kStriped || kTileItems % kWarpItems != 0) {
      return kTileItems;
    } else {
      return (valid_items + kWarpItems - 1) / kWarpItems * kWarpItems;
    }
  }

  // Sorts the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void sort(Keys& keys, Values& values, unsigned int valid_items) {
    CompositeKey composites[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) composites[i] = composite_of(keys[i], position<kFrom>(i), true);
    if (valid_items < kTileItems) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        if (position<kFrom>(i) >= valid_items) composites[i] = composite_of(Key(), position<kFrom>(i), false);
      }
    }
    sort_composites(composites, end_of_warps<kFrom>(valid_items));
    rearrange<kTo>(composites);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      keys[i] = key_of(composites[i]);
    }
    fetch_values<kFrom>(values, composites);
  }

  // Brings each item's value from its position in the input, a word at a time.
  template <Arrangement kFrom>
  __device__ __forceinline__ void fetch_values(Values& values, const CompositeKey (&composites)[kItemsPerThread]) {
    Limbs<kValueWords> value_limbs[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) value_limbs[i] = limbs_of<kValueWords>(values[i]);
#pragma unroll
    for (int w = 0; w < kValueWords; ++w) {
      // The tile, or the word before, has been read.
      __syncthreads();
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) storage_.composites[0][Slots::of(position<kFrom>(i))] = value_limbs[i].limb[w];
      __syncthreads();
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) value_limbs[i].limb[w] = storage_.composites[0][Slots::of(position_of(composites[i]))];
    }
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) values[i] = value_of_limbs<Value>(value_limbs[i]);
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
  __device__ __forceinline__ void sort_in_memory(const Key* keys_in, Key* keys_out, const Value* values_in, Value* values_out,
                                                 unsigned int valid_items) {
    constexpr Arrangement kLoaded = Arrangement::kWarpStriped;
    constexpr Arrangement kStored = Arrangement::kWarpStriped;
    // The thread's first item; the others follow, kStride<kLoaded> apart.
    const unsigned int first = position<kLoaded>(0);
    Keys keys;
    load<kStride<kLoaded>>(keys, keys_in, first, valid_items);
    Values values;
    load<kStride<kLoaded>>(values, values_in, first, valid_items);
    sort<kLoaded, kStored>(keys, values, valid_items);
    const unsigned int first_stored = kStored == kLoaded ? first : position<kStored>(0);
    store<kStride<kStored>>(keys, keys_out, first_stored, valid_items);
    store<kStride<kStored>>(values, values_out, first_stored, valid_items);
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
block_merge_sort_f32_u32_b256_i8_asc_tile(
    const float* keys_in, float* keys_out,
    const unsigned int* values_in, unsigned int* values_out,
    unsigned long long n);
#if !defined(SORTSMITH_DECLARE_KERNELS) && !defined(SORTSMITH_V0_1_0_BLOCK_MERGE_SORT_F32_U32_B256_I8_ASC_TILE)
#define SORTSMITH_V0_1_0_BLOCK_MERGE_SORT_F32_U32_B256_I8_ASC_TILE
extern "C" __global__ void __launch_bounds__(256)
block_merge_sort_f32_u32_b256_i8_asc_tile(
    const float* keys_in, float* keys_out,
    const unsigned int* values_in, unsigned int* values_out,
    unsigned long long n) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::block_merge_sort_f32_u32_b256_i8_asc;
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared))
      .SortTile(keys_in, keys_out, values_in, values_out, n);
}
#endif

// Sorts the first rows of an array, as many as a number in memory says, or where counts_columns is not 0 the first items of each row: row r is the
// `columns` items from r * stride on, and is sorted as SortRow says, by as many blocks as all rows take. The number has count_bytes bytes, 4 or 8; more
// than there are count as all. The others are not touched, and blocks without a row end at once.
extern "C" __global__ void
block_merge_sort_f32_u32_b256_i8_asc_counted_rows(
    const float* keys_in, float* keys_out,
    const unsigned int* values_in, unsigned int* values_out,
    unsigned long long rows, unsigned int columns, unsigned long long stride,
    const void* count, unsigned int count_bytes, int counts_columns);
#if !defined(SORTSMITH_DECLARE_KERNELS) && !defined(SORTSMITH_V0_1_0_BLOCK_MERGE_SORT_F32_U32_B256_I8_ASC_COUNTED_ROWS)
#define SORTSMITH_V0_1_0_BLOCK_MERGE_SORT_F32_U32_B256_I8_ASC_COUNTED_ROWS
extern "C" __global__ void __launch_bounds__(256)
block_merge_sort_f32_u32_b256_i8_asc_counted_rows(
    const float* keys_in, float* keys_out,
    const unsigned int* values_in, unsigned int* values_out,
    unsigned long long rows, unsigned int columns, unsigned long long stride,
    const void* count, unsigned int count_bytes, int counts_columns) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  const unsigned long long counted = sortsmith::number_at(count, count_bytes, 0);
  if (counts_columns == 0) {
    rows = counted < rows ? counted : rows;
  } else {
    columns = counted < columns ? static_cast<unsigned int>(counted) : columns;
  }
  if (columns == 0) return;
  using Sort = sortsmith::block_merge_sort_f32_u32_b256_i8_asc;
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared))
      .SortRow(keys_in, keys_out, values_in, values_out, rows, columns, stride);
}
#endif

#endif  // a compiler of the host alone
