// Finish: gathers a bucket from its pieces, sorts it on chip and writes the result; and writes buckets of equal keys.
//
// Keys are mapped linearly, by the bucket's bounds, to as many sub-buckets as a block has room for items. A counting pass
// nearly sorts them; overlapping register windows do the rest; keys that the map does not tell apart are fixed up. A bucket
// for which that does not do (a sub-bucket or a run of tied keys is long) is listed, and a second kernel sorts it by merges.
#pragma once

#include "block.cuh"
#include "bounds.cuh"
#include "types.cuh"

namespace nocliffs {

constexpr int kRegisterWindow = 16;
constexpr unsigned kLongSubBucket = 64;
constexpr unsigned kLongRun = 8;

template <class S, int kBuckets>
struct FinishArguments {
  const typename S::Bits* keys;
  const typename S::Value* values;
  typename S::Bits* keys_out;
  typename S::Value* values_out;
  const uint16_t* rows;
  const Parents<typename S::Bits>* parents;
  unsigned parent_count;
  const Bounds<typename S::Bits, kBuckets>* bounds;
  const Bucket* buckets;
  Bucket* merged;
  const EqualChunk* equal_chunks;
  Counts* counts;
};

// The word of an offset: a gap of four behind each 32 keeps register windows that are read at once in different banks.
__device__ __forceinline__ unsigned slot_of(unsigned offset) { return offset + (offset >> 5) * 4; }

__device__ __forceinline__ void load_half(const uint32_t* composites, unsigned offset, uint32_t* x) {
#pragma unroll
  for (int i = 0; i < kRegisterWindow / 2; i += 4) {
    const uint4 four = *reinterpret_cast<const uint4*>(composites + slot_of(offset + i));
    x[i] = four.x, x[i + 1] = four.y, x[i + 2] = four.z, x[i + 3] = four.w;
  }
}

__device__ __forceinline__ void store_half(uint32_t* composites, unsigned offset, const uint32_t* x) {
#pragma unroll
  for (int i = 0; i < kRegisterWindow / 2; i += 4)
    *reinterpret_cast<uint4*>(composites + slot_of(offset + i)) = make_uint4(x[i], x[i + 1], x[i + 2], x[i + 3]);
}

// Sorts nearly sorted composites: each thread its register window, then one half a register window later, until all is
// in order. Offsets from `size` up to the end of its register window hold all ones. All threads of the block call it.
template <int kThreads>
__device__ __forceinline__ void sort_by_register_windows(uint32_t* composites, unsigned size) {
  const unsigned begin = threadIdx.x * kRegisterWindow, next = begin + kRegisterWindow;
  const bool active = begin < size;
  uint32_t x[kRegisterWindow];
  if (active) {
    load_half(composites, begin, x);
    load_half(composites, begin + kRegisterWindow / 2, x + kRegisterWindow / 2);
    sort_registers<0, kRegisterWindow>(x);
  }
  while (true) {
    if (active) store_half(composites, begin, x);
    __syncthreads();
    bool wrong = false;
    if (active) {
      const uint32_t before = x[kRegisterWindow / 2 - 1];
#pragma unroll
      for (int i = 0; i < kRegisterWindow / 2; ++i) x[i] = x[i + kRegisterWindow / 2];
      if (next < size) {
        load_half(composites, next, x + kRegisterWindow / 2);
      } else {
#pragma unroll
        for (int i = kRegisterWindow / 2; i < kRegisterWindow; ++i) x[i] = ~0u;
      }
      merge_halves<0, kRegisterWindow, 1>(x);
      store_half(composites, begin + kRegisterWindow / 2, x);
      if (next < size) store_half(composites, next, x + kRegisterWindow / 2);
      wrong = begin == 0 && before > x[0];
    }
    __syncthreads();
    if (active && next + kRegisterWindow / 2 < size) wrong |= x[kRegisterWindow - 1] > composites[slot_of(next + kRegisterWindow / 2)];
    if (!__syncthreads_or(wrong)) return;
    if (active) {
      load_half(composites, begin, x);
      load_half(composites, begin + kRegisterWindow / 2, x + kRegisterWindow / 2);
      merge_halves<0, kRegisterWindow, 1>(x);
    }
    __syncthreads();
  }
}

template <class S, int kThreads, int kRows>
struct FinishStorage {
  static constexpr int kItems = kThreads * kRows;
  static constexpr int kSubBuckets = kItems <= 4096 ? 4096 : kItems <= 8192 ? 8192 : 16384;
  using Stored = std::conditional_t<S::kPairs, typename S::Value, NoValue>;
  typename S::Bits keys[kItems];
  union {
    uint32_t sub_buckets[kSubBuckets / 2];  // counters of sub-buckets, 16 bits each
    uint32_t composites[kItems + kItems / 8 + 4];
    uint32_t delta[kItems];
  };
  Stored values[S::kPairs ? kItems : 1];
  uint32_t marks[kItems / 32];
  uint32_t sums[33];
};

// A monotone map of a bucket's keys to [0, 2^kBits), linear between its bounds.
template <class Bits, int kBits>
struct LinearMap {
  Bits low;
  int shift;  // left, if positive
  uint32_t factor;

