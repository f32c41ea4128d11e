// device_bitonic_sort_u32_keys_b512_i16_asc
//
// Sorts u32 keys, ascending: an array of any length, by a network of comparisons over
// all of the device. Stable: equal keys keep their input order.
//
// Which items are compared, in which order, and which addresses are read and written depends on the number of items
// alone, never on what they are; so do all branches. Values move with their keys.
//
//   tile           the items that a block sorts
//   run            a power of two of tiles, sorted
//   step           comparisons of items that are equally far apart: a merge begins with the longest distance, and halves it
//   composite key  what is compared: a key's ordered bits, with the index in the input below them where equal keys are told apart
//
// First each block sorts a tile (kernel _tiles). Then runs of tiles are merged, two by two. A merge begins with the
// comparisons that are further apart than a tile is long, some steps of them in each launch (_stride), and ends within
// tiles (_merge). Behind the end of the array the network has items that are greater than all others. No comparison
// moves them, so nothing of them is read or written. The host's launches, with the functions below:
//
//   device_bitonic_sort_u32_keys_b512_i16_asc_tiles<<<tile_count(n), 512, 34808, stream>>>(arguments);
//   for run_log2 = kTileLog2 + 1, ... while two to the power of run_log2 - 1 is less than n
//     for number = 0, 1, ... stride_count(run_log2) - 1, with steps = steps_of(run_log2, number)
//       device_bitonic_sort_u32_keys_b512_i16_asc_stride<<<stride_blocks(n, run_log2, steps), 512, 0, stream>>>(arguments, steps.bits);
//     device_bitonic_sort_u32_keys_b512_i16_asc_merge<<<tile_count(merged_items(n, run_log2)), 512, 34808, stream>>>(arguments);
//
// The launches are plain ones, as written. On Hopper and later GPUs all but the first may have the attribute
// cudaLaunchAttributeProgrammaticStreamSerialization too: each kernel waits for the one before it itself.
//
// Made by sortsmith 0.1.0 from the template device_bitonic_sort; to make it again:
//   sortsmith emit --name device_bitonic_sort_u32_keys_b512_i16_asc --out .
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

