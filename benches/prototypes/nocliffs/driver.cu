// Tests and times the splitter sort against CUB. SORT_BITS, SORT_VALUE and SORT_TYPE choose the kind of items.
//
//   driver bench N [INPUT...]   times of all inputs, or of the given numbers, and whether results are CUB's bit for bit
//   driver test                 many small sizes
//   driver small N              one sort of each input, for compute-sanitizer
#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "inputs.cuh"
#include "sort.cuh"

using nocliffs::check;

namespace {

constexpr KeyType kType = KeyType::SORT_TYPE;
using S = nocliffs::Sort<SORT_BITS, SORT_VALUE, kType == KeyType::kF32>;

__global__ void count_differences(const uint32_t* a, const uint32_t* b, size_t words, unsigned long long* count) {
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words; i += size_t{gridDim.x} * blockDim.x)
    if (a[i] != b[i]) atomicAdd(count, 1ull);
}

template <class T>
T* allocate(size_t count) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, std::max<size_t>(count, 1) * sizeof(T)), "cudaMalloc");
  return static_cast<T*>(memory);
}

class Bench {
 public:
  explicit Bench(unsigned most) : scratch(most), device(std::random_device{}()) {
    keys = allocate<S::Bits>(most), out = allocate<S::Bits>(most), expected = allocate<S::Bits>(most);
    if (S::kPairs) values = allocate<uint32_t>(most), values_out = allocate<uint32_t>(most), values_expected = allocate<uint32_t>(most);
    differences = allocate<unsigned long long>(1);
  }

  void make(unsigned n, int input, uint64_t seed) {
    inputs::make<<<1024, 256>>>(keys, values, uint64_t{n}, input, seed, kType);
    check(cudaGetLastError(), "inputs");
  }

  void sort(unsigned n, unsigned fail_order_every = 0, unsigned one_level_most = nocliffs::kOneLevelMost) {
    const nocliffs::Arrays<S> arrays{keys, reinterpret_cast<const S::Value*>(values), out, reinterpret_cast<S::Value*>(values_out), n};
    nocliffs::sort<S>(arrays, scratch, device(), stages, nullptr, fail_order_every, one_level_most);
    check(cudaGetLastError(), "sort");
  }

  float time(unsigned n) {
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin), "event");
    check(cudaEventCreate(&end), "event");
    check(cudaEventRecord(begin), "record");
    sort(n);
    check(cudaEventRecord(end), "record");
    check(cudaEventSynchronize(end), "sort");
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end), "elapsed");
    check(cudaEventDestroy(begin), "event");
    check(cudaEventDestroy(end), "event");
    return ms;
  }

  void poison(unsigned n) {
    check(cudaMemset(out, 0xa5, n * sizeof(S::Bits)), "memset");
    if (S::kPairs) check(cudaMemset(values_out, 0xa5, n * sizeof(uint32_t)), "memset");
  }

  unsigned long long compare(unsigned n) {
    check(cudaMemset(differences, 0, sizeof(*differences)), "memset");
    count_differences<<<1024, 256>>>(reinterpret_cast<uint32_t*>(out), reinterpret_cast<uint32_t*>(expected), n * sizeof(S::Bits) / 4, differences);
    if (S::kPairs) count_differences<<<1024, 256>>>(values_out, values_expected, n, differences);
    unsigned long long found = 0;
    check(cudaMemcpy(&found, differences, sizeof(found), cudaMemcpyDeviceToHost), "compare");
    return found;
  }

  nocliffs::Counts counts() {
    nocliffs::Counts found;
    check(cudaMemcpy(&found, scratch.counts, sizeof(found), cudaMemcpyDeviceToHost), "counts");
    return found;
  }

  float peer(unsigned n, int rounds, float* each) { return fastest_cub(kType, keys, values, expected, values_expected, n, rounds, each); }

  nocliffs::Scratch<S> scratch;
  nocliffs::Stages stages;

 private:
  std::mt19937_64 device;
  S::Bits *keys, *out, *expected;
  uint32_t *values = nullptr, *values_out = nullptr, *values_expected = nullptr;
  unsigned long long* differences;
};

