// RAFT's select_k of rows of floats behind a C interface, by that of its algorithms which is the fastest for the case: the k largest of
// each row and their positions, in order or not.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include <raft/core/device_mdspan.hpp>
#include <raft/core/resource/cuda_stream.hpp>
#include <raft/core/resource/device_memory_resource.hpp>
#include <raft/core/resources.hpp>
#include <raft/matrix/select_k.cuh>

namespace {

using raft::matrix::SelectAlgo;

// What a call takes but for the arrays.
struct Case {
  bool is_ordered;
  int64_t rows, columns, k;

  auto key() const { return std::make_tuple(is_ordered, rows, columns, k); }
  bool operator<(const Case& other) const { return key() < other.key(); }
};

struct Arrays {
  const float* keys;
  float* found;
  int* positions;
};

void select(raft::resources& resources, const Case& of, const Arrays& arrays, SelectAlgo algorithm) {
  const auto in = raft::make_device_matrix_view<const float, int64_t, raft::row_major>(arrays.keys, of.rows, of.columns);
  const auto found = raft::make_device_matrix_view<float, int64_t, raft::row_major>(arrays.found, of.rows, of.k);
  const auto positions = raft::make_device_matrix_view<int, int64_t, raft::row_major>(arrays.positions, of.rows, of.k);
  raft::matrix::select_k<float, int>(resources, in, std::nullopt, found, positions, false, of.is_ordered, algorithm);
}

// The median milliseconds of some calls, or infinity where the algorithm is not for the case.
float time(raft::resources& resources, cudaStream_t stream, const Case& of, const Arrays& arrays, SelectAlgo algorithm) {
  std::array<float, 5> times;
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  bool is_refused = false;
  try {
    select(resources, of, arrays, algorithm);
    for (float& time : times) {
      cudaEventRecord(begin, stream);
      select(resources, of, arrays, algorithm);
      cudaEventRecord(end, stream);
      cudaEventSynchronize(end);
      cudaEventElapsedTime(&time, begin, end);
    }
  } catch (const std::exception&) {
    is_refused = true;
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::sort(times.begin(), times.end());
  return is_refused ? std::numeric_limits<float>::infinity() : times[times.size() / 2];
}

SelectAlgo fastest(raft::resources& resources, cudaStream_t stream, const Case& of, const Arrays& arrays) {
  std::vector<SelectAlgo> algorithms = {SelectAlgo::kAuto, SelectAlgo::kRadix11bits, SelectAlgo::kRadix11bitsExtraPass};
  // Queues in a warp's registers or in shared memory hold this many.
  if (of.k <= 256) {
    for (const SelectAlgo by_warps : {SelectAlgo::kWarpImmediate, SelectAlgo::kWarpDistributed, SelectAlgo::kWarpDistributedShm}) algorithms.push_back(by_warps);
  }
  const auto time_of = [&](SelectAlgo algorithm) { return time(resources, stream, of, arrays, algorithm); };
  std::vector<float> times(algorithms.size());
  std::transform(algorithms.begin(), algorithms.end(), times.begin(), time_of);
  return algorithms[std::min_element(times.begin(), times.end()) - times.begin()];
}

}  // namespace

// Writes the k largest keys of each row and their positions. The first call of a case measures which algorithm to take. Returns 0, or 1
// where RAFT throws.
extern "C" __attribute__((visibility("default"))) int sortsmith_peer_raft_topk_f32_u32(
    int is_ordered, const void* keys, void* found, void* positions, unsigned long long rows, unsigned long long columns,
    unsigned long long k, void* stream_handle) {
  // Its memory is of a pool: else each call allocates.
  static raft::resources resources = [] {
    raft::resources with_pool;
    raft::resource::set_workspace_to_pool_resource(with_pool);
    return with_pool;
  }();
  static std::map<Case, SelectAlgo> chosen;
  const auto stream = static_cast<cudaStream_t>(stream_handle);
  const Case of{is_ordered != 0, static_cast<int64_t>(rows), static_cast<int64_t>(columns), static_cast<int64_t>(k)};
  const Arrays arrays{static_cast<const float*>(keys), static_cast<float*>(found), static_cast<int*>(positions)};
  try {
    raft::resource::set_cuda_stream(resources, rmm::cuda_stream_view(stream));
    auto algorithm = chosen.find(of);
    if (algorithm == chosen.end()) algorithm = chosen.emplace(of, fastest(resources, stream, of, arrays)).first;
    select(resources, of, arrays, algorithm->second);
    return 0;
  } catch (const std::exception&) {
    return 1;
  }
}
