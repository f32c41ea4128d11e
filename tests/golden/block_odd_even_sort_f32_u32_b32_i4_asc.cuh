// block_odd_even_sort_f32_u32_b32_i4_asc
//
// Sorts f32 keys with 4-byte values, ascending: a block of 32 threads sorts a tile of 128 items by
// odd-even transposition in shared memory. Stable: equal keys keep their input order.
//
// Keys order by sign and magnitude. -0.0 and +0.0 are equal. NaNs order by their bits: those with the sign bit set are
// less than all numbers, the others greater.
//
// Glossary
//   pair:  two neighbours in the tile, which are exchanged where the right one is less
//   round: the pairs that begin at even positions, or those that begin at odd ones; no item is in two of them
//
// In a kernel of 32 threads, with Keys an array of 4 keys and Values one of 4 values:
//   using Sort = sortsmith::block_odd_even_sort_f32_u32_b32_i4_asc;
//   __shared__ Sort::TempStorage storage;
//   Sort(storage).Sort(keys, values);
//
// Made by sortsmith 0.1.0 from the template block_odd_even_sort; to make it again:
//   sortsmith emit --name block_odd_even_sort_f32_u32_b32_i4_asc --tile-kernel --rows-kernel --counted-rows-kernel --out .
#if defined(__cplusplus) && __cplusplus < 201703L && !defined(_MSC_VER)
#error "this header needs C++17: nvcc -std=c++17"
#endif
#pragma once

