// Holds sortsmith::DeviceRadixSort against cub::DeviceRadixSort, bit for bit, for one type of keys (TEST_KEY) and one of values (TEST_VALUE; none where
// it is not defined). TEST_FACADE is the header. Arguments: a seed, and the most items if not all; or `time`, which prints µs of both.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <type_traits>
#include <vector>

#include <cub/device/device_radix_sort.cuh>

#include TEST_FACADE

using Key = TEST_KEY;
#ifdef TEST_VALUE
using Value = TEST_VALUE;
constexpr bool kHasValues = true;
#else
using Value = unsigned char;
constexpr bool kHasValues = false;
#endif

constexpr bool kIsFloat = std::is_floating_point<Key>::value;

#ifdef OTHER_FILE
cudaError_t sort_in_other_file(void* storage, size_t& bytes, const Key* keys_in, Key* keys_out, int n, cudaStream_t stream);
#endif

namespace {

// What is being checked.
thread_local char current_case[128];

void require(bool holds, const char* what, int line) {
  if (holds) return;
  std::printf("line %d: %s %s\n", line, what, current_case);
  std::exit(1);
}
#define REQUIRE(condition) require(condition, #condition, __LINE__)
#define GOOD(call) require_good(call, #call, __LINE__)

void require_good(cudaError_t error, const char* what, int line) {
  if (error != cudaSuccess) std::printf("%s: ", cudaGetErrorString(error));
  require(error == cudaSuccess, what, line);
}

__device__ unsigned long long hashed(unsigned long long number) {
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9ull;
  number = (number ^ (number >> 27)) * 0x94d049bb133111ebull;
  return number ^ (number >> 31);
}

enum Keys { kRandom, kSkewed, kFew, kEqual, kSorted, kKinds };

// Without zeros where their bits are sorted by and CUB has others: those of -0.0 for both, in descending order.
__global__ void generate(Key* keys, Value* values, unsigned long long n, unsigned long long seed, int kind, bool has_zeros = true) {
  for (unsigned long long i = blockIdx.x * 1ull * blockDim.x + threadIdx.x; i < n; i += gridDim.x * 1ull * blockDim.x) {
    const unsigned long long random = hashed(seed + i);
    const unsigned long long number = kind == kRandom   ? random
                                      : kind == kSkewed ? random & hashed(~seed + i) & hashed(seed * 3 + i)
                                      : kind == kFew    ? hashed(i % 7)
                                      : kind == kEqual  ? seed
                                                        : i * (~0ull / (n + 1));
    unsigned long long words[2] = {number, hashed(number)};
    if (sizeof(Key) < 8) words[0] >>= 64 - 8 * sizeof(Key);
    if (std::is_same<Key, bool>::value) words[0] &= 1;
    std::memcpy(&keys[i], words, sizeof(Key));
    if (!has_zeros && keys[i] == Key(0)) keys[i] = Key(1);
    unsigned long long of_value[2] = {i, hashed(i)};
    std::memcpy(&values[i], of_value, sizeof(Value));
  }
}

__global__ void count_differing(const unsigned char* a, const unsigned char* b, unsigned long long bytes, unsigned int* count) {
  for (unsigned long long i = blockIdx.x * 1ull * blockDim.x + threadIdx.x; i < bytes; i += gridDim.x * 1ull * blockDim.x) {
    if (a[i] != b[i]) atomicAdd(count, 1);
  }
}

// Device memory with bytes behind it that nothing may write.
struct Memory {
  static constexpr size_t kBehind = 512;
  unsigned char* bytes = nullptr;
  size_t size;

  explicit Memory(size_t size) : size(size) {
    GOOD(cudaMalloc(&bytes, size + kBehind));
    GOOD(cudaMemset(bytes, 0xa5, size + kBehind));
    // Streams that do not wait for the default one use it too.
    GOOD(cudaStreamSynchronize(nullptr));
  }
  Memory(const Memory&) = delete;
  ~Memory() { cudaFree(bytes); }

