// device_radix_sort_f32_u32_b384_i20_desc_nanlast
//
// Sorts f32 keys with 4-byte values, descending: an array of any length, by a radix sort on
// all of the device, 8 bits a pass. Stable: equal keys keep their input order.
//
// Keys order by sign and magnitude. -0.0 and +0.0 are equal. NaNs come last, in their input order.
//
//   digit             8 bits of a key; a bin is one value of a digit
//   partial prefix    the number of a tile's own items of a digit
//   inclusive prefix  that of all tiles up to it
//   pass slot         a launch of _pass, which finds out itself whether a pass is left to do
//
// The passes are Onesweep's. One read of all keys makes the histograms of all digits (kernel _count); an exclusive scan makes them
// the offsets of the digits' first keys, and a pass over a digit that is the same in all keys is left out (_plan). Each pass then moves
// the items once (_pass): a block ranks a tile in shared memory, finds by decoupled look-back where the tile's digits begin, and
// writes its items there. Keys
// that their upper two digits distribute evenly are sorted by those, and keys that are even as values by the two digits of a
// linear map of these; that leaves MSD buckets, which are short then. Their offsets are found (_bucket_offsets), and a block sorts
// each (_msd_buckets). The items of buckets that overflow are counted (_count_overflow) and gathered (_gather_overflow), and more passes sort
// them; where they are most of the array, those passes sort all of it. Where
// the result then lies elsewhere, it is copied (_finish). The host makes the same launches whatever the keys are; blocks of any number
// of threads have full warps:
//
//   cudaMemsetAsync(workspace, 0, zeroed_bytes(n), stream);
//   device_radix_sort_f32_u32_b384_i20_desc_nanlast_count <<<any, 1024, count_shared_bytes(..), stream>>>(arguments);
//   device_radix_sort_f32_u32_b384_i20_desc_nanlast_plan  <<<1, 256, 0, stream>>>(arguments);
//   device_radix_sort_f32_u32_b384_i20_desc_nanlast_pass  <<<any, 384, 91192, stream>>>(arguments, pass_slot);
//     for pass_slot = 0, 1, ... pass_count(begin_bit, end_bit) - 1
//   or, if sorts_msd_buckets is set, which asks for 4 passes or more, for pass_slot = 0, 1, ...
//     first_pass_slots(begin_bit, end_bit) - 1, then
//   device_radix_sort_f32_u32_b384_i20_desc_nanlast_bucket_offsets  <<<any, any, 0, stream>>>(arguments);
//   device_radix_sort_f32_u32_b384_i20_desc_nanlast_msd_buckets <<<any, 288, 60032, stream>>>(arguments);
//   device_radix_sort_f32_u32_b384_i20_desc_nanlast_count_overflow  <<<any, any, 0, stream>>>(arguments);
//   device_radix_sort_f32_u32_b384_i20_desc_nanlast_gather_overflow <<<any, 256, 0, stream>>>(arguments);
//   device_radix_sort_f32_u32_b384_i20_desc_nanlast_pass  <<<any, 384, 91192, stream>>>(arguments, pass_slot);
//     for as many pass slots more as there are passes
//   device_radix_sort_f32_u32_b384_i20_desc_nanlast_finish<<<any, at most 1024, 0, stream>>>(arguments);
//
// The launches are plain ones, as written. On Hopper and later GPUs all but the first may have the attribute
// cudaLaunchAttributeProgrammaticStreamSerialization too: each kernel waits for the one before it itself.
//
// Made by sortsmith 0.1.0 from the template device_radix_sort; to make it again:
//   sortsmith emit --name device_radix_sort_f32_u32_b384_i20_desc_nanlast --out .
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

