// block_top_k_f32_b256_i8_desc
//
// Finds the largest f32 keys: the first k keys of each row of a matrix, and their positions in the row.
// Of equal keys those at the lowest positions are found. k is at most 1024 and at most the columns.
//
// Keys order by sign and magnitude. -0.0 and +0.0 are equal. NaNs order by their bits: those with the sign bit set are
// less than all numbers, the others greater.
//
//   limit      the worst of k keys that are known, or a worse key
//   survivor   an item that is not worse than the limit
//   chunk      neighbouring columns of a long row, which are one block's
//   candidate  one of the first k items of a chunk, or of a group of chunks or columns
//
// A block reads its row once, tile after tile, the next one's keys while it looks at this one's, and appends the survivors to a buffer in shared memory, in the order of
// their positions. When the buffer might overflow, a radix select of the buffered keys keeps the first k items, and the
// last of these is the new limit: later items equal to it are at higher positions, so they are no survivors. The first
// limit of a long row is that of a sample of its keys, so that rows in ascending order have few survivors, too. Where fewer than
// k survive it, the row is read once more, with a worse limit.
//
// A long row may be split into chunks, for a block each; a second launch finds the first k of the chunks' candidates, or those of groups of
// them, and a third one those of the groups'.
// The host's launches, for outputs of k items a row, row after row:
//
//   block_top_k_f32_b256_i8_desc_rows<<<any, 256, 33868, stream>>>(keys, keys_out, positions_out, rows, columns, stride, 1, k, sorted);
//
// or, with chunks of at least k columns and room for rows * chunks * k candidates:
//
//   block_top_k_f32_b256_i8_desc_rows<<<any, 256, 33868, stream>>>(keys, nullptr, candidates, rows, columns, stride, chunks, k, false);
//   block_top_k_f32_b256_i8_desc_candidates<<<any, 256, 33868, stream>>>(keys, candidates, keys_out, positions_out, rows, chunks * k, stride, 1, k, sorted);
//
// or, with groups of at least k candidates and room for rows * groups * k of them, in place of the last launch:
//
//   block_top_k_f32_b256_i8_desc_candidates<<<any, 256, 33868, stream>>>(keys, candidates, nullptr, of_groups, rows, chunks * k, stride, groups, k, false);
//   block_top_k_f32_b256_i8_desc_candidates<<<any, 256, 33868, stream>>>(keys, of_groups, keys_out, positions_out, rows, groups * k, stride, 1, k, sorted);
//
// or, for long rows of at least 4096 columns, at most 256 chunks, groups of at least k columns and no more of them than rankers:
//
//   block_top_k_f32_b256_i8_desc_survivors<<<any, 256, 33868, stream>>>(keys, bits, survivors, counts, rows, columns, stride, chunks, k, rank);
//   block_top_k_f32_b256_i8_desc_ranked<<<any, 256, 33868, stream>>>(keys, bits, survivors, counts, keys_out, positions_out, of_groups, rows, columns, stride, chunks, rankers, groups, k, sorted);
//   block_top_k_f32_b256_i8_desc_candidates<<<any, 256, 33868, stream>>>(keys, of_groups, keys_out, positions_out, rows, groups * k, stride, 1, k, true);
//
// with room for rows * chunks * k bits (of type Bits), as many positions of survivors, rows * chunks counts and rows * groups * k candidates.
// All blocks of a row take their limit from the same sample of 4096 of the row's items: the one of a rank that hardly any row has less than
// k items up to, so not many items survive, and the rank of one is the number of those
// that come before it. Where fewer than k survive, or more than a block has room for, groups of the row's columns are searched for k
// items each, and the last launch finds the first k of these. With several rankers results are sorted. With one ranker and one group
// there is no last launch, and no candidates: the block selects the row's survivors, or searches the row.
//
// or, for long rows of less than 2^32 columns, `blocks` of which each keeps the first of 2048 sampled keys:
//
//   block_top_k_f32_b256_i8_desc_samples<<<any, 256, 33868, stream>>>(keys, sample_bits, sample_positions, counts, rows, columns, stride, blocks, kept);
//   block_top_k_f32_b256_i8_desc_filtered<<<any, 256, 33868, stream>>>(keys, sample_bits, sample_positions, bits, survivors, counts, rows, columns, stride, chunks, samples, rank, room);
//   block_top_k_f32_b256_i8_desc_listed<<<any, 256, 33868, stream>>>(keys, bits, survivors, counts, keys_out, positions_out, of_groups, rows, columns, stride, room, groups, k, sorted);
//   block_top_k_f32_b256_i8_desc_candidates<<<any, 256, 33868, stream>>>(keys, of_groups, keys_out, positions_out, rows, groups * k, stride, 1, k, sorted);
//
// with `samples` = blocks * kept, a rank below that, at most 4096 of either `samples` or `room`, and room for rows * samples and rows * room bits
// and as many positions, rows counts and rows * groups * k candidates. The limit of a row is the sampled item of that rank, and what survives it is in one list
// for each row. Where fewer than k survive, or more than a list has room for, groups of the row's columns are searched as above.
//
// stride is the distance between the first keys of two rows. keys_out may be null. Without `sorted` the items come in
// the order of their positions.
//
// The launches are plain ones, as written. On Hopper and later GPUs all but the first may have the attribute
// cudaLaunchAttributeProgrammaticStreamSerialization too: each kernel waits for the one before it itself.
//
// Made by sortsmith 0.1.0 from the template block_top_k; to make it again:
//   sortsmith emit --name block_top_k_f32_b256_i8_desc --out .
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

