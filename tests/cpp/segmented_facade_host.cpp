// What a header of sorts of segments asks of CUDA's runtime, and what comes of it in the emulator. Reads cases, a line each: the numbers of items
// and of segments, the first bit and the one past the last, multiprocessors, whether it is descending, whether there are double buffers, the
// struct (0 DeviceSegmentedSort, 1 its stable members, 2 DeviceSegmentedRadixSort), bytes of an offset, negative for signed ones, and a seed: 0
// where nothing is run. Writes for each the bytes of storage, those of the workspace and the rounds of merges by the header's constants, then the
// memset and the launches, each on a line; then what is wrong with the result or with the error of a call that is not legal, if anything is.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
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

// The round of a merge.
void print_arguments(const std::string& kernel, void** parameters) {
  const std::string end = "_merge";
  if (kernel.size() < end.size() || kernel.compare(kernel.size() - end.size(), end.size(), end) != 0) return;
  std::printf(" round %d", *static_cast<const int*>(parameters[1]));
}

}  // namespace

#include "device_segmented_sort.cuh"
#include "kernels.hpp"
#include "facade_keys.hpp"

namespace {

#ifdef TEST_VALUE
using TestValue = TEST_VALUE;
#define MEMBER(prefix, suffix) prefix##SortPairs##suffix
#define ARRAYS(in, out) in.keys, out.keys, in.values, out.values
#define BUFFERS keys, values
#else
using TestValue = int;
#define MEMBER(prefix, suffix) prefix##SortKeys##suffix
#define ARRAYS(in, out) in.keys, out.keys
#define BUFFERS keys
#endif

struct Case {
  long long items;
  long long segments;
  int begin_bit;
  int end_bit;
  int descending;
  int has_buffers;
  int of_struct;
};

struct Pointers {
  TEST_KEY* keys;
  TestValue* values;
};

// A call: what is given for the arrays, and the addresses of the offsets.
template <typename Offset>
struct Call {
  Pointers in;
  Pointers out;
  const Offset* begins;
  const Offset* ends;
};

// The member that the case names, with arguments up to the offsets.
template <typename... Arguments>
cudaError_t sort_arrays(const Case& called, Arguments&&... arguments) {
  using Sort = sortsmith::DeviceSegmentedSort;
  using RadixSort = sortsmith::DeviceSegmentedRadixSort;
  if (called.of_struct == 0) {
    return called.descending ? Sort::MEMBER(, Descending)(arguments...) : Sort::MEMBER(, )(arguments...);
  }
  if (called.of_struct == 1) {
    return called.descending ? Sort::MEMBER(Stable, Descending)(arguments...) : Sort::MEMBER(Stable, )(arguments...);
  }
  const int begin = called.begin_bit, end = called.end_bit;
  return called.descending ? RadixSort::MEMBER(, Descending)(arguments..., begin, end)
                           : RadixSort::MEMBER(, )(arguments..., begin, end, nullptr);
}

template <typename Offset>
cudaError_t sort(const Case& called, const Call<Offset>& call, void* storage, size_t& bytes) {
  if (!called.has_buffers) {
    return sort_arrays(called, storage, bytes, ARRAYS(call.in, call.out), called.items, called.segments, call.begins, call.ends);
  }
  sortsmith::DoubleBuffer<TEST_KEY> keys(call.in.keys, call.out.keys);
  sortsmith::DoubleBuffer<TestValue> values(call.in.values, call.out.values);
  return sort_arrays(called, storage, bytes, BUFFERS, called.items, called.segments, call.begins, call.ends);
}

// Segments of many lengths in any order, with gaps before some of them. A segment for which no items are left is empty.
template <typename Offset>
struct Bounds {
  std::vector<Offset> begins;
  std::vector<Offset> ends;

  Bounds(size_t items, size_t segments, std::mt19937_64& random) : begins(segments), ends(segments) {
    const size_t lengths[] = {0, 1, 2, 8, 9, 31, 32, 33, 500, 513, 2000, 4097};
    std::vector<size_t> order(segments);
    std::iota(order.begin(), order.end(), size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    const bool has_long = random() % 2 == 0;
    size_t end = 0;
    for (size_t i = 0; i < segments; ++i) {
      const size_t begin = std::min(items, end + random() % 3);
      end = std::min(items, begin + (i == 0 && has_long ? items - items / 8 : lengths[random() % std::size(lengths)]));
      // A negative offset counts as past the end.
      begins[order[i]] = begin == items && std::is_signed<Offset>::value ? static_cast<Offset>(-1) : static_cast<Offset>(begin);
      ends[order[i]] = static_cast<Offset>(end);
    }
  }
};

// The arrays of a call, and what they are to be: behind each segment and between them as before.
struct Items {
  std::unique_ptr<TEST_KEY[]> keys[2];
  std::unique_ptr<TestValue[]> values[2];
  std::unique_ptr<TEST_KEY[]> sorted_keys;
  std::unique_ptr<TestValue[]> sorted_values;
  size_t n;

