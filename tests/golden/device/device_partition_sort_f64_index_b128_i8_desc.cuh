// device_partition_sort_f64_index_b128_i8_desc
//
// Sorts f64 keys with their positions, descending: an array of many items, by one or two levels of buckets. Stable:
// equal keys keep their input order.
//
// Keys order by sign and magnitude. -0.0 and +0.0 are equal. NaNs order by their bits: those with the sign bit set are
// less than all numbers, the others greater.
//
// No values are read. The sort makes them: each key's position in the input.
//
//   splitter   a sampled key that bounds a bucket
//   piece      the run of a bucket's items within one tile
//   parent     a bucket of the first of two levels; the array, where there is one level
//   chunk      what one block moves or sorts of a bucket: all of it, unless the bucket is of equal keys, or oversized
//   oversized  of more items than a block has room for
//
// A tile is partitioned by bucket where it lies, and a later kernel gathers the items of a bucket from their pieces. So nothing is
// counted beforehand, and no block waits for another one. The order of tiles and the order within tiles are kept. A wrong guess of the samples
// costs the buckets that it concerns and nothing else. A block maps the keys of a chunk linearly, by the bucket's two splitters, to as
// many sub-buckets as there is room for items, and sorts overlapping register windows. A chunk that this does not suit is sorted
// by merges, and what blocks leave of an oversized bucket is merged where it lies.
//
// Up to kOneLevelItems items:
//
//   device_partition_sort_f64_index_b128_i8_desc_samples<<<1, 128, 20480, stream>>>(arguments, seed);
//   device_partition_sort_f64_index_b128_i8_desc_split  <<<tile_count(n), 128, 10400, stream>>>(arguments);
//
// More of them:
//
//   device_partition_sort_f64_index_b128_i8_desc_samples       <<<1, 128, 20480, stream>>>(arguments, seed);
//   device_partition_sort_f64_index_b128_i8_desc_split_parents <<<tile_count(n), 128, 8864, stream>>>(arguments);
//   device_partition_sort_f64_index_b128_i8_desc_sum_pieces    <<<span_count(n), 64, 0, stream>>>(arguments);
//   device_partition_sort_f64_index_b128_i8_desc_scan_pieces   <<<1, 256, 1056, stream>>>(arguments);
//   device_partition_sort_f64_index_b128_i8_desc_locate_pieces <<<span_count(n), 64, 8576, stream>>>(arguments);
//   device_partition_sort_f64_index_b128_i8_desc_parent_samples<<<64, 128, 20480, stream>>>(arguments, seed);
//   device_partition_sort_f64_index_b128_i8_desc_split_buckets <<<tile_count(n) + 64, 128, 13584, stream>>>(arguments);
//
// And in both cases, with any number of blocks where it is not said:
//
//   device_partition_sort_f64_index_b128_i8_desc_list_buckets<<<parent_count(n), 256, 88, stream>>>(arguments);
//   device_partition_sort_f64_index_b128_i8_desc_small_chunks<<<blocks, 64, 16528, stream>>>(arguments);
//   device_partition_sort_f64_index_b128_i8_desc_medium_chunks<<<blocks, 128, 33056, stream>>>(arguments);
//   device_partition_sort_f64_index_b128_i8_desc_large_chunks<<<blocks, 256, 49584, stream>>>(arguments);
//   device_partition_sort_f64_index_b128_i8_desc_small_merges<<<blocks, 64, 16528, stream>>>(arguments);
//   device_partition_sort_f64_index_b128_i8_desc_medium_merges<<<blocks, 128, 33056, stream>>>(arguments);
//   device_partition_sort_f64_index_b128_i8_desc_large_merges<<<blocks, 256, 49584, stream>>>(arguments);
//   device_partition_sort_f64_index_b128_i8_desc_equal_keys<<<blocks, 128, 4240, stream>>>(arguments);
//   device_partition_sort_f64_index_b128_i8_desc_oversized_buckets<<<blocks, 128, 0, stream>>>(arguments);
//
// The seed, with sort_counter if there is one, says which positions are sampled. Keys that were chosen with knowledge of it may make
// buckets oversized. The result is the same for all seeds.
//
// The launches are plain ones, as written. On Hopper and later GPUs all but the first may have the attribute
// cudaLaunchAttributeProgrammaticStreamSerialization too: each kernel waits for the one before it itself.
//
// Made by sortsmith 0.1.0 from the template device_partition_sort; to make it again:
//   sortsmith emit --name device_partition_sort_f64_index_b128_i8_desc --out .
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

#ifndef SORTSMITH_V0_1_0_RACING
#define SORTSMITH_V0_1_0_RACING
namespace sortsmith {
inline namespace v0_1_0 {

// A load and a store that meet others' at the same address with nothing that orders them: races that are meant. Relaxed
// operations of one width are morally strong, so that a load gets all of what was there or all of what one thread stores there
// (PTX ISA, Memory Consistency Model, "Single-copy atomicity"); of plain ones that race the model says nothing. Which of
// these it gets is not known. Each caller says why either will do.
template <typename T>
__device__ __forceinline__ T racing_load(const T* from) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "one instruction loads all of it");
  if constexpr (sizeof(T) == 4) {
    return bits_as<T>(poll(reinterpret_cast<const unsigned int*>(from)));
  } else {
    return bits_as<T>(poll(reinterpret_cast<const unsigned long long*>(from)));
  }
}

template <typename T>
__device__ __forceinline__ void racing_store(T* to, T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "one instruction stores all of it");
  if constexpr (sizeof(T) == 4) {
    publish(reinterpret_cast<unsigned int*>(to), bits_as<unsigned int>(value));
  } else {
    publish(reinterpret_cast<unsigned long long*>(to), bits_as<unsigned long long>(value));
  }
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

