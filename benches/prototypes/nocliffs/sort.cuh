// The host's side: scratch memory and launches of a sort by two levels of splitters, or by one.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "finish.cuh"
#include "scans.cuh"
#include "split.cuh"

namespace nocliffs {

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

constexpr int kOneLevelBuckets = 1024;
constexpr int kTwoLevelBuckets = 512;
constexpr unsigned kOneLevelMost = 1u << 22;  // items up to which one level does

// Scratch memory of sorts of up to n items.
template <class S>
class Scratch {
 public:
  using Bits = typename S::Bits;
  using Value = typename S::Value;

  explicit Scratch(unsigned n) {
    tiles = (n + kTileItems - 1) / kTileItems;
    gathered_tiles = tiles + kParents;
    chunks = (tiles + kChunkTiles - 1) / kChunkTiles;
    stride = (tiles + 1 + 31) / 32 * 32;
    const unsigned most_buckets = kParents * kTwoLevelBuckets;
    take(keys, n), take(values, n);
    take(rows_1, size_t{tiles} * kParents), take(rows_2, size_t{gathered_tiles} * kOneLevelBuckets);
    take(chunk_sums, size_t{chunks} * kParents);
    take(prefix, size_t{kParents} * stride), take(offset, size_t{kParents} * stride);
    take(parents, 1), take(gathered, gathered_tiles), take(counts, 1);
    take(bounds_1, 1), take(bounds_2, kParents), take(bounds_only, 1);
    for (auto& list : lists.of_class) take(list, most_buckets);
    for (auto& list : merged.of_class) take(list, most_buckets);
    take(equal_chunks, gathered_tiles + most_buckets);
  }
  ~Scratch() {
    for (int i = 0; i < taken_count; ++i) cudaFree(taken[i]);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  unsigned tiles, gathered_tiles, chunks, stride;
  Bits* keys;
  Value* values;
  uint16_t *rows_1, *rows_2, *offset;
  unsigned *chunk_sums, *prefix;
  Parents<Bits>* parents;
  GatheredTile* gathered;
  Counts* counts;
  Bounds<Bits, kParents>* bounds_1;
  Bounds<Bits, kTwoLevelBuckets>* bounds_2;
  Bounds<Bits, kOneLevelBuckets>* bounds_only;
  BucketLists lists, merged;
  EqualChunk* equal_chunks;
  size_t bytes = 0;

 private:
  template <class T>
  void take(T*& pointer, size_t count) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, count * sizeof(T)), "cudaMalloc");
    taken[taken_count++] = memory;
    bytes += count * sizeof(T);
    pointer = static_cast<T*>(memory);
  }
  void* taken[32];
  int taken_count = 0;
};

// Events between the kernels, for the times of each.
struct Stages {
  static constexpr int kMost = 16;
  cudaEvent_t events[kMost];
  const char* names[kMost];
  int count = 0;
  bool on = false;
  Stages() {
    for (auto& event : events) check(cudaEventCreate(&event), "cudaEventCreate");
  }
  void mark(const char* name, cudaStream_t stream) {
    if (!on) return;
    names[count] = name;
    check(cudaEventRecord(events[count++], stream), "cudaEventRecord");
  }
};

template <class S>
struct Arrays {
  const typename S::Bits* keys;
  const typename S::Value* values;
  typename S::Bits* keys_out;
  typename S::Value* values_out;
  unsigned n;
};

template <class Kernel>
int blocks_of(Kernel kernel, int threads, size_t bytes) {
  int device = 0, processors = 0, blocks = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)), "shared memory");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, bytes), "occupancy");
  return processors * blocks;
}

// Launches a kernel that may begin before the one before it in the stream has ended.
template <class Argument>
void launch_beside(void (*kernel)(Argument), const Argument& argument, int blocks, int threads, size_t bytes, cudaStream_t stream) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks), config.blockDim = dim3(threads), config.dynamicSmemBytes = bytes, config.stream = stream;
  config.attrs = &attribute, config.numAttrs = 1;
  check(cudaLaunchKernelEx(&config, kernel, argument), "launch");
}

