#include "peer.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_radix_sort.cuh>
#include <vector>

namespace {

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "CUB: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

template <class Key, class Count>
cudaError_t sort(void* temp, size_t& bytes, cub::DoubleBuffer<Key>& keys, cub::DoubleBuffer<uint32_t>* values, bool buffered, Count n) {
  constexpr int kEnd = 8 * sizeof(Key);
  if (buffered)
    return values ? cub::DeviceRadixSort::SortPairs(temp, bytes, keys, *values, n, 0, kEnd)
                  : cub::DeviceRadixSort::SortKeys(temp, bytes, keys, n, 0, kEnd);
  return values ? cub::DeviceRadixSort::SortPairs(temp, bytes, static_cast<const Key*>(keys.Current()), keys.Alternate(),
                                                  static_cast<const uint32_t*>(values->Current()), values->Alternate(), n, 0, kEnd)
                : cub::DeviceRadixSort::SortKeys(temp, bytes, static_cast<const Key*>(keys.Current()), keys.Alternate(), n, 0, kEnd);
}

template <class Key, class Count>
float time_one(const Key* in, const uint32_t* values_in, Key* out, uint32_t* values_out, Count n, bool buffered, int rounds) {
  const bool pairs = values_in != nullptr;
  Key* copy = nullptr;
  uint32_t* values_copy = nullptr;
  void* temp = nullptr;
  check(cudaMalloc(&copy, n * sizeof(Key)));
  if (pairs) check(cudaMalloc(&values_copy, n * sizeof(uint32_t)));
  size_t bytes = 0;
  cub::DoubleBuffer<Key> keys(copy, out);
  cub::DoubleBuffer<uint32_t> values(values_copy, values_out);
  check(sort(nullptr, bytes, keys, pairs ? &values : nullptr, buffered, n));
  check(cudaMalloc(&temp, bytes));
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  std::vector<float> times;
  for (int round = 0; round <= rounds; ++round) {
    keys = cub::DoubleBuffer<Key>(copy, out);
    values = cub::DoubleBuffer<uint32_t>(values_copy, values_out);
    check(cudaMemcpyAsync(copy, in, n * sizeof(Key), cudaMemcpyDeviceToDevice));
    if (pairs) check(cudaMemcpyAsync(values_copy, values_in, n * sizeof(uint32_t), cudaMemcpyDeviceToDevice));
    check(cudaEventRecord(begin));
    check(sort(temp, bytes, keys, pairs ? &values : nullptr, buffered, n));
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end));
    if (round > 0) times.push_back(ms);
  }
  if (buffered && keys.Current() != out) check(cudaMemcpy(out, keys.Current(), n * sizeof(Key), cudaMemcpyDeviceToDevice));
  if (buffered && pairs && values.Current() != values_out)
    check(cudaMemcpy(values_out, values.Current(), n * sizeof(uint32_t), cudaMemcpyDeviceToDevice));
  check(cudaFree(copy));
  check(cudaFree(values_copy));
  check(cudaFree(temp));
  check(cudaEventDestroy(begin));
  check(cudaEventDestroy(end));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

template <class Key>
float fastest(const void* in, const uint32_t* values, void* out, uint32_t* values_out, size_t n, int rounds, float* each) {
  const auto* keys = static_cast<const Key*>(in);
  auto* keys_out = static_cast<Key*>(out);
  each[0] = time_one<Key, int64_t>(keys, values, keys_out, values_out, static_cast<int64_t>(n), false, rounds);
  each[1] = time_one<Key, int64_t>(keys, values, keys_out, values_out, static_cast<int64_t>(n), true, rounds);
  each[2] = time_one<Key, int32_t>(keys, values, keys_out, values_out, static_cast<int32_t>(n), false, rounds);
  each[3] = time_one<Key, int32_t>(keys, values, keys_out, values_out, static_cast<int32_t>(n), true, rounds);
  return *std::min_element(each, each + 4);
}

}  // namespace

float fastest_cub(KeyType type, const void* keys, const uint32_t* values, void* keys_out, uint32_t* values_out, size_t n, int rounds,
                  float* each) {
  switch (type) {
    case KeyType::kU64: return fastest<uint64_t>(keys, values, keys_out, values_out, n, rounds, each);
    case KeyType::kU32: return fastest<uint32_t>(keys, values, keys_out, values_out, n, rounds, each);
    case KeyType::kF32: return fastest<float>(keys, values, keys_out, values_out, n, rounds, each);
  }
  return 0;
}
