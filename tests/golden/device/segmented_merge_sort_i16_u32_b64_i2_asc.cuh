// segmented_merge_sort_i16_u32_b64_i2_asc
//
// Sorts i16 keys with 4-byte values, ascending: the items of each segment of an
// array. Stable: equal keys of a segment keep their input order.
//
//   segment  the items begins[s] ... ends[s] - 1. Offsets past the end of the array count as its end, and a segment that ends before
//            it begins is empty. Segments that overlap leave unspecified items; no access is outside of the arrays either way.
//            Rows of a matrix have neither begins nor ends: row s is the `segment_items` items from s * `segment_stride` on. The first items of an array,
//            as many as a number on the device says, are one segment without begins and with the stride 0 that ends there.
//   count    a number on the device, if not all segments are to be sorted: it is that of the first ones that are
//   tile     128 items, which a block sorts
//   run      sorted items of a segment that is longer than a tile: a tile at first, two runs after each round of merges
//
// Kernel _classify lists the segments by their lengths. _ranks sorts those of at most 8 items, each by as many lanes, and those
// of at most 32, each by a warp, _warps those of at most 64, each by a warp, and _tiles those of at most a tile and each tile of longer ones, each by a block: all bits of keys by
// networks, fewer by merges. A round of _merge merges the runs of longer segments, two by
// two: an output tile is a block's, which finds its part of both runs by merge path. A segment's rounds end in the output array; which
// array each one reads follows from how many rounds the segment takes. So the launches depend on n and on the number of segments alone:
//
//   cudaMemsetAsync(arguments.workspace, 0, kZeroedBytes, stream);
//   segmented_merge_sort_i16_u32_b64_i2_asc_classify<<<any, 64, 80, stream>>>(arguments, count, segment_items, segment_stride, count_bytes, signed_offsets);
//   segmented_merge_sort_i16_u32_b64_i2_asc_ranks<<<any, 64, 128, stream>>>(arguments);
//   segmented_merge_sort_i16_u32_b64_i2_asc_warps<<<any, 64, 544, stream>>>(arguments);
//   segmented_merge_sort_i16_u32_b64_i2_asc_tiles<<<any, 64, 544, stream>>>(arguments);
//   for round = 0 ... rounds_of(n) - 1
//     segmented_merge_sort_i16_u32_b64_i2_asc_merge<<<any, 64, 544, stream>>>(arguments, round);
//
// The launches are plain ones, as written. On Hopper and later GPUs all but the first may have the attribute
// cudaLaunchAttributeProgrammaticStreamSerialization too: each kernel waits for the one before it itself.
//
// Made by sortsmith 0.1.0 from the template segmented_merge_sort; to make it again:
//   sortsmith emit --name segmented_merge_sort_i16_u32_b64_i2_asc --out .
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

