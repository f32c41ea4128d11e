// warp_top_k_f32_i32_k64_desc
//
// Finds the largest f32 keys: the first k keys of each row of a matrix, and their positions in the row.
// Of equal keys those at the lowest positions are found. Rows have at most 1024 columns; k is at most 64 and at most the columns.
//
// Keys order by sign and magnitude. -0.0 and +0.0 are equal. NaNs order by their bits: those with the sign bit set are
// less than all numbers, the others greater.
//
//   slot           where an item is in shared memory; items are there in the order of their positions
//   composite key  what is compared: the upper bits of what a key exceeds the least one by and, below them, the item's slot
//   limit          a key such that at least k items of the row are not worse
//   survivor       an item that is not worse than the limit
//
// A warp holds a row in registers. The minima of groups of its items are sorted: the k-th of them is the limit. Survivors, hardly more than k
// if keys differ, get slots, and are sorted by composite keys. Where the bits that these leave out decide, they are sorted once more with all
// bits. Where more items survive than there are slots, the limit moves down, by bisection, until few enough do; should equal keys
// be too many, only those at the lowest positions have slots.
//
// The host's launch, for outputs of k items a row, row after row:
//
//   warp_top_k_f32_i32_k64_desc_rows<<<any, 128, 6144, stream>>>(keys, keys_out, positions_out, rows, columns, stride, k, sorted);
//
// stride is the distance between the first keys of two rows. keys_out may be null. Without `sorted` the items come in
// the order of their positions.
//
// Made by sortsmith 0.1.0 from the template warp_top_k; to make it again:
//   sortsmith emit --name warp_top_k_f32_i32_k64_desc --out .
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

