// What a header of top-ks asks of CUDA's runtime, and what comes of it in the emulator. Reads cases, a line each: rows, columns, keys between the end
// of a row and the next, k, multiprocessors, bytes of shared memory of a block, whether the largest are found, what is found beside keys (0 nothing,
// 1 values, 2 and 3 positions of 4 and 8 bytes), whether it is `DeviceBatchedTopK`, and a seed: 0 where nothing is run. Writes for each the bytes of
// storage and the launches, each on a line; then what is wrong with the result or with the error of a call that is not legal, if anything is.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "emulator.hpp"
#include "supplied.hpp"

#include "call_kernel.hpp"
#include "runtime_stub.hpp"

namespace {

void print_arguments(const std::string&, void**) {}

}  // namespace

// Here the host's compiler sees the code of kernels, which in programs nvcc alone sees.
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include "device_top_k.cuh"
#include "kernels.hpp"
#include "facade_keys.hpp"

namespace {

struct Case {
  long long rows;
  long long columns;
  long long gap;
  long long k;
  int largest;
  int beside;
  int is_batched;

  size_t stride() const { return static_cast<size_t>(columns + gap); }
};

using Key = TEST_KEY;
using Value = int;

struct Pointers {
  const TEST_KEY* keys;
  TEST_KEY* keys_out;
  const Value* values;
  // Values, or positions of either width.
  void* found;
};

// The member of a struct, with what is found beside keys.
template <typename TopK, typename... Numbers>
cudaError_t find_in(const Case& called, const Pointers& arrays, void* storage, size_t& bytes, Numbers... numbers) {
#ifdef TEST_VALUES
  Value* const found = static_cast<Value*>(arrays.found);
  if (called.largest) return TopK::MaxPairs(storage, bytes, arrays.keys, arrays.keys_out, arrays.values, found, numbers...);
  return TopK::MinPairs(storage, bytes, arrays.keys, arrays.keys_out, arrays.values, found, numbers..., nullptr);
#else
  if (called.beside == 0) {
    if (called.largest) return TopK::MaxKeys(storage, bytes, arrays.keys, arrays.keys_out, numbers..., nullptr);
    return TopK::MinKeys(storage, bytes, arrays.keys, arrays.keys_out, numbers...);
  }
  if (called.beside == 2) {
    unsigned int* const found = static_cast<unsigned int*>(arrays.found);
    if (called.largest) return TopK::MaxPairs(storage, bytes, arrays.keys, arrays.keys_out, nullptr, found, numbers...);
    return TopK::MinPairs(storage, bytes, arrays.keys, arrays.keys_out, nullptr, found, numbers...);
  }
  long long* const found = static_cast<long long*>(arrays.found);
  if (called.largest) return TopK::MaxPairs(storage, bytes, arrays.keys, arrays.keys_out, nullptr, found, numbers...);
  return TopK::MinPairs(storage, bytes, arrays.keys, arrays.keys_out, nullptr, found, numbers...);
#endif
}

cudaError_t find(const Case& called, const Pointers& arrays, void* storage, size_t& bytes) {
  if (!called.is_batched) return find_in<sortsmith::DeviceTopK>(called, arrays, storage, bytes, called.columns, static_cast<long>(called.k));
  return find_in<sortsmith::DeviceBatchedTopK>(called, arrays, storage, bytes, called.rows, called.columns, called.columns + called.gap, called.k);
}

// The arrays of a call, and what is to come of it.
struct Items {
  std::vector<TEST_KEY> keys;
  std::vector<Value> values;
  std::vector<TEST_KEY> keys_out;
  std::vector<TEST_KEY> keys_expected;
  // Room for positions of 8 bytes; what comes behind the results stays.
  std::vector<unsigned char> found;
  std::vector<unsigned char> expected;

  Items(const Case& called, std::mt19937_64& random) {
    const size_t n = static_cast<size_t>(called.rows) * called.stride(), results = static_cast<size_t>(called.rows * called.k);
    const unsigned long long mask = random() % 3 == 0 ? 3 : ~0ull;
    keys.resize(n);
    values.resize(n);
    for (size_t i = 0; i < n; ++i) {
      keys[i] = key_of(random() & mask, i);
      values[i] = static_cast<Value>(3 * i + 1);
      if constexpr (std::is_floating_point<Key>::value) {
        if (random() % 50 == 0) keys[i] = std::copysign(std::numeric_limits<Key>::quiet_NaN(), i % 2 == 0 ? Key(1) : Key(-1));
      }
    }
    keys_out.assign(results + 1, Key(1));
    keys_expected = keys_out;
    found.assign(8 * (results + 1), 77);
    expected = found;
    for (size_t row = 0; row < static_cast<size_t>(called.rows); ++row) find_in_row(called, row);
  }