#ifndef SORTSMITH_V0_1_0_BLOCK_TOP_K_F32_B256_I8_DESC
#define SORTSMITH_V0_1_0_BLOCK_TOP_K_F32_B256_I8_DESC
namespace sortsmith {
inline namespace v0_1_0 {

struct block_top_k_f32_b256_i8_desc {
  using Key = float;

  static constexpr int kBlockThreads = 256;
  static constexpr int kItemsPerThread = 8;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  // Room for the items of a tile beside those of a tile that were there before it.
  static constexpr int kBufferItems = 2 * kTileItems;
  static constexpr int kKeyBits = 32;
  static constexpr unsigned int kMaxK = 1024;
  static constexpr unsigned int kSharedBytes = 33868;
  // In place of a row's first candidate, where the row's survivors were ranked.
  static constexpr unsigned int kNothingToDo = ~0u;

 private:
  static constexpr int kDigitBits = 8;
  static constexpr int kBins = 1 << kDigitBits;
  static constexpr int kWarps = kBlockThreads / kWarpThreads;
  // Whether registers have room for the keys of two tiles.
  static constexpr bool kLoadsAhead = kItemsPerThread <= 8;

 public:
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

 private:

  // The bin of a digit that holds the last of k items, the items in the bins before it, and those in it.
  struct Selection {
    unsigned int bin, before, count;
  };

 public:
  struct TempStorage {
    // The buffer: compared bits and positions.
    Bits bits[kBufferItems];
    unsigned int positions[kBufferItems];
    unsigned int bin_counts[kBins];
    // Used alternately, so that one barrier for each use is enough: a thread writes one after all have read the other.
    unsigned int warp_totals[2][kWarps];
    Selection selection;
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  // Items of a row: all columns, some neighbouring columns, or candidates, which are ascending positions.
  struct Items {
    const Key* keys;
    const unsigned int* candidates;
    unsigned long long begin, end;
  };

  explicit __device__ __forceinline__ block_top_k_f32_b256_i8_desc(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x), lane_(lane_of(threadIdx.x)), count_(0), limit_(kAllBits), last_tie_(~0u), is_closed_(false), parity_(0) {}

  // Writes the first k of the items, which are at least as many, and their positions: sorted, or in the order of their
  // positions. `keys_out` may be null. All threads call it with the same arguments. The storage may be used for another
  // row at once: positions are not written there before the next barrier.
  template <bool kHasCandidates>
  __device__ __forceinline__ void find(const Items items, unsigned int k, bool sorted, Key* keys_out,
                                       unsigned int* positions_out) {
    // Of the sample's keys that set the limit; 0 where there is no sample.
    unsigned int rank = items.end - items.begin >= kSampledTiles * kTileItems ? expected_in_sample(items, k) : 0;
#pragma unroll 1
    for (;;) {
      if (rank > 0) limit_by_sample<kHasCandidates>(items, rank);
      scan<kHasCandidates>(items, k);
      if (count_ >= k) break;
      // The sample has more of the first keys than its share. No fewer than k keys are up to its k-th.
      rank = k;
      __syncthreads();
    }
    __syncthreads();
    if (sorted) sort();
    write_first(items.keys, k, keys_out, positions_out);
  }

  // Writes the first k items of the buffer.
  __device__ __forceinline__ void write_first(const Key* row, unsigned int k, Key* keys_out,
                                              unsigned int* positions_out) {
    for (unsigned int slot = thread_; slot < k; slot += kBlockThreads) {
      const unsigned int position = storage_.positions[slot];
      positions_out[slot] = position;
      // Not from the compared bits, which -0.0 has in common with +0.0, and NaNs may have with each other.
      if (keys_out) keys_out[slot] = row[position];
    }
  }

  // Appends the survivors of all items to the empty buffer, and keeps the first k if there are more of them. They may be read behind the next
  // barrier.
  template <bool kHasCandidates>
  __device__ __forceinline__ void scan(const Items& items, unsigned int k) {
    unsigned long long start = items.begin;
    unsigned int tile_items = tile_items_of(items, start);
    // Addresses of candidates take registers, too.
    constexpr bool kAhead = kLoadsAhead && (!kHasCandidates || kTileItems * kBitsLimbs <= 4096);
    Key next_keys[kItemsPerThread];
    if constexpr (kAhead) load_tile<kHasCandidates>(items, start, tile_items, next_keys);
    for (;;) {
      // Behind the last tile there are k items, and before another one room for it.
      const bool is_end = start >= items.end;
      const unsigned int most = is_end ? k : kTileItems;
      if (count_ > most) {
        keep_first(k);
        // Loaded once more, so that no registers are taken while items are selected.
        if (kAhead && !is_end && !is_closed_) load_tile<kHasCandidates>(items, start, tile_items, next_keys);
      }
      if (is_end || is_closed_) break;
      const unsigned long long next = start + tile_items;
      const unsigned int next_items = next < items.end ? tile_items_of(items, next) : 0;
      Key keys[kItemsPerThread];
      if constexpr (kAhead) {
#pragma unroll
        for (int i = 0; i < kItemsPerThread; ++i) keys[i] = next_keys[i];
        // Under way while this tile's survivors are appended.
        if (next_items > 0) load_tile<kHasCandidates>(items, next, next_items, next_keys);
      } else {
        load_tile<kHasCandidates>(items, start, tile_items, keys);
      }
      append<kHasCandidates>(items, start, tile_items, keys);
      start = next;
      tile_items = next_items;
    }
  }

  // Writes the survivors of some columns of a row, at most the first k of them, in the order of their positions. All threads call it. The storage
  // may be used for other columns at once: a thread first writes bits that it has read itself.
  __device__ __forceinline__ void find_survivors(const Key* row, unsigned long long columns, unsigned long long begin,
                                                 unsigned long long end, unsigned int k, unsigned int rank, Bits* bits_out,
                                                 unsigned int* positions_out, unsigned int* count_out) {
    limit_by_row(row, columns, begin, rank);
    scan<false>({row, nullptr, begin, end}, k);
    __syncthreads();
    for (unsigned int slot = thread_; slot < count_; slot += kBlockThreads) {
      bits_out[slot] = storage_.bits[slot];
      positions_out[slot] = storage_.positions[slot];
    }
    if (thread_ == 0) *count_out = count_;
  }

  // Items that a warp ranks at once.
  static constexpr unsigned int kRankedAtOnce = kBitsLimbs > 2 ? 2 : 4;
  // Lists that a warp loads at once, and how many of each list's items a lane then loads.
  static constexpr unsigned int kListsAtOnce = 8 / kBitsLimbs;
  static constexpr unsigned int kListItems = 3;

  // Where a row's survivors are: the lists of its chunks, each of which has room for k items.
  struct Survivors {
    const Bits* bits;
    const unsigned int* positions;
    const unsigned int* counts;
    unsigned int chunks;
  };

  // Survivors that a block has room for.
  static constexpr unsigned int kMaxRanked = kBufferItems * (sizeof(Bits) + 4) / sizeof(Bits);

  // Adds up the lists' counts: bin_counts[i] is how many survivors there are before list i. Returns how many there are. It ends with a barrier.
  __device__ __forceinline__ unsigned int count_survivors(const Survivors& survivors) {
    unsigned int total = 0;
#pragma unroll 1
    for (unsigned int first = 0; first < survivors.chunks; first += kBlockThreads) {
      const unsigned int list = first + thread_;
      const unsigned int count = list < survivors.chunks ? survivors.counts[list] : 0;
      const unsigned int inclusive = inclusive_sum_in_warp(count, ~0u);
      unsigned int of_lists;
      const unsigned int before = sum_of_warps_below(__shfl_sync(~0u, inclusive, 31), of_lists);
      if (list < survivors.chunks) storage_.bin_counts[list] = total + before + inclusive - count;
      total += of_lists;
    }
    __syncthreads();
    return total;
  }

  // Loads this lane's items of a list, from the item `first` on.
  template <unsigned int kItems>
  __device__ __forceinline__ void load_list(const Bits* list, unsigned int first, unsigned int count, Bits (&bits)[kItems]) const {
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      const unsigned int item = first + i * 32 + lane_;
      bits[i] = 0;
      if (item < count) bits[i] = list[item];
    }
  }

  // Stores them where the list begins among all survivors.
  template <unsigned int kItems>
  __device__ __forceinline__ void store_list(unsigned int begin, unsigned int first, unsigned int count, const Bits (&bits)[kItems]) {
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      const unsigned int item = first + i * 32 + lane_;
      Bits* const ranked = storage_.bits;
      if (item < count) ranked[begin + item] = bits[i];
    }
  }

  // Loads the survivors' bits, in the order of their positions. The caller passes a barrier. All loads of a step are under way before its first
  // store, which loads could not pass.
  __device__ __forceinline__ void load_survivors(const Survivors& survivors, unsigned int k, unsigned int total) {
    bool has_long_lists = false;
    for (unsigned int first = warp_of(thread_); first < survivors.chunks; first += kListsAtOnce * kWarps) {
      unsigned int begins[kListsAtOnce];
      unsigned int counts[kListsAtOnce];
      Bits bits[kListsAtOnce][kListItems];
#pragma unroll
      for (unsigned int i = 0; i < kListsAtOnce; ++i) {
        const unsigned int list = first + i * kWarps;
        begins[i] = begin_of_list(survivors, list, total);
        counts[i] = begin_of_list(survivors, list + 1, total) - begins[i];
        load_list(survivors.bits + static_cast<unsigned long long>(list) * k, 0, counts[i], bits[i]);
      }
#pragma unroll
      for (unsigned int i = 0; i < kListsAtOnce; ++i) {
        store_list(begins[i], 0, counts[i], bits[i]);
        has_long_lists |= counts[i] > 32 * kListItems;
      }
    }
    if (has_long_lists) load_long_lists(survivors, k, total);
  }

  // Loads what is behind the items of each list that are loaded with other lists' items.
  __device__ __forceinline__ void load_long_lists(const Survivors& survivors, unsigned int k, unsigned int total) {
    constexpr unsigned int kItems = 8 / kBitsLimbs;
#pragma unroll 1
    for (unsigned int list = warp_of(thread_); list < survivors.chunks; list += kWarps) {
      const unsigned int begin = begin_of_list(survivors, list, total);
      const unsigned int count = begin_of_list(survivors, list + 1, total) - begin;
#pragma unroll 1
      for (unsigned int first = 32 * kListItems; first < count; first += 32 * kItems) {
        Bits bits[kItems];
        load_list(survivors.bits + static_cast<unsigned long long>(list) * k, first, count, bits);
        store_list(begin, first, count, bits);
      }
    }
  }

  // How many survivors there are before a list; of lists that are not there, all.
  __device__ __forceinline__ unsigned int begin_of_list(const Survivors& survivors, unsigned int list, unsigned int total) const {
    return list < survivors.chunks ? storage_.bin_counts[list] : total;
  }

  // Which list has a survivor.
  __device__ __forceinline__ unsigned int list_of(unsigned int slot, unsigned int chunks) const {
    unsigned int list = 0;
    unsigned int beyond = chunks;
    while (beyond - list > 1) {
      const unsigned int middle = (list + beyond) / 2;
      if (storage_.bin_counts[middle] <= slot) {
        list = middle;
      } else {
        beyond = middle;
      }
    }
    return list;
  }

  // Writes those of the survivors begin .. end that are among the first k, each where its rank says. The storage may be used for another row
  // at once: bits and counts are not written there before the next barrier.
  __device__ __forceinline__ void write_ranked(const Key* row, const Survivors& survivors, unsigned int k, unsigned int total,
                                               unsigned int begin, unsigned int end, Key* keys_out, unsigned int* positions_out) {
    const Bits* const ranked = storage_.bits;
    for (unsigned int first = begin + warp_of(thread_) * kRankedAtOnce; first < end; first += kWarps * kRankedAtOnce) {
      Bits own[kRankedAtOnce];
      unsigned int before[kRankedAtOnce];
#pragma unroll
      for (unsigned int i = 0; i < kRankedAtOnce; ++i) {
        own[i] = ranked[first + i < total ? first + i : first];
        before[i] = 0;
      }
      // Equal items come before where they are at lower positions.
#pragma unroll 4
      for (unsigned int slot = lane_; slot < first; slot += 32) {
        const Bits other = ranked[slot];
#pragma unroll
        for (unsigned int i = 0; i < kRankedAtOnce; ++i) before[i] += other <= own[i] ? 1u : 0u;
      }
      const unsigned int near = first + lane_;
      if (near < total) {
        const Bits other = ranked[near];
#pragma unroll
        for (unsigned int i = 0; i < kRankedAtOnce; ++i) {
          before[i] += other < own[i] || (other == own[i] && near < first + i) ? 1u : 0u;
        }
      }
#pragma unroll 4
      for (unsigned int slot = near + 32; slot < total; slot += 32) {
        const Bits other = ranked[slot];
#pragma unroll
        for (unsigned int i = 0; i < kRankedAtOnce; ++i) before[i] += other < own[i] ? 1u : 0u;
      }
      unsigned int rank = 0;
#pragma unroll
      for (unsigned int i = 0; i < kRankedAtOnce; ++i) {
        const unsigned int sum = __shfl_sync(~0u, inclusive_sum_in_warp(before[i], ~0u), 31);
        if (lane_ == i) rank = sum;
      }
      const unsigned int slot = first + lane_;
      if (lane_ < kRankedAtOnce && slot < end && rank < k) {
        const unsigned int list = list_of(slot, survivors.chunks);
        const unsigned int position = survivors.positions[static_cast<unsigned long long>(list) * k + (slot - storage_.bin_counts[list])];
        positions_out[rank] = position;
        if (keys_out) keys_out[rank] = row[position];
      }
    }
  }

  // Loads the survivors, in the order of their positions. The caller passes a barrier. All loads of a step are under way before its first store,
  // which loads could not pass.
  __device__ __forceinline__ void load_survivors_to_buffer(const Survivors& survivors, unsigned int k, unsigned int total) {
    constexpr int kItems = 8 / kBitsLimbs;
#pragma unroll 1
    for (unsigned int start = 0; start < total; start += kBlockThreads * kItems) {
      Bits own_bits[kItems];
      unsigned int own_positions[kItems];
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        const unsigned int slot = start + i * kBlockThreads + thread_;
        own_bits[i] = 0;
        own_positions[i] = 0;
        if (slot < total) {
          const unsigned int list = list_of(slot, survivors.chunks);
          const unsigned long long item = static_cast<unsigned long long>(list) * k + (slot - storage_.bin_counts[list]);
          own_bits[i] = survivors.bits[item];
          own_positions[i] = survivors.positions[item];
        }
      }
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        const unsigned int slot = start + i * kBlockThreads + thread_;
        if (slot < total) {
          storage_.bits[slot] = own_bits[i];
          storage_.positions[slot] = own_positions[i];
        }
      }
    }
    count_ = total;
  }

  // Writes the first k of the survivors, which are at least as many and at most kBufferItems: sorted, or in the order of their positions. The
  // storage may be used for another row at once: it is not written there before the next barrier, but by a thread that has read there.
  __device__ __forceinline__ void select_survivors(const Key* row, const Survivors& survivors, unsigned int k, unsigned int total, bool sorted,
                                                   Key* keys_out, unsigned int* positions_out) {
    load_survivors_to_buffer(survivors, k, total);
    __syncthreads();
    if (total > k) keep_first(k);
    __syncthreads();
    if (sorted) sort();
    write_first(row, k, keys_out, positions_out);
  }

  // Writes the first `kept` items of a sample, a tile of runs: every run of the row's sample that is this block's, of which all of the row's blocks
  // have as many. The order is that of the positions. All threads call it. The storage may be used for another sample at once: a thread first writes
  // what it has read itself.
  __device__ __forceinline__ void find_in_sample(const Key* row, unsigned long long columns, unsigned int block, unsigned int blocks,
                                                 unsigned int kept, Bits* bits_out, unsigned int* positions_out) {
    constexpr unsigned int kRuns = kTileItems / kRowSampleRun;
    const unsigned int distance = static_cast<unsigned int>(columns / (kRuns * blocks));
    // By the clock, so no keys can be laid out to show samples what they are not. A warp's threads share runs.
    const unsigned int seed = __shfl_sync(~0u, static_cast<unsigned int>(clock64()), 0);
#pragma unroll 8
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int slot = i * kBlockThreads + thread_;
      // Neighbouring runs are different blocks', so that each block has a sample from all over the row.
      const unsigned int item = begin_of_run(slot / kRowSampleRun * blocks + block, distance, seed) + slot % kRowSampleRun;
      storage_.bits[slot] = bits_of(row[item]);
      storage_.positions[slot] = item;
    }
    count_ = kTileItems;
    keep_first(kept);
    __syncthreads();
    for (unsigned int slot = thread_; slot < kept; slot += kBlockThreads) {
      bits_out[slot] = storage_.bits[slot];
      positions_out[slot] = storage_.positions[slot];
    }
  }

  // Loads items to the buffer, which is empty. The caller passes a barrier. All loads of a step are under way before its first store, which
  // loads could not pass.
  __device__ __forceinline__ void load_items(const Bits* bits, const unsigned int* positions, unsigned int count) {
#pragma unroll 1
    for (unsigned int start = 0; start < count; start += kBlockThreads * kMovedItems) {
      Bits own_bits[kMovedItems];
      unsigned int own_positions[kMovedItems];
#pragma unroll
      for (int i = 0; i < kMovedItems; ++i) {
        const unsigned int slot = start + i * kBlockThreads + thread_;
        own_bits[i] = slot < count ? bits[slot] : 0;
        own_positions[i] = slot < count ? positions[slot] : 0;
      }
#pragma unroll
      for (int i = 0; i < kMovedItems; ++i) {
        const unsigned int slot = start + i * kBlockThreads + thread_;
        if (slot < count) {
          storage_.bits[slot] = own_bits[i];
          storage_.positions[slot] = own_positions[i];
        }
      }
    }
    count_ = count;
  }

  // Sets the limit to the item of this rank, counted from 1, among those that were kept of a row's samples: to its bits, and to its position for items
  // with the same bits. The buffer is empty, and is empty again.
  __device__ __forceinline__ void limit_by_samples(const Bits* bits, const unsigned int* positions, unsigned int count, unsigned int rank) {
    load_items(bits, positions, count);
    const Bound last = select(rank);
    limit_ = last.bound;
    last_tie_ = ~0u;
    if (last.is_exact) last_tie_ = static_cast<unsigned int>(select_values<true>(last.ties, last.bound).bound);
    count_ = 0;
  }

  // Appends the survivors of some columns of a row to a list, in any order: items up to the limit, of which those with its bits are at positions up to
  // its own. `count` has how many the list has; where that is more than there is room for, some are not in it. All threads call it. The storage may be
  // used for other columns at once: a thread first writes bits and positions that it has read itself.
  __device__ __forceinline__ void append_to_list(const Items& items, unsigned int room, Bits* bits_out, unsigned int* positions_out,
                                                 unsigned int* count) {
    unsigned int& buffered = storage_.bin_counts[0];
    if (thread_ == 0) buffered = 0;
    __syncthreads();
    filter(items, buffered);
    __syncthreads();
    const unsigned int survivors = buffered;
    if (thread_ == 0) storage_.selection.bin = survivors > 0 ? atomicAdd(count, survivors) : 0;
    __syncthreads();
    const unsigned int first = storage_.selection.bin;
    if (survivors > room) return;
    for (unsigned int slot = thread_; slot < survivors && first + slot < room; slot += kBlockThreads) {
      bits_out[first + slot] = storage_.bits[slot];
      positions_out[first + slot] = storage_.positions[slot];
    }
  }

  // Appends the survivors to the buffer, which `buffered` has the number of, until they are more than it has room for. They are there behind the next barrier.
  // Warps do not wait for each other.
  __device__ __forceinline__ void filter(const Items& items, unsigned int& buffered) {
    unsigned long long start = items.begin;
    unsigned int tile_items = tile_items_of(items, start);
    Key next_keys[kItemsPerThread];
    if constexpr (kLoadsAhead) load_tile<false>(items, start, tile_items, next_keys);
    while (start < items.end) {
      const unsigned long long next = start + tile_items;
      const unsigned int next_items = next < items.end ? tile_items_of(items, next) : 0;
      Key keys[kItemsPerThread];
      if constexpr (kLoadsAhead) {
#pragma unroll
        for (int i = 0; i < kItemsPerThread; ++i) keys[i] = next_keys[i];
        if (next_items > 0) load_tile<false>(items, next, next_items, next_keys);
      } else {
        load_tile<false>(items, start, tile_items, keys);
      }
      if (!append_in_any_order(start, tile_items, keys, buffered)) break;
      start = next;
      tile_items = next_items;
    }
  }

  // Appends the survivors of a warp's items of a tile. Returns whether there was room.
  __device__ __forceinline__ bool append_in_any_order(unsigned long long start, unsigned int tile_items, const Key (&keys)[kItemsPerThread],
                                                      unsigned int& buffered) {
    // Behind the last tie no item with the limit's bits survives, so there many of them cost no more than others.
    const bool is_behind_ties = start > last_tie_;
    if (is_behind_ties && limit_ == 0) return true;
    const Bits limit = is_behind_ties ? limit_ - 1 : limit_;
    unsigned int mask = 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const bool survives = item_of(i) < tile_items && bits_of(keys[i]) <= limit;
      mask |= survives ? 1u << i : 0u;
    }
    if (!__any_sync(~0u, mask != 0)) return true;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = static_cast<unsigned int>(start) + item_of(i);
      if (position > last_tie_ && bits_of(keys[i]) == limit_) mask &= ~(1u << i);
    }
    const unsigned int own = __popc(mask);
    const unsigned int inclusive = inclusive_sum_in_warp(own, ~0u);
    unsigned int first = 0;
    if (lane_ == 31) first = atomicAdd(&buffered, inclusive);
    const unsigned int end = __shfl_sync(~0u, first + inclusive, 31);
    if (end > kBufferItems) return false;
    unsigned int slot = __shfl_sync(~0u, first, 31) + inclusive - own;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      if (!(mask >> i & 1)) continue;
      storage_.bits[slot] = bits_of(keys[i]);
      storage_.positions[slot] = static_cast<unsigned int>(start) + item_of(i);
      ++slot;
    }
    return true;
  }

  // Writes the first k of a row's list, which are at least as many and at most kBufferItems: sorted, or in the order of their positions. All threads
  // call it. The storage may be used for another list at once: a thread first writes positions that it has read itself, and bits are read before the
  // last barrier.
  __device__ __forceinline__ void find_in_list(const Key* row, const Bits* bits, const unsigned int* positions, unsigned int count, unsigned int k,
                                               bool sorted, Key* keys_out, unsigned int* positions_out) {
    load_items(bits, positions, count);
    __syncthreads();
#pragma unroll 1
    for (bool is_last = sorted;; is_last = true) {
      sort();
      if (is_last) break;
      // Once more, by positions.
      for (unsigned int slot = thread_; slot < k; slot += kBlockThreads) storage_.bits[slot] = storage_.positions[slot];
      count_ = k;
      __syncthreads();
    }
    write_first(row, k, keys_out, positions_out);
  }

 private:
  // Rows of at least as many tiles are sampled.
  static constexpr unsigned long long kSampledTiles = 4;
  // Neighbouring items of a sample: a sector of memory or more.
  static constexpr unsigned int kSampleRun = 8;

  // The lanes of the warp below this one.
  __device__ __forceinline__ unsigned int lanes_below() const { return (1u << lane_) - 1; }

  template <bool kHasCandidates>
  static __device__ __forceinline__ unsigned int position_of(const Items& items, unsigned long long item) {
    return kHasCandidates ? items.candidates[item] : static_cast<unsigned int>(item);
  }

  // The key of an item of a tile. Without candidates it is a constant distance from others.
  template <bool kHasCandidates>
  static __device__ __forceinline__ Key key_at(const Items& items, const Key* tile, unsigned long long start, unsigned int item) {
    if constexpr (kHasCandidates) {
      return items.keys[items.candidates[start + item]];
    } else {
      return tile[item];
    }
  }

  static __device__ __forceinline__ Bits bits_of(Key key) { return compared_bits(to_ordered_bits(key)); }

  // How many keys of a sample are expected among the first k of the items, and some more: hardly any sample has as many there, also where
  // neighbours are alike. At most k.
  static __device__ __forceinline__ unsigned int expected_in_sample(const Items& items, unsigned int k) {
    const float expected = static_cast<float>(k) * kTileItems / static_cast<float>(items.end - items.begin);
    const unsigned int most = static_cast<unsigned int>(expected + 4 * sqrtf(expected)) + kSampleRun;
    return most < k ? most : k;
  }

  // Sets the limit to the last of the first `rank` keys of a sample, which is a tile of runs from all over the items: as many keys
  // are not worse than that. The buffer is empty, and is empty again.
  template <bool kHasCandidates>
  __device__ __forceinline__ void limit_by_sample(const Items& items, unsigned int rank) {
    const unsigned long long distance = (items.end - items.begin) / (kTileItems / kSampleRun);
#pragma unroll 2
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int slot = i * kBlockThreads + thread_;
      const unsigned long long item = items.begin + slot / kSampleRun * distance + slot % kSampleRun;
      storage_.bits[slot] = bits_of(items.keys[position_of<kHasCandidates>(items, item)]);
    }
    count_ = kTileItems;
    limit_ = select(rank).bound;
    count_ = 0;
  }

  // The sum of a value, which is the same in all lanes of a warp, over the warps below this one; `total` becomes that of
  // all. One barrier.
  __device__ __forceinline__ unsigned int sum_of_warps_below(unsigned int value, unsigned int& total) {
    unsigned int(&totals)[kWarps] = storage_.warp_totals[parity_];
    parity_ ^= 1;
    if (lane_ == 0) totals[warp_of(thread_)] = value;
    __syncthreads();
    // Each warp adds them up by itself, a lane for each warp.
    const unsigned int of_warp = lane_ < kWarps ? totals[lane_] : 0;
    const unsigned int inclusive = inclusive_sum_in_warp(of_warp, ~0u);
    total = __shfl_sync(~0u, inclusive, 31);
    return __shfl_sync(~0u, inclusive - of_warp, warp_of(thread_));
  }

  // The items of the tile that begins there. The next tile begins where loads of vectors may; the last one has what is left.
  static __device__ __forceinline__ unsigned int tile_items_of(const Items& items, unsigned long long start) {
    const unsigned long long key = reinterpret_cast<unsigned long long>(items.keys) / sizeof(Key) + start;
    const unsigned int aligned = kTileItems - static_cast<unsigned int>(key % kVectorItems);
    const unsigned long long rest = items.end - start;
    return rest < aligned ? static_cast<unsigned int>(rest) : aligned;
  }

  // Which item of a tile this thread's item i is: a warp has neighbouring ones, and its vectors lie side by side.
  __device__ __forceinline__ unsigned int item_of(int i) const {
    return warp_of(thread_) * (kWarpThreads * kItemsPerThread) + (i / kVectorItems * kWarpThreads + lane_) * kVectorItems + i % kVectorItems;
  }

  // Loads this thread's keys of a tile.
  template <bool kHasCandidates>
  __device__ __forceinline__ void load_tile(const Items& items, unsigned long long start, unsigned int tile_items,
                                            Key (&keys)[kItemsPerThread]) const {
    if (!kHasCandidates && tile_items == kTileItems) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; i += kVectorItems) {
        const KeyVector vector = *reinterpret_cast<const KeyVector*>(items.keys + start + item_of(i));
#pragma unroll
        for (int j = 0; j < kVectorItems; ++j) keys[i + j] = vector.keys[j];
      }
    } else {
      // In place of items past the end it has the first one. A load may lie behind a predicate; none waits for a branch.
      const Key first = items.keys[position_of<kHasCandidates>(items, start)];
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        keys[i] = first;
        if (item_of(i) < tile_items) keys[i] = key_at<kHasCandidates>(items, items.keys + start, start, item_of(i));
      }
    }
  }

  // Appends the survivors of a tile, of which this thread has these keys, to the buffer, which has room for all of it, in the order of
  // their positions. They are there behind the next barrier.
  template <bool kHasCandidates>
  __device__ __forceinline__ void append(const Items& items, unsigned long long start, unsigned int tile_items,
                                         const Key (&keys)[kItemsPerThread]) {
    // A bit for each of this thread's items.
    unsigned int mask = 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const bool survives = item_of(i) < tile_items && bits_of(keys[i]) <= limit_;
      mask |= survives ? 1u << i : 0u;
    }
    PackedItems<kVectors, 8> before, totals;
    unsigned int survivors = 0;
    const bool has_survivors = __any_sync(~0u, mask != 0);
    if (has_survivors) survivors = count_beside(mask, before, totals);
    unsigned int total;
    unsigned int first = count_ + sum_of_warps_below(survivors, total);
    if (has_survivors) {
#pragma unroll
      for (int vector = 0; vector < kVectors; ++vector) {
        unsigned int slot = first + before.get(vector);
        first += totals.get(vector);
#pragma unroll
        for (int i = vector * kVectorItems; i < (vector + 1) * kVectorItems; ++i) {
          if (!(mask >> i & 1)) continue;
          storage_.bits[slot] = bits_of(keys[i]);
          storage_.positions[slot] = position_of<kHasCandidates>(items, start + item_of(i));
          ++slot;
        }
      }
    }
    count_ += total;
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

  // Items of a thread that are moved at once: registers have room for them and for their positions.
  static constexpr int kMovedItems = kItemsPerThread < 8 ? kItemsPerThread : 8;

  // Which of the buffered items are the first k: those of bits below the bound, and the first `ties` of those equal to it.
  struct Bound {
    Bits bound;
    unsigned int ties;
    // Whether the last of the k items has these very bits; otherwise they are a bound that no other item lies below.
    bool is_exact;
  };

  // The bound of the first k buffered items; there are k at least. A radix select from the most significant digit on, of
  // the items that agree in all digits before it with the last of the k. It ends where all of these are among the k.
  // A barrier precedes its first access to the buffer, and follows its last one.
  __device__ __forceinline__ Bound select(unsigned int k) { return select_values<false>(k, 0); }

  // The same of all items by their bits, or of those with bits `tied` by their positions.
  template <bool kArePositions>
  __device__ __forceinline__ Bound select_values(unsigned int k, Bits tied) {
    constexpr int kValueBits = kArePositions ? 32 : kKeyBits;
    Bits bound = 0;
    // Of the last of the k items among those that agree.
    unsigned int rank = k - 1;
#pragma unroll 1
    for (int shift = (kValueBits - 1) / kDigitBits * kDigitBits; shift >= 0; shift -= kDigitBits) {
      for (unsigned int bin = thread_; bin < kBins; bin += kBlockThreads) storage_.bin_counts[bin] = 0;
      __syncthreads();
      for (unsigned int slot = thread_; slot < count_; slot += kBlockThreads) {
        if (kArePositions && storage_.bits[slot] != tied) continue;
        const Bits bits = kArePositions ? static_cast<Bits>(storage_.positions[slot]) : storage_.bits[slot];
        const bool agrees = ((bits ^ bound) >> shift >> kDigitBits) == 0;
        if (agrees) atomicAdd(&storage_.bin_counts[static_cast<unsigned int>(bits >> shift) % kBins], 1u);
      }
      __syncthreads();
      if (thread_ < 32) choose_bin(rank);
      __syncthreads();
      const Selection selection = storage_.selection;
      bound |= static_cast<Bits>(selection.bin) << shift;
      rank -= selection.before;
      if (rank + 1 == selection.count) {
        return {static_cast<Bits>(bound | ((static_cast<Bits>(1) << shift) - 1)), count_, false};
      }
    }
    return {bound, rank + 1, true};
  }

  // Writes which bin has the item of this rank, from 0. All lanes of the first warp call it.
  __device__ __forceinline__ void choose_bin(unsigned int rank) {
    constexpr unsigned int kLaneBins = kBins / kWarpThreads;
    unsigned int bin = lane_ * kLaneBins;
    unsigned int items = 0;
#pragma unroll
    for (unsigned int i = 0; i < kLaneBins; ++i) items += storage_.bin_counts[bin + i];
    const unsigned int inclusive = inclusive_sum_in_warp(items, ~0u);
    unsigned int before = inclusive - items;
    if (before <= rank && rank < inclusive) {
      while (before + storage_.bin_counts[bin] <= rank) before += storage_.bin_counts[bin++];
      storage_.selection = {bin, before, storage_.bin_counts[bin]};
    }
  }

  // Reduces the buffer to its first k items, in the order that they are in, and sets the limit of the items to come. The
  // buffer may be read behind the next barrier.
  __device__ __forceinline__ void keep_first(unsigned int k) {
    const Bound first = select(k);
    unsigned int lower = 0;
    unsigned int equal = 0;
#pragma unroll 1
    for (unsigned int start = 0; start < count_; start += kBlockThreads * kMovedItems) move_kept(start, first, lower, equal);
    count_ = k;
    // Items equal to the last one would come behind it.
    is_closed_ = first.is_exact && first.bound == 0;
    limit_ = first.is_exact ? first.bound - 1 : first.bound;
  }

  // How many items are below the bound, and how many are equal to it:
  //
  //   | equal: 16 bits | lower: 16 bits |
  struct KeptCounts {
    unsigned int bits;
    static __device__ __forceinline__ KeptCounts pack(unsigned int lower, unsigned int equal) { return {lower + (equal << 16)}; }
    __device__ __forceinline__ unsigned int lower() const { return bits % 65536; }
    __device__ __forceinline__ unsigned int equal() const { return bits / 65536; }
    __device__ __forceinline__ KeptCounts& operator+=(KeptCounts others) {
      bits += others.bits;
      return *this;
    }
  };

  // Moves the kept items of neighbouring slots to the front. `lower` and `equal` count the items below the bound and
  // those equal to it, of the slots before and then of these too. One barrier, before the first write: items move to
  // lower slots, which all threads have read by then.
  __device__ __forceinline__ void move_kept(unsigned int start, const Bound& first, unsigned int& lower,
                                            unsigned int& equal) {
    Bits bits[kMovedItems];
    unsigned int positions[kMovedItems];
    KeptCounts counts = {0};
#pragma unroll
    for (int i = 0; i < kMovedItems; ++i) {
      const unsigned int slot = start + warp_striped<kMovedItems>(thread_, i);
      const bool is_item = slot < count_;
      bits[i] = is_item ? storage_.bits[slot] : static_cast<Bits>(kAllBits);
      positions[i] = is_item ? storage_.positions[slot] : 0;
      counts += KeptCounts::pack(__popc(lanes_below_bound(slot, bits[i], first)), __popc(lanes_at_bound(slot, bits[i], first)));
    }
    KeptCounts total;
    // Of the items before a row of the warp's.
    KeptCounts before_row = {sum_of_warps_below(counts.bits, total.bits)};
#pragma unroll
    for (int i = 0; i < kMovedItems; ++i) {
      const unsigned int slot = start + warp_striped<kMovedItems>(thread_, i);
      // Counted once more rather than kept in registers.
      const unsigned int lower_lanes = lanes_below_bound(slot, bits[i], first);
      const unsigned int equal_lanes = lanes_at_bound(slot, bits[i], first);
      const unsigned int lower_before = lower + before_row.lower() + __popc(lower_lanes & lanes_below());
      const unsigned int equal_before = equal + before_row.equal() + __popc(equal_lanes & lanes_below());
      before_row += KeptCounts::pack(__popc(lower_lanes), __popc(equal_lanes));
      const bool is_kept = bits[i] < first.bound || (bits[i] == first.bound && equal_before < first.ties);
      if (slot < count_ && is_kept) {
        const unsigned int kept_slot = lower_before + (equal_before < first.ties ? equal_before : first.ties);
        storage_.bits[kept_slot] = bits[i];
        storage_.positions[kept_slot] = positions[i];
      }
    }
    lower += total.lower();
    equal += total.equal();
  }

  // The lanes that have an item with bits below the bound, and equal to it.
  __device__ __forceinline__ unsigned int lanes_below_bound(unsigned int slot, Bits bits, const Bound& first) const {
    return __ballot_sync(~0u, slot < count_ && bits < first.bound);
  }

  __device__ __forceinline__ unsigned int lanes_at_bound(unsigned int slot, Bits bits, const Bound& first) const {
    return __ballot_sync(~0u, slot < count_ && bits == first.bound);
  }

  // Neighbouring items of a row's sample.
  static constexpr unsigned int kRowSampleRun = 4;

  // Where an item of a row's sample is: runs at irregular distances from all over the row.
  static __device__ __forceinline__ unsigned int item_of_sample(unsigned long long columns, unsigned int slot) {
    const unsigned int distance = static_cast<unsigned int>(columns / (kBufferItems / kRowSampleRun));
    return begin_of_run(slot / kRowSampleRun, distance, 0) + slot % kRowSampleRun;
  }

  // Where a run of a sample begins: in the run's part of the row, which has `distance` columns, a run's at least; elsewhere for another seed.
  static __device__ __forceinline__ unsigned int begin_of_run(unsigned int run, unsigned int distance, unsigned int seed) {
    return run * distance + __umulhi((run ^ seed) * 0x9e3779b1u, distance - (kRowSampleRun - 1));
  }

  // Sets the limit to the item of this rank, counted from 1, of a sample of the row, for the columns that begin there. Ties with the limit are up to it at positions up to its own.
  __device__ __forceinline__ void limit_by_row(const Key* row, unsigned long long columns, unsigned long long begin, unsigned int rank) {
#pragma unroll 8
    for (int i = 0; i < kBufferItems / kBlockThreads; ++i) {
      const unsigned int slot = i * kBlockThreads + thread_;
      storage_.bits[slot] = bits_of(row[item_of_sample(columns, slot)]);
    }
    count_ = kBufferItems;
    const Bound last = select(rank);
    count_ = 0;
    limit_ = last.bound;
    if (!last.is_exact) return;
    if (begin <= item_of_sample(columns, slot_of_tie(last))) return;
    is_closed_ = last.bound == 0;
    limit_ = last.bound - 1;
  }

  // The slot of the sample's last tie that is up to the limit. All threads call it. Two barriers.
  __device__ __forceinline__ unsigned int slot_of_tie(const Bound& last) {
    constexpr int kRows = kBufferItems / kBlockThreads;
    const unsigned int first = warp_of(thread_) * 32 * kRows + lane_;
    unsigned int ties = 0;
#pragma unroll 4
    for (int i = 0; i < kRows; ++i) ties += __popc(__ballot_sync(~0u, storage_.bits[first + i * 32] == last.bound));
    unsigned int total;
    unsigned int before = sum_of_warps_below(ties, total);
    if (before < last.ties && last.ties <= before + ties) {
      for (int i = 0; i < kRows; ++i) {
        const bool is_tie = storage_.bits[first + i * 32] == last.bound;
        const unsigned int lanes = __ballot_sync(~0u, is_tie);
        if (is_tie && before + __popc(lanes & lanes_below()) + 1 == last.ties) storage_.selection.bin = first + i * 32;
        before += __popc(lanes);
      }
    }
    __syncthreads();
    return storage_.selection.bin;
  }

  // Items of the buffer that a warp sorts in registers.
  static constexpr unsigned int kRunItems = 64;

  // Sorts the buffer by bits and, among equal ones, by positions: a bitonic network of ascending comparators. Comparators of items of one run
  // are a warp's own, in registers. Behind the end of the buffer it has items that are greater than all others; no comparator moves
  // them, so they are not there. The caller has passed a barrier behind the last write to the buffer. It ends with a barrier.
  __device__ __forceinline__ void sort() {
    sort_runs<false>();
    __syncthreads();
    for (unsigned int half = kRunItems; half < count_; half *= 2) {
      // Two sorted runs are merged: the first comparators are between the upper run's items and the lower's in reverse.
      for (unsigned int distance = half; distance >= kRunItems; distance /= 2) {
        for (unsigned int pair = thread_; 2 * (pair - pair % half) < count_; pair += kBlockThreads) {
          const unsigned int low = pair / distance * distance + pair;
          const unsigned int high = distance == half ? low ^ (2 * half - 1) : low + distance;
          if (high < count_) order(low, high);
        }
        __syncthreads();
      }
      sort_runs<true>();
      __syncthreads();
    }
  }

  // Sorts each run of the buffer, where they are bitonic by comparators of halves alone.
  template <bool kAreBitonic>
  __device__ __forceinline__ void sort_runs() {
    for (unsigned int run = warp_of(thread_) * kRunItems; run < count_; run += kWarps * kRunItems) {
      Limbs<kBitsLimbs + 1> items[2];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const unsigned int slot = run + 2 * lane_ + i;
        const bool is_item = slot < count_;
        const Bits bits_or_padding = is_item ? storage_.bits[slot] : static_cast<Bits>(~Bits(0));
        const Limbs<kBitsLimbs> bits = limbs_of<kBitsLimbs>(bits_or_padding);
        items[i].limb[0] = is_item ? storage_.positions[slot] : ~0u;
#pragma unroll
        for (int limb = 0; limb < kBitsLimbs; ++limb) items[i].limb[limb + 1] = bits.limb[limb];
      }
      if constexpr (kAreBitonic) {
        halve_in_warp(items, 32);
      } else {
        sort_in_warp(items);
      }
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const unsigned int slot = run + 2 * lane_ + i;
        if (slot >= count_) continue;
        Limbs<kBitsLimbs> bits;
#pragma unroll
        for (int limb = 0; limb < kBitsLimbs; ++limb) bits.limb[limb] = items[i].limb[limb + 1];
        storage_.bits[slot] = value_of_limbs<Bits>(bits);
        storage_.positions[slot] = items[i].limb[0];
      }
    }
  }

  // Puts two items of the buffer in order.
  __device__ __forceinline__ void order(unsigned int low, unsigned int high) {
    const Bits low_bits = storage_.bits[low];
    const Bits high_bits = storage_.bits[high];
    const unsigned int low_position = storage_.positions[low];
    const unsigned int high_position = storage_.positions[high];
    if (high_bits < low_bits || (high_bits == low_bits && high_position < low_position)) {
      storage_.bits[low] = high_bits;
      storage_.bits[high] = low_bits;
      storage_.positions[low] = high_position;
      storage_.positions[high] = low_position;
    }
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

  TempStorage& storage_;
  const unsigned int thread_;
  const unsigned int lane_;
  // Items in the buffer.
  unsigned int count_;
  // The largest compared bits of a survivor.
  Bits limit_;
  // The last position at which an item with the limit's bits is a survivor of a list.
  unsigned int last_tie_;
  // Whether no later item can be a survivor.
  bool is_closed_;
  // Which of the two arrays of totals is next.
  unsigned int parity_;
};

}  // namespace v0_1_0
}  // namespace sortsmith

