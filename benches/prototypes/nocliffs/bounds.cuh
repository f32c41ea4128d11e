// Samples of the keys, the bounds of buckets that they make, and the search of a key's bucket.
#pragma once

#include "block.cuh"
#include "types.cuh"

namespace nocliffs {

// Equal shares of `size` items: share `i` of `count` begins at `begin(i)`. One division does for all.
struct Shares {
  uint64_t step;  // with 32 bits behind the point
  __device__ __forceinline__ Shares(unsigned size, unsigned count) : step((uint64_t{size} << 32) / count) {}
  __device__ __forceinline__ unsigned begin(unsigned i) const { return static_cast<unsigned>(i * step >> 32); }
};

// A random position in the share of sample `i`.
__device__ __forceinline__ unsigned sample_position(const Shares& shares, unsigned i, uint64_t seed) {
  const unsigned begin = shares.begin(i);
  return begin + __umulhi(static_cast<unsigned>(mix(seed + i)), shares.begin(i + 1) - begin);
}

// The bounds of kBuckets buckets, and the tree of them that is searched. The nodes of a level lie side by side, level `l` from
// index 2^l on; a node's index in its level has the outcomes of the comparisons above it as bits, the first one lowest. So a
// step of the search adds a constant or not, and the first steps have no bank conflicts.
//
// Where no two bounds have the same truncated key, and there is no bucket of equal keys, truncated keys of 32 bits are
// compared, and bounds are rounded down to them.
template <class Bits, int kBuckets>
struct Bounds {
  Bits low;       // of all keys
  int shift;      // a truncated key is (key - low) >> shift
  int truncated;  // whether the tree has truncated keys, side by side
  Bits lows[kBuckets];
  Bits tree[kBuckets];
  bool overflowing[kBuckets];  // whether many of a bucket's samples lie in a small part of its range: it is sorted by merges
};

template <class Bits>
__device__ __forceinline__ uint32_t truncated_key(Bits key, Bits low, int shift) {
  return static_cast<uint32_t>((key - low) >> shift);
}

// Bound `j`, the least key of bucket `j`, from sorted samples. A sample that is a splitter twice in succession becomes `v`,
// `v + 1`, which bound a bucket of equal keys; so does a first splitter that is the least key of all. Behind the `used`
// buckets all bounds are `high`.
template <class Bits>
__device__ __forceinline__ Bits bound_of(Swizzled<Bits> s_sorted, const Shares& shares, unsigned used, unsigned j, Bits low, Bits high) {
  if (j == 0) return low;
  if (j >= used) return high;
  const Bits splitter = s_sorted[shares.begin(j)];
  const Bits before = j == 1 ? low : s_sorted[shares.begin(j - 1)];
  return splitter == before && splitter < high ? splitter + 1 : splitter;
}

// Whether four successive samples of bucket `j`, a sixth of its items or so, lie in 1/1024 of its range.
template <class Bits>
__device__ __forceinline__ bool overflows_a_sub_bucket(Swizzled<Bits> s_sorted, unsigned begin, unsigned end, Bits range) {
  constexpr unsigned kClose = 3;
  bool overflowing = false;
  for (unsigned i = begin; i + kClose < end; ++i) overflowing |= s_sorted[i + kClose] - s_sorted[i] < range >> 10;
  return overflowing;
}

// Makes the bounds of keys from `low` to `high`; hardly a key is above `top`. All threads of the block call it.
template <class Bits, int kBuckets>
__device__ void write_bounds(Swizzled<Bits> s_sorted, unsigned samples, unsigned used, Bits low, Bits high, Bits top,
                             Bounds<Bits, kBuckets>* bounds) {
  const Shares shares(samples, used);
  const auto bound = [&](unsigned j) { return bound_of(s_sorted, shares, used, j, low, high); };
  int shift = 0;
  bool distinct = sizeof(Bits) == 8;
  if constexpr (sizeof(Bits) == 8) {
    shift = max(0, 32 - __clzll(static_cast<long long>(top - low)));
    for (unsigned j = threadIdx.x + 1; j <= used && j < kBuckets && shift != 0; j += blockDim.x) {
      const Bits mine = bound(j), before = bound(j - 1);
      distinct &= mine > before && min((mine - low) >> shift, Bits{0xffffffffu}) > (before - low) >> shift;
    }
  }
  const bool truncated = !__syncthreads_or(!distinct);
  if (threadIdx.x == 0) bounds->low = low, bounds->shift = shift, bounds->truncated = truncated;
  for (unsigned j = threadIdx.x; j < kBuckets; j += blockDim.x) {
    const auto rounded = [&](Bits key) {
      const Bits most = 0xffffffffu;
      return truncated ? min((key - low) >> shift, most) : key;
    };
    const Bits bound_here = rounded(bound(j));
    bounds->lows[j] = truncated ? low + (bound_here << shift) : bound_here;
    const Bits next = j + 1 < kBuckets ? bound(j + 1) : high;
    bounds->overflowing[j] = j < used && overflows_a_sub_bucket(s_sorted, shares.begin(j), shares.begin(j + 1), next - bound(j));
    if (j == 0) continue;
    const unsigned level = 31u - __clz(j);
    const unsigned in_level = level == 0 ? 0 : __brev(j - (1u << level)) >> (32 - level);
    const Bits node = rounded(bound((2 * in_level + 1) * (kBuckets >> (level + 1))));
    if (truncated) reinterpret_cast<uint32_t*>(bounds->tree)[j] = static_cast<uint32_t>(node);
    else bounds->tree[j] = node;
  }
}

// The numbers of bounds that are not above each key, by a tree in shared memory. Searches run side by side.
template <int kBuckets, int kKeys, class Order>
__device__ __forceinline__ void find_buckets(const Order* s_tree, const Order (&keys)[kKeys], unsigned (&buckets)[kKeys]) {
  constexpr int kLevels = 31 - __builtin_clz(kBuckets);
  const unsigned begin = static_cast<unsigned>(__cvta_generic_to_shared(s_tree));
  unsigned at[kKeys];
#pragma unroll
  for (int k = 0; k < kKeys; ++k) at[k] = begin;
#pragma unroll
  for (int level = 0; level < kLevels; ++level) {
    const unsigned step = sizeof(Order) << level;
    Order nodes[kKeys];
#pragma unroll
    for (int k = 0; k < kKeys; ++k) {
      if constexpr (sizeof(Order) == 8) asm volatile("ld.shared.b64 %0, [%1];" : "=l"(nodes[k]) : "r"(at[k] + step));
      else asm volatile("ld.shared.b32 %0, [%1];" : "=r"(nodes[k]) : "r"(at[k] + step));
    }
#pragma unroll
    for (int k = 0; k < kKeys; ++k)
      if (keys[k] >= nodes[k]) at[k] += step;
  }
#pragma unroll
  for (int k = 0; k < kKeys; ++k) buckets[k] = __brev(at[k] - begin) >> (32 - kLevels - (sizeof(Order) == 8 ? 3 : 2));
}

// The bounds of an array of n items that lie in order of their positions: the first level, or the only one. One block.
template <class S, int kBuckets, int kThreads>
__global__ __launch_bounds__(kThreads) void sample_array(const typename S::Bits* keys, unsigned n, uint64_t seed,
                                                               Bounds<typename S::Bits, kBuckets>* bounds, typename S::Bits* first_lows) {
  using Bits = typename S::Bits;
  constexpr int kMost = kThreads * kSamplesOfThread;
  extern __shared__ __align__(16) unsigned char storage[];
  const Swizzled<Bits> sorted{reinterpret_cast<Bits*>(storage)};
  const unsigned samples = min(n, static_cast<unsigned>(kMost));
  const Shares shares(n, samples);
#pragma unroll
  for (unsigned k = 0; k < kSamplesOfThread; ++k) {
    const unsigned i = min(k * kThreads + threadIdx.x, samples - 1);
    sorted[i] = S::ordered(keys[sample_position(shares, i, seed)]);
  }
  sort_keys<kThreads>(sorted, samples);
  write_bounds<Bits, kBuckets>(sorted, samples, kBuckets, 0, ~Bits{0}, sorted[samples - 1], bounds);
  if (first_lows == nullptr) return;
  __syncthreads();
  for (unsigned j = threadIdx.x; j < kBuckets; j += kThreads) first_lows[j] = bounds->lows[j];
}

// Where a first-level bucket's pieces lie: `prefix[parent][tile]` items of it are in the tiles before, and the piece of
// the tile begins `offset[parent][tile]` behind the tile's begin.
struct Pieces {
  const unsigned* prefix;
  const uint16_t* offset;
  unsigned stride;
  unsigned tiles;
};

__host__ __device__ __forceinline__ unsigned buckets_for(unsigned size, unsigned most) {
  const unsigned wanted = (size + kTargetSize - 1) / kTargetSize;
  return wanted < most ? wanted : most;
}

// The bounds of the second level: a block for each first-level bucket samples it, as far as it needs bounds.
template <class S, int kBuckets>
__global__ __launch_bounds__(kSampleThreads, 2) void sample_parents(const typename S::Bits* keys, Pieces pieces, uint64_t seed,
                                                                 const Parents<typename S::Bits>* parents,
                                                                 Bounds<typename S::Bits, kBuckets>* bounds) {
  using Bits = typename S::Bits;
  extern __shared__ __align__(16) unsigned char storage[];
  const Swizzled<Bits> sorted{reinterpret_cast<Bits*>(storage)};
  const unsigned parent = blockIdx.x;
  const unsigned size = parents->begin[parent + 1] - parents->begin[parent];
  const Bits low = parents->low[parent], high = parent_high(parents, parent, kParents);
  if (size == 0 || low == high) return;
  const unsigned used = buckets_for(size, kBuckets);
  const unsigned samples = min(min(size, 32 * used), static_cast<unsigned>(kSamples));
  const Shares shares(size, samples);
  const unsigned* prefix = pieces.prefix + size_t{parent} * pieces.stride;
  const uint16_t* offset = pieces.offset + size_t{parent} * pieces.stride;
  constexpr int kAtOnce = 8;
  for (unsigned first = threadIdx.x; first < samples; first += kAtOnce * kSampleThreads) {
    unsigned item[kAtOnce], tile[kAtOnce] = {};
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      const unsigned i = min(first + k * kSampleThreads, samples - 1);
      item[k] = sample_position(shares, i, seed + (uint64_t{parent + 1} << 32));
    }
    for (unsigned step = 1u << (31 - __clz(pieces.tiles)); step != 0; step /= 2) {
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) {
        const unsigned next = tile[k] + step;
        if (next < pieces.tiles && prefix[next] <= item[k]) tile[k] = next;
      }
    }
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      const unsigned i = first + k * kSampleThreads;
      if (i < samples) sorted[i] = keys[size_t{tile[k]} * kTileItems + offset[tile[k]] + (item[k] - prefix[tile[k]])];
    }
  }
  sort_keys<kSampleThreads>(sorted, samples);
  write_bounds<Bits, kBuckets>(sorted, samples, used, low, high, high, bounds + parent);
}

}  // namespace nocliffs