  __device__ __forceinline__ LinearMap(Bits low_key, Bits high_key) : low(low_key) {
    const Bits range = high_key - low_key;
    const int used = sizeof(Bits) == 8 ? 64 - __clzll(static_cast<long long>(range)) : 32 - __clz(static_cast<int>(range));
    shift = 32 - used;
    const uint32_t top = shift >= 0 ? static_cast<uint32_t>(range) << shift : static_cast<uint32_t>(range >> -shift);
    // A little less than 2^(32 + kBits) / (top + 1), which keeps the map below 2^kBits.
    factor = static_cast<uint32_t>(__fdividef(exp2f(kBits + 16) * 0.999999f, __uint2float_rn(top) * 0x1p-16f));
  }
  __device__ __forceinline__ uint32_t operator()(Bits key) const {
    const Bits distance = key - low;
    const uint32_t top = shift >= 0 ? static_cast<uint32_t>(distance) << shift : static_cast<uint32_t>(distance >> -shift);
    return __umulhi(top, factor);
  }
};

template <class T>
__device__ __forceinline__ void copy_async(T* to_shared, const T* from) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "one instruction copies 4 or 8 bytes");
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(to_shared));
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(sizeof(T)) : "memory");
}

// Marks the pieces of items [from, from + valid) of a bucket. All threads call it, with `marks` cleared and a barrier
// since; it ends with a barrier.
template <int kThreads, class S, int kBuckets>
__device__ __forceinline__ void mark_pieces(const FinishArguments<S, kBuckets>& a, const Bucket& bucket, unsigned from, unsigned valid,
                                            const PieceMap& map, uint32_t* sums) {
  const unsigned parent_begin = a.parents->begin[bucket.parent];
  const unsigned parent_size = a.parents->begin[bucket.parent + 1] - parent_begin;
  const unsigned first_tile = a.parents->tile[bucket.parent];
  const unsigned tiles = (parent_size + kTileItems - 1) / kTileItems;
  unsigned before = 0;
  for (unsigned begin = 0; begin < tiles && before < from + valid; begin += kThreads) {
    const unsigned tile = begin + threadIdx.x;
    unsigned size = 0, offset = 0;
    if (tile < tiles) {
      const uint16_t* row = a.rows + size_t{first_tile + tile} * kBuckets;
      offset = row[bucket.index];
      const unsigned rest = min(parent_size - tile * kTileItems, static_cast<unsigned>(kTileItems));
      size = (bucket.index + 1 < kBuckets ? row[bucket.index + 1] : rest) - offset;
    }
    unsigned total;
    const unsigned position = before + block_exclusive_sum<kThreads>(size, sums, total);
    before += total;
    if (size != 0 && position < from + valid && position + size > from) {
      const unsigned skipped = max(position, from) - position;
      map.mark(position + skipped - from, parent_begin + tile * kTileItems + offset + skipped);
    }
  }
  __syncthreads();
}

