// Holds sortsmith::DeviceTopK and DeviceBatchedTopK against searches on the host, bit for bit, for one type of keys (TEST_KEY) and one of values
// (TEST_VALUE; where it is not defined, keys alone and their positions). TEST_FACADE is the header, of both orders. Arguments: a seed, and the most
// keys if not all; or `time`, which prints ms of it and of CUB's.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <type_traits>
#include <vector>

#include <cuda/std/limits>

#include TEST_FACADE

#include "device_facade_items.cuh"
#include "facade_keys.hpp"

namespace {

// Keys of one array, or of rows of a matrix.
struct Rows {
  size_t count;
  size_t columns;
  size_t stride;
  bool is_batched;
};

struct Search {
  Rows rows;
  long long k;
  bool largest;
};

// Where results go: keys, and values, positions or, of type void, nothing.
template <typename Beside>
struct Out {
  Key* keys;
  Beside* beside;
};

template <typename TopK, typename Beside, typename... Numbers>
cudaError_t find_in(bool largest, void* storage, size_t& bytes, const Items& in, const Out<Beside>& out, cudaStream_t stream,
                    Numbers... numbers) {
  if constexpr (std::is_void<Beside>::value) {
    return largest ? TopK::MaxKeys(storage, bytes, in.keys(), out.keys, numbers..., stream)
                   : TopK::MinKeys(storage, bytes, in.keys(), out.keys, numbers..., stream);
  } else if constexpr (kHasValues) {
    return largest ? TopK::MaxPairs(storage, bytes, in.keys(), out.keys, in.values(), out.beside, numbers..., stream)
                   : TopK::MinPairs(storage, bytes, in.keys(), out.keys, in.values(), out.beside, numbers..., stream);
  } else {
    return largest ? TopK::MaxPairs(storage, bytes, in.keys(), out.keys, nullptr, out.beside, numbers..., stream)
                   : TopK::MinPairs(storage, bytes, in.keys(), out.keys, nullptr, out.beside, numbers..., stream);
  }
}

template <typename Beside>
cudaError_t find(const Search& search, void* storage, size_t& bytes, const Items& in, const Out<Beside>& out, cudaStream_t stream) {
  const auto& [rows, k, largest] = search;
  const auto columns = static_cast<long long>(rows.columns);
  if (!rows.is_batched) return find_in<sortsmith::DeviceTopK>(largest, storage, bytes, in, out, stream, columns, k);
  const auto count = static_cast<int>(rows.count);
  return find_in<sortsmith::DeviceBatchedTopK>(largest, storage, bytes, in, out, stream, count, columns, rows.stride, k);
}

static_assert(sizeof(Key) <= 8, "the host compares numbers of 8 bytes");
constexpr int kBits = 8 * sizeof(Key);
constexpr size_t kMostFound = 4096;

// Keys beside those of `Keys`: ordered ones, NaNs of few kinds, zeros and the least numbers of both signs, and random ones without NaNs and zeros.
enum { kAscending = kKinds, kDescending, kNaNs, kZeros, kNumbers };

// The keys of a kind, and for values their positions. Integers have no NaNs.
__global__ void order_keys(Key* keys, Value* values, unsigned long long n, unsigned long long seed, int kind, unsigned long long infinity) {
  constexpr unsigned long long kSign = 1ull << (kBits - 1);
  const bool is_float = infinity != 0;
  for (unsigned long long i = blockIdx.x * 1ull * blockDim.x + threadIdx.x; i < n; i += gridDim.x * 1ull * blockDim.x) {
    const unsigned long long number = (kind == kAscending ? i : n - 1 - i) * (~0ull / n), random = hashed(seed + i);
    // From the number in the keys' order to the bits.
    unsigned long long bits = number >> (64 - kBits);
    if (is_float) bits ^= bits & kSign ? kSign : ~0ull;
    if (!is_float && Key(-1) < Key(0)) bits ^= kSign;
    if (kind == kNumbers) bits = (is_float && (random & infinity) == infinity ? random ^ infinity : random) | 1;
    if (kind == kZeros) bits = (random & kSign) | (random % 3 == 0);
    if (kind == kNaNs) bits = is_float ? infinity | (random & kSign) | (1 + random % 3) : seed;
    std::memcpy(&keys[i], &bits, sizeof(Key));
    const unsigned long long of_value[2] = {i, hashed(i)};
    std::memcpy(&values[i], of_value, sizeof(Value));
  }
}

// The bits of the exponent; 0 of integers.
unsigned long long infinity_bits() {
  unsigned long long bits = 0;
  if constexpr (cuda::std::numeric_limits<Key>::has_infinity) {
    const Key infinity = cuda::std::numeric_limits<Key>::infinity();
    std::memcpy(&bits, &infinity, sizeof(Key));
  }
  return bits;
}

void name_case(const Search& search, int kind, size_t shift) {
  const auto& [rows, k, largest] = search;
  std::snprintf(current_case, sizeof(current_case), "(%zu rows of %zu, stride %zu, k %lld, %s, kind %d, shift %zu)", rows.count, rows.columns, rows.stride,
                k, largest ? "largest" : "smallest", kind, shift);
}

void make_keys(const Items& items, unsigned long long seed, int kind) {
  if (items.n == 0) return;
  if (kind < kKinds) {
    generate<<<1024, 256>>>(items.keys(), items.values(), items.n, seed, kind);
  } else {
    order_keys<<<1024, 256>>>(items.keys(), items.values(), items.n, seed, kind, infinity_bits());
  }
  GOOD(cudaDeviceSynchronize());
}

// The positions of the first k keys of a row, as a stable sort has them: of equal keys those at the lowest positions.
std::vector<size_t> first_of(const Key* keys, size_t columns, size_t k, bool largest) {
  std::vector<unsigned long long> numbers(columns);
  for (size_t i = 0; i < columns; ++i) numbers[i] = largest ? ~order_of(keys[i], 0, kBits) : order_of(keys[i], 0, kBits);
  std::vector<unsigned long long> some = numbers;
  std::nth_element(some.begin(), some.begin() + (k - 1), some.end());
  const unsigned long long last = some[k - 1];
  size_t equal = k - std::count_if(some.begin(), some.begin() + k, [&](auto number) { return number < last; });
  std::vector<size_t> first;
  for (size_t i = 0; i < columns; ++i) {
    if (numbers[i] < last) first.push_back(i);
    if (numbers[i] == last && equal > 0) {
      first.push_back(i);
      --equal;
    }
  }
  std::stable_sort(first.begin(), first.end(), [&](size_t a, size_t b) { return numbers[a] < numbers[b]; });
  return first;
}

// The keys of rows, and the positions of the first keys of each.
struct Problem {
  const Rows rows;
  const Items in;
  const size_t most;
  const std::unique_ptr<Key[]> keys;
  const std::unique_ptr<Value[]> values;
  // Of each row in ascending order, and in descending order.
  std::vector<size_t> first[2];

