// warp_top_k_f16_i8_k256_asc_nanlast
//
// Finds the smallest f16 keys: the first k keys of each row of a matrix, and their positions in the row.
// Of equal keys those at the lowest positions are found. Rows have at most 256 columns; k is at most 256 and at most the columns.
//
// Keys order by sign and magnitude. -0.0 and +0.0 are equal. NaNs come last, in their input order.
//
// Slot: where an item is in the warp's shared memory; items are there in the order of their positions. Composite key: the upper
// bits of what a key exceeds the least one by and, below them, the item's slot.
//
// A warp holds a row in registers, has it in shared memory too, and sorts composite keys of all of its items. Where the bits that these
// leave out decide, it sorts them once more with all bits.
//
// The host's launch, for outputs of k items a row, row after row:
//
//   warp_top_k_f16_i8_k256_asc_nanlast_rows<<<any, 128, 8192, stream>>>(keys, keys_out, positions_out, rows, columns, stride, k, sorted);
//
// stride is the distance between the first keys of two rows. keys_out may be null. Without `sorted` the items come in
// the order of their positions.
//
// Made by sortsmith 0.1.0 from the template warp_top_k; to make it again:
//   sortsmith emit --name warp_top_k_f16_i8_k256_asc_nanlast --out .
#pragma once

#include <cuda_fp16.h>

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

// A thread's number in its block:
//
//   | warp: all other bits | lane: 5 bits |
__device__ __forceinline__ unsigned int warp_of(unsigned int thread) { return thread / 32; }
__device__ __forceinline__ unsigned int lane_of(unsigned int thread) { return thread % 32; }

