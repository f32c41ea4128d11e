// warp_bitonic_sort_f32_u32_w8_i4_asc
//
// Sorts f32 keys with 4-byte values, ascending: a logical warp of 8 lanes sorts a tile of 32 items in registers, by
// shuffles. Not stable: equal keys come out in any order.
//
// Keys order by sign and magnitude. -0.0 and +0.0 are equal. NaNs order by their bits: those with the sign bit set are
// less than all numbers, the others greater.
//
//   tile           the items that the lanes of a logical warp sort
//   composite key  what is compared: a key's ordered bits, with the index in the input below them where equal keys are told apart
//   step           comparisons of items that are equally far apart, within a lane or by one shuffle
//
// In a kernel, with Keys an array of 4 keys and Values one of 4 values:
//   using Sort = sortsmith::warp_bitonic_sort_f32_u32_w8_i4_asc;
//   Sort().Sort(keys, values);
//
// Made by sortsmith 0.1.0 from the template warp_bitonic_sort; to make it again:
//   sortsmith emit --name warp_bitonic_sort_f32_u32_w8_i4_asc --tile-kernel --out .
#if defined(__cplusplus) && __cplusplus < 201703L && !defined(_MSC_VER)
#error "this header needs C++17: nvcc -std=c++17"
#endif
#pragma once

