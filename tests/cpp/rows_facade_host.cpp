// What a header of sorts of rows asks of CUDA's runtime, and what comes of it in the emulator. Reads cases, a line each: rows, columns, items between
// the end of a row and the next, multiprocessors, bytes of shared memory of a block, whether it is descending, which member is called (0 SortKeys, 1
// SortPairs, 2 SortPairs with positions, 3 Argsort), whether keys are sorted in place, and a seed: 0 where nothing is run. Writes for each the bytes
// of storage, then memsets and launches, each on a line, with what kernels are given where nothing is run, and the number of queries of the driver's
// version; then what is wrong with the result or with the error of a call that is not legal, if anything is.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "emulator.hpp"
#include "supplied.hpp"

#include "call_kernel.hpp"
#include "runtime_stub.hpp"

namespace {

constexpr unsigned long long kFirstKey = 1ull << 44;

template <typename Number>
Number number_at(const void* address) {
  Number number;
  std::memcpy(&number, address, sizeof(number));
  return number;
}

// Device-wide kernels have a struct: its arrays, the workspace and the columns, then the stride of rows and whether keys are written. Kernels of tiles
// have arrays, those that their type has, then rows, columns and stride.
void print_arguments(const std::string& kernel, void** parameters) {
  if (run_seed != 0) return;
  const auto print_word = [](const void* address) { std::printf(" %llu", number_at<unsigned long long>(address)); };
  if (kernel.compare(0, 7, "device_") == 0) {
    const auto* const arguments = static_cast<const unsigned char*>(parameters[0]);
    for (int word = 0; word < 8; ++word) print_word(arguments + 8 * word);
    print_word(arguments + ROW_STRIDE_OFFSET);
    std::printf(" %d", number_at<int>(arguments + WRITES_KEYS_OFFSET));
    return;
  }
#if defined(TEST_POSITIONS)
  constexpr int kArrays = 3;
#elif defined(TEST_VALUES)
  constexpr int kArrays = 4;
#else
  constexpr int kArrays = 2;
#endif
  for (int i = 0; i <= kArrays; ++i) print_word(parameters[i]);
  std::printf(" %u", number_at<unsigned int>(parameters[kArrays + 1]));
  print_word(parameters[kArrays + 2]);
}

}  // namespace

// Here the host's compiler sees the code of kernels, which in programs nvcc alone sees.
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include "device_rows.cuh"
#include "kernels.hpp"
#include "facade_keys.hpp"

namespace {

using Key = TEST_KEY;
using Value = int;

struct Case {
  long long rows;
  long long columns;
  long long gap;
  int descending;
  int member;
  int is_in_place;

  long long stride() const { return columns + gap; }
};

struct Pointers {
  const Key* keys;
  Key* keys_out;
  const Value* values;
  // Values or positions.
  Value* beside;
};

// The member that the case names, with the rows behind the arrays.
template <typename... Numbers>
cudaError_t sort_rows(const Case& called, const Pointers& arrays, void* storage, size_t& bytes, Numbers... numbers) {
  using Sort = sortsmith::DeviceRows;
#if defined(TEST_POSITIONS)
  unsigned int* const unsigned_positions = reinterpret_cast<unsigned int*>(arrays.beside);
  if (called.member == 3) {
    return called.descending ? Sort::ArgsortDescending(storage, bytes, arrays.keys, unsigned_positions, numbers...)
                             : Sort::Argsort(storage, bytes, arrays.keys, arrays.beside, numbers..., nullptr);
  }
  return called.descending ? Sort::SortPairsDescending(storage, bytes, arrays.keys, arrays.keys_out, nullptr, arrays.beside, numbers..., nullptr)
                           : Sort::SortPairs(storage, bytes, arrays.keys, arrays.keys_out, nullptr, unsigned_positions, numbers...);
#elif defined(TEST_VALUES)
  return called.descending ? Sort::SortPairsDescending(storage, bytes, arrays.keys, arrays.keys_out, arrays.values, arrays.beside, numbers..., nullptr)
                           : Sort::SortPairs(storage, bytes, arrays.keys, arrays.keys_out, arrays.values, arrays.beside, numbers...);
#else
  return called.descending ? Sort::SortKeysDescending(storage, bytes, arrays.keys, arrays.keys_out, numbers...)
                           : Sort::SortKeys(storage, bytes, arrays.keys, arrays.keys_out, numbers..., nullptr);
#endif
}

cudaError_t sort(const Case& called, const Pointers& arrays, void* storage, size_t& bytes) {
  return sort_rows(called, arrays, storage, bytes, called.rows, static_cast<long>(called.columns), called.stride());
}

// The arrays of a call, and what is to come of it. What lies between rows stays.
struct Items {
  std::vector<Key> keys;
  std::vector<Value> values;
  std::vector<Key> keys_out;
  std::vector<Value> beside;
  std::vector<Key> keys_expected;
  std::vector<Value> beside_expected;

