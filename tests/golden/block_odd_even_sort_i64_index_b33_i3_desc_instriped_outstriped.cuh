// block_odd_even_sort_i64_index_b33_i3_desc_instriped_outstriped
//
// Sorts i64 keys with their positions, descending: a block of 33 threads sorts a tile of 99 items by
// odd-even transposition in shared memory. Stable: equal keys keep their input order.
//
// No values are read. The sort makes them: each key's position in the tile's input order.
//
// Glossary
//   pair:  two neighbours in the tile, which are exchanged where the right one is less
//   round: the pairs that begin at even positions, or those that begin at odd ones; no item is in two of them
//
// In a kernel of 33 threads, with Keys an array of 3 keys and Values one of 3 positions:
//   using Sort = sortsmith::block_odd_even_sort_i64_index_b33_i3_desc_instriped_outstriped;
//   __shared__ Sort::TempStorage storage;
//   Sort(storage).Sort(keys, positions);
//
// Made by sortsmith 0.1.0 from the template block_odd_even_sort; to make it again:
//   sortsmith emit --name block_odd_even_sort_i64_index_b33_i3_desc_instriped_outstriped --tile-kernel --out .
#if defined(__cplusplus) && __cplusplus < 201703L && !defined(_MSC_VER)
#error "this header needs C++17: nvcc -std=c++17"
#endif
#pragma once

