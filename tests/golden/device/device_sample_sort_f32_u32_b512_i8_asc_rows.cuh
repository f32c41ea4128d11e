// device_sample_sort_f32_u32_b512_i8_asc_rows
//
// Sorts f32 keys with 4-byte values, ascending: each row of a matrix, in three launches for all rows. Stable: equal
// keys keep their input order.
//
// Keys order by sign and magnitude. -0.0 and +0.0 are equal. NaNs order by their bits: those with the sign bit set are
// less than all numbers, the others greater.
//
//   splitter         the first item of a bucket
//   piece            the items of a bucket in one tile
//   sub-bucket       a small range of a bucket's keys, which a block counts
//   register window  neighbouring items of a thread, which overlap those of the next one
//
// Items of a few sampled positions, which follow from the seed, are the splitters of all items, equal keys by the tiles that they are in,
// so that a bucket is large by chance alone, or for keys that were laid out for the seed. The first kernel sorts samples (_samples), the second partitions each tile by bucket
// (_split), the third gathers each bucket from all tiles, sorts it, and writes it to the result (_buckets). Each block is of
// one row, which its number along y says; what a row has of scratch lies behind that of the rows before:
//
//   device_sample_sort_f32_u32_b512_i8_asc_rows_samples<<<dim3(1, rows), 1024, 49152, stream>>>(arguments);
//   device_sample_sort_f32_u32_b512_i8_asc_rows_split  <<<dim3(tile_count(n), rows), 512, 51264, stream>>>(arguments);
//   device_sample_sort_f32_u32_b512_i8_asc_rows_buckets<<<dim3(bucket_count(n), rows), 512, 98528, stream>>>(arguments);
//
// The launches are plain ones, as written. On Hopper and later GPUs all but the first may have the attribute
// cudaLaunchAttributeProgrammaticStreamSerialization too: each kernel waits for the one before it itself.
//
// Made by sortsmith 0.1.0 from the template device_sample_sort; to make it again:
//   sortsmith emit --name device_sample_sort_f32_u32_b512_i8_asc_rows --out .
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