#ifndef SORTSMITH_V0_1_0_WARP_BITONIC_SORT_I16_U32_W32_I2_ASC_STABLE_INSTRIPED_OUTSTRIPED
#define SORTSMITH_V0_1_0_WARP_BITONIC_SORT_I16_U32_W32_I2_ASC_STABLE_INSTRIPED_OUTSTRIPED
namespace sortsmith {
inline namespace v0_1_0 {

struct warp_bitonic_sort_i16_u32_w32_i2_asc_stable_instriped_outstriped {
  using Key = short;
  using Value = unsigned int;

  // Which lane of the logical warp holds which position of the tile. Lane l's item i is at
  //   kBlocked: l * kItemsPerThread + i
  //   kStriped: i * kLanes + l
  enum class Arrangement { kBlocked, kStriped };

  // Lanes of a logical warp: threads of a block from a multiple of kLanes on. The block may have any shape and any number
  // of them.
  static constexpr int kLanes = 32;
  static constexpr int kItemsPerThread = 2;
  static constexpr int kTileItems = kLanes * kItemsPerThread;
  static constexpr int kKeyBits = 16;
  static constexpr bool kStable = true;
  static constexpr bool kDescending = false;
  static constexpr bool kHasValues = true;
  static constexpr bool kIndexValues = false;
  static constexpr Arrangement kInput = Arrangement::kStriped;
  static constexpr Arrangement kOutput = Arrangement::kStriped;
  // The tile kernel's block, its tiles, and its dynamic shared memory.
  static constexpr int kBlockThreads = 128;
  static constexpr int kTilesPerBlock = kBlockThreads / kLanes;
  static constexpr int kRowsPerWarp = 32 / kLanes;
  static constexpr unsigned int kSharedBytes = 0;

  // One lane's items.
  using Keys = Key[kItemsPerThread];
  using Values = Value[kItemsPerThread];

  __device__ __forceinline__ warp_bitonic_sort_i16_u32_w32_i2_asc_stable_instriped_outstriped() : lane_(lane_of_thread() % kLanes) {}

  // The members below sort one tile of each logical warp. All threads of a (hardware) warp call the same one together.
  //   valid_items: the first valid_items items of the tile are sorted and come out in front. What the others hold does not
  //                matter, and is unspecified afterwards. The same in a logical warp, its own in each.

  // From striped to striped arrangement.
  __device__ __forceinline__ void Sort(Keys& keys, Values& values) const {
    sort<Arrangement::kStriped, Arrangement::kStriped>(keys, values, kTileItems);
  }
  __device__ __forceinline__ void Sort(Keys& keys, Values& values, int valid_items) const {
    sort<Arrangement::kStriped, Arrangement::kStriped>(keys, values, valid_items);
  }

  // From striped to striped arrangement.
  __device__ __forceinline__ void SortStripedToStriped(Keys& keys, Values& values) const {
    sort<Arrangement::kStriped, Arrangement::kStriped>(keys, values, kTileItems);
  }
  __device__ __forceinline__ void SortStripedToStriped(Keys& keys, Values& values, int valid_items) const {
    sort<Arrangement::kStriped, Arrangement::kStriped>(keys, values, valid_items);
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
                          are_aligned(keys_in, keys_out, values_out);
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
                         are_aligned(keys_in, keys_out, values_out);
    const unsigned long long row = first_of_block + threadIdx.x / kLanes;
    const unsigned long long start = row * stride;
    const unsigned int valid_items = row < rows ? columns : 0;
    __shared__ __align__(16) unsigned char s_staged[kBlockThreads / kWarpThreads * sizeof(StagedRows)];
    static_assert(sizeof(s_staged) == 3072, "rows are laid out as planned");
    StagedRows& staged = reinterpret_cast<StagedRows*>(s_staged)[warp_of(threadIdx.x)];
    CompositeKey composites[kItemsPerThread];
    if (is_full) {
      load_full(keys_in + start, composites);
      // All lanes have read before one writes.
      __syncwarp();
    } else {
      load_row(keys_in + start, values_in + start, staged, composites, valid_items);
    }
    sort_items(composites);
    Key* const row_out = keys_out + start;
    if (is_full) {
      store_full(composites, row_out, values_in + start, values_out + start);
    } else {
      store_row(composites, row_out, values_out + start, staged, valid_items);
    }
  }

 private:
  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = unsigned int;
  using StoredBits = unsigned short;
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

  // What the network compares: a key's ordered bits and, below them, its item's tie-break index.
  //
  // A tie-break index is the item's position in the tile's input order. So no two composite keys are equal: equal keys keep their order, and items
  // past valid_items, with all bits set, come last.
  //
  //   | ordered bits: all others | tie-break index: kTieBreakBits |
  static constexpr int kCompositeLimbs = 1;
  static constexpr int kTieBreakBits = 16;
  static constexpr int kMarkBits = 0;
  using CompositeKey = Limbs<kCompositeLimbs>;

  static __device__ __forceinline__ CompositeKey composite_of(Bits bits, unsigned int tie_break) {
    CompositeKey composite;
    composite.limb[0] = bits << kTieBreakBits | tie_break;
    return composite;
  }

  static __device__ __forceinline__ CompositeKey composite_of(Key key, unsigned int position, bool is_valid) {
    if (!is_valid) return composite_of(kAllBits, position << kMarkBits);
    return composite_of(to_ordered_bits(key), position);
  }

  static __device__ __forceinline__ unsigned int tie_break_of(const CompositeKey& composite) { return composite.limb[0] & ((1u << kTieBreakBits) - 1u); }

  static __device__ __forceinline__ unsigned int position_of(const CompositeKey& composite) { return tie_break_of(composite) >> kMarkBits; }

  static __device__ __forceinline__ Bits bits_of(const CompositeKey& composite) {
    return composite.limb[0] >> kTieBreakBits;
  }

  static __device__ __forceinline__ Key key_of(const CompositeKey& composite) {
    return to_key(bits_of(composite));
  }

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
  static __device__ __forceinline__ void order(CompositeKey& first, CompositeKey& second) {
    const unsigned int smaller = min(first.limb[0], second.limb[0]);
    second.limb[0] = max(first.limb[0], second.limb[0]);
    first.limb[0] = smaller;
  }
  template <typename T>
  static __device__ __forceinline__ void order(T& first, T& second) {
    const bool is_wrong = is_less<kCompositeLimbs>(second, first);
    const T smaller = either(is_wrong, second, first);
    second = either(is_wrong, first, second);
    first = smaller;
  }

  // Sorts a lane's items: 1 comparators.
  template <typename T>
  static __device__ __forceinline__ void sort_in_lane(T (&items)[kItemsPerThread]) {
    order(items[0], items[1]);
  }

  // Sorts a lane's items if they are bitonic, rising and then falling or so in a circle: 1 comparators.
  template <typename T>
  static __device__ __forceinline__ void merge_in_lane(T (&items)[kItemsPerThread]) {
    order(items[0], items[1]);
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
  static constexpr unsigned int kMeeting = 2;
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

  // The numbers of a lane's items that lie side by side in memory, and move at once if the arrays are aligned to it: of those that are
  // read, and of those that are written.
  static constexpr int kReadItems = 2;
  static constexpr int kWrittenItems = 2;
  using ReadKeys = unsigned int;
  using WrittenKeys = unsigned int;
  using WrittenValues = uint2;

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

  __device__ __forceinline__ void load_full(const Key* keys, CompositeKey (&composites)[kItemsPerThread]) const {
#pragma unroll
    for (int v = 0; v < kItemsPerThread; v += kReadItems) {
      const ReadKeys read = __ldcg(reinterpret_cast<const ReadKeys*>(keys + loaded_position(v)));
      const auto vector = bits_as<SideBySide<Key, kReadItems>>(read);
#pragma unroll
      for (int i = 0; i < kReadItems; ++i) composites[v + i] = composite_of(vector.items[i], loaded_position(v + i), true);
    }
  }

  __device__ __forceinline__ void load_partial(const Key* keys, CompositeKey (&composites)[kItemsPerThread], unsigned int valid_items) const {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const bool is_valid = loaded_position(i) < valid_items;
      composites[i] = composite_of(is_valid ? keys[loaded_position(i)] : Key(), loaded_position(i), is_valid);
    }
  }

  __device__ __forceinline__ void store_full(const CompositeKey (&composites)[kItemsPerThread], Key* keys, const Value* values_in,
                                              Value* values_out) const {
    Value values[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) values[i] = values_in[position_of(composites[i])];
    // The outputs may be the inputs: all lanes have read before one writes.
    __syncwarp();
#pragma unroll
    for (int v = 0; v < kItemsPerThread; v += kWrittenItems) {
      SideBySide<Key, kWrittenItems> vector;
#pragma unroll
      for (int i = 0; i < kWrittenItems; ++i) vector.items[i] = key_of(composites[v + i]);
      __stcg(reinterpret_cast<WrittenKeys*>(keys + stored_position(v)), bits_as<WrittenKeys>(vector));
      SideBySide<Value, kWrittenItems> value_vector;
#pragma unroll
      for (int i = 0; i < kWrittenItems; ++i) value_vector.items[i] = values[v + i];
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
  static __device__ __forceinline__ bool are_aligned(const Key* keys_in, const Key* keys_out, const Value* values_out) {
    return is_aligned<ReadKeys>(keys_in) && is_aligned<WrittenKeys>(keys_out) && is_aligned<WrittenValues>(values_out);
  }

  // Sorts a tile of each logical warp, the first valid_items items of arrays, to other arrays or in place. Where is_full, which
  // is the same in all lanes of a warp, they are all of the tile's, at boundaries of vectors.
  __device__ __forceinline__ void sort_in_memory(const Key* keys_in, Key* keys_out, const Value* values_in, Value* values_out,
                                                 unsigned int valid_items, bool is_full) const {
    CompositeKey composites[kItemsPerThread];
    if (is_full) {
      load_full(keys_in, composites);
    } else {
      load_partial(keys_in, composites, valid_items);
    }
    // The outputs may be the inputs: all lanes have read before one writes.
    __syncwarp();
    sort_items(composites);
    if (is_full) {
      store_full(composites, keys_out, values_in, values_out);
    } else {
      store_partial(composites, keys_out, values_in, values_out, valid_items);
    }
  }

  // A row in shared memory has a gap behind every kItemsToGap items, and the next row begins kLanes banks further on. So neither lanes that
  // have neighbouring items nor lanes that have runs of kItemsToGap items each meet in a bank.
  static constexpr unsigned int kItemsToGap = 32;
  static constexpr unsigned int kRowPitch = 96;

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

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_I16_U32_B64_I2_ASC_STABLE_INSTRIPED_OUTSTRIPED
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_I16_U32_B64_I2_ASC_STABLE_INSTRIPED_OUTSTRIPED
namespace sortsmith {
inline namespace v0_1_0 {

struct block_bitonic_sort_i16_u32_b64_i2_asc_stable_instriped_outstriped {
  using Key = short;
  using Value = unsigned int;

  // Which thread holds which position of the tile. Thread t's item i is at
  //   kBlocked:     t * kItemsPerThread + i
  //   kStriped:     i * kBlockThreads + t
  //   kWarpStriped: the same as kStriped, within each warp's own 32 * kItemsPerThread positions
  enum class Arrangement { kBlocked, kStriped, kWarpStriped };

  static constexpr int kBlockX = 64;
  static constexpr int kBlockY = 1;
  static constexpr int kBlockZ = 1;
  static constexpr int kBlockThreads = kBlockX * kBlockY * kBlockZ;
  static constexpr int kItemsPerThread = 2;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 16;
  static constexpr bool kDescending = false;
  static constexpr bool kHasValues = true;
  static constexpr bool kIndexValues = false;
  static constexpr Arrangement kInput = Arrangement::kStriped;
  static constexpr Arrangement kOutput = Arrangement::kStriped;
  // sizeof(TempStorage): a tile kernel's dynamic shared memory. Past 48 KB the storage must be dynamic, and the kernel's
  // limit raised by cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes).
  static constexpr unsigned int kSharedBytes = 536;
  static constexpr bool kStable = true;

  // One thread's items.
  using Keys = Key[kItemsPerThread];
  using Values = Value[kItemsPerThread];

 private:
  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = unsigned int;
  using StoredBits = unsigned short;
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

  // What the network compares: a key's ordered bits and, below them, its item's tie-break index.
  //
  // A tie-break index is the item's position in the tile's input order. So no two composite keys are equal: equal keys keep their order, and items
  // past valid_items, with all bits set, come last.
  //
  //   | ordered bits: all others | tie-break index: kTieBreakBits |
  static constexpr int kCompositeLimbs = 1;
  static constexpr int kTieBreakBits = 16;
  static constexpr int kMarkBits = 0;
  using CompositeKey = Limbs<kCompositeLimbs>;

  static __device__ __forceinline__ CompositeKey composite_of(Bits bits, unsigned int tie_break) {
    CompositeKey composite;
    composite.limb[0] = bits << kTieBreakBits | tie_break;
    return composite;
  }

  static __device__ __forceinline__ CompositeKey composite_of(Key key, unsigned int position, bool is_valid) {
    if (!is_valid) return composite_of(kAllBits, position << kMarkBits);
    return composite_of(to_ordered_bits(key), position);
  }

  static __device__ __forceinline__ unsigned int tie_break_of(const CompositeKey& composite) { return composite.limb[0] & ((1u << kTieBreakBits) - 1u); }

  static __device__ __forceinline__ unsigned int position_of(const CompositeKey& composite) { return tie_break_of(composite) >> kMarkBits; }

  static __device__ __forceinline__ Bits bits_of(const CompositeKey& composite) {
    return composite.limb[0] >> kTieBreakBits;
  }

  static __device__ __forceinline__ Key key_of(const CompositeKey& composite) {
    return to_key(bits_of(composite));
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
  explicit __device__ __forceinline__ block_bitonic_sort_i16_u32_b64_i2_asc_stable_instriped_outstriped(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x + kBlockX * (threadIdx.y + kBlockY * threadIdx.z)), lane_(lane_of(thread_)) {}

  // The members below sort one tile. All threads of the block call the same one, with the same valid_items.
  //   valid_items: the first valid_items items of the tile are sorted and come out in front. What the others hold does not
  //                matter, and is unspecified afterwards.

  // From striped to striped arrangement.
  __device__ __forceinline__ void Sort(Keys& keys, Values& values) {
    sort<Arrangement::kStriped, Arrangement::kStriped>(keys, values, kTileItems);
  }
  __device__ __forceinline__ void Sort(Keys& keys, Values& values, int valid_items) {
    sort<Arrangement::kStriped, Arrangement::kStriped>(keys, values, valid_items);
  }

  // From striped to striped arrangement.
  __device__ __forceinline__ void SortStripedToStriped(Keys& keys, Values& values) {
    sort<Arrangement::kStriped, Arrangement::kStriped>(keys, values, kTileItems);
  }
  __device__ __forceinline__ void SortStripedToStriped(Keys& keys, Values& values, int valid_items) {
    sort<Arrangement::kStriped, Arrangement::kStriped>(keys, values, valid_items);
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
  static __device__ __forceinline__ void order(CompositeKey& first, CompositeKey& second) {
    const unsigned int smaller = min(first.limb[0], second.limb[0]);
    second.limb[0] = max(first.limb[0], second.limb[0]);
    first.limb[0] = smaller;
  }

  // Sorts a lane's items: 1 comparators.
  template <typename T>
  static __device__ __forceinline__ void sort_in_lane(T (&items)[kItemsPerThread]) {
    order(items[0], items[1]);
  }

  // Sorts a lane's items if they are bitonic, rising and then falling or so in a circle: 1 comparators.
  template <typename T>
  static __device__ __forceinline__ void merge_in_lane(T (&items)[kItemsPerThread]) {
    order(items[0], items[1]);
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
    constexpr unsigned int kShared = kThreads * kItemsPerThread;
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
    if (kTileItems % kRun != 0 && from + segments * kSegment >= kTileItems) return max_composite();
    return composite_at(Slots::of_step<kSegment>(from, segments));
  }

  template <unsigned int kSegment, unsigned int kRun>
  __device__ __forceinline__ void put_column_composite(unsigned int from, unsigned int segments, const CompositeKey& composite) {
    if (kTileItems % kRun != 0 && from + segments * kSegment >= kTileItems) return;
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
  // together is the reading itself: a lane's registers i and kItemsPerThread - 1 - i are one item of two lanes that are half a run
  // apart, of the first half of their items in a pair's first lane and of the second half in its second one.
  template <unsigned int kCount>
  __device__ __forceinline__ void merge_from_shared(CompositeKey (&composites)[kItemsPerThread]) {
    constexpr unsigned int kHalf = kItemsPerThread / 2;
    const RunLane<kCount> lane{thread_};
    unsigned int lower = (lane.first_of_run() + lane.pair()) * kItemsPerThread + lane.is_second() * kHalf;
    unsigned int upper = lower + kCount / 2 * kItemsPerThread;
#pragma unroll
    for (unsigned int i = 0; i < kHalf; ++i) {
      composites[i] = composite_at(Slots::of_run<kHalf>(lower, i));
      composites[kItemsPerThread - 1 - i] = composite_at(Slots::of_run<kHalf>(upper, i));
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
      composites[kHalf + i] = composites[kItemsPerThread - 1 - i];
      composites[kItemsPerThread - 1 - i] = composite;
    }
    merge_in_lane(composites);
  }

  // Sorts the tile, in whatever arrangement it is: it comes out blocked.
  __device__ __forceinline__ void sort_composites(CompositeKey (&composites)[kItemsPerThread]) {
    sort_in_lane(composites);
#pragma unroll
    for (int lanes = 2; lanes <= kLanes; lanes *= 2) merge_lanes(composites, lanes);
    // Runs of 64 threads.
    run_to_shared(composites);
    __syncthreads();
    merge_columns<32, 4, true, kBlockThreads>();
    __syncthreads();
    merge_from_shared<16>(composites);
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

#ifndef SORTSMITH_V0_1_0_SEGMENTED_MERGE_SORT_I16_U32_B64_I2_ASC
#define SORTSMITH_V0_1_0_SEGMENTED_MERGE_SORT_I16_U32_B64_I2_ASC
namespace sortsmith {
inline namespace v0_1_0 {

struct segmented_merge_sort_i16_u32_b64_i2_asc {
  using Key = short;
  using Value = unsigned int;

  static constexpr unsigned int kBlockThreads = 64;
  static constexpr unsigned int kItemsPerThread = 2;
  static constexpr unsigned int kTileItems = kBlockThreads * kItemsPerThread;
  // Lanes that sort a segment of at most as many items: several segments are a warp's at a time.
  static constexpr unsigned int kGroupLanes = 8;
  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;
  static constexpr unsigned int kWarpItems = kWarpThreads * kItemsPerThread;
  static constexpr int kKeyBits = 16;
  static constexpr bool kMakesPositions = false;
  // The dynamic shared memory of a block of _classify, of one of _ranks, of one of _warps and of _merge, and of one of _tiles.
  static constexpr unsigned int kClassifySharedBytes = 80;
  static constexpr unsigned int kRankSharedBytes = 128;
  static constexpr unsigned int kSharedBytes = 544;
  static constexpr unsigned int kTileSharedBytes = 544;

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
  using Bits = unsigned int;
  using StoredBits = unsigned short;
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
    block_bitonic_sort_i16_u32_b64_i2_asc_stable_instriped_outstriped::TempStorage network_of_2;
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
    if (arguments.values_out != arguments.values_in) arguments.values_out[item] = arguments.values_in[item];
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
 private:
  // Whether all bits of keys take part. Networks compare no fewer.
  static __device__ __forceinline__ bool takes_all_bits(const Arguments& arguments) {
    return arguments.begin_bit == 0 && arguments.end_bit == kKeyBits;
  }

  // Sorts a tile by a network of kThreads threads, to the same positions of other arrays or in place.
  template <unsigned int kThreads, typename Network>
  static __device__ __forceinline__ void sort_by_network(const Arguments& arguments, Network network, unsigned int thread, const Tile& tile,
                                                         Key* keys_to, Value* values_to) {
    constexpr unsigned int kItems = Network::kItemsPerThread;
    const unsigned int valid_items = tile.items();
    const unsigned long long start = tile.begin + tile.offset;
    typename Network::Keys keys;
    typename Network::Values values;
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      // What is past the end does not matter. It is read from where there is something.
      const unsigned int position = i * kThreads + thread;
      const unsigned long long from = start + (position < valid_items ? position : 0);
      keys[i] = arguments.keys_in[from];
      values[i] = arguments.values_in[from];
    }
    // In place, items are overwritten that other threads read; and threads of the block may still read the previous tile from the network's
    // storage.
    wait_for_group<kThreads>();
    network.Sort(keys, values, static_cast<int>(valid_items));
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      const unsigned int position = i * kThreads + thread;
      if (position < valid_items) {
        keys_to[start + position] = keys[i];
        values_to[start + position] = values[i];
      }
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
      if (takes_all_bits(arguments)) {
        if (tile.items() <= kWarpThreads * 2) {
          sort_by_network<kWarpThreads>(arguments, warp_bitonic_sort_i16_u32_w32_i2_asc_stable_instriped_outstriped(), lane, tile, arguments.keys_out, arguments.values_out);
        }
      } else
      if (tile.items() <= kWarpThreads * 2) {
        sort_items<kWarpThreads, 2>(arguments, storage.warps[warp], lane, tile, arguments.keys_out, arguments.values_out);
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
      if (takes_all_bits(arguments)) {
        if (tile.items() <= kBlockThreads * 2) {
          sort_by_network<kBlockThreads>(arguments, block_bitonic_sort_i16_u32_b64_i2_asc_stable_instriped_outstriped(storage.network_of_2), threadIdx.x, tile, keys_to, values_to);
        }
      } else
      if (tile.items() <= kBlockThreads * 2) {
        sort_items<kBlockThreads, 2>(arguments, storage.merges.tile.items, threadIdx.x, tile, keys_to, values_to);
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
    Value values[kItems];
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      const unsigned int position = i * kThreads + thread;
      values[i] = position < valid_items ? arguments.values_in[start + storage.sources[Slots::of(position)]] : Value();
      if (position < valid_items) {
        keys_to[start + position] = to_key(storage.bits[Slots::of(position)]);
      }
    }
    // In place, values are overwritten that other threads read.
    wait_for_group<kThreads>();
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      const unsigned int position = i * kThreads + thread;
      if (position < valid_items) values_to[start + position] = values[i];
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
    const Value value = has_item ? arguments.values_in[tile.begin + own] : Value();
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
        values_to[to] = values_from[source_of(storage.items.sources[Slots::of(position)])];
      }
    }
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith

extern "C" __global__ void __launch_bounds__(64)
segmented_merge_sort_i16_u32_b64_i2_asc_classify(sortsmith::segmented_merge_sort_i16_u32_b64_i2_asc::Arguments arguments,
    const void* count, unsigned long long segment_items, unsigned long long segment_stride, unsigned int count_bytes,
    int signed_offsets) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::segmented_merge_sort_i16_u32_b64_i2_asc;
  Sort::classify(arguments, { count, segment_items, segment_stride, count_bytes, signed_offsets }, *reinterpret_cast<Sort::ClassifyStorage*>(sortsmith_shared));
}

extern "C" __global__ void __launch_bounds__(64)
segmented_merge_sort_i16_u32_b64_i2_asc_ranks(sortsmith::segmented_merge_sort_i16_u32_b64_i2_asc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::segmented_merge_sort_i16_u32_b64_i2_asc;
  Sort::sort_by_ranks(arguments, *reinterpret_cast<Sort::RankTempStorage*>(sortsmith_shared));
}

extern "C" __global__ void __launch_bounds__(64, 12)
segmented_merge_sort_i16_u32_b64_i2_asc_warps(sortsmith::segmented_merge_sort_i16_u32_b64_i2_asc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::segmented_merge_sort_i16_u32_b64_i2_asc;
  Sort::sort_by_warps(arguments, *reinterpret_cast<Sort::TempStorage*>(sortsmith_shared));
}

extern "C" __global__ void __launch_bounds__(64, 8)
segmented_merge_sort_i16_u32_b64_i2_asc_tiles(sortsmith::segmented_merge_sort_i16_u32_b64_i2_asc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::segmented_merge_sort_i16_u32_b64_i2_asc;
  Sort::sort_tiles(arguments, *reinterpret_cast<Sort::TileTempStorage*>(sortsmith_shared));
}

// Merges wait for memory most of the time, the less the more blocks there are. No multiprocessor of sm_75 has as many threads.
extern "C" __global__ void
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
__launch_bounds__(64)
#else
__launch_bounds__(64, 16)
#endif
segmented_merge_sort_i16_u32_b64_i2_asc_merge(sortsmith::segmented_merge_sort_i16_u32_b64_i2_asc::Arguments arguments, int round) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::segmented_merge_sort_i16_u32_b64_i2_asc;
  Sort::merge_runs(arguments, *reinterpret_cast<Sort::TempStorage*>(sortsmith_shared), round);
}
#endif