// Brings runs of tied composites into the order of their keys. Returns whether there is a long run that is not in order.
template <class S, int kThreads, int kRows, int kPositionBits>
__device__ __forceinline__ bool fix_ties(FinishStorage<S, kThreads, kRows>& s, unsigned size) {
  constexpr uint32_t kPosition = (1u << kPositionBits) - 1u;
  const auto composite = [&](unsigned offset) -> uint32_t& { return s.composites[slot_of(offset)]; };
  const Swizzled<typename S::Bits> keys_by_position{s.keys};
  const auto key = [&](uint32_t c) { return keys_by_position[c & kPosition]; };
  for (unsigned i = threadIdx.x; i < (kThreads * kRows) / 32; i += kThreads) s.marks[i] = 0;
  __syncthreads();
  unsigned found = 0;
  const unsigned thread = opaque(threadIdx.x);
#pragma unroll
  for (int row = 0; row < kRows; ++row) {
    const unsigned offset = row * kThreads + thread;
    if (offset + 1 < size) {
      const uint32_t mine = composite(offset), next = composite(offset + 1);
      if ((mine ^ next) >> kPositionBits == 0 && key(mine) > key(next)) {
        found |= 1u << row;
        atomicOr(&s.marks[offset >> 5], 1u << (offset & 31u));
      }
    }
  }
  if (!__syncthreads_or(found)) return false;
  bool is_long = false;
  while (found != 0) {
    const unsigned at = (__ffs(found) - 1) * kThreads + threadIdx.x;
    found &= found - 1;
    const uint32_t tied = composite(at) >> kPositionBits;
    unsigned begin = at, end = at + 2;
    bool first = true;
    while (begin > 0 && at - begin < kLongRun && composite(begin - 1) >> kPositionBits == tied) {
      --begin;
      first &= !(s.marks[begin >> 5] >> (begin & 31u) & 1u);
    }
    while (end < size && end - begin <= kLongRun && composite(end) >> kPositionBits == tied) ++end;
    if (end - begin > kLongRun) {
      is_long = true;
    } else if (first) {
      for (unsigned i = begin + 1; i < end; ++i) {
        const uint32_t moved = composite(i);
        const auto moved_key = key(moved);
        unsigned j = i;
        for (; j > begin && key(composite(j - 1)) > moved_key; --j) composite(j) = composite(j - 1);
        composite(j) = moved;
      }
    }
  }
  return __syncthreads_or(is_long);
}

// Where a bucket's keys lie: from `low` to `high`.
template <class Bits>
struct Range {
  Bits low;
  Bits high;
};

template <class S, int kBuckets>
__device__ __forceinline__ Range<typename S::Bits> range_of(const FinishArguments<S, kBuckets>& a, const Bucket& bucket) {
  const typename S::Bits* lows = &a.bounds[bucket.parent].lows[bucket.index];
  if (bucket.index + 1 < kBuckets) return {lows[0], lows[1] - 1};
  return {lows[0], parent_high(a.parents, bucket.parent, a.parent_count)};
}

// Copies a bucket's items to shared memory, in the order of their tiles. It ends with a barrier.
template <int kThreads, int kRows, class S, int kBuckets, class Storage>
__device__ __forceinline__ void gather(const FinishArguments<S, kBuckets>& a, const Bucket& bucket, Storage& s) {
  const PieceMap map{s.marks, s.delta};
  const Swizzled<typename S::Bits> keys{s.keys};
  for (unsigned i = threadIdx.x; i < Storage::kItems / 32; i += kThreads) s.marks[i] = 0;
  mark_pieces<kThreads>(a, bucket, 0, bucket.size, map, s.sums);
  map.template for_each<kRows>(opaque(warp_id() * kRows), bucket.size, [&](int, unsigned position, unsigned source) {
    copy_async(&keys[position], a.keys + source);
    if constexpr (S::kPairs) copy_async(&s.values[position], a.values + source);
  });
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
}

