// What a header of device-wide sorts asks of CUDA's runtime, and what comes of it in the emulator. Reads cases, a line each: the number of items,
// the first bit and the one past the last, multiprocessors, the shared memory of a block, whether it is descending, whether there are double
// buffers, and a seed: 0 where nothing is run. Writes for each the bytes of storage, then the memset and the launches, each on a line; then
// what is wrong with the result, if anything is.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "emulator.hpp"
#include "supplied.hpp"

#include "runtime_stub.hpp"

namespace {

// The arguments that follow from the launches: the pass, if there is one, whether items are interleaved, columns of counters, and whether MSD
// buckets are sorted. Of sorts by samples there is a seed, another one at each call, which is not written.
void print_arguments(const std::string& kernel, void** parameters) {
  if (kernel.compare(0, 7, "device_") != 0) return;
  int numbers[3] = {};
  const bool has_seed = kernel.find("_sample_") != std::string::npos;
  if (!has_seed) std::memcpy(numbers, static_cast<const char*>(parameters[0]) + ARGUMENTS_OFFSET, sizeof(numbers));
  if (parameters[1] != nullptr) std::printf(" pass %d", *static_cast<const int*>(parameters[1]));
  std::printf(" %d %d %d", numbers[0], numbers[1], numbers[2]);
}

}  // namespace

#include "device_radix_sort.cuh"
#include "kernels.hpp"
#include "facade_keys.hpp"

namespace {

#ifdef TEST_VALUE
using TestValue = TEST_VALUE;
#else
using TestValue = int;
#endif

// The arrays of a call, and what they are to be.
struct Items {
  // Not vectors, which have no addresses of bools.
  std::unique_ptr<TEST_KEY[]> keys[2];
  std::unique_ptr<TestValue[]> values[2];
  std::unique_ptr<TEST_KEY[]> sorted_keys;
  std::unique_ptr<TestValue[]> sorted_values;
  size_t n;

  Items(size_t n, int begin_bit, int end_bit, bool descending)
      : sorted_keys(new TEST_KEY[n + 1]), sorted_values(new TestValue[n + 1]), n(n) {
    std::mt19937_64 random(run_seed);
    for (int i = 0; i < 2; ++i) {
      keys[i] = std::make_unique<TEST_KEY[]>(n + 1);
      values[i] = std::make_unique<TestValue[]>(n + 1);
    }
    const unsigned long long mask = random() % 3 == 0 ? 7 : ~0ull;
    for (size_t i = 0; i < n; ++i) {
      keys[0][i] = key_of(random() & mask, i);
      values[0][i] = static_cast<TestValue>(i);
    }
    std::vector<size_t> order(n);
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      const auto of_a = order_of(keys[0][a], begin_bit, end_bit);
      const auto of_b = order_of(keys[0][b], begin_bit, end_bit);
      return descending ? of_b < of_a : of_a < of_b;
    });
    for (size_t i = 0; i < n; ++i) {
      sorted_keys[i] = keys[0][order[i]];
      sorted_values[i] = values[0][order[i]];
    }
  }

  bool are_sorted(int in) const {
    bool are = are_same(sorted_keys.get(), keys[in].get(), n);
#ifdef TEST_VALUE
    are = are && std::memcmp(sorted_values.get(), values[in].get(), n * sizeof(TestValue)) == 0;
#endif
    return are;
  }
};

void run(unsigned long long n, int begin_bit, int end_bit, bool descending, bool has_buffers) {
  using Sort = sortsmith::DeviceRadixSort;
  Items items(run_seed == 0 ? 0 : static_cast<size_t>(n), begin_bit, end_bit, descending);
  const bool is_run = run_seed != 0;
  TEST_KEY* const keys_in = is_run ? items.keys[0].get() : address<TEST_KEY>(1 << 20);
  TEST_KEY* const keys_out = is_run ? items.keys[1].get() : address<TEST_KEY>(2 << 20);
#ifdef TEST_VALUE
  TEST_VALUE* const values_in = is_run ? items.values[0].get() : address<TEST_VALUE>(3 << 20);
  TEST_VALUE* const values_out = is_run ? items.values[1].get() : address<TEST_VALUE>(4 << 20);
#endif
  size_t bytes = 0;
  const auto sort = [&](void* storage) {
    const TEST_KEY* const in = keys_in;
    sortsmith::DoubleBuffer<TEST_KEY> keys(keys_in, keys_out);
#ifdef TEST_VALUE
    const TEST_VALUE* const of_values = values_in;
    sortsmith::DoubleBuffer<TEST_VALUE> values(values_in, values_out);
    if (has_buffers) {
      return descending ? Sort::SortPairsDescending(storage, bytes, keys, values, n, BY_FIELDS begin_bit, end_bit)
                        : Sort::SortPairs(storage, bytes, keys, values, n, BY_FIELDS begin_bit, end_bit);
    }
    return descending ? Sort::SortPairsDescending(storage, bytes, in, keys_out, of_values, values_out, n, BY_FIELDS begin_bit, end_bit)
                      : Sort::SortPairs(storage, bytes, in, keys_out, of_values, values_out, n, BY_FIELDS begin_bit, end_bit);
#else
    if (has_buffers) {
      return descending ? Sort::SortKeysDescending(storage, bytes, keys, n, BY_FIELDS begin_bit, end_bit)
                        : Sort::SortKeys(storage, bytes, keys, n, BY_FIELDS begin_bit, end_bit);
    }
    return descending ? Sort::SortKeysDescending(storage, bytes, in, keys_out, n, BY_FIELDS begin_bit, end_bit)
                      : Sort::SortKeys(storage, bytes, in, keys_out, n, BY_FIELDS begin_bit, end_bit);
#endif
  };
  const int query = sort(nullptr);
  if (query != cudaSuccess) {
    std::printf("error %d\n", query);
    return;
  }
  std::printf("storage %zu\n", bytes);
  // It may begin anywhere.
  std::vector<unsigned char> storage(is_run ? bytes + 3 : 0);
  void* const start = is_run ? storage.data() + 3 : address<void>(5 << 20);
  const size_t enough = bytes--;
  const int too_few = sort(start);
  bytes = enough;
  const int error = sort(start);
  if (error != cudaSuccess || too_few != cudaErrorInvalidValue) std::printf("errors %d %d\n", error, too_few);
  if (is_run && !items.are_sorted(has_buffers ? 0 : 1)) std::printf("the items are not as std::stable_sort has them\n");
}

}  // namespace

int main() {
  unsigned long long n = 0;
  int begin_bit = 0, end_bit = 0, descending = 0, has_buffers = 0;
  while (std::scanf("%llu %d %d %d %d %d %d %llu", &n, &begin_bit, &end_bit, &multiprocessors, &shared_bytes_per_block, &descending,
                    &has_buffers, &run_seed) == 8) {
    run(n, begin_bit, end_bit, descending != 0, has_buffers != 0);
    std::printf(".\n");
  }
}