#ifndef SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_F32_U32_B384_I20_DESC_NANLAST
#define SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_F32_U32_B384_I20_DESC_NANLAST
namespace sortsmith {
inline namespace v0_1_0 {

struct device_radix_sort_f32_u32_b384_i20_desc_nanlast {
  using Key = float;
  using Value = unsigned int;

  static constexpr int kBlockThreads = 384;
  static constexpr int kItemsPerThread = 20;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 32;
  static constexpr int kRadixBits = 8;
  static constexpr int kMaxPasses = (kKeyBits + kRadixBits - 1) / kRadixBits;
  static constexpr unsigned int kBins = 1u << kRadixBits;
  // Counts, and offsets in the array.
  using Count = unsigned int;
  // The shared memory of a block of _pass.
  static constexpr unsigned int kSharedBytes = 91192;
  // A block of _msd_buckets: its threads, the items it has room for, and its shared memory.
  static constexpr unsigned int kBucketThreads = 288;
  static constexpr int kRows = 16;
  static constexpr unsigned int kBucketItems = kBucketThreads * kRows;
  static constexpr unsigned int kBucketSharedBytes = 60032;
  // Blocks of _msd_buckets that a multiprocessor is to hold, of threads it has room for.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  static constexpr int kResidentBuckets = 3;
#else
  static constexpr int kResidentBuckets = 3;
#endif
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
    // The same of values.
    const Value* values_in;
    Value* values_out;
    Value* values_alternate;
    // workspace_bytes(n), aligned to 16; the first zeroed_bytes(n) of them zero.
    unsigned char* workspace;
    // At most kMaxItems.
    unsigned long long n;
    // The bits of the ordered key that take part, 0 <= begin_bit <= end_bit <= kKeyBits.
    int begin_bit;
    int end_bit;
    // Whether the sorted keys are written: 1, or 0 where only values are wanted; keys_out is scratch then.
    int writes_keys;
    // Whether keys and values may lie side by side between passes: 1 if keys_out and values_out are aligned to an
    // item's 8 bytes, keys_alternate to 16, and room for n items follows it; values_alternate is then where their
    // last n values lie.
    int interleaves;
    // Columns of counters that a block of _count has room for, as their logarithm to base 2: at most 5 are of use.
    int count_columns_log2;
    // Whether _bucket_offsets, _msd_buckets and what follows these are launched.
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
  using StoredBits = unsigned int;
  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;
  static constexpr bool kDescending = true;
  // Whether NaNs come last, of whatever sign.
  static constexpr bool kNanLast = true;
  static constexpr bool kHasValues = true;
  // Whether values are made: each key's position in the input.
  static constexpr bool kMakesPositions = false;
  // Whether there may be a first phase by upper digits, and whether it may leave items side by side.
  static constexpr bool kSortsUpperDigits = true;
  static constexpr bool kLeavesItems = true;

  // Between passes a key and its value lie side by side: then the items of a digit are one run, not two.
  struct __align__(8) Item {
    StoredBits key;
    Value value;
  };

  // A sort over kMinUpperPasses passes or more may have a first phase, which sorts by the keys' upper digits and then sorts
  // the buckets of keys that agree in them. A second phase sorts those that overflow by all digits.
  static constexpr int kPhases = 2;
  static constexpr int kMinUpperPasses = 4;
  // A first phase is worth it only if it spares this number of passes.
  static constexpr int kSparedPasses = 2;
  static constexpr int kMaxPassSlots = 2 * kMaxPasses - kSparedPasses;

  // Floats that are even as values are not so in their upper digits, which are exponents. A linear map of the values distributes
  // them evenly over buckets. The number of a bucket has two digits.
  struct LinearMap {
    static constexpr bool kHasBuckets = true;
    // How many buckets there are; 0 if the map is not used.
    unsigned int buckets;
    float scale;
    // An integer, so that its sum with a bucket's number has no error.
    float offset;

    // The map, in buckets from the middle of the first one on; `more` is added before rounding.
    __device__ __forceinline__ float image_of(Key key, float more) const { return fmaf(key, scale, offset + more); }

    // A NaN that is behind all numbers. One that is before them is in the first bucket, for so the minimum and the maximum
    // below take it. What pads a tile behind the last key is such a NaN, too, and has to come behind all keys of the tile.
    static __device__ __forceinline__ bool comes_last(Key key) {
      if constexpr (kNanLast) {
        return key != key;
      } else if constexpr (kDescending) {
        return bits_as<unsigned int>(key) > 0xff800000u;
      } else {
        return bits_as<int>(key) > 0x7f800000;
      }
    }

    // The last bit of a float from 2^23 on is worth 1: rounded to it, the image is the bucket's number.
    __device__ __forceinline__ unsigned int bucket_of(Key key) const {
      constexpr float kFirst = 1 << 23;
      const float last = kFirst + static_cast<float>(buckets - 1);
      const float image = fminf(fmaxf(image_of(key, kFirst), kFirst), last);
      return bits_as<unsigned int>(comes_last(key) ? last : image) & 0xffffu;
    }

    // A number that orders as the keys of a bucket do, but for those that are too close together.
    __device__ __forceinline__ unsigned int number_within(unsigned int bucket, Key key) const {
      // From 1 to 2, between which all floats have one exponent.
      constexpr float kLast = 2 - 1.0f / (1 << 23);
      const float image = fminf(fmaxf(image_of(key, 1.5f - static_cast<float>(bucket)), 1), kLast);
      return bits_as<unsigned int>(comes_last(key) ? kLast : image) << 9;
    }
  };

  static constexpr int kMapDigits = 2;

  // The number of sampled keys that give the range of all. Some keys are beyond theirs: of even ones one in as many is to be expected at either
  // end, and twelve times that is room enough.
  static constexpr unsigned int kRangeSamples = 4096;
  static constexpr float kRoomBeyond = 12.0f / kRangeSamples;

  // Buckets are to have this number of keys or fewer, if there can be as many buckets; of each upper digit there are all lower ones.
  static constexpr unsigned int kMappedBucketItems = 3840;
  static constexpr unsigned int kMinUpperDigits = 4;

  static __host__ __device__ constexpr unsigned int mapped_buckets(unsigned long long n) {
    const unsigned long long digits = (n + kBins * kMappedBucketItems - 1) / (kBins * kMappedBucketItems);
    return kBins * (digits < kMinUpperDigits ? kMinUpperDigits : digits < kBins ? static_cast<unsigned int>(digits) : kBins);
  }

  // The map for these keys, by samples of them. All threads of a block call it, with room for two words a warp; every block
  // finds the same.
  static __device__ __forceinline__ LinearMap find_linear_map(const Arguments& arguments, Bits* ends) {
    Bits min_bits = kAllBits;
    Bits max_bits = 0;
    for (unsigned int sample = threadIdx.x; sample < kRangeSamples; sample += blockDim.x) {
      const Key key = arguments.keys_in[sample * arguments.n / kRangeSamples];
      // All bits of the exponent are set in the infinities and in NaNs.
      if ((bits_as<StoredBits>(key) & ~kSign) >= 0x7f800000u) continue;
      const Bits ordered = to_ordered_bits(key);
      if (ordered < min_bits) min_bits = ordered;
      if (ordered > max_bits) max_bits = ordered;
    }
    const auto agree = [&] {
#pragma unroll
      for (unsigned int distance = 16; distance > 0; distance /= 2) {
        const Bits other_min = __shfl_xor_sync(~0u, min_bits, distance);
        const Bits other_max = __shfl_xor_sync(~0u, max_bits, distance);
        if (other_min < min_bits) min_bits = other_min;
        if (other_max > max_bits) max_bits = other_max;
      }
    };
    agree();
    const unsigned int warps = blockDim.x / kWarpThreads;
    const unsigned int lane = lane_of(threadIdx.x);
    if (lane == 0) {
      ends[warp_of(threadIdx.x)] = min_bits;
      ends[warps + warp_of(threadIdx.x)] = max_bits;
    }
    __syncthreads();
    min_bits = ends[lane < warps ? lane : 0];
    max_bits = ends[warps + (lane < warps ? lane : 0)];
    agree();
    // All have read what the counters take the place of.
    __syncthreads();
    return min_bits < max_bits ? linear_map_between(arguments, to_key(min_bits), to_key(max_bits)) : LinearMap{};
  }

  // The map for keys between these values, of which the first comes first.
  static __device__ __forceinline__ LinearMap linear_map_between(const Arguments& arguments, float first, float last) {
    const float room = (last - first) * kRoomBeyond;
    const float begin = first - room;
    const float end = last + room;
    LinearMap linear_map{};
    linear_map.buckets = mapped_buckets(arguments.n);
    // All keys between are in a bucket, however they are rounded.
    linear_map.scale = static_cast<float>(linear_map.buckets - 2) / (end - begin);
    linear_map.offset = -floorf(begin * linear_map.scale);
    // Keys far from zero, beside how far they are apart, are too close together to be told apart.
    constexpr float kMaxOffset = 1 << 22;
    const bool is_precise = fabsf(linear_map.scale) > 1e-30f && fabsf(linear_map.scale) < 1e30f && fabsf(linear_map.offset) <= kMaxOffset;
    return is_precise ? linear_map : LinearMap{};
  }

  // Any number, scrambled: products alone would be as regular as some keys.
  static __device__ __forceinline__ unsigned int scrambled(unsigned int number) {
    number *= 0x9e3779b1u;
    return (number ^ number >> 15) * 0x85ebca6bu;
  }

  // Where the sample of this number is, of samples that have an equal share of the keys each: anywhere in its share, by the clock. So no
  // keys can be laid out to show samples what they are not.
  static __device__ __forceinline__ unsigned long long sample_position(unsigned int number, unsigned long long share) {
    const unsigned int random = scrambled(number ^ static_cast<unsigned int>(clock64()));
    return number * share + (share * random >> 32);
  }

  // Samples that others are like.
  struct RepeatedSamples {
    // Keys that are there twice or more.
    unsigned int keys;
    // Likewise, sub-buckets of the linear map's buckets.
    unsigned int sub_buckets;
  };

  // Digits that are counted: the keys', and behind them those of the linear map's buckets.
  static constexpr int kCountedDigits = kMaxPasses + kMapDigits;

  // Which passes there are to do. The workspace begins with it; all is zero when a sort begins.
  struct Control {
    // The buckets that _msd_buckets could not sort, and all of their items: buckets << 32 | items.
    unsigned long long overflow;
    // Of each phase: how many passes move anything.
    int executed[kPhases];
    // A bit for each digit that the one above it does not determine. The other ones need no pass: keys that agree above agree in them.
    unsigned int independent_digits;
    RepeatedSamples repeated_samples;
    // Whether the first phase sorts by upper digits, and leaves keys to sort that agree from this bit up.
    int sorts_upper_digits;
    int upper_bit;
    // The map by which the first phase sorts, if it has buckets.
    LinearMap linear_map;
    // The digits that differ between keys, from the lowest up.
    int digits[kMaxPasses];
    // Tiles that blocks have taken in each pass slot.
    unsigned int tickets[kMaxPassSlots];
    // Histograms begin with a line of the caches, and so do descriptors behind all this, where the workspace does.
    unsigned char unused_before_bins[40];
    // Of each digit, the keys' and then the buckets': its histogram, then the offset of each bin's first key.
    Count bins[kCountedDigits][kBins];
    // Of overflowing buckets: the histogram of each digit, and the items of each kBins buckets.
    Count overflow_bins[kMaxPasses][kBins];
    Count overflow_segments[kBins];
    Item odd_item;
    unsigned char unused_at_end[120];
  };
  static_assert(sizeof(Control) == 11520, "the workspace is laid out as planned");

  // Where the items of a tile lie in shared memory, warp by warp, each warp's in rows of 32. In a padded tile a slot is unused behind each
  // row, and one more behind each warp. Without padding, items at equal distances, as those of one digit of regular keys are, meet in
  // a bank; with padding, the copy engine cannot load the tile.
  struct TileSlots {
    static constexpr bool kMayPad = false;
    // The slots of a row and of a warp in a padded tile.
    static constexpr unsigned int kPaddedRow = 33;
    static constexpr unsigned int kPaddedWarp = kPaddedRow * kItemsPerThread + 1;
    // Each array of them ends at a multiple of 16 bytes, where the copy engine can write another.
    static constexpr unsigned int kCount = 7680;
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
    union {
      struct {
        StoredBits keys[TileSlots::kCount];
        Value values[TileSlots::kCount];
      } arrays;
      Item items[TileSlots::kCount];
    };
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
  // Pass slots of a first phase.
  static __host__ __device__ constexpr int first_pass_slots(int begin_bit, int end_bit) {
    return pass_count(begin_bit, end_bit) - kSparedPasses;
  }
  // Bytes at the workspace's start that are zero when a sort begins, and bytes of all of it.
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long n) {
    return control_and_descriptor_bytes(n);
  }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long n) {
    return (zeroed_bytes(n) + (4ull * max_msd_buckets(n) + 1) * sizeof(Count) + 15) / 16 * 16;
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
    if (blockIdx.x >= counting_blocks(arguments)) {
      sample_copies(arguments, counters);
      return;
    }
    LinearMap linear_map{};
    if (takes_all_bits && arguments.sorts_msd_buckets) linear_map = find_linear_map(arguments, counters);
    if (blockIdx.x == 0 && threadIdx.x == 0) control_of(arguments).linear_map = linear_map;
    if (linear_map.buckets != 0) {
      is_usual ? count_digits_of<true>(arguments, linear_map, counters) : count_digits_of<false>(arguments, linear_map, counters);
      return;
    }
    is_usual ? count_digits_of<true>(arguments, NoMap{}, counters) : count_digits_of<false>(arguments, NoMap{}, counters);
  }

 private:
  // Keys that have many copies leave MSD buckets of few distinct keys, which take longer than passes over all digits. Histograms of digits do
  // not tell, so the last block of _count looks at samples in place of counting. Whatever they tell, the keys are sorted.
  static __device__ __forceinline__ unsigned int counting_blocks(const Arguments& arguments) {
    return arguments.sorts_msd_buckets && gridDim.x > 1 ? gridDim.x - 1 : gridDim.x;
  }

  // Samples of a thread.
  static constexpr unsigned int kThreadSamples = 4;

  // The slots of a hash table in the memory of counters, as a logarithm to base 2; and the number of samples, few of which share a slot.
  static __device__ __forceinline__ int copy_slots_log2(const Arguments& arguments) { return min(kRadixBits + 2 + arguments.count_columns_log2, 14); }

  static __device__ __forceinline__ unsigned int copy_samples(const Arguments& arguments) {
    const unsigned int most = 1u << (copy_slots_log2(arguments) - 2);
    const unsigned long long some = arguments.n / 256;
    return some < most ? static_cast<unsigned int>(some) : most;
  }

  // Counts the sampled keys that are there twice or more, each of them once, and likewise sub-buckets of the linear map's buckets, if it has some.
  // All threads of the block call it.
  static __device__ __forceinline__ void sample_copies(const Arguments& arguments, unsigned int* slots) {
    const unsigned int samples = copy_samples(arguments);
    const unsigned long long share = samples > 0 ? arguments.n / samples : 0;
    Key keys[kThreadSamples];
#pragma unroll
    for (unsigned int k = 0; k < kThreadSamples; ++k) {
      const unsigned int sample = threadIdx.x + k * blockDim.x;
      const unsigned int number = sample < samples ? sample : 0;
      keys[k] = arguments.keys_in[sample_position(number, share)];
    }
    const auto bits_of_key = [](Key key) { return compared_bits(to_ordered_bits(key)); };
    const unsigned int repeated = repeated_samples_of(arguments, slots, keys, bits_of_key);
    if (repeated > 0) atomicAdd(&control_of(arguments).repeated_samples.keys, repeated);
    __syncthreads();
    const LinearMap linear_map = find_linear_map(arguments, slots);
    if (linear_map.buckets == 0) return;
    const auto sub_bucket_of_key = [&](Key key) {
      const unsigned int bucket = linear_map.bucket_of(key);
      return bucket << kSampledSubBucketBits | linear_map.number_within(bucket, key) >> (32 - kSampledSubBucketBits);
    };
    const unsigned int repeated_sub_buckets = repeated_samples_of(arguments, slots, keys, sub_bucket_of_key);
    if (repeated_sub_buckets > 0) atomicAdd(&control_of(arguments).repeated_samples.sub_buckets, repeated_sub_buckets);
  }

  // A number stands for what a sample is compared by. Returns how many of the thread's samples are the second one with their number.
  template <typename NumberOf>
  static __device__ __forceinline__ unsigned int repeated_samples_of(const Arguments& arguments, unsigned int* slots, const Key (&keys)[kThreadSamples],
                                                                     const NumberOf& number_of) {
    const int slots_log2 = copy_slots_log2(arguments);
    const unsigned int samples = copy_samples(arguments);
    for (unsigned int i = threadIdx.x; i < 1u << slots_log2; i += blockDim.x) slots[i] = 0;
    __syncthreads();
    unsigned int repeated = 0;
#pragma unroll
    for (unsigned int k = 0; k < kThreadSamples; ++k) {
      const bool is_there = threadIdx.x + k * blockDim.x < samples;
      repeated += repeats_number(slots, slots_log2, is_there, number_of(keys[k]));
    }
    return repeated;
  }

  // What a slot of the hash table holds. The upper bits of the hash number the slot: with them, this says all of a hash, and so of a number:
  //
  //   | the hash's other bits: 32 - slots_log2 bits | zeros | is_repeated: 1 bit | is_taken: 1 bit |
  //
  // The last but one says that the number is there twice.
  struct NumberEntry {
    unsigned int bits;
    static constexpr unsigned int kIsTaken = 1;
    static constexpr unsigned int kIsRepeated = 2;

    static __device__ __forceinline__ NumberEntry pack(unsigned int hash, int slots_log2) { return {hash << slots_log2 | kIsTaken}; }
    __device__ __forceinline__ bool is_empty() const { return bits == 0; }
    __device__ __forceinline__ bool is_repeated() const { return (bits & kIsRepeated) != 0; }
  };

  static __device__ __forceinline__ unsigned int hash_of_number(unsigned int number) { return number * 0x9e3779b1u; }

  // The slot of a hash. It holds the bits of a NumberEntry.
  static __device__ __forceinline__ unsigned int& number_slot_of(unsigned int* slots, int slots_log2, unsigned int hash) {
    return slots[hash >> (32 - slots_log2)];
  }

  // Puts numbers of a warp's samples into the slots of their hashes. Returns whether the lane's is the one that shows that its number is there
  // twice.
  static __device__ __forceinline__ bool repeats_number(unsigned int* slots, int slots_log2, bool is_there, unsigned int number) {
    // Where neighbours are equal the first one is put there: all samples may be equal.
    const unsigned int below = __shfl_up_sync(~0u, number, 1);
    const bool is_above_equal = is_there && lane_of(threadIdx.x) > 0 && below == number;
    const unsigned int equal_lanes = __ballot_sync(~0u, is_above_equal);
    if (!is_there || is_above_equal) return false;
    const bool has_equal_above = (equal_lanes >> lane_of(threadIdx.x) & 2u) != 0;
    const unsigned int hash = hash_of_number(number);
    unsigned int* const slot = &number_slot_of(slots, slots_log2, hash);
    const NumberEntry entry = NumberEntry::pack(hash, slots_log2);
    const unsigned int there = atomicCAS(slot, 0u, entry.bits);
    if (NumberEntry{there}.is_empty() ? !has_equal_above : there != entry.bits) return false;
    return !NumberEntry{atomicOr(slot, NumberEntry::kIsRepeated)}.is_repeated();
  }

  // How many other keys have a number like one, by how many numbers of samples are there twice: of the chance that two samples are alike.
  static __device__ __forceinline__ float others_alike(const Arguments& arguments, unsigned int repeated) {
    const float samples = static_cast<float>(copy_samples(arguments));
    return 2 * static_cast<float>(repeated) * static_cast<float>(arguments.n) / (samples * samples);
  }

  // Fewer may be so by chance. Each heavy hitter is one repeated sample.
  static constexpr unsigned int kMinRepeated = 5;

  // Whether samples show that most keys have many copies.
  static __device__ __forceinline__ bool has_copies(const Arguments& arguments, const RepeatedSamples& repeated) {
    constexpr float kManyCopies = 40;
    return repeated.keys >= kMinRepeated && others_alike(arguments, repeated.keys) > kManyCopies;
  }

  // Of the number of a linear map's sub-bucket: the bits below those of the bucket, nearly as many as there are sub-buckets.
  static constexpr int kSampledSubBucketBits = 12;

  // Whether samples show that sub-buckets of the linear map have more keys that differ than their composite keys have room to rank.
  static __device__ __forceinline__ bool has_full_sub_buckets(const Arguments& arguments, const RepeatedSamples& repeated) {
    constexpr float kManyInSubBucket = 24;
    // Copies of a key are one number of either kind.
    const unsigned int of_others = repeated.sub_buckets > repeated.keys ? repeated.sub_buckets - repeated.keys : 0;
    return of_others >= kMinRepeated && others_alike(arguments, of_others) > kManyInSubBucket;
  }
  // In place of a map: the keys' digits alone are counted.
  struct NoMap {
    static constexpr bool kHasBuckets = false;
  };

  // The usual case, all bits of keys and as many columns as the GPU has room for, has constants for most of the arithmetic.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 800
  static constexpr int kUsualColumnsLog2 = 4;
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 900 || __CUDA_ARCH__ >= 1200)
  static constexpr int kUsualColumnsLog2 = 4;
#else
  static constexpr int kUsualColumnsLog2 = 5;
#endif

  // Keys are loaded 16 bytes at a time, where the array begins on such a boundary.
  static constexpr int kChunkKeys = 16 / sizeof(StoredBits);
  struct __align__(16) Chunk {
    StoredBits keys[kChunkKeys];
  };

  // What digits differ in that the digit above does not determine: gathered from keys, beside the first one.
  template <bool kIsUsual>
  struct DigitDifferences {
    Bits first;
    Bits bits;
    // Whether all digits differ so: then no more keys need to be looked at.
    bool are_all;

    static __device__ __forceinline__ DigitDifferences of(const Arguments& arguments) {
      return {kIsUsual ? compared_bits(to_ordered_bits(arguments.keys_in[0])) : Bits(0), 0, !kIsUsual};
    }

    __device__ __forceinline__ bool is_independent(int digit) const { return (bits >> digit * kRadixBits & (kBins - 1)) != 0; }

    // A digit's bits stay zero if its exclusive or with the digit above is the same in all keys.
    template <int kKeys>
    __device__ __forceinline__ void add(const StoredBits (&keys)[kKeys]) {
      if constexpr (kIsUsual) {
#pragma unroll
        for (int k = 0; k < kKeys; ++k) {
          const Bits difference = compared_bits(to_ordered_bits(bits_as<Key>(keys[k]))) ^ first;
          bits |= difference ^ difference >> kRadixBits;
        }
        are_all = true;
#pragma unroll
        for (int digit = 0; digit + 1 < kMaxPasses; ++digit) are_all &= is_independent(digit);
      }
    }