extern "C" __global__ void
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
// Code for GPUs before Hopper takes more registers.
__launch_bounds__(256, 2)
#else
__launch_bounds__(256, 3)
#endif
block_top_k_f32_b256_i8_desc_rows(
    const sortsmith::block_top_k_f32_b256_i8_desc::Key* keys, sortsmith::block_top_k_f32_b256_i8_desc::Key* keys_out,
    unsigned int* positions_out, unsigned long long rows, unsigned long long columns, unsigned long long stride,
    unsigned int chunks, unsigned int k, bool sorted) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using TopK = sortsmith::block_top_k_f32_b256_i8_desc;
  TopK::TempStorage& storage = *reinterpret_cast<TopK::TempStorage*>(sortsmith_shared);
  sortsmith::let_next_grid_start();
  for (unsigned long long number = blockIdx.x; number < rows * chunks; number += gridDim.x) {
    const unsigned long long chunk = number % chunks;
    const unsigned long long chunk_columns = columns / chunks;
    const unsigned long long begin = chunk * chunk_columns;
    const unsigned long long end = chunk + 1 == chunks ? columns : begin + chunk_columns;
    const TopK::Items items = {keys + number / chunks * stride, nullptr, begin, end};
    TopK(storage).template find<false>(items, k, sorted, keys_out ? keys_out + number * k : nullptr,
                                       positions_out + number * k);
  }
}

