// Times of the facade of top-ks beside CUB's, for `top_k_facade.cu`. CUB finds any of equal keys and writes results in any order, so its times are
// those of finding alone, and with its sort of the results behind it.
#pragma once

#include <cub/device/device_batched_topk.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <cub/device/device_topk.cuh>
#include <cuda/argument>
#include <cuda/iterator>
#include <cuda/std/execution>
#include <cuda/stream>

namespace {

// All that CUB has: it does not take other requirements.
auto environment(cudaStream_t stream) {
  const auto requirements = cuda::execution::require(cuda::execution::determinism::not_guaranteed, cuda::execution::tie_break::unspecified,
                                                     cuda::execution::output_ordering::unsorted);
  return cuda::std::execution::env{cuda::stream_ref{stream}, requirements};
}

cudaError_t cub_find(void* storage, size_t& bytes, const Items& in, size_t first, const Items& out, size_t to, size_t n, size_t k,
                     cudaStream_t stream) {
  const Key* const keys = in.keys() + first;
  const int items = static_cast<int>(n), found = static_cast<int>(k);
  if constexpr (kHasValues) {
    const Value* const values = in.values() + first;
    return cub::DeviceTopK::MaxPairs(storage, bytes, keys, out.keys() + to, values, out.values() + to, items, found, environment(stream));
  } else {
    return cub::DeviceTopK::MaxKeys(storage, bytes, keys, out.keys() + to, items, found, environment(stream));
  }
}

// Of rows with numbers of columns and k that the compiler knows: a block of CUB has room for all keys of a row.
template <int kColumns, int kFound>
cudaError_t cub_find_rows(void* storage, size_t& bytes, const Items& in, const Items& out, size_t rows) {
  const auto of_rows = [](auto* items, int count) { return cuda::strided_iterator(cuda::counting_iterator(items), count); };
  const cuda::args::constant<kColumns> columns{};
  const cuda::args::constant<kFound> k{};
  const auto keys = of_rows(in.keys(), kColumns), keys_out = of_rows(out.keys(), kFound);
  if constexpr (kHasValues) {
    return cub::DeviceBatchedTopK::MaxPairs(storage, bytes, keys, keys_out, of_rows(in.values(), kColumns), of_rows(out.values(), kFound), columns,
                                            k, static_cast<int>(rows), environment(nullptr));
  } else {
    return cub::DeviceBatchedTopK::MaxKeys(storage, bytes, keys, keys_out, columns, k, static_cast<int>(rows), environment(nullptr));
  }
}

// The sort of results: of an array, or of each row.
cudaError_t cub_sort(void* storage, size_t& bytes, const Items& found, const Items& sorted, const Rows& rows, size_t k, const int* offsets) {
  const int count = static_cast<int>(rows.count), all = static_cast<int>(rows.count * k);
  if (rows.is_batched) {
    using Sort = cub::DeviceSegmentedSort;
    if constexpr (kHasValues) {
      return Sort::SortPairsDescending(storage, bytes, found.keys(), sorted.keys(), found.values(), sorted.values(), all, count, offsets, offsets + 1);
    } else {
      return Sort::SortKeysDescending(storage, bytes, found.keys(), sorted.keys(), all, count, offsets, offsets + 1);
    }
  }
  using Sort = cub::DeviceRadixSort;
  if constexpr (kHasValues) {
    return Sort::SortPairsDescending(storage, bytes, found.keys(), sorted.keys(), found.values(), sorted.values(), all);
  } else {
    return Sort::SortKeysDescending(storage, bytes, found.keys(), sorted.keys(), all);
  }
}

// CUB's searches of rows that are too long for its struct of rows: one after the other in each of several branches of a graph, each with its storage.
class RowsInGraph {
 public:
  RowsInGraph(const Items& in, const Items& out, const Rows& rows, size_t k) {
    size_t bytes = 0;
    GOOD(cub_find(nullptr, bytes, in, 0, out, 0, rows.columns, k, nullptr));
    for (int i = 0; i < kBranches; ++i) {
      storage_.push_back(std::make_unique<Memory>(bytes));
      GOOD(cudaStreamCreateWithFlags(&streams_[i], cudaStreamNonBlocking));
      GOOD(cudaEventCreate(&joined_[i]));
    }
    GOOD(cudaStreamBeginCapture(streams_[0], cudaStreamCaptureModeGlobal));
    GOOD(cudaEventRecord(joined_[0], streams_[0]));
    for (int i = 1; i < kBranches; ++i) GOOD(cudaStreamWaitEvent(streams_[i], joined_[0]));
    for (size_t row = 0; row < rows.count; ++row) {
      const size_t branch = row % kBranches;
      GOOD(cub_find(storage_[branch]->bytes, bytes, in, row * rows.stride, out, row * k, rows.columns, k, streams_[branch]));
    }
    for (int i = 1; i < kBranches; ++i) {
      GOOD(cudaEventRecord(joined_[i], streams_[i]));
      GOOD(cudaStreamWaitEvent(streams_[0], joined_[i]));
    }
    GOOD(cudaStreamEndCapture(streams_[0], &graph_));
    GOOD(cudaGraphInstantiate(&executable_, graph_, 0));
  }
  ~RowsInGraph() {
    cudaGraphExecDestroy(executable_);
    cudaGraphDestroy(graph_);
    for (int i = 0; i < kBranches; ++i) {
      cudaEventDestroy(joined_[i]);
      cudaStreamDestroy(streams_[i]);
    }
  }
  void launch() const { GOOD(cudaGraphLaunch(executable_, nullptr)); }