template <class S, int kBuckets, int kThreads, int kRows, int kBlocks, int kClass>
void launch_finish(FinishArguments<S, kBuckets> a, const Scratch<S>& s, cudaStream_t stream) {
  const auto kernel = finish<S, kBuckets, kThreads, kRows, kBlocks, kClass>;
  constexpr size_t kBytes = sizeof(FinishStorage<S, kThreads, kRows>);
  static const int blocks = blocks_of(kernel, kThreads, kBytes);
  a.buckets = s.lists.of_class[kClass], a.merged = s.merged.of_class[kClass];
  if (kClass == kClasses - 1) kernel<<<blocks, kThreads, kBytes, stream>>>(a);
  else launch_beside<FinishArguments<S, kBuckets>>(kernel, a, blocks, kThreads, kBytes, stream);
}

template <class S, int kBuckets, int kThreads, int kRows, int kBlocks, int kClass>
void launch_merges(FinishArguments<S, kBuckets> a, const Scratch<S>& s, cudaStream_t stream) {
  const auto kernel = finish_by_merges<S, kBuckets, kThreads, kRows, kBlocks, kClass>;
  constexpr size_t kBytes = sizeof(MergeStorage<S, kThreads, kRows>);
  static const int blocks = blocks_of(kernel, kThreads, kBytes);
  a.merged = s.merged.of_class[kClass];
  launch_beside<FinishArguments<S, kBuckets>>(kernel, a, blocks, kThreads, kBytes, stream);
}

// Lists the buckets of the last split and finishes them.
template <class S, int kBuckets>
void finish_all(const Arrays<S>& a, const Scratch<S>& s, const Bounds<typename S::Bits, kBuckets>* bounds, unsigned parent_count, Stages& stages, cudaStream_t stream) {
  const unsigned* sizes = nullptr;
  if (parent_count == 1) {
    const unsigned tiles = (a.n + kTileItems - 1) / kTileItems;
    sum_sizes<kBuckets><<<(tiles + kSummedTiles - 1) / kSummedTiles, kBuckets, 0, stream>>>(s.rows_2, a.n, tiles, s.counts->sizes);
    sizes = s.counts->sizes;
  }
  list_buckets<S, kBuckets><<<parent_count, kBuckets, 0, stream>>>(s.rows_2, s.parents, parent_count, bounds, sizes, s.lists, s.merged,
                                                                   s.equal_chunks, s.counts);
  stages.mark("lists", stream);
  FinishArguments<S, kBuckets> f{s.keys, s.values, a.keys_out, a.values_out, s.rows_2, s.parents, parent_count, bounds,
                                nullptr, nullptr, s.equal_chunks, s.counts};
  constexpr int kSmall = S::kWidePairs ? 3 : 4;
  launch_finish<S, kBuckets, 1024, S::kWidePairs ? 12 : 16, 1, 2>(f, s, stream);
  launch_finish<S, kBuckets, 512, 16, S::kWidePairs ? 1 : 2, 1>(f, s, stream);
  stages.mark("finish, large", stream);
  launch_finish<S, kBuckets, 256, 16, kSmall, 0>(f, s, stream);
  stages.mark("finish", stream);
  launch_beside<FinishArguments<S, kBuckets>>(write_equal<S, kBuckets>, f, 4 * 132, kSplitThreads, 0, stream);
  stages.mark("equal keys", stream);
  launch_merges<S, kBuckets, 1024, S::kWidePairs ? 12 : 16, 1, 2>(f, s, stream);
  launch_merges<S, kBuckets, 512, 16, S::kWidePairs ? 1 : 2, 1>(f, s, stream);
  launch_merges<S, kBuckets, 256, 16, kSmall, 0>(f, s, stream);
  stages.mark("merges", stream);
}

template <class S, int kBuckets, bool kGathered>
void launch_split(const SplitArguments<S, kBuckets>& a, unsigned tiles, cudaStream_t stream) {
  const auto kernel = split<S, kBuckets, kGathered>;
  constexpr size_t kBytes = sizeof(SplitStorage<S, kBuckets, kGathered>);
  static const int blocks = blocks_of(kernel, kSplitThreads, kBytes);
  static_cast<void>(blocks);
  kernel<<<tiles, kSplitThreads, kBytes, stream>>>(a);
}

template <class Bits>
__global__ void one_parent(Parents<Bits>* parents, unsigned n, unsigned tiles) {
  parents->begin[0] = 0, parents->begin[1] = n;
  parents->tile[0] = 0, parents->tile[1] = tiles;
  parents->low[0] = 0;
}

