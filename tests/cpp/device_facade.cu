// Holds sortsmith::DeviceRadixSort against cub::DeviceRadixSort, bit for bit, for one type of keys (TEST_KEY) and one of values (TEST_VALUE; none where
// it is not defined). TEST_FACADE is the header. Arguments: a seed, and the most items if not all; or `time`, which prints µs of both.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <thread>
#include <type_traits>
#include <vector>

#include <cub/device/device_radix_sort.cuh>

#include TEST_FACADE

#include "device_facade_items.cuh"

constexpr bool kIsFloat = std::is_floating_point<Key>::value;

#ifdef OTHER_FILE
cudaError_t sort_in_other_file(void* storage, size_t& bytes, const Key* keys_in, Key* keys_out, int n, cudaStream_t stream);
#endif

namespace {

// One call of either library, with plain arrays or with double buffers.
#define CALL(library, name)                                                                                             \
  template <typename Count>                                                                                            \
  cudaError_t name(How how, void* storage, size_t& bytes, const Key* keys_in, Key* keys_out, const Value* values_in,    \
                   Value* values_out, Count n, cudaStream_t stream) {                                                  \
    using Sort = library::DeviceRadixSort;                                                                              \
    if constexpr (kHasValues) {                                                                                         \
      return how.descending ? Sort::SortPairsDescending(storage, bytes, keys_in, keys_out, values_in, values_out, n,    \
                                                        how.begin_bit, how.end_bit, stream)                             \
                            : Sort::SortPairs(storage, bytes, keys_in, keys_out, values_in, values_out, n,              \
                                              how.begin_bit, how.end_bit, stream);                                      \
    } else {                                                                                                            \
      return how.descending                                                                                             \
                 ? Sort::SortKeysDescending(storage, bytes, keys_in, keys_out, n, how.begin_bit, how.end_bit, stream)   \
                 : Sort::SortKeys(storage, bytes, keys_in, keys_out, n, how.begin_bit, how.end_bit, stream);            \
    }                                                                                                                   \
  }
CALL(cub, cub_sort)
CALL(sortsmith, own_sort)

cudaError_t sort_buffers(How how, void* storage, size_t& bytes, sortsmith::DoubleBuffer<Key>& keys,
                         sortsmith::DoubleBuffer<Value>& values, int n, cudaStream_t stream) {
  using Sort = sortsmith::DeviceRadixSort;
  if constexpr (kHasValues) {
    return how.descending ? Sort::SortPairsDescending(storage, bytes, keys, values, n, how.begin_bit, how.end_bit, stream)
                          : Sort::SortPairs(storage, bytes, keys, values, n, how.begin_bit, how.end_bit, stream);
  } else {
    return how.descending ? Sort::SortKeysDescending(storage, bytes, keys, n, how.begin_bit, how.end_bit, stream)
                          : Sort::SortKeys(storage, bytes, keys, n, how.begin_bit, how.end_bit, stream);
  }
}

cudaError_t sort_by_count(How how, void* storage, size_t& bytes, const Key* keys_in, Key* keys_out, const Value* values_in,
                          Value* values_out, size_t n, cudaStream_t stream) {
  return how.wide_count ? own_sort(how, storage, bytes, keys_in, keys_out, values_in, values_out, n, stream)
                        : own_sort(how, storage, bytes, keys_in, keys_out, values_in, values_out, static_cast<int>(n), stream);
}

void sort_by_cub(How how, const Items& in, const Items& out) {
  size_t bytes = 0;
  const auto sort = [&](void* storage) {
    return cub_sort(how, storage, bytes, in.keys(), out.keys(), in.values(), out.values(), in.n, nullptr);
  };
  GOOD(sort(nullptr));
  const Memory storage(bytes);
  GOOD(sort(storage.bytes));
  GOOD(cudaDeviceSynchronize());
}

// The bits of a float that take part, as a number in its order. The ones of zeros are those of +0.0.
unsigned long long order_of(const Key& key, How how) {
  unsigned long long bits = 0;
  if (key != Key(0)) std::memcpy(&bits, &key, sizeof(Key));
  const unsigned long long sign = 1ull << (8 * sizeof(Key) - 1);
  bits ^= bits & sign ? ~0ull : sign;
  const int width = how.end_bit - how.begin_bit;
  return width == 0 ? 0 : bits << (64 - how.end_bit) >> (64 - width);
}

// In the order that docs/semantics.md has.
void sort_on_host(How how, const Items& in, const Items& out) {
  const std::unique_ptr<Key[]> keys(new Key[in.n + 1]), sorted_keys(new Key[in.n + 1]);
  std::vector<Value> values(in.n), sorted_values(in.n);
  GOOD(cudaMemcpy(keys.get(), in.keys(), in.n * sizeof(Key), cudaMemcpyDeviceToHost));
  GOOD(cudaMemcpy(values.data(), in.values(), in.n * sizeof(Value), cudaMemcpyDeviceToHost));
  std::vector<size_t> order(in.n);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const unsigned long long of_a = order_of(keys[a], how), of_b = order_of(keys[b], how);
    return how.descending ? of_b < of_a : of_a < of_b;
  });
  for (size_t i = 0; i < in.n; ++i) {
    sorted_keys[i] = keys[order[i]];
    sorted_values[i] = values[order[i]];
  }
  GOOD(cudaMemcpy(out.keys(), sorted_keys.get(), in.n * sizeof(Key), cudaMemcpyHostToDevice));
  GOOD(cudaMemcpy(out.values(), sorted_values.data(), in.n * sizeof(Value), cudaMemcpyHostToDevice));
}