void bench(unsigned n, const std::vector<int>& chosen) {
  Bench b(n);
  std::printf("n = %u, scratch %.3f bytes an item\n", n, static_cast<double>(b.scratch.bytes) / n);
  double worst = 1e9, product = 1;
  const int rounds = n < (1u << 24) ? 15 : 3;
  for (const int input : chosen) {
    b.make(n, input, 12345 + input);
    float each[4];
    const float cub = b.peer(n, rounds, each);
    b.poison(n);
    std::vector<float> times;
    for (int round = 0; round <= rounds; ++round) {
      const float ms = b.time(n);
      if (round > 0) times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    const float ours = times[times.size() / 2];
    const unsigned long long wrong = b.compare(n);
    const nocliffs::Counts c = b.counts();
    worst = std::min<double>(worst, cub / ours);
    product *= cub / ours;
    std::printf("%-12s %8.1f us %6.2f Gkeys/s  CUB %8.1f (%.1f %.1f %.1f %.1f)  x%.3f  %s  buckets %u %u %u equal %u over %u rerank %u merged %u\n",
                inputs::kNames[input], ours * 1e3, n / ours * 1e-6, cub * 1e3, each[0] * 1e3, each[1] * 1e3, each[2] * 1e3,
                each[3] * 1e3, cub / ours, wrong == 0 ? "ok" : "WRONG", c.buckets[0], c.buckets[1], c.buckets[2], c.equal_chunks,
                c.overflows, c.reranked, c.merged[0] + c.merged[1] + c.merged[2]);
    if (wrong != 0) std::printf("   %llu words differ\n", wrong);
    b.stages.on = true;
    b.time(n);
    b.stages.on = false;
    std::printf("    ");
    for (int i = 1; i < b.stages.count; ++i) {
      float ms = 0;
      check(cudaEventElapsedTime(&ms, b.stages.events[i - 1], b.stages.events[i]), "elapsed");
      std::printf(" %s %.1f;", b.stages.names[i], ms * 1e3);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  std::printf("worst x%.3f, geometric mean x%.3f\n", worst, std::pow(product, 1.0 / chosen.size()));
}

void test(const std::vector<unsigned>& sizes, bool quick) {
  const unsigned most = *std::max_element(sizes.begin(), sizes.end());
  Bench b(most);
  unsigned sorts = 0, wrong = 0, reranked = 0, merged = 0, over = 0;
  for (const unsigned n : sizes) {
    for (int input = 0; input < inputs::kCount; ++input) {
      b.make(n, input, 99 + n);
      float each[4];
      if (!quick) b.peer(n, 1, each);
      b.poison(n);
      b.sort(n, (n + input) % 3 == 0 ? 2 : 0, (n + input) % 2 == 0 ? 0 : nocliffs::kOneLevelMost);
      ++sorts;
      const nocliffs::Counts c = b.counts();
      reranked += c.reranked, merged += c.merged[0] + c.merged[1] + c.merged[2], over += c.overflows;
      if (quick) continue;
      if (const auto found = b.compare(n)) {
        ++wrong;
        if (wrong < 20) std::printf("n = %u, %s: %llu words differ, over %u\n", n, inputs::kNames[input], found, c.overflows);
      }
    }
  }
  std::printf("%u sorts, %u wrong, %u overflows, %u tiles ranked again, %u buckets merged\n", sorts, wrong, over, reranked, merged);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc >= 3 && std::strcmp(argv[1], "bench") == 0) {
    std::vector<int> chosen;
    for (int i = 3; i < argc; ++i) chosen.push_back(std::atoi(argv[i]));
    if (chosen.empty())
      for (int i = 0; i < inputs::kCount; ++i) chosen.push_back(i);
    bench(static_cast<unsigned>(std::strtoul(argv[2], nullptr, 0)), chosen);
    return 0;
  }
  if (argc >= 2 && std::strcmp(argv[1], "test") == 0) {
    std::vector<unsigned> sizes;
    for (unsigned n = 1; n < 70000; n = n * 5 / 4 + 1) sizes.push_back(n);
    for (const unsigned n : {31u, 32u, 33u, 4095u, 4096u, 4097u, 8191u, 8192u, 8193u, 16384u, 16385u, 1048576u, 4194304u, 4194305u, 6000001u})
      sizes.push_back(n);
    test(sizes, false);
    return 0;
  }
  if (argc >= 3 && std::strcmp(argv[1], "small") == 0) {
    test({static_cast<unsigned>(std::strtoul(argv[2], nullptr, 0))}, true);
    return 0;
  }
  std::fprintf(stderr, "usage: driver bench N [INPUT...] | test | small N\n");
  return 2;
}