extern "C" __global__ void
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
// Code for GPUs before Hopper takes more registers.
__launch_bounds__(256, 2)
#else
__launch_bounds__(256, 3)
#endif
block_top_k_f32_b256_i8_desc_survivors(
    const sortsmith::block_top_k_f32_b256_i8_desc::Key* keys, sortsmith::block_top_k_f32_b256_i8_desc::Bits* bits_out,
    unsigned int* positions_out, unsigned int* counts_out, unsigned long long rows, unsigned long long columns,
    unsigned long long stride, unsigned int chunks, unsigned int k, unsigned int rank) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using TopK = sortsmith::block_top_k_f32_b256_i8_desc;
  TopK::TempStorage& storage = *reinterpret_cast<TopK::TempStorage*>(sortsmith_shared);
  sortsmith::let_next_grid_start();
  for (unsigned long long number = blockIdx.x; number < rows * chunks; number += gridDim.x) {
    const unsigned long long chunk = number % chunks;
    const unsigned long long chunk_columns = columns / chunks;
    const unsigned long long begin = chunk * chunk_columns;
    const unsigned long long end = chunk + 1 == chunks ? columns : begin + chunk_columns;
    TopK(storage).find_survivors(keys + number / chunks * stride, columns, begin, end, k, rank, bits_out + number * k,
                                 positions_out + number * k, counts_out + number);
  }
}