  Items(const Case& called, std::mt19937_64& random) {
    const size_t n = static_cast<size_t>(called.rows * called.stride());
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
    keys_out.assign(n, Key(1));
    beside.assign(n, 77);
    keys_expected = called.is_in_place ? keys : keys_out;
    beside_expected = beside;
    for (size_t row = 0; row < static_cast<size_t>(called.rows); ++row) sort_row(called, row * static_cast<size_t>(called.stride()));
  }

  void sort_row(const Case& called, size_t first) {
    std::vector<size_t> order(static_cast<size_t>(called.columns));
    std::iota(order.begin(), order.end(), size_t{0});
    const int bits = 8 * sizeof(Key);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      const auto of_a = order_of(keys[first + a], 0, bits), of_b = order_of(keys[first + b], 0, bits);
      return called.descending ? of_b < of_a : of_a < of_b;
    });
    for (size_t i = 0; i < order.size(); ++i) {
      if (called.member != 3) keys_expected[first + i] = keys[first + order[i]];
      if (called.member == 1) beside_expected[first + i] = values[first + order[i]];
      if (called.member >= 2) beside_expected[first + i] = static_cast<Value>(order[i]);
    }
  }

  bool are_sorted(const Case& called) const {
    const std::vector<Key>& sorted = called.is_in_place ? keys : keys_out;
    return are_same(keys_expected.data(), sorted.data(), sorted.size()) && beside == beside_expected;
  }
};

// Calls of which each has one argument that is not legal. They enqueue nothing.
void check_errors(const Case& called, const Pointers& arrays, void* storage, size_t bytes) {
  int number = 0;
  const auto require_refused = [&](const Case& other, const Pointers& changed, size_t given) {
    const cudaError_t error = sort(other, changed, storage, given);
    if (error != cudaErrorInvalidValue) std::printf("call %d that is not legal: %d\n", number, error);
    ++number;
  };
  const auto behind = [](auto* array) { return reinterpret_cast<decltype(array)>(reinterpret_cast<unsigned long long>(array) + 1); };
  require_refused(called, arrays, bytes - 1);
  Case other = called;
  other.rows = -1;
  require_refused(other, arrays, bytes);
  if (called.rows == 0) return;
  other = called;
  other.columns = -1;
  require_refused(other, arrays, bytes);
  other = called;
  other.gap = -1;
  require_refused(other, arrays, bytes);
  other.gap = 0;
  other.columns = std::max(called.columns, 1ll);
  other.rows = (1ll << 56) / other.columns + 1;
  require_refused(other, arrays, ~size_t{0});
  if (called.columns == 0) return;
  Pointers changed = arrays;
  changed.keys = nullptr;
  require_refused(called, changed, bytes);
  changed.keys = sizeof(Key) == 1 ? nullptr : behind(arrays.keys);
  require_refused(called, changed, bytes);
  changed = arrays;
  changed.keys_out = nullptr;
  if (called.member != 3) require_refused(called, changed, bytes);
  if (called.member == 0) return;
  changed = arrays;
  changed.beside = behind(arrays.beside);
  require_refused(called, changed, bytes);
  changed = arrays;
  changed.values = nullptr;
  if (called.member == 1) require_refused(called, changed, bytes);
}

void run(const Case& called) {
  const bool is_run = run_seed != 0;
  std::mt19937_64 random(run_seed);
  Items items(is_run ? called : Case{}, random);
  Pointers arrays = {address<Key>(kFirstKey), address<Key>(2 * kFirstKey), address<Value>(3 * kFirstKey), address<Value>(4 * kFirstKey)};
  if (is_run) arrays = {items.keys.data(), items.keys_out.data(), items.values.data(), items.beside.data()};
  if (called.is_in_place) arrays.keys_out = const_cast<Key*>(arrays.keys);
  size_t bytes = 0;
  const cudaError_t query = sort(called, arrays, nullptr, bytes);
  if (query != cudaSuccess) {
    std::printf("error %d\n", query);
    return;
  }
  std::printf("storage %zu\n", bytes);
  // It may begin anywhere.
  std::vector<unsigned char> storage(is_run ? bytes + 3 : 0);
  void* const start = is_run ? storage.data() + 3 : address<void>(7 * kFirstKey);
  check_errors(called, arrays, start, bytes);
  driver_queries = 0;
  const cudaError_t error = sort(called, arrays, start, bytes);
  std::printf("%d queries of the driver\n", driver_queries);
  if (error != cudaSuccess) std::printf("error %d\n", error);
  if (is_run && !items.are_sorted(called)) std::printf("the rows are not as std::stable_sort has them\n");
}

}  // namespace

int main() {
  Case called = {};
  while (std::scanf("%lld %lld %lld %d %d %d %d %d %llu", &called.rows, &called.columns, &called.gap, &multiprocessors, &shared_bytes_per_block,
                    &called.descending, &called.member, &called.is_in_place, &run_seed) == 9) {
    run(called);
    std::printf(".\n");
  }
}
