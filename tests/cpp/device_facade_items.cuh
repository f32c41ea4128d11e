// Items in device memory, for the programs that hold facades against CUB or against the host: keys of type TEST_KEY, and values of type TEST_VALUE if it is
// defined.
#pragma once

using Key = TEST_KEY;
#ifdef TEST_VALUE
using Value = TEST_VALUE;
constexpr bool kHasValues = true;
#else
using Value = unsigned char;
constexpr bool kHasValues = false;
#endif

namespace {

// What is being checked.
thread_local char current_case[128];

void require(bool holds, const char* what, int line) {
  if (holds) return;
  std::printf("line %d: %s %s\n", line, what, current_case);
  // Other threads may be in the middle of calls, which do not outlive what std::exit destroys.
  std::fflush(stdout);
  std::_Exit(1);
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

// Without zeros where they are sorted by some of their bits and CUB has others.
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

template <typename T>
T* at(const Memory& memory, size_t items) {
  return reinterpret_cast<T*>(memory.bytes) + items;
}

// Keys and values that begin `shift` items behind the start of their memory.
struct Items {
  size_t n;
  size_t shift;
  Memory of_keys;
  Memory of_values;

  Items(size_t n, size_t shift) : n(n), shift(shift), of_keys((n + shift) * sizeof(Key)), of_values((n + shift) * sizeof(Value)) {}

  Key* keys() const { return at<Key>(of_keys, shift); }
  Value* values() const { return at<Value>(of_values, shift); }
  bool are_intact_behind() const { return of_keys.is_intact_behind() && of_values.is_intact_behind(); }
  void copy_from(const Items& other) const {
    GOOD(cudaMemcpy(keys(), other.keys(), n * sizeof(Key), cudaMemcpyDeviceToDevice));
    GOOD(cudaMemcpy(values(), other.values(), n * sizeof(Value), cudaMemcpyDeviceToDevice));
    GOOD(cudaDeviceSynchronize());
  }
};

bool are_equal(const Key* keys, const Value* values, const Items& expected) {
  return are_equal(keys, expected.keys(), expected.n * sizeof(Key)) &&
         (!kHasValues || are_equal(values, expected.values(), expected.n * sizeof(Value)));
}

// µs of a call, the least of several but for the first two.
template <typename Call>
double time_of(int calls, const Call& call) {
  cudaEvent_t begin, end;
  GOOD(cudaEventCreate(&begin));
  GOOD(cudaEventCreate(&end));
  float best = 1e9f;
  for (int i = 0; i < calls; ++i) {
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

}  // namespace