  Problem(const Rows& rows, size_t shift, size_t most_found)
      : rows(rows),
        in(rows.count * rows.stride, shift),
        most(std::min(rows.columns, most_found)),
        keys(new Key[in.n + 1]),
        values(new Value[in.n + 1]) {}

  void renew(unsigned long long seed, int kind) {
    make_keys(in, seed, kind);
    GOOD(cudaMemcpy(keys.get(), in.keys(), in.n * sizeof(Key), cudaMemcpyDeviceToHost));
    GOOD(cudaMemcpy(values.get(), in.values(), in.n * sizeof(Value), cudaMemcpyDeviceToHost));
    for (int largest = 0; largest < 2; ++largest) {
      first[largest].clear();
      for (size_t row = 0; row < rows.count && most > 0; ++row) {
        const std::vector<size_t> of_row = first_of(keys.get() + row * rows.stride, rows.columns, most, largest == 1);
        first[largest].insert(first[largest].end(), of_row.begin(), of_row.end());
      }
    }
  }
};

// Results of a search, as far from the start of their memory as the keys are.
template <typename Beside>
struct Results {
  using Item = std::conditional_t<std::is_void<Beside>::value, unsigned char, Beside>;

  size_t shift;
  size_t count;
  Memory of_keys;
  Memory of_beside;

  Results(size_t shift, size_t count)
      : shift(shift), count(count), of_keys((shift + count) * sizeof(Key)), of_beside((shift + count) * sizeof(Item)) {}

  Out<Beside> out() const { return {at<Key>(of_keys, shift), at<Item>(of_beside, shift)}; }

  bool are_untouched() const {
    const Memory keys(of_keys.size), beside(of_beside.size);
    return are_equal(of_keys.bytes, keys.bytes, keys.size) && are_equal(of_beside.bytes, beside.bytes, beside.size);
  }

  void clear() const {
    GOOD(cudaMemset(of_keys.bytes, 0xa5, of_keys.size));
    GOOD(cudaMemset(of_beside.bytes, 0xa5, of_beside.size));
    GOOD(cudaDeviceSynchronize());
  }

