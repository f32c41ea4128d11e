// block_top_k_f16_b128_i4_asc_nanlast
//
// Finds the smallest f16 keys: the first k keys of each row of a matrix, and their positions in the row.
// Of equal keys those at the lowest positions are found. k is at most 256 and at most the columns.
//
// Keys order by sign and magnitude. -0.0 and +0.0 are equal. NaNs come last, in their input order.
//
// Survivor: an item that is not worse than the limit. Limit: the worst of k keys that are known, or a worse key.
//
// A block reads its row once, tile after tile, and appends the survivors to a buffer in shared memory, in the order of
// their positions. When the buffer might overflow, a radix select of the buffered keys keeps the first k items, and the
// last of these is the new limit: later items equal to it are at higher positions, so they are no survivors. The first
// limit of a long row is that of a sample of its keys, so that rows in ascending order have few survivors, too.
//
// A long row may be split into chunks, for a block each; a second launch finds the first k of the chunks' candidates.
// The host's launches, for outputs of k items a row, row after row:
//
//   block_top_k_f16_b128_i4_asc_nanlast_rows<<<any, 128, 9260, stream>>>(keys, keys_out, positions_out, rows, columns, stride, 1, k, sorted);
//
// or, with chunks of at least k columns and room for rows * chunks * k candidates:
//
//   block_top_k_f16_b128_i4_asc_nanlast_rows<<<any, 128, 9260, stream>>>(keys, nullptr, candidates, rows, columns, stride, chunks, k, false);
//   block_top_k_f16_b128_i4_asc_nanlast_candidates<<<any, 128, 9260, stream>>>(keys, candidates, keys_out, positions_out, rows, chunks * k, stride, k, sorted);
//
// stride is the distance between the first keys of two rows. keys_out may be null. Without `sorted` the items come in
// the order of their positions.
//
// Made by sortsmith 0.1.0 from the template block_top_k; to make it again:
//   sortsmith emit --name block_top_k_f16_b128_i4_asc_nanlast --out .
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