#ifndef SORTSMITH_V0_1_0_DEVICE_BITONIC_SORT_U32_KEYS_B512_I16_ASC
#define SORTSMITH_V0_1_0_DEVICE_BITONIC_SORT_U32_KEYS_B512_I16_ASC
namespace sortsmith {
inline namespace v0_1_0 {

struct device_bitonic_sort_u32_keys_b512_i16_asc {
  using Key = unsigned int;
  using Value = NullType;

  static constexpr int kBlockThreads = 512;
  static constexpr int kItemsPerThread = 16;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 32;
  static constexpr int kTileLog2 = 13;
  // The most steps of a merge that one launch of _stride takes.
  static constexpr int kMaxSteps = 4;
  // The shared memory of a block of _tiles, and of one of _merge.
  static constexpr unsigned int kSharedBytes = 34808;
  static constexpr unsigned long long kMaxItems = 68719476736ull;

  // What all kernels of one sort are given. Arrays of keys and values have n items each.
  struct Arguments {
    // The keys to sort, written only where keys_out is the same array.
    const Key* keys_in;
    // The sorted keys; the same array as keys_in to sort in place.
    Key* keys_out;
    // Not used by this sort.
    Key* keys_alternate;
    // The same of values, where the sort has any; values_in is not read.
    const Value* values_in;
    Value* values_out;
    Value* values_alternate;
    // workspace_bytes(n), aligned to 16; the first zeroed_bytes(n) of them zero.
    unsigned char* workspace;
    // At most kMaxItems.
    unsigned long long n;
    // Not used by this sort: all of the key takes part.
    int begin_bit;
    int end_bit;
    // Whether the sorted keys are written: 1, or 0 where only values are wanted; keys_out is scratch then.
    int writes_keys;
    // Not used by this sort.
    int unused[3];
    // Not used by this sort.
    unsigned int* sort_counter;
    // Not used by this sort.
    unsigned long long row_stride;
  };

 private:
  // Which thread holds which position of the tile. Thread t's item i is at
  //   kBlocked:     t * kItemsPerThread + i
  //   kStriped:     i * kBlockThreads + t
  //   kWarpStriped: the same as kStriped, within each warp's own 32 * kItemsPerThread positions
  enum class Arrangement { kBlocked, kStriped, kWarpStriped };

  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = unsigned int;
  using StoredBits = unsigned int;
  static constexpr Bits kAllBits = StoredBits(~StoredBits(0));

  // Ordered bits of a key.
  static __device__ __forceinline__ Bits to_ordered_bits(Key key) {
    return bits_as<StoredBits>(key);
  }

  // The key of ordered bits.
  static __device__ __forceinline__ Key to_key(Bits ordered) {
    return bits_as<Key>(static_cast<StoredBits>(ordered));
  }

  // What the network compares: a key's ordered bits. Items past the array's end have all bits set: should a
  // key have them too, it does not matter which of the two comes out as it.
  static constexpr int kTieBreakLimbs = 0;
  static constexpr int kCompositeLimbs = kTieBreakLimbs + sizeof(Bits) / 4;
  using CompositeKey = Limbs<kCompositeLimbs>;

  static __device__ __forceinline__ CompositeKey composite_of(Key key, unsigned int, bool is_valid) {
    const Bits bits = is_valid ? to_ordered_bits(key) : kAllBits;
    CompositeKey composite;
#pragma unroll
    for (int i = 0; i < kCompositeLimbs; ++i) composite.limb[i] = static_cast<unsigned int>(bits >> (32 * i));
    return composite;
  }

  static __device__ __forceinline__ Bits bits_of(const CompositeKey& composite) {
    Bits bits = 0;
#pragma unroll
    for (int i = kTieBreakLimbs; i < kCompositeLimbs; ++i) bits |= static_cast<Bits>(composite.limb[i]) << (32 * (i - kTieBreakLimbs));
    return bits;
  }

  static __device__ __forceinline__ Key key_of(const CompositeKey& composite) {
    return to_key(bits_of(composite));
  }
  using Slots = GappedSlots<32, 2>;

 public:
  // The tile's composite keys, limb by limb.
  struct TempStorage {
    alignas(8) unsigned int composites[kCompositeLimbs][Slots::count(kTileItems)];
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  static __host__ __device__ constexpr unsigned int tile_count(unsigned long long n) {
    return static_cast<unsigned int>((n + kTileItems - 1) / kTileItems);
  }
  // The items that a merge to runs of this length has to do with: all, but for those of a last run that has no upper half.
  static __host__ __device__ constexpr unsigned long long merged_items(unsigned long long n, int run_log2) {
    const unsigned long long rest = n & ((1ull << run_log2) - 1);
    return rest > 1ull << (run_log2 - 1) ? n : n - rest;
  }
  // The steps of a merge that one launch of _stride takes, as the kernel's argument has them:
  //
  //   | segment_log2: 27 bits | count: 4 bits | is_first: 1 bit |
  struct Steps {
    static constexpr int kCountShift = 1;
    static constexpr int kSegmentShift = 5;
    static constexpr int kCountMask = (1 << (kSegmentShift - kCountShift)) - 1;
    int bits;

    static __host__ __device__ constexpr Steps pack(int segment_log2, int count, bool is_first) {
      return {segment_log2 << kSegmentShift | count << kCountShift | (is_first ? 1 : 0)};
    }
    // The distance of the last step, the length of a segment, as a logarithm. After a shift compilers take more registers.
    __host__ __device__ constexpr int segment_log2() const { return bits / (1 << kSegmentShift); }
    __host__ __device__ constexpr int count() const { return bits >> kCountShift & kCountMask; }
    // Whether the merge begins with them: then the first step compares in mirrored order.
    __host__ __device__ constexpr bool is_first() const { return (bits & 1) != 0; }
  };
  // Launches of _stride in such a merge, which share its steps as evenly as possible.
  static __host__ __device__ constexpr int stride_count(int run_log2) {
    return (run_log2 - kTileLog2 + kMaxSteps - 1) / kMaxSteps;
  }
  // The steps of one of them.
  static __host__ __device__ constexpr Steps steps_of(int run_log2, int number) {
    const int all_steps = run_log2 - kTileLog2;
    const int launches = stride_count(run_log2);
    const int behind = all_steps * (number + 1) / launches;
    return Steps::pack(run_log2 - behind, behind - all_steps * number / launches, number == 0);
  }
  // A thread for each column of which there is an item.
  static __host__ __device__ constexpr unsigned int stride_blocks(unsigned long long n, int run_log2, Steps steps) {
    const unsigned long long items = merged_items(n, run_log2);
    const int group_log2 = steps.segment_log2() + steps.count();
    const unsigned long long rest = items & ((1ull << group_log2) - 1);
    const unsigned long long segment = 1ull << steps.segment_log2();
    const unsigned long long columns = ((items >> group_log2) << steps.segment_log2()) + (rest < segment ? rest : segment);
    return static_cast<unsigned int>((columns + kBlockThreads - 1) / kBlockThreads);
  }
  // Nothing has to be zero when a sort begins.
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long) { return 0; }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long) {
    return 0;
  }

  explicit __device__ __forceinline__ device_bitonic_sort_u32_keys_b512_i16_asc(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x), lane_(lane_of(thread_)) {}

 public:
  // Sorts the block's tile of the array. All of it is read before any of it is written.
  __device__ __forceinline__ void sort_tile(const Arguments& arguments) {
    wait_for_previous_grid();
    CompositeKey composites[kItemsPerThread];
    load_striped<true>(arguments, composites);
    sort_composites(composites);
    store_tile(arguments, composites);
  }

  // Merges the block's tile, which is bitonic.
  __device__ __forceinline__ void merge_tile(const Arguments& arguments) {
    wait_for_previous_grid();
    CompositeKey composites[kItemsPerThread];
    load_striped<false>(arguments, composites);
    striped_to_shared(composites);
    __syncthreads();
    merge_columns<512, 16, false, kBlockThreads>();
    __syncthreads();
    merge_from_shared<32>(composites);
    store_tile(arguments, composites);
  }

 private:
  // Neighbouring threads read and write neighbouring items.
  template <bool kIsInput>
  __device__ __forceinline__ void load_striped(const Arguments& arguments, CompositeKey (&composites)[kItemsPerThread]) const {
    const unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      composites[i] = item_at<kIsInput>(arguments, start + position<Arrangement::kStriped>(i));
    }
  }

