// The two splits. A split partitions a tile of 8,192 items by the bounds of its bucket and writes it where it lies; the next
// kernel gathers the pieces. Nothing is counted beforehand, and no block waits for another one.
#pragma once

#include "block.cuh"
#include "bounds.cuh"
#include "types.cuh"

namespace nocliffs {

template <class S, int kBuckets, bool kGathered>
struct SplitStorage {
  using Bits = typename S::Bits;
  using Stored = std::conditional_t<S::kPairs, typename S::Value, uint32_t>;
  union {
    Bits keys[kTileItems];
    uint32_t counters[kSplitWarps][kBuckets];
    struct {
      Stored values[kTileItems];
      uint16_t order[kTileItems];
    } moved;
  };
  Bits tree[kBuckets];
  uint32_t heads[kTileItems / 32];  // a bit where a bucket of the tile begins
  uint32_t sums[33];
  uint32_t marks[kGathered ? kTileItems / 32 : 1];
  uint32_t delta[kGathered ? kTileItems : 1];
};

template <class S, int kBuckets>
struct SplitArguments {
  const Bounds<typename S::Bits, kBuckets>* bounds;
  const typename S::Bits* keys;
  const typename S::Value* values;
  typename S::Bits* keys_out;
  typename S::Value* values_out;
  unsigned n;
  uint16_t* rows;  // bucket offsets of each tile
  Pieces pieces;
  const Parents<typename S::Bits>* parents;
  const GatheredTile* tiles;
  Counts* counts;
  unsigned fail_order_every;  // tests: treat the order of one tile in this number as wrong
};

// Takes the offsets of a warp's row of items from the warp's counters. With `by_match`, lanes of a bucket get theirs in their
// order by construction; else in the order in which atomics are served, which the caller checks where it matters.
__device__ __forceinline__ unsigned take_offset(uint32_t* counters, unsigned bucket) { return atomicAdd(&counters[bucket], 1u); }

__device__ __forceinline__ unsigned take_offset_by_match(uint32_t* counters, unsigned bucket) {
  const unsigned peers = __match_any_sync(kFullWarp, bucket);
  const unsigned leader = __ffs(peers) - 1;
  unsigned first = 0;
  if (lane_id() == leader) first = atomicAdd(&counters[bucket], static_cast<unsigned>(__popc(peers)));
  __syncwarp();
  return __shfl_sync(kFullWarp, first, leader) + __popc(peers & ((1u << lane_id()) - 1u));
}

// The same where many lanes share the first lane's bucket: they take one atomic.
__device__ __forceinline__ unsigned take_shared_offset(uint32_t* counters, unsigned bucket) {
  const unsigned peers = __ballot_sync(kFullWarp, bucket == __shfl_sync(kFullWarp, bucket, 0));
  const bool shares = peers >> lane_id() & 1u;
  unsigned offset = 0;
  if (!shares || lane_id() == 0) offset = atomicAdd(&counters[bucket], shares ? static_cast<unsigned>(__popc(peers)) : 1u);
  const unsigned first = __shfl_sync(kFullWarp, offset, 0);
  return shares ? first + __popc(peers & ((1u << lane_id()) - 1u)) : offset;
}

// Two numbers of 16 bits for each two rows.
template <int kRows>
struct PackedRows {
  uint32_t words[kRows / 2];
  __device__ __forceinline__ unsigned get(int row) const { return row % 2 == 0 ? words[row / 2] & 0xffffu : words[row / 2] >> 16; }
  __device__ __forceinline__ void set(int row, unsigned value) {
    if (row % 2 == 0) words[row / 2] = value;
    else words[row / 2] |= value << 16;
  }
};

// Makes the warps' counts the tile's offset of each warp's first item of each bucket, sets a bit where a bucket begins,
// and writes the buckets' offsets.
template <int kBuckets>
__device__ __forceinline__ void scan_counters(uint32_t (*counters)[kBuckets], uint32_t* heads, uint32_t* sums, uint16_t* row,
                                              unsigned valid) {
  constexpr unsigned kColumns = kBuckets > kSplitThreads ? kBuckets / kSplitThreads : 1;
  const unsigned first = threadIdx.x * kColumns;
  const bool has = first < kBuckets;
  uint32_t sums_of[kColumns] = {};
  if (has) {
#pragma unroll
    for (int warp = 0; warp < kSplitWarps; ++warp) {
#pragma unroll
      for (unsigned i = 0; i < kColumns; ++i) {
        const uint32_t count = counters[warp][first + i];
        counters[warp][first + i] = sums_of[i];
        sums_of[i] += count;
      }
    }
  }
  unsigned total, sum = 0;
#pragma unroll
  for (unsigned i = 0; i < kColumns; ++i) sum += sums_of[i];
  unsigned before = block_exclusive_sum<kSplitThreads>(sum, sums, total);
  if (has) {
#pragma unroll
    for (unsigned i = 0; i < kColumns; ++i) {
      row[first + i] = static_cast<uint16_t>(before);
#pragma unroll
      for (int warp = 0; warp < kSplitWarps; ++warp) counters[warp][first + i] += before;
      if (before < valid) atomicOr(&heads[before >> 5], 1u << (before & 31u));
      before += sums_of[i];
    }
  }
}

constexpr int kSearches = 2;    // rows searched side by side
constexpr int kRowsAtOnce = 4;  // rows for which one look tells whether many lanes share a bucket
constexpr int kManyLanes = 6;

template <class S, int kBuckets, bool kGathered>
__global__ __launch_bounds__(kSplitThreads, 2) void split(const SplitArguments<S, kBuckets> a) {
  using Bits = typename S::Bits;
  using Value = typename S::Value;
  using Storage = SplitStorage<S, kBuckets, kGathered>;
  extern __shared__ __align__(16) unsigned char storage[];
  auto& s = *reinterpret_cast<Storage*>(storage);
  const unsigned tile = blockIdx.x;
  const PieceMap map{s.marks, s.delta};
  unsigned out_begin = tile * kTileItems, valid, parent = 0;
  bool equal = false;
  Bits high = ~Bits{0};
  if constexpr (kGathered) {
    if (tile >= a.parents->tile[kParents]) return;
    parent = a.tiles[tile].parent;
    const unsigned begin = (tile - a.parents->tile[parent]) * kTileItems;
    const unsigned parent_begin = a.parents->begin[parent];
    valid = min(a.parents->begin[parent + 1] - parent_begin - begin, static_cast<unsigned>(kTileItems));
    out_begin = parent_begin + begin;
    high = parent_high(a.parents, parent, kParents);
    equal = a.parents->low[parent] == high;
    if (equal && !S::kPairs) return;
    if (threadIdx.x < kTileItems / 32) s.marks[threadIdx.x] = 0;
    const unsigned* prefix = a.pieces.prefix + size_t{parent} * a.pieces.stride;
    const uint16_t* offset = a.pieces.offset + size_t{parent} * a.pieces.stride;
    __syncthreads();
    for (unsigned t = a.tiles[tile].first + threadIdx.x;; t += kSplitThreads) {
      const bool has = t < a.pieces.tiles;
      const unsigned p = has ? prefix[t] : ~0u, next = has ? prefix[t + 1] : ~0u;
      if (has && p < begin + valid && next > begin && next > p) {
        const unsigned from = max(p, begin);
        map.mark(from - begin, t * kTileItems + offset[t] + (from - p));
      }
      if (!__syncthreads_or(threadIdx.x == kSplitThreads - 1 && has && next < begin + valid)) break;
    }
  } else {
    valid = min(a.n - out_begin, static_cast<unsigned>(kTileItems));
  }
  if constexpr (kGathered && S::kPairs) {
    if (equal) {
      map.for_each<kSplitRows>(warp_id() * kSplitRows, valid, [&](int, unsigned position, unsigned source) {
        a.values_out[out_begin + position] = a.values[source];
      });
      return;
    }
  }
  bool by_match = false;
  while (true) {
    const unsigned thread = opaque(threadIdx.x);
    const unsigned first_word = opaque(warp_id() * kSplitRows), first = 32 * first_word + lane_id();
    // Positions behind the last item get the max key: they come last, and are not written.
    Bits keys[kSplitRows];
#pragma unroll
    for (int row = 0; row < kSplitRows; ++row) keys[row] = high;
    if constexpr (kGathered) {
      map.for_each<kSplitRows>(first_word, valid, [&](int row, unsigned, unsigned source) { keys[row] = a.keys[source]; });
    } else {
      const Bits* from = a.keys + out_begin + first;
#pragma unroll
      for (int row = 0; row < kSplitRows; ++row)
        if (first + 32 * row < valid) keys[row] = S::ordered(from[32 * row]);
    }
    const Bounds<Bits, kBuckets>& bounds = a.bounds[parent];
    for (unsigned i = threadIdx.x; i < kBuckets; i += kSplitThreads) s.tree[i] = bounds.tree[i];
    for (unsigned i = threadIdx.x; i < kSplitWarps * kBuckets / 4; i += kSplitThreads)
      reinterpret_cast<uint4*>(s.counters)[i] = make_uint4(0, 0, 0, 0);
    if (threadIdx.x < kTileItems / 32) s.heads[threadIdx.x] = 0;
    __syncthreads();

    uint32_t* counters = s.counters[warp_id()];
    PackedRows<kSplitRows> slots;  // buckets, then offsets in the tile
    if (sizeof(Bits) == 8 && bounds.truncated) {
      const Bits low = bounds.low;
      const int shift = bounds.shift;
#pragma unroll
      for (int row = 0; row < kSplitRows; row += kSearches) {
        uint32_t truncated[kSearches];
        unsigned buckets[kSearches];
#pragma unroll
        for (int k = 0; k < kSearches; ++k) {
          truncated[k] = truncated_key(keys[row + k], low, shift);
          if (!kGathered && (keys[row + k] - low) >> 32 >> shift != 0) truncated[k] = ~0u;
        }
        find_buckets<kBuckets>(reinterpret_cast<const uint32_t*>(s.tree), truncated, buckets);
#pragma unroll
        for (int k = 0; k < kSearches; ++k) {
          slots.set(row + k, buckets[k]);
          atomicAdd(&counters[buckets[k]], 1u);
        }
      }
    } else {
#pragma unroll
      for (int row = 0; row < kSplitRows; row += kSearches) {
        Bits searched[kSearches];
        unsigned buckets[kSearches];
#pragma unroll
        for (int k = 0; k < kSearches; ++k) searched[k] = keys[row + k];
        find_buckets<kBuckets>(s.tree, searched, buckets);
#pragma unroll
        for (int k = 0; k < kSearches; ++k) {
          slots.set(row + k, buckets[k]);
          atomicAdd(&counters[buckets[k]], 1u);
        }
      }
    }
    __syncthreads();
    scan_counters<kBuckets>(s.counters, s.heads, s.sums, a.rows + size_t{tile} * kBuckets, valid);
    __syncthreads();
    if (by_match) {
#pragma unroll 1
      for (int pair = 0; pair < kSplitRows / 2; ++pair) {
        const uint32_t two = slots.words[pair];
        const unsigned even = take_offset_by_match(counters, two & 0xffffu);
        slots.words[pair] = even | take_offset_by_match(counters, two >> 16) << 16;
      }
    } else {
#pragma unroll
      for (int group = 0; group < kSplitRows; group += kRowsAtOnce) {
        const unsigned leading = slots.get(group);
        const unsigned peers = __ballot_sync(kFullWarp, leading == __shfl_sync(kFullWarp, leading, 0));
        const bool shared = __popc(peers) >= kManyLanes;
        unsigned offsets[kRowsAtOnce];
#pragma unroll
        for (int i = 0; i < kRowsAtOnce; ++i)
          offsets[i] = shared ? take_shared_offset(counters, slots.get(group + i)) : take_offset(counters, slots.get(group + i));
#pragma unroll
        for (int i = 0; i < kRowsAtOnce; ++i) slots.set(group + i, offsets[i]);
      }
    }
    __syncthreads();
#pragma unroll
    for (int row = 0; row < kSplitRows; ++row) s.keys[slots.get(row)] = keys[row];

    Value values[kSplitRows] = {};
    if constexpr (S::kPairs && kGathered) {
      map.for_each<kSplitRows>(first_word, valid, [&](int row, unsigned, unsigned source) { values[row] = a.values[source]; });
    } else if constexpr (S::kPairs) {
      const Value* from = a.values + out_begin + first;
#pragma unroll
      for (int row = 0; row < kSplitRows; ++row)
        if (first + 32 * row < valid) values[row] = from[32 * row];
    }
    __syncthreads();
    Bits* keys_out = a.keys_out + out_begin + thread;
#pragma unroll
    for (int row = 0; row < kSplitRows; ++row) {
      const unsigned position = row * kSplitThreads + thread;
      if (position < valid) keys_out[row * kSplitThreads] = s.keys[position];
    }
    if constexpr (!S::kPairs) return;
    if constexpr (S::kPairs) {
      __syncthreads();
#pragma unroll
      for (int row = 0; row < kSplitRows; ++row) {
        if (first + 32 * row < valid) {
          s.moved.values[slots.get(row)] = values[row];
          s.moved.order[slots.get(row)] = static_cast<uint16_t>(first + 32 * row);
        }
      }
      __syncthreads();
      Value* values_out = a.values_out + out_begin + thread;
      bool wrong = a.fail_order_every != 0 && !by_match && tile % a.fail_order_every == 0;
#pragma unroll
      for (int row = 0; row < kSplitRows; ++row) {
        const unsigned position = row * kSplitThreads + thread;
        if (position < valid) {
          values_out[row * kSplitThreads] = s.moved.values[position];
          const bool start = s.heads[position >> 5] >> (position & 31u) & 1u;
          wrong |= !start && s.moved.order[position] < s.moved.order[position - 1];
        }
      }
      if (!__syncthreads_or(wrong)) return;
      by_match = true;
      if (threadIdx.x == 0) atomicAdd(&a.counts->reranked, 1u);
    }
  }
}

}  // namespace nocliffs