#ifndef SORTSMITH_V0_1_0_WARP_RANGE
#define SORTSMITH_V0_1_0_WARP_RANGE
namespace sortsmith {
inline namespace v0_1_0 {

// The minimum and the maximum over the lanes of a full warp, which all call it and all get it.
__device__ __forceinline__ unsigned int min_in_warp(unsigned int value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_min_sync(~0u, value);
#else
#pragma unroll
  for (int bit = 16; bit > 0; bit /= 2) {
    const unsigned int other = __shfl_xor_sync(~0u, value, bit);
    value = other < value ? other : value;
  }
  return value;
#endif
}

__device__ __forceinline__ unsigned int max_in_warp(unsigned int value) { return ~min_in_warp(~value); }

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

#ifndef SORTSMITH_V0_1_0_CLEAR_WORDS
#define SORTSMITH_V0_1_0_CLEAR_WORDS
namespace sortsmith {
inline namespace v0_1_0 {

// Sets an array in shared memory to zeros, 16 bytes at a time, by all threads of a block of kThreads. The loop is unrolled kUnrolled times:
// once where it has few rounds, for which an unrolled one takes more instructions to begin than there are.
template <int kBytes, int kThreads, int kUnrolled>
__device__ __forceinline__ void clear_words(void* array) {
  struct __align__(16) Words {
    unsigned int words[4];
  };
  static_assert(kBytes % sizeof(Words) == 0, "the array has no other bytes");
#pragma unroll kUnrolled
  for (unsigned int i = threadIdx.x; i < kBytes / sizeof(Words); i += kThreads) static_cast<Words*>(array)[i] = Words{};
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_DEVICE_SAMPLE_SORT_F32_U32_B512_I8_ASC_ROWS
#define SORTSMITH_V0_1_0_DEVICE_SAMPLE_SORT_F32_U32_B512_I8_ASC_ROWS
namespace sortsmith {
inline namespace v0_1_0 {

// Sorts the items of one bucket, at most kItems for each thread of the block: a stable LSD radix sort by how far keys are above the
// bucket's least one, of which most often the upper bits are zero.
template <int kItems>
struct device_sample_sort_f32_u32_b512_i8_asc_rows_bucket_sort {
  using Key = float;
  using Value = unsigned int;

  static constexpr int kBlockThreads = 512;
  static constexpr int kItemsPerThread = kItems;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kRadixBits = 7;
  static constexpr int kKeyBits = 32;

  // One thread's items.
  using Keys = Key[kItemsPerThread];
  using Values = Value[kItemsPerThread];

 private:
  // Which thread holds which position of the tile. Thread t's item i is at
  //   kBlocked:     t * kItemsPerThread + i
  //   kStriped:     i * kBlockThreads + t
  //   kWarpStriped: the same as kStriped, within each warp's own 32 * kItemsPerThread positions
  enum class Arrangement { kBlocked, kStriped, kWarpStriped };

  // Keys in registers are ordered bits: unsigned integers that order as the keys do.
  using Bits = unsigned int;
  using BitsItems = Bits[kItemsPerThread];
  // In shared memory they take no more bytes than the keys.
  using StoredBits = unsigned int;
  using Positions = unsigned int[kItemsPerThread];
  // What goes through shared memory with each key: its value.
  using Carried = unsigned int;
  using CarriedItems = Value[kItemsPerThread];

  // The arrangement in which items are ranked: its registers, thread after thread, are the tile's order within a warp, row by row.
  static constexpr Arrangement kRanked = Arrangement::kWarpStriped;
  using BlockScan = WarpScans<kBlockThreads>;

  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;
  static constexpr unsigned int kBins = 1 << kRadixBits;
  // A histogram's bins, and a gap so that threads which scan a bin of several histograms do not meet in a bank.
  static constexpr unsigned int kHistogramWords = 130;

  struct RankStorage {
    // Of each warp: first how many of its items fall in a bin, then the position in the tile at which they start.
    unsigned int histograms[kWarps][kHistogramWords];
    typename BlockScan::Storage scan;
  };

  using KeySlots = GappedSlots<32, 1>;
  using CarriedSlots = GappedSlots<32, 1>;

  // The tile on its way from one arrangement to another.
  struct ExchangeStorage {
    StoredBits keys[KeySlots::count(kTileItems)];
    Carried carried[CarriedSlots::count(kTileItems)];
  };
  static constexpr bool kOverlaps = false;

 public:
  // Ranking and exchange have bytes of their own: a pass can begin while the last one's items are still being read.
  struct TempStorage {
    RankStorage rank;
    ExchangeStorage exchange;
  };

  // All threads of the block share one storage. It may be used again after a barrier. No key's ordered bits are below the base, nor is
  // the one before it -0.0.
  __device__ __forceinline__ device_sample_sort_f32_u32_b512_i8_asc_rows_bucket_sort(TempStorage& storage, Bits base) : base_(base), storage_(storage), thread_(threadIdx.x) {}

  // Sorts the first valid_items items from warp-striped to striped arrangement, by the bits of their distance to the base that take
  // part. All threads of the block call it.
  __device__ __forceinline__ void Sort(Keys& keys, Values& values, int begin_bit, int end_bit, unsigned int valid_items) {
    sort<Arrangement::kWarpStriped, Arrangement::kStriped>(keys, values, begin_bit, end_bit, valid_items);
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

  // The digit of `count` bits, at most kRadixBits, from `bit` up, of what is above the base.
  __device__ __forceinline__ unsigned int digit_of(Bits ordered, int bit, int count) const {
    return static_cast<unsigned int>((compared_bits(ordered) - base_) >> bit) & ((1u << count) - 1u);
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
    // There are 4 threads for each bin, which have a group of warps each.
    constexpr unsigned int kGroups = 4;
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
  __device__ __forceinline__ void sort(Keys& keys, Values& values, int begin_bit, int end_bit,
                                       unsigned int valid_items) {
    // Items past valid_items have all bits set of what is sorted by: no digit is greater, and of equal digits those of the items before them
    // come first. So they stay behind, whatever the keys are.
    BitsItems bits;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) bits[i] = to_ordered_bits(keys[i]);
    if (valid_items < kTileItems) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        if (position<kFrom>(i) >= valid_items) bits[i] = base_ - 1;
      }
    }
    CarriedItems& carried = values;
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
  }

  const Bits base_;
  TempStorage& storage_;
  const unsigned int thread_;
};

struct device_sample_sort_f32_u32_b512_i8_asc_rows {
  using Key = float;
  using Value = unsigned int;

  static constexpr int kBlockThreads = 512;
  static constexpr int kItemsPerThread = 8;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 32;
  // A bucket's items on average, and as many buckets as there are at most.
  static constexpr unsigned int kBucketItems = 4096;
  static constexpr unsigned int kMaxBuckets = kBlockThreads;
  // The threads of a block of _samples.
  static constexpr unsigned int kSampleThreads = 1024;
  // The shared memory of a block of _samples, of one of _split, and of one of _buckets.
  static constexpr unsigned int kSampleSharedBytes = 49152;
  static constexpr unsigned int kSplitSharedBytes = 51264;
  static constexpr unsigned int kBucketSharedBytes = 98528;
  // As many as the most tiles and the most buckets have.
  static constexpr unsigned long long kMaxItems = 2097152ull;

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
    // Any number: it says which positions are sampled, and the result is the same for all. Keys that were chosen with knowledge of it
    // may make a bucket large, which takes long.
    int seed;
    // Not used by this sort.
    int unused[2];
    // Not used by this sort.
    unsigned int* sort_counter;
    // Items from the start of a row, of n items, to that of the next one, in the arrays that come and in those of the result. In scratch
    // rows have no gaps, nor in keys_out where keys are not written.
    unsigned long long row_stride;
  };

 private:
  // Keys in registers are ordered bits: unsigned integers that order as the keys do.
  using Bits = unsigned int;
  // In memory they take no more bytes than the keys.
  using StoredBits = unsigned int;
  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;
  static constexpr unsigned int kSamplesPerBucket = 32;
  static constexpr unsigned int kMaxSamples = 4096;

  // The least item of a bucket, but of the first: its key's compared bits, and its tile.
  struct Splitter {
    Bits compared;
    unsigned int tile;
  };

 public:
  static __host__ __device__ constexpr unsigned int tile_count(unsigned long long n) {
    return static_cast<unsigned int>((n + kTileItems - 1) / kTileItems);
  }
  // Samples come first whatever n is: one block sorts those of a row.
  static __host__ __device__ constexpr bool samples_come_first(unsigned long long n) { return n > 0; }
  // A power of two: buckets of kBucketItems items at most on average.
  static __host__ __device__ constexpr unsigned int bucket_count(unsigned long long n) {
    const unsigned int most = kMaxBuckets;
    const unsigned int items = kBucketItems;
    const unsigned long long last = n == 0 ? 0 : (n - 1) / items;
    // All bits below the highest one.
    unsigned int bits = last < most ? static_cast<unsigned int>(last) : most - 1;
    for (int shift = 1; shift < 16; shift *= 2) bits |= bits >> shift;
    return bits + 1;
  }
  // The blocks of _samples for a row.
  static __host__ __device__ constexpr unsigned int sample_blocks(unsigned long long) { return 1; }
  // Nothing has to be zero when a sort begins.
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long) { return 0; }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long n) {
    return splitter_bytes(n) + (2ull * bucket_count(n) * tile_count(n) + 15) / 16 * 16;
  }

  // The arguments of the block's row.
  static __device__ __forceinline__ Arguments of_row(Arguments arguments) {
    const unsigned long long row = blockIdx.y;
    const unsigned long long first = row * arguments.row_stride;
    const unsigned long long first_of_scratch = row * arguments.n;
    arguments.keys_in += first;
    arguments.keys_out += arguments.writes_keys ? first : first_of_scratch;
    arguments.keys_alternate += first_of_scratch;
    arguments.values_in += first;
    arguments.values_out += first;
    arguments.values_alternate += first_of_scratch;
    arguments.workspace += row * workspace_bytes(arguments.n);
    return arguments;
  }

 private:
  // What the position of a sample follows from: without the seed, no keys can be laid out by it.
  static __device__ __forceinline__ unsigned int random_of(const Arguments& arguments, unsigned int number) {
    const unsigned int product = (number ^ static_cast<unsigned int>(arguments.seed)) * 2654435761u;
    return (product ^ product >> 15) * 2246822519u;
  }

 private:
  // The bucket of what is behind the last item.
  static constexpr unsigned int kNoBucket = kMaxBuckets;
  // Counters of a histogram: behind the last bucket there is kNoBucket, and what makes it 16 bytes.
  static constexpr unsigned int kHistogramBins = kMaxBuckets + 4;

  // Of an item of a tile, in one register:
  //
  //   | bucket: 16 bits | position in the tile as it is read: 16 bits |
  struct BucketPosition {
    unsigned int bits;
    static __device__ __forceinline__ BucketPosition pack(unsigned int bucket, unsigned int position) { return {bucket << 16 | position}; }
    __device__ __forceinline__ unsigned int position() const { return bits & 0xffff; }
    // Whether an item comes before another: in a bucket before, or in the same one and read before.
    __device__ __forceinline__ bool is_before(BucketPosition other) const { return bits < other.bits; }
  };

  // A tile's items by bucket: where each was, and what it is.
  struct SplitItems {
    BucketPosition bucket_positions[kTileItems];
    StoredBits keys[kTileItems];
    Value values[kTileItems];
  };

  // What a block of _split keeps in shared memory.
  struct SplitStorage {
    // The compared bits from which on items of this tile are in a bucket or behind it: those of the middle, of both quarters, of the
    // four eighths, and so on; see find_buckets.
    Bits bounds[kMaxBuckets];
    // Of each round of as many buckets as the block has threads.
    unsigned int sums[kMaxBuckets / kBlockThreads][kWarps];
    union {
      // Each warp's count of its items in a bucket, then the position of the first of them.
      __align__(16) unsigned int histograms[kWarps][kHistogramBins];
      SplitItems items;
    };
  };
  static_assert(sizeof(SplitStorage) == kSplitSharedBytes, "the storage is laid out as planned");

 public:
  // Partitions one tile by bucket, and tells where in it each bucket begins.
  static __device__ __forceinline__ void split(const Arguments& arguments, unsigned char* shared) {
    SplitStorage& storage = *reinterpret_cast<SplitStorage*>(shared);
    const unsigned int tile = blockIdx.x;
    const unsigned long long tile_start = static_cast<unsigned long long>(tile) * kTileItems;
    const unsigned int valid_items = items_of_tile(arguments, tile);
    const unsigned int buckets = bucket_count(arguments.n);
    // First all reads, so that they take the time of one.
    Key keys[kItemsPerThread];
    Value values[kItemsPerThread];
    load_tile(arguments, tile_start, keys, values, valid_items);
    clear_words<sizeof(storage.histograms), kBlockThreads, 1>(storage.histograms);
    // All that was read was there before the sort began.
    wait_for_previous_grid();
    let_next_grid_start();
    const unsigned int bucket_of_max = buckets - 1 - set_bounds(arguments, storage, buckets);

    Buckets found;
    Ranks ranks;
    find_buckets(arguments, storage, buckets, bucket_of_max, keys, valid_items, found);
    rank_by_atomics(storage, found, ranks);
    scatter_items(arguments, storage, found, ranks, keys, values, valid_items);
    if (!is_in_order(storage, valid_items)) {
      clear_words<sizeof(storage.histograms), kBlockThreads, 1>(storage.histograms);
      __syncthreads();
      rank_by_ballots(storage, found, ranks);
      scatter_items(arguments, storage, found, ranks, keys, values, valid_items);
    }
    write_tile(arguments, storage, tile_start, valid_items);
  }

 private:
  // Of the items of a thread: the bucket, and the rank among the warp's items of it.
  using Buckets = unsigned int[kItemsPerThread];
  using Ranks = unsigned int[kItemsPerThread];

  static __device__ __forceinline__ void load_tile(const Arguments& arguments, unsigned long long tile_start, Key (&keys)[kItemsPerThread],
                                                   Value (&values)[kItemsPerThread],
                                                   unsigned int valid_items) {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = warp_striped<kItemsPerThread>(threadIdx.x, i);
      if (position >= valid_items) continue;
      keys[i] = arguments.keys_in[tile_start + position];
      values[i] = arguments.values_in[tile_start + position];
    }
  }

  // Writes the tile's items in their order in shared memory.
  static __device__ __forceinline__ void write_tile(const Arguments& arguments, const SplitStorage& storage, unsigned long long tile_start,
                                                    unsigned int valid_items) {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = i * kBlockThreads + threadIdx.x;
      if (position >= valid_items) continue;
      arguments.keys_alternate[tile_start + position] = bits_as<Key>(storage.items.keys[position]);
      arguments.values_alternate[tile_start + position] = storage.items.values[position];
    }
  }

  // What keys are compared by: the bits that take part.
  static __device__ __forceinline__ Bits compared_of(const Arguments& arguments, Key key) {
    if (arguments.begin_bit == arguments.end_bit) return 0;
    const Bits compared = compared_bits(to_ordered_bits(key));
    const int above = static_cast<int>(8 * sizeof(Bits)) - arguments.end_bit;
    return compared << above >> above >> arguments.begin_bit;
  }

  // A splitter's own tile and those behind it have their items of its compared bits in its bucket, those before it in the one
  // before. The maximum ones have none after them: returns whether it would take some.
  static __device__ __forceinline__ bool set_bound(SplitStorage& storage, unsigned int buckets, unsigned int bucket, Bits compared,
                                                   unsigned int tile) {
    if (bucket == 0) return false;
    const bool excludes_own = blockIdx.x < tile;
    const bool is_beyond = excludes_own && compared == ~Bits(0);
    // The odd numbers are of the lowest level of the search, the other ones' halves of those above it.
    storage.bounds[(bucket | buckets) >> __ffs(bucket)] = compared + (excludes_own && !is_beyond);
    return is_beyond;
  }

  // The bounds of all splitters. Returns how many nothing of this tile is after; see set_bound.
  static __device__ __forceinline__ unsigned int set_bounds(const Arguments& arguments, SplitStorage& storage, unsigned int buckets) {
    const Splitter* const splitters = splitters_of(arguments);
    unsigned int beyond = 0;
    for (unsigned int first = 0; first < buckets; first += kBlockThreads) {
      const unsigned int bucket = first + threadIdx.x;
      beyond += __syncthreads_count(bucket < buckets && set_bound(storage, buckets, bucket, splitters[bucket].compared, splitters[bucket].tile));
    }
    return beyond;
  }

  // Each item's bucket: the last one with a bound that is not after its compared bits. All items are searched for at once: each alone would
  // wait for one read after the other. Bounds of one level lie side by side, so that lanes do not meet in a bank.
  static __device__ __forceinline__ void find_buckets(const Arguments& arguments, const SplitStorage& storage, unsigned int buckets,
                                                      unsigned int bucket_of_max, const Key (&keys)[kItemsPerThread],
                                                      unsigned int valid_items, Buckets& found) {
    Bits compared_keys[kItemsPerThread];
    ComparedIndex bounds[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      compared_keys[i] = warp_striped<kItemsPerThread>(threadIdx.x, i) < valid_items ? compared_of(arguments, keys[i]) : 0;
      bounds[i] = ComparedIndex::of(1);
    }
    // Below bound b of a level are bounds 2 * b and 2 * b + 1 of the next one.
    for (unsigned int level = 1; level < buckets; level *= 2) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        const bool is_behind = bounds[i].in(storage.bounds) <= compared_keys[i];
        bounds[i].bytes = 2 * bounds[i].bytes + (is_behind ? ComparedIndex::of(1).bytes : 0);
      }
    }
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      found[i] = bounds[i].index() - buckets;
      if (compared_keys[i] == ~Bits(0)) found[i] = bucket_of_max;
      if (warp_striped<kItemsPerThread>(threadIdx.x, i) >= valid_items) found[i] = kNoBucket;
    }
  }

  // Ranks each of the warp's items among those of its bucket in the warp, and counts them.
  //
  // A counter that is added to says how many came before. Among the lanes of one row it says in which order they were
  // served, which no manual promises to be theirs: see is_in_order. Where all lanes of a row have one bucket, one adds for all.
  static __device__ __forceinline__ void rank_by_atomics(SplitStorage& storage, const Buckets& found, Ranks& ranks) {
    unsigned int (&histogram)[kHistogramBins] = storage.histograms[warp_of(threadIdx.x)];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      if (__ballot_sync(~0u, found[i] == __shfl_sync(~0u, found[i], 0)) != ~0u) {
        ranks[i] = atomicAdd(&histogram[found[i]], 1u);
        continue;
      }
      unsigned int before = 0;
      if (lane_of(threadIdx.x) == 0) before = atomicAdd(&histogram[found[i]], 32u);
      ranks[i] = __shfl_sync(~0u, before, 0) + lane_of(threadIdx.x);
    }
  }

  // The same by ballots, which no order of serving can change.
  static __device__ __forceinline__ void rank_by_ballots(SplitStorage& storage, const Buckets& found, Ranks& ranks) {
    unsigned int (&histogram)[kHistogramBins] = storage.histograms[warp_of(threadIdx.x)];
    const unsigned int lanes_below = (1u << lane_of(threadIdx.x)) - 1u;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int same = lanes_of_same_digit<10>(found[i]);
      const unsigned int before = histogram[found[i]];
      ranks[i] = before + __popc(same & lanes_below);
      // All lanes have read; the lowest of each bucket writes for the next row.
      __syncwarp();
      if ((same & lanes_below) == 0) histogram[found[i]] = before + __popc(same);
      __syncwarp();
    }
  }

  // Writes the items to their offsets in the tile.
  static __device__ __forceinline__ void scatter_items(const Arguments& arguments, SplitStorage& storage, const Buckets& found,
                                                       const Ranks& ranks, const Key (&keys)[kItemsPerThread],
                                                       const Value (&values)[kItemsPerThread],
                                                       unsigned int valid_items) {
    __syncthreads();
    find_tile_offsets(arguments, storage);
    __syncthreads();
    unsigned int offsets[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) offsets[i] = storage.histograms[warp_of(threadIdx.x)][found[i]] + ranks[i];
    // The items take the place of the histograms.
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = warp_striped<kItemsPerThread>(threadIdx.x, i);
      if (position >= valid_items) continue;
      storage.items.bucket_positions[offsets[i]] = BucketPosition::pack(found[i], position);
      storage.items.keys[offsets[i]] = bits_as<StoredBits>(keys[i]);
      storage.items.values[offsets[i]] = values[i];
    }
    __syncthreads();
  }

  // Makes every warp's count of a bucket the offset of the first of those items: behind all items of lower buckets, and behind those of
  // the same bucket in the warps below. A thread has a bucket of each round.
  static __device__ __forceinline__ void find_tile_offsets(const Arguments& arguments, SplitStorage& storage) {
    const unsigned int buckets = bucket_count(arguments.n);
    unsigned int before = 0;
#pragma unroll 1
    for (unsigned int round = 0; round * kBlockThreads < buckets; ++round) {
      const unsigned int bucket = round * kBlockThreads + threadIdx.x;
      unsigned int counts[kWarps];
      unsigned int sum = 0;
#pragma unroll
      for (unsigned int warp = 0; warp < kWarps; ++warp) {
        counts[warp] = storage.histograms[warp][bucket];
        sum += counts[warp];
      }
      unsigned int total;
      unsigned int start = before + exclusive_sum(storage.sums[round], sum, total);
      before += total;
      if (bucket < buckets) tile_offsets_of(arguments)[bucket * tile_count(arguments.n) + blockIdx.x] = static_cast<unsigned short>(start);
#pragma unroll
      for (unsigned int warp = 0; warp < kWarps; ++warp) {
        storage.histograms[warp][bucket] = start;
        start += counts[warp];
      }
    }
  }

  // Whether items of each bucket are in the order in which they were read, and buckets in theirs.
  static __device__ __forceinline__ bool is_in_order(const SplitStorage& storage, unsigned int valid_items) {
    bool is_right = true;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = i * kBlockThreads + threadIdx.x;
      if (position + 1 < valid_items) is_right &= storage.items.bucket_positions[position].is_before(storage.items.bucket_positions[position + 1]);
    }
    return __syncthreads_and(is_right);
  }


 private:
  // A sample's offset in the row: at random in its share, of which all samples have one each. No two rows are sampled alike.
  static __device__ __forceinline__ unsigned int offset_of_sample(const Arguments& arguments, unsigned int sample, unsigned int samples_log2) {
    const unsigned int n = static_cast<unsigned int>(arguments.n);
    const unsigned int start = static_cast<unsigned int>(static_cast<unsigned long long>(sample) * n >> samples_log2);
    const unsigned int random = random_of(arguments, (sample << 16) + blockIdx.y);
    return start + __umulhi(random, n >> samples_log2);
  }

  // What a block of _samples keeps in shared memory: the samples in sorted runs, and once more for the merge of two into one. Of each its
  // compared bits, and its number.
  struct SampleStorage {
    Bits compared_keys[2][kMaxSamples];
    unsigned short numbers[2][kMaxSamples];
  };
  static_assert(sizeof(SampleStorage) == kSampleSharedBytes, "the storage is laid out as planned");

 public:
  // Sorts the samples of a row, and takes the splitters at equal distances.
  static __device__ __forceinline__ void find_splitters(const Arguments& arguments, unsigned char* shared) {
    SampleStorage& storage = *reinterpret_cast<SampleStorage*>(shared);
    const unsigned int buckets = bucket_count(arguments.n);
    const unsigned int wanted = buckets * kSamplesPerBucket;
    const unsigned int samples = wanted < kMaxSamples ? wanted : kMaxSamples;
    const unsigned int samples_log2 = 31 - __clz(samples);
    for (unsigned int sample = threadIdx.x; sample < samples; sample += kSampleThreads) {
      storage.compared_keys[0][sample] = compared_of(arguments, arguments.keys_in[offset_of_sample(arguments, sample, samples_log2)]);
      storage.numbers[0][sample] = static_cast<unsigned short>(sample);
    }
    // All that was read was there before the sort began.
    wait_for_previous_grid();
    let_next_grid_start();
    __syncthreads();
    unsigned int from = 0;
    for (unsigned int run = 1; run < samples; run *= 2) {
      for (unsigned int sample = threadIdx.x; sample < samples; sample += kSampleThreads) merge_sample(storage, from, sample, run);
      from ^= 1;
      __syncthreads();
    }
    Splitter* const splitters = splitters_of(arguments);
    const unsigned int per_bucket = samples / buckets;
    for (unsigned int bucket = threadIdx.x; bucket < buckets; bucket += kSampleThreads) {
      const unsigned int rank = bucket * per_bucket;
      splitters[bucket].compared = storage.compared_keys[from][rank];
      splitters[bucket].tile = offset_of_sample(arguments, storage.numbers[from][rank], samples_log2) / kTileItems;
    }
  }

 private:
  // Brings a sample of a run to its slot in the run's merge with its neighbour: behind those of its own run that come before, and those
  // of the other. Of equal ones, those of the first run come before.
  static __device__ __forceinline__ void merge_sample(SampleStorage& storage, unsigned int from, unsigned int sample, unsigned int run) {
    const Bits own = storage.compared_keys[from][sample];
    const bool is_of_second = (sample & run) != 0;
    const Bits* const other = storage.compared_keys[from] + ((sample ^ run) & ~(run - 1));
    unsigned int before = 0;
    for (unsigned int step = run; step > 0; step /= 2) {
      if (before + step > run) continue;
      const Bits compared = other[before + step - 1];
      if (is_of_second ? compared <= own : compared < own) before += step;
    }
    const unsigned int slot = (sample & ~(2 * run - 1)) + (sample & (run - 1)) + before;
    storage.compared_keys[from ^ 1][slot] = own;
    storage.numbers[from ^ 1][slot] = storage.numbers[from][sample];
  }

 private:
  // Sorts buckets by digits, of at most kItems items for each thread.
  template <int kItems>
  using BucketSort = device_sample_sort_f32_u32_b512_i8_asc_rows_bucket_sort<kItems>;
  using LargestSort = BucketSort<16>;

  // Of each tile's part of a bucket: the position in the bucket of its first item, and what to add to a position to make
  // it one in the array.
  struct Pieces {
    unsigned int positions[kBlockThreads];
    unsigned int offsets[kBlockThreads];
  };

  // Items that are sorted by sub-buckets and register windows have at most this number of rows, of one for each thread.
  static constexpr unsigned int kMaxRows = 15;
  static constexpr unsigned int kMaxRegisterWindowItems = kMaxRows * kBlockThreads;
  static constexpr unsigned int kMaxSubBuckets = 8192;
  // A sub-bucket of more items overflows: it would take longer than a radix sort does.
  static constexpr unsigned int kMaxSubBucket = 96;
  // Lanes with the same key as their warp's first one, at least, that tell that the bucket does without counting; the first lane is among them.
  static constexpr int kAlikeLanes = 6;
  // Bits of a sub-bucket's first offset that tell it from others near by.
  static constexpr int kStartBits = 8;
  // One past a key's last bit.
  static constexpr unsigned int kNoBit = 8 * sizeof(Bits);
  // Rounds in which items are sorted that composite keys do not tell apart.
  static constexpr unsigned int kTieRounds = 16;

  // As many positions as the largest sort takes items.
  static constexpr unsigned int kMaxMarks = LargestSort::kTileItems;

  // Of a position: which piece begins there, or none.
  struct Mark {
    unsigned short piece_and_one;
    static __device__ __forceinline__ Mark of(unsigned int piece) { return {static_cast<unsigned short>(piece + 1)}; }
    __device__ __forceinline__ bool is_there() const { return piece_and_one != 0; }
    __device__ __forceinline__ unsigned int piece() const { return piece_and_one - 1u; }
  };

  // Where pieces are in the bucket: the mark of each position, and the piece of the first of each row of a warp's positions.
  struct Marks {
    static constexpr unsigned int kRowPositions = kWarpThreads;
    Mark at[kMaxMarks];
    unsigned short heads[kMaxMarks / kRowPositions];
  };

  // The items that are sorted by sub-buckets and register windows, by their positions in the bucket.
  struct RegisterWindowItems {
    union {
      // Items of each sub-bucket, then its first offset.
      __align__(16) unsigned int counters[kMaxSubBuckets];
      // At each offset what register windows compare; one register window's behind the last one.
      __align__(16) unsigned int composite_keys[kMaxSubBuckets + 32];
    };
    union {
      // For as long as items are not gathered.
      __align__(16) Marks marks;
      StoredBits keys[kMaxRegisterWindowItems];
    };
    Value values[kMaxRegisterWindowItems];
  };

  // What a block of _buckets keeps in shared memory.
  struct BucketStorage {
    Pieces pieces;
    unsigned int item_sums[kWarps];
    // The bucket's offset in the array.
    unsigned int first;
    unsigned int distance_bits;
    // The lowest bit that is set in any key's distance from the least compared bits, and one past the highest one.
    unsigned int lowest_bit;
    unsigned int past_highest_bit;
    // The items of the largest sub-bucket, where one is not small.
    unsigned int max_count;
    // The last round in which ties were exchanged.
    unsigned int ties_round;
    union {
      RegisterWindowItems register_windows;
      __align__(16) BucketSort<2>::TempStorage sort_of_2;
      __align__(16) BucketSort<4>::TempStorage sort_of_4;
      __align__(16) BucketSort<8>::TempStorage sort_of_8;
      __align__(16) BucketSort<16>::TempStorage sort_of_16;
    };
  };
  static_assert(sizeof(BucketStorage) == kBucketSharedBytes, "the storage is laid out as planned");

 public:
  // Sorts one bucket, by the smallest sort that holds it.
  static __device__ __forceinline__ void sort_bucket(const Arguments& arguments, unsigned char* shared) {
    BucketStorage& storage = *reinterpret_cast<BucketStorage*>(shared);
    wait_for_previous_grid();
    // First all reads, so that they take the time of one, in which the storage is cleared.
    const Piece piece = piece_of_tile(arguments, threadIdx.x);
    const ComparedRange range = range_of_bucket(arguments);
    clear(storage);
    unsigned int first = 0;
    const unsigned int size = find_pieces(arguments, storage, piece, first);
    // With more items than its compared bits have room for, a sub-bucket overflows.
    const bool overflows = size > kMaxSubBucket && range.max - range.min < (size - 1) / kMaxSubBucket;
    if (size <= kMaxRegisterWindowItems && !overflows) {
      bool are_marked = true;
      if (sort_by_register_windows(arguments, storage, range, first, size, are_marked)) return;
      if (!are_marked) mark_pieces_again(storage, size);
    }
    if (size <= BucketSort<2>::kTileItems) {
      sort_items<BucketSort<2>>(arguments, storage, storage.sort_of_2, range, first, size, true);
      return;
    }
    if (size <= BucketSort<4>::kTileItems) {
      sort_items<BucketSort<4>>(arguments, storage, storage.sort_of_4, range, first, size, true);
      return;
    }
    if (size <= BucketSort<8>::kTileItems) {
      sort_items<BucketSort<8>>(arguments, storage, storage.sort_of_8, range, first, size, true);
      return;
    }
    sort_by_largest(arguments, storage, range, first, size);
  }

 private:
  // The minimum and the maximum compared bits that a bucket's keys may have.
  struct ComparedRange {
    Bits min;
    Bits max;
  };

  // A block for each.
  static __device__ __forceinline__ unsigned int buckets_of([[maybe_unused]] const Arguments& arguments) {
    return gridDim.x;
  }

  // Where there are more buckets than a GPU's blocks at a time, the larger ones come first; see is_splitter. The others are done
  // sooner, so that few multiprocessors wait for the last ones.
  static __device__ __forceinline__ unsigned int bucket_of_block(const Arguments& arguments) {
    if (buckets_of(arguments) < kBlockThreads) return blockIdx.x;
    const unsigned int half = buckets_of(arguments) / 2;
    return blockIdx.x < half ? 2 * blockIdx.x + 1 : 2 * (blockIdx.x - half);
  }

  static __device__ __forceinline__ bool is_last_bucket(const Arguments& arguments) { return bucket_of_block(arguments) + 1 == buckets_of(arguments); }

  static __device__ __forceinline__ ComparedRange range_of_bucket(const Arguments& arguments) {
    const Splitter* const splitters = splitters_of(arguments);
    const int bits = arguments.end_bit - arguments.begin_bit;
    if (bits == 0) return {0, 0};
    const unsigned int bucket = bucket_of_block(arguments);
    // Equal items of the next splitter may be in the bucket.
    return {bucket == 0 ? 0 : splitters[bucket].compared,
            is_last_bucket(arguments) ? ~Bits(0) >> (8 * sizeof(Bits) - bits) : splitters[bucket + 1].compared};
  }

  // The compared bits that the block sorts go by distances from.
  static __device__ __forceinline__ Bits base_of([[maybe_unused]] const Arguments& arguments, ComparedRange range) {
    Bits min = range.min;
    // The block sorts pad with what is one below the base: not with -0.0, which they would compare as another.
    const Bits below = (min << arguments.begin_bit) - 1;
    if (arguments.begin_bit != arguments.end_bit && compared_bits(below) != below) --min;
    return min;
  }

  // Which bits of keys the block sorts go by.
  struct Digits {
    int begin_bit;
    int end_bit;
  };

  // The bits from the lowest to the highest one in which any key differs from the base: few, where a bucket has few distinct keys. `distances`
  // has what is set in those of the thread's keys. All threads of the block call it.
  static __device__ __forceinline__ Digits digits_of(const Arguments& arguments, BucketStorage& storage, Bits distances) {
    const unsigned int lowest = distances == 0 ? kNoBit : static_cast<unsigned int>(bit_length(distances & (0 - distances)) - 1);
    const unsigned int lowest_of_warp = min_in_warp(lowest);
    const unsigned int past_highest_of_warp = max_in_warp(static_cast<unsigned int>(bit_length(distances)));
    if (lane_of(threadIdx.x) == 0) {
      atomicMin(&storage.lowest_bit, lowest_of_warp);
      atomicMax(&storage.past_highest_bit, past_highest_of_warp);
    }
    __syncthreads();
    const int end = static_cast<int>(storage.past_highest_bit);
    const int begin = end == 0 ? 0 : static_cast<int>(storage.lowest_bit);
    return {arguments.begin_bit + begin, arguments.begin_bit + end};
  }

  // What is counted in, and what is marked.
  static __device__ __forceinline__ void clear(BucketStorage& storage) {
    clear_words<sizeof(storage.register_windows.counters), kBlockThreads, 1>(storage.register_windows.counters);
    clear_words<sizeof(storage.register_windows.marks.at), kBlockThreads, 1>(storage.register_windows.marks.at);
    if (threadIdx.x != 0) return;
    storage.first = storage.distance_bits = storage.max_count = storage.ties_round = storage.past_highest_bit = 0;
    storage.lowest_bit = kNoBit;
  }

  // The bucket's part of a tile: where in it that begins, and its items; none of a tile that is not there.
  struct Piece {
    unsigned int start;
    unsigned int items;
  };

  static __device__ __forceinline__ Piece piece_of_tile(const Arguments& arguments, unsigned int tile) {
    const unsigned int tiles = tile_count(arguments.n);
    if (tile >= tiles) return {0, 0};
    const unsigned short* const offsets = tile_offsets_of(arguments) + bucket_of_block(arguments) * tiles + tile;
    const unsigned int start = offsets[0];
    const unsigned int end = is_last_bucket(arguments) ? items_of_tile(arguments, tile) : offsets[tiles];
    return {start, end - start};
  }

  // Finds where in the bucket each thread's piece is. Returns the bucket's size; `first` is its offset in the array.
  static __device__ __forceinline__ unsigned int find_pieces([[maybe_unused]] const Arguments& arguments, BucketStorage& storage, Piece piece,
                                                             unsigned int& first) {
    unsigned int size;
    const unsigned int position = exclusive_sum(storage.item_sums, piece.items, size);
    // What is before the bucket in all tiles is before it in the array.
    const unsigned int before = inclusive_sum_in_warp(piece.start, ~0u);
    if (lane_of(threadIdx.x) == 31) atomicAdd(&storage.first, before);
    // Behind the last tile these are the bucket's size.
    storage.pieces.positions[threadIdx.x] = position;
    storage.pieces.offsets[threadIdx.x] = threadIdx.x * kTileItems + piece.start - position;
    mark_piece(storage, position, position + piece.items);
    __syncthreads();
    first = storage.first;
    return size;
  }

  // What is behind is in a large bucket.
  static __device__ __forceinline__ void mark_piece(BucketStorage& storage, unsigned int start, unsigned int end) {
    Marks& marks = storage.register_windows.marks;
    if (end > kMaxMarks) end = kMaxMarks;
    if (start < end) marks.at[start] = Mark::of(threadIdx.x);
#pragma unroll 1
    for (unsigned int row = (start + Marks::kRowPositions - 1) / Marks::kRowPositions; row * Marks::kRowPositions < end; ++row) {
      marks.heads[row] = static_cast<unsigned short>(threadIdx.x);
    }
  }

  // Items have taken the place of marks, and no thread reads them now.
  static __device__ __forceinline__ void mark_pieces_again(BucketStorage& storage, unsigned int size) {
    clear_words<sizeof(Marks::at), kBlockThreads, 1>(storage.register_windows.marks.at);
    __syncthreads();
    const unsigned int end = threadIdx.x + 1 < kBlockThreads ? storage.pieces.positions[threadIdx.x + 1] : size;
    mark_piece(storage, storage.pieces.positions[threadIdx.x], end);
    __syncthreads();
  }

  // The piece that a position of the bucket is in.
  static __device__ __forceinline__ unsigned int piece_at(const Arguments& arguments, const Pieces& pieces, unsigned int position) {
    // Half of the tiles, rounded up to a power of two.
    const unsigned int tiles = tile_count(arguments.n);
    unsigned int piece = 0;
    for (unsigned int step = tiles <= 2 ? 1 : 1u << (31 - __clz(tiles - 1)); step > 0; step /= 2) {
      if (pieces.positions[piece + step] <= position) piece += step;
    }
    return piece;
  }

  // Where the bucket's item of a position is among the alternate ones: in the piece with the last mark before. A warp
  // asks for neighbouring positions, of which the first is the first of a row. Behind the last item it is the first of all.
  static __device__ __forceinline__ unsigned int source_of(const BucketStorage& storage, unsigned int position, unsigned int size) {
    const Mark mark = storage.register_windows.marks.at[position];
    const unsigned int lanes_to_here = ~0u >> (31 - lane_of(threadIdx.x));
    const unsigned int marked = __ballot_sync(~0u, mark.is_there()) & lanes_to_here;
    const unsigned int last = __shfl_sync(~0u, mark.piece(), 31 - __clz(marked));
    const unsigned int head = storage.register_windows.marks.heads[position / Marks::kRowPositions];
    const unsigned int piece = position >= size ? 0 : marked != 0 ? last : head;
    const unsigned int offset = storage.pieces.offsets[piece];
    return position < size ? offset + position : 0;
  }

  // Sorts at most a tile of items: those of the bucket, or where it does not gather them, those that are in the result from `first` on.
  template <typename Sort>
  static __device__ __forceinline__ void sort_items(const Arguments& arguments, BucketStorage& storage,
                                                    typename Sort::TempStorage& sort_storage, ComparedRange range, unsigned int first,
                                                    unsigned int size, bool gathers) {
    typename Sort::Keys keys;
    typename Sort::Values values;
    const Bits base = base_of(arguments, range);
    Bits distances = 0;
#pragma unroll
    for (int i = 0; i < Sort::kItemsPerThread; ++i) {
      const unsigned int position = warp_striped<Sort::kItemsPerThread>(threadIdx.x, i);
      unsigned int source = first + position;
      if (gathers) source = source_of(storage, position, size);
      keys[i] = bits_as<Key>(StoredBits(0));
      if (position >= size) continue;
      keys[i] = (gathers ? arguments.keys_alternate : arguments.keys_out)[source];
      values[i] = (gathers ? arguments.values_alternate : arguments.values_out)[source];
      distances |= compared_of(arguments, keys[i]) - base;
    }
    // Behind its barrier the sort's storage takes the place of the marks.
    const Digits digits = digits_of(arguments, storage, distances);
    Sort(sort_storage, arguments.begin_bit == arguments.end_bit ? 0 : base << arguments.begin_bit)
        .Sort(keys, values, digits.begin_bit, digits.end_bit, size);
#pragma unroll
    for (int i = 0; i < Sort::kItemsPerThread; ++i) {
      const unsigned int position = i * kBlockThreads + threadIdx.x;
      if (position >= size) continue;
      if (arguments.writes_keys || !gathers) arguments.keys_out[first + position] = keys[i];
      arguments.values_out[first + position] = values[i];
    }
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

  // Of the first and the last bucket one end of the range is not known from splitters. The items themselves tell how far from
  // the other end they are, to the next power of two.
  template <int kItems>
  static __device__ __forceinline__ ComparedRange known_range(const Arguments& arguments, BucketStorage& storage, ComparedRange range, const Bits (&compared_keys)[kItems],
                                                           unsigned int size) {
    const bool is_first = bucket_of_block(arguments) == 0;
    if (is_first == is_last_bucket(arguments)) return range;
    Bits distances = 0;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const Bits distance = is_first ? range.max - compared_keys[i] : compared_keys[i] - range.min;
      distances |= position_of(i) < size ? distance : 0;
    }
    atomicMax(&storage.distance_bits, bit_length(distances));
    __syncthreads();
    const Bits most = storage.distance_bits == 0 ? 0 : ~Bits(0) >> (8 * sizeof(Bits) - storage.distance_bits);
    if (is_first) return {range.max < most ? 0 : range.max - most, range.max};
    return {range.min, range.min + most < most ? ~Bits(0) : range.min + most};
  }

  // The position in the bucket of the items that a thread has.
  static __device__ __forceinline__ unsigned int position_of(int item) { return item * kBlockThreads + threadIdx.x; }

  // How items that lie in the order of their sub-buckets are sorted, at most kMostRows for each thread: by register windows of kItems. The
  // numbers of sub-buckets have kSubBucketBits bits.
  template <int kMostRows, int kItems, int kSubBucketBits>
  struct RegisterWindowSort {
    static constexpr int kRows = kMostRows;
    static constexpr int kRegisterWindowItems = kItems;
    using KeySlots = SwizzledSlots<kItems>;
    using Composite = CompositeKeys<kSubBucketBits, kStartBits>;
    using Windows = RegisterWindows<kItems, KeySlots, Composite, kMaxSubBucket>;
  };

  // How a bucket of at most kRowsOfItems items for each thread gets to that order: by kPerThread sub-buckets for each thread.
  template <int kRowsOfItems, unsigned int kPerThread, int kSubBucketBits, typename OfRegisterWindows>
  struct SubBucketSort {
    static constexpr int kRows = kRowsOfItems;
    static constexpr unsigned int kSubBucketsPerThread = kPerThread;
    static constexpr unsigned int kSubBuckets = kPerThread * kBlockThreads;
    static constexpr int kRegisterWindowItems = OfRegisterWindows::kRegisterWindowItems;
    using CounterSlots = SwizzledSlots<kPerThread>;
    using KeySlots = typename OfRegisterWindows::KeySlots;
    using Composite = typename OfRegisterWindows::Composite;
    using Windows = typename OfRegisterWindows::Windows;
    static_assert(kRows <= kMaxRows && kRows <= kPerThread && kSubBuckets <= kMaxSubBuckets, "there is room for items and sub-buckets");
    static_assert(kSubBuckets <= 1u << kSubBucketBits, "a sub-bucket, an offset and a position have room");
    static_assert(kMaxSubBucket + 2 * kRegisterWindowItems <= 1u << kStartBits, "the start bits tell sub-buckets apart");
  };

  // Whether compared bits are those of the warp's first lane.
  static __device__ __forceinline__ bool is_like_first(Bits compared) {
    bool is_like = true;
#pragma unroll
    for (int shift = 0; shift < static_cast<int>(8 * sizeof(Bits)); shift += 32) {
      const unsigned int word = static_cast<unsigned int>(compared >> shift);
      is_like &= word == __shfl_sync(~0u, word, 0);
    }
    return is_like;
  }

  // Whether many lanes of the warp have the same key, by their first ones. A warp's vote, for which no other warp's reads are waited for.
  static __device__ __forceinline__ bool are_alike(Bits compared, unsigned int size) {
    const bool is_like = is_like_first(compared) && position_of(0) < size;
    return __popc(__ballot_sync(~0u, is_like)) >= kAlikeLanes;
  }

  // Loads a bucket's items into storage, the values by copies that are on their way behind its barrier, and the keys into registers.
  template <int kRows>
  static __device__ __forceinline__ void load_items(const Arguments& arguments, BucketStorage& storage, unsigned int size,
                                                    Key (&keys)[kRows]) {
    // First all reads, so that they take the time of one: where there is no item, of any other. Items take the place of marks
    // when all have been found by them.
    unsigned int sources[kRows];
#pragma unroll
    for (int row = 0; row < kRows; ++row) sources[row] = source_of(storage, position_of(row), size);
    // The compiler would begin with some reads before it has found the rest, and wait for them.
    __syncwarp();
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      keys[row] = arguments.keys_alternate[sources[row]];
      copy_async(&storage.register_windows.values[position_of(row)], &arguments.values_alternate[sources[row]]);
    }
    __syncthreads();
  }

  // Counts each item in its sub-bucket.
  template <typename Sort>
  static __device__ __forceinline__ void count_items(RegisterWindowItems& items, const SubBucketMap& map, const Bits (&compared_keys)[Sort::kRows],
                                                     unsigned int size, typename Sort::Composite::Counted (&counted)[Sort::kRows]) {
    using Composite = typename Sort::Composite;
#pragma unroll
    for (int row = 0; row < Sort::kRows; ++row) {
      const bool is_there = position_of(row) < size;
      const SubBucketMap::Point point = map.point_of(compared_keys[row]);
      const unsigned int slot = opaque(is_there ? Sort::CounterSlots::of(point.sub_bucket) : 0);
      const unsigned int fraction = point.within >> (32 - Composite::kFractionBits);
      unsigned int rank = 0;
      if (is_there) rank = atomicAdd(&items.counters[slot], 1u);
      counted[row] = Composite::Counted::pack(rank, slot, fraction);
    }
  }

  // Writes the items in the order of their composite keys.
  template <typename Sort>
  static __device__ __forceinline__ void write_register_windows(const Arguments& arguments, const RegisterWindowItems& items,
                                                                unsigned int first, unsigned int size) {
    const unsigned int keys_to_write = arguments.writes_keys ? size : 0;
#pragma unroll
    for (int row = 0; row < Sort::kRows; ++row) {
      const unsigned int offset = position_of(row);
      const typename Sort::Composite::Compared composite{items.composite_keys[Sort::KeySlots::of(offset)]};
      const unsigned int position = opaque(offset < size ? composite.position() : 0);
      const Key key = bits_as<Key>(items.keys[position]);
      if (offset < keys_to_write) arguments.keys_out[first + offset] = key;
      const Value value = items.values[position];
      if (offset < size) arguments.values_out[first + offset] = value;
    }
  }

  // Items in the order of their sub-buckets.
  struct OfSubBuckets {
    // Whether they are in it: not if a sub-bucket overflows.
    bool are_scattered;
    // The items of the largest sub-bucket.
    unsigned int max_count;
    // Whether composite keys tell all keys apart.
    bool tells_apart;
  };

  // Counts items, or where many of the warp's keys are alike takes the bucket for one that overflows: atomics on a few counters would wait for
  // each other.
  template <typename Sort>
  static __device__ __forceinline__ void count_items_unless_alike(BucketStorage& storage, const SubBucketMap& map,
                                                                  const Bits (&compared_keys)[Sort::kRows], unsigned int size,
                                                                  typename Sort::Composite::Counted (&counted)[Sort::kRows]) {
    if (are_alike(compared_keys[0], size)) {
      if (lane_of(threadIdx.x) == 0) atomicMax(&storage.max_count, kMaxSubBucket + 1);
    } else {
      count_items<Sort>(storage.register_windows, map, compared_keys, size, counted);
    }
  }

  // Brings the items of a bucket to the order of their sub-buckets, about two for each item. Register windows are to be sorted then. All
  // threads of the block call it.
  template <typename Sort>
  static __device__ __forceinline__ OfSubBuckets scatter_to_sub_buckets(const Arguments& arguments, BucketStorage& storage, ComparedRange range,
                                                                      unsigned int size, bool& are_marked) {
    using Composite = typename Sort::Composite;
    constexpr int kRows = Sort::kRows;
    RegisterWindowItems& items = storage.register_windows;
    Key keys[kRows];
    load_items<kRows>(arguments, storage, size, keys);
    are_marked = false;
    Bits compared_keys[kRows];
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      items.keys[position_of(row)] = bits_as<StoredBits>(keys[row]);
      compared_keys[row] = compared_of(arguments, keys[row]);
    }
    range = known_range(arguments, storage, range, compared_keys, size);
    const SubBucketMap map = map_of(range, Sort::kSubBuckets);

    typename Composite::Counted counted[kRows] = {};
    count_items_unless_alike<Sort>(storage, map, compared_keys, size, counted);
    __syncthreads();
    scan_sub_buckets<Sort::kSubBucketsPerThread, typename Sort::CounterSlots, Sort::Windows::kSmallSubBucket>(
        items.counters, &storage.max_count, [&](unsigned int sum) {
          unsigned int total;
          return exclusive_sum(storage.item_sums, sum, total);
        });
    __syncthreads();
    const unsigned int max_count = storage.max_count;
    if (max_count > kMaxSubBucket) wait_for_copies();
    if (max_count > kMaxSubBucket) return {};
    typename Composite::Placed placed[kRows];