extern "C" __global__ void __launch_bounds__(256, 2)
block_top_k_f32_b256_i8_desc_ranked(
    const sortsmith::block_top_k_f32_b256_i8_desc::Key* keys, const sortsmith::block_top_k_f32_b256_i8_desc::Bits* bits,
    const unsigned int* survivors, const unsigned int* counts, sortsmith::block_top_k_f32_b256_i8_desc::Key* keys_out,
    unsigned int* positions_out, unsigned int* of_groups, unsigned long long rows, unsigned long long columns,
    unsigned long long stride, unsigned int lists, unsigned int rankers, unsigned int groups, unsigned int k,
    bool sorted) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using TopK = sortsmith::block_top_k_f32_b256_i8_desc;
  TopK::TempStorage& storage = *reinterpret_cast<TopK::TempStorage*>(sortsmith_shared);
  sortsmith::wait_for_previous_grid();
  sortsmith::let_next_grid_start();
  // These have 32 bits, so that all variables stay in registers: the launch is for few rows.
  const unsigned int all_rankers = static_cast<unsigned int>(rows) * rankers;
  for (unsigned int number = blockIdx.x; number < all_rankers; number += gridDim.x) {
    const unsigned int row = number / rankers;
    const unsigned int block = number % rankers;
    const sortsmith::block_top_k_f32_b256_i8_desc::Key* const row_keys = keys + row * stride;
    const unsigned int list = row * lists;
    const TopK::Survivors of_row = {bits + list * k, survivors + list * k, counts + list, lists};
    TopK top_k(storage);
    const unsigned int total = top_k.count_survivors(of_row);
    sortsmith::block_top_k_f32_b256_i8_desc::Key* const row_keys_out = keys_out ? keys_out + row * k : nullptr;
    unsigned int* const output = positions_out + row * k;
    // One block selects survivors, for which it has room with their positions, and searches all columns if it has to.
    const bool is_alone = rankers == 1;
    if (total >= k && total <= (is_alone ? TopK::kBufferItems : TopK::kMaxRanked)) {
      if (is_alone) {
        top_k.select_survivors(row_keys, of_row, k, total, sorted, row_keys_out, output);
        continue;
      }
      top_k.load_survivors(of_row, k, total);
      __syncthreads();
      const unsigned int of_block = (total + rankers - 1) / rankers;
      const unsigned int begin = block * of_block;
      const unsigned int end = begin + of_block < total ? begin + of_block : total;
      top_k.write_ranked(row_keys, of_row, k, total, begin, end, row_keys_out, output);
      // No item's position where a row has several chunks.
      if (block == 0 && threadIdx.x == 0) of_groups[row * groups * k] = TopK::kNothingToDo;
    } else if (block < groups) {
      const unsigned long long group_columns = columns / groups;
      const unsigned long long begin = block * group_columns;
      const unsigned long long end = block + 1 == groups ? columns : begin + group_columns;
      unsigned int* const to = is_alone ? output : of_groups + (row * groups + block) * k;
      TopK(storage).template find<false>({row_keys, nullptr, begin, end}, k, is_alone && sorted, is_alone ? row_keys_out : nullptr, to);
    }
  }
}