#if !defined(__CUDACC__) && !defined(SORTSMITH_EMULATOR)
// To a compiler of the host alone the struct has the sort's constants.
#ifndef SORTSMITH_V0_1_0_BLOCK_ODD_EVEN_SORT_I64_INDEX_B33_I3_DESC_INSTRIPED_OUTSTRIPED
#define SORTSMITH_V0_1_0_BLOCK_ODD_EVEN_SORT_I64_INDEX_B33_I3_DESC_INSTRIPED_OUTSTRIPED
namespace sortsmith {
inline namespace v0_1_0 {

struct block_odd_even_sort_i64_index_b33_i3_desc_instriped_outstriped {
  // Which thread holds which position of the tile. Thread t's item i is at
  //   kBlocked:     t * kItemsPerThread + i
  //   kStriped:     i * kBlockThreads + t
  //   kWarpStriped: the same as kStriped, within each warp's own 32 * kItemsPerThread positions
  enum class Arrangement { kBlocked, kStriped, kWarpStriped };

  static constexpr int kBlockX = 33;
  static constexpr int kBlockY = 1;
  static constexpr int kBlockZ = 1;
  static constexpr int kBlockThreads = kBlockX * kBlockY * kBlockZ;
  static constexpr int kItemsPerThread = 3;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 64;
  static constexpr bool kDescending = true;
  static constexpr bool kHasValues = true;
  static constexpr bool kIndexValues = true;
  static constexpr Arrangement kInput = Arrangement::kStriped;
  static constexpr Arrangement kOutput = Arrangement::kStriped;
  // sizeof(TempStorage): a tile kernel's dynamic shared memory. Past 48 KB the storage must be dynamic, and the kernel's
  // limit raised by cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes).
  static constexpr unsigned int kSharedBytes = 1192;
  static constexpr bool kStable = true;
  // After as many rounds as there are items no pair is out of order.
  static constexpr unsigned int kRounds = 99;
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

#ifndef SORTSMITH_V0_1_0_BLOCK_ODD_EVEN_SORT_I64_INDEX_B33_I3_DESC_INSTRIPED_OUTSTRIPED
#define SORTSMITH_V0_1_0_BLOCK_ODD_EVEN_SORT_I64_INDEX_B33_I3_DESC_INSTRIPED_OUTSTRIPED
namespace sortsmith {
inline namespace v0_1_0 {

struct block_odd_even_sort_i64_index_b33_i3_desc_instriped_outstriped {
  using Key = long long;
  using Value = unsigned int;

  // Which thread holds which position of the tile. Thread t's item i is at
  //   kBlocked:     t * kItemsPerThread + i
  //   kStriped:     i * kBlockThreads + t
  //   kWarpStriped: the same as kStriped, within each warp's own 32 * kItemsPerThread positions
  enum class Arrangement { kBlocked, kStriped, kWarpStriped };

  static constexpr int kBlockX = 33;
  static constexpr int kBlockY = 1;
  static constexpr int kBlockZ = 1;
  static constexpr int kBlockThreads = kBlockX * kBlockY * kBlockZ;
  static constexpr int kItemsPerThread = 3;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 64;
  static constexpr bool kDescending = true;
  static constexpr bool kHasValues = true;
  static constexpr bool kIndexValues = true;
  static constexpr Arrangement kInput = Arrangement::kStriped;
  static constexpr Arrangement kOutput = Arrangement::kStriped;
  // sizeof(TempStorage): a tile kernel's dynamic shared memory. Past 48 KB the storage must be dynamic, and the kernel's
  // limit raised by cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes).
  static constexpr unsigned int kSharedBytes = 1192;
  static constexpr bool kStable = true;
  // After as many rounds as there are items no pair is out of order.
  static constexpr unsigned int kRounds = 99;

  // One thread's items.
  using Keys = Key[kItemsPerThread];
  using Values = Value[kItemsPerThread];

 private:
  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = unsigned long long;
  using StoredBits = unsigned long long;
  static constexpr Bits kSign = Bits(1) << (8 * sizeof(Key) - 1);
  static constexpr Bits kAllBits = StoredBits(~StoredBits(0));

  // Ordered bits of a key: the sign bit flipped. Descending order is ascending order of
  // their complement: so equal keys keep their order here too.
  static __device__ __forceinline__ Bits to_ordered_bits(Key key) {
    return bits_as<StoredBits>(key) ^ kSign ^ kAllBits;
  }

  // The key of ordered bits.
  static __device__ __forceinline__ Key to_key(Bits ordered) {
    return bits_as<Key>(static_cast<StoredBits>(ordered ^ kAllBits ^ kSign));
  }

  // What is compared of ordered bits: all of them.
  static __device__ __forceinline__ Bits compared_bits(Bits ordered) { return ordered; }

 public:
  // The tile's ordered bits and values, by their positions.
  struct TempStorage {
    StoredBits bits[kTileItems];
    Value values[kTileItems];
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  // All threads of the block share one storage. It may be used again, by this or anything else, after a barrier.
  explicit __device__ __forceinline__ block_odd_even_sort_i64_index_b33_i3_desc_instriped_outstriped(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x + kBlockX * (threadIdx.y + kBlockY * threadIdx.z)) {}

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
  __device__ __forceinline__ void SortTile(const Key* keys_in, Key* keys_out, Value* positions_out,
                                           unsigned long long n) {
    const unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
    if (start >= n) return;
    const unsigned int valid_items = n - start < kTileItems ? static_cast<unsigned int>(n - start) : kTileItems;
    sort_in_memory(keys_in + start, keys_out + start, positions_out + start, valid_items);
  }

  // Sorts the block's own row of an array: row r is the `columns` items from r * stride on, columns <= kTileItems and columns <= stride,
  // and block b's is row b. In place or not; items between rows are not touched.
  // Positions are those within the row. keys_out may be null: then positions alone are written.
  __device__ __forceinline__ void SortRow(const Key* keys_in, Key* keys_out, Value* positions_out,
                                          unsigned long long rows, unsigned int columns, unsigned long long stride) {
    if (blockIdx.x >= rows) return;
    const unsigned long long start = blockIdx.x * stride;
    sort_in_memory(keys_in + start, keys_out != nullptr ? keys_out + start : nullptr, positions_out + start, columns);
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
      storage_.values[position<kFrom>(i)] = position<kFrom>(i);
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

  // Sorts the first valid_items items of arrays, at most a tile, to other arrays or in place. Where keys_out is null, positions
  // alone are written.
  __device__ __forceinline__ void sort_in_memory(const Key* keys_in, Key* keys_out, Value* positions_out,
                                                 unsigned int valid_items) {
    constexpr Arrangement kLoaded = Arrangement::kStriped;
    constexpr Arrangement kStored = Arrangement::kStriped;
    // The thread's first item; the others follow, kStride<kLoaded> apart.
    const unsigned int first = position<kLoaded>(0);
    Keys keys;
    load<kStride<kLoaded>>(keys, keys_in, first, valid_items);
    Values values;
    sort<kLoaded, kStored>(keys, values, valid_items);
    const unsigned int first_stored = kStored == kLoaded ? first : position<kStored>(0);
    if (keys_out != nullptr) store<kStride<kStored>>(keys, keys_out, first_stored, valid_items);
    store<kStride<kStored>>(values, positions_out, first_stored, valid_items);
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
block_odd_even_sort_i64_index_b33_i3_desc_instriped_outstriped_tile(
    const long long* keys_in, long long* keys_out,
    unsigned int* positions_out,
    unsigned long long n);
#if !defined(SORTSMITH_DECLARE_KERNELS) && !defined(SORTSMITH_V0_1_0_BLOCK_ODD_EVEN_SORT_I64_INDEX_B33_I3_DESC_INSTRIPED_OUTSTRIPED_TILE)
#define SORTSMITH_V0_1_0_BLOCK_ODD_EVEN_SORT_I64_INDEX_B33_I3_DESC_INSTRIPED_OUTSTRIPED_TILE
extern "C" __global__ void __launch_bounds__(33)
block_odd_even_sort_i64_index_b33_i3_desc_instriped_outstriped_tile(
    const long long* keys_in, long long* keys_out,
    unsigned int* positions_out,
    unsigned long long n) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::block_odd_even_sort_i64_index_b33_i3_desc_instriped_outstriped;
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared))
      .SortTile(keys_in, keys_out, positions_out, n);
}
#endif

#endif  // a compiler of the host alone
