// warp_top_k_i64_i4_k16_asc
//
// Finds the smallest i64 keys: the first k keys of each row of a matrix, and their positions in the row.
// Of equal keys those at the lowest positions are found. Rows have at most 128 columns; k is at most 16 and at most the columns.
//
//   slot           where an item is in shared memory; items are there in the order of their positions
//   composite key  what is compared: the upper bits of what a key exceeds the least one by and, below them, the item's slot
//   run            sorted composite keys of some lanes
//
// A few lanes of a warp hold a row in registers. Each sorts the composite keys of its items, and runs of lanes are merged, of which the first 16
// items are kept. Where the bits that composite keys leave out decide, all items of the row are sorted once more with all bits.
//
// The host's launch, for outputs of k items a row, row after row:
//
//   warp_top_k_i64_i4_k16_asc_rows<<<any, 128, 20480, stream>>>(keys, keys_out, positions_out, rows, columns, stride, k, sorted);
//
// stride is the distance between the first keys of two rows. keys_out may be null. Without `sorted` the items come in
// the order of their positions.
//
// Made by sortsmith 0.1.0 from the template warp_top_k; to make it again:
//   sortsmith emit --name warp_top_k_i64_i4_k16_asc --out .
#if defined(__cplusplus) && __cplusplus < 201703L && !defined(_MSC_VER)
#error "this header needs C++17: nvcc -std=c++17"
#endif
#pragma once

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

