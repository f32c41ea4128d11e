// Holds sortsmith::DeviceRows against sorts on the host, bit for bit, for one type of keys (TEST_KEY) and one of values (TEST_VALUE; with TEST_POSITIONS
// positions, else keys alone). TEST_FACADE is the header, of both orders. Arguments: a seed, and the most keys if not all; or `time`, which prints µs.
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

#include TEST_FACADE

#ifdef TEST_POSITIONS
#define TEST_VALUE unsigned int
#endif
#include "device_facade_items.cuh"
#include "facade_keys.hpp"

namespace {

#ifdef TEST_POSITIONS
constexpr bool kHasPositions = true;
#else
constexpr bool kHasPositions = false;
#endif

static_assert(sizeof(Key) <= 8, "the host compares numbers of 8 bytes");
constexpr int kBits = 8 * sizeof(Key);

struct Rows {
  size_t count;
  size_t columns;
  size_t stride;

  size_t items() const { return count * stride; }
};

struct Call {
  Rows rows;
  bool descending;
  bool is_in_place;
  // Positions alone.
  bool is_argsort;
};

// The member of a call; `out` has the keys of `in` where it is in place.
cudaError_t sort(const Call& call, void* storage, size_t& bytes, const Items& in, Key* keys_out, Value* beside, cudaStream_t stream) {
  using Sort = sortsmith::DeviceRows;
  const Key* const keys = in.keys();
  const auto rows = static_cast<int>(call.rows.count);
  const auto columns = static_cast<long long>(call.rows.columns);
  const size_t stride = call.rows.stride;
  if constexpr (kHasPositions) {
    if (call.is_argsort) {
      return call.descending ? Sort::ArgsortDescending(storage, bytes, keys, beside, rows, columns, stride, stream)
                             : Sort::Argsort(storage, bytes, keys, beside, rows, columns, stride, stream);
    }
    return call.descending ? Sort::SortPairsDescending(storage, bytes, keys, keys_out, nullptr, beside, rows, columns, stride, stream)
                           : Sort::SortPairs(storage, bytes, keys, keys_out, nullptr, beside, rows, columns, stride, stream);
  } else if constexpr (kHasValues) {
    const Value* const values = call.is_in_place ? beside : in.values();
    return call.descending ? Sort::SortPairsDescending(storage, bytes, keys, keys_out, values, beside, rows, columns, stride, stream)
                           : Sort::SortPairs(storage, bytes, keys, keys_out, values, beside, rows, columns, stride, stream);
  } else {
    return call.descending ? Sort::SortKeysDescending(storage, bytes, keys, keys_out, rows, columns, stride, stream)
                           : Sort::SortKeys(storage, bytes, keys, keys_out, rows, columns, stride, stream);
  }
}

void name_case(const Call& call, int kind, size_t shift) {
  const auto& [count, columns, stride] = call.rows;
  std::snprintf(current_case, sizeof(current_case), "(%zu rows of %zu, stride %zu, %s%s%s, kind %d, shift %zu)", count, columns, stride,
                call.descending ? "descending" : "ascending", call.is_in_place ? ", in place" : "", call.is_argsort ? ", positions" : "", kind, shift);
}

// Items on the host.
struct HostItems {
  std::vector<Key> keys;
  std::vector<Value> values;

  explicit HostItems(const Items& items) : keys(items.n), values(items.n) {
    GOOD(cudaMemcpy(keys.data(), items.keys(), items.n * sizeof(Key), cudaMemcpyDeviceToHost));
    GOOD(cudaMemcpy(values.data(), items.values(), items.n * sizeof(Value), cudaMemcpyDeviceToHost));
  }
};

// What is to come of a call, where `before` was in the output.
void sort_on_host(const Call& call, const HostItems& in, HostItems& expected) {
  std::vector<unsigned long long> numbers(call.rows.columns);
  std::vector<size_t> order(call.rows.columns);
  for (size_t row = 0; row < call.rows.count; ++row) {
    const size_t first = row * call.rows.stride;
    for (size_t i = 0; i < call.rows.columns; ++i) {
      const unsigned long long number = order_of(in.keys[first + i], 0, kBits);
      numbers[i] = call.descending ? ~number : number;
    }
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return numbers[a] < numbers[b]; });
    for (size_t i = 0; i < call.rows.columns; ++i) {
      if (!call.is_argsort) expected.keys[first + i] = in.keys[first + order[i]];
      if (kHasPositions) expected.values[first + i] = static_cast<Value>(order[i]);
      if (!kHasPositions && kHasValues) expected.values[first + i] = in.values[first + order[i]];
    }
  }
}