// What is sorted, and what it is to be.
struct Case {
  How how;
  const Items& in;
  const Items& expected;
};

// Plain arrays, called and in a graph that is launched twice. Too little storage changes nothing.
void check_arrays(const Case& sorted, cudaStream_t stream) {
  const Items& in = sorted.in;
  const Items out(in.n, in.shift), input(in.n, in.shift);
  input.copy_from(in);
  size_t bytes = 0;
  const auto sort = [&](void* storage, size_t& bytes, cudaStream_t stream) {
    return sort_by_count(sorted.how, storage, bytes, in.keys(), out.keys(), in.values(), out.values(), in.n, stream);
  };
  GOOD(sort(nullptr, bytes, nullptr));
  REQUIRE(bytes > 0);
  const Memory storage(bytes);
  if (in.n > 0) {
    size_t too_few = bytes - 1;
    REQUIRE(sort(storage.bytes, too_few, nullptr) == cudaErrorInvalidValue);
    GOOD(cudaDeviceSynchronize());
    const Memory untouched(out.of_keys.size);
    REQUIRE(are_equal(out.of_keys.bytes, untouched.bytes, untouched.size));
  }
  GOOD(sort(storage.bytes, bytes, nullptr));
  GOOD(cudaDeviceSynchronize());
  REQUIRE(are_equal(out.keys(), out.values(), sorted.expected));
  REQUIRE(are_equal(in.keys(), in.values(), input));

  GOOD(cudaMemset(out.of_keys.bytes, 0xa5, out.of_keys.size));
  GOOD(cudaDeviceSynchronize());
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  GOOD(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  GOOD(sort(storage.bytes, bytes, stream));
  GOOD(cudaStreamEndCapture(stream, &graph));
  GOOD(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 2; ++i) GOOD(cudaGraphLaunch(executable, stream));
  GOOD(cudaStreamSynchronize(stream));
  REQUIRE(are_equal(out.keys(), out.values(), sorted.expected));
  GOOD(cudaGraphExecDestroy(executable));
  GOOD(cudaGraphDestroy(graph));
  REQUIRE(out.are_intact_behind() && storage.is_intact_behind());
}

// Double buffers, either of which is current.
void check_buffers(const Case& sorted, int selector, cudaStream_t stream) {
  const Items& in = sorted.in;
  const Items current(in.n, in.shift), alternate(in.n, in.shift);
  current.copy_from(in);
  sortsmith::DoubleBuffer<Key> keys(current.keys(), alternate.keys());
  sortsmith::DoubleBuffer<Value> values(current.values(), alternate.values());
  if (selector == 1) {
    std::swap(keys.d_buffers[0], keys.d_buffers[1]);
    std::swap(values.d_buffers[0], values.d_buffers[1]);
    keys.selector = values.selector = 1;
  }
  size_t bytes = 0;
  const auto sort = [&](void* storage) {
    return sort_buffers(sorted.how, storage, bytes, keys, values, static_cast<int>(in.n), stream);
  };
  GOOD(sort(nullptr));
  const Memory storage(bytes);
  GOOD(sort(storage.bytes));
  GOOD(cudaStreamSynchronize(stream));
  REQUIRE(are_equal(keys.Current(), values.Current(), sorted.expected));
  REQUIRE(current.are_intact_behind() && alternate.are_intact_behind() && storage.is_intact_behind());
}

// All ways to call the sort of these items, against CUB's result. The arrays begin `shift` items behind the allocation's start.
void check(size_t n, int kind, How how, size_t shift, unsigned long long seed) {
  std::snprintf(current_case, sizeof(current_case), "(n %zu, kind %d, %s, bits %d to %d, shift %zu, seed %llu)", n, kind,
                how.descending ? "descending" : "ascending", how.begin_bit, how.end_bit, shift, seed);
  constexpr size_t kMostOnHost = 300000;
  const Items in(n, shift), expected(n, 0);
  const bool takes_all = how.begin_bit == 0 && how.end_bit == static_cast<int>(8 * sizeof(Key));
  // CUB takes the bits of +0.0 for zeros of small n, and those of -0.0 for those of many.
  const bool has_own_zeros = kIsFloat && how.descending && !takes_all;
  const bool is_on_host = has_own_zeros && n <= kMostOnHost;
  generate<<<1024, 256>>>(in.keys(), in.values(), n, seed, kind, !has_own_zeros || is_on_host);
  GOOD(cudaDeviceSynchronize());
  if (is_on_host) {
    sort_on_host(how, in, expected);
  } else {
    sort_by_cub(how, in, expected);
  }
  cudaStream_t stream;
  GOOD(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const Case sorted = {how, in, expected};
  check_arrays(sorted, stream);
  for (int selector = 0; selector < 2; ++selector) check_buffers(sorted, selector, stream);
  GOOD(cudaStreamDestroy(stream));
}

void check_bad_use() {
  constexpr int n = 1000;
  const Memory keys(n * sizeof(Key)), values(n * sizeof(Value)), sorted(n * sizeof(Key)), sorted_values(n * sizeof(Value));
  const How how = {false, 0, static_cast<int>(8 * sizeof(Key)), false};
  size_t bytes = 0;
  Key* const in = at<Key>(keys, 0);
  Key* const out = at<Key>(sorted, 0);
  Value* const values_in = at<Value>(values, 0);
  Value* const values_out = at<Value>(sorted_values, 0);
  GOOD(own_sort(how, nullptr, bytes, in, out, values_in, values_out, n, nullptr));
  const Memory storage(bytes);
  const auto is_refused = [&](How how, const Key* in, Key* out, int n) {
    return own_sort(how, storage.bytes, bytes, in, out, values_in, values_out, n, nullptr) == cudaErrorInvalidValue;
  };
  REQUIRE(is_refused(how, nullptr, out, n) && is_refused(how, in, nullptr, n) && is_refused(how, in, out, -1));
  REQUIRE(is_refused({false, -1, 8, false}, in, out, n) && is_refused({false, 5, 4, false}, in, out, n));
  REQUIRE(is_refused({false, 0, static_cast<int>(8 * sizeof(Key)) + 1, false}, in, out, n));
  REQUIRE(cudaGetLastError() == cudaSuccess);
}

void check_threads() {
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([number] {
      const size_t n = 100000 + 300000 * number;
      const How how = {number % 2 == 1, 0, static_cast<int>(8 * sizeof(Key)), false};
      const Memory keys(n * sizeof(Key)), values(n * sizeof(Value)), first(n * sizeof(Key)), again(n * sizeof(Key)),
          sorted_values(n * sizeof(Value));
      generate<<<256, 256>>>(at<Key>(keys, 0), at<Value>(values, 0), n, number, kRandom);
      GOOD(cudaDeviceSynchronize());
      cudaStream_t stream;
      GOOD(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
      size_t bytes = 0;
      const auto sort = [&](void* storage, const Memory& out) {
        return own_sort(how, storage, bytes, at<Key>(keys, 0), at<Key>(out, 0), at<Value>(values, 0), at<Value>(sorted_values, 0), n, stream);
      };
      GOOD(sort(nullptr, first));
      const Memory storage(bytes);
      GOOD(sort(storage.bytes, first));
      for (int i = 0; i < 20; ++i) GOOD(sort(storage.bytes, again));
      GOOD(cudaStreamSynchronize(stream));
      std::vector<unsigned char> one(first.size), other(first.size);
      GOOD(cudaMemcpy(one.data(), first.bytes, first.size, cudaMemcpyDeviceToHost));
      GOOD(cudaMemcpy(other.data(), again.bytes, again.size, cudaMemcpyDeviceToHost));
      REQUIRE(one == other);
      GOOD(cudaStreamDestroy(stream));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

#ifdef OTHER_FILE
void check_other_file() {
  constexpr int n = 300000;
  const Memory keys(n * sizeof(Key)), values(n * sizeof(Value)), one(n * sizeof(Key)), other(n * sizeof(Key)), sorted_values(n * sizeof(Value));
  generate<<<256, 256>>>(at<Key>(keys, 0), at<Value>(values, 0), n, 7, kRandom);
  const How how = {false, 0, static_cast<int>(8 * sizeof(Key)), false};
  size_t bytes = 0;
  size_t other_bytes = 0;
  GOOD(own_sort(how, nullptr, bytes, at<Key>(keys, 0), at<Key>(one, 0), at<Value>(values, 0), at<Value>(sorted_values, 0), n, nullptr));
  GOOD(sort_in_other_file(nullptr, other_bytes, at<Key>(keys, 0), at<Key>(other, 0), n, nullptr));
  REQUIRE(bytes == other_bytes);
  const Memory storage(bytes);
  GOOD(own_sort(how, storage.bytes, bytes, at<Key>(keys, 0), at<Key>(one, 0), at<Value>(values, 0), at<Value>(sorted_values, 0), n, nullptr));
  GOOD(sort_in_other_file(storage.bytes, other_bytes, at<Key>(keys, 0), at<Key>(other, 0), n, nullptr));
  GOOD(cudaDeviceSynchronize());
  REQUIRE(are_equal(one.bytes, other.bytes, one.size));
}
#endif

void check_all(unsigned long long seed, size_t most) {
  std::mt19937_64 random(seed);
  const int bits = 8 * sizeof(Key);
  const size_t lengths[] = {0,    1,      2,      511,           513,     2048,          2049,
                            5001, 131072, 131073, (1 << 18) + 1, 1000003, (1 << 20) + 1, 3000001, 1 << 24};
  int cases = 0;
  for (const size_t n : lengths) {
    if (n > most) break;
    for (int descending = 0; descending < 2; ++descending) {
      for (int i = 0; i < (n >= 3000000 ? 2 : 5); ++i, ++cases) {
        How how = {descending == 1, 0, bits, random() % 2 == 1};
        if (i % 2 == 1) {
          how.begin_bit = static_cast<int>(random() % bits);
          how.end_bit = how.begin_bit + static_cast<int>(random() % (bits - how.begin_bit + 1));
        }
        check(n, i == 0 ? kRandom : static_cast<int>(random() % kKinds), how, i == 2 ? 1 + random() % 3 : 0, random());
      }
    }
  }
  check_bad_use();
  check_threads();
#ifdef OTHER_FILE
  check_other_file();
#endif
  std::printf("%d cases are as CUB's\n", cases);
}

void print_times_of(int log2, int kind) {
  const size_t n = size_t{1} << log2;
  const Memory keys(n * sizeof(Key)), values(n * sizeof(Value)), sorted(n * sizeof(Key)), sorted_values(n * sizeof(Value));
  generate<<<1024, 256>>>(at<Key>(keys, 0), at<Value>(values, 0), n, 1, kind);
  const How how = {false, 0, static_cast<int>(8 * sizeof(Key)), false};
  double times[2];
  size_t all_bytes[2];
  for (int is_own = 0; is_own < 2; ++is_own) {
    size_t bytes = 0;
    const auto call = [&](void* storage) {
      const auto sort = is_own ? own_sort<int> : cub_sort<int>;
      return sort(how, storage, bytes, at<Key>(keys, 0), at<Key>(sorted, 0), at<Value>(values, 0), at<Value>(sorted_values, 0),
                  static_cast<int>(n), nullptr);
    };
    GOOD(call(nullptr));
    const Memory storage(bytes);
    all_bytes[is_own] = bytes;
    times[is_own] = time_of(12, [&] { GOOD(call(storage.bytes)); });
  }
  const char* const names[] = {"random", "skewed", "few", "equal", "sorted"};
  std::printf("2^%d %s: own %.1f us, CUB %.1f us, %.2f times as fast; storage %zu and %zu bytes\n", log2, names[kind], times[1], times[0],
              times[0] / times[1], all_bytes[1], all_bytes[0]);
}

void print_times() {
  for (const int log2 : {10, 14, 16, 17, 18, 19, 20, 22, 24, 28}) {
    for (const int kind : {kRandom, kSkewed, kFew}) {
      if (kind == kRandom || log2 < 24) print_times_of(log2, kind);
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1 && std::strcmp(arguments[1], "time") == 0) {
    print_times();
  } else {
    const auto number = [&](int index, unsigned long long otherwise) {
      return count > index ? std::strtoull(arguments[index], nullptr, 10) : otherwise;
    };
    check_all(number(1, 1), number(2, ~0ull));
  }
}