#ifndef SORTSMITH_V0_1_0_WARP_TOP_K_I64_I4_K16_ASC
#define SORTSMITH_V0_1_0_WARP_TOP_K_I64_I4_K16_ASC
namespace sortsmith {
inline namespace v0_1_0 {

struct warp_top_k_i64_i4_k16_asc {
  using Key = long long;

  static constexpr int kBlockThreads = 128;
  static constexpr int kItemsPerThread = 16;
  static constexpr unsigned int kMaxColumns = 128;
  static constexpr unsigned int kMaxK = 16;
  static constexpr unsigned int kSharedBytes = 20480;
  static constexpr int kWarps = kBlockThreads / kWarpThreads;

 private:
  // Slots of a row that a lane of the warp has where all of these sort them.
  static constexpr int kSlotsPerThread = 4;
  static constexpr int kSlotBits = 7;
  // Neighbouring items of a thread, which one load brings.
  static constexpr int kVectorItems = 2;
  static constexpr int kVectors = kItemsPerThread / kVectorItems;

  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = unsigned long long;
  using StoredBits = unsigned long long;
  static constexpr int kBitsLimbs = sizeof(Bits) / 4;
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

  struct __align__(16) KeyVector {
    Key keys[kVectorItems];
  };

  // Lanes of a row, and the rows of a warp.
  static constexpr int kRowLanes = 8;
  static constexpr int kRowsOfWarp = kWarpThreads / kRowLanes;
  // Items of a lane that may be among the first k, and the lanes that have these after all merges.
  static constexpr int kRunItems = 16;
  static constexpr int kRunLanes = kMaxK / kRunItems;

  // The position of an item is its slot.
  using Slot = unsigned char;

  struct __align__(16) SlotVector {
    Slot slots[kRunItems];
  };

  // A byte for each of a lane's neighbouring positions.
  struct __align__(16) Flags {
    unsigned int words[kItemsPerThread / 4];
  };

  // What a row has in shared memory: keys by position, slots in the order of their keys, and which slots these are.
  struct __align__(16) RowStorage {
    KeyVector vectors[kMaxColumns / kVectorItems];
    Slot order[kMaxColumns];
    Flags found[kRowLanes];
  };

  struct WarpStorage {
    RowStorage rows[kRowsOfWarp];
  };

  static __device__ __forceinline__ Key key_in(const RowStorage& row, unsigned int slot) {
    return row.vectors[slot / kVectorItems].keys[slot % kVectorItems];
  }
  static __device__ __forceinline__ Bits bits_in(const RowStorage& row, unsigned int slot) {
    return compared_bits(to_ordered_bits(key_in(row, slot)));
  }

  // What keys exceed the least one of a row by is at most as many bits long; composite keys have the upper ones of these.
  struct Excess {
    Bits least;
    int length;

    __device__ __forceinline__ unsigned int composite_of(Bits bits, unsigned int slot) const {
      const int shift = leaves_bits_out() ? length - (32 - kSlotBits) : 0;
      return static_cast<unsigned int>((bits - least) >> shift) << kSlotBits | slot;
    }

    // Whether composite keys have no room for some of the bits.
    __device__ __forceinline__ bool leaves_bits_out() const { return length > 32 - kSlotBits; }
  };
 public:
  struct TempStorage {
    WarpStorage of_warp[kWarps];
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  explicit __device__ __forceinline__ warp_top_k_i64_i4_k16_asc(TempStorage& storage)
      : storage_(storage.of_warp[warp_of(threadIdx.x)]), lane_(lane_of(threadIdx.x)) {}

  // Writes the first k items of each of `count` rows, 1 to kRowsOfWarp, which have at least as many, and their positions: sorted, or in
  // the order of their positions. `keys_out` may be null. All lanes of the warp call it with the same arguments.
  __device__ __forceinline__ void find(const Key* rows, unsigned int count, unsigned int columns, unsigned long long stride,
                                       unsigned int k, bool sorted, Key* keys_out, unsigned int* positions_out) {
    const unsigned int row = lane_ / kRowLanes;
    // Lanes without a row have the last one once more.
    order_rows(rows + (row < count ? row : count - 1) * stride, columns, k);
    __syncwarp();
    if (!sorted) order_by_positions(k);
    write(count, k, keys_out, positions_out);
    // The next rows' keys are written there.
    __syncwarp();
  }

 private:
  // The position of this lane's item i in its row: the vectors of a row's lanes lie side by side.
  __device__ __forceinline__ unsigned int position_of(int i) const {
    return (i / kVectorItems * kRowLanes + lane_ % kRowLanes) * kVectorItems + i % kVectorItems;
  }

  // Loads this lane's keys of a row. In place of those past the end it has the first one.
  __device__ __forceinline__ void load(const Key* row, unsigned int columns, Key (&keys)[kItemsPerThread]) const {
    // A load may lie behind a predicate, and address what is a constant distance away; none waits for a branch.
    const Key first = row[0];
    const bool is_aligned = reinterpret_cast<unsigned long long>(row) % sizeof(KeyVector) == 0;
    if (is_aligned && columns % kVectorItems == 0) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; i += kVectorItems) {
        KeyVector vector;
#pragma unroll
        for (int j = 0; j < kVectorItems; ++j) vector.keys[j] = first;
        if (position_of(i) < columns) vector = *reinterpret_cast<const KeyVector*>(row + position_of(i));
#pragma unroll
        for (int j = 0; j < kVectorItems; ++j) keys[i + j] = vector.keys[j];
      }
    } else {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        keys[i] = first;
        if (position_of(i) < columns) keys[i] = row[position_of(i)];
      }
    }
  }

  // The lane in its row.
  __device__ __forceinline__ unsigned int row_lane() const { return lane_ % kRowLanes; }
  __device__ __forceinline__ RowStorage& own_row() const { return storage_.rows[lane_ / kRowLanes]; }