#pragma unroll
    for (int row = 0; row < kRows; ++row) placed[row] = Composite::Placed::pack(counted[row], items.counters[counted[row].slot()]);
    // The composite keys take the place of the counters.
    __syncthreads();
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      const unsigned int position = position_of(row);
      const unsigned int slot = opaque(Sort::KeySlots::of(placed[row].offset()));
      if (position < size) items.composite_keys[slot] = Composite::Compared::pack(placed[row], position).bits;
    }
    const unsigned int behind = size + threadIdx.x;
    if (threadIdx.x < Sort::kRegisterWindowItems) items.composite_keys[Sort::KeySlots::of(behind)] = Composite::Compared::behind_last(behind).bits;
    wait_for_copies();
    __syncthreads();
    return {true, max_count, map.tells_apart(Composite::kFractionBits)};
  }

  // Sorts items that are in the order of their sub-buckets, and writes them. Returns whether it did; otherwise nothing is written. All
  // threads of the block call it.
  template <typename Sort>
  static __device__ __forceinline__ bool sort_and_write(const Arguments& arguments, BucketStorage& storage, OfSubBuckets placed,
                                                        unsigned int first, unsigned int size) {
    RegisterWindowItems& items = storage.register_windows;
    if (!placed.are_scattered) return false;
    sort_register_windows<typename Sort::Windows>(items.composite_keys, size, placed.max_count);
    if (!placed.tells_apart && !sort_ties<Sort>(arguments, storage, size)) return false;
    write_register_windows<Sort>(arguments, items, first, size);
    return true;
  }

  // Sorts a bucket of keys that are about evenly distributed over its range, as those of a narrow range of any smooth distribution
  // are: by sub-buckets and overlapping register windows, by the fewest items per thread that hold the bucket. Returns whether it did;
  // items may have taken the place of marks then, or otherwise.
  static __device__ __forceinline__ bool sort_by_register_windows(const Arguments& arguments, BucketStorage& storage, ComparedRange range,
                                                                  unsigned int first, unsigned int size, bool& are_marked) {
    if (size <= 2 * kBlockThreads) {
      using OfRegisterWindows = RegisterWindowSort<2, 8, 11>;
      OfSubBuckets placed{};
      if (size <= 1 * kBlockThreads) {
        placed = scatter_to_sub_buckets<SubBucketSort<1, 4, 11, OfRegisterWindows>>(arguments, storage, range, size, are_marked);
      } else {
        placed = scatter_to_sub_buckets<SubBucketSort<2, 4, 11, OfRegisterWindows>>(arguments, storage, range, size, are_marked);
      }
      return sort_and_write<OfRegisterWindows>(arguments, storage, placed, first, size);
    }
    if (size <= 6 * kBlockThreads) {
      using OfRegisterWindows = RegisterWindowSort<6, 8, 12>;
      OfSubBuckets placed{};
      if (size <= 4 * kBlockThreads) {
        placed = scatter_to_sub_buckets<SubBucketSort<4, 8, 12, OfRegisterWindows>>(arguments, storage, range, size, are_marked);
      } else {
        placed = scatter_to_sub_buckets<SubBucketSort<6, 8, 12, OfRegisterWindows>>(arguments, storage, range, size, are_marked);
      }
      return sort_and_write<OfRegisterWindows>(arguments, storage, placed, first, size);
    }
    if (size <= 8 * kBlockThreads) {
      using OfRegisterWindows = RegisterWindowSort<8, 16, 12>;
      OfSubBuckets placed{};
      if (size <= 8 * kBlockThreads) {
        placed = scatter_to_sub_buckets<SubBucketSort<8, 8, 12, OfRegisterWindows>>(arguments, storage, range, size, are_marked);
      }
      return sort_and_write<OfRegisterWindows>(arguments, storage, placed, first, size);
    }
    if (size <= 15 * kBlockThreads) {
      using OfRegisterWindows = RegisterWindowSort<15, 16, 13>;
      OfSubBuckets placed{};
      if (size <= 12 * kBlockThreads) {
        placed = scatter_to_sub_buckets<SubBucketSort<12, 12, 13, OfRegisterWindows>>(arguments, storage, range, size, are_marked);
      } else {
        placed = scatter_to_sub_buckets<SubBucketSort<15, 16, 13, OfRegisterWindows>>(arguments, storage, range, size, are_marked);
      }
      return sort_and_write<OfRegisterWindows>(arguments, storage, placed, first, size);
    }
    return false;
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

  // Sorts items with composite keys that differ in their positions alone by all of their keys: neighbours in the wrong order are
  // exchanged until there are none. Returns false if that takes too many rounds. All threads call it.
  template <typename Sort>
  static __device__ __forceinline__ bool sort_ties(const Arguments& arguments, BucketStorage& storage, unsigned int size) {
    using Compared = typename Sort::Composite::Compared;
    const auto compared_at = [&](Compared item) {
      return compared_of(arguments, bits_as<Key>(storage.register_windows.keys[item.position()]));
    };
    for (unsigned int round = 0; round < kTieRounds; ++round) {
      bool is_done = true;
#pragma unroll
      for (unsigned int parity = 0; parity < 2; ++parity) {
        for (unsigned int offset = 2 * threadIdx.x + parity; offset + 1 < size; offset += 2 * kBlockThreads) {
          unsigned int& lower = storage.register_windows.composite_keys[Sort::KeySlots::of(offset)];
          unsigned int& upper = storage.register_windows.composite_keys[Sort::KeySlots::of(offset + 1)];
          const Compared own{lower};
          const Compared next{upper};
          if (!own.is_tied_with(next)) continue;
          if (compared_at(own) <= compared_at(next)) continue;
          lower = next.bits;
          upper = own.bits;
          is_done = false;
        }
        __syncthreads();
      }
      if (!is_done) atomicMax(&storage.ties_round, round + 1);
      __syncthreads();
      if (storage.ties_round != round + 1) return true;
    }
    return false;
  }

  // Sorts a bucket by the largest sort. One that no block holds is rare: its items are brought to the result in the order of the tiles, and
  // runs of half a block's items sorted there, each with its neighbour, alternately the one before and the one behind.
  static __device__ __forceinline__ void sort_by_largest(const Arguments& arguments, BucketStorage& storage, ComparedRange range,
                                                         unsigned int first, unsigned int size) {
    const bool holds_all = size <= LargestSort::kTileItems;
    if (!holds_all) {
      for (unsigned int position = threadIdx.x; position < size; position += kBlockThreads) {
        const unsigned int from = storage.pieces.offsets[piece_at(arguments, storage.pieces, position)] + position;
        arguments.keys_out[first + position] = arguments.keys_alternate[from];
        arguments.values_out[first + position] = arguments.values_alternate[from];
      }
      __syncthreads();
    }
    constexpr unsigned int kRun = LargestSort::kTileItems / 2;
    const unsigned int runs = holds_all ? 1 : (size + kRun - 1) / kRun;
    for (unsigned int round = 0; round < runs; ++round) {
      for (unsigned int start = round % 2 * kRun; start < size; start += 2 * kRun) {
        const unsigned int left = size - start;
        sort_items<LargestSort>(arguments, storage, storage.sort_of_16, range, first + start,
                                left < 2 * kRun ? left : 2 * kRun, holds_all);
        // The next sort reads what this one wrote, and uses its storage.
        if (!holds_all) __syncthreads();
      }
    }
  }

  // An index of an array of compared bits, in bytes: a search by such does not multiply in each step.
  struct ComparedIndex {
    unsigned int bytes;
    static __device__ __forceinline__ ComparedIndex of(unsigned int index) { return {index * static_cast<unsigned int>(sizeof(Bits))}; }
    __device__ __forceinline__ ComparedIndex& operator+=(unsigned int indices) {
      bytes += of(indices).bytes;
      return *this;
    }
    __device__ __forceinline__ unsigned int index() const { return bytes / static_cast<unsigned int>(sizeof(Bits)); }
    __device__ __forceinline__ Bits in(const Bits* compared_keys) const {
      return *reinterpret_cast<const Bits*>(reinterpret_cast<const char*>(compared_keys) + bytes);
    }
  };

  // The workspace begins with the splitters.
  static __host__ __device__ constexpr unsigned long long splitter_bytes(unsigned long long n) {
    return (bucket_count(n) * sizeof(Splitter) + 15) / 16 * 16;
  }

  static __device__ __forceinline__ Splitter* splitters_of(const Arguments& arguments) {
    return reinterpret_cast<Splitter*>(arguments.workspace);
  }

  // Then, for each bucket and tile, bucket by bucket: where in the tile the bucket begins, once that is partitioned.
  static __device__ __forceinline__ unsigned short* tile_offsets_of(const Arguments& arguments) {
    return reinterpret_cast<unsigned short*>(arguments.workspace + splitter_bytes(arguments.n));
  }

  static __device__ __forceinline__ unsigned int items_of_tile(const Arguments& arguments, unsigned int tile) {
    const unsigned long long left = arguments.n - static_cast<unsigned long long>(tile) * kTileItems;
    return left < kTileItems ? static_cast<unsigned int>(left) : kTileItems;
  }

  // The sum over the threads before this one, and over all. Each warp adds up the sums of warps, which is less work than to
  // read one after the other where there are many. One barrier.
  static __device__ __forceinline__ unsigned int exclusive_sum(unsigned int (&sums)[kWarps], unsigned int value, unsigned int& total) {
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned int warp = warp_of(threadIdx.x);
    const unsigned int to_here = inclusive_sum_in_warp(value, ~0u);
    if (lane == 31) sums[warp] = to_here;
    __syncthreads();
    const unsigned int own = lane < kWarps ? sums[lane] : 0;
    const unsigned int of_warps = inclusive_sum_in_warp(own, ~0u);
    total = __shfl_sync(~0u, of_warps, kWarps - 1);
    return __shfl_sync(~0u, of_warps - own, warp) + to_here - value;
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith

extern "C" __global__ void __launch_bounds__(1024)
device_sample_sort_f32_u32_b512_i8_asc_rows_samples(sortsmith::device_sample_sort_f32_u32_b512_i8_asc_rows::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_sample_sort_f32_u32_b512_i8_asc_rows::find_splitters(sortsmith::device_sample_sort_f32_u32_b512_i8_asc_rows::of_row(arguments), sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(512, 2)
device_sample_sort_f32_u32_b512_i8_asc_rows_split(sortsmith::device_sample_sort_f32_u32_b512_i8_asc_rows::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_sample_sort_f32_u32_b512_i8_asc_rows::split(sortsmith::device_sample_sort_f32_u32_b512_i8_asc_rows::of_row(arguments), sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(512, 2)
device_sample_sort_f32_u32_b512_i8_asc_rows_buckets(sortsmith::device_sample_sort_f32_u32_b512_i8_asc_rows::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_sample_sort_f32_u32_b512_i8_asc_rows::sort_bucket(sortsmith::device_sample_sort_f32_u32_b512_i8_asc_rows::of_row(arguments), sortsmith_shared);
}
#endif
