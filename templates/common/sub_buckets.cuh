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
      return {(start + item.rank()) << (32 - kPositionBits) | (start & kStartMask) << kFractionBits | item.fraction()};  //~ placed-item
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
    return (kMaxSubBucket - first) << (32 - kStartBits);  //~ shift-of-register-window
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
  if (max > kSmall) atomicMax(max_count, max);  //~ largest-sub-bucket
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
  static __device__ __forceinline__ unsigned int halves_of(unsigned int max_count) { return (max_count + kHalf - 2) / kHalf + 1; }  //~ number-of-halves

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
    return in_order && last <= keys[Slots::of(first + kItems)] + shift;  //~ order-of-register-windows
  }
};
