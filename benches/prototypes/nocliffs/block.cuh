// Building blocks of the splitter sort: scans of a block, gathering from pieces, and a merge sort of positions.
//
// A piece is the run of items of one bucket within one tile. A gathered tile comes from many pieces: each piece marks
// the position of its first item, and an item finds its piece by the last mark at or before it.
#pragma once

#include <cstdint>

namespace nocliffs {

constexpr unsigned kFullWarp = 0xffffffffu;

__device__ __forceinline__ unsigned lane_id() { return threadIdx.x & 31u; }
__device__ __forceinline__ unsigned warp_id() { return threadIdx.x >> 5; }

__device__ __forceinline__ unsigned warp_inclusive_sum(unsigned value) {
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned below = __shfl_up_sync(kFullWarp, value, step);
    if (lane_id() >= step) value += below;
  }
  return value;
}

// The same value, of which the compiler does not know that it is: so that it computes addresses where they are used, and
// does not keep addresses of all rows in registers over a loop.
__device__ __forceinline__ unsigned opaque(unsigned value) {
  asm volatile("" : "+r"(value));
  return value;
}

// The sum over the threads before this one; `total` becomes the sum over all. `s_sums` has 33 words. All threads of the
// block call it; it begins and ends with a barrier, so that `s_sums` can be used again.
template <int kThreads>
__device__ __forceinline__ unsigned block_exclusive_sum(unsigned value, unsigned* s_sums, unsigned& total) {
  constexpr unsigned kWarps = kThreads / 32;
  const unsigned inclusive = warp_inclusive_sum(value);
  __syncthreads();
  if (lane_id() == 31) s_sums[warp_id()] = inclusive;
  __syncthreads();
  const unsigned of_warp = lane_id() < kWarps ? s_sums[lane_id()] : 0;
  const unsigned warps = warp_inclusive_sum(of_warp);
  total = __shfl_sync(kFullWarp, warps, kWarps - 1);
  const unsigned before = __shfl_sync(kFullWarp, warps - of_warp, warp_id());
  __syncthreads();
  return before + inclusive - value;
}

// The sources of the items of a gathered tile. `marks` has a bit for each position, `delta` a word for each position, of
// which the ones at marks are used.
struct PieceMap {
  unsigned* marks;
  unsigned* delta;

  // Declares that the items from `position` on come from `source` on, up to the next mark.
  __device__ __forceinline__ void mark(unsigned position, unsigned source) const {
    atomicOr(&marks[position >> 5], 1u << (position & 31u));
    delta[position] = source - position;
  }

  // The last mark before the 32 positions of word `first`, for all lanes of a warp; position 0 is always marked.
  __device__ __forceinline__ unsigned last_mark_before(unsigned first) const {
    for (int word = static_cast<int>(first) - 1; word >= 0; word -= 32) {
      const int mine = word - static_cast<int>(lane_id());
      const unsigned bits = mine >= 0 ? marks[mine] : 0;
      const unsigned found = __ballot_sync(kFullWarp, bits != 0);
      if (found != 0) {
        const unsigned source = __ffs(found) - 1;
        return 32u * (word - source) + 31u - __clz(__shfl_sync(kFullWarp, bits, source));
      }
    }
    return 0;
  }

  // Calls `visit(row, position, source)` for kRows rows of 32 consecutive positions, from word `first` on, while positions
  // are below `valid`. All lanes of a warp call it.
  template <int kRows, class Visit>
  __device__ __forceinline__ void for_each(unsigned first, unsigned valid, const Visit& visit) const {
    unsigned last = last_mark_before(first);
    const unsigned lanes_below_next = 0xffffffffu >> (31u - lane_id());
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      const unsigned base = 32u * (first + row);
      const unsigned position = base + lane_id();
      const unsigned word = marks[first + row];
      const unsigned mine = word & lanes_below_next;
      const unsigned mark = mine != 0 ? base + 31u - __clz(mine) : last;
      if (word != 0) last = base + 31u - __clz(word);
      if (position < valid) visit(row, position, position + delta[mark]);
    }
  }
};