extern "C" __global__ void __launch_bounds__(256)
block_top_k_f32_b256_i8_desc_samples(
    const sortsmith::block_top_k_f32_b256_i8_desc::Key* keys,
    sortsmith::block_top_k_f32_b256_i8_desc::Bits* sample_bits, unsigned int* sample_positions, unsigned int* counts,
    unsigned long long rows, unsigned long long columns, unsigned long long stride, unsigned int blocks,
    unsigned int kept) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using TopK = sortsmith::block_top_k_f32_b256_i8_desc;
  TopK::TempStorage& storage = *reinterpret_cast<TopK::TempStorage*>(sortsmith_shared);
  sortsmith::let_next_grid_start();
  for (unsigned long long number = blockIdx.x; number < rows * blocks; number += gridDim.x) {
    const unsigned long long row = number / blocks;
    const unsigned int block = static_cast<unsigned int>(number % blocks);
    if (block == 0 && threadIdx.x == 0) counts[row] = 0;
    TopK(storage).find_in_sample(keys + row * stride, columns, block, blocks, kept, sample_bits + number * kept, sample_positions + number * kept);
  }
}

extern "C" __global__ void
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
// Code for GPUs before Hopper takes more registers.
__launch_bounds__(256, 2)
#else
__launch_bounds__(256, 4)
#endif
block_top_k_f32_b256_i8_desc_filtered(
    const sortsmith::block_top_k_f32_b256_i8_desc::Key* keys,
    const sortsmith::block_top_k_f32_b256_i8_desc::Bits* sample_bits, const unsigned int* sample_positions,
    sortsmith::block_top_k_f32_b256_i8_desc::Bits* bits, unsigned int* survivors, unsigned int* counts,
    unsigned long long rows, unsigned long long columns, unsigned long long stride, unsigned int chunks,
    unsigned int samples, unsigned int rank, unsigned int room) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using TopK = sortsmith::block_top_k_f32_b256_i8_desc;
  TopK::TempStorage& storage = *reinterpret_cast<TopK::TempStorage*>(sortsmith_shared);
  sortsmith::wait_for_previous_grid();
  sortsmith::let_next_grid_start();
  for (unsigned long long number = blockIdx.x; number < rows * chunks; number += gridDim.x) {
    const unsigned long long row = number / chunks;
    const unsigned long long chunk = number % chunks;
    const unsigned long long chunk_columns = columns / chunks;
    const unsigned long long begin = chunk * chunk_columns;
    const unsigned long long end = chunk + 1 == chunks ? columns : begin + chunk_columns;
    TopK top_k(storage);
    top_k.limit_by_samples(sample_bits + row * samples, sample_positions + row * samples, samples, rank);
    top_k.append_to_list({keys + row * stride, nullptr, begin, end}, room, bits + row * room, survivors + row * room, counts + row);
  }
}