// The position of a thread's item where warps have neighbouring items, row by row:
//
//   | warp: 32 * kItems positions | item: 32 positions | lane |
template <int kItems>
__device__ __forceinline__ unsigned int warp_striped(unsigned int thread, int item) {
  return warp_of(thread) * (32 * kItems) + item * 32 + lane_of(thread);
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

#ifndef SORTSMITH_V0_1_0_WARP_TOP_K_F16_I8_K256_ASC_NANLAST
#define SORTSMITH_V0_1_0_WARP_TOP_K_F16_I8_K256_ASC_NANLAST
namespace sortsmith {
inline namespace v0_1_0 {

struct warp_top_k_f16_i8_k256_asc_nanlast {
  using Key = __half;

  static constexpr int kBlockThreads = 128;
  static constexpr int kItemsPerThread = 8;
  static constexpr unsigned int kMaxColumns = 256;
  static constexpr unsigned int kMaxK = 256;
  static constexpr unsigned int kSharedBytes = 8192;

 private:
  static constexpr int kWarps = kBlockThreads / 32;
  static constexpr int kSlotsPerThread = 8;
  static constexpr unsigned int kSlots = 32 * kSlotsPerThread;
  static constexpr int kSlotBits = 8;
  // Neighbouring items of a lane, which one load brings.
  static constexpr int kVectorItems = 4;
  static constexpr int kVectors = kItemsPerThread / kVectorItems;

  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = unsigned int;
  using StoredBits = unsigned short;
  static constexpr int kBitsLimbs = sizeof(Bits) / 4;
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

  // What is compared of ordered bits: -0.0 as if it were +0.0, and a NaN as if it were greater than all numbers.
  static __device__ __forceinline__ Bits compared_bits(Bits ordered) {
    constexpr Bits kPositiveZero = kSign;
    constexpr Bits kNegativeZero = kSign - 1;
    // NaNs are beyond the infinities on either side.
    constexpr Bits kMaxNumber = 0xfc00;
    constexpr Bits kMinNumber = kMaxNumber ^ kAllBits;
    if (ordered > kMaxNumber || ordered < kMinNumber) return kAllBits;
    return ordered == kNegativeZero ? kPositiveZero : ordered;
  }

  struct __align__(8) KeyVector {
    Key keys[kVectorItems];
  };

  struct __align__(16) BitsVector {
    Bits bits[kVectorItems];
  };

  // What a warp has in shared memory: compared bits by position, which is the slot, and slots in the order of their keys.
  struct WarpStorage {
    BitsVector vectors[kSlots / kVectorItems];
    unsigned int order[kSlots];
  };

  __device__ __forceinline__ Bits bits_in(unsigned int slot) const {
    return storage_.vectors[slot / kVectorItems].bits[slot % kVectorItems];
  }
  static __device__ __forceinline__ unsigned int position_in(unsigned int slot) { return slot; }

  // Gives all items slots; returns how many they are, and the least and the largest bits. Items past the end must have
  // the bits of others.
  __device__ __forceinline__ unsigned int to_slots(const Bits (&bits)[kItemsPerThread], unsigned int columns, unsigned int,
                                                   Bits& least, Bits& limit) const {
    least = limit = bits[0];
#pragma unroll
    for (int i = 1; i < kItemsPerThread; ++i) {
      least = bits[i] < least ? bits[i] : least;
      limit = limit < bits[i] ? bits[i] : limit;
    }
    least = least_in_warp(least);
    limit = ~least_in_warp(~limit);
#pragma unroll
    for (int vector = 0; vector < kVectors; ++vector) {
      BitsVector of_vector;
#pragma unroll
      for (int i = 0; i < kVectorItems; ++i) of_vector.bits[i] = bits[vector * kVectorItems + i];
      storage_.vectors[vector * 32 + lane_] = of_vector;
    }
    return columns;
  }

  // The least of all lanes' bits.
  static __device__ __forceinline__ Bits least_in_warp(Bits bits) {
    if constexpr (kBitsLimbs == 1) {
      return min_in_warp(bits);
    } else {
#pragma unroll
      for (int bit = 16; bit > 0; bit /= 2) {
        const Bits other = value_of_limbs<Bits>(across(limbs_of<kBitsLimbs>(bits), bit));
        bits = other < bits ? other : bits;
      }
      return bits;
    }
  }
 public:
  struct TempStorage {
    WarpStorage of_warp[kWarps];
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  explicit __device__ __forceinline__ warp_top_k_f16_i8_k256_asc_nanlast(TempStorage& storage)
      : storage_(storage.of_warp[warp_of(threadIdx.x)]), lane_(lane_of(threadIdx.x)) {}

  // Writes the first k of a row's items, which are at least as many, and their positions: sorted, or in the order of their
  // positions. `keys_out` may be null. All lanes of the warp call it with the same arguments.
  __device__ __forceinline__ void find(const Key* row, unsigned int columns, unsigned int k, bool sorted,
                                       Key* keys_out, unsigned int* positions_out) {
    Bits bits[kItemsPerThread];
    load(row, columns, bits);
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
      const Bits last_bits = bits_in(last);
      unsigned int before = 0;
#pragma unroll 1
      for (unsigned int start = 0; start < count; start += 32) {
        const unsigned int slot = start + lane_;
        const Bits slot_bits = slot < count ? bits_in(slot) : last_bits;
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
  // The position of this lane's item i: a warp's vectors lie side by side.
  __device__ __forceinline__ unsigned int position_of(int i) const {
    return (i / kVectorItems * 32 + lane_) * kVectorItems + i % kVectorItems;
  }

  // Loads the compared bits of this lane's items of a row. In place of those past the end it has the first one.
  __device__ __forceinline__ void load(const Key* row, unsigned int columns, Bits (&bits)[kItemsPerThread]) const {
    Key keys[kItemsPerThread];
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
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) bits[i] = compared_bits(to_ordered_bits(keys[i]));
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
      const Bits upper = slot < count ? (bits_in(slot) - least) >> shift : 0;
      composites[i].limb[0] = slot < count ? static_cast<unsigned int>(upper) << kSlotBits | slot : ~0u;
    }
    sort_in_warp(composites);
#pragma unroll
    for (int i = 0; i < kSlotsPerThread; ++i) {
      storage_.order[lane_ * kSlotsPerThread + i] = composites[i].limb[0] % kSlots;
    }
    if (shift > 0 && is_out_of_order(composites, count)) order_slots_by_all_bits(count);
  }

  // Whether items that composite keys have put in order are not.
  __device__ __forceinline__ bool is_out_of_order(const Limbs<1> (&composites)[kSlotsPerThread], unsigned int count) const {
    Bits before = 0;
    Bits first = 0;
    bool is_wrong = false;
#pragma unroll
    for (int i = 0; i < kSlotsPerThread; ++i) {
      const bool is_item = lane_ * kSlotsPerThread + i < count;
      const Bits bits = is_item ? bits_in(composites[i].limb[0] % kSlots) : kAllBits;
      if (i == 0) first = bits;
      is_wrong |= bits < before;
      before = bits;
    }
    const Bits of_lane_below = value_of_limbs<Bits>(from_lane(limbs_of<kBitsLimbs>(before), lane_ == 0 ? 0 : lane_ - 1));
    is_wrong |= lane_ > 0 && first < of_lane_below;
    return __any_sync(~0u, is_wrong);
  }

  // The same as `order_slots`, by all bits and slots.
  __device__ __forceinline__ void order_slots_by_all_bits(unsigned int count) {
    constexpr int kLimbs = kBitsLimbs + 1;
    Limbs<kLimbs> items[kSlotsPerThread];
#pragma unroll
    for (int i = 0; i < kSlotsPerThread; ++i) {
      const unsigned int slot = i * 32 + lane_;
      const Limbs<kBitsLimbs> bits = limbs_of<kBitsLimbs>(slot < count ? bits_in(slot) : kAllBits);
      items[i].limb[0] = slot < count ? slot : ~0u;
#pragma unroll
      for (int limb = 0; limb < kBitsLimbs; ++limb) items[i].limb[limb + 1] = bits.limb[limb];
    }
    sort_in_warp(items);
#pragma unroll
    for (int i = 0; i < kSlotsPerThread; ++i) storage_.order[lane_ * kSlotsPerThread + i] = items[i].limb[0];
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

  // Writes the item of a slot as the one of a rank.
  __device__ __forceinline__ void write(const Key* row, unsigned int slot, unsigned int rank, Key* keys_out,
                                        unsigned int* positions_out) const {
    const unsigned int position = position_in(slot);
    positions_out[rank] = position;
    if (!keys_out) return;
    // -0.0 has compared bits in common with +0.0, and NaNs have with each other.
    constexpr Bits kZero = kSign;
    const Bits bits = bits_in(slot);
    keys_out[rank] = bits == kZero || bits == kAllBits ? row[position] : to_key(bits);
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
__launch_bounds__(128, 4)
#else
__launch_bounds__(128, 7)
#endif
warp_top_k_f16_i8_k256_asc_nanlast_rows(const sortsmith::warp_top_k_f16_i8_k256_asc_nanlast::Key* keys, sortsmith::warp_top_k_f16_i8_k256_asc_nanlast::Key* keys_out,
    unsigned int* positions_out, unsigned long long rows, unsigned long long columns, unsigned long long stride,
    unsigned int k, bool sorted) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using TopK = sortsmith::warp_top_k_f16_i8_k256_asc_nanlast;
  TopK top_k(*reinterpret_cast<TopK::TempStorage*>(sortsmith_shared));
  const unsigned long long warps = static_cast<unsigned long long>(gridDim.x) * (TopK::kBlockThreads / 32);
  unsigned long long row = static_cast<unsigned long long>(blockIdx.x) * (TopK::kBlockThreads / 32) + threadIdx.x / 32;
  for (; row < rows; row += warps) {
    top_k.find(keys + row * stride, static_cast<unsigned int>(columns), k, sorted, keys_out ? keys_out + row * k : nullptr,
               positions_out + row * k);
  }
}
#endif