#if !defined(__CUDACC__) && !defined(SORTSMITH_EMULATOR)
// To a compiler of the host alone the struct has the sort's constants.
#ifndef SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F32_U32_W8_I4_ASC
#define SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F32_U32_W8_I4_ASC
namespace sortsmith {
inline namespace v0_1_0 {

struct warp_bitonic_sort_f32_u32_w8_i4_asc {
  // Which lane of the logical warp holds which position of the tile. Lane l's item i is at
  //   kBlocked: l * kItemsPerThread + i
  //   kStriped: i * kLanes + l
  enum class Arrangement { kBlocked, kStriped };

  // Lanes of a logical warp: threads of a block from a multiple of kLanes on. The block may have any shape and any number
  // of them.
  static constexpr int kLanes = 8;
  static constexpr int kItemsPerThread = 4;
  static constexpr int kTileItems = kLanes * kItemsPerThread;
  static constexpr int kKeyBits = 32;
  static constexpr bool kStable = false;
  static constexpr bool kDescending = false;
  static constexpr bool kHasValues = true;
  static constexpr bool kIndexValues = false;
  static constexpr Arrangement kInput = Arrangement::kBlocked;
  static constexpr Arrangement kOutput = Arrangement::kBlocked;
  // The tile kernel's block, its tiles, and its dynamic shared memory.
  static constexpr int kBlockThreads = 128;
  static constexpr int kTilesPerBlock = kBlockThreads / kLanes;
  static constexpr int kRowsPerWarp = 32 / kLanes;
  static constexpr unsigned int kSharedBytes = 0;
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

#ifndef SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F32_U32_W8_I4_ASC
#define SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F32_U32_W8_I4_ASC
namespace sortsmith {
inline namespace v0_1_0 {

struct warp_bitonic_sort_f32_u32_w8_i4_asc {
  using Key = float;
  using Value = unsigned int;

  // Which lane of the logical warp holds which position of the tile. Lane l's item i is at
  //   kBlocked: l * kItemsPerThread + i
  //   kStriped: i * kLanes + l
  enum class Arrangement { kBlocked, kStriped };

  // Lanes of a logical warp: threads of a block from a multiple of kLanes on. The block may have any shape and any number
  // of them.
  static constexpr int kLanes = 8;
  static constexpr int kItemsPerThread = 4;
  static constexpr int kTileItems = kLanes * kItemsPerThread;
  static constexpr int kKeyBits = 32;
  static constexpr bool kStable = false;
  static constexpr bool kDescending = false;
  static constexpr bool kHasValues = true;
  static constexpr bool kIndexValues = false;
  static constexpr Arrangement kInput = Arrangement::kBlocked;
  static constexpr Arrangement kOutput = Arrangement::kBlocked;
  // The tile kernel's block, its tiles, and its dynamic shared memory.
  static constexpr int kBlockThreads = 128;
  static constexpr int kTilesPerBlock = kBlockThreads / kLanes;
  static constexpr int kRowsPerWarp = 32 / kLanes;
  static constexpr unsigned int kSharedBytes = 0;

  // One lane's items.
  using Keys = Key[kItemsPerThread];
  using Values = Value[kItemsPerThread];

  __device__ __forceinline__ warp_bitonic_sort_f32_u32_w8_i4_asc() : lane_(lane_of_thread() % kLanes) {}

  // The members below sort one tile of each logical warp. All threads of a (hardware) warp call the same one together.
  //   valid_items: the first valid_items items of the tile are sorted and come out in front. What the others hold does not
  //                matter, and is unspecified afterwards. The same in a logical warp, its own in each.

  // From blocked to blocked arrangement.
  __device__ __forceinline__ void Sort(Keys& keys, Values& values) const {
    sort<Arrangement::kBlocked, Arrangement::kBlocked>(keys, values);
  }
  __device__ __forceinline__ void Sort(Keys& keys, Values& values, int valid_items) const {
    sort<Arrangement::kBlocked, Arrangement::kBlocked>(keys, values, valid_items);
  }

  // From blocked to striped arrangement.
  __device__ __forceinline__ void SortBlockedToStriped(Keys& keys, Values& values) const {
    sort<Arrangement::kBlocked, Arrangement::kStriped>(keys, values);
  }
  __device__ __forceinline__ void SortBlockedToStriped(Keys& keys, Values& values, int valid_items) const {
    sort<Arrangement::kBlocked, Arrangement::kStriped>(keys, values, valid_items);
  }

  // Sorts the logical warp's own tile of an array of n items: in a grid of one-dimensional blocks of kBlockThreads threads, the
  // t-th logical warp's is the tile from t * kTileItems on. In place or not. All threads of the block call it.
  __device__ __forceinline__ void SortTile(const Key* keys_in, Key* keys_out, const Value* values_in, Value* values_out,
                                           unsigned long long n) const {
    constexpr unsigned int kBlockItems = kTilesPerBlock * kTileItems;
    const unsigned long long block_start = static_cast<unsigned long long>(blockIdx.x) * kBlockItems;
    if (block_start >= n) return;
    const unsigned long long start = block_start + threadIdx.x / kLanes * kTileItems;
    const bool is_full = n - block_start >= kBlockItems &&
                          are_aligned(keys_in, keys_out, values_in, values_out);
    const unsigned long long left = start < n ? n - start : 0;
    const unsigned int valid_items = left < kTileItems ? static_cast<unsigned int>(left) : kTileItems;
    sort_in_memory(keys_in + start, keys_out + start, values_in + start, values_out + start, valid_items, is_full);
  }

  // Sorts the logical warp's own row of an array: row r is the `columns` items from r * stride on, columns <= kTileItems and
  // columns <= stride. In a grid of one-dimensional blocks of kBlockThreads threads, the r-th logical warp's is row r. In place or not;
  // items between rows are not touched. All threads of the block call it.
  __device__ __forceinline__ void SortRow(const Key* keys_in, Key* keys_out, const Value* values_in, Value* values_out,
                                          unsigned long long rows, unsigned int columns, unsigned long long stride) const {
    const unsigned long long first_of_block = static_cast<unsigned long long>(blockIdx.x) * kTilesPerBlock;
    if (first_of_block >= rows) return;
    // Vectors are moved where each row begins at one.
    const bool is_full = rows - first_of_block >= kTilesPerBlock &&
                         columns == kTileItems && stride % kReadItems == 0 && stride % kWrittenItems == 0 &&
                         are_aligned(keys_in, keys_out, values_in, values_out);
    const unsigned long long row = first_of_block + threadIdx.x / kLanes;
    const unsigned long long start = row * stride;
    const unsigned int valid_items = row < rows ? columns : 0;
    __shared__ __align__(16) unsigned char s_staged[kBlockThreads / kWarpThreads * sizeof(StagedRows)];
    static_assert(sizeof(s_staged) == 5120, "rows are laid out as planned");
    StagedRows& staged = reinterpret_cast<StagedRows*>(s_staged)[warp_of(threadIdx.x)];
    CompositeKey composites[kItemsPerThread];
    if (is_full) {
      load_full(keys_in + start, values_in + start, composites);
      // All lanes have read before one writes.
      __syncwarp();
    } else {
      load_row(keys_in + start, values_in + start, staged, composites, valid_items);
    }
    sort_items(composites);
    Key* const row_out = keys_out + start;
    if (is_full) {
      store_full(composites, row_out, values_out + start);
    } else {
      store_row(composites, row_out, values_out + start, staged, valid_items);
    }
  }

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

  // In a full tile nothing has to come last, and values are the tie-break indices: equal keys come out by their values,
  // and -0.0 is less than +0.0.
  static __device__ __forceinline__ CompositeKey pair_of(Key key, Value value) {
    return composite_of(to_ordered_bits(key), static_cast<unsigned int>(value));
  }
  static __device__ __forceinline__ Key key_of_pair(const CompositeKey& pair) { return to_key(bits_of(pair)); }
  static __device__ __forceinline__ Value value_of_pair(const CompositeKey& pair) { return static_cast<Value>(tie_break_of(pair)); }

  // A value moves with its composite key.
  static constexpr int kValueLimbs = (sizeof(Value) + 3) / 4;
  using Item = Limbs<kCompositeLimbs + kValueLimbs>;

  static __device__ __forceinline__ Item item_of(const CompositeKey& composite, const Value& value) {
    Item item;
#pragma unroll
    for (int i = 0; i < kCompositeLimbs; ++i) item.limb[i] = composite.limb[i];
    const auto value_limbs = limbs_of<kValueLimbs>(value);
#pragma unroll
    for (int i = 0; i < kValueLimbs; ++i) item.limb[kCompositeLimbs + i] = value_limbs.limb[i];
    return item;
  }

  static __device__ __forceinline__ CompositeKey composite_of(const Item& item) {
    CompositeKey composite;
#pragma unroll
    for (int i = 0; i < kCompositeLimbs; ++i) composite.limb[i] = item.limb[i];
    return composite;
  }

  static __device__ __forceinline__ Value value_of(const Item& item) {
    Limbs<kValueLimbs> value_limbs;
#pragma unroll
    for (int i = 0; i < kValueLimbs; ++i) value_limbs.limb[i] = item.limb[kCompositeLimbs + i];
    return value_of_limbs<Value>(value_limbs);
  }

  // Puts the smaller of two of a lane's items in the first slot.
  template <typename T>
  static __device__ __forceinline__ void order(T& first, T& second) {
    const bool is_wrong = is_less<kCompositeLimbs>(second, first);
    const T smaller = either(is_wrong, second, first);
    second = either(is_wrong, first, second);
    first = smaller;
  }

  // Sorts a lane's items: 5 comparators.
  template <typename T>
  static __device__ __forceinline__ void sort_in_lane(T (&items)[kItemsPerThread]) {
    order(items[0], items[2]); order(items[1], items[3]);
    order(items[0], items[1]); order(items[2], items[3]);
    order(items[1], items[2]);
  }

  // Sorts a lane's items if they are bitonic, rising and then falling or so in a circle: 4 comparators.
  template <typename T>
  static __device__ __forceinline__ void merge_in_lane(T (&items)[kItemsPerThread]) {
    order(items[0], items[2]); order(items[1], items[3]);
    order(items[0], items[1]); order(items[2], items[3]);
  }

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

  // Sorts the tile, in whatever arrangement it is: it comes out blocked.
  template <typename T>
  __device__ __forceinline__ void sort_items(T (&items)[kItemsPerThread]) const {
    sort_in_lane(items);
#pragma unroll
    for (int lanes = 2; lanes <= kLanes; lanes *= 2) merge_lanes(items, lanes);
  }

  // The position in the tile of the lane's item i.
  template <Arrangement kArrangement>
  __device__ __forceinline__ unsigned int position(unsigned int i) const {
    if constexpr (kArrangement == Arrangement::kBlocked) {
      return lane_ * kItemsPerThread + i;
    } else {
      return i * kLanes + lane_;
    }
  }

  // The number in the warp of the logical warp's first lane.
  static __device__ __forceinline__ unsigned int first_lane() { return lane_of_thread() / kLanes * kLanes; }

  // Item i becomes what item i + distance was, in a circle.
  template <int kBelow, typename T>
  static __device__ __forceinline__ void rotate(T (&items)[kItemsPerThread], unsigned int distance) {
#pragma unroll
    for (int step = 1; step < kBelow; step *= 2) {
      const unsigned int mask = opaque((distance & step) != 0 ? ~0u : 0u);
      T before[kItemsPerThread];
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) before[i] = items[i];
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        items[i] = blended(mask, before[(i + step) % kItemsPerThread], before[i]);
      }
    }
  }

  // The number of lanes that would send to the same one, if none rotated its items.
  static constexpr unsigned int kMeeting = 4;
  static constexpr unsigned int kApart = kLanes / kMeeting;

  // The number of a lane that sends:
  //
  //   | rotation: log2(kMeeting) bits | column: log2(kApart) bits |
  //
  // Lanes of one column would meet, and rotate their items by different distances.
  struct Sender {
    unsigned int lane;
    static __device__ __forceinline__ Sender pack(unsigned int rotation, unsigned int column) { return {rotation * kApart + column}; }
    __device__ __forceinline__ unsigned int rotation() const { return lane / kApart; }
  };

  // From blocked to striped arrangement with one shuffle an item: each lane rotates its items so that those of a round go to
  // different lanes, and then those that it got into their order (Catanzaro, Keller, Garland: A decomposition for in-place
  // matrix transposition, 2014).
  template <typename T>
  __device__ __forceinline__ void blocked_to_striped(T (&items)[kItemsPerThread]) const {
    // The inverse of kItemsPerThread / kMeeting modulo kApart.
    constexpr unsigned int kInverse = 1;
    rotate<kMeeting>(items, Sender{lane_}.rotation());
    T got[kItemsPerThread];
#pragma unroll
    for (unsigned int round = 0; round < kItemsPerThread; ++round) {
      const unsigned int rotation = (lane_ - round) % kMeeting;
      const unsigned int item = (round + rotation) % kItemsPerThread;
      const unsigned int column = (lane_ - item) % kLanes / kMeeting * kInverse % kApart;
      got[round] = from_lane(items[round], first_lane() + Sender::pack(rotation, column).lane);
    }
    rotate<(kLanes < kItemsPerThread ? kLanes : kItemsPerThread)>(got, lane_ % kItemsPerThread);
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int rotation = i / (kItemsPerThread / kMeeting);
      items[i] = got[(i * kLanes + kItemsPerThread - rotation) % kItemsPerThread];
    }
  }

  // Sorts the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void sort(Keys& keys, Values& values, unsigned int valid_items) const {
    Item items[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      items[i] = item_of(composite_of(keys[i], position<kFrom>(i), position<kFrom>(i) < valid_items), values[i]);
    }
    sort_items(items);
    if constexpr (kTo == Arrangement::kStriped) blocked_to_striped(items);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      keys[i] = key_of(composite_of(items[i]));
      values[i] = value_of(items[i]);
    }
  }