    // Notes the digits that the ones above do not determine in the keys of the block. All threads call it; barriers lie within.
    __device__ __forceinline__ void note(const Arguments& arguments) const {
      unsigned int digits = ~0u;
      if constexpr (kIsUsual) {
        digits = 0;
#pragma unroll
        for (int digit = 0; digit + 1 < kMaxPasses; ++digit) {
          if (__syncthreads_or(is_independent(digit))) digits |= 1u << digit;
        }
      } else {
        __syncthreads();
      }
      if (threadIdx.x == 0) atomicOr(&control_of(arguments).independent_digits, digits);
    }
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

  // Counts the keys of several chunks from `i` on, which are on their way at once, and adds them to what digits differ in.
  template <int kChunksAtOnce, bool kAddsDifferences, bool kIsUsual, typename CountKey>
  static __device__ __forceinline__ void count_chunks(const Chunk* chunks, unsigned long long& i, unsigned long long stride,
                                                      [[maybe_unused]] DigitDifferences<kIsUsual>& differences, const CountKey& count_key) {
    Chunk loaded[kChunksAtOnce];
#pragma unroll
    for (int c = 0; c < kChunksAtOnce; ++c) loaded[c] = chunks[i + c * stride];
    i += kChunksAtOnce * stride;
#pragma unroll
    for (int c = 0; c < kChunksAtOnce; ++c) {
      if constexpr (kAddsDifferences) differences.add(loaded[c].keys);
#pragma unroll
      for (int k = 0; k < kChunkKeys; ++k) count_key(bits_as<Key>(loaded[c].keys[k]));
    }
  }

  // Counts the keys of chunks, where the array begins at a multiple of theirs. Returns how many those are, of all threads.
  template <bool kIsUsual, typename CountKey>
  static __device__ __forceinline__ unsigned long long count_keys_in_chunks(const Arguments& arguments, unsigned long long thread, unsigned long long stride,
                                                                            DigitDifferences<kIsUsual>& differences, const CountKey& count_key) {
    // Where it is not usual, code is short.
    constexpr int kChunksAtOnce = kIsUsual ? 4 : 1;
    if (reinterpret_cast<unsigned long long>(arguments.keys_in) % alignof(Chunk) != 0) return 0;
    const Chunk* const chunks = reinterpret_cast<const Chunk*>(arguments.keys_in);
    const unsigned long long chunk_count = arguments.n / kChunkKeys;
    unsigned long long i = thread;
    // The first keys show that digits differ, mostly. No loop has a branch for each chunk: that would keep loads from being on their way.
    if constexpr (kIsUsual) {
      while (!differences.are_all && i + (kChunksAtOnce - 1) * stride < chunk_count) {
        count_chunks<kChunksAtOnce, true>(chunks, i, stride, differences, count_key);
      }
    }
    while (i + (kChunksAtOnce - 1) * stride < chunk_count) count_chunks<kChunksAtOnce, false>(chunks, i, stride, differences, count_key);
    while (i < chunk_count) count_chunks<1, true>(chunks, i, stride, differences, count_key);
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
    DigitDifferences<kIsUsual> differences = DigitDifferences<kIsUsual>::of(arguments);
    const auto count_key = [&](Key key) {
      count_digits_of_key<kIsUsual>(arguments, map, key, passes, columns_log2, column, counters);
    };
    const unsigned long long stride = static_cast<unsigned long long>(counting_blocks(arguments)) * blockDim.x;
    const unsigned long long thread = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const unsigned long long counted = count_keys_in_chunks<kIsUsual>(arguments, thread, stride, differences, count_key);
    for (unsigned long long i = counted + thread; i < arguments.n; i += stride) {
      const Key key = arguments.keys_in[i];
      const StoredBits stored[1] = {bits_as<StoredBits>(key)};
      differences.add(stored);
      count_key(key);
    }
    differences.note(arguments);

    add_counts(arguments, counters, digits * kBins, columns_log2);
  }

 public:
  // Makes each digit's histogram its exclusive scan, and decides which passes there are to do: none for a digit that all keys
  // share, or that the digit above determines. One block, a thread for each bin.
  static __device__ __forceinline__ void plan_passes(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    __shared__ Count warp_totals[kBins / kWarpThreads];
    // Each thread reads what it has written itself.
    __shared__ Count counts[kCountedDigits][kBins];
    __shared__ BinShares warp_shares[kBins / kWarpThreads];
    __shared__ DigitShares shares[kCountedDigits];
    Control& control = control_of(arguments);
    const unsigned int bin = threadIdx.x;
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    int executed = 0;
    // Read once: thread 0 may take the map back when it has passed the last barrier.
    const int counted = has_other_digits(control) ? kCountedDigits : passes;
    // All are on their way before the first barrier: else each digit would wait for memory.
#pragma unroll
    for (int pass = 0; pass < kCountedDigits; ++pass) counts[pass][bin] = control.bins[pass][bin];
    // The last digit has none above it.
    const unsigned int independent_digits = control.independent_digits | 1u << passes >> 1;
    const UpperDigitSamples samples = control.repeated_samples;
    for (int pass = 0; pass < counted; ++pass) {
      const Count count = counts[pass][bin];
      int occupied;
      control.bins[pass][bin] = offset_of_bin(warp_totals, count, occupied);
      const bool is_constant = occupied <= 1;
      if (!is_constant && pass < passes && (independent_digits >> pass & 1u) != 0) {
        if (bin == 0) control.digits[executed] = pass;
        ++executed;
      }
      // Has a barrier behind the last read of the totals.
      const DigitShares own = find_shares(warp_shares, static_cast<float>(count), static_cast<float>(arguments.n), occupied);
      if (bin == 0) shares[pass] = own;
    }
    if (bin != 0) return;
    control.executed[0] = executed;
    if (passes >= kMinUpperPasses && arguments.sorts_msd_buckets && !has_copies(arguments, samples)) plan_upper_digits(arguments, control, samples, shares, executed);
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

  // What samples tell of keys that agree.
  using UpperDigitSamples = RepeatedSamples;

  // A bin is heavy that has more keys than chance gives one of as many, by this many deviations. Where a digit has no more than the
  // share below in such bins, the buckets of those alone overflow, and the others decide.
  static constexpr float kDeviations = 5;
  static constexpr float kFewHeavy = 1.0f / 32;

  // What some bins have.
  struct BinShares {
    float max;
    float upper_half_max;
    // Of bins that are not heavy; and the share of those that are.
    float light_max;
    float light_upper_half_max;
    float heavy;

    // Of a thread's bin with its count of n keys, of which there are in as many bins.
    static __device__ __forceinline__ BinShares of(float count, float n, int occupied) {
      const float share = count / n;
      const float mean = n / static_cast<float>(occupied);
      const bool is_heavy = count > mean + kDeviations * sqrtf(mean);
      const float light = is_heavy ? 0 : share;
      return {share, of_upper_half(share), light, of_upper_half(light), is_heavy ? share : 0};
    }

    // The sum of the shares of lanes with bins of one value of the upper half.
    static __device__ __forceinline__ float of_upper_half(float share) {
#pragma unroll
      for (unsigned int distance = 1; distance < 1u << (kRadixBits / 2); distance *= 2) share += __shfl_xor_sync(~0u, share, distance);
      return share;
    }

    // The shares of the lane at this distance.
    __device__ __forceinline__ BinShares of_other_lane(unsigned int distance) const {
      const auto of_other = [&](float share) { return __shfl_xor_sync(~0u, share, distance); };
      return {of_other(max), of_other(upper_half_max), of_other(light_max), of_other(light_upper_half_max), of_other(heavy)};
    }

    __device__ __forceinline__ void add(const BinShares& others) {
      max = fmaxf(max, others.max);
      upper_half_max = fmaxf(upper_half_max, others.upper_half_max);
      light_max = fmaxf(light_max, others.light_max);
      light_upper_half_max = fmaxf(light_upper_half_max, others.light_upper_half_max);
      heavy += others.heavy;
    }
  };

  struct DigitShares {
    // The share of keys that have the digit's most frequent value; if heavy hitters are a small part, that of the others.
    float max;
    // Likewise, of the values of its upper half.
    float upper_half_max;

    static __device__ __forceinline__ DigitShares of(const BinShares& bins, [[maybe_unused]] int occupied) {
      const bool has_few_heavy = bins.heavy <= kFewHeavy;
      return {has_few_heavy ? bins.light_max : bins.max, has_few_heavy ? bins.light_upper_half_max : bins.upper_half_max};
    }
  };

  // What thread 0 gets is of all bins, each of which is a thread's, with its count of n keys. A barrier lies within; the storage may be
  // written again behind the next one.
  static __device__ __forceinline__ DigitShares find_shares(BinShares (&of_warps)[kBins / kWarpThreads], float count, float n, int occupied) {
    BinShares bins = BinShares::of(count, n, occupied);
#pragma unroll
    for (unsigned int distance = 16; distance > 0; distance /= 2) bins.add(bins.of_other_lane(distance));
    if (lane_of(threadIdx.x) == 0) of_warps[warp_of(threadIdx.x)] = bins;
    __syncthreads();
    if (threadIdx.x != 0) return {};
    for (unsigned int warp = 1; warp < kBins / kWarpThreads; ++warp) bins.add(of_warps[warp]);
    return DigitShares::of(bins, occupied);
  }

  // What the first phase sorts by.
  struct UpperDigits {
    // How many passes move anything; 0 if there is to be no such phase.
    int executed;
    // Keys that are still to be sorted agree from this bit up.
    int bit;
    // Whether by the digits of the linear map's buckets, and not by the keys'.
    bool is_mapped = false;
  };

  // Plans a first phase by upper digits if those of the keys' digits are fit for it, of which `executed` would move something. One thread.
  static __device__ __forceinline__ void plan_upper_digits(const Arguments& arguments, Control& control, const UpperDigitSamples& samples,
                                                           const DigitShares* shares, int executed) {
    const UpperDigits upper = choose_upper_digits(arguments, control, samples, shares, executed);
    if (upper.executed == 0) return;
    control.executed[0] = upper.executed;
    control.executed[1] = executed;
    control.upper_bit = upper.bit;
    if (!upper.is_mapped) control.linear_map.buckets = 0;
    control.sorts_upper_digits = 1;
  }

  // The most items that a bucket is expected to have: six times the deviation of such a number fewer than a block holds.
  static constexpr float kMaxExpected = 4200;

  // The upper two digits, if they distribute keys so evenly that a block holds each bucket, and the digits below so evenly that
  // few are in a sub-bucket: as if digits were independent. If they are not, _msd_buckets finds out.
  static __device__ __forceinline__ UpperDigits choose_two_digits(const Arguments& arguments,
                                                                  const DigitShares* shares, int executed) {
    static_assert(kMinUpperPasses == 4 && kMaxPasses == 4, "two digits make buckets, two are left");
    // What is left in a bucket to sort by are the lower two digits, at least, of which the lower one may say nothing.
    if (executed < kMaxPasses) return {};
    // A bucket's keys are known by what they are sorted by only if that is all bits.
    if (!kSortsPositions && arguments.end_bit - arguments.begin_bit < kKeyBits) return {};
    constexpr float kFewPerSubBucket = 4;
    // The share of the most frequent value of a digit's upper bits, at most.
    const auto share_of = [&](int pass, int upper_bits) {
      const int not_of_half = kRadixBits / 2 - upper_bits;
      const float by_half = shares[pass].upper_half_max * static_cast<float>(not_of_half > 0 ? 1 << not_of_half : 1);
      const float by_values = shares[pass].max * static_cast<float>(1 << (kRadixBits - upper_bits));
      return fminf(fminf(by_half, by_values), 1.0f);
    };
    // A bucket is as much of the second digit's bits as are needed.
    constexpr int first = kMaxPasses - 1;
    constexpr int shared = 0;
    const int second = first - 1;
    const float of_first = static_cast<float>(arguments.n) * shares[first].max;
    int bits = 0;
    while (bits < kRadixBits && of_first * share_of(second, bits) > kMaxExpected) ++bits;
    const UpperDigits upper{2, digit_of_pass(arguments, kMaxPasses - 1).bit - shared - bits};
    if (of_first * share_of(second, bits) > kMaxExpected || 1u << (arguments.end_bit - shared - upper.bit) > max_msd_buckets(arguments.n)) return {};
    // Sub-buckets tell 12 bits more apart, and a little. Of the keys' own digits the second one from below has some of them, of its lower ones if
    // keys share bits.
    const int bits_of_lower = bits + 4;
    const int bits_of_second = bits_of_lower < kRadixBits - shared ? bits_of_lower : kRadixBits - shared;
    const int bits_of_last = min(bits_of_lower - bits_of_second, kRadixBits);
    const float share_of_second = share_of(1, bits_of_second);
    const float in_sub_bucket = of_first * shares[second].max * share_of_second * share_of(0, bits_of_last);
    return in_sub_bucket <= kFewPerSubBucket ? upper : UpperDigits{};
  }

  // The linear map's buckets, if a block holds each, and no key is likely to be there often: as if digits were independent. If they are not, _msd_buckets finds out.
  static __device__ __forceinline__ UpperDigits choose_linear_map(const Arguments& arguments, const Control& control,
                                                                  const DigitShares* shares, int executed) {
    constexpr float kOften = 96;
    if (control.linear_map.buckets == 0 || executed < kMaxPasses) return {};
    const float n = static_cast<float>(arguments.n);
    const float in_bucket = n * shares[kMaxPasses].max * shares[kMaxPasses + 1].max;
    float of_key = n;
    for (int pass = 0; pass < kMaxPasses; ++pass) of_key *= shares[pass].max;
    return in_bucket <= kMaxExpected && of_key <= kOften ? UpperDigits{kMapDigits, 0, true} : UpperDigits{};
  }

  // The digits of the first phase: two of the keys' if they are fit for it, else those of the linear map's buckets.
  static __device__ __forceinline__ UpperDigits choose_upper_digits(const Arguments& arguments, Control& control,
                                                                    [[maybe_unused]] const UpperDigitSamples& samples,
                                                                    const DigitShares* shares, int executed) {
    UpperDigits upper = choose_two_digits(arguments, shares, executed);
    if (upper.executed == 0 && !has_full_sub_buckets(arguments, samples)) upper = choose_linear_map(arguments, control, shares, executed);
    return upper;
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
    if (pass.digit >= kMaxPasses) {
      const BucketDigit digit{control_of(arguments).linear_map, (pass.digit - kMaxPasses) * kRadixBits};
      sort_tiles_by(arguments, pass_slot, buffers, digit, storage);
      return;
    }
    sort_tiles_by(arguments, pass_slot, buffers, digit_of_pass(arguments, pass.digit), storage);
  }

 private:
  // The bits of the ordered key that a pass sorts by.
  struct Digit {
    // Whether a tile is looked at for having one digit: sorted keys and those of few values have such. Here that takes more code than it spares time.
    static constexpr bool kMayBeOne = false;
    int bit;
    int bits;

    __device__ __forceinline__ unsigned int of(Key key) const { return digit_of(to_ordered_bits(key), bit, bits); }
  };

  // One of the digits of a key's bucket by the linear map. It is used only where equal digits are rare, but such keys may be neighbours.
  struct BucketDigit {
    static constexpr bool kMayBeOne = false;
    LinearMap linear_map;
    int bit;

    __device__ __forceinline__ unsigned int of(Key key) const { return linear_map.bucket_of(key) >> bit & (kBins - 1); }
  };

  static __device__ __forceinline__ Digit digit_of_pass(const Arguments& arguments, int pass) {
    return {arguments.begin_bit + pass * kRadixBits, digit_bits(arguments, pass)};
  }

  // The buffers of a pass: where it reads and where it writes.
  struct PassBuffers {
    Count items;
    // The offset of each digit's first key.
    const Count* bins;
    // Counts the passes that move anything, from 1 on, over all phases.
    int epoch;
    const Key* keys_from;
    Key* keys_to;
    const Value* values_from;
    Value* values_to;
    // Whether values are made, not read.
    bool makes_values;
    bool writes_keys;
    // Whether keys and values lie as items in what is read, and in what is written. Where they are to lie in the arrays
    // of the result, these are one store: its first half in the keys', its second in the values', and the last item of
    // an odd number in the workspace.
    bool from_items;
    bool to_items;
    // The first item that lies in the values' array, or n.
    Count split_from;
    Count split_to;
  };

  // The work of a pass slot.
  struct Pass {
    // Counts the passes of the phase from 1 on; 0 if there is none left.
    int ordinal;
    // Of the keys, or behind all those, of the linear map's buckets.
    int digit;
    int phase;
  };

  static __device__ __forceinline__ Pass pass_of_slot(const Arguments& arguments, int pass_slot) {
    const Control& control = control_of(arguments);
    const int first = first_pass_slots(arguments.begin_bit, arguments.end_bit);
    if (control.sorts_upper_digits && pass_slot >= first) {
      const bool is_needed = overflowing_items(control) > 0;
      if (!is_needed || pass_slot - first >= control.executed[1]) return {0, 0, 1};
      return {pass_slot - first + 1, control.digits[pass_slot - first], 1};
    }
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
    const Value* const values_in = pass.phase == 1 ? arguments.values_out : arguments.values_in;
    const bool is_last = pass.ordinal == executed;
    const bool to_scratch = leaves ? writes_scratch(true, pass.ordinal + 1, executed) : writes_scratch(in_place, pass.ordinal, executed);
    // Items of overflowing buckets stay in the scratch arrays, and passes alternate between the halves of these.
    const bool is_overflow = pass.phase == 1 && sorts_overflow(arguments, control);
    const int half = is_overflow ? pass.ordinal % 2 : 0;
    const Count items = is_overflow ? overflowing_items(control) : static_cast<Count>(arguments.n);
    PassBuffers buffers;
    buffers.items = items;
    buffers.bins = control.bins[pass.digit];
    buffers.epoch = pass.phase == 1 ? control.executed[0] + pass.ordinal : pass.ordinal;
    buffers.keys_from = is_overflow ? overflow_keys(arguments, 1 - half) : is_first ? keys_in : to_scratch ? arguments.keys_out : arguments.keys_alternate;
    buffers.keys_to = is_overflow ? overflow_keys(arguments, half) : to_scratch ? arguments.keys_alternate : arguments.keys_out;
    buffers.values_from = is_overflow ? overflow_values(arguments, 1 - half) : is_first ? values_in : to_scratch ? arguments.values_out : arguments.values_alternate;
    buffers.values_to = is_overflow ? overflow_values(arguments, half) : to_scratch ? arguments.values_alternate : arguments.values_out;
    buffers.makes_values = kMakesPositions && is_first && pass.phase == 0;
    buffers.writes_keys = !is_last || arguments.writes_keys || (kSortsUpperDigits && pass.phase == 0 && sorts_upper_digits(control));
    buffers.from_items = arguments.interleaves && (!is_first || is_overflow);
    buffers.to_items = arguments.interleaves && (!is_last || (leaves && pass.phase == 0) || is_overflow);
    buffers.split_from = to_scratch && !is_overflow ? static_cast<Count>(arguments.n / 2) : items;
    buffers.split_to = to_scratch || is_overflow ? items : static_cast<Count>(arguments.n / 2);
    return buffers;
  }
  // How many items the pass sorts.
  static __device__ __forceinline__ Count items_of([[maybe_unused]] const Arguments& arguments, [[maybe_unused]] const PassBuffers& buffers) {
    return buffers.items;
  }

  // The address of an item among those that begin at `first`, with those from `split` on at `second`.
  template <typename ItemOrConst, typename First, typename Second>
  static __device__ __forceinline__ ItemOrConst* address_of_item(const Arguments& arguments, First* first, Second* second,
                                                                 Count split, Count index) {
    ItemOrConst* const in_first = reinterpret_cast<ItemOrConst*>(first) + index;
    ItemOrConst* const in_second = reinterpret_cast<ItemOrConst*>(second) + (index - split);
    return index < split ? in_first : index < 2 * split ? in_second : &control_of(arguments).odd_item;
  }

  static __device__ __forceinline__ const Item* item_from(const Arguments& arguments, const PassBuffers& buffers, Count index) {
    return address_of_item<const Item>(arguments, buffers.keys_from, buffers.values_from, buffers.split_from, index);
  }

  static __device__ __forceinline__ Item* item_to(const Arguments& arguments, const PassBuffers& buffers, Count index) {
    return address_of_item<Item>(arguments, buffers.keys_to, buffers.values_to, buffers.split_to, index);
  }

  // Whether the copy engine can load the tile: all of it is there, in one piece, on a boundary of 16 bytes, and without padding.
  template <bool kFromItems>
  static __device__ __forceinline__ bool loads_in_bulk(const Arguments& arguments, const PassBuffers& buffers, Count tile_start, TileSlots slots) {
    if (!BulkCopies::kAreThere || slots.padding != 0 || items_of(arguments, buffers) - tile_start < kTileItems) return false;
    if (kFromItems) {
      const Count tile_end = tile_start + kTileItems;
      const bool is_one_piece =
          tile_end <= buffers.split_from || (tile_start >= buffers.split_from && tile_end <= 2 * buffers.split_from);
      return is_one_piece && reinterpret_cast<unsigned long long>(item_from(arguments, buffers, tile_start)) % 16 == 0;
    }
    unsigned long long addresses = reinterpret_cast<unsigned long long>(buffers.keys_from);
    if (!buffers.makes_values) addresses |= reinterpret_cast<unsigned long long>(buffers.values_from);
    return addresses % 16 == 0;
  }

  // Begins the copies of the tile that one thread has taken, to rows that follow each other.
  template <bool kFromItems>
  static __device__ __forceinline__ void request_tile([[maybe_unused]] const Arguments& arguments, const PassBuffers& buffers,
                                                      PassStorage& storage, Count tile_start) {
    if (kFromItems) {
      storage.copies.begin(kTileItems * sizeof(Item));
      request_items(storage, storage.items, item_from(arguments, buffers, tile_start));
      return;
    }
    const unsigned int value_bytes = kHasValues && !buffers.makes_values ? sizeof(Value) : 0;
    storage.copies.begin(kTileItems * (static_cast<unsigned int>(sizeof(Key)) + value_bytes));
    request_items(storage, storage.arrays.keys, reinterpret_cast<const StoredBits*>(buffers.keys_from + tile_start));
    if (!buffers.makes_values) request_items(storage, storage.arrays.values, buffers.values_from + tile_start);
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
      if (kFromItems) {
        Item item;
        item.key = max_key;
        if (is_valid) item = *item_from(arguments, buffers, tile_start + position);
        storage.items[slot] = item;
        continue;
      }
      storage.arrays.keys[slot] = is_valid ? bits_as<StoredBits>(buffers.keys_from[tile_start + position]) : max_key;
      if (is_valid && !buffers.makes_values) storage.arrays.values[slot] = buffers.values_from[tile_start + position];
    }
    BulkCopies::release_stores();
    __syncwarp();
  }