  __device__ __forceinline__ void striped_to_shared(const CompositeKey (&composites)[kItemsPerThread]) {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) put_composite(Slots::of_step<kBlockThreads>(thread_, i), composites[i]);
  }

  __device__ __forceinline__ void store_tile(const Arguments& arguments, CompositeKey (&composites)[kItemsPerThread]) {
    rearrange<Arrangement::kStriped>(composites);
    const unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      put_item(arguments, start + position<Arrangement::kStriped>(i), composites[i]);
    }
  }

 public:
  // Takes some steps of a merge with comparisons further apart than a tile is long: each thread has a column in
  // registers, which is one item of each of some segments, as merge_columns has it. What is not compared by these steps
  // never meets.
  static __device__ __forceinline__ void merge_far(const Arguments& arguments, Steps steps) {
    const int segment_log2 = steps.segment_log2();
    const bool is_first = steps.is_first();
    wait_for_previous_grid();
    switch (steps.count()) {
      case 1: return merge_far_column<1>(arguments, segment_log2, is_first);
      case 2: return merge_far_column<2>(arguments, segment_log2, is_first);
      case 3: return merge_far_column<3>(arguments, segment_log2, is_first);
      case 4: return merge_far_column<4>(arguments, segment_log2, is_first);
      default: return;
    }
  }

 private:
  template <int kSteps>
  static __device__ __forceinline__ void merge_far_column(const Arguments& arguments, int segment_log2, bool is_mirrored) {
    if (is_mirrored) {
      merge_far_column<kSteps, true>(arguments, segment_log2);
    } else {
      merge_far_column<kSteps, false>(arguments, segment_log2);
    }
  }

  template <int kSteps, bool kMirrored>
  static __device__ __forceinline__ void merge_far_column(const Arguments& arguments, int segment_log2) {
    constexpr unsigned int kSegments = 1u << kSteps;
    const unsigned long long column = static_cast<unsigned long long>(blockIdx.x) * kBlockThreads + threadIdx.x;
    const unsigned long long last_of_segment = (1ull << segment_log2) - 1;
    const unsigned long long offset = column & last_of_segment;
    // The first item of the column's segments, and where the upper half has its item.
    const unsigned long long start = (column - offset) << kSteps;
    const unsigned long long other_offset = kMirrored ? last_of_segment - offset : offset;
    CompositeKey composites[kSegments];
#pragma unroll
    for (unsigned int s = 0; s < kSegments; ++s) {
      const unsigned long long segment = start + (static_cast<unsigned long long>(s) << segment_log2);
      composites[s] = item_at<false>(arguments, segment + (s < kSegments / 2 ? offset : other_offset));
    }
    merge_column<kSegments, kMirrored>(composites);
#pragma unroll
    for (unsigned int s = 0; s < kSegments; ++s) {
      const unsigned long long segment = start + (static_cast<unsigned long long>(s) << segment_log2);
      put_item(arguments, segment + (s < kSegments / 2 ? offset : other_offset), composites[s]);
    }
  }

 private:
  // The item at an offset of the array; `kIsInput`: of the one that is to be sorted, and not of what is sorted so far.
  template <bool kIsInput>
  static __device__ __forceinline__ CompositeKey item_at(const Arguments& arguments, unsigned long long offset) {
    if (offset >= arguments.n) return max_composite();
    const Key key = (kIsInput ? arguments.keys_in : arguments.keys_out)[offset];
    return composite_of(key, 0u, true);
  }

  static __device__ __forceinline__ void put_item(const Arguments& arguments, unsigned long long offset, const CompositeKey& composite) {
    if (offset >= arguments.n) return;
    arguments.keys_out[offset] = key_of(composite);
  }

  // Puts the smaller of two of a lane's items in the first slot.
  static __device__ __forceinline__ void order(CompositeKey& first, CompositeKey& second) {
    const unsigned int smaller = min(first.limb[0], second.limb[0]);
    second.limb[0] = max(first.limb[0], second.limb[0]);
    first.limb[0] = smaller;
  }

  // Sorts a lane's items: 63 comparators.
  template <typename T>
  static __device__ __forceinline__ void sort_in_lane(T (&items)[kItemsPerThread]) {
    order(items[0], items[8]); order(items[1], items[9]); order(items[2], items[10]); order(items[3], items[11]);
    order(items[4], items[12]); order(items[5], items[13]); order(items[6], items[14]); order(items[7], items[15]);
    order(items[0], items[4]); order(items[1], items[5]); order(items[2], items[6]); order(items[3], items[7]);
    order(items[8], items[12]); order(items[9], items[13]); order(items[10], items[14]); order(items[11], items[15]);
    order(items[4], items[8]); order(items[5], items[9]); order(items[6], items[10]); order(items[7], items[11]);
    order(items[0], items[2]); order(items[1], items[3]); order(items[12], items[14]); order(items[13], items[15]);
    order(items[4], items[6]); order(items[5], items[7]); order(items[8], items[10]); order(items[9], items[11]);
    order(items[0], items[1]); order(items[14], items[15]);
    order(items[2], items[8]); order(items[3], items[9]); order(items[6], items[12]); order(items[7], items[13]);
    order(items[2], items[4]); order(items[3], items[5]); order(items[6], items[8]); order(items[7], items[9]);
    order(items[10], items[12]); order(items[11], items[13]);
    order(items[2], items[3]); order(items[4], items[5]); order(items[6], items[7]); order(items[8], items[9]);
    order(items[10], items[11]); order(items[12], items[13]);
    order(items[1], items[8]); order(items[3], items[10]); order(items[5], items[12]); order(items[7], items[14]);
    order(items[1], items[4]); order(items[3], items[6]); order(items[5], items[8]); order(items[7], items[10]);
    order(items[9], items[12]); order(items[11], items[14]);
    order(items[1], items[2]); order(items[3], items[4]); order(items[5], items[6]); order(items[7], items[8]);
    order(items[9], items[10]); order(items[11], items[12]); order(items[13], items[14]);
  }

  // Sorts a lane's items if they are bitonic, rising and then falling or so in a circle: 32 comparators.
  template <typename T>
  static __device__ __forceinline__ void merge_in_lane(T (&items)[kItemsPerThread]) {
    order(items[0], items[8]); order(items[1], items[9]); order(items[2], items[10]); order(items[3], items[11]);
    order(items[4], items[12]); order(items[5], items[13]); order(items[6], items[14]); order(items[7], items[15]);
    order(items[0], items[4]); order(items[1], items[5]); order(items[2], items[6]); order(items[3], items[7]);
    order(items[8], items[12]); order(items[9], items[13]); order(items[10], items[14]); order(items[11], items[15]);
    order(items[0], items[2]); order(items[1], items[3]); order(items[4], items[6]); order(items[5], items[7]);
    order(items[8], items[10]); order(items[9], items[11]); order(items[12], items[14]); order(items[13], items[15]);
    order(items[0], items[1]); order(items[2], items[3]); order(items[4], items[5]); order(items[6], items[7]);
    order(items[8], items[9]); order(items[10], items[11]); order(items[12], items[13]); order(items[14], items[15]);
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

  __device__ __forceinline__ void two_at(unsigned int at, CompositeKey& first, CompositeKey& second) const {
#pragma unroll
    for (int limb = 0; limb < kCompositeLimbs; ++limb) {
      const TwoWords both = *reinterpret_cast<const TwoWords*>(&storage_.composites[limb][at]);
      first.limb[limb] = both.words[0];
      second.limb[limb] = both.words[1];
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
    // Which of the two items is in which register makes no difference. Where lanes of one access have several runs they take one
    // half of some and the other half of others, and use all banks.
    constexpr bool kSwaps = kCount < 16 && kCount / 2 * kItemsPerThread >= kLanes;
    if (kSwaps && (lane_ & 8) != 0) {
      const unsigned int other = lower;
      lower = upper;
      upper = other;
    }
#pragma unroll
    for (unsigned int i = 0; i < kHalf; i += 2) {
      two_at(Slots::of_run<kHalf>(lower, i), composites[i], composites[i + 1]);
      two_at(Slots::of_run<kHalf>(upper, i), composites[kItemsPerThread - 1 - i], composites[kItemsPerThread - 2 - i]);
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
    merge_columns<64, 16, true, kBlockThreads>();
    __syncthreads();
    merge_from_shared<4>(composites);
    // Runs of 128 threads.
    run_to_shared(composites);
    __syncthreads();
    merge_columns<128, 16, true, kBlockThreads>();
    __syncthreads();
    merge_from_shared<8>(composites);
    // Runs of 256 threads.
    run_to_shared(composites);
    __syncthreads();
    merge_columns<256, 16, true, kBlockThreads>();
    __syncthreads();
    merge_from_shared<16>(composites);
    // Runs of 512 threads.
    run_to_shared(composites);
    __syncthreads();
    merge_columns<512, 16, true, kBlockThreads>();
    __syncthreads();
    merge_from_shared<32>(composites);
  }

  TempStorage& storage_;
  const unsigned int thread_;
  const unsigned int lane_;
};

}  // namespace v0_1_0
}  // namespace sortsmith

extern "C" __global__ void __launch_bounds__(512, 1)
device_bitonic_sort_u32_keys_b512_i16_asc_tiles(sortsmith::device_bitonic_sort_u32_keys_b512_i16_asc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::device_bitonic_sort_u32_keys_b512_i16_asc;
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared)).sort_tile(arguments);
}

extern "C" __global__ void __launch_bounds__(512, 1)
device_bitonic_sort_u32_keys_b512_i16_asc_stride(sortsmith::device_bitonic_sort_u32_keys_b512_i16_asc::Arguments arguments, int steps) {
  using Sort = sortsmith::device_bitonic_sort_u32_keys_b512_i16_asc;
  Sort::merge_far(arguments, Sort::Steps{steps});
}

extern "C" __global__ void __launch_bounds__(512, 1)
device_bitonic_sort_u32_keys_b512_i16_asc_merge(sortsmith::device_bitonic_sort_u32_keys_b512_i16_asc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::device_bitonic_sort_u32_keys_b512_i16_asc;
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared)).merge_tile(arguments);
}
#endif