// Shared memory by index, in an order that keeps threads of a warp in different banks, also where they are 16 items apart.
template <class T>
struct Swizzled {
  T* items;
  static __device__ __forceinline__ unsigned slot(unsigned index) {
    if constexpr (sizeof(T) == 8) return index ^ (index >> 4 & 15u);
    if constexpr (sizeof(T) == 4) return index ^ (index >> 5 & 15u);
    return index ^ (index >> 5 & 14u);
  }
  __device__ __forceinline__ T& operator[](unsigned index) const { return items[slot(index)]; }
};

// Makes `s_positions` the stable order of `s_keys[0 .. size)` by merges: linear in items but for a factor log(size), whatever
// the keys. Each thread merges kItems items in each round. Barriers order it against what comes before and after.
template <int kThreads, int kItems, class Key>
__device__ __forceinline__ void merge_sort_positions(Swizzled<Key> s_keys, Swizzled<uint16_t> s_positions, unsigned size) {
  constexpr unsigned kRun = 8;
  static_assert(kItems % kRun == 0, "a thread begins with complete runs");
  const unsigned first = threadIdx.x * kItems;
  __syncthreads();
#pragma unroll 1
  for (unsigned begin = first; begin < first + kItems && begin < size; begin += kRun) {
    Key keys[kRun];
    unsigned positions[kRun];
#pragma unroll
    for (unsigned i = 0; i < kRun; ++i) {
      positions[i] = begin + i;
      keys[i] = begin + i < size ? s_keys[begin + i] : ~Key{0};
    }
#pragma unroll
    for (unsigned round = 0; round < kRun; ++round) {
#pragma unroll
      for (unsigned i = round & 1u; i + 1 < kRun; i += 2) {
        const bool swap = keys[i] > keys[i + 1];
        const Key low = swap ? keys[i + 1] : keys[i];
        keys[i + 1] = swap ? keys[i] : keys[i + 1];
        keys[i] = low;
        const unsigned at = swap ? positions[i + 1] : positions[i];
        positions[i + 1] = swap ? positions[i] : positions[i + 1];
        positions[i] = at;
      }
    }
#pragma unroll
    for (unsigned i = 0; i < kRun; ++i)
      if (begin + i < size) s_positions[begin + i] = static_cast<uint16_t>(positions[i]);
  }
  __syncthreads();
#pragma unroll 1
  for (unsigned width = kRun; width < size; width *= 2) {
    const unsigned pair = first / (2 * width) * (2 * width);
    const unsigned a = min(pair, size), b = min(pair + width, size), end = min(pair + 2 * width, size);
    const unsigned a_count = b - a, b_count = end - b, diagonal = min(first - pair, end - a);
    unsigned low = diagonal > b_count ? diagonal - b_count : 0, high = min(diagonal, a_count);
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      if (s_keys[s_positions[a + middle]] <= s_keys[s_positions[b + diagonal - 1 - middle]]) low = middle + 1;
      else high = middle;
    }
    unsigned i = a + low, j = b + diagonal - low;
    unsigned from_a = i < b ? s_positions[i] : 0, from_b = j < end ? s_positions[j] : 0;
    Key key_a = s_keys[from_a], key_b = s_keys[from_b];
    unsigned merged[kItems];
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      const bool take_a = i < b && (j >= end || key_a <= key_b);
      merged[k] = take_a ? from_a : from_b;
      const unsigned next = take_a ? ++i : ++j;
      const unsigned from = s_positions[min(next, size - 1)];
      const Key key = s_keys[from];
      from_a = take_a ? from : from_a, key_a = take_a ? key : key_a;
      from_b = take_a ? from_b : from, key_b = take_a ? key_b : key;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kItems; ++k)
      if (first + k < size) s_positions[first + k] = static_cast<uint16_t>(merged[k]);
    __syncthreads();
  }
}

template <class Key>
__device__ __forceinline__ void order_two(Key& a, Key& b) {
  if constexpr (sizeof(Key) == 8) {
    const bool swap = a > b;
    const Key low = swap ? b : a;
    b = swap ? a : b;
    a = low;
  } else {
    const Key low = min(a, b);
    b = max(a, b);
    a = low;
  }
}