#ifndef SORTSMITH_V0_1_0_ODD_EVEN_MERGE
#define SORTSMITH_V0_1_0_ODD_EVEN_MERGE
namespace sortsmith {
inline namespace v0_1_0 {

// Sorts words in registers by Batcher's odd-even merges, or merges two sorted halves: comparisons of fixed slots, so that
// all threads do the same.
template <int kWords>
struct OddEvenMerge {
  static __device__ __forceinline__ void sort(unsigned int (&words)[kWords]) { merge_from<0, 0>(words); }
  static __device__ __forceinline__ void merge_halves(unsigned int (&words)[kWords]) { merge_from<kLog2 - 1, kLog2 - 1>(words); }

 private:
  static constexpr int kLog2 = kWords == 8 ? 3 : kWords == 16 ? 4 : 5;
  static_assert(kWords == 1 << kLog2, "8, 16 or 32 words");

  // The steps that are left of a merge of runs of 2^kRun words, then merges of longer runs. A step compares words 2^kStep apart.
  template <int kRun, int kStep>
  static __device__ __forceinline__ void merge_from(unsigned int (&words)[kWords]) {
    constexpr int kDistance = 1 << kStep;
    // First each word of one run meets the other run's; later steps leave out both ends.
    constexpr int kFrom = kStep == kRun ? 0 : kDistance;
#pragma unroll
    for (int i = kFrom; i + kDistance < kWords; ++i) {
      const bool is_lower = ((i - kFrom) >> kStep) % 2 == 0;
      const bool is_same_merge = i >> (kRun + 1) == (i + kDistance) >> (kRun + 1);
      if (is_lower && is_same_merge) order(words[i], words[i + kDistance]);
    }
    if constexpr (kStep > 0) {
      merge_from<kRun, kStep - 1>(words);
    } else if constexpr (kRun + 1 < kLog2) {
      merge_from<kRun + 1, kRun + 1>(words);
    }
  }

  static __device__ __forceinline__ void order(unsigned int& first, unsigned int& second) {
    const unsigned int smaller = first < second ? first : second;
    second = first < second ? second : first;
    first = smaller;
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_SUB_BUCKETS
#define SORTSMITH_V0_1_0_SUB_BUCKETS
namespace sortsmith {
inline namespace v0_1_0 {

// A sort of a few thousand items of a block in shared memory, for keys that are about evenly distributed. Its words:
//
//   sub-bucket        the items with keys in one of many equally wide ranges, about one range for each item or two
//   offset            an item's index where items lie in the order of sub-buckets, and within one in any order
//   register window   kItems consecutive offsets, which one thread sorts in registers; register windows overlap by half
//
// Items are counted by sub-bucket, an exclusive scan makes counts offsets, and each item's composite key is written to its
// offset, which nearly sorts them. Sorting all register windows, and then those that begin half as many offsets later, sorts
// every sub-bucket that two overlapping register windows hold. Larger ones take more rounds.

// Four consecutive words of shared memory, which are read and written at once.
struct __align__(16) FourWords {
  unsigned int words[4];
};

// The slot in shared memory of an offset, or of a sub-bucket's counter. Each thread has kPerThread consecutive ones and reads four
// at a time; a gap of four behind each thread's keeps threads in different banks. `own` are the fours of a thread, which has
// them from `first` on, and `register_window` those of a register window, which may begin in the middle of a thread's.
template <int kPerThread>
struct PaddedSlots {
  static_assert(kPerThread == 16, "a gap of four behind sixteen");
  static constexpr unsigned int kSlotsPerThread = kPerThread + 4;
  struct RegisterWindow {
    FourWords* lower;
    FourWords* upper;
    __device__ __forceinline__ FourWords& operator[](int four) const { return four < kPerThread / 8 ? lower[four] : upper[four - kPerThread / 8]; }
  };

  static __device__ __forceinline__ unsigned int of(unsigned int offset) { return offset + (offset & ~15u) / 4; }
  static __device__ __forceinline__ FourWords* own(unsigned int* words, unsigned int first) {
    return reinterpret_cast<FourWords*>(words + of(first));
  }
  static __device__ __forceinline__ RegisterWindow register_window(unsigned int* words, unsigned int first) {
    return {own(words, first), own(words, first + kPerThread / 2)};
  }
};

// The same without gaps: groups of four are permuted.
template <int kPerThread>
struct SwizzledSlots {
  struct RegisterWindow {
    unsigned int* words;
    unsigned int first;
    __device__ __forceinline__ FourWords& operator[](int four) const {
      return *reinterpret_cast<FourWords*>(words + of(first + 4 * four));
    }
  };

  static __device__ __forceinline__ unsigned int of(unsigned int offset) {
    return offset ^ (offset >> 3 & (kPerThread == 16 ? 12 : kPerThread == 8 ? 4 : 0));
  }
  static __device__ __forceinline__ RegisterWindow own(unsigned int* words, unsigned int first) { return {words, first}; }
  static __device__ __forceinline__ RegisterWindow register_window(unsigned int* words, unsigned int first) { return {words, first}; }
};

// What is known of an item in one register, on its way to what register windows compare: Counted, then Placed, then Compared.
//
//   slot      where its sub-bucket's counter is
//   rank      how many items of the sub-bucket were counted before it
//   start     the sub-bucket's first offset
//   fraction  where in the sub-bucket's range its key is
//   position  its index among the bucket's items as they were read
template <int kPositions, int kBitsOfStart>
struct CompositeKeys {
  static constexpr int kPositionBits = kPositions;
  static constexpr int kStartBits = kBitsOfStart;
  static constexpr int kFractionBits = 32 - kStartBits - kPositionBits;
  static constexpr unsigned int kPositionMask = (1u << kPositionBits) - 1u;
  static constexpr unsigned int kFractionMask = (1u << kFractionBits) - 1u;
  static constexpr unsigned int kStartMask = (1u << kStartBits) - 1u;

  // An item with a known sub-bucket, and no offset yet:
  //
  //   | rank: kStartBits | slot: kPositionBits | fraction: kFractionBits |
  //   31                                                                0
  //
  // A rank that has no room is one of a sub-bucket that overflows, and is not used.
  struct Counted {
    unsigned int bits;
    static __device__ __forceinline__ Counted pack(unsigned int rank, unsigned int slot, unsigned int fraction) {
      return {rank << (32 - kStartBits) | slot << kFractionBits | fraction};
    }
    __device__ __forceinline__ unsigned int rank() const { return bits >> (32 - kStartBits); }
    __device__ __forceinline__ unsigned int slot() const { return bits >> kFractionBits & kPositionMask; }
    __device__ __forceinline__ unsigned int fraction() const { return bits & kFractionMask; }
  };

  // An item with a known offset, and no position yet:
  //
  //   | offset: kPositionBits | start: kStartBits | fraction: kFractionBits |
  //   31                                                                   0
  //
  // Of the start there are the low bits, as many as tell the sub-bucket from those near by.
  struct Placed {
    unsigned int bits;
    static __device__ __forceinline__ Placed pack(Counted item, unsigned int start) {
      return {(start + item.rank()) << (32 - kPositionBits) | (start & kStartMask) << kFractionBits | item.fraction()};
    }
    __device__ __forceinline__ unsigned int offset() const { return bits >> (32 - kPositionBits); }
  };

  // What register windows compare:
  //
  //   | start: kStartBits | fraction: kFractionBits | position: kPositionBits |
  //   31                                                                     0
  //
  // Equal keys keep their order by their positions.
  struct Compared {
    unsigned int bits;
    static __device__ __forceinline__ Compared pack(Placed item, unsigned int position) { return {item.bits << kPositionBits | position}; }
    // One for an offset behind the last item, greater than those before it.
    static __device__ __forceinline__ Compared behind_last(unsigned int offset) { return {offset << (32 - kStartBits) | ~0u >> kStartBits}; }
    __device__ __forceinline__ unsigned int position() const { return bits & kPositionMask; }
    // Whether they differ in their positions alone: their items may differ by less than a fraction tells.
    __device__ __forceinline__ bool is_tied_with(Compared other) const { return (bits ^ other.bits) >> kPositionBits == 0; }
  };

  // What to add to the keys of a register window so that they order as their sub-buckets do: those that reach into it begin at most
  // kMaxSubBucket before it, and from there on their offsets ascend.
  template <unsigned int kMaxSubBucket>
  static __device__ __forceinline__ unsigned int shift_of(unsigned int first) {
    return (kMaxSubBucket - first) << (32 - kStartBits);
  }
};

// The same where the register has all of the key, and there is nothing to move with it.
struct PlainKeys {
  struct Compared {
    unsigned int bits;
    static __device__ __forceinline__ Compared behind_last(unsigned int) { return {~0u}; }
  };
  template <unsigned int kMaxSubBucket>
  static __device__ __forceinline__ unsigned int shift_of(unsigned int) {
    return 0;
  }
};

// Makes the counters of sub-buckets, of which each thread has kPerThread consecutive ones, the first offset of each. Raises
// `max_count` to the largest count, where that is more than kSmall; the caller has set it to less, and orders both by barriers.
// `exclusive_sum` gives the sum over the threads before, and is called by all threads of the block.
template <unsigned int kPerThread, typename Slots, unsigned int kSmall, typename ExclusiveSum>
__device__ __forceinline__ void scan_sub_buckets(unsigned int* counters, unsigned int* max_count, const ExclusiveSum& exclusive_sum) {
  FourWords counts[kPerThread / 4];
  const auto own = Slots::own(counters, threadIdx.x * kPerThread);
  unsigned int sum = 0;
  unsigned int max = 0;
#pragma unroll
  for (unsigned int i = 0; i < kPerThread; ++i) {
    if (i % 4 == 0) counts[i / 4] = own[i / 4];
    const unsigned int count = counts[i / 4].words[i % 4];
    sum += count;
    max = count > max ? count : max;
  }
  if (max > kSmall) atomicMax(max_count, max);
  unsigned int start = exclusive_sum(sum);
#pragma unroll
  for (unsigned int i = 0; i < kPerThread; ++i) {
    const unsigned int count = counts[i / 4].words[i % 4];
    counts[i / 4].words[i % 4] = start;
    start += count;
    if (i % 4 == 3) own[i / 4] = counts[i / 4];
  }
}

// Windows of kItems offsets, of sub-buckets of at most kMaxSubBucket items.
template <int kItems, typename Slots, typename Keys, unsigned int kMaxSubBucket>
struct RegisterWindows {
  static constexpr unsigned int kHalf = kItems / 2;
  // The largest size of a sub-bucket that two overlapping register windows hold in any case.
  static constexpr unsigned int kSmallSubBucket = kHalf + 1;

  // How many halves of register windows the largest sub-bucket reaches into. As many less one merges sort it: first of the
  // register windows that begin at odd multiples of kHalf, then at even ones, and so on.
  static __device__ __forceinline__ unsigned int halves_of(unsigned int max_count) { return (max_count + kHalf - 2) / kHalf + 1; }

  // Sorts the register window that begins at an offset, or merges its halves, which are sorted.
  template <bool kSortsAll>
  static __device__ __forceinline__ void sort(unsigned int* keys, unsigned int first) {
    const unsigned int shift = Keys::template shift_of<kMaxSubBucket>(first);
    const auto fours = Slots::register_window(keys, first);
    unsigned int register_window[kItems];
#pragma unroll
    for (int i = 0; i < kItems; i += 4) {
      const FourWords four = fours[i / 4];
#pragma unroll
      for (int k = 0; k < 4; ++k) register_window[i + k] = four.words[k] + shift;
    }
    if constexpr (kSortsAll) {
      OddEvenMerge<kItems>::sort(register_window);
    } else {
      OddEvenMerge<kItems>::merge_halves(register_window);
    }
#pragma unroll
    for (int i = 0; i < kItems; i += 4) {
      FourWords four;
#pragma unroll
      for (int k = 0; k < 4; ++k) four.words[k] = register_window[i + k] - shift;
      fours[i / 4] = four;
    }
  }

  // Whether the last key of the lower half is less than the first of the upper one: then there is nothing to merge.
  static __device__ __forceinline__ bool halves_are_in_order(const unsigned int* keys, unsigned int first) {
    const unsigned int shift = Keys::template shift_of<kMaxSubBucket>(first);
    return keys[Slots::of(first + kHalf - 1)] + shift < keys[Slots::of(first + kHalf)] + shift;
  }

  // Whether the keys of a thread's own register window are in order, and the one behind.
  static __device__ __forceinline__ bool is_in_order(unsigned int* keys, unsigned int first) {
    const auto fours = Slots::own(keys, first);
    const unsigned int shift = Keys::template shift_of<kMaxSubBucket>(first);
    bool in_order = true;
    unsigned int last = fours[0].words[0] + shift;
#pragma unroll
    for (int i = 0; i < kItems; i += 4) {
      const FourWords four = fours[i / 4];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        in_order &= last <= four.words[k] + shift;
        last = four.words[k] + shift;
      }
    }
    return in_order && last <= keys[Slots::of(first + kItems)] + shift;
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_ASYNC_COPY
#define SORTSMITH_V0_1_0_ASYNC_COPY
namespace sortsmith {
inline namespace v0_1_0 {

// Copies a value to shared memory, where there is a way around registers without waiting for it: the thread itself may read it
// after wait_for_copies, others after the next barrier.
template <typename T>
__device__ __forceinline__ void copy_async(T* to, const T* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !defined(SORTSMITH_NO_PTX)
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) {
    const unsigned int address = static_cast<unsigned int>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" : : "r"(address), "l"(from), "n"(sizeof(T)) : "memory");
    return;
  }
#endif
  *to = *from;
}

__device__ __forceinline__ void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !defined(SORTSMITH_NO_PTX)
  asm volatile("cp.async.wait_all;" : : : "memory");
#endif
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

#ifndef SORTSMITH_V0_1_0_DEVICE_PARTITION_SORT_F64_INDEX_B128_I8_DESC
#define SORTSMITH_V0_1_0_DEVICE_PARTITION_SORT_F64_INDEX_B128_I8_DESC
namespace sortsmith {
inline namespace v0_1_0 {

struct device_partition_sort_f64_index_b128_i8_desc {
  using Key = double;
  using Value = unsigned int;

  static constexpr int kBlockThreads = 128;
  static constexpr int kItemsPerThread = 8;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 64;
  // Whether items with equal keys may differ, so that their order counts.
  static constexpr bool kEqualItemsDiffer = true;
  // Buckets of the only level; parents, and the most buckets of each, where there are two.
  static constexpr unsigned int kOnlyBuckets = 256;
  static constexpr unsigned int kParents = 64;
  static constexpr unsigned int kBuckets = 128;
  // The most items that have one level.
  static constexpr unsigned long long kOneLevelItems = 131072ull;
  static constexpr unsigned long long kMaxItems = 4294934528ull;
  // Tiles that one block of _sum_pieces and _locate_pieces goes over.
  static constexpr unsigned int kSpanTiles = 64;
  // Threads of a block of _list_buckets and of _scan_pieces.
  static constexpr unsigned int kListThreads = 256;
  // The shared memory of blocks.
  static constexpr unsigned int kSampleSharedBytes = 20480;
  static constexpr unsigned int kSplitSharedBytes = 10400;
  static constexpr unsigned int kSplitParentsSharedBytes = 8864;
  static constexpr unsigned int kSplitBucketsSharedBytes = 13584;
  static constexpr unsigned int kScanSharedBytes = 1056;
  static constexpr unsigned int kLocateSharedBytes = 8576;
  static constexpr unsigned int kListSharedBytes = 88;
  static constexpr unsigned int kEqualSharedBytes = 4240;
  static constexpr unsigned int kSmallThreads = 64;
  static constexpr unsigned int kSmallSharedBytes = 16528;
  static constexpr unsigned int kMediumThreads = 128;
  static constexpr unsigned int kMediumSharedBytes = 33056;
  static constexpr unsigned int kLargeThreads = 256;
  static constexpr unsigned int kLargeSharedBytes = 49584;

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
    // A number in device memory that each sort advances by one, or null: a part of the seed, so that the
    // launches of a graph have another one each time.
    unsigned int* sort_counter;
    // Not used by this sort.
    unsigned long long row_stride;
  };

 private:
  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = unsigned long long;
  using StoredBits = unsigned long long;
  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;

  // Chunks are sorted by blocks of three sizes, by sub-buckets or by merges: a list for each size and way. The last list is of those
  // that have equal keys.
  static constexpr unsigned int kClasses = 3;
  static constexpr unsigned int kEqualList = 2 * kClasses;
  static constexpr unsigned int kLists = 2 * kClasses + 1;
  // The most items of a chunk of each class.
  static __device__ __forceinline__ unsigned int class_items(unsigned int size_class) {
    return size_class == 0 ? 1024 : size_class == 1 ? 2048 : 3072;
  }
  static constexpr unsigned int kMaxChunkItems = 3072;
  // Items of a bucket of the second level, on average.
  static constexpr unsigned int kTargetItems = 768;

  // What is zero when a sort begins: how many chunks lists have, how many buckets are oversized, and the items of each bucket of the
  // only level.
  struct __align__(16) Counts {
    unsigned int chunks[kLists];
    unsigned int oversized;
    unsigned int sizes[kOnlyBuckets];
  };

  // Where in the array each parent begins, which of the gathered tiles are its, and its least compared bits. Behind the last one there are the
  // ends.
  struct __align__(16) Parents {
    unsigned int begins[kParents + 1];
    unsigned int tiles[kParents + 1];
    Bits minima[kParents];
  };

  // A tile of the second level has items of one parent, gathered from their pieces. The first of these is in `first_tile`.
  struct GatheredTile {
    unsigned int parent;
    unsigned int first_tile;
  };

  // Items of a bucket from number `from` on, and where in the result they begin.
  struct __align__(16) Chunk {
    unsigned int begin;
    unsigned int from;
    unsigned int size;
    unsigned short parent;
    // kAllOfParent where the parent's keys are all equal.
    unsigned short bucket;
  };
  static constexpr unsigned short kAllOfParent = 0xffff;

  struct OversizedBucket {
    unsigned int begin;
    unsigned int size;
  };

 public:
  static __host__ __device__ constexpr unsigned int tile_count(unsigned long long n) {
    return static_cast<unsigned int>((n + kTileItems - 1) / kTileItems);
  }
  static __host__ __device__ constexpr bool has_two_levels(unsigned long long n) { return n > kOneLevelItems; }
  static __host__ __device__ constexpr unsigned int parent_count(unsigned long long n) { return has_two_levels(n) ? kParents : 1; }
  static __host__ __device__ constexpr unsigned int span_count(unsigned long long n) {
    return (tile_count(n) + kSpanTiles - 1) / kSpanTiles;
  }
  // The most chunks of one list.
  static __host__ __device__ constexpr unsigned long long max_chunks(unsigned long long n) {
    // Of the second level, each parent has two buckets that are not as large as wanted.
    const unsigned long long wanted = n / kTargetItems + 2 * kParents;
    const unsigned long long most = static_cast<unsigned long long>(kParents) * kBuckets;
    const unsigned long long buckets = !has_two_levels(n) ? kOnlyBuckets : wanted < most ? wanted : most;
    return buckets + tile_count(n);
  }

 private:
  // Where in the workspace each array begins.
  struct Workspace {
    unsigned long long parents;
    // Splitters of the only level or of the first one, then of each parent.
    unsigned long long splitters;
    unsigned long long parent_splitters;
    // Of each bucket of the last level: whether its samples say that sub-buckets would overflow.
    unsigned long long overflows;
    // Where buckets begin in their tile, of the last level of which tiles are partitioned.
    unsigned long long tile_offsets;
    // Of two levels: the items of each parent in each span; then each parent's pieces, by tile: its items before that tile, and where in the tile
    // they begin.
    unsigned long long span_sums;
    unsigned long long piece_positions;
    unsigned long long piece_offsets;
    unsigned long long gathered_tiles;
    unsigned long long chunks;
    unsigned long long oversized;
    unsigned long long bytes;
  };

  static __host__ __device__ constexpr unsigned long long aligned(unsigned long long bytes) { return (bytes + 15) / 16 * 16; }
  // Pieces of a parent, and behind them its size.
  static __host__ __device__ constexpr unsigned long long piece_stride(unsigned long long n) { return (tile_count(n) + 1ull + kWarpThreads - 1) / kWarpThreads * kWarpThreads; }

  static __host__ __device__ constexpr Workspace workspace_of(unsigned long long n) {
    const bool two_levels = has_two_levels(n);
    const unsigned long long tiles = tile_count(n);
    const unsigned long long gathered = two_levels ? tiles + kParents : 0;
    const unsigned long long buckets_of_tiles = two_levels ? gathered * kBuckets : tiles * kOnlyBuckets;
    const unsigned long long pieces = two_levels ? kParents * piece_stride(n) : 0;
    Workspace workspace{};
    workspace.parents = sizeof(Counts);
    workspace.splitters = workspace.parents + sizeof(Parents);
    workspace.parent_splitters = workspace.splitters + sizeof(Bits) * (two_levels ? kParents : kOnlyBuckets);
    workspace.overflows = workspace.parent_splitters + (two_levels ? sizeof(Bits) * kParents * kBuckets : 0);
    workspace.tile_offsets = workspace.overflows + (two_levels ? kParents * kBuckets : kOnlyBuckets);
    workspace.span_sums = workspace.tile_offsets + aligned(2 * buckets_of_tiles);
    workspace.piece_positions = workspace.span_sums + (two_levels ? aligned(4ull * span_count(n) * kParents) : 0);
    workspace.piece_offsets = workspace.piece_positions + 4 * pieces;
    workspace.gathered_tiles = workspace.piece_offsets + 2 * pieces;
    workspace.chunks = workspace.gathered_tiles + aligned(sizeof(GatheredTile) * gathered);
    workspace.oversized = workspace.chunks + aligned(sizeof(Chunk) * kLists * max_chunks(n));
    workspace.bytes = workspace.oversized + aligned(sizeof(OversizedBucket) * (n / kMaxChunkItems + 1));
    return workspace;
  }

 public:
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long) { return sizeof(Counts); }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long n) { return workspace_of(n).bytes; }

 private:
  // The workspace's arrays.
  struct Scratch {
    unsigned char* bytes;
    Workspace at;
    unsigned long long chunks_of_list;

    explicit __device__ __forceinline__ Scratch(const Arguments& arguments)
        : bytes(arguments.workspace), at(workspace_of(arguments.n)), chunks_of_list(max_chunks(arguments.n)) {}

    __device__ __forceinline__ Counts& counts() const { return *reinterpret_cast<Counts*>(bytes); }
    __device__ __forceinline__ Parents& parents() const { return *reinterpret_cast<Parents*>(bytes + at.parents); }
    __device__ __forceinline__ Bits* splitters() const { return reinterpret_cast<Bits*>(bytes + at.splitters); }
    __device__ __forceinline__ Bits* parent_splitters(unsigned int parent) const {
      return reinterpret_cast<Bits*>(bytes + at.parent_splitters) + parent * kBuckets;
    }
    __device__ __forceinline__ unsigned char* overflows(unsigned int parent) const { return bytes + at.overflows + parent * kBuckets; }
    __device__ __forceinline__ unsigned short* tile_offsets() const {
      return reinterpret_cast<unsigned short*>(bytes + at.tile_offsets);
    }
    __device__ __forceinline__ unsigned int* span_sums() const { return reinterpret_cast<unsigned int*>(bytes + at.span_sums); }
    __device__ __forceinline__ unsigned int* piece_positions() const {
      return reinterpret_cast<unsigned int*>(bytes + at.piece_positions);
    }
    __device__ __forceinline__ unsigned short* piece_offsets() const {
      return reinterpret_cast<unsigned short*>(bytes + at.piece_offsets);
    }
    __device__ __forceinline__ GatheredTile* gathered_tiles() const {
      return reinterpret_cast<GatheredTile*>(bytes + at.gathered_tiles);
    }
    __device__ __forceinline__ Chunk* chunks(unsigned int list) const {
      return reinterpret_cast<Chunk*>(bytes + at.chunks) + list * chunks_of_list;
    }
    __device__ __forceinline__ OversizedBucket* oversized() const {
      return reinterpret_cast<OversizedBucket*>(bytes + at.oversized);
    }
  };

  static __device__ __forceinline__ unsigned int tile_items(unsigned int items, unsigned int tile) {
    const unsigned int left = items - tile * kTileItems;
    return left < kTileItems ? left : kTileItems;
  }

  // The tiles that a number of items needs.
  static __device__ __forceinline__ unsigned int tiles_of(unsigned int items) { return (items + kTileItems - 1) / kTileItems; }

  // The items of a tile that are in a bucket, by the tile's bucket offsets.
  static __device__ __forceinline__ unsigned int piece_size(const unsigned short* offsets, unsigned int bucket, unsigned int buckets,
                                                            unsigned int valid_items) {
    return (bucket + 1 < buckets ? offsets[bucket + 1] : valid_items) - offsets[bucket];
  }

  static __device__ __forceinline__ unsigned int minimum(unsigned int a, unsigned int b) { return a < b ? a : b; }
  static __device__ __forceinline__ unsigned int maximum(unsigned int a, unsigned int b) { return a > b ? a : b; }

 private:
  // Where the items of a run of positions come from, in shared memory. A piece marks its first position in `marks`, and says there
  // in `differences` what to add to its positions. So an item finds its piece by the last mark at or before it.
  struct PieceMap {
    unsigned int* marks;
    unsigned int* differences;

    // The items from `position` on are those from `source` on, up to the next mark.
    __device__ __forceinline__ void mark(unsigned int position, unsigned int source) const {
      atomicOr(&marks[MarkSlot{position}.row()], MarkSlot{position}.mask());
      differences[position] = source - position;
    }

    // The last mark before a row of 32 positions. Position 0 is always marked. All lanes of the warp call it.
    __device__ __forceinline__ unsigned int last_mark_before(unsigned int row) const {
      const unsigned int lane = lane_of(threadIdx.x);
      for (unsigned int end = row; end != 0; end = end > 32 ? end - 32 : 0) {
        const unsigned int bits = lane < end ? marks[end - 1 - lane] : 0;
        const unsigned int found = __ballot_sync(~0u, bits != 0);
        if (found == 0) continue;
        const unsigned int nearest = __ffs(static_cast<int>(found)) - 1;
        return 32 * (end - 1 - nearest) + 31 - __clz(static_cast<int>(__shfl_sync(~0u, bits, nearest)));
      }
      return 0;
    }

    // Calls `visit(i, position, source)` for the warp's kRows rows of 32 positions each, from `first_row` on, as far as positions are
    // below `size`. All lanes of the warp call it, with a barrier since the last mark.
    template <int kRows, typename Visit>
    __device__ __forceinline__ void for_each(unsigned int first_row, unsigned int size, const Visit& visit) const {
      if (32 * first_row >= size) return;
      unsigned int last = last_mark_before(first_row);
      const unsigned int lanes_to_here = ~0u >> (31 - lane_of(threadIdx.x));
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        const unsigned int base = 32 * (first_row + i);
        const unsigned int bits = marks[first_row + i];
        const unsigned int own = bits & lanes_to_here;
        const unsigned int mark = own != 0 ? base + 31 - __clz(static_cast<int>(own)) : last;
        if (bits != 0) last = base + 31 - __clz(static_cast<int>(bits));
        const unsigned int position = base + lane_of(threadIdx.x);
        if (position < size) visit(i, position, position + differences[mark]);
      }
    }
  };

  // Marks the pieces of a chunk's items among the alternate ones. All of the block's kThreads threads call it, with a barrier since marks
  // were read. Before it writes the differences and when it ends there is a barrier.
  template <int kThreads>
  static __device__ __forceinline__ void mark_pieces(const Arguments& arguments, const Scratch& scratch, const Chunk& chunk,
                                                     const PieceMap& map, typename WarpScans<kThreads>::Storage& sums) {
    for (unsigned int row = threadIdx.x; row * MarkSlot::kRowPositions < chunk.size; row += kThreads) map.marks[row] = 0;
    if (chunk.bucket == kAllOfParent) {
      // Tiles have the parent's items in their order. The thread has cleared the row itself.
      if (threadIdx.x == 0) map.mark(0, chunk.begin);
      __syncthreads();
      return;
    }
    const Parents& parents = scratch.parents();
    const unsigned int parent_begin = parents.begins[chunk.parent];
    const unsigned int parent_items = parents.begins[chunk.parent + 1] - parent_begin;
    const unsigned int tiles = tiles_of(parent_items);
    const unsigned int buckets = has_two_levels(arguments.n) ? kBuckets : kOnlyBuckets;
    const unsigned short* const offsets = scratch.tile_offsets() + static_cast<unsigned long long>(parents.tiles[chunk.parent]) * buckets;
    const unsigned int end = chunk.from + chunk.size;
    unsigned int before = 0;
    for (unsigned int first = 0; first < tiles && before < end; first += kThreads) {
      const unsigned int tile = first + threadIdx.x;
      unsigned int size = 0;
      unsigned int offset = 0;
      if (tile < tiles) {
        const unsigned short* const of_tile = offsets + static_cast<unsigned long long>(tile) * buckets;
        offset = of_tile[chunk.bucket];
        size = piece_size(of_tile, chunk.bucket, buckets, tile_items(parent_items, tile));
      }
      unsigned int total;
      // All marks are cleared behind the sum's barrier.
      const unsigned int position = before + WarpScans<kThreads>::exclusive_sum(sums, threadIdx.x, size, total);
      before += total;
      if (size != 0 && position < end && position + size > chunk.from) {
        const unsigned int begin = maximum(position, chunk.from);
        map.mark(begin - chunk.from, parent_begin + tile * kTileItems + offset + (begin - position));
      }
      // The sums are written again.
      __syncthreads();
    }
  }

 private:
  // Slots of shared memory for the items of an index, so that threads that are kMergeItems items apart are in different banks.
  static __device__ __forceinline__ unsigned int key_slot(unsigned int index) { return index ^ (index >> 4 & 15u); }
  static __device__ __forceinline__ unsigned int position_slot(unsigned int index) { return index ^ (index >> 5 & 14u); }

  // Each thread sorts runs of kRunItems by a network, then merges kMergeItems at a time.
  static constexpr unsigned int kRunItems = 8;
  static constexpr unsigned int kMergeItems = 16;

  // A thread's positions of a merge.
  using MergedPositions = PackedItems<static_cast<int>(kMergeItems), 16>;

  // Makes `positions` the stable order of items, by merges: the work is the same for all keys. `compared_at` gives the compared bits of the item at a
  // position below `size`, which is at most kMergeItems for each of the block's threads. All threads call it, with a barrier since compared bits
  // were written and positions were last used; it ends with a barrier.
  template <typename ComparedAt>
  static __device__ __forceinline__ void sort_positions(unsigned short* positions, unsigned int size, const ComparedAt& compared_at) {
    const unsigned int first = threadIdx.x * kMergeItems;
#pragma unroll 1
    for (unsigned int begin = first; begin < first + kMergeItems && begin < size; begin += kRunItems) {
      sort_run(positions, begin, minimum(begin + kRunItems, size), compared_at);
    }
    __syncthreads();
#pragma unroll 1
    for (unsigned int width = kRunItems; width < size; width *= 2) {
      MergedPositions merged;
      if (first < size) merge_run(positions, size, width, merged, compared_at);
      __syncthreads();
#pragma unroll
      for (unsigned int i = 0; i < kMergeItems; ++i) {
        if (first + i < size) positions[position_slot(first + i)] = static_cast<unsigned short>(merged.get(static_cast<int>(i)));
      }
      __syncthreads();
    }
  }

  // Sorts the positions from `begin` to `end` by a network of neighbours, which exchanges no equal ones.
  template <typename ComparedAt>
  static __device__ __forceinline__ void sort_run(unsigned short* positions, unsigned int begin, unsigned int end, const ComparedAt& compared_at) {
    Bits compared_keys[kRunItems];
    unsigned int run[kRunItems];
#pragma unroll
    for (unsigned int i = 0; i < kRunItems; ++i) {
      run[i] = begin + i;
      compared_keys[i] = begin + i < end ? compared_at(begin + i) : ~Bits(0);
    }
#pragma unroll
    for (unsigned int round = 0; round < kRunItems; ++round) {
#pragma unroll
      for (unsigned int i = round % 2; i + 1 < kRunItems; i += 2) {
        const bool exchanges = compared_keys[i] > compared_keys[i + 1];
        const Bits compared = exchanges ? compared_keys[i + 1] : compared_keys[i];
        compared_keys[i + 1] = exchanges ? compared_keys[i] : compared_keys[i + 1];
        compared_keys[i] = compared;
        const unsigned int position = exchanges ? run[i + 1] : run[i];
        run[i + 1] = exchanges ? run[i] : run[i + 1];
        run[i] = position;
      }
    }
#pragma unroll
    for (unsigned int i = 0; i < kRunItems; ++i) {
      if (begin + i < end) positions[position_slot(begin + i)] = static_cast<unsigned short>(run[i]);
    }
  }

  // Merges sorted runs of `width` positions two by two: the thread finds its kMergeItems of the result.
  template <typename ComparedAt>
  static __device__ __forceinline__ void merge_run(const unsigned short* positions, unsigned int size, unsigned int width,
                                                   MergedPositions& merged, const ComparedAt& compared_at) {
    const auto position_at = [&](unsigned int index) -> unsigned int { return positions[position_slot(index)]; };
    const unsigned int first = threadIdx.x * kMergeItems;
    const unsigned int begin = first / (2 * width) * (2 * width);
    const unsigned int middle = minimum(begin + width, size);
    const unsigned int end = minimum(begin + 2 * width, size);
    const unsigned int lower_items = items_of_first_run(middle - begin, end - middle, first - begin, [&](unsigned int i, unsigned int j) {
      return compared_at(position_at(begin + i)) <= compared_at(position_at(middle + j));
    });
    unsigned int lower = begin + lower_items;
    unsigned int upper = middle + (first - begin) - lower_items;
    unsigned int lower_position = lower < middle ? position_at(lower) : 0;
    unsigned int upper_position = upper < end ? position_at(upper) : 0;
    Bits lower_compared = compared_at(lower_position);
    Bits upper_compared = compared_at(upper_position);
#pragma unroll
    for (unsigned int i = 0; i < kMergeItems; ++i) {
      const bool takes_lower = lower < middle && (upper >= end || lower_compared <= upper_compared);
      merged.set(static_cast<int>(i), takes_lower ? lower_position : upper_position);
      const unsigned int next = takes_lower ? ++lower : ++upper;
      const unsigned int position = position_at(minimum(next, size - 1));
      const Bits compared = compared_at(position);
      lower_position = takes_lower ? position : lower_position;
      lower_compared = takes_lower ? compared : lower_compared;
      upper_position = takes_lower ? upper_position : position;
      upper_compared = takes_lower ? upper_compared : compared;
    }
  }

 private:
  static constexpr unsigned int kMaxSamples = 2048;

  // Equal shares of items: share i begins at begin(i). One division does for all of them.
  struct Shares {
    // With 32 bits behind the point.
    unsigned long long step;

    __device__ __forceinline__ Shares(unsigned int items, unsigned int count) : step((static_cast<unsigned long long>(items) << 32) / count) {}
    __device__ __forceinline__ unsigned int begin(unsigned int share) const { return static_cast<unsigned int>(share * step >> 32); }
  };

  // A permutation of 64 bits, which scatters successive numbers.
  static __device__ __forceinline__ unsigned long long mixed(unsigned long long bits) {
    bits += 0x9e3779b97f4a7c15ull;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ull;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebull;
    return bits ^ bits >> 31;
  }

  // What the positions of a launch's samples follow from:
  //
  //   | sorts that have begun, as far as they are counted: 32 bits | seed of the launch: 32 bits |
  struct SortSeed {
    unsigned long long word;

    static __device__ __forceinline__ SortSeed pack(unsigned int sorts, unsigned int seed) {
      return {static_cast<unsigned long long>(sorts) << 32 | seed};
    }
    // Sorts of other streams count at the same time: threads may see different numbers, which are as good.
    static __device__ __forceinline__ SortSeed of_launch(const Arguments& arguments, unsigned int seed) {
      const unsigned int* const counter = arguments.sort_counter;
      return pack(counter == nullptr ? 0 : racing_load(counter), seed);
    }
  };

  // A sample among those of all parents:
  //
  //   | parent: 32 bits | sample of the parent: 32 bits |
  struct SampleNumber {
    unsigned long long word;

    static __device__ __forceinline__ SampleNumber pack(unsigned int parent, unsigned int sample) {
      return {static_cast<unsigned long long>(parent) << 32 | sample};
    }
    __device__ __forceinline__ unsigned int random(SortSeed seed) const { return static_cast<unsigned int>(mixed(word ^ mixed(seed.word))); }
  };

  // A random position in the share of a sample.
  static __device__ __forceinline__ unsigned int sample_position(const Shares& shares, unsigned int sample, unsigned int parent,
                                                                 SortSeed seed) {
    const unsigned int random = SampleNumber::pack(parent, sample).random(seed);
    const unsigned int begin = shares.begin(sample);
    return begin + __umulhi(random, shares.begin(sample + 1) - begin);
  }

  // Of 2^kLevels buckets the least compared bits of all but the first are the nodes of a tree. The nodes of a level lie side by side, level l from index
  // 2^l on; a node's index in its level has the outcomes of the comparisons above it as bits, the first one lowest. So a step of a
  // search adds a constant or not, and the first steps have no bank conflicts.
  static __device__ __forceinline__ unsigned int node_of(unsigned int bucket, unsigned int levels) {
    const unsigned int steps_below = __ffs(static_cast<int>(bucket)) - 1;
    const unsigned int level = levels - 1 - steps_below;
    const unsigned int in_level = bucket >> steps_below >> 1;
    return (1u << level) + (level == 0 ? 0 : __brev(in_level) >> (32 - level));
  }

  static constexpr __host__ __device__ unsigned int log2_of(unsigned int power) {
    unsigned int log2 = 0;
    while (power >> log2 > 1) ++log2;
    return log2;
  }

  // How the keys that a tree is for are compared. Where no two splitters have the same truncated bits, the nodes are truncated bits
  // of 32 bits, and splitters are rounded down to these.
  //
  // In global memory such a tree begins with the shift and the least compared bits, and the nodes take its second half. Another one
  // begins with kNone.
  struct Truncation {
    Bits min;
    // How far right to shift the distance of compared bits to the least ones.
    unsigned int shift;
    static constexpr unsigned int kNone = ~0u;

    static __device__ __forceinline__ Truncation of_tree(const Bits* tree) { return {tree[1], static_cast<unsigned int>(tree[0])}; }
    __device__ __forceinline__ bool is_none() const { return shift == kNone; }
    // Compared bits that are far above all samples' are the max truncated bits.
    __device__ __forceinline__ unsigned int truncated(Bits compared) const {
      const Bits bits = (compared - min) >> shift;
      return bits >> 32 != 0 ? ~0u : static_cast<unsigned int>(bits);
    }
    // The least compared bits with truncated bits that are not zero. One past the max ones is zero.
    __device__ __forceinline__ Bits least_compared(unsigned int truncated) const {
      const Bits distance = static_cast<Bits>(truncated) << shift;
      return distance > ~Bits(0) - min ? 0 : min + distance;
    }
    __device__ __forceinline__ Bits rounded(Bits compared) const { return is_none() ? compared : least_compared(truncated(compared)); }
  };

  static __device__ __forceinline__ const unsigned int* truncated_nodes(const Bits* tree, unsigned int buckets) {
    return reinterpret_cast<const unsigned int*>(tree) + buckets;
  }

  // The least compared bits of a bucket behind the first.
  static __device__ __forceinline__ Bits splitter_at(const Bits* tree, unsigned int bucket, unsigned int buckets) {
    const Truncation truncation = Truncation::of_tree(tree);
    const unsigned int node = node_of(bucket, log2_of(buckets));
    return truncation.is_none() ? tree[node] : truncation.least_compared(truncated_nodes(tree, buckets)[node]);
  }

  // Finds the bucket of each key's compared bits, truncated or not: the last one of which the least ones are not above them. The searches run side by side.
  template <unsigned int kBucketCount, typename Compared, int kKeys>
  static __device__ __forceinline__ void find_buckets(const Compared* tree, const Compared (&compared_keys)[kKeys], unsigned int (&buckets)[kKeys]) {
    constexpr unsigned int kLevels = log2_of(kBucketCount);
    // In bytes, which saves the multiplication.
    const char* const nodes = reinterpret_cast<const char*>(tree);
#pragma unroll
    for (int i = 0; i < kKeys; ++i) buckets[i] = 0;
#pragma unroll
    for (unsigned int level = 0; level < kLevels; ++level) {
      constexpr unsigned int kNodeBytes = sizeof(Compared);
      const unsigned int step = kNodeBytes << level;
#pragma unroll
      for (int i = 0; i < kKeys; ++i) {
        if (compared_keys[i] >= *reinterpret_cast<const Compared*>(nodes + buckets[i] + step)) buckets[i] += step;
      }
    }
#pragma unroll
    for (int i = 0; i < kKeys; ++i) buckets[i] = __brev(buckets[i] / sizeof(Compared)) >> (32 - kLevels);
  }

  // What a block that makes splitters keeps in shared memory: the samples' compared bits as they are read, and their sorted positions.
  struct SampleStorage {
    Bits compared_keys[kMaxSamples];
    unsigned short positions[kMaxSamples];
  };
  static_assert(sizeof(SampleStorage) == kSampleSharedBytes, "the storage is laid out as planned");

  // The least and the max compared bits that a parent's keys may have.
  struct ComparedRange {
    Bits min;
    Bits max;
  };

  static __device__ __forceinline__ ComparedRange range_of_parent(const Arguments& arguments, const Parents& parents, unsigned int parent) {
    const bool is_last = parent + 1 == parent_count(arguments.n);
    return {parents.minima[parent], is_last ? ~Bits(0) : parents.minima[parent + 1] - 1};
  }

  // The same of the keys of a bucket. One of equal keys has both equal.
  static __device__ __forceinline__ ComparedRange range_of_bucket(const Arguments& arguments, const Scratch& scratch, unsigned int parent,
                                                               unsigned int bucket) {
    const bool two_levels = has_two_levels(arguments.n);
    const unsigned int buckets = two_levels ? kBuckets : kOnlyBuckets;
    const Bits* const tree = two_levels ? scratch.parent_splitters(parent) : scratch.splitters();
    const ComparedRange range = range_of_parent(arguments, scratch.parents(), parent);
    const Bits max = bucket + 1 < buckets ? splitter_at(tree, bucket + 1, buckets) - 1 : range.max;
    return {bucket == 0 ? range.min : splitter_at(tree, bucket, buckets), max < range.max ? max : range.max};
  }

  // Sorted samples, as splitters of `used` buckets.
  //
  // A splitter that is the one before it again is increased by one: from the one before to it, there is a bucket of equal keys. The first
  // splitter's one before is the parent's least compared bits. From `used` on all splitters are the parent's max ones, which so has a bucket of
  // its own, the last one.
  struct SortedSamples {
    const SampleStorage& storage;
    ComparedRange range;
    Shares shares;
    unsigned int used;

    __device__ __forceinline__ Bits operator[](unsigned int rank) const {
      return storage.compared_keys[key_slot(storage.positions[position_slot(rank)])];
    }

    // The least compared bits of a bucket.
    __device__ __forceinline__ Bits splitter(unsigned int bucket) const {
      if (bucket == 0) return range.min;
      if (bucket >= used) return range.max;
      const Bits sample = (*this)[shares.begin(bucket)];
      const Bits before = bucket == 1 ? range.min : (*this)[shares.begin(bucket - 1)];
      return sample == before && sample < range.max ? sample + 1 : sample;
    }

    // Whether successive samples lie in so small a part of the bucket's range that a sub-bucket of it would overflow.
    __device__ __forceinline__ bool overflows(unsigned int bucket) const {
      constexpr unsigned int kClose = 3;
      const Bits close = (splitter(bucket + 1) - splitter(bucket)) >> 10;
      bool is_close = false;
      for (unsigned int rank = shares.begin(bucket); rank + kClose < shares.begin(bucket + 1); ++rank) {
        is_close |= (*this)[rank + kClose] - (*this)[rank] <= close;
      }
      return is_close;
    }
  };

  // How the keys of a bucket with these samples are compared. All threads of the block call it.
  template <unsigned int kBucketCount>
  static __device__ __forceinline__ Truncation truncation_of(const SortedSamples& sorted, unsigned int samples) {
    const int length = bit_length(sorted[samples - 1] - sorted.range.min);
    const Truncation truncation{sorted.range.min, length > 32 ? static_cast<unsigned int>(length - 32) : 0};
    bool is_distinct = true;
    for (unsigned int bucket = threadIdx.x + 1; bucket <= sorted.used && bucket < kBucketCount; bucket += kBlockThreads) {
      is_distinct &= truncation.truncated(sorted.splitter(bucket - 1)) != truncation.truncated(sorted.splitter(bucket));
    }
    const bool all_are_distinct = __syncthreads_and(is_distinct);
    return all_are_distinct ? truncation : Truncation{sorted.range.min, Truncation::kNone};
  }

  // Writes the tree of splitters, and which buckets are to be sorted by merges. Returns whether any of the thread's buckets is. All threads
  // of the block call it, with a barrier since the compared bits were written; `minima` gets the least ones of each bucket, if it is not null.
  template <unsigned int kBucketCount>
  static __device__ __forceinline__ bool write_splitters(SampleStorage& storage, ComparedRange range, unsigned int samples, unsigned int used,
                                                         Bits* tree, unsigned char* overflows, Bits* minima) {
    sort_positions(storage.positions, samples, [&](unsigned int position) { return storage.compared_keys[key_slot(position)]; });
    const SortedSamples sorted{storage, range, Shares(samples, used), used};
    const Truncation truncation = truncation_of<kBucketCount>(sorted, samples);
    bool any_overflows = false;
    for (unsigned int bucket = threadIdx.x; bucket < kBucketCount; bucket += kBlockThreads) {
      const Bits splitter = truncation.rounded(sorted.splitter(bucket));
      if (minima != nullptr) minima[bucket] = splitter;
      const bool overflows_bucket = bucket < used && sorted.overflows(bucket);
      overflows[bucket] = overflows_bucket;
      any_overflows |= overflows_bucket;
      if (bucket == 0) {
        tree[0] = truncation.shift;
        continue;
      }
      const unsigned int node = node_of(bucket, log2_of(kBucketCount));
      if (truncation.is_none()) {
        tree[node] = splitter;
      } else {
        reinterpret_cast<unsigned int*>(tree)[kBucketCount + node] = truncation.truncated(splitter);
      }
      if (node == 1 && !truncation.is_none()) tree[1] = truncation.min;
    }
    return any_overflows;
  }

 public:
  // Makes the splitters of the first level or of the only one, by one block.
  static __device__ __forceinline__ void find_splitters(const Arguments& arguments, unsigned char* shared, unsigned int launch_seed) {
    SampleStorage& storage = *reinterpret_cast<SampleStorage*>(shared);
    const SortSeed seed = SortSeed::of_launch(arguments, launch_seed);
    const Scratch scratch(arguments);
    const unsigned int n = static_cast<unsigned int>(arguments.n);
    const unsigned int samples = minimum(n, kMaxSamples);
    const Shares shares(n, samples);
    for (unsigned int sample = threadIdx.x; sample < samples; sample += kBlockThreads) {
      storage.compared_keys[key_slot(sample)] = compared_of(arguments.keys_in[sample_position(shares, sample, 0, seed)]);
    }
    // All that was read was there before the sort began.
    wait_for_previous_grid();
    let_next_grid_start();
    __syncthreads();
    // All threads have read it.
    if (threadIdx.x == 0 && arguments.sort_counter != nullptr) atomicAdd(arguments.sort_counter, 1u);
    const ComparedRange range{0, ~Bits(0)};
    Parents& parents = scratch.parents();
    if (has_two_levels(n)) {
      write_splitters<kParents>(storage, range, samples, kParents, scratch.splitters(), scratch.overflows(0), parents.minima);
      return;
    }
    write_splitters<kOnlyBuckets>(storage, range, samples, kOnlyBuckets, scratch.splitters(), scratch.overflows(0), nullptr);
    if (threadIdx.x != 0) return;
    parents.begins[0] = 0;
    parents.begins[1] = n;
    parents.tiles[0] = 0;
    parents.tiles[1] = tile_count(n);
    parents.minima[0] = 0;
  }

  // Makes the splitters of one parent, as far as it needs any. Its items are found in its pieces.
  static __device__ __forceinline__ void find_splitters_of_parent(const Arguments& arguments, unsigned char* shared, unsigned int launch_seed) {
    SampleStorage& storage = *reinterpret_cast<SampleStorage*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const SortSeed seed = SortSeed::of_launch(arguments, launch_seed);
    const Scratch scratch(arguments);
    const Parents& parents = scratch.parents();
    const unsigned int parent = blockIdx.x;
    const unsigned int items = parents.begins[parent + 1] - parents.begins[parent];
    if (items == 0) return;
    const unsigned int used = minimum((items + kTargetItems - 1) / kTargetItems, kBuckets);
    const unsigned int samples = minimum(minimum(items, kSamplesPerBucket * used), kMaxSamples);
    const Shares shares(items, samples);
    const unsigned int tiles = tile_count(arguments.n);
    const unsigned int* const positions = scratch.piece_positions() + parent * piece_stride(arguments.n);
    const unsigned short* const offsets = scratch.piece_offsets() + parent * piece_stride(arguments.n);
    for (unsigned int first = threadIdx.x; first < samples; first += kSearches * kBlockThreads) {
      // Searches run side by side, that of the last sample again where there are fewer.
      unsigned int items[kSearches];
      unsigned int in_tiles[kSearches] = {};
#pragma unroll
      for (unsigned int i = 0; i < kSearches; ++i) {
        items[i] = sample_position(shares, minimum(first + i * kBlockThreads, samples - 1), parent + 1, seed);
      }
      for (unsigned int step = 1u << (31 - __clz(static_cast<int>(tiles))); step != 0; step /= 2) {
#pragma unroll
        for (unsigned int i = 0; i < kSearches; ++i) {
          const unsigned int tile = in_tiles[i] + step;
          if (positions[minimum(tile, tiles - 1)] <= items[i] && tile < tiles) in_tiles[i] = tile;
        }
      }
      Key keys[kSearches];
#pragma unroll
      for (unsigned int i = 0; i < kSearches; ++i) {
        const unsigned int tile = in_tiles[i];
        const unsigned long long source = static_cast<unsigned long long>(tile) * kTileItems + offsets[tile] + (items[i] - positions[tile]);
        keys[i] = arguments.keys_out[source];
      }
#pragma unroll
      for (unsigned int i = 0; i < kSearches; ++i) {
        const unsigned int sample = first + i * kBlockThreads;
        if (sample < samples) storage.compared_keys[key_slot(sample)] = compared_of(keys[i]);
      }
    }
    __syncthreads();
    unsigned char* const overflows = scratch.overflows(parent);
    const bool overflows_any = write_splitters<kBuckets>(storage, range_of_parent(arguments, parents, parent), samples, used,
                                                         scratch.parent_splitters(parent), overflows, nullptr);
    // Of the buckets of all parents a few have such samples by chance, but rarely two of one parent. Each thread has written those that it
    // clears.
    if (__syncthreads_count(overflows_any) > 1) return;
    for (unsigned int bucket = threadIdx.x; bucket < kBuckets; bucket += kBlockThreads) overflows[bucket] = 0;
  }

 private:
  // Samples of a parent for each of its buckets.
  static constexpr unsigned int kSamplesPerBucket = 32;

  // Samples that a thread finds side by side.
  static constexpr unsigned int kSearches = 3;

 private:
  // A number of 16 bits for each of a thread's items.
  using ItemNumbers = PackedItems<kItemsPerThread, 16>;

  // What a block that partitions a tile keeps in shared memory.
  template <unsigned int kBucketCount, bool kGathers>
  struct SplitStorage {
    union {
      // Each warp's count of its items in a bucket, then the offset of its next one.
      __align__(16) unsigned int counters[kWarps][kBucketCount];
      // By their new offsets: the positions at which items were read, their keys, their values.
      unsigned short positions[kTileItems];
      StoredBits keys[kTileItems];
      Value values[kTileItems];
    };
    union {
      Bits tree[kBucketCount];
      unsigned int truncated_tree[kBucketCount];
    };
    // Marks at the offsets at which buckets begin.
    unsigned int heads[kTileItems / MarkSlot::kRowPositions];
    typename WarpScans<kBlockThreads>::Storage sums;
    unsigned int marks[kGathers ? kTileItems / MarkSlot::kRowPositions : 1];
    unsigned int differences[kGathers ? kTileItems : 1];
  };

  // The tile that a block partitions.
  struct Tile {
    // Where its items are written.
    unsigned int begin;
    unsigned int valid_items;
    // Where to write where each bucket begins in the tile.
    unsigned short* offsets;
    // Items of each bucket, to which the tile's are added; null where they are not wanted.
    unsigned int* sizes;
  };

  // The arrays that a level reads and writes.
  struct Level {
    const Key* keys_in;
    Key* keys_out;
    const Value* values_in;
    Value* values_out;
  };

  // Calls `visit(item, source)` for each of the thread's items, where `source` is the item's index in the level's input.
  template <bool kGathers, typename Storage, typename Visit>
  static __device__ __forceinline__ void for_each_item(Storage& storage, const Tile& tile, const Visit& visit) {
    if constexpr (kGathers) {
      const PieceMap map{storage.marks, storage.differences};
      map.template for_each<kItemsPerThread>(opaque(warp_of(threadIdx.x) * kItemsPerThread), tile.valid_items,
                                             [&](int item, unsigned int, unsigned int source) { visit(item, source); });
    } else {
      const unsigned int first = opaque(warp_striped<kItemsPerThread>(threadIdx.x, 0));
#pragma unroll
      for (int item = 0; item < kItemsPerThread; ++item) {
        if (first + 32 * item < tile.valid_items) visit(item, tile.begin + first + 32 * item);
      }
    }
  }

  // Partitions a tile by bucket, stable. All threads of the block call it, with a barrier since pieces were marked.
  template <unsigned int kBucketCount, bool kGathers>
  static __device__ __forceinline__ void split_tile(SplitStorage<kBucketCount, kGathers>& storage, const Level& level, const Tile& tile,
                                                    const Bits* tree) {
    Key keys[kItemsPerThread] = {};
    for_each_item<kGathers>(storage, tile, [&](int item, unsigned int source) { keys[item] = level.keys_in[source]; });
    const Truncation truncation = Truncation::of_tree(tree);
    for (unsigned int node = threadIdx.x + 1; node < kBucketCount; node += kBlockThreads) {
      if (truncation.is_none()) {
        storage.tree[node] = tree[node];
      } else {
        storage.truncated_tree[node] = truncated_nodes(tree, kBucketCount)[node];
      }
    }
    // Buckets, then offsets.
    ItemNumbers numbers{};
    count_items(storage, tile, truncation, keys, numbers);
    find_offsets<true>(storage, tile);
    take_offsets_by_atomics(storage, tile, numbers);
    if constexpr (kEqualItemsDiffer) {
      if (!are_in_order(storage, numbers)) {
        count_items(storage, tile, truncation, keys, numbers);
        find_offsets<false>(storage, tile);
        take_offsets_by_match(storage, numbers);
        __syncthreads();
      }
    }
    write_tile(storage, level, tile, keys, numbers);
  }

  // Counts each warp's items of each bucket, and finds the buckets. What is behind the last item has the max compared bits: it comes
  // behind all items of the last bucket. It ends with a barrier.
  template <unsigned int kBucketCount, bool kGathers>
  static __device__ __forceinline__ void count_items(SplitStorage<kBucketCount, kGathers>& storage, const Tile& tile, const Truncation& truncation,
                                                     const Key (&keys)[kItemsPerThread], ItemNumbers& numbers) {
    unsigned int* const counters = &storage.counters[0][0];
#pragma unroll 1
    for (unsigned int i = threadIdx.x; i < kWarps * kBucketCount; i += kBlockThreads) counters[i] = 0;
    for (unsigned int i = threadIdx.x; i < kTileItems / MarkSlot::kRowPositions; i += kBlockThreads) storage.heads[i] = 0;
    __syncthreads();
    unsigned int* const of_warp = storage.counters[warp_of(threadIdx.x)];
    const unsigned int first = opaque(warp_striped<kItemsPerThread>(threadIdx.x, 0));
    const auto compared_at = [&](int item) {
      return first + 32 * item < tile.valid_items ? compared_of(keys[item]) : ~Bits(0);
    };
    if (truncation.is_none()) {
      count_by_tree<kBucketCount>(storage.tree, of_warp, numbers, compared_at);
    } else {
      count_by_tree<kBucketCount>(storage.truncated_tree, of_warp, numbers, [&](int item) { return truncation.truncated(compared_at(item)); });
    }
    __syncthreads();
  }

  template <unsigned int kBucketCount, typename Compared, typename ComparedAt>
  static __device__ __forceinline__ void count_by_tree(const Compared* tree, unsigned int* of_warp, ItemNumbers& numbers, const ComparedAt& compared_at) {
    constexpr int kSearches = kItemsPerThread % 2 == 0 ? 2 : 1;
#pragma unroll
    for (int item = 0; item < kItemsPerThread; item += kSearches) {
      Compared compared_keys[kSearches];
      unsigned int buckets[kSearches];
#pragma unroll
      for (int i = 0; i < kSearches; ++i) compared_keys[i] = compared_at(item + i);
      find_buckets<kBucketCount>(tree, compared_keys, buckets);
#pragma unroll
      for (int i = 0; i < kSearches; ++i) {
        numbers.replace(item + i, buckets[i]);
        atomicAdd(&of_warp[buckets[i]], 1u);
      }
    }
  }

  // Makes the warps' counts the offset of each warp's first item of each bucket, and says where buckets begin. It ends with a barrier.
  template <bool kAddsSizes, unsigned int kBucketCount, bool kGathers>
  static __device__ __forceinline__ void find_offsets(SplitStorage<kBucketCount, kGathers>& storage, const Tile& tile) {
    constexpr unsigned int kColumns = kBucketCount > kBlockThreads ? kBucketCount / kBlockThreads : 1;
    const unsigned int first = threadIdx.x * kColumns;
    const bool has_buckets = first < kBucketCount;
    unsigned int sizes[kColumns] = {};
    if (has_buckets) {
#pragma unroll
      for (unsigned int i = 0; i < kColumns; ++i) {
#pragma unroll
        for (unsigned int warp = 0; warp < kWarps; ++warp) {
          const unsigned int count = storage.counters[warp][first + i];
          storage.counters[warp][first + i] = sizes[i];
          sizes[i] += count;
        }
      }
    }
    unsigned int sum = 0;
#pragma unroll
    for (unsigned int i = 0; i < kColumns; ++i) sum += sizes[i];
    unsigned int total;
    unsigned int offset = WarpScans<kBlockThreads>::exclusive_sum(storage.sums, threadIdx.x, sum, total);
    if (has_buckets) {
#pragma unroll
      for (unsigned int i = 0; i < kColumns; ++i) {
        tile.offsets[first + i] = static_cast<unsigned short>(offset);
#pragma unroll
        for (unsigned int warp = 0; warp < kWarps; ++warp) storage.counters[warp][first + i] += offset;
        if (offset < kTileItems) atomicOr(&storage.heads[MarkSlot{offset}.row()], MarkSlot{offset}.mask());
        const bool is_last = first + i + 1 == kBucketCount;
        const unsigned int size = is_last ? sizes[i] - (kTileItems - tile.valid_items) : sizes[i];
        if (kAddsSizes && tile.sizes != nullptr && size != 0) atomicAdd(&tile.sizes[first + i], size);
        offset += sizes[i];
      }
    }
    __syncthreads();
  }

  // Gives each item its offset: its warp's next one of its bucket. No manual promises the order in which lanes of a row are served: see
  // are_in_order. Where the order of items does not count, what is behind the last one keeps its position. Where lanes share the first
  // lane's bucket, one adds for all of them.
  template <unsigned int kBucketCount, bool kGathers>
  static __device__ __forceinline__ void take_offsets_by_atomics(SplitStorage<kBucketCount, kGathers>& storage, const Tile& tile,
                                                                 ItemNumbers& numbers) {
    constexpr int kManyLanes = 6;
    unsigned int* const of_warp = storage.counters[warp_of(threadIdx.x)];
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned int first = warp_striped<kItemsPerThread>(threadIdx.x, 0);
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) {
      const unsigned int bucket = numbers.get(item);
      const unsigned int position = first + 32 * item;
      const bool takes_offset = true;
      const unsigned int first_bucket = __shfl_sync(~0u, bucket, 0);
      const unsigned int peers = __ballot_sync(~0u, takes_offset && bucket == first_bucket);
      const bool is_shared = __popc(peers) >= kManyLanes && (peers >> lane & 1u) != 0;
      unsigned int offset = 0;
      if (takes_offset && (!is_shared || lane == 0)) offset = atomicAdd(&of_warp[bucket], is_shared ? static_cast<unsigned int>(__popc(peers)) : 1u);
      const unsigned int of_first_lane = __shfl_sync(~0u, offset, 0);
      const unsigned int taken = is_shared ? of_first_lane + __popc(peers & ((1u << lane) - 1u)) : offset;
      numbers.replace(item, takes_offset ? taken : position);
    }
    __syncthreads();
  }

  // The same in the order of lanes.
  template <unsigned int kBucketCount, bool kGathers>
  static __device__ __forceinline__ void take_offsets_by_match(SplitStorage<kBucketCount, kGathers>& storage, ItemNumbers& numbers) {
    unsigned int* const of_warp = storage.counters[warp_of(threadIdx.x)];
    const unsigned int lanes_below = (1u << lane_of(threadIdx.x)) - 1u;
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) {
      const unsigned int bucket = numbers.get(item);
      const unsigned int peers = lanes_of_same_digit<static_cast<int>(log2_of(kBucketCount))>(bucket);
      const unsigned int next = of_warp[bucket];
      numbers.replace(item, next + __popc(peers & lanes_below));
      // All lanes have read; the first one of each bucket writes for the next row.
      __syncwarp();
      if ((peers & lanes_below) == 0) of_warp[bucket] = next + __popc(peers);
      __syncwarp();
    }
  }

  // Whether the positions of each bucket's items ascend with their offsets. Counters are not used again.
  template <unsigned int kBucketCount, bool kGathers>
  static __device__ __forceinline__ bool are_in_order(SplitStorage<kBucketCount, kGathers>& storage, const ItemNumbers& offsets) {
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) storage.positions[offsets.get(item)] = static_cast<unsigned short>(warp_striped<kItemsPerThread>(threadIdx.x, item));
    __syncthreads();
    // Positions that are read at once.
    constexpr int kRun = kItemsPerThread % 4 == 0 ? 4 : 1;
    struct __align__(2 * kRun) Run {
      unsigned short positions[kRun];
    };
    bool is_wrong = false;
    // One run after the other, since keys take the registers.
#pragma unroll 1
    for (int first = 0; first < kItemsPerThread; first += kRun) {
      const unsigned int offset = first * kBlockThreads + kRun * threadIdx.x;
      const Run run = *reinterpret_cast<const Run*>(storage.positions + offset);
      const unsigned int heads = MarkSlot{offset}.from_here(storage.heads);
      unsigned int before = storage.positions[offset - (offset != 0)];
#pragma unroll
      for (int i = 0; i < kRun; ++i) {
        is_wrong |= (heads >> i & 1u) == 0 && run.positions[i] < before;
        before = run.positions[i];
      }
    }
    return !__syncthreads_or(is_wrong);
  }

  // Writes the tile's items at their offsets, with a barrier since these were found.
  template <unsigned int kBucketCount, bool kGathers>
  static __device__ __forceinline__ void write_tile(SplitStorage<kBucketCount, kGathers>& storage, const Level& level, const Tile& tile,
                                                    const Key (&keys)[kItemsPerThread], const ItemNumbers& offsets) {
    const unsigned int thread = opaque(threadIdx.x);
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) storage.keys[offsets.get(item)] = bits_as<StoredBits>(keys[item]);
    const unsigned int first = opaque(warp_striped<kItemsPerThread>(threadIdx.x, 0));
    Value values[kItemsPerThread];
    for_each_item<kGathers>(storage, tile, [&](int item, unsigned int source) {
      if constexpr (kGathers) {
        values[item] = level.values_in[source];
      } else {
        values[item] = static_cast<Value>(source);
      }
    });
    __syncthreads();
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) {
      const unsigned int offset = item * kBlockThreads + thread;
      if (offset < tile.valid_items) level.keys_out[tile.begin + offset] = bits_as<Key>(storage.keys[offset]);
    }
    __syncthreads();
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) {
      if (first + 32 * item < tile.valid_items) storage.values[offsets.get(item)] = values[item];
    }
    __syncthreads();
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) {
      const unsigned int offset = item * kBlockThreads + thread;
      if (offset < tile.valid_items) level.values_out[tile.begin + offset] = storage.values[offset];
    }
  }

  // From the input to the alternate arrays or to the result.
  static __device__ __forceinline__ Level first_level(const Arguments& arguments, bool to_result) {
    return {arguments.keys_in, to_result ? arguments.keys_out : arguments.keys_alternate, arguments.values_in,
            to_result ? arguments.values_out : arguments.values_alternate};
  }

 public:
  // Partitions one tile of the input by the buckets of the only level.
  static __device__ __forceinline__ void split(const Arguments& arguments, unsigned char* shared) {
    using Storage = SplitStorage<kOnlyBuckets, false>;
    static_assert(sizeof(Storage) == kSplitSharedBytes, "the storage is laid out as planned");
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const Tile tile{blockIdx.x * kTileItems, tile_items(static_cast<unsigned int>(arguments.n), blockIdx.x),
                    scratch.tile_offsets() + blockIdx.x * kOnlyBuckets, scratch.counts().sizes};
    split_tile(*reinterpret_cast<Storage*>(shared), first_level(arguments, false), tile, scratch.splitters());
  }

  // Partitions one tile of the input by parents, into the result's array.
  static __device__ __forceinline__ void split_by_parents(const Arguments& arguments, unsigned char* shared) {
    using Storage = SplitStorage<kParents, false>;
    static_assert(sizeof(Storage) == kSplitParentsSharedBytes, "the storage is laid out as planned");
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const Tile tile{blockIdx.x * kTileItems, tile_items(static_cast<unsigned int>(arguments.n), blockIdx.x),
                    scratch.tile_offsets() + static_cast<unsigned long long>(blockIdx.x) * kParents, nullptr};
    split_tile(*reinterpret_cast<Storage*>(shared), first_level(arguments, true), tile, scratch.splitters());
  }

  // Gathers one tile of a parent's items, and partitions it by the parent's buckets.
  static __device__ __forceinline__ void split_parent(const Arguments& arguments, unsigned char* shared) {
    using Storage = SplitStorage<kBuckets, true>;
    static_assert(sizeof(Storage) == kSplitBucketsSharedBytes, "the storage is laid out as planned");
    Storage& storage = *reinterpret_cast<Storage*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const Parents& parents = scratch.parents();
    if (blockIdx.x >= parents.tiles[kParents]) return;
    const GatheredTile gathered = scratch.gathered_tiles()[blockIdx.x];
    if constexpr (!kEqualItemsDiffer) {
      // The key is written, and need not be gathered.
      const ComparedRange range = range_of_parent(arguments, parents, gathered.parent);
      if (range.min == range.max) return;
    }
    const unsigned int parent_begin = parents.begins[gathered.parent];
    const unsigned int number = blockIdx.x - parents.tiles[gathered.parent];
    const Tile tile{parent_begin + number * kTileItems, tile_items(parents.begins[gathered.parent + 1] - parent_begin, number),
                    scratch.tile_offsets() + static_cast<unsigned long long>(blockIdx.x) * kBuckets, nullptr};
    mark_gathered_tile(arguments, scratch, gathered, number * kTileItems, tile.valid_items, storage);
    const Level level{arguments.keys_out, arguments.keys_alternate, arguments.values_out, arguments.values_alternate};
    split_tile(storage, level, tile, scratch.parent_splitters(gathered.parent));
  }

 private:
  // Marks the pieces of `size` items of a parent, from item `from` on. It ends with a barrier.
  template <typename Storage>
  static __device__ __forceinline__ void mark_gathered_tile(const Arguments& arguments, const Scratch& scratch, const GatheredTile& gathered,
                                                            unsigned int from, unsigned int size, Storage& storage) {
    const PieceMap map{storage.marks, storage.differences};
    for (unsigned int row = threadIdx.x; row < kTileItems / MarkSlot::kRowPositions; row += kBlockThreads) map.marks[row] = 0;
    __syncthreads();
    const unsigned int tiles = tile_count(arguments.n);
    const unsigned int* const positions = scratch.piece_positions() + gathered.parent * piece_stride(arguments.n);
    const unsigned short* const offsets = scratch.piece_offsets() + gathered.parent * piece_stride(arguments.n);
    bool goes_on = true;
    for (unsigned int first = gathered.first_tile; goes_on; first += kBlockThreads) {
      const unsigned int tile = first + threadIdx.x;
      bool ends_before = false;
      if (tile < tiles) {
        const unsigned int position = positions[tile];
        const unsigned int end = positions[tile + 1];
        if (end > maximum(position, from) && position < from + size) {
          const unsigned int begin = maximum(position, from);
          map.mark(begin - from, tile * kTileItems + offsets[tile] + (begin - position));
        }
        ends_before = threadIdx.x + 1 == kBlockThreads && end < from + size;
      }
      goes_on = __syncthreads_or(ends_before);
    }
  }

 private:
  static constexpr unsigned int kScanSegments = kListThreads / kParents;

  // What the block of _scan_pieces keeps in shared memory: each parent's items in each segment of the spans.
  struct ScanStorage {
    unsigned int segments[kScanSegments][kParents];
    typename WarpScans<kListThreads>::Storage sums;
  };
  static_assert(sizeof(ScanStorage) == kScanSharedBytes, "the storage is laid out as planned");

  // Tiles of which pieces are written at once.
  static constexpr unsigned int kTilesAtOnce = 32;

  // Tiles of which a thread reads the pieces before it uses the first of them.
  static constexpr unsigned int kTilesOnTheirWay = 8;

  // A piece on its way through shared memory:
  //
  //   | items of the parent in the tiles before, of those written at once: 18 bits | offset in the tile: 14 bits |
  struct LocatedPiece {
    unsigned int bits;
    static constexpr int kOffsetBits = 14;
    static_assert(kTileItems < 1 << kOffsetBits && kTilesAtOnce * kTileItems <= 1u << (32 - kOffsetBits), "both have room");
    static __device__ __forceinline__ LocatedPiece pack(unsigned int items_before, unsigned int offset) {
      return {items_before << kOffsetBits | offset};
    }
    __device__ __forceinline__ unsigned int items_before() const { return bits >> kOffsetBits; }
    __device__ __forceinline__ unsigned int offset() const { return bits & ((1u << kOffsetBits) - 1u); }
  };

  // What a block of _locate_pieces keeps in shared memory; a column more than parents, so that lanes that read a column are in
  // different banks.
  struct LocateStorage {
    LocatedPiece pieces[kTilesAtOnce][kParents + 1];
    unsigned int positions[kParents];
  };
  static_assert(sizeof(LocateStorage) == kLocateSharedBytes, "the storage is laid out as planned");

  // The items of the thread's parent in a tile.
  static __device__ __forceinline__ unsigned int parent_piece(const Arguments& arguments, const unsigned short* offsets, unsigned int tile) {
    return piece_size(offsets, threadIdx.x, kParents, tile_items(static_cast<unsigned int>(arguments.n), tile));
  }

 public:
  // Counts each parent's items in one span of tiles: a thread for each parent.
  static __device__ __forceinline__ void sum_pieces(const Arguments& arguments, unsigned char*) {
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const unsigned int end = minimum((blockIdx.x + 1) * kSpanTiles, tile_count(arguments.n));
    unsigned int sum = 0;
#pragma unroll 8
    for (unsigned int tile = blockIdx.x * kSpanTiles; tile < end; ++tile) {
      sum += parent_piece(arguments, scratch.tile_offsets() + static_cast<unsigned long long>(tile) * kParents, tile);
    }
    scratch.span_sums()[blockIdx.x * kParents + threadIdx.x] = sum;
  }

  // Makes the sums of spans the items in all spans before, and says where parents and their gathered tiles begin. One block: each
  // segment of its threads has a thread for each parent, and a share of the spans.
  static __device__ __forceinline__ void scan_pieces(const Arguments& arguments, unsigned char* shared) {
    ScanStorage& storage = *reinterpret_cast<ScanStorage*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const unsigned int parent = threadIdx.x % kParents;
    const unsigned int segment = threadIdx.x / kParents;
    const unsigned int spans = span_count(arguments.n);
    const unsigned int begin = segment * spans / kScanSegments;
    const unsigned int end = (segment + 1) * spans / kScanSegments;
    unsigned int* const sums = scratch.span_sums() + parent;
    unsigned int sum = 0;
#pragma unroll 8
    for (unsigned int span = begin; span < end; ++span) sum += sums[span * kParents];
    storage.segments[segment][parent] = sum;
    __syncthreads();
    unsigned int before = 0;
    unsigned int items = 0;
    for (unsigned int other = 0; other < kScanSegments; ++other) {
      if (other < segment) before += storage.segments[other][parent];
      items += storage.segments[other][parent];
    }
#pragma unroll 8
    for (unsigned int span = begin; span < end; ++span) {
      const unsigned int of_span = sums[span * kParents];
      sums[span * kParents] = before;
      before += of_span;
    }
    begin_parents(arguments, scratch, storage, segment == 0 ? items : 0);
  }

  // Writes for each parent its pieces in one span of tiles, side by side, and for each of its gathered tiles the tile with its first piece.
  static __device__ __forceinline__ void locate_pieces(const Arguments& arguments, unsigned char* shared) {
    LocateStorage& storage = *reinterpret_cast<LocateStorage*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const unsigned int parent = threadIdx.x;
    GatheredTile* const gathered = scratch.gathered_tiles() + scratch.parents().tiles[parent];
    const unsigned int span_end = minimum((blockIdx.x + 1) * kSpanTiles, tile_count(arguments.n));
    unsigned int position = scratch.span_sums()[blockIdx.x * kParents + parent];
    for (unsigned int begin = blockIdx.x * kSpanTiles; begin < span_end; begin += kTilesAtOnce) {
      const unsigned int end = minimum(begin + kTilesAtOnce, span_end);
      const unsigned int first_position = position;
      storage.positions[parent] = first_position;
      for (unsigned int first = begin; first < end; first += kTilesOnTheirWay) {
        unsigned int sizes[kTilesOnTheirWay];
        unsigned int offsets[kTilesOnTheirWay];
#pragma unroll
        for (unsigned int i = 0; i < kTilesOnTheirWay; ++i) {
          const unsigned int tile = minimum(first + i, end - 1);
          const unsigned short* const of_tile = scratch.tile_offsets() + static_cast<unsigned long long>(tile) * kParents;
          sizes[i] = parent_piece(arguments, of_tile, tile);
          offsets[i] = of_tile[parent];
        }
#pragma unroll
        for (unsigned int i = 0; i < kTilesOnTheirWay; ++i) {
          const unsigned int tile = first + i;
          if (tile >= end) break;
          storage.pieces[tile - begin][parent] = LocatedPiece::pack(position - first_position, offsets[i]);
          const unsigned int number = tiles_of(position);
          if (number * kTileItems < position + sizes[i]) gathered[number] = GatheredTile{parent, tile};
          position += sizes[i];
        }
      }
      __syncthreads();
      write_pieces(arguments, scratch, storage, begin, end);
      __syncthreads();
    }
  }

 private:
  // Says where the parents of the first kParents threads begin, of which each gives its items. All threads of the block call it.
  static __device__ __forceinline__ void begin_parents(const Arguments& arguments, const Scratch& scratch, ScanStorage& storage, unsigned int items) {
    Parents& parents = scratch.parents();
    const bool has_parent = threadIdx.x < kParents;
    unsigned int all_items;
    const unsigned int begin = WarpScans<kListThreads>::exclusive_sum(storage.sums, threadIdx.x, items, all_items);
    __syncthreads();
    unsigned int all_tiles;
    const unsigned int tile = WarpScans<kListThreads>::exclusive_sum(storage.sums, threadIdx.x, tiles_of(items), all_tiles);
    if (has_parent) {
      parents.begins[threadIdx.x] = begin;
      parents.tiles[threadIdx.x] = tile;
      // Behind the parent's last piece.
      scratch.piece_positions()[threadIdx.x * piece_stride(arguments.n) + tile_count(arguments.n)] = items;
    }
    if (threadIdx.x == 0) {
      parents.begins[kParents] = all_items;
      parents.tiles[kParents] = all_tiles;
    }
  }

  // Writes the pieces of tiles, at most a lane's each: a warp those of one parent after the other.
  static __device__ __forceinline__ void write_pieces(const Arguments& arguments, const Scratch& scratch, const LocateStorage& storage,
                                                      unsigned int begin, unsigned int end) {
    const unsigned int tile = begin + lane_of(threadIdx.x);
    if (tile >= end) return;
    for (unsigned int parent = warp_of(threadIdx.x); parent < kParents; parent += kParents / kWarpThreads) {
      const LocatedPiece piece = storage.pieces[tile - begin][parent];
      const unsigned long long index = parent * piece_stride(arguments.n) + tile;
      scratch.piece_positions()[index] = storage.positions[parent] + piece.items_before();
      scratch.piece_offsets()[index] = static_cast<unsigned short>(piece.offset());
    }
  }

 public:
  // Lists the buckets of one parent by size: a thread for each bucket.
  static __device__ __forceinline__ void list_buckets(const Arguments& arguments, unsigned char* shared) {
    ListStorage& storage = *reinterpret_cast<ListStorage*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const Parents& parents = scratch.parents();
    const unsigned int parent_begin = parents.begins[blockIdx.x];
    const unsigned int items = parents.begins[blockIdx.x + 1] - parent_begin;
    if (items == 0) return;
    const ComparedRange range = range_of_parent(arguments, parents, blockIdx.x);
    if (range.min == range.max) {
      list_parent(scratch, storage, parent_begin, items);
      return;
    }
    if (threadIdx.x < kLists) storage.chunks[threadIdx.x] = 0;
    const unsigned int size = bucket_size(arguments, scratch, blockIdx.x);
    bool is_equal = false;
    bool overflows = false;
    if (size != 0) {
      const ComparedRange of_bucket = range_of_bucket(arguments, scratch, blockIdx.x, threadIdx.x);
      is_equal = of_bucket.min == of_bucket.max;
      overflows = scratch.overflows(blockIdx.x)[threadIdx.x] != 0;
    }
    unsigned int total;
    // All have cleared what they count in behind the sum's barrier.
    const unsigned int begin = parent_begin + WarpScans<kListThreads>::exclusive_sum(storage.sums, threadIdx.x, size, total);
    list_chunks(scratch, storage, begin, size, is_equal, overflows);
  }

 private:
  // What a block of _list_buckets keeps in shared memory.
  struct ListStorage {
    typename WarpScans<kListThreads>::Storage sums;
    // The block's chunks of each list, and the index in the list of the first of them.
    unsigned int chunks[kLists];
    unsigned int first[kLists];
  };
  static_assert(sizeof(ListStorage) == kListSharedBytes, "the storage is laid out as planned");

  // The items of the thread's bucket of a parent.
  static __device__ __forceinline__ unsigned int bucket_size(const Arguments& arguments, const Scratch& scratch, unsigned int parent) {
    const unsigned int bucket = threadIdx.x;
    if (!has_two_levels(arguments.n)) return bucket < kOnlyBuckets ? scratch.counts().sizes[bucket] : 0;
    if (bucket >= kBuckets) return 0;
    const Parents& parents = scratch.parents();
    const unsigned int items = parents.begins[parent + 1] - parents.begins[parent];
    const unsigned short* const offsets = scratch.tile_offsets() + static_cast<unsigned long long>(parents.tiles[parent]) * kBuckets;
    unsigned int size = 0;
#pragma unroll 8
    for (unsigned int tile = 0; tile < tiles_of(items); ++tile) {
      size += piece_size(offsets + static_cast<unsigned long long>(tile) * kBuckets, bucket, kBuckets, tile_items(items, tile));
    }
    return size;
  }

  // Lists the chunks of a parent of equal keys. All threads of the block call it.
  static __device__ __forceinline__ void list_parent(const Scratch& scratch, ListStorage& storage, unsigned int begin, unsigned int items) {
    const unsigned int chunks = tiles_of(items);
    if (threadIdx.x == 0) storage.first[kEqualList] = atomicAdd(&scratch.counts().chunks[kEqualList], chunks);
    __syncthreads();
    for (unsigned int chunk = threadIdx.x; chunk < chunks; chunk += kListThreads) {
      const unsigned int from = chunk * kTileItems;
      scratch.chunks(kEqualList)[storage.first[kEqualList] + chunk] =
          Chunk{begin + from, from, tile_items(items, chunk), static_cast<unsigned short>(blockIdx.x), kAllOfParent};
    }
  }

  // Lists the chunks of the threads' buckets, of a block's in any order. All threads of the block call it, with a barrier since the
  // storage's chunks were cleared.
  static __device__ __forceinline__ void list_chunks(const Scratch& scratch, ListStorage& storage, unsigned int begin, unsigned int size,
                                                     bool is_equal, bool overflows) {
    unsigned int size_class = 0;
    while (size_class + 1 < kClasses && size > class_items(size_class)) ++size_class;
    const bool is_oversized = !is_equal && size > kMaxChunkItems;
    if (is_oversized) {
      scratch.oversized()[atomicAdd(&scratch.counts().oversized, 1u)] = OversizedBucket{begin, size};
    }
    const unsigned int list = is_equal ? kEqualList : is_oversized || overflows ? kClasses + size_class : size_class;
    const unsigned int chunk_items = is_equal ? static_cast<unsigned int>(kTileItems) : class_items(size_class);
    const unsigned int chunks = (size + chunk_items - 1) / chunk_items;
    unsigned int first = chunks == 0 ? 0 : atomicAdd(&storage.chunks[list], chunks);
    __syncthreads();
    if (threadIdx.x < kLists) {
      storage.first[threadIdx.x] = atomicAdd(&scratch.counts().chunks[threadIdx.x], storage.chunks[threadIdx.x]);
    }
    __syncthreads();
    first += storage.first[list];
    for (unsigned int chunk = 0; chunk < chunks; ++chunk) {
      const unsigned int from = chunk * chunk_items;
      scratch.chunks(list)[first + chunk] = Chunk{begin + from, from, minimum(size - from, chunk_items),
                                                  static_cast<unsigned short>(blockIdx.x), static_cast<unsigned short>(threadIdx.x)};
    }
  }

 private:
  // A size of blocks that sort chunks of at most kThreads * kRows items.
  template <unsigned int kNumber, int kThreads, int kRows>
  struct ChunkClass {
    static constexpr unsigned int kFinishList = kNumber;
    static constexpr unsigned int kMergeList = kClasses + kNumber;
    static constexpr int kBlock = kThreads;
    static constexpr int kRowsOfThread = kRows;
    static constexpr unsigned int kItems = kThreads * kRows;

    // What a block keeps in shared memory: items by their positions in the chunk.
    struct Storage {
      StoredBits keys[kItems];
      union {
        unsigned int differences[kItems];
        // Items of each sub-bucket, then its first offset.
        __align__(16) unsigned int counters[kItems];
        // At each offset what register windows compare.
        __align__(16) unsigned int composite_keys[kItems];
        unsigned short positions[kItems];
      };
      Value values[kItems];
      // Of pieces, then of offsets with an item that ties with the next one.
      unsigned int marks[kItems / MarkSlot::kRowPositions];
      typename WarpScans<kThreads>::Storage sums;
      // Items of the largest sub-bucket, if it is no small one.
      unsigned int max_count;
    };

    static __device__ __forceinline__ Key key_at(const Storage& storage, unsigned int position) {
      return bits_as<Key>(storage.keys[key_slot(position)]);
    }
  };

  // Begins to copy a chunk's items to shared memory, by their positions. A thread may read what it has copied after
  // wait_for_copies. All threads of the block call it, with a barrier since marks were read.
  template <typename Class>
  static __device__ __forceinline__ void gather(const Arguments& arguments, const Scratch& scratch, const Chunk& chunk,
                                                typename Class::Storage& storage) {
    const PieceMap map{storage.marks, storage.differences};
    mark_pieces<Class::kBlock>(arguments, scratch, chunk, map, storage.sums);
    map.template for_each<Class::kRowsOfThread>(
        opaque(warp_of(threadIdx.x) * Class::kRowsOfThread), chunk.size, [&](int, unsigned int position, unsigned int source) {
          copy_async(&storage.keys[key_slot(position)], reinterpret_cast<const StoredBits*>(arguments.keys_alternate) + source);
          copy_async(&storage.values[position], arguments.values_alternate + source);
        });
  }


  using SmallClass = ChunkClass<0, 64, 16>;
  static_assert(sizeof(SmallClass::Storage) == kSmallSharedBytes, "the storage is laid out as planned");
  using MediumClass = ChunkClass<1, 128, 16>;
  static_assert(sizeof(MediumClass::Storage) == kMediumSharedBytes, "the storage is laid out as planned");
  using LargeClass = ChunkClass<2, 256, 12>;
  static_assert(sizeof(LargeClass::Storage) == kLargeSharedBytes, "the storage is laid out as planned");

 public:
  static __device__ __forceinline__ void finish_small_chunks(const Arguments& arguments, unsigned char* shared) {
    finish_chunks<SmallClass>(arguments, shared);
  }
  static __device__ __forceinline__ void finish_medium_chunks(const Arguments& arguments, unsigned char* shared) {
    finish_chunks<MediumClass>(arguments, shared);
  }
  static __device__ __forceinline__ void finish_large_chunks(const Arguments& arguments, unsigned char* shared) {
    finish_chunks<LargeClass>(arguments, shared);
  }

 private:
  // Which sub-bucket of a bucket's range a key's compared bits are in: they are equally wide, and greater bits are in none that comes before.
  struct SubBucketMap {
    // The least compared bits.
    Bits base;
    // How far left to shift what is above it so that at least the maximum's first bit is a one.
    int shift;
    // Sub-buckets for each 2^32 of the upper 32 bits of that.
    unsigned int scale;

    // A sub-bucket, and where in its range compared bits are, of 2^32.
    struct Point {
      unsigned int sub_bucket;
      unsigned int within;
    };

    __device__ __forceinline__ Point point_of(Bits compared) const {
      const unsigned int above = static_cast<unsigned int>((compared - base) << shift >> (8 * sizeof(Bits) - 32));
      const unsigned long long product = static_cast<unsigned long long>(above) * scale;
      return {static_cast<unsigned int>(product >> 32), static_cast<unsigned int>(product)};
    }

    // Whether this number of upper bits of `within` tells any two keys' compared bits apart.
    __device__ __forceinline__ bool tells_apart(int fraction_bits) const {
      const int step = shift - static_cast<int>(8 * sizeof(Bits) - 32);
      return step >= 0 && static_cast<unsigned long long>(scale) << step >> (32 - fraction_bits) != 0;
    }
  };

  static __device__ __forceinline__ SubBucketMap map_of(ComparedRange range, unsigned int sub_buckets) {
    const int shift = static_cast<int>(8 * sizeof(Bits)) - bit_length((range.max - range.min) | 1);
    const Bits max = (range.max - range.min) << shift;
    // Rounded so that the maximum compared bits have a sub-bucket.
    const unsigned int upper = static_cast<unsigned int>(max >> (8 * sizeof(Bits) - 16)) + 1;
    return {range.min, shift, (sub_buckets << 16) / upper};
  }

  // One past the highest bit that is set.
  static __device__ __forceinline__ int bit_length(Bits bits) {
    int length = 0;
#pragma unroll
    for (int step = 4 * sizeof(Bits); step > 0; step /= 2) {
      if (bits >> step == 0) continue;
      bits >>= step;
      length += step;
    }
    return length + static_cast<int>(bits);
  }

  // Sorts the register windows that begin at each thread's first offset, then merges their halves: in odd rounds of those that begin
  // half as many offsets later, in even ones of these. A sub-bucket that reaches into two halves is sorted by the first merge, one that
  // reaches into more by as many rounds at most; a round that finds all in order is the last one. All threads call it; barriers
  // lie within and at the end.
  template <typename Windows>
  static __device__ __forceinline__ void sort_register_windows(unsigned int* keys, unsigned int size, unsigned int max_count) {
    const unsigned int first = threadIdx.x * (2 * Windows::kHalf);
    if (first < size) Windows::template sort<true>(keys, first);
    __syncthreads();
    const unsigned int halves = max_count <= Windows::kSmallSubBucket ? 2 : Windows::halves_of(max_count);
    bool is_sorted = false;
    for (unsigned int round = 1; round < halves && !is_sorted; ++round) {
      const unsigned int start = first + round % 2 * Windows::kHalf;
      const bool is_wrong = start + Windows::kHalf < size && !Windows::halves_are_in_order(keys, start);
      if (is_wrong) Windows::template sort<false>(keys, start);
      is_sorted = !__syncthreads_or(is_wrong);
    }
  }

  // How a class sorts chunks by sub-buckets, one for each item that there is room for.
  template <typename Class>
  struct SubBucketSort {
    static constexpr int kRows = Class::kRowsOfThread;
    // A sub-bucket of more items overflows.
    static constexpr unsigned int kMaxSubBucket = 64;
    // Bits of a sub-bucket's first offset that tell it from others near by.
    static constexpr int kStartBits = 7;
    // Items of a register window.
    static constexpr int kRegisterWindowItems = 16;
    using Composite = CompositeKeys<static_cast<int>(log2_of(2 * Class::kItems - 1)), kStartBits>;
    using CounterSlots = SwizzledSlots<kRows>;
    using KeySlots = SwizzledSlots<kRegisterWindowItems>;
    using Windows = RegisterWindows<kRegisterWindowItems, KeySlots, Composite, kMaxSubBucket>;
    static_assert(kMaxSubBucket + 2 * kRegisterWindowItems <= 1u << kStartBits, "the start bits tell sub-buckets apart");
    static_assert(Class::kItems % kRegisterWindowItems == 0, "the last register window has room");
  };

  // A run of more items that composite keys do not tell apart is left to merges, unless it is in order.
  static constexpr unsigned int kMaxTies = 8;

  // Sorts a chunk of keys that are about evenly distributed over its range: writes composite keys in the order of the items. Returns
  // false where it is not: where a sub-bucket overflows, or many keys are closer together than composite keys tell. Then the
  // chunk's items are still there. All threads of the block call it; barriers lie within.
  template <typename Class>
  static __device__ __forceinline__ bool sort_by_sub_buckets(typename Class::Storage& storage, const SubBucketMap& map, unsigned int size) {
    using Sort = SubBucketSort<Class>;
    using Composite = typename Sort::Composite;
    constexpr int kRows = Sort::kRows;
    // The thread has copied these items itself.
    const unsigned int first = opaque(warp_of(threadIdx.x) * (32 * kRows) + lane_of(threadIdx.x));
    typename Composite::Counted counted[kRows] = {};
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      if (first + 32 * row >= size) continue;
      const SubBucketMap::Point point = map.point_of(compared_of(Class::key_at(storage, first + 32 * row)));
      const unsigned int slot = Sort::CounterSlots::of(point.sub_bucket);
      const unsigned int rank = atomicAdd(&storage.counters[slot], 1u);
      counted[row] = Composite::Counted::pack(rank, slot, point.within >> (32 - Composite::kFractionBits));
    }
    __syncthreads();
    scan_sub_buckets<kRows, typename Sort::CounterSlots, Sort::Windows::kSmallSubBucket>(
        storage.counters, &storage.max_count, [&](unsigned int sum) {
          unsigned int total;
          return WarpScans<Class::kBlock>::exclusive_sum(storage.sums, threadIdx.x, sum, total);
        });
    __syncthreads();
    const unsigned int max_count = storage.max_count;
    if (max_count > Sort::kMaxSubBucket) return false;
    typename Composite::Placed placed[kRows] = {};
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      if (first + 32 * row < size) placed[row] = Composite::Placed::pack(counted[row], storage.counters[counted[row].slot()]);
    }
    // The composite keys take the place of the counters.
    __syncthreads();
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      const unsigned int position = first + 32 * row;
      if (position < size) storage.composite_keys[Sort::KeySlots::of(placed[row].offset())] = Composite::Compared::pack(placed[row], position).bits;
    }
    const unsigned int behind = size + threadIdx.x;
    if (threadIdx.x < Sort::kRegisterWindowItems && behind < Class::kItems) {
      storage.composite_keys[Sort::KeySlots::of(behind)] = Composite::Compared::behind_last(behind).bits;
    }
    __syncthreads();
    sort_register_windows<typename Sort::Windows>(storage.composite_keys, size, max_count);
    if (map.tells_apart(Composite::kFractionBits)) return true;
    return fix_up_ties<Class>(storage, size);
  }

  // Sorts items with composite keys that differ in their positions alone by all of their keys: runs of at most kMaxTies by one thread
  // each. Returns false if a longer one is not in order. All threads call it, with a barrier since the last one was written.
  template <typename Class>
  static __device__ __forceinline__ bool fix_up_ties(typename Class::Storage& storage, unsigned int size) {
    using Sort = SubBucketSort<Class>;
    using Compared = typename Sort::Composite::Compared;
    const auto composite_at = [&](unsigned int offset) -> unsigned int& { return storage.composite_keys[Sort::KeySlots::of(offset)]; };
    const auto compared_at = [&](unsigned int offset) {
      return compared_of(Class::key_at(storage, Compared{composite_at(offset)}.position()));
    };
    bool descends = false;
#pragma unroll 4
    for (int row = 0; row < Sort::kRows; ++row) {
      const unsigned int offset = row * Class::kBlock + threadIdx.x;
      bool is_tied = false;
      if (offset + 1 < size) {
        is_tied = Compared{composite_at(offset)}.is_tied_with(Compared{composite_at(offset + 1)});
        descends |= is_tied && compared_at(offset) > compared_at(offset + 1);
      }
      const unsigned int tied = __ballot_sync(~0u, is_tied);
      if (lane_of(threadIdx.x) == 0) storage.marks[MarkSlot{offset}.row()] = tied;
    }
    if (!__syncthreads_or(descends)) return true;
    const auto is_tied_with_next = [&](unsigned int offset) { return MarkSlot{offset}.is_set(storage.marks); };
    bool is_long = false;
#pragma unroll 1
    for (unsigned int begin = threadIdx.x; begin < size; begin += Class::kBlock) {
      if (!is_tied_with_next(begin) || (begin != 0 && is_tied_with_next(begin - 1))) continue;
      unsigned int last = begin + 1;
      while (is_tied_with_next(last)) ++last;
      for (unsigned int next = begin + 1; next <= last; ++next) {
        const unsigned int moved = composite_at(next);
        const Bits compared = compared_at(next);
        if (last - begin >= kMaxTies) {
          is_long |= compared_at(next - 1) > compared;
          continue;
        }
        unsigned int offset = next;
        while (offset > begin) {
          if (compared_at(offset - 1) <= compared) break;
          composite_at(offset) = composite_at(offset - 1);
          --offset;
        }
        composite_at(offset) = moved;
      }
    }
    return !__syncthreads_or(is_long);
  }

  // Sorts the chunks of a class by sub-buckets and register windows, and lists those for merges which that does not suit.
  template <typename Class>
  static __device__ __forceinline__ void finish_chunks(const Arguments& arguments, unsigned char* shared) {
    using Sort = SubBucketSort<Class>;
    typename Class::Storage& storage = *reinterpret_cast<typename Class::Storage*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const unsigned int chunks = scratch.counts().chunks[Class::kFinishList];
#pragma unroll 1
    for (unsigned int number = blockIdx.x; number < chunks; number += gridDim.x) {
      const Chunk chunk = scratch.chunks(Class::kFinishList)[number];
      const SubBucketMap map = map_of(range_of_bucket(arguments, scratch, chunk.parent, chunk.bucket), Class::kItems);
      gather<Class>(arguments, scratch, chunk, storage);
      // Counters take the place of the differences.
      __syncthreads();
      for (unsigned int four = threadIdx.x; four < Class::kItems / 4; four += Class::kBlock) {
        reinterpret_cast<FourWords*>(storage.counters)[four] = FourWords{};
      }
      if (threadIdx.x == 0) storage.max_count = 0;
      wait_for_copies();
      __syncthreads();
      if (!sort_by_sub_buckets<Class>(storage, map, chunk.size)) {
        if (threadIdx.x == 0) scratch.chunks(Class::kMergeList)[atomicAdd(&scratch.counts().chunks[Class::kMergeList], 1u)] = chunk;
        continue;
      }
      const unsigned int keys_to_write = arguments.writes_keys ? chunk.size : 0;
#pragma unroll 4
      for (int row = 0; row < Sort::kRows; ++row) {
        const unsigned int offset = row * Class::kBlock + threadIdx.x;
        if (offset >= chunk.size) break;
        const typename Sort::Composite::Compared composite{storage.composite_keys[Sort::KeySlots::of(offset)]};
        if (offset < keys_to_write) arguments.keys_out[chunk.begin + offset] = Class::key_at(storage, composite.position());
        arguments.values_out[chunk.begin + offset] = storage.values[composite.position()];
      }
      // Composite keys are overwritten behind the next barrier of mark_pieces.
    }
  }

 public:
  static __device__ __forceinline__ void merge_small_chunks(const Arguments& arguments, unsigned char* shared) {
    merge_chunks<SmallClass>(arguments, shared);
  }
  static __device__ __forceinline__ void merge_medium_chunks(const Arguments& arguments, unsigned char* shared) {
    merge_chunks<MediumClass>(arguments, shared);
  }
  static __device__ __forceinline__ void merge_large_chunks(const Arguments& arguments, unsigned char* shared) {
    merge_chunks<LargeClass>(arguments, shared);
  }

 private:
  // Sorts the chunks of a class that are not sorted by sub-buckets: each thread merges as many items as its rows, or more.
  template <typename Class>
  static __device__ __forceinline__ void merge_chunks(const Arguments& arguments, unsigned char* shared) {
    typename Class::Storage& storage = *reinterpret_cast<typename Class::Storage*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const unsigned int chunks = scratch.counts().chunks[Class::kMergeList];
#pragma unroll 1
    for (unsigned int number = blockIdx.x; number < chunks; number += gridDim.x) {
      const Chunk chunk = scratch.chunks(Class::kMergeList)[number];
      gather<Class>(arguments, scratch, chunk, storage);
      wait_for_copies();
      __syncthreads();
      const auto key_at = [&](unsigned int position) { return Class::key_at(storage, position); };
      sort_positions(storage.positions, chunk.size, [&](unsigned int position) { return compared_of(key_at(position)); });
      // What is left of an oversized bucket goes by its keys.
      const bool writes_keys = arguments.writes_keys || Class::kItems == kMaxChunkItems;
      for (unsigned int offset = threadIdx.x; offset < chunk.size; offset += Class::kBlock) {
        const unsigned int position = storage.positions[position_slot(offset)];
        if (writes_keys) arguments.keys_out[chunk.begin + offset] = key_at(position);
        arguments.values_out[chunk.begin + offset] = storage.values[position];
      }
      // Positions are overwritten behind the next barrier of mark_pieces.
    }
  }

 private:
  // What a block that moves chunks of equal keys keeps in shared memory.
  struct EqualStorage {
    unsigned int differences[kTileItems];
    unsigned int marks[kTileItems / MarkSlot::kRowPositions];
    typename WarpScans<kBlockThreads>::Storage sums;
  };
  static_assert(sizeof(EqualStorage) == kEqualSharedBytes, "the storage is laid out as planned");

 public:
  // Writes chunks of buckets of equal keys, until there are no more. Keys are gathered with their values, also where they are equal and have
  // other bits; else there is one to write.
  static __device__ __forceinline__ void move_equal_keys(const Arguments& arguments, unsigned char* shared) {
    EqualStorage& storage = *reinterpret_cast<EqualStorage*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const unsigned int chunks = scratch.counts().chunks[kEqualList];
#pragma unroll 1
    for (unsigned int number = blockIdx.x; number < chunks; number += gridDim.x) {
      const Chunk chunk = scratch.chunks(kEqualList)[number];
      if constexpr (kEqualItemsDiffer) {
        move_chunk(arguments, scratch, storage, chunk);
      } else {
        const Bits compared = chunk.bucket == kAllOfParent ? scratch.parents().minima[chunk.parent]
                                                        : range_of_bucket(arguments, scratch, chunk.parent, chunk.bucket).min;
        for (unsigned int item = threadIdx.x; item < chunk.size; item += kBlockThreads) arguments.keys_out[chunk.begin + item] = to_key(compared);
      }
    }
  }

 private:
  static __device__ __forceinline__ void move_chunk(const Arguments& arguments, const Scratch& scratch, EqualStorage& storage, const Chunk& chunk) {
    const PieceMap map{storage.marks, storage.differences};
    mark_pieces<kBlockThreads>(arguments, scratch, chunk, map, storage.sums);
    map.template for_each<kItemsPerThread>(
        opaque(warp_of(threadIdx.x) * kItemsPerThread), chunk.size, [&](int, unsigned int position, unsigned int source) {
          if (arguments.writes_keys) arguments.keys_out[chunk.begin + position] = arguments.keys_alternate[source];
          arguments.values_out[chunk.begin + position] = arguments.values_alternate[source];
        });
    __syncthreads();
  }

 public:
  // Sorts oversized buckets, until there are no more: their chunks, sorted and written one behind the other, are the runs of a merge sort between the
  // result and the alternate arrays, of which no other block needs those items. One block sorts a bucket; all buckets together have the
  // array's items, so the work is at most that of a merge sort of the array.
  static __device__ __forceinline__ void sort_oversized_buckets(const Arguments& arguments, unsigned char*) {
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const unsigned int buckets = scratch.counts().oversized;
    for (unsigned int number = blockIdx.x; number < buckets; number += gridDim.x) {
      const OversizedBucket bucket = scratch.oversized()[number];
      const BucketItems result{arguments.keys_out + bucket.begin, arguments.values_out + bucket.begin};
      const BucketItems alternate{arguments.keys_alternate + bucket.begin, arguments.values_alternate + bucket.begin};
      BucketItems from = result;
      BucketItems to = alternate;
      bool is_in_result = true;
      for (unsigned long long width = kMaxChunkItems; width < bucket.size; width *= 2) {
        merge_runs(from, to, bucket.size, width);
        __syncthreads();
        const BucketItems merged = to;
        to = from;
        from = merged;
        is_in_result = !is_in_result;
      }
      for (unsigned int item = threadIdx.x; item < bucket.size && !is_in_result; item += kBlockThreads) {
        result.keys[item] = alternate.keys[item];
        result.values[item] = alternate.values[item];
      }
    }
  }

 private:
  // Two arrays of an oversized bucket's items.
  struct BucketItems {
    Key* keys;
    Value* values;
  };

  // Merges the sorted runs of `width` items two by two. The work is the same for all keys.
  static __device__ __forceinline__ void merge_runs(const BucketItems& from, const BucketItems& to, unsigned int size, unsigned long long width) {
    for (unsigned int first = threadIdx.x * kMergeItems; first < size; first += kBlockThreads * kMergeItems) {
      const unsigned int begin = static_cast<unsigned int>(first / (2 * width) * (2 * width));
      const unsigned int middle = begin + width < size ? static_cast<unsigned int>(begin + width) : size;
      const unsigned int end = begin + 2 * width < size ? static_cast<unsigned int>(begin + 2 * width) : size;
      const unsigned int lower_items = items_of_first_run(middle - begin, end - middle, first - begin, [&](unsigned int i, unsigned int j) {
        return compared_of(from.keys[begin + i]) <= compared_of(from.keys[middle + j]);
      });
      unsigned int lower = begin + lower_items;
      unsigned int upper = middle + (first - begin) - lower_items;
      for (unsigned int i = first; i < end && i < first + kMergeItems; ++i) {
        const bool takes_lower = lower < middle && (upper >= end || compared_of(from.keys[lower]) <= compared_of(from.keys[upper]));
        const unsigned int source = takes_lower ? lower++ : upper++;
        to.keys[i] = from.keys[source];
        to.values[i] = from.values[source];
      }
    }
  }

 private:
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

  // What is compared of ordered bits: -0.0 as if it were +0.0.
  static __device__ __forceinline__ Bits compared_bits(Bits ordered) {
    return ordered == kNegativeZero ? kPositiveZero : ordered;
  }

  // What keys are compared by.
  static __device__ __forceinline__ Bits compared_of(Key key) { return compared_bits(to_ordered_bits(key)); }
};

}  // namespace v0_1_0
}  // namespace sortsmith

