// The scans between the kernels that split: where first-level buckets and their pieces begin, and the lists of buckets
// for finish.
#pragma once

#include "block.cuh"
#include "bounds.cuh"
#include "types.cuh"

namespace nocliffs {

// The size of a tile's piece of a bucket, by the tile's bucket offsets.
__device__ __forceinline__ unsigned piece_size(const uint16_t* row, unsigned bucket, unsigned buckets, unsigned valid) {
  return (bucket + 1 < buckets ? row[bucket + 1] : valid) - row[bucket];
}

__device__ __forceinline__ unsigned tile_size(unsigned n, unsigned tile) {
  return min(n - tile * kTileItems, static_cast<unsigned>(kTileItems));
}

// A block for each chunk of tiles, a thread for each first-level bucket: the sizes of buckets in the chunk.
static __global__ __launch_bounds__(kParents) void sum_chunks(const uint16_t* rows, unsigned n, unsigned tiles, unsigned* chunks) {
  const unsigned end = min((blockIdx.x + 1) * kChunkTiles, tiles);
  unsigned sum = 0;
#pragma unroll 8
  for (unsigned tile = blockIdx.x * kChunkTiles; tile < end; ++tile)
    sum += piece_size(rows + size_t{tile} * kParents, threadIdx.x, kParents, tile_size(n, tile));
  chunks[blockIdx.x * kParents + threadIdx.x] = sum;
}

// One block: makes `chunks` the items of each bucket in the chunks before, and says where buckets and their tiles begin.
template <class Bits>
__global__ __launch_bounds__(1024) void scan_chunks(unsigned* chunks, unsigned count, Parents<Bits>* parents, unsigned* prefix,
                                                    unsigned stride, unsigned tiles) {
  constexpr unsigned kSegments = 1024 / kParents;
  __shared__ unsigned s_segments[kSegments][kParents];
  __shared__ unsigned s_sums[33];
  const unsigned bucket = threadIdx.x % kParents, segment = threadIdx.x / kParents;
  const unsigned begin = segment * count / kSegments, end = (segment + 1) * count / kSegments;
  unsigned sum = 0;
#pragma unroll 8
  for (unsigned chunk = begin; chunk < end; ++chunk) sum += chunks[chunk * kParents + bucket];
  s_segments[segment][bucket] = sum;
  __syncthreads();
  unsigned running = 0, size = 0;
  for (unsigned other = 0; other < kSegments; ++other) {
    if (other < segment) running += s_segments[other][bucket];
    size += s_segments[other][bucket];
  }
#pragma unroll 8
  for (unsigned chunk = begin; chunk < end; ++chunk) {
    const unsigned in_chunk = chunks[chunk * kParents + bucket];
    chunks[chunk * kParents + bucket] = running;
    running += in_chunk;
  }
  const bool first = segment == 0;
  unsigned total;
  const unsigned item = block_exclusive_sum<1024>(first ? size : 0, s_sums, total);
  if (first) parents->begin[bucket] = item;
  if (threadIdx.x == 0) parents->begin[kParents] = total;
  const unsigned tile = block_exclusive_sum<1024>(first ? (size + kTileItems - 1) / kTileItems : 0, s_sums, total);
  if (first) parents->tile[bucket] = tile;
  if (threadIdx.x == 0) parents->tile[kParents] = total;
  if (first) prefix[size_t{bucket} * stride + tiles] = size;
}

// A block for each chunk of tiles: writes the pieces of each bucket side by side, and each second-level tile's first piece.
template <class Bits>
__global__ __launch_bounds__(kParents) void locate_pieces(const uint16_t* rows, unsigned n, unsigned tiles, const unsigned* chunks,
                                                         const Parents<Bits>* parents, unsigned* prefix, uint16_t* offset,
                                                         unsigned stride, GatheredTile* gathered) {
  constexpr unsigned kAtOnce = 32;
  constexpr unsigned kOffsetBits = 14;
  __shared__ unsigned s_pieces[kAtOnce][kParents + 1];  // items since the first of these tiles, and the offset in the tile
  __shared__ unsigned s_begin[kParents];
  const unsigned bucket = threadIdx.x;
  const unsigned first_tile = parents->tile[bucket];
  const unsigned end = min((blockIdx.x + 1) * kChunkTiles, tiles);
  unsigned running = chunks[blockIdx.x * kParents + bucket];
  for (unsigned begin = blockIdx.x * kChunkTiles; begin < end; begin += kAtOnce) {
    const unsigned before = running;
    s_begin[bucket] = before;
#pragma unroll 8
    for (unsigned i = 0; i < kAtOnce && begin + i < end; ++i) {
      const unsigned tile = begin + i;
      const uint16_t* row = rows + size_t{tile} * kParents;
      const unsigned size = piece_size(row, bucket, kParents, tile_size(n, tile));
      s_pieces[i][bucket] = (running - before) << kOffsetBits | row[bucket];
      const unsigned k = (running + kTileItems - 1) / kTileItems;
      if (size != 0 && k * kTileItems < running + size) gathered[first_tile + k] = GatheredTile{bucket, tile};
      running += size;
    }
    __syncthreads();
    const unsigned tile = begin + lane_id();
    if (tile < end) {
#pragma unroll 4
      for (unsigned b = warp_id(); b < kParents; b += kParents / 32) {
        const unsigned piece = s_pieces[lane_id()][b];
        prefix[size_t{b} * stride + tile] = s_begin[b] + (piece >> kOffsetBits);
        offset[size_t{b} * stride + tile] = static_cast<uint16_t>(piece & ((1u << kOffsetBits) - 1u));
      }
    }
    __syncthreads();
  }
}

// The sizes of the buckets of all tiles of one level: a block adds up kSummedTiles tiles.
constexpr unsigned kSummedTiles = 16;

template <int kBuckets>
__global__ __launch_bounds__(kBuckets) void sum_sizes(const uint16_t* rows, unsigned n, unsigned tiles, unsigned* sizes) {
  const unsigned begin = blockIdx.x * kSummedTiles, end = min(begin + kSummedTiles, tiles);
  unsigned sum = 0;
#pragma unroll 8
  for (unsigned tile = begin; tile < end; ++tile)
    sum += piece_size(rows + size_t{tile} * kBuckets, threadIdx.x, kBuckets, tile_size(n, tile));
  if (sum != 0) atomicAdd(&sizes[threadIdx.x], sum);
}

struct BucketLists {
  Bucket* of_class[kClasses];
};

// Appends the buckets of the threads that have one to a list. All threads of the block call it.
template <int kThreads>
__device__ __forceinline__ void append(bool has, const Bucket& bucket, Bucket* list, unsigned* count, unsigned* s_sums) {
  __shared__ unsigned s_first;
  unsigned total;
  const unsigned mine = block_exclusive_sum<kThreads>(has ? 1 : 0, s_sums, total);
  if (threadIdx.x == 0 && total != 0) s_first = atomicAdd(count, total);
  __syncthreads();
  if (has) list[s_first + mine] = bucket;
}

// A block for each first-level bucket, a thread for each of its buckets: lists them by size for finish, and buckets of
// equal keys by chunks of 8,192 items.
template <class S, int kBuckets>
__global__ __launch_bounds__(kBuckets) void list_buckets(const uint16_t* rows, const Parents<typename S::Bits>* parents,
                                                         unsigned parent_count,
                                                         const Bounds<typename S::Bits, kBuckets>* bounds, const unsigned* sizes, BucketLists lists, BucketLists merged, EqualChunk* equal_chunks,
                                                         Counts* counts) {
  using Bits = typename S::Bits;
  __shared__ unsigned s_sums[33];
  const unsigned parent = blockIdx.x, index = threadIdx.x;
  const unsigned parent_begin = parents->begin[parent], parent_size = parents->begin[parent + 1] - parent_begin;
  if (parent_size == 0) return;
  const Bits parent_low = parents->low[parent], high_of_parent = parent_high(parents, parent, parent_count);
  if (parent_low == high_of_parent) {
    const unsigned chunks = (parent_size + kTileItems - 1) / kTileItems;
    __shared__ unsigned s_first;
    if (index == 0) s_first = atomicAdd(&counts->equal_chunks, chunks);
    __syncthreads();
    for (unsigned c = index; c < chunks; c += kBuckets)
      equal_chunks[s_first + c] = EqualChunk{Bucket{parent_begin, parent_size, parent, ~0u}, c};
    return;
  }
  const unsigned tile_begin = parents->tile[parent], tile_end = parents->tile[parent + 1];
  unsigned size = sizes != nullptr ? sizes[index] : 0;
#pragma unroll 8
  for (unsigned tile = tile_begin; sizes == nullptr && tile < tile_end; ++tile)
    size += piece_size(rows + size_t{tile} * kBuckets, index, kBuckets, tile_size(parent_size, tile - tile_begin));
  unsigned total;
  const unsigned begin = parent_begin + block_exclusive_sum<kBuckets>(size, s_sums, total);
  const Bits* low = &bounds[parent].lows[index];
  const Bits high = index + 1 < kBuckets ? low[1] - 1 : high_of_parent;
  const bool equal = size != 0 && *low == high;
  const Bucket bucket{begin, size, parent, index};
  if (equal) {
    const unsigned chunks = (size + kTileItems - 1) / kTileItems;
    const unsigned first = atomicAdd(&counts->equal_chunks, chunks);
    for (unsigned c = 0; c < chunks; ++c) equal_chunks[first + c] = EqualChunk{bucket, c};
  }
  const bool overflowing = bounds[parent].overflowing[index];
#pragma unroll
  for (int c = 0; c < kClasses; ++c) {
    const unsigned most = class_size(c, S::kWidePairs), least = c == 0 ? 0 : class_size(c - 1, S::kWidePairs);
    const bool in_class = !equal && size > least && size <= most;
    append<kBuckets>(in_class && !overflowing, bucket, lists.of_class[c], &counts->buckets[c], s_sums);
    append<kBuckets>(in_class && overflowing, bucket, merged.of_class[c], &counts->merged[c], s_sums);
  }
  if (!equal && size > class_size(kClasses - 1, S::kWidePairs)) atomicAdd(&counts->overflows, 1u);
}

}  // namespace nocliffs