// The launches of finish need nothing from each other: each lets the next one begin beside it, and ends after the one before.
template <class S, int kBuckets, int kThreads, int kRows, int kBlocks, int kClass>
__global__ __launch_bounds__(kThreads, kBlocks) void finish(const FinishArguments<S, kBuckets> a) {
  using Bits = typename S::Bits;
  using Storage = FinishStorage<S, kThreads, kRows>;
  constexpr unsigned kItems = Storage::kItems;
  constexpr int kPositionBits = 12 + kClass;
  constexpr int kMapBits = 32 - kPositionBits;
  constexpr uint32_t kPosition = (1u << kPositionBits) - 1u;
  constexpr int kSubBucketShift = kMapBits - kPositionBits;
  static_assert(Storage::kSubBuckets == 1 << kPositionBits, "a sub-bucket for each position");
  extern __shared__ __align__(16) unsigned char storage[];
  auto& s = *reinterpret_cast<Storage*>(storage);
  const Swizzled<Bits> by_position{s.keys};
  const unsigned count = a.counts->buckets[kClass];
  cudaTriggerProgrammaticLaunchCompletion();
#pragma unroll 1
  for (unsigned b = blockIdx.x; b < count; b += gridDim.x) {
    const Bucket bucket = a.buckets[b];
    const unsigned size = bucket.size;
    const Range<Bits> range = range_of(a, bucket);
    gather<kThreads, kRows>(a, bucket, s);
    for (unsigned i = threadIdx.x; i < Storage::kSubBuckets / 2; i += kThreads) s.sub_buckets[i] = 0;
    __syncthreads();

    const unsigned first = opaque(32 * warp_id() * kRows + lane_id());
    const LinearMap<Bits, kMapBits> linear(range.low, range.high);
    uint32_t counted[kRows] = {};  // the mapped key and the rank in its sub-bucket, then the offset
    unsigned longest = 0;
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      if (first + 32 * row < size) {
        const uint32_t mapped = linear(by_position[first + 32 * row]), sub_bucket = mapped >> kSubBucketShift;
        const unsigned shift = (sub_bucket & 1u) * 16;
        const unsigned rank = atomicAdd(&s.sub_buckets[sub_bucket >> 1], 1u << shift) >> shift & 0xffffu;
        longest = max(longest, rank);
        counted[row] = mapped << kPositionBits | rank;
      }
    }
    bool merge = __syncthreads_or(longest >= kLongSubBucket);
    if (!merge) {
      constexpr int kWords = Storage::kSubBuckets / 2 / kThreads;
      uint32_t* words = s.sub_buckets + threadIdx.x * kWords;
      unsigned sum = 0, total;
#pragma unroll
      for (int i = 0; i < kWords; ++i) sum += (words[i] & 0xffffu) + (words[i] >> 16);
      unsigned begin = block_exclusive_sum<kThreads>(sum, s.sums, total);
#pragma unroll
      for (int i = 0; i < kWords; ++i) {
        const uint32_t word = words[i];
        const unsigned half = begin + (word & 0xffffu);
        words[i] = begin | half << 16;
        begin = half + (word >> 16);
      }
      __syncthreads();
      const uint16_t* sub_buckets = reinterpret_cast<const uint16_t*>(s.sub_buckets);
#pragma unroll
      for (int row = 0; row < kRows; ++row)
        if (first + 32 * row < size) counted[row] += sub_buckets[counted[row] >> (kPositionBits + kSubBucketShift)];
      __syncthreads();
#pragma unroll
      for (int row = 0; row < kRows; ++row) {
        if (first + 32 * row < size)
          s.composites[slot_of(counted[row] & kPosition)] = (counted[row] & ~kPosition) | (first + 32 * row);
      }
      const unsigned behind = size + threadIdx.x;
      if (threadIdx.x < kRegisterWindow && behind < kItems) s.composites[slot_of(behind)] = ~0u;
      __syncthreads();
      sort_by_register_windows<kThreads>(s.composites, size);
      merge = fix_ties<S, kThreads, kRows, kPositionBits>(s, size);
    }
    if (merge) {
      if (threadIdx.x == 0) a.merged[atomicAdd(&a.counts->merged[kClass], 1u)] = bucket;
      __syncthreads();
      continue;
    }
    const unsigned thread = opaque(threadIdx.x);
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      const unsigned offset = row * kThreads + thread;
      if (offset < size) {
        const unsigned position = s.composites[slot_of(offset)] & kPosition;
        a.keys_out[bucket.begin + offset] = S::raw(by_position[position]);
        if constexpr (S::kPairs) a.values_out[bucket.begin + offset] = s.values[position];
      }
    }
    __syncthreads();
  }
  cudaGridDependencySynchronize();
}

template <class S, int kThreads, int kRows>
struct MergeStorage {
  static constexpr int kItems = kThreads * kRows;
  using Stored = std::conditional_t<S::kPairs, typename S::Value, NoValue>;
  typename S::Bits keys[kItems];
  union {
    uint32_t delta[kItems];
    uint16_t order[kItems];
  };
  Stored values[S::kPairs ? kItems : 1];
  uint32_t marks[kItems / 32];
  uint32_t sums[33];
};