  bool is_intact_behind() const {
    std::vector<unsigned char> behind(kBehind);
    GOOD(cudaMemcpy(behind.data(), bytes + size, kBehind, cudaMemcpyDeviceToHost));
    return std::all_of(behind.begin(), behind.end(), [](unsigned char byte) { return byte == 0xa5; });
  }
};

bool are_equal(const void* a, const void* b, size_t bytes) {
  static unsigned int* count = nullptr;
  if (count == nullptr) GOOD(cudaMalloc(&count, sizeof(*count)));
  GOOD(cudaMemset(count, 0, sizeof(*count)));
  count_differing<<<1024, 256>>>(static_cast<const unsigned char*>(a), static_cast<const unsigned char*>(b), bytes, count);
  unsigned int differing = 0;
  GOOD(cudaMemcpy(&differing, count, sizeof(differing), cudaMemcpyDeviceToHost));
  return differing == 0;
}

struct How {
  bool descending;
  int begin_bit;
  int end_bit;
  bool wide_count;
};

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

template <typename T>
T* at(const Memory& memory, size_t items) {
  return reinterpret_cast<T*>(memory.bytes) + items;
}

// All ways to call the sort of these items, against CUB's result. The arrays begin `shift` items behind the allocation's start.
void check(size_t n, int kind, How how, size_t shift, unsigned long long seed) {
  std::snprintf(current_case, sizeof(current_case), "(n %zu, kind %d, %s, bits %d to %d, shift %zu, seed %llu)", n, kind,
                how.descending ? "descending" : "ascending", how.begin_bit, how.end_bit, shift, seed);
  const size_t items = n + shift;
  const Memory keys(items * sizeof(Key)), values(items * sizeof(Value));
  Key* const keys_in = at<Key>(keys, shift);
  Value* const values_in = at<Value>(values, shift);
  const bool takes_all = how.begin_bit == 0 && how.end_bit == static_cast<int>(8 * sizeof(Key));
  generate<<<1024, 256>>>(keys_in, values_in, n, seed, kind, !kIsFloat || takes_all || !how.descending);
  GOOD(cudaDeviceSynchronize());

  const Memory cub_keys(n * sizeof(Key)), cub_values(n * sizeof(Value));
  size_t bytes = 0;
  const auto cub = [&](void* storage) {
    return cub_sort(how, storage, bytes, keys_in, at<Key>(cub_keys, 0), values_in, at<Value>(cub_values, 0), n, nullptr);
  };
  GOOD(cub(nullptr));
  {
    const Memory storage(bytes);
    GOOD(cub(storage.bytes));
    GOOD(cudaDeviceSynchronize());
  }
  const auto is_result = [&](const Key* sorted_keys, const Value* sorted_values) {
    return are_equal(sorted_keys, cub_keys.bytes, n * sizeof(Key)) &&
           (!kHasValues || are_equal(sorted_values, cub_values.bytes, n * sizeof(Value)));
  };

  // Plain arrays.
  const Memory own_keys(items * sizeof(Key)), own_values(items * sizeof(Value));
  Key* const keys_out = at<Key>(own_keys, shift);
  Value* const values_out = at<Value>(own_values, shift);
  const auto own = [&](void* storage, size_t& bytes, cudaStream_t stream) {
    return sort_by_count(how, storage, bytes, keys_in, keys_out, values_in, values_out, n, stream);
  };
  GOOD(own(nullptr, bytes, nullptr));
  REQUIRE(bytes > 0);
  const Memory storage(bytes);
  if (n > 0) {
    size_t too_few = bytes - 1;
    REQUIRE(own(storage.bytes, too_few, nullptr) == cudaErrorInvalidValue);
    GOOD(cudaDeviceSynchronize());
    const Memory untouched(items * sizeof(Key));
    REQUIRE(are_equal(own_keys.bytes, untouched.bytes, items * sizeof(Key)));
  }
  const Memory input(items * sizeof(Key));
  GOOD(cudaMemcpy(input.bytes, keys.bytes, items * sizeof(Key), cudaMemcpyDeviceToDevice));
  GOOD(own(storage.bytes, bytes, nullptr));
  GOOD(cudaDeviceSynchronize());
  REQUIRE(is_result(keys_out, values_out));
  REQUIRE(are_equal(input.bytes, keys.bytes, items * sizeof(Key)));

  // The same in a graph, twice.
  cudaStream_t stream;
  GOOD(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  GOOD(cudaMemset(own_keys.bytes, 0xa5, own_keys.size));
  GOOD(cudaDeviceSynchronize());
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  GOOD(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  GOOD(own(storage.bytes, bytes, stream));
  GOOD(cudaStreamEndCapture(stream, &graph));
  GOOD(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 2; ++i) GOOD(cudaGraphLaunch(executable, stream));
  GOOD(cudaStreamSynchronize(stream));
  REQUIRE(is_result(keys_out, values_out));
  GOOD(cudaGraphExecDestroy(executable));
  GOOD(cudaGraphDestroy(graph));

  // Double buffers, either of which is current.
  for (int selector = 0; selector < 2; ++selector) {
    const Memory other_keys(items * sizeof(Key)), other_values(items * sizeof(Value));
    GOOD(cudaMemcpy(own_keys.bytes, keys.bytes, keys.size, cudaMemcpyDeviceToDevice));
    GOOD(cudaMemcpy(own_values.bytes, values.bytes, values.size, cudaMemcpyDeviceToDevice));
    sortsmith::DoubleBuffer<Key> of_keys(keys_out, at<Key>(other_keys, shift));
    sortsmith::DoubleBuffer<Value> of_values(values_out, at<Value>(other_values, shift));
    if (selector == 1) {
      std::swap(of_keys.d_buffers[0], of_keys.d_buffers[1]);
      std::swap(of_values.d_buffers[0], of_values.d_buffers[1]);
      of_keys.selector = of_values.selector = 1;
    }
    size_t bytes = 0;
    GOOD(sort_buffers(how, nullptr, bytes, of_keys, of_values, static_cast<int>(n), stream));
    const Memory storage(bytes);
    GOOD(cudaDeviceSynchronize());
    GOOD(sort_buffers(how, storage.bytes, bytes, of_keys, of_values, static_cast<int>(n), stream));
    GOOD(cudaStreamSynchronize(stream));
    REQUIRE(is_result(of_keys.Current(), of_values.Current()));
    REQUIRE(other_keys.is_intact_behind() && other_values.is_intact_behind() && storage.is_intact_behind());
  }
  GOOD(cudaStreamDestroy(stream));
  REQUIRE(own_keys.is_intact_behind() && own_values.is_intact_behind() && storage.is_intact_behind());
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

// µs of a call, the least of several.
template <typename Call>
double time_of(const Call& call) {
  cudaEvent_t begin, end;
  GOOD(cudaEventCreate(&begin));
  GOOD(cudaEventCreate(&end));
  float best = 1e9f;
  for (int i = 0; i < 12; ++i) {
    GOOD(cudaEventRecord(begin));
    call();
    GOOD(cudaEventRecord(end));
    GOOD(cudaEventSynchronize(end));
    float ms = 0;
    GOOD(cudaEventElapsedTime(&ms, begin, end));
    if (i >= 2) best = std::min(best, ms);
  }
  return 1000.0 * best;
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
    times[is_own] = time_of([&] { GOOD(call(storage.bytes)); });
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