#ifndef SORTSMITH_V0_1_0_WARP_SUM
#define SORTSMITH_V0_1_0_WARP_SUM
namespace sortsmith {
inline namespace v0_1_0 {

// The sum over the lanes of a full warp, which all call it and all get it.
__device__ __forceinline__ unsigned int sum_in_warp(unsigned int value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_add_sync(~0u, value);
#else
#pragma unroll
  for (int bit = 16; bit > 0; bit /= 2) value += __shfl_xor_sync(~0u, value, bit);
  return value;
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

#ifndef SORTSMITH_V0_1_0_WARP_TOP_K_F32_I32_K64_DESC
#define SORTSMITH_V0_1_0_WARP_TOP_K_F32_I32_K64_DESC
namespace sortsmith {
inline namespace v0_1_0 {

struct warp_top_k_f32_i32_k64_desc {
  using Key = float;

  static constexpr int kBlockThreads = 128;
  static constexpr int kItemsPerThread = 32;
  static constexpr unsigned int kMaxColumns = 1024;
  static constexpr unsigned int kMaxK = 64;
  static constexpr unsigned int kSharedBytes = 6144;
  static constexpr int kWarps = kBlockThreads / kWarpThreads;

 private:
  // Slots of a row that a lane of the warp has where all of these sort them.
  static constexpr int kSlotsPerThread = 4;
  static constexpr unsigned int kSlots = kWarpThreads * kSlotsPerThread;
  static constexpr int kSlotBits = 7;
  // Neighbouring items of a thread, which one load brings.
  static constexpr int kVectorItems = 4;
  static constexpr int kVectors = kItemsPerThread / kVectorItems;

  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = unsigned int;
  using StoredBits = unsigned int;
  static constexpr int kBitsLimbs = sizeof(Bits) / 4;
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

  struct __align__(16) KeyVector {
    Key keys[kVectorItems];
  };

  // The lanes of a row are those of a warp.
  static constexpr int kRowLanes = 32;

  using Slot = unsigned int;

  // A survivor.
  struct __align__(8) Item {
    Bits bits;
    unsigned int position;
  };

  // What a warp has in shared memory: survivors, and slots in the order of their keys.
  struct WarpStorage {
    Item items[kSlots];
    Slot order[kSlots];
  };

  // A warp has one row.
  using RowStorage = WarpStorage;

  static __device__ __forceinline__ Bits bits_in(const RowStorage& row, unsigned int slot) { return row.items[slot].bits; }
 public:
  struct TempStorage {
    WarpStorage of_warp[kWarps];
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  explicit __device__ __forceinline__ warp_top_k_f32_i32_k64_desc(TempStorage& storage)
      : storage_(storage.of_warp[warp_of(threadIdx.x)]), lane_(lane_of(threadIdx.x)) {}

  // Writes the first k of a row's items, which are at least as many, and their positions: sorted, or in the order of their
  // positions. `keys_out` may be null. All lanes of the warp call it with the same arguments.
  __device__ __forceinline__ void find(const Key* row, unsigned int columns, unsigned int k, bool sorted,
                                       Key* keys_out, unsigned int* positions_out) {
    Key keys[kItemsPerThread];
    load(row, columns, keys);
    Bits bits[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) bits[i] = compared_bits(to_ordered_bits(keys[i]));
    Bits least, limit;
    const unsigned int count = to_slots(bits, columns, k, least, limit);
    __syncwarp();
    order_slots(count, least, limit);
    __syncwarp();
    if (sorted) {
      for (unsigned int rank = lane_; rank < k; rank += 32) {
        write(row, storage_.order[rank], rank, keys_out, positions_out);
      }
    } else {
      const unsigned int last = storage_.order[k - 1];
      const Bits last_bits = bits_in(storage_, last);
      unsigned int before = 0;
#pragma unroll 1
      for (unsigned int start = 0; start < count; start += 32) {
        const unsigned int slot = start + lane_;
        const Bits slot_bits = slot < count ? bits_in(storage_, slot) : last_bits;
        const bool is_found = slot < count && (slot_bits < last_bits || (slot_bits == last_bits && slot <= last));
        const unsigned int lanes = __ballot_sync(~0u, is_found);
        if (is_found) write(row, slot, before + __popc(lanes & ((1u << lane_) - 1)), keys_out, positions_out);
        before += __popc(lanes);
      }
    }
    // The next row's items get these slots.
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

  // Groups of a lane, the minima of which are known.
  static constexpr int kGroups = kSlotsPerThread;

  // Gives survivors slots, k or more of them; returns how many they are, the least bits of all and a bound of the survivors'.
  __device__ __forceinline__ unsigned int to_slots(Bits (&bits)[kItemsPerThread], unsigned int columns, unsigned int k,
                                                   Bits& least, Bits& limit) const {
    // A bit for each of this lane's items.
    unsigned int items = kItemsPerThread < 32 ? (1u << kItemsPerThread % 32) - 1 : ~0u;
    if (columns < kMaxColumns) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        if (position_of(i) >= columns) {
          bits[i] = kAllBits;
          items &= ~(1u << i);
        }
      }
    }
    limit_by_groups(bits, k, least, limit);
    unsigned int survivors = items & mask_of_at_most(bits, limit);
    PackedItems<kVectors, 8> before, totals;
    unsigned int count = count_beside(survivors, before, totals);
    if (count > kSlots) {
      survivors = chosen_survivors(bits, items, k, least, limit);
      count = count_beside(survivors, before, totals);
    }
    unsigned int of_lower_vectors = 0;
#pragma unroll
    for (int vector = 0; vector < kVectors; ++vector) {
      unsigned int slot = of_lower_vectors + before.get(vector);
      of_lower_vectors += totals.get(vector);
#pragma unroll
      for (int i = vector * kVectorItems; i < (vector + 1) * kVectorItems; ++i) {
        if (survivors >> i & 1) storage_.items[slot++] = {bits[i], position_of(i)};
      }
    }
    return count;
  }

  // Sets the least bits, and as the limit the k-th of the minima of all groups: k items at least are not greater. With fewer groups that
  // have an item that is all bits.
  __device__ __forceinline__ void limit_by_groups(const Bits (&bits)[kItemsPerThread], unsigned int k, Bits& least,
                                                  Bits& limit) const {
    Limbs<kBitsLimbs> minima[kGroups];
#pragma unroll
    for (int group = 0; group < kGroups; ++group) {
      Bits minimum = bits[group];
#pragma unroll
      for (int i = group + kGroups; i < kItemsPerThread; i += kGroups) minimum = bits[i] < minimum ? bits[i] : minimum;
      minima[group] = limbs_of<kBitsLimbs>(minimum);
    }
    sort_in_warp(minima);
    least = value_of_limbs<Bits>(from_lane(minima[0], 0));
    Limbs<kBitsLimbs> of_rank = minima[0];
#pragma unroll
    for (int group = 1; group < kGroups; ++group) {
      of_rank = either((k - 1) % kGroups == group, minima[group], of_rank);
    }
    limit = value_of_limbs<Bits>(from_lane(of_rank, (k - 1) / kGroups));
  }

  // A bit for each of this lane's items that are not greater.
  static __device__ __forceinline__ unsigned int mask_of_at_most(const Bits (&bits)[kItemsPerThread], Bits limit) {
    unsigned int mask = 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) mask |= bits[i] <= limit ? 1u << i : 0u;
    return mask;
  }

  // The survivors where more items than there are slots are not greater than the limit: those up to a lower limit that leaves k at least,
  // by bisection between the least bits and the limit, or, should equal items be too many, k of them.
  __device__ __forceinline__ unsigned int chosen_survivors(const Bits (&bits)[kItemsPerThread], unsigned int items, unsigned int k,
                                                          Bits least, Bits& limit) const {
    // Fewer than k items are less than `low`, and more than there are slots are not greater than `limit`.
    Bits low = least;
    // The limit is often the k-th item itself.
    Bits middle = limit - 1;
    while (low < limit) {
      const unsigned int mask = items & mask_of_at_most(bits, middle);
      const unsigned int count = sum_in_warp(__popc(mask));
      if (count < k) {
        low = middle + 1;
      } else {
        limit = middle;
        if (count <= kSlots) return mask;
      }
      middle = low + (limit - low) / 2;
    }
    unsigned int survivors = limit == 0 ? 0 : items & mask_of_at_most(bits, limit - 1);
    const unsigned int ties = k - sum_in_warp(__popc(survivors));
    const unsigned int equal = items & mask_of_at_most(bits, limit) & ~survivors;
    PackedItems<kVectors, 8> before, totals;
    count_beside(equal, before, totals);
    unsigned int of_lower_vectors = 0;
#pragma unroll
    for (int vector = 0; vector < kVectors; ++vector) {
      unsigned int rank = of_lower_vectors + before.get(vector);
      of_lower_vectors += totals.get(vector);
#pragma unroll
      for (int i = vector * kVectorItems; i < (vector + 1) * kVectorItems; ++i) {
        if (!(equal >> i & 1)) continue;
        if (rank < ties) survivors |= 1u << i;
        ++rank;
      }
    }
    return survivors;
  }

  // How many items of a mask are before each of this lane's vectors among those that lie beside it, and how many are in all lanes'
  // vectors side by side. Returns how many there are in all.
  static __device__ __forceinline__ unsigned int count_beside(unsigned int mask, PackedItems<kVectors, 8>& before,
                                                              PackedItems<kVectors, 8>& totals) {
    constexpr int kWords = sizeof(before.words) / sizeof(before.words[0]);
#pragma unroll
    for (int vector = 0; vector < kVectors; ++vector) {
      before.set(vector, __popc(mask >> vector * kVectorItems & ((1u << kVectorItems) - 1)));
    }
#pragma unroll
    for (int word = 0; word < kWords; ++word) {
      // At most 128 for each vector, so no sum reaches the next one's bits.
      const unsigned int inclusive = inclusive_sum_in_warp(before.words[word], ~0u);
      before.words[word] = inclusive - before.words[word];
      totals.words[word] = __shfl_sync(~0u, inclusive, 31);
    }
    unsigned int total = 0;
#pragma unroll
    for (int vector = 0; vector < kVectors; ++vector) total += totals.get(vector);
    return total;
  }

  // Writes all slots in the order of their items, of which there are `count`, with bits from the least to the limit. All lanes call
  // it behind a barrier behind the last write to the slots; `order` may be read behind the next one.
  __device__ __forceinline__ void order_slots(unsigned int count, Bits least, Bits limit) {
    // Composite keys have room for 32 - kSlotBits of the bits by which keys exceed the least one.
    const int excess = length_of(limit - least) - (32 - kSlotBits);
    const int shift = excess > 0 ? excess : 0;
    Limbs<1> composites[kSlotsPerThread];
#pragma unroll
    for (int i = 0; i < kSlotsPerThread; ++i) {
      const unsigned int slot = i * 32 + lane_;
      const Bits upper = slot < count ? (bits_in(storage_, slot) - least) >> shift : 0;
      composites[i].limb[0] = slot < count ? static_cast<unsigned int>(upper) << kSlotBits | slot : ~0u;
    }
    sort_in_warp(composites);
#pragma unroll
    for (int i = 0; i < kSlotsPerThread; ++i) {
      storage_.order[lane_ * kSlotsPerThread + i] = composites[i].limb[0] % kSlots;
    }
    if (shift > 0 && is_out_of_order(composites, count)) order_slots_by_all_bits(storage_, count);
  }

  // Whether items that composite keys have put in order are not.
  __device__ __forceinline__ bool is_out_of_order(const Limbs<1> (&composites)[kSlotsPerThread], unsigned int count) const {
    Bits before = 0;
    Bits first = 0;
    bool is_wrong = false;
#pragma unroll
    for (int i = 0; i < kSlotsPerThread; ++i) {
      const bool is_item = lane_ * kSlotsPerThread + i < count;
      const Bits bits = is_item ? bits_in(storage_, composites[i].limb[0] % kSlots) : kAllBits;
      if (i == 0) first = bits;
      is_wrong |= bits < before;
      before = bits;
    }
    const Bits of_lane_below = value_of_limbs<Bits>(from_lane(limbs_of<kBitsLimbs>(before), lane_ == 0 ? 0 : lane_ - 1));
    is_wrong |= lane_ > 0 && first < of_lane_below;
    return __any_sync(~0u, is_wrong);
  }

  // Writes the item of a slot as the one of a rank.
  __device__ __forceinline__ void write(const Key* row, unsigned int slot, unsigned int rank, Key* keys_out,
                                        unsigned int* positions_out) const {
    const unsigned int position = storage_.items[slot].position;
    positions_out[rank] = position;
    if (!keys_out) return;
    // -0.0 has compared bits in common with +0.0.
    constexpr Bits kZero = kSign ^ kAllBits;
    const Bits bits = bits_in(storage_, slot);
    keys_out[rank] = bits == kZero ? row[position] : to_key(bits);
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
__launch_bounds__(128, 6)
#endif
warp_top_k_f32_i32_k64_desc_rows(
    const sortsmith::warp_top_k_f32_i32_k64_desc::Key* keys, sortsmith::warp_top_k_f32_i32_k64_desc::Key* keys_out,
    unsigned int* positions_out, unsigned long long rows, unsigned long long columns, unsigned long long stride,
    unsigned int k, bool sorted) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using TopK = sortsmith::warp_top_k_f32_i32_k64_desc;
  TopK top_k(*reinterpret_cast<TopK::TempStorage*>(sortsmith_shared));
  const unsigned long long warps = static_cast<unsigned long long>(gridDim.x) * TopK::kWarps;
  const unsigned long long warp = static_cast<unsigned long long>(blockIdx.x) * TopK::kWarps + sortsmith::warp_of(threadIdx.x);
  for (unsigned long long row = warp; row < rows; row += warps) {
    top_k.find(keys + row * stride, static_cast<unsigned int>(columns), k, sorted, keys_out ? keys_out + row * k : nullptr,
               positions_out + row * k);
  }
}
#endif