extern "C" __global__ void __launch_bounds__(256, 2)
block_top_k_f32_b256_i8_desc_listed(
    const sortsmith::block_top_k_f32_b256_i8_desc::Key* keys, const sortsmith::block_top_k_f32_b256_i8_desc::Bits* bits,
    const unsigned int* survivors, const unsigned int* counts, sortsmith::block_top_k_f32_b256_i8_desc::Key* keys_out,
    unsigned int* positions_out, unsigned int* of_groups, unsigned long long rows, unsigned long long columns,
    unsigned long long stride, unsigned int room, unsigned int groups, unsigned int k, bool sorted) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using TopK = sortsmith::block_top_k_f32_b256_i8_desc;
  TopK::TempStorage& storage = *reinterpret_cast<TopK::TempStorage*>(sortsmith_shared);
  sortsmith::wait_for_previous_grid();
  sortsmith::let_next_grid_start();
  for (unsigned long long number = blockIdx.x; number < rows * groups; number += gridDim.x) {
    const unsigned long long row = number / groups;
    const unsigned long long group = number % groups;
    const sortsmith::block_top_k_f32_b256_i8_desc::Key* const row_keys = keys + row * stride;
    const unsigned int count = counts[row];
    if (count >= k && count <= room) {
      if (group > 0) continue;
      // No item's position where a row has less than 2^32 columns.
      if (threadIdx.x == 0) of_groups[number * k] = TopK::kNothingToDo;
      TopK(storage).find_in_list(row_keys, bits + row * room, survivors + row * room, count, k, sorted, keys_out ? keys_out + row * k : nullptr,
                                 positions_out + row * k);
    } else {
      const unsigned long long group_columns = columns / groups;
      const unsigned long long begin = group * group_columns;
      const unsigned long long end = group + 1 == groups ? columns : begin + group_columns;
      TopK(storage).template find<false>({row_keys, nullptr, begin, end}, k, false, nullptr, of_groups + number * k);
    }
  }
}