#ifndef SORTSMITH_V0_1_0_WARP
#define SORTSMITH_V0_1_0_WARP
namespace sortsmith {
inline namespace v0_1_0 {

// Adds up `value` over the lanes at or below this one. All lanes of `lanes`, a mask without gaps from lane 0 up, call it.
__device__ __forceinline__ unsigned int inclusive_sum_in_warp(unsigned int value, unsigned int lanes) {
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
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
    const int lane = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
    if (lane >= distance) value += below;
#endif
  }
  return value;
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_TOP_K_F16_B128_I4_ASC_NANLAST
#define SORTSMITH_V0_1_0_BLOCK_TOP_K_F16_B128_I4_ASC_NANLAST
namespace sortsmith {
inline namespace v0_1_0 {

struct block_top_k_f16_b128_i4_asc_nanlast {
  using Key = __half;

  static constexpr int kBlockThreads = 128;
  static constexpr int kItemsPerThread = 4;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  // Room for the items of a tile beside those of a tile that were there before it.
  static constexpr int kBufferItems = 2 * kTileItems;
  static constexpr int kKeyBits = 16;
  static constexpr unsigned int kMaxK = 256;
  static constexpr unsigned int kSharedBytes = 9260;

 private:
  static constexpr int kDigitBits = 8;
  static constexpr int kBins = 1 << kDigitBits;
  static constexpr int kWarps = kBlockThreads / 32;

  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = unsigned int;
  using StoredBits = unsigned short;
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

  explicit __device__ __forceinline__ block_top_k_f16_b128_i4_asc_nanlast(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x), count_(0), limit_(kAllBits), is_closed_(false), parity_(0) {}

  // Writes the first k of the items, which are at least as many, and their positions: sorted, or in the order of their
  // positions. `keys_out` may be null. All threads call it with the same arguments. The storage may be used for another
  // row at once: positions are not written there before the next barrier.
  template <bool kHasCandidates>
  __device__ __forceinline__ void find(const Items items, unsigned int k, bool sorted, Key* keys_out,
                                       unsigned int* positions_out) {
    if (items.end - items.begin >= kSampledTiles * kTileItems) limit_by_sample<kHasCandidates>(items, k);
    for (unsigned long long start = items.begin;; start += kTileItems) {
      // Behind the last tile there are k items, and before another one room for it.
      const bool is_end = start >= items.end;
      const unsigned int most = is_end ? k : kTileItems;
      if (count_ > most) keep_first(k);
      if (is_end || is_closed_) break;
      append<kHasCandidates>(items, start);
    }
    __syncthreads();
    if (sorted) sort();
    for (unsigned int slot = thread_; slot < k; slot += kBlockThreads) {
      const unsigned int position = storage_.positions[slot];
      positions_out[slot] = position;
      // Not from the compared bits, which -0.0 has in common with +0.0, and NaNs may have with each other.
      if (keys_out) keys_out[slot] = items.keys[position];
    }
  }

 private:
  // Rows of at least as many tiles are sampled.
  static constexpr unsigned long long kSampledTiles = 8;
  // Neighbouring items of a sample: a sector of memory or more.
  static constexpr unsigned int kSampleRun = 8;

  // The lanes of the warp below this one.
  __device__ __forceinline__ unsigned int lanes_below() const { return (1u << lane_of(thread_)) - 1; }

  template <bool kHasCandidates>
  static __device__ __forceinline__ unsigned int position_of(const Items& items, unsigned long long item) {
    return kHasCandidates ? items.candidates[item] : static_cast<unsigned int>(item);
  }

  static __device__ __forceinline__ Bits load_bits(const Items& items, unsigned int position) {
    return compared_bits(to_ordered_bits(items.keys[position]));
  }

  // Sets the limit to the last of the first k keys of a sample, which is a tile of runs from all over the items: k keys
  // are not worse than that. The buffer is empty, and is empty again.
  template <bool kHasCandidates>
  __device__ __forceinline__ void limit_by_sample(const Items& items, unsigned int k) {
    const unsigned long long distance = (items.end - items.begin) / (kTileItems / kSampleRun);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int slot = i * kBlockThreads + thread_;
      const unsigned long long item = items.begin + slot / kSampleRun * distance + slot % kSampleRun;
      storage_.bits[slot] = load_bits(items, position_of<kHasCandidates>(items, item));
    }
    count_ = kTileItems;
    limit_ = select(k).bound;
    count_ = 0;
  }

  // The sum of a value, which is the same in all lanes of a warp, over the warps below this one; `total` becomes that of
  // all. One barrier.
  __device__ __forceinline__ unsigned int sum_of_warps_below(unsigned int value, unsigned int& total) {
    unsigned int(&totals)[kWarps] = storage_.warp_totals[parity_];
    parity_ ^= 1;
    if (lane_of(thread_) == 0) totals[warp_of(thread_)] = value;
    __syncthreads();
    // Each warp adds them up by itself, a lane for each warp.
    const unsigned int of_warp = lane_of(thread_) < kWarps ? totals[lane_of(thread_)] : 0;
    const unsigned int inclusive = inclusive_sum_in_warp(of_warp, ~0u);
    total = __shfl_sync(~0u, inclusive, 31);
    return __shfl_sync(~0u, inclusive - of_warp, warp_of(thread_));
  }

  // Appends the survivors of a tile to the buffer, which has room for all of it, in the order of their positions. They are
  // there behind the next barrier.
  template <bool kHasCandidates>
  __device__ __forceinline__ void append(const Items& items, unsigned long long start) {
    const unsigned long long rest = items.end - start;
    const unsigned int tile_items = rest < kTileItems ? static_cast<unsigned int>(rest) : kTileItems;
    Bits bits[kItemsPerThread];
    unsigned int positions[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      // Past the end the last item is read again, so that no load waits for a branch.
      const unsigned int item = warp_striped<kItemsPerThread>(thread_, i);
      positions[i] = position_of<kHasCandidates>(items, start + (item < tile_items ? item : tile_items - 1));
      bits[i] = load_bits(items, positions[i]);
    }
    unsigned int slots[kItemsPerThread];
    unsigned int survivors = 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const bool survives = warp_striped<kItemsPerThread>(thread_, i) < tile_items && bits[i] <= limit_;
      const unsigned int lanes = __ballot_sync(~0u, survives);
      slots[i] = survives ? survivors + __popc(lanes & lanes_below()) : kNoSlot;
      survivors += __popc(lanes);
    }
    unsigned int total;
    const unsigned int first = count_ + sum_of_warps_below(survivors, total);
    if (survivors > 0) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        if (slots[i] != kNoSlot) {
          storage_.bits[first + slots[i]] = bits[i];
          storage_.positions[first + slots[i]] = positions[i];
        }
      }
    }
    count_ += total;
  }