// Batcher's odd-even merge of the two sorted halves of every kStep-th of kCount keys from kFirst on.
template <int kFirst, int kCount, int kStep, int kKeys, class Key>
__device__ __forceinline__ void merge_halves(Key (&x)[kKeys]) {
  if constexpr (2 * kStep < kCount) {
    merge_halves<kFirst, kCount, 2 * kStep>(x);
    merge_halves<kFirst + kStep, kCount, 2 * kStep>(x);
#pragma unroll
    for (int i = kFirst + kStep; i + kStep < kFirst + kCount; i += 2 * kStep) order_two(x[i], x[i + kStep]);
  } else {
    order_two(x[kFirst], x[kFirst + kStep]);
  }
}

template <int kFirst, int kCount, int kKeys, class Key>
__device__ __forceinline__ void sort_registers(Key (&x)[kKeys]) {
  if constexpr (kCount > 1) {
    sort_registers<kFirst, kCount / 2>(x);
    sort_registers<kFirst + kCount / 2, kCount / 2>(x);
    merge_halves<kFirst, kCount, 1>(x);
  }
}

// Sorts the keys of a warp, of which each lane has 16 consecutive ones: a bitonic network by shuffles.
template <class Key>
__device__ __forceinline__ void sort_warp(Key (&x)[16]) {
  sort_registers<0, 16>(x);
#pragma unroll 1
  for (unsigned lanes = 2; lanes <= 32; lanes *= 2) {
    const bool upper = (lane_id() & lanes / 2) != 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const Key mirrored = __shfl_xor_sync(kFullWarp, x[15 - i], lanes - 1), mirrored_back = __shfl_xor_sync(kFullWarp, x[i], lanes - 1);
      x[i] = (x[i] < mirrored) != upper ? x[i] : mirrored;
      x[15 - i] = (x[15 - i] < mirrored_back) != upper ? x[15 - i] : mirrored_back;
    }
#pragma unroll 1
    for (unsigned stride = lanes / 4; stride != 0; stride /= 2) {
      const bool above = (lane_id() & stride) != 0;
#pragma unroll
      for (int i = 0; i < 16; ++i) {
        const Key other = __shfl_xor_sync(kFullWarp, x[i], stride);
        x[i] = (x[i] < other) != above ? x[i] : other;
      }
    }
#pragma unroll
    for (int stride = 8; stride != 0; stride /= 2) {
#pragma unroll
      for (int i = 0; i < 16; ++i)
        if ((i & stride) == 0) order_two(x[i], x[i + stride]);
    }
  }
}

// Sorts s_keys[0 .. size), where equal keys need no order: warps by networks, then merges, each thread of 16 keys at a time.
// Barriers order it against what comes before and after.
template <int kThreads, class Key>
__device__ __forceinline__ void sort_keys(Swizzled<Key> s_keys, unsigned size) {
  constexpr int kItems = 16;
  const unsigned first = threadIdx.x * kItems;
  Key keys[kItems];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) keys[i] = first + i < size ? s_keys[first + i] : ~Key{0};
  if (warp_id() * 32 * kItems < size) sort_warp(keys);
#pragma unroll 1
  for (unsigned width = 32 * kItems;; width *= 2) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItems; ++i)
      if (first + i < size) s_keys[first + i] = keys[i];
    __syncthreads();
    if (width >= size) return;
    const unsigned pair = first / (2 * width) * (2 * width);
    const unsigned a = min(pair, size), b = min(pair + width, size), end = min(pair + 2 * width, size);
    const unsigned a_count = b - a, b_count = end - b, diagonal = min(first - pair, end - a);
    unsigned low = diagonal > b_count ? diagonal - b_count : 0, high = min(diagonal, a_count);
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      if (s_keys[a + middle] <= s_keys[b + diagonal - 1 - middle]) low = middle + 1;
      else high = middle;
    }
    unsigned i = a + low, j = b + diagonal - low;
    Key key_a = s_keys[min(i, size - 1)], key_b = s_keys[min(j, size - 1)];
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      const bool take_a = i < b && (j >= end || key_a <= key_b);
      keys[k] = take_a ? key_a : key_b;
      const Key next = s_keys[min(take_a ? ++i : ++j, size - 1)];
      key_a = take_a ? next : key_a;
      key_b = take_a ? key_b : next;
    }
  }
}

// A permutation of the bits of `x`, for random positions of samples.
__device__ __host__ __forceinline__ uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

}  // namespace nocliffs
