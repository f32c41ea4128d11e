// block_bitonic_sort_f32_u8_b1_i8_asc_stable
//
// Sorts f32 keys with 1-byte values, ascending: a block of 1 threads sorts a tile of 8 items by a
// network of comparisons, in registers, and in shared memory. Stable: equal keys keep their input order.
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
// In a kernel of 1 threads, with Keys an array of 8 keys and Values one of 8 values:
//   using Sort = sortsmith::block_bitonic_sort_f32_u8_b1_i8_asc_stable;
//   __shared__ Sort::TempStorage storage;
//   Sort(storage).Sort(keys, values);
//
// Made by sortsmith 0.1.0 from the template block_comparison_sort; to make it again:
//   sortsmith emit --name block_bitonic_sort_f32_u8_b1_i8_asc_stable --out .
#if defined(__cplusplus) && __cplusplus < 201703L && !defined(_MSC_VER)
#error "this header needs C++17: nvcc -std=c++17"
#endif
#pragma once

#if !defined(__CUDACC__) && !defined(SORTSMITH_EMULATOR)
// To a compiler of the host alone the struct has the sort's constants.
#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F32_U8_B1_I8_ASC_STABLE
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F32_U8_B1_I8_ASC_STABLE
namespace sortsmith {
inline namespace v0_1_0 {

struct block_bitonic_sort_f32_u8_b1_i8_asc_stable {
  // Which thread holds which position of the tile. Thread t's item i is at
  //   kBlocked:     t * kItemsPerThread + i
  //   kStriped:     i * kBlockThreads + t
  //   kWarpStriped: the same as kStriped, within each warp's own 32 * kItemsPerThread positions
  enum class Arrangement { kBlocked, kStriped, kWarpStriped };

  static constexpr int kBlockX = 1;
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
  static constexpr unsigned int kSharedBytes = 64;
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

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F32_U8_B1_I8_ASC_STABLE
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F32_U8_B1_I8_ASC_STABLE
namespace sortsmith {
inline namespace v0_1_0 {

struct block_bitonic_sort_f32_u8_b1_i8_asc_stable {
  using Key = float;
  using Value = unsigned char;

  // Which thread holds which position of the tile. Thread t's item i is at
  //   kBlocked:     t * kItemsPerThread + i
  //   kStriped:     i * kBlockThreads + t
  //   kWarpStriped: the same as kStriped, within each warp's own 32 * kItemsPerThread positions
  enum class Arrangement { kBlocked, kStriped, kWarpStriped };

  static constexpr int kBlockX = 1;
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
  static constexpr unsigned int kSharedBytes = 64;
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
  explicit __device__ __forceinline__ block_bitonic_sort_f32_u8_b1_i8_asc_stable(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x + kBlockX * (threadIdx.y + kBlockY * threadIdx.z)) {}

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

  // Sorts the tile, in whatever arrangement it is: it comes out blocked.
  __device__ __forceinline__ void sort_composites(CompositeKey (&composites)[kItemsPerThread]) {
    sort_in_lane(composites);
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
    sort_composites(composites);
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
    constexpr Arrangement kLoaded = Arrangement::kStriped;
    constexpr Arrangement kStored = Arrangement::kStriped;
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
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#endif  // a compiler of the host alone