// Sorts the buckets that finish left, in a time that does not depend on their keys. Where keys are close enough, a key's
// distance from the least one and its position are one number, so that no two are equal.
template <class S, int kBuckets, int kThreads, int kRows, int kBlocks, int kClass>
__global__ __launch_bounds__(kThreads, kBlocks) void finish_by_merges(const FinishArguments<S, kBuckets> a) {
  using Bits = typename S::Bits;
  using Storage = MergeStorage<S, kThreads, kRows>;
  constexpr int kPositionBits = 12 + kClass;
  extern __shared__ __align__(16) unsigned char storage[];
  auto& s = *reinterpret_cast<Storage*>(storage);
  const Swizzled<Bits> keys{s.keys};
  const Swizzled<uint16_t> order{s.order};
  // The first of these launches waits for finish; the others begin after it has.
  if (kClass == kClasses - 1) cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
  const unsigned count = a.counts->merged[kClass];
#pragma unroll 1
  for (unsigned b = blockIdx.x; b < count; b += gridDim.x) {
    const Bucket bucket = a.merged[b];
    const Range<Bits> range = range_of(a, bucket);
    gather<kThreads, kRows>(a, bucket, s);
    const bool packed = (range.high - range.low) >> (8 * sizeof(Bits) - kPositionBits) == 0;
    if (packed) {
      for (unsigned i = threadIdx.x; i < bucket.size; i += kThreads) keys[i] = (keys[i] - range.low) << kPositionBits | i;
      sort_keys<kThreads>(keys, bucket.size);
    } else {
      merge_sort_positions<kThreads, kRegisterWindow>(keys, order, bucket.size);
    }
    for (unsigned offset = threadIdx.x; offset < bucket.size; offset += kThreads) {
      const Bits item = keys[packed ? offset : order[offset]];
      a.keys_out[bucket.begin + offset] = S::raw(packed ? range.low + (item >> kPositionBits) : item);
      if constexpr (S::kPairs)
        a.values_out[bucket.begin + offset] = s.values[packed ? static_cast<unsigned>(item) & ((1u << kPositionBits) - 1u) : order[offset]];
    }
    __syncthreads();
  }
  if (kClass != kClasses - 1) cudaGridDependencySynchronize();
}

// Buckets of equal keys, by chunks of 8,192 items: the key is written, values are gathered.
template <class S, int kBuckets>
__global__ __launch_bounds__(kSplitThreads) void write_equal(const FinishArguments<S, kBuckets> a) {
  __shared__ uint32_t s_marks[kTileItems / 32];
  __shared__ uint32_t s_delta[S::kPairs ? kTileItems : 1];
  __shared__ uint32_t s_sums[33];
  const PieceMap map{s_marks, s_delta};
  const unsigned first_word = warp_id() * kSplitRows;
  const unsigned count = a.counts->equal_chunks;
  for (unsigned c = blockIdx.x; c < count; c += gridDim.x) {
    const EqualChunk chunk = a.equal_chunks[c];
    const unsigned from = chunk.chunk * kTileItems, begin = chunk.bucket.begin + from;
    const unsigned valid = min(chunk.bucket.size - from, static_cast<unsigned>(kTileItems));
    const bool of_parent = chunk.bucket.index == ~0u;
    const auto low = of_parent ? a.parents->low[chunk.bucket.parent] : a.bounds[chunk.bucket.parent].lows[chunk.bucket.index];
    for (unsigned i = threadIdx.x; i < valid; i += kSplitThreads) a.keys_out[begin + i] = S::raw(low);
    if constexpr (S::kPairs) {
      if (of_parent) {
        for (unsigned i = threadIdx.x; i < valid; i += kSplitThreads) a.values_out[begin + i] = a.values[begin + i];
        continue;
      }
      if (threadIdx.x < kTileItems / 32) s_marks[threadIdx.x] = 0;
      mark_pieces<kSplitThreads>(a, chunk.bucket, from, valid, map, s_sums);
      map.template for_each<kSplitRows>(first_word, valid, [&](int, unsigned position, unsigned source) {
        a.values_out[begin + position] = a.values[source];
      });
      __syncthreads();
    }
  }
  cudaGridDependencySynchronize();
}

}  // namespace nocliffs