  // Writes the first k slots of each row in the order of their keys. `order` may be read behind the next barrier.
  __device__ __forceinline__ void order_rows(const Key* row, unsigned int columns, unsigned int k) const {
    Limbs<1> composites[kItemsPerThread];
    const Excess excess = composites_of(row, columns, composites);
    sort_lane(composites);
    // The least composite key that this lane knows not to be among the first kMaxK.
    unsigned int excluded = ~0u;
    Limbs<1> run[kRunItems];
#pragma unroll
    for (int i = 0; i < kRunItems; ++i) run[i] = composites[i];
#pragma unroll
    for (int lanes = 1; lanes < kRowLanes; lanes *= 2) merge_with_lanes(run, lanes, excluded);
    if (row_lane() < kRunLanes) {
      SlotVector slots;
#pragma unroll
      for (int i = 0; i < kRunItems; ++i) slots.slots[i] = static_cast<Slot>(run[i].limb[0] % kMaxColumns);
      reinterpret_cast<SlotVector*>(own_row().order)[row_lane()] = slots;
    }
    const bool are_tied = has_ties(run, excluded);
    if (!__any_sync(~0u, are_tied && excess.leaves_bits_out())) return;
    __syncwarp();
    bool is_wrong = is_out_of_order(run);
    // Items that are equal to the last of the k are in order by their slots.
    if (__any_sync(~0u, is_tied_with(excluded, excess, k))) is_wrong |= has_other_tie(excess, k);
    const unsigned int wrong_lanes = __ballot_sync(~0u, is_wrong && excess.leaves_bits_out());
    if (wrong_lanes == 0) return;
    __syncwarp();
#pragma unroll 1
    for (int number = 0; number < kRowsOfWarp; ++number) {
      const unsigned int lanes_of_row = ~0u >> (32 - kRowLanes) << number * kRowLanes;
      if (wrong_lanes & lanes_of_row) order_slots_by_all_bits(storage_.rows[number], columns);
    }
  }

  // Loads the items of this lane's row, writes their keys to slots, and makes composite keys of them.
  __device__ __forceinline__ Excess composites_of(const Key* row, unsigned int columns,
                                                  Limbs<1> (&composites)[kItemsPerThread]) const {
    Key keys[kItemsPerThread];
    load(row, columns, keys);
    Bits bits[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) bits[i] = compared_bits(to_ordered_bits(keys[i]));
    const Excess excess = excess_of(bits);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) composites[i].limb[0] = excess.composite_of(bits[i], position_of(i));
    if (columns < kMaxColumns) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        if (position_of(i) >= columns) {
          composites[i].limb[0] = ~0u;
          keys[i] = to_key(kAllBits);
        }
      }
    }
