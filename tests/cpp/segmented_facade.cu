// Holds sortsmith::DeviceSegmentedSort and DeviceSegmentedRadixSort against CUB's, bit for bit, for one type of keys (TEST_KEY) and one of values
// (TEST_VALUE; none where it is not defined). TEST_FACADE is the header, of both orders. Argument: a seed; or `time`, which prints ms of both.
// Compiling CUB's sorts of segments takes minutes.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include TEST_FACADE

#include "device_facade_items.cuh"

namespace {

// Where segments begin and end, on the device.
template <typename Offset>
struct Segments {
  int count;
  Memory begins;
  Memory ends;

  Segments(const std::vector<Offset>& of_begins, const std::vector<Offset>& of_ends)
      : count(static_cast<int>(of_begins.size())), begins(of_begins.size() * sizeof(Offset)), ends(of_ends.size() * sizeof(Offset)) {
    GOOD(cudaMemcpy(begins.bytes, of_begins.data(), of_begins.size() * sizeof(Offset), cudaMemcpyHostToDevice));
    GOOD(cudaMemcpy(ends.bytes, of_ends.data(), of_ends.size() * sizeof(Offset), cudaMemcpyHostToDevice));
  }

  const Offset* begin() const { return at<Offset>(begins, 0); }
  const Offset* end() const { return at<Offset>(ends, 0); }
};

// The call of either library. All bits by the sort that looks at the segments' lengths, others by the radix sort.
#define CALL(library, name)                                                                                                              \
  template <typename Offset>                                                                                                             \
  cudaError_t name(How how, void* storage, size_t& bytes, const Items& in, const Items& out, const Segments<Offset>& segments) {         \
    using Sort = library::DeviceSegmentedSort;                                                                                           \
    using RadixSort = library::DeviceSegmentedRadixSort;                                                                                 \
    const auto n = static_cast<long long>(in.n);                                                                                         \
    const int count = segments.count;                                                                                                    \
    const Offset* const begin = segments.begin();                                                                                        \
    const Offset* const end = segments.end();                                                                                            \
    const bool takes_all = how.begin_bit == 0 && how.end_bit == static_cast<int>(8 * sizeof(Key));                                       \
    if constexpr (kHasValues) {                                                                                                          \
      if (takes_all) {                                                                                                                   \
        return how.descending                                                                                                            \
                   ? Sort::StableSortPairsDescending(storage, bytes, in.keys(), out.keys(), in.values(), out.values(), n, count, begin, end) \
                   : Sort::StableSortPairs(storage, bytes, in.keys(), out.keys(), in.values(), out.values(), n, count, begin, end);      \
      }                                                                                                                                  \
      return how.descending ? RadixSort::SortPairsDescending(storage, bytes, in.keys(), out.keys(), in.values(), out.values(), n, count, \
                                                             begin, end, how.begin_bit, how.end_bit)                                     \
                            : RadixSort::SortPairs(storage, bytes, in.keys(), out.keys(), in.values(), out.values(), n, count, begin,    \
                                                   end, how.begin_bit, how.end_bit);                                                     \
    } else {                                                                                                                             \
      if (takes_all) {                                                                                                                   \
        return how.descending ? Sort::SortKeysDescending(storage, bytes, in.keys(), out.keys(), n, count, begin, end)                    \
                              : Sort::SortKeys(storage, bytes, in.keys(), out.keys(), n, count, begin, end);                             \
      }                                                                                                                                  \
      return how.descending ? RadixSort::SortKeysDescending(storage, bytes, in.keys(), out.keys(), n, count, begin, end, how.begin_bit,  \
                                                            how.end_bit)                                                                 \
                            : RadixSort::SortKeys(storage, bytes, in.keys(), out.keys(), n, count, begin, end, how.begin_bit,            \
                                                  how.end_bit);                                                                          \
    }                                                                                                                                    \
  }
CALL(cub, cub_sort)
CALL(sortsmith, own_sort)

// Lengths of segments.
using Lengths = std::vector<size_t>;

// As many items in as many segments, few of which have most items.
Lengths by_power_law(size_t items, size_t segments) {
  std::mt19937_64 random(3);
  std::vector<double> shares(segments);
  double sum = 0;
  for (double& share : shares) sum += share = std::pow(1 - static_cast<double>(random() >> 11) / (1ull << 53), -1 / 1.2);
  Lengths lengths;
  size_t taken = 0;
  for (const double share : shares) taken += lengths.emplace_back(static_cast<size_t>(share / sum * static_cast<double>(items)));
  lengths[0] += items - taken;
  return lengths;
}

Lengths of_at_most(size_t most, size_t segments, std::mt19937_64& random) {
  Lengths lengths(segments);
  for (size_t& length : lengths) length = random() % (most + 1);
  return lengths;
}

// Empty, short, long and longest ones, in no order.
Lengths of_all_lengths(size_t segments, std::mt19937_64& random) {
  Lengths lengths(segments);
  for (size_t& length : lengths) length = random() % (1ull << random() % 17);
  return lengths;
}

// Every length below 1200, and those around powers of two.
Lengths around_edges() {
  Lengths lengths;
  for (size_t length = 0; length < 1200; ++length) lengths.push_back(length);
  for (size_t power = 1024; power <= 65536; power *= 2) {
    for (size_t length = power - 1; length <= power + 1; ++length) lengths.push_back(length);
  }
  return lengths;
}

// Segments one behind the other, with `gap` items between them that belong to none.
template <typename Offset>
Segments<Offset> laid_out(const Lengths& lengths, size_t gap, size_t& items) {
  std::vector<Offset> begins, ends;
  items = 0;
  for (const size_t length : lengths) {
    begins.push_back(static_cast<Offset>(items));
    ends.push_back(static_cast<Offset>(items + length));
    items += length + gap;
  }
  return {begins, ends};
}

template <typename Offset>
int check(const char* name, const Lengths& lengths, size_t gap, std::mt19937_64& random) {
  size_t n = 0;
  const Segments<Offset> segments = laid_out<Offset>(lengths, gap, n);
  constexpr int kBits = 8 * sizeof(Key);
  int cases = 0;
  for (const int kind : {kRandom, kSkewed, kFew}) {
    for (int i = 0; i < 4; ++i, ++cases) {
      How how = {i % 2 == 1, 0, kBits, false};
      if (i >= 2) {
        how.begin_bit = static_cast<int>(random() % (kBits - 1));
        how.end_bit = how.begin_bit + 1 + static_cast<int>(random() % (kBits - 1 - how.begin_bit));
      }
      std::snprintf(current_case, sizeof(current_case), "(%s, kind %d, %s, bits %d to %d)", name, kind, how.descending ? "descending" : "ascending",
                    how.begin_bit, how.end_bit);
      // Items of no segment stay as they are in the output: these are alike in both.
      const Items in(n, 0), expected(n, 0), out(n, 0);
      const bool has_zeros = !std::is_floating_point<Key>::value;
      generate<<<1024, 256>>>(in.keys(), in.values(), n, random(), kind, has_zeros);
      GOOD(cudaDeviceSynchronize());
      const auto sort = [&](const auto& call, const Items& result) {
        size_t bytes = 0;
        GOOD(call(nullptr, bytes, result));
        const Memory storage(bytes);
        GOOD(call(storage.bytes, bytes, result));
        GOOD(cudaDeviceSynchronize());
        REQUIRE(storage.is_intact_behind() && result.are_intact_behind());
      };
      sort([&](void* storage, size_t& bytes, const Items& result) { return cub_sort(how, storage, bytes, in, result, segments); }, expected);
      sort([&](void* storage, size_t& bytes, const Items& result) { return own_sort(how, storage, bytes, in, result, segments); }, out);
      REQUIRE(are_equal(out.keys(), out.values(), expected));
    }
  }
  return cases;
}

void check_all(unsigned long long seed) {
  std::mt19937_64 random(seed);
  int cases = check<int>("none", {}, 0, random);
  cases += check<int>("all empty", Lengths(100000, 0), 0, random);
  cases += check<int>("one", {5000001}, 0, random);
  cases += check<int>("edges", around_edges(), 1, random);
  cases += check<int>("short", of_at_most(40, 100000, random), 0, random);
  cases += check<int>("all lengths", of_all_lengths(3000, random), 0, random);
  cases += check<long long>("all lengths, with gaps", of_all_lengths(3000, random), 3, random);
  cases += check<int>("power law", by_power_law(1 << 22, 1 << 16), 0, random);
  std::printf("%d cases are as CUB's\n", cases);
}

void print_times_of(const char* name, const Lengths& lengths) {
  size_t n = 0;
  const Segments<int> segments = laid_out<int>(lengths, 0, n);
  const Items in(n, 0), out(n, 0);
  generate<<<1024, 256>>>(in.keys(), in.values(), n, 1, kRandom);
  const How how = {false, 0, static_cast<int>(8 * sizeof(Key)), false};
  double times[2];
  for (int is_own = 0; is_own < 2; ++is_own) {
    size_t bytes = 0;
    const auto call = [&](void* storage) { return (is_own ? own_sort<int> : cub_sort<int>)(how, storage, bytes, in, out, segments); };
    GOOD(call(nullptr));
    const Memory storage(bytes);
    times[is_own] = time_of(6, [&] { GOOD(call(storage.bytes)); }) / 1000.0;
  }
  std::printf("%s: own %.3f ms, CUB %.3f ms, %.2f times as fast\n", name, times[1], times[0], times[0] / times[1]);
}

void print_times() {
  std::mt19937_64 random(1);
  Lengths half = of_at_most(128, 1 << 19, random);
  half[1000] = 1 << 25;
  print_times_of("2^26 items in 2^12 segments by a power law", by_power_law(1 << 26, 1 << 12));
  print_times_of("2^22 items in 2^16 segments by a power law", by_power_law(1 << 22, 1 << 16));
  print_times_of("2^20 segments of 0 to 128 items", of_at_most(128, 1 << 20, random));
  print_times_of("one segment of half of the items, 2^19 of 0 to 128", half);
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1 && std::strcmp(arguments[1], "time") == 0) {
    print_times();
  } else {
    check_all(count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1);
  }
}