  void find_in_row(const Case& called, size_t row) {
    const size_t first = row * called.stride(), k = static_cast<size_t>(called.k);
    std::vector<size_t> order(static_cast<size_t>(called.columns));
    std::iota(order.begin(), order.end(), size_t{0});
    const int bits = 8 * sizeof(TEST_KEY);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      const auto of_a = order_of(keys[first + a], 0, bits), of_b = order_of(keys[first + b], 0, bits);
      return called.largest ? of_b < of_a : of_a < of_b;
    });
    for (size_t i = 0; i < k; ++i) {
      const size_t to = row * k + i, position = order[i];
      keys_expected[to] = keys[first + position];
      const unsigned long long found = called.beside == 1 ? static_cast<unsigned int>(values[first + position]) : position;
      const size_t bytes = called.beside == 0 ? 0 : called.beside == 3 ? 8 : 4;
      std::memcpy(expected.data() + to * bytes, &found, bytes);
    }
  }

  bool are_found() const {
    return are_same(keys_expected.data(), keys_out.data(), keys_out.size()) && expected == found;
  }
};

// Calls of which each has one argument that is not legal. They enqueue nothing.
void check_errors(const Case& called, const Pointers& arrays, void* storage, size_t bytes) {
  int number = 0;
  const auto require_refused = [&](const Case& other, const Pointers& changed, size_t given) {
    const cudaError_t error = find(other, changed, storage, given);
    if (error != cudaErrorInvalidValue) std::printf("call %d that is not legal: %d\n", number, error);
    ++number;
  };
  const auto behind = [](auto* array) { return reinterpret_cast<decltype(array)>(reinterpret_cast<unsigned long long>(array) + 1); };
  require_refused(called, arrays, bytes - 1);
  Case other = called;
  other.k = -1;
  require_refused(other, arrays, bytes);
  if (called.rows == 0) return;
  other.k = called.columns + 1;
  require_refused(other, arrays, ~size_t{0});
  other = called;
  other.columns = -1;
  require_refused(other, arrays, bytes);
  other = called;
  other.columns = (1ll << 32) + 1;
  require_refused(other, arrays, ~size_t{0});
  other.columns = 1 << 20;
  other.k = 4097;
  require_refused(other, arrays, ~size_t{0});
  if (called.is_batched) {
    other = called;
    other.gap = -1;
    require_refused(other, arrays, bytes);
    other.gap = 0;
    other.rows = 1ll << 57;
    other.columns = std::max(other.columns, 1ll);
    require_refused(other, arrays, ~size_t{0});
  }
  if (called.k == 0) return;
  Pointers changed = arrays;
  changed.keys = nullptr;
  require_refused(called, changed, bytes);
  changed.keys = sizeof(TEST_KEY) == 1 ? nullptr : behind(arrays.keys);
  require_refused(called, changed, bytes);
  if (called.beside == 0) return;
  changed = arrays;
  changed.found = nullptr;
  require_refused(called, changed, bytes);
  changed.found = static_cast<char*>(arrays.found) + 2;
  require_refused(called, changed, bytes);
}

void run(const Case& called) {
  const bool is_run = run_seed != 0;
  std::mt19937_64 random(run_seed);
  Items items(is_run ? called : Case{}, random);
  Pointers arrays = {address<TEST_KEY>(1 << 20), address<TEST_KEY>(2 << 20), address<Value>(3 << 20), address<void>(4 << 20)};
  if (is_run) arrays = {items.keys.data(), items.keys_out.data(), items.values.data(), items.found.data()};
  size_t bytes = 0;
  const cudaError_t query = find(called, arrays, nullptr, bytes);
  if (query != cudaSuccess) {
    std::printf("error %d\n", query);
    return;
  }
  std::printf("storage %zu\n", bytes);
  // It may begin anywhere.
  std::vector<unsigned char> storage(is_run ? bytes + 3 : 0);
  void* const start = is_run ? storage.data() + 3 : address<void>(7 << 20);
  check_errors(called, arrays, start, bytes);
  const cudaError_t error = find(called, arrays, start, bytes);
  if (error != cudaSuccess) std::printf("error %d\n", error);
  if (is_run && !items.are_found()) std::printf("the first keys are not those of std::stable_sort\n");
}

}  // namespace

int main() {
  Case called = {};
  while (std::scanf("%lld %lld %lld %lld %d %d %d %d %d %llu", &called.rows, &called.columns, &called.gap, &called.k, &multiprocessors,
                    &shared_bytes_per_block, &called.largest, &called.beside, &called.is_batched, &run_seed) == 10) {
    run(called);
    std::printf(".\n");
  }
}