 private:
  static constexpr int kBranches = 8;
  std::vector<std::unique_ptr<Memory>> storage_;
  cudaStream_t streams_[kBranches];
  cudaEvent_t joined_[kBranches];
  cudaGraph_t graph_;
  cudaGraphExec_t executable_;
};

// ms of the facade's search, of CUB's, and of CUB's with the sort of its results; both have found the same keys.
template <typename CubFind>
void print_times_of(const Items& in, const Rows& rows, size_t k, const char* of_cub, const Items& found, const CubFind& cub_call) {
  constexpr int kCalls = 8;
  const size_t all = rows.count * k;
  const Items own(all, 0), sorted(all, 0);
  std::vector<int> of_rows(rows.count + 1);
  for (size_t row = 0; row <= rows.count; ++row) of_rows[row] = static_cast<int>(row * k);
  const Memory offsets(of_rows.size() * sizeof(int));
  GOOD(cudaMemcpy(offsets.bytes, of_rows.data(), of_rows.size() * sizeof(int), cudaMemcpyHostToDevice));

  using Beside = std::conditional_t<kHasValues, Value, void>;
  const Search search = {rows, static_cast<long long>(k), true};
  const Out<Beside> out = {own.keys(), own.values()};
  size_t bytes = 0, sort_bytes = 0;
  GOOD(find(search, nullptr, bytes, in, out, nullptr));
  const Memory storage(bytes);
  const double of_own = time_of(kCalls, [&] { GOOD(find(search, storage.bytes, bytes, in, out, nullptr)); });

  const auto sort = [&](void* storage) { return cub_sort(storage, sort_bytes, found, sorted, rows, k, at<int>(offsets, 0)); };
  GOOD(sort(nullptr));
  const Memory of_sort(sort_bytes);
  const double of_find = time_of(kCalls, cub_call);
  const double of_both = time_of(kCalls, [&] {
    cub_call();
    GOOD(sort(of_sort.bytes));
  });
  GOOD(cudaDeviceSynchronize());
  REQUIRE(are_equal(own.keys(), sorted.keys(), all * sizeof(Key)));
  std::printf("%zu x %zu, k %zu: own %.4f ms, %s %.4f ms, and sorted %.4f ms, %.2f times as fast; storage %zu bytes\n", rows.count, rows.columns, k,
              of_own / 1000, of_cub, of_find / 1000, of_both / 1000, of_both / of_own, bytes);
  std::fflush(stdout);
}

void print_times_of_array(const Items& in, size_t n, size_t k) {
  const Items found(k, 0);
  size_t bytes = 0;
  GOOD(cub_find(nullptr, bytes, in, 0, found, 0, n, k, nullptr));
  const Memory storage(bytes);
  print_times_of(in, {1, n, n, false}, k, "CUB's DeviceTopK", found,
                 [&] { GOOD(cub_find(storage.bytes, bytes, in, 0, found, 0, n, k, nullptr)); });
}

void print_times_of_long_rows(const Items& in, const Rows& rows, size_t k) {
  const Items found(rows.count * k, 0);
  const RowsInGraph graph(in, found, rows, k);
  print_times_of(in, rows, k, "CUB's DeviceTopK of each row in a graph", found, [&] { graph.launch(); });
}

template <int kColumns, int kFound>
void print_times_of_short_rows(const Items& in, size_t count) {
  const Items found(count * kFound, 0);
  size_t bytes = 0;
  const auto call = [&](void* storage) { return cub_find_rows<kColumns, kFound>(storage, bytes, in, found, count); };
  GOOD(call(nullptr));
  const Memory storage(bytes);
  print_times_of(in, {count, kColumns, kColumns, true}, kFound, "CUB's DeviceBatchedTopK", found, [&] { GOOD(call(storage.bytes)); });
}

void print_times() {
  const Items in(1 << 27, 0);
  make_keys(in, 1, kNumbers);
  for (const size_t n : {128256, 1 << 20, 1 << 24, 1 << 27}) {
    for (const size_t k : {50, 1024}) print_times_of_array(in, n, k);
  }
  for (const size_t count : {8, 64, 512}) print_times_of_long_rows(in, {count, 128256, 128256, true}, 50);
  print_times_of_short_rows<1024, 50>(in, 1 << 17);
  print_times_of_short_rows<128, 8>(in, 1 << 20);
  print_times_of_short_rows<128, 50>(in, 1 << 20);
}

}  // namespace