#pragma unroll
    for (int vector = 0; vector < kVectors; ++vector) {
      KeyVector of_vector;
#pragma unroll
      for (int i = 0; i < kVectorItems; ++i) of_vector.keys[i] = keys[vector * kVectorItems + i];
      own_row().vectors[vector * kRowLanes + row_lane()] = of_vector;
    }
    return excess;
  }

  // The least bits of a row, and how many bits others need beyond these. Lanes have items of the row alone.
  static __device__ __forceinline__ Excess excess_of(const Bits (&bits)[kItemsPerThread]) {
    Bits least = bits[0];
    Bits largest = bits[0];
#pragma unroll
    for (int i = 1; i < kItemsPerThread; ++i) {
      least = bits[i] < least ? bits[i] : least;
      largest = largest < bits[i] ? bits[i] : largest;
    }
#pragma unroll
    for (int lanes = 1; lanes < kRowLanes; lanes *= 2) {
      const Bits less = value_of_limbs<Bits>(across(limbs_of<kBitsLimbs>(least), lanes));
      const Bits greater = value_of_limbs<Bits>(across(limbs_of<kBitsLimbs>(largest), lanes));
      least = less < least ? less : least;
      largest = largest < greater ? greater : largest;
    }
    return {least, length_of(largest - least)};
  }

  // Sorts the lane's items.
  static __device__ __forceinline__ void sort_lane(Limbs<1> (&items)[kItemsPerThread]) {
    unsigned int words[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) words[i] = items[i].limb[0];
    OddEvenMerge<kItemsPerThread>::sort(words);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) items[i].limb[0] = words[i];
  }

  // Merges the run of these lanes with that of as many lanes beside it. Of runs of kMaxK items the first kMaxK are kept, by the lanes of
  // either, and `excluded` becomes the least item that this lane knows not to be among them.
  __device__ __forceinline__ void merge_with_lanes(Limbs<1> (&run)[kRunItems], int lanes, unsigned int& excluded) const {
    const int lanes_of_run = lanes < kRunLanes ? lanes : kRunLanes;
    Limbs<1> mirrored[kRunItems];
#pragma unroll
    for (int i = 0; i < kRunItems; ++i) mirrored[i] = across(run[kRunItems - 1 - i], lanes | (lanes_of_run - 1));
    if (lanes >= kRunLanes) {
#pragma unroll
      for (int i = 0; i < kRunItems; ++i) {
        const unsigned int greater = max(run[i].limb[0], mirrored[i].limb[0]);
        excluded = min(excluded, greater);
        run[i].limb[0] = min(run[i].limb[0], mirrored[i].limb[0]);
      }
      halve_in_warp(run, lanes_of_run);
      return;
    }
#pragma unroll
    for (int i = 0; i < kRunItems; ++i) run[i] = one_of((lane_ & lanes) == 0, run[i], mirrored[i]);
    halve_in_warp(run, lanes_of_run);
  }

  // Whether two composite keys that meet in the order agree in all but their slots, as far as this lane knows.
  __device__ __forceinline__ bool has_ties(const Limbs<1> (&run)[kRunItems], unsigned int excluded) const {
    const unsigned int last = run[kRunItems - 1].limb[0];
    const unsigned int first_of_next = __shfl_sync(~0u, run[0].limb[0], lane_of(lane_ + 1));
    const bool is_last_lane = row_lane() % kRunLanes == kRunLanes - 1;
    bool has = !is_last_lane && (last ^ first_of_next) < kMaxColumns;
#pragma unroll
    for (int i = 1; i < kRunItems; ++i) has |= (run[i - 1].limb[0] ^ run[i].limb[0]) < kMaxColumns;
    const unsigned int last_of_all = __shfl_sync(~0u, last, lane_ / kRunLanes * kRunLanes + kRunLanes - 1);
    has |= (last_of_all ^ excluded) < kMaxColumns;
    return has;
  }

  // Whether items that composite keys have put in order are not, as far as this lane knows.
  __device__ __forceinline__ bool is_out_of_order(const Limbs<1> (&run)[kRunItems]) const {
    Bits before = 0;
    Bits first = 0;
    bool is_wrong = false;
#pragma unroll
    for (int i = 0; i < kRunItems; ++i) {
      const Bits bits = bits_in(own_row(), run[i].limb[0] % kMaxColumns);
      if (i == 0) first = bits;
      is_wrong |= bits < before;
      before = bits;
    }
    const Bits of_lane_below = value_of_limbs<Bits>(from_lane(limbs_of<kBitsLimbs>(before), lane_ == 0 ? 0 : lane_ - 1));
    return is_wrong || (row_lane() % kRunLanes > 0 && first < of_lane_below);
  }
  // Whether the composite keys of the least excluded item that this lane knows and of the last of the k items differ in the slot alone.
  __device__ __forceinline__ bool is_tied_with(unsigned int excluded, const Excess& excess, unsigned int k) const {
    const unsigned int last = own_row().order[k - 1];
    return excess.composite_of(bits_in(own_row(), last), last) / kMaxColumns == excluded / kMaxColumns;
  }

  // Whether one of this lane's items differs from the last of the k items in the bits that are left out alone.
  __device__ __forceinline__ bool has_other_tie(const Excess& excess, unsigned int k) const {
    const RowStorage& row = own_row();
    const Bits last = bits_in(row, row.order[k - 1]);
    const unsigned int upper = excess.composite_of(last, 0) / kMaxColumns;
    bool has = false;
#pragma unroll 4
    for (int i = 0; i < kItemsPerThread; ++i) {
      const Bits bits = bits_in(row, position_of(i));
      has |= bits != last && excess.composite_of(bits, 0) / kMaxColumns == upper;
    }
    return has;
  }

  // Puts the first k slots of the order in the order of their positions. It ends with a barrier.
  __device__ __forceinline__ void order_by_positions(unsigned int k) const {
    RowStorage& row = own_row();
    row.found[row_lane()] = {};
    __syncwarp();
    unsigned char* const found = reinterpret_cast<unsigned char*>(row.found);
    for (unsigned int rank = row_lane(); rank < k; rank += kRowLanes) found[row.order[rank]] = 1;
    __syncwarp();
    const Flags flags = row.found[row_lane()];
    unsigned int count = 0;
#pragma unroll
    for (int word = 0; word < kItemsPerThread / 4; ++word) count += flags.words[word];
    // The bytes' sum.
    count = count * 0x01010101u >> 24;
    unsigned int rank = count;
#pragma unroll
    for (unsigned int lanes = 1; lanes < kRowLanes; lanes *= 2) {
      const unsigned int of_lower_lanes = __shfl_up_sync(~0u, rank, lanes);
      if (row_lane() >= lanes) rank += of_lower_lanes;
    }
    rank -= count;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      if (flags.words[i / 4] >> 8 * (i % 4) & 1) row.order[rank++] = static_cast<Slot>(row_lane() * kItemsPerThread + i);
    }
    __syncwarp();
  }

  // Writes the first k items of the order of each row.
  __device__ __forceinline__ void write(unsigned int count, unsigned int k, Key* keys_out, unsigned int* positions_out) const {
    // A row's ranks are neighbouring lanes', as many as a warp may have.
    constexpr unsigned int kRankLanes = kMaxK < kWarpThreads ? kMaxK : kWarpThreads;
    constexpr unsigned int kRowsAtOnce = kWarpThreads / kRankLanes;
#pragma unroll 4
    for (unsigned int first = 0; first < kRowsOfWarp; first += kRowsAtOnce) {
      const unsigned int number = first + lane_ / kRankLanes;
      if (number >= count) continue;
#pragma unroll
      for (unsigned int first_rank = 0; first_rank < kMaxK; first_rank += kRankLanes) {
        const unsigned int rank = first_rank + lane_ % kRankLanes;
        if (rank >= k) continue;
        const unsigned int slot = storage_.rows[number].order[rank];
        positions_out[number * k + rank] = slot;
        if (keys_out) keys_out[number * k + rank] = key_in(storage_.rows[number], slot);
      }
    }
  }

  // Writes all slots of a row in the order of their items, of which there are `count`, by all bits and, where these are equal, by slots. All lanes of
  // the warp call it behind a barrier behind the last write to the slots; `order` may be read behind the next one.
  __device__ __forceinline__ void order_slots_by_all_bits(RowStorage& row, unsigned int count) const {
    constexpr int kLimbs = kBitsLimbs + 1;
    Limbs<kLimbs> items[kSlotsPerThread];
#pragma unroll
    for (int i = 0; i < kSlotsPerThread; ++i) {
      const unsigned int slot = i * 32 + lane_;
      const Limbs<kBitsLimbs> bits = limbs_of<kBitsLimbs>(slot < count ? bits_in(row, slot) : static_cast<Bits>(kAllBits));
      items[i].limb[0] = slot < count ? slot : ~0u;
#pragma unroll
      for (int limb = 0; limb < kBitsLimbs; ++limb) items[i].limb[limb + 1] = bits.limb[limb];
    }
    sort_in_warp(items);
#pragma unroll
    for (int i = 0; i < kSlotsPerThread; ++i) row.order[lane_ * kSlotsPerThread + i] = static_cast<Slot>(items[i].limb[0]);
  }

  // One past the highest bit that is set.
  static __device__ __forceinline__ int length_of(Bits bits) {
    const Limbs<kBitsLimbs> limbs = limbs_of<kBitsLimbs>(bits);
    int length = 0;
#pragma unroll
    for (int i = 0; i < kBitsLimbs; ++i) {
      if (limbs.limb[i] != 0) length = 32 * (i + 1) - __clz(static_cast<int>(limbs.limb[i]));
    }
    return length;
  }

  // Puts two of a lane's items in order.
  template <int kLimbs>
  static __device__ __forceinline__ void put_pair_in_order(Limbs<kLimbs>& low, Limbs<kLimbs>& high) {
    if constexpr (kLimbs == 1) {
      const unsigned int smaller = min(low.limb[0], high.limb[0]);
      high.limb[0] = max(low.limb[0], high.limb[0]);
      low.limb[0] = smaller;
    } else {
      const bool is_wrong = is_less<kLimbs>(high, low);
      const Limbs<kLimbs> smaller = either(is_wrong, high, low);
      high = either(is_wrong, low, high);
      low = smaller;
    }
  }

  // The smaller or the greater of two items.
  template <int kLimbs>
  static __device__ __forceinline__ Limbs<kLimbs> one_of(bool is_smaller, const Limbs<kLimbs>& own, const Limbs<kLimbs>& other) {
    if constexpr (kLimbs == 1) {
      return { {is_smaller ? min(own.limb[0], other.limb[0]) : max(own.limb[0], other.limb[0])} };
    } else {
      return either(is_less<kLimbs>(other, own) == is_smaller, other, own);
    }
  }

  // Sorts the warp's items, which are lane by lane afterwards: a bitonic network of ascending comparators. Merges begin with comparators
  // between the lower run and the upper one in reverse.
  template <int kLimbs, int kCount>
  __device__ __forceinline__ void sort_in_warp(Limbs<kLimbs> (&items)[kCount]) const {
#pragma unroll
    for (int run = 2; run <= kCount; run *= 2) {
#pragma unroll
      for (int i = 0; i < kCount; ++i) {
        if (i < (i ^ (run - 1))) put_pair_in_order(items[i], items[i ^ (run - 1)]);
      }
      merge_in_lane(items, run / 4);
    }
#pragma unroll
    for (int lanes = 2; lanes <= 32; lanes *= 2) {
      Limbs<kLimbs> mirrored[kCount];
#pragma unroll
      for (int i = 0; i < kCount; ++i) mirrored[i] = across(items[kCount - 1 - i], lanes - 1);
#pragma unroll
      for (int i = 0; i < kCount; ++i) items[i] = one_of((lane_ & (lanes / 2)) == 0, items[i], mirrored[i]);
      halve_in_warp(items, lanes / 2);
    }
  }

  // Halves bitonic runs of this number of lanes until they are sorted.
  template <int kLimbs, int kCount>
  __device__ __forceinline__ void halve_in_warp(Limbs<kLimbs> (&items)[kCount], int lanes) const {
#pragma unroll
    for (int bit = lanes / 2; bit > 0; bit /= 2) {
#pragma unroll
      for (int i = 0; i < kCount; ++i) items[i] = one_of((lane_ & bit) == 0, items[i], across(items[i], bit));
    }
    merge_in_lane(items, kCount / 2);
  }

  // Halves bitonic runs of a lane, from this distance on.
  template <int kLimbs, int kCount>
  static __device__ __forceinline__ void merge_in_lane(Limbs<kLimbs> (&items)[kCount], int first_distance) {
#pragma unroll
    for (int distance = first_distance; distance > 0; distance /= 2) {
#pragma unroll
      for (int i = 0; i < kCount; ++i) {
        if ((i & distance) == 0) put_pair_in_order(items[i], items[i | distance]);
      }
    }
  }

  WarpStorage& storage_;
  const unsigned int lane_;
};

}  // namespace v0_1_0
}  // namespace sortsmith