  bool are_of(const Problem& problem, size_t k, bool largest) const {
    const std::unique_ptr<Key[]> keys(new Key[count + 1]);
    std::vector<Item> beside(count + 1);
    GOOD(cudaMemcpy(keys.get(), at<Key>(of_keys, shift), count * sizeof(Key), cudaMemcpyDeviceToHost));
    GOOD(cudaMemcpy(beside.data(), at<Item>(of_beside, shift), count * sizeof(Item), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < count; ++i) {
      const size_t row = i / k, position = problem.first[largest][row * problem.most + i % k];
      const size_t from = row * problem.rows.stride + position;
      if (std::memcmp(&keys[i], &problem.keys[from], sizeof(Key)) != 0) return false;
      Item expected = Item(0xa5);
      if constexpr (!std::is_void<Beside>::value) {
        if constexpr (kHasValues) expected = problem.values[from];
        if constexpr (!kHasValues) expected = static_cast<Item>(position);
      }
      if (std::memcmp(&beside[i], &expected, sizeof(Item)) != 0) return false;
    }
    return of_keys.is_intact_behind() && of_beside.is_intact_behind();
  }
};

// Too little storage changes nothing; then the first k keys of the problem are found.
template <typename Beside>
void check_found(const Problem& problem, const Search& search) {
  const auto k = static_cast<size_t>(search.k);
  const Results<Beside> results(problem.in.shift, search.rows.count * k);
  size_t bytes = 0;
  GOOD(find(search, nullptr, bytes, problem.in, results.out(), nullptr));
  REQUIRE(bytes > 0);
  const Memory storage(bytes);
  size_t too_few = bytes - 1;
  REQUIRE(find(search, storage.bytes, too_few, problem.in, results.out(), nullptr) == cudaErrorInvalidValue);
  GOOD(cudaDeviceSynchronize());
  REQUIRE(results.are_untouched());
  GOOD(find(search, storage.bytes, bytes, problem.in, results.out(), nullptr));
  GOOD(cudaDeviceSynchronize());
  REQUIRE(results.are_of(problem, k, search.largest));
  REQUIRE(storage.is_intact_behind());
}

// A captured search finds what is in the keys when it is launched.
template <typename Beside>
void check_graph(Problem& problem, const Search& search, cudaStream_t stream) {
  const auto k = static_cast<size_t>(search.k);
  const Results<Beside> results(problem.in.shift, search.rows.count * k);
  size_t bytes = 0;
  GOOD(find(search, nullptr, bytes, problem.in, results.out(), stream));
  const Memory storage(bytes);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  GOOD(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  GOOD(find(search, storage.bytes, bytes, problem.in, results.out(), stream));
  GOOD(cudaStreamEndCapture(stream, &graph));
  GOOD(cudaGraphInstantiate(&executable, graph, 0));
  REQUIRE(results.are_untouched());
  int launch = 0;
  const int kinds[] = {kRandom, kFew, kNumbers, kRandom};
  for (const int kind : kinds) {
    name_case(search, kind, problem.in.shift);
    problem.renew(100 + launch++, kind);
    results.clear();
    GOOD(cudaGraphLaunch(executable, stream));
    GOOD(cudaStreamSynchronize(stream));
    REQUIRE(results.are_of(problem, k, search.largest));
  }
  GOOD(cudaGraphExecDestroy(executable));
  GOOD(cudaGraphDestroy(graph));
}

// Arguments that are not legal enqueue nothing.
template <typename Beside>
void check_refused(const Rows& rows) {
  const Items in(rows.count * rows.stride, 0);
  make_keys(in, 1, kRandom);
  name_case({rows, 0, true}, kRandom, 0);
  const Results<Beside> results(0, rows.count * rows.columns);
  const Memory storage(1 << 20);
  size_t bytes = 1 << 20;
  const auto is_refused = [&](const Rows& rows, long long k, const Out<Beside>& out) {
    return find({rows, k, true}, storage.bytes, bytes, in, out, nullptr) == cudaErrorInvalidValue;
  };
  const Out<Beside> out = results.out();
  const auto n = static_cast<long long>(rows.columns);
  REQUIRE(is_refused(rows, n + 1, out) && is_refused(rows, -1, out) && is_refused(rows, kMostFound + 1, out));
  REQUIRE(is_refused(rows, 5, {nullptr, out.beside}));
  if (!std::is_void<Beside>::value) REQUIRE(is_refused(rows, 5, {out.keys, nullptr}));
  if (rows.is_batched) REQUIRE(is_refused({rows.count, rows.columns, rows.columns - 1, true}, 5, out));
  GOOD(find({rows, 0, true}, storage.bytes, bytes, in, Out<Beside>{}, nullptr));
  GOOD(cudaDeviceSynchronize());
  REQUIRE(results.are_untouched() && storage.is_intact_behind());
  REQUIRE(cudaGetLastError() == cudaSuccess);
}

// Whether a block of the device has shared memory for as many results.
template <typename Beside>
bool has_room(const Search& search, const Items& in) {
  size_t bytes = 0;
  return find(search, nullptr, bytes, in, Out<Beside>{}, nullptr) != cudaErrorNotSupported;
}

// The legal k that are checked, of which all rows have at most some millions of results.
std::vector<long long> all_k(const Rows& rows) {
  std::vector<long long> all;
  const size_t most = std::min(rows.columns, kMostFound);
  for (const size_t k : {size_t{1}, size_t{8}, size_t{9}, size_t{31}, size_t{32}, size_t{33}, size_t{50}, size_t{100}, size_t{129}, size_t{1000},
                         size_t{1024}, size_t{2048}, most}) {
    const bool is_new = all.empty() || static_cast<size_t>(all.back()) < k;
    if (k <= most && is_new && rows.count * k <= 1 << 22) all.push_back(static_cast<long long>(k));
  }
  return all;
}

template <typename Beside>
int check(const Rows& rows, size_t shift, std::mt19937_64& random) {
  Problem problem(rows, shift, kMostFound);
  int searches = 0;
  const unsigned long long all = rows.count * rows.columns;
  const int kinds[] = {kNumbers, kRandom, kFew, kEqual, kNaNs, kZeros, kAscending, kDescending, kSkewed};
  for (const int kind : kinds) {
    // Few kinds of the largest arrays, of which the host's searches take seconds.
    if (all > 5000000 && kind > kEqual && random() % 2 == 0) continue;
    problem.renew(random(), kind);
    for (const long long k : all_k(rows)) {
      for (int largest = 0; largest < 2; ++largest, ++searches) {
        const Search search = {rows, k, largest == 1};
        name_case(search, kind, shift);
        if (has_room<Beside>(search, problem.in)) check_found<Beside>(problem, search);
      }
    }
  }
  return searches;
}

template <typename Beside>
int check_all_with(unsigned long long seed, size_t most) {
  std::mt19937_64 random(seed);
  int searches = 0;
  for (const size_t n : {1,     2,     31,    32,    33,     64,      65,      100,     256,      257,           1000,          1023,
                         1025,  4095,  4097,  5001,  16383,  16385,   65537,   128256,  1000003,  (1 << 20) + 1, 1 << 22,       (1 << 22) + 1,
                         5000001, (1 << 24) - 1, 1 << 24}) {
    if (n <= most) searches += check<Beside>({1, n, n, false}, random() % 2, random);
  }
  for (const Rows rows : {Rows{5000, 8, 8, true}, Rows{3001, 33, 35, true}, Rows{100000, 64, 64, true}, Rows{777, 65, 65, true},
                          Rows{64, 256, 300, true}, Rows{1001, 1000, 1000, true}, Rows{300, 1025, 1031, true}, Rows{40, 5000, 5000, true},
                          Rows{8, 128256, 128256, true}, Rows{9, 128256, 128259, true}, Rows{3, (1 << 22) + 1, (1 << 22) + 4, true}}) {
    if (rows.count * rows.stride <= most) searches += check<Beside>(rows, random() % 2, random);
  }
  cudaStream_t stream;
  GOOD(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (const Rows rows : {Rows{1, 50, 50, false}, Rows{1, 5000, 5000, false}, Rows{1, 128256, 128256, false}, Rows{1, (1 << 22) + 1, (1 << 22) + 1, false},
                          Rows{1000, 64, 66, true}, Rows{8, 128256, 128256, true}, Rows{20, 70000, 70000, true}}) {
    Problem problem(rows, 1, 50);
    for (int largest = 0; largest < 2; ++largest, ++searches) check_graph<Beside>(problem, {rows, 50, largest == 1}, stream);
  }
  GOOD(cudaStreamDestroy(stream));
  check_refused<Beside>({1, 5000, 5000, false});
  check_refused<Beside>({7, 5000, 5010, true});
  return searches;
}

void check_all(unsigned long long seed, size_t most) {
  int searches = 0;
  if constexpr (kHasValues) {
    searches = check_all_with<Value>(seed, most);
  } else {
    const size_t less = std::min(most, size_t{1} << 21);
    searches = check_all_with<void>(seed, less) + check_all_with<unsigned int>(seed + 1, less) + check_all_with<long long>(seed + 2, most);
  }
  std::printf("%d searches find what the host finds\n", searches);
}

}  // namespace

#include "top_k_beside_cub.cuh"

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