#if !defined(__CUDACC__) && !defined(SORTSMITH_EMULATOR)
// To a compiler of the host alone the struct has the sort's constants.
#ifndef SORTSMITH_V0_1_0_BLOCK_ODD_EVEN_SORT_F32_U32_B32_I4_ASC
#define SORTSMITH_V0_1_0_BLOCK_ODD_EVEN_SORT_F32_U32_B32_I4_ASC
namespace sortsmith {
inline namespace v0_1_0 {

struct block_odd_even_sort_f32_u32_b32_i4_asc {
  // Which thread holds which position of the tile. Thread t's item i is at
  //   kBlocked:     t * kItemsPerThread + i
  //   kStriped:     i * kBlockThreads + t
  //   kWarpStriped: the same as kStriped, within each warp's own 32 * kItemsPerThread positions
  enum class Arrangement { kBlocked, kStriped, kWarpStriped };

  static constexpr int kBlockX = 32;
  static constexpr int kBlockY = 1;
  static constexpr int kBlockZ = 1;
  static constexpr int kBlockThreads = kBlockX * kBlockY * kBlockZ;
  static constexpr int kItemsPerThread = 4;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 32;
  static constexpr bool kDescending = false;
  static constexpr bool kHasValues = true;
  static constexpr bool kIndexValues = false;
  static constexpr Arrangement kInput = Arrangement::kBlocked;
  static constexpr Arrangement kOutput = Arrangement::kBlocked;
  // sizeof(TempStorage): a tile kernel's dynamic shared memory. Past 48 KB the storage must be dynamic, and the kernel's
  // limit raised by cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes).
  static constexpr unsigned int kSharedBytes = 1024;
  static constexpr bool kStable = true;
  // After as many rounds as there are items no pair is out of order.
  static constexpr unsigned int kRounds = 128;
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

#ifndef SORTSMITH_V0_1_0_BLOCK_ODD_EVEN_SORT_F32_U32_B32_I4_ASC
#define SORTSMITH_V0_1_0_BLOCK_ODD_EVEN_SORT_F32_U32_B32_I4_ASC
namespace sortsmith {
inline namespace v0_1_0 {

struct block_odd_even_sort_f32_u32_b32_i4_asc {
  using Key = float;
  using Value = unsigned int;

  // Which thread holds which position of the tile. Thread t's item i is at
  //   kBlocked:     t * kItemsPerThread + i
  //   kStriped:     i * kBlockThreads + t
  //   kWarpStriped: the same as kStriped, within each warp's own 32 * kItemsPerThread positions
  enum class Arrangement { kBlocked, kStriped, kWarpStriped };

  static constexpr int kBlockX = 32;
  static constexpr int kBlockY = 1;
  static constexpr int kBlockZ = 1;
  static constexpr int kBlockThreads = kBlockX * kBlockY * kBlockZ;
  static constexpr int kItemsPerThread = 4;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 32;
  static constexpr bool kDescending = false;
  static constexpr bool kHasValues = true;
  static constexpr bool kIndexValues = false;
  static constexpr Arrangement kInput = Arrangement::kBlocked;
  static constexpr Arrangement kOutput = Arrangement::kBlocked;
  // sizeof(TempStorage): a tile kernel's dynamic shared memory. Past 48 KB the storage must be dynamic, and the kernel's
  // limit raised by cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes).
  static constexpr unsigned int kSharedBytes = 1024;
  static constexpr bool kStable = true;
  // After as many rounds as there are items no pair is out of order.
  static constexpr unsigned int kRounds = 128;

  // One thread's items.
  using Keys = Key[kItemsPerThread];
  using Values = Value[kItemsPerThread];

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

 public:
  // The tile's ordered bits and values, by their positions.
  struct TempStorage {
    StoredBits bits[kTileItems];
    Value values[kTileItems];
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  // All threads of the block share one storage. It may be used again, by this or anything else, after a barrier.
  explicit __device__ __forceinline__ block_odd_even_sort_f32_u32_b32_i4_asc(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x + kBlockX * (threadIdx.y + kBlockY * threadIdx.z)) {}

  // The members below sort one tile. All threads of the block call the same one, with the same valid_items.
  //   valid_items: the first valid_items items of the tile are sorted and come out in front. What the others hold does not
  //                matter, and is unspecified afterwards.

  // From blocked to blocked arrangement.
  __device__ __forceinline__ void Sort(Keys& keys, Values& values) {
    sort<Arrangement::kBlocked, Arrangement::kBlocked>(keys, values, kTileItems);
  }
  __device__ __forceinline__ void Sort(Keys& keys, Values& values, int valid_items) {
    sort<Arrangement::kBlocked, Arrangement::kBlocked>(keys, values, valid_items);
  }

  // From blocked to striped arrangement.
  __device__ __forceinline__ void SortBlockedToStriped(Keys& keys, Values& values) {
    sort<Arrangement::kBlocked, Arrangement::kStriped>(keys, values, kTileItems);
  }
  __device__ __forceinline__ void SortBlockedToStriped(Keys& keys, Values& values, int valid_items) {
    sort<Arrangement::kBlocked, Arrangement::kStriped>(keys, values, valid_items);
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

  // Puts the pair that begins at this position in order. Equal keys stay as they are, so the sort is stable.
  __device__ __forceinline__ void order_pair(unsigned int left) {
    const StoredBits left_bits = storage_.bits[left];
    const StoredBits right_bits = storage_.bits[left + 1];
    if (compared_bits(right_bits) < compared_bits(left_bits)) {
      storage_.bits[left] = right_bits;
      storage_.bits[left + 1] = left_bits;
      const Value left_value = storage_.values[left];
      storage_.values[left] = storage_.values[left + 1];
      storage_.values[left + 1] = left_value;
    }
  }

  // Sorts the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void sort(Keys& keys, Values& values, unsigned int valid_items) {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      storage_.bits[position<kFrom>(i)] = static_cast<StoredBits>(to_ordered_bits(keys[i]));
      storage_.values[position<kFrom>(i)] = values[i];
    }
    __syncthreads();
    for (unsigned int round = 0; round < kRounds; ++round) {
      // Pairs with an item past the valid ones are left as they are.
      for (unsigned int left = 2 * thread_ + round % 2; left + 1 < valid_items; left += 2 * kBlockThreads) {
        order_pair(left);
      }
      // The next round's pairs have an item of each of two of these.
      __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      keys[i] = to_key(storage_.bits[position<kTo>(i)]);
      values[i] = storage_.values[position<kTo>(i)];
    }
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
    constexpr Arrangement kLoaded = Arrangement::kStriped;
    constexpr Arrangement kStored = Arrangement::kStriped;
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
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

// Each block sorts its own tile of an array of n items. Launch ceil(n / kTileItems) blocks of kBlockX x kBlockY x kBlockZ
// threads with kSharedBytes of dynamic shared memory. In place or not.
//
// Its name is the same in every file of a program: one file defines it, in the others `#define SORTSMITH_DECLARE_KERNELS` comes before this header.
extern "C" __global__ void
block_odd_even_sort_f32_u32_b32_i4_asc_tile(
    const float* keys_in, float* keys_out,
    const unsigned int* values_in, unsigned int* values_out,
    unsigned long long n);
#if !defined(SORTSMITH_DECLARE_KERNELS) && !defined(SORTSMITH_V0_1_0_BLOCK_ODD_EVEN_SORT_F32_U32_B32_I4_ASC_TILE)
#define SORTSMITH_V0_1_0_BLOCK_ODD_EVEN_SORT_F32_U32_B32_I4_ASC_TILE
extern "C" __global__ void __launch_bounds__(32)
block_odd_even_sort_f32_u32_b32_i4_asc_tile(
    const float* keys_in, float* keys_out,
    const unsigned int* values_in, unsigned int* values_out,
    unsigned long long n) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::block_odd_even_sort_f32_u32_b32_i4_asc;
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared))
      .SortTile(keys_in, keys_out, values_in, values_out, n);
}
#endif

// Each block sorts its own row of an array: row r is the `columns` items from r * stride on, columns <= kTileItems and
// columns <= stride. Launch as many blocks as rows, of kBlockX x kBlockY x kBlockZ threads with kSharedBytes of dynamic shared
// memory. In place or not; items between rows are not touched.
//
// Its name is the same in every file of a program: one file defines it, in the others `#define SORTSMITH_DECLARE_KERNELS` comes before this header.
extern "C" __global__ void
block_odd_even_sort_f32_u32_b32_i4_asc_rows(
    const float* keys_in, float* keys_out,
    const unsigned int* values_in, unsigned int* values_out,
    unsigned long long rows, unsigned int columns, unsigned long long stride);
#if !defined(SORTSMITH_DECLARE_KERNELS) && !defined(SORTSMITH_V0_1_0_BLOCK_ODD_EVEN_SORT_F32_U32_B32_I4_ASC_ROWS)
#define SORTSMITH_V0_1_0_BLOCK_ODD_EVEN_SORT_F32_U32_B32_I4_ASC_ROWS
extern "C" __global__ void __launch_bounds__(32)
block_odd_even_sort_f32_u32_b32_i4_asc_rows(
    const float* keys_in, float* keys_out,
    const unsigned int* values_in, unsigned int* values_out,
    unsigned long long rows, unsigned int columns, unsigned long long stride) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::block_odd_even_sort_f32_u32_b32_i4_asc;
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared))
      .SortRow(keys_in, keys_out, values_in, values_out, rows, columns, stride);
}
#endif

// Sorts the first rows of an array, as many as a number in memory says, or where counts_columns is not 0 the first items of each row: row r is the
// `columns` items from r * stride on, and is sorted as SortRow says, by as many blocks as all rows take. The number has count_bytes bytes, 4 or 8; more
// than there are count as all. The others are not touched, and blocks without a row end at once.
extern "C" __global__ void
block_odd_even_sort_f32_u32_b32_i4_asc_counted_rows(
    const float* keys_in, float* keys_out,
    const unsigned int* values_in, unsigned int* values_out,
    unsigned long long rows, unsigned int columns, unsigned long long stride,
    const void* count, unsigned int count_bytes, int counts_columns);
#if !defined(SORTSMITH_DECLARE_KERNELS) && !defined(SORTSMITH_V0_1_0_BLOCK_ODD_EVEN_SORT_F32_U32_B32_I4_ASC_COUNTED_ROWS)
#define SORTSMITH_V0_1_0_BLOCK_ODD_EVEN_SORT_F32_U32_B32_I4_ASC_COUNTED_ROWS
extern "C" __global__ void __launch_bounds__(32)
block_odd_even_sort_f32_u32_b32_i4_asc_counted_rows(
    const float* keys_in, float* keys_out,
    const unsigned int* values_in, unsigned int* values_out,
    unsigned long long rows, unsigned int columns, unsigned long long stride,
    const void* count, unsigned int count_bytes, int counts_columns) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  const unsigned long long counted = sortsmith::number_at(count, count_bytes, 0);
  if (counts_columns == 0) {
    rows = counted < rows ? counted : rows;
  } else {
    columns = counted < columns ? static_cast<unsigned int>(counted) : columns;
  }
  if (columns == 0) return;
  using Sort = sortsmith::block_odd_even_sort_f32_u32_b32_i4_asc;
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared))
      .SortRow(keys_in, keys_out, values_in, values_out, rows, columns, stride);
}
#endif

#endif  // a compiler of the host alone