bool are_same(const HostItems& items, const HostItems& expected) {
  const size_t n = items.keys.size();
  return std::memcmp(items.keys.data(), expected.keys.data(), n * sizeof(Key)) == 0 &&
         (!kHasValues || std::memcmp(items.values.data(), expected.values.data(), n * sizeof(Value)) == 0);
}

// The arrays of a call, which may be sorted again.
struct Problem {
  Call call;
  Items in;
  Items out;
  Memory storage;

  static size_t bytes_of(const Call& call, const Items& in, const Items& out) {
    size_t bytes = 0;
    GOOD(sort(call, nullptr, bytes, in, out.keys(), out.values(), nullptr));
    REQUIRE(bytes > 0);
    return bytes;
  }

  Problem(const Call& call, size_t shift) : call(call), in(call.rows.items(), shift), out(call.rows.items(), shift), storage(bytes_of(call, in, out)) {}

  void renew(unsigned long long seed, int kind) {
    name_case(call, kind, in.shift);
    generate<<<1024, 256>>>(in.keys(), in.values(), in.n, seed, kind);
    generate<<<1024, 256>>>(out.keys(), out.values(), out.n, ~seed, kEqual);
    if (call.is_in_place) out.copy_from(in);
    GOOD(cudaDeviceSynchronize());
  }

  cudaError_t enqueue(cudaStream_t stream, size_t bytes) const { return sort(call, storage.bytes, bytes, source(), out.keys(), out.values(), stream); }
  cudaError_t enqueue(cudaStream_t stream) const { return enqueue(stream, storage.size); }

  const Items& source() const { return call.is_in_place ? out : in; }

  // Sorts by `run`, and compares what comes of it.
  template <typename Run>
  void check(const Run& run) const {
    const HostItems before(in);
    HostItems expected(out);
    sort_on_host(call, before, expected);
    run();
    REQUIRE(are_same(HostItems(out), expected));
    REQUIRE(are_same(HostItems(in), before));
    REQUIRE(in.are_intact_behind() && out.are_intact_behind() && storage.is_intact_behind());
  }
};

std::vector<Call> calls_of(const Rows& rows) {
  std::vector<Call> calls;
  for (const bool descending : {false, true}) {
    calls.push_back({rows, descending, false, false});
    if (!kHasPositions) calls.push_back({rows, descending, true, false});
    if (kHasPositions) calls.push_back({rows, descending, false, true});
  }
  return calls;
}

int check(const Rows& rows, size_t shift, std::mt19937_64& random) {
  int cases = 0;
  for (const Call& call : calls_of(rows)) {
    Problem problem(call, shift);
    // One kind of the largest matrices, of which the host's sorts take seconds.
    const int only = rows.items() > 3000000 ? static_cast<int>(random() % kKinds) : -1;
    for (int kind = 0; kind < kKinds; ++kind) {
      if (only >= 0 && kind != only) continue;
      ++cases;
      problem.renew(random(), kind);
      const HostItems untouched(problem.out);
      REQUIRE(problem.enqueue(nullptr, problem.storage.size - 1) == cudaErrorInvalidValue);
      GOOD(cudaDeviceSynchronize());
      REQUIRE(are_same(HostItems(problem.out), untouched));
      problem.check([&] {
        GOOD(problem.enqueue(nullptr));
        GOOD(cudaDeviceSynchronize());
      });
    }
  }
  return cases;
}