  // The same of a full tile.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void sort(Keys& keys, Values& values) const {
    CompositeKey pairs[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) pairs[i] = pair_of(keys[i], values[i]);
    sort_items(pairs);
    if constexpr (kTo == Arrangement::kStriped) blocked_to_striped(pairs);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      keys[i] = key_of_pair(pairs[i]);
      values[i] = value_of_pair(pairs[i]);
    }
  }

  // The numbers of a lane's items that lie side by side in memory, and move at once if the arrays are aligned to it: of those that are
  // read, and of those that are written.
  static constexpr int kReadItems = 4;
  static constexpr int kWrittenItems = 4;
  using ReadKeys = uint4;
  using WrittenKeys = uint4;
  using ReadValues = uint4;
  using WrittenValues = uint4;

  template <typename T, int kItems>
  struct SideBySide {
    T items[kItems];
  };

  template <typename Vector, typename T>
  static __device__ __forceinline__ bool is_aligned(const T* items) {
    return reinterpret_cast<unsigned long long>(items) % sizeof(Vector) == 0;
  }

  // Where in the tile a lane reads its item i. Neighbouring lanes read neighbouring vectors: the network sorts items from
  // wherever they are.
  __device__ __forceinline__ unsigned int loaded_position(unsigned int i) const {
    return (i / kReadItems * kLanes + lane_) * kReadItems + i % kReadItems;
  }

  // Where it writes it.
  __device__ __forceinline__ unsigned int stored_position(unsigned int i) const {
    return position<Arrangement::kBlocked>(i);
  }

  __device__ __forceinline__ void load_full(const Key* keys, const Value* values, CompositeKey (&composites)[kItemsPerThread]) const {
#pragma unroll
    for (int v = 0; v < kItemsPerThread; v += kReadItems) {
      const ReadKeys read = __ldcg(reinterpret_cast<const ReadKeys*>(keys + loaded_position(v)));
      const auto vector = bits_as<SideBySide<Key, kReadItems>>(read);
      const ReadValues read_values = __ldcg(reinterpret_cast<const ReadValues*>(values + loaded_position(v)));
      const auto value_vector = bits_as<SideBySide<Value, kReadItems>>(read_values);
#pragma unroll
      for (int i = 0; i < kReadItems; ++i) composites[v + i] = pair_of(vector.items[i], value_vector.items[i]);
    }
  }

  __device__ __forceinline__ void load_partial(const Key* keys, CompositeKey (&composites)[kItemsPerThread], unsigned int valid_items) const {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const bool is_valid = loaded_position(i) < valid_items;
      composites[i] = composite_of(is_valid ? keys[loaded_position(i)] : Key(), loaded_position(i), is_valid);
    }
  }

  __device__ __forceinline__ void store_full(const CompositeKey (&composites)[kItemsPerThread], Key* keys,
                                              Value* values_out) const {
#pragma unroll
    for (int v = 0; v < kItemsPerThread; v += kWrittenItems) {
      SideBySide<Key, kWrittenItems> vector;
#pragma unroll
      for (int i = 0; i < kWrittenItems; ++i) vector.items[i] = key_of_pair(composites[v + i]);
      __stcg(reinterpret_cast<WrittenKeys*>(keys + stored_position(v)), bits_as<WrittenKeys>(vector));
      SideBySide<Value, kWrittenItems> value_vector;
#pragma unroll
      for (int i = 0; i < kWrittenItems; ++i) value_vector.items[i] = value_of_pair(composites[v + i]);
      __stcg(reinterpret_cast<WrittenValues*>(values_out + stored_position(v)), bits_as<WrittenValues>(value_vector));
    }
  }

  __device__ __forceinline__ void store_partial(const CompositeKey (&composites)[kItemsPerThread], Key* keys, const Value* values_in,
                                             Value* values_out, unsigned int valid_items) const {
    Value values[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      if (stored_position(i) < valid_items) values[i] = values_in[position_of(composites[i])];
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int target = stored_position(i);
      if (target >= valid_items) continue;
      keys[target] = key_of(composites[i]);
      values_out[target] = values[i];
    }
  }

  // Whether all arrays begin at a boundary of the vectors that lanes move.
  static __device__ __forceinline__ bool are_aligned(const Key* keys_in, const Key* keys_out, const Value* values_in, const Value* values_out) {
    return is_aligned<ReadKeys>(keys_in) && is_aligned<WrittenKeys>(keys_out) && is_aligned<ReadValues>(values_in) && is_aligned<WrittenValues>(values_out);
  }

  // Sorts a tile of each logical warp, the first valid_items items of arrays, to other arrays or in place. Where is_full, which
  // is the same in all lanes of a warp, they are all of the tile's, at boundaries of vectors.
  __device__ __forceinline__ void sort_in_memory(const Key* keys_in, Key* keys_out, const Value* values_in, Value* values_out,
                                                 unsigned int valid_items, bool is_full) const {
    CompositeKey composites[kItemsPerThread];
    if (is_full) {
      load_full(keys_in, values_in, composites);
    } else {
      load_partial(keys_in, composites, valid_items);
    }
    // The outputs may be the inputs: all lanes have read before one writes.
    __syncwarp();
    sort_items(composites);
    if (is_full) {
      store_full(composites, keys_out, values_out);
    } else {
      store_partial(composites, keys_out, values_in, values_out, valid_items);
    }
  }

  // A row in shared memory has a gap behind every kItemsToGap items, and the next row begins kLanes banks further on. So neither lanes that
  // have neighbouring items nor lanes that have runs of kItemsToGap items each meet in a bank.
  static constexpr unsigned int kItemsToGap = 32;
  static constexpr unsigned int kRowPitch = 40;

  static __device__ __forceinline__ unsigned int slot_of(unsigned int column) { return column + column / kItemsToGap; }

  // The first items of the logical warp's own row, from shared memory to an array. Neighbouring lanes write neighbouring items, when all
  // lanes have written theirs to shared memory.
  template <typename T>
  __device__ __forceinline__ void write_row(T* row, const T (&s_row)[kRowPitch], unsigned int valid_items) const {
    __syncwarp();
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int column = position<Arrangement::kStriped>(i);
      if (column < valid_items) row[column] = s_row[slot_of(column)];
    }
  }

  // The rows of a warp: what is sorted, and then what is written; and the values as they were read.
  struct StagedRows {
    union {
      Key s_keys[kRowsPerWarp][kRowPitch];
      Value s_values_out[kRowsPerWarp][kRowPitch];
    };
    Value s_values[kRowsPerWarp][kRowPitch];
  };

  // Reads the logical warp's own row, of which the first valid_items items are there: neighbouring lanes read neighbouring items, wherever
  // rows begin. The others come last, and are not written. Values stay in shared memory until their offsets are known.
  __device__ __forceinline__ void load_row(const Key* keys, const Value* values, StagedRows& staged, CompositeKey (&composites)[kItemsPerThread], unsigned int valid_items) const {
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int column = position<Arrangement::kStriped>(i);
      const bool is_valid = column < valid_items;
      composites[i] = composite_of(is_valid ? keys[column] : Key(), column, is_valid);
    }
    Value read[kItemsPerThread];
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int column = position<Arrangement::kStriped>(i);
      if (column < valid_items) read[i] = values[column];
    }
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int column = position<Arrangement::kStriped>(i);
      if (column < valid_items) staged.s_values[row_of_warp()][slot_of(column)] = read[i];
    }
  }

  // Writes it by way of shared memory: the keys, then the values.
  __device__ __forceinline__ void store_row(const CompositeKey (&composites)[kItemsPerThread], Key* keys, Value* values_out, StagedRows& staged, unsigned int valid_items) const {
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      staged.s_keys[row_of_warp()][slot_of(position<Arrangement::kBlocked>(i))] = key_of(composites[i]);
    }
    write_row(keys, staged.s_keys[row_of_warp()], valid_items);
    // The keys have been read from there.
    __syncwarp();
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int column = position<Arrangement::kBlocked>(i);
      if (column < valid_items) staged.s_values_out[row_of_warp()][slot_of(column)] = staged.s_values[row_of_warp()][slot_of(position_of(composites[i]))];
    }
    write_row(values_out, staged.s_values_out[row_of_warp()], valid_items);
  }

  static __device__ __forceinline__ unsigned int row_of_warp() { return lane_of_thread() / kLanes; }

  // In the logical warp.
  const unsigned int lane_;
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif


// Each logical warp sorts its own tile of an array of n items. Launch ceil(n / (kTileItems * kTilesPerBlock)) blocks of
// kBlockThreads threads. In place or not.
//
// Its name is the same in every file of a program: one file defines it, in the others `#define SORTSMITH_DECLARE_KERNELS` comes before this header.
extern "C" __global__ void
warp_bitonic_sort_f32_u32_w8_i4_asc_tile(
    const float* keys_in, float* keys_out,
    const unsigned int* values_in, unsigned int* values_out,
    unsigned long long n);
#if !defined(SORTSMITH_DECLARE_KERNELS) && !defined(SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F32_U32_W8_I4_ASC_TILE)
#define SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F32_U32_W8_I4_ASC_TILE
extern "C" __global__ void __launch_bounds__(128)
warp_bitonic_sort_f32_u32_w8_i4_asc_tile(
    const float* keys_in, float* keys_out,
    const unsigned int* values_in, unsigned int* values_out,
    unsigned long long n) {
  using Sort = sortsmith::warp_bitonic_sort_f32_u32_w8_i4_asc;
  Sort().SortTile(keys_in, keys_out, values_in, values_out, n);
}
#endif

#endif  // a compiler of the host alone