// Its blocks are few, and addresses of candidates take registers.
extern "C" __global__ void __launch_bounds__(256, 1)
block_top_k_f32_b256_i8_desc_candidates(
    const sortsmith::block_top_k_f32_b256_i8_desc::Key* keys, const unsigned int* candidates,
    sortsmith::block_top_k_f32_b256_i8_desc::Key* keys_out, unsigned int* positions_out, unsigned long long rows,
    unsigned long long count, unsigned long long stride, unsigned int groups, unsigned int k, bool sorted) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using TopK = sortsmith::block_top_k_f32_b256_i8_desc;
  TopK::TempStorage& storage = *reinterpret_cast<TopK::TempStorage*>(sortsmith_shared);
  sortsmith::wait_for_previous_grid();
  sortsmith::let_next_grid_start();
  for (unsigned long long number = blockIdx.x; number < rows * groups; number += gridDim.x) {
    const unsigned long long group = number % groups;
    const unsigned long long group_items = count / groups;
    const unsigned long long begin = group * group_items;
    const unsigned long long end = group + 1 == groups ? count : begin + group_items;
    const unsigned long long row = number / groups;
    if (candidates[row * count] == TopK::kNothingToDo) continue;
    const TopK::Items items = {keys + row * stride, candidates + row * count, begin, end};
    TopK(storage).template find<true>(items, k, sorted, keys_out ? keys_out + number * k : nullptr,
                                      positions_out + number * k);
  }
}
#endif