// A captured sort sorts what is in the keys when it is launched.
int check_graphs(const Rows& rows) {
  int cases = 0;
  cudaStream_t stream;
  GOOD(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (const Call& call : calls_of(rows)) {
    Problem problem(call, 1);
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    GOOD(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    GOOD(problem.enqueue(stream));
    GOOD(cudaStreamEndCapture(stream, &graph));
    GOOD(cudaGraphInstantiate(&executable, graph, 0));
    for (const int kind : {kRandom, kFew, kSorted}) {
      problem.renew(100 + cases++, kind);
      problem.check([&] {
        GOOD(cudaGraphLaunch(executable, stream));
        GOOD(cudaStreamSynchronize(stream));
      });
    }
    GOOD(cudaGraphExecDestroy(executable));
    GOOD(cudaGraphDestroy(graph));
  }
  GOOD(cudaStreamDestroy(stream));
  return cases;
}

// Threads that sort at once, each on a stream of its own.
void check_threads(const std::vector<Rows>& all) {
  std::vector<std::thread> threads;
  for (size_t number = 0; number < all.size(); ++number) {
    threads.emplace_back([&, number] {
      cudaStream_t stream;
      GOOD(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
      Problem problem(calls_of(all[number]).back(), 0);
      for (unsigned long long round = 0; round < 20; ++round) {
        problem.renew(1000 * number + round, kRandom);
        problem.check([&] {
          GOOD(problem.enqueue(stream));
          GOOD(cudaStreamSynchronize(stream));
        });
      }
      GOOD(cudaStreamDestroy(stream));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Arguments that are not legal enqueue nothing.
void check_refused(const Rows& rows) {
  const Call call = calls_of(rows)[0];
  Problem problem(call, 0);
  problem.renew(1, kRandom);
  const HostItems untouched(problem.out);
  size_t bytes = problem.storage.size;
  const auto is_refused = [&](const Rows& rows, Key* keys_out, Value* beside) {
    Call other = call;
    other.rows = rows;
    return sort(other, problem.storage.bytes, bytes, problem.in, keys_out, beside, nullptr) == cudaErrorInvalidValue;
  };
  Key* const keys = problem.out.keys();
  Value* const values = problem.out.values();
  REQUIRE(is_refused({rows.count, rows.columns, rows.columns - 1}, keys, values));
  REQUIRE(is_refused({rows.count, rows.columns, ~size_t{0}}, keys, values));
  REQUIRE(is_refused(rows, nullptr, values));
  if (kHasValues) REQUIRE(is_refused(rows, keys, nullptr));
  Call none = call;
  none.rows = {0, rows.columns, rows.stride};
  GOOD(sort(none, problem.storage.bytes, bytes, problem.in, nullptr, nullptr, nullptr));
  GOOD(cudaDeviceSynchronize());
  REQUIRE(are_same(HostItems(problem.out), untouched));
  REQUIRE(cudaGetLastError() == cudaSuccess);
}

void check_all(unsigned long long seed, size_t most) {
  std::mt19937_64 random(seed);
  int cases = 0;
  for (const Rows rows : {Rows{1, 1, 1},           Rows{1000, 1, 3},          Rows{5000, 8, 8},         Rows{3001, 16, 16},       Rows{3001, 17, 17},
                          Rows{999, 33, 35},       Rows{100000, 32, 32},      Rows{777, 65, 65},        Rows{640, 100, 104},      Rows{64, 256, 300},
                          Rows{501, 500, 500},     Rows{301, 1000, 1000},     Rows{300, 1025, 1031},    Rows{50, 3000, 3000},     Rows{40, 5000, 5000},
                          Rows{17, 8192, 8192},    Rows{1, 8193, 8193},       Rows{9, 9000, 9001},      Rows{5, 12300, 12300},    Rows{5, 14000, 14003},
                          Rows{4, 16384, 16384},   Rows{4, 16385, 16385},     Rows{1, 100000, 100000},  Rows{9, 128256, 128259},  Rows{300, 128256, 128256},
                          Rows{2, 800000, 800000}, Rows{3, 1 << 20, 1 << 20}, Rows{1, 1 << 20, 1 << 20}, Rows{3, (1 << 20) + 1, (1 << 20) + 4},
                          Rows{2, 3000001, 3000001}, Rows{1, 1 << 24, 1 << 24}}) {
    if (rows.items() <= most) cases += check(rows, random() % 2, random);
  }
  for (const Rows rows : {Rows{1000, 64, 66}, Rows{100, 3000, 3000}, Rows{1, 20000, 20000}, Rows{20, 70000, 70000}, Rows{2, (1 << 20) + 1, (1 << 20) + 1}}) {
    if (rows.items() <= most) cases += check_graphs(rows);
  }
  if (most >= 1 << 22) check_threads({{1000, 64, 66}, {100, 3000, 3000}, {2, 70000, 70000}, {1, 70000, 70000}, {2, (1 << 20) + 1, (1 << 20) + 1}});
  check_refused({7, 100, 105});
  check_refused({7, 20000, 20010});
  std::printf("%d cases are as on the host\n", cases);
}

void print_times() {
  for (const Rows rows : {Rows{1 << 20, 32, 32}, Rows{1 << 18, 128, 128}, Rows{1 << 17, 1024, 1024}, Rows{1 << 13, 8192, 8192}, Rows{64, 128256, 128256},
                          Rows{512, 128256, 128256}, Rows{1, 128256, 128256}, Rows{8, 1 << 22, 1 << 22}}) {
    for (const Call& call : calls_of(rows)) {
      if (call.descending || call.is_in_place) continue;
      Problem problem(call, 0);
      problem.renew(1, kRandom);
      const double time = time_of(8, [&] { GOOD(problem.enqueue(nullptr)); });
      std::printf("%zu x %zu%s: %.1f us\n", rows.count, rows.columns, call.is_argsort ? ", positions alone" : "", time);
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
