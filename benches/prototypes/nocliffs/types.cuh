// Key types, sizes and records of scratch memory, which the kernels of the splitter sort share.
#pragma once

#include <cstdint>
#include <type_traits>

namespace nocliffs {

struct NoValue {};

// Keys as the caller has them (`Raw`), and the unsigned bits that order as they do (`Bits`).
template <class BitsT, class ValueT, bool kFloatKeys>
struct Sort {
  using Bits = BitsT;
  using Value = ValueT;
  static constexpr bool kPairs = !std::is_same<Value, NoValue>::value;
  static constexpr bool kWidePairs = kPairs && sizeof(Bits) == 8;
  static constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
  static __device__ __forceinline__ Bits ordered(Bits raw) {
    if constexpr (kFloatKeys) return raw & kSign ? ~raw : raw | kSign;
    return raw;
  }
  static __device__ __forceinline__ Bits raw(Bits ordered) {
    if constexpr (kFloatKeys) return ordered & kSign ? ordered & ~kSign : ~ordered;
    return ordered;
  }
};

constexpr int kTileItems = 8192;
constexpr int kSplitThreads = 512;
constexpr int kSplitRows = kTileItems / kSplitThreads;
constexpr int kSplitWarps = kSplitThreads / 32;

constexpr int kParents = 256;      // buckets of the first level
constexpr int kChunkTiles = 64;    // tiles that one block of a scan adds up
constexpr int kSampleThreads = 512;
constexpr int kSamplesOfThread = 16;
constexpr int kSamples = kSampleThreads * kSamplesOfThread;  // samples of a first-level bucket
constexpr unsigned kTargetSize = 3072;  // items of a bucket that finish sorts, on average

// Finish launches blocks of three sizes; the largest holds as many items as shared memory has room for.
constexpr int kClasses = 3;
__host__ __device__ constexpr unsigned class_size(int c, bool wide_pairs) { return c == 2 && wide_pairs ? 12288u : 4096u << c; }

// A tile of the second level: 8,192 items of one first-level bucket; the first of its pieces is in tile `first`.
struct GatheredTile {
  unsigned parent;
  unsigned first;
};

// A bucket for finish, and a chunk of 8,192 items of a bucket of equal keys, beginning at item `chunk * 8192`.
struct Bucket {
  unsigned begin;
  unsigned size;
  unsigned parent;
  unsigned index;
};
struct EqualChunk {
  Bucket bucket;
  unsigned chunk;
};

// Counts on the device, cleared before a sort.
struct Counts {
  unsigned buckets[kClasses];
  unsigned equal_chunks;
  unsigned overflows;   // buckets that no block holds: the sort has failed
  unsigned reranked;    // tiles with a failed order check
  unsigned merged[kClasses];  // buckets left to merges
  unsigned sizes[1024];  // of the buckets of one level
};

// First-level buckets: where each begins in the array, which tiles of the second level are its, and its bounds.
template <class Bits>
struct Parents {
  unsigned begin[kParents + 1];
  unsigned tile[kParents + 1];
  Bits low[kParents + 1];  // least key of each bucket; the last entry is not used
};

template <class Bits>
__device__ __forceinline__ Bits parent_high(const Parents<Bits>* parents, unsigned parent, unsigned count) {
  return parent + 1 < count ? parents->low[parent + 1] - 1 : ~Bits{0};
}

}  // namespace nocliffs