  template <bool kFromItems>
  static __device__ __forceinline__ StoredBits key_at(const PassStorage& storage, unsigned int slot) {
    if constexpr (kFromItems) return storage.items[slot].key;
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
  template <bool kFromItems, bool kToItems, typename DigitOf>
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
      const Item item = item_at<kFromItems>(buffers, storage, slot, slots);
      const DigitSlot own = digit_slot_of(item.key, slot);
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
      write_item<kToItems>(arguments, buffers, item, to, position, valid_items);
    }
    return in_order;
  }

  // Writes a tile of one digit: its items are in order as they were read.
  template <bool kFromItems, bool kToItems>
  static __device__ __forceinline__ void write_tile_of_one_digit(const Arguments& arguments, const PassBuffers& buffers, const PassStorage& storage,
                                                                 unsigned int valid_items, TileSlots slots) {
    const Count offset = storage.offsets[storage.only_digit];
    const unsigned int first_position = kMakesPositions ? opaque(own_position(0)) : own_position(0);
    const unsigned int first_slot = slots.own_first();
#pragma unroll 4
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = first_position + 32 * i;
      const unsigned int slot = first_slot + i * slots.row();
      const Item item = item_at<kFromItems>(buffers, storage, slot, slots);
      write_item<kToItems>(arguments, buffers, item, offset + position, position, valid_items);
    }
  }

  // Writes an item, if its position in the sorted tile is one of those that are there.
  template <bool kToItems>
  static __device__ __forceinline__ void write_item(const Arguments& arguments, const PassBuffers& buffers, const Item& item, Count to,
                                                    unsigned int position, unsigned int valid_items) {
    if constexpr (kToItems) {
      // Opaque: else the compiler would find it out only where there is an item, and that takes a branch.
      Item* const item_there = opaque(item_to(arguments, buffers, to));
      if (position < valid_items) *item_there = item;
    } else {
      if (position < valid_keys(buffers, valid_items)) buffers.keys_to[to] = bits_as<Key>(item.key);
      if (position < valid_items) buffers.values_to[to] = item.value;
    }
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
    constexpr unsigned int kBytes = kFromItems ? sizeof(Item) : sizeof(Key);
    constexpr unsigned int kBankBytes = 4;
    constexpr unsigned int kBanks = 32;
    const unsigned int bank = position * kBytes / kBankBytes % kBanks;
    const bool is_regular = __popc(__ballot_sync(~0u, bank == __shfl_sync(~0u, bank, 0))) >= kRegularLanes;
    if (threadIdx.x == 0) storage.is_regular = is_regular;
  }

  // The value in a slot of the arrays.
  static __device__ __forceinline__ Value value_at([[maybe_unused]] const PassBuffers& buffers, const PassStorage& storage, unsigned int slot,
                                                   [[maybe_unused]] TileSlots slots) {
    const Value value = storage.arrays.values[slot];
    return value;
  }

  template <bool kFromItems>
  static __device__ __forceinline__ Item item_at(const PassBuffers& buffers, const PassStorage& storage, unsigned int slot,
                                                 TileSlots slots) {
    if constexpr (kFromItems) return storage.items[slot];
    return {storage.arrays.keys[slot], value_at(buffers, storage, slot, slots)};
  }

  template <typename DigitOf>
  static __device__ __forceinline__ void sort_tiles_by(const Arguments& arguments, int pass_slot, const PassBuffers& buffers,
                                                       const DigitOf& digit, PassStorage& storage) {
    if (buffers.from_items) {
      sort_tiles<true>(arguments, pass_slot, buffers, digit, storage);
      return;
    }
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
      buffers.to_items ? write_tile_of_one_digit<kFromItems, true>(arguments, buffers, storage, valid_items, slots)
                       : write_tile_of_one_digit<kFromItems, false>(arguments, buffers, storage, valid_items, slots);
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
      const bool in_order = buffers.to_items ? write<kFromItems, true>(arguments, buffers, digit, storage, valid_items, slots)
                                           : write<kFromItems, false>(arguments, buffers, digit, storage, valid_items, slots);
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
  // After a first phase: finds the offset of each bucket.
  static __device__ __forceinline__ void find_bucket_offsets(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    const Control& control = control_of(arguments);
    if (!control.sorts_upper_digits) return;
    const unsigned int buckets = bucket_count(arguments, control);
    const unsigned int threads = gridDim.x * blockDim.x;
    // Lanes that search for a bucket together: a power of two, and as many as there are threads for.
    unsigned int lanes = 32;
    while (lanes > 1 && (buckets + 1) * lanes > threads) lanes /= 2;
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
    // Full warps go on together, the last one past the end.
    for (unsigned int bucket = thread / lanes; __any_sync(~0u, bucket <= buckets); bucket += threads / lanes) {
      const Count offset = offset_of_bucket(arguments, control, bucket < buckets ? bucket : 0, lanes);
      if (bucket > buckets || thread % lanes != 0) continue;
      bucket_offsets_of(arguments)[bucket] = bucket < buckets ? offset : static_cast<Count>(arguments.n);
    }
  }

 private:
  // The most buckets for n items, a power of two: with more of them they would be too small to be worth it.
  static __host__ __device__ constexpr unsigned int max_msd_buckets(unsigned long long n) {
    unsigned int buckets = 4 * kBins;
    while (buckets < 65536 && static_cast<unsigned long long>(buckets) * 2048 < n) buckets *= 2;
    return buckets;
  }

  // The bucket of a key: the bits from upper_bit up, or what the linear map gives.
  static __device__ __forceinline__ unsigned int bucket_of(const Arguments& arguments, const Control& control, Key key) {
    if (is_mapped(control)) return control.linear_map.bucket_of(key);
    return range_of(arguments, key, control.upper_bit);
  }

  static __device__ __forceinline__ unsigned int bucket_count(const Arguments& arguments, const Control& control) {
    if (is_mapped(control)) return control.linear_map.buckets;
    return 1u << (arguments.end_bit - shared_bit_count(control) - control.upper_bit);
  }

  // The offset of each bucket's first item, and n: the last thing in the workspace.
  static __device__ __forceinline__ Count* bucket_offsets_of(const Arguments& arguments) {
    return reinterpret_cast<Count*>(arguments.workspace + zeroed_bytes(arguments.n));
  }

  // A key that the first phase left.
  static __device__ __forceinline__ Key remaining_key(const Arguments& arguments, Count offset) {
    if (leaves_items(arguments)) return bits_as<Key>(remaining_items(arguments)[offset].key);
    return arguments.keys_out[offset];
  }

  // The offset of the first item that is in this bucket or a later one. As many neighbouring lanes as `lanes` says search together, all
  // lanes of a warp side by side.
  static __device__ __forceinline__ Count offset_of_bucket(const Arguments& arguments, const Control& control, unsigned int bucket,
                                                           unsigned int lanes) {
    // The offsets of the uppermost digit are known.
    int top = pass_count(arguments.begin_bit, arguments.end_bit) - 1;
    int bit = digit_of_pass(arguments, top).bit - control.upper_bit;
    if (is_mapped(control)) {
      top = kCountedDigits - 1;
      bit = kRadixBits;
    }
    const unsigned int digit = bucket >> bit;
    Count from = control.bins[top][digit];
    Count to = digit + 1 < kBins ? control.bins[top][digit + 1] : static_cast<Count>(arguments.n);
    const unsigned int first_lane = lane_of(threadIdx.x) / lanes * lanes;
    const unsigned int own = lane_of(threadIdx.x) - first_lane;
    while (__any_sync(~0u, from < to)) {
      // Each lane looks at the last item of a share but the last share's.
      const Count share = (to - from + lanes) / (lanes + 1);
      const Count last = from + share * (own + 1) - 1;
      const bool is_before = last < to && bucket_of(arguments, control, remaining_key(arguments, last)) < bucket;
      const unsigned int before = __popc(__ballot_sync(~0u, is_before) >> first_lane & ~0u >> (32 - lanes));
      from += share * before;
      const Count end = from + share - 1;
      if (before < lanes && end < to) to = end;
    }
    return from;
  }

 public:
  // Sorts the buckets that the first phase has left, a block one after the other. One that is larger than a block holds, or has too many
  // items in a sub-bucket, is left as it is. Behind the others the block sorts the left ones that have few distinct keys, and queues the rest
  // for the second phase: they overflow.
  static __device__ __forceinline__ void sort_buckets(const Arguments& arguments, unsigned char* shared) {
    wait_for_previous_grid();
    let_next_grid_start();
    Control& control = control_of(arguments);
    if (!control.sorts_upper_digits) return;
    BucketStorage& storage = *reinterpret_cast<BucketStorage*>(shared);
    const BucketRange range = bucket_range(arguments, control);
    const unsigned int buckets = bucket_count(arguments, control);
    Bucket bucket = find_bucket(arguments, blockIdx.x, buckets);
    bool leaves_any = false;
    while (bucket.number < buckets) {
      // The next bucket is prefetched while one is sorted.
      const Bucket next = find_bucket(arguments, bucket.number + gridDim.x, buckets);
      if (threadIdx.x == 0) prefetch_bucket(arguments, next);
      const bool is_left = bucket.size > kBucketItems || (bucket.size > 0 && !sort_bucket(arguments, storage, range, bucket));
      leaves_any |= is_left;
      if (threadIdx.x == 0) sorted_offsets_of(arguments)[bucket.number] = is_left ? bucket.size : 0;
      // All have read what the next bucket overwrites.
      __syncthreads();
      bucket = next;
    }
    if (leaves_any) sort_left_buckets(arguments, control, storage, range, buckets);
  }

 private:
  // The items of one number.
  struct Bucket {
    unsigned int number;
    Count first;
    Count size;
  };

  // What a bucket is sorted by: some compared bits, which are the key's from `bit` up, or what the linear map gives
  // behind the point; and the sub-buckets that it makes.
  struct BucketRange {
    int bit;
    int bits;
    // Sub-buckets for each 2^32 values of compared bits.
    unsigned int scale;
    bool is_mapped;

    __device__ __forceinline__ unsigned int sub_bucket_of(unsigned int compared) const { return __umulhi(compared, scale); }
    // Where in their sub-bucket's range compared bits are, of 2^32.
    __device__ __forceinline__ unsigned int within_sub_bucket(unsigned int compared) const { return compared * scale; }
  };

  static __device__ __forceinline__ BucketRange bucket_range(const Arguments& arguments, const Control& control) {
    const int bits = is_mapped(control) ? 32 : control.upper_bit - arguments.begin_bit;
    const unsigned int scale = static_cast<unsigned int>((static_cast<unsigned long long>(kSubBuckets) << 32) >> bits);
    return {arguments.begin_bit, bits, scale, is_mapped(control)};
  }

  // As many sub-buckets as items.
  static constexpr unsigned int kSubBuckets = kBucketItems;
  // One of more items than this overflows: composite keys do not tell it from those near by.
  static constexpr unsigned int kMaxSubBucket = 96;
  using KeySlots = PaddedSlots<kRows>;
  using BucketScan = WarpScans<kBucketThreads>;
  // Whether register windows compare composite keys with items' positions, and not keys alone.
  static constexpr bool kSortsPositions = true;
  using Keys = CompositeKeys<13, 7>;
  static_assert(kBucketThreads * KeySlots::kSlotsPerThread <= 1u << Keys::kPositionBits, "a slot has room, and so have an offset and a position");
  // Buckets differ in the uppermost digit, at least; three are left. A fraction tells all keys that are compared by their own bits apart.
  static_assert(static_cast<unsigned long long>(kSubBuckets) << Keys::kFractionBits >= 1ull << 3 * kRadixBits, "a fraction tells keys apart");
  static_assert(kMaxSubBucket + 2 * kRows <= 1u << Keys::kStartBits, "the start bits tell sub-buckets apart");
  using Windows = RegisterWindows<kRows, KeySlots, Keys, kMaxSubBucket>;

  // What a block keeps of a bucket in shared memory.
  struct BucketStorage {
    union {
      // Items of each sub-bucket, then its first offset.
      __align__(16) unsigned int counters[kBucketThreads * KeySlots::kSlotsPerThread];
      // At each offset what register windows compare; one register window's behind the last one.
      __align__(16) unsigned int keys_to_sort[(kBucketThreads + 1) * KeySlots::kSlotsPerThread];
    };
    typename BucketScan::Storage scan;
    // The items of the largest sub-bucket, where one is not small.
    unsigned int max_count;
    Item items[kBucketItems];
  };
  static_assert(sizeof(BucketStorage) == kBucketSharedBytes, "the storage is laid out as planned");

  static __device__ __forceinline__ Bucket find_bucket(const Arguments& arguments, unsigned int number, unsigned int buckets) {
    if (number >= buckets) return {number, 0, 0};
    const Count* const offsets = bucket_offsets_of(arguments) + number;
    return {number, offsets[0], offsets[1] - offsets[0]};
  }

  // Sorts a bucket: scatters its items to sub-buckets, then sorts overlapping register windows of them. Returns false, and has written
  // nothing, if a sub-bucket overflows. All threads of the block call it; barriers lie within, and none at the end.
  static __device__ __forceinline__ bool sort_bucket(const Arguments& arguments, BucketStorage& storage, BucketRange range, Bucket bucket) {
    unsigned int compared_keys[kRows];
    load_bucket(arguments, storage, compared_keys, bucket, range);
    FourWords* const own = reinterpret_cast<FourWords*>(storage.counters + threadIdx.x * KeySlots::kSlotsPerThread);
#pragma unroll
    for (unsigned int i = 0; i < KeySlots::kSlotsPerThread / 4; ++i) own[i] = FourWords{};
    if (threadIdx.x == 0) storage.max_count = 0;
    __syncthreads();
    if (!scatter_to_sub_buckets(storage, compared_keys, bucket, range)) {
      // Copies land where those of the block's next bucket go.
      wait_for_copies();
      return false;
    }
    const unsigned int behind = bucket.size + threadIdx.x;
    if (threadIdx.x < kRows) storage.keys_to_sort[KeySlots::of(behind)] = Keys::Compared::behind_last(behind).bits;
    __syncthreads();
    wait_for_copies();
    sort_register_windows(storage, bucket.size, storage.max_count);
    if (range.is_mapped) {
      const bool in_order = write_bucket<true>(arguments, storage, bucket, range);
      if (!__syncthreads_or(!in_order)) return true;
      sort_ties(storage, bucket.size);
    }
    write_bucket<false>(arguments, storage, bucket, range);
    return true;
  }

  // A row has an item for each thread. The number of items from the thread's in the first row on.
  static __device__ __forceinline__ int items_from_here(Bucket bucket) { return static_cast<int>(opaque(bucket.size) - threadIdx.x); }

  // Whether a row has an item for the thread.
  static __device__ __forceinline__ bool is_there(int row, int left) { return row * static_cast<int>(kBucketThreads) < left; }

  // Does `work` for the rows that may have an item: the last ones of small buckets have none.
  template <typename Work>
  static __device__ __forceinline__ void for_rows(Bucket bucket, const Work& work) {
    constexpr int kFewRows = 10;
    work(0, kFewRows);
    if (bucket.size > kFewRows * kBucketThreads) work(kFewRows, kRows);
  }

  template <typename Work>
  static __device__ __forceinline__ void for_each_row(Bucket bucket, const Work& work) {
    for_rows(bucket, [&](int first, int end) {
#pragma unroll
      for (int row = first; row < end; ++row) work(row);
    });
  }

  static __device__ __forceinline__ void prefetch_bucket(const Arguments& arguments, Bucket bucket) {
    if (leaves_items(arguments)) {
      BulkCopies::prefetch(remaining_items(arguments) + bucket.first, bucket.size * sizeof(Item));
      return;
    }
    BulkCopies::prefetch(arguments.keys_out + bucket.first, bucket.size * sizeof(Key));
    BulkCopies::prefetch(arguments.values_out + bucket.first, bucket.size * sizeof(Value));
  }

  // Loads the bucket: its items to shared memory, by their positions, and what they are sorted by to registers. A barrier has to
  // follow before other threads' items are read, behind wait_for_copies where there are values.
  static __device__ __forceinline__ void load_bucket(const Arguments& arguments, [[maybe_unused]] BucketStorage& storage,
                                                   unsigned int (&compared_keys)[kRows], Bucket bucket, BucketRange range) {
    const int left = items_from_here(bucket);
    if (leaves_items(arguments)) {
      const Item* const items = remaining_items(arguments) + bucket.first + threadIdx.x;
      Item loaded[kRows];
      for_each_row(bucket, [&](int row) { loaded[row] = is_there(row, left) ? items[row * kBucketThreads] : Item{}; });
      for_each_row(bucket, [&](int row) {
        storage.items[row * kBucketThreads + threadIdx.x] = loaded[row];
        compared_keys[row] = loaded[row].key;
      });
    } else {
      load_arrays(arguments, storage, compared_keys, bucket, left);
    }
    const auto key_at = [&](int row) { return bits_as<Key>(static_cast<StoredBits>(compared_keys[row])); };
    if (range.is_mapped) {
      const LinearMap linear_map = control_of(arguments).linear_map;
      for_each_row(bucket, [&](int row) { compared_keys[row] = linear_map.number_within(bucket.number, key_at(row)); });
      return;
    }
    const unsigned int mask = (1u << range.bits) - 1u;
    for_each_row(bucket, [&](int row) {
      const Bits ordered = to_ordered_bits(key_at(row));
      compared_keys[row] = compared_bits(ordered) >> range.bit & mask;
    });
  }

  // Keys and values from arrays of their own.
  static __device__ __forceinline__ void load_arrays(const Arguments& arguments, [[maybe_unused]] BucketStorage& storage,
                                                     unsigned int (&compared_keys)[kRows], Bucket bucket, int left) {
    const Key* const keys = arguments.keys_out + bucket.first + threadIdx.x;
    for_each_row(bucket, [&](int row) {
      compared_keys[row] = is_there(row, left) ? bits_as<StoredBits>(keys[row * kBucketThreads]) : StoredBits(0);
    });
    // Where there is no item the last one is copied: that is less work than to ask.
    const Value* const values = arguments.values_out + bucket.first;
    for_each_row(bucket, [&](int row) {
      const unsigned int position = row * kBucketThreads + threadIdx.x;
      copy_async(&storage.items[position].value, &values[position < bucket.size ? position : bucket.size - 1]);
    });
    for_each_row(bucket, [&](int row) {
      const unsigned int position = row * kBucketThreads + threadIdx.x;
      storage.items[position].key = compared_keys[row];
    });
  }

  // Sorts runs of items with composite keys that differ in their positions alone by all of their keys, each by the thread that has its
  // first item. All threads of the block call it; barriers lie within and at the end.
  static __device__ __forceinline__ void sort_ties(BucketStorage& storage, unsigned int size) {
    const auto composite_at = [&](unsigned int offset) -> unsigned int& { return storage.keys_to_sort[KeySlots::of(offset)]; };
    const auto key_at = [&](unsigned int offset) { return compared_key(storage, {composite_at(offset)}); };
    for (unsigned int row = 0; row < size; row += kBucketThreads) {
      const unsigned int first = row + threadIdx.x;
      const auto is_tied = [&](unsigned int offset) {
        return Keys::Compared{composite_at(offset)}.is_tied_with({composite_at(first)});
      };
      unsigned int end = first + 1;
      if (first < size && (first == 0 || !is_tied(first - 1))) {
        while (end < size && is_tied(end)) ++end;
      }
      // All have found the ends before any item moves.
      __syncthreads();
      for (unsigned int next = first + 1; next < end; ++next) {
        const unsigned int composite = composite_at(next);
        const Bits key = key_at(next);
        unsigned int offset = next;
        for (; offset > first && key_at(offset - 1) > key; --offset) composite_at(offset) = composite_at(offset - 1);
        composite_at(offset) = composite;
      }
      __syncthreads();
    }
  }

  // What is compared of the key of the item that has a composite key.
  static __device__ __forceinline__ Bits compared_key(const BucketStorage& storage, Keys::Compared composite) {
    return compared_bits(to_ordered_bits(bits_as<Key>(storage.items[composite.position()].key)));
  }

  // The key before a row of the warp, the one of the lane's number; 0 if there is none.
  static __device__ __forceinline__ Bits key_before_row(const BucketStorage& storage, Bucket bucket) {
    const unsigned int offset = lane_of(threadIdx.x) * kBucketThreads + warp_of(threadIdx.x) * kWarpThreads;
    if (offset == 0 || offset >= bucket.size) return 0;
    return compared_key(storage, {storage.keys_to_sort[KeySlots::of(offset - 1)]});
  }

  // Writes the sorted bucket. `kChecksOrder`: returns whether the thread's keys are in order behind those before them.
  template <bool kChecksOrder>
  static __device__ __forceinline__ bool write_bucket(const Arguments& arguments, const BucketStorage& storage, Bucket bucket, BucketRange) {
    Key* const keys = arguments.keys_out + bucket.first + threadIdx.x;
    Value* const values = arguments.values_out + bucket.first + threadIdx.x;
    // A row's slots follow the one before.
    constexpr unsigned int kRowSlots = kBucketThreads / kRows * KeySlots::kSlotsPerThread;
    static_assert(kBucketThreads % kRows == 0, "rows begin where a thread's offsets do");
    const unsigned int* const sorted = storage.keys_to_sort + KeySlots::of(threadIdx.x);
    const int left = items_from_here(bucket);
    // A second phase of all items would sort what is in the arrays, keys with values, but for items that are left elsewhere.
    [[maybe_unused]] const bool writes_keys = !(kLeavesItems && leaves_items(arguments)) || arguments.writes_keys;
    bool in_order = true;
    [[maybe_unused]] Bits before_row = 0;
    if constexpr (kChecksOrder) before_row = key_before_row(storage, bucket);
    for_each_row(bucket, [&](int row) {
      // Where there is no item, any will do.
      const unsigned int position = is_there(row, left) ? Keys::Compared{sorted[row * kRowSlots]}.position() : 0;
      const Item item = storage.items[position];
      const Key key = bits_as<Key>(item.key);
      const Value value = item.value;
      if constexpr (kChecksOrder) {
        const Bits own = compared_bits(to_ordered_bits(key));
        const Bits below = __shfl_up_sync(~0u, own, 1);
        const Bits before = __shfl_sync(~0u, before_row, row);
        in_order &= !is_there(row, left) || (lane_of(threadIdx.x) == 0 ? before : below) <= own;
      }
      if (is_there(row, left) && writes_keys) keys[row * kBucketThreads] = key;
      if (is_there(row, left)) values[row * kBucketThreads] = value;
    });
    return in_order;
  }

  // Writes what register windows compare of each item to its offset in the order of sub-buckets, which nearly sorts the bucket. Returns
  // false, and leaves only scratch behind, if a sub-bucket overflows. All threads call it; barriers lie within.
  static __device__ __forceinline__ bool scatter_to_sub_buckets(BucketStorage& storage, const unsigned int (&compared_keys)[kRows], Bucket bucket,
                                                                BucketRange range) {
    // Where a row has no item for the thread, its gap is the slot.
    const unsigned int gap = threadIdx.x * KeySlots::kSlotsPerThread + kRows;
    int left = items_from_here(bucket);
    // Zeros where a row has no items: compilers take more registers where they may be anything.
    Keys::Counted counted[kRows] = {};
    for_each_row(bucket, [&](int row) {
      const unsigned int slot = is_there(row, left) ? KeySlots::of(range.sub_bucket_of(compared_keys[row])) : gap;
      const unsigned int fraction = range.within_sub_bucket(compared_keys[row]) >> (32 - Keys::kFractionBits);
      counted[row] = {opaque(Keys::Counted::pack(atomicAdd(&storage.counters[slot], 1u), slot, fraction).bits)};
    });
    __syncthreads();
    scan_sub_buckets<kRows, KeySlots, Windows::kSmallSubBucket>(storage.counters, &storage.max_count, [&](unsigned int sum) {
      unsigned int total;
      return BucketScan::exclusive_sum(storage.scan, threadIdx.x, sum, total);
    });
    __syncthreads();
    if (storage.max_count > kMaxSubBucket) return false;
    Keys::Placed placed[kRows] = {};
    for_each_row(bucket, [&](int row) {
      placed[row] = {opaque(Keys::Placed::pack(counted[row], storage.counters[counted[row].slot()]).bits)};
    });
    // The keys take the place of the counters.
    __syncthreads();
    left = items_from_here(bucket);
    for_each_row(bucket, [&](int row) {
      const unsigned int slot = is_there(row, left) ? KeySlots::of(placed[row].offset()) : gap;
      storage.keys_to_sort[slot] = Keys::Compared::pack(placed[row], row * kBucketThreads + threadIdx.x).bits;
    });
    return true;
  }

  // Sorts the register windows that begin at each thread's first offset, then merges those that begin kHalf offsets later, which sorts
  // every small sub-bucket. Larger ones may take more rounds. Returns false if those that there may be were not enough. All threads call
  // it; barriers lie within and at the end.
  static __device__ __forceinline__ bool sort_register_windows(BucketStorage& storage, unsigned int size, unsigned int max_count) {
    const unsigned int first = threadIdx.x * kRows;
    if (first < size) Windows::template sort<true>(storage.keys_to_sort, first);
    __syncthreads();
    if (first + kRows < size) Windows::template sort<false>(storage.keys_to_sort, first + Windows::kHalf);
    __syncthreads();
    if (max_count <= Windows::kSmallSubBucket) return true;
    const unsigned int halves = Windows::halves_of(max_count);
    // Two merges there have been. Items that were read nearly in order, as most are, take fewer.
    for (unsigned int round = 0; round < (halves - 1) / 2; ++round) {
      if (!__syncthreads_or(first < size && !Windows::is_in_order(storage.keys_to_sort, first))) return true;
      if (first < size) Windows::template sort<false>(storage.keys_to_sort, first);
      __syncthreads();
      if (first + kRows < size) Windows::template sort<false>(storage.keys_to_sort, first + Windows::kHalf);
      __syncthreads();
    }
    return true;
  }

  // The most distinct keys of a bucket that is sorted by them, and the slots of a hash table that finds them.
  static constexpr int kMaxDistinctKeysLog2 = 7;
  static constexpr unsigned int kMaxDistinctKeys = 1u << kMaxDistinctKeysLog2;
  static constexpr unsigned int kHashSlots = 2 * kMaxDistinctKeys;
  static_assert(kHashSlots <= kBucketThreads, "a slot has a thread of its own");

  // Whether a block would take longer for a bucket than the others do for the rest of the array.
  static __device__ __forceinline__ bool is_too_large_for_a_block(const Arguments& arguments, Bucket bucket) {
    constexpr unsigned int kNeverTooLarge = 1u << 14;
    constexpr unsigned int kAlwaysTooLarge = 3u << 16;
    return bucket.size > kAlwaysTooLarge || (bucket.size > kNeverTooLarge && 256ull * bucket.size > arguments.n);
  }
  static constexpr unsigned int kBucketWarps = kBucketThreads / kWarpThreads;

  // What is found of a bucket of few distinct keys. The compared bits that the bucket is sorted by tell them apart.
  struct DistinctKeys {
    static constexpr unsigned int kNone = ~0u;
    static constexpr int kMaxProbes = 32;
    // The hash table: of each slot a key's compared bits, or kNone, and how many keys are less.
    unsigned int compared_keys[kHashSlots];
    unsigned int ranks[kHashSlots];
    unsigned int sorted_keys[kMaxDistinctKeys];
    // By rank: how many items of a warp's share have the key, then the offset of the next one of them in the sorted bucket.
    unsigned int offsets[kBucketWarps][kMaxDistinctKeys];

    static __device__ __forceinline__ unsigned int first_slot(unsigned int compared) { return (compared * 0x9e3779b1u) >> (31 - kMaxDistinctKeysLog2); }
    static __device__ __forceinline__ unsigned int next_slot(unsigned int slot) { return (slot + 1) % kHashSlots; }

    // Returns whether the key is there then: there may be no slot for it.
    __device__ __forceinline__ bool add(unsigned int compared) {
      if (compared == kNone) return false;
      unsigned int slot = first_slot(compared);
#pragma unroll 1
      for (int probe = 0; probe < kMaxProbes; ++probe) {
        const unsigned int there = atomicCAS(&compared_keys[slot], kNone, compared);
        if (there == kNone || there == compared) return true;
        slot = next_slot(slot);
      }
      return false;
    }

    // The rank of a key that is there.
    __device__ __forceinline__ unsigned int rank_of(unsigned int compared) const {
      unsigned int slot = first_slot(compared);
#pragma unroll 1
      while (compared_keys[slot] != compared) slot = next_slot(slot);
      return ranks[slot];
    }
  };
  static_assert(sizeof(DistinctKeys) <= sizeof(BucketStorage::keys_to_sort), "it takes their memory");

  // Sorts those of the block's buckets that are left and have few distinct keys, and queues the others.
  static __device__ __forceinline__ void sort_left_buckets(const Arguments& arguments, Control& control, BucketStorage& storage, BucketRange range,
                                                           unsigned int buckets) {
    Count* const left = sorted_offsets_of(arguments);
#pragma unroll 1
    for (unsigned int first = blockIdx.x; first < buckets; first += 32 * gridDim.x) {
      const unsigned int own = first + lane_of(threadIdx.x) * gridDim.x;
      unsigned int mask = __ballot_sync(~0u, own < buckets && left[own] > 0);
#pragma unroll 1
      for (; mask != 0; mask &= mask - 1) {
        // All have read what is left, and are done with the bucket before.
        __syncthreads();
        const Bucket bucket = find_bucket(arguments, first + (__ffs(static_cast<int>(mask)) - 1) * gridDim.x, buckets);
        const bool is_sorted = sort_by_distinct_keys(arguments, storage, range, bucket);
        if (threadIdx.x != 0) continue;
        if (is_sorted) {
          left[bucket.number] = 0;
        } else {
          queue_bucket(arguments, control, bucket);
        }
      }
    }
  }

  // Sorts a bucket of few distinct keys, however many items have each: counts the items of each key, and writes each item behind those of all keys that are less.
  // Returns false, and has written nothing, if there are more distinct keys or items, or no room to sort in. All threads of the block
  // call it; barriers lie within, and none at the end.
  static __device__ __forceinline__ bool sort_by_distinct_keys(const Arguments& arguments, BucketStorage& storage, BucketRange range,
                                                               Bucket bucket) {
    if (is_too_large_for_a_block(arguments, bucket)) return false;
    if (is_loaded(bucket)) load_items(arguments, storage, bucket);
    DistinctKeys& distinct = *reinterpret_cast<DistinctKeys*>(storage.keys_to_sort);
    const unsigned int count = find_distinct_keys(arguments, storage, distinct, range, bucket);
    if (count > kMaxDistinctKeys) return false;
    const bool stays = !leaves_items(arguments);
    if (stays && count == 1) return true;
    // Items that the block has no room for cannot be written over each other.
    if (stays && !is_loaded(bucket)) return false;
    const WarpShare share = share_of_warp(bucket);
    unsigned int (&offsets)[kMaxDistinctKeys] = distinct.offsets[warp_of(threadIdx.x)];
    if (count > 1) {
      for_rows_of_share(arguments, storage, bucket, share, [&](unsigned int, bool is_there, const BucketItem& item) {
        add_row(offsets, is_there, distinct.rank_of(compared_in_bucket(range, item.key)));
      });
      __syncthreads();
      make_offsets(storage, distinct);
      __syncthreads();
    }
    [[maybe_unused]] const bool writes_keys = stays || arguments.writes_keys;
    for_rows_of_share(arguments, storage, bucket, share, [&](unsigned int at, bool is_there, const BucketItem& item) {
      const unsigned int offset = count > 1 ? add_row(offsets, is_there, distinct.rank_of(compared_in_bucket(range, item.key))) : at;
      if (is_there && writes_keys) arguments.keys_out[bucket.first + offset] = item.key;
      if (is_there) arguments.values_out[bucket.first + offset] = item.value;
    });
    return true;
  }

  // Finds the distinct keys of a bucket, and the rank of each. Returns their number, or any above kMaxDistinctKeys: then nothing else is known of
  // them. Barriers lie within, and one at the end.
  static __device__ __forceinline__ unsigned int find_distinct_keys(const Arguments& arguments, BucketStorage& storage, DistinctKeys& distinct,
                                                                    BucketRange range, Bucket bucket) {
    constexpr unsigned int kKeysAtOnce = 4;
    if (threadIdx.x < kHashSlots) distinct.compared_keys[threadIdx.x] = DistinctKeys::kNone;
    for (unsigned int i = threadIdx.x; i < kBucketWarps * kMaxDistinctKeys; i += kBucketThreads) (&distinct.offsets[0][0])[i] = 0;
    __syncthreads();
    // The thread's last key, which has been added.
    unsigned int added = DistinctKeys::kNone;
    for (unsigned int first = 0; first < bucket.size; first += kKeysAtOnce * kBucketThreads) {
      Key keys[kKeysAtOnce];
#pragma unroll
      for (unsigned int k = 0; k < kKeysAtOnce; ++k) {
        keys[k] = key_in_bucket(arguments, storage, bucket, first + k * kBucketThreads + threadIdx.x);
      }
      bool has_room = true;
#pragma unroll
      for (unsigned int k = 0; k < kKeysAtOnce; ++k) {
        const unsigned int compared = compared_in_bucket(range, keys[k]);
        if (has_room && (compared != added || compared == DistinctKeys::kNone)) has_room = distinct.add(compared);
        added = compared;
      }
      if (__syncthreads_or(!has_room)) return kMaxDistinctKeys + 1;
    }
    const unsigned int own = threadIdx.x < kHashSlots ? distinct.compared_keys[threadIdx.x] : DistinctKeys::kNone;
    const unsigned int count = __syncthreads_count(own != DistinctKeys::kNone);
    if (count > kMaxDistinctKeys) return count;
    if (own != DistinctKeys::kNone) {
      unsigned int rank = 0;
      for (unsigned int slot = 0; slot < kHashSlots; ++slot) {
        rank += distinct.compared_keys[slot] < own;
      }
      distinct.ranks[threadIdx.x] = rank;
      distinct.sorted_keys[rank] = own;
    }
    __syncthreads();
    return count;
  }

  // What keys of a bucket are known by: they are equal if and only if they compare equal.
  static __device__ __forceinline__ unsigned int compared_in_bucket(BucketRange range, Key key) {
    const unsigned int compared = compared_bits(to_ordered_bits(key));
    // Its number within the bucket tells not all keys apart.
    if (range.is_mapped) return compared;
    return compared >> range.bit & ((1u << range.bits) - 1u);
  }

  // Makes counts of all warps' shares the offsets of their first items of each rank. All threads call it; a barrier lies within.
  static __device__ __forceinline__ void make_offsets(BucketStorage& storage, DistinctKeys& distinct) {
    unsigned int sum = 0;
    if (threadIdx.x < kMaxDistinctKeys) {
      for (unsigned int warp = 0; warp < kBucketWarps; ++warp) sum += distinct.offsets[warp][threadIdx.x];
    }
    unsigned int total;
    unsigned int offset = BucketScan::exclusive_sum(storage.scan, threadIdx.x, sum, total);
    if (threadIdx.x >= kMaxDistinctKeys) return;
    for (unsigned int warp = 0; warp < kBucketWarps; ++warp) {
      const unsigned int items = distinct.offsets[warp][threadIdx.x];
      distinct.offsets[warp][threadIdx.x] = offset;
      offset += items;
    }
  }

  // Adds a row of the warp's items to `offsets`, by rank. Returns the item's own.
  static __device__ __forceinline__ unsigned int add_row(unsigned int (&offsets)[kMaxDistinctKeys], bool is_there, unsigned int rank) {
    const unsigned int lanes_below = (1u << lane_of(threadIdx.x)) - 1u;
    const unsigned int same = lanes_of_same_digit<kMaxDistinctKeysLog2>(rank) & __ballot_sync(~0u, is_there);
    const unsigned int first = offsets[rank];
    __syncwarp();
    if (is_there && (same & lanes_below) == 0) offsets[rank] = first + __popc(same);
    __syncwarp();
    return first + __popc(same & lanes_below);
  }

  // The items of a bucket that a warp counts and writes.
  struct WarpShare {
    unsigned int begin;
    unsigned int end;
  };

  static __device__ __forceinline__ WarpShare share_of_warp(Bucket bucket) {
    const unsigned int items = (bucket.size / kWarpThreads / kBucketWarps + 1) * kWarpThreads;
    const unsigned int begin = warp_of(threadIdx.x) * items;
    return {begin < bucket.size ? begin : bucket.size, begin + items < bucket.size ? begin + items : bucket.size};
  }

  struct BucketItem {
    Key key;
    Value value;
  };

  // Does `work` for each row of the share: for the index in the bucket of the lane's item, whether it is there, and the item. The items of some rows
  // are read at once.
  template <typename Work>
  static __device__ __forceinline__ void for_rows_of_share(const Arguments& arguments, const BucketStorage& storage, Bucket bucket, WarpShare share,
                                                           const Work& work) {
    constexpr unsigned int kShareRows = 2;
#pragma unroll 1
    for (unsigned int first = share.begin + lane_of(threadIdx.x); first < share.end + lane_of(threadIdx.x); first += 32 * kShareRows) {
      BucketItem items[kShareRows];
#pragma unroll
      for (unsigned int row = 0; row < kShareRows; ++row) {
        items[row].key = key_in_bucket(arguments, storage, bucket, first + 32 * row);
        items[row].value = value_in_bucket(arguments, storage, bucket, first + 32 * row);
      }
#pragma unroll
      for (unsigned int row = 0; row < kShareRows; ++row) work(first + 32 * row, first + 32 * row < share.end, items[row]);
    }
  }
  // Loads the items of a bucket that the block has room for. A barrier has to follow.
  static __device__ __forceinline__ void load_items(const Arguments& arguments, BucketStorage& storage, Bucket bucket) {
#pragma unroll 4
    for (unsigned int at = threadIdx.x; at < bucket.size; at += kBucketThreads) {
      const Count from = bucket.first + at;
      storage.items[at] = leaves_items(arguments) ? remaining_items(arguments)[from] : Item{bits_as<StoredBits>(arguments.keys_out[from]), arguments.values_out[from]};
    }
  }

  // Whether the bucket's items are in shared memory while it is sorted by distinct keys.
  static __device__ __forceinline__ bool is_loaded(Bucket bucket) { return kSortsPositions && bucket.size <= kBucketItems; }

  // The bucket's key of this index, or the last one where there are not as many.
  static __device__ __forceinline__ Key key_in_bucket(const Arguments& arguments, [[maybe_unused]] const BucketStorage& storage, Bucket bucket,
                                                      unsigned int index) {
    const unsigned int at = index < bucket.size ? index : bucket.size - 1;
    if (is_loaded(bucket)) return bits_as<Key>(storage.items[at].key);
    return remaining_key(arguments, bucket.first + at);
  }

  // The same of a value that is loaded, or lies with its key.
  static __device__ __forceinline__ Value value_in_bucket([[maybe_unused]] const Arguments& arguments, const BucketStorage& storage, Bucket bucket,
                                                          unsigned int index) {
    const unsigned int at = index < bucket.size ? index : bucket.size - 1;
    if (!is_loaded(bucket)) return remaining_items(arguments)[bucket.first + at].value;
    return storage.items[at].value;
  }

 public:
  // After _msd_buckets: counts the digits of the items in overflowing buckets, if the second phase sorts these alone. Items that the first
  // phase has left side by side are copied to the arrays of the result, at their offsets, so that nothing in the scratch arrays is
  // wanted any more.
  static __device__ __forceinline__ void count_overflow(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    Control& control = control_of(arguments);
    if (!sorts_overflow(arguments, control)) return;
    __shared__ unsigned int counters[kMaxPasses * kBins];
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
#pragma unroll 1
    for (unsigned int i = threadIdx.x; i < passes * kBins; i += blockDim.x) counters[i] = 0;
    __syncthreads();
    const unsigned int lane = lane_of(threadIdx.x);
    Run run{};
    for_rows_of_warp(overflowing_items(control), [&](Count first, Count end) {
      Key keys[kRowsAtOnce];
#pragma unroll
      for (unsigned int row = 0; row < kRowsAtOnce; ++row) {
        const Count offset = offset_of_queued(arguments, control, run, at_or_before(first + 32 * row, end));
        keys[row] = remaining_key(arguments, offset);
        if (first + 32 * row < end && leaves_items(arguments)) {
          arguments.keys_out[offset] = keys[row];
          arguments.values_out[offset] = remaining_items(arguments)[offset].value;
        }
      }
#pragma unroll
      for (unsigned int row = 0; row < kRowsAtOnce; ++row) {
        const bool is_there = first + 32 * row < end;
        const unsigned int there = __popc(__ballot_sync(~0u, is_there));
#pragma unroll 1
        for (int pass = 0; pass < passes; ++pass) {
          const unsigned int digit = digit_of_pass(arguments, pass).of(keys[row]);
          unsigned int* const counter = &counters[pass * kBins + digit];
          // Keys of a bucket agree in their upper digits, and heavy hitters in all.
          if (__all_sync(~0u, digit == __shfl_sync(~0u, digit, 0))) {
            if (lane == 0) atomicAdd(counter, there);
          } else if (is_there) {
            atomicAdd(counter, 1u);
          }
        }
      }
    });
    __syncthreads();
    Count* const bins = &control.overflow_bins[0][0];
#pragma unroll 1
    for (unsigned int i = threadIdx.x; i < passes * kBins; i += blockDim.x) {
      if (counters[i] > 0) atomicAdd(&bins[i], static_cast<Count>(counters[i]));
    }
  }

  // Gathers the items of overflowing buckets in the scratch arrays, one bucket behind the other, plans the passes over them, and finds
  // where each bucket begins when all are sorted. Blocks of kBins threads.
  static __device__ __forceinline__ void gather_overflow(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    Control& control = control_of(arguments);
    if (!sorts_overflow(arguments, control)) return;
    __shared__ typename BinScan::Storage scan;
    if (blockIdx.x == 0) plan_overflow(arguments, control, scan);
    find_sorted_offsets(arguments, control, scan);
    Run run{};
    for_rows_of_warp(overflowing_items(control), [&](Count first, Count end) {
      Count from[kRowsAtOnce];
#pragma unroll
      for (unsigned int row = 0; row < kRowsAtOnce; ++row) {
        from[row] = offset_of_queued(arguments, control, run, at_or_before(first + 32 * row, end));
      }
      Key keys[kRowsAtOnce];
#pragma unroll
      for (unsigned int row = 0; row < kRowsAtOnce; ++row) keys[row] = arguments.keys_out[from[row]];
      Value values[kRowsAtOnce];
#pragma unroll
      for (unsigned int row = 0; row < kRowsAtOnce; ++row) values[row] = arguments.values_out[from[row]];
#pragma unroll
      for (unsigned int row = 0; row < kRowsAtOnce; ++row) {
        const Count to = first + 32 * row;
        if (to >= end) break;
        if (arguments.interleaves) {
          reinterpret_cast<Item*>(overflow_keys(arguments, 0))[to] = {bits_as<StoredBits>(keys[row]), values[row]};
          continue;
        }
        overflow_keys(arguments, 0)[to] = keys[row];
        overflow_values(arguments, 0)[to] = values[row];
      }
    });
  }

 private:
  using BinScan = WarpScans<kBins>;

  // An overflowing bucket, and the offset of its first item when buckets are gathered.
  struct QueuedBucket {
    unsigned int number;
    Count first;
  };

  // The overflowing buckets, as Control::overflow has them:
  //
  //   | buckets: 32 bits | their items: 32 bits |
  struct OverflowTotals {
    unsigned long long word;

    static __device__ __forceinline__ OverflowTotals pack(unsigned int buckets, Count items) {
      return {static_cast<unsigned long long>(buckets) << 32 | items};
    }
    __device__ __forceinline__ unsigned int buckets() const { return static_cast<unsigned int>(word >> 32); }
    __device__ __forceinline__ Count items() const { return static_cast<Count>(word); }
  };

  // How many items overflowing buckets have.
  static __device__ __forceinline__ Count overflowing_items(const Control& control) { return OverflowTotals{control.overflow}.items(); }

  // The scratch arrays have room for as many of these twice: passes alternate between both.
  static __device__ __forceinline__ Count overflow_room(const Arguments& arguments) {
    return static_cast<Count>(arguments.n / 32 * 16);
  }

  // Behind the offsets of buckets, for each bucket: the items that are left, or overflow; then how many of those of buckets before it. Behind that, the
  // overflowing buckets as blocks have found them.
  static __device__ __forceinline__ Count* sorted_offsets_of(const Arguments& arguments) {
    return bucket_offsets_of(arguments) + max_msd_buckets(arguments.n) + 1;
  }

  static __device__ __forceinline__ QueuedBucket* queue_of(const Arguments& arguments) {
    return reinterpret_cast<QueuedBucket*>(sorted_offsets_of(arguments) + max_msd_buckets(arguments.n));
  }

  // Queues a bucket that overflows, by one thread of a block: at an offset behind those that were queued before.
  static __device__ __forceinline__ void queue_bucket(const Arguments& arguments, Control& control, Bucket bucket) {
    const OverflowTotals before{atomicAdd(&control.overflow, OverflowTotals::pack(1, bucket.size).word)};
    const unsigned int queued = before.buckets();
    queue_of(arguments)[queued] = {bucket.number, before.items()};
    atomicAdd(&control.overflow_segments[bucket.number / kBins], bucket.size);
  }

  // Items of one bucket by their offsets among all that overflow, and the offset in the array of the first of them.
  struct Run {
    Count first;
    Count end;
    Count to;
  };

  // The offset in the array of an item by its offset in the queue. The offsets of one `run` ascend.
  static __device__ __forceinline__ Count offset_of_queued(const Arguments& arguments, const Control& control, Run& run, Count offset) {
    if (offset >= run.end) {
      const QueuedBucket* const queue = queue_of(arguments);
      const unsigned int count = OverflowTotals{control.overflow}.buckets();
      const unsigned int found = last_at_most(count, offset, [&](unsigned int i) { return queue[i].first; });
      const Count end = found + 1 < count ? queue[found + 1].first : overflowing_items(control);
      run = {queue[found].first, end, bucket_offsets_of(arguments)[queue[found].number]};
    }
    return run.to + (offset - run.first);
  }

  // The same by its offset when all of them are sorted.
  static __device__ __forceinline__ Count offset_of_sorted(const Arguments& arguments, const Control& control, Run& run, Count offset) {
    if (offset >= run.end) {
      const Count* const firsts = sorted_offsets_of(arguments);
      const unsigned int buckets = bucket_count(arguments, control);
      const unsigned int found = last_at_most(buckets, offset, [&](unsigned int i) { return firsts[i]; });
      const Count end = found + 1 < buckets ? firsts[found + 1] : overflowing_items(control);
      run = {firsts[found], end, bucket_offsets_of(arguments)[found]};
    }
    return run.to + (offset - run.first);
  }

  // A warp has one share of the items, of full rows but for the last one. Does `work` for some rows at once: for the lane's item in the
  // first of them, and the end of the share. All lanes call it together.
  static constexpr unsigned int kRowsAtOnce = 2;

  template <typename Work>
  static __device__ __forceinline__ void for_rows_of_warp(Count items, const Work& work) {
    const unsigned int warps = gridDim.x * (blockDim.x / kWarpThreads);
    const Count share = (items / kWarpThreads / warps + 1) * kWarpThreads;
    // Where shares are few, they are those of different blocks.
    const Count begin = (warp_of(threadIdx.x) * gridDim.x + blockIdx.x) * share;
    const Count end = at_or_before(begin + share, items + 1);
#pragma unroll 1
    for (Count first = begin; first < end; first += 32 * kRowsAtOnce) work(first + lane_of(threadIdx.x), end);
  }

  static __device__ __forceinline__ Count at_or_before(Count offset, Count end) { return offset < end ? offset : end - 1; }

  // The last of `count` ascending numbers that is `most` or less, of which the first one is zero.
  template <typename At>
  static __device__ __forceinline__ unsigned int last_at_most(unsigned int count, Count most, const At& at) {
    unsigned int from = 0;
#pragma unroll 1
    while (count > 1) {
      const unsigned int half = count / 2;
      if (at(from + half) <= most) from += half;
      count -= half;
    }
    return from;
  }

  // As _plan does for all items. One block, a thread for each bin.
  static __device__ __forceinline__ void plan_overflow(const Arguments& arguments, Control& control, typename BinScan::Storage& scan) {
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    int executed = 0;
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) {
      const Count count = control.overflow_bins[pass][threadIdx.x];
      unsigned int total;
      control.bins[pass][threadIdx.x] = BinScan::exclusive_sum(scan, threadIdx.x, count, total);
      // Also orders the storage before it is written again.
      if (__syncthreads_or(count == total)) continue;
      if (threadIdx.x == 0) control.digits[executed] = pass;
      ++executed;
    }
    if (threadIdx.x == 0) control.executed[1] = executed;
  }

  // How many of the overflowing items are in buckets before each one: by the segments of kBins buckets, of which the items are known.
  static __device__ __forceinline__ void find_sorted_offsets(const Arguments& arguments, const Control& control, typename BinScan::Storage& scan) {
    const unsigned int buckets = bucket_count(arguments, control);
#pragma unroll 1
    for (unsigned int segment = blockIdx.x; segment * kBins < buckets; segment += gridDim.x) {
      unsigned int before;
      BinScan::exclusive_sum(scan, threadIdx.x, threadIdx.x < segment ? control.overflow_segments[threadIdx.x] : 0, before);
      __syncthreads();
      Count* const at = sorted_offsets_of(arguments) + segment * kBins + threadIdx.x;
      const bool is_there = segment * kBins + threadIdx.x < buckets;
      unsigned int total;
      const Count first = BinScan::exclusive_sum(scan, threadIdx.x, is_there ? *at : 0, total);
      if (is_there) *at = before + first;
      __syncthreads();
    }
  }

  // Where the passes of the second phase have overflowing items: in the one half of the scratch arrays, or in the other.
  static __device__ __forceinline__ Key* overflow_keys(const Arguments& arguments, int half) {
    const Count first = half * overflow_room(arguments);
    if (arguments.interleaves) return reinterpret_cast<Key*>(reinterpret_cast<Item*>(arguments.keys_alternate) + first);
    return arguments.keys_alternate + first;
  }

  static __device__ __forceinline__ Value* overflow_values(const Arguments& arguments, int half) {
    return arguments.values_alternate + half * overflow_room(arguments);
  }

  // Copies the sorted items of overflowing buckets to where these are.
  static __device__ __forceinline__ void scatter_overflow(const Arguments& arguments, const Control& control) {
    const int half = control.executed[1] % 2;
    const Key* const keys = overflow_keys(arguments, half);
    Run run{};
    for_rows_of_warp(overflowing_items(control), [&](Count first, Count end) {
#pragma unroll
      for (unsigned int row = 0; row < kRowsAtOnce; ++row) {
        const Count from = first + 32 * row;
        if (from >= end) break;
        const Count to = offset_of_sorted(arguments, control, run, from);
        if (arguments.interleaves) {
          const Item item = reinterpret_cast<const Item*>(keys)[from];
          if (arguments.writes_keys) arguments.keys_out[to] = bits_as<Key>(item.key);
          arguments.values_out[to] = item.value;
          continue;
        }
        if (arguments.writes_keys) arguments.keys_out[to] = keys[from];
        arguments.values_out[to] = overflow_values(arguments, half)[from];
      }
    });
  }

 public:
  // Copies the result to where it belongs, if no pass has written it there: in place after an odd number of passes, and
  // to other arrays after none.
  static __device__ __forceinline__ void finish(const Arguments& arguments) {
    wait_for_previous_grid();
    const Control& control = control_of(arguments);
    if (sorts_overflow(arguments, control)) {
      scatter_overflow(arguments, control);
      return;
    }
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
      Value values[kCopied];
#pragma unroll
      for (int own = 0; own < kCopied; ++own) {
        const unsigned long long i = first + own * stride;
        if (i >= arguments.n) continue;
        if (copies_keys) keys[own] = from_scratch ? arguments.keys_alternate[i] : arguments.keys_in[i];
        values[own] = from_scratch ? arguments.values_alternate[i] : arguments.values_in[i];
      }
#pragma unroll
      for (int own = 0; own < kCopied; ++own) {
        const unsigned long long i = first + own * stride;
        if (i >= arguments.n) continue;
        if (copies_keys) arguments.keys_out[i] = keys[own];
        arguments.values_out[i] = values[own];
      }
    }
  }
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

  // What is compared of ordered bits: -0.0 as if it were +0.0, and a NaN as if it were greater than all numbers.
  static __device__ __forceinline__ Bits compared_bits(Bits ordered) {
    // NaNs are beyond the infinities on either side.
    constexpr Bits kMaxNumber = 0xff800000;
    constexpr Bits kMinNumber = kMaxNumber ^ kAllBits;
    if (ordered > kMaxNumber || ordered < kMinNumber) return kAllBits;
    return ordered == kNegativeZero ? kPositiveZero : ordered;
  }

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

  // The key's bits from `bit` to the end of the range.
  static __device__ __forceinline__ Bits range_of(const Arguments& arguments, Key key, int bit) {
    const Bits compared = compared_bits(to_ordered_bits(key));
    const int above = 8 * sizeof(Bits) - arguments.end_bit;
    return compared << above >> above >> bit;
  }

  // Whether the first phase sorts by upper digits, and whether the second one has to sort all items, or those of overflowing buckets.
  static __device__ __forceinline__ bool sorts_upper_digits([[maybe_unused]] const Control& control) {
    return control.sorts_upper_digits;
  }

  static __device__ __forceinline__ bool needs_all([[maybe_unused]] const Arguments& arguments, [[maybe_unused]] const Control& control) {
    return overflowing_items(control) > overflow_room(arguments);
  }

  static __device__ __forceinline__ bool sorts_overflow(const Arguments& arguments, const Control& control) {
    return overflowing_items(control) > 0 && !needs_all(arguments, control);
  }

  // Whether the linear map has buckets.
  static __device__ __forceinline__ bool is_mapped([[maybe_unused]] const Control& control) {
    return control.linear_map.buckets != 0;
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
    return arguments.interleaves && arguments.keys_in != arguments.keys_out;
  }

  static __device__ __forceinline__ const Item* remaining_items(const Arguments& arguments) {
    return reinterpret_cast<const Item*>(arguments.keys_alternate);
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

extern "C" __global__ void __launch_bounds__(1024)
device_radix_sort_f32_u32_b384_i20_desc_nanlast_count(sortsmith::device_radix_sort_f32_u32_b384_i20_desc_nanlast::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_radix_sort_f32_u32_b384_i20_desc_nanlast::count_digits(arguments, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(256)
device_radix_sort_f32_u32_b384_i20_desc_nanlast_plan(sortsmith::device_radix_sort_f32_u32_b384_i20_desc_nanlast::Arguments arguments) {
  sortsmith::device_radix_sort_f32_u32_b384_i20_desc_nanlast::plan_passes(arguments);
}

extern "C" __global__ void __launch_bounds__(384, 2)
device_radix_sort_f32_u32_b384_i20_desc_nanlast_pass(sortsmith::device_radix_sort_f32_u32_b384_i20_desc_nanlast::Arguments arguments, int pass_slot) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_radix_sort_f32_u32_b384_i20_desc_nanlast::run_pass(arguments, pass_slot, sortsmith_shared);
}

extern "C" __global__ void device_radix_sort_f32_u32_b384_i20_desc_nanlast_bucket_offsets(sortsmith::device_radix_sort_f32_u32_b384_i20_desc_nanlast::Arguments arguments) {
  sortsmith::device_radix_sort_f32_u32_b384_i20_desc_nanlast::find_bucket_offsets(arguments);
}

extern "C" __global__ void __launch_bounds__(288, sortsmith::device_radix_sort_f32_u32_b384_i20_desc_nanlast::kResidentBuckets)
device_radix_sort_f32_u32_b384_i20_desc_nanlast_msd_buckets(sortsmith::device_radix_sort_f32_u32_b384_i20_desc_nanlast::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_radix_sort_f32_u32_b384_i20_desc_nanlast::sort_buckets(arguments, sortsmith_shared);
}

extern "C" __global__ void device_radix_sort_f32_u32_b384_i20_desc_nanlast_count_overflow(sortsmith::device_radix_sort_f32_u32_b384_i20_desc_nanlast::Arguments arguments) {
  sortsmith::device_radix_sort_f32_u32_b384_i20_desc_nanlast::count_overflow(arguments);
}

extern "C" __global__ void __launch_bounds__(256)
device_radix_sort_f32_u32_b384_i20_desc_nanlast_gather_overflow(sortsmith::device_radix_sort_f32_u32_b384_i20_desc_nanlast::Arguments arguments) {
  sortsmith::device_radix_sort_f32_u32_b384_i20_desc_nanlast::gather_overflow(arguments);
}

extern "C" __global__ void __launch_bounds__(1024, sortsmith::device_radix_sort_f32_u32_b384_i20_desc_nanlast::kResidentFinishing)
device_radix_sort_f32_u32_b384_i20_desc_nanlast_finish(sortsmith::device_radix_sort_f32_u32_b384_i20_desc_nanlast::Arguments arguments) {
  sortsmith::device_radix_sort_f32_u32_b384_i20_desc_nanlast::finish(arguments);
}
#endif