// Sorts by one level up to `one_level_most` items. Tests let the order of every `fail_order_every`-th tile count as wrong.
template <class S>
void sort(const Arrays<S>& a, const Scratch<S>& s, uint64_t seed, Stages& stages, cudaStream_t stream, unsigned fail_order_every = 0,
          unsigned one_level_most = kOneLevelMost) {
  using Bits = typename S::Bits;
  if (a.n == 0) return;
  stages.count = 0;
  const unsigned tiles = (a.n + kTileItems - 1) / kTileItems;
  const unsigned stride = s.stride;
  stages.mark("", stream);
  check(cudaMemsetAsync(s.counts, 0, sizeof(Counts), stream), "memset");
  if (a.n <= one_level_most) {
    constexpr int kThreads = 2 * kSampleThreads;
    constexpr size_t kBytes = kThreads * kSamplesOfThread * sizeof(Bits);
    const auto sample = sample_array<S, kOneLevelBuckets, kThreads>;
    static const int ready = blocks_of(sample, kThreads, kBytes);
    static_cast<void>(ready);
    one_parent<<<1, 1, 0, stream>>>(s.parents, a.n, tiles);
    sample<<<1, kThreads, kBytes, stream>>>(a.keys, a.n, seed, s.bounds_only, nullptr);
    stages.mark("samples", stream);
    const SplitArguments<S, kOneLevelBuckets> only{s.bounds_only, a.keys, a.values, s.keys, s.values, a.n, s.rows_2, {}, s.parents,
                                                   nullptr, s.counts, fail_order_every};
    launch_split<S, kOneLevelBuckets, false>(only, tiles, stream);
    stages.mark("split", stream);
    finish_all<S, kOneLevelBuckets>(a, s, s.bounds_only, 1, stages, stream);
    return;
  }
  constexpr size_t kSampleBytes = kSamples * sizeof(Bits);
  static const int ready = blocks_of(sample_array<S, kParents, kSampleThreads>, kSampleThreads, kSampleBytes) +
                           blocks_of(sample_parents<S, kTwoLevelBuckets>, kSampleThreads, kSampleBytes);
  static_cast<void>(ready);
  const unsigned chunks = (tiles + kChunkTiles - 1) / kChunkTiles;
  sample_array<S, kParents, kSampleThreads><<<1, kSampleThreads, kSampleBytes, stream>>>(a.keys, a.n, seed, s.bounds_1, &s.parents->low[0]);
  stages.mark("samples 1", stream);
  const SplitArguments<S, kParents> first{s.bounds_1, a.keys, a.values, a.keys_out, a.values_out, a.n, s.rows_1, {}, s.parents,
                                          nullptr, s.counts, fail_order_every};
  launch_split<S, kParents, false>(first, tiles, stream);
  stages.mark("split 1", stream);
  sum_chunks<<<chunks, kParents, 0, stream>>>(s.rows_1, a.n, tiles, s.chunk_sums);
  scan_chunks<<<1, 1024, 0, stream>>>(s.chunk_sums, chunks, s.parents, s.prefix, stride, tiles);
  locate_pieces<<<chunks, kParents, 0, stream>>>(s.rows_1, a.n, tiles, s.chunk_sums, s.parents, s.prefix, s.offset, stride, s.gathered);
  stages.mark("scans", stream);
  const Pieces pieces{s.prefix, s.offset, stride, tiles};
  sample_parents<S, kTwoLevelBuckets><<<kParents, kSampleThreads, kSampleBytes, stream>>>(a.keys_out, pieces, seed, s.parents, s.bounds_2);
  stages.mark("samples 2", stream);
  const SplitArguments<S, kTwoLevelBuckets> second{s.bounds_2, a.keys_out, a.values_out, s.keys, s.values, a.n, s.rows_2, pieces,
                                                   s.parents, s.gathered, s.counts, fail_order_every};
  launch_split<S, kTwoLevelBuckets, true>(second, tiles + kParents, stream);
  stages.mark("split 2", stream);
  finish_all<S, kTwoLevelBuckets>(a, s, s.bounds_2, kParents, stages, stream);
}

}  // namespace nocliffs