  template <typename Offset>
  Items(size_t n, const Case& called, const Bounds<Offset>& bounds, std::mt19937_64& random)
      : sorted_keys(new TEST_KEY[n + 1]), sorted_values(new TestValue[n + 1]), n(n) {
    const unsigned long long mask = random() % 3 == 0 ? 7 : ~0ull;
    for (int i = 0; i < 2; ++i) {
      keys[i] = std::make_unique<TEST_KEY[]>(n + 1);
      values[i] = std::make_unique<TestValue[]>(n + 1);
      for (size_t item = 0; item < n; ++item) {
        keys[i][item] = key_of(random() & mask, item);
        values[i][item] = static_cast<TestValue>(item + i * n);
      }
    }
    const int out = called.has_buffers ? 0 : 1;
    std::copy_n(keys[out].get(), n, sorted_keys.get());
    std::copy_n(values[out].get(), n, sorted_values.get());
    for (size_t segment = 0; segment < bounds.begins.size(); ++segment) {
      if (static_cast<unsigned long long>(bounds.begins[segment]) < n) sort_segment(called, bounds.begins[segment], bounds.ends[segment]);
    }
  }

  void sort_segment(const Case& called, size_t begin, size_t end) {
    std::vector<size_t> order(end - begin);
    std::iota(order.begin(), order.end(), begin);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      const auto of_a = order_of(keys[0][a], called.begin_bit, called.end_bit);
      const auto of_b = order_of(keys[0][b], called.begin_bit, called.end_bit);
      return called.descending ? of_b < of_a : of_a < of_b;
    });
    for (size_t i = begin; i < end; ++i) {
      sorted_keys[i] = keys[0][order[i - begin]];
      sorted_values[i] = values[0][order[i - begin]];
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

// Calls of which each has one argument that is not legal. They enqueue nothing.
template <typename Offset>
void check_errors(const Case& called, const Call<Offset>& call, void* storage, size_t bytes) {
  int number = 0;
  const auto require_refused = [&](const Case& other, const Call<Offset>& changed, size_t given) {
    const cudaError_t error = sort(other, changed, storage, given);
    if (error != cudaErrorInvalidValue) std::printf("call %d that is not legal: %d\n", number, error);
    ++number;
  };
  const auto behind = [](auto* array) { return reinterpret_cast<decltype(array)>(reinterpret_cast<unsigned long long>(array) + 1); };
  require_refused(called, call, bytes - 1);
  Case other = called;
  other.items = -1;
  require_refused(other, call, bytes);
  other = called;
  other.segments = -1;
  require_refused(other, call, bytes);
  other.segments = std::numeric_limits<long long>::max();
  require_refused(other, call, ~size_t{0});
  if (called.of_struct == 2) {
    other = called;
    other.end_bit = 8 * sizeof(TEST_KEY) + 1;
    require_refused(other, call, bytes);
    other.end_bit = called.begin_bit - 1;
    require_refused(other, call, bytes);
  }
  if (called.items == 0 || called.segments == 0) return;
  Call<Offset> changed = call;
  for (const Offset* begins : {static_cast<const Offset*>(nullptr), behind(call.begins)}) {
    changed.begins = begins;
    require_refused(called, changed, bytes);
  }
  changed = call;
  changed.ends = behind(call.ends);
  require_refused(called, changed, bytes);
  changed = call;
  changed.out.keys = nullptr;
  require_refused(called, changed, bytes);
  if (sizeof(TEST_KEY) == 1) return;
  changed = call;
  changed.in.keys = behind(call.in.keys);
  require_refused(called, changed, bytes);
}

template <typename Offset>
void run(const Case& called) {
  const bool is_run = run_seed != 0;
  std::mt19937_64 random(run_seed);
  const Bounds<Offset> bounds(is_run ? called.items : 0, is_run ? called.segments : 0, random);
  const Items items(is_run ? called.items : 0, called, bounds, random);
  Call<Offset> call = {{address<TEST_KEY>(1 << 20), address<TestValue>(2 << 20)},
                       {address<TEST_KEY>(3 << 20), address<TestValue>(4 << 20)},
                       address<const Offset>(5 << 20),
                       address<const Offset>(6 << 20)};
  if (is_run) {
    call = {{items.keys[0].get(), items.values[0].get()}, {items.keys[1].get(), items.values[1].get()}, bounds.begins.data(), bounds.ends.data()};
  }
  size_t bytes = 0;
  const cudaError_t query = sort(called, call, nullptr, bytes);
  if (query != cudaSuccess) {
    std::printf("error %d\n", query);
    return;
  }
  using Sort = sortsmith::TEST_SORT;
  std::printf("storage %zu, workspace %llu, rounds %d\n", bytes, Sort::workspace_bytes(called.segments, called.items),
              Sort::rounds_of(called.items));
  // It may begin anywhere.
  std::vector<unsigned char> storage(is_run ? bytes + 3 : 0);
  void* const start = is_run ? storage.data() + 3 : address<void>(7 << 20);
  check_errors(called, call, start, bytes);
  const cudaError_t error = sort(called, call, start, bytes);
  if (error != cudaSuccess) std::printf("error %d\n", error);
  if (is_run && !items.are_sorted(called.has_buffers ? 0 : 1)) std::printf("the items are not as std::stable_sort has them\n");
}

}  // namespace

int main() {
  shared_bytes_per_block = 64 << 10;
  Case called = {};
  int offset_bytes = 0;
  while (std::scanf("%lld %lld %d %d %d %d %d %d %d %llu", &called.items, &called.segments, &called.begin_bit, &called.end_bit, &multiprocessors,
                    &called.descending, &called.has_buffers, &called.of_struct, &offset_bytes, &run_seed) == 10) {
    if (offset_bytes == 4) run<unsigned int>(called);
    if (offset_bytes == -4) run<int>(called);
    if (offset_bytes == 8) run<unsigned long>(called);
    if (offset_bytes == -8) run<long long>(called);
    std::printf(".\n");
  }
}