extern "C" __global__ void
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
// Code for GPUs before Hopper takes more registers, and some of them have no more than 1024 threads a multiprocessor.
__launch_bounds__(128, 3)
#else
__launch_bounds__(128, 5)
#endif
warp_top_k_i64_i4_k16_asc_rows(
    const sortsmith::warp_top_k_i64_i4_k16_asc::Key* keys, sortsmith::warp_top_k_i64_i4_k16_asc::Key* keys_out,
    unsigned int* positions_out, unsigned long long rows, unsigned long long columns, unsigned long long stride,
    unsigned int k, bool sorted) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using TopK = sortsmith::warp_top_k_i64_i4_k16_asc;
  TopK top_k(*reinterpret_cast<TopK::TempStorage*>(sortsmith_shared));
  const unsigned long long warps = static_cast<unsigned long long>(gridDim.x) * TopK::kWarps;
  const unsigned long long warp = static_cast<unsigned long long>(blockIdx.x) * TopK::kWarps + sortsmith::warp_of(threadIdx.x);
  constexpr unsigned int kRows = 4;
  for (unsigned long long row = warp * kRows; row < rows; row += warps * kRows) {
    const unsigned int count = rows - row < kRows ? static_cast<unsigned int>(rows - row) : kRows;
    top_k.find(keys + row * stride, count, static_cast<unsigned int>(columns), stride, k, sorted,
               keys_out ? keys_out + row * k : nullptr, positions_out + row * k);
  }
}
#endif