  static constexpr unsigned int kNoSlot = ~0u;

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
  __device__ __forceinline__ Bound select(unsigned int k) {
    Bits bound = 0;
    // Of the last of the k items among those that agree.
    unsigned int rank = k - 1;
#pragma unroll 1
    for (int shift = (kKeyBits - 1) / kDigitBits * kDigitBits; shift >= 0; shift -= kDigitBits) {
      for (unsigned int bin = thread_; bin < kBins; bin += kBlockThreads) storage_.bin_counts[bin] = 0;
      __syncthreads();
      for (unsigned int slot = thread_; slot < count_; slot += kBlockThreads) {
        const Bits bits = storage_.bits[slot];
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
    constexpr unsigned int kLaneBins = kBins / 32;
    unsigned int bin = lane_of(thread_) * kLaneBins;
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
    for (unsigned int start = 0; start < count_; start += kTileItems) move_kept(start, first, lower, equal);
    count_ = k;
    // Items equal to the last one would come behind it.
    is_closed_ = first.is_exact && first.bound == 0;
    limit_ = first.is_exact ? first.bound - 1 : first.bound;
  }

  // Moves those of a tile of the buffer that are kept to the front. `lower` and `equal` count the items below the bound and
  // those equal to it, of the tiles before and then of this one too. One barrier, before the first write: items move to
  // lower slots, which all threads have read by then.
  __device__ __forceinline__ void move_kept(unsigned int start, const Bound& first, unsigned int& lower,
                                            unsigned int& equal) {
    Bits bits[kItemsPerThread];
    unsigned int positions[kItemsPerThread];
    // How many items before it in the warp are lower, and how many are equal, in the upper half.
    unsigned int before[kItemsPerThread];
    unsigned int counts = 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int slot = start + warp_striped<kItemsPerThread>(thread_, i);
      const bool is_item = slot < count_;
      bits[i] = is_item ? storage_.bits[slot] : kAllBits;
      positions[i] = is_item ? storage_.positions[slot] : 0;
      const unsigned int lower_lanes = __ballot_sync(~0u, is_item && bits[i] < first.bound);
      const unsigned int equal_lanes = __ballot_sync(~0u, is_item && bits[i] == first.bound);
      before[i] = counts + __popc(lower_lanes & lanes_below()) + (__popc(equal_lanes & lanes_below()) << 16);
      counts += __popc(lower_lanes) + (__popc(equal_lanes) << 16);
    }
    unsigned int total;
    const unsigned int below = sum_of_warps_below(counts, total);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int lower_before = lower + (below + before[i]) % 65536;
      const unsigned int equal_before = equal + (below + before[i]) / 65536;
      const unsigned int slot = start + warp_striped<kItemsPerThread>(thread_, i);
      const bool is_kept = bits[i] < first.bound || (bits[i] == first.bound && equal_before < first.ties);
      if (slot < count_ && is_kept) {
        const unsigned int kept_slot = lower_before + (equal_before < first.ties ? equal_before : first.ties);
        storage_.bits[kept_slot] = bits[i];
        storage_.positions[kept_slot] = positions[i];
      }
    }
    lower += total % 65536;
    equal += total / 65536;
  }

  // Sorts the buffer by bits and, among equal ones, by positions: a bitonic network of ascending comparators. Behind the
  // end of the buffer it has items that are greater than all others; no comparator moves them, so they are not there. The
  // caller has passed a barrier behind the last write to the buffer. It ends with a barrier.
  __device__ __forceinline__ void sort() {
    for (unsigned int half = 1; half < count_; half *= 2) {
      // Two sorted runs are merged: the first comparators are between the upper run's items and the lower's in reverse.
      for (unsigned int distance = half; distance > 0; distance /= 2) {
        for (unsigned int pair = thread_; 2 * (pair - pair % half) < count_; pair += kBlockThreads) {
          const unsigned int low = pair / distance * distance + pair;
          const unsigned int high = distance == half ? low ^ (2 * half - 1) : low + distance;
          if (high < count_) order(low, high);
        }
        __syncthreads();
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

  TempStorage& storage_;
  const unsigned int thread_;
  // Items in the buffer.
  unsigned int count_;
  // The largest compared bits of a survivor.
  Bits limit_;
  // Whether no later item can be a survivor.
  bool is_closed_;
  // Which of the two arrays of totals is next.
  unsigned int parity_;
};

}  // namespace v0_1_0
}  // namespace sortsmith

extern "C" __global__ void __launch_bounds__(128, 1)
block_top_k_f16_b128_i4_asc_nanlast_rows(const sortsmith::block_top_k_f16_b128_i4_asc_nanlast::Key* keys, sortsmith::block_top_k_f16_b128_i4_asc_nanlast::Key* keys_out,
    unsigned int* positions_out, unsigned long long rows, unsigned long long columns, unsigned long long stride,
    unsigned int chunks, unsigned int k, bool sorted) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using TopK = sortsmith::block_top_k_f16_b128_i4_asc_nanlast;
  TopK::TempStorage& storage = *reinterpret_cast<TopK::TempStorage*>(sortsmith_shared);
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

extern "C" __global__ void __launch_bounds__(128, 1)
block_top_k_f16_b128_i4_asc_nanlast_candidates(const sortsmith::block_top_k_f16_b128_i4_asc_nanlast::Key* keys, const unsigned int* candidates,
    sortsmith::block_top_k_f16_b128_i4_asc_nanlast::Key* keys_out, unsigned int* positions_out, unsigned long long rows,
    unsigned long long count, unsigned long long stride, unsigned int k, bool sorted) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using TopK = sortsmith::block_top_k_f16_b128_i4_asc_nanlast;
  TopK::TempStorage& storage = *reinterpret_cast<TopK::TempStorage*>(sortsmith_shared);
  for (unsigned long long row = blockIdx.x; row < rows; row += gridDim.x) {
    const TopK::Items items = {keys + row * stride, candidates + row * count, 0, count};
    TopK(storage).template find<true>(items, k, sorted, keys_out ? keys_out + row * k : nullptr,
                                      positions_out + row * k);
  }
}
#endif