extern "C" __global__ void __launch_bounds__(128, 1)
device_partition_sort_f64_index_b128_i8_desc_samples(sortsmith::device_partition_sort_f64_index_b128_i8_desc::Arguments arguments, int seed) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_partition_sort_f64_index_b128_i8_desc::find_splitters(arguments, sortsmith_shared, static_cast<unsigned int>(seed));
}

extern "C" __global__ void __launch_bounds__(128, 8)
device_partition_sort_f64_index_b128_i8_desc_split(sortsmith::device_partition_sort_f64_index_b128_i8_desc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_partition_sort_f64_index_b128_i8_desc::split(arguments, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(128, 8)
device_partition_sort_f64_index_b128_i8_desc_split_parents(sortsmith::device_partition_sort_f64_index_b128_i8_desc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_partition_sort_f64_index_b128_i8_desc::split_by_parents(arguments, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(64, 1)
device_partition_sort_f64_index_b128_i8_desc_sum_pieces(sortsmith::device_partition_sort_f64_index_b128_i8_desc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_partition_sort_f64_index_b128_i8_desc::sum_pieces(arguments, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(256, 1)
device_partition_sort_f64_index_b128_i8_desc_scan_pieces(sortsmith::device_partition_sort_f64_index_b128_i8_desc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_partition_sort_f64_index_b128_i8_desc::scan_pieces(arguments, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(64, 1)
device_partition_sort_f64_index_b128_i8_desc_locate_pieces(sortsmith::device_partition_sort_f64_index_b128_i8_desc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_partition_sort_f64_index_b128_i8_desc::locate_pieces(arguments, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(128, 8)
device_partition_sort_f64_index_b128_i8_desc_parent_samples(sortsmith::device_partition_sort_f64_index_b128_i8_desc::Arguments arguments, int seed) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_partition_sort_f64_index_b128_i8_desc::find_splitters_of_parent(arguments, sortsmith_shared, static_cast<unsigned int>(seed));
}

extern "C" __global__ void __launch_bounds__(128, 8)
device_partition_sort_f64_index_b128_i8_desc_split_buckets(sortsmith::device_partition_sort_f64_index_b128_i8_desc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_partition_sort_f64_index_b128_i8_desc::split_parent(arguments, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(256, 1)
device_partition_sort_f64_index_b128_i8_desc_list_buckets(sortsmith::device_partition_sort_f64_index_b128_i8_desc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_partition_sort_f64_index_b128_i8_desc::list_buckets(arguments, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(64, 13)
device_partition_sort_f64_index_b128_i8_desc_small_chunks(sortsmith::device_partition_sort_f64_index_b128_i8_desc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_partition_sort_f64_index_b128_i8_desc::finish_small_chunks(arguments, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(128, 6)
device_partition_sort_f64_index_b128_i8_desc_medium_chunks(sortsmith::device_partition_sort_f64_index_b128_i8_desc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_partition_sort_f64_index_b128_i8_desc::finish_medium_chunks(arguments, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(256, 4)
device_partition_sort_f64_index_b128_i8_desc_large_chunks(sortsmith::device_partition_sort_f64_index_b128_i8_desc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_partition_sort_f64_index_b128_i8_desc::finish_large_chunks(arguments, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(64, 13)
device_partition_sort_f64_index_b128_i8_desc_small_merges(sortsmith::device_partition_sort_f64_index_b128_i8_desc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_partition_sort_f64_index_b128_i8_desc::merge_small_chunks(arguments, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(128, 6)
device_partition_sort_f64_index_b128_i8_desc_medium_merges(sortsmith::device_partition_sort_f64_index_b128_i8_desc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_partition_sort_f64_index_b128_i8_desc::merge_medium_chunks(arguments, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(256, 4)
device_partition_sort_f64_index_b128_i8_desc_large_merges(sortsmith::device_partition_sort_f64_index_b128_i8_desc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_partition_sort_f64_index_b128_i8_desc::merge_large_chunks(arguments, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(128, 1)
device_partition_sort_f64_index_b128_i8_desc_equal_keys(sortsmith::device_partition_sort_f64_index_b128_i8_desc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_partition_sort_f64_index_b128_i8_desc::move_equal_keys(arguments, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(128, 1)
device_partition_sort_f64_index_b128_i8_desc_oversized_buckets(sortsmith::device_partition_sort_f64_index_b128_i8_desc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_partition_sort_f64_index_b128_i8_desc::sort_oversized_buckets(arguments, sortsmith_shared);
}
#endif
